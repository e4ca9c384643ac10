/// @file
/// The direction along which the gap between two hulls is widest: a face's normal, or what is at a right angle to an
/// edge of each (the separating axis theorem; Gottschalk 1996). Pairs of edges are tried only where they make a face of
/// the difference A - B, whose normals are where the arcs of the edges cross on the sphere of normals.
#include "collide/pair.h"

typedef struct er_widest {
    double gap;
    er_vec3 normal;
} er_widest;

static void try_normal(er_pair *pair, er_vec3 n, er_widest *widest)
{
    int vertex[2];
    double gap = er_pair_gap(pair, n, vertex);
    if (gap > widest->gap) *widest = (er_widest){gap, n};
}

/// An edge in A's frame: an end of it, its direction and the normals of its faces.
typedef struct er_spoke {
    er_vec3 end, along, left, right;
} er_spoke;

static er_spoke spoke_of(const er_pair *pair, int side, int e)
{
    const er_hull_edge *edge = &pair->hull[side]->edge[e];
    return (er_spoke){er_pair_vertex(pair, side, edge->vertex[0]), er_pair_along(pair, side, e),
                      er_pair_normal(pair, side, edge->face[0]), er_pair_normal(pair, side, edge->face[1])};
}

/// Whether the arc from a's left normal to its right one crosses that of b's negated normals. An edge leads along the
/// cross product of its normals; so u x v = right (left . v) - left (right . v), u and v the edges' directions, lies on
/// a's arc, or its opposite does, where the two products differ in sign, and likewise for b; and both mean the same
/// end.
static bool arcs_cross(const er_spoke *a, const er_spoke *b)
{
    double from = er_v3_dot(a->left, b->along), to = er_v3_dot(a->right, b->along);
    if (!(from * to < 0.0)) return false;
    double left = -er_v3_dot(b->left, a->along), right = -er_v3_dot(b->right, a->along);
    return left * right < 0.0 && from * right > 0.0;
}

static void try_edges(er_pair *pair, const er_spoke *a, const er_spoke *b, er_widest *widest)
{
    er_vec3 cross = er_v3_cross(a->along, b->along), n = er_v3_unit(cross, cross);
    n = er_square_to(er_square_to(n, a->along), b->along);
    if (er_v3_dot(n, er_v3_add(a->left, a->right)) < 0.0) n = er_v3_scale(-1.0, n);
    if (er_v3_dot(n, er_v3_sub(b->end, a->end)) > widest->gap) try_normal(pair, n, widest);
}

double er_pair_widest_gap(er_pair *pair, er_vec3 *normal)
{
    er_widest widest = {-HUGE_VAL, {0, 0, 0}};
    for (int side = 0; side < 2; ++side)
        for (int f = 0; f < pair->hull[side]->face_count; ++f)
            try_normal(pair, er_v3_scale(side == 0 ? 1.0 : -1.0, er_pair_normal(pair, side, f)), &widest);
    for (int j = 0; j < pair->hull[1]->edge_count; ++j) {
        er_spoke b = spoke_of(pair, 1, j);
        for (int i = 0; i < pair->hull[0]->edge_count; ++i) {
            er_spoke a = spoke_of(pair, 0, i);
            if (arcs_cross(&a, &b)) try_edges(pair, &a, &b, &widest);
        }
    }
    *normal = widest.normal;
    return widest.gap;
}
