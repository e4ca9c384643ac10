/// @file
/// Private: a thread that does one piece of work at a time, while its owner goes on or waits. Between pieces all that
/// the work touches is the owner's.
#ifndef ERI_APP_SESSION_WORKER_H
#define ERI_APP_SESSION_WORKER_H

#include <stdbool.h>

#include <eigenrig/base.h>

typedef struct worker worker;

/// @param work  a piece of work, called in the thread
/// @param out   ER_OK: for worker_destroy(); otherwise NULL
/// Errors   ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no thread)
er_result worker_create(er_context *context, void (*work)(void *user), void *user, worker **out);

/// Waits for the work that is being done, and ends the thread. NULL is fine.
void worker_destroy(worker *w);

void worker_begin(worker *w); ///< a piece of work; none is being done

/// Waits for the work.   @param seconds  at most so long, 0 not at all; HUGE_VAL until it is done
/// @return whether none is being done
bool worker_wait(worker *w, double seconds);

#endif
