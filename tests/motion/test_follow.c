// Follow-through against full dynamics led until it repeats, against closed forms, and against Newton and Euler on the
// motion that came out.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/dynamics.h>
#include <eigenrig/motion.h>

#include "base/arena.h"
#include "motion/modal_response.h"
#include "motion/moving.h"
#include "support/context.h"
#include "support/ledger.h"

enum { LINKS = 4, BODIES = LINKS + 1, INSTANTS = 481, TURNS = 4, PADDED = (2 * TURNS + 1) * (INSTANTS - 1) + 1 };

#define CYCLE 0.8 // s
#define BETA 0.05 // s, of Rayleigh damping

static const er_vec3 down = {0, -9.81, 0};

// A body with a tail of balls, a universal joint and a hinge, along -x.
static er_model *make_tail(double stiffness, er_joint_type third)
{
    const er_joint_type types[LINKS] = {third, ER_JOINT_UNIVERSAL, ER_JOINT_REVOLUTE, third};
    er_body body[BODIES];
    er_joint joint[LINKS];
    er_model_def def = er_default_model_def();
    for (int i = 0; i < BODIES; ++i) {
        body[i] = er_default_body();
        body[i].name = i == 0 ? "body" : "tail";
        body[i].mass = i == 0 ? 20.0 : 0.4;
        body[i].com = er_v3(-0.06, 0, 0);
        body[i].inertia = (er_mat3){{{4e-4, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}};
        body[i].pose.p = er_v3(-0.12 * i, 1.0, 0.0);
    }
    for (int i = 0; i < LINKS; ++i) {
        joint[i] = er_default_joint();
        joint[i].name = "joint";
        joint[i].parent = i;
        joint[i].child = i + 1;
        joint[i].type = types[i];
        joint[i].frame.p = body[i + 1].pose.p;
        for (int c = 0; c < er_joint_type_freedom(types[i], NULL); ++c)
            joint[i].stiffness[c] = stiffness / (i + 1);
    }
    def.body_count = BODIES;
    def.body = body;
    def.joint_count = LINKS;
    def.joint = joint;
    def.rayleigh_stiffness = BETA;
    er_model *model = NULL;
    if (er_model_create(context, &def, &model) != ER_OK) fail_msg("%s", er_context_error(context));
    return model;
}

typedef struct lead {
    double size; // m, of its bob; rad, of its turns
} lead;

// The body's pose, twist and rate, by differences of an exact pose.
static er_pose body_at(const lead *l, double t)
{
    double a = 2.0 * ER_PI * t / CYCLE;
    er_quat q = er_q_mul(er_q_exp(er_v3(0, l->size * sin(a), 0)), er_q_exp(er_v3(0, 0, 0.7 * l->size * cos(2 * a))));
    return (er_pose){q, er_v3(0.2 * l->size * sin(a), 1.0 + 0.1 * l->size * cos(2 * a), 0.0)};
}

static er_twist twist_at(const lead *l, double t)
{
    const double h = 1e-4;
    er_pose back = er_pose_inverse(body_at(l, t)), a = body_at(l, t - h), b = body_at(l, t + h);
    er_vec3 turn = er_v3_sub(er_q_log(er_q_mul(back.q, b.q)), er_q_log(er_q_mul(back.q, a.q)));
    return (er_twist){er_v3_scale(0.5 / h, turn), er_q_rotate(back.q, er_v3_scale(0.5 / h, er_v3_sub(b.p, a.p)))};
}

static void guide(void *user, double t, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    const double h = 1e-4;
    const lead *l = user;
    er_twist a = twist_at(l, t - h), b = twist_at(l, t + h);
    assert_int_equal(body, 0);
    *pose = body_at(l, t);
    *twist = twist_at(l, t);
    rate->angular = er_v3_scale(0.5 / h, er_v3_sub(b.angular, a.angular));
    rate->linear = er_v3_scale(0.5 / h, er_v3_sub(b.linear, a.linear));
}

// The whole rig moved as one by the body, over cycles before and after.
static er_trajectory *rigid_track(const er_model *m, const lead *l)
{
    er_pose *pose = calloc((size_t)PADDED * BODIES, sizeof *pose);
    double *time = calloc(PADDED, sizeof *time);
    er_trajectory *out = NULL;
    for (int k = 0; k < PADDED; ++k) {
        time[k] = (k - TURNS * (INSTANTS - 1)) * CYCLE / (INSTANTS - 1);
        er_pose moved = er_pose_mul(body_at(l, time[k]), er_pose_inverse(m->body[0].pose));
        for (int b = 0; b < BODIES; ++b)
            pose[k * BODIES + b] = er_pose_mul(moved, m->body[b].pose);
    }
    assert_int_equal(er_trajectory_create(context, PADDED, time, BODIES, pose, &out), ER_OK);
    free(time);
    free(pose);
    return out;
}

static er_follow_def tail_def(void)
{
    static const bool loose[BODIES] = {false, true, true, true, true};
    er_follow_def def = er_default_follow_def();
    def.loose = loose;
    def.gravity = down;
    return def;
}

static er_follow *follow(const er_model *m, const lead *l, const er_follow_def *def, bool repeats)
{
    er_trajectory *t = rigid_track(m, l);
    er_follow *f = NULL;
    if (er_follow_create(context, m, t, CYCLE, INSTANTS, repeats, def, &f) != ER_OK)
        fail_msg("%s", er_context_error(context));
    er_trajectory_destroy(t);
    return f;
}

static double apart(er_pose a, er_pose b)
{
    return fmax(er_v3_distance(a.p, b.p), er_v3_norm(er_q_log(er_q_mul(er_q_conj(a.q), b.q))));
}

// The largest difference of the tail from full dynamics, led for `cycles`, and the largest swing.
static double against_dynamics(const er_model *m, const lead *l, const er_follow *f, int cycles, double *swing)
{
    static const bool held[BODIES] = {true};
    er_world_def def = er_default_world_def();
    er_world *w = NULL;
    double worst = 0.0;
    def.model = m;
    def.gravity = down;
    def.held = held;
    def.guide = guide;
    def.user = (void *)l;
    def.integrator = ER_INTEGRATE_FEHLBERG;
    def.tolerance = 1e-9;
    if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    if (er_world_advance(w, cycles * CYCLE, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
    *swing = 0.0;
    for (int k = 0; k < INSTANTS; k += 16) {
        assert_int_equal(er_world_advance(w, cycles * CYCLE + f->time[k], NULL), ER_OK);
        const er_pose *pose = er_world_pose(w);
        for (int b = 1; b < BODIES; ++b) {
            worst = fmax(worst, apart(pose[b], f->pose[k * BODIES + b]));
            er_pose stiff = er_pose_mul(pose[0], er_pose_mul(er_pose_inverse(m->body[0].pose), m->body[b].pose));
            *swing = fmax(*swing, apart(stiff, pose[b]));
        }
    }
    er_world_destroy(w);
    return worst;
}

static void is_the_motion_that_dynamics_comes_to(void **state)
{
    static const struct {
        double stiffness, size;
        er_joint_type third;
    } cases[] = {{12.0, 0.01, ER_JOINT_SPHERICAL}, {12.0, 0.2, ER_JOINT_UNIVERSAL}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_model *m = make_tail(cases[i].stiffness, cases[i].third);
        const lead l = {cases[i].size};
        er_follow_def def = tail_def();
        def.weight = 1.0;
        def.bounce = -1.0;
        er_follow *f = follow(m, &l, &def, true);
        double swing, off = against_dynamics(m, &l, f, 30, &swing);
        assert_true(f->part[0].exact);
        assert_true(off < 1e-3 * swing);           // h^2 of the forces between instants
        assert_true(f->part[0].correction > 0.05); // the linear answer would not do
        er_follow_destroy(f);
        er_model_destroy(m);
    }
}

typedef struct driven {
    const er_trajectory *track;
    const er_follow_springs *springs;
} driven;

static void lead_by_track(void *user, double t, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    er_trajectory_at(((const driven *)user)->track, t, body, pose, twist, rate);
}

static void pull(void *user, double t, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    er_follow_springs_apply(((const driven *)user)->springs, t, pose, twist, wrench);
}

// A tail that the clip itself bends, so that its springs rest elsewhere at each instant.
static er_trajectory *bent_track(const er_model *m, const lead *l)
{
    er_pose *pose = calloc((size_t)PADDED * BODIES, sizeof *pose);
    double *time = calloc(PADDED, sizeof *time), q[3 * LINKS] = {0};
    er_pose root[BODIES];
    er_trajectory *out = NULL;
    for (int k = 0; k < PADDED; ++k) {
        time[k] = (k - TURNS * (INSTANTS - 1)) * CYCLE / (INSTANTS - 1);
        for (int c = 0; c < m->coordinate_count; ++c)
            q[c] = c == 3 || c == 4 ? 0.0 : 0.2 * sin(2.0 * ER_PI * time[k] / CYCLE + c); // two turns do not add up
        root[0] = er_pose_mul(body_at(l, time[k]), er_pose_inverse(m->body[0].pose));
        er_model_pose(m, q, root, pose + (ptrdiff_t)k * BODIES);
    }
    assert_int_equal(er_trajectory_create(context, PADDED, time, BODIES, pose, &out), ER_OK);
    free(time);
    free(pose);
    return out;
}

// The law as forces in full dynamics: with a frequency, a bounce, and weight that springs carry.
static void full_dynamics_of_the_same_springs_come_to_the_same_motion(void **state)
{
    static const bool held[BODIES] = {true};
    er_model *m = make_tail(12.0, ER_JOINT_SPHERICAL);
    const lead l = {0.1};
    er_trajectory *track = bent_track(m, &l);
    er_follow_def def = tail_def();
    er_follow *f = NULL;
    er_follow_springs *springs = NULL;
    er_world *w = NULL;
    double worst = 0.0;
    enum { CYCLES = 6 };
    def.hz = 1.6;
    def.bounce = 0.3;
    assert_int_equal(er_follow_create(context, m, track, CYCLE, INSTANTS, true, &def, &f), ER_OK);
    assert_int_equal(er_follow_springs_create(context, m, track, def.loose, f, &springs), ER_OK);
    driven by = {track, springs};
    er_world_def world = er_default_world_def();
    world.model = springs->model;
    world.gravity = down;
    world.held = held;
    world.guide = lead_by_track;
    world.apply = pull;
    world.user = &by;
    world.integrator = ER_INTEGRATE_FEHLBERG;
    world.tolerance = 1e-7;
    assert_int_equal(er_world_create(context, &world, &w), ER_OK);
    for (int cycle = 0; cycle < CYCLES; ++cycle) {
        assert_int_equal(er_world_advance(w, CYCLE, NULL), ER_OK);
        er_pose pose[BODIES];
        er_twist twist[BODIES];
        memcpy(pose, er_world_pose(w), sizeof pose);
        memcpy(twist, er_world_twist(w), sizeof twist);
        assert_int_equal(er_world_set_state(w, 0.0, pose, twist), ER_OK);
    }
    for (int k = 0; k < INSTANTS; k += 40) {
        assert_int_equal(er_world_advance(w, f->time[k], NULL), ER_OK);
        for (int b = 1; b < BODIES; ++b)
            worst = fmax(worst, apart(er_world_pose(w)[b], f->pose[k * BODIES + b]));
    }
    assert_true(f->part[0].exact && f->part[0].swing > 0.2);
    assert_true(worst < 1e-3 * f->part[0].swing);
    er_world_destroy(w);
    er_follow_springs_destroy(springs);
    er_follow_destroy(f);
    er_trajectory_destroy(track);
    er_model_destroy(m);
}

// Against the exact answer to a force that is a sine, and to one that is a ramp.
static void oscillates_as_closed_forms_say(void **state)
{
    const double zetas[] = {0.0, 0.3, 1.0 - 1e-12, 1.0, 1.0 + 1e-12, 4.0}, w = 7.0, slope = 3.0;
    for (size_t i = 0; i < ERI_COUNT(zetas); ++i) {
        enum { STEPS = 200 };
        double zeta = zetas[i], h = 1.0 / STEPS, force[STEPS + 1], q[STEPS + 1], rate[STEPS + 1], accel[STEPS + 1];
        const eri_oscillator o = eri_oscillator_of(w, zeta, h);
        for (int k = 0; k <= STEPS; ++k)
            force[k] = slope * k * h; // q = slope (t - 2 zeta / w) / w^2, if it begins so
        const double start[2] = {-2.0 * zeta * slope / (w * w * w), slope / (w * w)};
        eri_oscillator_run(&o, STEPS + 1, force, start, q, rate, accel);
        for (int k = 0; k <= STEPS; ++k) {
            assert_true(fabs(q[k] - (slope * k * h - 2.0 * zeta * slope / w) / (w * w)) < 1e-14);
            assert_true(fabs(rate[k] - start[1]) < 1e-13 && fabs(accel[k]) < 1e-12);
        }
        double w0 = 2.0 * ER_PI, state0[2]; // one cycle: Re(H exp(i w0 t))
        for (int k = 0; k <= STEPS; ++k)
            force[k] = cos(w0 * k * h);
        eri_oscillator_repeat(&o, STEPS + 1, force, state0);
        eri_oscillator_run(&o, STEPS + 1, force, state0, q, rate, accel);
        assert_true(fabs(q[STEPS] - q[0]) < 1e-13 && fabs(rate[STEPS] - rate[0]) < 1e-12);
        double re = w * w - w0 * w0, im = 2.0 * zeta * w * w0, size = re * re + im * im;
        for (int k = 0; k <= STEPS; ++k) // a sine between whose values lines are drawn: w0^2 h^2 / 12 of it is lost
            assert_true(fabs(q[k] - (re * cos(w0 * k * h) + im * sin(w0 * k * h)) / size) < 1e-3 / sqrt(size));
    }
}

// ---- Frames that move

static eri_moving random_moving(double t, double seed)
{
    er_vec3 r = er_v3(sin(t + seed), 0.7 * cos(2 * t + seed), 0.3 * t), p = er_v3(t * t, sin(3 * t + seed), cos(t));
    return (eri_moving){.pose = {er_q_exp(r), p}};
}

// Twist and rate of a pose by differences in time.
static eri_moving differentiated(er_pose (*at)(double t, const void *user), double t, const void *user)
{
    const double h = 1e-3;
    er_twist twist[3];
    for (int i = 0; i < 3; ++i) { // of fourth order, at t - h, t, t + h
        double m = t + (i - 1) * h;
        er_pose here = at(m, user), back = er_pose_inverse(here);
        er_vec3 turn = {0, 0, 0}, shift = {0, 0, 0};
        const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
        const int step[4] = {-2, -1, 1, 2};
        for (int k = 0; k < 4; ++k) {
            er_pose to = er_pose_mul(back, at(m + 0.1 * step[k] * h, user));
            turn = er_v3_madd(turn, weight[k] / (0.1 * h), er_q_log(to.q));
            shift = er_v3_madd(shift, weight[k] / (0.1 * h), to.p);
        }
        twist[i] = (er_twist){turn, shift};
    }
    eri_moving out = {.pose = at(t, user), .twist = twist[1]};
    out.rate.angular = er_v3_scale(0.5 / h, er_v3_sub(twist[2].angular, twist[0].angular));
    out.rate.linear = er_v3_scale(0.5 / h, er_v3_sub(twist[2].linear, twist[0].linear));
    return out;
}

static double far(er_twist a, er_twist b)
{
    return fmax(er_v3_distance(a.angular, b.angular), er_v3_distance(a.linear, b.linear));
}

static er_pose carrier_at(double t, const void *user)
{
    (void)user;
    return random_moving(t, 0.0).pose;
}

static er_pose rider_at(double t, const void *user)
{
    (void)user;
    return random_moving(0.7 * t, 2.0).pose;
}

static er_pose both_at(double t, const void *user)
{
    return er_pose_mul(carrier_at(t, user), rider_at(t, user));
}

static void frames_carry_each_other(void **state)
{
    for (double t = -1.0; t < 1.0; t += 0.27) {
        eri_moving a = differentiated(carrier_at, t, NULL), b = differentiated(rider_at, t, NULL),
                   c = differentiated(both_at, t, NULL);
        eri_moving after = eri_moving_after(&a, &b), between = eri_moving_between(&a, &after);
        assert_true(apart(after.pose, c.pose) < 1e-14);
        assert_true(far(after.twist, c.twist) < 1e-8 && far(after.rate, c.rate) < 1e-4);
        assert_true(apart(between.pose, b.pose) < 1e-13);
        assert_true(far(between.twist, b.twist) < 1e-13 && far(between.rate, b.rate) < 1e-12);
    }
}

typedef struct turned {
    er_joint_type type;
    double pitch, size;
} turned;

static void coordinates_at(double t, double size, double x[6])
{
    for (int c = 0; c < 6; ++c)
        x[c] = size * sin((1.0 + 0.4 * c) * t + c);
}

static er_pose joint_at(double t, const void *user)
{
    const turned *j = user;
    double x[6];
    const double none[6] = {0};
    coordinates_at(t, j->size, x);
    return eri_moving_joint(j->type, j->pitch, x, none, none).pose;
}

static void joints_move_at_their_rates(void **state)
{
    for (int type = 0; type < ER_JOINT_TYPE_COUNT; ++type)
        for (double size = 1e-3; size < 2.0; size *= 7.0) {
            const turned j = {(er_joint_type)type, type == ER_JOINT_SCREW ? 0.03 : 0.0, size};
            const double t = 0.4, h = 1e-4;
            double x[6], before[6], after[6], rate[6], accel[6];
            coordinates_at(t, size, x);
            coordinates_at(t - h, size, before);
            coordinates_at(t + h, size, after);
            for (int c = 0; c < 6; ++c) {
                rate[c] = (1.0 + 0.4 * c) * size * cos((1.0 + 0.4 * c) * t + c);
                accel[c] = -(1.0 + 0.4 * c) * (1.0 + 0.4 * c) * x[c];
            }
            eri_moving told = eri_moving_joint(j.type, j.pitch, x, rate, accel), seen = differentiated(joint_at, t, &j);
            assert_true(far(told.twist, seen.twist) < 1e-8 * (1.0 + size));
            assert_true(far(told.rate, seen.rate) < 1e-5 * (1.0 + size));
            er_twist axis[6], sum = {{0, 0, 0}, {0, 0, 0}};
            eri_moving_joint_axes(j.type, j.pitch, x, axis);
            for (int c = 0; c < er_joint_type_freedom(j.type, NULL); ++c) {
                sum.angular = er_v3_madd(sum.angular, rate[c], axis[c].angular);
                sum.linear = er_v3_madd(sum.linear, rate[c], axis[c].linear);
            }
            er_quat back = er_q_conj(told.pose.q);
            er_twist own = {er_q_rotate(back, sum.angular), er_q_rotate(back, sum.linear)};
            assert_true(far(own, told.twist) < 1e-13);
        }
}

// ---- Options

static void loops_and_keeps_its_carrier(void **state)
{
    er_model *m = make_tail(6.0, ER_JOINT_SPHERICAL);
    const lead l = {0.1};
    er_follow_def def = tail_def();
    er_follow *f = follow(m, &l, &def, true);
    assert_true(f->repeats && f->part_count == 1 && f->part[0].body == 1 && f->part[0].body_count == LINKS);
    for (int b = 0; b < BODIES; ++b)
        assert_true(apart(f->pose[b], f->pose[(INSTANTS - 1) * BODIES + b]) < 1e-9);
    for (int k = 0; k < INSTANTS; ++k)
        assert_true(apart(f->pose[k * BODIES], body_at(&l, f->time[k])) < 1e-6);
    for (int k = 0; k < INSTANTS; ++k) // joints stay together
        assert_true(er_pose_joint_gap(m, f->pose + k * BODIES) < 1e-12);
    er_follow_destroy(f);
    er_model_destroy(m);
}

// A loop has no harmonics beyond 30 Hz, so place, velocity and all else go on over its seam.
static void a_loop_has_no_seam(void **state)
{
    er_model *m = make_tail(12.0, ER_JOINT_SPHERICAL);
    const lead l = {0.1};
    er_follow_def def = tail_def();
    er_follow *f = follow(m, &l, &def, true);
    enum { FIRST = 25, INSIDE = INSTANTS - 1 }; // 30 Hz is the 24th of 0.8 s
    double *q = calloc((size_t)INSIDE * (size_t)m->coordinate_count, sizeof *q), most = 0.0, beyond = 0.0;
    for (int k = 0; k < INSIDE; ++k)
        er_model_coordinates(m, f->pose + k * BODIES, q + k * m->coordinate_count, NULL);
    for (int c = 0; c < m->coordinate_count; ++c)
        for (int h = 1; h <= INSIDE / 2; ++h) {
            double re = 0.0, im = 0.0;
            for (int k = 0; k < INSIDE; ++k) {
                double angle = 2.0 * ER_PI * (h * k % INSIDE) / INSIDE;
                re += q[k * m->coordinate_count + c] * cos(angle) * 2.0 / INSIDE;
                im += q[k * m->coordinate_count + c] * sin(angle) * 2.0 / INSIDE;
            }
            double *to = h < FIRST ? &most : &beyond;
            *to = fmax(*to, hypot(re, im));
        }
    assert_true(f->part[0].exact && most > 0.02);
    assert_true(beyond < 1e-9 * most);
    free(q);
    er_follow_destroy(f);
    er_model_destroy(m);
}

// Where nothing accelerates the parts stay where they are, or hang by their weight.
static void rests_where_springs_rest(void **state)
{
    er_model *m = make_tail(30.0, ER_JOINT_UNIVERSAL);
    const lead still = {0.0};
    er_follow_def def = tail_def();
    er_follow *f = follow(m, &still, &def, true);
    for (int i = 0; i < INSTANTS * BODIES; ++i)
        assert_true(apart(f->pose[i], m->body[i % BODIES].pose) < 1e-9);
    er_follow_destroy(f);
    for (int repeats = 0; repeats < 2; ++repeats) {
        def.weight = 1.0;
        f = follow(m, &still, &def, repeats);
        double q[2 * LINKS], torque = 0.0;
        er_model_coordinates(m, f->pose, q, NULL); // the hinge about z carries all that hangs on it
        er_vec3 hinge = f->pose[3].p;
        for (int b = 3; b < BODIES; ++b)
            torque += 0.4 * 9.81 * (hinge.x - er_pose_point(f->pose[b], m->body[b].com).x);
        double borne = m->joint[2].stiffness[0] * fabs(q[m->coordinate[2]]);
        assert_true(fabs(borne - torque) < 1e-4 * torque); // forces are met to a part of the swing
        er_follow_destroy(f);
    }
    er_model_destroy(m);
}

static void has_the_frequency_and_the_bounce_asked_for(void **state)
{
    er_model *m = make_tail(5.0, ER_JOINT_UNIVERSAL);
    const lead l = {0.01};
    er_follow_def def = tail_def();
    def.hz = 1.7;
    def.bounce = 0.5;
    er_follow *f = follow(m, &l, &def, true);
    assert_true(fabs(f->part[0].hz - 1.7) < 1e-9);
    double zeta = f->part[0].zeta; // half a swing later the amplitude is half
    assert_true(fabs(exp(-ER_PI * zeta / sqrt(1.0 - zeta * zeta)) - 0.5) < 1e-12);
    er_follow_destroy(f);
    er_model_destroy(m);
}

// A run that goes on is the run that was not interrupted.
static void goes_on_after_another(void **state)
{
    er_model *m = make_tail(8.0, ER_JOINT_SPHERICAL);
    const lead l = {0.08};
    er_trajectory *t = rigid_track(m, &l);
    er_follow_def def = tail_def();
    er_follow *whole = NULL, *first = NULL, *second = NULL;
    def.start = ER_FOLLOW_STILL;
    enum { HALF = (INSTANTS - 1) / 2 };
    assert_int_equal(er_follow_create(context, m, t, 2.0 * CYCLE, 2 * INSTANTS - 1, false, &def, &whole), ER_OK);
    assert_int_equal(er_follow_create(context, m, t, CYCLE, INSTANTS, false, &def, &first), ER_OK);
    def.start = ER_FOLLOW_AFTER; // the lead repeats, so the second cycle's lead is the first's
    def.after = first;
    assert_int_equal(er_follow_create(context, m, t, CYCLE, INSTANTS, false, &def, &second), ER_OK);
    for (int k = 0; k < INSTANTS; ++k)
        for (int b = 0; b < BODIES; ++b) {
            assert_true(apart(whole->pose[k * BODIES + b], first->pose[k * BODIES + b]) < 1e-7);
            assert_true(apart(whole->pose[(INSTANTS - 1 + k) * BODIES + b], second->pose[k * BODIES + b]) < 1e-6);
        }
    er_follow_destroy(second);
    er_follow_destroy(first);
    er_follow_destroy(whole);
    er_trajectory_destroy(t);
    er_model_destroy(m);
}

static void refuses_what_cannot_be_followed(void **state)
{
    er_model *m = make_tail(8.0, ER_JOINT_SPHERICAL), *limp = make_tail(0.0, ER_JOINT_SPHERICAL);
    const lead l = {0.0};
    er_trajectory *t = rigid_track(m, &l);
    er_follow *f = NULL;
    er_follow_def def = tail_def();
    static const bool all[BODIES] = {true, true, true, true, true}, none[BODIES] = {false};
    def.loose = all;
    assert_refusal(context, er_follow_create(context, m, t, 1, 9, true, &def, &f), ER_ERROR_ARGUMENT, "body");
    def.loose = none;
    assert_refusal(context, er_follow_create(context, m, t, 1, 9, true, &def, &f), ER_ERROR_ARGUMENT, "loose");
    def = tail_def();
    assert_refusal(context, er_follow_create(context, limp, t, 1, 9, true, &def, &f), ER_ERROR_ARGUMENT, "tail");
    assert_refusal(context, er_follow_create(context, m, t, 1, 1, true, &def, &f), ER_ERROR_ARGUMENT, "1");
    assert_refusal(context, er_follow_create(context, m, t, 0, 9, true, &def, &f), ER_ERROR_ARGUMENT, "0");
    def.bounce = 1.0;
    assert_refusal(context, er_follow_create(context, m, t, 1, 9, true, &def, &f), ER_ERROR_ARGUMENT, "bounce");
    def = tail_def();
    def.weight = NAN;
    assert_refusal(context, er_follow_create(context, m, t, 1, 9, true, &def, &f), ER_ERROR_ARGUMENT, "weight");
    def = tail_def();
    def.start = ER_FOLLOW_AFTER;
    assert_refusal(context, er_follow_create(context, m, t, 1, 9, true, &def, &f), ER_ERROR_ARGUMENT, "after");
    assert_null(f);
    er_trajectory_destroy(t);
    er_model_destroy(limp);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillates_as_closed_forms_say),
        cmocka_unit_test(frames_carry_each_other),
        cmocka_unit_test(joints_move_at_their_rates),
        cmocka_unit_test(loops_and_keeps_its_carrier),
        cmocka_unit_test(a_loop_has_no_seam),
        cmocka_unit_test(rests_where_springs_rest),
        cmocka_unit_test(has_the_frequency_and_the_bounce_asked_for),
        cmocka_unit_test(goes_on_after_another),
        cmocka_unit_test(refuses_what_cannot_be_followed),
        cmocka_unit_test(is_the_motion_that_dynamics_comes_to),
        cmocka_unit_test(full_dynamics_of_the_same_springs_come_to_the_same_motion),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
