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

// Where a shape stands, and how far it can come.
static void place_shape(const er_world *w, int i, double h)
{
    er_contacts *s = w->contacts;
    const er_world_shape *a = &s->shape[i];
    double fall = er_v3_norm(w->def.gravity) * h;
    s->pose[i] = a->body < 0 ? a->pose : er_pose_mul(w->pose[a->body], a->pose);
    s->reach[i] = least_reach * s->radius[i];
    if (a->body < 0) return;
    const er_twist *v = &w->twist[a->body];
    double speed = er_v3_norm(er_v3_add(v->linear, er_v3_cross(v->angular, a->pose.p)));
    speed += er_v3_norm(v->angular) * s->radius[i];
    s->reach[i] += h * (speed + (er_contacts_is_ground(s, a->body) ? 0.0 : fall));
}

// Impulses go over from the step before, along the directions as they are now.
static void remember(const er_touchings *before, const er_meeting *was, er_touching *c)
{
    for (int k = 0; was != NULL && k < was->count; ++k) {
        const er_touching *old = &before->item[was->first + k];
        if (old->feature != c->feature) continue;
        const er_directions was_along = er_touching_directions(old), is_along = er_touching_directions(c);
        const double tangents[3] = {0.0, old->impulse[1], old->impulse[2]};
        er_vec3 friction = er_directions_sum(&was_along, tangents);
        c->impulse[0] = old->impulse[0];
        for (int d = 1; d < 3; ++d)
            c->impulse[d] = er_v3_dot(friction, is_along.axis[d]);
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

// What a worker finds in its part: as it would be found by one, in its order.
typedef struct found {
    er_buffer items, meetings;
    cursor past;
    int bounded_count; // of meetings of shapes that have boxes
    bool swift;        // whether any pair is
    er_result result;
} found;

static int count_of(const found *out)
{
    return (int)(out->items.size / sizeof(er_touching));
}

static int meeting_count_of(const found *out)
{
    return (int)(out->meetings.size / sizeof(er_meeting));
}

// Of two shapes that stay where they were: the points that there were.
static er_result keep(const er_contacts *s, const er_meeting *was, found *out)
{
    if (was == NULL) return ER_OK;
    er_meeting m = *was;
    m.first = count_of(out);
    er_touching *c = er_buffer_grow(&out->items, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    memcpy(c, s->before.item + was->first, (size_t)m.count * sizeof *c);
    er_buffer_add(&out->meetings, &m, sizeof m);
    return out->meetings.failure;
}

// The points of two shapes, the lesser first.
static er_result meet(const er_world *w, int a, int b, double h, found *out)
{
    const er_contacts *s = w->contacts;
    int i = a < b ? a : b, j = a < b ? b : a;
    const er_world_shape *A = &s->shape[i], *B = &s->shape[j];
    er_touch touch[ER_TOUCH_MOST];
    const er_meeting *was = meeting_before(&out->past, a, b);
    er_meeting m = {.a = a, .b = b, .first = count_of(out)};
    if (!er_contacts_moves(w, i) && !er_contacts_moves(w, j)) return keep(s, was, out);
    if (was != NULL) m.cache = was->cache;
    double margin = s->reach[i] + s->reach[j];
    bool swift = er_swift_is(s, i, j);
    m.count = swift ? er_swift_touches(w, i, j, h, &m.cache, touch)
                    : er_shape_touches(&A->shape, s->pose[i], &B->shape, s->pose[j], margin, &m.cache, touch);
    if (m.count == 0) return ER_OK;
    out->swift |= swift;
    er_touching *c = er_buffer_grow(&out->items, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    double friction = er_combine(w->def.friction_rule, A->friction, B->friction);
    for (int k = 0; k < m.count; ++k) {
        c[k] = (er_touching){.shape = {i, j},
                             .feature = touch[k].feature,
                             .point = er_v3_scale(0.5, er_v3_add(touch[k].point[0], touch[k].point[1])),
                             .normal = touch[k].normal,
                             .distance = touch[k].distance,
                             .friction = friction};
        remember(&s->before, was, &c[k]);
    }
    er_buffer_add(&out->meetings, &m, sizeof m);
    return out->meetings.failure;
}

// Whether a shape comes near a plane at all.
static bool is_near(const er_contacts *s, int plane, int i)
{
    er_vec3 up = er_q_rotate(s->pose[plane].q, er_v3(0, 0, 1));
    double height = er_v3_dot(up, er_v3_sub(s->pose[i].p, s->pose[plane].p));
    return height <= s->radius[i] + s->reach[i] + s->reach[plane];
}

// Where meetings, from one to another, begin that are not before two shapes.
static cursor cursor_at(const er_meeting *meeting, int low, int end, int a, int b)
{
    int high = end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const er_meeting *m = &meeting[middle];
        if (m->a < a || (m->a == a && m->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return (cursor){meeting, low, end};
}

// A step's meeting, shared by workers.
typedef struct meeting_all {
    er_world *w;
    double h;
    const er_sweep_pair *pair;
    int pair_count;
    found *found; // [workers]
} meeting_all;

static void place(void *job, int worker, int count)
{
    const meeting_all *all = job;
    er_contacts *s = all->w->contacts;
    int end = er_team_share(s->shape_count, worker + 1, count);
    for (int i = er_team_share(s->shape_count, worker, count); i < end; ++i)
        place_shape(all->w, i, all->h);
    er_team_meet(s->team);
    end = er_team_share(s->bounded_count, worker + 1, count);
    for (int k = er_team_share(s->bounded_count, worker, count); k < end; ++k) {
        int i = s->bounded[k];
        er_vec3 reach = er_v3(s->reach[i], s->reach[i], s->reach[i]);
        er_shape_box(&s->shape[i].shape, s->pose[i], &s->low[k], &s->high[k]);
        s->low[k] = er_v3_sub(s->low[k], reach);
        s->high[k] = er_v3_add(s->high[k], reach);
    }
}

// Of what has boxes: pairs whose boxes meet.
static er_result meet_bounded(const meeting_all *all, int begin, int end, found *out)
{
    er_result r = ER_OK;
    const er_contacts *s = all->w->contacts;
    if (begin == end) return ER_OK;
    out->past = cursor_at(s->before.meeting, 0, s->before.bounded_count, s->bounded[all->pair[begin].a],
                          s->bounded[all->pair[begin].b]);
    for (int k = begin; k < end; ++k) {
        int a = s->bounded[all->pair[k].a], b = s->bounded[all->pair[k].b];
        if (can_meet(all->w, a, b)) ER_TRY(meet(all->w, a, b, all->h, out));
    }
done:
    return r;
}

// Of each boundless shape with all others: counted through, boundless by boundless.
static er_result meet_boundless(const meeting_all *all, int begin, int end, found *out)
{
    er_result r = ER_OK;
    const er_contacts *s = all->w->contacts;
    if (begin == end) return ER_OK;
    out->past = cursor_at(s->before.meeting, s->before.bounded_count, s->before.meeting_count,
                          s->boundless[begin / s->bounded_count], s->bounded[begin % s->bounded_count]);
    for (int k = begin; k < end; ++k) {
        int i = s->boundless[k / s->bounded_count], j = s->bounded[k % s->bounded_count];
        if (is_near(s, i, j) && can_meet(all->w, i, j)) ER_TRY(meet(all->w, i, j, all->h, out));
    }
done:
    return r;
}

static void seek(void *job, int worker, int count)
{
    er_result r = ER_OK;
    const meeting_all *all = job;
    const er_contacts *s = all->w->contacts;
    found *out = &all->found[worker];
    int most = s->boundless_count * s->bounded_count;
    ER_TRY(meet_bounded(all, er_team_share(all->pair_count, worker, count),
                        er_team_share(all->pair_count, worker + 1, count), out));
    out->bounded_count = meeting_count_of(out);
    ER_TRY(meet_boundless(all, er_team_share(most, worker, count), er_team_share(most, worker + 1, count), out));
done:
    out->result = r;
}

// Takes meetings of a worker, and their contacts, to where those of all are.
static void take(er_touchings *now, const found *from, int first, int last, int *item, int *meeting)
{
    const er_meeting *m = (const er_meeting *)(const void *)from->meetings.bytes;
    const er_touching *c = (const er_touching *)(const void *)from->items.bytes;
    if (first == last) return;
    int begin = m[first].first, end = m[last - 1].first + m[last - 1].count;
    memcpy(now->item + *item, c + begin, (size_t)(end - begin) * sizeof *c);
    for (int i = first; i < last; ++i) {
        now->meeting[*meeting + i - first] = m[i];
        now->meeting[*meeting + i - first].first += *item - begin;
    }
    *item += end - begin;
    *meeting += last - first;
}

// Powers of two: blocks of memory are used again where they are large enough.
static size_t rounded(int count)
{
    size_t room = 64;
    while (room < (size_t)count)
        room *= 2;
    return room;
}

// All that workers found, in the order that one would have found it in.
static er_result gather(er_contacts *s, const found *out, int count)
{
    er_result r = ER_OK;
    int items = 0, meetings = 0, item = 0, meeting = 0;
    s->swift = false;
    for (int k = 0; k < count; ++k) {
        items += count_of(&out[k]);
        meetings += meeting_count_of(&out[k]);
        s->now.bounded_count += out[k].bounded_count;
        s->swift |= out[k].swift;
    }
    s->now.count = items;
    s->now.meeting_count = meetings;
    if (count == 1) {
        s->now.item = (er_touching *)(void *)out->items.bytes;
        s->now.meeting = (er_meeting *)(void *)out->meetings.bytes;
        return ER_OK;
    }
    ER_TRY_RESERVE(s->now.item, s->now.arena, er_touching, rounded(items));
    ER_TRY_RESERVE(s->now.meeting, s->now.arena, er_meeting, rounded(meetings));
    for (int k = 0; k < count; ++k)
        take(&s->now, &out[k], 0, out[k].bounded_count, &item, &meeting);
    for (int k = 0; k < count; ++k)
        take(&s->now, &out[k], out[k].bounded_count, meeting_count_of(&out[k]), &item, &meeting);
done:
    return r;
}

// Room for as much as there was, which then need not grow.
static er_result begin(er_contacts *s, int workers, found *out)
{
    er_result r = ER_OK;
    for (int k = 0; k < workers; ++k) {
        er_arena *arena = workers > 1 ? s->own[k] : s->now.arena;
        if (workers > 1) er_arena_reset(arena);
        out[k] = (found){.items = {.arena = arena}, .meetings = {.arena = arena}};
        er_buffer_grow(&out[k].items, rounded(s->before.count / workers) * sizeof(er_touching));
        er_buffer_grow(&out[k].meetings, rounded(s->before.meeting_count / workers) * sizeof(er_meeting));
        ER_TRY(out[k].items.failure);
        ER_TRY(out[k].meetings.failure);
        out[k].items.size = out[k].meetings.size = 0;
    }
done:
    return r;
}

er_result er_contacts_meet(er_world *w, double h)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    er_touchings last = s->before;
    found out[ER_THREADS_MOST];
    int workers = er_team_count(s->team);
    meeting_all all = {.w = w, .h = h, .found = out};
    s->before = s->now;
    er_arena_reset(last.arena);
    s->now = (er_touchings){.arena = last.arena};
    ER_TRY(begin(s, workers, out));
    er_team_run(s->team, place, &all);
    ER_TRY(er_sweep_update(s->sweep, s->low, s->high, 0.0, &all.pair, &all.pair_count));
    er_team_run(s->team, seek, &all);
    for (int k = 0; k < workers; ++k)
        ER_TRY(out[k].result);
    ER_TRY(gather(s, out, workers));
done:
    return r;
}
