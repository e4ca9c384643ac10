// Secants of a fixed point: the differences held, and the step that they give.
#include "motion/secants.h"

#include <math.h>
#include <string.h>

#include "math/dense/dense.h"

#define DEPENDENT                                                                                                      \
    1e-14 // differences whose squares are below this share of the largest are rounding, or follow from others

er_result eri_secants_create(er_arena *arena, int size, eri_secants *out)
{
    er_result r = ER_OK;
    size_t all = (size_t)size * ERI_SECANTS_HELD;
    *out = (eri_secants){.size = size};
    ERI_TRY_NEW(out->off, arena, double, size);
    ERI_TRY_NEW(out->asked, arena, double, size);
    ERI_TRY_NEW(out->d_off, arena, double, all);
    ERI_TRY_NEW(out->d_asked, arena, double, all);
done:
    return r;
}

void eri_secants_begin(eri_secants *secants)
{
    secants->follows = false;
}

void eri_secants_forget(eri_secants *secants)
{
    secants->follows = false;
    secants->held = secants->at = 0;
}

static void remember(eri_secants *s, const double *asked, const double *x)
{
    double *d_off = s->d_off + (ptrdiff_t)s->at * s->size, *d_asked = s->d_asked + (ptrdiff_t)s->at * s->size;
    bool follows = s->follows;
    s->follows = true;
    for (int i = 0; i < s->size; ++i) {
        if (follows) d_off[i] = asked[i] - x[i] - s->off[i], d_asked[i] = asked[i] - s->asked[i];
        s->off[i] = asked[i] - x[i];
        s->asked[i] = asked[i];
    }
    if (!follows) return;
    s->held = s->held < ERI_SECANTS_HELD ? s->held + 1 : ERI_SECANTS_HELD;
    for (int k = 0; k < s->held; ++k)
        s->gram[k][s->at] = s->gram[s->at][k] = eri_linalg_dot(s->size, d_off, s->d_off + (ptrdiff_t)k * s->size);
    s->at = (s->at + 1) % ERI_SECANTS_HELD;
}

// Shares of the differences that come nearest to `off`: G share = D' off by L D L'; dependent differences get none.
static void find_shares(const eri_secants *s, double share[ERI_SECANTS_HELD])
{
    double L[ERI_SECANTS_HELD][ERI_SECANTS_HELD], pivot[ERI_SECANTS_HELD];
    int n = s->held;
    double largest = 0.0;
    for (int i = 0; i < n; ++i)
        largest = fmax(largest, s->gram[i][i]);
    for (int i = 0; i < n; ++i) {
        share[i] = eri_linalg_dot(s->size, s->off, s->d_off + (ptrdiff_t)i * s->size);
        for (int k = 0; k <= i; ++k) {
            double sum = s->gram[i][k];
            for (int j = 0; j < k; ++j)
                sum -= L[i][j] * L[k][j] * pivot[j];
            if (k < i) L[i][k] = pivot[k] > 0.0 ? sum / pivot[k] : 0.0;
            if (k == i) pivot[i] = sum > DEPENDENT * largest ? sum : 0.0;
        }
        for (int k = 0; k < i; ++k)
            share[i] -= L[i][k] * share[k];
    }
    for (int i = n - 1; i >= 0; --i) {
        share[i] = pivot[i] > 0.0 ? share[i] / pivot[i] : 0.0;
        for (int k = i + 1; k < n && pivot[i] > 0.0; ++k)
            share[i] -= L[k][i] * share[k];
    }
}

void eri_secants_take(eri_secants *s, const double *asked, double *x)
{
    double share[ERI_SECANTS_HELD];
    remember(s, asked, x);
    memcpy(x, asked, (size_t)s->size * sizeof *x);
    find_shares(s, share);
    for (int k = 0; k < s->held; ++k)
        eri_linalg_axpy(s->size, -share[k], s->d_asked + (ptrdiff_t)k * s->size, x);
}
