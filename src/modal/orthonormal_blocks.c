// Householder QR of a whole matrix mixes columns that share no row: its reflections reach every row below the diagonal.
// Therefore each block is gathered, factored alone and put back.
#include "modal/orthonormal_blocks.h"

static int root_of(int *set, int i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

void eri_find_blocks(eri_matrix A, int group, int *block, int *row)
{
    for (int j = 0; j < A.cols; ++j)
        block[j] = j;
    for (int i = 0; i < A.rows; ++i)
        row[i] = -1;
    for (int j = 0; j < A.cols; ++j) {
        const double *a = eri_matrix_column(A, j);
        for (int i = 0; i < A.rows; ++i) {
            if (a[i] == 0.0) continue;
            int *of_group = &row[i - i % group];
            int other = *of_group < 0 ? j : root_of(block, *of_group), own = root_of(block, j);
            block[own > other ? own : other] = own > other ? other : own;
            *of_group = j;
        }
    }
    for (int j = 0; j < A.cols; ++j)
        block[j] = root_of(block, j);
    for (int i = 0; i < A.rows; ++i)
        row[i] = i % group > 0 ? row[i - 1] : row[i] < 0 ? -1 : block[row[i]];
}

static int places_of(int block, const int *of, int count, int *place)
{
    int found = 0;
    for (int i = 0; i < count; ++i)
        if (of[i] == block) place[found++] = i;
    return found;
}

er_result eri_orthonormal_blocks(er_arena *scratch, eri_matrix A, int group)
{
    er_result r = ER_OK;
    int *block, *row_block, *row, *column;
    eri_matrix own = {0};
    ERI_TRY_NEW(block, scratch, int, A.cols);
    ERI_TRY_NEW(column, scratch, int, A.cols);
    ERI_TRY_NEW(row_block, scratch, int, A.rows);
    ERI_TRY_NEW(row, scratch, int, A.rows);
    eri_find_blocks(A, group, block, row_block);
    for (int first = 0; first < A.cols; ++first) {
        if (block[first] != first) continue;
        int columns = places_of(first, block, A.cols, column), rows = places_of(first, row_block, A.rows, row);
        if (columns == A.cols || rows < columns) return eri_linalg_orthonormalise(scratch, A);
        ERI_TRY(eri_matrix_create(scratch, rows, columns, &own));
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < rows; ++i)
                eri_matrix_column(own, j)[i] = eri_matrix_column(A, column[j])[row[i]];
        ERI_TRY(eri_linalg_orthonormalise(scratch, own));
        for (int j = 0; j < columns; ++j)
            for (int i = 0; i < rows; ++i)
                eri_matrix_column(A, column[j])[row[i]] = eri_matrix_column(own, j)[i];
    }
done:
    return r;
}
