// eigenrig.scene{...}: a living scene, its settings, its view, and its methods.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/scene/scene_script.h"

static const double degree = ER_PI / 180.0;

static script_scene *test_scene(lua_State *L, int index)
{
    return luaL_testudata(L, index, SCRIPT_SCENE);
}

// ---- Rules and view

static const char *const solvers[] = {"fast", "reference"};
static const char *const shadings[] = {"flat", "gouraud", "phong", "wireframe"};
static const char *const polygons[] = {"fill", "line", "point"};
static const char *const shown[] = {"actors", "joints", "both"};
static const char *const paces[] = {"clock", "picture"};

static bool read_settings(reader *r, int table, engine_settings *out)
{
    engine_settings old = *out;
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
    out->accuracy = reader_number(r, table, "accuracy", 0, 1, old.accuracy);
    out->relaxation = reader_number(r, table, "relaxation", 0.01, 1.99, old.relaxation);
    out->cone = reader_flag(r, table, "cone", old.cone);
    return memcmp(&old, out, sizeof old) != 0;
}

static void read_camera(lua_State *L, reader *r, engine *e)
{
    static const char *const keys[] = {"eye", "target", "fov", "follow", NULL};
    engine_view *v = engine_get_view(e);
    int table = lua_gettop(L);
    reader_check_keys(r, table, keys);
    v->eye = script_read_vec3(r, table, "eye", v->eye);
    v->target = script_read_vec3(r, table, "target", v->target);
    v->fov = degree * reader_number(r, table, "fov", 1, 170, v->fov / degree);
    if (!reader_field(r, table, "follow")) return;
    const script_object *a = luaL_testudata(L, -1, SCRIPT_ACTOR);
    if (a == NULL && lua_toboolean(L, -1)) reader_wrong(r, "expected an actor, or false");
    if (a != NULL) {
        lua_getiuservalue(L, -1, 1);
        if (script_check_scene(L, lua_gettop(L)) != e) reader_wrong(r, "the actor is of another scene");
        lua_pop(L, 1);
    }
    v->follow = a != NULL ? a->id : 0;
    const engine_actor *seen = engine_find_actor(e, v->follow);
    if (seen != NULL) v->followed = er_pose_point(seen->pose, seen->centre);
    reader_done(r);
}

// background = colour, {top, bottom}, or {picture = "a.png"}, {sky = true}, {sky = "around.png"}
static void read_background(lua_State *L, reader *r, engine *e)
{
    static const char *const keys[] = {"colour", "top", "bottom", "picture", "sky", NULL};
    engine_view *v = engine_get_view(e);
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
    engine_view *v = engine_get_view(e);
    int top = lua_gettop(L);
    script_read_colour(r, table, "ambient", v->ambient);
    v->shading = (engine_shading)reader_choice(r, table, "shading", shadings, 4, (int)v->shading);
    v->polygons = (engine_polygons)reader_choice(r, table, "polygons", polygons, 3, (int)v->polygons);
    v->shown = (engine_shown)reader_choice(r, table, "shown", shown, 3, (int)v->shown);
    v->pace = (engine_pace)reader_choice(r, table, "pace", paces, 2, (int)v->pace);
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

SCRIPT_DESTROYS(destroy_engine, engine_destroy)

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
    static const char *const keys[] = {
        "gravity", "length", "step",       "substeps", "stiffness",  "threads", "sleep_time", "sleep_speed", "solver",
        "erp",     "cfm",    "iterations", "accuracy", "relaxation", "cone",    "ambient",    "shading",     "polygons",
        "shown",   "pace",   "shadows",    "camera",   "background", "script",  "name",       NULL};
    lua_settop(L, 1);
    script_default_table(L, 1);
    reader r = {.L = L};
    reader_check_keys(&r, 1, keys);
    script_scene *s = lua_newuserdatauv(L, sizeof *s, SCENE_VALUES); // 2
    *s = (script_scene){0};
    luaL_setmetatable(L, SCRIPT_SCENE);
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
    engine_settings settings = *engine_get_settings(e);
    read_settings(&r, 1, &settings);
    script_check(L, engine_set_settings(e, &settings));
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
SCRIPT_PUSHES(get_step, lua_pushnumber, engine_get_settings(script_check_scene(L, 1))->step)
SCRIPT_PUSHES(get_length, lua_pushnumber, engine_get_settings(script_check_scene(L, 1))->length)
SCRIPT_PUSHES(get_gravity, script_push_vec3, engine_get_settings(script_check_scene(L, 1))->gravity)
SCRIPT_PUSHES(get_threads, lua_pushinteger, engine_get_settings(script_check_scene(L, 1))->threads)
SCRIPT_PUSHES(get_shading, lua_pushstring, shadings[engine_get_view(script_check_scene(L, 1))->shading])
SCRIPT_PUSHES(get_polygons, lua_pushstring, polygons[engine_get_view(script_check_scene(L, 1))->polygons])
SCRIPT_PUSHES(get_shown, lua_pushstring, shown[engine_get_view(script_check_scene(L, 1))->shown])

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
    const engine_view *v = engine_get_view(e);
    lua_createtable(L, 0, 4);
    script_push_vec3(L, v->eye);
    lua_setfield(L, -2, "eye");
    script_push_vec3(L, v->target);
    lua_setfield(L, -2, "target");
    script_set_number(L, "fov", v->fov / degree);
    if (engine_find_actor(e, v->follow) == NULL) return 1;
    script_push_object(L, 1, SCRIPT_ACTOR, v->follow);
    lua_setfield(L, -2, "follow");
    return 1;
}

static int push_objects(lua_State *L, bool actors)
{
    engine *e = script_check_scene(L, 1);
    int count = actors ? engine_actor_count(e) : engine_joint_count(e);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        if (actors)
            script_push_object(L, 1, SCRIPT_ACTOR, engine_actor_at(e, i)->id);
        else
            script_push_object(L, 1, SCRIPT_SCENE_JOINT, engine_joint_at(e, i)->id);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int push_actors(lua_State *L)
{
    return push_objects(L, true);
}

static int push_joints(lua_State *L)
{
    return push_objects(L, false);
}

// The energies of the world as it is now.
static int get_energy(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    er_world *w = engine_world(e);
    er_world_energy energy = {0};
    if (w != NULL) energy = er_world_measure_energy(w);
    script_push_energy(L, &energy);
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

// Sets a field with the value that eigenrig.scene{} takes for it.
static int set_any(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    script_push_assignment(L); // 4
    engine_settings settings = *engine_get_settings(e);
    if (read_settings(&r, 4, &settings)) script_check(L, engine_set_settings(e, &settings));
    read_view(L, &r, 4, e);
    return 0;
}

// ---- Asked

// scene:ray(from, direction, most): the first actor that it hits, and the point; nil if there is none
static int ray(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    er_vec3 point, from = script_check_vec3(L, 2), way = er_v3_unit(script_check_vec3(L, 3), er_v3(0, 0, 0));
    luaL_argcheck(L, er_v3_norm(way) > 0.0, 3, "a direction has a length");
    int id = engine_ray(e, from, way, luaL_optnumber(L, 4, HUGE_VAL), &point);
    if (id == 0) return 0;
    script_push_object(L, 1, SCRIPT_ACTOR, id);
    script_push_vec3(L, point);
    return 2;
}

static int text(lua_State *L)
{
    script_scene *s = luaL_checkudata(L, 1, SCRIPT_SCENE);
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
    {"gravity", set_any},   {"length", set_any},     {"step", set_any},       {"substeps", set_any},
    {"stiffness", set_any}, {"threads", set_any},    {"sleep_time", set_any}, {"sleep_speed", set_any},
    {"solver", set_any},    {"erp", set_any},        {"cfm", set_any},        {"iterations", set_any},
    {"accuracy", set_any},  {"relaxation", set_any}, {"cone", set_any},       {"ambient", set_any},
    {"shading", set_any},   {"polygons", set_any},   {"shown", set_any},      {"pace", set_any},
    {"shadows", set_any},   {"camera", set_any},     {"background", set_any}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__tostring", text}, {NULL, NULL}};
const script_class script_scene_class = {SCRIPT_SCENE, methods, getters, setters, meta, NULL};
