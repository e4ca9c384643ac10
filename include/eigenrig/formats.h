/// @file
/// Reads and writes files of rigs, palettes, mixes and poses; writes models and clips as glTF, VRM animation, FBX,
/// Collada and BVH; reads models from memory. scene.h reads models from files, worlds.h reads and writes worlds,
/// plots.h writes tables and drawings.
///
/// Every writer writes its file whole or not at all and replaces an existing file. The same input gives the same bytes.
#ifndef EIGENRIG_FORMATS_H
#define EIGENRIG_FORMATS_H

#include <eigenrig/identity.h>
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
// back exactly. While a file is read, its JSON is in Jansson's own memory.

/// Whether a file should be read as a rig or palette file: its name ends in .json, or it is a regular file of JSON that
/// names one of these formats, valid or not. False for a file that cannot be read.
/// @param path  "-" counts as a rig file
/// Errors   none, but the context's message may change.   Memory: scratch.   Threads: one call per context at a time.
ER_API bool er_file_is_rig(er_context *context, const char *path);

/// Receives a warning about a file: one line, without the file's path.
/// @param text  UTF-8, borrowed for the call
typedef void er_warning_callback(void *user, const char *text);

/// Reads a rig file, or the rig inside a palette file.
/// @param path  "-" reads standard input
/// @param warn  receives the first eight misspelled keys, such as "dampng" in a joint; NULL for none. It is called
///              after the model is made and may use the context. Keys that resemble no known key are ignored
/// @param user  passed to `warn`
/// @param out   ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (cannot be read; over 2 GiB), ER_ERROR_FORMAT (names the place in the
///          file), ER_ERROR_RIG (as er_model_create()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_rig_file_read(er_context *context, const char *path, er_warning_callback *warn, void *user,
                                  er_model **out);

// ---- Models in memory
//
// For programs that have no file: pages in a browser, archives, editors. er_import_file() (scene.h) reads more formats,
// and survives a reader's crash.

/// A file in memory.
typedef struct er_named_bytes {
    const char *name;  ///< path below the model's folder, as the model refers to it: "horse.bin", "textures/skin.png"
    const void *bytes; ///< [size]; may be NULL if size is 0
    size_t size;
} er_named_bytes;

/// Reads a model from bytes, in this process: glTF 2.0 (.glb, .gltf, VRM) or BVH, told apart by their content. The
/// scene is the one that er_import_file() reads from a file with these bytes. No file is opened. Meshes compressed with
/// Draco or meshoptimizer are refused.
/// @param name          for messages, and the scene's path; UTF-8
/// @param bytes         [size], the whole file; copied
/// @param beside_count  >= 0
/// @param beside        [beside_count]: files that the model may refer to (buffers, pictures); copied as used. NULL if
///                      beside_count is 0
/// @param out           ER_OK: a validated scene for er_scene_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FORMAT (empty, neither glTF nor BVH, broken, or compressed), ER_ERROR_FILE (a
///          buffer is not in `beside`), ER_ERROR_MEMORY
/// Memory   the scene owns all it holds; its JSON is in Jansson's own memory while it is read.
/// Threads  one call per context at a time.
ER_API er_result er_import_bytes(er_context *context, const char *name, const void *bytes, size_t size,
                                 int beside_count, const er_named_bytes *beside, er_scene **out);

/// A rig that was opened from a file. Read-only; freed by er_opened_destroy().
typedef struct er_opened {
    const er_model *model; ///< owned; for er_modal_solve()
    const er_rig *rig;     ///< the rig of `model`; owned. NULL for a rig file
    const er_scene *scene; ///< the scene from which the rig was built; owned. NULL for a rig file
    int note_count;        ///< >= 0
    const er_note *note;   ///< [note_count], assumptions and losses, in order of time
} er_opened;

/// Opens a file that contains a rig: a rig file, a palette file, or a model of any format that er_import_file() reads.
/// For a model the rig is built. er_world_file_read() opens worlds. Descriptions beside models (MODEL.rig.lua) are not
/// read, unlike in the program and in Lua; use `def` instead.
/// @param path    as for er_file_is_rig() and er_import_file()
/// @param import  as for er_import_file(), NULL for the defaults; ignored for a rig file
/// @param def     as for er_rig_build(), NULL for the defaults. ER_POSE_GIVEN is refused and `like` is ignored, because
///                both need the scene first. For a rig file only `change` is used
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

/// Writes a rig file with a member "report", which readers of rig files skip.
/// @param report  a JSON value, written as it is and not checked; NULL: none
/// @param path    "-" writes to standard output
/// Errors, memory, threads   as er_rig_file_write().
ER_API er_result er_rig_file_write_report(er_context *context, const er_model *model, const char *report,
                                          const char *path);

/// Writes a palette file: the rig and its modes.
/// @param modes     of this model
/// @param names     of these modes, written as "name", "sure", "parity" and "regions" of each; NULL for none
/// @param validity  of these modes, written as "true_to_degrees" of each; NULL for none
/// @param bound     [modes->count], written as "bound" of each elastic one; NULL for none
/// @param path      "-" writes to standard output
/// Errors, memory, threads   as er_rig_file_write().
ER_API er_result er_palette_file_write(er_context *context, const er_model *model, const er_modes *modes,
                                       const er_mode_names *names, const er_validity *validity,
                                       const er_mode_bound *bound, const char *path);

/// Reads the amplitude up to which each mode is valid. Modes of the file are matched by their index, and their
/// frequency must agree to 1e-6.
/// @param modes    of the palette's rig
/// @param true_to  [count of modes], written: degrees, >= 0; NAN for modes without a value in the file
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

/// Writes a mix file. If its components have shapes, er_mix_fit() finds its modes again after a change of the rig.
/// @param path  "-" writes to standard output
/// Errors, memory, threads   as er_rig_file_write().
ER_API er_result er_mix_file_write(er_context *context, const er_mix *mix, const char *path);

/// Reads a pose file for a scene: local transforms by node name. The k-th transform of a name goes to the k-th node of
/// that name. Nodes, and properties of nodes, that are not in the file keep the rest pose.
/// @param path   "-" reads standard input
/// @param local  [node_count], written on ER_OK: for er_rig_def.pose_local
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_FORMAT (names the place in the file; a node that is not in the
///          scene too), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_pose_file_read(er_context *context, const char *path, const er_scene *scene, er_affine *local);

/// Reads a pose file from a text. If the text is no pose file, the message does not quote it, so it reveals nothing
/// about a file that an untrusted file refers to.
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
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a number that is not finite), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_pose_file_write(er_context *context, const er_scene *scene, const er_affine *local,
                                    const char *path);

// ---- Models with clips
//
// Each writer takes a scene and clips for it. The given clips come first, because programs show the first clip; the
// scene's own clips follow. A name that is already used gets " (2)", " (3)", ... appended. A clip that begins before 0
// s is shifted to begin at 0.

/// Options for the writers of scenes. Take er_default_export_def(), then change fields.
typedef struct er_export_def {
    bool drop_clips; ///< leave out the scene's own clips, so that their names are free [false]
    /// Spring bones to add, which replace those of the source on the same nodes; er_gltf_write() only. VRM 0 sources
    /// take those of version 0, others those of version 1 [NULL]
    const er_spring_bones *springs;
    uint32_t tag; ///< set by er_default_export_def(); leave alone
} er_export_def;

/// The defaults in brackets above.
ER_API er_export_def er_default_export_def(void);

/// A writer of scenes with clips: er_gltf_write(), er_page_write(), er_vrma_write(), er_fbx_write() or
/// er_collada_write().
typedef er_result er_scene_writer(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                  const er_export_def *def, const char *path);

/// Writes glTF 2.0. Morph targets, cameras and lights are kept only in a glTF source.
///
/// A scene that er_import_file() read from glTF (ER_FORMAT_GLTF) is extended; its file is not opened again.
///   - Every byte of its buffers and every element of its JSON stays. Clips are added, and so are the last
///     `added_count` instances of the scene: each becomes a mesh of its node, or of a new child if the node has a mesh.
///   - A node's `matrix` becomes TRS if a clip moves the node; its shear is lost.
///   - A .glb is self-contained: buffer 0 is its BIN chunk; other buffers, and pictures beside the source, are
///     embedded.
///   - The side files of a .gltf are copied with it to another folder; a different file there is an error. A side file
///     is embedded if its path leaves the source's folder or is hidden. A BIN chunk becomes a data URI. Chunks of other
///     kinds are dropped.
///   - Side files are those that er_import_file() may read: up to the buffer's length, and only if they are used.
///     Missing ones keep their URI; but a buffer that is used must exist.
///   - With `drop_clips` the data of dropped clips stays in the file.
///
/// A scene of any other format is written from its arrays:
///   - nodes as TRS, or as a matrix if they shear and no clip moves them;
///   - the meshes of a node as primitives of one mesh, with the 8 strongest influences of each vertex;
///   - skins, materials, pictures and clips;
///   - a root "eigenrig units" if the scene is not in metres with +Y up, or a skin spans several roots.
///
/// Clips:
///   - Names are made UTF-8. A clip without channels is left out.
///   - Times and values become 32-bit floats; each key is at least one float later than the one before. Rotations are
///     normalised, with neighbours in one hemisphere (splines keep their numbers).
///   - A morph channel has one value for each weight of the node's mesh. It is left out if the mesh has none; without
///     values it has the default weights.
///   - A channel with the same pointers as one of the scene's own clips, as er_motion_record() makes them over a clip,
///     is copied from the glTF source bit by bit, morph weights too.
///
/// @param scene  valid (er_scene_validate())
/// @param clip   [clip_count], channels on nodes of the scene, values as for er_scene_sample(). Equal `time` pointers
///               share one accessor. NULL if there are none
/// @param def    made by er_default_export_def(), or NULL for the defaults
/// @param path   ends in .glb or .gltf, or is "-" for a .glb on standard output; for a VRM source also .vrm, a .glb
///               that keeps the humanoid map. It may be scene->path
/// Errors   ER_ERROR_ARGUMENT (the ending; an invalid scene or clip; a scene made by hand of ER_FORMAT_GLTF; two
///          channels for one property; a number that is not finite or too large for a float), ER_ERROR_FILE (cannot be
///          written; a buffer that could not be read; over 4 GiB), ER_ERROR_FORMAT (a source that cannot be extended),
///          ER_ERROR_MEMORY
/// Memory   scratch: about three times the file. Jansson holds the JSON in its own memory.
/// Threads  one call per context at a time.
/// Source   Khronos glTF 2.0 specification.
ER_API er_result er_gltf_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const er_export_def *def, const char *path);

/// Reads the spring bones of a scene that er_import_file() read from glTF: VRMC_springBone, or secondaryAnimation of
/// VRM 0. Chains and colliders on nodes that are not there are left out; a value that is out of its range counts as
/// not given.
/// @param out  ER_OK: a new object for er_spring_bones_destroy(), without chains if the file has none; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FORMAT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   VRMC_springBone 1.0, VRM 0.0, VRM Consortium.
ER_API er_result er_spring_bones_read(er_context *context, const er_scene *scene, er_spring_bones **out);

/// Writes a page (HTML): one file that shows the model and plays its clips in any browser with WebGL 2, from disk and
/// without a network. It contains the model as a GLB, made from the scene's arrays as er_gltf_write() does for other
/// formats, so morph targets, cameras, lights and extensions of a glTF source are left out.
/// @param scene  valid (er_scene_validate())
/// @param clip   [clip_count], as for er_gltf_write()
/// @param def    made by er_default_export_def(), or NULL for the defaults
/// @param path   ends in .html
/// Errors, memory, threads   as er_gltf_write().
/// Source   docs/formats.md has the layout.
ER_API er_result er_page_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const er_export_def *def, const char *path);

/// Modes for a page, which swings and mixes them by itself. Everything is borrowed for the call.
typedef struct er_page_modes {
    const er_model *model;             ///< without loops: a page cannot close them
    const er_recording_target *target; ///< of the model; its scene is the page's
    const er_modes *modes;             ///< of the model
    const double *degrees;             ///< [modes->count], the amplitude that a mode is first shown with, as in
                                       ///< er_mode_amplitude(); 0: the mode is left out
    const er_mode_names *names;        ///< of these modes; NULL: the page numbers them
} er_page_modes;

/// Writes a page with modes as well. Its reader can mix them, with amplitudes, phases and frequencies, and save the mix
/// as a clip in a GLB. Bodies are posed as er_kinematics_pose() poses them, from shapes kept as 32-bit floats.
/// @param modes  NULL for none: er_page_write()
/// Errors   ER_ERROR_ARGUMENT (also: a model with loops; modes of another model), and as er_page_write()
/// Memory, threads   as er_page_write().
ER_API er_result er_page_write_modes(er_context *context, const er_scene *scene, const er_page_modes *modes,
                                     int clip_count, const er_clip *clip, const er_export_def *def, const char *path);

/// Writes clips as VRM animation (VRMC_vrm_animation 1.0): motion of the humanoid bones, for any VRM model.
///
/// Every humanoid bone except the eyes becomes a node without rotation, at the scene's rest pose (T-pose in VRM). Its
/// parent is the next such bone above it. The motion of nodes between bones is included in the bones. Other nodes
/// (hair, clothes) are left out. A model that faces -Z, as in VRM 0, is turned by half a turn.
///
/// Each bone has a rotation key at every key of the clip, and more if straight lines would differ from the clip by
/// 3e-6 rad. The hips have position keys too, to 3e-6 of their height. An interval above 1 ms is divided into at most
/// 64; a step takes 20 us.
/// @param scene  valid, with er_node.role from a VRM file, "hips" among them
/// @param clip   [clip_count], as for er_gltf_write()
/// @param def    as for er_gltf_write()
/// @param path   ends in .vrma
/// Errors   as er_gltf_write(); ER_ERROR_ARGUMENT (no humanoid map)
/// Memory   scratch: about three times the file.   Threads: one call per context at a time.
/// Source   VRMC_vrm_animation 1.0, VRM Consortium.
ER_API er_result er_vrma_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const er_export_def *def, const char *path);

/// Writes binary FBX 7.4, one self-contained file. Cameras, lights and morph targets are not written.
///
/// Units and axes: lengths are in centimetres (100 x metres_per_unit), as all readers assume. The axis nearest to `up`
/// is the file's up axis.
///
/// Nodes become Models with the rest pose as translation, rotation and scale; shear is lost.
///   - Joints, end sites and the nodes between them are LimbNodes. If the joints of a skin have no common LimbNode,
///     their ancestors up to the common one are LimbNodes too.
///   - FBX readers identify nodes by name. The second node of a name becomes "name (2)"; node 7 without a name becomes
///     "node 7".
///   - A single root "RootNode" that is the identity, draws nothing and does not move is FBX's own root and is left
///     out.
///   - Assimp 5.2 ignores translations below 3.5e-4 cm, and scales that close to 1, unless a clip moves them.
///
/// Meshes that one node draws with one skin become one Geometry, with all influences. A mesh without material is grey.
///   - The Geometry belongs to the node. It gets a Model of its own if the node is a LimbNode, draws a second skin, or
///     has a skinned mesh and also children or keys. That Model is a child of the node, or of the root if the node's
///     Model draws another skin.
///   - A joint that a skin lists twice gets a second LimbNode.
///   - A cluster's Transform is the inverse bind matrix. Its TransformLink is the bind pose without scale, because
///     Blender makes bones from it. If joints of one skin are bound at different scales, readers show the bones right
///     and the skin wrong.
///   - TransformLink x Transform is the place of the skin's Model, as three.js (from r187) and Godot assume. A node
///     that only draws a skin is moved there.
///   - A limb that no skin lists gets a cluster without weights, for three.js, if its bind pose differs from its rest
///     pose.
///   - Vertices without influences stay with their node.
///
/// Materials are Phong: base colour, emission, opacity (ER_ALPHA_BLEND), roughness and metallic as Blender reads them.
/// Pictures are embedded; most readers show a picture instead of its colour. Alpha cutoff and double sides are lost.
///
/// Clips: each is an AnimationStack with one layer, and a Take. A clip without a name is "clip 0", by its index. A clip
/// that moves only morph targets is left out.
///   - The frame rate is scene->fps, or 30 if that is 0.
///   - Every stack has keys, at least at both ends, for every property that any stack moves. So no pose leaks from one
///     stack into another.
///   - Rotations are Euler angles without jumps, in the order that stays furthest from gimbal lock (RotationOrder).
///   - Keys are so dense that straight lines, of angles or of quaternions, differ from the clip by at most 3e-6 rad,
///     and splines by 1e-5 of their range; but keys are at least 50 us apart. A step takes 20 us.
///
/// @param scene  valid (er_scene_validate())
/// @param clip   [clip_count], valid, on nodes of the scene; NULL if there are none
/// @param def    made by er_default_export_def(), or NULL for the defaults
/// @param path   ends in .fbx, or is "-" for standard output
/// Errors   ER_ERROR_ARGUMENT (the ending; an invalid scene or clip; a clip longer than 1e8 s; a key too large for a
///          float), ER_ERROR_FILE (cannot be written; over 2 GiB), ER_ERROR_MEMORY
/// Memory   scratch: about three times the file, uncompressed.   Threads: one call per context at a time.
/// Source   FBX has no public specification; Blender, Assimp and the FBX SDK agree on this layout.
ER_API er_result er_fbx_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                              const er_export_def *def, const char *path);

/// Writes Collada 1.4.1, laid out so that Blender and Assimp read the same pose at every time. Morph targets, cameras
/// and lights are not written.
///
/// One clip: readers play all animations of a file at once, so a file has one. It is the given clip, or the scene's own
/// if none is given. More than one of either is an error. A clip without channels gives a file at rest.
///
/// Nodes: every node is a joint, so that Blender makes one skeleton. Several roots get a root "eigenrig-root".
///   - `id` and `sid` are the name, if it is a valid and unused id (ASCII letters, digits, - and _, at most 63);
///     otherwise they are made from it.
///   - `name` is the name. It is left out if it is used already or longer than 63 bytes, so that readers use the id.
///   - Axes and unit are the scene's. If up is neither +Y nor +Z, roots are turned so that +Y is up (half turns about
///     Z). Readers turn and scale the scene to their own axes and unit.
///
/// Meshes: positions, normals, texture coordinates, colours and a material each. Every mesh is a skin at a root of its
/// own: a rigid part follows one joint, a vertex without influences follows the instance's node.
///   - All skins share one bind pose; it is the rest pose if the scene was bound in that. Meshes are written in the
///     bind pose; Blender shows it until the clip plays.
///   - If skins disagree on the bind matrix of a joint, a child "eigenrig-joint" in its place replaces it.
///
/// Materials are Phong: diffuse and emission, or pictures instead; roughness as shininess, metal as reflectivity; alpha
/// cutoff becomes plain transparency. Pictures are written beside the file under their own names, with characters other
/// than A-Z a-z 0-9 . _ - replaced by _. An equal file is left alone; a different file of that name is an error.
///
/// The clip:
///   - Each moved node has one matrix per key, at the union of its key times. Keys are added in between until straight
///     lines are within 3e-5 of the clip (rad, stretch, and shift over the scene's size) or keys are 1 ms apart. Keys
///     are exact to nine digits. A step becomes a ramp of at most a millisecond.
///   - Each <animation> has the clip's name, and so has one <animation_clip>.
///   - Readers split matrices into translation, rotation and scale, so shear is lost there. Blender merges keys that
///     are closer than a hundredth of a frame.
///
/// @param scene  of any format; it and the clip are checked here, as by er_scene_validate()
/// @param clip   [clip_count], 0 or 1, on nodes of the scene; NULL if there is none. Morph channels are lost
/// @param def    made by er_default_export_def(), or NULL for the defaults
/// @param path   ends in .dae; may be scene->path
/// Errors   ER_ERROR_ARGUMENT (the ending; several clips; a number too large for a float; an invalid scene or clip),
///          ER_ERROR_FILE (cannot be written; a different picture of that name), ER_ERROR_MEMORY
/// Memory   scratch: a few times the file.   Threads: one call per context at a time.
/// Source   Khronos Collada 1.4.1 specification; Blender 3.4 and Assimp 5.2 (src/formats/collada/collada_plan.h).
ER_API er_result er_collada_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                  const er_export_def *def, const char *path);

/// Writes BVH: a skeleton and one motion, for motion capture tools and animation packages.
///
/// Space: the scene's own units, +Y up (BVH states neither). A scene with another `up` is turned the shortest way. A
/// joint is the head of a bone. At rest all joints have the world's axes, and offsets are distances in the world.
/// Rotations are the nearest rigid ones (polar factor) from rest, so scaled, mirrored and sheared skeletons work too.
/// At every frame heads are at their places in the clip, to 1e-6 of the skeleton's size (the largest side of the box
/// around its heads at rest; 1 if that is 0).
///
/// Joints: depth first, children in the scene's order. The parent is the nearest ancestor that is a joint; the nodes
/// between them add to the offset. Several roots get a joint "root" at the origin.
///   - The root has channels Xposition Yposition Zposition Zrotation Xrotation Yrotation. Other joints have the three
///     rotations; positions come before them if the head would leave the clip by more than 1e-6 of the size.
///   - Positions replace the offset, as in most readers (Blender, Assimp, ours). Some readers add them to it (three.js,
///     Meredith and Maddock). Roots have the offset 0, so they are the same in both. Other joints with positions are
///     shifted in the latter readers; so are roots of a BVH source, which keep their offset.
///   - A leaf's End Site is its ER_NODE_END_SITE child. Without one it is half the bone's own length further on; for a
///     root and for a bone without length it is a tenth of the size upwards.
///
/// A BVH source (ER_FORMAT_BVH) keeps roots, End Sites and the channels of every joint in their order. If the channels
/// of a joint cannot express the clip, the joint gets the three rotations (for a turn off their axes by more than 1e-6
/// rad) or the positions (for a shift as above). The source's own clip at its own rate keeps the source's numbers, if
/// these have no jumps and begin within 180 degrees of 0.
///
/// Frames are at k / fps, from 0 to the clip's end (to a millionth of a frame); if the last one is later, the end is
/// held. Angles begin nearest to 0 and take the nearest way from frame to frame, also beyond 180 degrees; in gimbal
/// lock both free angles change least. Positions are rounded to 1e-9 of the size or finer, angles to 1e-9 degrees.
///
/// Names keep their spaces (Blender shows "_"). Control characters and braces become "_". Node N without a name becomes
/// "joint N". Joints of one name get "_2", "_3", ... from the second on (spaces count as "_").
///
/// @param scene  its nodes are valid (er_scene_validate())
/// @param bone   [node_count], true for joints, such as er_rig.bone. NULL: nodes with ER_NODE_JOINT, or all nodes if
///               none has it. Nodes with ER_NODE_END_SITE are never joints
/// @param clip   on nodes of this scene; NULL for one frame of the rest pose
/// @param fps    frames per second, in [0.001, 10000]
/// @param path   ends in .bvh, or is "-" for standard output
/// Errors   ER_ERROR_ARGUMENT (fps, the ending; over 1,000,000 frames; an invalid node or clip, or one that leads to a
///          number that is not finite), ER_ERROR_RIG (no joints), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch: some 200 bytes per joint and frame.   Threads: one call per context at a time.
/// Source   M. Meredith and S. Maddock, "Motion capture file formats explained" (2001), section 3.
ER_API er_result er_bvh_write(er_context *context, const er_scene *scene, const bool *bone, const er_clip *clip,
                              double fps, const char *path);

#ifdef __cplusplus
}
#endif
#endif
