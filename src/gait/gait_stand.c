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

// A body as it stands in one pose.
typedef struct stand_view {
    double stance;
    bool feet;
} stand_view;

static er_result look(er_context *context, const er_rig *rig, const er_gait_def *def, stand_view *view)
{
    er_gait_body *body;
    er_result r = er_gait_body_read(context, rig->model, rig, def, &body);
    if (r != ER_OK) return r;
    *view = (stand_view){body->stance, body->foot_count > 0};
    er_gait_body_destroy(body);
    return ER_OK;
}

// A pose with feet is better than one without, because a body without feet has little that could stand badly.
static bool stands_better(stand_view view, stand_view best)
{
    return view.feet != best.feet ? view.feet : view.stance > best.stance + 1e-6;
}

// Builds the rig in a pose and keeps it if it stands better than the best so far.
static er_result try_pose(er_context *context, const er_rig *rest, const er_rig_def *rig_def, const er_gait_def *def,
                          stand_view *seen, er_gait_stand *best)
{
    er_rig *rig = NULL;
    stand_view view = {0};
    er_rig_def one = *rig_def;
    one.like = rest;
    er_result r = er_rig_build(context, rest->scene, &one, &rig);
    if (r == ER_OK) r = look(context, rig, def, &view);
    if (r == ER_OK && stands_better(view, *seen)) {
        er_rig_destroy(best->rig);
        *best =
            (er_gait_stand){rig, one.pose, one.pose == ER_POSE_CLIP ? one.pose_clip : NULL, view.stance, best->at_rest};
        *seen = view;
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
    stand_view seen = {0};
    er_result r = look(context, rest, def, &seen);
    out->stance = out->at_rest = seen.stance;
    pose.pose = ER_POSE_BIND;
    if (r == ER_OK && rest->bind_turn + rest->bind_shift > 1e-5 && !(seen.feet && seen.stance >= good))
        r = try_pose(context, rest, &pose, def, &seen, out);
    pose.pose = ER_POSE_CLIP;
    pose.pose_time = 0.0;
    for (int i = 0, tried = 0; i < scene->clip_count && tried < MOST_CLIPS && r == ER_OK; ++i) {
        if (!is_named_for_standing(scene->clip[i].name) || (seen.feet && seen.stance >= good)) continue;
        pose.pose_clip = scene->clip[i].name;
        r = try_pose(context, rest, &pose, def, &seen, out);
        ++tried;
    }
    if (r == ER_OK) return r;
    er_rig_destroy(out->rig);
    *out = (er_gait_stand){.pose = ER_POSE_REST};
    return r;
}
