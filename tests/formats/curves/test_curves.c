// CSV and NPZ of a motion: what is refused, what is left behind, the same bytes each time, and what stands in a table.
// test_curves.py reads both back.
#include <eigenrig/plots.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bytes.h"
#include "base/arena.h"
#include "formats/curves/curve_names.h"
#include "formats/curves/table.h"
#include "motions.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

typedef er_result writer(er_context *context, const er_curves *curves, const char *path);

static writer *const writers[] = {er_curves_write_csv, er_curves_write_npz};

static char path[512];

static int open_folder(void **state)
{
    snprintf(path, sizeof path, "%s", sample_path("a"));
    return set_up(state);
}

static void expect_refused(const er_curves *curves, const char *to, er_result expected, const char *named)
{
    unlink(path);
    for (size_t i = 0; i < ERI_COUNT(writers); ++i) {
        assert_refusal(context, writers[i](context, curves, to), expected, named);
        assert_null(strchr(er_context_error(context), '\n'));
        assert_int_equal(count_files(sample_folder()), 0);
    }
}

static void bad_arguments_are_one_clear_error(void **state)
{
    motion m = motion_case(context, "plain");
    er_curves good = m.plot.curves, c = good;
    assert_int_equal(er_curves_write_csv(NULL, &good, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_curves_write_npz(NULL, &good, path), ER_ERROR_ARGUMENT);
    expect_refused(NULL, path, ER_ERROR_ARGUMENT, "");
    expect_refused(&good, NULL, ER_ERROR_ARGUMENT, "");
    c.model = NULL;
    expect_refused(&c, path, ER_ERROR_ARGUMENT, "");
    c = good;
    c.frame_count = 0;
    expect_refused(&c, path, ER_ERROR_ARGUMENT, "");
    c = good;
    c.time = NULL;
    expect_refused(&c, path, ER_ERROR_ARGUMENT, "");
    c = good;
    c.q = NULL;
    expect_refused(&c, path, ER_ERROR_ARGUMENT, "");
    expect_refused(&good, "nowhere/at/all", ER_ERROR_FILE, "nowhere/at/all");
    motion_free(&m);
}

static void times_that_do_not_ascend_are_one_clear_error(void **state)
{
    motion m = motion_case(context, "plain");
    const double bad[] = {m.time[6], m.time[0], NAN, HUGE_VAL, -HUGE_VAL, 1e51};
    double was = m.time[7];
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        m.time[7] = bad[i];
        expect_refused(&m.plot.curves, path, ER_ERROR_ARGUMENT, "frame 7");
    }
    m.time[7] = was;
    m.time[0] = NAN;
    expect_refused(&m.plot.curves, path, ER_ERROR_ARGUMENT, "frame 0");
    motion_free(&m);
}

static void numbers_that_are_not_finite_are_one_clear_error(void **state)
{
    motion m = motion_case(context, "plain");
    const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, 1.1e50};
    size_t row = 3 * (size_t)m.model->coordinate_count;
    double *knee_z = &m.q[row + 4], was = *knee_z;
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        *knee_z = bad[i];
        expect_refused(&m.plot.curves, path, ER_ERROR_ARGUMENT, "z of joint 1 \"knee_l\"");
    }
    *knee_z = -2.5e50;
    expect_refused(&m.plot.curves, path, ER_ERROR_ARGUMENT, "frame 3");
    *knee_z = was;
    const double *const pose = (const double *)(const void *)&m.pose[2 * 8 + 1];
    for (int i = 0; i < 7; ++i) {
        double *number = (double *)(uintptr_t)&pose[i];
        was = *number;
        *number = i % 2 == 0 ? NAN : -1.1e50;
        expect_refused(&m.plot.curves, path, ER_ERROR_ARGUMENT, "the pose of body 1 \"knee_l\" in frame 2");
        *number = was;
    }
    m.pose[2 * 8 + 1].q.y = NAN;
    expect_refused(&m.plot.curves, "-", ER_ERROR_ARGUMENT, "pose of body 1");
    motion_free(&m);
}

// Names are told apart: a number of their place where there is none, or one of how many have it; what is no text is
// made readable.
static void joints_and_bodies_have_names_of_their_own(void **state)
{
    static const char *const want[] = {"joint 0",       "joint 1",
                                       "a,b",           "say \"hi\"",
                                       "line\nbreak\r", "\xC3\x96l \xE9\xAA\xA8 \xF0\x9D\x84\x9E",
                                       "twin",
                                       "twin (3)", // as the next is called "twin (2)"
                                       "twin (2)",      "twin (4)",
                                       "joint 0 (2)",   "bad \xEF\xBF\xBD\xEF\xBF\xBD end"};
    motion m = motion_case(context, "names");
    er_arena *arena;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    const char **joint = eri_joint_names(arena, m.model), **body = eri_body_names(arena, m.model);
    assert_true(joint != NULL && body != NULL);
    for (size_t i = 0; i < ERI_COUNT(want); ++i) {
        assert_string_equal(joint[i], want[i]);
        if (i > 1 && i != 10) assert_string_equal(body[i], want[i]);
    }
    assert_string_equal(body[0], "body 0");
    assert_string_equal(body[10], "joint 0");
    assert_string_equal(body[m.model->body_count - 1], "body 15");
    eri_arena_destroy(arena);
    motion_free(&m);
}

// A cell is quoted where it has what parts cells or lines, quotes doubled; what a spreadsheet would reckon with is told
// to be text.
static void words_are_cells(void **state)
{
    static const char *const cases[][2] = {{"plain", "plain"},
                                           {"", ""},
                                           {"a,b", "\"a,b\""},
                                           {"a;b", "\"a;b\""},
                                           {"say \"hi\"", "\"say \"\"hi\"\"\""},
                                           {"a\tb", "\"a\tb\""},
                                           {"a\rb", "\"a\rb\""},
                                           {"a\nb", "\"a\nb\""},
                                           {"=1+1", "'=1+1"},
                                           {"1=1+1-@", "1=1+1-@"},
                                           {"+1", "'+1"},
                                           {"-1", "'-1"},
                                           {"@a", "'@a"},
                                           {"\ta", "\"'\ta\""},
                                           {"\ra", "\"'\ra\""},
                                           {"\na", "\"'\na\""},
                                           {"=a,b", "\"'=a,b\""},
                                           {"\xEF\xBC\x9D"
                                            "1",
                                            "'\xEF\xBC\x9D"
                                            "1"},
                                           {"\xEF\xBC\x8B", "'\xEF\xBC\x8B"},
                                           {"\xEF\xBC\x8D", "'\xEF\xBC\x8D"},
                                           {"\xEF\xBC\xA0", "'\xEF\xBC\xA0"},
                                           {"\xEF\xBC\x9E", "\xEF\xBC\x9E"}};
    eri_out out;
    assert_int_equal(eri_out_begin(&out, context), ER_OK);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        size_t before = out.text.size;
        eri_table_word(&out, cases[i][0]);
        assert_int_equal(out.text.size - before, strlen(cases[i][1]));
        assert_memory_equal(out.text.bytes + before, cases[i][1], strlen(cases[i][1]));
    }
    assert_int_equal(eri_table_head(&out, "a,b", "tx"), ER_OK);
    assert_memory_equal(out.text.bytes + out.text.size - 9, ",\"a,b.tx\"", 9);
    eri_out_end(&out);
}

static void the_same_motion_gives_the_same_bytes(void **state)
{
    motion m = motion_case(context, "plain");
    for (size_t i = 0; i < ERI_COUNT(writers); ++i) {
        size_t size, other_size;
        setenv("TZ", "America/New_York", 1);
        assert_int_equal(writers[i](context, &m.plot.curves, path), ER_OK);
        setenv("TZ", "Asia/Tokyo", 1);
        char *bytes = read_bytes(path, &size);
        assert_int_equal(writers[i](context, &m.plot.curves, path), ER_OK);
        unsetenv("TZ");
        char *other = read_bytes(path, &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(bytes, other, size);
        free(bytes);
        free(other);
    }
    motion_free(&m);
}

static void a_motion_at_rest_has_these_bytes(void **state)
{
    static const known_bytes known[] = {{"first", 0x9505bfc4486b13d2}, {"second", 0xb540bf905eaadd26}, {NULL, 0}};
    motion m = motion_case(context, "still");
    for (size_t i = 0; i < ERI_COUNT(writers); ++i) {
        assert_int_equal(writers[i](context, &m.plot.curves, path), ER_OK);
        expect_bytes(path, i == 0 ? "first" : "second", known);
    }
    motion_free(&m);
}

// A number and the letter after it, both passed over.
static double next_number(const char **at, char after)
{
    char *end;
    double x = strtod(*at, &end);
    assert_true(end > *at && *end == after);
    *at = end + 1;
    return x;
}

// A row a time: the time in seconds, then every coordinate in degrees or metres, as the joints' types have them.
static void a_table_has_a_row_a_time(void **state)
{
    static const char head[] = "time_s,spine.tx,spine.ty,spine.tz,knee_l.tz,knee_l.z,drift.tx,drift.ty,drift.tz,"
                               "drift.x,drift.y,drift.z,hip.tx,hip.ty,slide.z,skate.tz,skate.x,skate.y\n";
    static const bool turns[] = {1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0};
    const int width = ERI_COUNT(turns);
    motion m = motion_case(context, "plain");
    size_t size;
    assert_int_equal(er_curves_write_csv(context, &m.plot.curves, path), ER_OK);
    char *bytes = read_bytes(path, &size);
    const char *at = bytes + strlen(head);
    assert_memory_equal(bytes, head, strlen(head));
    for (int f = 0; f < m.plot.curves.frame_count; ++f) {
        assert_true(next_number(&at, ',') == m.time[f]);
        for (int i = 0; i < width; ++i) {
            double x = next_number(&at, i + 1 < width ? ',' : '\n'), q = m.q[f * width + i];
            double expected = turns[i] ? q * (180.0 / 3.14159265358979323846) : q;
            assert_true(fabs(x - expected) <= 1e-15 * fabs(expected)); // of one rounding
        }
    }
    assert_true(at == bytes + size);
    free(bytes);
    motion_free(&m);
}

static writer *chosen;

static er_result write_one(er_context *own, const void *of)
{
    return chosen(own, of, path);
}

static void any_allocation_may_fail(void **state)
{
    static const char *const names[] = {"plain", "names", "still"};
    for (size_t n = 0; n < ERI_COUNT(names); ++n)
        for (size_t i = 0; i < ERI_COUNT(writers); ++i) {
            motion m = motion_case(context, names[n]);
            chosen = writers[i];
            ledger_refuse_each(write_one, &m.plot.curves, path);
            motion_free(&m);
        }
}

// A program in a locale of decimal commas gets points all the same, and its locale back.
static void a_locale_does_not_change_numbers(void **state)
{
    const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "pt_BR.UTF-8", "pl_PL.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < ERI_COUNT(locales) && !found; ++i)
        found = setlocale(LC_NUMERIC, locales[i]) != NULL;
    if (!found) {
        print_message("# no locale with decimal commas is installed\n");
        skip();
    }
    motion m = motion_case(context, "sine");
    assert_int_equal(er_curves_write_csv(context, &m.plot.curves, path), ER_OK);
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text, "0,5");
    size_t size;
    char *bytes = read_bytes(path, &size);
    const char *second = strchr(strchr(bytes, '\n') + 1, '\n') + 1;
    assert_true(strncmp(second, "0.0166", 6) == 0 && strcspn(second, ",") > 6);
    free(bytes);
    motion_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_one_clear_error),
        cmocka_unit_test(times_that_do_not_ascend_are_one_clear_error),
        cmocka_unit_test(numbers_that_are_not_finite_are_one_clear_error),
        cmocka_unit_test(joints_and_bodies_have_names_of_their_own),
        cmocka_unit_test(words_are_cells),
        cmocka_unit_test(the_same_motion_gives_the_same_bytes),
        cmocka_unit_test(a_motion_at_rest_has_these_bytes),
        cmocka_unit_test(a_table_has_a_row_a_time),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(a_locale_does_not_change_numbers),
    };
    return cmocka_run_group_tests_name("curves", tests, open_folder, tear_down);
}
