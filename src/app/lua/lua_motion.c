// Motions: where everything is at a time.
#include <string.h>

#include "app/lua/lua_inside.h"

static const double degree = ER_PI / 180.0;

static er_motion *check_motion(lua_State *L, int argument)
{
    script_motion *m = luaL_checkudata(L, argument, script_motion_class.name);
    bool open = m->motion != NULL && m->motion->object != NULL && m->holder->object != NULL;
    if (!open) luaL_argerror(L, argument, "the motion, or its model, is closed");
    return m->motion->object;
}

SCRIPT_PUSHES(get_duration, lua_pushnumber, check_motion(L, 1)->duration)
SCRIPT_PUSHES(get_loops, lua_pushboolean, check_motion(L, 1)->loops)

static int get_components(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_motion *m = check_motion(L, 1);
    lua_createtable(L, m->component_count, 0);
    for (int v = 0; v < m->component_count; ++v) {
        const er_motion_component *component = &m->component[v];
        lua_createtable(L, 0, 9);
        script_set_integer(L, "mode", component->mode);
        script_set_number(L, "degrees", component->degrees);
        script_set_number(L, "factor", component->factor);
        script_set_number(L, "hz", component->hz);
        script_set_number(L, "asked_hz", component->asked_hz);
        script_set_number(L, "phase", component->phase / degree);
        script_set_number(L, "attack", component->attack);
        script_set_number(L, "decay", component->decay);
        script_set_number(L, "damping", component->damping);
        lua_rawseti(L, -2, v + 1);
    }
    return 1;
}

// --- poses

void script_push_frame(lua_State *L, er_pose pose)
{
    script_push_vec3(L, pose.p);
    script_push_quat(L, pose.q);
}

void script_push_pose(lua_State *L, const er_model *model, const er_pose *pose)
{
    lua_createtable(L, model->body_count, 0);
    for (int b = 0; b < model->body_count; ++b) {
        lua_createtable(L, 0, 4);
        script_set_integer(L, "index", b);
        script_set_text(L, "name", model->body[b].name);
        script_push_frame(L, pose[b]);
        lua_setfield(L, -3, "orientation");
        lua_setfield(L, -2, "position");
        lua_rawseti(L, -2, b + 1);
    }
}

int script_find_body(lua_State *L, const er_model *model, int argument)
{
    if (lua_type(L, argument) == LUA_TNUMBER) {
        lua_Integer index = luaL_checkinteger(L, argument);
        luaL_argcheck(L, index >= 0 && index < model->body_count, argument, "no body has this index");
        return (int)index;
    }
    const char *name = luaL_checkstring(L, argument);
    suggestion nearest = {.word = name};
    char text[SUGGESTION_TEXT];
    for (int b = 0; b < model->body_count; ++b) {
        if (strcmp(model->body[b].name, name) == 0) return b;
        suggestion_try(&nearest, model->body[b].name);
    }
    return luaL_error(L, "no body is called \"%s\"%s", name, suggestion_text(&nearest, text));
}

// motion:pose(time): of all bodies; motion:pose(time, body): position and orientation of one.
static int pose(lua_State *L)
{
    double time = luaL_checknumber(L, 2);
    lua_settop(L, 3);
    script_pause_gc(L);
    er_motion *m = check_motion(L, 1);
    int body = lua_isnil(L, 3) ? -1 : script_find_body(L, m->model, 3);
    script_context(L);
    er_pose *all = reader_push_array(L, (size_t)m->model->body_count, sizeof *all);
    script_check(L, er_motion_poses(m, 1, &time, NULL, all));
    if (body >= 0) {
        script_push_frame(L, all[body]);
        return 2;
    }
    script_push_pose(L, m->model, all);
    return 1;
}

// model:pose(), model:pose(body): likewise, at equilibrium.
int script_model_pose(lua_State *L)
{
    lua_settop(L, 2);
    script_pause_gc(L);
    const er_model *model = script_model_of(script_check_model(L, 1));
    if (!lua_isnil(L, 2)) {
        script_push_frame(L, model->body[script_find_body(L, model, 2)].pose);
        return 2;
    }
    er_pose *all = reader_push_array(L, (size_t)model->body_count, sizeof *all);
    for (int b = 0; b < model->body_count; ++b)
        all[b] = model->body[b].pose;
    script_push_pose(L, model, all);
    return 1;
}

// The times in the list at an index.
static double *push_times(lua_State *L, int index, int *count)
{
    reader r = {.L = L};
    luaL_checktype(L, index, LUA_TTABLE);
    lua_Unsigned length = lua_rawlen(L, index);
    luaL_argcheck(L, length <= 10000000, index, "more than 10 million times");
    double *time = reader_push_array(L, (size_t)length, sizeof *time);
    for (lua_Unsigned i = 0; i < length; ++i) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        time[i] = reader_top_number(&r, -HUGE_VAL, HUGE_VAL);
        lua_pop(L, 1);
    }
    *count = (int)length;
    return time;
}

// motion:poses{t, t, ...}: as pose(), a list of them.
static int poses(lua_State *L)
{
    int count;
    lua_settop(L, 2);
    script_pause_gc(L);
    er_motion *m = check_motion(L, 1);
    const double *time = push_times(L, 2, &count);
    size_t bodies = (size_t)m->model->body_count;
    script_context(L);
    er_pose *all = reader_push_array(L, (size_t)count * bodies, sizeof *all);
    script_check(L, er_motion_poses(m, count, time, NULL, all));
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        script_push_pose(L, m->model, all + (size_t)i * bodies);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// motion:coordinates(time): a row for every joint, of its free coordinates, degrees and metres.
static int coordinates(lua_State *L)
{
    double time = luaL_checknumber(L, 2);
    lua_settop(L, 2);
    script_pause_gc(L);
    er_motion *m = check_motion(L, 1);
    const er_model *model = m->model;
    script_context(L);
    double *x = reader_push_array(L, (size_t)m->width, sizeof *x);
    script_check(L, er_motion_poses(m, 1, &time, x, NULL));
    lua_createtable(L, model->joint_count, 0);
    for (int k = 0; k < model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        lua_createtable(L, count, 0);
        for (int c = 0; c < count; ++c) {
            double value = x[model->coordinate[k] + c];
            lua_pushnumber(L, axis[c] < 3 ? value / degree : value);
            lua_rawseti(L, -2, c + 1);
        }
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

// motion:reach(fps): the share of the amplitudes that loops follow.
static int reach(lua_State *L)
{
    double fps = luaL_optnumber(L, 2, 60.0), share = 1.0;
    er_motion *m = check_motion(L, 1);
    script_context(L);
    script_check(L, er_motion_reach(m, fps, &share));
    lua_pushnumber(L, share);
    return 1;
}

static int close(lua_State *L)
{
    script_motion *m = luaL_checkudata(L, 1, script_motion_class.name);
    script_close_handle(L, m->motion);
    return 0;
}

static int text(lua_State *L)
{
    const script_motion *m = luaL_checkudata(L, 1, script_motion_class.name);
    if (m->motion == NULL || m->motion->object == NULL)
        lua_pushstring(L, "motion (closed)");
    else {
        const er_motion *motion = m->motion->object;
        lua_pushfstring(L, "motion: %f s, %d component%s", motion->duration, motion->component_count,
                        eri_plural(motion->component_count));
    }
    return 1;
}

static const luaL_Reg methods[] = {{"pose", pose},   {"poses", poses}, {"coordinates", coordinates},
                                   {"reach", reach}, {"close", close}, {NULL, NULL}};
static const luaL_Reg getters[] = {
    {"duration", get_duration}, {"loops", get_loops}, {"components", get_components}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__close", close}, {"__tostring", text}, {NULL, NULL}};
const script_class script_motion_class = {"eigenrig.motion", methods, getters, NULL, meta, NULL};
