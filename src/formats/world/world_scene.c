// A scene of a world's solids, to draw the world and to write it with its motion.
#include <math.h>
#include <string.h>

#include <eigenrig/rig.h>

#include "base/arena.h"
#include "formats/world/world_file.h"

#define PLANE_EXTENT 2.0 // half the side of a drawn plane, in sizes of the rest of the world
#define ALONE 10.0       // m, the same for a plane without anything else

enum { COLOURS = 6, GROUND = COLOURS };

typedef struct solid_scene {
    er_context *context;
    er_arena *arena; // the scene's
    const er_world_file *file;
    er_scene *scene;
    er_node *node;         // [body_count + solid_count]
    int *node_body;        // [body_count + solid_count]
    const int *body_node;  // [body_count]
    const bool *still;     // [body_count]
    er_vec3 centre;        // m, of all solids except planes
    double size;           // m, their extent; 0: none
    er_mesh *mesh;         // [body_count + solid_count]
    er_instance *instance; // [body_count + solid_count]
} solid_scene;

// ---- bodies

// Marks bodies that never move: held ones, and those that fixed joints tie to the world.
static void find_still(const er_world_file *file, bool *still)
{
    const er_model *model = file->model;
    for (int b = 0; file->def.held != NULL && b < model->body_count; ++b)
        still[b] = file->def.held[b];
    bool grows = true;
    while (grows) {
        grows = false;
        for (int k = 0; k < model->joint_count; ++k) {
            const er_joint *j = &model->joint[k];
            if (j->type != ER_JOINT_FIXED) continue;
            bool parent = j->parent < 0 || still[j->parent], child = still[j->child];
            if (parent == child) continue;
            still[parent ? j->child : j->parent] = grows = true;
        }
    }
}

er_vec3 er_world_file_up(const er_world_file *file)
{
    return er_v3_unit(er_v3_scale(-1.0, file->def.gravity), er_v3(0, 0, 1));
}

// ---- surfaces

// Each triangle has corners of its own, so that edges stay sharp.
static er_result put_faces(const solid_scene *b, const er_solid *s, er_mesh *out)
{
    er_result r = ER_OK;
    int corners = 3 * s->triangle_count;
    float *position, *normal;
    int *index;
    ERI_TRY_NEW(position, b->arena, float, 3 * (size_t)corners);
    ERI_TRY_NEW(normal, b->arena, float, 3 * (size_t)corners);
    ERI_TRY_NEW(index, b->arena, int, corners);
    er_vec3 middle = er_v3(0, 0, 0);
    for (int v = 0; v < s->vertex_count; ++v)
        middle = er_v3_madd(middle, 1.0 / s->vertex_count, s->vertex[v]);
    for (int t = 0; t < s->triangle_count; ++t) {
        const int *at = s->triangle + 3 * t;
        er_vec3 p[3] = {s->vertex[at[0]], s->vertex[at[1]], s->vertex[at[2]]};
        er_vec3 way = er_v3_cross(er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[0]));
        bool inwards = er_v3_dot(way, er_v3_sub(p[0], middle)) < 0.0; // the file may list faces as seen from inside
        er_vec3 n = er_v3_unit(er_v3_scale(inwards ? -1.0 : 1.0, way), er_v3(0, 0, 1));
        for (int k = 0; k < 3; ++k) {
            int c = 3 * t + k;
            er_vec3 x = p[inwards ? 2 - k : k];
            const float values[6] = {(float)x.x, (float)x.y, (float)x.z, (float)n.x, (float)n.y, (float)n.z};
            memcpy(position + 3 * c, values, 3 * sizeof *position);
            memcpy(normal + 3 * c, values + 3, 3 * sizeof *normal);
            index[c] = c;
        }
    }
    *out = (er_mesh){.vertex_count = corners,
                     .triangle_count = s->triangle_count,
                     .position = position,
                     .normal = normal,
                     .index = index};
done:
    return r;
}

static er_result put_shape(const solid_scene *b, const er_solid *s, er_mesh *out)
{
    er_triangles *t = NULL;
    float *position, *normal;
    int *index;
    double face = b->size > 0.0 ? PLANE_EXTENT * b->size : ALONE;
    er_result r = er_shape_triangulate(b->context, &s->shape, face, &t);
    if (r != ER_OK) return r;
    size_t numbers = 3 * (size_t)t->vertex_count, corners = 3 * (size_t)t->triangle_count;
    ERI_TRY_NEW(position, b->arena, float, numbers);
    ERI_TRY_NEW(normal, b->arena, float, numbers);
    ERI_TRY_NEW(index, b->arena, int, corners);
    memcpy(position, t->position, numbers * sizeof *position);
    memcpy(normal, t->normal, numbers * sizeof *normal);
    memcpy(index, t->index, corners * sizeof *index);
    *out = (er_mesh){.vertex_count = t->vertex_count,
                     .triangle_count = t->triangle_count,
                     .position = position,
                     .normal = normal,
                     .index = index};
done:
    er_triangles_destroy(t);
    return r;
}

// ---- solids

static bool is_still(const solid_scene *b, const er_solid *s)
{
    return s->body < 0 || b->still[s->body];
}

// Adds a node for a solid, below the node of its body.
static er_result add_solid(solid_scene *b, const er_solid *s)
{
    er_result r = ER_OK;
    int node = b->scene->node_count, mesh = b->scene->mesh_count;
    er_pose at = s->pose;
    if (s->shape.kind == ER_SHAPE_PLANE && s->body < 0) { // the part of the plane below the other solids
        er_vec3 middle = er_pose_point_inverse(at, b->centre);
        at.p = er_pose_point(at, er_v3(middle.x, middle.y, 0.0));
    }
    ERI_TRY(s->triangle_count > 0 ? put_faces(b, s, &b->mesh[mesh]) : put_shape(b, s, &b->mesh[mesh]));
    b->mesh[mesh].name = s->name;
    b->mesh[mesh].material = is_still(b, s) ? GROUND : s->body % COLOURS;
    b->node[node] = (er_node){.name = s->name,
                              .parent = s->body >= 0 ? b->body_node[s->body] : -1,
                              .local = er_affine_from_pose(at),
                              .source_index = -1};
    b->node_body[node] = is_still(b, s) ? -1 : s->body;
    b->instance[b->scene->instance_count++] = (er_instance){node, mesh, -1};
    ++b->scene->node_count;
    ++b->scene->mesh_count;
done:
    return r;
}

// Measures the box around all solids except planes, with the bodies at equilibrium.
static void measure(solid_scene *b)
{
    er_vec3 low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = er_v3_scale(-1.0, low);
    for (int i = 0; i < b->file->solid_count; ++i) {
        const er_solid *s = &b->file->solid[i];
        er_pose at = s->body >= 0 ? er_pose_mul(b->file->model->body[s->body].pose, s->pose) : s->pose;
        er_vec3 corner[2];
        if (s->shape.kind == ER_SHAPE_PLANE) continue;
        if (s->shape.kind != ER_SHAPE_HULL) er_shape_box(&s->shape, at, &corner[0], &corner[1]);
        for (int v = 0; v < (s->shape.kind == ER_SHAPE_HULL ? s->vertex_count : 2); ++v) {
            er_vec3 x = s->shape.kind == ER_SHAPE_HULL ? er_pose_point(at, s->vertex[v]) : corner[v];
            low = er_v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
            high = er_v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        }
    }
    if (!(low.x <= high.x)) return;
    b->centre = er_v3_scale(0.5, er_v3_add(low, high));
    b->size = er_v3_distance(low, high);
}

static er_result add_materials(const solid_scene *b)
{
    static const float colour[COLOURS + 1][3] = {{0.75f, 0.40f, 0.18f}, {0.18f, 0.42f, 0.68f}, {0.32f, 0.56f, 0.26f},
                                                 {0.68f, 0.56f, 0.20f}, {0.48f, 0.32f, 0.60f}, {0.24f, 0.56f, 0.56f},
                                                 {0.50f, 0.50f, 0.48f}};
    er_result r = ER_OK;
    er_material *material;
    ERI_TRY_NEW(material, b->arena, er_material, COLOURS + 1);
    for (int i = 0; i <= COLOURS; ++i) {
        material[i] = (er_material){.name = i == GROUND ? "still" : "solid",
                                    .base_color = {colour[i][0], colour[i][1], colour[i][2], 1.0f},
                                    .roughness = 0.7f,
                                    .alpha_cutoff = 0.5f,
                                    .base_color_image = -1,
                                    .normal_image = -1,
                                    .emissive_image = -1};
    }
    b->scene->material = material;
    b->scene->material_count = COLOURS + 1;
done:
    return r;
}

// Keeps the bones of bodies that have no solid.
static void keep_bones(solid_scene *b, const er_scene *bones, const bool *shown)
{
    for (int k = 0; k < bones->instance_count; ++k) {
        int body = b->node_body[bones->instance[k].node], mesh = b->scene->mesh_count;
        if (shown[body]) continue;
        b->mesh[mesh] = bones->mesh[bones->instance[k].mesh];
        b->mesh[mesh].material = body % COLOURS;
        b->instance[b->scene->instance_count++] = (er_instance){bones->instance[k].node, mesh, -1};
        ++b->scene->mesh_count;
    }
}

// Replaces the meshes of a scene of bones.
static er_result fill(solid_scene *b, const er_scene *bones, const int *bone_body)
{
    er_result r = ER_OK;
    const er_world_file *file = b->file;
    int bodies = file->model->body_count, most = bodies + file->solid_count, *body_node;
    bool *still, *shown;
    ERI_TRY_NEW(still, b->arena, bool, bodies);
    ERI_TRY_NEW(shown, b->arena, bool, bodies);
    ERI_TRY_NEW(body_node, b->arena, int, bodies);
    ERI_TRY_NEW(b->node, b->arena, er_node, most);
    ERI_TRY_NEW(b->node_body, b->arena, int, most);
    ERI_TRY_NEW(b->mesh, b->arena, er_mesh, most);
    ERI_TRY_NEW(b->instance, b->arena, er_instance, most);
    memcpy(b->node, bones->node, (size_t)bodies * sizeof *b->node);
    memcpy(b->node_body, bone_body, (size_t)bodies * sizeof *b->node_body);
    for (int i = 0; i < bodies; ++i)
        body_node[bone_body[i]] = i;
    for (int i = 0; i < file->solid_count; ++i)
        if (file->solid[i].body >= 0) shown[file->solid[i].body] = true;
    find_still(file, still);
    b->body_node = body_node;
    b->still = still;
    b->scene->mesh_count = b->scene->instance_count = 0;
    keep_bones(b, bones, shown);
    measure(b);
    for (int i = 0; i < file->solid_count; ++i)
        ERI_TRY(add_solid(b, &file->solid[i]));
    for (int i = 0; i < bodies; ++i)
        if (still[b->node_body[i]]) b->node_body[i] = -1;
    ERI_TRY(add_materials(b));
    b->scene->format_name = "eigenrig world";
    b->scene->up = er_world_file_up(file);
    b->scene->node = b->node;
    b->scene->mesh = b->mesh;
    b->scene->instance = b->instance;
    b->scene->added_count = b->scene->instance_count;
done:
    return r;
}

er_result er_world_file_scene(er_context *context, const er_world_file *file, er_scene **out, const int **node_body)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (node_body != NULL) *node_body = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (file == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_world_file_scene needs a world");
    const int *bone_body;
    er_scene *scene = NULL;
    er_result r = er_rig_bone_scene(context, file->model, NULL, &scene, &bone_body);
    if (r != ER_OK) return r;
    const er_scene bones = *scene;
    solid_scene b = {.context = context, .arena = scene->arena, .file = file, .scene = scene};
    r = fill(&b, &bones, bone_body);
    if (r != ER_OK) {
        er_scene_destroy(scene);
        return r;
    }
    if (node_body != NULL) *node_body = b.node_body;
    *out = scene;
    return r;
}
