/// @file
/// Ensembles of eight worlds, each at its own pace.
#ifndef ERI_DYNAMICS_ENSEMBLE_H
#define ERI_DYNAMICS_ENSEMBLE_H

#include <eigenrig/dynamics.h>

#include "base/lanes.h"

/// Advances each lane by its own step of RK4. The time of the ensemble stays, so forces must not depend on it.
///
/// The torque of a ball joint's spring reverses where the joint passes half a turn. With `halts` a lane does not move
/// if a joint would pass half a turn in this step.
/// @param h      s, >= 0; a lane stays where it is 0
/// @param halts  [ER_ENSEMBLE_SIZE]
/// @param way    [ER_ENSEMBLE_SIZE], written: 1; of a lane that halted, the part of the step before the first joint
///               passes, roughly, below 1
/// @param turn   written: the fastest turn of a joint about an axis, after the step, rad/s
void eri_ensemble_step(er_ensemble *e, const eri_lanes *h, const bool *halts, double *way, eri_lanes *turn);

/// Weighted sums of the joint coordinates (as er_world_coordinates() has them; angles count turns) and of their rates.
/// @param weight     [coordinate_count]
/// @param sum, rate  written
void eri_ensemble_project(const er_ensemble *e, const eri_lanes *weight, eri_lanes *sum, eri_lanes *rate);

/// Gives the state of a lane to a world of the same model and route, at the world's time. Work and heat start at 0.
/// Errors   ER_ERROR_ARGUMENT (a state that is not finite; the world's is undefined then)
er_result eri_ensemble_show(const er_ensemble *e, int lane, er_world *to);

/// The highest angular frequency of small oscillations about the equilibrium, by power iteration: from below, to some
/// per cent; 0 without springs. All lanes are overwritten.
double eri_ensemble_fastest(er_ensemble *e);

#endif
