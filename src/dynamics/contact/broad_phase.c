/// @file
/// The broad phase: shapes and boxes as they stand in a step, and the pairs whose boxes overlap.
#include <math.h>

#include "dynamics/contact/contact_solver.h"

static const double min_reach = 1e-3; // of a shape's radius: rounding does not separate shapes at rest

// The least distance between a face of a hull and the plane beside it on the other side.
static double hull_width(const er_hull *hull)
{
    double least = HUGE_VAL;
    for (int f = 0; f < hull->face_count; ++f) {
        er_vec3 on = hull->vertex[hull->face_vertex[hull->face_start[f]]];
        double width = 0.0;
        for (int v = 0; v < hull->vertex_count; ++v)
            width = fmax(width, er_v3_dot(hull->plane[f].normal, er_v3_sub(on, hull->vertex[v])));
        least = fmin(least, width);
    }
    return least;
}

// The thickness of a shape, m; HUGE_VAL for planes and meshes.
static double thickness_of(const er_shape *shape)
{
    er_vec3 low, high;
    if (shape->kind == ER_SHAPE_PLANE || shape->kind == ER_SHAPE_MESH) return HUGE_VAL;
    er_shape_box(shape, er_pose_identity(), &low, &high);
    double least = fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z));
    return shape->kind == ER_SHAPE_HULL ? fmin(least, hull_width(shape->hull)) : least;
}

static er_result allocate(er_world *w, eri_broad_phase *broad)
{
    er_result r = ER_OK;
    size_t n = (size_t)broad->shape_count;
    ERI_TRY_NEW(broad->radius, w->arena, double, n);
    ERI_TRY_NEW(broad->pose, w->arena, er_pose, n);
    ERI_TRY_NEW(broad->reach, w->arena, double, n);
    ERI_TRY_NEW(broad->thickness, w->arena, double, n);
    ERI_TRY_NEW(broad->bounded, w->arena, int, n);
    ERI_TRY_NEW(broad->unbounded, w->arena, int, n);
    ERI_TRY_NEW(broad->low, w->arena, er_vec3, n);
    ERI_TRY_NEW(broad->high, w->arena, er_vec3, n);
done:
    return r;
}

er_result eri_broad_phase_create(er_world *w, eri_broad_phase *broad)
{
    er_result r = ER_OK;
    er_world_shape *shape;
    broad->shape_count = w->def.shape_count;
    ERI_TRY(allocate(w, broad));
    ERI_TRY_NEW(shape, w->arena, er_world_shape, (size_t)broad->shape_count);
    for (int i = 0; i < broad->shape_count; ++i) {
        er_vec3 low, high;
        shape[i] = w->def.shape[i];
        shape[i].pose.q = er_q_unit(shape[i].pose.q);
        shape[i].name = NULL;
        broad->runs |= eri_surface_runs(&shape[i]);
        broad->has_grain |= eri_shape_has_grain(&shape[i]);
        broad->thickness[i] = thickness_of(&shape[i].shape);
        er_shape_box(&shape[i].shape, er_pose_identity(), &low, &high);
        if (er_v3_finite(low) && er_v3_finite(high)) {
            broad->radius[i] = er_v3_norm(er_v3(fmax(-low.x, high.x), fmax(-low.y, high.y), fmax(-low.z, high.z)));
            broad->bounded[broad->bounded_count++] = i;
        } else {
            broad->unbounded[broad->unbounded_count++] = i;
        }
    }
    broad->shape = shape;
    ERI_TRY(er_sweep_create(w->context, broad->bounded_count, &broad->sweep));
    ERI_TRY(eri_pair_filter_create(w->arena, &w->def, &broad->filter));
done:
    return r;
}

static void place_shape(const er_world *w, int i, double h)
{
    eri_broad_phase *broad = &w->contacts->broad;
    const er_world_shape *a = &broad->shape[i];
    double fall = er_v3_norm(w->def.gravity) * h;
    broad->pose[i] = a->body < 0 ? a->pose : er_pose_mul(w->pose[a->body], a->pose);
    broad->reach[i] = min_reach * broad->radius[i];
    if (a->body < 0) return;
    const er_twist *v = &w->twist[a->body];
    double speed = er_v3_norm(er_v3_add(v->linear, er_v3_cross(v->angular, a->pose.p)));
    speed += er_v3_norm(v->angular) * broad->radius[i];
    broad->reach[i] += h * (speed + (eri_is_static(&w->contacts->bodies, a->body) ? 0.0 : fall));
}

// Work that workers share.
typedef struct broad_job {
    er_world *w;
    double h;
} broad_job;

static void update_some(void *job, int worker, int count)
{
    const broad_job *all = job;
    eri_broad_phase *broad = &all->w->contacts->broad;
    int end = eri_team_share(broad->shape_count, worker + 1, count);
    for (int i = eri_team_share(broad->shape_count, worker, count); i < end; ++i)
        place_shape(all->w, i, all->h);
    eri_team_meet(all->w->contacts->workers.team);
    end = eri_team_share(broad->bounded_count, worker + 1, count);
    for (int k = eri_team_share(broad->bounded_count, worker, count); k < end; ++k) {
        int i = broad->bounded[k];
        er_vec3 reach = er_v3(broad->reach[i], broad->reach[i], broad->reach[i]);
        er_shape_box(&broad->shape[i].shape, broad->pose[i], &broad->low[k], &broad->high[k]);
        broad->low[k] = er_v3_sub(broad->low[k], reach);
        broad->high[k] = er_v3_add(broad->high[k], reach);
    }
}

er_result eri_broad_phase_update(er_world *w, double h, const er_sweep_pair **pair, int *pair_count)
{
    eri_broad_phase *broad = &w->contacts->broad;
    eri_team_run(w->contacts->workers.team, update_some, &(broad_job){w, h});
    er_result r = er_sweep_update(broad->sweep, broad->low, broad->high, 0.0, &broad->pair, &broad->pair_count);
    *pair = broad->pair;
    *pair_count = broad->pair_count;
    return r;
}

bool eri_shapes_can_collide(const eri_contacts *s, int i, int j)
{
    const er_world_shape *a = &s->broad.shape[i], *b = &s->broad.shape[j];
    if (a->body == b->body || (eri_is_static(&s->bodies, a->body) && eri_is_static(&s->bodies, b->body))) return false;
    return (a->groups & b->ignores) == 0 && (b->groups & a->ignores) == 0 &&
           (s->broad.filter.count == 0 || !eri_pair_filter_excludes(&s->broad.filter, a->body, b->body));
}

bool eri_pair_is_continuous(const eri_broad_phase *broad, int a, int b)
{
    return broad->reach[a] + broad->reach[b] > 2.0 * fmin(broad->thickness[a], broad->thickness[b]);
}
