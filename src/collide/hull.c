/// @file
/// Hulls: faces, edges and spokes from loops of vertices, planes, and the mass properties of the solid.
#include "collide/hull.h"

#include <stdlib.h>
#include <string.h>

#include "math/moments.h"

// ---- Topology

/// A face's loop, to sort faces by.
typedef struct eri_hull_loop {
    const int *corner;
    int count;
} eri_hull_loop;

static int compare_loops(const void *a, const void *b)
{
    const eri_hull_loop *x = a, *y = b;
    for (int k = 0; k < x->count && k < y->count; ++k)
        if (x->corner[k] != y->corner[k]) return x->corner[k] < y->corner[k] ? -1 : 1;
    return x->count - y->count;
}

/// Turns a loop so that the least vertex is first.
static void least_first(const int *loop, int count, int *out)
{
    int least = 0;
    for (int k = 1; k < count; ++k)
        if (loop[k] < loop[least]) least = k;
    for (int k = 0; k < count; ++k)
        out[k] = loop[(least + k) % count];
}

/// Lays the loops down in an order of their own, whatever order they came in.
static er_result lay_faces(er_hull *hull, const eri_hull_loops *loops)
{
    er_result r = ER_OK;
    eri_hull_loop *loop;
    int faces = loops->face_count, *turned, *start, *corner;
    ERI_TRY_NEW(loop, hull->arena, eri_hull_loop, faces);
    ERI_TRY_NEW(turned, hull->arena, int, loops->start[faces]);
    ERI_TRY_NEW(start, hull->arena, int, faces + 1);
    ERI_TRY_NEW(corner, hull->arena, int, loops->start[faces]);
    for (int f = 0; f < faces; ++f) {
        int at = loops->start[f];
        loop[f] = (eri_hull_loop){turned + at, loops->start[f + 1] - at};
        least_first(loops->corner + at, loop[f].count, turned + at);
    }
    qsort(loop, (size_t)faces, sizeof *loop, compare_loops);
    for (int f = 0; f < faces; ++f) {
        memcpy(corner + start[f], loop[f].corner, (size_t)loop[f].count * sizeof *corner);
        start[f + 1] = start[f] + loop[f].count;
    }
    hull->face_count = faces;
    hull->face_start = start;
    hull->face_vertex = corner;
done:
    return r;
}

/// A corner's edge, to find its other half by.
typedef struct eri_half {
    int low, high; ///< its vertices
    int corner, face;
} eri_half;

static int compare_halves(const void *a, const void *b)
{
    const eri_half *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

/// Pairs the corners' edges.   Errors: ER_ERROR_ARGUMENT (they do not pair, one each way), ER_ERROR_MEMORY.
static er_result pair_edges(er_hull *hull)
{
    er_result r = ER_OK;
    eri_half *half;
    er_hull_edge *edge;
    int corners = hull->face_start[hull->face_count], *face_edge;
    ERI_TRY_NEW(half, hull->arena, eri_half, corners);
    ERI_TRY_NEW(edge, hull->arena, er_hull_edge, corners / 2);
    ERI_TRY_NEW(face_edge, hull->arena, int, corners);
    for (int f = 0; f < hull->face_count; ++f)
        for (int c = hull->face_start[f]; c < hull->face_start[f + 1]; ++c) {
            int v = hull->face_vertex[c], w = eri_hull_next(hull, f, c);
            half[c] = (eri_half){v < w ? v : w, v < w ? w : v, c, f};
        }
    qsort(half, (size_t)corners, sizeof *half, compare_halves);
    if (corners % 2 != 0) return ER_ERROR_ARGUMENT;
    for (int e = 0; e < corners / 2; ++e) {
        const eri_half *x = &half[2 * e], *y = x + 1;
        int from = hull->face_vertex[x->corner], to = hull->face_vertex[y->corner];
        if (x->low != y->low || x->high != y->high || from == to) return ER_ERROR_ARGUMENT;
        edge[e] = (er_hull_edge){{from, to}, {x->face, y->face}};
        face_edge[x->corner] = face_edge[y->corner] = e;
    }
    hull->edge_count = corners / 2;
    hull->edge = edge;
    hull->face_edge = face_edge;
    return hull->vertex_count + hull->face_count - hull->edge_count == 2 ? ER_OK : ER_ERROR_ARGUMENT; // Euler
done:
    return r;
}

/// Spokes of each vertex, from one face to the next around it.
static er_result lay_spokes(er_hull *hull)
{
    er_result r = ER_OK;
    int spokes = 2 * hull->edge_count, *start, *spoke, *neighbour, *first;
    ERI_TRY_NEW(start, hull->arena, int, hull->vertex_count + 1);
    ERI_TRY_NEW(spoke, hull->arena, int, spokes);
    ERI_TRY_NEW(neighbour, hull->arena, int, spokes);
    ERI_TRY_NEW(first, hull->arena, int, hull->vertex_count); // its last edge, plus 1
    for (int e = hull->edge_count; e-- > 0;)
        for (int k = 0; k < 2; ++k) {
            first[hull->edge[e].vertex[k]] = e + 1;
            ++start[hull->edge[e].vertex[k] + 1];
        }
    for (int v = 0; v < hull->vertex_count; ++v) {
        start[v + 1] += start[v];
        for (int s = start[v], e = first[v] - 1; s < start[v + 1]; ++s) {
            const er_hull_edge *edge = &hull->edge[e];
            int away = edge->vertex[0] == v ? 0 : 1; // the side on which the edge leads away from v
            spoke[s] = e;
            neighbour[s] = edge->vertex[1 - away];
            // On the other side the edge comes to v, and the next one there leaves it.
            int f = edge->face[1 - away], c = hull->face_start[f];
            while (hull->face_vertex[c] != v)
                ++c;
            e = hull->face_edge[c];
        }
    }
    hull->vertex_start = start;
    hull->vertex_edge = spoke;
    hull->neighbour = neighbour;
done:
    return r;
}

// ---- Geometry

static er_result copy_vertices(er_hull *hull, const er_vec3 *point, const eri_hull_loops *loops)
{
    er_result r = ER_OK;
    er_vec3 *vertex;
    int *source;
    ERI_TRY_NEW(vertex, hull->arena, er_vec3, loops->vertex_count);
    ERI_TRY_NEW(source, hull->arena, int, loops->vertex_count);
    for (int v = 0; v < loops->vertex_count; ++v) {
        source[v] = loops->source[v];
        vertex[v] = point[source[v]];
        hull->radius = fmax(hull->radius, er_v3_norm(vertex[v]));
    }
    hull->vertex_count = loops->vertex_count;
    hull->vertex = vertex;
    hull->source = source;
    eri_points_box(hull->vertex_count, vertex, &hull->low, &hull->high);
done:
    return r;
}

/// A face's outward normal, zero where it has no area: by its triangles, then squared to its longest chord.
static er_vec3 face_normal(const er_hull *hull, int f)
{
    int start = hull->face_start[f], end = hull->face_start[f + 1];
    er_vec3 sum = {0}, longest = {0}, first = hull->vertex[hull->face_vertex[start]], last = first;
    for (int c = start + 1; c < end; ++c) {
        er_vec3 chord = er_v3_sub(hull->vertex[hull->face_vertex[c]], first);
        er_vec3 side = er_v3_sub(hull->vertex[hull->face_vertex[c]], last);
        sum = er_v3_add(sum, er_v3_cross(er_v3_sub(last, first), chord));
        last = hull->vertex[hull->face_vertex[c]];
        if (er_v3_norm(side) > er_v3_norm(longest)) longest = side;
        if (er_v3_norm(chord) > er_v3_norm(longest)) longest = chord;
    }
    return eri_square_to(er_v3_unit(sum, er_v3(0, 0, 0)), longest);
}

/// The planes of all faces, each as far out as its farthest corner.   Errors: ER_ERROR_ARGUMENT (a face without area),
/// ER_ERROR_MEMORY.
static er_result find_planes(er_hull *hull)
{
    er_result r = ER_OK;
    er_hull_plane *plane;
    ERI_TRY_NEW(plane, hull->arena, er_hull_plane, hull->face_count);
    for (int f = 0; f < hull->face_count; ++f) {
        er_vec3 n = face_normal(hull, f);
        if (er_v3_norm(n) == 0.0) return ER_ERROR_ARGUMENT;
        plane[f] = (er_hull_plane){n, -HUGE_VAL};
        for (int c = hull->face_start[f]; c < hull->face_start[f + 1]; ++c)
            plane[f].offset = fmax(plane[f].offset, er_v3_dot(n, hull->vertex[hull->face_vertex[c]]));
    }
    hull->plane = plane;
done:
    return r;
}

/// Volume, centre and inertia, from moments about a place amid the hull.
/// @return whether there is a volume
static bool weigh(er_hull *hull)
{
    er_vec3 amid = er_v3_scale(0.5, er_v3_add(hull->low, hull->high)), first = {0};
    er_mat3 second = {{{0}}};
    for (int f = 0; f < hull->face_count; ++f) {
        int c = hull->face_start[f];
        er_vec3 a = er_v3_sub(hull->vertex[hull->face_vertex[c]], amid);
        while (++c + 1 < hull->face_start[f + 1])
            eri_moments_add(&hull->volume, &first, &second, a, er_v3_sub(hull->vertex[hull->face_vertex[c]], amid),
                            er_v3_sub(hull->vertex[hull->face_vertex[c + 1]], amid));
    }
    if (!(hull->volume > 0.0)) return false;
    er_vec3 centre = er_v3_scale(1.0 / hull->volume, first);
    hull->centre = er_v3_add(amid, centre);
    hull->inertia = eri_inertia_from_second(er_m3_madd(second, -hull->volume, er_m3_outer(centre, centre)));
    return true;
}

er_result er_hull_create(er_context *context, int count, const er_vec3 *point, er_hull **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (point == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a hull of points at NULL");
    er_arena *scratch = NULL, *arena = NULL;
    eri_hull_loops loops;
    er_hull *hull;
    er_result r = ER_OK;
    ERI_TRY(eri_points_check(context, count, point));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_qhull_loops(scratch, count, point, &loops));
    ERI_TRY_NEW(hull, arena, er_hull, 1);
    hull->arena = arena;
    ERI_TRY(copy_vertices(hull, point, &loops));
    ERI_TRY(lay_faces(hull, &loops));
    r = pair_edges(hull);
    if (r == ER_OK) r = lay_spokes(hull);
    if (r == ER_OK) r = find_planes(hull);
    if (r == ER_OK && !weigh(hull)) r = ER_ERROR_ARGUMENT;
    if (r == ER_ERROR_ARGUMENT) eri_points_flat(context, count);
    ERI_TRY(r);
    *out = hull;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    eri_arena_destroy(scratch);
    return r;
}

void er_hull_destroy(er_hull *hull)
{
    if (hull != NULL) eri_arena_destroy(hull->arena);
}

void er_hull_box(const er_hull *hull, er_pose pose, er_vec3 *low, er_vec3 *high)
{
    er_mat3 turn = er_m3_from_q(pose.q);
    *low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = er_v3_scale(-1.0, *low);
    for (int v = 0; v < hull->vertex_count; ++v) {
        er_vec3 x = er_v3_add(er_m3_mul_v(turn, hull->vertex[v]), pose.p);
        *low = er_v3(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        *high = er_v3(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
    }
}
