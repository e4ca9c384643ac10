// Bases of null spaces by rank-revealing QR or by the singular value decomposition.
#include <eigenrig/math.h>

#include <math.h>
#include <string.h>

#include "math/dense/dense.h"

// The transpose of A with its rows scaled to unit norm: columns of the result, those of zeros left out.
static er_result unit_rows(er_context *context, er_arena *arena, int m, int n, const double *A, eri_matrix *out)
{
    er_result r = eri_matrix_create(arena, n, m, out);
    if (r != ER_OK) return r;
    int kept = 0;
    for (int i = 0; i < m; ++i) {
        double sum = 0.0, *column = eri_matrix_column(*out, kept);
        for (int j = 0; j < n; ++j) {
            column[j] = A[(size_t)i + (size_t)j * (size_t)m];
            sum += column[j] * column[j];
        }
        if (!isfinite(sum))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "row %d of the matrix is not finite, or too large to have a norm", i);
        if (sum == 0.0) continue;
        for (int j = 0; j < n; ++j)
            column[j] /= sqrt(sum);
        ++kept;
    }
    out->cols = kept;
    return ER_OK;
}

er_result er_nullspace_create(er_context *context, er_nullspace_method method, int m, int n, const double *A,
                              double tol, er_nullspace **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (A == NULL || m < 0 || n < 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_nullspace_create needs a matrix, not %d x %d", m, n);
    if (method != ER_NULLSPACE_QR && method != ER_NULLSPACE_SVD)
        return er_fail(context, ER_ERROR_ARGUMENT, "null-space method %d is unknown", (int)method);
    if (!(tol > 0.0 && tol < 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "rank tolerance %g is not in (0, 1)", tol);
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_nullspace *result = NULL;
    eri_matrix rows = {0}, q = {0}, a = {0};
    double *value, *basis;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(result, arena, er_nullspace, 1);
    ERI_TRY(unit_rows(context, scratch, m, n, A, &rows));
    if (method == ER_NULLSPACE_SVD) {
        ERI_TRY(eri_matrix_transpose(scratch, rows, &a));
        ERI_TRY(eri_linalg_svd(scratch, a, &value, &q));
    } else {
        ERI_TRY(eri_linalg_pivoted_qr(scratch, rows, &value, &q));
    }
    int values = rows.cols < n ? rows.cols : n, rank = 0;
    while (rank < values && value[rank] > tol * value[0])
        ++rank;
    result->column_count = n;
    result->rank = rank;
    result->nullity = n - rank;
    result->zero_diagonals = (m < n ? m : n) - rank;
    result->smallest_kept = rank > 0 ? value[rank - 1] / value[0] : 1.0;
    result->largest_zero = rank < values ? value[rank] / value[0] : 0.0;
    basis = eri_arena_alloc(arena, (size_t)(n - rank), (size_t)n * sizeof(double));
    ERI_TRY(basis != NULL ? ER_OK : ER_ERROR_MEMORY);
    if (n > rank) memcpy(basis, eri_matrix_column(q, rank), (size_t)(n - rank) * (size_t)n * sizeof(double));
    result->basis = basis;
    result->arena = arena;
    *out = result;
    arena = NULL;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_nullspace_destroy(er_nullspace *nullspace)
{
    if (nullspace != NULL) eri_arena_destroy(nullspace->arena);
}
