// A heap of balls and people, stepped by any number of threads: the same bits, from run to run, and after a state was
// saved by one number and restored by another.
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

enum { STEPS = 60, WORLDS = 4 };
static const int threads[WORLDS] = {1, 2, 3, 4};

// Balls in a box of plates, close enough for long colours, bricks among them; two people fall on them; some rebound,
// and sleep is on.
static void build(void)
{
    dice d = {.state = 5};
    scene_clear(&s);
    for (int i = 0; i < 180; ++i) {
        er_vec3 place = er_v3(0.52 * (i % 6) - 1.3, 0.52 * (i / 6 % 6) - 1.3, 0.3 + 0.52 * (i / 36));
        place.x += dice_uniform(&d, -0.01, 0.01);
        er_shape solid = i % 9 == 0 ? scene_brick(0.2, 0.18, 0.22) : scene_ball(0.25);
        scene_add(&s, solid, 1.0, (er_pose){er_q_identity(), place}, 0.5, i % 4 == 0 ? 0.4 : 0.0);
    }
    for (int i = 0; i < 2; ++i)
        scene_ragdoll(&s, 3.2, er_q_exp(er_v3(0.4, 0.5 * i, 0)), er_v3(0.4 * i, 0.3, 1.2 * i));
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    for (int k = 0; k < 4; ++k) {
        er_quat turn = er_q_exp(er_v3(0, 0, 0.5 * ER_PI * k));
        scene_add_fixed(&s, scene_brick(0.2, 4, 4), (er_pose){turn, er_q_rotate(turn, er_v3(1.8, 0, 0))}, 0.5);
    }
    s.def.contact.sleep_time = 0.1;
    s.def.contact.sleep_speed = 0.3;
}

static er_world *world_of(int count)
{
    s.def.contact.threads = count;
    return scene_another(&s);
}

static void assert_same(er_world *a, er_world *b, int step)
{
    er_world_energy x = er_world_measure_energy(a), y = er_world_measure_energy(b);
    if (er_world_hash(a) != er_world_hash(b) || x.heat != y.heat ||
        er_world_contact_count(a) != er_world_contact_count(b))
        fail_msg("worlds differ after step %d", step);
    for (int i = 0; i < er_world_contact_count(a); ++i) {
        er_contact p = er_world_contact(a, i), q = er_world_contact(b, i);
        assert_true(er_v3_distance(p.impulse, q.impulse) == 0.0 && p.distance == q.distance);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    build();
    er_world *w[WORLDS];
    int asleep = 0, awake = 0, most = 0;
    w[0] = scene_begin(&s);
    for (int k = 1; k < WORLDS; ++k)
        w[k] = world_of(threads[k]);
    for (int step = 1; step <= STEPS; ++step) {
        for (int k = 0; k < WORLDS; ++k)
            scene_advance(w[k], step / hz);
        for (int k = 1; k < WORLDS; ++k)
            assert_same(w[0], w[k], step);
        for (int b = 0; b < s.rig.body_count; ++b)
            *(er_world_is_asleep(w[0], b) ? &asleep : &awake) += 1;
        most = er_world_contact_count(w[0]) > most ? er_world_contact_count(w[0]) : most;
    }
    assert_true(most > 300 && asleep > 0 && awake > 0); // else it was no heap
    for (int k = 1; k < WORLDS; ++k)
        er_world_destroy(w[k]);
    scene_end(&s, w[0]);
}

static void states_go_from_one_number_to_another(void **state)
{
    build();
    er_world *one = scene_begin(&s), *two = world_of(2);
    scene_advance(one, 0.5);
    void *bytes = malloc(er_world_state_size(one));
    assert_non_null(bytes);
    er_world_save(one, bytes);
    scene_advance(two, 0.1);
    assert_int_equal(er_world_restore(two, bytes), ER_OK);
    free(bytes);
    for (int step = 31; step <= 60; ++step) {
        scene_advance(one, step / hz);
        scene_advance(two, step / hz);
        assert_same(one, two, step);
    }
    er_world_destroy(two);
    scene_end(&s, one);
}

// The times of a step's parts add up from step to step. Other integrators report none.
static void the_time_of_steps_is_told_by_its_parts(void **state)
{
    for (int route = 0; route < 2; ++route) {
        scene_clear(&s);
        s.def.route = (er_dynamics_route)route;
        for (int i = 0; i < 10; ++i)
            scene_add(&s, scene_brick(0.4, 0.4, 0.4), 1.0, (er_pose){er_q_identity(), {i, 0, 0.4}}, 0.5, 0.0);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
        er_world *w = scene_begin(&s);
        er_contact_times before = er_world_contact_times(w);
        assert_true(before.collision == 0.0 && before.solver == 0.0 && before.motion == 0.0);
        double begin = eri_seconds();
        for (int step = 1; step <= 10; ++step) {
            scene_advance(w, step / hz);
            er_contact_times now = er_world_contact_times(w);
            assert_true(now.collision > before.collision && now.solver > before.solver && now.motion > before.motion);
            assert_true(now.collision + now.solver + now.motion <= eri_seconds() - begin);
            before = now;
        }
        scene_end(&s, w);
        s.def.integrator = ER_INTEGRATE_RK4;
        s.shape_count = 0;
        w = scene_begin(&s);
        scene_advance(w, 0.1);
        assert_true(er_world_contact_times(w).motion == 0.0 && er_world_contact_count(w) == 0);
        scene_end(&s, w);
    }
}

// From 1 to as many as a team has.
static void other_numbers_are_refused(void **state)
{
    build();
    er_world *w = scene_begin(&s), *none = NULL;
    s.def.model = s.model;
    for (int k = 0; k < 2; ++k) {
        s.def.contact.threads = k == 0 ? 0 : 9;
        assert_int_equal(er_world_create(context, &s.def, &none), ER_ERROR_ARGUMENT);
        assert_null(none);
    }
    scene_end(&s, w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(states_go_from_one_number_to_another),
        cmocka_unit_test(the_time_of_steps_is_told_by_its_parts),
        cmocka_unit_test(other_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
