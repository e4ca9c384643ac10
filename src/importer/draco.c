// KHR_draco_mesh_compression through the decoder that Assimp has inside. It is given a GLB made here that holds one
// compressed primitive and nothing else, so that nothing else of the file can trouble it, and so that joints and
// weights, which it would tie to skins, come through dressed as colours.
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "importer/gltf.h"

#define EXTENSION "KHR_draco_mesh_compression"
#define ADVICE "decompress the model first, for example with \"gltf-transform copy\""

static const json_t *extension_of(const json_t *primitive)
{
    return json_object_get(json_object_get(primitive, "extensions"), EXTENSION);
}

bool er_gltf_is_draco(const er_gltf *gltf, const json_t *primitive)
{
    const json_t *position = json_object_get(json_object_get(primitive, "attributes"), "POSITION");
    if (extension_of(primitive) == NULL || !json_is_integer(position)) return false;
    json_int_t accessor = json_integer_value(position);
    return accessor >= 0 && accessor < gltf->accessor_count &&
           json_object_get(er_gltf_item(gltf, "accessors", (int)accessor), "bufferView") == NULL;
}

// The GLB's JSON in the making.
typedef struct wrapper {
    er_gltf *gltf;
    const json_t *primitive;
    json_t *accessors, *attributes, *ids; // owned by `root`
    json_t *root;
    int vertex_count;
    int colors;             // sets so far
    int first_joints, sets; // colour sets that carry joints, then weights, in turns
    double joint_range[8];  // what a colour of 1 stands for
} wrapper;

// Copies an attribute under a name that Assimp keeps.   @return  whether the primitive has it compressed.
static bool wrap_attribute(wrapper *w, const char *name, const char *as, double *range)
{
    const json_t *id = json_object_get(json_object_get(extension_of(w->primitive), "attributes"), name);
    const json_t *accessor = json_object_get(json_object_get(w->primitive, "attributes"), name);
    if (!json_is_integer(id) || json_integer_value(id) < 0 || !json_is_integer(accessor)) return false;
    json_int_t index = json_integer_value(accessor);
    if (index < 0 || index >= w->gltf->accessor_count) return false;
    const json_t *from = er_gltf_item(w->gltf, "accessors", (int)index);
    json_int_t type = json_integer_value(json_object_get(from, "componentType"));
    if (range != NULL) *range = type == 5121 ? 255.0 : type == 5123 ? 65535.0 : 1.0;
    json_object_set_new(w->attributes, as, json_integer((json_int_t)json_array_size(w->accessors)));
    json_object_set_new(w->ids, as, json_integer(json_integer_value(id)));
    json_array_append_new(w->accessors, json_pack("{s:I, s:i, s:s}", "componentType", type, "count", w->vertex_count,
                                                  "type", er_gltf_string(from, "type")));
    return true;
}

static bool wrap_color(wrapper *w, const char *name, double *range)
{
    char as[24];
    snprintf(as, sizeof as, "COLOR_%d", w->colors);
    bool has = w->colors < AI_MAX_NUMBER_OF_COLOR_SETS && wrap_attribute(w, name, as, range);
    w->colors += has;
    return has;
}

static void wrap_attributes(wrapper *w, int uv_set)
{
    char joints[24], weights[24], uv[24];
    snprintf(uv, sizeof uv, "TEXCOORD_%d", uv_set);
    wrap_attribute(w, "POSITION", "POSITION", NULL);
    wrap_attribute(w, "NORMAL", "NORMAL", NULL);
    wrap_attribute(w, uv, "TEXCOORD_0", NULL);
    wrap_color(w, "COLOR_0", NULL);
    w->first_joints = w->colors;
    for (;; ++w->sets) {
        snprintf(joints, sizeof joints, "JOINTS_%d", w->sets);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", w->sets);
        if (w->colors + 2 > AI_MAX_NUMBER_OF_COLOR_SETS || !wrap_color(w, joints, &w->joint_range[w->sets]) ||
            !wrap_color(w, weights, NULL))
            break;
    }
}

static void put_word(uint8_t *at, size_t value)
{
    uint32_t v = htole32((uint32_t)value);
    memcpy(at, &v, sizeof v);
}

// Header, JSON chunk padded with spaces, BIN chunk padded with zeros (glTF 2.0, 4.4).
static er_result make_glb(wrapper *w, er_bytes blob, er_arena *scratch, er_bytes *out)
{
    char *json = json_dumps(w->root, JSON_COMPACT);
    er_result r = ER_OK;
    uint8_t *glb = NULL;
    if (json == NULL) ER_TRY(ER_ERROR_MEMORY);
    size_t text = strlen(json), json_size = (text + 3) / 4 * 4, bin_size = (blob.size + 3) / 4 * 4;
    size_t total = 12 + 8 + json_size + 8 + bin_size;
    if (total > UINT32_MAX) ER_TRY(er_gltf_broken(w->gltf, "a compressed primitive has %zu bytes", blob.size));
    ER_TRY_NEW(glb, scratch, uint8_t, total);
    memcpy(glb, "glTF", 4);
    put_word(glb + 4, 2);
    put_word(glb + 8, total);
    put_word(glb + 12, json_size);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', json_size);
    memcpy(glb + 20, json, text);
    put_word(glb + 20 + json_size, bin_size);
    memcpy(glb + 24 + json_size, "BIN\0", 4);
    memcpy(glb + 28 + json_size, blob.at, blob.size);
    *out = (er_bytes){glb, total};
done:
    free(json);
    return r;
}

static er_result copy_vectors(er_reader *reader, const struct aiVector3D *from, int count, int components,
                              const float **out)
{
    float *to = NULL;
    er_result r = ER_OK;
    *out = NULL;
    if (from == NULL) goto done;
    ER_TRY_NEW(to, reader->arena, float, (size_t)count *(size_t)components);
    for (int i = 0; i < count; ++i) {
        const float v[3] = {from[i].x, components == 2 ? 1.0f - from[i].y : from[i].y, from[i].z}; // Assimp flips v
        memcpy(to + (size_t)i * (size_t)components, v, (size_t)components * sizeof *to);
    }
    *out = to;
done:
    return r;
}

static er_result copy_triangles(er_reader *reader, const struct aiMesh *from, er_mesh *mesh)
{
    int *index = NULL;
    er_result r = ER_OK;
    ER_TRY_NEW(index, reader->arena, int, 3 * (size_t)from->mNumFaces);
    for (unsigned i = 0; i < from->mNumFaces; ++i)
        for (unsigned k = 0; k < 3; ++k)
            index[3 * (size_t)i + k] = (int)from->mFaces[i].mIndices[k];
    mesh->index = index;
    mesh->triangle_count = (int)from->mNumFaces;
done:
    return r;
}

static er_result copy_influences(const wrapper *w, const struct aiMesh *from, er_arena *scratch, er_mesh *mesh,
                                 int *uneven)
{
    size_t n = (size_t)mesh->vertex_count, room = 4 * n * (size_t)w->sets, count = 0;
    int *vertex = NULL, *joint = NULL;
    double *weight = NULL;
    er_result r = ER_OK;
    if (w->sets == 0) goto done;
    ER_TRY_NEW(vertex, scratch, int, room);
    ER_TRY_NEW(joint, scratch, int, room);
    ER_TRY_NEW(weight, scratch, double, room);
    for (int set = 0; set < w->sets; ++set) {
        const struct aiColor4D *j = from->mColors[w->first_joints + 2 * set],
                               *x = from->mColors[w->first_joints + 2 * set + 1];
        if (j == NULL || x == NULL) ER_TRY(er_gltf_broken(w->gltf, "a compressed primitive lacks joints or weights"));
        for (size_t i = 0; i < n; ++i) {
            const float joints[4] = {j[i].r, j[i].g, j[i].b, j[i].a}, weights[4] = {x[i].r, x[i].g, x[i].b, x[i].a};
            for (int k = 0; k < 4; ++k, ++count) {
                vertex[count] = (int)i;
                joint[count] = (int)lround(fmin(fmax(joints[k], 0.0), 1.0) * w->joint_range[set]);
                weight[count] = weights[k];
            }
        }
    }
    ER_TRY(er_reader_influences(w->gltf->reader, mesh, count, vertex, joint, weight, uneven));
done:
    return r;
}

static er_result copy_mesh(const wrapper *w, const struct aiMesh *from, er_arena *scratch, er_mesh *mesh, int *uneven)
{
    er_reader *reader = w->gltf->reader;
    int n = w->vertex_count;
    float *color = NULL;
    er_result r = ER_OK;
    mesh->vertex_count = n;
    ER_TRY(copy_vectors(reader, from->mVertices, n, 3, &mesh->position));
    ER_TRY(copy_vectors(reader, from->mNormals, n, 3, &mesh->normal));
    ER_TRY(copy_vectors(reader, from->mTextureCoords[0], n, 2, &mesh->uv));
    ER_TRY(copy_triangles(reader, from, mesh));
    if (w->first_joints == 1 && from->mColors[0] != NULL) {
        ER_TRY_NEW(color, reader->arena, float, 4 * (size_t)n);
        for (int i = 0; i < n; ++i) {
            const struct aiColor4D *c = &from->mColors[0][i];
            const float v[4] = {c->r, c->g, c->b, c->a};
            for (int k = 0; k < 4; ++k)
                color[4 * (size_t)i + (size_t)k] = fminf(fmaxf(v[k], 0.0f), 1.0f);
        }
        mesh->color = color;
    }
    ER_TRY(copy_influences(w, from, scratch, mesh, uneven));
done:
    return r;
}

static bool as_wrapped(const struct aiScene *scene, int vertex_count)
{
    if (scene == NULL || scene->mNumMeshes != 1 || scene->mMeshes[0]->mNumVertices != (unsigned)vertex_count ||
        scene->mMeshes[0]->mVertices == NULL)
        return false;
    for (unsigned i = 0; i < scene->mMeshes[0]->mNumFaces; ++i)
        if (scene->mMeshes[0]->mFaces[i].mNumIndices != 3) return false;
    return true;
}

// Two accessors of the primitive: vertices and corners.
static er_result counts(er_gltf *gltf, const json_t *primitive, int *vertices, int *corners)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    int position = -1, indices = -1;
    uint64_t vertex_count = 0, corner_count = 0;
    er_result r = ER_OK;
    ER_TRY(er_gltf_index(gltf, attributes, "POSITION", gltf->accessor_count, "attributes", 0, &position));
    ER_TRY(er_gltf_index(gltf, primitive, "indices", gltf->accessor_count, "primitives", 0, &indices));
    ER_TRY(er_gltf_size(gltf, er_gltf_item(gltf, "accessors", position), "count", 0, "accessors", position,
                        &vertex_count));
    ER_TRY(
        er_gltf_size(gltf, er_gltf_item(gltf, "accessors", indices), "count", 0, "accessors", indices, &corner_count));
    // Assimp 5.2 loses decoded indices of 32 bits.
    if (vertex_count > 65535)
        ER_TRY(er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                       "a primitive is compressed with Draco and has %llu vertices, more than the 65535 that can be "
                       "decoded; " ADVICE,
                       (unsigned long long)vertex_count));
    if (corner_count < 3 || corner_count > 100000000)
        ER_TRY(er_gltf_broken(gltf, "a primitive that is compressed with Draco has %llu indices",
                              (unsigned long long)corner_count));
    *vertices = (int)vertex_count;
    *corners = (int)corner_count;
done:
    return r;
}

er_result er_gltf_read_draco(er_gltf *gltf, const json_t *primitive, int uv_set, er_mesh *mesh, int *uneven)
{
    wrapper w = {.gltf = gltf, .primitive = primitive};
    er_bytes blob = {0}, glb = {0};
    int view = -1, corners = 0;
    er_arena *scratch = NULL;
    const struct aiScene *scene = NULL;
    er_result r = ER_OK;
    ER_TRY(er_arena_create(gltf->reader->context, &scratch));
    ER_TRY(counts(gltf, primitive, &w.vertex_count, &corners));
    ER_TRY(er_gltf_index(gltf, extension_of(primitive), "bufferView", gltf->view_count, EXTENSION, 0, &view));
    if (view < 0) ER_TRY(er_gltf_broken(gltf, "a primitive that is compressed with Draco has no buffer view"));
    ER_TRY(er_gltf_view(gltf, view, &blob));
    w.accessors = json_pack("[{s:i, s:i, s:s}]", "componentType", 5123, "count", corners, "type", "SCALAR");
    w.attributes = json_object();
    w.ids = json_object();
    w.root = json_pack("{s:{s:s}, s:[s], s:i, s:[{s:[i]}], s:[{s:i}], s:[{s:I}], s:[{s:i, s:i, s:I}], s:o,"
                       " s:[{s:[{s:i, s:i, s:o, s:{s:{s:i, s:o}}}]}]}",
                       "asset", "version", "2.0", "extensionsUsed", EXTENSION, "scene", 0, "scenes", "nodes", 0,
                       "nodes", "mesh", 0, "buffers", "byteLength", (json_int_t)blob.size, "bufferViews", "buffer", 0,
                       "byteOffset", 0, "byteLength", (json_int_t)blob.size, "accessors", w.accessors, "meshes",
                       "primitives", "mode", 4, "indices", 0, "attributes", w.attributes, "extensions", EXTENSION,
                       "bufferView", 0, "attributes", w.ids);
    if (w.root == NULL) ER_TRY(ER_ERROR_MEMORY);
    wrap_attributes(&w, uv_set);
    ER_TRY(make_glb(&w, blob, scratch, &glb));
    scene = aiImportFileFromMemory((const char *)glb.at, (unsigned)glb.size, 0, "glb");
    if (!as_wrapped(scene, w.vertex_count))
        ER_TRY(er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                       "the mesh \"%.100s\" is compressed with Draco and could not be decoded; " ADVICE, mesh->name));
    ER_TRY(copy_mesh(&w, scene->mMeshes[0], scratch, mesh, uneven));
done:
    if (scene != NULL) aiReleaseImport(scene);
    json_decref(w.root);
    er_arena_destroy(scratch);
    return r;
}
