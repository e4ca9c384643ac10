/// @file
/// A joint at any pose of its bodies: where its frame stands, what its coordinates' rates are, by how much its
/// constraints are violated.
///
/// The joint's frame is fixed in its parent and in its child, and both agree at equilibrium (er_joint.frame). At
/// another pose the parent carries it to P, the child to Q, and P^-1 Q is the joint's displacement X. Directions (tx
/// ty tz x y z) are along P's axes at Q's origin: the frame S. Derivation: docs/math/kinematics.md.
#ifndef ERI_MODEL_JOINT_H
#define ERI_MODEL_JOINT_H

#include <eigenrig/model.h>

/// How a joint's directions stand, and how its coordinates follow from the twist (w; v) of the child against the parent
/// in S: rates of x y z are v, those of tx ty tz are `rate` w, and a free turn goes about its column of `axis`, where
/// the other rates are 0.
typedef struct eri_joint_frame {
    er_pose at;   ///< S in the world
    er_mat3 rate; ///< rows tx ty tz; 1 at equilibrium
    er_mat3 axis; ///< columns tx ty tz, unit; those of turns that are held are not told
} eri_joint_frame;

/// @param pose  [body_count]; NULL for the equilibrium, where S is the joint's frame to the bit
eri_joint_frame eri_joint_frame_at(const er_model *model, int joint, const er_pose *pose);

/// The joint's frame as its parent carries it, P, and as its child does, Q.
/// @param pose  [body_count]
er_pose eri_joint_parent_side(const er_model *model, int joint, const er_pose *pose);
er_pose eri_joint_child_side(const er_model *model, int joint, const er_pose *pose);

/// Of the two quaternions of a rotation the one with w >= 0.
static inline er_quat eri_joint_near_identity(er_quat q)
{
    return q.w < 0.0 ? er_q(-q.w, -q.x, -q.y, -q.z) : q;
}

/// The rows of `rate`, of a joint whose displacement turns by a quaternion.
void eri_joint_turn_rows(er_joint_type type, er_quat turned, er_vec3 row[3]);

/// By how much a displacement violates a joint's constraints: rad to first order and m, 0 in free directions. Its rates
/// are those that eri_joint_frame tells.
void eri_joint_violation(er_joint_type type, er_pose X, double error[6]);

/// The same of a pose.
/// @param pose  [body_count]
void eri_joint_error(const er_model *model, int joint, const er_pose *pose, double error[6]);

/// Whether a joint's three turns are all free: its positions begin with a quaternion, its velocities with the angular
/// velocity of its child's side along the axes of its parent's.
static inline bool eri_joint_turns_freely(er_joint_type type)
{
    return type == ER_JOINT_SPHERICAL || type == ER_JOINT_POINT_ON_PLANE || type == ER_JOINT_FREE;
}

/// A joint's coordinates as er_model_pose() takes them, of X; a rotation vector is at most pi long, an angle within
/// half a turn of what `near` says.
/// @param near  [free coordinates]; NULL: 0
/// @param x     [free coordinates], written
void eri_joint_coordinates(er_joint_type type, er_pose X, const double *near, double *x);

/// X of a joint's coordinates.
er_pose eri_joint_displacement(er_joint_type type, const double *x);

#endif
