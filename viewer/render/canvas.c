// Creates OpenGL, painter, model and target, used for all pictures of a run.
#include "viewer/render/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/render/aim.h"

static canvas_colours colours_of(bool dark)
{
    canvas_colours light = {.paper = {0.985f, 0.980f, 0.970f},
                            .text = {0.11f, 0.12f, 0.15f, 1.0f},
                            .dim = {0.42f, 0.43f, 0.46f, 1.0f},
                            .line = {0.11f, 0.12f, 0.15f, 0.14f},
                            .grid = {0.80f, 0.79f, 0.77f},
                            .accent = {0.13f, 0.38f, 0.75f, 1.0f},
                            .ghost = {{0.16f, 0.46f, 1.00f}, {1.00f, 0.50f, 0.12f}}};
    canvas_colours night = {.paper = {0.095f, 0.105f, 0.125f},
                            .text = {0.92f, 0.93f, 0.95f, 1.0f},
                            .dim = {0.60f, 0.62f, 0.66f, 1.0f},
                            .line = {1.0f, 1.0f, 1.0f, 0.14f},
                            .grid = {0.24f, 0.26f, 0.30f},
                            .accent = {0.45f, 0.66f, 1.0f, 1.0f},
                            .ghost = {{0.30f, 0.56f, 1.00f}, {1.00f, 0.60f, 0.26f}}};
    return dark ? night : light;
}

// Sheets and strips are pages: flat paper, with words.
static bool has_text(const render_def *def)
{
    return def->what == RENDER_SHEET || def->what == RENDER_STRIP || def->what == RENDER_RIG;
}

static draw_style style_of(const render_def *def, const canvas_colours *colours)
{
    draw_style style = draw_default_style(def->dark);
    style.surface = def->surface;
    style.mesh = def->mesh;
    style.skeleton = def->skeleton;
    style.transparent = def->transparent;
    if (def->scenery || has_text(def)) style.scenery = def->scenery ? 1.0f : 0.0f; // pages leave it out
    style.floor = !def->world && !def->transparent;
    style.shadow = !def->transparent;
    if (!has_text(def)) return style;
    style.light_yaw = 0.35f;
    style.light_pitch = 1.05f;
    style.transparent = true; // canvas_read() lays it on flat paper
    memcpy(style.grid, colours->grid, sizeof style.grid);
    return style;
}

er_result canvas_init(er_context *context, const render_subject *subject, const render_def *def, int width, int height,
                      double scale, canvas *out)
{
    *out = (canvas){.context = context, .subject = subject, .width = width, .height = height, .scale = scale};
    out->up = subject->target->scene->up;
    out->colours = colours_of(def->dark);
    out->front = aim_front(out->up, subject->target->scene->forward);
    out->style = style_of(def, &out->colours);
    out->style.light_yaw += (float)out->front;
    out->paper = has_text(def) && !def->transparent;
    er_result r = draw_offscreen_create(context, &out->offscreen);
    if (r == ER_OK) r = painter_create(context, &out->painter);
    if (r == ER_OK) r = draw_model_create(out->painter, subject->target, subject->model, &out->drawn);
    if (r == ER_OK) r = draw_target_create(out->painter, width, height, 4, &out->target);
    if (r != ER_OK) return r;
    out->rgba = malloc(4 * (size_t)width * (size_t)height);
    if (out->rgba == NULL)
        return er_fail(context, ER_ERROR_MEMORY, "no memory for a picture of %d x %d", width, height);
    if (!has_text(def)) return ER_OK;
    out->overlay = gui_create(scale, def->dark);
    return out->overlay != NULL ? ER_OK : er_fail(context, ER_ERROR_SYSTEM, "letters cannot be drawn: no OpenGL");
}

void canvas_finish(canvas *e)
{
    gui_destroy(e->overlay);
    draw_target_destroy(e->target);
    draw_model_destroy(e->drawn);
    painter_destroy(e->painter);
    draw_offscreen_destroy(e->offscreen);
    free(e->rgba);
}

void canvas_clear(canvas *e)
{
    draw_style blank = e->style;
    draw_camera any = {.up = e->up, .distance = 1.0, .fov = 0.6};
    blank.floor = blank.shadow = false;
    painter_begin(e->painter, e->target, 0, 0, e->width, e->height, &any, &blank);
    painter_end(e->painter);
}

void canvas_text_begin(canvas *e)
{
    gui_begin(e->overlay, e->width, e->height, 1.0);
}

void canvas_text_end(canvas *e)
{
    draw_target_bind(e->target);
    gui_end(e->overlay);
    gui_paint(e->overlay);
}

void canvas_read(canvas *e)
{
    size_t pixels = (size_t)e->width * (size_t)e->height;
    draw_target_read(e->target, e->rgba);
    for (size_t i = 0; e->paper && i < pixels; ++i) {
        uint8_t *p = e->rgba + 4 * i;
        for (int k = 0; k < 3; ++k)
            p[k] = (uint8_t)((p[k] * p[3] + 255.0f * e->colours.paper[k] * (float)(255 - p[3])) / 255.0f + 0.5f);
        p[3] = 255;
    }
}
