/// @file
/// Room `math`, own: the routines of BLAS and LAPACK that the library needs, written plainly, for where neither is to
/// be had. Matrices are column-major; `stride` is how far apart columns are. Nothing here allocates: work space is
/// given.
///
/// Sums have one order whatever the processor, so results are the same bits everywhere.   Threads: any.
/// Source: Golub & Van Loan, Matrix Computations, 4th ed. (GVL); what each function names.
#ifndef ERI_MATH_OWN_OWN_H
#define ERI_MATH_OWN_OWN_H

#include <stdbool.h>
#include <stddef.h>

/// c += alpha op(a) op(b), op the transpose where asked; op(a) is rows x inner, op(b) inner x cols.
void eri_own_multiply(bool transpose_a, bool transpose_b, int rows, int cols, int inner, double alpha, const double *a,
                      int a_stride, const double *b, int b_stride, double *c, int c_stride);

/// S += a' a: the upper triangle of a cols x cols matrix, a rows x cols.
void eri_own_gram(int rows, int cols, const double *a, int a_stride, double *S, int S_stride);

/// x . y, and y += factor x.
double eri_own_dot(int count, const double *x, const double *y);
void eri_own_axpy(int count, double factor, const double *x, double *y);

/// x <- c x - s y and y <- s x + c y.
void eri_own_turn(int n, double *x, double *y, double c, double s);

/// b <- L^-1 b, or L'^-1 b: the lower triangle L of n rows, b n x cols.
void eri_own_triangular_solve(bool transpose, int n, int cols, const double *L, int L_stride, double *b, int b_stride);

/// a = L L' (GVL 4.2.5), its lower triangle, in place.   @return  whether `a` is positive definite
bool eri_own_cholesky(int n, double *a);

/// P' a P = L L' with the largest pivots first (GVL 4.2.8), its lower triangle, in place.
/// @param pivot  [n], written: the row of `a` that row i of L belongs to
/// @return       whether `a` is positive definite
bool eri_own_pivoted_cholesky(int n, double *a, int *pivot);

/// P a P' = L D L' (Bunch & Kaufman, Math. Comp. 31, 1977), the lower triangle of a symmetric matrix, in place.
/// @param pivot  [n], written: k + 1 of the row that row i changed places with, and minus that twice for a block of 2 x
/// 2,
///               whose first row stayed
/// @return       false where `a` is singular to the last bit
bool eri_own_indefinite_factor(int n, double *a, int *pivot);

/// b <- a^-1 b with what eri_own_indefinite_factor() left.
void eri_own_indefinite_solve(int n, const double *a, const int *pivot, double *b);

/// x of n entries to a multiple of the first axis: x_0 is that multiple, below it v with v_0 = 1.   @return  tau
double eri_own_reflect(int n, double *x);

/// a = Q R by reflections I - tau v v' (GVL 5.2.2): R above and on the diagonal of `a`, v below it (v_i = 1).
/// @param tau   [min(rows, cols)], written
/// @param work  [eri_own_apply_work(cols)]
void eri_own_qr(int rows, int cols, double *a, int a_stride, double *tau, double *work);

/// a P = Q R, at each step the column that is longest below (GVL 5.4.2; Drmac & Bujanovic, ACM TOMS 35, 2008).
/// @param pivot  [cols], written: the column of `a` that column j of R belongs to
/// @param work   [3 cols]
void eri_own_pivoted_qr(int rows, int cols, double *a, int a_stride, double *tau, int *pivot, double *work);

/// Doubles of work space for reflections of `cols` columns.
size_t eri_own_apply_work(int cols);

/// c <- Q c, or Q' c: `count` reflections as eri_own_qr() leaves them in `v`, which has `rows` rows as c has.
/// @param work  [eri_own_apply_work(cols)]
void eri_own_apply(bool transpose, int rows, int cols, int count, const double *v, int v_stride, const double *tau,
                   double *c, int c_stride, double *work);

/// The power of two that brings the largest entry near 1 where squares would leave the range of doubles, else 1; NaN
/// where an entry is not finite; of the lower triangle alone where asked.
double eri_own_scale(int rows, int cols, const double *a, bool lower);

/// Eigenvalues, ascending, and unit eigenvectors of a symmetric matrix, by reflections to three diagonals and divide
/// and conquer (Cuppen, Numer. Math. 36, 1981; Gu & Eisenstat, SIAM J. Matrix Anal. Appl. 16, 1995).
/// @param a        n x n, its lower triangle read; overwritten with the vectors, column by column
/// @param values   [n], written
/// @param work     [eri_own_symmetric_work(n)]
/// @param integers [4 n]
/// @return         false where `a` is not finite
bool eri_own_symmetric(int n, double *a, double *values, double *work, int *integers);
size_t eri_own_symmetric_work(int n);

/// Turns columns of x by rotations until they are orthogonal to relative rounding (one-sided Jacobi; de Rijk, SIAM J.
/// Sci. Stat. Comput. 10, 1989): x V = U S.
/// @param x        rows x cols, overwritten with U S, longest columns first
/// @param v        v_rows x cols, turned likewise
/// @param floor    columns shorter than this are taken as zero: neither turned nor waited for
/// @param squared  [cols], work space
/// @return         whether it ended within the usual number of sweeps
bool eri_own_orthogonalise(int rows, int cols, double *x, int v_rows, double *v, double floor, double *squared);

/// Singular values, descending, and all right vectors.
/// @param values    [min(rows, cols)], written
/// @param v         cols x cols, written
/// @param work      [eri_own_svd_work(rows, cols)]
/// @param integers  [4 max(rows, cols)]
/// @return          false where `a` is not finite
bool eri_own_svd(int rows, int cols, const double *a, double *values, double *v, double *work, int *integers);
size_t eri_own_svd_work(int rows, int cols);

/// The x of least norm among those that make |a x - b| least; columns below `tol` of the longest count as dependent.
/// @param a      destroyed
/// @param b      [rows]; destroyed
/// @param x      [cols], written
/// @param work   [eri_own_least_squares_work(rows, cols)]
/// @param pivot  [cols]
void eri_own_least_squares(int rows, int cols, double *a, double tol, double *b, double *x, double *work, int *pivot);
size_t eri_own_least_squares_work(int rows, int cols);

/// Eigenvalues re + i im and right eigenvectors of a square matrix: balanced (Parlett & Reinsch, Numer. Math. 13,
/// 1969), brought to Hessenberg form, then to the real Schur form by Francis's double shifts (GVL 7.5).
/// @param a     n x n; destroyed
/// @param re    [n], written
/// @param im    [n], written; a conjugate pair is two neighbours, im > 0 first
/// @param v     n x n, written: unit columns, of a pair the real and the imaginary part of the first
/// @param work  [5 n]
/// @param order [n]
/// @return      whether it converged
bool eri_own_eigen(int n, double *a, double *re, double *im, double *v, double *work, int *order);

/// b <- a^-1 b by elimination with row pivots (GVL 3.4.1), complex.
/// @param a      n x n; destroyed
/// @param pivot  [n]
/// @return       false where `a` is singular to the last bit; b is then as it was
bool eri_own_solve(int n, double _Complex *a, int *pivot, double _Complex *b);

#endif
