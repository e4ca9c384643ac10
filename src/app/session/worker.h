/// @file
/// Private: a thread that does one piece of work at a time, while its owner goes on or waits. Data of the work belongs
/// to the thread during the work, and to the owner otherwise.
#ifndef ERI_APP_SESSION_WORKER_H
#define ERI_APP_SESSION_WORKER_H

#include <stdbool.h>

#include <eigenrig/base.h>

typedef struct worker worker;

/// @param work  a piece of work, called in the thread
/// @param out   ER_OK: for worker_destroy(); otherwise NULL
/// Errors   ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no thread)
er_result worker_create(er_context *context, void (*work)(void *user), void *user, worker **out);

/// Waits for the present work, and ends the thread. NULL is fine.
void worker_destroy(worker *w);

void worker_begin(worker *w); ///< starts a piece of work; the worker must be idle

/// Waits for the work.   @param seconds  the longest wait; 0: none; HUGE_VAL: no limit
/// @return whether the worker is idle
bool worker_wait(worker *w, double seconds);

#endif
