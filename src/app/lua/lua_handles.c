// Handles, the state's context, and the metatables of classes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/lua_inside.h"
#include "base/failure.h"
#include "base/said.h"

// --- the context

/// One in a Lua state, in the registry.
typedef struct state {
    er_context *context; // NULL when the state is about to end
    bool busy;
    bool held;        // its collector is stopped
    char named[4096]; // the model of the last warning
    eri_said said;    // warnings
    er_result failed; // of the library's last error that was raised
    char error[1024]; // its words, as far as they fit
    handle *handles;
} state;

static const char state_key = 0;

static state *state_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
    state *s = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return s;
}

void script_empty_handle(handle *h)
{
    void *object = h->object;
    if (h->link != NULL) {
        *h->link = h->next;
        if (h->next != NULL) h->next->link = h->link;
        h->link = NULL;
    }
    h->object = NULL;
    if (object != NULL) h->destroy(object);
    free(h->room);
    h->room = NULL;
}

// A state that ends collects in the reverse of the order of making, so this comes last but for what a finalizer makes.
static int end_state(lua_State *L)
{
    state *s = lua_touserdata(L, 1);
    if (s == NULL || s != state_of(L)) return 0;
    while (s->handles != NULL)
        script_empty_handle(s->handles);
    er_context_destroy(s->context);
    s->context = NULL;
    return 0;
}

static int go_on(lua_State *L)
{
    state *s = lua_touserdata(L, 1);
    if (s == NULL || s != state_of(L) || !s->held) return 0;
    s->held = false;
    lua_gc(L, LUA_GCRESTART);
    return 0;
}

void script_pause_gc(lua_State *L)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
    lua_toclose(L, -1);
    if (lua_gc(L, LUA_GCISRUNNING) != 1) return;
    lua_gc(L, LUA_GCSTOP);
    state_of(L)->held = true;
}

void script_open_context(lua_State *L)
{
    if (state_of(L) != NULL) return;
    state *s = lua_newuserdatauv(L, sizeof *s, 0);
    *s = (state){0};
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, go_on);
    lua_setfield(L, -2, "__close");
    lua_pushcfunction(L, end_state);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
    if (er_context_create(NULL, &s->context) != ER_OK) luaL_error(L, "not enough memory");
}

er_context *script_context(lua_State *L)
{
    state *s = state_of(L);
    if (s == NULL || s->context == NULL) luaL_error(L, "the module eigenrig was closed with its Lua state");
    if (s->busy) luaL_error(L, "a callback may not call eigenrig, which is at work");
    return s->context;
}

static void set_busy(lua_State *L, bool busy)
{
    state_of(L)->busy = busy;
}

void script_call_progress(lua_State *L, int callback, int done, int all)
{
    if (callback == 0) return;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_pushvalue(L, callback);
    lua_pushinteger(L, done);
    lua_pushinteger(L, all);
    set_busy(L, true);
    int status = lua_pcall(L, 2, 0, 0);
    set_busy(L, false);
    if (status != LUA_OK) lua_error(L);
}

script_progress script_progress_begin(lua_State *L, int callback)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL); // for the callback, that must not fail for want of it
    script_context(L);
    set_busy(L, true);
    return (script_progress){L, callback, false};
}

bool script_progress_step(void *watch, int done, int all)
{
    script_progress *w = watch;
    if (w->callback == 0 || w->failed) return !w->failed;
    lua_pushvalue(w->L, w->callback);
    lua_pushinteger(w->L, done);
    lua_pushinteger(w->L, all);
    w->failed = lua_pcall(w->L, 2, 0, 0) != LUA_OK;
    return !w->failed;
}

void script_progress_end(script_progress *watch, er_result r)
{
    set_busy(watch->L, false);
    if (watch->failed) lua_error(watch->L);
    script_check(watch->L, r);
}

void script_progress_tell(void *watch, int done, int all)
{
    script_progress_step(watch, done, all);
}

int script_read_progress(reader *r, int table)
{
    if (!reader_field(r, table, "progress")) return 0;
    if (!lua_isfunction(r->L, -1)) reader_wrong(r, "expected a function(done, all)");
    reader_leave(r);
    return lua_gettop(r->L);
}

static void hear(void *user, er_note_kind kind, const char *text)
{
    const script_warner *ear = user;
    if (kind != ER_NOTE_WARNING) return;
    state *s = state_of(ear->L);
    char all[5000];
    snprintf(all, sizeof all, "%s: %s", ear->path, text);
    if (eri_said_before(&s->said, all)) return;
    if (strcmp(s->named, ear->path) != 0) {
        snprintf(s->named, sizeof s->named, "%s", ear->path);
        lua_warning(ear->L, ear->path, 1);
        lua_warning(ear->L, ": ", 1);
    }
    lua_warning(ear->L, text, 0);
}

project_listener script_listener(script_warner *ear)
{
    return (project_listener){hear, ear};
}

void script_check(lua_State *L, er_result r)
{
    if (r == ER_OK) return;
    state *s = state_of(L);
    const char *message = er_context_error(s->context);
    if (*message == '\0') message = eri_result_text(r);
    s->failed = r;
    snprintf(s->error, sizeof s->error, "%s", message);
    luaL_error(L, "%s", message);
}

er_result script_result_of(lua_State *L, const char *message)
{
    const state *s = state_of(L);
    bool raised = s != NULL && s->failed != ER_OK && message != NULL && strstr(message, s->error) != NULL;
    return raised ? s->failed : ER_ERROR_ARGUMENT;
}

// --- handles

static const char handle_key[] = "eigenrig.handle";

static int collect_handle(lua_State *L)
{
    handle *h = luaL_testudata(L, 1, handle_key);
    if (h != NULL) script_empty_handle(h);
    return 0;
}

handle *script_push_handle(lua_State *L, void (*destroy)(void *object))
{
    state *s = state_of(L);
    script_context(L);
    handle *h = lua_newuserdatauv(L, sizeof *h, 0);
    *h = (handle){.destroy = destroy};
    if (luaL_newmetatable(L, handle_key)) {
        lua_pushcfunction(L, collect_handle);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    h->next = s->handles;
    h->link = &s->handles;
    if (h->next != NULL) h->next->link = &h->next;
    s->handles = h;
    return h;
}

void script_close_handle(lua_State *L, handle *h)
{
    script_context(L);
    if (h != NULL && h->keepers == 0) script_empty_handle(h);
}

void *script_push_room(lua_State *L, size_t size, void (*clear)(void *object))
{
    handle *h = script_push_handle(L, clear);
    h->room = h->object = calloc(1, size);
    if (h->object == NULL) luaL_error(L, "not enough memory");
    return h->object;
}

// --- classes

static const char *short_name(const char *name)
{
    return strrchr(name, '.') + 1;
}

// "a model", "modes": of the class whose name is the first upvalue.
static const char *kind_of(lua_State *L)
{
    const char *name = short_name(lua_tostring(L, lua_upvalueindex(1)));
    if (name[strlen(name) - 1] == 's') return name;
    return lua_pushfstring(L, strchr("aeiou", name[0]) != NULL ? "an %s" : "a %s", name);
}

// Looks at the words that are keys of a table, in no order: equals are told apart by it.
static void liken_keys(lua_State *L, int table, suggestion *l)
{
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        suggestion other = {.word = l->word};
        if (lua_type(L, -2) == LUA_TSTRING) suggestion_try(&other, lua_tostring(L, -2));
        if (other.best == NULL || (l->best != NULL && other.off > l->off)) continue;
        if (l->best == NULL || other.off < l->off || strcmp(other.best, l->best) < 0) *l = other;
    }
}

// "; did you mean ..." on the stack, or nothing.
static const char *push_hint(lua_State *L, const suggestion *l)
{
    return l->best != NULL ? lua_pushfstring(L, "; did you mean \"%s\"", l->best) : lua_pushliteral(L, "");
}

// Upvalues: the class's name, methods, getters, the function for numbers. Methods first: they are looked up most.
static int index_object(lua_State *L)
{
    lua_CFunction at = lua_type(L, 2) == LUA_TNUMBER ? lua_tocfunction(L, lua_upvalueindex(4)) : NULL;
    if (at != NULL) return at(L);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) return 1;
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(3)) == LUA_TNIL) {
        suggestion nearest = {.word = luaL_tolstring(L, 2, NULL)};
        const char *other = script_hint(short_name(lua_tostring(L, lua_upvalueindex(1))), nearest.word);
        if (other != NULL)
            return luaL_error(L, "%s has no field \"%s\"; did you mean %s", kind_of(L), nearest.word, other);
        liken_keys(L, lua_upvalueindex(2), &nearest);
        liken_keys(L, lua_upvalueindex(3), &nearest);
        return luaL_error(L, "%s has no field \"%s\"%s", kind_of(L), nearest.word, push_hint(L, &nearest));
    }
    lua_CFunction get = lua_tocfunction(L, -1);
    lua_settop(L, 2);
    return get(L);
}

static int set_field(lua_State *L)
{
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) == LUA_TNIL) {
        suggestion nearest = {.word = luaL_tolstring(L, 2, NULL)};
        const char *other = script_hint(short_name(lua_tostring(L, lua_upvalueindex(1))), nearest.word);
        if (other != NULL)
            return luaL_error(L, "%s has no field \"%s\" that can be set; did you mean %s", kind_of(L), nearest.word,
                              other);
        liken_keys(L, lua_upvalueindex(2), &nearest);
        return luaL_error(L, "%s has no field \"%s\" that can be set%s", kind_of(L), nearest.word,
                          push_hint(L, &nearest));
    }
    lua_CFunction set = lua_tocfunction(L, -1);
    lua_settop(L, 3);
    return set(L);
}

static void push_functions(lua_State *L, const luaL_Reg *functions)
{
    lua_newtable(L);
    if (functions != NULL) luaL_setfuncs(L, functions, 0);
}

void script_add_methods(lua_State *L, const script_class *c, const luaL_Reg *methods)
{
    enum { METHODS = 2 }; // upvalue of index_object()
    luaL_getmetatable(L, c->name);
    lua_getfield(L, -1, "__index");
    lua_getupvalue(L, -1, METHODS);
    luaL_setfuncs(L, methods, 0);
    lua_pop(L, 3);
}

void script_make_class(lua_State *L, const script_class *c)
{
    if (!luaL_newmetatable(L, c->name)) {
        lua_pop(L, 1);
        return;
    }
    lua_pushstring(L, c->name);
    push_functions(L, c->methods);
    push_functions(L, c->getters);
    if (c->at != NULL)
        lua_pushcfunction(L, c->at);
    else
        lua_pushnil(L);
    lua_pushcclosure(L, index_object, 4);
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, c->name);
    push_functions(L, c->setters);
    lua_pushcclosure(L, set_field, 2);
    lua_setfield(L, -2, "__newindex");
    lua_pushstring(L, c->name);
    lua_setfield(L, -2, "__metatable");                // scripts cannot take it and put it on something else
    if (c->meta != NULL) luaL_setfuncs(L, c->meta, 0); // a class may index in its own way
    lua_pop(L, 1);
}
