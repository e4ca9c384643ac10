/// @file
/// A joint at any pose of its bodies: where its frame stands, what its coordinates' rates are, by how much its
/// constraints are violated.
///
/// The joint's frame is fixed in its parent and in its child, and both agree at equilibrium (er_joint.frame). At
/// another pose the parent carries it to P, the child to Q, and P^-1 Q is the joint's displacement X. Directions (tx
/// ty tz x y z) are along P's axes at Q's origin: the frame S. Derivation: docs/math/kinematics.md.
#ifndef ERI_MODEL_JOINT_JOINT_H
#define ERI_MODEL_JOINT_JOINT_H

#include "model/joint/joint_kind.h"

/// How a joint's directions stand, and how its coordinates follow from the twist (w; v) of the child against the parent
/// in S: rates of x y z are v, those of tx ty tz are `rate` w, and a free turn goes about its column of `axis`, where
/// the other rates are 0.
typedef struct eri_joint_frame {
    er_pose at;   ///< S in the world
    er_mat3 rate; ///< rows tx ty tz; 1 at equilibrium
    er_mat3 axis; ///< columns tx ty tz, unit; those of turns that are held are not told
    er_vec3 lead; ///< of a screw: what of w takes from the rate of z, which is v_z - lead w; else 0
} eri_joint_frame;

/// @param pose  [body_count]; NULL for the equilibrium, where S is the joint's frame to the bit
eri_joint_frame eri_joint_frame_at(const er_model *model, int joint, const er_pose *pose);

/// The joint's frame as its parent carries it, P, and as its child does, Q.
/// @param pose  [body_count]
er_pose eri_joint_parent_side(const er_model *model, int joint, const er_pose *pose);
er_pose eri_joint_child_side(const er_model *model, int joint, const er_pose *pose);

/// Returns the quaternion with w >= 0; q and -q are the same rotation.
static inline er_quat eri_joint_near_identity(er_quat q)
{
    return q.w < 0.0 ? er_q(-q.w, -q.x, -q.y, -q.z) : q;
}

/// By how much a displacement violates a joint's constraints: rad to first order and m, 0 in free directions. Its rates
/// are those that eri_joint_frame tells.
/// @param pitch  er_joint.pitch, here and below
void eri_joint_violation(er_joint_type type, double pitch, er_pose X, double error[6]);

/// The same of a pose.
/// @param pose  [body_count]
void eri_joint_error(const er_model *model, int joint, const er_pose *pose, double error[6]);

/// A joint's coordinates as er_model_pose() takes them, of X; a rotation vector is at most pi long, an angle within
/// half a turn of what `near` says.
/// @param near  [free coordinates]; NULL: 0. A screw's turns are counted by its shift instead
/// @param x     [free coordinates], written
void eri_joint_coordinates(er_joint_type type, double pitch, er_pose X, const double *near, double *x);

/// The violation of a joint by a pose as angles and shifts in its frame, 0 in free directions: m, angles times the
/// rig's size.
/// @param pose  [body_count]
void eri_joint_gap(const er_model *model, int joint, const er_pose *pose, double gap[6]);

/// How that changes when a twist v (world axes, linear at the world's origin) moves the child's side.
void eri_joint_gap_rate(const er_model *model, int joint, er_pose parent, er_pose child, er_twist v, double rate[6]);

/// X of a joint's coordinates.
er_pose eri_joint_displacement(er_joint_type type, double pitch, const double *x);

/// A screw: the angle of X, with as many turns as its shift says; its shift less pitch times that; what of w belongs to
/// the rate of that, which is v_z - row w; and row' w. Without pitch the shift, and 0.
double eri_lead_angle(double pitch, er_pose X);
double eri_lead_gap(double pitch, er_pose X);
er_vec3 eri_lead_row(double pitch, er_quat R);
double eri_lead_row_rate(double pitch, er_quat R, er_vec3 w);

#endif
