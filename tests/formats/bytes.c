#include "bytes.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    if (hash == 0) hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

void expect_hash(uint64_t hash, const char *name, const known_bytes *table)
{
    if (getenv("EIGENRIG_BYTES") != NULL) {
        printf("# {\"%s\", 0x%016" PRIx64 "},\n", name, hash);
        return;
    }
    while (table->name != NULL && strcmp(table->name, name) != 0)
        ++table;
    if (table->name == NULL || table->hash != hash)
        fail_msg("%s: its bytes have the hash 0x%016" PRIx64 ", not 0x%016" PRIx64, name, hash, table->hash);
}

uint64_t hash_file(uint64_t hash, const char *path)
{
    static uint8_t block[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t size; (size = fread(block, 1, sizeof block, file)) > 0;)
        hash = hash_bytes(hash, block, size);
    fclose(file);
    return hash;
}

void expect_bytes(const char *path, const char *name, const known_bytes *table)
{
    expect_hash(hash_file(0, path), name, table);
}
