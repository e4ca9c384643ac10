/// @file
/// A model as the renderer holds it. Every instance of a mesh lies in one vertex buffer, its joints resolved to
/// *slots*: the matrices of a figure, one for each joint of a skin and for each node that carries something.
#ifndef ERI_VIEWER_DRAW_MODEL_H
#define ERI_VIEWER_DRAW_MODEL_H

#include "viewer/draw/draw.h"

enum { MOST_INFLUENCES = 8 };

/// A vertex in the axes of its mesh; joints are slots, heaviest first, weights of those left out 0.
typedef struct vertex {
    float position[3], normal[3], uv[2]; // normal 0: the face's own is drawn
    uint16_t colour[4];                  // linear, of 65535
    uint32_t slot[MOST_INFLUENCES];
    uint16_t weight[MOST_INFLUENCES]; // of 65535
} vertex;

/// world = D(body) rest, D the body's displacement from equilibrium; metres.
typedef struct slot {
    er_affine rest; // world[node] bind
    int body;       // body_count: stays
    int node;
    er_affine bind; // inverse bind of a joint, file units; identity of a node
} slot;

/// Triangles of one material.
typedef struct batch {
    int material;     // -1: the plain one
    bool scenery;     // nothing moves it, but other batches
    int start, count; // of the index buffer
    int first_vertex, vertex_count;
} batch;

typedef struct surface {
    float base[4], emissive[3];
    float metallic, roughness, cutoff;                       // cutoff < 0: no mask
    bool blend, cull, plain;                                 // plain: colours of vertices are not looked at
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
    int body_count; // its bodies; the model itself may be gone when another takes its place
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
    bool some_move; // what stays is scenery then, and not looked at for bounds
    bool plain;     // nothing in it has a colour of its own, so that all is clay
    int texture_count;
    int texture_side;  // pixels, the longest that a texture may have
    unsigned *texture; // [2 image_count]: as colours, as numbers; 0 where not made
    unsigned vertex_array, vertex_buffer, index_buffer;
    sphere *reach; // [body_count + 2], what a body carries, at equilibrium; then what stays, then the scenery
    er_vec3 *head; // [body_count], where its bone begins and ends, body axes
    er_vec3 *tip;
    draw_bounds rest; // at equilibrium
};

/// What mesh.c makes of a scene, for the graphics card.
typedef struct mesh_build {
    const er_recording_target *target;
    int body_count;
    int slot_count, slot_room, vertex_count, index_count, batch_count;
    slot *slot;
    vertex *vertex;
    uint32_t *index;
    batch *batch; // by material, those that blend last
} mesh_build;

/// @param out  filled; its arrays are for free() whatever is returned
/// Errors   ER_ERROR_ARGUMENT (more vertices than indices count), ER_ERROR_MEMORY
er_result mesh_build_scene(er_context *context, const er_recording_target *target, int body_count, mesh_build *out);

/// Where a slot's node carries it at equilibrium, m. Numbers that are none, or too large to draw, make it zero.
er_affine slot_rest(const slot *s, const er_recording_target *target);

/// Fills head and tip.   Errors ER_ERROR_MEMORY
er_result bones_build(er_context *context, draw_model *m);

/// The displacement of a body at a pose (NULL: equilibrium).
static inline er_pose model_displacement(const draw_model *m, const er_pose *pose, int body)
{
    return pose == NULL || body >= m->model->body_count ? er_pose_identity()
                                                        : er_pose_displacement(m->model->body[body].pose, pose[body]);
}

/// The same of the body's frame.
static inline er_pose model_frame(const draw_model *m, const er_pose *pose, int body)
{
    return pose == NULL ? m->model->body[body].pose : pose[body];
}

/// Where a pose puts a vertex, m: linear blending, as on the card.
/// @param displacement  [body_count] of bodies; NULL: equilibrium
er_vec3 model_posed_point(const draw_model *m, const er_pose *displacement, const vertex *v);

/// Uploads what a scene says of surfaces and pictures.   Errors ER_ERROR_MEMORY
er_result materials_upload(er_context *context, const er_scene *scene, draw_model *m);

#endif
