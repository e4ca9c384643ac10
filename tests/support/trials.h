// How much of what could be tried a test tries.
#ifndef TESTS_SUPPORT_TRIALS_H
#define TESTS_SUPPORT_TRIALS_H

#include <stdbool.h>

#include "base/sanitizer.h"

/// So many trials, or an eighth of them under sanitizers, which look at memory and not at numbers.
static inline int trials(int count)
{
    return ERI_SANITIZED ? (count + 7) / 8 : count;
}

/// Whether all of a kind is asked for, as NAME_every does, which is slow; else a few of them are enough.
bool every(void);

#endif
