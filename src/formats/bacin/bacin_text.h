/// @file
/// Bacin's text files as words, each with its line, and what is wrong with them as one sentence. Private to formats.
#ifndef ERI_FORMATS_BACIN_BACIN_TEXT_H
#define ERI_FORMATS_BACIN_BACIN_TEXT_H

#include "base/arena.h"

/// Numbers beyond this in size are refused, so that products of them stay doubles (model.h).
#define ERI_BACIN_LARGEST 1e50

/// A file being read. Blanks and ends of lines part words, as do brackets; "=" is a word; # begins a comment.
typedef struct eri_bacin_text {
    er_arena *arena;  ///< borrowed
    const char *path; ///< for messages
    char *at, *end;   ///< what is not yet read; the byte at `end` is 0
    char over;        ///< the byte that was at `at`, where the end of a word is written over it
    int line;         ///< of the last word
} eri_bacin_text;

/// Keeps a sentence with file and line on the context.   @return ER_ERROR_FORMAT
er_result eri_bacin_wrong(const eri_bacin_text *text, const char *format, ...) ER_PRINTF(2, 3);

/// The next word, which has to be there; it lies in the file's own bytes.
/// @param what  for the message: "the name of a body"
er_result eri_bacin_take(eri_bacin_text *text, const char *what, const char **out);

/// The name that an entry of a list begins with.   @param kind  "body"
er_result eri_bacin_entry(eri_bacin_text *text, const char *kind, const char **name);

/// "begin WORD (format of DATE)".
er_result eri_bacin_begin(eri_bacin_text *text, const char *word, const char *date);

/// "end WORD", after `count` entries announced as "KEY = count".
er_result eri_bacin_end(eri_bacin_text *text, const char *word, const char *key, int count);

/// "WORD" after "end", and nothing more.
er_result eri_bacin_finish(eri_bacin_text *text, const char *word);

/// Numbers, none beyond ERI_BACIN_LARGEST.   @param what  for the message: "a point x y z"
er_result eri_bacin_numbers(eri_bacin_text *text, const char *what, int count, double *x);

/// A count, at most what the rest of the file has room for.   @param least  bytes that one entry takes
er_result eri_bacin_count(eri_bacin_text *text, const char *key, int least, int *out);

/// "KEY = COUNT", and "KEY = NUMBERS".
er_result eri_bacin_key_count(eri_bacin_text *text, const char *key, int least, int *out);
er_result eri_bacin_key_numbers(eri_bacin_text *text, const char *key, int count, double *x);

/// Names of a list, to be found.
typedef struct eri_bacin_name {
    const char *text; ///< borrowed
    int index, line;  ///< its place in the list; where it stands in the file
} eri_bacin_name;

typedef struct eri_bacin_names {
    eri_bacin_name *name; ///< [count], sorted by eri_bacin_names_sort()
    int count;
} eri_bacin_names;

/// Sorts names.   Errors: ER_ERROR_FORMAT, two of them are the same.
er_result eri_bacin_names_sort(eri_bacin_names *names, eri_bacin_text *text, const char *what);

/// The index of a name; -1 where it is not there.
int eri_bacin_names_find(const eri_bacin_names *names, const char *name);

/// The next word's index among names.   @param what  for the message: "body"
er_result eri_bacin_named(eri_bacin_text *text, const eri_bacin_names *names, const char *what, int *out);

#endif
