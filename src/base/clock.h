/// @file
/// Private: the time that something takes. Inline, so that programs which link the shared library have it too.
#ifndef ERI_BASE_CLOCK_H
#define ERI_BASE_CLOCK_H

#include <time.h>

static inline double eri_seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Seconds since some moment before; never set back.   Threads: any.
static inline double eri_seconds(void)
{
    return eri_seconds_of(CLOCK_MONOTONIC);
}

/// Seconds of processor time that this thread took so far.   Threads: any.
static inline double eri_thread_seconds(void)
{
    return eri_seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/// Seconds of processor time that all threads of this process took so far.   Threads: any.
static inline double eri_process_seconds(void)
{
    return eri_seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
