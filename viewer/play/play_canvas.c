// Pictures of a scene without a window.
#include <stdlib.h>

#include "viewer/play/play.h"
#include "viewer/play/play_renderer.h"

struct play_canvas {
    er_context *context;
    draw_offscreen *offscreen;
    painter *painter;
    draw_target *target;
    play_renderer *renderer;
    int width, height; // pixels
    uint8_t *rgba;
};

static er_result prepare(play_canvas *c, engine *e)
{
    er_result r = draw_offscreen_create(c->context, &c->offscreen);
    if (r == ER_OK) r = painter_create(c->context, &c->painter);
    if (r == ER_OK) r = draw_target_create(c->painter, c->width, c->height, 4, &c->target);
    if (r == ER_OK) r = play_renderer_create(c->context, c->painter, e, &c->renderer);
    if (r != ER_OK) return r;
    c->rgba = malloc(4 * (size_t)c->width * (size_t)c->height);
    return c->rgba != NULL ? ER_OK : er_fail(c->context, ER_ERROR_MEMORY, "out of memory for a picture");
}

er_result play_canvas_create(er_context *context, engine *e, int width, int height, play_canvas **out)
{
    *out = NULL;
    play_canvas *c = malloc(sizeof *c);
    if (c == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    *c = (play_canvas){.context = context, .width = width, .height = height};
    er_result r = prepare(c, e);
    if (r == ER_OK)
        *out = c;
    else
        play_canvas_destroy(c);
    return r;
}

void play_canvas_destroy(play_canvas *c)
{
    if (c == NULL) return;
    play_renderer_destroy(c->renderer);
    draw_target_destroy(c->target);
    painter_destroy(c->painter);
    draw_offscreen_destroy(c->offscreen);
    free(c->rgba);
    free(c);
}

er_result play_canvas_draw(play_canvas *c, double between, const uint8_t **rgba)
{
    er_result r = play_renderer_draw(c->renderer, between, c->target, c->width, c->height, false);
    draw_target_read(c->target, c->rgba);
    *rgba = c->rgba;
    return r;
}
