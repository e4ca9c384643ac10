// Descriptions of rigs, in a sandbox. A description may come with a model from anyone, so it is not trusted: it gets no
// files and no other code, only functions whose work is bounded by their arguments, and hooks count and time it.
#include <errno.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/description/description.h"
#include "app/description/description_settings.h"
#include "base/platform.h"
#include "base/text.h"
#include <lauxlib.h>

enum { MOST_STEPS = 10000000, STEPS_A_LOOK = 100, MOST_SECONDS = 5 };

static const size_t most_memory = (size_t)16 << 20, most_source = (size_t)1 << 20;

/// The resources that a description has used.
typedef struct description_budget {
    size_t memory;
    long steps;
    double start; // s
} description_budget;

// --- limits

static void *allocate(void *user, void *old, size_t old_size, size_t size)
{
    description_budget *b = user;
    size_t had = old != NULL ? old_size : 0;
    if (size == 0) {
        free(old);
        b->memory -= had;
        return NULL;
    }
    if (size > had && size - had > most_memory - b->memory) return NULL;
    void *memory = realloc(old, size);
    if (memory != NULL) b->memory += size - had;
    return memory;
}

static void look(lua_State *L, lua_Debug *at)
{
    void *user;
    (void)at;
    lua_getallocf(L, &user);
    description_budget *b = user;
    b->steps += STEPS_A_LOOK;
    if (b->steps <= MOST_STEPS && eri_seconds() - b->start <= MOST_SECONDS) return;
    luaL_where(L, 0);
    lua_pushliteral(L, "it takes more than 10 million steps or 5 s; a description should only return a table");
    lua_concat(L, 2);
    lua_error(L);
}

// --- functions that it may call

// Copies fields of the table at one index to that at another.
static void copy_fields(lua_State *L, int from, int into, const char *const *names)
{
    for (; *names != NULL; ++names) {
        lua_getfield(L, from, *names);
        lua_setfield(L, into, *names);
    }
}

// Adds a library with only these functions to the table on top of the stack.
static void allow(lua_State *L, const char *library, const char *const *names)
{
    lua_getglobal(L, library);
    lua_newtable(L);
    copy_fields(L, lua_gettop(L) - 1, lua_gettop(L), names);
    lua_setfield(L, -3, library);
    lua_pop(L, 1);
}

// Pushes the globals of a description. Left out are functions that read, run code, or can work for hours in one call
// (patterns, repetition, sorting, moving, metatables), and pcall(), which would swallow the errors of limits.
static void push_environment(lua_State *L)
{
    static const char *const base[] = {"assert", "error",    "ipairs",   "next", "pairs",
                                       "select", "tonumber", "tostring", "type", NULL};
    static const char *const maths[] = {"abs", "acos",       "asin", "atan", "ceil", "cos", "deg",
                                        "exp", "floor",      "fmod", "huge", "log",  "max", "maxinteger",
                                        "min", "mininteger", "modf", "pi",   "rad",  "sin", "sqrt",
                                        "tan", "tointeger",  "type", "ult",  NULL};
    static const char *const texts[] = {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper", NULL};
    static const char *const tables[] = {"concat", "pack", "unpack", NULL};
    lua_newtable(L);
    lua_pushglobaltable(L);
    copy_fields(L, lua_gettop(L), lua_gettop(L) - 1, base);
    lua_pop(L, 1);
    allow(L, LUA_MATHLIBNAME, maths);
    allow(L, LUA_TABLIBNAME, tables);
    allow(L, LUA_STRLIBNAME, texts);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_getfield(L, -3, LUA_STRLIBNAME);
    lua_setfield(L, -2, "__index"); // for ("text"):upper()
    lua_pop(L, 2);
}

static void open_libraries(lua_State *L)
{
    luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    lua_settop(L, 0);
}

// --- reading

/// A file's text and the settings read from it.
typedef struct description_file {
    er_context *context;
    const char *path, *text;
    rig_settings *settings;
} description_file;

// A pose file's path, relative to the description's folder; kept on the stack.
static void place_pose_file(lua_State *L, const char *path, rig_settings *s)
{
    const char *slash = strrchr(path, '/');
    if (s->pose_file == NULL) return;
    s->pose_in = path;
    s->pose_named = s->pose_file;
    if (*s->pose_file == '/' || slash == NULL) return;
    lua_pushlstring(L, path, (size_t)(slash - path) + 1);
    lua_pushstring(L, s->pose_file);
    lua_concat(L, 2);
    s->pose_file = lua_tostring(L, -1);
}

static const char kept_key = 0;

static int read_description(lua_State *L)
{
    const description_file *d = lua_touserdata(L, 1);
    reader r = {L, d->context, d->path, d->text, 0, {NULL}};
    open_libraries(L);
    const char *chunk = lua_pushfstring(L, "@%s", d->path);
    if (*d->text == LUA_SIGNATURE[0]) return luaL_error(L, "%s: it is compiled Lua; give the source", d->path);
    if (luaL_loadbufferx(L, d->text, strlen(d->text), chunk, "t") != LUA_OK) return lua_error(L);
    push_environment(L);
    lua_setupvalue(L, -2, 1);
    lua_sethook(L, look, LUA_MASKCOUNT, STEPS_A_LOOK);
    lua_call(L, 0, 1);
    lua_sethook(L, NULL, 0, 0);
    if (lua_isnil(L, -1))
        return luaL_error(L, "%s: it returns nothing, not a table that describes a rig: return {...}", d->path);
    if (!lua_istable(L, -1))
        return luaL_error(L, "%s: it returns a %s, not a table that describes a rig", d->path, luaL_typename(L, -1));
    description_read_settings(&r, -1, d->settings);
    place_pose_file(L, d->path, d->settings);
    lua_createtable(L, lua_gettop(L), 0); // all of it outlives this call
    for (int i = lua_gettop(L) - 1; i > 0; --i) {
        lua_pushvalue(L, i);
        lua_rawseti(L, -2, i);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_key);
    return 0;
}

// A user may name any file, also a pipe. A description found beside a model may come from the model's sender.
static er_result open_text(er_context *context, const char *path, unsigned how, FILE **out)
{
    const char *slash = strrchr(path, '/');
    unsigned outside = (how & DESCRIPTION_OUTSIDE) != 0 ? ER_REFERENCE_OUTSIDE : 0u;
    int file = -1;
    if ((how & DESCRIPTION_BESIDE) != 0) {
        er_result r = er_file_open_reference(context, path, slash != NULL ? slash + 1 : path,
                                             ER_REFERENCE_PLAIN | outside, &file);
        if (r != ER_OK) return er_fail(context, r, "%s: %s", path, er_context_error(context));
    }
    *out = file >= 0 ? eri_platform_stream(file, "rb") : fopen(path, "rb");
    if (*out != NULL) return ER_OK;
    if (file >= 0) eri_platform_close(file);
    return er_fail(context, ER_ERROR_FILE, "%s: cannot be opened: %s; check the path", path, strerror(errno));
}

static er_result read_text(er_context *context, const char *path, unsigned how, char **out)
{
    FILE *file;
    *out = NULL;
    er_result opened = open_text(context, path, how, &file);
    if (opened != ER_OK) return opened;
    char *text = malloc(most_source + 1);
    size_t size = text != NULL ? fread(text, 1, most_source + 1, file) : 0;
    int failed = text != NULL && ferror(file) != 0 ? errno : 0;
    fclose(file);
    er_result r = ER_OK;
    if (text == NULL)
        r = er_fail(context, ER_ERROR_MEMORY, "out of memory");
    else if (failed != 0)
        r = er_fail(context, ER_ERROR_FILE, "%s: cannot be read: %s", path, strerror(failed));
    else if (size > most_source)
        r = er_fail(context, ER_ERROR_FILE, "%s: it is larger than 1 MiB, the most for a description", path);
    else if (memchr(text, '\0', size) != NULL)
        r = er_fail(context, ER_ERROR_FORMAT, "%s: it is not text: it has a zero byte", path);
    if (r != ER_OK) {
        free(text);
        return r;
    }
    size_t mark = eri_utf8_mark(text, size);
    memmove(text, text + mark, size - mark);
    text[size - mark] = '\0';
    *out = text;
    return ER_OK;
}

er_result description_open(er_context *context, const char *path, unsigned how, open_description *out)
{
    char *text;
    *out = (open_description){.settings = rig_settings_default()};
    er_result r = read_text(context, path, how, &text);
    if (r != ER_OK) return r;
    description_budget *b = calloc(1, sizeof *b);
    if (b != NULL) b->start = eri_seconds();
    out->state = b != NULL ? lua_newstate(allocate, b) : NULL;
    if (out->state == NULL) {
        free(b);
        free(text);
        return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    }
    description_file d = {context, path, text, &out->settings};
    lua_pushcfunction(out->state, read_description);
    lua_pushlightuserdata(out->state, &d);
    int status = lua_pcall(out->state, 1, 0, 0);
    free(text);
    if (status == LUA_OK) return ER_OK;
    const char *message = lua_tostring(out->state, -1);
    if (status == LUA_ERRMEM) message = "it needs more than 16 MiB, the most for a description";
    if (message == NULL) message = "it raised an error without a message";
    // Lua puts the file before most messages, and shortens long paths to their end
    bool named = strncmp(message, path, strlen(path)) == 0 || strncmp(message, "...", 3) == 0;
    r = er_fail(context, ER_ERROR_FORMAT, "%s%s%s", named ? "" : path, named ? "" : ": ", message);
    description_close(out);
    return r;
}

void description_close(open_description *s)
{
    void *user;
    if (s->state != NULL) {
        lua_getallocf(s->state, &user);
        lua_close(s->state);
        free(user);
    }
    *s = (open_description){.settings = rig_settings_default()};
}

bool description_find(const char *model, char *out, size_t size)
{
    const char *slash = strrchr(model, '/'), *base = slash != NULL ? slash + 1 : model, *dot = strrchr(base, '.');
    size_t stem = dot != NULL && dot != base ? (size_t)(dot - model) : strlen(model);
    int length = snprintf(out, size, "%.*s.rig.lua", (int)stem, model);
    return length > 0 && (size_t)length < size && eri_platform_access(out, ERI_EXISTS);
}
