/// @file
/// A model's tree as poses run down it, and what closing loops needs.
#ifndef ERI_MODEL_KINEMATICS_KINEMATICS_H
#define ERI_MODEL_KINEMATICS_KINEMATICS_H

#include <eigenrig/model.h>

#include "math/dense/dense.h"
#include "model/joint/joint.h"
#include "model/kinematics/frames.h"
#include "model/tree.h"

/// How a link's joint places its body: pose = above * before * X(x) * after, X of eri_link_displacement().
typedef struct eri_placement {
    int first; ///< of its coordinates in x
    int group; ///< trees whose common centre of mass stays; -1: none
    er_pose before, after;
    er_pose frame; ///< of the joint, in the world at equilibrium
} eri_placement;

/// Bodies that stay.
typedef struct eri_holds {
    int count, rows; ///< rows: six a body that stays, three a point
    er_hold *hold;   ///< [count]
} eri_holds;

struct er_kinematics {
    const er_model *model;
    er_arena *arena, *scratch;
    int width;
    double *unit;             ///< [width], what a coordinate is measured in: 1 rad, or the rig's size
    bool *closing;            ///< [width], of a joint that closes a loop
    eri_tree tree;            ///< with links in the model's order
    eri_placement *placement; ///< [body_count], of the links
    int group_count;          ///< of eri_placement.group
    double *group_mass;       ///< [group_count], kg
    er_vec3 *group_centre;    ///< [group_count], at equilibrium, m
    er_vec3 *drift;           ///< [group_count], work space
    er_pose *root;            ///< [body_count], work space: of er_model_pose()
    double *twist;            ///< [6 body_count], work space
    eri_matrix mass_root;     ///< L, M = L L' in the coordinates x, 1 on the diagonal for those of loop joints; with
                              ///< loops only
    eri_holds holds, apart;   ///< all; and those that locks leave
    bool *locked;             ///< [width], of a joint between bodies that stay, or the world. With holds only
    const er_pose *goal;      ///< [body_count], borrowed, where they are held; NULL: at equilibrium
    const er_pose *base;      ///< [body_count], borrowed: eri_kinematics_start_from(); NULL: the equilibrium
    double pace;              ///< rad/s, that what floats is weighed at
    double *spring_root;      ///< [width], roots of stiffness, > 0; 0 of what floats. With holds only, as are
    int loose_count, *loose;  ///< what floats: the first coordinate of each root
    double *loose_root;       ///< [36 loose_count], L of its tree's mass matrix, as one rigid body
    double *asked, *from, *target, *y, *step; ///< [width], work space of closing loops
    eri_frames64 *frames64;                   ///< poses side by side
};

/// The norm of a - b; and the largest entry of it, but those of loop joints, whose turns are read off and wrap; in
/// units of er_kinematics.unit.
/// @param b  [width]; NULL, of the second alone, for 0
double eri_kinematics_distance(const er_kinematics *k, const double *a, const double *b);
double eri_kinematics_widest(const er_kinematics *k, const double *a, const double *b);

/// Poses of the tree at x, loops open, centres of mass where they come to lie.
void eri_kinematics_open(er_kinematics *k, const double *x, er_pose *pose);

/// Puts centres of mass back.
void eri_kinematics_settle(er_kinematics *k, er_pose *pose);

/// Factors the mass matrix of the coordinates x at equilibrium.   Errors: ER_ERROR_NOT_POSDEF, ER_ERROR_MEMORY.
er_result eri_kinematics_weigh(er_kinematics *k, er_context *context);

/// Errors   ER_ERROR_ARGUMENT: a count not in 0 to 10,000; of no body, or one body's twice; a point that is not finite.
er_result eri_holds_check(er_context *context, const er_model *model, int count, const er_hold *hold);

/// Holds bodies as they stand at equilibrium, from now on, by the least energy in the springs: closing then takes the x
/// nearest to the one asked for in W = K + pace^2 M, K the springs, M what floats as if it moved rigidly. Trees with a
/// body that is held keep no centre of mass.
/// @param hold  [count], of other bodies each; copied   @param pace  rad/s, > 0
/// Errors   as eri_holds_check(); ER_ERROR_NOT_POSDEF, ER_ERROR_MEMORY.
er_result eri_kinematics_hold(er_kinematics *k, er_context *context, int count, const er_hold *hold, double pace);

/// Displacements are from this pose, from now on: held there, centres of mass as they are there. Joints that stand
/// apart in it stay so, but those that close a loop.
/// @param base  [body_count], borrowed; NULL: the equilibrium
void eri_kinematics_start_from(er_kinematics *k, const er_pose *base);

/// Finds the trees whose common centres of mass stay: er_kinematics.group_count and what is of groups.
/// Errors   ER_ERROR_MEMORY.
er_result eri_kinematics_set_groups(er_kinematics *k);

/// Whether poses take eri_kinematics_close().
static inline bool eri_kinematics_closes(const er_kinematics *k)
{
    return k->model->loop_count > 0 || k->holds.count > 0;
}

/// The metric that holds go by, factored; and b <- L^-1 b or L'^-1 b of the metric that closing goes by.
er_result eri_kinematics_weigh_springs(er_kinematics *k, er_context *context);
void eri_kinematics_unweigh(const er_kinematics *k, bool transpose, eri_matrix b);

/// By how much bodies are off from where they are held, holds->rows entries, m (turns times the rig's size); and the
/// columns, from the first on, of J' of that.   @return the largest
double eri_hold_errors(const er_kinematics *k, const eri_holds *holds, const er_pose *pose, double *error);
void eri_hold_jacobian(const er_kinematics *k, const eri_holds *holds, const double *x, const er_pose *pose,
                       eri_matrix Jt, int first_column);

/// The larger magnitude, and NaN once there was one.
static inline double eri_worse(double worst, double x)
{
    return fabs(x) <= worst || isnan(worst) ? worst : fabs(x);
}

/// Closes the loops, and brings what is held back: x and pose are changed.   Errors: ER_ERROR_NO_CONVERGENCE,
/// ER_ERROR_MEMORY.
er_result eri_kinematics_close(er_kinematics *k, double *x, er_pose *pose);

/// The displacement of a link's joint, or its inverse where the link is inverse.
/// @param x  its coordinates
static inline er_pose eri_link_displacement(const eri_link *link, const double *x)
{
    er_pose X = eri_joint_displacement(link->type, link->pitch, x);
    return link->inverse ? er_pose_inverse(X) : X;
}

/// The world twist (angular; linear at the world's origin) of what a link's coordinate moves, at unit rate.
/// @param coordinate  0 to 5: tx ty tz x y z
er_twist eri_link_twist(const er_kinematics *k, int link, int coordinate, const double *x, const er_pose *pose);

#endif
