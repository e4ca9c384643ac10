// Which actors touch, and which began or ended in a step.
#include <stdlib.h>
#include <string.h>

#include "app/engine/inside.h"
#include "base/failure.h"

static int by_actors(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    int first = (x->actor[0] > y->actor[0]) - (x->actor[0] < y->actor[0]);
    return first != 0 ? first : (x->actor[1] > y->actor[1]) - (x->actor[1] < y->actor[1]);
}

// A pair for each point that presses or overlaps.
static bool gather(engine *e)
{
    int count = e->world != NULL ? er_world_contact_count(e->world) : 0;
    if (count > e->touching_room) {
        pair *now = realloc(e->touching, (size_t)count * sizeof *now);
        if (now != NULL) e->touching = now;
        pair *then = realloc(e->touched, (size_t)count * sizeof *then);
        if (then != NULL) e->touched = then;
        if (now == NULL || then == NULL) return false;
        e->touching_room = count;
    }
    e->touching_count = 0;
    for (int i = 0; i < count; ++i) {
        er_contact c = er_world_contact(e->world, i);
        int a = e->shape_actor[c.shape[0]], b = e->shape_actor[c.shape[1]];
        double impulse = er_v3_dot(c.impulse, c.normal);
        if (a == b || (!(impulse > 0.0) && c.distance > 0.0)) continue;
        e->touching[e->touching_count++] = (pair){{a < b ? a : b, a < b ? b : a}, c.point, impulse};
    }
    return true;
}

// One of each: impulses together, the point of the hardest.
static void merge(engine *e)
{
    int kept = 0;
    qsort(e->touching, (size_t)e->touching_count, sizeof *e->touching, by_actors);
    for (int i = 0; i < e->touching_count; ++i) {
        const pair *p = &e->touching[i];
        double hardest = p->impulse;
        pair whole = *p;
        for (; i + 1 < e->touching_count && by_actors(p, &e->touching[i + 1]) == 0; ++i) {
            const pair *other = &e->touching[i + 1];
            whole.impulse += other->impulse;
            if (!(other->impulse > hardest)) continue;
            hardest = other->impulse;
            whole.point = other->point;
        }
        e->touching[kept++] = whole;
    }
    e->touching_count = kept;
}

static bool tell(engine *e, const pair *p, bool begins)
{
    if (!engine_grow(&e->touch, &e->touch_room, e->touch_count, sizeof *e->touch)) return false;
    engine_touch t = {.actor = {p->actor[0], p->actor[1]}, .begins = begins};
    if (begins) {
        t.point = p->point;
        t.impulse = p->impulse;
    }
    e->touch[e->touch_count++] = t;
    return true;
}

// What the two rows do not share, both ascending.
static bool compare(engine *e)
{
    int i = 0, k = 0;
    bool room = true;
    e->touch_count = 0;
    while (room && (i < e->touching_count || k < e->touched_count)) {
        int order = i == e->touching_count  ? 1
                    : k == e->touched_count ? -1
                                            : by_actors(&e->touching[i], &e->touched[k]);
        if (order < 0) room = tell(e, &e->touching[i], true);
        if (order > 0) room = tell(e, &e->touched[k], false);
        i += order <= 0;
        k += order >= 0;
    }
    return room;
}

er_result engine_find_touches(engine *e)
{
    pair *then = e->touched;
    e->touched = e->touching;
    e->touching = then;
    e->touched_count = e->touching_count;
    if (!gather(e)) return er_no_memory_for(e->context, "contacts");
    if (e->touching_count > 0) merge(e);
    return compare(e) ? ER_OK : er_no_memory_for(e->context, "contacts");
}

int engine_partner(const engine *e, int id, int index)
{
    for (int i = 0; i < e->touching_count; ++i)
        for (int k = 0; k < 2; ++k)
            if (e->touching[i].actor[k] == id && index-- == 0) return e->touching[i].actor[1 - k];
    return 0;
}

int engine_touch_count(const engine *e)
{
    return e->touch_count;
}

const engine_touch *engine_touch_at(const engine *e, int index)
{
    return &e->touch[index];
}
