/// @file
/// Private to `collide`: the points at which faces that face each other touch, and the four of them that matter.
#ifndef ER_COLLIDE_MANIFOLD_H
#define ER_COLLIDE_MANIFOLD_H

#include "collide/core.h"

enum { ER_SPOTS = 160, ER_KEPT = 4 };

/// Of the size of what touches: depths and places as near are alike.
#define ER_SLACK 1e-5

/// What meets at a touch. ER_MEET_CLOSEST: whatever is closest.
typedef enum er_meet { ER_MEET_CLOSEST, ER_MEET_VERTEX_A, ER_MEET_VERTEX_B, ER_MEET_EDGES } er_meet;

static inline uint64_t er_feature_id(er_meet meet, int a, int b)
{
    return (uint64_t)meet << 62 | (uint64_t)a << 31 | (uint64_t)b;
}

/// A place where two shapes touch, seen along the normal n from A to B.
typedef struct er_spot {
    er_vec3 at;      ///< on A's core
    double distance; ///< along n, of the cores
    uint64_t feature;
} er_spot;

typedef struct er_spots {
    er_vec3 skew; ///< a direction of the world that tells alike ones apart
    int count;
    er_spot spot[ER_SPOTS];
} er_spots;

static inline void er_spots_add(er_spots *spots, er_vec3 at, double distance, uint64_t feature)
{
    if (spots->count < ER_SPOTS) spots->spot[spots->count++] = (er_spot){at, distance, feature};
}

/// No edge of a box, a tile or a brick is likely to lie along it or square to it.
static const er_vec3 er_skew = {0.7391, 0.5613, 0.3724};

/// Keeps four at most: the deepest, the one farthest from it, the one farthest from the line of these, and the one
/// farthest out on the other side. What is alike to `slack` is told apart by where in the world it is, so that rounding
/// does not choose.
void er_spots_reduce(er_spots *spots, er_vec3 n, double slack);

/// Finds where the faces of two cores (A's may be a segment) that look along n and against it lie before each other, no
/// farther apart than `most`.
/// @param n         from A to B, in A's frame, and the gap along it
/// @param vertex    [2], the supports
/// @param closest   the closest points, or NULL: found where they are needed
/// @param spots     written but for `skew`: in A's frame, reduced
void er_manifold(er_pair *pair, er_vec3 n, double gap, const int *vertex, double most, const er_closest *closest,
                 er_spots *spots);

#endif
