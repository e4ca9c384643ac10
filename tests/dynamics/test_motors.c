// Motors with a bound: a wheel on an axle speeds up by bound over moment, whatever the damper, and its work is the
// energy that it gains.
#include <math.h>
#include <stdlib.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

// A wheel that a motor turns about z. Returns its moment of inertia, kg m^2.
static double build_wheel(er_motor *motor, double damping, double most)
{
    scene_clear(&s);
    s.def.gravity = er_v3(0, 0, 0);
    scene_add(&s, scene_ball(0.3), 4.0, er_pose_identity(), 0.5, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    *motor = er_default_motor();
    motor->damping = damping;
    motor->velocity = 1e4;
    motor->most = most;
    s.def.motor = motor;
    s.def.motor_count = 1;
    return s.rig.body[0].inertia.m[2][2];
}

static void a_bound_over_a_moment_is_the_acceleration(void **state)
{
    for (int k = 0; k < 9; ++k) {
        const double bound[3] = {1.0, 10.0, 100.0}, damping[3] = {1.0, 1e3, 1e6};
        er_motor motor;
        double most = bound[k % 3], moment = build_wheel(&motor, damping[k / 3], most), q, rate;
        er_world *w = scene_begin(&s);
        scene_advance(w, 0.5);
        er_world_coordinates(w, &q, &rate);
        measure_at_most("rate of a wheel, off", fabs(rate * moment / (0.5 * most) - 1.0), 1e-12);
        const er_world_energy e = er_world_measure_energy(w);
        measure_at_most("work of a motor, off", fabs(e.work / e.kinetic - 1.0), 1e-12);
        scene_end(&s, w);
    }
}

// A wheel that is at its speed, and at its bound a moment before: restored, it goes on to the bit.
static void a_bound_is_saved(void **state)
{
    er_motor motor;
    double moment = build_wheel(&motor, 1e3, 10.0), q, rate;
    motor.velocity = 10.0;
    er_world *w = scene_begin(&s), *other = scene_another(&s);
    void *bytes = malloc(er_world_state_size(w));
    assert_non_null(bytes);
    for (int step = 1; step <= 30; ++step) {
        scene_advance(w, step / hz);
        er_world_save(w, bytes);
        assert_int_equal(er_world_restore(other, bytes), ER_OK);
        scene_advance(w, (step + 0.5) / hz);
        scene_advance(other, (step + 0.5) / hz);
        assert_true(er_world_hash(w) == er_world_hash(other));
        assert_int_equal(er_world_restore(w, bytes), ER_OK);
        er_world_coordinates(w, &q, &rate);
        measure_at_most("rate of a wheel that has its speed, off", fabs(rate - fmin(10.0 * step / hz / moment, 10.0)),
                        1e-2);
    }
    free(bytes);
    er_world_destroy(other);
    scene_end(&s, w);
}

// A thin rod on a ball joint that strong motors turn across and about its own axis: its rates are those asked for. Its
// turn adds 260 times as much to its own spin in a step as a round body's would, and the motors resist it.
static void a_thin_rod_turns_as_motors_ask(void **state)
{
    const double asked[3] = {7.0, -8.0, 5.0};
    er_motor motor[3];
    double q[3], rate[3], off = 0.0;
    scene_clear(&s);
    s.def.gravity = er_v3(0, 0, 0);
    scene_add(&s, scene_ball(0.1), 0.2, (er_pose){er_q_identity(), {0, -0.2, 0}}, 0.5, 0.0);
    s.rig.body[0].inertia = (er_mat3){{{5.5e-3, 0, 0}, {0, 2.1e-5, 0}, {0, 0, 5.5e-3}}};
    rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, 0, er_pose_identity());
    for (int c = 0; c < 3; ++c) {
        motor[c] = er_default_motor();
        motor[c].coordinate = c;
        motor[c].damping = 7.0;
        motor[c].velocity = asked[c];
    }
    s.def.motor = motor;
    s.def.motor_count = 3;
    s.def.max_step = 1.0 / 240.0;
    er_world *w = scene_begin(&s);
    for (int step = 1; step <= 120; ++step) {
        scene_advance(w, step / 240.0);
        er_world_coordinates(w, q, rate);
        for (int c = 0; c < 3 && step > 20; ++c) // it is set going by then
            off = fmax(off, fabs(rate[c] - asked[c]));
    }
    measure_at_most("rate of a thin rod, rad/s, off", off, 0.2);
    scene_end(&s, w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thin_rod_turns_as_motors_ask),
        cmocka_unit_test(a_bound_over_a_moment_is_the_acceleration),
        cmocka_unit_test(a_bound_is_saved),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
