/// @file
/// Steps with lasting contact: ER_INTEGRATE_CONTACT.
#ifndef ER_DYNAMICS_CONTACT_STEP_H
#define ER_DYNAMICS_CONTACT_STEP_H

#include "dynamics/world.h"

/// @param out  NULL where the world's integrator is another
/// Errors   ER_ERROR_MEMORY
er_result er_contacts_create(er_world *w, er_contacts **out);

/// NULL is fine.
void er_contacts_destroy(er_contacts *contacts);

/// Forgets what touched.
void er_contacts_forget(er_contacts *contacts);

/// Wakes a body; -1 for all.
void er_contacts_wake(er_contacts *contacts, int body);

/// How many steps there were since it was made.
long er_contacts_steps(const er_contacts *contacts);

/// What touched, as bytes: restored, steps go on to the last bit.
/// Errors   ER_ERROR_MEMORY
size_t er_contacts_size(const er_contacts *contacts);
void er_contacts_save(const er_contacts *contacts, void *bytes);
er_result er_contacts_restore(er_contacts *contacts, const void *bytes);

/// Steps to a time, exactly.   Errors: ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY. The state is that of the last good
/// step then.
er_result er_contacts_advance(er_world *w, double to);

#endif
