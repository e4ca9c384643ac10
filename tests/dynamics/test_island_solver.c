// Small islands are solved to convergence: towers of any size stand and sleep with the defaults, heavy on light too,
// and a box that falls flat lands flat.
#include <math.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static er_pose at(double z)
{
    return (er_pose){er_q_identity(), er_v3(0, 0, z)};
}

// Cubes of one side on each other; the top one weighs more than the others.
static er_world *begin_tower(int count, double side, double heavier)
{
    double mass = 1000.0 * side * side * side;
    scene_clear(&s);
    s.def.contact.sleep_time = 0.5;
    for (int i = 0; i < count; ++i)
        scene_add(&s, scene_brick(0.5 * side, 0.5 * side, 0.5 * side), i == count - 1 ? heavier * mass : mass,
                  at((i + 0.5) * side), 0.5, 0.0);
    scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
    return scene_begin(&s);
}

// How far any cube is from its place, in sides.
static double moved(const er_world *w, double side)
{
    double most = 0.0;
    for (int b = 0; b < s.rig.body_count; ++b)
        most = fmax(most, er_v3_distance(er_world_pose(w)[b].p, at((b + 0.5) * side).p) / side);
    return most;
}

static void towers_of_all_sizes_sleep(void **state)
{
    static const struct {
        int count;
        double side;
    } tower[] = {{5, 1.0}, {10, 0.1}, {20, 1.0}, {6, 1e-3}, {6, 100.0}};
    for (size_t i = 0; i < sizeof tower / sizeof tower[0]; ++i) {
        er_world *w = begin_tower(tower[i].count, tower[i].side, 1.0);
        scene_advance(w, 2.0);
        for (int b = 0; b < tower[i].count; ++b)
            if (!er_world_is_asleep(w, b)) fail_msg("tower %d: box %d is awake", (int)i, b);
        measure_at_most("towers: moved, sides", moved(w, tower[i].side), 1e-4);
        scene_end(&s, w);
    }
}

static void heavy_boxes_stand_on_light_ones(void **state)
{
    static const double ratio[] = {10.0, 100.0, 1000.0};
    for (int i = 0; i < 3; ++i) {
        er_world *w = begin_tower(2, 1.0, ratio[i]);
        scene_advance(w, 20.0);
        measure_at_most("heavy on light: moved, sides", moved(w, 1.0), 1e-5);
        scene_end(&s, w);
    }
}

// The exact landing has equal normal impulses at four corners and no friction: nothing moves aside or turns.
static void a_box_lands_flat(void **state)
{
    static const double height[] = {1.0, 5.0};
    for (int i = 0; i < 2; ++i) {
        scene_clear(&s);
        scene_add(&s, scene_brick(0.25, 0.25, 0.25), 12.5, at(0.25 + height[i]), 0.5, 0.0);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
        er_world *w = scene_begin(&s);
        scene_advance(w, 3.0);
        er_pose pose = er_world_pose(w)[0];
        measure_at_most("landing: way aside, m", hypot(pose.p.x, pose.p.y), 1e-6);
        measure_at_most("landing: turn, rad", er_v3_norm(er_q_log(pose.q)), 1e-6);
        scene_end(&s, w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(towers_of_all_sizes_sleep),
        cmocka_unit_test(heavy_boxes_stand_on_light_ones),
        cmocka_unit_test(a_box_lands_flat),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
