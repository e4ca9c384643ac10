// Gaits: how a model travels by its own modes.
#include <string.h>

#include <eigenrig/plots.h>

#include "app/lua/lua_inside.h"

SCRIPT_DESTROYS(destroy_gaits, er_gaits_destroy)
SCRIPT_DESTROYS(destroy_motion, er_gait_motion_destroy)

// --- objects

const er_gaits *script_check_gaits(lua_State *L, int index, script_gaits **of)
{
    script_gaits *g = luaL_checkudata(L, index, script_gaits_class.name);
    bool open = g->gaits != NULL && g->gaits->object != NULL && g->modes->modes != NULL &&
                g->modes->modes->object != NULL && g->modes->holder->object != NULL;
    if (!open) luaL_argerror(L, index, "the gaits, or their model, are closed");
    *of = g;
    return g->gaits->object;
}

/// One of the gaits that its user value keeps.
typedef struct gait_object {
    int place;
} gait_object;

const er_gait *script_check_gait(lua_State *L, int index, script_gaits **of)
{
    const gait_object *one = luaL_checkudata(L, index, script_gait_class.name);
    lua_getiuservalue(L, index, 1);
    const er_gaits *gaits = script_check_gaits(L, -1, of);
    lua_pop(L, 1); // the object keeps it
    return &gaits->gait[one->place];
}

void script_push_gait(lua_State *L, int gaits, int place)
{
    gaits = lua_absindex(L, gaits);
    gait_object *one = lua_newuserdatauv(L, sizeof *one, 1);
    one->place = place;
    lua_pushvalue(L, gaits);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, script_gait_class.name);
}

// --- the search

// An axis: "x", "-z" or a vector; zero without the field.
static er_vec3 read_way(reader *r, int table, const char *key)
{
    if (!reader_field(r, table, key)) return er_v3(0, 0, 0);
    er_vec3 way = reader_top_way(r);
    reader_done(r);
    return way;
}

static void read_weights(reader *r, int table, er_gait_weights *out)
{
    const char *names[ER_GAIT_WEIGHT_COUNT + 1] = {NULL};
    for (int i = 0; i < ER_GAIT_WEIGHT_COUNT; ++i)
        names[i] = er_gait_weight_name(i);
    if (!reader_field(r, table, "weights")) return;
    reader_check_keys(r, -1, names);
    for (int i = 0; i < ER_GAIT_WEIGHT_COUNT; ++i) {
        double *weight = er_gait_weight(out, i);
        *weight = reader_number(r, -1, names[i], 0.0, 1e6, *weight);
    }
    reader_done(r);
}

// The callback's place on the stack, 0 for none; a mix is left to the caller.
static int read_def(lua_State *L, int table, er_gait_def *out)
{
    static const char *const keys[] = {"best",    "modes",    "up", "forward", "feet", "mix", "gravity",
                                       "weights", "progress", "hz", "speed",   "fps",  NULL};
    reader r = {.L = L};
    if (lua_isnil(L, table)) return 0;
    reader_check_keys(&r, table, keys);
    out->best = reader_whole(&r, table, "best", 1, 100, out->best);
    out->mode_count = reader_whole(&r, table, "modes", 1, 64, out->mode_count);
    out->up = read_way(&r, table, "up");
    out->forward = read_way(&r, table, "forward");
    out->feet = reader_text(&r, table, "feet", NULL);
    out->hz = reader_number(&r, table, "hz", 0.0, 1e3, 0.0);
    out->speed = reader_number(&r, table, "speed", 0.0, 1e6, 0.0);
    out->fps = reader_number(&r, table, "fps", 0.0, 1e5, out->fps);
    out->gravity = reader_number(&r, table, "gravity", 1e-6, 1e6, 0.0);
    read_weights(&r, table, &out->weights);
    return script_read_progress(&r, table);
}

// The field `mix`, fitted; NULL without one. It stays on the stack.
static const er_mix *read_mix(lua_State *L, int table)
{
    if (lua_isnil(L, table)) return NULL;
    lua_pushliteral(L, "mix");
    if (lua_rawget(L, table) == LUA_TNIL) return NULL;
    script_push_mix(L, 1, -1);
    return script_check_mix(L, -1);
}

script_gaits *script_push_gaits(lua_State *L)
{
    script_gaits *g = lua_newuserdatauv(L, sizeof *g, GAITS_VALUES);
    int at = lua_gettop(L);
    *g = (script_gaits){0};
    luaL_setmetatable(L, script_gaits_class.name);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, at, GAITS_MODEL);
    script_push_modes(L, 1, 0);
    g->modes = lua_touserdata(L, -1);
    lua_setiuservalue(L, at, GAITS_MODES);
    g->gaits = script_push_handle(L, destroy_gaits);
    lua_setiuservalue(L, at, GAITS_GAITS);
    return g;
}

static void warn_notes(lua_State *L, const char *path, const er_gait_body *body)
{
    script_warner ear = {L, path};
    project_listener listener = script_listener(&ear);
    for (int i = 0; i < body->note_count; ++i)
        project_notify(&listener, body->note[i].kind, "%s", body->note[i].text);
}

int script_model_gaits(lua_State *L)
{
    er_gait_def def = er_default_gait_def();
    er_gaits *found = NULL;
    def.fps = 60.0;
    script_check_model(L, 1);
    lua_settop(L, 2);
    script_expand_shorthand(L, 2, "best");
    script_pause_gc(L);
    int callback = read_def(L, 2, &def);
    const er_mix *mix = read_mix(L, 2);
    script_gaits *g = script_push_gaits(L);
    int at = lua_gettop(L);
    const script_model *m = script_check_model(L, 1);
    const er_rig *rig = script_rig_of(m);
    const er_model *model = script_model_of(m);
    if (def.feet == NULL) def.feet = m->feet;
    if (er_v3_norm(def.forward) == 0.0) def.forward = m->forward;
    er_context *context = script_context(L);
    script_progress watch = script_progress_begin(L, callback);
    def.progress = callback > 0 ? script_progress_tell : NULL;
    def.user = &watch;
    er_result r = mix != NULL ? er_gait_of_mix(context, model, rig, g->modes->modes->object, mix, &def, &found)
                              : er_gaits_find(context, model, rig, g->modes->modes->object, &def, &found);
    g->gaits->object = found;
    script_progress_end(&watch, r);
    warn_notes(L, m->path, found->body);
    lua_settop(L, at);
    return 1;
}

// --- all of them

static const er_gaits *check_all(lua_State *L)
{
    script_gaits *of;
    return script_check_gaits(L, 1, &of);
}

SCRIPT_PUSHES(get_count, lua_pushinteger, check_all(L)->count)
SCRIPT_PUSHES(get_tried, lua_pushinteger, check_all(L)->tried)
SCRIPT_PUSHES(get_up, script_push_vec3, check_all(L)->body->up)
SCRIPT_PUSHES(get_forward, script_push_vec3, check_all(L)->body->forward)
SCRIPT_PUSHES(get_facing, lua_pushnumber, check_all(L)->body->facing)
SCRIPT_PUSHES(get_symmetry, lua_pushnumber, check_all(L)->body->symmetry)
SCRIPT_PUSHES(get_leg, lua_pushnumber, check_all(L)->body->leg)

static int get_notes(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_gait_body *body = check_all(L)->body;
    lua_createtable(L, body->note_count, 0);
    for (int i = 0; i < body->note_count; ++i) {
        lua_pushstring(L, body->note[i].text);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// A table for every foot: name, sole and trunk (names of bodies), reach.
static int get_feet(lua_State *L)
{
    script_gaits *of;
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_gait_body *body = script_check_gaits(L, 1, &of)->body;
    const er_model *model = of->modes->model;
    lua_createtable(L, body->foot_count, 0);
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        lua_createtable(L, 0, 5);
        script_set_text(L, "name", foot->name);
        script_set_text(L, "body", model->body[foot->body].name);
        script_set_text(L, "sole", model->body[foot->sole].name);
        script_set_text(L, "trunk", model->body[foot->trunk].name);
        script_set_number(L, "reach", foot->reach);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// gaits[k], 1 for the best; nil beyond the last, so that loops can end.
static int gait_at(lua_State *L)
{
    const er_gaits *gaits = check_all(L);
    int whole = 0;
    lua_Integer place = lua_tointegerx(L, 2, &whole);
    if (!whole || place < 1 || place > gaits->count)
        lua_pushnil(L);
    else
        script_push_gait(L, 1, (int)place - 1);
    return 1;
}

// gaits:named("trot"); nil if there is none.
static int named(lua_State *L)
{
    const er_gaits *gaits = check_all(L);
    const er_gait *gait = er_gaits_named(gaits, luaL_checkstring(L, 2));
    if (gait == NULL)
        lua_pushnil(L);
    else
        script_push_gait(L, 1, (int)(gait - gaits->gait));
    return 1;
}

static const char *check_drawing_path(lua_State *L, int argument)
{
    const char *path = luaL_checkstring(L, argument);
    if (!er_path_ends_in(path, ".svg") && strcmp(path, "-") != 0) luaL_error(L, "\"%s\" does not end in .svg", path);
    return path;
}

// gaits:footfalls(path): when feet stand, SVG.
static int footfalls(lua_State *L)
{
    script_gaits *of;
    const char *path = check_drawing_path(L, 2);
    const er_gaits *gaits = script_check_gaits(L, 1, &of);
    script_check(L, er_gaits_plot_footfalls(script_context(L), gaits, of->modes->model->name, path));
    return 0;
}

const er_gait_motion **script_push_gait_motions(lua_State *L, const script_gaits *of, int first, int count, double fps)
{
    const er_gaits *gaits = of->gaits->object;
    const er_gait_motion **motion = reader_push_array(L, (size_t)count, sizeof *motion);
    int list = lua_gettop(L);
    luaL_checkstack(L, count + LUA_MINSTACK, NULL);
    for (int i = 0; i < count; ++i) {
        er_gait_motion *made = NULL;
        handle *h = script_push_handle(L, destroy_motion);
        script_check(L, er_gait_move(script_context(L), of->modes->model, of->modes->modes->object, gaits,
                                     &gaits->gait[first + i], fps, &made));
        h->object = made;
        motion[i] = made;
    }
    lua_pushvalue(L, list);
    return motion;
}

// gaits:strip(path): stick figures over a stride, SVG.
static int strip(lua_State *L)
{
    enum { FPS = 60 };
    script_gaits *of;
    const char *path = check_drawing_path(L, 2);
    lua_settop(L, 2);
    script_pause_gc(L);
    const er_gaits *gaits = script_check_gaits(L, 1, &of);
    const er_gait_motion **motion = script_push_gait_motions(L, of, 0, gaits->count, FPS);
    script_check(L, er_gaits_plot_strides(script_context(L), gaits, motion, of->modes->model->name, path));
    return 0;
}

static int close_gaits(lua_State *L)
{
    script_gaits *g = luaL_checkudata(L, 1, script_gaits_class.name);
    script_close_handle(L, g->gaits);
    return 0;
}

static int gaits_text(lua_State *L)
{
    const script_gaits *g = luaL_checkudata(L, 1, script_gaits_class.name);
    const er_gaits *gaits = g->gaits != NULL ? g->gaits->object : NULL;
    if (gaits == NULL)
        lua_pushstring(L, "gaits (closed)");
    else
        lua_pushfstring(L, "%d gait%s", gaits->count, eri_plural(gaits->count));
    return 1;
}

static const luaL_Reg gaits_methods[] = {
    {"named", named}, {"footfalls", footfalls}, {"strip", strip}, {"close", close_gaits}, {NULL, NULL}};
static const luaL_Reg gaits_getters[] = {{"count", get_count},
                                         {"tried", get_tried},
                                         {"up", get_up},
                                         {"forward", get_forward},
                                         {"facing", get_facing},
                                         {"leg", get_leg},
                                         {"symmetry", get_symmetry},
                                         {"notes", get_notes},
                                         {"feet", get_feet},
                                         {NULL, NULL}};
static const luaL_Reg gaits_meta[] = {
    {"__len", get_count}, {"__close", close_gaits}, {"__tostring", gaits_text}, {NULL, NULL}};
const script_class script_gaits_class = {"eigenrig.gaits", gaits_methods, gaits_getters, NULL, gaits_meta, gait_at};

// --- one gait

static const er_gait *check_one(lua_State *L)
{
    script_gaits *of;
    return script_check_gait(L, 1, &of);
}

SCRIPT_PUSHES(get_name, lua_pushstring, check_one(L)->name)
SCRIPT_PUSHES(get_family, lua_pushstring, er_gait_family_name(check_one(L)->family))
SCRIPT_PUSHES(get_hz, lua_pushnumber, check_one(L)->hz)
SCRIPT_PUSHES(get_own_hz, lua_pushnumber, check_one(L)->own_hz)
SCRIPT_PUSHES(get_speed, lua_pushnumber, check_one(L)->speed)
SCRIPT_PUSHES(get_froude, lua_pushnumber, check_one(L)->froude)
SCRIPT_PUSHES(get_stride, lua_pushnumber, check_one(L)->stride)
SCRIPT_PUSHES(get_slip, lua_pushnumber, check_one(L)->slip)
SCRIPT_PUSHES(get_clearance, lua_pushnumber, check_one(L)->clearance)
SCRIPT_PUSHES(get_bob, lua_pushnumber, check_one(L)->bob)
SCRIPT_PUSHES(get_flight, lua_pushnumber, check_one(L)->flight)
SCRIPT_PUSHES(get_duty, lua_pushnumber, check_one(L)->duty)
SCRIPT_PUSHES(get_cost, lua_pushnumber, check_one(L)->cost)
SCRIPT_PUSHES(get_score, lua_pushnumber, check_one(L)->score)

// A table for every foot: foot (its name), duty, phase, clearance.
static int get_steps(lua_State *L)
{
    script_gaits *of;
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_gait *gait = script_check_gait(L, 1, &of);
    const er_gait_body *body = ((const er_gaits *)of->gaits->object)->body;
    lua_createtable(L, body->foot_count, 0);
    for (int i = 0; i < body->foot_count; ++i) {
        lua_createtable(L, 0, 4);
        script_set_text(L, "foot", body->foot[i].name);
        script_set_number(L, "duty", gait->step[i].duty);
        script_set_number(L, "phase", gait->step[i].phase);
        script_set_number(L, "clearance", gait->step[i].clearance);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// Its mix, of the model as it stands.
static int get_mix(lua_State *L)
{
    script_gaits *of;
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_gait *gait = script_check_gait(L, 1, &of);
    lua_getiuservalue(L, 1, 1);
    lua_getiuservalue(L, -1, GAITS_MODEL);
    script_push_library_mix(L, -1, gait->mix);
    return 1;
}

static int gait_text(lua_State *L)
{
    const er_gait *gait = check_one(L);
    lua_pushfstring(L, "gait \"%s\": %f m/s", gait->name, gait->speed);
    return 1;
}

static const luaL_Reg gait_getters[] = {{"name", get_name},
                                        {"family", get_family},
                                        {"hz", get_hz},
                                        {"own_hz", get_own_hz},
                                        {"speed", get_speed},
                                        {"froude", get_froude},
                                        {"stride", get_stride},
                                        {"slip", get_slip},
                                        {"clearance", get_clearance},
                                        {"bob", get_bob},
                                        {"flight", get_flight},
                                        {"duty", get_duty},
                                        {"cost", get_cost},
                                        {"score", get_score},
                                        {"steps", get_steps},
                                        {"mix", get_mix},
                                        {NULL, NULL}};
static const luaL_Reg gait_meta[] = {{"__tostring", gait_text}, {NULL, NULL}};
const script_class script_gait_class = {"eigenrig.gait", NULL, gait_getters, NULL, gait_meta, NULL};
