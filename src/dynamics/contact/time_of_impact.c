/// @file
/// Continuous collision of shapes that move farther in a step than they are thick: the time of impact, by conservative
/// advancement (docs/math/contact.md).
#include <math.h>

#include "dynamics/contact/contact_solver.h"

enum { MAX_ADVANCES = 64 };

static const double contact_share = 0.01; // shapes touch at this distance, of the thinner shape's thickness

// The motion of a shape and its body in a step.
typedef struct body_path {
    const er_world_shape *shape;
    er_pose pose;           // of its body
    er_vec3 com, local;     // of the body, world and body frame
    er_vec3 velocity, spin; // of the centre of mass
    double reach;           // m: from the centre of mass to the shape's farthest point
} body_path;

static body_path body_path_of(const er_world *w, int shape)
{
    const er_world_shape *a = &w->contacts->broad.shape[shape];
    body_path f = {.shape = a, .pose = er_pose_identity()};
    if (a->body < 0) return f;
    const er_twist *v = &w->twist[a->body];
    f.pose = w->pose[a->body];
    f.local = w->model->body[a->body].com;
    f.com = er_pose_point(f.pose, f.local);
    f.spin = er_q_rotate(f.pose.q, v->angular);
    f.velocity = er_q_rotate(f.pose.q, er_v3_add(v->linear, er_v3_cross(v->angular, f.local)));
    f.reach = er_v3_distance(a->pose.p, f.local) + w->contacts->broad.radius[shape];
    return f;
}

static er_pose pose_at(const body_path *f, double t)
{
    er_quat q = er_q_unit(er_q_mul(er_q_exp(er_v3_scale(t, f->spin)), f->pose.q));
    er_vec3 com = er_v3_madd(f->com, t, f->velocity);
    return er_pose_mul((er_pose){q, er_v3_sub(com, er_q_rotate(q, f->local))}, f->shape->pose);
}

// The thickness of the thinner shape, m.
static double pair_thickness(const eri_broad_phase *broad, int a, int b)
{
    return fmin(broad->thickness[a], broad->thickness[b]);
}

// The first time at which the distance is `near`; HUGE_VAL if there is none within h.
static double time_of_impact(const body_path *a, const body_path *b, double near, double h, er_closest_cache *cache)
{
    double t = 0.0, turning = er_v3_norm(a->spin) * a->reach + er_v3_norm(b->spin) * b->reach;
    for (int k = 0; k < MAX_ADVANCES; ++k) {
        er_closest c;
        er_shape_closest(&a->shape->shape, pose_at(a, t), &b->shape->shape, pose_at(b, t), cache, &c);
        if (c.distance <= near) return t;
        double closing = er_v3_dot(c.normal, er_v3_sub(a->velocity, b->velocity)) + turning;
        if (!(closing > 0.0)) return HUGE_VAL;
        t += (c.distance - 0.5 * near) / closing;
        if (t > h) return HUGE_VAL;
    }
    return t;
}

int eri_time_of_impact_manifold(const er_world *w, int i, int j, double h, er_closest_cache *cache, double *time,
                                er_manifold_point *touch)
{
    body_path a = body_path_of(w, i), b = body_path_of(w, j);
    double thick = pair_thickness(&w->contacts->broad, i, j), near = contact_share * thick;
    double t = time_of_impact(&a, &b, near, h, cache);
    if (t == HUGE_VAL) return 0;
    *time = t;
    int count = er_shape_manifold(&a.shape->shape, pose_at(&a, t), &b.shape->shape, pose_at(&b, t),
                                  fmax(2.0 * near, 0.1 * thick), cache, touch);
    count = eri_internal_edges_drop_at(w, i, pose_at(&a, t), 0, j, count, touch);
    count = eri_internal_edges_drop_at(w, j, pose_at(&b, t), 1, i, count, touch);
    // moves the points back to the step's begin with the faster body, and sets gaps that close at time t
    bool first = er_v3_norm(a.velocity) > er_v3_norm(b.velocity);
    er_vec3 back = er_v3_scale(-t, first ? a.velocity : b.velocity);
    for (int k = 0; k < count; ++k) {
        er_manifold_point *at = &touch[k];
        er_vec3 middle = er_v3_scale(0.5, er_v3_add(at->point[0], at->point[1])), point = er_v3_add(middle, back);
        er_vec3 v = er_v3_add(a.velocity, er_v3_cross(a.spin, er_v3_sub(point, a.com)));
        er_vec3 u = er_v3_add(b.velocity, er_v3_cross(b.spin, er_v3_sub(point, b.com)));
        at->distance -= t * er_v3_dot(at->normal, er_v3_sub(u, v));
        at->point[0] = at->point[1] = point;
    }
    return count;
}
