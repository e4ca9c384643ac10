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

/// What holds of all touches.   @return the deepest
static double assert_touches(const solid *a, const solid *b, int count, const er_touch *touch, double margin)
{
    double least = HUGE_VAL, size = size_of(a, b), tolerance = 1e-11 * size; // where a rim is seen nearly along its axis
    for (int k = 0; k < count; ++k) {
        const er_touch *t = &touch[k];
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
    (void)state;
    dice d = {1};
    for (int trial = 0; trial < 3000; ++trial) {
        solid a = roll_solid(&d, solids[trial % SOLIDS], 1), b = roll_solid(&d, solids[trial / SOLIDS % SOLIDS], 1);
        b.pose.p = er_v3_scale(roll(&d, 0, 1.5), roll_direction(&d));
        if (trial % 3 > 0) solid_bring(&a, &b, roll(&d, -1, 1) * pow(10, roll(&d, -9, -1)));
        er_touch touch[ER_TOUCH_MOST];
        int count = er_shape_touches(&a.shape, a.pose, &b.shape, b.pose, 100, NULL, touch);
        assert_in_range(count, 1, 4);
        assert_deepest(&d, &a, &b, assert_touches(&a, &b, count, touch, 100), touch[0].normal);
        solid_free(&a);
        solid_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_by_chance_touch_where_the_judge_says),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
