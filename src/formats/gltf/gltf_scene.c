// A scene as a glTF document: nodes, meshes, skins, materials, pictures.
#include "formats/gltf/gltf_scene.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gltf/gltf_trs.h"
#include "scene/writing.h"

#define SHEAR_LIMIT 1e-6    // relative; importers keep matrices in floats, which are good to 6e-8
#define IDENTITY_LIMIT 1e-9 // of units and up axis: far below a float's rounding
#define MAX_INFLUENCES 8    // two sets; viewers read no more
#define NONE (-1)

// The joints and weights of a mesh, as accessors. Vertices without influences follow joint `neutral`.
typedef struct influence_set {
    struct influence_set *next;
    int neutral; // NONE where every vertex has influences
    int set_count;
    int joints[MAX_INFLUENCES / 4];
    int weights[MAX_INFLUENCES / 4];
} influence_set;

// The accessors of a mesh; NONE where it is not written, or lacks one.
typedef struct mesh_data {
    bool written;
    bool has_unweighted; // some vertex has no influence
    int position, normal, uv, color, index;
    influence_set *influences;
} mesh_data;

// A glTF mesh made of some scene meshes.
typedef struct mesh_group {
    struct mesh_group *next; // with the same first mesh
    const int *order;        // [count] instances whose meshes these are
    int count;
    bool skinned;
    int neutral;
    int index;
} mesh_group;

// A glTF skin: a scene skin, with a joint for unweighted vertices at `node` or NONE.
typedef struct skin_group {
    struct skin_group *next; // of the same scene skin
    int node;
    int index;
} skin_group;

typedef struct scene_writer {
    eri_gltf_document *document;
    const er_scene *scene;
    json_t *roots;       // the scene's "nodes", borrowed
    int top;             // node above the scene's roots, or NONE
    int first;           // instance to be written
    int *order;          // [instance_count] those that draw something, by node, then skin
    mesh_data *mesh;     // [mesh_count]
    mesh_group **groups; // [mesh_count], by first mesh
    skin_group **skins;  // [skin_count]
    int *joint_of;       // [node_count], the last glTF skin that a node became a joint of, or NONE
    int *material;       // [2 material_count], without and with pictures; NONE until written
    int *texture;        // [image_count]; NONE until written
} scene_writer;

// --- nodes

static void attach(scene_writer *w, int node, int parent)
{
    json_t *object = eri_gltf_at(w->document, "nodes", parent);
    json_t *list = parent == NONE ? w->roots : eri_gltf_list(w->document, object, "children");
    eri_gltf_push(w->document, list, json_integer(node));
}

static void put_nodes(scene_writer *w)
{
    for (int i = 0; i < w->scene->node_count; ++i) {
        const er_node *node = &w->scene->node[i];
        int index;
        json_t *object = eri_gltf_new(w->document, "nodes", &index);
        eri_gltf_put_text(w->document, object, "name", node->name);
        double shear;
        eri_trs trs = eri_gltf_split(node->local, &shear);
        if (shear <= SHEAR_LIMIT)
            eri_gltf_put_trs(w->document, object, trs);
        else
            eri_gltf_put_matrix(w->document, object, node->local);
    }
}

// The joints of a skin must meet in one node (glTF 2.0, 3.7.3.1).
static er_result skins_span_roots(const scene_writer *w, bool *span)
{
    er_result r = ER_OK;
    int *root;
    ERI_TRY_NEW(root, w->document->arena, int, w->scene->node_count);
    for (int i = 0; i < w->scene->node_count; ++i)
        root[i] = w->scene->node[i].parent == NONE ? i : root[w->scene->node[i].parent];
    *span = false;
    for (int i = 0; i < w->scene->skin_count; ++i)
        for (int k = 1; k < w->scene->skin[i].joint_count; ++k)
            if (root[w->scene->skin[i].joint[k]] != root[w->scene->skin[i].joint[0]]) *span = true;
    // A joint for unweighted vertices is to come at the instance's node.
    for (int i = 0; i < w->scene->instance_count; ++i) {
        const er_instance *instance = &w->scene->instance[i];
        const er_skin *skin = instance->skin != NONE ? &w->scene->skin[instance->skin] : NULL;
        bool unweighted = w->mesh[instance->mesh].has_unweighted && skin != NULL && skin->joint_count > 0;
        if (unweighted && root[instance->node] != root[skin->joint[0]]) *span = true;
    }
done:
    return r;
}

static er_result put_hierarchy(scene_writer *w)
{
    er_result r = ER_OK;
    const er_scene *scene = w->scene;
    double scale = scene->metres_per_unit;
    bool is_metric = fabs(scale - 1.0) <= IDENTITY_LIMIT;
    bool is_upright = er_v3_distance(scene->up, er_v3(0, 1, 0)) <= IDENTITY_LIMIT;
    bool span;
    ERI_TRY(skins_span_roots(w, &span));
    w->top = NONE;
    if (!is_metric || !is_upright || span) {
        json_t *object = eri_gltf_new(w->document, "nodes", &w->top);
        eri_gltf_put_text(w->document, object, "name", "eigenrig units");
        eri_trs trs = {er_v3(0, 0, 0), is_upright ? er_q_identity() : er_q_upright(scene->up),
                       is_metric ? er_v3(1, 1, 1) : er_v3(scale, scale, scale)};
        eri_gltf_put_trs(w->document, object, trs);
        attach(w, w->top, NONE);
    }
    for (int i = 0; i < scene->node_count; ++i)
        attach(w, i, scene->node[i].parent != NONE ? scene->node[i].parent : w->top);
done:
    return r;
}

// --- data

// A new accessor with a bufferView of its own, and room for its elements.
static uint8_t *add_accessor(eri_gltf_document *document, int component_type, size_t stride, int count,
                             const char *type, int target, json_t **accessor, int *index)
{
    size_t offset = 0, size = stride * (size_t)count;
    uint8_t *room = eri_gltf_add_bytes(document, size, &offset);
    int view = eri_gltf_view(document, offset, size, target);
    *accessor = eri_gltf_accessor(document, view, 0, component_type, count, type, index);
    return room;
}

static float *add_vertex_floats(scene_writer *w, int components, int count, json_t **accessor, int *index)
{
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    return (float *)(void *)add_accessor(w->document, ERI_GLTF_FLOAT, (size_t)components * sizeof(float), count,
                                         types[components - 1], ERI_GLTF_ARRAY_BUFFER, accessor, index);
}

static int put_positions(scene_writer *w, const er_mesh *mesh)
{
    json_t *accessor;
    int index;
    float *room = add_vertex_floats(w, 3, mesh->vertex_count, &accessor, &index);
    if (room == NULL) return NONE;
    memcpy(room, mesh->position, 3 * (size_t)mesh->vertex_count * sizeof *room);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], (double)room[i]);
        high[i % 3] = fmax(high[i % 3], (double)room[i]);
    }
    eri_gltf_put_numbers(w->document, accessor, "min", low, 3);
    eri_gltf_put_numbers(w->document, accessor, "max", high, 3);
    return index;
}

// Normals must have length 1 (glTF 2.0, 3.7.2.1); one that has no direction gets +Y.
static int put_normals(scene_writer *w, const er_mesh *mesh)
{
    json_t *accessor;
    int index;
    float *room = mesh->normal != NULL ? add_vertex_floats(w, 3, mesh->vertex_count, &accessor, &index) : NULL;
    if (room == NULL) return NONE;
    const float *in = mesh->normal;
    for (int i = 0; i < mesh->vertex_count; ++i, in += 3, room += 3) {
        er_vec3 n = er_v3_unit(er_v3((double)in[0], (double)in[1], (double)in[2]), er_v3(0, 1, 0));
        room[0] = (float)n.x;
        room[1] = (float)n.y;
        room[2] = (float)n.z;
    }
    return index;
}

// Values of vertices as they are.
static int put_values(scene_writer *w, const float *value, int width, int vertex_count)
{
    json_t *accessor;
    int index;
    float *room = value != NULL ? add_vertex_floats(w, width, vertex_count, &accessor, &index) : NULL;
    if (room == NULL) return NONE;
    memcpy(room, value, (size_t)width * (size_t)vertex_count * sizeof *room);
    return index;
}

static int put_indices(scene_writer *w, const er_mesh *mesh)
{
    bool narrow = mesh->vertex_count <= UINT16_MAX; // 65535 itself is not an index (glTF 2.0, 3.7.2.1)
    int type = narrow ? ERI_GLTF_UNSIGNED_SHORT : ERI_GLTF_UNSIGNED_INT;
    json_t *accessor;
    int index;
    uint8_t *room = add_accessor(w->document, type, narrow ? 2 : 4, 3 * mesh->triangle_count, "SCALAR",
                                 ERI_GLTF_ELEMENT_ARRAY_BUFFER, &accessor, &index);
    if (room == NULL) return NONE;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        uint32_t wide = (uint32_t)mesh->index[i];
        uint16_t value = (uint16_t)wide;
        memcpy(room + (narrow ? 2 : 4) * i, narrow ? (const void *)&value : (const void *)&wide, narrow ? 2 : 4);
    }
    return index;
}

// --- influences

typedef struct influence {
    int joint;
    double weight;
} influence;

static int by_weight(const void *left, const void *right)
{
    const influence *a = left, *b = right;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return (a->joint > b->joint) - (a->joint < b->joint);
}

static int by_joint(const void *left, const void *right)
{
    const influence *a = left, *b = right;
    return (a->joint > b->joint) - (a->joint < b->joint);
}

// The influences of a vertex, strongest first, one for each joint, at most MAX_INFLUENCES; `all` has room for them all.
static int strongest(const er_mesh *mesh, int vertex, int neutral, influence *all)
{
    int begin = 0, end = 0, count = 0;
    if (mesh->influence_start != NULL) {
        begin = mesh->influence_start[vertex];
        end = mesh->influence_start[vertex + 1];
    }
    if (begin == end) {
        all[0] = (influence){neutral, 1.0};
        return 1;
    }
    for (int i = begin; i < end; ++i)
        all[i - begin] = (influence){mesh->influence_joint[i], (double)mesh->influence_weight[i]};
    qsort(all, (size_t)(end - begin), sizeof *all, by_joint);
    for (int i = 0; i < end - begin; ++i) {
        if (count > 0 && all[count - 1].joint == all[i].joint)
            all[count - 1].weight += all[i].weight;
        else
            all[count++] = all[i];
    }
    qsort(all, (size_t)count, sizeof *all, by_weight);
    return count < MAX_INFLUENCES ? count : MAX_INFLUENCES;
}

// Weights as floats that sum to 1 within one rounding: the strongest takes what the others leave.
static void normalise_weights(const influence *from, int count, int *joint, float *weight)
{
    double sum = 0.0, rest = 1.0;
    for (int i = 0; i < count; ++i)
        sum += from[i].weight;
    for (int i = count - 1; i > 0; --i) {
        weight[i] = (float)(from[i].weight / sum);
        joint[i] = from[i].joint;
        rest -= (double)weight[i];
    }
    weight[0] = (float)rest;
    joint[0] = from[0].joint;
}

static void survey_influences(const er_mesh *mesh, int neutral, int *most, int *highest)
{
    *most = 1;
    *highest = neutral != NONE ? neutral : 0;
    if (mesh->influence_start == NULL) return;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        int count = mesh->influence_start[i + 1] - mesh->influence_start[i];
        if (count > *most) *most = count;
    }
    for (int i = 0; i < mesh->influence_start[mesh->vertex_count]; ++i)
        if (mesh->influence_joint[i] > *highest) *highest = mesh->influence_joint[i];
}

static er_result fill_influences(scene_writer *w, const er_mesh *mesh, influence_set *set, int most, bool narrow)
{
    er_result r = ER_OK;
    size_t stride = narrow ? 4 : 8;
    size_t slots = 4 * (size_t)set->set_count;
    int *joint;
    float *weight;
    influence *all;
    size_t total = slots * (size_t)mesh->vertex_count;
    ERI_TRY_NEW(all, w->document->arena, influence, most);
    ERI_TRY_NEW(joint, w->document->arena, int, total);
    ERI_TRY_NEW(weight, w->document->arena, float, total);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        int count = strongest(mesh, i, set->neutral, all);
        normalise_weights(all, count, joint + slots * (size_t)i, weight + slots * (size_t)i);
    }
    for (int s = 0; s < set->set_count; ++s) {
        json_t *accessor;
        uint8_t *joints = add_accessor(w->document, narrow ? ERI_GLTF_UNSIGNED_BYTE : ERI_GLTF_UNSIGNED_SHORT, stride,
                                       mesh->vertex_count, "VEC4", ERI_GLTF_ARRAY_BUFFER, &accessor, &set->joints[s]);
        for (int i = 0; joints != NULL && i < 4 * mesh->vertex_count; ++i) {
            uint16_t value = (uint16_t)joint[slots * (size_t)(i / 4) + (size_t)(4 * s + i % 4)];
            memcpy(joints + (size_t)i * stride / 4, &value, stride / 4); // little-endian: the low byte comes first
        }
        float *weights = add_vertex_floats(w, 4, mesh->vertex_count, &accessor, &set->weights[s]);
        for (int i = 0; weights != NULL && i < mesh->vertex_count; ++i)
            memcpy(weights + 4 * (size_t)i, weight + slots * (size_t)i + 4 * s, 4 * sizeof *weights);
    }
done:
    return r;
}

static er_result influences_of(scene_writer *w, int mesh_index, int neutral, const influence_set **out)
{
    er_result r = ER_OK;
    const er_mesh *mesh = &w->scene->mesh[mesh_index];
    mesh_data *data = &w->mesh[mesh_index];
    if (!data->has_unweighted) neutral = NONE;
    influence_set *set = data->influences;
    while (set != NULL && set->neutral != neutral)
        set = set->next;
    if (set == NULL) {
        int most, highest;
        survey_influences(mesh, neutral, &most, &highest);
        if (highest > UINT16_MAX)
            return er_fail(eri_arena_context(w->document->arena), ER_ERROR_ARGUMENT,
                           "%s: cannot be written: a mesh follows joint %d, and glTF counts to 65535; split the skin",
                           w->document->path, highest);
        ERI_TRY_NEW(set, w->document->arena, influence_set, 1);
        set->neutral = neutral;
        set->set_count = most > 4 ? 2 : 1;
        ERI_TRY(fill_influences(w, mesh, set, most, highest <= UINT8_MAX));
        set->next = data->influences;
        data->influences = set;
    }
    *out = set;
done:
    return r;
}

// --- materials

static int texture_of(scene_writer *w, int image_index)
{
    eri_gltf_document *d = w->document;
    int *slot = &w->texture[image_index];
    if (*slot != NONE) return *slot;
    const er_image *image = &w->scene->image[image_index];
    int index;
    json_t *object = eri_gltf_new(d, "images", &index);
    eri_gltf_put_text(d, object, "name", image->name);
    if (d->binary)
        eri_gltf_put_blob(d, object, image->mime, image->bytes, image->size);
    else
        eri_gltf_put_data_uri(d, object, image->mime, image->bytes, image->size);
    json_t *texture = eri_gltf_new(d, "textures", slot);
    eri_gltf_put(d, texture, "source", json_integer(index));
    return *slot;
}

static void put_texture(scene_writer *w, json_t *object, const char *key, int image)
{
    if (image == NONE) return;
    json_t *info = eri_gltf_put(w->document, object, key, json_object());
    eri_gltf_put(w->document, info, "index", json_integer(texture_of(w, image)));
}

// A material on a mesh without texture coordinates may name no picture, hence the two forms.
static int material_of(scene_writer *w, int material_index, bool pictures)
{
    static const char *const alpha_modes[] = {"OPAQUE", "MASK", "BLEND"};
    int *slot = &w->material[2 * material_index + (pictures ? 1 : 0)];
    if (*slot != NONE) return *slot;
    eri_gltf_document *d = w->document;
    const er_material *m = &w->scene->material[material_index];
    json_t *object = eri_gltf_new(d, "materials", slot);
    eri_gltf_put_text(d, object, "name", m->name);
    json_t *pbr = eri_gltf_put(d, object, "pbrMetallicRoughness", json_object());
    double base[4], emissive[3];
    for (int i = 0; i < 4; ++i)
        base[i] = (double)m->base_color[i];
    for (int i = 0; i < 3; ++i)
        emissive[i] = (double)m->emissive[i];
    eri_gltf_put_numbers(d, pbr, "baseColorFactor", base, 4);
    eri_gltf_put(d, pbr, "metallicFactor", json_real((double)m->metallic));
    eri_gltf_put(d, pbr, "roughnessFactor", json_real((double)m->roughness));
    eri_gltf_put_numbers(d, object, "emissiveFactor", emissive, 3);
    eri_gltf_put(d, object, "alphaMode", json_string(alpha_modes[m->alpha_mode]));
    if (m->alpha_mode == ER_ALPHA_MASK)
        eri_gltf_put(d, object, "alphaCutoff", json_real(fmin(fmax((double)m->alpha_cutoff, 0.0), 1.0)));
    eri_gltf_put(d, object, "doubleSided", json_boolean(m->double_sided));
    if (pictures) {
        put_texture(w, pbr, "baseColorTexture", m->base_color_image);
        put_texture(w, object, "normalTexture", m->normal_image);
        put_texture(w, object, "emissiveTexture", m->emissive_image);
    }
    return *slot;
}

// --- meshes

static void put_mesh_data(scene_writer *w, int mesh_index)
{
    const er_mesh *mesh = &w->scene->mesh[mesh_index];
    mesh_data *data = &w->mesh[mesh_index];
    if (data->written) return;
    data->written = true;
    if (mesh->triangle_count > INT_MAX / 3) {
        eri_gltf_fail(w->document, ER_ERROR_FILE,
                      "%s: cannot be written: mesh \"%s\" has %d triangles; use a smaller model", w->document->path,
                      mesh->name, mesh->triangle_count);
        return;
    }
    data->position = put_positions(w, mesh);
    data->normal = put_normals(w, mesh);
    data->uv = put_values(w, mesh->uv, 2, mesh->vertex_count);
    data->color = put_values(w, mesh->color, 4, mesh->vertex_count);
    data->index = put_indices(w, mesh);
}

static void put_attribute(scene_writer *w, json_t *attributes, const char *name, int accessor)
{
    if (accessor != NONE) eri_gltf_put(w->document, attributes, name, json_integer(accessor));
}

static er_result put_primitive(scene_writer *w, json_t *primitives, int mesh_index, const mesh_group *group)
{
    static const char *const joint_names[] = {"JOINTS_0", "JOINTS_1"};
    static const char *const weight_names[] = {"WEIGHTS_0", "WEIGHTS_1"};
    er_result r = ER_OK;
    eri_gltf_document *d = w->document;
    const er_mesh *mesh = &w->scene->mesh[mesh_index];
    const mesh_data *data = &w->mesh[mesh_index];
    put_mesh_data(w, mesh_index);
    json_t *primitive = eri_gltf_push(d, primitives, json_object());
    json_t *attributes = eri_gltf_put(d, primitive, "attributes", json_object());
    put_attribute(w, attributes, "POSITION", data->position);
    put_attribute(w, attributes, "NORMAL", data->normal);
    put_attribute(w, attributes, "TEXCOORD_0", data->uv);
    put_attribute(w, attributes, "COLOR_0", data->color);
    if (group->skinned) {
        const influence_set *set = NULL;
        ERI_TRY(influences_of(w, mesh_index, group->neutral, &set));
        for (int s = 0; s < set->set_count; ++s) {
            put_attribute(w, attributes, joint_names[s], set->joints[s]);
            put_attribute(w, attributes, weight_names[s], set->weights[s]);
        }
    }
    eri_gltf_put(d, primitive, "indices", json_integer(data->index));
    if (mesh->material != NONE)
        eri_gltf_put(d, primitive, "material", json_integer(material_of(w, mesh->material, mesh->uv != NULL)));
done:
    return r;
}

static int mesh_at(const scene_writer *w, const mesh_group *group, int i)
{
    return w->scene->instance[group->order[i]].mesh;
}

static bool same_meshes(const scene_writer *w, const mesh_group *a, const mesh_group *b)
{
    if (a->count != b->count || a->skinned != b->skinned || a->neutral != b->neutral) return false;
    for (int i = 0; i < a->count; ++i)
        if (mesh_at(w, a, i) != mesh_at(w, b, i)) return false;
    return true;
}

// The glTF mesh of a group.
static er_result put_mesh(scene_writer *w, mesh_group wanted, int *index)
{
    er_result r = ER_OK;
    mesh_group **chain = &w->groups[mesh_at(w, &wanted, 0)];
    mesh_group *group = *chain;
    while (group != NULL && !same_meshes(w, group, &wanted))
        group = group->next;
    if (group == NULL) {
        ERI_TRY_NEW(group, w->document->arena, mesh_group, 1);
        *group = wanted;
        group->next = *chain;
        *chain = group;
        json_t *object = eri_gltf_new(w->document, "meshes", &group->index);
        eri_gltf_put_text(w->document, object, "name", w->scene->mesh[mesh_at(w, group, 0)].name);
        json_t *primitives = eri_gltf_put(w->document, object, "primitives", json_array());
        for (int i = 0; i < group->count; ++i)
            ERI_TRY(put_primitive(w, primitives, mesh_at(w, group, i), group));
    }
    *index = group->index;
done:
    return r;
}

// --- skins

static void put_affine(float *column, er_affine a)
{
    er_vec3 t = a.translation;
    for (int i = 0; i < 9; ++i)
        column[4 * (i % 3) + i / 3] = (float)a.linear.m[i / 3][i % 3];
    column[12] = (float)t.x;
    column[13] = (float)t.y;
    column[14] = (float)t.z;
    column[15] = 1.0f;
}

void eri_gltf_put_inverse_binds(eri_gltf_document *document, json_t *object, const er_skin *skin, int joint_count)
{
    json_t *accessor;
    int index;
    float *room = (float *)(void *)add_accessor(document, ERI_GLTF_FLOAT, 16 * sizeof(float), joint_count, "MAT4", 0,
                                                &accessor, &index);
    if (room == NULL) return;
    for (int i = 0; i < joint_count; ++i)
        put_affine(room + 16 * i, i < skin->joint_count ? skin->inverse_bind[i] : er_affine_identity());
    for (int i = 0; i < 16 * joint_count; ++i)
        if (!isfinite(room[i]))
            eri_gltf_fail(document, ER_ERROR_ARGUMENT,
                          "%s: cannot be written: an inverse bind matrix of skin \"%s\" is not finite", document->path,
                          skin->name);
    eri_gltf_put(document, object, "inverseBindMatrices", json_integer(index));
}

// A node is a joint of a skin once at most (glTF 2.0, 5.28): a second time, a child at its place stands for it.
static void put_joint(scene_writer *w, json_t *joints, int node, int skin)
{
    int index = node;
    if (w->joint_of[node] == skin) {
        json_t *object = eri_gltf_new(w->document, "nodes", &index);
        eri_gltf_put_text(w->document, object, "name", "eigenrig joint");
        attach(w, index, node);
    }
    w->joint_of[node] = skin;
    eri_gltf_push(w->document, joints, json_integer(index));
}

static er_result put_skin(scene_writer *w, int skin_index, int node, int *index)
{
    er_result r = ER_OK;
    const er_skin *skin = &w->scene->skin[skin_index];
    skin_group *group = w->skins[skin_index];
    while (group != NULL && group->node != node)
        group = group->next;
    if (group == NULL) {
        ERI_TRY_NEW(group, w->document->arena, skin_group, 1);
        *group = (skin_group){w->skins[skin_index], node, NONE};
        w->skins[skin_index] = group;
        json_t *object = eri_gltf_new(w->document, "skins", &group->index);
        eri_gltf_put_text(w->document, object, "name", skin->name);
        eri_gltf_put_inverse_binds(w->document, object, skin, skin->joint_count + (node != NONE ? 1 : 0));
        json_t *joints = eri_gltf_put(w->document, object, "joints", json_array());
        for (int i = 0; i < skin->joint_count; ++i)
            put_joint(w, joints, skin->joint[i], group->index);
        // vertices without influences go with the instance's node: a joint there, bound by the identity, says the same
        if (node != NONE) put_joint(w, joints, node, group->index);
    }
    *index = group->index;
done:
    return r;
}

// --- instances

int eri_gltf_node(const er_scene *scene, int node)
{
    return scene->format == ER_FORMAT_GLTF ? scene->node[node].source_index : node;
}

er_result eri_gltf_check_node(const eri_gltf_document *document, const er_scene *scene, int node)
{
    int index = eri_gltf_node(scene, node);
    er_result r = eri_gltf_check(document);
    if (r != ER_OK || eri_gltf_at(document, "nodes", index) != NULL) return r;
    return er_fail(eri_arena_context(document->arena), ER_ERROR_FORMAT,
                   "%s: has no node %d any more: it changed after it was read; read it again", scene->path, index);
}

// The node that a rigid mesh is to hang on: a child at its place where the node of a source has a mesh of its own.
static er_result find_holder(scene_writer *w, int node, json_t **holder)
{
    int index = eri_gltf_node(w->scene, node), child;
    er_result r = eri_gltf_check_node(w->document, w->scene, node);
    if (r != ER_OK) return r;
    *holder = eri_gltf_at(w->document, "nodes", index);
    if (json_object_get(*holder, "mesh") == NULL) return ER_OK;
    *holder = eri_gltf_new(w->document, "nodes", &child);
    attach(w, child, index);
    return ER_OK;
}

// All meshes drawn at one node with one skin: one glTF mesh. Rigid ones hang on the node; skinned ones are roots of
// their own, because their node's transform means nothing.
static er_result put_group(scene_writer *w, const int *order, int count)
{
    er_result r = ER_OK;
    const er_instance *first = &w->scene->instance[order[0]];
    bool skinned = first->skin != NONE, unweighted = false;
    for (int i = 0; skinned && i < count; ++i)
        if (w->mesh[w->scene->instance[order[i]].mesh].has_unweighted) unweighted = true;
    mesh_group wanted = {.order = order, .count = count, .skinned = skinned};
    wanted.neutral = unweighted ? w->scene->skin[first->skin].joint_count : NONE;
    int mesh;
    ERI_TRY(put_mesh(w, wanted, &mesh));
    json_t *node = NULL;
    if (!skinned) {
        ERI_TRY(find_holder(w, first->node, &node));
    } else {
        int skin, index;
        ERI_TRY(put_skin(w, first->skin, unweighted ? first->node : NONE, &skin));
        node = eri_gltf_new(w->document, "nodes", &index);
        eri_gltf_put_text(w->document, node, "name", w->scene->mesh[first->mesh].name);
        eri_gltf_put(w->document, node, "skin", json_integer(skin));
        attach(w, index, NONE);
    }
    eri_gltf_put(w->document, node, "mesh", json_integer(mesh));
done:
    return r;
}

static er_result put_instances(scene_writer *w)
{
    er_result r = ER_OK;
    const er_instance *instance = w->scene->instance;
    int drawn = eri_scene_draws(w->scene, w->order), count = 0;
    for (int i = 0; i < drawn; ++i)
        if (w->order[i] >= w->first) w->order[count++] = w->order[i];
    for (int begin = 0, end; begin < count; begin = end) {
        const er_instance *first = &instance[w->order[begin]];
        for (end = begin + 1; end < count; ++end)
            if (instance[w->order[end]].node != first->node || instance[w->order[end]].skin != first->skin) break;
        ERI_TRY(put_group(w, w->order + begin, end - begin));
    }
done:
    return r;
}

// --- the whole

static er_result start_writer(scene_writer *w)
{
    er_result r = ER_OK;
    er_arena *arena = w->document->arena;
    const er_scene *scene = w->scene;
    ERI_TRY_NEW(w->order, arena, int, scene->instance_count);
    ERI_TRY_NEW(w->mesh, arena, mesh_data, scene->mesh_count);
    ERI_TRY_NEW(w->groups, arena, mesh_group *, scene->mesh_count);
    ERI_TRY_NEW(w->skins, arena, skin_group *, scene->skin_count);
    ERI_TRY_NEW(w->material, arena, int, 2 * (size_t)scene->material_count);
    ERI_TRY_NEW(w->texture, arena, int, scene->image_count);
    ERI_TRY_NEW(w->joint_of, arena, int, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        w->joint_of[i] = NONE;
    for (int i = 0; i < 2 * scene->material_count; ++i)
        w->material[i] = NONE;
    for (int i = 0; i < scene->image_count; ++i)
        w->texture[i] = NONE;
    for (int i = 0; i < scene->mesh_count; ++i)
        w->mesh[i].has_unweighted = eri_mesh_has_unweighted(&scene->mesh[i]);
done:
    return r;
}

er_result eri_gltf_put_scene(eri_gltf_document *document, const er_scene *scene)
{
    er_result r = ER_OK;
    scene_writer w = {.document = document, .scene = scene, .top = NONE};
    ERI_TRY(start_writer(&w));
    json_t *asset = eri_gltf_put(document, document->root, "asset", json_object());
    eri_gltf_put_text(document, asset, "version", "2.0");
    eri_gltf_put_text(document, asset, "generator", "eigenrig " ERI_VERSION);
    eri_gltf_put(document, document->root, "scene", json_integer(0));
    int index;
    json_t *root = eri_gltf_new(document, "scenes", &index);
    if (scene->node_count > 0) {
        w.roots = eri_gltf_put(document, root, "nodes", json_array());
        put_nodes(&w);
        ERI_TRY(put_hierarchy(&w));
        ERI_TRY(put_instances(&w));
    }
    r = eri_gltf_check(document);
done:
    return r;
}

er_result eri_gltf_add_instances(eri_gltf_document *document, const er_scene *scene)
{
    er_result r = ER_OK;
    scene_writer w = {
        .document = document, .scene = scene, .top = NONE, .first = scene->instance_count - scene->added_count};
    if (scene->added_count == 0) goto done;
    ERI_TRY(start_writer(&w));
    ERI_TRY(put_instances(&w));
    r = eri_gltf_check(document);
done:
    return r;
}
