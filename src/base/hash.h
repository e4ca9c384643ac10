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

static inline uint64_t eri_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/// Eight bytes at a time, for tables that are never written out.
static inline uint64_t eri_hash_text(const char *text, size_t size)
{
    uint64_t hash = ERI_HASH_BEGIN ^ size, word = 0;
    size_t at = 0;
    for (; size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text + at, sizeof word);
        hash = eri_hash_word(hash, word);
    }
    for (word = 0; at < size; ++at)
        word = word << 8 | (unsigned char)text[at];
    return eri_hash_word(hash, word);
}

#endif
