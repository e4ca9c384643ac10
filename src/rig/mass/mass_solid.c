// From a triangle soup to a closed chain. The boundary of a component is the list of its directed edges that do not
// cancel; each connected component of it is closed by a fan of triangles to one apex. The boundary of a boundary is
// nothing, so the fan's own edges cancel too, and the component with its caps is a cycle: every winding number is a
// whole number.
#include "rig/mass/mass_solid.h"

#include <float.h>
#include <string.h>

#define WELD 1e-6        // share of the box's longest side within which positions are equal: a few float roundings
#define FINEST 4.8828e-4 // 1/2048: cells are never smaller, however small a body's share of the surface
#define MOST_SHARE 2     // a body gets no more than half of a surface's cells: a rigid one alone needs no more
#define SLOPE 2.0        // 1/8 at 256 cells a body
#define FEW_CELLS 160    // the least a body gets: masses to 1 % where weights jump

// Numbers pairs (a, b) in the order they are first seen.
typedef struct pair_map {
    int (*pair)[3]; // a, b, number; number < 0: free
    size_t mask;
    int count;
} pair_map;

static er_result pair_map_create(er_arena *arena, size_t room, pair_map *map)
{
    er_result r = ER_OK;
    size_t size = 16;
    while (size < 2 * room)
        size *= 2;
    map->mask = size - 1;
    map->count = 0;
    map->pair = eri_arena_alloc(arena, size, sizeof *map->pair);
    if (map->pair == NULL) return ER_ERROR_MEMORY;
    for (size_t i = 0; i < size; ++i)
        map->pair[i][2] = -1;
    return r;
}

static size_t mix_bits(uint64_t h)
{
    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u;
    return (size_t)(h ^ (h >> 29));
}

static int pair_map_number(pair_map *map, int a, int b)
{
    size_t at = mix_bits((uint64_t)(uint32_t)a << 32 | (uint32_t)b) & map->mask;
    while (map->pair[at][2] >= 0 && (map->pair[at][0] != a || map->pair[at][1] != b))
        at = (at + 1) & map->mask;
    if (map->pair[at][2] < 0) {
        map->pair[at][0] = a;
        map->pair[at][1] = b;
        map->pair[at][2] = map->count++;
    }
    return map->pair[at][2];
}

// Box of the vertices that triangles use; false when there is nothing or it has no size.
static er_result frame(er_context *context, const eri_skin_surface *surface, eri_mass_solid *solid, bool *empty)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; ++i) {
        er_vec3 p = eri_surface_point(surface, surface->index[i]);
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], eri_axis(p, k));
            high[k] = fmax(high[k], eri_axis(p, k));
        }
    }
    *empty = true;
    if (surface->triangle_count == 0) return ER_OK;
    for (int k = 0; k < 3; ++k)
        if (!(low[k] > -1e50 && high[k] < 1e50)) // fifth powers must stay finite
            return er_fail(context, ER_ERROR_RIG,
                           "the surface reaches from %g m to %g m along %c, too far to have a mass; check its unit",
                           low[k], high[k], 'x' + k);
    solid->centre = er_v3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    solid->size = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    *empty = !(solid->size > 1e-50); // and above zero
    return ER_OK;
}

// The cell of a grid of boxes 2 WELD wide.
static void grid_cell(er_vec3 p, int cell[3])
{
    for (int k = 0; k < 3; ++k)
        cell[k] = (int)floor(eri_axis(p, k) / (2.0 * WELD));
}

// weld[v]: the first vertex no farther than WELD from v, itself when there is none before it. -1: not used by triangles
static er_result weld_vertices(er_arena *arena, const eri_skin_surface *surface, eri_mass_solid *solid, int *weld)
{
    er_result r = ER_OK;
    int *head = NULL, *next = NULL;
    size_t buckets = 16;
    while (buckets < (size_t)surface->vertex_count)
        buckets *= 2;
    ERI_TRY_NEW(head, arena, int, buckets); // number + 1 of a bucket's last vertex
    ERI_TRY_NEW(next, arena, int, surface->vertex_count);
    for (int v = 0; v < surface->vertex_count; ++v)
        weld[v] = -1;
    for (size_t i = 0; i < 3 * (size_t)surface->triangle_count; ++i) {
        int v = surface->index[i];
        if (weld[v] >= 0) continue;
        er_vec3 p = er_v3_scale(1.0 / solid->size, er_v3_sub(eri_surface_point(surface, v), solid->centre));
        er_vec3 reach = er_v3(WELD, WELD, WELD);
        int low[3], high[3], own[3], cell[3];
        grid_cell(er_v3_sub(p, reach), low);
        grid_cell(er_v3_add(p, reach), high);
        grid_cell(p, own);
        size_t home = 0;
        for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0])
            for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
                for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) {
                    uint64_t key = (uint64_t)(uint32_t)cell[0] << 42 ^ (uint64_t)(uint32_t)cell[1] << 21 ^
                                   (uint64_t)(uint32_t)cell[2];
                    size_t bucket = mix_bits(key) & (buckets - 1);
                    if (memcmp(cell, own, sizeof own) == 0) home = bucket;
                    for (int other = head[bucket] - 1; other >= 0; other = next[other] - 1)
                        if (er_v3_distance(solid->position[other], p) <= WELD && (weld[v] < 0 || other < weld[v]))
                            weld[v] = other;
                }
        solid->position[v] = p;
        if (weld[v] >= 0) continue;
        weld[v] = v;
        next[v] = head[home];
        head[home] = v + 1;
    }
done:
    return r;
}

static void sort3(int a[3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j)
            if (a[j] > a[j + 1]) {
                int swap = a[j];
                a[j] = a[j + 1];
                a[j + 1] = swap;
            }
}

// Keeps triangles with three different vertices, one of each set of three: a face given twice (as two-sided faces are)
// counts once.
static er_result keep_triangles(er_arena *arena, const eri_skin_surface *surface, const int *weld,
                                eri_mass_solid *solid)
{
    er_result r = ER_OK;
    pair_map pairs, triples;
    ERI_TRY(pair_map_create(arena, (size_t)surface->triangle_count, &pairs));
    ERI_TRY(pair_map_create(arena, (size_t)surface->triangle_count, &triples));
    for (int t = 0; t < surface->triangle_count; ++t) {
        const int *skin = surface->index + 3 * (size_t)t;
        int key[3] = {weld[skin[0]], weld[skin[1]], weld[skin[2]]};
        eri_face face = {{key[0], key[1], key[2]}, {skin[0], skin[1], skin[2]}, -1, -1, 0.0};
        sort3(key);
        if (key[0] == key[1] || key[1] == key[2]) continue;
        int before = triples.count;
        if (pair_map_number(&triples, pair_map_number(&pairs, key[0], key[1]), key[2]) == before)
            solid->face[solid->face_count++] = face;
    }
done:
    return r;
}

// Undirected edges of the kept triangles. Half 3 f + c is the edge of face f that starts at its corner c.
typedef struct edges {
    int *of;        // [3 face_count], edge of a half
    int *uses;      // [number of edges], how many halves
    int (*half)[2]; // [number of edges], the first two
    int *net;       // [number of edges], scratch: uphill halves minus downhill halves
} edges;

static bool runs_uphill(const eri_face *face, int corner)
{
    return face->vertex[corner] < face->vertex[(corner + 1) % 3];
}

static er_result edges_create(er_arena *arena, const eri_mass_solid *solid, edges *e)
{
    er_result r = ER_OK;
    pair_map numbers;
    size_t room = 3 * (size_t)solid->face_count;
    ERI_TRY(pair_map_create(arena, room, &numbers));
    ERI_TRY_NEW(e->of, arena, int, room);
    ERI_TRY_NEW(e->uses, arena, int, room);
    ERI_TRY_NEW(e->net, arena, int, room);
    e->half = eri_arena_alloc(arena, room, sizeof *e->half);
    if (e->half == NULL) return ER_ERROR_MEMORY;
    for (int half = 0; half < 3 * solid->face_count; ++half) {
        const int *vertex = solid->face[half / 3].vertex;
        int i = vertex[half % 3], j = vertex[(half % 3 + 1) % 3];
        int edge = pair_map_number(&numbers, i < j ? i : j, i < j ? j : i);
        e->of[half] = edge;
        if (e->uses[edge] < 2) e->half[edge][e->uses[edge]] = half;
        ++e->uses[edge];
    }
done:
    return r;
}

static void swap_int(int *a, int *b)
{
    int keep = *a;
    *a = *b;
    *b = keep;
}

static void reverse(eri_face *face)
{
    swap_int(&face->vertex[1], &face->vertex[2]);
    swap_int(&face->skin[1], &face->skin[2]);
}

static double face_area(const eri_mass_solid *solid, const eri_face *face)
{
    er_vec3 a = solid->position[face->vertex[0]];
    er_vec3 ab = er_v3_sub(solid->position[face->vertex[1]], a), ac = er_v3_sub(solid->position[face->vertex[2]], a);
    return 0.5 * er_v3_norm(er_v3_cross(ab, ac));
}

// Six times the volume of the tetrahedron from the origin.
static double face_volume6(const eri_mass_solid *solid, const eri_face *face)
{
    er_vec3 a = solid->position[face->vertex[0]], b = solid->position[face->vertex[1]],
            c = solid->position[face->vertex[2]];
    return er_v3_dot(a, er_v3_cross(b, c));
}

// Gathers the component that holds `start` over edges of exactly two triangles and orients each like its neighbour; of
// the two ways, the one that leaves more area as it was. Returns how many faces went to `member`.
static int flood(eri_mass_solid *solid, const edges *e, int start, int component, bool *turned, int *member)
{
    int count = 0;
    double balance = 0.0;
    solid->face[start].component = component;
    member[count++] = start;
    for (int i = 0; i < count; ++i) {
        int f = member[i];
        double area = face_area(solid, &solid->face[f]);
        balance += turned[f] ? area : -area;
        for (int half = 3 * f; half < 3 * f + 3; ++half) {
            int edge = e->of[half], twin = e->half[edge][e->half[edge][0] == half ? 1 : 0], g = twin / 3;
            if (e->uses[edge] != 2 || solid->face[g].component >= 0) continue;
            bool same_way = runs_uphill(&solid->face[f], half % 3) == runs_uphill(&solid->face[g], twin % 3);
            turned[g] = turned[f] != same_way;
            solid->face[g].component = component;
            member[count++] = g;
        }
    }
    for (int i = 0; i < count; ++i) {
        int f = member[i];
        if (turned[f] == (balance > 0.0)) continue;
        reverse(&solid->face[f]);
        swap_int(&e->of[3 * f], &e->of[3 * f + 2]);
    }
    return count;
}

static er_result find_parts(er_arena *arena, eri_mass_solid *solid, const edges *e)
{
    er_result r = ER_OK;
    bool *turned = NULL;
    ERI_TRY_NEW(turned, arena, bool, solid->face_count);
    ERI_TRY_NEW(solid->member, arena, int, solid->face_count);
    ERI_TRY_NEW(solid->component, arena, eri_component, solid->face_count);
    for (int f = 0, gathered = 0; f < solid->face_count; ++f) {
        if (solid->face[f].component >= 0) continue;
        int count = flood(solid, e, f, solid->component_count, turned, solid->member + gathered);
        solid->component[solid->component_count++] = (eri_component){0.0, 0.0, 1, gathered, count, -1};
        gathered += count;
    }
done:
    return r;
}

// A directed boundary edge.
typedef struct rim {
    int from, to;
    int times; // how often, > 0
    int component;
    int apex; // of the cap: which one, from 0
} rim;

typedef struct rims {
    int count;
    rim *edge; // sorted by apex
    int apex_count;
    int *start; // [apex_count + 1]
} rims;

static int leader_of(int *leader, int v)
{
    while (leader[v] != v)
        v = leader[v] = leader[leader[v]];
    return v;
}

// Appends the edges of a component that do not cancel, and joins the vertices that they connect.
static void part_boundary(const eri_mass_solid *solid, const edges *e, int component, int *leader, rims *found)
{
    const int *member = solid->member + solid->component[component].first;
    for (int i = 0; i < solid->component[component].count; ++i)
        for (int corner = 0; corner < 3; ++corner)
            e->net[e->of[3 * member[i] + corner]] += runs_uphill(&solid->face[member[i]], corner) ? 1 : -1;
    for (int i = 0; i < solid->component[component].count; ++i)
        for (int corner = 0; corner < 3; ++corner) {
            const eri_face *face = &solid->face[member[i]];
            int *net = &e->net[e->of[3 * member[i] + corner]];
            if (*net == 0) continue;
            int a = face->vertex[corner], b = face->vertex[(corner + 1) % 3];
            if ((*net > 0) != (a < b)) swap_int(&a, &b);
            found->edge[found->count++] = (rim){a, b, *net > 0 ? *net : -*net, component, -1};
            *net = 0;
            for (int k = 0; k < 2; ++k) {
                int v = k == 0 ? a : b;
                if (leader[v] < 0) leader[v] = v;
            }
            leader[leader_of(leader, a)] = leader_of(leader, b);
        }
}

// All boundary edges, one apex for each connected part of each component's boundary.
static er_result find_rims(er_arena *arena, const eri_mass_solid *solid, const edges *e, rims *out)
{
    er_result r = ER_OK;
    rims found = {0};
    int *leader = NULL, *apex = NULL;
    ERI_TRY_NEW(found.edge, arena, rim, 3 * (size_t)solid->face_count);
    ERI_TRY_NEW(leader, arena, int, solid->vertex_count); // of a connected set; -1: none
    ERI_TRY_NEW(apex, arena, int, solid->vertex_count);   // of a leader; -1: none
    for (int v = 0; v < solid->vertex_count; ++v)
        leader[v] = apex[v] = -1;
    for (int component = 0; component < solid->component_count; ++component) {
        int first = found.count;
        part_boundary(solid, e, component, leader, &found);
        for (int i = first; i < found.count; ++i) {
            int v = leader_of(leader, found.edge[i].from);
            if (apex[v] < 0) apex[v] = found.apex_count++;
            found.edge[i].apex = apex[v];
        }
        for (int i = first; i < found.count; ++i)
            leader[found.edge[i].from] = leader[found.edge[i].to] = apex[found.edge[i].from] = apex[found.edge[i].to] =
                -1;
    }
    *out = found;
    ERI_TRY_NEW(out->edge, arena, rim, found.count);
    ERI_TRY_NEW(out->start, arena, int, (size_t)found.apex_count + 2);
    for (int i = 0; i < found.count; ++i)
        ++out->start[found.edge[i].apex + 2];
    for (int a = 0; a <= found.apex_count; ++a)
        out->start[a + 1] += out->start[a];
    for (int i = 0; i < found.count; ++i)
        out->edge[out->start[found.edge[i].apex + 1]++] = found.edge[i];
done:
    return r;
}

static double rim_length(const eri_mass_solid *solid, const rim *edge)
{
    return edge->times * er_v3_distance(solid->position[edge->from], solid->position[edge->to]);
}

// The middle of the rim and, for each of its edges, the triangle that cancels it.
static er_result add_caps(er_arena *arena, eri_mass_solid *solid, const rims *found)
{
    er_result r = ER_OK;
    int own_faces = solid->face_count, own_vertices = solid->vertex_count;
    size_t caps = 0;
    eri_face *face = NULL;
    er_vec3 *position = NULL;
    for (int i = 0; i < found->count; ++i)
        caps += (size_t)found->edge[i].times;
    ERI_TRY_NEW(face, arena, eri_face, (size_t)own_faces + caps);
    memcpy(face, solid->face, (size_t)own_faces * sizeof *face);
    solid->face = face;
    ERI_TRY_NEW(position, arena, er_vec3, (size_t)own_vertices + (size_t)found->apex_count);
    memcpy(position, solid->position, (size_t)own_vertices * sizeof *position);
    solid->position = position;
    for (int a = 0; a < found->apex_count; ++a) {
        int apex = solid->vertex_count++;
        double length = 0.0;
        er_vec3 moment = {0};
        for (int i = found->start[a]; i < found->start[a + 1]; ++i) {
            const rim *edge = &found->edge[i];
            double share = rim_length(solid, edge);
            length += share;
            moment = er_v3_madd(moment, 0.5 * share, er_v3_add(position[edge->from], position[edge->to]));
            for (int k = 0; k < edge->times; ++k)
                solid->face[solid->face_count++] =
                    (eri_face){{edge->to, edge->from, apex}, {edge->to, edge->from, apex}, edge->component, -1, 0.0};
        }
        position[apex] = er_v3_scale(1.0 / length, moment);
    }
done:
    return r;
}

static int influences_of(const eri_skin_surface *surface, int v)
{
    return surface->influence_start[v + 1] - surface->influence_start[v];
}

// A vertex's weights, scaled to sum to 1; nobody's where there are none.
static void copy_influences(eri_mass_solid *solid, const eri_skin_surface *surface, int v)
{
    int *count = &solid->influence_start[v + 1];
    double sum = 0.0;
    *count = solid->influence_start[v];
    for (int i = surface->influence_start[v]; i < surface->influence_start[v + 1]; ++i)
        sum += surface->influence_weight[i];
    for (int i = surface->influence_start[v]; i < surface->influence_start[v + 1] && sum > 0.0; ++i) {
        solid->influence_body[*count] = surface->influence_body[i];
        solid->influence_weight[(*count)++] = surface->influence_weight[i] / sum;
    }
    if (*count > solid->influence_start[v]) return;
    solid->influence_body[*count] = solid->body_count;
    solid->influence_weight[(*count)++] = 1.0;
}

// An apex gets the mean of its rim. `weight` is zero on entry and on return.
static void mean_influences(eri_mass_solid *solid, const rims *found, int a, int v, double *weight)
{
    int *count = &solid->influence_start[v + 1];
    double length = 0.0;
    *count = solid->influence_start[v];
    for (int i = found->start[a]; i < found->start[a + 1]; ++i) {
        const rim *edge = &found->edge[i];
        double share = rim_length(solid, edge);
        length += share;
        for (int end = 0; end < 2; ++end) {
            int w = end == 0 ? edge->from : edge->to;
            for (int k = solid->influence_start[w]; k < solid->influence_start[w + 1]; ++k) {
                int body = solid->influence_body[k];
                if (weight[body] <= 0.0) solid->influence_body[(*count)++] = body;
                weight[body] += 0.5 * share * solid->influence_weight[k];
            }
        }
    }
    for (int k = solid->influence_start[v]; k < *count; ++k) {
        solid->influence_weight[k] = weight[solid->influence_body[k]] / length;
        weight[solid->influence_body[k]] = 0.0;
    }
}

static er_result set_influences(er_arena *arena, eri_mass_solid *solid, const eri_skin_surface *surface,
                                const rims *found)
{
    er_result r = ER_OK;
    double *weight = NULL;
    size_t room = (size_t)surface->vertex_count;
    for (int v = 0; v < surface->vertex_count; ++v)
        room += (size_t)influences_of(surface, v);
    for (int i = 0; i < found->count; ++i)
        room +=
            (size_t)influences_of(surface, found->edge[i].from) + (size_t)influences_of(surface, found->edge[i].to) + 2;
    ERI_TRY_NEW(solid->influence_start, arena, int, (size_t)solid->vertex_count + 1);
    ERI_TRY_NEW(solid->influence_body, arena, int, room);
    ERI_TRY_NEW(solid->influence_weight, arena, double, room);
    ERI_TRY_NEW(weight, arena, double, (size_t)solid->body_count + 1);
    for (int v = 0; v < surface->vertex_count; ++v)
        copy_influences(solid, surface, v);
    for (int a = 0; a < found->apex_count; ++a)
        mean_influences(solid, found, a, surface->vertex_count + a, weight);
done:
    return r;
}

static void measure_parts(eri_mass_solid *solid)
{
    for (int f = 0; f < solid->face_count; ++f) {
        eri_component *component = &solid->component[solid->face[f].component];
        component->volume += face_volume6(solid, &solid->face[f]) / 6.0;
        component->area += face_area(solid, &solid->face[f]);
    }
}

er_result eri_solid_build(er_arena *arena, const eri_skin_surface *surface, int body_count, eri_mass_solid **out)
{
    er_result r = ER_OK;
    eri_mass_solid *solid = NULL;
    int *weld = NULL;
    edges e;
    rims found;
    bool empty;
    *out = NULL;
    ERI_TRY_NEW(solid, arena, eri_mass_solid, 1);
    solid->body_count = body_count;
    solid->vertex_count = surface->vertex_count;
    *out = solid;
    ERI_TRY(frame(eri_arena_context(arena), surface, solid, &empty));
    if (empty) goto done;
    ERI_TRY_NEW(solid->position, arena, er_vec3, surface->vertex_count);
    ERI_TRY_NEW(weld, arena, int, surface->vertex_count);
    ERI_TRY(weld_vertices(arena, surface, solid, weld));
    ERI_TRY_NEW(solid->face, arena, eri_face, surface->triangle_count);
    ERI_TRY(keep_triangles(arena, surface, weld, solid));
    if (solid->face_count == 0) goto done;
    ERI_TRY(edges_create(arena, solid, &e));
    ERI_TRY(find_parts(arena, solid, &e));
    ERI_TRY(find_rims(arena, solid, &e, &found));
    ERI_TRY(add_caps(arena, solid, &found));
    ERI_TRY(set_influences(arena, solid, surface, &found));
    measure_parts(solid);
done:
    return r;
}

// The body that all three vertices belong to wholly, or -1.
static int face_owner(const eri_mass_solid *solid, const eri_face *face)
{
    int owner = solid->influence_body[solid->influence_start[face->skin[0]]];
    for (int corner = 0; corner < 3; ++corner)
        for (int i = solid->influence_start[face->skin[corner]]; i < solid->influence_start[face->skin[corner] + 1];
             ++i)
            if (solid->influence_body[i] != owner) return -1;
    return owner;
}

er_result eri_solid_grade(er_arena *arena, eri_mass_solid *solid, int cells)
{
    er_result r = ER_OK;
    double *area = NULL, *cell_size = NULL;
    int bodies = 0;
    ERI_TRY_NEW(area, arena, double, (size_t)solid->body_count + 1);
    ERI_TRY_NEW(cell_size, arena, double, (size_t)solid->body_count + 1);
    for (int f = 0; f < solid->face_count; ++f) {
        double third = face_area(solid, &solid->face[f]) / 3.0;
        for (int corner = 0; corner < 3; ++corner) {
            int v = solid->face[f].skin[corner];
            for (int i = solid->influence_start[v]; i < solid->influence_start[v + 1]; ++i)
                area[solid->influence_body[i]] += third * solid->influence_weight[i];
        }
    }
    for (int b = 0; b <= solid->body_count; ++b)
        bodies += area[b] > 0.0 ? 1 : 0;
    int share = cells / (bodies > MOST_SHARE ? bodies : MOST_SHARE);
    if (share < FEW_CELLS) share = FEW_CELLS;
    solid->slope = SLOPE / sqrt(share); // as the cell_size: half as wide with four times the cells
    for (int b = 0; b <= solid->body_count; ++b)
        cell_size[b] = fmax(sqrt(area[b] / share), FINEST);
    for (int f = 0; f < solid->face_count; ++f) {
        eri_face *face = &solid->face[f];
        face->owner = face_owner(solid, face);
        face->cell_size = 0.0;
        for (int corner = 0; corner < 3; ++corner)
            for (int i = solid->influence_start[face->skin[corner]]; i < solid->influence_start[face->skin[corner] + 1];
                 ++i)
                face->cell_size += cell_size[solid->influence_body[i]] * solid->influence_weight[i] / 3.0;
    }
done:
    return r;
}
