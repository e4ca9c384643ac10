// Words, numbers, counts and names of Bacin's files.
#include "formats/bacin/bacin_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

er_result eri_bacin_wrong(const eri_bacin_text *text, const char *format, ...)
{
    char sentence[768], plain[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    er_text_plain(sentence, plain, sizeof plain);
    return er_fail(eri_arena_context(text->arena), ER_ERROR_FORMAT, "%s:%d: %s", text->path, text->line, plain);
}

static bool parts_words(char c)
{
    return c == '\0' || strchr(" \t\r\n\v\f<>()#=", c) != NULL;
}

// The byte to be read next; one that a word's end was written over lies beside.
static char next_byte(const eri_bacin_text *text)
{
    return text->over != '\0' ? text->over : *text->at;
}

static void step(eri_bacin_text *text)
{
    text->line += next_byte(text) == '\n';
    text->over = '\0';
    ++text->at;
}

// NULL at the end.
static char *next_word(eri_bacin_text *text)
{
    static char equals[] = "=";
    bool comment = false;
    for (; text->at < text->end; step(text)) {
        char c = next_byte(text);
        comment = c == '#' || (comment && c != '\n');
        if (!comment && (c == '=' || !parts_words(c))) break;
    }
    if (text->at >= text->end) return NULL;
    if (next_byte(text) == '=') return step(text), equals;
    char *word = text->at;
    while (text->at < text->end && !parts_words(*text->at))
        ++text->at;
    text->over = *text->at;
    *text->at = '\0';
    return word;
}

er_result eri_bacin_take(eri_bacin_text *text, const char *what, const char **out)
{
    *out = next_word(text);
    if (*out == NULL) return eri_bacin_wrong(text, "the file ends where %s should stand; it may have been cut", what);
    if (!eri_utf8_valid(*out)) return eri_bacin_wrong(text, "\"%.60s\" is not UTF-8 text; save the file as that", *out);
    return ER_OK;
}

// One word that is known before.
static er_result expect(eri_bacin_text *text, const char *word)
{
    const char *found = NULL;
    char what[80];
    snprintf(what, sizeof what, "\"%s\"", word);
    er_result r = eri_bacin_take(text, what, &found);
    if (r == ER_OK && strcmp(found, word) != 0)
        r = eri_bacin_wrong(text, "expected \"%s\", not \"%.60s\"", word, found);
    return r;
}

er_result eri_bacin_entry(eri_bacin_text *text, const char *kind, const char **name)
{
    char what[80];
    snprintf(what, sizeof what, "the name of a %s", kind);
    er_result r = eri_bacin_take(text, what, name);
    if (r == ER_OK && strcmp(*name, "end") == 0)
        r = eri_bacin_wrong(text, "the list ends before every %s that is announced; count them again", kind);
    return r;
}

er_result eri_bacin_begin(eri_bacin_text *text, const char *word, const char *date)
{
    er_result r = ER_OK;
    const char *found;
    ERI_TRY(expect(text, "begin"));
    ERI_TRY(expect(text, word));
    ERI_TRY(expect(text, "format"));
    ERI_TRY(expect(text, "of"));
    ERI_TRY(eri_bacin_take(text, "the date of the format", &found));
    if (strcmp(found, date) != 0)
        r = eri_bacin_wrong(text, "the format of %.60s is not known; there is the one of %s", found, date);
done:
    return r;
}

er_result eri_bacin_finish(eri_bacin_text *text, const char *word)
{
    er_result r = expect(text, word);
    const char *more = r == ER_OK ? next_word(text) : NULL;
    if (more != NULL) r = eri_bacin_wrong(text, "\"%.60s\" stands after the end; take it out", more);
    return r;
}

er_result eri_bacin_end(eri_bacin_text *text, const char *word, const char *key, int count)
{
    const char *found = NULL;
    er_result r = eri_bacin_take(text, "\"end\"", &found);
    if (r == ER_OK && strcmp(found, "end") != 0)
        r = eri_bacin_wrong(text, "expected \"end %s\" after \"%s = %d\", not \"%.60s\"; count them again", word, key,
                            count, found);
    return r == ER_OK ? eri_bacin_finish(text, word) : r;
}

static bool read_number(const char *word, double *out)
{
    return eri_take_number(&word, out) && *word == '\0' && fabs(*out) <= ERI_BACIN_LARGEST;
}

er_result eri_bacin_numbers(eri_bacin_text *text, const char *what, int count, double *x)
{
    for (int i = 0; i < count; ++i) {
        const char *word;
        er_result r = eri_bacin_take(text, what, &word);
        if (r != ER_OK) return r;
        if (!read_number(word, &x[i]))
            return eri_bacin_wrong(text, "expected %s, not \"%.60s\"; numbers have a point and are at most %g in size",
                                   what, word, ERI_BACIN_LARGEST);
    }
    return ER_OK;
}

er_result eri_bacin_count(eri_bacin_text *text, const char *key, int least, int *out)
{
    const char *word = NULL;
    double x = -1.0;
    er_result r = eri_bacin_take(text, "a count", &word);
    if (r != ER_OK) return r;
    if (!read_number(word, &x) || x < 0.0 || x != floor(x))
        return eri_bacin_wrong(text, "the number of %s is a whole one of 0 or more, not \"%.60s\"", key, word);
    if (x > (double)(text->end - text->at) / least)
        return eri_bacin_wrong(text, "%.60s %s are announced, but the file ends earlier; count them again", word, key);
    *out = (int)x;
    return ER_OK;
}

er_result eri_bacin_key_count(eri_bacin_text *text, const char *key, int least, int *out)
{
    er_result r = expect(text, key);
    if (r == ER_OK) r = expect(text, "=");
    return r == ER_OK ? eri_bacin_count(text, key, least, out) : r;
}

er_result eri_bacin_key_numbers(eri_bacin_text *text, const char *key, int count, double *x)
{
    char what[80];
    snprintf(what, sizeof what, count == 1 ? "a number for %s" : "numbers for %s", key);
    er_result r = expect(text, key);
    if (r == ER_OK) r = expect(text, "=");
    return r == ER_OK ? eri_bacin_numbers(text, what, count, x) : r;
}

// ---- names

static int by_text(const void *a, const void *b)
{
    const eri_bacin_name *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order != 0 ? order : x->line - y->line;
}

static int against_text(const void *key, const void *entry)
{
    return strcmp(key, ((const eri_bacin_name *)entry)->text);
}

er_result eri_bacin_names_sort(eri_bacin_names *names, eri_bacin_text *text, const char *what)
{
    qsort(names->name, (size_t)names->count, sizeof *names->name, by_text);
    for (int i = 1; i < names->count; ++i)
        if (strcmp(names->name[i - 1].text, names->name[i].text) == 0) {
            text->line = names->name[i].line;
            return eri_bacin_wrong(text, "there is a %s \"%.60s\" already; give them different names", what,
                                   names->name[i].text);
        }
    return ER_OK;
}

int eri_bacin_names_find(const eri_bacin_names *names, const char *name)
{
    const eri_bacin_name *found = bsearch(name, names->name, (size_t)names->count, sizeof *names->name, against_text);
    return found != NULL ? found->index : -1;
}

er_result eri_bacin_named(eri_bacin_text *text, const eri_bacin_names *names, const char *what, int *out)
{
    const char *word;
    er_result r = eri_bacin_take(text, what, &word);
    if (r != ER_OK) return r;
    *out = eri_bacin_names_find(names, word);
    if (*out < 0) r = eri_bacin_wrong(text, "there is no %s \"%.60s\"; check its name", what, word);
    return r;
}
