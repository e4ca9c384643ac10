// Dense linear algebra by our own routines: each behind one function, with its work space, and results for its answers.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/dense/dense.h"
#include "math/own/own.h"

er_result eri_linalg_ready(er_context *context)
{
    (void)context;
    return ER_OK;
}

static er_result diverged(er_context *context, const char *what, int n)
{
    return er_fail(context, ER_ERROR_NO_CONVERGENCE, "%s of a matrix of %d rows did not converge", what, n);
}

static er_result workspace(er_arena *arena, size_t size, double **work)
{
    *work = eri_arena_reserve(arena, size > 0 ? size : 1, sizeof(double));
    return *work != NULL ? ER_OK : ER_ERROR_MEMORY;
}

er_result eri_matrix_product(er_arena *arena, bool transpose_a, eri_matrix a, bool transpose_b, eri_matrix b,
                             eri_matrix *out)
{
    int m = transpose_a ? a.cols : a.rows, k = transpose_a ? a.rows : a.cols, n = transpose_b ? b.rows : b.cols;
    assert((transpose_b ? b.cols : b.rows) == k);
    er_result r = eri_matrix_create(arena, m, n, out);
    if (r == ER_OK) eri_own_multiply(transpose_a, transpose_b, m, n, k, 1.0, a.a, a.rows, b.a, b.rows, out->a, m);
    return r;
}

er_result eri_linalg_svd(er_arena *arena, eri_matrix a, double **values, eri_matrix *v)
{
    er_result r = ER_OK;
    int least = a.rows < a.cols ? a.rows : a.cols, *integers;
    double *work;
    ERI_TRY_NEW(*values, arena, double, least);
    ERI_TRY(eri_matrix_create(arena, a.cols, a.cols, v));
    ERI_TRY_NEW(integers, arena, int, 4 * (a.rows > a.cols ? a.rows : a.cols));
    ERI_TRY(workspace(arena, eri_own_svd_work(a.rows, a.cols), &work));
    if (!eri_own_svd(a.rows, a.cols, a.a, *values, v->a, work, integers))
        r = diverged(eri_arena_context(arena), "the singular values", a.rows);
done:
    return r;
}

// Q of as many columns as asked, from the reflections in `a`.
static er_result form_q(er_arena *arena, eri_matrix a, const double *tau, int count, int cols, eri_matrix *q)
{
    er_result r = ER_OK;
    double *work;
    ERI_TRY(eri_matrix_create(arena, a.rows, cols, q));
    ERI_TRY(workspace(arena, eri_own_apply_work(cols), &work));
    for (int j = 0; j < cols; ++j)
        eri_matrix_column(*q, j)[j] = 1.0;
    eri_own_apply(false, a.rows, cols, count, a.a, a.rows, tau, q->a, a.rows, work);
done:
    return r;
}

er_result eri_linalg_pivoted_factor(er_arena *arena, eri_matrix a, double **diagonal, int **pivot, eri_matrix *q)
{
    er_result r = ER_OK;
    int least = a.rows < a.cols ? a.rows : a.cols;
    double *tau, *work;
    ERI_TRY_NEW(*diagonal, arena, double, least);
    ERI_TRY_NEW(tau, arena, double, least);
    ERI_TRY_NEW(*pivot, arena, int, a.cols);
    ERI_TRY(workspace(arena, 3 * (size_t)a.cols, &work));
    eri_own_pivoted_qr(a.rows, a.cols, a.a, a.rows, tau, *pivot, work);
    for (int i = 0; i < least; ++i)
        (*diagonal)[i] = fabs(eri_matrix_column(a, i)[i]);
    ERI_TRY(form_q(arena, a, tau, least, a.rows, q));
done:
    return r;
}

er_result eri_linalg_eigen(er_arena *arena, eri_matrix a, double **re, double **im, eri_matrix *v)
{
    er_result r = ER_OK;
    int n = a.rows, *order;
    double *work;
    assert(a.rows == a.cols);
    ERI_TRY_NEW(*re, arena, double, n);
    ERI_TRY_NEW(*im, arena, double, n);
    ERI_TRY(eri_matrix_create(arena, n, n, v));
    ERI_TRY_NEW(order, arena, int, n);
    ERI_TRY(workspace(arena, 5 * (size_t)n, &work));
    if (!eri_own_eigen(n, a.a, *re, *im, v->a, work, order))
        r = diverged(eri_arena_context(arena), "the eigenvalues", n);
done:
    return r;
}

er_result eri_linalg_solve(er_arena *arena, int n, double _Complex *a, double _Complex *b, bool *solved)
{
    int *pivots = ERI_NEW(arena, int, n);
    if (pivots == NULL) return ER_ERROR_MEMORY;
    *solved = eri_own_solve(n, a, pivots, b);
    return ER_OK;
}

er_result eri_linalg_orthonormalise(er_arena *arena, eri_matrix a)
{
    er_result r = ER_OK;
    double *tau, *work;
    eri_matrix q = {0};
    assert(a.rows >= a.cols);
    ERI_TRY_NEW(tau, arena, double, a.cols);
    ERI_TRY(workspace(arena, eri_own_apply_work(a.cols), &work));
    eri_own_qr(a.rows, a.cols, a.a, a.rows, tau, work);
    ERI_TRY(form_q(arena, a, tau, a.cols, a.cols, &q));
    memcpy(a.a, q.a, (size_t)a.rows * (size_t)a.cols * sizeof(double));
done:
    return r;
}

er_result eri_linalg_least_squares(er_arena *arena, eri_matrix a, double tol, eri_matrix b, double *x)
{
    er_result r = ER_OK;
    int *pivot;
    double *work;
    assert(b.rows == a.rows && b.cols == 1);
    ERI_TRY_NEW(pivot, arena, int, a.cols);
    ERI_TRY(workspace(arena, eri_own_least_squares_work(a.rows, a.cols), &work));
    eri_own_least_squares(a.rows, a.cols, a.a, tol, b.a, x, work, pivot);
done:
    return r;
}

er_result eri_linalg_cholesky(er_context *context, eri_matrix a)
{
    assert(a.rows == a.cols);
    return eri_own_cholesky(a.rows, a.a) ? ER_OK : eri_linalg_not_definite(context, a.rows);
}

void eri_linalg_triangular_solve(bool transpose, eri_matrix L, eri_matrix b)
{
    assert(L.rows == L.cols && L.rows == b.rows);
    eri_own_triangular_solve(transpose, L.rows, b.cols, L.a, L.rows, b.a, b.rows);
}

bool eri_linalg_indefinite_reduce(int n, double *a, int *pivot, double *work)
{
    (void)work;
    return eri_own_indefinite_factor(n, a, pivot);
}

void eri_linalg_indefinite_solve(int n, const double *a, const int *pivot, double *b)
{
    eri_own_indefinite_solve(n, a, pivot, b);
}

static void clear(int rows, int cols, double *c, int stride)
{
    for (int j = 0; j < cols; ++j)
        memset(c + (size_t)j * (size_t)stride, 0, (size_t)rows * sizeof *c);
}

void eri_linalg_gram(int rows, int cols, const double *a, int stride, bool add, double *S, int S_stride)
{
    for (int j = 0; !add && j < cols; ++j)
        memset(S + (size_t)j * (size_t)S_stride, 0, (size_t)(j + 1) * sizeof *S);
    eri_own_gram(rows, cols, a, stride, S, S_stride);
}

void eri_linalg_multiply(int rows, int cols, int inner, const double *a, int a_stride, const double *b, int b_stride,
                         double *c, int c_stride)
{
    clear(rows, cols, c, c_stride);
    eri_own_multiply(false, false, rows, cols, inner, 1.0, a, a_stride, b, b_stride, c, c_stride);
}

void eri_linalg_multiply_transposed(int rows, int cols, int inner, const double *a, int a_stride, const double *b,
                                    int b_stride, double *c, int c_stride)
{
    clear(rows, cols, c, c_stride);
    eri_own_multiply(true, false, rows, cols, inner, 1.0, a, a_stride, b, b_stride, c, c_stride);
}

double eri_linalg_dot(int count, const double *x, const double *y)
{
    return eri_own_dot(count, x, y);
}

void eri_linalg_axpy(int count, double factor, const double *x, double *y)
{
    eri_own_axpy(count, factor, x, y);
}

er_result eri_eigen_create(er_arena *arena, int most, eri_eigen *e)
{
    er_result r = ER_OK;
    int n = most > 1 ? most : 1;
    e->context = eri_arena_context(arena);
    e->work_size = (int)eri_own_symmetric_work(n);
    e->integers_size = 4 * n;
    ERI_TRY_NEW(e->work, arena, double, e->work_size);
    ERI_TRY_NEW(e->integers, arena, int, e->integers_size);
done:
    return r;
}

er_result eri_eigen_solve(eri_eigen *e, int n, double *a, double *values)
{
    assert(e->integers_size >= 4 * n);
    if (n == 0 || eri_own_symmetric(n, a, values, e->work, e->integers)) return ER_OK;
    return diverged(e->context, "the eigenvalues", n);
}

er_result eri_eigen_solve_graded(eri_eigen *e, int n, double *a, double *values)
{
    int *pivot = e->integers;
    double *U = e->work, *row = U + (size_t)n * (size_t)n;
    size_t s = (size_t)n;
    assert(e->integers_size >= 4 * n);
    if (!eri_own_pivoted_cholesky(n, a, pivot)) return eri_linalg_not_definite(e->context, n);
    for (int j = 1; j < n; ++j)
        memset(a + (size_t)j * s, 0, (size_t)j * sizeof *a);
    if (!eri_own_orthogonalise(n, n, a, 0, a, 0.0, row)) return diverged(e->context, "the eigenvalues", n);
    for (int j = 0; j < n; ++j) { // the longest come first
        const double *from = a + (size_t)(n - 1 - j) * s;
        double length = sqrt(eri_own_dot(n, from, from));
        values[j] = length * length;
        for (int i = 0; i < n; ++i) // rows back to where pivoting took them from
            U[(size_t)pivot[i] + (size_t)j * s] = from[i] / length;
    }
    memcpy(a, U, s * s * sizeof *a);
    return ER_OK;
}

void eri_linalg_set_threads(int threads)
{
    (void)threads;
}

int eri_linalg_threads(void)
{
    return 1;
}

int eri_linalg_one_thread(void)
{
    return 0;
}
