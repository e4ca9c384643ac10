// The pose in which a rig stands best: rest, the bind pose, or the first frame of a clip named for standing.
#include <string.h>

#include <eigenrig/gait.h>

#include "base/arena.h"
#include "base/letters.h"

static bool is_named_for_standing(const char *name)
{
    static const char *const words[] = {"idle",   "stand", "t-pose", "tpose", "t_pose",
                                        "a-pose", "apose", "a_pose", "bind"};
    for (size_t i = 0; i < ERI_COUNT(words); ++i)
        if (eri_has_letters(name, words[i])) return true;
    return false;
}

static er_result look(er_context *context, const er_rig *rig, const er_gait_def *def, double *stance)
{
    er_gait_body *body;
    er_result r = er_gait_body_read(context, rig->model, rig, def, &body);
    if (r != ER_OK) return r;
    *stance = body->stance;
    er_gait_body_destroy(body);
    return ER_OK;
}

// Builds the rig in a pose and keeps it if it stands better than the best so far.
static er_result try_pose(er_context *context, const er_rig *rest, const er_rig_def *rig_def, const er_gait_def *def,
                          er_gait_stand *best)
{
    er_rig *rig = NULL;
    double stance = 0.0;
    er_rig_def one = *rig_def;
    one.like = rest;
    er_result r = er_rig_build(context, rest->scene, &one, &rig);
    if (r == ER_OK) r = look(context, rig, def, &stance);
    if (r == ER_OK && stance > best->stance + 1e-6) {
        er_rig_destroy(best->rig);
        *best = (er_gait_stand){rig, one.pose, one.pose == ER_POSE_CLIP ? one.pose_clip : NULL, stance, best->at_rest};
        rig = NULL;
    }
    er_rig_destroy(rig);
    return r == ER_ERROR_MEMORY ? r : ER_OK; // a pose that makes no rig is none to stand in
}

er_result er_gait_find_stand(er_context *context, const er_rig *rest, const er_rig_def *rig_def, const er_gait_def *def,
                             er_gait_stand *out)
{
    enum { MOST_CLIPS = 8 };
    const double good = 0.99;
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = (er_gait_stand){.pose = ER_POSE_REST};
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (rest == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_gait_find_stand needs a rig at rest");
    er_rig_def pose = rig_def != NULL ? *rig_def : er_default_rig_def();
    const er_scene *scene = rest->scene;
    if (rest->model->body_count > ER_GAIT_MAX_BODIES) return ER_OK;
    er_result r = look(context, rest, def, &out->at_rest);
    out->stance = out->at_rest;
    pose.pose = ER_POSE_BIND;
    if (r == ER_OK && rest->bind_turn + rest->bind_shift > 1e-5 && out->stance < good)
        r = try_pose(context, rest, &pose, def, out);
    pose.pose = ER_POSE_CLIP;
    pose.pose_time = 0.0;
    for (int i = 0, tried = 0; i < scene->clip_count && tried < MOST_CLIPS && r == ER_OK; ++i) {
        if (!is_named_for_standing(scene->clip[i].name) || out->stance >= good) continue;
        pose.pose_clip = scene->clip[i].name;
        r = try_pose(context, rest, &pose, def, out);
        ++tried;
    }
    if (r == ER_OK) return r;
    er_rig_destroy(out->rig);
    *out = (er_gait_stand){.pose = ER_POSE_REST};
    return r;
}
