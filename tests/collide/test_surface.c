/// @file
/// Surfaces of triangles: a flat one is a plane, a closed one the hull it encloses; edges between flat triangles push
/// nothing aside; rays; what is refused.
#include <string.h>

#include "collide/solids.h"
#include "support/context.h"
#include "support/ledger.h"

enum { SIDE = 24, POINTS = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static const er_shape_kind kinds[] = {ER_SHAPE_SPHERE, ER_SHAPE_CAPSULE, ER_SHAPE_BOX, ER_SHAPE_CYLINDER,
                                      ER_SHAPE_HULL};
enum { KINDS_HERE = sizeof kinds / sizeof *kinds };

/// A grid of triangles around the origin, its inner points moved along it by chance; `height` of x and y.
static er_surface *sheet(dice *d, double cell, double (*height)(double, double))
{
    er_vec3 point[POINTS];
    int index[3 * TRIANGLES], used = 0;
    for (int v = 0; v < POINTS; ++v) {
        int i = v % SIDE, j = v / SIDE;
        double x = cell * (i - SIDE / 2 + roll(d, -0.3, 0.3)), y = cell * (j - SIDE / 2 + roll(d, -0.3, 0.3));
        point[v] = er_v3(x, y, height == NULL ? 0 : height(x, y));
        if (i == 0 || j == 0) continue;
        int cell_of[6] = {v - SIDE - 1, v - SIDE, v, v - SIDE - 1, v, v - 1};
        if (roll(d, 0, 1) < 0.5) // wound the other way
            for (int k = 0; k < 6; k += 3) {
                int t = cell_of[k];
                cell_of[k] = cell_of[k + 1];
                cell_of[k + 1] = t;
            }
        memcpy(index + used, cell_of, sizeof cell_of);
        used += 6;
    }
    er_surface *surface;
    if (er_surface_create(context, POINTS, point, used / 3, index, &surface) != ER_OK)
        fail_msg("%s", er_context_error(context));
    return surface;
}

static double deepest(int count, const er_manifold_point *touch)
{
    double least = HUGE_VAL;
    for (int k = 0; k < count; ++k)
        least = fmin(least, touch[k].distance);
    return least;
}

static void a_flat_surface_is_a_plane(void **state)
{
    dice d = {1};
    for (int trial = 0; trial < trials(400); ++trial) {
        er_surface *surface = sheet(&d, pow(10, roll(&d, -1.2, 0.5)), NULL);
        er_shape mesh = {.kind = ER_SHAPE_MESH, .surface = surface}, plane = {.kind = ER_SHAPE_PLANE};
        solid s = roll_solid(&d, kinds[trial % KINDS_HERE], 0.5);
        er_pose ground = {roll_rotation(&d), roll_in_box(&d, 10)};
        er_vec3 up = er_q_rotate(ground.q, er_v3(0, 0, 1));
        if (trial % 2 == 0) s.pose.q = er_q_mul(ground.q, er_q_exp(er_v3(0, 0, roll(&d, 0, 7)))); // it stands
        double lift = solid_reach(&s, er_v3_scale(-1, up)) + roll(&d, -1, 1) * pow(10, roll(&d, -9, -1.5));
        s.pose.p = er_v3_madd(ground.p, lift, up);
        er_manifold_point on_mesh[ER_MANIFOLD_MAX], on_plane[ER_MANIFOLD_MAX];
        int count = er_shape_manifold(&s.shape, s.pose, &mesh, ground, 0.05, NULL, on_mesh);
        int wanted = er_shape_manifold(&s.shape, s.pose, &plane, ground, 0.05, NULL, on_plane);
        double off = deepest(count, on_mesh) - deepest(wanted, on_plane);
        if (!(fabs(off) <= 1e-5))
            fail_msg("trial %d, kind %d: %d touches, the deepest %g off that of %d", trial, s.shape.kind, count, off,
                     wanted);
        for (int k = 0; k < count; ++k) {
            assert_true(er_v3_distance(on_mesh[k].normal, er_v3_scale(-1, up)) < 1e-12);
            assert_true(fabs(er_v3_dot(up, er_v3_sub(on_mesh[k].point[1], ground.p))) < 1e-12);
            for (int i = 0; i < k; ++i)
                assert_true(on_mesh[k].feature != on_mesh[i].feature);
        }
        assert_in_range(count, 1, 4);
        solid_free(&s);
        er_surface_destroy(surface);
    }
}

/// Two slopes that meet along y at the height 0.
static double roof(double x, double y)
{
    (void)y;
    return -0.5 * fabs(x);
}

static double valley(double x, double y)
{
    return -roof(x, y);
}

/// A grid of points in rows along y, some of them on the ridge.
static er_surface *folded(double (*height)(double, double))
{
    double z[9 * 5];
    for (int k = 0; k < 45; ++k)
        z[k] = height(0.5 * (k % 9 - 4), 0);
    er_surface *surface;
    assert_int_equal(er_surface_create_heights(context, 9, 5, 0.5, 1, z, &surface), ER_OK);
    return surface;
}

static void solids_meet_ridges_and_valleys_where_they_are(void **state)
{
    er_surface *up = folded(roof), *down = folded(valley);
    er_shape ridge = {.kind = ER_SHAPE_MESH, .surface = up}, trough = {.kind = ER_SHAPE_MESH, .surface = down};
    er_shape ball = {.kind = ER_SHAPE_SPHERE, .radius = 0.4}, box = {.kind = ER_SHAPE_BOX, .half = {0.3, 0.3, 0.3}};
    er_pose ground = {er_q_identity(), {-2, 0, 0}};
    er_manifold_point touch[ER_MANIFOLD_MAX];
    // A box overlaps the ridge by 1 mm: straight up, two points or more, along the ridge.
    int count = er_shape_manifold(&box, (er_pose){er_q_identity(), {0, 2.1, 0.299}}, &ridge, ground, 1e-4, NULL, touch);
    assert_in_range(count, 2, 4);
    for (int k = 0; k < count; ++k)
        assert_true(er_v3_distance(touch[k].normal, er_v3(0, 0, -1)) < 1e-9);
    assert_true(fabs(deepest(count, touch) + 1e-3) < 1e-12);
    // A ball over the ridge has one touch, straight up; in the trough one on each slope.
    count = er_shape_manifold(&ball, (er_pose){er_q_identity(), {0, 1.7, 0.401}}, &ridge, ground, 0.01, NULL, touch);
    assert_int_equal(count, 1);
    assert_true(fabs(touch[0].distance - 1e-3) < 1e-12 && er_v3_distance(touch[0].normal, er_v3(0, 0, -1)) < 1e-9);
    double rest = 0.4 * sqrt(1.25); // of a ball that touches both slopes
    count = er_shape_manifold(&ball, (er_pose){er_q_identity(), {0, 1.7, rest}}, &trough, ground, 0.01, NULL, touch);
    assert_int_equal(count, 2);
    for (int k = 0; k < 2; ++k)
        assert_true(fabs(touch[k].distance) < 1e-12 && fabs(fabs(touch[k].normal.x) - 1 / sqrt(5)) < 1e-12);
    er_surface_destroy(up);
    er_surface_destroy(down);
}

/// A ball beside a triangle touches its edge, whatever other triangle is far away, and whichever comes first.
static void a_border_is_met_by_its_edge(void **state)
{
    dice d = {23};
    for (int trial = 0; trial < trials(200); ++trial) {
        er_vec3 point[6] = {{-1, -3, 0}, {2, 0, 0}, {-1, 3, 0}}, far = er_v3(0, 0, 50);
        for (int k = 3; k < 6; ++k)
            point[k] = er_v3_add(far, roll_in_box(&d, 2));
        int index[6];
        for (int k = 0; k < 6; ++k)
            index[(k + 3 * (trial % 2)) % 6] = k / 3 * 3 + (k + trial / 2) % 3;
        er_surface *surface;
        assert_int_equal(er_surface_create(context, 6, point, 2, index, &surface), ER_OK);
        er_shape mesh = {.kind = ER_SHAPE_MESH, .surface = surface}, ball = {.kind = ER_SHAPE_SPHERE, .radius = 0.4};
        double angle = roll(&d, -1.4, 1.4),
               away = roll(&d, 0.395, 0.405); // from straight aside, about the edge along y
        er_vec3 edge = er_v3(-1, roll(&d, -1, 1), 0), out = er_v3(-cos(angle), 0, sin(angle));
        er_manifold_point touch[ER_MANIFOLD_MAX];
        int count = er_shape_manifold(&ball, (er_pose){er_q_identity(), er_v3_madd(edge, away, out)}, &mesh,
                                      er_pose_identity(), 0.01, NULL, touch);
        assert_int_equal(count, 1);
        assert_true(fabs(touch[0].distance - (away - 0.4)) < 1e-12);
        assert_true(er_v3_distance(touch[0].normal, er_v3_scale(-1, out)) < 1e-9);
        assert_true(er_v3_distance(touch[0].point[1], edge) < 1e-9);
        er_surface_destroy(surface);
    }
}

static void nothing_catches_on_edges_of_flat_triangles(void **state)
{
    dice d = {5};
    er_surface *surface = sheet(&d, 0.3, NULL);
    er_shape mesh = {.kind = ER_SHAPE_MESH, .surface = surface};
    for (int k = 0; k < KINDS_HERE; ++k) {
        solid s = roll_solid(&d, kinds[k], 0.4);
        double depth = solid_reach(&s, er_v3(0, 0, -1)) - 1e-3;
        for (int step = 0; step < 500; ++step) { // it slides across
            s.pose.p = er_v3(-2.5 + 0.01 * step, -1.3 + 0.005 * step, depth);
            er_manifold_point touch[ER_MANIFOLD_MAX];
            int count = er_shape_manifold(&s.shape, s.pose, &mesh, er_pose_identity(), 5e-3, NULL, touch);
            assert_true(count > 0);
            assert_true(fabs(deepest(count, touch) + 1e-3) < 1e-5);
            for (int i = 0; i < count; ++i)
                if (!(touch[i].normal.z < -1 + 1e-12))
                    fail_msg("kind %d, step %d: a normal (%g, %g, %g)", kinds[k], step, touch[i].normal.x,
                             touch[i].normal.y, touch[i].normal.z);
        }
        solid_free(&s);
    }
    er_surface_destroy(surface);
}

/// The surface of a hull, by fans of its faces.
static er_surface *surface_of(const er_hull *hull)
{
    int index[6 * MOST_POINTS], used = 0;
    for (int f = 0; f < hull->face_count; ++f)
        for (int c = hull->face_start[f] + 1; c + 1 < hull->face_start[f + 1]; ++c) {
            const int fan[3] = {hull->face_vertex[hull->face_start[f]], hull->face_vertex[c], hull->face_vertex[c + 1]};
            memcpy(index + used, fan, sizeof fan);
            used += 3;
        }
    er_surface *surface;
    assert_int_equal(er_surface_create(context, hull->vertex_count, hull->vertex, used / 3, index, &surface), ER_OK);
    return surface;
}

static void touches_as_its_hull_does(uint64_t seed)
{
    dice d = {seed};
    for (int trial = 0; trial < trials(600); ++trial) {
        solid a = roll_solid(&d, kinds[trial % KINDS_HERE], 0.5), b = roll_solid(&d, ER_SHAPE_HULL, 1);
        er_surface *surface = surface_of(b.shape.hull);
        er_shape mesh = {.kind = ER_SHAPE_MESH, .surface = surface};
        b.pose.p = er_v3_scale(2, roll_direction(&d));
        solid_bring(&a, &b, pow(10, roll(&d, -8, -1)));
        er_closest of_mesh, of_hull;
        er_shape_closest(&a.shape, a.pose, &mesh, b.pose, NULL, &of_mesh);
        er_shape_closest(&a.shape, a.pose, &b.shape, b.pose, NULL, &of_hull);
        assert_true(fabs(of_mesh.distance - of_hull.distance) < 1e-14);
        er_manifold_point touch[ER_MANIFOLD_MAX];
        int count = er_shape_manifold(&a.shape, a.pose, &mesh, b.pose, 0.2, NULL, touch);
        if (!(count > 0 && fabs(deepest(count, touch) - of_hull.distance) < 2e-5))
            fail_msg("dice %d, trial %d, kind %d: %d touches, %g apart, said %g", (int)seed, trial, a.shape.kind, count,
                     of_hull.distance, deepest(count, touch));
        er_surface_destroy(surface);
        solid_free(&a);
        solid_free(&b);
    }
}

static void a_closed_surface_touches_as_its_hull_does(void **state)
{
    const uint64_t seed[] = {7, 11, 23, 46};
    for (int k = 0; k < 4; ++k)
        touches_as_its_hull_does(seed[k]);
}

static void rays_meet_surfaces_where_they_meet_hulls(void **state)
{
    dice d = {9};
    int hits = 0;
    for (int trial = 0; trial < trials(300); ++trial) {
        solid b = roll_solid(&d, ER_SHAPE_HULL, 1);
        er_surface *surface = surface_of(b.shape.hull);
        er_shape mesh = {.kind = ER_SHAPE_MESH, .surface = surface};
        b.pose.p = roll_in_box(&d, 3);
        for (int k = 0; k < 20; ++k) {
            er_vec3 from = er_v3_madd(b.pose.p, 3, roll_direction(&d)), n, m;
            er_vec3 way = er_v3_unit(er_v3_sub(er_v3_add(b.pose.p, roll_in_box(&d, 0.7)), from), from);
            double at, other, most = k % 4 == 0 ? 2.6 : HUGE_VAL;
            bool hit = er_shape_ray(&mesh, b.pose, from, way, most, &at, &n);
            assert_int_equal(hit, er_shape_ray(&b.shape, b.pose, from, way, most, &other, &m));
            hits += hit;
            if (hit) assert_true(fabs(at - other) < 1e-12 && er_v3_distance(n, m) < 1e-9);
        }
        er_surface_destroy(surface);
        solid_free(&b);
    }
    assert_true(hits > trials(2000));
}

static void heights_lie_where_they_are_given(void **state)
{
    double z[12];
    for (int k = 0; k < 12; ++k)
        z[k] = 0.1 * (k % 4) + 0.3 * (k / 4);
    er_surface *surface;
    assert_int_equal(er_surface_create_heights(context, 4, 3, 2, 3, z, &surface), ER_OK);
    er_shape mesh = {.kind = ER_SHAPE_MESH, .surface = surface};
    er_vec3 low, high, n;
    er_shape_box(&mesh, (er_pose){er_q_identity(), {1, 1, 1}}, &low, &high);
    assert_true(er_v3_distance(low, er_v3(1, 1, 1)) < 1e-15 && er_v3_distance(high, er_v3(7, 7, 1.9)) < 1e-12);
    for (int k = 0; k < 12; ++k) { // a plane: 0.05 x + 0.1 y
        double at, x = 0.4 * k + 0.1, y = 0.5 * k;
        assert_true(er_shape_ray(&mesh, er_pose_identity(), er_v3(x, y, 10), er_v3(0, 0, -1), 20, &at, &n));
        assert_true(fabs(10 - at - 0.05 * x - 0.1 * y) < 1e-14);
        assert_true(n.z > 0.9);
    }
    er_surface_destroy(surface);
}

static void a_surface_tells_its_triangles(void **state)
{
    const er_vec3 p[5] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}};
    const int given[9] = {0, 1, 2, 0, 1, 4, 0, 2, 3}; // the second has no area
    const er_vec3 *vertex = NULL;
    er_surface *surface;
    int index[9], seen = 0;
    assert_int_equal(er_surface_create(context, 5, p, 3, given, &surface), ER_OK);
    assert_int_equal(er_surface_triangles(surface, &vertex, NULL), 2);
    assert_memory_equal(vertex, p, sizeof p);
    assert_int_equal(er_surface_triangles(surface, &vertex, index), 2);
    for (int t = 0; t < 2; ++t)
        for (int k = 0; k < 3; ++k) {
            const int turned[3] = {index[3 * t + k], index[3 * t + (k + 1) % 3], index[3 * t + (k + 2) % 3]};
            seen |= memcmp(turned, given, sizeof turned) == 0 ? 1 : 0;
            seen |= memcmp(turned, given + 6, sizeof turned) == 0 ? 2 : 0;
        }
    assert_int_equal(seen, 3);
    er_surface_destroy(surface);
}

static void surfaces_that_are_none_are_refused(void **state)
{
    const er_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}}, wild[3] = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}};
    const int good[3] = {0, 1, 2}, beyond[3] = {0, 1, 3}, line[3] = {0, 1, 3}, z_bad = 0;
    const double height[4] = {0, 0, INFINITY, 0};
    er_surface *s = (er_surface *)&z_bad;
    assert_int_equal(er_surface_create(context, 2, p, 1, good, &s), ER_ERROR_ARGUMENT);
    assert_null(s);
    assert_int_equal(er_surface_create(context, 3, p, 0, good, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create(context, 3, NULL, 1, good, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create(context, 3, p, 1, NULL, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create(context, 3, p, 100000001, good, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create(context, 3, p, 1, good, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create(NULL, 3, p, 1, good, &s), ER_ERROR_ARGUMENT);
    for (int axis = 0; axis < 3; ++axis) {
        er_vec3 far[3] = {p[0], p[1], p[2]};
        *(axis == 0 ? &far[2].x : axis == 1 ? &far[2].y : &far[2].z) = axis == 1 ? -2e50 : 2e50;
        assert_int_equal(er_surface_create(context, 3, far, 1, good, &s), ER_ERROR_ARGUMENT);
    }
    assert_refusal(context, er_surface_create(context, 3, wild, 1, good, &s), ER_ERROR_ARGUMENT, "point 1");
    assert_refusal(context, er_surface_create(context, 3, p, 1, beyond, &s), ER_ERROR_ARGUMENT, "vertex 3");
    assert_int_equal(er_surface_create(context, 4, p, 1, line, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create_heights(context, 1, 2, 1, 1, height, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create_heights(context, 2, 1, 1, 1, height, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create_heights(context, 50000, 1001, 1, 1, height, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create_heights(context, 2, 2, 1, 1, height, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create_heights(NULL, 2, 2, 1, 1, height, &s), ER_ERROR_ARGUMENT);
    const double cells[3] = {0, INFINITY, NAN}, flat[4] = {0};
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(er_surface_create_heights(context, 2, 2, cells[k], 1, flat, &s), ER_ERROR_ARGUMENT);
        assert_int_equal(er_surface_create_heights(context, 2, 2, 1, cells[k], flat, &s), ER_ERROR_ARGUMENT);
    }
    assert_int_equal(er_surface_create_heights(context, 2, 2, 1, 1, height, &s), ER_ERROR_ARGUMENT);
    assert_int_equal(er_surface_create_heights(context, 2, 2, 1, 1, NULL, &s), ER_ERROR_ARGUMENT);
    assert_null(s);
    er_surface_destroy(NULL);
}

static void memory_that_ends_is_told(void **state)
{
    const double height[9] = {0, 1, 0, 0, 2, 0, 1, 0, 0};
    for (long left = 0;; ++left) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_surface *surface;
        l.left = left;
        er_result r = er_surface_create_heights(own, 3, 3, 1, 1, height, &surface);
        l.left = LEDGER_ALL;
        assert_true(r == ER_OK || (r == ER_ERROR_MEMORY && surface == NULL));
        er_surface_destroy(surface);
        ledger_end(&l, own);
        if (r == ER_OK) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_surface_is_a_plane),
        cmocka_unit_test(solids_meet_ridges_and_valleys_where_they_are),
        cmocka_unit_test(a_border_is_met_by_its_edge),
        cmocka_unit_test(nothing_catches_on_edges_of_flat_triangles),
        cmocka_unit_test(a_closed_surface_touches_as_its_hull_does),
        cmocka_unit_test(rays_meet_surfaces_where_they_meet_hulls),
        cmocka_unit_test(heights_lie_where_they_are_given),
        cmocka_unit_test(a_surface_tells_its_triangles),
        cmocka_unit_test(surfaces_that_are_none_are_refused),
        cmocka_unit_test(memory_that_ends_is_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
