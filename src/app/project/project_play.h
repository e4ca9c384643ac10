/// @file
/// Clips played on the bodies of a model: one of the file's own, or what a mix laid over it comes to.
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
    er_recording *recording; ///< owned; NULL where nothing lies over the clip
    er_affine *local;        ///< [node_count], owned
    double duration;         ///< s, > 0
} project_play;

/// Bodies then stand where the clip has their nodes; what moves with none stays.
/// @param body_node  as er_poses_of_nodes() takes it: er_rig.body_node
/// @param target     of the model, its scene the clip's; all of these must outlive the result
/// @param clip       of some duration
/// @param over       what is laid over it, as er_motion_record() does, of its duration; NULL: nothing
/// @param fps        frames a second of that
/// @param out        ER_OK: to be cleared; otherwise all zeros
/// Errors   ER_ERROR_MEMORY, and as er_motion_record()
er_result project_play_make(er_context *context, const er_model *model, const int *body_node,
                            const er_recording_target *target, const er_clip *clip, er_motion *over, double fps,
                            project_play *out);

/// @param time  s, finite; over and over, where it is beyond the duration
/// @param pose  [body_count], written
/// Errors   as er_poses_of_nodes()
er_result project_play_pose(er_context *context, const project_play *play, double time, er_pose *pose);

void project_play_clear(project_play *play); ///< all zeros are fine

/// A gait between its frames, the stride over and over.
/// @param strides  since it began, finite
/// @param pose     [body_count], written, on the spot; NULL: not wanted
/// @return how far it has led until then, m
er_vec3 project_gait_pose(const er_gait_motion *gait, double strides, er_pose *pose);

#endif
