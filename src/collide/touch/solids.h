/// @file
/// Private to `collide`: the touches of each pair of kinds. A's rank is never above B's (touches.c).
#ifndef ER_COLLIDE_TOUCH_SOLIDS_H
#define ER_COLLIDE_TOUCH_SOLIDS_H

#include "collide/touch/manifold.h"

/// As er_shape_touches().
typedef int er_touch_function(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                              er_closest_cache *cache, er_touch *touch);

// round.c
er_touch_function er_touch_spheres, er_touch_sphere_capsule, er_touch_sphere_box, er_touch_capsules;
// plane.c
er_touch_function er_touch_sphere_plane, er_touch_capsule_plane, er_touch_box_plane, er_touch_hull_plane;
// solids.c
er_touch_function er_touch_sphere_hull, er_touch_cores, er_touch_boxes;
// mesh_touches.c
er_touch_function er_touch_mesh;
// cylinder.c
er_touch_function er_touch_cylinder_core, er_touch_cylinders, er_touch_cylinder_plane;

/// Spots of A's frame and A's core, as touches in the world and on the surface.   @return how many
int er_touches_finish(const er_spots *spots, er_pose pose_a, er_vec3 n, double radius_a, double radius_b,
                      er_touch *touch);

/// Where two cores touch that are no farther apart than `most`: in A's frame.
/// @param n      written
/// @param spots  added to
/// @return       the gap
double er_core_spots(er_pair *pair, double most, er_closest_cache *cache, er_vec3 *n, er_spots *spots);

/// The widest gap of two boxes, and its direction in A's frame.
double er_boxes_gap(const er_pair *pair, er_vec3 half_a, er_vec3 half_b, er_vec3 *normal);

static inline er_touch er_touch_at(er_vec3 on_a, er_vec3 n, double distance, uint64_t feature)
{
    return (er_touch){{on_a, er_v3_madd(on_a, distance, n)}, n, distance, feature};
}

/// The axis of a frame along z, in the world.
static inline er_vec3 er_axis_z(er_quat q)
{
    return er_v3(2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y));
}

#endif
