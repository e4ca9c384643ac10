/// @file
/// When an event function changes its sign in the last step: the ITP method (Oliveira & Takahashi 2021), which keeps
/// the root in a bracket, takes one call more than bisection at the worst, and fewer on smooth functions.
#include <float.h>
#include <math.h>

#include "dynamics/ode_solver.h"

typedef struct search {
    eri_ode_solver *s;
    eri_ode_event event;
    void *user;
    double sign;         // of the value before the event
    double a, b, fa, fb; // fa > 0 >= fb: values times sign
} search;

static er_result value_at(search *e, double t, double *value)
{
    er_result r = ER_OK;
    eri_ode_solver *s = e->s;
    const double *y = NULL;
    ERI_TRY(eri_ode_state_at(s, t, &y));
    *value = e->event(e->user, t, y, y + s->ode.position_count);
    if (isnan(*value))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the event function at t = %.9g s is not a number", t);
done:
    return r;
}

static er_result bracket(search *e)
{
    er_result r = ER_OK;
    ERI_TRY(value_at(e, e->a, &e->fa));
    ERI_TRY(value_at(e, e->b, &e->fb));
    e->sign = e->fa > 0.0 ? 1.0 : -1.0;
    e->fa *= e->sign;
    e->fb *= e->sign;
    if (!(e->fa > 0.0 && e->fb <= 0.0))
        return er_fail(e->s->context, ER_ERROR_ARGUMENT,
                       "no event from t = %.9g s to t = %.9g s: the function does not change its sign", e->a, e->b);
done:
    return r;
}

// Where to look next: regula falsi's point, truncated towards the middle, projected onto what bisection would leave.
// `radius` is how far from the middle it may lie.
static double itp_point(const search *e, double truncation, double radius)
{
    double middle = 0.5 * (e->a + e->b);
    double falsi = (e->fb * e->a - e->fa * e->b) / (e->fb - e->fa);
    double towards = middle < falsi ? -1.0 : 1.0;
    double point = truncation <= fabs(middle - falsi) ? falsi + towards * truncation : middle;
    return fabs(point - middle) <= radius ? point : middle - towards * radius;
}

// Narrows the bracket to `goal`; `slack` is what one call more than bisection's may leave, half as much after each.
static er_result narrow(search *e, double goal)
{
    er_result r = ER_OK;
    double width = e->b - e->a, slack = goal * exp2(ceil(log2(width / goal)));
    for (; e->b - e->a > goal; slack *= 0.5) {
        double now = e->b - e->a, t = itp_point(e, 0.2 / width * now * now, slack - 0.5 * now), value;
        if (!(t > e->a && t < e->b)) t = 0.5 * (e->a + e->b); // rounding put it on an end
        ERI_TRY(value_at(e, t, &value));
        if (e->sign * value > 0.0) {
            e->a = t;
            e->fa = e->sign * value;
        } else {
            e->b = t;
            e->fb = e->sign * value;
        }
    }
done:
    return r;
}

er_result eri_ode_find_event(eri_ode_solver *s, eri_ode_event event, void *user, double tolerance, double *before,
                             double *after)
{
    er_result r = ER_OK;
    search e = {.s = s, .event = event, .user = user, .a = s->t0, .b = s->t};
    if (!(tolerance > 0.0))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "a tolerance of %g s is not above 0", tolerance);
    ERI_TRY(bracket(&e));
    ERI_TRY(narrow(&e, fmax(tolerance, 4.0 * DBL_EPSILON * fmax(fabs(e.a), fabs(e.b)))));
    *before = e.a;
    *after = e.b;
done:
    return r;
}
