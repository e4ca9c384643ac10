/// @file
/// The driver of all integrators: a solver's state, steps held to a tolerance, landings.
#include <float.h>
#include <math.h>
#include <string.h>

#include "dynamics/ode_solver.h"

static const double safety = 0.9, least_factor = 0.2, most_factor = 5.0; // of the next step to the last (Hairer II.4)
static const double near = 1e-9;                                         // of a step: a landing stretches it so far

static const eri_ode_scheme *const schemes[] = {
    [ER_ODE_EULER] = &eri_ode_euler,       [ER_ODE_SEMI_IMPLICIT_EULER] = &eri_ode_semi_implicit,
    [ER_ODE_HEUN] = &eri_ode_heun,         [ER_ODE_RK4] = &eri_ode_rk4,
    [ER_ODE_FEHLBERG] = &eri_ode_fehlberg, [ER_ODE_IMPLICIT] = &eri_ode_implicit,
};

static bool is_adaptive(const eri_ode_solver *s)
{
    return s->scheme->error_order > 0;
}

// ---- Making and ending

static er_result check_options(er_context *context, const eri_ode_options *o)
{
    if ((int)o->method < 0 || (int)o->method >= (int)ERI_COUNT(schemes))
        return er_fail(context, ER_ERROR_ARGUMENT, "there is no integration method %d", (int)o->method);
    if (schemes[o->method]->error_order == 0) {
        if (!(o->step > 0.0 && isfinite(o->step)))
            return er_fail(context, ER_ERROR_ARGUMENT, "a step of %g s is not above 0 and finite", o->step);
        return ER_OK;
    }
    if (!(o->min_step >= 0.0 && o->min_step <= o->max_step && o->max_step > 0.0 && isfinite(o->min_step)))
        return er_fail(context, ER_ERROR_ARGUMENT, "steps from %g s to %g s are no range of steps", o->min_step,
                       o->max_step);
    if (!(o->absolute > 0.0 && isfinite(o->absolute)))
        return er_fail(context, ER_ERROR_ARGUMENT, "an absolute tolerance of %g is not above 0 and finite",
                       o->absolute);
    if (!(o->relative >= 0.0 && isfinite(o->relative)))
        return er_fail(context, ER_ERROR_ARGUMENT, "a relative tolerance of %g is below 0 or not finite", o->relative);
    return ER_OK;
}

static er_result copy_scale(eri_ode_solver *s)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->scale, s->arena, double, s->size);
    for (int i = 0; i < s->size; ++i) {
        s->scale[i] = s->ode.scale != NULL ? s->ode.scale[i] : 1.0;
        if (!(s->scale[i] > 0.0 && isfinite(s->scale[i])))
            return er_fail(s->context, ER_ERROR_ARGUMENT, "scale[%d] = %g is not above 0 and finite", i, s->scale[i]);
    }
    s->ode.scale = s->scale;
done:
    return r;
}

static er_result make_vectors(eri_ode_solver *s)
{
    er_result r = ER_OK;
    double **vectors[] = {&s->y0, &s->y, &s->f0, &s->f, &s->trial, &s->error, &s->probe};
    for (size_t i = 0; i < ERI_COUNT(vectors); ++i)
        ERI_TRY_NEW(*vectors[i], s->arena, double, s->size);
    for (int i = 0; i < ERI_ODE_WORK; ++i)
        ERI_TRY_NEW(s->work[i], s->arena, double, s->size);
    for (int i = 0; i < ERI_ODE_DEGREE; ++i)
        ERI_TRY_NEW(s->power[i], s->arena, double, s->size);
done:
    return r;
}

er_result eri_ode_create(er_context *context, const eri_ode *ode, const eri_ode_options *options, eri_ode_solver **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_ode_solver *s = NULL;
    *out = NULL;
    ERI_TRY(check_options(context, options));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(s, arena, eri_ode_solver, 1);
    s->context = context;
    s->arena = arena;
    s->ode = *ode;
    s->options = *options;
    s->scheme = schemes[options->method];
    s->size = ode->position_count + ode->velocity_count;
    ERI_TRY(copy_scale(s));
    ERI_TRY(make_vectors(s));
    *out = s;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void eri_ode_destroy(eri_ode_solver *solver)
{
    if (solver != NULL) eri_arena_destroy(solver->arena);
}

void eri_ode_set_scale(eri_ode_solver *s, const double *scale)
{
    memcpy(s->scale, scale, (size_t)s->size * sizeof *scale);
}

// ---- The state

er_result eri_ode_start(eri_ode_solver *s, double t, const double *q, const double *u, double step)
{
    if (!isfinite(t) || !eri_ode_all_finite(q, s->ode.position_count) || !eri_ode_all_finite(u, s->ode.velocity_count))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the state to start from at t = %g s is not finite", t);
    if (!(step >= 0.0 && isfinite(step)))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "a first step of %g s is below 0 or not finite", step);
    memmove(s->y, q, sizeof(double) * (size_t)s->ode.position_count);
    memmove(s->y + s->ode.position_count, u, sizeof(double) * (size_t)s->ode.velocity_count);
    s->t = s->t0 = t;
    s->has_state = true;
    s->has_rate = s->has_powers = false;
    s->next = is_adaptive(s) ? fmin(step, s->options.max_step) : s->options.step;
    return ER_OK;
}

double eri_ode_time(const eri_ode_solver *solver)
{
    return solver->t;
}

double eri_ode_last_time(const eri_ode_solver *solver)
{
    return solver->t0;
}

const double *eri_ode_positions(const eri_ode_solver *solver)
{
    return solver->y;
}

const double *eri_ode_velocities(const eri_ode_solver *solver)
{
    return solver->y + solver->ode.position_count;
}

double eri_ode_next_step(const eri_ode_solver *solver)
{
    return solver->next;
}

er_ode_statistics eri_ode_statistics_of(const eri_ode_solver *solver)
{
    return solver->statistics;
}

// ---- Steps held to a tolerance

// The largest entry of x in units of what is allowed there, infinite where one is not finite.
static double norm(const eri_ode_solver *s, const double *x, const double *y)
{
    double largest = 0.0;
    for (int i = 0; i < s->size; ++i) {
        double part = fabs(x[i]) / (s->options.absolute * s->ode.scale[i] + s->options.relative * fabs(y[i]));
        if (!(part <= HUGE_VAL) || !isfinite(y[i])) return HUGE_VAL;
        largest = fmax(largest, part);
    }
    return largest;
}

// A first step by the sizes of y, y' and y'' (Hairer, Norsett & Wanner I, II.4); y'' by a small step of Euler's.
static er_result find_first_step(eri_ode_solver *s)
{
    er_result r = ER_OK;
    double *rate = s->work[0];
    ERI_TRY(eri_ode_rate_now(s));
    double position = norm(s, s->y, s->y), speed = norm(s, s->f, s->y);
    double small = position > 1e-5 && speed > 1e-5 ? 0.01 * position / speed : 1e-6;
    for (int i = 0; i < s->size; ++i)
        s->trial[i] = s->y[i] + small * s->f[i];
    ERI_TRY(eri_ode_rate(s, s->t + small, s->trial, rate));
    for (int i = 0; i < s->size; ++i)
        rate[i] = (rate[i] - s->f[i]) / small;
    double largest = fmax(speed, norm(s, rate, s->y));
    double step = largest > 1e-15 ? pow(0.01 / largest, 1.0 / s->scheme->error_order) : 100.0 * small;
    s->next = fmin(fmin(100.0 * small, fmax(step, small)), s->options.max_step);
done:
    return r;
}

// The step to try on the way to `limit`, of `next` or near it; whether it ends there.
static double fit(const eri_ode_solver *s, double limit, bool *lands)
{
    double way = limit - s->t, parts = ceil(way / s->next * (1.0 - near));
    *lands = parts <= 1.0;
    if (*lands) return way;
    return !is_adaptive(s) || parts == 2.0 ? way / parts : s->next;
}

static er_result restore(eri_ode_solver *s, double t)
{
    return s->ode.restore != NULL ? s->ode.restore(s->ode.user, t, s->trial, s->trial + s->ode.position_count) : ER_OK;
}

// The state that was tried becomes the state.
static void accept(eri_ode_solver *s, double t)
{
    double *y0 = s->y0, *f0 = s->f0, step = t - s->t;
    s->y0 = s->y;
    s->y = s->trial;
    s->trial = y0;
    s->f0 = s->f;
    s->f = f0;
    s->has_rate = s->has_powers = false;
    s->t0 = s->t;
    s->t = t;
    er_ode_statistics *n = &s->statistics;
    n->shortest = n->steps == 0 ? step : fmin(n->shortest, step);
    n->longest = fmax(n->longest, step);
    ++n->steps;
}

// The factor from one step to the next, if its error was `error` of what is allowed.
static double growth(const eri_ode_solver *s, double error)
{
    double factor = error > 0.0 ? safety * pow(error, -1.0 / s->scheme->error_order) : most_factor;
    return fmin(fmax(factor, least_factor), most_factor);
}

static long changes(const eri_ode_solver *s)
{
    return s->ode.changes != NULL ? *s->ode.changes : 0;
}

// A step of h to t, and how it errs in units of what is allowed: without bounds where the system fails.
// @param is_shortest  it may be taken whatever its error
static er_result try_step(eri_ode_solver *s, double h, double t, bool is_shortest, double *error)
{
    er_result r = ER_OK;
    ERI_TRY(s->scheme->step(s, h));
    *error = norm(s, s->error, s->trial);
    if (*error <= 1.0 || (is_shortest && *error < HUGE_VAL)) ERI_TRY(restore(s, t));
done:
    if (r != ER_OK) *error = HUGE_VAL;
    return r;
}

static er_result fail_step(const eri_ode_solver *s, er_result r, double h, double error)
{
    if (r != ER_OK) return r; // the system said why
    if (error < HUGE_VAL)
        return er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                       "at t = %.9g s a step of %.3g s errs by %.3g times the tolerance and may not be shorter: allow "
                       "larger errors%s",
                       s->t, h, error, h <= s->options.min_step ? " or shorter steps" : "");
    return er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                   "at t = %.9g s a step of %.3g s leaves the range of numbers and may not be shorter", s->t, h);
}

// The shortest step, except to land on a time: the bound, or the rounding of t.
static double floor_of(const eri_ode_solver *s)
{
    return fmax(fmax(s->options.min_step, 10.0 * DBL_EPSILON * fabs(s->t)), DBL_MIN);
}

// The step after one of h, which erred by `error`, was tried instead of `proposed`, and may have followed others.
static double next_step(const eri_ode_solver *s, double h, double error, double proposed, bool rejected)
{
    double next = h * growth(s, error);
    if (rejected)
        next = fmin(next, h); // what was too long is not tried again at once
    else if (h < proposed)
        next = fmax(next, proposed); // a landing cut it short
    return fmin(next, s->options.max_step);
}

static er_result take_controlled(eri_ode_solver *s, double limit)
{
    er_result r = ER_OK;
    double least = floor_of(s), error;
    if (!(s->next > 0.0)) ERI_TRY(find_first_step(s));
    for (bool rejected = false;; rejected = true) {
        bool lands;
        s->next = fmax(s->next, least);
        double h = fit(s, limit, &lands), t = lands ? limit : s->t + h;
        long before = changes(s);
        r = try_step(s, h, t, h <= least, &error);
        if (r != ER_OK && r != ER_ERROR_NO_CONVERGENCE) return r;
        if (error <= 1.0 || (error < HUGE_VAL && h <= least && changes(s) != before)) {
            accept(s, t);
            s->next = next_step(s, h, error, s->next, rejected);
            return ER_OK;
        }
        ++s->statistics.rejected;
        if (h <= least) return fail_step(s, r, h, error);
        s->next = h * growth(s, error);
    }
done:
    return r;
}

static er_result take_fixed(eri_ode_solver *s, double limit)
{
    er_result r = ER_OK;
    bool lands;
    double h = fit(s, limit, &lands), t = lands ? limit : s->t + h;
    ERI_TRY(s->scheme->step(s, h));
    if (!(t > s->t) || !eri_ode_all_finite(s->trial, s->size)) return fail_step(s, ER_OK, h, HUGE_VAL);
    ERI_TRY(restore(s, t));
    accept(s, t);
done:
    return r;
}

er_result eri_ode_step(eri_ode_solver *s, double limit)
{
    if (!s->has_state) return er_fail(s->context, ER_ERROR_ARGUMENT, "the solver has no state to start from");
    if (!(limit > s->t && isfinite(limit)))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "t = %.9g s is not later than now, t = %.9g s", limit, s->t);
    er_result r = is_adaptive(s) ? take_controlled(s, limit) : take_fixed(s, limit);
    if (r != ER_OK) s->t0 = s->t;
    return r;
}

er_result eri_ode_advance(eri_ode_solver *s, double to)
{
    er_result r = ER_OK;
    if (to == s->t && s->has_state) return ER_OK;
    do
        ERI_TRY(eri_ode_step(s, to));
    while (s->t < to);
done:
    return r;
}
