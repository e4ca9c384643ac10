// A Lua state, and tables read in it.
#include "tables.h"

#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

lua_State *L;

int set_up_lua(void **state)
{
    L = luaL_newstate();
    luaL_openlibs(L);
    return set_up(state);
}

int tear_down_lua(void **state)
{
    lua_close(L);
    return tear_down(state);
}

static reading *read_by;

static int protected_reading(lua_State *state)
{
    reader r = {.L = state, .context = context};
    int top = lua_gettop(state);
    read_by(&r, 1);
    assert_int_equal(r.depth, 0); // what was entered was left
    assert_true(lua_gettop(state) >= top);
    return 0;
}

const char *said_of(const char *table, reading *by)
{
    static char said[1024];
    char chunk[700];
    snprintf(chunk, sizeof chunk, "return %s", table);
    lua_settop(L, 0);
    read_by = by;
    lua_pushcfunction(L, protected_reading);
    assert_int_equal(luaL_loadstring(L, chunk), LUA_OK);
    lua_call(L, 0, 1);
    snprintf(said, sizeof said, "%s", lua_pcall(L, 1, 0, 0) == LUA_OK ? "" : lua_tostring(L, -1));
    return said;
}

void expect_said(const char *table, reading *by, const char *where)
{
    const char *said = said_of(table, by);
    bool fits = *where == '\0' ? *said == '\0' : *said != '\0' && strncmp(said, where, strlen(where)) == 0;
    if (!fits) fail_msg("%s: \"%s\" is not of \"%s\"", table, said, where);
}
