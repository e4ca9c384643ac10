// Writes BVH files and prints, as one JSON array, where the heads of their joints must be at ten frames: what other
// programs that read them are judged by.
//   bvh_samples FOLDER MODEL...    the scenes made by hand, and models with their first clips
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "scenes.h"

#define FPS 10.0
#define TIMES 10

static er_result fail(er_context *context)
{
    fprintf(stderr, "%s\n", er_context_error(context));
    return ER_ERROR_FILE;
}

static json_t *heads_at(er_arena *arena, const er_scene *scene, const joint_list *list, const er_clip *clip, int frame)
{
    json_t *heads = json_array();
    er_pose *pose = ERI_NEW(arena, er_pose, list->count);
    pose_joints(arena, scene, list, clip, frame / FPS, pose);
    for (int k = 0; k < list->count; ++k)
        json_array_append_new(heads, json_pack("[f,f,f]", pose[k].p.x, pose[k].p.y, pose[k].p.z));
    return heads;
}

// The names that the file has, in its order.
static json_t *names_in(er_arena *arena, const er_scene *back)
{
    json_t *names = json_array();
    joint_list list = list_joints(arena, back, NULL);
    for (int k = 0; k < list.count; ++k)
        json_array_append_new(names, json_string(back->node[list.node[k]].name));
    return names;
}

static er_result write_sample(er_arena *arena, const er_scene *scene, const char *path, json_t *all)
{
    er_context *context = eri_arena_context(arena);
    const er_clip *clip = scene->clip_count > 0 ? &scene->clip[0] : NULL;
    er_scene *back = NULL;
    if (er_bvh_write(context, scene, NULL, clip, FPS, path) != ER_OK) return fail(context);
    if (er_import_file(context, path, NULL, &back) != ER_OK) return fail(context);
    joint_list list = list_joints(arena, scene, NULL);
    json_t *frames = json_array(), *heads = json_array();
    int last = back->clip[0].channel[0].key_count - 1;
    for (int i = 0; i < TIMES; ++i) {
        json_array_append_new(frames, json_integer(i * last / (TIMES - 1)));
        json_array_append_new(heads, heads_at(arena, scene, &list, clip, i * last / (TIMES - 1)));
    }
    json_array_append_new(all, json_pack("{s:s,s:f,s:o,s:o,s:o}", "file", path, "size", list.size, "names",
                                         names_in(arena, back), "frames", frames, "heads", heads));
    er_scene_destroy(back);
    return ER_OK;
}

static er_result write_model(er_arena *arena, const char *folder, const char *model, json_t *all)
{
    er_context *context = eri_arena_context(arena);
    const char *slash = strrchr(model, '/');
    er_scene *scene = NULL;
    if (er_import_file(context, model, NULL, &scene) != ER_OK) return fail(context);
    const char *path = eri_arena_printf(arena, "%s/%s.bvh", folder, slash != NULL ? slash + 1 : model);
    er_result r = write_sample(arena, scene, path, all);
    er_scene_destroy(scene);
    return r;
}

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_arena *arena = NULL;
    if (argc < 2 || er_context_create(NULL, &context) != ER_OK || eri_arena_create(context, &arena) != ER_OK) return 2;
    json_t *all = json_array();
    er_result r = ER_OK;
    for (int i = 0; scene_names[i] != NULL && r == ER_OK; ++i)
        r = write_sample(arena, make_scene(arena, scene_names[i]),
                         eri_arena_printf(arena, "%s/%s.bvh", argv[1], scene_names[i]), all);
    for (int i = 2; i < argc && r == ER_OK; ++i)
        r = write_model(arena, argv[1], argv[i], all);
    json_dumpf(all, stdout, JSON_COMPACT);
    json_decref(all);
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}
