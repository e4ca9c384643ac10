// Shapes of equal damped roots (docs/math/damping.md).
#include "modal/equal_roots.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double tied = 1e-6, parallel = 1e-3; // relative

static eri_complex product(int n, const eri_complex *x, const eri_complex *y)
{
    eri_complex sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += conj(x[i]) * y[i];
    return sum;
}

static void scale(int n, eri_complex *x, double factor)
{
    for (int i = 0; i < n; ++i)
        x[i] *= factor;
}

// Makes shapes orthonormal, twice, so that rounding does not add up.   @return false if two are nearly parallel
static bool orthonormalise(int count, int n, eri_complex *const *shape)
{
    for (int j = 0; j < count; ++j)
        for (int pass = 0; pass < 2; ++pass) {
            for (int k = 0; k < j; ++k) {
                eri_complex share = product(n, shape[k], shape[j]);
                for (int i = 0; i < n; ++i)
                    shape[j][i] -= share * shape[k][i];
            }
            double norm = sqrt(creal(product(n, shape[j], shape[j])));
            if (norm < parallel) return false;
            scale(n, shape[j], 1.0 / norm);
        }
    return true;
}

static double square_of(int first, int count, eri_complex *const *shape, int at)
{
    double sum = 0.0;
    for (int j = first; j < count; ++j)
        sum += creal(shape[j][at] * conj(shape[j][at]));
    return sum;
}

static int find_pivot(int first, int count, int n, const int *mode, eri_complex *const *shape)
{
    double most = 0.0;
    int best = -1;
    for (int i = 0; i < n; ++i)
        most = fmax(most, square_of(first, count, shape, i));
    for (int i = 0; i < n; ++i)
        if ((best < 0 || mode[i] < mode[best]) && square_of(first, count, shape, i) >= most * (1.0 - tied)) best = i;
    return best;
}

// A Householder reflection that leaves the pivot to the first shape.
static void give_pivot(int first, int count, int n, eri_complex *const *shape, int pivot)
{
    eri_complex w[ERI_MOST_EQUAL_ROOTS];
    double norm = sqrt(square_of(first, count, shape, pivot)), square = 0.0;
    if (!(norm > 0.0)) return;
    for (int j = first; j < count; ++j)
        w[j] = conj(shape[j][pivot]) / norm;
    w[first] += cabs(w[first]) > 0.0 ? w[first] / cabs(w[first]) : 1.0;
    for (int j = first; j < count; ++j)
        square += creal(w[j] * conj(w[j]));
    for (int i = 0; i < n; ++i) {
        eri_complex sum = 0.0;
        for (int j = first; j < count; ++j)
            sum += shape[j][i] * w[j];
        for (int j = first; j < count; ++j)
            shape[j][i] -= 2.0 / square * sum * conj(w[j]);
    }
}

er_result eri_turn_equal_roots(er_arena *scratch, int count, int n, const int *mode, eri_complex *const *shape)
{
    er_result r = ER_OK;
    size_t size = (size_t)n * sizeof(eri_complex);
    eri_complex *copy[ERI_MOST_EQUAL_ROOTS];
    for (int j = 0; j < count; ++j) {
        ERI_TRY_NEW(copy[j], scratch, eri_complex, n);
        memcpy(copy[j], shape[j], size);
    }
    if (!orthonormalise(count, n, copy)) goto done;
    for (int first = 0; first < count; ++first)
        give_pivot(first, count, n, copy, find_pivot(first, count, n, mode, copy));
    for (int j = 0; j < count; ++j)
        memcpy(shape[j], copy[j], size);
done:
    return r;
}
