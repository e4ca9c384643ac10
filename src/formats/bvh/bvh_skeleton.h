/// @file
/// Private: which nodes are joints of the file, in its order, and how they stand at rest.
#ifndef ERI_FORMATS_BVH_BVH_SKELETON_H
#define ERI_FORMATS_BVH_BVH_SKELETON_H

#include <eigenrig/scene.h>

#include "base/arena.h"

/// A joint or an End Site.
typedef struct eri_bvh_joint {
    int node;   ///< of the scene; -1 for a root put above others and for an End Site that no node gives
    int parent; ///< a joint before this one; -1 for a root
    int depth;  ///< joints above it
    bool is_end;
    const char *name; ///< as it is written; NULL for an End Site
    er_vec3 head;     ///< in the world at rest, +Y up
    er_quat turn;     ///< of the node in the world at rest, +Y up
    er_vec3 offset;   ///< from the parent's head, in world axes
} eri_bvh_joint;

typedef struct eri_bvh_skeleton {
    int count;
    eri_bvh_joint *joint; ///< [count], parents first, depth first
    double size;          ///< largest side of the box about the heads at rest, > 0
    er_affine upright;    ///< from the scene's world to the file's
} eri_bvh_skeleton;

/// @param bone  as er_bvh_write()
/// @param path  of the file, for messages
/// Errors   ER_ERROR_RIG (no joints), ER_ERROR_ARGUMENT (a head is not finite), ER_ERROR_MEMORY
/// Memory   in `arena`.
er_result eri_bvh_skeleton_build(er_arena *arena, const er_scene *scene, const bool *bone, const char *path,
                                 eri_bvh_skeleton *out);

/// Whether a place is one that can be written: finite, and small enough to be told from others in a double.
bool eri_bvh_writable(er_vec3 place);

/// The rigid part of a world transform, as it stands in the file; `fallback` where it has none.
er_quat eri_bvh_turn_of(const eri_bvh_skeleton *skeleton, const er_affine *world, er_quat fallback);

/// Names for all joints (not End Sites): what er_bvh_write() says of them.
/// Errors   ER_ERROR_MEMORY.   Memory: in `arena`.
er_result eri_bvh_name_joints(er_arena *arena, const er_scene *scene, eri_bvh_skeleton *skeleton);

#endif
