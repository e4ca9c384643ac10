// A scene of octahedra along bones, for rigs that have no mesh.
#include <eigenrig/rig.h>

#include <string.h>

#include "base/arena.h"

enum { FACES = 8, CORNERS = 3 * FACES };

// Two points and a square a fifth of the way along, flat faces: corners are not shared.
static void octahedron(er_vec3 head, er_vec3 tail, er_vec3 corner[CORNERS], er_vec3 normal[CORNERS])
{
    er_vec3 along = er_v3_sub(tail, head), x = er_v3_unit(along, er_v3(0, 1, 0)), y = er_v3_perpendicular(x);
    er_vec3 z = er_v3_cross(x, y), middle = er_v3_madd(head, 0.2, along), ring[4];
    double half = 0.1 * er_v3_norm(along);
    for (int k = 0; k < 4; ++k)
        ring[k] = er_v3_madd(middle, k % 2 == 0 ? (k == 0 ? half : -half) : 0.0, y);
    ring[1] = er_v3_madd(middle, half, z);
    ring[3] = er_v3_madd(middle, -half, z);
    for (int f = 0; f < FACES; ++f) {
        er_vec3 tip = f < 4 ? tail : head, a = ring[f % 4], b = ring[(f + 1) % 4];
        er_vec3 c[3] = {tip, f < 4 ? a : b, f < 4 ? b : a};
        er_vec3 n = er_v3_unit(er_v3_cross(er_v3_sub(c[1], c[0]), er_v3_sub(c[2], c[0])), x);
        for (int k = 0; k < 3; ++k) {
            corner[3 * f + k] = c[k];
            normal[3 * f + k] = n;
        }
    }
}

// The octahedra of one body as a mesh in the axes of the node that carries it.
static er_result bone_mesh(er_arena *arena, const er_vec3 *tail, int count, er_vec3 head, double unit, er_affine world,
                           const char *name, er_mesh *out)
{
    er_result r = ER_OK;
    float *position, *normal;
    int *index;
    er_affine inverse = er_affine_inverse(world);
    er_mat3 turn = er_m3_transpose(world.linear); // normals go by the inverse transpose of the inverse
    ERI_TRY_NEW(position, arena, float, 3 * CORNERS * count);
    ERI_TRY_NEW(normal, arena, float, 3 * CORNERS * count);
    ERI_TRY_NEW(index, arena, int, CORNERS *count);
    for (int t = 0; t < count; ++t) {
        er_vec3 corner[CORNERS], n[CORNERS];
        octahedron(er_v3_scale(1.0 / unit, head), er_v3_scale(1.0 / unit, tail[t]), corner, n);
        for (int k = 0; k < CORNERS; ++k) {
            int at = CORNERS * t + k;
            er_vec3 p = er_affine_point(inverse, corner[k]), d = er_v3_unit(er_m3_mul_v(turn, n[k]), er_v3(0, 1, 0));
            const float values[6] = {(float)p.x, (float)p.y, (float)p.z, (float)d.x, (float)d.y, (float)d.z};
            memcpy(position + 3 * at, values, 3 * sizeof(float));
            memcpy(normal + 3 * at, values + 3, 3 * sizeof(float));
            index[at] = at;
        }
    }
    *out = (er_mesh){.name = name,
                     .vertex_count = CORNERS * count,
                     .triangle_count = FACES * count,
                     .position = position,
                     .normal = normal,
                     .index = index};
done:
    return r;
}

// One node a body, below its parent in the spanning tree; metres.
static er_result nodes_of_model(er_arena *arena, const er_model *model, er_scene *scene, int *body_node,
                                er_affine *world)
{
    er_result r = ER_OK;
    er_node *node;
    ERI_TRY_NEW(node, arena, er_node, model->body_count);
    for (int i = 0; i < model->body_count; ++i) {
        int b = model->order[i], p = model->tree_parent[b];
        body_node[b] = i;
        er_pose local =
            p >= 0 ? er_pose_mul(er_pose_inverse(model->body[p].pose), model->body[b].pose) : model->body[b].pose;
        node[i] = (er_node){.name = model->body[b].name,
                            .parent = p >= 0 ? body_node[p] : -1,
                            .local = er_affine_from_pose(local),
                            .flags = ER_NODE_JOINT,
                            .source_index = -1};
        world[i] = er_affine_from_pose(model->body[b].pose);
    }
    scene->path = model->source;
    scene->format = ER_FORMAT_OTHER;
    scene->format_name = "eigenrig rig";
    scene->metres_per_unit = 1.0;
    scene->up = er_v3(0, 1, 0);
    scene->node_count = model->body_count;
    scene->node = node;
done:
    return r;
}

er_result er_rig_bone_scene(er_context *context, const er_model *model, const er_rig *rig, er_scene **out,
                            const int **node_body)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (node_body != NULL) *node_body = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_rig_bone_scene needs a model");
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_scene *scene;
    er_mesh *mesh;
    er_instance *instance;
    er_material *material;
    er_affine *world;
    er_bones *bones = NULL;
    int n = model->body_count, *body_node, *owned;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(scene, arena, er_scene, 1);
    ERI_TRY_NEW(mesh, arena, er_mesh, n);
    ERI_TRY_NEW(instance, arena, er_instance, n);
    ERI_TRY_NEW(material, arena, er_material, 1);
    ERI_TRY_NEW(body_node, scratch, int, n);
    ERI_TRY(er_bones_create(context, model, &bones));
    if (rig != NULL) {
        *scene = *rig->scene;
        if (scene->format != ER_FORMAT_GLTF) scene->format = ER_FORMAT_OTHER; // it no longer is what its file holds
        memcpy(body_node, rig->body_node, (size_t)n * sizeof(int));
        ERI_TRY_NEW(world, scratch, er_affine, scene->node_count);
        memcpy(world, rig->world, (size_t)scene->node_count * sizeof *world);
    } else {
        ERI_TRY_NEW(world, scratch, er_affine, n);
        ERI_TRY(nodes_of_model(arena, model, scene, body_node, world));
    }
    double unit = rig != NULL ? rig->metres_per_unit : 1.0;
    *material = (er_material){.name = "bone",
                              .base_color = {0.75f, 0.62f, 0.42f, 1.0f},
                              .roughness = 0.7f,
                              .alpha_cutoff = 0.5f,
                              .base_color_image = -1,
                              .normal_image = -1,
                              .emissive_image = -1};
    for (int b = 0; b < n; ++b) {
        const er_vec3 *end = bones->end + bones->start[b];
        int count = bones->start[b + 1] - bones->start[b];
        ERI_TRY(bone_mesh(arena, end, count, bones->head[b], unit, world[body_node[b]], model->body[b].name, &mesh[b]));
        instance[b] = (er_instance){body_node[b], b, -1};
    }
    scene->mesh_count = scene->instance_count = scene->added_count = n;
    scene->mesh = mesh;
    scene->instance = instance;
    scene->skin_count = 0;
    scene->material_count = 1;
    scene->material = material;
    scene->image_count = 0;
    scene->note_count = 0;
    scene->arena = arena;
    ERI_TRY_NEW(owned, arena, int, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        owned[i] = rig != NULL ? rig->node_body[i] : model->order[i];
    if (node_body != NULL) *node_body = owned;
    *out = scene;
    arena = NULL;
done:
    er_bones_destroy(bones);
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}
