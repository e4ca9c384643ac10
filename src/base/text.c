// UTF-8: its sequences checked, and broken texts repaired.
#include "base/text.h"

#include <string.h>

size_t eri_utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] == 0) return 0;
    if (c[0] < 0x80) return 1;
    size_t length = c[0] >= 0xC2 && c[0] <= 0xDF   ? 2
                    : c[0] >= 0xE0 && c[0] <= 0xEF ? 3
                    : c[0] >= 0xF0 && c[0] <= 0xF4 ? 4
                                                   : 0;
    for (size_t i = 1; i < length; ++i)
        if ((c[i] & 0xC0) != 0x80) return 0;
    // The second byte's range shuts out overlong forms, surrogates and what lies beyond U+10FFFF.
    bool outside = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF0 && c[1] < 0x90) ||
                   (c[0] == 0xF4 && c[1] > 0x8F);
    return outside ? 0 : length;
}

static uint32_t code_point(const unsigned char *c, size_t length)
{
    static const unsigned char lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = c[0] & lead[length];
    for (size_t i = 1; i < length; ++i)
        code = code << 6 | (c[i] & 0x3Fu);
    return code;
}

bool eri_utf8_visible(const char *sequence, size_t length)
{
    static const uint32_t unseen[][2] = {
        {0x00, 0x1F},     {0x7F, 0x9F},       {0xAD, 0xAD},       {0x61C, 0x61C},     {0x180E, 0x180E},
        {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},
        {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
    };
    uint32_t code = code_point((const unsigned char *)sequence, length);
    for (size_t i = 0; i < ERI_COUNT(unseen); ++i)
        if (code >= unseen[i][0] && code <= unseen[i][1]) return false;
    return true;
}

size_t er_text_plain(const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (size_t length; *text != '\0'; text += length) {
        length = eri_utf8_length(text);
        bool seen = length > 0 && eri_utf8_visible(text, length);
        size_t more = seen ? length : 1;
        if (length == 0) length = 1;
        if (used + more >= size) break;
        memcpy(out + used, seen ? text : "?", more);
        used += more;
    }
    out[used] = '\0';
    return used;
}

bool eri_utf8_valid(const char *text)
{
    for (size_t n; (n = eri_utf8_length(text)) > 0;)
        text += n;
    return *text == '\0';
}

char *eri_utf8_repair(er_arena *arena, const char *text)
{
    char *copy = ERI_NEW(arena, char, 3 * strlen(text) + 1); // U+FFFD takes three bytes
    if (copy == NULL) return NULL;
    char *out = copy;
    while (*text != '\0') {
        size_t length = eri_utf8_length(text);
        bool valid = length > 0;
        memcpy(out, valid ? text : "\xEF\xBF\xBD", valid ? length : 3);
        out += valid ? length : 3;
        text += valid ? length : 1;
    }
    *out = '\0';
    return copy;
}
