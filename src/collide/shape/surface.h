/// @file
/// Private to `collide`: triangles, their neighbours, and a tree of boxes.
#ifndef ERI_COLLIDE_SHAPE_SURFACE_H
#define ERI_COLLIDE_SHAPE_SURFACE_H

#include "collide/hull.h"

/// A triangle, counter-clockwise as seen against its normal.
typedef struct eri_surface_triangle {
    int corner[3];
    int beside[3]; ///< the triangle past the edge from corner k to the next; -1: none, or several
    er_vec3 normal;
} eri_surface_triangle;

/// A box of the tree. The boxes below it come after it: the first one next, the other at `other`.
typedef struct eri_surface_node {
    er_vec3 low, high;
    int other;        ///< 0: a leaf
    int first, count; ///< its triangles
} eri_surface_node;

struct er_surface {
    er_arena *arena;
    int vertex_count, triangle_count, node_count;
    er_vec3 *vertex;                ///< [vertex_count]
    eri_surface_triangle *triangle; ///< [tile_count], by leaf
    int *around;                    ///< [vertex_count + 1], into `ring`
    int *ring;                      ///< [3 tile_count], the triangles at each vertex
    eri_surface_node *node;         ///< [node_count], the root first
};

enum { ERI_MESH_DEPTH = 64 }; ///< boxes that wait on the way down: the tree is balanced

/// A query of the tree: the triangles of leaves whose boxes overlap a box.
typedef struct eri_surface_query {
    const er_surface *surface;
    er_vec3 low, high;
    int waiting, stack[ERI_MESH_DEPTH];
    int next, end; ///< triangles of the leaf
} eri_surface_query;

eri_surface_query eri_surface_query_begin(const er_surface *surface, er_vec3 low, er_vec3 high);

/// The next triangle; -1: there is none.
int eri_surface_query_next(eri_surface_query *walk);

/// The box around a surface at a pose, in the world's axes.
void eri_surface_box(const er_surface *surface, er_pose pose, er_vec3 *low, er_vec3 *high);

static inline void eri_surface_corners(const er_surface *surface, int triangle, er_vec3 *corner)
{
    for (int k = 0; k < 3; ++k)
        corner[k] = surface->vertex[surface->triangle[triangle].corner[k]];
}

#endif
