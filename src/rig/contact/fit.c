// A solid around points: their hull, thinned, or a capsule along it.
#include "rig/contact/fit.h"

#include <stdlib.h>

#include "math/dense/dense.h"

enum { DIRECTIONS = 16, MOST_CORNERS = 64 };

static const double roomier = 1.4;    // times the hull's volume: the most of a capsule
static const double nearness = 0.002; // of a hull's size: points closer to it are no corners

typedef struct cloud {
    int count;
    const er_vec3 *point;
} cloud;

// --- extent

// The axes along which points spread, least first, and how far they do from their mean.
typedef struct spread {
    er_vec3 axis[3];
    double width[3];
} spread;

static er_result axes_of(er_context *context, er_mat3 a, er_vec3 axis[3])
{
    double v[9], values[3];
    for (int i = 0; i < 9; ++i)
        v[i] = a.m[i / 3][i % 3];
    er_result r = eri_linalg_small_eigen(context, 3, v, values);
    for (int k = 0; k < 3; ++k)
        axis[k] = er_v3_unit(er_v3(v[3 * k], v[3 * k + 1], v[3 * k + 2]), er_v3(k == 0, k == 1, k == 2));
    return r;
}

static er_result find_spread(er_context *context, cloud c, spread *out)
{
    er_vec3 middle = {0};
    er_mat3 second = {0};
    for (int i = 0; i < c.count; ++i)
        middle = er_v3_madd(middle, 1.0 / c.count, c.point[i]);
    for (int i = 0; i < c.count; ++i) {
        er_vec3 d = er_v3_sub(c.point[i], middle);
        second = er_m3_madd(second, 1.0 / c.count, er_m3_outer(d, d));
    }
    er_result r = axes_of(context, second, out->axis);
    for (int k = 0; k < 3; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < c.count; ++i) {
            double t = er_v3_dot(out->axis[k], c.point[i]);
            low = fmin(low, t);
            high = fmax(high, t);
        }
        out->width[k] = high - low;
    }
    return r;
}

// Plates, lines and single points get a thickness: each point moves both ways.
static er_result thicken(er_context *context, er_arena *scratch, double least, cloud *c)
{
    er_result r = ER_OK;
    spread s;
    ERI_TRY(find_spread(context, *c, &s));
    for (int k = 0; k < 3; ++k) {
        er_vec3 *both;
        if (s.width[k] >= least) continue;
        ERI_TRY_NEW(both, scratch, er_vec3, 2 * (size_t)c->count);
        for (int i = 0; i < 2 * c->count; ++i)
            both[i] = er_v3_madd(c->point[i / 2], (i % 2 == 0 ? 0.5 : -0.5) * least, s.axis[k]);
        *c = (cloud){2 * c->count, both};
    }
done:
    return r;
}

// --- hulls

// Directions spread evenly over the sphere (a Fibonacci lattice).
static er_vec3 direction(int k)
{
    double z = 1.0 - (2.0 * k + 1.0) / DIRECTIONS, around = ER_PI * (3.0 - sqrt(5.0)) * k, r = sqrt(1.0 - z * z);
    return er_v3(r * cos(around), r * sin(around), z);
}

static er_vec3 half_box(cloud c)
{
    er_vec3 low = c.point[0], high = low;
    for (int i = 1; i < c.count; ++i) {
        er_vec3 p = c.point[i];
        low = er_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = er_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return er_v3_scale(0.5, er_v3_sub(high, low));
}

static int farthest(cloud c, er_vec3 along)
{
    int best = 0;
    double most = er_v3_dot(along, c.point[0]);
    for (int i = 1; i < c.count; ++i) {
        double t = er_v3_dot(along, c.point[i]);
        if (t > most) most = t, best = i;
    }
    return best;
}

static int add_corner(int *corner, int count, int point)
{
    for (int i = 0; i < count; ++i)
        if (corner[i] == point) return count;
    corner[count] = point;
    return count + 1;
}

static er_result hull_of_corners(er_context *context, cloud c, const int *corner, int count, er_hull **out)
{
    er_vec3 point[MOST_CORNERS];
    for (int i = 0; i < count; ++i)
        point[i] = c.point[corner[i]];
    return er_hull_create(context, count, point, out);
}

// The points that lie farthest out in all directions, as if the box around them were a cube.
static int first_corners(cloud c, int *corner)
{
    int count = 0;
    er_vec3 h = half_box(c);
    for (int k = 0; k < DIRECTIONS; ++k) {
        er_vec3 d = direction(k);
        count = add_corner(corner, count, farthest(c, er_v3(d.x / h.x, d.y / h.y, d.z / h.z)));
    }
    return count;
}

typedef struct outlier {
    double distance; // m, outside
    int point;
} outlier;

static int farthest_first(const void *a, const void *b)
{
    const outlier *x = a, *y = b;
    return x->distance != y->distance ? (x->distance < y->distance) - (x->distance > y->distance)
                                      : (x->point > y->point) - (x->point < y->point);
}

// Adds the points farthest outside a hull, one a face.
static er_result more_corners(er_arena *scratch, cloud c, const er_hull *hull, int *corner, int *count)
{
    er_result r = ER_OK;
    outlier *out;
    ERI_TRY_NEW(out, scratch, outlier, hull->face_count);
    for (int f = 0; f < hull->face_count; ++f) {
        int p = farthest(c, hull->plane[f].normal);
        out[f] = (outlier){er_v3_dot(hull->plane[f].normal, c.point[p]) - hull->plane[f].offset, p};
    }
    qsort(out, (size_t)hull->face_count, sizeof *out, farthest_first);
    int most = *count + DIRECTIONS < MOST_CORNERS ? *count + DIRECTIONS : MOST_CORNERS;
    for (int f = 0; f < hull->face_count && *count < most; ++f)
        if (out[f].distance > nearness * er_v3_norm(er_v3_sub(hull->high, hull->low)))
            *count = add_corner(corner, *count, out[f].point);
done:
    return r;
}

static er_result fit_hull(er_context *context, er_arena *scratch, cloud c, er_hull **out)
{
    er_result r = ER_OK;
    er_hull *hull = NULL;
    int corner[MOST_CORNERS], count = first_corners(c, corner);
    for (int before = 0; before < count;) {
        before = count;
        er_hull_destroy(hull);
        hull = NULL;
        ERI_TRY(hull_of_corners(context, c, corner, count, &hull));
        ERI_TRY(more_corners(scratch, c, hull, corner, &count));
    }
    *out = hull;
    hull = NULL;
done:
    er_hull_destroy(hull);
    return r;
}

// --- capsules

// The shortest turn of +Z to a unit vector.
static er_quat turn_of_z(er_vec3 to)
{
    if (to.z < -1.0 + 1e-9) return er_q(0, 1, 0, 0);
    return er_q_unit(er_q(1.0 + to.z, -to.y, to.x, 0.0));
}

er_body_shape eri_rig_capsule(er_vec3 a, er_vec3 b, double radius)
{
    double distance = er_v3_distance(a, b), r = fmin(radius, distance / 3.0);
    er_vec3 middle = er_v3_scale(0.5, er_v3_add(a, b)), axis = er_v3_unit(er_v3_sub(b, a), er_v3(0, 0, 1));
    return (er_body_shape){.shape = {.kind = ER_SHAPE_CAPSULE, .radius = r, .length = distance - 2.0 * r},
                           .pose = {turn_of_z(axis), middle}};
}

// The shortest capsule around a hull whose axis goes through the hull's centre, the way that it is longest.
static er_result fit_capsule(er_context *context, const er_hull *hull, er_body_shape *out)
{
    er_vec3 axis[3], centre = hull->centre;
    double radius = 0.0, low = HUGE_VAL, high = -HUGE_VAL;
    er_result r = axes_of(context, hull->inertia, axis);
    for (int i = 0; i < hull->vertex_count; ++i) {
        er_vec3 d = er_v3_sub(hull->vertex[i], centre);
        radius = fmax(radius, er_v3_norm(er_v3_cross(axis[0], d)));
    }
    for (int i = 0; i < hull->vertex_count; ++i) { // each within a cap's reach
        er_vec3 d = er_v3_sub(hull->vertex[i], centre);
        double t = er_v3_dot(axis[0], d), off = er_v3_norm(er_v3_cross(axis[0], d));
        double cap = sqrt(fmax(0.0, radius * radius - off * off));
        low = fmin(low, t + cap);
        high = fmax(high, t - cap);
    }
    centre = er_v3_madd(centre, 0.5 * (low + high), axis[0]);
    *out = (er_body_shape){.shape = {.kind = ER_SHAPE_CAPSULE, .radius = radius, .length = high - low},
                           .pose = {turn_of_z(axis[0]), centre}};
    if (high > low) return r;
    out->shape = (er_shape){.kind = ER_SHAPE_SPHERE};
    for (int i = 0; i < hull->vertex_count; ++i)
        out->shape.radius = fmax(out->shape.radius, er_v3_distance(hull->vertex[i], centre));
    return r;
}

static double volume_of(const er_shape *s)
{
    return ER_PI * s->radius * s->radius * (s->length + 4.0 / 3.0 * s->radius);
}

er_result eri_rig_fit(er_context *context, er_arena *scratch, int count, const er_vec3 *point, double least,
                      er_body_shape *out)
{
    er_result r = ER_OK;
    er_hull *hull = NULL;
    cloud c = {count, point};
    ERI_TRY(thicken(context, scratch, least, &c));
    ERI_TRY(fit_hull(context, scratch, c, &hull));
    ERI_TRY(fit_capsule(context, hull, out));
    if (volume_of(&out->shape) > roomier * hull->volume) {
        *out = (er_body_shape){.shape = {.kind = ER_SHAPE_HULL, .hull = hull}, .pose = er_pose_identity()};
        hull = NULL;
    }
done:
    er_hull_destroy(hull);
    return r;
}
