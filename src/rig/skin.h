/// @file
/// Private to the rig room: which bones share skin, and how much.
///
/// Two bones share  a_ij = integral of w_i w_j over the skin,  w the weights, linear over each triangle. Vertices in
/// one place are one, with the mean of their weights, so parts that only touch share skin as well. docs/math/bodies.md.
#ifndef ER_RIG_SKIN_H
#define ER_RIG_SKIN_H

#include "rig/mass/mass.h"

/// What a bone shares with another.
typedef struct er_contact {
    int bone;
    double area; ///< > 0, in the surfaces' unit squared
} er_contact;

/// All that is shared.
typedef struct er_skin_graph {
    const int *start;          ///< [bone_count + 1]
    const er_contact *contact; ///< of bone i: contact[start[i]] to contact[start[i + 1] - 1], ascending by bone
} er_skin_graph;

/// Adds up what bones share, in time proportional to vertices and triangles.
/// @param surface  [surface_count]; an influence of bone_count or more is nobody's
/// @param near     > 0: vertices within about that are in one place
/// @param out      in the arena
/// Errors   ER_ERROR_MEMORY
er_result er_skin_graph_make(er_arena *arena, int surface_count, const er_surface *surface, int bone_count, double near,
                             er_skin_graph *out);

/// What two bones share; 0 where they do not meet.
double er_skin_shared(const er_skin_graph *graph, int a, int b);

#endif
