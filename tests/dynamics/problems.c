// The closed forms.
#include "problems.h"

#include <math.h>
#include <string.h>

#include <eigenrig/math.h>

// q' = u.
static void drift_plain(void *user, const double *q, const double *u, double *dq)
{
    (void)q;
    memcpy(dq, u, sizeof *dq * (size_t) * (int *)user);
}

static int one = 1, two = 2;

// ---- Kepler

static const double eccentricity = 0.5;

static er_result attract(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t, (void)u;
    double r = hypot(q[0], q[1]);
    for (int i = 0; i < 2; ++i)
        du[i] = -q[i] / (r * r * r);
    return ER_OK;
}

// E - e sin E = t (Kepler's equation), q = (cos E - e, b sin E).
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

// ---- pendulum

static er_result swing(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t, (void)u;
    du[0] = -sin(q[0]);
    return ER_OK;
}

// The amplitude am(t, k) of Jacobi's functions, by descending means (Abramowitz & Stegun 16.4).
static double jacobi_amplitude(double t, double k)
{
    enum { MEANS = 8 };
    double a[MEANS] = {1}, c[MEANS] = {k}, b = sqrt(1 - k * k);
    for (int i = 1; i < MEANS; ++i) {
        a[i] = 0.5 * (a[i - 1] + b);
        c[i] = 0.5 * (a[i - 1] - b);
        b = sqrt(a[i - 1] * b);
    }
    double phi = ldexp(a[MEANS - 1] * t, MEANS - 1);
    for (int i = MEANS - 1; i > 0; --i)
        phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
    return phi;
}

// sin(q / 2) = k sn(t, k), q' = 2 k cn(t, k).
static void pendulum_at(double t, double *y)
{
    double k = sin(1.0), phi = jacobi_amplitude(t, k);
    y[0] = 2 * asin(k * sin(phi));
    y[1] = 2 * k * cos(phi);
}

// ---- top

// q' = q (0, omega) / 2, omega in body axes.
static void turn(void *user, const double *q, const double *u, double *dq)
{
    (void)user;
    er_quat r = er_q_mul(er_q(q[0], q[1], q[2], q[3]), er_q(0, 0.5 * u[0], 0.5 * u[1], 0.5 * u[2]));
    memcpy(dq, (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *dq);
}

// I omega' = I omega x omega.
static er_result spin(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t, (void)q;
    double rate = (top_inertia[0] - top_inertia[1]) / top_inertia[0] * u[2];
    du[0] = rate * u[1];
    du[1] = -rate * u[0];
    du[2] = 0;
    return ER_OK;
}

static void unit(void *user, double *q)
{
    (void)user;
    er_quat r = er_q_unit(er_q(q[0], q[1], q[2], q[3]));
    memcpy(q, (double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *q);
}

static er_result restore_unit(void *user, double t, double *q, double *u)
{
    (void)t, (void)u;
    unit(user, q);
    return ER_OK;
}

// The axis precesses about the angular momentum at |L| / I_1 while the body spins back under it.
static void top_at(double t, double *y)
{
    const double rates[3] = {0.8, 0.0, 1.2};
    er_vec3 momentum = er_v3(top_inertia[0] * rates[0], top_inertia[0] * rates[1], top_inertia[1] * rates[2]);
    double back = (top_inertia[0] - top_inertia[1]) / top_inertia[0] * rates[2];
    er_quat spun = er_q_exp(er_v3(0, 0, t * back));
    er_quat q = er_q_mul(er_q_exp(er_v3_scale(t / top_inertia[0], momentum)), spun);
    er_vec3 omega = er_q_rotate(er_q_conj(spun), er_v3(rates[0], rates[1], rates[2]));
    memcpy(y, (double[]){q.w, q.x, q.y, q.z, omega.x, omega.y, omega.z}, 7 * sizeof *y);
}

// ---- driven

static er_result drive(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)u;
    du[0] = -q[0] + cos(2 * t);
    return ER_OK;
}

static void driven_at(double t, double *y)
{
    y[0] = (cos(t) - cos(2 * t)) / 3 + sin(t);
    y[1] = (2 * sin(2 * t) - sin(t)) / 3 + cos(t);
}

const problem problems[PROBLEMS] = {
    [KEPLER] = {"Kepler",
                {.user = &two, .position_count = 2, .velocity_count = 2, .drift = drift_plain, .accelerate = attract},
                4,
                kepler_at},
    [PENDULUM] = {"pendulum",
                  {.user = &one, .position_count = 1, .velocity_count = 1, .drift = drift_plain, .accelerate = swing},
                  5,
                  pendulum_at},
    [TOP] = {"top",
             {.position_count = 4,
              .velocity_count = 3,
              .drift = turn,
              .accelerate = spin,
              .restore = restore_unit,
              .normalise = unit},
             4,
             top_at},
    [DRIVEN] = {"driven",
                {.user = &one, .position_count = 1, .velocity_count = 1, .drift = drift_plain, .accelerate = drive},
                4,
                driven_at},
};

// ---- solvers

eri_ode_solver *problem_begin(const problem *p, const eri_ode_options *options)
{
    double start[MOST];
    eri_ode_solver *s = NULL;
    p->exact(0, start);
    assert_int_equal(eri_ode_create(context, &p->ode, options, &s), ER_OK);
    assert_int_equal(eri_ode_start(s, 0, start, start + p->ode.position_count, 0), ER_OK);
    return s;
}

double problem_error(const problem *p, double t, const double *q, const double *u)
{
    double y[MOST], worst = 0;
    p->exact(t, y);
    for (int i = 0; i < p->ode.position_count; ++i)
        worst = fmax(worst, fabs(q[i] - y[i]));
    for (int i = 0; i < p->ode.velocity_count; ++i)
        worst = fmax(worst, fabs(u[i] - y[p->ode.position_count + i]));
    return worst;
}

double problem_error_now(const problem *p, const eri_ode_solver *s)
{
    return problem_error(p, eri_ode_time(s), eri_ode_positions(s), eri_ode_velocities(s));
}

eri_ode_options fixed_steps(er_ode_method method, double h)
{
    return (eri_ode_options){.method = method, .step = h, .min_step = h, .max_step = h, .absolute = 1e300};
}

eri_ode_options held_steps(er_ode_method method, double tolerance)
{
    return (eri_ode_options){
        .method = method, .step = 1e-3, .max_step = 10.0, .absolute = tolerance, .relative = tolerance};
}
