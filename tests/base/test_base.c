// Arenas, contexts, names and the fixed-size mathematics, against definitions written out again here.
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/math.h>

#include "base/arena.h"
#include "base/names.h"
#include "base/number.h"

static double random_unit(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 23) - 1.0;
}

static er_vec3 random_vec(unsigned *seed)
{
    double x = random_unit(seed), y = random_unit(seed), z = random_unit(seed);
    return er_v3(x, y, z);
}

static er_quat random_quat(unsigned *seed)
{
    er_vec3 v = random_vec(seed);
    return er_q_unit(er_q(random_unit(seed), v.x, v.y, v.z));
}

static void quaternions_and_matrices_agree(void **state)
{
    unsigned seed = 1;
    for (int i = 0; i < 1000; ++i) {
        er_quat a = random_quat(&seed), b = random_quat(&seed);
        er_vec3 v = random_vec(&seed);
        er_vec3 by_product = er_q_rotate(er_q_mul(a, b), v);
        er_vec3 by_matrix = er_m3_mul_v(er_m3_mul(er_m3_from_q(a), er_m3_from_q(b)), v);
        assert_true(er_v3_distance(by_product, by_matrix) < 1e-14);
        er_quat back = er_q_from_m3(er_m3_from_q(a));
        assert_true(fabs(fabs(er_q_dot(a, back)) - 1.0) < 1e-14);
        er_vec3 r = er_v3_scale(2.0, v);
        if (er_v3_norm(r) < ER_PI) assert_true(er_v3_distance(er_q_log(er_q_exp(r)), r) < 1e-13);
    }
}

// exp of a twist against ten thousand small steps
static void exponential_is_the_limit_of_steps(void **state)
{
    unsigned seed = 7;
    for (int i = 0; i < 5; ++i) {
        er_twist v = {random_vec(&seed), random_vec(&seed)};
        int n = 10000;
        er_twist step = {er_v3_scale(1.0 / n, v.angular), er_v3_scale(1.0 / n, v.linear)};
        er_pose small = {er_q_exp(step.angular), step.linear}, p = er_pose_identity();
        for (int k = 0; k < n; ++k)
            p = er_pose_mul(p, small);
        er_pose exact = er_pose_exp(v);
        assert_true(er_v3_distance(p.p, exact.p) < 1e-3);
        assert_true(fabs(fabs(er_q_dot(p.q, exact.q)) - 1.0) < 1e-10);
    }
}

static void adjoint_carries_velocities(void **state)
{
    unsigned seed = 3;
    for (int i = 0; i < 100; ++i) {
        er_pose chi = {random_quat(&seed), random_vec(&seed)};
        er_twist v = {random_vec(&seed), random_vec(&seed)};
        er_vec3 x = random_vec(&seed); // the same particle, in frame b and in frame j
        er_vec3 xj = er_pose_point(chi, x);
        er_twist vj = er_twist_transform(chi, v);
        er_vec3 velocity_b = er_v3_add(v.linear, er_v3_cross(v.angular, x));
        er_vec3 velocity_j = er_v3_add(vj.linear, er_v3_cross(vj.angular, xj));
        assert_true(er_v3_distance(er_q_rotate(chi.q, velocity_b), velocity_j) < 1e-14);
    }
}

static void affine_inverse_undoes(void **state)
{
    unsigned seed = 11;
    for (int i = 0; i < 100; ++i) {
        er_affine a = er_affine_from_trs(random_vec(&seed), random_quat(&seed), er_v3(2, 0.5, 1.25));
        er_vec3 x = random_vec(&seed);
        assert_true(er_v3_distance(er_affine_point(er_affine_inverse(a), er_affine_point(a, x)), x) < 1e-14);
    }
}

static void arena_gives_aligned_zeroed_memory(void **state)
{
    er_context *context = NULL;
    er_arena *arena = NULL;
    assert_int_equal(er_context_create(NULL, &context), ER_OK);
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    for (size_t n = 0; n < 200; ++n) {
        unsigned char *bytes = ERI_NEW(arena, unsigned char, n *n * 7);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 64, 0);
        for (size_t i = 0; i < n * n * 7; ++i) {
            assert_int_equal(bytes[i], 0);
            bytes[i] = 0xA5;
        }
    }
    assert_null(eri_arena_alloc(arena, SIZE_MAX / 2, 16));
    assert_string_not_equal(er_context_error(context), "");
    eri_arena_destroy(arena);
    er_context_destroy(context);
}

static void defs_without_a_tag_are_refused(void **state)
{
    er_context_def def = er_default_context_def();
    def.tag = 0;
    er_context *context = NULL;
    assert_int_equal(er_context_create(&def, &context), ER_ERROR_ARGUMENT);
    assert_null(context);
}

static void names_are_taken_once(void **state)
{
    er_context *context = NULL;
    er_arena *arena = NULL;
    assert_int_equal(er_context_create(NULL, &context), ER_OK);
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    eri_names names = {.arena = arena};
    assert_null(eri_names_find(&names, "a"));
    assert_string_equal(eri_names_take(&names, "a"), "a");
    assert_string_equal(eri_names_take(&names, "a (3)"), "a (3)");
    assert_string_equal(eri_names_take(&names, "a"), "a (2)");
    assert_string_equal(eri_names_take(&names, "a"), "a (4)");
    assert_string_equal(eri_names_take(&names, "a (2)"), "a (2) (2)");
    for (int i = 0; i < 100000; ++i) { // in no time
        char want[32];
        snprintf(want, sizeof want, i == 0 ? "b" : "b (%d)", i + 1);
        assert_string_equal(eri_names_take(&names, "b"), want);
    }
    assert_string_equal(eri_names_find(&names, "a (4)")->text, "a (4)");
    assert_int_equal(names.count, 100005); // which its room follows
    eri_arena_destroy(arena);
    er_context_destroy(context);
}

// Any bits at all: read back by the C library the same, and no decimal with fewer digits does so.
static void numbers_have_the_fewest_digits_that_read_back(void **state)
{
    uint64_t bits = 1;
    for (int i = 0; i < 200000; ++i) {
        char text[ERI_NUMBER_ROOM], fewer[40];
        double x = i % 4 == 0 ? i / 1000.0 : 0.0;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        if (x == 0.0) memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        int length = eri_number_text(x, text), digits = 0;
        assert_int_equal(length, strlen(text));
        assert_true(strtod(text, NULL) == x);
        for (const char *c = text; *c != '\0' && *c != 'e'; ++c)
            digits += *c >= '0' && *c <= '9' && (digits > 0 || *c != '0');
        if (digits < 2 || strchr(text, '.') == NULL) continue; // zeroes of a whole number are no digits of it
        snprintf(fewer, sizeof fewer, "%.*e", digits - 2, x);
        assert_true(strtod(fewer, NULL) != x);
    }
    char zero[ERI_NUMBER_ROOM];
    assert_int_equal(eri_number_text(0.0, zero), 1);
    assert_string_equal(zero, "0");
}

// "FILE: what went wrong" is made of the sentence that is there.
static void a_sentence_may_be_made_of_the_last_one(void **state)
{
    er_context *context = NULL;
    char text[2000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(er_context_create(NULL, &context), ER_OK);
    assert_string_equal(er_context_error(context), "");
    er_fail(context, ER_ERROR_FILE, "mode %d is not there", 3);
    assert_int_equal(er_fail(context, ER_ERROR_RIG, "%s: %s", "fox.glb", er_context_error(context)), ER_ERROR_RIG);
    assert_string_equal(er_context_error(context), "fox.glb: mode 3 is not there");
    er_fail(context, ER_ERROR_FILE, "%s", text);
    assert_int_equal(strlen(er_context_error(context)), 1023);
    er_context_destroy(context);
}

static void numbers_are_read_alike_in_every_locale(void **state)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8"}; // those that are there
    for (size_t i = 0; i < ERI_COUNT(locales); ++i) {
        if (setlocale(LC_NUMERIC, locales[i]) == NULL) continue;
        double x = 0.0;
        const char *at = "1.25e1@-.5, +3 0x10 inf";
        assert_true(eri_take_number(&at, &x) && x == 12.5 && *at == '@');
        ++at;
        assert_true(eri_take_number(&at, &x) && x == -0.5 && *at == ',');
        assert_false(eri_take_number(&at, &x));
        assert_true(x == -0.5 && *at == ',');
        ++at;
        assert_true(eri_take_number(&at, &x) && x == 3.0 && *at == ' ');
        assert_true(eri_take_number(&at, &x) && x == 0.0 && *at == 'x'); // no hexadecimal
        at = "inf";
        assert_false(eri_take_number(&at, &x));
        at = "+-5"; // one sign
        assert_false(eri_take_number(&at, &x));
        at = " \t +7";
        assert_true(eri_take_number(&at, &x) && x == 7.0 && *at == '\0');
    }
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_and_matrices_agree),
        cmocka_unit_test(exponential_is_the_limit_of_steps),
        cmocka_unit_test(adjoint_carries_velocities),
        cmocka_unit_test(affine_inverse_undoes),
        cmocka_unit_test(arena_gives_aligned_zeroed_memory),
        cmocka_unit_test(defs_without_a_tag_are_refused),
        cmocka_unit_test(names_are_taken_once),
        cmocka_unit_test(numbers_have_the_fewest_digits_that_read_back),
        cmocka_unit_test(a_sentence_may_be_made_of_the_last_one),
        cmocka_unit_test(numbers_are_read_alike_in_every_locale),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
