// Solids around points, judged by the points: all are inside, and nothing could be shorter; and which points a body
// has.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "rig/contact/fit.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"

static er_body_shape fit(int count, const er_vec3 *point, double least)
{
    er_body_shape shape;
    er_arena *scratch;
    assert_int_equal(eri_arena_create(context, &scratch), ER_OK);
    if (eri_rig_fit(context, scratch, count, point, least, &shape) != ER_OK) fail_msg("%s", er_context_error(context));
    eri_arena_destroy(scratch);
    return shape;
}

static void free_shape(er_body_shape *shape)
{
    er_hull_destroy((er_hull *)shape->shape.hull);
}

static double size_of(const er_hull *hull)
{
    return er_v3_norm(er_v3_sub(hull->high, hull->low));
}

static double outside(const er_hull *hull, er_vec3 p)
{
    double out = -HUGE_VAL;
    for (int f = 0; f < hull->face_count; ++f)
        out = fmax(out, er_v3_dot(hull->plane[f].normal, p) - hull->plane[f].offset);
    return out;
}

// Where a capsule's axis begins and ends.
static void ends_of(const er_body_shape *s, er_vec3 end[2])
{
    er_vec3 half = er_q_rotate(s->pose.q, er_v3(0, 0, 0.5 * s->shape.length));
    end[0] = er_v3_sub(s->pose.p, half);
    end[1] = er_v3_add(s->pose.p, half);
}

static double from_axis(const er_body_shape *s, er_vec3 p)
{
    er_vec3 end[2];
    ends_of(s, end);
    er_vec3 along = er_v3_sub(end[1], end[0]);
    double length2 = er_v3_dot(along, along);
    double t = length2 > 0.0 ? fmin(fmax(er_v3_dot(er_v3_sub(p, end[0]), along) / length2, 0.0), 1.0) : 0.0;
    return er_v3_distance(p, er_v3_madd(end[0], t, along));
}

// Points spread evenly over a ball, by the k-th of `count`.
static er_vec3 over_ball(int k, int count)
{
    double z = 1.0 - (2.0 * k + 1.0) / count, around = 2.399963 * k, r = sqrt(1.0 - z * z);
    return er_v3(r * cos(around), r * sin(around), z);
}

// Few points of what is flat, or has corners: what sticks out of a hull sticks out by less than a five hundredth.
static void all_points_are_inside_or_nearly(void **state)
{
    static const double half[][3] = {{1, 1, 1}, {1, 0.3, 0.3}, {1, 0.8, 0.2}, {0.2, 0.2, 3}, {0.3, 1, 0.32}};
    dice d = {21};
    int hulls = 0;
    for (size_t i = 0; i < ERI_COUNT(half); ++i)
        for (int round = 0; round < 6; ++round) {
            er_vec3 point[40];
            int count = 12 + 5 * round;
            for (int k = 0; k < count; ++k) {
                er_vec3 p = er_v3_unit(dice_vec3(&d), er_v3(0, 0, 1));
                point[k] = er_v3(p.x * half[i][0], p.y * half[i][1], p.z * half[i][2]);
            }
            er_body_shape s = fit(count, point, 1e-3);
            if (s.shape.kind == ER_SHAPE_HULL) {
                ++hulls;
                for (int k = 0; k < count; ++k)
                    assert_true(outside(s.shape.hull, point[k]) <= 0.002 * size_of(s.shape.hull) * (1.0 + 1e-9));
                assert_true(er_v3_norm(s.pose.p) == 0.0);
            }
            free_shape(&s);
        }
    assert_true(hulls > 20);
}

// Round bars and balls, a little uneven: a capsule holds all of them, and its ends touch some, as does a ball.
static void what_is_round_touches_its_capsule_or_ball(void **state)
{
    static const double half[] = {0.0, 0.0, 0.5, 2.0, 5.0};
    dice d = {22};
    int balls = 0, bars = 0;
    for (size_t i = 0; i < ERI_COUNT(half); ++i)
        for (int round = 0; round < 4; ++round) {
            er_vec3 point[60], middle = dice_vec3(&d), end[2];
            er_quat turn = dice_quat(&d);
            for (int k = 0; k < 60; ++k) {
                er_vec3 p = er_v3_scale(dice_uniform(&d, 0.99, 1.0), over_ball(k, 60));
                if (i == 1)
                    p = k == 0 ? er_v3(0, 0, 1) : er_v3(0.98 * p.x, 0.96 * p.y, 0.96 * p.z); // one says how wide
                p.x += p.x > 0.0 ? half[i] : -half[i];
                point[k] = er_v3_add(middle, er_q_rotate(turn, p));
            }
            er_body_shape s = fit(60, point, 1e-3);
            double touched[2] = {HUGE_VAL, HUGE_VAL}, most = 0.0;
            assert_int_not_equal(s.shape.kind, ER_SHAPE_HULL);
            ends_of(&s, end);
            for (int k = 0; k < 60; ++k) {
                most = fmax(most, from_axis(&s, point[k]));
                for (int e = 0; e < 2; ++e)
                    touched[e] = fmin(touched[e], fabs(er_v3_distance(point[k], end[e]) - s.shape.radius));
            }
            // points that the hull leaves out stick out of it by less than a five hundredth of its size
            assert_true(most - s.shape.radius < 0.004 * (half[i] + 1.0) && most > s.shape.radius - 1e-9);
            assert_true(touched[0] < 1e-9 && touched[1] < 1e-9);
            balls += s.shape.kind == ER_SHAPE_SPHERE;
            bars += s.shape.kind == ER_SHAPE_CAPSULE;
            if (half[i] > 0.0) measure_at_most("radius of a bar", fabs(s.shape.radius - 1.0), 0.03);
            if (half[i] > 1.0) measure_at_most("length of a bar", fabs(s.shape.length - 2.0 * half[i]), 0.2);
        }
    assert_true(balls > 0 && bars > 11);
}

// A hull has at most 64 corners, and exactly 64 if some points stay outside.
static void hulls_have_few_corners(void **state)
{
    static er_vec3 point[900];
    for (int k = 0; k < 900; ++k) { // evenly over an ellipsoid
        er_vec3 p = over_ball(k, 900);
        point[k] = er_v3(p.x, 0.5 * p.y, 0.2 * p.z);
    }
    er_body_shape s = fit(900, point, 1e-3);
    assert_int_equal(s.shape.kind, ER_SHAPE_HULL);
    assert_int_equal(s.shape.hull->vertex_count, 64);
    double most = 0.0;
    for (int k = 0; k < 900; ++k)
        most = fmax(most, outside(s.shape.hull, point[k]));
    measure_at_most("what is outside of 64 corners", most, 0.04);
    free_shape(&s);
}

// Regular prisms of six sides, flattened: 200 long, beside a capsule of their radius, which is longer by its ends.
static void a_capsule_takes_at_most_two_fifths_more_than_the_hull(void **state)
{
    static const double flat[] = {1.0, 0.89, 0.86, 0.5};
    for (int i = 0; i < 4; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            er_vec3 point[12];
            for (int k = 0; k < 12; ++k) {
                double a = ER_PI / 3.0 * (k % 6), u = cos(a), v = flat[i] * sin(a), w = k < 6 ? -100 : 100;
                point[k] = axis == 0 ? er_v3(w, u, v) : axis == 1 ? er_v3(v, w, u) : er_v3(u, v, w);
            }
            er_body_shape s = fit(12, point, 1e-3);
            double room = ER_PI * (200.0 + 4.0 / 3.0) / (200.0 * 1.5 * sqrt(3.0) * flat[i]);
            assert_int_equal(s.shape.kind, room < 1.4 ? ER_SHAPE_CAPSULE : ER_SHAPE_HULL);
            assert_int_equal(i < 2, room < 1.4);
            if (i < 2) {
                measure_at_most("radius of a prism", fabs(s.shape.radius - 1.0), 1e-9);
                measure_at_most("length of a prism", fabs(s.shape.length - 200.0), 1e-6);
                measure_at_most("middle of a prism", er_v3_norm(s.pose.p), 1e-6);
                er_vec3 along = er_q_rotate(s.pose.q, er_v3(0, 0, 1));
                double c = axis == 0 ? along.x : axis == 1 ? along.y : along.z;
                measure_at_most("way of a prism", fabs(fabs(c) - 1.0), 1e-9);
            }
            free_shape(&s);
        }
}

// Points, lines and plates become as thick as is said.
static void what_is_flat_gets_a_thickness(void **state)
{
    const er_quat turn = er_q_exp(er_v3(0.3, -0.5, 0.9));
    for (int axes = 0; axes < 3; ++axes) {
        er_vec3 point[4], at = er_v3(1, -2, 3);
        for (int k = 0; k < 4; ++k)
            point[k] =
                er_v3_add(at, er_q_rotate(turn, er_v3(axes > 0 ? 2.0 * (k % 2) : 0.0, axes > 1 ? k / 2 : 0.0, 0)));
        const double volume[] = {0.125, 2.0 * 0.25, 2.0 * 0.5}; // half a metre the ways that it has none
        er_body_shape s = fit(4, point, 0.5);
        assert_int_equal(s.shape.kind, ER_SHAPE_HULL);
        measure_at_most("room of what is flat", relative_error(s.shape.hull->volume, volume[axes]), 1e-9);
        er_vec3 centre = er_v3_add(at, er_q_rotate(turn, er_v3(axes > 0, axes > 1 ? 0.5 : 0.0, 0)));
        measure_at_most("middle of what is flat", er_v3_distance(s.shape.hull->centre, centre), 1e-9);
        free_shape(&s);
    }
}

static void a_capsule_between_two_points_begins_and_ends_there(void **state)
{
    static const er_vec3 ends[][2] = {
        {{0, 0, 0}, {3, 0, 0}}, {{1, 2, 3}, {1, 2, 9}}, {{1, 2, 3}, {1, 2, -3}}, {{0, 1, 0}, {2, -1, 0.5}}};
    static const double radius[] = {0.1, 0.9, 5.0};
    for (size_t i = 0; i < ERI_COUNT(ends); ++i)
        for (int k = 0; k < 3; ++k) {
            er_vec3 a = ends[i][0], b = ends[i][1];
            double distance = er_v3_distance(a, b), r = fmin(radius[k], distance / 3.0);
            er_body_shape s = eri_rig_capsule(a, b, radius[k]);
            er_vec3 way = er_q_rotate(s.pose.q, er_v3(0, 0, 1));
            assert_int_equal(s.shape.kind, ER_SHAPE_CAPSULE);
            assert_true(fabs(s.shape.radius - r) < 1e-15 && fabs(s.shape.length + 2.0 * r - distance) < 1e-14);
            assert_true(er_v3_distance(s.pose.p, er_v3_scale(0.5, er_v3_add(a, b))) < 1e-15);
            assert_true(er_v3_distance(way, er_v3_scale(1.0 / distance, er_v3_sub(b, a))) < 1e-9);
        }
}

// ---- shapes of rigs

static hand h;

static er_rig_shapes *shapes_of(const er_model *model, const er_rig *of)
{
    er_rig_shapes *s = NULL;
    if (er_rig_shapes_create(context, model, of, &s) != ER_OK) fail_msg("%s", er_context_error(context));
    return s;
}

// Eight corners, each of three joints: those of one body count together, the first of equal ones has it.
static void a_vertex_goes_with_the_body_that_has_most_of_it(void **state)
{
    static const struct {
        float weight[3]; // of joints of bodies 0, 1 and 2
        int together;    // joint 2 is of body 1 too
        int body;
    } cases[] = {{{0.4f, 0.35f, 0.25f}, 0, 0},
                 {{0.4f, 0.35f, 0.25f}, 1, 1},
                 {{0.3f, 0.3f, 0.4f}, 0, 2},
                 {{0.5f, 0.25f, 0.25f}, 1, 0},
                 {{0.35f, 0.35f, 0.3f}, 0, 0}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand_init(&h);
        const int joints[] = {hand_node(&h, "a", -1, hand_at(0, 0, 0)), hand_node(&h, "b", 0, hand_at(2, 0, 0)),
                              hand_node(&h, "c", 1, hand_at(2, 0, 0))};
        int mesh = hand_mesh(&h);
        for (int k = 0; k < 3; ++k)
            hand_box(&h, er_v3(2.0 * k, 0, 0), er_v3(2.0 * k + 1, 1, 1), k);
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 3, joints));
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(built->model->body_count, 3);
        for (int v = 0; v < 24; ++v)
            for (int k = 0; k < 3; ++k) {
                h.start[0][v + 1] = 3 * v + 3;
                h.joint[0][3 * v + k] = k;
                h.weight[3 * v + k] = cases[i].weight[k];
            }
        int *node_body = calloc((size_t)h.scene.node_count, sizeof *node_body);
        memcpy(node_body, built->node_body, (size_t)h.scene.node_count * sizeof *node_body);
        if (cases[i].together != 0) node_body[2] = 1;
        er_rig other = *built;
        other.node_body = node_body;
        er_rig_shapes *s = shapes_of(built->model, &other);
        assert_int_equal(s->count, 1);
        assert_int_equal(s->shape[0].body, cases[i].body);
        er_rig_shapes_destroy(s);
        free(node_body);
        er_rig_destroy(built);
    }
}

// Boxes in a row that overlap their neighbours' neighbours; a prop on the third, as far as the first.
static void overlaps_are_told_once_and_in_order(void **state)
{
    hand_init(&h);
    int joints[4];
    for (int i = 0; i < 4; ++i)
        joints[i] = hand_node(&h, i == 2 ? "hand socket" : "a", i - 1, hand_at(i > 0 ? 1 : 0, 0, 0));
    int mesh = hand_mesh(&h);
    for (int i = 0; i < 4; ++i)
        hand_box(&h, er_v3(i, 0, 0), er_v3(i + 2.25, 1, 1), i);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 4, joints));
    int sword = hand_mesh(&h);
    hand_box(&h, er_v3(-1.5, 0, 0), er_v3(1, 0.5, 0.5), -1);
    int held = hand_node(&h, "sword", 2, hand_at(0, 0, 0));
    hand_draw(&h, held, sword, -1);
    er_rig_def def = er_default_rig_def();
    def.props = "sword";
    er_rig *built = hand_rig(context, &h.scene, &def);
    assert_true(built->prop[held] && built->model->body_count == 4);
    er_rig_shapes *s = shapes_of(built->model, built);
    static const int pairs[][2] = {{0, 2}, {1, 3}};
    assert_int_equal(s->count, 5);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(s->shape[i].body, i < 4 ? i : 2); // what is carried comes last
    measure_at_most("room of what is carried", relative_error(s->shape[4].shape.hull->volume, 0.625), 1e-6);
    assert_int_equal(s->pair_count, 2);
    for (int i = 0; i < 2; ++i)
        assert_true(s->pair[i].a == pairs[i][0] && s->pair[i].b == pairs[i][1]);
    er_rig_shapes none = {0};
    assert_true(er_rig_shapes_lowest(&none, NULL, er_v3(0, 1, 0)) == 0.0);
    er_rig_shapes_destroy(s);
    er_rig_destroy(built);
}

// A fork without skin: a rod to each of its ends, all as thick as its whole mass makes them.
static void a_bone_with_two_ends_is_two_rods(void **state)
{
    hand_init(&h);
    int root = hand_node(&h, "root", -1, hand_at(0, 0, 0)), left = hand_node(&h, "left", root, hand_at(3, 0, 0));
    int right = hand_node(&h, "right", root, hand_at(0, 4, 0)), tip = hand_node(&h, "tip", left, hand_at(0, 0, 5));
    hand_node(&h, "other tip", right, hand_at(0, 0, 5));
    for (int i = root; i <= tip + 1; ++i)
        h.node[i].flags = ER_NODE_JOINT;
    er_rig *built = hand_rig(context, &h.scene, NULL);
    er_rig_shapes *s = shapes_of(built->model, built), *bare = shapes_of(built->model, NULL);
    assert_int_equal(built->model->body_count, 3);
    assert_int_equal(s->count, 4);
    assert_int_equal(bare->count, 4);
    double radius = sqrt(built->model->body[0].mass / (1000.0 * ER_PI * 7.0));
    for (int i = 0; i < 2; ++i) {
        er_vec3 to = i == 0 ? er_v3(3, 0, 0) : er_v3(0, 4, 0);
        assert_int_equal(s->shape[i].body, 0);
        measure_at_most("radius of a rod", relative_error(s->shape[i].shape.radius, radius), 1e-9);
        measure_at_most("middle of a rod", er_v3_distance(s->shape[i].pose.p, er_v3_scale(0.5, to)), 1e-12);
    }
    er_rig_shapes_destroy(bare);
    er_rig_shapes_destroy(s);
    er_rig_destroy(built);
}

static const er_rig *skinned; // NULL: shapes of rods

static er_result create(er_context *own, const void *of)
{
    const er_rig *built = of;
    er_rig_shapes *s = (er_rig_shapes *)&own;
    er_result r = er_rig_shapes_create(own, built->model, skinned, &s);
    assert_true(r == ER_OK || s == NULL);
    er_rig_shapes_destroy(s);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    hand_chain(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    ledger_refuse_each(create, built, NULL);
    skinned = built;
    ledger_refuse_each(create, built, NULL);
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_points_are_inside_or_nearly),
        cmocka_unit_test(what_is_round_touches_its_capsule_or_ball),
        cmocka_unit_test(hulls_have_few_corners),
        cmocka_unit_test(a_capsule_takes_at_most_two_fifths_more_than_the_hull),
        cmocka_unit_test(what_is_flat_gets_a_thickness),
        cmocka_unit_test(a_capsule_between_two_points_begins_and_ends_there),
        cmocka_unit_test(a_vertex_goes_with_the_body_that_has_most_of_it),
        cmocka_unit_test(overlaps_are_told_once_and_in_order),
        cmocka_unit_test(a_bone_with_two_ends_is_two_rods),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("fit", tests, set_up, tear_down);
}
