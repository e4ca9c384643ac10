// Inverse dynamics, judged by forward dynamics, by a textbook's formula, by the conditions of the least forces, and by
// replaying its forces.
#include <eigenrig/dynamics.h>
#include <eigenrig/motion.h>

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
    for (unsigned seed = 1; seed <= (unsigned)trials(30); ++seed) {
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

// ---- A leg above a force plate: Winter, Biomechanics and Motor Control of Human Movement, 4th ed., 5.1

// The link-segment model in a plane, written as the book has it: from the foot up, a segment at a time. `r` leads from
// the centre of mass to its ends; reactions are those on the segment.
typedef struct segment {
    double mass, inertia, ax, ay, alpha;
    double distal[2], proximal[2]; // m, from the centre of mass
} segment;

static void next_segment(const segment *s, const double below[3], double above[3])
{
    above[0] = s->mass * s->ax - below[0];
    above[1] = s->mass * (s->ay + 9.81) - below[1];
    double turn = s->distal[0] * below[1] - s->distal[1] * below[0];
    turn += s->proximal[0] * above[1] - s->proximal[1] * above[0];
    above[2] = s->inertia * s->alpha - below[2] - turn;
}

// Push-off of a person of 80 kg with the masses, centres and radii of gyration of the book's table 4.1. x is forward.
static void a_leg_on_a_force_plate_takes_the_moments_of_the_textbook(void **state)
{
    enum { FOOT, LEG, THIGH, SEGMENTS };
    const double person = 80.0, share[] = {0.0145, 0.0465, 0.100}, gyration[] = {0.475, 0.302, 0.323},
                 length[] = {0.20, 0.43, 0.42}, centre[] = {0.5, 0.433, 0.433};
    const double lean[] = {-0.6, 0.35, -0.1}, spin[] = {-3.0, -2.2, 1.4}, alpha[] = {-21.7, 14.0, -8.0};
    const er_vec3 knee = {0.05, 0.50, 0}, knee_speed = {1.2, 0.3, 0}, knee_rate = {3.0, -1.5, 0}; // of the leg's top
    const er_vec3 plate = {160.0, 765.0, 0}, pressure = {0.335, 0, 0};                            // N, m
    er_body body[SEGMENTS];
    er_joint joint[2] = {er_default_joint(), er_default_joint()};
    er_vec3 top[SEGMENTS], v[SEGMENTS], a[SEGMENTS], axis[SEGMENTS];
    for (int b = 0; b < SEGMENTS; ++b) { // along the segment, from its proximal end; body frames have it along x
        double down = b == FOOT ? lean[b] : -ER_PI / 2.0 + lean[b];
        axis[b] = er_v3(cos(down), sin(down), 0);
    }
    const er_vec3 z = {0, 0, 1};
    top[LEG] = knee, v[LEG] = knee_speed, a[LEG] = knee_rate;
    for (int i = 0; i < 2; ++i) { // the ankle hangs on the knee, and the hip is above it
        int b = i == 0 ? FOOT : THIGH, of = i == 0 ? LEG : THIGH;
        er_vec3 arm = er_v3_scale(i == 0 ? length[LEG] : -length[THIGH], axis[of]);
        top[b] = er_v3_add(knee, arm);
        v[b] = er_v3_madd(knee_speed, spin[of], er_v3_cross(z, arm));
        a[b] = er_v3_madd(er_v3_madd(knee_rate, alpha[of], er_v3_cross(z, arm)), -spin[of] * spin[of], arm);
    }
    er_pose pose[SEGMENTS];
    er_twist twist[SEGMENTS], rate[SEGMENTS];
    for (int b = 0; b < SEGMENTS; ++b) {
        double mass = share[b] * person, moment = mass * gyration[b] * length[b] * gyration[b] * length[b];
        er_vec3 back = {0, 0, 0};
        body[b] = er_default_body();
        body[b].mass = mass;
        body[b].com = er_v3(centre[b] * length[b], 0, 0);
        body[b].inertia = er_m3_madd((er_mat3){{{0}}}, moment, er_m3_identity());
        body[b].pose = pose[b] = (er_pose){er_q_exp(er_v3(0, 0, atan2(axis[b].y, axis[b].x))), top[b]};
        twist[b] = (er_twist){er_v3(0, 0, spin[b]), er_q_rotate(er_q_conj(pose[b].q), v[b])};
        back = er_v3_cross(twist[b].angular, twist[b].linear);
        rate[b] = (er_twist){er_v3(0, 0, alpha[b]), er_v3_sub(er_q_rotate(er_q_conj(pose[b].q), a[b]), back)};
    }
    joint[0].parent = THIGH, joint[0].child = LEG, joint[0].frame.p = knee; // hinges about z
    joint[1].parent = LEG, joint[1].child = FOOT, joint[1].frame.p = top[FOOT];
    er_model_def def = er_default_model_def();
    def.body_count = SEGMENTS, def.body = body, def.joint_count = 2, def.joint = joint;
    er_model *m = NULL;
    if (er_model_create(context, &def, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    er_inverse_def inverse = er_default_inverse_def();
    inverse.model = m;
    inverse.gravity = er_v3(0, -9.81, 0);
    er_inverse *s = make(&inverse);
    static answer got;
    er_wrench applied[SEGMENTS] = {{{0, 0, 0}, {0, 0, 0}}};
    er_vec3 com = er_pose_point(pose[FOOT], body[FOOT].com);
    applied[FOOT] = (er_wrench){er_v3_cross(er_v3_sub(pressure, com), plate), plate};
    er_inverse_frame f = {.pose = pose,
                          .twist = twist,
                          .rate = rate,
                          .applied = applied,
                          .joint = got.joint,
                          .force = got.force,
                          .passive = got.passive,
                          .power = got.power,
                          .residual = got.residual};
    if (er_inverse_solve(s, &f) != ER_OK) fail_msg("%s", er_context_error(context));
    double below[3] = {plate.x, plate.y, 0.0}, above[3];
    for (int b = 0; b < SEGMENTS; ++b) {
        double moment = body[b].inertia.m[2][2];
        er_vec3 c = er_v3_scale(centre[b] * length[b], axis[b]), at = er_v3_add(top[b], c);
        er_vec3 ac = er_v3_madd(er_v3_madd(a[b], alpha[b], er_v3_cross(z, c)), -spin[b] * spin[b], c);
        er_vec3 end = b == FOOT ? pressure : er_v3_madd(top[b], length[b], axis[b]);
        const segment part = {body[b].mass,
                              moment,
                              ac.x,
                              ac.y,
                              alpha[b],
                              {end.x - at.x, end.y - at.y},
                              {top[b].x - at.x, top[b].y - at.y}};
        next_segment(&part, below, above);
        er_wrench hip = got.residual[THIGH]; // about the thigh's centre of mass
        hip.torque = er_v3_sub(hip.torque, er_v3_cross(er_v3_sub(top[THIGH], at), hip.force));
        er_wrench w = b == THIGH ? hip : got.joint[b == FOOT ? 1 : 0];
        measure_at_most("leg on a force plate, N", fabs(w.force.x - above[0]) + fabs(w.force.y - above[1]), 1e-9);
        measure_at_most("leg on a force plate, N m", fabs(w.torque.z - above[2]), 1e-9);
        if (b == FOOT) assert_true(-above[2] / person > 1.0 && -above[2] / person < 2.0); // plantarflexion, N m/kg
        for (int i = 0; i < 3; ++i)
            below[i] = -above[i];
    }
    assert_true(fabs(got.force[0] - got.joint[0].torque.z) < 1e-9 && fabs(got.force[1] - got.joint[1].torque.z) < 1e-9);
    measure_at_most("leg: power, W", fabs(got.power[1] - got.force[1] * (spin[FOOT] - spin[LEG])), 1e-9);
    er_inverse_destroy(s);
    er_model_destroy(m);
}

// ---- Forward dynamics that replays a motion by the forces found, open loop

typedef struct replay {
    er_inverse *inverse;
    const er_model *model;
    er_trajectory *path;
    const er_inverse_contact *contact;
    int contact_count;
    answer a;
} replay;

static void forces_at(replay *r, double time, er_pose *pose, er_twist *twist)
{
    er_twist rate[RIG_MAX];
    for (int b = 0; b < r->model->body_count; ++b)
        er_trajectory_at(r->path, time, b, &pose[b], &twist[b], &rate[b]);
    solve(r->inverse, pose, twist, rate, &r->a);
}

// Drives of hinges about z of their frames, and the ground's forces at the contacts, as they were found for this time.
static void push_on(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    (void)twist;
    replay *r = user;
    er_pose found[RIG_MAX];
    er_twist unused[RIG_MAX];
    forces_at(r, time, found, unused);
    for (int k = 0; k < r->model->joint_count; ++k) {
        const er_joint *j = &r->model->joint[k];
        er_quat turn = er_q_mul(pose[j->child].q, er_q_mul(er_q_conj(r->model->body[j->child].pose.q), j->frame.q));
        er_vec3 torque = er_v3_scale(r->a.force[k] - r->a.passive[k], er_q_rotate(turn, er_v3(0, 0, 1)));
        wrench[j->child].torque = er_v3_add(wrench[j->child].torque, torque);
        wrench[j->parent].torque = er_v3_sub(wrench[j->parent].torque, torque);
    }
    for (int i = 0; i < r->contact_count; ++i) {
        int b = r->contact[i].body;
        er_vec3 arm =
            er_v3_sub(er_pose_point(found[b], r->contact[i].point), er_pose_point(found[b], r->model->body[b].com));
        wrench[b].force = er_v3_add(wrench[b].force, r->a.ground[i]);
        wrench[b].torque = er_v3_add(wrench[b].torque, er_v3_cross(arm, r->a.ground[i]));
    }
}

// A trunk on two legs with knees, and a head.
static er_model *biped(void)
{
    static const struct {
        er_vec3 at, com;
        double mass;
        int parent;
    } parts[] = {{{0, 1.0, 0}, {0, 0.25, 0}, 40.0, -1},      {{0.1, 0.95, 0}, {0, -0.2, 0}, 8.0, 0},
                 {{0.1, 0.5, 0}, {0, -0.25, 0.02}, 4.0, 1},  {{-0.1, 0.95, 0}, {0, -0.2, 0}, 8.0, 0},
                 {{-0.1, 0.5, 0}, {0, -0.25, 0.02}, 4.0, 3}, {{0, 1.5, 0}, {0, 0.12, 0.02}, 5.0, 0}};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    er_body body[PARTS];
    er_joint joint[PARTS - 1];
    for (int b = 0; b < PARTS; ++b) {
        body[b] = er_default_body();
        body[b].mass = parts[b].mass;
        body[b].com = parts[b].com;
        body[b].inertia = er_m3_madd((er_mat3){{{0}}}, 0.02 * parts[b].mass, er_m3_identity());
        body[b].pose.p = parts[b].at;
        if (b == 0) continue;
        joint[b - 1] = er_default_joint();
        joint[b - 1].parent = parts[b].parent;
        joint[b - 1].child = b;
        joint[b - 1].frame = (er_pose){er_q_exp(b == 5 ? er_v3(0.4, 0.3, 0) : er_v3(0, ER_PI / 2.0, 0)), parts[b].at};
        joint[b - 1].stiffness[0] = 300.0 + 40.0 * b;
        joint[b - 1].damping[0] = 1.0;
    }
    er_model_def def = er_default_model_def();
    def.body_count = PARTS, def.body = body, def.joint_count = PARTS - 1, def.joint = joint;
    er_model *m = NULL;
    if (er_model_create(context, &def, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    return m;
}

// Poses of a mix of three modes, at a spacing where the spline's errors do not show.
static er_trajectory *mixed_path(const er_model *m)
{
    enum { RATE = 4000, BEFORE = 40, COUNT = RATE + 2 * BEFORE + 1 };
    static double time[COUNT];
    static er_pose pose[COUNT * 6];
    er_modal_def modal = er_default_modal_def();
    er_modes *modes = NULL;
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_trajectory *path = NULL;
    er_motion_def def = er_default_motion_def();
    def.duration = 1.0;
    def.loop = true;
    for (int k = 0; k < COUNT; ++k)
        time[k] = (double)(k - BEFORE) / RATE;
    if (er_modal_solve(context, m, &modal, &modes) != ER_OK ||
        er_mix_parse(context, "6:6@1,7:5@2+40,9:4@1-70", &mix) != ER_OK ||
        er_motion_create(context, m, modes, mix, &def, &motion) != ER_OK ||
        er_motion_poses(motion, COUNT, time, NULL, pose) != ER_OK ||
        er_trajectory_create(context, COUNT, time, m->body_count, pose, &path) != ER_OK)
        fail_msg("%s", er_context_error(context));
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    er_modes_destroy(modes);
    return path;
}

static void forces_replay_the_motion(void **state)
{
    static replay r;
    er_pose pose[RIG_MAX];
    er_twist twist[RIG_MAX];
    er_inverse_contact contact[8];
    for (int i = 0; i < 8; ++i) // corners of two soles
        contact[i] = (er_inverse_contact){i < 4 ? 2 : 4, {i % 2 == 0 ? 0.05 : -0.05, -0.5, i % 4 < 2 ? 0.2 : -0.1}};
    er_model *m = biped();
    er_inverse_def def = er_default_inverse_def();
    def.model = m;
    def.gravity = er_v3(0, -9.81, 0);
    def.contact_count = 8;
    def.contact = contact;
    r = (replay){.inverse = make(&def), .model = m, .path = mixed_path(m), .contact = contact, .contact_count = 8};
    er_world_def world = er_default_world_def();
    er_world *w = NULL;
    world.model = m;
    world.gravity = def.gravity;
    world.integrator = ER_INTEGRATE_FEHLBERG;
    world.tolerance = 1e-11;
    world.apply = push_on;
    world.user = &r;
    forces_at(&r, 0.0, pose, twist);
    measure_at_most("replay: residual, N", er_v3_norm(r.a.residual[0].force), 1e-5);
    if (er_world_create(context, &world, &w) != ER_OK || er_world_set_state(w, 0.0, pose, twist) != ER_OK)
        fail_msg("%s", er_context_error(context));
    double way = 0.0;
    const int tenths = trials(10);
    for (int k = 1; k <= tenths; ++k) {
        er_vec3 was = er_world_pose(w)[2].p;
        if (er_world_advance(w, 0.1 * k, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
        way += er_v3_distance(er_world_pose(w)[2].p, was);
        for (int b = 0; b < m->body_count; ++b) {
            er_trajectory_at(r.path, 0.1 * k, b, &pose[b], &twist[b], &(er_twist){{0, 0, 0}, {0, 0, 0}});
            double off = er_v3_distance(er_world_pose(w)[b].p, pose[b].p) / m->size;
            measure_at_most("replay: place over the size", off, 1e-6);
        }
    }
    assert_true(way > 0.005 * tenths); // it moves
    er_world_destroy(w);
    er_trajectory_destroy(r.path);
    er_inverse_destroy(r.inverse);
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
        cmocka_unit_test(forces_of_a_motion_are_those_that_made_it),
        cmocka_unit_test(loops_that_fall_need_no_drive),
        cmocka_unit_test(two_links_take_the_torques_of_the_textbook),
        cmocka_unit_test(shares_are_the_least_that_stand),
        cmocka_unit_test(a_standing_body_presses_with_its_weight),
        cmocka_unit_test(a_leg_on_a_force_plate_takes_the_moments_of_the_textbook),
        cmocka_unit_test(forces_replay_the_motion),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
