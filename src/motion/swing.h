/// @file
/// Private: swings of modes in full dynamics, one after the other.
#ifndef ER_MOTION_SWING_H
#define ER_MOTION_SWING_H

#include <eigenrig/motion.h>

/// What swings of one rig need.
typedef struct er_swings er_swings;

/// @param model,modes  borrowed
/// Errors   as er_kinematics_create(); ER_ERROR_MEMORY.   Memory: allocates the result.
er_result er_swings_create(er_context *context, const er_model *model, const er_modes *modes, er_swings **out);

/// NULL is fine.
void er_swings_destroy(er_swings *swings);

/// er_mode_try().   @param mode  one of the modes, elastic
er_result er_swings_measure(er_swings *swings, const er_mode *mode, double degrees, er_trial *out);

#endif
