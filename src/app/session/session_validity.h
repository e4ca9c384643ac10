/// @file
/// How far the modes of a session are valid in full dynamics (er_modes_validate()). A thread judges one mode after the
/// other. Judgements are kept until the modes change.
///
/// Functions are called from the session's thread.
#ifndef ERI_APP_SESSION_SESSION_VALIDITY_H
#define ERI_APP_SESSION_SESSION_VALIDITY_H

#include "app/session/session.h"

typedef struct validity validity;

/// Creates an object without judgements.
/// @param context  must outlive it
/// Errors   ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no thread)
er_result validity_create(er_context *context, validity **out);

/// Destroys it. A judgement in progress ends after its swing. NULL is fine.
void validity_destroy(validity *v);

/// Takes the judgements of the palette file that the session has open, if it is one.
/// Errors   ER_ERROR_MEMORY, and as er_palette_file_read_validity()
er_result validity_read(validity *v, const session *s);

/// Takes a finished judgement, and starts the next one. Drops all judgements if the session's modes have changed.
/// @param wanted    false: nothing is started, and a judgement in progress is cancelled
/// @param first     index of the mode to judge before the others; -1: none
/// @param patience  s, the longest wait; HUGE_VAL: no limit
/// Errors   ER_ERROR_MEMORY, and as er_modes_validate(): that mode stays without a judgement
er_result validity_work(validity *v, const session *s, bool wanted, int first, double patience);

/// The judgement of a mode.
/// @param degrees   written: amplitude up to which its frequency is right within 2 %
/// @param at_least  written: nothing beyond was tried
/// @return whether there is one
bool validity_find(const validity *v, int mode, double *degrees, bool *at_least);

int validity_done(const validity *v);   ///< number of modes judged
int validity_all(const validity *v);    ///< number of elastic modes
int validity_judged(const validity *v); ///< index of the mode being judged; -1: none

#endif
