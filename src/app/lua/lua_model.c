// A model: its numbers, changes of it, and its files. Methods of other files are added in module.c.
#include <eigenrig/formats.h>

#include "app/lua/lua_inside.h"
#include "app/project/outputs.h"
#include "app/project/project_pose.h"
#include "app/project/target.h"

SCRIPT_DESTROYS(destroy_model, er_model_destroy)
SCRIPT_DESTROYS(clear_target, project_target_clear)

script_model *script_check_model(lua_State *L, int argument)
{
    script_model *m = luaL_checkudata(L, argument, script_model_class.name);
    if (m->rig == NULL && m->model == NULL) luaL_argerror(L, argument, "the model is closed");
    if (script_model_of(m) == NULL) luaL_argerror(L, argument, "the model has ended with its Lua state");
    return m;
}

const er_model *script_model_of(const script_model *m)
{
    if (m->model != NULL) return m->model->object;
    const er_rig *rig = m->rig->object;
    return rig != NULL ? rig->model : NULL;
}

const er_rig *script_rig_of(const script_model *m)
{
    return m->rig != NULL ? m->rig->object : NULL;
}

const er_scene *script_scene_of(const script_model *m)
{
    return m->scene != NULL ? m->scene->object : NULL;
}

const er_world_file *script_world_of(const script_model *m)
{
    return m->world != NULL ? m->world->object : NULL;
}

handle *script_push_target(lua_State *L, const er_model *model, const er_rig *rig, const er_world_file *world)
{
    project_target *shown = script_push_room(L, sizeof *shown, clear_target);
    script_check(L, project_target_set(script_context(L), model, rig, world, shown));
    return lua_touserdata(L, -1);
}

void script_change_model(lua_State *L, int model, const er_rig_change *change)
{
    model = lua_absindex(L, model);
    er_model *changed = NULL;
    handle *made = script_push_handle(L, destroy_model);
    script_model *m = script_check_model(L, model);
    er_rig_change own = *change;
    if (m->scene != NULL) own.up = ((const er_scene *)m->scene->object)->up;
    script_check(L, er_rig_change_model(script_context(L), script_model_of(m), &own, &changed));
    made->object = changed;
    m->model = made;
    lua_setiuservalue(L, model, MODEL_MODEL);
    lua_pushnil(L);
    lua_setiuservalue(L, model, MODEL_MODES);
}

// --- numbers

SCRIPT_PUSHES(get_name, lua_pushstring, script_model_of(script_check_model(L, 1))->name)
SCRIPT_PUSHES(get_source, lua_pushstring, script_model_of(script_check_model(L, 1))->source)

// The path of its description; nil without one.
static int get_described(lua_State *L)
{
    script_check_model(L, 1);
    lua_getiuservalue(L, 1, MODEL_DESCRIBED);
    return 1;
}

// nil for a rig file, which does not say it.
static int get_height(lua_State *L)
{
    const script_model *m = script_check_model(L, 1);
    if (m->rig == NULL) return 0;
    lua_pushnumber(L, script_rig_of(m)->height);
    return 1;
}

SCRIPT_PUSHES(get_size, lua_pushnumber, script_model_of(script_check_model(L, 1))->size)

static int get_mass(lua_State *L)
{
    const er_model *model = script_model_of(script_check_model(L, 1));
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        mass += model->body[b].mass;
    lua_pushnumber(L, mass);
    return 1;
}

SCRIPT_PUSHES(get_body_count, lua_pushinteger, script_model_of(script_check_model(L, 1))->body_count)
SCRIPT_PUSHES(get_joint_count, lua_pushinteger, script_model_of(script_check_model(L, 1))->joint_count)
SCRIPT_PUSHES(get_coordinate_count, lua_pushinteger, script_model_of(script_check_model(L, 1))->coordinate_count)
SCRIPT_PUSHES(get_loop_count, lua_pushinteger, script_model_of(script_check_model(L, 1))->loop_count)
SCRIPT_PUSHES(get_damping_ratio, lua_pushnumber, script_model_of(script_check_model(L, 1))->damping_ratio)

static void append_notes(lua_State *L, const er_note *note, int count)
{
    for (int i = 0; i < count; ++i) {
        lua_pushstring(L, note[i].text);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
}

static int get_notes(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const script_model *m = script_check_model(L, 1);
    lua_newtable(L);
    if (m->scene == NULL) return 1;
    append_notes(L, script_scene_of(m)->note, script_scene_of(m)->note_count);
    append_notes(L, script_rig_of(m)->note, script_rig_of(m)->note_count);
    return 1;
}

static int get_clips(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const script_model *m = script_check_model(L, 1);
    const er_scene *scene = script_scene_of(m);
    lua_newtable(L);
    for (int i = 0; scene != NULL && i < scene->clip_count; ++i) {
        lua_createtable(L, 0, 2);
        script_set_text(L, "name", scene->clip[i].name);
        script_set_number(L, "duration", scene->clip[i].duration);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int set_mass(lua_State *L)
{
    er_rig_change change = er_default_rig_change();
    change.mass = luaL_checknumber(L, 3);
    luaL_argcheck(L, change.mass > 0.0, 3, "a mass is above 0 kg");
    script_change_model(L, 1, &change);
    return 0;
}

static int set_damping_ratio(lua_State *L)
{
    er_rig_change change = er_default_rig_change();
    change.damping_ratio = luaL_checknumber(L, 3);
    luaL_argcheck(L, change.damping_ratio >= 0.0, 3, "a damping ratio is 0 or more");
    script_change_model(L, 1, &change);
    return 0;
}

// --- files

// model:save(path): the rig file, as changed.
static int save(lua_State *L)
{
    const er_model *model = script_model_of(script_check_model(L, 1));
    const char *path = luaL_checkstring(L, 2);
    if (project_find_format(path) != NULL && strcmp(path, "-") != 0)
        return luaL_error(L, "\"%s\" is named like a model, and a rig file is JSON; did you mean model:export(\"%s\")",
                          path, path);
    script_check(L, er_rig_file_write(script_context(L), model, path));
    return 0;
}

// model:save_pose(path): the equilibrium as a pose file.
static int save_pose(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    lua_settop(L, 2);
    script_pause_gc(L);
    const script_model *m = script_check_model(L, 1);
    if (m->scene == NULL) return luaL_error(L, "a pose file needs the nodes of a model, and a rig file has none");
    const er_scene *scene = script_scene_of(m);
    er_affine *local = reader_push_array(L, (size_t)scene->node_count, sizeof *local);
    project_equilibrium(script_rig_of(m), local);
    script_check(L, er_pose_file_write(script_context(L), scene, local, path));
    return 0;
}

static int close(lua_State *L)
{
    script_model *m = luaL_checkudata(L, 1, script_model_class.name);
    script_context(L);
    script_close_handle(L, m->model);
    script_close_handle(L, m->rig);
    if (m->world != NULL) script_close_handle(L, m->world);
    if (m->scene != NULL && --m->scene->users == 0) script_close_handle(L, m->scene);
    *m = (script_model){0};
    for (int i = 1; i <= MODEL_VALUES; ++i) {
        lua_pushnil(L);
        lua_setiuservalue(L, 1, i);
    }
    return 0;
}

static int text(lua_State *L)
{
    const script_model *m = luaL_checkudata(L, 1, script_model_class.name);
    if (m->rig == NULL && m->model == NULL)
        lua_pushstring(L, "model (closed)");
    else {
        const er_model *model = script_model_of(script_check_model(L, 1));
        lua_pushfstring(L, "model \"%s\": %d %s, %d joint%s", model->name, model->body_count,
                        eri_bodies(model->body_count), model->joint_count, eri_plural(model->joint_count));
    }
    return 1;
}

static const luaL_Reg methods[] = {{"save_pose", save_pose}, {"save", save}, {"close", close}, {NULL, NULL}};
static const luaL_Reg getters[] = {{"name", get_name},
                                   {"source", get_source},
                                   {"described", get_described},
                                   {"size", get_size},
                                   {"height", get_height},
                                   {"mass", get_mass},
                                   {"body_count", get_body_count},
                                   {"joint_count", get_joint_count},
                                   {"coordinate_count", get_coordinate_count},
                                   {"loop_count", get_loop_count},
                                   {"damping_ratio", get_damping_ratio},
                                   {"notes", get_notes},
                                   {"clips", get_clips},
                                   {NULL, NULL}};
static const luaL_Reg setters[] = {{"mass", set_mass}, {"damping_ratio", set_damping_ratio}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__close", close}, {"__tostring", text}, {NULL, NULL}};
const script_class script_model_class = {"eigenrig.model", methods, getters, setters, meta, NULL};
