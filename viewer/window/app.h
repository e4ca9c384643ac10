/// @file
/// The viewer apart from its window: fed with events, it draws frames onto whatever framebuffer is bound. All on the
/// thread of the OpenGL context.
#ifndef ERI_VIEWER_WINDOW_APP_H
#define ERI_VIEWER_WINDOW_APP_H

#include "app/session/session.h"
#include "viewer/draw/draw.h"
#include "viewer/window/viewer.h"
#include "viewer/window/window.h"

typedef struct app app;

/// @param def    borrowed as long as the app lives
/// @param scale  pixels a point
/// @param host   copied
/// @param out    ER_OK: for app_destroy(); otherwise NULL
/// Errors   ER_ERROR_SYSTEM, ER_ERROR_ARGUMENT (the script), ER_ERROR_MEMORY; with a script or a number of frames, as
///          session_open()
er_result app_create(er_context *context, const viewer_def *def, double scale, const app_host *host, app **out);
void app_destroy(app *a);

/// Input, in order; handled by the next frames.
void app_event(app *a, const gui_event *event);
void app_drop(app *a, const char *path);
void app_focus(app *a, bool focused); ///< releases all keys if the focus is lost

/// Selects a joint and shows its gizmo, as R and a click on it do.
/// @param body   of the open model
/// @param point  written: a visible point of a ring of the gizmo, points of the window
/// @return false: no such body, or no visible ring; a frame must have been drawn before
bool app_select_joint(app *a, int body, double point[2]);

/// One frame. Nothing is drawn if width or height is 0.
/// @param width,height  pixels of the framebuffer that is bound, which the frame covers
/// @param seconds       since the last frame
/// Errors   only of a script: ER_ERROR_ARGUMENT (names the word), ER_ERROR_FILE. Other errors become messages
er_result app_frame(app *a, int width, int height, double scale, double seconds);

bool app_is_moving(const app *a);    ///< the next frame differs even without events
bool app_script_ended(const app *a); ///< true if there is none
bool app_wants_end(const app *a);
const char *app_title(const app *a);
double app_gl_seconds(const app *a); ///< processor time of this thread spent in OpenGL by all frames so far, s

#endif
