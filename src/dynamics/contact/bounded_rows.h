/// @file
/// Rows with bounds: ties and rolling friction, between up to four bodies (docs/math/contact.md, Ties).
///
/// A row has the gradient J of a length or an angle by the motion of its bodies. Its impulse, within bounds, changes
/// their velocities. Rows of ties are placed anew before each sweep, so that swings on ropes keep their energy.
#ifndef ERI_DYNAMICS_CONTACT_BOUNDED_ROWS_H
#define ERI_DYNAMICS_CONTACT_BOUNDED_ROWS_H

#include "dynamics/contact/contact_solver.h"
#include "dynamics/ties.h"

/// The law of a row.
typedef enum eri_row_law {
    ERI_LAW_MOST,   ///< the length stays at most `bound`: it only pulls
    ERI_LAW_LEAST,  ///< at least `bound`: it only pushes
    ERI_LAW_EXACT,  ///< at `bound`
    ERI_LAW_SPRING, ///< a spring beyond `bound`
    ERI_LAW_ROLL,   ///< no rotation along the axis; two rows follow each other, with one bound for both
    ERI_LAW_SPIN    ///< no rotation along the axis
} eri_row_law;

/// One body of a row.
typedef struct eri_row_side {
    int body;              ///< of the model; -1: the world
    int limb, link;        ///< -1: not in an articulation
    int offset;            ///< in V
    er_vec3 origin;        ///< m, world, at the step's begin: the point that the velocity is of
    er_vec3 arm;           ///< m, world, at the step's begin: from there to the tie's point
    eri_lanes J;           ///< the wrench of a unit impulse, about that point
    eri_lanes total, time; ///< N s, N s^2: the wrench's impulse in the step, and its integral over the step
} eri_row_side;

struct eri_bounded_row {
    eri_row_law law;
    const er_tie *tie;      ///< NULL: rolling friction
    double *stored;         ///< of the tie: the impulse for the next step's warm start
    eri_manifold *manifold; ///< of rolling friction
    int side_count;
    eri_row_side side[ERI_TIE_BODIES];
    er_vec3 axis;     ///< unit, world: of rolling friction
    double bound;     ///< m, rad; of rolling friction: N m s
    double value;     ///< m, rad: of the present place
    double begin;     ///< m, rad: of a gear, at the step's begin
    double predicted; ///< the same at the sub-step's end
    double K;         ///< the change of speed by a unit impulse; 0: it moves nothing
    double impulse;   ///< N s, of the present sweep
    double committed; ///< N s, of the sub-step, before the present sweep
    double start;     ///< N s, at the sub-step's begin
    double total;     ///< N s, of the step
};

// ---- tie_rows.c

/// Adds the rows of all ties that are awake and not broken, two for a tie at most.
void eri_tie_rows_list(er_world *w);

/// J and the length of a row of a tie, with its bodies displaced.
void eri_tie_row_place(const eri_contacts *s, eri_bounded_row *row);

/// The length at the end of a sub-step, by the velocities V.
double eri_tie_row_predict(const eri_contacts *s, const eri_bounded_row *row, double h, double speed);

/// J of a gear, before it is used.
void eri_tie_row_set_gear(const er_world *w, eri_bounded_row *row);

// ---- rolling_rows.c

/// Adds the rows of rolling and spinning friction, three for a manifold at most.
void eri_rolling_rows_list(er_world *w);

#endif
