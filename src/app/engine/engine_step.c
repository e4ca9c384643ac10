// A step of a scene.
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/hash.h"

static void begin(engine *e)
{
    for (int i = 0; i < e->actor_count; ++i) {
        actor *a = &e->actor[i];
        a->state.before = a->state.pose;
        a->twist_before = engine_body_twist(a);
        a->acted = (er_wrench){a->torque, a->force};
    }
    e->weight = e->settings.gravity;
    e->has_reactions = false;
    e->fall_count = 0;
}

// Kinematic actors take their target poses, and the velocities that lead there.
static void arrive(engine *e)
{
    double rate = 1.0 / e->settings.step;
    for (int i = 0; i < e->actor_count; ++i) {
        actor *a = &e->actor[i];
        if (a->state.motion != ENGINE_KINEMATIC) continue;
        er_vec3 turn = er_q_log(er_q_mul(er_q_conj(a->state.pose.q), a->next.q));
        a->state.spin = er_q_rotate(a->state.pose.q, er_v3_scale(rate, turn));
        a->state.velocity = er_v3_scale(rate, er_v3_sub(a->next.p, a->state.pose.p));
        a->state.pose = a->next;
    }
}

static void forget_forces(engine *e)
{
    for (int i = 0; i < e->actor_count; ++i)
        e->actor[i].force = e->actor[i].torque = er_v3(0, 0, 0);
}

// Drops the forces and the targets of kinematic actors after a failed step.
static void give_up(engine *e)
{
    for (int i = 0; i < e->actor_count; ++i)
        e->actor[i].next = e->actor[i].state.pose;
    forget_forces(e);
    e->event_count = e->broken_count = e->fall_count = 0;
    e->stale = true;
}

static bool is_moved_kinematic(const engine *e, int id)
{
    const actor *a = engine_actor_of((engine *)(uintptr_t)e, id);
    return a != NULL && a->state.motion == ENGINE_KINEMATIC && !a->state.sensor &&
           memcmp(&a->next, &a->state.pose, sizeof a->next) != 0;
}

// Wakes sleeping actors if a force acts on them or a kinematic actor below them moves away.
static er_result stir(engine *e)
{
    er_result r = ER_OK;
    for (int i = 0; i < e->actor_count && r == ER_OK; ++i) {
        const actor *a = &e->actor[i];
        bool acts = er_v3_norm(a->force) + er_v3_norm(a->torque) > 0.0;
        if (acts && a->state.sleeps) r = er_world_wake(e->world, a->body);
    }
    for (int i = 0; i < e->contact_count && r == ER_OK; ++i)
        for (int k = 0; k < 2 && r == ER_OK; ++k) {
            const actor *other = engine_actor_of(e, e->contact[i].actor[1 - k]);
            if (other != NULL && other->state.sleeps && is_moved_kinematic(e, e->contact[i].actor[k]))
                r = er_world_wake(e->world, other->body);
        }
    return r;
}

static er_result move(engine *e)
{
    er_result r = e->stale ? engine_build_world(e) : engine_update_world(e);
    if (r != ER_OK) return r;
    begin(e);
    if (e->world == NULL) return ER_OK;
    r = stir(e);
    if (r != ER_OK) return r;
    e->began = engine_time(e);
    e->steps_now = true;
    r = engine_advance(e, &e->parts);
    e->steps_now = false;
    return r;
}

er_result engine_step(engine *e)
{
    er_result r = move(e);
    if (r != ER_OK) {
        give_up(e);
        return r;
    }
    arrive(e);
    if (e->world != NULL) engine_read_world(e);
    engine_read_coordinates(e);
    forget_forces(e);
    e->steps++;
    r = engine_update_contacts(e);
    if (r == ER_OK) r = engine_update_ties(e);
    return r == ER_OK && e->wants_reactions ? engine_find_reactions(e) : r;
}

er_world *engine_world(engine *e)
{
    if (engine_update_world(e) != ER_OK) e->stale = true;
    return e->world;
}

uint64_t engine_hash(const engine *e)
{
    double time = engine_time(e);
    uint64_t hash = eri_hash_bytes(ERI_HASH_BEGIN, &time, sizeof time);
    for (int i = 0; i < e->actor_count; ++i) {
        const engine_actor *a = &e->actor[i].state;
        hash = eri_hash_bytes(hash, &a->id, sizeof a->id);
        hash = eri_hash_bytes(hash, &a->pose, sizeof a->pose);
        hash = eri_hash_bytes(hash, &a->velocity, sizeof a->velocity);
        hash = eri_hash_bytes(hash, &a->spin, sizeof a->spin);
    }
    return hash;
}
