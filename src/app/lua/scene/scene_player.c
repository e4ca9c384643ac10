// Runs the file of a scene, and plays the scene.
#include "app/lua/scene/scene_player.h"

#include <errno.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/scene/scene_script.h"
#include "app/lua/script.h"
#include "base/failure.h"
#include "base/platform.h"
#include "base/said.h"

struct scene_player {
    lua_State *L;
    scene_player_def def;
    engine *scene;
    char *path;
    eri_said reported;
    char warning[1024]; // pieces of an unfinished one
};

static void say(void *user, const char *text)
{
    scene_player *p = user;
    if (eri_said_before(&p->reported, text)) return;
    if (p->def.wrong != NULL) p->def.wrong(p->def.user, text);
}

static void say_failure(void *user, er_result result, const char *text)
{
    scene_player *p = user;
    if (eri_said_before(&p->reported, text)) return;
    if (p->def.fail != NULL) p->def.fail(p->def.user, result, text);
}

// Collects the pieces of a warning.
static void warn(void *user, const char *message, int more)
{
    scene_player *p = user;
    static const char *const control[] = {"@on", "@off"};
    size_t used = strlen(p->warning);
    for (int i = 0; i < 2 && used == 0 && !more; ++i)
        if (strcmp(message, control[i]) == 0) return;
    snprintf(p->warning + used, sizeof p->warning - used, "%s", message);
    if (more) return;
    if (p->def.tell != NULL) p->def.tell(p->def.user, p->warning);
    p->warning[0] = '\0';
}

static void say_error(scene_player *p)
{
    script_push_error(p->L, p->L);
    say(p, lua_tostring(p->L, -1));
}

// ---- Opened

enum { SCENE = 1 }; // where the scene is on the stack of a state that plays

static int refuse_exit(lua_State *L)
{
    return luaL_error(L, "os.exit() cannot be used here; return ends a scene's file");
}

// `arg`, as Lua's own interpreter has it.
static void make_arg(lua_State *L, const scene_player *p)
{
    lua_createtable(L, p->def.word_count, 1);
    lua_pushstring(L, p->path);
    lua_rawseti(L, -2, 0);
    for (int i = 0; i < p->def.word_count; ++i) {
        lua_pushstring(L, p->def.words[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setglobal(L, "arg");
}

static const char *const world_text[] = {
#include <world_text.h>
};

// Loads a scene's file, or the script that plays the file of a world.
static int load_file(lua_State *L, const char *path)
{
    script_lines lines = {world_text, sizeof world_text / sizeof *world_text};
    if (!er_file_is_world(script_context(L), path)) return luaL_loadfile(L, path);
    return lua_load(L, script_next_line, &lines, "=world", "t");
}

static int run(lua_State *L)
{
    scene_player *p = lua_touserdata(L, 1);
    luaL_openlibs(L);
    script_set_reporter(L, say, say_failure, p);
    luaL_requiref(L, "eigenrig", p->def.open != NULL ? p->def.open : script_open, 1);
    script_replace_exit(L, refuse_exit);
    script_budget_keep(L);
    make_arg(L, p);
    lua_settop(L, 0);
    lua_pushcfunction(L, script_budget_call);
    if (load_file(L, p->path) != LUA_OK) return lua_error(L);
    script_budget_file(L, true);
    lua_call(L, 1, 2);
    script_budget_file(L, false);
    if (!lua_toboolean(L, -2)) return lua_error(L);
    if (luaL_testudata(L, -1, SCRIPT_SCENE) == NULL && !script_push_last_scene(L))
        return luaL_error(L, "%s: returns no scene; end it with return eigenrig.scene{...}", p->path);
    lua_pushvalue(L, -1);
    lua_setglobal(L, "scene");
    p->scene = script_check_scene(L, lua_gettop(L));
    return 1;
}

er_result scene_player_check_file(er_context *context, const char *path)
{
    if (eri_platform_access(path, ERI_CAN_READ)) return ER_OK;
    return er_fail(context, ER_ERROR_FILE, "%s: cannot be read: %s; check the path", path, strerror(errno));
}

er_result scene_player_open(er_context *context, const scene_player_def *def, scene_player **out)
{
    *out = NULL;
    er_result r = scene_player_check_file(context, def->path);
    if (r != ER_OK) return r;
    scene_player *p = calloc(1, sizeof *p);
    if (p == NULL) return eri_no_memory(context);
    p->def = *def;
    p->path = strdup(def->path);
    p->L = luaL_newstate();
    if (p->path == NULL || p->L == NULL) {
        scene_player_close(p);
        return eri_no_memory(context);
    }
    lua_setwarnf(p->L, warn, p);
    lua_pushcfunction(p->L, run);
    lua_pushlightuserdata(p->L, p);
    int status = lua_pcall(p->L, 1, 1, 0);
    if (status == LUA_OK) {
        *out = p;
        return ER_OK;
    }
    const char *text = lua_tostring(p->L, -1);
    bool names = text != NULL && strstr(text, def->path) != NULL;
    r = er_fail(context, status == LUA_ERRMEM ? ER_ERROR_MEMORY : ER_ERROR_ARGUMENT, "%s%s%s", names ? "" : def->path,
                names ? "" : ": ", text != NULL ? text : "an error without words");
    scene_player_close(p);
    return r;
}

// Runs exit hooks and handlers of `finish`.
static int finish(lua_State *L)
{
    lua_getfield(L, 1, "terminate");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 0);
    return 0;
}

void scene_player_finish(scene_player *p)
{
    lua_pushcfunction(p->L, finish);
    lua_pushvalue(p->L, SCENE);
    if (lua_pcall(p->L, 1, 0, 0) != LUA_OK) say_error(p);
    lua_settop(p->L, SCENE);
}

void scene_player_close(scene_player *p)
{
    if (p == NULL) return;
    if (p->L != NULL) lua_close(p->L);
    free(p->path);
    free(p);
}

engine *scene_player_scene(const scene_player *p)
{
    return p->scene;
}

const char *scene_player_name(const scene_player *p)
{
    lua_getiuservalue(p->L, SCENE, SCENE_NAME);
    const char *name = lua_tostring(p->L, -1);
    lua_pop(p->L, 1); // the scene keeps it
    return name;
}

// ---- Frames

static int call_part(lua_State *L)
{
    const char *part = lua_touserdata(L, 2);
    script_call_sequencers(L, part, 1, 0);
    return 1;
}

// Calls one of the sequencers' functions with the scene.   @return its result; true after an error
static bool play_part(scene_player *p, const char *part)
{
    lua_pushcfunction(p->L, call_part);
    lua_pushvalue(p->L, SCENE);
    lua_pushlightuserdata(p->L, (void *)(uintptr_t)part);
    int status = lua_pcall(p->L, 2, 1, 0);
    bool went = status != LUA_OK || lua_toboolean(p->L, -1);
    if (status != LUA_OK) say_error(p);
    lua_settop(p->L, SCENE);
    return went;
}

bool scene_player_advance(scene_player *p)
{
    return play_part(p, "advance");
}

void scene_player_handle_events(scene_player *p)
{
    play_part(p, "events");
}

// ---- Events

static int post(lua_State *L)
{
    const scene_event *e = lua_touserdata(L, 2);
    lua_getfield(L, 1, "post");
    lua_pushvalue(L, 1);
    lua_pushstring(L, e->name);
    lua_createtable(L, 0, 9);
    script_set_flag(L, "alt", (e->modifiers & SCRIPT_ALT) != 0);
    script_set_flag(L, "control", (e->modifiers & SCRIPT_CONTROL) != 0);
    script_set_flag(L, "shift", (e->modifiers & SCRIPT_SHIFT) != 0);
    if (strncmp(e->name, "key", 3) == 0) {
        script_set_text(L, "key", e->key);
        script_set_integer(L, "code", e->code);
    } else {
        script_set_text(L, "button", e->button);
        script_set_number(L, "x", e->x);
        script_set_number(L, "y", e->y);
        script_push_vec3(L, e->way);
        lua_setfield(L, -2, "way");
        script_set_integer(L, "clicks", e->clicks);
        script_set_number(L, "delta", e->delta);
    }
    lua_call(L, 3, 0);
    return 0;
}

void scene_player_post(scene_player *p, const scene_event *event)
{
    lua_pushcfunction(p->L, post);
    lua_pushvalue(p->L, SCENE);
    lua_pushlightuserdata(p->L, (void *)(uintptr_t)event);
    if (lua_pcall(p->L, 2, 0, 0) != LUA_OK) say_error(p);
    lua_settop(p->L, SCENE);
}

static int listens(lua_State *L)
{
    lua_pushvalue(L, 2);
    script_call_sequencers(L, "listens", 1, 1);
    return 1;
}

bool scene_player_listens(const scene_player *p, const char *name)
{
    lua_pushcfunction(p->L, listens);
    lua_pushvalue(p->L, SCENE);
    lua_pushstring(p->L, name);
    bool does = lua_pcall(p->L, 2, 1, 0) == LUA_OK && lua_toboolean(p->L, -1);
    lua_settop(p->L, SCENE);
    return does;
}

// ---- The prompt

// The values as text, separated by commas, within the budget of a call.
static int evaluate(lua_State *L)
{
    const char *line = lua_touserdata(L, 1);
    lua_pushcfunction(L, script_budget_call);
    lua_replace(L, 1);
    if (script_load_text(L, line, "=prompt") != LUA_OK) return lua_error(L);
    lua_call(L, 1, LUA_MULTRET);
    int count = lua_gettop(L);
    luaL_Buffer b;
    bool ok = lua_toboolean(L, 1);
    luaL_buffinit(L, &b);
    for (int i = 2; i <= count; ++i) {
        if (i > 2) luaL_addstring(&b, ", ");
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&b);
    }
    luaL_pushresult(&b);
    return ok ? 1 : lua_error(L);
}

bool scene_player_run(scene_player *p, const char *line, char *answer, size_t size)
{
    lua_pushcfunction(p->L, evaluate);
    lua_pushlightuserdata(p->L, (void *)(uintptr_t)line);
    bool ok = lua_pcall(p->L, 1, 1, 0) == LUA_OK;
    const char *text = lua_tostring(p->L, -1);
    snprintf(answer, size, "%s", text != NULL ? text : "");
    lua_settop(p->L, SCENE);
    return ok;
}
