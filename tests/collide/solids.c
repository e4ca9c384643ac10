/// @file
/// Shapes by chance, and what the tests of touches ask of them.
#include "collide/solids.h"

#include "support/context.h"

solid roll_solid(dice *d, er_shape_kind kind, double size)
{
    solid s = {.shape = {.kind = kind}, .pose = {roll_rotation(d), {0, 0, 0}}};
    s.shape.radius = size * roll(d, 0.1, 0.6);
    s.shape.length = size * roll(d, 0.2, 1.5);
    s.shape.half = er_v3_scale(size, er_v3(roll(d, 0.1, 0.7), roll(d, 0.1, 0.7), roll(d, 0.1, 0.7)));
    if (kind == ER_SHAPE_HULL) s.shape.hull = roll_hull(d, roll_int(d, 0, 1), roll_int(d, 4, 40), 0.7 * size);
    return s;
}

void solid_free(solid *s)
{
    er_hull_destroy((er_hull *)s->shape.hull);
}

double solid_reach(const solid *s, er_vec3 world)
{
    const er_shape *h = &s->shape;
    er_vec3 n = er_q_rotate(er_q_conj(s->pose.q), world);
    double most = -HUGE_VAL;
    switch (h->kind) {
    case ER_SHAPE_SPHERE:
        return h->radius;
    case ER_SHAPE_CAPSULE:
        return h->radius + fabs(n.z) * h->length / 2;
    case ER_SHAPE_BOX:
        return fabs(n.x) * h->half.x + fabs(n.y) * h->half.y + fabs(n.z) * h->half.z;
    case ER_SHAPE_CYLINDER:
        return h->radius * hypot(n.x, n.y) + fabs(n.z) * h->length / 2;
    default:
        for (int v = 0; v < h->hull->vertex_count; ++v)
            most = fmax(most, er_v3_dot(n, h->hull->vertex[v]));
        return most;
    }
}

double solid_height(const solid *s, er_vec3 world)
{
    const er_shape *h = &s->shape;
    er_vec3 x = er_pose_point_inverse(s->pose, world);
    double most = -HUGE_VAL;
    switch (h->kind) {
    case ER_SHAPE_SPHERE:
        return er_v3_norm(x) - h->radius;
    case ER_SHAPE_CAPSULE:
        x.z -= fmax(-h->length / 2, fmin(h->length / 2, x.z));
        return er_v3_norm(x) - h->radius;
    case ER_SHAPE_BOX:
        return fmax(fabs(x.x) - h->half.x, fmax(fabs(x.y) - h->half.y, fabs(x.z) - h->half.z));
    case ER_SHAPE_CYLINDER:
        return fmax(hypot(x.x, x.y) - h->radius, fabs(x.z) - h->length / 2);
    case ER_SHAPE_PLANE:
        return x.z;
    default:
        for (int f = 0; f < h->hull->face_count; ++f)
            most = fmax(most, er_v3_dot(h->hull->plane[f].normal, x) - h->hull->plane[f].offset);
        return most;
    }
}

double solid_gap(const solid *a, const solid *b, er_vec3 n)
{
    return er_v3_dot(n, er_v3_sub(b->pose.p, a->pose.p)) - solid_reach(a, n) - solid_reach(b, er_v3_scale(-1, n));
}

double solid_widest_gap(dice *d, const solid *a, const solid *b)
{
    enum { SAMPLES = 600, STARTS = 4, TRIES = 600 };
    static er_vec3 direction[SAMPLES];
    static double gap[SAMPLES];
    for (int k = 0; k < SAMPLES; ++k) { // a spiral from pole to pole
        double z = 1 - (2.0 * k + 1) / SAMPLES, turn = k * ER_PI * (3 - sqrt(5));
        direction[k] = er_v3(sqrt(1 - z * z) * cos(turn), sqrt(1 - z * z) * sin(turn), z);
        gap[k] = solid_gap(a, b, direction[k]);
    }
    double widest = -HUGE_VAL;
    for (int start = 0; start < STARTS; ++start) {
        int best = 0;
        for (int k = 1; k < SAMPLES; ++k)
            if (gap[k] > gap[best]) best = k;
        er_vec3 n = direction[best];
        double most = gap[best], step = 0.2;
        gap[best] = -HUGE_VAL;
        for (int k = 0; k < TRIES; ++k) {
            er_vec3 m = er_v3_madd(n, step, roll_in_box(d, 1));
            m = er_v3_unit(m, n);
            double g = solid_gap(a, b, m);
            if (g > most) {
                most = g;
                n = m;
                step *= 1.5;
            } else
                step *= 0.93;
        }
        widest = fmax(widest, most);
    }
    return widest;
}

void solid_bring(solid *a, solid *b, double gap)
{
    er_vec3 way = er_v3_sub(b->pose.p, a->pose.p);
    way = er_v3_unit(way, er_v3(1, 0, 0));
    double low = 0, high = 10 * (solid_reach(a, way) + solid_reach(b, er_v3_scale(-1, way)));
    for (int k = 0; k < 60; ++k) {
        double middle = (low + high) / 2;
        er_closest c;
        b->pose.p = er_v3_madd(a->pose.p, middle, way);
        er_shape_closest(&a->shape, a->pose, &b->shape, b->pose, NULL, &c);
        if (c.distance > gap)
            high = middle;
        else
            low = middle;
    }
    er_closest c; // where the way misses the other by more than the gap
    er_shape_closest(&a->shape, a->pose, &b->shape, b->pose, NULL, &c);
    if (c.distance > gap) b->pose.p = er_v3_madd(b->pose.p, gap - c.distance, c.normal);
}
