// The bodies that presets in time turn.
#include "gait/act.h"
#include "gait/stride/reach.h"

static double mass_below(const er_model *model, int top)
{
    double sum = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        if (eri_hangs_on(model, top, b)) sum += model->body[b].mass;
    return sum;
}

int eri_act_head(const eri_gesture_search *s)
{
    const er_model *model = s->model;
    int best = -1, deepest = 0;
    double all = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        all += s->part[b] == PART_HEAD ? model->body[b].mass : 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        int depth = 0;
        if (s->part[b] != PART_HEAD || mass_below(model, b) < 0.4 * all) continue;
        for (int up = b; up >= 0 && s->part[up] == PART_HEAD; up = model->tree_parent[up])
            ++depth;
        if (depth <= deepest) continue;
        best = b;
        deepest = depth;
    }
    return best;
}

int eri_act_chest(const eri_gesture_search *s)
{
    int b = eri_act_head(s);
    while (b >= 0 && s->part[b] == PART_HEAD)
        b = s->model->tree_parent[b];
    return b;
}

int eri_act_hips(const eri_gesture_search *s)
{
    return s->body->foot_count > 0 ? s->body->foot[s->body->foot_count - 1].trunk : 0;
}

er_vec3 eri_act_centre(const er_model *model, const er_pose *pose)
{
    er_vec3 sum = {0, 0, 0};
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        sum = er_v3_madd(sum, model->body[b].mass, er_pose_point(pose[b], model->body[b].com));
        mass += model->body[b].mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}
