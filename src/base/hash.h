/// @file
/// Hashes of bytes.
#ifndef ERI_BASE_HASH_H
#define ERI_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/// Eight bytes at a time, for tables that are never written out.
static inline uint64_t eri_hash_text(const char *text, size_t size)
{
    uint64_t hash = ERI_HASH_BEGIN ^ size;
    for (size_t at = 0; at < size; at += sizeof hash) {
        uint64_t part = 0;
        memcpy(&part, text + at, size - at < sizeof part ? size - at : sizeof part);
        hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

#endif
