/// @file
/// Writing BVH: the skeleton of a scene with one clip, as motion capture tools and animation packages read it.
#ifndef EIGENRIG_BVH_H
#define EIGENRIG_BVH_H

#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

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
/// the offset, as in most readers (Blender, Assimp, ours); those that add the two (three.js) shift such joints. A leaf
/// gets the End Site that its ER_NODE_END_SITE child gives; without one, half its own bone's length further on, and a
/// tenth of the size upwards where it is a root or that length is 0.
///
/// A source that was BVH itself (ER_FORMAT_BVH) keeps its roots, End Sites, and every joint's channels in their order;
/// joints whose channels cannot hold the clip (a turn off their axes by more than 1e-6 rad, a shift as above) get the
/// three rotations, or positions, that other sources have. Its own clip at its own rate has the source's numbers, as
/// long as these have no jumps and begin within the usual range (below).
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

#ifdef __cplusplus
}
#endif
#endif
