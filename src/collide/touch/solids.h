/// @file
/// Private to `collide`: the touches of each pair of kinds. A's rank is never above B's (touches.c).
#ifndef ERI_COLLIDE_TOUCH_SOLIDS_H
#define ERI_COLLIDE_TOUCH_SOLIDS_H

#include "collide/touch/manifold.h"

/// As er_shape_touches().
typedef int eri_touch_function(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                               er_closest_cache *cache, er_touch *touch);

// round.c
eri_touch_function eri_touch_spheres, eri_touch_sphere_capsule, eri_touch_sphere_box, eri_touch_capsules;
// plane.c
eri_touch_function eri_touch_sphere_plane, eri_touch_capsule_plane, eri_touch_box_plane, eri_touch_hull_plane;
// solids.c
eri_touch_function eri_touch_sphere_hull, eri_touch_cores, eri_touch_boxes;
// mesh_touches.c
eri_touch_function eri_touch_mesh;
// cylinder.c
eri_touch_function eri_touch_cylinder_core, eri_touch_cylinders, eri_touch_cylinder_plane;

/// Spots of A's frame and A's core, as touches in the world and on the surface.   @return how many
int eri_touches_finish(const eri_spots *spots, er_pose pose_a, er_vec3 n, double radius_a, double radius_b,
                       er_touch *touch);

/// Where two cores touch that are no farther apart than `most`: in A's frame.
/// @param n      written
/// @param spots  added to
/// @return       the gap
double eri_core_spots(eri_pair *pair, double most, er_closest_cache *cache, er_vec3 *n, eri_spots *spots);

/// The widest gap of two boxes, and its direction in A's frame.
double eri_boxes_gap(const eri_pair *pair, er_vec3 half_a, er_vec3 half_b, er_vec3 *normal);

static inline er_touch eri_touch_at(er_vec3 on_a, er_vec3 n, double distance, uint64_t feature)
{
    return (er_touch){{on_a, er_v3_madd(on_a, distance, n)}, n, distance, feature};
}

/// The axis of a frame along z, in the world.
static inline er_vec3 eri_axis_z(er_quat q)
{
    return er_v3(2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y));
}

#endif
