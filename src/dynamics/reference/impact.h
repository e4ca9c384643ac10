/// @file
/// Impacts of a world's shapes: when they happen within a step, and what they do (docs/math/dynamics.md, Impacts).
#ifndef ERI_DYNAMICS_REFERENCE_IMPACT_H
#define ERI_DYNAMICS_REFERENCE_IMPACT_H

#include "dynamics/world.h"

/// @param out  NULL where a world has no shapes
/// Errors   ER_ERROR_MEMORY
er_result eri_impacts_create(er_world *w, eri_impacts **out);

/// NULL is fine.
void eri_impacts_destroy(eri_impacts *impacts);

/// Begins anew from the poses shown.   Errors: ER_ERROR_ARGUMENT (shapes that overlap, by name: nothing began)
er_result eri_impacts_start(er_world *w, double time);

/// Forgets the list of those that were.
void eri_impacts_clear(eri_impacts *impacts);

/// Impacts of the second that most_impacts bounds.
typedef struct eri_impact_rate {
    double since; ///< s
    int count;
} eri_impact_rate;

/// A state's; and goes on with it, the list forgotten.
eri_impact_rate eri_impacts_rate(const eri_impacts *impacts);
void eri_impacts_resume(eri_impacts *impacts, eri_impact_rate rate);

/// eri_ode_advance(), with impacts.   Errors: as that; ER_ERROR_NO_CONVERGENCE (too many impacts in a second)
er_result eri_impacts_advance(er_world *w, double to);

#endif
