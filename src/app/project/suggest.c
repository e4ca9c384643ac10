// The known word that is nearest to a mistyped one, by optimal string alignment.
#include <string.h>

#include "app/project/suggest.h"

enum { LONGEST = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Letters missing, too many, another, or swapped with the next: optimal string alignment.
static int letters_off(const char *a, int m, const char *b, int n)
{
    int off[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= m; ++i) {
        for (int k = 0; k <= n; ++k) {
            if (i == 0 || k == 0) {
                off[i][k] = i + k;
                continue;
            }
            off[i][k] = least(off[i - 1][k - 1] + (a[i - 1] != b[k - 1]), least(off[i - 1][k], off[i][k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                off[i][k] = least(off[i][k], off[i - 2][k - 2] + 1);
        }
    }
    return off[m][n];
}

void suggestion_try(suggestion *l, const char *known)
{
    size_t m = strlen(l->word), n = strlen(known);
    if (m == 0 || n == 0 || m > LONGEST || n > LONGEST) return;
    int off = letters_off(l->word, (int)m, known, (int)n), most = (int)(m > n ? m : n) / 3;
    if (off > (most > 1 ? most : 1) || off >= (int)n || (l->best != NULL && off >= l->off)) return;
    l->best = known;
    l->off = off;
}
