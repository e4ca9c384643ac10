// Rigs in a scene: their bodies become actors, their joints joints, with their springs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

engine_character_def engine_default_character(void)
{
    return (engine_character_def){.place = er_pose_identity(), .scale = 1.0, .weight = 1.0, .damping = 0.3};
}

int engine_character_count(const engine *e)
{
    return e->character_count;
}

const engine_character *engine_character_at(const engine *e, int index)
{
    return &e->character[index];
}

// A pose of the model's own size, in the scene.
static er_pose placed(const engine_character_def *def, er_pose pose)
{
    return er_pose_mul(def->place, (er_pose){pose.q, er_v3_scale(def->scale, pose.p)});
}

// ---- Bodies

static er_shape scaled_shape(er_shape s, double scale)
{
    s.radius *= scale;
    s.length *= scale;
    s.half = er_v3_scale(scale, s.half);
    return s;
}

// The hull of a shape at another size, kept by the scene.
static er_result scale_hull(engine *e, er_shape *s, double scale)
{
    if (s->kind != ER_SHAPE_HULL || !(scale < 1.0 || scale > 1.0)) return ER_OK;
    er_hull *hull = NULL;
    er_vec3 *point = malloc((size_t)s->hull->vertex_count * sizeof *point);
    if (point == NULL || !engine_grow(&e->hull, &e->hull_room, e->hull_count, sizeof *e->hull)) {
        free(point);
        return eri_no_memory_for(e->context, "a character");
    }
    for (int i = 0; i < s->hull->vertex_count; ++i)
        point[i] = er_v3_scale(scale, s->hull->vertex[i]);
    er_result r = er_hull_create(e->context, s->hull->vertex_count, point, &hull);
    free(point);
    if (r != ER_OK) return r;
    e->hull[e->hull_count++] = hull;
    s->hull = hull;
    return ER_OK;
}

/// Where a walker's bodies begin, in the scene.
typedef struct bone_start {
    er_pose *pose;
    er_twist *twist;
} bone_start;

// @param start  of a walker; NULL: the poses of the definition
static er_result add_bone(engine *e, const engine_character_def *def, engine_character *c, int body,
                          const bone_start *start)
{
    const er_body *own = &def->model->body[body];
    double s = def->scale, mass = own->mass * s * s * s * def->weight;
    er_mat3 none = {{{0}}};
    er_body scaled = *own;
    scaled.mass = mass;
    scaled.com = er_v3_scale(s, own->com);
    scaled.inertia = er_m3_madd(none, mass / own->mass * s * s, own->inertia);
    engine_part *part = calloc((size_t)def->shape_count + 1, sizeof *part);
    if (part == NULL) return eri_no_memory_for(e->context, "a character");
    char name[512];
    snprintf(name, sizeof name, "%s/%s", def->name != NULL ? def->name : "character", own->name);
    engine_actor_def a = engine_default_actor();
    a.name = name;
    a.motion = def->kinematic != NULL && def->kinematic[body] ? ENGINE_KINEMATIC : ENGINE_DYNAMIC;
    a.pose = placed(def, def->pose != NULL ? def->pose[body] : own->pose);
    if (start != NULL) {
        a.pose = start->pose[body];
        a.velocity = er_q_rotate(a.pose.q, start->twist[body].linear);
        a.spin = er_q_rotate(a.pose.q, start->twist[body].angular);
    }
    a.body = &scaled;
    a.part = part;
    a.character = c->id;
    er_result r = ER_OK;
    for (int i = 0; i < def->shape_count && r == ER_OK; ++i) {
        const er_body_shape *b = &def->shape[i];
        if (b->body != body) continue;
        engine_part *p = &part[a.part_count++];
        *p = (engine_part){.shape = scaled_shape(b->shape, s),
                           .pose = {b->pose.q, er_v3_scale(s, b->pose.p)},
                           .material = def->material,
                           .passes = start != NULL && er_walker_drags(c->walker[0], i),
                           .hidden = true};
        r = scale_hull(e, &p->shape, s);
    }
    if (r == ER_OK) r = engine_add_actor(e, &a, &c->actor[body]);
    free(part);
    if (r == ER_OK) engine_actor_of(e, c->actor[body])->home = placed(def, own->pose);
    return r;
}

// ---- Joints

// The damper that gives a joint's coordinate a ratio, moving alone: 2 zeta sqrt(k m).
static double damper(const engine_character_def *def, const er_body *child, double stiffness, bool turns)
{
    double moment = (child->inertia.m[0][0] + child->inertia.m[1][1] + child->inertia.m[2][2]) / 3.0 +
                    child->mass * er_v3_dot(child->com, child->com);
    return 2.0 * def->damping * sqrt(stiffness * (turns ? moment : child->mass));
}

static er_result add_bone_joint(engine *e, const engine_character_def *def, const engine_character *c, int index)
{
    const er_joint *own = &def->model->joint[index];
    if (own->parent < 0) return ER_OK; // a joint to the world is left out in a scene
    double s = def->scale, turning = s * s * s * s * s * def->weight, shifting = s * s * s * def->weight;
    if (def->walker != NULL) turning = 0.0; // torques stand in place of springs and dampers
    int axis[6], count = er_joint_type_freedom(own->type, axis);
    er_pose frame = placed(def, own->frame), side[2];
    engine_joint_def j = engine_default_joint();
    j.name = own->name;
    j.type = own->type;
    j.pitch = s * own->pitch;
    const int body[2] = {own->parent, own->child};
    for (int k = 0; k < 2; ++k) {
        j.actor[k] = c->actor[body[k]];
        side[k] = er_pose_mul(er_pose_inverse(engine_actor_of(e, j.actor[k])->home), frame);
    }
    j.swing = own->swing;
    memcpy(j.twist, own->twist, sizeof j.twist);
    for (int i = 0; i < count; ++i) {
        bool turns = axis[i] < 3;
        double by = turns ? turning : shifting;
        double damping = own->damping[i] > 0.0 ? own->damping[i]
                                               : damper(def, &def->model->body[own->child], own->stiffness[i], turns);
        j.stiffness[i] = by * own->stiffness[i];
        j.damping[i] = by * damping;
        for (int k = 0; k < 2; ++k)
            j.limit[i][k] = turns ? own->limit[i][k] : s * own->limit[i][k];
    }
    return engine_attach(e, &j, side, &c->joint[index]);
}

// ---- In and out

static bool add_apart(engine *e, int a, int b)
{
    if (!engine_grow(&e->apart, &e->apart_room, e->apart_count, sizeof *e->apart)) return false;
    e->apart[e->apart_count++] = (apart){{a, b}};
    return true;
}

// The pairs of the definition; all pairs where the character does not collide with itself.
static er_result keep_apart(engine *e, const engine_character_def *def, const engine_character *c)
{
    bool room = true;
    for (int i = 0; def->self_collision && i < def->apart_count && room; ++i)
        room = add_apart(e, c->actor[def->apart[i].a], c->actor[def->apart[i].b]);
    for (int a = 0; !def->self_collision && a < c->model->body_count; ++a)
        for (int b = a + 1; b < c->model->body_count && room; ++b)
            room = add_apart(e, c->actor[a], c->actor[b]);
    return room ? ER_OK : eri_no_memory_for(e->context, "a character");
}

// Places the bodies in the frame of the actor that they show, and hides its parts.
static er_result dress(engine *e, const engine_character_def *def, engine_character *c)
{
    actor *a = engine_actor_of(e, def->look_of);
    if (a == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "character \"%s\": there is no actor %d; it may have been removed",
                       def->name != NULL ? def->name : "", def->look_of);
    c->place = malloc((size_t)def->model->body_count * sizeof *c->place);
    if (c->place == NULL) return eri_no_memory_for(e->context, "a character");
    for (int b = 0; b < def->model->body_count; ++b) {
        c->actor[b] = def->look_of;
        c->place[b] = placed(def, def->pose != NULL ? def->pose[b] : def->model->body[b].pose);
    }
    engine_part *part = (engine_part *)(uintptr_t)a->state.part;
    for (int i = 0; i < a->state.part_count; ++i)
        part[i].hidden = true;
    return ER_OK;
}

static er_result add_bones(engine *e, const engine_character_def *def, engine_character *c)
{
    size_t n = (size_t)def->model->body_count;
    bone_start start = {malloc(n * sizeof *start.pose), malloc(n * sizeof *start.twist)};
    bool room = start.pose != NULL && start.twist != NULL, walks = def->walker != NULL;
    er_result r = room ? ER_OK : eri_no_memory_for(e->context, "a character");
    if (r == ER_OK && walks) r = engine_begin_walk(e, def, c, start.pose, start.twist);
    for (int b = 0; b < def->model->body_count && r == ER_OK; ++b)
        r = add_bone(e, def, c, b, walks ? &start : NULL);
    free(start.pose);
    free(start.twist);
    for (int k = 0; k < def->model->joint_count && r == ER_OK; ++k)
        r = add_bone_joint(e, def, c, k);
    return r == ER_OK ? keep_apart(e, def, c) : r;
}

er_result engine_add_character(engine *e, const engine_character_def *def, int *id)
{
    *id = 0;
    if (!(def->scale > 1e-6 && def->scale < 1e6) || !(def->weight > 1e-6 && def->weight < 1e6) ||
        !(def->damping >= 0.0 && def->damping < 1e6))
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "character \"%s\": expected scale and weight from 1e-6 to 1e6, and damping of 0 or more",
                       def->name != NULL ? def->name : "");
    bool room = engine_grow(&e->character, &e->character_room, e->character_count, sizeof *e->character);
    engine_character c = {.id = ++e->last_id,
                          .model = def->model,
                          .target = def->target,
                          .scale = def->scale,
                          .walking = -1,
                          .next_walking = -1};
    c.actor = calloc((size_t)def->model->body_count, sizeof *c.actor);
    c.joint = calloc((size_t)def->model->joint_count + 1, sizeof *c.joint);
    if (!room || c.actor == NULL || c.joint == NULL) {
        free(c.actor);
        free(c.joint);
        return eri_no_memory_for(e->context, "a character");
    }
    c.look_of = def->look_of;
    er_result r = c.look_of != 0 ? dress(e, def, &c) : ER_OK;
    engine_character *here = &e->character[e->character_count++];
    *here = c;
    if (c.look_of == 0) r = add_bones(e, def, here);
    if (r != ER_OK)
        engine_remove_character(e, c.id);
    else
        *id = c.id;
    return r;
}

bool engine_remove_character(engine *e, int id)
{
    int at = 0;
    while (at < e->character_count && e->character[at].id != id)
        ++at;
    if (at == e->character_count) return false;
    engine_character c = engine_take_character(e, at);
    for (int b = 0; b < c.model->body_count && c.look_of == 0; ++b)
        engine_remove_actor(e, c.actor[b]);
    engine_free_character(c);
    return true;
}

void engine_character_pose(const engine *e, const engine_character *c, double between, er_pose *pose)
{
    for (int b = 0; b < c->model->body_count; ++b) {
        const engine_actor *a = engine_find_actor(e, c->actor[b]);
        pose[b] = a != NULL ? engine_interpolate(a, between) : c->model->body[b].pose;
        if (c->place != NULL) pose[b] = er_pose_mul(pose[b], c->place[b]);
        if (a != NULL) pose[b].p = er_v3_scale(1.0 / c->scale, pose[b].p);
    }
}
