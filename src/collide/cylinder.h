/// @file
/// Private to `collide`: the widest gap between a cylinder, in its own frame, and another solid; what it has at its
/// ends.
#ifndef ER_COLLIDE_CYLINDER_H
#define ER_COLLIDE_CYLINDER_H

#include "collide/manifold.h"

/// A cylinder about an axis.
typedef struct er_rolled {
    er_vec3 at, axis; ///< middle, unit
    er_vec3 mark;     ///< unit, square to the axis: turns with the solid
    double radius, half;
} er_rolled;

/// The farthest point along n: on a rim, but for n along the axis.
er_vec3 er_rolled_support(const er_rolled *c, er_vec3 n);

/// A cylinder's end along n, outward from its side: a cap, or the line along its side.
void er_rolled_outline(const er_rolled *c, er_vec3 outward, const er_screen *screen, er_outline *outline);

/// The direction n, from the cylinder around the origin along z to a hull (of points, segments and flat ones too),
/// along which the gap is widest.
/// @param pair    its B is the hull, in the cylinder's frame
/// @param vertex  written: the hull's support
/// @return the gap
double er_cylinder_gap(er_pair *pair, double radius, double half, er_vec3 *normal, int *vertex);

/// The same between two cylinders.
double er_cylinders_gap(const er_rolled *a, const er_rolled *b, er_vec3 *normal);

#endif
