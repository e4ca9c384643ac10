// Motions that follow one another, and blend spaces: model:sequence(path, items, {...}), model:blend_space(...).
#include <string.h>

#include "app/lua/lua_inside.h"
#include "app/project/outputs.h"
#include "app/project/project_blend.h"
#include "app/project/project_root.h"
#include "app/project/project_sequence.h"
#include "app/project/target.h"

SCRIPT_DESTROYS(destroy_motion, er_gait_motion_destroy)
SCRIPT_DESTROYS(destroy_gaits, er_gaits_destroy)
SCRIPT_DESTROYS(destroy_recording, er_recording_destroy)
SCRIPT_DESTROYS(clear_strides, project_strides_clear)

typedef struct sequence_job {
    lua_State *L;
    er_context *context;
    const script_model *model;
    const er_modes *modes;
    er_gaits *gaits; // a script's own, which it found before; NULL: to be found
    const char *path, *root;
    bool only_new;
    double blend;
    er_gait_def gait;
    er_recording_def recording;
    project_target *shown;
    const project_listener *listener;
} sequence_job;

// The words of a list of items, each {WHAT, SECONDS} or {what=, seconds=}; or the words themselves. On the stack.
static const char *push_words(lua_State *L, int items)
{
    luaL_Buffer text;
    if (lua_type(L, items) == LUA_TSTRING) return lua_pushvalue(L, items), lua_tostring(L, -1);
    luaL_checktype(L, items, LUA_TTABLE);
    reader r = {.L = L};
    int count = (int)lua_rawlen(L, items);
    lua_newtable(L);
    int list = lua_gettop(L);
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(L, items, i);
        int item = lua_gettop(L);
        if (!lua_istable(L, item)) luaL_error(L, "items[%d]: is no table of a name and its seconds", i);
        bool named = lua_getfield(L, item, "what") != LUA_TNIL;
        const char *what = named ? reader_text(&r, item, "what", "") : (lua_rawgeti(L, item, 1), lua_tostring(L, -1));
        double seconds = 0.0;
        lua_rawgeti(L, item, 2);
        seconds = named ? reader_number(&r, item, "seconds", 0.0, 1e5, 0.0) : lua_tonumber(L, -1);
        if (what == NULL || *what == '\0' || !(seconds > 0.0))
            luaL_error(L, "items[%d]: needs a name and its seconds, as in {\"walk\", 4}", i);
        lua_pushfstring(L, "%s %fs", what, seconds);
        lua_rawseti(L, list, i);
        lua_settop(L, list);
    }
    luaL_buffinit(L, &text);
    for (int i = 1; i <= count; ++i) {
        if (i > 1) luaL_addstring(&text, ", ");
        lua_rawgeti(L, list, i);
        luaL_addvalue(&text);
    }
    luaL_pushresult(&text);
    return lua_tostring(L, -1);
}

// Gaits that a script has found already; those of their modes.
static void read_gaits(sequence_job *j, reader *r, int table)
{
    script_gaits *of;
    if (!reader_field(r, table, "gaits")) return;
    script_check_gaits(j->L, lua_gettop(j->L), &of);
    if (of->modes->model != script_model_of(j->model))
        reader_wrong(r, "the gaits are another model's, or the model has changed since");
    j->gaits = of->gaits->object;
    j->modes = of->modes->modes->object;
    reader_done(r);
}

static void read_options(sequence_job *j, int table, bool sequence)
{
    static const char *const all[] = {"root_motion", "fps", "tolerance", "only_new", "gaits", "blend", "name", NULL};
    static const char *const fewer[] = {"root_motion", "fps", "tolerance", "only_new", "gaits", NULL};
    reader r = {.L = j->L};
    j->recording = er_default_recording_def();
    j->gait = er_default_gait_def();
    j->blend = -1.0;
    if (!lua_isnil(j->L, table)) {
        reader_check_keys(&r, table, sequence ? all : fewer);
        j->root = reader_text(&r, table, "root_motion", NULL);
        j->recording.fps = reader_number(&r, table, "fps", 1e-3, 1e5, j->recording.fps);
        j->recording.tolerance = reader_number(&r, table, "tolerance", 0.0, 57.0, 0.0) * ER_PI / 180.0;
        j->only_new = reader_flag(&r, table, "only_new", false);
        read_gaits(j, &r, table);
        if (sequence) {
            if (reader_field(&r, table, "blend")) {
                reader_done(&r);
                j->blend = reader_number(&r, table, "blend", 0.0, 1e5, 0.0);
            }
            j->recording.name = reader_text(&r, table, "name", "sequence");
        }
    }
    if (*j->recording.name == '\0') j->recording.name = "sequence";
    j->gait.fps = j->recording.fps;
    j->gait.feet = j->model->feet;
    j->gait.forward = j->model->forward;
}

// Reads the arguments; items and options stay at 3 and 4.
static void begin(sequence_job *j, bool sequence)
{
    lua_State *L = j->L;
    j->model = script_check_model(L, 1);
    j->path = luaL_checkstring(L, 2);
    lua_settop(L, 4);
    const project_format *format = project_find_format(j->path);
    if (!project_holds_clips(format)) luaL_error(L, "\"%s\" must end in %s", j->path, project_format_endings(true));
    script_pause_gc(L);
    j->context = script_context(L);
    script_push_modes(L, 1, 0);
    j->modes = ((const script_modes *)lua_touserdata(L, -1))->modes->object;
    read_options(j, 4, sequence);
    j->shown =
        script_push_target(L, script_model_of(j->model), script_rig_of(j->model), script_world_of(j->model))->object;
}

static er_recording *push_recording(sequence_job *j, const er_gait_motion *motion, bool travels)
{
    er_recording *made = NULL;
    handle *h = script_push_handle(j->L, destroy_recording);
    bool still = j->root != NULL && strcmp(j->root, "none") == 0;
    int node;
    if (j->root == NULL || still) {
        script_check(j->L,
                     er_gait_record(j->context, motion, travels && !still, &j->shown->target, &j->recording, &made));
    } else {
        script_check(j->L, project_root_set(j->context, j->root, j->shown, &node));
        script_check(j->L, er_gait_record_root(j->context, motion, node, &j->shown->target, &j->recording, &made));
    }
    h->object = made;
    return made;
}

// model:sequence(path, items, {...}): a table of seconds, way and slide
int script_model_sequence(lua_State *L)
{
    sequence_job j = {.L = L};
    begin(&j, true);
    script_warner ear = {L, j.model->path};
    project_listener listener = script_listener(&ear);
    const char *words = push_words(L, 3);
    const project_sequence_def def = {
        script_model_of(j.model), script_rig_of(j.model),           j.modes, &j.gait, words, j.blend,
        j.recording.fps,          j.gaits != NULL ? &j.gaits : NULL};
    er_gait_motion *motion = NULL;
    handle *h = script_push_handle(L, destroy_motion);
    script_check(L, project_make_sequence(j.context, &def, &listener, &motion));
    h->object = motion;
    er_recording *recording = push_recording(&j, motion, true);
    script_check(L, project_write_takes(j.context, &j.shown->target, 1, &recording, j.only_new, j.path));
    lua_createtable(L, 0, 3);
    script_set_number(L, "seconds", motion->time[motion->frame_count - 1]);
    script_set_number(L, "way", er_v3_norm(motion->travel[motion->frame_count - 1]));
    script_set_number(L, "slide", motion->slide);
    return 1;
}

// Unless the script has found them. They stay on the stack.
static void find_gaits(sequence_job *j)
{
    if (j->gaits != NULL) return;
    handle *h = script_push_handle(j->L, destroy_gaits);
    script_check(j->L, er_gaits_find(j->context, script_model_of(j->model), script_rig_of(j->model), j->modes, &j->gait,
                                     &j->gaits));
    h->object = j->gaits;
}

// model:blend_space(path, gaits, {...}): a list of tables of name, speed, seconds, frames and stride
int script_model_blend_space(lua_State *L)
{
    sequence_job j = {.L = L};
    er_recording *recording[PROJECT_MOST_STRIDES] = {NULL};
    begin(&j, false);
    const char *words = luaL_checkstring(L, 3);
    find_gaits(&j);
    project_strides *strides = script_push_room(L, sizeof *strides, clear_strides);
    script_check(L, project_make_strides(j.context, script_model_of(j.model), j.modes, j.gaits, words, j.recording.fps,
                                         strides));
    luaL_checkstack(L, strides->count + LUA_MINSTACK, NULL);
    for (int i = 0; i < strides->count; ++i) {
        j.recording.name = strides->name[i];
        recording[i] = push_recording(&j, strides->motion[i], false);
    }
    script_check(L, project_write_takes(j.context, &j.shown->target, strides->count, recording, j.only_new, j.path));
    lua_createtable(L, strides->count, 0);
    for (int i = 0; i < strides->count; ++i) {
        const er_gait_motion *m = strides->motion[i];
        double seconds = m->time[m->frame_count - 1];
        lua_createtable(L, 0, 5);
        script_set_text(L, "name", strides->name[i]);
        script_set_number(L, "speed", strides->speed[i]);
        script_set_number(L, "seconds", seconds);
        script_set_number(L, "frames", m->frame_count - 1);
        script_set_number(L, "stride", strides->speed[i] * seconds);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}
