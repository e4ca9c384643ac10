// Columns made orthogonal by rotations of two at a time.
#include <float.h>
#include <math.h>

#include "math/own/own.h"

static void swap(int n, double *x, double *y)
{
    for (int i = 0; i < n; ++i) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

static double *column(double *x, int n, int j)
{
    return x + (size_t)j * (size_t)n;
}

// The longest of the columns from p on comes to p.
static void bring_longest(int rows, int cols, double *x, int v_rows, double *v, double *squared, int p)
{
    int longest = p;
    for (int j = p + 1; j < cols; ++j)
        if (squared[j] > squared[longest]) longest = j;
    if (longest == p) return;
    swap(rows, column(x, rows, p), column(x, rows, longest));
    swap(v_rows, column(v, v_rows, p), column(v, v_rows, longest));
    swap(1, squared + p, squared + longest);
}

bool eri_own_orthogonalise(int rows, int cols, double *x, int v_rows, double *v, double floor, double *squared)
{
    enum { SWEEPS = 60 }; // ten do
    double tol = DBL_EPSILON * sqrt((double)rows);
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        bool turned = false;
        for (int j = 0; j < cols; ++j)
            squared[j] = eri_own_dot(rows, column(x, rows, j), column(x, rows, j));
        for (int p = 0; p < cols; ++p) {
            bring_longest(rows, cols, x, v_rows, v, squared, p);
            double *a = column(x, rows, p);
            for (int q = p + 1; q < cols; ++q) {
                double *b = column(x, rows, q);
                if (squared[p] <= floor * floor || squared[q] <= floor * floor) continue;
                double ab = eri_own_dot(rows, a, b);
                if (!(fabs(ab) > tol * sqrt(squared[p]) * sqrt(squared[q]))) continue;
                double zeta = (squared[q] - squared[p]) / (2.0 * ab);
                double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta)), c = 1.0 / hypot(1.0, t), s = t * c;
                eri_own_turn(rows, a, b, c, s);
                eri_own_turn(v_rows, column(v, v_rows, p), column(v, v_rows, q), c, s);
                squared[p] = eri_own_dot(rows, a, a);
                squared[q] = eri_own_dot(rows, b, b);
                turned = true;
            }
        }
        if (!turned) return true;
    }
    return false;
}
