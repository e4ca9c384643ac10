/// @file
/// A motion recorded as a clip: keys on the nodes of a scene, alone or on top of a clip that is there.
#ifndef EIGENRIG_TAKE_H
#define EIGENRIG_TAKE_H

#include <eigenrig/motion.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a model's bodies move the nodes of a scene. An er_rig has all of it: scene, node_body, bone, world and
/// metres_per_unit. All is borrowed for the call.
typedef struct er_take_target {
    const er_scene *scene;
    const int *node_body; ///< [node_count], the body a node moves with; -1 for nodes that stay
    const bool *keyed;    ///< [node_count], nodes that get keys in any case, such as er_rig.bone; of the others, those
                          ///< with a body that a clip of the scene keys get them too. NULL: all nodes with a body
    const er_affine *world; ///< [node_count], world transforms at equilibrium, file units
    double metres_per_unit; ///< m per file unit, > 0
} er_take_target;

/// Options for er_take_record(). Take er_default_take_def(), then change fields.
typedef struct er_take_def {
    const char *name; ///< of the clip, UTF-8, copied                                                       [""]
    double fps; ///< frames a second, > 0, at most 1e5; the last frame is at the motion's end in any case           [60]
    double tolerance; ///< rad, in [0, 1]: keys only where they are needed to stay so near to the motion (lengths: times
                      ///< half the rig's size; scales: times the scale); 0: a key at every frame           [0]
    bool cubic;       ///< keys with tangents (ER_CUBIC): with a tolerance fewer than linear ones; at every frame
                      ///< they keep loops closed between frames, where lines cut corners; not over a clip, whose
                      ///< own keys have kinks                                                        [false]
    const er_clip *over; ///< a clip of the scene that the motion is laid upon; NULL: none                   [NULL]
    uint32_t tag;        ///< set by er_default_take_def(); leave alone
} er_take_def;

/// The defaults in brackets above.   Errors none.   Threads: any.
ER_API er_take_def er_default_take_def(void);

/// A recorded motion. Read-only; freed by er_take_destroy().
typedef struct er_take {
    er_clip clip;           ///< of the motion's duration, or longer by channels kept of a longer clip below; where the
                            ///< motion loops and lies upon none, first and last keys are equal
    int frame_count;        ///< times the motion was looked at
    int key_count;          ///< keys of all channels together
    double error;           ///< rad: how far keys left out let any rotation stray from the frames; 0 without tolerance
    struct er_arena *arena; ///< private
} er_take;

/// Records a motion. Every keyed node has rotation keys; translation and scale where the motion or the pose changes
/// them, or where a clip of the scene keys them (so that no viewer carries them over). Interpolation is linear unless
/// the def says otherwise, quaternions come without sign flips, and a value that never changes has two keys, at both
/// ends.
///
/// Over a clip: at every frame and every key of that clip, a moving node's rotation is R R0^-1 R', its translation
/// t + t' - t0 and its scale s s' / s0, of the clip's (R, t, s), those at equilibrium (0) and those of the motion (').
/// What the motion leaves alone, whole nodes or one property of them, keeps the clip's own channel, pointers and all,
/// so that writers can keep it to the bit; steps between keys of what moves become ramps as long as a frame.
/// @param motion  of the model that node_body speaks of
/// @param def     made by er_default_take_def(), or NULL for the defaults
/// @param out     ER_OK: a new object for er_take_destroy(), which borrows from def->over; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (def, target; more than 10 million frames), ER_ERROR_NO_CONVERGENCE (says how much of the
///          amplitudes loops can follow), ER_ERROR_MEMORY
/// Memory   allocates the result, and as much scratch.   Threads: one call per context at a time.
ER_API er_result er_take_record(er_context *context, er_motion *motion, const er_take_target *target,
                                const er_take_def *def, er_take **out);

/// Poses that no motion of modes makes, in time.
typedef struct er_take_poses {
    const er_model *model;
    int count;           ///< >= 2
    const double *time;  ///< [count], s, from 0 up, strictly ascending, at most 1e5; the last is the clip's duration
    const er_pose *pose; ///< [count x body_count], a row a time: world poses, finite
    bool loops;          ///< the last row is the first again
} er_take_poses;

/// The same of given poses, at their own times: def->over must be NULL, and def->fps is checked but not used.
/// @param poses  of the model that node_body speaks of
/// @param out    as above
/// Errors   ER_ERROR_ARGUMENT (poses, def, target), ER_ERROR_MEMORY
/// Memory   allocates the result, and as much scratch.   Threads: one call per context at a time.
ER_API er_result er_take_record_poses(er_context *context, const er_take_poses *poses, const er_take_target *target,
                                      const er_take_def *def, er_take **out);

/// Frees a take. NULL is fine.   Threads: the context's.
ER_API void er_take_destroy(er_take *take);

#ifdef __cplusplus
}
#endif
#endif
