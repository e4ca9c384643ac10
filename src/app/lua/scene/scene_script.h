/// @file
/// Living scenes in a Lua state: shared by the files of this folder.
#ifndef ERI_APP_LUA_SCENE_SCENE_SCRIPT_H
#define ERI_APP_LUA_SCENE_SCENE_SCRIPT_H

#include "app/engine/engine.h"
#include "app/lua/lua_inside.h"

/// A scene as a script has it.
typedef struct script_scene {
    handle *engine;
} script_scene;

enum {
    SCENE_ENGINE = 1, ///< the handle
    SCENE_OBJECTS,    ///< id -> the one object of it, weak
    SCENE_KEPT,       ///< objects that the engine borrows: shapes, models
    SCENE_ENTRY,      ///< function, nil for none
    SCENE_NAME,
    SCENE_LEADERS, ///< handles of the leaders of characters
    SCENE_WALKERS, ///< id of a character -> its gaits (scene_walkers.c)
    SCENE_GUARD,   ///< ends the engine before the objects that it borrows
    SCENE_VALUES = SCENE_GUARD
};

/// An actor, joint, tie, light or character of a scene, by its id; its first user value is the scene, or a material by
/// its index.
typedef struct script_object {
    int id;
} script_object;

extern const script_class script_scene_class, script_actor_class, script_scene_joint_class, script_tie_class,
    script_light_class, script_material_class, script_character_class;

extern const luaL_Reg script_scene_functions[];

/// The names of the classes' metatables.
#define SCRIPT_SCENE "eigenrig.scene"
#define SCRIPT_ACTOR "eigenrig.actor"
#define SCRIPT_SCENE_JOINT "eigenrig.scene_joint"
#define SCRIPT_TIE "eigenrig.tie"
#define SCRIPT_LIGHT "eigenrig.light"
#define SCRIPT_MATERIAL "eigenrig.material"
#define SCRIPT_CHARACTER "eigenrig.character"

/// Methods of scenes, defined in the other files.
int script_scene_actor(lua_State *L);    ///< scene:actor{...}
int script_scene_joint(lua_State *L);    ///< scene:joint(type, a, b, {...})
int script_scene_rope(lua_State *L);     ///< scene:rope(a, b, {...})
int script_scene_rod(lua_State *L);      ///< scene:rod(a, b, {...})
int script_scene_pulley(lua_State *L);   ///< scene:pulley(a, b, {...})
int script_scene_gear(lua_State *L);     ///< scene:gear(joint, joint, {...})
int script_scene_add(lua_State *L);      ///< scene:add(model, {...})
int script_scene_material(lua_State *L); ///< scene:material{...}
int script_scene_light(lua_State *L);    ///< scene:light{...}
int script_scene_contacts(lua_State *L); ///< scene:contacts()
int script_actor_contacts(lua_State *L); ///< actor:contacts()
int script_scene_save(lua_State *L);     ///< scene:save()
int script_scene_restore(lua_State *L);  ///< scene:restore(state)

/// The value at a stack index as a scene that is open, or a Lua error.
engine *script_check_scene(lua_State *L, int index);

/// The actor at an index of the scene at index 1, 0 for nil: the world.
int script_check_side(lua_State *L, int index);

/// The value at a stack index as an object of a class. Writes its scene's engine, and pushes the scene.
int script_check_object(lua_State *L, int index, const char *name, engine **e);

/// Pushes the object of an id of the scene at a stack index: the same one each time.
void script_push_object(lua_State *L, int scene, const char *name, int id);

/// Keeps the value on the top of the stack as long as the scene at an index lives, and pops it.
void script_keep(lua_State *L, int scene);

/// The keys that script_read_parts() reads.
#define SCRIPT_SHAPE_KEYS                                                                                              \
    "sphere", "capsule", "box", "cylinder", "hull", "plane", "mesh", "heights", "along", "parts", "looks", "material", \
        "passes"

/// Parts of an actor of the table at a stack index: pushes them, [*count].
const engine_part *script_read_parts(lua_State *L, reader *r, int scene, int table, int *count);

/// The pose given by the fields `at`, `orientation` and `turn` of a table; `otherwise` for fields that are nil.
er_pose script_read_pose(reader *r, int table, er_pose otherwise);

/// A field that is three numbers, or a vec3; `otherwise` if it is nil.
er_vec3 script_read_vec3(reader *r, int table, const char *key, er_vec3 otherwise);

/// A field that is a colour: three numbers in [0, 1], or "#rrggbb" as in sRGB. `out` is linear, and stays if the field
/// is nil.
void script_read_colour(reader *r, int table, const char *key, float out[3]);

/// Pushes a colour as three numbers in [0, 1], as in sRGB.
void script_push_colour(lua_State *L, const float linear[3]);

/// A field that is a material of the scene; `otherwise` if it is nil.
int script_read_material(reader *r, int scene, int table, const char *key, int otherwise);

/// The text of a Lua file in this program, line by line.
typedef struct script_lines {
    const char *const *line;
    size_t count; ///< of the lines that are left
} script_lines;

/// Reads the next one of script_lines, for lua_load().
const char *script_next_line(lua_State *L, void *lines, size_t *size);

/// Loads sequencers and events (sequencers.lua) and adds them to the classes.
void script_open_sequencers(lua_State *L);

/// Pops the table that sequencers.lua returned, and keeps it for script_call_sequencers().
void script_set_sequencers(lua_State *L);

/// Calls one of its functions with the scene at a stack index, and pushes the one value that it returns.
void script_call_sequencers(lua_State *L, const char *name, int scene, int arguments);

/// Moves the kinematic bodies of characters to their poses after the next step.
void script_move_characters(lua_State *L, int scene);

/// Drops the motions and gaits of characters with ids above `last`.
void script_forget_leaders(lua_State *L, int scene, int last);

/// How a character walks, as scene:add() has it from a script.
typedef struct script_walk {
    er_walker_def def; ///< what it borrows is on the stack
    er_gait_family family;
    const er_rig_shapes *shapes;
    int gait; ///< its stack index
} script_walk;

/// Reads the value on the top of the stack: a gait of the model at a stack index, its name, or true. Pushes what the
/// walk borrows.
script_walk script_push_walk(lua_State *L, int model, const er_rig_shapes *shapes);

/// Remembers the walk of a character of the scene at a stack index.
void script_keep_walk(lua_State *L, int scene, int id, const script_walk *walk);

/// Methods and fields of characters that walk.
int script_walker_go(lua_State *L);       ///< walker:go{...}
int script_walker_gait(lua_State *L);     ///< walker:gait(name)
int script_walker_walking(lua_State *L);  ///< walker.walking
int script_walker_velocity(lua_State *L); ///< walker.velocity
int script_walker_heading(lua_State *L);  ///< walker.heading

/// A list of {walker, why, actor} of the falls of the last step.
int script_scene_falls(lua_State *L);

/// Pushes the scene that was made last, or nil.   @return whether there is one
bool script_push_last_scene(lua_State *L);

/// Functions with a limit to how long they run (budget.c): call(f, ...), thread(f), resume(thread, ...), close(thread)
int script_budget_call(lua_State *L);
void script_push_error(lua_State *L, lua_State *from); ///< the error on the top of `from` as text
void script_budget_file(lua_State *L, bool begins);    ///< until it ends, calls have the limit of a scene's file
int script_budget_thread(lua_State *L);
int script_budget_resume(lua_State *L);
int script_budget_close(lua_State *L);
void script_budget_keep(lua_State *L); ///< replaces functions of Lua's library that would escape the limit (limits.lua)

/// Sends the errors of scenes to functions, instead of Lua's warnings.
/// @param tell  receives errors of scripts
/// @param fail  receives failures of physics
void script_set_reporter(lua_State *L, void (*tell)(void *user, const char *text),
                         void (*fail)(void *user, er_result result, const char *text), void *user);

/// Reports an error of a script.
void script_report(lua_State *L, const char *text);

/// Reports a failure of physics.
void script_report_failure(lua_State *L, er_result result, const char *text);

#endif
