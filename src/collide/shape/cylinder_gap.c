/// @file
/// The widest gap between a cylinder and a hull. Directions that can part them widest are few kinds: the normals of
/// faces and caps; square to an edge and to the axis; radial, to a vertex; and square to an edge, past a rim, which is
/// a root to find. Each is tried by supports, so none makes the gap wider than it is.
#include "collide/shape/cylinder.h"

#define CLIMB 100 // rounds, fewer are taken

typedef struct eri_cylinder_search {
    eri_pair *pair;
    double radius, half; ///< of the cylinder, along z
    double gap, slack;
    er_vec3 normal;
    int vertex; ///< the hull's support
} eri_cylinder_search;

static double cylinder_reach(const eri_cylinder_search *widest, er_vec3 n)
{
    return widest->radius * hypot(n.x, n.y) + widest->half * fabs(n.z);
}

static void try_normal(eri_cylinder_search *widest, er_vec3 n)
{
    eri_pair *pair = widest->pair;
    int v = pair->hint[1] = eri_hull_support(pair->hull[1], eri_pair_outward(pair, 1, n), pair->hint[1]);
    double gap = er_v3_dot(n, eri_pair_vertex(pair, 1, v)) - cylinder_reach(widest, n);
    if (!(gap > widest->gap) || !eri_pair_allows(pair, n)) return;
    widest->gap = gap;
    widest->normal = n;
    widest->vertex = v;
}

/// Tries a normal unless the known point of the hull rules it out.
static void try_line(eri_cylinder_search *widest, er_vec3 n, er_vec3 b)
{
    if (er_v3_dot(n, b) - cylinder_reach(widest, n) > widest->gap - widest->slack) try_normal(widest, n);
}

static void try_face(eri_cylinder_search *widest, int f)
{
    try_line(widest, er_v3_scale(-1.0, eri_pair_normal(widest->pair, 1, f)),
             eri_pair_vertex(widest->pair, 1, widest->vertex));
}

/// From a point of the cylinder to x, where that lies outside.
static er_vec3 outward(const eri_cylinder_search *widest, er_vec3 x)
{
    double r = hypot(x.x, x.y), keep = r > widest->radius ? 1.0 - widest->radius / r : 0.0;
    double z = eri_max(-widest->half, eri_min(widest->half, x.z));
    return er_v3(keep * x.x, keep * x.y, x.z - z);
}

static void try_vertex(eri_cylinder_search *widest, int v)
{
    er_vec3 x = eri_pair_vertex(widest->pair, 1, v), out = outward(widest, x), n = er_v3(x.x, x.y, 0.0);
    try_normal(widest, eri_direction(n, er_v3(1, 0, 0)));
    try_normal(widest, eri_direction(out, er_v3(0, 0, 1)));
}

/// @param quarters  1, or 4: where the solids are deep in each other
static void try_edge(eri_cylinder_search *widest, int e, int quarters)
{
    const er_vec3 z = {0, 0, 1};
    er_vec3 along = eri_pair_along(widest->pair, 1, e), n = er_v3(-along.y, along.x, 0.0);
    er_vec3 b = eri_pair_vertex(widest->pair, 1, widest->pair->hull[1]->edge[e].vertex[0]);
    along = er_v3_unit(along, z);
    if (er_v3_norm(n) > 0.0) {
        n = eri_square_to(er_v3_unit(n, n), along);
        try_line(widest, n, b);
        try_line(widest, er_v3_scale(-1.0, n), b);
    }
    for (int quarter = 0; quarter < quarters; ++quarter)
        if (eri_widest_across(z, widest->radius, widest->half, along, b, quarter, widest->gap, &n))
            try_line(widest, n, b);
}

/// Tries the faces and edges around the hull's support.
static void try_around(eri_cylinder_search *widest)
{
    const er_hull *hull = widest->pair->hull[1];
    int v = widest->vertex;
    try_vertex(widest, v);
    for (int s = hull->vertex_start[v]; s < hull->vertex_start[v + 1]; ++s) {
        const er_hull_edge *edge = &hull->edge[hull->vertex_edge[s]];
        if (hull->face_count > 0) try_face(widest, edge->face[edge->vertex[0] == v ? 0 : 1]);
        try_edge(widest, hull->vertex_edge[s], 1);
    }
}

/// Vertices and edges that come as near to the cylinder as the closest, or the deepest, must.
static void try_near(eri_cylinder_search *widest)
{
    const er_hull *hull = widest->pair->hull[1];
    er_vec3 n = widest->normal;
    double apart = er_v3_norm(outward(widest, eri_pair_vertex(widest->pair, 1, widest->vertex)));
    double most = cylinder_reach(widest, n) + eri_max(apart, -widest->gap) + widest->slack;
    for (int v = 0; v < hull->vertex_count; ++v) {
        if (er_v3_dot(n, eri_pair_vertex(widest->pair, 1, v)) > most) continue;
        try_vertex(widest, v);
    }
    for (int e = 0; e < hull->edge_count; ++e) {
        const int *v = hull->edge[e].vertex;
        if (er_v3_dot(n, eri_pair_vertex(widest->pair, 1, v[0])) <= most ||
            er_v3_dot(n, eri_pair_vertex(widest->pair, 1, v[1])) <= most)
            try_edge(widest, e, hull->face_count > 0 && widest->gap < 0.0 ? 4 : 1);
    }
}

double eri_cylinder_gap(eri_pair *pair, double radius, double half, er_vec3 *normal, int *vertex)
{
    const er_hull *hull = pair->hull[1];
    eri_cylinder_search widest = {pair, radius, half, -HUGE_VAL, ERI_FLAT * pair->size, .normal = {0, 0, 1}};
    er_vec3 centre = er_v3_add(er_m3_mul_v(pair->turn, hull->centre), pair->shift);
    try_normal(&widest, er_v3(0, 0, centre.z < 0.0 ? -1.0 : 1.0));
    try_normal(&widest, eri_direction(er_v3(centre.x, centre.y, 0.0), er_v3(1, 0, 0)));
    for (int step = 0; step < CLIMB; ++step) {
        double before = widest.gap;
        try_around(&widest);
        if (!(widest.gap > before)) break;
    }
    try_normal(&widest, er_v3(0, 0, centre.z < 0.0 ? 1.0 : -1.0));
    for (int f = 0; f < hull->face_count; ++f)
        try_face(&widest, f);
    try_near(&widest);
    *normal = widest.normal;
    *vertex = widest.vertex;
    return widest.gap;
}
