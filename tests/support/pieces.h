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

/// Sets a list of the scene, its count too, to a copy of an array.
#define SET(scene, arena, field, array)                                                                                \
    do {                                                                                                               \
        (scene)->field = COPY(arena, array);                                                                           \
        (scene)->field##_count = (int)ERI_COUNT(array);                                                                \
    } while (0)

/// A row of quads along z, `length` long, with all that a mesh may have; its first normal has no direction.
er_mesh ribbon(er_arena *arena, const char *name, int segments, double length);

/// Every vertex follows 1 to `most` joints by weights that differ; with `some_loose`, every fifth follows none.
void influence(er_arena *arena, er_mesh *m, int joints, int most, bool some_loose);

/// A skin of `count` nodes from `first` on, bound where they stand at rest, the mesh at `mesh`;
/// NULL: at the origin.
er_skin bind_skin(er_arena *arena, const er_scene *scene, const char *name, int first, int count,
                  const er_affine *mesh);

#endif
