// The scenes of tests/gltf/scenes.h as scene.h promises them: names in UTF-8, a node's channels together.
#ifndef TESTS_FBX_MADE_H
#define TESTS_FBX_MADE_H

#include "gltf/scenes.h"

er_scene *made_scene(er_arena *arena, const char *name);
er_clip made_clip(er_arena *arena, const er_scene *scene, const char *name);

#endif
