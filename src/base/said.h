/// @file
/// What was said already, so that it is not said again.
#ifndef ER_BASE_SAID_H
#define ER_BASE_SAID_H

#include <stdbool.h>
#include <stdint.h>

enum { ER_SAID_SIZE = 256 };

/// Texts by their hashes, the last of them. All zeros: nothing was said.
typedef struct er_said {
    uint64_t hash[ER_SAID_SIZE];
    unsigned count;
} er_said;

/// Whether a text was said before; from now on it was.   Source: FNV-1a, 64 bits (RFC 9923).
static inline bool er_said_before(er_said *said, const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != '\0'; ++text)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    unsigned known = said->count < ER_SAID_SIZE ? said->count : ER_SAID_SIZE;
    for (unsigned i = 0; i < known; ++i)
        if (said->hash[i] == hash) return true;
    said->hash[said->count++ % ER_SAID_SIZE] = hash;
    return false;
}

#endif
