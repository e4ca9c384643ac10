/// @file
/// Names of a model's modes, as every front end shows them.
#ifndef ERI_APP_PROJECT_PROJECT_NAMES_H
#define ERI_APP_PROJECT_PROJECT_NAMES_H

#include <eigenrig/identity.h>

/// Reads a rig's regions, if it has any.
/// @param rig  as below
/// @param def  as below
/// @param out  written: for er_regions_destroy(); NULL on failure, and for a rig of too many bodies or without a body
/// to
///             read
/// Errors   ER_ERROR_MEMORY
er_result project_read_regions(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                               er_regions **out);

/// Names modes, if the rig's regions can be read.
/// @param rig  the rig of the model, or NULL
/// @param def  up, forward and feet; NULL: none are given
/// @param out  written: for er_mode_names_destroy(); NULL on failure, and for a rig of too many bodies or without a
/// body
///             to read
/// Errors   ER_ERROR_MEMORY
er_result project_name_modes(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                             const er_modes *modes, er_mode_names **out);

#endif
