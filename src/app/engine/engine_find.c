// Objects of a scene found by their ids.
#include <string.h>

#include "app/engine/engine_inside.h"

// The place of an id in a row of things whose first field it is, ascending; -1.
static int place_of(const void *row, int count, size_t size, int id)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2, at;
        memcpy(&at, (const char *)row + (size_t)middle * size, sizeof at);
        if (at == id) return middle;
        if (at < id)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

actor *engine_actor_of(engine *e, int id)
{
    int at = place_of(e->actor, e->actor_count, sizeof *e->actor, id);
    return at >= 0 ? &e->actor[at] : NULL;
}

joint *engine_joint_of(engine *e, int id)
{
    int at = place_of(e->joint, e->joint_count, sizeof *e->joint, id);
    return at >= 0 ? &e->joint[at] : NULL;
}

tie *engine_tie_of(engine *e, int id)
{
    int at = place_of(e->tie, e->tie_count, sizeof *e->tie, id);
    return at >= 0 ? &e->tie[at] : NULL;
}

const engine_tie *engine_find_tie(const engine *e, int id)
{
    const tie *t = engine_tie_of((engine *)(uintptr_t)e, id);
    return t != NULL ? &t->state : NULL;
}

const engine_character *engine_find_character(const engine *e, int id)
{
    for (int i = 0; i < e->character_count; ++i)
        if (e->character[i].id == id) return &e->character[i];
    return NULL;
}

const engine_actor *engine_find_actor(const engine *e, int id)
{
    int at = place_of(e->actor, e->actor_count, sizeof *e->actor, id);
    return at >= 0 ? &e->actor[at].state : NULL;
}

const engine_joint *engine_find_joint(const engine *e, int id)
{
    const joint *j = engine_joint_of((engine *)(uintptr_t)e, id);
    return j != NULL ? &j->state : NULL;
}

const actor *engine_joint_side(const engine *e, const joint *j, int side)
{
    return engine_actor_of((engine *)(uintptr_t)e, j->state.actor[side]);
}

er_pose engine_home_frame(const engine *e, const joint *j, int side)
{
    const actor *a = engine_joint_side(e, j, side);
    return a != NULL ? er_pose_mul(a->home, j->state.own[side]) : j->state.own[side];
}

er_pose engine_interpolate(const engine_actor *a, double between)
{
    if (between >= 1.0) return a->pose;
    return (er_pose){er_q_slerp(a->before.q, a->pose.q, between),
                     er_v3_madd(er_v3_scale(1.0 - between, a->before.p), between, a->pose.p)};
}
