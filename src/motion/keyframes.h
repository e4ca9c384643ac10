/// @file
/// Values at many times made into a channel: all of them as keys, two where they never change, or as few as a tolerance
/// asks for.
#ifndef ERI_MOTION_KEYFRAMES_H
#define ERI_MOTION_KEYFRAMES_H

#include <eigenrig/scene.h>

#include "base/arena.h"

/// One property of one node at all frames.
typedef struct eri_sampled_channel {
    int node;
    er_path path;     ///< not ER_PATH_MORPH
    int count;        ///< >= 2
    double *time;     ///< [count], ascending, shared by all
    double *value;    ///< [count x 4 or 3]; quaternions x y z w in one hemisphere
    int *key;         ///< [count], work space
    bool loops;       ///< the last value is the first, in velocity too
    double tolerance; ///< in the value's own measure: rad, units, or of the scale; 0: all keys
    bool cubic;
} eri_sampled_channel;

/// Chooses keys.
/// @param error  raised to how far a rotation strays from the frames, rad
/// Errors  ER_ERROR_MEMORY. Memory: in the arena, but for times that are all the samples'.
er_result eri_keyframes_choose(er_arena *arena, const eri_sampled_channel *samples, er_channel *out, double *error);

#endif
