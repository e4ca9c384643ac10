// Collapse short edges, flip edges towards six neighbours a vertex, relax vertices along the surface and pull them back
// onto it, over and over (Botsch and Kobbelt 2004), with a target length that follows the curvature.
// Half-edge h runs from start[h] inside triangle h / 3; twin[h] is the same edge in the neighbour, the other way round.
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "surface.h"
#include "util.h"

enum { ROUNDS = 10, MAX_RING = 64 };

typedef struct web {
    const figure *f;
    int vertex_count, half_count;
    er_vec3 *position, *normal; // [vertex_count]
    double *target;             // [vertex_count], wanted edge length, m
    int *out;                   // [vertex_count], a half-edge that starts there; -1 for a vertex that is gone
    int *start, *twin;          // [half_count]; start is -1 where the triangle is gone
} web;

static int next(int h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}

static int before(int h)
{
    return h % 3 == 0 ? h + 2 : h - 1;
}

static int end_of(const web *w, int h)
{
    return w->start[next(h)];
}

typedef struct keyed_half {
    int low, high, half;
} keyed_half;

static int compare_halves(const void *a, const void *b)
{
    const keyed_half *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return p->half < q->half ? -1 : 1;
}

static web weave(const figure *f, const surface *s)
{
    web w = {.f = f, .vertex_count = s->vertex_count, .half_count = 3 * s->triangle_count};
    w.position = NEW(er_vec3, w.vertex_count);
    w.normal = NEW(er_vec3, w.vertex_count);
    w.target = NEW(double, w.vertex_count);
    w.out = NEW(int, w.vertex_count);
    w.start = NEW(int, w.half_count);
    w.twin = NEW(int, w.half_count);
    memcpy(w.position, s->position, (size_t)w.vertex_count * sizeof *w.position);
    keyed_half *key = NEW(keyed_half, w.half_count);
    for (int h = 0; h < w.half_count; ++h) {
        int a = s->triangle[h / 3][h % 3], b = s->triangle[h / 3][(h + 1) % 3];
        w.start[h] = a;
        w.out[a] = h;
        key[h] = (keyed_half){a < b ? a : b, a < b ? b : a, h};
    }
    qsort(key, (size_t)w.half_count, sizeof *key, compare_halves);
    for (int i = 0; i < w.half_count; i += 2) {
        w.twin[key[i].half] = key[i + 1].half;
        w.twin[key[i + 1].half] = key[i].half;
    }
    free(key);
    return w;
}

static void pair(web *w, int g, int h)
{
    w->twin[g] = h;
    w->twin[h] = g;
}

// The vertices round v, anticlockwise.   @return how many; MAX_RING when there are too many to list
static int ring_of(const web *w, int v, int *around)
{
    int count = 0, h = w->out[v];
    do {
        if (count == MAX_RING) return MAX_RING;
        around[count++] = end_of(w, h);
        h = w->twin[before(h)];
    } while (h != w->out[v]);
    return count;
}

static er_vec3 corner_normal(er_vec3 a, er_vec3 b, er_vec3 c)
{
    return er_v3_cross(er_v3_sub(b, a), er_v3_sub(c, a));
}

// Twice the area over the longest edge squared: 0.87 for an equilateral triangle, 0 for a sliver; negative for one that
// leans more than 53 degrees from the outward direction.
static double fitness(er_vec3 a, er_vec3 b, er_vec3 c, er_vec3 outward)
{
    er_vec3 n = corner_normal(a, b, c);
    double area2 = er_v3_norm(n);
    double longest = fmax(er_v3_distance(a, b), fmax(er_v3_distance(b, c), er_v3_distance(c, a)));
    double fit = longest > 0.0 ? area2 / (longest * longest) : 0.0;
    return er_v3_dot(n, outward) < 0.6 * area2 * er_v3_norm(outward) ? -fit : fit;
}

// Would moving v to x spoil a triangle (except the two on the edge to `other`), or stretch an edge beyond its target? A
// triangle is not spoiled if it is no worse than before.
static bool spoils(const web *w, int v, int other, er_vec3 x)
{
    int h = w->out[v];
    do {
        int b = end_of(w, h), c = w->start[before(h)];
        if (b != other && c != other) {
            er_vec3 p = w->position[b], q = w->position[c], old = w->position[v];
            er_vec3 outward = er_v3_add(w->normal[v], er_v3_add(w->normal[b], w->normal[c]));
            double fit = fitness(x, p, q, outward), length = er_v3_distance(x, p);
            if (fit < 0.25 && fit < fitness(old, p, q, outward)) return true;
            if (length > 1.4 * w->target[b] && length > er_v3_distance(old, p)) return true;
        }
        h = w->twin[before(h)];
    } while (h != w->out[v]);
    return false;
}

// Takes the start of h into its end, where topology and shape allow it.
static bool collapse(web *w, int h)
{
    int g = w->twin[h], a = w->start[h], b = w->start[g];
    int around_a[MAX_RING], around_b[MAX_RING];
    int degree_a = ring_of(w, a, around_a), degree_b = ring_of(w, b, around_b), common = 0;
    if (degree_a == MAX_RING || degree_b == MAX_RING) return false;
    for (int i = 0; i < degree_a; ++i)
        for (int j = 0; j < degree_b; ++j)
            common += around_a[i] == around_b[j];
    int tip_a = w->start[before(h)], tip_b = w->start[before(g)];
    int spare[MAX_RING];
    if (common != 2 || degree_a + degree_b - 4 > 10) return false; // link condition; no vertex with a crowd round it
    if (ring_of(w, tip_a, spare) < 5 || ring_of(w, tip_b, spare) < 5) return false;
    er_vec3 x = w->position[b];
    if (spoils(w, a, b, x)) return false;

    int first = w->out[a], k = first; // hand a's half-edges to b
    do {
        w->start[k] = b;
        k = w->twin[before(k)];
    } while (k != first);
    int side[2] = {h, g};
    for (int i = 0; i < 2; ++i) {
        int p = w->twin[next(side[i])], q = w->twin[before(side[i])]; // from the tip to b, and back
        pair(w, p, q);
        w->out[w->start[p]] = p;
        w->out[b] = q;
        for (int j = 0; j < 3; ++j)
            w->start[side[i] - side[i] % 3 + j] = -1;
    }
    w->out[a] = -1;
    return true;
}

static double target_of(const web *w, int a, int b)
{
    return 0.5 * (w->target[a] + w->target[b]);
}

// Shrinks all edges below 4/5 of the target, `scale` of the way to it.
static void collapse_short_edges(web *w, double scale)
{
    for (int h = 0; h < w->half_count; ++h) {
        if (w->start[h] == -1) continue;
        int a = w->start[h], b = end_of(w, h);
        if (er_v3_distance(w->position[a], w->position[b]) < 0.8 * scale * target_of(w, a, b)) collapse(w, h);
    }
}

// Turns the edge a-b inside its two triangles into c-d.
static void flip(web *w, int h)
{
    int g = w->twin[h];
    int hn = next(h), hb = before(h), gn = next(g), gb = before(g);
    int a = w->start[h], b = w->start[g], c = w->start[hb], d = w->start[gb];
    int bc = w->twin[hn], ca = w->twin[hb], ad = w->twin[gn], db = w->twin[gb];
    // triangles become (h: c d b)  and (g: d c a)
    w->start[h] = c;
    w->start[hn] = d;
    w->start[hb] = b;
    w->start[g] = d;
    w->start[gn] = c;
    w->start[gb] = a;
    pair(w, h, g);
    pair(w, hn, db);
    pair(w, hb, bc);
    pair(w, gn, ca);
    pair(w, gb, ad);
    w->out[a] = gb;
    w->out[b] = hb;
    w->out[c] = h;
    w->out[d] = g;
}

static double fitness_of(const web *w, int a, int b, int c)
{
    er_vec3 outward = er_v3_add(w->normal[a], er_v3_add(w->normal[b], w->normal[c]));
    return fitness(w->position[a], w->position[b], w->position[c], outward);
}

static int square(int x)
{
    return x * x;
}

// Flips edges where that mends a sliver or brings the four vertices' degrees closer to six.
static void even_degrees(web *w)
{
    int around[MAX_RING];
    for (int h = 0; h < w->half_count; ++h) {
        if (w->start[h] == -1 || w->twin[h] < h) continue;
        int g = w->twin[h], a = w->start[h], b = w->start[g], c = w->start[before(h)], d = w->start[before(g)];
        int da = ring_of(w, a, around), db = ring_of(w, b, around), dc = ring_of(w, c, around);
        bool joined = false; // c and d already share an edge
        for (int i = 0; i < dc; ++i)
            joined = joined || around[i] == d;
        int dd = ring_of(w, d, around);
        int now = square(da - 6) + square(db - 6) + square(dc - 6) + square(dd - 6);
        int then = square(da - 7) + square(db - 7) + square(dc - 5) + square(dd - 5);
        double length = er_v3_distance(w->position[c], w->position[d]);
        double fit_now = fmin(fitness_of(w, a, b, c), fitness_of(w, b, a, d));
        double fit_then = fmin(fitness_of(w, c, d, b), fitness_of(w, d, c, a));
        bool helps = fit_now < 0.25 ? fit_then > fit_now : then < now && fit_then > 0.25;
        if (helps && !joined && da > 3 && db > 3 && length < 1.6 * target_of(w, c, d)) flip(w, h);
    }
}

static void place(web *w, int v, er_vec3 x)
{
    w->position[v] = field_project(w->f, x, &w->normal[v]);
}

// Moves each vertex towards the middle of its neighbours within the tangent plane.
static void relax(web *w)
{
    int around[MAX_RING];
    for (int v = 0; v < w->vertex_count; ++v) {
        if (w->out[v] == -1) continue;
        int count = ring_of(w, v, around);
        er_vec3 middle = er_v3(0, 0, 0);
        for (int i = 0; i < count; ++i)
            middle = er_v3_madd(middle, 1.0 / count, w->position[around[i]]);
        er_vec3 step = er_v3_sub(middle, w->position[v]);
        step = er_v3_madd(step, -er_v3_dot(step, w->normal[v]), w->normal[v]);
        er_vec3 x = er_v3_madd(w->position[v], 0.6, step);
        if (!spoils(w, v, -1, x)) place(w, v, x);
    }
}

// Target lengths: edge_angle over the fastest turn of the normal, short where regions meet, then limited to grow by
// half the distance.
static void set_targets(web *w)
{
    const figure *f = w->f;
    int *region = NEW(int, w->vertex_count);
    double *detail = NEW(double, w->vertex_count);
    for (int v = 0; v < w->vertex_count; ++v) {
        w->target[v] = f->edge_max;
        if (w->out[v] != -1) region[v] = field_region(f, w->position[v], &detail[v]);
    }
    for (int h = 0; h < w->half_count; ++h) {
        if (w->start[h] == -1) continue;
        int a = w->start[h], b = end_of(w, h);
        double length = er_v3_distance(w->position[a], w->position[b]);
        if (length < 0.2 * f->cell) continue; // too short to tell
        double turn = er_v3_distance(w->normal[a], w->normal[b]);
        double finest = f->edge_min * fmin(detail[a], detail[b]);
        double wanted = fmax(f->edge_angle * length / fmax(turn, 1e-6), finest);
        if (region[a] != region[b]) wanted = fmin(wanted, fmax(f->edge_border, finest));
        w->target[a] = fmin(w->target[a], wanted);
        w->target[b] = fmin(w->target[b], wanted);
    }
    for (int pass = 0; pass < 8; ++pass)
        for (int h = 0; h < w->half_count; ++h) {
            if (w->start[h] == -1) continue;
            int a = w->start[h], b = end_of(w, h);
            double length = er_v3_distance(w->position[a], w->position[b]);
            w->target[b] = fmin(w->target[b], w->target[a] + 0.5 * length);
        }
    free(region);
    free(detail);
}

static er_vec3 triangle_normal(const web *w, int h)
{
    return corner_normal(w->position[w->start[h]], w->position[end_of(w, h)], w->position[w->start[before(h)]]);
}

// The triangles that are left, vertices numbered anew.
static void unravel(const web *w, surface *s)
{
    int *renamed = NEW(int, w->vertex_count);
    s->vertex_count = s->triangle_count = 0;
    for (int v = 0; v < w->vertex_count; ++v) {
        if (w->out[v] == -1) continue;
        renamed[v] = s->vertex_count;
        s->position[s->vertex_count++] = w->position[v];
    }
    for (int h = 0; h < w->half_count; h += 3) {
        if (w->start[h] == -1) continue;
        for (int i = 0; i < 3; ++i)
            s->triangle[s->triangle_count][i] = renamed[w->start[h + i]];
        ++s->triangle_count;
    }
    free(renamed);
}

void surface_remesh(const figure *f, surface *s)
{
    web w = weave(f, s);
    for (int h = 0; h < w.half_count; ++h) // first guess of the normals: of the triangles round a vertex
        w.normal[w.start[h]] = er_v3_add(w.normal[w.start[h]], triangle_normal(&w, h));
    for (int v = 0; v < w.vertex_count; ++v) {
        w.normal[v] = er_v3_unit(w.normal[v], er_v3(0, 1, 0));
        w.target[v] = f->edge_min;
    }
    collapse_short_edges(&w, 1.0); // what the grid left too fine anywhere
    relax(&w);
    for (int round = 0; round < ROUNDS; ++round) {
        set_targets(&w);
        collapse_short_edges(&w, fmin(1.0, (round + 3.0) / 8.0));
        even_degrees(&w);
        relax(&w);
    }
    unravel(&w, s);
    free(w.position);
    free(w.normal);
    free(w.target);
    free(w.out);
    free(w.start);
    free(w.twin);
}
