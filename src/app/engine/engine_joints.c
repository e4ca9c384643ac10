// Joints of a scene, and where the parts of a mechanism stand while no joint of it is displaced.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

// Relative to a part's size: two anchors of a loop that are closer than this coincide.
#define LOOSEST 1e-6

engine_joint_def engine_default_joint(void)
{
    engine_joint_def d = {.type = ER_JOINT_SPHERICAL,
                          .frame = er_pose_identity(),
                          .erp = -1.0,
                          .cfm = -1.0,
                          .motor = er_default_motor(),
                          .strength = {HUGE_VAL, HUGE_VAL}};
    for (int i = 0; i < 6; ++i) {
        d.limit[i][0] = -HUGE_VAL;
        d.limit[i][1] = HUGE_VAL;
    }
    d.swing = d.twist[1] = HUGE_VAL, d.twist[0] = -HUGE_VAL;
    return d;
}

void engine_free_joint(joint *j)
{
    free((void *)(uintptr_t)j->state.name);
}

int engine_joint_count(const engine *e)
{
    return e->joint_count;
}

const engine_joint *engine_joint_at(const engine *e, int index)
{
    return &e->joint[index].state;
}

// ---- Mechanisms

static int mechanism_of(const engine *e, const joint *j, int side)
{
    const actor *a = engine_joint_side(e, j, side);
    return a != NULL && a->state.motion != ENGINE_STATIC ? a->mechanism : 0;
}

// Moves the homes of one mechanism to where a joint puts them, and merges it into another one.
static void join(engine *e, int from, int to, er_pose moved)
{
    for (int i = 0; i < e->actor_count; ++i) {
        actor *a = &e->actor[i];
        if (a->mechanism != from || a->state.motion == ENGINE_STATIC) continue;
        a->home = er_pose_mul(moved, a->home);
        a->mechanism = to;
    }
}

static er_result join_sides(engine *e, const joint *j)
{
    int a = mechanism_of(e, j, 0), b = mechanism_of(e, j, 1);
    er_pose at[2] = {engine_home_frame(e, j, 0), engine_home_frame(e, j, 1)};
    if (a == b) {
        const actor *part = engine_joint_side(e, j, 1);
        double size = part != NULL ? er_v3_distance(part->state.low, part->state.high) : 1.0;
        if (er_v3_distance(at[0].p, at[1].p) <= LOOSEST * fmax(size, 1.0)) return ER_OK;
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "joint \"%s\" closes a ring of parts that have moved against each other since they were joined; "
                       "join all of a ring before it moves",
                       j->state.name);
    }
    join(e, b, a, er_pose_displacement(at[1], at[0])); // the child moves, so b is merged
    return ER_OK;
}

// Finds the mechanisms again after a joint was removed. Homes stay: they fit the remaining joints.
static void part_mechanisms(engine *e)
{
    for (int i = 0; i < e->actor_count; ++i)
        e->actor[i].mechanism = e->actor[i].state.id;
    for (int i = 0; i < e->joint_count; ++i) {
        int a = mechanism_of(e, &e->joint[i], 0), b = mechanism_of(e, &e->joint[i], 1);
        if (a != b) join(e, b, a, er_pose_identity());
    }
}

// ---- In and out

static er_result check_numbers(engine *e, const engine_joint_def *def, const char *name)
{
    bool fine = er_v3_finite(def->frame.p) && fabs(er_q_dot(def->frame.q, def->frame.q) - 1.0) <= 2e-3;
    for (int i = 0; i < 6; ++i)
        fine = fine && def->stiffness[i] >= 0.0 && def->stiffness[i] <= 1e50 && def->damping[i] >= 0.0 &&
               def->damping[i] <= 1e50 && fabs(def->rest[i]) <= 1e50 && !isnan(def->limit[i][0]) &&
               !isnan(def->limit[i][1]);
    fine = fine && def->swing >= 0.0 && def->twist[0] <= def->twist[1];
    fine = fine && (def->type != ER_JOINT_SCREW || (def->pitch != 0.0 && fabs(def->pitch) <= 1e50));
    fine = fine && def->erp <= 1.0 && def->cfm <= 1e50 && def->strength.force > 0.0 && def->strength.torque > 0.0;
    const er_motor *m = &def->motor;
    fine = fine && (!def->driven || (m->stiffness >= 0.0 && m->damping >= 0.0 && m->most > 0.0 &&
                                     fabs(m->position) <= 1e50 && fabs(m->velocity) <= 1e50));
    if (fine) return ER_OK;
    return er_fail(e->context, ER_ERROR_ARGUMENT,
                   "joint \"%s\": expected springs and dampers of 0 or more, erp of at most 1, a pitch for a screw, "
                   "breaking loads above 0, a finite frame and motor",
                   name);
}

static bool can_move(const engine *e, int id)
{
    const engine_actor *a = engine_find_actor(e, id);
    return a != NULL && a->motion != ENGINE_STATIC;
}

static er_result check_sides(engine *e, const engine_joint_def *def, const char *name)
{
    for (int side = 0; side < 2; ++side)
        if (def->actor[side] != 0 && engine_find_actor(e, def->actor[side]) == NULL)
            return er_fail(e->context, ER_ERROR_ARGUMENT,
                           "joint \"%s\": there is no actor %d; it may have been removed", name, def->actor[side]);
    for (int side = 0; side < 2; ++side) {
        const engine_actor *a = engine_find_actor(e, def->actor[side]);
        if (a != NULL && !a->active)
            return er_fail(e->context, ER_ERROR_ARGUMENT, "joint \"%s\": actor \"%s\" is not active", name, a->name);
    }
    if (def->actor[0] == def->actor[1] && def->actor[0] != 0)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "joint \"%s\" ties an actor to itself", name);
    if (can_move(e, def->actor[0]) || can_move(e, def->actor[1])) return ER_OK;
    return er_fail(e->context, ER_ERROR_ARGUMENT, "joint \"%s\" ties nothing that moves", name);
}

er_result engine_attach(engine *e, const engine_joint_def *def, const er_pose own[2], int *id)
{
    const char *name = def->name != NULL ? def->name : "";
    *id = 0;
    er_result r = check_numbers(e, def, name);
    if (r == ER_OK) r = check_sides(e, def, name);
    if (r != ER_OK) return r;
    joint j = {.state = {.type = def->type, .driven = def->driven},
               .motor = def->motor,
               .pitch = def->pitch,
               .erp = def->erp,
               .cfm = def->cfm,
               .strength = def->strength,
               .index = -1};
    // The child is the dynamic actor. If the sides swap, the axis is reversed, so angles keep their sign.
    bool turned = !can_move(e, def->actor[1]);
    er_pose flip = {turned ? er_q_exp(er_v3(ER_PI, 0, 0)) : er_q_identity(), {0, 0, 0}};
    j.state.swapped = turned;
    for (int side = 0; side < 2; ++side) {
        j.state.actor[side] = def->actor[turned ? 1 - side : side];
        j.state.own[side] = er_pose_mul(own[turned ? 1 - side : side], flip);
    }
    memcpy(j.stiffness, def->stiffness, sizeof j.stiffness);
    memcpy(j.damping, def->damping, sizeof j.damping);
    memcpy(j.limit, def->limit, sizeof j.limit);
    memcpy(j.twist, def->twist, sizeof j.twist);
    j.swing = def->swing;
    memcpy(j.rest, def->rest, sizeof j.rest);
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (copy == NULL || !engine_grow(&e->joint, &e->joint_room, e->joint_count, sizeof *e->joint)) {
        free(copy);
        return eri_no_memory_for(e->context, "a joint");
    }
    j.state.name = memcpy(copy, name, size);
    r = join_sides(e, &j);
    if (r != ER_OK) {
        engine_free_joint(&j);
        return r;
    }
    j.state.id = *id = ++e->last_id;
    e->joint[e->joint_count++] = j;
    e->stale = true;
    return ER_OK;
}

er_result engine_add_joint(engine *e, const engine_joint_def *def, int *id)
{
    er_pose own[2];
    for (int side = 0; side < 2; ++side) {
        const engine_actor *a = engine_find_actor(e, def->actor[side]);
        own[side] = a != NULL ? er_pose_mul(er_pose_inverse(a->pose), def->frame) : def->frame;
    }
    return engine_attach(e, def, own, id);
}

static void take_out(engine *e, joint *j)
{
    engine_remove_ties_of(e, 0, j->state.id);
    engine_free_joint(j);
    e->joint_count--;
    memmove(j, j + 1, (size_t)(e->joint + e->joint_count - j) * sizeof *j);
    e->stale = true;
}

bool engine_remove_joint(engine *e, int id)
{
    joint *j = engine_joint_of(e, id);
    if (j == NULL) return false;
    take_out(e, j);
    part_mechanisms(e);
    return true;
}

void engine_remove_joints_of(engine *e, int id)
{
    int before = e->joint_count;
    for (int i = e->joint_count - 1; i >= 0; --i)
        if (e->joint[i].state.actor[0] == id || e->joint[i].state.actor[1] == id) take_out(e, &e->joint[i]);
    if (e->joint_count < before) part_mechanisms(e);
}

// ---- Driven and read

er_result engine_drive(engine *e, int id, double position, double velocity)
{
    joint *j = engine_joint_of(e, id);
    if (j == NULL) return er_fail(e->context, ER_ERROR_ARGUMENT, "there is no joint %d; it may have been removed", id);
    if (!j->state.driven) return er_fail(e->context, ER_ERROR_ARGUMENT, "joint \"%s\" has no motor", j->state.name);
    if (!(fabs(position) <= 1e50) || !(fabs(velocity) <= 1e50))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "joint \"%s\": the target of its motor is not a number",
                       j->state.name);
    j->motor.position = position;
    j->motor.velocity = velocity;
    if (e->stale || j->index < 0) return ER_OK;
    return er_world_drive(e->world, j->coordinate, position, velocity);
}

int engine_joint_coordinates(const engine *e, int id, double value[6])
{
    const joint *j = engine_joint_of((engine *)(uintptr_t)e, id);
    if (j == NULL) return 0;
    int count = er_joint_type_freedom(j->state.type, NULL);
    memcpy(value, j->value, (size_t)count * sizeof *value);
    return count;
}

er_result engine_read_joint(engine *e, int id, engine_joint_state *out)
{
    *out = (engine_joint_state){.frame = er_pose_identity()};
    const joint *j = engine_joint_of(e, id);
    if (j == NULL) return er_fail(e->context, ER_ERROR_ARGUMENT, "there is no joint %d; it may have been removed", id);
    er_result r = engine_find_reactions(e);
    if (r != ER_OK) return r;
    const engine_actor *child = engine_find_actor(e, j->state.actor[1]);
    out->count = er_joint_type_freedom(j->state.type, out->axis);
    memcpy(out->value, j->value, sizeof out->value);
    memcpy(out->rate, j->rate, sizeof out->rate);
    memcpy(out->limit, j->limit, sizeof out->limit);
    memcpy(out->twist, j->twist, sizeof out->twist);
    out->swing = j->swing;
    out->frame = child != NULL ? er_pose_mul(child->pose, j->state.own[1]) : j->state.own[1];
    out->reaction = j->reaction;
    return ER_OK;
}
