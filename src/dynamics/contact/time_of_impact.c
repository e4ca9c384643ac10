/// @file
/// What moves farther in a step than it is thick: where it first touches another on its way, by conservative
/// advancement (docs/math/contact.md).
#include <math.h>

#include "dynamics/contact/contact.h"

enum { MOST_ADVANCES = 64 };

static const double near_enough = 0.01; // of the thinner shape's thickness

// How a shape goes through a step.
typedef struct flight {
    const er_world_shape *shape;
    er_pose pose;           // of its body
    er_vec3 com, local;     // of the body, world and body frame
    er_vec3 velocity, spin; // of the centre of mass
    double reach;           // m: of the shape's farthest point from it
} flight;

static flight flight_of(const er_world *w, int shape)
{
    const er_world_shape *a = &w->contacts->shape[shape];
    flight f = {.shape = a, .pose = er_pose_identity()};
    if (a->body < 0) return f;
    const er_twist *v = &w->twist[a->body];
    f.pose = w->pose[a->body];
    f.local = w->model->body[a->body].com;
    f.com = er_pose_point(f.pose, f.local);
    f.spin = er_q_rotate(f.pose.q, v->angular);
    f.velocity = er_q_rotate(f.pose.q, er_v3_add(v->linear, er_v3_cross(v->angular, f.local)));
    f.reach = er_v3_distance(a->pose.p, f.local) + w->contacts->radius[shape];
    return f;
}

static er_pose pose_at(const flight *f, double t)
{
    er_quat q = er_q_unit(er_q_mul(er_q_exp(er_v3_scale(t, f->spin)), f->pose.q));
    er_vec3 com = er_v3_madd(f->com, t, f->velocity);
    return er_pose_mul((er_pose){q, er_v3_sub(com, er_q_rotate(q, f->local))}, f->shape->pose);
}

static double thickness(const er_shape *shape)
{
    er_vec3 low, high;
    if (shape->kind == ER_SHAPE_PLANE || shape->kind == ER_SHAPE_MESH) return HUGE_VAL; // these stand still
    er_shape_box(shape, er_pose_identity(), &low, &high);
    return fmin(high.x - low.x, fmin(high.y - low.y, high.z - low.z));
}

// Of the thinner one of two shapes, m.
static double thinner(const eri_contacts *s, int a, int b)
{
    return fmin(s->thickness[a], s->thickness[b]);
}

bool eri_swift_is(const eri_contacts *s, int a, int b)
{
    return s->reach[a] + s->reach[b] > 2.0 * thinner(s, a, b);
}

void eri_swift_measure(eri_contacts *s)
{
    for (int i = 0; i < s->shape_count; ++i)
        s->thickness[i] = thickness(&s->shape[i].shape);
}

// The first time that two come as near as that; HUGE_VAL where they do not within h.
static double first_touch(const flight *a, const flight *b, double near, double h, er_closest_cache *cache)
{
    double t = 0.0, turning = er_v3_norm(a->spin) * a->reach + er_v3_norm(b->spin) * b->reach;
    for (int k = 0; k < MOST_ADVANCES; ++k) {
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

int eri_swift_touches(const er_world *w, int i, int j, double h, er_closest_cache *cache, er_touch *touch)
{
    flight a = flight_of(w, i), b = flight_of(w, j);
    double thick = thinner(w->contacts, i, j), near = near_enough * thick;
    double t = first_touch(&a, &b, near, h, cache);
    if (t == HUGE_VAL) return 0;
    int count = er_shape_touches(&a.shape->shape, pose_at(&a, t), &b.shape->shape, pose_at(&b, t),
                                 fmax(2.0 * near, 0.1 * thick), cache, touch);
    // back to the step's begin with the one that is faster, the gap such that it closes at that time
    bool first = er_v3_norm(a.velocity) > er_v3_norm(b.velocity);
    er_vec3 back = er_v3_scale(-t, first ? a.velocity : b.velocity);
    for (int k = 0; k < count; ++k) {
        er_touch *at = &touch[k];
        er_vec3 middle = er_v3_scale(0.5, er_v3_add(at->point[0], at->point[1])), point = er_v3_add(middle, back);
        er_vec3 v = er_v3_add(a.velocity, er_v3_cross(a.spin, er_v3_sub(point, a.com)));
        er_vec3 u = er_v3_add(b.velocity, er_v3_cross(b.spin, er_v3_sub(point, b.com)));
        at->distance -= t * er_v3_dot(at->normal, er_v3_sub(u, v));
        at->point[0] = at->point[1] = point;
    }
    return count;
}
