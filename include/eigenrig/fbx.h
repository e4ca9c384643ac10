/// @file
/// Writing FBX: a scene with clips added, as one binary file of version 7.4 that stands alone.
#ifndef EIGENRIG_FBX_H
#define EIGENRIG_FBX_H

#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a scene and, after the scene's own clips, `clip_count` more. Equal input gives equal bytes.
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
/// draws with a second skin, or has a skinned mesh and children, on a Model of its own below it. A mesh without
/// material gets a grey one. Influences are kept, all of them; a joint that a skin has twice gets a LimbNode of its own
/// the second time. A cluster's Transform is the inverse bind matrix, its TransformLink the bind pose with rotation and
/// translation alone, as Blender makes bones of it: where joints of one skin are bound at different scales, Blender has
/// the bones right and the skin of the odd joints wrong. Vertices without influences stay with their Model.
///
/// Materials are Phong: base colour, emission, opacity (of ER_ALPHA_BLEND), roughness and metallic as Blender reads
/// them. Their pictures are embedded; most readers put a picture in place of its colour. Alpha cutoff and sides are not
/// written, nor are cameras, lights and morph targets.
///
/// Clips: each is an AnimationStack with one layer, linear keys and its length; the three curves of a property have
/// keys at the same times. Names that are taken get " (2)", ... appended. A clip that begins below 0 s is shifted to
/// begin at 0; one that moves nothing but morph targets is left out. Every stack keys every property that any stack
/// moves, at both ends at least, so that none leaks into another. Rotations are Euler angles that run on without jumps,
/// in the order that keeps furthest from gimbal lock (RotationOrder), with keys so dense that straight lines between
/// them, of angles or of quaternions, leave the clip by no more than 2e-5 rad; splines, by 1e-5 of their range; but
/// keys come no closer than 50 us. A step takes 20 us.
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

#ifdef __cplusplus
}
#endif
#endif
