/// @file
/// Private: shapes of equal damped roots, turned to a basis that does not depend on rounding.
#ifndef ERI_MODAL_EQUAL_ROOTS_H
#define ERI_MODAL_EQUAL_ROOTS_H

#include <complex.h>

#include "base/arena.h"

typedef double complex eri_complex;

enum { ERI_MOST_EQUAL_ROOTS = 32 };

/// Turns shapes so that each is of as few modes as can be: the first is the projection of the mode that they move
/// most, and the others do not move that one; and so on. All are unit. Shapes too nearly parallel to be told apart
/// stay.
/// @param count  of shapes, at most ERI_MOST_EQUAL_ROOTS
/// @param n      coefficients of a shape
/// @param mode   [n], the modes of the coefficients: of modes that are moved alike the first counts
/// @param shape  [count][n], of one root, |shape| = 1
/// Errors: ER_ERROR_MEMORY.
er_result eri_turn_equal_roots(er_arena *scratch, int count, int n, const int *mode, eri_complex *const *shape);

#endif
