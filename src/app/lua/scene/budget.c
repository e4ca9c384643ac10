// Calls of what people wrote, with an end to their patience: functions and coroutines of living scenes.
#include <string.h>

#include "app/lua/scene/scene.h"

enum {
    SLICE = 1000000,  // instructions between two looks
    FILE_MOST = 2000, // of a scene's file, which may compute a world
    MOST = 50         // slices, a fraction of a second: no frame takes as long
};

// How many slices are left of the outermost call, how deep calls are, and how many slices the next one has where that
// is not MOST; in the registry of each state.
static const char left_key = 0;

static int *left_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &left_key);
    int *left = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (left != NULL) return left;
    left = lua_newuserdatauv(L, 3 * sizeof *left, 0);
    memset(left, 0, 3 * sizeof *left);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &left_key);
    return left;
}

static void look(lua_State *L, lua_Debug *at)
{
    (void)at;
    int *left = left_of(L);
    if (*left > 0 && --*left > 0) return;
    *left = 0;
    lua_sethook(L, look, LUA_MASKCOUNT, 1); // a script that catches this is told again, until it ends
    luaL_error(L,
               "ran %d million instructions without waiting, and was ended; in a script call self:wait() in long loops",
               left[2] > 0 ? left[2] : MOST);
}

// Begins a call within the budget of the one it is called from.   @return whether it is the outermost
static bool begin(lua_State *L, lua_State *runs)
{
    int *left = left_of(L);
    bool first = left[1]++ == 0;
    if (first) left[0] = left[2] > 0 ? left[2] : MOST;
    lua_sethook(runs, look, LUA_MASKCOUNT, SLICE);
    return first;
}

static void end(lua_State *L, lua_State *runs, bool first)
{
    left_of(L)[1]--;
    if (first || runs != L) lua_sethook(runs, NULL, 0, 0);
}

void script_budget_file(lua_State *L, bool begins)
{
    left_of(L)[2] = begins ? FILE_MOST : 0;
}

static int add_place(lua_State *L)
{
    const char *text = luaL_tolstring(L, 1, NULL);
    if (lua_type(L, 1) != LUA_TSTRING) luaL_traceback(L, L, text, 1);
    return 1;
}

// call(f, ...): true, or false and what went wrong.
int script_budget_call(lua_State *L)
{
    int arguments = lua_gettop(L) - 1;
    lua_pushcfunction(L, add_place);
    lua_insert(L, 1);
    bool first = begin(L, L);
    int status = lua_pcall(L, arguments, LUA_MULTRET, 1);
    end(L, L, first);
    lua_pushboolean(L, status == LUA_OK);
    lua_replace(L, 1);
    return lua_gettop(L);
}

// thread(f): a coroutine.
int script_budget_thread(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

// resume(thread, ...): true and whether it ended; or false, true and what went wrong.
int script_budget_resume(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co != NULL, 1, "thread");
    int arguments = lua_gettop(L) - 1, results = 0;
    if (!lua_checkstack(co, arguments + LUA_MINSTACK)) return luaL_error(L, "too many arguments");
    lua_xmove(L, co, arguments);
    bool first = begin(L, co);
    int status = lua_resume(co, L, arguments, &results);
    end(L, co, first);
    bool ok = status == LUA_OK || status == LUA_YIELD;
    lua_pushboolean(L, ok);
    lua_pushboolean(L, status != LUA_YIELD);
    if (ok) {
        lua_pop(co, results);
        return 2;
    }
    lua_pushstring(L, luaL_tolstring(co, -1, NULL));
    lua_resetthread(co);
    return 3;
}
