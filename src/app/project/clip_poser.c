// Poses of bodies in clips: scene nodes are sampled, and joints are kept together.
#include "app/project/clip_poser.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"

er_result clip_poser_create(er_context *context, const er_model *model, const er_rig *rig, clip_poser *out)
{
    size_t nodes = rig != NULL ? (size_t)rig->scene->node_count : 1, bodies = (size_t)model->body_count;
    *out = (clip_poser){.context = context, .model = model, .rig = rig, .width = model->coordinate_count};
    for (int b = 0; b < model->body_count; ++b)
        if (model->tree_joint[b] < 0) out->width += 6;
    out->local = calloc(nodes, sizeof *out->local);
    out->pose = calloc(bodies, sizeof *out->pose);
    out->root = calloc(bodies, sizeof *out->root);
    return out->local != NULL && out->pose != NULL && out->root != NULL ? ER_OK : eri_no_memory(context);
}

void clip_poser_clear(clip_poser *poser)
{
    free(poser->root);
    free(poser->pose);
    free(poser->local);
    *poser = (clip_poser){0};
}

er_result clip_poser_place(clip_poser *s)
{
    const er_recording_target target = er_rig_target(s->rig);
    return er_poses_of_nodes(s->context, s->model, &target, s->rig->body_node, s->local, s->pose);
}

void clip_poser_read(clip_poser *s, double *x)
{
    const er_model *m = s->model;
    er_model_coordinates(m, s->pose, x, s->root);
    double *at = x + m->coordinate_count;
    for (int b = 0; b < m->body_count; ++b) {
        if (m->tree_joint[b] >= 0) continue;
        er_pose moved = er_pose_mul(er_pose_inverse(m->body[b].pose), s->pose[b]);
        er_vec3 turn = er_q_log(moved.q);
        const double six[6] = {turn.x, turn.y, turn.z, moved.p.x, moved.p.y, moved.p.z};
        memcpy(at, six, sizeof six);
        at += 6;
    }
}

er_result clip_poser_displacement(clip_poser *s, double time, double *x)
{
    double span = s->clip->duration;
    if (span > 0.0) time -= span * floor(time / span);
    er_scene_sample(s->rig->scene, s->clip, span > 0.0 ? time : 0.0, s->local);
    er_result r = clip_poser_place(s);
    if (r == ER_OK) clip_poser_read(s, x);
    return r;
}

er_result clip_poser_poses(clip_poser *s, double time, double *x, er_pose *pose)
{
    er_result r = clip_poser_displacement(s, time, x);
    if (r == ER_OK) er_model_pose(s->model, x, s->root, pose);
    return r;
}
