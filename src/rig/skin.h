/// @file
/// Private to the rig room: which bones share skin, and how much.
///
/// Two bones share  a_ij = integral of w_i w_j over the skin,  w the weights, linear over each triangle. Vertices in
/// one place are one, with the mean of their weights, so parts that only touch share skin as well. docs/math/bodies.md.
#ifndef ERI_RIG_SKIN_H
#define ERI_RIG_SKIN_H

#include "rig/mass/mass.h"

/// The skin that a bone shares with another.
typedef struct eri_skin_contact {
    int bone;
    double area; ///< > 0, in the surfaces' unit squared
} eri_skin_contact;

/// All shared skin.
typedef struct eri_skin_graph {
    const int *start;                ///< [bone_count + 1]
    const eri_skin_contact *contact; ///< of bone i: contact[start[i]] to contact[start[i + 1] - 1], ascending by bone
} eri_skin_graph;

/// Adds up shared skin, in time proportional to vertices and triangles.
/// @param surface  [surface_count]; an influence of bone_count or more is of no bone
/// @param near     > 0: vertices about this near are merged
/// @param out      in the arena
/// Errors   ER_ERROR_MEMORY
er_result eri_skin_graph_make(er_arena *arena, int surface_count, const eri_skin_surface *surface, int bone_count,
                              double near, eri_skin_graph *out);

/// The skin that two bones share; 0 without any.
double eri_skin_shared(const eri_skin_graph *graph, int a, int b);

#endif
