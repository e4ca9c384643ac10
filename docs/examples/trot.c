// Modes mixed into a clip: trot MODEL MIX OUT.glb, such as trot models/horse.glb 9:14@2,13:14@2+180 trot.glb
#include <eigenrig/eigenrig.h>
#include <stdio.h>

// From a rig to a file with one clip more; the context keeps what went wrong.
static er_result write_clip(er_context *context, const er_rig *rig, const char *text, const char *path)
{
    er_modes *modes = NULL;
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_recording *recording = NULL;
    er_recording_target target = er_rig_target(rig);
    er_recording_def def = er_default_recording_def();
    er_motion_def cycle = er_default_motion_def();
    def.name = "trot";
    cycle.loop = true; // the end meets the start
    er_result r = er_modal_solve(context, rig->model, NULL, &modes);
    if (r == ER_OK) r = er_mix_parse(context, text, &mix);
    if (r == ER_OK) r = er_motion_create(context, rig->model, modes, mix, &cycle, &motion);
    if (r == ER_OK) r = er_motion_record(context, motion, &target, &def, &recording);
    if (r == ER_OK) r = er_gltf_write(context, rig->scene, 1, &recording->clip, NULL, path);
    if (r == ER_OK) printf("%s: %.3f s, %d keys\n", path, motion->duration, recording->key_count);
    er_recording_destroy(recording);
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    er_modes_destroy(modes);
    return r;
}

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_scene *scene = NULL;
    er_rig *rig = NULL;
    if (argc < 4 || er_context_create(NULL, &context) != ER_OK) return 1;
    er_result r = er_import_file(context, argv[1], NULL, &scene);
    if (r == ER_OK) r = er_rig_build(context, scene, NULL, &rig);
    if (r == ER_OK) r = write_clip(context, rig, argv[2], argv[3]);
    if (r != ER_OK) fprintf(stderr, "%s\n", er_context_error(context));
    er_rig_destroy(rig);
    er_scene_destroy(scene);
    er_context_destroy(context);
    return r != ER_OK;
}
