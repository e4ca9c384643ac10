/// @file
/// The reference solver of lasting contact: joints and contacts of a step in one problem, body by body
/// (docs/math/contact.md). It is of route multipliers, whose state it steps.
#ifndef ERI_DYNAMICS_REFERENCE_REFERENCE_SOLVER_H
#define ERI_DYNAMICS_REFERENCE_REFERENCE_SOLVER_H

#include "dynamics/contact/contact_solver.h"

/// @param out  NULL by route reduced
/// Errors   ER_ERROR_MEMORY
er_result eri_reference_create(er_world *w, eri_reference_solver **out);

/// Forgets the report.
void eri_reference_clear(eri_reference_solver *reference);

/// A step of w->contacts->now from its q and u, which it moves; accounts aside.
/// @param account  of the other forces, added to
/// @param heat     J, written: what contacts took
/// @param is_last  the step is made though bodies turn so far that joints come apart; later steps draw them together
/// @param holds    written: whether joints hold; if not, and if is_last is false, no step was made: take a shorter one
/// Errors   ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY
er_result eri_reference_step(er_world *w, double time, double h, bool is_last, eri_account *account, double *heat,
                             bool *holds);

er_reference_report eri_reference_report(const eri_reference_solver *reference);

#endif
