// Integrators against motions in closed form: orders by halving steps, tolerances, states and events inside steps,
// bounds and errors, what springs that are stiff cost.
#include "support/context.h"
#include "support/judge.h"
#include "support/ledger.h"

#include <math.h>
#include <string.h>

#include "dynamics/ode.h"

enum { MOST = 8 }; // entries of a state

// A problem with a closed form.
typedef struct problem {
    er_ode ode;
    double start[MOST]; // y at t = 0
    double span;        // s
    void (*exact)(double t, double *y);
} problem;

static void drift_plain(void *user, const double *q, const double *u, double *dq)
{
    (void)q;
    memcpy(dq, u, sizeof *dq * (size_t) * (int *)user);
}

static int two = 2;

// ---- Kepler's ellipse: q'' = -q / |q|^3, semi-major axis 1, eccentricity 1/2, from the pericentre; period 2 pi

static const double eccentricity = 0.5;

static er_result attract(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t, (void)u;
    double r = hypot(q[0], q[1]);
    for (int i = 0; i < 2; ++i)
        du[i] = -q[i] / (r * r * r);
    return ER_OK;
}

// By Kepler's equation, E - e sin E = t.
static void kepler_at(double t, double *y)
{
    double E = t, e = eccentricity, b = sqrt(1 - e * e);
    for (int i = 0; i < 60; ++i)
        E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    double rate = 1 / (1 - e * cos(E));
    y[0] = cos(E) - e;
    y[1] = b * sin(E);
    y[2] = -sin(E) * rate;
    y[3] = b * cos(E) * rate;
}

static problem kepler(void)
{
    problem p = {
        .ode = {.user = &two, .position_count = 2, .velocity_count = 2, .drift = drift_plain, .accelerate = attract},
        .span = 4.0,
        .exact = kepler_at};
    kepler_at(0, p.start);
    return p;
}

// ---- orders

static er_ode_solver *begin(const problem *p, const er_ode_options *options)
{
    er_ode_solver *s = NULL;
    assert_int_equal(er_ode_create(context, &p->ode, options, &s), ER_OK);
    assert_int_equal(er_ode_start(s, 0, p->start, p->start + p->ode.position_count, 0), ER_OK);
    return s;
}

// Steps of one length, of any method: no error is too large for an adaptive one.
static er_ode_options fixed(er_ode_method method, double h)
{
    return (er_ode_options){
        .method = method, .step = h, .min_step = h, .max_step = h, .absolute = 1e300, .relative = 0};
}

static double distance(const problem *p, er_ode_solver *s)
{
    double y[MOST], worst = 0;
    p->exact(er_ode_time(s), y);
    for (int i = 0; i < p->ode.position_count; ++i)
        worst = fmax(worst, fabs(er_ode_positions(s)[i] - y[i]));
    for (int i = 0; i < p->ode.velocity_count; ++i)
        worst = fmax(worst, fabs(er_ode_velocities(s)[i] - y[p->ode.position_count + i]));
    return worst;
}

static double error_with_steps(const problem *p, er_ode_method method, int steps)
{
    er_ode_options o = fixed(method, p->span / steps);
    er_ode_solver *s = begin(p, &o);
    assert_int_equal(er_ode_advance(s, p->span), ER_OK);
    assert_int_equal(er_ode_statistics_of(s).steps, steps);
    double error = distance(p, s);
    er_ode_destroy(s);
    return error;
}

static const struct {
    er_ode_method method;
    const char *name;
    int order, steps; // few enough that rounding is far, many enough that the first power leads
} methods[] = {
    {ER_ODE_EULER, "Euler", 1, 16000},     {ER_ODE_SEMI_IMPLICIT_EULER, "semi-implicit Euler", 1, 4000},
    {ER_ODE_HEUN, "Heun", 2, 1000},        {ER_ODE_RK4, "RK4", 4, 250},
    {ER_ODE_FEHLBERG, "Fehlberg", 5, 120}, {ER_ODE_IMPLICIT, "implicit", 4, 250},
};

static void orders_are_those_of_the_methods(void **state)
{
    (void)state;
    problem p = kepler();
    for (size_t i = 0; i < ER_COUNT(methods); ++i) {
        double coarse = error_with_steps(&p, methods[i].method, methods[i].steps);
        double fine = error_with_steps(&p, methods[i].method, 2 * methods[i].steps);
        measure_at_most(methods[i].name, fabs(log2(coarse / fine) - methods[i].order), 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_of_the_methods),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
