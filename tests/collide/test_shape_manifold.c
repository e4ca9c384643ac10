/// @file
/// Touches of shapes: closed forms of each pair of kinds, then solids by chance against a judge that tries directions;
/// swapped, moved, far away, and at rest, where features stay.
#include <stdio.h>
#include <string.h>

#include "collide/solids.h"
#include "support/context.h"

static const er_shape_kind solids[] = {ER_SHAPE_SPHERE, ER_SHAPE_CAPSULE, ER_SHAPE_BOX, ER_SHAPE_CYLINDER,
                                       ER_SHAPE_HULL};
enum { SOLIDS = sizeof solids / sizeof *solids };

static double size_of(const solid *a, const solid *b)
{
    double size = er_v3_distance(a->pose.p, b->pose.p);
    const er_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; ++k)
        size = fmax(size, fmax(solid_reach(a, axis[k]), solid_reach(b, axis[k])));
    return size;
}

static double least_of(int count, const er_manifold_point *touch)
{
    double least = HUGE_VAL;
    for (int k = 0; k < count; ++k)
        least = fmin(least, touch[k].distance);
    return least;
}

/// Checks that hold for all touches.   @return the deepest
static double assert_touches(const solid *a, const solid *b, int count, const er_manifold_point *touch, double margin)
{
    double least = HUGE_VAL, size = size_of(a, b),
           tolerance = 1e-11 * size; // where a rim is seen nearly along its axis
    for (int k = 0; k < count; ++k) {
        const er_manifold_point *t = &touch[k];
        assert_true(fabs(er_v3_norm(t->normal) - 1) < 1e-14);
        double along = er_v3_dot(t->normal, er_v3_sub(t->point[1], t->point[0]));
        if (!(fabs(along - t->distance) <= tolerance)) fail_msg("points %g apart, said %g", along, t->distance);
        assert_true(t->distance <= margin);
        for (int i = 0; i < k; ++i)
            assert_true(t->feature != touch[i].feature);
        if (!(solid_height(a, t->point[0]) <= tolerance) || !(solid_height(b, t->point[1]) <= tolerance))
            fail_msg("kinds %d and %d: points %g and %g out of the solids, of %d", a->shape.kind, b->shape.kind,
                     solid_height(a, t->point[0]), solid_height(b, t->point[1]), count);
        least = fmin(least, t->distance);
    }
    return least;
}

/// The deepest touch proves itself a bound: its normal parts the solids as far; and no direction parts them farther.
static void assert_deepest(dice *d, const solid *a, const solid *b, double deepest, er_vec3 n)
{
    double size = size_of(a, b), own = solid_gap(a, b, n), widest = solid_widest_gap(d, a, b);
    if (!(deepest >= own - 1e-12 * size && deepest <= own + 1e-5 * size)) // what is as near is alike
        fail_msg("kinds %d and %d: the gap along the normal is %g, said %g", a->shape.kind, b->shape.kind, own,
                 deepest);
    if (!(widest <= own + 1e-12 * size))
        fail_msg("kinds %d and %d: a gap of %.17g, said %.17g", a->shape.kind, b->shape.kind, widest, own);
}

static void solids_by_chance_touch_where_the_judge_says(void **state)
{
    dice d = {1};
    for (int trial = 0; trial < trials(3000); ++trial) {
        solid a = roll_solid(&d, solids[trial % SOLIDS], 1), b = roll_solid(&d, solids[trial / SOLIDS % SOLIDS], 1);
        b.pose.p = er_v3_scale(roll(&d, 0, 1.5), roll_direction(&d));
        if (trial % 3 > 0) solid_bring(&a, &b, roll(&d, -1, 1) * pow(10, roll(&d, -9, -1)));
        er_manifold_point touch[ER_MANIFOLD_MAX];
        int count = er_shape_manifold(&a.shape, a.pose, &b.shape, b.pose, 100, NULL, touch);
        assert_in_range(count, 1, 4);
        assert_deepest(&d, &a, &b, assert_touches(&a, &b, count, touch, 100), touch[0].normal);
        solid_free(&a);
        solid_free(&b);
    }
}

static void closest_points_are_as_exact(void **state)
{
    dice d = {2};
    for (int trial = 0; trial < trials(2000); ++trial) {
        solid a = roll_solid(&d, solids[trial % SOLIDS], 1), b = roll_solid(&d, solids[trial / SOLIDS % SOLIDS], 1);
        b.pose.p = er_v3_scale(roll(&d, 0, 1.5), roll_direction(&d));
        if (trial % 3 > 0) solid_bring(&a, &b, roll(&d, -1, 1) * pow(10, roll(&d, -9, -1)));
        er_closest c, back;
        er_shape_closest(&a.shape, a.pose, &b.shape, b.pose, NULL, &c);
        er_shape_closest(&b.shape, b.pose, &a.shape, a.pose, NULL, &back);
        double size = size_of(&a, &b), own = solid_gap(&a, &b, c.normal);
        assert_true(fabs(own - c.distance) <= 1e-13 * size); // no point of B is nearer along the normal, and
        er_vec3 apart = er_v3_sub(c.point[1], c.point[0]);
        assert_true(er_v3_distance(apart, er_v3_scale(c.distance, c.normal)) <= 1e-12 * size); // these two are as near
        if (!(solid_height(&a, c.point[0]) <= 1e-11 * size) || !(solid_height(&b, c.point[1]) <= 1e-11 * size))
            fail_msg("kinds %d and %d: points %g and %g out of the solids", a.shape.kind, b.shape.kind,
                     solid_height(&a, c.point[0]), solid_height(&b, c.point[1]));
        assert_true(fabs(back.distance - c.distance) <= 1e-13 * size);
        if (c.distance <= 0) assert_true(solid_widest_gap(&d, &a, &b) <= c.distance + 1e-12 * size);
        solid_free(&a);
        solid_free(&b);
    }
}

// ---- Closed forms

typedef struct form {
    const char *name;
    er_shape a, b;
    er_pose pose; // of B; A is at the origin
    int count;
    double distance; // of the deepest
    er_vec3 normal;
} form;

static const er_quat straight = {1, 0, 0, 0}, lying = {0.70710678118654752, 0, 0.70710678118654752, 0}; // z along x

static er_shape sphere(double radius)
{
    return (er_shape){.kind = ER_SHAPE_SPHERE, .radius = radius};
}

static er_shape capsule(double radius, double length)
{
    return (er_shape){.kind = ER_SHAPE_CAPSULE, .radius = radius, .length = length};
}

static er_shape cylinder(double radius, double length)
{
    return (er_shape){.kind = ER_SHAPE_CYLINDER, .radius = radius, .length = length};
}

static er_shape box(double x, double y, double z)
{
    return (er_shape){.kind = ER_SHAPE_BOX, .half = {x, y, z}};
}

static er_shape of_hull(const er_hull *hull)
{
    return (er_shape){.kind = ER_SHAPE_HULL, .hull = hull};
}

static const er_shape plane = {.kind = ER_SHAPE_PLANE};

static void pairs_have_their_closed_forms(void **state)
{
    const er_quat over = er_q_exp(er_v3(ER_PI, 0, 0)), quarter = er_q_exp(er_v3(0, 0, ER_PI / 4));
    const er_quat tipped = er_q_exp(er_v3(0, ER_PI / 4, 0));
    const form forms[] = {
        {"spheres", sphere(1), sphere(2), {straight, {0, 3, 4}}, 1, 2, {0, 0.6, 0.8}},
        {"spheres in each other", sphere(1), sphere(2), {straight, {0, 0.3, 0.4}}, 1, -2.5, {0, 0.6, 0.8}},
        {"a sphere and a capsule's side", sphere(1), capsule(0.5, 4), {straight, {3, 0, 1}}, 1, 1.5, {1, 0, 0}},
        {"a sphere and a capsule's cap", sphere(1), capsule(0.5, 4), {straight, {3, 0, 6}}, 1, 3.5, {0.6, 0, 0.8}},
        {"a sphere and a box's face", sphere(1), box(1, 2, 3), {straight, {3, 1, 1}}, 1, 1, {1, 0, 0}},
        {"a sphere and a box's edge", sphere(1), box(1, 2, 3), {straight, {4, 6, 1}}, 1, 4, {0.6, 0.8, 0}},
        {"a sphere and a box's corner", sphere(1), box(1, 1, 1), {straight, {3, 3, 2}}, 1, 2, {2. / 3, 2. / 3, 1. / 3}},
        {"a sphere within a box", sphere(1), box(2, 2, 2), {straight, {1, 0.5, 0}}, 1, -2, {1, 0, 0}},
        {"a sphere and a cylinder's side", sphere(1), cylinder(1, 2), {straight, {3, 0, 0.5}}, 1, 1, {1, 0, 0}},
        {"a sphere and a cylinder's cap", sphere(1), cylinder(1, 2), {straight, {0.5, 0, 3}}, 1, 1, {0, 0, 1}},
        {"a sphere and a cylinder's rim", sphere(1), cylinder(1, 2), {straight, {4, 0, 5}}, 1, 4, {0.6, 0, 0.8}},
        {"a sphere deep in a cylinder", sphere(0.1), cylinder(1, 9), {straight, {0.25, 0, 0}}, 1, -0.85, {1, 0, 0}},
        {"a sphere on a plane", sphere(1), plane, {straight, {3, 0, -1.25}}, 1, 0.25, {0, 0, -1}},
        {"a sphere below a plane", sphere(1), plane, {straight, {3, 0, 3}}, 1, -4, {0, 0, -1}},
        {"capsules across", capsule(0.5, 4), capsule(0.25, 4), {lying, {0, 2, 0.5}}, 1, 1.25, {0, 1, 0}},
        {"capsules along", capsule(0.5, 4), capsule(0.25, 4), {straight, {0, 2, 1}}, 2, 1.25, {0, 1, 0}},
        {"capsules of one length", capsule(0.5, 4), capsule(0.25, 4), {straight, {0, 2, 0}}, 2, 1.25, {0, 1, 0}},
        {"capsules against", capsule(0.5, 4), capsule(0.25, 4), {over, {0, 2, 1}}, 2, 1.25, {0, 1, 0}},
        {"capsules end to end", capsule(0.5, 4), capsule(0.25, 4), {straight, {0, 0, 5}}, 1, 0.25, {0, 0, 1}},
        {"a capsule lying on a plane", capsule(0.5, 4), plane, {lying, {-0.75, 0, 0}}, 2, 0.25, {-1, 0, 0}},
        {"a capsule standing on a plane", capsule(0.5, 4), plane, {straight, {0, 0, -2.5}}, 1, 0, {0, 0, -1}},
        {"a capsule lying on a box", capsule(0.5, 4), box(1, 1, 1), {straight, {1.5, 0, 0}}, 2, 0, {1, 0, 0}},
        {"a capsule beside a box's edge", capsule(0.5, 4), box(1, 1, 1), {straight, {4, 5, 0}}, 2, 4.5, {0.6, 0.8, 0}},
        {"a capsule through a box", capsule(0.5, 6), box(1, 2, 1), {straight, {0.25, 0, 0}}, 2, -1.25, {1, 0, 0}},
        {"a capsule lying on a cylinder", capsule(0.5, 4), cylinder(1, 2), {straight, {0, 1.5, 0}}, 2, 0, {0, 1, 0}},
        {"a capsule across a cylinder", capsule(0.5, 4), cylinder(1, 2), {lying, {0, 2, 0}}, 1, 0.5, {0, 1, 0}},
        {"a capsule across a cylinder's cap", capsule(0.5, 8), cylinder(1, 2), {lying, {2, 0, 0}}, 2, 0.5, {1, 0, 0}},
        {"boxes face to face", box(1, 1, 1), box(1, 1, 1), {straight, {0, 0, 2.5}}, 4, 0.5, {0, 0, 1}},
        {"boxes in part", box(1, 1, 1), box(1, 1, 1), {straight, {1, 0.5, 1.75}}, 4, -0.25, {0, 0, 1}},
        {"a small box on a large one", box(5, 5, 1), box(1, 1, 1), {quarter, {0, 0, 2}}, 4, 0, {0, 0, 1}},
        {"a box's edge on a box",
         box(5, 5, 1),
         box(1, 1, 1),
         {tipped, {0, 0, 2.5}},
         2,
         1.5 - 1.4142135623730951,
         {0, 0, 1}},
        {"boxes edge to edge", box(1, 1, 1), box(1, 1, 1), {straight, {5, 6, 0}}, 2, 5, {0.6, 0.8, 0}},
        {"a box on a plane", box(1, 2, 3), plane, {straight, {0, 0, -2.75}}, 4, -0.25, {0, 0, -1}},
        {"a box's edge on a plane",
         box(1, 2, 1),
         plane,
         {tipped, {-1, 0, -1}},
         2,
         0,
         {-0.70710678118654752, 0, -0.70710678118654752}},
        {"a cylinder on a plane", cylinder(1, 2), plane, {straight, {0, 0, -1.5}}, 4, 0.5, {0, 0, -1}},
        {"a cylinder lying on a plane", cylinder(1, 2), plane, {lying, {-1.5, 0, 0}}, 2, 0.5, {-1, 0, 0}},
        {"a cylinder standing on a box", box(5, 5, 1), cylinder(1, 2), {quarter, {0, 0, 2}}, 4, 0, {0, 0, 1}},
        {"a cylinder lying on a box", box(5, 5, 1), cylinder(1, 2), {lying, {0, 0, 1.75}}, 2, -0.25, {0, 0, 1}},
        {"a box on a large cylinder", box(1, 1, 1), cylinder(5, 2), {straight, {0, 0, 2}}, 4, 0, {0, 0, 1}},
        {"cylinders one on the other", cylinder(1, 2), cylinder(1, 4), {quarter, {0, 0, 3.25}}, 4, 0.25, {0, 0, 1}},
        {"cylinders side by side", cylinder(1, 2), cylinder(1, 4), {straight, {0, 2.5, 0}}, 2, 0.5, {0, 1, 0}},
        {"cylinders across", cylinder(1, 4), cylinder(1, 4), {lying, {0, 1.5, 0}}, 1, -0.5, {0, 1, 0}},
        {"cylinders rim to rim", cylinder(1, 2), cylinder(1, 2), {straight, {5, 0, 6}}, 1, 5, {0.6, 0, 0.8}},
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
        const form *f = &forms[k];
        er_manifold_point touch[ER_MANIFOLD_MAX];
        int count = er_shape_manifold(&f->a, er_pose_identity(), &f->b, f->pose, HUGE_VAL, NULL, touch);
        double least = HUGE_VAL;
        int near = 0;
        for (int i = 0; i < count; ++i)
            least = fmin(least, touch[i].distance);
        for (int i = 0; i < count; ++i)
            near += touch[i].distance <= least + 1e-9;
        if (near != f->count || !(fabs(least - f->distance) < 1e-14) ||
            !(er_v3_distance(touch[0].normal, f->normal) < 1e-14))
            fail_msg("%s: %d touches of %d, %g apart, the normal (%g, %g, %g)", f->name, near, count, least,
                     touch[0].normal.x, touch[0].normal.y, touch[0].normal.z);
        if (er_shape_manifold(&f->a, er_pose_identity(), &f->b, f->pose, f->distance - 1e-9, NULL, touch) != 0)
            fail_msg("%s: a touch beyond the margin", f->name);
    }
}

// ---- Planes

/// Over a plane any way round: the lowest point, touches on both surfaces, and the same of the closest points.
static void solids_by_chance_touch_planes_with_their_lowest_points(void **state)
{
    dice d = {10};
    for (int trial = 0; trial < trials(2000); ++trial) {
        solid a = roll_solid(&d, solids[trial % SOLIDS], 1);
        er_pose ground = {roll_rotation(&d), roll_in_box(&d, 5)};
        er_vec3 up = er_q_rotate(ground.q, er_v3(0, 0, 1));
        double margin = trial % 2 == 0 ? 100 : 0.05, lowest = roll(&d, -0.1, 0.1);
        a.pose.p = er_v3_add(ground.p, roll_in_box(&d, 1));
        double height = er_v3_dot(up, er_v3_sub(a.pose.p, ground.p)) - solid_reach(&a, er_v3_scale(-1, up));
        a.pose.p = er_v3_madd(a.pose.p, lowest - height, up);
        er_manifold_point touch[ER_MANIFOLD_MAX], other[ER_MANIFOLD_MAX];
        er_closest c, back;
        er_closest_cache cache = {1, {{trial % 3 == 0 ? 1 << 20 : -trial % 3}, {0}}};
        int count = er_shape_manifold(&a.shape, a.pose, &plane, ground, margin, trial % 5 == 0 ? NULL : &cache, touch);
        assert_int_equal(er_shape_manifold(&plane, ground, &a.shape, a.pose, margin, NULL, other), count);
        assert_true((count > 0) == (lowest <= margin));
        for (int k = 0; k < count; ++k) {
            const er_manifold_point *t = &touch[k];
            assert_true(er_v3_distance(t->normal, er_v3_scale(-1, up)) < 1e-14 && t->distance <= margin);
            assert_true(fabs(er_v3_dot(up, er_v3_sub(t->point[0], ground.p)) - t->distance) < 1e-12);
            assert_true(er_v3_distance(er_v3_madd(t->point[0], -t->distance, up), t->point[1]) < 1e-12);
            assert_true(solid_height(&a, t->point[0]) < 1e-11); // of a capsule's upper end it lies within
            assert_true(er_v3_distance(other[k].normal, up) < 1e-14);
            assert_true(er_v3_distance(other[k].point[0], t->point[1]) < 1e-14 &&
                        er_v3_distance(other[k].point[1], t->point[0]) < 1e-14 && other[k].distance == t->distance);
        }
        if (count > 0) assert_true(fabs(least_of(count, touch) - lowest) < 1e-12);
        er_shape_closest(&a.shape, a.pose, &plane, ground, NULL, &c);
        er_shape_closest(&plane, ground, &a.shape, a.pose, NULL, &back);
        assert_true(fabs(c.distance - lowest) < 1e-12 && fabs(back.distance - lowest) < 1e-12);
        assert_true(fabs(solid_height(&a, c.point[0])) < 1e-11);
        assert_true(er_v3_distance(er_v3_madd(c.point[0], -c.distance, up), c.point[1]) < 1e-12);
        assert_true(fabs(er_v3_dot(up, er_v3_sub(c.point[1], ground.p))) < 1e-12);
        assert_true(er_v3_distance(c.normal, er_v3_scale(-1, up)) < 1e-14 && er_v3_distance(back.normal, up) < 1e-14);
        assert_true(er_v3_distance(back.point[0], c.point[1]) < 1e-14 &&
                    er_v3_distance(back.point[1], c.point[0]) < 1e-14);
        solid_free(&a);
    }
    er_closest still;
    er_shape_closest(&plane, er_pose_identity(), &plane, er_pose_identity(), NULL, &still);
    assert_true(still.distance == HUGE_VAL && er_v3_norm(still.normal) == 1);
}

/// A ball of many corners deep in a plane: of those below it the deepest and three around.
static void many_corners_leave_four(void **state)
{
    dice d = {11};
    er_vec3 corner[400];
    for (int k = 0; k < 400; ++k)
        corner[k] = roll_direction(&d);
    er_hull *ball = hull_of(400, corner);
    const er_shape shape = of_hull(ball);
    for (int trial = 0; trial < 20; ++trial) {
        er_pose pose = {roll_rotation(&d), er_v3(0, 0, roll(&d, -1, 0.5))};
        er_manifold_point touch[ER_MANIFOLD_MAX];
        double lowest = HUGE_VAL;
        for (int k = 0; k < 400; ++k)
            lowest = fmin(lowest, er_pose_point(pose, corner[k]).z);
        assert_int_equal(er_shape_manifold(&shape, pose, &plane, er_pose_identity(), 0, NULL, touch), 4);
        assert_true(fabs(touch[0].distance - lowest) < 1e-14);
        for (int k = 1; k < 4; ++k)
            assert_true(touch[k].distance <= 0 && er_v3_distance(touch[k].point[0], touch[0].point[0]) > 0.2);
    }
    er_hull_destroy(ball);
}

/// The features at the ends of the closest points change sides with them.
static void swapping_mirrors_the_features(void **state)
{
    dice d = {12};
    for (int trial = 0; trial < 200; ++trial) {
        solid a = roll_solid(&d, ER_SHAPE_CYLINDER, 1), b = roll_solid(&d, trial % 2 ? ER_SHAPE_HULL : ER_SHAPE_BOX, 1);
        b.pose.p = er_v3_scale(3, roll_direction(&d));
        er_closest c, back;
        er_shape_closest(&a.shape, a.pose, &b.shape, b.pose, NULL, &c);
        er_shape_closest(&b.shape, b.pose, &a.shape, a.pose, NULL, &back);
        for (int side = 0; side < 2; ++side) {
            assert_int_equal(c.feature[side].kind, back.feature[1 - side].kind);
            assert_int_equal(c.feature[side].index, back.feature[1 - side].index);
        }
        if (b.shape.kind == ER_SHAPE_HULL && c.feature[1].kind == ER_FEATURE_VERTEX) // the vertex that is nearest
            assert_true(er_v3_distance(er_pose_point(b.pose, b.shape.hull->vertex[c.feature[1].index]), c.point[1]) <
                        1e-9);
        solid_free(&a);
        solid_free(&b);
    }
}

// ---- Swapped, moved, far

static bool same_touch(const er_manifold_point *t, const er_manifold_point *u, double tolerance)
{
    return fabs(t->distance - u->distance) <= tolerance && er_v3_distance(t->normal, u->normal) <= tolerance &&
           er_v3_distance(t->point[0], u->point[0]) <= tolerance &&
           er_v3_distance(t->point[1], u->point[1]) <= tolerance;
}

static void swapping_mirrors_the_touches(void **state)
{
    dice d = {3};
    for (int trial = 0; trial < trials(2000); ++trial) {
        solid a = roll_solid(&d, solids[trial % SOLIDS], 1), b = roll_solid(&d, solids[trial / SOLIDS % SOLIDS], 1);
        b.pose.p = er_v3_scale(2, roll_direction(&d));
        if (trial % 2 == 0) b.pose.q = a.pose.q; // faces before each other
        solid_bring(&a, &b, roll(&d, -1e-2, 1e-2));
        er_manifold_point one[ER_MANIFOLD_MAX], other[ER_MANIFOLD_MAX], again[ER_MANIFOLD_MAX];
        er_closest_cache cache = {0};
        int count = er_shape_manifold(&a.shape, a.pose, &b.shape, b.pose, 0.05, &cache, one);
        int mirrored = er_shape_manifold(&b.shape, b.pose, &a.shape, a.pose, 0.05, NULL, other);
        if (mirrored != count)
            fail_msg("trial %d, kinds %d and %d: %d touches, swapped %d", trial, a.shape.kind, b.shape.kind, count,
                     mirrored);
        assert_touches(&a, &b, count, one, 0.05);
        for (int i = 0; i < count; ++i) {
            bool found = false;
            er_manifold_point t = {
                {one[i].point[1], one[i].point[0]}, er_v3_scale(-1, one[i].normal), one[i].distance, 0};
            for (int k = 0; k < count; ++k)
                found |= same_touch(&t, &other[k], 1e-9);
            if (!found)
                fail_msg("trial %d, kinds %d and %d: a touch of %d is not mirrored", trial, a.shape.kind, b.shape.kind,
                         count);
        }
        for (int k = 0; k < 2; ++k) { // the same, to the bit, and whatever query came before
            assert_int_equal(er_shape_manifold(&a.shape, a.pose, &b.shape, b.pose, 0.05, k == 0 ? NULL : &cache, again),
                             count);
            for (int i = 0; i < count; ++i)
                assert_true(k == 0 ? memcmp(&again[i], &one[i], sizeof *one) == 0
                                   : same_touch(&again[i], &one[i], 1e-12));
        }
        solid_free(&a);
        solid_free(&b);
    }
}

static void far_away_touches_are_as_deep(void **state)
{
    dice d = {4};
    for (int trial = 0; trial < trials(500); ++trial) {
        solid a = roll_solid(&d, solids[trial % SOLIDS], 1), b = roll_solid(&d, solids[trial / SOLIDS % SOLIDS], 1);
        b.pose.p = er_v3_scale(2, roll_direction(&d));
        solid_bring(&a, &b, roll(&d, -1e-2, 1e-2));
        er_manifold_point near[ER_MANIFOLD_MAX], far[ER_MANIFOLD_MAX];
        er_closest c;
        er_shape_closest(&a.shape, a.pose, &b.shape, b.pose, NULL, &c);
        double margin = fmax(0.02, 2 * c.distance);
        er_vec3 away = er_v3_scale(1e6, roll_direction(&d));
        int count = er_shape_manifold(&a.shape, a.pose, &b.shape, b.pose, margin, NULL, near);
        a.pose.p = er_v3_add(a.pose.p, away);
        b.pose.p = er_v3_add(b.pose.p, away);
        assert_true(count > 0);
        assert_true(er_shape_manifold(&a.shape, a.pose, &b.shape, b.pose, margin, NULL, far) > 0);
        er_closest away_c;
        er_shape_closest(&a.shape, a.pose, &b.shape, b.pose, NULL, &away_c);
        assert_true(fabs(away_c.distance - c.distance) < 1e-9); // poses are rounded to 1e-10 m there
        assert_true(fabs(far[0].distance - near[0].distance) < 1e-4);
        solid_free(&a);
        solid_free(&b);
    }
}

// ---- At rest

/// Touches stay what they are while A trembles.
static void assert_calm(const char *name, const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b,
                        int wanted)
{
    dice d = {5};
    er_manifold_point first[ER_MANIFOLD_MAX], touch[ER_MANIFOLD_MAX];
    er_closest_cache cache = {0};
    int count = er_shape_manifold(a, pose_a, b, pose_b, 0.01, &cache, first);
    if (count != wanted) fail_msg("%s: %d touches", name, count);
    for (int step = 0; step < 300; ++step) {
        er_pose pose = {er_q_mul(er_q_exp(er_v3_scale(1e-6, roll_direction(&d))), pose_a.q),
                        er_v3_madd(pose_a.p, 1e-6, roll_direction(&d))};
        if (er_shape_manifold(a, pose, b, pose_b, 0.01, &cache, touch) != count) fail_msg("%s: others", name);
        for (int i = 0; i < count; ++i) {
            int found = -1;
            for (int k = 0; k < count; ++k)
                if (touch[k].feature == first[i].feature) found = k;
            if (found < 0) fail_msg("%s: feature %lx is gone at step %d", name, (unsigned long)first[i].feature, step);
            assert_true(same_touch(&touch[found], &first[i], 2e-5));
        }
    }
}

static void what_rests_keeps_its_features(void **state)
{
    dice d = {6};
    const er_shape crate = box(0.5, 0.4, 0.3), slab = box(5, 5, 1), can = cylinder(0.5, 1), pill = capsule(0.3, 1);
    er_hull *brick = box_hull(1, 0.8, 0.6);
    er_vec3 corner[12];
    for (int k = 0; k < 12; ++k) // a prism of six sides
        corner[k] =
            er_v3(0.5 * cos(ER_PI * (k / 2) / 3 + 0.1), 0.5 * sin(ER_PI * (k / 2) / 3 + 0.1), k % 2 ? 0.3 : -0.3);
    er_hull *nut = hull_of(12, corner);
    const er_shape hull = of_hull(brick), prism = of_hull(nut);
    for (int k = 0; k < 20; ++k) {
        double sink = k % 2 ? 1e-3 : -1e-3;
        er_quat turned = er_q_exp(er_v3(0, 0, k == 0 ? 0 : roll(&d, -3, 3)));
        er_vec3 place = k < 2 ? er_v3(0, 0, 0) : er_v3(roll(&d, -3, 3), roll(&d, -3, 3), 0);
        er_pose at = {turned, er_v3_add(place, er_v3(0, 0, 0.3 - sink))}, ground = er_pose_identity(),
                below = {er_q_identity(), {0, 0, -1}};
        assert_calm("a box on a plane", &crate, at, &plane, ground, 4);
        assert_calm("a box on a slab", &crate, at, &slab, below, 4);
        assert_calm("a hull on a plane", &hull, at, &plane, ground, 4);
        assert_calm("a hull on a slab", &hull, at, &slab, below, 4);
        assert_calm("a prism on a plane", &prism, at, &plane, ground, 4);
        assert_calm("a prism on a slab", &prism, at, &slab, below, 4);
        er_pose high = {turned, er_v3_add(place, er_v3(0, 0, 0.5 - sink))};
        assert_calm("a cylinder on a plane", &can, high, &plane, ground, 4);
        assert_calm("a cylinder on a slab", &can, high, &slab, below, 4);
        er_pose flat = {er_q_mul(turned, lying), er_v3_add(place, er_v3(0, 0, 0.5 - sink))};
        assert_calm("a cylinder lying on a plane", &can, flat, &plane, ground, 2);
        assert_calm("a cylinder lying on a slab", &can, flat, &slab, below, 2);
        flat.p.z -= 0.2;
        assert_calm("a capsule on a plane", &pill, flat, &plane, ground, 2);
        assert_calm("a capsule on a slab", &pill, flat, &slab, below, 2);
        er_pose upper = {er_q_identity(), er_v3(0, 0, 0.6 - sink)};
        assert_calm("a box on its like", &crate, upper, &crate, ground, 4);
        assert_calm("a hull on its like", &hull, upper, &hull, ground, 4);
        upper.p.x = 0.1 * (k % 4);
        assert_calm("a box on its like, aside", &crate, upper, &crate, ground, 4);
    }
    er_hull_destroy(brick);
    er_hull_destroy(nut);
}

// ---- Shapes that are hardly any

static void nothing_is_not_a_number(void **state)
{
    dice d = {8};
    er_vec3 flat[8], needle[8];
    box_points(er_v3(0, 0, 0), 1, 1, 1e-9, flat);
    box_points(er_v3(0, 0, 0), 1, 1e-9, 1e-9, needle);
    er_hull *plate = hull_of(8, flat), *pin = hull_of(8, needle);
    const er_shape shapes[] = {sphere(1),
                               sphere(1e-12),
                               capsule(1, 0),
                               capsule(1e-9, 2),
                               capsule(0.5, 1),
                               cylinder(1, 1),
                               cylinder(1, 1e-9),
                               cylinder(1e-9, 1),
                               box(1, 1, 1),
                               box(1e-12, 1, 1),
                               box(1e3, 1e-9, 1e-9),
                               of_hull(plate),
                               of_hull(pin),
                               plane};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    for (int i = 0; i < SHAPES; ++i)
        for (int j = 0; j < SHAPES; ++j)
            for (int k = 0; k < 24; ++k) {
                er_pose pa = er_pose_identity(), pb = er_pose_identity();
                if (k % 4 == 1) pb.q = lying;
                if (k % 4 >= 2) pb.q = roll_rotation(&d);
                if (k % 4 == 3) pa.q = roll_rotation(&d);
                if (k % 3 == 1) pb.p = er_v3_scale(pow(10, roll(&d, -300, 2)), roll_direction(&d));
                if (k % 3 == 2) pb.p = er_v3(0, 0, roll_int(&d, -2, 2));
                if (k >= 12) pa.p = er_v3(1e6, -1e6, 1e6), pb.p = er_v3_add(pa.p, pb.p);
                er_manifold_point touch[ER_MANIFOLD_MAX];
                int count = er_shape_manifold(&shapes[i], pa, &shapes[j], pb, HUGE_VAL, NULL, touch);
                bool still = shapes[i].kind == ER_SHAPE_PLANE && shapes[j].kind == ER_SHAPE_PLANE;
                if (still ? count != 0 : count < 1 || count > 4)
                    fail_msg("shapes %d and %d, %d: %d touches", i, j, k, count);
                for (int t = 0; t < count; ++t)
                    if (!er_v3_finite(touch[t].point[0]) || !er_v3_finite(touch[t].point[1]) ||
                        !isfinite(touch[t].distance) || !(fabs(er_v3_norm(touch[t].normal) - 1) < 1e-12))
                        fail_msg("shapes %d and %d, %d: not finite", i, j, k);
                if (still) continue;
                er_closest c;
                er_shape_closest(&shapes[i], pa, &shapes[j], pb, NULL, &c);
                assert_true(er_v3_finite(c.point[0]) && er_v3_finite(c.point[1]) && isfinite(c.distance));
                if (!(fabs(er_v3_norm(c.normal) - 1) < 1e-12))
                    fail_msg("shapes %d and %d, %d: the normal is %.17g long", i, j, k, er_v3_norm(c.normal));
            }
    er_hull_destroy(plate);
    er_hull_destroy(pin);
}

static void poses_that_are_none_end(void **state)
{
    dice d = {9};
    const er_pose none[] = {{{NAN, 0, 0, 0}, {0, 0, 0}},   {{1, 0, 0, 0}, {NAN, 0, 0}},
                            {{0, 0, 0, 0}, {0, 0, 0}},     {{1, 0, 0, 0}, {0, INFINITY, 0}},
                            {{1e200, 0, 0, 0}, {1, 0, 0}}, {{1, 0, 0, 0}, {1e300, 0, 0}}};
    const double heights[4] = {0, 1, 0, 0};
    er_surface *surface;
    assert_int_equal(er_surface_create_heights(context, 2, 2, 1, 1, heights, &surface), ER_OK);
    for (int i = 0; i < SOLIDS; ++i)
        for (int j = 0; j < SOLIDS + 2; ++j)
            for (size_t k = 0; k < sizeof none / sizeof *none; ++k) {
                solid a = roll_solid(&d, solids[i], 1), b = {.shape = {.kind = ER_SHAPE_PLANE}};
                if (j < SOLIDS) b = roll_solid(&d, solids[j], 1);
                if (j > SOLIDS) b.shape = (er_shape){.kind = ER_SHAPE_MESH, .surface = surface};
                er_manifold_point touch[ER_MANIFOLD_MAX];
                er_closest c;
                assert_in_range(er_shape_manifold(&a.shape, a.pose, &b.shape, none[k], 0.1, NULL, touch), 0,
                                ER_MANIFOLD_MAX);
                assert_in_range(er_shape_manifold(&b.shape, none[k], &a.shape, a.pose, 0.1, NULL, touch), 0,
                                ER_MANIFOLD_MAX);
                er_shape_closest(&a.shape, a.pose, &b.shape, none[k], NULL, &c);
                double at;
                er_vec3 n;
                er_shape_ray(&b.shape, none[k], er_v3(1, 2, 3), er_v3(0, 0, -1), 9, &at, &n);
                solid_free(&a);
                solid_free(&b);
            }
    er_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_by_chance_touch_planes_with_their_lowest_points),
        cmocka_unit_test(many_corners_leave_four),
        cmocka_unit_test(swapping_mirrors_the_features),
        cmocka_unit_test(closest_points_are_as_exact),
        cmocka_unit_test(pairs_have_their_closed_forms),
        cmocka_unit_test(swapping_mirrors_the_touches),
        cmocka_unit_test(far_away_touches_are_as_deep),
        cmocka_unit_test(what_rests_keeps_its_features),
        cmocka_unit_test(nothing_is_not_a_number),
        cmocka_unit_test(poses_that_are_none_end),
        cmocka_unit_test(solids_by_chance_touch_where_the_judge_says),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
