/// @file
/// How objects of the library live in a Lua state: for this room, and for those that add to its module.
///
/// A Lua error is a longjmp, so a C function owns nothing. Each object of the library goes at once into a *handle*, a
/// userdata that frees it when it is collected. Work space is userdata too. Objects that scripts see (a model, its
/// modes, ...) are userdata that keep handles alive by their user values; they borrow from nothing else.
#ifndef ERI_APP_LUA_LUA_INSIDE_H
#define ERI_APP_LUA_LUA_INSIDE_H

#include <lauxlib.h>
#include <lua.h>

#include <eigenrig/base.h>
#include <eigenrig/dynamics.h>
#include <eigenrig/math.h>
#include <eigenrig/modal.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>
#include <eigenrig/worlds.h>

#include <eigenrig/gait.h>

#include "app/description/reader.h"
#include "app/project/project_layer.h"
#include "app/project/project_motion.h"
#include "app/project/project_names.h"
#include "app/project/project_plant.h"
#include "app/project/project_preset.h"
#include "base/suggest.h"

/// Defines a C function for Lua that pushes one value, which may be of its arguments.
#define SCRIPT_PUSHES(name, push, value)                                                                               \
    static int name(lua_State *L)                                                                                      \
    {                                                                                                                  \
        push(L, value);                                                                                                \
        return 1;                                                                                                      \
    }

/// Defines how a handle destroys its object.
#define SCRIPT_DESTROYS(name, destroy)                                                                                 \
    static void name(void *object)                                                                                     \
    {                                                                                                                  \
        destroy(object);                                                                                               \
    }

// --- handles

/// An object of the library in a Lua state.
typedef struct handle {
    void *object; ///< NULL before it is made and after it is closed
    void (*destroy)(void *object);
    void *room;                  ///< memory to be freed after it; NULL: none
    int users;                   ///< models that share a scene
    int keepers;                 ///< scenes that borrow it: it is closed no sooner than they are
    struct handle *next, **link; ///< among all of the state
} handle;

/// Pushes an empty handle, to be filled with an object as soon as there is one.
handle *script_push_handle(lua_State *L, void (*destroy)(void *object));
void script_close_handle(lua_State *L, handle *h);
void script_empty_handle(handle *h); ///< the same, whoever keeps it

/// Pushes the handle of `size` zeroed bytes, which are cleared and freed with it.
void *script_push_room(lua_State *L, size_t size, void (*clear)(void *object));

/// Makes the state's context if there is none yet.
void script_open_context(lua_State *L);

/// The state's context. A Lua error where the state is about to end, or a callback calls from within a solve.
er_context *script_context(lua_State *L);

/// Calls the function at a stack index (0: none) with two numbers, the context kept from it.
void script_call_progress(lua_State *L, int callback, int done, int all);

/// The same from within a call of the library, which an error may not leave: it waits on the top of the stack.
typedef struct script_progress {
    lua_State *L;
    int callback; ///< its place on the stack, 0 for none
    bool failed;
} script_progress;

/// Begins to watch; the context is busy until script_progress_end(): script_context() is an error meanwhile.
script_progress script_progress_begin(lua_State *L, int callback);
/// For the library's `progress`, with the watch as its user.   @return whether to go on
bool script_progress_step(void *watch, int done, int all);
void script_progress_tell(void *watch, int done, int all); ///< the same where nothing is returned
/// Ends it: the error that waits, or that of `r`, where there is one.
void script_progress_end(script_progress *watch, er_result r);

/// The field `progress`: its function's place on the stack, where it stays; 0 for none.
int script_read_progress(reader *r, int table);

/// Turns notes of other rooms into warnings of Lua. The first of several in a row about one model has its path.
typedef struct script_warner {
    lua_State *L;
    const char *path; ///< borrowed
} script_warner;

project_listener script_listener(script_warner *ear);

/// Goes on where `r` is ER_OK; otherwise a Lua error with the context's sentence.
void script_check(lua_State *L, er_result r);

/// The result behind an error's message: the library's, or ER_ERROR_ARGUMENT for an error of the script itself.
er_result script_result_of(lua_State *L, const char *message);

/// Stops garbage collection until the C function returns, with or without an error, so that no finalizer of the script
/// closes or changes the objects in use. Pushes one value; call it before arguments are read.
void script_pause_gc(lua_State *L);

// --- classes

/// The methods and fields of a class. Getters take the object and the field's name; setters take the value too.
typedef struct script_class {
    const char *name;                                   ///< as `eigenrig.model`: names the metatable
    const luaL_Reg *methods, *getters, *setters, *meta; ///< each ended by {NULL, NULL}; NULL for none
    lua_CFunction at;                                   ///< object[number]; NULL for none
} script_class;

/// Makes the metatable. Once a state.
void script_make_class(lua_State *L, const script_class *c);

/// Adds methods, ended by {NULL, NULL}, to a class that is made.
void script_add_methods(lua_State *L, const script_class *c, const luaL_Reg *methods);

extern const script_class script_model_class, script_body_class, script_joint_class, script_modes_class,
    script_mode_class, script_mix_class, script_motion_class, script_gaits_class, script_gait_class,
    script_simulation_class, script_forces_class, script_vec3_class, script_quat_class;

/// Functions of the module.
extern const luaL_Reg script_model_functions[], script_value_functions[], script_json_functions[],
    script_file_functions[], script_simulation_functions[];

// --- models

/// A model as a script has it. A change replaces its er_model; objects made from the old one keep that one.
typedef struct script_model {
    handle *scene;     ///< NULL for a rig file and a world
    handle *rig;       ///< likewise
    handle *world;     ///< whose solids are drawn; NULL: it is no world
    handle *model;     ///< the model as changed; NULL: that of the rig
    const char *path;  ///< of its file, as it was given
    double density;    ///< kg/m^3 that it was built with; 0 for a rig file
    er_stiffness law;  ///< of its joints, except those that were changed one by one
    bool has_law;      ///< false for a rig file with springs of its own
    const char *feet;  ///< for gaits that name none; NULL: found automatically
    er_vec3 forward;   ///< likewise; zero: read off the shape
    const char *plant; ///< bodies that mixes keep in place unless they name others; NULL: none
} script_model;

enum {
    MODEL_SCENE = 1,
    MODEL_RIG,
    MODEL_MODEL,
    MODEL_OPTIONS,
    MODEL_MODES,
    MODEL_DESCRIBED,
    MODEL_PATH,
    MODEL_FEET,
    MODEL_PLANT,
    MODEL_WORLD,
    MODEL_VALUES = MODEL_WORLD
};

/// The argument as a model that is open, or a Lua error.
script_model *script_check_model(lua_State *L, int argument);

/// The mechanics as they stand.
const er_model *script_model_of(const script_model *m);
const er_rig *script_rig_of(const script_model *m);          ///< NULL for a rig file
const er_scene *script_scene_of(const script_model *m);      ///< likewise
const er_world_file *script_world_of(const script_model *m); ///< NULL where it is no world

/// Pushes a body or a joint of the model at a stack index, 0 up to its count.
void script_push_body(lua_State *L, int model, int index);
void script_push_joint(lua_State *L, int model, int index);

/// Puts a changed model in the place of the one at a stack index.
void script_change_model(lua_State *L, int model, const er_rig_change *change);

/// Pushes the handle of a project_target (app/project/target.h) for clips and pictures of a model.
/// @param rig  NULL: of a rig file
handle *script_push_target(lua_State *L, const er_model *model, const er_rig *rig, const er_world_file *world);

/// model:bodies(pattern), model:joints(pattern), model:body(name), model:joint(name)
int script_model_bodies(lua_State *L);
int script_model_joints(lua_State *L);
int script_model_body(lua_State *L);
int script_model_joint(lua_State *L);

/// model:build{...}, model:change{...}
int script_model_build(lua_State *L);
int script_model_pose(lua_State *L); ///< model:pose(body)
int script_model_change(lua_State *L);

// --- modes

/// The modes of a model as it stood when they were solved for.
typedef struct script_modes {
    handle *modes;
    handle *holder; ///< of the er_model: a model's, or a rig's
    const er_model *model;
} script_modes;

enum { MODES_MODES = 1, MODES_HOLDER, MODES_MODEL, MODES_NAMES, MODES_VALUES = MODES_NAMES };

script_modes *script_check_modes(lua_State *L, int argument);

/// model:matrices(pose), model:save_matrices(path, pose)
int script_model_matrices(lua_State *L);
int script_model_save_matrices(lua_State *L);

/// model:modes(24), model:modes{...}
int script_model_modes(lua_State *L);

/// Pushes modes of the model at a stack index as it stands: the lowest, at least `least` elastic ones if there are that
/// many.
void script_push_modes(lua_State *L, int model, int least);

/// The names of the modes at a stack index, made when first asked for and kept with them; NULL if their rig has none.
er_mode_names *script_mode_names(lua_State *L, int modes);

/// Pushes what project_bound_modes() finds; [modes->count], while it is on the stack.
const er_mode_bound *script_push_bounds(lua_State *L, const er_model *model, const er_rig *rig, const er_modes *modes);

/// The argument as a mode whose modes are open.
const er_mode *script_check_mode(lua_State *L, int argument, script_modes **of);

// --- mixes and motions

/// A mix of a model's modes.
typedef struct script_mix {
    handle *mix;
} script_mix;

enum { MIX_MIX = 1, MIX_MODEL, MIX_VALUES = MIX_MODEL };

/// A mix bound to the modes of a model as it stood.
typedef struct script_motion {
    handle *motion;
    handle *holder; ///< of the er_model
} script_motion;

enum { MOTION_MOTION = 1, MOTION_HOLDER, MOTION_VALUES = MOTION_HOLDER };

/// model:mix(...), model:export(...)
int script_model_mix(lua_State *L);
int script_model_preset(lua_State *L);
int script_model_perform(lua_State *L);

/// model:carry(mix), model:carry(gait): of another model
int script_model_carry(lua_State *L);
int script_model_export(lua_State *L);

/// Pushes a mix of the model at a stack index, its modes found by shape: of a mix, a text, a file or a table of
/// components.
void script_push_mix(lua_State *L, int model, int value);

/// The same of a mix of the library, which outlives the call.
void script_push_library_mix(lua_State *L, int model, const er_mix *mix);

/// Pushes the bodies that stay in place while a mix plays.
/// @param names  as project_find_plants() takes them; NULL: as the model says
/// @param over   the clip below the mix, in which hips may sit; NULL: none
const project_plants *script_push_plants(lua_State *L, const script_model *model, const char *names,
                                         const er_clip *over);

/// How a mix is to move.
typedef struct script_motion_options {
    er_motion_def def;
    bool loop_given;     ///< false: a mix that may loop does
    const char *plant;   ///< names of bodies that stay in place; NULL: as the model says
    const er_clip *over; ///< clip below the mix; NULL: none
} script_motion_options;

/// Pushes the motion of a mix, at a stack index, of the model as it stands.
/// @param listener  NULL, or warned of too few frames and of changed frequencies
void script_push_motion(lua_State *L, int mix, const script_motion_options *moving, const project_listener *listener);

const er_mix *script_check_mix(lua_State *L, int argument);

/// Reads the fields duration, loop, fps and plant of a table; fields that it lacks stay. Names stay on the stack.
void script_read_motion(reader *r, int table, script_motion_options *out);

// --- gaits

/// Gaits of a model as it stood.
typedef struct script_gaits {
    handle *gaits;
    script_modes *modes; ///< whose mixes the gaits are
} script_gaits;

enum { GAITS_GAITS = 1, GAITS_MODES, GAITS_MODEL, GAITS_VALUES = GAITS_MODEL };

/// The value at a stack index as gaits, or as one, that is open; a Lua error otherwise.
const er_gaits *script_check_gaits(lua_State *L, int index, script_gaits **of);
const er_gait *script_check_gait(lua_State *L, int index, script_gaits **of);

/// Pushes an empty list of gaits of the model at 1.
script_gaits *script_push_gaits(lua_State *L);

/// Pushes one of the gaits at a stack index.
void script_push_gait(lua_State *L, int gaits, int place);

/// Pushes the motions of `count` of the gaits, from place `first` on, at `fps` frames a second at least, and the list
/// of them, which is returned. The gaits must be on the stack too; more is pushed below the list.
const er_gait_motion **script_push_gait_motions(lua_State *L, const script_gaits *of, int first, int count, double fps);

/// model:gaits{...}
int script_model_gaits(lua_State *L);

// --- simulations

/// model:simulate{...}
int script_model_simulate(lua_State *L);
int script_gait_simulate(lua_State *L);
int script_model_follow(lua_State *L);                                ///< model:follow(path, {...})
int script_model_sequence(lua_State *L);                              ///< model:sequence(path, items, {...})
int script_model_blend_space(lua_State *L);                           ///< model:blend_space(path, gaits, {...})
int script_model_inverse(lua_State *L);                               ///< model:inverse{...}
void script_push_energy(lua_State *L, const er_world_energy *energy); ///< a table

// --- values

/// Pushes position and orientation.
void script_push_frame(lua_State *L, er_pose pose);

/// Pushes a table for every body: index, name, position, orientation; as model:build{pose} takes them.
void script_push_pose(lua_State *L, const er_model *model, const er_pose *pose);

/// The argument as a body, by its name or its index; a Lua error where there is none.
int script_find_body(lua_State *L, const er_model *model, int argument);

void script_push_vec3(lua_State *L, er_vec3 v);
void script_push_quat(lua_State *L, er_quat q);
er_vec3 script_check_vec3(lua_State *L, int argument);
er_quat script_check_quat(lua_State *L, int argument);

void script_push_numbers(lua_State *L, const double *value, int count); ///< pushes a list

/// Sets a field of the table on the top of the stack.
void script_set_number(lua_State *L, const char *key, double value);
void script_set_integer(lua_State *L, const char *key, lua_Integer value);
void script_set_text(lua_State *L, const char *key, const char *value);
void script_set_flag(lua_State *L, const char *key, bool value);

/// Pushes a table with the one field that a setter received, to be read as options are.
void script_push_assignment(lua_State *L);

// --- words

/// The text to type instead of a word that is no field of a class, or of the module (""); NULL if unknown.   Memory:
/// static.
const char *script_hint(const char *of, const char *word);

/// Makes it an error to read a field that the table on the top of the stack lacks.
void script_guard_module(lua_State *L);

/// A number at an index stands for a table with that field: model:gaits(2) for {best = 2}.
void script_expand_shorthand(lua_State *L, int index, const char *key);

/// Pushes the function of a text, or its error.   @return Lua's status
/// An expression returns its values, so that a prompt can show them.
int script_load_text(lua_State *L, const char *text, const char *chunk);

/// Puts a function in the place of os.exit().
void script_replace_exit(lua_State *L, lua_CFunction other);

/// An empty table in place of nil at an index.
void script_default_table(lua_State *L, int index);

#endif
