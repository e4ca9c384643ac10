// Plots of motions: what is refused, what is left behind, and their bytes. test_plot.py has them drawn.
#include <eigenrig/plots.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bytes.h"
#include "../curves/motions.h"
#include "base/arena.h"
#include "base/text.h"
#include "formats/plot/svg.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static const char *const cases[] = {"plain", "names",   "sine",  "crowd", "close",
                                    "wide",  "extreme", "epoch", "still", "frame"};

static char path[512];

static int open_folder(void **state)
{
    snprintf(path, sizeof path, "%s", sample_path("a.svg"));
    return set_up(state);
}

static void expect_refused(const er_curves_figure *plot, const char *to, er_result expected, const char *named)
{
    unlink(path);
    assert_refusal(context, er_curves_plot(context, plot, to), expected, named);
    assert_null(strchr(er_context_error(context), '\n'));
    assert_int_equal(count_files(sample_folder()), 0);
}

static void bad_arguments_are_one_clear_error(void **state)
{
    motion m = motion_case(context, "sine");
    er_curves_figure good = m.plot, p = good;
    assert_int_equal(er_curves_plot(NULL, &good, path), ER_ERROR_ARGUMENT);
    expect_refused(NULL, path, ER_ERROR_ARGUMENT, "");
    expect_refused(&good, NULL, ER_ERROR_ARGUMENT, "");
    p.line = NULL;
    expect_refused(&p, path, ER_ERROR_ARGUMENT, "");
    p = good;
    p.line_count = -1;
    expect_refused(&p, path, ER_ERROR_ARGUMENT, "");
    p = good;
    p.curves.frame_count = 0;
    expect_refused(&p, path, ER_ERROR_ARGUMENT, "");
    expect_refused(&good, "nowhere/at/all.svg", ER_ERROR_FILE, "nowhere/at/all.svg");
    motion_free(&m);
}

static void bad_numbers_are_one_clear_error(void **state)
{
    motion m = motion_case(context, "sine");
    const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e51, -1.0};
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        m.line[2].hz = bad[i];
        expect_refused(&m.plot, path, ER_ERROR_ARGUMENT, "line 2");
        m.line[2].hz = 2.0;
        m.line[1].degrees = bad[i];
        expect_refused(&m.plot, path, ER_ERROR_ARGUMENT, "line 1");
        m.line[1].degrees = 0.0;
    }
    m.line[2].hz = HUGE_VAL;
    m.line[2].degrees = 3.0;
    expect_refused(&m.plot, path, ER_ERROR_ARGUMENT, "a.svg: ");
    m.line[2] = (er_spectrum_line){.hz = 2.0};
    m.q[5] = NAN;
    expect_refused(&m.plot, path, ER_ERROR_ARGUMENT, "joint 0 \"hinge\" is nan in frame 5");
    m.q[5] = 0.0;
    m.time[5] = m.time[4];
    expect_refused(&m.plot, path, ER_ERROR_ARGUMENT, "frame 5");
    motion_free(&m);
}

static void poses_are_not_looked_at(void **state)
{
    motion m = motion_case(context, "sine");
    m.pose[0].p.x = NAN;
    assert_int_equal(er_curves_plot(context, &m.plot, path), ER_OK);
    motion_free(&m);
}

static char *drawn(const motion *m, size_t *size)
{
    if (er_curves_plot(context, &m->plot, path) != ER_OK) fail_msg("%s", er_context_error(context));
    return read_bytes(path, size);
}

static void motions_have_these_bytes(void **state)
{
    static const known_bytes known[] = {{"plain", 0xa5f84da41a1d6088},
                                        {"names", 0x14ba113713c69a4e},
                                        {"sine", 0xd8b47966b3f2a5af},
                                        {"crowd", 0x17edcd73b3e2247c},
                                        {"close", 0xd0426bcaf3585329},
                                        {"wide", 0xd3dd30f1b1913e2b},
                                        {"extreme", 0xfd55db1bc24031e1},
                                        {"epoch", 0xd9e3a1fd84de2a98},
                                        {"still", 0x6bc6a418c1d55ced},
                                        {"frame", 0x263b8c8866a080d8},
                                        {NULL, 0}};
    bool comma = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL; // where it is installed, that changes nothing
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        motion m = motion_case(context, cases[i]);
        assert_int_equal(er_curves_plot(context, &m.plot, path), ER_OK);
        expect_bytes(path, cases[i], known);
        motion_free(&m);
    }
    if (comma) setlocale(LC_NUMERIC, "C");
}

// ---- curves

// Where the text of a class stands.
static void find_text(const char *svg, const char *class, const char *text, double at[2])
{
    for (const char *line = svg; (line = strstr(line, "<text ")) != NULL; ++line) {
        const char *end = strchr(line, '\n'), *is = strstr(line, class), *begin = strchr(line, '>');
        if (is == NULL || is > begin || strncmp(begin + 1, text, strlen(text)) != 0 || begin[1 + strlen(text)] != '<')
            continue;
        assert_true(end != NULL && sscanf(line, "<text x=\"%lf\" y=\"%lf\"", &at[0], &at[1]) == 2);
        return;
    }
    fail_msg("there is no %s \"%s\"", class, text);
}

// A hinge that swings by 30 degrees for two periods of a second: a point a frame, where the axes' numbers have it, and
// all within the frame.
static void curves_stand_where_the_axes_say(void **state)
{
    motion m = motion_case(context, "sine");
    size_t size;
    double zero, left, right, top, bottom, begin[2], end[2], low[2], high[2];
    assert_int_equal(er_curves_plot(context, &m.plot, path), ER_OK);
    char *svg = read_bytes(path, &size);
    const char *line = strstr(svg, "class=\"zero\""), *axes = strstr(svg, "<path d=\"M60 "),
               *at = strstr(svg, "<polyline points=\"");
    assert_true(line != NULL && axes != NULL && at != NULL);
    assert_int_equal(sscanf(line, "class=\"zero\" d=\"M60 %lf", &zero), 1);
    assert_int_equal(sscanf(axes, "<path d=\"M%lf %lfV%lfH%lf", &left, &top, &bottom, &right), 4);
    find_text(svg, "class=\"x\"", "0", begin);
    find_text(svg, "class=\"x\"", "2", end);
    find_text(svg, "class=\"y\"", "0", low);
    find_text(svg, "class=\"y\"", "30", high);
    assert_true(begin[0] < end[0] && high[1] < low[1]);
    at = strchr(at, '"') + 1;
    for (int f = 0; f < m.plot.curves.frame_count; ++f) {
        double x, y, t = m.time[f], degrees = 30.0 * sin(2.0 * ER_PI * t);
        int length;
        assert_int_equal(sscanf(at, "%lf,%lf %n", &x, &y, &length), 2);
        at += length;
        measure_at_most("column of a point", fabs(x - (begin[0] + (end[0] - begin[0]) * t / 2.0)), 0.11); // of a tenth
        measure_at_most("row of a point", fabs(y - (zero + (high[1] - low[1]) * degrees / 30.0)), 0.22);
        assert_true(x >= left && x <= right && y > top && y < bottom);
    }
    assert_int_equal(*at, '"');
    free(svg);
    unlink(path);
    motion_free(&m);
}

// ---- words

// Widths in DejaVu Sans, of the font's size: none is taken for less, and those of a sentence for little more.
static void words_are_as_wide_as_in_the_widest_font(void **state)
{
    static const struct {
        const char *letters;
        double width;
    } font[] = {{"ijlI'", 0.275}, {"ft", 0.35},         {"r", 0.411},      {"cszJ ,.:-()/", 0.29},
                {"aoe", 0.612},   {"bdghnpqu", 0.634},  {"kvxy", 0.579},   {"w", 0.818},
                {"m", 0.974},     {"W", 0.989},         {"M", 0.863},      {"ABCGHKNRVX", 0.655},
                {"DOQU", 0.732},  {"EFLPSTYZ", 0.557},  {"+=<>~#", 0.838}, {"@", 1.0},
                {"%", 0.95},      {"0123456789", 0.636}};
    for (size_t i = 0; i < ERI_COUNT(font); ++i)
        for (const char *c = font[i].letters; *c != '\0'; ++c) {
            const char word[] = {*c, '\0'};
            assert_true(eri_svg_width(word, 1.0) >= font[i].width &&
                        eri_svg_width(word, 20.0) == 20.0 * eri_svg_width(word, 1.0));
        }
    // "left shoulder, 12.5 degrees in mode 7 of 40", by the same font
    double is = eri_svg_width("left shoulder, 12.5 degrees in mode 7 of 40", 1.0), actual = 21.7;
    assert_true(is > actual && is < 1.25 * actual);
    assert_true(eri_svg_width("\xe8\xb6\xb3\xe9\xa6\x96", 1.0) >= 2.0 && eri_svg_width("\xc3\x9f\xff", 1.0) <= 2.0);
    assert_true(eri_svg_width("", 9.0) == 0.0);
}

// Long words lose their middle. Both ends stay, about equally long, and no letter that would fit is left out.
static void long_words_are_cut_in_the_middle(void **state)
{
    static const char *const words[] = {"mixamorig:LeftForeArmTwist_end_017",
                                        "\xe8\xb6\xb3\xe9\xa6\x96 of the left leg, twisted",
                                        "iiiiiiiiiiiiiiiWWWWWWWWWWWW"};
    er_arena *arena = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    for (size_t i = 0; i < ERI_COUNT(words); ++i) {
        double full = eri_svg_width(words[i], ERI_SVG_FONT);
        assert_ptr_equal(eri_svg_fit(arena, words[i], ERI_SVG_FONT, full), words[i]);
        for (double width = 3.0 * ERI_SVG_FONT; width < full - 0.01; width += 3.7) {
            const char *cut = eri_svg_fit(arena, words[i], ERI_SVG_FONT, width), *dots = strstr(cut, "\xe2\x80\xa6");
            assert_non_null(dots);
            size_t head = (size_t)(dots - cut), tail = strlen(dots + 3), length = strlen(words[i]);
            assert_true(eri_svg_width(cut, ERI_SVG_FONT) <= width + 1e-9);
            assert_memory_equal(cut, words[i], head);
            assert_string_equal(dots + 3, words[i] + length - tail);
            double half = 0.5 * (width - ERI_SVG_FONT);
            char part[80];
            snprintf(part, sizeof part, "%.*s", (int)head, words[i]);
            assert_true(eri_svg_width(part, ERI_SVG_FONT) > half - ERI_SVG_FONT - 1e-9); // one letter more is too wide
            assert_true(eri_svg_width(dots + 3, ERI_SVG_FONT) > half - ERI_SVG_FONT - 1e-9);
            assert_true(eri_utf8_valid(cut));
        }
    }
    eri_arena_destroy(arena);
}

// ---- the page

// A line of text and the room that it takes.
typedef struct line {
    double left, right, base;
    char words[200];
} line;

static double least(double a, double b)
{
    return a < b ? a : b;
}

// Lines that stand by their left end, their middle or their right one; a heading's second part follows its first.
static int read_lines(const char *svg, line *out, int most)
{
    int count = 0;
    for (const char *at = svg; (at = strstr(at, "<text ")) != NULL; ++at, ++count) {
        double x, y;
        const char *begin = strchr(at, '>') + 1, *end = strstr(begin, "</text>"),
                   *anchor = strstr(at, "text-anchor=\"");
        const char *size = strstr(at, "font-size=\"");
        line *l = &out[count];
        size_t used = 0;
        double shift = 0.0;
        assert_true(count < most && end != NULL);
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
        for (const char *c = begin; c < end && used + 1 < sizeof l->words; ++c) {
            if (strncmp(c, "<tspan dx=\"10\"", 14) == 0) shift = 10.0;
            if (*c == '<')
                while (c < end && *c != '>')
                    ++c;
            else
                l->words[used++] = *c;
        }
        l->words[used] = '\0';
        double width =
            shift + eri_svg_width(l->words, size != NULL && size < begin ? strtod(size + 11, NULL) : ERI_SVG_FONT);
        bool anchored = anchor != NULL && anchor < begin;
        l->left = !anchored ? x : strncmp(anchor + 13, "end", 3) == 0 ? x - width : x - 0.5 * width;
        l->right = l->left + width;
        l->base = y;
    }
    return count;
}

// Each line of text is on the page, and none overlaps another. Widths are those of the widest font that a reader may
// have.
static void no_two_lines_of_text_meet(void **state)
{
    enum { MOST = 400, HEIGHT = 9 }; // pixels, of letters without a tail
    static line lines[MOST];
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        motion m = motion_case(context, cases[i]);
        size_t size;
        double wide, tall;
        char *svg = drawn(&m, &size);
        assert_int_equal(sscanf(strstr(svg, "viewBox="), "viewBox=\"0 0 %lf %lf\"", &wide, &tall), 2);
        int count = read_lines(svg, lines, MOST);
        assert_true(count > 3);
        for (int a = 0; a < count; ++a) {
            const line *l = &lines[a];
            if (l->left < 0.0 || l->right > wide || l->base < HEIGHT || l->base > tall - 2.0)
                fail_msg("%s: \"%s\" from %g to %g at %g is not on the page", cases[i], l->words, l->left, l->right,
                         l->base);
            for (int b = 0; b < a; ++b) {
                double across = least(l->right, lines[b].right) - (l->left > lines[b].left ? l->left : lines[b].left);
                if (across > 0.0 && fabs(l->base - lines[b].base) < HEIGHT)
                    fail_msg("%s: \"%s\" runs into \"%s\"", cases[i], l->words, lines[b].words);
            }
        }
        free(svg);
        motion_free(&m);
    }
}

static er_result write_plot(er_context *own, const void *of)
{
    return er_curves_plot(own, of, path);
}

static void any_allocation_may_fail(void **state)
{
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        motion m = motion_case(context, cases[i]);
        ledger_refuse_each(write_plot, &m.plot, path);
        motion_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_one_clear_error), cmocka_unit_test(bad_numbers_are_one_clear_error),
        cmocka_unit_test(poses_are_not_looked_at),           cmocka_unit_test(motions_have_these_bytes),
        cmocka_unit_test(curves_stand_where_the_axes_say),   cmocka_unit_test(words_are_as_wide_as_in_the_widest_font),
        cmocka_unit_test(long_words_are_cut_in_the_middle),  cmocka_unit_test(no_two_lines_of_text_meet),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("plot", tests, open_folder, tear_down);
}
