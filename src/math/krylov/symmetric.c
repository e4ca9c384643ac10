// Eigenpairs of eight dense symmetric matrices side by side: Householder's reduction, then QL.
// A = Q T Q', Q = H_0 H_1 ... the reflections H_k = 1 - tau v v' that clear column k below the subdiagonal, v_(k+1)
// = 1. H A H = A - v w' - w v', w = p - (tau / 2) (p'v) v, p = tau A v. The pass that updates by one reflection
// multiplies by the next one's vector, so that the matrix is read and written once a step.
#include "math/krylov/symmetric.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/krylov/tridiagonal.h"

enum { COLUMNS = 4 }; // turned at once: sums wait for each other otherwise

ERI_LANES_INLINE eri_lanes root(eri_lanes x)
{
    for (int i = 0; i < ERI_LANE_COUNT; ++i) // becomes one instruction
        x[i] = sqrt(x[i]);
    return x;
}

// Powers of two that bring the largest entries near 1, so that squares stay in range; 1 for a matrix of zeros.
ERI_LANES_DO(scale_down, (int n, eri_lanes *a, int stride, eri_lanes *back), (n, a, stride, back))
{
    eri_lanes most = {0}, down;
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i)
            most = eri_lanes_larger(most, eri_lanes_magnitude(a[j * stride + i]));
    for (int k = 0; k < ERI_LANE_COUNT; ++k) {
        int exponent = most[k] > 0.0 && most[k] <= DBL_MAX ? ilogb(most[k]) : 0;
        (*back)[k] = ldexp(1.0, exponent);
        down[k] = ldexp(1.0, -exponent);
    }
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i)
            a[j * stride + i] *= down;
}

// x (rows first .. n - 1) becomes v, its first entry 1; what is left of it is `beta`.
ERI_LANES_INLINE void reflect(int n, int first, eri_lanes *x, eri_lanes *tau, eri_lanes *beta)
{
    const double nothing = 1e-280; // squares below have lost digits, and entries that small count for nothing beside 1
    eri_lanes one = (eri_lanes){0} + 1.0, part[2] = {{0}, {0}}, alpha = x[first];
    for (int i = first + 1; i < n; ++i)
        part[i & 1] += x[i] * x[i];
    eri_lanes rest = part[0] + part[1], norm = root(alpha * alpha + rest);
    eri_mask turns = rest > nothing;
    eri_lanes end = eri_lanes_choose(alpha > 0.0, -norm, norm);
    eri_lanes scale = eri_lanes_choose(turns, one / eri_lanes_choose(turns, alpha - end, one), (eri_lanes){0});
    *tau = eri_lanes_choose(turns, (end - alpha) / eri_lanes_choose(turns, end, one), (eri_lanes){0});
    *beta = eri_lanes_choose(turns, end, alpha);
    for (int i = first + 1; i < n; ++i)
        x[i] *= scale;
    x[first] = one;
}

// Column j less v w' + w v', from the diagonal down.
ERI_LANES_INLINE void update_column(int n, int j, eri_lanes *column, const eri_lanes *v, const eri_lanes *w)
{
    eri_lanes vj = v[j], wj = w[j];
    for (int i = j; i < n; ++i)
        column[i] -= v[i] * wj + w[i] * vj;
}

// Two columns less v w' + w v', and their share of p = A u.
ERI_LANES_INLINE void update_and_multiply(int n, int j, eri_lanes *a, eri_lanes *b, const eri_lanes *v,
                                          const eri_lanes *w, const eri_lanes *u, eri_lanes *p)
{
    eri_lanes va = v[j], wa = w[j], ua = u[j], vb = v[j + 1], wb = w[j + 1], ub = u[j + 1];
    eri_lanes corner = a[j] - 2.0 * va * wa, between = a[j + 1] - vb * wa - wb * va, end = b[j + 1] - 2.0 * vb * wb;
    eri_lanes pa = corner * ua + between * ub, pb = between * ua + end * ub;
    a[j] = corner;
    a[j + 1] = between;
    b[j + 1] = end;
    for (int i = j + 2; i < n; ++i) {
        eri_lanes vi = v[i], wi = w[i], x = a[i] - vi * wa - wi * va, y = b[i] - vi * wb - wi * vb;
        a[i] = x;
        b[i] = y;
        p[i] += x * ua + y * ub;
        pa += x * u[i];
        pb += y * u[i];
    }
    p[j] += pa;
    p[j + 1] += pb;
}

// p becomes w of the reflection.
ERI_LANES_INLINE void finish_product(int n, int first, eri_lanes tau, const eri_lanes *v, eri_lanes *p)
{
    eri_lanes sum = {0};
    for (int i = first; i < n; ++i)
        sum += p[i] * v[i];
    eri_lanes half = 0.5 * tau * tau * sum;
    for (int i = first; i < n; ++i)
        p[i] = tau * p[i] - half * v[i];
}

// d and e of T; below the diagonal of `a` the vectors v.
ERI_LANES_DO(reduce,
             (int n, eri_lanes *a, int stride, eri_lanes *d, eri_lanes *e, eri_lanes *tau, eri_lanes *w, eri_lanes *p),
             (n, a, stride, d, e, tau, w, p))
{
    const eri_lanes *v = w; // of the step before: none yet
    memset(w, 0, (size_t)n * sizeof *w);
    for (int k = 0; k < n; ++k) {
        eri_lanes *column = a + k * stride;
        update_column(n, k, column, v, w);
        d[k] = column[k];
        if (k + 1 == n) break;
        reflect(n, k + 1, column, &tau[k], &e[k]);
        memset(p, 0, (size_t)n * sizeof *p);
        int j = k + 1;
        for (; j + 1 < n; j += 2)
            update_and_multiply(n, j, a + j * stride, a + (j + 1) * stride, v, w, column, p);
        if (j < n) {
            eri_lanes *corner = a + j * stride + j;
            *corner -= 2.0 * v[j] * w[j];
            p[j] += *corner * column[j];
        }
        finish_product(n, k + 1, tau[k], column, p);
        eri_lanes *used = w;
        v = column;
        w = p;
        p = used;
    }
    e[n - 1] = (eri_lanes){0};
}

// Some columns by the reflection of v, whose rows begin at `first`.
ERI_LANES_INLINE void turn_columns(int count, int n, int first, eri_lanes tau, const eri_lanes *v, eri_lanes *a,
                                   int stride)
{
    eri_lanes x[COLUMNS] = {{0}};
    for (int i = first; i < n; ++i)
        for (int k = 0; k < count; ++k)
            x[k] += v[i] * a[k * stride + i];
    for (int k = 0; k < count; ++k)
        x[k] *= tau;
    for (int i = first; i < n; ++i)
        for (int k = 0; k < count; ++k)
            a[k * stride + i] -= x[k] * v[i];
}

// Columns [j, j + count) of Q in place of the vectors there, which only they still need.
ERI_LANES_INLINE void form_columns(int count, int n, int j, eri_lanes *a, int stride, const eri_lanes *tau,
                                   eri_lanes *spare)
{
    for (int k = 0; k < count; ++k) {
        eri_lanes *column = a + (j + k) * stride;
        memcpy(spare + k * n, column, (size_t)n * sizeof *column);
        memset(column, 0, (size_t)n * sizeof *column);
        column[j + k] = (eri_lanes){0} + 1.0;
    }
    for (int k = j + count - 2; k >= 0; --k)
        turn_columns(count, n, k + 1, tau[k], k < j ? a + k * stride : spare + (k - j) * n, a + j * stride, stride);
}

// From the right, a few columns at a time: they stay near the processor while all reflections go over them.
ERI_LANES_DO(form_q, (int n, eri_lanes *a, int stride, const eri_lanes *tau, eri_lanes *spare),
             (n, a, stride, tau, spare))
{
    int j = n;
    for (; j >= COLUMNS; j -= COLUMNS)
        form_columns(COLUMNS, n, j - COLUMNS, a, stride, tau, spare);
    for (; j > 0; --j)
        form_columns(1, n, j - 1, a, stride, tau, spare);
}

ERI_LANES_DO(scale_back, (int n, eri_lanes *value, const eri_lanes *back), (n, value, back))
{
    for (int i = 0; i < n; ++i)
        value[i] *= *back;
}

unsigned eri_symmetric_eigen(int n, eri_lanes *a, int stride, eri_lanes *value, eri_lanes *work)
{
    eri_lanes back, *e = work, *tau = work + n, *rest = work + 2 * n;
    if (n == 0) return 0;
    scale_down(n, a, stride, &back);
    reduce(n, a, stride, value, e, tau, rest, rest + n);
    form_q(n, a, stride, tau, rest);
    unsigned lost = eri_tridiagonal_eigen(n, value, e, n, a, stride, rest);
    scale_back(n, value, &back);
    return lost;
}
