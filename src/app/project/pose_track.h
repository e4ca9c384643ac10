/// @file
/// A motion as poses at frames, with frames beyond its ends, and smoothed.
#ifndef ERI_APP_PROJECT_POSE_TRACK_H
#define ERI_APP_PROJECT_POSE_TRACK_H

#include <eigenrig/gait.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// Poses at equal steps of time, from 0 on.
typedef struct pose_track {
    const er_model *model; ///< borrowed
    int count;             ///< frames, >= 2
    int samples;           ///< poses a frame: steps between two frames
    int pad;               ///< poses before the first frame, and as many after the last
    double step;           ///< s, between two poses
    bool repeats;          ///< the end meets the start, but for a way along the ground and a turn about the vertical
    er_pose once;          ///< displacement of a repetition
    er_pose *pose;         ///< [(pad + (count - 1) samples + 1 + pad) x body_count], owned
} pose_track;

/// Makes a track of a clip: the first frame at 0, the last at its end.
/// @param fps       the least frames a second, > 0
/// @param fine      the least poses a second; 0: those of frames
/// @param together  the joints of the model are kept together; else bodies are where the clip has their nodes
/// @param out       ER_OK: for pose_track_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (a clip without duration, too many frames), ER_ERROR_MEMORY
er_result pose_track_of_clip(er_context *context, const er_model *model, const er_rig *rig, const er_clip *clip,
                             double fps, double fine, bool together, pose_track *out);
/// The same for the motion of a mix. Between frames there are more poses, since a mix has no keys.
er_result pose_track_of_motion(er_context *context, er_motion *motion, double fps, pose_track *out);
/// The same for a gait at its own frames, as it travels.
er_result pose_track_of_gait(er_context *context, const er_gait_motion *motion, pose_track *out);

/// Finds whether the track repeats, and makes its poses beyond the ends: those of the repetitions. Otherwise there are
/// none without a cut-off, and with one the motion is reflected at its ends, p(-t) = 2 p(0) - p(t).
/// @param up      world, unit
/// @param cutoff  Hz, of the filter that follows; 0: none
er_result pose_track_extend(er_context *context, er_vec3 up, double cutoff, pose_track *track);

/// Smooths the poses, those beyond the ends too, and puts joints together again. The filter is a Butterworth low-pass
/// of second order, forwards and backwards over positions and quaternions. Together they halve the power at the
/// cut-off.
/// @param cutoff  Hz, > 0
/// Errors   ER_ERROR_ARGUMENT (a cut-off that the rate of frames cannot hold), ER_ERROR_MEMORY
er_result pose_track_smooth(er_context *context, double cutoff, pose_track *track);

/// The motion in time: splines through the poses.
/// @param out  ER_OK: for er_trajectory_destroy(); otherwise NULL
er_result pose_track_trajectory(er_context *context, const pose_track *track, er_trajectory **out);

double pose_track_time(const pose_track *track, int frame); ///< s
void pose_track_clear(pose_track *track);                   ///< all zeros are fine

#endif
