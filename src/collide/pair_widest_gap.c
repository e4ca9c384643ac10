/// @file
/// The direction along which the gap between two hulls is widest: a face's normal, or what is at a right angle to an
/// edge of each (the separating axis theorem; Gottschalk 1996). Pairs of edges are tried only where they make a face of
/// the difference A - B, whose normals are where the arcs of the edges cross on the sphere of normals; and, as faces
/// are, only where they come as near to the other hull as the widest gap known says.
#include "collide/pair.h"

#define BLOCK 64  // edges of A that are looked at together
#define CLIMB 100 // steps from the centres to where the gap is widest; fewer are taken

typedef struct eri_hull_gap {
    eri_pair *pair;
    double gap, slack; ///< slack: what a gap less wide is by rounding
    er_vec3 normal;
    int vertex[2]; ///< the supports
} eri_hull_gap;

static void try_normal(eri_hull_gap *widest, er_vec3 n)
{
    int vertex[2];
    double gap = eri_pair_gap(widest->pair, n, vertex);
    if (!(gap > widest->gap) || !eri_pair_allows(widest->pair, n)) return;
    widest->gap = gap;
    widest->normal = n;
    widest->vertex[0] = vertex[0];
    widest->vertex[1] = vertex[1];
}

/// Tries a face's normal where the other hull's vertex known to be deepest is not too deep behind it.
static void try_face(eri_hull_gap *widest, int side, int f)
{
    er_vec3 n = eri_pair_normal(widest->pair, side, f);
    er_vec3 own = eri_pair_vertex(widest->pair, side, eri_pair_corner(widest->pair, side, f));
    er_vec3 other = eri_pair_vertex(widest->pair, 1 - side, widest->vertex[1 - side]);
    if (er_v3_dot(n, er_v3_sub(other, own)) > widest->gap - widest->slack)
        try_normal(widest, er_v3_scale(side == 0 ? 1.0 : -1.0, n));
}

/// An edge in A's frame: an end of it, its direction, the normals of its faces and a direction between them. The edge
/// of a triangle has all normals that look outward from it, a segment all there are.
typedef struct eri_spoke {
    bool has_arc;
    er_vec3 end, along, left, right, between;
} eri_spoke;

static eri_spoke spoke_of(const eri_pair *pair, int side, int e)
{
    const er_hull *hull = pair->hull[side];
    const er_hull_edge *edge = &hull->edge[e];
    eri_spoke spoke = {hull->face_count > 2, eri_pair_vertex(pair, side, edge->vertex[0]),
                       eri_pair_along(pair, side, e), .between = {0, 0, 0}};
    if (hull->face_count == 0) return spoke;
    spoke.left = eri_pair_normal(pair, side, edge->face[0]);
    spoke.right = eri_pair_normal(pair, side, edge->face[1]);
    spoke.between = spoke.has_arc ? er_v3_add(spoke.left, spoke.right) : er_v3_cross(spoke.along, spoke.left);
    return spoke;
}

/// Whether the normals of edge a, or their opposites, include u x v, u its direction and v the other's. An edge leads
/// along the cross product of its normals; so u x v = right (left . v) - left (right . v), and it lies on the arc from
/// left to right, or opposite, where the two products differ in sign.
static bool includes(const eri_spoke *a, er_vec3 v)
{
    return !a->has_arc || er_v3_dot(a->left, v) * er_v3_dot(a->right, v) < 0.0;
}

/// Parallel edges: faces part them, but for two segments.
static void try_aside(eri_hull_gap *widest, const eri_spoke *a, const eri_spoke *b)
{
    if (widest->pair->hull[0]->face_count + widest->pair->hull[1]->face_count > 0) return;
    er_vec3 along = er_v3_unit(a->along, er_v3(0, 0, 1)), apart = er_v3_sub(b->end, a->end);
    apart = er_v3_madd(apart, -er_v3_dot(apart, along), along);
    try_normal(widest, eri_square_to(eri_direction(apart, er_v3_perpendicular(along)), along));
}

static void try_edges(eri_hull_gap *widest, const eri_spoke *a, const eri_spoke *b)
{
    if (!includes(a, b->along) || !includes(b, a->along)) return;
    er_vec3 n = er_v3_cross(a->along, b->along);
    if (er_v3_norm(n) == 0.0) {
        try_aside(widest, a, b);
        return;
    }
    double away_a = er_v3_dot(n, a->between), away_b = -er_v3_dot(n, b->between);
    if (away_a * away_b < 0.0) return; // their normals mean opposite ends
    double away = away_a != 0.0 ? away_a : away_b != 0.0 ? away_b : er_v3_dot(n, er_v3_sub(b->end, a->end));
    if (away < 0.0) n = er_v3_scale(-1.0, n);
    n = er_v3_unit(n, n);
    n = eri_square_to(eri_square_to(n, a->along), b->along);
    if (er_v3_dot(n, er_v3_sub(b->end, a->end)) > widest->gap) try_normal(widest, n);
}

/// Tries the faces and edges around both supports.
static void try_around(eri_hull_gap *widest)
{
    const eri_pair *pair = widest->pair;
    int at[2] = {widest->vertex[0], widest->vertex[1]};
    for (int side = 0; side < 2; ++side) {
        const er_hull *hull = pair->hull[side];
        if (hull->face_count == 0) continue;
        for (int s = hull->vertex_start[at[side]]; s < hull->vertex_start[at[side] + 1]; ++s) {
            const er_hull_edge *edge = &hull->edge[hull->vertex_edge[s]];
            try_face(widest, side, edge->face[edge->vertex[0] == at[side] ? 0 : 1]);
        }
    }
    const er_hull *a = pair->hull[0], *b = pair->hull[1];
    for (int j = b->vertex_start[at[1]]; j < b->vertex_start[at[1] + 1]; ++j) {
        eri_spoke v = spoke_of(pair, 1, b->vertex_edge[j]);
        for (int i = a->vertex_start[at[0]]; i < a->vertex_start[at[0] + 1]; ++i) {
            eri_spoke u = spoke_of(pair, 0, a->vertex_edge[i]);
            try_edges(widest, &u, &v);
        }
    }
}

/// Climbs from the direction of the centres.
static eri_hull_gap begin(eri_pair *pair)
{
    eri_hull_gap widest = {.pair = pair, .gap = -HUGE_VAL, .slack = ERI_FLAT * pair->size};
    er_vec3 apart =
        er_v3_sub(er_v3_add(er_m3_mul_v(pair->turn, pair->hull[1]->centre), pair->shift), pair->hull[0]->centre);
    try_normal(&widest, eri_direction(apart, er_v3(0, 0, 1)));
    for (int f = 0; pair->allows != NULL && f < 2; ++f) // of a triangle, which are allowed
        try_normal(&widest, er_v3_scale(-1.0, eri_pair_normal(pair, 1, f)));
    for (int step = 0; step < CLIMB; ++step) {
        double before = widest.gap;
        try_around(&widest);
        if (!(widest.gap > before)) break;
    }
    return widest;
}

/// Whether an edge comes as near to the other hull as the pair with a wider gap must: that gap, negated, is how far the
/// two edges are from each other; and beyond the widest gap known there is nothing of the other hull.
/// @param beyond  the other hull's support, along the normal of the widest gap
static bool is_near(const eri_hull_gap *widest, int side, int e, er_vec3 beyond)
{
    const int *v = widest->pair->hull[side]->edge[e].vertex;
    double away = side == 0 ? 1.0 : -1.0, least = HUGE_VAL;
    for (int k = 0; k < 2; ++k)
        least = eri_min(least,
                        away * er_v3_dot(widest->normal, er_v3_sub(beyond, eri_pair_vertex(widest->pair, side, v[k]))));
    return least <= widest->slack - widest->gap;
}

static void try_all_edges(eri_hull_gap *widest)
{
    const eri_pair *pair = widest->pair;
    int count[2] = {pair->hull[0]->edge_count, pair->hull[1]->edge_count};
    er_vec3 end[2] = {eri_pair_vertex(pair, 0, widest->vertex[0]), eri_pair_vertex(pair, 1, widest->vertex[1])};
    eri_hull_gap known = *widest; // what is near is asked of one normal
    for (int next = 0; next < count[0];) {
        eri_spoke a[BLOCK];
        int held = 0;
        for (; next < count[0] && held < BLOCK; ++next)
            if (is_near(&known, 0, next, end[1])) a[held++] = spoke_of(pair, 0, next);
        for (int j = 0; held > 0 && j < count[1]; ++j) {
            if (!is_near(&known, 1, j, end[0])) continue;
            eri_spoke b = spoke_of(pair, 1, j);
            for (int i = 0; i < held; ++i)
                try_edges(widest, &a[i], &b);
        }
    }
}

double eri_pair_widest_gap(eri_pair *pair, er_vec3 *normal)
{
    eri_hull_gap widest = begin(pair);
    for (int side = 0; side < 2; ++side)
        for (int f = 0; f < pair->hull[side]->face_count; ++f)
            try_face(&widest, side, f);
    try_all_edges(&widest);
    *normal = widest.normal;
    return widest.gap;
}
