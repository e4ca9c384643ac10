/// @file
/// Touches with a surface of triangles. A triangle alone would push a solid aside at each edge it shares with a flat
/// neighbour; so only those directions count in which the surface around it looks: off a face, between the faces at an
/// edge that stands out, around a vertex that does (its Voronoi region; docs/math/collide.md).
#include "collide/shape/cylinder.h"
#include "collide/shape/shape_manifold.h"
#include "collide/shape/surface.h"

#define CLUSTERS (ER_MANIFOLD_MAX / ERI_KEPT)
#define SAME 0.99999 // the cosine of normals that make one cluster: a round solid is out by 1e-5 of its radius
#define TIE 1e-9     // of the triangle's size: corners as high are at its end together
#define ASIDE 1e-6   // the sine by which a direction may lean over a neighbour
#define LEAN 0.05    // the sine by which a solid that rests on triangles may lean over them

/// A triangle, and A's frame in the surface's.
typedef struct eri_facts {
    const er_surface *surface;
    int triangle;
    er_mat3 turn; ///< A's axes in the surface's
} eri_facts;

/// Whether no triangle at a vertex reaches farther along m.
static bool vertex_stands_out(const er_surface *surface, int v, er_vec3 m)
{
    for (int s = surface->around[v]; s < surface->around[v + 1]; ++s)
        for (int k = 0; k < 3; ++k) {
            er_vec3 u = er_v3_sub(surface->vertex[surface->triangle[surface->ring[s]].corner[k]], surface->vertex[v]);
            if (er_v3_dot(m, u) > ASIDE * er_v3_norm(u)) return false;
        }
    return true;
}

/// Whether the triangle past edge k does not reach farther along m.
static bool edge_stands_out(const er_surface *surface, const eri_surface_triangle *triangle, int k, er_vec3 m)
{
    if (triangle->beside[k] < 0) return true;
    er_vec3 v = surface->vertex[triangle->corner[k]], u = er_v3_sub(surface->vertex[triangle->corner[(k + 1) % 3]], v);
    const eri_surface_triangle *other = &surface->triangle[triangle->beside[k]];
    for (int i = 0; i < 3; ++i) {
        if (other->corner[i] == triangle->corner[k] || other->corner[i] == triangle->corner[(k + 1) % 3]) continue;
        er_vec3 over = eri_square_to(er_v3_sub(surface->vertex[other->corner[i]], v), u);
        if (er_v3_dot(m, over) > ASIDE) return false;
    }
    return true;
}

/// Whether the surface looks along -n, n of A's frame, at what the triangle has at its end there.
static bool looks_along(const void *data, er_vec3 n)
{
    const eri_facts *facts = data;
    const eri_surface_triangle *triangle = &facts->surface->triangle[facts->triangle];
    er_vec3 p[3], m = er_v3_scale(-1.0, er_m3_mul_v(facts->turn, n));
    eri_surface_corners(facts->surface, facts->triangle, p);
    double height[3], most, size = er_v3_distance(p[0], p[1]) + er_v3_distance(p[0], p[2]);
    for (int k = 0; k < 3; ++k)
        height[k] = er_v3_dot(m, er_v3_sub(p[k], p[0]));
    most = eri_max(height[0], eri_max(height[1], height[2]));
    int count = 0, at[3] = {0};
    for (int k = 0; k < 3; ++k)
        if (height[k] >= most - TIE * size) at[count++] = k;
    if (count == 3) return true;
    if (count == 1) return vertex_stands_out(facts->surface, triangle->corner[at[0]], m);
    return edge_stands_out(facts->surface, triangle, at[1] == at[0] + 1 ? at[0] : at[1], m);
}

/// Touches gathered by their normals.
typedef struct eri_point_clusters {
    int count;
    er_vec3 normal[CLUSTERS];
    eri_patch patch[CLUSTERS];
    double slack;
} eri_point_clusters;

/// The point at the same place on A, or NULL.
static eri_patch_point *same_point(eri_patch *patch, const eri_patch_point *point, double slack)
{
    for (int k = 0; k < patch->count; ++k)
        if (er_v3_distance(patch->point[k].at[0], point->at[0]) <= 2.0 * slack) return &patch->point[k];
    return NULL;
}

/// A cluster of that normal, a new one, or none: it is not as deep as those there are, else in place of the shallowest.
static int cluster_of(eri_point_clusters *clusters, er_vec3 n, double depth)
{
    int shallowest = 0;
    double most = -HUGE_VAL;
    for (int c = 0; c < clusters->count; ++c) {
        if (er_v3_dot(clusters->normal[c], n) >= SAME) return c;
        double least = eri_patch_min_distance(&clusters->patch[c]);
        if (least > most) {
            most = least;
            shallowest = c;
        }
    }
    if (clusters->count == CLUSTERS && !(depth < most)) return -1;
    int c = clusters->count < CLUSTERS ? clusters->count++ : shallowest;
    clusters->normal[c] = n;
    clusters->patch[c].count = 0;
    return c;
}

static void add_to_clusters(eri_point_clusters *clusters, const eri_patch *from, er_vec3 n, int triangle)
{
    if (from->count == 0) return;
    int c = cluster_of(clusters, n, eri_patch_min_distance(from));
    if (c < 0) return;
    eri_patch *to = &clusters->patch[c];
    to->skew = from->skew;
    for (int k = 0; k < from->count; ++k) {
        eri_patch_point point = from->point[k], *known = same_point(to, &point, clusters->slack);
        point.feature += 3u * (uint64_t)triangle; // B's corner or edge, of all
        point.distance = er_v3_dot(clusters->normal[c], er_v3_sub(point.at[1], point.at[0]));
        if (known != NULL) { // of two triangles before one corner, the nearer
            if (point.distance < known->distance) *known = point;
            continue;
        }
        if (to->count == ERI_PATCH_MAX) eri_patch_reduce(to, clusters->normal[c], clusters->slack);
        to->point[to->count++] = point;
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

/// The contact points along the normal of the triangle's face, if that is nearly `n`.
/// @param n  read and written
static bool rest_on_face(eri_pair *pair, double most, er_vec3 *n, eri_patch *patch)
{
    er_closest closest;
    er_vec3 up = eri_pair_normal(pair, 1, 0);
    int face = er_v3_dot(up, *n) < 0.0 ? 0 : 1;
    if (!(er_v3_norm(er_v3_cross(up, *n)) < LEAN)) return false;
    eri_pair_closest(pair, NULL, &closest);
    closest.normal = *n = er_v3_scale(face == 0 ? -1.0 : 1.0, up);
    closest.feature[1] = (er_feature){ER_FEATURE_FACE, face};
    patch->count = 0;
    eri_faces_patch(pair, &closest, most, patch);
    return patch->count > 0;
}

/// Adds the contact points of one triangle, in A's frame, if their normal is one in which the surface faces.
static bool collide_triangle(const er_shape *a, eri_pair *pair, double most, er_vec3 *n, eri_patch *patch)
{
    bool (*allows)(const void *, er_vec3) = pair->allows;
    double gap;
    if (a->kind != ER_SHAPE_CYLINDER) // apart it is known whatever is allowed
        gap = eri_core_patch(pair, most, NULL, n, patch);
    else {
        pair->allows = NULL;
        gap = eri_cylinder_patch(pair, a, most, n, patch);
        pair->allows = allows;
        if (gap <= 0.0 && !eri_pair_allows(pair, *n)) {
            patch->count = 0;
            gap = eri_cylinder_patch(pair, a, most, n, patch);
        }
    }
    if (!(gap <= most) || eri_pair_allows(pair, *n)) return gap <= most;
    // A neighbour is nearer. A solid that leans toward it still rests on the face of this triangle.
    return a->kind != ER_SHAPE_SPHERE && a->kind != ER_SHAPE_CYLINDER && rest_on_face(pair, most, n, patch);
}

int eri_collide_mesh(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                     er_closest_cache *cache, er_manifold_point *points)
{
    (void)cache;
    eri_core core[2];
    eri_core_begin(&core[0], a);
    er_pose own = er_pose_mul(er_pose_inverse(pose_b), pose_a);
    er_vec3 low, high, grow = {margin, margin, margin};
    er_shape_box(a, own, &low, &high);
    eri_surface_query walk = eri_surface_query_begin(b->surface, er_v3_sub(low, grow), er_v3_add(high, grow));
    er_shape_box(a, er_pose_identity(), &low, &high);
    eri_facts facts = {b->surface, 0, er_m3_from_q(own.q)};
    eri_point_clusters clusters;
    clusters.count = 0;
    clusters.slack = ERI_SLACK * (core[0].hull->radius + core[0].radius);
    for (int triangle; (triangle = eri_surface_query_next(&walk)) >= 0;) {
        er_vec3 corner[3], n;
        eri_patch patch;
        eri_patch_begin(&patch, pose_a.q);
        eri_surface_corners(b->surface, triangle, corner);
        eri_core_triangle(&core[1], corner, b->surface->triangle[triangle].normal);
        facts.triangle = triangle;
        eri_pair pair = eri_pair_begin(core[0].hull, pose_a, core[1].hull, pose_b);
        if (!is_near(&pair, low, high, margin)) continue;
        pair.allows = looks_along;
        pair.facts = &facts;
        if (collide_triangle(a, &pair, margin + core[0].radius, &n, &patch))
            add_to_clusters(&clusters, &patch, n, triangle);
    }
    int count = 0;
    for (int c = 0; c < clusters.count; ++c) {
        eri_patch_reduce(&clusters.patch[c], clusters.normal[c], clusters.slack);
        count += eri_patch_finish(&clusters.patch[c], pose_a, clusters.normal[c], core[0].radius, 0.0, points + count);
    }
    return count;
}
