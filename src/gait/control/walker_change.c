// A change of gait: another walker continues where one is.
#include "gait/control/walker.h"

#include <string.h>

#define OFF 0.3 // legs of error that a foot in the wrong state counts for

// Where the path is if the standing feet are at their neutral places of the present phase.
static er_vec3 path_by_feet(const er_walker *w)
{
    double sum = 0.0;
    er_vec3 off = er_v3(0, 0, 0);
    for (int i = 0; i < w->leg_count; ++i) {
        const eri_walk_leg *leg = &w->leg[i];
        double since = w->memory->walks ? eri_fraction(w->memory->phase - leg->touchdown) : 0.5 * leg->duty, place[2];
        double weight = w->memory_step[i].stands ? eri_walk_weight(leg, since) : 0.0;
        eri_walk_neutral(w, leg, since, place);
        er_vec3 at = er_v3_madd(er_v3_madd(leg->sole_at, -place[0], w->ahead), -place[1], w->aside);
        off = er_v3_madd(off, weight, er_v3_sub(at, w->centre));
        sum += weight;
    }
    return er_v3_madd(w->centre, sum > 0.0 ? 1.0 / sum : 0.0, off);
}

// How far a foot is from where the present phase has it, seen from the path: legs.
static double foot_misfit(const er_walker *w, int i, er_vec3 path)
{
    const eri_walk_leg *leg = &w->leg[i];
    double since = eri_fraction(w->memory->phase - leg->touchdown), at[2], next[2];
    bool due = since < leg->duty;
    double x = due ? 0.0 : eri_walk_swung((since - leg->duty) / (1.0 - leg->duty));
    eri_walk_neutral(w, leg, since, at);
    eri_walk_neutral(w, leg, since - 1.0, next); // the next foothold
    er_vec3 off = er_v3_sub(leg->sole_at, path);
    double sum = 0.0;
    sum += fabs(er_v3_dot(off, w->ahead) - (1.0 - x) * at[0] - x * next[0]);
    sum += fabs(er_v3_dot(off, w->aside) - (1.0 - x) * at[1] - x * next[1]);
    return sum / w->leg_length + (due == w->memory_step[i].stands ? 0.0 : OFF);
}

// How badly the present phase fits: legs.
static double misfit(const er_walker *w)
{
    eri_walk_plan plan = eri_walk_plan_at(w);
    er_vec3 path = path_by_feet(w), off = er_v3_madd(er_v3_sub(w->centre, path), plan.lead, w->velocity);
    double sum =
        fabs(er_v3_dot(off, w->ahead) - plan.divergent[0]) + fabs(er_v3_dot(off, w->aside) - plan.divergent[1]);
    sum /= w->leg_length;
    for (int i = 0; i < w->leg_count; ++i)
        sum += foot_misfit(w, i, path) / w->leg_count;
    return sum;
}

static double best_phase(er_walker *w, double *least)
{
    double best = 0.0;
    *least = HUGE_VAL;
    for (int k = 0; k < ERI_WALK_PHASES; ++k) {
        w->memory->phase = (double)k / ERI_WALK_PHASES;
        double now = misfit(w);
        if (now < *least) *least = now, best = w->memory->phase;
    }
    return best;
}

bool er_walker_take_over(er_walker *w, const er_walker *before, const er_world *world, double tolerance)
{
    double most = 3.0 * w->speed, off = 0.0;
    eri_walk_memory *m = w->memory;
    memcpy(m, before->memory, w->memory_size);
    m->wish.ahead = eri_clamp(m->wish.ahead, -most, most);
    m->wish.aside = eri_clamp(m->wish.aside, -most, most);
    m->now.ahead = eri_clamp(m->now.ahead, -most, most);
    m->now.aside = eri_clamp(m->now.aside, -most, most);
    eri_walk_make_plan(w, m->now.ahead, m->now.aside);
    er_walker_bind(w, before->def.first_body, before->coordinate, before->step);
    eri_walk_turn_axes(w);
    eri_walk_take_state(w, world);
    for (int i = 0; i < w->leg_count; ++i)
        w->leg[i].sole_at = eri_walk_sole(&w->leg[i], w->pose);
    if (!m->walks) return true;
    m->phase = best_phase(w, &off);
    m->path = m->line = path_by_feet(w);
    m->above += before->height - w->height;
    for (int i = 0; i < w->leg_count; ++i) {
        double since = eri_fraction(m->phase - w->leg[i].touchdown);
        er_vec3 heel = er_pose_point(w->pose[w->leg[i].body], w->leg[i].heel);
        if (!w->memory_step[i].stands && since > w->leg[i].duty)
            w->memory_step[i].left = eri_walk_left_at(w, &w->leg[i], since, heel);
    }
    return off <= tolerance;
}
