// The promises of a file in Lua as tests of cmocka's: `test_promises script_NAME` runs those of NAME.lua.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "app/lua/script.h"
#include "support/sample.h"

enum { MOST = 200, PATH_SIZE = 1000 };

static char path[PATH_SIZE], promised[MOST][100];

static const char *source(void)
{
    const char *folder = getenv("EIGENRIG_SOURCE");
    return folder != NULL ? folder : ".";
}

static char heard[8000]; // warnings, whole, a line each

static void hear(void *user, const char *message, int more)
{
    size_t length = strlen(heard);
    (void)user;
    snprintf(heard + length, sizeof heard - length, "%s%s", message, more ? "" : "\n");
}

// told(): what was warned of since it was asked last.
static int told(lua_State *L)
{
    lua_pushstring(L, heard);
    heard[0] = '\0';
    return 1;
}

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setglobal(L, name);
}

static int trace(lua_State *L)
{
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

static int load(lua_State *L)
{
    char models[PATH_SIZE];
    luaL_openlibs(L);
    lua_setwarnf(L, hear, NULL);
    luaL_requiref(L, "eigenrig", script_open, 1);
    lua_register(L, "told", told);
    snprintf(models, sizeof models, "%s/models/", source());
    set_text(L, "models", models);
    set_text(L, "folder", sample_folder());
    setenv("XDG_CONFIG_HOME", sample_folder(), 1); // where the user's presets are
    lua_pushfstring(L, "%s/tests/app/lua/support.lua", source());
    if (luaL_dofile(L, lua_tostring(L, -1)) || luaL_dofile(L, path)) return lua_error(L);
    return 0;
}

// A state with the file's promises in `promise`, a list of their names with them by name.
static lua_State *open(void)
{
    lua_State *L = luaL_newstate();
    if (L == NULL) return NULL;
    lua_pushcfunction(L, load);
    if (lua_pcall(L, 0, 0, 0) == LUA_OK) return L;
    print_message("%s\n", lua_tostring(L, -1));
    lua_close(L);
    return NULL;
}

static void keep(void **state)
{
    lua_State *L = open();
    assert_non_null(L);
    heard[0] = '\0';
    lua_pushcfunction(L, trace);
    lua_getglobal(L, "promise");
    lua_getfield(L, -1, *state);
    if (lua_pcall(L, 0, 0, 1) != LUA_OK) {
        static char said[4000];
        snprintf(said, sizeof said, "%s", lua_tostring(L, -1));
        lua_close(L);
        fail_msg("%s", said);
    }
    lua_close(L);
    if (strstr(heard, "error in __gc") != NULL) fail_msg("%s", heard); // of what ends with the state
}

static int tear_down(void **state)
{
    sample_remove_folder();
    return 0;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[MOST];
    static const char before[] = "script_";
    if (argc != 2 || strncmp(argv[1], before, strlen(before)) != 0) return 1;
    const char *name = argv[1] + strlen(before);
    snprintf(path, sizeof path, "%s/tests/app/lua/%s.lua", source(), name);
    lua_State *L = open();
    if (L == NULL) return 1;
    lua_getglobal(L, "promise");
    size_t count = 0;
    for (; count < MOST && lua_rawgeti(L, -1, (lua_Integer)count + 1) == LUA_TSTRING; ++count, lua_pop(L, 1)) {
        snprintf(promised[count], sizeof promised[count], "%s", lua_tostring(L, -1));
        tests[count] =
            (struct CMUnitTest){.name = promised[count], .test_func = keep, .initial_state = promised[count]};
    }
    lua_close(L);
    return count == 0 ? 1 : _cmocka_run_group_tests(name, tests, count, NULL, tear_down);
}
