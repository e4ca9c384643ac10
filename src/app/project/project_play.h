/// @file
/// Plays a clip on the bodies of a model, alone or with a mix over it.
#ifndef ERI_APP_PROJECT_PROJECT_PLAY_H
#define ERI_APP_PROJECT_PROJECT_PLAY_H

#include <eigenrig/gait.h>
#include <eigenrig/motion.h>

/// A clip that is played. All zeros: none.
typedef struct project_play {
    const er_model *model;
    const er_recording_target *target;
    const int *body_node;    ///< er_rig.body_node
    const er_clip *clip;     ///< the file's own, or the recording's
    er_recording *recording; ///< owned; NULL without a mix over the clip
    er_affine *local;        ///< [node_count], owned
    double duration;         ///< s, > 0
} project_play;

/// Makes a player. Bodies follow the clip's nodes; bodies without a node stay.
/// @param body_node  as er_poses_of_nodes() takes it: er_rig.body_node
/// @param target     of the model, its scene the clip's; all of these must outlive the result
/// @param clip       of some duration
/// @param over       the motion over the clip, as in er_motion_record(), of its duration; NULL: none
/// @param fps        frame rate of the motion
/// @param out        ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_MEMORY, and as er_motion_record()
er_result project_play_make(er_context *context, const er_model *model, const int *body_node,
                            const er_recording_target *target, const er_clip *clip, er_motion *over, double fps,
                            project_play *out);

/// The pose at a time.
/// @param time  s, finite; the clip repeats beyond its duration
/// @param pose  [body_count], written
/// Errors   as er_poses_of_nodes()
er_result project_play_pose(er_context *context, const project_play *play, double time, er_pose *pose);

void project_play_clear(project_play *play); ///< all zeros are fine

/// The pose of a gait, interpolated between frames. The stride repeats.
/// @param strides  since the beginning, finite
/// @param pose     [body_count], written, on the spot; NULL: not wanted
/// @return the distance travelled until then, m
er_vec3 project_gait_pose(const er_gait_motion *gait, double strides, er_pose *pose);

#endif
