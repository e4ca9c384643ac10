/// @file
/// The manifold of any two shapes: each pair of kinds has its function.
#include "collide/shape/shape_manifold.h"

enum { KINDS = ER_SHAPE_MESH + 1 };

/// The shape of lower rank is A.
static const int rank[KINDS] = {
    [ER_SHAPE_CYLINDER] = 0, [ER_SHAPE_SPHERE] = 1, [ER_SHAPE_CAPSULE] = 2, [ER_SHAPE_BOX] = 3,
    [ER_SHAPE_HULL] = 4,     [ER_SHAPE_PLANE] = 5,  [ER_SHAPE_MESH] = 6,
};

/// By rank; NULL: both are static.
static eri_manifold_function *const function[KINDS][KINDS] = {
    {eri_collide_cylinders, eri_collide_cylinder_core, eri_collide_cylinder_core, eri_collide_cylinder_core,
     eri_collide_cylinder_core, eri_collide_cylinder_plane, eri_collide_mesh},
    {NULL, eri_collide_spheres, eri_collide_sphere_capsule, eri_collide_sphere_box, eri_collide_sphere_hull,
     eri_collide_sphere_plane, eri_collide_mesh},
    {NULL, NULL, eri_collide_capsules, eri_collide_cores, eri_collide_cores, eri_collide_capsule_plane,
     eri_collide_mesh},
    {NULL, NULL, NULL, eri_collide_boxes, eri_collide_cores, eri_collide_box_plane, eri_collide_mesh},
    {NULL, NULL, NULL, NULL, eri_collide_cores, eri_collide_hull_plane, eri_collide_mesh},
};

static void swap(er_manifold_point *points)
{
    er_vec3 on_a = points->point[1];
    points->point[1] = points->point[0];
    points->point[0] = on_a;
    points->normal = er_v3_scale(-1.0, points->normal);
}

int er_shape_manifold(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                      er_closest_cache *cache, er_manifold_point *points)
{
    int i = rank[a->kind], j = rank[b->kind];
    eri_manifold_function *find = i <= j ? function[i][j] : function[j][i];
    if (find == NULL) return 0;
    if (i <= j) return find(a, pose_a, b, pose_b, margin, cache, points);
    int count = find(b, pose_b, a, pose_a, margin, cache, points);
    for (int k = 0; k < count; ++k)
        swap(&points[k]);
    return count;
}
