// Patterns of names. fnmatch() takes long with many `*`, so it only judges sets of characters.
#include "base/platform.h"

#ifndef _WIN32
#include <fnmatch.h>
#endif
#include <string.h>

enum { LONGEST_SET = 255 }; // bytes

// The end of a set that begins here: behind its `]`; NULL if it has none.
static const char *set_end(const char *set)
{
    const char *at = set + 1;
    at += *at == '!' || *at == '^';
    at += *at == ']';
    for (; *at != ']'; ++at) {
        if (*at == '\\' && at[1] != '\0') ++at;
        size_t kind = at[0] == '[' && at[1] == ':' ? strspn(at + 2, "abcdefghijklmnopqrstuvwxyz") + 2 : 0;
        if (kind > 0 && at[kind] == ':' && at[kind + 1] == ']') at += kind + 1; // "[:alpha:]"
        if (*at == '\0') return NULL;
    }
    return at + 1;
}

#ifdef _WIN32
// Sets of single characters and ranges.
static bool is_in_set(const char *set, const char *one)
{
    const char *at = set + 1;
    bool not = *at == '!' || *at == '^', found = false;
    at += not ;
    for (const char *begin = at; at == begin || *at != ']'; ++at) {
        if (*at == '\\' && at[1] != '\0') ++at;
        char low = *at, high = low;
        if (at[1] == '-' && at[2] != ']') {
            at += 2;
            high = *at;
        }
        found |= *one >= low && *one <= high;
    }
    return found != not ;
}
#else
static bool is_in_set(const char *set, const char *one)
{
    return fnmatch(set, one, 0) == 0;
}
#endif

// Whether `c` is what a pattern begins with, which is no `*`; moves the pattern behind that.
static bool match_one(const char **pattern, char c)
{
    const char *at = *pattern, *end = *at == '[' ? set_end(at) : NULL;
    if (end != NULL) {
        char set[LONGEST_SET + 1];
        const char one[] = {c, '\0'};
        *pattern = end;
        if (end - at > LONGEST_SET) return false;
        snprintf(set, sizeof set, "%.*s", (int)(end - at), at);
        return is_in_set(set, one);
    }
    bool escaped = at[0] == '\\' && at[1] != '\0';
    *pattern = at + 1 + escaped;
    return at[escaped] == c || (*at == '?' && !escaped);
}

// A part of a pattern between two `*`.
typedef struct pattern_part {
    const char *text, *end;
    size_t length; // bytes of a name that match it
    bool plain;    // only these bytes match it
} pattern_part;

static pattern_part first_part(const char *pattern)
{
    pattern_part p = {.text = pattern, .end = pattern, .plain = true};
    while (*p.end != '\0' && *p.end != '*') {
        bool plain = *p.end != '?' && *p.end != '[' && *p.end != '\\';
        p.plain &= plain;
        if (plain)
            ++p.end;
        else
            match_one(&p.end, 'a');
        ++p.length;
    }
    return p;
}

static bool matches_here(const pattern_part *p, const char *name)
{
    if (p->plain) return memcmp(p->text, name, p->length) == 0;
    const char *pattern = p->text;
    for (size_t i = 0; i < p->length; ++i)
        if (!match_one(&pattern, name[i])) return false;
    return true;
}

// The first place in a name that matches a part; NULL if there is none.
static const char *find_part(const pattern_part *p, const char *name, size_t left)
{
    if (p->plain && p->length > 0) return eri_platform_find(name, left, p->text, p->length);
    for (; left >= p->length; ++name, --left)
        if (matches_here(p, name)) return name;
    return NULL;
}

bool eri_platform_match(const char *pattern, const char *name)
{
    pattern_part p = first_part(pattern);
    if (strnlen(name, p.length) < p.length || !matches_here(&p, name)) return false;
    size_t left = strlen(name);
    while (*p.end != '\0') {
        name += p.length;
        left -= p.length;
        p = first_part(p.end + 1);
        if (left < p.length) return false;
        size_t skipped = *p.end == '\0' ? left - p.length : 0; // the last part ends the name
        const char *at = find_part(&p, name + skipped, left - skipped);
        if (at == NULL) return false;
        left -= (size_t)(at - name);
        name = at;
    }
    return left == p.length;
}
