// Fast bodies do not pass through thin ones, and do not feel those that they miss.
#include <math.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

static void clear(void)
{
    scene_clear(&s);
    s.def.gravity = er_v3(0, 0, 0);
}

static er_world *begin(const er_twist *twist)
{
    er_world *w = scene_begin(&s);
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

// Bullets of all speeds, from all distances and sides, at a sheet that stands, or is free to move.
static void bullets_do_not_pass(void **state)
{
    const double thin = 0.005, radius = 0.01;
    for (int k = 0; k < 300; ++k) {
        double speed = 20.0 * pow(25.0, k % 10 / 9.0), from = 0.1 + 0.53 * (k / 10 % 10);
        double slant = 0.4 * (k / 100);
        er_vec3 way = er_v3(cos(slant), sin(slant), 0);
        clear();
        scene_add(&s, k % 3 == 0 ? scene_brick(radius, radius, radius) : scene_ball(radius), 0.01,
                  (er_pose){er_q_identity(), er_v3_scale(-from, way)}, 0.0, k % 2 ? 0.5 : 0.0);
        bool is_free = k / 5 % 2 == 1;
        if (is_free)
            scene_add(&s, scene_brick(thin, 4, 4), 50.0, at(0, 0, 0), 0.0, 1.0);
        else
            scene_add_fixed(&s, scene_brick(thin, 4, 4), at(0, 0, 0), 0.0);
        er_twist twist[2] = {{{0, 0, 0}, er_v3_scale(speed, way)}};
        er_world *w = begin(twist);
        for (int step = 1; step <= 20; ++step) {
            scene_advance(w, step / hz);
            er_pose sheet = is_free ? er_world_pose(w)[1] : er_pose_identity();
            er_vec3 seen = er_q_rotate(er_q_conj(sheet.q), er_v3_sub(er_world_pose(w)->p, sheet.p));
            if (fabs(seen.y) < 3.9) // it slides off
                measure_at_most("overlap of a bullet and a sheet", seen.x + thin + radius, 0.5 * radius);
        }
        double left = er_q_rotate(er_world_pose(w)->q, er_world_twist(w)->linear).x;
        if (k % 3 != 0 && !is_free)
            measure_at_most("speed of a bullet that met a sheet",
                            fabs(left + (k % 2 ? 0.5 : 0.0) * speed * cos(slant)) / speed, 1e-3);
        scene_end(&s, w);
    }
}

// Past a ball at less than what a step takes, and by more than both radii: nothing is felt.
static void who_misses_feels_nothing(void **state)
{
    for (int k = 0; k < 40; ++k) {
        double beside = (k % 2 ? 1.0 : -1.0) * (0.13 + 0.1 * (k / 2 % 4)), from = 0.3 + 0.7 * (k / 8);
        clear();
        scene_add(&s, scene_ball(0.02), 0.1, at(-from, beside, 0), 0.5, 0.5);
        if (k % 3 == 0)
            scene_add_fixed(&s, scene_ball(0.1), at(0, 0, 0), 0.5);
        else
            scene_add_fixed(&s, scene_brick(0.1, 0.1, 0.1), at(0, 0, 0), 0.5);
        er_twist twist = {{0, 0, 0}, {200, 0, 0}};
        er_world *w = begin(&twist);
        scene_advance(w, 0.1);
        measure_at_most("what a ball feels that misses",
                        er_v3_distance(er_world_pose(w)->p, er_v3(20.0 - from, beside, 0)), 1e-9);
        scene_end(&s, w);
    }
}

// A stick whirls about its middle, half a turn and more in a step, beside a post: it does not come to the other side.
static void a_whirling_stick_is_stopped(void **state)
{
    for (int k = 0; k < 8; ++k) {
        double spin = 10.0 * (k + 1), turned = 0.0;
        clear();
        scene_add(&s, scene_brick(0.5, 0.01, 0.01), 1.0, at(0, 0, 0), 0.0, 0.0);
        scene_add_fixed(&s, (er_shape){.kind = ER_SHAPE_CYLINDER, .radius = 0.01, .length = 1.0}, at(0.3, 0.12, 0),
                        0.0);
        rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, -1, 0, at(0, 0, 0));
        er_twist twist = {{0, 0, spin}, {0, 0, 0}};
        er_world *w = begin(&twist);
        for (int step = 1; step <= 20; ++step) {
            scene_advance(w, step / hz);
            er_vec3 along = er_q_rotate(er_world_pose(w)->q, er_v3(1, 0, 0));
            turned = fmax(turned, atan2(along.y, along.x));
        }
        measure_at_most("turn of a stick", turned, atan2(0.12, 0.3));
        assert_true(fabs(er_world_twist(w)->angular.z) < 0.01 * spin);
        scene_end(&s, w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bullets_do_not_pass),
        cmocka_unit_test(who_misses_feels_nothing),
        cmocka_unit_test(a_whirling_stick_is_stopped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
