// Modes of a model as it stood when they were solved for. A mode's index is the palette's: 0 is the lowest there is.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/lua_inside.h"
#include "app/project/project_modes.h"
#include "app/project/project_names.h"

SCRIPT_DESTROYS(destroy_modes, er_modes_destroy)
SCRIPT_DESTROYS(destroy_names, er_mode_names_destroy)

static script_modes *test_open(lua_State *L, int argument)
{
    script_modes *m = luaL_checkudata(L, argument, script_modes_class.name);
    bool open = m->modes != NULL && m->modes->object != NULL && m->holder->object != NULL;
    return open ? m : NULL;
}

script_modes *script_check_modes(lua_State *L, int argument)
{
    script_modes *m = test_open(L, argument);
    if (m == NULL) luaL_argerror(L, argument, "the modes, or their model, are closed");
    return m;
}

static const er_modes *solved(const script_modes *m)
{
    return m->modes->object;
}

// --- solving

// The callback's place on the stack, 0 for none.
static int read_def(lua_State *L, int table, er_modal_def *def, int *elastic)
{
    static const char *const keys[] = {"count", "min_hz", "max_hz", "method", "progress", NULL};
    static const char *const methods[] = {"auto", "qr", "svd", "tree", "sparse"};
    reader r = {.L = L};
    reader_check_keys(&r, table, keys);
    *elastic = reader_whole(&r, table, "count", 1, 1000000000, *elastic);
    def->min_hz = reader_number(&r, table, "min_hz", 0.0, HUGE_VAL, 0.0);
    def->max_hz = reader_number(&r, table, "max_hz", 0.0, HUGE_VAL, HUGE_VAL);
    def->method = (er_modal_method)reader_choice(&r, table, "method", methods, ER_MODAL_METHOD_COUNT, 0);
    return script_read_progress(&r, table);
}

// Solves for the model at an index; pushes the modes.
static void push_solved(lua_State *L, int of, const er_modal_def *given, int elastic, int callback)
{
    script_modes *m = lua_newuserdatauv(L, sizeof *m, MODES_VALUES);
    int at = lua_gettop(L);
    *m = (script_modes){0};
    luaL_setmetatable(L, script_modes_class.name);
    handle *made = script_push_handle(L, destroy_modes);
    lua_setiuservalue(L, at, MODES_MODES);
    er_context *context = script_context(L);
    script_model *model = script_check_model(L, of); // after the last allocation: a finalizer may change the model
    m->model = script_model_of(model);
    m->holder = model->model != NULL ? model->model : model->rig;
    m->modes = made;
    lua_getiuservalue(L, of, model->model != NULL ? MODEL_MODEL : MODEL_RIG);
    lua_setiuservalue(L, at, MODES_HOLDER);
    lua_pushvalue(L, of);
    lua_setiuservalue(L, at, MODES_MODEL);
    er_modal_def def = *given;
    er_modes *solution = NULL;
    def.progress = callback > 0 ? script_progress_tell : NULL;
    script_progress watch = script_progress_begin(L, callback);
    def.user = &watch;
    er_result r = project_solve_modes(context, m->model, &def, elastic, &solution);
    made->object = solution;
    script_progress_end(&watch, r);
}

static int check_count(lua_State *L, int argument)
{
    lua_Integer count = luaL_checkinteger(L, argument);
    luaL_argcheck(L, count >= 1 && count <= 1000000000, argument, "a count of modes is 1 to 1000000000");
    return (int)count;
}

// model:modes(), model:modes(24), model:modes{...}
int script_model_modes(lua_State *L)
{
    int elastic = project_usual_modes(script_model_of(script_check_model(L, 1))), callback = 0;
    er_modal_def def = er_default_modal_def();
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        script_push_modes(L, 1, 0);
        return 1;
    }
    if (lua_type(L, 2) == LUA_TNUMBER)
        elastic = check_count(L, 2);
    else
        callback = read_def(L, 2, &def, &elastic);
    push_solved(L, 1, &def, elastic, callback);
    return 1;
}

void script_push_modes(lua_State *L, int model, int least)
{
    model = lua_absindex(L, model);
    const script_model *m = script_check_model(L, model);
    if (lua_getiuservalue(L, model, MODEL_MODES) != LUA_TNIL && test_open(L, -1) != NULL) {
        const er_modes *held = solved(lua_touserdata(L, -1));
        if (project_elastic_count(held) >= least || held->count == held->dof) return;
    }
    lua_pop(L, 1);
    er_modal_def def = er_default_modal_def();
    int usual = project_usual_modes(script_model_of(m));
    push_solved(L, model, &def, usual == 0 || usual > least ? usual : least, 0);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, model, MODEL_MODES);
}

// --- modes

SCRIPT_PUSHES(get_count, lua_pushinteger, solved(script_check_modes(L, 1))->count)
SCRIPT_PUSHES(get_first, lua_pushinteger, solved(script_check_modes(L, 1))->first)
SCRIPT_PUSHES(get_dof, lua_pushinteger, solved(script_check_modes(L, 1))->dof)
SCRIPT_PUSHES(get_rigid_count, lua_pushinteger, solved(script_check_modes(L, 1))->rigid_count)
SCRIPT_PUSHES(get_mechanism_count, lua_pushinteger, solved(script_check_modes(L, 1))->mechanism_count)
SCRIPT_PUSHES(get_method, lua_pushstring, er_modal_method_name(solved(script_check_modes(L, 1))->method))

static int get_residuals(lua_State *L)
{
    er_modal_residuals e = solved(script_check_modes(L, 1))->residuals;
    lua_createtable(L, 0, 4);
    script_set_number(L, "constraint", e.constraint);
    script_set_number(L, "gram", e.gram);
    script_set_number(L, "pencil", e.pencil);
    script_set_number(L, "damped", e.damped);
    return 1;
}

// Whether the model has been changed since.
static int get_stale(lua_State *L)
{
    script_modes *m = script_check_modes(L, 1);
    lua_getiuservalue(L, 1, MODES_MODEL);
    const script_model *model = lua_touserdata(L, -1);
    bool closed = model->rig == NULL && model->model == NULL;
    lua_pushboolean(L, closed || script_model_of(model) != m->model);
    return 1;
}

/// One of the modes that its user value keeps.
typedef struct mode_object {
    int place; // among those held
} mode_object;

static void push_mode(lua_State *L, int modes, int place)
{
    modes = lua_absindex(L, modes);
    mode_object *mode = lua_newuserdatauv(L, sizeof *mode, 1);
    mode->place = place;
    lua_pushvalue(L, modes);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, script_mode_class.name);
}

// modes[k]; nil for a mode that is not held, so that loops can end.
static int mode_at(lua_State *L)
{
    const er_modes *held = solved(script_check_modes(L, 1));
    int whole = 0;
    lua_Integer index = lua_tointegerx(L, 2, &whole);
    const er_mode *mode = whole && index == (int)index ? er_modes_find(held, (int)index) : NULL;
    if (mode == NULL)
        lua_pushnil(L);
    else
        push_mode(L, 1, (int)(mode - held->mode));
    return 1;
}

static int next_mode(lua_State *L)
{
    const er_modes *held = solved(script_check_modes(L, 1));
    lua_Integer index = lua_isnoneornil(L, 2) ? held->first : luaL_checkinteger(L, 2);
    lua_Integer place = lua_isnoneornil(L, 2) ? 0 : index - held->first + 1;
    if (index < held->first || place >= held->count) return 0;
    lua_pushinteger(L, er_modes_index(held, &held->mode[place]));
    push_mode(L, 1, (int)place);
    return 2;
}

static int each_mode(lua_State *L)
{
    script_check_modes(L, 1);
    lua_pushcfunction(L, next_mode);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

er_mode_names *script_mode_names(lua_State *L, int modes)
{
    modes = lua_absindex(L, modes);
    if (lua_getiuservalue(L, modes, MODES_NAMES) == LUA_TNIL) {
        lua_pop(L, 1);
        handle *made = script_push_handle(L, destroy_names);
        const script_modes *m = script_check_modes(L, modes);
        er_context *context = script_context(L);
        lua_getiuservalue(L, modes, MODES_MODEL);
        const script_model *of = lua_touserdata(L, -1);
        const er_rig *rig = of->rig != NULL ? of->rig->object : NULL;
        bool fits = rig != NULL && rig->model->body_count == m->model->body_count;
        er_gait_def def = er_default_gait_def();
        er_mode_names *names = NULL;
        def.feet = of->feet;
        def.forward = of->forward;
        er_result r = project_name_modes(context, m->model, fits ? rig : NULL, &def, solved(m), &names);
        made->object = names;
        lua_pop(L, 1);
        script_check(L, r);
        lua_pushvalue(L, -1);
        lua_setiuservalue(L, modes, MODES_NAMES);
    }
    const handle *names = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return names->object;
}

// modes:save(path): the palette file, or numbers, by the path's ending.
static int save(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    const er_mode_names *names = script_mode_names(L, 1);
    script_modes *m = script_check_modes(L, 1);
    script_check(L, project_write_modes(script_context(L), m->model, solved(m), names, NULL, path));
    return 0;
}

// modes:find(name): the mode of that name, or nil.
static int find_mode(lua_State *L)
{
    const char *name = luaL_checkstring(L, 2);
    const er_mode_names *names = script_mode_names(L, 1);
    int index = er_mode_names_find(names, name);
    if (index < 0)
        lua_pushnil(L);
    else
        push_mode(L, 1, index - solved(script_check_modes(L, 1))->first);
    return 1;
}

const er_mode_bound *script_push_bounds(lua_State *L, const er_model *model, const er_rig *rig, const er_modes *modes)
{
    size_t size = (size_t)modes->count * sizeof(er_mode_bound);
    er_mode_bound *kept = lua_newuserdatauv(L, size + 1, 0), *bound;
    script_check(L, project_bound_modes(script_context(L), model, rig, modes, &bound));
    memcpy(kept, bound, size);
    free(bound);
    return kept;
}

static void set_bound(lua_State *L, const char *key, double degrees)
{
    if (degrees < HUGE_VAL) script_set_number(L, key, degrees);
}

// modes:bounds(): a table for each mode.
static int bounds(lua_State *L)
{
    const script_modes *m = script_check_modes(L, 1);
    lua_getiuservalue(L, 1, MODES_MODEL);
    const er_mode_bound *bound = script_push_bounds(L, m->model, script_rig_of(script_check_model(L, -1)), solved(m));
    lua_createtable(L, solved(m)->count, 0);
    for (int k = 0; k < solved(m)->count; ++k) {
        lua_createtable(L, 0, 6);
        script_set_number(L, "degrees", bound[k].degrees);
        lua_pushstring(L, er_bound_name(bound[k].by));
        lua_setfield(L, -2, "by");
        set_bound(L, "limit", bound[k].limit);
        set_bound(L, "contact", bound[k].contact);
        set_bound(L, "linear", bound[k].linear);
        lua_rawseti(L, -2, er_modes_index(solved(m), &solved(m)->mode[k]));
    }
    return 1;
}

// modes:list(): the modes held as a list, for ipairs.
static int list_modes(lua_State *L)
{
    const er_modes *held = solved(script_check_modes(L, 1));
    int count = held->count;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        push_mode(L, 1, i);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// modes:plot(path, shapes): the figure.
static int plot(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    lua_Integer shapes = luaL_optinteger(L, 3, PROJECT_FIGURE_SHAPES);
    luaL_argcheck(L, shapes >= 0 && shapes <= PROJECT_MOST_SHAPES, 3, "a number of shapes is 0 to 400");
    script_modes *m = script_check_modes(L, 1);
    lua_getiuservalue(L, 1, MODES_MODEL);
    const er_scene *scene = script_scene_of(lua_touserdata(L, -1));
    script_check(L, project_plot_modes(script_context(L), m->model, solved(m), scene, (int)shapes, path));
    return 0;
}

static int close_modes(lua_State *L)
{
    script_modes *m = luaL_checkudata(L, 1, script_modes_class.name);
    script_close_handle(L, m->modes);
    return 0;
}

static int modes_text(lua_State *L)
{
    const script_modes *m = test_open(L, 1);
    if (m == NULL)
        lua_pushstring(L, "modes (closed)");
    else
        lua_pushfstring(L, "modes %d to %d of %d", solved(m)->first, solved(m)->first + solved(m)->count - 1,
                        solved(m)->dof);
    return 1;
}

static const luaL_Reg modes_methods[] = {
    {"close", close_modes}, {"save", save}, {"find", find_mode}, {"bounds", bounds},
    {"list", list_modes},   {"plot", plot}, {NULL, NULL}};
static const luaL_Reg modes_getters[] = {{"count", get_count},
                                         {"first", get_first},
                                         {"dof", get_dof},
                                         {"rigid_count", get_rigid_count},
                                         {"mechanism_count", get_mechanism_count},
                                         {"method", get_method},
                                         {"residuals", get_residuals},
                                         {"stale", get_stale},
                                         {NULL, NULL}};
static const luaL_Reg modes_meta[] = {
    {"__len", get_count}, {"__pairs", each_mode}, {"__close", close_modes}, {"__tostring", modes_text}, {NULL, NULL}};
const script_class script_modes_class = {"eigenrig.modes", modes_methods, modes_getters, NULL, modes_meta, mode_at};

// --- one mode

const er_mode *script_check_mode(lua_State *L, int argument, script_modes **of)
{
    const mode_object *mode = luaL_checkudata(L, argument, script_mode_class.name);
    lua_getiuservalue(L, argument, 1);
    *of = test_open(L, -1);
    lua_pop(L, 1);
    if (*of == NULL) luaL_argerror(L, argument, "the modes, or their model, are closed");
    return &solved(*of)->mode[mode->place];
}

static const er_mode *check_mode(lua_State *L)
{
    script_modes *of;
    return script_check_mode(L, 1, &of);
}

static int mode_index(lua_State *L)
{
    script_modes *of;
    script_check_mode(L, 1, &of);
    lua_pushinteger(L, er_modes_index(solved(of), &solved(of)->mode[((mode_object *)lua_touserdata(L, 1))->place]));
    return 1;
}

SCRIPT_PUSHES(mode_kind, lua_pushstring, er_mode_kind_name(check_mode(L)->kind))
SCRIPT_PUSHES(mode_frequency, lua_pushnumber, check_mode(L)->frequency_hz)
SCRIPT_PUSHES(mode_eigenvalue, lua_pushnumber, check_mode(L)->eigenvalue)
SCRIPT_PUSHES(mode_damping_ratio, lua_pushnumber, check_mode(L)->damping_ratio)
SCRIPT_PUSHES(mode_damped_hz, lua_pushnumber, check_mode(L)->damped_hz)

// The name of the mode at 1; NULL if its rig has no regions.
static const er_mode_name *name_of_mode(lua_State *L, const er_mode_names **of)
{
    script_modes *modes;
    const er_mode *mode = script_check_mode(L, 1, &modes);
    lua_getiuservalue(L, 1, 1);
    *of = script_mode_names(L, -1);
    lua_pop(L, 1);
    return er_mode_names_at(*of, er_modes_index(solved(modes), mode));
}

static int mode_name(lua_State *L)
{
    const er_mode_names *of;
    const er_mode_name *name = name_of_mode(L, &of);
    lua_pushstring(L, name != NULL ? name->name : NULL);
    return 1;
}

static int mode_brief(lua_State *L)
{
    const er_mode_names *of;
    const er_mode_name *name = name_of_mode(L, &of);
    lua_pushstring(L, name != NULL ? name->brief : NULL);
    return 1;
}

static int push_measure(lua_State *L, const er_mode_name *name, double measure)
{
    if (name != NULL)
        lua_pushnumber(L, measure);
    else
        lua_pushnil(L);
    return 1;
}

static int mode_parity(lua_State *L)
{
    const er_mode_names *of;
    const er_mode_name *name = name_of_mode(L, &of);
    return push_measure(L, name, name != NULL ? name->parity : 0.0);
}

static int mode_sure(lua_State *L)
{
    const er_mode_names *of;
    const er_mode_name *name = name_of_mode(L, &of);
    return push_measure(L, name, name != NULL ? name->sure : 0.0);
}

static int mode_whole_body(lua_State *L)
{
    const er_mode_names *of;
    const er_mode_name *name = name_of_mode(L, &of);
    lua_pushboolean(L, name == NULL || name->whole_body);
    return 1;
}

// The share of every region in the mode's strain or motion, by its name.
static int push_regions(lua_State *L, bool motion)
{
    const er_mode_names *of;
    const er_mode_name *name = name_of_mode(L, &of);
    lua_newtable(L);
    for (int g = 0; name != NULL && g < of->group_count; ++g) {
        lua_pushnumber(L, motion ? name->motion[g] : name->share[g]);
        lua_setfield(L, -2, of->group_name[g]);
    }
    return 1;
}

static int mode_regions(lua_State *L)
{
    return push_regions(L, false);
}

static int mode_motion(lua_State *L)
{
    return push_regions(L, true);
}

// A row of six for every body.
static int mode_body(lua_State *L)
{
    script_modes *of;
    script_pause_gc(L);
    const er_mode *mode = script_check_mode(L, 1, &of);
    lua_createtable(L, of->model->body_count, 0);
    for (int b = 0; b < of->model->body_count; ++b) {
        script_push_numbers(L, mode->body + 6 * b, 6);
        lua_rawseti(L, -2, b + 1);
    }
    return 1;
}

// A row for every joint, of its free coordinates.
static int mode_joint(lua_State *L)
{
    script_modes *of;
    script_pause_gc(L);
    const er_mode *mode = script_check_mode(L, 1, &of);
    lua_createtable(L, of->model->joint_count, 0);
    for (int k = 0; k < of->model->joint_count; ++k) {
        int first = of->model->coordinate[k];
        script_push_numbers(L, mode->joint + first, of->model->coordinate[k + 1] - first);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static int push_joint_numbers(lua_State *L, void (*measure)(const er_model *, const er_mode *, double *))
{
    script_modes *of;
    script_pause_gc(L);
    const er_mode *mode = script_check_mode(L, 1, &of);
    double *value = reader_push_array(L, (size_t)of->model->joint_count, sizeof *value);
    measure(of->model, mode, value);
    script_push_numbers(L, value, of->model->joint_count);
    return 1;
}

static int mode_joint_shares(lua_State *L)
{
    return push_joint_numbers(L, er_mode_joint_shares);
}

static int mode_joint_travel(lua_State *L)
{
    return push_joint_numbers(L, er_mode_joint_travel);
}

// Bodies rather than joints.
static int mode_body_shares(lua_State *L)
{
    script_modes *of;
    script_pause_gc(L);
    const er_mode *mode = script_check_mode(L, 1, &of);
    int count = of->model->body_count;
    double *share = reader_push_array(L, (size_t)count, sizeof *share);
    er_mode_body_shares(of->model, mode, share);
    script_push_numbers(L, share, count);
    return 1;
}

// mode:effective_mass(): about x, y, z, and along them.
static int mode_effective_mass(lua_State *L)
{
    script_modes *of;
    double mass[6];
    const er_mode *mode = script_check_mode(L, 1, &of);
    er_mode_effective_mass(of->model, mode, mass);
    script_push_numbers(L, mass, 6);
    return 1;
}

// mode:movers(n): the joints that move most, most first.
static int mode_movers(lua_State *L)
{
    script_modes *of;
    lua_Integer wanted = luaL_optinteger(L, 2, 3);
    script_pause_gc(L);
    const er_mode *mode = script_check_mode(L, 1, &of);
    int count = of->model->joint_count;
    double *travel = reader_push_array(L, (size_t)count, sizeof *travel);
    er_mode_joint_travel(of->model, mode, travel);
    lua_newtable(L);
    for (lua_Integer i = 1; i <= wanted; ++i) {
        int most = 0;
        for (int k = 1; k < count; ++k)
            if (travel[k] > travel[most]) most = k;
        if (count == 0 || !(travel[most] > 0.0)) break;
        travel[most] = 0.0;
        lua_pushstring(L, of->model->joint[most].name);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static int mode_text(lua_State *L)
{
    const er_mode *mode = check_mode(L);
    char hz[32];
    lua_settop(L, 1);
    mode_index(L);
    lua_Integer index = lua_tointeger(L, -1);
    snprintf(hz, sizeof hz, "%.4f", mode->frequency_hz);
    lua_pushfstring(L, "mode %I: %s, %s Hz", index, er_mode_kind_name(mode->kind), hz);
    return 1;
}

static const luaL_Reg mode_methods[] = {{"joint_shares", mode_joint_shares},
                                        {"joint_travel", mode_joint_travel},
                                        {"body_shares", mode_body_shares},
                                        {"effective_mass", mode_effective_mass},
                                        {"movers", mode_movers},
                                        {NULL, NULL}};
static const luaL_Reg mode_getters[] = {{"index", mode_index},
                                        {"name", mode_name},
                                        {"brief", mode_brief},
                                        {"parity", mode_parity},
                                        {"sure", mode_sure},
                                        {"whole_body", mode_whole_body},
                                        {"regions", mode_regions},
                                        {"motion", mode_motion},
                                        {"kind", mode_kind},
                                        {"frequency_hz", mode_frequency},
                                        {"eigenvalue", mode_eigenvalue},
                                        {"damping_ratio", mode_damping_ratio},
                                        {"damped_hz", mode_damped_hz},
                                        {"body", mode_body},
                                        {"joint", mode_joint},
                                        {NULL, NULL}};
static const luaL_Reg mode_meta[] = {{"__tostring", mode_text}, {NULL, NULL}};
const script_class script_mode_class = {"eigenrig.mode", mode_methods, mode_getters, NULL, mode_meta, NULL};
