// Matrices of fixed sizes up to 6 x 6: a call to LAPACK would cost more than the work, and ask for its work space.
#include <float.h>
#include <math.h>

#include "math/dense/dense.h"

// a = R' R, R in the upper triangle (Golub & Van Loan, 4.2.4).
static bool factor(int n, double *a)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i <= j; ++i) {
            double sum = a[i + j * n];
            for (int k = 0; k < i; ++k)
                sum -= a[k + i * n] * a[k + j * n];
            if (i == j && !(sum > 0.0 && sum < HUGE_VAL)) return false;
            a[i + j * n] = i == j ? sqrt(sum) : sum / a[i + i * n];
        }
    return true;
}

// R <- R^-1, column by column from the left.
static void invert_upper(int n, double *R)
{
    for (int j = 0; j < n; ++j) {
        R[j + j * n] = 1.0 / R[j + j * n];
        for (int i = 0; i < j; ++i) {
            double sum = 0.0;
            for (int k = i; k < j; ++k)
                sum += R[i + k * n] * R[k + j * n];
            R[i + j * n] = -sum * R[j + j * n];
        }
    }
}

er_result eri_linalg_small_inverse(er_context *context, int n, double *a)
{
    assert(n <= 6);
    if (!factor(n, a)) return eri_linalg_not_definite(context, n);
    invert_upper(n, a);
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) { // a^-1 = R^-1 R'^-1
            double sum = 0.0;
            for (int k = j; k < n; ++k)
                sum += a[i + k * n] * a[j + k * n];
            a[i + j * n] = sum;
        }
    for (int j = 0; j < n; ++j)
        for (int i = j + 1; i < n; ++i)
            a[i + j * n] = a[j + i * n];
    return ER_OK;
}

// Turns columns p and q of x by c and s.
static void turn_columns(int n, double *x, int p, int q, double c, double s)
{
    for (int i = 0; i < n; ++i) {
        double u = x[i + p * n], v = x[i + q * n];
        x[i + p * n] = c * u - s * v;
        x[i + q * n] = s * u + c * v;
    }
}

// a <- J' a J, v <- v J with the rotation J in the plane of p and q that makes a_pq zero (Golub & Van Loan, 8.5.2).
static void rotate(int n, double *a, double *v, int p, int q)
{
    double tau = (a[q + q * n] - a[p + p * n]) / (2.0 * a[p + q * n]);
    double t = copysign(1.0, tau) / (fabs(tau) + hypot(1.0, tau)), c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    turn_columns(n, a, p, q, c, s);
    for (int j = 0; j < n; ++j) {
        double x = a[p + j * n], y = a[q + j * n];
        a[p + j * n] = c * x - s * y;
        a[q + j * n] = s * x + c * y;
    }
    a[p + q * n] = a[q + p * n] = 0.0;
    turn_columns(n, v, p, q, c, s);
}

// Jacobi's method, row by row, until what is left is below the rounding of the largest entry.   @return  whether it is
static bool diagonalise(int n, double *a, double *v)
{
    enum { SWEEPS = 50 }; // five do, ever so often
    double largest = 0.0;
    for (int i = 0; i < n * n; ++i) {
        if (!(fabs(a[i]) < HUGE_VAL)) return false;
        largest = fmax(largest, fabs(a[i]));
    }
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        bool turned = false;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q)
                if (fabs(a[p + q * n]) > 0.125 * DBL_EPSILON * largest) {
                    rotate(n, a, v, p, q);
                    turned = true;
                }
        if (!turned) return true;
    }
    return false;
}

er_result eri_linalg_small_eigen(er_context *context, int n, double *a, double *values)
{
    double v[36] = {0}, symmetric[36];
    int order[6];
    assert(n <= 6);
    for (int j = 0; j < n; ++j) {
        v[j + j * n] = 1.0;
        for (int i = 0; i <= j; ++i)
            symmetric[i + j * n] = symmetric[j + i * n] = a[i + j * n];
    }
    if (!diagonalise(n, symmetric, v))
        return er_fail(context, ER_ERROR_NO_CONVERGENCE, "Jacobi's method did not converge on a %dx%d matrix", n, n);
    for (int j = 0; j < n; ++j) { // sorted as it comes
        int at = j;
        for (; at > 0 && symmetric[order[at - 1] * (n + 1)] > symmetric[j * (n + 1)]; --at)
            order[at] = order[at - 1];
        order[at] = j;
    }
    for (int j = 0; j < n; ++j) {
        values[j] = symmetric[order[j] * (n + 1)];
        for (int i = 0; i < n; ++i)
            a[i + j * n] = v[i + order[j] * n];
    }
    return ER_OK;
}
