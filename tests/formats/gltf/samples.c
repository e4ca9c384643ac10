// Writes a file with er_gltf_write() and prints, as JSON, the scene and the clips that it was given: what the Python
// tests judge the file by.
//   gltf_samples SCENE OUT          a scene made by hand, with two clips more
//   gltf_samples add SOURCE OUT     a .gltf or .glb with two clips added
//   gltf_samples outside SOURCE OUT the same, and files outside its folder may be read
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <eigenrig/formats.h>

#include "scenes.h"

static json_t *doubles(const double *value, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; ++i)
        json_array_append_new(array, json_real(value[i]));
    return array;
}

static json_t *floats(const float *value, size_t count)
{
    if (value == NULL) return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < count; ++i)
        json_array_append_new(array, json_real((double)value[i]));
    return array;
}

static json_t *ints(const int *value, size_t count)
{
    if (value == NULL) return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < count; ++i)
        json_array_append_new(array, json_integer(value[i]));
    return array;
}

// Rows of a 3x4 matrix.
static json_t *affine(er_affine a)
{
    json_t *rows = json_array();
    er_vec3 t = a.translation;
    double last[3] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; ++i) {
        double row[4] = {a.linear.m[i][0], a.linear.m[i][1], a.linear.m[i][2], last[i]};
        json_array_append_new(rows, doubles(row, 4));
    }
    return rows;
}

// Bytes as Latin-1 code points, so that any name can be printed.
static json_t *text(const char *bytes)
{
    char out[512];
    size_t length = 0;
    for (; *bytes != '\0' && length + 2 < sizeof out; ++bytes) {
        unsigned char c = (unsigned char)*bytes;
        if (c >= 0x80) out[length++] = (char)(0xC0 | c >> 6);
        out[length++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3F) : c);
    }
    return json_stringn(out, length);
}

static json_t *describe_clip(const er_clip *clip)
{
    json_t *channels = json_array();
    for (int i = 0; i < clip->channel_count; ++i) {
        const er_channel *c = &clip->channel[i];
        size_t keys = (size_t)c->key_count * (c->interpolation == ER_CUBIC ? 3 : 1);
        size_t values = c->path == ER_PATH_MORPH ? 0 : c->path == ER_PATH_ROTATION ? 4 : 3;
        json_array_append_new(channels,
                              json_pack("{s:i,s:i,s:i,s:o,s:o}", "node", c->node, "path", (int)c->path, "interpolation",
                                        (int)c->interpolation, "time", doubles(c->time, (size_t)c->key_count), "value",
                                        doubles(c->value, keys * values)));
    }
    return json_pack("{s:o,s:f,s:o}", "name", text(clip->name), "duration", clip->duration, "channels", channels);
}

static json_t *describe_mesh(const er_mesh *m)
{
    size_t n = (size_t)m->vertex_count, influences = m->influence_start != NULL ? (size_t)m->influence_start[n] : 0;
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:o,s:o,s:o}", "name", text(m->name), "position",
                     floats(m->position, 3 * n), "normal", floats(m->normal, 3 * n), "uv", floats(m->uv, 2 * n),
                     "color", floats(m->color, 4 * n), "index", ints(m->index, 3 * (size_t)m->triangle_count),
                     "material", m->material, "start", ints(m->influence_start, n + 1), "joint",
                     ints(m->influence_joint, influences), "weight", floats(m->influence_weight, influences));
}

static json_t *describe(const er_scene *s, int clip_count, const er_clip *clip)
{
    json_t *nodes = json_array(), *meshes = json_array(), *skins = json_array(), *instances = json_array(),
           *clips = json_array();
    for (int i = 0; i < s->node_count; ++i)
        json_array_append_new(nodes,
                              json_pack("{s:o,s:i,s:i,s:o}", "name", text(s->node[i].name), "parent", s->node[i].parent,
                                        "source", s->node[i].source_index, "local", affine(s->node[i].local)));
    for (int i = 0; i < s->mesh_count; ++i)
        json_array_append_new(meshes, describe_mesh(&s->mesh[i]));
    for (int i = 0; i < s->skin_count; ++i) {
        json_t *binds = json_array();
        for (int k = 0; k < s->skin[i].joint_count; ++k)
            json_array_append_new(binds, affine(s->skin[i].inverse_bind[k]));
        json_array_append_new(skins,
                              json_pack("{s:o,s:o}", "joint", ints(s->skin[i].joint, (size_t)s->skin[i].joint_count),
                                        "inverse_bind", binds));
    }
    for (int i = 0; i < s->instance_count; ++i)
        json_array_append_new(instances,
                              json_pack("[i,i,i]", s->instance[i].node, s->instance[i].mesh, s->instance[i].skin));
    for (int i = 0; i < clip_count; ++i)
        json_array_append_new(clips, describe_clip(&clip[i]));
    for (int i = 0; i < s->clip_count; ++i)
        json_array_append_new(clips, describe_clip(&s->clip[i]));
    return json_pack("{s:f,s:[f,f,f],s:o,s:o,s:o,s:o,s:o}", "metres_per_unit", s->metres_per_unit, "up", s->up.x,
                     s->up.y, s->up.z, "nodes", nodes, "meshes", meshes, "skins", skins, "instances", instances,
                     "clips", clips);
}

// --- a glTF file, of which the nodes are described

static er_result read_source(er_context *context, const char *path, bool allow_outside, er_scene **out)
{
    er_import_def def = er_default_import_def();
    def.allow_outside = allow_outside;
    return er_import_file(context, path, &def, out);
}

static er_scene nodes_alone(const er_scene *scene)
{
    er_scene nodes = *scene;
    nodes.mesh_count = nodes.skin_count = nodes.instance_count = nodes.clip_count = 0;
    return nodes;
}

int main(int argc, char **argv)
{
    bool outside = argc == 4 && strcmp(argv[1], "outside") == 0,
         add = outside || (argc == 4 && strcmp(argv[1], "add") == 0);
    er_context *context = NULL;
    er_arena *arena = NULL;
    er_scene *scene = NULL, *read = NULL;
    er_result r = ER_OK;
    if ((argc != 3 && !add) || er_context_create(NULL, &context) != ER_OK || eri_arena_create(context, &arena) != ER_OK)
        return 2;
    if (add) r = read_source(context, argv[2], outside, &read);
    scene = add ? read : make_scene(arena, argv[1]);
    if (scene != NULL) {
        er_clip clip = make_clip(arena, scene, "mode 03  1.42 Hz"), clips[2] = {clip, clip};
        r = er_gltf_write(context, scene, 2, clips, NULL, argv[argc - 1]);
        er_scene described = add ? nodes_alone(scene) : *scene;
        json_t *description = describe(&described, 2, clips);
        json_dumpf(description, stdout, JSON_COMPACT);
        json_decref(description);
    }
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    er_scene_destroy(read);
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return scene == NULL && r == ER_OK ? 2 : r != ER_OK;
}
