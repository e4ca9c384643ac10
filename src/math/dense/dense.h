/// @file
/// Room `math`, dense: dense linear algebra, the one door to BLAS and LAPACKE or to our own routines (`-Dlapack`).
/// Matrices are column-major and packed.
///
/// Every call takes its work space from the arena it is given, so nothing outlives it.
/// Errors: ER_ERROR_MEMORY, and what each function names. Threads: one call per context at a time.
/// Source: Golub & Van Loan, Matrix Computations, 4th ed.; Anderson et al., LAPACK Users' Guide, 3rd ed.
#ifndef ERI_MATH_DENSE_DENSE_H
#define ERI_MATH_DENSE_DENSE_H

#include <assert.h>

#include "base/arena.h"

/// Takes the space that BLAS works in, for the thread that calls, unless it has it. All that may fail here does so
/// itself; who calls what may not has called one of those in this thread, or this.   Threads: any.
/// Errors   ER_ERROR_MEMORY: the system gives no more addresses, where OpenBLAS would ask for ever
er_result eri_linalg_ready(er_context *context);

/// `rows` x `cols` doubles, entry (i, j) at a[i + j rows]. A matrix of no rows or columns is fine everywhere.
typedef struct eri_matrix {
    int rows;
    int cols;
    double *a;
} eri_matrix;

static inline double *eri_matrix_column(eri_matrix m, int j)
{
    return m.a + (size_t)j * (size_t)m.rows;
}

/// The columns [first, first + count) of m, sharing its memory.
static inline eri_matrix eri_matrix_columns(eri_matrix m, int first, int count)
{
    assert(first >= 0 && count >= 0 && first + count <= m.cols);
    eri_matrix r = {m.rows, count, eri_matrix_column(m, first)};
    return r;
}

/// A zero matrix in the arena.
er_result eri_matrix_create(er_arena *arena, int rows, int cols, eri_matrix *out);

/// One that is not zeroed.
er_result eri_matrix_reserve(er_arena *arena, int rows, int cols, eri_matrix *out);

/// The transpose, in new memory.
er_result eri_matrix_transpose(er_arena *arena, eri_matrix m, eri_matrix *out);

/// op(a) op(b), op the transpose where asked, in new memory.
er_result eri_matrix_product(er_arena *arena, bool transpose_a, eri_matrix a, bool transpose_b, eri_matrix b,
                             eri_matrix *out);

/// Singular values, descending, and all right singular vectors of `a` (destroyed).
/// @param values  [min(rows, cols)]
/// @param v       cols x cols, orthogonal: column j belongs to values[j], and those past min(rows, cols) to zero
/// Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_linalg_svd(er_arena *arena, eri_matrix a, double **values, eri_matrix *v);

/// a P = Q T with column pivoting.
/// @param a         destroyed
/// @param diagonal  [min(rows, cols)], |T_ii|, descending
/// @param q         rows x rows, orthogonal: its first k columns span the first k pivots
er_result eri_linalg_pivoted_qr(er_arena *arena, eri_matrix a, double **diagonal, eri_matrix *q);

/// The same, with what else the factorisation tells.
/// @param a      overwritten: T above and on its diagonal
/// @param pivot  [a.cols], the column of `a` that column j of T belongs to
er_result eri_linalg_pivoted_factor(er_arena *arena, eri_matrix a, double **diagonal, int **pivot, eri_matrix *q);

/// Eigenvalues re + i im and right eigenvectors of a square matrix, not symmetric, balanced first.
/// @param a   n x n, finite; destroyed
/// @param re  [n]
/// @param im  [n]; a conjugate pair is two neighbours, im > 0 first
/// @param v   n x n, columns of unit norm: column j of a real eigenvalue; columns j and j + 1 are the real and the
///            imaginary part of the first one of a pair
/// Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_linalg_eigen(er_arena *arena, eri_matrix a, double **re, double **im, eri_matrix *v);

/// b <- a^-1 b, complex.
/// @param a       n x n, column-major; destroyed
/// @param b       [n]
/// @param solved  false where a is singular to the last bit; b is then as it was
er_result eri_linalg_solve(er_arena *arena, int n, double _Complex *a, double _Complex *b, bool *solved);

/// Orthonormal columns that span those of `a` (full column rank, rows >= cols), in place.
er_result eri_linalg_orthonormalise(er_arena *arena, eri_matrix a);

/// x = (a' a)^-1 a' b or, where a has more columns than rows or is rank deficient, the least-squares x of least norm.
/// @param a     destroyed
/// @param tol   columns are taken as dependent below tol times the largest
/// @param b     rows x 1; destroyed
/// @param x     [a.cols]
er_result eri_linalg_least_squares(er_arena *arena, eri_matrix a, double tol, eri_matrix b, double *x);

/// Eigenvalues of a small symmetric matrix, ascending.
/// @param a  n x n, n <= 6, column-major, its upper triangle read; overwritten with unit eigenvectors, column by column
/// Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_linalg_small_eigen(er_context *context, int n, double *a, double *values);

/// Fails because a matrix of n rows is not positive definite.   @return ER_ERROR_NOT_POSDEF
er_result eri_linalg_not_definite(er_context *context, int n);

/// a <- a^-1 for a small symmetric positive definite matrix.
/// @param a  n x n, n <= 6, column-major, its upper triangle read
/// Errors  ER_ERROR_NOT_POSDEF
er_result eri_linalg_small_inverse(er_context *context, int n, double *a);

/// S = a' a, or S += a' a: the upper triangle.
/// @param a  rows x cols, its columns `stride` apart
/// @param S  cols x cols, its columns `S_stride` apart
void eri_linalg_gram(int rows, int cols, const double *a, int stride, bool add, double *S, int S_stride);

/// c = a b, a rows x inner, b inner x cols, columns as far apart as the strides say.
void eri_linalg_multiply(int rows, int cols, int inner, const double *a, int a_stride, const double *b, int b_stride,
                         double *c, int c_stride);

/// x . y, and y += factor x.
double eri_linalg_dot(int count, const double *x, const double *y);
void eri_linalg_axpy(int count, double factor, const double *x, double *y);

/// c = a' b, a inner x rows, b inner x cols.
void eri_linalg_multiply_transposed(int rows, int cols, int inner, const double *a, int a_stride, const double *b,
                                    int b_stride, double *c, int c_stride);

/// a = L L' of a positive definite matrix, its lower triangle, in place.
/// Errors  ER_ERROR_NOT_POSDEF
er_result eri_linalg_cholesky(er_context *context, eri_matrix a);

/// b <- L^-1 b, or L'^-1 b: the lower triangle L of a square matrix.
void eri_linalg_triangular_solve(bool transpose, eri_matrix L, eri_matrix b);

/// The factors alone of eri_linalg_indefinite_factor().   @return  false where `a` is singular to the last bit
bool eri_linalg_indefinite_reduce(int n, double *a, int *pivot, double *work);

/// P a P' = L D L', a symmetric and indefinite, by the pivots of Bunch and Kaufman.   No allocation.
/// @param a         n x n, its lower triangle read and overwritten
/// @param pivot     [n], written
/// @param work      [64 n]
/// @param negative  written: eigenvalues below 0, by Sylvester's law
/// @return          how much the elimination magnified rounding: the size of what a pivot is the difference of over
///                  that pivot, at worst; HUGE_VAL where `a` is singular
double eri_linalg_indefinite_factor(int n, double *a, int *pivot, double *work, int *negative);

/// b <- a^-1 b with what eri_linalg_indefinite_factor() left in `a` and `pivot`.   No allocation.
void eri_linalg_indefinite_solve(int n, const double *a, const int *pivot, double *b);

/// Work space for eigenvalues of symmetric matrices of up to `most` rows.
typedef struct eri_eigen {
    er_context *context;
    int work_size, integers_size;
    double *work;
    int *integers;
} eri_eigen;

er_result eri_eigen_create(er_arena *arena, int most, eri_eigen *out);

/// Eigenvalues, ascending, and unit eigenvectors of a symmetric matrix.   No allocation.
/// @param a       n x n, its lower triangle read; overwritten with the vectors, column by column
/// @param values  [n]
/// Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_eigen_solve(eri_eigen *e, int n, double *a, double *values);

/// The same of a positive definite matrix, by Cholesky with pivoting and one-sided Jacobi: slower, but every eigenvalue
/// keeps its digits where scaling rows and columns can bring the matrix near 1 (Demmel & Veselic, SIAM J. Matrix Anal.
/// 13, 1992). Errors  ER_ERROR_NOT_POSDEF, ER_ERROR_NO_CONVERGENCE
er_result eri_eigen_solve_graded(eri_eigen *e, int n, double *a, double *values);

/// Threads that BLAS may use, for the whole process; 0 leaves the number as it is, and so does one for whose work the
/// system gives no addresses.
void eri_linalg_set_threads(int threads);

/// The number there is.
int eri_linalg_threads(void);

/// Lets BLAS work with one thread until eri_linalg_set_threads() is given what this returns: on small matrices threads
/// wait for each other longer than they work.
int eri_linalg_one_thread(void);

#endif
