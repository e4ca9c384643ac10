// Damped modes against closed forms, against roots of characteristic polynomials found in long double, and against the
// judge, who rebuilds M, C and K and puts every root and shape back into them.
#include "support/judge.h"

#include <complex.h>
#include <string.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/linkages.h"

typedef long double _Complex cplx;

typedef struct solved {
    er_model *model;
    er_modes *modes;
} solved;

static solved solve(const rig *r)
{
    er_model *model = rig_model(context, r);
    return (solved){model, rig_modes(context, model, ER_MODAL_AUTO)};
}

static void forget(solved s)
{
    er_modes_destroy(s.modes);
    er_model_destroy(s.model);
}

static er_pose at(double x)
{
    return (er_pose){er_q_identity(), er_v3(x, 0.0, 0.0)};
}

// A mass that slides along z of the world, on what holds it at `parent` (-1: the world).
static er_joint *add_slider(rig *r, int parent, double mass, double stiffness, double damping)
{
    int body = rig_add_body(r, mass, er_v3(mass, mass, mass), er_q_identity(), er_v3(r->body_count, 0.0, 0.0),
                            at(r->body_count));
    er_joint *j = rig_add_joint(r, ER_JOINT_PRISMATIC, parent, body, at(0.5 * r->body_count));
    j->stiffness[0] = stiffness;
    j->damping[0] = damping;
    return j;
}

// mu^2 + 2 zeta omega mu + omega^2 = 0
static void oscillator_roots(real omega, real zeta, cplx mu[2])
{
    if (zeta < 1.0L) {
        mu[0] = omega * (-zeta + _Complex_I * sqrtl((1.0L - zeta) * (1.0L + zeta)));
        mu[1] = conjl(mu[0]);
    } else {
        real fast = omega * (zeta + sqrtl((zeta - 1.0L) * (zeta + 1.0L)));
        mu[1] = -fast;
        mu[0] = -omega * omega / fast;
    }
}

static double root_error(cplx found, cplx expected)
{
    return (double)(cabsl(found - expected) / (cabsl(expected) > 0.0L ? cabsl(expected) : 1.0L));
}

// ---- one mode

static void one_joint_dies_away_as_the_textbook_says(void **state)
{
    static const double ratio[] = {0.0, 1e-12, 0.05, 0.7, 0.999, 1.001, 1.5, 20.0, 1e8, 1e30};
    for (size_t i = 0; i < ERI_COUNT(ratio); ++i)
        for (int by = 0; by < 4; ++by) { // the same damping from the joint, the ratio and the Rayleigh factors
            double mass = 2.5, k = 90.0, omega = sqrt(k / mass), c = 2.0 * ratio[i] * sqrt(k * mass);
            rig r = {.damping_ratio = by == 1 ? ratio[i] : 0.0,
                     .rayleigh_mass = by == 2 ? 2.0 * ratio[i] * omega : 0.0,
                     .rayleigh_stiffness = by == 3 ? 2.0 * ratio[i] / omega : 0.0};
            add_slider(&r, -1, mass, k, by == 0 ? c : 0.0);
            solved s = solve(&r);
            const er_mode *mode = &s.modes->mode[0];
            assert_int_equal(s.modes->count, 1);
            assert_int_equal(s.modes->damped_count, ratio[i] > 0.0);
            measure_at_most("zeta of one joint", fabs(mode->damping_ratio - ratio[i]) / (ratio[i] + 1e-300), 1e-14);
            if (ratio[i] > 0.0) {
                cplx mu[2], expected[2];
                damped_roots(s.modes, 0, mu);
                oscillator_roots(sqrtl((real)k / (real)mass), ratio[i], expected);
                for (int side = 0; side < 2; ++side) // near 1 the roots move as the root of zeta - 1
                    measure_at_most("roots of one joint", root_error(mu[side], expected[side]), 1e-12);
                assert_true((mode->damped_hz > 0.0) == (ratio[i] < 1.0));
                assert_null(s.modes->damped[0].shape[0]);
            } else {
                assert_true(mode->damped_hz == mode->frequency_hz && mode->damping_ratio == 0.0);
            }
            forget(s);
        }
}

static void critical_damping_is_one_double_root(void **state)
{
    rig r = {0};
    add_slider(&r, -1, 1.0, 4.0, 4.0); // omega 2, zeta 1
    solved s = solve(&r);
    const double *decay = s.modes->damped[0].decay;
    measure_at_most("critical: zeta - 1", fabs(s.modes->mode[0].damping_ratio - 1.0), 1e-14);
    measure_at_most("critical: Hz over undamped Hz", s.modes->mode[0].damped_hz * ER_PI, 1e-7);
    measure_at_most("critical: decay", fmax(relative_error(decay[0], 2.0), relative_error(decay[1], 2.0)), 1e-7);
    forget(s);
}

// ---- no frequency

static void a_free_hinge_with_a_damper_stops_and_stays(void **state)
{
    rig r = {0};
    double mass = 2.0, radius = 0.5, inertia = 3.0 + mass * radius * radius, c = 0.7;
    rig_add_body(&r, mass, er_v3(1, 3, 3), er_q_identity(), er_v3(radius, 0, 0), at(0));
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, at(0))->damping[0] = c;
    solved s = solve(&r);
    assert_int_equal(s.modes->mechanism_count, 1);
    assert_int_equal(s.modes->damped_count, 1);
    assert_true(s.modes->damped[0].decay[0] == 0.0);
    assert_true(s.modes->mode[0].damped_hz == 0.0 && s.modes->mode[0].damping_ratio == 0.0);
    measure_at_most("rate of a hinge", relative_error(s.modes->damped[0].decay[1], c / inertia), 1e-14);
    forget(s);
}

// Two equal sliders side by side, a damper on one: whatever basis the solver took of their equal modes, one motion dies
// away and the other does not at all.
static void what_no_damper_touches_is_not_damped_at_all(void **state)
{
    rig r = {0};
    for (int i = 0; i < 3; ++i)
        add_slider(&r, -1, 2.0, 0.0, i == 1 ? 3.0 : 0.0);
    solved s = solve(&r);
    int still = 0;
    double rate = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double *decay = s.modes->damped[k].decay;
        assert_true(decay[0] == 0.0);
        still += decay[1] == 0.0;
        rate = fmax(rate, decay[1]);
    }
    assert_int_equal(still, 2);
    measure_at_most("rate of the damped one", relative_error(rate, 1.5), 1e-13);
    forget(s);
}

static void a_drifting_body_feels_the_mass_factor_alone(void **state)
{
    dice d = {5};
    rig r = {.damping_ratio = 0.3, .rayleigh_mass = 0.25, .rayleigh_stiffness = 0.01};
    rig_throw_body(&r, &d, 3.0, er_v3(1, 2, 2.5));
    solved s = solve(&r);
    assert_int_equal(s.modes->damped_count, 6);
    for (int k = 0; k < 6; ++k) {
        assert_true(s.modes->damped[k].decay[0] == 0.0 && s.modes->damped[k].decay[1] == 0.25);
        assert_true(s.modes->mode[k].damped_hz == 0.0 && s.modes->mode[k].damping_ratio == 0.0);
    }
    forget(s);
}

// ---- several modes

// All roots of a polynomial of degree n, coefficients from the constant up (Durand 1960, Kerner 1966), in long double.
static void polynomial_roots(int n, const real *a, cplx *root)
{
    real size = 1.0L;
    for (int i = 0; i < n; ++i)
        size = fmaxl(size, powl(2.0L * fabsl(a[i] / a[n]), 1.0L / (real)(n - i)));
    for (int i = 0; i < n; ++i)
        root[i] = size * cexpl(_Complex_I * (0.4L + 2.0L * 3.14159265358979323846L * (real)i / (real)n));
    for (int pass = 0; pass < 4000; ++pass) {
        real moved = 0.0L;
        for (int i = 0; i < n; ++i) {
            cplx value = a[n], below = a[n];
            for (int k = n - 1; k >= 0; --k)
                value = value * root[i] + a[k];
            for (int k = 0; k < n; ++k)
                if (k != i) below *= root[i] - root[k];
            root[i] -= value / below;
            moved = fmaxl(moved, cabsl(value / below) / (cabsl(root[i]) + 1e-300L));
        }
        if (moved < 1e-18L) break;
    }
}

// The largest distance of a root found from its partner among the expected ones, relative; one to one.
static double roots_differ(int n, const cplx *found, cplx *expected)
{
    double worst = 0.0;
    for (int i = 0; i < n; ++i) {
        int nearest = i;
        for (int k = i; k < n; ++k)
            if (cabsl(found[i] - expected[k]) < cabsl(found[i] - expected[nearest])) nearest = k;
        cplx swap = expected[i];
        expected[i] = expected[nearest];
        expected[nearest] = swap;
        worst = fmax(worst, root_error(found[i], expected[i]));
    }
    return worst;
}

// world -k1,c1- m1 -k2,c2- m2, both along one line: det(mu^2 M + mu C + K) is a quartic (a cubic times mu without k1).
static void two_masses_have_the_roots_of_their_quartic(void **state)
{
    dice d = {77};
    for (int trial = 0; trial < trials(400); ++trial) {
        double m1 = pow(10, dice_uniform(&d, -1, 1)), m2 = pow(10, dice_uniform(&d, -1, 1)),
               k1 = trial % 4 == 3 ? 0.0 : pow(10, dice_uniform(&d, 0, 2)), k2 = pow(10, dice_uniform(&d, 0, 2)),
               strength = pow(10, trial % 20 - 9), c1 = trial % 3 == 1 ? 0.0 : strength * dice_uniform(&d, 0.5, 2),
               c2 = trial % 3 == 2 ? 0.0 : strength * dice_uniform(&d, 0.5, 2);
        rig r = {0};
        add_slider(&r, -1, m1, k1, c1);
        add_slider(&r, 0, m2, k2, c2);
        solved s = solve(&r);
        assert_int_equal(s.modes->count, 2);
        real M1 = m1, M2 = m2, K1 = k1, K2 = k2, C1 = c1, C2 = c2;
        // (m1 s^2 + (c1+c2) s + k1+k2)(m2 s^2 + c2 s + k2) - (c2 s + k2)^2
        const real a[5] = {K1 * K2, C1 * K2 + C2 * K1, M1 * K2 + M2 * (K1 + K2) + C1 * C2, M1 * C2 + M2 * (C1 + C2),
                           M1 * M2};
        int zeros = k1 == 0.0 ? (c1 == 0.0 ? 2 : 1) : 0;
        cplx expected[4] = {0}, found[4];
        polynomial_roots(4 - zeros, a + zeros, expected + zeros);
        damped_roots(s.modes, 0, found);
        damped_roots(s.modes, 1, found + 2);
        measure_at_most("quartic", roots_differ(4, found, expected), 1e-11);
        measure_at_most("quartic: its own residual", s.modes->residuals.damped, 1e-6);
        forget(s);
    }
}

// A mass on a spring carries equal masses on dampers alone: all but one of their rates are c / m, many times over, and
// rounding may make pairs of them, for which there is no room among the modes.
static void equal_rates_stay_real(void **state)
{
    dice d = {3};
    for (int trial = 0; trial < trials(60); ++trial) {
        int riders = 2 + trial % 5;
        double m0 = dice_uniform(&d, 0.5, 4), m = dice_uniform(&d, 0.5, 4), k = dice_uniform(&d, 5, 50),
               c = pow(10, dice_uniform(&d, -3, 3));
        rig r = {0};
        add_slider(&r, -1, m0, k, 0.0);
        for (int i = 0; i < riders; ++i)
            add_slider(&r, 0, m, 0.0, c);
        solved s = solve(&r);
        assert_int_equal(s.modes->mechanism_count, riders);
        cplx expected[14] = {0}, found[14];
        for (int i = 0; i < s.modes->count; ++i)
            damped_roots(s.modes, i, found + 2 * i);
        for (int i = 0; i < riders - 1; ++i)
            expected[riders + i] = -(real)c / (real)m;
        // (m0 s^2 + n c s + k)(m s + c) - n c^2 s
        real M0 = m0, M = m, C = c, K = k, n = riders;
        const real a[4] = {K * C, n * C * C + K * M - n * C * C, M0 * C + n * C * M, M0 * M};
        polynomial_roots(3, a, expected + 2 * riders - 1);
        measure_at_most("equal rates", roots_differ(2 * s.modes->count, found, expected), 1e-9);
        forget(s);
    }
}

static void roots_are_in_order(const er_modes *modes)
{
    assert_int_equal(modes->damped_count, modes->count);
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        const double *decay = modes->damped[k].decay;
        cplx mu[2];
        damped_roots(modes, k, mu);
        assert_true(decay[0] >= 0.0 && decay[1] >= decay[0]);
        if (mode->kind != ER_MODE_ELASTIC) {
            assert_true(decay[0] == 0.0 && mode->damped_hz == 0.0 && mode->damping_ratio == 0.0);
        } else if (mode->damped_hz > 0.0) {
            assert_true(decay[0] == decay[1] && mode->damping_ratio <= 1.0);
            assert_true(fabsl(mode->damping_ratio * cabsl(mu[0]) - decay[0]) <= 1e-14L * cabsl(mu[0]));
        } else {
            assert_true(decay[0] > 0.0 && mode->damping_ratio >= 1.0 - 1e-7);
        }
    }
}

// Masses on dampers ride on masses on nothing, two of them on one spring that a damper holds back: by energy the
// motions that die away would fill the modes of no frequency, and leave a root 0 to the elastic one.
static void roots_0_go_to_modes_of_no_frequency(void **state)
{
    static const struct {
        int parent;
        double mass, stiffness, damping;
    } sliders[] = {{-1, 2.11, 0, 0},   {0, 0.831, 0, 0.187}, {1, 0.14, 0, 0},       {1, 6.47, 0, 0},
                   {0, 0.73, 0, 27.7}, {0, 0.19, 0, 3.14},   {5, 3.03, 0.412, 26.5}};
    rig r = {0};
    for (size_t i = 0; i < ERI_COUNT(sliders); ++i)
        add_slider(&r, sliders[i].parent, sliders[i].mass, sliders[i].stiffness, sliders[i].damping);
    solved s = solve(&r);
    int dying = 0;
    roots_are_in_order(s.modes);
    for (int k = 0; k < s.modes->mechanism_count; ++k)
        dying += s.modes->damped[k].decay[1] > 0.0;
    assert_int_equal(s.modes->mechanism_count, 6);
    assert_int_equal(dying, 3);
    forget(s);
}

// A four-bar of one spring, damped in all its hinges, carries pendulums of neither: their swing moves no damper.
static void dampers_that_loops_tie_to_springs_leave_mechanisms_alone(void **state)
{
    static const er_modal_method routes[] = {ER_MODAL_QR, ER_MODAL_SVD, ER_MODAL_TREE, ER_MODAL_SPARSE};
    dice d = {9};
    for (int trial = 0; trial < trials(100); ++trial) {
        rig r = {0};
        linkages[0].build(&r, &d);
        for (int i = 0; i < r.joint_count; ++i) {
            r.joint[i].damping[0] = dice_uniform(&d, 0.1, 1);
            if (i > 0) r.joint[i].stiffness[0] = 0.0;
        }
        for (int i = 0; i < 4; ++i) {
            int body = rig_throw_body(&r, &d, pow(10, dice_uniform(&d, -3, 3)), er_v3(0.1, 0.2, 0.2));
            rig_add_joint(&r, ER_JOINT_SPHERICAL, i < 2 ? i : body - 1, body, dice_pose(&d));
        }
        er_model *model = rig_model(context, &r);
        for (size_t m = 0; m < ERI_COUNT(routes); ++m) {
            er_modes *modes = rig_modes(context, model, routes[m]);
            roots_are_in_order(modes);
            assert_int_equal(modes->mechanism_count, 12);
            for (int i = 0; i < 12; ++i)
                assert_true(modes->damped[i].decay[1] == 0.0 && modes->damped[i].shape[0] == NULL);
            er_modes_destroy(modes);
        }
        er_model_destroy(model);
    }
}

// ---- random rigs

static void strengthen(rig *r, double factor)
{
    for (int i = 0; i < r->joint_count; ++i)
        for (int c = 0; c < 6; ++c)
            r->joint[i].damping[c] *= factor;
}

static void random_rigs_solve_their_quadratic_problem(void **state)
{
    dice d = {2024};
    for (int trial = 0; trial < trials(240); ++trial) {
        rig r;
        rig_random(&r, &d, trial % 2 == 1);
        strengthen(&r, pow(10, dice_uniform(&d, -3, 7)));
        r.damping_ratio = trial % 3 == 1 ? dice_uniform(&d, 0, 2) : 0.0;
        r.rayleigh_mass = trial % 5 == 1 ? dice_uniform(&d, 0, 2) : 0.0;
        r.rayleigh_stiffness = trial % 5 == 2 ? dice_uniform(&d, 0, 2) : 0.0;
        er_model *model = rig_model(context, &r);
        judge *j = judge_create(model);
        if (j->dof > j->rigid) {
            er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
            if (modes->damped_count > 0) {
                roots_are_in_order(modes);
                double judged = judge_damped(j, modes), told = modes->residuals.damped;
                measure_at_most("(mu^2 M + mu C + K) eta", judged, 1e-7);
                // slow drifts are told by less than the judge takes, so what is told is no smaller, but for rounding
                measure_at_most("the same over what it tells", judged / (told + 1e-9), 2.0);
                measure_at_most("sum of mu + tr C", judge_damped_sum(j, modes), 1e-10);
                measure_at_most("sum of mu^2 - tr (C^2 - 2 K)", judge_damped_squares(j, modes), 1e-10);
            }
            er_modes_destroy(modes);
        }
        judge_destroy(j);
        er_model_destroy(model);
    }
}

// Dampers c = beta k are beta K: the coupled problem must come to the closed form of a proportional one.
static void dampers_that_go_with_the_springs_are_the_stiffness_factor(void **state)
{
    dice d = {404};
    for (int trial = 0; trial < trials(60); ++trial) {
        rig r;
        rig_random(&r, &d, trial % 2 == 1);
        double alpha = trial % 3 == 0 ? 0.0 : dice_uniform(&d, 0, 1), beta = pow(10, dice_uniform(&d, -4, 1));
        for (int i = 0; i < r.joint_count; ++i)
            for (int c = 0; c < 6; ++c)
                r.joint[i].damping[c] = beta * r.joint[i].stiffness[c];
        r.rayleigh_mass = alpha;
        er_model *model = rig_model(context, &r);
        er_modes *modes = NULL;
        if (er_modal_solve(context, model, NULL, &modes) == ER_OK && modes->damped_count > 0) {
            cplx found[2 * 6 * RIG_MAX], expected[2 * 6 * RIG_MAX];
            for (int k = 0; k < modes->count; ++k) {
                real omega = sqrtl((real)modes->mode[k].eigenvalue);
                damped_roots(modes, k, found + 2 * k);
                expected[2 * k] = 0.0L;
                expected[2 * k + 1] = -alpha;
                if (omega > 0.0L)
                    oscillator_roots(omega, 0.5L * ((real)alpha / omega + (real)beta * omega), expected + 2 * k);
            }
            // near zeta = 1 two roots part as the square root of an error
            measure_at_most("dampers like springs", roots_differ(2 * modes->count, found, expected), 1e-6);
        }
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

// For weak dampers the ratio is eta'R'cR eta / (2 omega), to the first order.
static void weak_dampers_give_the_first_order_ratio(void **state)
{
    dice d = {31};
    rig r = {0};
    for (int k = 0; k < 8; ++k) {
        double mass = dice_uniform(&d, 1, 3), stiffness = dice_uniform(&d, 10, 90);
        add_slider(&r, k - 1, mass, stiffness, 1e-5 * dice_uniform(&d, 0, 1));
    }
    solved s = solve(&r);
    for (int k = 0; k < 8; ++k) {
        const er_mode *mode = &s.modes->mode[k];
        double power = 0.0;
        for (int i = 0; i < 8; ++i)
            power += r.joint[i].damping[0] * mode->joint[i] * mode->joint[i];
        measure_at_most("first order", relative_error(mode->damping_ratio, 0.5 * power / sqrt(mode->eigenvalue)), 1e-8);
        measure_at_most("first order, Hz", relative_error(mode->damped_hz, mode->frequency_hz), 1e-10);
        measure_at_most("first order, own share", 1.0 - s.modes->damped[k].shape[0][k], 1e-8);
    }
    forget(s);
}

// Some modes left out: the same problem projected on those that are held.
static void fewer_modes_are_a_projection(void **state)
{
    dice d = {88};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig r;
        rig_random(&r, &d, trial % 2 == 1);
        strengthen(&r, pow(10, dice_uniform(&d, 0, 5)));
        er_model *model = rig_model(context, &r);
        judge *j = judge_create(model);
        if (j->dof > j->rigid + 2) {
            er_modal_def def = er_default_modal_def();
            def.mode_count = j->rigid + 1 + dice_below(&d, j->dof - j->rigid - 1);
            er_modes *modes = NULL;
            assert_int_equal(er_modal_solve(context, model, &def, &modes), ER_OK);
            if (modes->damped_count > 0) {
                roots_are_in_order(modes);
                measure_at_most("projected residual", judge_damped(j, modes), 1e-7);
                measure_at_most("projected sum of mu", judge_damped_sum(j, modes), 1e-10);
                measure_at_most("projected sum of mu^2", judge_damped_squares(j, modes), 1e-10);
            }
            er_modes_destroy(modes);
        }
        judge_destroy(j);
        er_model_destroy(model);
    }
}

// ---- numbers of any size, calls

static bool all_finite(const er_modes *modes)
{
    bool finite = isfinite(modes->residuals.damped);
    for (int k = 0; k < modes->damped_count; ++k) {
        const er_damped_mode *damped = &modes->damped[k];
        finite = finite && isfinite(modes->mode[k].damping_ratio) && isfinite(modes->mode[k].damped_hz);
        for (int side = 0; side < 2; ++side) {
            finite = finite && isfinite(damped->decay[side]);
            for (int i = 0; damped->shape[side] != NULL && i < modes->count; ++i)
                finite = finite && isfinite(damped->shape[side][i]);
        }
    }
    return finite;
}

static void extreme_dampers_solve_or_are_refused(void **state)
{
    dice d = {13};
    int fine = 0, refused = 0;
    for (int trial = 0; trial < trials(300); ++trial) {
        rig r;
        rig_random(&r, &d, trial % 2 == 1);
        strengthen(&r, pow(10, dice_uniform(&d, -50, trial % 3 == 0 ? 10 : 50)));
        double *const slot[] = {&r.damping_ratio, &r.rayleigh_mass, &r.rayleigh_stiffness};
        if (trial % 4 > 0) *slot[trial % 4 - 1] = pow(10, dice_uniform(&d, -50, 50));
        er_model *model = rig_model(context, &r);
        er_modes *modes = NULL;
        er_result result = er_modal_solve(context, model, NULL, &modes);
        if (result == ER_OK) {
            ++fine;
            assert_true(all_finite(modes));
        } else if (result != ER_ERROR_RIG) {
            ++refused;
            assert_refusal(context, result, ER_ERROR_NO_CONVERGENCE, "damper");
        }
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
    assert_true(fine > trials(100));
    assert_true(refused > 0);
}

static void the_same_rig_gives_the_same_bits(void **state)
{
    dice d = {21};
    for (int trial = 0; trial < trials(20); ++trial) {
        rig r;
        rig_random(&r, &d, true);
        strengthen(&r, 1e3);
        er_model *model = rig_model(context, &r);
        er_modes *m[2] = {NULL, NULL};
        if (er_modal_solve(context, model, NULL, &m[0]) == ER_OK) {
            assert_int_equal(er_modal_solve(context, model, NULL, &m[1]), ER_OK);
            for (int k = 0; k < m[0]->damped_count; ++k) {
                const er_damped_mode *a = &m[0]->damped[k], *b = &m[1]->damped[k];
                assert_memory_equal(a->decay, b->decay, sizeof a->decay);
                assert_true(m[0]->mode[k].damped_hz == m[1]->mode[k].damped_hz);
                for (int side = 0; side < 2 && a->shape[0] != NULL; ++side)
                    assert_memory_equal(a->shape[side], b->shape[side], (size_t)m[0]->count * sizeof(double));
            }
        }
        er_modes_destroy(m[0]);
        er_modes_destroy(m[1]);
        er_model_destroy(model);
    }
}

static void any_allocation_may_fail(void **state)
{
    rig r = {0};
    add_slider(&r, -1, 1.0, 0.0, 2.0); // a mechanism, and strong dampers of its neighbours: every path is taken
    add_slider(&r, 0, 2.0, 30.0, 0.5);
    add_slider(&r, 1, 0.01, 40.0, 1e7);
    add_slider(&r, -1, 1.0, 3.0, 0.0);
    er_result result = ER_ERROR_MEMORY;
    for (long k = 0; result != ER_OK; ++k) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_model *model = rig_model(own, &r);
        er_modes *modes = NULL;
        l.left = k;
        result = er_modal_solve(own, model, NULL, &modes);
        assert_true(result == ER_OK || (result == ER_ERROR_MEMORY && modes == NULL));
        er_modes_destroy(modes);
        er_model_destroy(model);
        ledger_end(&l, own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_joint_dies_away_as_the_textbook_says),
        cmocka_unit_test(critical_damping_is_one_double_root),
        cmocka_unit_test(a_free_hinge_with_a_damper_stops_and_stays),
        cmocka_unit_test(what_no_damper_touches_is_not_damped_at_all),
        cmocka_unit_test(a_drifting_body_feels_the_mass_factor_alone),
        cmocka_unit_test(two_masses_have_the_roots_of_their_quartic),
        cmocka_unit_test(equal_rates_stay_real),
        cmocka_unit_test(roots_0_go_to_modes_of_no_frequency),
        cmocka_unit_test(dampers_that_loops_tie_to_springs_leave_mechanisms_alone),
        cmocka_unit_test(random_rigs_solve_their_quadratic_problem),
        cmocka_unit_test(dampers_that_go_with_the_springs_are_the_stiffness_factor),
        cmocka_unit_test(weak_dampers_give_the_first_order_ratio),
        cmocka_unit_test(fewer_modes_are_a_projection),
        cmocka_unit_test(extreme_dampers_solve_or_are_refused),
        cmocka_unit_test(the_same_rig_gives_the_same_bits),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
