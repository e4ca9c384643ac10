/// @file
/// All files written, and our own read: JSON, glTF, FBX, Collada, BVH, curves, plots. scene.h reads scenes.
#ifndef EIGENRIG_FORMATS_H
#define EIGENRIG_FORMATS_H

#include <eigenrig/collide.h>
#include <eigenrig/dynamics.h>
#include <eigenrig/gait.h>
#include <eigenrig/modal.h>
#include <eigenrig/model.h>
#include <eigenrig/motion.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Our own files
//
// Rig, palette, mix and pose, all JSON (docs/formats.md). Numbers are written in the fewest characters that read back
// exactly. What is read is kept as a tree by jansson, in its own memory; what is written goes to the file as it comes,
// and takes no memory to speak of.

/// Whether a file is to be read as a rig or palette: named .json, or a regular file of JSON that names either format,
/// valid or not; false for anything else, and for what cannot be read.
/// @param path  "-" is always taken for a rig file
/// Errors none, but the context's sentence may change.   Memory: scratch.   Threads: one call per context at a time.
ER_API bool er_file_is_rig(er_context *context, const char *path);

/// Reads a rig file, or the rig inside a palette file.
/// @param path  "-" reads standard input
/// @param out   ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (cannot be read; over 2 GiB), ER_ERROR_FORMAT (names the place in the
///          file), ER_ERROR_RIG (as er_model_create()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_file_read_rig(er_context *context, const char *path, er_model **out);

/// Told of a word in a file that nobody reads, and which may be meant: one line, without the file's path.
/// @param text  UTF-8, borrowed for the call
typedef void er_slip_teller(void *user, const char *text);

/// The same, and tells of words that are nearly ones that are known, such as "dampng" of a joint, the first eight.
/// Other words that are not known may be of other programs, and nothing is said of them.
/// @param tell  NULL: nobody; else called within the call, once the model is made, and may use the context
/// @param user  handed to it
/// All else as er_file_read_rig().
ER_API er_result er_file_read_rig_told(er_context *context, const char *path, er_slip_teller *tell, void *user,
                                       er_model **out);

/// A file that holds a rig, opened. Read-only; freed by er_opened_destroy().
typedef struct er_opened {
    const er_model *model; ///< what modes are solved of; owned
    const er_rig *rig;     ///< whose model it is; owned. NULL: of a rig file
    const er_scene *scene; ///< that it was built of; owned. NULL likewise
    int note_count;        ///< >= 0
    const er_note *note;   ///< [note_count], what was assumed or lost of all that was read, in that order
} er_opened;

/// Opens what holds a rig: a model of any format that er_import_file() takes, whose rig is built, a rig file, or the
/// rig inside a palette file; worlds are er_file_read_world()'s. Descriptions beside models (MODEL.rig.lua) are the
/// program's and Lua's: `def` says here how a model becomes a rig.
/// @param path    as er_file_is_rig() and er_import_file() take it
/// @param import  as er_import_file() takes it, NULL for the defaults; not looked at for a rig file
/// @param def     as er_rig_build() takes it, but not ER_POSE_GIVEN, and `like` is of no use: both need the scene
/// first;
///                NULL for the defaults; of a rig file its `change` alone is looked at
/// @param out     ER_OK: a new object for er_opened_destroy(); otherwise NULL
/// Errors   as er_file_read_rig() and er_rig_change_model(), or as er_import_file() and er_rig_build()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_file_open(er_context *context, const char *path, const er_import_def *import, const er_rig_def *def,
                              er_opened **out);

/// Frees it and all that it owns. NULL is fine.   Threads: the context's.
ER_API void er_opened_destroy(er_opened *opened);

/// Writes a rig file, whole or not at all, replaced when it exists.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8; a number that is not finite),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_rig(er_context *context, const er_model *model, const char *path);

/// Writes a palette file: the rig and its modes, whole or not at all, replaced when it exists.
/// @param modes  of this model
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8; a number that is not finite),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_palette(er_context *context, const er_model *model, const er_modes *modes,
                                       const char *path);

/// The same, with "true_to_degrees" in the modes that were judged.
/// @param validity  of these modes; NULL: as er_file_write_palette()
/// Errors, memory, threads   as er_file_write_palette().
ER_API er_result er_file_write_validated_palette(er_context *context, const er_model *model, const er_modes *modes,
                                                 const er_validity *validity, const char *path);

/// What a palette file says of how far modes are true: of those that it has under the same index and frequency, to
/// 1e-6.
/// @param modes    of its rig
/// @param true_to  [count of modes], written: degrees, >= 0; NAN of modes that it says nothing of, as of all by a rig
///                 file
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT (not JSON), ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_read_validity(er_context *context, const char *path, const er_modes *modes, double *true_to);

/// Reads a mix file.
/// @param path  "-" reads standard input
/// @param out   ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_FORMAT (names the place in the file, and words that it does
///          not know), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_file_read_mix(er_context *context, const char *path, er_mix **out);

/// Writes a mix file, whole or not at all, replaced when it exists. It finds its modes again after a change of the rig
/// where its components have shapes: er_mix_fit() gives them.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8; a number that is not finite),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_mix(er_context *context, const er_mix *mix, const char *path);

/// Reads a pose file for a scene: local transforms by node name, the k-th of a name for the scene's k-th of it. Nodes,
/// and properties of nodes, that it leaves out keep the rest pose.
/// @param path   "-" reads standard input
/// @param local  [node_count], written on ER_OK: for er_rig_def.pose_local
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_FORMAT (names the place in the file; a node that the scene does
///          not have too), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_read_pose(er_context *context, const char *path, const er_scene *scene, er_affine *local);

/// The same of a text, such as a file's that somebody else named: of what is no pose file nothing is told but that.
/// @param name   of the file, for messages
/// @param text   [size], UTF-8; need not end in NUL
/// @param local  as above
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FORMAT, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_pose_parse(er_context *context, const char *name, const char *text, size_t size,
                               const er_scene *scene, er_affine *local);

/// Writes a pose file of all nodes of a scene, whole or not at all, replaced when it exists. Shear is left out.
/// @param local  [node_count]
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (NULL; numbers that are not finite), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_pose(er_context *context, const er_scene *scene, const er_affine *local,
                                    const char *path);

// ---- Worlds in files
//
// A rig and all that makes it move: shapes, forces, motors, a state to begin in, how long and how exactly. Ours is one
// JSON file; those of Bacin's simulator, sets of text files, are read and written too. docs/formats.md has both.

/// A solid of a body: a closed surface of triangles, and its convex hull; or one of the round shapes, a box or a plane.
typedef struct er_solid {
    const char *name;      ///< UTF-8, "" when there is none
    int body;              ///< that it goes with, -1 for one that stands in the world
    er_pose pose;          ///< of the solid's frame in the body's, or the world
    double restitution;    ///< e of its impacts, [0, 1]: 1 loses nothing
    double friction;       ///< mu of its contacts, >= 0
    uint32_t groups;       ///< as in er_world_shape
    uint32_t ignores;      ///< likewise
    er_shape shape;        ///< of a hull the kind alone counts: the rest is below. No MESH
    int vertex_count;      ///< >= 4 of a hull, else 0
    const er_vec3 *vertex; ///< [vertex_count], m, the solid's frame
    int triangle_count;    ///< >= 4, likewise
    const int *triangle;   ///< [3 triangle_count], counter-clockwise as seen from outside, or all from inside
    const er_hull *hull;   ///< owned; NULL where solids do not collide, and of other kinds. Writers do not look at it
} er_solid;

/// A world as a file describes it. Read-only to callers; made by er_file_read_world(), freed by
/// er_world_file_destroy().
typedef struct er_world_file {
    const char *name;      ///< UTF-8, "" when there is none
    const er_model *model; ///< owned
    er_world_def def; ///< for er_world_create(): of `model`, without functions; its shapes are the solids, where they
                      ///< collide. Of a set `contact`, `apart`, most_impacts and impact_tolerance are defaults
    double time;      ///< s, when it begins
    const er_pose *pose;    ///< [body_count], world poses of the body frames then; for er_world_set_state()
    const er_twist *twist;  ///< [body_count], body axes, of the frame's origin
    double duration;        ///< s, > 0
    int frame_count;        ///< >= 1: frame k is at time + k duration / frame_count, 0 <= k <= frame_count
    int solid_count;        ///< >= 0
    const er_solid *solid;  ///< [solid_count]
    bool collide;           ///< solids hit each other
    int note_count;         ///< >= 0
    const er_note *note;    ///< [note_count], words of the rig that are nearly known ones: er_file_read_rig_told()
    struct er_arena *arena; ///< private
} er_world_file;

/// Whether a file is to be read as a world: named .cfg, or a regular file of JSON that names the format.
/// Errors none, but the context's sentence may change.   Memory: scratch.   Threads: one call per context at a time.
ER_API bool er_file_is_world(er_context *context, const char *path);

/// Reads a world: a Bacin set by its configuration file, which is named .cfg, any other file as JSON. All that a set
/// names is opened by er_file_open_reference().
///
/// Of a set: joints are where bodies stand in the initial state, which is the model's equilibrium; Euler parameters are
/// made unit; three points or more that two bodies share, not in one line, make one fixed joint; gravity is 9.81 m/s^2
/// against z; restitution is 1.
/// @param path  "-" reads JSON from standard input
/// @param out   ER_OK: a new object for er_world_file_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (one of the files cannot be read), ER_ERROR_FORMAT (names the file and the
///          line, or the place in JSON), ER_ERROR_RIG (as er_model_create()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   Bacin, Animacao Dinamica de Corpos Rigidos Articulados, Unicamp 1999, appendix A.
ER_API er_result er_file_read_world(er_context *context, const char *path, er_world_file **out);

/// Frees a world's file. NULL is fine.   Threads: the context's.
ER_API void er_world_file_destroy(er_world_file *file);

/// Writes a world, so that it reads back the same: JSON, to the bit; or, to a path that ends in .cfg, a Bacin set, to
/// rounding. A set has its files beside it, STEM.bds .ste .ctr .for and a STEM-K.shp for each body, which are never
/// written over other files.
/// @param file  its def's functions are not looked at, nor its arena; of a set nor `contact`, which reads as its
/// default
/// @param path  "-" writes JSON to standard output; written whole or not at all, replaced when it exists
/// Errors   ER_ERROR_ARGUMENT (a number that is not finite, a name that is not UTF-8; of a set: what it cannot say, by
///          name), ER_ERROR_FILE (cannot be written; another file in the way), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_file_write_world(er_context *context, const er_world_file *file, const char *path);

/// Writes the triangles of all solids as a Bacin .sur file: indices of vertices as the frames below count them.
/// @param path  "-" writes to standard output; whole or not at all, replaced when it exists
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.   Source: Bacin 1999, A.2.1.
ER_API er_result er_file_write_world_surface(er_context *context, const er_world_file *file, const char *path);

/// Writes the vertices of all solids and their velocities at one time as a Bacin frame, whose name there is
/// STEM<number>.ste.
/// @param pose   [body_count], world poses, as er_world_pose()
/// @param twist  [body_count], as er_world_twist()
/// @param path   "-" writes to standard output; whole or not at all, replaced when it exists
/// Errors   ER_ERROR_ARGUMENT (a number that is not finite too), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.   Source: Bacin 1999, A.2.2.
ER_API er_result er_file_write_world_frame(er_context *context, const er_world_file *file, double time,
                                           const er_pose *pose, const er_twist *twist, const char *path);

// ---- glTF
//
// Writing glTF 2.0: a scene with clips added. A source that was glTF itself keeps every byte of its buffers and every
// element of its JSON; any other source is written anew.

/// Writes a scene and, before the scene's own clips, `clip_count` more: the first is what Blender shows.
///
/// ER_FORMAT_GLTF: what er_import_file() read, which is only added to; the file itself is not opened again, and may be
/// gone. Added are clips, and the scene's added instances, each a mesh of its node, or of a new child where the node
/// has one already. What changes besides: a node's `matrix` becomes TRS where a clip moves the node (shear is lost);
/// the kind of file decides where data lies. A .glb stands alone: buffer 0 is its BIN chunk, other buffers and pictures
/// beside the source are embedded. A .gltf keeps its side files, copied beside it when the folder is another one (a
/// different file in the way is an error), or embedded when their path climbs out of the source's folder or is hidden;
/// a BIN chunk becomes a data URI, chunks of other kinds stay behind. Of side files there is what er_import_file() may
/// read: to the length that a buffer has, and none that nothing uses. Those and pictures that are missing keep their
/// URI; a buffer that something uses has to be there.
///
/// Any other format: nodes as TRS, or as a matrix where they shear and no clip moves them; meshes at one node become
/// primitives of one mesh; the strongest 8 influences of a vertex; skins, materials, pictures and the scene's clips.
/// Where the scene is not in metres with +Y up, or a skin spans several roots, a root "eigenrig units" is put above it.
/// Morph targets, cameras and lights, which er_scene does not carry, are not written.
///
/// Clips: names that are taken get " (2)", " (3)", ... appended, and those given are made UTF-8. Times and values
/// become 32-bit floats, a key's time at least one float after the one before; rotations are made unit, neighbours in
/// one hemisphere (splines keep their numbers). A clip that begins below 0 s is shifted to begin at 0. A morph channel
/// without values holds the default weights for the clip's duration; with values it has one for each weight of the
/// node's mesh, and is left out where the mesh has none. A clip that comes to have no channel is left out. A channel
/// with the very pointers of one of the scene's own clips, such as er_motion_record() keeps over a clip, is that of the
/// glTF source, bit for bit, morph weights too.
///
/// @param scene  keeps the promises of scene.h (er_scene_validate())
/// @param clip   [clip_count], channels on scene nodes, values as er_scene_sample() reads them (a morph's
///               as said above). Equal `time` pointers share one accessor; may be NULL when there are none
/// @param path   ends in .glb or .gltf, or is "-" for a .glb on standard output; written whole or not at all, replaced
///               when it exists. It may be scene->path. From a VRM file also .vrm, a .glb that keeps its humanoid map
/// Errors   ER_ERROR_ARGUMENT (the ending; a promise broken by the scene; one made by hand of ER_FORMAT_GLTF; a clip on
/// a node that is not there, with
///          times that do not ascend, or two channels for one property; a number that is not finite or too large for a
///          float), ER_ERROR_FILE (cannot be written; a buffer that could not be read; over 4 GiB), ER_ERROR_FORMAT (a
///          source that cannot be added to), ER_ERROR_MEMORY
/// Memory   scratch only: about three times the size of the file. The JSON tree is kept by jansson, in its own memory.
/// Threads  one call per context at a time.
/// Source   Khronos glTF 2.0 specification.
ER_API er_result er_gltf_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const char *path);

/// er_gltf_write() without the scene's own clips, whose names are free then; what they alone refer to stays in the
/// file. Without clips at all the file has none.
ER_API er_result er_gltf_write_new(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                   const char *path);

/// Writes clips, and behind them the scene's own, as VRM animation (VRMC_vrm_animation 1.0): the motion of the bones of
/// a humanoid map, for any VRM model. Each bone of the map but the eyes becomes a node below the next bone above it, at
/// the scene's rest, which VRM has as T-pose, without rotation; it has a key of its rotation wherever some channel of
/// the clip has one, and between where lines would leave it by 3e-6 rad (64 parts of an interval at most, of those
/// above 1 ms; a step takes 20 us), the hips of their place too, by 3e-6 of their height. Motion of the nodes between
/// bones is that of the bones; what else moves (hair, clothes) is left out. A model that faces -Z, as VRM 0, is turned
/// by half. Clip names are as er_gltf_write() has them. Most programs play the first.
/// @param scene  with er_node.role from a VRM file; "hips" among them
/// @param path   ends in .vrma; written whole or not at all, replaced when it exists
/// Errors   as er_gltf_write(); ER_ERROR_ARGUMENT (no humanoid map)
/// Memory   scratch only: about three times the size of the file.
/// Threads  one call per context at a time.
/// Source   VRMC_vrm_animation 1.0, VRM Consortium.
ER_API er_result er_vrma_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                               const char *path);

/// er_vrma_write() without the scene's own clips.
ER_API er_result er_vrma_write_new(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                   const char *path);

// ---- FBX
//
// Writing FBX: a scene with clips added, as one binary file of version 7.4 that stands alone.

/// Writes a scene and, before the scene's own clips, `clip_count` more. Equal input gives equal bytes.
///
/// Units and axes: lengths are multiplied by 100 x metres_per_unit, so that the file is in centimetres, which all
/// readers take it to be; the axis nearest to `up` is the file's up axis.
///
/// Nodes become Models with the rest as translation, rotation and scale: shear, which FBX cannot say, is lost. Joints,
/// end sites and what lies between them are LimbNodes; where a skin's joints have no such tree in common, so are all
/// nodes up to their common ancestor. FBX readers go by names: the second node of a name becomes "name (2)", one
/// without a name "node 7", after its index. A lone root "RootNode" that is the identity, draws nothing and stays is
/// FBX's own root, and is not written again. Assimp 5.2 takes translations below 3.5e-4 cm, and scales that near to 1,
/// for none where no clip moves them.
///
/// Meshes drawn at one node with one skin become one Geometry. It hangs on the node itself; where that is a LimbNode,
/// draws with a second skin, or has a skinned mesh and children or keys, on a Model of its own below it, or below the
/// root where the node's own Model draws another skin. A mesh without material gets a grey one. Influences are kept,
/// all of them; a joint that a skin has twice gets a LimbNode of its own the second time. A cluster's Transform is the
/// inverse bind matrix, its TransformLink the bind pose with rotation and translation alone, as Blender makes bones of
/// it: where joints of one skin are bound at different scales, readers have the bones right and the skin of those that
/// differ from most of them wrong. TransformLink x Transform is where the Model stands that draws the skin, since some
/// readers take that for it (three.js from r187 on, Godot): a node that only draws a skin is moved there. A limb that
/// no joint list names gets a cluster without weights where the bind pose has it elsewhere than it rests, since
/// three.js stands it there otherwise. Vertices without influences stay with their node.
///
/// Materials are Phong: base colour, emission, opacity (of ER_ALPHA_BLEND), roughness and metallic as Blender reads
/// them. Their pictures are embedded; most readers put a picture in place of its colour. Alpha cutoff and sides are not
/// written, nor are cameras, lights and morph targets.
///
/// Clips: each is an AnimationStack with one layer, linear keys and its length, and a Take; the three curves of a
/// property have keys at the same times. One without a name is "clip 0", after its index among the scene's or the new
/// ones; names that are taken get " (2)", ... appended. The frame rate is scene->fps, 30 where that is 0. A clip that
/// begins below 0 s is shifted to begin at 0; one that moves nothing but morph targets is left out. Every stack keys
/// every property that any stack moves, at both ends at least, so that none leaks into another. Rotations are Euler
/// angles that run on without jumps, in the order that keeps furthest from gimbal lock (RotationOrder), with keys so
/// dense that straight lines between them, of angles or of quaternions, leave the clip by no more than 3e-6 rad;
/// splines, by 1e-5 of their range; but keys come no closer than 50 us. A step takes 20 us.
///
/// @param scene  keeps the promises of scene.h
/// @param clip   [clip_count], as scene.h promises, on nodes of the scene; may be NULL when there are none
/// @param path   ends in .fbx, or is "-" for standard output; written whole or not at all, replaced when it exists
/// Errors   ER_ERROR_ARGUMENT (the ending; a promise broken by scene or clips; a clip longer than 1e8 s; a key too
///          large for a float), ER_ERROR_FILE (cannot be written; over 2 GiB), ER_ERROR_MEMORY
/// Memory   scratch only: about three times the size of the file, uncompressed.
/// Threads  one call per context at a time.
/// Source   FBX has no public specification: the layout is what Blender, Assimp and the FBX SDK read and write.
ER_API er_result er_fbx_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                              const char *path);

/// er_fbx_write() without the scene's own clips, whose names are free then.
ER_API er_result er_fbx_write_new(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                  const char *path);

// ---- Collada
//
// Writing Collada 1.4.1 (.dae): a scene with one clip, laid out so that Blender's importer and Assimp's read the same
// pose at every time.

/// Writes a scene of any format, and one clip.
///
/// One clip: readers lay all animations of a Collada file over each other, so a file holds one. It is the given one;
/// without one it is the scene's own. More than one of either is refused: write one file a clip, or a .glb. A clip
/// without channels gives a file at rest.
///
/// Nodes: every node is a joint, so that Blender makes one skeleton and loses no transform between objects and bones;
/// several roots get one above them, "eigenrig-root". `id` and `sid` are the name where that is an id (ASCII letters,
/// digits, - and _, at most 63) nobody has, else one made from it. `name` is the name, left out where another joint has
/// it or it is longer than the 63 bytes that Blender keeps: readers then go by the id. Axes and unit are the scene's;
/// where up is neither +Y nor +Z, roots are turned so that it is +Y (of half turns, about Z). Readers turn the scene to
/// their own up axis and scale it to their own unit.
///
/// Meshes: positions, normals, texture coordinates, colours, a material each. Everything drawn is a skin, hung at a
/// root of its own: a rigid part follows its one joint, a vertex without influences the instance's node. All skins
/// share one bind pose, and meshes are written as they lie in it: the rest pose where the scene was bound in that,
/// otherwise another, which Blender shows until the clip plays. Where skins disagree on the bind matrix of a joint, a
/// child "eigenrig-joint" at its place stands for it. Morph targets, cameras and lights are not written.
///
/// Materials: Phong; diffuse and emission, or the pictures in their place; roughness as shininess, metal as
/// reflectivity; a cut-off becomes plain transparency. Pictures lie beside the file under their own names, letters
/// other than A-Z a-z 0-9 . _ - made _; an equal file is left alone, a different one in the way is an error.
///
/// The clip: one matrix a moved node, at the union of its key times and as many between as it takes for readers' lines
/// between them to lie within 3e-5 (turns in radians, stretches, and shifts in the scene's size) of the clip, though
/// none below a millisecond apart for it. At the keys written it is exact to the file's nine digits. A step becomes a
/// ramp of at most a millisecond. Its name is that of each <animation>, and of one <animation_clip> with all of them.
/// The clip lasts its duration; one that begins below 0 s is shifted to begin at 0.
/// Readers split a matrix into translation, rotation and scale, Blender as seen from the bind pose: what shears there
/// is lost there. Blender joins keys nearer than a hundredth of a frame.
///
/// Equal input gives equal bytes.
///
/// @param scene  of any format; checked by er_scene_validate() here, as is the clip
/// @param clip   [clip_count], 0 or 1, on scene nodes; may be NULL when there is none. Morph channels are left out
/// @param path   ends in .dae; written whole or not at all, and replaced when it exists. It may be scene->path
/// Errors   ER_ERROR_ARGUMENT (the ending; several clips; a number too large for a float; scene or clip break a promise
///          of scene.h), ER_ERROR_FILE (cannot be written; a picture in the way), ER_ERROR_MEMORY
/// Memory   scratch only: a few times the size of the file.
/// Threads  one call per context at a time.
/// Source   Khronos Collada 1.4.1 specification; what Blender 3.4 and Assimp 5.2 make of such files:
/// src/formats/collada/collada_plan.h.
ER_API er_result er_collada_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                  const char *path);

// ---- BVH
//
// Writing BVH: the skeleton of a scene with one clip, as motion capture tools and animation packages read it.

/// Writes a skeleton and its motion.
///
/// Space: the scene's own units, +Y up (BVH can name neither): a scene with another `up` is turned by the shortest way.
/// A joint stands for the head of a bone. All joints have the world's axes at rest; offsets are distances in the world
/// at rest, so scales of nodes are in them, and rotations are those of the nearest rigid turn (polar factor) from rest,
/// so that scaled, mirrored and sheared skeletons come out too. Heads are where the clip has them at every frame, to
/// 1e-6 of the skeleton's size (the largest side of the box about its heads at rest; 1 where that is 0).
///
/// Joints: depth first, children in the scene's order; the parent is the nearest ancestor that is a joint. What lies
/// between goes into the offset. Where there are several roots, a joint "root" at the origin is put above them. The
/// root has Xposition Yposition Zposition Zrotation Xrotation Yrotation; others the three rotations, with the positions
/// before them where the head would otherwise stray from the clip by more than 1e-6 of the size. Positions stand for
/// the offset, as in most readers (Blender, Assimp, ours). Others add the two (three.js, Meredith and Maddock): a root
/// has the offset 0, as Biovision's own files, and is the same to both; other joints with positions are shifted there,
/// and so are roots of a BVH source, which keep theirs. A leaf
/// gets the End Site that its ER_NODE_END_SITE child gives; without one, half its own bone's length further on, and a
/// tenth of the size upwards where it is a root or that length is 0.
///
/// A source that was BVH itself (ER_FORMAT_BVH) keeps its roots, End Sites, and every joint's channels in their order;
/// joints whose channels cannot hold the clip (a turn off their axes by more than 1e-6 rad, a shift as above) get the
/// three rotations, or positions, that other sources have. Its own clip at its own rate has the source's numbers, as
/// long as these have no jumps and begin with the angles nearest to 0 that give the turn, 180 degrees at most.
///
/// Frames: at k / fps from 0, the last one at the clip's end (to a millionth of a frame) or, held, past it. Angles go
/// on from frame to frame by the nearest way, beyond 180 degrees too, and begin nearest to 0; where the middle axis
/// leaves two of them undetermined (gimbal lock), both change least. Positions are rounded to 1e-9 of the size or
/// finer, angles to 1e-9 degrees.
///
/// Names stay as they are, spaces included (Blender shows those as "_"), but for what breaks the format: control
/// characters and braces become "_", an empty name "joint N" (N the node's index), and all joints of one name but the
/// first get "_2", "_3", ... (Blender loses joints of one name; spaces count as "_").
///
/// @param scene  its nodes keep the promises of scene.h
/// @param bone   [node_count], the joints, such as er_rig.bone; NULL: nodes with ER_NODE_JOINT, all nodes where none
///               has. Nodes with ER_NODE_END_SITE never are
/// @param clip   on nodes of this scene, one of its own or not; NULL for one frame of the rest pose
/// @param fps    frames a second, in [0.001, 10000]
/// @param path   ends in .bvh, or is "-" for standard output; written whole or not at all, replaced when it exists
/// Errors   ER_ERROR_ARGUMENT (fps, the ending; over 1,000,000 frames; a node or the clip breaks a promise of scene.h,
///          or leads to a number that is not finite), ER_ERROR_RIG (no joints), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch only: some 200 bytes a joint and frame.   Threads: one call per context at a time.
/// Source   M. Meredith and S. Maddock, "Motion capture file formats explained" (2001), section 3.
ER_API er_result er_bvh_write(er_context *context, const er_scene *scene, const bool *bone, const er_clip *clip,
                              double fps, const char *path);

// ---- Curves
//
// A motion as numbers, for spreadsheets (CSV) and for numpy (NPZ).
//
// Joints and bodies have names in these files, all different: those of the model, "joint 3" or "body 3" (by index)
// where there is none, " (2)", " (3)", ... appended from the second of a name on; bytes that are not UTF-8 become
// U+FFFD. A coordinate is called by er_joint_type_freedom()'s names: tx ty tz for rotations about, x y z for shifts
// along the axes of the joint's frame.

/// A motion; all of it borrowed. Numbers are finite, at most 1e50 in size.
typedef struct er_curves {
    const er_model *model; ///< names of joints and bodies
    int frame_count;       ///< >= 1
    const double *time;    ///< [frame_count], s, strictly ascending
    const double *q;       ///< [frame_count x coordinate_count], a row a frame: displacements from equilibrium, rad, m.
                           ///< A row x of er_motion_poses() has these first, and more where a root floats
    const er_pose *pose;   ///< [frame_count x body_count], a row a frame: world poses, m; NULL where there are none
} er_curves;

/// Writes joint coordinates as CSV (RFC 4180, lines ending in LF), a line a frame: "time_s", then a column
/// "JOINT.COORDINATE" for every coordinate in the order of q; seconds, degrees and metres, with as many digits as read
/// back the same double. Whole or not at all; a file that exists is replaced.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT (NULL; a time, a coordinate or a pose that may not be: named), ER_ERROR_FILE,
///          ER_ERROR_MEMORY
/// Memory   scratch: some twice the file.   Threads: one call per context at a time.
ER_API er_result er_curves_write_csv(er_context *context, const er_curves *curves, const char *path);

/// Writes an archive for numpy.load(), not compressed, the same bytes for the same motion; C order. With F frames,
/// J joints, C coordinates and B bodies:
///   time              [F]          float64, s
///   q                 [F x C]      float64, displacements from equilibrium, rad and m
///   joint_names       [J]          text
///   coordinate_names  [C]          text, "tx" ... "z"
///   coordinate_joint  [C]          int32, index into joint_names
///   body_names        [B]          text; this and the next only where there are poses
///   position          [F x B x 3]  float64, of body frames in the world, m
///   orientation       [F x B x 4]  float64, w x y z
/// Whole or not at all; a file that exists is replaced.
/// @param path  "-" writes to standard output
/// Errors   as er_curves_write_csv()
/// Memory   scratch: the file and its poses, in the context's; the file once more in libzip's, malloc.
/// Threads  one call per context at a time.
/// Source   numpy's format .npy 1.0 (numpy.lib.format), in a ZIP archive of stored entries (PKWARE APPNOTE 6.3).
ER_API er_result er_curves_write_npz(er_context *context, const er_curves *curves, const char *path);

/// How things move that come and go; all of it borrowed. Numbers are finite.
typedef struct er_places {
    int count;               ///< of things
    const char *const *name; ///< [count], UTF-8; need not differ
    int frame_count;         ///< >= 1
    const double *time;      ///< [frame_count], s
    const er_pose *pose;     ///< [frame_count x count], a row a frame: world, m
    const er_vec3 *velocity; ///< likewise, m/s, of the poses' origins, world axes
    const er_vec3 *spin;     ///< likewise, rad/s, world axes
    const int *present;      ///< likewise: 1 where the thing is there, else 0, and the other numbers do not count
} er_places;

/// Writes an archive as er_curves_write_npz() does: name [N], time [F], position [F x N x 3], orientation [F x N x 4],
/// w x y z, velocity [F x N x 3], spin [F x N x 3], present [F x N].
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_places_write_npz(er_context *context, const er_places *places, const char *path);

// ---- Modes and matrices
//
// Modes as numbers, for spreadsheets (CSV) and for numpy (NPZ), and the matrices that they follow from. Names are as in
// Curves.

/// Writes modes as CSV (RFC 4180, lines ending in LF), a line a mode after a header: mode (its index), kind,
/// frequency_Hz, eigenvalue (s^-2), damped_Hz, damping_ratio, as er_mode has them; then its shape, a column
/// "JOINT.COORDINATE" for every coordinate: er_mode.joint, rad and m, scaled so that eta' M eta = 1. Numbers read back
/// the same; whole or not at all, a file that exists is replaced.
/// @param modes  of this model: those of another rig are refused, where they show by their counts
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch, some twice the file.
/// Threads  one call per context at a time.
ER_API er_result er_modes_write_csv(er_context *context, const er_model *model, const er_modes *modes,
                                    const char *path);

/// Writes modes as an archive for numpy.load(), as er_curves_write_npz() writes one. With k modes, B bodies and C
/// coordinates:
///   mode              [k]          int32, indices
///   kind              [k]          text, "rigid", "mechanism" or "elastic"
///   frequency         [k]          float64, Hz
///   eigenvalue        [k]          float64, omega^2, s^-2
///   damped_frequency  [k]          float64, Hz; damping_ratio [k]
///   body              [k x B x 6]  float64, eta: (omega; v) of body frames, body axes; eta' M eta = 1
///   joint             [k x C]      float64, R eta, rad and m at that scale
///   root              [k x 2]      complex128, 1/s: mu of both roots (er_damped_mode), only where something damps
///   damped_shape      [k x 2 x k]  complex128, their shapes as coefficients over the modes, only where dampers couple
///                                  some: tensordot(damped_shape[i, 0], body, 1) is how mode i moves while it decays
///   body_names        [B]          text; joint_names, coordinate_names, coordinate_joint as there
/// @param modes  of this model: those of another rig are refused, where they show by their counts
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_modes_write_npz(er_context *context, const er_model *model, const er_modes *modes,
                                    const char *path);

/// Writes the matrices of a rig as an archive for numpy.load(), likewise. Of at most 100 bodies M, K, C, G, R and N are
/// arrays of two dimensions, float64; of more each is NAME_shape [2], NAME_row and NAME_column, int32, and NAME_value,
/// float64: scipy.sparse.coo_array((value, (row, column)), shape). Besides, with B bodies:
///   twist_names       [6B]         text, "BODY.wx" wy wz vx vy vz: of M, columns of G and R, rows of N
///   rate_names        [rows of R]  text, "JOINT.tz": rows and columns of K and C too
///   constraint_names  [rows of G]  text, "JOINT.x": the direction that the joint holds
///   motion_names      [dof]        text, columns of N: "root BODY.tx", "JOINT.tz", "loops 0" (er_admissible)
///   body_names        [B]          text
///   position          [B x 3]      float64, m, of body frames in the world, where the matrices hold
///   orientation       [B x 4]      float64, w x y z
///   rayleigh_mass, rayleigh_stiffness, damping_ratio   one number each, as er_model has them
/// @param matrices  of this model, or of one with as many bodies, joints and coordinates: others are refused
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_modal_matrices_write_npz(er_context *context, const er_model *model,
                                             const er_modal_matrices *matrices, const char *path);

// ---- Simulations
//
// Frames of a world in motion (dynamics.h) as numbers and as a picture. Names are as in Curves.

/// A point at which two bodies touch in a frame of a simulation.
typedef struct er_frame_contact {
    int body[2];     ///< indices, in [0, body_count); -1: what stands in the world
    er_vec3 point;   ///< m, world
    er_vec3 normal;  ///< unit, world, from the first to the second
    double distance; ///< m, between their shapes, at the frame; < 0: overlap
    er_vec3 force;   ///< N, world, on the second at the point, on the first against it: mean over the last step
                     ///< (er_contact.impulse over its length)
} er_frame_contact;

/// Frames of a simulation; all of it borrowed. Rows are frames.
typedef struct er_world_frames {
    const er_model *model;         ///< names of joints and bodies
    int frame_count;               ///< F >= 1
    const double *time;            ///< [F], s, strictly ascending
    const er_pose *pose;           ///< [F x body_count], world poses of body frames
    const er_twist *twist;         ///< [F x body_count], body axes, of the frame's origin
    const double *q;               ///< [F x coordinate_count], er_world_coordinates()
    const double *rate;            ///< [F x coordinate_count]
    const er_world_energy *energy; ///< [F]
    const er_vec3 *momentum;       ///< [F x 2], linear, then angular about the world's origin
    const er_wrench *reaction;     ///< [F x joint_count], er_world_accelerations()
    const int *contact_end; ///< [F], >= 0, never less than before: a frame's contacts end here, and begin where those
                            ///< of the frame before end, the first one's at 0; NULL: nothing touches
    const er_frame_contact *contact; ///< [contact_end[F - 1]], frame by frame; neither is checked
} er_world_frames;

/// Tables as CSV (RFC 4180, lines ending in LF), a line a frame after a header that begins with "time_s": numbers with
/// as many digits as read back the same double. Whole or not at all; a file that exists is replaced.
///   energy     kinetic, potential, elastic, mechanical, work, heat: J
///   momentum   px py pz lx ly lz: kg m/s, kg m^2/s
///   bodies     of each "BODY.": x y z m, qw qx qy qz, wx wy wz rad/s, vx vy vz m/s, world axes, of the frame's origin
///   reactions  of each "JOINT.": tx ty tz N m, fx fy fz N, world axes, about the joint's origin
///   contacts   a line a contact, none for a frame without: body_1, body_2 by name (empty: what stands in the world),
///              x_m y_m z_m, normal_x normal_y normal_z, distance_m, force_x_N force_y_N force_z_N, as er_frame_contact
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT (NULL; a time or a pose that may not be: named), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch: some twice the file.   Threads: one call per context at a time.
ER_API er_result er_frames_write_energy(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_momentum(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_bodies(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_reactions(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_contacts(er_context *context, const er_world_frames *frames, const char *path);

/// All of it as an archive for numpy.load(), as er_curves_write_npz() writes one: time [F], q and rate [F x C],
/// body_names [B], joint_names [J], position [F x B x 3], orientation [F x B x 4] (w x y z), velocity [F x B x 6]
/// (angular; linear, world axes), energy [F x 6], momentum [F x 6] and reaction [F x J x 6] (torque; force) in the
/// tables' order; of N contacts, 0 where nothing touches, contact_frame [N] and contact_body [N x 2], indices from 0,
/// -1 the world, int32, and contact [N x 10] (point; normal; distance; force).
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_frames_write_npz(er_context *context, const er_world_frames *frames, const char *path);

/// Draws energies over time, and how far their balance is from closing, SVG.
/// Errors, threads   as er_plot_write().
ER_API er_result er_frames_plot_energy(er_context *context, const er_world_frames *frames, const char *path);

// ---- Plots
//
// A motion as a picture: curves of the joints that move most, and the spectrum of modes it is mixed from.

/// A mode of the spectrum.
typedef struct er_plot_line {
    double hz;         ///< frequency, >= 0, at most 1e50
    double degrees;    ///< amplitude in the mix, at most 1e50; 0 where the mix does not use the mode
    const char *label; ///< what the mode is called, UTF-8; NULL or "": its place in the array, from 0
} er_plot_line;

/// What is drawn; all of it borrowed.
typedef struct er_plot {
    const char *title;        ///< UTF-8; NULL is ""
    const char *subtitle;     ///< UTF-8, a second line; NULL or "" for none
    er_curves curves;         ///< poses are not looked at
    int line_count;           ///< >= 0; 0 for no spectrum
    const er_plot_line *line; ///< [line_count], in any order; NULL where there are none
} er_plot;

/// Writes a drawing as SVG 1.1: white background, colours that any eye tells apart, text as text, the same bytes for
/// the same motion, under 1 MB whatever its length. A 960 pixels wide column of up to three panels:
///   angles    degrees over seconds, at most 12 joints: those that turn most, each by the rotation of its frame that
///             moves most ("shin_l tx")
///   lengths   metres over seconds, likewise, where joints shift
///   spectrum  a stem a mode over Hz (logarithmic where frequencies lie far apart), as high as its amplitude and named
///             with it where the mix uses it (at most 48 names: the largest), a short grey one elsewhere
/// A panel says how many joints, or names, are left out. Names are as in Curves, cut in the middle where they are
/// too long (whole in the tip shown over a curve); control characters are left out.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT (NULL; a time, a coordinate, a frequency or an amplitude that may not be: named),
///          ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_plot_write(er_context *context, const er_plot *plot, const char *path);

// ---- A figure of modes
//
// For print: the spectrum, and the shape of each mode as a line drawing of the skeleton.

/// A mode as it is drawn; all of it borrowed.
typedef struct er_mode_shape {
    int mode;              ///< index, of a mode that is held
    const char *label;     ///< UTF-8: what it is called, such as the joints that move most, with commas between
    const er_pose *end[2]; ///< [body_count] each, world: both ends of its swing
} er_mode_shape;

/// What is drawn; all of it borrowed.
typedef struct er_modes_figure {
    const char *title;    ///< UTF-8; NULL is ""
    const char *subtitle; ///< UTF-8, a second line; NULL or "" for none
    const er_model *model;
    const er_modes *modes;      ///< of this model: the spectrum has the elastic ones
    er_vec3 up;                 ///< world, not 0: the coordinate axis nearest to it is up on paper
    int shape_count;            ///< >= 0
    const er_mode_shape *shape; ///< [shape_count], modes ascending
} er_modes_figure;

/// Writes a drawing as SVG 1.1, or as PDF where the path ends in .pdf; 170 mm wide, the text of an A4 page, black and
/// greys on white, the same SVG for the same modes. Above the spectrum: a stem a mode over Hz (logarithmic where they
/// lie far apart), those that are drawn named by index and the first word of their label. Below them four shapes a row,
/// to one scale, each seen along the coordinate axis that shows its motion best, the axes that go right and up beside
/// it. A body is drawn as lines from the joint it hangs by to those that hang on it, one at the end of a limb as far as
/// twice its centre of mass.
/// @param path  "-" writes SVG to standard output
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY; ER_ERROR_SYSTEM: PDF takes the program rsvg-convert,
///          which is started and waited for.   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_modes_plot(er_context *context, const er_modes_figure *figure, const char *path);

// ---- How far modes are true
//
// What er_modes_validate() found (motion.h).

/// Writes trials as CSV: mode, amplitude_degrees, frequency_shift (relative), leakage (of energy); modes by index,
/// amplitudes ascending. Numbers read back the same; whole or not at all, a file that exists is replaced.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch.
/// Threads  one call per context at a time.
ER_API er_result er_validity_write_csv(er_context *context, const er_validity *validity, const char *path);

/// Writes it as one JSON document (docs/messages.md): what the CSV has, and of each mode its frequency and how far it
/// is true.
/// @param modes  that were judged; those that are not held have no frequency
/// @param name   UTF-8, of the rig; NULL is ""
/// @param path   "-" writes to standard output
/// Errors, memory, threads   as er_validity_write_csv(); ER_ERROR_ARGUMENT where the name is not UTF-8.
ER_API er_result er_validity_write_json(er_context *context, const er_validity *validity, const er_modes *modes,
                                        const char *name, const char *path);

/// Draws shift and leakage over amplitude, a line a mode, all logarithmic: SVG 1.1, likewise. Of the former the size is
/// drawn.
/// @param title  UTF-8; NULL is ""
/// @param path   "-" writes to standard output
/// Errors, memory, threads   as er_validity_write_csv().
ER_API er_result er_validity_plot(er_context *context, const er_validity *validity, const char *title,
                                  const char *path);

// ---- Drawings of gaits
//
// What er_gaits_find() found as pictures: when feet stand, and how the body moves.

/// What became of a gait in full dynamics, for who had it simulated. All zeros: it was not.
typedef struct er_gait_walk {
    double seconds;  ///< s: until it fell, or all that was simulated; 0: nothing was, and the rest is not read
    double distance; ///< m, that the centre of mass went along the gait's forward until then, negative backwards
    double off;      ///< rad, >= 0: joints' distance from the gait's angles until then, root of the mean square
    bool fell;       ///< before the end
} er_gait_walk;

/// Writes gaits as one JSON document (docs/messages.md): how the body was read, and of each gait its numbers, the modes
/// of its mix without their shapes (er_file_write_mix() has these), and what each foot does.
/// @param model  as er_gaits_find() had it
/// @param walk   [count of gaits]; NULL: none was simulated
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT (NULL; a number that is not finite, a name that is not UTF-8), ER_ERROR_FILE,
///          ER_ERROR_MEMORY.   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_gaits_write_json(er_context *context, const er_model *model, const er_gaits *gaits,
                                     const er_gait_walk *walk, const char *path);

/// Draws when feet stand, gait by gait, over two strides: SVG 1.1, whole or not at all; the same bytes for the same
/// gaits. Without feet, a line that says so.
/// @param title  UTF-8; NULL is ""
/// @param path   "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch.
/// Threads  one call per context at a time.
ER_API er_result er_gait_write_footfalls(er_context *context, const er_gaits *gaits, const char *title,
                                         const char *path);

/// Draws each gait's stride as stick figures that go to the right, seen from their right side, the left limbs behind
/// and grey (from above, where there are no feet): SVG 1.1, likewise.
/// @param motion  [count of gaits], theirs, each from er_gait_move(); none NULL
/// @param title   UTF-8; NULL is ""
/// @param path    "-" writes to standard output
/// Errors   as er_gait_write_footfalls().   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_gait_write_strip(er_context *context, const er_gaits *gaits, const er_gait_motion *const *motion,
                                     const char *title, const char *path);

#ifdef __cplusplus
}
#endif
#endif
