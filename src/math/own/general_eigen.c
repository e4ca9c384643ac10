// Eigenvalues of square matrices that are not symmetric.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/own/own.h"

static double *at(double *a, int n, int i, int j)
{
    return &a[(size_t)i + (size_t)j * (size_t)n];
}

// Whether row i, or column i, is zero off the diagonal, looking at those in order[from .. to).
static bool stands_alone(int n, double *a, const int *order, int from, int to, int i, bool row)
{
    for (int k = from; k < to; ++k)
        if (order[k] != i && (row ? *at(a, n, i, order[k]) : *at(a, n, order[k], i)) != 0.0) return false;
    return true;
}

// The order in which rows and columns that tell their eigenvalue by themselves come last and first.
static void isolate(int n, double *a, int *order)
{
    int from = 0, to = n;
    for (int i = 0; i < n; ++i)
        order[i] = i;
    for (int k = from; k < to;) {
        int i = order[k];
        bool last = stands_alone(n, a, order, from, to, i, true);
        if (last || stands_alone(n, a, order, from, to, i, false)) {
            int place = last ? --to : from++;
            order[k] = order[place];
            order[place] = i;
            k = from;
        } else {
            ++k;
        }
    }
}

// a <- P' a P.
static void permute(int n, double *a, const int *order, double *spare)
{
    memcpy(spare, a, (size_t)n * (size_t)n * sizeof *a);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            *at(a, n, i, j) = *at(spare, n, order[i], order[j]);
}

// a <- D^-1 a D, D of powers of two that bring each row near the size of its column.
static void balance(int n, double *a, double *scale)
{
    for (int i = 0; i < n; ++i)
        scale[i] = 1.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < n; ++i) {
            double row = 0.0, col = 0.0;
            for (int j = 0; j < n; ++j) {
                row += j != i ? fabs(*at(a, n, i, j)) : 0.0;
                col += j != i ? fabs(*at(a, n, j, i)) : 0.0;
            }
            if (!(row > 0.0 && col > 0.0 && row < HUGE_VAL && col < HUGE_VAL)) continue;
            int power = (int)lround(0.5 * log2(row / col));
            double f = ldexp(1.0, power), left = scale[i] * f;
            if (!(col * f + row / f < 0.95 * (col + row)) || !(left > DBL_MIN && left < DBL_MAX)) continue;
            scale[i] = left;
            changed = true;
            for (int j = 0; j < n; ++j) {
                *at(a, n, i, j) /= f;
                *at(a, n, j, i) *= f;
            }
        }
    }
}

// Rows [row, row + m) of columns [first, n): c -= tau v (v' c).
static void reflect_rows(int n, double *a, int row, int m, const double *v, double tau, int first)
{
    for (int j = first; j < n; ++j) {
        double *c = at(a, n, row, j), y = 0.0;
        for (int i = 0; i < m; ++i)
            y += v[i] * c[i];
        for (int i = 0; i < m; ++i)
            c[i] -= tau * y * v[i];
    }
}

// Columns [col, col + m), their rows before `end`: c -= tau (c v) v'.
static void reflect_columns(int n, double *a, int col, int m, const double *v, double tau, int end, double *sum)
{
    memset(sum, 0, (size_t)end * sizeof *sum);
    for (int j = 0; j < m; ++j)
        eri_own_axpy(end, v[j], at(a, n, 0, col + j), sum);
    for (int j = 0; j < m; ++j)
        eri_own_axpy(end, -tau * v[j], sum, at(a, n, 0, col + j));
}

// a <- Q' a Q, zero below the first diagonal under the main one; Q into v.
static void to_hessenberg(int n, double *a, double *v, double *work)
{
    double *u = work, *sum = work + n;
    memset(v, 0, (size_t)n * (size_t)n * sizeof *v);
    for (int j = 0; j < n; ++j)
        *at(v, n, j, j) = 1.0;
    for (int k = 0; k + 2 < n; ++k) {
        int m = n - k - 1;
        double *c = at(a, n, k + 1, k), tau = eri_own_reflect(m, c);
        u[0] = 1.0;
        memcpy(u + 1, c + 1, (size_t)(m - 1) * sizeof *u);
        memset(c + 1, 0, (size_t)(m - 1) * sizeof *c);
        reflect_rows(n, a, k + 1, m, u, tau, k + 1);
        reflect_columns(n, a, k + 1, m, u, tau, n, sum);
        reflect_columns(n, v, k + 1, m, u, tau, n, sum);
    }
}

// The first row of the block that ends at `last`: what is above it is rounding.
static int first_of_block(int n, double *a, int last, double norm)
{
    int k = last;
    for (; k > 0; --k) {
        double size = fabs(*at(a, n, k - 1, k - 1)) + fabs(*at(a, n, k, k));
        if (fabs(*at(a, n, k, k - 1)) <= DBL_EPSILON * (size > 0.0 ? size : norm)) {
            *at(a, n, k, k - 1) = 0.0;
            break;
        }
    }
    return k;
}

// One double step of Francis on rows [lo, hi]; its shifts are the eigenvalues of a block of two: its diagonal, and the
// product of the others.
static void francis_step(int n, double *a, double *v, int lo, int hi, const double shift[3], double *work)
{
    double h = *at(a, n, lo, lo), first = shift[0] - h, second = shift[1] - h; // differences first: they may be small
    double x[3] = {(first * second - shift[2]) / *at(a, n, lo + 1, lo) + *at(a, n, lo, lo + 1),
                   *at(a, n, lo + 1, lo + 1) - h - first - second, *at(a, n, lo + 2, lo + 1)};
    for (int k = lo; k < hi; ++k) {
        int m = hi - k < 2 ? 2 : 3;
        if (k > lo) memcpy(x, at(a, n, k, k - 1), (size_t)m * sizeof *x);
        double tau = eri_own_reflect(m, x), beta = x[0];
        x[0] = 1.0;
        if (k > lo) {
            *at(a, n, k, k - 1) = beta;
            memset(at(a, n, k + 1, k - 1), 0, (size_t)(m - 1) * sizeof(double));
        }
        reflect_rows(n, a, k, m, x, tau, k);
        reflect_columns(n, a, k, m, x, tau, (k + 3 < hi ? k + 3 : hi) + 1, work);
        reflect_columns(n, v, k, m, x, tau, n, work);
    }
}

// Rows p and p + 1: the pair's eigenvalues; real ones are brought to the diagonal by a rotation.
static void split_pair(int n, double *a, double *v, int p, double *re, double *im)
{
    double A = *at(a, n, p, p), B = *at(a, n, p, p + 1), C = *at(a, n, p + 1, p), D = *at(a, n, p + 1, p + 1);
    double half = 0.5 * (A - D), scale = fmax(fabs(half), fmax(fabs(B), fabs(C)));
    double discriminant = half / scale * half + B / scale * C, root = sqrt(scale) * sqrt(fabs(discriminant));
    re[p] = re[p + 1] = D + half;
    if (discriminant < 0.0) {
        im[p] = root;
        im[p + 1] = -root;
        return;
    }
    double z = half + copysign(root, half); // the eigenvalue farther from D, less D
    double length = hypot(z, C), c = z / length, s = C / length;
    for (int j = p; j < n; ++j) {
        double x = *at(a, n, p, j), y = *at(a, n, p + 1, j);
        *at(a, n, p, j) = c * x + s * y;
        *at(a, n, p + 1, j) = c * y - s * x;
    }
    for (int i = 0; i < n; ++i) {
        double x = *at(v, n, i, p), y = *at(v, n, i, p + 1);
        *at(v, n, i, p) = c * x + s * y;
        *at(v, n, i, p + 1) = c * y - s * x;
        if (i > p + 1) continue;
        x = *at(a, n, i, p);
        y = *at(a, n, i, p + 1);
        *at(a, n, i, p) = c * x + s * y;
        *at(a, n, i, p + 1) = c * y - s * x;
    }
    *at(a, n, p + 1, p) = im[p] = im[p + 1] = 0.0;
    re[p] = *at(a, n, p, p);
    re[p + 1] = *at(a, n, p + 1, p + 1);
}

static bool to_schur(int n, double *a, double *v, double *re, double *im, double norm, double *work)
{
    enum { STEPS = 60 }; // for each block; three do
    for (int hi = n - 1, step = 0; hi >= 0;) {
        int lo = first_of_block(n, a, hi, norm);
        if (hi - lo < 2) {
            if (hi == lo) {
                re[hi] = *at(a, n, hi, hi);
                im[hi] = 0.0;
            } else {
                split_pair(n, a, v, lo, re, im);
            }
            hi = lo - 1;
            step = 0;
            continue;
        }
        if (step++ == STEPS) return false;
        double shift[3] = {*at(a, n, hi, hi), *at(a, n, hi - 1, hi - 1), *at(a, n, hi, hi - 1) * *at(a, n, hi - 1, hi)};
        if (step % 10 == 0) { // one from elsewhere ends a cycle
            double s = fabs(*at(a, n, hi, hi - 1)) + fabs(*at(a, n, hi - 1, hi - 2));
            shift[0] = shift[1] = *at(a, n, hi, hi) + 0.75 * s;
            shift[2] = -0.4375 * s * s;
        }
        francis_step(n, a, v, lo, hi, shift, work);
    }
    return true;
}

// x of (T - lambda) x = 0, T upper triangular but for blocks of two, whose last row is `last`; entries below are zero.
static void solve_upwards(int n, double *T, const double *im, int last, double _Complex lambda, double least,
                          double _Complex *x)
{
    int k = last;
    x[last] = 1.0;
    if (im[last] != 0.0) {
        double b = *at(T, n, last - 1, last), c = *at(T, n, last, last - 1);
        x[last - 1] = fabs(c) >= fabs(b) ? (lambda - *at(T, n, last, last)) / c : 1.0;
        if (fabs(c) < fabs(b)) x[last] = (lambda - *at(T, n, last - 1, last - 1)) / b;
        k = last - 1;
    }
    while (--k >= 0) {
        bool pair = im[k] != 0.0;
        double _Complex r[2] = {0};
        double size = 0.0;
        for (int j = k + 1; j <= last; ++j) {
            r[1] -= *at(T, n, k, j) * x[j];
            if (pair) r[0] -= *at(T, n, k - 1, j) * x[j];
        }
        double _Complex d = *at(T, n, k, k) - lambda;
        if (pair) {
            double b = *at(T, n, k - 1, k), c = *at(T, n, k, k - 1);
            double _Complex first = *at(T, n, k - 1, k - 1) - lambda, det = first * d - b * c;
            if (cabs(det) < least * least) det = least * least;
            x[k] = (first * r[1] - c * r[0]) / det;
            x[k - 1] = (d * r[0] - b * r[1]) / det;
            size = cabs(x[--k]);
            size = fmax(size, cabs(x[k + 1]));
        } else {
            x[k] = r[1] / (cabs(d) < least ? least : d);
            size = cabs(x[k]);
        }
        for (int j = k; size > 0x1p300 && j <= last; ++j)
            x[j] *= 0x1p-300;
    }
}

// v x, back from the balance, of unit length: the real part into `re`, the imaginary into `im`.
static void turn_back(int n, const double *v, const double *scale, int last, const double _Complex *x, double *re,
                      double *im)
{
    memset(re, 0, (size_t)n * sizeof *re);
    memset(im, 0, (size_t)n * sizeof *im);
    for (int j = 0; j <= last; ++j) {
        eri_own_axpy(n, creal(x[j]), v + (size_t)j * (size_t)n, re);
        eri_own_axpy(n, cimag(x[j]), v + (size_t)j * (size_t)n, im);
    }
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < n; ++i) {
        re[i] *= scale[i];
        im[i] *= scale[i];
        largest = fmax(largest, fmax(fabs(re[i]), fabs(im[i])));
    }
    for (int i = 0; i < n; ++i)
        sum += re[i] / largest * (re[i] / largest) + im[i] / largest * (im[i] / largest);
    for (int i = 0; i < n; ++i) {
        re[i] /= largest * sqrt(sum);
        im[i] /= largest * sqrt(sum);
    }
}

bool eri_own_eigen(int n, double *a, double *re, double *im, double *v, double *work, int *order)
{
    double *scale = work, *part[2] = {work + n, work + 2 * n}, norm = 0.0;
    double _Complex *x = (double _Complex *)(work + 3 * n);
    isolate(n, a, order);
    permute(n, a, order, v);
    balance(n, a, scale);
    to_hessenberg(n, a, v, work + n);
    for (int i = 0; i < n * n; ++i)
        norm = fmax(norm, fabs(a[i]));
    if (!(norm < HUGE_VAL) || !to_schur(n, a, v, re, im, norm, work + n)) return false;
    for (int k = n - 1; k >= 0; --k) { // from the last on: a vector needs those of v up to its own
        bool pair = im[k] != 0.0;
        solve_upwards(n, a, im, k, re[k] + fabs(im[k]) * I, fmax(DBL_EPSILON * norm, DBL_MIN), x);
        turn_back(n, v, scale, k, x, part[0], part[1]);
        k -= pair;
        for (int i = 0; i < n; ++i)
            *at(v, n, i, k) = part[0][i];
        for (int i = 0; pair && i < n; ++i)
            *at(v, n, i, k + 1) = part[1][i];
    }
    for (int j = 0; j < n; ++j) {
        double *c = at(v, n, 0, j);
        memcpy(part[0], c, (size_t)n * sizeof *c);
        for (int i = 0; i < n; ++i)
            c[order[i]] = part[0][i];
    }
    return true;
}
