/// @file
/// States inside the last step, by polynomials through its ends (docs/math/integrators.md).
#include <math.h>
#include <string.h>

#include "dynamics/ode_solver.h"

er_result eri_ode_cubic(eri_ode_solver *s)
{
    er_result r = ER_OK;
    double h = s->t - s->t0;
    ERI_TRY(eri_ode_rate_now(s));
    for (int i = 0; i < s->size; ++i) {
        double back = s->y0[i] - s->y[i], begin = h * s->f0[i], end = h * s->f[i];
        s->power[0][i] = -end;
        s->power[1][i] = 3.0 * back + 2.0 * end + begin;
        s->power[2][i] = -2.0 * back - end - begin;
        s->power[3][i] = 0.0;
    }
done:
    return r;
}

// y(b) and dy/db, by Horner's rule.
static void evaluate(const eri_ode_solver *s, double b, double *y, double *slope)
{
    for (int i = 0; i < s->size; ++i) {
        double p = 0.0, d = 0.0;
        for (int k = ERI_ODE_DEGREE - 1; k >= 0; --k) {
            d = d * b + (k + 1) * s->power[k][i];
            p = (p + s->power[k][i]) * b;
        }
        y[i] = s->y[i] + p;
        if (slope != NULL) slope[i] = d;
    }
}

// b^2 (1 - b)^2 is added so that the slope at `inside` becomes the rate there; its own slope is largest there.
er_result eri_ode_quartic(eri_ode_solver *s)
{
    er_result r = ER_OK;
    double h = s->t - s->t0, inside = (3.0 - sqrt(3.0)) / 6.0;
    double largest = 2.0 * inside * (1.0 - inside) * (1.0 - 2.0 * inside);
    double *slope = s->work[0], *rate = s->work[1];
    ERI_TRY(eri_ode_cubic(s));
    evaluate(s, inside, s->probe, slope);
    ERI_TRY(eri_ode_rate(s, s->t - inside * h, s->probe, rate));
    for (int i = 0; i < s->size; ++i) {
        double bulge = (-h * rate[i] - slope[i]) / largest;
        s->power[1][i] += bulge;
        s->power[2][i] -= 2.0 * bulge;
        s->power[3][i] += bulge;
    }
done:
    return r;
}

// Borrowed until the next call.
static er_result state_at(eri_ode_solver *s, double t, const double **y)
{
    er_result r = ER_OK;
    if (!(t >= s->t0 && t <= s->t))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "t = %.9g s is not in the last step, from %.9g s to %.9g s", t,
                       s->t0, s->t);
    *y = t == s->t ? s->y : t == s->t0 ? s->y0 : s->probe;
    if (*y != s->probe) return ER_OK;
    if (!s->has_powers) ERI_TRY(s->scheme->interpolate(s));
    s->has_powers = true;
    evaluate(s, (s->t - t) / (s->t - s->t0), s->probe, NULL);
    if (s->ode.normalise != NULL) s->ode.normalise(s->ode.user, s->probe);
done:
    return r;
}

er_result eri_ode_dense(eri_ode_solver *s, double t, double *q, double *u)
{
    er_result r = ER_OK;
    const double *y = NULL;
    ERI_TRY(state_at(s, t, &y));
    memcpy(q, y, sizeof(double) * (size_t)s->ode.position_count);
    memcpy(u, y + s->ode.position_count, sizeof(double) * (size_t)s->ode.velocity_count);
done:
    return r;
}
