/// @file
/// The state of route multipliers, and its sparse system (docs/math/dynamics.md).
#ifndef ERI_DYNAMICS_REFERENCE_MAXIMAL_H
#define ERI_DYNAMICS_REFERENCE_MAXIMAL_H

#include "dynamics/world.h"

/// A joint's rows as they act on the bodies at its ends, about the centres of mass.
typedef struct eri_maximal_joint {
    eri_rows rows;
    int count, axis[6];   // rows: those held, and of implicit steps those with a compliance
    double compliance[6]; // of each
    double own[6];        // forces on the six directions: springs, dampers, motors
} eri_maximal_joint;

typedef struct eri_maximal_node {
    double L[6][6];    // of M with what hangs on it
    double Y[6][6];    // L^-1 J', row by row of the joint
    double F[6][6];    // of J M^-1 J' + compliance
    double Z[6][6];    // F^-1 J_p, row by row
    double y[6], g[6]; // of the solve
    int count;         // rows of the joint when it was factored
} eri_maximal_node;

struct eri_maximal {
    int limb_count, joint_count, positions; // positions of a limb: 7, or 12
    er_pose *parent_side, *child_side;      // [joint_count], the joint's frame in the bodies' (in the world)
    eri_maximal_joint *joint;               // [joint_count]
    bool *used;                             // [joint_count]: not within the ground
    eri_maximal_node *node;                 // [limb_count]
    double *f, *x, *multiplier, *b;         // [6 limb_count], [6 limb_count], [6 joint_count] by row, [6 joint_count]
    double *force;                          // [6 limb_count]
    int row_count;
    int *row_joint, *row_index; // [row_count], of loops
    double *row_scale, *lambda; // [row_count]
    double rank_tol;            // of the call
    eri_semidefinite S;
    bool is_nearly_flat; // a loop has all but lost a row where it was factored last
    er_wrench *redundant;
    er_pose *pose; // [body_count]
    er_twist *twist;
};

/// A row of a joint on one of its bodies, about the centre of mass.
/// @param body  that moves
void eri_maximal_row_on(const er_world *w, int joint, int row, int body, double out[6]);

/// Adds a wrench on a joint's child, and its opposite on the parent.   @param f  [6 limb_count], added to
void eri_maximal_act_between(const er_world *w, int joint, er_wrench on_child, double *f);

/// Finds x and all multipliers.
/// @param gap    how far joints are from closed: constraints of loops that this may make independent are left out
/// @param force  [6 limb_count]
/// @param b      [6 joint_count]: rates of all rows
void eri_maximal_solve(er_world *w, double gap, const double *force, const double *b);

/// Sets the multipliers to the n-th set that does nothing, of what was solved last: n < count - rank of S.
void eri_maximal_find_null(er_world *w, int n);

#endif
