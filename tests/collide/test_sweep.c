/// @file
/// Sweeps against all pairs, over boxes that drift, jump, touch and stand still, of one size and of all.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "collide/shapes.h"
#include "support/context.h"
#include "support/ledger.h"

enum { FEWER = ERI_SANITIZED ? 4 : 1, MOST = 1000 / FEWER }; // all pairs of a thousand take a minute under sanitizers

typedef struct crowd {
    int count;
    er_vec3 low[MOST], high[MOST];
} crowd;

static bool meet(const crowd *c, double margin, int a, int b)
{
    double m = margin / 2; // as each grows
    const double x[3][4] = {{c->low[a].x, c->high[a].x, c->low[b].x, c->high[b].x},
                            {c->low[a].y, c->high[a].y, c->low[b].y, c->high[b].y},
                            {c->low[a].z, c->high[a].z, c->low[b].z, c->high[b].z}};
    for (int k = 0; k < 3; ++k)
        if (x[k][0] - m > x[k][3] + m || x[k][2] - m > x[k][1] + m) return false;
    return true;
}

/// All pairs that meet, each once, by a, then by b.   @return how many
static int assert_pairs(er_sweep *sweep, const crowd *c, double margin)
{
    const er_sweep_pair *pair;
    int count, k = 0;
    assert_int_equal(er_sweep_update(sweep, c->low, c->high, margin, &pair, &count), ER_OK);
    for (int a = 0; a < c->count; ++a)
        for (int b = a + 1; b < c->count; ++b)
            if (meet(c, margin, a, b)) {
                if (k >= count || pair[k].a != a || pair[k].b != b)
                    fail_msg("boxes %d and %d meet, which is not said", a, b);
                ++k;
            }
    if (k != count) fail_msg("%d pairs meet, %d are said to", k, count);
    return count;
}

/// Corners on a grid, so that many ends are equal.
static er_vec3 on_grid(er_vec3 v, double grid)
{
    return grid == 0 ? v : er_v3(grid * round(v.x / grid), grid * round(v.y / grid), grid * round(v.z / grid));
}

static void roll_box(dice *d, crowd *c, int i, double room, double size, double grid)
{
    er_vec3 at = roll_in_box(d, room), side = er_v3(roll(d, 0, size), roll(d, 0, size), roll(d, 0, size));
    c->low[i] = on_grid(at, grid);
    c->high[i] = on_grid(er_v3_add(at, side), grid);
}

static er_sweep *sweep_over(int count)
{
    er_sweep *sweep;
    assert_int_equal(er_sweep_create(context, count, &sweep), ER_OK);
    return sweep;
}

static void pairs_are_all_that_meet_as_boxes_move(void **state)
{
    const struct {
        int count;
        double size, step, grid, margin;
    } cases[] = {
        {1000, 0.15, 0.01, 0, 0},    // a crowd that drifts
        {1000, 0.15, 0.01, 0, 0.02}, // with a margin
        {1000, 0.3, 0.3, 0, 0},      // faster than boxes are large
        {300, 2, 0.05, 0, 0},        // nearly all meet
        {300, 0.3, 0.1, 0.1, 0},     // ends at the same places
        {300, 0.3, 0.1, 0.25, 0.5},  // and as far apart as the margin
        {2, 1, 0.5, 0.5, 0},         {1, 1, 0.5, 0, 0},
    };
    dice d = {1};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        static crowd c;
        static er_vec3 velocity[MOST];
        double larger = cbrt(FEWER); // so that as many meet
        c.count = cases[k].count > 2 ? cases[k].count / FEWER : cases[k].count;
        for (int i = 0; i < c.count; ++i) {
            roll_box(&d, &c, i, 1, larger * cases[k].size, cases[k].grid);
            velocity[i] = er_v3_scale(cases[k].step, roll_direction(&d));
        }
        er_sweep *sweep = sweep_over(c.count);
        long met = 0;
        for (int step = 0; step < 60; ++step) {
            met += assert_pairs(sweep, &c, cases[k].margin);
            for (int i = 0; i < c.count; ++i) {
                if (er_v3_norm(c.low[i]) > 1.5)
                    velocity[i] = er_v3_scale(-cases[k].step, er_v3_unit(c.low[i], c.low[i]));
                er_vec3 by = on_grid(velocity[i], cases[k].grid);
                c.low[i] = er_v3_add(c.low[i], by);
                c.high[i] = er_v3_add(c.high[i], by);
                if (step % 20 == 19 && i % 10 == 0) // jumps
                    roll_box(&d, &c, i, 1, larger * cases[k].size, cases[k].grid);
            }
            if (step % 25 == 24) // all of them jump
                for (int i = 0; i < c.count; ++i)
                    roll_box(&d, &c, i, 1, larger * cases[k].size, cases[k].grid);
        }
        if (c.count > 2) assert_true(met > 60L * c.count / 10);
        er_sweep_destroy(sweep);
    }
}

/// Sizes and places of all magnitudes: crumbs, walls through everything, points, boxes that are alike, far away.
static void boxes_of_all_sizes_meet(void **state)
{
    static crowd c;
    dice d = {7};
    for (int kind = 0; kind < 8; ++kind) {
        c.count = kind == 7 ? 40 : MOST;
        er_sweep *sweep = sweep_over(c.count);
        long met = 0;
        for (int step = 0; step < 6; ++step) {
            for (int i = 0; i < c.count; ++i) {
                double room = kind == 3 && i % 20 == 0 ? 1e9 : kind == 4 ? pow(10, roll(&d, -3, 150)) : 1;
                double size = kind == 0   ? pow(10, roll(&d, -4, 0.5))
                              : kind == 1 ? 0
                              : kind == 2 ? (i % 50 == 0 ? 1e3 : 0.1)
                                          : 0.15 * (kind == 4   ? 10 * room
                                                    : kind == 7 ? 5
                                                                : 1);
                roll_box(&d, &c, i, room, size, kind == 1 ? 0.125 : kind == 5 ? 1 : 0);
                if (kind == 6) { // a plate that is a box thick
                    c.low[i].y *= 0.01;
                    c.high[i].y = c.low[i].y + 0.1;
                }
            }
            met += assert_pairs(sweep, &c, step % 2 ? 0.01 : 0);
            assert_pairs(sweep, &c, 0.02); // within the skins, or not
        }
        if (met == 0) fail_msg("kind %d: none met", kind);
        er_sweep_destroy(sweep);
    }
}

/// Boxes asked for are those that meet, as they are, each once, in order.
static void assert_over(const er_sweep *sweep, const crowd *c, double margin, er_vec3 low, er_vec3 high)
{
    static int box[MOST];
    int count = er_sweep_over(sweep, low, high, box), k = 0;
    double m = margin / 2;
    for (int i = 0; i < c->count; ++i) {
        er_vec3 a = c->low[i], b = c->high[i];
        if (a.x - m > high.x || a.y - m > high.y || a.z - m > high.z || b.x + m < low.x || b.y + m < low.y ||
            b.z + m < low.z)
            continue;
        if (k >= count || box[k] != i) fail_msg("box %d is over, which is not said", i);
        ++k;
    }
    assert_int_equal(k, count);
}

static void boxes_over_a_box_are_found(void **state)
{
    static crowd c;
    dice d = {8};
    c.count = MOST;
    er_sweep *sweep = sweep_over(MOST);
    int none[1];
    assert_int_equal(er_sweep_over(sweep, er_v3(-9, -9, -9), er_v3(9, 9, 9), none), 0); // nothing is known yet
    for (int i = 0; i < MOST; ++i)
        roll_box(&d, &c, i, i % 100 == 0 ? 50 : 1, i % 37 == 0 ? 2 : 0.2, 0);
    for (int step = 0; step < 20; ++step) {
        assert_pairs(sweep, &c, 0.01);
        const er_vec3 all = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        assert_over(sweep, &c, 0.01, er_v3_scale(-1, all), all);
        assert_over(sweep, &c, 0.01, er_v3(-HUGE_VAL, 0.1, 0.1), er_v3(HUGE_VAL, 0.1, 0.1)); // along a line
        for (int k = 0; k < 50; ++k) {
            er_vec3 at = roll_in_box(&d, 1.5),
                    side = er_v3(roll(&d, 0, 1), roll(&d, 0, 1), k % 3 ? roll(&d, 0, 90) : 0);
            assert_over(sweep, &c, 0.01, at, er_v3_add(at, side));
        }
        for (int i = 0; i < MOST; ++i) { // within skins, and out of them
            er_vec3 by = er_v3_scale(step % 4 == 3 ? 0.1 : 0.001, roll_direction(&d));
            c.low[i] = er_v3_add(c.low[i], by);
            c.high[i] = er_v3_add(c.high[i], by);
        }
    }
    er_sweep_destroy(sweep);
}

static void boxes_of_hulls_meet_before_the_hulls_do(void **state)
{
    er_hull *h = box_hull(1, 1, 1);
    dice d = {2};
    er_sweep *sweep = sweep_over(2);
    for (int trial = 0; trial < 300; ++trial) {
        er_pose pose[2] = {{roll_rotation(&d), {0, 0, 0}},
                           {roll_rotation(&d), er_v3_scale(roll(&d, 1, 2), roll_direction(&d))}};
        er_vec3 low[2], high[2];
        for (int i = 0; i < 2; ++i)
            er_hull_box(h, pose[i], &low[i], &high[i]);
        const er_sweep_pair *pair;
        int count;
        er_closest c;
        er_hull_closest(h, pose[0], h, pose[1], NULL, &c);
        assert_int_equal(er_sweep_update(sweep, low, high, 0.1, &pair, &count), ER_OK);
        if (c.distance <= 0.1) assert_int_equal(count, 1);
    }
    er_sweep_destroy(sweep);
    er_hull_destroy(h);
}

static void what_is_no_box_is_refused(void **state)
{
    crowd *c = calloc(1, sizeof *c);
    dice d = {3};
    c->count = 20;
    for (int i = 0; i < 20; ++i)
        roll_box(&d, c, i, 1, 1, 0);
    er_sweep *sweep = sweep_over(20);
    const er_sweep_pair *pair;
    int count;
    assert_pairs(sweep, c, 0);
#define REFUSED(call, named)                                                                                           \
    do {                                                                                                               \
        assert_refusal(context, call, ER_ERROR_ARGUMENT, named);                                                       \
        assert_pairs(sweep, c, 0);                                                                                     \
    } while (0)
    crowd bad = *c;
    bad.low[7].y = NAN;
    REFUSED(er_sweep_update(sweep, bad.low, bad.high, 0, &pair, &count), "box 7");
    bad = *c;
    bad.high[19].z = HUGE_VAL;
    REFUSED(er_sweep_update(sweep, bad.low, bad.high, 0, &pair, &count), "box 19");
    for (int k = 0; k < 3 * 5; ++k) { // each number by itself; the largest there are may stand
        bad = *c;
        double *low = k % 3 == 0 ? &bad.low[7].x : k % 3 == 1 ? &bad.low[7].y : &bad.low[7].z;
        double *high = k % 3 == 0 ? &bad.high[7].x : k % 3 == 1 ? &bad.high[7].y : &bad.high[7].z;
        *low = -DBL_MAX, *high = DBL_MAX;
        assert_pairs(sweep, &bad, 0);
        if (k / 3 < 2) *(k / 3 == 0 ? low : high) = NAN;
        if (k / 3 == 2) *low = -HUGE_VAL;
        if (k / 3 == 3) *high = HUGE_VAL;
        if (k / 3 == 4) *low = 1.0, *high = 0.5;
        REFUSED(er_sweep_update(sweep, bad.low, bad.high, 0, &pair, &count), "box 7");
    }
    for (int k = 0; k < 3; ++k) { // all of them, their sides in the range of numbers or past it; points at its ends
        bad = *c;
        for (int i = 0; i < c->count; ++i) {
            double far = k == 0 ? DBL_MAX : 0.45 * DBL_MAX;
            bad.low[i].x = -far, bad.high[i].x = far;
            if (k == 2) bad.low[i] = bad.high[i] = er_v3(i % 2 ? DBL_MAX : -DBL_MAX, i % 3 ? DBL_MAX : 0, 0);
        }
        assert_pairs(sweep, &bad, 0);
    }
    bad = *c;
    bad.high[0].x = bad.low[0].x - 1e-9;
    REFUSED(er_sweep_update(sweep, bad.low, bad.high, 0, &pair, &count), "box 0");
    REFUSED(er_sweep_update(sweep, c->low, c->high, -1, &pair, &count), "-1 m");
    REFUSED(er_sweep_update(sweep, c->low, c->high, NAN, &pair, &count), "nan m");
    REFUSED(er_sweep_update(sweep, NULL, c->high, 0, &pair, &count), "NULL");
    assert_int_equal(er_sweep_update(NULL, c->low, c->high, 0, &pair, &count), ER_ERROR_ARGUMENT);
    assert_int_equal(er_sweep_update(sweep, c->low, c->high, 0, NULL, &count), ER_ERROR_ARGUMENT);
    assert_int_equal(er_sweep_update(sweep, c->low, c->high, 0, &pair, NULL), ER_ERROR_ARGUMENT);
    er_sweep_destroy(sweep);
    er_sweep_destroy(NULL);
    const int counts[] = {-1, 100000001, INT32_MAX};
    for (int k = 0; k < 3; ++k) {
        assert_refusal(context, er_sweep_create(context, counts[k], &sweep), ER_ERROR_ARGUMENT, "100000000");
        assert_null(sweep);
    }
    assert_int_equal(er_sweep_create(context, 1, NULL), ER_ERROR_ARGUMENT);
    sweep = sweep_over(0);
    assert_int_equal(er_sweep_update(sweep, NULL, NULL, 0, &pair, &count), ER_OK);
    assert_int_equal(count, 0);
    er_sweep_destroy(sweep);
    free(c);
}

// The k-th allocation fails, of create and of updates that need room for more pairs; then the next one is right.
static void sweeps_get_over_a_lack_of_memory(void **state)
{
    ledger l = {.left = LEDGER_ALL};
    er_context *counted = ledger_context(&l);
    static crowd c;
    c.count = trials(200);
    for (long k = 0, failures = 1; failures > 0; ++k) {
        dice d = {4};
        er_sweep *sweep = NULL;
        failures = 0;
        l.left = k;
        er_result r = er_sweep_create(counted, c.count, &sweep);
        if (r != ER_OK) {
            assert_int_equal(r, ER_ERROR_MEMORY);
            assert_null(sweep);
            ++failures;
            continue;
        }
        for (int i = 0; i < c.count; ++i)
            roll_box(&d, &c, i, 1, 0.1, 0);
        for (int step = 0; step < 30; ++step) {
            const er_sweep_pair *pair;
            int count;
            r = er_sweep_update(sweep, c.low, c.high, 0, &pair, &count);
            if (r != ER_OK) {
                assert_int_equal(r, ER_ERROR_MEMORY);
                assert_null(pair);
                l.left = LEDGER_ALL;
                ++failures;
            }
            if (failures > 0) assert_pairs(sweep, &c, 0);
            for (int i = 0; i < c.count; ++i) // they grow
                c.high[i] = er_v3_add(c.high[i], er_v3(0.02, 0.02, 0.02));
        }
        er_sweep_destroy(sweep);
        assert_true(k < 1000);
    }
    l.left = LEDGER_ALL;
    ledger_end(&l, counted);
}

// Where as many pairs have met before, an update takes no memory.
static void the_same_crowd_again_allocates_nothing(void **state)
{
    ledger l = {.left = LEDGER_ALL};
    er_context *counted = ledger_context(&l);
    static crowd c;
    dice d = {5};
    c.count = 200;
    er_sweep *sweep;
    assert_int_equal(er_sweep_create(counted, c.count, &sweep), ER_OK);
    for (int i = 0; i < c.count; ++i)
        roll_box(&d, &c, i, 1, 0.5, 0);
    long asked = 0;
    for (int step = 0; step < 100; ++step) {
        if (step == 20) asked = l.asked;
        assert_pairs(sweep, &c, 0);
        double by = step % 20 < 10 ? 0.01 : -0.01; // there and back
        for (int i = 0; i < c.count; ++i) {
            c.low[i].x += i % 2 * by;
            c.high[i].x += i % 2 * by;
        }
    }
    assert_int_equal(l.asked, asked);
    er_sweep_destroy(sweep);
    ledger_end(&l, counted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_all_that_meet_as_boxes_move),
        cmocka_unit_test(boxes_of_all_sizes_meet),
        cmocka_unit_test(boxes_over_a_box_are_found),
        cmocka_unit_test(boxes_of_hulls_meet_before_the_hulls_do),
        cmocka_unit_test(what_is_no_box_is_refused),
        cmocka_unit_test(sweeps_get_over_a_lack_of_memory),
        cmocka_unit_test(the_same_crowd_again_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
