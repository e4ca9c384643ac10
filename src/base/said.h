/// @file
/// What was said already, so that it is not said again.
#ifndef ER_BASE_SAID_H
#define ER_BASE_SAID_H

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"

enum { ER_SAID_SIZE = 256 };

/// Texts by their hashes, the last of them. All zeros: nothing was said.
typedef struct er_said {
    uint64_t hash[ER_SAID_SIZE];
    unsigned count;
} er_said;

/// Whether a text was said before; from now on it was.
static inline bool er_said_before(er_said *said, const char *text)
{
    uint64_t hash = er_hash_bytes(ER_HASH_BEGIN, text, strlen(text));
    unsigned known = said->count < ER_SAID_SIZE ? said->count : ER_SAID_SIZE;
    for (unsigned i = 0; i < known; ++i)
        if (said->hash[i] == hash) return true;
    said->hash[said->count++ % ER_SAID_SIZE] = hash;
    return false;
}

#endif
