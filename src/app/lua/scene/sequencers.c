// Sequencers and events: loads sequencers.lua, and defines the C functions that it calls.
#include <string.h>

#include "app/lua/scene/scene_script.h"
#include "base/failure.h"
#include "base/suggest.h"

SCRIPT_PUSHES(native_steps, lua_pushinteger, engine_steps(script_check_scene(L, 1)))
SCRIPT_PUSHES(native_is_actor, lua_pushboolean, luaL_testudata(L, 1, SCRIPT_ACTOR) != NULL)

static int native_step(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    script_move_characters(L, 1);
    er_result r = engine_step(e);
    if (r == ER_OK) return 0;
    const char *said = er_context_error(script_context(L));
    script_report_failure(L, r, lua_pushfstring(L, "physics: %s", *said != '\0' ? said : eri_result_text(r)));
    return 0;
}

static int native_entry(lua_State *L)
{
    script_check_scene(L, 1);
    lua_getiuservalue(L, 1, SCENE_ENTRY);
    return 1;
}

// A list of {actor, actor, begins, point, impulse}.
static int native_touches(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    int count = engine_contact_event_count(e), at = 0;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        const engine_contact_event *t = engine_contact_event_at(e, i);
        if (engine_find_actor(e, t->actor[0]) == NULL || engine_find_actor(e, t->actor[1]) == NULL) continue;
        lua_createtable(L, 2, 3);
        for (int k = 0; k < 2; ++k) {
            script_push_object(L, 1, SCRIPT_ACTOR, t->actor[k]);
            lua_rawseti(L, -2, k + 1);
        }
        script_set_flag(L, "begins", t->begins);
        script_push_vec3(L, t->point);
        lua_setfield(L, -2, "point");
        script_set_number(L, "impulse", t->impulse);
        lua_rawseti(L, -2, ++at);
    }
    return 1;
}

// A list of {joint, force, torque} of what broke.
static int native_broken(lua_State *L)
{
    const engine *e = script_check_scene(L, 1);
    int count = engine_break_event_count(e);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        const engine_break_event *b = engine_break_event_at(e, i);
        lua_createtable(L, 0, 5);
        script_push_object(L, 1, b->is_tie ? SCRIPT_TIE : SCRIPT_SCENE_JOINT, b->id);
        lua_setfield(L, -2, "joint");
        script_set_number(L, "force", b->force);
        script_set_number(L, "torque", b->torque);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// partners(scene, id): the actors that an actor touches.
static int native_partners(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    int id = (int)luaL_checkinteger(L, 2), partner, at = 0;
    lua_newtable(L);
    while ((partner = engine_contact_partner(e, id, at)) != 0) {
        script_push_object(L, 1, SCRIPT_ACTOR, partner);
        lua_rawseti(L, -2, ++at);
    }
    return 1;
}

static int native_report(lua_State *L)
{
    script_report(L, luaL_checkstring(L, 2));
    return 0;
}

// nearest(word, list): the most similar word of the list; nil
static int native_nearest(lua_State *L)
{
    suggestion s = {.word = luaL_checkstring(L, 1)};
    luaL_checktype(L, 2, LUA_TTABLE);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; ++i)
        suggestion_try(&s, lua_tostring(L, -1)); // the table keeps it
    lua_pushstring(L, s.best);
    return 1;
}

static const char *const sequencers_text[] = {
#include <sequencers_text.h>
};

// Adds the functions of a table on the top of the stack to a class's methods, and pops it.
static void add_functions(lua_State *L, const char *name)
{
    enum { METHODS = 2 }; // upvalue of a class's __index
    int table = lua_gettop(L);
    luaL_getmetatable(L, name);
    lua_getfield(L, -1, "__index");
    lua_getupvalue(L, -1, METHODS);
    for (lua_pushnil(L); lua_next(L, table) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, table + 3);
    }
    lua_settop(L, table - 1);
}

void script_open_sequencers(lua_State *L)
{
    static const luaL_Reg native[] = {
        {"steps", native_steps},          {"step", native_step},          {"entry", native_entry},
        {"touches", native_touches},      {"broken", native_broken},      {"falls", script_scene_falls},
        {"is_actor", native_is_actor},    {"partners", native_partners},  {"report", native_report},
        {"nearest", native_nearest},      {"call", script_budget_call},   {"thread", script_budget_thread},
        {"resume", script_budget_resume}, {"close", script_budget_close}, {NULL, NULL}};
    script_lines lines = {sequencers_text, sizeof sequencers_text / sizeof *sequencers_text};
    if (lua_load(L, script_next_line, &lines, "=eigenrig", "t") != LUA_OK) lua_error(L);
    lua_newtable(L);
    luaL_setfuncs(L, native, 0);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "scene");
    add_functions(L, SCRIPT_SCENE);
    lua_getfield(L, -1, "actor");
    add_functions(L, SCRIPT_ACTOR);
    script_set_sequencers(L);
}
