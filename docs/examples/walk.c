// A walking clip, added to a copy of a model: walk MODEL OUT.glb
#include <eigenrig/eigenrig.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_opened *opened = NULL;
    er_modes *modes = NULL;
    er_gaits *gaits = NULL;
    er_gait_motion *stride = NULL;
    er_recording *clip = NULL;
    er_recording_def def = er_default_recording_def();
    def.name = "walk";
    if (argc < 3 || er_context_create(NULL, &context) != ER_OK) return 1;
    bool ok = er_file_open(context, argv[1], NULL, NULL, &opened) == ER_OK &&
              er_modal_solve(context, opened->model, NULL, &modes) == ER_OK &&
              er_gaits_find(context, opened->model, opened->rig, modes, NULL, &gaits) == ER_OK;
    const er_gait *gait = ok && gaits->count > 0 ? &gaits->gait[0] : NULL; // the best one
    if (gait != NULL) {
        er_recording_target target = er_rig_target(opened->rig);
        ok = er_gait_move(context, opened->model, modes, gaits, gait, 30.0, &stride) == ER_OK &&
             er_gait_record(context, stride, true, &target, &def, &clip) == ER_OK &&
             er_gltf_write(context, opened->scene, 1, &clip->clip, NULL, argv[2]) == ER_OK;
        if (ok) printf("%s  %.6f m a stride  %.6f s\n", gait->name, gait->stride, clip->clip.duration);
    }
    if (!ok || gait == NULL) fprintf(stderr, "%s: no clip: %s\n", argv[1], er_context_error(context));
    er_recording_destroy(clip);
    er_gait_motion_destroy(stride);
    er_gaits_destroy(gaits);
    er_modes_destroy(modes);
    er_opened_destroy(opened);
    er_context_destroy(context);
    return !ok || gait == NULL;
}
