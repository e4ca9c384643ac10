// Paths and folders. Scripts read and write files by Lua's own io.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/lua_inside.h"
#include "base/platform.h"

SCRIPT_DESTROYS(close_folder, eri_listing_close)

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// Where the ending begins, at its dot; the path's end where there is none.
static const char *ending_of(const char *path)
{
    const char *base = last_part(path), *dot = strrchr(base, '.');
    return dot != NULL && dot != base ? dot : base + strlen(base);
}

static int name(lua_State *L)
{
    lua_pushstring(L, last_part(luaL_checkstring(L, 1)));
    return 1;
}

static int stem(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1), *base = last_part(path);
    lua_pushlstring(L, base, (size_t)(ending_of(path) - base));
    return 1;
}

static int ending(lua_State *L)
{
    lua_pushstring(L, ending_of(luaL_checkstring(L, 1)));
    return 1;
}

static int folder(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1), *base = last_part(path);
    if (base == path)
        lua_pushliteral(L, ".");
    else
        lua_pushlstring(L, path, base == path + 1 ? 1 : (size_t)(base - path) - 1);
    return 1;
}

static int join(lua_State *L)
{
    const char *front = luaL_checkstring(L, 1), *back = luaL_checkstring(L, 2);
    size_t length = strlen(front);
    if (*back == '/' || length == 0)
        lua_pushstring(L, back);
    else
        lua_pushfstring(L, front[length - 1] == '/' ? "%s%s" : "%s/%s", front, back);
    return 1;
}

// files.beside(name): in the folder of the file whose code asks; elsewhere, as at a prompt, the name as it is.
static int beside(lua_State *L)
{
    luaL_checkstring(L, 1);
    lua_Debug asks;
    if (*lua_tostring(L, 1) == '/' || !lua_getstack(L, 1, &asks) || !lua_getinfo(L, "S", &asks) || *asks.source != '@')
        lua_pushliteral(L, "");
    else
        lua_pushlstring(L, asks.source + 1, (size_t)(last_part(asks.source + 1) - asks.source) - 1);
    lua_pushvalue(L, 1);
    lua_concat(L, 2);
    return 1;
}

static int exists(lua_State *L)
{
    lua_pushboolean(L, eri_platform_access(luaL_checkstring(L, 1), ERI_EXISTS));
    return 1;
}

static int make_folder(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    if (eri_platform_make_folder(path) == 0 || (errno == EEXIST && eri_platform_is_folder(path))) return 0;
    return luaL_error(L, "%s: cannot be made a folder: %s", path, strerror(errno));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Pushes a sorted copy of a list of texts.
static void sort_texts(lua_State *L, int list)
{
    size_t count = (size_t)lua_rawlen(L, list);
    const char **text = reader_push_array(L, count, sizeof *text);
    for (size_t i = 0; i < count; ++i) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        text[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    qsort(text, count, sizeof *text, by_text);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; ++i) {
        lua_pushstring(L, text[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

// files.list(folder, pattern): names in order, hidden ones left out.
static int list(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1), *pattern = luaL_optstring(L, 2, "*");
    lua_settop(L, 2);
    script_pause_gc(L);
    handle *h = script_push_handle(L, close_folder);
    h->object = eri_listing_open(path);
    if (h->object == NULL) return luaL_error(L, "%s: cannot be listed: %s", path, strerror(errno));
    lua_newtable(L);
    int at = lua_gettop(L), count = 0;
    for (const char *e; (e = eri_listing_next(h->object)) != NULL;) {
        if (e[0] == '.' || !eri_platform_match(pattern, e)) continue;
        lua_pushstring(L, e);
        lua_rawseti(L, at, ++count);
    }
    script_close_handle(L, h);
    sort_texts(L, at);
    return 1;
}

const luaL_Reg script_file_functions[] = {
    {"name", name},     {"stem", stem},     {"ending", ending}, {"folder", folder},           {"join", join},
    {"beside", beside}, {"exists", exists}, {"list", list},     {"make_folder", make_folder}, {NULL, NULL}};
