/// @file
/// Private: a skeleton's motion as channels of numbers.
#ifndef ERI_FORMATS_BVH_BVH_MOTION_H
#define ERI_FORMATS_BVH_BVH_MOTION_H

#include "formats/bvh/bvh_skeleton.h"

/// The channels of a joint.
typedef struct eri_bvh_channels {
    int count;
    uint8_t kind[6]; ///< er_bvh_channel, each at most once
} eri_bvh_channels;

typedef struct eri_bvh_motion {
    int frame_count;
    int column_count;
    eri_bvh_channels *channels; ///< [joints of the skeleton], none for End Sites
    double **column;            ///< [column_count][frame_count], joint by joint: the scene's units and degrees
} eri_bvh_motion;

/// Samples a clip at k / fps and splits it into channels: what er_bvh_write() says of them.
/// @param frame_count  >= 1
/// @param path         of the file, for messages
/// Errors   ER_ERROR_ARGUMENT (a head is not finite), ER_ERROR_MEMORY.   Memory: in `arena`.
er_result eri_bvh_motion_build(er_arena *arena, const er_scene *scene, const eri_bvh_skeleton *skeleton,
                               const er_clip *clip, double fps, int frame_count, const char *path, eri_bvh_motion *out);

#endif
