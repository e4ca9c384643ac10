/// @file
/// Private to `collide`: the points at which faces that face each other touch, and the four of them that matter.
#ifndef ERI_COLLIDE_TOUCH_MANIFOLD_H
#define ERI_COLLIDE_TOUCH_MANIFOLD_H

#include "collide/touch/core.h"

enum { ERI_SPOTS = 160, ERI_KEPT = 4 };

/// Of the size of what touches: depths and places as near are alike.
#define ERI_SLACK 1e-5

/// What meets at a touch. ERI_MEET_CLOSEST: whatever is closest.
typedef enum eri_meet { ERI_MEET_CLOSEST, ERI_MEET_VERTEX_A, ERI_MEET_VERTEX_B, ERI_MEET_EDGES } eri_meet;

static inline uint64_t eri_feature_id(eri_meet meet, int a, int b)
{
    return (uint64_t)meet << 62 | (uint64_t)a << 31 | (uint64_t)b;
}

/// A place where two shapes touch, seen along the normal n from A to B.
typedef struct eri_spot {
    er_vec3 at[2];   ///< on A's core and on B's
    double distance; ///< along n
    uint64_t feature;
} eri_spot;

typedef struct eri_spots {
    er_vec3 skew; ///< a direction of the world that tells alike ones apart
    int count;
    eri_spot spot[ERI_SPOTS];
} eri_spots;

/// No edge of a box, a tile or a brick is likely to lie along it or square to it.
static const er_vec3 eri_skew = {0.7391, 0.5613, 0.3724};

/// None yet, in a frame that is turned so in the world.
static inline void eri_spots_begin(eri_spots *spots, er_quat frame)
{
    spots->count = 0;
    spots->skew = er_q_rotate(er_q_conj(frame), eri_skew);
}

/// A spot with B's point along n before A's.
static inline void eri_spots_add(eri_spots *spots, er_vec3 at, double distance, er_vec3 n, uint64_t feature)
{
    if (spots->count < ERI_SPOTS)
        spots->spot[spots->count++] = (eri_spot){{at, er_v3_madd(at, distance, n)}, distance, feature};
}

/// Keeps four at most: the deepest, the one farthest from it, the one farthest from the line of these, and the one
/// farthest out on the other side. What is alike to `slack` is told apart by where in the world it is, so that rounding
/// does not choose.
void eri_spots_reduce(eri_spots *spots, er_vec3 n, double slack);

enum { ERI_CORNERS = 32 };

/// The plane across a normal, around a point of A.
typedef struct eri_projection {
    er_vec3 at, x, y, n;
} eri_projection;

eri_projection eri_projection_at(er_vec3 at, er_vec3 n);

/// A face, or a segment, on the screen: corners counter-clockwise as seen against the normal, with their heights along
/// it.
typedef struct eri_outline {
    int count; ///< 2: a segment
    double x[ERI_CORNERS], y[ERI_CORNERS], height[ERI_CORNERS];
    int vertex[ERI_CORNERS], edge[ERI_CORNERS];
    double size;          ///< how far its corners are from the first
    double slope[2], top; ///< of a face: the height at (x, y) is top + slope . (x, y)
} eri_outline;

void eri_outline_begin(eri_outline *outline);
void eri_outline_add(eri_outline *outline, const eri_projection *screen, er_vec3 p, int vertex, int edge);

/// The plane of a face with the normal m.
void eri_outline_slope(eri_outline *outline, const eri_projection *screen, er_vec3 m);

/// The face of a hull that looks most along the screen's normal (side 0) or against it, of those at its end there; or
/// its segment.
/// @return whether there is one
bool eri_outline_of(const eri_pair *pair, int side, const eri_projection *screen, er_feature end, eri_outline *outline);

/// Finds where two outlines lie before each other, no farther apart than `most`.
/// @param spots  added to
/// @return       the slack: what is alike
double eri_outlines_meet(const eri_projection *screen, const eri_outline *a, const eri_outline *b, double most,
                         eri_spots *spots);

/// The distance of the nearest spot.
double eri_spots_least(const eri_spots *spots);

#endif
