// Matrices in an arena, for either source of linear algebra.
#include <string.h>

#include "math/dense/dense.h"

er_result eri_matrix_reserve(er_arena *arena, int rows, int cols, eri_matrix *out)
{
    assert(rows >= 0 && cols >= 0);
    double *a = eri_arena_reserve(arena, (size_t)cols, (size_t)rows * sizeof(double));
    *out = (eri_matrix){rows, cols, a};
    return a != NULL ? ER_OK : ER_ERROR_MEMORY;
}

er_result eri_matrix_create(er_arena *arena, int rows, int cols, eri_matrix *out)
{
    er_result r = eri_matrix_reserve(arena, rows, cols, out);
    if (r == ER_OK) memset(out->a, 0, (size_t)cols * (size_t)rows * sizeof(double));
    return r;
}

er_result eri_matrix_transpose(er_arena *arena, eri_matrix m, eri_matrix *out)
{
    er_result r = eri_matrix_create(arena, m.cols, m.rows, out);
    for (int j = 0; r == ER_OK && j < m.cols; ++j)
        for (int i = 0; i < m.rows; ++i)
            eri_matrix_column(*out, i)[j] = eri_matrix_column(m, j)[i];
    return r;
}

er_result eri_linalg_not_definite(er_context *context, int n)
{
    return er_fail(context, ER_ERROR_NOT_POSDEF,
                   "numbers lie too far apart in size for doubles: a matrix of %d rows is not "
                   "positive definite; bring them closer",
                   n);
}
