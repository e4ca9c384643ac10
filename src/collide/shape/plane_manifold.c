/// @file
/// Manifolds with a half space: corners, ends and rims within the margin.
#include "collide/shape/shape_manifold.h"

/// A point of A's surface, its height over the plane.
static void add(er_vec3 x, er_vec3 up, double height, uint64_t feature, er_manifold_point *points)
{
    *points = eri_manifold_point_at(x, er_v3_scale(-1.0, up), height, feature);
}

int eri_collide_sphere_plane(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                             er_closest_cache *cache, er_manifold_point *points)
{
    (void)b;
    (void)cache;
    er_vec3 up = eri_axis_z(pose_b.q);
    double height = er_v3_dot(up, er_v3_sub(pose_a.p, pose_b.p)) - a->radius;
    if (!(height <= margin)) return 0;
    add(er_v3_madd(pose_a.p, -a->radius, up), up, height, 0, points);
    return 1;
}

int eri_collide_capsule_plane(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                              er_closest_cache *cache, er_manifold_point *points)
{
    (void)b;
    (void)cache;
    er_vec3 up = eri_axis_z(pose_b.q), along = er_v3_scale(0.5 * a->length, eri_axis_z(pose_a.q));
    int count = 0, ends = a->length > 0.0 ? 2 : 1;
    for (int k = 0; k < ends; ++k) {
        er_vec3 x = er_v3_madd(pose_a.p, k == 0 ? -1.0 : 1.0, along);
        double height = er_v3_dot(up, er_v3_sub(x, pose_b.p)) - a->radius;
        if (height <= margin) add(er_v3_madd(x, -a->radius, up), up, height, (uint64_t)k, &points[count++]);
    }
    return count;
}

int eri_collide_box_plane(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                          er_closest_cache *cache, er_manifold_point *points)
{
    (void)b;
    (void)cache;
    er_vec3 up = eri_axis_z(pose_b.q), n = er_q_rotate(er_q_conj(pose_a.q), up), h = a->half;
    double middle = er_v3_dot(up, er_v3_sub(pose_a.p, pose_b.p));
    if (!(middle - fabs(n.x) * h.x - fabs(n.y) * h.y - fabs(n.z) * h.z <= margin)) return 0;
    // The corners of the face that looks most toward the plane: the lowest one is among them.
    int axis = fabs(n.x) > fabs(n.y) && fabs(n.x) > fabs(n.z) ? 0 : fabs(n.y) > fabs(n.z) ? 1 : 2;
    double facing = axis == 0 ? n.x : axis == 1 ? n.y : n.z;
    int count = 0;
    for (int v = 0; v < 8; ++v) {
        if ((v >> axis & 1) != (facing < 0.0)) continue;
        er_vec3 x = er_v3(v & 1 ? h.x : -h.x, v & 2 ? h.y : -h.y, v & 4 ? h.z : -h.z);
        double height = middle + er_v3_dot(n, x);
        if (height <= margin) add(er_pose_point(pose_a, x), up, height, (uint64_t)v, &points[count++]);
    }
    return count;
}

/// Corners within the margin, a block of them at a time with the four that mattered so far.
int eri_collide_hull_plane(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                           er_closest_cache *cache, er_manifold_point *points)
{
    (void)b;
    const er_hull *hull = a->hull;
    er_vec3 up = eri_axis_z(pose_b.q), n = er_q_rotate(er_q_conj(pose_a.q), up);
    double middle = er_v3_dot(up, er_v3_sub(pose_a.p, pose_b.p)), slack = ERI_SLACK * hull->radius;
    int hint =
        cache != NULL && cache->vertex[0][0] >= 0 && cache->vertex[0][0] < hull->vertex_count ? cache->vertex[0][0] : 0;
    int lowest = eri_hull_support(hull, er_v3_scale(-1.0, n), hint);
    if (cache != NULL) *cache = (er_closest_cache){1, {{lowest}, {0}}};
    if (!(middle + er_v3_dot(n, hull->vertex[lowest]) <= margin)) return 0;
    er_vec3 down = er_v3_scale(-1.0, n);
    eri_patch patch;
    eri_patch_begin(&patch, pose_a.q);
    for (int v = 0; v < hull->vertex_count; ++v) {
        double height = middle + er_v3_dot(n, hull->vertex[v]);
        if (!(height <= margin)) continue;
        if (patch.count == ERI_PATCH_MAX) eri_patch_reduce(&patch, n, slack);
        eri_patch_add(&patch, hull->vertex[v], height, down, (uint64_t)v);
    }
    eri_patch_reduce(&patch, n, slack);
    return eri_patch_finish(&patch, pose_a, down, 0.0, 0.0, points);
}
