// Contacts of actors, and the events when they begin and end.
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

static int by_actors(const void *a, const void *b)
{
    const contact_pair *x = a, *y = b;
    int first = (x->actor[0] > y->actor[0]) - (x->actor[0] < y->actor[0]);
    return first != 0 ? first : (x->actor[1] > y->actor[1]) - (x->actor[1] < y->actor[1]);
}

static bool add(engine *e, int a, int b, er_vec3 point, double impulse)
{
    if (!engine_grow(&e->contact, &e->contact_room, e->contact_count, sizeof *e->contact)) return false;
    e->contact[e->contact_count++] = (contact_pair){{a < b ? a : b, a < b ? b : a}, point, impulse};
    return true;
}

// Keeps a point of the world. Shapes are in the order of their actors.
static bool add_point(engine *e, int a, int b, const er_contact *c)
{
    if (!engine_grow(&e->point, &e->point_room, e->point_count, sizeof *e->point)) return false;
    e->point[e->point_count++] =
        (engine_contact){.actor = {a, b},
                         .point = c->point,
                         .normal = c->normal,
                         .depth = -c->distance,
                         .impulse = c->impulse,
                         .force = er_v3_scale((double)e->parts / e->settings.step, c->impulse)};
    return true;
}

// A pair for each point that presses or overlaps.
static bool gather(engine *e)
{
    int count = e->world != NULL ? er_world_contact_count(e->world) : 0;
    bool room = true;
    e->point_count = 0;
    for (int i = 0; i < count && room; ++i) {
        er_contact c = er_world_contact(e->world, i);
        int a = e->shape_actor[c.shape[0]], b = e->shape_actor[c.shape[1]];
        double impulse = er_v3_dot(c.impulse, c.normal);
        if (a != b && (impulse > 0.0 || c.distance <= 0.0))
            room = add(e, a, b, c.point, impulse) && add_point(e, a, b, &c);
    }
    return room;
}

int engine_contact_count(const engine *e)
{
    return e->point_count;
}

const engine_contact *engine_contact_at(const engine *e, int index)
{
    return &e->point[index];
}

// ---- Sensors

static bool boxes_overlap(const engine_part *a, er_pose pose_a, const engine_part *b, er_pose pose_b)
{
    er_vec3 low[2], high[2];
    er_shape_box(&a->shape, pose_a, &low[0], &high[0]);
    er_shape_box(&b->shape, pose_b, &low[1], &high[1]);
    return low[0].x <= high[1].x && low[1].x <= high[0].x && low[0].y <= high[1].y && low[1].y <= high[0].y &&
           low[0].z <= high[1].z && low[1].z <= high[0].z;
}

// Whether a solid of `other` is within a part of a sensor, and a point of both.
static bool senses(const engine_actor *sensor, const engine_actor *other, er_vec3 *point)
{
    for (int i = 0; i < sensor->part_count; ++i)
        for (int k = 0; k < other->part_count; ++k) {
            const engine_part *a = &sensor->part[i], *b = &other->part[k];
            er_pose pose_a = er_pose_mul(sensor->pose, a->pose), pose_b = er_pose_mul(other->pose, b->pose);
            if (b->passes || !boxes_overlap(a, pose_a, b, pose_b)) continue;
            er_closest c;
            er_shape_closest(&a->shape, pose_a, &b->shape, pose_b, NULL, &c);
            if (c.distance > 0.0) continue;
            *point = er_v3_scale(0.5, er_v3_add(c.point[0], c.point[1]));
            return true;
        }
    return false;
}

// Sensors ignore static actors, which were inside from the start.
static bool gather_sensed(engine *e)
{
    bool room = true;
    for (int i = 0; i < e->actor_count; ++i) {
        const actor *a = &e->actor[i];
        for (int k = 0; k < e->actor_count && a->state.sensor && a->state.active && room; ++k) {
            const actor *b = &e->actor[k];
            er_vec3 point;
            bool ignored = (a->state.groups & b->state.ignores) != 0 || (b->state.groups & a->state.ignores) != 0;
            if (b->state.motion == ENGINE_STATIC || b->state.sensor || !b->state.active || ignored ||
                !senses(&a->state, &b->state, &point))
                continue;
            room = add(e, a->state.id, b->state.id, point, 0.0);
        }
    }
    return room;
}

// ---- Told

// Merges the entries of each pair: the sum of the impulses, and the point with the largest one.
static void merge(engine *e)
{
    int kept = 0;
    qsort(e->contact, (size_t)e->contact_count, sizeof *e->contact, by_actors);
    for (int i = 0; i < e->contact_count; ++i) {
        const contact_pair *p = &e->contact[i];
        double hardest = p->impulse;
        contact_pair whole = *p;
        for (; i + 1 < e->contact_count && by_actors(p, &e->contact[i + 1]) == 0; ++i) {
            const contact_pair *other = &e->contact[i + 1];
            whole.impulse += other->impulse;
            if (!(other->impulse > hardest)) continue;
            hardest = other->impulse;
            whole.point = other->point;
        }
        e->contact[kept++] = whole;
    }
    e->contact_count = kept;
}

static bool add_event(engine *e, const contact_pair *p, bool begins)
{
    if (!engine_grow(&e->event, &e->event_room, e->event_count, sizeof *e->event)) return false;
    engine_contact_event t = {.actor = {p->actor[0], p->actor[1]}, .begins = begins};
    if (begins) {
        t.point = p->point;
        t.impulse = p->impulse;
    }
    e->event[e->event_count++] = t;
    return true;
}

// Compares two ascending rows and reports the pairs that are in only one of them.
static bool compare(engine *e)
{
    int i = 0, k = 0;
    bool room = true;
    e->event_count = 0;
    while (room && (i < e->contact_count || k < e->contact_before_count)) {
        int order = i == e->contact_count          ? 1
                    : k == e->contact_before_count ? -1
                                                   : by_actors(&e->contact[i], &e->contact_before[k]);
        if (order < 0) room = add_event(e, &e->contact[i], true);
        if (order > 0) room = add_event(e, &e->contact_before[k], false);
        i += order <= 0;
        k += order >= 0;
    }
    return room;
}

er_result engine_update_contacts(engine *e)
{
    contact_pair *then = e->contact_before;
    e->contact_before = e->contact;
    e->contact = then;
    e->contact_before_count = e->contact_count;
    int room = e->contact_before_room;
    e->contact_before_room = e->contact_room;
    e->contact_room = room;
    e->contact_count = 0;
    if (!gather(e) || !gather_sensed(e)) return eri_no_memory_for(e->context, "contacts");
    if (e->contact_count > 0) merge(e);
    return compare(e) ? ER_OK : eri_no_memory_for(e->context, "contacts");
}

int engine_contact_partner(const engine *e, int id, int index)
{
    for (int i = 0; i < e->contact_count; ++i)
        for (int k = 0; k < 2; ++k)
            if (e->contact[i].actor[k] == id && index-- == 0) return e->contact[i].actor[1 - k];
    return 0;
}

int engine_contact_event_count(const engine *e)
{
    return e->event_count;
}

const engine_contact_event *engine_contact_event_at(const engine *e, int index)
{
    return &e->event[index];
}
