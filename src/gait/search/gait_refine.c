// Mixes by their exact poses: as they are, closely, and refined.
#include "gait/stride.h"

static const double least_angle = 0.02, most_angle = 0.75; // rad: beyond, modes say little of how a body moves

er_result eri_judge_create(er_arena *arena, eri_walker *w, const er_gait_weights *weights, eri_judge *out)
{
    er_result r = ER_OK;
    int feet = w->body->foot_count;
    *out = (eri_judge){.w = w, .weights = weights};
    ERI_TRY(eri_stride_ground_create(arena, feet, ERI_GAIT_FRAMES, &out->ground));
    ERI_TRY(eri_stride_ground_create(arena, feet, ERI_GAIT_FINE, &out->fine_ground));
    ERI_TRY(eri_paths_create(arena, feet, w->trunk_count, ERI_GAIT_FINE, &out->fine));
done:
    return r;
}

static void value(const eri_judge *j, eri_candidate *found)
{
    found->badness = eri_stride_badness(j->w->body, j->weights, &found->stride);
    if (found->badness < HUGE_VAL) found->family = eri_footfall_family(j->w->body, &found->stride);
}

void eri_judge_mix(eri_judge *j, eri_gait_try mix, eri_candidate *out)
{
    *out = (eri_candidate){.mix = mix};
    eri_gait_judge(j->w, &j->ground, &out->mix, &out->stride);
    value(j, out);
}

void eri_judge_closely(eri_judge *j, double period, eri_candidate *found)
{
    j->fine_ground.period = period;
    eri_gait_judge_finely(j->w, &j->fine, &j->fine_ground, &found->mix, &found->stride);
    value(j, found);
}

static bool within_reach(const eri_gait_try *mix)
{
    bool within = true;
    for (int v = 0; v < mix->count; ++v)
        within &= mix->part[v].angle > least_angle && mix->part[v].angle < most_angle;
    return within;
}

// Goes to a mix if it is better.   @return whether it is.
static bool go(eri_judge *j, bool closely, const eri_gait_try *mix, eri_candidate *found, int *posed)
{
    eri_candidate next = {.mix = *mix};
    if (!within_reach(mix)) return false;
    if (closely)
        eri_judge_closely(j, 0.0, &next);
    else
        eri_judge_mix(j, *mix, &next);
    ++*posed;
    if (!(next.badness < found->badness) || (!j->roams && next.family != found->family)) return false;
    *found = next;
    return true;
}

// The step from `from` to `to` again.
static eri_gait_try onward(const eri_gait_try *from, const eri_gait_try *to)
{
    eri_gait_try mix = *to;
    for (int v = 0; v < mix.count; ++v) {
        mix.part[v].angle += to->part[v].angle - from->part[v].angle;
        mix.part[v].phase += remainder(to->part[v].phase - from->part[v].phase, 2.0 * ER_PI);
    }
    return mix;
}

// Hooke and Jeeves: a step along each number, up or down; where that helped, the same way again, else shorter steps.
int eri_judge_refine(eri_judge *j, bool closely, eri_candidate *found)
{
    int posed = 0;
    for (double step = 1.0; step > 0.1 && posed < 250;) {
        eri_gait_try before = found->mix;
        bool better = false;
        for (int k = 0; k < 2 * found->mix.count; ++k) {
            bool moved = false;
            for (int sign = -1; sign <= 1 && !moved; sign += 2) {
                eri_gait_try mix = found->mix;
                if (k % 2 == 0)
                    mix.part[k / 2].angle += sign * step * 0.08;
                else
                    mix.part[k / 2].phase += sign * step * 0.4;
                moved = go(j, closely, &mix, found, &posed);
            }
            better |= moved;
        }
        eri_gait_try far = onward(&before, &found->mix);
        if (!better)
            step *= 0.6;
        else
            go(j, closely, &far, found, &posed);
    }
    return posed;
}
