// Worlds: what is refused, what is kept, and what mechanics keeps.
#include <eigenrig/dynamics.h>
#include <eigenrig/motion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"
#include "support/ledger.h"
#include "support/linkages.h"

static rig r;

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

// Any tree, thrown anyhow, keeps its energy under gravity and springs.
static void trees_keep_their_energy(void **state)
{
    for (unsigned seed = 1; seed <= 12; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_forest(&r, &d, 1 + (int)seed, false);
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        def.model = m;
        def.gravity = er_v3(0.3, -9.81, 0.1);
        def.tolerance = 1e-10;
        er_world *w = make(&def);
        double rate[6 * RIG_MAX];
        for (int c = 0; c < 6 * RIG_MAX; ++c)
            rate[c] = dice_uniform(&d, -1.0, 1.0);
        assert_int_equal(er_world_set_displacement(w, 0.0, NULL, rate), ER_OK);
        er_world_energy before = er_world_measure_energy(w);
        advance(w, 0.1);
        er_world_energy after = er_world_measure_energy(w);
        double lost = after.mechanical - before.mechanical - after.work + after.heat;
        measure_at_most("energy of trees, off", fabs(lost) / before.kinetic, 1e-9); // ten times the tolerance
        measure_at_most("gap of trees", er_world_measure_gap(w), 1e-13);
        er_world_destroy(w);
        er_model_destroy(m);
    }
}

// A wheel at 50 rad/s goes round eight times in a second, in one advance.
static void angles_count_full_turns(void **state)
{
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 1.0, er_v3(0.1, 0.1, 0.2), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route) {
        er_world_def def = er_default_world_def();
        def.model = m;
        def.route = (er_dynamics_route)route;
        def.tolerance = 1e-10;
        er_world *w = make(&def);
        double rate = 50.0, angle, speed;
        assert_int_equal(er_world_set_displacement(w, 0.0, NULL, &rate), ER_OK);
        advance(w, 1.0);
        er_world_coordinates(w, &angle, &speed);
        measure_at_most("a wheel's angle, off", fabs(angle - 50.0), 1e-8); // of 400 steps' tolerance
        measure_at_most("a wheel's speed, off", fabs(speed - 50.0), 1e-9);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

// The rates of a free rig's momenta at its accelerations, over what its bodies' own come to.
static double momentum_rate(const er_model *m, const er_world *w, const er_twist *rate)
{
    er_vec3 P = er_v3(0, 0, 0), L = P;
    double most = 1e-300;
    for (int b = 0; b < m->body_count; ++b) {
        const er_body *body = &m->body[b];
        er_pose pose = er_world_pose(w)[b];
        er_twist V = er_world_twist(w)[b], A = rate[b];
        er_vec3 a = er_v3_add(
            er_v3_add(A.linear, er_v3_cross(V.angular, V.linear)),
            er_v3_add(er_v3_cross(A.angular, body->com), er_v3_cross(V.angular, er_v3_cross(V.angular, body->com))));
        er_vec3 spin = er_v3_add(er_m3_mul_v(body->inertia, A.angular),
                                 er_v3_cross(V.angular, er_m3_mul_v(body->inertia, V.angular)));
        er_vec3 p = er_q_rotate(pose.q, er_v3_scale(body->mass, a)),
                l = er_v3_add(er_v3_cross(er_pose_point(pose, body->com), p), er_q_rotate(pose.q, spin));
        P = er_v3_add(P, p), L = er_v3_add(L, l);
        most = fmax(most, fmax(er_v3_norm(p), er_v3_norm(l) / m->size));
    }
    return fmax(er_v3_norm(P), er_v3_norm(L) / m->size) / most;
}

static void free_rigs_keep_their_momenta(void **state)
{
    static er_twist rate[RIG_MAX];
    for (unsigned seed = 1; seed <= 10; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_random(&r, &d, seed % 2 == 0);
        for (int k = 0; k < r.joint_count; ++k)
            if (r.joint[k].parent < 0) r.joint[k] = r.joint[--r.joint_count], --k; // nothing holds it
        er_model *m = rig_model(context, &r);
        for (int route = 0; route < 2; ++route) {
            er_world_def def = er_default_world_def();
            def.model = m;
            def.route = (er_dynamics_route)route;
            def.tolerance = 1e-11;
            er_world *w = make(&def);
            double x[12 * RIG_MAX] = {0};
            for (int c = 0; c < 12 * RIG_MAX; ++c)
                x[c] = dice_uniform(&d, -1.0, 1.0);
            assert_int_equal(er_world_set_displacement(w, 0.0, NULL, x), ER_OK);
            assert_int_equal(er_world_accelerations(w, def.route, rate, NULL), ER_OK);
            measure_at_most("momenta, rates at once", momentum_rate(m, w, rate), 1e-9); // masses six decades apart
            er_vec3 P[2], L[2];
            er_world_measure_momentum(w, &P[0], &L[0]);
            advance(w, 0.05);
            er_world_measure_momentum(w, &P[1], &L[1]);
            double most = er_v3_norm(L[0]) + m->size * er_v3_norm(P[0]);
            measure_at_most("momentum, in time", er_v3_distance(P[0], P[1]) * m->size / most, 1e-8);
            measure_at_most("angular momentum, in time", er_v3_distance(L[0], L[1]) / most, 1e-8);
            er_world_destroy(w);
        }
        er_model_destroy(m);
    }
}

// A linkage on the world with a body that floats beside it: loops, redundant rows, quaternions.
static er_model *build(void)
{
    dice d = {3};
    memset(&r, 0, sizeof r);
    linkages[0].build(&r, &d);
    int a = rig_throw_body(&r, &d, 1.0, er_v3(0.1, 0.12, 0.15)), b = rig_throw_body(&r, &d, 2.0, er_v3(0.1, 0.1, 0.15));
    er_pose frame = r.body[b].pose;
    rig_add_joint(&r, ER_JOINT_SPHERICAL, a, b, frame)->stiffness[1] = 3.0;
    return rig_model(context, &r);
}

static er_world_def define(const er_model *m, int route)
{
    er_world_def def = er_default_world_def();
    def.model = m;
    def.gravity = er_v3(0, -9.81, 0.5);
    def.route = (er_dynamics_route)route;
    return def;
}

static void the_same_world_again_is_the_same_to_the_bit(void **state)
{
    er_model *m = build();
    for (int route = 0; route < 2; ++route) {
        er_world_def def = define(m, route);
        er_world *a = make(&def), *b = make(&def);
        advance(a, 0.3);
        advance(b, 0.3);
        assert_true(er_world_hash(a) == er_world_hash(b));
        void *bytes = malloc(er_world_state_size(a));
        assert_non_null(bytes);
        er_world_save(a, bytes);
        advance(a, 0.8);
        assert_true(er_world_hash(a) != er_world_hash(b));
        advance(b, 0.9);
        assert_int_equal(er_world_restore(b, bytes), ER_OK);
        assert_true(er_world_time(b) == 0.3);
        advance(b, 0.8);
        assert_true(er_world_hash(a) == er_world_hash(b));
        assert_int_equal(er_world_restore(b, NULL), ER_ERROR_ARGUMENT);
        memset(bytes, 1, er_world_state_size(a));
        assert_int_equal(er_world_restore(b, bytes), ER_ERROR_ARGUMENT);
        assert_true(er_world_hash(a) == er_world_hash(b));
        free(bytes);
        er_world_destroy(a);
        er_world_destroy(b);
    }
    er_model_destroy(m);
}

static void a_state_is_taken_and_told(void **state)
{
    er_model *m = build();
    for (int route = 0; route < 2; ++route) {
        er_world_def def = define(m, route);
        er_world *a = make(&def), *b = make(&def);
        advance(a, 0.4);
        assert_int_equal(er_world_set_state(b, 0.4, er_world_pose(a), er_world_twist(a)), ER_OK);
        for (int i = 0; i < m->body_count; ++i) {
            er_pose p = er_world_pose(a)[i], q = er_world_pose(b)[i];
            measure_at_most("state: places", er_v3_distance(p.p, q.p), 1e-9); // the drift that is let be
            measure_at_most("state: turns", 1.0 - fabs(er_q_dot(p.q, q.q)), 1e-12);
            measure_at_most("state: speeds", er_v3_distance(er_world_twist(a)[i].angular, er_world_twist(b)[i].angular),
                            1e-8);
        }
        er_pose pose[16];
        er_twist twist[16];
        memcpy(pose, er_world_pose(a), (size_t)m->body_count * sizeof *pose);
        memcpy(twist, er_world_twist(a), (size_t)m->body_count * sizeof *twist);
        uint64_t hash = er_world_hash(b);
        pose[1].p.x += 0.1; // of the linkage
        assert_int_equal(er_world_set_state(b, 0.5, pose, twist), ER_ERROR_ARGUMENT);
        pose[1].p.x = NAN;
        assert_int_equal(er_world_set_state(b, 0.5, pose, twist), ER_ERROR_ARGUMENT);
        pose[1] = er_world_pose(a)[1];
        pose[1].q.w += 1.0;
        assert_int_equal(er_world_set_state(b, 0.5, pose, twist), ER_ERROR_ARGUMENT);
        twist[0].linear.y = INFINITY;
        assert_int_equal(er_world_set_state(b, 0.5, er_world_pose(a), twist), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_set_state(b, NAN, NULL, NULL), ER_ERROR_ARGUMENT);
        double x[64] = {0};
        x[2] = NAN;
        assert_int_equal(er_world_set_displacement(b, 0.5, x, NULL), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_set_displacement(b, 0.5, NULL, x), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_advance(b, 0.1, NULL), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_advance(b, NAN, NULL), ER_ERROR_ARGUMENT);
        er_vec3 none = er_v3(0, 0, 0);
        assert_int_equal(er_world_push(b, -1, none, none), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_push(b, m->body_count, none, none), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_push(b, 0, er_v3(NAN, 0, 0), none), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_accelerations(b, (er_dynamics_route)7, NULL, NULL), ER_ERROR_ARGUMENT);
        assert_true(hash == er_world_hash(b));
        er_world_destroy(a);
        er_world_destroy(b);
    }
    er_model_destroy(m);
}

// A displacement is the same pose in a world and in kinematics, also where loops must be closed. Centres of mass are
// put back in one of them alone, so poses are compared as the first body sees them.
static void displacements_are_those_of_kinematics(void **state)
{
    (void)state;
    int moved = 0;
    for (unsigned seed = 1; seed <= 4 * LINKAGE_COUNT; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        linkages[seed % LINKAGE_COUNT].build(&r, &d);
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        def.model = m;
        er_world *w = make(&def);
        er_kinematics *k = NULL;
        double x[6 * RIG_MAX], asked[6 * RIG_MAX] = {0};
        er_pose pose[RIG_MAX];
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        assert_int_equal(er_kinematics_create(context, m, &k), ER_OK);
        for (int i = 0; i < modes->count; ++i) {
            double factor = er_mode_amplitude(m, &modes->mode[i], dice_uniform(&d, 0.0, 15.0));
            er_kinematics_mode(k, &modes->mode[i], x);
            for (int c = 0; c < er_kinematics_width(k); ++c)
                asked[c] += factor * x[c];
        }
        memcpy(x, asked, sizeof x);
        er_result closed = er_kinematics_pose(k, x, pose);
        if (closed == ER_OK) assert_int_equal(er_world_set_displacement(w, 0.0, asked, NULL), ER_OK);
        const er_pose *is = er_world_pose(w);
        for (int b = 0; b < m->body_count && closed == ER_OK; ++b) {
            er_pose expected = er_pose_mul(er_pose_inverse(pose[0]), pose[b]),
                    found = er_pose_mul(er_pose_inverse(is[0]), is[b]);
            double apart = er_v3_distance(expected.p, found.p) / m->size +
                           er_v3_norm(er_q_log(er_q_mul(er_q_conj(expected.q), found.q)));
            measure_at_most("displacement, world and kinematics apart", apart, 1e-8);
        }
        moved += closed == ER_OK && modes->count > 0;
        er_modes_destroy(modes);
        er_kinematics_destroy(k);
        er_world_destroy(w);
        er_model_destroy(m);
    }
    assert_true(moved > 2 * LINKAGE_COUNT);
}

// All moves at once are one after the other, from what hangs on nothing down; what hangs on a body goes along, and work
// is what energy was given.
static void bodies_are_moved_by_hand(void **state)
{
    int free_roots = 0, hanging = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_forest(&r, &d, 9, false);
        er_model *m = rig_model(context, &r);
        er_world_def def = er_default_world_def();
        def.model = m;
        def.gravity = er_v3(0.3, -9.81, 0.1);
        er_world *w = make(&def), *one = make(&def);
        double x[6 * RIG_MAX], rate[6 * RIG_MAX];
        for (int c = 0; c < 6 * RIG_MAX; ++c)
            x[c] = dice_uniform(&d, -0.1, 0.1), rate[c] = dice_uniform(&d, -1.0, 1.0);
        assert_int_equal(er_world_set_displacement(w, 0.0, x, rate), ER_OK);
        assert_int_equal(er_world_set_displacement(one, 0.0, x, rate), ER_OK);
        er_body_move move[RIG_MAX];
        er_pose pose[RIG_MAX], old[RIG_MAX];
        er_twist twist[RIG_MAX];
        int count = 0;
        bool given[RIG_MAX + 1] = {false}; // what hangs and is moved, or hangs on such; the ground first
        memcpy(old, er_world_pose(w), (size_t)m->body_count * sizeof *old);
        for (int i = 0; i < m->body_count; ++i) {
            int b = m->order[i];
            bool root = m->tree_joint[b] < 0;
            pose[count] = dice_pose(&d);
            twist[count] = dice_twist(&d);
            move[count] = (er_body_move){b, root ? &pose[count] : NULL, dice_below(&d, 3) > 0 ? &twist[count] : NULL};
            bool alone = root || !given[m->tree_parent[b] + 1], chosen = root || (alone && dice_below(&d, 2) == 0);
            given[b + 1] = !root && (chosen || !alone);
            if (chosen) ++count, free_roots += root, hanging += !root;
        }
        er_world_energy before = er_world_measure_energy(w);
        assert_int_equal(er_world_move(w, count, move), ER_OK);
        for (int k = 0; k < count; ++k)
            assert_int_equal(er_world_move(one, 1, &move[k]), ER_OK);
        er_world_energy after = er_world_measure_energy(w);
        double most = before.kinetic + after.kinetic + fabs(after.potential - before.potential);
        measure_at_most("work of moves", fabs(after.mechanical - before.mechanical - after.work + before.work) / most,
                        1e-13);
        for (int b = 0; b < m->body_count; ++b) {
            er_pose p = er_world_pose(w)[b], q = er_world_pose(one)[b];
            er_twist v = er_world_twist(w)[b], u = er_world_twist(one)[b];
            measure_at_most("moves at once: places", er_v3_distance(p.p, q.p) / m->size, 1e-12);
            measure_at_most("moves at once: speeds",
                            (er_v3_distance(v.linear, u.linear) / m->size + er_v3_distance(v.angular, u.angular)) /
                                (1.0 + er_v3_norm(u.angular) + er_v3_norm(u.linear) / m->size),
                            1e-10); // masses over six decades
            int on = m->tree_parent[b];
            if (on < 0) continue;
            er_pose from = er_pose_mul(er_pose_inverse(old[on]), old[b]);
            er_pose to = er_pose_mul(er_pose_inverse(er_world_pose(w)[on]), p);
            measure_at_most("what hangs goes along", er_v3_distance(from.p, to.p) / m->size, 1e-12);
        }
        for (int k = 0; k < count; ++k) {
            if (move[k].pose == NULL) continue;
            er_pose p = er_world_pose(w)[move[k].body];
            measure_at_most("a place given", er_v3_distance(p.p, pose[k].p), 1e-13);
            measure_at_most("a turn given", 1.0 - fabs(er_q_dot(p.q, er_q_unit(pose[k].q))), 1e-13);
        }
        uint64_t hash = er_world_hash(w);
        const er_pose astray = {er_q_identity(), {NAN, 0, 0}}, home = er_pose_identity();
        assert_int_equal(er_world_move(w, 1, &(er_body_move){m->body_count, NULL, NULL}), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_move(w, 1, &(er_body_move){-1, NULL, NULL}), ER_ERROR_ARGUMENT);
        for (int b = 0; b < m->body_count; ++b) {
            assert_int_equal(er_world_move(w, 1, &(er_body_move){b, &astray, NULL}), ER_ERROR_ARGUMENT);
            if (m->tree_joint[b] >= 0)
                assert_int_equal(er_world_move(w, 1, &(er_body_move){b, &home, NULL}), ER_ERROR_ARGUMENT);
        }
        assert_true(er_world_hash(w) == hash);
        er_world_destroy(w);
        er_world_destroy(one);
        er_model_destroy(m);
    }
    assert_true(free_roots >= 5 && hanging >= 20);
}

// Where nothing can move, nothing does.
static void fixed_and_held_worlds_stand_still(void **state)
{
    static const bool all[3] = {true, true, true};
    dice d = {8};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 3; ++i) {
        rig_throw_body(&r, &d, 1.0, er_v3(0.1, 0.1, 0.1));
        rig_add_joint(&r, ER_JOINT_FIXED, i - 1, i, r.body[i].pose);
    }
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route)
        for (int held = 0; held < 2; ++held) {
            er_world_def def = define(m, route);
            def.held = held ? all : NULL;
            er_world *w = make(&def);
            er_wrench reaction[3];
            advance(w, 1.0);
            assert_int_equal(er_world_accelerations(w, def.route, NULL, reaction), ER_OK);
            for (int i = 0; i < 3; ++i) {
                measure_at_most("fixed", er_v3_distance(er_world_pose(w)[i].p, m->body[i].pose.p), 1e-12);
                double weight = held ? 0.0 : (3.0 - i) * er_v3_norm(def.gravity);
                measure_at_most("fixed: weight", fabs(er_v3_norm(reaction[i].force) - weight), 1e-10);
            }
            er_world_destroy(w);
        }
    er_model_destroy(m);
}

// ---- Refusals

static void refuse(const er_world_def *def, const char *word)
{
    er_world *w = (er_world *)1;
    assert_int_equal(er_world_create(context, def, &w), ER_ERROR_ARGUMENT);
    assert_null(w);
    if (strstr(er_context_error(context), word) == NULL)
        fail_msg("\"%s\" says nothing of %s", er_context_error(context), word);
}

#define REFUSE(CHANGE, WORD)                                                                                           \
    do {                                                                                                               \
        er_world_def def = good;                                                                                       \
        er_force force = er_default_force();                                                                           \
        er_motor motor = er_default_motor();                                                                           \
        def.force = &force, def.force_count = 1;                                                                       \
        def.motor = &motor, def.motor_count = 1;                                                                       \
        CHANGE;                                                                                                        \
        refuse(&def, WORD);                                                                                            \
    } while (0)

static void every_field_wrong_in_turn_is_refused(void **state)
{
    er_model *m = build();
    er_world_def good = define(m, 0);
    static const er_force_sample sample[3] = {
        {0.0, {0, 0, 0}, {0, 0, 0}}, {1.0, {0, 0, 0}, {0, 0, 0}}, {1.0, {0, 0, 0}, {0, 0, 0}}};
    double rest[64] = {NAN};
    er_model damped = *m;
    damped.damping_ratio = 0.02;
    assert_int_equal(er_world_create(context, &good, NULL), ER_ERROR_ARGUMENT);
    REFUSE(def.tag = 0, "er_default_world_def");
    REFUSE(def.model = NULL, "model");
    REFUSE(def.model = &damped, "damping_ratio");
    REFUSE(def.gravity.y = NAN, "gravity");
    REFUSE(def.force_count = -1, "force_count");
    REFUSE(def.force = NULL, "force_count");
    REFUSE(def.motor_count = -1, "motor_count");
    REFUSE(def.motor = NULL, "motor_count");
    REFUSE(def.rest = rest, "rest");
    REFUSE(def.route = (er_dynamics_route)2, "route");
    REFUSE(def.rotation_state = (er_rotation_state)9, "rotation_state");
    REFUSE(def.integrator = (er_integrator)17, "integrator");
    REFUSE(def.tolerance = 0.0, "tolerance");
    REFUSE(def.tolerance = 2.0, "tolerance");
    REFUSE(def.min_step = -1.0, "steps");
    REFUSE(def.min_step = 1.0, "steps");
    REFUSE(def.max_step = NAN, "steps");
    REFUSE(def.drift_tolerance = 0.0, "drift_tolerance");
    REFUSE(force.tag = 0, "er_default_force");
    REFUSE(force.body = m->body_count, "body");
    REFUSE(force.body = -1, "body");
    REFUSE(force.kind = (er_force_kind)9, "kind");
    REFUSE(force.point.z = INFINITY, "point");
    REFUSE(force.force.z = NAN, "force");
    REFUSE(force.torque.z = NAN, "torque");
    REFUSE((force.kind = ER_FORCE_SCHEDULE, force.sample = sample, force.sample_count = 1), "samples");
    REFUSE((force.kind = ER_FORCE_SCHEDULE, force.sample_count = 2), "sample");
    REFUSE((force.kind = ER_FORCE_SCHEDULE, force.sample = sample, force.sample_count = 3), "ascend");
    REFUSE((force.kind = ER_FORCE_SPRING, force.other = 0), "two bodies");
    REFUSE((force.kind = ER_FORCE_SPRING, force.other = -2), "other");
    REFUSE((force.kind = ER_FORCE_SPRING, force.other_point.x = NAN), "other_point");
    REFUSE((force.kind = ER_FORCE_SPRING, force.stiffness = -1), "stiffness");
    REFUSE((force.kind = ER_FORCE_SPRING, force.damping = NAN), "damping");
    REFUSE((force.kind = ER_FORCE_SPRING, force.rest = -1), "rest");
    REFUSE((force.kind = ER_FORCE_DRAG, force.linear_drag = -1), "drag");
    REFUSE((force.kind = ER_FORCE_DRAG, force.quadratic_drag = NAN), "drag");
    REFUSE((force.kind = ER_FORCE_DRAG, force.angular_drag = -1), "drag");
    REFUSE(motor.tag = 0, "er_default_motor");
    REFUSE(motor.coordinate = m->coordinate_count, "coordinate");
    REFUSE(motor.coordinate = -1, "coordinate");
    REFUSE(motor.stiffness = -1, "stiffness");
    REFUSE(motor.damping = NAN, "damping");
    REFUSE(motor.position = NAN, "position");
    REFUSE(motor.velocity = INFINITY, "velocity");
    REFUSE(motor.most = 0.0, "most");
    er_model_destroy(m);
}

// The loosest and the tightest of what is let in.
static void bounds_are_let_in(void **state)
{
    static const double tolerance[] = {1e-14, 1.0};
    er_model *m = build();
    for (int i = 0; i < 2; ++i) {
        er_world_def def = define(m, 0);
        er_world *w = NULL;
        def.tolerance = tolerance[i];
        def.min_step = def.max_step;
        assert_int_equal(er_world_create(context, &def, &w), ER_OK);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

static void lose_mind(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    (void)user, (void)pose, (void)twist;
    if (time > 0.1) wrench[0].force.x = NAN;
}

static void what_cannot_go_on_says_so(void **state)
{
    er_model *m = build();
    for (int route = 0; route < 2; ++route) {
        er_world_def def = define(m, route);
        def.apply = lose_mind;
        er_world *w = make(&def);
        assert_int_equal(er_world_advance(w, 1.0, NULL), ER_ERROR_NO_CONVERGENCE);
        assert_true(er_world_time(w) <= 0.1 + 1e-8 && isfinite(er_world_pose(w)[0].p.x));
        er_world_destroy(w);
        def = define(m, route);
        def.tolerance = 1e-13;
        def.min_step = def.max_step = 0.03;
        w = make(&def);
        assert_int_equal(er_world_advance(w, 1.0, NULL), ER_ERROR_NO_CONVERGENCE);
        er_world_destroy(w);
    }
    er_model_destroy(m);
}

// ---- Memory

static void no_memory_is_told_and_nothing_leaks(void **state)
{
    er_model *m = build();
    er_world_def def = define(m, 0);
    for (long left = 0;; ++left) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_world *w = NULL;
        l.left = left;
        er_result result = er_world_create(own, &def, &w);
        l.left = LEDGER_ALL;
        if (result != ER_OK) assert_int_equal(result, ER_ERROR_MEMORY);
        assert_true((w != NULL) == (result == ER_OK));
        er_world_destroy(w);
        ledger_end(&l, own);
        if (result == ER_OK) break;
    }
    er_model_destroy(m);
}

static void calls_without_what_they_need_are_refused(void **state)
{
    er_model *m = build();
    er_world_def def = define(m, 0);
    er_world *w = NULL;
    double one = 1.0;
    er_twist twist[16];
    er_body_move move = {.body = 0};
    assert_int_equal(er_world_create(NULL, &def, &w), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_create(context, &def, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_create(context, NULL, &w), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_set_state(NULL, 0.0, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_set_displacement(NULL, 0.0, &one, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_advance(NULL, 1.0, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_accelerations(NULL, ER_ROUTE_REDUCED, twist, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_restore(NULL, &one), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_push(NULL, 0, er_v3(0, 0, 0), er_v3(1, 0, 0)), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_move(NULL, 1, &move), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_wake(NULL, 0), ER_ERROR_ARGUMENT);
    w = make(&def);
    const double wrong_time[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(er_world_set_state(w, wrong_time[k], NULL, NULL), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_set_displacement(w, wrong_time[k], NULL, NULL), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_advance(w, wrong_time[k], NULL), ER_ERROR_ARGUMENT);
        for (int axis = 0; axis < 3; ++axis) {
            er_vec3 bad =
                er_v3(axis == 0 ? wrong_time[k] : 0, axis == 1 ? wrong_time[k] : 0, axis == 2 ? wrong_time[k] : 0);
            assert_int_equal(er_world_push(w, 0, bad, er_v3(1, 0, 0)), ER_ERROR_ARGUMENT);
            assert_int_equal(er_world_push(w, 0, er_v3(0, 0, 0), bad), ER_ERROR_ARGUMENT);
        }
    }
    assert_int_equal(er_world_advance(w, -1e-9, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_advance(w, 0.0, NULL), ER_OK); // it is there
    assert_int_equal(er_world_accelerations(w, (er_dynamics_route)2, twist, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_accelerations(w, (er_dynamics_route)-1, twist, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_restore(w, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_move(w, -1, &move), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_move(w, 1, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_move(w, 0, NULL), ER_OK);
    const int wrong_body[] = {-1, m->body_count};
    for (int k = 0; k < 2; ++k) {
        move.body = wrong_body[k];
        assert_int_equal(er_world_move(w, 1, &move), ER_ERROR_ARGUMENT);
        assert_int_equal(er_world_push(w, wrong_body[k], er_v3(0, 0, 0), er_v3(1, 0, 0)), ER_ERROR_ARGUMENT);
    }
    assert_int_equal(er_world_wake(w, -2), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_wake(w, m->body_count), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_wake(w, -1), ER_OK);
    assert_int_equal(er_world_wake(w, m->body_count - 1), ER_OK);
    er_world_destroy(w);
    er_world_destroy(NULL);
    er_model_destroy(m);
}

static void steps_take_no_memory(void **state)
{
    er_model *m = build();
    for (int route = 0; route < 2; ++route) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_world_def def = define(m, route);
        er_world *w = NULL;
        er_twist rate[16];
        er_wrench reaction[16];
        assert_int_equal(er_world_create(own, &def, &w), ER_OK);
        long before = l.asked;
        assert_int_equal(er_world_advance(w, 0.2, NULL), ER_OK);
        assert_int_equal(er_world_accelerations(w, ER_ROUTE_REDUCED, rate, reaction), ER_OK);
        assert_int_equal(er_world_accelerations(w, ER_ROUTE_MULTIPLIERS, rate, reaction), ER_OK);
        assert_int_equal(er_world_push(w, 0, er_v3(0, 0, 0), er_v3(0, 1, 0)), ER_OK);
        assert_int_equal(er_world_set_state(w, 0.0, NULL, NULL), ER_OK);
        assert_true(l.asked == before);
        er_world_destroy(w);
        ledger_end(&l, own);
    }
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_keep_their_energy),
        cmocka_unit_test(angles_count_full_turns),
        cmocka_unit_test(free_rigs_keep_their_momenta),
        cmocka_unit_test(the_same_world_again_is_the_same_to_the_bit),
        cmocka_unit_test(a_state_is_taken_and_told),
        cmocka_unit_test(displacements_are_those_of_kinematics),
        cmocka_unit_test(bodies_are_moved_by_hand),
        cmocka_unit_test(fixed_and_held_worlds_stand_still),
        cmocka_unit_test(every_field_wrong_in_turn_is_refused),
        cmocka_unit_test(bounds_are_let_in),
        cmocka_unit_test(what_cannot_go_on_says_so),
        cmocka_unit_test(no_memory_is_told_and_nothing_leaks),
        cmocka_unit_test(calls_without_what_they_need_are_refused),
        cmocka_unit_test(steps_take_no_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
