// Rows of figures through a stride, on one scale, with bars below for the feet on the ground.
#include "viewer/render/strip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "viewer/render/aim.h"
#include "viewer/render/label.h"
#include "viewer/render/outline.h"

// Points, which are pixels here: around the rows, above a row, and below it.
enum {
    MOST_WIDE = 1680,
    LEAST_WIDE = 1080,
    PAGE = 24,
    TITLE = 76,
    HEAD = 40,
    LANE = 7,
    FEET = 30,
    MOST_HIGH = 240,
    MOST_TALL = 8192
};
enum { FIGURES = 8, MEDIUM = 18, SMALL = 14 };

#define LEVEL 0.07 // rad: views from the side look down a little, so that shadows are seen

static double spacing_on(int width)
{
    return (width - 2.0 * PAGE) / FIGURES;
}

static int frame_of(const er_gait_motion *m, int figure)
{
    return (int)lround((m->frame_count - 1) * (double)figure / FIGURES);
}

static const er_pose *pose_of(strip *s, int row, int figure)
{
    animation stride = animation_of_gait(s->def->motion[row], 0.0, 0);
    animation_pose(&stride, stride.duration * figure / FIGURES, s->pose); // of a gait it cannot fail
    return s->pose;
}

// ---- layout

static void turn_camera(strip *s)
{
    const er_gait_body *body = s->def->gaits->body;
    s->camera = (draw_camera){.up = body->up, .pitch = body->foot_count + body->wing_count > 0 ? LEVEL : 0.5 * ER_PI};
    s->camera.yaw = aim_yaw(body->up, body->forward);
    draw_camera_axes(&s->camera, s->axis);
}

// The soles at equilibrium, on the ground.
static void widen_by_feet(const strip *s, er_vec3 *low, er_vec3 *high)
{
    const er_gait_body *body = s->def->gaits->body;
    for (int f = 0; f < body->foot_count; ++f)
        for (int k = 0; k < body->foot[f].point_count; ++k) {
            er_vec3 at = body->foot[f].point[k];
            outline_widen(s->axis, er_v3_madd(at, body->ground - er_v3_dot(at, body->up), body->up), low, high);
        }
}

static er_result find_box(er_context *context, strip *s, er_vec3 *low, er_vec3 *high)
{
    outline shown = {0};
    er_result r = ER_OK;
    *low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = er_v3_scale(-1.0, *low);
    for (int i = 0; i < s->def->gaits->count && r == ER_OK; ++i)
        for (int k = 0; k < FIGURES && r == ER_OK; ++k) {
            shown.count = 0;
            r = outline_add_meshes(context, s->subject, pose_of(s, i, k), &shown);
            for (size_t p = 0; p < shown.count; ++p)
                outline_widen(s->axis, shown.point[p], low, high);
        }
    free(shown.point);
    return r;
}

er_result strip_layout(er_context *context, const render_subject *subject, const render_def *def, strip *out)
{
    const er_gaits *gaits = def->gaits;
    er_vec3 low, high, lowest = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, highest = er_v3_scale(-1.0, lowest);
    *out = (strip){.subject = subject, .def = def};
    if (gaits->count == 0) return er_fail(context, ER_ERROR_ARGUMENT, "there is no gait, so there is no strip to draw");
    out->pose = malloc((size_t)subject->model->body_count * sizeof *out->pose);
    if (out->pose == NULL) return er_fail(context, ER_ERROR_MEMORY, "no memory for a strip");
    turn_camera(out);
    er_result r = find_box(context, out, &low, &high);
    if (r != ER_OK) return r;
    widen_by_feet(out, &lowest, &highest);
    low.y = fmin(low.y, lowest.y);
    er_vec3 size = er_v3_sub(high, low), middle = er_v3_scale(0.5, er_v3_add(low, high));
    double least = 1e-3 * subject->model->size;
    out->unit = fmin(0.97 * spacing_on(MOST_WIDE) / fmax(size.x, least), MOST_HIGH / fmax(size.y, least));
    out->width = (int)fmax(LEAST_WIDE, 2 * PAGE + FIGURES * out->unit * size.x / 0.97);
    out->high = (int)ceil(out->unit * size.y) + 8;
    out->height = TITLE + gaits->count * (HEAD + out->high + FEET) + PAGE;
    out->ground = 0.5 * out->high - out->unit * (lowest.y - middle.y);
    if (out->height > MOST_TALL)
        return er_fail(context, ER_ERROR_ARGUMENT, "%d gaits do not fit on a strip; %d are the most", gaits->count,
                       (MOST_TALL - TITLE - PAGE) / (HEAD + out->high + FEET));
    for (int i = 0; i < 3; ++i)
        out->camera.target = er_v3_madd(out->camera.target, (&middle.x)[i], out->axis[i]);
    out->camera.distance = out->high / out->unit / (2.0 * tan(0.3)); // as fov 0 has it
    return ER_OK;
}

void strip_finish(strip *s)
{
    free(s->pose);
}

// ---- drawing

static er_vec3 shift_of(const strip *s, int figure)
{
    return er_v3_scale((figure - 0.5 * (FIGURES - 1)) * spacing_on(s->width) / s->unit, s->axis[0]);
}

static int top_of(const strip *s, int row)
{
    return TITLE + row * (HEAD + s->high + FEET);
}

static void draw_figures(canvas *e, strip *s, int row)
{
    draw_style style = e->style;
    style.lines = false;
    style.light_yaw = (float)s->camera.yaw - 0.5f;
    style.floor = s->def->gaits->body->foot_count > 0 && er_v3_dot(s->camera.up, e->up) > 0.999; // not askew
    painter_begin(e->painter, e->target, PAGE, top_of(s, row) + HEAD, s->width - 2 * PAGE, s->high, &s->camera, &style);
    for (int k = 0; k < FIGURES; ++k) {
        draw_figure figure = draw_default_figure();
        figure.pose = pose_of(s, row, k);
        figure.shift = shift_of(s, k);
        painter_add(e->painter, e->drawn, &figure);
    }
    painter_end(e->painter);
}

// A bar below a foot on the ground, as long as its sole. Right feet, which are nearer, have the upper lane.
static void draw_foot(canvas *e, strip *s, int row, int figure, const er_gait_foot *foot)
{
    const er_model *model = s->subject->model;
    const er_pose *pose = pose_of(s, row, figure);
    double from = HUGE_VAL, to = -HUGE_VAL, y = top_of(s, row) + HEAD + s->ground + (foot->side > 0 ? LANE + 5 : 5);
    for (int k = 0; k < foot->point_count; ++k) {
        int b = foot->point_body[k];
        er_vec3 own = er_pose_point_inverse(model->body[b].pose, foot->point[k]);
        double pixel[2];
        draw_camera_project(&s->camera, s->width - 2 * PAGE, s->high,
                            er_v3_add(er_pose_point(pose[b], own), shift_of(s, figure)), pixel);
        from = fmin(from, PAGE + pixel[0]);
        to = fmax(to, PAGE + pixel[0]);
    }
    double wide = fmax(to - from, LANE);
    gui_draw_box(e->overlay, 0.5 * (from + to - wide), y, wide, LANE - 2.0,
                 foot->side > 0 ? e->colours.dim : e->colours.accent, 2.0);
}

static void draw_feet(canvas *e, strip *s, int row)
{
    const er_gait_body *body = s->def->gaits->body;
    const er_gait_motion *m = s->def->motion[row];
    double y = top_of(s, row) + HEAD + s->ground + 1.0, line[2][2] = {{PAGE, y}, {s->width - PAGE, y}};
    if (body->foot_count > 0) gui_draw_line(e->overlay, line[0], line[1], 1.0, e->colours.dim);
    for (int k = 0; k < FIGURES; ++k)
        for (int f = 0; f < body->foot_count; ++f)
            if (m->stands[frame_of(m, k) * body->foot_count + f]) draw_foot(e, s, row, k, &body->foot[f]);
}

static void draw_head(canvas *e, const strip *s, int row)
{
    const er_gait *gait = &s->def->gaits->gait[row];
    char text[160];
    double y = top_of(s, row), line[2][2] = {{PAGE, y}, {s->width - PAGE, y}};
    gui_draw_line(e->overlay, line[0], line[1], 1.0, e->colours.line);
    label_draw(e, PAGE, y + 8.0, MEDIUM, 0.0, 300.0, e->colours.accent, gait->name);
    double left = PAGE + fmax(gui_text_width(e->overlay, MEDIUM, gait->name) + 18.0, 110.0);
    snprintf(text, sizeof text, "%.3g m/s \xC2\xB7 %.2f Hz \xC2\xB7 Froude %.2f \xC2\xB7 a stride of %.3g m",
             gait->speed, gait->hz, gait->froude, gait->stride);
    label_draw(e, left, y + 11.0, SMALL, 0.0, 900.0, e->colours.text, text);
    snprintf(text, sizeof text, "score %.2f", gait->score);
    label_draw(e, s->width - PAGE, y + 11.0, SMALL, 1.0, 200.0, e->colours.dim, text);
}

void strip_draw(canvas *e, strip *s)
{
    const er_gait_body *body = s->def->gaits->body;
    canvas_clear(e);
    for (int i = 0; i < s->def->gaits->count; ++i)
        draw_figures(e, s, i);
    canvas_text_begin(e);
    label_title(e, s->width, s->def,
                body->foot_count > 0
                    ? "eighths of a stride, from the right; bars are feet that stand, the right ones blue"
                : body->wing_count > 0 ? "eighths of a beat, from the right"
                                       : "eighths of a cycle, from above");
    for (int i = 0; i < s->def->gaits->count; ++i) {
        draw_head(e, s, i);
        draw_feet(e, s, i);
    }
    canvas_text_end(e);
}
