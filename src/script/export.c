// model:export(): mixes, or every elastic mode, as clips and curves.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <eigenrig/bvh.h>
#include <eigenrig/collada.h>
#include <eigenrig/curves.h>
#include <eigenrig/fbx.h>
#include <eigenrig/gltf.h>
#include <eigenrig/take.h>

#include "script/inside.h"

/// What is asked for, and what it came to. All arrays are collected.
typedef struct job {
    lua_State *L;
    er_context *context;
    const script_model *model;
    const char *path;
    er_motion_def motion_def;
    bool loop_given;
    er_take_def take_def;
    double degrees; // of a palette
    const er_clip *over;
    er_take_target target;
    int keep;     // a list that holds whatever is made
    int progress; // a function's index, 0 for none
    int count;
    const script_motion **motion; // [count]
    er_clip *clip;                // [count]
} job;

static void keep(job *j)
{
    lua_rawseti(j->L, j->keep, (lua_Integer)lua_rawlen(j->L, j->keep) + 1);
}

// --- formats

static er_result write_bvh(job *j)
{
    const er_scene *scene = j->model->scene != NULL ? j->model->scene->object : j->target.scene;
    return er_bvh_write(j->context, scene, j->target.keyed, j->clip, j->take_def.fps, j->path);
}

static er_result write_curves(job *j, bool poses, er_result (*write)(er_context *, const er_curves *, const char *))
{
    er_motion *m = j->motion[0]->motion->object;
    double fps = j->take_def.fps, steps = fmax(1.0, ceil(m->duration * fps - 1e-6));
    size_t count = (size_t)steps + 1, coordinates = (size_t)m->model->coordinate_count;
    if (steps > 1e7) luaL_error(j->L, "more than 10 million frames");
    double *time = reader_push_array(j->L, count, sizeof *time);
    double *x = reader_push_array(j->L, count * (size_t)m->width, sizeof *x);
    er_pose *pose = poses ? reader_push_array(j->L, count * (size_t)m->model->body_count, sizeof *pose) : NULL;
    for (size_t k = 0; k < count; ++k)
        time[k] = k + 1 < count ? (double)k / fps : m->duration;
    er_result r = er_motion_poses(m, (int)count, time, x, pose);
    for (size_t k = 1; r == ER_OK && k < count; ++k) // a row's roots lie behind its joints
        memmove(x + k * coordinates, x + k * (size_t)m->width, coordinates * sizeof *x);
    er_curves curves = {m->model, (int)count, time, x, pose};
    return r == ER_OK ? write(j->context, &curves, j->path) : r;
}

static er_result write_csv(job *j)
{
    return write_curves(j, false, er_curves_write_csv);
}

static er_result write_npz(job *j)
{
    return write_curves(j, true, er_curves_write_npz);
}

typedef struct format {
    const char *end;
    bool single; // it holds one clip
    bool curves;
    er_result (*scene)(er_context *, const er_scene *, int clip_count, const er_clip *, const char *path);
    er_result (*write)(job *j); // where it is no scene with clips
} format;

static const format *find_format(lua_State *L, const char *path)
{
    static const format formats[] = {
        {".glb", false, false, er_gltf_write, NULL}, {".gltf", false, false, er_gltf_write, NULL},
        {".fbx", false, false, er_fbx_write, NULL},  {".dae", true, false, er_collada_write, NULL},
        {".bvh", true, false, NULL, write_bvh},      {".csv", true, true, NULL, write_csv},
        {".npz", true, true, NULL, write_npz}};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        size_t tail = strlen(formats[i].end);
        if (length > tail && strcasecmp(path + length - tail, formats[i].end) == 0) return &formats[i];
    }
    luaL_error(L, "\"%s\" must end in .glb, .gltf, .fbx, .dae, .bvh, .csv or .npz", path);
    return NULL;
}

// --- what clips move

static void set_target(job *j)
{
    const er_rig *rig = j->model->rig != NULL ? j->model->rig->object : NULL;
    const er_scene *scene = j->model->scene != NULL ? j->model->scene->object : NULL;
    if (rig != NULL) j->target = (er_take_target){scene, rig->node_body, rig->bone, rig->world, rig->metres_per_unit};
    if (scene != NULL && scene->instance_count > 0) return;
    const int *node_body = NULL;
    er_scene *bones = NULL;
    handle *h = script_push_handle(j->L, script_destroy_scene);
    script_check(j->L, er_rig_bone_scene(j->context, script_mechanics(j->model), rig, &bones, &node_body));
    h->object = bones;
    j->target.scene = bones;
    if (rig != NULL) return;
    er_affine *local = reader_push_array(j->L, (size_t)bones->node_count, sizeof *local);
    er_affine *world = reader_push_array(j->L, (size_t)bones->node_count, sizeof *world);
    er_scene_sample(bones, NULL, 0.0, local);
    er_scene_world(bones, local, world);
    j->target = (er_take_target){bones, node_body, NULL, world, 1.0};
}

// --- motions and takes

// Records the motion on the top of the stack, which is kept.
static void record(job *j, const char *name)
{
    const script_motion *m = lua_touserdata(j->L, -1);
    er_motion *motion = m->motion->object;
    er_take_def def = j->take_def;
    er_take *take = NULL;
    def.name = *def.name != '\0' ? def.name : name;
    def.over = j->over;
    def.cubic |= def.tolerance == 0.0 && motion->model->loop_count > 0; // lines would part loops between frames
    keep(j);
    handle *h = script_push_handle(j->L, script_destroy_take);
    script_check(j->L, er_take_record(j->context, motion, &j->target, &def, &take));
    h->object = take;
    keep(j);
    j->motion[j->count] = m;
    j->clip[j->count++] = take->clip;
}

static void allocate(job *j, size_t count)
{
    j->motion = reader_push_array(j->L, count, sizeof *j->motion);
    j->clip = reader_push_array(j->L, count, sizeof *j->clip);
}

// A clip of every mix in the list at an index.
static void record_mixes(job *j, int list)
{
    int count = (int)lua_rawlen(j->L, list);
    allocate(j, (size_t)count);
    for (int i = 0; i < count; ++i) {
        lua_rawgeti(j->L, list, i + 1);
        const er_mix *mix = script_check_mix(j->L, -1);
        er_motion_def def = j->motion_def;
        if (j->over != NULL) def.duration = j->over->duration;
        script_push_motion(j->L, -1, &def, j->loop_given);
        record(j, mix->name);
        lua_pop(j->L, 1);
        script_tell(j->L, j->progress, i + 1, count);
    }
}

// One period of a mode, at a smaller amplitude where loops cannot follow.
static void record_mode(job *j, int index, double hz)
{
    enum { KEYS_A_PERIOD = 48, KEYS_OF_LOOPS = 192, LEAST_KEYS = 8 };
    lua_State *L = j->L;
    bool loops = script_mechanics(j->model)->loop_count > 0;
    char name[64];
    double fps = fmin((loops ? KEYS_OF_LOOPS : KEYS_A_PERIOD) * hz, 1e5), degrees = j->degrees;
    if (fps < LEAST_KEYS * hz || 1.0 / hz > 1e5) return; // too fast or too slow for a clip
    snprintf(name, sizeof name, "mode %02d  %.2f Hz", index, hz);
    j->motion_def.duration = 1.0 / hz;
    j->motion_def.loop = true;
    j->take_def.fps = fps;
    for (double share = 0.0; share < 1.0; degrees *= share) {
        char text[64];
        snprintf(text, sizeof text, "%d:%.17g", index, degrees);
        lua_pushstring(L, text);
        script_push_mix(L, 1, -1);
        script_push_motion(L, -1, &j->motion_def, true);
        share = 1.0;
        if (loops && degrees == j->degrees)
            script_check(L, er_motion_reach(((script_motion *)lua_touserdata(L, -1))->motion->object, fps, &share));
        if (share < 1.0) lua_pop(L, 3);
    }
    record(j, name);
    lua_pop(L, 2);
}

// A clip of every elastic mode.
static void record_palette(job *j)
{
    script_push_modes(j->L, 1, 0);
    const er_modes *modes = ((script_modes *)lua_touserdata(j->L, -1))->modes->object;
    allocate(j, (size_t)modes->count);
    for (int k = 0; k < modes->count; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        record_mode(j, modes->first + k, modes->mode[k].frequency_hz);
        script_tell(j->L, j->progress, k + 1, modes->count);
    }
}

// --- the call

static void read_options(job *j, int table)
{
    static const char *const keys[] = {"duration", "loop", "fps",       "tolerance", "splines",
                                       "over",     "name", "amplitude", "progress",  NULL};
    reader r = {.L = j->L};
    j->motion_def = er_default_motion_def();
    j->take_def = er_default_take_def();
    j->degrees = er_default_voice().degrees;
    if (lua_isnil(j->L, table)) return;
    reader_check_keys(&r, table, keys);
    script_read_motion(&r, table, &j->motion_def, &j->loop_given);
    j->take_def.fps = j->motion_def.fps;
    j->take_def.tolerance = reader_number(&r, table, "tolerance", 0.0, 57.0, 0.0) * ER_PI / 180.0;
    j->take_def.cubic = reader_flag(&r, table, "splines", false);
    j->take_def.name = reader_text(&r, table, "name", "");
    j->degrees = reader_number(&r, table, "amplitude", 1e-6, 180.0, j->degrees);
    const char *over = reader_text(&r, table, "over", NULL);
    if (over != NULL && j->model->scene == NULL) luaL_error(j->L, "over: a rig file has no clips");
    if (over != NULL) script_check(j->L, er_scene_find_clip(j->context, j->model->scene->object, over, &j->over));
    if (!reader_field(&r, table, "progress")) return;
    if (!lua_isfunction(j->L, -1)) reader_wrong(&r, "expected a function(done, all)");
    j->progress = lua_gettop(j->L); // it stays on the stack
}

// Whether a value is a list of mixes: not itself a mix, in any of its forms.
static bool is_list(lua_State *L, int value)
{
    if (!lua_istable(L, value)) return false;
    bool voices = lua_rawgeti(L, value, 1) == LUA_TTABLE;
    if (voices) {
        lua_pushliteral(L, "mode");
        voices = lua_rawget(L, -2) != LUA_TNIL;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return !voices;
}

// Pushes the list of mixes that a value is, each as an object.
static int push_mixes(lua_State *L, int value)
{
    bool list = is_list(L, value);
    int count = list ? (int)lua_rawlen(L, value) : 1;
    lua_newtable(L);
    int at = lua_gettop(L);
    for (int i = 0; i < count; ++i) {
        if (list)
            lua_rawgeti(L, value, i + 1);
        else
            lua_pushvalue(L, value);
        script_push_mix(L, 1, lua_gettop(L));
        lua_rawseti(L, at, i + 1);
        lua_pop(L, 1);
    }
    return at;
}

// model:export(path, what, options)
int script_model_export(lua_State *L)
{
    job j = {.L = L, .path = luaL_checkstring(L, 2)};
    script_check_model(L, 1);
    lua_settop(L, 4);
    const format *f = find_format(L, j.path);
    script_hold(L);
    j.context = script_context(L);
    j.model = script_check_model(L, 1);
    lua_newtable(L);
    j.keep = lua_gettop(L);
    read_options(&j, 4);
    set_target(&j);
    if (lua_isnil(L, 3))
        record_palette(&j);
    else
        record_mixes(&j, push_mixes(L, 3));
    if (j.count == 0) return luaL_error(L, "there is nothing to write: no mix, or no elastic mode");
    if (f->single && j.count > 1) return luaL_error(L, "%s holds one clip, not %d", f->end, j.count);
    script_check(L, f->scene != NULL ? f->scene(j.context, j.target.scene, j.count, j.clip, j.path) : f->write(&j));
    lua_pushinteger(L, j.count);
    return 1;
}
