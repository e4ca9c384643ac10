// L L' of positive definite matrices, L D L' of indefinite ones.
#include <math.h>
#include <string.h>

#include "math/own/own.h"

static double *column(double *a, int n, int j)
{
    return a + (size_t)j * (size_t)n;
}

// The columns [k, k + m) of L below their first row, what the columns before take off them taken off already.
static bool factor_panel(int n, double *a, int k, int m)
{
    for (int j = k; j < k + m; ++j) {
        double *c = column(a, n, j);
        for (int i = k; i < j; ++i)
            eri_own_axpy(n - j, -column(a, n, i)[j], column(a, n, i) + j, c + j);
        if (!(c[j] > 0.0 && c[j] < HUGE_VAL)) return false;
        double root = sqrt(c[j]);
        c[j] = root;
        for (int i = j + 1; i < n; ++i)
            c[i] /= root;
    }
    return true;
}

bool eri_own_cholesky(int n, double *a)
{
    enum { PANEL = 32 };
    double square[PANEL * PANEL];
    for (int k = 0; k < n; k += PANEL) {
        int m = n - k < PANEL ? n - k : PANEL, below = n - k - m;
        memset(square, 0, sizeof square);
        eri_own_multiply(false, true, m, m, k, -1.0, a + k, n, a + k, n, square, PANEL);
        for (int j = 0; j < m; ++j)
            for (int i = j; i < m; ++i)
                column(a, n, k + j)[k + i] += square[i + j * PANEL];
        eri_own_multiply(false, true, below, m, k, -1.0, a + k + m, n, a + k, n, column(a, n, k) + k + m, n);
        if (!factor_panel(n, a, k, m)) return false;
    }
    return true;
}

static void swap(double *x, double *y)
{
    double kept = *x;
    *x = *y;
    *y = kept;
}

// Rows and columns p < q of a symmetric matrix change places, from column `first` on: its lower triangle.
static void exchange(int n, double *a, int first, int p, int q)
{
    for (int j = first; j < p; ++j)
        swap(&column(a, n, j)[p], &column(a, n, j)[q]);
    swap(&column(a, n, p)[p], &column(a, n, q)[q]);
    for (int j = p + 1; j < q; ++j)
        swap(&column(a, n, p)[j], &column(a, n, j)[q]);
    for (int i = q + 1; i < n; ++i)
        swap(&column(a, n, p)[i], &column(a, n, q)[i]);
}

bool eri_own_pivoted_cholesky(int n, double *a, int *pivot)
{
    for (int i = 0; i < n; ++i)
        pivot[i] = i;
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k + 1; i < n; ++i)
            if (column(a, n, i)[i] > column(a, n, p)[p]) p = i;
        if (!(column(a, n, p)[p] > 0.0 && column(a, n, p)[p] < HUGE_VAL)) return false;
        if (p != k) {
            exchange(n, a, 0, k, p);
            int kept = pivot[k];
            pivot[k] = pivot[p];
            pivot[p] = kept;
        }
        double *c = column(a, n, k);
        c[k] = sqrt(c[k]);
        for (int i = k + 1; i < n; ++i)
            c[i] /= c[k];
        for (int j = k + 1; j < n; ++j)
            eri_own_axpy(n - j, -c[j], c + j, column(a, n, j) + j);
    }
    return true;
}

// The largest magnitude in row r of a symmetric matrix, from column `first` on, but on the diagonal.
static double largest_of_row(int n, const double *a, int first, int r)
{
    double most = 0.0;
    for (int j = first; j < r; ++j)
        most = fmax(most, fabs(a[(size_t)r + (size_t)j * (size_t)n]));
    for (int i = r + 1; i < n; ++i)
        most = fmax(most, fabs(a[(size_t)i + (size_t)r * (size_t)n]));
    return most;
}

// Which row comes to the pivot at k, and whether two rows make it.
static int choose_pivot(int n, const double *a, int k, bool *two)
{
    const double alpha = (1.0 + sqrt(17.0)) / 8.0; // keeps the growth of one step of two below that of two of one
    const double *c = a + (size_t)k * (size_t)n;
    int r = k;
    double below = 0.0, own = fabs(c[k]);
    for (int i = k + 1; i < n; ++i)
        if (fabs(c[i]) > below) {
            below = fabs(c[i]);
            r = i;
        }
    *two = false;
    if (own >= alpha * below) return k;
    double row = largest_of_row(n, a, k, r);
    if (own * row >= alpha * below * below) return k;
    if (fabs(a[(size_t)r * (size_t)(n + 1)]) >= alpha * row) return r;
    *two = true;
    return r;
}

static void eliminate_one(int n, double *a, int k)
{
    double *c = column(a, n, k), d = 1.0 / c[k];
    for (int j = k + 1; j < n; ++j)
        eri_own_axpy(n - j, -c[j] * d, c + j, column(a, n, j) + j);
    for (int i = k + 1; i < n; ++i)
        c[i] *= d;
}

// The block is divided by its entry off the diagonal, which is its largest.
static void eliminate_two(int n, double *a, int k)
{
    double *x = column(a, n, k), *y = column(a, n, k + 1), e = x[k + 1], p = y[k + 1] / e, q = x[k] / e;
    double scale = 1.0 / (p * q - 1.0) / e;
    for (int j = k + 2; j < n; ++j) {
        double u = scale * (p * x[j] - y[j]), v = scale * (q * y[j] - x[j]);
        double *c = column(a, n, j);
        eri_own_axpy(n - j, -u, x + j, c + j);
        eri_own_axpy(n - j, -v, y + j, c + j);
        x[j] = u;
        y[j] = v;
    }
}

bool eri_own_indefinite_factor(int n, double *a, int *pivot)
{
    bool regular = true;
    for (int k = 0; k < n;) {
        bool two;
        int p = choose_pivot(n, a, k, &two), at = two ? k + 1 : k;
        if (!(fabs(column(a, n, k)[k]) > 0.0) && p == k) {
            regular = false;
            pivot[k++] = p + 1;
            continue;
        }
        if (p != at) exchange(n, a, k, at, p);
        if (two) {
            eliminate_two(n, a, k);
            pivot[k] = pivot[k + 1] = -(p + 1);
        } else {
            eliminate_one(n, a, k);
            pivot[k] = p + 1;
        }
        k = at + 1;
    }
    return regular;
}

// D of the block at k.
static void solve_block(int n, const double *a, int k, double *b)
{
    const double *x = a + (size_t)k * (size_t)n, *y = x + n;
    double e = x[k + 1], p = y[k + 1] / e, q = x[k] / e, scale = 1.0 / (p * q - 1.0) / e, u = b[k], v = b[k + 1];
    b[k] = scale * (p * u - v);
    b[k + 1] = scale * (q * v - u);
}

void eri_own_indefinite_solve(int n, const double *a, const int *pivot, double *b)
{
    int k = 0;
    while (k < n) {
        int wide = pivot[k] > 0 ? 1 : 2, at = k + wide - 1, p = pivot[k] > 0 ? pivot[k] - 1 : -pivot[k] - 1;
        if (p != at) swap(&b[at], &b[p]);
        for (int j = k; j <= at; ++j)
            eri_own_axpy(n - at - 1, -b[j], a + (size_t)j * (size_t)n + at + 1, b + at + 1);
        if (wide == 2)
            solve_block(n, a, k, b);
        else
            b[k] /= a[(size_t)k * (size_t)(n + 1)];
        k += wide;
    }
    while (k > 0) {
        int wide = pivot[k - 1] > 0 ? 1 : 2, p = pivot[k - 1] > 0 ? pivot[k - 1] - 1 : -pivot[k - 1] - 1;
        for (int j = k - wide; j < k; ++j)
            b[j] -= eri_own_dot(n - k, a + (size_t)j * (size_t)n + k, b + k);
        if (p != k - 1) swap(&b[k - 1], &b[p]);
        k -= wide;
    }
}
