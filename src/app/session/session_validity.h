/// @file
/// How far the modes of a session are true in full dynamics (er_modes_validate()): judged one after the other in a
/// thread, kept until the modes are other ones.
///
/// One thread calls, the session's.
#ifndef ERI_APP_SESSION_SESSION_VALIDITY_H
#define ERI_APP_SESSION_SESSION_VALIDITY_H

#include "app/session/session.h"

typedef struct validity validity;

/// Knows nothing yet.
/// @param context  must outlive it
/// Errors   ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no thread)
er_result validity_create(er_context *context, validity **out);

/// Ends it; what is being judged is given up after its swing. NULL is fine.
void validity_destroy(validity *v);

/// Takes what the palette file says that the session has open, where it is one.
/// Errors   ER_ERROR_MEMORY, and as er_palette_file_read_validity()
er_result validity_read(validity *v, const session *s);

/// Takes what has been judged, forgets all when the session's modes are other ones, and has the next one judged.
/// @param wanted    false: nothing more is begun, and what is being judged is given up
/// @param first     index of the mode to be judged before the others; -1
/// @param patience  s: it waits no longer for a judgement; HUGE_VAL for as long as it takes
/// Errors   ER_ERROR_MEMORY, and as er_modes_validate(): that mode stays unjudged
er_result validity_work(validity *v, const session *s, bool wanted, int first, double patience);

/// What is known of a mode.
/// @param degrees   written: amplitude up to which its frequency is true to 2 %
/// @param at_least  written: nothing beyond was tried
/// @return whether it is known
bool validity_find(const validity *v, int mode, double *degrees, bool *at_least);

int validity_done(const validity *v);   ///< modes that are known
int validity_all(const validity *v);    ///< elastic modes that there are
int validity_judged(const validity *v); ///< index of the mode that is being judged, -1

#endif
