/// @file
/// Facets of a convex hull by Qhull: the one place that knows it. Points go in scaled to 1 but not
/// centred, so that its tolerance is the rounding of the coordinates as they are given; it says nothing to anyone, and
/// all of its memory is gone at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "base/failure.h"
#include "base/platform.h"
#include "collide/hull.h"

/// The edges of a facet as pairs of points, in no order.   @return how many
static int facet_edges(qhT *qh, facetT *facet, int *pair)
{
    int count = 0;
    if (facet->simplicial) {
        vertexT *vertex, **vertexp;
        int corner[3], n = 0;
        FOREACHvertex_(facet->vertices) corner[n++] = qh_pointid(qh, vertex->point);
        for (int k = 0; k < 3; ++k) {
            pair[2 * count] = corner[k];
            pair[2 * count++ + 1] = corner[(k + 1) % 3];
        }
        return count;
    }
    ridgeT *ridge, **ridgep;
    FOREACHridge_(facet->ridges)
    {
        pair[2 * count] = qh_pointid(qh, SETfirstt_(ridge->vertices, vertexT)->point);
        pair[2 * count++ + 1] = qh_pointid(qh, SETsecondt_(ridge->vertices, vertexT)->point);
    }
    return count;
}

/// Chains edges into a loop.   @return whether they are one
static bool chain(int count, int *pair, int *loop)
{
    for (int k = 0; k < count; ++k) {
        loop[k] = pair[2 * k];
        int next = pair[2 * k + 1], other = k + 1;
        while (other < count && pair[2 * other] != next && pair[2 * other + 1] != next)
            ++other;
        if (other == count) return k == count - 1 && next == loop[0];
        int from = pair[2 * other], to = pair[2 * other + 1];
        pair[2 * other] = pair[2 * (k + 1)];
        pair[2 * other + 1] = pair[2 * (k + 1) + 1];
        pair[2 * (k + 1)] = next;
        pair[2 * (k + 1) + 1] = from == next ? to : from;
    }
    return false;
}

/// Turns a loop of points counter-clockwise about a facet's outward normal.
static void turn_outward(const double *place, const double *normal, int count, int *loop)
{
    er_vec3 area = {0}, n = er_v3(normal[0], normal[1], normal[2]), p[2] = {0};
    const double *first = place + 3 * loop[0];
    for (int k = 1; k < count; ++k) {
        const double *x = place + 3 * loop[k];
        p[k % 2] = er_v3(x[0] - first[0], x[1] - first[1], x[2] - first[2]);
        if (k > 1) area = er_v3_add(area, er_v3_cross(p[(k + 1) % 2], p[k % 2]));
    }
    if (er_v3_dot(area, n) >= 0.0) return;
    for (int i = 0, j = count - 1; i < j; ++i, --j) {
        int t = loop[i];
        loop[i] = loop[j];
        loop[j] = t;
    }
}

/// Reads the facets, their corners still points.   Errors: ER_ERROR_ARGUMENT (a facet is no loop), ER_ERROR_MEMORY.
static er_result read_facets(qhT *qh, er_arena *arena, const double *place, eri_hull_loops *loops)
{
    facetT *facet;
    er_result r = ER_OK;
    int faces = 0, corners = 0, *pair;
    FORALLfacets
    {
        corners += facet->simplicial ? 3 : qh_setsize(qh, facet->ridges);
        ++faces;
    }
    ERI_TRY_NEW(loops->start, arena, int, faces + 1);
    ERI_TRY_NEW(loops->corner, arena, int, corners);
    ERI_TRY_NEW(pair, arena, int, 2 * corners);
    corners = 0;
    FORALLfacets
    {
        int count = facet_edges(qh, facet, pair), *loop = loops->corner + corners;
        if (!chain(count, pair, loop)) return ER_ERROR_ARGUMENT;
        turn_outward(place, facet->normal, count, loop);
        corners += count;
        loops->start[++loops->face_count] = corners;
    }
done:
    return r;
}

/// Numbers the points that are corners, in their order, and names corners so.
static er_result number_vertices(er_arena *arena, int count, eri_hull_loops *loops)
{
    er_result r = ER_OK;
    int *number, corners = loops->start[loops->face_count];
    ERI_TRY_NEW(number, arena, int, count);
    for (int c = 0; c < corners; ++c)
        number[loops->corner[c]] = 1;
    for (int i = 0; i < count; ++i)
        loops->vertex_count += number[i];
    ERI_TRY_NEW(loops->source, arena, int, loops->vertex_count);
    for (int i = 0, v = 0; i < count; ++i)
        if (number[i]) {
            loops->source[v] = i;
            number[i] = v++;
        }
    for (int c = 0; c < corners; ++c)
        loops->corner[c] = number[loops->corner[c]];
done:
    return r;
}

er_result eri_qhull_loops(er_arena *arena, int count, const er_vec3 *point, eri_hull_loops *loops)
{
    er_context *context = eri_arena_context(arena);
    er_result r = ER_OK;
    char command[] = "qhull C-0 Pp"; // facets of one plane merge; no warnings
    FILE *quiet = NULL;
    qhT *qh = NULL;
    double *place;
    memset(loops, 0, sizeof *loops);
    ERI_TRY_NEW(place, arena, double, 3 * (size_t)count);
    double size = 0.0;
    for (int i = 0; i < count; ++i)
        size = fmax(size, fmax(fabs(point[i].x), fmax(fabs(point[i].y), fabs(point[i].z))));
    for (int i = 0; i < count; ++i) {
        er_vec3 x = er_v3_scale(1.0 / size, point[i]);
        memcpy(place + 3 * (size_t)i, &x, sizeof x);
    }
    qh = malloc(sizeof *qh);
    quiet = eri_platform_null_stream(); // discards its messages
    if (qh == NULL || quiet == NULL) {
        r = eri_no_memory(context);
        goto done;
    }
    qh_zero(qh, quiet);
    int left, blocks, status = qh_new_qhull(qh, 3, count, place, False, command, quiet, quiet);
    r = status == qh_ERRmem ? eri_no_memory(context)
        : status != 0       ? ER_ERROR_ARGUMENT
                            : read_facets(qh, arena, place, loops);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &blocks);
    if (r == ER_OK) r = number_vertices(arena, count, loops);
    if (r == ER_ERROR_ARGUMENT) eri_points_flat(context, count);
done:
    if (quiet != NULL) fclose(quiet);
    free(qh);
    return r;
}
