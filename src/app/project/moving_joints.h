/// @file
/// The joints that move most in a mode.
#ifndef ERI_APP_PROJECT_MOVING_JOINTS_H
#define ERI_APP_PROJECT_MOVING_JOINTS_H

#include <eigenrig/modal.h>

/// The joints that move most in a mode, in descending order: those that move at least a quarter as far as the first.
/// @param travel  [joint_count], written: as er_mode_joint_travel()
/// @param joint   [most], written: indices   @return how many there are
int project_moving_joints(const er_model *model, const er_mode *mode, double *travel, int most, int *joint);

#endif
