/// @file
/// Modes as motion: exact poses at any amplitude, and clips of them.
#ifndef EIGENRIG_POSE_H
#define EIGENRIG_POSE_H

#include <eigenrig/modal.h>
#include <eigenrig/model.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The factor that a mode shape is multiplied by so that no joint turns by more than `degrees`, none shifts by more
/// than `degrees` / 20 of a tenth of the rig's size (er_model.size), and one reaches its bound; 0 where no joint moves.
/// @param degrees  > 0
/// Errors none.   Memory none.   Threads: any.
ER_API double er_pose_amplitude(const er_model *model, const er_mode *mode, double degrees);

/// Poses of all bodies at a displacement of `factor` along a mode: joint coordinates factor x R eta, each integrated
/// exactly, roots without joint moved by the exponential of their twist, loops closed by the smallest change of joint
/// coordinates, and the centre of mass of every floating tree put back where it was, unless a loop ties the tree to
/// something else. So a rigid mode shows its turn alone.
/// @param mode    of this model
/// @param factor  finite; 0 is the equilibrium
/// @param pose    [body_count], written: world poses
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE when a loop cannot follow that far, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.   Source: docs/theory.md 6.
ER_API er_result er_pose_mode(er_context *context, const er_model *model, const er_mode *mode, double factor,
                              er_pose *pose);

/// How a model's bodies move the nodes of a scene. An er_rig has all of it: scene, node_body, bone, world and
/// metres_per_unit. All is borrowed for the call.
typedef struct er_pose_target {
    const er_scene *scene;
    const int *node_body; ///< [node_count], the body a node moves with; -1 for nodes that stay
    const bool *keyed;    ///< [node_count], nodes that get keys in any case, such as er_rig.bone; of the others, those
                          ///< with a body that a clip of the scene keys get them too. NULL: all nodes with a body
    const er_affine *world; ///< [node_count], world transforms at equilibrium, file units
    double metres_per_unit; ///< m per file unit, > 0
} er_pose_target;

/// One period of a mode as a clip. Read-only; freed by er_pose_clip_destroy().
typedef struct er_pose_clip {
    er_clip clip;           ///< named "mode 03  1.42 Hz"; first and last key are equal; lasts 1 / frequency_hz
    double degrees;         ///< the amplitude it has: halved, up to 8 times, where a loop cannot follow
    struct er_arena *arena; ///< private
} er_pose_clip;

/// Options for er_pose_mode_clip(). Take er_default_pose_clip_def(), then change fields.
typedef struct er_pose_clip_def {
    double degrees; ///< amplitude, as er_pose_amplitude() takes it, in (0, 180]                          [20]
    int steps;      ///< keys in a period, the last that repeats the first not counted, 4 to 10,000       [48]
    uint32_t tag;   ///< set by er_default_pose_clip_def(); leave alone
} er_pose_clip_def;

/// The defaults in brackets above.   Errors none.   Threads: any.
ER_API er_pose_clip_def er_default_pose_clip_def(void);

/// One period of an elastic mode, sin from 0, as keys on the nodes of a scene.
/// Every keyed node has rotation keys; translation and scale where the motion or the pose changes them, or where a clip
/// of the scene keys them (so that no viewer carries them over). Linear interpolation, quaternions without sign flips.
/// A value that never changes has two keys, at both ends.
/// @param mode    of this model
/// @param index   the mode's index, for the name
/// @param target  node_body of this model; world that of the scene's nodes where the bodies are at equilibrium
/// @param def     made by er_default_pose_clip_def(), or NULL for the defaults
/// @param out     ER_OK: a new object for er_pose_clip_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (not elastic, def, target), ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_pose_mode_clip(er_context *context, const er_model *model, const er_mode *mode, int index,
                                   const er_pose_target *target, const er_pose_clip_def *def, er_pose_clip **out);

/// Frees a clip. NULL is fine.   Threads: the context's.
ER_API void er_pose_clip_destroy(er_pose_clip *clip);

/// The largest distance by which joints stand apart in a pose, in the directions they hold: m, turns times the rig's
/// size.
/// @param pose  [body_count]
/// Errors none.   Memory none.   Threads: any.
ER_API double er_pose_joint_gap(const er_model *model, const er_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
