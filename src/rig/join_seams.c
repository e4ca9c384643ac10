// Objects that were cut apart: surfaces of several nodes that share a seam bound one solid together.
#include <stdlib.h>
#include <string.h>

#include "rig/seams.h"

static const double same_point = 1e-6; // of the extent
static const double seam_share = 0.5;  // of the shorter boundary of two parts: objects that only touch share less
enum { FEWEST_EDGES = 3 };

typedef struct seam_corner {
    int64_t key[3]; // the position in cells
    int surface, vertex;
} seam_corner;

typedef struct seam {
    int surface, other; // surface < other
} seam;

static int by_key(const void *a, const void *b)
{
    const seam_corner *x = a, *y = b;
    for (int k = 0; k < 3; ++k)
        if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
    return 0;
}

static int by_points(const void *a, const void *b)
{
    const eri_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->surface > y->surface) - (x->surface < y->surface);
}

static int by_surfaces(const void *a, const void *b)
{
    const seam *x = a, *y = b;
    return x->surface != y->surface ? x->surface - y->surface : x->other - y->other;
}

er_result eri_rig_number_points(builder *b, int count, const eri_skin_surface *surface, int **point, int *points)
{
    er_result r = ER_OK;
    seam_corner *all;
    size_t n = 0, total = 0;
    for (int s = 0; s < count; ++s) {
        ERI_TRY_NEW(point[s], b->scratch, int, surface[s].vertex_count);
        total += (size_t)surface[s].vertex_count;
    }
    double cell = same_point * b->extent;
    ERI_TRY_NEW(all, b->scratch, seam_corner, total);
    for (int s = 0; s < count; ++s)
        for (int v = 0; v < surface[s].vertex_count; ++v) {
            er_vec3 p = eri_surface_point(&surface[s], v);
            const double x[3] = {p.x / cell, p.y / cell, p.z / cell};
            seam_corner c = {.surface = s, .vertex = v};
            for (int k = 0; k < 3; ++k)
                c.key[k] = fabs(x[k]) < 1e15 ? (int64_t)floor(x[k] + 0.5) : 0;
            all[n++] = c;
        }
    qsort(all, n, sizeof *all, by_key);
    int number = 0;
    for (size_t i = 0; i < n; ++i) {
        number += i > 0 && by_key(&all[i - 1], &all[i]) != 0;
        point[all[i].surface][all[i].vertex] = number;
    }
    *points = n > 0 ? number + 1 : 0;
done:
    return r;
}

er_result eri_rig_list_edges(builder *b, int count, const eri_skin_surface *surface, int *const *point,
                             int *const *owner, eri_edge **edges, size_t *edge_count)
{
    er_result r = ER_OK;
    size_t corners = 0, n = 0;
    for (int s = 0; s < count; ++s)
        corners += 3 * (size_t)surface[s].triangle_count;
    ERI_TRY_NEW(*edges, b->scratch, eri_edge, corners);
    for (int s = 0; s < count; ++s)
        for (int t = 0; t < surface[s].triangle_count; ++t)
            for (int c = 0; c < 3; ++c) {
                const int *v = surface[s].index + 3 * (size_t)t;
                int from = point[s][v[c]], to = point[s][v[(c + 1) % 3]];
                if (from != to)
                    (*edges)[n++] =
                        (eri_edge){from < to ? from : to, from < to ? to : from, owner != NULL ? owner[s][v[c]] : s};
            }
    qsort(*edges, n, sizeof **edges, by_points);
    *edge_count = n;
done:
    return r;
}

// Finds the edges that one triangle of each of two surfaces has.
//   @param boundary  [count], added to: edges of a surface that only one of its triangles has
static int find_seams(size_t edges, const eri_edge *all, int *boundary, seam *seams)
{
    int found = 0;
    for (size_t i = 0; i < edges;) {
        int owners = 0, owner[2] = {-1, -1};
        size_t same = i;
        while (same < edges && all[same].from == all[i].from && all[same].to == all[i].to) {
            size_t own = same;
            while (own < edges && by_points(&all[own], &all[same]) == 0)
                ++own;
            if (own == same + 1) {
                ++boundary[all[same].surface];
                if (owners < 2) owner[owners] = all[same].surface;
                ++owners;
            }
            same = own;
        }
        if (owners == 2) seams[found++] = (seam){owner[0], owner[1]};
        i = same;
    }
    return found;
}

// Parts of surfaces that hang together, each with a boundary of its own: cards of hair do not hide a seam.
typedef struct seam_parts {
    int count;
    int **part;   // [surface][vertex]
    int *surface; // [count], that a part is of
} seam_parts;

static int root_of(int *up, int vertex)
{
    while (up[vertex] != vertex)
        vertex = up[vertex] = up[up[vertex]];
    return vertex;
}

static er_result find_parts(builder *b, int count, const eri_skin_surface *surface, int *const *point, int points,
                            seam_parts *out)
{
    er_result r = ER_OK;
    size_t most = 0;
    int *first; // of a point, in one surface: vertex + 1
    for (int s = 0; s < count; ++s)
        most += (size_t)surface[s].vertex_count;
    ERI_TRY_NEW(first, b->scratch, int, points);
    ERI_TRY_NEW(out->part, b->scratch, int *, count);
    ERI_TRY_NEW(out->surface, b->scratch, int, most);
    for (int s = 0; s < count; ++s) {
        int n = surface[s].vertex_count, *up;
        ERI_TRY_NEW(up, b->scratch, int, n);
        ERI_TRY_NEW(out->part[s], b->scratch, int, n);
        for (int v = 0; v < n; ++v) {
            if (first[point[s][v]] == 0) first[point[s][v]] = v + 1;
            up[v] = first[point[s][v]] - 1;
        }
        for (int t = 0; t < surface[s].triangle_count; ++t)
            for (int c = 1; c < 3; ++c)
                up[root_of(up, surface[s].index[3 * t + c])] = root_of(up, surface[s].index[3 * t]);
        for (int v = 0; v < n; ++v) {
            first[point[s][v]] = 0;
            out->part[s][v] = -1;
        }
        for (int v = 0; v < n; ++v) {
            int *of_root = &out->part[s][root_of(up, v)];
            if (*of_root < 0) {
                out->surface[out->count] = s;
                *of_root = out->count++;
            }
            out->part[s][v] = *of_root;
        }
    }
done:
    return r;
}

static int first_of(const int *joined, int surface)
{
    while (joined[surface] != surface)
        surface = joined[surface];
    return surface;
}

static void join_along(int seam_count, seam *seams, const int *boundary, const int *surface, int *joined)
{
    qsort(seams, (size_t)seam_count, sizeof *seams, by_surfaces);
    for (int i = 0; i < seam_count;) {
        int last = i;
        while (last < seam_count && by_surfaces(&seams[i], &seams[last]) == 0)
            ++last;
        int one = seams[i].surface, other = seams[i].other, shared = last - i;
        int shorter = boundary[one] < boundary[other] ? boundary[one] : boundary[other];
        i = last;
        if (shared < FEWEST_EDGES || shared < seam_share * shorter || surface[one] == surface[other]) continue;
        int a = first_of(joined, surface[one]), b = first_of(joined, surface[other]);
        joined[a < b ? b : a] = a < b ? a : b;
    }
}

// Makes one surface of those that are joined to `first`.
static er_result unite(builder *b, int count, const eri_skin_surface *surface, const int *joined, int first,
                       eri_skin_surface *out)
{
    er_result r = ER_OK;
    size_t vertices = 0, triangles = 0, influences = 0;
    double *position, *weight;
    int *index, *start, *body;
    for (int s = first; s < count; ++s) {
        if (first_of(joined, s) != first) continue;
        vertices += (size_t)surface[s].vertex_count;
        triangles += (size_t)surface[s].triangle_count;
        influences += (size_t)surface[s].influence_start[surface[s].vertex_count];
    }
    ERI_TRY_NEW(position, b->scratch, double, 3 * vertices);
    ERI_TRY_NEW(index, b->scratch, int, 3 * triangles);
    ERI_TRY_NEW(start, b->scratch, int, vertices + 1);
    ERI_TRY_NEW(body, b->scratch, int, influences);
    ERI_TRY_NEW(weight, b->scratch, double, influences);
    eri_skin_surface all = {0, position, 0, index, start, body, weight};
    for (int s = first; s < count; ++s) {
        const eri_skin_surface *from = &surface[s];
        if (first_of(joined, s) != first) continue;
        int v = all.vertex_count, held = start[v], more = from->influence_start[from->vertex_count];
        memcpy(position + 3 * (size_t)v, from->position, 3 * (size_t)from->vertex_count * sizeof *position);
        memcpy(body + held, from->influence_body, (size_t)more * sizeof *body);
        memcpy(weight + held, from->influence_weight, (size_t)more * sizeof *weight);
        for (int i = 0; i < from->vertex_count; ++i)
            start[v + i + 1] = held + from->influence_start[i + 1];
        for (int i = 0; i < 3 * from->triangle_count; ++i)
            index[3 * all.triangle_count + i] = v + from->index[i];
        all.vertex_count += from->vertex_count;
        all.triangle_count += from->triangle_count;
    }
    *out = all;
done:
    return r;
}

er_result eri_rig_join_seams(builder *b, int *count, eri_skin_surface *surface)
{
    er_result r = ER_OK;
    size_t edges = 0;
    int **point, *boundary, *joined, kept = 0, points;
    eri_edge *all;
    seam_parts parts = {0};
    seam *seams;
    bool *several; // first of more than one
    if (*count < 2 || !(b->extent > 0.0)) return ER_OK;
    ERI_TRY_NEW(point, b->scratch, int *, *count);
    ERI_TRY_NEW(joined, b->scratch, int, *count);
    for (int s = 0; s < *count; ++s)
        joined[s] = s;
    ERI_TRY(eri_rig_number_points(b, *count, surface, point, &points));
    ERI_TRY(find_parts(b, *count, surface, point, points, &parts));
    ERI_TRY_NEW(boundary, b->scratch, int, parts.count);
    ERI_TRY(eri_rig_list_edges(b, *count, surface, point, parts.part, &all, &edges));
    ERI_TRY_NEW(seams, b->scratch, seam, edges);
    int seam_count = find_seams(edges, all, boundary, seams);
    join_along(seam_count, seams, boundary, parts.surface, joined);
    ERI_TRY_NEW(several, b->scratch, bool, *count);
    for (int s = 0; s < *count; ++s)
        several[first_of(joined, s)] |= joined[s] != s;
    for (int s = 0; s < *count; ++s)
        if (several[s]) ERI_TRY(unite(b, *count, surface, joined, s, &surface[s]));
    for (int s = 0; s < *count; ++s)
        if (joined[s] == s) surface[kept++] = surface[s];
    if (kept < *count)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "%d surfaces share seams with others and are weighed with them",
                              *count - kept));
    *count = kept;
done:
    return r;
}
