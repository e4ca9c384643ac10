// Reads glTF 2.0 without Assimp, which loses things that rigs need: joints by index, skins that no mesh or several
// meshes use, missing matrices, more than four influences. Source: Khronos glTF 2.0 specification, chapters 3 and 5.
#include "formats/import/gltf_reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A glTF mesh becomes several of ours, one for each primitive.
typedef struct mesh_range {
    int first, count;
} mesh_range;

typedef struct gltf_reader {
    imp_gltf doc;
    imp_reader *reader;
    er_scene *scene;
    er_arena *scratch; // for the whole reading
    int *node_at;      // [doc.node_count], our index of a node of the file
    eri_trs *rest;     // [doc.node_count], ours
    int *image_at;     // [doc.image_count], our index, -1 left out, NOT_LOADED
    int *uv_set;       // [doc.material_count], which TEXCOORD the base colour uses
    mesh_range *range; // [doc.mesh_count]
    int skipped_primitives, draco_primitives, uneven, dropped_keys, dropped_attributes, dropped_channels;
    int morphs; // targets with a weight at rest
} gltf_reader;

enum { NOT_LOADED = -2 };

// An object's name, copied so that it outlives the JSON.
static er_result keep_name(gltf_reader *g, const json_t *object, const char **out)
{
    *out = eri_arena_string(g->reader->arena, imp_gltf_string(object, "name"));
    return *out != NULL ? ER_OK : ER_ERROR_MEMORY;
}

// ---- extensions ----

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

// An unknown required extension may change anything (3.12), so it is refused. These are accepted: they only change the
// looks, or are read.
static bool harmless(const char *extension)
{
    static const char *const known[] = {
        "KHR_materials_",          "KHR_texture_", "EXT_texture_",          "MSFT_texture_",
        "KHR_lights_punctual",     "EXT_lights_",  "KHR_mesh_quantization", "KHR_draco_mesh_compression",
        "EXT_meshopt_compression", "KHR_xmp",      "KHR_node_visibility",   "VRM",
        "KHR_animation_pointer"};
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        if (starts_with(extension, known[i])) return true;
    return false;
}

static er_result check_extensions(gltf_reader *g)
{
    const json_t *required = json_object_get(g->doc.root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); ++i) {
        const char *name = json_string_value(json_array_get(required, i));
        if (name == NULL || harmless(name)) continue;
        return er_fail(g->reader->context, ER_ERROR_FORMAT,
                       "it requires the extension %.100s, which cannot be read; export it without", name);
    }
    return ER_OK;
}

// ---- materials and pictures ----

static er_result load_image(gltf_reader *g, int index)
{
    const json_t *image = imp_gltf_item(&g->doc, "images", index);
    const char *uri = imp_gltf_string(image, "uri"), *name = imp_gltf_string(image, "name");
    imp_bytes bytes = {0};
    int view = -1;
    g->image_at[index] = -1;
    er_result r = imp_gltf_index(&g->doc, image, "bufferView", g->doc.view_count, "images", index, &view);
    if (r == ER_OK && view >= 0) r = imp_gltf_view_bytes(&g->doc, view, &bytes);
    if (r == ER_OK && view < 0) r = imp_gltf_load_image(&g->doc, index);
    if (r == ER_OK && view < 0) bytes = g->doc.image[index];
    if (r == ER_ERROR_MEMORY) return r;
    if (name[0] == '\0' && !starts_with(uri, "data:")) name = uri;
    name = imp_reader_text(g->reader, name);
    if (name == NULL) return ER_ERROR_MEMORY;
    if (r != ER_OK)
        return imp_reader_note(g->reader, ER_NOTE_WARNING, "a picture is left out: %s",
                               er_context_error(g->reader->context));
    return imp_reader_image(g->reader, name, bytes, &g->image_at[index]);
}

// The picture of a textureInfo object, -1 for none.
static er_result texture_image(gltf_reader *g, const json_t *info, int material, int *out)
{
    int texture = -1, image = -1;
    er_result r = ER_OK;
    *out = -1;
    ERI_TRY(imp_gltf_index(&g->doc, info, "index", g->doc.texture_count, "materials", material, &texture));
    if (texture < 0) goto done;
    ERI_TRY(imp_gltf_index(&g->doc, imp_gltf_item(&g->doc, "textures", texture), "source", g->doc.image_count,
                           "textures", texture, &image));
    if (image < 0)
        ERI_TRY(imp_reader_note(g->reader, ER_NOTE_WARNING,
                                "textures[%d] has a picture neither in PNG nor in JPEG and is left out", texture));
    else if (g->image_at[image] == NOT_LOADED)
        ERI_TRY(load_image(g, image));
    if (image >= 0) *out = g->image_at[image];
    if (json_object_get(json_object_get(info, "extensions"), "KHR_texture_transform") != NULL)
        ERI_TRY(imp_reader_note(g->reader, ER_NOTE_FACT,
                                "materials[%d] moves its texture (KHR_texture_transform), "
                                "which is shown unmoved",
                                material));
done:
    return r;
}

static float unit(double v)
{
    return (float)fmin(fmax(v, 0.0), 1.0);
}

static er_result read_material(gltf_reader *g, int i, er_material *m)
{
    const json_t *object = imp_gltf_item(&g->doc, "materials", i);
    const json_t *pbr = json_object_get(object, "pbrMetallicRoughness");
    const json_t *gloss = json_object_get(json_object_get(object, "extensions"), "KHR_materials_pbrSpecularGlossiness");
    bool old = pbr == NULL && gloss != NULL; // the archived workflow: only its diffuse part is kept
    const json_t *base = json_object_get(old ? gloss : pbr, old ? "diffuseTexture" : "baseColorTexture");
    const char *alpha = imp_gltf_string(object, "alphaMode");
    double color[4] = {1, 1, 1, 1}, emissive[3] = {0, 0, 0};
    uint64_t set = 0;
    er_result r = ER_OK;
    ERI_TRY(keep_name(g, object, &m->name));
    imp_gltf_numbers(old ? gloss : pbr, old ? "diffuseFactor" : "baseColorFactor", 4, color);
    imp_gltf_numbers(object, "emissiveFactor", 3, emissive);
    for (int k = 0; k < 4; ++k)
        m->base_color[k] = unit(color[k]);
    for (int k = 0; k < 3; ++k)
        m->emissive[k] = unit(emissive[k]);
    m->metallic = old ? 0.0f : unit(imp_gltf_number(pbr, "metallicFactor", 1.0));
    m->roughness = old ? unit(1.0 - imp_gltf_number(gloss, "glossinessFactor", 1.0))
                       : unit(imp_gltf_number(pbr, "roughnessFactor", 1.0));
    m->alpha_cutoff = unit(imp_gltf_number(object, "alphaCutoff", 0.5));
    m->alpha_mode = strcmp(alpha, "MASK") == 0    ? ER_ALPHA_MASK
                    : strcmp(alpha, "BLEND") == 0 ? ER_ALPHA_BLEND
                                                  : ER_ALPHA_OPAQUE;
    m->double_sided = json_is_true(json_object_get(object, "doubleSided"));
    ERI_TRY(imp_gltf_size(&g->doc, base, "texCoord", 0, "materials", i, &set));
    g->uv_set[i] = (int)(set < 100 ? set : 0);
    ERI_TRY(texture_image(g, base, i, &m->base_color_image));
    ERI_TRY(texture_image(g, json_object_get(object, "normalTexture"), i, &m->normal_image));
    ERI_TRY(texture_image(g, json_object_get(object, "emissiveTexture"), i, &m->emissive_image));
done:
    return r;
}

static er_result read_materials(gltf_reader *g)
{
    int n = g->doc.material_count;
    er_material *material = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(material, g->reader->arena, er_material, n);
    ERI_TRY_NEW(g->uv_set, g->scratch, int, n);
    ERI_TRY_NEW(g->image_at, g->scratch, int, g->doc.image_count);
    for (int i = 0; i < g->doc.image_count; ++i)
        g->image_at[i] = NOT_LOADED;
    for (int i = 0; i < n; ++i)
        ERI_TRY(read_material(g, i, &material[i]));
    g->scene->material = material;
    g->scene->material_count = n;
done:
    return r;
}

// ---- nodes ----

// [node_count]: the parent of each node of the file, -1 for none.
static er_result find_parents(gltf_reader *g, int *parent)
{
    int n = g->doc.node_count;
    for (int i = 0; i < n; ++i)
        parent[i] = -1;
    for (int i = 0; i < n; ++i) {
        const json_t *children = json_object_get(imp_gltf_item(&g->doc, "nodes", i), "children");
        for (size_t k = 0; k < json_array_size(children); ++k) {
            int child;
            er_result r = imp_gltf_index_value(&g->doc, json_array_get(children, k), n, "nodes", i, "children", &child);
            if (r != ER_OK) return r;
            if (parent[child] >= 0)
                return imp_gltf_broken(&g->doc, "nodes[%d] has two parents, nodes[%d] and nodes[%d]", child,
                                       parent[child], i);
            parent[child] = i;
        }
    }
    return ER_OK;
}

// The nodes that the default scene lists, or all nodes without a parent if the file has no scene.
static er_result list_scene(gltf_reader *g, const int *parent, bool *listed, int **root, int *root_count)
{
    int n = g->doc.node_count, scene = -1, count = 0;
    er_result r = ER_OK;
    ERI_TRY_NEW(*root, g->scratch, int, n);
    ERI_TRY(imp_gltf_index(&g->doc, g->doc.root, "scene", imp_gltf_count(&g->doc, "scenes"), "glTF", 0, &scene));
    const json_t *nodes = json_object_get(imp_gltf_item(&g->doc, "scenes", scene >= 0 ? scene : 0), "nodes");
    for (size_t k = 0; k < json_array_size(nodes); ++k) {
        int node;
        ERI_TRY(imp_gltf_index_value(&g->doc, json_array_get(nodes, k), n, "scenes", scene >= 0 ? scene : 0, "nodes",
                                     &node));
        if (parent[node] < 0 && !listed[node]) (*root)[count++] = node;
        listed[node] = true;
    }
    bool all = imp_gltf_count(&g->doc, "scenes") == 0;
    for (int i = 0; i < n; ++i) {
        if (parent[i] < 0 && !listed[i]) (*root)[count++] = i;
        listed[i] = listed[i] || all;
    }
    *root_count = count;
done:
    return r;
}

// Depth first, in the file's order; `order[k]` is the file's index of our node k.
static er_result order_nodes(gltf_reader *g, const int *root, int root_count, int *order)
{
    int n = g->doc.node_count, *stack = NULL, top = 0, count = 0;
    er_result r = ER_OK;
    ERI_TRY_NEW(stack, g->scratch, int, n);
    for (int i = root_count; i-- > 0;)
        stack[top++] = root[i];
    while (top > 0) {
        int node = order[count] = stack[--top];
        g->node_at[node] = count++;
        const json_t *children = json_object_get(imp_gltf_item(&g->doc, "nodes", node), "children");
        for (size_t k = json_array_size(children); k-- > 0;) // each node is a child only once, so the stack has room
            stack[top++] = (int)json_number_value(json_array_get(children, k));
    }
    if (count < n) ERI_TRY(imp_gltf_broken(&g->doc, "%d nodes are their own ancestors", n - count));
done:
    return r;
}

// 3.5.3: a matrix, or translation, rotation and scale.
static er_result read_transform(gltf_reader *g, const json_t *object, int source, er_affine *local, eri_trs *trs)
{
    double m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (imp_gltf_numbers(object, "matrix", 16, m)) { // column-major
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                local->linear.m[i][j] = m[4 * j + i];
        local->translation = er_v3(m[12], m[13], m[14]);
        *trs = eri_trs_from_affine(*local);
        return ER_OK;
    }
    imp_gltf_numbers(object, "translation", 3, t);
    imp_gltf_numbers(object, "rotation", 4, q);
    imp_gltf_numbers(object, "scale", 3, s);
    er_quat rotation = er_q(q[3], q[0], q[1], q[2]);
    double norm = sqrt(er_q_dot(rotation, rotation));
    *trs = (eri_trs){er_v3(t[0], t[1], t[2]), er_q_unit(rotation), er_v3(s[0], s[1], s[2])};
    *local = er_affine_from_trs(trs->translation, trs->rotation, trs->scale);
    if (fabs(norm - 1.0) <= 1e-3) return ER_OK;
    return imp_reader_note(g->reader, ER_NOTE_WARNING, "the rotation of nodes[%d] has length %g and was made unit",
                           source, norm);
}

static er_result read_node(gltf_reader *g, int source, int parent, er_node *node, eri_trs *trs)
{
    const json_t *object = imp_gltf_item(&g->doc, "nodes", source);
    const json_t *light = json_object_get(json_object_get(object, "extensions"), "KHR_lights_punctual");
    node->parent = parent >= 0 ? g->node_at[parent] : -1;
    node->source_index = source;
    node->flags = (json_object_get(object, "camera") != NULL ? ER_NODE_CAMERA : 0u) |
                  (json_object_get(light, "light") != NULL ? ER_NODE_LIGHT : 0u);
    er_result r = keep_name(g, object, &node->name);
    return r == ER_OK ? read_transform(g, object, source, &node->local, trs) : r;
}

// `shown`: [node_count] of ours, whether a node is part of the default scene.
static er_result read_nodes(gltf_reader *g, bool **shown)
{
    int n = g->doc.node_count, *parent = NULL, *order = NULL, *root = NULL, root_count = 0, hidden = 0;
    bool *listed = NULL;
    er_node *node = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(parent, g->scratch, int, n);
    ERI_TRY_NEW(order, g->scratch, int, n);
    ERI_TRY_NEW(listed, g->scratch, bool, n);
    ERI_TRY_NEW(*shown, g->scratch, bool, n);
    ERI_TRY_NEW(g->node_at, g->scratch, int, n);
    ERI_TRY_NEW(g->rest, g->scratch, eri_trs, n);
    ERI_TRY_NEW(node, g->reader->arena, er_node, n);
    ERI_TRY(find_parents(g, parent));
    ERI_TRY(list_scene(g, parent, listed, &root, &root_count));
    ERI_TRY(order_nodes(g, root, root_count, order));
    for (int k = 0; k < n; ++k) {
        ERI_TRY(read_node(g, order[k], parent[order[k]], &node[k], &g->rest[k]));
        (*shown)[k] = listed[order[k]] || (node[k].parent >= 0 && (*shown)[node[k].parent]);
        hidden += !(*shown)[k];
    }
    ERI_TRY(imp_gltf_read_vrm(&g->doc, g->node_at, node, &g->scene->forward));
    g->scene->node = node;
    g->scene->node_count = n;
    if (hidden > 0)
        ERI_TRY(imp_reader_note(g->reader, ER_NOTE_FACT, "%d nodes lie outside the default scene and draw nothing",
                                hidden));
done:
    return r;
}

// ---- meshes ----

// An attribute as finite floats of `components` each (a colour of 3 gets alpha 1); NULL if it is absent, of another
// length or not finite. Positions that are not finite are an error.
static er_result read_attribute(gltf_reader *g, const imp_gltf_geometry *from, const char *name, const char *types,
                                int components, int vertex_count, const float **out)
{
    int count = 0, given = 0;
    double *v = NULL;
    float *f = NULL;
    er_arena *scratch = NULL;
    er_result r = ER_OK;
    *out = NULL;
    ERI_TRY(eri_arena_create(g->reader->context, &scratch));
    ERI_TRY(imp_gltf_attribute(&g->doc, from, name, types, scratch, &count, &given, &v));
    if (v == NULL) goto done;
    ERI_TRY_NEW(f, g->reader->arena, float, (size_t)count *(size_t)components);
    bool good = count == vertex_count;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < components; ++j) {
            float value = j < given ? (float)v[(size_t)i * (size_t)given + (size_t)j] : 1.0f;
            good = good && isfinite(value);
            f[(size_t)i * (size_t)components + (size_t)j] = value;
        }
    if (good)
        *out = f;
    else
        ++g->dropped_attributes;
done:
    eri_arena_destroy(scratch);
    return r;
}

static er_result read_positions(gltf_reader *g, const imp_gltf_geometry *from, er_mesh *mesh)
{
    const json_t *attributes = json_object_get(from->primitive, "attributes");
    int accessor = -1;
    uint64_t count = 0;
    er_result r = ER_OK;
    ERI_TRY(imp_gltf_index(&g->doc, attributes, "POSITION", g->doc.accessor_count, "attributes", 0, &accessor));
    ERI_TRY(imp_gltf_size(&g->doc, imp_gltf_item(&g->doc, "accessors", accessor), "count", 0, "accessors", accessor,
                          &count));
    mesh->vertex_count = count <= INT_MAX ? (int)count : 0;
    ERI_TRY(read_attribute(g, from, "POSITION", "VEC3", 3, mesh->vertex_count, &mesh->position));
    if (mesh->position == NULL)
        ERI_TRY(imp_gltf_broken(&g->doc, "the positions of the mesh \"%s\" are not %d points of finite numbers",
                                mesh->name, mesh->vertex_count));
done:
    return r;
}

// [mesh_count]: the weights of morph targets at rest (3.7.2.2): those of the only node that draws a mesh, or the
// mesh's.
static er_result find_morph_weights(gltf_reader *g, const json_t **weights)
{
    int *drawn = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(drawn, g->scratch, int, g->doc.mesh_count);
    for (int i = 0; i < g->doc.node_count; ++i) {
        const json_t *node = imp_gltf_item(&g->doc, "nodes", i), *own = json_object_get(node, "weights");
        int mesh = -1;
        ERI_TRY(imp_gltf_index(&g->doc, node, "mesh", g->doc.mesh_count, "nodes", i, &mesh));
        if (mesh >= 0) weights[mesh] = drawn[mesh]++ == 0 ? own : NULL;
    }
    for (int i = 0; i < g->doc.mesh_count; ++i)
        if (weights[i] == NULL) weights[i] = json_object_get(imp_gltf_item(&g->doc, "meshes", i), "weights");
done:
    return r;
}

// Adds the displacements of morph targets to the positions and normals, by their weights at rest.
static er_result apply_morphs(gltf_reader *g, const imp_gltf_geometry *from, const json_t *weights, er_mesh *mesh)
{
    static const char *const names[] = {"POSITION", "NORMAL"};
    const json_t *targets = json_object_get(from->primitive, "targets");
    er_result r = ER_OK;
    for (size_t t = 0; t < json_array_size(targets); ++t) {
        double weight = json_number_value(json_array_get(weights, t));
        g->morphs += weight != 0.0;
        for (int k = 0; weight != 0.0 && k < 2; ++k) {
            float *to = (float *)(uintptr_t)(k == 0 ? mesh->position : mesh->normal);
            int count = 0, accessor = -1;
            double *moved = NULL;
            ERI_TRY(imp_gltf_index(&g->doc, json_array_get(targets, t), names[k], g->doc.accessor_count, "targets",
                                   (int)t, &accessor));
            if (accessor < 0 || to == NULL) continue;
            ERI_TRY(
                imp_gltf_accessor_numbers(&g->doc, accessor, "VEC3", "morph target", g->scratch, &count, NULL, &moved));
            if (count != mesh->vertex_count)
                ERI_TRY(imp_gltf_broken(&g->doc, "the mesh \"%s\" has %d vertices, but %d in a morph target",
                                        mesh->name, mesh->vertex_count, count));
            for (size_t i = 0; i < 3 * (size_t)count; ++i) {
                float value = (float)(to[i] + weight * moved[i]);
                if (isfinite(value)) to[i] = value;
            }
        }
    }
done:
    return r;
}

// Corners of a primitive, not yet grouped into triangles.
static er_result read_corners(gltf_reader *g, const imp_gltf_geometry *from, const er_mesh *mesh, er_arena *scratch,
                              int *count, int **out)
{
    double *v = NULL;
    er_result r = ER_OK;
    ERI_TRY(imp_gltf_corners(&g->doc, from, scratch, count, &v));
    if (v == NULL) *count = mesh->vertex_count;
    ERI_TRY_NEW(*out, scratch, int, *count);
    for (int i = 0; i < *count; ++i) {
        double index = v != NULL ? v[i] : i;
        if (!(index >= 0.0 && index < mesh->vertex_count))
            ERI_TRY(imp_gltf_broken(&g->doc, "the mesh \"%s\" has a triangle with vertex %.0f of %d", mesh->name, index,
                                    mesh->vertex_count));
        (*out)[i] = (int)index;
    }
done:
    return r;
}

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

// 3.7.2.1: the corners of triangle i of a list, a strip or a fan.
static void triangle(int mode, const int *corner, int i, int *out)
{
    int odd = i & 1;
    const int list[3] = {3 * i, 3 * i + 1, 3 * i + 2}, strip[3] = {i, i + 1 + odd, i + 2 - odd},
              fan[3] = {i + 1, i + 2, 0};
    const int *at = mode == TRIANGLES ? list : mode == STRIP ? strip : fan;
    for (int k = 0; k < 3; ++k)
        out[k] = corner[at[k]];
}

static er_result read_triangles(gltf_reader *g, const imp_gltf_geometry *from, int mode, er_mesh *mesh)
{
    int count = 0, *corner = NULL, *index = NULL;
    er_arena *scratch = NULL;
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(g->reader->context, &scratch));
    ERI_TRY(read_corners(g, from, mesh, scratch, &count, &corner));
    mesh->triangle_count = mode == TRIANGLES ? count / 3 : count > 2 ? count - 2 : 0;
    ERI_TRY_NEW(index, g->reader->arena, int, 3 * (size_t)mesh->triangle_count);
    for (int i = 0; i < mesh->triangle_count; ++i)
        triangle(mode, corner, i, index + 3 * (ptrdiff_t)i);
    mesh->index = index;
done:
    eri_arena_destroy(scratch);
    return r;
}

// All of JOINTS_0 WEIGHTS_0, JOINTS_1 WEIGHTS_1, ... as one list.
static er_result read_influences(gltf_reader *g, const imp_gltf_geometry *from, er_mesh *mesh)
{
    const json_t *attributes = json_object_get(from->primitive, "attributes");
    int n = mesh->vertex_count, sets = 0, *vertex = NULL, *joint = NULL;
    size_t count = 0;
    double *weight = NULL;
    er_arena *scratch = NULL;
    char joints[24], weights[24];
    er_result r = ER_OK;
    for (;; ++sets) {
        snprintf(joints, sizeof joints, "JOINTS_%d", sets);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", sets);
        if (json_object_get(attributes, joints) == NULL || json_object_get(attributes, weights) == NULL) break;
    }
    if (sets == 0) goto done;
    ERI_TRY(eri_arena_create(g->reader->context, &scratch));
    ERI_TRY_NEW(vertex, scratch, int, 4 * (size_t)n * (size_t)sets);
    ERI_TRY_NEW(joint, scratch, int, 4 * (size_t)n * (size_t)sets);
    ERI_TRY_NEW(weight, scratch, double, 4 * (size_t)n * (size_t)sets);
    for (int set = 0; set < sets; ++set) {
        int joint_count = 0, weight_count = 0;
        double *j = NULL, *w = NULL;
        snprintf(joints, sizeof joints, "JOINTS_%d", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", set);
        ERI_TRY(imp_gltf_attribute(&g->doc, from, joints, "VEC4", scratch, &joint_count, NULL, &j));
        ERI_TRY(imp_gltf_attribute(&g->doc, from, weights, "VEC4", scratch, &weight_count, NULL, &w));
        if (joint_count != n || weight_count != n)
            ERI_TRY(imp_gltf_broken(&g->doc, "the mesh \"%s\" has %d vertices, but %d joints and %d weights in set %d",
                                    mesh->name, n, joint_count, weight_count, set));
        for (size_t k = 0; k < 4 * (size_t)n; ++k) {
            if (!(w[k] > 0.0)) continue;
            if (!(j[k] >= 0.0 && j[k] <= 65535.0)) // 3.7.3.1: bytes or shorts
                ERI_TRY(imp_gltf_broken(&g->doc, "the mesh \"%s\" has a weight on joint %g", mesh->name, j[k]));
            vertex[count] = (int)(k / 4);
            joint[count] = (int)j[k];
            weight[count++] = w[k];
        }
    }
    ERI_TRY(imp_reader_influences(g->reader, mesh, count, vertex, joint, weight, &g->uneven));
done:
    eri_arena_destroy(scratch);
    return r;
}

static void clamp_colors(er_mesh *mesh)
{
    float *color = (float *)(uintptr_t)mesh->color;
    for (size_t i = 0; color != NULL && i < 4 * (size_t)mesh->vertex_count; ++i)
        color[i] = unit(color[i]);
}

static er_result read_primitive(gltf_reader *g, const json_t *primitive, const json_t *weights, er_mesh *mesh)
{
    imp_gltf_geometry from = {0};
    char uv[24];
    uint64_t mode = TRIANGLES;
    er_result r = ER_OK;
    mesh->morph_count = (int)json_array_size(json_object_get(primitive, "targets"));
    ERI_TRY(imp_gltf_index(&g->doc, primitive, "material", g->doc.material_count, "primitives", 0, &mesh->material));
    ERI_TRY(imp_gltf_open_geometry(&g->doc, primitive, mesh->name, &from));
    if (from.mesh != NULL)
        ++g->draco_primitives; // Draco always yields a list of triangles
    else
        ERI_TRY(imp_gltf_size(&g->doc, primitive, "mode", TRIANGLES, "primitives", 0, &mode));
    ERI_TRY(read_positions(g, &from, mesh));
    snprintf(uv, sizeof uv, "TEXCOORD_%d", mesh->material >= 0 ? g->uv_set[mesh->material] : 0);
    ERI_TRY(read_attribute(g, &from, "NORMAL", "VEC3", 3, mesh->vertex_count, &mesh->normal));
    ERI_TRY(read_attribute(g, &from, uv, "VEC2", 2, mesh->vertex_count, &mesh->uv));
    ERI_TRY(read_attribute(g, &from, "COLOR_0", "VEC3 VEC4", 4, mesh->vertex_count, &mesh->color));
    clamp_colors(mesh);
    ERI_TRY(apply_morphs(g, &from, weights, mesh));
    ERI_TRY(read_triangles(g, &from, (int)mode, mesh));
    ERI_TRY(read_influences(g, &from, mesh));
done:
    imp_gltf_close_geometry(&from);
    return r;
}

// Points and lines have no surface; without positions there is nothing to draw.
static bool has_triangles(const json_t *primitive)
{
    double mode = imp_gltf_number(primitive, "mode", TRIANGLES);
    return mode >= TRIANGLES && mode <= FAN &&
           json_object_get(json_object_get(primitive, "attributes"), "POSITION") != NULL;
}

static er_result read_meshes(gltf_reader *g)
{
    size_t total = 0;
    int count = 0;
    er_mesh *mesh = NULL;
    const json_t **weights = NULL; // of morph targets
    er_result r = ER_OK;
    for (int i = 0; i < g->doc.mesh_count; ++i)
        total += json_array_size(json_object_get(imp_gltf_item(&g->doc, "meshes", i), "primitives"));
    if (total > INT_MAX) ERI_TRY(imp_gltf_broken(&g->doc, "there are more than 2^31 primitives"));
    ERI_TRY_NEW(mesh, g->reader->arena, er_mesh, total);
    ERI_TRY_NEW(g->range, g->scratch, mesh_range, g->doc.mesh_count);
    ERI_TRY_NEW(weights, g->scratch, const json_t *, g->doc.mesh_count);
    ERI_TRY(find_morph_weights(g, weights));
    for (int i = 0; i < g->doc.mesh_count; ++i) {
        const json_t *object = imp_gltf_item(&g->doc, "meshes", i), *primitives = json_object_get(object, "primitives");
        g->range[i].first = count;
        for (size_t k = 0; k < json_array_size(primitives); ++k) {
            const json_t *primitive = json_array_get(primitives, k);
            if (!has_triangles(primitive)) {
                ++g->skipped_primitives;
                continue;
            }
            ERI_TRY(keep_name(g, object, &mesh[count].name));
            ERI_TRY(read_primitive(g, primitive, weights[i], &mesh[count++]));
        }
        g->range[i].count = count - g->range[i].first;
    }
    g->scene->mesh = mesh;
    g->scene->mesh_count = count;
done:
    return r;
}

// ---- skins and instances ----

static er_result read_skin(gltf_reader *g, int i, er_skin *skin)
{
    const json_t *object = imp_gltf_item(&g->doc, "skins", i), *joints = json_object_get(object, "joints");
    size_t n = json_array_size(joints);
    int *joint = NULL, accessor = -1, count = 0;
    double *m = NULL;
    er_affine *inverse_bind = NULL;
    er_node *node = (er_node *)(uintptr_t)g->scene->node; // ours until the scene takes it
    er_result r = ER_OK;
    if (n > INT_MAX) ERI_TRY(imp_gltf_broken(&g->doc, "skins[%d] has %zu joints", i, n));
    ERI_TRY_NEW(joint, g->reader->arena, int, n);
    ERI_TRY_NEW(inverse_bind, g->reader->arena, er_affine, n);
    ERI_TRY(imp_gltf_index(&g->doc, object, "inverseBindMatrices", g->doc.accessor_count, "skins", i, &accessor));
    if (accessor >= 0)
        ERI_TRY(imp_gltf_accessor_numbers(&g->doc, accessor, "MAT4", "inverse bind matrices", g->scratch, &count, NULL,
                                          &m));
    if (accessor >= 0 && (size_t)count < n)
        ERI_TRY(imp_gltf_broken(&g->doc, "skins[%d] has %zu joints, but %d inverse bind matrices", i, n, count));
    for (size_t k = 0; k < n; ++k) {
        int source;
        ERI_TRY(
            imp_gltf_index_value(&g->doc, json_array_get(joints, k), g->doc.node_count, "skins", i, "joints", &source));
        joint[k] = g->node_at[source];
        node[joint[k]].flags |= ER_NODE_JOINT;
        inverse_bind[k] = er_affine_identity(); // 3.7.3.1: missing matrices are the identity
        for (int row = 0; m != NULL && row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                inverse_bind[k].linear.m[row][column] = m[16 * k + 4 * (size_t)column + (size_t)row];
        if (m != NULL) inverse_bind[k].translation = er_v3(m[16 * k + 12], m[16 * k + 13], m[16 * k + 14]);
    }
    *skin = (er_skin){"", (int)n, joint, inverse_bind};
    ERI_TRY(keep_name(g, object, &skin->name));
done:
    return r;
}

static er_result read_skins(gltf_reader *g)
{
    er_skin *skin = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(skin, g->reader->arena, er_skin, g->doc.skin_count);
    for (int i = 0; i < g->doc.skin_count; ++i)
        ERI_TRY(read_skin(g, i, &skin[i]));
    g->scene->skin = skin;
    g->scene->skin_count = g->doc.skin_count;
done:
    return r;
}

static er_result read_instances(gltf_reader *g, const bool *shown)
{
    size_t total = 0, count = 0;
    int unweighted = 0;
    er_instance *instance = NULL;
    er_result r = ER_OK;
    for (int pass = 0; pass < 2; ++pass) { // count, then fill
        for (int k = 0; k < g->scene->node_count; ++k) {
            int source = g->scene->node[k].source_index, mesh = -1, skin = -1;
            const json_t *object = imp_gltf_item(&g->doc, "nodes", source);
            ERI_TRY(imp_gltf_index(&g->doc, object, "mesh", g->doc.mesh_count, "nodes", source, &mesh));
            ERI_TRY(imp_gltf_index(&g->doc, object, "skin", g->doc.skin_count, "nodes", source, &skin));
            if (mesh < 0 || !shown[k]) continue;
            total += (size_t)g->range[mesh].count;
            for (int i = 0; pass == 1 && i < g->range[mesh].count; ++i)
                instance[count++] = (er_instance){k, g->range[mesh].first + i, skin};
        }
        if (pass == 0 && total > INT_MAX) ERI_TRY(imp_gltf_broken(&g->doc, "nodes draw more than 2^31 meshes"));
        if (pass == 0) ERI_TRY_NEW(instance, g->reader->arena, er_instance, total);
    }
    for (size_t i = 0; i < count; ++i)
        unweighted += instance[i].skin >= 0 && g->scene->mesh[instance[i].mesh].influence_start == NULL;
    if (unweighted > 0)
        ERI_TRY(imp_reader_note(g->reader, ER_NOTE_WARNING, "%d meshes have a skin but no weights and stay rigid",
                                unweighted));
    g->scene->instance = instance;
    g->scene->instance_count = (int)count;
done:
    return r;
}

// ---- animations ----

static bool path_of(const char *name, er_path *out)
{
    static const char *const names[] = {"translation", "rotation", "scale", "weights"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i)
        if (strcmp(name, names[i]) == 0) {
            *out = (er_path)i;
            return true;
        }
    return false;
}

static er_result read_channel_values(gltf_reader *g, int animation, const json_t *sampler, er_channel *c)
{
    static const char *const types[] = {"VEC3", "VEC4", "VEC3"};
    const char *interpolation = imp_gltf_string(sampler, "interpolation");
    int input = -1, output = -1, count = 0;
    double *time = NULL, *value = NULL;
    er_result r = ER_OK;
    ERI_TRY(imp_gltf_index(&g->doc, sampler, "input", g->doc.accessor_count, "animations", animation, &input));
    ERI_TRY(imp_gltf_index(&g->doc, sampler, "output", g->doc.accessor_count, "animations", animation, &output));
    if (input < 0 || output < 0)
        ERI_TRY(imp_gltf_broken(&g->doc, "animations[%d] has a sampler without input or output", animation));
    c->interpolation = strcmp(interpolation, "STEP") == 0          ? ER_STEP
                       : strcmp(interpolation, "CUBICSPLINE") == 0 ? ER_CUBIC
                                                                   : ER_LINEAR;
    ERI_TRY(
        imp_gltf_accessor_numbers(&g->doc, input, "SCALAR", "key times", g->reader->arena, &c->key_count, NULL, &time));
    if (c->path != ER_PATH_MORPH) {
        ERI_TRY(imp_gltf_accessor_numbers(&g->doc, output, types[c->path], "key values", g->reader->arena, &count, NULL,
                                          &value));
        if ((int64_t)count < (c->interpolation == ER_CUBIC ? 3 : 1) * (int64_t)c->key_count)
            ERI_TRY(imp_gltf_broken(&g->doc, "animations[%d] has %d key times, but %d values", animation, c->key_count,
                                    count));
    }
    imp_reader_clean_channel(c, time, value, &g->dropped_keys);
done:
    return r;
}

static er_result read_clip(gltf_reader *g, int i, er_clip *clip)
{
    const json_t *object = imp_gltf_item(&g->doc, "animations", i), *channels = json_object_get(object, "channels");
    const json_t *samplers = json_object_get(object, "samplers");
    size_t n = json_array_size(channels);
    int count = 0;
    er_channel *channel = NULL;
    er_result r = ER_OK;
    ERI_TRY(keep_name(g, object, &clip->name));
    if (n > INT_MAX / 4) ERI_TRY(imp_gltf_broken(&g->doc, "animations[%d] has %zu channels", i, n));
    ERI_TRY_NEW(channel, g->reader->arena, er_channel, n);
    for (size_t k = 0; k < n; ++k) {
        const json_t *item = json_array_get(channels, k), *target = json_object_get(item, "target");
        int sampler = -1, node = -1;
        er_channel *c = &channel[count];
        ERI_TRY(imp_gltf_index(&g->doc, target, "node", g->doc.node_count, "animations", i, &node));
        ERI_TRY(imp_gltf_index(&g->doc, item, "sampler", (int)json_array_size(samplers), "animations", i, &sampler));
        if (node < 0 || sampler < 0 || !path_of(imp_gltf_string(target, "path"), &c->path)) {
            ++g->dropped_channels; // an extension's target, which is no node
            continue;
        }
        c->node = g->node_at[node];
        ERI_TRY(read_channel_values(g, i, json_array_get(samplers, (size_t)sampler), c));
        if (c->key_count > 0) ++count;
    }
    ERI_TRY(imp_reader_finish_clip(g->reader, clip, channel, count, g->rest));
done:
    return r;
}

static er_result read_clips(gltf_reader *g)
{
    int n = imp_gltf_count(&g->doc, "animations");
    er_clip *clip = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(clip, g->reader->arena, er_clip, n);
    for (int i = 0; i < n; ++i)
        ERI_TRY(read_clip(g, i, &clip[i]));
    g->scene->clip = clip;
    g->scene->clip_count = n;
done:
    return r;
}

// ---- the whole document ----

static er_result note_losses(gltf_reader *g)
{
    int compressed_views = 0;
    for (int i = 0; i < g->doc.view_count; ++i)
        compressed_views += g->doc.view[i].at != NULL;
    const struct {
        int count;
        er_note_kind kind;
        const char *text;
    } losses[] = {{g->skipped_primitives, ER_NOTE_FACT, "primitives are points, lines or empty and are left out"},
                  {g->morphs, ER_NOTE_FACT, "morph targets have a weight at rest and shape their mesh"},
                  {g->draco_primitives, ER_NOTE_FACT, "primitives were compressed with Draco"},
                  {compressed_views, ER_NOTE_FACT, "buffer views were compressed with meshoptimizer"},
                  {g->uneven, ER_NOTE_FACT, "vertices had weights that did not sum to 1 and were scaled"},
                  {g->dropped_attributes, ER_NOTE_WARNING,
                   "normals, texture coordinates or colours have not one finite value a vertex and are left out"},
                  {g->dropped_keys, ER_NOTE_WARNING, "animation keys are out of order or not finite and are left out"},
                  {g->dropped_channels, ER_NOTE_WARNING, "animation channels move no node and are left out"}};
    for (size_t i = 0; i < ERI_COUNT(losses); ++i) {
        if (losses[i].count == 0) continue;
        er_result r = imp_reader_note(g->reader, losses[i].kind, "%d %s", losses[i].count, losses[i].text);
        if (r != ER_OK) return r;
    }
    return ER_OK;
}

er_result imp_read_gltf(imp_reader *reader, imp_bytes file)
{
    gltf_reader g = {.reader = reader, .scene = reader->scene};
    bool *shown = NULL;
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(reader->context, &g.scratch));
    ERI_TRY(imp_gltf_open(&g.doc, reader, file));
    ERI_TRY(check_extensions(&g));
    ERI_TRY(read_materials(&g));
    ERI_TRY(read_nodes(&g, &shown));
    ERI_TRY(read_meshes(&g));
    ERI_TRY(read_skins(&g));
    ERI_TRY(read_instances(&g, shown));
    ERI_TRY(read_clips(&g));
    ERI_TRY(note_losses(&g));
    ERI_TRY(imp_gltf_keep_source(&g.doc));
done:
    json_decref(g.doc.root);
    eri_arena_destroy(g.scratch);
    return r;
}
