// Limits how long functions and coroutines of living scenes may run.
#include <string.h>

#include "app/lua/scene/scene_script.h"

enum {
    SLICE = 1000000,  // instructions between two checks
    FILE_MOST = 2000, // of a scene's file, which may compute a world
    MOST = 50         // slices, a fraction of a second
};

/// Kept in the state's registry.
typedef struct budget {
    int left;             // slices of the outermost call
    int depth;            // of calls in each other
    int most;             // slices that a call has
    lua_State *outermost; // the state or coroutine of the outermost call
} budget;

static const char budget_key = 0;

static budget *budget_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &budget_key);
    budget *b = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (b != NULL) return b;
    b = lua_newuserdatauv(L, sizeof *b, 0);
    *b = (budget){.most = MOST};
    lua_rawsetp(L, LUA_REGISTRYINDEX, &budget_key);
    return b;
}

// Pushes the place of the innermost function that is not ours.
static void push_place(lua_State *L)
{
    lua_Debug at;
    int level = 0;
    while (lua_getstack(L, level, &at) && lua_getinfo(L, "S", &at) &&
           (*at.what == 'C' || strcmp(at.source, "=eigenrig") == 0))
        ++level;
    luaL_where(L, level);
}

static void look(lua_State *L, lua_Debug *at)
{
    (void)at;
    budget *b = budget_of(L);
    if (b->left > 0 && --b->left > 0) return;
    b->left = 0;
    lua_sethook(L, look, LUA_MASKCOUNT, 1); // a script that catches the error gets it again, until it ends
    if (b->outermost != NULL) lua_sethook(b->outermost, look, LUA_MASKCOUNT, 1); // and so does its caller
    push_place(L);
    lua_pushfstring(L,
                    "ran %d million instructions without waiting, and was ended; in a script call self:wait() in long "
                    "loops",
                    b->most);
    lua_concat(L, 2);
    lua_error(L);
}

// Begins a call within the budget of the one it is called from.   @return whether it is the outermost
static bool begin(lua_State *L, lua_State *runs)
{
    budget *b = budget_of(L);
    bool first = b->depth++ == 0;
    if (first) *b = (budget){b->most, b->depth, b->most, runs};
    if (lua_gethook(runs) != look) lua_sethook(runs, look, LUA_MASKCOUNT, SLICE); // instructions counted so far stay
    return first;
}

static void end(lua_State *L, lua_State *runs, bool first)
{
    budget *b = budget_of(L);
    b->depth--;
    if (first || runs != L) lua_sethook(runs, NULL, 0, 0);
    if (first) b->outermost = NULL;
}

void script_budget_file(lua_State *L, bool begins)
{
    budget_of(L)->most = begins ? FILE_MOST : MOST;
}

// A thrown object becomes a text with the place where it was thrown.
static int add_place(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING) return 1;
    luaL_where(L, 2);
    lua_pushfstring(L, "%san error that is a %s", lua_tostring(L, -1), luaL_typename(L, 1));
    return 1;
}

// call(f, ...): true, or false and the error.
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

static int end_body(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    return status == LUA_OK || status == LUA_YIELD ? lua_gettop(L) : lua_error(L);
}

// Runs the upvalue. An error of a hook leaves a coroutine without hooks, but for a protected call in it: variables are
// closed by that call, within the limit.
static int run_body(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    return end_body(L, lua_pcallk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, 0, end_body), 0);
}

// body(f): the same function, for a coroutine.
static int make_body(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushcclosure(L, run_body, 1);
    return 1;
}

// Calls the upvalue, which handles errors, but not that of the limit: no hook would count it.
static int handle_error(lua_State *L)
{
    const budget *b = budget_of(L);
    if (b->depth > 0 && b->left == 0) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

// guard(f): the same function, as a handler of errors.
static int make_guard(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushcclosure(L, handle_error, 1);
    return 1;
}

static const char *const limits_text[] = {
#include <limits_text.h>
};

const char *script_next_line(lua_State *L, void *lines, size_t *size)
{
    script_lines *rest = lines;
    (void)L;
    if (rest->count == 0) return NULL;
    --rest->count;
    *size = strlen(*rest->line);
    return *rest->line++;
}

void script_budget_keep(lua_State *L)
{
    static const luaL_Reg native[] = {{"body", make_body}, {"guard", make_guard}, {NULL, NULL}};
    script_lines lines = {limits_text, sizeof limits_text / sizeof *limits_text};
    if (lua_load(L, script_next_line, &lines, "=eigenrig", "t") != LUA_OK) lua_error(L);
    luaL_newlib(L, native);
    lua_call(L, 1, 0);
}

// thread(f): a coroutine.
int script_budget_thread(lua_State *L)
{
    make_body(L);
    lua_State *co = lua_newthread(L);
    lua_insert(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

// The error as text. A thrown object's __tostring() is not called, since it may throw again.
void script_push_error(lua_State *L, lua_State *from)
{
    if (lua_type(from, -1) == LUA_TSTRING)
        lua_pushstring(L, lua_tostring(from, -1));
    else
        lua_pushfstring(L, "an error that is a %s", luaL_typename(from, -1));
}

// resume(thread, ...): true and whether it ended; or false, true and the error.
int script_budget_resume(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co != NULL, 1, "thread");
    int arguments = lua_gettop(L) - 1, results = 0;
    if (co == L || (lua_status(co) != LUA_YIELD && (lua_status(co) != LUA_OK || lua_gettop(co) == 0)))
        return luaL_error(L, "a script that runs already or has ended cannot be continued");
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
    script_push_error(L, co);
    lua_resetthread(co);
    return 3;
}

// close(thread): closes the variables of a coroutine that waits. True, or false and the error.
int script_budget_close(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co != NULL && co != L, 1, "thread");
    bool first = begin(L, co);
    int status = lua_resetthread(co);
    end(L, co, first);
    lua_pushboolean(L, status == LUA_OK);
    if (status == LUA_OK) return 1;
    script_push_error(L, co);
    return 2;
}
