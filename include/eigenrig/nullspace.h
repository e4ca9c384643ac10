/// @file
/// A basis of the null space of a dense matrix, and the decision how large it is.
#ifndef EIGENRIG_NULLSPACE_H
#define EIGENRIG_NULLSPACE_H

#include <eigenrig/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the basis is found.
typedef enum er_nullspace_method {
    ER_NULLSPACE_QR, ///< A' P = Q T with column pivoting; columns of Q past the rank: the faster one
    ER_NULLSPACE_SVD ///< right singular vectors of A past the rank: the most reliable rank
} er_nullspace_method;

/// null(A) of an m x n matrix A.
typedef struct er_nullspace {
    int column_count; ///< n
    int nullity;      ///< n - rank: columns of the basis
    int rank;
    int zero_diagonals;   ///< min(m, n) - rank: zeros on the diagonal of T, or zero singular values
    double smallest_kept; ///< smallest pivot (singular value) counted in the rank, relative to the largest; 1 if rank 0
    double largest_zero;  ///< largest one taken as zero, relative to the largest; 0 if there is none
    const double *basis;  ///< [n x nullity], column-major, orthonormal
    struct er_arena *arena; ///< private
} er_nullspace;

/// Finds the null space. Rows of A are first scaled to unit norm (rows of zeros are left out), so that the tolerance
/// means the same for rows in rad and in m. A pivot or singular value counts in the rank when it exceeds tol times the
/// largest.
/// @param m    >= 0
/// @param n    >= 0
/// @param A    [m x n], column-major, finite; not NULL even where it is empty
/// @param tol  relative, in (0, 1); 1e-10 suits rigs: rows that rounding makes dependent lie near 1e-15
/// @param out  ER_OK: a new object for er_nullspace_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (also a row that is not finite or has no norm in doubles), ER_ERROR_NO_CONVERGENCE,
///          ER_ERROR_MEMORY
/// Memory   allocates the result; scratch of order n^2 + m n doubles.   Threads: one call per context at a time.
/// Source   docs/theory.md 4; Golub & Van Loan, Matrix Computations, 4th ed., 5.4 and 5.5.
ER_API er_result er_nullspace_create(er_context *context, er_nullspace_method method, int m, int n, const double *A,
                                     double tol, er_nullspace **out);

/// Frees the basis. NULL is fine.   Threads: the context's.
ER_API void er_nullspace_destroy(er_nullspace *nullspace);

#ifdef __cplusplus
}
#endif
#endif
