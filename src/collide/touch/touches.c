/// @file
/// The touches of any two shapes: each pair of kinds has its function.
#include "collide/touch/solids.h"

enum { KINDS = ER_SHAPE_MESH + 1 };

/// Of a pair the kind of lesser rank is A.
static const int rank[KINDS] = {
    [ER_SHAPE_CYLINDER] = 0, [ER_SHAPE_SPHERE] = 1, [ER_SHAPE_CAPSULE] = 2, [ER_SHAPE_BOX] = 3,
    [ER_SHAPE_HULL] = 4,     [ER_SHAPE_PLANE] = 5,  [ER_SHAPE_MESH] = 6,
};

/// By rank; NULL: they stand still.
static eri_touch_function *const function[KINDS][KINDS] = {
    {eri_touch_cylinders, eri_touch_cylinder_core, eri_touch_cylinder_core, eri_touch_cylinder_core,
     eri_touch_cylinder_core, eri_touch_cylinder_plane, eri_touch_mesh},
    {NULL, eri_touch_spheres, eri_touch_sphere_capsule, eri_touch_sphere_box, eri_touch_sphere_hull,
     eri_touch_sphere_plane, eri_touch_mesh},
    {NULL, NULL, eri_touch_capsules, eri_touch_cores, eri_touch_cores, eri_touch_capsule_plane, eri_touch_mesh},
    {NULL, NULL, NULL, eri_touch_boxes, eri_touch_cores, eri_touch_box_plane, eri_touch_mesh},
    {NULL, NULL, NULL, NULL, eri_touch_cores, eri_touch_hull_plane, eri_touch_mesh},
};

static void swap(er_touch *touch)
{
    er_vec3 on_a = touch->point[1];
    touch->point[1] = touch->point[0];
    touch->point[0] = on_a;
    touch->normal = er_v3_scale(-1.0, touch->normal);
}

int er_shape_touches(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                     er_closest_cache *cache, er_touch *touch)
{
    int i = rank[a->kind], j = rank[b->kind];
    eri_touch_function *find = i <= j ? function[i][j] : function[j][i];
    if (find == NULL) return 0;
    if (i <= j) return find(a, pose_a, b, pose_b, margin, cache, touch);
    int count = find(b, pose_b, a, pose_a, margin, cache, touch);
    for (int k = 0; k < count; ++k)
        swap(&touch[k]);
    return count;
}
