/// @file
/// Skin weights: bones as heat sources, the skin as a conductor (Baran and Popovic 2007, "Automatic rigging").
#ifndef ERI_MAKE_SKIN_H
#define ERI_MAKE_SKIN_H

#include "surface.h"

enum { INFLUENCES = 4, WEIGHT_ONE = 16384 }; ///< weights are multiples of 1 / WEIGHT_ONE: sums are exact in float

/// The bones that move a vertex, strongest first.
typedef struct influence {
    int bone[INFLUENCES];   ///< 0 where the weight is 0
    int weight[INFLUENCES]; ///< sum WEIGHT_ONE
} influence;

/// @return [vertex_count]; free()
influence *skin_weights(const figure *f, const surface *s);

#endif
