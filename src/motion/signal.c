// The components' sines and envelopes, sixteen times at once.
#include "motion/signal.h"

double eri_signal_clock(const er_motion *motion, double time)
{
    double T = motion->duration;
    if (!motion->loops) return fmax(0.0, fmin(T, time));
    double t = fmod(time, T); // exact, however far off
    if (t < 0.0) t += T;
    return t < T ? t : 0.0; // the end is the start, to the bit
}

// sin 2 pi u: whole cycles taken off, the quarters folded into the first, then the series of sin.
ERI_LANES_INLINE eri_lanes sine_of_cycles(eri_lanes u)
{
    const double round = 6755399441055744.0; // 1.5 x 2^52: adding it leaves no room for fractions
    static const double series[] = {1.0,
                                    -1.0 / 6.0,
                                    1.0 / 120.0,
                                    -1.0 / 5040.0,
                                    1.0 / 362880.0,
                                    -1.0 / 39916800.0,
                                    1.0 / 6227020800.0,
                                    -1.0 / 1307674368000.0,
                                    1.0 / 355687428096000.0,
                                    -1.0 / 121645100408832000.0,
                                    1.0 / 51090942171709440000.0};
    const eri_lanes zero = {0}, quarter = zero + 0.25;
    u -= (u + round) - round;
    eri_lanes over = eri_lanes_magnitude(u), sign = eri_lanes_choose(eri_lanes_below(u, zero), zero - 1.0, zero + 1.0);
    eri_lanes folded = eri_lanes_choose(eri_lanes_below(quarter, over), 0.5 - over, over);
    eri_lanes x = 2.0 * ER_PI * folded, v = x * x, s = zero + series[10];
#pragma GCC unroll 16
    for (int n = 9; n >= 0; --n)
        s = series[n] + v * s;
    return sign * x * s;
}

ERI_LANES_DO(sines, (const er_motion *motion, double share, const eri_lanes time[2], eri_lanes *out),
             (motion, share, time, out))
{
    for (int v = 0; v < motion->component_count; ++v) {
        const er_motion_component *component = &motion->component[v];
        double factor = share * component->factor, cycles = component->phase / (2.0 * ER_PI);
        for (int h = 0; h < 2; ++h)
            out[2 * v + h] = factor * sine_of_cycles(component->hz * time[h] + cycles);
    }
}

// 0 to 1 in a raised cosine.
static double rise(double t, double length)
{
    return t < length ? 0.5 - 0.5 * cos(ER_PI * t / length) : 1.0;
}

static double envelope(const er_motion *motion, const er_motion_component *v, double t)
{
    return rise(t, v->attack) * rise(motion->duration - t, v->decay) * exp(-v->damping * 2.0 * ER_PI * v->hz * t);
}

void eri_signal_block(const er_motion *motion, double share, const eri_lanes time[2], eri_lanes *out)
{
    sines(motion, share, time, out);
    for (int v = 0; v < motion->component_count; ++v) {
        const er_motion_component *component = &motion->component[v];
        if (!(component->attack > 0.0 || component->decay > 0.0 || component->damping > 0.0)) continue;
        for (int i = 0; i < 2 * ERI_LANE_COUNT; ++i)
            out[2 * v + i / ERI_LANE_COUNT][i % ERI_LANE_COUNT] *=
                envelope(motion, component, time[i / ERI_LANE_COUNT][i % ERI_LANE_COUNT]);
    }
}
