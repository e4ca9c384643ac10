// The spectrum of a plot: its axis, which modes are named and in which row, and where all of it stands, worked out
// again from the modes that went in.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bytes.h"
#include "../curves/motions.h"
#include "base/arena.h"
#include "drawing.h"
#include "formats/plot/panel.h"
#include "formats/plot/svg.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

enum { MOST = 200, STEMS = 120 };
static er_spectrum_line line[MOST];
static er_arena *arena;

static eri_spectrum arranged(int count)
{
    const er_curves_figure plot = {.line_count = count, .line = line};
    eri_spectrum s;
    eri_arena_destroy(arena);
    arena = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    assert_int_equal(eri_spectrum_arrange(arena, &plot, &s), ER_OK);
    return s;
}

static void set_lines(int count, const double *hz)
{
    for (int i = 0; i < count; ++i)
        line[i] = (er_spectrum_line){.hz = hz[i]};
}

// ---- the axis

// From 0 where the lowest lies far below the highest, else around them all; logarithmic where they lie more than a
// factor of ten apart, with a place for 0 Hz left of it.
static void axes_suit_frequencies(void **state)
{
    static const struct {
        int count, zeros;
        double hz[4];
        eri_axis axis;
    } cases[] = {
        {2, 0, {5.0, 1.0}, {false, 0.0, 5.32, 60, 740}},                     // a twelfth and some more of air
        {2, 0, {1.0, 10.0}, {false, 0.0, 10.72, 60, 740}},                   // just ten times
        {2, 0, {10.01, 1.0}, {true, 1.0 / 1.1, 11.011, 60, 740}},            // and more
        {2, 0, {2.0, 5.0}, {false, 1.76, 5.24, 60, 740}},                    // two fifths of the highest
        {2, 0, {1.99, 5.0}, {false, 0.0, 5.0 + 0.08 * 3.01, 60, 740}},       // and less
        {2, 0, {4.0, 5.0}, {false, 3.92, 5.08, 60, 740}},                    // together
        {3, 0, {3.0, 3.0, 3.0}, {false, 2.85, 3.15, 60, 740}},               // one
        {2, 0, {3.0, 3.0 + 3e-9}, {false, 3.0 - 3e-6, 3.0 + 3e-6, 60, 740}}, // as good as one
        {3, 0, {4.0, 0.0, 5.0}, {false, 0.0, 5.08, 60, 740}},                // 0 Hz is on it
        {2, 0, {0.0, 0.0}, {false, 0.0, 1.0, 60, 740}},                      // nothing else is
        {4, 2, {0.0, 1.0, 20.0, 0.0}, {true, 1.0 / 1.1, 22.0, 90, 740}},     // 0 Hz lies beyond it
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        const eri_axis *want = &cases[i].axis;
        set_lines(cases[i].count, cases[i].hz);
        eri_spectrum s = arranged(cases[i].count);
        const eri_axis *is = &s.across;
        bool all_zero = cases[i].count == 2 && cases[i].hz[1] == 0.0;
        if (is->logarithmic != want->logarithmic || !(fabs(is->low - want->low) < 1e-8) ||
            !(fabs(is->high - want->high) < 1e-8) || is->first != want->first || is->last != want->last)
            fail_msg("case %zu: from %.9g to %.9g, at %g to %g", i, is->low, is->high, is->first, is->last);
        assert_true(s.zero_count == cases[i].zeros || all_zero);
        assert_true(s.count == 0 && s.label_count == 0 && s.row_count == 0 && s.tallest == 0.0);
        measure_at_most("height of a spectrum without names", fabs(eri_spectrum_height(&s) - 130.0), 0.0);
    }
}

// ---- names

static double name_end(const eri_label *f)
{
    return f->x + 5.0 + eri_svg_width(f->words, ERI_SVG_FONT);
}

// The digits that all frequencies of named modes have: as many as tell the nearest apart, and one; 4 to 9.
static int digits_of(const eri_spectrum *s)
{
    int digits = 4;
    for (int a = 0; a < s->label_count; ++a)
        for (int b = 0; b < s->label_count; ++b) {
            double high = line[s->label[a].line].hz, low = line[s->label[b].line].hz;
            if (!(high > low)) continue;
            while (digits < 9 && (high - low) / high < 10.0 * pow(10.0, -digits))
                ++digits;
        }
    return digits;
}

// The largest amplitudes are named, from right to left, one place by number; each in the lowest row where it stands
// clear of the poles of those right of it, eight pixels beside.
static void expect_names(int count)
{
    eri_spectrum s = arranged(count);
    int used = 0, rows = 0, smaller = 0;
    double tallest = 0.0, least = HUGE_VAL;
    bool named[MOST] = {false};
    for (int i = 0; i < count; ++i) {
        used += line[i].degrees > 0.0;
        tallest = fmax(tallest, line[i].degrees);
    }
    assert_true(s.count == used && s.tallest == tallest &&
                s.label_count == (used < ERI_LABEL_MOST ? used : ERI_LABEL_MOST));
    int digits = digits_of(&s);
    for (int i = 0; i < s.label_count; ++i) {
        const eri_label *f = &s.label[i];
        char want[200];
        int row = 0;
        bool zero = s.zero_count > 0 && line[f->line].hz == 0.0;
        assert_false(named[f->line]);
        named[f->line] = true;
        least = fmin(least, line[f->line].degrees);
        measure_at_most("place of a stem", fabs(f->x - (zero ? 68.0 : drawing_place(&s.across, line[f->line].hz))),
                        1e-9);
        assert_true(i == 0 || f->x < f[-1].x || (f->x == f[-1].x && f->line < f[-1].line));
        for (int k = 0; k < i; ++k)
            if (s.label[k].x < name_end(f) + 8.0 && s.label[k].row + 1 > row) row = s.label[k].row + 1;
        assert_int_equal(f->row, row);
        rows = row + 1 > rows ? row + 1 : rows;
        snprintf(want, sizeof want, "  %.*g Hz  %.3g\xC2\xB0", digits, line[f->line].hz, line[f->line].degrees);
        assert_string_equal(f->words + strlen(f->words) - strlen(want), want);
        double room = PAPER_WIDE - PAPER_RIGHT - 12.0;
        assert_true(eri_svg_width(f->words, ERI_SVG_FONT) <= room + 1e-9);
        char name[40];
        snprintf(name, sizeof name, "%d", f->line);
        const char *label = line[f->line].label != NULL && line[f->line].label[0] != '\0' ? line[f->line].label : name;
        bool whole = eri_svg_width(label, ERI_SVG_FONT) + eri_svg_width(want, ERI_SVG_FONT) <= room;
        assert_int_equal(strncmp(f->words, label, strlen(label)) == 0, whole);
        assert_true(whole || eri_svg_width(f->words, ERI_SVG_FONT) > room - 24.0);
    }
    for (int i = 0; i < count; ++i)
        smaller += !named[i] && line[i].degrees > least;
    assert_true(smaller == 0 && s.row_count == rows);
    measure_at_most("height of a spectrum", fabs(eri_spectrum_height(&s) - (130.0 + 14.0 * rows)), 0.0);
}

static void the_largest_are_named_clear_of_poles(void **state)
{
    static char label[MOST][60];
    dice d = {37};
    for (int trial = 0; trial < trials(120); ++trial) {
        int count = 1 + (int)dice_uniform(&d, 0.0, trial % 4 == 0 ? 150.0 : 12.0);
        double low = pow(10.0, dice_uniform(&d, -2.0, 2.0)), wide = pow(10.0, dice_uniform(&d, -7.0, 2.5));
        for (int i = 0; i < count; ++i) {
            memset(label[i], 'o', sizeof label[i]);
            label[i][(int)dice_uniform(&d, 0.0, 40.0)] = '\0';
            line[i] =
                (er_spectrum_line){.hz = low * (1.0 + wide * dice_uniform(&d, 0.0, 1.0)),
                                   .degrees = trial % 3 == 0 && i % 3 == 0 ? 0.0 : floor(dice_uniform(&d, 1.0, 30.0)),
                                   .label = i % 5 == 4 ? NULL : label[i]};
            if (trial % 6 == 5 && i % 4 == 0) line[i].hz = 0.0;
            if (i > 0 && i % 7 == 0) line[i].hz = line[i - 1].hz;
        }
        expect_names(count);
    }
}

// If amplitudes are equal, the first modes are named.
static void of_many_alike_the_first_are_named(void **state)
{
    for (int i = 0; i < 60; ++i)
        line[i] = (er_spectrum_line){.hz = 100.0 - i, .degrees = i == 59 ? 2.0 : 1.0};
    eri_spectrum s = arranged(60);
    assert_int_equal(s.label_count, ERI_LABEL_MOST);
    for (int i = 0; i < ERI_LABEL_MOST; ++i)
        assert_true(s.label[i].line < ERI_LABEL_MOST - 1 || s.label[i].line == 59);
}

// ---- the drawing

static uint64_t drawn(int count)
{
    static const er_joint_type type = ER_JOINT_REVOLUTE;
    motion m = motion_make(context, 1, 1, &type, NULL, 1);
    const char *path = sample_path("spectrum.svg");
    m.plot.line_count = count;
    m.plot.line = line;
    if (er_curves_plot(context, &m.plot, path) != ER_OK) fail_msg("%s", er_context_error(context));
    motion_free(&m);
    return hash_file(0, path);
}

static void spectra_have_these_bytes(void **state)
{
    static const known_bytes known[] = {{"4 modes", 0x3712d6868b3b21c7},
                                        {"7 modes", 0x248f991a2f33ad53},
                                        {"150 modes", 0xad79c07c08b21a9f},
                                        {"1 mode", 0xc3e273cbf7da63fa},
                                        {NULL, 0}};
    for (int i = 0; i < 4; ++i) // two of four mixed, on a linear axis
        line[i] = (er_spectrum_line){.hz = 4.0 + 0.5 * i, .degrees = i % 2 == 0 ? 3.0 + i : 0.0};
    expect_hash(drawn(4), "4 modes", known);
    for (int i = 0; i < 7; ++i) // over a logarithmic one, with one beyond
        line[i] = (er_spectrum_line){.hz = i == 0 ? 0.0 : pow(3.0, i), .degrees = i < 5 ? 1.0 + i : 0.0};
    expect_hash(drawn(7), "7 modes", known);
    for (int i = 0; i < 150; ++i) // more than have names, some in one place
        line[i] = (er_spectrum_line){.hz = 1.0 + 0.01 * (i / 2), .degrees = i % 10 == 9 ? 0.0 : 1.0 + i % 17};
    line[149].hz = 1.9;
    expect_hash(drawn(150), "150 modes", known);
    line[0] = (er_spectrum_line){.hz = 2.0};
    expect_hash(drawn(1), "1 mode", known);
    eri_arena_destroy(arena);
    arena = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_suit_frequencies),
        cmocka_unit_test(the_largest_are_named_clear_of_poles),
        cmocka_unit_test(of_many_alike_the_first_are_named),
        cmocka_unit_test(spectra_have_these_bytes),
    };
    return cmocka_run_group_tests_name("spectrum", tests, set_up, tear_down);
}
