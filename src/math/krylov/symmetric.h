/// @file
/// Eigenvalues and eigenvectors of eight dense symmetric matrices side by side, in little more than the time of one.
#ifndef ER_MATH_KRYLOV_SYMMETRIC_H
#define ER_MATH_KRYLOV_SYMMETRIC_H

#include "base/lanes.h"

enum { ER_SYMMETRIC_WORK = 18 }; ///< lanes of work space a row

/// The distance of columns that suits caches: odd, so that they do not all fall on the same few lines.
static inline int er_symmetric_stride(int n)
{
    return n | 1;
}

/// Householder's reduction to tridiagonal matrices, then QL. Errors are of eps times the largest eigenvalue of each
/// lane. Smaller matrices fill up with zeros: a lane's first rows and columns then give its first values and vectors,
/// and no others mix in.
/// @param n       size
/// @param a       [stride x n], column-major, the lower triangles read; becomes unit eigenvectors, column by
///                column. Rows from n on are left alone
/// @param stride  er_symmetric_stride(n)
/// @param value   [n], written: eigenvalues, in no order
/// @param work    [ER_SYMMETRIC_WORK n]
/// @return as er_tridiagonal_eigen()
/// Source: Golub & Van Loan, Matrix Computations, 4th ed., 8.3.
unsigned er_symmetric_eigen(int n, er_lanes *a, int stride, er_lanes *value, er_lanes *work);

#endif
