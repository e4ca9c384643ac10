/// @file
/// Runs processes side by side, each under a deadline, and reports their ends one by one.
#ifndef ERI_TOOLS_BATCH_POOL_H
#define ERI_TOOLS_BATCH_POOL_H

#include <stddef.h>

#include <eigenrig/base.h>

/// How a process ended.
typedef struct batch_exit {
    int task;
    char *text; ///< [size], all it wrote; may be changed
    size_t size;
    int signal;               ///< that killed it; 0: none
    bool killed;              ///< killed from outside, or for lack of memory
    int status;               ///< its exit status, where there was no signal
    bool late;                ///< the deadline passed, and it was killed
    double seconds, peak_mib; ///< of wall clock; of it and those it started, the largest
    const char *folder;       ///< its own, emptied after the call
} batch_exit;

/// Tasks to do.
typedef struct batch_pool {
    int count, jobs;    ///< tasks; processes at a time
    double timeout;     ///< s
    const char *folder; ///< for a folder a process, made and removed
    /// Runs in the new process, which it ends.   @param answer  to write to
    void (*work)(void *user, int task, const char *folder, int answer);
    /// A result other than ER_OK ends the whole run.
    er_result (*ended)(void *user, const batch_exit *end);
    void *user;
} batch_pool;

/// Runs all tasks, in order. In any case no process is left.
/// @param interrupted  written: a signal (SIGINT, SIGTERM, SIGHUP) ended it; the result is ER_OK then
/// Errors   ER_ERROR_SYSTEM (no process or pipe), ER_ERROR_FILE (no folder), ER_ERROR_MEMORY, those of `ended`
er_result batch_pool_run(er_context *context, const batch_pool *pool, bool *interrupted);

#endif
