// Complex equations by elimination.
#include <complex.h>

#include "math/own/own.h"

static void swap(double _Complex *x, double _Complex *y)
{
    double _Complex kept = *x;
    *x = *y;
    *y = kept;
}

// P a = L U, in place.
static bool factor(int n, double _Complex *a, int *pivot)
{
    for (int k = 0; k < n; ++k) {
        double _Complex *c = a + (size_t)k * (size_t)n;
        pivot[k] = k;
        for (int i = k + 1; i < n; ++i)
            if (cabs(c[i]) > cabs(c[pivot[k]])) pivot[k] = i;
        if (!(cabs(c[pivot[k]]) > 0.0)) return false;
        for (int j = 0; j < n; ++j)
            swap(&a[(size_t)k + (size_t)j * (size_t)n], &a[(size_t)pivot[k] + (size_t)j * (size_t)n]);
        for (int i = k + 1; i < n; ++i)
            c[i] /= c[k];
        for (int j = k + 1; j < n; ++j) {
            double _Complex *to = a + (size_t)j * (size_t)n;
            for (int i = k + 1; i < n; ++i)
                to[i] -= c[i] * to[k];
        }
    }
    return true;
}

bool eri_own_solve(int n, double _Complex *a, int *pivot, double _Complex *b)
{
    if (!factor(n, a, pivot)) return false;
    for (int k = 0; k < n; ++k)
        swap(&b[k], &b[pivot[k]]);
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i)
            b[i] -= a[(size_t)i + (size_t)k * (size_t)n] * b[k];
    for (int k = n - 1; k >= 0; --k) {
        b[k] /= a[(size_t)k * (size_t)(n + 1)];
        for (int i = 0; i < k; ++i)
            b[i] -= a[(size_t)i + (size_t)k * (size_t)n] * b[k];
    }
    return true;
}
