// Scenes and clips that the tests of FBX write.
#include "made.h"

#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "support/period.h"

enum { TUMBLERS = 8, TUMBLES = 13 };

// How the i-th tumbler is turned at its k-th key.
static er_quat tumble(int i, int k)
{
    const er_vec3 axes[3] = {er_v3(1, 0, 0), er_v3(0, 1, 0), er_v3(0, 0, 1)};
    er_quat aside = er_q_exp(er_v3_scale(i < 3 ? 0.0 : 1e-3, axes[(i + 1) % 3]));
    // three go right through a pole, three pass it closely, two tumble: 100 degrees a key about axes that wander
    if (i < 6) return er_q_mul(aside, er_q_exp(er_v3_scale(0.25 * ER_PI * k, axes[i % 3])));
    er_quat q = er_q_identity();
    for (int n = 0; n < k; ++n) {
        er_vec3 axis = er_v3_unit(er_v3(sin(1.7 * n + i), cos(2.3 * n), sin(0.9 * n * i)), axes[0]);
        q = er_q_mul(er_q_exp(er_v3_scale(1.75, axis)), q);
    }
    return q;
}

static er_scene *make_tumble(er_arena *arena)
{
    static const char *const names[TUMBLERS] = {"x", "y", "z", "near x", "near y", "near z", "all", "all again"};
    er_scene *scene = ERI_NEW(arena, er_scene, 1);
    er_node *node = ERI_NEW(arena, er_node, TUMBLERS);
    er_channel *channel = ERI_NEW(arena, er_channel, TUMBLERS);
    double *time = ERI_NEW(arena, double, TUMBLES);
    er_clip *clip = ERI_NEW(arena, er_clip, 1);
    for (int k = 0; k < TUMBLES; ++k)
        time[k] = 0.5 * k;
    for (int i = 0; i < TUMBLERS; ++i) {
        double *value = ERI_NEW(arena, double, 4 * TUMBLES);
        for (int k = 0; k < TUMBLES; ++k) {
            er_quat q = tumble(i, k);
            const double entry[4] = {q.x, q.y, q.z, q.w};
            memcpy(value + 4 * k, entry, sizeof entry);
        }
        er_affine local = er_affine_from_trs(er_v3(0.1, 1, 0.2), er_q_exp(er_v3(0.1, 0.2, 0.3)), er_v3(1, 1, 1));
        node[i] =
            (er_node){.name = names[i], .parent = i - 1, .local = local, .flags = ER_NODE_JOINT, .source_index = -1};
        channel[i] = (er_channel){i, ER_PATH_ROTATION, ER_LINEAR, TUMBLES, time, value};
    }
    *clip = (er_clip){"tumble", time[TUMBLES - 1], TUMBLERS, channel};
    *scene = (er_scene){.path = "made by hand",
                        .format = ER_FORMAT_OTHER,
                        .format_name = "made by hand",
                        .metres_per_unit = 1.0,
                        .up = er_v3(0, 1, 0),
                        .node_count = TUMBLERS,
                        .node = node,
                        .clip_count = 1,
                        .clip = clip};
    return scene;
}

er_scene *made_scene(er_arena *arena, const char *name)
{
    er_scene *scene = strcmp(name, "tumble") == 0 ? make_tumble(arena) : make_scene(arena, name);
    // Assimp welds equal vertices without a look at their weights, so none may be: each mesh gets a place of its own
    for (int i = 0; scene != NULL && i < scene->mesh_count; ++i)
        for (int v = 0; v < scene->mesh[i].vertex_count; ++v)
            ((float *)(uintptr_t)scene->mesh[i].position)[3 * v + 1] += 0.01f * (float)i;
    return scene;
}

er_clip made_clip(er_arena *arena, const er_scene *scene, const char *name)
{
    er_clip clip = make_clip(arena, scene, name);
    er_channel *sorted = ERI_NEW(arena, er_channel, clip.channel_count + 1);
    int count = 0;
    for (int node = 0; node < scene->node_count; ++node)
        for (int i = 0; i < clip.channel_count; ++i)
            if (clip.channel[i].node == node) sorted[count++] = clip.channel[i];
    clip.channel = sorted;
    return clip;
}

static er_result play_modes(er_context *context, const er_recording_target *target, const er_model *model, played *p)
{
    er_result r = er_modal_solve(context, model, NULL, &p->modes);
    for (int k = 0; r == ER_OK && k < p->modes->count && p->count < (int)ERI_COUNT(p->clip); ++k) {
        if (p->modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        r = period_take(context, model, p->modes, k, 20.0, 48, target, &p->made[p->count]);
        if (r == ER_OK) p->clip[p->count] = p->made[p->count]->clip;
        p->count += r == ER_OK;
    }
    return r;
}

static er_result play_rig_file(er_context *context, const char *path, played *p)
{
    const int *node_body = NULL;
    er_result r = er_rig_file_read(context, path, NULL, NULL, &p->model);
    if (r == ER_OK) r = er_rig_bone_scene(context, p->model, NULL, &p->scene, &node_body);
    if (r != ER_OK) return r;
    size_t n = (size_t)p->scene->node_count;
    er_affine *local = calloc(n, sizeof *local), *world = calloc(n, sizeof *world);
    er_scene_sample(p->scene, NULL, 0.0, local);
    er_scene_world(p->scene, local, world);
    const er_recording_target target = {p->scene, node_body, NULL, world, 1.0};
    r = play_modes(context, &target, p->model, p);
    free(local);
    free(world);
    return r;
}

er_result play_file(er_context *context, const char *path, played *out)
{
    *out = (played){0};
    size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".json") == 0) return play_rig_file(context, path, out);
    er_result r = er_import_file(context, path, NULL, &out->scene);
    if (r == ER_OK) r = er_rig_build(context, out->scene, NULL, &out->rig);
    if (r != ER_OK) return r;
    const er_rig *rig = out->rig;
    const er_recording_target target = er_rig_target(rig);
    return play_modes(context, &target, rig->model, out);
}

void end_play(played *p)
{
    for (int i = 0; i < p->count; ++i)
        er_recording_destroy(p->made[i]);
    er_modes_destroy(p->modes);
    er_model_destroy(p->model);
    er_rig_destroy(p->rig);
    er_scene_destroy(p->scene);
}
