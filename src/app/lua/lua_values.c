// Vectors and quaternions: userdata that never change. Angles are degrees.
#include <stdio.h>

#include "app/lua/lua_inside.h"

static const double degree = ER_PI / 180.0;

static er_vec3 *test_vec3(lua_State *L, int index)
{
    return luaL_testudata(L, index, script_vec3_class.name);
}

static er_quat *test_quat(lua_State *L, int index)
{
    return luaL_testudata(L, index, script_quat_class.name);
}

void script_push_vec3(lua_State *L, er_vec3 v)
{
    er_vec3 *out = lua_newuserdatauv(L, sizeof *out, 0);
    *out = v;
    luaL_setmetatable(L, script_vec3_class.name);
}

void script_push_quat(lua_State *L, er_quat q)
{
    er_quat *out = lua_newuserdatauv(L, sizeof *out, 0);
    *out = q;
    luaL_setmetatable(L, script_quat_class.name);
}

er_vec3 script_check_vec3(lua_State *L, int argument)
{
    er_vec3 v = {0};
    if (!reader_to_vec3(L, argument, &v)) luaL_typeerror(L, argument, "vec3");
    return v;
}

er_quat script_check_quat(lua_State *L, int argument)
{
    er_quat q = {0};
    if (!reader_to_quat(L, argument, &q)) luaL_typeerror(L, argument, "quat");
    return q;
}

// --- vec3

static int vec3_new(lua_State *L)
{
    if (lua_gettop(L) == 1)
        script_push_vec3(L, script_check_vec3(L, 1));
    else
        script_push_vec3(L, er_v3(luaL_checknumber(L, 1), luaL_checknumber(L, 2), luaL_checknumber(L, 3)));
    return 1;
}

SCRIPT_PUSHES(vec3_x, lua_pushnumber, script_check_vec3(L, 1).x)
SCRIPT_PUSHES(vec3_y, lua_pushnumber, script_check_vec3(L, 1).y)
SCRIPT_PUSHES(vec3_z, lua_pushnumber, script_check_vec3(L, 1).z)
SCRIPT_PUSHES(vec3_add, script_push_vec3, er_v3_add(script_check_vec3(L, 1), script_check_vec3(L, 2)))
SCRIPT_PUSHES(vec3_sub, script_push_vec3, er_v3_sub(script_check_vec3(L, 1), script_check_vec3(L, 2)))

static int vec3_mul(lua_State *L)
{
    bool first = lua_isnumber(L, 1);
    script_push_vec3(L, er_v3_scale(luaL_checknumber(L, first ? 1 : 2), script_check_vec3(L, first ? 2 : 1)));
    return 1;
}

static int vec3_div(lua_State *L)
{
    er_vec3 v = script_check_vec3(L, 1);
    double s = luaL_checknumber(L, 2);
    script_push_vec3(L, er_v3(v.x / s, v.y / s, v.z / s));
    return 1;
}

SCRIPT_PUSHES(vec3_unm, script_push_vec3, er_v3_scale(-1.0, script_check_vec3(L, 1)))

static int vec3_eq(lua_State *L)
{
    const er_vec3 *a = test_vec3(L, 1), *b = test_vec3(L, 2);
    lua_pushboolean(L, a != NULL && b != NULL && a->x == b->x && a->y == b->y && a->z == b->z);
    return 1;
}

static int vec3_text(lua_State *L)
{
    er_vec3 v = script_check_vec3(L, 1);
    char text[96];
    snprintf(text, sizeof text, "(%.6g, %.6g, %.6g)", v.x, v.y, v.z);
    lua_pushstring(L, text);
    return 1;
}

SCRIPT_PUSHES(vec3_dot, lua_pushnumber, er_v3_dot(script_check_vec3(L, 1), script_check_vec3(L, 2)))
SCRIPT_PUSHES(vec3_cross, script_push_vec3, er_v3_cross(script_check_vec3(L, 1), script_check_vec3(L, 2)))
SCRIPT_PUSHES(vec3_length, lua_pushnumber, er_v3_norm(script_check_vec3(L, 1)))

static int vec3_unit(lua_State *L)
{
    er_vec3 v = script_check_vec3(L, 1), unit = er_v3_unit(v, er_v3(0, 0, 0));
    luaL_argcheck(L, er_v3_norm(unit) > 0.0, 1, "a vector without direction");
    script_push_vec3(L, unit);
    return 1;
}

static int vec3_table(lua_State *L)
{
    er_vec3 v = script_check_vec3(L, 1);
    script_push_numbers(L, (const double[]){v.x, v.y, v.z}, 3);
    return 1;
}

static const luaL_Reg vec3_methods[] = {{"dot", vec3_dot},   {"cross", vec3_cross},   {"length", vec3_length},
                                        {"unit", vec3_unit}, {"totable", vec3_table}, {NULL, NULL}};
static const luaL_Reg vec3_getters[] = {{"x", vec3_x}, {"y", vec3_y}, {"z", vec3_z}, {NULL, NULL}};
static const luaL_Reg vec3_meta[] = {{"__add", vec3_add},       {"__sub", vec3_sub}, {"__mul", vec3_mul},
                                     {"__div", vec3_div},       {"__unm", vec3_unm}, {"__eq", vec3_eq},
                                     {"__tostring", vec3_text}, {NULL, NULL}};
const script_class script_vec3_class = {READER_VEC3, vec3_methods, vec3_getters, NULL, vec3_meta, NULL};

// --- quat

static int quat_new(lua_State *L)
{
    er_quat q;
    er_vec3 axis;
    if (lua_gettop(L) == 2 && reader_to_vec3(L, 1, &axis)) { // an axis and degrees
        axis = er_v3_unit(axis, er_v3(0, 0, 0));
        luaL_argcheck(L, er_v3_norm(axis) > 0.0, 1, "an axis without direction");
        q = er_q_exp(er_v3_scale(degree * luaL_checknumber(L, 2), axis));
    } else if (lua_gettop(L) == 1)
        q = script_check_quat(L, 1);
    else
        q = er_q_unit(
            er_q(luaL_checknumber(L, 1), luaL_checknumber(L, 2), luaL_checknumber(L, 3), luaL_checknumber(L, 4)));
    script_push_quat(L, q);
    return 1;
}

SCRIPT_PUSHES(quat_w, lua_pushnumber, script_check_quat(L, 1).w)
SCRIPT_PUSHES(quat_x, lua_pushnumber, script_check_quat(L, 1).x)
SCRIPT_PUSHES(quat_y, lua_pushnumber, script_check_quat(L, 1).y)
SCRIPT_PUSHES(quat_z, lua_pushnumber, script_check_quat(L, 1).z)

// By a quaternion the rotation after it, by a vector the vector turned.
static int quat_mul(lua_State *L)
{
    er_vec3 v;
    er_quat q = script_check_quat(L, 1);
    if (reader_to_vec3(L, 2, &v))
        script_push_vec3(L, er_q_rotate(q, v));
    else
        script_push_quat(L, er_q_unit(er_q_mul(q, script_check_quat(L, 2))));
    return 1;
}

static int quat_eq(lua_State *L)
{
    const er_quat *a = test_quat(L, 1), *b = test_quat(L, 2);
    lua_pushboolean(L, a != NULL && b != NULL && a->w == b->w && a->x == b->x && a->y == b->y && a->z == b->z);
    return 1;
}

static int quat_text(lua_State *L)
{
    er_quat q = script_check_quat(L, 1);
    char text[128];
    snprintf(text, sizeof text, "(%.6g; %.6g, %.6g, %.6g)", q.w, q.x, q.y, q.z);
    lua_pushstring(L, text);
    return 1;
}

SCRIPT_PUSHES(quat_inverse, script_push_quat, er_q_conj(script_check_quat(L, 1)))
SCRIPT_PUSHES(quat_slerp, script_push_quat,
              er_q_slerp(script_check_quat(L, 1), script_check_quat(L, 2), luaL_checknumber(L, 3)))

// The turn's axis and its degrees, 0 to 180.
static int quat_turn(lua_State *L)
{
    er_vec3 turn = er_q_log(script_check_quat(L, 1));
    script_push_vec3(L, er_v3_unit(turn, er_v3(0, 0, 1)));
    lua_pushnumber(L, er_v3_norm(turn) / degree);
    return 2;
}

static int quat_table(lua_State *L)
{
    er_quat q = script_check_quat(L, 1);
    script_push_numbers(L, (const double[]){q.w, q.x, q.y, q.z}, 4);
    return 1;
}

static const luaL_Reg quat_methods[] = {
    {"inverse", quat_inverse}, {"slerp", quat_slerp}, {"turn", quat_turn}, {"totable", quat_table}, {NULL, NULL}};
static const luaL_Reg quat_getters[] = {{"w", quat_w}, {"x", quat_x}, {"y", quat_y}, {"z", quat_z}, {NULL, NULL}};
static const luaL_Reg quat_meta[] = {{"__mul", quat_mul}, {"__eq", quat_eq}, {"__tostring", quat_text}, {NULL, NULL}};
const script_class script_quat_class = {READER_QUAT, quat_methods, quat_getters, NULL, quat_meta, NULL};

// --- tables

void script_push_numbers(lua_State *L, const double *value, int count)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        lua_pushnumber(L, value[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

void script_set_number(lua_State *L, const char *key, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, key);
}

void script_set_integer(lua_State *L, const char *key, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, key);
}

void script_set_text(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

void script_set_flag(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

void script_push_assignment(lua_State *L)
{
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    lua_rawset(L, -3);
}

const luaL_Reg script_value_functions[] = {{"vec3", vec3_new}, {"quat", quat_new}, {NULL, NULL}};
