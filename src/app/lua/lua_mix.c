// Mixes of modes. When the model changes, their modes are found again by shape.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/lua/lua_inside.h"

static const double degree = ER_PI / 180.0;

SCRIPT_DESTROYS(destroy_mix, er_mix_destroy)
SCRIPT_DESTROYS(destroy_motion, er_motion_destroy)
SCRIPT_DESTROYS(clear_plants, project_plants_clear)

const er_mix *script_check_mix(lua_State *L, int argument)
{
    script_mix *m = luaL_checkudata(L, argument, script_mix_class.name);
    if (m->mix == NULL || m->mix->object == NULL) luaL_argerror(L, argument, "the mix is closed");
    return m->mix->object;
}

// --- reading

// A number, or "own": the mode's.
static double read_damping(reader *r, int table)
{
    double damping = 0.0;
    if (!reader_field(r, table, "damping")) return damping;
    if (lua_type(r->L, -1) == LUA_TSTRING && strcmp(lua_tostring(r->L, -1), "own") == 0)
        damping = -1.0;
    else
        damping = reader_top_number(r, 0.0, 10.0);
    reader_done(r);
    return damping;
}

static void read_component(reader *r, int table, er_mix_component *out)
{
    static const char *const keys[] = {"mode",  "degrees", "metres", "at",      "hz", "harmonic",
                                       "phase", "attack",  "decay",  "damping", NULL};
    *out = er_default_mix_component();
    reader_check_keys(r, table, keys);
    out->mode = reader_whole(r, table, "mode", 0, 1000000000, -1);
    if (out->mode < 0) reader_wrong(r, "it has no mode");
    out->degrees = reader_number(r, table, "degrees", 0.0, 3600.0, out->degrees);
    out->metres = reader_number(r, table, "metres", 0.0, 1e5, 0.0);
    out->at = reader_text(r, table, "at", NULL);
    out->hz = reader_number(r, table, "hz", 0.0, 1e6, 0.0);
    out->harmonic = reader_whole(r, table, "harmonic", 0, 10000, 0);
    out->phase = degree * reader_number(r, table, "phase", -1e9, 1e9, 0.0);
    out->attack = reader_number(r, table, "attack", 0.0, 1e5, 0.0);
    out->decay = reader_number(r, table, "decay", 0.0, 1e5, 0.0);
    out->damping = read_damping(r, table);
}

// Degrees of a mode.
typedef struct degrees_of {
    int mode;
    double degrees;
} degrees_of;

static int by_mode(const void *a, const void *b)
{
    const degrees_of *x = a, *y = b;
    return (x->mode > y->mode) - (x->mode < y->mode);
}

// Whether a table has degrees by mode: {[7] = 12, [9] = 5}, or a value of another type in place of degrees.
static bool is_short(lua_State *L, int table)
{
    bool by_mode = false;
    lua_Integer list = (lua_Integer)lua_rawlen(L, table);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        by_mode |= lua_isinteger(L, -2) && (lua_type(L, -1) == LUA_TNUMBER || lua_tointeger(L, -2) > list);
    return by_mode;
}

static const char *const beside[] = {"name", "cycle", NULL}; // components

// The same as a list of components on the stack, in the place of the table.
static void spell_out(reader *r, int table)
{
    lua_State *L = r->L;
    degrees_of c[ER_MIX_MAX_COMPONENTS];
    int count = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) continue; // beside
        if (lua_tointeger(L, -2) == 1)
            reader_wrong(r, "expected the degrees of a mode as {mode = 1, degrees = 12}, or as {[7] = 12} for mode 7");
        if (lua_type(L, -1) == LUA_TTABLE)
            reader_wrong(
                r,
                "[%d] takes degrees only, as [%d] = 12; use a list for more: {{mode = %d, degrees = 12, phase = 90}}",
                (int)lua_tointeger(L, -2), (int)lua_tointeger(L, -2), (int)lua_tointeger(L, -2));
        if (lua_type(L, -1) != LUA_TNUMBER || lua_tointeger(L, -2) > 1000000000)
            reader_wrong(r, "expected degrees by mode, as [7] = 12");
        if (count == ER_MIX_MAX_COMPONENTS) reader_wrong(r, "a mix has 1 to %d components", ER_MIX_MAX_COMPONENTS);
        c[count++] = (degrees_of){(int)lua_tointeger(L, -2), lua_tonumber(L, -1)};
    }
    qsort(c, (size_t)count, sizeof *c, by_mode);
    lua_createtable(L, count, 2);
    for (int i = 0; i < count; ++i) {
        lua_createtable(L, 0, 2);
        script_set_integer(L, "mode", c[i].mode);
        script_set_number(L, "degrees", c[i].degrees);
        lua_rawseti(L, -2, i + 1);
    }
    for (const char *const *key = beside; *key != NULL; ++key) {
        lua_pushstring(L, *key);
        lua_rawget(L, table);
        lua_setfield(L, -2, *key);
    }
    lua_replace(L, table);
}

// One component stands for a list of it.
static void wrap_component(lua_State *L, int value)
{
    if (!lua_istable(L, value)) return;
    lua_pushliteral(L, "mode");
    bool one = lua_rawget(L, value) != LUA_TNIL;
    lua_pop(L, 1);
    if (!one) return;
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, value);
    lua_rawseti(L, -2, 1);
    lua_replace(L, value);
}

// A list of components, with a name and a cycle beside them; a component's list stays on the stack.
static void read_components(reader *r, int table, er_mix *out)
{
    lua_State *L = r->L;
    int count = (int)lua_rawlen(L, table);
    if (count < 1 || count > ER_MIX_MAX_COMPONENTS)
        reader_wrong(r, "a mix has 1 to %d components", ER_MIX_MAX_COMPONENTS);
    er_mix_component *component = reader_push_array(L, (size_t)count, sizeof *component);
    for (int i = 0; i < count; ++i) {
        char index[16];
        snprintf(index, sizeof index, "[%d]", i + 1);
        reader_enter(r, index);
        lua_rawgeti(L, table, i + 1);
        read_component(r, lua_gettop(L), &component[i]);
        lua_pop(L, 1);
        reader_leave(r);
    }
    *out = (er_mix){.name = reader_text(r, table, "name", NULL),
                    .cycle = reader_number(r, table, "cycle", 0.0, 1e5, 0.0),
                    .component_count = count,
                    .component = component};
}

// The text of a mix with indices in place of names; it lives as long as the names, which stay on the stack.
static const char *text_of_mix(lua_State *L, int model, const char *text)
{
    if (!project_mix_has_names(text)) return text;
    const char *out = NULL;
    script_push_modes(L, model, 0);
    er_mode_names *names = script_mode_names(L, -1);
    if (names == NULL) luaL_error(L, "the modes have no names; give their indices");
    script_check(L, er_mode_names_in_mix(script_context(L), names, text, &out));
    return out;
}

// The mix that a value describes, its modes not fitted yet: pushes its handle.
static handle *push_said(lua_State *L, int model, int value)
{
    er_context *context = script_context(L);
    er_mix *made = NULL, said;
    reader r = {.L = L};
    handle *h = script_push_handle(L, destroy_mix);
    int at = lua_gettop(L);
    if (lua_type(L, value) == LUA_TSTRING) {
        script_check(L, project_read_mix(context, text_of_mix(L, model, lua_tostring(L, value)), &made));
        lua_settop(L, at);
    } else if (lua_istable(L, value)) {
        wrap_component(L, value);
        reader_check_words(&r, value, beside);
        if (is_short(L, value)) spell_out(&r, value);
        read_components(&r, value, &said);
        script_check(L, er_mix_create(context, &said, &made));
        lua_pop(L, 1);
    } else {
        if (luaL_testudata(L, value, script_mix_class.name) == NULL)
            luaL_error(L, "expected a mix: a text such as \"7:20\", a table of components, or another mix, not %s",
                       luaL_tolstring(L, value, NULL));
        script_check(L, er_mix_create(context, script_check_mix(L, value), &made));
    }
    h->object = made;
    return h;
}

// Pushes the handle of a mix's copy, its modes found in the model at an index as it stands, and below it those modes.
static handle *push_fitted(lua_State *L, int model, const er_mix *said)
{
    er_mix *fitted = NULL, *mix = (er_mix *)(uintptr_t)said;
    const script_model *m = script_check_model(L, model);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    script_push_modes(L, model, project_modes_of_mixes(script_model_of(m), &mix, 1, 1));
    script_modes *modes = lua_touserdata(L, -1);
    handle *h = script_push_handle(L, destroy_mix);
    script_check(L, project_fit_mix(script_context(L), modes->model, script_rig_of(m), modes->modes->object, said,
                                    &listener, &fitted));
    h->object = fitted;
    return h;
}

void script_push_library_mix(lua_State *L, int model, const er_mix *said)
{
    model = lua_absindex(L, model);
    script_mix *m = lua_newuserdatauv(L, sizeof *m, MIX_VALUES);
    int at = lua_gettop(L);
    *m = (script_mix){0};
    luaL_setmetatable(L, script_mix_class.name);
    lua_pushvalue(L, model);
    lua_setiuservalue(L, at, MIX_MODEL);
    m->mix = push_fitted(L, model, said);
    lua_setiuservalue(L, at, MIX_MIX);
    lua_settop(L, at);
}

void script_push_mix(lua_State *L, int model, int value)
{
    model = lua_absindex(L, model);
    handle *said = push_said(L, model, lua_absindex(L, value));
    script_push_library_mix(L, model, said->object);
    lua_remove(L, -2);
}

int script_model_mix(lua_State *L)
{
    script_check_model(L, 1);
    luaL_checkany(L, 2);
    lua_settop(L, 3);
    if (lua_type(L, 2) == LUA_TNUMBER) { // model:mix(7, 12)
        script_expand_shorthand(L, 2, "mode");
        lua_pushvalue(L, 3);
        lua_setfield(L, 2, "degrees");
    }
    lua_settop(L, 2);
    script_pause_gc(L);
    script_push_mix(L, 1, 2);
    return 1;
}

// model:preset(name): a mix.
int script_model_preset(lua_State *L)
{
    er_mix *made = NULL;
    er_gait_def gait = er_default_gait_def();
    script_check_model(L, 1);
    const char *name = luaL_checkstring(L, 2);
    lua_settop(L, 2);
    script_pause_gc(L);
    script_push_modes(L, 1, 0);
    const script_modes *modes = lua_touserdata(L, -1);
    const script_model *m = script_check_model(L, 1);
    gait.feet = m->feet;
    gait.forward = m->forward;
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    handle *h = script_push_handle(L, destroy_mix);
    script_check(L, project_make_preset(script_context(L), modes->model, script_rig_of(m), modes->modes->object, &gait,
                                        name, &listener, NULL, NULL, &made));
    h->object = made;
    script_push_library_mix(L, 1, made);
    return 1;
}

// --- fields

SCRIPT_PUSHES(get_name, lua_pushstring, script_check_mix(L, 1)->name)
SCRIPT_PUSHES(get_cycle, lua_pushnumber, script_check_mix(L, 1)->cycle)

static void push_component(lua_State *L, const er_mix_component *v)
{
    lua_createtable(L, 0, 10);
    if (v->at != NULL) script_set_text(L, "at", v->at);
    script_set_integer(L, "mode", v->mode);
    script_set_integer(L, "harmonic", v->harmonic);
    script_set_number(L, "degrees", v->degrees);
    script_set_number(L, "metres", v->metres);
    script_set_number(L, "hz", v->hz);
    script_set_number(L, "phase", v->phase / degree);
    script_set_number(L, "attack", v->attack);
    script_set_number(L, "decay", v->decay);
    if (v->damping < 0.0)
        script_set_text(L, "damping", "own");
    else
        script_set_number(L, "damping", v->damping);
}

static int get_components(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_mix *mix = script_check_mix(L, 1);
    lua_createtable(L, mix->component_count, 0);
    for (int i = 0; i < mix->component_count; ++i) {
        push_component(L, &mix->component[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int save(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    const er_mix *mix = script_check_mix(L, 1);
    script_check(L, er_mix_file_write(script_context(L), mix, path));
    return 0;
}

static int close_mix(lua_State *L)
{
    script_mix *m = luaL_checkudata(L, 1, script_mix_class.name);
    script_close_handle(L, m->mix);
    return 0;
}

static int text(lua_State *L)
{
    const script_mix *m = luaL_checkudata(L, 1, script_mix_class.name);
    const er_mix *mix = m->mix != NULL ? m->mix->object : NULL;
    if (mix == NULL)
        lua_pushstring(L, "mix (closed)");
    else
        lua_pushfstring(L, "mix \"%s\": %d component%s", mix->name, mix->component_count,
                        eri_plural(mix->component_count));
    return 1;
}

// --- its motion

void script_read_motion(reader *r, int table, script_motion_options *out)
{
    er_motion_def *def = &out->def;
    def->duration = reader_number(r, table, "duration", 0.0, 1e5, def->duration);
    def->fps = reader_number(r, table, "fps", 1e-3, 1e5, def->fps);
    out->loop_given = reader_field(r, table, "loop");
    if (out->loop_given) reader_done(r);
    def->loop = reader_flag(r, table, "loop", def->loop);
    if (!reader_field(r, table, "plant")) return;
    out->plant = reader_top_names(r);
    reader_leave(r); // names stay
}

const project_plants *script_push_plants(lua_State *L, const script_model *m, const char *names, const er_clip *over)
{
    er_gait_def gait = er_default_gait_def();
    project_plants *plants = script_push_room(L, sizeof *plants, clear_plants);
    gait.feet = m->feet;
    gait.forward = m->forward;
    script_check(L, project_find_plants(script_context(L), script_model_of(m), script_rig_of(m),
                                        names != NULL ? names : m->plant, &gait, plants));
    script_check(L, project_plant_seats(script_context(L), script_model_of(m), script_rig_of(m), &gait, over, plants));
    return plants;
}

void script_push_motion(lua_State *L, int mix, const script_motion_options *moving, const project_listener *listener)
{
    mix = lua_absindex(L, mix);
    const er_mix *said = script_check_mix(L, mix);
    er_motion_def chosen = moving->def;
    if (!moving->loop_given) // over a clip too, whose duration it has
        chosen.loop = (chosen.duration == 0.0 || moving->over != NULL) && !project_has_envelope(said);
    script_motion *m = lua_newuserdatauv(L, sizeof *m, MOTION_VALUES);
    int at = lua_gettop(L);
    *m = (script_motion){0};
    luaL_setmetatable(L, script_motion_class.name);
    lua_getiuservalue(L, mix, MIX_MODEL);
    handle *fitted = push_fitted(L, at + 1, said);
    int of = lua_gettop(L) - 1;
    script_modes *modes = lua_touserdata(L, of);
    er_motion *made = NULL;
    const project_plants *plants = script_push_plants(L, script_check_model(L, at + 1), moving->plant, moving->over);
    chosen.plant = plants->hold;
    chosen.plant_count = plants->count;
    handle *h = script_push_handle(L, destroy_motion);
    script_check(L, project_make_motion(script_context(L), modes->model, modes->modes->object, fitted->object, &chosen,
                                        listener, &made));
    h->object = made;
    m->motion = h;
    lua_setiuservalue(L, at, MOTION_MOTION);
    m->holder = modes->holder;
    lua_getiuservalue(L, of, MODES_HOLDER);
    lua_setiuservalue(L, at, MOTION_HOLDER);
    lua_settop(L, at);
}

// mix:motion{duration=, loop=, fps=, plant=}
static int motion(lua_State *L)
{
    static const char *const keys[] = {"duration", "loop", "fps", "plant", NULL};
    script_motion_options moving = {.def = er_default_motion_def()};
    reader r = {.L = L};
    script_check_mix(L, 1);
    lua_settop(L, 2);
    script_pause_gc(L);
    if (!lua_isnil(L, 2)) {
        reader_check_keys(&r, 2, keys);
        script_read_motion(&r, 2, &moving);
    }
    script_push_motion(L, 1, &moving, NULL);
    return 1;
}

static const luaL_Reg methods[] = {{"motion", motion}, {"save", save}, {"close", close_mix}, {NULL, NULL}};
static const luaL_Reg getters[] = {
    {"name", get_name}, {"cycle", get_cycle}, {"components", get_components}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__close", close_mix}, {"__tostring", text}, {NULL, NULL}};
const script_class script_mix_class = {"eigenrig.mix", methods, getters, NULL, meta, NULL};
