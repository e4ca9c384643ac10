/// @file
/// The canonical basis of modes of equal frequency.
#ifndef ERI_MODAL_CANONICAL_H
#define ERI_MODAL_CANONICAL_H

#include <eigenrig/modal.h>

#include "base/arena.h"

/// Turns elastic modes of equal frequency to a basis that depends on the rig alone: not on the order of its bodies, the
/// route or rounding. Modes are symmetric or antisymmetric about planes of symmetry along the world's axes, or else
/// along the principal axes of inertia. Without equal frequencies nothing is changed or allocated.
/// @param mode  modes->mode, whose shapes are changed
/// Errors   ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY
er_result eri_canonical_basis(er_context *context, er_arena *scratch, const er_model *model, const er_modes *modes,
                              er_mode *mode);

#endif
