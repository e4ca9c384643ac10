/// @file
/// Eigenvalues and eigenvectors of eight dense symmetric matrices side by side, in little more than the time of one.
#ifndef ERI_MATH_KRYLOV_SYMMETRIC_H
#define ERI_MATH_KRYLOV_SYMMETRIC_H

#include "base/lanes.h"

enum { ERI_SYMMETRIC_WORK = 18 }; ///< lanes of work space a row

/// The distance of columns that suits caches: odd, so that they do not all fall on the same few lines.
static inline int eri_symmetric_stride(int n)
{
    return n | 1;
}

/// Householder's reduction to tridiagonal matrices, then QL. Errors are of eps times the largest eigenvalue of each
/// lane. Smaller matrices fill up with zeros: a lane's first rows and columns then give its first values and vectors,
/// and no others mix in.
/// @param n       size
/// @param a       [stride x n], column-major, the lower triangles read; becomes unit eigenvectors, column by
///                column. Rows from n on are left alone
/// @param stride  eri_symmetric_stride(n)
/// @param value   [n], written: eigenvalues, in no order
/// @param work    [ERI_SYMMETRIC_WORK n]
/// @return as eri_tridiagonal_eigen()
/// Source: Golub & Van Loan, Matrix Computations, 4th ed., 8.3.
unsigned eri_symmetric_eigen(int n, eri_lanes *a, int stride, eri_lanes *value, eri_lanes *work);

#endif
