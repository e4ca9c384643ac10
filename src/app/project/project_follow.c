// Follow-through of clips: the clip's poses in time, loose parts along them, and keys over the clip.
#include "app/project/project_follow.h"

#include <stdlib.h>

#include "app/project/pose_track.h"
#include "app/project/project_parts.h"
#include "app/project/project_simulate.h"
#include "base/failure.h"

#define FINE 240.0 // instants a second at least: with the true forces errors fall as their square
#define FAR 1.57   // rad: a swing beyond this is told

project_follow_def project_default_follow_def(void)
{
    return (project_follow_def){
        .follow = er_default_follow_def(), .body = er_default_gait_def(), .recording = er_default_recording_def()};
}

// ---- Parts

er_result project_find_loose(er_context *context, const er_model *model, const er_rig *rig,
                             const project_follow_def *def, project_loose *out)
{
    *out = (project_loose){0};
    if (rig == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a rig file has no clips; give the model that has them");
    er_regions *regions = NULL;
    double gravity = def->body.gravity > 0.0 ? def->body.gravity : 9.81;
    er_result r = ER_OK;
    out->loose = calloc((size_t)model->body_count, sizeof *out->loose);
    if (out->loose == NULL) r = eri_no_memory(context);
    out->up = project_up(rig);
    if (r == ER_OK && model->body_count <= ER_MIRROR_MAX_BODIES)
        r = er_regions_create(context, model, rig, &def->body, &regions);
    if (regions != NULL) {
        out->up = regions->body->up;
        gravity = regions->body->gravity;
    }
    out->gravity = er_v3_scale(-gravity, out->up);
    if (r == ER_OK) r = project_find_parts(context, model, regions, "parts", def->parts, true, out->loose);
    for (int b = 0; b < model->body_count && r == ER_OK; ++b)
        if (out->loose[b] && model->tree_parent[b] < 0)
            r = er_fail(context, ER_ERROR_ARGUMENT,
                        "parts %s: \"%s\" hangs on no other body, so nothing leads it; name what hangs on it",
                        def->parts, model->body[b].name);
    er_regions_destroy(regions);
    if (r != ER_OK) project_loose_clear(out);
    return r;
}

void project_loose_clear(project_loose *loose)
{
    free(loose->loose);
    *loose = (project_loose){0};
}

// ---- Clips

static void report(const er_model *model, const er_clip *clip, const er_follow *f, const project_listener *listener)
{
    for (int i = 0; i < f->part_count; ++i) {
        const er_follow_part *part = &f->part[i];
        const char *name = model->body[part->body].name;
        if (!part->exact)
            project_notify(listener, ER_NOTE_WARNING,
                           "%s: the true forces on \"%s\" have no steady motion, so the linear one stands; more "
                           "looseness, less bounce or a smaller amount would tame it",
                           clip->name, name);
        else if (part->swing > FAR)
            project_notify(listener, ER_NOTE_WARNING,
                           "%s: \"%s\" swings by %.0f degrees; more looseness, less bounce or a smaller amount would "
                           "tame it",
                           clip->name, name, part->swing * 180.0 / ER_PI);
    }
}

static er_result record(er_context *context, const er_rig *rig, const er_clip *clip, const pose_track *track,
                        const er_follow *f, const project_follow_def *def, er_recording **out)
{
    size_t bodies = (size_t)f->model->body_count, frames = (size_t)track->count;
    double *time = malloc(frames * sizeof *time);
    er_pose *pose = malloc(frames * bodies * sizeof *pose);
    er_result r = time != NULL && pose != NULL ? ER_OK : eri_no_memory(context);
    for (size_t k = 0; k < frames && r == ER_OK; ++k) {
        size_t at = k * (size_t)track->samples;
        time[k] = f->time[at];
        for (size_t b = 0; b < bodies; ++b)
            pose[k * bodies + b] = f->pose[at * bodies + b];
    }
    const er_recorded_poses poses = {f->model, track->count, time, pose, f->repeats};
    const er_recording_target target = er_rig_target(rig);
    er_recording_def recording = def->recording;
    if (*recording.name == '\0') recording.name = clip->name;
    recording.over = clip;
    if (r == ER_OK) r = er_poses_record(context, &poses, &target, &recording, out);
    free(pose);
    free(time);
    return r;
}

er_result project_follow_clip(er_context *context, const er_model *model, const er_rig *rig, const er_clip *clip,
                              const project_loose *loose, const project_follow_def *def,
                              const project_listener *listener, project_followed *out)
{
    pose_track track = {0};
    er_trajectory *trajectory = NULL;
    er_follow_def follow = def->follow;
    *out = (project_followed){0};
    follow.loose = loose->loose;
    follow.gravity = loose->gravity;
    er_result r = pose_track_of_clip(context, model, rig, clip, def->recording.fps, FINE, false, &track);
    if (r == ER_OK) r = pose_track_extend(context, loose->up, 0.0, &track);
    if (r == ER_OK) r = pose_track_trajectory(context, &track, &trajectory);
    int count = (track.count - 1) * track.samples + 1;
    if (r == ER_OK)
        r = er_follow_create(context, model, trajectory, pose_track_time(&track, track.count - 1), count, track.repeats,
                             &follow, &out->follow);
    if (r == ER_OK) r = record(context, rig, clip, &track, out->follow, def, &out->recording);
    if (r == ER_OK) report(model, clip, out->follow, listener);
    er_trajectory_destroy(trajectory);
    pose_track_clear(&track);
    if (r != ER_OK) project_followed_clear(out);
    return r;
}

void project_followed_clear(project_followed *followed)
{
    er_recording_destroy(followed->recording);
    er_follow_destroy(followed->follow);
    *followed = (project_followed){0};
}
