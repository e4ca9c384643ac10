/// @file
/// Hulls of solids whose faces are given: the surface is checked, then the hull of its vertices is taken.
#include <stdlib.h>

#include "collide/hull.h"

#define CONVEX 1e-6 // of the size: what numbers in files lose

/// A directed edge of a triangle.
typedef struct eri_arc {
    int low, high; ///< its vertices
    bool forward;  ///< it leads from the lower to the higher
} eri_arc;

static int compare_arcs(const void *a, const void *b)
{
    const eri_arc *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return x->forward - y->forward;
}

static er_result check_indices(er_context *context, int vertex_count, int triangle_count, const int *index)
{
    if (triangle_count < 4)
        return er_fail(context, ER_ERROR_ARGUMENT, "a solid of %d triangles: at least 4 close one", triangle_count);
    for (int t = 0; t < triangle_count; ++t) {
        const int *v = index + 3 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            if (v[k] < 0 || v[k] >= vertex_count)
                return er_fail(context, ER_ERROR_ARGUMENT,
                               "triangle %d has vertex %d: vertices are numbered from 0 to %d", t, v[k],
                               vertex_count - 1);
            if (v[k] == v[(k + 1) % 3])
                return er_fail(context, ER_ERROR_ARGUMENT,
                               "triangle %d has vertex %d twice: give it three, or leave it out", t, v[k]);
        }
    }
    return ER_OK;
}

/// Every edge belongs to two triangles, which walk it in opposite directions.
static er_result check_closed(er_arena *scratch, int triangle_count, const int *index)
{
    er_result r = ER_OK;
    eri_arc *arc;
    size_t count = 3 * (size_t)triangle_count;
    ERI_TRY_NEW(arc, scratch, eri_arc, count);
    for (size_t i = 0; i < count; ++i) {
        int from = index[i], to = index[i % 3 == 2 ? i - 2 : i + 1];
        arc[i] = from < to ? (eri_arc){from, to, true} : (eri_arc){to, from, false};
    }
    qsort(arc, count, sizeof *arc, compare_arcs);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && arc[next].low == arc[i].low && arc[next].high == arc[i].high; ++next)
            ;
        er_context *context = eri_arena_context(scratch);
        if (next - i != 2)
            return er_fail(
                context, ER_ERROR_ARGUMENT,
                "the edge from vertex %d to %d belongs to %d triangles: a solid is closed where all have two",
                arc[i].low, arc[i].high, (int)(next - i));
        if (arc[i].forward == arc[i + 1].forward)
            return er_fail(
                context, ER_ERROR_ARGUMENT,
                "the triangles at the edge from vertex %d to %d wind in opposite ways: turn one of them around",
                arc[i].low, arc[i].high);
    }
done:
    return r;
}

/// No vertex stands out of any face, which all see the vertices on the same side.
static er_result check_convex(er_context *context, int vertex_count, const er_vec3 *vertex, int triangle_count,
                              const int *index)
{
    er_vec3 low, high;
    eri_points_box(vertex_count, vertex, &low, &high);
    double size = er_v3_distance(low, high), tolerance = CONVEX * size, volume = 0.0;
    for (int t = 0; t < triangle_count; ++t) {
        const int *v = index + 3 * (size_t)t;
        er_vec3 a = er_v3_scale(1.0 / size, er_v3_sub(vertex[v[0]], low)),
                b = er_v3_scale(1.0 / size, er_v3_sub(vertex[v[1]], low)),
                c = er_v3_scale(1.0 / size, er_v3_sub(vertex[v[2]], low));
        volume += er_v3_dot(a, er_v3_cross(b, c));
    }
    for (int t = 0; t < triangle_count; ++t) {
        const int *v = index + 3 * (size_t)t;
        er_vec3 corner = vertex[v[0]], x = er_v3_sub(vertex[v[1]], corner), y = er_v3_sub(vertex[v[2]], corner);
        er_vec3 area = er_v3_scale(volume < 0.0 ? -1.0 : 1.0, er_v3_cross(x, y));
        double longest = fmax(er_v3_norm(er_v3_sub(x, y)), fmax(er_v3_norm(x), er_v3_norm(y)));
        er_vec3 normal = er_v3_unit(area, er_v3(0, 0, 0));
        double slack = tolerance * (1.0 + size * longest / er_v3_norm(area)); // a sliver's normal is as uncertain
        for (int i = 0; i < vertex_count; ++i) {
            double out = er_v3_dot(normal, er_v3_sub(vertex[i], corner));
            if (out > slack)
                return er_fail(
                    context, ER_ERROR_ARGUMENT,
                    "vertex %d stands %g m out of triangle %d: the solid is not convex; split it, or take the "
                    "hull of its vertices",
                    i, out, t);
        }
    }
    return ER_OK;
}

er_result er_hull_create_faces(er_context *context, int vertex_count, const er_vec3 *vertex, int triangle_count,
                               const int *index, er_hull **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (vertex == NULL || index == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a hull of faces at NULL");
    er_arena *scratch = NULL;
    er_result r = ER_OK;
    ERI_TRY(eri_points_check(context, vertex_count, vertex));
    ERI_TRY(check_indices(context, vertex_count, triangle_count, index));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(check_closed(scratch, triangle_count, index));
    ERI_TRY(check_convex(context, vertex_count, vertex, triangle_count, index));
    ERI_TRY(er_hull_create(context, vertex_count, vertex, out));
done:
    eri_arena_destroy(scratch);
    return r;
}
