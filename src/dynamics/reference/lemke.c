/// @file
/// Lemke's method on a tableau: the columns of B^-1, which w's are, of z, of the artificial z0, and the values.
#include <math.h>
#include <string.h>

#include "dynamics/reference/complementarity.h"

enum { MOST_PIVOTS = 100, REFINEMENTS = 4, ATTEMPTS = 12 }; // pivots: for each variable

static const double tiny = 1e-11;      // of entries of about 1: rounding, after many pivots
static const double exact = -1e-14;    // of the least value: rounding of the refined ones
static const double bearable = -1e-10; // of the same: of an ill-conditioned basis, where no other is found

typedef struct pivot_tableau {
    int n, width;  // columns: w 0 to n - 1, z n to 2n - 1, z0 2n, values 2n + 1
    double *row;   // [n x width]
    int *basic;    // [n], the column that is basic in each row
    double *cover; // [n], of z0 in each row
} pivot_tableau;

static double *row_of(const pivot_tableau *t, int i)
{
    return t->row + (size_t)i * (size_t)t->width;
}

// 1, or at later attempts something between that and 2, no two alike.
static double spread(int attempt, int i)
{
    double turns = attempt * (i + 1) * 0.6180339887498949;
    return 1.0 + turns - floor(turns);
}

static er_result create(er_arena *arena, int n, pivot_tableau *t)
{
    er_result r = ER_OK;
    *t = (pivot_tableau){.n = n, .width = 2 * n + 2};
    t->row = eri_arena_alloc(arena, (size_t)n, (size_t)t->width * sizeof *t->row);
    ERI_TRY(t->row != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY_NEW(t->basic, arena, int, n);
    ERI_TRY_NEW(t->cover, arena, double, n);
done:
    return r;
}

// Separates equal values. It decreases with each attempt, because an ill-conditioned basis may amplify it too much.
static double nudge(int attempt)
{
    return pow(10.0, -6.0 - (attempt - 1) % 6);
}

static void fill(pivot_tableau *t, const double *M, const double *q, int attempt)
{
    int n = t->n;
    memset(t->row, 0, (size_t)n * (size_t)t->width * sizeof *t->row);
    for (int i = 0; i < n; ++i) {
        double *row = row_of(t, i);
        t->cover[i] = spread(attempt, i);
        row[i] = 1.0;
        for (int j = 0; j < n; ++j)
            row[n + j] = -M[(size_t)i * (size_t)n + (size_t)j];
        row[2 * n] = -t->cover[i];
        row[2 * n + 1] = q[i] + (attempt > 0 ? nudge(attempt) * spread(attempt + ATTEMPTS, i) : 0.0);
        t->basic[i] = i;
    }
}

static void pivot(pivot_tableau *t, int at, int column)
{
    double *lead = row_of(t, at), scale = 1.0 / lead[column];
    for (int j = 0; j < t->width; ++j)
        lead[j] *= scale;
    lead[column] = 1.0;
    for (int i = 0; i < t->n; ++i) {
        double *row = row_of(t, i), factor = row[column];
        if (i == at || factor == 0.0) continue;
        for (int j = 0; j < t->width; ++j)
            row[j] -= factor * lead[j];
        row[column] = 0.0;
    }
    t->basic[at] = column;
}

// Which of two rows has the lesser (value, B^-1) over its entry in a column, entry by entry: < 0 the first.
static int compare(const pivot_tableau *t, int a, int b, double entry_a, double entry_b)
{
    const double *x = row_of(t, a), *y = row_of(t, b);
    for (int k = -1; k < t->n; ++k) {
        int j = k < 0 ? 2 * t->n + 1 : k;
        double p = x[j] / entry_a, q = y[j] / entry_b;
        if (fabs(p - q) > tiny * fmax(1.0, fmax(fabs(p), fabs(q)))) return p < q ? -1 : 1;
    }
    return 0;
}

// Where a column can come in, as values stay >= 0; -1: anywhere, a ray. z0 goes first where it may.
static int leaving(const pivot_tableau *t, int column)
{
    int best = -1, artificial = -1;
    for (int i = 0; i < t->n; ++i) {
        double entry = row_of(t, i)[column];
        if (entry <= tiny) continue;
        if (t->basic[i] == 2 * t->n) artificial = i;
        if (best < 0 || compare(t, i, best, entry, row_of(t, best)[column]) < 0) best = i;
    }
    if (artificial < 0) return best;
    double own = row_of(t, artificial)[2 * t->n + 1] / row_of(t, artificial)[column];
    double least = row_of(t, best)[2 * t->n + 1] / row_of(t, best)[column];
    return own - least <= tiny * fmax(1.0, fabs(least)) ? artificial : best;
}

// The first row by which z0 comes in: the least value, ties broken alike.
static int worst_row(const pivot_tableau *t)
{
    int worst = 0;
    for (int i = 1; i < t->n; ++i)
        if (compare(t, i, worst, t->cover[i], t->cover[worst]) < 0) worst = i;
    return row_of(t, worst)[2 * t->n + 1] < 0.0 ? worst : -1;
}

// Entry (i, column) of the equations w - M z = q.
static double equation(const pivot_tableau *t, const double *M, int i, int column)
{
    if (column < t->n) return column == i ? 1.0 : 0.0;
    return column < 2 * t->n ? -M[(size_t)i * (size_t)t->n + (size_t)(column - t->n)] : -t->cover[i];
}

// The basic values again from the equations: B^-1, which many pivots made, serves to correct them. Returns the
// least over the largest, 0 where none is negative.
static double refine(const pivot_tableau *t, const double *M, const double *q, double *value, double *error)
{
    memset(value, 0, (size_t)t->n * sizeof *value);
    for (int round = 0; round < REFINEMENTS; ++round) {
        for (int i = 0; i < t->n; ++i) {
            long double sum = q[i];
            for (int k = 0; k < t->n; ++k)
                sum -= (long double)equation(t, M, i, t->basic[k]) * value[k];
            error[i] = (double)sum;
        }
        for (int i = 0; i < t->n; ++i)
            for (int k = 0; k < t->n; ++k)
                value[i] += row_of(t, i)[k] * error[k];
    }
    double least = 0.0, most = 1.0;
    for (int i = 0; i < t->n; ++i) {
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    return least / most;
}

// Pivots until z0 is out; false: a ray.
static bool walk(pivot_tableau *t, int64_t *pivots)
{
    int n = t->n, row = worst_row(t), entering = 2 * n;
    for (long count = 0; row >= 0 && count <= (long)MOST_PIVOTS * n; ++count) {
        int left = t->basic[row];
        pivot(t, row, entering);
        ++*pivots;
        if (left == 2 * n) return true;
        entering = left < n ? left + n : left - n; // the complement of what left
        row = leaving(t, entering);
    }
    return row < 0 && entering == 2 * n; // there was nothing to do
}

// A path that rounding leads astray is left for another, on which the values are nudged: its last basis is tried on
// those that there are.
er_result eri_lemke_solve(er_arena *arena, int n, const double *M, const double *q, double *z, int64_t *pivots)
{
    er_result r = ER_OK;
    pivot_tableau t;
    double *value, *error, best = 2.0 * bearable;
    memset(z, 0, (size_t)n * sizeof *z);
    if (n == 0) return ER_OK;
    ERI_TRY(create(arena, n, &t));
    ERI_TRY_NEW(value, arena, double, n);
    ERI_TRY_NEW(error, arena, double, n);
    for (int attempt = 0; attempt < ATTEMPTS && best < exact; ++attempt) {
        fill(&t, M, q, attempt);
        if (!walk(&t, pivots)) continue;
        double least = refine(&t, M, q, value, error);
        if (!(least >= bearable && least > best)) continue;
        best = least;
        memset(z, 0, (size_t)n * sizeof *z);
        for (int i = 0; i < n; ++i)
            if (t.basic[i] >= n) z[t.basic[i] - n] = fmax(value[i], 0.0);
    }
    if (!(best >= bearable)) return ER_ERROR_NO_CONVERGENCE;
done:
    return r;
}
