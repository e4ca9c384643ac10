/// @file
/// Orthonormal bases that keep the blocks of a matrix apart.
#ifndef ERI_MODAL_ORTHONORMAL_BLOCKS_H
#define ERI_MODAL_ORTHONORMAL_BLOCKS_H

#include "math/dense/dense.h"

/// Finds the blocks of a matrix. Two columns belong to one block if both are nonzero in some group of rows, directly
/// or through other columns.
/// @param group  rows that belong together, such as the six of a body; divides A.rows
/// @param block  [cols], written: the first column of each column's block
/// @param row    [rows], written: the same of each row, -1 for a row of zeros
void eri_find_blocks(eri_matrix A, int group, int *block, int *row);

/// Replaces the columns of A by an orthonormal basis of their span, block by block. Each basis vector is exactly 0
/// outside its block, so that the rounding of one block does not reach another. If a block has fewer rows
/// than columns, A is factored as a whole.
/// Errors  ER_ERROR_MEMORY
er_result eri_orthonormal_blocks(er_arena *scratch, eri_matrix A, int group);

#endif
