// The scene that clips animate: the model's own, a world's solids, or bone shapes if there is no mesh.
#include "app/project/target.h"

#include <stdlib.h>
#include <string.h>

#include "app/project/project_root.h"
#include "base/platform.h"

// The world transforms of a scene's nodes at rest; NULL: out of memory.
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

// The first nodes of a world's scene are its bodies, in the model's order.
static er_result find_body_nodes(er_context *context, const er_model *model, int **out)
{
    int *node = malloc((size_t)model->body_count * sizeof *node);
    if (node == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < model->body_count; ++i)
        node[model->order[i]] = i;
    *out = node;
    return ER_OK;
}

er_result project_target_set(er_context *context, const er_model *model, const er_rig *rig, const er_world_file *world,
                             project_target *out)
{
    *out = (project_target){0};
    const int *node_body = NULL;
    if (rig != NULL) out->target = er_rig_target(rig);
    if (rig != NULL && rig->scene->instance_count > 0) return ER_OK;
    er_result r = world != NULL ? er_world_file_scene(context, world, &out->bones, &node_body)
                                : er_rig_bone_scene(context, model, rig, &out->bones, &node_body);
    if (r == ER_OK && rig == NULL) {
        out->world = rest_world(out->bones);
        out->target = (er_recording_target){.node_body = node_body, .world = out->world, .metres_per_unit = 1.0};
        if (out->world == NULL) r = er_fail(context, ER_ERROR_MEMORY, "out of memory");
    }
    if (r == ER_OK && world != NULL) r = find_body_nodes(context, world->model, &out->body_node);
    out->target.scene = out->bones;
    if (r != ER_OK) project_target_clear(out);
    return r;
}

er_result project_target_set_static(er_context *context, const er_scene *scene, project_target *out)
{
    *out = (project_target){.world = rest_world(scene), .body = calloc((size_t)scene->node_count, sizeof *out->body)};
    out->target = (er_recording_target){
        .scene = scene, .node_body = out->body, .world = out->world, .metres_per_unit = scene->metres_per_unit};
    if (out->world != NULL && out->body != NULL) return ER_OK;
    project_target_clear(out);
    return er_fail(context, ER_ERROR_MEMORY, "out of memory");
}

// Whether a pattern matches the name of an instance's mesh or node.
static bool is_called(const er_scene *scene, const er_instance *instance, const char *pattern)
{
    return eri_platform_match(pattern, scene->mesh[instance->mesh].name) ||
           eri_platform_match(pattern, scene->node[instance->node].name);
}

er_result project_target_filter(er_context *context, const char *names, project_target *target)
{
    const er_scene *scene = target->target.scene;
    if (names == NULL) return ER_OK;
    size_t n = (size_t)scene->instance_count;
    bool *kept = calloc(n + 1, sizeof *kept);
    er_scene *part = malloc(sizeof *part + n * sizeof(er_instance));
    char *list = strdup(names), *rest = NULL;
    er_result r =
        kept != NULL && part != NULL && list != NULL ? ER_OK : er_fail(context, ER_ERROR_MEMORY, "out of memory");
    for (char *word = r == ER_OK ? strtok_r(list, ",", &rest) : NULL; word != NULL && r == ER_OK;
         word = strtok_r(NULL, ",", &rest)) {
        bool any = false;
        for (size_t i = 0; i < n; ++i)
            if (is_called(scene, &scene->instance[i], word)) kept[i] = any = true;
        if (!any)
            r = er_fail(context, ER_ERROR_ARGUMENT, "no mesh matches \"%s\"; the first of %zu is \"%s\"", word, n,
                        n > 0 ? scene->mesh[scene->instance[0].mesh].name : "");
    }
    if (r == ER_OK) {
        er_instance *instance = (er_instance *)(part + 1);
        *part = *scene;
        part->instance = instance;
        part->instance_count = 0;
        for (size_t i = 0; i < n; ++i)
            if (kept[i]) instance[part->instance_count++] = scene->instance[i];
        target->part = part;
        target->target.scene = part;
        part = NULL;
    }
    free(part);
    free(kept);
    free(list);
    return r;
}

void project_target_clear(project_target *target)
{
    project_root_clear(target->rooted);
    free(target->part);
    free(target->world);
    free(target->body);
    free(target->body_node);
    er_scene_destroy(target->bones);
    *target = (project_target){0};
}
