// Scenes made by hand, for the tests of the Collada writer.
#ifndef TESTS_FORMATS_COLLADA_SCENES_H
#define TESTS_FORMATS_COLLADA_SCENES_H

#include <eigenrig/scene.h>

#include "base/arena.h"

// Names of the scenes, ended by NULL.
extern const char *const scene_names[];

// A scene by name, with one clip, in an arena that has memory to spare; NULL when there is none of that name.
er_scene *make_scene(er_arena *arena, const char *name);

#endif
