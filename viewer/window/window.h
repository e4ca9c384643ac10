/// @file
/// A window. A client draws its frames and receives keys and mouse.
#ifndef ERI_VIEWER_WINDOW_WINDOW_H
#define ERI_VIEWER_WINDOW_WINDOW_H

#include <eigenrig/base.h>

#include "viewer/gui/gui.h"

/// Functions that only a window can provide; each may be NULL.
typedef struct app_host {
    void *user;
    void (*resize)(void *user, int width, int height); ///< points; 0 hides it
    const char *(*get_clipboard)(void *user);
    void (*set_clipboard)(void *user, const char *text);
} app_host;

/// Options of a window.
typedef struct window_def {
    int width, height;      ///< points
    int frames;             ///< closes after this many frames; 0: stays open
    bool scripted;          ///< each frame is 1/60 s; keys and mouse are ignored
    const char *screenshot; ///< PNG written after the last frame; NULL for none
    const char *instead;    ///< what to do instead, appended to the error if no window can be opened
} window_def;

/// The program shown in a window. All functions run on the thread of window_run() with the window's OpenGL context.
/// `end` is called even if the window could not be opened.
typedef struct window_client {
    void *user;                                                         ///< passed to each
    er_result (*begin)(void *user, double scale, const app_host *host); ///< pixels a point; host: copied
    void (*end)(void *user);
    void (*event)(void *user, const gui_event *event);
    void (*drop)(void *user, const char *path); ///< a file was dropped on it; may be NULL
    void (*focus)(void *user, bool focused);
    /// Draws onto the bound framebuffer, `seconds` after the last frame. Size 0 x 0: draws nothing.
    er_result (*frame)(void *user, int width, int height, double scale, double seconds);
    bool (*is_moving)(void *user); ///< whether the next frame differs even without events
    bool (*is_over)(void *user);   ///< whether the window should close
    const char *(*title)(void *user);
} window_client;

/// Opens a window and returns when it is closed.
/// Errors   ER_ERROR_SYSTEM (no display, or no OpenGL 3.3), ER_ERROR_FILE (screenshot), and errors of the client
er_result window_run(er_context *context, const window_def *def, const window_client *client);

#endif
