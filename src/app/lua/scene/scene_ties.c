// Ropes, rods, pulleys and gears of a living scene.
#include <math.h>

#include "app/lua/scene/scene_script.h"

static const char *const kinds[] = {"rope", "pulley", "gear"};

// Points in the world: at of the first actor, to of the second. By default they are the actors' positions.
static void read_ends(reader *r, const engine *e, engine_tie_def *d)
{
    static const char *const keys[] = {"at", "to"};
    for (int k = 0; k < 2; ++k) {
        d->actor[k] = script_check_side(r->L, 2 + k);
        const engine_actor *a = engine_find_actor(e, d->actor[k]);
        if (a == NULL && !reader_field(r, 4, keys[k]))
            luaL_error(r->L, "%s is missing: where the world's end is", keys[k]);
        if (a == NULL) reader_done(r);
        d->point[k] = script_read_vec3(r, 4, keys[k], a != NULL ? a->pose.p : er_v3(0, 0, 0));
    }
}

static int add(lua_State *L, engine *e, const engine_tie_def *d)
{
    int id;
    script_check(L, engine_add_tie(e, d, &id));
    script_push_object(L, 1, SCRIPT_TIE, id);
    return 1;
}

static engine_tie_def begin(lua_State *L, reader *r, const char *const *keys)
{
    engine_tie_def d = engine_default_tie();
    lua_settop(L, 4);
    script_default_table(L, 4);
    reader_check_keys(r, 4, keys);
    d.name = reader_text(r, 4, "name", "");
    d.law.break_force = reader_number(r, 4, "break_force", 0, HUGE_VAL, HUGE_VAL);
    return d;
}

// scene:rope(a, b, {...}): at most `length` apart, and at least `least`
int script_scene_rope(lua_State *L)
{
    static const char *const keys[] = {"name",      "at",      "to",          "length", "least",
                                       "stiffness", "damping", "break_force", NULL};
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    engine_tie_def d = begin(L, &r, keys);
    read_ends(&r, e, &d);
    d.law.least = reader_number(&r, 4, "least", 0, 1e9, 0);
    d.law.most = reader_number(&r, 4, "length", 0, HUGE_VAL, er_v3_distance(d.point[0], d.point[1]));
    d.law.stiffness = reader_number(&r, 4, "stiffness", 0, 1e50, 0);
    d.law.damping = reader_number(&r, 4, "damping", 0, 1e50, 0);
    return add(L, e, &d);
}

// scene:rod(a, b, {...}): just `length` apart
int script_scene_rod(lua_State *L)
{
    static const char *const keys[] = {"name", "at", "to", "length", "break_force", NULL};
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    engine_tie_def d = begin(L, &r, keys);
    read_ends(&r, e, &d);
    d.law.least = d.law.most = reader_number(&r, 4, "length", 0, 1e9, er_v3_distance(d.point[0], d.point[1]));
    return add(L, e, &d);
}

static void read_wheels(reader *r, engine_tie_def *d)
{
    if (!reader_field(r, 4, "wheels")) luaL_error(r->L, "wheels is missing: expected {{x, y, z}, {x, y, z}}");
    if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 2) reader_wrong(r, "expected {{x, y, z}, {x, y, z}}");
    for (int k = 0; k < 2; ++k) {
        lua_rawgeti(r->L, -1, k + 1);
        d->law.wheel[k] = script_check_vec3(r->L, lua_gettop(r->L));
        lua_pop(r->L, 1);
    }
    reader_done(r);
}

// scene:pulley(a, b, {wheels = {p, q}, ratio =, length =}): l of a + ratio times l of b is `length` at most
int script_scene_pulley(lua_State *L)
{
    static const char *const keys[] = {"name", "at", "to", "wheels", "ratio", "length", "break_force", NULL};
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    engine_tie_def d = begin(L, &r, keys);
    d.law.kind = ER_TIE_PULLEY;
    read_ends(&r, e, &d);
    read_wheels(&r, &d);
    d.law.ratio = reader_number(&r, 4, "ratio", 0, 1e9, 1);
    double now = er_v3_distance(d.point[0], d.law.wheel[0]) + d.law.ratio * er_v3_distance(d.point[1], d.law.wheel[1]);
    d.law.most = reader_number(&r, 4, "length", 0, 1e9, now);
    return add(L, e, &d);
}

static int check_joint(lua_State *L, int index)
{
    const script_object *t = luaL_checkudata(L, index, SCRIPT_SCENE_JOINT);
    lua_getiuservalue(L, index, 1);
    if (!lua_rawequal(L, -1, 1)) luaL_argerror(L, index, "the joint is of another scene");
    lua_pop(L, 1);
    return t->id;
}

// scene:gear(first, second, {ratio =}): the first joint turns `ratio` times as far as the second one
int script_scene_gear(lua_State *L)
{
    static const char *const keys[] = {"name", "ratio", "break_force", NULL};
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    engine_tie_def d = begin(L, &r, keys);
    d.law.kind = ER_TIE_GEAR;
    for (int k = 0; k < 2; ++k)
        d.joint[k] = check_joint(L, 2 + k);
    d.law.ratio = reader_number(&r, 4, "ratio", -1e9, 1e9, 1);
    return add(L, e, &d);
}

// ---- As it stands

static const engine_tie *tie_of(lua_State *L, engine **e)
{
    int id = script_check_object(L, 1, SCRIPT_TIE, e);
    const engine_tie *t = engine_find_tie(*e, id);
    if (t == NULL) luaL_argerror(L, 1, "the tie broke, or was removed from its scene");
    return t;
}

SCRIPT_PUSHES(get_name, lua_pushstring, tie_of(L, &(engine *){NULL})->name)
SCRIPT_PUSHES(get_type, lua_pushstring, kinds[tie_of(L, &(engine *){NULL})->kind])
SCRIPT_PUSHES(get_force, lua_pushnumber, tie_of(L, &(engine *){NULL})->force)

static int get_length(lua_State *L)
{
    const engine_tie *t = tie_of(L, &(engine *){NULL});
    if (t->kind == ER_TIE_GEAR) return 0;
    lua_pushnumber(L, t->length);
    return 1;
}

static int get_removed(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_TIE, &e);
    lua_pushboolean(L, engine_find_tie(e, id) == NULL);
    return 1;
}

// Both ends, world.
static int ends(lua_State *L)
{
    engine *e;
    const engine_tie *t = tie_of(L, &e);
    if (t->kind == ER_TIE_GEAR) return luaL_error(L, "a gear has no ends");
    for (int k = 0; k < 2; ++k)
        script_push_vec3(L, engine_tie_point(e, t, k));
    return 2;
}

static int remove_tie(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_TIE, &e);
    engine_remove_tie(e, id);
    return 0;
}

static const luaL_Reg methods[] = {{"ends", ends}, {"remove", remove_tie}, {NULL, NULL}};
static const luaL_Reg getters[] = {{"name", get_name},     {"type", get_type},       {"force", get_force},
                                   {"length", get_length}, {"removed", get_removed}, {NULL, NULL}};
const script_class script_tie_class = {SCRIPT_TIE, methods, getters, NULL, NULL, NULL};
