// Paths and folders as scripts have them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "app/lua/script.h"
#include "support/sample.h"

static lua_State *L;

static int set_up(void **state)
{
    L = luaL_newstate();
    if (L == NULL) return -1;
    luaL_openlibs(L);
    luaL_requiref(L, "eigenrig", script_open, 1);
    return lua_getfield(L, -1, "files") == LUA_TTABLE ? 0 : -1;
}

static int tear_down(void **state)
{
    lua_close(L);
    sample_remove_folder();
    return 0;
}

// Calls a function of `files` with one text or two: its result, or its error, is on the top of the stack.
static int call(const char *function, const char *first, const char *second)
{
    lua_settop(L, 2);
    lua_getfield(L, 2, function);
    lua_pushstring(L, first);
    if (second != NULL) lua_pushstring(L, second);
    return lua_pcall(L, second != NULL ? 2 : 1, 1, 0);
}

static void expect(const char *function, const char *first, const char *second, const char *wanted)
{
    assert_int_equal(call(function, first, second), LUA_OK);
    const char *got = lua_tostring(L, -1);
    if (got == NULL || strcmp(got, wanted) != 0) fail_msg("%s of %s: %s, not %s", function, first, got, wanted);
}

static void a_path_has_a_folder_a_stem_and_an_ending(void **state)
{
    static const struct {
        const char *path, *folder, *stem, *ending;
    } cases[] = {
        {"out/horse.glb", "out", "horse", ".glb"},
        {"horse", ".", "horse", ""},
        {"/horse.tar.gz", "/", "horse.tar", ".gz"},
        {"far/out/.hidden", "far/out", ".hidden", ""},
        {"far.out/.hidden.lua", "far.out", ".hidden", ".lua"},
        {"far.out/horse", "far.out", "horse", ""},
        {"horse.", ".", "horse", "."},
        {"out/", "out", "", ""},
        {"", ".", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", cases[i].stem, cases[i].ending);
        expect("name", cases[i].path, NULL, name);
        expect("folder", cases[i].path, NULL, cases[i].folder);
        expect("stem", cases[i].path, NULL, cases[i].stem);
        expect("ending", cases[i].path, NULL, cases[i].ending);
    }
}

static void paths_are_joined_by_one_slash(void **state)
{
    expect("join", "out", "horse.glb", "out/horse.glb");
    expect("join", "out/", "horse.glb", "out/horse.glb");
    expect("join", "/", "horse.glb", "/horse.glb");
    expect("join", "out", "/horse.glb", "/horse.glb");
    expect("join", "", "horse.glb", "horse.glb");
}

static void expect_listed(const char *folder, const char *pattern, int count, const char *const *wanted)
{
    assert_int_equal(call("list", folder, pattern), LUA_OK);
    assert_int_equal(lua_rawlen(L, -1), count);
    for (int i = 0; i < count; ++i) {
        lua_rawgeti(L, -1, i + 1);
        assert_string_equal(lua_tostring(L, -1), wanted[i]);
        lua_pop(L, 1);
    }
}

static bool exists(const char *path)
{
    assert_int_equal(call("exists", path, NULL), LUA_OK);
    return lua_toboolean(L, -1);
}

static void a_folder_is_listed_in_order(void **state)
{
    static const char *const all[] = {"a.lua", "b.glb", "c.lua", "d"}, *const scripts[] = {"a.lua", "c.lua"};
    char folder[512], path[600];
    snprintf(folder, sizeof folder, "%s/listed", sample_folder());
    assert_false(exists(folder));
    for (int twice = 0; twice < 2; ++twice)
        assert_int_equal(call("make_folder", folder, NULL), LUA_OK);
    assert_true(exists(folder));
    expect_listed(folder, NULL, 0, NULL);
    for (int i = 3; i >= 0; --i) {
        snprintf(path, sizeof path, "listed/%s", all[i]);
        sample_write(path, "", 0);
    }
    sample_write("listed/.hidden", "", 0);
    expect_listed(folder, NULL, 4, all);
    expect_listed(folder, "*.lua", 2, scripts);
    snprintf(path, sizeof path, "%s/d", folder);
    assert_int_equal(call("make_folder", path, NULL), LUA_ERRRUN);
    assert_non_null(strstr(lua_tostring(L, -1), "/d: "));
    assert_int_equal(call("list", path, NULL), LUA_ERRRUN);
    assert_non_null(strstr(lua_tostring(L, -1), "/d: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_has_a_folder_a_stem_and_an_ending),
        cmocka_unit_test(paths_are_joined_by_one_slash),
        cmocka_unit_test(a_folder_is_listed_in_order),
    };
    return cmocka_run_group_tests_name("script_files", tests, set_up, tear_down);
}
