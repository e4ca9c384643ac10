/// @file
/// A model as the renderer holds it. One vertex buffer holds all instances of meshes. Their joints are resolved to
/// *slots*: the matrices of a figure, one for each joint of a skin and for each node that carries a mesh.
#ifndef ERI_VIEWER_DRAW_MODEL_H
#define ERI_VIEWER_DRAW_MODEL_H

#include "viewer/draw/draw.h"

enum { MOST_INFLUENCES = 8 };

/// A vertex in the axes of its mesh. Its slots are sorted by weight, the heaviest first; unused weights are 0.
typedef struct vertex {
    float position[3], normal[3], uv[2]; // normal 0: that of the face is used
    uint16_t colour[4];                  // linear, of 65535
    uint32_t slot[MOST_INFLUENCES];
    uint16_t weight[MOST_INFLUENCES]; // of 65535
} vertex;

/// world = D(body) rest, D the body's displacement from equilibrium; metres.
typedef struct slot {
    er_affine rest; // world[node] bind
    int body;       // body_count: never moves
    int node;
    er_affine bind; // inverse bind of a joint, file units; identity of a node
} slot;

/// Triangles of one material.
typedef struct batch {
    int material;     // -1: the plain one
    bool scenery;     // no body moves it, but other batches are moved
    int start, count; // of the index buffer
    int first_vertex, vertex_count;
} batch;

typedef struct surface {
    float base[4], emissive[3];
    float metallic, roughness, cutoff;                       // cutoff < 0: no mask
    bool blend, cull, plain;                                 // plain: colours of vertices are ignored
    unsigned base_texture, emissive_texture, normal_texture; // 0: none
} surface;

typedef struct sphere {
    er_vec3 centre;
    double radius; // m; negative: empty
} sphere;

struct draw_model {
    painter *painter;
    unsigned serial; // of its painter's models
    const er_model *model;
    int body_count; // of the model, which may be gone when draw_model_follow() is called
    er_vec3 up;
    int slot_count;
    slot *slot;
    int vertex_count, index_count;
    vertex *vertex;  // kept for bounds
    uint32_t *index; // [index_count], kept for picking
    int batch_count;
    batch *batch;
    int surface_count;
    surface *surface;
    bool some_move; // the rest is scenery then, and ignored by bounds
    bool plain;     // no surface has a colour of its own, so all is drawn as clay
    int texture_count;
    int texture_side;  // pixels, the longest that a texture may have
    unsigned *texture; // [2 image_count]: as colours, as numbers; 0 where not made
    unsigned vertex_array, vertex_buffer, index_buffer;
    sphere *reach; // [body_count + 2] of each body's vertices at equilibrium; then of those that never move; then of
                   // the scenery
    er_vec3 *head; // [body_count], both ends of the bone, body axes
    er_vec3 *tip;
    draw_bounds rest; // at equilibrium
};

/// Meshes of a scene in the form that the graphics card takes.
typedef struct mesh_build {
    const er_recording_target *target;
    int body_count;
    int slot_count, slot_room, vertex_count, index_count, batch_count;
    slot *slot;
    vertex *vertex;
    uint32_t *index;
    batch *batch; // by material, those that blend last
} mesh_build;

/// @param out  filled; its arrays are for free() after failures too
/// Errors   ER_ERROR_ARGUMENT (more vertices than an index can name), ER_ERROR_MEMORY
er_result mesh_build_scene(er_context *context, const er_recording_target *target, int body_count, mesh_build *out);

/// A slot's matrix at equilibrium, m. It is zero if its numbers are not finite, or too large to draw.
er_affine slot_rest(const slot *s, const er_recording_target *target);

/// The displacement of a body at a pose (NULL: equilibrium).
static inline er_pose model_displacement(const draw_model *m, const er_pose *pose, int body)
{
    return pose == NULL || body >= m->model->body_count ? er_pose_identity()
                                                        : er_pose_displacement(m->model->body[body].pose, pose[body]);
}

/// The frame of a body at a pose (NULL: equilibrium).
static inline er_pose model_frame(const draw_model *m, const er_pose *pose, int body)
{
    return pose == NULL ? m->model->body[body].pose : pose[body];
}

/// A vertex at a pose, m: linear blending, as on the card.
/// @param displacement  [body_count] of bodies; NULL: equilibrium
er_vec3 model_posed_point(const draw_model *m, const er_pose *displacement, const vertex *v);

/// Uploads materials and textures of a scene.   Errors ER_ERROR_MEMORY
er_result materials_upload(er_context *context, const er_scene *scene, draw_model *m);

#endif
