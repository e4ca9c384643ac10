// Scenes in a Lua state, and their objects by id.
#include "app/lua/scene/scene_script.h"

engine *script_check_scene(lua_State *L, int index)
{
    script_scene *s = luaL_checkudata(L, index, SCRIPT_SCENE);
    if (s->engine == NULL || s->engine->object == NULL) luaL_argerror(L, index, "the scene has ended");
    return s->engine->object;
}

/// Ends a scene before the objects that it borrows. Lua calls finalizers in the reverse of the order in which they were
/// set, so the guard's is set again after each object that is borrowed.
typedef struct guard {
    handle *engine; ///< NULL: another guard ends it
} guard;

static int collect_guard(lua_State *L)
{
    const guard *g = lua_touserdata(L, 1);
    if (g->engine != NULL) script_empty_handle(g->engine);
    return 0;
}

static void set_guard(lua_State *L, int scene)
{
    lua_getiuservalue(L, scene, SCENE_GUARD);
    guard *old = lua_touserdata(L, -1), *g = lua_newuserdatauv(L, sizeof *g, 1);
    const script_scene *s = lua_touserdata(L, scene);
    *g = (guard){s->engine};
    if (old != NULL) old->engine = NULL;
    lua_getiuservalue(L, scene, SCENE_ENGINE);
    lua_setiuservalue(L, -2, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, collect_guard);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_setiuservalue(L, scene, SCENE_GUARD);
    lua_pop(L, 1);
}

void script_keep(lua_State *L, int scene)
{
    set_guard(L, scene);
    lua_getiuservalue(L, scene, SCENE_KEPT);
    lua_insert(L, -2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
}

void script_push_object(lua_State *L, int scene, const char *name, int id)
{
    scene = lua_absindex(L, scene);
    lua_getiuservalue(L, scene, SCENE_OBJECTS);
    if (lua_rawgeti(L, -1, id) == LUA_TNIL) {
        lua_pop(L, 1);
        script_object *t = lua_newuserdatauv(L, sizeof *t, 1);
        t->id = id;
        luaL_setmetatable(L, name);
        lua_pushvalue(L, scene);
        lua_setiuservalue(L, -2, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, id);
    }
    lua_remove(L, -2);
}

int script_check_object(lua_State *L, int index, const char *name, engine **e)
{
    const script_object *t = luaL_checkudata(L, index, name);
    lua_getiuservalue(L, index, 1);
    *e = script_check_scene(L, lua_gettop(L));
    return t->id;
}

// ---- Sequencers

static const char sequencers_key = 0; // in the registry: what sequencers.lua returned

void script_set_sequencers(lua_State *L)
{
    lua_rawsetp(L, LUA_REGISTRYINDEX, &sequencers_key);
}

void script_call_sequencers(lua_State *L, const char *name, int scene, int arguments)
{
    scene = lua_absindex(L, scene);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &sequencers_key);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    lua_insert(L, -1 - arguments);
    lua_pushvalue(L, scene);
    lua_insert(L, -1 - arguments);
    lua_call(L, arguments + 1, 1);
}

// ---- Errors

/// Receives the errors of scenes.
typedef struct reporter {
    void (*tell)(void *user, const char *text);
    void (*fail)(void *user, er_result result, const char *text);
    void *user;
} reporter;

static const char reporter_key = 0; // in the registry

void script_set_reporter(lua_State *L, void (*tell)(void *user, const char *text),
                         void (*fail)(void *user, er_result result, const char *text), void *user)
{
    reporter *t = lua_newuserdatauv(L, sizeof *t, 0);
    *t = (reporter){tell, fail, user};
    lua_rawsetp(L, LUA_REGISTRYINDEX, &reporter_key);
}

// NULL without one.
static const reporter *find_reporter(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &reporter_key);
    const reporter *t = lua_touserdata(L, -1);
    lua_pop(L, 1); // the registry keeps it
    return t;
}

void script_report(lua_State *L, const char *text)
{
    const reporter *t = find_reporter(L);
    if (t != NULL)
        t->tell(t->user, text);
    else
        lua_warning(L, text, 0);
}

void script_report_failure(lua_State *L, er_result result, const char *text)
{
    const reporter *t = find_reporter(L);
    if (t != NULL)
        t->fail(t->user, result, text);
    else
        lua_warning(L, text, 0);
}
