/// @file
/// The window: a model's modes browsed, mixed, tuned and exported.
#ifndef ERI_VIEWER_WINDOW_VIEWER_H
#define ERI_VIEWER_WINDOW_VIEWER_H

#include "app/project/apply_description.h"

/// Options for viewer_run(). Take viewer_default_def(), then change fields.
typedef struct viewer_def {
    const char *model;      ///< opened at first; NULL: the window begins empty     [NULL]
    project_request asked;  ///< how models are read; clip, given pose, skeleton and description apply only to the
                            ///< first one                                          [project_default_request()]
    int width, height;      ///< points                                             [1440, 900]
    const char *script;     ///< events, as docs/viewer.md says; NULL for none      [NULL]
    const char *screenshot; ///< PNG written after the last frame; NULL for none    [NULL]
    int frames;             ///< closes after so many frames of 1/60 s each, 0: runs in real time until it is closed [0]
} viewer_def;
viewer_def viewer_default_def(void);

/// Opens a window and returns when it is closed.
/// Errors   ER_ERROR_SYSTEM (no display, or no OpenGL 3.3: the sentence names `eigenrig render`), ER_ERROR_ARGUMENT
///          (a script that cannot be followed: says where), ER_ERROR_FILE (screenshot), ER_ERROR_MEMORY; a model that
///          cannot be opened is shown as a message in the window, but with a script or a number of frames an error as
///          session_open() has it
er_result viewer_run(er_context *context, const viewer_def *def);

#endif
