// Mixes by their exact poses: as they are, closely, and refined.
#include "gait/stride.h"

static const double least_angle = 0.02, most_angle = 0.75; // rad: beyond, modes say little of how a body moves

er_result er_judge_create(er_arena *arena, er_walker *w, const er_gait_weights *weights, er_judge *out)
{
    er_result r = ER_OK;
    int feet = w->body->foot_count;
    *out = (er_judge){.w = w, .weights = weights};
    ER_TRY(er_ground_create(arena, feet, ER_GAIT_FRAMES, &out->ground));
    ER_TRY(er_ground_create(arena, feet, ER_GAIT_FINE, &out->fine_ground));
    ER_TRY(er_paths_create(arena, feet, w->trunk_count, ER_GAIT_FINE, &out->fine));
done:
    return r;
}

static void value(const er_judge *j, er_found *found)
{
    found->badness = er_stride_badness(j->w->body, j->weights, &found->stride);
    if (found->badness < HUGE_VAL) found->family = er_footfall_family(j->w->body, &found->stride);
}

void er_judge_mix(er_judge *j, er_gait_try mix, er_found *out)
{
    *out = (er_found){.mix = mix};
    er_gait_judge(j->w, &j->ground, &out->mix, &out->stride);
    value(j, out);
}

void er_judge_closely(er_judge *j, double period, er_found *found)
{
    j->fine_ground.period = period;
    er_gait_judge_finely(j->w, &j->fine, &j->fine_ground, &found->mix, &found->stride);
    value(j, found);
}

int er_judge_refine(er_judge *j, bool closely, er_found *found)
{
    double step[2] = {closely ? 0.03 : 0.08, closely ? 0.15 : 0.4}; // rad, of amplitudes and of phases
    int posed = 0;
    for (int round = closely ? 4 : 0; round < 8; ++round) {
        for (int k = 0; k < 4 * found->mix.count; ++k) {
            er_found next = *found;
            bool amplitude = k % 4 < 2;
            double *x = amplitude ? &next.mix.part[k / 4].angle : &next.mix.part[k / 4].phase;
            *x += (k % 2 == 0 ? -1.0 : 1.0) * step[amplitude ? 0 : 1];
            if (amplitude && !(*x > least_angle && *x < most_angle)) continue;
            if (closely)
                er_judge_closely(j, 0.0, &next);
            else
                er_judge_mix(j, next.mix, &next);
            if (next.badness < found->badness && next.family == found->family) *found = next;
            ++posed;
        }
        step[0] *= 0.7;
        step[1] *= 0.7;
    }
    return posed;
}
