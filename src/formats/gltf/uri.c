// URIs of glTF files to paths and back, and data URIs to bytes and back.
#include "formats/gltf/uri.h"

#include <ctype.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static bool has_scheme(const char *uri)
{
    const char *end = uri + strspn(uri, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.");
    return end > uri && *end == ':';
}

// 0 to 15, or -1.
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    int lower = tolower((unsigned char)c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

er_result er_uri_path(er_arena *arena, const char *uri, char **path)
{
    *path = NULL;
    if (has_scheme(uri) || uri[0] == '/' || uri[0] == '\0') return ER_OK;
    char *out = er_arena_string(arena, uri);
    if (out == NULL) return ER_ERROR_MEMORY;
    *path = out;
    for (const char *in = uri; *in != '\0'; ++in) {
        int high = in[0] == '%' ? hex_digit(in[1]) : -1;
        int low = high >= 0 ? hex_digit(in[2]) : -1;
        bool escaped = low >= 0 && high + low > 0; // %00 would cut the path short
        *out++ = escaped ? (char)(16 * high + low) : *in;
        if (escaped) in += 2;
    }
    *out = '\0';
    return ER_OK;
}

bool er_uri_escapes(const char *path)
{
    if (path[0] == '/') return true; // "%2F..." decodes to this
    for (const char *segment = path; segment != NULL; segment = strchr(segment, '/')) {
        if (*segment == '/') ++segment;
        if (strncmp(segment, "..", 2) == 0 && (segment[2] == '/' || segment[2] == '\0')) return true;
    }
    return false;
}

char *er_uri_from_bytes(er_arena *arena, const char *mime, const uint8_t *bytes, size_t size)
{
    size_t head = strlen("data:;base64,") + strlen(mime);
    char *uri = ER_NEW(arena, char, head + (size + 2) / 3 * 4 + 1);
    if (uri == NULL) return NULL;
    char *out = stpcpy(stpcpy(stpcpy(uri, "data:"), mime), ";base64,");
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

er_result er_uri_to_bytes(er_arena *arena, const char *uri, uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    const char *comma = strchr(uri, ',');
    const char *mark = ";base64";
    size_t length = strlen(mark);
    if (strncasecmp(uri, "data:", 5) != 0 || comma == NULL || (size_t)(comma - uri) < 5 + length ||
        strncasecmp(comma - length, mark, length) != 0)
        return ER_OK;
    const char *text = comma + 1;
    size_t digits = strcspn(text, "=");
    if (digits % 4 == 1 || strspn(text + digits, "=") > 2 || text[digits + strspn(text + digits, "=")] != '\0')
        return ER_OK;
    uint8_t value[256];
    memset(value, 64, sizeof value);
    for (uint8_t i = 0; i < 64; ++i)
        value[(unsigned char)alphabet[i]] = i;
    uint8_t *out = ER_NEW(arena, uint8_t, digits / 4 * 3 + 3);
    if (out == NULL) return ER_ERROR_MEMORY;
    uint32_t group = 0;
    size_t count = 0;
    for (size_t i = 0; i < digits; ++i) {
        uint8_t digit = value[(unsigned char)text[i]];
        if (digit == 64) return ER_OK;
        group = group << 6 | digit;
        if (i % 4 != 0) out[count++] = (uint8_t)(group >> (6 - 2 * (i % 4)));
    }
    *bytes = out;
    *size = count;
    return ER_OK;
}
