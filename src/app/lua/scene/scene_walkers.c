// Characters that walk by their own torques: scene:add(model, {walks = ...}), walker:go{...}, walker:gait(...).
#include <string.h>

#include "app/lua/scene/scene_script.h"

#define FINE 120.0 // frames of a stride for the walker

static const double degree = ER_PI / 180.0;

// A scene remembers the gaits of a walker by the index of their walkers, from 1 up, and the shapes of
// its bodies.
enum { WALKER_SHAPES = -1 };

// ---- Gaits

// Pushes a gait by its name, of those at a stack index.
static void push_named(lua_State *L, int gaits, const char *name)
{
    script_gaits *of;
    const er_gaits *all = script_check_gaits(L, gaits, &of);
    const er_gait *gait = er_gaits_named(all, name);
    if (gait != NULL) {
        script_push_gait(L, gaits, (int)(gait - all->gait));
        return;
    }
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = 0; i < all->count; ++i) {
        luaL_addstring(&text, i > 0 ? ", " : "");
        luaL_addstring(&text, all->gait[i].name);
    }
    luaL_pushresult(&text);
    luaL_error(L, "there is no gait \"%s\"; found: %s", name, lua_tostring(L, -1));
}

// Pushes the gait that a value means: itself, its name, or true for the best that the model finds.
static void push_gait(lua_State *L, int model, int value)
{
    if (luaL_testudata(L, value, script_gait_class.name) != NULL) {
        lua_pushvalue(L, value);
        return;
    }
    if (lua_type(L, value) != LUA_TSTRING && lua_type(L, value) != LUA_TBOOLEAN)
        luaL_error(L, "walks: expected a gait, its name, or true");
    script_gaits *of;
    lua_pushcfunction(L, script_model_gaits);
    lua_pushvalue(L, model);
    lua_call(L, 1, 1);
    const er_gaits *all = script_check_gaits(L, -1, &of);
    if (all->count == 0) luaL_error(L, "walks: the model has no gait");
    if (lua_isboolean(L, value))
        script_push_gait(L, -1, 0);
    else
        push_named(L, lua_gettop(L), lua_tostring(L, value));
}

// A walker by the gait at a stack index. Pushes what it borrows.
static er_walker_def walker_of(lua_State *L, int at, const er_rig_shapes *shapes)
{
    script_gaits *of;
    const er_gait *gait = script_check_gait(L, at, &of);
    const er_gaits *all = of->gaits->object;
    er_walker_def def = er_default_walker_def();
    if (all->body->foot_count == 0) luaL_error(L, "walks: the model has no feet");
    def.model = of->modes->model;
    def.body = all->body;
    def.motion = script_push_gait_motions(L, of, (int)(gait - all->gait), 1, FINE * gait->hz)[0];
    def.speed = gait->speed;
    def.hz = gait->hz;
    def.shapes = shapes;
    return def;
}

static void check_model(lua_State *L, int gait, const er_model *model)
{
    script_gaits *of;
    script_check_gait(L, gait, &of);
    if (of->modes->model != model) luaL_error(L, "the gait is of another model, or of this one before it was changed");
}

script_walk script_push_walk(lua_State *L, int model, const er_rig_shapes *shapes)
{
    push_gait(L, model, lua_gettop(L));
    script_walk walk = {.shapes = shapes, .gait = lua_gettop(L)};
    check_model(L, walk.gait, script_model_of(script_check_model(L, model)));
    script_gaits *of;
    walk.def = walker_of(L, walk.gait, shapes);
    walk.family = script_check_gait(L, walk.gait, &of)->family;
    return walk;
}

void script_keep_walk(lua_State *L, int scene, int id, const script_walk *walk)
{
    lua_getiuservalue(L, scene, SCENE_WALKERS);
    lua_newtable(L);
    lua_pushvalue(L, walk->gait);
    lua_rawseti(L, -2, 1);
    lua_pushlightuserdata(L, (void *)(uintptr_t)walk->shapes);
    lua_rawseti(L, -2, WALKER_SHAPES);
    lua_rawseti(L, -2, id);
    lua_pop(L, 1);
}

// ---- Driven

// The walker of the character at 1; pushes the scene.
static er_walker *check_walker(lua_State *L, engine **e, int *id)
{
    *id = script_check_object(L, 1, SCRIPT_CHARACTER, e);
    er_walker *w = engine_walker(*e, *id);
    if (w == NULL) luaL_argerror(L, 1, "the character does not walk; add it with walks, and keep its bones and joints");
    return w;
}

// The index of a walker by the gait at a stack index, in the list at another one; -1.
static int walker_by(lua_State *L, int list, int gait)
{
    script_gaits *of;
    int count = (int)lua_rawlen(L, list);
    for (int i = 0; i < count; ++i) {
        lua_rawgeti(L, list, i + 1);
        bool same = script_check_gait(L, -1, &of) == script_check_gait(L, gait, &of);
        lua_pop(L, 1);
        if (same) return i;
    }
    return -1;
}

// Adds a gait at a stack index to the walker at 1, whose list is at another one; its index.
static int add_walker(lua_State *L, engine *e, int id, int list, int gait)
{
    script_gaits *of;
    int index = walker_by(L, list, gait);
    if (index >= 0) return index;
    lua_rawgeti(L, list, WALKER_SHAPES);
    er_walker_def def = walker_of(L, gait, lua_touserdata(L, -1));
    script_check(L, engine_add_walker(e, id, &def, script_check_gait(L, gait, &of)->family, &index));
    lua_pushvalue(L, gait);
    lua_rawseti(L, list, index + 1);
    return index;
}

// Adds the best gait of each family that was found together with the present one. The scene is at 3.
static void add_families(lua_State *L, engine *e, int id)
{
    script_gaits *of;
    int top = lua_gettop(L);
    lua_getiuservalue(L, 3, SCENE_WALKERS);
    lua_rawgeti(L, -1, id);
    lua_rawgeti(L, -1, engine_find_character(e, id)->walking + 1);
    lua_getiuservalue(L, -1, 1);
    int list = top + 2, gaits = top + 4;
    const er_gaits *all = script_check_gaits(L, gaits, &of);
    for (int i = 0; i < all->count; ++i) {
        bool first = true;
        for (int k = 0; k < i; ++k)
            first &= all->gait[k].family != all->gait[i].family;
        if (!first) continue;
        script_push_gait(L, gaits, i);
        add_walker(L, e, id, list, lua_gettop(L));
        lua_settop(L, gaits);
    }
    lua_settop(L, top);
}

// walker:go{velocity = m/s, aside = m/s, turn = degrees/s, gait = "auto"}
int script_walker_go(lua_State *L)
{
    static const char *const keys[] = {"velocity", "aside", "turn", "gait", NULL};
    engine *e;
    int id;
    reader r = {.L = L};
    lua_settop(L, 2);
    script_default_table(L, 2);
    check_walker(L, &e, &id);
    reader_check_keys(&r, 2, keys);
    er_walker_wish wish = {reader_number(&r, 2, "velocity", -1e6, 1e6, 0), reader_number(&r, 2, "aside", -1e6, 1e6, 0),
                           degree * reader_number(&r, 2, "turn", -1e6, 1e6, 0)};
    const char *gait = reader_text(&r, 2, "gait", NULL);
    if (gait != NULL && strcmp(gait, "auto") != 0)
        luaL_error(L, "gait: expected \"auto\"; walker:gait(\"%s\") sets one", gait);
    if (gait != NULL) add_families(L, e, id);
    bool by_speed = gait != NULL || engine_find_character(e, id)->by_speed;
    script_check(L, engine_go(e, id, wish, by_speed));
    return 0;
}

// walker:gait(name or gait): goes on by another one. walker:gait(): the present one
int script_walker_gait(lua_State *L)
{
    engine *e;
    int id;
    lua_settop(L, 2);
    check_walker(L, &e, &id); // 3: the scene
    lua_getiuservalue(L, 3, SCENE_WALKERS);
    lua_rawgeti(L, 4, id);
    const engine_character *c = engine_find_character(e, id);
    lua_rawgeti(L, 5, c->walking + 1); // 6: the present gait
    if (lua_isnil(L, 2)) return 1;
    if (lua_type(L, 2) == LUA_TSTRING) {
        lua_getiuservalue(L, 6, 1);
        push_named(L, 7, lua_tostring(L, 2));
        lua_replace(L, 2);
    }
    check_model(L, 2, c->model);
    script_check(L, engine_walk(e, id, add_walker(L, e, id, 5, 2)));
    return 0;
}

// ---- Read

static const char *const falls[] = {"", "leans", "touches", "sinks"};

// "walks", "stands" or "fell"; nil of a character that does not walk
int script_walker_walking(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_CHARACTER, &e);
    const er_walker *w = engine_walker(e, id);
    if (w == NULL) return 0;
    er_walker_state s = er_walker_measure(w);
    lua_pushstring(L, s.fallen != ER_WALKER_UPRIGHT ? "fell" : s.stands ? "stands" : "walks");
    return 1;
}

// Its velocity, and its way about the vertical, degrees
int script_walker_velocity(lua_State *L)
{
    engine *e;
    int id;
    script_push_vec3(L, er_walker_measure(check_walker(L, &e, &id)).velocity);
    return 1;
}

int script_walker_heading(lua_State *L)
{
    engine *e;
    int id;
    lua_pushnumber(L, er_walker_measure(check_walker(L, &e, &id)).heading / degree);
    return 1;
}

int script_scene_falls(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    int count = engine_fall_event_count(e);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        const engine_fall_event *fall = engine_fall_event_at(e, i);
        lua_createtable(L, 0, 5);
        script_push_object(L, 1, SCRIPT_CHARACTER, fall->character);
        lua_setfield(L, -2, "walker");
        script_set_text(L, "why", falls[fall->why]);
        if (engine_find_actor(e, fall->actor) != NULL) {
            script_push_object(L, 1, SCRIPT_ACTOR, fall->actor);
            lua_setfield(L, -2, "actor");
        }
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}
