// What clips move: the model's own scene, or bone shapes where it shows nothing.
#include <stdlib.h>

#include "cli/cli.h"

er_result set_stage(er_context *context, const loaded *l, stage *s)
{
    *s = (stage){0};
    er_result r = ER_OK;
    if (l->rig != NULL)
        s->target = (er_take_target){l->scene, l->rig->node_body, l->rig->bone, l->rig->world, l->rig->metres_per_unit};
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
    s->target = (er_take_target){s->bones, node_body, NULL, s->world, 1.0};
    return ER_OK;
}

void clear_stage(stage *s)
{
    free(s->world);
    er_scene_destroy(s->bones);
}
