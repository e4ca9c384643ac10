/// @file
/// The rotation of a free rigid body.
#ifndef ERI_DYNAMICS_FREE_ROTATION_H
#define ERI_DYNAMICS_FREE_ROTATION_H

#include <eigenrig/math.h>

/// The orientation after a step that keeps the angular momentum in the world. The energy of that momentum is the same
/// before and after, to rounding (docs/math/contact.md, Free bodies).
/// @param from      the orientation before
/// @param inertia   about the centre of mass, body axes
/// @param momentum  world axes, N m s, times the length of the step
er_quat eri_rotate_free(er_quat from, er_mat3 inertia, er_vec3 momentum);

#endif
