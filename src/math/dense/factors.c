// Factorisations that only read what another made.
#include <math.h>
#include <string.h>

#include "math/dense/dense.h"

er_result eri_linalg_pivoted_qr(er_arena *arena, eri_matrix a, double **diagonal, eri_matrix *q)
{
    int *pivot;
    return eri_linalg_pivoted_factor(arena, a, diagonal, &pivot, q);
}

static void swap(double *x, int i, int j)
{
    double kept = x[i];
    x[i] = x[j];
    x[j] = kept;
}

// The diagonal of |L| |D| |L'|, row by row as elimination meets it, tells how large what cancels in a pivot was.
double eri_linalg_indefinite_factor(int n, double *a, int *pivot, double *work, int *negative)
{
    *negative = 0;
    if (n == 0) return 1.0;
    double growth = 1.0, *sum = work;
    if (!eri_linalg_indefinite_reduce(n, a, pivot, work)) return HUGE_VAL;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int k = 0; k < n;) {
        const double *l = a + (size_t)k * (size_t)n, *m = l + n;
        if (pivot[k] > 0) {
            double d = fabs(l[k]);
            swap(sum, k, pivot[k] - 1);
            *negative += l[k] < 0.0;
            growth = fmax(growth, (sum[k] + d) / d);
            for (int i = k + 1; i < n; ++i)
                sum[i] += l[i] * l[i] * d;
            k += 1;
        } else { // a block of 2 x 2 has an eigenvalue of either sign
            double d = fabs(l[k]), e = fabs(l[k + 1]), f = fabs(m[k + 1]);
            swap(sum, k + 1, -pivot[k] - 1);
            *negative += 1;
            growth = fmax(growth, ((sum[k] + d) * f + (sum[k + 1] + f) * d + 2.0 * sqrt(sum[k] * sum[k + 1]) * e) /
                                      fabs(l[k] * m[k + 1] - e * e));
            for (int i = k + 2; i < n; ++i)
                sum[i] += l[i] * l[i] * d + 2.0 * fabs(l[i] * m[i]) * e + m[i] * m[i] * f;
            k += 2;
        }
    }
    return growth;
}
