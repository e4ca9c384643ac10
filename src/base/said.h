/// @file
/// What was said already, so that it is not said again.
#ifndef ERI_BASE_SAID_H
#define ERI_BASE_SAID_H

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"

enum { ERI_SAID_SIZE = 256 };

/// Texts by their hashes, the last of them. All zeros: nothing was said.
typedef struct eri_said {
    uint64_t hash[ERI_SAID_SIZE];
    unsigned count;
} eri_said;

/// Whether a text was said before; from now on it was.
static inline bool eri_said_before(eri_said *said, const char *text)
{
    uint64_t hash = eri_hash_bytes(ERI_HASH_BEGIN, text, strlen(text));
    unsigned known = said->count < ERI_SAID_SIZE ? said->count : ERI_SAID_SIZE;
    for (unsigned i = 0; i < known; ++i)
        if (said->hash[i] == hash) return true;
    said->hash[said->count++ % ERI_SAID_SIZE] = hash;
    return false;
}

#endif
