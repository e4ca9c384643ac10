/// @file
/// Remembers messages, so that none is printed twice.
#ifndef ERI_BASE_SAID_H
#define ERI_BASE_SAID_H

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"

enum { ERI_SAID_SIZE = 256 };

/// Hashes of the latest messages. All zeros: none.
typedef struct eri_said {
    uint64_t hash[ERI_SAID_SIZE];
    unsigned count;
} eri_said;

/// Whether a text was given before; remembers it.
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
