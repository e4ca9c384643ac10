// A rig's bodies as a skinned .glb: a tube round each bone.
#include "tools/bench/skin.h"

#include <stdlib.h>

#include <eigenrig/formats.h>

enum { RINGS = 8, SIDES = 12, BONE_VERTICES = RINGS * SIDES, BONE_TRIANGLES = 2 * (RINGS - 1) * SIDES };

// The arrays of a scene made by hand, freed together.
typedef struct skin {
    er_scene scene;
    er_mesh mesh;
    er_skin skin;
    er_instance instance;
    er_material material;
    er_node *node;
    int *joint, *index, *start, *influence;
    er_affine *inverse_bind;
    float *position, *weight;
} skin;

static bool make_room(skin *s, size_t bones)
{
    size_t vertices = bones * BONE_VERTICES;
    s->node = calloc(bones + 1, sizeof *s->node); // the last one draws the mesh
    s->joint = calloc(bones, sizeof *s->joint);
    s->inverse_bind = calloc(bones, sizeof *s->inverse_bind);
    s->position = calloc(3 * vertices, sizeof *s->position);
    s->index = calloc(3 * bones * BONE_TRIANGLES, sizeof *s->index);
    s->start = calloc(vertices + 1, sizeof *s->start);
    s->influence = calloc(2 * vertices, sizeof *s->influence);
    s->weight = calloc(2 * vertices, sizeof *s->weight);
    return s->node != NULL && s->joint != NULL && s->inverse_bind != NULL && s->position != NULL && s->index != NULL &&
           s->start != NULL && s->influence != NULL && s->weight != NULL;
}

static void free_room(skin *s)
{
    free(s->node);
    free(s->joint);
    free(s->inverse_bind);
    free(s->position);
    free(s->index);
    free(s->start);
    free(s->influence);
    free(s->weight);
}

// From the bone's head to as far beyond its centre of mass.
static void add_vertices(skin *s, const er_model *model, int bone)
{
    const er_body *body = &model->body[bone];
    er_vec3 tip = er_v3_scale(2.0, body->com), along = er_v3_unit(tip, er_v3(0, 1, 0));
    er_vec3 across = er_v3_perpendicular(along), other = er_v3_cross(along, across);
    double length = er_v3_norm(tip);
    for (int i = 0; i < BONE_VERTICES; ++i) {
        int vertex = bone * BONE_VERTICES + i, parent = model->tree_parent[bone];
        double share = (double)(i / SIDES) / (RINGS - 1), angle = 2.0 * ER_PI * (i % SIDES) / SIDES;
        double radius = 0.18 * length * sin(ER_PI * (0.15 + 0.7 * share));
        er_vec3 place = er_v3_madd(er_v3_scale(share, tip), radius * cos(angle), across);
        place = er_pose_point(body->pose, er_v3_madd(place, radius * sin(angle), other));
        s->position[3 * vertex] = (float)place.x;
        s->position[3 * vertex + 1] = (float)place.y;
        s->position[3 * vertex + 2] = (float)place.z;
        double bent = parent < 0 ? 0.0 : fmax(0.0, 0.5 - 1.5 * share); // by the parent
        int at = s->start[vertex];
        s->influence[at] = bone;
        s->weight[at++] = (float)(1.0 - bent);
        if (bent > 0.0) {
            s->influence[at] = parent;
            s->weight[at++] = (float)bent;
        }
        s->start[vertex + 1] = at;
    }
}

static void add_triangles(skin *s, int bone)
{
    int *out = s->index + 3 * (size_t)bone * BONE_TRIANGLES;
    for (int i = 0; i < (RINGS - 1) * SIDES; ++i) {
        int ring = bone * BONE_VERTICES + i / SIDES * SIDES, next = (i + 1) % SIDES, here = i % SIDES;
        const int corner[6] = {ring + here, ring + next,         ring + SIDES + next,
                               ring + here, ring + SIDES + next, ring + SIDES + here};
        for (int c = 0; c < 6; ++c)
            *out++ = corner[c];
    }
}

static void add_bone(skin *s, const er_model *model, int bone)
{
    int parent = model->tree_parent[bone];
    er_pose pose = model->body[bone].pose;
    er_pose local = parent < 0 ? pose : er_pose_mul(er_pose_inverse(model->body[parent].pose), pose);
    s->node[bone] = (er_node){.name = model->body[bone].name,
                              .parent = parent,
                              .local = er_affine_from_pose(local),
                              .flags = ER_NODE_JOINT,
                              .source_index = -1};
    s->joint[bone] = bone;
    s->inverse_bind[bone] = er_affine_from_pose(er_pose_inverse(pose));
    add_vertices(s, model, bone);
    add_triangles(s, bone);
}

er_result bench_skin_write(er_context *context, const er_model *model, const char *path)
{
    int bones = model->body_count;
    skin s = {0};
    er_result r = ER_ERROR_MEMORY;
    if (make_room(&s, (size_t)bones)) {
        for (int b = 0; b < bones; ++b)
            add_bone(&s, model, b);
        s.node[bones] = (er_node){.name = "skin", .parent = -1, .local = er_affine_identity(), .source_index = -1};
        s.mesh = (er_mesh){.name = "skin",
                           .vertex_count = bones * BONE_VERTICES,
                           .position = s.position,
                           .triangle_count = bones * BONE_TRIANGLES,
                           .index = s.index,
                           .influence_start = s.start,
                           .influence_joint = s.influence,
                           .influence_weight = s.weight};
        s.skin = (er_skin){.name = "skin", .joint_count = bones, .joint = s.joint, .inverse_bind = s.inverse_bind};
        s.instance = (er_instance){.node = bones};
        s.material = (er_material){.name = "skin",
                                   .base_color = {0.6f, 0.5f, 0.4f, 1.0f},
                                   .roughness = 0.7f,
                                   .base_color_image = -1,
                                   .normal_image = -1,
                                   .emissive_image = -1};
        s.scene = (er_scene){.path = path,
                             .format = ER_FORMAT_OTHER,
                             .format_name = "made by the bench",
                             .metres_per_unit = 1.0,
                             .up = {0, 1, 0},
                             .node_count = bones + 1,
                             .node = s.node,
                             .mesh_count = 1,
                             .mesh = &s.mesh,
                             .instance_count = 1,
                             .instance = &s.instance,
                             .skin_count = 1,
                             .skin = &s.skin,
                             .material_count = 1,
                             .material = &s.material};
        r = er_gltf_write(context, &s.scene, 0, NULL, NULL, path);
    }
    free_room(&s);
    return r;
}
