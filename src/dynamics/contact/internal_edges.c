/// @file
/// Contacts on internal edges. Static shapes whose faces lie flush make one surface, but each of them is collided
/// alone, with edges of its own at the seam. Contacts there whose normal no point of the common surface has are dropped
/// (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

static const double probe_share = 0.01; // of the thinnest shape: how far from the contact the surfaces are probed
static const double flush = 1e-3;       // of the probe's length: faces this far apart are flush
static const double aligned = 1e-5;     // 1 - cosine of two normals that are the same

// A contact of a shape with a static one, seen from there.
typedef struct surface_contact {
    int shape;              // static
    er_vec3 point, outward; // on its surface; toward the other shape
} surface_contact;

static double distance_to(const eri_broad_phase *broad, int shape, er_vec3 point)
{
    const er_shape dot = {.kind = ER_SHAPE_SPHERE};
    er_closest c;
    er_shape_closest(&dot, (er_pose){er_q_identity(), point}, &broad->shape[shape].shape, broad->pose[shape], NULL, &c);
    return c.distance;
}

// Whether the surface at `by` covers the edge that `c` is on: `c` is a point of it too, from where it is nearer to the
// other shape than `c` is, and the shape of `c` does not stand out of it there.
static bool is_hidden(const eri_broad_phase *broad, const surface_contact *c, const surface_contact *by, double thin)
{
    double probe = probe_share * fmin(thin, fmin(broad->thickness[c->shape], broad->thickness[by->shape]));
    if (!(er_v3_dot(c->outward, by->outward) < 1.0 - aligned)) return false;
    if (!(distance_to(broad, by->shape, c->point) <= flush * probe)) return false;
    er_vec3 point = er_v3_madd(c->point, er_v3_dot(by->outward, er_v3_sub(by->point, c->point)), by->outward);
    return distance_to(broad, by->shape, er_v3_madd(point, probe, c->outward)) < (1.0 - aligned) * probe &&
           distance_to(broad, c->shape, er_v3_madd(point, probe, by->outward)) >= (1.0 - flush) * probe;
}

// ---- Contacts of the narrow phase

static bool is_static(const eri_contacts *s, int shape)
{
    return eri_moving_slot(&s->bodies, shape) < 0;
}

// Which shape of a manifold moves while the other is static; -1: none does.
static int mover_of(const eri_contacts *s, const eri_manifold *m)
{
    bool first = is_static(s, m->a), second = is_static(s, m->b);
    return first == second ? -1 : first ? m->b : m->a;
}

static surface_contact surface_contact_of(const eri_contact_point *c, int mover)
{
    int side = c->shape[0] == mover ? 1 : 0;
    double half = side == 0 ? -0.5 : 0.5; // of the way between the surfaces
    return (surface_contact){c->shape[side], er_v3_madd(c->point, half * c->distance, c->normal),
                             er_v3_scale(side == 0 ? 1.0 : -1.0, c->normal)};
}

// Whether another static shape's contact with the same shape covers the edge that a point is on.
static bool is_hidden_by_others(const eri_contacts *s, const int *next, int manifold, int mover, int point)
{
    const eri_manifolds *now = &s->narrow.now;
    const surface_contact c = surface_contact_of(&now->point[point], mover);
    for (int k = s->narrow.first_manifold[mover]; k >= 0; k = next[k])
        for (int i = now->manifold[k].first; i < now->manifold[k].first + now->manifold[k].count && k != manifold;
             ++i) {
            const surface_contact by = surface_contact_of(&now->point[i], mover);
            if (is_hidden(&s->broad, &c, &by, s->broad.thickness[mover])) return true;
        }
    return false;
}

// Whether a hidden point hides another one of its manifold: with the same normal, and no nearer.
static bool hides_along(er_vec3 normal, double distance, er_vec3 other_normal, double other_distance)
{
    return er_v3_dot(normal, other_normal) >= 1.0 - aligned && other_distance >= distance;
}

// Marks hidden points.   @return whether there are any
static bool find_hidden(const eri_contacts *s, const int *next, bool *hidden)
{
    const eri_manifolds *now = &s->narrow.now;
    bool is_any = false;
    for (int k = 0; k < now->manifold_count; ++k) {
        const eri_manifold *m = &now->manifold[k];
        int mover = mover_of(s, m);
        if (mover < 0 || next[s->narrow.first_manifold[mover]] < 0 || eri_pair_is_continuous(&s->broad, m->a, m->b) ||
            eri_contact_is_asleep(s, &now->point[m->first]))
            continue;
        for (int i = m->first; i < m->first + m->count; ++i) {
            if (hidden[i] || !is_hidden_by_others(s, next, k, mover, i)) continue;
            const eri_contact_point *c = &now->point[i];
            for (int j = m->first; j < m->first + m->count; ++j)
                hidden[j] |= hides_along(c->normal, c->distance, now->point[j].normal, now->point[j].distance);
            is_any = true;
        }
    }
    return is_any;
}

static void remove_hidden(eri_manifolds *now, const bool *hidden)
{
    int manifolds = 0, points = 0, bounded = 0;
    for (int k = 0; k < now->manifold_count; ++k) {
        eri_manifold m = now->manifold[k];
        int first = points;
        for (int i = m.first; i < m.first + m.count; ++i)
            if (!hidden[i]) now->point[points++] = now->point[i];
        m.first = first;
        m.count = points - first;
        if (m.count == 0) continue;
        bounded += k < now->bounded_count;
        now->manifold[manifolds++] = m;
    }
    now->manifold_count = manifolds;
    now->bounded_count = bounded;
    now->point_count = points;
}

er_result eri_internal_edges_create(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    eri_narrow_phase *narrow = &s->narrow;
    ERI_TRY_NEW(narrow->static_shape, w->arena, int, s->broad.shape_count);
    for (int i = 0; i < s->broad.shape_count; ++i)
        if (is_static(s, i)) narrow->static_shape[narrow->static_count++] = i;
    if (narrow->static_count >= 2) ERI_TRY_NEW(narrow->first_manifold, w->arena, int, s->broad.shape_count);
done:
    return r;
}

er_result eri_internal_edges_drop(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_manifolds *now = &s->narrow.now;
    int *first = s->narrow.first_manifold, *next;
    bool *hidden, is_any = false;
    if (first == NULL) return ER_OK;
    memset(first, -1, (size_t)s->broad.shape_count * sizeof *first);
    ERI_TRY_RESERVE(next, now->arena, int, now->manifold_count);
    for (int k = 0; k < now->manifold_count; ++k) {
        int mover = mover_of(s, &now->manifold[k]);
        if (mover < 0) continue;
        is_any |= first[mover] >= 0;
        next[k] = first[mover];
        first[mover] = k;
    }
    if (is_any) {
        ERI_TRY_NEW(hidden, now->arena, bool, now->point_count);
        if (find_hidden(s, next, hidden)) remove_hidden(now, hidden);
    }
done:
    return r;
}

// ---- Contacts at a time of impact

// Whether a static shape's contact with the same shape covers the edge that `c` is on.
static bool is_hidden_by(const er_world *w, int mover, er_pose pose, int shape, const surface_contact *c)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    er_manifold_point touch[ER_MANIFOLD_MAX];
    bool is_bounded = broad->radius[shape] > 0.0;
    if (shape == c->shape || broad->shape[mover].body == broad->shape[shape].body) return false;
    if (is_bounded && er_v3_distance(c->point, broad->pose[shape].p) > (1.0 + flush) * broad->radius[shape])
        return false;
    if (!(distance_to(broad, shape, c->point) <= flush * broad->thickness[mover])) return false;
    int count = er_shape_manifold(&broad->shape[mover].shape, pose, &broad->shape[shape].shape, broad->pose[shape],
                                  broad->reach[mover], NULL, touch);
    for (int i = 0; i < count; ++i) {
        const surface_contact by = {shape, touch[i].point[1], er_v3_scale(-1.0, touch[i].normal)};
        if (is_hidden(broad, c, &by, broad->thickness[mover])) return true;
    }
    return false;
}

int eri_internal_edges_drop_at(const er_world *w, int mover, er_pose pose, int side, int other, int count,
                               er_manifold_point *touch)
{
    const eri_narrow_phase *narrow = &w->contacts->narrow;
    bool hidden[ER_MANIFOLD_MAX] = {false};
    int left = 0;
    if (narrow->first_manifold == NULL || !is_static(w->contacts, other) || is_static(w->contacts, mover)) return count;
    for (int i = 0; i < count; ++i) {
        const surface_contact c = {other, touch[i].point[1 - side],
                                   er_v3_scale(side == 0 ? -1.0 : 1.0, touch[i].normal)};
        bool is_covered = false;
        for (int k = 0; k < narrow->static_count && !is_covered; ++k)
            is_covered = is_hidden_by(w, mover, pose, narrow->static_shape[k], &c);
        for (int j = 0; j < count && is_covered; ++j)
            hidden[j] |= hides_along(touch[i].normal, touch[i].distance, touch[j].normal, touch[j].distance);
    }
    for (int i = 0; i < count; ++i)
        if (!hidden[i]) touch[left++] = touch[i];
    return left;
}
