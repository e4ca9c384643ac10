// The matrices of a model as tables: triplets, and what their rows and columns are.
#include "app/lua/lua_inside.h"
#include "app/project/project_modes.h"

SCRIPT_DESTROYS(destroy_matrices, er_modal_matrices_destroy)

// The pose at an index, a list of places by body as model:pose() gives them; NULL for nil. Pushes its work space.
static const er_pose *read_pose(lua_State *L, int index, const er_model *model)
{
    if (lua_isnoneornil(L, index)) {
        lua_pushnil(L);
        return NULL;
    }
    luaL_checktype(L, index, LUA_TTABLE);
    luaL_argcheck(L, lua_rawlen(L, index) == (lua_Unsigned)model->body_count, index,
                  "a pose has a place for every body, as model:pose() gives them");
    er_pose *pose = reader_push_array(L, (size_t)model->body_count, sizeof *pose);
    for (int b = 0; b < model->body_count; ++b) {
        lua_rawgeti(L, index, b + 1);
        luaL_argcheck(L, lua_istable(L, -1), index, "a place is a table with position and orientation");
        lua_getfield(L, -1, "position");
        bool placed = reader_to_vec3(L, -1, &pose[b].p);
        lua_getfield(L, -2, "orientation");
        bool turned = reader_to_quat(L, -1, &pose[b].q);
        luaL_argcheck(L, placed && turned, index, "a place has a position {x, y, z} and an orientation {w, x, y, z}");
        lua_pop(L, 3);
    }
    return pose;
}

static void push_integers(lua_State *L, int count, const int *value)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        lua_pushinteger(L, value[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

// {rows, columns, row, column, value} as a field of the table on the top.
static void set_triplets(lua_State *L, const char *name, const er_triplets *t)
{
    lua_createtable(L, 0, 5);
    script_set_integer(L, "rows", t->row_count);
    script_set_integer(L, "columns", t->column_count);
    push_integers(L, t->count, t->row);
    lua_setfield(L, -2, "row");
    push_integers(L, t->count, t->column);
    lua_setfield(L, -2, "column");
    script_push_numbers(L, t->value, t->count);
    lua_setfield(L, -2, "value");
    lua_setfield(L, -2, name);
}

static void push_axis(lua_State *L, const char *key, int index, int axis)
{
    static const char *const names[] = {"tx", "ty", "tz", "x", "y", "z"};
    lua_createtable(L, 0, 2);
    if (axis < 0) return; // of loops
    script_set_integer(L, key, index);
    script_set_text(L, "axis", names[axis]);
}

static void set_axes(lua_State *L, const char *name, int count, const int *joint, const int *axis)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        push_axis(L, "joint", joint[i], axis[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_motions(lua_State *L, const er_modal_matrices *m)
{
    lua_createtable(L, m->N.column_count, 0);
    for (int k = 0; k < m->N.column_count; ++k) {
        const er_admissible *a = &m->admissible[k];
        push_axis(L, a->joint >= 0 ? "joint" : "root", a->joint >= 0 ? a->joint : a->body, a->axis);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "motions");
}

// model:matrices(), model:matrices(pose)
int script_model_matrices(lua_State *L)
{
    lua_settop(L, 2);
    script_pause_gc(L);
    const er_model *model = script_model_of(script_check_model(L, 1));
    const er_pose *pose = read_pose(L, 2, model);
    handle *made = script_push_handle(L, destroy_matrices);
    er_modal_matrices *m = NULL;
    er_result r = er_modal_matrices_create(script_context(L), model, pose, &m);
    made->object = m;
    script_check(L, r);
    lua_createtable(L, 0, 9);
    set_triplets(L, "M", &m->M);
    set_triplets(L, "K", &m->K);
    set_triplets(L, "C", &m->C);
    set_triplets(L, "G", &m->G);
    set_triplets(L, "R", &m->R);
    set_triplets(L, "N", &m->N);
    set_axes(L, "constraints", m->G.row_count, m->constraint_joint, m->constraint_axis);
    set_axes(L, "rates", m->R.row_count, m->coordinate_joint, m->coordinate_axis);
    set_motions(L, m);
    script_close_handle(L, made);
    return 1;
}

// model:save_matrices(path), model:save_matrices(path, pose)
int script_model_save_matrices(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    lua_settop(L, 3);
    script_pause_gc(L);
    const er_model *model = script_model_of(script_check_model(L, 1));
    const er_pose *pose = read_pose(L, 3, model);
    script_check(L, project_write_matrices(script_context(L), model, pose, path));
    return 0;
}
