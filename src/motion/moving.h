/// @file
/// Private: poses that move, composed with their twists and accelerations.
#ifndef ERI_MOTION_MOVING_H
#define ERI_MOTION_MOVING_H

#include <eigenrig/model.h>

/// A frame in another frame at an instant.
typedef struct eri_moving {
    er_pose pose;
    er_twist twist; ///< of the pose's origin, its own axes
    er_twist rate;  ///< of the twist's six numbers
} eri_moving;

/// b's frame as a's reference sees it: a stands in that reference, b in a.
eri_moving eri_moving_after(const eri_moving *a, const eri_moving *b);

/// b in a, both seen from one reference: the inverse of eri_moving_after().
eri_moving eri_moving_between(const eri_moving *a, const eri_moving *b);

/// A frame that stands still in its reference.
static inline eri_moving eri_moving_still(er_pose pose)
{
    return (eri_moving){.pose = pose};
}

/// The displacement of a joint's coordinates (eri_joint_displacement()) that have given rates and accelerations.
/// @param x,rate,accel  [free coordinates]
eri_moving eri_moving_joint(er_joint_type type, double pitch, const double *x, const double *rate, const double *accel);

/// The twist of a joint's child side at unit rate of each free coordinate, in the axes of its parent's side, at the
/// child's origin. A force's part along a coordinate is its product with this.
/// @param x    [free coordinates]   @param out  [free coordinates], written
void eri_moving_joint_axes(er_joint_type type, double pitch, const double *x, er_twist *out);

#endif
