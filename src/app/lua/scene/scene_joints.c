// Joints of a living scene.
#include <math.h>
#include <string.h>

#include "app/lua/scene/scene_script.h"

static const double degree = ER_PI / 180.0;

static const char *const keys[] = {"at",    "axis",        "name",         "limits", "stiffness", "damping",
                                   "rest",  "speed",       "angle",        "most",   "erp",       "cfm",
                                   "pitch", "break_force", "break_torque", "swing",  "twist",     NULL};

static er_joint_type check_type(lua_State *L, int index)
{
    const char *word = luaL_checkstring(L, index);
    if (strcmp(word, "hinge") == 0) return ER_JOINT_REVOLUTE;
    if (strcmp(word, "ball") == 0) return ER_JOINT_SPHERICAL;
    int type = er_joint_type_find(word);
    if (type < 0) luaL_error(L, "there is no joint type \"%s\"; there are hinge, ball, %s", word, er_joint_type_list());
    return (er_joint_type)type;
}

int script_check_side(lua_State *L, int index)
{
    if (lua_isnoneornil(L, index)) return 0;
    const script_object *t = luaL_checkudata(L, index, SCRIPT_ACTOR);
    lua_getiuservalue(L, index, 1);
    if (!lua_rawequal(L, -1, 1)) luaL_argerror(L, index, "the actor is of another scene");
    lua_pop(L, 1);
    return t->id;
}

// Turns z along the axis of a joint. A universal joint turns about x and y.
static er_quat along(er_vec3 axis)
{
    er_vec3 z = er_v3_unit(axis, er_v3(0, 0, 1)), turn = er_v3_cross(er_v3(0, 0, 1), z);
    double w = 1.0 + z.z;
    if (w < 1e-9) return er_q_exp(er_v3(ER_PI, 0, 0));
    return er_q_unit(er_q(w, turn.x, turn.y, turn.z));
}

static bool has_field(lua_State *L, const char *key)
{
    bool has = lua_getfield(L, 5, key) != LUA_TNIL;
    lua_pop(L, 1);
    return has;
}

// {lowest, highest}, if the field is there.
static void read_pair(reader *r, const char *key, double limit[2])
{
    if (!reader_field(r, 5, key)) return;
    if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 2) reader_wrong(r, "expected {lowest, highest}");
    for (int k = 0; k < 2; ++k) {
        lua_rawgeti(r->L, -1, k + 1);
        limit[k] = reader_top_number(r, -1e9, 1e9);
        lua_pop(r->L, 1);
    }
    if (limit[0] > limit[1]) reader_wrong(r, "the lowest is above the highest");
    reader_done(r);
}

static void read_ball_limits(reader *r, engine_joint_def *d)
{
    double twist[2] = {-HUGE_VAL, HUGE_VAL};
    if (d->type != ER_JOINT_SPHERICAL && (has_field(r->L, "swing") || has_field(r->L, "twist")))
        luaL_error(r->L, "swing and twist are limits of a ball joint");
    d->swing = degree * reader_number(r, 5, "swing", 0, 360, HUGE_VAL);
    read_pair(r, "twist", twist);
    for (int k = 0; k < 2; ++k)
        d->twist[k] = degree * twist[k];
}

// Each value applies to all free coordinates. Angles are degrees.
static void read_laws(reader *r, engine_joint_def *d)
{
    int axis[6], count = er_joint_type_freedom(d->type, axis);
    double stiffness = reader_number(r, 5, "stiffness", 0, 1e50, 0),
           damping = reader_number(r, 5, "damping", 0, 1e50, 0);
    double rest = reader_number(r, 5, "rest", -1e9, 1e9, 0), limit[2] = {-HUGE_VAL, HUGE_VAL};
    read_pair(r, "limits", limit);
    for (int i = 0; i < count; ++i) {
        double unit = axis[i] < 3 ? degree : 1.0;
        d->stiffness[i] = stiffness;
        d->damping[i] = damping;
        d->rest[i] = unit * rest;
        for (int k = 0; k < 2; ++k)
            d->limit[i][k] = unit * limit[k];
    }
}

// The joint's own erp and cfm, in place of the scene's.
static void read_pull(reader *r, const engine *e, engine_joint_def *d)
{
    d->erp = reader_number(r, 5, "erp", 0, 1, d->erp);
    d->cfm = reader_number(r, 5, "cfm", 0, 1e50, d->cfm);
    if ((d->erp >= 0.0 || d->cfm >= 0.0) && !engine_get_settings(e)->reference)
        luaL_error(r->L, "erp and cfm need solver = \"reference\"; the solver \"fast\" holds joints exactly");
}

// speed = rad/s or m/s: a motor that keeps it; angle = degrees or m: one that goes there; most = N m or N.
static void read_motor(lua_State *L, reader *r, engine_joint_def *d)
{
    bool speeds = has_field(L, "speed"), goes = has_field(L, "angle");
    int axis[6], count = er_joint_type_freedom(d->type, axis);
    if (!speeds && !goes) return;
    if (count == 0) luaL_error(L, "a fixed joint cannot be driven");
    d->driven = true;
    d->motor.most = reader_number(r, 5, "most", 0, 1e50, 1e30);
    d->motor.velocity = reader_number(r, 5, "speed", -1e9, 1e9, 0);
    d->motor.position = reader_number(r, 5, "angle", -1e9, 1e9, 0) * (axis[0] < 3 ? degree : 1.0);
    // the motor gives `most` until it is within a thousandth of its speed, in rad/s or m/s
    d->motor.damping = goes ? d->damping[0] : fmin(1e6, 1e3 * d->motor.most);
    d->motor.stiffness = goes ? d->stiffness[0] : 0.0;
    if (!goes) return;
    d->stiffness[0] = d->damping[0] = 0.0;
    if (!(d->motor.stiffness > 0.0)) luaL_error(L, "to drive a joint to an angle, give its stiffness and damping");
}

// scene:joint(type, a, b, {...})
int script_scene_joint(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    reader r = {.L = L};
    engine_joint_def d = engine_default_joint();
    d.type = check_type(L, 2);
    d.actor[0] = script_check_side(L, 3);
    d.actor[1] = script_check_side(L, 4);
    lua_settop(L, 5);
    script_default_table(L, 5);
    reader_check_keys(&r, 5, keys);
    const engine_actor *hangs = engine_find_actor(e, d.actor[1] != 0 ? d.actor[1] : d.actor[0]);
    d.name = reader_text(&r, 5, "name", "");
    d.frame.p = script_read_vec3(&r, 5, "at", hangs != NULL ? hangs->pose.p : er_v3(0, 0, 0));
    er_vec3 axis = script_read_vec3(&r, 5, "axis", er_v3(0, 0, 1));
    if (!(er_v3_norm(axis) > 0.0))
        luaL_error(L, "axis has no length; give the direction of the joint, such as {0, 1, 0}");
    d.frame.q = along(axis);
    d.pitch = reader_number(&r, 5, "pitch", -1e50, 1e50, 0);
    if (d.type == ER_JOINT_SCREW && d.pitch == 0.0) luaL_error(L, "a screw needs a pitch, in metres per radian");
    read_laws(&r, &d);
    read_ball_limits(&r, &d);
    read_motor(L, &r, &d);
    read_pull(&r, e, &d);
    d.strength.force = reader_number(&r, 5, "break_force", 0, HUGE_VAL, HUGE_VAL);
    d.strength.torque = reader_number(&r, 5, "break_torque", 0, HUGE_VAL, HUGE_VAL);
    int id;
    script_check(L, engine_add_joint(e, &d, &id));
    script_push_object(L, 1, SCRIPT_SCENE_JOINT, id);
    return 1;
}

// ---- As it stands

static const engine_joint *joint_of(lua_State *L, engine **e)
{
    int id = script_check_object(L, 1, SCRIPT_SCENE_JOINT, e);
    const engine_joint *j = engine_find_joint(*e, id);
    if (j == NULL) luaL_argerror(L, 1, "the joint was removed from its scene");
    return j;
}

SCRIPT_PUSHES(get_name, lua_pushstring, joint_of(L, &(engine *){NULL})->name)
SCRIPT_PUSHES(get_type, lua_pushstring, er_joint_type_name(joint_of(L, &(engine *){NULL})->type))

static engine_joint_state state_of(lua_State *L, const engine_joint **j)
{
    engine *e;
    engine_joint_state state;
    *j = joint_of(L, &e);
    script_check(L, engine_read_joint(e, (*j)->id, &state));
    return state;
}

// A coordinate in degrees or m.
static double shown(const engine_joint_state *s, int index, double value)
{
    return s->axis[index] < 3 ? value / degree : value;
}

// Its first coordinate, degrees or m.
static int get_angle(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    if (s.count == 0) return 0;
    lua_pushnumber(L, shown(&s, 0, s.value[0]));
    return 1;
}

// Its rate, rad/s or m/s.
static int get_rate(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    if (s.count == 0) return 0;
    lua_pushnumber(L, s.rate[0]);
    return 1;
}

static int get_angles(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    for (int i = 0; i < s.count; ++i)
        s.value[i] = shown(&s, i, s.value[i]);
    script_push_numbers(L, s.value, s.count);
    return 1;
}

static int get_rates(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    script_push_numbers(L, s.rate, s.count);
    return 1;
}

// {lowest, highest} of the first coordinate; nil for none.
static int get_limits(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    if (s.count == 0 || (isinf(s.limit[0][0]) && isinf(s.limit[0][1]))) return 0;
    script_push_numbers(L, (const double[]){shown(&s, 0, s.limit[0][0]), shown(&s, 0, s.limit[0][1])}, 2);
    return 1;
}

// Degrees; nil for none.
static int get_swing(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    if (isinf(s.swing)) return 0;
    lua_pushnumber(L, s.swing / degree);
    return 1;
}

static int get_twist(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    if (isinf(s.twist[0]) && isinf(s.twist[1])) return 0;
    script_push_numbers(L, (const double[]){s.twist[0] / degree, s.twist[1] / degree}, 2);
    return 1;
}

static int get_axis(lua_State *L)
{
    const engine_joint *j;
    script_push_vec3(L, er_q_rotate(state_of(L, &j).frame.q, er_v3(0, 0, 1)));
    return 1;
}

// {force, torque, point}: on the second actor of the call that made the joint.
static int get_reaction(lua_State *L)
{
    const engine_joint *j;
    engine_joint_state s = state_of(L, &j);
    double sign = j->swapped ? -1.0 : 1.0;
    lua_createtable(L, 0, 3);
    script_push_vec3(L, er_v3_scale(sign, s.reaction.force));
    lua_setfield(L, -2, "force");
    script_push_vec3(L, er_v3_scale(sign, s.reaction.torque));
    lua_setfield(L, -2, "torque");
    script_push_vec3(L, s.frame.p);
    lua_setfield(L, -2, "point");
    return 1;
}

// Its two actors, nil for the world.
static int actors(lua_State *L)
{
    engine *e;
    const engine_joint *j = joint_of(L, &e);
    int scene = lua_gettop(L);
    for (int k = 0; k < 2; ++k) {
        int id = j->actor[j->swapped ? 1 - k : k];
        if (id != 0)
            script_push_object(L, scene, SCRIPT_ACTOR, id);
        else
            lua_pushnil(L);
    }
    return 2;
}

// The anchor, as each side has it.
static int anchors(lua_State *L)
{
    engine *e;
    const engine_joint *j = joint_of(L, &e);
    for (int k = 0; k < 2; ++k) {
        int side = j->swapped ? 1 - k : k;
        const engine_actor *a = engine_find_actor(e, j->actor[side]);
        script_push_vec3(L, a != NULL ? er_pose_point(a->pose, j->own[side].p) : j->own[side].p);
    }
    return 2;
}

// joint:drive{speed =, angle =}
static int drive(lua_State *L)
{
    static const char *const driven[] = {"speed", "angle", NULL};
    engine *e;
    const engine_joint *j = joint_of(L, &e);
    reader r = {.L = L};
    int axis[6];
    reader_check_keys(&r, 2, driven);
    er_joint_type_freedom(j->type, axis);
    double angle = reader_number(&r, 2, "angle", -1e9, 1e9, 0), speed = reader_number(&r, 2, "speed", -1e9, 1e9, 0);
    script_check(L, engine_drive(e, j->id, axis[0] < 3 ? degree * angle : angle, speed));
    return 0;
}

static int get_removed(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_SCENE_JOINT, &e);
    lua_pushboolean(L, engine_find_joint(e, id) == NULL);
    return 1;
}

static int remove_joint(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_SCENE_JOINT, &e);
    engine_remove_joint(e, id);
    return 0;
}

static const luaL_Reg methods[] = {
    {"actors", actors}, {"anchors", anchors}, {"drive", drive}, {"remove", remove_joint}, {NULL, NULL}};
static const luaL_Reg getters[] = {{"name", get_name},
                                   {"type", get_type},
                                   {"angle", get_angle},
                                   {"angles", get_angles},
                                   {"rate", get_rate},
                                   {"rates", get_rates},
                                   {"limits", get_limits},
                                   {"axis", get_axis},
                                   {"removed", get_removed},
                                   {"reaction", get_reaction},
                                   {"swing", get_swing},
                                   {"twist", get_twist},
                                   {NULL, NULL}};
const script_class script_scene_joint_class = {SCRIPT_SCENE_JOINT, methods, getters, NULL, NULL, NULL};
