/// @file
/// Private: six numbers as two vectors, and small dense systems.
#ifndef ERI_GAIT_CONTROL_WALKER_ALGEBRA_H
#define ERI_GAIT_CONTROL_WALKER_ALGEBRA_H

#include <eigenrig/math.h>

static inline void eri_join(er_vec3 a, er_vec3 b, double out[6])
{
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
    out[3] = b.x, out[4] = b.y, out[5] = b.z;
}

static inline void eri_split(const double v[6], er_vec3 *a, er_vec3 *b)
{
    *a = er_v3(v[0], v[1], v[2]);
    *b = er_v3(v[3], v[4], v[5]);
}

/// The Cholesky factor of a symmetric positive definite matrix, in its lower half.
/// @param n  rows, at most 6
static inline void eri_cholesky(double a[6][6], int n)
{
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k)
            a[j][j] -= a[j][k] * a[j][k];
        a[j][j] = sqrt(fmax(a[j][j], 1e-30));
        for (int i = j + 1; i < n; ++i) {
            for (int k = 0; k < j; ++k)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
}

static inline void eri_cholesky_solve(double a[6][6], int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= a[k][i] * x[k];
        x[i] /= a[i][i];
    }
}

/// The inverse of a matrix by elimination with pivots; not finite if it is singular.
static inline void eri_invert6(double a[6][6], double out[6][6])
{
    double m[6][12];
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            m[i][j] = a[i][j], m[i][6 + j] = i == j;
    for (int j = 0; j < 6; ++j) {
        int pivot = j;
        for (int i = j + 1; i < 6; ++i)
            if (fabs(m[i][j]) > fabs(m[pivot][j])) pivot = i;
        for (int k = 0; k < 12; ++k) {
            double t = m[j][k];
            m[j][k] = m[pivot][k];
            m[pivot][k] = t;
        }
        double scale = 1.0 / m[j][j];
        for (int k = 0; k < 12; ++k)
            m[j][k] *= scale;
        for (int i = 0; i < 6; ++i)
            for (int k = 11; k >= j && i != j; --k)
                m[i][k] -= m[i][j] * m[j][k];
    }
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            out[i][j] = m[i][6 + j];
}

#endif
