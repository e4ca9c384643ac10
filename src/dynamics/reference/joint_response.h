/// @file
/// How bodies respond to impulses with their joints holding (docs/math/contact.md, The reference solver).
#ifndef ERI_DYNAMICS_REFERENCE_JOINT_RESPONSE_H
#define ERI_DYNAMICS_REFERENCE_JOINT_RESPONSE_H

#include "dynamics/world.h"

/// A loop's row: its joint's row, and the twists that a unit impulse along it gives to the articulation.
typedef struct eri_loop_row {
    eri_joint_row row;
    int at;        ///< 6 joint + row
    double scale;  ///< 1 / sqrt(own entry of S, its bodies free)
    double *twist; ///< [6 limbs of the articulation]
} eri_loop_row;

/// Trees that loops join.
typedef struct eri_joint_response {
    int first_limb, last_limb;
    int loop_row_count;
    eri_loop_row *loop_row;
    eri_semidefinite S; ///< of the loops' rows, scaled
    double *force;      ///< [loop_row_count]
} eri_joint_response;

/// Factors the joints of the world as they were last placed.
/// @param arena       the result is allocated there
/// @param compliance  [6 joint_count], by row
/// @param out         [articulation_count]
/// Errors   ER_ERROR_MEMORY
er_result eri_joint_response_factor(er_world *w, er_arena *arena, const double *compliance, eri_joint_response *out);

/// The twists that impulses give.
/// @param impulse  [6 limbs of the articulation]
/// @param b        [6 joint_count]: rates for the rows of joints; NULL: zeros
/// @param twist    [6 limbs of the articulation], written
void eri_joint_response_solve(er_world *w, const eri_joint_response *s, const double *impulse, const double *b,
                              double *twist);

#endif
