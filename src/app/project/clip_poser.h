/// @file
/// Poses of bodies in the clips and pose files of a model's scene.
#ifndef ERI_APP_PROJECT_CLIP_POSER_H
#define ERI_APP_PROJECT_CLIP_POSER_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// A model, its scene, and a clip of it.
typedef struct clip_poser {
    er_context *context;
    const er_model *model;
    const er_rig *rig;   ///< NULL: of a rig file
    const er_clip *clip; ///< NULL: none
    int width;           ///< of a displacement: coordinates of joints, then six of each root without joint
    er_affine *local;    ///< [node_count]: of clip_poser_place()
    er_pose *pose;       ///< [body_count]: written by clip_poser_place()
    er_pose *root;       ///< [body_count]: displacements of roots in the last displacement
} clip_poser;

/// @param out  for clip_poser_clear(), whatever the result; it has no clip yet
/// Errors   ER_ERROR_MEMORY
er_result clip_poser_create(er_context *context, const er_model *model, const er_rig *rig, clip_poser *out);
void clip_poser_clear(clip_poser *poser); ///< all zeros are fine

/// Takes the bodies' poses from `local`.
er_result clip_poser_place(clip_poser *poser);

/// The displacement of the poses in `pose`, as er_kinematics takes it.
/// @param x  [width], written
void clip_poser_read(clip_poser *poser, double *x);

/// The displacement at a time of the clip, s. Beyond its end a clip repeats.
er_result clip_poser_displacement(clip_poser *poser, double time, double *x);

/// The poses at a time of the clip, with the joints of the model kept together.
/// @param x     [width], written
/// @param pose  [body_count], written
er_result clip_poser_poses(clip_poser *poser, double time, double *x, er_pose *pose);

#endif
