// The best mix of a pair of modes, for bodies that travel without feet: a grid of amplitudes and phases, then descent.
#include "gait/stride.h"

eri_candidate eri_pair_search(void (*evaluate)(void *self, eri_gait_mix mix, eri_candidate *out), void *self, int a,
                              int b)
{
    static const double angles[] = {0.15, 0.3, 0.5}; // rad; the descent goes up to 0.3 farther
    eri_candidate best = {.cost = HUGE_VAL}, next;
    for (size_t i = 0; i < ERI_COUNT(angles); ++i)
        for (size_t k = 0; k < ERI_COUNT(angles); ++k)
            for (int p = 1; p < 8; p += 2) {
                evaluate(self, (eri_gait_mix){2, {{a, 1, angles[i], 0.0}, {b, 1, angles[k], 0.25 * ER_PI * p}}}, &next);
                if (next.cost < best.cost) best = next;
            }
    double step[2] = {0.1, 0.4}; // rad, of amplitudes and of the phase between
    for (int round = 0; round < 7 && best.cost < 4.0; ++round) {
        for (int what = 0; what < 3; ++what)
            for (int sign = -1; sign <= 1; sign += 2) {
                eri_gait_mix mix = best.mix;
                if (what == 2)
                    mix.component[1].phase += sign * step[1];
                else
                    mix.component[what].angle += sign * step[0];
                if (!(mix.component[0].angle > 0.02 && mix.component[1].angle > 0.02)) continue;
                evaluate(self, mix, &next);
                if (next.cost < best.cost) best = next;
            }
        step[0] *= 0.7;
        step[1] *= 0.7;
    }
    return best;
}
