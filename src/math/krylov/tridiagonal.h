/// @file
/// Eigenvalues of eight symmetric tridiagonal matrices side by side.
#ifndef ERI_MATH_KRYLOV_TRIDIAGONAL_H
#define ERI_MATH_KRYLOV_TRIDIAGONAL_H

#include "base/lanes.h"

enum { ERI_TRIDIAGONAL_WORK = 16 }; ///< lanes of work space a row

/// Implicit QL with Wilkinson's shift, each lane at its own pace. A lane's matrix may fall apart into blocks: their
/// vectors are not mixed.
/// @param n     size
/// @param d     [n], the diagonal; becomes the eigenvalues, in no order
/// @param e     [n], e[i] between i and i + 1; destroyed
/// @param rows  of Z
/// @param Z     [rows x n], column-major, columns `stride` apart: multiplied from the right by the eigenvectors. The
///              identity gives all of them; one of its rows gives that row of them
/// @param work  [ERI_TRIDIAGONAL_WORK n]
/// @return the lanes that did not converge (NaN among their numbers), a bit each
/// Source: Golub & Van Loan, Matrix Computations, 4th ed., 8.3; Parlett, The Symmetric Eigenvalue Problem, 8.
unsigned eri_tridiagonal_eigen(int n, eri_lanes *d, eri_lanes *e, int rows, eri_lanes *Z, int stride, eri_lanes *work);

#endif
