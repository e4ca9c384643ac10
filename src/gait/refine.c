// Mixes by their exact poses: as they are, refined, and closely.
#include <stdlib.h>

#include "gait/stride.h"

static const double least_angle = 0.02, most_angle = 0.75; // rad: beyond, modes say little of how a body moves

void er_gait_measure(er_walker *w, er_ground *g, const er_gait_weights *weights, er_gait_try mix, er_found *out)
{
    *out = (er_found){.mix = mix};
    er_gait_judge(w, g, &out->mix, &out->stride);
    out->badness = er_stride_badness(w->body, weights, &out->stride);
    if (out->badness < HUGE_VAL) out->family = er_footfall_family(w->body, &out->stride);
}

int er_gait_refine(er_walker *w, er_ground *g, const er_gait_weights *weights, er_found *best)
{
    double step[2] = {0.08, 0.4}; // rad, of amplitudes and of phases
    int posed = 0;
    for (int round = 0; round < 8; ++round) {
        for (int k = 0; k < 4 * best->mix.count; ++k) {
            er_gait_try mix = best->mix;
            bool amplitude = k % 4 < 2;
            double *x = amplitude ? &mix.part[k / 4].angle : &mix.part[k / 4].phase;
            *x += (k % 2 == 0 ? -1.0 : 1.0) * step[amplitude ? 0 : 1];
            if (amplitude && !(*x > least_angle && *x < most_angle)) continue;
            er_found next;
            er_gait_measure(w, g, weights, mix, &next);
            if (next.badness < best->badness && next.family == best->family) *best = next;
            ++posed;
        }
        step[0] *= 0.7;
        step[1] *= 0.7;
    }
    return posed;
}

static int by_badness(const void *a, const void *b)
{
    double x = ((const er_found *)a)->badness, y = ((const er_found *)b)->badness;
    return (x > y) - (x < y);
}

er_result er_gait_look_closely(er_arena *arena, er_walker *w, const er_gait_def *def, double period, er_found *found,
                               int count)
{
    er_result r = ER_OK;
    er_paths fine;
    er_ground ground;
    ER_TRY(er_paths_create(arena, w->body->foot_count, w->trunk_count, ER_GAIT_FINE, &fine));
    ER_TRY(er_ground_create(arena, w->body->foot_count, ER_GAIT_FINE, &ground));
    for (int i = 0; i < count; ++i) {
        ground.period = period;
        er_gait_judge_finely(w, &fine, &ground, &found[i].mix, &found[i].stride);
        found[i].badness = er_stride_badness(w->body, &def->weights, &found[i].stride);
        if (found[i].badness < HUGE_VAL) found[i].family = er_footfall_family(w->body, &found[i].stride);
    }
    qsort(found, (size_t)count, sizeof *found, by_badness);
done:
    return r;
}
