/// @file
/// Hashes of bytes.
#ifndef ERI_BASE_HASH_H
#define ERI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/// The hash of no bytes.
#define ERI_HASH_BEGIN 0xcbf29ce484222325u

/// A hash, with more bytes in it.   Source: FNV-1a, 64 bits (RFC 9923).
static inline uint64_t eri_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

#endif
