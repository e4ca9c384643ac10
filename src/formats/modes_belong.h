/// @file
/// Private: whether modes belong to a model, asked before arrays are read by its counts.
#ifndef ERI_FORMATS_MODES_BELONG_H
#define ERI_FORMATS_MODES_BELONG_H

#include <eigenrig/modal.h>

/// Compares counts only: of bodies, since G has 6 columns per body, and of rows of G.
static inline bool eri_modes_belong(const er_modes *modes, const er_model *model)
{
    return modes->dof + modes->rank == 6 * model->body_count &&
           modes->constraint_count == 6 * model->joint_count - model->coordinate_count;
}

#endif
