// Promises of a solver with any method: landings, bounds, errors, events, repeatable bits, no memory in steps.
#include "support/context.h"
#include "support/judge.h"
#include "support/ledger.h"

#include <math.h>
#include <string.h>

#include "problems.h"

static const er_ode_method every_method[] = {
    ER_ODE_EULER, ER_ODE_SEMI_IMPLICIT_EULER, ER_ODE_HEUN, ER_ODE_RK4, ER_ODE_FEHLBERG, ER_ODE_IMPLICIT};

static void assert_error(const char *words)
{
    if (strstr(er_context_error(context), words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", er_context_error(context), words);
}

// ---- landings

static void steps_that_are_fixed_are_equal_parts_of_the_way(void **state)
{
    eri_ode_options o = held_steps(ER_ODE_RK4, 1);
    o.step = 0.3;
    eri_ode_solver *s = problem_begin(&problems[DRIVEN], &o);
    assert_int_equal(eri_ode_advance(s, 1), ER_OK);
    assert_true(eri_ode_time(s) == 1);
    assert_int_equal(eri_ode_statistics_of(s).steps, 4);
    measure_at_most("steps of equal length", fabs(eri_ode_statistics_of(s).shortest - 0.25), 1e-15);
    measure_at_most("steps of equal length", fabs(eri_ode_statistics_of(s).longest - 0.25), 1e-15);
    // A frame after the other: no slivers, though ten times 0.3 is not 3 and a third none of doubles.
    for (int i = 1; i <= 30; ++i)
        assert_int_equal(eri_ode_advance(s, 1 + i * 0.3), ER_OK);
    assert_int_equal(eri_ode_statistics_of(s).steps, 34);
    assert_true(eri_ode_time(s) == 1 + 30 * 0.3);
    assert_int_equal(eri_ode_advance(s, eri_ode_time(s)), ER_OK); // there already
    assert_int_equal(eri_ode_statistics_of(s).steps, 34);
    eri_ode_destroy(s);
}

static void landings_are_exact_and_forgotten(void **state)
{
    for (size_t m = 0; m < ERI_COUNT(every_method); ++m) {
        eri_ode_options o = held_steps(every_method[m], 1e-6);
        eri_ode_solver *s = problem_begin(&problems[DRIVEN], &o);
        for (int frame = 1; frame <= 30; ++frame) {
            assert_int_equal(eri_ode_advance(s, frame / 30.0), ER_OK);
            assert_true(eri_ode_time(s) == frame / 30.0);
        }
        assert_true(problem_error_now(&problems[DRIVEN], s) < 1e-2); // Euler's with 1 ms
        eri_ode_destroy(s);
    }
    // Steps of some tenths of a second are not made shorter by a landing after a millisecond.
    eri_ode_options o = held_steps(ER_ODE_FEHLBERG, 1e-6);
    eri_ode_solver *s = problem_begin(&problems[DRIVEN], &o);
    assert_int_equal(eri_ode_advance(s, 1), ER_OK);
    double next = eri_ode_next_step(s);
    assert_int_equal(eri_ode_advance(s, 1.001), ER_OK);
    assert_true(next > 0.05 && eri_ode_next_step(s) >= next);
    // Near the end the way is halved, so no step is a sliver.
    assert_int_equal(eri_ode_advance(s, 1.001 + 1.1 * eri_ode_next_step(s)), ER_OK);
    measure_at_most("the last two steps are halves", fabs(eri_ode_time(s) - eri_ode_last_time(s) - 0.55 * next) / next,
                    1e-9 + 0.55 * (eri_ode_statistics_of(s).rejected > 0));
    eri_ode_destroy(s);
}

static void evaluations_are_kept_where_that_is_honest(void **state)
{
    const problem *p = &problems[KEPLER];
    eri_ode_options o = held_steps(ER_ODE_FEHLBERG, 1e-8);
    eri_ode_solver *s = problem_begin(p, &o);
    er_ode_statistics n = eri_ode_statistics_of(s);
    while (eri_ode_time(s) < 20) {
        long rejected = n.rejected;
        assert_int_equal(eri_ode_step(s, 20), ER_OK);
        n = eri_ode_statistics_of(s);
        // A step that was too long is not tried again at once.
        if (n.rejected > rejected) assert_true(eri_ode_next_step(s) <= eri_ode_time(s) - eri_ode_last_time(s) + 1e-12);
    }
    assert_true(n.steps > 20 && n.rejected > 0 && n.shortest < n.longest);
    // One probe for the first step; the rate where a step begins is asked for once, however often it is tried.
    assert_int_equal(n.evaluations, 1 + n.steps + 5 * (n.steps + n.rejected));
    double y[MOST];
    for (int i = 0; i < 3; ++i) // a rate at the end and one inside, for all questions
        assert_int_equal(eri_ode_dense(s, eri_ode_time(s) - 1e-3 * i - 1e-4, y, y + 2), ER_OK);
    assert_int_equal(eri_ode_statistics_of(s).evaluations, n.evaluations + 2);
    assert_int_equal(eri_ode_step(s, 30), ER_OK); // the end's rate is known
    er_ode_statistics after = eri_ode_statistics_of(s);
    assert_int_equal(after.evaluations - n.evaluations, 2 + 5 * (1 + after.rejected - n.rejected));
    eri_ode_destroy(s);
}

// Where nothing is said, the first step is neither given up nor far from those that follow.
static void first_steps_are_found(void **state)
{
    static const er_ode_method adaptive[] = {ER_ODE_FEHLBERG, ER_ODE_IMPLICIT};
    for (size_t m = 0; m < ERI_COUNT(adaptive); ++m)
        for (int i = 0; i < PROBLEMS; ++i)
            for (double tolerance = 1e-3; tolerance > 1e-10; tolerance *= 1e-2) {
                eri_ode_options o = held_steps(adaptive[m], tolerance);
                eri_ode_solver *s = problem_begin(&problems[i], &o);
                assert_int_equal(eri_ode_step(s, 100), ER_OK);
                assert_int_equal(eri_ode_statistics_of(s).rejected, 0);
                double first = eri_ode_time(s);
                assert_int_equal(eri_ode_advance(s, 2), ER_OK);
                measure_at_most("a later step to the first one", eri_ode_statistics_of(s).longest / first, 30);
                eri_ode_destroy(s);
            }
}

// ---- bounds and errors

static void a_bound_that_cannot_be_met_is_an_error(void **state)
{
    static const er_ode_method adaptive[] = {ER_ODE_FEHLBERG, ER_ODE_IMPLICIT};
    for (size_t m = 0; m < ERI_COUNT(adaptive); ++m) {
        eri_ode_options o = held_steps(adaptive[m], 1e-9);
        o.min_step = 0.2;
        eri_ode_solver *s = problem_begin(&problems[KEPLER], &o);
        double start[MOST], t = eri_ode_time(s);
        problems[KEPLER].exact(0, start);
        assert_int_equal(eri_ode_advance(s, 4), ER_ERROR_NO_CONVERGENCE);
        assert_error("at t = 0 s a step of 0.2 s errs by ");
        assert_error("times the tolerance and may not be shorter: allow larger errors or shorter steps");
        assert_true(eri_ode_time(s) == t && memcmp(eri_ode_positions(s), start, 2 * sizeof *start) == 0 &&
                    memcmp(eri_ode_velocities(s), start + 2, 2 * sizeof *start) == 0);
        eri_ode_destroy(s);

        o = held_steps(adaptive[m], 1e-100); // no step is that good, but one that rounds to none
        s = problem_begin(&problems[KEPLER], &o);
        assert_int_equal(eri_ode_start(s, 2, start, start + 2, 0), ER_OK);
        assert_int_equal(eri_ode_advance(s, 4), ER_ERROR_NO_CONVERGENCE);
        assert_error("at t = 2 s a step of 4.44e-15 s errs by ");
        eri_ode_destroy(s);

        o = held_steps(adaptive[m], 1e-3);
        o.max_step = 0.01;
        s = problem_begin(&problems[KEPLER], &o);
        assert_int_equal(eri_ode_advance(s, 4), ER_OK);
        assert_true(eri_ode_statistics_of(s).longest <= 0.01 * (1 + 1e-9));
        assert_true(eri_ode_statistics_of(s).steps >= 400);
        eri_ode_destroy(s);
    }
}

// Fails, or is no number, from a time on.
typedef struct trouble {
    double from;
    er_result result; // ER_OK: not a number
    double value;
} trouble;

static void drift_one(void *user, const double *q, const double *u, double *dq)
{
    (void)user, (void)q;
    dq[0] = u[0];
}

static er_result go_wrong(void *user, double t, const double *q, const double *u, double *du)
{
    const trouble *w = user;
    (void)u;
    du[0] = t > w->from ? w->value : -q[0];
    return t > w->from && w->result != ER_OK ? er_fail(context, w->result, "the system is in trouble") : ER_OK;
}

static er_result fall(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t, (void)q, (void)u;
    du[0] = -9.81;
    return ER_OK;
}

static eri_ode_solver *troubled(trouble *w, er_ode_method method)
{
    const double start[2] = {1, 0};
    eri_ode ode = {.user = w, .position_count = 1, .velocity_count = 1, .drift = drift_one, .accelerate = go_wrong};
    eri_ode_options o = held_steps(method, 1e-6);
    eri_ode_solver *s = NULL;
    assert_int_equal(eri_ode_create(context, &ode, &o, &s), ER_OK);
    assert_int_equal(eri_ode_start(s, 0, start, start + 1, 0), ER_OK);
    return s;
}

static void a_motion_that_leaves_the_numbers_is_an_error(void **state)
{
    const double values[] = {NAN, INFINITY, -1e308};
    for (size_t m = 0; m < ERI_COUNT(every_method); ++m)
        for (size_t v = 0; v < ERI_COUNT(values); ++v)
            for (int late = 0; late < 2; ++late) {
                trouble w = {.from = late ? 1.0 : -1.0, .value = values[v]};
                eri_ode_solver *s = troubled(&w, every_method[m]);
                assert_int_equal(eri_ode_advance(s, 1e3), ER_ERROR_NO_CONVERGENCE);
                assert_true(eri_ode_time(s) < (late ? 4.0 : 3.0)); // 1e308 takes a second to leave doubles
                assert_true(isfinite(eri_ode_positions(s)[0]) && isfinite(eri_ode_velocities(s)[0]));
                if (late) assert_true(eri_ode_time(s) > 0.9);
                eri_ode_destroy(s);
            }
}

static void failures_of_the_system_come_through(void **state)
{
    for (size_t m = 0; m < ERI_COUNT(every_method); ++m) {
        trouble w = {.from = 1, .result = ER_ERROR_RIG};
        eri_ode_solver *s = troubled(&w, every_method[m]);
        assert_int_equal(eri_ode_advance(s, 2), ER_ERROR_RIG);
        assert_error("the system is in trouble");
        assert_true(eri_ode_time(s) < 1.5 && eri_ode_statistics_of(s).rejected == 0);
        w.from = 10; // mended: it goes on from where it was
        assert_int_equal(eri_ode_advance(s, 2), ER_OK);
        measure_at_most("a motion after a failure", fabs(eri_ode_positions(s)[0] - cos(2)), 1e-2);
        eri_ode_destroy(s);

        w = (trouble){.from = 1, .result = ER_ERROR_NO_CONVERGENCE};
        s = troubled(&w, every_method[m]);
        assert_int_equal(eri_ode_advance(s, 2), ER_ERROR_NO_CONVERGENCE);
        bool adaptive = every_method[m] == ER_ODE_FEHLBERG || every_method[m] == ER_ODE_IMPLICIT;
        assert_error("the system is in trouble");
        assert_true(!adaptive || eri_ode_time(s) > 1 - 1e-9); // steps get shorter up to the trouble
        eri_ode_destroy(s);
    }
}

static double norm4(const double *q)
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static er_result refuse(void *user, double t, double *q, double *u)
{
    (void)user, (void)u;
    q[0] = NAN;
    return t > 0.5 ? er_fail(context, ER_ERROR_RIG, "nothing to restore") : ER_OK;
}

static void states_are_restored(void **state)
{
    for (size_t m = 0; m < ERI_COUNT(every_method); ++m) {
        eri_ode_options o = held_steps(every_method[m], 1e-5);
        eri_ode_solver *s = problem_begin(&problems[TOP], &o);
        for (int i = 1; i <= 50; ++i) {
            double q[4], u[3];
            assert_int_equal(eri_ode_step(s, 1e3), ER_OK);
            measure_at_most("norm of a quaternion after a step, off 1", fabs(norm4(eri_ode_positions(s)) - 1), 4e-16);
            double inside = 0.3 * eri_ode_last_time(s) + 0.7 * eri_ode_time(s);
            assert_int_equal(eri_ode_dense(s, inside, q, u), ER_OK);
            measure_at_most("norm of a quaternion in a step, off 1", fabs(norm4(q) - 1), 4e-16);
        }
        eri_ode_destroy(s);
    }
    problem p = problems[DRIVEN];
    p.ode.restore = refuse;
    eri_ode_options o = held_steps(ER_ODE_HEUN, 1);
    o.step = 1;
    eri_ode_solver *s = problem_begin(&p, &o);
    assert_int_equal(eri_ode_advance(s, 1), ER_ERROR_RIG);
    assert_true(eri_ode_time(s) == 0 && isfinite(eri_ode_positions(s)[0]));
    eri_ode_destroy(s);
}

// Restores what a step of up to 0.05 s reached.
static er_result restore_near(void *user, double t, double *q, double *u)
{
    double *last = user;
    measure_at_most("a state to restore, of a fall", fabs(q[0] + 0.5 * 9.81 * t * t) + fabs(u[0] + 9.81 * t), 1e-12);
    if (t - *last > 0.05) return er_fail(context, ER_ERROR_NO_CONVERGENCE, "too far to restore");
    *last = t;
    return ER_OK;
}

static void what_cannot_be_restored_is_a_step_too_long(void **state)
{
    double last = 0;
    eri_ode ode = {.user = &last,
                   .position_count = 1,
                   .velocity_count = 1,
                   .drift = drift_one,
                   .accelerate = fall,
                   .restore = restore_near};
    const double start[2] = {0, 0};
    for (int strict = 0; strict < 2; ++strict) {
        eri_ode_options o = held_steps(ER_ODE_FEHLBERG, 1e-6);
        o.min_step = strict ? 0.1 : 0.01;
        eri_ode_solver *s = NULL;
        last = 0;
        assert_int_equal(eri_ode_create(context, &ode, &o, &s), ER_OK);
        assert_int_equal(eri_ode_start(s, 0, start, start, 0.2), ER_OK);
        assert_int_equal(eri_ode_advance(s, 1), strict ? ER_ERROR_NO_CONVERGENCE : ER_OK);
        if (strict) assert_error("too far to restore");
        assert_true(eri_ode_time(s) == (strict ? 0 : 1) && eri_ode_statistics_of(s).longest <= 0.05);
        eri_ode_destroy(s);
    }
}

// A system at rest takes few steps, though nothing tells how long they may be.
static void rest_is_cheap(void **state)
{
    const double still[2] = {0, 0}, almost[1] = {1e-300};
    for (size_t m = 4; m < ERI_COUNT(every_method); ++m) {
        eri_ode_options o = held_steps(every_method[m], 1e-6);
        eri_ode_solver *s = NULL;
        assert_int_equal(eri_ode_create(context, &problems[PENDULUM].ode, &o, &s), ER_OK);
        assert_int_equal(eri_ode_start(s, 0, still, still + 1, 0), ER_OK);
        assert_int_equal(eri_ode_advance(s, 100), ER_OK);
        measure_at_most("steps of a pendulum that hangs, 100 s", (double)eri_ode_statistics_of(s).steps, 25);
        assert_true(eri_ode_positions(s)[0] == 0);
        assert_int_equal(eri_ode_start(s, 0, almost, still, 0), ER_OK);
        assert_int_equal(eri_ode_advance(s, 100), ER_OK);
        measure_at_most("steps of a pendulum that hangs but for rounding, 100 s",
                        (double)eri_ode_statistics_of(s).steps, 50);
        eri_ode_destroy(s);
    }
}

static void wrong_words_are_refused(void **state)
{
    const eri_ode *ode = &problems[DRIVEN].ode;
    eri_ode_solver *s = NULL;
    const eri_ode_options good = held_steps(ER_ODE_FEHLBERG, 1e-6), plain = held_steps(ER_ODE_EULER, 1);
    eri_ode_options bad[12];
    for (size_t i = 0; i < ERI_COUNT(bad); ++i)
        bad[i] = i < 9 ? good : plain;
    bad[0].method = (er_ode_method)6;
    bad[1].min_step = -1;
    bad[2].min_step = 11;
    bad[3].max_step = 0;
    bad[4].max_step = NAN;
    bad[5].absolute = 0;
    bad[6].absolute = INFINITY;
    bad[7].relative = -1e-3;
    bad[8].relative = NAN;
    bad[9].step = 0;
    bad[10].step = NAN;
    bad[11].step = INFINITY;
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        assert_int_equal(eri_ode_create(context, ode, &bad[i], &s), ER_ERROR_ARGUMENT);
        assert_null(s);
    }
    const eri_ode_options enough = {.method = ER_ODE_HEUN, .step = 1}; // the others are not of this method
    assert_int_equal(eri_ode_create(context, ode, &enough, &s), ER_OK);
    eri_ode_destroy(s);
    s = NULL;
    const double scale[2] = {1, 0};
    eri_ode scaled = *ode;
    scaled.scale = scale;
    assert_int_equal(eri_ode_create(context, &scaled, &good, &s), ER_ERROR_ARGUMENT);
    assert_error("scale[1] = 0");

    assert_int_equal(eri_ode_create(context, ode, &good, &s), ER_OK);
    const double y[2] = {0, 1}, rubbish[2] = {NAN, 0};
    assert_int_equal(eri_ode_step(s, 1), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_advance(s, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_start(s, 0, rubbish, y, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_start(s, 0, y, rubbish, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_start(s, NAN, y, y, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_start(s, 0, y, y, -1), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_start(s, 0, y, y + 1, 0), ER_OK);
    double q, u;
    assert_int_equal(eri_ode_step(s, 0), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_advance(s, -1), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_advance(s, INFINITY), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_advance(s, NAN), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_dense(s, 0.1, &q, &u), ER_ERROR_ARGUMENT);
    assert_int_equal(eri_ode_advance(s, 1), ER_OK);
    assert_int_equal(eri_ode_dense(s, 1.1, &q, &u), ER_ERROR_ARGUMENT);
    assert_error("t = 1.1 s is not in the last step");
    eri_ode_destroy(s);
    eri_ode_destroy(NULL);
}

// An entry whose scale is large errs by as much more.
static void scales_weigh_errors(void **state)
{
    double scale[4] = {1e3, 1e3, 1e3, 1e3};
    problem scaled = problems[KEPLER];
    scaled.ode.scale = scale;
    eri_ode_options o = held_steps(ER_ODE_FEHLBERG, 1e-9), wide = held_steps(ER_ODE_FEHLBERG, 1e-6);
    o.relative = wide.relative = 0;
    eri_ode_solver *a = problem_begin(&scaled, &o), *b = problem_begin(&problems[KEPLER], &wide);
    memset(scale, 0, sizeof scale); // it was copied
    assert_int_equal(eri_ode_advance(a, 5), ER_OK);
    assert_int_equal(eri_ode_advance(b, 5), ER_OK);
    assert_int_equal(eri_ode_statistics_of(a).steps, eri_ode_statistics_of(b).steps);
    eri_ode_destroy(a);
    eri_ode_destroy(b);
}

// ---- bits and memory

static void the_same_calls_give_the_same_bits(void **state)
{
    for (int i = 0; i < PROBLEMS; ++i)
        for (size_t m = 0; m < ERI_COUNT(every_method); ++m) {
            const problem *p = &problems[i];
            size_t positions = sizeof(double) * (size_t)p->ode.position_count;
            size_t velocities = sizeof(double) * (size_t)p->ode.velocity_count;
            eri_ode_options o = held_steps(every_method[m], 1e-6);
            eri_ode_solver *a = problem_begin(p, &o), *b = problem_begin(p, &o);
            double y[MOST], z[MOST];
            assert_int_equal(eri_ode_advance(a, 0.7), ER_OK);
            assert_int_equal(eri_ode_dense(a, 0.5 * (0.7 + eri_ode_last_time(a)), y, z), ER_OK);
            // Another motion first, then the state of the first one: nothing of the past is left but the step.
            assert_int_equal(eri_ode_advance(b, 0.31), ER_OK);
            assert_int_equal(eri_ode_start(b, 0.7, eri_ode_positions(a), eri_ode_velocities(a), eri_ode_next_step(a)),
                             ER_OK);
            for (double t = 1; t < 3; t += 0.5) {
                double inside;
                assert_int_equal(eri_ode_advance(a, t), ER_OK);
                assert_int_equal(eri_ode_advance(b, t), ER_OK);
                assert_memory_equal(eri_ode_positions(a), eri_ode_positions(b), positions);
                assert_memory_equal(eri_ode_velocities(a), eri_ode_velocities(b), velocities);
                inside = 0.5 * (eri_ode_time(a) + eri_ode_last_time(a));
                assert_int_equal(eri_ode_dense(a, inside, y, y + p->ode.position_count), ER_OK);
                assert_int_equal(eri_ode_dense(b, inside, z, z + p->ode.position_count), ER_OK);
                assert_memory_equal(y, z, positions + velocities);
            }
            eri_ode_destroy(a);
            eri_ode_destroy(b);
        }
}

static void steps_take_no_memory(void **state)
{
    const problem *p = &problems[KEPLER];
    double start[MOST], q[2], u[2];
    p->exact(0, start);
    for (size_t m = 0; m < ERI_COUNT(every_method); ++m) {
        ledger l = {.left = LEDGER_ALL};
        er_context *counted = ledger_context(&l);
        eri_ode_options o = held_steps(every_method[m], 1e-6);
        eri_ode_solver *s = NULL;
        assert_int_equal(eri_ode_create(counted, &p->ode, &o, &s), ER_OK);
        long asked = l.asked;
        assert_int_equal(eri_ode_start(s, 0, start, start + 2, 0), ER_OK);
        assert_int_equal(eri_ode_advance(s, 3.0), ER_OK);
        assert_int_equal(eri_ode_dense(s, 0.5 * (eri_ode_last_time(s) + eri_ode_time(s)), q, u), ER_OK);
        assert_int_equal(l.asked, asked);
        eri_ode_destroy(s);
        ledger_end(&l, counted);
    }
    for (long left = 0;; ++left) { // each allocation refused in turn
        ledger l = {.left = LEDGER_ALL};
        er_context *counted = ledger_context(&l);
        eri_ode_options o = held_steps(ER_ODE_FEHLBERG, 1e-6);
        eri_ode_solver *s = NULL;
        l.left = left;
        er_result r = eri_ode_create(counted, &p->ode, &o, &s);
        assert_true(r == (s != NULL ? ER_OK : ER_ERROR_MEMORY));
        eri_ode_destroy(s);
        ledger_end(&l, counted);
        if (r == ER_OK) break;
    }
}

// ---- As callers of the library have it

// A spring of w = 2: q'' = -4 q.
static er_result spring(void *user, double t, const double *q, const double *u, double *du)
{
    ++*(int *)user;
    du[0] = -4.0 * q[0];
    return ER_OK;
}

// y' = -y + t, a system of first order without positions.
static er_result relax(void *user, double t, const double *q, const double *u, double *du)
{
    du[0] = t - u[0];
    return ER_OK;
}

static er_ode *begin_def(const er_ode_def *def, const double *q, const double *u)
{
    er_ode *ode = NULL;
    assert_int_equal(er_ode_create(context, def, &ode), ER_OK);
    assert_int_equal(er_ode_start(ode, 0.0, q, u, 0.0), ER_OK);
    return ode;
}

static void callers_integrate_systems_of_their_own(void **state)
{
    const double q = 1.0, u = 0.0, y = 3.0;
    const double most[] = {2e-2, 2e-2, 1e-4, 1e-9, 1e-7, 1e-6}; // steps of 1 ms, tolerances of 1e-9
    for (size_t m = 0; m < ERI_COUNT(every_method); ++m) {
        int calls = 0;
        er_ode_def def = er_default_ode_def();
        def.user = &calls;
        def.position_count = def.velocity_count = 1;
        def.accelerate = spring;
        def.method = every_method[m];
        er_ode *ode = begin_def(&def, &q, &u);
        assert_int_equal(er_ode_advance(ode, 5.0), ER_OK);
        assert_true(er_ode_time(ode) == 5.0);
        measure_at_most("a spring's position", fabs(er_ode_positions(ode)[0] - cos(10.0)), most[m]);
        measure_at_most("a spring's velocity", fabs(er_ode_velocities(ode)[0] + 2.0 * sin(10.0)), 3.0 * most[m]);
        assert_int_equal(er_ode_count(ode).evaluations, calls);
        assert_int_equal(er_ode_step(ode, 6.0), ER_OK);
        double at = 5.0 + 0.25 * (er_ode_time(ode) - 5.0), mid, speed;
        assert_int_equal(er_ode_interpolate(ode, at, &mid, &speed), ER_OK);
        measure_at_most("a position within a step", fabs(mid - cos(2.0 * at)), most[m]);
        assert_true(er_ode_next_step(ode) > 0.0);
        er_ode_destroy(ode);
    }
    er_ode_def def = er_default_ode_def();
    def.velocity_count = 1;
    def.accelerate = relax;
    er_ode *ode = begin_def(&def, NULL, &y);
    assert_int_equal(er_ode_advance(ode, 2.0), ER_OK);
    double exact = 2.0 - 1.0 + 4.0 * exp(-2.0), inside;
    measure_at_most("a system of first order", fabs(er_ode_velocities(ode)[0] - exact), 1e-8);
    assert_int_equal(er_ode_interpolate(ode, 2.0, NULL, &inside), ER_OK);
    measure_at_most("its state at the end of a step", fabs(inside - exact), 1e-8);
    er_ode_destroy(ode);
    er_ode_destroy(NULL);
}

static void wrong_definitions_are_refused(void **state)
{
    int calls = 0;
    const double q = NAN, u = 0.0;
    er_ode *ode = NULL;
    const er_ode_def plain = er_default_ode_def();
    for (int i = 0; i < 7; ++i) {
        static const char *const named[] = {"def",         "velocity_count", "accelerate", "position_count",
                                            "2 positions", "tolerance",      "step"};
        er_ode_def def = plain;
        def.user = &calls;
        def.position_count = i == 3 ? -1 : i == 4 ? 2 : 1;
        def.velocity_count = i == 1 ? 0 : 1;
        def.accelerate = i == 2 ? NULL : spring;
        if (i == 0) def.tag = 0;
        if (i == 5) def.absolute = 0.0;
        if (i == 6) def.max_step = 0.0;
        assert_refusal(context, er_ode_create(context, &def, &ode), ER_ERROR_ARGUMENT, named[i]);
        assert_null(ode);
    }
    er_ode_def def = plain;
    def.user = &calls;
    def.position_count = def.velocity_count = 1;
    def.accelerate = spring;
    assert_int_equal(er_ode_create(context, &def, &ode), ER_OK);
    assert_int_equal(er_ode_advance(ode, 1.0), ER_ERROR_ARGUMENT); // no state yet
    assert_int_equal(er_ode_start(ode, 0.0, &q, &u, 0.0), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ode_start(ode, 0.0, NULL, &u, 0.0), ER_ERROR_ARGUMENT);
    assert_int_equal(er_ode_start(ode, 0.0, &u, NULL, 0.0), ER_ERROR_ARGUMENT);
    er_ode_destroy(ode);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_are_fixed_are_equal_parts_of_the_way),
        cmocka_unit_test(landings_are_exact_and_forgotten),
        cmocka_unit_test(evaluations_are_kept_where_that_is_honest),
        cmocka_unit_test(first_steps_are_found),
        cmocka_unit_test(a_bound_that_cannot_be_met_is_an_error),
        cmocka_unit_test(a_motion_that_leaves_the_numbers_is_an_error),
        cmocka_unit_test(failures_of_the_system_come_through),
        cmocka_unit_test(states_are_restored),
        cmocka_unit_test(what_cannot_be_restored_is_a_step_too_long),
        cmocka_unit_test(rest_is_cheap),
        cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(scales_weigh_errors),
        cmocka_unit_test(the_same_calls_give_the_same_bits),
        cmocka_unit_test(steps_take_no_memory),
        cmocka_unit_test(callers_integrate_systems_of_their_own),
        cmocka_unit_test(wrong_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
