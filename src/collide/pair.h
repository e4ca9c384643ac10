/// @file
/// Private to `collide`: two hulls in one frame, A's. All geometry of a query is done there, so that where in the world
/// they are costs no digits. A hull may be flat here: a triangle, a segment or a point (shape/shape_core.h).
#ifndef ERI_COLLIDE_PAIR_H
#define ERI_COLLIDE_PAIR_H

#include "collide/hull.h"

/// Lengths below this part of a hull's radius are none: features that lie flat within it are parallel.
#define ERI_FLAT 1e-12

/// The sine below which two edges have no crossing sharp enough.
#define ERI_PARALLEL 1e-9

typedef struct eri_pair {
    const er_hull *hull[2];
    er_mat3 turn;  ///< B's axes in A's
    er_vec3 shift; ///< B's origin in A's frame
    double size;   ///< nothing is farther apart
    int hint[2];   ///< where supports were found last

    bool (*allows)(const void *facts, er_vec3 n); ///< NULL: any direction may part them where they overlap
    const void *facts;
} eri_pair;

static inline bool eri_pair_allows(const eri_pair *pair, er_vec3 n)
{
    return pair->allows == NULL || pair->allows(pair->facts, n);
}

eri_pair eri_pair_begin(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b);

/// A vector of A's frame in B's axes.
static inline er_vec3 eri_pair_to_b(const eri_pair *pair, er_vec3 n)
{
    return er_v3(pair->turn.m[0][0] * n.x + pair->turn.m[1][0] * n.y + pair->turn.m[2][0] * n.z,
                 pair->turn.m[0][1] * n.x + pair->turn.m[1][1] * n.y + pair->turn.m[2][1] * n.z,
                 pair->turn.m[0][2] * n.x + pair->turn.m[1][2] * n.y + pair->turn.m[2][2] * n.z);
}

/// A vertex of A (side 0) or B (1), a plane's normal, in A's frame.
static inline er_vec3 eri_pair_vertex(const eri_pair *pair, int side, int v)
{
    er_vec3 x = pair->hull[side]->vertex[v];
    return side == 0 ? x : er_v3_add(er_m3_mul_v(pair->turn, x), pair->shift);
}

/// A corner of a face.
static inline int eri_pair_corner(const eri_pair *pair, int side, int f)
{
    return pair->hull[side]->face_vertex[pair->hull[side]->face_start[f]];
}

static inline er_vec3 eri_pair_normal(const eri_pair *pair, int side, int f)
{
    er_vec3 n = pair->hull[side]->plane[f].normal;
    return side == 0 ? n : er_m3_mul_v(pair->turn, n);
}

/// An edge from its first vertex to the second, in A's frame, as sharp as in its own.
static inline er_vec3 eri_pair_along(const eri_pair *pair, int side, int e)
{
    const int *v = pair->hull[side]->edge[e].vertex;
    er_vec3 u = er_v3_sub(pair->hull[side]->vertex[v[1]], pair->hull[side]->vertex[v[0]]);
    return side == 0 ? u : er_m3_mul_v(pair->turn, u);
}

/// n from A to B in the hull's own frame, outward: the way in which its support is sought.
static inline er_vec3 eri_pair_outward(const eri_pair *pair, int side, er_vec3 n)
{
    return side == 0 ? n : er_v3_scale(-1.0, eri_pair_to_b(pair, n));
}

/// The vertex of a hull farthest along n, in its frame, climbing from `hint`.
int eri_hull_support(const er_hull *hull, er_vec3 n, int hint);

/// The width of the gap between the planes with the unit normal n (from A to B) that hold A and B; < 0: how far they
/// overlap. Never more than the distance.
/// @param vertex  [2], written: the supports
double eri_pair_gap(eri_pair *pair, er_vec3 n, int *vertex);

/// The direction along which the gap is widest, among those of faces and of pairs of edges: where the hulls overlap, it
/// is that of the depth (the separating axis theorem).
/// @return the gap
double eri_pair_widest_gap(eri_pair *pair, er_vec3 *normal);

/// The largest feature of a hull that is flat at its end along n.
/// @param vertex  [count], at that end, which the feature is to hold, as far as one can
er_feature eri_pair_end(const eri_pair *pair, int side, er_vec3 n, int count, const int *vertex);

/// Two points of the features, of A and of B, that face each other along n; where there are many, those in the middle.
/// @param gap    along n
/// @param point  [2], in A's frame; read where features do not face each other, else written
void eri_pair_facing(const eri_pair *pair, const er_feature *feature, er_vec3 n, double gap, er_vec3 *point);

/// Closest points of two segments.
void eri_segments_closest(const er_vec3 *p, const er_vec3 *q, er_vec3 *point);

/// How many vertices a feature has, and one of them.
int eri_feature_count(const er_hull *hull, er_feature feature);
int eri_feature_vertex(const er_hull *hull, er_feature feature, int k);

/// er_hull_closest(), in A's frame; hulls may be points, segments and triangles.
void eri_pair_closest(eri_pair *pair, er_closest_cache *cache, er_closest *closest);

/// The same where the hulls overlap, and the supports of the widest gap are known.
void eri_pair_meeting(const eri_pair *pair, er_vec3 n, double gap, const int *vertex, er_closest *closest);

/// To the world's axes.
void eri_pair_finish(er_pose pose_a, er_vec3 n, double distance, er_closest *closest);

#endif
