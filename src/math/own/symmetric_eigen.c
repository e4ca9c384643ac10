// Symmetric matrices to three diagonals by reflections, and their vectors back.
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "math/own/divide_and_conquer.h"
#include "math/own/own.h"

// c -= v w_0 + w v_0, then y += c u_0, from the second row on.   @return  c . u there: one pass over a column.
ERI_LANES(double, update_and_multiply,
          (int n, double *restrict c, const double *restrict v, const double *restrict w, const double *restrict u,
           double *restrict y),
          (n, c, v, w, u, y))
{
    double v0 = v[0], w0 = w[0], u0 = u[0], rest = 0.0;
    eri_lanes sum = {0};
    int i = 1;
    c[0] -= 2.0 * v0 * w0;
    for (; i + ERI_LANE_COUNT <= n; i += ERI_LANE_COUNT) {
        eri_lanes x = *(eri_lanes_loose *)(c + i);
        x -= *(const eri_lanes_loose *)(v + i) * w0 + *(const eri_lanes_loose *)(w + i) * v0;
        *(eri_lanes_loose *)(c + i) = x;
        sum += x * *(const eri_lanes_loose *)(u + i);
        *(eri_lanes_loose *)(y + i) += x * u0;
    }
    for (; i < n; ++i) {
        c[i] -= v[i] * w0 + w[i] * v0;
        rest += c[i] * u[i];
        y[i] += c[i] * u0;
    }
    return eri_lanes_sum(sum) + rest;
}

typedef struct tridiagonalisation {
    int n;
    double *a, *d, *e, *tau, *v, *w, *u, *y; // v and w are yet to be taken off: v w' + w v'
} tridiagonalisation;

// c -= v w_0 + w v_0 alone.
static void update(int n, double *c, const double *v, const double *w)
{
    double v0 = v[0], w0 = w[0];
    for (int i = 0; i < n; ++i)
        c[i] -= v[i] * w0 + w[i] * v0;
}

// Column k is made what the steps before leave of it, then reflected; the columns after it are updated by the step
// before and multiplied by this step's reflection in one pass.
static void reduce_column(const tridiagonalisation *r, int k)
{
    int n = r->n;
    double *c = r->a + (size_t)k * (size_t)(n + 1);
    update(n - k, c, r->v + k, r->w + k);
    r->d[k] = c[0];
    r->tau[k] = eri_own_reflect(n - k - 1, c + 1);
    r->e[k] = c[1];
    double *u = r->u, *y = r->y;
    u[k + 1] = 1.0;
    memcpy(u + k + 2, c + 2, (size_t)(n - k - 2) * sizeof *u);
    memset(y + k + 1, 0, (size_t)(n - k - 1) * sizeof *y);
    for (int j = k + 1; j < n; ++j) {
        double *x = r->a + (size_t)j * (size_t)(n + 1);
        double sum = update_and_multiply(n - j, x, r->v + j, r->w + j, u + j, y + j);
        y[j] += sum + x[0] * u[j];
    }
    double half = 0.5 * r->tau[k] * eri_own_dot(n - k - 1, y + k + 1, u + k + 1);
    for (int i = k + 1; i < n; ++i) {
        r->v[i] = u[i];
        r->w[i] = r->tau[k] * (y[i] - half * u[i]);
    }
}

double eri_own_scale(int rows, int cols, const double *a, bool lower)
{
    double largest = 0.0;
    for (int j = 0; j < cols; ++j)
        for (int i = lower ? j : 0; i < rows; ++i) {
            double size = fabs(a[(size_t)i + (size_t)j * (size_t)rows]);
            if (!(size < HUGE_VAL)) return NAN;
            largest = fmax(largest, size);
        }
    return largest == 0.0 || (largest > 0x1p-300 && largest < 0x1p300) ? 1.0 : ldexp(1.0, -ilogb(largest));
}

size_t eri_own_symmetric_work(int n)
{
    return (size_t)n * (size_t)n + eri_own_tridiagonal_work(n) + eri_own_apply_work(n) + 7 * (size_t)n;
}

bool eri_own_symmetric(int n, double *a, double *values, double *work, int *integers)
{
    double scale = eri_own_scale(n, n, a, true), *Q = work, *rest = Q + (size_t)n * (size_t)n;
    tridiagonalisation r = {n, a, rest, rest + n, rest + 2 * n, rest + 3 * n, rest + 4 * n, rest + 5 * n, rest + 6 * n};
    rest += 7 * n;
    if (!(scale > 0.0)) return false;
    for (int j = 0; scale != 1.0 && j < n; ++j)
        for (int i = j; i < n; ++i)
            a[(size_t)i + (size_t)j * (size_t)n] *= scale;
    memset(r.v, 0, 2 * (size_t)n * sizeof(double));
    for (int k = 0; k < n - 1; ++k)
        reduce_column(&r, k);
    double *last = a + (size_t)(n - 1) * (size_t)(n + 1);
    update(1, last, r.v + n - 1, r.w + n - 1);
    r.d[n - 1] = *last;
    if (!eri_own_tridiagonal(n, r.d, r.e, Q, n, rest, integers)) return false;
    // Reflection k begins at row k + 1 of column k.
    eri_own_apply(false, n - 1, n, n - 1, a + 1, n, r.tau, Q + 1, n, rest);
    for (int j = 0; j < n; ++j) {
        values[j] = r.d[integers[j]] / scale;
        memcpy(a + (size_t)j * (size_t)n, Q + (size_t)integers[j] * (size_t)n, (size_t)n * sizeof(double));
    }
    return true;
}
