/// @file
/// Surfaces of triangles: which triangles meet at edges and vertices, and a tree of boxes, halved at the median of the
/// middles along its longest side.
#include "collide/shape/surface.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "math/nth_element.h"

#define FLAT 1e-12 // of the square of the longest side: a triangle of less area has no normal
#define LEAF 4     // triangles of a leaf, at most
#define MOST 100000000

// ---- Triangles

/// The unit normal of a triangle, zero where it has no area.
static er_vec3 normal_of(const er_vec3 *p)
{
    er_vec3 u = er_v3_sub(p[1], p[0]), v = er_v3_sub(p[2], p[0]), w = er_v3_sub(p[2], p[1]), n = er_v3_cross(u, v);
    er_vec3 longest = er_v3_dot(u, u) > er_v3_dot(v, v) ? u : v;
    if (er_v3_dot(w, w) > er_v3_dot(longest, longest)) longest = w;
    if (!(er_v3_norm(n) > FLAT * er_v3_dot(longest, longest))) return er_v3(0, 0, 0);
    return eri_square_to(er_v3_unit(n, n), longest);
}

static er_result copy_triangles(er_context *context, er_surface *surface, int count, const int *index)
{
    for (int t = 0; t < count; ++t) {
        eri_surface_triangle triangle = {.beside = {-1, -1, -1}};
        er_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            int v = triangle.corner[k] = index[3 * (size_t)t + (size_t)k];
            if (v < 0 || v >= surface->vertex_count)
                return er_fail(context, ER_ERROR_ARGUMENT,
                               "triangle %d of a surface has vertex %d: vertices are numbered from 0 to %d", t, v,
                               surface->vertex_count - 1);
            p[k] = surface->vertex[v];
        }
        triangle.normal = normal_of(p);
        if (er_v3_norm(triangle.normal) > 0.0) surface->triangle[surface->triangle_count++] = triangle;
    }
    if (surface->triangle_count == 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "a surface of %d triangles, none of which has an area", count);
    return ER_OK;
}

/// The triangles at each vertex.
static er_result find_rings(er_surface *surface)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(surface->around, surface->arena, int, surface->vertex_count + 1);
    ERI_TRY_NEW(surface->ring, surface->arena, int, 3 * (size_t)surface->triangle_count);
    int *around = surface->around;
    for (int t = 0; t < surface->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            ++around[surface->triangle[t].corner[k]];
    for (int v = 0, sum = 0; v <= surface->vertex_count; ++v) {
        sum += around[v];
        around[v] = sum; // where its ring ends; filled backward, where it begins
    }
    for (int t = surface->triangle_count; t-- > 0;)
        for (int k = 3; k-- > 0;)
            surface->ring[--around[surface->triangle[t].corner[k]]] = t;
done:
    return r;
}

static bool has_edge(const eri_surface_triangle *triangle, int v, int w)
{
    bool has_v = false, has_w = false;
    for (int k = 0; k < 3; ++k) {
        has_v |= triangle->corner[k] == v;
        has_w |= triangle->corner[k] == w;
    }
    return has_v && has_w;
}

/// The one other triangle past each edge.
static void find_neighbours(er_surface *surface)
{
    for (int t = 0; t < surface->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int v = surface->triangle[t].corner[k], w = surface->triangle[t].corner[(k + 1) % 3], others = 0;
            for (int s = surface->around[v]; s < surface->around[v + 1]; ++s) {
                int other = surface->ring[s];
                if (other == t || !has_edge(&surface->triangle[other], v, w)) continue;
                surface->triangle[t].beside[k] = others++ == 0 ? other : -1;
            }
        }
}

// ---- The tree

static void grow(er_vec3 *low, er_vec3 *high, er_vec3 x)
{
    *low = er_v3(eri_min(low->x, x.x), eri_min(low->y, x.y), eri_min(low->z, x.z));
    *high = er_v3(eri_max(high->x, x.x), eri_max(high->y, x.y), eri_max(high->z, x.z));
}

/// Builds the tree over middles first to first + count - 1; as deep as their count has digits in base two.
static void build(er_surface *surface, eri_centroid *middle, int first, int count)
{
    eri_surface_node *node = &surface->node[surface->node_count++];
    er_vec3 none = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, low = none, high = er_v3_scale(-1.0, none);
    *node = (eri_surface_node){low, high, 0, first, count};
    for (int i = first; i < first + count; ++i) {
        er_vec3 p[3];
        eri_surface_corners(surface, middle[i].index, p);
        grow(&low, &high, er_v3(middle[i].at[0], middle[i].at[1], middle[i].at[2]));
        for (int k = 0; k < 3; ++k)
            grow(&node->low, &node->high, p[k]);
    }
    if (count <= LEAF) return;
    er_vec3 side = er_v3_sub(high, low);
    int axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2, half = count / 2;
    eri_nth_element(middle + first, count, half, axis);
    build(surface, middle, first, half);
    node->other = surface->node_count;
    build(surface, middle, first + half, count - half);
}

static er_result build_tree(er_surface *surface, er_arena *scratch)
{
    er_result r = ER_OK;
    eri_centroid *middle;
    eri_surface_triangle *sorted;
    size_t count = (size_t)surface->triangle_count;
    ERI_TRY_NEW(middle, scratch, eri_centroid, count);
    ERI_TRY_NEW(sorted, surface->arena, eri_surface_triangle, count);
    ERI_TRY_NEW(surface->node, surface->arena, eri_surface_node, 2 * count);
    for (int t = 0; t < surface->triangle_count; ++t) {
        er_vec3 p[3];
        eri_surface_corners(surface, t, p);
        er_vec3 at = er_v3_scale(1.0 / 3.0, er_v3_add(er_v3_add(p[0], p[1]), p[2]));
        middle[t] = (eri_centroid){{at.x, at.y, at.z}, t};
    }
    build(surface, middle, 0, surface->triangle_count);
    for (int t = 0; t < surface->triangle_count; ++t)
        sorted[t] = surface->triangle[middle[t].index];
    surface->triangle = sorted;
done:
    return r;
}

// ---- Surfaces

static er_result check(er_context *context, int vertex_count, const er_vec3 *vertex, int triangle_count,
                       const int *index)
{
    if (vertex == NULL || index == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a surface at NULL");
    if (vertex_count < 3 || triangle_count < 1 || triangle_count > MOST)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a surface of %d vertices and %d triangles: 3 and 1 are the least, %d triangles the most",
                       vertex_count, triangle_count, MOST);
    return eri_points_finite(context, "a surface", vertex_count, vertex);
}

er_result er_surface_create(er_context *context, int vertex_count, const er_vec3 *vertex, int triangle_count,
                            const int *index, er_surface **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_arena *arena = NULL, *scratch = NULL;
    er_surface *surface;
    er_result r = ER_OK;
    ERI_TRY(check(context, vertex_count, vertex, triangle_count, index));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(surface, arena, er_surface, 1);
    surface->arena = arena;
    surface->vertex_count = vertex_count;
    ERI_TRY_NEW(surface->vertex, arena, er_vec3, vertex_count);
    memcpy(surface->vertex, vertex, (size_t)vertex_count * sizeof *vertex);
    ERI_TRY_NEW(surface->triangle, scratch, eri_surface_triangle, triangle_count);
    ERI_TRY(copy_triangles(context, surface, triangle_count, index));
    ERI_TRY(build_tree(surface, scratch));
    ERI_TRY(find_rings(surface));
    find_neighbours(surface);
    *out = surface;
    arena = NULL;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

er_result er_surface_create_heights(er_context *context, int columns, int rows, double dx, double dy,
                                    const double *height, er_surface **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (height == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a field of heights at NULL");
    if (columns < 2 || rows < 2 || (double)columns * rows > MOST / 2)
        return er_fail(context, ER_ERROR_ARGUMENT, "a field of %d x %d heights: 2 x 2 are the least, %d the most",
                       columns, rows, MOST / 2);
    if (!(dx > 0.0 && dy > 0.0 && isfinite(dx) && isfinite(dy)))
        return er_fail(context, ER_ERROR_ARGUMENT, "cells of %g x %g m in a field of heights: more than 0 is wanted",
                       dx, dy);
    er_arena *scratch = NULL;
    er_vec3 *vertex;
    int *index, used = 0;
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(vertex, scratch, er_vec3, (size_t)columns * (size_t)rows);
    ERI_TRY_NEW(index, scratch, int, 6 * (size_t)(columns - 1) * (size_t)(rows - 1));
    for (int y = 0, v = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x, ++v) {
            vertex[v] = er_v3(x * dx, y * dy, height[v]);
            if (x == 0 || y == 0) continue;
            const int cell[6] = {v - columns - 1, v - columns, v, v - columns - 1, v, v - 1};
            memcpy(index + used, cell, sizeof cell);
            used += 6;
        }
    ERI_TRY(er_surface_create(context, columns * rows, vertex, used / 3, index, out));
done:
    eri_arena_destroy(scratch);
    return r;
}

void er_surface_destroy(er_surface *surface)
{
    if (surface != NULL) eri_arena_destroy(surface->arena);
}

int er_surface_triangles(const er_surface *surface, const er_vec3 **vertex, int *index)
{
    *vertex = surface->vertex;
    for (int i = 0; index != NULL && i < surface->triangle_count; ++i)
        memcpy(index + 3 * i, surface->triangle[i].corner, sizeof surface->triangle[i].corner);
    return surface->triangle_count;
}

void eri_surface_box(const er_surface *surface, er_pose pose, er_vec3 *low, er_vec3 *high)
{
    er_affine frame = er_affine_from_pose(pose);
    *low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = er_v3_scale(-1.0, *low);
    for (int v = 0; v < surface->vertex_count; ++v)
        if (surface->around[v] < surface->around[v + 1]) grow(low, high, er_affine_point(frame, surface->vertex[v]));
}

// ---- Walking down

eri_surface_query eri_surface_query_begin(const er_surface *surface, er_vec3 low, er_vec3 high)
{
    return (eri_surface_query){.surface = surface, .low = low, .high = high, .waiting = 1, .stack = {0}};
}

static bool meets(const eri_surface_node *node, const eri_surface_query *walk)
{
    return node->low.x <= walk->high.x && walk->low.x <= node->high.x && node->low.y <= walk->high.y &&
           walk->low.y <= node->high.y && node->low.z <= walk->high.z && walk->low.z <= node->high.z;
}

int eri_surface_query_next(eri_surface_query *walk)
{
    while (walk->next == walk->end) {
        if (walk->waiting == 0) return -1;
        int at = walk->stack[--walk->waiting];
        const eri_surface_node *node = &walk->surface->node[at];
        if (!meets(node, walk)) continue;
        if (node->other == 0) {
            walk->next = node->first;
            walk->end = node->first + node->count;
        } else {
            walk->stack[walk->waiting++] = node->other;
            walk->stack[walk->waiting++] = at + 1;
        }
    }
    return walk->next++;
}
