/// @file
/// Rates of a system's states.
#include <math.h>
#include <string.h>

#include "dynamics/ode_solver.h"

bool eri_ode_all_finite(const double *x, int count)
{
    for (int i = 0; i < count; ++i)
        if (!isfinite(x[i])) return false;
    return true;
}

void eri_ode_drift(const eri_ode_solver *s, const double *q, const double *u, double *dq)
{
    if (s->ode.drift != NULL)
        s->ode.drift(s->ode.user, q, u, dq);
    else
        memcpy(dq, u, sizeof(double) * (size_t)s->ode.position_count);
}

er_result eri_ode_rate(eri_ode_solver *s, double t, const double *y, double *f)
{
    const double *u = y + s->ode.position_count;
    ++s->statistics.evaluations;
    eri_ode_drift(s, y, u, f);
    return s->ode.accelerate(s->ode.user, t, y, u, f + s->ode.position_count);
}

er_result eri_ode_rate_now(eri_ode_solver *s)
{
    er_result r = ER_OK;
    if (s->has_rate) return ER_OK;
    ERI_TRY(eri_ode_rate(s, s->t, s->y, s->f));
    if (!eri_ode_all_finite(s->f, s->size))
        return er_fail(s->context, ER_ERROR_NO_CONVERGENCE, "the rates of the motion at t = %.9g s are not finite",
                       s->t);
    s->has_rate = true;
done:
    return r;
}
