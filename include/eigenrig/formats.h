/// @file
/// Files of rigs, palettes, mixes and poses, read and written, and models and clips written as glTF, VRM animation,
/// FBX, Collada and BVH. scene.h reads models, worlds.h reads and writes worlds, plots.h writes tables and drawings.
///
/// Every writer writes its file whole or not at all and replaces a file that exists. Equal input gives equal bytes.
#ifndef EIGENRIG_FORMATS_H
#define EIGENRIG_FORMATS_H

#include <eigenrig/modal.h>
#include <eigenrig/model.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Our own files
//
// Rig, palette, mix and pose files are JSON (docs/formats.md). Numbers are written in the fewest characters that read
// back exactly. Jansson holds what is read in its own memory.

/// Whether a file is to be read as a rig or palette file: it is named .json, or it is a regular file of JSON that names
/// one of these formats, valid or not. False for a file that cannot be read.
/// @param path  "-" counts as a rig file
/// Errors none, but the context's sentence may change.   Memory: scratch.   Threads: one call per context at a time.
ER_API bool er_file_is_rig(er_context *context, const char *path);

/// Receives a warning about a file: one line, without the file's path.
/// @param text  UTF-8, borrowed for the call
typedef void er_warning_callback(void *user, const char *text);

/// Reads a rig file, or the rig inside a palette file.
/// @param path  "-" reads standard input
/// @param warn  receives the first eight misspelled keys, such as "dampng" in a joint; NULL for none. Called once the
///              model is made; it may use the context. Keys that resemble no known key are ignored
/// @param user  passed to `warn`
/// @param out   ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (cannot be read; over 2 GiB), ER_ERROR_FORMAT (names the place in the
///          file), ER_ERROR_RIG (as er_model_create()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_rig_file_read(er_context *context, const char *path, er_warning_callback *warn, void *user,
                                  er_model **out);

/// A rig that was opened from a file. Read-only; freed by er_opened_destroy().
typedef struct er_opened {
    const er_model *model; ///< owned; for er_modal_solve()
    const er_rig *rig;     ///< the rig that `model` belongs to; owned. NULL for a rig file
    const er_scene *scene; ///< the scene that the rig was built of; owned. NULL for a rig file
    int note_count;        ///< >= 0
    const er_note *note;   ///< [note_count], assumptions and losses, in the order in which they were noticed
} er_opened;

/// Opens a file that holds a rig: a model of any format that er_import_file() reads, whose rig is built; a rig file; or
/// a palette file. er_world_file_read() opens worlds. Descriptions beside models (MODEL.rig.lua) are not read: the
/// program and Lua do that, `def` does it here.
/// @param path    as er_file_is_rig() and er_import_file() take it
/// @param import  as er_import_file() takes it, NULL for the defaults; ignored for a rig file
/// @param def     as er_rig_build() takes it, NULL for the defaults. ER_POSE_GIVEN is refused and `like` is ignored,
///                because both need the scene first. For a rig file only `change` is used
/// @param out     ER_OK: a new object for er_opened_destroy(); otherwise NULL
/// Errors   as er_rig_file_read() and er_rig_change_model(), or as er_import_file() and er_rig_build()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_file_open(er_context *context, const char *path, const er_import_def *import, const er_rig_def *def,
                              er_opened **out);

/// Frees the object and all that it owns. NULL is fine.   Threads: the context's.
ER_API void er_opened_destroy(er_opened *opened);

/// Writes a rig file.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8; a number that is not finite),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_rig_file_write(er_context *context, const er_model *model, const char *path);

/// Writes a palette file: the rig and its modes.
/// @param modes     of this model
/// @param validity  of these modes, written as "true_to_degrees" of each; NULL for none
/// @param path      "-" writes to standard output
/// Errors, memory, threads   as er_rig_file_write().
ER_API er_result er_palette_file_write(er_context *context, const er_model *model, const er_modes *modes,
                                       const er_validity *validity, const char *path);

/// Reads up to which amplitude each mode is true. A mode of the file counts if its index is the same, and its frequency
/// is the same to 1e-6.
/// @param modes    of the palette's rig
/// @param true_to  [count of modes], written: degrees, >= 0; NAN for modes that the file says nothing about
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT (not JSON), ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_palette_file_read_validity(er_context *context, const char *path, const er_modes *modes,
                                               double *true_to);

/// Reads a mix file.
/// @param path  "-" reads standard input
/// @param out   ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_FORMAT (names the place in the file; unknown keys too),
///          ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_mix_file_read(er_context *context, const char *path, er_mix **out);

/// Writes a mix file. A mix finds its modes again after a change of the rig if its components have shapes
/// (er_mix_fit()).
/// @param path  "-" writes to standard output
/// Errors, memory, threads   as er_rig_file_write().
ER_API er_result er_mix_file_write(er_context *context, const er_mix *mix, const char *path);

/// Reads a pose file for a scene: local transforms by node name. The k-th transform of a name goes to the k-th node of
/// that name. Nodes, and properties of nodes, that the file leaves out keep the rest pose.
/// @param path   "-" reads standard input
/// @param local  [node_count], written on ER_OK: for er_rig_def.pose_local
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_FORMAT (names the place in the file; a node that is not in the
///          scene too), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_pose_file_read(er_context *context, const char *path, const er_scene *scene, er_affine *local);

/// Reads a pose file from a text. The message about a text that is no pose file says only that, so that it tells
/// nothing about a file that somebody else named.
/// @param name   of the file, for messages
/// @param text   [size], UTF-8; need not end in NUL
/// @param local  as er_pose_file_read() writes it
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FORMAT, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_pose_file_parse(er_context *context, const char *name, const char *text, size_t size,
                                    const er_scene *scene, er_affine *local);

/// Writes a pose file of all nodes of a scene. Shear is lost.
/// @param local  [node_count]
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; numbers that are not finite), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_pose_file_write(er_context *context, const er_scene *scene, const er_affine *local,
                                    const char *path);

// ---- Models with clips
//
// Each writer takes a scene and clips for it. The given clips come first, because programs show the first clip; the
// scene's own clips follow. Names that are taken get " (2)", " (3)", ... appended. A clip that begins below 0 s is
// shifted to begin at 0.

/// Options for the writers of scenes. Take er_default_export_def(), then change fields.
typedef struct er_export_def {
    bool drop_clips; ///< leave out the scene's own clips; their names are free then   [false]
    uint32_t tag;    ///< set by er_default_export_def(); leave alone
} er_export_def;

/// The defaults in brackets above.
ER_API er_export_def er_default_export_def(void);

/// A writer of scenes with clips: er_gltf_write(), er_vrma_write(), er_fbx_write() or er_collada_write().
typedef er_result er_scene_writer(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                  const er_export_def *def, const char *path);

/// Writes glTF 2.0. Morph targets, cameras and lights are kept only in a glTF source.
///
/// A scene that er_import_file() read from glTF (ER_FORMAT_GLTF) is extended; its file is not opened again.
///   - Every byte of its buffers and every element of its JSON stays. Clips are added, and instances that the scene
///     adds: each becomes a mesh of its node, or of a new child if the node has a mesh.
///   - A node's `matrix` becomes TRS if a clip moves the node; its shear is lost.
///   - A .glb stands alone: buffer 0 is its BIN chunk, other buffers and pictures from beside the source are embedded.
///   - A .gltf written to another folder takes its side files along; a different file in the way is an error. A side
///     file is embedded if its path leaves the source's folder or is hidden. A BIN chunk becomes a data URI. Chunks of
///     other kinds are dropped.
///   - Side files are those that er_import_file() may read: up to the buffer's length, and only if something uses them.
///     Missing ones keep their URI, but a buffer that something uses has to be there.
///   - With `drop_clips` the data that only the dropped clips use stays in the file.
///
/// A scene of any other format is written anew: nodes as TRS, or as a matrix if they shear and no clip moves them; the
/// meshes of a node as primitives of one mesh; the 8 strongest influences of a vertex; skins, materials, pictures,
/// clips. A root "eigenrig units" is added if the scene is not in metres with +Y up, or a skin spans several roots.
///
/// Clips: names are made UTF-8. Times and values become 32-bit floats; each key is at least one float later than the
/// one before. Rotations are made unit, neighbours in one hemisphere (splines keep their numbers). A morph channel has
/// one value for each weight of the node's mesh and is left out if the mesh has none; without values it holds the
/// default weights. A clip without channels is left out. A channel with the same pointers as one of the scene's own
/// clips, as er_motion_record() makes them over a clip, is copied from the glTF source bit for bit, morph weights too.
///
/// @param scene  keeps the promises of scene.h (er_scene_validate())
/// @param clip   [clip_count], channels on nodes of the scene, values as er_scene_sample() reads them. Equal `time`
///               pointers share one accessor; may be NULL when there are none
/// @param def    made by er_default_export_def(), or NULL for the defaults
/// @param path   ends in .glb or .gltf, or is "-" for a .glb on standard output; for a VRM source also .vrm, a .glb
///               that keeps the humanoid map. It may be scene->path
/// Errors   ER_ERROR_ARGUMENT (the ending; a scene or a clip that breaks a promise of scene.h; a scene made by hand of
///          ER_FORMAT_GLTF; two channels for one property; a number that is not finite or too large for a float),
///          ER_ERROR_FILE (cannot be written; a buffer that could not be read; over 4 GiB), ER_ERROR_FORMAT (a source
///          that cannot be extended), ER_ERROR_MEMORY
/// Memory   scratch: about three times the file. Jansson holds the JSON in its own memory.
/// Threads  one call per context at a time.
/// Source   Khronos glTF 2.0 specification.
ER_API er_result er_gltf_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const er_export_def *def, const char *path);

/// Writes clips as VRM animation (VRMC_vrm_animation 1.0): motion of the humanoid bones, for any VRM model.
///
/// Every humanoid bone but the eyes becomes a node below the next such bone above it, at the scene's rest pose (T-pose
/// in VRM) and without rotation. Nodes between bones move the bones; other nodes (hair, clothes) are left out. A model
/// that faces -Z, as VRM 0 does, is turned by half a turn.
///
/// Each bone has a rotation key wherever a channel of the clip has a key, and more where straight lines would leave the
/// clip by 3e-6 rad. The hips have position keys too, to 3e-6 of their height. An interval above 1 ms is divided into
/// at most 64; a step takes 20 us.
/// @param scene  has er_node.role from a VRM file, "hips" among them
/// @param clip   [clip_count], as for er_gltf_write()
/// @param def    as for er_gltf_write()
/// @param path   ends in .vrma
/// Errors   as er_gltf_write(); ER_ERROR_ARGUMENT (no humanoid map)
/// Memory   scratch: about three times the file.   Threads: one call per context at a time.
/// Source   VRMC_vrm_animation 1.0, VRM Consortium.
ER_API er_result er_vrma_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const er_export_def *def, const char *path);

/// Writes binary FBX 7.4, one file that stands alone. Cameras, lights and morph targets are not written.
///
/// Units and axes: lengths are in centimetres (100 x metres_per_unit), as all readers assume. The axis nearest to `up`
/// is the file's up axis.
///
/// Nodes become Models with the rest pose as translation, rotation and scale; shear is lost.
///   - Joints, end sites and the nodes between them are LimbNodes. If the joints of a skin have no common LimbNode,
///     their ancestors up to the common one are LimbNodes too.
///   - FBX readers go by names. The second node of a name becomes "name (2)"; node 7 without a name becomes "node 7".
///   - A single root "RootNode" that is the identity, draws nothing and does not move is FBX's own root and is left
///   out.
///   - Assimp 5.2 reads translations below 3.5e-4 cm, and scales that close to 1, as none unless a clip moves them.
///
/// Meshes that one node draws with one skin become one Geometry, with all influences. A mesh without material is grey.
///   - The Geometry hangs on the node. It gets a Model of its own if the node is a LimbNode, draws a second skin, or
///     has a skinned mesh and also children or keys. That Model hangs on the node, or on the root if the node's Model
///     draws another skin.
///   - A joint that a skin lists twice gets a second LimbNode.
///   - A cluster's Transform is the inverse bind matrix. Its TransformLink is the bind pose without scale, as Blender
///     makes bones of it. If joints of one skin are bound at different scales, readers show the bones right and the
///     skin wrong.
///   - TransformLink x Transform is where the Model of the skin stands, as three.js (from r187) and Godot assume; a
///   node
///     that only draws a skin is moved there.
///   - A limb that no skin lists gets a cluster without weights if it is bound elsewhere than it rests, for three.js.
///   - Vertices without influences stay with their node.
///
/// Materials are Phong: base colour, emission, opacity (ER_ALPHA_BLEND), roughness and metallic as Blender reads them.
/// Pictures are embedded; most readers show a picture instead of its colour. Alpha cutoff and double sides are lost.
///
/// Clips: each is an AnimationStack with one layer, and a Take. A clip without a name is "clip 0", by its index. A clip
/// that moves only morph targets is left out.
///   - The frame rate is scene->fps, or 30 if that is 0.
///   - Every stack keys, at least at both ends, every property that any stack moves, so that no pose leaks into
///   another.
///   - Rotations are Euler angles without jumps, in the order that stays furthest from gimbal lock (RotationOrder).
///   - Keys are so dense that straight lines, of angles or of quaternions, leave the clip by at most 3e-6 rad, splines
///     by 1e-5 of their range; but keys are at least 50 us apart. A step takes 20 us.
///
/// @param scene  keeps the promises of scene.h
/// @param clip   [clip_count], as scene.h promises, on nodes of the scene; may be NULL when there are none
/// @param def    made by er_default_export_def(), or NULL for the defaults
/// @param path   ends in .fbx, or is "-" for standard output
/// Errors   ER_ERROR_ARGUMENT (the ending; a promise broken by scene or clips; a clip longer than 1e8 s; a key too
///          large for a float), ER_ERROR_FILE (cannot be written; over 2 GiB), ER_ERROR_MEMORY
/// Memory   scratch: about three times the file, uncompressed.   Threads: one call per context at a time.
/// Source   FBX has no public specification; Blender, Assimp and the FBX SDK agree on this layout.
ER_API er_result er_fbx_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                              const er_export_def *def, const char *path);

/// Writes Collada 1.4.1, laid out so that Blender and Assimp read the same pose at every time. Morph targets, cameras
/// and lights are not written.
///
/// One clip: readers play all animations of a file at once, so a file holds one. It is the given clip, or the scene's
/// own if none is given. More of either are refused. A clip without channels gives a file at rest.
///
/// Nodes: every node is a joint, so that Blender makes one skeleton. Several roots get a root "eigenrig-root".
///   - `id` and `sid` are the name if it is a free id (ASCII letters, digits, - and _, at most 63), else made from it.
///   - `name` is the name. It is left out if it is taken or longer than 63 bytes, so that readers go by the id.
///   - Axes and unit are the scene's. If up is neither +Y nor +Z, roots are turned so that +Y is up (half turns about
///     Z). Readers turn and scale the scene to their own axes and unit.
///
/// Meshes: positions, normals, texture coordinates, colours and a material each. Every mesh is a skin at a root of its
/// own: a rigid part follows one joint, a vertex without influences follows the instance's node.
///   - All skins share one bind pose, the rest pose if the scene was bound in it. Meshes are written as they lie in the
///     bind pose; Blender shows it until the clip plays.
///   - Where skins disagree on the bind matrix of a joint, a child "eigenrig-joint" at its place stands for it.
///
/// Materials are Phong: diffuse and emission, or pictures instead; roughness as shininess, metal as reflectivity; alpha
/// cutoff becomes plain transparency. Pictures lie beside the file under their own names, with characters other than
/// A-Z a-z 0-9 . _ - replaced by _. An equal file is left alone; a different one in the way is an error.
///
/// The clip: one matrix per moved node, at the union of its key times and more in between, until straight lines lie
/// within 3e-5 of the clip (rad, stretch, and shift in the scene's size) or are 1 ms apart. Keys are exact to nine
/// digits. A step becomes a ramp of at most a millisecond. The clip's name is that of each <animation>, and of one
/// <animation_clip>. Readers split matrices into translation, rotation and scale, so shear is lost there. Blender
/// merges keys that are closer than a hundredth of a frame.
///
/// @param scene  of any format; checked by er_scene_validate() here, as is the clip
/// @param clip   [clip_count], 0 or 1, on nodes of the scene; may be NULL when there is none. Morph channels are lost
/// @param def    made by er_default_export_def(), or NULL for the defaults
/// @param path   ends in .dae; may be scene->path
/// Errors   ER_ERROR_ARGUMENT (the ending; several clips; a number too large for a float; scene or clip break a promise
///          of scene.h), ER_ERROR_FILE (cannot be written; a picture in the way), ER_ERROR_MEMORY
/// Memory   scratch: a few times the file.   Threads: one call per context at a time.
/// Source   Khronos Collada 1.4.1 specification; Blender 3.4 and Assimp 5.2 (src/formats/collada/collada_plan.h).
ER_API er_result er_collada_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                  const er_export_def *def, const char *path);

/// Writes BVH: a skeleton and one motion, for motion capture tools and animation packages.
///
/// Space: the scene's own units, +Y up (BVH states neither). A scene with another `up` is turned the shortest way.
/// A joint stands for the head of a bone. At rest all joints have the world's axes, and offsets are distances in the
/// world. Rotations are the nearest rigid turns (polar factor) from rest, so scaled, mirrored and sheared skeletons
/// work too. At every frame heads are where the clip puts them, to 1e-6 of the skeleton's size (the largest side of the
/// box around its heads at rest; 1 if that is 0).
///
/// Joints: depth first, children in the scene's order; the parent is the nearest ancestor that is a joint, and the
/// nodes between them add to the offset. Several roots get a joint "root" at the origin.
///   - The root has channels Xposition Yposition Zposition Zrotation Xrotation Yrotation. Other joints have the three
///     rotations; positions come before them if the head would leave the clip by more than 1e-6 of the size.
///   - Positions replace the offset, as in most readers (Blender, Assimp, ours). Some readers add them to it (three.js,
///     Meredith and Maddock). Roots have the offset 0 and are the same in both; other joints with positions, and roots
///     of a BVH source, which keep their offset, are shifted in the latter.
///   - A leaf's End Site is its ER_NODE_END_SITE child. Without one it is half the bone's own length further on, or a
///     tenth of the size upwards for a root and for a bone without length.
///
/// A BVH source (ER_FORMAT_BVH) keeps roots, End Sites and the channels of every joint in their order. A joint whose
/// channels cannot hold the clip (a turn off their axes by more than 1e-6 rad, or a shift as above) gets the three
/// rotations, or the positions. Its own clip at its own rate keeps the source's numbers if these have no jumps and
/// begin within 180 degrees of 0.
///
/// Frames: at k / fps from 0 to the clip's end (to a millionth of a frame) or, held, past it. Angles begin nearest to 0
/// and take the nearest way from frame to frame, also beyond 180 degrees; in gimbal lock both free angles change least.
/// Positions are rounded to 1e-9 of the size or finer, angles to 1e-9 degrees.
///
/// Names keep their spaces (Blender shows "_"). Control characters and braces become "_", node N without a name becomes
/// "joint N", and joints of one name get "_2", "_3", ... from the second on (spaces count as "_").
///
/// @param scene  its nodes keep the promises of scene.h
/// @param bone   [node_count], true for joints, such as er_rig.bone. NULL: nodes with ER_NODE_JOINT, or all nodes if
///               none has it. Nodes with ER_NODE_END_SITE never are joints
/// @param clip   on nodes of this scene; NULL for one frame of the rest pose
/// @param fps    frames per second, in [0.001, 10000]
/// @param path   ends in .bvh, or is "-" for standard output
/// Errors   ER_ERROR_ARGUMENT (fps, the ending; over 1,000,000 frames; a node or the clip breaks a promise of scene.h,
///          or leads to a number that is not finite), ER_ERROR_RIG (no joints), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch: some 200 bytes per joint and frame.   Threads: one call per context at a time.
/// Source   M. Meredith and S. Maddock, "Motion capture file formats explained" (2001), section 3.
ER_API er_result er_bvh_write(er_context *context, const er_scene *scene, const bool *bone, const er_clip *clip,
                              double fps, const char *path);

#ifdef __cplusplus
}
#endif
#endif
