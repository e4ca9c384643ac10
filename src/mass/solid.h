/// @file
/// Private to `mass`: one surface made into a closed chain of oriented triangles, so that the winding number of every
/// point is a whole number.
///
/// Unit coordinates: x = centre + size x', the longest side of the surface's box is 1 and its centre 0.
#ifndef ER_MASS_SOLID_H
#define ER_MASS_SOLID_H

#include "mass/mass.h"

/// A triangle of the chain.
typedef struct er_face {
    int vertex[3]; ///< welded: equal positions have equal indices
    int skin[3];   ///< the vertices as the surface had them, for their influences
    int part;      ///< the piece, connected over manifold edges, that it belongs to
    int owner;     ///< the body it belongs to wholly, or -1
    double grain;  ///< unit coordinates, the size of cell wanted next to it
} er_face;

/// A piece of the surface, with its caps.
typedef struct er_part {
    double volume; ///< by the divergence theorem, unit coordinates
    double area;
    int sign;         ///< -1: its faces count as turned around
    int first, count; ///< its faces without caps: er_solid.member[first .. first + count)
} er_part;

/// The chain. Vertices from the surface's vertex count on are the apexes of caps. Influences sum to 1 per vertex; those
/// of nobody go to the body index `body_count`.
typedef struct er_solid {
    er_vec3 centre; ///< metres
    double size;    ///< metres
    int vertex_count;
    er_vec3 *position; ///< [vertex_count], unit coordinates
    int *influence_start;
    int *influence_body;
    double *influence_weight;
    int face_count;
    er_face *face; ///< the surface's own first, caps after
    int *member;   ///< faces without caps, part by part
    int part_count;
    er_part *part; ///< [part_count]
    int body_count;
    double slope; ///< cells may be this part of their depth wide, whatever the grain
    bool closed;  ///< no cap was needed
} er_solid;

struct er_tree;

/// Welds, drops degenerate and repeated triangles, orients each part and caps its holes.
/// *out has no faces when nothing is left.
/// Errors: ER_ERROR_MEMORY, ER_ERROR_RIG (coordinates beyond 1e50 m).
er_result er_solid_build(er_arena *arena, const er_surface *surface, int body_count, er_solid **out);

/// Sets slope, and owner and grain of every face, so that each body gets an equal part of about `cells` cells along the
/// surface. Errors: ER_ERROR_MEMORY.
er_result er_solid_grade(er_arena *arena, er_solid *solid, int cells);

/// Turns parts outward: all, where the signed volume is negative; then each part that is negative and not a cavity.
/// Errors: ER_ERROR_MEMORY.
er_result er_solid_turn(er_arena *arena, er_solid *solid, const struct er_tree *tree);

static inline double er_axis(er_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

#endif
