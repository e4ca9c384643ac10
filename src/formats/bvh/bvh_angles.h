/// @file
/// Private: rotations as products of turns about one to three axes.
#ifndef ERI_FORMATS_BVH_BVH_ANGLES_H
#define ERI_FORMATS_BVH_BVH_ANGLES_H

#include <eigenrig/math.h>

/// The axes of a joint's rotation channels, 0 to 2, in their order; those beyond `count` are the axes left over, so
/// that each is there once.
typedef struct eri_bvh_axes {
    int count;
    int axis[3];
} eri_bvh_axes;

/// R_axis0(angle[0]) R_axis1(angle[1]) ..., `count` factors, angles in radians.   Errors none.
er_quat eri_bvh_turn(const eri_bvh_axes *axes, const double angle[3]);

/// The angles (radians) of a unit quaternion about all three axes, those with channels as near as can be to the angles
/// before. Rotation about axes without a channel is dropped.
/// @param angle  in: the angles before, 0 beyond `count`; out: these, likewise
/// Errors none.
void eri_bvh_angles(const eri_bvh_axes *axes, er_quat q, double angle[3]);

#endif
