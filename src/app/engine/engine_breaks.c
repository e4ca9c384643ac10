// Joints and ties that break: their loads after a step, and their end.
#include "app/engine/engine_inside.h"
#include "base/failure.h"

static bool add_event(engine *e, engine_break_event event)
{
    if (!engine_grow(&e->broken, &e->broken_room, e->broken_count, sizeof *e->broken)) return false;
    e->broken[e->broken_count++] = event;
    return true;
}

static bool find_broken(engine *e)
{
    bool room = true;
    for (int i = 0; i < e->tie_count && room; ++i) {
        tie *t = &e->tie[i];
        if (t->index < 0) continue;
        er_tie_state now = er_world_tie(e->world, t->index);
        t->state.length = now.length;
        t->state.force = now.force;
        if (now.broken) room = add_event(e, (engine_break_event){t->state.id, true, now.force, 0.0});
    }
    for (int i = 0; i < e->joint_count && room; ++i) {
        const joint *j = &e->joint[i];
        if (j->index < 0 || !er_world_joint_is_broken(e->world, j->index)) continue;
        er_wrench load = er_world_joint_load(e->world, j->index);
        room = add_event(e, (engine_break_event){j->state.id, false, er_v3_norm(load.force), er_v3_norm(load.torque)});
    }
    return room;
}

er_result engine_update_ties(engine *e)
{
    e->broken_count = 0;
    if (e->world == NULL) return ER_OK;
    bool room = find_broken(e);
    for (int i = 0; i < e->broken_count; ++i) {
        if (e->broken[i].is_tie)
            engine_remove_tie(e, e->broken[i].id);
        else
            engine_remove_joint(e, e->broken[i].id);
    }
    return room ? ER_OK : eri_no_memory_for(e->context, "what broke");
}

int engine_break_event_count(const engine *e)
{
    return e->broken_count;
}

const engine_break_event *engine_break_event_at(const engine *e, int index)
{
    return &e->broken[index];
}
