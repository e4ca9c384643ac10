// model:export(): mixes, gaits, or every elastic mode, as clips and curves.
#include "app/lua/lua_inside.h"
#include "app/project/outputs.h"
#include "app/project/project_page.h"
#include "app/project/target.h"

SCRIPT_DESTROYS(destroy_recording, er_recording_destroy)
SCRIPT_DESTROYS(destroy_gait_motion, er_gait_motion_destroy)
SCRIPT_DESTROYS(clear_palette, project_palette_clear)

/// An export as it was asked for, and what was recorded for it. All arrays are collected.
typedef struct export_job {
    lua_State *L;
    er_context *context;
    const script_model *model;
    const char *path;
    const project_format *format;
    script_motion_options moving; // of mixes
    er_recording_def take_def;
    double degrees; // of a palette
    int travels;    // of gaits: 0 or 1, -1 for both
    project_target *shown;
    const project_listener *listener;
    int keep;     // a list that holds whatever is made
    int progress; // a function's index, 0 for none
    int count;
    const er_mix **mix;       // [count], these three
    er_motion **motion;       // NULL of a palette
    er_recording **recording; // NULL of curves
    er_gait_motion *walked;   // NULL, or of the last gait
    const er_mix *on_gaits;   // that goes on top of gaits; NULL: none
} export_job;

static void keep(export_job *j)
{
    lua_rawseti(j->L, j->keep, (lua_Integer)lua_rawlen(j->L, j->keep) + 1);
}

static void allocate(export_job *j, size_t count)
{
    j->mix = reader_push_array(j->L, count, sizeof *j->mix);
    j->motion = reader_push_array(j->L, count, sizeof *j->motion);
    j->recording = reader_push_array(j->L, count, sizeof *j->recording);
}

// --- motions and recordings

// The motion of the mix at an index, which is to be recorded next; both are kept.
static void make_motion(export_job *j, int mix, const script_motion_options *moving)
{
    script_push_motion(j->L, mix, moving, j->listener);
    j->motion[j->count] = ((script_motion *)lua_touserdata(j->L, -1))->motion->object;
    keep(j);
    j->mix[j->count] = script_check_mix(j->L, mix);
    lua_pushvalue(j->L, mix);
    keep(j);
}

static void record_mix(export_job *j, int mix)
{
    script_motion_options moving = j->moving;
    er_recording_def recording = j->take_def;
    if (recording.over != NULL) moving.def.duration = recording.over->duration;
    moving.over = recording.over;
    make_motion(j, mix, &moving);
    if (*recording.name == '\0') recording.name = j->mix[j->count]->name;
    if (!j->format->curves) {
        handle *h = script_push_handle(j->L, destroy_recording);
        er_recording *made = NULL;
        script_check(j->L, project_record_motion(j->context, j->motion[j->count], &j->shown->target, &recording,
                                                 j->listener, &made));
        h->object = j->recording[j->count] = made;
        keep(j);
    }
    ++j->count;
}

static void record_stride(export_job *j, const char *name, bool travels)
{
    er_recording_def def = j->take_def;
    er_recording *made = NULL;
    def.over = NULL; // the strides have it
    def.name = lua_pushfstring(j->L, travels ? "%s travels" : "%s", name);
    handle *h = script_push_handle(j->L, destroy_recording);
    script_check(j->L, er_gait_record(j->context, j->walked, travels, &j->shown->target, &def, &made));
    h->object = j->recording[j->count] = made;
    keep(j);
    lua_pop(j->L, 1);
}

// Strides in a row, with what goes over them, where any of that is asked for. The gait is on the stack.
static void lay_on_gait(export_job *j, const script_gaits *of, const er_gait *gait, handle *stride)
{
    const er_gaits *gaits = of->gaits->object;
    er_motion *top = NULL;
    int strides;
    if (j->on_gaits == NULL && j->take_def.over == NULL && j->moving.def.duration == 0.0) return;
    const project_plants *plants = script_push_plants(j->L, j->model, j->moving.plant, NULL);
    const project_layer layer = {script_rig_of(j->model),
                                 of->modes->modes->object,
                                 gaits->body,
                                 gait,
                                 j->moving.def.duration,
                                 j->on_gaits,
                                 j->take_def.over,
                                 plants,
                                 j->moving.def.fps,
                                 NULL};
    er_gait_motion *laid = stride->object;
    script_check(j->L, project_layer_gait(j->context, &layer, j->listener, &laid, &top, &strides));
    stride->object = laid;
    er_motion_destroy(top);
    lua_pop(j->L, 1);
}

// Its feet held: a clip on the spot and one that travels, where the format holds two.
static void record_gait(export_job *j, int at)
{
    script_gaits *of;
    const er_gait *gait = script_check_gait(j->L, at, &of);
    if (of->modes->model != script_model_of(j->model))
        luaL_error(j->L, "gait \"%s\": the gait is of another model, or the model changed; search again", gait->name);
    handle *h = script_push_handle(j->L, destroy_gait_motion);
    script_check(j->L, er_gait_move(j->context, of->modes->model, of->modes->modes->object, of->gaits->object, gait,
                                    j->moving.def.fps, &j->walked));
    h->object = j->walked;
    lay_on_gait(j, of, gait, h);
    j->walked = h->object;
    keep(j);
    script_push_library_mix(j->L, 1, gait->mix);
    int mix = lua_gettop(j->L);
    const char *name = *j->take_def.name != '\0' ? j->take_def.name : gait->name;
    int first = j->travels == 1, last = j->travels < 0 && !j->format->single ? 1 : first;
    for (int travels = first; travels <= last; ++travels) {
        script_motion_options stride = {.def = j->moving.def, .plant = "none"};
        stride.def.duration = 0.0; // of the mix, which is one
        make_motion(j, mix, &stride);
        if (!j->format->curves) record_stride(j, name, travels == 1);
        ++j->count;
    }
    lua_pop(j->L, 1);
}

// A clip of every elastic mode.
static void record_palette(export_job *j)
{
    script_push_modes(j->L, 1, 0);
    const script_modes *of = lua_touserdata(j->L, -1);
    const er_mode_names *names = script_mode_names(j->L, -1);
    project_palette *palette = script_push_room(j->L, sizeof *palette, clear_palette);
    keep(j);
    script_progress watch = script_progress_begin(j->L, j->progress);
    const project_progress progress = {script_progress_step, &watch};
    er_result r =
        project_record_palette(j->context, of->model, script_rig_of(script_check_model(j->L, 1)), of->modes->object,
                               names, false, j->degrees, &j->shown->target, j->listener, &progress, palette);
    script_progress_end(&watch, r);
    j->recording = palette->recording;
    j->count = palette->count;
}

// A page with the modes themselves.
static void write_page(export_job *j)
{
    script_push_modes(j->L, 1, 0);
    const script_modes *of = lua_touserdata(j->L, -1);
    const er_mode_names *names = script_mode_names(j->L, -1);
    script_check(j->L, project_write_page(j->context, of->model, script_rig_of(script_check_model(j->L, 1)),
                                          of->modes->object, names, false, j->degrees, &j->shown->target, false,
                                          j->path, &j->count));
    lua_pushinteger(j->L, j->count);
}

// --- what is asked for

// Whether a value is a list of mixes and gaits: not itself one, in any of its forms. An empty table is a list of none.
static bool is_list(lua_State *L, int value)
{
    if (luaL_testudata(L, value, script_gaits_class.name) != NULL) return true;
    if (!lua_istable(L, value)) return false;
    bool mix = false;
    int top = lua_gettop(L);
    if (lua_rawgeti(L, value, 1) == LUA_TTABLE) { // components
        lua_pushliteral(L, "mode");
        mix = lua_rawget(L, -2) != LUA_TNIL;
    } else if (lua_isnil(L, -1)) // a component, or degrees by mode
        mix = lua_next(L, value) != 0;
    lua_settop(L, top);
    return !mix;
}

static void push_item(lua_State *L, int value, int place)
{
    script_gaits *of;
    if (luaL_testudata(L, value, script_gaits_class.name) != NULL) {
        script_check_gaits(L, value, &of);
        script_push_gait(L, value, place);
    } else
        lua_rawgeti(L, value, place + 1);
}

static int count_items(lua_State *L, int value)
{
    script_gaits *of;
    if (!is_list(L, value)) return 1;
    return lua_istable(L, value) ? (int)lua_rawlen(L, value) : script_check_gaits(L, value, &of)->count;
}

// Pushes the list of what a value asks for, mixes as objects; tells how many of it are gaits.
static int push_items(lua_State *L, int value, int *gaits)
{
    enum { MOST = 10000 };
    bool list = is_list(L, value);
    int count = count_items(L, value);
    luaL_argcheck(L, count > 0 && count <= MOST, value, "nothing is asked for, or too much");
    lua_createtable(L, count, 0);
    int at = lua_gettop(L);
    *gaits = 0;
    for (int i = 0; i < count; ++i) {
        if (list)
            push_item(L, value, i);
        else
            lua_pushvalue(L, value);
        bool gait = luaL_testudata(L, -1, script_gait_class.name) != NULL;
        *gaits += gait;
        if (!gait) script_push_mix(L, 1, -1);
        lua_rawseti(L, at, i + 1);
        lua_settop(L, at);
    }
    return at;
}

static void record_items(export_job *j, int list)
{
    int count = (int)lua_rawlen(j->L, list);
    allocate(j, 2 * (size_t)count);
    for (int i = 0; i < count; ++i) {
        lua_rawgeti(j->L, list, i + 1);
        if (luaL_testudata(j->L, -1, script_gait_class.name) != NULL)
            record_gait(j, lua_gettop(j->L));
        else
            record_mix(j, lua_gettop(j->L));
        lua_pop(j->L, 1);
        script_call_progress(j->L, j->progress, i + 1, count);
    }
}

// --- the call

// The options that make sense for what is asked, so that the others are errors.
static void check_options(reader *r, int table, int mixes, int gaits)
{
    static const struct {
        const char *key;
        bool palette, mix, gait;
    } known[] = {{"amplitude", true, false, false}, {"duration", false, true, true},  {"loop", false, true, false},
                 {"over", false, true, true},       {"plant", false, true, true},     {"mix", false, false, true},
                 {"fps", false, true, true},        {"tolerance", false, true, true}, {"splines", false, true, true},
                 {"name", false, true, true},       {"travels", false, false, true},  {"progress", true, true, true}};
    const char *keys[sizeof known / sizeof known[0] + 1];
    int count = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if ((known[i].palette && mixes + gaits == 0) || (known[i].mix && mixes > 0) || (known[i].gait && gaits > 0))
            keys[count++] = known[i].key;
    keys[count] = NULL;
    reader_check_keys(r, table, keys);
}

static void read_options(export_job *j, int table, int mixes, int gaits)
{
    reader r = {.L = j->L};
    j->moving = (script_motion_options){.def = er_default_motion_def()};
    j->take_def = er_default_recording_def();
    j->degrees = 0.0;
    j->travels = -1;
    if (lua_isnil(j->L, table)) return;
    check_options(&r, table, mixes, gaits);
    script_read_motion(&r, table, &j->moving);
    j->take_def.fps = j->moving.def.fps;
    j->take_def.tolerance = reader_number(&r, table, "tolerance", 0.0, 57.0, 0.0) * ER_PI / 180.0;
    j->take_def.cubic = reader_flag(&r, table, "splines", false);
    j->take_def.name = reader_text(&r, table, "name", "");
    j->degrees = reader_number(&r, table, "amplitude", 1e-6, 180.0, j->degrees);
    int travels = reader_flag(&r, table, "travels", false);
    if (reader_field(&r, table, "travels")) {
        j->travels = travels;
        reader_done(&r);
    }
    const char *over = reader_text(&r, table, "over", NULL);
    if (over != NULL && j->moving.def.duration > 0.0)
        luaL_error(j->L, "over: the motion lasts as long as the clip; leave out duration");
    if (j->take_def.cubic && j->take_def.tolerance == 0.0) luaL_error(j->L, "splines: needs a tolerance; give one too");
    if (*j->take_def.name != '\0' && mixes + gaits > 1)
        luaL_error(j->L, "name: can be given for one clip only, not for %d", mixes + gaits);
    script_check(j->L, project_find_over(j->context, script_scene_of(j->model), over, j->listener, &j->take_def.over));
    j->progress = script_read_progress(&r, table);
    lua_getfield(j->L, table, "mix");
    if (lua_isnil(j->L, -1)) return;
    script_push_mix(j->L, 1, -1); // stays on the stack
    j->on_gaits = script_check_mix(j->L, -1);
}

static const project_format *find_format(lua_State *L, const char *path)
{
    const project_format *f = project_find_format(path);
    if (f == NULL) luaL_error(L, "\"%s\" must end in %s", path, project_format_endings(false));
    return f;
}

static er_result write(export_job *j)
{
    script_push_modes(j->L, 1, 0);
    const script_modes *modes = lua_touserdata(j->L, -1);
    project_clips clips = {.model = script_model_of(j->model),
                           .modes = modes->modes->object,
                           .source = script_scene_of(j->model),
                           .target = &j->shown->target,
                           .fps = j->take_def.fps,
                           .count = j->count,
                           .mix = (er_mix *const *)(uintptr_t)j->mix,
                           .motion = j->motion,
                           .recording = j->recording,
                           .gait = j->walked,
                           .over = j->walked != NULL ? NULL : j->take_def.over, // strides have it
                           .travels = j->travels == 1};
    return project_write_clips(j->context, &clips, j->listener, j->path);
}

// model:export(path, what, options)
int script_model_export(lua_State *L)
{
    export_job j = {.L = L, .path = luaL_checkstring(L, 2)};
    int list = 0, gaits = 0, mixes = 0;
    script_check_model(L, 1);
    lua_settop(L, 4);
    j.format = find_format(L, j.path);
    script_pause_gc(L);
    j.context = script_context(L);
    j.model = script_check_model(L, 1);
    script_warner ear = {L, j.model->path};
    project_listener listener = script_listener(&ear);
    j.listener = &listener;
    lua_newtable(L);
    j.keep = lua_gettop(L);
    if (!lua_isnil(L, 3)) {
        list = push_items(L, 3, &gaits);
        mixes = (int)lua_rawlen(L, list) - gaits;
    }
    read_options(&j, 4, mixes, gaits);
    j.shown = script_push_target(L, script_model_of(j.model), script_rig_of(j.model), script_world_of(j.model))->object;
    if (list == 0 && project_pages_modes(script_model_of(j.model), j.path)) {
        write_page(&j);
        return 1;
    }
    if (list == 0)
        record_palette(&j);
    else
        record_items(&j, list);
    if ((list == 0 && j.format->curves) || (j.format->single && j.count != 1))
        return luaL_error(L, "%s holds one motion, not %d", j.format->end, j.count);
    script_check(L, write(&j));
    lua_pushinteger(L, j.count);
    return 1;
}
