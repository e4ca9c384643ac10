/// @file
/// Damping of modes that have been found.
#ifndef ERI_MODAL_DAMPING_H
#define ERI_MODAL_DAMPING_H

#include <eigenrig/modal.h>

#include "base/arena.h"

/// Fills damping_ratio and damped_hz of the modes, modes->damped and modes->residuals.damped.
/// @param tol    relative tolerance of what dampers leave undamped, in (0, 1)
/// @param modes  `count` is set; what is made lives in its arena
/// @param mode   [count], all but the damping is set
/// Errors   ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY
/// Source   docs/math/damping.md.
er_result eri_modal_damp(er_arena *scratch, const er_model *model, double tol, er_modes *modes, er_mode *mode);

#endif
