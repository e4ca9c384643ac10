/// @file
/// Euler's methods that take u before q: semi-implicit, and linearly implicit with extrapolation
/// (docs/math/integrators.md). A substep of length h is
///   (M + h C + h^2 K) du = h (M a - h K u),   u+ = u + du,   q+ = q + h Q(q) u+,
/// and with H = n_j h in n_j = 1, 2, 3, 4 substeps its result has an expansion in powers of 1 / n_j, whatever C and K.
#include <string.h>

#include "dynamics/ode_solver.h"

enum { COLUMNS = 4, DIFFERENCES = 3 };

// Extrapolation to h = 0 from n_j = first .. COLUMNS substeps: the weight of the result of j, prod_m j / (j - m).
static double weight(int j, int first)
{
    double w = 1.0;
    for (int m = first; m <= COLUMNS; ++m)
        if (m != j) w *= (double)j / (j - m);
    return w;
}

// The vectors of a step.
typedef struct table {
    double *y;                       // the state of a sequence of substeps
    double *difference[DIFFERENCES]; // nabla^k y of its last ones, k = 1, 2, 3
    double *change;                  // du and dq, then nabla^k y
} table;

// One substep; `change` is y+ - y.
static er_result substep(eri_ode_solver *s, double t, double h, double *y, double *change)
{
    er_result r = ER_OK;
    int positions = s->ode.position_count;
    double *u = y + positions, *du = change + positions;
    ++s->statistics.evaluations;
    if (s->ode.implicit != NULL)
        ERI_TRY(s->ode.implicit(s->ode.user, t + h, y, u, h, du));
    else
        ERI_TRY(s->ode.accelerate(s->ode.user, t, y, u, du));
    for (int i = 0; i < s->ode.velocity_count; ++i) {
        if (s->ode.implicit == NULL) du[i] *= h;
        u[i] += du[i];
    }
    eri_ode_drift(s, y, u, change);
    for (int i = 0; i < positions; ++i) {
        change[i] *= h;
        y[i] += change[i];
    }
done:
    return r;
}

// Adds the result of j substeps to the extrapolated values: the state, its error, and the powers of the interpolant,
// (-1)^k / k! n_j^k nabla^k y.
static void accumulate(eri_ode_solver *s, const table *w, int j)
{
    double fourth = weight(j, 1), third = j >= 2 ? weight(j, 2) : 0.0;
    for (int i = 0; i < s->size; ++i) {
        s->trial[i] += fourth * (w->y[i] - s->y[i]);
        s->error[i] += (fourth - third) * (w->y[i] - s->y[i]);
    }
    double factor = 1.0;
    for (int k = 1; k <= DIFFERENCES && k <= j; ++k) {
        factor *= -(double)j / k;
        for (int i = 0; i < s->size; ++i)
            s->power[k - 1][i] += factor * weight(j, k) * w->difference[k - 1][i];
    }
}

static er_result sequence(eri_ode_solver *s, const table *w, int j, double step)
{
    er_result r = ER_OK;
    memcpy(w->y, s->y, sizeof(double) * (size_t)s->size);
    for (int n = 0; n < j; ++n) {
        ERI_TRY(substep(s, s->t + n * step / j, step / j, w->y, w->change));
        for (int k = 0; k < DIFFERENCES; ++k)
            for (int i = 0; i < s->size; ++i) {
                double lower = w->change[i];
                w->change[i] -= w->difference[k][i];
                w->difference[k][i] = lower;
            }
    }
    accumulate(s, w, j);
done:
    return r;
}

static er_result step_implicit(eri_ode_solver *s, double step)
{
    er_result r = ER_OK;
    size_t bytes = sizeof(double) * (size_t)s->size;
    table w = {s->work[0], {s->work[1], s->work[2], s->work[3]}, s->work[4]};
    memset(s->trial, 0, bytes);
    memset(s->error, 0, bytes);
    for (int k = 0; k < DIFFERENCES; ++k)
        memset(s->power[k], 0, bytes);
    for (int j = 1; j <= COLUMNS; ++j)
        ERI_TRY(sequence(s, &w, j, step));
    for (int i = 0; i < s->size; ++i)
        s->trial[i] += s->y[i];
done:
    return r;
}

// The last power makes it begin where the step did.
static er_result interpolate_implicit(eri_ode_solver *s)
{
    for (int i = 0; i < s->size; ++i)
        s->power[3][i] = s->y0[i] - s->y[i] - s->power[0][i] - s->power[1][i] - s->power[2][i];
    return ER_OK;
}

static er_result step_semi_implicit(eri_ode_solver *s, double h)
{
    er_result r = ER_OK;
    int positions = s->ode.position_count;
    ERI_TRY(eri_ode_rate_now(s));
    for (int i = positions; i < s->size; ++i)
        s->trial[i] = s->y[i] + h * s->f[i];
    eri_ode_drift(s, s->y, s->trial + positions, s->work[0]);
    for (int i = 0; i < positions; ++i)
        s->trial[i] = s->y[i] + h * s->work[0][i];
done:
    return r;
}

const eri_ode_scheme eri_ode_semi_implicit = {0, step_semi_implicit, eri_ode_cubic};
const eri_ode_scheme eri_ode_implicit = {COLUMNS, step_implicit, interpolate_implicit};
