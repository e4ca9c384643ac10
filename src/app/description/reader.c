// Tables of options, field by field. Bounds are allowed values; a NaN never is.
#include "app/description/reader.h"

#include <ctype.h>
#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

void reader_enter(reader *r, const char *key)
{
    if (r->depth == READER_DEPTH) luaL_error(r->L, "tables are nested more than 8 deep");
    r->path[r->depth++] = key;
}

void reader_leave(reader *r)
{
    --r->depth;
}

// --- the line of a key in the source

enum { LONGEST_KEY = 256 }; // that is searched for

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The end of a comment that begins here, or `text` itself.
static const char *skip_comment(const char *text)
{
    if (text[0] != '-' || text[1] != '-') return text;
    if (text[2] == '[' && text[3] == '[') {
        const char *end = strstr(text, "]]");
        return end != NULL ? end + 2 : text + strlen(text);
    }
    return text + strcspn(text, "\n");
}

// Where a key, bare or in quotes, is given a value, from `from` on; NULL if nowhere. One pass over the source: it looks
// at the text before each equals sign.
static const char *find_key(const char *start, const char *from, const char *key)
{
    size_t length = strlen(key);
    const char *end = from; // of the last character that is no blank and no quote
    if (length > LONGEST_KEY) return NULL;
    for (const char *text = from; *text != '\0'; ++text) {
        const char *behind = skip_comment(text);
        if (behind != text) {
            if (*(text = behind) == '\0') return NULL;
            continue;
        }
        const char *at = (size_t)(end - from) >= length ? end - length : NULL;
        bool gives = *text == '=' && text[1] != '=' && at != NULL && memcmp(at, key, length) == 0;
        if (gives && (at == start || !is_word(at[-1]))) return at;
        if (strchr("\"']\t ", *text) == NULL) end = text + 1;
    }
    return NULL;
}

// The line of the innermost key of the path that the source holds; 0 for none.
static int line_of(const reader *r)
{
    const char *at = r->source, *found = NULL;
    int line = 1;
    for (int i = 0; at != NULL && i < r->depth; ++i)
        if ((at = find_key(r->source, at, r->path[i])) != NULL) found = at;
    if (found == NULL) return 0;
    for (const char *c = r->source; c < found; ++c)
        line += *c == '\n';
    return line;
}

// --- errors

static void push_path(const reader *r)
{
    luaL_Buffer b;
    luaL_buffinit(r->L, &b);
    for (int i = 0; i < r->depth; ++i) {
        if (i > 0 && *r->path[i] != '[') luaL_addchar(&b, '.');
        luaL_addstring(&b, r->path[i]);
    }
    luaL_pushresult(&b);
}

int reader_wrong(reader *r, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    push_path(r);
    const char *path = lua_tostring(r->L, -1), *colon = *path != '\0' ? ": " : "";
    if (r->file == NULL) return luaL_error(r->L, "%s%s%s", path, colon, text);
    int line = line_of(r);
    if (line > 0)
        lua_pushfstring(r->L, "%s:%d: %s%s%s", r->file, line, path, colon, text);
    else
        lua_pushfstring(r->L, "%s: %s%s%s", r->file, path, colon, text);
    return lua_error(r->L);
}

static int wrong_value(reader *r, const char *expected)
{
    const char *value = luaL_tolstring(r->L, -1, NULL);
    char quoted[128];
    if (lua_type(r->L, -2) == LUA_TNUMBER && isnan(lua_tonumber(r->L, -2))) value = "nan"; // without its sign
    snprintf(quoted, sizeof quoted, lua_type(r->L, -2) == LUA_TSTRING ? "\"%s\"" : "%s", value);
    return reader_wrong(r, "%s, not %s", expected, quoted);
}

// --- fields

static bool is_known(const char *key, const char *const *keys)
{
    while (*keys != NULL && strcmp(key, *keys) != 0)
        ++keys;
    return *keys != NULL;
}

static void push_words(lua_State *L, const char *const *words)
{
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int i = 0; words[i] != NULL; ++i) {
        if (i > 0) luaL_addstring(&b, words[i + 1] != NULL ? ", " : " and ");
        luaL_addstring(&b, words[i]);
    }
    luaL_pushresult(&b);
}

// Suggests the nearest known key, or lists all.
static void fail_key(reader *r, const char *key, const char *const *keys)
{
    suggestion meant = {.word = key};
    for (int i = 0; keys[i] != NULL; ++i)
        suggestion_try(&meant, keys[i]);
    if (meant.best != NULL) reader_wrong(r, "not known here; did you mean %s", meant.best);
    push_words(r->L, keys);
    reader_wrong(r, "not known here; known are %s", lua_tostring(r->L, -1));
}

static void check_keys(reader *r, int table, const char *const *keys, bool words_alone)
{
    lua_State *L = r->L;
    luaL_checkstack(L, 8, NULL);
    table = lua_absindex(L, table);
    if (!lua_istable(L, table)) {
        lua_pushvalue(L, table);
        wrong_value(r, "expected a table");
    }
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        bool text = lua_type(L, -2) == LUA_TSTRING;
        if (!text && words_alone) continue;
        const char *key = text ? lua_tostring(L, -2) : luaL_tolstring(L, -2, NULL);
        if (text && is_known(key, keys)) continue;
        reader_enter(r, key);
        fail_key(r, key, keys);
    }
}

void reader_check_keys(reader *r, int table, const char *const *keys)
{
    check_keys(r, table, keys, false);
}

void reader_check_words(reader *r, int table, const char *const *keys)
{
    check_keys(r, table, keys, true);
}

bool reader_field(reader *r, int table, const char *key)
{
    luaL_checkstack(r->L, 8, NULL);
    table = lua_absindex(r->L, table);
    lua_pushstring(r->L, key);
    if (lua_rawget(r->L, table) == LUA_TNIL) { // raw, so that no code of the script runs
        lua_pop(r->L, 1);
        return false;
    }
    reader_enter(r, key);
    return true;
}

void reader_done(reader *r)
{
    reader_leave(r);
    lua_pop(r->L, 1);
}

double reader_top_number(reader *r, double least, double most)
{
    double x = lua_type(r->L, -1) == LUA_TNUMBER ? lua_tonumber(r->L, -1) : NAN;
    if (x >= least && x <= most) return x;
    char expected[96];
    if (most < HUGE_VAL)
        snprintf(expected, sizeof expected, "expected a number from %g to %g", least, most);
    else if (least > -HUGE_VAL)
        snprintf(expected, sizeof expected, "expected a number of %g or more", least);
    else
        snprintf(expected, sizeof expected, "expected a number");
    return wrong_value(r, expected);
}

double reader_number(reader *r, int table, const char *key, double least, double most, double otherwise)
{
    if (!reader_field(r, table, key)) return otherwise;
    double x = reader_top_number(r, least, most);
    reader_done(r);
    return x;
}

int reader_whole(reader *r, int table, const char *key, int least, int most, int otherwise)
{
    if (!reader_field(r, table, key)) return otherwise;
    int whole = 0;
    lua_Integer x = lua_type(r->L, -1) == LUA_TNUMBER ? lua_tointegerx(r->L, -1, &whole) : 0;
    if (!whole || x < least || x > most) {
        char expected[96];
        if (most < INT_MAX)
            snprintf(expected, sizeof expected, "expected a whole number from %d to %d", least, most);
        else
            snprintf(expected, sizeof expected, "expected a whole number of %d or more", least);
        return wrong_value(r, expected);
    }
    reader_done(r);
    return (int)x;
}

bool reader_flag(reader *r, int table, const char *key, bool otherwise)
{
    if (!reader_field(r, table, key)) return otherwise;
    if (!lua_isboolean(r->L, -1)) return wrong_value(r, "expected true or false");
    bool flag = lua_toboolean(r->L, -1);
    reader_done(r);
    return flag;
}

const char *reader_top_text(reader *r)
{
    size_t length = 0;
    if (lua_type(r->L, -1) != LUA_TSTRING) wrong_value(r, "expected a text");
    const char *text = lua_tolstring(r->L, -1, &length);
    if (strlen(text) != length) reader_wrong(r, "a text with a zero byte in it");
    return text;
}

const char *reader_text(reader *r, int table, const char *key, const char *otherwise)
{
    if (!reader_field(r, table, key)) return otherwise;
    const char *text = reader_top_text(r);
    reader_done(r);
    return text;
}

const char *reader_top_names(reader *r)
{
    lua_State *L = r->L;
    luaL_Buffer all;
    if (!lua_istable(L, -1)) return reader_top_text(r);
    int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
    luaL_buffinit(L, &all);
    for (int i = 1; i <= count; ++i) {
        if (i > 1) luaL_addchar(&all, ',');
        if (lua_rawgeti(L, list, i) != LUA_TSTRING) wrong_value(r, "expected a list of names");
        reader_top_text(r);
        luaL_addvalue(&all);
    }
    luaL_pushresult(&all);
    lua_replace(L, list);
    return lua_tostring(L, list);
}

int reader_choice(reader *r, int table, const char *key, const char *const *words, int count, int otherwise)
{
    if (!reader_field(r, table, key)) return otherwise;
    const char *word = reader_top_text(r);
    int choice = 0;
    while (choice < count && strcmp(word, words[choice]) != 0)
        ++choice;
    if (choice == count) {
        char expected[256] = "expected ";
        for (int i = 0; i < count; ++i)
            snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s%s",
                     i == 0           ? ""
                     : i + 1 == count ? " or "
                                      : ", ",
                     words[i]);
        return wrong_value(r, expected);
    }
    reader_done(r);
    return choice;
}

static void read_number(reader *r, const setting *s, void *fields)
{
    double x = reader_top_number(r, s->least, s->most);
    if (!setting_put(s, x, fields)) reader_wrong(r, "expected a number above %g, not %g", s->least, x);
}

static int count_words(const char *const *words)
{
    int count = 0;
    while (words[count] != NULL)
        ++count;
    return count;
}

bool reader_setting(reader *r, int table, const char *key, const setting *s, void *fields)
{
    void *field = setting_field(s, fields);
    if (!reader_field(r, table, key)) return false;
    if (s->kind == SETTING_NUMBER) read_number(r, s, fields);
    if (s->kind == SETTING_TEXT) *(const char **)field = reader_top_text(r);
    reader_done(r);
    if (s->kind == SETTING_FLAG) *(bool *)field = reader_flag(r, table, key, false);
    if (s->kind == SETTING_WHOLE) *(int *)field = reader_whole(r, table, key, (int)s->least, (int)s->most, 0);
    if (s->kind == SETTING_CHOICE)
        setting_choose(s, reader_choice(r, table, key, s->choices, count_words(s->choices), 0), fields);
    return true;
}

// --- values

// The numbers of a table, exactly `count`.
static bool to_numbers(lua_State *L, int index, int count, double *out)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index) || lua_rawlen(L, index) != (lua_Unsigned)count) return false;
    for (int i = 0; i < count; ++i) {
        bool number = lua_rawgeti(L, index, i + 1) == LUA_TNUMBER;
        out[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
        if (!number) return false;
    }
    return true;
}

bool reader_to_vec3(lua_State *L, int index, er_vec3 *out)
{
    double n[3];
    const er_vec3 *v = luaL_testudata(L, index, READER_VEC3);
    if (v == NULL && !to_numbers(L, index, 3, n)) return false;
    *out = v != NULL ? *v : er_v3(n[0], n[1], n[2]);
    return true;
}

bool reader_to_quat(lua_State *L, int index, er_quat *out)
{
    double n[4];
    const er_quat *q = luaL_testudata(L, index, READER_QUAT);
    if (q == NULL && !to_numbers(L, index, 4, n)) return false;
    er_quat given = q != NULL ? *q : er_q(n[0], n[1], n[2], n[3]);
    double size = given.w * given.w + given.x * given.x + given.y * given.y + given.z * given.z;
    *out = er_q_unit(given);
    return size > 0.0 && isfinite(size);
}

void *reader_push_array(lua_State *L, size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX >> 1) / size) luaL_error(L, "not enough memory");
    void *array = lua_newuserdatauv(L, count * size + 1, 0);
    memset(array, 0, count * size + 1);
    return array;
}

er_vec3 reader_top_way(reader *r)
{
    static const char *const names[] = {"x", "y", "z", "-x", "-y", "-z"};
    er_vec3 way = er_v3(0, 0, 0);
    const char *word = lua_type(r->L, -1) == LUA_TSTRING ? lua_tostring(r->L, -1) : "";
    for (int i = 0; i < 6; ++i)
        if (strcmp(word, names[i]) == 0)
            way = er_v3_scale(i < 3 ? 1.0 : -1.0, er_v3(i % 3 == 0, i % 3 == 1, i % 3 == 2));
    if (er_v3_norm(way) == 0.0 && (!reader_to_vec3(r->L, -1, &way) || !(er_v3_norm(way) > 0.0)))
        reader_wrong(r, "expected x, -z and so on, or a vector that is not 0");
    return way;
}
