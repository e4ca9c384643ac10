/// @file
/// Private to `collide`: the contact patch of two facing faces, and its reduction to four points.
#ifndef ERI_COLLIDE_SHAPE_CONTACT_PATCH_H
#define ERI_COLLIDE_SHAPE_CONTACT_PATCH_H

#include "collide/shape/shape_core.h"

enum { ERI_PATCH_MAX = 160, ERI_KEPT = 4 };

/// Over the smaller face's size: smaller differences of depth and place do not count.
#define ERI_SLACK 1e-5

/// Kinds of the touching features of A and B. ERI_FEATURES_CLOSEST: any closest features.
typedef enum eri_feature_kinds {
    ERI_FEATURES_CLOSEST,
    ERI_FEATURES_VERTEX_A,
    ERI_FEATURES_VERTEX_B,
    ERI_FEATURES_EDGES
} eri_feature_kinds;

static inline uint64_t eri_feature_id(eri_feature_kinds kinds, int a, int b)
{
    return (uint64_t)kinds << 62 | (uint64_t)a << 31 | (uint64_t)b;
}

/// A point of a patch; n is the normal from A to B.
typedef struct eri_patch_point {
    er_vec3 at[2];   ///< on A's core and on B's
    double distance; ///< along n
    uint64_t feature;
} eri_patch_point;

typedef struct eri_patch {
    er_vec3 skew; ///< a direction fixed in the world that decides between equal points
    int count;
    eri_patch_point point[ERI_PATCH_MAX];
} eri_patch;

/// Unlikely to be parallel or perpendicular to an edge of a box.
static const er_vec3 eri_skew = {0.7391, 0.5613, 0.3724};

/// Starts an empty patch.   @param frame  rotation of its frame in the world
static inline void eri_patch_begin(eri_patch *patch, er_quat frame)
{
    patch->count = 0;
    patch->skew = er_q_rotate(er_q_conj(frame), eri_skew);
}

/// Adds a point of A, with B's point at `distance` along n.
static inline void eri_patch_add(eri_patch *patch, er_vec3 at, double distance, er_vec3 n, uint64_t feature)
{
    if (patch->count < ERI_PATCH_MAX)
        patch->point[patch->count++] = (eri_patch_point){{at, er_v3_madd(at, distance, n)}, distance, feature};
}

/// Keeps at most four points: the deepest, the farthest from it, the farthest from the line through these, and the
/// farthest on the other side. The skew direction decides between points that are equal to `slack`, so that rounding
/// does not.
void eri_patch_reduce(eri_patch *patch, er_vec3 n, double slack);

enum { ERI_CORNERS = 32 };

/// The plane across a normal, around a point of A.
typedef struct eri_projection {
    er_vec3 at, x, y, n;
} eri_projection;

eri_projection eri_projection_at(er_vec3 at, er_vec3 n);

/// A face or a segment projected along the normal: corners counter-clockwise as seen against the normal, and their
/// heights along it.
typedef struct eri_outline {
    int count; ///< 2: a segment
    double x[ERI_CORNERS], y[ERI_CORNERS], height[ERI_CORNERS];
    int vertex[ERI_CORNERS], edge[ERI_CORNERS];
    double size;          ///< how far its corners are from the first
    double slope[2], top; ///< of a face: the height at (x, y) is top + slope . (x, y)
} eri_outline;

void eri_outline_begin(eri_outline *outline);
void eri_outline_add(eri_outline *outline, const eri_projection *screen, er_vec3 p, int vertex, int edge);

/// Sets slope and top from the face's normal m.
void eri_outline_slope(eri_outline *outline, const eri_projection *screen, er_vec3 m);

/// Projects the face of a hull, among those at a feature, that faces most along the normal (side 0) or against it; or
/// its segment.
/// @return whether there is one
bool eri_outline_of(const eri_pair *pair, int side, const eri_projection *screen, er_feature end, eri_outline *outline);

/// Adds the corners of the overlap of two outlines that are no farther apart than `most`.
/// @return the slack of eri_patch_reduce()
double eri_outlines_overlap(const eri_projection *screen, const eri_outline *a, const eri_outline *b, double most,
                            eri_patch *patch);

/// The least distance of the points.
double eri_patch_min_distance(const eri_patch *patch);

#endif
