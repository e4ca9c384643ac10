/// @file
/// What components do in time.
#ifndef ERI_MOTION_SIGNAL_H
#define ERI_MOTION_SIGNAL_H

#include <eigenrig/motion.h>

#include "base/lanes.h"

/// share factor e(t) sin(2 pi hz t + phase) of all components at sixteen times.
/// @param time  s, within the motion: eri_signal_clock()
/// @param out   [component_count x 2 vectors], written
void eri_signal_block(const er_motion *motion, double share, const eri_lanes time[2], eri_lanes *out);

/// A time within the motion, s: the remainder if it loops, else the nearest end.
double eri_signal_clock(const er_motion *motion, double time);

/// Whether a motion with loops moved faster between two displacements, `seconds` apart, than four times the fastest
/// rate asked for. A loop then closed in another of its ways.
bool eri_motion_leaps(const er_motion *motion, double seconds, const double *before, const double *after);

/// The motion's pose at a time as a displacement from another pose than the equilibrium. Joints turn by the same
/// angles; planted bodies stay where that pose has them, by the least energy.
/// @param time  finite   @param base  [body_count]   @param pose  [body_count], written
/// Errors   as er_motion_poses()
er_result eri_motion_pose_over(er_motion *motion, double time, const er_pose *base, er_pose *pose);

/// The factor of a mode for a component's amplitude.
/// Errors   ER_ERROR_ARGUMENT: metres at a body that does not exist, or that the mode does not move
er_result eri_component_factor(er_context *context, const er_model *model, const er_mode *mode,
                               const er_mix_component *component, double *out);

/// The degrees at a displacement, as in er_mode_amplitude(): of the joint that moves most in the mode.
/// @param x  [coordinate_count], joint coordinates
double eri_mode_amplitude_of(const er_model *model, const er_mode *mode, const double *x);

/// The degrees of a factor: the inverse of er_mode_amplitude().
double eri_factor_degrees(const er_model *model, const er_mode *mode, double factor);

#endif
