/// @file
/// Private: swings of modes in full dynamics, one after the other.
#ifndef ERI_MOTION_MODE_SWING_H
#define ERI_MOTION_MODE_SWING_H

#include <eigenrig/motion.h>

/// Swings of the modes of one rig.
typedef struct eri_swings eri_swings;

/// @param model,modes  borrowed
/// Errors   as er_kinematics_create(); ER_ERROR_MEMORY.   Memory: allocates the result.
er_result eri_swings_create(er_context *context, const er_model *model, const er_modes *modes, eri_swings **out);

/// NULL is fine.
void eri_swings_destroy(eri_swings *swings);

/// Lets an elastic mode of the rig swing at an amplitude in (0, 180] degrees.
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (a loop cannot follow that far; a motion that cannot be
///          integrated), ER_ERROR_RIG, ER_ERROR_NOT_POSDEF (as er_world_create()), ER_ERROR_MEMORY
er_result eri_swings_measure(eri_swings *swings, const er_mode *mode, double degrees, er_trial *out);

#endif
