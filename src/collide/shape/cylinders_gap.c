/// @file
/// The widest gap between two cylinders: along an axis, square to both, radial, past a rim to the other's axis, or past
/// two rims, where Newton's steps find it on the sphere of normals.
#include "collide/shape/cylinder.h"

#define NEWTON 40  // steps, fewer are taken
#define SHARP 1e-7 // radian: Newton's step from as near is the last

static double gap_along(const eri_cylinder *a, const eri_cylinder *b, er_vec3 n)
{
    return -eri_cylinder_extent(a, n) - eri_cylinder_extent(b, er_v3_scale(-1.0, n));
}

static void offer(const eri_cylinder *a, const eri_cylinder *b, er_vec3 n, double *widest, er_vec3 *normal)
{
    double gap = gap_along(a, b, n);
    if (!(gap > *widest)) return;
    *widest = gap;
    *normal = n;
}

/// How the reach past a rim bends along t and s, square to n: the second derivatives of R |n x axis|.
static double bend_of(const eri_cylinder *c, er_vec3 n, er_vec3 t, er_vec3 s)
{
    er_vec3 m = er_v3_cross(n, c->axis), p = er_v3_cross(t, c->axis), q = er_v3_cross(s, c->axis);
    double length = er_v3_norm(m);
    if (!(length > 0.0)) return 0.0;
    return c->radius * (er_v3_dot(p, q) - er_v3_dot(p, m) * er_v3_dot(m, q) / (length * length)) / length;
}

/// Newton's step to the widest gap: in the directions t, square to n.
/// @return how steeply the gap rises
static double step_of(const eri_cylinder *a, const eri_cylinder *b, er_vec3 n, double gap, const er_vec3 *t,
                      double *step)
{
    // From A's farthest point to B's: along n that is the gap, across n how the gap rises.
    er_vec3 d = er_v3_sub(eri_cylinder_support(b, er_v3_scale(-1.0, n)), eri_cylinder_support(a, n));
    double x = er_v3_dot(d, t[0]), y = er_v3_dot(d, t[1]);
    double xx = bend_of(a, n, t[0], t[0]) + bend_of(b, n, t[0], t[0]) + gap;
    double xy = bend_of(a, n, t[0], t[1]) + bend_of(b, n, t[0], t[1]);
    double yy = bend_of(a, n, t[1], t[1]) + bend_of(b, n, t[1], t[1]) + gap, det = xx * yy - xy * xy;
    bool bowl = det > 0.0 && xx > 0.0;
    step[0] = bowl ? (x * yy - y * xy) / det : x / (a->radius + b->radius);
    step[1] = bowl ? (y * xx - x * xy) / det : y / (a->radius + b->radius);
    return hypot(x, y);
}

/// Past two rims: climbs from n to where the gap is widest near it, unless that is less wide than what is known.
static er_vec3 climb_gap(const eri_cylinder *a, const eri_cylinder *b, er_vec3 n, double known)
{
    double gap = gap_along(a, b, n), most = 0.5;
    for (int k = 0; k < NEWTON && most > 1e-12; ++k) {
        er_vec3 t[2] = {er_v3_perpendicular(n), {0, 0, 0}};
        t[1] = er_v3_cross(n, t[0]);
        double step[2];
        double steep = step_of(a, b, n, gap, t, step);
        double length = hypot(step[0], step[1]), scale = length > most ? most / length : 1.0;
        er_vec3 m = er_v3_madd(er_v3_madd(n, scale * step[0], t[0]), scale * step[1], t[1]);
        m = er_v3_unit(m, n);
        double next = gap_along(a, b, m);
        if (next > gap || length < SHARP) {
            gap = next;
            n = m;
            if (length < SHARP) break;
        } else {
            most = 0.25 * eri_min(most, length);
            if (gap + 2.0 * steep * most < known) break;
        }
    }
    return n;
}

static er_vec3 end_of(const eri_cylinder *c, int high)
{
    return er_v3_madd(c->at, high ? c->half : -c->half, c->axis);
}

/// n or its opposite, from A to B: both cylinders are alike on both sides of their middle.
static void offer_line(const eri_cylinder *a, const eri_cylinder *b, er_vec3 n, double *widest, er_vec3 *normal)
{
    if (!(er_v3_norm(n) > ERI_PARALLEL)) return;
    n = er_v3_unit(n, n);
    offer(a, b, er_v3_dot(n, er_v3_sub(b->at, a->at)) < 0.0 ? er_v3_scale(-1.0, n) : n, widest, normal);
}

double eri_cylinders_gap(const eri_cylinder *a, const eri_cylinder *b, er_vec3 *normal)
{
    double widest = -HUGE_VAL;
    er_vec3 shift = er_v3_sub(b->at, a->at), n;
    *normal = a->axis;
    offer_line(a, b, a->axis, &widest, normal);
    offer_line(a, b, b->axis, &widest, normal);
    offer_line(a, b, er_v3_cross(a->axis, b->axis), &widest, normal);
    offer_line(a, b, eri_square_to(shift, a->axis), &widest, normal);
    offer_line(a, b, eri_square_to(shift, b->axis), &widest, normal);
    if (eri_widest_across(b->axis, b->radius, b->half, a->axis, shift, 0, widest + a->radius, &n))
        offer_line(a, b, n, &widest, normal);
    if (eri_widest_across(a->axis, a->radius, a->half, b->axis, shift, 0, widest + b->radius, &n))
        offer_line(a, b, n, &widest, normal);
    offer(a, b, climb_gap(a, b, *normal, widest), &widest, normal);
    for (int k = 0; k < 4; ++k) {
        n = er_v3_sub(end_of(b, k / 2), end_of(a, k % 2));
        offer(a, b, climb_gap(a, b, er_v3_unit(n, *normal), widest), &widest, normal);
    }
    return widest;
}
