// Ropes, rods, pulleys and gears of a scene.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

engine_tie_def engine_default_tie(void)
{
    return (engine_tie_def){.law = er_default_tie()};
}

void engine_free_tie(tie *t)
{
    free((void *)(uintptr_t)t->state.name);
}

int engine_tie_count(const engine *e)
{
    return e->tie_count;
}

const engine_tie *engine_tie_at(const engine *e, int index)
{
    return &e->tie[index].state;
}

er_vec3 engine_tie_point(const engine *e, const engine_tie *t, int side)
{
    const engine_actor *a = engine_find_actor(e, t->actor[side]);
    return a != NULL ? er_pose_point(a->pose, t->own[side]) : t->own[side];
}

// ---- In and out

static bool can_move(const engine *e, int id)
{
    const engine_actor *a = engine_find_actor(e, id);
    return a != NULL && a->motion != ENGINE_STATIC;
}

static bool joint_moves(const engine *e, int id)
{
    const engine_joint *j = engine_find_joint(e, id);
    return j != NULL && (can_move(e, j->actor[0]) || can_move(e, j->actor[1]));
}

static const char *wrong_sides(const engine *e, const engine_tie_def *def)
{
    bool is_gear = def->law.kind == ER_TIE_GEAR;
    for (int k = 0; k < 2; ++k) {
        if (!is_gear && def->actor[k] != 0 && engine_find_actor(e, def->actor[k]) == NULL)
            return "one of its actors does not exist; it may have been removed";
        if (!is_gear && !er_v3_finite(def->point[k])) return "a point is not finite";
        const engine_joint *j = is_gear ? engine_find_joint(e, def->joint[k]) : NULL;
        if (is_gear && j == NULL) return "one of its joints does not exist; it may have been removed";
        if (is_gear && er_joint_type_freedom(j->type, NULL) == 0) return "a fixed joint cannot be geared";
    }
    if (is_gear && def->joint[0] == def->joint[1]) return "a gear needs two joints";
    if (!is_gear && def->actor[0] == def->actor[1] && def->law.kind == ER_TIE_DISTANCE)
        return "it ties an actor, or the world, to itself";
    bool moves = is_gear ? joint_moves(e, def->joint[0]) || joint_moves(e, def->joint[1])
                         : can_move(e, def->actor[0]) || can_move(e, def->actor[1]);
    return moves ? NULL : "it ties nothing that moves";
}

static bool are_lengths(const er_tie *t)
{
    return t->least >= 0.0 && t->least <= 1e50 && t->most >= t->least && t->stiffness >= 0.0 && t->stiffness <= 1e50 &&
           t->damping >= 0.0 && t->damping <= 1e50 && t->break_force > 0.0 && er_v3_finite(t->wheel[0]) &&
           er_v3_finite(t->wheel[1]);
}

static const char *wrong_law(const engine_tie_def *def)
{
    const er_tie *t = &def->law;
    if (!are_lengths(t) || (t->kind == ER_TIE_PULLEY && !(t->most <= 1e50)))
        return "expected lengths, stiffness and damping of 0 or more, the longest not below the shortest";
    if (t->stiffness > 0.0 && !(t->most > t->least)) return "a tie of one length cannot stretch; leave stiffness out";
    if (t->damping > 0.0 && !(t->stiffness > 0.0)) return "damping needs a stiffness";
    if (t->kind == ER_TIE_PULLEY && !(t->ratio > 0.0)) return "ratio is not above 0";
    if (!(fabs(t->ratio) > 0.0 && fabs(t->ratio) <= 1e50)) return "ratio is 0 or not a number";
    return NULL;
}

er_result engine_add_tie(engine *e, const engine_tie_def *def, int *id)
{
    const char *name = def->name != NULL ? def->name : "", *wrong = wrong_sides(e, def);
    *id = 0;
    if (wrong == NULL) wrong = wrong_law(def);
    if (wrong != NULL) return er_fail(e->context, ER_ERROR_ARGUMENT, "tie \"%s\": %s", name, wrong);
    tie t = {.state = {.kind = def->law.kind}, .law = def->law, .index = -1};
    memcpy(t.state.joint, def->joint, sizeof t.state.joint);
    memcpy(t.state.wheel, def->law.wheel, sizeof t.state.wheel);
    for (int k = 0; k < 2 && def->law.kind != ER_TIE_GEAR; ++k) {
        const engine_actor *a = engine_find_actor(e, def->actor[k]);
        t.state.actor[k] = def->actor[k];
        t.state.own[k] = a != NULL ? er_pose_point(er_pose_inverse(a->pose), def->point[k]) : def->point[k];
    }
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (copy == NULL || !engine_grow(&e->tie, &e->tie_room, e->tie_count, sizeof *e->tie)) {
        free(copy);
        return eri_no_memory_for(e->context, "a tie");
    }
    t.state.name = memcpy(copy, name, size);
    t.state.id = *id = ++e->last_id;
    e->tie[e->tie_count++] = t;
    e->stale = true;
    return ER_OK;
}

static void take_out(engine *e, tie *t)
{
    engine_free_tie(t);
    e->tie_count--;
    memmove(t, t + 1, (size_t)(e->tie + e->tie_count - t) * sizeof *t);
}

bool engine_remove_tie(engine *e, int id)
{
    tie *t = engine_tie_of(e, id);
    if (t == NULL) return false;
    take_out(e, t);
    e->stale = true;
    return true;
}

void engine_remove_ties_of(engine *e, int actor_id, int joint_id)
{
    for (int i = e->tie_count - 1; i >= 0; --i) {
        const engine_tie *t = &e->tie[i].state;
        bool is_of_actor = actor_id != 0 && (t->actor[0] == actor_id || t->actor[1] == actor_id);
        bool is_of_joint = joint_id != 0 && (t->joint[0] == joint_id || t->joint[1] == joint_id);
        if (is_of_actor || is_of_joint) engine_remove_tie(e, t->id);
    }
}

// ---- In the world

static bool is_held(const engine *e, int id)
{
    const engine_actor *a = engine_find_actor(e, id);
    return a == NULL || a->motion != ENGINE_DYNAMIC;
}

// A gear of joints that hold nothing that moves is left out, as they are; so is a tie of led actors.
static bool acts(engine *e, const tie *t)
{
    if (t->state.kind != ER_TIE_GEAR) return !is_held(e, t->state.actor[0]) || !is_held(e, t->state.actor[1]);
    return engine_joint_of(e, t->state.joint[0])->index >= 0 && engine_joint_of(e, t->state.joint[1])->index >= 0;
}

int engine_list_ties(engine *e, er_tie *out)
{
    int count = 0;
    for (int i = 0; i < e->tie_count; ++i) {
        tie *t = &e->tie[i];
        t->index = -1;
        if (!acts(e, t)) continue;
        er_tie *law = &out[count];
        *law = t->law;
        for (int k = 0; k < 2; ++k) {
            const actor *a = engine_actor_of(e, t->state.actor[k]);
            law->body[k] = a != NULL ? a->body : -1;
            law->point[k] = a != NULL && a->body < 0 ? er_pose_point(a->state.pose, t->state.own[k]) : t->state.own[k];
            if (t->state.kind == ER_TIE_GEAR) law->coordinate[k] = engine_joint_of(e, t->state.joint[k])->coordinate;
        }
        t->index = count++;
    }
    return count;
}
