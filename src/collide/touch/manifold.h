/// @file
/// Private to `collide`: the points at which faces that face each other touch, and the four of them that matter.
#ifndef ER_COLLIDE_TOUCH_MANIFOLD_H
#define ER_COLLIDE_TOUCH_MANIFOLD_H

#include "collide/touch/core.h"

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
    er_vec3 at[2];   ///< on A's core and on B's
    double distance; ///< along n
    uint64_t feature;
} er_spot;

typedef struct er_spots {
    er_vec3 skew; ///< a direction of the world that tells alike ones apart
    int count;
    er_spot spot[ER_SPOTS];
} er_spots;

/// No edge of a box, a tile or a brick is likely to lie along it or square to it.
static const er_vec3 er_skew = {0.7391, 0.5613, 0.3724};

/// None yet, in a frame that is turned so in the world.
static inline void er_spots_begin(er_spots *spots, er_quat frame)
{
    spots->count = 0;
    spots->skew = er_q_rotate(er_q_conj(frame), er_skew);
}

/// A spot with B's point along n before A's.
static inline void er_spots_add(er_spots *spots, er_vec3 at, double distance, er_vec3 n, uint64_t feature)
{
    if (spots->count < ER_SPOTS)
        spots->spot[spots->count++] = (er_spot){{at, er_v3_madd(at, distance, n)}, distance, feature};
}

/// Keeps four at most: the deepest, the one farthest from it, the one farthest from the line of these, and the one
/// farthest out on the other side. What is alike to `slack` is told apart by where in the world it is, so that rounding
/// does not choose.
void er_spots_reduce(er_spots *spots, er_vec3 n, double slack);

enum { ER_CORNERS = 32 };

/// The plane across a normal, around a point of A.
typedef struct er_screen {
    er_vec3 at, x, y, n;
} er_screen;

er_screen er_screen_at(er_vec3 at, er_vec3 n);

/// A face, or a segment, on the screen: corners counter-clockwise as seen against the normal, with their heights along
/// it.
typedef struct er_outline {
    int count; ///< 2: a segment
    double x[ER_CORNERS], y[ER_CORNERS], height[ER_CORNERS];
    int vertex[ER_CORNERS], edge[ER_CORNERS];
    double size;          ///< how far its corners are from the first
    double slope[2], top; ///< of a face: the height at (x, y) is top + slope . (x, y)
} er_outline;

void er_outline_begin(er_outline *outline);
void er_outline_add(er_outline *outline, const er_screen *screen, er_vec3 p, int vertex, int edge);

/// The plane of a face with the normal m.
void er_outline_slope(er_outline *outline, const er_screen *screen, er_vec3 m);

/// The face of a hull that looks most along the screen's normal (side 0) or against it, of those at its end there; or
/// its segment.
/// @return whether there is one
bool er_outline_of(const er_pair *pair, int side, const er_screen *screen, er_feature end, er_outline *outline);

/// Finds where two outlines lie before each other, no farther apart than `most`.
/// @param spots  added to
/// @return       the slack: what is alike
double er_outlines_meet(const er_screen *screen, const er_outline *a, const er_outline *b, double most,
                        er_spots *spots);

/// The distance of the nearest spot.
double er_spots_least(const er_spots *spots);

#endif
