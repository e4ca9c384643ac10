// Settings: checks texts and numbers against a row, and stores them.
#include "app/settings/setting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *setting_field(const setting *s, void *fields)
{
    return (char *)fields + s->place;
}

bool setting_number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

// Metres, or a number with a unit.
static bool read_length(const char *text, double *out)
{
    static const struct {
        const char *unit;
        double metres;
    } units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1.0}};
    char number[64];
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        size_t size = strlen(text), end = strlen(units[i].unit);
        if (size <= end || size - end >= sizeof number || strcmp(text + size - end, units[i].unit) != 0) continue;
        memcpy(number, text, size - end);
        number[size - end] = '\0';
        bool read = setting_number(number, out);
        *out *= units[i].metres;
        return read;
    }
    return setting_number(text, out);
}

int setting_choice(const char *text, const char *const *choices)
{
    for (int i = 0; choices[i] != NULL; ++i)
        if (strcmp(text, choices[i]) == 0) return i;
    return -1;
}

bool setting_put(const setting *s, double value, void *fields)
{
    bool within = value >= s->least && value <= s->most && !(s->above && value == s->least);
    if (!within || (s->kind == SETTING_WHOLE && value != floor(value))) return false;
    if (s->kind == SETTING_WHOLE)
        *(int *)setting_field(s, fields) = (int)value;
    else
        *(double *)setting_field(s, fields) = s->unit != 0.0 ? s->unit * value : value;
    return true;
}

void setting_choose(const setting *s, int choice, void *fields)
{
    memcpy(setting_field(s, fields), &choice, sizeof choice); // an enum is as wide as an int
}

bool setting_read(const setting *s, const char *text, void *fields)
{
    double value;
    int choice;
    switch (s->kind) {
    case SETTING_FLAG:
        return *(bool *)setting_field(s, fields) = true;
    case SETTING_TEXT:
        *(const char **)setting_field(s, fields) = text;
        return true;
    case SETTING_WHOLE:
    case SETTING_NUMBER:
        return (s->length ? read_length : setting_number)(text, &value) && setting_put(s, value, fields);
    case SETTING_CHOICE:
        choice = setting_choice(text, s->choices);
        if (choice >= 0) setting_choose(s, choice, fields);
        return choice >= 0;
    case SETTING_OTHER:
        break;
    }
    return false;
}

const char *setting_next_word(const char **list, char *word, size_t size)
{
    if (*list == NULL) return NULL;
    size_t length = strcspn(*list, ",");
    snprintf(word, size, "%.*s", (int)length, *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return word;
}

bool setting_names(const char *list, const char *const *names, bool *chosen)
{
    char word[32];
    for (int i = 0; names[i] != NULL; ++i)
        chosen[i] = false;
    while (setting_next_word(&list, word, sizeof word) != NULL) {
        int which = setting_choice(word, names);
        if (which < 0) return false;
        chosen[which] = true;
    }
    return true;
}
