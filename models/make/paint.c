// Triangles by the region that they show, cut where regions meet.
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "paint.h"
#include "util.h"

enum { BORDER = -1 }; // region of a vertex that lies between regions

typedef struct edge_cut {
    int low, high; // vertices
    int middle;    // the vertex that cuts the edge
} edge_cut;

typedef struct painter {
    const figure *f;
    surface in, out;
    int *vertex_region; // [in.vertex_count]
    int *region;        // [out.triangle_count]
    edge_cut *cut;
    int cut_count;
} painter;

// Where an edge leaves the region of its start: bisection, on the skin.
static er_vec3 crossing(const painter *p, int from, int to)
{
    er_vec3 a = p->in.position[from], b = p->in.position[to];
    int region = p->vertex_region[from];
    for (int i = 0; i < 12; ++i) {
        er_vec3 middle = er_v3_scale(0.5, er_v3_add(a, b));
        if (field_region(p->f, field_project(p->f, middle, NULL), NULL) == region)
            a = middle;
        else
            b = middle;
    }
    return field_project(p->f, er_v3_scale(0.5, er_v3_add(a, b)), NULL);
}

static bool differ(const painter *p, int a, int b)
{
    int ra = p->vertex_region[a], rb = p->vertex_region[b];
    return ra != rb && ra != BORDER && rb != BORDER;
}

// Moves vertices onto the border where it crosses one of their edges in its nearest third: no slivers after cutting.
static void snap(painter *p)
{
    er_vec3 *nearest = NEW(er_vec3, p->in.vertex_count);
    double *distance = NEW(double, p->in.vertex_count);
    for (int v = 0; v < p->in.vertex_count; ++v)
        distance[v] = HUGE_VAL;
    for (int t = 0; t < p->in.triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            int a = p->in.triangle[t][i], b = p->in.triangle[t][(i + 1) % 3];
            if (!differ(p, a, b)) continue;
            er_vec3 x = crossing(p, a, b);
            double length = er_v3_distance(p->in.position[a], p->in.position[b]);
            double d = er_v3_distance(p->in.position[a], x);
            if (d < 0.33 * length && d < distance[a]) {
                nearest[a] = x;
                distance[a] = d;
            }
        }
    for (int v = 0; v < p->in.vertex_count; ++v)
        if (distance[v] < HUGE_VAL) {
            p->in.position[v] = nearest[v];
            p->vertex_region[v] = BORDER;
        }
    free(nearest);
    free(distance);
}

static int compare_cuts(const void *a, const void *b)
{
    const edge_cut *p = a, *q = b;
    return p->low != q->low ? (p->low < q->low ? -1 : 1) : (p->high > q->high) - (p->high < q->high);
}

static int add_vertex(painter *p, er_vec3 x)
{
    int i = p->out.vertex_count++;
    ROOM(p->out.position, i);
    p->out.position[i] = x;
    return i;
}

// One cut for each edge between regions, in the order of its vertices.
static void cut_edges(painter *p)
{
    for (int t = 0; t < p->in.triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            int a = p->in.triangle[t][i], b = p->in.triangle[t][(i + 1) % 3];
            if (a > b || !differ(p, a, b)) continue; // its other triangle has it the other way round
            ROOM(p->cut, p->cut_count);
            p->cut[p->cut_count++] = (edge_cut){a, b, add_vertex(p, crossing(p, a, b))};
        }
    if (p->cut_count > 0) qsort(p->cut, (size_t)p->cut_count, sizeof *p->cut, compare_cuts);
}

static int cut_vertex(const painter *p, int a, int b)
{
    edge_cut key = {a < b ? a : b, a < b ? b : a, 0};
    edge_cut *found = p->cut_count == 0 ? NULL : bsearch(&key, p->cut, (size_t)p->cut_count, sizeof key, compare_cuts);
    return found == NULL ? -1 : found->middle;
}

static void add_triangle(painter *p, int a, int b, int c, int region)
{
    int t = p->out.triangle_count++;
    ROOM(p->out.triangle, t);
    ROOM(p->region, t);
    p->out.triangle[t][0] = a;
    p->out.triangle[t][1] = b;
    p->out.triangle[t][2] = c;
    p->region[t] = region;
}

static er_vec3 centroid(const painter *p, const int *v)
{
    er_vec3 sum = er_v3_add(er_v3_add(p->in.position[v[0]], p->in.position[v[1]]), p->in.position[v[2]]);
    return er_v3_scale(1.0 / 3.0, sum);
}

// Splits one triangle along the cuts of its edges: none, one, two, or three (where three regions meet).
static void split_triangle(painter *p, const int *v)
{
    const int *r = p->vertex_region;
    int m[3], cuts = 0; // m[i] cuts the edge from v[i]
    for (int i = 0; i < 3; ++i) {
        m[i] = cut_vertex(p, v[i], v[(i + 1) % 3]);
        cuts += m[i] >= 0;
    }
    if (cuts == 0) {
        int region = BORDER;
        for (int i = 0; i < 3 && region == BORDER; ++i)
            region = r[v[i]];
        if (region == BORDER) region = field_region(p->f, field_project(p->f, centroid(p, v), NULL), NULL);
        add_triangle(p, v[0], v[1], v[2], region);
    } else if (cuts == 1) { // the corner across the cut lies on the border
        int i = m[0] >= 0 ? 0 : m[1] >= 0 ? 1 : 2, a = v[i], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
        add_triangle(p, a, m[i], c, r[a]);
        add_triangle(p, m[i], b, c, r[b]);
    } else if (cuts == 2) { // corner b is parted from c and a
        int i = m[0] < 0 ? 0 : m[1] < 0 ? 1 : 2, c = v[i], a = v[(i + 1) % 3], b = v[(i + 2) % 3];
        int ab = m[(i + 1) % 3], bc = m[(i + 2) % 3];
        add_triangle(p, ab, b, bc, r[b]);
        add_triangle(p, a, ab, bc, r[a]);
        add_triangle(p, a, bc, c, r[a]);
    } else {
        int middle = add_vertex(p, field_project(p->f, centroid(p, v), NULL));
        for (int i = 0; i < 3; ++i) {
            add_triangle(p, v[i], m[i], middle, r[v[i]]);
            add_triangle(p, m[i], v[(i + 1) % 3], middle, r[v[(i + 1) % 3]]);
        }
    }
}

int *paint_regions(const figure *f, surface *s)
{
    painter p = {.f = f, .in = *s};
    p.vertex_region = NEW(int, s->vertex_count);
    for (int v = 0; v < s->vertex_count; ++v)
        p.vertex_region[v] = field_region(f, s->position[v], NULL);
    snap(&p);
    for (int v = 0; v < p.in.vertex_count; ++v)
        add_vertex(&p, p.in.position[v]);
    cut_edges(&p);
    for (int t = 0; t < p.in.triangle_count; ++t)
        split_triangle(&p, p.in.triangle[t]);
    surface_free(s);
    *s = p.out;
    free(p.vertex_region);
    free(p.cut);
    return p.region;
}
