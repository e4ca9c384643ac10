/// @file
/// The narrow phase: contact points of the pairs that the broad phase lists, with the impulses of the previous step.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "dynamics/contact/contact_solver.h"

// ---- One pair

// Copies the impulse of the point with the same feature; friction is turned to the new tangents.
static void copy_impulse(const eri_manifolds *before, const eri_manifold *previous, eri_contact_point *c)
{
    for (int k = 0; previous != NULL && k < previous->count; ++k) {
        const eri_contact_point *old = &before->point[previous->first + k];
        if (old->feature != c->feature) continue;
        const eri_contact_frame from = eri_contact_frame_of(old), to = eri_contact_frame_of(c);
        const double tangents[3] = {0.0, old->impulse[1], old->impulse[2]};
        er_vec3 friction = eri_contact_frame_sum(&from, tangents);
        c->impulse[0] = old->impulse[0];
        for (int d = 1; d < 3; ++d)
            c->impulse[d] = er_v3_dot(friction, to.axis[d]);
        return;
    }
}

// Walks the manifolds of the previous step in their order.
typedef struct manifold_cursor {
    const eri_manifold *manifold;
    int at, end;
} manifold_cursor;

static bool is_before(const eri_manifold *m, int a, int b)
{
    return m->a < a || (m->a == a && m->b < b);
}

static const eri_manifold *previous_manifold(manifold_cursor *c, int a, int b)
{
    while (c->at < c->end && is_before(&c->manifold[c->at], a, b))
        ++c->at;
    if (c->at == c->end) return NULL;
    const eri_manifold *m = &c->manifold[c->at];
    return m->a == a && m->b == b ? m : NULL;
}

// A cursor in [low, end) at the first manifold that is not before (a, b).
static manifold_cursor cursor_at(const eri_manifold *manifold, int low, int end, int a, int b)
{
    int high = end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (is_before(&manifold[middle], a, b))
            low = middle + 1;
        else
            high = middle;
    }
    return (manifold_cursor){manifold, low, end};
}

// The manifolds that one worker finds, in the order in which a single worker would find them.
typedef struct worker_output {
    eri_buffer points, manifolds;
    manifold_cursor previous;
    int bounded_count;  // manifolds of two bounded shapes
    bool is_continuous; // some pair uses its time of impact
    bool rolls_on_rim;  // some point has the feature ERI_FEATURE_RIM
    er_result result;
} worker_output;

static int point_count_of(const worker_output *out)
{
    return (int)(out->points.size / sizeof(eri_contact_point));
}

static int manifold_count_of(const worker_output *out)
{
    return (int)(out->manifolds.size / sizeof(eri_manifold));
}

// Copies the previous manifold of two shapes that have not moved.
static er_result keep_manifold(const eri_manifolds *before, const eri_manifold *previous, worker_output *out)
{
    if (previous == NULL) return ER_OK;
    eri_manifold m = *previous;
    m.first = point_count_of(out);
    eri_contact_point *c = eri_buffer_grow(&out->points, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    memcpy(c, before->point + previous->first, (size_t)m.count * sizeof *c);
    eri_buffer_add(&out->manifolds, &m, sizeof m);
    return out->manifolds.failure;
}

static er_result collide_pair(const er_world *w, int a, int b, double h, worker_output *out)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    const eri_manifolds *before = &w->contacts->narrow.before;
    int i = a < b ? a : b, j = a < b ? b : a;
    const er_world_shape *A = &broad->shape[i], *B = &broad->shape[j];
    er_manifold_point touch[ER_MANIFOLD_MAX];
    const eri_manifold *previous = previous_manifold(&out->previous, a, b);
    eri_manifold m = {.a = a, .b = b, .first = point_count_of(out)};
    if (!eri_shape_has_moved(w, i) && !eri_shape_has_moved(w, j)) return keep_manifold(before, previous, out);
    if (previous != NULL) m.cache = previous->cache, m.turn = previous->turn;
    double margin = broad->reach[i] + broad->reach[j];
    bool is_continuous = eri_pair_is_continuous(broad, i, j);
    m.count = is_continuous
                  ? eri_time_of_impact_manifold(w, i, j, h, &m.cache, &m.time, touch)
                  : er_shape_manifold(&A->shape, broad->pose[i], &B->shape, broad->pose[j], margin, &m.cache, touch);
    if (m.count == 0) return ER_OK;
    out->is_continuous |= is_continuous;
    if (previous != NULL && !is_continuous) m.count = eri_half_step_manifold(w, i, j, h, &m.cache, m.count, touch);
    if (m.count == 0) return ER_OK;
    out->rolls_on_rim |= touch[0].feature == ERI_FEATURE_RIM;
    eri_contact_point *c = eri_buffer_grow(&out->points, (size_t)m.count * sizeof *c);
    if (c == NULL) return ER_ERROR_MEMORY;
    double friction = eri_combine(w->def.friction_rule, A->friction, B->friction);
    for (int k = 0; k < m.count; ++k) {
        c[k] = (eri_contact_point){.shape = {i, j},
                                   .feature = touch[k].feature,
                                   .point = er_v3_scale(0.5, er_v3_add(touch[k].point[0], touch[k].point[1])),
                                   .normal = touch[k].normal,
                                   .distance = touch[k].distance,
                                   .friction = friction};
        copy_impulse(before, previous, &c[k]);
    }
    eri_buffer_add(&out->manifolds, &m, sizeof m);
    return out->manifolds.failure;
}

// ---- All pairs

// Work that workers share.
typedef struct collide_job {
    er_world *w;
    double h;
    const er_sweep_pair *pair;
    int pair_count;
    worker_output *output; // [workers]
} collide_job;

static er_result collide_bounded(const collide_job *all, int begin, int end, worker_output *out)
{
    er_result r = ER_OK;
    const eri_contacts *s = all->w->contacts;
    const eri_manifolds *before = &s->narrow.before;
    const int *bounded = s->broad.bounded;
    if (begin == end) return ER_OK;
    out->previous =
        cursor_at(before->manifold, 0, before->bounded_count, bounded[all->pair[begin].a], bounded[all->pair[begin].b]);
    for (int k = begin; k < end; ++k) {
        int a = bounded[all->pair[k].a], b = bounded[all->pair[k].b];
        if (eri_shapes_can_collide(s, a, b)) ERI_TRY(collide_pair(all->w, a, b, all->h, out));
    }
done:
    return r;
}

// Whether a bounded shape is near a plane, or near any other unbounded shape.
static bool is_near(const eri_broad_phase *broad, int plane, int i)
{
    er_vec3 up = er_q_rotate(broad->pose[plane].q, er_v3(0, 0, 1));
    double height = er_v3_dot(up, er_v3_sub(broad->pose[i].p, broad->pose[plane].p));
    return height <= broad->radius[i] + broad->reach[i] + broad->reach[plane];
}

// All pairs of an unbounded and a bounded shape, numbered by the unbounded shape first.
static er_result collide_unbounded(const collide_job *all, int begin, int end, worker_output *out)
{
    er_result r = ER_OK;
    const eri_contacts *s = all->w->contacts;
    const eri_broad_phase *broad = &s->broad;
    const eri_manifolds *before = &s->narrow.before;
    if (begin == end) return ER_OK;
    out->previous =
        cursor_at(before->manifold, before->bounded_count, before->manifold_count,
                  broad->unbounded[begin / broad->bounded_count], broad->bounded[begin % broad->bounded_count]);
    for (int k = begin; k < end; ++k) {
        int i = broad->unbounded[k / broad->bounded_count], j = broad->bounded[k % broad->bounded_count];
        if (is_near(broad, i, j) && eri_shapes_can_collide(s, i, j)) ERI_TRY(collide_pair(all->w, i, j, all->h, out));
    }
done:
    return r;
}

static void collide_some(void *job, int worker, int count)
{
    er_result r = ER_OK;
    const collide_job *all = job;
    const eri_broad_phase *broad = &all->w->contacts->broad;
    worker_output *out = &all->output[worker];
    int unbounded = broad->unbounded_count * broad->bounded_count;
    ERI_TRY(collide_bounded(all, eri_team_share(all->pair_count, worker, count),
                            eri_team_share(all->pair_count, worker + 1, count), out));
    out->bounded_count = manifold_count_of(out);
    ERI_TRY(collide_unbounded(all, eri_team_share(unbounded, worker, count),
                              eri_team_share(unbounded, worker + 1, count), out));
done:
    out->result = r;
}

// ---- Workers' results

// Appends a worker's manifolds in [first, last) and their points to those of the step.
static void append_manifolds(eri_manifolds *now, const worker_output *from, int first, int last)
{
    const eri_manifold *m = (const eri_manifold *)(const void *)from->manifolds.bytes;
    const eri_contact_point *c = (const eri_contact_point *)(const void *)from->points.bytes;
    if (first == last) return;
    int begin = m[first].first, end = m[last - 1].first + m[last - 1].count;
    memcpy(now->point + now->point_count, c + begin, (size_t)(end - begin) * sizeof *c);
    for (int i = first; i < last; ++i) {
        eri_manifold *to = &now->manifold[now->manifold_count++];
        *to = m[i];
        to->first += now->point_count - begin;
    }
    now->point_count += end - begin;
}

// A power of two: the arena reuses blocks that are large enough.
static size_t round_up(int count)
{
    size_t size = 64;
    while (size < (size_t)count)
        size *= 2;
    return size;
}

static er_result merge_outputs(eri_narrow_phase *narrow, const worker_output *out, int count)
{
    er_result r = ER_OK;
    eri_manifolds *now = &narrow->now;
    int points = 0, manifolds = 0;
    narrow->is_continuous = narrow->rolls_on_rim = false;
    for (int k = 0; k < count; ++k) {
        points += point_count_of(&out[k]);
        manifolds += manifold_count_of(&out[k]);
        now->bounded_count += out[k].bounded_count;
        narrow->is_continuous |= out[k].is_continuous;
        narrow->rolls_on_rim |= out[k].rolls_on_rim;
    }
    if (count == 1) {
        now->point = (eri_contact_point *)(void *)out->points.bytes;
        now->manifold = (eri_manifold *)(void *)out->manifolds.bytes;
        now->point_count = points;
        now->manifold_count = manifolds;
        return ER_OK;
    }
    ERI_TRY_RESERVE(now->point, now->arena, eri_contact_point, round_up(points));
    ERI_TRY_RESERVE(now->manifold, now->arena, eri_manifold, round_up(manifolds));
    for (int k = 0; k < count; ++k)
        append_manifolds(now, &out[k], 0, out[k].bounded_count);
    for (int k = 0; k < count; ++k)
        append_manifolds(now, &out[k], out[k].bounded_count, manifold_count_of(&out[k]));
done:
    return r;
}

// Reserves as much as the previous step needed.
static er_result begin_outputs(eri_contacts *s, int workers, worker_output *out)
{
    er_result r = ER_OK;
    const eri_manifolds *before = &s->narrow.before;
    for (int k = 0; k < workers; ++k) {
        er_arena *arena = workers > 1 ? s->workers.arena[k] : s->narrow.now.arena;
        if (workers > 1) eri_arena_reset(arena);
        out[k] = (worker_output){.points = {.arena = arena}, .manifolds = {.arena = arena}};
        eri_buffer_grow(&out[k].points, round_up(before->point_count / workers) * sizeof(eri_contact_point));
        eri_buffer_grow(&out[k].manifolds, round_up(before->manifold_count / workers) * sizeof(eri_manifold));
        ERI_TRY(out[k].points.failure);
        ERI_TRY(out[k].manifolds.failure);
        out[k].points.size = out[k].manifolds.size = 0;
    }
done:
    return r;
}

er_result eri_contacts_collide(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_manifolds oldest = s->narrow.before;
    worker_output out[ERI_THREADS_MOST];
    int workers = eri_team_count(s->workers.team);
    collide_job all = {.w = w, .h = h, .output = out};
    s->state.step = h;
    s->state.impact_speed = 2.0 * er_v3_norm(w->def.gravity) * h;
    s->narrow.before = s->narrow.now;
    eri_arena_reset(oldest.arena);
    s->narrow.now = (eri_manifolds){.arena = oldest.arena};
    ERI_TRY(begin_outputs(s, workers, out));
    ERI_TRY(eri_broad_phase_update(w, h, &all.pair, &all.pair_count));
    eri_team_run(s->workers.team, collide_some, &all);
    for (int k = 0; k < workers; ++k)
        ERI_TRY(out[k].result);
    ERI_TRY(merge_outputs(&s->narrow, out, workers));
    ERI_TRY(eri_internal_edges_drop(w, h));
done:
    return r;
}

er_contact er_world_contact(const er_world *w, int index)
{
    const eri_contact_point *c = &w->contacts->narrow.now.point[index];
    er_contact out = {
        .shape = {c->shape[0], c->shape[1]}, .point = c->point, .normal = c->normal, .distance = c->distance};
    const eri_contact_frame frame = eri_contact_frame_of(c);
    out.impulse = eri_contact_frame_sum(&frame, c->total);
    return out;
}

int er_world_shape_body(const er_world *w, int shape)
{
    return w->contacts != NULL ? w->contacts->broad.shape[shape].body : -1;
}

int er_world_contact_count(const er_world *w)
{
    return w->contacts != NULL ? w->contacts->narrow.now.point_count : 0;
}
