// Integrators against motions in closed form: orders by halving steps, tolerances, landings, bounds and errors, and
// what stiff springs cost.
#include "support/context.h"
#include "support/judge.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "problems.h"

// ---- orders

static const struct {
    er_ode_method method;
    const char *name;
    int order, inside; // of the state at a time; of the error of one step, anywhere in it
    int steps;         // many enough that the first power leads, few enough that rounding is far
} methods[] = {
    {ER_ODE_EULER, "Euler", 1, 2, 16000},     {ER_ODE_SEMI_IMPLICIT_EULER, "semi-implicit Euler", 1, 2, 4000},
    {ER_ODE_HEUN, "Heun", 2, 3, 1000},        {ER_ODE_RK4, "RK4", 4, 5, 300},
    {ER_ODE_FEHLBERG, "Fehlberg", 5, 5, 150}, {ER_ODE_IMPLICIT, "implicit", 4, 5, 250},
};

static double error_with_steps(const problem *p, er_ode_method method, int steps)
{
    eri_ode_options o = fixed_steps(method, p->span / steps);
    eri_ode_solver *s = problem_begin(p, &o);
    assert_int_equal(eri_ode_advance(s, p->span), ER_OK);
    assert_int_equal(eri_ode_statistics_of(s).steps, steps);
    double error = problem_error_now(p, s);
    eri_ode_destroy(s);
    return error;
}

// log2 of what halving the steps divides the error by.
static double order(const problem *p, er_ode_method method, int steps)
{
    return log2(error_with_steps(p, method, steps) / error_with_steps(p, method, 2 * steps));
}

static void orders_are_those_of_the_methods(void **state)
{
    for (int i = 0; i < PROBLEMS; ++i)
        for (size_t m = 0; m < ERI_COUNT(methods); ++m) {
            double seen = order(&problems[i], methods[m].method, methods[m].steps);
            // Next powers are seen too: a tenth of an order. An order that is missed is off by one.
            measure_at_most(methods[m].name, fabs(seen - methods[m].order), 0.15);
        }
}

// The largest error at nine times inside one step from an exact state.
static double error_inside(const problem *p, er_ode_method method, double h)
{
    eri_ode_options o = fixed_steps(method, h);
    eri_ode_solver *s = problem_begin(p, &o);
    assert_int_equal(eri_ode_step(s, h), ER_OK);
    double worst = 0, y[MOST];
    for (int i = 1; i < 10; ++i) {
        assert_int_equal(eri_ode_dense(s, 0.1 * i * h, y, y + p->ode.position_count), ER_OK);
        worst = fmax(worst, problem_error(p, 0.1 * i * h, y, y + p->ode.position_count));
    }
    eri_ode_destroy(s);
    return worst;
}

static void states_inside_a_step_are_of_the_methods_order(void **state)
{
    for (int i = 0; i < PROBLEMS; ++i)
        for (size_t m = 0; m < ERI_COUNT(methods); ++m) {
            double h = 0.02;
            double seen = log2(error_inside(&problems[i], methods[m].method, h) /
                               error_inside(&problems[i], methods[m].method, 0.5 * h));
            measure_at_most(methods[m].name, fmax(methods[m].inside - seen, 0), 0.15); // more is chance, and welcome
        }
}

// ---- tolerances

static double error_with_tolerance(const problem *p, er_ode_method method, double tolerance)
{
    eri_ode_options o = held_steps(method, tolerance);
    eri_ode_solver *s = problem_begin(p, &o);
    assert_int_equal(eri_ode_advance(s, p->span), ER_OK);
    double error = problem_error_now(p, s);
    eri_ode_destroy(s);
    return error;
}

// A step's error of order p, held to the tolerance, leaves a state of order p: proportional to the tolerance.
static void errors_are_proportional_to_the_tolerance(void **state)
{
    static const struct {
        er_ode_method method;
        const char *name;
    } adaptive[] = {{ER_ODE_FEHLBERG, "error / tolerance, Fehlberg"}, {ER_ODE_IMPLICIT, "error / tolerance, implicit"}};
    const double coarse = 1e-6, fine = 1e-11;
    for (size_t m = 0; m < ERI_COUNT(adaptive); ++m)
        for (int i = 0; i < PROBLEMS; ++i) {
            double at_coarse = error_with_tolerance(&problems[i], adaptive[m].method, coarse);
            double at_fine = error_with_tolerance(&problems[i], adaptive[m].method, fine);
            measure_at_most(adaptive[m].name, fmax(at_coarse / coarse, at_fine / fine),
                            100); // what the motion makes of it
            // The formula of order 4 would go with the power 4/5, that of order 3 with 3/4.
            measure_at_most("power of the tolerance, off 1", fabs(log10(at_coarse / at_fine) / 5 - 1), 0.12);
        }
}

// ---- invariants

static er_result pull_back(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t, (void)u;
    du[0] = -q[0];
    return ER_OK;
}

// Semi-implicit Euler's on q'' = -q: (q^2 + u^2 - h q u) / 2 is kept exactly, so the energy swings by h and stays.
static void semi_implicit_euler_is_symplectic(void **state)
{
    const double h = 0.1, from[2] = {1, 0};
    eri_ode spring = problems[DRIVEN].ode;
    spring.accelerate = pull_back;
    eri_ode_options o = fixed_steps(ER_ODE_SEMI_IMPLICIT_EULER, h);
    eri_ode_solver *s = NULL;
    assert_int_equal(eri_ode_create(context, &spring, &o, &s), ER_OK);
    assert_int_equal(eri_ode_start(s, 0, from, from + 1, 0), ER_OK);
    double worst = 0;
    for (int i = 1; i <= 100000; ++i) {
        assert_int_equal(eri_ode_step(s, eri_ode_time(s) + h), ER_OK);
        double q = eri_ode_positions(s)[0], u = eri_ode_velocities(s)[0];
        worst = fmax(worst, fabs(q * q + u * u - h * q * u - 1));
    }
    measure_at_most("invariant of semi-implicit Euler over 100000 steps", worst, 1e-9); // rounding, as a random walk
    eri_ode_destroy(s);
}

// From the end with velocities turned around, a motion without friction comes home.
static void motions_run_back(void **state)
{
    const double tolerance = 1e-9;
    for (int i = KEPLER; i <= PENDULUM; ++i) {
        const problem *p = &problems[i];
        eri_ode_options o = held_steps(ER_ODE_FEHLBERG, tolerance);
        eri_ode_solver *s = problem_begin(p, &o);
        double u[MOST], start[MOST], worst = 0;
        int n = p->ode.position_count;
        for (int leg = 0; leg < 2; ++leg) {
            assert_int_equal(eri_ode_advance(s, p->span), ER_OK);
            for (int k = 0; k < n; ++k)
                u[k] = -eri_ode_velocities(s)[k];
            assert_int_equal(eri_ode_start(s, 0, eri_ode_positions(s), u, 0), ER_OK);
        }
        p->exact(0, start);
        for (int k = 0; k < n; ++k)
            worst = fmax(worst, fmax(fabs(eri_ode_positions(s)[k] - start[k]), fabs(u[k] - start[n + k])));
        measure_at_most("a motion there and back, from its start, in tolerances", worst / tolerance, 100);
        eri_ode_destroy(s);
    }
}

// ---- stiff springs

// A mass on a spring of 30 Hz, swinging at 0.5 Hz: q is the spring's length, 1 at rest, and its angle.
static const double pull = 4 * ER_PI * ER_PI * 900, gravity = ER_PI * ER_PI;

static er_result hang(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t;
    du[0] = q[0] * u[1] * u[1] + gravity * cos(q[1]) - pull * (q[0] - 1);
    du[1] = -(gravity * sin(q[1]) + 2 * u[0] * u[1]) / q[0];
    return ER_OK;
}

// The spring alone is taken implicitly.
static er_result hang_implicitly(void *user, double t, const double *q, const double *u, double h, double *du)
{
    er_result r = hang(user, t, q, u, du);
    du[0] = h * (du[0] - h * pull * u[0]) / (1 + h * h * pull);
    du[1] = h * du[1];
    return r;
}

// Ten seconds from rest at an angle, the spring as long as gravity wants it; the end is written.
static long steps_hung(er_ode_method method, double tolerance, double *q)
{
    eri_ode ode = problems[KEPLER].ode;
    ode.accelerate = hang;
    ode.implicit = hang_implicitly;
    const double rest[2] = {1 + gravity * cos(0.5) / pull, 0.5}, still[2] = {0, 0};
    eri_ode_options o = held_steps(method, tolerance);
    eri_ode_solver *s = NULL;
    assert_int_equal(eri_ode_create(context, &ode, &o, &s), ER_OK);
    assert_int_equal(eri_ode_start(s, 0, rest, still, 0), ER_OK);
    assert_int_equal(eri_ode_advance(s, 10), ER_OK);
    memcpy(q, eri_ode_positions(s), 2 * sizeof *q);
    long steps = eri_ode_statistics_of(s).steps;
    eri_ode_destroy(s);
    return steps;
}

static void a_stiff_spring_does_not_set_the_step(void **state)
{
    double exact[2], q[2];
    steps_hung(ER_ODE_FEHLBERG, 1e-12, exact);
    for (double tolerance = 1e-2; tolerance > 5e-5; tolerance *= 0.1) {
        // Stability holds Fehlberg's to some 2.6 / (2 pi 30 Hz), whatever the tolerance.
        double explicit_steps = (double)steps_hung(ER_ODE_FEHLBERG, tolerance, q);
        measure_at_most("steps of the implicit one to Fehlberg's, of 30 Hz at 0.5 Hz",
                        (double)steps_hung(ER_ODE_IMPLICIT, tolerance, q) / explicit_steps, 0.15);
        double error = fmax(fabs(q[0] - exact[0]), fabs(q[1] - exact[1]));
        measure_at_most("its error after five swings, in tolerances", error / tolerance, 20);
    }
}

// q" = -omega^2 q with the exact K.
static const double omega = 7;

static er_result vibrate(void *user, double t, const double *q, const double *u, double h, double *du)
{
    (void)user, (void)t;
    du[0] = -h * omega * omega * (q[0] + h * u[0]) / (1 + h * h * omega * omega);
    return ER_OK;
}

// (q, u / omega) is turned and stretched by R(i h omega), R that of linearly implicit Euler's in 1, 2, 3, 4 substeps.
static void the_implicit_one_is_as_stable_as_its_formula(void **state)
{
    const double weight[4] = {-1.0 / 6, 4, -27.0 / 2, 32.0 / 3}, start[2] = {1, 0};
    eri_ode spring = problems[DRIVEN].ode;
    spring.accelerate = NULL;
    spring.implicit = vibrate;
    for (double z = 0.1; z < 1e4; z *= 1.07) {
        eri_ode_options o = fixed_steps(ER_ODE_IMPLICIT, z / omega);
        eri_ode_solver *s = NULL;
        double complex factor = 0;
        for (int j = 1; j <= 4; ++j)
            factor += weight[j - 1] * cpow(1 - I * z / j, -j);
        assert_int_equal(eri_ode_create(context, &spring, &o, &s), ER_OK);
        assert_int_equal(eri_ode_start(s, 0, start, start + 1, z / omega), ER_OK);
        assert_int_equal(eri_ode_step(s, z / omega), ER_OK);
        double complex seen = eri_ode_positions(s)[0] - I * eri_ode_velocities(s)[0] / omega;
        measure_at_most("a step of an oscillator, off its formula", cabs(seen - factor), 1e-13);
        measure_at_most("how much an oscillator grows in a step", cabs(seen) - 1, z < 1.54 ? 0.005 : 0);
        eri_ode_destroy(s);
    }
}

// C and K that have nothing to do with the forces, K not even symmetric, both changing with the state.
static er_result attract_askew(void *user, double t, const double *q, const double *u, double h, double *du)
{
    double a[2], c = 0.5 + 0.2 * sin(u[0]), k[2][2] = {{2 + q[1], 0.7}, {-0.4, 1 + 0.5 * cos(q[0])}};
    er_result r = problems[KEPLER].ode.accelerate(user, t, q, u, a);
    double m[2][2], b[2];
    for (int i = 0; i < 2; ++i) {
        b[i] = h * (a[i] - h * (k[i][0] * u[0] + k[i][1] * u[1]));
        for (int j = 0; j < 2; ++j)
            m[i][j] = (i == j ? 1 + h * c : 0) + h * h * k[i][j];
    }
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    du[0] = (b[0] * m[1][1] - b[1] * m[0][1]) / det;
    du[1] = (b[1] * m[0][0] - b[0] * m[1][0]) / det;
    return r;
}

static void a_wrong_jacobian_keeps_the_order(void **state)
{
    problem p = problems[KEPLER];
    p.ode.implicit = attract_askew;
    measure_at_most("order of the implicit one with a wrong Jacobian, off 4", fabs(order(&p, ER_ODE_IMPLICIT, 500) - 4),
                    0.15);
    double seen = log2(error_inside(&p, ER_ODE_IMPLICIT, 0.02) / error_inside(&p, ER_ODE_IMPLICIT, 0.01));
    measure_at_most("likewise inside a step, short of 5", fmax(5 - seen, 0), 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_of_the_methods),
        cmocka_unit_test(states_inside_a_step_are_of_the_methods_order),
        cmocka_unit_test(errors_are_proportional_to_the_tolerance),
        cmocka_unit_test(semi_implicit_euler_is_symplectic),
        cmocka_unit_test(motions_run_back),
        cmocka_unit_test(a_stiff_spring_does_not_set_the_step),
        cmocka_unit_test(the_implicit_one_is_as_stable_as_its_formula),
        cmocka_unit_test(a_wrong_jacobian_keeps_the_order),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
