// Questions of all writers: whether a scene may be written, which meshes are drawn, when clips start.
#include "scene/writing.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/platform.h"

er_result eri_scene_check(er_context *context, const er_scene *scene, const char *path)
{
    er_result r = er_scene_validate(context, scene);
    if (r != ER_ERROR_FORMAT) return r;
    return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: %s; mend the scene or the clip", path,
                   er_context_error(context));
}

bool eri_mesh_is_drawn(const er_mesh *mesh)
{
    return mesh->vertex_count > 0 && mesh->triangle_count > 0;
}

static int compare_instances(const void *left, const void *right, void *user)
{
    const er_instance *instance = user;
    int i = *(const int *)left, k = *(const int *)right;
    const er_instance *a = &instance[i], *b = &instance[k];
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    if (a->skin != b->skin) return a->skin < b->skin ? -1 : 1;
    return i < k ? -1 : 1;
}

int eri_scene_draws(const er_scene *scene, int *order)
{
    int count = 0;
    for (int i = 0; i < scene->instance_count; ++i)
        if (eri_mesh_is_drawn(&scene->mesh[scene->instance[i].mesh])) order[count++] = i;
    void *user = (void *)(uintptr_t)scene->instance;
    if (count > 1) eri_platform_sort(order, (size_t)count, sizeof *order, compare_instances, user);
    return count;
}

bool eri_mesh_has_unweighted(const er_mesh *mesh)
{
    for (int i = 0; i < mesh->vertex_count; ++i)
        if (mesh->influence_start == NULL || mesh->influence_start[i] == mesh->influence_start[i + 1]) return true;
    return false;
}

double eri_clip_start(const er_clip *clip)
{
    double start = 0.0;
    for (int i = 0; i < clip->channel_count; ++i)
        if (clip->channel[i].time != NULL && clip->channel[i].key_count > 0)
            start = fmin(start, clip->channel[i].time[0]);
    return start;
}
