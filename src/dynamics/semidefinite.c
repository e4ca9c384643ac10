/// @file
/// Cholesky's method with pivots (Golub & Van Loan, 4th ed., 4.2.8).
#include "dynamics/semidefinite.h"

#include <math.h>

er_result eri_semidefinite_create(er_arena *arena, int most, eri_semidefinite *out)
{
    er_result r = ER_OK;
    *out = (eri_semidefinite){.most = most};
    out->S = eri_arena_alloc(arena, (size_t)most, (size_t)most * sizeof(double));
    ERI_TRY(out->S != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY_NEW(out->order, arena, int, most);
    ERI_TRY_NEW(out->wanted, arena, int, most);
    ERI_TRY_NEW(out->x, arena, double, most);
done:
    return r;
}

static double *entry(const eri_semidefinite *s, int i, int j)
{
    return &s->S[(size_t)i * (size_t)s->count + (size_t)j];
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

// Rows and columns i and k > i change places: of L their parts before i, of what is left all.
static void exchange(eri_semidefinite *s, int i, int k)
{
    int kept = s->order[i];
    s->order[i] = s->order[k];
    s->order[k] = kept;
    for (int j = 0; j < s->count; ++j)
        swap(entry(s, i, j), entry(s, k, j));
    for (int j = i; j < s->count; ++j)
        swap(entry(s, j, i), entry(s, j, k));
}

// Takes row k out of what is left below it.
static void eliminate(eri_semidefinite *s, int k)
{
    double pivot = sqrt(*entry(s, k, k));
    *entry(s, k, k) = pivot;
    for (int i = k + 1; i < s->count; ++i)
        *entry(s, i, k) /= pivot;
    for (int i = k + 1; i < s->count; ++i) // what is left stays symmetric
        for (int j = k + 1; j <= i; ++j)
            *entry(s, i, j) = *entry(s, j, i) = *entry(s, i, j) - *entry(s, i, k) * *entry(s, j, k);
}

void eri_semidefinite_factor(eri_semidefinite *s, double tol)
{
    int n = s->count;
    for (int i = 0; i < n; ++i)
        s->order[i] = i;
    for (s->rank = 0; s->rank < n; ++s->rank) {
        int k = s->rank, best = k;
        for (int i = k + 1; i < n; ++i)
            if (*entry(s, i, i) > *entry(s, best, best)) best = i;
        if (!(*entry(s, best, best) > tol)) return;
        if (best != k) exchange(s, k, best);
        eliminate(s, k);
    }
}

double eri_semidefinite_least(const eri_semidefinite *s)
{
    double root = s->rank > 0 ? *entry(s, s->rank - 1, s->rank - 1) : 1.0;
    return root * root;
}

void eri_semidefinite_factor_again(eri_semidefinite *s)
{
    for (int i = 0; i < s->count; ++i)
        s->wanted[i] = s->order[i], s->order[i] = i;
    for (int k = 0; k < s->rank; ++k) {
        int from = k;
        while (s->order[from] != s->wanted[k])
            ++from;
        if (from != k) exchange(s, k, from);
        eliminate(s, k);
    }
    for (int k = s->rank; k < s->count; ++k) { // nulls in the order of before
        int from = k;
        while (s->order[from] != s->wanted[k])
            ++from;
        if (from != k) exchange(s, k, from);
    }
}

// x <- L^-T x of the first `rank` rows.
static void solve_back(const eri_semidefinite *s, double *x)
{
    for (int i = s->rank - 1; i >= 0; --i) {
        for (int j = i + 1; j < s->rank; ++j)
            x[i] -= *entry(s, j, i) * x[j];
        x[i] /= *entry(s, i, i);
    }
}

void eri_semidefinite_solve(const eri_semidefinite *s, double *b)
{
    double *x = s->x;
    for (int i = 0; i < s->rank; ++i) {
        x[i] = b[s->order[i]];
        for (int j = 0; j < i; ++j)
            x[i] -= *entry(s, i, j) * x[j];
        x[i] /= *entry(s, i, i);
    }
    solve_back(s, x);
    for (int i = 0; i < s->count; ++i)
        b[s->order[i]] = i < s->rank ? x[i] : 0.0;
}

void eri_semidefinite_null(const eri_semidefinite *s, int k, double *out)
{
    double *x = s->x;
    for (int i = 0; i < s->rank; ++i)
        x[i] = -*entry(s, s->rank + k, i);
    solve_back(s, x);
    for (int i = 0; i < s->count; ++i)
        out[s->order[i]] = i < s->rank ? x[i] : i == s->rank + k ? 1.0 : 0.0;
}
