// Motions whose closed form textbooks tell, or that another program works out another way.
#include <eigenrig/dynamics.h>
#include <eigenrig/formats.h>
#include <eigenrig/motion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"
#include "support/hand.h"
#include "support/linkages.h"

static rig r;

static er_world_def define(const er_model *m, double tolerance)
{
    er_world_def def = er_default_world_def();
    def.model = m;
    def.tolerance = tolerance;
    return def;
}

static er_world *make(const er_world_def *def)
{
    er_world *w = NULL;
    if (er_world_create(context, def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void advance(er_world *w, double until)
{
    if (er_world_advance(w, until, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
}

static void set(er_world *w, const er_pose *pose, const er_twist *twist)
{
    if (er_world_set_state(w, 0.0, pose, twist) != ER_OK) fail_msg("%s", er_context_error(context));
}

static double span(er_vec3 a, er_vec3 b)
{
    return er_v3_norm(er_v3_sub(a, b));
}

// A body at the origin, its frame off its centre of mass.
static er_model *one_body(double mass, er_vec3 principal)
{
    memset(&r, 0, sizeof r);
    rig_add_body(&r, mass, principal, er_q_identity(), er_v3(0.3, -0.2, 0.1), er_pose_identity());
    return rig_model(context, &r);
}

// Turns about the centre of mass, which rests.
static er_twist spin_of(const er_model *m, er_vec3 w)
{
    return (er_twist){w, er_v3_scale(-1.0, er_v3_cross(w, m->body[0].com))};
}

// K(k) by the arithmetic-geometric mean.
static double elliptic_K(double k2)
{
    double a = 1.0, b = sqrt(1.0 - k2);
    for (int i = 0; i < 40; ++i) {
        double next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
    }
    return ER_PI / (2.0 * a);
}

// Euler's equations about nearly the middle axis: w = (cn, sn, dn) of p t, p and k from energy and angular momentum.
static void a_wing_nut_flips_in_time(void **state)
{
    const double I[3] = {1.0, 2.0, 2.5}, W = 3.0, e = 1e-3;
    double twice_E = I[1] * W * W + I[2] * e * e, L2 = I[1] * I[1] * W * W + I[2] * I[2] * e * e;
    double p = sqrt((I[2] - I[1]) * (L2 - twice_E * I[0]) / (I[0] * I[1] * I[2]));
    double k2 = (I[1] - I[0]) * (twice_E * I[2] - L2) / ((I[2] - I[1]) * (L2 - twice_E * I[0]));
    double period = 4.0 * elliptic_K(k2) / p;
    er_model *m = one_body(2.0, er_v3(I[0], I[1], I[2]));
    for (int route = 0; route < 2; ++route)
        for (int matrix = 0; matrix < 1 + route; ++matrix) {
            er_world_def def = define(m, 1e-13);
            def.route = (er_dynamics_route)route;
            def.rotation_state = (er_rotation_state)matrix;
            er_world *w = make(&def);
            er_twist twist = spin_of(m, er_v3(0, W, e));
            set(w, NULL, &twist);
            advance(w, 0.5 * period);
            measure_at_most("wing nut, half a period", span(er_world_twist(w)[0].angular, er_v3(0, -W, e)) / W, 1e-7);
            advance(w, period);
            measure_at_most("wing nut, a period", span(er_world_twist(w)[0].angular, er_v3(0, W, e)) / W, 1e-7);
            er_world_destroy(w);
        }
    er_model_destroy(m);
}

// I = (A, A, C): w turns about the axis at (C - A) / A of the spin.
static void a_symmetric_top_precesses(void **state)
{
    er_model *m = one_body(1.0, er_v3(1.0, 1.0, 1.6));
    er_world_def def = define(m, 1e-12);
    er_world *w = make(&def);
    er_twist twist = spin_of(m, er_v3(0.5, 0, 4.0));
    set(w, NULL, &twist);
    advance(w, 5.0);
    double angle = 0.6 * 4.0 * 5.0;
    measure_at_most("symmetric top", span(er_world_twist(w)[0].angular, er_v3(0.5 * cos(angle), 0.5 * sin(angle), 4.0)),
                    1e-9);
    er_world_destroy(w);
    er_model_destroy(m);
}

// A symmetric body on a ball joint, turning about the vertical alone: (A - C) cos(tilt) W^2 = m g l.
static void a_conical_pendulum_keeps_its_tilt(void **state)
{
    const double mass = 2.0, l = 0.7, tilt = 0.8, g = 9.81, side = 0.3, axial = 0.1;
    memset(&r, 0, sizeof r);
    rig_add_body(&r, mass, er_v3(side, side, axial), er_q_identity(), er_v3(0, 0, -l), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_SPHERICAL, -1, 0, er_pose_identity());
    er_model *m = rig_model(context, &r);
    double W = sqrt(mass * g * l / ((mass * l * l + side - axial) * cos(tilt)));
    for (int route = 0; route < 2; ++route) {
        er_world_def def = define(m, 1e-12);
        def.gravity = er_v3(0, 0, -g);
        def.route = (er_dynamics_route)route;
        er_world *w = make(&def);
        er_pose pose = {er_q_exp(er_v3(0, tilt, 0)), {0, 0, 0}};
        er_twist twist = {er_q_rotate(er_q_conj(pose.q), er_v3(0, 0, W)), {0, 0, 0}};
        set(w, &pose, &twist);
        advance(w, 3.0);
        er_vec3 com = er_pose_point(er_world_pose(w)[0], m->body[0].com), start = er_pose_point(pose, m->body[0].com);
        measure_at_most("conical pendulum", span(com, er_q_rotate(er_q_exp(er_v3(0, 0, 3.0 * W)), start)) / l, 1e-9);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

// A double pendulum in the plane by Lagrange's equations in its two angles, by RK4 in short steps.
typedef struct pendulum {
    double m1, m2, c1, c2, l, I1, I2, g;
} pendulum;

static void pendulum_rate(const pendulum *p, const double y[4], double dy[4])
{
    double d = y[0] - y[1], a = p->I1 + p->m1 * p->c1 * p->c1 + p->m2 * p->l * p->l, k = p->m2 * p->l * p->c2;
    double b = p->I2 + p->m2 * p->c2 * p->c2, x = k * cos(d), s = k * sin(d);
    double f1 = -s * y[3] * y[3] - (p->m1 * p->c1 + p->m2 * p->l) * p->g * sin(y[0]);
    double f2 = s * y[2] * y[2] - p->m2 * p->c2 * p->g * sin(y[1]), det = a * b - x * x;
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = (b * f1 - x * f2) / det;
    dy[3] = (a * f2 - x * f1) / det;
}

static void pendulum_run(const pendulum *p, double y[4], double time, int steps)
{
    double h = time / steps, k[4][4], at[4];
    for (int n = 0; n < steps; ++n) {
        for (int s = 0; s < 4; ++s) {
            for (int i = 0; i < 4; ++i)
                at[i] = y[i] + (s == 0 ? 0.0 : s == 3 ? h : 0.5 * h) * (s == 0 ? 0.0 : k[s - 1][i]);
            pendulum_rate(p, at, k[s]);
        }
        for (int i = 0; i < 4; ++i)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

// Hangs along -y, swings about z.
static er_model *double_pendulum(const pendulum *p)
{
    memset(&r, 0, sizeof r);
    rig_add_body(&r, p->m1, er_v3(0.2, 0.15, p->I1), er_q_identity(), er_v3(0, -p->c1, 0), er_pose_identity());
    er_pose hinge = {er_q_identity(), er_v3(0, -p->l, 0)};
    rig_add_body(&r, p->m2, er_v3(0.2, 0.15, p->I2), er_q_identity(), er_v3(0, -p->l - p->c2, 0), hinge);
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, hinge);
    return rig_model(context, &r);
}

static void a_double_pendulum_swings_as_lagrange_says(void **state)
{
    pendulum p = {1.0, 0.8, 0.5, 0.45, 1.0, 0.1, 0.08, 9.81};
    double y[4] = {0.9, -0.6, 0.3, -0.2};
    er_model *m = double_pendulum(&p);
    for (int route = 0; route < 2; ++route) {
        er_world_def def = define(m, 1e-13);
        def.gravity = er_v3(0, -p.g, 0);
        def.route = (er_dynamics_route)route;
        er_world *w = make(&def);
        const double x[2] = {0.9, -1.5}, rate[2] = {0.3, -0.5};
        assert_int_equal(er_world_set_displacement(w, 0.0, x, rate), ER_OK);
        advance(w, 10.0);
        double q[2];
        er_world_coordinates(w, q, NULL);
        if (route == 0) pendulum_run(&p, y, 10.0, 100000);
        measure_at_most("double pendulum, rad in 10 s", fmax(fabs(q[0] - y[0]), fabs(q[0] + q[1] - y[1])), 1e-8);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

// Poses and twists in long steps let joints come apart, and are put together where that is asked for.
static void drift_is_removed_or_left_in(void **state)
{
    pendulum p = {1.0, 0.8, 0.5, 0.45, 1.0, 0.1, 0.08, 9.81};
    er_model *m = double_pendulum(&p);
    for (int matrix = 0; matrix < 2; ++matrix)
        for (int left = 0; left < 2; ++left) {
            er_world_def def = define(m, 1e-6);
            def.gravity = er_v3(0, -p.g, 0);
            def.route = ER_ROUTE_MULTIPLIERS;
            def.rotation_state = (er_rotation_state)matrix;
            def.integrator = ER_INTEGRATE_RK4;
            def.max_step = 0.02;
            if (left) def.drift_tolerance = HUGE_VAL;
            er_world *w = make(&def);
            const double x[2] = {0.9, -1.5};
            assert_int_equal(er_world_set_displacement(w, 0.0, x, NULL), ER_OK);
            er_world_report report;
            assert_int_equal(er_world_advance(w, 5.0, &report), ER_OK);
            assert_int_equal(report.steps, 250);
            assert_int_equal(report.rejected, 0);
            assert_true(report.evaluations >= 1000 && report.gap > 1e-9);
            assert_true(left ? report.corrections == 0 : report.corrections > 200);
            double gap = er_world_measure_gap(w);
            if (left)
                assert_true(gap > 1e-7);
            else
                measure_at_most("drift removed", gap, 1e-10);
            er_world_destroy(w);
        }
    er_model_destroy(m);
}

// ---- Loops for a minute

static void keep_closed(const char *gap, const char *energy, const er_model *m, double rate, er_vec3 gravity,
                        er_dynamics_route route, double until)
{
    er_world_def def = define(m, 1e-12);
    def.gravity = gravity;
    def.route = route;
    def.drift_tolerance = 1e-12;
    er_world *w = make(&def);
    double v[64] = {0}, worst = 0.0, most = 0.0;
    v[0] = rate;
    assert_int_equal(er_world_set_displacement(w, 0.0, NULL, v), ER_OK);
    double before = er_world_measure_energy(w).mechanical;
    for (int s = 1; s <= 20; ++s) {
        advance(w, s * until / 20.0);
        er_world_energy e = er_world_measure_energy(w);
        worst = fmax(worst, fabs(e.mechanical - before));
        most = fmax(most, e.kinetic);
        measure_at_most(gap, er_world_measure_gap(w), 1e-9);
    }
    measure_at_most(energy, worst / most, 1e-8);
    er_world_destroy(w);
}

static void a_four_bar_stays_closed(void **state)
{
    char path[4096];
    const char *source = getenv("EIGENRIG_SOURCE");
    er_model *m = NULL;
    snprintf(path, sizeof path, "%s/models/four_bar.json", source != NULL ? source : ".");
    if (er_rig_file_read(context, path, NULL, NULL, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    keep_closed("four-bar, gap", "four-bar, energy", m, 3.0, er_v3(0, -9.81, 0), ER_ROUTE_REDUCED, 60.0);
    keep_closed("four-bar, gap by multipliers", "four-bar, energy by multipliers", m, 3.0, er_v3(0, -9.81, 0),
                ER_ROUTE_MULTIPLIERS, 5.0);
    er_model_destroy(m);
}

// A parallelogram of two cranks of 1 m passes its flat pose, where its loop has a row less, and stays one, by both
// routes.
static void a_parallelogram_passes_its_flat_pose(void **state)
{
    const double angle = ER_PI / 3.0, c = cos(angle), n = sin(angle);
    const er_vec3 joint[] = {{0, 0, 0}, {c, n, 0}, {2.0 + c, n, 0}, {2, 0, 0}};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 3; ++i) {
        er_vec3 along = er_v3_sub(joint[i + 1], joint[i]), middle = er_v3_madd(joint[i], 0.5, along);
        double length = er_v3_norm(along), moment = length * length / 12.0;
        er_pose at = {er_q_exp(er_v3(0, 0, atan2(along.y, along.x))), middle};
        rig_add_body(&r, 1.0, er_v3(0.01, moment, moment), at.q, middle, at);
    }
    for (int i = 0; i < 4; ++i) {
        er_pose at = {er_q_identity(), joint[i]};
        er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, i < 3 ? i - 1 : -1, i < 3 ? i : 2, at);
        j->closes_loop = i == 3;
    }
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route) {
        er_world_def def = define(m, 1e-9);
        def.gravity = er_v3(0, 0, 0);
        def.route = (er_dynamics_route)route;
        er_world *w = make(&def);
        double v[4] = {2.7};
        assert_int_equal(er_world_set_displacement(w, 0.0, NULL, v), ER_OK);
        double before = er_world_measure_energy(w).mechanical, turned = 0.0, spin = er_world_twist(w)[0].angular.z;
        for (int k = 1; k <= 500; ++k) {
            advance(w, 0.01 * k);
            turned += 0.01 * er_world_twist(w)[0].angular.z;
            measure_at_most("parallelogram, turn of its coupler", fabs(er_world_twist(w)[1].angular.z) / spin, 1e-4);
            measure_at_most("parallelogram, gap", er_world_measure_gap(w), 1e-8);
        }
        measure_at_most("parallelogram, energy", fabs(er_world_measure_energy(w).mechanical / before - 1.0), 1e-6);
        measure_at_most("parallelogram, turns", fabs(turned / (5.0 * spin) - 1.0), 1e-6);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

static void a_bennett_linkage_stays_closed(void **state)
{
    for (int i = 0; i < LINKAGE_COUNT; ++i) {
        if (strcmp(linkages[i].name, "Bennett's linkage") != 0) continue;
        dice d = {7};
        memset(&r, 0, sizeof r);
        linkages[i].build(&r, &d);
        er_model *m = rig_model(context, &r);
        keep_closed("Bennett, gap", "Bennett, energy", m, 2.0, er_v3(0, 0, 0), ER_ROUTE_REDUCED, 60.0);
        keep_closed("Bennett, gap by multipliers", "Bennett, energy by multipliers", m, 2.0, er_v3(0, 0, 0),
                    ER_ROUTE_MULTIPLIERS, 5.0);
        er_model_destroy(m);
    }
}

// ---- Modes

// eta_k' M v: how fast a mode moves.
static double modal_rate(const er_model *m, const double *eta, const er_twist *twist)
{
    double sum = 0.0;
    for (int b = 0; b < m->body_count; ++b, eta += 6) {
        const er_body *body = &m->body[b];
        er_vec3 w = er_v3(eta[0], eta[1], eta[2]), v = er_v3(eta[3], eta[4], eta[5]);
        v = er_v3_add(v, er_v3_cross(w, body->com));
        er_vec3 moves = er_v3_add(twist[b].linear, er_v3_cross(twist[b].angular, body->com));
        sum += body->mass * er_v3_dot(v, moves) + er_v3_dot(w, er_m3_mul_v(body->inertia, twist[b].angular));
    }
    return sum;
}

// Started at a small displacement a mode swings at its frequency, told by its phase after ten periods, and no other one
// moves.
static void judge_modes(const er_model *m, int every)
{
    er_modal_def modal = er_default_modal_def();
    er_modes *modes = NULL;
    er_kinematics *k = NULL;
    assert_int_equal(er_modal_solve(context, m, &modal, &modes), ER_OK);
    assert_int_equal(er_kinematics_create(context, m, &k), ER_OK);
    er_world_def def = define(m, 1e-9);
    def.max_step = 1.0;
    er_world *w = make(&def);
    int elastic = 0;
    for (int i = 0; i < modes->count; ++i) {
        const er_mode *mode = &modes->mode[i];
        if (mode->kind != ER_MODE_ELASTIC || elastic++ % every != every / 2) continue; // the lowest take the most steps
        double x[1024], largest = 0.0;
        assert_true(er_kinematics_width(k) <= 1024 && er_world_displacement_width(w) == er_kinematics_width(k));
        er_kinematics_mode(k, mode, x);
        for (int c = 0; c < er_kinematics_width(k); ++c)
            largest = fmax(largest, fabs(x[c]));
        for (int c = 0; c < er_kinematics_width(k); ++c)
            x[c] *= 1e-4 / largest;
        if (er_world_set_displacement(w, 0.0, x, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
        double omega = 2.0 * ER_PI * mode->frequency_hz, energy = er_world_measure_energy(w).mechanical;
        advance(w, 10.25 * 2.0 * ER_PI / omega); // where it is fastest
        double fast = modal_rate(m, mode->body, er_world_twist(w));
        advance(w, 10.5 * 2.0 * ER_PI / omega); // where it turns
        double slow = modal_rate(m, mode->body, er_world_twist(w));
        measure_at_most("frequency of modes, off", fabs(slow / fast) / (2.0 * ER_PI * 10.5), 1e-4);
        double others = 0.0;
        for (int j = 0; j < modes->count; ++j) {
            double v = modal_rate(m, modes->mode[j].body, er_world_twist(w));
            if (j != i) others += 0.5 * v * v;
        }
        measure_at_most("energy in other modes", others / energy, 1e-3);
        measure_at_most("energy of a mode", fabs(0.5 * fast * fast / energy - 1.0), 1e-3);
    }
    assert_true(elastic >= every);
    er_world_destroy(w);
    er_kinematics_destroy(k);
    er_modes_destroy(modes);
}

static void modes_of_a_chain_swing_as_they_should(void **state)
{
    char path[4096];
    const char *source = getenv("EIGENRIG_SOURCE");
    er_model *m = NULL;
    snprintf(path, sizeof path, "%s/models/chain_20.json", source != NULL ? source : ".");
    if (er_rig_file_read(context, path, NULL, NULL, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    judge_modes(m, 10);
    er_model_destroy(m);
}

// And of rigged characters.
static void modes_of_characters_swing_as_they_should(void **state)
{
    static const char *const file[] = {"hand", "horse", "gnome"};
    const char *source = getenv("EIGENRIG_SOURCE"), *build = getenv("EIGENRIG_BUILD");
    for (int i = 0; i < 3; ++i) {
        char path[4096], importer[4096];
        er_scene *scene = NULL;
        er_import_def def = er_default_import_def();
        er_rig_def rig_def = er_default_rig_def();
        snprintf(path, sizeof path, "%s/models/%s.glb", source != NULL ? source : ".", file[i]);
        snprintf(importer, sizeof importer, "%s/tools/importer/eigenrig-import", build != NULL ? build : "build");
        if (getenv("EIGENRIG_IMPORTER") == NULL) def.importer = importer;
        if (er_import_file(context, path, &def, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
        er_rig *character = hand_rig(context, scene, &rig_def);
        judge_modes(character->model, 12);
        er_rig_destroy(character);
        er_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wing_nut_flips_in_time),
        cmocka_unit_test(a_symmetric_top_precesses),
        cmocka_unit_test(a_conical_pendulum_keeps_its_tilt),
        cmocka_unit_test(a_double_pendulum_swings_as_lagrange_says),
        cmocka_unit_test(drift_is_removed_or_left_in),
        cmocka_unit_test(a_four_bar_stays_closed),
        cmocka_unit_test(a_parallelogram_passes_its_flat_pose),
        cmocka_unit_test(a_bennett_linkage_stays_closed),
        cmocka_unit_test(modes_of_a_chain_swing_as_they_should),
        cmocka_unit_test(modes_of_characters_swing_as_they_should),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
