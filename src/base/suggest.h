/// @file
/// Private: words that were mistyped, and which of those that are known may be meant. Inline, so that programs which
/// link the shared library have it too.
#ifndef ERI_BASE_SUGGEST_H
#define ERI_BASE_SUGGEST_H

#include <stdio.h>
#include <string.h>

#include "base/letters.h"

/// All zeros but for the word at first.
typedef struct suggestion {
    const char *word; ///< as it was typed, borrowed
    const char *best; ///< the known word that is most like it, borrowed; NULL where none is like it
    int off;          ///< letters that best is off by
} suggestion;

enum { SUGGESTION_LONGEST = 63 };

static inline int suggestion_least(int a, int b)
{
    return a < b ? a : b;
}

// Letters missing, too many, another, or swapped with the next: optimal string alignment.
static inline int suggestion_letters_off(const char *a, int m, const char *b, int n)
{
    int off[SUGGESTION_LONGEST + 1][SUGGESTION_LONGEST + 1];
    for (int i = 0; i <= m; ++i) {
        for (int k = 0; k <= n; ++k) {
            if (i == 0 || k == 0) {
                off[i][k] = i + k;
                continue;
            }
            off[i][k] = suggestion_least(off[i - 1][k - 1] + (eri_lower(a[i - 1]) != eri_lower(b[k - 1])),
                                         suggestion_least(off[i - 1][k], off[i][k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                off[i][k] = suggestion_least(off[i][k], off[i - 2][k - 2] + 1);
        }
    }
    return off[m][n];
}

/// Looks at a word that is known. It is like the other where at most one letter in three, and one, is missing, too
/// many, another or swapped with the next, letter case aside; of words as like, the first stays the best. Long words
/// are like nothing.
static inline void suggestion_try(suggestion *l, const char *known)
{
    size_t m = strlen(l->word), n = strlen(known);
    if (m == 0 || n == 0 || m > SUGGESTION_LONGEST || n > SUGGESTION_LONGEST) return;
    int off = suggestion_letters_off(l->word, (int)m, known, (int)n), most = (int)(m > n ? m : n) / 3;
    if (off > (most > 1 ? most : 1) || off >= (int)n || (l->best != NULL && off >= l->off)) return;
    l->best = known;
    l->off = off;
}

enum { SUGGESTION_TEXT = SUGGESTION_LONGEST + 24 };

/// The end of a message: `; did you mean "best"`, or nothing.   @return text
static inline const char *suggestion_text(const suggestion *l, char text[SUGGESTION_TEXT])
{
    text[0] = '\0';
    if (l->best != NULL) snprintf(text, SUGGESTION_TEXT, "; did you mean \"%s\"", l->best);
    return text;
}

#endif
