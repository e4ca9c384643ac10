// Full dynamics of models, and of worlds in files: frames to be looked at and written.
#include <eigenrig/plots.h>
#include <eigenrig/worlds.h>

#include "app/lua/lua_inside.h"
#include "app/project/outputs.h"
#include "app/project/project_simulate.h"
#include "app/project/target.h"
#include "app/project/walk.h"

/// The result of a simulation of a model as it stood, or of a world's file.
typedef struct simulation_object {
    handle *done;        // a project_simulation
    handle *holder;      // of the er_model: a model's, a rig's, or the world's file
    handle *rig, *scene; // that clips move; NULL for rig files and worlds
    handle *world;       // the file that is the simulation's own; NULL of a model
} simulation_object;

enum { SIMULATION_DONE = 1, SIMULATION_HOLDER, SIMULATION_RIG, SIMULATION_SCENE, SIMULATION_VALUES = SIMULATION_SCENE };

static bool is_closed(const handle *h)
{
    return h != NULL && h->object == NULL;
}

static const simulation_object *check_object(lua_State *L)
{
    const simulation_object *s = luaL_checkudata(L, 1, script_simulation_class.name);
    bool closed =
        s->done == NULL || is_closed(s->done) || is_closed(s->holder) || is_closed(s->rig) || is_closed(s->scene);
    if (closed) luaL_argerror(L, 1, "the simulation, or its model, is closed");
    return s;
}

static const project_simulation *check_done(lua_State *L)
{
    return check_object(L)->done->object;
}

static const er_world_frames *check_frames(lua_State *L)
{
    return &check_done(L)->frames;
}

// --- options

#define AT(field) .place = offsetof(project_simulation_def, field)
#define RANGE(low, high) .least = low, .most = high

typedef struct option {
    const char *key;
    setting of; // SETTING_OTHER is read by itself
    bool model; // of models alone
} option;

static const option options[] = {
    {"duration", {SETTING_NUMBER, AT(duration), RANGE(0, 1e5), .above = true}, false},
    {"fps", {SETTING_NUMBER, AT(fps), RANGE(0, 1e5), .above = true}, false},
    {"gravity", {SETTING_NUMBER, AT(gravity), RANGE(0, 1e6)}, false},
    {"from", {SETTING_TEXT, AT(from)}, true},
    {"hold", {SETTING_TEXT, AT(hold)}, true},
    {"rest", {SETTING_CHOICE, AT(rest), .choices = project_rests}, true},
    {"loop", {SETTING_FLAG, AT(loop)}, true},
    {"push", {.kind = SETTING_OTHER}, false},
    {"integrator", {SETTING_CHOICE, AT(integrator), .choices = project_integrators}, false},
    {"route", {SETTING_CHOICE, AT(route), .choices = project_routes}, false},
    {"tolerance", {SETTING_NUMBER, AT(tolerance), RANGE(1e-14, 1)}, false},
    {"limits", {SETTING_FLAG, AT(limits)}, false},
    {"ground", {SETTING_FLAG, AT(ground.floor)}, true},
    {"drop", {SETTING_NUMBER, AT(ground.drop), RANGE(0, 1e5), .above = true}, true},
    {"static", {SETTING_TEXT, AT(ground.statics)}, true},
    {"self_collision", {SETTING_FLAG, AT(ground.self_collision)}, true},
    {"friction", {SETTING_NUMBER, AT(ground.friction), RANGE(0, 1e6)}, true},
    {"restitution", {SETTING_NUMBER, AT(ground.restitution), RANGE(0, 1)}, true},
    {"sleep", {SETTING_NUMBER, AT(ground.sleep), RANGE(0, 1e6)}, true},
    {"progress", {.kind = SETTING_OTHER}, false},
};

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

static void check_keys(reader *r, int table, bool model)
{
    const char *keys[OPTION_COUNT + 1];
    int count = 0;
    for (int i = 0; i < OPTION_COUNT; ++i)
        if (model || !options[i].model) keys[count++] = options[i].key;
    keys[count] = NULL;
    reader_check_keys(r, table, keys);
}

// A list of texts, which the table keeps.
static void read_pushes(reader *r, int table, project_simulation_def *out)
{
    if (!reader_field(r, table, "push")) return;
    lua_Unsigned count = lua_istable(r->L, -1) ? lua_rawlen(r->L, -1) : 0;
    if (count < 1 || count > PROJECT_MOST_PUSHES)
        reader_wrong(r, "expected a list of 1 to %d texts as \"tail_1:20@0.5\"", PROJECT_MOST_PUSHES);
    for (int i = 0; i < (int)count; ++i) {
        lua_rawgeti(r->L, -1, i + 1);
        out->push[i] = reader_top_text(r);
        lua_pop(r->L, 1);
    }
    out->push_count = (int)count;
    reader_done(r);
}

// The callback's place on the stack, 0 for none.
static int read_def(lua_State *L, int table, bool model, project_simulation_def *out)
{
    reader r = {.L = L};
    *out = project_default_simulation_def();
    if (lua_isnil(L, table)) return 0;
    check_keys(&r, table, model);
    for (int i = 0; i < OPTION_COUNT; ++i)
        if (options[i].of.kind != SETTING_OTHER) reader_setting(&r, table, options[i].key, &options[i].of, out);
    read_pushes(&r, table, out);
    return script_read_progress(&r, table);
}

// --- making one

SCRIPT_DESTROYS(clear_done, project_simulation_clear)
SCRIPT_DESTROYS(destroy_world, er_world_file_destroy)

static simulation_object *push_object(lua_State *L)
{
    simulation_object *s = lua_newuserdatauv(L, sizeof *s, SIMULATION_VALUES);
    *s = (simulation_object){0};
    luaL_setmetatable(L, script_simulation_class.name);
    return s;
}

// An empty result, kept by the object at the top of the stack.
static project_simulation *make_room(lua_State *L, simulation_object *s)
{
    project_simulation *room = script_push_room(L, sizeof *room, clear_done);
    s->done = lua_touserdata(L, -1);
    lua_setiuservalue(L, -2, SIMULATION_DONE);
    return room;
}

static void keep_value(lua_State *L, int model, int value, int place)
{
    lua_getiuservalue(L, model, value);
    lua_setiuservalue(L, -2, place);
}

// Makes the object at the top of the stack keep the handles of the model at an index.
static void keep_model(lua_State *L, int model, simulation_object *s)
{
    const script_model *m = script_check_model(L, model);
    s->holder = m->model != NULL ? m->model : m->rig;
    s->rig = m->rig;
    s->scene = m->scene;
    keep_value(L, model, m->model != NULL ? MODEL_MODEL : MODEL_RIG, SIMULATION_HOLDER);
    keep_value(L, model, MODEL_RIG, SIMULATION_RIG);
    keep_value(L, model, MODEL_SCENE, SIMULATION_SCENE);
}

// model:simulate{...}
int script_model_simulate(lua_State *L)
{
    project_simulation_def def;
    script_check_model(L, 1);
    lua_settop(L, 2);
    script_expand_shorthand(L, 2, "duration");
    script_pause_gc(L);
    int callback = read_def(L, 2, true, &def);
    simulation_object *s = push_object(L);
    keep_model(L, 1, s);
    project_simulation *out = make_room(L, s);
    const script_model *m = script_check_model(L, 1);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    er_context *context = script_context(L);
    script_progress watch = script_progress_begin(L, callback);
    const project_progress progress = {script_progress_step, &watch};
    er_result r = project_simulate(context, script_model_of(m), script_rig_of(m), &def, &listener, &progress, out);
    script_progress_end(&watch, r);
    return 1;
}

// --- a gait

static void read_walk(lua_State *L, int table, project_walk_def *out)
{
    static const char *const keys[] = {"duration", "lengths", "push",    "fps", "gain",
                                       "friction", "slope",   "terrain", NULL};
    reader r = {.L = L};
    *out = project_default_walk_def();
    if (lua_isnil(L, table)) return;
    reader_check_keys(&r, table, keys);
    out->seconds = reader_number(&r, table, "duration", 0.0, 1e5, out->seconds);
    out->lengths = reader_number(&r, table, "lengths", 1e-3, 1e5, out->lengths);
    out->push = reader_number(&r, table, "push", 0.0, 1e3, out->push);
    out->fps = reader_number(&r, table, "fps", 1e-3, 1e4, out->fps);
    out->gain = reader_number(&r, table, "gain", 1e-6, 1e6, out->gain);
    out->friction = reader_number(&r, table, "friction", 0.0, 1e6, out->friction);
    out->slope = reader_number(&r, table, "slope", -45.0, 45.0, 0.0) * ER_PI / 180.0;
    out->terrain = reader_text(&r, table, "terrain", NULL);
}

// The numbers of a walk besides its frames.
static void push_walk(lua_State *L, const project_walk *walk, const er_model *model)
{
    char style[256];
    lua_createtable(L, 0, 12);
    script_set_number(L, "distance", walk->distance);
    script_set_number(L, "lengths", walk->distance / walk->length);
    script_set_number(L, "time", walk->time);
    script_set_integer(L, "pushes", walk->pushes);
    script_set_integer(L, "survived", walk->survived);
    script_set_number(L, "slip", walk->slip);
    script_set_number(L, "cost", walk->cost);
    script_set_number(L, "animal", walk->animal);
    script_set_number(L, "torque", walk->torque);
    script_set_flag(L, "fell", walk->fell != ER_WALKER_UPRIGHT);
    project_walk_write_style(&walk->style, style, sizeof style);
    script_set_text(L, "walk", style);
    if (walk->touches >= 0) script_set_text(L, "bears", model->body[walk->touches].name);
}

// gait:simulate{...}: the simulation, and a table of how far it walked.
int script_gait_simulate(lua_State *L)
{
    script_gaits *of;
    project_walk_def def;
    project_walk walk;
    script_check_gait(L, 1, &of);
    lua_settop(L, 2);
    script_expand_shorthand(L, 2, "duration");
    script_pause_gc(L);
    read_walk(L, 2, &def);
    lua_getiuservalue(L, 1, 1);
    lua_getiuservalue(L, -1, GAITS_MODEL);
    int model = lua_gettop(L);
    simulation_object *s = push_object(L);
    keep_model(L, model, s);
    project_simulation *out = make_room(L, s);
    const script_model *m = script_check_model(L, model);
    const er_gait *gait = script_check_gait(L, 1, &of);
    script_check(L, project_walk_carefully(script_context(L), of->modes->model, script_rig_of(m),
                                           of->modes->modes->object, of->gaits->object, gait, &def, &walk));
    *out = walk.simulation; // the object's from here on
    walk.simulation = (project_simulation){0};
    const project_walk told = walk;
    project_walk_clear(&walk);
    push_walk(L, &told, of->modes->model);
    return 2;
}

// --- a world

static const er_world_file *read_world(lua_State *L, simulation_object *s, const char *path,
                                       const project_listener *listener)
{
    er_world_file *file = NULL;
    s->holder = s->world = script_push_handle(L, destroy_world);
    script_check(L, er_world_file_read(script_context(L), path, &file));
    s->world->object = file;
    lua_setiuservalue(L, -2, SIMULATION_HOLDER);
    for (int i = 0; i < file->note_count; ++i)
        project_notify(listener, file->note[i].kind, "%s", file->note[i].text);
    return file;
}

// eigenrig.simulate(path, {...}): of a world's file.
static int simulate(lua_State *L)
{
    project_simulation_def def;
    const char *path = luaL_checkstring(L, 1);
    lua_settop(L, 2);
    script_pause_gc(L);
    int callback = read_def(L, 2, false, &def);
    simulation_object *s = push_object(L);
    script_warner ear = {L, path};
    project_listener listener = script_listener(&ear);
    const er_world_file *file = read_world(L, s, path, &listener);
    project_simulation *out = make_room(L, s);
    er_context *context = script_context(L);
    script_progress watch = script_progress_begin(L, callback);
    const project_progress progress = {script_progress_step, &watch};
    er_result r = project_simulate_world(context, file, &def, &listener, &progress, out);
    script_progress_end(&watch, r);
    return 1;
}

const luaL_Reg script_simulation_functions[] = {{"simulate", simulate}, {NULL, NULL}};

// --- frames

SCRIPT_PUSHES(get_frames, lua_pushinteger, check_frames(L)->frame_count)
SCRIPT_PUSHES(get_fps, lua_pushnumber, check_done(L)->fps)

static int get_time(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_world_frames *f = check_frames(L);
    script_push_numbers(L, f->time, f->frame_count);
    return 1;
}

void script_push_energy(lua_State *L, const er_world_energy *e)
{
    lua_createtable(L, 0, 6);
    script_set_number(L, "kinetic", e->kinetic);
    script_set_number(L, "potential", e->potential);
    script_set_number(L, "elastic", e->elastic);
    script_set_number(L, "mechanical", e->mechanical);
    script_set_number(L, "work", e->work);
    script_set_number(L, "heat", e->heat);
}

// A table for every frame.
static int get_energy(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const er_world_frames *f = check_frames(L);
    lua_createtable(L, f->frame_count, 0);
    for (int k = 0; k < f->frame_count; ++k) {
        script_push_energy(L, &f->energy[k]);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static int get_report(lua_State *L)
{
    const er_world_report report = check_done(L)->report;
    lua_createtable(L, 0, 5);
    script_set_integer(L, "steps", report.steps);
    script_set_integer(L, "rejected", report.rejected);
    script_set_integer(L, "evaluations", report.evaluations);
    script_set_integer(L, "corrections", report.corrections);
    script_set_number(L, "gap", report.gap);
    return 1;
}

// --- poses

// simulation:pose(frame): of all bodies; simulation:pose(frame, body): position and orientation of one.
static int pose(lua_State *L)
{
    lua_Integer frame = luaL_checkinteger(L, 2);
    lua_settop(L, 3);
    script_pause_gc(L);
    const er_world_frames *f = check_frames(L);
    if (frame < 1 || frame > f->frame_count)
        return luaL_error(L, "there is no frame %I; there are 1 to %d", frame, f->frame_count);
    const er_pose *all = f->pose + (size_t)(frame - 1) * (size_t)f->model->body_count;
    if (!lua_isnil(L, 3)) {
        script_push_frame(L, all[script_find_body(L, f->model, 3)]);
        return 2;
    }
    script_push_pose(L, f->model, all);
    return 1;
}

// simulation:body(body): the list of its positions and that of its orientations, a frame each.
static int body(lua_State *L)
{
    lua_settop(L, 2);
    script_pause_gc(L);
    const er_world_frames *f = check_frames(L);
    const er_pose *at = f->pose + script_find_body(L, f->model, 2);
    lua_createtable(L, f->frame_count, 0);
    lua_createtable(L, f->frame_count, 0);
    for (int k = 0; k < f->frame_count; ++k, at += f->model->body_count) {
        script_push_frame(L, *at);
        lua_rawseti(L, -3, k + 1);
        lua_rawseti(L, -3, k + 1);
    }
    return 2;
}

// --- solids

static void push_points(lua_State *L, int count, const er_vec3 *point)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        script_push_vec3(L, point[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void set_round(lua_State *L, const char *key, const er_shape *s)
{
    lua_createtable(L, 2, 0);
    lua_pushnumber(L, s->radius);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, s->length);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, -2, key);
}

// A part as scene:actor{parts = {...}} takes it.
static void push_part(lua_State *L, const er_solid *s)
{
    lua_createtable(L, 0, 4);
    script_push_vec3(L, s->pose.p);
    lua_setfield(L, -2, "at");
    script_push_quat(L, s->pose.q);
    lua_setfield(L, -2, "orientation");
    script_set_text(L, "along", "z");
    switch (s->shape.kind) {
    case ER_SHAPE_SPHERE:
        script_set_number(L, "sphere", s->shape.radius);
        break;
    case ER_SHAPE_CAPSULE:
        set_round(L, "capsule", &s->shape);
        break;
    case ER_SHAPE_CYLINDER:
        set_round(L, "cylinder", &s->shape);
        break;
    case ER_SHAPE_BOX:
        script_push_vec3(L, er_v3_scale(2.0, s->shape.half));
        lua_setfield(L, -2, "box");
        break;
    case ER_SHAPE_PLANE:
        script_set_flag(L, "plane", true);
        break;
    case ER_SHAPE_HULL:
    case ER_SHAPE_MESH: // no file has one
        push_points(L, s->vertex_count, s->vertex);
        lua_setfield(L, -2, "hull");
        break;
    }
}

// The solids of a world; of a model none.
static int get_solids(lua_State *L)
{
    lua_settop(L, 1);
    script_pause_gc(L);
    const simulation_object *s = check_object(L);
    const er_world_file *world = s->world != NULL ? s->world->object : NULL;
    int count = world != NULL ? world->solid_count : 0;
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        const er_solid *solid = &world->solid[i];
        lua_createtable(L, 0, 3);
        script_set_text(L, "name", solid->name);
        if (solid->body >= 0) script_set_integer(L, "body", solid->body);
        push_part(L, solid);
        lua_setfield(L, -2, "part");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// The turn that brings up, against gravity, to y.
static int get_upright(lua_State *L)
{
    const simulation_object *s = check_object(L);
    const er_world_file *world = s->world != NULL ? s->world->object : NULL;
    const er_rig *rig = s->rig != NULL ? s->rig->object : NULL;
    script_push_quat(L, er_q_upright(world != NULL ? er_world_file_up(world) : project_up(rig)));
    return 1;
}

// --- files

// simulation:export(path): a clip or curves, or a folder of tables and drawings where a path has no such ending.
static int export(lua_State *L)
{
    const char *path = luaL_checkstring(L, 2);
    lua_settop(L, 2);
    script_pause_gc(L);
    const simulation_object *s = check_object(L);
    const project_simulation *done = s->done->object;
    const er_scene *source = s->scene != NULL ? s->scene->object : NULL;
    const er_rig *rig = s->rig != NULL ? s->rig->object : NULL;
    er_context *context = script_context(L);
    if (project_find_format(path) == NULL) {
        script_check(L, project_write_simulation(context, done, path));
        return 0;
    }
    const er_world_file *world = s->world != NULL ? s->world->object : NULL;
    const project_target *shown = script_push_target(L, done->frames.model, rig, world)->object;
    script_check(L, project_write_simulated(context, done, source, &shown->target, path));
    return 0;
}

static int close(lua_State *L)
{
    const simulation_object *s = luaL_checkudata(L, 1, script_simulation_class.name);
    script_close_handle(L, s->done);
    script_close_handle(L, s->world);
    return 0;
}

static int text(lua_State *L)
{
    const simulation_object *s = luaL_checkudata(L, 1, script_simulation_class.name);
    const project_simulation *done = s->done != NULL ? s->done->object : NULL;
    if (done == NULL)
        lua_pushstring(L, "simulation (closed)");
    else
        lua_pushfstring(L, "simulation: %d frame%s, %f a second", done->frames.frame_count,
                        eri_plural(done->frames.frame_count), done->fps);
    return 1;
}

static const luaL_Reg methods[] = {{"pose", pose}, {"body", body}, {"export", export}, {"close", close}, {NULL, NULL}};
static const luaL_Reg getters[] = {
    {"frames", get_frames}, {"fps", get_fps},       {"time", get_time},       {"energy", get_energy},
    {"report", get_report}, {"solids", get_solids}, {"upright", get_upright}, {NULL, NULL}};
static const luaL_Reg meta[] = {{"__len", get_frames}, {"__close", close}, {"__tostring", text}, {NULL, NULL}};
const script_class script_simulation_class = {"eigenrig.simulation", methods, getters, NULL, meta, NULL};
