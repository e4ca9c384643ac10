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
static const char *const shadings[] = {"flat", "gouraud", "phong", "wireframe", NULL};
static const char *const polygons[] = {"fill", "line", "point", NULL};
static const char *const shown[] = {"actors", "joints", "both", NULL};
static const char *const paces[] = {"clock", "picture", NULL};

// The plain fields of a scene, by their names in the two structs. Each can be given, set later and read.
#define SETTINGS(X)                                                                                                    \
    X(step, SETTING_NUMBER, .least = 1e-6, .most = 1)                                                                  \
    X(length, SETTING_NUMBER, .most = 1e6)                                                                             \
    X(substeps, SETTING_WHOLE, .least = 1, .most = 1000)                                                               \
    X(stiffness, SETTING_NUMBER, .least = 1e-3, .most = 1e6)                                                           \
    X(threads, SETTING_WHOLE, .least = 1, .most = 8)                                                                   \
    X(sleep_time, SETTING_NUMBER, .most = 1e6)                                                                         \
    X(sleep_speed, SETTING_NUMBER, .most = 1e6)                                                                        \
    X(erp, SETTING_NUMBER, .most = 1)                                                                                  \
    X(cfm, SETTING_NUMBER, .most = 1e50)                                                                               \
    X(iterations, SETTING_WHOLE, .least = 1, .most = 1e6)                                                              \
    X(accuracy, SETTING_NUMBER, .most = 1)                                                                             \
    X(relaxation, SETTING_NUMBER, .least = 0.01, .most = 1.99)                                                         \
    X(cone, SETTING_FLAG, .most = 1)
#define VIEW(X)                                                                                                        \
    X(shading, SETTING_CHOICE, .choices = shadings)                                                                    \
    X(polygons, SETTING_CHOICE, .choices = polygons)                                                                   \
    X(shown, SETTING_CHOICE, .choices = shown)                                                                         \
    X(pace, SETTING_CHOICE, .choices = paces)                                                                          \
    X(shadows, SETTING_FLAG, .most = 1)

#define SETTING_ROW(field, type, ...) {#field, {.kind = type, .place = offsetof(engine_settings, field), __VA_ARGS__}},
#define VIEW_ROW(field, type, ...) {#field, {.kind = type, .place = offsetof(engine_view, field), __VA_ARGS__}},
#define KEY_OF(field, ...) #field,
#define GETTER_OF(field, ...) {#field, get_plain},
#define SETTER_OF(field, ...) {#field, set_any},

typedef struct plain_field {
    const char *key;
    setting of;
} plain_field;

static const plain_field plain_settings[] = {SETTINGS(SETTING_ROW){.key = NULL}};
static const plain_field plain_view[] = {VIEW(VIEW_ROW){.key = NULL}};

static void read_plain(reader *r, int table, const plain_field *field, void *out)
{
    for (; field->key != NULL; ++field)
        reader_setting(r, table, field->key, &field->of, out);
}

static bool read_settings(reader *r, int table, engine_settings *out)
{
    engine_settings old = *out;
    out->gravity = script_read_vec3(r, table, "gravity", old.gravity);
    out->reference = reader_choice(r, table, "solver", solvers, 2, old.reference) == 1;
    read_plain(r, table, plain_settings, out);
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
    read_plain(r, table, plain_view, v);
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
        SETTINGS(KEY_OF) VIEW(KEY_OF) "gravity", "solver", "ambient", "camera", "background", "script", "name", NULL};
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
    lua_newtable(L);
    lua_setiuservalue(L, 2, SCENE_WALKERS);
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
SCRIPT_PUSHES(get_gravity, script_push_vec3, engine_get_settings(script_check_scene(L, 1))->gravity)
SCRIPT_PUSHES(get_solver, lua_pushstring, solvers[engine_get_settings(script_check_scene(L, 1))->reference])
SCRIPT_PUSHES(get_ambient, script_push_colour, engine_get_view(script_check_scene(L, 1))->ambient)

// Pushes the field whose name is at index 2, if it is one of these.
static bool push_plain(lua_State *L, const plain_field *field, const void *of)
{
    const char *key = lua_tostring(L, 2);
    while (field->key != NULL && strcmp(field->key, key) != 0)
        ++field;
    if (field->key == NULL) return false;
    const void *at = (const char *)of + field->of.place;
    switch (field->of.kind) {
    case SETTING_NUMBER:
        lua_pushnumber(L, *(const double *)at);
        break;
    case SETTING_WHOLE:
        lua_pushinteger(L, *(const int *)at);
        break;
    case SETTING_CHOICE:
        lua_pushstring(L, field->of.choices[*(const int *)at]);
        break;
    default:
        lua_pushboolean(L, *(const bool *)at);
    }
    return true;
}

static int get_plain(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    if (!push_plain(L, plain_settings, engine_get_settings(e))) push_plain(L, plain_view, engine_get_view(e));
    return 1;
}

// As scene.background takes it.
static int get_background(lua_State *L)
{
    const engine_view *v = engine_get_view(script_check_scene(L, 1));
    lua_createtable(L, 0, 3);
    script_push_colour(L, v->top);
    lua_setfield(L, -2, "top");
    script_push_colour(L, v->bottom);
    lua_setfield(L, -2, "bottom");
    if (v->background == ENGINE_BITMAP) script_set_text(L, "picture", v->picture);
    if (v->background != ENGINE_ENVIRONMENT) return 1;
    if (*v->picture != '\0')
        script_set_text(L, "sky", v->picture);
    else
        script_set_flag(L, "sky", true);
    return 1;
}

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

// Pushes a list of the objects of one class.
static int push_objects(lua_State *L, const char *class, int (*count)(const engine *e),
                        int (*id)(const engine *e, int index))
{
    const engine *e = script_check_scene(L, 1);
    lua_createtable(L, count(e), 0);
    for (int i = 0; i < count(e); ++i) {
        script_push_object(L, 1, class, id(e, i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int actor_id(const engine *e, int index)
{
    return engine_actor_at(e, index)->id;
}

static int joint_id(const engine *e, int index)
{
    return engine_joint_at(e, index)->id;
}

static int light_id(const engine *e, int index)
{
    return engine_light_at((engine *)(uintptr_t)e, index)->id;
}

static int push_actors(lua_State *L)
{
    return push_objects(L, SCRIPT_ACTOR, engine_actor_count, actor_id);
}

static int push_joints(lua_State *L)
{
    return push_objects(L, SCRIPT_SCENE_JOINT, engine_joint_count, joint_id);
}

static int push_lights(lua_State *L)
{
    return push_objects(L, SCRIPT_LIGHT, engine_light_count, light_id);
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
                                   {"rope", script_scene_rope},
                                   {"rod", script_scene_rod},
                                   {"pulley", script_scene_pulley},
                                   {"gear", script_scene_gear},
                                   {"add", script_scene_add},
                                   {"material", script_scene_material},
                                   {"light", script_scene_light},
                                   {"actors", push_actors},
                                   {"joints", push_joints},
                                   {"lights", push_lights},
                                   {"contacts", script_scene_contacts},
                                   {"save", script_scene_save},
                                   {"restore", script_scene_restore},
                                   {"ray", ray},
                                   {NULL, NULL}};
static const luaL_Reg getters[] = {SETTINGS(GETTER_OF) VIEW(GETTER_OF){"gravity", get_gravity},
                                   {"solver", get_solver},
                                   {"ambient", get_ambient},
                                   {"camera", get_camera},
                                   {"background", get_background},
                                   {"time", get_time},
                                   {"steps", get_steps},
                                   {"name", get_name},
                                   {"hash", get_hash},
                                   {"state", get_state},
                                   {"energy", get_energy},
                                   {"overlap", get_overlap},
                                   {NULL, NULL}};
static const luaL_Reg setters[] = {SETTINGS(SETTER_OF) VIEW(SETTER_OF){"gravity", set_any},
                                   {"solver", set_any},
                                   {"ambient", set_any},
                                   {"camera", set_any},
                                   {"background", set_any},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {{"__tostring", text}, {NULL, NULL}};
const script_class script_scene_class = {SCRIPT_SCENE, methods, getters, setters, meta, NULL};
