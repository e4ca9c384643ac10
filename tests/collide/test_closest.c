/// @file
/// Closest features: every configuration of features by closed form, then hulls by chance against a judge that tries
/// all features, near and far, thin and large, swapped, moved and after other queries.
#include <stdio.h>
#include <string.h>

#include "collide/judge.h"
#include "collide/shapes.h"
#include "support/context.h"

static er_pose turned(double x, double y, double z, double rx, double ry, double rz)
{
    return (er_pose){er_q_exp(er_v3_scale(ER_PI / 180, er_v3(rx, ry, rz))), {x, y, z}};
}

/// The worst of each error, in tolerances or in sizes, for the record.
enum { ALONG, APART, OFF, BEYOND, JUDGED, LARGE, REPEATED, MOVED, ERRORS };
static const char *const error_name[ERRORS] = {"gap along the normal, of its tolerance",
                                               "points apart, of its tolerance",
                                               "points off the hulls, of its tolerance",
                                               "vertices beyond, of its tolerance",
                                               "distance against the judge, of the size",
                                               "the same of large hulls, of the size",
                                               "distance after other queries and swapped, of the size",
                                               "distance of both moved, of its tolerance"};
static double worst[ERRORS];

static double errors(int kind, double error)
{
    worst[kind] = fmax(worst[kind], error);
    return error;
}

static double size_of(const er_hull *a, er_pose pa, const er_hull *b, er_pose pb)
{
    return a->radius + b->radius + er_v3_distance(pa.p, pb.p);
}

/// How far a point is out of a hull, or in it.
static double height(const er_hull *hull, er_pose pose, er_vec3 x)
{
    double most = -HUGE_VAL;
    x = er_pose_point_inverse(pose, x);
    for (int f = 0; f < hull->face_count; ++f)
        most = fmax(most, er_v3_dot(hull->plane[f].normal, x) - hull->plane[f].offset);
    return most;
}

static er_vec3 world(const er_hull *hull, er_pose pose, int v)
{
    return er_pose_point(pose, hull->vertex[v]);
}

/// Checks that hold for all hulls: the points lie on both, the normal between them. Features that are flat to 1e-12 are
/// parallel, and their middle is as near. A normal between vertices is as uncertain as rounding over their distance.
static void assert_consistent(const er_hull *a, er_pose pa, const er_hull *b, er_pose pb, const er_closest *c)
{
    const er_hull *hull[2] = {a, b};
    er_pose pose[2] = {pa, pb};
    double size = size_of(a, pa, b, pb), flat = 4e-12 * size, rounding = 1e-14 * size;
    assert_true(fabs(er_v3_norm(c->normal) - 1) < 1e-14);
    er_vec3 between = er_v3_sub(c->point[1], c->point[0]);
    assert_true(errors(ALONG, fabs(er_v3_dot(c->normal, between) - c->distance) / rounding) <= 1);
    assert_true(errors(APART, fabs(er_v3_norm(between) - fabs(c->distance)) / rounding) <= 1);
    for (int side = 0; side < 2; ++side) {
        double out = height(hull[side], pose[side], c->point[side]), away = side == 0 ? 1 : -1;
        if (!(errors(OFF, fabs(out) / flat) <= 1))
            fail_msg("point %g off, %g, %d-%d", out, size, c->feature[0].kind, c->feature[1].kind);
        double slack = fmax(flat, 1e-15 * size * size / fabs(c->distance));
        for (int v = 0; v < hull[side]->vertex_count; ++v) {
            double beyond = away * er_v3_dot(c->normal, er_v3_sub(world(hull[side], pose[side], v), c->point[side]));
            if (!(errors(BEYOND, beyond / slack) <= 1))
                fail_msg("vertex %d is %g beyond, at distance %g", v, beyond, c->distance);
        }
    }
}

// ---- Closed forms

static const struct {
    const char *name;
    er_vec3 side[2];
    er_pose pose; // of the second box; the first one is around the origin
    double distance;
    er_vec3 normal, point[2];
    er_feature_kind kind[2];
} boxes[] = {
    {"faces", {{2, 2, 2}, {2, 2, 2}}, {{1, 0, 0, 0}, {5, 0, 0}}, 3, {1, 0, 0}, {{1, 0, 0}, {4, 0, 0}}, {2, 2}},
    {"faces that face each other in part",
     {{2, 2, 2}, {2, 2, 2}},
     {{1, 0, 0, 0}, {5, 1, 0.5}},
     3,
     {1, 0, 0},
     {{1, 0.5, 0.25}, {4, 0.5, 0.25}},
     {2, 2}},
    {"a small face and a large one",
     {{2, 2, 2}, {2, 20, 20}},
     {{1, 0, 0, 0}, {5, 7, 8}},
     3,
     {1, 0, 0},
     {{1, 0, 0}, {4, 0, 0}},
     {2, 2}},
    {"parallel edges",
     {{2, 2, 2}, {2, 2, 2}},
     {{1, 0, 0, 0}, {5, 6, 1}},
     5,
     {0.6, 0.8, 0},
     {{1, 1, 0.5}, {4, 5, 0.5}},
     {1, 1}},
    {"vertices",
     {{2, 2, 2}, {2, 2, 2}},
     {{1, 0, 0, 0}, {3, 4, 4}},
     3,
     {1. / 3, 2. / 3, 2. / 3},
     {{1, 1, 1}, {2, 3, 3}},
     {0, 0}},
    {"vertices at the border of faces",
     {{2, 2, 2}, {2, 2, 2}},
     {{1, 0, 0, 0}, {5, 2, 2}},
     3,
     {1, 0, 0},
     {{1, 1, 1}, {4, 1, 1}},
     {2, 2}},
    {"touching faces",
     {{2, 2, 2}, {4, 4, 4}},
     {{1, 0, 0, 0}, {0, -1, 3}},
     0,
     {0, 0, 1},
     {{0, 0, 1}, {0, 0, 1}},
     {2, 2}},
    {"overlapping faces",
     {{2, 2, 2}, {4, 4, 4}},
     {{1, 0, 0, 0}, {0, -0.25, 2.5}},
     -0.5,
     {0, 0, 1},
     {{0, 0, 1}, {0, 0, 0.5}},
     {2, 2}},
    {"one inside the other",
     {{2, 2, 2}, {10, 10, 10}},
     {{1, 0, 0, 0}, {0.5, 0, 0}},
     -5.5,
     {1, 0, 0},
     {{1, 0, 0}, {-4.5, 0, 0}},
     {2, 2}},
};

static void assert_point(const char *name, er_vec3 a, er_vec3 b)
{
    if (er_v3_distance(a, b) > 4e-12)
        fail_msg("%s: (%.15g %.15g %.15g) is not (%.15g %.15g %.15g)", name, a.x, a.y, a.z, b.x, b.y, b.z);
}

static void boxes_side_by_side_have_their_closed_forms(void **state)
{
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; ++i) {
        er_hull *a = box_hull(boxes[i].side[0].x, boxes[i].side[0].y, boxes[i].side[0].z),
                *b = box_hull(boxes[i].side[1].x, boxes[i].side[1].y, boxes[i].side[1].z);
        er_closest c;
        er_hull_closest(a, er_pose_identity(), b, boxes[i].pose, NULL, &c);
        if (fabs(c.distance - boxes[i].distance) > 1e-14) fail_msg("%s: %.17g", boxes[i].name, c.distance);
        assert_point(boxes[i].name, c.normal, boxes[i].normal);
        for (int side = 0; side < 2; ++side) {
            assert_point(boxes[i].name, c.point[side], boxes[i].point[side]);
            if (c.feature[side].kind != boxes[i].kind[side]) fail_msg("%s: %d", boxes[i].name, c.feature[side].kind);
        }
        assert_consistent(a, er_pose_identity(), b, boxes[i].pose, &c);
        er_hull_destroy(a);
        er_hull_destroy(b);
    }
}

static void turned_boxes_have_their_closed_forms(void **state)
{
    er_hull *a = box_hull(2, 2, 2), *b = box_hull(2, 2, 2);
    double diagonal = sqrt(2), space = sqrt(3);
    er_quat tip = er_q_upright(er_v3(1 / space, 1 / space, 1 / space)); // a corner of the box points to +Y
    const struct {
        const char *name;
        er_pose pose;
        double distance;
        er_vec3 normal;
        er_feature_kind kind[2];
    } c[] = {
        {"an edge before a face", turned(0, 0, 5, 45, 0, 0), 4 - diagonal, {0, 0, 1}, {2, 1}},
        {"a vertex before a face", {tip, {0, -5, 0}}, 4 - space, {0, -1, 0}, {2, 0}},
        {"a vertex before an edge",
         {tip, {2, -5, 0}},
         hypot(1, 4 - space),
         {1 / hypot(1, 4 - space), (space - 4) / hypot(1, 4 - space), 0},
         {1, 0}},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; ++i) {
        er_closest found;
        er_hull_closest(a, er_pose_identity(), b, c[i].pose, NULL, &found);
        assert_consistent(a, er_pose_identity(), b, c[i].pose, &found);
        if (fabs(found.distance - c[i].distance) > 1e-14) fail_msg("%s: %.17g", c[i].name, found.distance);
        assert_point(c[i].name, found.normal, c[i].normal);
        if (found.feature[0].kind != c[i].kind[0] || found.feature[1].kind != c[i].kind[1])
            fail_msg("%s: %d and %d", c[i].name, found.feature[0].kind, found.feature[1].kind);
    }
    er_pose roof = turned(0, 0, 0, 45, 0, 0), keel = turned(0, 0, 4, 0, 45, 0); // edges that cross
    er_closest found;
    er_hull_closest(a, roof, b, keel, NULL, &found);
    assert_consistent(a, roof, b, keel, &found);
    assert_true(fabs(found.distance - (4 - 2 * diagonal)) <= 1e-14);
    assert_true(found.feature[0].kind == ER_FEATURE_EDGE && found.feature[1].kind == ER_FEATURE_EDGE);
    assert_point("edges that cross", found.point[0], er_v3(0, 0, diagonal));
    assert_point("edges that cross", found.point[1], er_v3(0, 0, 4 - diagonal));
    er_hull_destroy(a);
    er_hull_destroy(b);
}

// ---- By chance

/// Two hulls by chance, side by side at about a distance of `gap` of their size.
typedef struct scene {
    er_hull *hull[2];
    er_pose pose[2];
} scene;

static scene roll_scene(dice *d, int trial, int most)
{
    double ratio = trial % 7 == 6 ? 1e6 : trial % 7 == 5 ? 1e-6 : roll(d, 0.5, 2);
    scene s = {{roll_hull(d, roll_int(d, 0, KINDS - 1), roll_int(d, 4, most), 1),
                roll_hull(d, roll_int(d, 0, KINDS - 1), roll_int(d, 4, most), ratio)},
               {{roll_rotation(d), {0, 0, 0}}, {roll_rotation(d), {0, 0, 0}}}};
    s.pose[1].p = er_v3_scale(roll(d, 0.2, 3) * (1 + ratio), roll_direction(d));
    return s;
}

static void scene_free(scene *s)
{
    er_hull_destroy(s->hull[0]);
    er_hull_destroy(s->hull[1]);
}

static er_closest closest(const scene *s, er_closest_cache *cache)
{
    er_closest c;
    er_hull_closest(s->hull[0], s->pose[0], s->hull[1], s->pose[1], cache, &c);
    return c;
}

static double scene_size(const scene *s)
{
    return size_of(s->hull[0], s->pose[0], s->hull[1], s->pose[1]);
}

static double judged(const scene *s)
{
    double gap = judge_gap(s->hull[0], s->pose[0], s->hull[1], s->pose[1]);
    return gap > 0 ? judge_distance(s->hull[0], s->pose[0], s->hull[1], s->pose[1]) : gap;
}

/// Brings the second hull to a wanted distance along the normal between: its closest points stay where they are on it.
static bool bring_to(scene *s, double distance)
{
    er_closest c = closest(s, NULL);
    if (c.distance <= 0) return false;
    s->pose[1].p = er_v3_madd(s->pose[1].p, distance - c.distance, c.normal);
    return true;
}

static void distances_are_the_judges(void **state)
{
    dice d = {3};
    int apart = 0, over = 0;
    for (int trial = 0; trial < trials(1500); ++trial) {
        scene s = roll_scene(&d, trial, 14);
        double wanted = trial % 3 == 0   ? HUGE_VAL
                        : trial % 3 == 1 ? pow(10, roll(&d, -15, 0))
                                         : -pow(10, roll(&d, -15, -1));
        if (wanted < HUGE_VAL) bring_to(&s, wanted * fmin(s.hull[0]->radius, s.hull[1]->radius));
        er_closest c = closest(&s, NULL);
        double j = judged(&s), size = scene_size(&s);
        apart += j > 0;
        over += j < 0;
        if (!(errors(JUDGED, fabs(c.distance - j) / size) <= 1e-13))
            fail_msg("trial %d: %.17g, the judge has %.17g (%g of the size)", trial, c.distance, j,
                     (c.distance - j) / size);
        assert_consistent(s.hull[0], s.pose[0], s.hull[1], s.pose[1], &c);
        scene_free(&s);
    }
    assert_true(apart > trials(300) && over > trials(300));
}

// Hulls of up to 500 vertices, all apart: the judge takes seconds for some.
static void large_hulls_are_as_exact(void **state)
{
    dice d = {5};
    for (int trial = 0; trial < 12; ++trial) {
        scene s = {{roll_hull(&d, trial % 2 == 0 ? 0 : 4, trial < 2 ? MOST_POINTS : 80, 1), roll_hull(&d, 0, 120, 2)},
                   {{roll_rotation(&d), {0, 0, 0}}, {roll_rotation(&d), {0, 0, 0}}}};
        s.pose[1].p = er_v3_scale(4, roll_direction(&d));
        if (trial > 3) assert_true(bring_to(&s, pow(10, -trial)));
        er_closest c = closest(&s, NULL);
        double j = judge_distance(s.hull[0], s.pose[0], s.hull[1], s.pose[1]);
        if (!(errors(LARGE, fabs(c.distance - j) / scene_size(&s)) <= 1e-14))
            fail_msg("%.17g, the judge has %.17g", c.distance, j);
        assert_consistent(s.hull[0], s.pose[0], s.hull[1], s.pose[1], &c);
        scene_free(&s);
    }
}

/// The same pair of features, in the same order.
static bool same_features(const er_feature *a, const er_feature *b)
{
    return a[0].kind == b[0].kind && a[0].index == b[0].index && a[1].kind == b[1].kind && a[1].index == b[1].index;
}

// Boxes that face each other are among these: which points are closest is then a choice, and it must be the same.
static scene roll_scene_or_boxes(dice *d, int trial)
{
    if (trial % 4 != 0) return roll_scene(d, trial + trial / 7, 20);
    er_quat turn = er_q_exp(er_v3_scale(ER_PI / 4 * roll_int(d, 0, 7), er_v3(0, 0, 1)));
    er_quat world = roll_rotation(d);
    scene s = {{box_hull(2, roll(d, 1, 4), 2), box_hull(roll(d, 1, 4), 2, 2)},
               {{world, roll_in_box(d, 5)}, {er_q_mul(world, turn), {0, 0, 0}}}};
    s.pose[1].p = er_pose_point(s.pose[0], er_v3(roll(d, -3, 3), roll(d, -3, 3), roll(d, 2.1, 4)));
    return s;
}

static void nothing_depends_on_the_query_before(void **state)
{
    dice d = {7};
    for (int trial = 0; trial < trials(1200); ++trial) {
        scene s = roll_scene_or_boxes(&d, trial);
        er_closest_cache cache = {0};
        er_closest fresh = closest(&s, NULL), first = closest(&s, &cache), again = closest(&s, &cache);
        assert_memory_equal(&fresh, &first, sizeof fresh);
        scene other = s;
        other.pose[1] = (er_pose){roll_rotation(&d), er_v3_scale(er_v3_norm(s.pose[1].p), roll_direction(&d))};
        closest(&other, &cache);
        er_closest later = closest(&s, &cache);
        const er_closest *late[2] = {&again, &later};
        double size = scene_size(&s);
        for (int k = 0; k < 2; ++k) {
            assert_true(errors(REPEATED, fabs(late[k]->distance - fresh.distance) / size) <= 1e-14);
            // Where hulls of one size nearly overlap, or slivers lie flat, features may be as close.
            if (trial % 4 != 0) continue;
            assert_true(same_features(late[k]->feature, fresh.feature));
            assert_true(er_v3_distance(late[k]->normal, fresh.normal) <= 1e-12);
            for (int side = 0; side < 2; ++side)
                assert_true(er_v3_distance(late[k]->point[side], fresh.point[side]) <= 1e-11);
        }
        er_closest_cache wrong = {4,
                                  {{-1, 1 << 30, 0, 0}, {0, 0, 1 << 30, -5}}}; // another pair's: no more than useless
        later = closest(&s, &wrong);
        assert_true(fabs(later.distance - fresh.distance) / size <= 1e-14);
        scene_free(&s);
    }
}

static void swapping_swaps_the_answer(void **state)
{
    dice d = {9};
    for (int trial = 0; trial < trials(1200); ++trial) {
        scene s = roll_scene_or_boxes(&d, trial), t = {{s.hull[1], s.hull[0]}, {s.pose[1], s.pose[0]}};
        er_closest c = closest(&s, NULL), e = closest(&t, NULL);
        assert_true(errors(REPEATED, fabs(c.distance - e.distance) / scene_size(&s)) <= 2e-14);
        if (trial % 4 == 0) {
            er_feature swapped[2] = {e.feature[1], e.feature[0]};
            assert_true(same_features(c.feature, swapped));
            assert_true(er_v3_norm(er_v3_add(c.normal, e.normal)) <= 1e-12);
        }
        scene_free(&s);
    }
}

// Where in the world costs the roundings of that place, and none of the distance.
static void moving_both_moves_the_answer(void **state)
{
    dice d = {11};
    for (int trial = 0; trial < trials(1200); ++trial) {
        scene s = roll_scene_or_boxes(&d, trial), t = s;
        er_pose move = {roll_rotation(&d), roll_in_box(&d, 1000)};
        for (int side = 0; side < 2; ++side)
            t.pose[side] = er_pose_mul(move, s.pose[side]);
        er_closest c = closest(&s, NULL), e = closest(&t, NULL);
        double size = scene_size(&s), rounding = 1e-12 + 1e-14 * size;
        assert_true(errors(MOVED, fabs(c.distance - e.distance) / rounding) <= 1);
        if (trial % 4 == 0 && trial % 7 != 0)
            assert_true(er_v3_distance(er_q_rotate(move.q, c.normal), e.normal) <= 1e-8);
        scene_free(&s);
    }
}

// Both a million metres away, by a step that their places take without rounding: the same answer, to the last bit.
static void far_from_the_origin_no_digit_is_lost(void **state)
{
    dice d = {15};
    for (int trial = 0; trial < trials(300); ++trial) {
        scene s = roll_scene_or_boxes(&d, trial), t;
        for (int side = 0; side < 2; ++side) {
            er_vec3 *p = &s.pose[side].p;
            *p = er_v3(round(p->x * 0x1p20) * 0x1p-20, round(p->y * 0x1p20) * 0x1p-20, round(p->z * 0x1p20) * 0x1p-20);
        }
        t = s;
        for (int side = 0; side < 2; ++side)
            t.pose[side].p = er_v3_add(s.pose[side].p, er_v3(0x1p20, -0x1p21, 0x1p20));
        er_closest c = closest(&s, NULL), e = closest(&t, NULL);
        assert_true(c.distance == e.distance);
        assert_memory_equal(&c.normal, &e.normal, sizeof c.normal);
        assert_true(same_features(c.feature, e.feature));
        scene_free(&s);
    }
}

// No length is small or large by itself: by powers of two, the same answer to the last bit.
static void answers_scale_with_lengths(void **state)
{
    dice d = {17};
    for (int trial = 0; trial < trials(300); ++trial) {
        double by = trial % 2 == 0 ? 0x1p-100 : 0x1p100;
        int count[2] = {roll_int(&d, 6, 20), roll_int(&d, 6, 20)};
        er_vec3 point[2][20];
        scene s, t;
        for (int side = 0; side < 2; ++side) {
            roll_points(&d, trial % KINDS, count[side], 1, point[side]);
            s.hull[side] = hull_of(count[side], point[side]);
            s.pose[side] = (er_pose){roll_rotation(&d), roll_in_box(&d, 1.5)};
            for (int i = 0; i < count[side]; ++i)
                point[side][i] = er_v3_scale(by, point[side][i]);
            t.hull[side] = hull_of(count[side], point[side]);
            t.pose[side] = (er_pose){s.pose[side].q, er_v3_scale(by, s.pose[side].p)};
        }
        er_closest c = closest(&s, NULL), e = closest(&t, NULL), cc, ee;
        er_hull_contact(s.hull[0], s.pose[0], s.hull[1], s.pose[1], &c, &cc);
        er_hull_contact(t.hull[0], t.pose[0], t.hull[1], t.pose[1], &e, &ee);
        assert_true(by * c.distance == e.distance && by * cc.distance == ee.distance);
        assert_true(same_features(c.feature, e.feature) && same_features(cc.feature, ee.feature));
        assert_true(er_v3_distance(er_v3_scale(by, c.point[0]), e.point[0]) == 0);
        scene_free(&s);
        scene_free(&t);
    }
}

// NaN in gives NaN out, and the call returns.
static void poses_that_are_none_end(void **state)
{
    dice d = {19};
    for (int trial = 0; trial < 60; ++trial) {
        scene s = roll_scene(&d, trial, 20);
        double *number[7] = {&s.pose[1].q.w, &s.pose[1].q.x, &s.pose[1].q.y, &s.pose[1].q.z,
                             &s.pose[1].p.x, &s.pose[1].p.y, &s.pose[1].p.z};
        er_closest_cache cache = {0};
        closest(&s, &cache);
        *number[trial % 7] = trial % 3 == 0 ? NAN : trial % 3 == 1 ? HUGE_VAL : 1e300;
        er_closest c = closest(&s, trial % 2 == 0 ? &cache : NULL), k;
        er_hull_contact(s.hull[0], s.pose[0], s.hull[1], s.pose[1], &c, &k);
        for (int side = 0; side < 2; ++side) {
            int most[3] = {s.hull[side]->vertex_count, s.hull[side]->edge_count, s.hull[side]->face_count};
            assert_in_range(c.feature[side].index, 0, most[c.feature[side].kind] - 1);
            assert_in_range(k.feature[side].index, 0, most[k.feature[side].kind] - 1);
        }
        scene_free(&s);
    }
}

// ---- Contacts

/// A vertex and a face or two edges, as close as the hulls are, with a plane of their own between the hulls.
static void assert_contact(const scene *s, const er_closest *c)
{
    er_closest k;
    er_hull_contact(s->hull[0], s->pose[0], s->hull[1], s->pose[1], c, &k);
    double size = scene_size(s), tolerance = 2e-11 * size;
    if (k.feature[0].kind + k.feature[1].kind != 2)
        fail_msg("%d-%d of %d-%d at %g", k.feature[0].kind, k.feature[1].kind, c->feature[0].kind, c->feature[1].kind,
                 c->distance);
    assert_true(fabs(er_v3_norm(k.normal) - 1) <= 1e-14);
    double apart = judge_features(s->hull[0], s->pose[0], k.feature[0], s->hull[1], s->pose[1], k.feature[1]);
    if (c->distance > 0) {
        assert_true(fabs(apart - c->distance) <= tolerance);
        assert_true(fabs(er_v3_distance(k.point[0], k.point[1]) - apart) <= tolerance);
        assert_true(k.distance <= c->distance + tolerance);
    }
    // The plane is theirs: at a right angle to both edges, or the face's.
    for (int side = 0; side < 2; ++side) {
        const er_hull *hull = s->hull[side];
        er_vec3 n = er_q_rotate(er_q_conj(s->pose[side].q), k.normal);
        if (k.feature[side].kind == ER_FEATURE_FACE)
            assert_true(er_v3_distance(er_v3_scale(side == 0 ? 1 : -1, n), hull->plane[k.feature[side].index].normal) <=
                        1e-14);
        if (k.feature[side].kind == ER_FEATURE_EDGE) {
            const int *v = hull->edge[k.feature[side].index].vertex;
            assert_true(fabs(er_v3_dot(n, er_v3_unit(er_v3_sub(hull->vertex[v[1]], hull->vertex[v[0]]), n))) <= 1e-13);
        }
    }
    // Nothing of A is above it by more than the gap allows, nothing of B below.
    double most = -HUGE_VAL, least = HUGE_VAL;
    er_vec3 o = s->pose[0].p;
    for (int v = 0; v < s->hull[0]->vertex_count; ++v)
        most = fmax(most, er_v3_dot(k.normal, er_v3_sub(world(s->hull[0], s->pose[0], v), o)));
    for (int v = 0; v < s->hull[1]->vertex_count; ++v)
        least = fmin(least, er_v3_dot(k.normal, er_v3_sub(world(s->hull[1], s->pose[1], v), o)));
    assert_true(fabs(least - most - k.distance) <= 1e-14 * size);
    if (c->distance > 0 && c->distance < 1e-7 && !(k.distance >= -tolerance))
        fail_msg("the plane overlaps by %g at distance %g, %d-%d", k.distance, c->distance, c->feature[0].kind,
                 c->feature[1].kind);
    if (c->distance < 0) assert_true(fabs(k.distance - c->distance) <= tolerance);
}

static void every_touch_has_a_plane_of_a_vertex_and_a_face_or_of_edges(void **state)
{
    er_hull *a = box_hull(2, 2, 2), *b = box_hull(3, 3, 3);
    double diagonal = sqrt(2), space = sqrt(3);
    er_quat tip = er_q_upright(er_v3(1 / space, 1 / space, 1 / space));
    const double gaps[] = {1e-3, 1e-8, 1e-12, 0, -1e-9, -1e-3};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; ++i) {
        double g = gaps[i];
        const er_pose pose[] = {
            {er_q_identity(), {0, 0, 2.5 + g}},                  // faces, one within the other
            {er_q_identity(), {1, 2, 2.5 + g}},                  // faces, each with a corner in the other
            {er_q_exp(er_v3(0, 0, ER_PI / 4)), {0, 0, 2.5 + g}}, // faces, edges crossing
            {er_q_identity(), {2.5 + g, 0, 2.5 + g}},            // parallel edges
            {er_q_identity(), {2.5 + g, 2.5 + g, 2.5 + g}},      // vertices
            {er_q_identity(), {2.5, 0, 2.5 + g}},                // faces at their borders
            {er_q_exp(er_v3(ER_PI / 4, 0, 0)), {0, 0, 1 + 1.5 * diagonal + g}}, // an edge on a face
            {er_q_exp(er_v3(ER_PI / 4, 0, 0)), {2, 0, 1 + 1.5 * diagonal + g}}, // an edge past a face's border
            {tip, {0, -1 - 1.5 * space - g, 0}},                                // a vertex on a face
            {tip, {1, -1 - 1.5 * space - g, 0}},                                // a vertex on an edge
            {tip, {1, -1 - 1.5 * space - g, 1}},                                // a vertex on a vertex
        };
        for (size_t k = 0; k < sizeof pose / sizeof *pose; ++k) {
            scene s = {{a, b}, {er_pose_identity(), pose[k]}}, t = {{b, a}, {pose[k], er_pose_identity()}};
            er_closest c = closest(&s, NULL);
            assert_consistent(a, er_pose_identity(), b, pose[k], &c);
            assert_contact(&s, &c);
            c = closest(&t, NULL);
            assert_contact(&t, &c);
        }
    }
    er_hull_destroy(a);
    er_hull_destroy(b);
}

static void contacts_by_chance_have_planes_too(void **state)
{
    dice d = {13};
    for (int trial = 0; trial < trials(2000); ++trial) {
        scene s = {
            {roll_hull(&d, trial % 2, roll_int(&d, 4, 30), 1), roll_hull(&d, trial / 2 % 2, roll_int(&d, 4, 30), 1)},
            {{roll_rotation(&d), {0, 0, 0}}, {roll_rotation(&d), {0, 0, 0}}}};
        s.pose[1].p = er_v3_scale(roll(&d, 0.5, 4), roll_direction(&d));
        if (trial % 3 > 0) bring_to(&s, pow(10, roll(&d, -13, -1)));
        er_closest c = closest(&s, NULL);
        assert_contact(&s, &c);
        scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_side_by_side_have_their_closed_forms),
        cmocka_unit_test(turned_boxes_have_their_closed_forms),
        cmocka_unit_test(distances_are_the_judges),
        cmocka_unit_test(large_hulls_are_as_exact),
        cmocka_unit_test(nothing_depends_on_the_query_before),
        cmocka_unit_test(swapping_swaps_the_answer),
        cmocka_unit_test(moving_both_moves_the_answer),
        cmocka_unit_test(far_from_the_origin_no_digit_is_lost),
        cmocka_unit_test(answers_scale_with_lengths),
        cmocka_unit_test(poses_that_are_none_end),
        cmocka_unit_test(every_touch_has_a_plane_of_a_vertex_and_a_face_or_of_edges),
        cmocka_unit_test(contacts_by_chance_have_planes_too),
    };
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    for (int k = 0; k < ERRORS; ++k)
        printf("# %s: %.1e\n", error_name[k], worst[k]);
    return failed;
}
