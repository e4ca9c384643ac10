/// @file
/// Words that were mistyped: which of those that are known may be meant.
#ifndef ER_APP_PROJECT_SUGGEST_H
#define ER_APP_PROJECT_SUGGEST_H

/// All zeros but for the word at first.
typedef struct suggestion {
    const char *word; ///< as it was typed, borrowed
    const char *best; ///< the known word that is most like it, borrowed; NULL where none is like it
    int off;          ///< letters that best is off by
} suggestion;

/// Looks at a word that is known. It is like the other where at most one letter in three, and one, is missing, too
/// many, another or swapped with the next; of words as like, the first stays the best. Long words are like nothing.
void suggestion_try(suggestion *l, const char *known);

#endif
