// Over a step the force is f0 + g t, which the motion (f0 + g t) / w^2 - 2 zeta g / w^3 follows; the rest is free and
// decays: with e = exp(-zeta w h), c = e cos(v h), s = e sin(v h) / v, v^2 = w^2 (1 - zeta^2),
//   q = (c + zeta w s) q0 + s q0',  q' = -w^2 s q0 + (c - zeta w s) q0'.
#include "motion/modal_response.h"

#include <math.h>

eri_oscillator eri_oscillator_of(double w, double zeta, double step)
{
    eri_oscillator o = {.w = w, .zeta = zeta, .step = step};
    double h = step, v2 = w * w * (1.0 - zeta * zeta), v = sqrt(fabs(v2));
    if (v * h < 1e-4) { // near critical damping, where both are series in v^2
        o.c = exp(-zeta * w * h) * (1.0 - 0.5 * v2 * h * h);
        o.s = exp(-zeta * w * h) * h * (1.0 - v2 * h * h / 6.0);
    } else if (v2 > 0.0) {
        o.c = exp(-zeta * w * h) * cos(v * h);
        o.s = exp(-zeta * w * h) * sin(v * h) / v;
    } else { // both roots by themselves: exp(-zeta w h) cosh(v h) would overflow
        double slow = exp(-w * w / (zeta * w + v) * h), fast = exp(-(zeta * w + v) * h);
        o.c = 0.5 * (slow + fast);
        o.s = 0.5 * (slow - fast) / v;
    }
    o.d = zeta * w * o.s;
    return o;
}

void eri_oscillator_step(const eri_oscillator *o, const double force[2], const double from[2], double to[2])
{
    double w2 = o->w * o->w, slope = (force[1] - force[0]) / (o->step * w2), lag = 2.0 * o->zeta * slope / o->w;
    double q = from[0] - (force[0] / w2 - lag), rate = from[1] - slope;
    to[0] = (o->c + o->d) * q + o->s * rate + force[1] / w2 - lag;
    to[1] = -w2 * o->s * q + (o->c - o->d) * rate + slope;
}

void eri_oscillator_run(const eri_oscillator *o, int count, const double *force, const double state[2], double *q,
                        double *rate, double *accel)
{
    double now[2] = {state[0], state[1]};
    for (int k = 0; k < count; ++k) {
        q[k] = now[0];
        rate[k] = now[1];
        accel[k] = force[k] - 2.0 * o->zeta * o->w * now[1] - o->w * o->w * now[0];
        if (k + 1 < count) eri_oscillator_step(o, force + k, (double[2]){now[0], now[1]}, now);
    }
}

// After n steps a free motion is that of n h; the forced part is what rest becomes. So state = A state + forced.
void eri_oscillator_repeat(const eri_oscillator *o, int count, const double *force, double state[2])
{
    double forced[2] = {0.0, 0.0};
    for (int k = 0; k + 1 < count; ++k)
        eri_oscillator_step(o, force + k, (double[2]){forced[0], forced[1]}, forced);
    const eri_oscillator all = eri_oscillator_of(o->w, o->zeta, (count - 1) * o->step);
    double a = 1.0 - (all.c + all.d), b = -all.s, c = o->w * o->w * all.s, d = 1.0 - (all.c - all.d);
    double det = a * d - b * c;
    state[0] = (d * forced[0] - b * forced[1]) / det;
    state[1] = (a * forced[1] - c * forced[0]) / det;
}
