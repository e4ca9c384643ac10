/// @file
/// Living scenes as pictures without a window, and in one.
#ifndef ERI_VIEWER_PLAY_PLAY_H
#define ERI_VIEWER_PLAY_PLAY_H

#include "app/engine/engine.h"

struct lua_State;

/// Draws a scene without a window: frames for film_frame() and png_write().
typedef struct play_canvas play_canvas;

/// @param e              borrowed
/// @param width, height  pixels
/// @param out            ER_OK: for play_canvas_destroy(), before the scene's end; otherwise NULL
/// Errors   ER_ERROR_SYSTEM (no OpenGL 3.3 here: says which package has it), ER_ERROR_ARGUMENT (larger than the
/// graphics
///          driver takes), ER_ERROR_MEMORY
er_result play_canvas_create(er_context *context, engine *e, int width, int height, play_canvas **out);
void play_canvas_destroy(play_canvas *c); ///< NULL is fine

/// Draws the current state of the scene.
/// @param between  as engine_interpolate(): 1 after the last step
/// @param rgba     set: [4 width height], rows from the top, sRGB, opaque; owned by the canvas, valid until it draws
/// again Errors   ER_ERROR_FILE, ER_ERROR_FORMAT: the background cannot be read; reported once, and the picture is
/// drawn without
///          it. ER_ERROR_SYSTEM, ER_ERROR_MEMORY: there is no picture
er_result play_canvas_draw(play_canvas *c, double between, const uint8_t **rgba);

/// Options for play_window(). Take play_default_window(), then change fields.
typedef struct play_window_def {
    const char *path;                 ///< the scene's file, read again when it is saved
    const char *const *words;         ///< [word_count], scene_player_def.words                          [NULL]
    int word_count;                   ///<                                                              [0]
    bool prompt;                      ///< runs lines of standard input too, and answers on standard output   [false]
    int width, height;                ///< points                                                       [1280, 800]
    const char *replay;               ///< file of events to replay; NULL: none                         [NULL]
    const char *record;               ///< file that events are written to, each second; NULL: none        [NULL]
    const char *screenshot;           ///< PNG written after the last frame; NULL: none                 [NULL]
    int frames;                       ///< closes after this many frames of 1/60 s each; 0: runs in real time [0]
    int (*open)(struct lua_State *L); ///< scene_player_def.open                                         [NULL]
} play_window_def;
play_window_def play_default_window(void);

/// The state of a scene at its end.
typedef struct play_ending {
    long steps;
    double time; ///< s
    int actors;
    uint64_t hash; ///< engine_hash()
} play_ending;

play_ending play_ending_of(const engine *scene);

/// Opens a window on a scene and returns when it is closed. Steps follow the clock. The remaining time is kept for the
/// next frame, and the picture interpolates between the last two steps. Errors of scripts are shown in the window, and
/// the scene goes on. docs/engine.md lists keys and mouse.
/// @param ending  written with ER_OK
/// Errors   as scene_player_open(), ER_ERROR_SYSTEM (no display, or no OpenGL 3.3), ER_ERROR_FILE, ER_ERROR_FORMAT
///          (events), ER_ERROR_MEMORY
er_result play_window(er_context *context, const play_window_def *def, play_ending *ending);

#endif
