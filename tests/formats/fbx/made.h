// Input of the tests: scenes made by hand, and modes as clips.
//
// The scenes of tests/formats/gltf/scenes.h as scene.h promises them: names in UTF-8, a node's channels together. And
// "tumble": a bone for each way into gimbal lock, past it, and about all axes.
#ifndef TESTS_FORMATS_FBX_MADE_H
#define TESTS_FORMATS_FBX_MADE_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#include "../gltf/scenes.h"

er_scene *made_scene(er_arena *arena, const char *name);
er_clip made_clip(er_arena *arena, const er_scene *scene, const char *name);

// Some modes of a scene, or of a rig file's bones, as clips.
typedef struct played {
    er_scene *scene; // owned
    er_rig *rig;
    er_model *model; // owned where there is no rig
    er_modes *modes;
    er_recording *made[4];
    er_clip clip[4]; // [count]
    int count;
} played;

// Reads a model or a rig file and makes the clips. The context has the error.
er_result play_file(er_context *context, const char *path, played *out);
void end_play(played *p);

#endif
