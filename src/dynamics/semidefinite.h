/// @file
/// Small positive semidefinite systems S x = b, b in the span of S: rows of S that others say already are left out.
/// Which, another matrix of the same null space may tell.
#ifndef ERI_DYNAMICS_SEMIDEFINITE_H
#define ERI_DYNAMICS_SEMIDEFINITE_H

#include "base/arena.h"

/// S = P L L' P', by Cholesky's method with the largest diagonal entry first, until none is left above a tolerance.
typedef struct eri_semidefinite {
    int most, count, rank;
    double *S;   ///< [most x most], row-major: to be filled [count x count], symmetric, `count` apart; then L
    int *order;  ///< [most], rows of S as they were taken
    int *wanted; ///< [most], work space
    double *x;   ///< [most], work space
} eri_semidefinite;

er_result eri_semidefinite_create(er_arena *arena, int most, eri_semidefinite *out);

/// @param tol  pivots up to it are 0
void eri_semidefinite_factor(eri_semidefinite *s, double tol);

/// The least pivot that counted; 1 without rows.
double eri_semidefinite_least(const eri_semidefinite *s);

/// The same of another S of the same rank, rows in the order of the last one.
void eri_semidefinite_factor_again(eri_semidefinite *s);

/// b <- x, 0 in the rows left out.
void eri_semidefinite_solve(const eri_semidefinite *s, double *b);

/// The k-th vector that S takes to 0, 1 in the k-th row left out and 0 in the others of them: k < count - rank.
void eri_semidefinite_null(const eri_semidefinite *s, int k, double *x);

#endif
