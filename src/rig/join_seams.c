// Objects that were cut apart: surfaces of several nodes that share a seam bound one solid together.
#include <stdlib.h>
#include <string.h>

#include "rig/seams.h"

static const double same_point = 1e-6; // of the extent

typedef struct seam_corner {
    int64_t key[3]; // the position in cells
    int surface, vertex;
} seam_corner;

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
                             eri_edge **edges, size_t *edge_count)
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
                if (from != to) (*edges)[n++] = (eri_edge){from < to ? from : to, from < to ? to : from, s, to < from};
            }
    qsort(*edges, n, sizeof **edges, by_points);
    *edge_count = n;
done:
    return r;
}

static int first_of(const int *joined, int surface)
{
    while (joined[surface] != surface)
        surface = joined[surface];
    return surface;
}

// Joins surfaces at edges that one triangle of each of two surfaces has. The triangles walk the edge in opposite
// directions: copies of one object in one place walk it in the same.
static void join_along(size_t edges, const eri_edge *all, int *joined)
{
    for (size_t i = 0; i < edges;) {
        size_t same = i;
        int owners = 0;
        const eri_edge *owner[2];
        while (same < edges && all[same].from == all[i].from && all[same].to == all[i].to) {
            size_t own = same;
            while (own < edges && by_points(&all[own], &all[same]) == 0)
                ++own;
            if (own == same + 1 && owners++ < 2) owner[owners - 1] = &all[same];
            same = own;
        }
        i = same;
        if (owners != 2 || owner[0]->turned == owner[1]->turned) continue;
        int one = first_of(joined, owner[0]->surface), other = first_of(joined, owner[1]->surface);
        joined[one < other ? other : one] = one < other ? one : other;
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

er_result eri_rig_join_seams(builder *b, int *count, eri_skin_surface *surface, int *place)
{
    er_result r = ER_OK;
    size_t edges = 0;
    int **point, *joined, kept = 0, points;
    eri_edge *all;
    bool *several; // first of more than one
    for (int s = 0; s < *count; ++s)
        place[s] = s;
    if (*count < 2 || !(b->extent > 0.0)) return ER_OK;
    ERI_TRY_NEW(point, b->scratch, int *, *count);
    ERI_TRY_NEW(joined, b->scratch, int, *count);
    for (int s = 0; s < *count; ++s)
        joined[s] = s;
    ERI_TRY(eri_rig_number_points(b, *count, surface, point, &points));
    ERI_TRY(eri_rig_list_edges(b, *count, surface, point, &all, &edges));
    join_along(edges, all, joined);
    ERI_TRY_NEW(several, b->scratch, bool, *count);
    for (int s = 0; s < *count; ++s)
        several[first_of(joined, s)] |= joined[s] != s;
    for (int s = 0; s < *count; ++s)
        if (several[s]) ERI_TRY(unite(b, *count, surface, joined, s, &surface[s]));
    for (int s = 0; s < *count; ++s) {
        place[s] = joined[s] == s ? kept : place[first_of(joined, s)];
        if (joined[s] == s) surface[kept++] = surface[s];
    }
    if (kept < *count)
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "%d surfaces share seams with others and are weighed with them",
                              *count - kept));
    *count = kept;
done:
    return r;
}
