// Tracks: through the poses given, with the rates that differences of the trajectory itself have.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/motion.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/ledger.h"

enum { KNOTS = 41 };

static double knot(int k)
{
    return 0.05 * k + 0.01 * sin(3.0 * k); // not evenly
}

// Body 0 turns about an axis that turns itself; body 1 goes straight on, at one speed.
static er_pose given(double t, int body)
{
    if (body == 1) return (er_pose){er_q_exp(er_v3(0.3, 0, 0)), {1.0 + 2.0 * t, -t, 0.5}};
    er_quat turn = er_q_mul(er_q_exp(er_v3(0, 0, 2.0 * t)), er_q_exp(er_v3(sin(3.0 * t), 0, 0)));
    return (er_pose){turn, {cos(2.0 * t), sin(2.0 * t), 0.3 * t * t}};
}

static er_trajectory *make_track(void)
{
    double time[KNOTS];
    er_pose pose[2 * KNOTS];
    er_trajectory *trajectory = NULL;
    for (int k = 0; k < KNOTS; ++k) {
        time[k] = knot(k);
        for (int b = 0; b < 2; ++b)
            pose[2 * k + b] = given(time[k], b);
        if (k % 3 == 0)
            pose[2 * k].q = (er_quat){-pose[2 * k].q.w, -pose[2 * k].q.x, -pose[2 * k].q.y, -pose[2 * k].q.z};
    }
    assert_int_equal(er_trajectory_create(context, KNOTS, time, 2, pose, &trajectory), ER_OK);
    return trajectory;
}

static double apart(er_pose a, er_pose b)
{
    return fmax(er_v3_distance(a.p, b.p), er_v3_norm(er_q_log(er_q_mul(er_q_conj(a.q), b.q))));
}

static double most(er_twist a, er_twist b)
{
    return fmax(er_v3_distance(a.angular, b.angular), er_v3_distance(a.linear, b.linear));
}

static void passes_through_what_it_was_given(void **state)
{
    er_trajectory *trajectory = make_track();
    er_pose pose;
    er_twist twist, rate;
    for (int k = 0; k < KNOTS; ++k)
        for (int b = 0; b < 2; ++b) {
            er_trajectory_at(trajectory, knot(k), b, &pose, &twist, &rate);
            assert_true(apart(pose, given(knot(k), b)) < 1e-12);
            assert_true(fabs(er_q_dot(pose.q, pose.q) - 1.0) < 1e-14);
        }
    er_trajectory_at(trajectory, -3.0, 0, &pose, &twist, &rate);
    assert_true(apart(pose, given(knot(0), 0)) < 1e-12);
    er_trajectory_at(trajectory, 30.0, 0, &pose, &twist, &rate);
    assert_true(apart(pose, given(knot(KNOTS - 1), 0)) < 1e-12);
    er_trajectory_destroy(trajectory);
}

// In the middle, where the ends' missing bends are forgotten, a cubic errs by h^4 / 384 of the fourth derivative.
static void follows_a_smooth_motion(void **state)
{
    er_trajectory *trajectory = make_track();
    er_pose pose;
    er_twist twist, rate;
    for (double t = 0.6; t < 1.4; t += 0.0137) {
        er_trajectory_at(trajectory, t, 0, &pose, &twist, &rate);
        assert_true(apart(pose, given(t, 0)) < 1e-4);
        er_trajectory_at(trajectory, t, 1, &pose, &twist, &rate);
        assert_true(apart(pose, given(t, 1)) < 1e-12 && er_v3_norm(twist.angular) < 1e-12);
        assert_true(er_v3_distance(er_q_rotate(pose.q, twist.linear), er_v3(2, -1, 0)) < 1e-12);
        assert_true(er_v3_norm(rate.linear) < 1e-9);
    }
    er_trajectory_destroy(trajectory);
}

// Twists by poses a moment apart, rates by twists: differences err by the square of the moment, and across a knot by
// the moment itself, since third derivatives jump there.
static void its_rates_are_those_of_its_poses(void **state)
{
    er_trajectory *trajectory = make_track();
    const double moment = 1e-5;
    for (double t = 0.1; t < 1.9; t += 0.0171) {
        er_pose pose, before, after;
        er_twist twist, rate, low, high, unused;
        er_trajectory_at(trajectory, t - moment, 0, &before, &low, &unused);
        er_trajectory_at(trajectory, t + moment, 0, &after, &high, &unused);
        er_trajectory_at(trajectory, t, 0, &pose, &twist, &rate);
        er_vec3 turn = er_v3_scale(0.5 / moment, er_q_log(er_q_mul(er_q_conj(before.q), after.q)));
        er_vec3 shift = er_v3_scale(0.5 / moment, er_v3_sub(after.p, before.p));
        assert_true(most(twist, (er_twist){turn, er_q_rotate(er_q_conj(pose.q), shift)}) < 1e-7);
        er_twist slope = {er_v3_scale(0.5 / moment, er_v3_sub(high.angular, low.angular)),
                          er_v3_scale(0.5 / moment, er_v3_sub(high.linear, low.linear))};
        assert_true(most(rate, slope) < 2e-3);
    }
    er_trajectory_destroy(trajectory);
}

static void refuses_what_is_no_motion(void **state)
{
    static const struct {
        double time[3];
        const char *said; // NULL: fine
    } rows[] = {{{0, 1, 1}, "time 2"},     {{0, 1, 0.5}, "time 2"}, {{2, 1, 3}, "time 1"},
                {{NAN, 1, 2}, "time 0"},   {{0, NAN, 2}, "time 1"}, {{-1.1e9, 0, 1}, "time 0"},
                {{0, 1, 1.1e9}, "time 2"}, {{-1e9, 0, 1e9}, NULL},  {{-3, -2, -1}, NULL}};
    const er_pose at = er_pose_identity();
    er_pose pose[3] = {at, at, at};
    er_trajectory *trajectory = NULL;
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_result r = er_trajectory_create(context, 3, rows[i].time, 1, pose, &trajectory);
        assert_int_equal(r == ER_OK, rows[i].said == NULL);
        assert_int_equal(trajectory == NULL, rows[i].said != NULL);
        if (r != ER_OK) assert_refusal(context, r, ER_ERROR_ARGUMENT, rows[i].said);
        er_trajectory_destroy(trajectory);
        trajectory = (er_trajectory *)&at; // not NULL
    }
    static const double time[3] = {0, 1, 2};
    for (int i = 0; i < 5; ++i) { // a place, or a turn, that is none
        pose[1] = at;
        if (i == 0) pose[1].p.y = NAN;
        if (i == 1) pose[1].p.z = HUGE_VAL;
        if (i == 2) pose[1].q.w = NAN;
        if (i == 3) pose[1].q.w = sqrt(1.0011);
        if (i == 4) pose[1].q.w = sqrt(0.9989);
        assert_refusal(context, er_trajectory_create(context, 3, time, 1, pose, &trajectory), ER_ERROR_ARGUMENT,
                       "pose 1");
        assert_null(trajectory);
    }
    pose[1].q.w = sqrt(1.0009); // brought to norm 1
    assert_int_equal(er_trajectory_create(context, 3, time, 1, pose, &trajectory), ER_OK);
    er_pose now;
    er_twist twist, rate;
    er_trajectory_at(trajectory, 1.0, 0, &now, &twist, &rate);
    assert_true(fabs(now.q.w - 1.0) < 1e-14);
    er_trajectory_destroy(trajectory);
    pose[1] = at;
    assert_int_equal(er_trajectory_create(context, 1, time, 1, pose, &trajectory), ER_ERROR_ARGUMENT);
    assert_int_equal(er_trajectory_create(context, 2, time, 0, pose, &trajectory), ER_ERROR_ARGUMENT);
    assert_int_equal(er_trajectory_create(context, 2, time, 1, pose, &trajectory), ER_OK); // two are enough
    er_trajectory_destroy(trajectory);
}

// Beyond its ends a trajectory stands still: what it is at the first and the last time, wherever it is asked.
static void bends_are_none_at_the_ends(void **state)
{
    er_trajectory *trajectory = make_track();
    er_pose pose[2];
    er_twist twist[2], rate[2];
    for (int end = 0; end < 2; ++end) {
        er_trajectory_at(trajectory, knot(end * (KNOTS - 1)), 0, &pose[0], &twist[0], &rate[0]);
        er_trajectory_at(trajectory, knot(end * (KNOTS - 1)) + (end == 0 ? -0.7 : 0.7), 0, &pose[1], &twist[1],
                         &rate[1]);
        assert_memory_equal(&pose[0], &pose[1], sizeof pose[0]);
        assert_memory_equal(&twist[0], &twist[1], sizeof twist[0]);
        er_vec3 turning =
            er_v3_cross(twist[0].angular, twist[0].linear); // a path that does not bend, seen by what turns
        assert_true(er_v3_norm(er_v3_add(rate[0].linear, turning)) < 1e-9);
    }
    er_trajectory_destroy(trajectory);
}

static void any_allocation_may_fail(void **state)
{
    enum { MANY = 5000 }; // so many that each array takes memory of its own
    static double time[MANY];
    static er_pose pose[MANY];
    for (int k = 0; k < MANY; ++k) {
        time[k] = knot(k);
        pose[k] = given(time[k], 0);
    }
    er_result r = ER_ERROR_MEMORY;
    long n = 0;
    for (; r != ER_OK; ++n) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_trajectory *trajectory = NULL;
        l.left = n;
        r = er_trajectory_create(own, MANY, time, 1, pose, &trajectory);
        assert_true(r == ER_OK || (r == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
        assert_int_equal(trajectory != NULL, r == ER_OK);
        er_trajectory_destroy(trajectory);
        ledger_end(&l, own);
    }
    assert_true(n > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_through_what_it_was_given), cmocka_unit_test(follows_a_smooth_motion),
        cmocka_unit_test(its_rates_are_those_of_its_poses), cmocka_unit_test(refuses_what_is_no_motion),
        cmocka_unit_test(bends_are_none_at_the_ends),       cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("trajectory", tests, set_up, tear_down);
}
