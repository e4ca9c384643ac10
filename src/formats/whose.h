/// @file
/// Private: whether modes are those of a model, before its bodies' and joints' numbers are taken from them.
#ifndef ERI_FORMATS_WHOSE_H
#define ERI_FORMATS_WHOSE_H

#include <eigenrig/modal.h>

/// Seen by their counts alone: of bodies, since G has 6 columns a body, and of its rows.
static inline bool eri_modes_are_of(const er_modes *modes, const er_model *model)
{
    return modes->dof + modes->rank == 6 * model->body_count &&
           modes->constraint_count == 6 * model->joint_count - model->coordinate_count;
}

#endif
