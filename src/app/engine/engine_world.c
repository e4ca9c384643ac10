// The world of a scene: its bodies and joints as one er_model, its shapes, and what it hands back after a step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

void engine_destroy_world(engine *e)
{
    er_world_destroy(e->world);
    er_model_destroy(e->model);
    free(e->body_actor);
    free(e->shape_actor);
    free(e->q);
    free(e->rate);
    e->q = e->rate = NULL;
    e->world = NULL;
    e->model = NULL;
    e->body_actor = e->shape_actor = NULL;
}

/// The parts of a world while it is being made.
typedef struct plan {
    er_body *body;
    er_joint *joint;
    er_motor *motor;
    double *rest;
    double *erp, *cfm;        ///< [joint_count]
    er_joint_break *strength; ///< [joint_count]
    bool breaks;              ///< some joint can break
    er_tie *tie;
    int tie_count;
    bool *held;
    er_world_shape *shape;
    er_body_pair *apart;
    er_pose *pose;
    er_twist *twist;
    int *set; ///< [body_count + 1]: which bodies hang together already; last, the world
    int body_count, joint_count, motor_count, rest_count, shape_count, apart_count;
    bool guides; ///< a body is led, or stands still
} plan;

static void free_plan(plan *p)
{
    free(p->body);
    free(p->joint);
    free(p->motor);
    free(p->rest);
    free(p->erp);
    free(p->cfm);
    free(p->strength);
    free(p->tie);
    free(p->held);
    free(p->shape);
    free(p->apart);
    free(p->pose);
    free(p->twist);
    free(p->set);
}

static er_result make_room(engine *e, plan *p)
{
    size_t actors = (size_t)e->actor_count + 1, joints = (size_t)e->joint_count + 1, parts = 1;
    for (int i = 0; i < e->actor_count; ++i)
        parts += (size_t)e->actor[i].state.part_count;
    p->body = calloc(actors, sizeof *p->body);
    p->joint = calloc(joints, sizeof *p->joint);
    p->motor = calloc(joints + (size_t)engine_walker_motors(e), sizeof *p->motor);
    p->rest = calloc(6 * joints, sizeof *p->rest);
    p->erp = calloc(joints, sizeof *p->erp);
    p->cfm = calloc(joints, sizeof *p->cfm);
    p->strength = calloc(joints, sizeof *p->strength);
    p->tie = calloc((size_t)e->tie_count + 1, sizeof *p->tie);
    p->held = calloc(actors, sizeof *p->held);
    p->shape = calloc(parts, sizeof *p->shape);
    p->apart = calloc((size_t)e->apart_count + 1, sizeof *p->apart);
    p->pose = calloc(actors, sizeof *p->pose);
    p->twist = calloc(actors, sizeof *p->twist);
    p->set = calloc(actors + 1, sizeof *p->set);
    e->body_actor = calloc(actors, sizeof *e->body_actor);
    e->shape_actor = calloc(parts, sizeof *e->shape_actor);
    bool room = p->body != NULL && p->joint != NULL && p->motor != NULL && p->rest != NULL && p->erp != NULL &&
                p->cfm != NULL && p->strength != NULL && p->tie != NULL && p->held != NULL && p->shape != NULL &&
                p->apart != NULL && p->pose != NULL && p->twist != NULL && p->set != NULL && e->body_actor != NULL &&
                e->shape_actor != NULL;
    return room ? ER_OK : eri_no_memory_for(e->context, "a scene's world");
}

// ---- Bodies and shapes

enum { NO_BODY = -1, JOINTED = -2 };

// Marks the actors that have a joint. Even a static one needs a body then, so that its shapes do not collide with the
// actor joined to it.
static void mark_jointed(engine *e)
{
    for (int i = 0; i < e->actor_count; ++i)
        e->actor[i].body = NO_BODY;
    for (int i = 0; i < e->joint_count; ++i)
        for (int side = 0; side < 2; ++side) {
            actor *a = engine_actor_of(e, e->joint[i].state.actor[side]);
            if (a != NULL) a->body = JOINTED;
        }
}

static void add_body(engine *e, int index, plan *p)
{
    actor *a = &e->actor[index];
    bool weighs = a->state.mass > 0.0; // a body that is led may weigh nothing, and a model's may not
    er_quat back = er_q_conj(a->state.pose.q);
    a->body = p->body_count++;
    e->body_actor[a->body] = index;
    p->body[a->body] = (er_body){.name = a->state.name,
                                 .mass = weighs ? a->state.mass : 1.0,
                                 .com = a->state.centre,
                                 .inertia = weighs ? a->state.inertia : er_m3_identity(),
                                 .pose = a->home};
    p->held[a->body] = a->state.motion != ENGINE_DYNAMIC;
    p->guides |= p->held[a->body];
    p->pose[a->body] = a->state.pose;
    p->twist[a->body] = (er_twist){er_q_rotate(back, a->state.spin), er_q_rotate(back, a->state.velocity)};
}

static void add_shapes(engine *e, const actor *a, plan *p)
{
    for (int i = 0; i < a->state.part_count && a->state.active; ++i) {
        const engine_part *part = &a->state.part[i];
        const engine_material *m = &e->material[part->material];
        if (part->passes) continue;
        e->shape_actor[p->shape_count] = a->state.id;
        er_world_shape *shape = &p->shape[p->shape_count++];
        *shape = er_default_world_shape();
        shape->name = a->state.name;
        shape->shape = part->shape;
        shape->body = a->body;
        shape->pose = a->body >= 0 ? part->pose : er_pose_mul(a->state.pose, part->pose);
        shape->restitution = m->restitution;
        shape->friction = m->friction;
        shape->grain = a->body >= 0 ? m->grain : er_q_rotate(a->state.pose.q, m->grain);
        shape->grain_friction = m->grain_friction;
        shape->rolling = m->rolling;
        shape->spinning = m->spinning;
        shape->groups = a->state.groups;
        shape->ignores = a->state.ignores;
        shape->surface = a->state.surface;
        if (a->body >= 0) continue;
        shape->surface.angular = er_q_rotate(a->state.pose.q, a->state.surface.angular);
        shape->surface.linear = er_v3_sub(er_q_rotate(a->state.pose.q, a->state.surface.linear),
                                          er_v3_cross(shape->surface.angular, a->state.pose.p));
    }
}

// ---- Joints

static int set_of(plan *p, int at)
{
    while (p->set[at] != at)
        at = p->set[at] = p->set[p->set[at]];
    return at;
}

static int body_on(const engine *e, const joint *j, int side)
{
    const actor *a = engine_joint_side(e, j, side);
    return a != NULL ? a->body : -1;
}

static void add_joint(engine *e, joint *j, plan *p)
{
    int on = body_on(e, j, 0), hangs = body_on(e, j, 1);
    j->index = -1;
    bool kinematic = hangs < 0 || (p->held[hangs] && (on < 0 || p->held[on]));
    if (kinematic) return; // both sides go where they are led
    int count = er_joint_type_freedom(j->state.type, NULL);
    int a = set_of(p, on >= 0 ? on : p->body_count), b = set_of(p, hangs);
    j->index = p->joint_count;
    j->coordinate = p->rest_count;
    p->erp[j->index] = j->erp >= 0.0 ? j->erp : e->settings.erp;
    p->cfm[j->index] = j->cfm >= 0.0 ? j->cfm : e->settings.cfm;
    p->strength[j->index] = j->strength;
    p->breaks |= j->strength.force < HUGE_VAL || j->strength.torque < HUGE_VAL;
    er_joint *out = &p->joint[p->joint_count++];
    *out = (er_joint){.name = j->state.name,
                      .parent = on,
                      .child = hangs,
                      .type = j->state.type,
                      .pitch = j->pitch,
                      .frame = engine_home_frame(e, j, 1),
                      .closes_loop = a == b};
    p->set[b] = a;
    memcpy(out->stiffness, j->stiffness, (size_t)count * sizeof *out->stiffness);
    memcpy(out->damping, j->damping, (size_t)count * sizeof *out->damping);
    memcpy(out->limit, j->limit, sizeof out->limit);
    memcpy(out->twist, j->twist, sizeof out->twist);
    out->swing = j->swing;
    memcpy(p->rest + p->rest_count, j->rest, (size_t)count * sizeof *p->rest);
    p->rest_count += count;
    if (!j->state.driven) return;
    p->motor[p->motor_count] = j->motor;
    p->motor[p->motor_count++].coordinate = j->coordinate;
}

// Marks the joints of sets in which a joint closes a ring.
static void mark_rings(engine *e, plan *p)
{
    for (int i = 0; i < e->joint_count; ++i)
        e->joint[i].in_ring = false;
    for (int i = 0; i < e->joint_count; ++i) {
        const joint *ring = &e->joint[i];
        if (ring->index < 0 || !p->joint[ring->index].closes_loop) continue;
        int set = set_of(p, p->joint[ring->index].child);
        for (int k = 0; k < e->joint_count; ++k)
            if (e->joint[k].index >= 0 && set_of(p, p->joint[e->joint[k].index].child) == set)
                e->joint[k].in_ring = true;
    }
}

// ---- Callbacks of a world

// Moves kinematic bodies evenly to their targets; the rate is the change of velocity since the previous step. Between
// steps the bodies are exactly at their targets, so that measuring changes nothing.
static void guide(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    engine *e = user;
    const actor *a = &e->actor[e->body_actor[body]];
    double h = e->settings.step, s = e->steps_now ? fmin(fmax((time - e->began) / h, 0.0), 1.0) : 1.0;
    er_pose from = e->steps_now ? a->state.pose : a->state.before, to = e->steps_now ? a->next : a->state.pose;
    er_quat q = from.q, back = er_q_conj(q);
    er_vec3 turn = er_q_log(er_q_mul(back, to.q)), way = er_v3_sub(to.p, from.p);
    *pose = (er_pose){er_q_mul(q, er_q_exp(er_v3_scale(s, turn))), er_v3_madd(from.p, s, way)};
    er_quat home = er_q_conj(pose->q);
    *twist = (er_twist){er_v3_scale(1.0 / h, turn), er_q_rotate(home, er_v3_scale(1.0 / h, way))};
    er_vec3 faster = er_v3_sub(er_v3_scale(1.0 / h, way), a->state.velocity);
    er_vec3 turning = er_v3_sub(twist->angular, er_q_rotate(back, a->state.spin));
    er_vec3 linear = er_q_rotate(home, er_v3_scale(1.0 / h, faster));
    // the rate of body-axes numbers: that of the velocity, seen from axes that turn
    rate->angular = er_v3_scale(1.0 / h, turning);
    rate->linear = er_v3_sub(linear, er_v3_cross(twist->angular, twist->linear));
}

static void act(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    engine *e = user;
    (void)time, (void)pose, (void)twist;
    for (int b = 0; b < e->model->body_count; ++b) {
        const actor *a = &e->actor[e->body_actor[b]];
        er_wrench w = e->known != NULL ? e->known[b] : (er_wrench){a->torque, a->force};
        wrench[b].force = er_v3_add(wrench[b].force, w.force);
        wrench[b].torque = er_v3_add(wrench[b].torque, w.torque);
    }
}

static void apply_settings(engine *e, er_world_def *w)
{
    const engine_settings *r = &e->settings;
    w->gravity = r->gravity;
    w->integrator = ER_INTEGRATE_CONTACT;
    w->route = r->reference ? ER_ROUTE_MULTIPLIERS : ER_ROUTE_REDUCED;
    w->max_step = r->step / engine_walker_parts(e) * (1.0 + 1e-9); // so that rounded times make no second step
    w->min_step = 0.0;
    w->contact.substeps = r->substeps;
    w->contact.frequency = r->stiffness;
    w->contact.threads = r->reference ? 1 : r->threads;
    w->contact.sleep_time = r->reference ? 0.0 : r->sleep_time;
    w->contact.sleep_speed = r->sleep_speed;
    w->reference.erp = r->erp;
    w->reference.cfm = r->cfm;
    w->reference.cone = r->cone;
    w->reference.accuracy = r->accuracy;
    w->reference.relaxation = r->relaxation;
    w->reference.iterations = r->iterations;
    w->reference.relaxation = r->relaxation;
    w->enforce_limits = true;
    w->apply = act;
    w->user = e;
}

// ---- Together

// Drops pairs if one of the two actors was removed.
static void add_apart(engine *e, plan *p)
{
    int kept = 0;
    for (int i = 0; i < e->apart_count; ++i) {
        const actor *a = engine_actor_of(e, e->apart[i].actor[0]), *b = engine_actor_of(e, e->apart[i].actor[1]);
        if (a == NULL || b == NULL) continue;
        e->apart[kept++] = e->apart[i];
        if (a->body < 0 || b->body < 0) continue;
        p->apart[p->apart_count++] =
            (er_body_pair){a->body < b->body ? a->body : b->body, a->body < b->body ? b->body : a->body};
    }
    e->apart_count = kept;
}

static er_result fill(engine *e, plan *p)
{
    er_result r = make_room(e, p);
    if (r != ER_OK) return r;
    mark_jointed(e);
    for (int i = 0; i < e->actor_count; ++i) {
        const actor *a = &e->actor[i];
        if (a->state.active && (a->state.motion != ENGINE_STATIC || a->body == JOINTED)) add_body(e, i, p);
    }
    for (int i = 0; i <= p->body_count; ++i)
        p->set[i] = i;
    for (int i = 0; i < e->actor_count; ++i)
        add_shapes(e, &e->actor[i], p);
    for (int i = 0; i < e->joint_count; ++i)
        add_joint(e, &e->joint[i], p);
    p->motor_count += engine_bind_walkers(e, p->motor + p->motor_count);
    mark_rings(e, p);
    p->tie_count = engine_list_ties(e, p->tie);
    add_apart(e, p);
    return ER_OK;
}

static er_result make_world(engine *e, plan *p)
{
    er_model_def m = er_default_model_def();
    m.name = "scene";
    m.body_count = p->body_count;
    m.body = p->body;
    m.joint_count = p->joint_count;
    m.joint = p->joint;
    er_result r = er_model_create(e->context, &m, &e->model);
    if (r != ER_OK) return r;
    e->q = malloc(((size_t)e->model->coordinate_count + 1) * sizeof *e->q);
    e->rate = malloc(((size_t)e->model->coordinate_count + 1) * sizeof *e->rate);
    if (e->q == NULL || e->rate == NULL) return eri_no_memory_for(e->context, "a scene's world");
    er_world_def w = er_default_world_def();
    w.model = e->model;
    w.held = p->held;
    w.rest = p->rest;
    w.motor_count = p->motor_count;
    w.motor = p->motor;
    w.shape_count = p->shape_count;
    w.shape = p->shape;
    w.tie_count = p->tie_count;
    w.tie = p->tie;
    w.joint_break = p->breaks ? p->strength : NULL;
    w.apart_count = p->apart_count;
    w.apart = p->apart;
    w.guide = p->guides ? guide : NULL; // without one a world keeps more from step to step
    apply_settings(e, &w);
    w.reference.joint_erp = p->erp;
    w.reference.joint_cfm = p->cfm;
    r = er_world_create(e->context, &w, &e->world);
    return r == ER_OK ? er_world_set_state(e->world, engine_time(e), p->pose, p->twist) : r;
}

er_result engine_build_world(engine *e)
{
    plan p = {0};
    engine_destroy_world(e);
    for (int i = 0; i < e->actor_count; ++i)
        e->actor[i].shared_pose = e->actor[i].velocity_changed = false;
    er_result r = fill(e, &p);
    if (r == ER_OK && p.body_count > 0) r = make_world(e, &p);
    if (r != ER_OK) engine_destroy_world(e);
    free_plan(&p);
    e->stale = r != ER_OK;
    return r;
}

// An actor that is not active has no body.
static bool is_moved(const actor *a)
{
    return a->body >= 0 && (a->shared_pose || a->velocity_changed);
}

// Changes all bodies in one call: each call of er_world_move() visits every body.
er_result engine_update_world(engine *e)
{
    int count = 0;
    for (int i = 0; i < e->actor_count && !e->stale; ++i)
        count += is_moved(&e->actor[i]);
    if (count == 0) return ER_OK;
    er_body_move *move = calloc((size_t)count, sizeof *move);
    er_twist *twist = calloc((size_t)count, sizeof *twist);
    er_result r = move != NULL && twist != NULL ? ER_OK : eri_no_memory_for(e->context, "moved actors");
    for (int i = 0, k = 0; i < e->actor_count && r == ER_OK; ++i) {
        actor *a = &e->actor[i];
        if (!is_moved(a)) continue;
        twist[k] = engine_body_twist(a);
        move[k] = (er_body_move){a->body, a->shared_pose ? &a->state.pose : NULL, &twist[k]};
        a->shared_pose = a->velocity_changed = false;
        ++k;
    }
    if (r == ER_OK) r = er_world_move(e->world, count, move);
    free(move);
    free(twist);
    return r;
}

void engine_read_world(engine *e)
{
    const er_pose *pose = er_world_pose(e->world);
    const er_twist *twist = er_world_twist(e->world);
    for (int b = 0; b < e->model->body_count; ++b) {
        engine_actor *a = &e->actor[e->body_actor[b]].state;
        if (a->motion != ENGINE_DYNAMIC) continue;
        a->pose = pose[b];
        a->velocity = er_q_rotate(pose[b].q, twist[b].linear);
        a->spin = er_q_rotate(pose[b].q, twist[b].angular);
        a->sleeps = er_world_is_asleep(e->world, b);
    }
}

void engine_read_coordinates(engine *e)
{
    if (e->world == NULL) return;
    er_world_coordinates(e->world, e->q, e->rate);
    for (int i = 0; i < e->joint_count; ++i) {
        joint *j = &e->joint[i];
        int count = er_joint_type_freedom(j->state.type, NULL);
        if (j->index < 0) continue;
        memcpy(j->value, e->q + j->coordinate, (size_t)count * sizeof *j->value);
        memcpy(j->rate, e->rate + j->coordinate, (size_t)count * sizeof *j->rate);
    }
}
