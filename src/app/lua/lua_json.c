// JSON and Lua's tables. A handle owns Jansson's tree from its root on, so that no error leaks it.
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/lua_inside.h"
#include "base/text.h"

enum { DEEPEST = 200 };

SCRIPT_DESTROYS(destroy_tree, json_decref)

// --- encode

static json_t *kept(lua_State *L, json_t *made)
{
    if (made == NULL) luaL_error(L, "a text that is not UTF-8, or not enough memory");
    return made;
}

// Whether a table is a list: keys 1 to its length and no other. An empty one is.
static bool is_list(lua_State *L, int index)
{
    lua_Unsigned length = lua_rawlen(L, index), count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int whole = 0;
        lua_Integer key = lua_isinteger(L, -2) ? lua_tointegerx(L, -2, &whole) : 0;
        if (whole && key >= 1 && (lua_Unsigned)key <= length) {
            ++count;
            continue;
        }
        lua_pop(L, 2);
        return false;
    }
    return count == length;
}

// A value; a list or an object is still empty. Errors come before anything is made.
static json_t *make(lua_State *L, int index)
{
    size_t size;
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return json_null();
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, index));
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) return kept(L, json_integer(lua_tointeger(L, index)));
        if (!isfinite(lua_tonumber(L, index))) luaL_error(L, "JSON has no number %f", lua_tonumber(L, index));
        return kept(L, json_real(lua_tonumber(L, index)));
    case LUA_TSTRING: {
        const char *text = lua_tolstring(L, index, &size);
        return kept(L, json_stringn(text, size));
    }
    case LUA_TTABLE:
        return kept(L, is_list(L, index) ? json_array() : json_object());
    case LUA_TLIGHTUSERDATA:
        if (lua_touserdata(L, index) == NULL) return json_null();
        break;
    default:
        break;
    }
    luaL_error(L, "JSON has no %s", luaL_typename(L, index));
    return NULL;
}

// Fills a list or an object that is already in the tree. Each child is added to the tree before it is filled.
static void fill(lua_State *L, int index, json_t *into, int depth)
{
    if (depth == DEEPEST) luaL_error(L, "tables %d deep, or in a circle", DEEPEST);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    bool list = json_is_array(into);
    lua_Integer length = list ? (lua_Integer)lua_rawlen(L, index) : 0;
    for (lua_Integer i = 1; i <= length; ++i) {
        lua_rawgeti(L, index, i);
        json_t *item = make(L, lua_gettop(L));
        if (json_array_append_new(into, item) != 0) luaL_error(L, "not enough memory");
        if (lua_istable(L, -1)) fill(L, lua_gettop(L), item, depth + 1);
        lua_pop(L, 1);
    }
    if (list) return;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "the key %s is not text, in a table that is not a list", luaL_tolstring(L, -2, NULL));
        size_t size;
        const char *key = lua_tolstring(L, -2, &size);
        json_t *item = make(L, lua_gettop(L));
        if (json_object_setn_new(into, key, size, item) != 0) luaL_error(L, "a key that is not UTF-8");
        if (lua_istable(L, -1)) fill(L, lua_gettop(L), item, depth + 1);
    }
}

static double number_of(lua_State *L, const char *text) // with a point in it, whatever the locale
{
    lua_stringtonumber(L, text);
    double x = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return x;
}

// The number in 15 or 16 digits where it reads back as the same, in fewer characters; its new length.
static size_t shorten_number(lua_State *L, char *number, size_t size)
{
    enum { ROOM = 32, SURE = 15, ALL = 17 }; // a double has 15 decimal digits at least, and 17 tell any two apart
    char text[ROOM], shorter[ROOM];
    if (size <= SURE || size >= ROOM || strcspn(number, ".e") > size) return size;
    snprintf(text, ROOM, "%.*s", (int)size, number);
    double x = number_of(L, text);
    for (int digits = SURE; digits < ALL; ++digits) {
        snprintf(shorter, ROOM, "%.*g", digits, x);
        char *point = strchr(shorter, lua_getlocaledecpoint());
        if (point != NULL) *point = '.';
        if (strpbrk(shorter, ".e") == NULL) strcat(shorter, ".0"); // not to be read as an integer
        if (number_of(L, shorter) != x || strlen(shorter) >= size) continue;
        size = strlen(shorter);
        memcpy(number, shorter, size);
        break;
    }
    return size;
}

// Jansson writes 0.1 as 0.10000000000000001.
static void shorten_numbers(lua_State *L, char *text)
{
    char *to = text;
    for (size_t size; *text != '\0'; text += size) {
        bool number = *text == '-' || (*text >= '0' && *text <= '9');
        size = number ? strspn(text, "+-.0123456789e") : 1;
        if (*text == '"')
            while (text[size++] != '"')
                size += text[size - 1] == '\\';
        memmove(to, text, size);
        to += number ? shorten_number(L, to, size) : size;
    }
    *to = '\0';
}

// json.encode(value, indent)
static int encode(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_Integer indent = luaL_optinteger(L, 2, 0);
    luaL_argcheck(L, indent >= 0 && indent <= 31, 2, "0 to 31 spaces");
    lua_settop(L, 1);
    script_pause_gc(L);
    handle *tree = script_push_handle(L, destroy_tree), *text = script_push_handle(L, free);
    tree->object = make(L, 1);
    if (lua_istable(L, 1)) fill(L, 1, tree->object, 0);
    text->object = json_dumps(tree->object, JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_INDENT((size_t)indent) |
                                                (indent == 0 ? JSON_COMPACT : 0));
    if (text->object == NULL) return luaL_error(L, "not enough memory");
    shorten_numbers(L, text->object);
    lua_pushstring(L, text->object);
    script_close_handle(L, text);
    script_close_handle(L, tree);
    return 1;
}

// --- decode

static void push_tree(lua_State *L, json_t *tree)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    const char *key;
    json_t *value;
    size_t i;
    switch (json_typeof(tree)) {
    case JSON_OBJECT:
        lua_newtable(L);
        json_object_foreach(tree, key, value)
        {
            lua_pushstring(L, key);
            push_tree(L, value);
            lua_rawset(L, -3);
        }
        break;
    case JSON_ARRAY:
        lua_newtable(L);
        json_array_foreach(tree, i, value)
        {
            push_tree(L, value);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        break;
    case JSON_STRING:
        lua_pushlstring(L, json_string_value(tree), json_string_length(tree));
        break;
    case JSON_INTEGER:
        lua_pushinteger(L, json_integer_value(tree));
        break;
    case JSON_REAL:
        lua_pushnumber(L, json_real_value(tree));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        lua_pushboolean(L, json_is_true(tree));
        break;
    default:
        lua_pushlightuserdata(L, NULL);
    }
}

// json.decode(text)
static int decode(lua_State *L)
{
    size_t size;
    json_error_t error;
    const char *text = luaL_checklstring(L, 1, &size);
    size_t mark = eri_utf8_mark(text, size);
    lua_settop(L, 1);
    script_pause_gc(L);
    handle *tree = script_push_handle(L, destroy_tree);
    tree->object = json_loadb(text + mark, size - mark, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
    if (tree->object == NULL) return luaL_error(L, "line %d: %s", error.line, error.text);
    push_tree(L, tree->object);
    script_close_handle(L, tree);
    return 1;
}

const luaL_Reg script_json_functions[] = {{"encode", encode}, {"decode", decode}, {NULL, NULL}};
