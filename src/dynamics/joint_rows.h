/// @file
/// A joint's six directions (tx ty tz x y z) at any state of its two ends: rates of its coordinates and of what it
/// violates, as docs/math/kinematics.md has them, and their rates in turn.
#ifndef ERI_DYNAMICS_JOINT_ROWS_H
#define ERI_DYNAMICS_JOINT_ROWS_H

#include <eigenrig/model.h>

/// Motion of a rigid frame, seen at a point of it: world axes.
typedef struct eri_motion_at {
    er_vec3 point, angular, linear;
    er_vec3 angular_rate, linear_rate;
} eri_motion_at;

typedef struct eri_rows {
    er_joint_type type;
    double pitch;    ///< er_joint.pitch
    er_pose P, X;    ///< the parent's side in the world, the child's in it
    er_vec3 origin;  ///< the child's side's, in the world
    bool is_free[6]; ///< coordinates; the others are constraints
    er_vec3 axis[6]; ///< world axes: the rate of tx ty tz is axis . (angular velocity of the child against the parent),
                     ///< of x y z axis . (velocity of the origin against the parent)
    er_vec3 lead;    ///< world axes: of a screw's z, less lead . (that angular velocity); else 0
} eri_rows;

eri_rows eri_rows_at(er_joint_type type, double pitch, er_pose P, er_pose Q);

/// Rates of all six directions.
void eri_rows_rates(const eri_rows *rows, const eri_motion_at *parent, const eri_motion_at *child, double rate[6]);

/// And their rates.
void eri_rows_second_rates(const eri_rows *rows, const eri_motion_at *parent, const eri_motion_at *child,
                           double rate[6]);

/// The wrench on the child, about the origin, of forces along the six directions.
er_wrench eri_rows_wrench(const eri_rows *rows, const double force[6]);

#endif
