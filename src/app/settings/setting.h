/// @file
/// A setting: the allowed values of a field of a struct, and its offset. Command lines read them from text, and Lua
/// from tables (app/description/reader.h).
#ifndef ERI_APP_SETTINGS_SETTING_H
#define ERI_APP_SETTINGS_SETTING_H

#include <stdbool.h>
#include <stddef.h>

typedef enum setting_kind {
    SETTING_OTHER,  ///< has its own reader
    SETTING_FLAG,   ///< bool: true if named
    SETTING_TEXT,   ///< const char *, borrowed
    SETTING_WHOLE,  ///< int
    SETTING_NUMBER, ///< double
    SETTING_CHOICE  ///< an enum or int: the index among the words
} setting_kind;

typedef struct setting {
    setting_kind kind;
    size_t place;               ///< offsetof() the field
    double least, most;         ///< of SETTING_WHOLE and SETTING_NUMBER, both included
    bool above;                 ///< `least` itself is not allowed
    double unit;                ///< factor from text to field; 0: 1
    bool length;                ///< of SETTING_NUMBER: metres, and a text may end in m, cm or mm
    const char *const *choices; ///< of SETTING_CHOICE, ended by NULL
} setting;

/// Stores a number.   @return whether it is in range, and whole if it must be
bool setting_put(const setting *s, double value, void *fields);

/// Stores the index of a choice.
void setting_choose(const setting *s, int choice, void *fields);

/// Parses and stores a text.   @param text  borrowed by SETTING_TEXT; NULL for a flag   @return whether it is allowed
bool setting_read(const setting *s, const char *text, void *fields);

/// The field itself.
void *setting_field(const setting *s, void *fields);

/// A finite number, and nothing else.
bool setting_number(const char *text, double *out);

/// The index of a word in a list ended by NULL; -1 if it is not there.
int setting_choice(const char *text, const char *const *choices);

/// Copies the next word of a list with commas and moves the list behind it. An empty word is one too.
/// @return the copy; NULL after the last word
const char *setting_next_word(const char **list, char *word, size_t size);

/// Reads a list with commas: which of the names, ended by NULL, are in it.
/// @param chosen  one for each name, written   @return false where a word is none of the names
bool setting_names(const char *list, const char *const *names, bool *chosen);

#endif
