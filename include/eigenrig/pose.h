/// @file
/// From displacements to poses: exact at any amplitude, loops closed, centres of mass kept; and the linear form beside.
///
/// The displacement x of a model from its equilibrium is a row of numbers: the er_model.coordinate_count free
/// coordinates of its joints (rad, m), loop joints included; then, for every root without joint, by body index, the
/// rotation vector and the shift of its frame (rad, m), in the axes it has at equilibrium. Its length is the *width*.
#ifndef EIGENRIG_POSE_H
#define EIGENRIG_POSE_H

#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What poses of a model take: its tree as constants, its loops, and work space.
typedef struct er_kinematics er_kinematics;

/// Kinematics of a model, for the functions below.
/// @param model  must outlive the result
/// @param out    ER_OK: a new object for er_kinematics_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NOT_POSDEF (masses too far apart to measure a loop's correction by),
///          ER_ERROR_MEMORY
/// Memory   allocates the result; with loops, a matrix of width x width.   Threads: one call per context at a time.
ER_API er_result er_kinematics_create(er_context *context, const er_model *model, er_kinematics **out);

/// Frees it. NULL is fine.   Threads: the context's.
ER_API void er_kinematics_destroy(er_kinematics *kinematics);

/// The length of a displacement x.   Errors none.   Threads: any.
ER_API int er_kinematics_width(const er_kinematics *kinematics);

/// The exact poses of all bodies at a displacement: rotations by the exponential map (a universal joint about x, then
/// about the turned y), shifts along the axes of the parent's side, down the tree. Then loops are closed, to 1e-10 of
/// the rig's size, by the smallest change of x in the mass norm, sqrt(dx' M dx), M the mass matrix in these coordinates
/// at equilibrium; and the centre of mass of what floats is put back where it was (of trees that loops tie together,
/// their common one; a tree tied to the world stays). So a rigid mode shows its turn alone.
/// @param x     [width], entries at most 1e9 in size; with loops, joint coordinates come back as they closed, those of
///              loop joints included
/// @param pose  [body_count], written: world poses of the body frames
/// Errors   ER_ERROR_ARGUMENT (x too large, or not a number), ER_ERROR_NO_CONVERGENCE (a loop cannot follow that far:
///          the nearest closed pose is off by more than three quarters of the way), ER_ERROR_MEMORY
/// Memory   none after the first call.   Threads: one call per object and context at a time.
/// Source   docs/theory.md 6; docs/math/motion.md.
ER_API er_result er_kinematics_pose(er_kinematics *kinematics, double *x, er_pose *pose);

/// The linear form (4-47): every body by itself, shifted by its velocity and turned by its angular velocity at the rate
/// x, for unit time. True to first order; joints tear by the square of the displacement.
/// @param x     [width]
/// @param pose  [body_count], written
/// Errors none.   Memory none.   Threads: one call per object at a time.
ER_API void er_kinematics_linear(er_kinematics *kinematics, const double *x, er_pose *pose);

/// The twists (angular; linear) of the bodies that x, taken as a rate, gives them at equilibrium: body axes, at the
/// body frame's origin. Loop joints' entries of x are not read.
/// @param twist  [6 body_count], written
/// Errors none.   Memory none.   Threads: one call per object at a time.
ER_API void er_kinematics_twists(er_kinematics *kinematics, const double *x, double *twist);

/// The largest distance by which joints stand apart in a pose, in the directions they hold: m, turns times the rig's
/// size.
/// @param pose  [body_count]
/// Errors none.   Memory none.   Threads: any.
ER_API double er_pose_joint_gap(const er_model *model, const er_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
