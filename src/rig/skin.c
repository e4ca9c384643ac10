// Skin shared by bones: products of weights, summed over triangles in a table of pairs.
#include "rig/skin.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BONES = 32 }; // of a triangle that are looked at

// --- vertices in one place

typedef struct places {
    int count;
    int *of;    // [vertices], the place of a vertex
    int *start; // [count + 1]
    int *at;    // [vertices], vertices of place p: at[start[p]] to at[start[p + 1] - 1]
} places;

typedef struct cell {
    int64_t x, y, z;
} cell;

static cell cell_of(const double *p, double near)
{
    return (cell){llround(p[0] / near), llround(p[1] / near), llround(p[2] / near)};
}

static size_t cell_hash(cell c)
{
    uint64_t h =
        (uint64_t)c.x * 0x9E3779B97F4A7C15u ^ (uint64_t)c.y * 0xC2B2AE3D27D4EB4Fu ^ (uint64_t)c.z * 0x165667B19E3779F9u;
    return (size_t)(h ^ h >> 29);
}

static size_t table_size(size_t entries)
{
    size_t size = 16;
    while (size < 2 * entries)
        size *= 2;
    return size;
}

static er_result find_places(er_arena *arena, int surface_count, const eri_skin_surface *surface, double near,
                             places *out)
{
    er_result r = ER_OK;
    int vertices = 0, next = 0, *slot;
    cell *cells;
    for (int s = 0; s < surface_count; ++s)
        vertices += surface[s].vertex_count;
    size_t size = table_size((size_t)vertices);
    ERI_TRY_NEW(slot, arena, int, size); // a place, from 1
    ERI_TRY_NEW(cells, arena, cell, vertices);
    ERI_TRY_NEW(out->of, arena, int, vertices);
    ERI_TRY_NEW(out->at, arena, int, vertices);
    for (int s = 0; s < surface_count; ++s)
        for (int v = 0; v < surface[s].vertex_count; ++v) {
            cell c = cell_of(surface[s].position + 3 * (size_t)v, near);
            size_t h = cell_hash(c) & (size - 1);
            while (slot[h] > 0 && memcmp(&cells[slot[h] - 1], &c, sizeof c) != 0)
                h = (h + 1) & (size - 1);
            if (slot[h] == 0) {
                cells[out->count] = c;
                slot[h] = ++out->count;
            }
            out->of[next++] = slot[h] - 1;
        }
    ERI_TRY_NEW(out->start, arena, int, out->count + 2);
    for (int v = 0; v < vertices; ++v)
        ++out->start[out->of[v] + 2];
    for (int p = 0; p < out->count; ++p)
        out->start[p + 2] += out->start[p + 1];
    for (int v = 0; v < vertices; ++v)
        out->at[out->start[out->of[v] + 1]++] = v;
done:
    return r;
}

// --- pairs

typedef struct weight_pair {
    int a, b; // a < b
    double area;
} weight_pair;

typedef struct pairs {
    er_arena *arena;
    int count, *slot; // into `item`, from 1
    size_t size;
    weight_pair *item; // [size / 2]
} pairs;

static size_t pair_hash(int a, int b)
{
    uint64_t h = ((uint64_t)(unsigned)a << 32 | (unsigned)b) * 0x9E3779B97F4A7C15u;
    return (size_t)(h ^ h >> 31);
}

static int *find_pair(const pairs *t, int a, int b)
{
    size_t h = pair_hash(a, b) & (t->size - 1);
    while (t->slot[h] > 0 && (t->item[t->slot[h] - 1].a != a || t->item[t->slot[h] - 1].b != b))
        h = (h + 1) & (t->size - 1);
    return &t->slot[h];
}

static er_result grow_pairs(pairs *t)
{
    er_result r = ER_OK;
    weight_pair *old = t->item;
    t->size = t->size > 0 ? 2 * t->size : 256;
    ERI_TRY_NEW(t->slot, t->arena, int, t->size);
    ERI_TRY_NEW(t->item, t->arena, weight_pair, t->size / 2);
    if (t->count > 0) memcpy(t->item, old, (size_t)t->count * sizeof *old);
    for (int k = 0; k < t->count; ++k)
        *find_pair(t, t->item[k].a, t->item[k].b) = k + 1;
done:
    return r;
}

static er_result add_pair(pairs *t, int a, int b, double area)
{
    er_result r = ER_OK;
    int low = a < b ? a : b, high = a < b ? b : a;
    if ((size_t)t->count + 1 > t->size / 2) ERI_TRY(grow_pairs(t));
    int *slot = find_pair(t, low, high);
    if (*slot == 0) {
        t->item[t->count] = (weight_pair){low, high, 0.0};
        *slot = ++t->count;
    }
    t->item[*slot - 1].area += area;
done:
    return r;
}

// --- triangles

typedef struct corner_weights {
    int bone;
    double at[3];
} corner_weights;

typedef struct skin_view {
    const eri_skin_surface *surface;
    int surface_count, bone_count;
    const int *base;     // [surfaces], the first vertex of each
    const int *drawn_by; // [vertices], the surface of each
    const places *place;
    const int *mean_start; // [places + 1]
    const int *mean_bone;  // [mean_start[places]], of a place no more than MOST_BONES
    const double *mean;    // likewise, mean weights
} skin_view;

// The mean weights of each place, once: many skins may be drawn there.
static er_result find_means(er_arena *arena, skin_view *v)
{
    er_result r = ER_OK;
    const places *p = v->place;
    int room = 0, *start, *bones, *last_place, *slot;
    double *mean;
    for (int i = 0; i < v->surface_count; ++i)
        room += v->surface[i].influence_start[v->surface[i].vertex_count];
    ERI_TRY_NEW(start, arena, int, p->count + 1);
    ERI_TRY_NEW(bones, arena, int, room);
    ERI_TRY_NEW(mean, arena, double, room);
    ERI_TRY_NEW(last_place, arena, int, v->bone_count); // that a bone was met at, from 1
    ERI_TRY_NEW(slot, arena, int, v->bone_count);
    for (int i = 0; i < p->count; ++i) {
        int count = start[i];
        for (int k = p->start[i]; k < p->start[i + 1]; ++k) {
            const eri_skin_surface *s = &v->surface[v->drawn_by[p->at[k]]];
            int local = p->at[k] - v->base[v->drawn_by[p->at[k]]];
            for (int w = s->influence_start[local]; w < s->influence_start[local + 1]; ++w) {
                int bone = s->influence_body[w];
                if (bone >= v->bone_count) continue;
                if (last_place[bone] != i + 1) {
                    if (count - start[i] == MOST_BONES) continue;
                    last_place[bone] = i + 1;
                    slot[bone] = count;
                    bones[count++] = bone;
                }
                mean[slot[bone]] += s->influence_weight[w] / (p->start[i + 1] - p->start[i]);
            }
        }
        start[i + 1] = count;
    }
    v->mean_start = start;
    v->mean_bone = bones;
    v->mean = mean;
done:
    return r;
}

// Adds the mean weights of a place to a triangle's corner.
static int gather_place(const skin_view *v, int which, int corner, corner_weights *out, int count)
{
    for (int k = v->mean_start[which]; k < v->mean_start[which + 1]; ++k) {
        int at = 0;
        while (at < count && out[at].bone != v->mean_bone[k])
            ++at;
        if (at == MOST_BONES) continue;
        if (at == count) out[count++] = (corner_weights){.bone = v->mean_bone[k]};
        out[at].at[corner] += v->mean[k];
    }
    return count;
}

// integral of w_a w_b over a triangle = A / 12 (sum w_a sum w_b + sum of their products)
static double shared(double area, const double a[3], const double b[3])
{
    return area / 12.0 * ((a[0] + a[1] + a[2]) * (b[0] + b[1] + b[2]) + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

static double triangle_area(const eri_skin_surface *s, const int *index)
{
    er_vec3 v[3];
    for (int c = 0; c < 3; ++c)
        v[c] = eri_surface_point(s, index[c]);
    return 0.5 * er_v3_norm(er_v3_cross(er_v3_sub(v[1], v[0]), er_v3_sub(v[2], v[0])));
}

static er_result add_triangle(const skin_view *v, int surface, int triangle, pairs *out)
{
    er_result r = ER_OK;
    const int *index = v->surface[surface].index + 3 * (size_t)triangle;
    corner_weights w[MOST_BONES];
    int count = 0;
    for (int c = 0; c < 3; ++c)
        count = gather_place(v, v->place->of[v->base[surface] + index[c]], c, w, count);
    double area = count > 1 ? triangle_area(&v->surface[surface], index) : 0.0;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) {
            double a = shared(area, w[i].at, w[j].at);
            if (a > 0.0) ERI_TRY(add_pair(out, w[i].bone, w[j].bone, a));
        }
done:
    return r;
}

static er_result add_triangles(er_arena *arena, int surface_count, const eri_skin_surface *surface, int bone_count,
                               const places *place, pairs *out)
{
    er_result r = ER_OK;
    int vertices = 0, *drawn_by, *base;
    ERI_TRY_NEW(base, arena, int, surface_count + 1);
    for (int s = 0; s < surface_count; ++s) {
        base[s] = vertices;
        vertices += surface[s].vertex_count;
    }
    ERI_TRY_NEW(drawn_by, arena, int, vertices);
    for (int s = 0; s < surface_count; ++s)
        for (int v = 0; v < surface[s].vertex_count; ++v)
            drawn_by[base[s] + v] = s;
    skin_view view = {.surface = surface,
                      .surface_count = surface_count,
                      .bone_count = bone_count,
                      .base = base,
                      .drawn_by = drawn_by,
                      .place = place};
    ERI_TRY(find_means(arena, &view));
    for (int s = 0; s < surface_count; ++s)
        for (int t = 0; t < surface[s].triangle_count; ++t)
            ERI_TRY(add_triangle(&view, s, t, out));
done:
    return r;
}

static int by_bone(const void *a, const void *b)
{
    const eri_skin_contact *x = a, *y = b;
    return (x->bone > y->bone) - (x->bone < y->bone);
}

er_result eri_skin_graph_make(er_arena *arena, int surface_count, const eri_skin_surface *surface, int bone_count,
                              double near, eri_skin_graph *out)
{
    er_result r = ER_OK;
    places place = {0};
    pairs found = {.arena = arena};
    int *start;
    eri_skin_contact *contact;
    ERI_TRY(find_places(arena, surface_count, surface, near, &place));
    ERI_TRY(add_triangles(arena, surface_count, surface, bone_count, &place, &found));
    ERI_TRY_NEW(start, arena, int, bone_count + 2);
    ERI_TRY_NEW(contact, arena, eri_skin_contact, 2 * (size_t)found.count);
    for (int k = 0; k < found.count; ++k) {
        ++start[found.item[k].a + 2];
        ++start[found.item[k].b + 2];
    }
    for (int i = 0; i < bone_count; ++i)
        start[i + 2] += start[i + 1];
    for (int k = 0; k < found.count; ++k) {
        const weight_pair *p = &found.item[k];
        contact[start[p->a + 1]++] = (eri_skin_contact){p->b, p->area};
        contact[start[p->b + 1]++] = (eri_skin_contact){p->a, p->area};
    }
    for (int i = 0; i < bone_count; ++i)
        qsort(contact + start[i], (size_t)(start[i + 1] - start[i]), sizeof *contact, by_bone);
    *out = (eri_skin_graph){start, contact};
done:
    return r;
}

double eri_skin_shared(const eri_skin_graph *graph, int a, int b)
{
    for (int k = graph->start[a]; k < graph->start[a + 1]; ++k)
        if (graph->contact[k].bone == b) return graph->contact[k].area;
    return 0.0;
}
