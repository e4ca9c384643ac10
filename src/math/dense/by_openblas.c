// Dense linear algebra by OpenBLAS: each routine behind one function, with its work space, and results for its codes.
#include "math/dense/dense.h"
#include "math/own/own.h"

#include <assert.h>
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

// LAPACK's integers must be the ints we pass: a 64-bit build of it would read past them.
_Static_assert(sizeof(lapack_int) == sizeof(int), "LAPACKE is built with 64-bit integers");

// One wrapper maps every LAPACK info to a result.
static er_result check(er_arena *arena, const char *routine, int info)
{
    er_context *context = eri_arena_context(arena);
    if (info < 0) return er_fail(context, ER_ERROR_ARGUMENT, "%s: argument %d is not sound", routine, -info);
    if (info > 0) return er_fail(context, ER_ERROR_NO_CONVERGENCE, "%s did not converge (%d)", routine, info);
    return ER_OK;
}

static er_result workspace(er_arena *arena, double query, int *size, double **work)
{
    *size = (int)query;
    *work = ERI_NEW(arena, double, *size);
    return *work != NULL ? ER_OK : ER_ERROR_MEMORY;
}

er_result eri_matrix_product(er_arena *arena, bool transpose_a, eri_matrix a, bool transpose_b, eri_matrix b,
                             eri_matrix *out)
{
    int m = transpose_a ? a.cols : a.rows, k = transpose_a ? a.rows : a.cols, n = transpose_b ? b.rows : b.cols;
    assert((transpose_b ? b.cols : b.rows) == k);
    er_result r = eri_matrix_create(arena, m, n, out);
    if (r != ER_OK || m == 0 || n == 0 || k == 0) return r;
    r = eri_linalg_ready(eri_arena_context(arena));
    if (r != ER_OK) return r;
    cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, m, n,
                k, 1.0, a.a, a.rows, b.a, b.rows, 0.0, out->a, m);
    return ER_OK;
}

static void set_identity(eri_matrix m)
{
    for (int i = 0; i < m.rows && i < m.cols; ++i)
        eri_matrix_column(m, i)[i] = 1.0;
}

er_result eri_linalg_svd(er_arena *arena, eri_matrix a, double **values, eri_matrix *v)
{
    er_result r = ER_OK;
    int m = a.rows, n = a.cols, least = m < n ? m : n, size;
    double query, *work;
    int *integers;
    eri_matrix u = {0}, vt = {0};
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    ERI_TRY_NEW(*values, arena, double, least);
    ERI_TRY(eri_matrix_create(arena, n, n, v));
    if (least == 0) {
        set_identity(*v);
        return ER_OK;
    }
    // All of V is wanted and nothing of U: the right vectors of a are the left ones of its transpose, so the factor
    // that must be square is always the one that is kept.
    ERI_TRY(eri_matrix_transpose(arena, a, &vt));
    ERI_TRY(eri_matrix_create(arena, m, m, &u));
    ERI_TRY_NEW(integers, arena, int, 8 * least);
    ERI_TRY(check(
        arena, "dgesdd",
        LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', n, m, vt.a, n, *values, v->a, n, u.a, m, &query, -1, integers)));
    ERI_TRY(workspace(arena, query, &size, &work));
    ERI_TRY(check(
        arena, "dgesdd",
        LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', n, m, vt.a, n, *values, v->a, n, u.a, m, work, size, integers)));
done:
    return r;
}

// Q from the reflectors that dgeqrf or dgeqp3 left below the diagonal of `a`, with `cols` columns.
static er_result form_q(er_arena *arena, eri_matrix a, const double *tau, int reflectors, int cols, eri_matrix *q)
{
    er_result r = ER_OK;
    double query, *work;
    int size;
    ERI_TRY(eri_matrix_create(arena, a.rows, cols, q));
    set_identity(*q);
    if (reflectors == 0) return ER_OK;
    ERI_TRY(check(arena, "dormqr",
                  LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', a.rows, cols, reflectors, a.a, a.rows, tau, q->a,
                                      a.rows, &query, -1)));
    ERI_TRY(workspace(arena, query, &size, &work));
    ERI_TRY(check(arena, "dormqr",
                  LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', a.rows, cols, reflectors, a.a, a.rows, tau, q->a,
                                      a.rows, work, size)));
done:
    return r;
}

er_result eri_linalg_pivoted_factor(er_arena *arena, eri_matrix a, double **diagonal, int **pivot, eri_matrix *q)
{
    er_result r = ER_OK;
    int m = a.rows, n = a.cols, least = m < n ? m : n, size, *pivots;
    double query, *work, *tau;
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    ERI_TRY_NEW(*diagonal, arena, double, least);
    ERI_TRY_NEW(tau, arena, double, least);
    ERI_TRY_NEW(pivots, arena, int, n);
    if (least > 0) {
        ERI_TRY(check(arena, "dgeqp3", LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, a.a, m, pivots, tau, &query, -1)));
        ERI_TRY(workspace(arena, query, &size, &work));
        ERI_TRY(check(arena, "dgeqp3", LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, a.a, m, pivots, tau, work, size)));
    }
    for (int i = 0; i < least; ++i)
        (*diagonal)[i] = fabs(eri_matrix_column(a, i)[i]);
    for (int j = 0; j < n; ++j)
        pivots[j] = least > 0 ? pivots[j] - 1 : j;
    *pivot = pivots;
    ERI_TRY(form_q(arena, a, tau, least, m, q));
done:
    return r;
}

er_result eri_linalg_eigen(er_arena *arena, eri_matrix a, double **re, double **im, eri_matrix *v)
{
    er_result r = ER_OK;
    int n = a.rows, size;
    double query, *work;
    assert(a.rows == a.cols);
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    ERI_TRY_NEW(*re, arena, double, n);
    ERI_TRY_NEW(*im, arena, double, n);
    ERI_TRY(eri_matrix_create(arena, n, n, v));
    if (n == 0) return ER_OK;
    ERI_TRY(check(arena, "dgeev",
                  LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, a.a, n, *re, *im, NULL, 1, v->a, n, &query, -1)));
    ERI_TRY(workspace(arena, query, &size, &work));
    ERI_TRY(check(arena, "dgeev",
                  LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'V', n, a.a, n, *re, *im, NULL, 1, v->a, n, work, size)));
done:
    return r;
}

er_result eri_linalg_solve(er_arena *arena, int n, double _Complex *a, double _Complex *b, bool *solved)
{
    er_result r = ER_OK;
    int *pivots;
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    ERI_TRY_NEW(pivots, arena, int, n);
    int info = LAPACKE_zgesv_work(LAPACK_COL_MAJOR, n, 1, a, n, pivots, b, n);
    *solved = info == 0;
    ERI_TRY(check(arena, "zgesv", info < 0 ? info : 0));
done:
    return r;
}

er_result eri_linalg_orthonormalise(er_arena *arena, eri_matrix a)
{
    er_result r = ER_OK;
    double query, *work, *tau;
    int size;
    eri_matrix q = {0};
    assert(a.rows >= a.cols);
    if (a.rows == 0 || a.cols == 0) return ER_OK;
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    ERI_TRY_NEW(tau, arena, double, a.cols);
    ERI_TRY(
        check(arena, "dgeqrf", LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, a.rows, a.cols, a.a, a.rows, tau, &query, -1)));
    ERI_TRY(workspace(arena, query, &size, &work));
    ERI_TRY(
        check(arena, "dgeqrf", LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, a.rows, a.cols, a.a, a.rows, tau, work, size)));
    ERI_TRY(form_q(arena, a, tau, a.cols, a.cols, &q));
    memcpy(a.a, q.a, (size_t)a.rows * (size_t)a.cols * sizeof(double));
done:
    return r;
}

er_result eri_linalg_least_squares(er_arena *arena, eri_matrix a, double tol, eri_matrix b, double *x)
{
    er_result r = ER_OK;
    int m = a.rows, n = a.cols, longest = m > n ? m : n, rank, size, *pivots;
    double query, *work, *rhs;
    assert(b.rows == m && b.cols == 1);
    if (m == 0 || n == 0) {
        memset(x, 0, (size_t)n * sizeof(double));
        return ER_OK;
    }
    ERI_TRY(eri_linalg_ready(eri_arena_context(arena)));
    ERI_TRY_NEW(rhs, arena, double, longest);
    memcpy(rhs, b.a, (size_t)m * sizeof(double));
    ERI_TRY_NEW(pivots, arena, int, n);
    ERI_TRY(
        check(arena, "dgelsy",
              LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, n, 1, a.a, m, rhs, longest, pivots, tol, &rank, &query, -1)));
    ERI_TRY(workspace(arena, query, &size, &work));
    ERI_TRY(
        check(arena, "dgelsy",
              LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, n, 1, a.a, m, rhs, longest, pivots, tol, &rank, work, size)));
    memcpy(x, rhs, (size_t)n * sizeof(double));
done:
    return r;
}

er_result eri_linalg_cholesky(er_context *context, eri_matrix a)
{
    assert(a.rows == a.cols);
    er_result r = eri_linalg_ready(context);
    if (r == ER_OK && a.rows > 0 && LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', a.rows, a.a, a.rows) != 0)
        return eri_linalg_not_definite(context, a.rows);
    return r;
}

void eri_linalg_triangular_solve(bool transpose, eri_matrix L, eri_matrix b)
{
    assert(L.rows == L.cols && L.rows == b.rows);
    if (b.cols == 0 || L.rows == 0) return;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transpose ? CblasTrans : CblasNoTrans, CblasNonUnit, b.rows,
                b.cols, 1.0, L.a, L.rows, b.a, b.rows);
}

bool eri_linalg_indefinite_reduce(int n, double *a, int *pivot, double *work)
{
    return LAPACKE_dsytrf_work(LAPACK_COL_MAJOR, 'L', n, a, n, pivot, work, 64 * n) == 0;
}

void eri_linalg_indefinite_solve(int n, const double *a, const int *pivot, double *b)
{
    if (n > 0) LAPACKE_dsytrs_work(LAPACK_COL_MAJOR, 'L', n, 1, a, n, pivot, b, n);
}

// BLAS asks for a stride of 1 at least, of matrices without rows too.
static int leading(int stride)
{
    return stride > 1 ? stride : 1;
}

void eri_linalg_gram(int rows, int cols, const double *a, int stride, bool add, double *S, int S_stride)
{
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, cols, rows, 1.0, a, leading(stride), add ? 1.0 : 0.0, S,
                leading(S_stride));
}

void eri_linalg_multiply(int rows, int cols, int inner, const double *a, int a_stride, const double *b, int b_stride,
                         double *c, int c_stride)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, cols, inner, 1.0, a, leading(a_stride), b,
                leading(b_stride), 0.0, c, leading(c_stride));
}

double eri_linalg_dot(int count, const double *x, const double *y)
{
    return cblas_ddot(count, x, 1, y, 1);
}

void eri_linalg_axpy(int count, double factor, const double *x, double *y)
{
    cblas_daxpy(count, factor, x, 1, y, 1);
}

void eri_linalg_multiply_transposed(int rows, int cols, int inner, const double *a, int a_stride, const double *b,
                                    int b_stride, double *c, int c_stride)
{
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, cols, inner, 1.0, a, leading(a_stride), b,
                leading(b_stride), 0.0, c, leading(c_stride));
}

// Up to so many rows our own routine takes less time than OpenBLAS's (`eigenrig-bench modes`), and none to start.
enum { OWN_ROWS = 100 };

er_result eri_eigen_create(er_arena *arena, int most, eri_eigen *e)
{
    er_result r = ER_OK;
    int n = most > 1 ? most : 1, own = (int)eri_own_symmetric_work(n < OWN_ROWS ? n : OWN_ROWS);
    e->context = eri_arena_context(arena);
    ERI_TRY(eri_linalg_ready(e->context));
    e->work_size = 1 + 6 * n + 2 * n * n; // what dsyevd's manual asks for
    e->work_size = e->work_size > own ? e->work_size : own;
    e->integers_size = 3 + 5 * n;
    ERI_TRY_NEW(e->work, arena, double, e->work_size);
    ERI_TRY_NEW(e->integers, arena, int, e->integers_size);
done:
    return r;
}

er_result eri_eigen_solve(eri_eigen *e, int n, double *a, double *values)
{
    assert(e->work_size >= 1 + 6 * n + 2 * n * n);
    er_result r = eri_linalg_ready(e->context);
    if (r != ER_OK || n == 0) return r;
    bool solved = n <= OWN_ROWS ? eri_own_symmetric(n, a, values, e->work, e->integers)
                                : LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values, e->work,
                                                      e->work_size, e->integers, e->integers_size) == 0;
    return solved ? ER_OK
                  : er_fail(e->context, ER_ERROR_NO_CONVERGENCE, "the eigenvalues of a %dx%d matrix did not converge",
                            n, n);
}

// Rows of the factor back to where pivoting took them from.
static void unpivot(int n, double *column, const int *pivot, double *scratch)
{
    for (int i = 0; i < n; ++i)
        scratch[pivot[i] - 1] = column[i];
    memcpy(column, scratch, (size_t)n * sizeof(double));
}

er_result eri_eigen_solve_graded(eri_eigen *e, int n, double *a, double *values)
{
    int rank, *pivot = e->integers;
    double *scratch = e->work, unused, *work = scratch + 2 * n;
    assert(e->work_size >= 1 + 6 * n + 2 * n * n);
    if (n == 0) return ER_OK;
    er_result r = eri_linalg_ready(e->context);
    if (r != ER_OK) return r;
    if (LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', n, a, n, pivot, &rank, 0.0, work) != 0)
        return eri_linalg_not_definite(e->context, n);
    for (int j = 1; j < n; ++j)
        memset(a + (size_t)j * (size_t)n, 0, (size_t)j * sizeof(double));
    if (LAPACKE_dgesvj_work(LAPACK_COL_MAJOR, 'L', 'U', 'N', n, n, a, n, values, 0, &unused, n, work,
                            e->work_size - 2 * n) != 0)
        return er_fail(e->context, ER_ERROR_NO_CONVERGENCE, "dgesvj did not converge on a %dx%d matrix", n, n);
    for (int j = 0; j < n; ++j) {
        values[j] = work[0] * values[j] * (work[0] * values[j]);
        unpivot(n, a + (size_t)j * (size_t)n, pivot, scratch);
    }
    for (int j = 0, k = n - 1; j < k; ++j, --k) { // dgesvj's order is descending
        double value = values[j];
        values[j] = values[k];
        values[k] = value;
        cblas_dswap(n, a + (size_t)j * (size_t)n, 1, a + (size_t)k * (size_t)n, 1);
    }
    return ER_OK;
}

int eri_linalg_threads(void)
{
    return openblas_get_num_threads();
}

int eri_linalg_one_thread(void)
{
    int before = openblas_get_num_threads();
    if (before != 1) openblas_set_num_threads(1);
    return before != 1 ? before : 0;
}
