/// @file
/// Solvers of ordinary differential equations for callers of the library.
#include <math.h>

#include "dynamics/definition.h"
#include "dynamics/ode_solver.h"

er_ode_def er_default_ode_def(void)
{
    return (er_ode_def){.method = ER_ODE_FEHLBERG,
                        .step = 1e-3,
                        .max_step = HUGE_VAL,
                        .absolute = 1e-9,
                        .relative = 1e-9,
                        .tag = ER_DEF_TAG};
}

static er_result check(er_context *context, const er_ode_def *def)
{
    if (def == NULL || def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "def was not made by er_default_ode_def()");
    if (def->position_count < 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "position_count is %d: expected 0 or more", def->position_count);
    if (def->velocity_count < 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "velocity_count is %d: expected 1 or more", def->velocity_count);
    if (def->accelerate == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "accelerate is NULL");
    if (def->drift == NULL && def->position_count > 0 && def->position_count != def->velocity_count)
        return er_fail(context, ER_ERROR_ARGUMENT, "drift is NULL, but there are %d positions and %d velocities",
                       def->position_count, def->velocity_count);
    return ER_OK;
}

er_result er_ode_create(er_context *context, const er_ode_def *def, er_ode **out)
{
    *out = NULL;
    er_result r = check(context, def);
    if (r != ER_OK) return r;
    const eri_ode ode = {.user = def->user,
                         .position_count = def->position_count,
                         .velocity_count = def->velocity_count,
                         .drift = def->drift,
                         .accelerate = def->accelerate,
                         .implicit = def->implicit,
                         .restore = def->restore,
                         .normalise = def->normalise,
                         .scale = def->scale};
    const eri_ode_options options = {.method = def->method,
                                     .step = def->step,
                                     .min_step = def->min_step,
                                     .max_step = def->max_step,
                                     .absolute = def->absolute,
                                     .relative = def->relative};
    return eri_ode_create(context, &ode, &options, out);
}

void er_ode_destroy(er_ode *ode)
{
    eri_ode_destroy(ode);
}

er_result er_ode_start(er_ode *ode, double t, const double *q, const double *u, double step)
{
    if (u == NULL || (q == NULL && ode->ode.position_count > 0))
        return er_fail(ode->context, ER_ERROR_ARGUMENT, "%s is NULL", u == NULL ? "u" : "q");
    return eri_ode_start(ode, t, q != NULL ? q : u, u, step);
}

er_result er_ode_step(er_ode *ode, double limit)
{
    return eri_ode_step(ode, limit);
}

er_result er_ode_advance(er_ode *ode, double until)
{
    return eri_ode_advance(ode, until);
}

double er_ode_time(const er_ode *ode)
{
    return eri_ode_time(ode);
}

const double *er_ode_positions(const er_ode *ode)
{
    return eri_ode_positions(ode);
}

const double *er_ode_velocities(const er_ode *ode)
{
    return eri_ode_velocities(ode);
}

double er_ode_next_step(const er_ode *ode)
{
    return eri_ode_next_step(ode);
}

er_ode_statistics er_ode_count(const er_ode *ode)
{
    return eri_ode_statistics_of(ode);
}

er_result er_ode_interpolate(er_ode *ode, double t, double *q, double *u)
{
    double none;
    return eri_ode_dense(ode, t, q != NULL ? q : &none, u);
}
