// Actors of a scene: what they weigh, where they are, what acts on them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

engine_actor_def engine_default_actor(void)
{
    return (engine_actor_def){.motion = ENGINE_DYNAMIC, .pose = er_pose_identity(), .groups = 1};
}

void engine_free_actor(actor *a)
{
    free((void *)(uintptr_t)a->state.name);
    free((void *)(uintptr_t)a->state.part);
}

// ---- In a row

int engine_actor_count(const engine *e)
{
    return e->actor_count;
}

const engine_actor *engine_actor_at(const engine *e, int index)
{
    return &e->actor[index].state;
}

// ---- Mass

// Adds a solid's mass, centre and inertia (about the centre) to a body's.
static void add_mass(double mass, er_vec3 centre, er_mat3 inertia, double *M, er_vec3 *C, er_mat3 *I)
{
    double all = *M + mass;
    er_vec3 both = er_v3_scale(1.0 / all, er_v3_madd(er_v3_scale(*M, *C), mass, centre));
    const struct {
        double mass;
        er_vec3 off;
    } of[] = {{*M, er_v3_sub(*C, both)}, {mass, er_v3_sub(centre, both)}};
    *I = er_m3_madd(*I, 1.0, inertia);
    for (int i = 0; i < 2; ++i) {
        er_mat3 cross = er_m3_skew(of[i].off);
        *I = er_m3_madd(*I, -of[i].mass, er_m3_mul(cross, cross));
    }
    *M = all;
    *C = both;
}

// Planes and meshes have no mass, so those that do not pass are static or kinematic.
static bool is_surface(const engine_part *p)
{
    return p->shape.kind == ER_SHAPE_PLANE || p->shape.kind == ER_SHAPE_MESH;
}

// Weighs the parts that pass, or the others.
static er_result weigh_parts(engine *e, actor *a, bool passing)
{
    for (int i = 0; i < a->state.part_count; ++i) {
        const engine_part *p = &a->state.part[i];
        if (p->passes != passing || is_surface(p)) continue;
        double mass;
        er_vec3 centre;
        er_mat3 inertia;
        er_result r = er_shape_mass(e->context, &p->shape, e->material[p->material].density, &mass, &centre, &inertia);
        if (r != ER_OK) return r;
        er_mat3 turn = er_m3_from_q(p->pose.q);
        inertia = er_m3_mul(turn, er_m3_mul(inertia, er_m3_transpose(turn)));
        add_mass(mass, er_pose_point(p->pose, centre), inertia, &a->state.mass, &a->state.centre, &a->state.inertia);
    }
    return ER_OK;
}

er_result engine_set_mass(engine *e, actor *a, double mass, const er_body *body)
{
    a->state.mass = 0.0;
    a->state.centre = er_v3(0, 0, 0);
    a->state.inertia = (er_mat3){{{0}}};
    if (body != NULL) {
        a->state.mass = body->mass;
        a->state.centre = body->com;
        a->state.inertia = body->inertia;
        return ER_OK;
    }
    er_result r = weigh_parts(e, a, false);
    if (r == ER_OK && !(a->state.mass > 0.0) && mass > 0.0) r = weigh_parts(e, a, true);
    if (r != ER_OK) return r;
    if (a->state.motion == ENGINE_DYNAMIC && !(a->state.mass > 0.0))
        return er_fail(
            e->context, ER_ERROR_ARGUMENT,
            "actor \"%s\" moves, but none of its solids has a mass; add a solid, give the actor a mass if its "
            "solids only pass or sense, or let its motion be \"still\"",
            a->state.name);
    if (!(a->state.mass > 0.0) || !(mass > 0.0)) return ER_OK;
    er_mat3 none = {{{0}}};
    a->state.inertia = er_m3_madd(none, mass / a->state.mass, a->state.inertia);
    a->state.mass = mass;
    return ER_OK;
}

// The box around all parts without planes, which have no end.
static void measure(engine_actor *a)
{
    bool any = false;
    a->low = a->high = er_v3(0, 0, 0);
    for (int i = 0; i < a->part_count; ++i) {
        er_vec3 low, high;
        if (a->part[i].shape.kind == ER_SHAPE_PLANE) continue;
        er_shape_box(&a->part[i].shape, a->part[i].pose, &low, &high);
        a->low = any ? er_v3(fmin(a->low.x, low.x), fmin(a->low.y, low.y), fmin(a->low.z, low.z)) : low;
        a->high = any ? er_v3(fmax(a->high.x, high.x), fmax(a->high.y, high.y), fmax(a->high.z, high.z)) : high;
        any = true;
    }
}

// ---- In and out

#define FARTHEST 1e9 // m, m/s: beyond it rounding errors are as large as the motion

static bool is_near(er_vec3 v)
{
    return er_v3_finite(v) && er_v3_norm(v) <= FARTHEST;
}

static bool is_pose(const er_pose *p)
{
    return is_near(p->p) && fabs(er_q_dot(p->q, p->q) - 1.0) <= 2e-3;
}

static er_result check_parts(engine *e, const engine_actor_def *def, const char *name)
{
    for (int i = 0; i < def->part_count; ++i) {
        const engine_part *p = &def->part[i];
        er_result r = er_shape_check(e->context, &p->shape);
        if (r != ER_OK) return r;
        if (!is_pose(&p->pose))
            return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\": the place of part %d is not a finite pose",
                           name, i);
        if (p->material < 0 || p->material >= e->material_count)
            return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\": there is no material %d", name, p->material);
        if (is_surface(p) && !p->passes && !def->sensor && def->motion == ENGINE_DYNAMIC)
            return er_fail(
                e->context, ER_ERROR_ARGUMENT,
                "actor \"%s\" moves, but planes and meshes cannot; let its motion be \"still\" or \"led\", or "
                "let them pass as its looks",
                name);
    }
    const char *wrong = !is_pose(&def->pose)             ? "place"
                        : !is_near(def->velocity)        ? "velocity"
                        : !is_near(def->spin)            ? "spin"
                        : !is_near(def->surface.linear)  ? "surface_velocity"
                        : !is_near(def->surface.angular) ? "surface_spin"
                                                         : NULL;
    if (wrong != NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\": its %s is not a number, or beyond 1e9", name,
                       wrong);
    if (def->motion != ENGINE_DYNAMIC && er_v3_norm(def->velocity) + er_v3_norm(def->spin) > 0.0)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\" is still or led, so it takes no velocity and no spin: let its motion be "
                       "\"moved\", place it anew in each step, or let its surface run (surface_velocity)",
                       name);
    if (!(def->mass >= 0.0 && def->mass <= 1e50))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\": its mass is not a number from 0 to 1e50", name);
    return ER_OK;
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

// A copy of the parts; those of a sensor pass.
static engine_part *copy_parts(const engine_actor_def *def)
{
    size_t size = (size_t)def->part_count * sizeof *def->part;
    engine_part *part = malloc(size + 1);
    if (part != NULL && size > 0) memcpy(part, def->part, size);
    for (int i = 0; i < def->part_count && part != NULL; ++i)
        part[i].passes |= def->sensor;
    return part;
}

er_result engine_add_actor(engine *e, const engine_actor_def *def, int *id)
{
    const char *name = def->name != NULL ? def->name : "";
    *id = 0;
    er_result r = check_parts(e, def, name);
    if (r != ER_OK) return r;
    actor a = {.body = -1};
    engine_part *part = copy_parts(def);
    char *own = copy_text(name);
    if (part == NULL || own == NULL || !engine_grow(&e->actor, &e->actor_room, e->actor_count, sizeof *e->actor)) {
        free(part);
        free(own);
        return eri_no_memory_for(e->context, "an actor");
    }
    er_pose pose = {er_q_unit(def->pose.q), def->pose.p};
    a.state = (engine_actor){.name = own,
                             .motion = def->motion,
                             .pose = pose,
                             .before = pose,
                             .velocity = def->velocity,
                             .spin = def->spin,
                             .surface = def->surface,
                             .part_count = def->part_count,
                             .part = part,
                             .groups = def->groups,
                             .ignores = def->ignores,
                             .character = def->character,
                             .sensor = def->sensor,
                             .hidden = def->hidden,
                             .active = true};
    a.home = a.next = pose;
    measure(&a.state);
    r = engine_set_mass(e, &a, def->mass, def->body);
    if (r != ER_OK) {
        engine_free_actor(&a);
        return r;
    }
    a.state.id = a.mechanism = *id = ++e->last_id;
    e->actor[e->actor_count++] = a;
    e->stale = true;
    return ER_OK;
}

engine_character engine_take_character(engine *e, int index)
{
    engine_character *at = &e->character[index], c = *at;
    e->character_count--;
    memmove(at, at + 1, (size_t)(e->character_count - index) * sizeof c);
    return c;
}

void engine_free_character(engine_character c)
{
    free(c.actor);
    free(c.place);
    free(c.joint);
    engine_free_walkers(&c);
}

bool engine_remove_actor(engine *e, int id)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return false;
    engine_remove_joints_of(e, id);
    engine_remove_ties_of(e, id, 0);
    for (int i = e->character_count - 1; i >= 0; --i)
        if (e->character[i].look_of == id) engine_free_character(engine_take_character(e, i));
    for (int i = 0; i < e->character_count; ++i) {
        engine_character *c = &e->character[i];
        for (int b = 0; c->id == a->state.character && b < c->model->body_count; ++b)
            if (c->actor[b] == id) c->actor[b] = 0;
    }
    engine_free_actor(a);
    e->actor_count--;
    memmove(a, a + 1, (size_t)(e->actor + e->actor_count - a) * sizeof *a);
    e->stale = true;
    return true;
}

// ---- Moved by hand

static er_result no_actor(engine *e, int id)
{
    return er_fail(e->context, ER_ERROR_ARGUMENT, "there is no actor %d; it may have been removed", id);
}

static bool is_number(const er_vec3 *v)
{
    return v == NULL || (er_v3_finite(*v) && er_v3_norm(*v) <= 1e50);
}

// Whether the actor has a joint.
static bool is_jointed(const engine *e, int id)
{
    for (int i = 0; i < e->joint_count; ++i)
        if (e->joint[i].state.actor[0] == id || e->joint[i].state.actor[1] == id) return true;
    return false;
}

// Gives an actor with joints its velocity: the world then says how the bodies joined to it move.
static er_result move_jointed(engine *e, actor *a)
{
    if (e->stale || a->body < 0) return ER_OK; // the next world takes it over
    er_twist twist = engine_body_twist(a);
    er_result r = engine_update_world(e);
    if (r == ER_OK) r = er_world_move(e->world, 1, &(er_body_move){a->body, NULL, &twist});
    engine_read_world(e);
    return r;
}

// Gives an actor without joints its velocity at once. engine_update_world() tells the world.
static void give_velocity(actor *a, er_vec3 velocity, er_vec3 spin)
{
    a->state.velocity = velocity;
    a->state.spin = spin;
    a->velocity_changed = true;
    a->state.sleeps = false;
}

// Moves a dynamic actor. A new pose rotates the velocity too.
static er_result move_body(engine *e, actor *a, const er_pose *pose, const er_vec3 *velocity, const er_vec3 *spin)
{
    er_vec3 v = a->state.velocity, w = a->state.spin;
    if (pose != NULL) {
        er_pose to = {er_q_unit(pose->q), pose->p};
        er_quat turn = er_q_mul(to.q, er_q_conj(a->state.pose.q));
        v = er_q_rotate(turn, v);
        w = er_q_rotate(turn, w);
        a->state.pose = a->state.before = to;
        a->shared_pose = true;
    }
    if (velocity != NULL) v = *velocity;
    if (spin != NULL) w = *spin;
    if (is_jointed(e, a->state.id)) { // engine_move() has refused a pose
        a->state.velocity = v;
        a->state.spin = w;
        return move_jointed(e, a);
    }
    give_velocity(a, v, w);
    return ER_OK;
}

er_result engine_set_surface(engine *e, int id, er_twist surface)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    if (!is_near(surface.linear) || !is_near(surface.angular))
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\": its surface's velocity is not finite, or too large", a->state.name);
    e->stale |= memcmp(&a->state.surface, &surface, sizeof surface) != 0;
    a->state.surface = surface;
    return ER_OK;
}

er_result engine_move(engine *e, int id, const er_pose *pose, const er_vec3 *velocity, const er_vec3 *spin)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    if ((pose != NULL && !is_pose(pose)) || (velocity != NULL && !is_near(*velocity)) ||
        (spin != NULL && !is_near(*spin)))
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\": the place or the velocity is not finite, or too large", a->state.name);
    if ((velocity != NULL || spin != NULL) && a->state.motion != ENGINE_DYNAMIC)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\" has no velocity of its own: it is still or led; let its motion be \"moved\"",
                       a->state.name);
    if (pose != NULL && a->state.motion != ENGINE_KINEMATIC && is_jointed(e, id))
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\" hangs on a joint and cannot be placed elsewhere; push it, or give it a velocity",
                       a->state.name);
    if (a->state.motion == ENGINE_DYNAMIC) return move_body(e, a, pose, velocity, spin);
    if (pose == NULL) return ER_OK;
    a->next = (er_pose){er_q_unit(pose->q), pose->p};
    if (a->state.motion == ENGINE_KINEMATIC) return ER_OK;
    a->state.pose = a->state.before = a->next;
    e->stale = true;
    return ER_OK;
}

er_result engine_set_motion(engine *e, int id, engine_motion motion)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    if (a->state.motion == motion) return ER_OK;
    if (motion == ENGINE_STATIC || a->state.motion == ENGINE_STATIC)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\": a still actor stays still; only \"moved\" and \"led\" can be changed",
                       a->state.name);
    bool solid = a->state.mass > 0.0;
    for (int i = 0; i < a->state.part_count; ++i)
        solid = solid && (a->state.part[i].passes || !is_surface(&a->state.part[i]));
    if (!solid)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\" is a plane or a mesh, or weighs nothing",
                       a->state.name);
    a->state.motion = motion;
    a->next = a->state.pose;
    a->force = a->torque = er_v3(0, 0, 0);
    e->stale = true;
    return ER_OK;
}

// m, from the centre of mass, world axes.
static er_vec3 arm_of(const actor *a, const er_vec3 *point)
{
    if (point == NULL) return er_v3(0, 0, 0);
    return er_q_rotate(a->state.pose.q, er_v3_sub(*point, a->state.centre));
}

static er_result check_moved(engine *e, const actor *a, int id, const er_vec3 *v, const er_vec3 *point)
{
    if (a == NULL) return no_actor(e, id);
    if (a->state.motion != ENGINE_DYNAMIC)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\" cannot be moved by a force; let its motion be \"moved\"", a->state.name);
    if (!a->state.active)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\" is not active; make it active first",
                       a->state.name);
    if (is_number(v) && is_number(point)) return ER_OK;
    return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\": a force is not a number", a->state.name);
}

er_result engine_apply_force(engine *e, int id, er_vec3 force, er_vec3 torque, const er_vec3 *point)
{
    actor *a = engine_actor_of(e, id);
    er_result r = check_moved(e, a, id, &force, point);
    if (r == ER_OK) r = check_moved(e, a, id, &torque, NULL);
    if (r != ER_OK) return r;
    a->force = er_v3_add(a->force, force);
    a->torque = er_v3_add(a->torque, er_v3_add(torque, er_v3_cross(arm_of(a, point), force)));
    return ER_OK;
}

// Applies an impulse to a body without joints.
static er_result strike(engine *e, actor *a, er_vec3 arm, er_vec3 impulse)
{
    er_quat q = a->state.pose.q;
    er_vec3 own = er_q_rotate(er_q_conj(q), er_v3_cross(arm, impulse)), centre = er_q_rotate(q, a->state.centre);
    er_vec3 turning = er_q_rotate(q, er_m3_mul_v(er_m3_inverse(a->state.inertia), own));
    er_vec3 faster = er_v3_sub(er_v3_scale(1.0 / a->state.mass, impulse), er_v3_cross(turning, centre));
    er_vec3 velocity = er_v3_add(a->state.velocity, faster), spin = er_v3_add(a->state.spin, turning);
    if (!is_near(velocity) || !is_near(spin))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\": the push is too large", a->state.name);
    give_velocity(a, velocity, spin);
    return ER_OK;
}

er_result engine_apply_impulse(engine *e, int id, er_vec3 impulse, const er_vec3 *point)
{
    actor *a = engine_actor_of(e, id);
    er_result r = check_moved(e, a, id, &impulse, point);
    if (r != ER_OK) return r;
    if (!is_jointed(e, id)) return strike(e, a, arm_of(a, point), impulse);
    r = e->stale || a->body < 0 ? engine_build_world(e) : engine_update_world(e);
    if (r != ER_OK) return r;
    r = er_world_push(e->world, a->body, point != NULL ? *point : a->state.centre, impulse);
    engine_read_world(e);
    return r;
}

er_result engine_set_actor_material(engine *e, int id, int material)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    if (material < 0 || material >= e->material_count)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "there is no material %d", material);
    engine_part *part = (engine_part *)(uintptr_t)a->state.part;
    for (int i = 0; i < a->state.part_count; ++i) {
        e->stale |= !engine_same_contact_material(&e->material[part[i].material], &e->material[material]);
        part[i].material = material;
    }
    return ER_OK;
}

// ---- Changed

er_result engine_set_parts(engine *e, int id, int part_count, const engine_part *part, double mass)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    engine_actor_def def = engine_default_actor();
    def.motion = a->state.motion;
    def.part_count = part_count;
    def.part = part;
    def.mass = mass;
    def.sensor = a->state.sensor;
    er_result r = check_parts(e, &def, a->state.name);
    if (r != ER_OK) return r;
    actor other = *a;
    other.state.part_count = part_count;
    other.state.part = copy_parts(&def);
    if (other.state.part == NULL) return eri_no_memory_for(e->context, "an actor");
    measure(&other.state);
    r = engine_set_mass(e, &other, mass, NULL);
    free((void *)(uintptr_t)(r == ER_OK ? a : &other)->state.part);
    if (r != ER_OK) return r;
    *a = other;
    e->stale = true;
    return ER_OK;
}

er_result engine_set_actor_mass(engine *e, int id, double mass)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    if (!(mass > 0.0 && mass <= 1e50))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\": a mass of %g kg is not above 0 and up to 1e50",
                       a->state.name, mass);
    er_result r = a->state.mass > 0.0 ? ER_OK : engine_set_mass(e, a, mass, NULL);
    if (r != ER_OK) return r;
    if (!(a->state.mass > 0.0))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "actor \"%s\" has no solid that could have a mass",
                       a->state.name);
    er_mat3 none = {{{0}}};
    a->state.inertia = er_m3_madd(none, mass / a->state.mass, a->state.inertia);
    a->state.mass = mass;
    e->stale = true;
    return ER_OK;
}

er_result engine_set_groups(engine *e, int id, uint32_t groups, uint32_t ignores)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    e->stale |= a->state.groups != groups || a->state.ignores != ignores;
    a->state.groups = groups;
    a->state.ignores = ignores;
    return ER_OK;
}

er_result engine_set_hidden(engine *e, int id, bool hidden)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    a->state.hidden = hidden;
    return ER_OK;
}

er_result engine_set_active(engine *e, int id, bool active)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    if (is_jointed(e, id))
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "actor \"%s\" has a joint and stays active; remove the joint first, and make it again later",
                       a->state.name);
    e->stale |= a->state.active != active;
    a->state.active = active;
    a->state.sleeps = false;
    return ER_OK;
}

er_result engine_wake(engine *e, int id)
{
    actor *a = engine_actor_of(e, id);
    if (a == NULL) return no_actor(e, id);
    a->state.sleeps = false;
    return e->stale || a->body < 0 ? ER_OK : er_world_wake(e->world, a->body);
}

// ---- Seen

// Parts of characters count although they are hidden: the skin is drawn in about the same place.
int engine_ray(const engine *e, er_vec3 from, er_vec3 direction, double most, er_vec3 *point)
{
    int nearest = 0;
    for (int i = 0; i < e->actor_count; ++i) {
        const engine_actor *a = &e->actor[i].state;
        for (int k = 0; k < a->part_count; ++k) {
            double distance;
            er_vec3 normal;
            er_pose pose = er_pose_mul(a->pose, a->part[k].pose);
            if (((a->hidden || a->part[k].hidden) && a->character == 0) || !a->active ||
                !er_shape_ray(&a->part[k].shape, pose, from, direction, most, &distance, &normal))
                continue;
            nearest = a->id;
            most = distance;
        }
    }
    if (nearest != 0 && point != NULL) *point = er_v3_madd(from, most, direction);
    return nearest;
}
