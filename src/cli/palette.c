#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

// What the clips move: the model's own scene, or bone shapes where it shows nothing.
typedef struct stage {
    er_scene *bones; // owned, NULL where the model has meshes
    er_pose_target target;
    er_affine *world; // owned, for a rig file
} stage;

static er_result set_stage(er_context *context, const loaded *l, stage *s)
{
    *s = (stage){0};
    er_result r = ER_OK;
    if (l->rig != NULL)
        s->target = (er_pose_target){l->scene, l->rig->node_body, l->rig->bone, l->rig->world, l->rig->metres_per_unit};
    if (l->scene != NULL && l->scene->instance_count > 0) return ER_OK;
    const int *node_body = NULL;
    r = er_rig_bone_scene(context, l->model, l->rig, &s->bones, &node_body);
    if (r != ER_OK) return r;
    if (l->rig != NULL) {
        s->target.scene = s->bones;
        return ER_OK;
    }
    size_t n = (size_t)s->bones->node_count;
    er_affine *local = malloc(n * sizeof *local);
    s->world = malloc(n * sizeof *s->world);
    if (local == NULL || s->world == NULL) {
        free(local);
        return ER_ERROR_MEMORY;
    }
    er_scene_sample(s->bones, NULL, 0.0, local);
    er_scene_world(s->bones, local, s->world);
    free(local);
    s->target = (er_pose_target){s->bones, node_body, NULL, s->world, 1.0};
    return ER_OK;
}

static er_result make_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                            const stage *s, er_pose_clip **clip, int *count)
{
    er_result r = ER_OK;
    progress bar = progress_begin(o, "clips");
    *count = 0;
    for (int k = 0; k < modes->count && r == ER_OK; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        r = er_pose_mode_clip(context, l->model, &modes->mode[k], modes->first + k, &s->target, &o->clip_def,
                              &clip[*count]);
        if (r == ER_OK && clip[*count]->degrees < o->clip_def.degrees)
            say_warning(o, "mode %d: its loop follows only %g of %g degrees", modes->first + k, clip[*count]->degrees,
                        o->clip_def.degrees);
        *count += r == ER_OK;
        progress_step(&bar, k + 1, modes->count);
    }
    progress_end(&bar);
    return r;
}

int run_palette(er_context *context, options *o)
{
    loaded l;
    stage s = {0};
    er_modes *modes = NULL;
    er_pose_clip **made = NULL;
    er_clip *clip = NULL;
    int count = 0;
    if (o->output == NULL) return fail_usage("palette", "no output was named: -o OUT.glb");
    bool piped = strcmp(o->output, "-") == 0;
    if (!piped && !ends_with(o->output, ".glb") && !ends_with(o->output, ".gltf"))
        return fail_usage("palette", "\"%s\" must end in .glb or .gltf, or be - for a .glb on standard output",
                          o->output);
    int status = load(context, o, &l);
    if (status == EXIT_DONE) status = solve(context, o, l.model, &modes);
    if (status == EXIT_DONE) {
        er_result r = set_stage(context, &l, &s);
        made = calloc((size_t)modes->count + 1, sizeof *made);
        clip = calloc((size_t)modes->count + 1, sizeof *clip);
        if (made == NULL || clip == NULL) r = ER_ERROR_MEMORY;
        if (r == ER_OK) r = make_clips(context, o, &l, modes, &s, made, &count);
        for (int k = 0; k < count; ++k)
            clip[k] = made[k]->clip;
        if (r == ER_OK && count == 0 && modes->count < modes->dof)
            say_warning(o, "none of the %d modes asked for is elastic, so no clip was added; rigid ones count too",
                        modes->count);
        else if (r == ER_OK && count == 0)
            say_warning(o,
                        "the rig has no elastic mode, so no clip was added (%d mechanisms: joints without stiffness)",
                        modes->mechanism_count);
        if (r == ER_OK) r = er_gltf_write(context, s.target.scene, count, clip, o->output);
        if (r != ER_OK)
            status = fail_work(context, r, NULL);
        else if (!o->quiet && !piped)
            printf("%s: %d clips of %d modes\n", plain(o->output), count, modes->count);
    }
    for (int k = 0; made != NULL && k < count; ++k)
        er_pose_clip_destroy(made[k]);
    free(made);
    free(clip);
    free(s.world);
    er_scene_destroy(s.bones);
    er_modes_destroy(modes);
    unload(&l);
    return status;
}
