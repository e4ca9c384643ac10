/// @file
/// A figure's skin as a closed triangle mesh: found on a grid, then remeshed to triangles as large as its curvature
/// allows.
#ifndef ERI_MAKE_SURFACE_H
#define ERI_MAKE_SURFACE_H

#include "figure.h"

/// Triangles turn anticlockwise seen from outside; each edge belongs to two of them, in opposite directions.
typedef struct surface {
    int vertex_count, triangle_count;
    er_vec3 *position;  ///< [vertex_count]
    int (*triangle)[3]; ///< [triangle_count], vertex indices
} surface;

/// The zero level of the figure's field by marching tetrahedra, which cannot leave holes or pinches.
/// The result is fine and ill-shaped; free it with surface_free().
surface surface_march(const figure *f);

/// Coarsens a closed surface to edges of between edge_min and edge_max, short where the normal turns, and evens its
/// triangles out; vertices stay on the field's zero level.
void surface_remesh(const figure *f, surface *s);

/// Stops the program unless each edge has exactly two triangles in opposite directions.
void surface_check(const figure *f, const surface *s);

void surface_free(surface *s);

#endif
