// Writes a file with er_fbx_write() and prints, as JSON, what a reader of it must find: names, and where the nodes are
// at rest and at ten times of each clip.
//   fbx_samples SCENE OUT.fbx      a scene made by hand (tests/gltf/scenes.h), with two clips more
//   fbx_samples MODEL OUT.fbx      a model, with some of its modes as clips
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <eigenrig/fbx.h>
#include <eigenrig/import.h>
#include <eigenrig/modal.h>
#include <eigenrig/pose.h>
#include <eigenrig/rig.h>

#include "judge.h"
#include "made.h"

enum { MODES = 4, TIMES = 10 };

static json_t *vector(er_vec3 v)
{
    return json_pack("[f,f,f]", v.x, v.y, v.z);
}

// Positions of all nodes.
static json_t *heads(const er_scene *scene, const er_clip *clip, double time)
{
    size_t n = (size_t)scene->node_count + 1;
    er_affine *local = calloc(n, sizeof *local), *world = calloc(n, sizeof *world);
    json_t *array = json_array();
    er_scene_sample(scene, clip, time, local);
    er_scene_world(scene, local, world);
    for (int i = 0; i < scene->node_count; ++i)
        json_array_append_new(array, vector(world[i].translation));
    free(local);
    free(world);
    return array;
}

static json_t *describe_clip(const er_scene *scene, const er_clip *clip)
{
    json_t *times = json_array();
    double start = 0.0;
    for (int i = 0; i < clip->channel_count; ++i)
        if (clip->channel[i].path != ER_PATH_MORPH && clip->channel[i].time[0] < start)
            start = clip->channel[i].time[0];
    for (int k = 0; k < TIMES; ++k) { // times that are no keys
        double time = (clip->duration - start) * (k + 0.37) / TIMES;
        json_array_append_new(times, json_pack("{s:f,s:o}", "time", time, "heads", heads(scene, clip, start + time)));
    }
    return json_pack("{s:s,s:f,s:o}", "name", clip->name, "duration", clip->duration - start, "times", times);
}

static json_t *describe(const er_scene *s, int clip_count, const er_clip *clip)
{
    json_t *nodes = json_array(), *clips = json_array();
    for (int i = 0; i < s->node_count; ++i)
        json_array_append_new(nodes, json_pack("{s:s,s:i,s:b}", "name", s->node[i].name, "parent", s->node[i].parent,
                                               "joint", (s->node[i].flags & ER_NODE_JOINT) != 0));
    for (int i = 0; i < s->clip_count; ++i)
        json_array_append_new(clips, describe_clip(s, &s->clip[i]));
    for (int i = 0; i < clip_count; ++i)
        json_array_append_new(clips, describe_clip(s, &clip[i]));
    return json_pack("{s:f,s:o,s:o,s:o,s:o}", "metres_per_unit", s->metres_per_unit, "up", vector(s->up), "nodes",
                     nodes, "rest", heads(s, NULL, 0.0), "clips", clips);
}

static er_result write_with_modes(er_context *context, const er_scene *scene, const char *path)
{
    er_rig *rig = NULL;
    er_modes *modes = NULL;
    er_pose_clip *made[MODES] = {NULL};
    er_clip clip[MODES];
    int count = 0;
    er_result r = er_rig_build(context, scene, NULL, &rig);
    if (r == ER_OK) r = er_modal_solve(context, rig->model, NULL, &modes);
    for (int k = 0; r == ER_OK && k < modes->count && count < MODES; ++k) {
        const er_pose_target target = {scene, rig->node_body, rig->bone, rig->world, rig->metres_per_unit};
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        r = er_pose_mode_clip(context, rig->model, &modes->mode[k], k, &target, NULL, &made[count]);
        if (r == ER_OK) clip[count] = made[count]->clip;
        count += r == ER_OK;
    }
    if (r == ER_OK) r = er_fbx_write(context, scene, count, clip, path);
    if (r == ER_OK) {
        json_t *description = describe(scene, count, clip);
        json_dumpf(description, stdout, JSON_COMPACT);
        json_decref(description);
    }
    if (r == ER_OK && getenv("JUDGE")) {
        er_scene *back = NULL;
        r = er_import_file(context, path, NULL, &back);
        if (r == ER_OK) {
            judgement j = judge(scene, count, clip, back);
            fprintf(stderr, "rest %.1e motion %.1e skin %.1e length %.1e more %d %s", j.rest, j.motion, j.skin,
                    j.length, j.more, j.wrong);
        }
        er_scene_destroy(back);
    }
    for (int i = 0; i < count; ++i)
        er_pose_clip_destroy(made[i]);
    er_modes_destroy(modes);
    er_rig_destroy(rig);
    return r;
}

static er_result write_made(er_context *context, er_arena *arena, const er_scene *scene, const char *path)
{
    er_clip clip = made_clip(arena, scene, "mode 03  1.42 Hz"), clips[2] = {clip, clip};
    clips[1].name = "mode 03  1.42 Hz (2)"; // which is what the second of a name becomes
    er_result r = er_fbx_write(context, scene, 2, clips, path);
    if (r == ER_OK) {
        json_t *description = describe(scene, 2, clips);
        json_dumpf(description, stdout, JSON_COMPACT);
        json_decref(description);
    }
    if (r == ER_OK && getenv("JUDGE")) {
        er_scene *back = NULL;
        r = er_import_file(context, path, NULL, &back);
        if (r == ER_OK) {
            judgement j = judge(scene, 2, clips, back);
            fprintf(stderr, "rest %.1e motion %.1e skin %.1e length %.1e more %d %s", j.rest, j.motion, j.skin,
                    j.length, j.more, j.wrong);
        }
        er_scene_destroy(back);
    }
    return r;
}

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_arena *arena = NULL;
    if (argc != 3 || er_context_create(NULL, &context) != ER_OK || er_arena_create(context, &arena) != ER_OK) return 2;
    er_scene *made = made_scene(arena, argv[1]), *read = NULL;
    er_result r = ER_OK;
    if (made == NULL) r = er_import_file(context, argv[1], NULL, &read);
    if (r == ER_OK)
        r = made != NULL ? write_made(context, arena, made, argv[2]) : write_with_modes(context, read, argv[2]);
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    er_scene_destroy(read);
    er_arena_destroy(arena);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}
