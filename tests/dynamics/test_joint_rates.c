// Rates of a joint's directions and how they change, apart or together: by the directions a moment before and after.
#include <math.h>

#include "dynamics/joint_rows.h"
#include "support/context.h"
#include "support/judge.h"

// A body that is thrown: where it is, its velocity and how that changes, at a time near 0.
typedef struct thrown {
    er_pose pose;
    er_vec3 angular, linear, angular_rate, linear_rate;
} thrown;

static thrown throw_body(dice *d, er_pose pose)
{
    thrown b = {.pose = pose};
    b.angular = dice_vec3(d);
    b.linear = dice_vec3(d);
    b.angular_rate = dice_vec3(d);
    b.linear_rate = dice_vec3(d);
    return b;
}

// To second order in t, which is small.
static thrown at_time(const thrown *b, double t)
{
    thrown now = *b;
    er_vec3 turn = er_v3_madd(er_v3_scale(t, b->angular), 0.5 * t * t, b->angular_rate);
    now.pose.q = er_q_mul(er_q_exp(turn), b->pose.q);
    now.pose.p = er_v3_madd(er_v3_madd(b->pose.p, t, b->linear), 0.5 * t * t, b->linear_rate);
    now.angular = er_v3_madd(b->angular, t, b->angular_rate);
    now.linear = er_v3_madd(b->linear, t, b->linear_rate);
    return now;
}

static eri_motion_at motion_of(const thrown *b)
{
    return (eri_motion_at){.point = b->pose.p,
                           .angular = b->angular,
                           .linear = b->linear,
                           .angular_rate = b->angular_rate,
                           .linear_rate = b->linear_rate};
}

static void rates_of(er_joint_type type, double pitch, const thrown *parent, const thrown *child, double rate[6],
                     double second[6])
{
    eri_rows rows = eri_rows_at(type, pitch, parent->pose, child->pose);
    eri_motion_at p = motion_of(parent), c = motion_of(child);
    eri_rows_rates(&rows, &p, &c, rate);
    if (second != NULL) eri_rows_second_rates(&rows, &p, &c, second);
}

static void rates_change_as_they_are_said_to(void **state)
{
    static const er_joint_type types[] = {
        ER_JOINT_REVOLUTE, ER_JOINT_UNIVERSAL,      ER_JOINT_SPHERICAL, ER_JOINT_PRISMATIC, ER_JOINT_CYLINDRICAL,
        ER_JOINT_PLANAR,   ER_JOINT_POINT_ON_PLANE, ER_JOINT_FIXED,     ER_JOINT_FREE,      ER_JOINT_SCREW};
    dice d = {91};
    const double h = 1e-4;
    for (int trial = 0; trial < 40 * 10; ++trial) {
        er_joint_type type = types[trial % 10];
        double pitch = type == ER_JOINT_SCREW ? dice_uniform(&d, -1, 1) : 0.0;
        er_pose pose = {dice_quat(&d), dice_vec3(&d)};
        er_pose apart = {er_q_exp(er_v3_scale(0.6, dice_vec3(&d))), er_v3_scale(0.3, dice_vec3(&d))};
        thrown parent = throw_body(&d, pose), child = throw_body(&d, er_pose_mul(pose, apart));
        double rate[6], second[6], before[6], after[6];
        rates_of(type, pitch, &parent, &child, rate, second);
        for (int k = 0; k < 2; ++k) {
            thrown p = at_time(&parent, k == 0 ? -h : h), c = at_time(&child, k == 0 ? -h : h);
            rates_of(type, pitch, &p, &c, k == 0 ? before : after, NULL);
        }
        for (int i = 0; i < 6; ++i)
            measure_at_most("rate of a joint's rate, off", fabs((after[i] - before[i]) / (2.0 * h) - second[i]), 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_change_as_they_are_said_to)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
