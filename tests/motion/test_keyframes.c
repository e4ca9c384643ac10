// Keys chosen from frames: tangents against derivatives of polynomials, and how far apart a tolerance lets keys be.
#include "motion/keyframes.h"

#include <math.h>
#include <string.h>

#include "support/context.h"
#include "support/judge.h"

enum { FRAMES = 61 };
static const double step = 1.0 / 64.0; // exact, as its sums are

static double power(double x, int n)
{
    return n == 0 ? 1.0 : x * power(x, n - 1);
}

// Three powers of t, side by side, at even times, or at times that grow.
static eri_sampled_channel powers(double time[FRAMES], double value[3 * FRAMES], int key[FRAMES], const int degree[3],
                                  bool even)
{
    for (int k = 0; k < FRAMES; ++k) {
        time[k] = step * (even ? k : k * (1.0 + 0.01 * k));
        for (int i = 0; i < 3; ++i)
            value[3 * k + i] = power(time[k], degree[i]);
    }
    return (eri_sampled_channel){
        .path = ER_PATH_TRANSLATION, .count = FRAMES, .time = time, .value = value, .key = key};
}

static er_channel choose(er_arena *arena, const eri_sampled_channel *s, double *error)
{
    er_channel channel = {0};
    assert_int_equal(eri_keyframes_choose(arena, s, &channel, error), ER_OK);
    return channel;
}

static void tangents_are_derivatives_of_quartics_and_parabolas(void **state)
{
    for (int uneven = 0; uneven < 2; ++uneven) {
        double time[FRAMES], value[3 * FRAMES], error = 0.0;
        int key[FRAMES];
        const int degree[3] = {1, 2, 4};
        er_arena *arena = NULL;
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        eri_sampled_channel s = powers(time, value, key, degree, !uneven);
        s.cubic = true;
        er_channel ch = choose(arena, &s, &error);
        assert_int_equal(ch.key_count, FRAMES);
        for (int k = 0; k < FRAMES; ++k)
            for (int i = 0; i < 3; ++i) {
                const double *at = ch.value + 9 * k; // tangent in, value, tangent out
                assert_true(at[i] == at[6 + i] && at[3 + i] == value[3 * k + i]);
                bool quartic = !uneven && k >= 2 && k < FRAMES - 2; // five even frames; three at the ends
                if (degree[i] == 4 && !quartic) continue;
                measure_at_most("tangents", fabs(at[i] - degree[i] * power(time[k], degree[i] - 1)), 1e-11);
            }
        eri_arena_destroy(arena);
    }
}

// Round the ends there is no end: sin has the tangent of the quartic there too, the same at both to the bit.
static void motions_that_loop_have_tangents_round_their_ends(void **state)
{
    double time[FRAMES], value[3 * FRAMES] = {0}, error = 0.0, h = 2.0 * ER_PI / (FRAMES - 1);
    int key[FRAMES];
    er_arena *arena = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    for (int k = 0; k < FRAMES; ++k) {
        time[k] = h * k;
        value[3 * k] = sin(h * (k % (FRAMES - 1)));
    }
    eri_sampled_channel s = {
        .path = ER_PATH_SCALE, .count = FRAMES, .time = time, .value = value, .key = key, .loops = true};
    s.cubic = true;
    er_channel ch = choose(arena, &s, &error);
    for (int k = 0; k < FRAMES; ++k) // (8 sin h - sin 2h) / 6h of cos
        measure_at_most("tangents of a loop",
                        fabs(ch.value[9 * k] - cos(time[k]) * (8.0 * sin(h) - sin(2.0 * h)) / (6.0 * h)), 1e-13);
    assert_true(ch.value[0] == ch.value[9 * (FRAMES - 1)]);
    eri_arena_destroy(arena);
}

// The frames between keys, the last gap left out: it ends where the motion does.
static int even_gap(const er_channel *ch, int first)
{
    int gap = (int)lround((ch->time[first + 1] - ch->time[first]) / step);
    for (int k = first; k + 2 < ch->key_count && ch->time[k + 1] < (FRAMES - 3) * step; ++k)
        assert_int_equal(lround((ch->time[k + 1] - ch->time[k]) / step), gap);
    assert_true(ch->time[ch->key_count - 1] == (FRAMES - 1) * step);
    return gap;
}

// A chord of n frames of t^2 strays by (n h / 2)^2 halfway, whether a frame is there or not.
static void lines_reach_as_far_as_a_parabola_lets_them(void **state)
{
    for (int n = 2; n < 9; ++n)
        for (int side = 0; side < 4; ++side) { // a shift, then a turn, of a tolerance just too small, then enough
            double time[FRAMES], value[4 * FRAMES] = {0}, error = 0.0;
            int key[FRAMES];
            const int degree[3] = {2, 9, 9};
            er_arena *arena = NULL;
            assert_int_equal(eri_arena_create(context, &arena), ER_OK);
            eri_sampled_channel s = powers(time, value, key, degree, true);
            memset(value, 0, sizeof value);
            s.path = side < 2 ? ER_PATH_TRANSLATION : ER_PATH_ROTATION;
            for (int k = 0; k < FRAMES; ++k) {
                er_quat q = er_q_exp(er_v3(0, 0, time[k] * time[k]));
                double *to = value + (side < 2 ? 3 : 4) * k;
                if (side < 2) {
                    to[1] = time[k] * time[k];
                } else {
                    to[2] = q.z;
                    to[3] = q.w;
                }
            }
            double halfway = 0.25 * n * n * step * step;
            s.tolerance = halfway * (side % 2 == 0 ? 1.0 - 1e-6 : 1.0 + 1e-6);
            er_channel ch = choose(arena, &s, &error);
            // steps double, then halve, so a gap is found whatever its size
            assert_int_equal(even_gap(&ch, 0), side % 2 == 0 ? n - 1 : n);
            int gap = side % 2 == 0 ? n - 1 : n;
            double seen = 0.25 * (gap * gap - gap % 2) * step * step; // at the frame nearest to halfway
            if (side >= 2)
                measure_at_most("turn off the frames", fabs(error / (seen + 1e-300) - 1.0) * (gap > 1), 1e-6);
            if (side < 2) assert_true(error == 0.0);
            eri_arena_destroy(arena);
        }
}

// Hermite's cubic of t^4 strays by (n h / 2)^4 halfway.
static void cubics_reach_as_far_as_a_quartic_lets_them(void **state)
{
    for (int n = 2; n < 9; ++n)
        for (int enough = 0; enough < 2; ++enough) {
            double time[FRAMES], value[3 * FRAMES], error = 0.0;
            int key[FRAMES];
            const int degree[3] = {4, 1, 0};
            er_arena *arena = NULL;
            assert_int_equal(eri_arena_create(context, &arena), ER_OK);
            eri_sampled_channel s = powers(time, value, key, degree, true);
            s.cubic = true;
            s.tolerance = power(0.5 * n * step, 4) * (enough ? 1.0 + 1e-5 : 1.0 - 1e-5);
            er_channel ch = choose(arena, &s, &error);
            int first = 0; // beyond the tangents at the end, which are a parabola's
            while (ch.time[first] < 2.0 * step)
                ++first;
            assert_int_equal(even_gap(&ch, first), enough ? n : n - 1);
            eri_arena_destroy(arena);
        }
}

static void what_stays_has_two_keys_and_no_tangents(void **state)
{
    static const struct {
        double by; // which the last frame's value is off
        int keys;
    } rows[] = {{0.0, 2}, {0.5e-9, 2}, {2e-9, FRAMES}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        double time[FRAMES], value[3 * FRAMES], error = 0.0;
        int key[FRAMES];
        const int degree[3] = {0, 0, 0};
        er_arena *arena = NULL;
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        eri_sampled_channel s = powers(time, value, key, degree, true);
        s.cubic = true;
        value[3 * FRAMES - 1] += rows[i].by;
        er_channel ch = choose(arena, &s, &error);
        assert_int_equal(ch.key_count, rows[i].keys);
        assert_true(ch.time[0] == 0.0 && ch.time[ch.key_count - 1] == (FRAMES - 1) * step);
        assert_int_equal(ch.interpolation, rows[i].keys == 2 ? ER_LINEAR : ER_CUBIC);
        for (int k = 0; k < 6 && rows[i].keys == 2; ++k)
            assert_true(ch.value[k] == 1.0);
        eri_arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_derivatives_of_quartics_and_parabolas),
        cmocka_unit_test(motions_that_loop_have_tangents_round_their_ends),
        cmocka_unit_test(lines_reach_as_far_as_a_parabola_lets_them),
        cmocka_unit_test(cubics_reach_as_far_as_a_quartic_lets_them),
        cmocka_unit_test(what_stays_has_two_keys_and_no_tangents),
    };
    return cmocka_run_group_tests_name("keys", tests, set_up, tear_down);
}
