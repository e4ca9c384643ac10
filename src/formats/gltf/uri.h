/// @file
/// The texts inside a glTF file: URIs (RFC 3986) and data URIs (RFC 2397).
#ifndef ER_FORMATS_GLTF_URI_H
#define ER_FORMATS_GLTF_URI_H

#include "base/arena.h"

/// The path, relative to the document, that a URI names; NULL in *path when it names none: a data URI, another scheme,
/// or an absolute path.   Errors: ER_ERROR_MEMORY.
er_result er_uri_path(er_arena *arena, const char *uri, char **path);

/// True when a relative path climbs out of the folder it starts in.
bool er_uri_escapes(const char *path);

/// "data:<mime>;base64,..."; NULL when there is no memory.
char *er_uri_from_bytes(er_arena *arena, const char *mime, const uint8_t *bytes, size_t size);

/// The bytes of a base64 data URI; NULL in *bytes when it is none or broken.   Errors: ER_ERROR_MEMORY.
er_result er_uri_to_bytes(er_arena *arena, const char *uri, uint8_t **bytes, size_t *size);

#endif
