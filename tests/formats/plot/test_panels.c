// Curves over time: which joints are drawn, where their panels, lines and names stand, and what is said beside them,
// all worked out again from the numbers that went in.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
    char path[300];
    snprintf(path, sizeof path, "%s/panels.svg", sample_folder());
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

static void expect_page(motion *m, bool turns, bool shifts)
{
    char want[300];
    char *svg = drawn(m);
    const char *end = svg + strlen(svg), *title = m->plot.title, *subtitle = m->plot.subtitle;
    double y = 12.0;
    if (title != NULL && title[0] != '\0') {
        drawn_text text = drawing_find(svg, end, title);
        assert_true(text.x == PAPER_LEFT && text.y == 29.0);
        assert_string_equal(text.style, " font-size=\"16\" font-weight=\"bold\"");
        y += 22.0;
    }
    snprintf(want, sizeof want, "<title>%s</title>", y > 12.0 ? title : "made up");
    drawing_mark(svg, end, want);
    if (subtitle != NULL && subtitle[0] != '\0') {
        drawn_text text = drawing_find(svg, end, subtitle);
        assert_true(text.x == PAPER_LEFT && text.y == y + 10.0);
        assert_string_equal(text.style, " fill=\"#666\"");
        y += 18.0;
    }
    const eri_axis across = {false, 0.0, 1.0, PAPER_LEFT, PAPER_RIGHT};
    bool angles = turns || !shifts, ruler = m->plot.line_count > 0;
    int group = 0;
    assert_int_equal(drawing_count(svg, end, "<g id=\"angles\">"), angles);
    assert_int_equal(drawing_count(svg, end, "<g id=\"lengths\">"), shifts);
    assert_int_equal(drawing_count(svg, end, "<g id=\"spectrum\">"), ruler);
    assert_int_equal(drawing_count(svg, end, "class=\"period\""), ruler);
    for (int k = 0; k < 2; ++k) {
        if (k == 0 ? !angles : !shifts) continue;
        const char *at = strstr(svg, k == 0 ? "<g id=\"angles\">" : "<g id=\"lengths\">"), *to = strstr(at, "\n</g>\n");
        double high = k == 0 ? 270.0 : 170.0, top = y + 26.0, low = top + (ruler && group == 0 ? 24.0 : 0.0);
        eri_axis up = values_up(m, k, k == 0 ? 1.0 / degree : 1.0, top + high, low);
        if (!turns && !shifts) up.low = -1.08, up.high = 1.08;
        drawing_expect_panel(at, to, top, &across, &up, k == 0 ? "Joint angles, degrees" : "Joint shifts, metres",
                             !turns && !shifts ? "no joint moves" : "", "seconds");
        assert_int_equal(drawing_count(at, to, "class=\"period\""), ruler && group == 0);
        if (ruler && group == 0) { // of the mode that is most of the motion and has a period
            const char *period = drawing_mark(at, to, "<path class=\"period\"");
            snprintf(want, sizeof want, "<path class=\"period\" d=\"M60.0 %.1fv6m0 -3H%.1fm0 -3v6\"", top + 17.0,
                     PAPER_LEFT + 680.0 / 6.0);
            assert_int_equal(strncmp(period, want, strlen(want)), 0);
            drawn_text text = drawing_find(at, to, "0.167 s, one period of mode 03");
            assert_true(text.x == PAPER_LEFT + 6.0 && text.y == top + 13.0);
        }
        y = top + high + 36.0;
        ++group;
    }
    if (ruler) { // stems and one row of names, of three that are mixed, over each other
        const char *at = strstr(svg, "<g id=\"spectrum\">");
        double tall = 0.0, top;
        assert_int_equal(sscanf(strstr(at, "<text x=\"60\" y="), "<text x=\"60\" y=\"%lf\"", &top), 1);
        assert_true(top == y + 16.0);
        for (const char *name = at; (name = strstr(name, "class=\"flag\"")) != NULL; ++name) {
            double row;
            const char *text = name;
            while (strncmp(text, "<text", 5) != 0)
                --text;
            assert_int_equal(sscanf(text, "<text x=\"%*f\" y=\"%lf\"", &row), 1);
            tall = fmax(tall, 0.0);
            if (tall == 0.0 || row < tall) tall = row; // the highest row
        }
        const char *frame = strstr(at, "<path d=\"M60 ");
        double from, bottom;
        while (sscanf(frame, "<path d=\"M60 %lfV%lfH740\"", &from, &bottom) != 2)
            frame = strstr(frame + 1, "<path d=\"M60 ");
        assert_true(from == y + 26.0 && tall == from + 14.0);
        y = bottom + 36.0;
    }
    snprintf(want, sizeof want, "viewBox=\"0 0 960 %.0f\" width=\"960\" height=\"%.0f\"", y, y);
    drawing_mark(svg, end, want);
    free(svg);
}

// Whatever there is to draw, panels stand one below the other and end with the page.
static void panels_fill_the_page(void **state)
{
    (void)state;
    static const char *const words[] = {NULL, "", "a line"};
    for (int what = 0; what < 8; ++what) {
        bool turns = what % 2 != 0, shifts = what / 2 % 2 != 0;
        motion m = page(turns, shifts, what / 4);
        for (int i = 0; i < 4; ++i) {
            m.plot.title = words[(i + what) % 3];
            m.plot.subtitle = i >= 2 ? "another" : words[i];
            expect_page(&m, turns, shifts);
        }
        motion_free(&m);
    }
}

// A title stays whole where it fits, in bold letters of 16 pixels, a fifth wider than plain ones; else as much of it
// stays as fits. So does what stands below it, in letters of 11.
static void titles_fit_the_page(void **state)
{
    (void)state;
    motion m = page(true, false, 0);
    char words[200];
    for (int line = 0; line < 2; ++line)
        for (int letters = 60; letters < 140; ++letters) {
            double size = line == 0 ? 1.2 * 16.0 : 11.0, room = PAPER_WIDE - PAPER_LEFT - 8.0;
            memset(words, 'o', (size_t)letters);
            words[letters] = '\0';
            m.plot.title = line == 0 ? words : NULL;
            m.plot.subtitle = line == 1 ? words : NULL;
            char *svg = drawn(&m);
            drawn_text text;
            assert_non_null(drawing_text(svg, svg + strlen(svg), &text));
            double width = eri_svg_width(text.words, size);
            assert_true(width <= room);
            assert_int_equal(strcmp(text.words, words) == 0, eri_svg_width(words, size) <= room);
            assert_true(strcmp(text.words, words) == 0 || width > room - 2.0 * size * eri_svg_width("o", 1.0));
            free(svg);
        }
    motion_free(&m);
}

// A ruler of a period stands there where that is no longer than the motion, but for rounding, and of several frames.
static void a_period_longer_than_the_motion_is_not_drawn(void **state)
{
    (void)state;
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

static double peak_of(const motion *m, int coordinate)
{
    double peak = 0.0;
    for (int f = 0; f < m->plot.curves.frame_count; ++f)
        peak = fmax(peak, fabs(m->q[f * m->model->coordinate_count + coordinate]));
    return peak;
}

// The stroke of the line, and of the leader to its name.
static void stroke_of(int rank, char out[160])
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a6a00", "#56b4e9"};
    snprintf(out, 160, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s ", colours[rank % 6],
             rank >= 6 ? " stroke-dasharray=\"5 2\"" : "");
}

// Names of `count` lines that end at these pixels, given from the top: each pushed below the one before, each pushed
// above the one after it, and the mean of both.
static void spread_names(int count, const double *want, double low, double high, double *out)
{
    double down[ERI_MOVER_MOST], up[ERI_MOVER_MOST];
    for (int i = 0; i < count; ++i) {
        double room = high - 13.0 * (count - 1 - i), at = want[i] > room ? room : want[i];
        down[i] = i == 0 ? fmax(at, low) : fmax(at, down[i - 1] + 13.0);
    }
    for (int i = count - 1; i >= 0; --i) {
        double room = low + 13.0 * i, at = want[i] < room ? room : want[i];
        up[i] = i == count - 1 ? fmin(at, high) : fmin(at, up[i + 1] - 13.0);
    }
    for (int i = 0; i < count; ++i)
        out[i] = 0.5 * (down[i] + up[i]);
}

// Lines are drawn from the least to the largest, each in its colour, named with its size, and led to its name beside
// its end; names keep the order of the ends.
static void expect_lines(const motion *m, const int *ranked, int count)
{
    char *svg = drawn(m), want[300];
    int frames = m->plot.curves.frame_count, joints = m->model->joint_count;
    const char *at = strstr(svg, "<g id=\"angles\">"), *to = strstr(at, "\n</g>\n") + 1;
    double top = 34.0 + 26.0, bottom = top + 270.0, end[ERI_MOVER_MOST], sorted[ERI_MOVER_MOST], place[ERI_MOVER_MOST];
    eri_axis up = {.first = bottom, .last = top};
    for (int i = 0; i < count; ++i) {
        eri_axis own = values_up(m, ranked[i], 1.0 / degree, bottom, top);
        double air = (own.high - own.low) / 27.0;
        up.low = fmin(up.low, own.low + air);
        up.high = fmax(up.high, own.high - air);
    }
    double air = (up.high - up.low) / 25.0;
    up.low -= air;
    up.high += air;
    for (int i = 0; i < count; ++i) {
        end[i] = drawing_place(&up, m->q[(frames - 1) * joints + ranked[i]] / degree);
        int k = i;
        for (; k > 0 && sorted[k - 1] > end[i]; --k)
            sorted[k] = sorted[k - 1];
        sorted[k] = end[i];
    }
    spread_names(count, sorted, top + 4.0, bottom - 4.0, place);
    assert_int_equal(drawing_count(at, to, "<polyline"), count);
    for (int i = count - 1; i >= 0; --i) {
        char stroke[160];
        double x = 0.0, y = 0.0, lead[4];
        int rank = 0, used = 0;
        for (int k = 0; k < count; ++k)
            rank += end[k] < end[i] || (end[k] == end[i] && k < i);
        stroke_of(i, stroke);
        snprintf(want, sizeof want, "<g><title>n%d tz, up to %.3g\xC2\xB0</title><polyline points=\"", ranked[i],
                 peak_of(m, ranked[i]) / degree);
        at = drawing_mark(at, to, "<g><title>");
        if (strncmp(at, want, strlen(want)) != 0) fail_msg("%.60s in place of %s", at, want);
        for (at += strlen(want); sscanf(at, "%lf,%lf %n", &x, &y, &used) == 2; at += used)
            continue;
        snprintf(want, sizeof want, "\" %sstroke-linejoin=\"round\"", stroke);
        assert_int_equal(strncmp(at, want, strlen(want)), 0);
        at = drawing_mark(at, to, "</g>\n<path d=\"M") + strlen("</g>\n");
        assert_int_equal(
            sscanf(at, "<path d=\"M%lf %lfL%lf %lfh12\" %n", &lead[0], &lead[1], &lead[2], &lead[3], &used), 4);
        assert_int_equal(strncmp(at + used, stroke, strlen(stroke)), 0);
        assert_true(lead[0] == x && lead[1] == y && lead[0] == PAPER_RIGHT && lead[2] == PAPER_RIGHT + 10.0);
        measure_at_most("end of a line", fabs(y - end[i]), 0.051);
        measure_at_most("place of a name", fabs(lead[3] - place[rank]), 0.051);
        snprintf(want, sizeof want, "n%d tz", ranked[i]);
        drawn_text text = drawing_find(at, to, want);
        measure_at_most("a name beside its leader", fabs(text.y - lead[3] - 4.0), 0.11);
        assert_true(text.x == PAPER_RIGHT + 26.0);
    }
    free(svg);
}

// Joints by size, those too small to see left out.
static int rank_joints(const motion *m, int *out)
{
    int count = 0;
    double largest = 0.0;
    for (int k = 0; k < m->model->joint_count; ++k)
        largest = fmax(largest, peak_of(m, k));
    for (int k = 0; k < m->model->joint_count; ++k) {
        int at = count;
        if (!(peak_of(m, k) > 0.002 * largest)) continue;
        for (; at > 0 && peak_of(m, out[at - 1]) < peak_of(m, k); --at)
            out[at] = out[at - 1];
        out[at] = k;
        ++count;
    }
    return count < ERI_MOVER_MOST ? count : ERI_MOVER_MOST;
}

static void lines_have_their_colours_and_names(void **state)
{
    (void)state;
    static const struct {
        int joints, frames;
        const char *besides;
    } cases[] = {{1, 30, ""},
                 {4, 2, ""},
                 {5, 40, "4 of 5 joints; 1 that hardly moves is left out"},
                 {7, 100, "5 of 7 joints; 2 that hardly move are left out"},
                 {14, 50, "the 12 joints of 14 that move most; 2 are left out"},
                 {20, 50, "the 12 joints of 20 that move most; 8 are left out"},
                 {3, 1, ""}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        motion m = hinges(cases[i].joints, cases[i].frames, NULL);
        int ranked[JOINTS], count = rank_joints(&m, ranked);
        expect_lines(&m, ranked, count);
        char *svg = drawn(&m), want[120];
        snprintf(want, sizeof want, "fill=\"#666\">%s%s", cases[i].besides,
                 cases[i].besides[0] == '\0' ? "</tspan>" : "");
        assert_non_null(strstr(svg, want));
        free(svg);
        motion_free(&m);
    }
}

// Names of lines that end near each other, at the edges of the panel and in its middle.
static void names_stand_beside_the_ends_of_lines(void **state)
{
    (void)state;
    dice d = {17};
    for (int trial = 0; trial < trials(60); ++trial) {
        double ends[ERI_MOVER_MOST];
        int joints = 2 + trial % (ERI_MOVER_MOST - 1);
        for (int k = 0; k < joints; ++k) // the first spans the panel, upwards or down
            ends[k] = k == 0 ? (trial % 2 == 0 ? 1.0 : -1.0)
                             : (trial % 2 == 0 ? 1.0 : -1.0) * dice_uniform(&d, 0.05, trial % 3 == 0 ? 0.2 : 0.99);
        motion m = hinges(joints, 2, ends);
        int ranked[JOINTS], count = rank_joints(&m, ranked);
        assert_int_equal(count, joints);
        expect_lines(&m, ranked, count);
        motion_free(&m);
    }
}

// Of the frames that fall on one column of pixels only the lowest and the highest are drawn, as they come; the first
// and the last of all are always there.
static void long_motions_are_thinned_to_extremes(void **state)
{
    (void)state;
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

// A single frame stands at the right, before its names; the axis is a second long, or longer where seconds are many.
static void a_single_frame_stands_at_the_right(void **state)
{
    (void)state;
    static const double times[] = {0.0, 3.5, -2e7, 4e8};
    for (size_t i = 0; i < ERI_COUNT(times); ++i) {
        motion m = hinges(2, 1, NULL);
        m.time[0] = times[i];
        char *svg = drawn(&m);
        double t = times[i], wide = fmax(1.0, 1e-6 * fabs(t)), bottom = 330.0;
        eri_axis across = {false, t - wide, t, PAPER_LEFT, PAPER_RIGHT}, up = {.first = bottom, .last = 60.0};
        for (int k = 0; k < 2; ++k) {
            up.low = fmin(up.low, m.q[k] / degree);
            up.high = fmax(up.high, m.q[k] / degree);
        }
        double air = (up.high - up.low) / 25.0;
        up.low -= air;
        up.high += air;
        drawing_expect_panel(svg, svg + strlen(svg), 60.0, &across, &up, "Joint angles, degrees", "", "seconds");
        assert_int_equal(drawing_count(svg, svg + strlen(svg), "points=\"740.0,"), 2);
        free(svg);
        motion_free(&m);
    }
}

// Names too long for the margin lose their middle; what their lines say when pointed at is whole.
static void long_names_are_cut_beside_lines(void **state)
{
    (void)state;
    static const er_joint_type type = ER_JOINT_PRISMATIC;
    char name[80];
    const char *const names[] = {name};
    const double room = PAPER_WIDE - 4.0 - (PAPER_RIGHT + 26.0);
    for (int letters = 10; letters < 50; ++letters) {
        memset(name, 'o', (size_t)letters);
        name[letters] = '\0';
        motion m = motion_make(context, 1, 1, &type, names, 2);
        m.q[1] = 0.25;
        char *svg = drawn(&m), want[200];
        const char *end = svg + strlen(svg);
        snprintf(want, sizeof want, "<title>%s z, up to 0.25 m</title>", name);
        const char *at = drawing_mark(svg, end, want);
        drawn_text text;
        assert_non_null(drawing_text(at, end, &text));
        snprintf(want, sizeof want, "%s z", name);
        double width = eri_svg_width(text.words, ERI_SVG_FONT);
        assert_int_equal(strcmp(text.words, want) == 0, eri_svg_width(want, ERI_SVG_FONT) <= room);
        assert_true(width <= room && (strcmp(text.words, want) == 0 || width > room - 2.0 * eri_svg_width("o", 11.0)));
        free(svg);
        motion_free(&m);
    }
}

// ---- which joints

// Of each joint the coordinate that moves most, the first of those alike; joints by size, the first of those alike
// first; none that moves by less than rounding, or than a five-hundredth of the largest.
static void joints_that_move_most_are_picked(void **state)
{
    (void)state;
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
        while (count < total && count < ERI_MOVER_MOST && peak[best[count]] > least)
            ++count;
        eri_movers got;
        eri_movers_pick(m.model, peak, shifts, &got);
        assert_true(got.shifts == shifts && got.total == total && got.count == count);
        for (int i = 0; i < count; ++i) {
            const eri_plot_mover *mover = &got.mover[i];
            assert_true(mover->index == best[i] && mover->peak == peak[best[i]]);
            er_joint_type_freedom(m.model->joint[mover->joint].type, axis);
            int own = mover->index - m.model->coordinate[mover->joint];
            assert_true(own >= 0 && mover->index < m.model->coordinate[mover->joint + 1] && mover->axis == axis[own]);
        }
        full += count == ERI_MOVER_MOST;
        short_ones += count < ERI_MOVER_MOST;
    }
    assert_true(full > 20 && short_ones > 20);
    motion_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_fill_the_page),
        cmocka_unit_test(titles_fit_the_page),
        cmocka_unit_test(a_period_longer_than_the_motion_is_not_drawn),
        cmocka_unit_test(lines_have_their_colours_and_names),
        cmocka_unit_test(names_stand_beside_the_ends_of_lines),
        cmocka_unit_test(long_motions_are_thinned_to_extremes),
        cmocka_unit_test(a_single_frame_stands_at_the_right),
        cmocka_unit_test(long_names_are_cut_beside_lines),
        cmocka_unit_test(joints_that_move_most_are_picked),
    };
    return cmocka_run_group_tests_name("panels", tests, set_up, tear_down);
}
