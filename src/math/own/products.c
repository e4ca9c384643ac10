// Products: blocks of eight rows by six columns in registers, of op(a) packed so that eight rows lie side by side.
#include <string.h>

#include "base/lanes.h"
#include "math/own/own.h"

enum {
    ROWS = ERI_LANE_COUNT,
    COLS = 6,
    ROW_BLOCK = 64,    // rows and
    INNER_BLOCK = 128, // terms that are packed at a time: half of a small second-level cache
    PANEL = 64         // columns of a triangle taken as a square
};

// sum[j] = the packed rows times column j of op(b), whose entries (p, j) are at b[p step + j far].
ERI_LANES_INLINE void block(int inner, const eri_lanes *a, const double *b, size_t step, const size_t far[COLS],
                            eri_lanes sum[COLS])
{
    eri_lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, s4 = {0}, s5 = {0};
    for (int p = 0; p < inner; ++p, b += step) {
        eri_lanes x = a[p];
        s0 += x * b[far[0]];
        s1 += x * b[far[1]];
        s2 += x * b[far[2]];
        s3 += x * b[far[3]];
        s4 += x * b[far[4]];
        s5 += x * b[far[5]];
    }
    sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3, sum[4] = s4, sum[5] = s5;
}

ERI_LANES_INLINE void add(int rows, double alpha, eri_lanes sum, double *c)
{
    if (rows == ROWS) {
        *(eri_lanes_loose *)c += alpha * sum;
        return;
    }
    for (int i = 0; i < rows; ++i)
        c[i] += alpha * sum[i];
}

typedef struct operand {
    const double *at;
    size_t row, col; // how far apart entries of a column, and of a row, are
} operand;

// Rows of op(a), zero past the last.
ERI_LANES_INLINE void pack(int rows, int inner, operand a, eri_lanes *packed)
{
    for (int p = 0; p < inner; ++p) {
        const double *from = a.at + (size_t)p * a.col;
        eri_lanes x = {0};
        if (rows == ROWS && a.row == 1)
            x = *(const eri_lanes_loose *)from;
        else
            for (int i = 0; i < rows; ++i)
                x[i] = from[(size_t)i * a.row];
        packed[p] = x;
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// c += alpha op(a) op(b) for as many rows and terms as are packed at a time.
ERI_LANES_DO(multiply_block,
             (int rows, int cols, int inner, double alpha, operand a, operand b, double *c, size_t c_stride),
             (rows, cols, inner, alpha, a, b, c, c_stride))
{
    eri_lanes packed[ROW_BLOCK / ROWS * INNER_BLOCK], sum[COLS];
    for (int i = 0; i < rows; i += ROWS)
        pack(rows - i < ROWS ? rows - i : ROWS, inner, (operand){a.at + (size_t)i * a.row, a.row, a.col},
             packed + i / ROWS * INNER_BLOCK);
    for (int j = 0; j < cols; j += COLS) {
        size_t far[COLS]; // past the last column the last again, and not kept
        for (int k = 0; k < COLS; ++k)
            far[k] = (size_t)(j + k < cols ? j + k : cols - 1) * b.col;
        for (int i = 0; i < rows; i += ROWS) {
            block(inner, packed + i / ROWS * INNER_BLOCK, b.at, b.row, far, sum);
            for (int k = 0; k < COLS && j + k < cols; ++k)
                add(rows - i < ROWS ? rows - i : ROWS, alpha, sum[k], c + i + (size_t)(j + k) * c_stride);
        }
    }
}

void eri_own_multiply(bool transpose_a, bool transpose_b, int rows, int cols, int inner, double alpha, const double *a,
                      int a_stride, const double *b, int b_stride, double *c, int c_stride)
{
    operand left = transpose_a ? (operand){a, (size_t)a_stride, 1} : (operand){a, 1, (size_t)a_stride};
    operand right = transpose_b ? (operand){b, (size_t)b_stride, 1} : (operand){b, 1, (size_t)b_stride};
    for (int p = 0; p < inner; p += INNER_BLOCK)
        for (int i = 0; i < rows; i += ROW_BLOCK) {
            operand l = {left.at + (size_t)i * left.row + (size_t)p * left.col, left.row, left.col};
            operand r = {right.at + (size_t)p * right.row, right.row, right.col};
            multiply_block(least(rows - i, ROW_BLOCK), cols, least(inner - p, INNER_BLOCK), alpha, l, r, c + i,
                           (size_t)c_stride);
        }
}

// c += alpha op(a) op(b), n x n: its upper triangle, by panels whose last square is made aside.
void eri_own_gram(int rows, int cols, const double *a, int a_stride, double *S, int S_stride)
{
    double square[PANEL * PANEL];
    for (int j = 0; j < cols; j += PANEL) {
        int n = least(cols - j, PANEL);
        const double *x = a + (size_t)j * (size_t)a_stride;
        double *to = S + (size_t)j * (size_t)S_stride;
        eri_own_multiply(true, false, j, n, rows, 1.0, a, a_stride, x, a_stride, to, S_stride);
        memset(square, 0, sizeof square);
        eri_own_multiply(true, false, n, n, rows, 1.0, x, a_stride, x, a_stride, square, PANEL);
        for (int k = 0; k < n; ++k)
            for (int i = 0; i <= k; ++i)
                to[(size_t)(j + i) + (size_t)k * (size_t)S_stride] += square[i + k * PANEL];
    }
}

ERI_LANES(double, dot, (int count, const double *x, const double *y), (count, x, y))
{
    eri_lanes sum[2] = {0};
    int i = 0;
    for (; i + 2 * ROWS <= count; i += 2 * ROWS) {
        sum[0] += *(const eri_lanes_loose *)(x + i) * *(const eri_lanes_loose *)(y + i);
        sum[1] += *(const eri_lanes_loose *)(x + i + ROWS) * *(const eri_lanes_loose *)(y + i + ROWS);
    }
    double rest = 0.0;
    for (; i < count; ++i)
        rest += x[i] * y[i];
    return eri_lanes_sum(sum[0] + sum[1]) + rest;
}

ERI_LANES_DO(axpy, (int count, double factor, const double *restrict x, double *restrict y), (count, factor, x, y))
{
    for (int i = 0; i < count; ++i)
        y[i] += factor * x[i];
}

ERI_LANES_DO(turn, (int n, double *restrict x, double *restrict y, double c, double s), (n, x, y, c, s))
{
    for (int i = 0; i < n; ++i) {
        double u = x[i], v = y[i];
        x[i] = c * u - s * v;
        y[i] = s * u + c * v;
    }
}

double eri_own_dot(int count, const double *x, const double *y)
{
    return dot(count, x, y);
}

void eri_own_axpy(int count, double factor, const double *x, double *y)
{
    axpy(count, factor, x, y);
}

void eri_own_turn(int n, double *x, double *y, double c, double s)
{
    turn(n, x, y, c, s);
}

// Column by column within a square on the diagonal, by products outside.
void eri_own_triangular_solve(bool transpose, int n, int cols, const double *L, int L_stride, double *b, int b_stride)
{
    enum { SQUARE = 32 };
    size_t s = (size_t)L_stride;
    int first = transpose ? (n - 1) / SQUARE * SQUARE : 0, step = transpose ? -SQUARE : SQUARE;
    for (int k = first; k >= 0 && k < n; k += step) {
        int m = least(n - k, SQUARE), below = n - k - m;
        const double *D = L + (size_t)k + (size_t)k * s, *under = D + m;
        if (transpose)
            eri_own_multiply(true, false, m, cols, below, -1.0, under, L_stride, b + k + m, b_stride, b + k, b_stride);
        for (int j = 0; j < cols; ++j) {
            double *x = b + k + (size_t)j * (size_t)b_stride;
            for (int i = 0; !transpose && i < m; ++i) {
                x[i] /= D[(size_t)i * (s + 1)];
                for (int l = i + 1; l < m; ++l)
                    x[l] -= D[(size_t)l + (size_t)i * s] * x[i];
            }
            for (int i = m - 1; transpose && i >= 0; --i) {
                for (int l = i + 1; l < m; ++l)
                    x[i] -= D[(size_t)l + (size_t)i * s] * x[l];
                x[i] /= D[(size_t)i * (s + 1)];
            }
        }
        if (!transpose)
            eri_own_multiply(false, false, below, cols, m, -1.0, under, L_stride, b + k, b_stride, b + k + m, b_stride);
    }
}
