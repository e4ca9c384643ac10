/// @file
/// Steps with lasting contact: ER_INTEGRATE_CONTACT.
#ifndef ERI_DYNAMICS_CONTACT_CONTACT_STEP_H
#define ERI_DYNAMICS_CONTACT_CONTACT_STEP_H

#include "dynamics/world.h"

/// @param out  NULL where the world's integrator is another
/// Errors   ER_ERROR_MEMORY
er_result eri_contacts_create(er_world *w, eri_contacts **out);

/// NULL is fine.
void eri_contacts_destroy(eri_contacts *contacts);

/// Clears all contacts.
void eri_contacts_clear(eri_contacts *contacts);

/// Wakes a body; -1 for all.
void eri_contacts_wake(eri_contacts *contacts, int body);

/// The steps since creation.
long eri_contacts_steps(const eri_contacts *contacts);

/// The contacts as bytes. After a restore, steps continue to the last bit.
/// Errors   ER_ERROR_MEMORY
size_t eri_contacts_size(const eri_contacts *contacts);
void eri_contacts_save(const eri_contacts *contacts, void *bytes);
er_result eri_contacts_restore(eri_contacts *contacts, const void *bytes);

/// Steps to a time, exactly.   Errors: ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY. The state is that of the last good
/// step then.
er_result eri_contacts_advance(er_world *w, double to);

#endif
