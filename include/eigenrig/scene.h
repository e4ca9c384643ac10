/// @file
/// A scene file as plain arrays: nodes, meshes, skins, materials, images and clips. Also sampling of clips, skinning of
/// vertices, and the import of files.
///
/// All numbers are in the file's own units and axes; er_rig_build() converts to metres. Matrices are affine and act on
/// column vectors. Indices are in [0, count); -1 means none. Parents come before their children. A scene is read-only.
/// er_import_file() and er_rig_bone_scene() (rig.h) make one; er_scene_validate() checks one made by hand.
#ifndef EIGENRIG_SCENE_H
#define EIGENRIG_SCENE_H

#include <eigenrig/base.h>
#include <eigenrig/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- The arrays

/// Kinds of a node; flags.
enum {
    ER_NODE_JOINT = 1, ///< a joint of some skin, or a joint of a skeleton file without meshes (BVH)
    ER_NODE_CAMERA = 2,
    ER_NODE_LIGHT = 4,
    ER_NODE_END_SITE = 8 ///< only the end of its parent's bone (BVH)
};

/// One channel of a BVH joint, in the file's order.
typedef enum er_bvh_channel {
    ER_BVH_X_POSITION,
    ER_BVH_Y_POSITION,
    ER_BVH_Z_POSITION,
    ER_BVH_X_ROTATION,
    ER_BVH_Y_ROTATION,
    ER_BVH_Z_ROTATION
} er_bvh_channel;

/// A transform in the tree.
typedef struct er_node {
    const char *name;      ///< UTF-8, not unique; "" for none
    const char *role;      ///< the humanoid bone that it is (VRM): "leftFoot", "head", ...; "" or NULL for none
    int parent;            ///< index of the parent, smaller than this node's; -1 for a root of the scene
    er_affine local;       ///< rest transform to the parent, or to the world for a root; file units; finite
    unsigned flags;        ///< ER_NODE_* or 0
    int source_index;      ///< glTF: index in the file's "nodes"; otherwise -1
    uint8_t channel_count; ///< BVH: channels of this joint, 0 to 6; otherwise 0
    uint8_t channels[6];   ///< er_bvh_channel, in the file's order
} er_node;

/// Triangles with one material. Every array is indexed by vertex unless it says otherwise.
typedef struct er_mesh {
    const char *name; ///< UTF-8, "" for none; so too in skins, materials, images and clips
    int vertex_count;
    int triangle_count;
    const float *position; ///< [3 vertex_count], the mesh's axes, file units; finite. glTF: morph targets that have
                           ///< a weight at rest are applied
    const float *normal;   ///< [3 vertex_count], the mesh's axes; finite; or NULL
    const float *uv;       ///< [2 vertex_count], origin at the image's top left (glTF); finite; or NULL
    const float *color;    ///< [4 vertex_count], linear RGBA in [0, 1], or NULL
    const int *index;      ///< [3 triangle_count], each in [0, vertex_count)
    int material;          ///< index into materials, or -1
    const int *influence_start; ///< [vertex_count + 1], ascending from 0: influences of vertex v are influence_start[v]
                                ///< to influence_start[v + 1] - 1. NULL if the mesh is not skinned
    const int *influence_joint; ///< [influence_start[vertex_count]], index into the joints of the instance's skin
    const float *influence_weight; ///< same shape, > 0; the weights of a vertex sum to 1, if it has any
    int morph_count;               ///< number of morph targets in the file; this struct does not contain them
} er_mesh;

/// A mesh drawn at a node. A mesh may have several instances.
typedef struct er_instance {
    int node; ///< index into nodes
    int mesh; ///< index into meshes
    int skin; ///< index into skins: only its joints move the vertices; -1: rigid at the node
} er_instance;

/// The joints that deform a mesh. The world position of a vertex x of the mesh is
/// sum_j weight_j world[joint_j] inverse_bind_j x.
typedef struct er_skin {
    const char *name;
    int joint_count;
    const int *joint;              ///< [joint_count], node indices
    const er_affine *inverse_bind; ///< [joint_count], from the mesh's axes to the joint's at the bind pose; finite
} er_skin;

/// How a surface uses alpha.
typedef enum er_alpha_mode {
    ER_ALPHA_OPAQUE, ///< alpha is ignored
    ER_ALPHA_MASK,   ///< texels with alpha below alpha_cutoff are not drawn
    ER_ALPHA_BLEND   ///< the surface is blended with the background
} er_alpha_mode;

/// A surface, metallic-roughness (glTF 2.0, 3.9). Colours are linear.
typedef struct er_material {
    const char *name;
    float base_color[4]; ///< RGBA in [0, 1]
    float emissive[3];   ///< in [0, 1]
    float metallic;      ///< [0, 1]
    float roughness;     ///< [0, 1]
    float alpha_cutoff;  ///< for ER_ALPHA_MASK; finite
    er_alpha_mode alpha_mode;
    bool double_sided;
    int base_color_image; ///< index into images, or -1
    int normal_image;     ///< index into images, or -1
    int emissive_image;   ///< index into images, or -1
} er_material;

/// An encoded picture.
typedef struct er_image {
    const char *name;     ///< its name in the file
    const char *mime;     ///< "image/png" or "image/jpeg"
    const uint8_t *bytes; ///< [size], the whole PNG or JPEG file
    size_t size;          ///< > 0
} er_image;

/// The property of a node that a channel moves.
typedef enum er_path {
    ER_PATH_TRANSLATION, ///< of er_node.local, file units
    ER_PATH_ROTATION,    ///< of er_node.local, a quaternion
    ER_PATH_SCALE,       ///< of er_node.local, factors on the node's own axes
    ER_PATH_MORPH        ///< weights of the morph targets of its mesh
} er_path;

/// Interpolation between two keys.
typedef enum er_interpolation {
    ER_STEP,   ///< the value of the earlier key
    ER_LINEAR, ///< linear; er_q_slerp() for rotations
    ER_CUBIC   ///< a Hermite spline with tangents
} er_interpolation;

/// One animated property of a node's local transform.
/// Values per key: 3 for translation and scale; 4 for rotation (x, y, z, w; unit); 0 for morph, whose values are not
/// kept. ER_CUBIC has three times as many: in-tangent, value, out-tangent (glTF 2.0 appendix C). Its rotations are as
/// in the file and are normalized when sampled.
typedef struct er_channel {
    int node; ///< index into nodes
    er_path path;
    er_interpolation interpolation;
    int key_count;       ///< >= 1
    const double *time;  ///< [key_count], seconds, finite, strictly ascending
    const double *value; ///< [key_count x values per key], finite; NULL for morph channels
} er_channel;

/// A named animation. The channels of a node are adjacent, at most one for each path.
typedef struct er_clip {
    const char *name;
    double duration; ///< seconds, finite: the last key's time, or later
    int channel_count;
    const er_channel *channel; ///< [channel_count]
} er_clip;

/// The format from which a scene was read. A scene made by hand needs ER_FORMAT_OTHER: for ER_FORMAT_GLTF, which is 0,
/// er_gltf_write() looks for the source file.
typedef enum er_format {
    ER_FORMAT_GLTF, ///< .gltf or .glb: source_index is set, and the lossless writer applies
    ER_FORMAT_BVH,  ///< channels are set
    ER_FORMAT_FBX,
    ER_FORMAT_OTHER
} er_format;

/// A whole file. Each array is preceded by its count. Owns all it holds: er_scene_destroy().
typedef struct er_scene {
    const char *path; ///< as given to er_import_file(), any bytes; not NULL
    er_format format;
    const char *format_name; ///< for people: "glTF 2.0 binary", "Autodesk FBX", "Biovision BVH", ...
    double metres_per_unit;  ///< > 0, finite
    er_vec3 up;              ///< unit, in the file's axes
    double fps;              ///< frame rate for er_fbx_write(), >= 0; 0: none, as imported. To change it, set it in a
                             ///< copy
    er_vec3 forward;         ///< unit, the direction that characters face if the format defines it (VRM); otherwise 0
    int node_count;
    const er_node *node;
    int mesh_count;
    const er_mesh *mesh;
    int instance_count;
    const er_instance *instance;
    int added_count; ///< so many of the last instances, all rigid, are not in the file: er_gltf_write() adds them
    int skin_count;
    const er_skin *skin;
    int material_count;
    const er_material *material;
    int image_count;
    const er_image *image;
    int clip_count;
    const er_clip *clip;
    int note_count;
    const er_note *note;            ///< [note_count], assumptions and losses of the import
    const struct er_source *source; ///< private: the source file for er_gltf_write(); NULL if made by hand
    struct er_arena *arena;         ///< private; NULL if made by hand
} er_scene;

/// Frees an imported scene. Does nothing for NULL and for scenes made by hand.   Threads: the scene's context's.
ER_API void er_scene_destroy(er_scene *scene);

/// Checks a scene against all that is said above: indices, orders, finite numbers, counts.
/// Errors   ER_ERROR_FORMAT (the first violation), ER_ERROR_ARGUMENT (NULL), ER_ERROR_MEMORY
/// Memory   scratch only.   Threads: one call per context at a time.
ER_API er_result er_scene_validate(er_context *context, const er_scene *scene);

// ---- Sampling and skinning

/// Finds a clip: the first with that name; otherwise the first whose name differs in the case of ASCII letters only;
/// otherwise the clip whose index, from 0, is that name in digits.
/// @param out  ER_OK: one of scene->clip; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT: there is no such clip; the message suggests a similar name.
/// Memory   none.   Threads: one call per context at a time.
ER_API er_result er_scene_find_clip(er_context *context, const er_scene *scene, const char *name, const er_clip **out);

/// Computes local transforms at a time of a clip. Nodes without a channel stay at rest. Before the first key and after
/// the last, their values are held.
/// @param clip   any clip for nodes of this scene; NULL: the rest pose
/// @param time   seconds, finite; ignored without a clip
/// @param local  [node_count], written
/// Source   glTF 2.0 specification, appendix C (interpolation).
ER_API void er_scene_sample(const er_scene *scene, const er_clip *clip, double time, er_affine *local);

/// Computes world transforms from local ones.
/// @param local  [node_count]
/// @param world  [node_count], written; may not overlap `local`
ER_API void er_scene_world(const er_scene *scene, const er_affine *local, er_affine *world);

/// Computes world positions of an instance's vertices: by linear blend skinning, or rigid with its node. A vertex
/// without influences moves with the node.
/// @param instance  index into scene->instance
/// @param world     [node_count], from er_scene_world()
/// @param position  [3 vertex_count of its mesh], written, file units
ER_API void er_scene_skin(const er_scene *scene, int instance, const er_affine *world, double *position);

// ---- Reading model files
//
// A separate process, `eigenrig-import`, reads the file under limits of time and memory. So a crash of a parser is only
// an error here.

/// How the importer ended.
typedef enum er_import_end {
    ER_IMPORT_ANSWERED, ///< it returned a scene or an error; or it was not started
    ER_IMPORT_CRASHED,  ///< a signal ended it
    ER_IMPORT_LATE,     ///< it exceeded the time limit
    ER_IMPORT_STARVED   ///< it exceeded the memory limit, or was killed, most likely for lack of memory
} er_import_end;

/// Options for er_import_file(). Take er_default_import_def(), then change fields.
typedef struct er_import_def {
    double time_limit;    ///< seconds, both of wall clock and of processor time, in (0, 1e6]             [60]
    double memory_limit;  ///< bytes of address space, 64 MiB to 1e15                                       [4 GiB]
    const char *importer; ///< path of eigenrig-import. NULL: the first of these: $EIGENRIG_IMPORTER; beside the running
                          ///< program; beside this library; where it was installed                       [NULL]
    er_import_end *end;   ///< written: how the importer ended; or NULL                                    [NULL]
    bool allow_outside;   ///< files that the model refers to may be outside its folder                    [false]
    uint32_t tag;         ///< set by er_default_import_def(); leave alone
} er_import_def;

/// The defaults in brackets above.
ER_API er_import_def er_default_import_def(void);

/// Reads a scene file of any supported format: glTF, GLB and BVH by our own readers, others by Assimp. Helper nodes
/// (FBX pivots) are collapsed, weights are normalised, and times converted to seconds. Rig files contain no scene: see
/// er_file_is_rig() and er_rig_file_read().
/// @param path  a regular file. Files that it refers to (buffers, pictures, materials) are opened only if they are
///              used, by er_file_open_reference()
/// @param def   made by er_default_import_def(), or NULL for the defaults
/// @param out   ER_OK: a validated scene for er_scene_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (cannot be read), ER_ERROR_FORMAT (empty, not a model, or a broken one),
///          ER_ERROR_IMPORT (the importer crashed, ran out of time or memory, or is not found), ER_ERROR_MEMORY
/// Memory   the scene owns all it holds.
/// Threads  one call per context at a time; safe in a threaded program (posix_spawn, no signal handler, no fork).
ER_API er_result er_import_file(er_context *context, const char *path, const er_import_def *def, er_scene **out);

#ifdef __cplusplus
}
#endif
#endif
