/// @file
/// Bacin's text files as words, each with its line, and what is wrong with them as one sentence. Private to formats.
#ifndef ER_FORMATS_BACIN_TEXT_H
#define ER_FORMATS_BACIN_TEXT_H

#include "base/arena.h"

/// Numbers beyond this in size are refused, so that products of them stay doubles (model.h).
#define ER_BACIN_LARGEST 1e50

/// A file being read. Blanks and ends of lines part words, as do brackets; "=" is a word; # begins a comment.
typedef struct er_bacin_text {
    er_arena *arena;  ///< borrowed
    const char *path; ///< for messages
    char *at, *end;   ///< what is not yet read; the byte at `end` is 0
    char over;        ///< the byte that was at `at`, where the end of a word is written over it
    int line;         ///< of the last word
} er_bacin_text;

/// Keeps a sentence with file and line on the context.   @return ER_ERROR_FORMAT
er_result er_bacin_wrong(const er_bacin_text *text, const char *format, ...) ER_PRINTF(2, 3);

/// The next word; NULL at the end. It lies in the file's own bytes.
char *er_bacin_word(er_bacin_text *text);

/// A word that has to be there.   @param what  for the message: "the name of a body"
er_result er_bacin_take(er_bacin_text *text, const char *what, const char **out);

/// The name that an entry of a list begins with.   @param kind  "body"
er_result er_bacin_entry(er_bacin_text *text, const char *kind, const char **name);

/// "begin WORD (format of DATE)".
er_result er_bacin_begin(er_bacin_text *text, const char *word, const char *date);

/// "end WORD", after `count` entries announced as "KEY = count".
er_result er_bacin_end(er_bacin_text *text, const char *word, const char *key, int count);

/// "WORD" after "end", and nothing more.
er_result er_bacin_finish(er_bacin_text *text, const char *word);

/// Numbers, none beyond ER_BACIN_LARGEST.   @param what  for the message: "a point x y z"
er_result er_bacin_numbers(er_bacin_text *text, const char *what, int count, double *x);

/// A count, at most what the rest of the file has room for.   @param least  bytes that one entry takes
er_result er_bacin_count(er_bacin_text *text, const char *key, int least, int *out);

/// "KEY = COUNT", and "KEY = NUMBERS".
er_result er_bacin_key_count(er_bacin_text *text, const char *key, int least, int *out);
er_result er_bacin_key_numbers(er_bacin_text *text, const char *key, int count, double *x);

/// Names of a list, to be found.
typedef struct er_bacin_name {
    const char *text; ///< borrowed
    int index, line;  ///< its place in the list; where it stands in the file
} er_bacin_name;

typedef struct er_bacin_names {
    er_bacin_name *name; ///< [count], sorted by er_bacin_names_sort()
    int count;
} er_bacin_names;

/// Sorts names.   Errors: ER_ERROR_FORMAT, two of them are the same.
er_result er_bacin_names_sort(er_bacin_names *names, er_bacin_text *text, const char *what);

/// The index of a name; -1 where it is not there.
int er_bacin_names_find(const er_bacin_names *names, const char *name);

/// The next word's index among names.   @param what  for the message: "body"
er_result er_bacin_named(er_bacin_text *text, const er_bacin_names *names, const char *what, int *out);

#endif
