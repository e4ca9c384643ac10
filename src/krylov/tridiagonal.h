/// @file
/// Eigenvalues of eight symmetric tridiagonal matrices side by side.
#ifndef ER_KRYLOV_TRIDIAGONAL_H
#define ER_KRYLOV_TRIDIAGONAL_H

#include "linalg/lanes.h"

/// Implicit QL with Wilkinson's shift, all lanes in step.
/// @param n     size
/// @param d     [n], the diagonal; becomes the eigenvalues, in no order
/// @param e     [n], e[i] between i and i + 1; destroyed
/// @param rows  of Z
/// @param Z     [rows x n], column-major: multiplied from the right by the eigenvectors. The identity gives all of
/// them, one row
///              of it that row of them
/// Source: Golub & Van Loan, Matrix Computations, 4th ed., 8.3; Parlett, The Symmetric Eigenvalue Problem, 8.
void er_tridiagonal_eigen(int n, er_lanes *d, er_lanes *e, int rows, er_lanes *Z);

#endif
