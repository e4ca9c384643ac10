/// @file
/// The plane at which two near hulls will meet (Bacin 1999, algorithm 7.1): among the features around the closest ones,
/// pairs of a vertex and a face or of two edges that are as close, and of these the one whose plane parts the hulls
/// widest. Hulls that overlap are first moved apart until they touch.
#include "collide/pair.h"

#define NEAR (8 * ERI_FLAT) // of the size: closest features are flat to ERI_FLAT, so their parts may be as much farther

typedef struct eri_search {
    eri_pair *pair;
    double limit, tie;
    er_vec3 normal; ///< from A to B, of the closest points
    bool found;
    er_closest best; ///< in A's frame
} eri_search;

/// Edges around a feature: a face's own edges, or all edges at its vertices, in one list or two.
typedef struct eri_around {
    int list_count, count[2];
    const int *edge[2];
} eri_around;

static eri_around around(const er_hull *hull, er_feature feature)
{
    eri_around a = {1, {0}, {NULL}};
    if (feature.kind == ER_FEATURE_FACE) {
        a.edge[0] = hull->face_edge + hull->face_start[feature.index];
        a.count[0] = eri_feature_count(hull, feature);
        return a;
    }
    a.list_count = eri_feature_count(hull, feature);
    for (int k = 0; k < a.list_count; ++k) {
        int v = eri_feature_vertex(hull, feature, k);
        a.edge[k] = hull->vertex_edge + hull->vertex_start[v];
        a.count[k] = hull->vertex_start[v + 1] - hull->vertex_start[v];
    }
    return a;
}

/// The point of a face closest to x.
static er_vec3 closest_of_face(const eri_pair *pair, int side, int f, er_vec3 x)
{
    const er_hull *hull = pair->hull[side];
    er_vec3 n = eri_pair_normal(pair, side, f), best = x;
    double least = HUGE_VAL;
    bool inside = true;
    for (int c = hull->face_start[f]; c < hull->face_start[f + 1]; ++c) {
        er_vec3 side_of[2] = {eri_pair_vertex(pair, side, hull->face_vertex[c]),
                              eri_pair_vertex(pair, side, eri_hull_next(hull, f, c))};
        er_vec3 u = er_v3_sub(side_of[1], side_of[0]), w = er_v3_sub(x, side_of[0]);
        if (er_v3_dot(er_v3_cross(u, n), w) > 0.0) inside = false;
        double t = fmin(1.0, fmax(0.0, er_v3_dot(w, u) / er_v3_dot(u, u)));
        er_vec3 p = er_v3_madd(side_of[0], t, u);
        if (er_v3_distance(x, p) < least) {
            least = er_v3_distance(x, p);
            best = p;
        }
    }
    er_vec3 corner = eri_pair_vertex(pair, side, hull->face_vertex[hull->face_start[f]]);
    return inside ? er_v3_madd(x, -er_v3_dot(n, er_v3_sub(x, corner)), n) : best;
}

/// Keeps a pair that is near enough and whose plane parts the hulls wider than those before.
static void offer(eri_search *search, er_vec3 n, const er_feature *feature, const er_vec3 *point)
{
    if (er_v3_distance(point[0], point[1]) > search->limit) return;
    int vertex[2];
    double gap = eri_pair_gap(search->pair, n, vertex);
    if (search->found && gap <= search->best.distance + search->tie) return;
    search->found = true;
    search->best = (er_closest){gap, {point[0], point[1]}, n, {feature[0], feature[1]}};
}

static void offer_face(eri_search *search, int side, int f, int v)
{
    er_feature feature[2];
    er_vec3 point[2], n = eri_pair_normal(search->pair, side, f);
    feature[side] = (er_feature){ER_FEATURE_FACE, f};
    feature[1 - side] = (er_feature){ER_FEATURE_VERTEX, v};
    point[1 - side] = eri_pair_vertex(search->pair, 1 - side, v);
    point[side] = closest_of_face(search->pair, side, f, point[1 - side]);
    offer(search, side == 0 ? n : er_v3_scale(-1.0, n), feature, point);
}

static void offer_edges(eri_search *search, int i, int j)
{
    er_feature feature[2] = {{ER_FEATURE_EDGE, i}, {ER_FEATURE_EDGE, j}};
    er_vec3 end[2][2], along[2], point[2];
    for (int side = 0; side < 2; ++side) {
        along[side] = eri_pair_along(search->pair, side, feature[side].index);
        for (int k = 0; k < 2; ++k)
            end[side][k] =
                eri_pair_vertex(search->pair, side, eri_feature_vertex(search->pair->hull[side], feature[side], k));
    }
    er_vec3 cross = er_v3_cross(along[0], along[1]), n = er_v3_unit(cross, cross);
    if (!(er_v3_norm(cross) > ERI_PARALLEL * er_v3_norm(along[0]) * er_v3_norm(along[1]))) return; // no plane
    n = eri_square_to(eri_square_to(n, along[0]), along[1]);
    eri_segments_closest(end[0], end[1], point);
    offer(search, er_v3_dot(n, search->normal) < 0.0 ? er_v3_scale(-1.0, n) : n, feature, point);
}

/// Vertices of one side's feature before faces around the other's.
static void offer_faces(eri_search *search, int side, const er_feature *feature, const eri_around *about)
{
    const er_hull *hull = search->pair->hull[side], *other = search->pair->hull[1 - side];
    for (int k = 0; k < eri_feature_count(other, feature[1 - side]); ++k) {
        int v = eri_feature_vertex(other, feature[1 - side], k);
        if (feature[side].kind == ER_FEATURE_FACE) {
            offer_face(search, side, feature[side].index, v);
            continue;
        }
        for (int list = 0; list < about->list_count; ++list)
            for (int i = 0; i < about->count[list]; ++i)
                for (int left = 0; left < 2; ++left)
                    offer_face(search, side, hull->edge[about->edge[list][i]].face[left], v);
    }
}

static void offer_all_edges(eri_search *search, int count_a, const int *a, int count_b, const int *b)
{
    for (int i = 0; i < count_a; ++i)
        for (int j = 0; j < count_b; ++j)
            offer_edges(search, a[i], b[j]);
}

void er_hull_contact(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b, const er_closest *closest,
                     er_closest *contact)
{
    eri_pair pair = eri_pair_begin(a, pose_a, b, pose_b);
    er_vec3 normal = er_q_rotate(er_q_conj(pose_a.q), closest->normal);
    er_vec3 apart = er_v3_scale(fmax(-closest->distance, 0.0), normal);
    pair.shift = er_v3_add(pair.shift, apart);
    eri_search search = {.pair = &pair, .normal = normal, .tie = ERI_FLAT * pair.size};
    search.limit = fmax(closest->distance, 0.0) + NEAR * pair.size;
    eri_around about[2] = {around(a, closest->feature[0]), around(b, closest->feature[1])};
    for (int side = 0; side < 2; ++side)
        offer_faces(&search, side, closest->feature, &about[side]);
    for (int i = 0; i < about[0].list_count; ++i)
        for (int j = 0; j < about[1].list_count; ++j)
            offer_all_edges(&search, about[0].count[i], about[0].edge[i], about[1].count[j], about[1].edge[j]);
    *contact = *closest;
    if (!search.found) return;
    int vertex[2];
    pair.shift = er_v3_sub(pair.shift, apart);
    *contact = search.best;
    contact->point[1] = er_v3_sub(contact->point[1], apart);
    eri_pair_finish(pose_a, search.best.normal, eri_pair_gap(&pair, search.best.normal, vertex), contact);
}
