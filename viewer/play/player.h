/// @file
/// Plays a scene independently of its window: takes events, steps the scene, draws onto the bound framebuffer.
#ifndef ERI_VIEWER_PLAY_PLAYER_H
#define ERI_VIEWER_PLAY_PLAYER_H

#include "app/lua/scene/scene_player.h"
#include "viewer/gui/gui.h"
#include "viewer/play/play.h"
#include "viewer/play/play_renderer.h"
#include "viewer/window/window.h"

enum { PLAYER_EVENTS = 256, PLAYER_LINES = 200, PLAYER_LINE = 1024 };

/// Origin of a line: typed, an answer of Lua, or an error.
typedef enum line_kind { LINE_TYPED, LINE_ANSWER, LINE_WRONG } line_kind;

/// A line of the console.
typedef struct player_line {
    char text[PLAYER_LINE];
    line_kind kind;
    double age; // s
} player_line;

typedef struct player {
    er_context *context;
    const play_window_def *def;
    scene_player *play;
    engine *scene; // its
    painter *painter;
    play_renderer *renderer;
    draw_target *target[2]; // full resolution; low resolution for drafts
    gui *gui;
    double scale;      // pixels a point
    int width, height; // pixels
    int frames;        // so far
    char title[PLAYER_LINE];

    // time
    bool paused, ended;
    bool single, reloads;    // requested: one step; a reload of the file
    double speed, time_debt; // factor on the clock; s not yet simulated
    double frame_seconds;    // smoothed
    int64_t saved;           // modification time of the file that was read
    double since_checked;    // s since the file was checked

    // input
    gui_event event[PLAYER_EVENTS];
    int event_count;
    double x, y;                       // of the pointer, points
    int modifiers, held;               // SCRIPT_*; bits of buttons
    double pressed[2];                 // position of the last press
    int clicks;                        // in a row
    double click_age;                  // s since the last
    char key[32];                      // the last key pressed
    double quiet;                      // s since the last event
    scene_event posted[PLAYER_EVENTS]; // sent to the scene at the end of the step
    int posted_count;
    scene_events *replay, *record;
    int saved_count;    // events of the record already written
    double since_saved; // s since the record was saved
    bool wants_close;   // the window should close
    play_ending ending;

    // console
    bool prompts, takes_focus;
    int wait_frames; // frames until the prompt has the focus; typed text waits meanwhile
    char typed[PLAYER_LINE];
    player_line line[PLAYER_LINES];
    int line_count;
    char input[PLAYER_LINE]; // incomplete line of standard input
    size_t input_length;
    bool input_ended;
} player;

/// @param p  zeros except context and def; call player_finish() in any case
er_result player_init(player *p, double scale, const app_host *host);
void player_finish(player *p); ///< all but `record`

void player_event(player *p, const gui_event *event);
void player_focus(player *p, bool focused);

/// Draws a frame; see window_client.frame.
er_result player_frame(player *p, int width, int height, double scale, double seconds);

/// Passes keys and mouse since the last frame to the gui, the scene or the camera.
void player_handle_events(player *p);

/// Runs complete lines of standard input if the def asks for it.
void player_read_terminal(player *p);

/// Adds a line to the console; it is also shown over the picture for some seconds.
void player_print(player *p, line_kind kind, const char *text);
/// Gives the keyboard focus to the prompt.
void player_focus_prompt(player *p);
/// Draws the status line, recent lines and the prompt.
void player_write(player *p, double seconds);

#endif
