// A clip for any scene.
#ifndef TESTS_FORMATS_COLLADA_SWING_H
#define TESTS_FORMATS_COLLADA_SWING_H

#include <eigenrig/scene.h>

#include "base/arena.h"

// Two seconds in which all nodes turn to and fro, by up to 40 degrees, along circles or splines, and the first one
// travels along a spline. In an arena that has memory to spare.
er_clip make_swing(er_arena *arena, const er_scene *scene);

#endif
