/// @file
/// Private: what a process may take of the machine. Inline, so that programs which link the shared library have it too.
#ifndef ERI_BASE_LIMITS_H
#define ERI_BASE_LIMITS_H

#include <sys/resource.h>

#include "base/sanitizer.h"

/// Lowers a limit of this process for good, where it is not that low already.
/// @param resource  RLIMIT_CPU (seconds), RLIMIT_CORE (bytes), RLIMIT_AS (bytes): left alone where the address
///                  sanitizer's shadow memory alone is larger than any useful limit
static inline void eri_limit(int resource, double most)
{
    struct rlimit now, then = {(rlim_t)most, (rlim_t)most};
    if (ERI_SANITIZED && resource == RLIMIT_AS) return;
    if (getrlimit((__rlimit_resource_t)resource, &now) == 0 && now.rlim_max < then.rlim_max)
        then.rlim_cur = then.rlim_max = now.rlim_max; // RLIM_INFINITY is above all
    setrlimit((__rlimit_resource_t)resource, &then);
}

#endif
