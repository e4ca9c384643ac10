/// @file
/// Rotations as three angles about axes.
#ifndef ERI_FORMATS_FBX_FBX_EULER_H
#define ERI_FORMATS_FBX_FBX_EULER_H

#include <stdint.h>

#include <eigenrig/math.h>

#define ERI_FBX_ORDERS 6

/// Which axis turns first, second and last, by FBX's RotationOrder: XYZ, XZY, YZX, YXZ, ZXY, ZYX.
extern const uint8_t eri_fbx_axes[ERI_FBX_ORDERS][3];

/// The sine of the second angle, which is no gimbal lock as long as it stays away from -1 and 1.   Errors none.
double eri_fbx_euler_sine(er_quat q, int order);

/// The angles (x, y, z), radians, of a unit quaternion that are nearest to `near`: of the two sets, with turns added.
er_vec3 eri_fbx_euler_from_q(er_quat q, int order, er_vec3 near);

/// The rotation by angles.
er_quat eri_fbx_euler_to_q(er_vec3 angles, int order);

#endif
