/// @file
/// Triangles of solids, for files.
#ifndef ERI_APP_ENGINE_TESSELLATE_H
#define ERI_APP_ENGINE_TESSELLATE_H

#include <eigenrig/collide.h>

/// A surface in the shape's frame, m, counter-clockwise from outside; corners where it has edges are there several
/// times, with a normal each.
typedef struct tessellation {
    int vertex_count, triangle_count;
    float *position, *normal; ///< [3 vertex_count]
    int *index;               ///< [3 triangle_count]
} tessellation;

/// @param face  m: half the side of a plane
/// @param out   to be cleared, whatever the result
/// @return false: no memory
bool tessellate(const er_shape *shape, double face, tessellation *out);

void tessellation_clear(tessellation *t); ///< all zeros are fine

#endif
