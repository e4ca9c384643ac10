/// @file
/// Private to `mass`: boxes and faces, for the tree, the balls and the rays.
#ifndef ERI_RIG_MASS_BOX_H
#define ERI_RIG_MASS_BOX_H

#include <float.h>

#include "rig/mass/face_tree.h"

#define ERI_TREE_STACK 64 ///< halving splits: depth <= log2(faces) + 1

/// Unlike fmin() and fmax() these become single instructions.
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline er_vec3 face_point(const eri_mass_solid *solid, int face, int corner)
{
    return solid->position[solid->face[face].vertex[corner]];
}

/// How far x lies outside [low, high].
static inline double outside(double low, double high, double x)
{
    return larger(larger(low - x, x - high), 0.0);
}

/// Between the node's box and a cube; half = 0: a point.
static inline double box_distance2(const eri_face_tree_node *node, er_vec3 x, double half)
{
    double dx = outside(node->low[0] - half, node->high[0] + half, x.x);
    double dy = outside(node->low[1] - half, node->high[1] + half, x.y);
    double dz = outside(node->low[2] - half, node->high[2] + half, x.z);
    return dx * dx + dy * dy + dz * dz;
}

/// Prepares a face.
void eri_face_plane_set(const eri_mass_solid *solid, int face, eri_face_plane *plane);

/// Keeps the point of a face nearest to x where it is nearer than the best so far.
void eri_face_plane_try(const eri_face_plane *plane, er_vec3 x, eri_nearest *best);

/// The square of how far the cube's farthest corner is from the nearest point of its centre: nothing farther from the
/// whole cube is nearest to any of it.
double eri_cube_reach2(const eri_mass_solid *solid, eri_cube cube, const eri_nearest *nearest);

#endif
