/// @file
/// Shapes by chance, and what the tests of touches ask of them: supports, what lies inside, the widest gap by trying
/// directions.
#ifndef TESTS_COLLIDE_SOLIDS_H
#define TESTS_COLLIDE_SOLIDS_H

#include "collide/shapes.h"

/// A shape at a pose. It owns its hull.
typedef struct solid {
    er_shape shape;
    er_pose pose;
} solid;

/// A shape of a kind with a volume, its sizes about `size`, turned by chance, at the origin.
solid roll_solid(dice *d, er_shape_kind kind, double size);
void solid_free(solid *s);

/// How far a solid reaches along a unit vector of the world, from its frame's origin.
double solid_reach(const solid *s, er_vec3 n);

/// How far a point of the world is out of a solid (where negative: it is inside), along the nearest of its planes.
double solid_height(const solid *s, er_vec3 x);

/// The gap of two solids along n, from A to B.
double solid_gap(const solid *a, const solid *b, er_vec3 n);

/// The widest gap, by directions all over the sphere and a search around the best of them: right to some 1e-8 of the
/// size, and never too wide.
double solid_widest_gap(dice *d, const solid *a, const solid *b);

/// Moves B along the direction of the centres until they are `gap` apart, or their middles meet.
void solid_bring(solid *a, solid *b, double gap);

#endif
