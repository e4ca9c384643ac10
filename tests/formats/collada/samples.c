// Writes a model with er_collada_write() and prints, as JSON, where everything is at eleven times of the clip: what the
// Python tests judge other readers by.
//   collada_samples MODEL OUT.dae CLIP      a clip of the model, by name or index; MODEL may name a scene of scenes.h
//   collada_samples MODEL OUT.dae swing     one made here: every joint swings, by a spline or along a circle
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "scenes.h"
#include "swing.h"

enum { TIMES = 11, VERTICES = 50 };

static json_t *point(const er_scene *scene, er_vec3 x)
{
    x = er_v3_scale(scene->metres_per_unit, x);
    return json_pack("[f,f,f]", x.x, x.y, x.z);
}

// All of an instance, or VERTICES of them, evenly chosen.
static json_t *vertices(er_arena *arena, const er_scene *scene, int instance, const er_affine *world)
{
    long count = scene->mesh[scene->instance[instance].mesh].vertex_count, told = count < VERTICES ? count : VERTICES;
    double *position = ERI_NEW(arena, double, 3 * (size_t)count);
    json_t *list = json_array();
    er_scene_skin(scene, instance, world, position);
    for (long k = 0; k < told; ++k) {
        const double *p = position + 3 * (k * count / told);
        json_array_append_new(list, point(scene, er_v3(p[0], p[1], p[2])));
    }
    return list;
}

// The clip's first time, where that is below 0, is the file's 0.
static double start_of(const er_clip *clip)
{
    double start = 0.0;
    for (int i = 0; i < clip->channel_count; ++i)
        start = fmin(start, clip->channel[i].time[0]);
    return start;
}

static json_t *frame(er_arena *arena, const er_scene *scene, const er_clip *clip, int i)
{
    double start = start_of(clip), time = (clip->duration - start) * (i + 0.123) / (TIMES - 1 + 0.123);
    er_affine *local = ERI_NEW(arena, er_affine, scene->node_count);
    er_affine *world = ERI_NEW(arena, er_affine, scene->node_count);
    er_scene_sample(scene, clip, time + start, local);
    er_scene_world(scene, local, world);
    json_t *heads = json_array(), *meshes = json_array();
    for (int k = 0; k < scene->node_count; ++k)
        json_array_append_new(heads, point(scene, world[k].translation));
    for (int k = 0; k < scene->instance_count; ++k)
        json_array_append_new(meshes, vertices(arena, scene, k, world));
    return json_pack("{s:f,s:o,s:o}", "time", time, "heads", heads, "vertices", meshes);
}

static json_t *describe(er_arena *arena, const er_scene *scene, const er_clip *clip)
{
    json_t *nodes = json_array(), *frames = json_array(), *instances = json_array();
    for (int i = 0; i < scene->node_count; ++i)
        json_array_append_new(nodes,
                              json_pack("{s:s,s:i}", "name", scene->node[i].name, "parent", scene->node[i].parent));
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_mesh *mesh = &scene->mesh[scene->instance[i].mesh];
        json_array_append_new(instances, json_pack("{s:s,s:i,s:i}", "mesh", mesh->name, "vertices", mesh->vertex_count,
                                                   "triangles", mesh->triangle_count));
    }
    for (int i = 0; i < TIMES; ++i)
        json_array_append_new(frames, frame(arena, scene, clip, i));
    return json_pack("{s:[f,f,f],s:o,s:o,s:o}", "up", scene->up.x, scene->up.y, scene->up.z, "nodes", nodes,
                     "instances", instances, "frames", frames);
}

static er_result write_one(er_context *context, er_arena *arena, const char *model, const char *out, const char *name)
{
    er_result r = ER_OK;
    er_scene *scene = NULL;
    const er_clip *clip = NULL;
    er_scene *made = make_scene(arena, model);
    if (made == NULL) ERI_TRY(er_import_file(context, model, NULL, &scene));
    const er_scene *from = made != NULL ? made : scene;
    er_clip swing = make_swing(arena, from);
    if (strcmp(name, "swing") == 0)
        clip = &swing;
    else
        ERI_TRY(er_scene_find_clip(context, from, name, &clip));
    ERI_TRY(er_collada_write(context, from, 1, clip, NULL, out));
    json_t *description = describe(arena, from, clip);
    json_dumpf(description, stdout, JSON_COMPACT);
    json_decref(description);
done:
    er_scene_destroy(scene);
    return r;
}

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_arena *arena = NULL;
    if (argc != 4 || er_context_create(NULL, &context) != ER_OK || eri_arena_create(context, &arena) != ER_OK) return 2;
    er_result r = write_one(context, arena, argv[1], argv[2], argv[3]);
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}
