/// @file
/// Private: a glTF file as the importer read it, for the writer that adds to it. Nobody reads the file a second time.
#ifndef ERI_SCENE_SCENE_SOURCE_H
#define ERI_SCENE_SCENE_SOURCE_H

#include <eigenrig/scene.h>

/// The bytes that a buffer or a picture of the file refers to.
typedef struct eri_source_bytes {
    const char *path; ///< where it lies, from the file's folder on, decoded; "" where it is no file, or not looked at
    const char *why;  ///< a sentence: why there are no bytes, though something uses them; "" otherwise
    const uint8_t *bytes; ///< [size]; NULL: not read
    size_t size;
} eri_source_bytes;

#define ERI_SOURCE_BIN 0x004E4942u ///< the type of a chunk of data

/// A chunk of a .glb.
typedef struct eri_source_chunk {
    uint32_t type;
    const uint8_t *bytes; ///< [size]
    size_t size;
} eri_source_chunk;

/// A .gltf or .glb.
typedef struct er_source {
    const char *json; ///< [json_size], the document as it was parsed, written anew
    size_t json_size;
    int chunk_count;
    const eri_source_chunk *chunk; ///< the file's, but for the JSON
    int buffer_count;
    const eri_source_bytes *buffer; ///< of "buffers": files that a bufferView uses, cut to byteLength; the first one's
                                    ///< data URI too, decoded
    int image_count;
    const eri_source_bytes *image; ///< of "images": files that a texture uses
} er_source;

#endif
