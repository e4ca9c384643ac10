/// @file
/// The rows of one end of a joint, from which G and R are put together.
#ifndef ERI_MODEL_ROWS_H
#define ERI_MODEL_ROWS_H

#include "model/joint/joint.h"

/// The rates of all six directions (tx ty tz x y z) of a joint that the twist of a body, fixed to one end, gives.
/// @param body  its world pose
/// @param row   [6][6], written, by direction: the child's; the parent's are minus these
void eri_joint_end_rows(const eri_joint_frame *frame, er_pose body, double row[6][6]);

#endif
