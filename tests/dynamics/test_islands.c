// Islands: what touches hangs together, falls asleep together, stays where it is to the bit, and is woken by all that
// could move it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static const double sleep_time = 0.5;

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

static void clear(void)
{
    scene_clear(&s);
    s.def.contact.sleep_time = sleep_time;
}

// Two stacks of three bricks, apart: bodies 0 to 2 and 3 to 5.
static void build_stacks(void)
{
    for (int i = 0; i < 6; ++i)
        scene_add(&s, scene_brick(0.5, 0.5, 0.25), 1.0, at(3.0 * (i / 3), 0, 0.25 + 0.5 * (i % 3)), 0.5, 0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
}

static int sleepers(const er_world *w)
{
    int count = 0;
    for (int b = 0; b < s.rig.body_count; ++b)
        count += er_world_is_asleep(w, b);
    return count;
}

static void assert_wakes(er_world *w, int first, int last)
{
    for (int b = 0; b < s.rig.body_count; ++b)
        if (er_world_is_asleep(w, b) == (b >= first && b <= last))
            fail_msg("body %d %s", b, er_world_is_asleep(w, b) ? "sleeps" : "is awake");
}

// All asleep at a time that steps meet.
static er_world *begin_asleep(void)
{
    er_world *w = scene_begin(&s);
    scene_advance(w, 3.0);
    assert_int_equal(sleepers(w), s.rig.body_count);
    return w;
}

static void next_step(er_world *w)
{
    scene_advance(w, er_world_time(w) + 1.0 / hz);
}

static void stacks_are_islands(void **state)
{
    const int want[6] = {0, 0, 0, 1, 1, 1};
    int island[7];
    clear();
    build_stacks();
    er_world *w = scene_begin(&s);
    scene_advance(w, 1.0 / hz);
    er_world_islands(w, island);
    assert_memory_equal(island, want, sizeof want);
    scene_end(&s, w);
}

// Numbered by their least bodies, whatever moves them: a chain before bricks that lie on it or apart, and a ball on
// what is held. The ground, and what is held, hangs nothing together and is no island.
static void islands_are_counted_by_bodies(void **state)
{
    const int want[7] = {0, 0, 0, 1, 2, -1, 3};
    static const bool held[7] = {[5] = true};
    int island[7];
    clear();
    scene_chain(&s, 2, 0.08, 1.0);
    scene_add(&s, scene_brick(0.1, 0.1, 0.1), 1.0, at(0.1, 0, 0.26), 0.5, 0.0);
    scene_add(&s, scene_brick(0.1, 0.1, 0.1), 1.0, at(0, 3, 0.1), 0.5, 0.0);
    scene_add(&s, scene_ball(0.1), 1.0, at(0, 6, 0.3), 0.5, 0.0);
    scene_add(&s, scene_brick(5, 0.5, 0.1), 1.0, at(0, 6, 0.1), 0.5, 0.0);
    scene_add(&s, scene_ball(0.1), 1.0, at(2, 6, 0.3), 0.5, 0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    s.def.held = held;
    er_world *w = scene_begin(&s);
    scene_advance(w, 1.0 / hz);
    er_world_islands(w, island);
    assert_memory_equal(island, want, sizeof want);
    assert_false(er_world_is_asleep(w, 5));
    scene_end(&s, w);
    s.def.integrator = ER_INTEGRATE_SEMI_IMPLICIT;
    s.shape_count = 0;
    w = scene_begin(&s);
    er_world_islands(w, island);
    for (int b = 0; b < 7; ++b)
        assert_int_equal(island[b], -1);
    scene_end(&s, w);
}

// A sleeping body keeps its pose to the bit, has no velocity, and its energy became heat.
static void what_is_still_sleeps(void **state)
{
    clear();
    build_stacks();
    scene_chain(&s, 4, 0.08, 1.0);
    for (int b = 6; b < 10; ++b) {
        s.rig.body[b].pose.p.y += 3.0;
        for (int k = 0; k < s.rig.joint_count; ++k)
            if (s.rig.joint[k].child == b) s.rig.joint[k].frame.p.y += 3.0;
    }
    er_world *w = scene_begin(&s);
    scene_advance(w, 0.4);
    assert_int_equal(sleepers(w), 0);
    scene_advance(w, 3.0);
    assert_int_equal(sleepers(w), s.rig.body_count);
    assert_true(scene_fastest(&s, w) == 0.0);
    er_world_energy asleep = er_world_measure_energy(w);
    static er_pose before[16];
    memcpy(before, er_world_pose(w), (size_t)s.rig.body_count * sizeof *before);
    scene_advance(w, 5.0);
    assert_memory_equal(before, er_world_pose(w), (size_t)s.rig.body_count * sizeof *before);
    assert_true(er_world_contact_count(w) > 0 && er_world_contact(w, 0).impulse.z != 0.0);
    scene_end(&s, w);
    s.def.contact.sleep_time = 0.0;
    w = scene_begin(&s);
    scene_advance(w, 3.0);
    assert_int_equal(sleepers(w), 0);
    er_world_energy awake = er_world_measure_energy(w);
    measure_at_most("energy that sleep takes unseen, J",
                    fabs(awake.mechanical + awake.heat - asleep.mechanical - asleep.heat),
                    0.01); // what sinks slowly stops
    scene_end(&s, w);
}

// A push, the setter and a state wake; only those that hang together with what was woken.
static void who_is_stirred_wakes(void **state)
{
    clear();
    build_stacks();
    er_world *w = begin_asleep();
    if (er_world_push(w, 1, er_v3(0, 0, 0), er_v3(0.1, 0, 0)) != ER_OK) fail_msg("%s", er_context_error(context));
    next_step(w);
    assert_wakes(w, 0, 2);
    assert_true(er_world_twist(w)[1].linear.x != 0.0 || er_world_contact_count(w) > 0);
    scene_advance(w, 5.0);
    assert_int_equal(sleepers(w), 6);
    assert_int_equal(er_world_wake(w, 4), ER_OK);
    next_step(w);
    assert_wakes(w, 3, 5);
    assert_int_equal(er_world_wake(w, -1), ER_OK);
    next_step(w);
    assert_int_equal(sleepers(w), 0);
    assert_int_equal(er_world_wake(w, 6), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_wake(w, -2), ER_ERROR_ARGUMENT);
    scene_advance(w, 8.0);
    assert_int_equal(sleepers(w), 6);
    if (er_world_set_state(w, 0.0, NULL, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
    assert_int_equal(sleepers(w), 0);
    scene_end(&s, w);
}

// A ball that falls on a stack that sleeps wakes it, and not the other one.
static void what_falls_on_sleepers_wakes_them(void **state)
{
    clear();
    build_stacks();
    scene_add(&s, scene_ball(0.2), 1.0, at(3.0, 0, 40.0), 0.5, 0.0);
    er_world *w = scene_begin(&s);
    double lands = sqrt(2.0 * (40.0 - 1.7) / g);
    scene_advance(w, floor((lands - 0.1) * hz) / hz);
    assert_wakes(w, 6, 6);
    double height = er_world_pose(w)[5].p.z;
    scene_advance(w, lands + 0.1);
    assert_wakes(w, 3, 6);
    assert_true(er_world_pose(w)[5].p.z != height);
    scene_advance(w, lands + 8.0);
    scene_end(&s, w);
}

// A platform that begins to move takes what sleeps on it along.
static void lift(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    (void)user;
    (void)body;
    double t = fmax(time - 4.0, 0.0);
    *pose = at(0, 0, 0.25 * t * t);
    *twist = (er_twist){{0, 0, 0}, {0, 0, 0.5 * t}};
    *rate = (er_twist){{0, 0, 0}, {0, 0, t > 0.0 ? 0.5 : 0.0}};
}

static void what_is_led_wakes(void **state)
{
    const bool held[2] = {true, false};
    clear();
    scene_add(&s, scene_brick(2, 2, 0.5), 1.0, at(0, 0, 0), 0.5, 0.0);
    scene_add(&s, scene_brick(0.5, 0.5, 0.5), 1.0, at(0, 0, 1.0), 0.5, 0.0);
    s.def.held = held;
    s.def.guide = lift;
    er_world *w = scene_begin(&s);
    scene_advance(w, 3.9);
    assert_wakes(w, 0, 0); // what is held is neither
    scene_advance(w, 5.0);
    measure_at_most("gap to a lift", fabs(er_world_pose(w)[1].p.z - er_world_pose(w)[0].p.z - 1.0), 0.02);
    scene_end(&s, w);
}

// A force that begins while its body sleeps: of a body without joints, and of a chain.
static void forces_that_change_wake(void **state)
{
    const er_force_sample sample[2] = {{4.0, {30, 0, 0}, {0, 0, 0}}, {5.0, {30, 0, 0}, {0, 0, 0}}};
    for (int k = 0; k < 2; ++k) {
        clear();
        if (k == 0)
            scene_add(&s, scene_brick(0.5, 0.5, 0.25), 1.0, at(0, 0, 0.25), 0.5, 0.0);
        else
            scene_chain(&s, 3, 0.08, 1.0);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
        er_force force = er_default_force();
        force.kind = ER_FORCE_SCHEDULE;
        force.sample_count = 2;
        force.sample = sample;
        s.def.force = &force;
        s.def.force_count = 1;
        er_world *w = begin_asleep();
        double x = er_world_pose(w)->p.x;
        scene_advance(w, 3.9);
        assert_int_equal(sleepers(w), s.rig.body_count);
        scene_advance(w, 5.0);
        assert_true(er_world_pose(w)->p.x > x + 0.5);
        scene_advance(w, 12.0);
        assert_int_equal(sleepers(w), s.rig.body_count);
        scene_end(&s, w);
    }
}

// A motor that is driven elsewhere wakes what its joint ties; one that is driven to where it is does not.
static void motors_wake(void **state)
{
    clear();
    scene_chain(&s, 3, 0.08, 1.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    er_motor motor = er_default_motor();
    motor.coordinate = 3; // the hinge
    motor.stiffness = 20.0;
    motor.damping = 0.5;
    s.def.motor = &motor;
    s.def.motor_count = 1;
    er_world *w = begin_asleep();
    assert_int_equal(er_world_drive(w, 3, 0.0, 0.0), ER_OK);
    next_step(w);
    assert_int_equal(sleepers(w), 3);
    assert_int_equal(er_world_drive(w, 3, 1.0, 0.0), ER_OK);
    next_step(w);
    assert_int_equal(sleepers(w), 0);
    scene_advance(w, er_world_time(w) + 0.25);
    double q[4];
    er_world_coordinates(w, q, NULL);
    assert_true(q[3] > 0.1);
    scene_end(&s, w);
}

// Where islands sleep after less than a step, what is pushed still moves.
static void what_is_woken_moves(void **state)
{
    clear();
    s.def.contact.sleep_time = 1e-9;
    scene_add(&s, scene_ball(0.5), 1.0, at(0, 0, 0.5), 0.5, 0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    er_world *w = begin_asleep();
    if (er_world_push(w, 0, er_v3(0, 0, 0), er_v3(0.01, 0, 0)) != ER_OK) fail_msg("%s", er_context_error(context));
    next_step(w);
    assert_true(er_world_pose(w)->p.x > 0.005 / hz);
    scene_end(&s, w);
}

// A ball that spins in place, which no friction stops, sleeps all the same; one that rolls does not.
static void what_spins_in_place_sleeps(void **state)
{
    clear();
    scene_add(&s, scene_ball(0.5), 1.0, at(0, 0, 0.5), 0.5, 0.0);
    scene_add(&s, scene_ball(0.5), 1.0, at(0, 5, 0.5), 0.5, 0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    er_world *w = scene_begin(&s);
    er_twist twist[2] = {{{0, 0, 1}, {0, 0, 0}}, {{0, 0.2, 0}, {0.1, 0, 0}}};
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
    scene_advance(w, 1.0);
    assert_wakes(w, 1, 1);
    scene_end(&s, w);
}

// In free space: what no point of goes faster than it may, by its way and its turning about its frame, sleeps after the
// time that is told, and all it had is heat.
static void what_is_slow_for_long_sleeps_and_warms(void **state)
{
    const struct {
        double way, turn, off; // m/s and rad/s; m, of its shape, whose farthest corner is 1.3 m away
        bool sleeps;
    } slow[] = {{0.0195, 0, 0, true},   {0.0205, 0, 0, false},   {0, 0.015, 0, true},     {0, 0.0158, 0, false},
                {0, 0.0109, 0.5, true}, {0, 0.0114, 0.5, false}, {0.01, 0.0076, 0, true}, {0.01, 0.0079, 0, false}};
    for (size_t k = 0; k < 2 * sizeof slow / sizeof *slow; ++k) {
        bool tied = k % 2 == 1; // to one like it that goes along, or alone
        clear();
        s.def.gravity = er_v3(0, 0, 0);
        for (int i = 0; i < 1 + tied; ++i) {
            scene_add(&s, scene_brick(0.3, 0.4, 1.2), 2.0, at(9.0 * i, 0, 0), 0.5, 0.0);
            s.shape[i].pose.p.x = slow[k / 2].off;
        }
        if (tied) rig_add_joint(&s.rig, ER_JOINT_FIXED, 0, 1, at(0, 0, 0));
        if (tied && slow[k / 2].turn > 0.0) continue;
        er_world *w = scene_begin(&s);
        er_twist one = {{0, slow[k / 2].turn, 0}, {0, slow[k / 2].way, 0}}, twist[2] = {one, one};
        if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
        double first = scene_energy(w);
        scene_advance(w, sleep_time - 2.0 / hz);
        assert_int_equal(sleepers(w), 0);
        scene_advance(w, sleep_time + 2.0 / hz);
        if (sleepers(w) != (slow[k / 2].sleeps ? s.rig.body_count : 0))
            fail_msg("case %d: %d sleep", (int)k, sleepers(w));
        er_world_energy e = er_world_measure_energy(w);
        measure_at_most("energy of what falls asleep, off", fabs(e.mechanical + e.heat - first) / first, 1e-12);
        assert_true(!slow[k / 2].sleeps || (e.mechanical == 0.0 && e.heat > 0.0));
        scene_end(&s, w);
    }
}

// Saved awake, falling asleep and asleep: another world goes on to the bit.
static void sleep_is_saved(void **state)
{
    clear();
    build_stacks();
    scene_add(&s, scene_ball(0.2), 1.0, at(3.0, 0, 12.0), 0.5, 0.0);
    er_world *w = scene_begin(&s), *other = scene_another(&s);
    scene_advance(other, 1.0 / hz);
    for (int step = 1; step <= 150; ++step) {
        scene_advance(w, step / hz);
        if (step % 10 != 0) continue;
        void *bytes = malloc(er_world_state_size(w));
        assert_non_null(bytes);
        er_world_save(w, bytes);
        assert_int_equal(er_world_restore(other, bytes), ER_OK);
        free(bytes);
        assert_int_equal(sleepers(other), sleepers(w));
        for (int k = step + 1; k <= step + 60; ++k)
            scene_advance(other, k / hz);
        er_world *third = scene_another(&s);
        scene_advance(third, 1.0 / hz);
        for (int k = 2; k <= step + 60; ++k)
            scene_advance(third, k / hz);
        er_world_energy a = er_world_measure_energy(other), b = er_world_measure_energy(third);
        assert_true(er_world_hash(other) == er_world_hash(third) && a.heat == b.heat);
        assert_int_equal(sleepers(other), sleepers(third));
        er_world_destroy(third);
    }
    er_world_destroy(other);
    scene_end(&s, w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_are_islands),
        cmocka_unit_test(islands_are_counted_by_bodies),
        cmocka_unit_test(what_is_still_sleeps),
        cmocka_unit_test(who_is_stirred_wakes),
        cmocka_unit_test(what_falls_on_sleepers_wakes_them),
        cmocka_unit_test(what_is_led_wakes),
        cmocka_unit_test(forces_that_change_wake),
        cmocka_unit_test(motors_wake),
        cmocka_unit_test(what_is_woken_moves),
        cmocka_unit_test(what_spins_in_place_sleeps),
        cmocka_unit_test(what_is_slow_for_long_sleeps_and_warms),
        cmocka_unit_test(sleep_is_saved),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
