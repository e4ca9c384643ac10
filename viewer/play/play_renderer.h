/// @file
/// A living scene as a picture. All on the thread of the OpenGL context.
#ifndef ERI_VIEWER_PLAY_PLAY_RENDERER_H
#define ERI_VIEWER_PLAY_PLAY_RENDERER_H

#include "app/engine/engine.h"
#include "viewer/draw/solid.h"

/// What a scene shows, on the graphics card.
typedef struct play_renderer play_renderer;

/// @param p    borrowed
/// @param e    borrowed: the one scene that is shown
/// @param out  ER_OK: for play_renderer_destroy(), before the painter; otherwise NULL
/// Errors   ER_ERROR_MEMORY
er_result play_renderer_create(er_context *context, painter *p, engine *e, play_renderer **out);
void play_renderer_destroy(play_renderer *s); ///< NULL is fine

/// The camera as the scene's view has it now.
draw_camera play_renderer_camera(const engine *e);

/// Draws the scene. One without lights is lit from beside its camera.
/// @param between  as engine_interpolate(); the camera goes along with what it follows
/// @param t        may be NULL, as of painter_begin()
/// @param draft    draw_style.draft
/// Errors   a background that cannot be read: ER_ERROR_FILE, ER_ERROR_FORMAT, once for each (all else is drawn);
///          ER_ERROR_SYSTEM, ER_ERROR_MEMORY
er_result play_renderer_draw(play_renderer *s, double between, draw_target *t, int width, int height, bool draft);

#endif
