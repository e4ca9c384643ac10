// Forces of a motion: model:inverse{...} and its result.
#include <string.h>

#include <eigenrig/plots.h>

#include "app/lua/lua_inside.h"
#include "app/project/project_inverse.h"

/// Forces of a motion of a model as it stood.
typedef struct forces_object {
    handle *done;   // a project_inverse
    handle *holder; // of the er_model
} forces_object;

enum { FORCES_DONE = 1, FORCES_HOLDER, FORCES_VALUES = FORCES_HOLDER };

static const project_inverse *check_forces(lua_State *L)
{
    const forces_object *f = luaL_checkudata(L, 1, script_forces_class.name);
    bool open = f->done != NULL && f->done->object != NULL && f->holder->object != NULL;
    if (!open) luaL_argerror(L, 1, "the forces, or their model, are closed");
    return f->done->object;
}

// --- making them

SCRIPT_DESTROYS(clear_forces, project_inverse_clear)

// Puts the motion of the field `mix` or `gait` into the definition. Its owner stays on the stack.
static void read_source(lua_State *L, reader *r, int table, const project_listener *listener, project_inverse_def *out)
{
    if (reader_field(r, table, "mix")) {
        script_motion_options moving = {.def = er_default_motion_def()};
        moving.def.fps = out->fps;
        moving.def.duration = reader_number(r, table, "duration", 0.0, 1e5, 0.0);
        script_push_mix(L, 1, lua_gettop(L));
        script_push_motion(L, lua_gettop(L), &moving, listener);
        const script_motion *motion = lua_touserdata(L, -1);
        out->motion = motion->motion->object;
        reader_leave(r);
    }
    if (reader_field(r, table, "gait")) {
        script_gaits *of;
        const er_gait *gait = script_check_gait(L, lua_gettop(L), &of);
        const er_gaits *gaits = of->gaits->object;
        if (of->modes->model != script_model_of(script_check_model(L, 1)))
            reader_wrong(r, "the gait is another model's, or the model has changed since");
        out->gait = script_push_gait_motions(L, of, (int)(gait - gaits->gait), 1, out->fps)[0];
        reader_leave(r);
    }
}

static void read_def(lua_State *L, int table, const project_listener *listener, project_inverse_def *out)
{
    static const char *const keys[] = {"clip",     "mix",     "gait",  "duration", "fps", "cutoff",
                                       "friction", "gravity", "plate", "feet",     NULL};
    reader r = {.L = L};
    const script_model *m = script_check_model(L, 1);
    *out = project_default_inverse_def();
    reader_check_keys(&r, table, keys);
    out->clip = reader_text(&r, table, "clip", NULL);
    out->fps = reader_number(&r, table, "fps", 1e-3, 1e5, out->fps);
    out->cutoff = reader_number(&r, table, "cutoff", 0.0, 1e5, out->cutoff);
    out->friction = reader_number(&r, table, "friction", 0.0, 1e6, out->friction);
    out->gravity = reader_number(&r, table, "gravity", 0.0, 1e6, out->gravity);
    out->plate = reader_text(&r, table, "plate", NULL);
    out->body.feet = reader_text(&r, table, "feet", m->feet);
    out->body.forward = m->forward;
    read_source(L, &r, table, listener, out);
}

// model:inverse{clip=, mix=, gait=, ...}
int script_model_inverse(lua_State *L)
{
    project_inverse_def def;
    const script_model *m = script_check_model(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    script_pause_gc(L);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    read_def(L, 2, &listener, &def);
    forces_object *f = lua_newuserdatauv(L, sizeof *f, FORCES_VALUES);
    *f = (forces_object){0};
    luaL_setmetatable(L, script_forces_class.name);
    int at = lua_gettop(L);
    f->holder = m->model != NULL ? m->model : m->rig;
    lua_getiuservalue(L, 1, m->model != NULL ? MODEL_MODEL : MODEL_RIG);
    lua_setiuservalue(L, at, FORCES_HOLDER);
    project_inverse *room = script_push_room(L, sizeof *room, clear_forces);
    f->done = lua_touserdata(L, -1);
    lua_setiuservalue(L, at, FORCES_DONE);
    script_check(L,
                 project_inverse_solve(script_context(L), script_model_of(m), script_rig_of(m), &def, &listener, room));
    lua_settop(L, at);
    return 1;
}

// --- what they are

SCRIPT_PUSHES(get_frames, lua_pushinteger, check_forces(L)->loads.frame_count)
SCRIPT_PUSHES(get_fps, lua_pushnumber, check_forces(L)->fps)
SCRIPT_PUSHES(get_weight, lua_pushnumber, check_forces(L)->loads.weight)
SCRIPT_PUSHES(get_ground, lua_pushnumber, check_forces(L)->ground)
SCRIPT_PUSHES(get_repeats, lua_pushboolean, check_forces(L)->repeats)

static int get_time(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_loads *l = &check_forces(L)->loads;
    script_push_numbers(L, l->time, l->frame_count);
    return 1;
}

// The names of bodies that are feet.
static int get_feet(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_loads *l = &check_forces(L)->loads;
    lua_createtable(L, l->foot_count, 0);
    for (int i = 0; i < l->foot_count; ++i) {
        lua_pushstring(L, l->model->body[l->foot[i]].name);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// A list of vectors, `stride` bytes apart.
static void push_vectors(lua_State *L, const er_vec3 *v, int count, size_t stride)
{
    lua_createtable(L, count, 0);
    for (int k = 0; k < count; ++k) {
        script_push_vec3(L, *(const er_vec3 *)((const char *)v + (size_t)k * stride));
        lua_rawseti(L, -2, k + 1);
    }
}

// The lists of its forces and torques.
static int get_residual(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_loads *l = &check_forces(L)->loads;
    lua_createtable(L, 0, 2);
    push_vectors(L, &l->residual->force, l->frame_count, sizeof *l->residual);
    lua_setfield(L, -2, "force");
    push_vectors(L, &l->residual->torque, l->frame_count, sizeof *l->residual);
    lua_setfield(L, -2, "torque");
    return 1;
}

static int find_joint(lua_State *L, const er_model *model)
{
    if (lua_type(L, 2) == LUA_TNUMBER) {
        lua_Integer index = luaL_checkinteger(L, 2);
        luaL_argcheck(L, index >= 0 && index < model->joint_count, 2, "no joint has this index");
        return (int)index;
    }
    const char *name = luaL_checkstring(L, 2);
    suggestion nearest = {.word = name};
    char text[SUGGESTION_TEXT];
    for (int k = 0; k < model->joint_count; ++k) {
        if (strcmp(model->joint[k].name, name) == 0) return k;
        suggestion_try(&nearest, model->joint[k].name);
    }
    return luaL_error(L, "no joint is called \"%s\"%s", name, suggestion_text(&nearest, text));
}

// A column of a table of coordinates.
static void set_column(lua_State *L, const char *key, const er_loads *l, const double *data, int column)
{
    lua_createtable(L, l->frame_count, 0);
    for (int k = 0; k < l->frame_count; ++k) {
        lua_pushnumber(L, data[(size_t)k * (size_t)l->model->coordinate_count + (size_t)column]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, key);
}

// forces:joint(joint): for each free coordinate its axis, and lists of force, passive and power.
static int joint(lua_State *L)
{
    static const char *const axes[6] = {"tx", "ty", "tz", "x", "y", "z"};
    lua_settop(L, 2);
    script_pause_gc(L);
    const er_loads *l = &check_forces(L)->loads;
    int k = find_joint(L, l->model), axis[6], count = er_joint_type_freedom(l->model->joint[k].type, axis);
    lua_createtable(L, count, 0);
    for (int c = 0; c < count; ++c) {
        int column = l->model->coordinate[k] + c;
        lua_createtable(L, 0, 4);
        script_set_text(L, "axis", axes[axis[c]]);
        set_column(L, "force", l, l->force, column);
        set_column(L, "passive", l, l->passive, column);
        set_column(L, "power", l, l->power, column);
        lua_rawseti(L, -2, c + 1);
    }
    return 1;
}

// forces:foot(body): lists of the ground's force, of the centre of pressure and of the twist about the vertical.
static int foot(lua_State *L)
{
    lua_settop(L, 2);
    script_pause_gc(L);
    const er_loads *l = &check_forces(L)->loads;
    int body = script_find_body(L, l->model, 2), i = 0;
    while (i < l->foot_count && l->foot[i] != body)
        ++i;
    luaL_argcheck(L, i < l->foot_count, 2, "this body is no foot");
    const size_t row = (size_t)l->foot_count * sizeof *l->load;
    push_vectors(L, &l->load[i].force, l->frame_count, row);
    push_vectors(L, &l->load[i].centre, l->frame_count, row);
    lua_createtable(L, l->frame_count, 0);
    for (int k = 0; k < l->frame_count; ++k) {
        lua_pushnumber(L, l->load[(size_t)k * (size_t)l->foot_count + (size_t)i].twist);
        lua_rawseti(L, -2, k + 1);
    }
    return 3;
}

static int export(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    const project_inverse *done = check_forces(L);
    script_check(L, project_inverse_write(script_context(L), done, done->loads.model->name, path));
    return 0;
}

static int close(lua_State *L)
{
    const forces_object *f = luaL_checkudata(L, 1, script_forces_class.name);
    script_close_handle(L, f->done);
    return 0;
}

static int text(lua_State *L)
{
    const forces_object *f = luaL_checkudata(L, 1, script_forces_class.name);
    const project_inverse *done = f->done != NULL ? f->done->object : NULL;
    if (done == NULL)
        lua_pushstring(L, "forces (closed)");
    else
        lua_pushfstring(L, "forces: %d frames, %f a second", done->loads.frame_count, done->fps);
    return 1;
}

static const luaL_Reg methods[] = {
    {"joint", joint}, {"foot", foot}, {"export", export}, {"close", close}, {NULL, NULL}};
static const luaL_Reg getters[] = {{"frames", get_frames}, {"fps", get_fps},           {"time", get_time},
                                   {"weight", get_weight}, {"ground", get_ground},     {"repeats", get_repeats},
                                   {"feet", get_feet},     {"residual", get_residual}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__len", get_frames}, {"__close", close}, {"__tostring", text}, {NULL, NULL}};
const script_class script_forces_class = {"eigenrig.forces", methods, getters, NULL, meta, NULL};
