/// @file
/// Stiffness by result: modes named by the user get the frequencies that the user gives.
#ifndef ERI_APP_PROJECT_PROJECT_TUNE_H
#define ERI_APP_PROJECT_PROJECT_TUNE_H

#include <eigenrig/gait.h>
#include <eigenrig/identity.h>
#include <eigenrig/modal.h>

#include "app/project/project_motion.h"

/// Finds the factors of stiffness that give modes their frequencies (er_tuning_create()). A word means the mode that
/// er_mode_names_find() finds by it once the springs have changed. Only springs of joints in the regions of the modes
/// named change; all if no region is known, or if modes are given by whole names or indices and those do not suffice.
/// @param rig       as for project_name_modes()
/// @param def       likewise
/// @param aims      a text for rig_settings_next_aim()
/// @param listener  told the frequencies before and after, the joints that change most, and names that only begin as
///                  asked; NULL: nobody
/// @param out       ER_OK: [joint_count] factors for er_rig_change.factor, for free(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (malformed; no mode is called so; the aims cannot be met), and as er_modal_solve() and
///          er_tuning_create()
er_result project_tune(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                       const char *aims, const project_listener *listener, double **out);

/// A copy of a model with the stiffness of its joints times the factors of project_tune().
/// @param out  ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   as project_tune()
er_result project_tuned_model(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                              const char *aims, const project_listener *listener, er_model **out);

/// Marks the joints that bend in the named groups of the modes aimed at; all joints if a mode has no name, or if no
/// joint is in the groups.
/// @param regions,names  of the model; NULL: no mode has a name
/// @param aim            [count]
/// @param joint          [joint_count], written
void project_tune_joints(const er_model *model, const er_regions *regions, const er_mode_names *names, int count,
                         const er_tune_aim *aim, bool *joint);

/// Tunes as er_tuning_create() by the joints marked. All joints help if those do not suffice.
/// @param def  its `joint` marks one or more
/// @param out  as er_tuning_create().   Errors: likewise
er_result project_tune_by(er_context *context, const er_model *model, const er_tune_def *def, er_tuning **out);

#endif
