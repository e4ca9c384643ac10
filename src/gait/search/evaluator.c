// Evaluates mixes by their exact poses, and refines them.
#include <stdlib.h>

#include "gait/stride.h"

static const double least_angle = 0.02, most_angle = 0.75; // rad; a linear mode describes larger motions poorly

er_result eri_evaluator_create(er_arena *arena, eri_mix_sampler *w, const er_gait_weights *weights, eri_evaluator *out)
{
    er_result r = ER_OK;
    int feet = w->body->foot_count;
    *out = (eri_evaluator){.w = w, .weights = weights};
    ERI_TRY(eri_stride_ground_create(arena, feet, ERI_GAIT_FRAMES, &out->ground));
    ERI_TRY(eri_stride_ground_create(arena, feet, ERI_GAIT_FINE, &out->fine_ground));
    ERI_TRY(eri_paths_create(arena, feet, w->trunk_count, ERI_GAIT_FINE, &out->fine));
done:
    return r;
}

static void set_cost(const eri_evaluator *j, eri_candidate *candidate)
{
    candidate->cost = eri_stride_cost(j->w->body, j->weights, &candidate->stride);
    if (!(candidate->cost < HUGE_VAL)) return;
    candidate->family = eri_gait_family_of(j->w->body, &candidate->stride);
    if (j->aim == NULL) return;
    candidate->cost += eri_footfalls_apart(j->aim, candidate->family, &candidate->stride);
    if (j->aim->price != NULL) candidate->cost += j->aim->price(j->aim->user, &candidate->mix);
}

void eri_evaluator_evaluate(eri_evaluator *j, eri_gait_mix mix, eri_candidate *out)
{
    *out = (eri_candidate){.mix = mix};
    eri_gait_evaluate(j->w, &j->ground, &out->mix, &out->stride);
    set_cost(j, out);
}

void eri_evaluator_evaluate_finely(eri_evaluator *j, double period, eri_candidate *candidate)
{
    j->fine_ground.period = period;
    eri_gait_evaluate_finely(j->w, &j->fine, &j->fine_ground, &candidate->mix, &candidate->stride);
    set_cost(j, candidate);
}

static int by_cost(const void *a, const void *b)
{
    const eri_candidate *x = a, *y = b;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

void eri_candidates_sort(int count, eri_candidate *candidate)
{
    qsort(candidate, (size_t)count, sizeof *candidate, by_cost);
}

static bool within_bounds(const eri_gait_mix *mix)
{
    bool within = true;
    for (int v = 0; v < mix->count; ++v)
        within &= mix->component[v].angle > least_angle && mix->component[v].angle < most_angle;
    return within;
}

// Moves to a mix if its cost is lower.   @return whether it moved
static bool accept_if_better(eri_evaluator *j, bool finely, const eri_gait_mix *mix, eri_candidate *candidate,
                             int *posed)
{
    eri_candidate next = {.mix = *mix};
    if (!within_bounds(mix)) return false;
    if (finely)
        eri_evaluator_evaluate_finely(j, j->ground.period, &next);
    else
        eri_evaluator_evaluate(j, *mix, &next);
    ++*posed;
    if (!(next.cost < candidate->cost) || (!j->any_family && next.family != candidate->family)) return false;
    *candidate = next;
    return true;
}

// Repeats the step from `from` to `to` (a pattern move).
static eri_gait_mix extrapolate(const eri_gait_mix *from, const eri_gait_mix *to)
{
    eri_gait_mix mix = *to;
    for (int v = 0; v < mix.count; ++v) {
        mix.component[v].angle += to->component[v].angle - from->component[v].angle;
        mix.component[v].phase += remainder(to->component[v].phase - from->component[v].phase, 2.0 * ER_PI);
    }
    return mix;
}

// Hooke and Jeeves: try each amplitude and phase up and down; after success repeat the whole step, else shorten steps.
int eri_evaluator_refine(eri_evaluator *j, bool finely, eri_candidate *candidate)
{
    int posed = 0;
    for (double step = 1.0; step > 0.1 && posed < 250;) {
        eri_gait_mix before = candidate->mix;
        bool better = false;
        for (int k = 0; k < 2 * candidate->mix.count; ++k) {
            bool moved = false;
            for (int sign = -1; sign <= 1 && !moved; sign += 2) {
                eri_gait_mix mix = candidate->mix;
                if (k % 2 == 0)
                    mix.component[k / 2].angle += sign * step * 0.08;
                else
                    mix.component[k / 2].phase += sign * step * 0.4;
                moved = accept_if_better(j, finely, &mix, candidate, &posed);
            }
            better |= moved;
        }
        eri_gait_mix far = extrapolate(&before, &candidate->mix);
        if (!better)
            step *= 0.6;
        else
            accept_if_better(j, finely, &far, candidate, &posed);
    }
    return posed;
}
