// How far modes are true in full dynamics, against closed forms and Lagrange's equations.
#include <eigenrig/formats.h>
#include <eigenrig/motion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/platform.h"
#include "motion/mode_swing.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/ledger.h"
#include "support/trials.h"

static rig r;

static er_model *read_sample(const char *file)
{
    char path[4096];
    const char *source = getenv("EIGENRIG_SOURCE");
    er_model *m = NULL;
    snprintf(path, sizeof path, "%s/models/%s", source != NULL ? source : ".", file);
    if (er_rig_file_read(context, path, NULL, NULL, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    return m;
}

// One trial.
typedef struct errand {
    eri_swing swing;
    int state; // taken, given
} errand;

static bool take_errand(void *user, eri_swing *next)
{
    errand *e = user;
    if (e->state > 0) return false;
    *next = e->swing;
    e->state = 1;
    return true;
}

static void give_errand(void *user, const eri_swing *done)
{
    errand *e = user;
    assert_int_equal(e->state++, 1);
    e->swing = *done;
}

static bool errand_goes_on(void *user)
{
    return ((errand *)user)->state < 2;
}

static er_result try_swing(const er_model *m, const er_modes *modes, int index, double degrees, er_trial *out)
{
    eri_swings *swings = NULL;
    errand e = {.swing = {.mode = er_modes_find(modes, index), .degrees = degrees}};
    const eri_swing_queue queue = {&e, take_errand, give_errand, errand_goes_on};
    assert_int_equal(eri_swings_create(context, m, modes, &swings), ER_OK);
    eri_swings_run(swings, &queue);
    eri_swings_destroy(swings);
    assert_int_equal(e.state, 2);
    *out = e.swing.trial;
    return e.swing.result;
}

static er_trial swing(const er_model *m, const er_modes *modes, int index, double degrees)
{
    er_trial s;
    if (try_swing(m, modes, index, degrees, &s) != ER_OK) fail_msg("%s", er_context_error(context));
    return s;
}

static er_validity *validate(const er_model *m, const er_modes *modes)
{
    er_validity *v = NULL;
    if (er_modes_validate(context, m, modes, NULL, &v) != ER_OK) fail_msg("%s", er_context_error(context));
    return v;
}

// One body on a hinge with a spring.
static er_model *one_hinge(double damping)
{
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 2.0, er_v3(0.2, 0.15, 0.1), er_q_identity(), er_v3(0, -0.5, 0), er_pose_identity());
    er_joint *joint = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    joint->stiffness[0] = 30.0;
    joint->damping[0] = damping;
    r.damping_ratio = damping > 0.0 ? 0.1 : 0.0;
    r.rayleigh_mass = r.rayleigh_stiffness = damping;
    return rig_model(context, &r);
}

// I q'' = -k q at any amplitude; and what damps the rig is set aside.
static void a_hinge_is_true_at_any_amplitude(void **state)
{
    for (int damped = 0; damped < 2; ++damped) {
        er_model *m = one_hinge(0.3 * damped);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        const double degrees[] = {0.01, 1.0, 30.0, 120.0};
        for (size_t i = 0; i < ERI_COUNT(degrees); ++i) {
            er_trial s = swing(m, modes, 0, degrees[i]);
            measure_at_most("hinge, shift", fabs(s.shift), 1e-7); // the cubic between samples
            measure_at_most("hinge, leakage", s.leakage, 1e-7);
        }
        er_validity *v = validate(m, modes);
        assert_int_equal(v->count, 1);
        assert_true(v->mode[0].at_least && v->mode[0].true_to_degrees == 60.0 && v->mode[0].mode == 0);
        er_validity_destroy(v);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
}

// A mode that is said to be quicker, or slower, than it swings is off by that; one that is said to be so quick that it
// has not come back when it should have swung fifteen times has no frequency.
static void swings_are_counted_against_what_was_said(void **state)
{
    static const double times[] = {0.5, 0.9, 1.4, 3.0, 10.0, 11.9, 12.1, 30.0};
    er_model *m = one_hinge(0.0);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    for (size_t i = 0; i < ERI_COUNT(times); ++i) {
        er_mode said = modes->mode[0];
        const er_modes made = {.count = 1, .dof = 1, .mode = &said};
        said.frequency_hz *= times[i];
        er_trial s = swing(m, &made, 0, 5.0);
        // it falls a quarter and five quarters of its own period after it is let go
        if (15.0 / times[i] > 1.25)
            measure_at_most("hinge, shift from what was said", fabs(s.shift - (1.0 / times[i] - 1.0)), 1e-4);
        else
            assert_true(s.shift == -1.0);
        assert_true(s.leakage < 1e-4 && s.degrees == 5.0);
    }
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// ---- A double pendulum

typedef struct pendulum {
    double m1, m2, c1, c2, l, I1, I2, k1, k2;
} pendulum;

static const pendulum two = {1.0, 0.8, 0.5, 0.45, 1.0, 0.1, 0.08, 20.0, 9.0};

// Lagrange's equations in the angles against the world.
static void pendulum_rate(const pendulum *p, const double y[4], double dy[4])
{
    double d = y[0] - y[1], a = p->I1 + p->m1 * p->c1 * p->c1 + p->m2 * p->l * p->l, k = p->m2 * p->l * p->c2;
    double b = p->I2 + p->m2 * p->c2 * p->c2, x = k * cos(d), s = k * sin(d), bend = p->k2 * (y[1] - y[0]);
    double f1 = -s * y[3] * y[3] - p->k1 * y[0] + bend, f2 = s * y[2] * y[2] - bend, det = a * b - x * x;
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = (b * f1 - x * f2) / det;
    dy[3] = (a * f2 - x * f1) / det;
}

static void pendulum_step(const pendulum *p, double y[4], double h)
{
    double k[4][4], at[4];
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < 4; ++i)
            at[i] = y[i] + (s == 0 ? 0.0 : (s == 3 ? h : 0.5 * h) * k[s - 1][i]);
        pendulum_rate(p, at, k[s]);
    }
    for (int i = 0; i < 4; ++i)
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

// Result of ten swings: the frequency, and the part of the elastic energy outside the mode's coordinate at the turning
// points. `joint` is the mode in joint angles, of angular frequency omega.
static er_trial pendulum_swing(const pendulum *p, const double joint[2], double omega, double degrees)
{
    double turn = degrees * ER_PI / 180.0 / fmax(fabs(joint[0]), fabs(joint[1])), h = 2.0 * ER_PI / omega / 4000.0;
    double y[4] = {turn * joint[0], turn * (joint[0] + joint[1]), 0, 0}, a = 1.0, first = 0.0, last = 0.0, before;
    double norm = p->k1 * joint[0] * joint[0] + p->k2 * joint[1] * joint[1];
    double energy = 0.5 * turn * turn * norm;
    int falls = 0;
    for (int n = 1; falls <= 10 || a < before; ++n) {
        before = a;
        pendulum_step(p, y, h);
        a = -(p->k1 * joint[0] * y[0] + p->k2 * joint[1] * (y[1] - y[0])) / norm;
        a = -a / turn;
        if (before > 0.0 && a <= 0.0) {
            last = h * (n - a / (a - before));
            if (falls++ == 0) first = last;
        }
    }
    double held = 0.5 * before * before * turn * turn * norm; // within a step of the turn
    return (er_trial){degrees, 10.0 / (last - first) * 2.0 * ER_PI / omega - 1.0, 1.0 - held / energy};
}

static er_model *double_pendulum(const pendulum *p, int copies)
{
    memset(&r, 0, sizeof r);
    for (int i = 0; i < copies; ++i) {
        er_vec3 at = er_v3(5.0 * i, 0, 0);
        er_pose hinge = {er_q_identity(), at}, knee = {er_q_identity(), er_v3_add(at, er_v3(0, -p->l, 0))};
        int upper = rig_add_body(&r, p->m1, er_v3(0.2, 0.15, p->I1), er_q_identity(),
                                 er_v3_add(at, er_v3(0, -p->c1, 0)), hinge);
        int lower = rig_add_body(&r, p->m2, er_v3(0.2, 0.15, p->I2), er_q_identity(),
                                 er_v3_add(at, er_v3(0, -p->l - p->c2, 0)), knee);
        rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, upper, hinge)->stiffness[0] = p->k1;
        rig_add_joint(&r, ER_JOINT_REVOLUTE, upper, lower, knee)->stiffness[0] = p->k2;
    }
    return rig_model(context, &r);
}

static void a_double_pendulum_shifts_and_leaks_as_lagrange_says(void **state)
{
    er_model *m = double_pendulum(&two, 1);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    assert_int_equal(modes->count, 2);
    for (int k = 0; k < 2; ++k)
        for (double degrees = 1.0; degrees < 50.0; degrees *= 3.0) {
            const er_mode *mode = &modes->mode[k];
            er_trial s = swing(m, modes, k, degrees);
            er_trial want = pendulum_swing(&two, mode->joint, 2.0 * ER_PI * mode->frequency_hz, degrees);
            measure_at_most("double pendulum, shift", fabs(s.shift - want.shift), 1e-6);
            // a step off the turn, 2 pi / 4000, is 2.5e-6 of the energy; beyond, rates are projected as at equilibrium
            measure_at_most("double pendulum, leakage", fabs(s.leakage - want.leakage), 0.02 * want.leakage + 3e-6);
        }
    er_modes_destroy(modes);
    er_model_destroy(m);
}

static void shifts_grow_as_the_square_of_the_amplitude(void **state)
{
    er_model *m = double_pendulum(&two, 1);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    for (int k = 0; k < 2; ++k) {
        double low = swing(m, modes, k, 1.0).shift, high = swing(m, modes, k, 4.0).shift;
        assert_true(low * high > 0.0);
        measure_at_most("slope of shifts, off 2", fabs(log(high / low) / log(4.0) - 2.0), 0.02); // of fourth order
    }
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// The amplitude found is one where the shift is allowed, and a little more is not.
static void the_search_ends_at_two_per_cent(void **state)
{
    er_model *m = double_pendulum(&two, 1);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_validity *v = validate(m, modes);
    int inside = 0;
    assert_int_equal(v->count, 2);
    for (int k = 0; k < v->count; ++k) {
        const er_mode_validity *one = &v->mode[k];
        assert_ptr_equal(er_validity_find(v, one->mode), one);
        assert_true(one->trial[0].degrees == 0.01);
        for (int i = 1; i < one->trial_count; ++i)
            assert_true(one->trial[i - 1].degrees < one->trial[i].degrees);
        for (int i = 0; i < one->trial_count; ++i)
            assert_true((fabs(one->trial[i].shift) < 0.02) == (one->trial[i].degrees <= one->true_to_degrees));
        assert_true(fabs(swing(m, modes, one->mode, one->true_to_degrees).shift) < 0.02);
        if (one->at_least) continue;
        ++inside;
        assert_true(fabs(swing(m, modes, one->mode, 1.011 * one->true_to_degrees).shift) >= 0.02);
    }
    assert_true(inside > 0);
    assert_null(er_validity_find(v, 7));
    assert_null(er_validity_find(NULL, 0));
    er_validity_destroy(v);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// Two of a kind swing in one mode by different amounts, so they fall out of step: that is no other frequency.
static void modes_of_one_frequency_leak_not_into_each_other(void **state)
{
    er_model *m = double_pendulum(&two, 2);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_mode pair[2] = {modes->mode[0], modes->mode[1]};
    double joint[2][4] = {{0}}, body[2][24] = {{0}};
    for (int c = 0; c < 4; ++c) { // of one pendulum each, and then 3 : 4
        const double *a = modes->mode[0].joint, *b = modes->mode[1].joint;
        double one = hypot(a[0], b[0]), first = (a[0] * a[c % 2] + b[0] * b[c % 2]) / one;
        joint[0][c] = (c < 2 ? 0.6 : 0.8) * first;
        joint[1][c] = (c < 2 ? 0.8 : -0.6) * first;
    }
    for (int k = 0; k < 2; ++k) {
        pair[k].joint = joint[k];
        pair[k].body = body[k]; // no root asks for it
    }
    pair[1].eigenvalue *= 1.0 + 1e-8; // as solvers leave it
    er_modes turned = {.count = 2, .dof = 4, .mode = pair};
    double together = swing(m, &turned, 0, 75.0).leakage;
    turned.count = 1;
    double alone = swing(m, &turned, 0, 75.0).leakage;
    measure_at_most("leakage, with the mate over without", together / alone, 0.5);
    assert_true(alone > 0.01);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// Started at small amplitude modes are true, floating or held, with loops or without.
static void small_swings_are_true(void **state)
{
    static const char *const files[] = {"chain_20.json", "four_bar.json", "loop_8_asymmetric.json"};
    for (size_t f = 0; f < ERI_COUNT(files); ++f) {
        er_model *m = read_sample(files[f]);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        int elastic = 0;
        for (int k = 0; k < modes->count; ++k) {
            if (modes->mode[k].kind != ER_MODE_ELASTIC || elastic++ % 10 != 0 || modes->mode[k].frequency_hz < 0.3)
                continue;
            er_trial s = swing(m, modes, k, 0.01);
            measure_at_most("small swings, shift", fabs(s.shift), 1e-4);
            measure_at_most("small swings, leakage", s.leakage, 1e-3);
        }
        assert_true(elastic > 0);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
}

// models/four_bar.json by its dimensions: crank, coupler and rocker from the pivots O and D, one coordinate.
typedef struct four_bar {
    double at[3]; // directions of the crank, the coupler and the rocker, from O, its tip, and D; rad
} four_bar;

static four_bar four_bar_at(double crank)
{
    const double a = 0.1, b = 0.26, c = 0.22, px = 0.28;
    double x = px - a * cos(crank), y = -a * sin(crank), d = hypot(x, y);
    double coupler = atan2(y, x) + acos((b * b + d * d - c * c) / (2.0 * b * d));
    double tip_x = a * cos(crank) + b * cos(coupler), tip_y = a * sin(crank) + b * sin(coupler);
    return (four_bar){{crank, coupler, atan2(tip_y, tip_x - px)}};
}

static double four_bar_bend(four_bar f) // of the crank to the coupler
{
    return f.at[1] - f.at[0];
}

static double four_bar_potential(double crank)
{
    const four_bar f = four_bar_at(crank), o = four_bar_at(atan2(0.08, 0.06));
    const double turn[] = {f.at[0] - o.at[0], four_bar_bend(f) - four_bar_bend(o),
                           f.at[2] - f.at[1] - o.at[2] + o.at[1], f.at[2] - o.at[2]};
    double sum = 0.0;
    for (int i = 0; i < 4; ++i)
        sum += 0.5 * 0.2 * turn[i] * turn[i];
    return sum;
}

// For uniform bars, at a crank's rate of 1.
static double four_bar_inertia(double crank)
{
    const double h = 1e-5, mass = 0.2041, half = 0.13;
    const four_bar f = four_bar_at(crank), low = four_bar_at(crank - h), high = four_bar_at(crank + h);
    double rate[3];
    for (int i = 0; i < 3; ++i)
        rate[i] = (high.at[i] - low.at[i]) / (2.0 * h);
    double vx = -0.1 * sin(crank) - half * rate[1] * sin(f.at[1]),
           vy = 0.1 * cos(crank) + half * rate[1] * cos(f.at[1]);
    return 6.6070833333333351e-05 + 0.0785 * 0.05 * 0.05 + mass * (vx * vx + vy * vy) +
           0.0011514641666666668 * rate[1] * rate[1] +
           (0.00069799583333333319 + 0.1727 * 0.11 * 0.11) * rate[2] * rate[2];
}

static double bisect(double (*f)(double), double value, double low, double high)
{
    bool rises = f(high) > f(low);
    for (int i = 0; i < 100; ++i) {
        double middle = 0.5 * (low + high);
        *((f(middle) < value) == rises ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

static double bend_at(double crank)
{
    return four_bar_bend(four_bar_at(crank));
}

// Hz, let go where the coupler has turned so far against the crank: T = 2 int sqrt(I / 2 (E - V)).
static double four_bar_frequency(double degrees)
{
    enum { N = 400 };
    double rest = atan2(0.08, 0.06), side = degrees > 0.0 ? -1.0 : 1.0, sum = 0.0;
    double from = bisect(bend_at, bend_at(rest) + degrees * ER_PI / 180.0, rest, rest + 0.8 * side);
    double to = bisect(four_bar_potential, four_bar_potential(from), rest, rest - 0.8 * side);
    for (int i = 0; i < N; ++i) { // the crank at middle + half sin u
        double u = ER_PI * ((i + 0.5) / N - 0.5), crank = 0.5 * (from + to) + 0.5 * fabs(to - from) * sin(u);
        double left = four_bar_potential(from) - four_bar_potential(crank);
        sum += sqrt(four_bar_inertia(crank) / (2.0 * left)) * 0.5 * fabs(to - from) * cos(u) * ER_PI / N;
    }
    return 0.5 / sum;
}

// The angle that is named is the one it is let go from; and a rig of one mode has no others to lose energy to.
static void a_linkage_swings_as_its_quadrature(void **state)
{
    er_model *m = read_sample("four_bar.json");
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    static const double degrees[] = {1.0, 5.0, 20.0, 29.0};
    assert_int_equal(modes->count, 1);
    double linear = four_bar_frequency(0.01);
    measure_at_most("four-bar linkage, Hz", fabs(linear / modes->mode[0].frequency_hz - 1.0), 1e-6);
    for (size_t i = 0; i < ERI_COUNT(degrees); ++i) {
        er_trial s = swing(m, modes, 0, degrees[i]);
        double shift = four_bar_frequency(degrees[i]) / modes->mode[0].frequency_hz - 1.0;
        measure_at_most("four-bar linkage, shift", fabs(s.shift - shift), 1e-5);
        assert_true(s.leakage == 0.0);
    }
    er_validity *v = validate(m, modes);
    double far = v->mode[0].true_to_degrees; // found to a hundredth of it
    double here = fabs(four_bar_frequency(far) / linear - 1.0);
    double beyond = fabs(four_bar_frequency(1.01 * far) / linear - 1.0);
    measure_at_most("four-bar linkage, shift at its bound over 2 %", here / 0.02, 1.0 + 1e-4);
    measure_at_most("four-bar linkage, shift beyond its bound under 2 %, of it", 1.0 - beyond / 0.02, 1e-3);
    er_validity_destroy(v);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// Two bars in a row, by a ball and a hinge, with springs of their own: modes of four frequencies.
static er_model *row_of_bars(void)
{
    memset(&r, 0, sizeof r);
    for (int b = 0; b < 2; ++b) {
        er_vec3 at = er_v3(0.1 * b, -0.5 - b, 0);
        rig_add_body(&r, 1.0 + 0.2 * b, er_v3(0.1, 0.02, 0.1), er_q_identity(), at, (er_pose){er_q_identity(), at});
        er_joint *joint = rig_add_joint(&r, b % 2 == 0 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, b - 1, b,
                                        (er_pose){er_q_identity(), {0.1 * b, -(double)b, 0}});
        for (int c = 0; c < 3; ++c)
            joint->stiffness[c] = 10.0 + 7.0 * b + 3.0 * c;
    }
    return rig_model(context, &r);
}

// Eight swings side by side in steps of one length, and single ones in steps held to a tolerance.
static void swings_side_by_side_are_those_of_single_worlds(void **state)
{
    er_model *models[] = {row_of_bars(), read_sample("chain_20.json")};
    for (size_t f = 0; f < ERI_COUNT(models); ++f) {
        er_modes *modes = rig_modes(context, models[f], ER_MODAL_AUTO);
        eri_swings *swings = NULL;
        assert_int_equal(eri_swings_create(context, models[f], modes, &swings), ER_OK);
        for (int k = f == 0 ? 0 : 18; k < modes->count; k += f == 0 ? 1 : every() ? 4 : 20)
            for (double degrees = 1.0; degrees < 30.0; degrees *= every() ? 2.0 : 20.0) {
                eri_swing alone = {.mode = &modes->mode[k], .degrees = degrees};
                er_trial beside = swing(models[f], modes, k, degrees);
                assert_int_equal(eri_swings_measure(swings, &alone, NULL), ER_OK);
                double off = fabs(beside.shift - alone.trial.shift);
                measure_at_most("shift, beside others and alone", off, 1e-6 + 1e-4 * fabs(alone.trial.shift));
                measure_at_most("leakage, beside others and alone", fabs(beside.leakage - alone.trial.leakage), 1e-3);
                measure_at_most("energy gained or lost alone", alone.drift, 1e-3);
            }
        eri_swings_destroy(swings);
        er_modes_destroy(modes);
        er_model_destroy(models[f]);
    }
}

// Ends it when so many modes are done, and counts its calls.
typedef struct stop {
    int at, calls;
} stop;

static bool stop_at(void *user, int done, int all)
{
    stop *s = user;
    ++s->calls;
    assert_int_equal(all, 2);
    return done < s->at;
}

static void work_can_be_ended(void **state)
{
    er_model *m = double_pendulum(&two, 1);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_validity_def def = er_default_validity_def();
    def.progress = stop_at;
    er_modal_set_threads(1);         // which alone tells of every swing
    for (int at = 0; at < 2; ++at) { // after a swing, and after the swings of a mode
        stop s = {.at = at};
        def.user = &s;
        er_validity *v = NULL;
        assert_int_equal(er_modes_validate(context, m, modes, &def, &v), ER_OK);
        assert_int_equal(v->count, at);
        if (at == 0) assert_int_equal(s.calls, 1);
        if (at == 1) assert_true(s.calls > v->mode[0].trial_count); // after each trial
        er_validity_destroy(v);
    }
    er_modes_destroy(modes);
    er_model_destroy(m);
}

static bool end_now(void *user, int done, int all)
{
    (void)done, (void)all;
    ++*(int *)user;
    return false;
}

// A swing of the chain's lowest mode takes many seconds: the work ends in the middle of it.
static void a_long_swing_can_be_ended(void **state)
{
    er_model *m = read_sample("chain_20.json");
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO), lowest = *modes;
    er_validity_def def = er_default_validity_def();
    er_validity *v = NULL;
    int calls = 0;
    lowest.count = 1;
    def.progress = end_now;
    def.user = &calls;
    er_modal_set_threads(1);
    double before = eri_thread_seconds();
    assert_int_equal(er_modes_validate(context, m, &lowest, &def, &v), ER_OK);
    measure_at_most("s that work goes on after it is ended", eri_thread_seconds() - before, 1.0);
    assert_true(v->count == 0 && calls == 1);
    er_validity_destroy(v);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

static bool end_it(void *user, int done, int all)
{
    (void)done, (void)all;
    return --*(int *)user > 0;
}

static void any_number_of_threads_finds_the_same(void **state)
{
    er_model *m = row_of_bars();
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_validity *one, *many;
    er_modal_set_threads(1);
    one = validate(m, modes);
    er_modal_set_threads(4);
    many = validate(m, modes);
    assert_true(one->count == 4 && many->count == one->count);
    for (int k = 0; k < one->count; ++k) {
        const er_mode_validity *a = &one->mode[k], *b = &many->mode[k];
        assert_true(a->mode == b->mode && a->at_least == b->at_least && a->trial_count == b->trial_count);
        assert_true(a->true_to_degrees == b->true_to_degrees);
        assert_memory_equal(a->trial, b->trial, (size_t)a->trial_count * sizeof *a->trial);
    }
    er_validity_destroy(many);
    er_validity_def def = er_default_validity_def();
    int calls = 5;
    def.progress = end_it;
    def.user = &calls;
    assert_int_equal(er_modes_validate(context, m, modes, &def, &many), ER_OK);
    assert_int_equal(calls, 0); // and it is not asked again
    for (int k = 0; k < many->count; ++k) {
        const er_mode_validity *b = &many->mode[k], *a = er_validity_find(one, b->mode);
        assert_true(a != NULL && a->true_to_degrees == b->true_to_degrees && a->trial_count == b->trial_count);
    }
    er_validity_destroy(many);
    er_modal_set_threads(1);
    er_validity_destroy(one);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// If modes cannot be let go, the lowest is reported, by any number of threads, and nothing is judged.
static void the_failure_of_the_lowest_mode_is_told(void **state)
{
    er_model *m = row_of_bars();
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_mode wrong[4];
    er_modes made = {.count = 4, .dof = modes->dof, .mode = wrong};
    for (int first = 0; first < 4; ++first) {
        char said[2][300];
        er_trial s;
        memcpy(wrong, modes->mode, sizeof wrong);
        for (int k = first; k < 4; ++k)
            wrong[k].frequency_hz = -1.0 - k; // no step of a world is below 0
        assert_int_equal(try_swing(m, &made, first, 1.0, &s), ER_ERROR_ARGUMENT);
        snprintf(said[0], sizeof said[0], "%s", er_context_error(context));
        for (int threads = 1; threads <= 4; threads += 3) {
            er_validity *v = (er_validity *)&s; // not NULL
            er_modal_set_threads(threads);
            assert_int_equal(er_modes_validate(context, m, &made, NULL, &v), ER_ERROR_ARGUMENT);
            assert_null(v);
            snprintf(said[1], sizeof said[1], "%s", er_context_error(context));
            assert_string_equal(said[0], said[1]);
        }
        if (first < 3) {
            assert_int_equal(try_swing(m, &made, first + 1, 1.0, &s), ER_ERROR_ARGUMENT);
            assert_string_not_equal(said[0], er_context_error(context));
        }
    }
    er_modal_set_threads(1);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// Threads share an allocator that serves one at a time, and give all back where it refuses them.
static void memory_that_ends_is_told_by_all_threads(void **state)
{
    er_model *m = double_pendulum(&two, 1);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_modal_set_threads(2);
    for (long left = 0, done = 0; !done; left += 1 + left / 2) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_validity *v = (er_validity *)1;
        l.left = left;
        er_result result = er_modes_validate(own, m, modes, NULL, &v);
        l.left = LEDGER_ALL;
        done = result == ER_OK;
        assert_true(done ? v->count == 2 : result == ER_ERROR_MEMORY && v == NULL);
        er_validity_destroy(v);
        ledger_end(&l, own);
    }
    er_modal_set_threads(1);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

static void nonsense_is_refused(void **state)
{
    er_model *m = double_pendulum(&two, 1), *loose;
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO), *rigid;
    er_validity *v;
    er_validity_def def = er_default_validity_def();
    memset(&r, 0, sizeof r); // a body that nothing holds: its modes are rigid
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    loose = rig_model(context, &r);
    rigid = rig_modes(context, loose, ER_MODAL_AUTO);
    assert_int_equal(er_modes_validate(context, loose, rigid, NULL, &v), ER_OK); // of no mode
    assert_true(v->count == 0 && v->shift == 0.02);
    er_validity_destroy(v);
    def.shift = 0.999; // the bound is 1
    assert_int_equal(er_modes_validate(context, loose, rigid, &def, &v), ER_OK);
    assert_true(v->count == 0 && v->shift == 0.999);
    er_validity_destroy(v);
    er_modes_destroy(rigid);
    er_model_destroy(loose);
    static const double shifts[] = {0.0, -0.1, 1.0, NAN};
    for (size_t i = 0; i < ERI_COUNT(shifts); ++i) {
        def.shift = shifts[i];
        assert_refusal(context, er_modes_validate(context, m, modes, &def, &v), ER_ERROR_ARGUMENT, "shift");
    }
    er_modes_destroy(modes);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge_is_true_at_any_amplitude),
        cmocka_unit_test(swings_are_counted_against_what_was_said),
        cmocka_unit_test(a_double_pendulum_shifts_and_leaks_as_lagrange_says),
        cmocka_unit_test(shifts_grow_as_the_square_of_the_amplitude),
        cmocka_unit_test(the_search_ends_at_two_per_cent),
        cmocka_unit_test(modes_of_one_frequency_leak_not_into_each_other),
        cmocka_unit_test(small_swings_are_true),
        cmocka_unit_test(a_linkage_swings_as_its_quadrature),
        cmocka_unit_test(swings_side_by_side_are_those_of_single_worlds),
        cmocka_unit_test(work_can_be_ended),
        cmocka_unit_test(a_long_swing_can_be_ended),
        cmocka_unit_test(any_number_of_threads_finds_the_same),
        cmocka_unit_test(the_failure_of_the_lowest_mode_is_told),
        cmocka_unit_test(memory_that_ends_is_told_by_all_threads),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("validity", tests, set_up, tear_down);
}
