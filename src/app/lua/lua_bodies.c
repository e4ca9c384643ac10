// Bodies and joints: views of a model as it stands. Setting a field changes the model. Angles are degrees.
#include <string.h>

#include "app/description/description_settings.h"
#include "app/lua/lua_inside.h"

static const double degree = ER_PI / 180.0;

typedef struct part {
    int index;
} part;

enum { PART_MODEL = 1, PART_VALUES = PART_MODEL };

static void push_part(lua_State *L, const char *class, int model, int index)
{
    model = lua_absindex(L, model);
    part *p = lua_newuserdatauv(L, sizeof *p, PART_VALUES);
    p->index = index;
    lua_pushvalue(L, model);
    lua_setiuservalue(L, -2, PART_MODEL);
    luaL_setmetatable(L, class);
}

void script_push_body(lua_State *L, int model, int index)
{
    push_part(L, script_body_class.name, model, index);
}

void script_push_joint(lua_State *L, int model, int index)
{
    push_part(L, script_joint_class.name, model, index);
}

// The model of the part at index 1, which goes on the stack.
static const er_model *model_of(lua_State *L, const char *class, int *index)
{
    *index = ((part *)luaL_checkudata(L, 1, class))->index;
    lua_getiuservalue(L, 1, PART_MODEL);
    const script_model *m = luaL_testudata(L, -1, script_model_class.name);
    if (m == NULL || (m->rig == NULL && m->model == NULL) || script_model_of(m) == NULL)
        luaL_error(L, "the model is closed");
    return script_model_of(m);
}

static const er_body *check_body(lua_State *L)
{
    int index;
    const er_model *model = model_of(L, script_body_class.name, &index);
    return &model->body[index];
}

static const er_joint *check_joint(lua_State *L)
{
    int index;
    const er_model *model = model_of(L, script_joint_class.name, &index);
    return &model->joint[index];
}

static bool are_same(lua_State *L, const char *class)
{
    const part *a = luaL_testudata(L, 1, class), *b = luaL_testudata(L, 2, class);
    if (a == NULL || b == NULL || a->index != b->index) return false;
    lua_getiuservalue(L, 1, PART_MODEL);
    lua_getiuservalue(L, 2, PART_MODEL);
    return lua_rawequal(L, -1, -2);
}

SCRIPT_PUSHES(same_part, lua_pushboolean, are_same(L, script_body_class.name) || are_same(L, script_joint_class.name))

// --- bodies

SCRIPT_PUSHES(body_name, lua_pushstring, check_body(L)->name)
SCRIPT_PUSHES(body_index, lua_pushinteger, ((part *)luaL_checkudata(L, 1, script_body_class.name))->index)
SCRIPT_PUSHES(body_mass, lua_pushnumber, check_body(L)->mass)
SCRIPT_PUSHES(body_com, script_push_vec3, check_body(L)->com)

static int body_inertia(lua_State *L)
{
    er_mat3 inertia = check_body(L)->inertia;
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; ++i) {
        script_push_numbers(L, inertia.m[i], 3);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

SCRIPT_PUSHES(body_position, script_push_vec3, check_body(L)->pose.p)
SCRIPT_PUSHES(body_orientation, script_push_quat, check_body(L)->pose.q)

static int body_parent(lua_State *L)
{
    int index;
    const er_model *model = model_of(L, script_body_class.name, &index);
    if (model->tree_parent[index] < 0)
        lua_pushnil(L);
    else
        script_push_body(L, -1, model->tree_parent[index]);
    return 1;
}

static int body_joint(lua_State *L)
{
    int index;
    const er_model *model = model_of(L, script_body_class.name, &index);
    if (model->tree_joint[index] < 0)
        lua_pushnil(L);
    else
        script_push_joint(L, -1, model->tree_joint[index]);
    return 1;
}

static int body_set_mass(lua_State *L)
{
    int index;
    er_body_change body = er_default_body_change();
    er_rig_change change = er_default_rig_change();
    body.mass = luaL_checknumber(L, 3);
    luaL_argcheck(L, body.mass > 0.0, 3, "a mass is above 0 kg");
    model_of(L, script_body_class.name, &index);
    body.body = index;
    change.body_count = 1;
    change.body = &body;
    script_change_model(L, -1, &change);
    return 0;
}

static int body_text(lua_State *L)
{
    const er_body *b = check_body(L);
    lua_pushfstring(L, "body \"%s\": %f kg", b->name, b->mass);
    return 1;
}

static const luaL_Reg no_methods[] = {{NULL, NULL}};
static const luaL_Reg body_getters[] = {{"name", body_name},
                                        {"index", body_index},
                                        {"mass", body_mass},
                                        {"com", body_com},
                                        {"inertia", body_inertia},
                                        {"position", body_position},
                                        {"orientation", body_orientation},
                                        {"parent", body_parent},
                                        {"joint", body_joint},
                                        {NULL, NULL}};
static const luaL_Reg body_setters[] = {{"mass", body_set_mass}, {NULL, NULL}};
static const luaL_Reg body_meta[] = {{"__eq", same_part}, {"__tostring", body_text}, {NULL, NULL}};
const script_class script_body_class = {"eigenrig.body", no_methods, body_getters, body_setters, body_meta, NULL};

// --- joints

SCRIPT_PUSHES(joint_name, lua_pushstring, check_joint(L)->name)
SCRIPT_PUSHES(joint_index, lua_pushinteger, ((part *)luaL_checkudata(L, 1, script_joint_class.name))->index)
SCRIPT_PUSHES(joint_type, lua_pushstring, er_joint_type_name(check_joint(L)->type))

static int joint_parent(lua_State *L)
{
    const er_joint *j = check_joint(L);
    if (j->parent < 0)
        lua_pushnil(L);
    else
        script_push_body(L, -1, j->parent);
    return 1;
}

static int joint_child(lua_State *L)
{
    const er_joint *j = check_joint(L);
    script_push_body(L, -1, j->child);
    return 1;
}

SCRIPT_PUSHES(joint_position, script_push_vec3, check_joint(L)->frame.p)
SCRIPT_PUSHES(joint_orientation, script_push_quat, check_joint(L)->frame.q)
SCRIPT_PUSHES(joint_axis, script_push_vec3, er_q_rotate(check_joint(L)->frame.q, er_v3(0, 0, 1)))
SCRIPT_PUSHES(joint_pitch, lua_pushnumber, check_joint(L)->pitch)
SCRIPT_PUSHES(joint_closes_loop, lua_pushboolean, check_joint(L)->closes_loop)

static int joint_freedom(lua_State *L)
{
    static const char *const names[] = {"tx", "ty", "tz", "x", "y", "z"};
    int axis[6], count = er_joint_type_freedom(check_joint(L)->type, axis);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        lua_pushstring(L, names[axis[i]]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int joint_stiffness(lua_State *L)
{
    script_pause_gc(L);
    const er_joint *j = check_joint(L);
    script_push_numbers(L, j->stiffness, er_joint_type_freedom(j->type, NULL));
    return 1;
}

static int joint_damping(lua_State *L)
{
    script_pause_gc(L);
    const er_joint *j = check_joint(L);
    script_push_numbers(L, j->damping, er_joint_type_freedom(j->type, NULL));
    return 1;
}

// Pairs of degrees or metres, -inf and inf where there is none.
static int joint_limits(lua_State *L)
{
    script_pause_gc(L);
    const er_joint *j = check_joint(L);
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        double unit = axis[i] < 3 ? degree : 1.0;
        script_push_numbers(L, (const double[]){j->limit[i][0] / unit, j->limit[i][1] / unit}, 2);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// Degrees: the largest swing of a ball joint, inf without a limit.
static int joint_swing(lua_State *L)
{
    script_pause_gc(L);
    lua_pushnumber(L, check_joint(L)->swing / degree);
    return 1;
}

// Degrees: lowest and highest, -inf and inf without limits.
static int joint_twist(lua_State *L)
{
    script_pause_gc(L);
    const er_joint *j = check_joint(L);
    script_push_numbers(L, (const double[]){j->twist[0] / degree, j->twist[1] / degree}, 2);
    return 1;
}

// The frequency that the springs give the joint alone: of its softest rotation, of its softest shift without one.
static int joint_hz(lua_State *L)
{
    int index;
    const er_stiffness alone = {.hz = 1.0, .alpha = 1.0};
    script_pause_gc(L);
    const er_model *model = model_of(L, script_joint_class.name, &index);
    double *unit = reader_push_array(L, (size_t)model->coordinate_count, sizeof *unit), hz = HUGE_VAL;
    script_check(L, er_stiffness_apply(script_context(L), model, &alone, unit));
    const er_joint *j = &model->joint[index];
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    for (int i = 0; i < count && axis[i] / 3 == axis[0] / 3; ++i) {
        double u = unit[model->coordinate[index] + i];
        hz = fmin(hz, u > 0.0 ? sqrt(j->stiffness[i] / u) : 0.0);
    }
    lua_pushnumber(L, hz < HUGE_VAL ? hz : 0.0);
    return 1;
}

// A field set is the change of one joint, read as the fields of model:change() are.
// A list as it is read, one number a coordinate, becomes a table by coordinate in its place.
// @param table  of the assignment
static void name_coordinates(lua_State *L, int table, const char *key, const er_joint *j)
{
    static const char *const names[] = {"tx", "ty", "tz", "x", "y", "z"};
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    table = lua_absindex(L, table);
    if (lua_getfield(L, table, key) == LUA_TTABLE && lua_rawlen(L, -1) > 0) {
        if ((int)lua_rawlen(L, -1) != count)
            luaL_error(L, "%s: a list has one number for each of the %d coordinates of joint \"%s\", not %d", key,
                       count, j->name, (int)lua_rawlen(L, -1));
        lua_createtable(L, 0, count);
        for (int i = 0; i < count; ++i) {
            lua_rawgeti(L, -2, i + 1);
            lua_setfield(L, -2, names[axis[i]]);
        }
        lua_setfield(L, table, key);
    }
    lua_pop(L, 1);
}

static int set_joint(lua_State *L)
{
    int index;
    er_joint_change joint = er_default_joint_change();
    er_rig_change change = er_default_rig_change();
    reader r = {.L = L};
    script_pause_gc(L);
    script_push_assignment(L);
    const er_model *model = model_of(L, script_joint_class.name, &index);
    joint.joint = index;
    name_coordinates(L, -2, "stiffness", &model->joint[index]);
    name_coordinates(L, -2, "damping", &model->joint[index]);
    description_read_joint(&r, -2, &joint);
    change.joint_count = 1;
    change.joint = &joint;
    script_change_model(L, -1, &change);
    return 0;
}

static int joint_text(lua_State *L)
{
    const er_joint *j = check_joint(L);
    lua_pushfstring(L, "joint \"%s\": %s", j->name, er_joint_type_name(j->type));
    return 1;
}

static const luaL_Reg joint_getters[] = {{"name", joint_name},
                                         {"index", joint_index},
                                         {"type", joint_type},
                                         {"parent", joint_parent},
                                         {"child", joint_child},
                                         {"position", joint_position},
                                         {"orientation", joint_orientation},
                                         {"axis", joint_axis},
                                         {"pitch", joint_pitch},
                                         {"closes_loop", joint_closes_loop},
                                         {"freedom", joint_freedom},
                                         {"stiffness", joint_stiffness},
                                         {"damping", joint_damping},
                                         {"limits", joint_limits},
                                         {"swing", joint_swing},
                                         {"twist", joint_twist},
                                         {"hz", joint_hz},
                                         {NULL, NULL}};
static const luaL_Reg joint_setters[] = {
    {"type", set_joint},    {"axis", set_joint},          {"hz", set_joint},     {"stiffness", set_joint},
    {"damping", set_joint}, {"damping_ratio", set_joint}, {"limits", set_joint}, {"pitch", set_joint},
    {"swing", set_joint},   {"twist", set_joint},         {NULL, NULL}};
static const luaL_Reg joint_meta[] = {{"__eq", same_part}, {"__tostring", joint_text}, {NULL, NULL}};
const script_class script_joint_class = {"eigenrig.joint", no_methods, joint_getters, joint_setters, joint_meta, NULL};
