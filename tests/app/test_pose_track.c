// Motions at frames: beyond their ends, and smoothed. One body with a pendulum; sines go in, and their known shares
// come out.
#include "app/project/pose_track.h"

#include <math.h>
#include <stdlib.h>

#include "support/context.h"
#include "support/judge.h"

enum { FRAMES = 201 };

#define STEP 0.01 // s

static const er_vec3 up = {0, 1, 0};

static er_model *make_model(void)
{
    er_body body[2] = {er_default_body(), er_default_body()};
    er_joint joint = er_default_joint();
    body[0].mass = body[1].mass = 1.0;
    body[0].inertia = body[1].inertia = er_m3_identity();
    body[1].pose.p = er_v3(0, 1, 0);
    joint.parent = 0;
    joint.child = 1;
    joint.frame.p = er_v3(0, 1, 0);
    er_model_def def = er_default_model_def();
    def.body_count = 2, def.body = body, def.joint_count = 1, def.joint = &joint;
    er_model *m = NULL;
    if (er_model_create(context, &def, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    return m;
}

typedef struct motion {
    er_vec3 speed;          // m/s of the root
    double hz, size, swing; // of a sine: m along x, and rad of the hinge
    double phase;
} motion;

static pose_track make_track(const er_model *m, motion of)
{
    pose_track t = {.model = m, .count = FRAMES, .samples = 1, .step = STEP, .once = er_pose_identity()};
    t.pose = malloc((size_t)FRAMES * 2 * sizeof *t.pose);
    for (int k = 0; k < FRAMES; ++k) {
        double wave = sin(2.0 * ER_PI * of.hz * k * STEP + of.phase);
        er_pose root[2] = {
            {er_q_identity(), er_v3_madd(er_v3_scale(k * STEP, of.speed), of.size * wave, er_v3(1, 0, 0))}};
        const double q = of.swing * wave;
        er_model_pose(m, &q, root, t.pose + 2 * k);
    }
    return t;
}

static double angle_of(const er_model *m, const er_pose *pose)
{
    double q;
    er_model_coordinates(m, pose, &q, NULL);
    return q;
}

// At the cut-off half of the power is left, far below it all, far above it none; and nothing is delayed.
static void a_low_pass_leaves_half_the_power_at_its_cutoff(void **state)
{
    static const struct {
        double hz, share;
    } cases[] = {{0.5, 0.9999}, {6.0, 0.70711}, {30.0, 0.0009}};
    er_model *m = make_model();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pose_track t = make_track(m, (motion){.hz = cases[i].hz, .size = 0.1, .swing = 0.2, .phase = ER_PI / 2.0});
        assert_int_equal(pose_track_extend(context, up, 6.0, &t), ER_OK);
        assert_true(t.repeats && t.pad >= 50);
        assert_int_equal(pose_track_smooth(context, 6.0, &t), ER_OK);
        for (int k = 0; k < FRAMES; ++k) {
            double wave = cos(2.0 * ER_PI * cases[i].hz * k * STEP);
            const er_pose *pose = t.pose + 2 * (t.pad + k);
            measure_at_most("sine behind a low-pass", fabs(pose[0].p.x - 0.1 * cases[i].share * wave), 1e-4);
            measure_at_most("angle behind a low-pass", fabs(angle_of(m, pose) - 0.2 * cases[i].share * wave), 1e-3);
            er_vec3 apart = er_v3_sub(pose[1].p, er_pose_point(pose[0], er_v3(0, 1, 0))); // joints stay together
            assert_true(er_v3_norm(apart) < 1e-12);
        }
        pose_track_clear(&t);
    }
    er_model_destroy(m);
}

// A straight way has no corner at its ends: it is reflected there, and smoothing leaves it.
static void what_moves_evenly_stays_as_it_is(void **state)
{
    er_model *m = make_model();
    pose_track t = make_track(m, (motion){.speed = {0.3, 0.2, -0.1}});
    assert_int_equal(pose_track_extend(context, up, 6.0, &t), ER_OK);
    assert_true(!t.repeats && t.pad == 50); // it rises, so it does not repeat
    assert_int_equal(pose_track_smooth(context, 6.0, &t), ER_OK);
    for (int k = 0; k < FRAMES; ++k) {
        er_vec3 want = er_v3_scale(k * STEP, er_v3(0.3, 0.2, -0.1));
        measure_at_most("even motion, smoothed", er_v3_distance(t.pose[2 * (t.pad + k)].p, want), 1e-6);
    }
    assert_refusal(context, pose_track_smooth(context, 41.0, &t), ER_ERROR_ARGUMENT, "41 Hz");
    pose_track_clear(&t);
    er_model_destroy(m);
}

// A way along the ground repeats, a cycle ahead: the motion beyond the ends is that of the cycles before and after.
static void steps_that_travel_repeat(void **state)
{
    er_model *m = make_model();
    const motion of = {.speed = {0.3, 0, -0.1}, .hz = 1.5, .size = 0.05, .swing = 0.3};
    pose_track t = make_track(m, of);
    er_trajectory *path = NULL;
    assert_int_equal(pose_track_extend(context, up, 0.0, &t), ER_OK);
    assert_true(t.repeats && t.pad == 24);
    assert_true(er_v3_distance(t.once.p, er_v3_scale((FRAMES - 1) * STEP, of.speed)) < 1e-12);
    assert_int_equal(pose_track_trajectory(context, &t, &path), ER_OK);
    for (int k = 0; k < FRAMES; k += FRAMES - 1) { // natural ends would have no acceleration
        er_pose pose;
        er_twist twist, rate;
        double w = 2.0 * ER_PI * of.hz, time = pose_track_time(&t, k);
        er_trajectory_at(path, time, 0, &pose, &twist, &rate);
        assert_true(fabs(time - k * STEP) < 1e-12);
        measure_at_most("speed at an end, m/s", fabs(twist.linear.x - 0.3 - 0.05 * w), 1e-4);
        er_trajectory_at(path, time, 1, &pose, &twist, &rate);
        measure_at_most("turning at an end, rad/s", fabs(fabs(twist.angular.z) - 0.3 * w), 1e-3);
    }
    er_trajectory_destroy(path);
    pose_track_clear(&t);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_low_pass_leaves_half_the_power_at_its_cutoff),
        cmocka_unit_test(what_moves_evenly_stays_as_it_is),
        cmocka_unit_test(steps_that_travel_repeat),
    };
    return cmocka_run_group_tests_name("pose_track", tests, set_up, tear_down);
}
