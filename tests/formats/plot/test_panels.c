// Curves over time: which joints are drawn, where their panels, lines and names stand, and what is said beside them,
// all worked out again from the numbers that went in.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bytes.h"
#include "../curves/motions.h"
#include "drawing.h"
#include "formats/plot/panel.h"
#include "formats/plot/svg.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static const double degree = ER_PI / 180.0;

static char *drawn(const motion *m)
{
    size_t size;
    const char *path = sample_path("panels.svg");
    if (er_curves_plot(context, &m->plot, path) != ER_OK) fail_msg("%s", er_context_error(context));
    return read_bytes(path, &size);
}

// ---- the page

static const er_joint_type mixed[] = {ER_JOINT_REVOLUTE, ER_JOINT_PRISMATIC};

// A hinge and a slider, or one of them, that move as they should; without lines, or with three modes that are mixed.
static motion page(bool turns, bool shifts, int lines)
{
    static const char *const names[] = {"hinge", "slider"};
    motion m = motion_make(context, 2, 2, mixed, names, 61);
    for (int f = 0; f < 61; ++f) {
        m.q[2 * f] = turns ? 0.5 * sin(0.3 * f) : 0.0;
        m.q[2 * f + 1] = shifts ? 0.125 * cos(0.2 * f) - 0.5 : 0.0;
    }
    if (lines == 0) return m;
    motion_modes(&m, 4, 0.0, 6.0); // 0, 2, 4 and 6 Hz
    m.line[0].degrees = 9.0;       // the largest, that has no period
    m.line[1].degrees = 2.0;
    m.line[3].degrees = 3.0;
    return m;
}

// Its axis up: the values with a twenty-fifth of air on both sides, zero among them.
static eri_axis values_up(const motion *m, int coordinate, double unit, double bottom, double top)
{
    eri_axis up = {.first = bottom, .last = top};
    int count = m->model->coordinate_count;
    for (int f = 0; f < m->plot.curves.frame_count; ++f) {
        up.low = fmin(up.low, unit * m->q[f * count + coordinate]);
        up.high = fmax(up.high, unit * m->q[f * count + coordinate]);
    }
    double air = (up.high - up.low) / 25.0;
    up.low -= air;
    up.high += air;
    return up;
}

// A ruler of a period stands there where that is no longer than the motion, but for rounding, and of several frames.
static void a_period_longer_than_the_motion_is_not_drawn(void **state)
{
    static const struct {
        double period;
        int frames;
        bool drawn;
    } cases[] = {{0.9, 61, true}, {1.0, 61, true}, {1.0 + 1e-12, 61, true}, {1.0 + 1e-6, 61, false}, {0.5, 1, false}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        motion m = page(true, false, 1);
        m.plot.curves.frame_count = cases[i].frames;
        m.q[0] = 0.1;
        m.line[3].hz = 1.0 / cases[i].period;
        char *svg = drawn(&m);
        assert_int_equal(strstr(svg, "class=\"period\"") != NULL, cases[i].drawn);
        free(svg);
        m.line[1].degrees = m.line[3].degrees; // of two alike the first
        m.line[1].label = "";                  // which is called by its place
        m.line[1].hz = m.line[3].hz;
        svg = drawn(&m);
        if (cases[i].drawn) assert_non_null(strstr(svg, "s, one period of 1</text>"));
        free(svg);
        char name[60] = "oooooooooooooooooooooooooooooooooooooooooooooooooo"; // of 300 pixels some 42 letters
        m.line[1].label = name;
        svg = drawn(&m);
        if (cases[i].drawn) {
            const char *words = drawing_mark(svg, svg + strlen(svg), "s, one period of ") + 17;
            snprintf(name, sizeof name, "%.*s", (int)strcspn(words, "<"), words);
            double width = eri_svg_width(name, ERI_SVG_FONT);
            assert_true(width <= 300.0 && width > 300.0 - 2.0 * eri_svg_width("o", ERI_SVG_FONT));
        }
        free(svg);
        motion_free(&m);
    }
}

// ---- lines

enum { JOINTS = 20 };

static double amplitude(int joint)
{
    static const double share[] = {0.4, 1.0, 0.1, 0.7, 0.0, 0.3, 0.0019, 0.9, 0.05, 0.8, 0.0021, 0.2, 0.6, 0.5};
    return joint < (int)ERI_COUNT(share) ? share[joint] : 0.02 * joint;
}

// Hinges that end where they are told to, in radians; their sizes peak in the middle.
static motion hinges(int joints, int frames, const double *ends)
{
    static const er_joint_type type = ER_JOINT_REVOLUTE;
    static const char *const names[] = {"n0",  "n1",  "n2",  "n3",  "n4",  "n5",  "n6",  "n7",  "n8",  "n9",
                                        "n10", "n11", "n12", "n13", "n14", "n15", "n16", "n17", "n18", "n19"};
    motion m = motion_make(context, joints, 1, &type, names, frames);
    for (int f = 0; f < frames; ++f)
        for (int k = 0; k < joints; ++k) {
            double t = frames > 1 ? (double)f / (frames - 1) : 1.0;
            m.q[f * joints + k] = ends != NULL ? ends[k] * t : amplitude(k) * sin(7.0 * t + k);
        }
    return m;
}

static uint64_t hashed(uint64_t hash, motion *m)
{
    const char *path = sample_path("panels.svg");
    if (er_curves_plot(context, &m->plot, path) != ER_OK) fail_msg("%s", er_context_error(context));
    motion_free(m);
    return hash_file(hash, path);
}

// Pages of one panel and more; lines in their colours, named beside their ends; single frames; words that are cut.
static void pages_have_these_bytes(void **state)
{
    static const known_bytes known[] = {{"pages", 0x4b046f7ebf9857c7}, {"lines", 0x5d2c1916e602e99c},
                                        {"names", 0x58526cf002969fed}, {"one frame", 0xd93a2764a4462bc2},
                                        {"words", 0x0134730b3950cd1a}, {NULL, 0}};
    static const int sizes[][2] = {{1, 30}, {4, 2}, {5, 40}, {7, 100}, {14, 50}, {20, 50}, {3, 1}};
    static const double times[] = {0.0, 3.5, -2e7, 4e8};
    static const er_joint_type slider = ER_JOINT_PRISMATIC;
    uint64_t hash = 0;
    dice d = {17};
    motion m;
    for (int i = 0; i < 12; ++i) {
        m = page(i % 2 != 0, i / 2 % 2 != 0, i / 4 == 0 ? 0 : 3);
        m.plot.subtitle = i / 4 == 2 ? "below it" : NULL;
        hash = hashed(hash, &m);
    }
    expect_hash(hash, "pages", known);
    hash = 0;
    for (size_t i = 0; i < ERI_COUNT(sizes); ++i) {
        m = hinges(sizes[i][0], sizes[i][1], NULL);
        hash = hashed(hash, &m);
    }
    expect_hash(hash, "lines", known);
    hash = 0;
    for (int trial = 0; trial < 24; ++trial) { // lines that end near each other, at the edges and in the middle
        double ends[ERI_CURVE_MOST], side = trial % 2 == 0 ? 1.0 : -1.0;
        int joints = 2 + trial % (ERI_CURVE_MOST - 1);
        for (int k = 0; k < joints; ++k) // the first spans the panel
            ends[k] = k == 0 ? side : side * dice_uniform(&d, 0.05, trial % 3 == 0 ? 0.2 : 0.99);
        m = hinges(joints, 2, ends);
        hash = hashed(hash, &m);
    }
    expect_hash(hash, "names", known);
    hash = 0;
    for (size_t i = 0; i < ERI_COUNT(times); ++i) {
        m = hinges(2, 1, NULL);
        m.time[0] = times[i];
        hash = hashed(hash, &m);
    }
    expect_hash(hash, "one frame", known);
    hash = 0;
    for (int letters = 10; letters < 140; ++letters) {
        char words[200];
        const char *const names[] = {words};
        memset(words, 'o', (size_t)letters);
        words[letters] = '\0';
        m = motion_make(context, 1, 1, &slider, names, 2);
        m.q[1] = 0.25;
        m.plot.title = letters % 2 == 0 ? words : NULL;
        m.plot.subtitle = letters % 3 == 0 ? words : NULL;
        hash = hashed(hash, &m);
    }
    expect_hash(hash, "words", known);
}

// Only the lowest and the highest of the frames in one column of pixels are drawn, in their order. The first and the
// last frame are always drawn.
static void long_motions_are_thinned_to_extremes(void **state)
{
    static const int lengths[] = {700, 1361, 5000};
    dice d = {23};
    for (size_t i = 0; i < ERI_COUNT(lengths); ++i) {
        int frames = lengths[i];
        motion m = hinges(1, frames, NULL);
        for (int f = 0; f < frames; ++f)
            m.q[f] = dice_uniform(&d, -1.0, 1.0);
        char *svg = drawn(&m);
        const char *at = drawing_mark(svg, svg + strlen(svg), "<polyline points=\"") + strlen("<polyline points=\"");
        eri_axis up = values_up(&m, 0, 1.0 / degree, 330.0, 60.0),
                 across = {false, 0.0, m.time[frames - 1], PAPER_LEFT, PAPER_RIGHT};
        int wanted[12000], count = 0;
        wanted[count++] = 0;
        for (int f = 1; f < frames;) {
            int low = f, high = f, begin = f;
            double column = floor(drawing_place(&across, m.time[begin]));
            for (; f < frames && floor(drawing_place(&across, m.time[f])) == column; ++f) {
                if (m.q[f] < m.q[low]) low = f;
                if (m.q[f] > m.q[high]) high = f;
            }
            wanted[count++] = low < high ? low : high;
            if (low != high) wanted[count++] = low < high ? high : low;
        }
        if (wanted[count - 1] != frames - 1) wanted[count++] = frames - 1;
        for (int k = 0; k < count; ++k) {
            double x, y;
            int used;
            assert_int_equal(sscanf(at, "%lf,%lf %n", &x, &y, &used), 2);
            at += used;
            assert_true(fabs(x - drawing_place(&across, m.time[wanted[k]])) < 0.051);
            assert_true(fabs(y - drawing_place(&up, m.q[wanted[k]] / degree)) < 0.051);
        }
        assert_int_equal(*at, '"');
        free(svg);
        motion_free(&m);
    }
}

// ---- which joints

// Each joint shows the coordinate that moves most, the first of equal ones. Joints are sorted by size, equal ones in
// their order. Joints that move less than rounding or 1/500 of the largest are left out.
static void joints_that_move_most_are_picked(void **state)
{
    static const er_joint_type types[] = {ER_JOINT_SPHERICAL, ER_JOINT_CYLINDRICAL, ER_JOINT_FIXED, ER_JOINT_FREE,
                                          ER_JOINT_PLANAR};
    dice d = {29};
    motion m = motion_make(context, 30, 5, types, NULL, 1);
    int full = 0, short_ones = 0;
    for (int trial = 0; trial < 300; ++trial) {
        double peak[200];
        bool shifts = trial % 2 != 0;
        double spread = trial % 3 == 0 ? 1.0 : 5.0, size = trial % 10 == 0 ? 1e-8 : 1.0;
        for (int i = 0; i < m.model->coordinate_count; ++i)
            peak[i] = size * pow(10.0, -dice_uniform(&d, 0.0, spread));
        for (int i = 1; i < m.model->coordinate_count; i += 2 + trial % 5)
            peak[i] = peak[i - 1] * (1.0 + (trial % 7 == 0 ? 1e-12 : 0.0)); // alike but for rounding
        int best[30], count = 0, total = 0, axis[6];
        for (int k = 0; k < 30; ++k) {
            int own = -1, at = m.model->coordinate[k], freedom = er_joint_type_freedom(m.model->joint[k].type, axis);
            for (int i = 0; i < freedom; ++i)
                if ((axis[i] >= 3) == shifts && (own < 0 || peak[at + i] > peak[own] * (1.0 + 1e-10))) own = at + i;
            if (own < 0) continue;
            int place = total++;
            for (; place > 0 && peak[own] > peak[best[place - 1]] * (1.0 + 1e-10); --place)
                best[place] = best[place - 1];
            best[place] = own;
        }
        double least = fmax(0.002 * peak[best[0]], shifts ? 1e-9 * m.model->size : 1e-9);
        while (count < total && count < ERI_CURVE_MOST && peak[best[count]] > least)
            ++count;
        eri_curve_set got;
        eri_curve_set_pick(m.model, peak, shifts, &got);
        assert_true(got.shifts == shifts && got.total == total && got.count == count);
        for (int i = 0; i < count; ++i) {
            const eri_curve *curve = &got.curve[i];
            assert_true(curve->index == best[i] && curve->peak == peak[best[i]]);
            er_joint_type_freedom(m.model->joint[curve->joint].type, axis);
            int own = curve->index - m.model->coordinate[curve->joint];
            assert_true(own >= 0 && curve->index < m.model->coordinate[curve->joint + 1] && curve->axis == axis[own]);
        }
        full += count == ERI_CURVE_MOST;
        short_ones += count < ERI_CURVE_MOST;
    }
    assert_true(full > 20 && short_ones > 20);
    motion_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_period_longer_than_the_motion_is_not_drawn),
        cmocka_unit_test(pages_have_these_bytes),
        cmocka_unit_test(long_motions_are_thinned_to_extremes),
        cmocka_unit_test(joints_that_move_most_are_picked),
    };
    return cmocka_run_group_tests_name("panels", tests, set_up, tear_down);
}
