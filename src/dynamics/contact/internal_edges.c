/// @file
/// Contacts on internal edges. Shapes whose faces lie flush make one surface, but each of them is collided alone, with
/// edges of its own at the seam. Contacts there whose normal no point of the common surface has are dropped
/// (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

static const double probe_share = 0.01; // of the thinnest shape: how far from the contact the surfaces are probed
static const double flush = 1e-3;       // of the probe's length: faces this far apart are flush
static const double aligned = 1e-5;     // 1 - cosine of two normals that are the same

static const double still_share = 0.1; // of the speed that weight gives in a step: slower bodies meet no edges

// A contact of a shape that slides with another one, seen from there.
typedef struct surface_contact {
    int shape;              // of the surface
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

// The shape opposite a side of a manifold. A side is numbered: twice its manifold's index, and 1 for the second shape.
static int other_of(const eri_manifold *m, int end)
{
    return end % 2 == 0 ? m->b : m->a;
}

static surface_contact surface_contact_of(const eri_contact_point *c, int mover)
{
    int side = c->shape[0] == mover ? 1 : 0;
    double half = side == 0 ? -0.5 : 0.5; // of the way between the surfaces
    return (surface_contact){c->shape[side], er_v3_madd(c->point, half * c->distance, c->normal),
                             er_v3_scale(side == 0 ? 1.0 : -1.0, c->normal)};
}

static bool has_edges(const er_shape *shape)
{
    return shape->kind == ER_SHAPE_BOX || shape->kind == ER_SHAPE_HULL || shape->kind == ER_SHAPE_MESH;
}

// The edges of shapes that move count only for bodies that run into them: bodies at rest are many.
static bool runs_into(const er_world *w, int mover, const surface_contact *c, double least)
{
    er_vec3 speed = er_v3_sub(eri_shape_velocity_at(w, mover, c->point), eri_shape_velocity_at(w, c->shape, c->point));
    return er_v3_dot(speed, c->outward) < -least;
}

// Whether two shapes move as one at a point, so that they can make one surface.
static bool move_alike(const er_world *w, int a, int b, er_vec3 point, double most)
{
    er_vec3 speed = er_v3_sub(eri_shape_velocity_at(w, a, point), eri_shape_velocity_at(w, b, point));
    return er_v3_dot(speed, speed) <= most * most;
}

// Whether another shape's contact with the same shape covers the edge that a point is on.
static bool is_hidden_by_others(const er_world *w, const int *next, int end, int mover, int point, double least)
{
    const eri_contacts *s = w->contacts;
    const eri_manifolds *now = &s->narrow.now;
    const surface_contact c = surface_contact_of(&now->point[point], mover);
    bool is_fixed = is_static(s, c.shape), runs = false;
    if (!is_fixed && !(runs = runs_into(w, mover, &c, least))) return false;
    for (int k = s->narrow.first_manifold[mover]; k >= 0; k = next[k]) {
        const eri_manifold *m = &now->manifold[k / 2];
        int surface = other_of(m, k);
        if (k == end) continue;
        if (!is_fixed || !is_static(s, surface)) {
            if (!runs && !(runs = runs_into(w, mover, &c, least))) continue;
            if (!move_alike(w, c.shape, surface, c.point, least)) continue;
        }
        for (int i = m->first; i < m->first + m->count; ++i) {
            const surface_contact by = surface_contact_of(&now->point[i], mover);
            if (is_hidden(&s->broad, &c, &by, s->broad.thickness[mover])) return true;
        }
    }
    return false;
}

// Whether a hidden point hides another one of its manifold: with the same normal, and no nearer.
static bool hides_along(er_vec3 normal, double distance, er_vec3 other_normal, double other_distance)
{
    return er_v3_dot(normal, other_normal) >= 1.0 - aligned && other_distance >= distance;
}

// The shape that slides, of a side of a manifold; -1: it is static, or no shapes of the other side's kind have edges.
static int mover_of(const eri_contacts *s, int end)
{
    const eri_manifold *m = &s->narrow.now.manifold[end / 2];
    int mover = end % 2 == 0 ? m->a : m->b;
    return is_static(s, mover) || (!s->narrow.edges_move && !is_static(s, other_of(m, end))) ? -1 : mover;
}

// Whether a side of a manifold can meet internal edges.
static bool can_slide(const eri_contacts *s, const int *next, int end, int mover)
{
    const eri_manifold *m = &s->narrow.now.manifold[end / 2];
    int other = other_of(m, end);
    return next[s->narrow.first_manifold[mover]] >= 0 && !eri_pair_is_continuous(&s->broad, m->a, m->b) &&
           (is_static(s, other) || has_edges(&s->broad.shape[other].shape)) &&
           !eri_contact_is_asleep(s, &s->narrow.now.point[m->first]);
}

// Marks hidden points.   @param h  s   @return whether there are any
static bool find_hidden(const er_world *w, const int *next, double h, bool *hidden)
{
    const eri_contacts *s = w->contacts;
    const eri_manifolds *now = &s->narrow.now;
    double least = still_share * er_v3_norm(w->def.gravity) * h;
    bool is_any = false;
    for (int end = 0; end < 2 * now->manifold_count; ++end) {
        const eri_manifold *m = &now->manifold[end / 2];
        int mover = mover_of(s, end);
        if (mover < 0 || !can_slide(s, next, end, mover)) continue;
        for (int i = m->first; i < m->first + m->count; ++i) {
            if (hidden[i] || !is_hidden_by_others(w, next, end, mover, i, least)) continue;
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
    bool edges_stand = false;
    for (int i = 0; i < s->broad.shape_count; ++i) {
        if (!is_static(s, i)) continue;
        narrow->static_shape[narrow->static_count++] = i;
        edges_stand |= s->broad.shape[i].shape.kind != ER_SHAPE_PLANE;
    }
    for (int i = 0; i < s->broad.shape_count; ++i)
        narrow->edges_move |= !is_static(s, i) && has_edges(&s->broad.shape[i].shape);
    if ((narrow->static_count >= 2 && edges_stand) || narrow->edges_move)
        ERI_TRY_NEW(narrow->first_manifold, w->arena, int, s->broad.shape_count);
done:
    return r;
}

er_result eri_internal_edges_drop(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_manifolds *now = &s->narrow.now;
    int *first = s->narrow.first_manifold, *next;
    bool *hidden, is_any = false;
    if (first == NULL) return ER_OK;
    memset(first, -1, (size_t)s->broad.shape_count * sizeof *first);
    ERI_TRY_RESERVE(next, now->arena, int, 2 * (size_t)now->manifold_count);
    for (int end = 0; end < 2 * now->manifold_count; ++end) {
        int mover = mover_of(s, end);
        if (mover < 0) continue;
        is_any |= first[mover] >= 0;
        next[end] = first[mover];
        first[mover] = end;
    }
    if (is_any) {
        ERI_TRY_NEW(hidden, now->arena, bool, now->point_count);
        if (find_hidden(w, next, h, hidden)) remove_hidden(now, hidden);
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
