// Actors of a living scene, and its materials and lights.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/scene/scene_script.h"

// ---- Actors

static const engine_actor *check_actor(lua_State *L, int index, engine **e)
{
    int id = script_check_object(L, index, SCRIPT_ACTOR, e);
    const engine_actor *a = engine_find_actor(*e, id);
    if (a == NULL) luaL_argerror(L, index, "the actor was removed from its scene");
    lua_settop(L, lua_gettop(L) - 1);
    return a;
}

static const engine_actor *actor_of(lua_State *L)
{
    engine *e;
    return check_actor(L, 1, &e);
}

static const char *const motions[] = {"still", "moved", "led", NULL};

static void read_groups(reader *r, int table, uint32_t *groups, uint32_t *ignores)
{
    *groups = (uint32_t)reader_number(r, table, "groups", 0, 4294967295.0, *groups);
    *ignores = (uint32_t)reader_number(r, table, "ignores", 0, 4294967295.0, *ignores);
}

// scene:actor{...}
int script_scene_actor(lua_State *L)
{
    static const char *const keys[] = {"name",    "motion",           "at",
                                       "turn",    "orientation",      "velocity",
                                       "spin",    "surface_velocity", "surface_spin",
                                       "mass",    "hidden",           "groups",
                                       "ignores", "sensor",           SCRIPT_SHAPE_KEYS,
                                       NULL};
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    lua_settop(L, 2);
    reader_check_keys(&r, 2, keys);
    engine_actor_def d = engine_default_actor();
    d.name = reader_text(&r, 2, "name", "");
    d.sensor = reader_flag(&r, 2, "sensor", false);
    d.motion = (engine_motion)reader_choice(&r, 2, "motion", motions, 3, d.sensor ? ENGINE_STATIC : ENGINE_DYNAMIC);
    d.pose = script_read_pose(&r, 2, d.pose);
    d.velocity = script_read_vec3(&r, 2, "velocity", d.velocity);
    d.spin = script_read_vec3(&r, 2, "spin", d.spin);
    d.surface.linear = script_read_vec3(&r, 2, "surface_velocity", d.surface.linear);
    d.surface.angular = script_read_vec3(&r, 2, "surface_spin", d.surface.angular);
    d.mass = reader_number(&r, 2, "mass", 1e-30, 1e50, 0);
    d.hidden = reader_flag(&r, 2, "hidden", false);
    read_groups(&r, 2, &d.groups, &d.ignores);
    d.part = script_read_parts(L, &r, 1, 2, &d.part_count);
    int id;
    script_check(L, engine_add_actor(e, &d, &id));
    script_push_object(L, 1, SCRIPT_ACTOR, id);
    return 1;
}

SCRIPT_PUSHES(get_name, lua_pushstring, actor_of(L)->name)
SCRIPT_PUSHES(get_position, script_push_vec3, actor_of(L)->pose.p)
SCRIPT_PUSHES(get_orientation, script_push_quat, actor_of(L)->pose.q)
SCRIPT_PUSHES(get_velocity, script_push_vec3, actor_of(L)->velocity)
SCRIPT_PUSHES(get_spin, script_push_vec3, actor_of(L)->spin)
SCRIPT_PUSHES(get_surface_velocity, script_push_vec3, actor_of(L)->surface.linear)
SCRIPT_PUSHES(get_surface_spin, script_push_vec3, actor_of(L)->surface.angular)
SCRIPT_PUSHES(get_mass, lua_pushnumber, actor_of(L)->mass)
SCRIPT_PUSHES(get_motion, lua_pushstring, motions[actor_of(L)->motion])
SCRIPT_PUSHES(get_sleeps, lua_pushboolean, actor_of(L)->sleeps)
SCRIPT_PUSHES(get_groups, lua_pushinteger, actor_of(L)->groups)
SCRIPT_PUSHES(get_ignores, lua_pushinteger, actor_of(L)->ignores)
SCRIPT_PUSHES(get_hidden, lua_pushboolean, actor_of(L)->hidden)
SCRIPT_PUSHES(get_active, lua_pushboolean, actor_of(L)->active)

SCRIPT_PUSHES(get_id, lua_pushinteger, script_check_object(L, 1, SCRIPT_ACTOR, &(engine *){NULL}))

static int get_scene(lua_State *L)
{
    luaL_checkudata(L, 1, SCRIPT_ACTOR);
    lua_getiuservalue(L, 1, 1);
    return 1;
}

static int get_removed(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_ACTOR, &e);
    lua_pushboolean(L, engine_find_actor(e, id) == NULL);
    return 1;
}

static int get_centre(lua_State *L)
{
    const engine_actor *a = actor_of(L);
    script_push_vec3(L, er_pose_point(a->pose, a->centre));
    return 1;
}

// Rows of the matrix about its centre of mass, own axes.
static int get_inertia(lua_State *L)
{
    const engine_actor *a = actor_of(L);
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; ++i) {
        script_push_numbers(L, a->inertia.m[i], 3);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// Its bounding box in its own axes: the lowest and the highest corner.
static int box(lua_State *L)
{
    const engine_actor *a = actor_of(L);
    script_push_vec3(L, a->low);
    script_push_vec3(L, a->high);
    return 2;
}

// Moves the actor to the vector and the quaternion at two indices; 0 keeps a value.
static int put(lua_State *L, int position, int orientation)
{
    engine *e;
    const engine_actor *a = check_actor(L, 1, &e);
    er_pose pose = a->pose;
    if (position != 0) pose.p = script_check_vec3(L, position);
    if (orientation != 0) pose.q = script_check_quat(L, orientation);
    script_check(L, engine_move(e, a->id, &pose, NULL, NULL));
    return 0;
}

static int set_position(lua_State *L)
{
    return put(L, 3, 0);
}

static int set_orientation(lua_State *L)
{
    return put(L, 0, 3);
}

static int set_velocity(lua_State *L)
{
    engine *e;
    er_vec3 v = script_check_vec3(L, 3);
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_move(e, a->id, NULL, &v, NULL));
    return 0;
}

static int set_motion(lua_State *L)
{
    engine *e;
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_set_motion(e, a->id, (engine_motion)luaL_checkoption(L, 3, NULL, motions)));
    return 0;
}

static int set_spin(lua_State *L)
{
    engine *e;
    er_vec3 v = script_check_vec3(L, 3);
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_move(e, a->id, NULL, NULL, &v));
    return 0;
}

// Sets one of mass, groups, ignores, hidden and active.
static int set_changed(lua_State *L)
{
    engine *e;
    reader r = {.L = L};
    const engine_actor *a = check_actor(L, 1, &e);
    script_push_assignment(L); // 4
    double mass = reader_number(&r, 4, "mass", 1e-30, 1e50, a->mass);
    uint32_t groups = a->groups, ignores = a->ignores;
    bool hidden = reader_flag(&r, 4, "hidden", a->hidden), active = reader_flag(&r, 4, "active", a->active);
    read_groups(&r, 4, &groups, &ignores);
    if (mass < a->mass || mass > a->mass) script_check(L, engine_set_actor_mass(e, a->id, mass));
    if (active != a->active) script_check(L, engine_set_active(e, a->id, active));
    script_check(L, engine_set_groups(e, a->id, groups, ignores));
    script_check(L, engine_set_hidden(e, a->id, hidden));
    return 0;
}

// actor:reshape{...}: other shapes in place of its own
static int reshape(lua_State *L)
{
    static const char *const keys[] = {"mass", SCRIPT_SHAPE_KEYS, NULL};
    engine *e;
    reader r = {.L = L};
    int id = script_check_object(L, 1, SCRIPT_ACTOR, &e), count;
    lua_settop(L, 2);
    reader_check_keys(&r, 2, keys);
    lua_getiuservalue(L, 1, 1); // 3, the scene
    const engine_part *part = script_read_parts(L, &r, 3, 2, &count);
    script_check(L, engine_set_parts(e, id, count, part, reader_number(&r, 2, "mass", 1e-30, 1e50, 0)));
    return 0;
}

static int wake(lua_State *L)
{
    engine *e;
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_wake(e, a->id));
    return 0;
}

static int set_surface_velocity(lua_State *L)
{
    engine *e;
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_set_surface(e, a->id, (er_twist){a->surface.angular, script_check_vec3(L, 3)}));
    return 0;
}

static int set_surface_spin(lua_State *L)
{
    engine *e;
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_set_surface(e, a->id, (er_twist){script_check_vec3(L, 3), a->surface.linear}));
    return 0;
}

static int set_material(lua_State *L)
{
    engine *e;
    const engine_actor *a = check_actor(L, 1, &e);
    const script_object *m = luaL_checkudata(L, 3, SCRIPT_MATERIAL);
    lua_getiuservalue(L, 3, 1);
    if (script_check_scene(L, lua_gettop(L)) != e) return luaL_error(L, "the material is of another scene");
    script_check(L, engine_set_actor_material(e, a->id, m->id));
    return 0;
}

// actor:place(position, orientation): moves it at once. Either may be nil.
static int place(lua_State *L)
{
    return put(L, lua_isnoneornil(L, 2) ? 0 : 2, lua_isnoneornil(L, 3) ? 0 : 3);
}

static const er_vec3 *optional_point(lua_State *L, int index, er_vec3 *room)
{
    if (lua_isnoneornil(L, index)) return NULL;
    *room = script_check_vec3(L, index);
    return room;
}

// actor:push(impulse, point), actor:force(force, point): the point is in its own frame
static int push(lua_State *L)
{
    engine *e;
    er_vec3 room, impulse = script_check_vec3(L, 2);
    const er_vec3 *point = optional_point(L, 3, &room);
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_apply_impulse(e, a->id, impulse, point));
    return 0;
}

static int force(lua_State *L)
{
    engine *e;
    er_vec3 room, f = script_check_vec3(L, 2);
    const er_vec3 *point = optional_point(L, 3, &room);
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_apply_force(e, a->id, f, er_v3(0, 0, 0), point));
    return 0;
}

static int torque(lua_State *L)
{
    engine *e;
    er_vec3 t = script_check_vec3(L, 2);
    const engine_actor *a = check_actor(L, 1, &e);
    script_check(L, engine_apply_force(e, a->id, er_v3(0, 0, 0), t, NULL));
    return 0;
}

// A point of its frame in the world, and back.
static int to_world(lua_State *L)
{
    er_vec3 p = script_check_vec3(L, 2);
    script_push_vec3(L, er_pose_point(actor_of(L)->pose, p));
    return 1;
}

static int to_own(lua_State *L)
{
    er_vec3 p = script_check_vec3(L, 2);
    script_push_vec3(L, er_pose_point_inverse(actor_of(L)->pose, p));
    return 1;
}

// actor:remove(): handlers of its event `removed` run first.
static int remove_actor(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_ACTOR, &e), scene = lua_gettop(L);
    if (engine_find_actor(e, id) == NULL) return 0;
    lua_pushvalue(L, 1);
    script_call_sequencers(L, "removed", scene, 1);
    engine_remove_actor(e, id);
    return 0;
}

static int text(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_ACTOR, &e);
    const engine_actor *a = engine_find_actor(e, id);
    if (a == NULL)
        lua_pushliteral(L, "actor (removed)");
    else
        lua_pushfstring(L, "actor \"%s\" (%d), %s", a->name, a->id, motions[a->motion]);
    return 1;
}

static const luaL_Reg methods[] = {{"place", place},     {"push", push},           {"force", force},
                                   {"torque", torque},   {"to_world", to_world},   {"to_own", to_own},
                                   {"box", box},         {"remove", remove_actor}, {"contacts", script_actor_contacts},
                                   {"reshape", reshape}, {"wake", wake},           {NULL, NULL}};
static const luaL_Reg getters[] = {{"id", get_id},
                                   {"scene", get_scene},
                                   {"name", get_name},
                                   {"position", get_position},
                                   {"orientation", get_orientation},
                                   {"velocity", get_velocity},
                                   {"spin", get_spin},
                                   {"surface_velocity", get_surface_velocity},
                                   {"surface_spin", get_surface_spin},
                                   {"mass", get_mass},
                                   {"motion", get_motion},
                                   {"sleeps", get_sleeps},
                                   {"removed", get_removed},
                                   {"centre", get_centre},
                                   {"inertia", get_inertia},
                                   {"groups", get_groups},
                                   {"ignores", get_ignores},
                                   {"hidden", get_hidden},
                                   {"active", get_active},
                                   {NULL, NULL}};
static const luaL_Reg setters[] = {{"position", set_position},
                                   {"orientation", set_orientation},
                                   {"velocity", set_velocity},
                                   {"spin", set_spin},
                                   {"motion", set_motion},
                                   {"surface_velocity", set_surface_velocity},
                                   {"surface_spin", set_surface_spin},
                                   {"material", set_material},
                                   {"mass", set_changed},
                                   {"groups", set_changed},
                                   {"ignores", set_changed},
                                   {"hidden", set_changed},
                                   {"active", set_changed},
                                   {NULL, NULL}};
static const luaL_Reg meta[] = {{"__tostring", text}, {NULL, NULL}};
const script_class script_actor_class = {SCRIPT_ACTOR, methods, getters, setters, meta, NULL};

// ---- Materials

static const char *const material_keys[] = {"ambient",        "diffuse",     "specular", "shine",    "opacity",
                                            "reflection",     "friction",    "rolling",  "spinning", "grain",
                                            "grain_friction", "restitution", "density",  "colour",   NULL};

static void read_material(reader *r, int table, engine_material *m)
{
    script_read_colour(r, table, "colour", m->ambient);
    script_read_colour(r, table, "colour", m->diffuse);
    script_read_colour(r, table, "ambient", m->ambient);
    script_read_colour(r, table, "diffuse", m->diffuse);
    script_read_colour(r, table, "specular", m->specular);
    m->shine = (float)reader_number(r, table, "shine", 1e-3, 1e4, (double)m->shine);
    m->opacity = (float)reader_number(r, table, "opacity", 0, 1, (double)m->opacity);
    m->reflection = (float)reader_number(r, table, "reflection", 0, 1, (double)m->reflection);
    m->friction = reader_number(r, table, "friction", 0, 1e6, m->friction);
    m->rolling = reader_number(r, table, "rolling", 0, 1e6, m->rolling);
    m->spinning = reader_number(r, table, "spinning", 0, 1e6, m->spinning);
    m->grain = script_read_vec3(r, table, "grain", m->grain);
    m->grain_friction = reader_number(r, table, "grain_friction", 0, 1e6, m->grain_friction);
    m->restitution = reader_number(r, table, "restitution", 0, 1, m->restitution);
    m->density = reader_number(r, table, "density", 1e-6, 1e9, m->density);
}

// scene:material{...}
int script_scene_material(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    lua_settop(L, 2);
    reader_check_keys(&r, 2, material_keys);
    engine_material m = engine_default_material();
    read_material(&r, 2, &m);
    int index = engine_add_material(e, &m);
    if (index < 0) return luaL_error(L, "not enough memory");
    script_object *t = lua_newuserdatauv(L, sizeof *t, 1);
    t->id = index;
    luaL_setmetatable(L, SCRIPT_MATERIAL);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

static const engine_material *material_of(lua_State *L)
{
    engine *e;
    int index = script_check_object(L, 1, SCRIPT_MATERIAL, &e);
    return engine_material_at(e, index);
}

SCRIPT_PUSHES(get_ambient, script_push_colour, material_of(L)->ambient)
SCRIPT_PUSHES(get_diffuse, script_push_colour, material_of(L)->diffuse)
SCRIPT_PUSHES(get_specular, script_push_colour, material_of(L)->specular)
SCRIPT_PUSHES(get_shine, lua_pushnumber, (double)material_of(L)->shine)
SCRIPT_PUSHES(get_opacity, lua_pushnumber, (double)material_of(L)->opacity)
SCRIPT_PUSHES(get_reflection, lua_pushnumber, (double)material_of(L)->reflection)
SCRIPT_PUSHES(get_friction, lua_pushnumber, material_of(L)->friction)
SCRIPT_PUSHES(get_rolling, lua_pushnumber, material_of(L)->rolling)
SCRIPT_PUSHES(get_spinning, lua_pushnumber, material_of(L)->spinning)
SCRIPT_PUSHES(get_grain, script_push_vec3, material_of(L)->grain)
SCRIPT_PUSHES(get_grain_friction, lua_pushnumber, material_of(L)->grain_friction)
SCRIPT_PUSHES(get_restitution, lua_pushnumber, material_of(L)->restitution)
SCRIPT_PUSHES(get_density, lua_pushnumber, material_of(L)->density)

static int set_material_field(lua_State *L)
{
    engine *e;
    int index = script_check_object(L, 1, SCRIPT_MATERIAL, &e);
    engine_material m = *engine_material_at(e, index);
    reader r = {.L = L};
    script_push_assignment(L);
    read_material(&r, lua_gettop(L), &m);
    script_check(L, engine_set_material(e, index, &m));
    return 0;
}

static const luaL_Reg material_getters[] = {{"ambient", get_ambient},   {"diffuse", get_diffuse},
                                            {"specular", get_specular}, {"shine", get_shine},
                                            {"opacity", get_opacity},   {"reflection", get_reflection},
                                            {"friction", get_friction}, {"restitution", get_restitution},
                                            {"rolling", get_rolling},   {"spinning", get_spinning},
                                            {"grain", get_grain},       {"grain_friction", get_grain_friction},
                                            {"density", get_density},   {NULL, NULL}};
static const luaL_Reg material_setters[] = {
    {"ambient", set_material_field},  {"diffuse", set_material_field},        {"specular", set_material_field},
    {"shine", set_material_field},    {"opacity", set_material_field},        {"reflection", set_material_field},
    {"friction", set_material_field}, {"rolling", set_material_field},        {"spinning", set_material_field},
    {"grain", set_material_field},    {"grain_friction", set_material_field}, {"restitution", set_material_field},
    {"density", set_material_field},  {"colour", set_material_field},         {NULL, NULL}};
const script_class script_material_class = {SCRIPT_MATERIAL, NULL, material_getters, material_setters, NULL, NULL};

// ---- Lights

static const char *const light_keys[] = {"at", "ambient", "diffuse", "specular", NULL};

static void read_light(reader *r, int table, engine_light *l)
{
    l->position = script_read_vec3(r, table, "at", l->position);
    script_read_colour(r, table, "ambient", l->ambient);
    script_read_colour(r, table, "diffuse", l->diffuse);
    script_read_colour(r, table, "specular", l->specular);
}

// scene:light{...}
int script_scene_light(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    lua_settop(L, 2);
    reader_check_keys(&r, 2, light_keys);
    engine_light l = {.position = {0, 10, 0}, .diffuse = {0.8f, 0.8f, 0.8f}, .specular = {0.5f, 0.5f, 0.5f}};
    read_light(&r, 2, &l);
    int id = engine_add_light(e, &l);
    if (id == 0) return luaL_error(L, "a scene has at most %d lights", ENGINE_MOST_LIGHTS);
    script_push_object(L, 1, SCRIPT_LIGHT, id);
    return 1;
}

static engine_light *light_of(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_LIGHT, &e);
    engine_light *l = engine_find_light(e, id);
    if (l == NULL) luaL_argerror(L, 1, "the light was removed from its scene");
    lua_pop(L, 1);
    return l;
}

SCRIPT_PUSHES(get_light_position, script_push_vec3, light_of(L)->position)
SCRIPT_PUSHES(get_light_ambient, script_push_colour, light_of(L)->ambient)
SCRIPT_PUSHES(get_light_diffuse, script_push_colour, light_of(L)->diffuse)
SCRIPT_PUSHES(get_light_specular, script_push_colour, light_of(L)->specular)

static int set_light_field(lua_State *L)
{
    engine_light *l = light_of(L);
    reader r = {.L = L};
    script_push_assignment(L);
    read_light(&r, lua_gettop(L), l);
    return 0;
}

static int remove_light(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_LIGHT, &e);
    engine_remove_light(e, id);
    return 0;
}

static const luaL_Reg light_methods[] = {{"remove", remove_light}, {NULL, NULL}};
static const luaL_Reg light_getters[] = {{"at", get_light_position},
                                         {"ambient", get_light_ambient},
                                         {"diffuse", get_light_diffuse},
                                         {"specular", get_light_specular},
                                         {NULL, NULL}};
static const luaL_Reg light_setters[] = {{"at", set_light_field},
                                         {"ambient", set_light_field},
                                         {"diffuse", set_light_field},
                                         {"specular", set_light_field},
                                         {NULL, NULL}};
const script_class script_light_class = {SCRIPT_LIGHT, light_methods, light_getters, light_setters, NULL, NULL};
