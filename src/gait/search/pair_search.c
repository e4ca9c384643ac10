// The best mix of a pair of modes: a grid of amplitudes and phases, then downhill. For what goes without feet.
#include "gait/stride.h"

eri_candidate eri_pair_search(void (*judge)(void *self, eri_gait_try mix, eri_candidate *out), void *self, int a, int b)
{
    static const double angles[] = {0.15, 0.3, 0.5}; // rad; steps lead 0.3 farther
    eri_candidate best = {.badness = HUGE_VAL}, next;
    for (size_t i = 0; i < ERI_COUNT(angles); ++i)
        for (size_t k = 0; k < ERI_COUNT(angles); ++k)
            for (int p = 1; p < 8; p += 2) {
                judge(self, (eri_gait_try){2, {{a, 1, angles[i], 0.0}, {b, 1, angles[k], 0.25 * ER_PI * p}}}, &next);
                if (next.badness < best.badness) best = next;
            }
    double step[2] = {0.1, 0.4}; // rad, of amplitudes and of the phase between
    for (int round = 0; round < 7 && best.badness < 4.0; ++round) {
        for (int what = 0; what < 3; ++what)
            for (int sign = -1; sign <= 1; sign += 2) {
                eri_gait_try mix = best.mix;
                if (what == 2)
                    mix.part[1].phase += sign * step[1];
                else
                    mix.part[what].angle += sign * step[0];
                if (!(mix.part[0].angle > 0.02 && mix.part[1].angle > 0.02)) continue;
                judge(self, mix, &next);
                if (next.badness < best.badness) best = next;
            }
        step[0] *= 0.7;
        step[1] *= 0.7;
    }
    return best;
}
