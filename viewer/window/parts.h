/// @file
/// Shared by the parts of the viewer: one struct for all state that is not the session's.
#ifndef ERI_VIEWER_WINDOW_PARTS_H
#define ERI_VIEWER_WINDOW_PARTS_H

#include <math.h>

#include "app/session/session_validity.h"
#include "app/session/simulation.h"
#include "viewer/window/app.h"

enum { MOST_EVENTS = 1024, MOST_MESSAGES = 64, MOST_THUMBNAILS = 24, PATH_SIZE = 4096, SIMULATE_POINTS = 256 };

typedef enum dialog {
    DIALOG_NONE,
    DIALOG_OPEN,
    DIALOG_MIX_OPEN,
    DIALOG_MIX_SAVE,
    DIALOG_POSE_OPEN,
    DIALOG_POSE_SAVE,
    DIALOG_DESCRIPTION_SAVE,
    DIALOG_STATIC_OPEN,
    DIALOG_EXPORT,
    DIALOG_EXPORT_TO,
    DIALOG_KEYS,
    DIALOG_MESSAGES
} dialog;

/// A part of the window, points.
typedef struct rectangle {
    double x, y, width, height;
} rectangle;

/// The 3D view: camera, picking, gizmo.
typedef struct view {
    rectangle place;
    draw_target *target, *draft; ///< the picture: at rest, and, if the processor draws, while it moves
    int still;                   ///< frames since the picture changed
    draw_camera camera;
    draw_style style;
    bool framed; ///< the camera has been set for the open model
    bool follow, ghosts;
    er_vec3 followed; ///< centre of mass in the previous frame, m, if was_seen
    bool was_seen, was_followed;
    bool gizmo;
    int hot;      ///< ring under the pointer
    int selected; ///< body, -1
    int node;     ///< of the scene, of the selected body: finds it again in another rig; -1
    enum { DRAG_NONE, DRAG_ORBIT, DRAG_PAN, DRAG_ZOOM, DRAG_GIZMO, DRAG_PULL } drag;
    bool moved;                    ///< since the button went down, so it is no click
    double pointer[2], pressed[2]; ///< points
    bool inside;                   ///< the pointer is over the view and no panel
} view;

/// The clock of the mix.
typedef struct clock_state {
    double time; ///< s, into the cycle
    double speed;
    bool playing, loop;
} clock_state;

typedef struct thumbnail {
    draw_target *target;
    int mode;       ///< -1: free
    unsigned seen;  ///< frame in which it was shown last
    unsigned drawn; ///< frame in which it was drawn last; 0: not yet for this mode
} thumbnail;

/// Texts of a mode's card, made when modes are solved.
typedef struct mode_text {
    char title[48], kind[64], name[160], movers[200];
} mode_text;

typedef struct palette_state {
    char search[128], searched[128]; ///< the search text, and that of the previous frame
    thumbnail thumbnail[MOST_THUMBNAILS];
    mode_text *text; ///< [text_count], of the modes from first_mode up
    int text_count, first_mode;
    int mode;           ///< the one that arrow keys start from; -1
    bool scroll;        ///< scroll it into sight
    double shown_phase; ///< rad, of all thumbnails
    validity *judge;    ///< of the range in which modes are valid
    bool judges;        ///< it runs
    bool presets;       ///< the tab of presets was open in the previous frame
    int tuned;          ///< the mode whose frequency is dragged, its index when that began; -1
    double tuned_from;  ///< Hz, when that began
} palette_state;

typedef struct files_state {
    char folder[PATH_SIZE], path[PATH_SIZE];
    struct listing *listing; ///< of folder
    bool all;                ///< files of other kinds are listed too
    bool keeps_recent;       ///< false in scripts, whose pictures repeat
    bool replace;            ///< a second press is needed to overwrite `path`
} files_state;

/// Contents of a picture or film.
typedef enum picture_kind { PICTURE_PLAYED, PICTURE_SHEET, PICTURE_READING } picture_kind;

typedef struct export_state {
    picture_kind picture; ///< of a format of pictures and films
    int waits;            ///< frames until the picture is drawn, so that the dialog says so first; 0: none is
    session_export def;
    bool simulation; ///< writes the recorded simulation, not the mix
    bool gait;       ///< writes the gait that is shown
    bool own_path;   ///< the user typed it
    char path[PATH_SIZE], name[128];
    int format;
    bool replace;
    char result[5000]; ///< a path and a few words
    bool failed;
} export_state;

/// The gait that is shown instead of the mix.
typedef struct gait_state {
    int shown; ///< of session_gaits(), -1
    bool travels;
} gait_state;

/// The simulation and its options.
typedef struct simulate_state {
    simulation *run; ///< NULL: none
    bool shown;      ///< in the view, instead of the mix
    bool playing;
    double owed; ///< s, asked for by single steps and not yet simulated
    bool falls, limits, follow;
    double gravity; ///< m/s^2
    project_ground_def ground;
    char statics[PATH_SIZE]; ///< its scene; "" for none
    char names[512];         ///< of bodies to hold, as typed
    bool contacts, solids;   ///< are drawn
    er_rig_shapes *shapes;   ///< shapes of bodies for contacts; NULL until they are drawn
    draw_model *scenery;     ///< the scene that the run falls on; NULL until drawn
    er_model *still;         ///< its one body
    bool *held;              ///< [bodies]
    int grabbed;             ///< body pulled by the pointer, -1
    er_vec3 grab_point;      ///< m, its frame
    double depth;            ///< m along the camera's axis, of the plane of the pull
    float curve[3][SIMULATE_POINTS];
} simulate_state;

/// The character that walks in the simulation.
typedef struct walk_state {
    int gait;            ///< of session_gaits(), to start with
    er_walker_wish wish; ///< m/s, rad/s
} walk_state;

typedef enum message_kind {
    MESSAGE_KEPT, ///< only in the dialog
    MESSAGE_NOTE, ///< shown for a while
    MESSAGE_ERROR
} message_kind;

typedef struct message {
    char text[512];
    message_kind kind;
    double age; ///< s
} message;

typedef struct messages_state {
    message list[MOST_MESSAGES];
    int count;  ///< the newest last
    bool shown; ///< the newest is shown over the view
} messages_state;

typedef struct timeline_state {
    float curve[256];
    bool stale;
    bool track; ///< the sequence is shown below
    int piece;  ///< chosen in it, -1
} timeline_state;

struct app {
    er_context *context;
    const viewer_def *def;
    app_host host;
    session *session;
    gui *gui;
    double widget_seconds; // of processor time that drawing them took
    painter *painter;
    draw_model *model;
    er_pose *pose;  ///< [bodies] as shown
    er_pose *ghost; ///< [bodies], scratch
    unsigned scene_version, shape_version, modes_version;
    bool opened;                  ///< versions above are of the open model
    gui_event event[MOST_EVENTS]; ///< a ring
    int event_first, event_count;
    int modifiers;
    unsigned frame;
    bool dark, panels, ended;
    dialog dialog;
    double width, height, scale; ///< points, pixels a point
    double seconds;              ///< since the last frame
    view view;
    clock_state clock;
    palette_state palette;
    files_state files;
    export_state export;
    messages_state messages;
    timeline_state timeline;
    simulate_state simulate;
    walk_state walk;
    gait_state gait;
    int component;         ///< selected in the mix, -1
    bool lengths;          ///< amplitudes are in cm of the point that moves most, not in degrees
    struct script *script; ///< NULL for none
    bool doubted;          ///< the model may be misread: the next frame brings the tab Rig to the front
    bool pictured;         ///< this frame is written as a picture
    char title[PATH_SIZE + 32];
};

// ---- open.c

/// Opens a model as asked; an error becomes a message and is returned.
er_result open_as(app *a, const char *path, const project_request *asked);
/// Opens a model without the pose that was given for the first one; an error becomes a message.
void open_model(app *a, const char *path);

/// The time that a frame waits for threads, s. Scripts wait without limit, so that their pictures repeat.
static inline double app_wait_limit(const app *a, double little)
{
    return a->def->script != NULL || a->def->frames > 0 ? HUGE_VAL : little;
}

// ---- dialog.c

/// Draws a dialog if it is the open one. `body` draws its contents, and may close it.
void show_dialog(app *a, dialog which, const char *title, double width, void (*body)(app *a));

// ---- changes.c

/// @return whether it succeeded; otherwise the context's error becomes a message
bool check(app *a, er_result r);
/// The same for a call that changed the setup; also tells what the call could not keep.
bool check_change(app *a, er_result r);
/// Gives the session a setup changed by a widget. `done`: the widget was released.
void change_setup(app *a, const session_setup *setup, bool done);

// ---- view_pointer.c: from points of the window to the view

int view_pixels(const app *a, double points);
void view_pointer(const app *a, const double point[2], double pixel[2]); ///< in pixels of the view
void view_ray(const app *a, const double place[2], er_vec3 *origin, er_vec3 *direction);
int view_pick_point(const app *a, const double place[2], er_vec3 *point); ///< as draw_pick_point()

// ---- view.c

void view_reset(app *a);
void view_frame_all(app *a);
void view_event(app *a, const gui_event *event);
void view_release(app *a); ///< ends a drag; a turned joint becomes a step of undo
void view_draw(app *a);
void view_destroy(app *a);

// ---- panels, one a file; each draws and carries out what the user does

void playback_panel(app *a, rectangle place);
double playback_cycle(const app *a); ///< s: of the gait that is shown, or of the mix
void gait_advance(app *a);           ///< looks for new results of the search
void palette_modes(app *a);
void palette_pictures(app *a); ///< call it before panels, which may change modes
void palette_refresh(app *a);  ///< makes texts, after modes were solved
void palette_walk(app *a, int step);
void palette_play(app *a, int mode);
void palette_add(app *a, int mode);
void palette_tune(app *a, int mode, double hz, bool done); ///< springs follow
er_result palette_create(app *a);
void palette_validate(app *a); ///< takes results, and starts the next mode
void palette_destroy(app *a);
void timeline_panel(app *a, rectangle place);
double sequence_height(const app *a); ///< points below the timeline; 0: hidden
void sequence_panel(app *a);          ///< within the timeline's
void sequence_advance(app *a);        ///< shows what the setup says: a preset in time, a sequence or the mix
void timeline_advance(app *a, double seconds);
void timeline_step(app *a, int frames);
void timeline_play(app *a); ///< or pauses
void timeline_go(app *a, double time);
void simulate_tab(app *a);
void walk_tab(app *a);
void walk_ahead(app *a, int steps); ///< changes the speed of a character that walks by a quarter of its gait's
void walk_turn(app *a, int steps);  ///< changes its turning by a quarter of the fastest, to the left
void simulate_create(app *a);
void simulate_destroy(app *a);
void simulate_play(app *a); ///< or pauses
bool simulate_run(app *a,
                  simulation *run); ///< shows a new run instead of the one before; owned from here on; NULL: none
void simulate_step(app *a, int frames);
void simulate_reset(app *a); ///< deletes the recording
void simulate_leave(app *a); ///< shows the mix again; the recording stays
void simulate_go(app *a, double time);
void simulate_advance(app *a, double seconds);
void simulate_follow(app *a, bool other_bodies, bool other_places); ///< the session has another model
bool simulate_is_free(const app *a);                                ///< whether it is shown and no body is held
bool simulate_grab(app *a);                                         ///< @return whether the pointer has taken a body
void simulate_release(app *a);
int simulate_curves(app *a, gui_curve curve[3]); ///< @return 3
void simulate_write_time(const app *a, char *text, size_t size);
bool simulate_write_pace(const app *a, char *text, size_t size); ///< @return false: it keeps up

// ---- ground.c: contacts of the simulation

project_ground_def ground_def(const app *a); ///< as the tab has it; borrows from the app
bool ground_fold(app *a);                    ///< draws its part of the tab.   @return whether something has changed
bool ground_holds(const app *a);             ///< whether there is something to fall on
void ground_style(const app *a, draw_style *style);
void ground_draw(app *a);   ///< adds contacts and solids to the picture
void ground_forget(app *a); ///< deletes the shapes, because bodies have changed
void ground_end(app *a);    ///< deletes the scenery, because the run has ended

void follow_widgets(app *a); ///< loose parts of the clip that plays
void mix_tab(app *a);
void remove_component(session_setup *s, int k); // mix.c
void tuning_tab(app *a);
void rig_tab(app *a);
/// A choice of the selected body.
void choose_body(app *a, const char *label);
void pose_tab(app *a);
void display_tab(app *a);
void set_window_theme(app *a, bool dark);
void files_dialog(app *a);
void files_show(app *a, dialog which);        // browse.c
void files_go_to(app *a, const char *folder); // browse.c; a message if it cannot be read
void files_welcome(app *a);
void files_destroy(app *a);
/// Draws what plays, a sheet of modes or the reading of the rig, and waits. Call it between frames of the gui.
/// @param duration  s; 0: one loop   Errors: as render_write()
er_result picture_write(app *a, picture_kind kind, double fps, double duration, const char *path);
void export_advance(app *a); ///< draws the picture that the dialog has asked for
void export_dialog(app *a);
void export_show(app *a);
void export_take_path(app *a, const char *path);
void export_show_simulation(app *a);
void export_show_followed(app *a); ///< the clip with its loose parts
void message_add(app *a, message_kind kind, const char *text);
void messages_show(app *a, double seconds);
void messages_dialog(app *a);

// ---- commands.c: one table for keys, menus and help

void commands_key(app *a, const gui_event *event);
void commands_menu(app *a);
void commands_dialog(app *a);

// ---- events.c

/// Carries out the next step of the script before a frame.
er_result event_before(app *a);
/// Writes the picture that the script asks for, after a frame was drawn.
er_result event_after(app *a, int width, int height);
bool event_ended(const struct script *s);

/// Writes a picture of the bound framebuffer.
er_result write_picture(er_context *context, int width, int height, const char *path);

#endif
