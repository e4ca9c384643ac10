/// @file
/// Private to `collide`: shapes as polyhedra, flat ones among them, with a radius around: a point, a segment, a
/// triangle, a box, a hull.
#ifndef ERI_COLLIDE_SHAPE_SHAPE_CORE_H
#define ERI_COLLIDE_SHAPE_SHAPE_CORE_H

#include "collide/pair.h"

/// A shape's core. It holds what its hull points to, so it stays where it was made.
typedef struct eri_core {
    const er_hull *hull; ///< a hull without faces is a point or a segment, one with two faces a triangle
    double radius;       ///< m, around it
    er_hull own;
    er_vec3 vertex[8];
    er_hull_plane plane[6];
} eri_core;

/// The core of a shape that has one: SPHERE, CAPSULE, BOX, HULL. A CYLINDER has its middle, and its size.
void eri_core_begin(eri_core *core, const er_shape *shape);

/// A triangle, its unit normal known.
void eri_core_triangle(eri_core *core, const er_vec3 *corner, er_vec3 normal);

#endif
