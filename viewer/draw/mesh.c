// Instances of meshes as one array of vertices and one of triangles, joints resolved to slots.
#include <stdlib.h>
#include <string.h>

#include "viewer/draw/model.h"

// Slots of a scene while it is read: the first slot of each skin, and the slot of each node.
typedef struct slot_map {
    int *skin; // [skin_count], -1: none yet
    int *node; // [node_count]
} slot_map;

static bool shown(const er_scene *scene, const er_instance *i)
{
    return scene->mesh[i->mesh].triangle_count > 0 && scene->mesh[i->mesh].vertex_count > 0;
}

// Triangles with infinite corners, or with corners whose squares overflow a float, would fill the whole picture.
static er_affine finite_or_zero(er_affine a)
{
    const double most = 1e15, shift[3] = {a.translation.x, a.translation.y, a.translation.z};
    for (int i = 0; i < 12; ++i)
        if (!(fabs(i < 9 ? a.linear.m[i / 3][i % 3] : shift[i - 9]) < most)) return (er_affine){0};
    return a;
}

er_affine slot_rest(const slot *s, const er_recording_target *t)
{
    er_affine rest = er_affine_mul(t->world[s->node], s->bind);
    for (int i = 0; i < 9; ++i)
        rest.linear.m[i / 3][i % 3] *= t->metres_per_unit;
    rest.translation = er_v3_scale(t->metres_per_unit, rest.translation);
    return finite_or_zero(rest);
}

static int add_slot(mesh_build *b, int node, er_affine bind)
{
    int body = b->target->node_body[node];
    slot *s = &b->slot[b->slot_count];
    *s = (slot){.body = body >= 0 && body < b->body_count ? body : b->body_count, .node = node, .bind = bind};
    s->rest = slot_rest(s, b->target);
    return b->slot_count++;
}

// The slots of an instance: the first of its skin (-1: no skin), and that of its node.
static void find_slots(mesh_build *b, slot_map *map, const er_instance *i, int *skin, int *node)
{
    const er_scene *scene = b->target->scene;
    *skin = -1;
    if (i->skin >= 0) {
        const er_skin *s = &scene->skin[i->skin];
        if (map->skin[i->skin] < 0) {
            map->skin[i->skin] = b->slot_count;
            for (int k = 0; k < s->joint_count; ++k)
                add_slot(b, s->joint[k], s->inverse_bind[k]);
        }
        *skin = map->skin[i->skin];
    }
    if (map->node[i->node] < 0) map->node[i->node] = add_slot(b, i->node, er_affine_identity());
    *node = map->node[i->node];
}

// The heaviest influences, sorted; without any, the slot of the node.
static void set_influences(vertex *v, const er_mesh *mesh, int k, int skin, int node)
{
    float weight[MOST_INFLUENCES] = {0}, sum = 0.0f;
    bool skinned = skin >= 0 && mesh->influence_start != NULL;
    for (int i = skinned ? mesh->influence_start[k] : 0; skinned && i < mesh->influence_start[k + 1]; ++i) {
        float w = mesh->influence_weight[i];
        uint32_t joint = (uint32_t)(skin + mesh->influence_joint[i]);
        for (int at = 0; at < MOST_INFLUENCES; ++at)
            if (w > weight[at]) { // inserted here; the one that was here moves on
                float lighter = weight[at];
                uint32_t other = v->slot[at];
                weight[at] = w;
                v->slot[at] = joint;
                w = lighter;
                joint = other;
            }
    }
    for (int i = 0; i < MOST_INFLUENCES; ++i)
        sum += weight[i];
    if (!(sum > 0.0f)) {
        v->slot[0] = (uint32_t)node;
        weight[0] = sum = 1.0f;
    }
    for (int i = 0; i < MOST_INFLUENCES; ++i)
        v->weight[i] = (uint16_t)lrintf(65535.0f * weight[i] / sum);
}

static uint16_t part_of_one(float x)
{
    return (uint16_t)lrintf(65535.0f * fminf(fmaxf(x, 0.0f), 1.0f));
}

static void add_vertices(mesh_build *b, const er_mesh *mesh, int skin, int node)
{
    for (int k = 0; k < mesh->vertex_count; ++k) {
        vertex *v = &b->vertex[b->vertex_count++];
        *v = (vertex){.colour = {65535, 65535, 65535, 65535}};
        memcpy(v->position, mesh->position + 3 * (size_t)k, sizeof v->position);
        if (mesh->normal != NULL) memcpy(v->normal, mesh->normal + 3 * (size_t)k, sizeof v->normal);
        if (mesh->uv != NULL) memcpy(v->uv, mesh->uv + 2 * (size_t)k, sizeof v->uv);
        for (int i = 0; i < 4 && mesh->color != NULL; ++i)
            v->colour[i] = part_of_one(mesh->color[4 * (size_t)k + (size_t)i]);
        set_influences(v, mesh, k, skin, node);
    }
}

// Triangles of mirrored instances are wound the other way, so that they face outwards.
static void add_triangles(mesh_build *b, const er_mesh *mesh, int first, bool mirrored)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int *corner = mesh->index + 3 * (size_t)t;
        uint32_t *to = b->index + b->index_count;
        to[0] = (uint32_t)(first + corner[0]);
        to[1] = (uint32_t)(first + corner[mirrored ? 2 : 1]);
        to[2] = (uint32_t)(first + corner[mirrored ? 1 : 2]);
        b->index_count += 3;
    }
}

static bool blends(const er_scene *scene, int material)
{
    return material >= 0 && scene->material[material].alpha_mode == ER_ALPHA_BLEND;
}

static void add_batch(mesh_build *b, slot_map *map, int material, bool moves)
{
    const er_scene *scene = b->target->scene;
    batch made = {.material = material, .scenery = !moves, .start = b->index_count, .first_vertex = b->vertex_count};
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_instance *instance = &scene->instance[i];
        const er_mesh *mesh = &scene->mesh[instance->mesh];
        if (mesh->material != material || !shown(scene, instance)) continue;
        if (er_recording_moves(b->target, i) != moves) continue;
        int skin, node, first = b->vertex_count;
        find_slots(b, map, instance, &skin, &node);
        bool skinned = skin >= 0 && mesh->influence_start != NULL && scene->skin[instance->skin].joint_count > 0;
        add_vertices(b, mesh, skin, node);
        add_triangles(b, mesh, first, er_m3_det(b->slot[skinned ? skin : node].rest.linear) < 0.0);
    }
    made.count = b->index_count - made.start;
    made.vertex_count = b->vertex_count - made.first_vertex;
    if (made.count > 0) b->batch[b->batch_count++] = made;
}

static er_result make_room(er_context *context, mesh_build *b, slot_map *map)
{
    const er_scene *scene = b->target->scene;
    size_t vertices = 0, indices = 0, slots = 0;
    for (int i = 0; i < scene->instance_count; ++i) {
        if (!shown(scene, &scene->instance[i])) continue;
        vertices += (size_t)scene->mesh[scene->instance[i].mesh].vertex_count;
        indices += 3 * (size_t)scene->mesh[scene->instance[i].mesh].triangle_count;
        ++slots;
    }
    for (int i = 0; i < scene->skin_count; ++i)
        slots += (size_t)scene->skin[i].joint_count;
    if (vertices > INT32_MAX || indices > INT32_MAX || slots > INT32_MAX)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "%zu vertices and %zu corners of triangles are more than can be drawn", vertices, indices);
    b->slot = malloc((slots + 1) * sizeof *b->slot);
    b->vertex = malloc((vertices + 1) * sizeof *b->vertex);
    b->index = malloc((indices + 1) * sizeof *b->index);
    b->batch = malloc(2 * ((size_t)scene->material_count + 1) * sizeof *b->batch);
    map->skin = malloc(((size_t)scene->skin_count + 1) * sizeof *map->skin);
    map->node = malloc(((size_t)scene->node_count + 1) * sizeof *map->node);
    if (b->slot == NULL || b->vertex == NULL || b->index == NULL || b->batch == NULL || map->skin == NULL ||
        map->node == NULL)
        return er_fail(context, ER_ERROR_MEMORY, "out of memory for %zu vertices", vertices);
    memset(map->skin, -1, ((size_t)scene->skin_count + 1) * sizeof *map->skin);
    memset(map->node, -1, ((size_t)scene->node_count + 1) * sizeof *map->node);
    return ER_OK;
}

// If no batch moves, none is scenery.
static void find_scenery(mesh_build *b)
{
    bool any = false;
    for (int i = 0; i < b->batch_count; ++i)
        any |= !b->batch[i].scenery;
    for (int i = 0; i < b->batch_count; ++i)
        b->batch[i].scenery &= any;
}

er_result mesh_build_scene(er_context *context, const er_recording_target *target, int body_count, mesh_build *out)
{
    *out = (mesh_build){.target = target, .body_count = body_count};
    slot_map map = {0};
    er_result r = make_room(context, out, &map);
    for (int pass = 0; r == ER_OK && pass < 2; ++pass) // blended batches come last
        for (int material = -1; material < target->scene->material_count; ++material)
            if (blends(target->scene, material) == (pass == 1)) {
                add_batch(out, &map, material, true);
                add_batch(out, &map, material, false);
            }
    find_scenery(out);
    free(map.skin);
    free(map.node);
    return r;
}
