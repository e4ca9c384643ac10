/// @file
/// What a voice does in time.
#ifndef ER_MOTION_SIGNAL_H
#define ER_MOTION_SIGNAL_H

#include <eigenrig/motion.h>

#include "linalg/lanes.h"

/// factor e(t) sin(2 pi hz t + phase) of a voice at eight times.
/// @param time  s, within the motion: er_motion_clock()
er_lanes er_signal_value(const er_motion *motion, const er_motion_voice *voice, er_lanes time);

/// A time within the motion: of one that loops the remainder, of another the nearest end; s.
double er_signal_clock(const er_motion *motion, double time);

/// Whether a motion with loops went faster between two displacements, so many seconds apart, than four times the
/// fastest that was asked for: then a loop closed in another of the ways it can be closed.
bool er_motion_leaps(const er_motion *motion, double seconds, const double *before, const double *after);

#endif
