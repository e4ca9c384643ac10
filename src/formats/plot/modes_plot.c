// A figure of modes for print: their spectrum, and the shape of each as a line drawing of the skeleton. Black on white,
// greys that a printer tells apart, lengths in points.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <eigenrig/plots.h>

#include "formats/modes_belong.h"
#include "formats/plot/axis.h"
#include "formats/plot/pdf.h"
#include "formats/plot/svg.h"

enum { WIDE = 482, COLUMNS = 4, CELL = WIDE / COLUMNS, ROOM = CELL - 14 }; // points: 170 mm, the text of an A4 page
enum { TALLEST = 150, SMALLEST = 36, CAPTION = 24, GAP = 12 };             // of a drawing; below it; between rows
enum { STEM = 26, AXIS = 26, LABEL_GAP = 10, LONGEST = 90 };               // of the spectrum
static const double font = 8.0, small = 7.0;

// A view along a coordinate axis: which axes of the world go right and up on paper.
typedef struct view {
    er_vec3 right, up;
    const char *names[2];
} view;

typedef struct segment {
    int body;
    er_vec3 from, to; // in its frame
} segment;

typedef struct axis_extent {
    double low[2], high[2];
} axis_extent;

typedef struct figure {
    eri_out out;
    const er_modes_figure *of;
    const er_model *model;
    segment *segment; // [segment_count]
    int segment_count;
    view view[3];
    int *seen;         // [shape_count], its view
    er_pose *rest;     // [body_count]
    double scale;      // points a metre
    double high, top;  // of a drawing; where the next panel begins
    eri_axis axis;     // of the spectrum
    double lean;       // how far its labels reach up, and to the right
    const char **name; // [shape_count], these labels
} figure;

// --- the skeleton

static er_vec3 on_body(const er_model *m, int body, er_vec3 world)
{
    return er_pose_point_inverse(m->body[body].pose, world);
}

static void add_segment(figure *f, int body, er_vec3 from, er_vec3 to)
{
    if (er_v3_distance(from, to) > 1e-6 * f->model->size) f->segment[f->segment_count++] = (segment){body, from, to};
}

// A body is lines from where it hangs to all joints that hang on it; one that has none ends as far behind its centre of
// mass as that is from where it hangs.
static void add_body(figure *f, int body, const bool *ends)
{
    const er_model *m = f->model;
    int own = m->tree_joint[body];
    er_vec3 hub = own >= 0 ? on_body(m, body, m->joint[own].frame.p) : er_v3(0, 0, 0);
    for (int k = 0; k < m->joint_count; ++k)
        if (k != own && (m->joint[k].parent == body || m->joint[k].child == body))
            add_segment(f, body, hub, on_body(m, body, m->joint[k].frame.p));
    if (ends[body]) add_segment(f, body, hub, er_v3_madd(hub, 2.0, er_v3_sub(m->body[body].com, hub)));
}

static er_result find_segments(figure *f)
{
    er_result r = ER_OK;
    er_arena *arena = f->out.text.arena;
    const er_model *m = f->model;
    bool *ends;
    ERI_TRY_NEW(ends, arena, bool, m->body_count);
    ERI_TRY_NEW(f->segment, arena, segment, (size_t)m->body_count + 2 * (size_t)m->joint_count);
    ERI_TRY_NEW(f->rest, arena, er_pose, m->body_count);
    for (int b = 0; b < m->body_count; ++b) {
        ends[b] = true;
        f->rest[b] = m->body[b].pose;
    }
    for (int k = 0; k < m->joint_count; ++k) {
        if (m->joint[k].parent >= 0 && m->tree_joint[m->joint[k].parent] != k) ends[m->joint[k].parent] = false;
        if (m->tree_joint[m->joint[k].child] != k) ends[m->joint[k].child] = false;
    }
    for (int b = 0; b < m->body_count; ++b)
        add_body(f, b, ends);
done:
    return r;
}

// --- views

static double along(er_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The axis of the world nearest to `up` is up on paper, seen along either of the others; or it points at the reader.
static void choose_views(figure *f)
{
    static const char *const plus[] = {"x", "y", "z"}, *const minus[] = {"\xE2\x88\x92x", "\xE2\x88\x92y",
                                                                         "\xE2\x88\x92z"};
    const er_vec3 unit[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int up = 0;
    for (int i = 1; i < 3; ++i)
        if (fabs(along(f->of->up, i)) > fabs(along(f->of->up, up))) up = i;
    double sign = along(f->of->up, up) < 0.0 ? -1.0 : 1.0;
    int a = (up + 1) % 3, b = (up + 2) % 3;
    const char *up_name = (sign < 0.0 ? minus : plus)[up];
    f->view[0] = (view){unit[a], er_v3_scale(sign, unit[up]), {plus[a], up_name}};
    f->view[1] = (view){unit[b], er_v3_scale(sign, unit[up]), {plus[b], up_name}};
    f->view[2] = (view){unit[b], unit[a], {plus[b], plus[a]}};
}

static void project(const view *v, er_vec3 at, double out[2])
{
    out[0] = er_v3_dot(at, v->right);
    out[1] = er_v3_dot(at, v->up);
}

// How much of the motion a view shows: the sum of squares on paper.
static double shown(const figure *f, const view *v, const er_pose *end)
{
    double sum = 0.0;
    for (int i = 0; i < f->segment_count; ++i) {
        const segment *s = &f->segment[i];
        double is[2], was[2];
        project(v, er_pose_point(end[s->body], s->to), is);
        project(v, er_pose_point(f->rest[s->body], s->to), was);
        sum += (is[0] - was[0]) * (is[0] - was[0]) + (is[1] - was[1]) * (is[1] - was[1]);
    }
    return sum;
}

static axis_extent extent_of(const figure *f, const er_mode_shape *shape, const view *v)
{
    axis_extent e = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    const er_pose *const pose[] = {f->rest, shape->end[0], shape->end[1]};
    for (int i = 0; i < f->segment_count; ++i)
        for (int p = 0; p < 6; ++p) {
            const segment *s = &f->segment[i];
            const er_vec3 point[] = {s->from, s->to};
            double at[2];
            project(v, er_pose_point(pose[p / 2][s->body], point[p % 2]), at);
            for (int axis = 0; axis < 2; ++axis) {
                e.low[axis] = fmin(e.low[axis], at[axis]);
                e.high[axis] = fmax(e.high[axis], at[axis]);
            }
        }
    return e;
}

// Every shape from where it is seen best, another view only where it shows a tenth more; all to one scale.
static er_result aim(figure *f)
{
    er_result r = ER_OK;
    double wide = 0.0, tall = 0.0;
    ERI_TRY_NEW(f->seen, f->out.text.arena, int, f->of->shape_count);
    for (int i = 0; i < f->of->shape_count; ++i) {
        const er_mode_shape *shape = &f->of->shape[i];
        for (int k = 1; k < 3; ++k)
            if (shown(f, &f->view[k], shape->end[0]) > 1.1 * shown(f, &f->view[f->seen[i]], shape->end[0]))
                f->seen[i] = k;
        axis_extent e = extent_of(f, shape, &f->view[f->seen[i]]);
        wide = fmax(wide, e.high[0] - e.low[0]);
        tall = fmax(tall, e.high[1] - e.low[1]);
    }
    f->scale = fmin(ROOM / fmax(wide, 1e-9 * f->model->size), TALLEST / fmax(tall, 1e-9 * f->model->size));
    f->high = fmax(SMALLEST, f->scale * tall);
done:
    return r;
}

// --- shapes

static void put_pose(figure *f, const view *v, const double shift[2], const er_pose *pose, const char *style)
{
    eri_out_text(&f->out, "<path d=\"");
    for (int i = 0; i < f->segment_count; ++i) {
        const segment *s = &f->segment[i];
        double from[2], to[2];
        project(v, er_pose_point(pose[s->body], s->from), from);
        project(v, er_pose_point(pose[s->body], s->to), to);
        eri_out_printf(&f->out, "M%.2f %.2fL%.2f %.2f", shift[0] + f->scale * from[0], shift[1] - f->scale * from[1],
                       shift[0] + f->scale * to[0], shift[1] - f->scale * to[1]);
    }
    eri_out_printf(&f->out, "\" %s/>\n", style);
}

static const char *const rest_style = "stroke=\"#bbb\" stroke-width=\"2.2\"",
                         *const end_style[] = {"stroke=\"#000\" stroke-width=\"0.9\"",
                                               "stroke=\"#555\" stroke-width=\"0.7\" stroke-dasharray=\"2 1.6\""};

// Which axes of the world go right and up.
static void put_axes(figure *f, const view *v, double x, double y)
{
    eri_out_printf(&f->out, "<path d=\"M%.1f %.1fv-8M%.1f %.1fh8\" stroke=\"#777\" stroke-width=\"0.5\"/>\n", x, y, x,
                   y);
    eri_svg_text(&f->out, x + 10, y + 2, " font-size=\"6\" fill=\"#555\"", v->names[0]);
    eri_svg_text(&f->out, x, y - 10, " font-size=\"6\" text-anchor=\"middle\" fill=\"#555\"", v->names[1]);
}

// As many words of a label as fit a width, its first one in any case.
static const char *fit_label(er_arena *arena, const char *label, double width)
{
    size_t length = strlen(label);
    for (;;) {
        const char *words =
            eri_arena_printf(arena, label[length] != '\0' ? "%.*s, \xE2\x80\xA6" : "%.*s", (int)length, label);
        if (words == NULL || eri_svg_width(words, small) <= width) return words;
        size_t shorter = length;
        while (shorter > 0 && label[shorter - 1] != ',')
            --shorter;
        if (shorter == 0) return eri_svg_fit(arena, words, small, width);
        length = shorter - 1;
    }
}

static er_result put_caption(figure *f, const er_mode_shape *shape, double x, double y)
{
    const er_mode *mode = er_modes_find(f->of->modes, shape->mode);
    char number[48];
    const char *label = fit_label(f->out.text.arena, shape->label, CELL - 8);
    if (label == NULL) return ER_ERROR_MEMORY;
    snprintf(number, sizeof number, "%d", shape->mode);
    eri_svg_text(&f->out, x, y + 10, " font-weight=\"bold\"", number);
    double after = x + 1.2 * eri_svg_width(number, font) + 4.0;
    snprintf(number, sizeof number, mode->kind == ER_MODE_MECHANISM ? "mechanism" : "%#.4g Hz", mode->frequency_hz);
    eri_svg_text(&f->out, after, y + 10, "", number);
    eri_svg_text(&f->out, x, y + 19, " font-size=\"7\" fill=\"#444\"", label);
    return ER_OK;
}

static er_result put_shape(figure *f, int index)
{
    const er_mode_shape *shape = &f->of->shape[index];
    const view *v = &f->view[f->seen[index]];
    double x = CELL * (index % COLUMNS), y = f->top + (f->high + CAPTION + GAP) * (index / COLUMNS);
    axis_extent e = extent_of(f, shape, v);
    const double shift[] = {x + 0.5 * CELL - f->scale * 0.5 * (e.low[0] + e.high[0]),
                            y + 0.5 * f->high + f->scale * 0.5 * (e.low[1] + e.high[1])};
    eri_out_printf(&f->out, "<g id=\"mode_%d\"><g fill=\"none\" stroke-linecap=\"round\">\n", shape->mode);
    put_pose(f, v, shift, f->rest, rest_style);
    put_pose(f, v, shift, shape->end[1], end_style[1]);
    put_pose(f, v, shift, shape->end[0], end_style[0]);
    eri_out_text(&f->out, "</g>\n");
    put_axes(f, v, x + CELL - 20, y + f->high + 9); // above what moves
    er_result r = put_caption(f, shape, x + 4, y + f->high);
    eri_out_text(&f->out, "</g>\n");
    return r;
}

static void put_legend(figure *f, double y)
{
    static const char *const words[] = {"at rest", "one end of the swing", "the other"};
    double x = 4.0;
    for (int i = 0; i < 3; ++i) {
        eri_out_printf(&f->out, "<path d=\"M%.1f %.1fh18\" %s/>\n", x, y - 2.5, i == 0 ? rest_style : end_style[i - 1]);
        eri_svg_text(&f->out, x + 22, y, " font-size=\"7\" fill=\"#444\"", words[i]);
        x += 30 + eri_svg_width(words[i], small);
    }
}

// --- the spectrum

// Frequencies of elastic modes: logarithmic where they lie far apart, beside what the last labels take.
static bool frequency_axis(figure *f)
{
    double low = HUGE_VAL, high = 0.0;
    const er_modes *modes = f->of->modes;
    for (int k = 0; k < modes->count; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        low = fmin(low, modes->mode[k].frequency_hz);
        high = fmax(high, modes->mode[k].frequency_hz);
    }
    bool far = high > 10.0 * low;
    f->axis = (eri_axis){far, far ? low / 1.1 : 0.0, 1.05 * high, 4.0, WIDE - fmax(f->lean, 24.0)};
    return high > 0.0;
}

// Names stems by the mode's index and the first word of its label.
static er_result name_stems(figure *f)
{
    er_result r = ER_OK;
    er_arena *arena = f->out.text.arena;
    ERI_TRY_NEW(f->name, arena, const char *, f->of->shape_count);
    for (int i = 0; i < f->of->shape_count; ++i) {
        const er_mode_shape *shape = &f->of->shape[i];
        const char *words =
            eri_arena_printf(arena, "%d  %.*s", shape->mode, (int)strcspn(shape->label, ","), shape->label);
        words = words != NULL ? eri_svg_fit(arena, words, small, LONGEST) : NULL;
        ERI_TRY(words != NULL ? ER_OK : ER_ERROR_MEMORY);
        f->name[i] = words;
        f->lean = fmax(f->lean, 8.0 + eri_svg_width(words, small) / sqrt(2.0));
    }
done:
    return r;
}

// Labels stand side by side, each as near to its stem as its neighbours let it: those that meet become a block, in the
// middle of its stems.
static void spread(int count, double *x, double last)
{
    for (int end = 0; end < count; ++end) {
        int first = end, size = 1;
        double middle = x[end];
        while (first > 0 && x[first - 1] + LABEL_GAP > middle - 0.5 * LABEL_GAP * (size - 1)) {
            int more = 1; // the block that ends at first - 1
            while (first - 1 - more >= 0 && fabs(x[first - more] - x[first - 1 - more] - LABEL_GAP) < 1e-9)
                ++more;
            double other = 0.5 * (x[first - 1] + x[first - more]);
            middle = (size * middle + more * other) / (size + more);
            size += more;
            first -= more;
        }
        double start = fmax(middle - 0.5 * LABEL_GAP * (size - 1), 4.0);
        for (int i = first; i <= end; ++i)
            x[i] = start + LABEL_GAP * (i - first);
    }
    for (int i = count - 1; i >= 0 && x[i] > last; --i, last -= LABEL_GAP)
        x[i] = last;
}

static er_result put_labels(figure *f, double bottom)
{
    er_result r = ER_OK;
    double *x, *stem;
    const char **name;
    int count = 0, elastic = 0;
    double last = f->axis.last + 8.0;
    ERI_TRY_NEW(x, f->out.text.arena, double, f->of->shape_count);
    ERI_TRY_NEW(stem, f->out.text.arena, double, f->of->shape_count);
    ERI_TRY_NEW(name, f->out.text.arena, const char *, f->of->shape_count);
    for (int i = 0; i < f->of->shape_count; ++i)
        elastic += er_modes_find(f->of->modes, f->of->shape[i].mode)->kind == ER_MODE_ELASTIC;
    const int room = 1 + (int)((last - 4.0) / LABEL_GAP), every = (elastic + room - 1) / room; // names are below too
    for (int i = 0, k = 0; i < f->of->shape_count; ++i) {
        const er_mode *mode = er_modes_find(f->of->modes, f->of->shape[i].mode);
        if (mode->kind != ER_MODE_ELASTIC || k++ % every != 0) continue;
        name[count] = f->name[i];
        x[count] = stem[count] = eri_axis_at(&f->axis, mode->frequency_hz);
        ++count;
    }
    spread(count, x, last);
    for (int i = 0; i < count; ++i) {
        eri_out_printf(&f->out,
                       "<path d=\"M%.2f %.1fV%.1fL%.2f %.1f\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.7\"/>\n",
                       stem[i], bottom, bottom - STEM + 10.0, x[i], bottom - STEM - 8.0);
        eri_out_printf(&f->out, "<g transform=\"translate(%.2f %.1f) rotate(-45)\">", x[i] + 2.0, bottom - STEM - 10.0);
        eri_svg_text(&f->out, 0, 0, " font-size=\"7\"", name[i]);
        eri_out_text(&f->out, "</g>\n");
    }
done:
    return r;
}

static er_result put_spectrum(figure *f)
{
    const er_modes *modes = f->of->modes;
    double bottom = f->top + f->lean + STEM + 8.0;
    eri_axis axis = f->axis;
    if (!(axis.high > 0.0)) return ER_OK;
    eri_out_text(&f->out, "<g id=\"spectrum\">\n<path d=\"");
    for (int k = 0; k < modes->count; ++k)
        if (modes->mode[k].kind == ER_MODE_ELASTIC)
            eri_out_printf(&f->out, "M%.2f %.1fv-8", eri_axis_at(&axis, modes->mode[k].frequency_hz), bottom);
    eri_out_text(&f->out, "\" stroke=\"#666\" stroke-width=\"0.5\"/>\n");
    er_result r = put_labels(f, bottom);
    eri_ticks ticks = eri_axis_ticks(&axis, 12.0, true);
    eri_out_printf(&f->out, "<path d=\"M%.1f %.1fH%.1f", axis.first, bottom, axis.last);
    for (int i = 0; i < ticks.count; ++i)
        eri_out_printf(&f->out, "M%.2f %.1fv3", eri_axis_at(&axis, ticks.value[i]), bottom);
    eri_out_text(&f->out, "\" stroke=\"#000\" stroke-width=\"0.6\" fill=\"none\"/>\n");
    for (int i = 0; i < ticks.count; ++i)
        eri_svg_text(&f->out, eri_axis_at(&axis, ticks.value[i]), bottom + 11.5,
                     " text-anchor=\"middle\" font-size=\"7\"", ticks.name[i]);
    eri_svg_text(&f->out, axis.last + 8.0, bottom + 11.5, " font-size=\"7\"", "Hz");
    eri_out_text(&f->out, "</g>\n");
    f->top = bottom + AXIS;
    return r;
}

// --- the page

static double begin_page(figure *f)
{
    const er_modes_figure *of = f->of;
    int rows = (of->shape_count + COLUMNS - 1) / COLUMNS;
    double heading = of->subtitle != NULL && of->subtitle[0] != '\0' ? 32.0 : 20.0,
           spectrum = frequency_axis(f) ? f->lean + STEM + 8.0 + AXIS : 0.0,
           shapes = of->shape_count > 0 ? 14.0 + rows * (f->high + CAPTION + GAP) : 20.0,
           height = heading + spectrum + shapes;
    eri_out_printf(&f->out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%dpt\" height=\"%.0fpt\" "
                   "font-family=\"sans-serif\" font-size=\"%g\" fill=\"#000\" role=\"img\">\n<title>",
                   WIDE, height, WIDE, height, font);
    eri_svg_escaped(&f->out, of->title != NULL ? of->title : "");
    eri_out_text(&f->out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    return heading;
}

static er_result draw(figure *f)
{
    er_result r = ER_OK;
    const er_modes_figure *of = f->of;
    er_arena *arena = f->out.text.arena;
    const char *title = eri_svg_fit(arena, of->title != NULL ? of->title : "", 1.2 * 10.0, WIDE - 8.0),
               *subtitle = eri_svg_fit(arena, of->subtitle != NULL ? of->subtitle : "", small, WIDE - 8.0);
    ERI_TRY(title != NULL && subtitle != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(find_segments(f));
    choose_views(f);
    ERI_TRY(aim(f));
    ERI_TRY(name_stems(f));
    f->top = begin_page(f);
    eri_svg_text(&f->out, 4, 13, " font-size=\"10\" font-weight=\"bold\"", title);
    eri_svg_text(&f->out, 4, 25, " font-size=\"7\" fill=\"#444\"", subtitle);
    ERI_TRY(put_spectrum(f));
    if (of->shape_count > 0)
        put_legend(f, f->top + 4.0);
    else
        eri_svg_text(&f->out, 4, f->top + 8.0, "", "No mode but rigid ones.");
    f->top += 14.0;
    for (int i = 0; i < of->shape_count; ++i)
        ERI_TRY(put_shape(f, i));
    eri_out_text(&f->out, "</svg>\n");
done:
    return r;
}

static er_result check(er_context *context, const er_modes_figure *of, const char *path)
{
    if (of == NULL || path == NULL || of->model == NULL || of->modes == NULL || of->shape_count < 0 ||
        (of->shape_count > 0 && of->shape == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_modes_plot needs a model, its modes, as many shapes as it counts and a path");
    if (!eri_modes_belong(of->modes, of->model))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: the modes are of another rig than \"%s\"",
                       path, of->model->name);
    if (!(er_v3_norm(of->up) > 0.0) || !er_v3_finite(of->up))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "%s: cannot be written: up is (%g, %g, %g), which is not a direction", path, of->up.x, of->up.y,
                       of->up.z);
    for (int i = 0; i < of->shape_count; ++i) {
        const er_mode_shape *shape = &of->shape[i];
        if (i > 0 && shape->mode <= of->shape[i - 1].mode)
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "%s: cannot be written: shape %d is of mode %d, after one of mode %d; modes must ascend",
                           path, i, shape->mode, of->shape[i - 1].mode);
        if (er_modes_find(of->modes, shape->mode) == NULL || shape->label == NULL)
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "%s: cannot be written: shape %d is of mode %d, which is not held, or has no label", path, i,
                           shape->mode);
        for (int b = 0; b < 2 * of->model->body_count; ++b) {
            const er_pose *pose = shape->end[b % 2] != NULL ? &shape->end[b % 2][b / 2] : NULL;
            if (pose == NULL || !er_v3_finite(pose->p) || !(fabs(er_q_dot(pose->q, pose->q) - 1.0) < 1e-6))
                return er_fail(context, ER_ERROR_ARGUMENT,
                               "%s: cannot be written: the pose of body %d in shape %d is not finite", path, b / 2, i);
        }
    }
    return ER_OK;
}

er_result er_modes_plot(er_context *context, const er_modes_figure *of, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    figure f = {.of = of};
    ERI_TRY(check(context, of, path));
    f.model = of->model;
    ERI_TRY(eri_out_begin(&f.out, context));
    ERI_TRY(draw(&f));
    ERI_TRY(eri_drawing_write(&f.out, path));
done:
    eri_out_end(&f.out);
    return r;
}
