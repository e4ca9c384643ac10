// Q R by Householder's reflections, and blocks of them applied by products: I - V T V' (Schreiber & Van Loan, SIAM J.
// Sci. Stat. Comput. 10, 1989).
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/own/own.h"

enum { BLOCK = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// The length of x, scaled where squares would leave the range of doubles.
static double length(int n, const double *x)
{
    double squared = eri_own_dot(n, x, x), most = 0.0, sum = 0.0;
    if (squared > DBL_MIN / DBL_EPSILON && squared < DBL_MAX) return sqrt(squared);
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(x[i]));
    for (int i = 0; most > 0.0 && i < n; ++i)
        sum += x[i] / most * (x[i] / most);
    return most * sqrt(sum);
}

double eri_own_reflect(int n, double *x)
{
    if (n == 0) return 0.0;
    double rest = length(n - 1, x + 1);
    if (rest == 0.0) return 0.0;
    double beta = -copysign(hypot(x[0], rest), x[0]), tau = (beta - x[0]) / beta, head = x[0] - beta;
    for (int i = 1; i < n; ++i)
        x[i] /= head;
    x[0] = beta;
    return tau;
}

// c -= tau v v' c for each column, v_0 = 1 not stored.
static void reflect_columns(int rows, int cols, const double *v, double tau, double *c, int stride)
{
    for (int j = 0; tau != 0.0 && j < cols; ++j) {
        double *x = c + (size_t)j * (size_t)stride, y = tau * (x[0] + eri_own_dot(rows - 1, v + 1, x + 1));
        x[0] -= y;
        eri_own_axpy(rows - 1, -y, v + 1, x + 1);
    }
}

static void factor(int rows, int cols, double *a, int stride, double *tau)
{
    for (int k = 0; k < cols && k < rows; ++k) {
        double *c = a + k + (size_t)k * (size_t)stride;
        tau[k] = eri_own_reflect(rows - k, c);
        reflect_columns(rows - k, cols - k - 1, c, tau[k], c + stride, stride);
    }
}

// V of a block, its unit triangle written out, below which are the rows of v.
typedef struct reflection_block {
    int count;
    double V[BLOCK * BLOCK], T[BLOCK * BLOCK]; // count x count
} reflection_block;

static void prepare(int rows, int count, const double *v, int stride, const double *tau, reflection_block *b)
{
    double *V = b->V, *T = b->T;
    memset(b, 0, sizeof *b);
    b->count = count;
    for (int j = 0; j < count; ++j) {
        V[j + j * count] = 1.0;
        for (int i = j + 1; i < count; ++i)
            V[i + j * count] = v[(size_t)i + (size_t)j * (size_t)stride];
    }
    double products[BLOCK * BLOCK] = {0};
    eri_own_multiply(true, false, count, count, rows - count, 1.0, v + count, stride, v + count, stride, products,
                     count);
    for (int j = 0; j < count; ++j) { // column by column: T_j = -tau_j T (V' v_j), and tau_j on the diagonal
        double y[BLOCK];
        for (int i = 0; i < j; ++i)
            y[i] = -tau[j] * (products[i + j * count] + eri_own_dot(count, V + i * count, V + j * count));
        for (int i = 0; i < j; ++i) {
            double sum = 0.0;
            for (int k = i; k < j; ++k)
                sum += T[i + k * count] * y[k];
            T[i + j * count] = sum;
        }
        T[j + j * count] = tau[j];
    }
}

// c -= V op(T) V' c.
static void apply_block(bool transpose, int rows, int cols, const reflection_block *b, const double *v, int v_stride,
                        double *c, int c_stride, double *work)
{
    int count = b->count;
    double *W = work, *TW = work + count * cols;
    memset(work, 0, 2 * (size_t)(count * cols) * sizeof *work);
    eri_own_multiply(true, false, count, cols, count, 1.0, b->V, count, c, c_stride, W, count);
    eri_own_multiply(true, false, count, cols, rows - count, 1.0, v + count, v_stride, c + count, c_stride, W, count);
    eri_own_multiply(transpose, false, count, cols, count, 1.0, b->T, count, W, count, TW, count);
    eri_own_multiply(false, false, count, cols, count, -1.0, b->V, count, TW, count, c, c_stride);
    eri_own_multiply(false, false, rows - count, cols, count, -1.0, v + count, v_stride, TW, count, c + count,
                     c_stride);
}

size_t eri_own_apply_work(int cols)
{
    return 2 * BLOCK * (size_t)cols;
}

void eri_own_qr(int rows, int cols, double *a, int stride, double *tau, double *work)
{
    reflection_block b;
    for (int k = 0; k < cols && k < rows; k += BLOCK) {
        int wide = least(cols - k, BLOCK), count = least(wide, rows - k), right = cols - k - wide;
        double *c = a + k + (size_t)k * (size_t)stride;
        factor(rows - k, wide, c, stride, tau + k);
        if (right == 0) return;
        prepare(rows - k, count, c, stride, tau + k, &b);
        apply_block(true, rows - k, right, &b, c, stride, c + (size_t)wide * (size_t)stride, stride, work);
    }
}

void eri_own_apply(bool transpose, int rows, int cols, int count, const double *v, int v_stride, const double *tau,
                   double *c, int c_stride, double *work)
{
    reflection_block b;
    int last = (count - 1) / BLOCK * BLOCK;
    for (int at = 0; cols > 0 && count > 0 && at <= last; at += BLOCK) {
        int k = transpose ? at : last - at;
        const double *from = v + k + (size_t)k * (size_t)v_stride;
        prepare(rows - k, least(count - k, BLOCK), from, v_stride, tau + k, &b);
        apply_block(transpose, rows - k, cols, &b, from, v_stride, c + k, c_stride, work);
    }
}

static void swap_columns(int rows, double *x, double *y)
{
    for (int i = 0; i < rows; ++i) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

// A column's remaining length is updated by its entry in the row above; where that cancels it is measured anew.
void eri_own_pivoted_qr(int rows, int cols, double *a, int stride, double *tau, int *pivot, double *work)
{
    double *left = work, *measured = work + cols;
    for (int j = 0; j < cols; ++j) {
        pivot[j] = j;
        left[j] = measured[j] = length(rows, a + (size_t)j * (size_t)stride);
    }
    for (int k = 0; k < cols && k < rows; ++k) {
        int p = k;
        for (int j = k + 1; j < cols; ++j)
            if (left[j] > left[p]) p = j;
        double *c = a + (size_t)k * (size_t)stride;
        if (p != k) {
            swap_columns(rows, c, a + (size_t)p * (size_t)stride);
            int kept = pivot[p];
            pivot[p] = pivot[k];
            pivot[k] = kept;
            left[p] = left[k];
            measured[p] = measured[k];
        }
        tau[k] = eri_own_reflect(rows - k, c + k);
        reflect_columns(rows - k, cols - k - 1, c + k, tau[k], c + k + stride, stride);
        for (int j = k + 1; j < cols; ++j) {
            const double *x = a + (size_t)j * (size_t)stride;
            if (left[j] == 0.0) continue;
            double share = fabs(x[k]) / left[j], kept = fmax(0.0, (1.0 - share) * (1.0 + share));
            double lost = left[j] / measured[j];
            if (kept * lost * lost > sqrt(DBL_EPSILON))
                left[j] *= sqrt(kept);
            else
                left[j] = measured[j] = length(rows - k - 1, x + k + 1);
        }
    }
}
