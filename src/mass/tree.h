/// @file
/// Private to `mass`: a tree of boxes over the faces of a solid, and the three questions asked of it.
#ifndef ER_MASS_TREE_H
#define ER_MASS_TREE_H

#include "mass/solid.h"

typedef struct er_tree_node {
    double low[3], high[3];
    double finest; ///< smallest grain below
    int owner;     ///< the body that owns every face below, or -1
    int face;      ///< of a leaf; -1: inner node, whose first child follows it
    int second;    ///< of an inner node, the second child
} er_tree_node;

typedef struct er_tree {
    const er_solid *solid;
    er_tree_node *node; ///< [2 face_count - 1], the root first
} er_tree;

/// The nearest point of the surface.
typedef struct er_nearest {
    int face;
    double share[3];  ///< barycentric, >= 0
    double distance2; ///< squared
} er_nearest;

/// Where an axis-parallel line passes through the surface.
typedef struct er_crossing {
    double at; ///< coordinate along the line
    int step;  ///< change of the winding number there, +1 or -1
    int face;
} er_crossing;

/// What is to be found near a place.
typedef struct er_vicinity {
    double finest;
    int owner; ///< the body that owns all of it, or -1
} er_vicinity;

/// Errors: ER_ERROR_MEMORY.
er_result er_tree_build(er_arena *arena, const er_solid *solid, er_tree **out);

/// The point of the surface nearest to x.   @param seed  a face likely to be near; only speed depends on it
er_nearest er_tree_nearest(const er_tree *tree, er_vec3 x, int seed);

/// Crossings of the line through `x` along `axis` at coordinates up to `end`, unsorted.
/// Over the whole line the steps of a closed chain sum to exactly 0, whatever the rounding.
/// @param out  room for face_count
int er_tree_line(const er_tree *tree, int axis, er_vec3 x, double end, er_crossing *out);

/// The finest grain and the owner of all faces that may be within `reach` of x. It stops looking, with what it has,
/// once there are two owners and a grain below `fine`.
er_vicinity er_tree_vicinity(const er_tree *tree, er_vec3 x, double reach, double fine);

#endif
