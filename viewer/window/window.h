/// @file
/// A window, and nothing but it: a guest draws its frames, and hears of keys and mouse.
#ifndef ERI_VIEWER_WINDOW_WINDOW_H
#define ERI_VIEWER_WINDOW_WINDOW_H

#include <eigenrig/base.h>

#include "viewer/gui/gui.h"

/// What only a window can do; each may be NULL.
typedef struct app_host {
    void *user;
    void (*resize)(void *user, int width, int height); ///< points; 0 hides it
    const char *(*get_clipboard)(void *user);
    void (*set_clipboard)(void *user, const char *text);
} app_host;

/// A window to be opened.
typedef struct window_def {
    int width, height;      ///< points
    int frames;             ///< closes after so many, 0: when it is closed
    bool scripted;          ///< each frame is 1/60 s, and no hand meddles
    const char *screenshot; ///< PNG written after the last frame; NULL for none
    const char *instead;    ///< ends the sentence where no window can be opened: what can be done then
} window_def;

/// Who is shown in a window. All are called on the thread of window_run(), and with the window's OpenGL context; `end`
/// where it could not be opened, too.
typedef struct window_client {
    void *user;                                                         ///< handed to each
    er_result (*begin)(void *user, double scale, const app_host *host); ///< pixels a point; host: copied
    void (*end)(void *user);
    void (*event)(void *user, const gui_event *event);
    void (*drop)(void *user, const char *path); ///< a file was dropped on it; may be NULL
    void (*focus)(void *user, bool focused);
    /// Draws a frame onto the framebuffer that is bound, seconds after the one before. Of no pixels: draws nothing.
    er_result (*frame)(void *user, int width, int height, double scale, double seconds);
    bool (*is_moving)(void *user); ///< the next frame is another picture even without events
    bool (*is_over)(void *user);   ///< it wants the window closed
    const char *(*title)(void *user);
} window_client;

/// Opens a window, and returns when it is closed.
/// Errors   ER_ERROR_SYSTEM (no display, or no OpenGL 3.3), ER_ERROR_FILE (screenshot), and what the guest returns
er_result window_run(er_context *context, const window_def *def, const window_client *client);

#endif
