// Helpers to build scenes by hand in an arena with memory to spare.
#ifndef TESTS_SUPPORT_PIECES_H
#define TESTS_SUPPORT_PIECES_H

#include <eigenrig/scene.h>

#include "base/arena.h"

/// A PNG of one red pixel.
extern const uint8_t red_png[69];

/// A scene with nothing in it yet.
er_scene *empty_scene(er_arena *arena, double metres_per_unit, er_vec3 up);

/// A copy that lives as long as the scene.
void *copy(er_arena *arena, const void *from, size_t size);

#define COPY(arena, array) copy(arena, array, sizeof(array))

#endif
