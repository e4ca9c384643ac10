// scene:save() and scene:restore().
#include "app/lua/scene/scene_script.h"

int script_scene_save(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    size_t size;
    script_check(L, engine_save(e, NULL, &size));
    luaL_Buffer text;
    char *bytes = luaL_buffinitsize(L, &text, size);
    script_check(L, engine_save(e, bytes, &size));
    luaL_pushresultsize(&text, size);
    return 1;
}

// Removes the actors that were added since, as actor:remove() does.
static void remove_newer(lua_State *L, engine *e, int last)
{
    for (int i = engine_actor_count(e) - 1; i >= 0; i = engine_actor_count(e) - 1) {
        int id = engine_actor_at(e, i)->id;
        if (id <= last) return;
        script_push_object(L, 1, SCRIPT_ACTOR, id);
        script_call_sequencers(L, "removed", 1, 1);
        lua_pop(L, 1);
        engine_remove_actor(e, id);
    }
}

// Objects that are gone must not become those that get their ids.
static void forget_newer(lua_State *L, engine *e, int last)
{
    lua_getiuservalue(L, 1, SCENE_OBJECTS);
    int objects = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, objects) != 0; lua_pop(L, 1)) {
        script_object *t = lua_touserdata(L, -1);
        if (t->id <= last || engine_find_light(e, t->id) != NULL) continue;
        t->id = 0;
        lua_pushvalue(L, -2);
        lua_pushnil(L);
        lua_rawset(L, objects);
    }
    lua_pop(L, 1);
}

int script_scene_restore(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    size_t size;
    int last;
    const char *bytes = luaL_checklstring(L, 2, &size);
    lua_settop(L, 2);
    script_check(L, engine_check_state(e, bytes, size, &last));
    remove_newer(L, e, last);
    script_forget_leaders(L, 1, last);
    er_result r = engine_restore(e, bytes, size);
    forget_newer(L, e, last);
    script_check(L, r);
    return 0;
}
