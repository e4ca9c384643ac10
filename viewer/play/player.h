/// @file
/// A scene in a window, apart from the window: fed with events, it draws frames onto whatever framebuffer is bound.
#ifndef ERI_VIEWER_PLAY_PLAYER_H
#define ERI_VIEWER_PLAY_PLAYER_H

#include "app/lua/scene/scene_player.h"
#include "viewer/gui/gui.h"
#include "viewer/play/play.h"
#include "viewer/play/play_renderer.h"
#include "viewer/window/window.h"

enum { PLAYER_EVENTS = 256, PLAYER_LINES = 200, PLAYER_LINE = 1024 };

/// Who said a line: hands, Lua, or what went wrong.
typedef enum line_kind { LINE_TYPED, LINE_ANSWER, LINE_WRONG } line_kind;

/// A line that was said.
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
    draw_target *target[2]; // fine, and of drafts
    gui *gui;
    double scale;      // pixels a point
    int width, height; // pixels
    int frames;        // so far
    char title[PLAYER_LINE];

    // time
    bool paused, ended;
    bool single, reloads;    // asked for: one step; the file read anew
    double speed, time_debt; // times the clock's; s that no step was taken for
    double frame_seconds;    // smoothed
    int64_t saved;           // the file, when it was read
    double since_checked;    // s since it was looked at

    // hands
    gui_event event[PLAYER_EVENTS];
    int event_count;
    double x, y;                       // of the pointer, points
    int modifiers, held;               // SCRIPT_*; bits of buttons
    double pressed[2];                 // where the last press was
    int clicks;                        // in a row
    double click_age;                  // s since the last
    char key[32];                      // the last one that went down
    double quiet;                      // s since the last event
    scene_event posted[PLAYER_EVENTS]; // waits for the end of the step
    int posted_count;
    scene_events *replay, *record;
    int saved_count;    // events of the record that are in its file
    double since_saved; // s since it was looked at
    bool wants_close;   // the window is to close
    play_ending ending;

    // what was said
    bool prompts, takes_focus;
    int wait_frames; // frames in which the gui is on its way to the prompt, and what is typed waits
    char typed[PLAYER_LINE];
    player_line line[PLAYER_LINES];
    int line_count;
    char input[PLAYER_LINE]; // of standard input: a line that has not ended
    size_t input_length;
    bool input_ended;
} player;

/// @param p  *p is all zeros but for context and def; to be ended by player_finish() in any case
er_result player_init(player *p, double scale, const app_host *host);
void player_finish(player *p); ///< all but `record`

void player_event(player *p, const gui_event *event);
void player_focus(player *p, bool focused);

/// A frame, as window_client.frame has it.
er_result player_frame(player *p, int width, int height, double scale, double seconds);

/// Keys and mouse since the last frame: for the gui, the scene, or the camera.
void player_handle_events(player *p);

/// Runs the lines of standard input that are there, where the def asks for it.
void player_read_terminal(player *p);

/// Says a line, under the prompt and over the picture for a while.
void player_print(player *p, line_kind kind, const char *text);
/// The prompt is to have what is typed from now on.
void player_focus_prompt(player *p);
/// What is written over the picture, and the prompt.
void player_write(player *p, double seconds);

#endif
