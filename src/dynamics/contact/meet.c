/// @file
/// Which shapes of a world touch: pairs whose boxes meet, their points, and the impulses that these had a step ago.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "dynamics/contact/contact.h"

static const double least_reach = 1e-3; // of a shape's radius: what rests stays in touch, whatever rounding says

static bool can_meet(const er_world *w, int i, int j)
{
    const er_contacts *s = w->contacts;
    const er_world_shape *a = &s->shape[i], *b = &s->shape[j];
    if (a->body == b->body || (er_contacts_is_ground(s, a->body) && er_contacts_is_ground(s, b->body))) return false;
    return (a->groups & b->ignores) == 0 && (b->groups & a->ignores) == 0 && !er_tied_has(&s->tied, a->body, b->body);
}

// Where shapes stand, how far they can come, and the boxes of those that have one.
static void place_shapes(const er_world *w, double h)
{
    er_contacts *s = w->contacts;
    double fall = er_v3_norm(w->def.gravity) * h;
    for (int i = 0; i < s->shape_count; ++i) {
        const er_world_shape *a = &s->shape[i];
        s->pose[i] = a->body < 0 ? a->pose : er_pose_mul(w->pose[a->body], a->pose);
        s->reach[i] = least_reach * s->radius[i];
        if (a->body < 0) continue;
        const er_twist *v = &w->twist[a->body];
        double speed = er_v3_norm(er_v3_add(v->linear, er_v3_cross(v->angular, a->pose.p)));
        speed += er_v3_norm(v->angular) * s->radius[i];
        s->reach[i] += h * (speed + (er_contacts_is_ground(s, a->body) ? 0.0 : fall));
    }
    for (int k = 0; k < s->bounded_count; ++k) {
        int i = s->bounded[k];
        er_vec3 reach = er_v3(s->reach[i], s->reach[i], s->reach[i]);
        er_shape_box(&s->shape[i].shape, s->pose[i], &s->low[k], &s->high[k]);
        s->low[k] = er_v3_sub(s->low[k], reach);
        s->high[k] = er_v3_add(s->high[k], reach);
    }
}

// Impulses go over from the step before, along the directions as they are now.
static void remember(const er_touchings *before, const er_meeting *was, er_touching *c)
{
    for (int k = 0; was != NULL && k < was->count; ++k) {
        const er_touching *old = &before->item[was->first + k];
        if (old->feature != c->feature) continue;
        er_vec3 slip = er_v3_madd(er_v3_scale(old->impulse[1], old->axis[1]), old->impulse[2], old->axis[2]);
        c->impulse[0] = old->impulse[0];
        c->impulse[1] = er_v3_dot(slip, c->axis[1]);
        c->impulse[2] = er_v3_dot(slip, c->axis[2]);
        return;
    }
}

// Meetings of the step before, in their order.
typedef struct cursor {
    const er_meeting *meeting;
    int at, end;
} cursor;

static const er_meeting *meeting_before(cursor *c, int a, int b)
{
    while (c->at < c->end && (c->meeting[c->at].a < a || (c->meeting[c->at].a == a && c->meeting[c->at].b < b)))
        ++c->at;
    if (c->at == c->end) return NULL;
    const er_meeting *m = &c->meeting[c->at];
    return m->a == a && m->b == b ? m : NULL;
}

// Of two shapes that stay where they were: the points that there were.
static er_result keep(er_contacts *s, const er_meeting *was, er_buffer *items, er_buffer *meetings)
{
    if (was == NULL) return ER_OK;
    er_meeting m = *was;
    m.first = s->now.count;
    er_touching *c = er_buffer_grow(items, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    memcpy(c, s->before.item + was->first, (size_t)m.count * sizeof *c);
    s->now.count += m.count;
    er_buffer_add(meetings, &m, sizeof m);
    return meetings->failure;
}

// The points of two shapes, the lesser first.
static er_result meet(er_world *w, int a, int b, cursor *past, er_buffer *items, er_buffer *meetings)
{
    er_contacts *s = w->contacts;
    int i = a < b ? a : b, j = a < b ? b : a;
    const er_world_shape *A = &s->shape[i], *B = &s->shape[j];
    er_touch touch[ER_TOUCH_MOST];
    const er_meeting *was = meeting_before(past, a, b);
    er_meeting m = {.a = a, .b = b, .first = s->now.count};
    if (!er_contacts_moves(w, i) && !er_contacts_moves(w, j)) return keep(s, was, items, meetings);
    if (was != NULL) m.cache = was->cache;
    double margin = s->reach[i] + s->reach[j];
    m.count = er_shape_touches(&A->shape, s->pose[i], &B->shape, s->pose[j], margin, &m.cache, touch);
    if (m.count == 0) return ER_OK;
    er_touching *c = er_buffer_grow(items, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    double friction = er_combine(w->def.friction_rule, A->friction, B->friction);
    double restitution = er_combine(w->def.restitution_rule, A->restitution, B->restitution);
    for (int k = 0; k < m.count; ++k) {
        er_vec3 x = er_v3_perpendicular(touch[k].normal);
        c[k] = (er_touching){.shape = {i, j},
                             .feature = touch[k].feature,
                             .point = er_v3_scale(0.5, er_v3_add(touch[k].point[0], touch[k].point[1])),
                             .axis = {touch[k].normal, x, er_v3_cross(touch[k].normal, x)},
                             .distance = touch[k].distance,
                             .friction = friction,
                             .restitution = restitution};
        remember(&s->before, was, &c[k]);
    }
    s->now.count += m.count;
    er_buffer_add(meetings, &m, sizeof m);
    return meetings->failure;
}

// Of what has boxes: pairs whose boxes meet.
static er_result meet_bounded(er_world *w, er_buffer *items, er_buffer *meetings)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    const er_sweep_pair *pair;
    int count;
    cursor past = {s->before.meeting, 0, s->before.bounded_count};
    ER_TRY(er_sweep_update(s->sweep, s->low, s->high, 0.0, &pair, &count));
    for (int k = 0; k < count; ++k) {
        int a = s->bounded[pair[k].a], b = s->bounded[pair[k].b];
        if (can_meet(w, a, b)) ER_TRY(meet(w, a, b, &past, items, meetings));
    }
done:
    return r;
}

// Whether a shape comes near a plane at all.
static bool is_near(const er_contacts *s, int plane, int i)
{
    er_vec3 up = er_q_rotate(s->pose[plane].q, er_v3(0, 0, 1));
    double height = er_v3_dot(up, er_v3_sub(s->pose[i].p, s->pose[plane].p));
    return height <= s->radius[i] + s->reach[i] + s->reach[plane];
}

// Of each boundless shape with all others.
static er_result meet_boundless(er_world *w, er_buffer *items, er_buffer *meetings)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    cursor past = {s->before.meeting, s->before.bounded_count, s->before.meeting_count};
    for (int k = 0; k < s->boundless_count; ++k)
        for (int n = 0; n < s->bounded_count; ++n) {
            int i = s->boundless[k], j = s->bounded[n];
            if (is_near(s, i, j) && can_meet(w, i, j)) ER_TRY(meet(w, i, j, &past, items, meetings));
        }
done:
    return r;
}

er_result er_contacts_meet(er_world *w, double h)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    er_touchings last = s->before;
    s->before = s->now;
    er_arena_reset(last.arena);
    s->now = (er_touchings){.arena = last.arena};
    er_buffer items = {.arena = s->now.arena}, meetings = items;
    place_shapes(w, h);
    ER_TRY(meet_bounded(w, &items, &meetings));
    s->now.bounded_count = (int)(meetings.size / sizeof(er_meeting));
    ER_TRY(meet_boundless(w, &items, &meetings));
    s->now.item = (er_touching *)(void *)items.bytes;
    s->now.meeting = (er_meeting *)(void *)meetings.bytes;
    s->now.meeting_count = (int)(meetings.size / sizeof(er_meeting));
done:
    return r;
}
