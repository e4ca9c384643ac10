// Triangles of shapes, judged by what they enclose, and by where they lie and look.
#include <math.h>

#include <eigenrig/collide.h>

#include "support/context.h"

static er_vec3 corner_of(const er_triangles *t, int triangle, int k, const float *of)
{
    const float *at = of + 3 * t->index[3 * triangle + k];
    return er_v3((double)at[0], (double)at[1], (double)at[2]);
}

/// Sums over all triangles.
typedef struct sums {
    double volume, area;
    er_vec3 low, high;
    double least; ///< of the cosines between a triangle's way out and its corners' normals
} sums;

static sums add_up(const er_triangles *t)
{
    sums s = {.low = {1e9, 1e9, 1e9}, .high = {-1e9, -1e9, -1e9}, .least = 1.0};
    assert_true(t->vertex_count >= 3 && t->triangle_count >= 1);
    for (int i = 0; i < 3 * t->triangle_count; ++i)
        assert_in_range(t->index[i], 0, t->vertex_count - 1);
    for (int i = 0; i < t->triangle_count; ++i) {
        er_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = corner_of(t, i, k, t->position);
            s.low = er_v3(fmin(s.low.x, p[k].x), fmin(s.low.y, p[k].y), fmin(s.low.z, p[k].z));
            s.high = er_v3(fmax(s.high.x, p[k].x), fmax(s.high.y, p[k].y), fmax(s.high.z, p[k].z));
        }
        er_vec3 out = er_v3_cross(er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[0]));
        s.volume += er_v3_dot(p[0], er_v3_cross(p[1], p[2])) / 6.0;
        s.area += 0.5 * er_v3_norm(out);
        if (er_v3_norm(out) < 1e-9) continue; // at a pole
        for (int k = 0; k < 3; ++k) {
            er_vec3 n = corner_of(t, i, k, t->normal);
            assert_true(fabs(er_v3_norm(n) - 1.0) < 1e-6);
            s.least = fmin(s.least, er_v3_dot(n, out) / er_v3_norm(out));
        }
    }
    return s;
}

static sums made(const er_shape *shape, double face, er_triangles **t)
{
    assert_int_equal(er_shape_triangulate(context, shape, face, t), ER_OK);
    return add_up(*t);
}

static void expect_box(const sums *s, double x, double y, double z)
{
    assert_true(er_v3_distance(s->low, er_v3(-x, -y, -z)) < 1e-6 && er_v3_distance(s->high, er_v3(x, y, z)) < 1e-6);
}

// Chords of 32 to a turn and 16 to a half: some percent less than what is round, and never more.
static void what_is_round_is_nearly_so(void **state)
{
    er_triangles *t;
    const double r = 0.5, l = 2.0, ball = 4.0 / 3.0 * ER_PI * r * r * r, rod = ER_PI * r * r * l;
    sums s = made(&(er_shape){.kind = ER_SHAPE_SPHERE, .radius = r, .length = 7.0}, 1.0, &t);
    assert_true(s.volume < ball && s.volume > 0.98 * ball && s.least > 0.97);
    expect_box(&s, r, r, r);
    for (int i = 0; i < t->vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            assert_true(fabs((double)(t->position[3 * i + k] - 0.5f * t->normal[3 * i + k])) < 1e-6);
    er_triangles_destroy(t);
    s = made(&(er_shape){.kind = ER_SHAPE_CAPSULE, .radius = r, .length = l}, 1.0, &t);
    assert_true(s.volume < ball + rod && s.volume > 0.98 * (ball + rod) && s.least > 0.97);
    expect_box(&s, r, r, 0.5 * l + r);
    er_triangles_destroy(t);
    s = made(&(er_shape){.kind = ER_SHAPE_CYLINDER, .radius = r, .length = l}, 1.0, &t);
    double polygon = 16.0 * sin(ER_PI / 16.0) / ER_PI; // of 32 corners, of a disc
    assert_true(fabs(s.volume - polygon * rod) < 1e-5 && s.least > 0.99);
    expect_box(&s, r, r, 0.5 * l);
    er_triangles_destroy(t);
}

static void what_has_faces_has_them_exactly(void **state)
{
    er_triangles *t;
    sums s = made(&(er_shape){.kind = ER_SHAPE_BOX, .half = {0.5, 1, 1.5}}, 1.0, &t);
    assert_true(fabs(s.volume - 6.0) < 1e-6 && fabs(s.area - 22.0) < 1e-5 && s.least > 1.0 - 1e-6);
    assert_true(t->vertex_count == 24 && t->triangle_count == 12);
    expect_box(&s, 0.5, 1, 1.5);
    er_triangles_destroy(t);
    s = made(&(er_shape){.kind = ER_SHAPE_PLANE}, 3.0, &t);
    assert_true(fabs(s.area - 36.0) < 1e-5 && s.least > 1.0 - 1e-6 && t->triangle_count == 2 && t->normal[2] == 1.0f);
    expect_box(&s, 3, 3, 0);
    er_triangles_destroy(t);
    const er_vec3 point[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}, {1, 0.5, 3}};
    er_hull *hull = NULL;
    assert_int_equal(er_hull_create(context, 5, point, &hull), ER_OK);
    s = made(&(er_shape){.kind = ER_SHAPE_HULL, .hull = hull}, 1.0, &t);
    assert_true(fabs(s.volume - 2.0) < 1e-5 && s.least > 1.0 - 1e-5); // a pyramid on two square metres
    assert_true(er_v3_distance(s.low, point[0]) < 1e-6 && er_v3_distance(s.high, er_v3(2, 1, 3)) < 1e-6);
    er_triangles_destroy(t);
    er_hull_destroy(hull);
}

static void a_surface_keeps_its_triangles(void **state)
{
    er_triangles *t;
    const er_vec3 point[] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 3}};
    const int index[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    er_surface *surface = NULL;
    assert_int_equal(er_surface_create(context, 4, point, 4, index, &surface), ER_OK);
    sums s = made(&(er_shape){.kind = ER_SHAPE_MESH, .surface = surface}, 1.0, &t);
    assert_true(fabs(s.volume - 1.0) < 1e-6 && s.least > 1.0 - 1e-6);
    assert_true(t->triangle_count == 4 && t->vertex_count == 12);
    er_triangles_destroy(t);
    er_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_round_is_nearly_so),
        cmocka_unit_test(what_has_faces_has_them_exactly),
        cmocka_unit_test(a_surface_keeps_its_triangles),
    };
    return cmocka_run_group_tests_name("triangles", tests, set_up, tear_down);
}
