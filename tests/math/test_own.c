// Our own routines of linear algebra beside LAPACK's, over matrices that are random, graded, singular, and whose
// eigenvalues come in clusters.
#include "support/judge.h"

#include <cblas.h>
#include <lapacke.h>
#undef I
#include <stdlib.h>
#include <string.h>

#include "math/own/own.h"

enum { RANDOM, GRADED, SINGULAR, CLUSTERED, KINDS };
enum { MOST = 130 };
static const char *const kind_name[KINDS] = {"random", "graded", "singular", "clustered"};
static const int size_of[] = {1, 2, 3, 7, 8, 24, 25, 33, 64, 65, MOST};
enum { SIZES = sizeof size_of / sizeof *size_of };

static dice d = {31};

static double *numbers(int rows, int cols)
{
    double *a = calloc((size_t)(rows * cols) + 1, sizeof *a);
    for (int i = 0; i < rows * cols; ++i)
        a[i] = dice_uniform(&d, -1, 1);
    return a;
}

static double *copy_of(int rows, int cols, const double *a)
{
    double *b = calloc((size_t)(rows * cols) + 1, sizeof *b);
    memcpy(b, a, (size_t)(rows * cols) * sizeof *b);
    return b;
}

static double *product(int m, int n, int k, bool transpose_a, const double *a, bool transpose_b, const double *b)
{
    double *c = calloc((size_t)(m * n) + 1, sizeof *c);
    if (k > 0)
        cblas_dgemm(CblasColMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, m,
                    n, k, 1.0, a, transpose_a ? k : m, b, transpose_b ? n : k, 0.0, c, m);
    return c;
}

static double *matrix(int kind, int rows, int cols)
{
    double *a = numbers(rows, cols);
    if (kind == SINGULAR) { // half of its rank
        int k = (rows < cols ? rows : cols) / 2;
        double *left = numbers(rows, k), *right = numbers(k, cols);
        free(a);
        a = product(rows, cols, k, false, left, false, right);
        free(left);
        free(right);
    }
    for (int j = 0; j < cols; ++j)
        for (int i = 0; i < rows; ++i) {
            if (kind == GRADED) a[i + j * rows] *= pow(10.0, -8.0 * (i + j) / (rows + cols));
            if (kind == CLUSTERED) a[i + j * rows] = 1e-9 * a[i + j * rows] + (i == j ? 1.0 + j / 8 : 0.0);
        }
    return a;
}

// a + a', or a' a and a little more.
static double *symmetric(int kind, int n, bool definite)
{
    double *a = matrix(kind, n, n), *s = definite ? product(n, n, n, true, a, false, a) : copy_of(n, n, a);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            if (!definite) s[i + j * n] = a[i + j * n] + a[j + i * n];
    for (int i = 0; definite && i < n; ++i)
        s[i + i * n] += 0.01 * fabs(s[i + i * n]);
    free(a);
    return s;
}

static double largest(int count, const double *a)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, fabs(a[i]));
    return most;
}

static double apart(int count, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// Measured by what, for all kinds together.
static void expect(const char *what, int kind, double value, double limit)
{
    if (!(value <= limit)) fail_msg("%s of a matrix that is %s: %g", what, kind_name[kind], value);
    measure_at_most(what, value, limit);
}

static void expect_orthonormal(const char *what, int kind, int n, const double *v)
{
    double *g = product(n, n, n, true, v, false, v);
    for (int i = 0; i < n; ++i)
        g[i + i * n] -= 1.0;
    expect(what, kind, largest(n * n, g), 1e-13);
    free(g);
}

static double *work_of(size_t size)
{
    return calloc(size + 1, sizeof(double));
}

// Strides leave a row, which nothing touches.
static void products(void **state)
{
    for (int trial = 0; trial < 200; ++trial) {
        int m = dice_below(&d, 70), n = dice_below(&d, 20), k = dice_below(&d, 140);
        bool ta = trial % 2 == 1, tb = trial % 4 >= 2;
        int sa = (ta ? k : m) + 1, sb = (tb ? n : k) + 1, sc = m + 1;
        double *a = numbers(sa, (ta ? m : k) + 1), *b = numbers(sb, tb ? k : n), *c = numbers(sc, n),
               *e = copy_of(sc, n, c);
        eri_own_multiply(ta, tb, m, n, k, -0.5, a, sa, b, sb, c, sc);
        cblas_dgemm(CblasColMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n, k, -0.5, a, sa,
                    b, sb, 1.0, e, sc);
        measure_at_most("multiply", apart(sc * n, c, e), 1e-13);
        double *S = numbers(k + 1, k), *T = copy_of(k + 1, k, S), *x = numbers(m + 1, k);
        eri_own_gram(m, k, x, m + 1, S, k + 1);
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, k, m, 1.0, x, m + 1, 1.0, T, k + 1);
        measure_at_most("gram", apart((k + 1) * k, S, T), 1e-13);
        measure_at_most("dot", fabs(eri_own_dot(m, a, a) - cblas_ddot(m, a, 1, a, 1)), 1e-13);
        double *all[] = {a, b, c, e, S, T, x};
        for (int i = 0; i < 7; ++i)
            free(all[i]);
    }
}

static void symmetric_eigenvalues(void **state)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < SIZES; ++k) {
            int n = size_of[k], *integers = calloc(4 * (size_t)n, sizeof *integers);
            double *a = symmetric(kind, n, false), *v = copy_of(n, n, a), *theirs = copy_of(n, n, a);
            double value[MOST], wanted[MOST], norm = n * largest(n * n, a) + 1e-300;
            for (int j = 0; j < n; ++j) // the lower triangle alone is read
                for (int i = 0; i < j; ++i)
                    v[i + j * n] = NAN;
            double *work = work_of(eri_own_symmetric_work(n));
            assert_true(eri_own_symmetric(n, v, value, work, integers));
            assert_int_equal(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, theirs, n, wanted), 0);
            expect("symmetric, values", kind, apart(n, value, wanted) / norm, 1e-14);
            expect_orthonormal("symmetric, V'V", kind, n, v);
            double *av = product(n, n, n, false, a, false, v);
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i)
                    av[i + j * n] -= value[j] * v[i + j * n];
            expect("symmetric, A v - lambda v", kind, largest(n * n, av) / norm, 1e-14);
            void *all[] = {integers, a, v, theirs, work, av};
            for (int i = 0; i < 6; ++i)
                free(all[i]);
        }
    double bad = NAN, value, work[200];
    int integers[4];
    assert_false(eri_own_symmetric(1, &bad, &value, work, integers));
}

// Zero, equal values all over, and numbers whose squares are no doubles.
static void symmetric_matrices_at_the_edge(void **state)
{
    enum { N = 60 };
    double *work = work_of(eri_own_symmetric_work(N)), value[N];
    int integers[4 * N];
    for (int scale = -1; scale <= 1; ++scale) {
        double size = scale == 0 ? 0.0 : pow(10.0, 200.0 * scale), *a = symmetric(RANDOM, N, false),
               *b = copy_of(N, N, a);
        for (int i = 0; i < N * N; ++i)
            b[i] = a[i] * size;
        double one[N];
        assert_true(eri_own_symmetric(N, b, value, work, integers));
        assert_true(eri_own_symmetric(N, a, one, work, integers));
        for (int i = 0; i < N; ++i)
            measure_at_most("symmetric, scaled", size == 0.0 ? fabs(value[i]) : fabs(value[i] / size - one[i]), 1e-12);
        expect_orthonormal("symmetric, scaled, V'V", RANDOM, N, b);
        free(a);
        free(b);
    }
    double *a = calloc(N * N, sizeof *a);
    for (int i = 0; i < N; ++i)
        a[i + i * N] = 3.0;
    assert_true(eri_own_symmetric(N, a, value, work, integers));
    for (int i = 0; i < N; ++i)
        assert_true(value[i] == 3.0);
    free(a);
    free(work);
}

static void singular_values(void **state)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < SIZES; ++k)
            for (int wide = -1; wide <= 1; ++wide) {
                int n = size_of[k], m = wide < 0 ? (n + 1) / 2 : wide > 0 ? n + 9 : n, least = m < n ? m : n;
                double *a = matrix(kind, m, n), *v = work_of((size_t)(n * n)), *theirs = copy_of(m, n, a);
                double *work = work_of(eri_own_svd_work(m, n)), value[MOST], wanted[MOST], top = 1e-150, *u, *vt;
                int *integers = calloc(4 * (size_t)(m + n), sizeof *integers);
                assert_true(eri_own_svd(m, n, a, value, v, work, integers));
                u = work_of((size_t)(m * m));
                vt = work_of((size_t)(n * n));
                assert_int_equal(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', m, n, theirs, m, wanted, u, m, vt, n), 0);
                top = fmax(top, wanted[0]);
                expect("svd, values", kind, apart(least, value, wanted) / top, 1e-14);
                expect_orthonormal("svd, V'V", kind, n, v);
                double *av = product(m, n, n, false, a, false, v), *g = product(n, n, m, true, av, false, av);
                for (int j = 0; j < least; ++j)
                    g[j + j * n] -= value[j] * value[j];
                expect("svd, (A V)'(A V)", kind, largest(n * n, g) / (top * top), 1e-13);
                void *all[] = {a, v, theirs, work, integers, u, vt, av, g};
                for (int i = 0; i < 9; ++i)
                    free(all[i]);
            }
}

static void orthogonal_factors(void **state)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < SIZES; ++k)
            for (int wide = 0; wide < 2; ++wide) {
                int m = size_of[k], n = wide == 1 ? m + 5 : (m + 2) / 2, least = m < n ? m : n, pivot[MOST + 5];
                double *a = matrix(kind, m, n), *q = copy_of(m, n, a), *p = copy_of(m, n, a),
                       *theirs = copy_of(m, n, a);
                double tau[MOST], their_tau[MOST], *work = work_of(eri_own_apply_work(n) + 3 * (size_t)n);
                double norm = m * largest(m * n, a) + 1e-300;
                eri_own_qr(m, n, q, m, tau, work);
                assert_int_equal(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, theirs, m, their_tau), 0);
                if (kind != SINGULAR) expect("qr", kind, apart(m * n, q, theirs), 1e-12);
                double *back = copy_of(m, n, q);
                for (int j = 0; j < n; ++j)
                    for (int i = j + 1; i < m; ++i)
                        back[i + j * m] = 0.0;
                eri_own_apply(false, m, n, least, q, m, tau, back, m, work);
                expect("Q R - A", kind, apart(m * n, back, a) / norm, 1e-14);
                eri_own_apply(true, m, n, least, q, m, tau, back, m, work);
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < m; ++i)
                        measure_at_most("Q'(Q R) - R", fabs(back[i + j * m] - (i <= j ? q[i + j * m] : 0.0)) / norm,
                                        1e-14);
                eri_own_pivoted_qr(m, n, p, m, tau, pivot, work);
                for (int i = 1; i < least; ++i)
                    measure_at_most("pivoted qr, growth of the diagonal",
                                    fabs(p[i + i * m]) / (fabs(p[i - 1 + (i - 1) * m]) + 1e-300) - 1.0, 1e-12);
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < m; ++i)
                        back[i + j * m] = i <= j ? p[i + j * m] : 0.0;
                eri_own_apply(false, m, n, least, p, m, tau, back, m, work);
                for (int j = 0; j < n; ++j)
                    expect("Q R - A P", kind, apart(m, back + j * m, a + pivot[j] * m) / norm, 1e-14);
                void *all[] = {a, q, p, theirs, work, back};
                for (int i = 0; i < 6; ++i)
                    free(all[i]);
            }
}

static void triangles(void **state)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < SIZES; ++k) {
            int n = size_of[k], pivot[MOST], their_pivot[MOST], rank;
            double *a = symmetric(kind == SINGULAR ? RANDOM : kind, n, true), *L = copy_of(n, n, a),
                   *theirs = copy_of(n, n, a);
            double norm = largest(n * n, a), *work = work_of(2 * (size_t)n);
            assert_true(eri_own_cholesky(n, L));
            assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, theirs, n), 0);
            expect("cholesky", kind, apart(n * n, L, theirs) / sqrt(norm), 1e-13);
            for (int transpose = 0; transpose < 2; ++transpose) {
                double *b = numbers(n, 3), *x = copy_of(n, 3, b);
                eri_own_triangular_solve(transpose == 1, n, 3, L, n, x, n);
                cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, transpose == 1 ? CblasTrans : CblasNoTrans,
                            CblasNonUnit, n, 3, 1.0, L, n, x, n);
                expect("triangular solve", kind, apart(3 * n, b, x), 1e-12);
                free(b);
                free(x);
            }
            memcpy(L, a, (size_t)(n * n) * sizeof *L);
            memcpy(theirs, a, (size_t)(n * n) * sizeof *theirs);
            assert_true(eri_own_pivoted_cholesky(n, L, pivot));
            assert_int_equal(LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', n, theirs, n, their_pivot, &rank, 0.0, work),
                             0);
            for (int i = 0; i < n; ++i)
                expect("pivoted cholesky, diagonal", kind, fabs(L[i + i * n] / theirs[i + i * n] - 1.0), 1e-11);
            L[0] = -1.0;
            assert_false(eri_own_cholesky(n, L));
            free(a);
            free(L);
            free(theirs);
            free(work);
        }
}

static void indefinite_equations(void **state)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < SIZES; ++k) {
            int n = size_of[k], pivot[MOST], their_pivot[MOST];
            double *a = symmetric(kind, n, false), *mine = copy_of(n, n, a), *theirs = copy_of(n, n, a);
            double *b = numbers(n, 1), *x = copy_of(n, 1, b);
            bool regular = eri_own_indefinite_factor(n, mine, pivot);
            int info = LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', n, theirs, n, their_pivot);
            assert_true(kind == SINGULAR || (regular && info == 0));
            if (kind == RANDOM) assert_memory_equal(pivot, their_pivot, (size_t)n * sizeof *pivot);
            if (kind != SINGULAR) {
                eri_own_indefinite_solve(n, mine, pivot, x);
                double size = largest(n, x), *ax = product(n, 1, n, false, a, false, x);
                expect("indefinite, A x - b", kind, apart(n, ax, b) / (1.0 + largest(n * n, a) * size), 1e-12);
                free(ax);
            }
            free(a);
            free(mine);
            free(theirs);
            free(b);
            free(x);
        }
}

static void least_squares(void **state)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < SIZES; ++k)
            for (int wide = 0; wide < 2; ++wide) {
                int m = size_of[k], n = wide == 1 ? m + 4 : (m + 1) / 2, most = m > n ? m : n, rank,
                    pivot[MOST + 4] = {0};
                double *a = matrix(kind, m, n), *mine = copy_of(m, n, a), *theirs = copy_of(m, n, a),
                       *x = work_of((size_t)n);
                double *b = numbers(most, 1), *rhs = copy_of(most, 1, b);
                double *work = work_of(eri_own_least_squares_work(m, n));
                eri_own_least_squares(m, n, mine, 1e-11, rhs, x, work, pivot);
                memset(pivot, 0, sizeof pivot);
                assert_int_equal(LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, 1, theirs, m, b, most, pivot, 1e-11, &rank), 0);
                expect("least squares, x", kind, apart(n, x, b) / (1.0 + largest(n, b)), 1e-11);
                void *all[] = {a, mine, theirs, x, b, rhs, work};
                for (int i = 0; i < 7; ++i)
                    free(all[i]);
            }
}

// A v = lambda v in both parts, and the same values as LAPACK's where they are well told.
static void eigenvalues_of_any_matrix(void **state)
{
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = 0; k < SIZES; ++k) {
            int n = size_of[k], order[MOST];
            double *a = matrix(kind, n, n), *mine = copy_of(n, n, a), *v = work_of((size_t)(n * n)),
                   *theirs = copy_of(n, n, a);
            double re[MOST], im[MOST], their_re[MOST], their_im[MOST], *work = work_of(5 * (size_t)n);
            double norm = n * largest(n * n, a) + 1e-150, sum = 0.0, their_sum = 0.0;
            assert_true(eri_own_eigen(n, mine, re, im, v, work, order));
            assert_int_equal(
                LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, theirs, n, their_re, their_im, NULL, 1, NULL, 1), 0);
            double *av = product(n, n, n, false, a, false, v);
            for (int j = 0; j < n; ++j) {
                int p = im[j] < 0.0 ? j - 1 : j, q = im[j] != 0.0 ? p + 1 : p; // the columns of the pair
                sum += re[j] * re[j] - im[j] * im[j];
                their_sum += their_re[j] * their_re[j] - their_im[j] * their_im[j];
                for (int i = 0; i < n; ++i) {
                    double y = im[p] != 0.0 ? v[i + q * n] : 0.0;
                    double plain = av[i + p * n] - (re[p] * v[i + p * n] - im[p] * y);
                    double imaginary = im[p] != 0.0 ? av[i + q * n] - (re[p] * y + im[p] * v[i + p * n]) : 0.0;
                    expect("eigen, A v - lambda v", kind, hypot(plain, imaginary) / norm, 1e-13);
                }
                if (kind == RANDOM || kind == CLUSTERED) {
                    double nearest = HUGE_VAL;
                    for (int i = 0; i < n; ++i)
                        nearest = fmin(nearest, hypot(re[j] - their_re[i], im[j] - their_im[i]));
                    expect("eigen, values", kind, nearest / norm, 1e-12);
                }
            }
            expect("eigen, trace of A A", kind, fabs(sum - their_sum) / (norm * norm), 1e-13);
            void *all[] = {a, mine, v, theirs, work, av};
            for (int i = 0; i < 6; ++i)
                free(all[i]);
        }
}

static void complex_equations(void **state)
{
    for (int k = 0; k < SIZES; ++k) {
        int n = size_of[k], pivot[MOST], their_pivot[MOST];
        double *a = numbers(2 * n, n), *theirs = copy_of(2 * n, n, a), *b = numbers(2 * n, 1),
               *x = copy_of(2 * n, 1, b);
        assert_true(eri_own_solve(n, (double _Complex *)a, pivot, (double _Complex *)x));
        assert_int_equal(
            LAPACKE_zgesv(LAPACK_COL_MAJOR, n, 1, (double _Complex *)theirs, n, their_pivot, (double _Complex *)b, n),
            0);
        measure_at_most("complex, x", apart(2 * n, x, b) / largest(2 * n, b), 1e-11);
        memset(a, 0, (size_t)(2 * n * n) * sizeof *a);
        double *kept = copy_of(2 * n, 1, x);
        assert_false(eri_own_solve(n, (double _Complex *)a, pivot, (double _Complex *)x));
        assert_memory_equal(x, kept, (size_t)(2 * n) * sizeof *x);
        free(kept);
        free(a);
        free(theirs);
        free(b);
        free(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(symmetric_eigenvalues),
        cmocka_unit_test(symmetric_matrices_at_the_edge),
        cmocka_unit_test(singular_values),
        cmocka_unit_test(orthogonal_factors),
        cmocka_unit_test(triangles),
        cmocka_unit_test(indefinite_equations),
        cmocka_unit_test(least_squares),
        cmocka_unit_test(eigenvalues_of_any_matrix),
        cmocka_unit_test(complex_equations),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    measured_report();
    return failed;
}
