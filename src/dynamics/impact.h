/// @file
/// Impacts of a world's shapes: when they happen within a step, and what they do (docs/math/dynamics.md, Impacts).
#ifndef ER_DYNAMICS_IMPACT_H
#define ER_DYNAMICS_IMPACT_H

#include "dynamics/world.h"

/// @param out  NULL where a world has no shapes
/// Errors   ER_ERROR_MEMORY
er_result er_impacts_create(er_world *w, er_impacts **out);

/// NULL is fine.
void er_impacts_destroy(er_impacts *impacts);

/// Begins anew from the poses shown.   Errors: ER_ERROR_ARGUMENT (shapes that overlap, by name: nothing began)
er_result er_impacts_start(er_world *w, double time);

/// Forgets the list of those that were.
void er_impacts_forget(er_impacts *impacts);

/// Impacts of the second that most_impacts bounds.
typedef struct er_impact_rate {
    double since; ///< s
    int count;
} er_impact_rate;

/// A state's; and goes on with it, the list forgotten.
er_impact_rate er_impacts_rate(const er_impacts *impacts);
void er_impacts_resume(er_impacts *impacts, er_impact_rate rate);

/// er_ode_advance(), with impacts.   Errors: as that; ER_ERROR_NO_CONVERGENCE (too many impacts in a second)
er_result er_impacts_advance(er_world *w, double to);

#endif
