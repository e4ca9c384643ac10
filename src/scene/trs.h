/// @file
/// Private: an affine transform as translation, rotation and scale.
#ifndef ERI_SCENE_TRS_H
#define ERI_SCENE_TRS_H

#include <eigenrig/scene.h>

typedef struct eri_trs {
    er_vec3 translation;
    er_quat rotation; ///< unit
    er_vec3 scale;    ///< only x is negative, and only in a mirroring
} eri_trs;

/// How many numbers a key of a path has; 0 of morph targets, whose keys are not kept.   Errors none.   Threads: any.
static inline int eri_values_per_key(er_path path)
{
    return path == ER_PATH_ROTATION ? 4 : path == ER_PATH_MORPH ? 0 : 3;
}

/// The nearest-by-columns T R S of a transform: exact when it has no shear and no scale of zero; otherwise the rotation
/// keeps the first axis and the plane of the first two.   Errors none.   Threads: any.
eri_trs eri_trs_from_affine(er_affine a);

/// Puts the value that a channel (of any path but ER_PATH_MORPH) has at a time into its place.
/// Errors none.   Threads: any.
void eri_trs_apply(const er_channel *channel, double time, eri_trs *trs);

/// Whether a is b to within `tolerance` of the size of b's entries.   Errors none.   Threads: any.
bool eri_affine_near(er_affine a, er_affine b, double tolerance);

/// The inverse; false where it is not finite, as that of a flat transform.   Errors none.   Threads: any.
bool eri_affine_invert(er_affine a, er_affine *inverse);

#endif
