// Plays clips: samples them on the nodes, and finds the poses of bodies from the nodes.
#include "app/project/project_play.h"

#include <math.h>
#include <stdlib.h>

#include "base/failure.h"

er_result project_play_make(er_context *context, const er_model *model, const int *body_node,
                            const er_recording_target *target, const er_clip *clip, er_motion *over, double fps,
                            project_play *out)
{
    *out = (project_play){model, target, body_node, clip, NULL, NULL, clip->duration};
    out->local = malloc((size_t)target->scene->node_count * sizeof *out->local);
    if (out->local == NULL) {
        *out = (project_play){0};
        return eri_no_memory(context);
    }
    if (over == NULL) return ER_OK;
    er_recording_def def = er_default_recording_def();
    def.fps = fps;
    def.over = clip;
    er_result r = er_motion_record(context, over, target, &def, &out->recording);
    if (r == ER_OK)
        out->clip = &out->recording->clip;
    else
        project_play_clear(out);
    return r;
}

er_result project_play_pose(er_context *context, const project_play *play, double time, er_pose *pose)
{
    double into = time - floor(time / play->duration) * play->duration;
    if (time > 0.0 && into == 0.0) into = play->duration; // the end, not the beginning once more
    er_scene_sample(play->target->scene, play->clip, into, play->local);
    return er_poses_of_nodes(context, play->model, play->target, play->body_node, play->local, pose);
}

void project_play_clear(project_play *play)
{
    er_recording_destroy(play->recording);
    free(play->local);
    *play = (project_play){0};
}

er_vec3 project_gait_pose(const er_gait_motion *gait, double strides, er_pose *pose)
{
    int last = gait->frame_count - 1;
    double whole = floor(strides), at = (strides - whole) * last;
    int frame = (int)fmin(floor(at), last - 1);
    double share = at - frame;
    size_t n = (size_t)gait->model->body_count;
    const er_pose *from = gait->pose + n * (size_t)frame, *to = from + n;
    for (size_t b = 0; pose != NULL && b < n; ++b) {
        pose[b].q = er_q_slerp(from[b].q, to[b].q, share);
        pose[b].p = er_v3_madd(from[b].p, share, er_v3_sub(to[b].p, from[b].p));
    }
    const er_vec3 *travel = gait->travel + frame;
    er_vec3 stride = er_v3_sub(gait->travel[last], gait->travel[0]);
    return er_v3_madd(er_v3_madd(travel[0], share, er_v3_sub(travel[1], travel[0])), whole, stride);
}
