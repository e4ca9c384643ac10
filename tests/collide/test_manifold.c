/// @file
/// Faces before each other on a screen, by hand: the corners of what both cover, where their heights are there, what is
/// named by which corner or edge; and the four of many points that matter.
#include <math.h>
#include <string.h>

#include "collide/shape/contact_patch.h"
#include "support/context.h"

static const eri_projection flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// The height of a face over a place.
typedef struct slant {
    double top, x, y;
} slant;

static double height_of(slant s, double x, double y)
{
    return s.top + s.x * x + s.y * y;
}

/// Corners counter-clockwise, numbered from `name` on, edges from 10 `name` on.
static eri_outline outline_of(int count, const double (*corner)[2], slant s, int name)
{
    eri_outline outline;
    eri_outline_begin(&outline);
    for (int k = 0; k < count; ++k) {
        double x = corner[k][0], y = corner[k][1];
        eri_outline_add(&outline, &flat, er_v3(x, y, height_of(s, x, y)), name + k, 10 * name + k);
    }
    if (count > 2) eri_outline_slope(&outline, &flat, er_v3(-s.x, -s.y, 1));
    return outline;
}

typedef struct expected {
    double x, y;
    eri_feature_kinds meet;
    int a, b;
} expected;

/// Expects these points in any order: heights, distance and names.
static void assert_meets(const char *name, const eri_outline *a, slant sa, const eri_outline *b, slant sb, double most,
                         int count, const expected *want)
{
    eri_patch patch = {.count = 0};
    eri_outlines_overlap(&flat, a, b, most, &patch);
    if (patch.count != count) fail_msg("%s: %d points", name, patch.count);
    for (int i = 0; i < count; ++i) {
        const expected *e = &want[i];
        const er_vec3 at[2] = {{e->x, e->y, height_of(sa, e->x, e->y)}, {e->x, e->y, height_of(sb, e->x, e->y)}};
        bool found = false;
        for (int k = 0; k < count; ++k) {
            const eri_patch_point *s = &patch.point[k];
            found |= er_v3_distance(s->at[0], at[0]) < 1e-12 && er_v3_distance(s->at[1], at[1]) < 1e-12 &&
                     fabs(s->distance - (at[1].z - at[0].z)) < 1e-12 &&
                     s->feature == eri_feature_id(e->meet, e->a, e->b);
        }
        if (!found) fail_msg("%s: no point at (%g, %g) of %d and %d", name, e->x, e->y, e->a, e->b);
    }
}

static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const double aside[4][2] = {{0, 0.5}, {2, 0.5}, {2, 2.5}, {0, 2.5}};

static void faces_share_the_corners_of_what_both_cover(void **state)
{
    const slant low = {0.1, 0.05, -0.02}, high = {0.5, -0.1, 0.2};
    eri_outline a = outline_of(4, square, low, 1), b = outline_of(4, aside, high, 5);
    const expected shared[] = {{1, 1, ERI_FEATURES_VERTEX_A, 3, 0},
                               {0, 0.5, ERI_FEATURES_VERTEX_B, 0, 5},
                               {1, 0.5, ERI_FEATURES_EDGES, 11, 50},
                               {0, 1, ERI_FEATURES_EDGES, 12, 53}};
    assert_meets("squares", &a, low, &b, high, HUGE_VAL, 4, shared);
    // (1, 1): 0.6 - 0.13, (0, 0.5): 0.6 - 0.09, (1, 0.5): 0.5 - 0.14, (0, 1): 0.7 - 0.08
    assert_meets("squares half a meter apart", &a, low, &b, high, 0.5, 2, (const expected[]){shared[0], shared[2]});
    assert_meets("squares in each other", &b, high, &a, low, 0.0, 4,
                 (const expected[]){{1, 1, ERI_FEATURES_VERTEX_B, 0, 3},
                                    {0, 0.5, ERI_FEATURES_VERTEX_A, 5, 0},
                                    {1, 0.5, ERI_FEATURES_EDGES, 50, 11},
                                    {0, 1, ERI_FEATURES_EDGES, 53, 12}});
}

static void outlines_that_fall_together_give_a_corner_once(void **state)
{
    const slant low = {0, 0, 0}, high = {0.25, 0, 0};
    const double slack = 2.0 * sqrt(2.0) * ERI_SLACK; // a square's size is its diagonal
    for (int k = 0; k < 3; ++k) {
        double wider[4][2], off = k == 0 ? 0.0 : k == 1 ? 0.5 * slack : -0.5 * slack;
        for (int i = 0; i < 4; ++i)
            for (int d = 0; d < 2; ++d)
                wider[i][d] = square[i][d] + copysign(off, square[i][d]);
        eri_outline a = outline_of(4, (const double(*)[2])wider, low, 1), b = outline_of(4, square, high, 5);
        expected corners[4];
        for (int i = 0; i < 4; ++i)
            corners[i] = (expected){wider[i][0], wider[i][1], ERI_FEATURES_VERTEX_A, 1 + i, 0};
        assert_meets("a square on its like", &a, low, &b, high, HUGE_VAL, 4, corners);
    }
    double wider[4][2];
    for (int i = 0; i < 4; ++i)
        for (int d = 0; d < 2; ++d)
            wider[i][d] = square[i][d] * (1.0 + 4.0 * slack);
    eri_outline a = outline_of(4, (const double(*)[2])wider, low, 1), b = outline_of(4, square, high, 5);
    assert_meets("a square within one a little larger", &a, low, &b, high, HUGE_VAL, 4,
                 (const expected[]){{-1, -1, ERI_FEATURES_VERTEX_B, 0, 5},
                                    {1, -1, ERI_FEATURES_VERTEX_B, 0, 6},
                                    {1, 1, ERI_FEATURES_VERTEX_B, 0, 7},
                                    {-1, 1, ERI_FEATURES_VERTEX_B, 0, 8}});
}

static void segments_lie_before_faces(void **state)
{
    const slant low = {0, 0.1, 0.05}, high = {1, 0, 0.1};
    const double across[2][2] = {{-2, 0.25}, {2, 0.25}}, within[2][2] = {{-0.5, 0.25}, {0.75, 0}},
                 diagonal[2][2] = {{-2, -2}, {2, 2}}, ends[2][2] = {{0, 0}, {2, 2}}, past[2][2] = {{-3, 1.5}, {3, 1.5}};
    eri_outline face = outline_of(4, square, high, 5);
    eri_outline line = outline_of(2, across, low, 1);
    assert_meets("a segment across a face", &line, low, &face, high, HUGE_VAL, 2,
                 (const expected[]){{-1, 0.25, ERI_FEATURES_EDGES, 10, 53}, {1, 0.25, ERI_FEATURES_EDGES, 10, 51}});
    assert_meets("a face across a segment", &face, high, &line, low, HUGE_VAL, 2,
                 (const expected[]){{-1, 0.25, ERI_FEATURES_EDGES, 53, 10}, {1, 0.25, ERI_FEATURES_EDGES, 51, 10}});
    line = outline_of(2, within, low, 1);
    assert_meets("a segment within a face", &line, low, &face, high, HUGE_VAL, 2,
                 (const expected[]){{-0.5, 0.25, ERI_FEATURES_VERTEX_A, 1, 0}, {0.75, 0, ERI_FEATURES_VERTEX_A, 2, 0}});
    line = outline_of(2, diagonal, low, 1);
    assert_meets("a segment through corners", &line, low, &face, high, HUGE_VAL, 2,
                 (const expected[]){{-1, -1, ERI_FEATURES_VERTEX_B, 0, 5}, {1, 1, ERI_FEATURES_VERTEX_B, 0, 7}});
    assert_meets("corners on a segment", &face, high, &line, low, HUGE_VAL, 2,
                 (const expected[]){{-1, -1, ERI_FEATURES_VERTEX_A, 5, 0}, {1, 1, ERI_FEATURES_VERTEX_A, 7, 0}});
    line = outline_of(2, ends, low, 1);
    assert_meets("a segment out by a corner", &line, low, &face, high, HUGE_VAL, 2,
                 (const expected[]){{0, 0, ERI_FEATURES_VERTEX_A, 1, 0}, {1, 1, ERI_FEATURES_VERTEX_B, 0, 7}});
    line = outline_of(2, past, low, 1);
    assert_meets("a segment past a face", &line, low, &face, high, HUGE_VAL, 0, NULL);
}

/// The ends of each that lie before the other.
static void segments_lie_before_segments(void **state)
{
    const slant low = {0, 0.02, 0}, high = {0.5, 0.1, 0};
    const double own[2][2] = {{-2, 0}, {2, 0}}, beside[2][2] = {{3, 0.1}, {-1, 0.1}}, far[2][2] = {{2.5, 0}, {5, 0}},
                 cross[2][2] = {{1, -1}, {1.5, 1}}, short_of[2][2] = {{1, -1}, {1, -0.1}};
    eri_outline a = outline_of(2, own, low, 1), b = outline_of(2, own, high, 5);
    const expected both[] = {{-2, 0, ERI_FEATURES_VERTEX_A, 1, 0}, {2, 0, ERI_FEATURES_VERTEX_A, 2, 0}};
    assert_meets("a segment on its like", &a, low, &b, high, HUGE_VAL, 2, both);
    assert_meets("the end that is near", &a, low, &b, high, 0.5, 1, both);
    b = outline_of(2, far, high, 5);
    assert_meets("segments in a row", &a, low, &b, high, HUGE_VAL, 0, NULL);
    b = outline_of(2, cross, high, 5);
    assert_meets("segments that cross", &a, low, &b, high, HUGE_VAL, 1,
                 (const expected[]){{1.25, 0, ERI_FEATURES_EDGES, 10, 50}});
    assert_meets("segments that cross, swapped", &b, high, &a, low, HUGE_VAL, 1,
                 (const expected[]){{1.25, 0, ERI_FEATURES_EDGES, 50, 10}});
    b = outline_of(2, short_of, high, 5);
    assert_meets("segments that do not cross", &a, low, &b, high, HUGE_VAL, 0, NULL);
    // beside each other: the other's point is that beside the end, and of ends that are named what is theirs
    b = outline_of(2, beside, high, 5);
    for (int swapped = 0; swapped < 2; ++swapped) {
        eri_patch patch = {.count = 0};
        eri_outlines_overlap(&flat, swapped ? &b : &a, swapped ? &a : &b, HUGE_VAL, &patch);
        assert_int_equal(patch.count, 2);
        for (int k = 0; k < 2; ++k) {
            bool of_own = (patch.point[k].at[swapped].x > 0.0);
            double x = of_own ? 2.0 : -1.0;
            assert_true(er_v3_distance(patch.point[k].at[swapped], er_v3(x, 0, height_of(low, x, 0))) < 1e-12);
            assert_true(er_v3_distance(patch.point[k].at[1 - swapped], er_v3(x, 0.1, height_of(high, x, 0))) < 1e-12);
            double gap = height_of(high, x, 0) - height_of(low, x, 0);
            assert_true(fabs(patch.point[k].distance - (swapped ? -gap : gap)) < 1e-12);
            eri_feature_kinds meet = of_own != swapped ? ERI_FEATURES_VERTEX_A : ERI_FEATURES_VERTEX_B;
            assert_true(patch.point[k].feature == eri_feature_id(meet, of_own ? 2 : 6, 0));
        }
    }
}

static void add_point(eri_patch *patch, double x, double y, double distance)
{
    eri_patch_add(patch, er_v3(x, y, 0), distance, flat.n, (uint64_t)patch->count);
}

static void assert_kept(const char *name, const eri_patch *patch, int count, const uint64_t *feature)
{
    if (patch->count != count) fail_msg("%s: %d are kept", name, patch->count);
    for (int k = 0; k < count; ++k)
        if (patch->point[k].feature != feature[k])
            fail_msg("%s: the point %d is number %d", name, k, (int)patch->point[k].feature);
}

/// The deepest; the farthest from it; the farthest from the line of these, 4.4 / 2.37 of 4.2 / 2.37; of what is left
/// the farthest out of the three, 4.2 / 2.37 of 3.8 / 2.20. Mirrored, the same.
static void four_spots_matter(void **state)
{
    for (int mirrored = 0; mirrored < 2; ++mirrored) {
        double way = mirrored ? -1.0 : 1.0;
        eri_patch patch = {.skew = {0.3, 0.7, 0.1}};
        add_point(&patch, 2, 1 * way, 0.1);
        add_point(&patch, -2, 1 * way, 0.1);
        add_point(&patch, 0.1, 0.1 * way, -0.5);
        add_point(&patch, -2, -1 * way, 0.1);
        add_point(&patch, 0, -0.5 * way, 0.0);
        add_point(&patch, 2, -1 * way, 0.1);
        eri_patch_reduce(&patch, flat.n, 1e-6);
        assert_kept("a field of points", &patch, 4, (const uint64_t[]){2, 3, 5, 1});
    }
    eri_patch few = {.skew = {0.3, 0.7, 0.1}};
    for (int k = 0; k < 4; ++k)
        add_point(&few, k, 0, 0.1 * k);
    eri_patch_reduce(&few, flat.n, 1e-6);
    assert_kept("four points", &few, 4, (const uint64_t[]){0, 1, 2, 3});
    // alike to the slack: the farthest along the skew direction begins, and no point is kept for what is within it
    eri_patch row = {.skew = {1, 0, 0}}, heap = {.skew = {0, 1, 0}};
    for (int k = 0; k < 6; ++k) {
        add_point(&row, k == 2 ? 9 : k, 1e-7 * k, k == 4 ? -5e-7 : 0.0);
        add_point(&heap, 0, k == 3 ? 5e-7 : 0, 0);
    }
    eri_patch_reduce(&row, flat.n, 1e-6);
    assert_kept("a row of points", &row, 2, (const uint64_t[]){2, 0});
    eri_patch_reduce(&heap, flat.n, 1e-6);
    assert_kept("points at one place", &heap, 1, (const uint64_t[]){3});
    eri_patch none = {.count = 0};
    assert_true(eri_patch_min_distance(&none) == HUGE_VAL);
    add_point(&none, 0, 0, 0.25);
    add_point(&none, 0, 0, -0.5);
    add_point(&none, 0, 0, 0.0);
    assert_true(eri_patch_min_distance(&none) == -0.5);
}

/// A screen stands square to its normal; what is put on it is told where from there.
static void screens_are_square(void **state)
{
    const er_vec3 at = {1, 2, 3}, n = {0.48, -0.6, 0.64}, p = {2, 0, 5};
    eri_projection s = eri_projection_at(at, n);
    assert_true(fabs(er_v3_norm(s.x) - 1) < 1e-14 && fabs(er_v3_norm(s.y) - 1) < 1e-14);
    assert_true(er_v3_distance(er_v3_cross(s.x, s.y), n) < 1e-14 && er_v3_distance(s.at, at) == 0);
    eri_outline o;
    eri_outline_begin(&o);
    eri_outline_add(&o, &s, p, 7, 9);
    eri_outline_add(&o, &s, er_v3_madd(er_v3_madd(p, 3, s.x), -4, s.y), 8, 6);
    eri_outline_add(&o, &s, er_v3_madd(p, 2, s.x), 1, 2);
    er_vec3 back = er_v3_madd(er_v3_madd(er_v3_madd(at, o.x[0], s.x), o.y[0], s.y), o.height[0], n);
    assert_true(er_v3_distance(back, p) < 1e-14);
    assert_true(o.count == 3 && o.vertex[1] == 8 && o.edge[1] == 6 && fabs(o.size - 5) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screens_are_square),
        cmocka_unit_test(faces_share_the_corners_of_what_both_cover),
        cmocka_unit_test(outlines_that_fall_together_give_a_corner_once),
        cmocka_unit_test(segments_lie_before_faces),
        cmocka_unit_test(segments_lie_before_segments),
        cmocka_unit_test(four_spots_matter),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
