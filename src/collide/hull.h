/// @file
/// Private to `collide`: loops of vertices from a cloud of points, and a hull from loops.
#ifndef ERI_COLLIDE_HULL_H
#define ERI_COLLIDE_HULL_H

#include <eigenrig/collide.h>

#include "base/arena.h"

/// The surface of a convex solid: loops of vertices, counter-clockwise as seen from outside.
typedef struct eri_hull_loops {
    int vertex_count;
    int *source; ///< [vertex_count], ascending: vertex v is point source[v]
    int face_count;
    int *start;  ///< [face_count + 1], into corner
    int *corner; ///< [start[face_count]], vertices
} eri_hull_loops;

/// Whether there are enough points, and they are numbers that lengths, areas and volumes can be made of.
er_result eri_points_check(er_context *context, int count, const er_vec3 *point);

/// Whether points are numbers of at most 1e50 m; `what` they are of.
er_result eri_points_finite(er_context *context, const char *what, int count, const er_vec3 *point);

/// Keeps on the context that points have no hull.   @return ER_ERROR_ARGUMENT
er_result eri_points_flat(er_context *context, int count);

/// The box around points.
void eri_points_box(int count, const er_vec3 *point, er_vec3 *low, er_vec3 *high);

/// The facets of the convex hull of checked points.   Errors: ER_ERROR_ARGUMENT (flat), ER_ERROR_MEMORY.
er_result eri_qhull_loops(er_arena *arena, int count, const er_vec3 *point, eri_hull_loops *loops);

/// fmin() and fmax() are calls.
static inline double eri_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double eri_max(double a, double b)
{
    return a > b ? a : b;
}

/// a / |a|, or `fallback` where |a| is so small that its square has lost digits.
static inline er_vec3 eri_direction(er_vec3 a, er_vec3 fallback)
{
    double length = er_v3_norm(a);
    return length > 1e-140 ? er_v3_scale(1.0 / length, a) : fallback;
}

/// n, nearly at a right angle to u, made so to rounding: a cross product of nearly parallel vectors leans.
static inline er_vec3 eri_square_to(er_vec3 n, er_vec3 u)
{
    double length2 = er_v3_dot(u, u);
    n = length2 > 0.0 ? er_v3_madd(n, -er_v3_dot(n, u) / length2, u) : n;
    return er_v3_unit(n, n);
}

/// The vertex after corner c of face f.
static inline int eri_hull_next(const er_hull *hull, int f, int c)
{
    return hull->face_vertex[c + 1 < hull->face_start[f + 1] ? c + 1 : hull->face_start[f]];
}

#endif
