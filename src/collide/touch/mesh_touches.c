/// @file
/// Touches with a surface of triangles. A triangle alone would push a solid aside at each edge it shares with a flat
/// neighbour; so only those directions count in which the surface around it looks: off a face, between the faces at an
/// edge that stands out, around a vertex that does (its Voronoi region; docs/math/collide.md).
#include "collide/touch/cylinder.h"
#include "collide/touch/mesh.h"
#include "collide/touch/solids.h"

#define CLUSTERS (ER_TOUCH_MOST / ERI_KEPT)
#define SAME 0.99999 // the cosine of normals that make one cluster: a round solid is out by 1e-5 of its radius
#define TIE 1e-9     // of the triangle's size: corners as high are at its end together
#define ASIDE 1e-6   // the sine by which a direction may lean over a neighbour

/// A triangle, and A's frame in the surface's.
typedef struct eri_facts {
    const er_surface *surface;
    int tile;
    er_mat3 turn; ///< A's axes in the surface's
} eri_facts;

/// Whether no triangle at a vertex reaches farther along m.
static bool vertex_stands_out(const er_surface *surface, int v, er_vec3 m)
{
    for (int s = surface->around[v]; s < surface->around[v + 1]; ++s)
        for (int k = 0; k < 3; ++k) {
            er_vec3 u = er_v3_sub(surface->vertex[surface->tile[surface->ring[s]].corner[k]], surface->vertex[v]);
            if (er_v3_dot(m, u) > ASIDE * er_v3_norm(u)) return false;
        }
    return true;
}

/// Whether the triangle past edge k does not reach farther along m.
static bool edge_stands_out(const er_surface *surface, const eri_tile *tile, int k, er_vec3 m)
{
    if (tile->beside[k] < 0) return true;
    er_vec3 v = surface->vertex[tile->corner[k]], u = er_v3_sub(surface->vertex[tile->corner[(k + 1) % 3]], v);
    const eri_tile *other = &surface->tile[tile->beside[k]];
    for (int i = 0; i < 3; ++i) {
        if (other->corner[i] == tile->corner[k] || other->corner[i] == tile->corner[(k + 1) % 3]) continue;
        er_vec3 over = eri_square_to(er_v3_sub(surface->vertex[other->corner[i]], v), u);
        if (er_v3_dot(m, over) > ASIDE) return false;
    }
    return true;
}

/// Whether the surface looks along -n, n of A's frame, at what the triangle has at its end there.
static bool looks_along(const void *data, er_vec3 n)
{
    const eri_facts *facts = data;
    const eri_tile *tile = &facts->surface->tile[facts->tile];
    er_vec3 p[3], m = er_v3_scale(-1.0, er_m3_mul_v(facts->turn, n));
    eri_mesh_corners(facts->surface, facts->tile, p);
    double height[3], most, size = er_v3_distance(p[0], p[1]) + er_v3_distance(p[0], p[2]);
    for (int k = 0; k < 3; ++k)
        height[k] = er_v3_dot(m, er_v3_sub(p[k], p[0]));
    most = eri_max(height[0], eri_max(height[1], height[2]));
    int count = 0, at[3] = {0};
    for (int k = 0; k < 3; ++k)
        if (height[k] >= most - TIE * size) at[count++] = k;
    if (count == 3) return true;
    if (count == 1) return vertex_stands_out(facts->surface, tile->corner[at[0]], m);
    return edge_stands_out(facts->surface, tile, at[1] == at[0] + 1 ? at[0] : at[1], m);
}

/// Touches gathered by their normals.
typedef struct eri_gathered {
    int count;
    er_vec3 normal[CLUSTERS];
    eri_spots spots[CLUSTERS];
    double slack;
} eri_gathered;

/// The spot at the same point of A, or NULL.
static eri_spot *same_spot(eri_spots *spots, const eri_spot *spot, double slack)
{
    for (int k = 0; k < spots->count; ++k)
        if (er_v3_distance(spots->spot[k].at[0], spot->at[0]) <= 2.0 * slack) return &spots->spot[k];
    return NULL;
}

/// A cluster of that normal, a new one, or none: it is not as deep as those there are, else in place of the shallowest.
static int cluster_of(eri_gathered *gathered, er_vec3 n, double depth)
{
    int shallowest = 0;
    double most = -HUGE_VAL;
    for (int c = 0; c < gathered->count; ++c) {
        if (er_v3_dot(gathered->normal[c], n) >= SAME) return c;
        double least = eri_spots_least(&gathered->spots[c]);
        if (least > most) {
            most = least;
            shallowest = c;
        }
    }
    if (gathered->count == CLUSTERS && !(depth < most)) return -1;
    int c = gathered->count < CLUSTERS ? gathered->count++ : shallowest;
    gathered->normal[c] = n;
    gathered->spots[c].count = 0;
    return c;
}

static void gather(eri_gathered *gathered, const eri_spots *from, er_vec3 n, int tile)
{
    if (from->count == 0) return;
    int c = cluster_of(gathered, n, eri_spots_least(from));
    if (c < 0) return;
    eri_spots *to = &gathered->spots[c];
    to->skew = from->skew;
    for (int k = 0; k < from->count; ++k) {
        eri_spot spot = from->spot[k], *known = same_spot(to, &spot, gathered->slack);
        spot.feature += 3u * (uint64_t)tile; // B's corner or edge, of all
        spot.distance = er_v3_dot(gathered->normal[c], er_v3_sub(spot.at[1], spot.at[0]));
        if (known != NULL) { // of two triangles before one corner, the nearer
            if (spot.distance < known->distance) *known = spot;
            continue;
        }
        if (to->count == ERI_SPOTS) eri_spots_reduce(to, gathered->normal[c], gathered->slack);
        to->spot[to->count++] = spot;
    }
}

/// Whether a triangle comes near the box around A, in A's frame.
static bool is_near(const eri_pair *pair, er_vec3 low, er_vec3 high, double margin)
{
    er_vec3 p[3], least, most;
    for (int k = 0; k < 3; ++k)
        p[k] = eri_pair_vertex(pair, 1, k);
    eri_points_box(3, p, &least, &most);
    return least.x <= high.x + margin && low.x <= most.x + margin && least.y <= high.y + margin &&
           low.y <= most.y + margin && least.z <= high.z + margin && low.z <= most.z + margin;
}

/// The touches of one triangle, in A's frame, off directions in which the surface looks.
static bool touch_tile(const er_shape *a, eri_pair *pair, double most, er_vec3 *n, eri_spots *spots)
{
    bool (*allows)(const void *, er_vec3) = pair->allows;
    double gap;
    if (a->kind != ER_SHAPE_CYLINDER) // apart it is known whatever is allowed
        gap = eri_core_spots(pair, most, NULL, n, spots);
    else {
        pair->allows = NULL;
        gap = eri_cylinder_spots(pair, a, most, n, spots);
        pair->allows = allows;
        if (gap <= 0.0 && !eri_pair_allows(pair, *n)) {
            spots->count = 0;
            gap = eri_cylinder_spots(pair, a, most, n, spots);
        }
    }
    return gap <= most && eri_pair_allows(pair, *n); // else a neighbour is nearer
}

int eri_touch_mesh(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                   er_closest_cache *cache, er_touch *touch)
{
    (void)cache;
    eri_core core[2];
    eri_core_begin(&core[0], a);
    er_pose own = er_pose_mul(er_pose_inverse(pose_b), pose_a);
    er_vec3 low, high, grow = {margin, margin, margin};
    er_shape_box(a, own, &low, &high);
    eri_mesh_walk walk = eri_mesh_begin(b->surface, er_v3_sub(low, grow), er_v3_add(high, grow));
    er_shape_box(a, er_pose_identity(), &low, &high);
    eri_facts facts = {b->surface, 0, er_m3_from_q(own.q)};
    eri_gathered gathered;
    gathered.count = 0;
    gathered.slack = ERI_SLACK * (core[0].hull->radius + core[0].radius);
    for (int tile; (tile = eri_mesh_next(&walk)) >= 0;) {
        er_vec3 corner[3], n;
        eri_spots spots;
        eri_spots_begin(&spots, pose_a.q);
        eri_mesh_corners(b->surface, tile, corner);
        eri_core_triangle(&core[1], corner, b->surface->tile[tile].normal);
        facts.tile = tile;
        eri_pair pair = eri_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
        if (!is_near(&pair, low, high, margin)) continue;
        pair.allows = looks_along;
        pair.facts = &facts;
        if (touch_tile(a, &pair, margin + core[0].radius, &n, &spots)) gather(&gathered, &spots, n, tile);
    }
    int count = 0;
    for (int c = 0; c < gathered.count; ++c) {
        eri_spots_reduce(&gathered.spots[c], gathered.normal[c], gathered.slack);
        count += eri_touches_finish(&gathered.spots[c], pose_a, gathered.normal[c], core[0].radius, 0.0, touch + count);
    }
    return count;
}
