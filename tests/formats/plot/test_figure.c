// A figure of modes for print: its lines, words and their places, worked out again from the skeleton, its poses and the
// modes that went in, whose frequencies are made up.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../curves/motions.h"
#include "base/arena.h"
#include "drawing.h"
#include "formats/plot/svg.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

enum { BODIES = 7, LINES = 40, SHAPES = 130, MODES = 140 };
static const double cell = 120.0, room = 106.0, tallest = 150.0, page = 482.0; // points

// A figure of a skeleton that branches and closes a loop, and what is to be seen of it.
typedef struct sample {
    er_model *model;
    er_mode mode[MODES];
    er_modes modes;
    er_pose end[2][SHAPES][BODIES];
    er_mode_shape shape[SHAPES];
    er_modes_figure of;
} sample;

static sample s;

// As it is, or flattened: a twentieth as high and deep.
static void make_model(double flat)
{
    static const struct {
        int parent, child;
        er_vec3 at;
    } joints[] = {{0, 1, {0.3, 0.1, 0.0}}, {0, 2, {-0.4, 0.2, 0.1}}, {1, 3, {0.7, 0.2, 0.1}}, {1, 4, {0.3, 0.1, 0.0}},
                  {3, 5, {0.9, 0.6, 0.0}}, {5, 4, {0.5, 0.7, -0.3}}, {-1, 6, {0.0, 1.0, 0.5}}};
    static const er_vec3 com[BODIES] = {{0, 0.1, 0},        {0.5, 0.15, 0}, {-0.6, 0.3, 0.3}, {0.8, 0.4, 0.1},
                                        {0.4, 0.45, -0.15}, {0.7, 0.7, 0},  {0.1, 1.3, 0.6}};
    rig r = {0};
    dice d = {3};
    for (int b = 0; b < BODIES; ++b)
        rig_add_body(&r, 1.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(com[b].x, flat * com[b].y, flat * com[b].z),
                     (er_pose){dice_quat(&d), er_v3_scale(0.3 * flat, dice_vec3(&d))});
    for (size_t k = 0; k < ERI_COUNT(joints); ++k)
        rig_add_joint(&r, ER_JOINT_SPHERICAL, joints[k].parent, joints[k].child,
                      (er_pose){er_q_identity(), er_v3(joints[k].at.x, flat * joints[k].at.y, flat * joints[k].at.z)})
            ->closes_loop = k == 5;
    s.model = rig_model(context, &r);
}

// Elastic modes of these frequencies, after one rigid mode and one mechanism; a shape of all from the mechanism on.
static void make(int elastic, const double *hz, const char *const *label, int labels, double turn)
{
    dice d = {11};
    if (s.model == NULL) make_model(1.0);
    int constraints = 6 * s.model->joint_count - s.model->coordinate_count;
    s.modes = (er_modes){.count = elastic + 2,
                         .mode = s.mode,
                         .dof = 6 * BODIES - 9,
                         .rank = 9,
                         .constraint_count = constraints,
                         .first = 40};
    s.mode[0] = (er_mode){.kind = ER_MODE_RIGID};
    s.mode[1] = (er_mode){.kind = ER_MODE_MECHANISM};
    for (int i = 0; i < elastic; ++i)
        s.mode[i + 2] = (er_mode){.kind = ER_MODE_ELASTIC, .frequency_hz = hz[i]};
    for (int i = 0; i <= elastic; ++i) {
        for (int side = 0; side < 2; ++side)
            for (int b = 0; b < BODIES; ++b) {
                er_pose by = {er_q_exp(er_v3_scale(side == 0 ? turn : -turn, dice_vec3(&d))),
                              er_v3_scale(0.1 * turn, dice_vec3(&d))};
                s.end[side][i][b] = er_pose_mul(by, s.model->body[b].pose);
            }
        s.shape[i] = (er_mode_shape){41 + i, label[i % labels], {s.end[0][i], s.end[1][i]}};
    }
    s.of = (er_modes_figure){"title", "below it", s.model, &s.modes, {0, 1, 0}, elastic + 1, s.shape};
}

static char *drawn(void)
{
    char path[300];
    size_t size;
    snprintf(path, sizeof path, "%s/figure.svg", sample_folder());
    if (er_modes_plot(context, &s.of, path) != ER_OK) fail_msg("%s", er_context_error(context));
    return read_bytes(path, &size);
}

// ---- the skeleton

// Lines of bodies, as they stand: from the joint that a body hangs on, or its frame, to each other joint of it that is
// elsewhere; of one without another, to as far behind its centre of mass.
static int lines_of(const er_pose *pose, er_vec3 out[LINES][2])
{
    const er_model *m = s.model;
    int count = 0;
    for (int b = 0; b < BODIES; ++b) {
        int own = m->tree_joint[b], others = 0;
        er_vec3 hub = own >= 0 ? m->joint[own].frame.p : m->body[b].pose.p;
        er_pose by = er_pose_mul(pose[b], er_pose_inverse(m->body[b].pose));
        for (int k = 0; k < m->joint_count; ++k) {
            if (k == own || (m->joint[k].parent != b && m->joint[k].child != b)) continue;
            ++others;
            if (er_v3_distance(hub, m->joint[k].frame.p) < 1e-9) continue;
            out[count][0] = er_pose_point(by, hub);
            out[count++][1] = er_pose_point(by, m->joint[k].frame.p);
        }
        if (others > 0) continue;
        er_vec3 com = er_pose_point(m->body[b].pose, m->body[b].com);
        out[count][0] = er_pose_point(by, hub);
        out[count++][1] = er_pose_point(by, er_v3_sub(er_v3_scale(2.0, com), hub));
    }
    return count;
}

typedef struct view {
    int right, up; // axes
    double sign;   // of the one that is up
} view;

static double part(er_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void on_paper(const view *v, er_vec3 at, double out[2])
{
    out[0] = part(at, v->right);
    out[1] = v->sign * part(at, v->up);
}

// The axis nearest to up is up on paper, the next two to the right, or it points at the reader.
static void views_of(view out[3])
{
    int up = 0;
    for (int i = 1; i < 3; ++i)
        if (fabs(part(s.of.up, i)) > fabs(part(s.of.up, up))) up = i;
    double sign = part(s.of.up, up) < 0.0 ? -1.0 : 1.0;
    out[0] = (view){(up + 1) % 3, up, sign};
    out[1] = (view){(up + 2) % 3, up, sign};
    out[2] = (view){(up + 2) % 3, (up + 1) % 3, 1.0};
}

static double motion_on_paper(const view *v, int count, er_vec3 rest[LINES][2], er_vec3 end[LINES][2])
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        double a[2], b[2];
        on_paper(v, rest[i][1], a);
        on_paper(v, end[i][1], b);
        sum += pow(a[0] - b[0], 2.0) + pow(a[1] - b[1], 2.0);
    }
    return sum;
}

typedef struct seen {
    view from;
    double low[2], high[2];
    er_vec3 line[3][LINES][2]; // at rest, and at both ends
    int count;
} seen;

static seen look_at(const er_mode_shape *shape)
{
    static er_pose rest[BODIES];
    seen out = {.low = {HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL}};
    view views[3];
    for (int b = 0; b < BODIES; ++b)
        rest[b] = s.model->body[b].pose;
    out.count = lines_of(rest, out.line[0]);
    lines_of(shape->end[0], out.line[1]);
    lines_of(shape->end[1], out.line[2]);
    views_of(views);
    out.from = views[0];
    for (int k = 1; k < 3; ++k)
        if (motion_on_paper(&views[k], out.count, out.line[0], out.line[1]) >
            1.1 * motion_on_paper(&out.from, out.count, out.line[0], out.line[1]))
            out.from = views[k];
    for (int p = 0; p < 3; ++p)
        for (int i = 0; i < 2 * out.count; ++i) {
            double at[2];
            on_paper(&out.from, out.line[p][i / 2][i % 2], at);
            for (int axis = 0; axis < 2; ++axis) {
                out.low[axis] = fmin(out.low[axis], at[axis]);
                out.high[axis] = fmax(out.high[axis], at[axis]);
            }
        }
    return out;
}

// ---- shapes

static const char *const rest_style = "\" stroke=\"#bbb\" stroke-width=\"2.2\"/>",
                         *const one_style = "\" stroke=\"#000\" stroke-width=\"0.9\"/>",
                         *const other_style = "\" stroke=\"#555\" stroke-width=\"0.7\" stroke-dasharray=\"2 1.6\"/>";

// As many words of a label as there is room for, and dots; one word that is too long loses its middle.
static void expect_label(const char *is, const char *label)
{
    const double wide = cell - 8.0;
    char want[400];
    size_t length = strlen(label);
    snprintf(want, sizeof want, "%s", label);
    while (eri_svg_width(want, 7.0) > wide) {
        while (length > 0 && label[length - 1] != ',')
            --length;
        if (length == 0) break;
        --length;
        snprintf(want, sizeof want, "%.*s, \xE2\x80\xA6", (int)length, label);
    }
    double width = eri_svg_width(is, 7.0);
    if (eri_svg_width(want, 7.0) <= wide) {
        assert_string_equal(is, want);
    } else {
        const char *dots = strstr(is, "\xE2\x80\xA6");
        assert_true(dots != NULL && dots != is && strncmp(is, want, (size_t)(dots - is)) == 0);
        assert_true(width <= wide && width > wide - 16.0);
    }
}

// Three drawings of the skeleton, what is at rest under both ends, in the middle of its cell; its axes and words below.
static void expect_shape(const char *group, const char *to, const er_mode_shape *shape, const seen *v, double scale,
                         double left, double top, double high)
{
    static const char *const names[] = {"x", "y", "z", "\xE2\x88\x92x", "\xE2\x88\x92y", "\xE2\x88\x92z"};
    static const int order[] = {0, 2, 1};
    const char *const style[] = {rest_style, other_style, one_style};
    char want[200];
    const char *at = group;
    for (int p = 0; p < 3; ++p) {
        at = drawing_mark(at, to, "<path d=\"M") + strlen("<path d=\"");
        for (int i = 0; i < v->count; ++i) {
            double is[4];
            int used;
            assert_int_equal(sscanf(at, "M%lf %lfL%lf %lf%n", &is[0], &is[1], &is[2], &is[3], &used), 4);
            at += used;
            for (int e = 0; e < 2; ++e) {
                double paper[2];
                on_paper(&v->from, v->line[order[p]][i][e], paper);
                measure_at_most(
                    "line across",
                    fabs(is[2 * e] - left - 0.5 * cell - scale * (paper[0] - 0.5 * (v->low[0] + v->high[0]))), 0.0051);
                measure_at_most(
                    "line up",
                    fabs(is[2 * e + 1] - top - 0.5 * high + scale * (paper[1] - 0.5 * (v->low[1] + v->high[1]))),
                    0.0051);
            }
        }
        assert_int_equal(strncmp(at, style[p], strlen(style[p])), 0);
    }
    const double x = left + cell - 20.0, y = top + high + 9.0;
    snprintf(want, sizeof want, "<path d=\"M%.1f %.1fv-8M%.1f %.1fh8\" stroke=\"#777\" stroke-width=\"0.5\"/>", x, y, x,
             y);
    at = drawing_mark(at, to, want);
    drawn_text text[5];
    for (int i = 0; i < 5; ++i)
        assert_non_null(at = drawing_text(at, to, &text[i]));
    assert_string_equal(text[0].words, names[v->from.right]);
    assert_string_equal(text[1].words, names[v->from.up + (v->from.sign < 0.0 ? 3 : 0)]);
    const er_mode *mode = &s.mode[shape->mode - s.modes.first];
    snprintf(want, sizeof want, "%d", shape->mode);
    assert_string_equal(text[2].words, want);
    const double after = left + 8.0 + 1.2 * eri_svg_width(want, 8.0);
    snprintf(want, sizeof want, mode->kind == ER_MODE_MECHANISM ? "mechanism" : "%#.4g Hz", mode->frequency_hz);
    assert_string_equal(text[3].words, want);
    expect_label(text[4].words, shape->label);
    const double place[5][2] = {{x + 10.0, y + 2.0},
                                {x, y - 10.0},
                                {left + 4.0, top + high + 10.0},
                                {after, top + high + 10.0},
                                {left + 4.0, top + high + 19.0}};
    static const char *const look[] = {" font-size=\"6\" fill=\"#555\"",
                                       " font-size=\"6\" text-anchor=\"middle\" fill=\"#555\"", " font-weight=\"bold\"",
                                       "", " font-size=\"7\" fill=\"#444\""};
    for (int i = 0; i < 5; ++i) {
        assert_true(fabs(text[i].x - place[i][0]) < 0.051 && fabs(text[i].y - place[i][1]) < 0.051);
        assert_string_equal(text[i].style, look[i]);
    }
}

// ---- the spectrum

// The first word of a label and its mode, as long as 90 points let it be.
static void stem_name(const er_mode_shape *shape, char out[120])
{
    er_arena *arena;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    snprintf(out, 120, "%d  %.*s", shape->mode, (int)strcspn(shape->label, ","), shape->label);
    const char *fit = eri_svg_fit(arena, out, 7.0, 90.0);
    if (fit != out) snprintf(out, 120, "%s", fit);
    eri_arena_destroy(arena);
}

// Places as near to those wanted as can be by least squares, ten apart, between both edges: the monotone regression.
static void nearest_places(int count, const double *want, double last, double *out)
{
    for (int i = 0; i < count; ++i) {
        double most = -HUGE_VAL;
        for (int a = 0; a <= i; ++a) {
            double least = HUGE_VAL, sum = 0.0;
            for (int b = a; b < count; ++b) {
                sum += want[b] - 10.0 * b;
                if (b >= i) least = fmin(least, sum / (b - a + 1));
            }
            most = fmax(most, least);
        }
        out[i] = fmin(fmax(most, 4.0), last - 10.0 * (count - 1)) + 10.0 * i;
    }
}

static void expect_spectrum(const char *at, const char *to, const eri_axis *axis, double bottom)
{
    char want[300];
    double is[4], stem[SHAPES], place[SHAPES];
    int used, elastic = 0, count = 0, mode_of[SHAPES];
    at = drawing_mark(at, to, "<g id=\"spectrum\">\n<path d=\"") + strlen("<g id=\"spectrum\">\n<path d=\"");
    for (int k = 2; k < s.modes.count; ++k, at += used) {
        assert_int_equal(sscanf(at, "M%lf %lfv-8%n", &is[0], &is[1], &used), 2);
        assert_true(fabs(is[0] - drawing_place(axis, s.mode[k].frequency_hz)) < 0.0051 && fabs(is[1] - bottom) < 0.051);
    }
    assert_int_equal(strncmp(at, "\" stroke=\"#666\" stroke-width=\"0.5\"/>", 36), 0);
    for (int i = 0; i < s.of.shape_count; ++i)
        elastic += s.shape[i].mode > 41;
    const double last = axis->last + 8.0;
    const int places = 1 + (int)((last - 4.0) / 10.0);
    int every = 1;
    while (every * places < elastic)
        ++every;
    for (int i = 0, k = 0; i < s.of.shape_count; ++i)
        if (s.shape[i].mode > 41 && k++ % every == 0) {
            mode_of[count] = i;
            stem[count++] = drawing_place(axis, s.mode[s.shape[i].mode - 40].frequency_hz);
        }
    nearest_places(count, stem, last, place);
    assert_int_equal(drawing_count(at, to, "rotate(-45)"), count);
    for (int i = 0; i < count; ++i) {
        at = drawing_mark(at, to, "<path d=\"M");
        assert_int_equal(sscanf(at, "<path d=\"M%lf %lfV%lfL%lf %*f\"", &is[0], &is[1], &is[2], &is[3]), 4);
        measure_at_most("stem of a name", fabs(is[0] - stem[i]), 0.0051);
        measure_at_most("place of a name", fabs(is[3] - place[i]), 0.0051);
        snprintf(want, sizeof want, "<path d=\"M%.2f %.1fV%.1fL%.2f %.1f\" fill=\"none\" stroke=\"#000\"", is[0],
                 bottom, bottom - 16.0, is[3], bottom - 34.0);
        assert_int_equal(strncmp(at, want, strlen(want)), 0);
        at = drawing_mark(at, to, "<g transform=\"translate(");
        assert_int_equal(sscanf(at, "<g transform=\"translate(%lf %lf) rotate(-45)\">", &is[0], &is[1]), 2);
        assert_true(fabs(is[0] - is[3] - 2.0) < 0.011 && fabs(is[1] - bottom + 36.0) < 0.051);
        drawn_text text;
        assert_non_null(drawing_text(at, to, &text));
        stem_name(&s.shape[mode_of[i]], want);
        assert_string_equal(text.words, want);
        assert_true(text.x == 0.0 && text.y == 0.0);
        assert_string_equal(text.style, " font-size=\"7\"");
    }
    const eri_ticks ticks = eri_axis_ticks(axis, 12.0, true);
    snprintf(want, sizeof want, "<path d=\"M%.1f %.1fH%.1f", axis->first, bottom, axis->last);
    at = drawing_mark(at, to, want) + strlen(want);
    for (int i = 0; i < ticks.count; ++i, at += used) {
        assert_int_equal(sscanf(at, "M%lf %lfv3%n", &is[0], &is[1], &used), 2);
        assert_true(fabs(is[0] - drawing_place(axis, ticks.value[i])) < 0.0051 && fabs(is[1] - bottom) < 0.051);
    }
    assert_int_equal(strncmp(at, "\" stroke=\"#000\" stroke-width=\"0.6\" fill=\"none\"/>", 48), 0);
    for (int i = 0; i <= ticks.count; ++i) {
        drawn_text text;
        assert_non_null(at = drawing_text(at, to, &text));
        assert_string_equal(text.words, i < ticks.count ? ticks.name[i] : "Hz");
        double x = i < ticks.count ? drawing_place(axis, ticks.value[i]) : last;
        assert_true(fabs(text.x - x) < 0.051 && fabs(text.y - bottom - 11.5) < 0.051);
        assert_string_equal(text.style,
                            i < ticks.count ? " text-anchor=\"middle\" font-size=\"7\"" : " font-size=\"7\"");
    }
}

// ---- the page

static void expect_legend(const char *svg, const char *to, double y)
{
    static const char *const words[] = {"at rest", "one end of the swing", "the other"};
    const char *const style[] = {rest_style, one_style, other_style};
    double x = 4.0;
    for (int i = 0; i < 3; ++i) {
        char want[200];
        snprintf(want, sizeof want, "<path d=\"M%.1f %.1fh18%s", x, y - 2.5, style[i]);
        drawing_mark(svg, to, want);
        drawn_text text = drawing_find(svg, to, words[i]);
        assert_true(fabs(text.x - x - 22.0) < 0.051 && fabs(text.y - y) < 0.051);
        assert_string_equal(text.style, " font-size=\"7\" fill=\"#444\"");
        x += 30.0 + eri_svg_width(words[i], 7.0);
    }
}

static void expect_figure(void)
{
    char *svg = drawn(), want[300];
    const char *end = svg + strlen(svg);
    double lean = 0.0, low = HUGE_VAL, high = 0.0, wide = 0.0, tall = 0.0, height;
    for (int i = 0; i < s.of.shape_count; ++i) {
        char name[120];
        stem_name(&s.shape[i], name);
        lean = fmax(lean, 8.0 + eri_svg_width(name, 7.0) / sqrt(2.0));
        seen v = look_at(&s.shape[i]);
        wide = fmax(wide, v.high[0] - v.low[0]);
        tall = fmax(tall, v.high[1] - v.low[1]);
    }
    for (int k = 2; k < s.modes.count; ++k) {
        low = fmin(low, s.mode[k].frequency_hz);
        high = fmax(high, s.mode[k].frequency_hz);
    }
    bool far = high > 10.0 * low, below = s.of.subtitle != NULL && s.of.subtitle[0] != '\0';
    const eri_axis axis = {far, far ? low / 1.1 : 0.0, 1.05 * high, 4.0, page - fmax(lean, 24.0)};
    double top = below ? 32.0 : 20.0, scale = fmin(room / wide, tallest / tall), most = fmax(36.0, scale * tall);
    drawn_text text[2];
    const char *at = drawing_text(svg, end, &text[0]);
    drawing_text(at, end, &text[1]);
    assert_string_equal(text[0].words, s.of.title != NULL ? s.of.title : "");
    assert_string_equal(text[1].words, below ? s.of.subtitle : "");
    assert_true(text[0].x == 4.0 && text[0].y == 13.0 && text[1].x == 4.0 && text[1].y == 25.0);
    assert_string_equal(text[0].style, " font-size=\"10\" font-weight=\"bold\"");
    assert_string_equal(text[1].style, " font-size=\"7\" fill=\"#444\"");
    assert_int_equal(drawing_count(svg, end, "<g id=\"spectrum\">"), s.modes.count > 2);
    if (s.modes.count > 2) {
        const double bottom = top + lean + 26.0 + 8.0;
        expect_spectrum(svg, end, &axis, bottom);
        top = bottom + 26.0;
    }
    height = top + 20.0;
    if (s.of.shape_count == 0) {
        drawn_text none = drawing_find(svg, end, "No mode but rigid ones.");
        assert_true(none.x == 4.0 && fabs(none.y - top - 8.0) < 0.051);
    } else {
        assert_int_equal(drawing_count(svg, end, "No mode but"), 0);
        expect_legend(svg, end, top + 4.0);
        height = top + 14.0 + (most + 36.0) * ((s.of.shape_count + 3) / 4);
    }
    for (int i = 0; i < s.of.shape_count; ++i) {
        seen v = look_at(&s.shape[i]);
        snprintf(want, sizeof want, "<g id=\"mode_%d\"><g fill=\"none\" stroke-linecap=\"round\">", s.shape[i].mode);
        const char *group = drawing_mark(svg, end, want);
        expect_shape(group, end, &s.shape[i], &v, scale, cell * (i % 4), top + 14.0 + (most + 36.0) * (i / 4), most);
    }
    snprintf(want, sizeof want, "viewBox=\"0 0 482 %.0f\" width=\"482pt\" height=\"%.0fpt\"", height, height);
    drawing_mark(svg, end, want);
    free(svg);
}

static const char *const labels[] = {"hip",
                                     "left knee, right knee, a tail that is long, and more, and more, and still more",
                                     "aVeryLongNameOfAJointThatNoOneEverWroteByHand_017", "spine, neck",
                                     "x, aVeryLongNameOfAJointThatNoOneEverWroteByHand_018, y"};

static void figures_are_as_their_modes_have_them(void **state)
{
    (void)state;
    static const er_vec3 ups[] = {{0, 1, 0}, {0, 0.1, -1}, {-1, 0.2, 1}, {1, 0, 0}, {0.5, -0.5, 0.1}, {0, 0, 1}};
    static const char *const words[] = {"below it", "", NULL};
    double hz[MODES];
    dice d = {7};
    for (int trial = 0; trial < trials(48); ++trial) {
        int elastic = trial % 8;
        double spread = trial % 3 == 0 ? 3.0 : 0.3;
        for (int i = 0; i < elastic; ++i)
            hz[i] = pow(10.0, spread * (i + dice_uniform(&d, 0.0, 1.0)) / 8.0 - 0.5);
        make(elastic, hz, &labels[trial % 5], trial % 5 == 0 ? 5 : 1, trial % 7 == 0 ? 0.9 : 0.2);
        s.of.up = ups[trial % 6];
        s.of.title = trial % 4 == 0 ? NULL : "title";
        s.of.subtitle = words[trial % 3];
        if (trial % 8 == 5) s.of.shape_count = 0;
        expect_figure();
    }
}

// What is flat has some room all the same.
static void flat_skeletons_have_rows_of_some_height(void **state)
{
    (void)state;
    const double hz[] = {1.0, 2.0, 3.0, 4.0, 5.0};
    er_model_destroy(s.model);
    make_model(0.05);
    make(5, hz, labels, 1, 0.0);
    for (int i = 0; i < s.of.shape_count; ++i)
        for (int b = 0; b < BODIES; ++b)
            s.end[0][i][b].p.x += 0.2;
    seen v = look_at(&s.shape[0]);
    assert_true(v.from.right == 0 && (v.high[1] - v.low[1]) / (v.high[0] - v.low[0]) * room < 18.0);
    expect_figure();
    er_model_destroy(s.model);
    s.model = NULL;
}

// Of more names than have room every second, third ... stands there; a few in one corner make room for each other.
static void names_of_many_modes_have_room(void **state)
{
    (void)state;
    static const int counts[] = {5, 20, 40, 44, 46, 90, 120};
    double hz[MODES];
    dice d = {19};
    for (int trial = 0; trial < 21; ++trial) {
        int count = counts[trial % 7];
        for (int i = 0; i < count; ++i) {
            double at = (i + dice_uniform(&d, 0.0, 0.9)) / count;
            hz[i] = trial < 7 ? 0.1 + at : trial < 14 ? 1.0 + 0.1 * at : pow(10.0, 2.0 * at * at); // left, right, both
        }
        if (trial >= 14) hz[count - 1] = 200.0;
        make(count, hz, labels, 4, 0.2);
        char *svg = drawn();
        double lean = 0.0;
        for (int i = 0; i < s.of.shape_count; ++i) {
            char name[120];
            stem_name(&s.shape[i], name);
            lean = fmax(lean, 8.0 + eri_svg_width(name, 7.0) / sqrt(2.0));
        }
        bool far = hz[count - 1] > 10.0 * hz[0];
        const eri_axis axis = {far, far ? hz[0] / 1.1 : 0.0, 1.05 * hz[count - 1], 4.0, page - lean};
        expect_spectrum(svg, svg + strlen(svg), &axis, 32.0 + lean + 34.0);
        free(svg);
    }
}

// The page's title is written whole elsewhere; what is seen of it fits the page, as what is below it does.
static void long_titles_are_cut(void **state)
{
    (void)state;
    char words[200];
    const double hz[] = {1.0, 2.0};
    for (int line = 0; line < 2; ++line)
        for (int letters = 50; letters < 130; ++letters) {
            double size = line == 0 ? 12.0 : 7.0;
            memset(words, 'o', (size_t)letters);
            words[letters] = '\0';
            make(2, hz, labels, 1, 0.2);
            s.of.title = line == 0 ? words : "<title>";
            if (line == 1) s.of.subtitle = words;
            char *svg = drawn(), want[300];
            drawn_text text;
            const char *at = drawing_text(svg, svg + strlen(svg), &text);
            snprintf(want, sizeof want, "<title>%s</title>\n", line == 0 ? words : "&lt;title&gt;");
            drawing_mark(svg, svg + strlen(svg), want);
            if (line == 1) drawing_text(at, svg + strlen(svg), &text);
            assert_int_equal(strcmp(text.words, words) == 0, eri_svg_width(words, size) <= page - 8.0);
            assert_true(eri_svg_width(text.words, size) <= page - 8.0);
            assert_true(strcmp(text.words, words) == 0 || eri_svg_width(text.words, size) > page - 8.0 - 2.0 * size);
            free(svg);
        }
}

// ---- what is wrong

static void refused(const er_modes_figure *of, const char *says)
{
    char path[300];
    snprintf(path, sizeof path, "%s/refused.svg", sample_folder());
    assert_int_equal(er_modes_plot(context, of, path), ER_ERROR_ARGUMENT);
    if (strstr(er_context_error(context), says) == NULL) fail_msg("%s", er_context_error(context));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    (void)state;
    const double hz[] = {1.0, 2.0, 3.0};
    make(3, hz, labels, 1, 0.2);
    const er_modes_figure good = s.of;
    er_modes_figure bad = good;
    bad.model = NULL;
    refused(&bad, "needs a model");
    bad = good, bad.modes = NULL;
    refused(&bad, "needs a model");
    bad = good, bad.shape_count = -1;
    refused(&bad, "as many shapes");
    bad = good, bad.shape = NULL;
    refused(&bad, "as many shapes");
    bad.shape_count = 0;
    s.of = bad;
    free(drawn()); // none are none
    s.of = good;
    for (int i = 0; i < 2; ++i) {
        er_modes other = s.modes;
        *(i == 0 ? &other.dof : &other.constraint_count) += 1;
        bad = good, bad.modes = &other;
        refused(&bad, "the modes are of another rig than");
    }
    bad = good, bad.up.z = NAN;
    refused(&bad, "which points nowhere");
    bad.up = er_v3(0, HUGE_VAL, 0);
    refused(&bad, "up is (0, inf, 0), which points nowhere");
    s.shape[2].mode = 42;
    refused(&good, "shape 2 is of mode 42, after one of mode 42; modes must ascend");
    s.shape[2].mode = 43;
    s.shape[3].mode = 45;
    refused(&good, "shape 3 is of mode 45, which is not held, or has no label");
    s.shape[3].mode = 44;
    s.shape[3].label = NULL;
    refused(&good, "shape 3 is of mode 44, which is not held, or has no label");
    s.shape[3].label = "a";
    s.shape[0].mode = 39;
    refused(&good, "shape 0 is of mode 39, which is not held");
    s.shape[0].mode = 41;
    for (int side = 0; side < 2; ++side) {
        er_pose *pose = &s.end[side][1][4], was = *pose;
        s.shape[1].end[side] = NULL;
        refused(&good, "the pose of body 0 in shape 1 is not finite");
        s.shape[1].end[side] = s.end[side][1];
        pose->p.z = -HUGE_VAL;
        refused(&good, "the pose of body 4 in shape 1 is not finite");
        *pose = was;
        for (int k = -1; k < 3; ++k) {
            double factor = k < 0 ? NAN : k == 0 ? 1.0 + 2e-6 : k == 1 ? 1.0 - 2e-6 : 1.0;
            pose->q = er_q(factor * was.q.w, factor * was.q.x, factor * was.q.y, factor * was.q.z);
            if (k < 2)
                refused(&good, "the pose of body 4 in shape 1 is not finite");
            else
                free(drawn());
        }
    }
    assert_int_equal(er_modes_plot(NULL, &good, "-"), ER_ERROR_ARGUMENT);
}

static er_result starve(er_context *own, const void *of, const char *path)
{
    return er_modes_plot(own, of, path);
}

// Words that are too long take memory of their own.
static void any_allocation_may_fail(void **state)
{
    (void)state;
    const double hz[] = {1.0, 2.0};
    char words[300], path[300];
    memset(words, 'o', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    snprintf(path, sizeof path, "%s/starved.svg", sample_folder());
    make(2, hz, labels, 4, 0.2);
    for (int i = 0; i < 2; ++i) {
        s.of.title = i == 0 ? words : "title";
        s.of.subtitle = i == 0 ? "below it" : words;
        drawing_expect_starved(starve, &s.of, path);
    }
    s.shape[0].label = words;
    drawing_expect_starved(starve, &s.of, path);
}

static int end_all(void **state)
{
    er_model_destroy(s.model);
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_as_their_modes_have_them),
        cmocka_unit_test(flat_skeletons_have_rows_of_some_height),
        cmocka_unit_test(names_of_many_modes_have_room),
        cmocka_unit_test(long_titles_are_cut),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("figure", tests, set_up, end_all);
}
