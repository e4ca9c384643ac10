/// @file
/// Private to `collide`: the widest gap between a cylinder, in its own frame, and another solid; the features at its
/// ends.
#ifndef ERI_COLLIDE_SHAPE_CYLINDER_H
#define ERI_COLLIDE_SHAPE_CYLINDER_H

#include "collide/shape/contact_patch.h"

/// A cylinder about an axis.
typedef struct eri_cylinder {
    er_vec3 at, axis; ///< middle, unit
    er_vec3 mark;     ///< unit, square to the axis: turns with the solid
    double radius, half;
} eri_cylinder;

/// The farthest point along n: on a rim, but for n along the axis.
er_vec3 eri_cylinder_support(const eri_cylinder *c, er_vec3 n);

/// How far it reaches along n, from the frame's origin.
double eri_cylinder_extent(const eri_cylinder *c, er_vec3 n);

/// The cosine of normal and axis from which a cap is at the end.
#define ERI_STANDS 0.5

/// A cylinder's end along n, outward from its side: a cap, or the line along its side.
void eri_cylinder_outline(const eri_cylinder *c, er_vec3 outward, const eri_projection *screen, eri_outline *outline);

/// The direction square to the unit vector e along which the gap between a cylinder around the origin, about the unit
/// vector `axis`, and the line along e through b is widest past a rim.
/// @param quarter  0: of those that look toward the line; 1 to 3: of those that do not along one axis of the picture,
///                 the other or both
/// @param known    a gap known: narrower ones need not be found
/// @return whether there is one
bool eri_widest_across(er_vec3 axis, double radius, double half, er_vec3 e, er_vec3 b, int quarter, double known,
                       er_vec3 *normal);

/// The direction n, from the cylinder around the origin along z to a hull (of points, segments and flat ones too),
/// along which the gap is widest.
/// @param pair    its B is the hull, in the cylinder's frame
/// @param vertex  written: the hull's support
/// @return the gap
double eri_cylinder_gap(eri_pair *pair, double radius, double half, er_vec3 *normal, int *vertex);

/// Where a cylinder and a hull touch, the cores no farther apart than `most`.
/// @param n      written, in the cylinder's frame
/// @param patch  added to, in the cylinder's frame
/// @return       the gap
double eri_cylinder_patch(eri_pair *pair, const er_shape *shape, double most, er_vec3 *n, eri_patch *patch);

/// The widest gap between two cylinders.
double eri_cylinders_gap(const eri_cylinder *a, const eri_cylinder *b, er_vec3 *normal);

/// The closest points of a cylinder and a hull, in the cylinder's frame; of two cylinders, in A's.
void eri_cylinder_closest(eri_pair *pair, const er_shape *shape, er_closest *closest);
void eri_cylinders_closest(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, er_closest *closest);

#endif
