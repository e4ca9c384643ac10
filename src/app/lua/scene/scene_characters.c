// Rigged characters in a living scene: left to forces, or led by a clip, a mix or a gait.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/lua/scene/scene_script.h"
#include "app/project/project_play.h"
#include "app/project/project_simulate.h"
#include "app/project/target.h"
#include "base/platform.h"

/// A looping row of poses that kinematic bodies of a character follow.
typedef struct leader {
    int character;
    int count;       ///< rows, >= 2, evenly over `duration`; the last is the first again plus `travel`
    double duration; ///< s
    er_vec3 travel;  ///< m, of one loop, at the model's own size
    double began, speed;
    er_pose place;
    er_pose *pose; ///< [count x body_count], owned; with the travel so far
} leader;

static void clear_leader(void *object)
{
    free(((leader *)object)->pose);
}

// ---- Rows of poses

enum { RATE = 120 }; // rows a second

static leader *make_leader(lua_State *L, double duration, int bodies)
{
    leader *l = script_push_room(L, sizeof *l, clear_leader);
    l->duration = duration;
    l->count = (int)fmin(fmax(ceil(duration * RATE), 2.0), 1e6) + 1;
    l->pose = calloc((size_t)l->count * (size_t)bodies, sizeof *l->pose);
    if (l->pose == NULL) luaL_error(L, "not enough memory");
    return l;
}

static double row_time(const leader *l, int row)
{
    return l->duration * row / (l->count - 1);
}

SCRIPT_DESTROYS(clear_play, project_play_clear)

static leader *lead_by_clip(lua_State *L, const script_model *m, const er_recording_target *target, const char *name)
{
    const er_rig *rig = script_rig_of(m);
    const er_clip *clip = NULL;
    if (rig == NULL) luaL_error(L, "a rig file has no clips");
    er_context *context = script_context(L);
    script_check(L, er_scene_find_clip(context, rig->scene, name, &clip));
    if (!(clip->duration > 0.0)) luaL_error(L, "clip \"%s\" is a pose: it has no duration", name);
    project_play *play = script_push_room(L, sizeof *play, clear_play);
    int bodies = script_model_of(m)->body_count;
    script_check(L, project_play_make(context, script_model_of(m), rig->body_node, target, clip, NULL, RATE, play));
    leader *l = make_leader(L, clip->duration, bodies);
    for (int i = 0; i < l->count; ++i) // the last row just before the end, which would be the beginning again
        script_check(L, project_play_pose(context, play, fmin(row_time(l, i), clip->duration * (1.0 - 1e-12)),
                                          l->pose + (size_t)i * (size_t)bodies));
    return l;
}

// Takes the same values as model:mix().
static leader *lead_by_mix(lua_State *L, int model, int value)
{
    script_motion_options moving = {.def = er_default_motion_def()};
    script_push_mix(L, model, value);
    script_push_motion(L, lua_gettop(L), &moving, NULL);
    const script_motion *made = lua_touserdata(L, -1);
    er_motion *motion = made->motion->object;
    int bodies = motion->model->body_count;
    leader *l = make_leader(L, motion->duration, bodies);
    double *time = reader_push_array(L, (size_t)l->count, sizeof *time);
    for (int i = 0; i < l->count; ++i)
        time[i] = row_time(l, i);
    script_check(L, er_motion_poses(motion, l->count, time, NULL, l->pose));
    return l;
}

// The rows of a gait that travels.
static leader *lead_by_gait(lua_State *L, int value)
{
    script_gaits *of;
    const er_gait *gait = script_check_gait(L, value, &of);
    const er_gaits *all = of->gaits->object;
    const er_gait_motion *motion = script_push_gait_motions(L, of, (int)(gait - all->gait), 1, RATE)[0];
    int bodies = motion->model->body_count;
    leader *l = make_leader(L, motion->time[motion->frame_count - 1], bodies);
    for (int i = 0; i < l->count; ++i) {
        er_pose *row = l->pose + (size_t)i * (size_t)bodies;
        double strides = (double)i / (l->count - 1);
        er_vec3 at = project_gait_pose(motion, fmin(strides, 1.0 - 1e-9), row);
        for (int b = 0; b < bodies; ++b)
            row[b].p = er_v3_add(row[b].p, at);
    }
    l->travel = er_v3_sub(motion->travel[motion->frame_count - 1], motion->travel[0]);
    return l;
}

// ---- Leading

// The pose of a body at a time since the beginning, at the model's own size.
static er_pose led_pose(const leader *l, int bodies, int body, double time)
{
    double rounds = floor(time / l->duration), at = (time / l->duration - rounds) * (l->count - 1);
    int row = (int)fmin(floor(at), l->count - 2);
    double share = at - row;
    const er_pose *from = l->pose + (size_t)row * (size_t)bodies + body, *to = from + bodies;
    return (er_pose){er_q_slerp(from->q, to->q, share),
                     er_v3_madd(er_v3_madd(er_v3_scale(1.0 - share, from->p), share, to->p), rounds, l->travel)};
}

static er_pose placed(const leader *l, double scale, er_pose pose)
{
    return er_pose_mul(l->place, (er_pose){pose.q, er_v3_scale(scale, pose.p)});
}

static void lead(lua_State *L, engine *e, const leader *l)
{
    const engine_character *c = engine_find_character(e, l->character);
    if (c == NULL) return;
    double time = l->speed * (engine_time(e) + engine_get_settings(e)->step - l->began);
    for (int b = 0; b < c->model->body_count; ++b) {
        const engine_actor *a = engine_find_actor(e, c->actor[b]);
        if (a == NULL || a->motion != ENGINE_KINEMATIC) continue;
        er_pose pose = placed(l, c->scale, led_pose(l, c->model->body_count, b, fmax(time, 0.0)));
        script_check(L, engine_move(e, a->id, &pose, NULL, NULL));
    }
}

void script_move_characters(lua_State *L, int scene)
{
    engine *e = script_check_scene(L, scene);
    lua_getiuservalue(L, scene, SCENE_LEADERS);
    int list = lua_gettop(L);
    for (lua_Integer i = (lua_Integer)lua_rawlen(L, list); i > 0; --i) {
        lua_rawgeti(L, list, i);
        lead(L, e, ((const handle *)lua_touserdata(L, -1))->object);
        lua_pop(L, 1);
    }
    lua_settop(L, list - 1);
}

void script_forget_leaders(lua_State *L, int scene, int last)
{
    lua_getiuservalue(L, scene, SCENE_LEADERS);
    int list = lua_gettop(L);
    lua_Integer kept = 0, count = (lua_Integer)lua_rawlen(L, list);
    for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(L, list, i);
        const handle *h = lua_touserdata(L, -1);
        if (((const leader *)h->object)->character <= last)
            lua_rawseti(L, list, ++kept);
        else
            lua_pop(L, 1);
    }
    for (lua_Integer i = kept + 1; i <= count; ++i) {
        lua_pushnil(L);
        lua_rawseti(L, list, i);
    }
    lua_getiuservalue(L, scene, SCENE_WALKERS);
    int walkers = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, walkers) != 0; lua_pop(L, 1)) {
        lua_Integer id = lua_tointeger(L, -2);
        if (id <= last) continue;
        lua_pushnil(L);
        lua_rawseti(L, walkers, id);
    }
    lua_pop(L, 2);
}

// ---- scene:add(model, {...})

static const char *const keys[] = {
    "name", "at",  "turn", "orientation", "floor", "scale", "weight", "damping", "self_collision", "material",
    "clip", "mix", "gait", "simulate",    "speed", "from",  "on",     "walks",   "stands",         NULL};

// The kinematic bodies: none without a leader, otherwise all that `simulate` does not name.
static bool *read_led(lua_State *L, reader *r, const er_model *model, bool leads)
{
    const char *simulate = reader_text(r, 3, "simulate", leads ? "" : "*");
    if (!leads && strcmp(simulate, "*") != 0)
        luaL_error(L, "simulate needs a clip, mix or gait that leads the other bodies");
    bool *kinematic = reader_push_array(L, (size_t)model->body_count, sizeof *kinematic),
         found = *simulate == '\0' || !leads;
    for (int b = 0; b < model->body_count; ++b) {
        kinematic[b] = leads;
        const char *at = simulate;
        while (leads && *at != '\0') {
            size_t length = strcspn(at, ",");
            const char *pattern = lua_pushlstring(L, at, length);
            if (eri_platform_match(pattern, model->body[b].name)) {
                kinematic[b] = false;
                found = true;
            }
            lua_pop(L, 1);
            at += length + (at[length] == ',');
        }
    }
    if (!found) luaL_error(L, "simulate: no body matches \"%s\"", simulate);
    return kinematic;
}

static void keep_handle(lua_State *L, int scene, int model, int value, handle *h)
{
    if (h == NULL) return;
    h->keepers++;
    lua_getiuservalue(L, model, value);
    script_keep(L, scene);
}

SCRIPT_DESTROYS(destroy_shapes, er_rig_shapes_destroy)

// Adds the character, keeps what it borrows, and pushes it.   @return its id
static int add_character(lua_State *L, engine *e, const engine_character_def *d, const script_model *m)
{
    int id;
    script_check(L, engine_add_character(e, d, &id));
    keep_handle(L, 1, 2, MODEL_SCENE, m->scene);
    keep_handle(L, 1, 2, MODEL_RIG, m->rig);
    keep_handle(L, 1, 2, MODEL_MODEL, m->model);
    script_push_object(L, 1, SCRIPT_CHARACTER, id);
    return id;
}

// The actor whose look the character is; 0 for none. A look takes few of the fields.
static int read_wearer(lua_State *L, reader *r)
{
    static const char *const few[] = {"name", "at", "turn", "orientation", "scale", "on", NULL};
    if (!reader_field(r, 3, "on")) return 0;
    const script_object *a = luaL_testudata(L, -1, SCRIPT_ACTOR);
    if (a == NULL) reader_wrong(r, "expected an actor");
    lua_getiuservalue(L, -1, 1);
    if (!lua_rawequal(L, -1, 1)) reader_wrong(r, "the actor is of another scene");
    lua_pop(L, 1);
    reader_done(r);
    reader_check_keys(r, 3, few);
    return a->id;
}

int script_scene_add(lua_State *L)
{
    engine *e = script_check_scene(L, 1);
    const script_model *m = script_check_model(L, 2);
    reader r = {.L = L};
    lua_settop(L, 3);
    script_default_table(L, 3);
    reader_check_keys(&r, 3, keys);
    luaL_checkstack(L, 3 * LUA_MINSTACK, NULL);
    const er_model *model = script_model_of(m);
    engine_character_def d = engine_default_character();
    d.model = model;
    d.name = reader_text(&r, 3, "name", *model->name != '\0' ? model->name : "character");
    d.place = script_read_pose(&r, 3, er_pose_identity());
    d.scale = reader_number(&r, 3, "scale", 1e-6, 1e6, 1);
    d.weight = reader_number(&r, 3, "weight", 1e-6, 1e6, 1);
    d.damping = reader_number(&r, 3, "damping", 0, 1e6, d.damping);
    d.self_collision = reader_flag(&r, 3, "self_collision", false);
    d.material = script_read_material(&r, 1, 3, "material", 0);
    double speed = reader_number(&r, 3, "speed", -1e3, 1e3, 1), from = reader_number(&r, 3, "from", 0, 1e6, 0);
    handle *shown = script_push_target(L, model, script_rig_of(m), script_world_of(m));
    shown->keepers++;
    d.target = &((const project_target *)shown->object)->target;
    script_keep(L, 1);
    d.look_of = read_wearer(L, &r);
    if (d.look_of != 0) {
        d.place.q = er_q_mul(d.place.q, er_q_upright(project_up(script_rig_of(m))));
        add_character(L, e, &d, m);
        return 1;
    }
    er_rig_shapes *shapes = NULL;
    handle *h = script_push_handle(L, destroy_shapes);
    script_check(L, er_rig_shapes_create(script_context(L), model, script_rig_of(m), &shapes));
    h->object = shapes;
    script_keep(L, 1);
    d.shape = shapes->shape;
    d.shape_count = shapes->count;
    d.apart = shapes->pair;
    d.apart_count = shapes->pair_count;
    leader *l = NULL;
    int below = lua_gettop(L), leaders = 0;
    const char *clip = reader_text(&r, 3, "clip", NULL);
    if (clip != NULL) {
        l = lead_by_clip(L, m, d.target, clip);
        leaders++;
    }
    if (lua_getfield(L, 3, "mix") != LUA_TNIL) {
        l = lead_by_mix(L, 2, lua_gettop(L));
        leaders++;
    }
    if (lua_getfield(L, 3, "gait") != LUA_TNIL) {
        l = lead_by_gait(L, lua_gettop(L));
        leaders++;
    }
    script_walk walk = {.shapes = NULL};
    if (lua_getfield(L, 3, "walks") != LUA_TNIL && lua_toboolean(L, -1)) {
        walk = script_push_walk(L, 2, shapes);
        d.walker = &walk.def;
        d.family = walk.family;
        d.stands = reader_flag(&r, 3, "stands", false);
        leaders++;
    }
    if (leaders > 1) return luaL_error(L, "a character takes only one of clip, mix, gait and walks");
    d.kinematic = read_led(L, &r, model, l != NULL);
    // the model's up becomes the scene's; `floor` is the height of its lowest point
    d.place.q = er_q_mul(d.place.q, er_q_upright(project_up(script_rig_of(m))));
    er_pose *begin = reader_push_array(L, (size_t)model->body_count, sizeof *begin);
    for (int b = 0; b < model->body_count; ++b)
        begin[b] = l != NULL ? led_pose(l, model->body_count, b, from) : model->body[b].pose;
    if (reader_field(&r, 3, "floor")) {
        er_vec3 up = er_q_rotate(er_q_conj(d.place.q), er_v3(0, 1, 0));
        double lowest = d.walker != NULL ? 0.0 : d.scale * er_rig_shapes_lowest(shapes, begin, up);
        d.place.p.y = reader_top_number(&r, -1e9, 1e9) - lowest;
        reader_done(&r);
    }
    d.pose = begin;
    int top = lua_gettop(L), id = add_character(L, e, &d, m);
    if (d.walker != NULL) script_keep_walk(L, 1, id, &walk);
    if (l != NULL) {
        l->character = id;
        l->speed = speed;
        l->began = engine_time(e) - (speed > 0.0 || speed < 0.0 ? from / speed : 0.0);
        l->place = d.place;
        lua_getiuservalue(L, 1, SCENE_LEADERS);
        int list = lua_gettop(L);
        for (int i = below + 1; i <= top; ++i) { // the handle of the leader is one of the values pushed
            const handle *one = luaL_testudata(L, i, "eigenrig.handle");
            if (one == NULL || one->object != l) continue;
            lua_pushvalue(L, i);
            lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
        }
    }
    lua_settop(L, top + 1);
    return 1;
}

// ---- A character as it stands

static const engine_character *character_of(lua_State *L, engine **e)
{
    int id = script_check_object(L, 1, SCRIPT_CHARACTER, e);
    const engine_character *c = engine_find_character(*e, id);
    if (c == NULL) luaL_argerror(L, 1, "the character was removed from its scene");
    return c;
}

// character:actor(name or index): of a body; character:actors()
static int actor(lua_State *L)
{
    engine *e;
    const engine_character *c = character_of(L, &e);
    int scene = lua_gettop(L), body = script_find_body(L, c->model, 2);
    if (c->actor[body] == 0) return 0;
    script_push_object(L, scene, SCRIPT_ACTOR, c->actor[body]);
    return 1;
}

static int actors(lua_State *L)
{
    engine *e;
    const engine_character *c = character_of(L, &e);
    int scene = lua_gettop(L), at = 0;
    lua_createtable(L, c->model->body_count, 0);
    for (int b = 0; b < (c->look_of != 0 ? 1 : c->model->body_count); ++b) {
        if (c->actor[b] == 0) continue;
        script_push_object(L, scene, SCRIPT_ACTOR, c->actor[b]);
        lua_rawseti(L, -2, ++at);
    }
    return 1;
}

// Its present pose for model:build{pose = ...}: in the model's own axes and size.
static int pose(lua_State *L)
{
    engine *e;
    const engine_character *c = character_of(L, &e);
    er_pose *now = reader_push_array(L, (size_t)c->model->body_count, sizeof *now);
    engine_character_pose(e, c, 1.0, now);
    script_push_pose(L, c->model, now);
    return 1;
}

static int centre(lua_State *L)
{
    engine *e;
    const engine_character *c = character_of(L, &e);
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int b = 0; b < c->model->body_count; ++b) {
        const engine_actor *a = engine_find_actor(e, c->actor[b]);
        if (a == NULL) continue;
        sum = er_v3_madd(sum, a->mass, er_pose_point(a->pose, a->centre));
        mass += a->mass;
    }
    script_push_vec3(L, er_v3_scale(mass > 0.0 ? 1.0 / mass : 0.0, sum));
    return 1;
}

static int remove_character(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_CHARACTER, &e), scene = lua_gettop(L);
    const engine_character *c = engine_find_character(e, id);
    int bodies = c != NULL && c->look_of == 0 ? c->model->body_count : 0;
    for (int b = 0; b < bodies; ++b) { // handlers of `removed` run, and may remove actors themselves
        c = engine_find_character(e, id);
        if (c == NULL || c->actor[b] == 0) continue;
        script_push_object(L, scene, SCRIPT_ACTOR, c->actor[b]);
        script_call_sequencers(L, "removed", scene, 1);
        lua_pop(L, 1);
    }
    engine_remove_character(e, id);
    return 0;
}

static const luaL_Reg methods[] = {
    {"actor", actor},         {"actors", actors},           {"pose", pose}, {"remove", remove_character},
    {"go", script_walker_go}, {"gait", script_walker_gait}, {NULL, NULL}};
static const luaL_Reg getters[] = {{"centre", centre},
                                   {"walking", script_walker_walking},
                                   {"velocity", script_walker_velocity},
                                   {"heading", script_walker_heading},
                                   {NULL, NULL}};
const script_class script_character_class = {SCRIPT_CHARACTER, methods, getters, NULL, NULL, NULL};
