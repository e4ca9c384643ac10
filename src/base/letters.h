/// @file
/// Private: ASCII's letters, whatever the locale: in a Turkish one tolower('I') is no 'i', and strcasecmp() tells LIGHT
/// from light. Inline, so that programs which link the shared library have it too.
#ifndef ERI_BASE_LETTERS_H
#define ERI_BASE_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

static inline bool eri_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool eri_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool eri_is_letter(char c)
{
    return eri_is_upper(c) || eri_is_lower(c);
}

static inline bool eri_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// How nouns end after a count: "1 model", "2 models"; "1 body", "2 bodies".
static inline const char *eri_plural(long count)
{
    return count == 1 ? "" : "s";
}

static inline const char *eri_bodies(int count)
{
    return count == 1 ? "body" : "bodies";
}

static inline char eri_lower(char c)
{
    return eri_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char eri_upper(char c)
{
    return eri_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

/// Whether the first `length` characters of two texts are the same, letter case aside; neither goes on past its end.
static inline bool eri_same_start(const char *a, const char *b, size_t length)
{
    size_t i = 0;
    while (i < length && a[i] != '\0' && eri_lower(a[i]) == eri_lower(b[i]))
        ++i;
    return i == length || eri_lower(a[i]) == eri_lower(b[i]);
}

/// Whether `part` stands somewhere in a text, letter case aside.
static inline bool eri_has_letters(const char *text, const char *part)
{
    size_t length = 0;
    while (part[length] != '\0')
        ++length;
    while (*text != '\0' && !eri_same_start(text, part, length))
        ++text;
    return length == 0 || *text != '\0';
}

/// The order of two texts, letter case aside: < 0, 0 or > 0.
static inline int eri_compare_letters(const char *a, const char *b)
{
    for (; *a != '\0' && eri_lower(*a) == eri_lower(*b); ++a)
        ++b;
    return (unsigned char)eri_lower(*a) - (unsigned char)eri_lower(*b);
}

/// Whether two texts are the same, letter case aside.
static inline bool eri_same_letters(const char *a, const char *b)
{
    return eri_same_start(a, b, (size_t)-1);
}

#endif
