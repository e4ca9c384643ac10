// Scripts and the prompt.
#include <errno.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/lua_inside.h"
#include "app/lua/script.h"
#include "base/platform.h"

// --- errors

// A hint for Lua's own messages about common mistakes with a module of objects.
static const char *hint_of(const char *text)
{
    if (strstr(text, "index a function value") != NULL ||
        strstr(text, "#1 to 'for iterator' (table expected, got function") != NULL)
        return "; methods are called, with a colon and parentheses: model:modes()";
    if (strstr(text, "call a table value (for iterator") != NULL)
        return "; lists go through ipairs(): for _, joint in ipairs(model:joints())";
    if (strstr(text, "(eigenrig.") != NULL && strstr(text, "expected, got no value)") != NULL)
        return "; methods are called with a colon: model:modes()";
    return "";
}

// An error as text, with a traceback if upvalue 1 is true.
static int describe(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TSTRING && !luaL_callmeta(L, 1, "__tostring"))
        lua_pushfstring(L, "an error that is a %s", luaL_typename(L, 1));
    const char *text = lua_tostring(L, -1);
    if (text == NULL) text = "an error without words";
    text = lua_pushfstring(L, "%s%s", text, hint_of(text));
    if (lua_toboolean(L, lua_upvalueindex(1)))
        luaL_traceback(L, L, text, 1);
    else
        lua_pushstring(L, text);
    return 1;
}

// Lines on standard error, each of them plain: names in files may be among the words.
static void say_plain(const char *text, const char *end)
{
    char piece[512], plain[sizeof piece];
    for (size_t length; *text != '\0'; text += length) {
        length = strcspn(text, "\n");
        if (length == 0) {
            length = 1;
            fputc('\n', stderr);
            continue;
        }
        if (length >= sizeof piece) // a long line goes in pieces, cut between characters
            for (length = sizeof piece - 1; length > sizeof piece - 4 && (text[length] & 0xC0) == 0x80;)
                --length;
        memcpy(piece, text, length);
        piece[length] = '\0';
        er_text_plain(piece, plain, sizeof plain);
        fputs(plain, stderr);
    }
    fputs(end, stderr);
}

// Calls the function below its arguments. On failure only its error is left.
static int call(lua_State *L, int arguments, int results, bool verbose)
{
    int base = lua_gettop(L) - arguments;
    lua_pushboolean(L, verbose);
    lua_pushcclosure(L, describe, 1);
    lua_insert(L, base);
    int status = lua_pcall(L, arguments, results, base);
    lua_remove(L, base);
    return status;
}

// --- the script

// `arg`, as Lua's own interpreter has it.
static void make_arg(lua_State *L, const script_def *def)
{
    lua_createtable(L, def->word_count, 0);
    for (int i = 0; i < def->word_count; ++i) {
        lua_pushstring(L, def->words[i]);
        lua_rawseti(L, -2, i - def->script);
    }
    lua_setglobal(L, "arg");
}

static int run_file(lua_State *L, const script_def *def)
{
    int arguments = 0;
    int status = luaL_loadfile(L, strcmp(def->path, "-") == 0 ? NULL : def->path);
    if (status != LUA_OK) return status;
    for (int i = def->script + 1; i < def->word_count; ++i, ++arguments) {
        luaL_checkstack(L, 8, "too many arguments");
        lua_pushstring(L, def->words[i]);
    }
    return call(L, arguments, 0, def->verbose);
}

// --- the prompt

static bool read_line(const char *prompt, char **line, size_t *size)
{
    if (eri_platform_is_terminal(ERI_INPUT)) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    return eri_platform_read_line(line, size, '\n', stdin) >= 0;
}

// Whether a chunk breaks off where more could follow.
static bool is_unfinished(lua_State *L, int status)
{
    static const char mark[] = "<eof>";
    if (status != LUA_ERRSYNTAX) return false;
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    return length >= sizeof mark - 1 && strcmp(text + length - (sizeof mark - 1), mark) == 0;
}

int script_load_text(lua_State *L, const char *text, const char *chunk)
{
    const char *expression = lua_pushfstring(L, "return %s", text);
    int status = luaL_loadbuffer(L, expression, strlen(expression), chunk);
    if (status != LUA_OK) {
        lua_pop(L, 1);
        status = luaL_loadbuffer(L, text, strlen(text), chunk);
    }
    lua_remove(L, -2);
    return status;
}

// The next chunk, of one line or more: its function, or its error, on the stack. False at the end of input.
static bool read_chunk(lua_State *L, int *status)
{
    char *line = NULL;
    size_t size = 0;
    bool more = read_line("> ", &line, &size);
    lua_settop(L, 0);
    lua_pushstring(L, more ? line : "");
    *status = script_load_text(L, lua_tostring(L, 1), "=stdin");
    while (is_unfinished(L, *status) && read_line(">> ", &line, &size)) {
        lua_settop(L, 1);
        lua_pushstring(L, line);
        lua_concat(L, 2);
        *status = script_load_text(L, lua_tostring(L, 1), "=stdin");
    }
    free(line);
    lua_remove(L, 1);
    return more;
}

static int prompt(lua_State *L)
{
    bool verbose = lua_toboolean(L, 1);
    for (int status; read_chunk(L, &status);) {
        if (status == LUA_OK) status = call(L, 0, LUA_MULTRET, verbose);
        if (status == LUA_OK && lua_gettop(L) > 0) {
            lua_getglobal(L, "print");
            lua_insert(L, 1);
            status = lua_pcall(L, lua_gettop(L) - 1, 0, 0);
        }
        if (status != LUA_OK) say_plain(luaL_tolstring(L, -1, NULL), "\n");
    }
    return 0;
}

// --- the state

/// A warning that may come in pieces.
typedef struct hearing {
    const script_def *def;
    bool inside;
    char text[2048];
} hearing;

static void warn(void *user, const char *message, int more)
{
    hearing *h = user;
    if (!h->inside && !more && *message == '@') return;
    size_t length = h->inside ? strlen(h->text) : 0;
    snprintf(h->text + length, sizeof h->text - length, "%s", message);
    h->inside = more;
    if (!more && h->def->warn != NULL) h->def->warn(h->def->user, h->text);
}

static int refuse_exit(lua_State *L)
{
    return luaL_error(L, "os.exit() cannot be used here; return ends a script");
}

void script_replace_exit(lua_State *L, lua_CFunction other)
{
    lua_getglobal(L, "os");
    lua_pushcfunction(L, other);
    lua_setfield(L, -2, "exit");
}

static int run(lua_State *L)
{
    const script_def *def = lua_touserdata(L, 1);
    luaL_openlibs(L);
    luaL_requiref(L, "eigenrig", def->open != NULL ? def->open : script_open, 1);
    make_arg(L, def);
    if (def->hosted) script_replace_exit(L, refuse_exit);
    lua_settop(L, 0);
    if (def->path != NULL && run_file(L, def) != LUA_OK) return lua_error(L);
    if (!def->prompt) return 0;
    lua_pushcfunction(L, prompt);
    lua_pushboolean(L, def->verbose);
    lua_call(L, 1, 0);
    return 0;
}

// Opens a state for a script; NULL on failure.
static er_result begin(er_context *context, const char *path, lua_State **L)
{
    *L = NULL;
    if (path != NULL && strcmp(path, "-") != 0 && !eri_platform_access(path, ERI_CAN_READ))
        return er_fail(context, ER_ERROR_FILE, "%s: cannot be read: %s; check the path", path, strerror(errno));
    *L = luaL_newstate();
    return *L != NULL ? ER_OK : er_fail(context, ER_ERROR_MEMORY, "out of memory");
}

// Closes it, with the error on the top of its stack.
static er_result end(er_context *context, lua_State *L, int status)
{
    er_result r = status == LUA_OK        ? ER_OK
                  : status == LUA_ERRMEM  ? ER_ERROR_MEMORY
                  : status == LUA_ERRFILE ? ER_ERROR_FILE
                                          : script_result_of(L, lua_tostring(L, -1));
    if (r != ER_OK)
        er_fail(context, r, "%s", lua_tostring(L, -1) != NULL ? lua_tostring(L, -1) : "an error without words");
    lua_close(L);
    return r;
}

er_result script_check_file(er_context *context, const char *path)
{
    lua_State *L;
    er_result r = begin(context, path, &L);
    return r == ER_OK ? end(context, L, luaL_loadfile(L, path)) : r;
}

er_result script_run(er_context *context, const script_def *def)
{
    hearing h = {.def = def};
    lua_State *L;
    er_result r = begin(context, def->path, &L);
    if (r != ER_OK) return r;
    lua_setwarnf(L, warn, &h);
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, (void *)(uintptr_t)def);
    return end(context, L, lua_pcall(L, 1, 0, 0));
}
