/// @file
/// Manifolds of spheres and capsules with each other, and of a sphere with a box, in closed form.
#include "collide/shape/shape_manifold.h"

#define NEARLY 1e-9     // of the size: segments as near cross, and their common normal is square to both
#define ALONG 0.01      // the squared sine below which capsules lie along each other, and touch at two ends
#define PARALLEL2 1e-24 // the squared sine of segments that have no crossing

static double clamp(double x, double most)
{
    return x < -most ? -most : x > most ? most : x;
}

/// Two spheres; n is the normal if their centres coincide.
static int collide_balls(er_vec3 a, double radius_a, er_vec3 b, double radius_b, er_vec3 n, double margin,
                         er_manifold_point *points)
{
    er_vec3 apart = er_v3_sub(b, a);
    double length = er_v3_norm(apart), gap = length - radius_a - radius_b;
    if (!(gap <= margin)) return 0;
    n = eri_direction(apart, n);
    *points = eri_manifold_point_at(er_v3_madd(a, radius_a, n), n, gap, 0);
    return 1;
}

int eri_collide_spheres(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                        er_closest_cache *cache, er_manifold_point *points)
{
    (void)cache;
    return collide_balls(pose_a.p, a->radius, pose_b.p, b->radius, er_v3(0, 0, 1), margin, points);
}

int eri_collide_sphere_capsule(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                               er_closest_cache *cache, er_manifold_point *points)
{
    (void)cache;
    er_vec3 u = eri_axis_z(pose_b.q);
    double t = clamp(er_v3_dot(u, er_v3_sub(pose_a.p, pose_b.p)), 0.5 * b->length);
    return collide_balls(pose_a.p, a->radius, er_v3_madd(pose_b.p, t, u), b->radius, er_v3_perpendicular(u), margin,
                         points);
}

int eri_collide_sphere_box(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                           er_closest_cache *cache, er_manifold_point *points)
{
    (void)cache;
    er_vec3 c = er_pose_point_inverse(pose_b, pose_a.p), h = b->half;
    er_vec3 q = er_v3(clamp(c.x, h.x), clamp(c.y, h.y), clamp(c.z, h.z)), n = er_v3_sub(q, c);
    double length = er_v3_norm(n);
    if (!(length - a->radius <= margin)) return 0;
    if (length > 1e-140) // else its square has lost digits
        n = er_v3_scale(1.0 / length, n);
    else { // the centre lies inside: the nearest face
        double x = h.x - fabs(c.x), y = h.y - fabs(c.y), z = h.z - fabs(c.z);
        n = x <= y && x <= z ? er_v3(c.x < 0.0 ? 1 : -1, 0, 0)
            : y <= z         ? er_v3(0, c.y < 0.0 ? 1 : -1, 0)
                             : er_v3(0, 0, c.z < 0.0 ? 1 : -1);
        length = -eri_min(x, eri_min(y, z));
    }
    n = er_q_rotate(pose_b.q, n);
    *points = eri_manifold_point_at(er_v3_madd(pose_a.p, a->radius, n), n, length - a->radius, 0);
    return 1;
}

// ---- Capsules

/// The segment of a capsule: points at + s along, |s| <= half.
typedef struct eri_capsule_segment {
    er_vec3 at, along;
    double half;
} eri_capsule_segment;

static eri_capsule_segment segment_of(const er_shape *capsule, er_pose pose)
{
    return (eri_capsule_segment){pose.p, eri_axis_z(pose.q), 0.5 * capsule->length};
}

static er_vec3 on(const eri_capsule_segment *segment, double s)
{
    return er_v3_madd(segment->at, s, segment->along);
}

static double nearest(const eri_capsule_segment *segment, er_vec3 x)
{
    return clamp(er_v3_dot(segment->along, er_v3_sub(x, segment->at)), segment->half);
}

/// Closest points of two segments; their crossing, if they cross.
static void segments_closest(const eri_capsule_segment *a, const eri_capsule_segment *b, er_vec3 cross, double *s,
                             double *t)
{
    double sine2 = er_v3_dot(cross, cross);
    er_vec3 w = er_v3_sub(b->at, a->at);
    *s = sine2 > PARALLEL2 ? clamp(er_v3_dot(er_v3_cross(w, b->along), cross) / sine2, a->half) : nearest(a, b->at);
    *t = nearest(b, on(a, *s));
    *s = nearest(a, on(b, *t));
}

/// Their unit normal from A to B, square to both where they cross.
static er_vec3 segments_normal(const eri_capsule_segment *a, const eri_capsule_segment *b, er_vec3 cross, er_vec3 apart,
                               double size)
{
    double length = er_v3_norm(apart);
    if (length > NEARLY * size) return er_v3_scale(1.0 / length, apart);
    er_vec3 n = er_v3_dot(cross, cross) > PARALLEL2 ? er_v3_unit(cross, cross) : er_v3_perpendicular(a->along);
    er_vec3 toward = length > 0.0 ? apart : er_v3_sub(b->at, a->at);
    return er_v3_dot(n, toward) < 0.0 ? er_v3_scale(-1.0, n) : n;
}

typedef struct eri_capsule_pair {
    eri_capsule_segment segment[2];
    double radius[2], margin, slack;
    er_vec3 n;
    int count;
    er_manifold_point *points;
} eri_capsule_pair;

static double gap_at(const eri_capsule_pair *pair, double s, double t)
{
    return er_v3_dot(pair->n, er_v3_sub(on(&pair->segment[1], t), on(&pair->segment[0], s))) - pair->radius[0] -
           pair->radius[1];
}

static void add(eri_capsule_pair *pair, double s, double t, uint64_t feature)
{
    double gap = gap_at(pair, s, t);
    if (!(gap <= pair->margin)) return;
    er_vec3 on_a = er_v3_madd(on(&pair->segment[0], s), pair->radius[0], pair->n);
    er_vec3 on_b = er_v3_madd(on(&pair->segment[1], t), -pair->radius[1], pair->n);
    pair->points[pair->count++] = (er_manifold_point){{on_a, on_b}, pair->n, gap, feature};
}

/// Ends of either segment that lie before the other, from the lower to the higher one along A.   @param s, t  [2],
/// written   @param feature  [2], written: vertices 0 and 1 of A, 2 and 3 of B
static bool find_ends(const eri_capsule_pair *pair, double *s, double *t, uint64_t *feature)
{
    const eri_capsule_segment *a = &pair->segment[0], *b = &pair->segment[1];
    bool alike = er_v3_dot(a->along, b->along) > 0.0;
    for (int high = 0; high < 2; ++high) {
        double up = high == 0 ? -1.0 : 1.0, end = alike ? up * b->half : -up * b->half;
        double place = er_v3_dot(a->along, er_v3_sub(on(b, end), a->at));
        bool own = up * place >= a->half - pair->slack;
        s[high] = own ? up * a->half : clamp(place, a->half);
        t[high] = own ? nearest(b, on(a, s[high])) : end;
        feature[high] = own ? (uint64_t)high : end < 0.0 ? 2u : 3u;
    }
    return s[1] - s[0] > pair->slack;
}

int eri_collide_capsules(const er_shape *shape_a, er_pose pose_a, const er_shape *shape_b, er_pose pose_b,
                         double margin, er_closest_cache *cache, er_manifold_point *points)
{
    (void)cache;
    eri_capsule_pair pair = {.segment = {segment_of(shape_a, pose_a), segment_of(shape_b, pose_b)},
                             .radius = {shape_a->radius, shape_b->radius},
                             .margin = margin,
                             .points = points};
    const eri_capsule_segment *a = &pair.segment[0], *b = &pair.segment[1];
    double s, t, size = a->half + b->half + shape_a->radius + shape_b->radius;
    er_vec3 cross = er_v3_cross(a->along, b->along);
    segments_closest(a, b, cross, &s, &t);
    er_vec3 apart = er_v3_sub(on(b, t), on(a, s));
    if (!(er_v3_norm(apart) - shape_a->radius - shape_b->radius <= margin)) return 0;
    pair.n = segments_normal(a, b, cross, apart, size);
    pair.slack = ERI_SLACK * (shape_a->radius + shape_b->radius);
    double deepest = HUGE_VAL, end_s[2], end_t[2];
    uint64_t feature[2];
    if (er_v3_dot(cross, cross) < ALONG && find_ends(&pair, end_s, end_t, feature))
        for (int k = 0; k < 2; ++k) {
            deepest = eri_min(deepest, gap_at(&pair, end_s[k], end_t[k]));
            add(&pair, end_s[k], end_t[k], feature[k]);
        }
    if (deepest > gap_at(&pair, s, t) + pair.slack) add(&pair, s, t, 4);
    return pair.count;
}
