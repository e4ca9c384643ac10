/// @file
/// A glTF file in memory: its JSON tree, the one buffer that new data is added to, and the GLB chunks that are only
/// passed on.
///
/// Building the tree takes hundreds of calls that can fail, so the document keeps its first failure. After it every
/// call does nothing; eri_gltf_check() returns it.
#ifndef ERI_FORMATS_GLTF_GLTF_DOCUMENT_H
#define ERI_FORMATS_GLTF_GLTF_DOCUMENT_H

#include <jansson.h>

#include <eigenrig/math.h>

#include "base/buffer.h"
#include "scene/scene_source.h"

/// Values of the specification.
enum {
    ERI_GLTF_UNSIGNED_BYTE = 5121,
    ERI_GLTF_UNSIGNED_SHORT = 5123,
    ERI_GLTF_UNSIGNED_INT = 5125,
    ERI_GLTF_FLOAT = 5126,
    ERI_GLTF_ARRAY_BUFFER = 34962,
    ERI_GLTF_ELEMENT_ARRAY_BUFFER = 34963
};

#define ERI_GLTF_BUFFER_MIME "application/octet-stream"

/// Made with eri_gltf_start() or eri_gltf_load(), ended with eri_gltf_finish().
typedef struct eri_gltf_document {
    er_arena *arena;         ///< borrowed; holds everything but the tree
    const char *path;        ///< of the file to write, for messages
    bool binary;             ///< write a .glb
    json_t *root;            ///< owned
    eri_source_chunk *chunk; ///< [chunk_count] of the source file, JSON left out, BIN too once it is `bytes`
    int chunk_count;
    int buffer;        ///< index in "buffers" that `bytes` belong to; -1 until something is added
    bool bin;          ///< that buffer is the BIN chunk; otherwise it becomes a data URI
    eri_buffer bytes;  ///< what that buffer holds
    er_result failure; ///< the first, or ER_OK
} eri_gltf_document;

/// An empty document.
void eri_gltf_start(eri_gltf_document *document, er_arena *arena, const char *path, bool binary);

/// Takes a source into a started document, which borrows its chunks.
/// @param path  of the source, for messages
/// Errors   ER_ERROR_FORMAT, ER_ERROR_MEMORY
er_result eri_gltf_load(eri_gltf_document *document, const char *path, const er_source *source);

/// Appends the bytes of the finished file to an empty buffer.   Errors: the kept failure.
er_result eri_gltf_lay_out(eri_gltf_document *document, eri_buffer *out);

/// Writes the file.   Errors: the kept failure, ER_ERROR_FILE, ER_ERROR_MEMORY.
er_result eri_gltf_save(eri_gltf_document *document);

/// Frees the tree.
void eri_gltf_finish(eri_gltf_document *document);

/// Records a failure; the first one counts.
void eri_gltf_fail(eri_gltf_document *document, er_result failure, const char *format, ...) ER_PRINTF(3, 4);

/// The first failure, or ER_OK.
er_result eri_gltf_check(const eri_gltf_document *document);

/// Sets a member; takes the value over (NULL counts as out of memory). The result is borrowed, NULL after a failure.
json_t *eri_gltf_put(eri_gltf_document *document, json_t *object, const char *key, json_t *value);

/// Appends to an array; as eri_gltf_put().
json_t *eri_gltf_push(eri_gltf_document *document, json_t *array, json_t *value);

/// Sets a member to `count` numbers, which must be finite.
void eri_gltf_put_numbers(eri_gltf_document *document, json_t *object, const char *key, const double *value, int count);

/// Sets a member to a text, UTF-8; leaves it out when the text is empty.
void eri_gltf_put_text(eri_gltf_document *document, json_t *object, const char *key, const char *text);

/// The array `key` of an object, made when missing; it fails when there is something else.
json_t *eri_gltf_list(eri_gltf_document *document, json_t *object, const char *key);

/// A new, empty object at the end of a top-level array, and its index there.
json_t *eri_gltf_new(eri_gltf_document *document, const char *list, int *index);

/// Element `index` of a top-level array when it is an object, otherwise NULL.
json_t *eri_gltf_at(const eri_gltf_document *document, const char *list, json_int_t index);

/// Adds `size` zeroed bytes at a multiple of 4 to the growing buffer. The result is good until the next call, NULL
/// after a failure.
uint8_t *eri_gltf_add_bytes(eri_gltf_document *document, size_t size, size_t *offset);

/// A new bufferView of the growing buffer.
/// @param target  ERI_GLTF_ARRAY_BUFFER, ERI_GLTF_ELEMENT_ARRAY_BUFFER or 0
int eri_gltf_view(eri_gltf_document *document, size_t offset, size_t size, int target);

/// Embeds a file in an element, an image say: as a bufferView with its "mimeType", or as a data URI.
void eri_gltf_put_blob(eri_gltf_document *document, json_t *object, const char *mime, const uint8_t *bytes,
                       size_t size);
void eri_gltf_put_data_uri(eri_gltf_document *document, json_t *object, const char *mime, const uint8_t *bytes,
                           size_t size);

/// A new accessor; the object comes back for "min" and "max".
json_t *eri_gltf_accessor(eri_gltf_document *document, int view, size_t offset, int component_type, int count,
                          const char *type, int *index);

#endif
