/// @file
/// Clips of a model as sums of its modes.
#ifndef ERI_APP_PROJECT_PROJECT_EXPLAIN_H
#define ERI_APP_PROJECT_PROJECT_EXPLAIN_H

#include <eigenrig/modal.h>
#include <eigenrig/rig.h>

/// The share of each mode in a clip (er_modes_project()), taken at 60 frames a second.
/// @param modes  of the rig's model, from mode 0 on
/// @param rig    NULL: of a rig file, which has no clips
/// @param clip   name or index of a clip of the scene
/// @param share  [count of modes], written
/// Errors   ER_ERROR_ARGUMENT (no such clip), ER_ERROR_MEMORY, as er_modes_project()
er_result project_explain_clip(er_context *context, const er_modes *modes, const er_rig *rig, const char *clip,
                               double *share);

#endif
