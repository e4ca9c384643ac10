/// @file
/// A glTF file in memory: its JSON tree, the one buffer that new data is added to, and the GLB chunks that are only
/// passed on.
///
/// Building the tree takes hundreds of calls that can fail in the same few ways, so the document keeps its first
/// failure: after it every call here does nothing, and er_gltf_check() tells.
#ifndef ER_FORMATS_GLTF_DOCUMENT_H
#define ER_FORMATS_GLTF_DOCUMENT_H

#include <jansson.h>

#include <eigenrig/math.h>

#include "base/buffer.h"
#include "scene/source.h"

/// Values of the specification.
enum {
    ER_GLTF_UNSIGNED_BYTE = 5121,
    ER_GLTF_UNSIGNED_SHORT = 5123,
    ER_GLTF_UNSIGNED_INT = 5125,
    ER_GLTF_FLOAT = 5126,
    ER_GLTF_ARRAY_BUFFER = 34962,
    ER_GLTF_ELEMENT_ARRAY_BUFFER = 34963
};

#define ER_GLTF_BUFFER_MIME "application/octet-stream"

/// Made with er_gltf_start() or er_gltf_load(), ended with er_gltf_finish().
typedef struct er_gltf_document {
    er_arena *arena;        ///< borrowed; holds everything but the tree
    const char *path;       ///< of the file to write, for messages
    bool binary;            ///< write a .glb
    json_t *root;           ///< owned
    er_source_chunk *chunk; ///< [chunk_count] of the source file, JSON left out, BIN too once it is `bytes`
    int chunk_count;
    int buffer;        ///< index in "buffers" that `bytes` belong to; -1 until something is added
    bool bin;          ///< that buffer is the BIN chunk; otherwise it becomes a data URI
    er_buffer bytes;   ///< what that buffer holds
    er_result failure; ///< the first, or ER_OK
} er_gltf_document;

/// An empty document.
void er_gltf_start(er_gltf_document *document, er_arena *arena, const char *path, bool binary);

/// Takes a source into a started document, which borrows its chunks.
/// @param path  of the source, for messages
/// Errors   ER_ERROR_FORMAT, ER_ERROR_MEMORY
er_result er_gltf_load(er_gltf_document *document, const char *path, const er_source *source);

/// Writes the file.   Errors: the kept failure, ER_ERROR_FILE, ER_ERROR_MEMORY.
er_result er_gltf_save(er_gltf_document *document);

/// Frees the tree.
void er_gltf_finish(er_gltf_document *document);

/// Keeps a failure, unless there is one already.
void er_gltf_fail(er_gltf_document *document, er_result failure, const char *format, ...) ER_PRINTF(3, 4);

/// The first failure, or ER_OK.
er_result er_gltf_check(const er_gltf_document *document);

/// Sets a member; takes the value over (NULL counts as out of memory). The result is borrowed, NULL after a failure.
json_t *er_gltf_put(er_gltf_document *document, json_t *object, const char *key, json_t *value);

/// Appends to an array; as er_gltf_put().
json_t *er_gltf_push(er_gltf_document *document, json_t *array, json_t *value);

/// Sets a member to `count` numbers, which must be finite.
void er_gltf_put_numbers(er_gltf_document *document, json_t *object, const char *key, const double *value, int count);

/// Sets a member to a text, UTF-8; leaves it out when the text is empty.
void er_gltf_put_text(er_gltf_document *document, json_t *object, const char *key, const char *text);

/// The array `key` of an object, made when missing; it fails when there is something else.
json_t *er_gltf_list(er_gltf_document *document, json_t *object, const char *key);

/// A new, empty object at the end of a top-level array, and its index there.
json_t *er_gltf_new(er_gltf_document *document, const char *list, int *index);

/// Element `index` of a top-level array when it is an object, otherwise NULL.
json_t *er_gltf_at(const er_gltf_document *document, const char *list, json_int_t index);

/// Adds `size` zeroed bytes at a multiple of 4 to the growing buffer. The result is good until the next call, NULL
/// after a failure.
uint8_t *er_gltf_add_bytes(er_gltf_document *document, size_t size, size_t *offset);

/// A new bufferView of the growing buffer.
/// @param target  ER_GLTF_ARRAY_BUFFER, ER_GLTF_ELEMENT_ARRAY_BUFFER or 0
int er_gltf_view(er_gltf_document *document, size_t offset, size_t size, int target);

/// Embeds a file in an element, an image say: as a bufferView with its "mimeType", or as a data URI.
void er_gltf_put_blob(er_gltf_document *document, json_t *object, const char *mime, const uint8_t *bytes, size_t size);
void er_gltf_put_data_uri(er_gltf_document *document, json_t *object, const char *mime, const uint8_t *bytes,
                          size_t size);

/// A new accessor; the object comes back for "min" and "max".
json_t *er_gltf_accessor(er_gltf_document *document, int view, size_t offset, int component_type, int count,
                         const char *type, int *index);

#endif
