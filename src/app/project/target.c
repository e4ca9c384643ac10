// The scene that clips move: the model's own, or bone shapes where it has no mesh.
#include "app/project/target.h"

#include <stdlib.h>

// Where the nodes of a scene stand at rest, world; NULL without memory.
static er_affine *rest_world(const er_scene *scene)
{
    size_t n = (size_t)scene->node_count;
    er_affine *local = malloc(n * sizeof *local), *world = malloc(n * sizeof *world);
    if (local != NULL && world != NULL) {
        er_scene_sample(scene, NULL, 0.0, local);
        er_scene_world(scene, local, world);
    } else {
        free(world);
        world = NULL;
    }
    free(local);
    return world;
}

er_result project_target_set(er_context *context, const er_model *model, const er_rig *rig, project_target *out)
{
    *out = (project_target){0};
    const int *node_body = NULL;
    if (rig != NULL)
        out->target = (er_recording_target){rig->scene, rig->node_body, rig->bone, rig->world, rig->metres_per_unit};
    if (rig != NULL && rig->scene->instance_count > 0) return ER_OK;
    er_result r = er_rig_bone_scene(context, model, rig, &out->bones, &node_body);
    if (r == ER_OK && rig == NULL) {
        out->world = rest_world(out->bones);
        out->target = (er_recording_target){.node_body = node_body, .world = out->world, .metres_per_unit = 1.0};
        if (out->world == NULL) r = er_fail(context, ER_ERROR_MEMORY, "out of memory");
    }
    out->target.scene = out->bones;
    if (r != ER_OK) project_target_clear(out);
    return r;
}

er_result project_target_still(er_context *context, const er_scene *scene, project_target *out)
{
    *out = (project_target){.world = rest_world(scene), .body = calloc((size_t)scene->node_count, sizeof *out->body)};
    out->target = (er_recording_target){
        .scene = scene, .node_body = out->body, .world = out->world, .metres_per_unit = scene->metres_per_unit};
    if (out->world != NULL && out->body != NULL) return ER_OK;
    project_target_clear(out);
    return er_fail(context, ER_ERROR_MEMORY, "out of memory");
}

void project_target_clear(project_target *target)
{
    free(target->world);
    free(target->body);
    er_scene_destroy(target->bones);
    *target = (project_target){0};
}
