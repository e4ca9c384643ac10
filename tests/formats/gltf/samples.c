// Writes a file with er_gltf_write() and prints, as JSON, the scene and the clips that it was given: what the Python
// tests judge the file by.
//   gltf_samples SCENE OUT          a scene made by hand, with two clips more
//   gltf_samples add SOURCE OUT     a .gltf or .glb with two clips added
//   gltf_samples swap READ SOURCE OUT   the same for a file that was READ when its nodes were, and is SOURCE now
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
    for (int i = 0; i < s->clip_count; ++i)
        json_array_append_new(clips, describe_clip(&s->clip[i]));
    for (int i = 0; i < clip_count; ++i)
        json_array_append_new(clips, describe_clip(&clip[i]));
    return json_pack("{s:f,s:[f,f,f],s:o,s:o,s:o,s:o,s:o}", "metres_per_unit", s->metres_per_unit, "up", s->up.x,
                     s->up.y, s->up.z, "nodes", nodes, "meshes", meshes, "skins", skins, "instances", instances,
                     "clips", clips);
}

// --- the node tree of a glTF file, as the reader will hand it over

static json_t *load(const char *path)
{
    static char bytes[64 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file != NULL) fclose(file);
    bool glb = size > 20 && memcmp(bytes, "glTF", 4) == 0;
    uint32_t json_size = 0;
    if (glb) memcpy(&json_size, bytes + 12, 4);
    return glb ? json_loadb(bytes + 20, json_size, JSON_ALLOW_NUL, NULL)
               : json_loadb(bytes, size, JSON_ALLOW_NUL, NULL);
}

static double entry(json_t *source, const char *key, size_t i, double fallback)
{
    json_t *number = json_array_get(json_object_get(source, key), i);
    return json_is_number(number) ? json_number_value(number) : fallback;
}

static er_affine local_of(json_t *source)
{
    er_vec3 t = {entry(source, "translation", 0, 0), entry(source, "translation", 1, 0),
                 entry(source, "translation", 2, 0)};
    er_quat q = {entry(source, "rotation", 3, 1), entry(source, "rotation", 0, 0), entry(source, "rotation", 1, 0),
                 entry(source, "rotation", 2, 0)};
    er_vec3 s = {entry(source, "scale", 0, 1), entry(source, "scale", 1, 1), entry(source, "scale", 2, 1)};
    er_affine a = er_affine_from_trs(t, q, s);
    if (json_object_get(source, "matrix") == NULL) return a;
    for (size_t i = 0; i < 9; ++i)
        a.linear.m[i / 3][i % 3] = entry(source, "matrix", 4 * (i % 3) + i / 3, 0);
    a.translation =
        er_v3(entry(source, "matrix", 12, 0), entry(source, "matrix", 13, 0), entry(source, "matrix", 14, 0));
    return a;
}

static void visit(json_t *nodes, int index, int parent, er_node *out, int *count)
{
    json_t *source = json_array_get(nodes, (size_t)index), *child;
    int here = (*count)++;
    out[here] = (er_node){.name = "", .parent = parent, .local = local_of(source), .source_index = index};
    size_t i;
    json_array_foreach(json_object_get(source, "children"), i, child)
        visit(nodes, (int)json_integer_value(child), here, out, count);
}

static er_scene *scene_of(er_arena *arena, const char *path)
{
    json_t *root = load(path), *nodes = json_object_get(root, "nodes"), *node, *child;
    size_t n = json_array_size(nodes), i, k;
    er_scene *scene = ER_NEW(arena, er_scene, 1);
    er_node *out = ER_NEW(arena, er_node, n);
    bool *is_child = ER_NEW(arena, bool, n);
    json_array_foreach(nodes, i, node) json_array_foreach(json_object_get(node, "children"), k, child)
        is_child[json_integer_value(child)] = true;
    for (i = 0; i < n; ++i)
        if (!is_child[i]) visit(nodes, (int)i, -1, out, &scene->node_count);
    json_decref(root);
    scene->path = path;
    scene->format = ER_FORMAT_GLTF;
    scene->format_name = "glTF 2.0";
    scene->metres_per_unit = 1.0;
    scene->up = er_v3(0, 1, 0);
    scene->node = out;
    return scene;
}

int main(int argc, char **argv)
{
    bool swap = argc == 5 && strcmp(argv[1], "swap") == 0, add = swap || (argc == 4 && strcmp(argv[1], "add") == 0);
    er_context *context = NULL;
    er_arena *arena = NULL;
    if ((argc != 3 && !add) || er_context_create(NULL, &context) != ER_OK || er_arena_create(context, &arena) != ER_OK)
        return 2;
    int status = 2;
    er_scene *scene = add ? scene_of(arena, argv[2]) : make_scene(arena, argv[1]);
    if (swap) scene->path = argv[3];
    if (scene != NULL) {
        er_clip clip = make_clip(arena, scene, "mode 03  1.42 Hz"), clips[2] = {clip, clip};
        er_result r = er_gltf_write(context, scene, 2, clips, argv[argc - 1]);
        if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
        json_t *description = describe(scene, 2, clips);
        json_dumpf(description, stdout, JSON_COMPACT);
        json_decref(description);
        status = r == ER_OK ? 0 : 1;
    }
    er_arena_destroy(arena);
    er_context_destroy(context);
    return status;
}
