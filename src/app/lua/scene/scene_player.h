/// @file
/// Plays the living scene of a file frame by frame, for `eigenrig play` and the window.
///
/// A frame has three parts, in this order:
///   1. scripts and actions run, then physics takes a step: scene_player_advance()
///   2. the caller draws
///   3. contact events and posted events reach their handlers: scene_player_handle_events()
///
/// The frame loop itself is Lua: advance() and events() in sequencers.lua, which call back into sequencers.c. The
/// window (viewer/play) hands a key to scene_player_post(), which queues it in sequencers.lua; its handlers run in
/// part 3.
///
/// Errors of scripts and failures of physics are reported, and the scene goes on.
#ifndef ERI_APP_LUA_SCENE_SCENE_PLAYER_H
#define ERI_APP_LUA_SCENE_SCENE_PLAYER_H

#include "app/engine/engine.h"

struct lua_State;

typedef struct scene_player scene_player;

typedef struct scene_player_def {
    const char *path;         ///< of the scene's file, Lua
    const char *const *words; ///< [word_count], `arg` of it
    int word_count;
    void (*tell)(void *user, const char *text);  ///< receives warnings; NULL: nobody
    void (*wrong)(void *user, const char *text); ///< receives errors of scripts; NULL: nobody
    /// Receives failures of physics, after which a step was not taken; NULL: nobody
    void (*fail)(void *user, er_result result, const char *text);
    void *user;
    int (*open)(struct lua_State *L); ///< opens the module, with additions of others; NULL: script_open()
} scene_player_def;

/// Whether the file of a scene can be read, before a window is opened for it.   Errors: ER_ERROR_FILE (names the path)
er_result scene_player_check_file(er_context *context, const char *path);

/// Runs the file, and takes the scene that it returns, or else the last one that it made. The first frame starts it.
/// @param out  ER_OK: for scene_player_close(); otherwise NULL
/// Errors   ER_ERROR_FILE (cannot be read), ER_ERROR_ARGUMENT (its error: FILE:LINE: message; it made no scene),
///          ER_ERROR_MEMORY
/// Memory   all of a Lua state of its own.   Threads: one call per play at a time.
er_result scene_player_open(er_context *context, const scene_player_def *def, scene_player **out);
void scene_player_close(scene_player *p); ///< NULL is fine

/// Ends the scene as scene:terminate() does, if it has not ended: before it is closed.
void scene_player_finish(scene_player *p);

/// The scene, owned by the player.
engine *scene_player_scene(const scene_player *p);
const char *scene_player_name(const scene_player *p);

/// Scripts, actions, physics: a step.
/// @return whether the scene lives: false once it terminated
bool scene_player_advance(scene_player *p);

/// Calls the handlers of contacts, then those of posted events.
void scene_player_handle_events(scene_player *p);

enum { SCRIPT_ALT = 1, SCRIPT_CONTROL = 2, SCRIPT_SHIFT = 4 };

/// An event of a key or of the mouse.
typedef struct scene_event {
    char name[16];  ///< key_down, key_up, key_press; mouse_down, mouse_up, mouse_drag, mouse_click, mouse_move,
                    ///< mouse_wheel
    char key[32];   ///< of keys: "a", "space", "left", ...
    int code;       ///< of keys: the character it types, Unicode; 0 for none
    int modifiers;  ///< SCRIPT_ALT and so on, added up
    char button[8]; ///< of the mouse: "left", "right", "middle", "none"
    double x, y;    ///< pixels from the upper left corner
    er_vec3 way;    ///< of the mouse: unit vector in the world from the camera's eye towards the pointer
    int clicks;     ///< of mouse_click
    double delta;   ///< of mouse_wheel: notches, away from the user
} scene_event;

/// Queues an event for the next scene_player_handle_events().
void scene_player_post(scene_player *p, const scene_event *event);

/// Whether a handler or a script waits for events of that name. The window handles keys that the scene does not.
bool scene_player_listens(const scene_player *p, const char *name);

/// Runs a line of Lua, in which `scene` is the scene.
/// @param answer  [size], written: the values of an expression, or the error, as text
/// @return false on an error
bool scene_player_run(scene_player *p, const char *line, char *answer, size_t size);

// ---- Events in files

/// Events with their steps. A scene that is played again with them does the same to the bit.
typedef struct scene_events scene_events;

/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT (line, what is wrong), ER_ERROR_MEMORY
er_result scene_events_read(er_context *context, const char *path, scene_events **out);
er_result scene_events_create(er_context *context, scene_events **out); ///< none yet
void scene_events_destroy(scene_events *events);                        ///< NULL is fine

/// Adds one, of a step that is not before the last one's.   Errors: ER_ERROR_MEMORY
er_result scene_events_add(scene_events *events, long step, const scene_event *event);
/// Posts those of a step.
void scene_events_post(const scene_events *events, long step, scene_player *p);
int scene_events_count(const scene_events *events);
/// Writes a file, or adds events to it.
/// @param from  0: the whole file; otherwise events from this one on are added at its end
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result scene_events_write(er_context *context, const scene_events *events, int from, const char *path);

#endif
