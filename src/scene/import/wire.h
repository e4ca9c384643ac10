/// @file
/// Private: the stream between the importer process and the library, both on one machine and of one build.
/// A header, then either a scene or one sentence of failure. Every block starts on a multiple of 8 bytes.
#ifndef ERI_SCENE_IMPORT_WIRE_H
#define ERI_SCENE_IMPORT_WIRE_H

#include <stdio.h>

#include <eigenrig/scene.h>

#include "base/arena.h"

#define ERI_WIRE_MAGIC "eigrig\n1"

/// The head of an answer.
typedef struct eri_wire_header {
    char magic[8];
    uint32_t result;       ///< er_result; ER_OK: a scene follows, otherwise a zero-terminated sentence
    uint32_t reserved;     ///< 0
    uint64_t payload_size; ///< bytes that follow, a multiple of 8
} eri_wire_header;

/// Writes a whole answer that carries a scene; `path` is not part of it.
/// @return  false when the stream does not take it.   Memory: none.
bool eri_wire_write_scene(FILE *out, er_scene *scene);

/// Writes a whole answer that carries a failure; ER_ERROR_MEMORY: beyond the limit.   @return  as above.
bool eri_wire_write_failure(FILE *out, er_result result, const char *sentence);

/// Takes a scene from a payload, trusting none of it: sizes are checked here, meanings by er_scene_validate().
/// @param bytes  [size], 8-byte aligned, in `arena`: the scene's arrays point into it
/// @param scene  zeroed, in `arena`; filled but for `path` and `arena`
/// Errors   ER_ERROR_IMPORT (not a scene; no sentence is kept), ER_ERROR_MEMORY
er_result eri_wire_read_scene(er_arena *arena, const char *bytes, size_t size, er_scene *scene);

#endif
