/// @file
/// A living scene that a file describes, played frame by frame: what `eigenrig play` and the window stand on.
///
/// A frame is, in this order: scripts and actions, physics (script_play_advance()), drawing (the caller's), events
/// (script_play_events()). Whatever goes wrong in a script is told, and the scene goes on.
#ifndef ERI_APP_LUA_SCENE_SCENE_PLAY_H
#define ERI_APP_LUA_SCENE_SCENE_PLAY_H

#include "app/engine/engine.h"

struct lua_State;

typedef struct script_play script_play;

typedef struct script_play_def {
    const char *path;         ///< of the scene's file, Lua
    const char *const *words; ///< [word_count], `arg` of it
    int word_count;
    void (*tell)(void *user, const char *text); ///< hears what goes wrong, and warnings; NULL: nobody
    void *user;
    int (*open)(struct lua_State *L); ///< opens the module, with what others add to it; NULL: script_open()
} script_play_def;

/// Runs the file, and takes the scene that it returns, or else the last one that it made. Nothing of that has moved
/// yet: the first frame starts it.
/// @param out  ER_OK: for script_play_close(); otherwise NULL
/// Errors   ER_ERROR_FILE (cannot be read), ER_ERROR_ARGUMENT (its error: FILE:LINE: message; it made no scene),
///          ER_ERROR_MEMORY
/// Memory   all of a Lua state of its own.   Threads: one call per play at a time.
er_result script_play_open(er_context *context, const script_play_def *def, script_play **out);
void script_play_close(script_play *p); ///< NULL is fine

/// Ends the scene as scene:terminate() does, if it has not ended: before it is closed.
void script_play_finish(script_play *p);

/// The scene: the play's own.
engine *script_play_scene(const script_play *p);
const char *script_play_name(const script_play *p);

/// Scripts, actions, physics: a step.
/// @return whether the scene lives: false once it terminated
bool script_play_advance(script_play *p);

/// Tells what happened: contacts, then what was posted.
void script_play_events(script_play *p);

enum { SCRIPT_ALT = 1, SCRIPT_CONTROL = 2, SCRIPT_SHIFT = 4 };

/// What a key or the mouse did.
typedef struct script_event {
    char name[16];  ///< key_down, key_up, key_press; mouse_down, mouse_up, mouse_drag, mouse_click, mouse_move,
                    ///< mouse_wheel
    char key[32];   ///< of keys: "a", "space", "left", ...
    int code;       ///< of keys: the character it types, Unicode; 0 for none
    int modifiers;  ///< SCRIPT_ALT and so on, added up
    char button[8]; ///< of the mouse: "left", "right", "middle", "none"
    double x, y;    ///< pixels from the upper left corner
    er_vec3 way;    ///< of the mouse: unit, world: where it points, from the camera's eye
    int clicks;     ///< of mouse_click
    double delta;   ///< of mouse_wheel: notches, away from the user
} script_event;

/// Puts it among what the next script_play_events() tells.
void script_play_post(script_play *p, const script_event *event);

/// Whether anybody listens to an event of that name: the window's own keys go where nobody does.
bool script_play_listens(const script_play *p, const char *name);

/// Runs a line of Lua against the scene, as `scene`: an expression's values, or what went wrong, as text.
/// @param answer  [size], written
/// @return whether it went well
bool script_play_run(script_play *p, const char *line, char *answer, size_t size);

// ---- Events in files

/// One event a line: STEP NAME ..., so that a scene that is played again does the same to the bit.
typedef struct script_events script_events;

/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT (line, what is wrong), ER_ERROR_MEMORY
er_result script_events_read(er_context *context, const char *path, script_events **out);
er_result script_events_create(er_context *context, script_events **out); ///< none yet
void script_events_destroy(script_events *events);                        ///< NULL is fine

/// Adds one, of a step.   Errors: ER_ERROR_MEMORY
er_result script_events_add(script_events *events, long step, const script_event *event);
/// Posts those of a step.
void script_events_post(const script_events *events, long step, script_play *p);
int script_events_count(const script_events *events);
/// Errors   ER_ERROR_FILE
er_result script_events_write(er_context *context, const script_events *events, const char *path);

#endif
