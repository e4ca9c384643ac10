// Bytes to data URIs.
#include "formats/gltf/uri.h"

#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *eri_uri_from_bytes(er_arena *arena, const char *mime, const uint8_t *bytes, size_t size)
{
    size_t head = strlen("data:;base64,") + strlen(mime);
    char *uri = ERI_NEW(arena, char, head + (size + 2) / 3 * 4 + 1);
    if (uri == NULL) return NULL;
    char *out = uri + sprintf(uri, "data:%s;base64,", mime);
    for (size_t i = 0; i < size; i += 3) {
        unsigned a = bytes[i], b = i + 1 < size ? bytes[i + 1] : 0u, c = i + 2 < size ? bytes[i + 2] : 0u;
        unsigned group = a << 16 | b << 8 | c;
        *out++ = alphabet[group >> 18];
        *out++ = alphabet[group >> 12 & 63];
        *out++ = i + 1 < size ? alphabet[group >> 6 & 63] : '=';
        *out++ = i + 2 < size ? alphabet[group & 63] : '=';
    }
    *out = '\0';
    return uri;
}
