// eigenrig.scene{...}: a living scene, its rules, what it looks like, and what it is asked.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/scene/scene.h"
#include "base/suggest.h"

static const double degree = ER_PI / 180.0;

static script_scene *test_scene(lua_State *L, int index)
{
    return luaL_testudata(L, index, script_scene_class.name);
}

engine *script_check_scene(lua_State *L, int index)
{
    script_scene *s = luaL_checkudata(L, index, script_scene_class.name);
    if (s->engine == NULL || s->engine->object == NULL) luaL_argerror(L, index, "the scene has ended");
    return s->engine->object;
}

void script_keep(lua_State *L, int scene)
{
    lua_getiuservalue(L, scene, SCENE_KEPT);
    lua_insert(L, -2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    lua_pop(L, 1);
}

void script_push_thing(lua_State *L, int scene, const script_class *c, int id)
{
    scene = lua_absindex(L, scene);
    lua_getiuservalue(L, scene, SCENE_OBJECTS);
    if (lua_rawgeti(L, -1, id) == LUA_TNIL) {
        lua_pop(L, 1);
        script_thing *t = lua_newuserdatauv(L, sizeof *t, 1);
        t->id = id;
        luaL_setmetatable(L, c->name);
        lua_pushvalue(L, scene);
        lua_setiuservalue(L, -2, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, id);
    }
    lua_remove(L, -2);
}

int script_check_thing(lua_State *L, int index, const script_class *c, engine **e)
{
    const script_thing *t = luaL_checkudata(L, index, c->name);
    lua_getiuservalue(L, index, 1);
    *e = script_check_scene(L, lua_gettop(L));
    return t->id;
}

// ---- Rules and view

static const char *const solvers[] = {"fast", "reference"};
static const char *const shadings[] = {"flat", "gouraud", "phong", "wireframe"};
static const char *const polygons[] = {"fill", "line", "point"};
static const char *const shown[] = {"actors", "joints", "both"};

static bool read_rules(reader *r, int table, engine_rules *out)
{
    engine_rules old = *out;
    out->gravity = script_read_vec3(r, table, "gravity", old.gravity);
    out->step = reader_number(r, table, "step", 1e-6, 1, old.step);
    out->length = reader_number(r, table, "length", 0, 1e6, old.length);
    out->substeps = reader_whole(r, table, "substeps", 1, 1000, old.substeps);
    out->stiffness = reader_number(r, table, "stiffness", 1e-3, 1e6, old.stiffness);
    out->threads = reader_whole(r, table, "threads", 1, 8, old.threads);
    out->sleep_time = reader_number(r, table, "sleep_time", 0, 1e6, old.sleep_time);
    out->sleep_speed = reader_number(r, table, "sleep_speed", 0, 1e6, old.sleep_speed);
    out->reference = reader_choice(r, table, "solver", solvers, 2, old.reference) == 1;
    out->erp = reader_number(r, table, "erp", 0, 1, old.erp);
    out->cfm = reader_number(r, table, "cfm", 0, 1e50, old.cfm);
    out->iterations = reader_whole(r, table, "iterations", 1, 1000000, old.iterations);
    return memcmp(&old, out, sizeof old) != 0;
}

static void read_camera(lua_State *L, reader *r, engine *e)
{
    static const char *const keys[] = {"eye", "target", "fov", "follow", NULL};
    engine_view *v = engine_view_of(e);
    int table = lua_gettop(L);
    reader_check_keys(r, table, keys);
    v->eye = script_read_vec3(r, table, "eye", v->eye);
    v->target = script_read_vec3(r, table, "target", v->target);
    v->fov = degree * reader_number(r, table, "fov", 1, 170, v->fov / degree);
    if (!reader_field(r, table, "follow")) return;
    const script_thing *a = luaL_testudata(L, -1, script_actor_class.name);
    if (a == NULL && lua_toboolean(L, -1)) reader_wrong(r, "expected an actor, or false");
    v->follow = a != NULL ? a->id : 0;
    const engine_actor *seen = engine_find_actor(e, v->follow);
    if (seen != NULL) v->followed = er_pose_point(seen->pose, seen->centre);
    reader_done(r);
}

// background = colour, {top, bottom}, or {picture = "a.png"}, {sky = true}, {sky = "around.png"}
static void read_background(lua_State *L, reader *r, engine *e)
{
    static const char *const keys[] = {"colour", "top", "bottom", "picture", "sky", NULL};
    engine_view *v = engine_view_of(e);
    int table = lua_gettop(L);
    if (!lua_istable(L, table)) reader_wrong(r, "expected a table with colour, top and bottom, picture, or sky");
    reader_check_keys(r, table, keys);
    const char *picture = reader_text(r, table, "picture", NULL);
    bool sky = lua_getfield(L, table, "sky") != LUA_TNIL && (lua_type(L, -1) == LUA_TSTRING || lua_toboolean(L, -1));
    const char *around = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    const char *path = around != NULL ? around : picture != NULL ? picture : "";
    if (strlen(path) >= sizeof v->picture) reader_wrong(r, "the path is too long");
    snprintf(v->picture, sizeof v->picture, "%s", path);
    v->background = sky ? ENGINE_ENVIRONMENT : picture != NULL ? ENGINE_BITMAP : ENGINE_COLOUR;
    script_read_colour(r, table, "colour", v->top);
    script_read_colour(r, table, "colour", v->bottom);
    script_read_colour(r, table, "top", v->top);
    script_read_colour(r, table, "bottom", v->bottom);
}

static void read_view(lua_State *L, reader *r, int table, engine *e)
{
    engine_view *v = engine_view_of(e);
    int top = lua_gettop(L);
    script_read_colour(r, table, "ambient", v->ambient);
    v->shading = (engine_shading)reader_choice(r, table, "shading", shadings, 4, (int)v->shading);
    v->polygons = (engine_polygons)reader_choice(r, table, "polygons", polygons, 3, (int)v->polygons);
    v->shown = (engine_shown)reader_choice(r, table, "shown", shown, 3, (int)v->shown);
    v->shadows = reader_flag(r, table, "shadows", v->shadows);
    if (reader_field(r, table, "camera")) {
        read_camera(L, r, e);
        lua_settop(L, top + 1);
        reader_done(r);
    }
    if (reader_field(r, table, "background")) {
        read_background(L, r, e);
        lua_settop(L, top + 1);
        reader_done(r);
    }
}

// ---- Making one

static void destroy_engine(void *object)
{
    engine_destroy(object);
}

static void push_weak(lua_State *L)
{
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
}

static const char last_key = 0; // in the registry: the scene that was made last

static int new_scene(lua_State *L)
{
    static const char *const keys[] = {"gravity",    "length",      "step",     "substeps", "stiffness", "threads",
                                       "sleep_time", "sleep_speed", "solver",   "erp",      "cfm",       "iterations",
                                       "ambient",    "shading",     "polygons", "shown",    "shadows",   "camera",
                                       "background", "script",      "name",     NULL};
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    reader r = {.L = L};
    reader_check_keys(&r, 1, keys);
    script_scene *s = lua_newuserdatauv(L, sizeof *s, SCENE_VALUES); // 2
    *s = (script_scene){0};
    luaL_setmetatable(L, script_scene_class.name);
    engine *e = NULL;
    handle *h = script_push_handle(L, destroy_engine);
    script_check(L, engine_create(script_context(L), &e));
    h->object = e;
    lua_setiuservalue(L, 2, SCENE_ENGINE);
    s->engine = h;
    push_weak(L);
    lua_setiuservalue(L, 2, SCENE_OBJECTS);
    lua_newtable(L);
    lua_setiuservalue(L, 2, SCENE_KEPT);
    lua_newtable(L);
    lua_setiuservalue(L, 2, SCENE_LEADERS);
    if (reader_field(&r, 1, "script")) {
        if (!lua_isfunction(L, -1)) reader_wrong(&r, "expected a function(script)");
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, 2, SCENE_ENTRY);
        reader_done(&r);
    }
    lua_pushstring(L, reader_text(&r, 1, "name", "scene"));
    lua_setiuservalue(L, 2, SCENE_NAME);
    engine_rules rules = *engine_rules_of(e);
    read_rules(&r, 1, &rules);
    script_check(L, engine_set_rules(e, &rules));
    read_view(L, &r, 1, e);
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &last_key);
    return 1;
}

bool script_push_last_scene(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &last_key);
    return test_scene(L, -1) != NULL;
}

const luaL_Reg script_scene_functions[] = {{"scene", new_scene}, {NULL, NULL}};

// ---- Fields

SCRIPT_PUSHES(get_time, lua_pushnumber, engine_time(script_check_scene(L, 1)))
SCRIPT_PUSHES(get_steps, lua_pushinteger, engine_steps(script_check_scene(L, 1)))
SCRIPT_PUSHES(get_step, lua_pushnumber, engine_rules_of(script_check_scene(L, 1))->step)
SCRIPT_PUSHES(get_length, lua_pushnumber, engine_rules_of(script_check_scene(L, 1))->length)
SCRIPT_PUSHES(get_gravity, script_push_vec3, engine_rules_of(script_check_scene(L, 1))->gravity)
SCRIPT_PUSHES(get_threads, lua_pushinteger, engine_rules_of(script_check_scene(L, 1))->threads)
SCRIPT_PUSHES(get_shading, lua_pushstring, shadings[engine_view_of(script_check_scene(L, 1))->shading])
SCRIPT_PUSHES(get_polygons, lua_pushstring, polygons[engine_view_of(script_check_scene(L, 1))->polygons])
SCRIPT_PUSHES(get_shown, lua_pushstring, shown[engine_view_of(script_check_scene(L, 1))->shown])

static int get_name(lua_State *L)
{
    script_check_scene(L, 1);
    lua_getiuservalue(L, 1, SCENE_NAME);
    return 1;
}

static int get_hash(lua_State *L)
{
    char text[24];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)engine_hash(script_check_scene(L, 1)));
    lua_pushstring(L, text);
    return 1;
}

static int get_state(lua_State *L)
{
    script_check_scene(L, 1);
    script_call_sequencers(L, "state", 1, 0);
    return 1;
}

static int get_camera(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    const engine_view *v = engine_view_of(e);
    lua_createtable(L, 0, 4);
    script_push_vec3(L, v->eye);
    lua_setfield(L, -2, "eye");
    script_push_vec3(L, v->target);
    lua_setfield(L, -2, "target");
    lua_pushnumber(L, v->fov / degree);
    lua_setfield(L, -2, "fov");
    if (engine_find_actor(e, v->follow) == NULL) return 1;
    script_push_thing(L, 1, &script_actor_class, v->follow);
    lua_setfield(L, -2, "follow");
    return 1;
}

static int push_actors(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    int count = engine_actor_count(e);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        script_push_thing(L, 1, &script_actor_class, engine_actor_at(e, i)->id);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int push_joints(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    int count = engine_joint_count(e);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        script_push_thing(L, 1, &script_tie_class, engine_joint_at(e, i)->id);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// Work, heat and the rest of the world as it is now.
static int get_energy(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    er_world *w = engine_world(e);
    er_world_energy energy = {0};
    if (w != NULL) energy = er_world_measure_energy(w);
    const struct {
        const char *name;
        double value;
    } of[] = {{"kinetic", energy.kinetic},       {"potential", energy.potential}, {"elastic", energy.elastic},
              {"mechanical", energy.mechanical}, {"work", energy.work},           {"heat", energy.heat}};
    lua_createtable(L, 0, 6);
    for (int i = 0; i < 6; ++i) {
        lua_pushnumber(L, of[i].value);
        lua_setfield(L, -2, of[i].name);
    }
    return 1;
}

// The deepest overlap of the last step, m, 0 or more.
static int get_overlap(lua_State *L)
{
    er_world *w = engine_world(script_check_scene(L, 1));
    double deepest = 0.0;
    for (int i = 0; w != NULL && i < er_world_contact_count(w); ++i)
        deepest = fmax(deepest, -er_world_contact(w, i).distance);
    lua_pushnumber(L, deepest);
    return 1;
}

// A field is set as the table that makes a scene has it.
static int set_any(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    lua_createtable(L, 0, 1); // 4
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_rawset(L, 4);
    engine_rules rules = *engine_rules_of(e);
    if (read_rules(&r, 4, &rules)) script_check(L, engine_set_rules(e, &rules));
    read_view(L, &r, 4, e);
    return 0;
}

// ---- Asked

// scene:ray(from, direction, most): the actor it meets first, and where; nil
static int ray(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    er_vec3 from, way, point;
    if (!reader_to_vec3(L, 2, &from)) luaL_typeerror(L, 2, "vec3");
    if (!reader_to_vec3(L, 3, &way)) luaL_typeerror(L, 3, "vec3");
    way = er_v3_unit(way, er_v3(0, 0, 0));
    luaL_argcheck(L, er_v3_norm(way) > 0.0, 3, "a direction has a length");
    int id = engine_ray(e, from, way, luaL_optnumber(L, 4, HUGE_VAL), &point);
    if (id == 0) return 0;
    script_push_thing(L, 1, &script_actor_class, id);
    script_push_vec3(L, point);
    return 2;
}

static int text(lua_State *L)
{
    script_scene *s = luaL_checkudata(L, 1, script_scene_class.name);
    const engine *e = s->engine != NULL ? s->engine->object : NULL;
    if (e == NULL)
        lua_pushliteral(L, "scene (ended)");
    else {
        char line[128];
        snprintf(line, sizeof line, "scene: %d actors, %d joints, %.3f s", engine_actor_count(e), engine_joint_count(e),
                 engine_time(e));
        lua_pushstring(L, line);
    }
    return 1;
}

static const luaL_Reg methods[] = {{"actor", script_scene_actor},
                                   {"joint", script_scene_joint},
                                   {"add", script_scene_add},
                                   {"material", script_scene_material},
                                   {"light", script_scene_light},
                                   {"actors", push_actors},
                                   {"joints", push_joints},
                                   {"ray", ray},
                                   {NULL, NULL}};
static const luaL_Reg getters[] = {
    {"time", get_time},       {"steps", get_steps},     {"step", get_step},       {"length", get_length},
    {"gravity", get_gravity}, {"threads", get_threads}, {"shading", get_shading}, {"polygons", get_polygons},
    {"shown", get_shown},     {"name", get_name},       {"hash", get_hash},       {"state", get_state},
    {"camera", get_camera},   {"energy", get_energy},   {"overlap", get_overlap}, {NULL, NULL}};
static const luaL_Reg setters[] = {
    {"gravity", set_any},   {"length", set_any},  {"step", set_any},       {"substeps", set_any},
    {"stiffness", set_any}, {"threads", set_any}, {"sleep_time", set_any}, {"sleep_speed", set_any},
    {"solver", set_any},    {"erp", set_any},     {"cfm", set_any},        {"iterations", set_any},
    {"ambient", set_any},   {"shading", set_any}, {"polygons", set_any},   {"shown", set_any},
    {"shadows", set_any},   {"camera", set_any},  {"background", set_any}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__tostring", text}, {NULL, NULL}};
const script_class script_scene_class = {"eigenrig.scene", methods, getters, setters, meta, NULL};

// ---- Sequencers

static const char sequencers_key = 0; // in the registry: what sequencers.lua returned

void script_call_sequencers(lua_State *L, const char *name, int scene, int arguments)
{
    scene = lua_absindex(L, scene);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &sequencers_key);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
    lua_insert(L, -1 - arguments);
    lua_pushvalue(L, scene);
    lua_insert(L, -1 - arguments);
    lua_call(L, arguments + 1, 1);
}

static int native_steps(lua_State *L)
{
    lua_pushinteger(L, engine_steps(script_check_scene(L, 1)));
    return 1;
}

static int native_step(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    script_lead_characters(L, 1);
    er_result r = engine_step(e);
    if (r == ER_OK) return 0;
    const char *said = er_context_error(script_context(L));
    script_report(L, lua_pushfstring(L, "physics: %s", *said != '\0' ? said : er_result_name(r)));
    return 0;
}

static int native_entry(lua_State *L)
{
    script_check_scene(L, 1);
    lua_getiuservalue(L, 1, SCENE_ENTRY);
    return 1;
}

// A list of {actor, actor, begins, point, impulse}.
static int native_touches(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    int count = engine_touch_count(e), at = 0;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        const engine_touch *t = engine_touch_at(e, i);
        if (engine_find_actor(e, t->actor[0]) == NULL || engine_find_actor(e, t->actor[1]) == NULL) continue;
        lua_createtable(L, 2, 3);
        for (int k = 0; k < 2; ++k) {
            script_push_thing(L, 1, &script_actor_class, t->actor[k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_pushboolean(L, t->begins);
        lua_setfield(L, -2, "begins");
        script_push_vec3(L, t->point);
        lua_setfield(L, -2, "point");
        lua_pushnumber(L, t->impulse);
        lua_setfield(L, -2, "impulse");
        lua_rawseti(L, -2, ++at);
    }
    return 1;
}

static int native_report(lua_State *L)
{
    script_report(L, luaL_checkstring(L, 2));
    return 0;
}

// nearest(word, list): the one that is most like it; nil
static int native_nearest(lua_State *L)
{
    suggestion s = {.word = luaL_checkstring(L, 1)};
    luaL_checktype(L, 2, LUA_TTABLE);
    for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TSTRING; ++i)
        suggestion_try(&s, lua_tostring(L, -1)); // the table keeps it
    lua_pushstring(L, s.best);
    return 1;
}

static const char *const sequencers_text[] = {
#include <sequencers_text.h>
};

// The next line, for lua_load().
static const char *next_line(lua_State *L, void *user, size_t *size)
{
    size_t *line = user;
    (void)L;
    if (*line == sizeof sequencers_text / sizeof sequencers_text[0]) return NULL;
    const char *text = sequencers_text[(*line)++];
    *size = strlen(text);
    return text;
}

// Adds the functions of a table on the top of the stack to a class's methods, and pops it.
static void add_functions(lua_State *L, const script_class *c)
{
    enum { METHODS = 2 }; // upvalue of a class's __index
    int table = lua_gettop(L);
    luaL_getmetatable(L, c->name);
    lua_getfield(L, -1, "__index");
    lua_getupvalue(L, -1, METHODS);
    for (lua_pushnil(L); lua_next(L, table) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, table + 3);
    }
    lua_settop(L, table - 1);
}

void script_open_sequencers(lua_State *L)
{
    static const luaL_Reg native[] = {{"steps", native_steps},          {"step", native_step},
                                      {"entry", native_entry},          {"touches", native_touches},
                                      {"report", native_report},        {"nearest", native_nearest},
                                      {"call", script_budget_call},     {"thread", script_budget_thread},
                                      {"resume", script_budget_resume}, {NULL, NULL}};
    size_t line = 0;
    if (lua_load(L, next_line, &line, "=eigenrig", "t") != LUA_OK) lua_error(L);
    lua_newtable(L);
    luaL_setfuncs(L, native, 0);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "scene");
    add_functions(L, &script_scene_class);
    lua_getfield(L, -1, "actor");
    add_functions(L, &script_actor_class);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &sequencers_key);
}
