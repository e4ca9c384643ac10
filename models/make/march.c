// Marching tetrahedra (Doi and Koide 1991): each cube is cut into six tetrahedra along its main diagonal, the same way
// everywhere, so that the cuts of neighbours match. Blocks of cubes far from the skin are skipped.
#include <stdint.h>
#include <stdlib.h>

#include "field.h"
#include "surface.h"
#include "util.h"

enum { BLOCK = 4, NODES = BLOCK + 1, BRANCHES = 16 }; // cubes along a leaf of the octree, and along its root

typedef struct grid_edge {
    int64_t key; // 8 x index of the lower node + direction, a bit an axis; -1 for an empty slot
    int vertex;
} grid_edge;

typedef struct marcher {
    const figure *f;
    er_vec3 origin;
    int64_t size[3];    // in cubes
    grid_edge *slot;    // hash table, open addressing
    int64_t slot_count; // a power of two
    surface out;
    double value[NODES][NODES][NODES]; // of the leaf at hand: [x][y][z]
    int64_t corner[3];                 // its first node
} marcher;

static int64_t node_index(const marcher *m, const int64_t n[3])
{
    return (n[2] * (m->size[1] + 1) + n[1]) * (m->size[0] + 1) + n[0];
}

static er_vec3 node_position(const marcher *m, const int64_t n[3])
{
    double h = m->f->cell;
    return er_v3_add(m->origin, er_v3(h * (double)n[0], h * (double)n[1], h * (double)n[2]));
}

static grid_edge *find_slot(const marcher *m, int64_t key)
{
    uint64_t i = (uint64_t)key * 0x9E3779B97F4A7C15u;
    for (i >>= 20;; ++i) {
        grid_edge *e = &m->slot[i & (uint64_t)(m->slot_count - 1)];
        if (e->key == key || e->key == -1) return e;
    }
}

static void grow_table(marcher *m)
{
    marcher old = *m;
    m->slot_count = old.slot_count == 0 ? 1024 : 2 * old.slot_count;
    m->slot = NEW(grid_edge, m->slot_count);
    for (int64_t i = 0; i < m->slot_count; ++i)
        m->slot[i].key = -1;
    for (int64_t i = 0; i < old.slot_count; ++i)
        if (old.slot[i].key != -1) *find_slot(m, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

static double node_value(const marcher *m, const int64_t n[3])
{
    return m->value[n[0] - m->corner[0]][n[1] - m->corner[1]][n[2] - m->corner[2]];
}

// The vertex where the skin crosses the edge between two nodes, lower <= upper in every axis.
static int edge_vertex(marcher *m, const int64_t lower[3], const int64_t upper[3])
{
    int64_t direction = (upper[0] - lower[0]) + 2 * (upper[1] - lower[1]) + 4 * (upper[2] - lower[2]);
    grid_edge *e = find_slot(m, 8 * node_index(m, lower) + direction);
    if (e->key != -1) return e->vertex;
    double a = node_value(m, lower), b = node_value(m, upper),
           t = fmin(fmax(a / (a - b), 0.1), 0.9); // apart from others
    int i = m->out.vertex_count;
    ROOM(m->out.position, i);
    er_vec3 from = node_position(m, lower);
    m->out.position[i] = er_v3_madd(from, t, er_v3_sub(node_position(m, upper), from));
    *e = (grid_edge){8 * node_index(m, lower) + direction, i};
    if (2 * (int64_t)++m->out.vertex_count > m->slot_count) grow_table(m);
    return i;
}

static void add_triangle(marcher *m, int a, int b, int c)
{
    int i = m->out.triangle_count++;
    ROOM(m->out.triangle, i);
    m->out.triangle[i][0] = a;
    m->out.triangle[i][1] = b;
    m->out.triangle[i][2] = c;
}

// p: the nodes of a tetrahedron along a monotone path, so that p[i] <= p[j] for i < j; `positive` when they are
// right-handed.
static void march_tetrahedron(marcher *m, int64_t p[4][3], bool positive)
{
    int order[4], inside = 0, outside = 3; // inside nodes first
    bool even = positive;
    for (int i = 0; i < 4; ++i)
        if (node_value(m, p[i]) < 0.0) order[inside++] = i;
    for (int i = 3; i >= 0; --i)
        if (!(node_value(m, p[i]) < 0.0)) order[outside--] = i;
    if (inside == 0 || inside == 4) return;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            if (order[i] > order[j]) even = !even;
    int v[4][4] = {{0}};
    for (int i = 0; i < inside; ++i)
        for (int j = inside; j < 4; ++j) {
            int low = order[i] < order[j] ? order[i] : order[j], high = order[i] + order[j] - low;
            v[i][j] = edge_vertex(m, p[low], p[high]);
        }
    // The polygon seen from outside, for a right-handed order; reversed for a left-handed one.
    int polygon[4], corners = inside == 2 ? 4 : 3;
    if (inside == 1) {
        for (int k = 0; k < 3; ++k)
            polygon[k] = v[0][k + 1];
    } else if (inside == 3) {
        for (int k = 0; k < 3; ++k)
            polygon[k] = v[k][3];
    } else {
        polygon[0] = v[0][2];
        polygon[1] = v[0][3];
        polygon[2] = v[1][3];
        polygon[3] = v[1][2];
    }
    for (int k = 1; k + 1 < corners; ++k) {
        int b = polygon[even ? k : k + 1], c = polygon[even ? k + 1 : k];
        add_triangle(m, polygon[0], b, c);
    }
}

static void march_cube(marcher *m, const int64_t n[3])
{
    static const int path[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}; // even, then odd
    for (int k = 0; k < 6; ++k) {
        int64_t p[4][3];
        for (int i = 0; i < 4; ++i)
            for (int axis = 0; axis < 3; ++axis)
                p[i][axis] = i == 0 ? n[axis] : p[i - 1][axis] + (path[k][i - 1] == axis);
        march_tetrahedron(m, p, k < 3);
    }
}

static void march_leaf(marcher *m, const int64_t corner[3])
{
    for (int axis = 0; axis < 3; ++axis)
        m->corner[axis] = corner[axis];
    for (int i = 0; i < NODES; ++i)
        for (int j = 0; j < NODES; ++j)
            for (int k = 0; k < NODES; ++k) {
                int64_t n[3] = {corner[0] + i, corner[1] + j, corner[2] + k};
                m->value[i][j][k] = field_at(m->f, node_position(m, n));
            }
    for (int i = 0; i < BLOCK; ++i)
        for (int j = 0; j < BLOCK; ++j)
            for (int k = 0; k < BLOCK; ++k) {
                int64_t n[3] = {corner[0] + i, corner[1] + j, corner[2] + k};
                march_cube(m, n);
            }
}

// Halves a block down to the leaves, leaving out what the skin cannot reach.
static void march_block(marcher *m, const int64_t corner[3], int64_t cubes)
{
    double half = 0.5 * (double)cubes * m->f->cell, reach = half * 1.7320508075688772;
    er_vec3 middle = er_v3_add(node_position(m, corner), er_v3(half, half, half));
    if (fabs(field_at(m->f, middle)) > 1.5 * reach) return; // stretched shapes' distances are only first-order
    if (cubes == BLOCK) {
        march_leaf(m, corner);
        return;
    }
    for (int octant = 0; octant < 8; ++octant) {
        int64_t c[3];
        for (int axis = 0; axis < 3; ++axis)
            c[axis] = corner[axis] + (octant >> axis & 1) * cubes / 2;
        march_block(m, c, cubes / 2);
    }
}

// A box that holds every joined shape.
static void bounds(const figure *f, er_vec3 *low, er_vec3 *high)
{
    *low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = er_v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    for (int i = 0; i < f->shape_count; ++i) {
        const shape *s = &f->shapes[i];
        if (s->use != SHAPE_JOIN) continue;
        er_vec3 c = s->middle;
        double r = s->reach;
        *low = er_v3(fmin(low->x, c.x - r), fmin(low->y, c.y - r), fmin(low->z, c.z - r));
        *high = er_v3(fmax(high->x, c.x + r), fmax(high->y, c.y + r), fmax(high->z, c.z + r));
    }
}

surface surface_march(const figure *f)
{
    marcher *m = NEW(marcher, 1);
    er_vec3 low, high;
    bounds(f, &low, &high);
    er_vec3 extent = er_v3_sub(high, low);
    double margin = 2.0 * f->cell;
    m->f = f;
    m->origin = er_v3(low.x - margin, low.y - margin, low.z - margin);
    double span[3] = {extent.x, extent.y, extent.z};
    for (int i = 0; i < 3; ++i)
        m->size[i] = BRANCHES * (int64_t)ceil((span[i] + 2.0 * margin) / (BRANCHES * f->cell));
    grow_table(m);
    int64_t c[3];
    for (c[2] = 0; c[2] < m->size[2]; c[2] += BRANCHES)
        for (c[1] = 0; c[1] < m->size[1]; c[1] += BRANCHES)
            for (c[0] = 0; c[0] < m->size[0]; c[0] += BRANCHES)
                march_block(m, c, BRANCHES);
    surface out = m->out;
    free(m->slot);
    free(m);
    return out;
}

typedef struct directed_edge {
    int from, to;
} directed_edge;

static int compare_edges(const void *a, const void *b)
{
    const directed_edge *p = a, *q = b;
    return p->from != q->from ? (p->from < q->from ? -1 : 1) : (p->to > q->to) - (p->to < q->to);
}

void surface_check(const figure *f, const surface *s)
{
    int count = 3 * s->triangle_count;
    directed_edge *edge = NEW(directed_edge, count);
    for (int i = 0; i < count; ++i)
        edge[i] = (directed_edge){s->triangle[i / 3][i % 3], s->triangle[i / 3][(i + 1) % 3]};
    qsort(edge, (size_t)count, sizeof *edge, compare_edges);
    for (int i = 0; i < count; ++i) {
        directed_edge back = {edge[i].to, edge[i].from};
        if (i > 0 && compare_edges(&edge[i], &edge[i - 1]) == 0) stop("%s: an edge is used twice", f->name);
        if (bsearch(&back, edge, (size_t)count, sizeof *edge, compare_edges) == NULL) stop("%s: a hole", f->name);
    }
    free(edge);
}

void surface_free(surface *s)
{
    free(s->position);
    free(s->triangle);
    *s = (surface){0};
}
