/// @file
/// Which shapes of a world touch: pairs whose boxes meet, their points, and the impulses that these had a step ago.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "dynamics/contact/contact.h"

static const double least_reach = 1e-3; // of a shape's radius: what rests stays in touch, whatever rounding says

static bool can_meet(const er_world *w, int i, int j)
{
    const eri_contacts *s = w->contacts;
    const er_world_shape *a = &s->shape[i], *b = &s->shape[j];
    if (a->body == b->body || (eri_contacts_is_ground(s, a->body) && eri_contacts_is_ground(s, b->body))) return false;
    return (a->groups & b->ignores) == 0 && (b->groups & a->ignores) == 0 && !eri_tied_has(&s->tied, a->body, b->body);
}

// Where a shape stands, and how far it can come.
static void place_shape(const er_world *w, int i, double h)
{
    eri_contacts *s = w->contacts;
    const er_world_shape *a = &s->shape[i];
    double fall = er_v3_norm(w->def.gravity) * h;
    s->pose[i] = a->body < 0 ? a->pose : er_pose_mul(w->pose[a->body], a->pose);
    s->reach[i] = least_reach * s->radius[i];
    if (a->body < 0) return;
    const er_twist *v = &w->twist[a->body];
    double speed = er_v3_norm(er_v3_add(v->linear, er_v3_cross(v->angular, a->pose.p)));
    speed += er_v3_norm(v->angular) * s->radius[i];
    s->reach[i] += h * (speed + (eri_contacts_is_ground(s, a->body) ? 0.0 : fall));
}

// Impulses go over from the step before, along the directions as they are now.
static void remember(const eri_touchings *before, const eri_meeting *was, eri_touching *c)
{
    for (int k = 0; was != NULL && k < was->count; ++k) {
        const eri_touching *old = &before->item[was->first + k];
        if (old->feature != c->feature) continue;
        const eri_directions was_along = eri_touching_directions(old), is_along = eri_touching_directions(c);
        const double tangents[3] = {0.0, old->impulse[1], old->impulse[2]};
        er_vec3 friction = eri_directions_sum(&was_along, tangents);
        c->impulse[0] = old->impulse[0];
        for (int d = 1; d < 3; ++d)
            c->impulse[d] = er_v3_dot(friction, is_along.axis[d]);
        return;
    }
}

// Meetings of the step before, in their order.
typedef struct cursor {
    const eri_meeting *meeting;
    int at, end;
} cursor;

static const eri_meeting *meeting_before(cursor *c, int a, int b)
{
    while (c->at < c->end && (c->meeting[c->at].a < a || (c->meeting[c->at].a == a && c->meeting[c->at].b < b)))
        ++c->at;
    if (c->at == c->end) return NULL;
    const eri_meeting *m = &c->meeting[c->at];
    return m->a == a && m->b == b ? m : NULL;
}

// What a worker finds in its part: as it would be found by one, in its order.
typedef struct found {
    eri_buffer items, meetings;
    cursor past;
    int bounded_count; // of meetings of shapes that have boxes
    bool swift;        // whether any pair is
    er_result result;
} found;

static int count_of(const found *out)
{
    return (int)(out->items.size / sizeof(eri_touching));
}

static int meeting_count_of(const found *out)
{
    return (int)(out->meetings.size / sizeof(eri_meeting));
}

// Of two shapes that stay where they were: the points that there were.
static er_result keep(const eri_contacts *s, const eri_meeting *was, found *out)
{
    if (was == NULL) return ER_OK;
    eri_meeting m = *was;
    m.first = count_of(out);
    eri_touching *c = eri_buffer_grow(&out->items, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    memcpy(c, s->before.item + was->first, (size_t)m.count * sizeof *c);
    eri_buffer_add(&out->meetings, &m, sizeof m);
    return out->meetings.failure;
}

// The points of two shapes, the lesser first.
static er_result meet(const er_world *w, int a, int b, double h, found *out)
{
    const eri_contacts *s = w->contacts;
    int i = a < b ? a : b, j = a < b ? b : a;
    const er_world_shape *A = &s->shape[i], *B = &s->shape[j];
    er_touch touch[ER_TOUCH_MOST];
    const eri_meeting *was = meeting_before(&out->past, a, b);
    eri_meeting m = {.a = a, .b = b, .first = count_of(out)};
    if (!eri_contacts_moves(w, i) && !eri_contacts_moves(w, j)) return keep(s, was, out);
    if (was != NULL) m.cache = was->cache;
    double margin = s->reach[i] + s->reach[j];
    bool swift = eri_swift_is(s, i, j);
    m.count = swift ? eri_swift_touches(w, i, j, h, &m.cache, touch)
                    : er_shape_touches(&A->shape, s->pose[i], &B->shape, s->pose[j], margin, &m.cache, touch);
    if (m.count == 0) return ER_OK;
    out->swift |= swift;
    eri_touching *c = eri_buffer_grow(&out->items, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    double friction = eri_combine(w->def.friction_rule, A->friction, B->friction);
    for (int k = 0; k < m.count; ++k) {
        c[k] = (eri_touching){.shape = {i, j},
                              .feature = touch[k].feature,
                              .point = er_v3_scale(0.5, er_v3_add(touch[k].point[0], touch[k].point[1])),
                              .normal = touch[k].normal,
                              .distance = touch[k].distance,
                              .friction = friction};
        remember(&s->before, was, &c[k]);
    }
    eri_buffer_add(&out->meetings, &m, sizeof m);
    return out->meetings.failure;
}

// Whether a shape comes near a plane at all.
static bool is_near(const eri_contacts *s, int plane, int i)
{
    er_vec3 up = er_q_rotate(s->pose[plane].q, er_v3(0, 0, 1));
    double height = er_v3_dot(up, er_v3_sub(s->pose[i].p, s->pose[plane].p));
    return height <= s->radius[i] + s->reach[i] + s->reach[plane];
}

// Where meetings, from one to another, begin that are not before two shapes.
static cursor cursor_at(const eri_meeting *meeting, int low, int end, int a, int b)
{
    int high = end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const eri_meeting *m = &meeting[middle];
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
    eri_contacts *s = all->w->contacts;
    int end = eri_team_share(s->shape_count, worker + 1, count);
    for (int i = eri_team_share(s->shape_count, worker, count); i < end; ++i)
        place_shape(all->w, i, all->h);
    eri_team_meet(s->team);
    end = eri_team_share(s->bounded_count, worker + 1, count);
    for (int k = eri_team_share(s->bounded_count, worker, count); k < end; ++k) {
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
    const eri_contacts *s = all->w->contacts;
    if (begin == end) return ER_OK;
    out->past = cursor_at(s->before.meeting, 0, s->before.bounded_count, s->bounded[all->pair[begin].a],
                          s->bounded[all->pair[begin].b]);
    for (int k = begin; k < end; ++k) {
        int a = s->bounded[all->pair[k].a], b = s->bounded[all->pair[k].b];
        if (can_meet(all->w, a, b)) ERI_TRY(meet(all->w, a, b, all->h, out));
    }
done:
    return r;
}

// Of each boundless shape with all others: counted through, boundless by boundless.
static er_result meet_boundless(const meeting_all *all, int begin, int end, found *out)
{
    er_result r = ER_OK;
    const eri_contacts *s = all->w->contacts;
    if (begin == end) return ER_OK;
    out->past = cursor_at(s->before.meeting, s->before.bounded_count, s->before.meeting_count,
                          s->boundless[begin / s->bounded_count], s->bounded[begin % s->bounded_count]);
    for (int k = begin; k < end; ++k) {
        int i = s->boundless[k / s->bounded_count], j = s->bounded[k % s->bounded_count];
        if (is_near(s, i, j) && can_meet(all->w, i, j)) ERI_TRY(meet(all->w, i, j, all->h, out));
    }
done:
    return r;
}

static void seek(void *job, int worker, int count)
{
    er_result r = ER_OK;
    const meeting_all *all = job;
    const eri_contacts *s = all->w->contacts;
    found *out = &all->found[worker];
    int most = s->boundless_count * s->bounded_count;
    ERI_TRY(meet_bounded(all, eri_team_share(all->pair_count, worker, count),
                         eri_team_share(all->pair_count, worker + 1, count), out));
    out->bounded_count = meeting_count_of(out);
    ERI_TRY(meet_boundless(all, eri_team_share(most, worker, count), eri_team_share(most, worker + 1, count), out));
done:
    out->result = r;
}

// Takes meetings of a worker, and their contacts, to where those of all are.
static void take(eri_touchings *now, const found *from, int first, int last, int *item, int *meeting)
{
    const eri_meeting *m = (const eri_meeting *)(const void *)from->meetings.bytes;
    const eri_touching *c = (const eri_touching *)(const void *)from->items.bytes;
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
static er_result gather(eri_contacts *s, const found *out, int count)
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
        s->now.item = (eri_touching *)(void *)out->items.bytes;
        s->now.meeting = (eri_meeting *)(void *)out->meetings.bytes;
        return ER_OK;
    }
    ERI_TRY_RESERVE(s->now.item, s->now.arena, eri_touching, rounded(items));
    ERI_TRY_RESERVE(s->now.meeting, s->now.arena, eri_meeting, rounded(meetings));
    for (int k = 0; k < count; ++k)
        take(&s->now, &out[k], 0, out[k].bounded_count, &item, &meeting);
    for (int k = 0; k < count; ++k)
        take(&s->now, &out[k], out[k].bounded_count, meeting_count_of(&out[k]), &item, &meeting);
done:
    return r;
}

// Room for as much as there was, which then need not grow.
static er_result begin(eri_contacts *s, int workers, found *out)
{
    er_result r = ER_OK;
    for (int k = 0; k < workers; ++k) {
        er_arena *arena = workers > 1 ? s->own[k] : s->now.arena;
        if (workers > 1) eri_arena_reset(arena);
        out[k] = (found){.items = {.arena = arena}, .meetings = {.arena = arena}};
        eri_buffer_grow(&out[k].items, rounded(s->before.count / workers) * sizeof(eri_touching));
        eri_buffer_grow(&out[k].meetings, rounded(s->before.meeting_count / workers) * sizeof(eri_meeting));
        ERI_TRY(out[k].items.failure);
        ERI_TRY(out[k].meetings.failure);
        out[k].items.size = out[k].meetings.size = 0;
    }
done:
    return r;
}

er_result eri_contacts_meet(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_touchings last = s->before;
    found out[ERI_THREADS_MOST];
    int workers = eri_team_count(s->team);
    meeting_all all = {.w = w, .h = h, .found = out};
    s->before = s->now;
    eri_arena_reset(last.arena);
    s->now = (eri_touchings){.arena = last.arena};
    ERI_TRY(begin(s, workers, out));
    eri_team_run(s->team, place, &all);
    ERI_TRY(er_sweep_update(s->sweep, s->low, s->high, 0.0, &all.pair, &all.pair_count));
    eri_team_run(s->team, seek, &all);
    for (int k = 0; k < workers; ++k)
        ERI_TRY(out[k].result);
    ERI_TRY(gather(s, out, workers));
done:
    return r;
}
