// Writes a file with er_fbx_write() and prints, as JSON, what a reader of it must find: names, and where the nodes are
// at rest and at ten times of each clip.
//   fbx_samples SCENE OUT.fbx [FPS]    a scene made by hand (made.h), with two clips more
//   fbx_samples MODEL OUT.fbx          a model or rig file, with some of its modes as clips
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <eigenrig/formats.h>

#include "judge.h"
#include "made.h"

enum { TIMES = 10, VERTICES = 40 };

static json_t *vector(er_vec3 v)
{
    return json_pack("[f,f,f]", v.x, v.y, v.z);
}

// Some vertices of all that a node draws, if it draws with one skin: in the order in which they are written.
static json_t *some_vertices(const er_scene *scene, int node, const er_affine *world)
{
    int skin = -2, total = 0;
    json_t *picked = json_object();
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_instance *drawn = &scene->instance[i];
        const er_mesh *mesh = &scene->mesh[drawn->mesh];
        if (drawn->node != node || mesh->vertex_count == 0 || mesh->triangle_count == 0) continue;
        if (skin != -2 && skin != drawn->skin) json_object_clear(picked);
        if (skin != -2 && skin != drawn->skin) return picked;
        skin = drawn->skin;
        double *position = calloc(3 * (size_t)mesh->vertex_count, sizeof *position);
        er_scene_skin(scene, i, world, position);
        for (int v = 0; v < mesh->vertex_count; v += 1 + mesh->vertex_count / VERTICES) {
            char key[16];
            snprintf(key, sizeof key, "%d", total + v);
            json_object_set_new(picked, key, vector(er_v3(position[3 * v], position[3 * v + 1], position[3 * v + 2])));
        }
        free(position);
        total += mesh->vertex_count;
    }
    return picked;
}

// What nodes draw, by node.
static json_t *drawings(const er_scene *scene, const er_affine *world)
{
    json_t *array = json_object();
    for (int i = 0; i < scene->node_count; ++i) {
        char key[16];
        // Blender takes a node's matrix apart again, and a flat one has no one rotation
        bool flat = er_m3_det(world[i].linear) == 0.0;
        json_t *some = flat ? json_object() : some_vertices(scene, i, world);
        snprintf(key, sizeof key, "%d", i);
        if (json_object_size(some) > 0)
            json_object_set_new(array, key, some);
        else
            json_decref(some);
    }
    return array;
}

// Where all nodes are at a time of a clip, and some vertices.
static json_t *moment(const er_scene *scene, const er_clip *clip, double time)
{
    size_t n = (size_t)scene->node_count + 1;
    er_affine *local = calloc(n, sizeof *local), *world = calloc(n, sizeof *world);
    json_t *heads = json_array();
    pose_written(scene, clip, time, local, world);
    for (int i = 0; i < scene->node_count; ++i)
        json_array_append_new(heads, vector(world[i].translation));
    json_t *all = json_pack("{s:f,s:o,s:o}", "time", time, "heads", heads, "vertices", drawings(scene, world));
    free(local);
    free(world);
    return all;
}

// @param index  among the clips that it came with, which names one without a name
static json_t *describe_clip(const er_scene *scene, const er_clip *clip, int index)
{
    char unnamed[32];
    snprintf(unnamed, sizeof unnamed, "clip %d", index);
    json_t *times = json_array();
    double start = start_of(clip);
    for (int k = 0; k < TIMES; ++k) { // times that are no keys
        double time = (clip->duration - start) * (k + 0.37) / TIMES;
        json_t *one = moment(scene, clip, start + time);
        json_object_set_new(one, "time", json_real(time));
        json_array_append_new(times, one);
    }
    return json_pack("{s:s,s:f,s:o}", "name", clip->name[0] != '\0' ? clip->name : unnamed, "duration",
                     clip->duration - start, "times", times);
}

static json_t *describe(const er_scene *s, int clip_count, const er_clip *clip)
{
    json_t *nodes = json_array(), *clips = json_array();
    for (int i = 0; i < s->node_count; ++i)
        json_array_append_new(nodes, json_pack("{s:s,s:i,s:b}", "name", s->node[i].name, "parent", s->node[i].parent,
                                               "joint", (s->node[i].flags & ER_NODE_JOINT) != 0));
    for (int i = 0; i < clip_count; ++i)
        if (is_written(&clip[i])) json_array_append_new(clips, describe_clip(s, &clip[i], i));
    for (int i = 0; i < s->clip_count; ++i)
        if (is_written(&s->clip[i])) json_array_append_new(clips, describe_clip(s, &s->clip[i], i));
    return json_pack("{s:f,s:o,s:o,s:o,s:o}", "metres_per_unit", s->metres_per_unit, "up", vector(s->up), "nodes",
                     nodes, "rest", moment(s, NULL, 0.0), "clips", clips);
}

static er_result write_and_tell(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                const char *path)
{
    er_result r = er_fbx_write(context, scene, clip_count, clip, NULL, path);
    if (r != ER_OK) return r;
    json_t *description = describe(scene, clip_count, clip);
    json_dumpf(description, stdout, JSON_COMPACT);
    json_decref(description);
    return ER_OK;
}

static er_result write_made(er_context *context, er_arena *arena, const er_scene *scene, const char *path)
{
    er_clip clip = made_clip(arena, scene, "mode 03  1.42 Hz"), clips[2] = {clip, clip};
    clips[1].name = "mode 03  1.42 Hz (2)"; // which is what the second of a name becomes
    return write_and_tell(context, scene, 2, clips, path);
}

static er_result write_file(er_context *context, const char *source, const char *path)
{
    played p;
    er_result r = play_file(context, source, &p);
    if (r == ER_OK) r = write_and_tell(context, p.scene, p.count, p.clip, path);
    end_play(&p);
    return r;
}

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_arena *arena = NULL;
    if (argc < 3 || er_context_create(NULL, &context) != ER_OK || eri_arena_create(context, &arena) != ER_OK) return 2;
    er_scene *made = made_scene(arena, argv[1]);
    if (made != NULL && argc == 4) made->fps = strtod(argv[3], NULL);
    er_result r = made != NULL ? write_made(context, arena, made, argv[2]) : write_file(context, argv[1], argv[2]);
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}
