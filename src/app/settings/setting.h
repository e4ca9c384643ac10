/// @file
/// A setting: which values a field of a struct takes, and where it lies. Rows of such tables serve command lines, which
/// read text, and Lua, which reads tables (reader.h).
#ifndef ERI_APP_SETTINGS_SETTING_H
#define ERI_APP_SETTINGS_SETTING_H

#include <stdbool.h>
#include <stddef.h>

typedef enum setting_kind {
    SETTING_OTHER,  ///< read by a function of its own
    SETTING_FLAG,   ///< bool: true once it is named
    SETTING_TEXT,   ///< const char *, borrowed
    SETTING_WHOLE,  ///< int
    SETTING_NUMBER, ///< double
    SETTING_CHOICE  ///< an enum, or int: the place among the words
} setting_kind;

typedef struct setting {
    setting_kind kind;
    size_t place;               ///< of the field in its struct, as offsetof() has it
    double least, most;         ///< of SETTING_WHOLE and SETTING_NUMBER, both included
    bool above;                 ///< then `least` is not
    double unit;                ///< what 1 is in the field; 0: 1
    bool length;                ///< of SETTING_NUMBER: metres, and a text may end in m, cm or mm
    const char *const *choices; ///< of SETTING_CHOICE, ended by NULL
} setting;

/// A number in its range to its field.   @return whether it is in the range, and whole where it has to be
bool setting_put(const setting *s, double value, void *fields);

/// The place of a word among the choices to its field.
void setting_choose(const setting *s, int choice, void *fields);

/// A text to its field.   @param text  borrowed where it is one; NULL for a flag   @return whether it is allowed
bool setting_read(const setting *s, const char *text, void *fields);

/// The field itself.
void *setting_field(const setting *s, void *fields);

/// A finite number, and nothing else.
bool setting_number(const char *text, double *out);

/// The place of a word in a list ended by NULL; -1 where it is none of them.
int setting_choice(const char *text, const char *const *choices);

/// Copies the next word of a list with commas and moves the list behind it. An empty word is one too.
/// @return the copy; NULL after the last word
const char *setting_next_word(const char **list, char *word, size_t size);

/// Reads a list with commas: which of the names, ended by NULL, are in it.
/// @param chosen  one for each name, written   @return false where a word is none of the names
bool setting_names(const char *list, const char *const *names, bool *chosen);

#endif
