/// @file
/// Private to the rig room: points and edges of several surfaces, and the seams between them.
#ifndef ERI_RIG_SEAMS_H
#define ERI_RIG_SEAMS_H

#include "rig/build.h"

/// An edge of one triangle.
typedef struct eri_edge {
    int from, to; ///< points, from < to
    int surface;
    bool turned; ///< walked from `to` to `from`
} eri_edge;

/// Numbers the places of all vertices, equal to 1e-6 of the extent.   Errors   ER_ERROR_MEMORY.
/// @param point  [surface][vertex], written; its rows are allocated   @param points  written: how many places there are
er_result eri_rig_number_points(builder *b, int count, const eri_skin_surface *surface, int **point, int *points);

/// Lists the edges of all triangles, sorted by points and then by surface.   Errors   ER_ERROR_MEMORY.
/// @param edges  written: [*edge_count]
er_result eri_rig_list_edges(builder *b, int count, const eri_skin_surface *surface, int *const *point,
                             eri_edge **edges, size_t *edge_count);

#endif
