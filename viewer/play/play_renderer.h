/// @file
/// Pictures of a living scene. All functions run on the thread of the OpenGL context.
#ifndef ERI_VIEWER_PLAY_PLAY_RENDERER_H
#define ERI_VIEWER_PLAY_PLAY_RENDERER_H

#include "app/engine/engine.h"
#include "viewer/draw/solid.h"

/// Draws one scene; holds its meshes on the graphics card.
typedef struct play_renderer play_renderer;

/// @param p    borrowed
/// @param e    the scene; borrowed
/// @param out  ER_OK: for play_renderer_destroy(), before the painter; otherwise NULL
/// Errors   ER_ERROR_MEMORY
er_result play_renderer_create(er_context *context, painter *p, engine *e, play_renderer **out);
void play_renderer_destroy(play_renderer *s); ///< NULL is fine

/// The current camera of the scene.
draw_camera play_renderer_camera(const engine *e);

/// Draws the scene. A scene without lights gets one beside its camera.
/// @param between  as engine_interpolate(); a camera that follows an actor moves too
/// @param t        may be NULL, as of painter_begin()
/// @param draft    draw_style.draft
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT: the background cannot be read; reported once, and the rest is drawn.
///          ER_ERROR_SYSTEM, ER_ERROR_MEMORY
er_result play_renderer_draw(play_renderer *s, double between, draw_target *t, int width, int height, bool draft);

#endif
