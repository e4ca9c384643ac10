/// @file
/// Private: UTF-8.
#ifndef ERI_BASE_TEXT_H
#define ERI_BASE_TEXT_H

#include <string.h>

#include "base/arena.h"

/// Bytes of the byte order mark that a text begins with, which editors on Windows write: 3 or 0.
static inline size_t eri_utf8_mark(const void *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/// Bytes of the well-formed UTF-8 sequence that `text` starts with, 1 to 4 (RFC 3629: no overlong form, no surrogate,
/// at most U+10FFFF); 0 where there is none or text is at its end. Reads no further than the terminating zero.
size_t eri_utf8_length(const char *text);

/// Whether a well-formed sequence is seen as it stands in a line: no control character, no separator of lines, no mark
/// of direction or of no width, no noncharacter.
bool eri_utf8_visible(const char *sequence, size_t length);

/// Whether all of a string is UTF-8.
bool eri_utf8_valid(const char *text);

/// A copy with U+FFFD for every byte that is not part of well-formed UTF-8; NULL when there is no memory.
char *eri_utf8_repair(er_arena *arena, const char *text);

#endif
