// A model: its numbers, its bodies and joints by name, changes of it.
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/lua/inside.h"
#include "app/project/pose.h"
#include "app/project/target.h"

script_model *script_check_model(lua_State *L, int argument)
{
    script_model *m = luaL_checkudata(L, argument, script_model_class.name);
    if (m->rig == NULL && m->model == NULL) luaL_argerror(L, argument, "the model is closed");
    if (script_mechanics(m) == NULL) luaL_argerror(L, argument, "the model has ended with its Lua state");
    return m;
}

const er_model *script_mechanics(const script_model *m)
{
    if (m->model != NULL) return m->model->object;
    const er_rig *rig = m->rig->object;
    return rig != NULL ? rig->model : NULL;
}

handle *script_push_shown(lua_State *L, const script_model *m)
{
    handle *h = script_push_handle(L, script_destroy_stage);
    project_target *shown = calloc(1, sizeof *shown);
    if (shown == NULL) luaL_error(L, "not enough memory");
    h->object = shown;
    const er_rig *rig = m->rig != NULL ? m->rig->object : NULL;
    script_check(L, project_target_set(script_context(L), script_mechanics(m), rig, shown));
    return h;
}

void script_change_model(lua_State *L, int model, const er_rig_change *change)
{
    model = lua_absindex(L, model);
    er_model *changed = NULL;
    handle *made = script_push_handle(L, script_destroy_model);
    script_model *m = script_check_model(L, model);
    script_check(L, er_rig_change_model(script_context(L), script_mechanics(m), change, &changed));
    made->object = changed;
    m->model = made;
    lua_setiuservalue(L, model, MODEL_MODEL);
    lua_pushnil(L);
    lua_setiuservalue(L, model, MODEL_MODES);
}

// --- numbers

SCRIPT_PUSHES(get_name, lua_pushstring, script_mechanics(script_check_model(L, 1))->name)
SCRIPT_PUSHES(get_source, lua_pushstring, script_mechanics(script_check_model(L, 1))->source)

// The path of its description; nil without one.
static int get_described(lua_State *L)
{
    script_check_model(L, 1);
    lua_getiuservalue(L, 1, MODEL_DESCRIBED);
    return 1;
}

SCRIPT_PUSHES(get_size, lua_pushnumber, script_mechanics(script_check_model(L, 1))->size)

static int get_mass(lua_State *L)
{
    const er_model *model = script_mechanics(script_check_model(L, 1));
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        mass += model->body[b].mass;
    lua_pushnumber(L, mass);
    return 1;
}

SCRIPT_PUSHES(get_body_count, lua_pushinteger, script_mechanics(script_check_model(L, 1))->body_count)
SCRIPT_PUSHES(get_joint_count, lua_pushinteger, script_mechanics(script_check_model(L, 1))->joint_count)
SCRIPT_PUSHES(get_coordinate_count, lua_pushinteger, script_mechanics(script_check_model(L, 1))->coordinate_count)
SCRIPT_PUSHES(get_loop_count, lua_pushinteger, script_mechanics(script_check_model(L, 1))->loop_count)
SCRIPT_PUSHES(get_damping_ratio, lua_pushnumber, script_mechanics(script_check_model(L, 1))->damping_ratio)

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
    script_hold(L);
    const script_model *m = script_check_model(L, 1);
    lua_newtable(L);
    if (m->scene == NULL) return 1;
    const er_scene *scene = m->scene->object;
    const er_rig *rig = m->rig->object;
    append_notes(L, scene->note, scene->note_count);
    append_notes(L, rig->note, rig->note_count);
    return 1;
}

static int get_clips(lua_State *L)
{
    lua_settop(L, 1);
    script_hold(L);
    const script_model *m = script_check_model(L, 1);
    const er_scene *scene = m->scene != NULL ? m->scene->object : NULL;
    lua_newtable(L);
    for (int i = 0; scene != NULL && i < scene->clip_count; ++i) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, scene->clip[i].name);
        lua_setfield(L, -2, "name");
        lua_pushnumber(L, scene->clip[i].duration);
        lua_setfield(L, -2, "duration");
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

// --- bodies and joints

typedef const char *(*name_of)(const er_model *model, int index);

static const char *body_name(const er_model *model, int index)
{
    return model->body[index].name;
}

static const char *joint_name(const er_model *model, int index)
{
    return model->joint[index].name;
}

static int push_matching(lua_State *L, int count, name_of name, void (*push)(lua_State *, int, int))
{
    const char *pattern = luaL_optstring(L, 2, "*");
    lua_settop(L, 2);
    script_hold(L);
    const er_model *model = script_mechanics(script_check_model(L, 1));
    lua_newtable(L);
    for (int i = 0, found = 0; i < count; ++i) {
        if (fnmatch(pattern, name(model, i), 0) != 0) continue;
        push(L, 1, i);
        lua_rawseti(L, -2, ++found);
    }
    return 1;
}

static int fail_name(lua_State *L, const char *what, const char *wanted, int count, name_of name, const er_model *model)
{
    suggestion meant = {.word = wanted};
    for (int i = 0; i < count; ++i)
        suggestion_try(&meant, name(model, i));
    if (meant.best != NULL) return luaL_error(L, "no %s is called \"%s\", but \"%s\"", what, wanted, meant.best);
    if (strpbrk(wanted, "*?[") == NULL) return luaL_error(L, "no %s is called \"%s\"", what, wanted);
    return luaL_error(L, "no %s is called \"%s\"; patterns are for the lists of bodies() and joints()", what, wanted);
}

// By its name or its index, 0 for the first, as `info` prints it.
static int push_one(lua_State *L, const char *what, int count, name_of name, void (*push)(lua_State *, int, int))
{
    const er_model *model = script_mechanics(script_check_model(L, 1));
    if (lua_type(L, 2) == LUA_TNUMBER) {
        lua_Integer index = luaL_checkinteger(L, 2);
        if (index < 0 || index >= count) return luaL_error(L, "there is no %s %I, but 0 to %d", what, index, count - 1);
        push(L, 1, (int)index);
        return 1;
    }
    const char *wanted = luaL_checkstring(L, 2);
    int found = -1;
    for (int i = 0; i < count; ++i) {
        if (strcmp(name(model, i), wanted) != 0) continue;
        if (found >= 0) return luaL_error(L, "several %ss are called \"%s\"; name it by its index", what, wanted);
        found = i;
    }
    if (found < 0) return fail_name(L, what, wanted, count, name, model);
    push(L, 1, found);
    return 1;
}

static int bodies(lua_State *L)
{
    return push_matching(L, script_mechanics(script_check_model(L, 1))->body_count, body_name, script_push_body);
}

static int joints(lua_State *L)
{
    return push_matching(L, script_mechanics(script_check_model(L, 1))->joint_count, joint_name, script_push_joint);
}

static int body(lua_State *L)
{
    return push_one(L, "body", script_mechanics(script_check_model(L, 1))->body_count, body_name, script_push_body);
}

static int joint(lua_State *L)
{
    return push_one(L, "joint", script_mechanics(script_check_model(L, 1))->joint_count, joint_name, script_push_joint);
}

// --- the rest

// model:save(path): the rig file, as changed.
static int save(lua_State *L)
{
    const er_model *model = script_mechanics(script_check_model(L, 1));
    script_check(L, er_file_write_rig(script_context(L), model, luaL_checkstring(L, 2)));
    return 0;
}

// model:save_pose(path): the equilibrium as a pose file.
static int save_pose(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    lua_settop(L, 2);
    script_hold(L);
    const script_model *m = script_check_model(L, 1);
    if (m->scene == NULL) return luaL_error(L, "a pose file is of a model's nodes; a rig file has none");
    const er_scene *scene = m->scene->object;
    er_affine *local = reader_push_array(L, (size_t)scene->node_count, sizeof *local);
    project_equilibrium(m->rig->object, local);
    script_check(L, er_file_write_pose(script_context(L), scene, local, path));
    return 0;
}

static int close(lua_State *L)
{
    script_model *m = luaL_checkudata(L, 1, script_model_class.name);
    script_context(L);
    script_close_handle(L, m->model);
    script_close_handle(L, m->rig);
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
        const er_model *model = script_mechanics(script_check_model(L, 1));
        lua_pushfstring(L, "model \"%s\": %d bodies, %d joints", model->name, model->body_count, model->joint_count);
    }
    return 1;
}

static const luaL_Reg methods[] = {{"bodies", bodies},
                                   {"joints", joints},
                                   {"body", body},
                                   {"joint", joint},
                                   {"modes", script_model_modes},
                                   {"build", script_model_build},
                                   {"change", script_model_change},
                                   {"mix", script_model_mix},
                                   {"pose", script_model_pose},
                                   {"save_pose", save_pose},
                                   {"gaits", script_model_gaits},
                                   {"export", script_model_export},
                                   {"save", save},
                                   {"close", close},
                                   {NULL, NULL}};
static const luaL_Reg getters[] = {{"name", get_name},
                                   {"source", get_source},
                                   {"described", get_described},
                                   {"size", get_size},
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
