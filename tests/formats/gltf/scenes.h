// Scenes made by hand, for the tests of the glTF writer.
#ifndef TESTS_FORMATS_GLTF_SCENES_H
#define TESTS_FORMATS_GLTF_SCENES_H

#include <eigenrig/scene.h>

#include "base/arena.h"

// Names of the scenes, ended by NULL.
extern const char *const scene_names[];

// A scene by name, in an arena that has memory to spare; NULL when there is none of that name.
er_scene *make_scene(er_arena *arena, const char *name);

// A clip that turns the nodes of a scene, scales most, slides the first by a spline, and holds every morph.
er_clip make_clip(er_arena *arena, const er_scene *scene, const char *name);

#endif
