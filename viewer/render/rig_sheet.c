// Three views of a rig on one scale, its bodies in colours, and their names below.
#include "viewer/render/rig_sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/letters.h"
#include "viewer/render/aim.h"
#include "viewer/render/label.h"
#include "viewer/render/outline.h"

// Points, which are pixels here.
enum {
    WIDE = 1480,
    PAGE = 24,
    TITLE = 76,
    CAPTION = 26,
    LEAST_HIGH = 240,
    MOST_HIGH = 620,
    ROW = 19,
    COLUMNS = 4,
    MOST_ROWS = 60,
    MEDIUM = 15,
    SMALL = 13
};

#define MESH_OPACITY 0.35f
#define MARGIN 1.12 // size of a view over that of its contents

// ---- what is looked at

typedef enum rig_view { FRONT, LEFT, ABOVE, VIEWS } rig_view;

// The axis (0 forward, 1 left, 2 up) that goes to the right on the picture, and the one that goes up.
static const struct {
    const char *name;
    int along, upward;
} views[VIEWS] = {{"from the front", 1, 2}, {"from its left", 0, 2}, {"from above", 0, 1}};

static er_vec3 axis_of(const rig_sheet *s, int i)
{
    const er_gait_body *body = s->def->body;
    return i == 0 ? body->forward : i == 1 ? body->left : body->up;
}

static double extent_along(const rig_sheet *s, int i)
{
    return MARGIN * 2.0 * (&s->half.x)[i];
}

static er_result find_box(er_context *context, rig_sheet *s)
{
    const er_model *m = s->subject->model;
    outline shown = {0};
    er_result r = ER_OK;
    er_pose *pose = malloc((size_t)m->body_count * sizeof *pose);
    if (pose == NULL) return er_fail(context, ER_ERROR_MEMORY, "no memory for a picture of the rig");
    for (int b = 0; b < m->body_count; ++b)
        pose[b] = m->body[b].pose;
    r = outline_add_meshes(context, s->subject, pose, &shown);
    const er_vec3 axis[3] = {axis_of(s, 0), axis_of(s, 1), axis_of(s, 2)};
    er_vec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t p = 0; p < shown.count; ++p)
        outline_widen(axis, shown.point[p], &low, &high);
    for (int b = 0; b < m->body_count; ++b)
        outline_widen(axis, pose[b].p, &low, &high);
    s->middle = er_v3_scale(0.5, er_v3_add(low, high));
    for (int i = 0; i < 3; ++i)
        (&s->half.x)[i] = fmax(0.5 * ((&high.x)[i] - (&low.x)[i]), 1e-3 * m->size);
    free(shown.point);
    free(pose);
    return r;
}

// ---- where things lie

static double wide_of(const rig_sheet *s, rig_view v)
{
    return s->unit * extent_along(s, views[v].along);
}

// Views stand side by side, with equal gaps.
static double left_of(const rig_sheet *s, rig_view v)
{
    double left = PAGE, gap = WIDE - 2.0 * PAGE;
    for (rig_view i = 0; i < VIEWS; ++i)
        gap -= wide_of(s, i);
    for (rig_view i = 0; i < v; ++i)
        left += wide_of(s, i);
    return left + gap * ((double)v + 0.5) / VIEWS;
}

er_result rig_sheet_layout(er_context *context, const render_subject *subject, const render_def *def, rig_sheet *out)
{
    int n = subject->model->body_count;
    *out = (rig_sheet){.subject = subject, .def = def, .width = WIDE};
    out->head = malloc(2 * (size_t)n * sizeof *out->head);
    if (out->head == NULL) return er_fail(context, ER_ERROR_MEMORY, "no memory for a picture of the rig");
    out->tip = out->head + n;
    er_result r = find_box(context, out);
    if (r != ER_OK) return r;
    double across = 0.0, tallest = 0.0;
    for (rig_view v = 0; v < VIEWS; ++v) {
        across += extent_along(out, views[v].along);
        tallest = fmax(tallest, extent_along(out, views[v].upward));
    }
    out->unit = fmin((WIDE - 2.0 * PAGE) / across, MOST_HIGH / tallest);
    out->high = (int)fmax(LEAST_HIGH, ceil(out->unit * tallest));
    out->rows = (int)fmin(MOST_ROWS, (n + COLUMNS - 1) / COLUMNS);
    out->height = TITLE + CAPTION + out->high + PAGE + out->rows * ROW + PAGE;
    return ER_OK;
}

void rig_sheet_finish(rig_sheet *s)
{
    free(s->head);
}

// ---- colours

// Hues go round by the golden section, so that successive bodies differ most.
static void colour_of(int body, float rgba[4])
{
    static const double golden = 0.61803398874989485;
    double hue = 6.0 * fmod(0.58 + golden * body, 1.0);
    for (int i = 0; i < 3; ++i) {
        double away = fabs(fmod(hue + 4.0 - 2.0 * i + 6.0, 6.0) - 3.0) - 1.0;
        rgba[i] = (float)(0.85 - 0.68 * (1.0 - fmin(fmax(away, 0.0), 1.0)));
    }
    rgba[3] = 1.0f;
}

// ---- what is drawn over the mesh

static void draw_segment(canvas *e, er_vec3 from, er_vec3 to, const float rgba[4], float width)
{
    er_vec3 line[2] = {from, to};
    painter_lines(e->painter, 1, line, rgba, width);
}

static er_vec3 place_of(const rig_sheet *s, int node)
{
    return er_v3_scale(s->subject->target->metres_per_unit, s->subject->target->world[node].translation);
}

// Bones between nodes as the file has them.
static void draw_nodes(canvas *e, const rig_sheet *s)
{
    const er_scene *scene = s->subject->target->scene;
    for (int i = 0; i < scene->node_count; ++i) {
        int up = scene->node[i].parent;
        if (up < 0 || s->subject->target->node_body[i] < 0 || s->subject->target->node_body[up] < 0) continue;
        draw_segment(e, place_of(s, up), place_of(s, i), e->colours.dim, 1.0f);
    }
}

// From the parent's joint to the own one, and along the bone.
static void draw_bodies(canvas *e, const rig_sheet *s)
{
    const er_model *m = s->subject->model;
    for (int b = 0; b < m->body_count; ++b) {
        float rgba[4];
        colour_of(b, rgba);
        draw_segment(e, s->head[b], s->tip[b], rgba, 5.0f);
        if (m->tree_parent[b] >= 0) draw_segment(e, s->head[m->tree_parent[b]], s->head[b], rgba, 1.5f);
    }
}

// A point on the ground, by its distance from the middle along forward and left, m.
static er_vec3 on_ground(const rig_sheet *s, double forward, double left)
{
    const er_gait_body *body = s->def->body;
    er_vec3 p = er_v3_scale(body->ground, body->up);
    p = er_v3_madd(p, s->middle.x + forward, body->forward);
    return er_v3_madd(p, s->middle.y + left, body->left);
}

static void draw_facing(canvas *e, const rig_sheet *s)
{
    double reach = 0.98 * s->half.x, barb = 0.12 * fmin(s->half.x, fmax(s->half.y, 0.3 * s->half.x));
    er_vec3 tip = on_ground(s, reach, 0.0);
    draw_segment(e, on_ground(s, -reach, 0.0), tip, e->colours.accent, 2.0f);
    draw_segment(e, tip, on_ground(s, reach - barb, barb), e->colours.accent, 2.0f);
    draw_segment(e, tip, on_ground(s, reach - barb, -barb), e->colours.accent, 2.0f);
}

// The plane of the mirror cuts the views along up and along forward.
static void draw_mirror(canvas *e, const rig_sheet *s)
{
    er_vec3 low = on_ground(s, 0.0, 0.0), high = er_v3_madd(low, 2.0 * s->half.z, s->def->body->up);
    draw_segment(e, low, high, e->colours.accent, 1.0f);
}

static er_vec3 middle_of(const er_gait_foot *foot)
{
    er_vec3 sum = er_v3(0, 0, 0);
    for (int k = 0; k < foot->point_count; ++k)
        sum = er_v3_add(sum, foot->point[k]);
    return er_v3_scale(1.0 / foot->point_count, sum);
}

// The next corner of a sole, counter-clockwise round its middle.
static int next_corner(const er_gait_body *body, const er_gait_foot *foot, int corner)
{
    er_vec3 middle = middle_of(foot), from = er_v3_sub(foot->point[corner], middle);
    double least = HUGE_VAL;
    int next = corner;
    for (int k = 0; k < foot->point_count; ++k) {
        er_vec3 to = er_v3_sub(foot->point[k], middle);
        double x = er_v3_dot(from, to), y = er_v3_dot(body->up, er_v3_cross(from, to)), turn = atan2(y, x);
        turn += turn <= 0.0 ? 2.0 * ER_PI : 0.0;
        if (k == corner || turn >= least) continue;
        least = turn;
        next = k;
    }
    return next;
}

static void draw_soles(canvas *e, const rig_sheet *s)
{
    const er_gait_body *body = s->def->body;
    for (int f = 0; f < body->foot_count; ++f)
        for (int k = 0; k < body->foot[f].point_count; ++k)
            draw_segment(e, body->foot[f].point[k], body->foot[f].point[next_corner(body, &body->foot[f], k)],
                         e->colours.text, 2.5f);
}

static draw_camera camera_of(const rig_sheet *s, rig_view v)
{
    const er_gait_body *body = s->def->body;
    draw_camera c = {.up = body->up, .pitch = v == ABOVE ? 0.5 * ER_PI : 0.0};
    er_vec3 along = v == FRONT ? body->left : v == LEFT ? er_v3_scale(-1.0, body->forward) : body->forward;
    c.yaw = aim_yaw(body->up, along);
    for (int i = 0; i < 3; ++i)
        c.target = er_v3_madd(c.target, (&s->middle.x)[i], axis_of(s, i));
    c.distance = s->high / s->unit / (2.0 * tan(0.3)); // as fov 0 has it
    return c;
}

static void draw_view(canvas *e, rig_sheet *s, rig_view v)
{
    draw_style style = e->style;
    draw_camera camera = camera_of(s, v);
    draw_figure figure = draw_default_figure();
    style.floor = style.skeleton = false;
    style.mesh = true;
    figure.opacity = MESH_OPACITY;
    painter_begin(e->painter, e->target, (int)left_of(s, v), TITLE + CAPTION, (int)wide_of(s, v), s->high, &camera,
                  &style);
    if (s->subject->target->scene->instance_count > 0) painter_add(e->painter, e->drawn, &figure);
    draw_nodes(e, s);
    draw_bodies(e, s);
    if (s->def->body->foot_count > 0) draw_soles(e, s);
    if (v != FRONT) draw_facing(e, s);
    if (v == FRONT) draw_mirror(e, s);
    painter_end(e->painter);
}

// ---- letters

// Names of feet, except of those that a nearer foot hides.
static void write_feet(canvas *e, const rig_sheet *s, rig_view v)
{
    const er_gait_body *body = s->def->body;
    draw_camera camera = camera_of(s, v);
    double last[2] = {-HUGE_VAL, -HUGE_VAL}; // on the left and on the right
    for (int f = 0; f < body->foot_count; ++f) {
        const er_gait_foot *foot = &body->foot[f];
        double pixel[2], *hidden = &last[foot->side > 0];
        if (v == LEFT && foot->side < 0) continue;
        if (!draw_camera_project(&camera, (int)wide_of(s, v), s->high, middle_of(foot), pixel)) continue;
        if (v == FRONT && fabs(pixel[0] - *hidden) < 2.0 * SMALL) continue;
        *hidden = pixel[0];
        label_draw(e, left_of(s, v) + pixel[0], TITLE + CAPTION + pixel[1] + (v == ABOVE ? -7.0 : 6.0), SMALL, 0.5,
                   80.0, e->colours.text, foot->name);
    }
}

static void write_bodies(canvas *e, const rig_sheet *s)
{
    const er_model *m = s->subject->model;
    double wide = (WIDE - 2.0 * PAGE) / COLUMNS, top = TITLE + CAPTION + s->high + PAGE;
    int shown = m->body_count <= s->rows * COLUMNS ? m->body_count : s->rows * COLUMNS - 1;
    for (int b = 0; b < shown; ++b) {
        char text[LABEL_SIZE];
        float rgba[4];
        double x = PAGE + wide * (b / s->rows), y = top + ROW * (b % s->rows);
        int p = m->tree_parent[b];
        colour_of(b, rgba);
        gui_draw_box(e->overlay, x, y + 3.0, 12.0, 12.0, rgba, 3.0);
        snprintf(text, sizeof text, p >= 0 ? "%s  \xE2\x86\x90 %s" : "%s, a root", m->body[b].name,
                 p >= 0 ? m->body[p].name : "");
        label_draw(e, x + 20.0, y, SMALL, 0.0, wide - 32.0, e->colours.text, text);
    }
    if (shown < m->body_count) {
        char text[64];
        snprintf(text, sizeof text, "and %d more", m->body_count - shown);
        label_draw(e, PAGE + wide * (COLUMNS - 1), top + ROW * (s->rows - 1), SMALL, 0.0, wide, e->colours.dim, text);
    }
}

static void write_title(canvas *e, const rig_sheet *s)
{
    const er_gait_body *body = s->def->body;
    char text[LABEL_SIZE];
    snprintf(text, sizeof text,
             "%d %s \xC2\xB7 %d %s \xC2\xB7 faces the arrow, sure by %.0f %%%s%s \xC2\xB7 grey: as nodes hang in "
             "the file",
             s->subject->model->body_count, eri_bodies(s->subject->model->body_count), body->foot_count,
             body->foot_count == 1 ? "foot" : "feet", 100.0 * body->facing,
             s->def->subtitle != NULL ? " \xC2\xB7 " : "", s->def->subtitle != NULL ? s->def->subtitle : "");
    label_title(e, WIDE, s->def, text);
}

void rig_sheet_draw(canvas *e, rig_sheet *s)
{
    draw_bones(e->drawn, NULL, s->head, s->tip);
    canvas_clear(e);
    for (rig_view v = 0; v < VIEWS; ++v)
        draw_view(e, s, v);
    canvas_text_begin(e);
    write_title(e, s);
    for (rig_view v = 0; v < VIEWS; ++v) {
        label_draw(e, left_of(s, v) + 0.5 * wide_of(s, v), TITLE, MEDIUM, 0.5, wide_of(s, v) + 40.0, e->colours.dim,
                   views[v].name);
        write_feet(e, s, v);
    }
    write_bodies(e, s);
    canvas_text_end(e);
}
