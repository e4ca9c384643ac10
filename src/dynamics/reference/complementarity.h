/// @file
/// Contacts and joints of a step as one mixed linear complementarity problem, small and dense, and what solves it by
/// pivoting (docs/math/contact.md).
///
/// With x the impulses of all rows, w = A x + f are the speeds that they leave. A *free* row asks for w = 0. A *normal*
/// row has x >= 0, w >= 0 and x w = 0. A *friction* row has |x| <= mu x_n, x_n of its normal row: w = 0 where x is
/// within, w <= 0 at the upper end and w >= 0 at the lower one.
#ifndef ERI_DYNAMICS_REFERENCE_COMPLEMENTARITY_H
#define ERI_DYNAMICS_REFERENCE_COMPLEMENTARITY_H

#include "base/arena.h"

enum { ERI_ROW_FREE = -2, ERI_ROW_NORMAL = -1 };

typedef struct eri_complementarity {
    int count;
    const double *A;        ///< [count x count], symmetric, positive semidefinite
    const double *f;        ///< [count]
    const int *normal;      ///< [count]: ERI_ROW_FREE, ERI_ROW_NORMAL, or of a friction row its normal row
    const double *friction; ///< [count]: mu of friction rows, >= 0
} eri_complementarity;

/// How far x is from a solution: the largest A_ii |x - (x - w / A_ii, within its bounds)|, a speed. Rows with A_ii 0
/// are left out.
double eri_complementarity_residual(const eri_complementarity *p, const double *x);

/// Solves it by pivoting. Where several x do, it finds one of them.
/// @param arena   work space is taken from it
/// @param x       [count], written
/// @param pivots  added to
/// Errors   ER_ERROR_NO_CONVERGENCE: nothing solves it, or rounding hides what does; ER_ERROR_MEMORY
er_result eri_direct_solve(er_arena *arena, const eri_complementarity *p, double *x, int64_t *pivots);

/// Solves it from near a solution. A solution has normal impulses of at least 0 and friction within its bounds, to the
/// residual.
/// @param cone       two friction rows in succession with one normal row are a pair: their impulses together are within
///                   mu x_n
/// @param tolerance  of the residual: ends the search
/// @param x          [count], read and written
/// @param residual   written: as eri_complementarity_residual() if cone is false; above the tolerance if it was not
/// found Errors   ER_ERROR_MEMORY
er_result eri_newton_solve(er_arena *arena, const eri_complementarity *p, bool cone, double tolerance, double *x,
                           double *residual);

/// z >= 0 with w = M z + q >= 0 and z'w = 0, by Lemke's method, ties broken by the lexicographic rule, so that it ends
/// where z is degenerate too. It finds a solution where M is copositive and q'z >= 0 for all z >= 0 with M z >= 0 and
/// z'M z = 0.
/// Source   Cottle, Pang & Stone, The Linear Complementarity Problem, 1992, 4.4.
/// @param M       [n x n], row-major, entries of about 1
/// @param z       [n], written
/// @param pivots  added to
/// Errors   ER_ERROR_NO_CONVERGENCE: it ended in a ray; ER_ERROR_MEMORY
er_result eri_lemke_solve(er_arena *arena, int n, const double *M, const double *q, double *z, int64_t *pivots);

#endif
