// UTF-8: its sequences checked, and broken texts repaired.
#include "base/text.h"

#include <string.h>

size_t er_utf8_length(const char *text)
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

bool er_utf8_valid(const char *text)
{
    for (size_t n; (n = er_utf8_length(text)) > 0;)
        text += n;
    return *text == '\0';
}

char *er_utf8_repair(er_arena *arena, const char *text)
{
    char *copy = ER_NEW(arena, char, 3 * strlen(text) + 1); // U+FFFD takes three bytes
    if (copy == NULL) return NULL;
    char *out = copy;
    while (*text != '\0') {
        size_t length = er_utf8_length(text);
        if (length == 0) {
            out = stpcpy(out, "\xEF\xBF\xBD");
            ++text;
        } else {
            out = mempcpy(out, text, length);
            text += length;
        }
    }
    *out = '\0';
    return copy;
}
