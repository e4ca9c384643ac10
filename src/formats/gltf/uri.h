/// @file
/// Data URIs inside a glTF file (RFC 2397).
#ifndef ERI_FORMATS_GLTF_URI_H
#define ERI_FORMATS_GLTF_URI_H

#include "base/arena.h"

/// "data:<mime>;base64,..."; NULL when there is no memory.
char *eri_uri_from_bytes(er_arena *arena, const char *mime, const uint8_t *bytes, size_t size);

#endif
