/// @file
/// Room `math`, own: eigenvalues of symmetric matrices of three diagonals.
///
/// Source: Cuppen, Numer. Math. 36, 1981; Gu & Eisenstat, SIAM J. Matrix Anal. Appl. 16, 1995.
#ifndef ERI_MATH_OWN_DIVIDE_AND_CONQUER_H
#define ERI_MATH_OWN_DIVIDE_AND_CONQUER_H

#include <stdbool.h>
#include <stddef.h>

/// Eigenvalues and unit vectors.
/// @param d         [n], the diagonal; overwritten with the eigenvalues
/// @param e         [n - 1], beside it; destroyed
/// @param Q         n x n, its columns `stride` apart; written: column j belongs to d[j]
/// @param work      [eri_own_tridiagonal_work(n)]
/// @param integers  [4 n]; the first n are written: indices of d, ascending
/// @return          whether it converged
bool eri_own_tridiagonal(int n, double *d, double *e, double *Q, int stride, double *work, int *integers);
size_t eri_own_tridiagonal_work(int n);

#endif
