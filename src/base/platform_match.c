// Patterns of names, as fnmatch() of POSIX has them in the locale C: that takes long with many `*`, and no two systems
// agree on odd sets.
#include "base/platform.h"

#include <ctype.h>
#include <string.h>

// Bytes of a kind of characters, "[:alpha:]", that begins here; 0 if none does.
static size_t kind_length(const char *at)
{
    if (at[0] != '[' || at[1] != ':') return 0;
    size_t letters = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz");
    return at[2 + letters] == ':' && at[3 + letters] == ']' ? letters + 4 : 0;
}

// The end of a set that begins here: behind its `]`; NULL if it has none.
static const char *set_end(const char *set)
{
    const char *at = set + 1;
    at += *at == '!' || *at == '^';
    at += *at == ']';
    for (; *at != ']'; ++at) {
        if (*at == '\\' && at[1] != '\0') ++at;
        size_t kind = kind_length(at);
        if (kind > 0) at += kind - 1;
        if (*at == '\0') return NULL;
    }
    return at + 1;
}

// Whether `c` is of a kind of characters, such as "alpha"; -1 if there is no such kind.
static int is_of_kind(const char *name, size_t length, char c)
{
    static const struct {
        const char *name;
        int (*holds)(int c);
    } kinds[] = {{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
                 {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
                 {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, name, length) == 0)
            return kinds[i].holds((unsigned char)c) != 0;
    return -1;
}

// Single characters, ranges and kinds, up to the `]` before `end`.
static bool is_in_set(const char *set, const char *end, char c)
{
    const char *at = set + 1;
    bool not = *at == '!' || *at == '^', found = false;
    at += not ;
    while (at < end - 1) {
        size_t kind = kind_length(at);
        if (kind > 0) {
            int is = is_of_kind(at + 2, kind - 4, c);
            if (is < 0) return false;
            found |= is > 0;
            at += kind;
            continue;
        }
        at += *at == '\\' && at + 1 < end - 1;
        unsigned char low = (unsigned char)*at++, high = low;
        if (*at == '-' && at + 1 < end - 1) {
            at += 1 + (at[1] == '\\' && at + 2 < end - 1);
            high = (unsigned char)*at++;
        }
        found |= (unsigned char)c >= low && (unsigned char)c <= high;
    }
    return found != not ;
}

// Whether `c` is what a pattern begins with, which is no `*`; moves the pattern behind that.
static bool match_one(const char **pattern, char c)
{
    const char *at = *pattern, *end = *at == '[' ? set_end(at) : NULL;
    if (end != NULL) {
        *pattern = end;
        return is_in_set(at, end, c);
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
