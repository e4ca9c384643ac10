// Inverse dynamics, judged by forward dynamics, by a textbook's formula, by the conditions of the least forces, and by
// replaying its forces.
#include <eigenrig/dynamics.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/friction_share.h"
#include "support/context.h"
#include "support/forest.h"
#include "support/linkages.h"

static const er_vec3 pull = {0.5, -9.81, 0.2};

typedef struct answer {
    er_wrench joint[RIG_MAX], residual[RIG_MAX];
    double force[6 * RIG_MAX], passive[6 * RIG_MAX], power[6 * RIG_MAX];
    er_vec3 ground[8];
} answer;

static er_inverse *make(const er_inverse_def *def)
{
    er_inverse *s = NULL;
    if (er_inverse_create(context, def, &s) != ER_OK) fail_msg("%s", er_context_error(context));
    return s;
}

static void solve(er_inverse *s, const er_pose *pose, const er_twist *twist, const er_twist *rate, answer *a)
{
    er_inverse_frame f = {.pose = pose,
                          .twist = twist,
                          .rate = rate,
                          .joint = a->joint,
                          .force = a->force,
                          .passive = a->passive,
                          .power = a->power,
                          .ground = a->ground,
                          .residual = a->residual};
    if (er_inverse_solve(s, &f) != ER_OK) fail_msg("%s", er_context_error(context));
}

static er_inverse_def def_of(const er_model *m)
{
    er_inverse_def def = er_default_inverse_def();
    def.model = m;
    def.gravity = pull;
    return def;
}

// ---- Against forward dynamics

static er_world *driven(const er_model *m, dice *d, er_motor *motor)
{
    er_world *w = NULL;
    er_world_def def = er_default_world_def();
    for (int c = 0; c < m->coordinate_count; ++c) {
        motor[c] = er_default_motor();
        motor[c].coordinate = c;
        motor[c].damping = dice_uniform(d, 0.0, 2.0);
        motor[c].velocity = dice_uniform(d, -3.0, 3.0);
    }
    def.model = m;
    def.gravity = pull;
    def.motor_count = m->loop_count == 0 ? m->coordinate_count : 0;
    def.motor = motor;
    if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void throw_state(er_world *w, dice *d, double turn)
{
    static double x[12 * RIG_MAX], v[12 * RIG_MAX];
    for (int c = 0; c < er_world_displacement_width(w); ++c) {
        x[c] = dice_uniform(d, -turn, turn);
        v[c] = dice_uniform(d, -2.0, 2.0);
    }
    if (er_world_set_displacement(w, 0.0, x, v) != ER_OK) fail_msg("%s", er_context_error(context));
}

static double most_of(const er_model *m, const er_wrench *reaction)
{
    double most = 0.0;
    for (int b = 0; b < m->body_count; ++b)
        most = fmax(most, 10.0 * m->body[b].mass);
    for (int k = 0; k < m->joint_count; ++k)
        most = fmax(most, fmax(er_v3_norm(reaction[k].force), er_v3_norm(reaction[k].torque) / m->size));
    return most;
}

// The largest difference of a joint's drive from the motor's, or from 0, over the largest force.
static double drive_error(const er_model *m, er_world *w, const er_motor *motor, const answer *a, double most)
{
    static double q[6 * RIG_MAX], rate[6 * RIG_MAX];
    double worst = 0.0;
    er_world_coordinates(w, q, rate);
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int c = 0; c < count; ++c) {
            int i = m->coordinate[k] + c;
            double wanted = m->loop_count == 0 ? motor[i].damping * (motor[i].velocity - rate[i]) : 0.0;
            double unit = axis[c] < 3 ? m->size : 1.0;
            worst = fmax(worst, fabs(a->force[i] - a->passive[i] - wanted) / unit);
            worst = fmax(worst, fabs(a->power[i] - a->force[i] * rate[i]) / unit / 2.0); // rates are up to 2
        }
    }
    return worst / most;
}

// Names of what is measured of a kind of rig, and what it is held to.
typedef struct bounds {
    const char *joints, *roots, *drives;
    double most;
} bounds;

static void judge_rig(bounds held, rig *r, dice *d, double turn)
{
    static er_motor motor[6 * RIG_MAX];
    static er_twist rate[RIG_MAX];
    static er_wrench reaction[RIG_MAX];
    static answer a;
    er_model *m = rig_model(context, r);
    er_world *w = driven(m, d, motor);
    er_inverse_def def = def_of(m);
    er_inverse *s = make(&def);
    throw_state(w, d, turn);
    if (er_world_accelerations(w, ER_ROUTE_MULTIPLIERS, rate, reaction) != ER_OK)
        fail_msg("%s", er_context_error(context));
    solve(s, er_world_pose(w), er_world_twist(w), rate, &a);
    double most = most_of(m, reaction), worst = 0.0, left = 0.0;
    for (int k = 0; k < m->joint_count && m->loop_count == 0; ++k) {
        worst = fmax(worst, er_v3_distance(a.joint[k].force, reaction[k].force));
        worst = fmax(worst, er_v3_distance(a.joint[k].torque, reaction[k].torque) / m->size);
    }
    for (int b = 0; b < m->body_count; ++b)
        left = fmax(left, fmax(er_v3_norm(a.residual[b].force), er_v3_norm(a.residual[b].torque) / m->size));
    measure_at_most(held.joints, worst / most, held.most);
    measure_at_most(held.roots, left / most, held.most);
    measure_at_most(held.drives, drive_error(m, w, motor, &a, most), held.most);
    er_inverse_destroy(s);
    er_world_destroy(w);
    er_model_destroy(m);
}

static void forces_of_a_motion_are_those_that_made_it(void **state)
{
    static rig r;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_forest(&r, &d, 1 + 2 * (int)seed, false);
        judge_rig((bounds){"trees: joints", "trees: roots", "trees: drives", 1e-9}, &r, &d, 1.0);
    }
}

// Where nothing drives a linkage, its joints need no drive.
static void loops_that_fall_need_no_drive(void **state)
{
    static rig r;
    for (int i = 0; i < LINKAGE_COUNT; ++i) {
        dice d = {(unsigned)i + 1};
        memset(&r, 0, sizeof r);
        linkages[i].build(&r, &d);
        judge_rig((bounds){"linkages: joints", "linkages: roots", "linkages: drives", 1e-8}, &r, &d, 0.05);
    }
}

// ---- A double pendulum: Craig, Introduction to Robotics, 3rd ed., (6.58)

static void two_links_take_the_torques_of_the_textbook(void **state)
{
    const double L1 = 0.7, L2 = 0.4, m1 = 2.0, m2 = 1.5, g = 9.81, small = 1e-9; // inertia of a point, nearly
    const double t1 = 0.3, t2 = -0.8, v1 = 1.7, v2 = -2.9, a1 = 4.0, a2 = 6.5;
    er_body body[2] = {er_default_body(), er_default_body()};
    er_joint joint[2] = {er_default_joint(), er_default_joint()};
    const double length[2] = {L1, L2}, mass[2] = {m1, m2};
    for (int b = 0; b < 2; ++b) {
        body[b].mass = mass[b];
        body[b].com = er_v3(length[b], 0, 0);
        body[b].inertia = er_m3_madd((er_mat3){{{0}}}, small, er_m3_identity());
        body[b].pose.p = er_v3(b == 0 ? 0.0 : L1, 0, 0);
        joint[b].parent = b - 1;
        joint[b].child = b;
        joint[b].frame = body[b].pose;
    }
    er_model_def def = er_default_model_def();
    def.body_count = def.joint_count = 2;
    def.body = body;
    def.joint = joint;
    er_model *m = NULL;
    assert_int_equal(er_model_create(context, &def, &m), ER_OK);
    er_pose pose[2];
    const double q[2] = {t1, t2};
    er_model_pose(m, q, NULL, pose);
    double w = v1 + v2, A = a1 + a2, c2 = cos(t2), s2 = sin(t2); // of the elbow, along the second link's axes
    er_twist twist[2] = {{{0, 0, v1}, {0, 0, 0}}, {{0, 0, w}, {L1 * v1 * s2, L1 * v1 * c2, 0}}};
    // in body axes: v = R2' (elbow's velocity), so v' = R2' (elbow's acceleration) - w x v
    double ex = L1 * (a1 * s2 - v1 * v1 * c2), ey = L1 * (a1 * c2 + v1 * v1 * s2);
    er_twist rate[2] = {{{0, 0, a1}, {0, 0, 0}},
                        {{0, 0, A}, {ex + w * twist[1].linear.y, ey - w * twist[1].linear.x, 0}}};
    er_inverse_def inverse = er_default_inverse_def();
    inverse.model = m;
    inverse.gravity = er_v3(0, -g, 0);
    er_inverse *s = make(&inverse);
    static answer a;
    solve(s, pose, twist, rate, &a);
    double c1 = cos(t1), c12 = cos(t1 + t2);
    double torque2 = m2 * L1 * L2 * c2 * a1 + m2 * L1 * L2 * s2 * v1 * v1 + m2 * L2 * g * c12 + m2 * L2 * L2 * A;
    double torque1 = m2 * L2 * L2 * A + m2 * L1 * L2 * c2 * (2 * a1 + a2) + (m1 + m2) * L1 * L1 * a1 -
                     m2 * L1 * L2 * s2 * v2 * v2 - 2 * m2 * L1 * L2 * s2 * v1 * v2 + m2 * L2 * g * c12 +
                     (m1 + m2) * L1 * g * c1;
    measure_at_most("double pendulum, N m", fabs(a.force[0] - torque1 - small * (a1 + A)), 1e-12);
    measure_at_most("double pendulum, N m", fabs(a.force[1] - torque2 - small * A), 1e-12);
    assert_true(fabs(a.power[1] - a.force[1] * v2) < 1e-12);
    er_inverse_destroy(s);
    er_model_destroy(m);
}

// ---- The ground

static er_wrench wrench_of(int count, const er_vec3 *arm, const er_vec3 *force)
{
    er_wrench w = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < count; ++i) {
        w.force = er_v3_add(w.force, force[i]);
        w.torque = er_v3_add(w.torque, er_v3_cross(arm[i], force[i]));
    }
    return w;
}

static er_vec3 clamp(er_vec3 f, er_vec3 n, double mu)
{
    double along = er_v3_dot(f, n);
    er_vec3 t = er_v3_madd(f, -along, n);
    double slide = er_v3_norm(t);
    if (slide <= mu * along) return f;
    if (mu * slide <= -along) return er_v3(0, 0, 0);
    double on = (along + mu * slide) / (1.0 + mu * mu);
    return er_v3_madd(er_v3_scale(on, n), mu * on / slide, t);
}

// The slow route: projected gradients of |A f - W|^2 + e |f|^2.
static void share_slowly(er_wrench W, double size, er_vec3 n, double mu, int count, const er_vec3 *arm, er_vec3 *force)
{
    const double e = 1e-5, step = 0.9 / (count * 5.0);
    for (int i = 0; i < count; ++i)
        force[i] = er_v3(0, 0, 0);
    for (int round = 0; round < 2000000; ++round) {
        er_wrench off = wrench_of(count, arm, force);
        er_vec3 f = er_v3_sub(off.force, W.force),
                t = er_v3_scale(1.0 / (size * size), er_v3_sub(off.torque, W.torque));
        double moved = 0.0;
        for (int i = 0; i < count; ++i) {
            er_vec3 down = er_v3_add(f, er_v3_cross(t, arm[i]));
            er_vec3 next = er_v3_madd(er_v3_madd(force[i], -step, down), -step * e, force[i]);
            next = clamp(next, n, mu);
            moved = fmax(moved, er_v3_distance(next, force[i]));
            force[i] = next;
        }
        if (moved < 1e-13) break;
    }
}

static void shares_are_the_least_that_stand(void **state)
{
    const er_vec3 n = {0, 1, 0};
    for (unsigned seed = 1; seed <= 30; ++seed) {
        dice d = {seed};
        er_vec3 arm[6], force[6], slow[6];
        int count = 1 + (int)seed % 6;
        double mu = dice_uniform(&d, 0.1, 1.0);
        for (int i = 0; i < count; ++i)
            arm[i] = er_v3(dice_uniform(&d, -1, 1), -1.0, dice_uniform(&d, -1, 1));
        // every third is out of reach: the ground would have to pull, or to hold more than friction does
        er_vec3 F =
            er_v3(dice_uniform(&d, -2, 2), seed % 3 == 0 ? dice_uniform(&d, -10, 2) : 10.0, dice_uniform(&d, -2, 2));
        er_wrench W = {er_v3(dice_uniform(&d, -2, 2), dice_uniform(&d, -1, 1), dice_uniform(&d, -2, 2)), F};
        eri_share_friction(W, 1.0, n, mu, count, arm, force);
        share_slowly(W, 1.0, n, mu, count, arm, slow);
        er_wrench got = wrench_of(count, arm, force), held = wrench_of(count, arm, slow);
        double most = 0.0;
        for (int i = 0; i < count; ++i) {
            er_vec3 t = er_v3_madd(force[i], -er_v3_dot(force[i], n), n);
            assert_true(er_v3_norm(t) <= mu * er_v3_dot(force[i], n) * (1.0 + 1e-12) + 1e-12);
            most = fmax(most, er_v3_distance(force[i], slow[i]));
        }
        double mine = er_v3_distance(got.force, W.force) + er_v3_distance(got.torque, W.torque);
        double his = er_v3_distance(held.force, W.force) + er_v3_distance(held.torque, W.torque);
        measure_at_most("ground: residual over the slow route's, N", mine - his, 1e-3);
        measure_at_most("ground: forces, N", most, 2e-2); // the slow route's e |f|^2 moves them so far
    }
}

// A table on four legs, its weight off the middle: the forces of each leg follow by levers.
static void a_standing_body_presses_with_its_weight(void **state)
{
    er_body body = er_default_body();
    body.mass = 8.0;
    body.com = er_v3(0.1, 0.5, -0.05);
    body.inertia = er_m3_identity();
    er_model_def def = er_default_model_def();
    def.body_count = 1;
    def.body = &body;
    er_model *m = NULL;
    assert_int_equal(er_model_create(context, &def, &m), ER_OK);
    const er_inverse_contact contact[4] = {{0, {1, 0, 0.5}}, {0, {1, 0, -0.5}}, {0, {-1, 0, 0.5}}, {0, {-1, 0, -0.5}}};
    er_inverse_def inverse = er_default_inverse_def();
    inverse.model = m;
    inverse.gravity = er_v3(0, -9.81, 0);
    inverse.contact_count = 4;
    inverse.contact = contact;
    er_inverse *s = make(&inverse);
    static answer a;
    const er_pose pose = er_pose_identity();
    const er_twist still = {{0, 0, 0}, {0, 0, 0}};
    solve(s, &pose, &still, &still, &a);
    for (int i = 0; i < 4; ++i) {
        double share = 0.25 + 0.25 * 0.1 * contact[i].point.x + 0.5 * -0.05 * contact[i].point.z * 2.0;
        assert_true(er_v3_distance(a.ground[i], er_v3(0, 8.0 * 9.81 * share, 0)) < 1e-9);
    }
    assert_true(er_v3_norm(a.residual[0].force) + er_v3_norm(a.residual[0].torque) < 1e-9);
    const er_twist up = {{0, 0, 0}, {0, -20.0, 0}}; // faster than it falls: the ground would have to pull
    solve(s, &pose, &still, &up, &a);
    assert_true(er_v3_distance(a.residual[0].force, er_v3(0, 8.0 * (9.81 - 20.0), 0)) < 1e-6);
    er_inverse_destroy(s);
    er_model_destroy(m);
}

static void wrong_calls_are_refused(void **state)
{
    er_body body = er_default_body();
    body.mass = 1.0;
    body.inertia = er_m3_identity();
    er_model_def def = er_default_model_def();
    def.body_count = 1;
    def.body = &body;
    er_model *m = NULL;
    assert_int_equal(er_model_create(context, &def, &m), ER_OK);
    er_inverse *s = NULL;
    er_inverse_def wrong = er_default_inverse_def();
    assert_refusal(context, er_inverse_create(context, &wrong, &s), ER_ERROR_ARGUMENT, "model");
    wrong = def_of(m);
    wrong.normal = er_v3(0, 2, 0);
    assert_refusal(context, er_inverse_create(context, &wrong, &s), ER_ERROR_ARGUMENT, "normal");
    wrong = def_of(m);
    wrong.friction = -1.0;
    assert_refusal(context, er_inverse_create(context, &wrong, &s), ER_ERROR_ARGUMENT, "friction");
    const er_inverse_contact nowhere = {1, {0, 0, 0}};
    wrong = def_of(m);
    wrong.contact_count = 1;
    wrong.contact = &nowhere;
    assert_refusal(context, er_inverse_create(context, &wrong, &s), ER_ERROR_ARGUMENT, "contact 0");
    wrong = def_of(m);
    s = make(&wrong);
    static answer a;
    const er_pose pose = er_pose_identity();
    const er_twist still = {{0, 0, 0}, {0, 0, 0}}, bad = {{NAN, 0, 0}, {0, 0, 0}};
    er_inverse_frame f = {&pose, &bad, &still, NULL, NULL, a.joint, a.force, a.passive, a.power, a.ground, a.residual};
    assert_refusal(context, er_inverse_solve(s, &f), ER_ERROR_ARGUMENT, "body 0");
    er_inverse_destroy(s);
    er_inverse_destroy(NULL);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_of_a_motion_are_those_that_made_it),  cmocka_unit_test(loops_that_fall_need_no_drive),
        cmocka_unit_test(two_links_take_the_torques_of_the_textbook), cmocka_unit_test(shares_are_the_least_that_stand),
        cmocka_unit_test(a_standing_body_presses_with_its_weight),    cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
