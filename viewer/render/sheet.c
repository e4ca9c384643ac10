// The contact sheet: its layout, pictures and captions.
#include "viewer/render/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "viewer/render/label.h"
#include "viewer/render/spectrum.h"

// Points: the natural size of a cell, the captions above its picture, and the page around all cells.
enum { CELL_WIDTH = 360, CELL_HEIGHT = 300, CAPTION = 50, PAGE = 24, GAP = 16, TITLE = 68, SPECTRUM = 132 };
enum { LEAST_PICTURE = 32 };      // pixels
enum { MEDIUM = 18, SMALL = 13 }; // letters

int sheet_modes(const er_modes *modes, int *first)
{
    int rigid = 0;
    while (rigid < modes->count && modes->mode[rigid].kind != ER_MODE_ELASTIC)
        ++rigid;
    *first = rigid;
    return modes->count - rigid;
}

static double natural_width(int columns)
{
    if (columns < 2) columns = 2; // room for the title
    return 2.0 * PAGE + columns * CELL_WIDTH + (columns - 1) * GAP;
}

static double natural_height(int rows)
{
    return TITLE + rows * CELL_HEIGHT + (rows - 1) * GAP + SPECTRUM + PAGE;
}

sheet_plan sheet_layout(const render_def *def, int count)
{
    sheet_plan best = {.count = count};
    double least = HUGE_VAL;
    bool given = def->width > 0;
    for (int columns = 1; columns <= count; ++columns) {
        int rows = (count + columns - 1) / columns;
        double width = natural_width(columns), height = natural_height(rows);
        double unit = given ? fmin(def->width / width, def->height / height) : 1.0;
        int holes = columns * rows - count;
        double worse = given ? -unit : fabs(log(width / height / 1.6)) + 0.8 * holes / columns;
        if (worse >= least) continue;
        least = worse;
        best.columns = columns;
        best.rows = rows;
        best.scale = fmin(fmax(unit, 0.75), 4.0); // smaller letters are illegible
        best.width = given ? def->width : (int)width;
        best.height = given ? def->height : (int)height;
    }
    return best;
}

// A cell's rectangle, pixels: left, top, width, height of all of it.
static void place_cell(const sheet_plan *p, int i, int at[4])
{
    double s = p->scale;
    double width = (p->width - (2 * PAGE + (p->columns - 1) * GAP) * s) / p->columns;
    double height = (p->height - (TITLE + SPECTRUM + PAGE + (p->rows - 1) * GAP) * s) / p->rows;
    at[0] = (int)(PAGE * s + i % p->columns * (width + GAP * s));
    at[1] = (int)(TITLE * s + i / p->columns * (height + GAP * s));
    at[2] = (int)width;
    at[3] = (int)height;
}

// The part of it that is the picture.
static void place_picture(const sheet_plan *p, int i, int at[4])
{
    int caption = (int)(CAPTION * p->scale);
    place_cell(p, i, at);
    at[1] += caption;
    at[3] -= caption;
}

er_result sheet_init(canvas *e, const render_subject *subject, const render_def *def, const sheet_plan *plan,
                     double duration, int frames, sheet *out)
{
    *out = (sheet){.subject = subject, .def = def, .plan = *plan};
    sheet_modes(subject->modes, &out->first);
    out->cell = calloc((size_t)plan->count, sizeof *out->cell);
    out->joints = malloc(((size_t)subject->model->joint_count + 1) * sizeof *out->joints);
    if (out->cell == NULL || out->joints == NULL) return er_fail(e->context, ER_ERROR_MEMORY, "no memory for a sheet");
    int at[4];
    place_picture(plan, 0, at);
    if (at[2] < LEAST_PICTURE || at[3] < LEAST_PICTURE)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "%d cells do not fit in %d x %d pixels; ask for fewer, or for a larger picture", plan->count,
                       plan->width, plan->height);
    er_result r = ER_OK;
    for (int i = 0; i < plan->count && r == ER_OK; ++i) {
        int mode = er_modes_index(subject->modes, &subject->modes->mode[out->first + i]);
        r = animation_of_mode(e->context, subject, def, mode, duration, frames, &out->cell[i].s);
        if (r == ER_OK) r = cell_init(e, def, out->cell[i].s, mode, (double)at[2] / at[3], &out->cell[i]);
    }
    return r;
}

void sheet_finish(sheet *s)
{
    for (int i = 0; s->cell != NULL && i < s->plan.count; ++i)
        cell_finish(&s->cell[i]);
    free(s->cell);
    free(s->joints);
}

static void draw_caption(canvas *e, const sheet *s, int i)
{
    int at[4];
    char hz[32], kind[64], names[LABEL_SIZE];
    const er_mode *mode = &s->subject->modes->mode[s->first + i];
    const cell *c = &s->cell[i];
    place_cell(&s->plan, i, at);
    double x = at[0] / s->plan.scale, y = at[1] / s->plan.scale, width = at[2] / s->plan.scale;
    double line[2][2] = {{x, y}, {x + width, y}};
    gui_draw_line(e->overlay, line[0], line[1], 1.0, e->colours.line);
    label_hz(mode->frequency_hz, hz);
    int used = snprintf(kind, sizeof kind, "%s", er_mode_kind_name(mode->kind));
    if (mode->damping_ratio > 0.0)
        used += snprintf(kind + used, sizeof kind - (size_t)used, ", damping %.3g", mode->damping_ratio);
    const er_mode_bound *bound = s->def->bound != NULL ? &s->def->bound[s->first + i] : NULL;
    if (bound != NULL && bound->by != ER_BOUND_ASKED)
        snprintf(kind + used, sizeof kind - (size_t)used, ", %.2g° by %s", bound->degrees, er_bound_name(bound->by));
    char index[16];
    snprintf(index, sizeof index, "%d", c->mode);
    label_draw(e, x, y + 7.0, MEDIUM, 0.0, 0.3 * width, e->colours.accent, index);
    double left = gui_text_width(e->overlay, MEDIUM, index) + 10.0;
    label_draw(e, x + left, y + 7.0, MEDIUM, 0.0, width - left, e->colours.text, hz);
    left += gui_text_width(e->overlay, MEDIUM, hz) + 12.0;
    label_draw(e, x + width, y + 11.0, SMALL, 1.0, width - left, e->colours.dim, kind);
    const er_mode_name *called = er_mode_names_at(s->def->names, c->mode);
    if (called != NULL)
        snprintf(names, sizeof names, "%s", called->name);
    else
        label_joints(s->subject->model, mode, s->joints, names);
    double view = gui_text_width(e->overlay, SMALL, render_view_name(c->view)) + 12.0;
    label_draw(e, x, y + 30.0, SMALL, 0.0, width - view, e->colours.dim, names);
    label_draw(e, x + width, y + 30.0, SMALL, 1.0, view, e->colours.dim, render_view_name(c->view));
}

static void draw_text(canvas *e, sheet *s)
{
    double width = s->plan.width / s->plan.scale, height = s->plan.height / s->plan.scale;
    canvas_text_begin(e);
    label_title(e, width, s->def, s->def->subtitle);
    for (int i = 0; i < s->plan.count; ++i)
        draw_caption(e, s, i);
    spectrum_draw(e, s->subject->model, s->subject->modes, s->first, s->plan.count, PAGE,
                  height - (SPECTRUM + PAGE - GAP), width - 2.0 * PAGE, SPECTRUM - GAP, s->joints);
    canvas_text_end(e);
}

er_result sheet_draw(canvas *e, sheet *s, double time)
{
    er_result r = ER_OK;
    canvas_clear(e);
    for (int i = 0; i < s->plan.count && r == ER_OK; ++i) {
        int at[4];
        place_picture(&s->plan, i, at);
        r = cell_draw(e, &s->cell[i], time, at[0], at[1], at[2], at[3]);
    }
    if (r == ER_OK) draw_text(e, s);
    return r;
}
