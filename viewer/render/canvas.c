// OpenGL, painter, model and target are made once for all pictures of a run.
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
static bool has_letters(const render_def *def)
{
    return def->what == RENDER_SHEET || def->what == RENDER_STRIP || def->what == RENDER_RIG;
}

static draw_look look_of(const render_def *def, const canvas_colours *colours)
{
    draw_look look = draw_default_look(def->dark);
    look.surface = def->surface;
    look.mesh = def->mesh;
    look.skeleton = def->skeleton;
    look.transparent = def->transparent;
    if (def->scenery || has_letters(def)) look.scenery = def->scenery ? 1.0f : 0.0f; // pages leave it out
    look.floor = look.shadow = !def->transparent;
    if (!has_letters(def)) return look;
    look.light_yaw = 0.35f;
    look.light_pitch = 1.05f;
    look.transparent = true; // canvas_read() lays it on flat paper
    memcpy(look.grid, colours->grid, sizeof look.grid);
    return look;
}

er_result canvas_init(er_context *context, const render_subject *subject, const render_def *def, int width, int height,
                      double scale, canvas *out)
{
    *out = (canvas){.context = context, .subject = subject, .width = width, .height = height, .scale = scale};
    out->up = subject->target->scene->up;
    out->colours = colours_of(def->dark);
    out->front = aim_front(out->up, subject->target->scene->forward);
    out->look = look_of(def, &out->colours);
    out->look.light_yaw += (float)out->front;
    out->paper = has_letters(def) && !def->transparent;
    er_result r = draw_offscreen_create(context, &out->offscreen);
    if (r == ER_OK) r = painter_create(context, &out->painter);
    if (r == ER_OK) r = draw_model_create(out->painter, subject->target, subject->model, &out->drawn);
    if (r == ER_OK) r = draw_target_create(out->painter, width, height, 4, &out->target);
    if (r != ER_OK) return r;
    out->rgba = malloc(4 * (size_t)width * (size_t)height);
    if (out->rgba == NULL)
        return er_fail(context, ER_ERROR_MEMORY, "no memory for a picture of %d x %d", width, height);
    if (!has_letters(def)) return ER_OK;
    out->letters = gui_create(scale, def->dark);
    return out->letters != NULL ? ER_OK : er_fail(context, ER_ERROR_SYSTEM, "letters cannot be drawn: no OpenGL");
}

void canvas_finish(canvas *e)
{
    gui_destroy(e->letters);
    draw_target_destroy(e->target);
    draw_model_destroy(e->drawn);
    painter_destroy(e->painter);
    draw_offscreen_destroy(e->offscreen);
    free(e->rgba);
}

void canvas_clear(canvas *e)
{
    draw_look blank = e->look;
    draw_camera any = {.up = e->up, .distance = 1.0, .fov = 0.6};
    blank.floor = blank.shadow = false;
    painter_begin(e->painter, e->target, 0, 0, e->width, e->height, &any, &blank);
    painter_end(e->painter);
}

void canvas_letters_begin(canvas *e)
{
    gui_begin(e->letters, e->width, e->height, 1.0);
}

void canvas_letters_end(canvas *e)
{
    draw_target_bind(e->target);
    gui_end(e->letters);
    gui_paint(e->letters);
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
