// Singular values, and least squares of any rank.
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/own/own.h"

static double *column(double *a, int rows, int j)
{
    return a + (size_t)j * (size_t)rows;
}

size_t eri_own_svd_work(int rows, int cols)
{
    size_t m = (size_t)rows, n = (size_t)cols, k = m < n ? m : n;
    return n * m + 2 * m * k + 2 * k * k + k + 3 * m + eri_own_symmetric_work((int)k) + eri_own_apply_work(cols);
}

// a' P = Q R; the right vectors of R', which is tall and whose columns get shorter, are nearly those of its Gram
// matrix, and Jacobi's method has little left to do (Drmac & Veselic, SIAM J. Matrix Anal. Appl. 29, 2008).
bool eri_own_svd(int rows, int cols, const double *a, double *values, double *v, double *work, int *integers)
{
    int least = rows < cols ? rows : cols;
    size_t k = (size_t)least, m = (size_t)rows;
    double *A = work, *L = A + (size_t)cols * m, *X = L + m * k, *W = X + m * k, *G = W + k * k, *tau = G + k * k;
    double *rest = tau + k, scale = eri_own_scale(rows, cols, a, false);
    if (!(scale > 0.0)) return false;
    for (int j = 0; j < cols; ++j)
        for (int i = 0; i < rows; ++i)
            A[(size_t)j + (size_t)i * (size_t)cols] = scale * a[(size_t)i + (size_t)j * m];
    eri_own_pivoted_qr(cols, rows, A, cols, tau, integers, rest);
    memset(L, 0, m * k * sizeof *L);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < least && j <= i; ++j)
            column(L, rows, j)[i] = column(A, cols, i)[j];
    memset(G, 0, k * k * sizeof *G);
    eri_own_gram(rows, least, L, rows, G, least);
    for (int j = 0; j < least; ++j)
        for (int i = 0; i < j; ++i)
            column(G, least, i)[j] = column(G, least, j)[i];
    if (!eri_own_symmetric(least, G, values, rest, integers)) return false;
    for (int j = 0; j < least; ++j)
        memcpy(column(W, least, j), column(G, least, least - 1 - j), k * sizeof *W);
    memset(X, 0, m * k * sizeof *X);
    eri_own_multiply(false, false, rows, least, least, 1.0, L, rows, W, least, X, rows);
    double rounding = DBL_EPSILON * sqrt((double)cols) * fabs(L[0]);
    if (!eri_own_orthogonalise(rows, least, X, least, W, rounding, rest)) return false;
    memset(v, 0, (size_t)cols * (size_t)cols * sizeof *v);
    for (int j = 0; j < cols; ++j) {
        if (j < least) {
            values[j] = sqrt(eri_own_dot(rows, column(X, rows, j), column(X, rows, j))) / scale;
            memcpy(column(v, cols, j), column(W, least, j), k * sizeof *v);
        } else {
            column(v, cols, j)[j] = 1.0;
        }
    }
    eri_own_apply(false, cols, cols, least, A, cols, tau, v, cols, rest);
    return true;
}

size_t eri_own_least_squares_work(int rows, int cols)
{
    return (size_t)(cols < rows ? cols : rows) * (size_t)(cols + 2) + 4 * (size_t)cols + eri_own_apply_work(cols + 1);
}

// [R S] of `rank` rows and `cols` columns is L' Z': then x = Z L'^-1 b has the least norm.
static void solve_short(int rank, int cols, const double *R, int stride, double *b, double *x, double *work)
{
    double *T = work, *tau = T + (size_t)cols * (size_t)rank, *rest = tau + rank;
    for (int i = 0; i < rank; ++i)
        for (int j = 0; j < cols; ++j)
            column(T, cols, i)[j] = j >= i ? R[(size_t)i + (size_t)j * (size_t)stride] : 0.0;
    eri_own_qr(cols, rank, T, cols, tau, rest);
    memset(x, 0, (size_t)cols * sizeof *x);
    for (int i = 0; i < rank; ++i)
        x[i] = (b[i] - eri_own_dot(i, column(T, cols, i), x)) / column(T, cols, i)[i];
    eri_own_apply(false, cols, 1, rank, T, cols, tau, x, cols, rest);
}

// The least or largest singular value of a triangle, estimated as columns join it: the unit x makes |x' R| that value
// (Bischof, SIAM J. Matrix Anal. Appl. 11, 1990).
typedef struct estimate {
    double value, *x;
} estimate;

// With the column of `count` entries above the new diagonal one: of all (s x, c) the one of least, or largest, value.
static void extend(estimate *e, int count, const double *column, bool least)
{
    double along = eri_own_dot(count, e->x, column), corner = column[count];
    double a = e->value * e->value + along * along, b = along * corner, d = corner * corner, half = 0.5 * (a - d);
    double root = hypot(half, b), s = 1.0, c = 0.0;
    if (root > 0.0) { // the unit vector of the larger eigenvalue of (a b, b d), or across it
        double x = half >= 0.0 ? half + root : b, y = half >= 0.0 ? b : root - half, size = hypot(x, y);
        s = (least ? -y : x) / size;
        c = (least ? x : y) / size;
    }
    for (int i = 0; i < count; ++i)
        e->x[i] *= s;
    e->x[count] = c;
    e->value = hypot(s * e->value, s * along + c * corner);
}

// Columns that are not dependent on those before them to `tol`.
static int rank_of(int least, const double *R, int stride, double tol, double *work)
{
    estimate smallest = {0.0, work}, largest = {0.0, work + least};
    for (int k = 0; k < least; ++k) {
        const double *c = R + (size_t)k * (size_t)stride;
        if (k == 0) {
            smallest.value = largest.value = fabs(c[0]);
            smallest.x[0] = largest.x[0] = 1.0;
            if (c[0] == 0.0) return 0;
            continue;
        }
        extend(&smallest, k, c, true);
        extend(&largest, k, c, false);
        if (!(smallest.value >= tol * largest.value)) return k;
    }
    return least;
}

void eri_own_least_squares(int rows, int cols, double *a, double tol, double *b, double *x, double *work, int *pivot)
{
    int least = rows < cols ? rows : cols;
    double *tau = work, *y = tau + least, *rest = y + cols;
    eri_own_pivoted_qr(rows, cols, a, rows, tau, pivot, rest);
    int rank = rank_of(least, a, rows, tol, rest);
    eri_own_apply(true, rows, 1, least, a, rows, tau, b, rows, rest);
    if (rank < cols) {
        solve_short(rank, cols, a, rows, b, y, rest);
    } else {
        memcpy(y, b, (size_t)cols * sizeof *y);
        for (int j = cols - 1; j >= 0; --j) {
            y[j] /= column(a, rows, j)[j];
            eri_own_axpy(j, -y[j], column(a, rows, j), y);
        }
    }
    for (int j = 0; j < cols; ++j)
        x[pivot[j]] = y[j];
}
