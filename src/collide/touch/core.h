/// @file
/// Private to `collide`: shapes as polyhedra, flat ones among them, with a radius around: a point, a segment, a
/// triangle, a box, a hull.
#ifndef ER_COLLIDE_TOUCH_CORE_H
#define ER_COLLIDE_TOUCH_CORE_H

#include "collide/pair.h"

/// A shape's core. It holds what its hull points to, so it stays where it was made.
typedef struct er_core {
    const er_hull *hull; ///< a hull without faces is a point or a segment, one with two faces a triangle
    double radius;       ///< m, around it
    er_hull own;
    er_vec3 vertex[8];
    er_hull_plane plane[6];
} er_core;

/// The core of a shape that has one: SPHERE, CAPSULE, BOX, HULL. A CYLINDER has its middle, and its size.
void er_core_begin(er_core *core, const er_shape *shape);

/// A triangle, its unit normal known.
void er_core_triangle(er_core *core, const er_vec3 *corner, er_vec3 normal);

#endif
