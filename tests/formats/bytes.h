// The bytes of what writers write, by their hashes. They were judged by readers: Assimp and our own in these tests,
// others in tests/clients. After a change on purpose, judge the files again; EIGENRIG_BYTES=1 prints the new hashes.
#ifndef TESTS_FORMATS_BYTES_H
#define TESTS_FORMATS_BYTES_H

#include <stddef.h>
#include <stdint.h>

typedef struct known_bytes {
    const char *name; // NULL ends a table
    uint64_t hash;
} known_bytes;

/// FNV-1a, 64 bits. @param hash  0, or of what comes before
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

/// Goes on with the bytes of the file at a path.
uint64_t hash_file(uint64_t hash, const char *path);

/// The hash, or that of the file at a path, is the one of that name in the table.
void expect_hash(uint64_t hash, const char *name, const known_bytes *table);
void expect_bytes(const char *path, const char *name, const known_bytes *table);

#endif
