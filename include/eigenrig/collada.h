/// @file
/// Writing Collada 1.4.1 (.dae): a scene with one clip, laid out so that Blender's importer and Assimp's read the same
/// pose at every time.
#ifndef EIGENRIG_COLLADA_H
#define EIGENRIG_COLLADA_H

#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

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
/// ramp of at most a millisecond. The clip lasts its duration; one that begins below 0 s is shifted to begin at 0.
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
/// src/collada/plan.h.
ER_API er_result er_collada_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                                  const char *path);

#ifdef __cplusplus
}
#endif
#endif
