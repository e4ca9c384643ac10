/// @file
/// Private to `collide`: the manifold of each pair of kinds. A's rank is never above B's (shape_manifold.c).
#ifndef ERI_COLLIDE_SHAPE_SHAPE_MANIFOLD_H
#define ERI_COLLIDE_SHAPE_SHAPE_MANIFOLD_H

#include "collide/shape/contact_patch.h"

/// As er_shape_manifold().
typedef int eri_manifold_function(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                                  er_closest_cache *cache, er_manifold_point *points);

// sphere_capsule.c
eri_manifold_function eri_collide_spheres, eri_collide_sphere_capsule, eri_collide_sphere_box, eri_collide_capsules;
// plane_manifold.c
eri_manifold_function eri_collide_sphere_plane, eri_collide_capsule_plane, eri_collide_box_plane,
    eri_collide_hull_plane;
// hull_manifold.c
eri_manifold_function eri_collide_sphere_hull, eri_collide_cores, eri_collide_boxes;
// mesh_manifold.c
eri_manifold_function eri_collide_mesh;
// cylinder_manifold.c
eri_manifold_function eri_collide_cylinder_core, eri_collide_cylinders, eri_collide_cylinder_plane;

/// Converts a patch between cores, in A's frame, to contact points on the surfaces, in the world.
/// @return the number of points
int eri_patch_finish(const eri_patch *patch, er_pose pose_a, er_vec3 n, double radius_a, double radius_b,
                     er_manifold_point *points);

/// Adds the contact points of two cores that are no farther apart than `most`, in A's frame.
/// @param n  written
/// @return   the gap
double eri_core_patch(eri_pair *pair, double most, er_closest_cache *cache, er_vec3 *n, eri_patch *patch);

/// Adds the points at which the features of `closest` face each other along its normal, no farther apart than `most`.
void eri_faces_patch(const eri_pair *pair, const er_closest *closest, double most, eri_patch *patch);

/// The widest gap of two boxes, and its direction in A's frame.
double eri_boxes_gap(const eri_pair *pair, er_vec3 half_a, er_vec3 half_b, er_vec3 *normal);

static inline er_manifold_point eri_manifold_point_at(er_vec3 on_a, er_vec3 n, double distance, uint64_t feature)
{
    return (er_manifold_point){{on_a, er_v3_madd(on_a, distance, n)}, n, distance, feature};
}

/// The z axis of a frame, in the world.
static inline er_vec3 eri_axis_z(er_quat q)
{
    return er_v3(2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y));
}

#endif
