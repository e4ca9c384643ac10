// Cameras, rays and the gizmo, by geometry worked out here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/sanitizer.h"
#include "support/near.h"
#include "viewer/draw/draw.h"

static const draw_camera looks[] = {
    {{0, 1, 0}, {0.3, 1.0, -0.2}, 4.0, 0.5, 0.3, 0.7},
    {{0, 0, 1}, {0.3, 1.0, -0.2}, 4.0, -2.5, -0.7, 0.4},
    {{0, 1, 0}, {0.3, 1.0, -0.2}, 4.0, 3.0, 1.2, 0.0},
    {{1, 0, 0}, {0, 0, 0}, 0.01, 0.1, -0.1, 1.2},
};
enum { LOOKS = sizeof looks / sizeof looks[0], WIDTH = 640, HEIGHT = 400 };

// The camera's place, by spherical coordinates about an up of y or z.
static er_vec3 stand(const draw_camera *c)
{
    double level = c->distance * cos(c->pitch), high = c->distance * sin(c->pitch);
    er_vec3 d = er_v3(level * sin(c->yaw), high, level * cos(c->yaw));
    if (c->up.z == 1.0) d = er_v3(d.x, -d.z, d.y);
    return er_v3_add(c->target, d);
}

static void a_camera_stands_where_yaw_and_pitch_say(void **state)
{
    for (int i = 0; i < 3; ++i) {
        er_vec3 axis[3], back = er_v3_unit(er_v3_sub(stand(&looks[i]), looks[i].target), er_v3(0, 0, 0));
        draw_camera_axes(&looks[i], axis);
        near(er_v3_distance(axis[2], back), 0.0, 1e-12);
        near(er_v3_dot(axis[0], looks[i].up), 0.0, 1e-12);
        assert_true(er_v3_dot(axis[1], looks[i].up) > 0.0);
        near(er_v3_distance(er_v3_cross(axis[0], axis[1]), axis[2]), 0.0, 1e-12);
    }
}

static void a_point_lies_where_its_angles_put_it(void **state)
{
    const draw_camera *c = &looks[0];
    er_vec3 eye = stand(c), ahead = er_v3_unit(er_v3_sub(c->target, eye), er_v3(0, 0, 0));
    er_vec3 right = er_v3_unit(er_v3_cross(ahead, c->up), er_v3(0, 0, 0)), up = er_v3_cross(right, ahead);
    er_vec3 x = er_v3(0.9, 0.2, 0.7), from = er_v3_sub(x, eye);
    double pixel[2], half = tan(0.5 * c->fov), depth = er_v3_dot(from, ahead);
    assert_true(draw_camera_project(c, WIDTH, HEIGHT, x, pixel));
    near(pixel[0], 320.0 + 200.0 * er_v3_dot(from, right) / depth / half, 1e-9);
    near(pixel[1], 200.0 - 200.0 * er_v3_dot(from, up) / depth / half, 1e-9);
    assert_false(draw_camera_project(c, WIDTH, HEIGHT, er_v3_madd(eye, -1.0, ahead), pixel));
}

static void a_parallel_camera_shows_the_height_of_0_6_rad(void **state)
{
    er_vec3 axis[3];
    double pixel[2];
    draw_camera_axes(&looks[2], axis);
    assert_true(
        draw_camera_project(&looks[2], WIDTH, HEIGHT, er_v3_madd(looks[2].target, 4.0 * tan(0.3), axis[1]), pixel));
    near(pixel[0], 320.0, 1e-9);
    near(pixel[1], 0.0, 1e-9);
}

static void rays_lead_to_what_is_projected(void **state)
{
    for (int i = 0; i < LOOKS; ++i)
        for (int k = 0; k < 20; ++k) {
            double x = 31.7 * k, y = 19.3 * k, pixel[2];
            er_vec3 origin, way;
            draw_camera_ray(&looks[i], WIDTH, HEIGHT, x, y, &origin, &way);
            near(er_v3_norm(way), 1.0, 1e-12);
            assert_true(draw_camera_project(&looks[i], WIDTH, HEIGHT, er_v3_madd(origin, 3.3, way), pixel));
            near(pixel[0], x, 1e-7);
            near(pixel[1], y, 1e-7);
        }
}

static void a_framed_sphere_lies_inside_and_fills_most(void **state)
{
    const double aspects[] = {0.3, 1.0, 1.6, 4.0};
    draw_bounds b = {.centre = {5, -2, 1}, .radius = 0.37};
    for (int i = 0; i < 4; ++i) {
        int height = 300, width = (int)(300 * aspects[i]);
        draw_camera c = draw_camera_frame(&b, er_v3(0, 0, 1), (double)width / height);
        double low = 1e9, high = -1e9;
        for (int k = 0; k < 2000; ++k) { // points all over it
            double z = 2.0 * k / 1999.0 - 1.0, turn = 2.39996 * k, r = sqrt(fmax(1.0 - z * z, 0.0)), pixel[2];
            er_vec3 x = er_v3_madd(b.centre, b.radius, er_v3(r * cos(turn), r * sin(turn), z));
            assert_true(draw_camera_project(&c, width, height, x, pixel));
            assert_true(pixel[0] >= 0 && pixel[0] <= width && pixel[1] >= 0 && pixel[1] <= height);
            low = fmin(low, pixel[1]);
            high = fmax(high, pixel[1]);
        }
        assert_true(high - low > 0.85 * fmin(width, height));
    }
}

// A point of a ring at an angle about an axis, by rotating another one.
static er_vec3 on_ring(const er_pose *frame, int axis, double radius, double angle)
{
    er_vec3 about = er_v3(axis == 0, axis == 1, axis == 2), start = er_v3(axis == 2, axis == 0, axis == 1);
    return er_pose_point(*frame, er_v3_scale(radius, er_q_rotate(er_q_exp(er_v3_scale(angle, about)), start)));
}

static const er_pose frame = {{0.8, 0.36, -0.48, 0.0}, {0.1, 0.9, 0.1}};

static void a_drag_along_a_ring_turns_by_its_angle(void **state)
{
    for (int i = 0; i < 3; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            er_vec3 along = er_q_rotate(frame.q, er_v3(axis == 0, axis == 1, axis == 2));
            er_vec3 sight = er_v3_unit(er_v3_sub(frame.p, stand(&looks[i])), along);
            if (fabs(er_v3_dot(along, sight)) < 0.35) continue; // seen from its edge: the next promise
            for (int k = 0; k < 12; ++k) {
                double from[2], to[2], start = 0.5 * k, turn = 0.4 - 0.07 * k;
                assert_true(draw_camera_project(&looks[i], WIDTH, HEIGHT, on_ring(&frame, axis, 0.2, start), from));
                assert_true(
                    draw_camera_project(&looks[i], WIDTH, HEIGHT, on_ring(&frame, axis, 0.2, start + turn), to));
                near(draw_gizmo_angle(&looks[i], WIDTH, HEIGHT, &frame, axis, from, to), turn, 1e-9);
            }
        }
}

static void a_ring_seen_from_its_edge_follows_the_pointer(void **state)
{
    draw_camera c = looks[0];
    c.yaw = c.pitch = 0.0; // from +z: the ring about y is a line, its near points go to the right
    er_pose level = {er_q_identity(), c.target};
    const double from[2] = {320, 200}, right[2] = {350, 200}, left[2] = {300, 200}, up[2] = {320, 150};
    double turn = draw_gizmo_angle(&c, WIDTH, HEIGHT, &level, 1, from, right);
    assert_true(turn > 0.1 && turn < 2.0);
    assert_true(draw_gizmo_angle(&c, WIDTH, HEIGHT, &level, 1, from, left) < -0.1);
    near(draw_gizmo_angle(&c, WIDTH, HEIGHT, &level, 1, from, up), 0.0, 1e-9);
}

// Rings by search: their pixels are where the pick changes from none to one of them.
static void each_ring_is_found_and_empty_places_are_not(void **state)
{
    enum { STEP = ERI_SANITIZED ? 12 : 6 };
    for (int i = 0; i < 3; ++i) {
        int found[3] = {0};
        double centre[2];
        for (int y = 0; y < HEIGHT; y += STEP)
            for (int x = 0; x < WIDTH; x += STEP) {
                int ring = draw_pick_gizmo(&looks[i], WIDTH, HEIGHT, x, y, &frame);
                assert_in_range(ring + 1, 0, 3);
                if (ring >= 0) ++found[ring];
            }
        for (int ring = 0; ring < 3; ++ring)
            assert_in_range(found[ring], 6, WIDTH * HEIGHT / 400);
        assert_true(draw_camera_project(&looks[i], WIDTH, HEIGHT, frame.p, centre));
        assert_int_equal(draw_pick_gizmo(&looks[i], WIDTH, HEIGHT, centre[0] + 200, centre[1], &frame), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_stands_where_yaw_and_pitch_say),
        cmocka_unit_test(a_point_lies_where_its_angles_put_it),
        cmocka_unit_test(a_parallel_camera_shows_the_height_of_0_6_rad),
        cmocka_unit_test(rays_lead_to_what_is_projected),
        cmocka_unit_test(a_framed_sphere_lies_inside_and_fills_most),
        cmocka_unit_test(a_drag_along_a_ring_turns_by_its_angle),
        cmocka_unit_test(a_ring_seen_from_its_edge_follows_the_pointer),
        cmocka_unit_test(each_ring_is_found_and_empty_places_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
