// Parses scripts: words, their verbs and arguments.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "viewer/gui/gui.h"
#include "viewer/window/events.h"
#include "viewer/window/keys.h"

// Arguments of a verb: text, a number of numbers, or either; a label and a number if `shifts`.
static const struct {
    const char *name;
    event_verb verb;
    int button, numbers;
    bool takes_text, shifts;
    const char *form;
} verbs[] = {
    {"key", EVENT_KEY, 0, 0, true, false,
     "key:NAME: a character, Space, Esc, Enter, Tab, Delete, Backspace, Left, Right, Up, Down, Home, End, PageUp, "
     "PageDown, F1 or F11, after Ctrl+, Shift+ or Alt+"},
    {"click", EVENT_CLICK, 0, 2, true, false, "click:LABEL or click:X,Y"},
    {"rclick", EVENT_CLICK, 1, 2, true, false, "rclick:LABEL or rclick:X,Y"},
    {"dclick", EVENT_DOUBLE_CLICK, 0, 2, true, false, "dclick:LABEL or dclick:X,Y"},
    {"drag", EVENT_DRAG, 0, 4, true, true, "drag:X,Y,X,Y or drag:LABEL,DX"},
    {"rdrag", EVENT_DRAG, 1, 4, false, false, "rdrag:X,Y,X,Y"},
    {"mdrag", EVENT_DRAG, 2, 4, false, false, "mdrag:X,Y,X,Y"},
    {"move", EVENT_MOVE, 0, 2, true, false, "move:LABEL or move:X,Y"},
    {"scroll", EVENT_SCROLL, 0, 3, false, false, "scroll:X,Y,STEPS"},
    {"type", EVENT_TYPE, 0, 0, true, false, "type:TEXT"},
    {"drop", EVENT_DROP, 0, 0, true, false, "drop:PATH"},
    {"resize", EVENT_RESIZE, 0, 2, false, false, "resize:WxH"},
    {"wait", EVENT_WAIT, 0, 1, false, false, "wait:FRAMES"},
    {"expect", EVENT_EXPECT, 0, 0, true, false, "expect:LABEL"},
    {"expect-not", EVENT_EXPECT_NOT, 0, 0, true, false, "expect-not:LABEL"},
    {"shot", EVENT_SHOT, 0, 0, true, false, "shot:FILE.png"},
};
enum { VERB_COUNT = (int)(sizeof verbs / sizeof verbs[0]) };

static er_result read_file(er_context *context, const char *path, char **out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return er_fail(context, ER_ERROR_FILE, "%s: the script cannot be read (%s)", path, strerror(errno));
    size_t size = 0, room = 4096;
    char *text = malloc(room);
    for (size_t got = 1; text != NULL && got > 0; size += got) {
        if (room - size < 2) {
            char *more = realloc(text, room *= 2);
            if (more == NULL) free(text);
            text = more;
        }
        got = text != NULL ? fread(text + size, 1, room - size - 1, file) : 0;
    }
    bool failed = ferror(file) != 0;
    fclose(file);
    if (text == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    size_t mark = eri_utf8_mark(text, size);
    memmove(text, text + mark, size - mark);
    text[size - mark] = '\0';
    *out = text;
    if (!failed) return ER_OK;
    free(text);
    return er_fail(context, ER_ERROR_FILE, "%s: the script cannot be read (%s)", path, strerror(errno));
}

// Scans a word up to white space outside quotes, and copies it without its quotes unless `to` is NULL.
// @return the end of the word
static const char *scan_word(const char *c, char *to, bool *open_quote)
{
    char quote = '\0';
    for (; *c != '\0' && (quote != '\0' || !isspace((unsigned char)*c)); ++c)
        if (quote == '\0' && (*c == '"' || *c == '\''))
            quote = *c;
        else if (*c == quote)
            quote = '\0';
        else if (to != NULL)
            *to++ = *c;
    if (to != NULL) *to = '\0';
    *open_quote = quote != '\0';
    return c;
}

// A copy of the next word; NULL after the last.
static char *next_word(const char **text, bool *open_quote)
{
    const char *c = *text;
    while (isspace((unsigned char)*c))
        ++c;
    *open_quote = false;
    if (*c == '\0') return NULL;
    *text = scan_word(c, NULL, open_quote);
    char *word = malloc((size_t)(*text - c) + 1);
    if (word != NULL) scan_word(c, word, open_quote);
    return word;
}

// Reads `count` numbers separated by commas (or x, as in 640x480).
static bool read_numbers(const char *text, int count, double *number)
{
    for (int i = 0; i < count; ++i) {
        char field[32], *end;
        size_t length = strcspn(text, ",x"); // cut out first, since strtod() takes 0x for hexadecimal
        if (length == 0 || length >= sizeof field || (text[length] == '\0') != (i + 1 == count)) return false;
        memcpy(field, text, length);
        field[length] = '\0';
        number[i] = strtod(field, &end);
        if (*end != '\0' || !(fabs(number[i]) <= 1e6)) return false; // frames and pixels, as int holds them
        text += length + 1;
    }
    return count > 0;
}

// Splits "LABEL,DX"; the label stays in `text`.
static bool split_shift(char *text, double *shift)
{
    char *comma = strrchr(text, ',');
    if (comma == NULL || comma == text || !read_numbers(comma + 1, 1, shift)) return false;
    *comma = '\0';
    return true;
}

static er_result read_value(er_context *context, event_word *w, int v)
{
    if (read_numbers(w->text, verbs[v].numbers, w->number)) {
        w->number_count = verbs[v].numbers;
        w->text[0] = '\0';
        return ER_OK;
    }
    bool good = verbs[v].takes_text && w->text[0] != '\0';
    if (good && verbs[v].shifts) {
        good = split_shift(w->text, w->number);
        w->number_count = 1;
    }
    int more = 0;
    if (good && w->verb == EVENT_KEY) good = key_read(w->text, &w->key, &more);
    w->modifiers |= more;
    if (good) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "script word \"%s\" is not of the form %s", w->source, verbs[v].form);
}

static er_result read_word(er_context *context, char *source, event_word *w)
{
    *w = (event_word){.source = source};
    const char *name = key_skip_modifiers(source, &w->modifiers), *colon = strchr(name, ':');
    for (int v = 0; colon != NULL && v < VERB_COUNT; ++v) {
        if (strlen(verbs[v].name) != (size_t)(colon - name) ||
            strncmp(name, verbs[v].name, (size_t)(colon - name)) != 0)
            continue;
        w->verb = verbs[v].verb;
        w->button = verbs[v].button;
        w->text = strdup(colon + 1);
        if (w->text == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
        return read_value(context, w, v);
    }
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "script word \"%s\" is not known; there are key, click, rclick, dclick, drag, rdrag, mdrag, move, "
                   "scroll, type, drop, resize, wait, expect, expect-not and shot, each with a colon",
                   source);
}

static er_result read_words(er_context *context, const char *text, script *s)
{
    bool open_quote;
    for (char *source; (source = next_word(&text, &open_quote)) != NULL;) {
        event_word *word = realloc(s->word, (size_t)(s->count + 1) * sizeof *word);
        if (word == NULL) {
            free(source);
            return er_fail(context, ER_ERROR_MEMORY, "out of memory");
        }
        s->word = word;
        er_result r = read_word(context, source, &s->word[s->count++]);
        if (r == ER_OK && open_quote)
            r = er_fail(context, ER_ERROR_ARGUMENT, "script word \"%s\" lacks its closing quote", source);
        if (r != ER_OK) return r;
    }
    return ER_OK;
}

er_result event_create(er_context *context, const char *text, script **out)
{
    char *file = NULL;
    er_result r = text[0] == '@' ? read_file(context, text + 1, &file) : ER_OK;
    *out = NULL;
    if (r != ER_OK) return r;
    script *s = calloc(1, sizeof *s);
    r = s != NULL ? read_words(context, file != NULL ? file : text, s)
                  : er_fail(context, ER_ERROR_MEMORY, "out of memory");
    free(file);
    if (r == ER_OK)
        *out = s;
    else
        event_destroy(s);
    return r;
}

void event_destroy(script *s)
{
    if (s == NULL) return;
    for (int i = 0; i < s->count; ++i) {
        free(s->word[i].source);
        free(s->word[i].text);
    }
    free(s->word);
    free(s);
}
