// Modes against closed forms, against a judge that solves the same pencil by another route, and against the laws that
// scaling, moving and renumbering a rig must obey.
#include "support/context.h"
#include "support/judge.h"

#include <limits.h>
#include <string.h>

static const er_modal_method methods[] = {ER_MODAL_QR, ER_MODAL_SVD};

// A solved rig: its model and its modes.
typedef struct solved {
    er_model *model;
    er_modes *modes;
} solved;

static solved solve(const rig *r, er_modal_method method)
{
    er_model *model = rig_model(context, r);
    return (solved){model, rig_modes(context, model, method)};
}

static void forget(solved s)
{
    er_modes_destroy(s.modes);
    er_model_destroy(s.model);
}

static void counts_are(const er_modes *modes, int rigid, int mechanism, int elastic)
{
    assert_int_equal(modes->rigid_count, rigid);
    assert_int_equal(modes->mechanism_count, mechanism);
    assert_int_equal(modes->dof, rigid + mechanism + elastic);
    assert_int_equal(modes->count, modes->dof);
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        assert_int_equal(mode->kind, k < rigid               ? ER_MODE_RIGID
                                     : k < rigid + mechanism ? ER_MODE_MECHANISM
                                                             : ER_MODE_ELASTIC);
        assert_true(mode->kind == ER_MODE_ELASTIC ? mode->eigenvalue > 0.0 : mode->eigenvalue == 0.0);
        assert_true(k == 0 || mode->eigenvalue >= modes->mode[k - 1].eigenvalue);
        assert_true(relative_error(mode->frequency_hz + 1e-300, sqrt(mode->eigenvalue) / (2 * ER_PI) + 1e-300) < 1e-15);
    }
}

static double hz_of(double stiffness, double inertia)
{
    return sqrt(stiffness / inertia) / (2.0 * ER_PI);
}

// ---- one joint

static const double principal[3] = {0.7, 1.1, 1.6}, mass = 2.5;

// One body at a joint to the world: the centre of mass `arm` (joint axes) from the joint's origin, the principal axes
// along the joint's, the body's frame anywhere else.
static er_joint *one_joint(rig *r, dice *d, er_joint_type type, er_vec3 arm)
{
    memset(r, 0, sizeof *r);
    er_pose frame = dice_pose(d);
    er_vec3 com = er_pose_point(frame, arm);
    rig_add_body(r, mass, er_v3(principal[0], principal[1], principal[2]), frame.q, com, dice_pose(d));
    return rig_add_joint(r, type, -1, 0, frame);
}

// Every type of joint alone, centre of mass on it: each coordinate swings by itself at sqrt(k / I), in its own place of
// the joint's entries, by 1 / sqrt(I) since eta'M eta = 1.
static void each_coordinate_of_each_joint_swings_alone(void **state)
{
    dice d = {7};
    for (int type = 0; type < ER_JOINT_TYPE_COUNT; ++type)
        for (int trial = 0; trial < trials(20); ++trial)
            for (int m = 0; m < 2; ++m) {
                rig r;
                er_joint *j = one_joint(&r, &d, (er_joint_type)type, er_v3(0, 0, 0));
                int axis[6], count = er_joint_type_freedom(j->type, axis);
                if (count == 0) continue;
                for (int i = 0; i < count; ++i)
                    j->stiffness[i] = 10.0 * (1 + (i * 5 + trial) % 7) + i; // in no order
                solved s = solve(&r, methods[m]);
                counts_are(s.modes, 0, 0, count);
                bool met[6] = {false};
                for (int k = 0; k < count; ++k) {
                    const double *q = s.modes->mode[k].joint;
                    int at = 0;
                    for (int i = 1; i < count; ++i)
                        if (fabs(q[i]) > fabs(q[at])) at = i;
                    assert_false(met[at]);
                    met[at] = true;
                    double inertia = axis[at] < 3 ? principal[axis[at]] : mass;
                    inertia += j->pitch * j->pitch * mass; // a screw
                    measure_at_most("one joint, Hz",
                                    relative_error(s.modes->mode[k].frequency_hz, hz_of(j->stiffness[at], inertia)),
                                    1e-13); // 2.3e-15
                    for (int i = 0; i < count; ++i)
                        measure_at_most("one joint, entries", fabs(q[i] - (i == at ? 1 / sqrt(inertia) : 0.0)),
                                        1e-12); // 4.2e-14
                }
                forget(s);
            }
}

static void joints_that_hold_everything_are_refused(void **state)
{
    dice d = {8};
    rig r;
    one_joint(&r, &d, ER_JOINT_FIXED, er_v3(1, 2, 3));
    er_model *model = rig_model(context, &r);
    er_modes *modes = (er_modes *)&r;
    assert_int_equal(er_modal_solve(context, model, NULL, &modes), ER_ERROR_RIG);
    assert_null(modes);
    er_model_destroy(model);
}

// f = sqrt(k / (I + m d^2)) / 2 pi, d the distance of the centre of mass from the axis.
static void a_compound_pendulum_swings_at_its_closed_form(void **state)
{
    dice d = {9};
    for (int trial = 0; trial < trials(100); ++trial) {
        rig r;
        er_vec3 arm = dice_vec3(&d);
        one_joint(&r, &d, ER_JOINT_REVOLUTE, arm)->stiffness[0] = 3.0;
        solved s = solve(&r, methods[trial % 2]);
        counts_are(s.modes, 0, 0, 1);
        double inertia = principal[2] + mass * (arm.x * arm.x + arm.y * arm.y);
        measure_at_most("pendulum, Hz", relative_error(s.modes->mode[0].frequency_hz, hz_of(3.0, inertia)),
                        1e-13); // 1.6e-15
        forget(s);
    }
}

// The arm along z adds m d^2 to both axes across it, and leaves them apart.
static void universal_and_spherical_pendulums_swing_at_their_closed_forms(void **state)
{
    dice d = {10};
    const er_joint_type types[] = {ER_JOINT_UNIVERSAL, ER_JOINT_SPHERICAL};
    for (int t = 0; t < 2; ++t) {
        rig r;
        er_joint *j = one_joint(&r, &d, types[t], er_v3(0, 0, 0.8));
        const double inertia[3] = {principal[0] + mass * 0.64, principal[1] + mass * 0.64, principal[2]};
        for (int i = 0; i < 2 + t; ++i)
            j->stiffness[i] = (1 + i * i) * inertia[i]; // omega^2 = 1, 2, 5
        solved s = solve(&r, ER_MODAL_AUTO);
        counts_are(s.modes, 0, 0, 2 + t);
        for (int i = 0; i < 2 + t; ++i) {
            measure_at_most("two and three axes, eigenvalue", relative_error(s.modes->mode[i].eigenvalue, 1 + i * i),
                            1e-13); // 1.8e-15
            measure_at_most("two and three axes, entry",
                            relative_error(s.modes->mode[i].joint[i], 1 / sqrt(inertia[i])),
                            1e-13); // 5.5e-16
        }
        forget(s);
    }
}

// zeta = c / (2 sqrt(k I)), beside what the model gives every mode.
static void a_damper_gives_its_textbook_ratio(void **state)
{
    dice d = {11};
    rig r;
    er_joint *j = one_joint(&r, &d, ER_JOINT_REVOLUTE, er_v3(0.3, 0.4, 0.9));
    double inertia = principal[2] + mass * 0.25;
    j->stiffness[0] = 40.0;
    j->damping[0] = 0.8;
    for (int i = 0; i < 2; ++i) {
        r.damping_ratio = i * 0.03;
        solved s = solve(&r, ER_MODAL_AUTO);
        measure_at_most("damping ratio",
                        relative_error(s.modes->mode[0].damping_ratio, i * 0.03 + 0.8 / (2 * sqrt(40.0 * inertia))),
                        1e-13); // 6.5e-16
        forget(s);
    }
    j->stiffness[0] = 0.0; // where nothing oscillates there is no ratio
    solved s = solve(&r, ER_MODAL_AUTO);
    counts_are(s.modes, 0, 1, 0);
    assert_true(s.modes->mode[0].damping_ratio == 0.0);
    forget(s);
}

// ---- several joints

// Two free bodies on one axle swing against each other with I1 I2 / (I1 + I2).
static void two_free_bodies_swing_with_their_reduced_inertia(void **state)
{
    dice d = {12};
    const er_joint_type types[] = {ER_JOINT_REVOLUTE, ER_JOINT_PRISMATIC};
    for (int t = 0; t < 2; ++t)
        for (int trial = 0; trial < trials(20); ++trial) {
            rig r = {0};
            er_pose frame = dice_pose(&d);
            double m[2], moving[2];
            for (int i = 0; i < 2; ++i) {
                m[i] = pow(10, dice_uniform(&d, -3, 3));
                rig_add_body(&r, m[i], er_v3(0.02 * m[i], 0.03 * m[i], 0.04 * m[i]), frame.q,
                             er_pose_point(frame, er_v3(0, 0, i - 0.3)), dice_pose(&d));
                moving[i] = t == 0 ? 0.04 * m[i] : m[i];
            }
            rig_add_joint(&r, types[t], trial % 2, 1 - trial % 2, frame)->stiffness[0] = 5.0;
            solved s = solve(&r, methods[trial / 2 % 2]);
            counts_are(s.modes, 6, 0, 1);
            double reduced = moving[0] * moving[1] / (moving[0] + moving[1]);
            measure_at_most("reduced inertia, Hz", relative_error(s.modes->mode[6].frequency_hz, hz_of(5.0, reduced)),
                            1e-12); // 1.3e-15
            forget(s);
        }
}

// Discs on a shaft, free to turn as one: omega_i = 2 sqrt(k / I) sin(i pi / 2n), i = 1 .. n - 1.
static void a_torsion_shaft_has_the_frequencies_of_a_free_chain(void **state)
{
    dice d = {13};
    const int sizes[] = {2, 3, 8, 24};
    for (int i = 0; i < 4; ++i)
        for (int m = 0; m < 2; ++m) {
            int n = sizes[i];
            rig r = {0};
            er_pose shaft = dice_pose(&d);
            for (int k = 0; k < n; ++k) {
                er_pose pose = shaft;
                pose.p = er_pose_point(shaft, er_v3(0, 0, 0.1 * k));
                rig_add_body(&r, 0.5, er_v3(0.02, 0.02, 0.03), pose.q, pose.p, pose);
                if (k > 0) rig_add_joint(&r, ER_JOINT_REVOLUTE, k - 1, k, pose)->stiffness[0] = 700.0;
            }
            solved s = solve(&r, methods[m]);
            counts_are(s.modes, 6, 0, n - 1);
            for (int k = 1; k < n; ++k) {
                double omega = 2 * sqrt(700.0 / 0.03) * sin(k * ER_PI / (2 * n));
                measure_at_most("torsion shaft, Hz",
                                relative_error(s.modes->mode[5 + k].frequency_hz, omega / (2 * ER_PI)),
                                1e-12); // 2.4e-15
            }
            forget(s);
        }
}

static const double beam_length = 2.0, bending = 30.0, line_density = 0.4; // L, EI, rho A

// n slender rods with hinges of k = EI n / L between them; clamped: at the world too, there with `root` times that.
static double beam_hz(int n, bool clamped, double root, int mode)
{
    rig r = {0};
    double h = beam_length / n, m = line_density * h;
    for (int i = 0; i < n; ++i) {
        er_pose pose = {er_q_identity(), er_v3(i * h, 0, 0)};
        rig_add_body(&r, m, er_v3(m * h * h / 12, m * h * h / 12, m * h * h / 12), pose.q, er_v3((i + 0.5) * h, 0, 0),
                     pose);
        if (i > 0 || clamped)
            rig_add_joint(&r, ER_JOINT_REVOLUTE, i - 1, i, pose)->stiffness[0] = bending / h * (i == 0 ? root : 1.0);
    }
    solved s = solve(&r, ER_MODAL_AUTO);
    counts_are(s.modes, clamped ? 0 : 6, 0, clamped ? n : n - 1);
    double hz = s.modes->mode[s.modes->rigid_count + mode].frequency_hz;
    forget(s);
    return hz;
}

// Chains tend to the Euler-Bernoulli beam, beta^2 sqrt(EI / (rho A L^4)). A wave that turns by t from hinge to hinge
// has omega^2 rho A (2 + cos t) / 3 = EI / h^4 (2 - 2 cos t)^2: the rods' own inertia takes out the second order, and
// since free ends carry no moment a free chain is right to the fourth. A hinge bends for half a link on either side of
// it, so one at the clamp with the stiffness of the others puts the clamp half a link outside, first order; with twice
// that stiffness it bends for its own half alone, second order.
static void chains_tend_to_euler_bernoulli_beams(void **state)
{
    static const struct {
        const char *name;
        bool clamped;
        double root;
        double beta_length[2]; // cos b cosh b = -1 clamped, 1 free
        double order;
    } beams[] = {
        {"cantilever with equal hinges", true, 1.0, {1.875104068711961, 4.694091132974175}, 1.0},
        {"cantilever with a half cell at the clamp", true, 2.0, {1.875104068711961, 4.694091132974175}, 2.0},
        {"free beam", false, 1.0, {4.730040744862704, 7.853204624095838}, 4.0},
    };
    for (int b = 0; b < 3; ++b)
        for (int mode = 0; mode < 2; ++mode) {
            double beta = beams[b].beta_length[mode] / beam_length;
            double exact = beta * beta * sqrt(bending / line_density) / (2 * ER_PI), error[3];
            for (int i = 0; i < 3; ++i)
                error[i] = relative_error(beam_hz(16 << i, beams[b].clamped, beams[b].root, mode), exact);
            for (int i = 0; i < 2; ++i) {
                double order = log2(error[i] / error[i + 1]);
                measure_at_most(beams[b].name, fabs(order - beams[b].order), 0.2); // 0.066, 0.0077, 0.16
            }
            if (b == 2 && mode == 0) measure_at_most("free beam of 64 rods, Hz", error[2], 1e-7); // 2.1e-8
        }
}

// world -(a)- disc -(b)- disc, b up to 1e12 a: the squares of the frequencies are the roots of
// I^2 x^2 - (a + 2 b) I x + a b. The lower one loses digits as the spread of frequencies, where the matrix K of the
// discs' angles, formed, holds a only in the sum a + b and loses them as its square.
static void low_frequencies_keep_their_digits_beside_high_ones(void **state)
{
    for (int e = 0; e <= 12; e += 2) {
        double I = 0.03, a = 1.0 / 3.0, b = pow(10, e), half = (a + 2 * b) / 2;
        double high = (half + sqrt(half * half - a * b)) / I, low = a * b / (I * I) / high;
        rig r = {0};
        for (int k = 0; k < 2; ++k) {
            er_pose pose = {er_q_identity(), er_v3(0, 0, k)};
            rig_add_body(&r, 1, er_v3(I, I, I), pose.q, pose.p, pose);
            rig_add_joint(&r, ER_JOINT_REVOLUTE, k - 1, k, pose)->stiffness[0] = k == 0 ? a : b;
        }
        solved s = solve(&r, ER_MODAL_AUTO);
        counts_are(s.modes, 0, 0, 2);
        double error = relative_error(s.modes->mode[0].eigenvalue, low), spread = sqrt(high / low);
        measure_at_most("lowest eigenvalue, in eps times the spread of frequencies", error / (spread * 2.2e-16),
                        16.0); // 6.3e-1
        measure_at_most("highest eigenvalue beside a low one", relative_error(s.modes->mode[1].eigenvalue, high),
                        1e-14); // 1.8e-16
        if (e == 12) {
            volatile double sum = a + b; // volatile: rounded to a double

            measure_at_most("lowest eigenvalue at a spread of 3e6", error, 1e-8);            // 6.4e-16
            measure_at_most("what forming K loses of it", relative_error(sum - b, a), 1e-3); // 1.2e-4
            assert_true(relative_error(sum - b, a) > 1e3 * error);
        }
        forget(s);
    }
}

// ---- a four-bar linkage

// One degree of freedom: with crank, coupler and rocker turning at w1, w2, w3, the loop AB + BC = AD + DC gives
// w1 AB + w2 BC = w3 DC (each turned a quarter), two equations for w2 and w3 at w1 = 1.
static void a_four_bar_linkage_swings_as_its_kinematics_say(void **state)
{
    dice d = {14};
    for (int trial = 0; trial < trials(50); ++trial) {
        double p[4][2]; // A, B, C, D
        const double rest[4][2] = {{0, 0}, {0.2, 0.5}, {1.1, 0.9}, {1.0, 0}};
        for (int i = 0; i < 8; ++i)
            p[i / 2][i % 2] = rest[i / 2][i % 2] + dice_uniform(&d, -0.15, 0.15);
        double m[3], I[3], k[4], c[3][2]; // links AB, BC, DC; springs at A, B, C, D; centres of mass
        for (int i = 0; i < 4; ++i)
            k[i] = dice_uniform(&d, 1, 5);
        for (int i = 0; i < 3; ++i) {
            m[i] = dice_uniform(&d, 0.5, 4);
            I[i] = dice_uniform(&d, 0.1, 0.5);
            const double *a = i < 2 ? p[i] : p[3], *b = i < 2 ? p[i + 1] : p[2];
            for (int x = 0; x < 2; ++x)
                c[i][x] = (a[x] + b[x]) / 2 + dice_uniform(&d, -0.2, 0.2);
        }
        double ab[2] = {p[1][0] - p[0][0], p[1][1] - p[0][1]}, bc[2] = {p[2][0] - p[1][0], p[2][1] - p[1][1]};
        double dc[2] = {p[2][0] - p[3][0], p[2][1] - p[3][1]};
        double det = -bc[0] * dc[1] + bc[1] * dc[0];
        double w[3] = {1, (ab[0] * dc[1] - ab[1] * dc[0]) / det, (ab[0] * bc[1] - ab[1] * bc[0]) / det};
        double inertia = 0,
               stiffness = k[0] + k[1] * pow(w[1] - 1, 2) + k[2] * pow(w[2] - w[1], 2) + k[3] * w[2] * w[2];
        for (int i = 0; i < 3; ++i) {
            const double *pivot = i == 2 ? p[3] : p[i];
            double vx = -w[i] * (c[i][1] - pivot[1]), vy = w[i] * (c[i][0] - pivot[0]);
            if (i == 1) { // carried by B
                vx -= ab[1];
                vy += ab[0];
            }
            inertia += m[i] * (vx * vx + vy * vy) + I[i] * w[i] * w[i];
        }

        rig r = {0};
        er_pose plane = dice_pose(&d);
        for (int i = 0; i < 3; ++i)
            rig_add_body(&r, m[i], er_v3(I[i], I[i], I[i]), plane.q, er_pose_point(plane, er_v3(c[i][0], c[i][1], 0)),
                         dice_pose(&d));
        const int ends[4][2] = {{-1, 0}, {0, 1}, {2, 1}, {-1, 2}};
        for (int i = 0; i < 4; ++i) {
            er_pose frame = {plane.q, er_pose_point(plane, er_v3(p[i][0], p[i][1], 0))};
            er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, ends[i][0], ends[i][1], frame);
            j->stiffness[0] = k[i];
            j->closes_loop = i == 2;
        }
        solved s = solve(&r, methods[trial % 2]);
        counts_are(s.modes, 0, 0, 1);
        const double *q = s.modes->mode[0].joint, turn[4] = {1, w[1] - 1, w[1] - w[2], w[2]};
        measure_at_most("four-bar, Hz", relative_error(s.modes->mode[0].frequency_hz, hz_of(stiffness, inertia)),
                        1e-11); // 3.3e-15
        for (int i = 1; i < 4; ++i)
            measure_at_most("four-bar, ratios of joints", fabs(q[i] / q[0] - turn[i]), 1e-10); // 2.9e-15
        forget(s);
    }
}

// ---- what does not swing

static void springs_left_out_are_mechanisms(void **state)
{
    // four rods end to end, free; hinges 0 and 2 have springs, the ball between has none
    for (int m = 0; m < 2; ++m) {
        rig r = {0};
        for (int i = 0; i < 4; ++i) {
            er_pose pose = {er_q_identity(), er_v3(i, 0.1 * i * i, 0)};
            rig_add_body(&r, 1 + i, er_v3(0.1, 0.2, 0.2), pose.q, er_v3(i + 0.5, 0.1 * i * i, 0), pose);
            if (i == 0) continue;
            er_joint *j = rig_add_joint(&r, i == 2 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, i - 1, i, pose);
            j->stiffness[0] = i == 2 ? 0.0 : 10.0;
        }
        solved s = solve(&r, methods[m]);
        counts_are(s.modes, 6, 3, 2);
        for (int k = 0; k < 6; ++k) // rigid: no joint moves, exactly
            for (int c = 0; c < s.model->coordinate_count; ++c)
                assert_true(s.modes->mode[k].joint[c] == 0.0);
        for (int k = 6; k < 9; ++k) { // mechanisms: no spring is strained
            measure_at_most("springs in mechanisms", fabs(s.modes->mode[k].joint[0]), 1e-12); // 4.4e-16
            measure_at_most("springs in mechanisms", fabs(s.modes->mode[k].joint[4]), 1e-12); // 4.4e-16
        }
        forget(s);
    }
}

// A free rig without springs at all moves as it likes; bodies without joints are free each.
static void a_rig_without_springs_has_no_elastic_mode(void **state)
{
    rig r = {0};
    for (int i = 0; i < 3; ++i)
        rig_add_body(&r, 1, er_v3(0.1, 0.2, 0.2), er_q_identity(), er_v3(i, 0, 0), er_pose_identity());
    solved s = solve(&r, ER_MODAL_AUTO);
    counts_are(s.modes, 18, 0, 0);
    forget(s);
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, er_pose_identity());
    s = solve(&r, ER_MODAL_AUTO);
    counts_are(s.modes, 12, 1, 0);
    forget(s);
}

// A root on a free joint to the world is a free root: its six motions are rigid, and its coordinates report them.
static void a_free_joint_to_the_world_is_a_free_root(void **state)
{
    dice d = {15};
    for (int trial = 0; trial < trials(20); ++trial) {
        rig r;
        one_joint(&r, &d, ER_JOINT_FREE, dice_vec3(&d));
        rig_throw_body(&r, &d, 1, er_v3(1, 1, 1));
        rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, dice_pose(&d))->stiffness[0] = 1.0;
        solved s = solve(&r, methods[trial % 2]);
        judge *j = judge_create(s.model);
        counts_are(s.modes, 6, 0, 1);
        measure_at_most("free joint, R eta", judge_joint(j, s.modes), 1e-12); // 2e-15
        for (int k = 0; k < 6; ++k)
            assert_true(s.modes->mode[k].joint[6] == 0.0);
        judge_destroy(j);
        forget(s);
        r.joint[0].stiffness[3] = 4.0; // held along x: five are left
        s = solve(&r, methods[trial % 2]);
        counts_are(s.modes, 5, 0, 2);
        forget(s);
    }
}

// A spring whose joint a loop locks does not work, and is no mode; nor is a locked joint without one a mechanism.
static void locked_joints_do_not_count(void **state)
{
    dice d = {16};
    for (int trial = 0; trial < trials(100); ++trial) {
        rig r = {0};
        for (int i = 0; i < 3; ++i)
            rig_throw_body(&r, &d, 1 + i, er_v3(0.1, 0.2, 0.2));
        er_joint *locked = rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, dice_pose(&d));
        for (int i = 0; i < 3; ++i)
            locked->stiffness[i] = trial % 4 < 2 ? 50.0 : 0.0;
        rig_add_joint(&r, ER_JOINT_REVOLUTE, 1, 2, dice_pose(&d))->stiffness[0] = 3.0;
        rig_add_joint(&r, ER_JOINT_FIXED, 1, 0, dice_pose(&d))->closes_loop = true;
        solved s = solve(&r, methods[trial % 2]);
        counts_are(s.modes, 6, 0, 1);
        forget(s);
    }
}

// ---- random rigs

static void sign_is_fixed(const er_model *model, const er_modes *modes)
{
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        double largest = 0.0, value = 0.0;
        for (int i = 0; i < model->joint_count; ++i) {
            int axis[6], count = er_joint_type_freedom(model->joint[i].type, axis);
            for (int c = 0; c < count; ++c) {
                double q = mode->joint[model->coordinate[i] + c], unit = axis[c] < 3 ? 1.0 : model->size;
                if (fabs(q) / unit > largest * (1 + 1e-8)) {
                    largest = fabs(q) / unit;
                    value = q;
                }
            }
        }
        if (mode->kind != ER_MODE_RIGID) assert_true(value > 0.0);
    }
}

static void promises_hold(const judge *j, solved s)
{
    counts_are(s.modes, j->rigid, j->mechanism, j->dof - j->rigid - j->mechanism);
    assert_int_equal(s.modes->rank, j->rank);
    assert_int_equal(s.modes->constraint_count, j->rows);
    measure_at_most("G eta", judge_constraint(j, s.modes), 1e-10);                 // 2.9e-12
    measure_at_most("eta'M eta - I", judge_gram(j, s.modes), 1e-11);               // 3.4e-15
    measure_at_most("pencil", judge_pencil(j, s.modes), 1e-10);                    // 4.9e-13
    measure_at_most("joint - R eta", judge_joint(j, s.modes), 1e-10);              // 6.1e-12
    measure_at_most("eta'K eta - lambda", judge_rayleigh(j, s.modes), 1e-10);      // 5.6e-13
    measure_at_most("Hz against the judge's", judge_frequency(j, s.modes), 1e-10); // 6.7e-13
    int lowest = j->rigid + j->mechanism; // of the eigenvalue of its mode, where the judge's is of the largest
    if (lowest < j->dof)
        measure_at_most("its own pencil",
                        s.modes->residuals.pencil * (double)(j->lambda[lowest] / j->lambda[j->dof - 1]),
                        1e-10); // 1e-12
    measure_at_most("its own residuals", fmax(s.modes->residuals.constraint, s.modes->residuals.gram),
                    1e-10); // 2.9e-12
    sign_is_fixed(s.model, s.modes);
}

// The square of the sine of the largest angle, in the mass metric, between a mode of eigenvalue 0 of a and the space of
// those of b: the vectors themselves are not unique.
static double zero_space_angle(const judge *j, const er_modes *a, const er_modes *b)
{
    int zeros = a->rigid_count + a->mechanism_count;
    real worst = 0.0L;
    for (int k = 0; k < zeros; ++k) { // what M-projection on b's zero modes leaves of a's mode k
        real rest = 1.0L;
        for (int l = 0; l < zeros; ++l) {
            real overlap = 0.0L;
            for (int r = 0; r < j->n; ++r)
                for (int c = 6 * (r / 6); c < 6 * (r / 6) + 6; ++c)
                    overlap += (real)a->mode[k].body[r] * j->M[r * j->n + c] * (real)b->mode[l].body[c];
            rest -= overlap * overlap;
        }
        worst = fmaxl(worst, fabsl(rest));
    }
    return (double)worst;
}

static void random_rigs(bool loops, unsigned long long seed, int trials)
{
    dice d = {seed};
    int solved_rigs = 0;
    for (int trial = 0; trial < trials; ++trial) {
        rig r;
        rig_random(&r, &d, loops);
        r.damping_ratio = 0.01 * (trial % 3);
        er_model *model = rig_model(context, &r);
        judge *j = judge_create(model);
        measure_at_most("gap of the judge's ranks", j->gap, 1e-6); // 2.1e-18
        if (j->dof > 0) {
            ++solved_rigs;
            er_modes *by[2];
            for (int m = 0; m < 2; ++m) {
                by[m] = rig_modes(context, model, methods[m]);
                assert_int_equal(by[m]->method, methods[m]);
                promises_hold(j, (solved){model, by[m]});
            }
            for (int k = 0; k < by[0]->count; ++k)
                if (by[0]->mode[k].kind == ER_MODE_ELASTIC)
                    measure_at_most("Hz, qr against svd",
                                    relative_error(by[0]->mode[k].frequency_hz, by[1]->mode[k].frequency_hz),
                                    1e-9);                                                                    // 1e-12
            measure_at_most("zero space, qr against svd, squared", zero_space_angle(j, by[0], by[1]), 1e-11); // 2.7e-15
            er_modes_destroy(by[0]);
            er_modes_destroy(by[1]);
        }
        judge_destroy(j);
        er_model_destroy(model);
    }
    assert_true(solved_rigs > trials / 2);
}

static void random_trees_keep_every_promise(void **state)
{
    random_rigs(false, 101, 150);
}

static void random_graphs_with_loops_keep_every_promise(void **state)
{
    random_rigs(true, 202, 150);
}

// The source's loops, solved: of n links in a closed planar loop, n - 3 motions bend the hinges and six move it whole.
static void closed_loops_have_the_modes_of_the_table(void **state)
{
    const int links[] = {4, 16, 8, 9};
    const double sizes[] = {1.0, 1e-3, 1e3};
    dice d = {203};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 6; ++k) {
            int n = links[i];
            double corner[16][2], size = sizes[k / 2];
            for (int c = 0; c < n; ++c) { // regular, but for the loop of 8
                double angle = 2 * ER_PI * (c + (n == 8 ? dice_uniform(&d, -0.3, 0.3) : 0.0)) / n;
                double radius = size * (n == 8 ? dice_uniform(&d, 0.3, 0.6) : 0.5);
                corner[c][0] = radius * cos(angle);
                corner[c][1] = radius * sin(angle);
            }
            er_pose plane = dice_pose(&d);
            plane.p = er_v3_scale(size, plane.p);
            rig r = {0};
            rig_loop(&r, n, corner, plane, 1.0);
            solved s = solve(&r, methods[k % 2]);
            judge *j = judge_create(s.model);
            assert_int_equal(s.modes->dof, n + 3);
            assert_int_equal(s.modes->constraint_count - s.modes->rank, 3);
            counts_are(s.modes, 6, 0, n - 3);
            measure_at_most("closed loops, Hz against the judge's", judge_frequency(j, s.modes), 1e-10); // 3.5e-15
            measure_at_most("closed loops, G eta", judge_constraint(j, s.modes), 1e-11);                 // 7.3e-14
            measure_at_most("closed loops, eta'M eta - I", judge_gram(j, s.modes), 1e-11);               // 2.6e-15
            judge_destroy(j);
            forget(s);
        }
}

// ---- laws

// A random rig that has an elastic mode at least.
static void elastic_rig(rig *r, dice *d)
{
    for (;;) {
        rig_random(r, d, true);
        er_model *model = rig_model(context, r);
        judge *j = judge_create(model);
        bool good = j->dof > j->rigid + j->mechanism;
        judge_destroy(j);
        er_model_destroy(model);
        if (good) return;
    }
}

static void compare_hz(const char *law, const er_modes *a, const er_modes *b, double ratio, double tolerance)
{
    assert_int_equal(a->rigid_count, b->rigid_count);
    assert_int_equal(a->mechanism_count, b->mechanism_count);
    assert_int_equal(a->dof, b->dof);
    for (int k = a->rigid_count + a->mechanism_count; k < a->count; ++k)
        measure_at_most(law, relative_error(b->mode[k].frequency_hz, ratio * a->mode[k].frequency_hz), tolerance);
}

// Springs four times as stiff double every frequency, to the last bit: all of the arithmetic scales by powers of two.
static void four_times_the_stiffness_doubles_the_frequency_exactly(void **state)
{
    dice d = {301};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig r;
        elastic_rig(&r, &d);
        solved a = solve(&r, methods[trial % 2]);
        for (int i = 0; i < r.joint_count; ++i)
            for (int c = 0; c < 6; ++c)
                r.joint[i].stiffness[c] *= 4.0;
        solved b = solve(&r, methods[trial % 2]);
        compare_hz("stiffness x 4", a.modes, b.modes, 2.0, 0.0); // 0
        forget(a);
        forget(b);
    }
}

// Density times c divides frequencies by sqrt(c) and shapes too.
static void density_divides_frequencies_by_its_root(void **state)
{
    dice d = {302};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig r;
        elastic_rig(&r, &d);
        solved a = solve(&r, methods[trial % 2]);
        double c = trial < 20 ? 4.0 : pow(10, dice_uniform(&d, -4, 4));
        for (int i = 0; i < r.body_count; ++i) {
            r.body[i].mass *= c;
            r.body[i].inertia = er_m3_madd((er_mat3){0}, c, r.body[i].inertia);
        }
        solved b = solve(&r, methods[trial % 2]);
        compare_hz(trial < 20 ? "density x 4" : "density", a.modes, b.modes, 1 / sqrt(c),
                   trial < 20 ? 0.0 : 1e-11); // 0, 2.1e-13
        forget(a);
        forget(b);
    }
}

// Lengths times s, masses alike: inertias grow by s^2, so with the springs that resist turning times s^2 and those that
// resist shifting alike, nothing changes; with every spring alike, a rig of rotations alone slows by s.
static void lengths_scale_as_dimensions_say(void **state)
{
    dice d = {303};
    const double scale[] = {1e-3, 0.0254, 3.0, 1e3};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig r;
        elastic_rig(&r, &d);
        double s = scale[trial % 4];
        solved a = solve(&r, methods[trial % 2]);
        rig_scale(&r, s);
        for (int i = 0; i < r.joint_count; ++i) {
            int axis[6], count = er_joint_type_freedom(r.joint[i].type, axis);
            for (int c = 0; c < count; ++c)
                r.joint[i].stiffness[c] *= axis[c] < 3 ? s * s : 1.0;
        }
        solved b = solve(&r, methods[trial % 2]);
        compare_hz("lengths, springs to match", a.modes, b.modes, 1.0, 1e-10); // 8.2e-13
        forget(a);
        forget(b);
    }
    for (int i = 0; i < 4; ++i) {
        rig r;
        one_joint(&r, &d, ER_JOINT_SPHERICAL, er_v3(0.2, 0.3, 0.4));
        for (int c = 0; c < 3; ++c)
            r.joint[0].stiffness[c] = 1.0 + c;
        solved a = solve(&r, ER_MODAL_AUTO);
        rig_scale(&r, scale[i]);
        solved b = solve(&r, ER_MODAL_AUTO);
        compare_hz("lengths, springs alike", a.modes, b.modes, 1 / scale[i], 1e-13); // 8.3e-16
        forget(a);
        forget(b);
    }
}

// The same rig twice, bit for bit.
static void solving_twice_gives_the_same_bits(void **state)
{
    dice d = {306};
    for (int trial = 0; trial < 10; ++trial) {
        rig r;
        elastic_rig(&r, &d);
        solved a = solve(&r, methods[trial % 2]), b = solve(&r, methods[trial % 2]);
        assert_int_equal(a.modes->count, b.modes->count);
        for (int k = 0; k < a.modes->count; ++k) {
            assert_true(a.modes->mode[k].eigenvalue == b.modes->mode[k].eigenvalue);
            assert_memory_equal(a.modes->mode[k].body, b.modes->mode[k].body,
                                6 * (size_t)r.body_count * sizeof(double));
        }
        forget(a);
        forget(b);
    }
}

// ---- extremes

// A body whose frame lies far from its centre of mass, and one as light as dust beside one as heavy as a ship.
static void bodies_far_from_their_frames_keep_their_inertia(void **state)
{
    for (int e = 0; e <= 8; ++e) {
        rig r = {0};
        er_pose away = {er_q_identity(), er_v3(pow(10, e), 0, 0)};
        rig_add_body(&r, 1.0, er_v3(1e-4, 1e-4, 1e-4), er_q_identity(), er_v3(0, 0, 0), away);
        er_joint *j = rig_add_joint(&r, ER_JOINT_SPHERICAL, -1, 0, er_pose_identity());
        for (int i = 0; i < 3; ++i)
            j->stiffness[i] = 1.0;
        solved s = solve(&r, ER_MODAL_AUTO);
        counts_are(s.modes, 0, 0, 3);
        for (int k = 0; k < 3; ++k)
            measure_at_most("frame far away, Hz, in eps times distance over gyration",
                            relative_error(s.modes->mode[k].frequency_hz, hz_of(1.0, 1e-4)) /
                                (2.2e-16 * pow(10, e) / 1e-2),
                            16.0); // 1.5e-2
        forget(s);
    }
}

// Numbers of any size either solve to finite modes or are refused with a sentence.
static void extreme_numbers_solve_or_are_refused(void **state)
{
    dice d = {307};
    int fine = 0;
    for (int trial = 0; trial < trials(400); ++trial) {
        rig r;
        rig_random(&r, &d, true);
        double length = pow(10, dice_uniform(&d, -1, 1) * (trial < 200 ? 8 : 160)),
               weight = pow(10, dice_uniform(&d, -1, 1) * (trial < 200 ? 8 : 160)),
               spring = pow(10, dice_uniform(&d, -1, 1) * (trial < 200 ? 8 : 160));
        for (int i = 0; i < r.body_count; ++i) {
            r.body[i].mass *= weight;
            r.body[i].inertia = er_m3_madd((er_mat3){0}, weight, r.body[i].inertia);
        }
        rig_scale(&r, length);
        for (int i = 0; i < r.joint_count; ++i)
            for (int c = 0; c < 6; ++c)
                r.joint[i].stiffness[c] *= spring;
        er_model_def def = er_default_model_def();
        def.body_count = r.body_count;
        def.body = r.body;
        def.joint_count = r.joint_count;
        def.joint = r.joint;
        er_model *model = NULL;
        er_modes *modes = NULL;
        er_result result = er_model_create(context, &def, &model);
        if (result == ER_OK) result = er_modal_solve(context, model, NULL, &modes);
        if (result == ER_OK) {
            ++fine;
            for (int k = 0; k < modes->count; ++k) {
                assert_true(isfinite(modes->mode[k].eigenvalue) && isfinite(modes->mode[k].damping_ratio));
                for (int i = 0; i < 6 * model->body_count; ++i)
                    assert_true(isfinite(modes->mode[k].body[i]));
            }
            assert_true(modes->residuals.gram < 1e-9 && modes->residuals.constraint < 1e-9);
        } else {
            assert_true(result == ER_ERROR_RIG || result == ER_ERROR_NO_CONVERGENCE);
            assert_string_not_equal(er_context_error(context), "");
        }
        if (trial < 200 && model == NULL) fail_msg("a sound rig is refused: %s", er_context_error(context));
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
    assert_true(fine > trials(150));
}

// ---- calls

static void mode_count_and_highest_frequency_choose_the_lowest(void **state)
{
    rig r = {0};
    for (int k = 0; k < 10; ++k) {
        er_pose pose = {er_q_identity(), er_v3(0, 0, k)};
        rig_add_body(&r, 1, er_v3(1, 1, 1), pose.q, pose.p, pose);
        if (k > 0) rig_add_joint(&r, ER_JOINT_REVOLUTE, k - 1, k, pose)->stiffness[0] = 1.0;
    }
    solved all = solve(&r, ER_MODAL_AUTO);
    assert_int_equal(all.modes->count, 15);
    const struct {
        int wanted;
        double max_hz;
        int expected;
    } calls[] = {{1, HUGE_VAL, 1}, {8, HUGE_VAL, 8}, {15, HUGE_VAL, 15}, {1000, HUGE_VAL, 15},
                 {0, 1e-9, 6},     {3, 1e-9, 3},     {0, 1e9, 15}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        er_modal_def def = er_default_modal_def();
        def.mode_count = calls[i].wanted;
        def.max_hz = calls[i].max_hz;
        er_modes *some = NULL;
        assert_int_equal(er_modal_solve(context, all.model, &def, &some), ER_OK);
        assert_int_equal(some->count, calls[i].expected);
        assert_int_equal(some->dof, 15);
        assert_int_equal(some->rigid_count, 6);
        for (int k = 0; k < some->count; ++k)
            assert_true(some->mode[k].eigenvalue == all.modes->mode[k].eigenvalue);
        er_modes_destroy(some);
    }
    er_modal_def def = er_default_modal_def();
    def.max_hz = all.modes->mode[9].frequency_hz * (1 + 1e-12); // a mode on the bound stays
    er_modes *some = NULL;
    assert_int_equal(er_modal_solve(context, all.model, &def, &some), ER_OK);
    assert_int_equal(some->count, 10);
    er_modes_destroy(some);
    forget(all);
}

static void wrong_calls_are_refused(void **state)
{
    dice d = {18};
    rig r;
    one_joint(&r, &d, ER_JOINT_REVOLUTE, er_v3(0, 0, 0));
    er_model *model = rig_model(context, &r);
    er_modes *modes = (er_modes *)&r;
    er_modal_def def = er_default_modal_def();
    assert_int_equal(er_modal_solve(context, model, &def, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solve(NULL, model, &def, &modes), ER_ERROR_ARGUMENT);
    assert_null(modes);
    assert_int_equal(er_modal_solve(context, NULL, &def, &modes), ER_ERROR_ARGUMENT);
    def.tag = 0;
    assert_int_equal(er_modal_solve(context, model, &def, &modes), ER_ERROR_ARGUMENT);
    const double tolerances[] = {0, 1, -1, NAN}, highest[] = {0, -1, NAN};
    for (int i = 0; i < 4; ++i) {
        def = er_default_modal_def();
        def.rank_tol = tolerances[i];
        assert_int_equal(er_modal_solve(context, model, &def, &modes), ER_ERROR_ARGUMENT);
    }
    for (int i = 0; i < 3; ++i) {
        def = er_default_modal_def();
        def.max_hz = highest[i];
        assert_int_equal(er_modal_solve(context, model, &def, &modes), ER_ERROR_ARGUMENT);
    }
    def = er_default_modal_def();
    def.mode_count = -1;
    assert_int_equal(er_modal_solve(context, model, &def, &modes), ER_ERROR_ARGUMENT);
    def = er_default_modal_def();
    def.method = (er_modal_method)9;
    assert_int_equal(er_modal_solve(context, model, &def, &modes), ER_ERROR_ARGUMENT);
    assert_null(modes);
    er_model_destroy(model);
    er_modes_destroy(NULL);
}

static void names_are_those_of_the_files(void **state)
{
    assert_string_equal(er_mode_kind_name(ER_MODE_RIGID), "rigid");
    assert_string_equal(er_mode_kind_name(ER_MODE_MECHANISM), "mechanism");
    assert_string_equal(er_mode_kind_name(ER_MODE_ELASTIC), "elastic");
    assert_string_equal(er_modal_method_name(ER_MODAL_AUTO), "auto");
    assert_string_equal(er_modal_method_name(ER_MODAL_QR), "qr");
    assert_string_equal(er_modal_method_name(ER_MODAL_SVD), "svd");
    assert_string_equal(er_mode_kind_name((er_mode_kind)-1), "unknown");
    assert_string_equal(er_modal_method_name((er_modal_method)-1), "unknown");
}

// Shares and travel of a mode from their definitions: energies k q^2 over lambda; without springs, squares in units of
// the rig's size over their sum; angles in rad.
static void shares_and_travel_are_what_they_say(void **state)
{
    dice d = {19};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig r;
        elastic_rig(&r, &d);
        for (int i = 0; i < r.joint_count && trial % 4 >= 2; ++i)
            memset(r.joint[i].stiffness, 0, sizeof r.joint[i].stiffness);
        solved s = solve(&r, methods[trial % 2]);
        const er_model *m = s.model;
        double share[RIG_MAX], travel[RIG_MAX];
        for (int k = 0; k < s.modes->count; ++k) {
            const er_mode *mode = &s.modes->mode[k];
            er_mode_joint_shares(m, mode, share);
            er_mode_joint_travel(m, mode, travel);
            double sum = 0.0, moved = 0.0, square[RIG_MAX], squares = 0.0;
            for (int i = 0; i < m->joint_count; ++i) {
                int axis[6], count = er_joint_type_freedom(m->joint[i].type, axis);
                double energy = 0.0, turn = 0.0, shift = 0.0;
                for (int c = 0; c < count; ++c) {
                    double q = mode->joint[m->coordinate[i] + c];
                    energy += m->joint[i].stiffness[c] * q * q;
                    *(axis[c] < 3 ? &turn : &shift) += q * q;
                }
                square[i] = turn + shift / (m->size * m->size);
                squares += square[i];
                sum += share[i];
                moved += turn + shift;
                if (mode->kind == ER_MODE_ELASTIC)
                    measure_at_most("shares of energy", fabs(share[i] - energy / mode->eigenvalue), 1e-10); // 4.9e-14
                double expected = count > 0 && axis[0] < 3 ? sqrt(turn) : sqrt(shift) / m->size;
                measure_at_most("travel", fabs(travel[i] - expected), 1e-12 * (1 + expected)); // 7.1e-15
            }
            for (int i = 0; i < m->joint_count && mode->kind != ER_MODE_ELASTIC && squares > 0.0; ++i)
                measure_at_most("shares of squares", fabs(share[i] - square[i] / squares), 1e-12); // 2.2e-16
            measure_at_most("sum of shares", fabs(sum - (moved > 0.0)), 1e-12);                    // 4.4e-16
        }
        forget(s);
    }
}

// ---- memory

static void any_allocation_may_fail(void **state)
{
    dice d = {20};
    rig r;
    do
        elastic_rig(&r, &d);
    while (r.body_count < 9);
    for (int m = 0; m < 2; ++m) {
        er_modal_def def = er_default_modal_def();
        def.method = methods[m];
        assert_true(solve_starved(&r, &def) > 10);
    }
}

// A mass on a spring carries another 1e18 times as heavy on a spring: the inertia of both springs' rates is one matrix
// of rank 1 to doubles, so the routes on trees refuse what the routes on G solve.
static void auto_solves_what_trees_refuse(void **state)
{
    const double light = 1e-9, heavy = 1e9, k = 1.0;
    rig r = {0};
    for (int i = 0; i < 2; ++i) {
        er_pose pose = {er_q_identity(), er_v3(i, 0, 0)};
        double m = i == 0 ? light : heavy;
        rig_add_body(&r, m, er_v3(m, m, m), pose.q, pose.p, pose);
        rig_add_joint(&r, ER_JOINT_PRISMATIC, i - 1, i, pose)->stiffness[0] = k;
    }
    er_model *model = rig_model(context, &r);
    er_modal_def def = er_default_modal_def();
    er_modes *refused = NULL;
    def.method = ER_MODAL_TREE;
    assert_int_equal(er_modal_solve(context, model, &def, &refused), ER_ERROR_NOT_POSDEF);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    double low = hz_of(0.5 * k, heavy), high = hz_of(2.0 * k, light);
    measure_at_most("masses 1e18 apart, Hz", relative_error(modes->mode[0].frequency_hz, low), 1e-6);
    measure_at_most("masses 1e18 apart, Hz", relative_error(modes->mode[1].frequency_hz, high), 1e-12);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void modes_are_found_by_their_index(void **state)
{
    dice d = {61};
    rig r = {0};
    for (int i = 0; i < 4; ++i) {
        rig_throw_body(&r, &d, 1.0 + i, er_v3(0.1, 0.2, 0.2));
        if (i > 0) rig_add_joint(&r, ER_JOINT_REVOLUTE, i - 1, i, dice_pose(&d))->stiffness[0] = pow(10.0, i);
    }
    er_model *model = rig_model(context, &r);
    er_modes *all = rig_modes(context, model, ER_MODAL_QR), *some = NULL;
    er_modal_def def = er_default_modal_def();
    assert_int_equal(all->count, 9);
    def.min_hz = 0.5 * (all->mode[6].frequency_hz + all->mode[7].frequency_hz);
    assert_int_equal(er_modal_solve(context, model, &def, &some), ER_OK);
    assert_int_equal(some->count, 2);
    for (int index = -2; index < 12; ++index) {
        const er_mode *of_all = er_modes_find(all, index), *of_some = er_modes_find(some, index);
        assert_true(of_all == (index >= 0 && index < 9 ? &all->mode[index] : NULL));
        assert_true(of_some == (index == 7 || index == 8 ? &some->mode[index - 7] : NULL));
        if (of_some == NULL) continue;
        assert_true(relative_error(of_some->frequency_hz, of_all->frequency_hz) < 1e-9);
        assert_int_equal(er_modes_index(some, of_some), index);
        assert_int_equal(er_modes_index(all, of_all), index);
    }
    assert_null(er_modes_find(some, INT_MIN));
    assert_null(er_modes_find(some, INT_MAX));
    assert_null(er_modes_find(NULL, 0));
    er_modes_destroy(some);
    er_modes_destroy(all);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_solves_what_trees_refuse),
        cmocka_unit_test(modes_are_found_by_their_index),
        cmocka_unit_test(each_coordinate_of_each_joint_swings_alone),
        cmocka_unit_test(joints_that_hold_everything_are_refused),
        cmocka_unit_test(a_compound_pendulum_swings_at_its_closed_form),
        cmocka_unit_test(universal_and_spherical_pendulums_swing_at_their_closed_forms),
        cmocka_unit_test(a_damper_gives_its_textbook_ratio),
        cmocka_unit_test(two_free_bodies_swing_with_their_reduced_inertia),
        cmocka_unit_test(a_torsion_shaft_has_the_frequencies_of_a_free_chain),
        cmocka_unit_test(chains_tend_to_euler_bernoulli_beams),
        cmocka_unit_test(low_frequencies_keep_their_digits_beside_high_ones),
        cmocka_unit_test(a_four_bar_linkage_swings_as_its_kinematics_say),
        cmocka_unit_test(springs_left_out_are_mechanisms),
        cmocka_unit_test(a_rig_without_springs_has_no_elastic_mode),
        cmocka_unit_test(a_free_joint_to_the_world_is_a_free_root),
        cmocka_unit_test(locked_joints_do_not_count),
        cmocka_unit_test(random_trees_keep_every_promise),
        cmocka_unit_test(random_graphs_with_loops_keep_every_promise),
        cmocka_unit_test(closed_loops_have_the_modes_of_the_table),
        cmocka_unit_test(four_times_the_stiffness_doubles_the_frequency_exactly),
        cmocka_unit_test(density_divides_frequencies_by_its_root),
        cmocka_unit_test(lengths_scale_as_dimensions_say),
        cmocka_unit_test(solving_twice_gives_the_same_bits),
        cmocka_unit_test(bodies_far_from_their_frames_keep_their_inertia),
        cmocka_unit_test(extreme_numbers_solve_or_are_refused),
        cmocka_unit_test(mode_count_and_highest_frequency_choose_the_lowest),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(names_are_those_of_the_files),
        cmocka_unit_test(shares_and_travel_are_what_they_say),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("modal", tests, set_up, tear_down);
}
