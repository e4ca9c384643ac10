// The module's table and its classes: where each Lua function is defined.
//
//   eigenrig.load, .files, .json, .vec3, .quat, .simulate, .scene:  XXX_functions[] at the end of their files
//   methods of a class:                                             methods[] beside its getters
//   methods of a model or a gait that another file defines:         model_methods[] and gait_methods[] below
//   scene:run, scene:on and the frame loop:                         scene/sequencers.lua
//
// A new method of a model goes into the file of its subject, as script_model_NAME(), and into model_methods[].
#include "app/lua/lua_inside.h"
#include "app/lua/scene/scene_script.h"
#include "app/lua/script.h"

static int version(lua_State *L)
{
    lua_pushstring(L, er_version());
    return 1;
}

static const luaL_Reg own_functions[] = {{"version", version}, {NULL, NULL}};

static const luaL_Reg model_methods[] = {{"bodies", script_model_bodies},
                                         {"joints", script_model_joints},
                                         {"body", script_model_body},
                                         {"joint", script_model_joint},
                                         {"modes", script_model_modes},
                                         {"build", script_model_build},
                                         {"change", script_model_change},
                                         {"mix", script_model_mix},
                                         {"preset", script_model_preset},
                                         {"perform", script_model_perform},
                                         {"carry", script_model_carry},
                                         {"pose", script_model_pose},
                                         {"gaits", script_model_gaits},
                                         {"export", script_model_export},
                                         {"simulate", script_model_simulate},
                                         {"follow", script_model_follow},
                                         {"sequence", script_model_sequence},
                                         {"blend_space", script_model_blend_space},
                                         {"inverse", script_model_inverse},
                                         {"matrices", script_model_matrices},
                                         {"save_matrices", script_model_save_matrices},
                                         {NULL, NULL}};
static const luaL_Reg gait_methods[] = {{"simulate", script_gait_simulate}, {NULL, NULL}};

static void add_part(lua_State *L, const char *name, const luaL_Reg *functions)
{
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
    lua_setfield(L, -2, name);
}

int script_open(lua_State *L)
{
    static const script_class *const classes[] = {
        &script_model_class, &script_body_class,       &script_joint_class,       &script_modes_class,
        &script_mode_class,  &script_mix_class,        &script_motion_class,      &script_gaits_class,
        &script_gait_class,  &script_simulation_class, &script_vec3_class,        &script_quat_class,
        &script_scene_class, &script_actor_class,      &script_scene_joint_class, &script_tie_class,
        &script_light_class, &script_material_class,   &script_character_class,   &script_forces_class};
    static const luaL_Reg *const functions[] = {own_functions, script_model_functions, script_value_functions,
                                                script_simulation_functions, script_scene_functions};
    luaL_checkversion(L);
    script_open_context(L);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
        script_make_class(L, classes[i]);
    script_add_methods(L, &script_model_class, model_methods);
    script_add_methods(L, &script_gait_class, gait_methods);
    script_open_sequencers(L);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        luaL_setfuncs(L, functions[i], 0);
    add_part(L, "json", script_json_functions);
    add_part(L, "files", script_file_functions);
    lua_pushlightuserdata(L, NULL);
    lua_setfield(L, -2, "null"); // JSON's
    script_guard_module(L);
    return 1;
}
