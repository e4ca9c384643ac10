/// @file
/// Private to `mass`: a tree of boxes over faces of a solid, and the questions asked of it. Those about places in a
/// cube start from the few nodes that matter there (eri_near), which each cube takes from the list of the cube around
/// it.
#ifndef ERI_RIG_MASS_FACE_TREE_H
#define ERI_RIG_MASS_FACE_TREE_H

#include "rig/mass/mass_solid.h"

typedef struct eri_face_tree_node {
    double low[3], high[3];
    double extent; ///< longest side of the box
    double finest; ///< smallest cell_size below
    int owner;     ///< the body that owns every face below, or -1
    int face;      ///< of a leaf; -1: inner node, whose first child follows it
    int second;    ///< of an inner node, the second child
} eri_face_tree_node;

typedef struct eri_face_tree {
    const eri_mass_solid *solid;
    eri_face_plane *plane;    ///< of the solid
    eri_face_tree_node *node; ///< [2 faces - 1], the root first
} eri_face_tree;

/// Nodes whose faces hold everything that a question about a cube may need.
typedef struct eri_near {
    int count;
    const int *node;
} eri_near;

typedef struct eri_cube {
    er_vec3 centre;
    double half;
} eri_cube;

/// The nearest point of the surface.
typedef struct eri_nearest {
    int face;
    double share[3];  ///< barycentric, >= 0
    double distance2; ///< squared
} eri_nearest;

/// Where a line passes through the surface.
typedef struct eri_crossing {
    double at; ///< coordinate along the line's axis
    int step;  ///< change of the winding number there, +1 or -1
    int face;
} eri_crossing;

/// The faces near a cube, and its owner.
typedef struct eri_vicinity {
    double finest;
    int owner;   ///< the body that owns all of it, or -1
    bool passed; ///< whether the surface may pass the cube
} eri_vicinity;

/// A tree of faces.   @param face  [count], count > 0   Errors: ER_ERROR_MEMORY.
er_result eri_face_tree_build(er_arena *arena, const eri_mass_solid *solid, int count, const int *face,
                              eri_face_tree **out);

/// The point of the surface nearest to x.   @param seed  a face likely to be near; only speed depends on it
eri_nearest eri_face_tree_nearest(const eri_face_tree *tree, eri_near near, er_vec3 x, int seed);

/// Narrows a list to a cube: every point's nearest face lies below a node that is kept, as does each face that passes
/// the cube. Nodes are opened until they are no more than twice as large as the cube.
/// @param near     of a cube around this one; {1, {0}} is the whole tree
/// @param nearest  to the cube's centre
/// @param out      room for a node per face
/// @return how many were kept
int eri_face_tree_narrow(const eri_face_tree *tree, eri_near near, eri_cube cube, const eri_nearest *nearest, int *out,
                         eri_vicinity *vicinity);

/// Leaves whose faces may pass a cube.   @param out  room for all faces   @return how many
int eri_face_tree_passing(const eri_face_tree *tree, eri_near near, eri_cube cube, int *out);

/// Bounding balls of faces, for many distance queries in one cube.
typedef struct eri_face_balls {
    const eri_face_plane *plane;
    int count;
    float *x, *y, *z, *radius; ///< of balls that hold them
    float *distance2;          ///< scratch
    double largest;            ///< radius
    int *face;
} eri_face_balls;

/// Room for as many faces.   Errors: ER_ERROR_MEMORY.
er_result eri_face_balls_create(er_arena *arena, int faces, eri_face_balls *balls);

/// Takes the faces that are nearest to some place in a cube.
/// @param nearest  to its centre
/// @param fine     faces within so small a box are one, and what is nearest may be missed by as much
void eri_face_balls_fill(eri_face_balls *balls, const eri_face_tree *tree, eri_near near, eri_cube cube,
                         const eri_nearest *nearest, double fine);

/// As eri_face_tree_nearest(), of a place in the cube.
eri_nearest eri_face_balls_nearest(const eri_face_balls *balls, er_vec3 x);

/// Crossings of the line through `x` along `axis` at coordinates up to `end`, unsorted.
/// Over the whole line the steps of a closed chain sum to exactly 0, whatever the rounding.
/// @param out  room for all faces
int eri_face_tree_line(const eri_face_tree *tree, int axis, er_vec3 x, double end, eri_crossing *out);

/// How the winding number changes from x to y, among the nodes of a list that holds what passes between them.
int eri_face_tree_step(const eri_face_tree *tree, eri_near near, er_vec3 x, er_vec3 y);

/// The same among some leaves.
int eri_leaves_step(const eri_face_tree *tree, int count, const int *leaf, er_vec3 x, er_vec3 y);

/// Crossings of an axis-parallel line, among some leaves, at coordinates between low and high.   @param out  [count]
int eri_leaves_line(const eri_face_tree *tree, int count, const int *leaf, int axis, er_vec3 x, double low, double high,
                    eri_crossing *out);

#endif
