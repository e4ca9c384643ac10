// SHA-256 of all that a model's results depend on: its files, the files they refer to, its description.
#include "tools/batch/digest.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <nettle/sha2.h>

#include "base/letters.h"
#include "base/platform.h"
#include "tools/batch/folder.h"

enum { CHUNK = 1 << 16, GLB_HEAD = 20 };

static void hex(struct sha256_ctx *sum, char text[BATCH_DIGEST_SIZE])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(sum, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; ++i)
        sprintf(text + 2 * i, "%02x", bytes[i]);
}

// Closes the file.
static void digest_open(int file, char text[BATCH_DIGEST_SIZE])
{
    uint8_t bytes[CHUNK];
    struct sha256_ctx sum;
    ptrdiff_t got = -1;
    text[0] = '\0';
    sha256_init(&sum);
    while ((got = eri_platform_read(file, bytes, sizeof bytes)) > 0)
        sha256_update(&sum, (size_t)got, bytes);
    eri_platform_close(file);
    if (got == 0) hex(&sum, text);
}

static void digest_file(const char *path, char text[BATCH_DIGEST_SIZE])
{
    int file = batch_open_regular(path);
    text[0] = '\0';
    if (file >= 0) digest_open(file, text);
}

// Most documents hold no "uri", plain or escaped, and need not be parsed.
static bool may_refer(const char *text, size_t size)
{
    return eri_platform_find(text, size, "\"uri\"", 5) != NULL || eri_platform_find(text, size, "\\u", 2) != NULL;
}

// The JSON of a .gltf, or of a .glb's first chunk, if it refers to other files; NULL otherwise.
static json_t *read_gltf(const char *path)
{
    static const char *const endings[] = {".gltf", ".glb", ".vrm"};
    uint8_t head[GLB_HEAD] = {0};
    bool named = false;
    eri_file_info info;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
        named |= er_path_ends_in(path, endings[i]);
    int file = named ? batch_open_regular(path) : -1;
    if (file < 0) return NULL;
    json_t *document = NULL;
    if (eri_platform_stat_open(file, &info) == 0 && eri_platform_read(file, head, sizeof head) >= 1) {
        bool binary = memcmp(head, "glTF", 4) == 0;
        size_t size = (size_t)info.size, at = binary ? GLB_HEAD : 0;
        size_t chunk = (size_t)head[12] | (size_t)head[13] << 8 | (size_t)head[14] << 16 | (size_t)head[15] << 24;
        size_t wanted = !binary ? size : size > at && chunk <= size - at ? chunk : 0;
        char *text = wanted > 0 ? malloc(wanted) : NULL;
        if (text != NULL && eri_platform_read_at(file, text, wanted, (int64_t)at) == (ptrdiff_t)wanted)
            document = may_refer(text, wanted) ? json_loadb(text, wanted, 0, NULL) : NULL;
        free(text);
    }
    eri_platform_close(file);
    return document;
}

static void add_text(struct sha256_ctx *sum, const char *text)
{
    sha256_update(sum, strlen(text) + 1, (const uint8_t *)text);
}

static void add_file(struct sha256_ctx *sum, const char *path)
{
    char text[BATCH_DIGEST_SIZE];
    digest_file(path, text);
    add_text(sum, path);
    add_text(sum, text);
}

// The files that one array of a glTF refers to and that may be read.   @return how many
static int add_uris(struct sha256_ctx *sum, er_context *context, const char *path, unsigned flags, const json_t *array)
{
    int count = 0;
    size_t i;
    json_t *item;
    json_array_foreach(array, i, item)
    {
        const char *uri = json_string_value(json_object_get(item, "uri"));
        char text[BATCH_DIGEST_SIZE] = "";
        int file;
        if (uri == NULL || eri_same_start(uri, "data:", 5)) continue;
        if (er_file_open_reference(context, path, uri, flags, &file) == ER_OK) digest_open(file, text);
        add_text(sum, uri);
        add_text(sum, text);
        ++count;
    }
    return count;
}

void batch_allow_outside(batch_dependencies *dependencies)
{
    dependencies->outside = true;
}

void batch_add_dependency(batch_dependencies *dependencies, const char *path)
{
    enum { MOST = (int)(sizeof dependencies->path / sizeof dependencies->path[0]) };
    if (dependencies->count == MOST) return;
    dependencies->path[dependencies->count] = strdup(path);
    if (dependencies->path[dependencies->count] != NULL) ++dependencies->count;
}

void batch_digest_model(const char *path, const batch_dependencies *dependencies, batch_digest *out)
{
    struct sha256_ctx sum;
    int count = 0;
    unsigned flags = ER_REFERENCE_URI | (dependencies->outside ? ER_REFERENCE_OUTSIDE : 0u);
    er_context *context = NULL;
    sha256_init(&sum);
    digest_file(path, out->file);
    json_t *document = er_context_create(NULL, &context) == ER_OK ? read_gltf(path) : NULL;
    count += add_uris(&sum, context, path, flags, json_object_get(document, "buffers"));
    count += add_uris(&sum, context, path, flags, json_object_get(document, "images"));
    json_decref(document);
    er_context_destroy(context);
    for (int i = 0; i < dependencies->count; ++i, ++count)
        add_file(&sum, dependencies->path[i]);
    out->dependency[0] = '\0';
    if (count > 0) hex(&sum, out->dependency);
}

void batch_digest_inputs(const batch_inputs *inputs, char out[BATCH_DIGEST_SIZE])
{
    struct sha256_ctx sum;
    sha256_init(&sum);
    for (int i = 0; i < inputs->count; ++i) {
        sha256_update(&sum, strlen(inputs->item[i].key), (const uint8_t *)inputs->item[i].key);
        sha256_update(&sum, 1, (const uint8_t *)"\n");
    }
    hex(&sum, out);
}

uint64_t batch_digest_number(const char *text)
{
    uint8_t bytes[8];
    uint64_t number = 0;
    struct sha256_ctx sum;
    sha256_init(&sum);
    sha256_update(&sum, strlen(text), (const uint8_t *)text);
    sha256_digest(&sum, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; ++i)
        number = number << 8 | bytes[i];
    return number;
}
