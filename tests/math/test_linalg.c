// Each wrapper of BLAS and LAPACK, and each operation on lanes, against plain loops in long double.
#include "support/judge.h"

#if !ERI_OWN_LAPACK
#include <cblas.h>
#endif
#include <complex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lanes.h"
#include "base/sanitizer.h"
#include "math/dense/dense.h"

static er_context *context;
static er_arena *arena;

static int set_up(void **state)
{
    return er_context_create(NULL, &context) == ER_OK && eri_arena_create(context, &arena) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    eri_arena_destroy(arena);
    er_context_destroy(context);
    measured_report();
    return 0;
}

static double *at(eri_matrix m, int i, int j)
{
    return &m.a[i + j * m.rows];
}

static eri_matrix random_matrix(dice *d, int rows, int cols)
{
    eri_matrix m;
    assert_int_equal(eri_matrix_create(arena, rows, cols, &m), ER_OK);
    for (int i = 0; i < rows * cols; ++i)
        m.a[i] = dice_uniform(d, -1, 1);
    return m;
}

static eri_matrix copy_of(eri_matrix m)
{
    eri_matrix c;
    assert_int_equal(eri_matrix_create(arena, m.rows, m.cols, &c), ER_OK);
    memcpy(c.a, m.a, (size_t)(m.rows * m.cols) * sizeof *c.a);
    return c;
}

// a'a + 1/10, symmetric positive definite.
static eri_matrix random_definite(dice *d, int n)
{
    eri_matrix a = random_matrix(d, n, n), s = random_matrix(d, n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            *at(s, i, j) = i == j ? 0.1 : 0.0;
            for (int k = 0; k < n; ++k)
                *at(s, i, j) += *at(a, k, i) * *at(a, k, j);
        }
    return s;
}

// x . y, of columns i of a and j of b.
static real dot(eri_matrix a, int i, eri_matrix b, int j)
{
    real sum = 0.0L;
    for (int k = 0; k < a.rows; ++k)
        sum += (real)*at(a, k, i) * (real)*at(b, k, j);
    return sum;
}

static void near_to(const char *what, real value, real expected)
{
    measure_at_most(what, (double)fabsl(value - expected), 1e-12);
}

static void expect_orthonormal(const char *what, eri_matrix q)
{
    for (int i = 0; i < q.cols; ++i)
        for (int j = 0; j < q.cols; ++j)
            near_to(what, dot(q, i, q, j), i == j);
}

static void matrices_are_made_transposed_and_multiplied(void **state)
{
    dice d = {1};
    for (int m = 0; m < 5; ++m)
        for (int n = 0; n < 5; ++n)
            for (int k = 0; k < 4; ++k)
                for (int way = 0; way < 4; ++way) {
                    bool ta = way & 1, tb = way & 2;
                    eri_matrix a = random_matrix(&d, ta ? k : m, ta ? m : k),
                               b = random_matrix(&d, tb ? n : k, tb ? k : n), c = {0};
                    assert_int_equal(eri_matrix_product(arena, ta, a, tb, b, &c), ER_OK);
                    assert_true(c.rows == m && c.cols == n);
                    for (int i = 0; i < m; ++i)
                        for (int j = 0; j < n; ++j) {
                            real sum = 0.0L;
                            for (int l = 0; l < k; ++l)
                                sum += (real) * (ta ? at(a, l, i) : at(a, i, l)) * *(tb ? at(b, j, l) : at(b, l, j));
                            near_to("product", *at(c, i, j), sum);
                        }
                    eri_matrix t = {0};
                    assert_int_equal(eri_matrix_transpose(arena, a, &t), ER_OK);
                    assert_true(t.rows == a.cols && t.cols == a.rows);
                    for (int i = 0; i < a.rows; ++i)
                        for (int j = 0; j < a.cols; ++j)
                            assert_true(*at(t, j, i) == *at(a, i, j));
                }
    eri_matrix zero;
    memset(eri_arena_alloc(arena, 30, 8), 1, 240);
    assert_int_equal(eri_matrix_create(arena, 5, 6, &zero), ER_OK);
    for (int i = 0; i < 30; ++i)
        assert_true(zero.a[i] == 0.0);
    eri_matrix some = eri_matrix_columns(zero, 2, 3);
    assert_true(some.rows == 5 && some.cols == 3 && some.a == zero.a + 10);
}

static void singular_values_and_vectors(void **state)
{
    dice d = {2};
    for (int m = 0; m < 7; ++m)
        for (int n = 0; n < 7; ++n) {
            eri_matrix a = random_matrix(&d, m, n), v = {0};
            double *values;
            int least = m < n ? m : n;
            assert_int_equal(eri_linalg_svd(arena, copy_of(a), &values, &v), ER_OK);
            assert_true(v.rows == n && v.cols == n);
            expect_orthonormal("svd, V'V", v);
            for (int j = 0; j < least; ++j)
                assert_true(values[j] >= 0.0 && (j == 0 || values[j] <= values[j - 1]));
            eri_matrix av = {0};
            assert_int_equal(eri_matrix_product(arena, false, a, false, v, &av), ER_OK);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    near_to("svd, (A V)'(A V)", dot(av, i, av, j), i == j && j < least ? values[j] * values[j] : 0.0);
        }
}

static void pivoted_qr(void **state)
{
    dice d = {3};
    for (int m = 0; m < 7; ++m)
        for (int n = 0; n < 7; ++n) {
            eri_matrix a = random_matrix(&d, m, n), t = copy_of(a), q = {0}, same = {0};
            double *diagonal, *again;
            int *pivot, least = m < n ? m : n;
            assert_int_equal(eri_linalg_pivoted_factor(arena, t, &diagonal, &pivot, &q), ER_OK);
            assert_int_equal(eri_linalg_pivoted_qr(arena, copy_of(a), &again, &same), ER_OK);
            assert_true(q.rows == m && q.cols == m);
            expect_orthonormal("qr, Q'Q", q);
            for (int j = 0; j < least; ++j)
                assert_true(diagonal[j] == fabs(*at(t, j, j)) && diagonal[j] == again[j] &&
                            (j == 0 || diagonal[j] <= diagonal[j - 1]));
            for (int i = 0; i < m * m; ++i)
                assert_true(q.a[i] == same.a[i]);
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < m; ++i)
                    near_to("qr, Q'A P", dot(q, i, a, pivot[j]), i <= j ? *at(t, i, j) : 0.0);
        }
}

static void eigenvalues_of_any_matrix(void **state)
{
    dice d = {4};
    int pairs = 0;
    for (int n = 0; n < 9; ++n) {
        eri_matrix a = random_matrix(&d, n, n), v = {0};
        double *re, *im;
        assert_int_equal(eri_linalg_eigen(arena, copy_of(a), &re, &im, &v), ER_OK);
        for (int j = 0; j < n; ++j) {
            bool pair = im[j] != 0.0;
            double sign = im[j] < 0.0 ? -1.0 : 1.0;
            int first = sign < 0.0 ? j - 1 : j;
            pairs += pair;
            if (im[j] > 0.0) assert_true(re[j + 1] == re[j] && im[j + 1] == -im[j]);
            real norm = 0.0L;
            for (int i = 0; i < n; ++i) {
                long double _Complex x[2] = {0};
                for (int k = 0; k < n; ++k) {
                    long double _Complex y = *at(v, k, first);
                    if (pair) y += sign * (real)*at(v, k, first + 1) * _Complex_I;
                    x[0] += (real)*at(a, i, k) * y;
                    if (k == i) x[1] = y * (re[j] + im[j] * _Complex_I), norm += creall(y * conjl(y));
                }
                measure_at_most("eigen, A v - lambda v", (double)cabsl(x[0] - x[1]), 1e-12);
            }
            near_to("eigen, |v|", norm, 1.0);
        }
    }
    assert_true(pairs > 4);
}

static double _Complex random_number(dice *d)
{
    double re = dice_uniform(d, -1, 1), im = dice_uniform(d, -1, 1);
    return re + im * _Complex_I;
}

static void complex_equations(void **state)
{
    dice d = {5};
    for (int n = 1; n < 8; ++n) {
        double _Complex a[64], b[8], lu[64], x[8];
        bool solved = false;
        for (int i = 0; i < n * n; ++i)
            lu[i] = a[i] = random_number(&d);
        for (int i = 0; i < n; ++i)
            x[i] = b[i] = random_number(&d);
        assert_int_equal(eri_linalg_solve(arena, n, lu, x, &solved), ER_OK);
        assert_true(solved);
        for (int i = 0; i < n; ++i) {
            double _Complex sum = -b[i];
            for (int k = 0; k < n; ++k)
                sum += a[i + k * n] * x[k];
            measure_at_most("complex, A x - b", cabs(sum), 1e-12);
        }
        memset(lu, 0, sizeof lu);
        memcpy(x, b, sizeof x);
        assert_int_equal(eri_linalg_solve(arena, n, lu, x, &solved), ER_OK);
        assert_false(solved);
        assert_memory_equal(x, b, (size_t)n * sizeof *x);
    }
}

static void orthonormal_columns_span_those_given(void **state)
{
    dice d = {6};
    for (int m = 0; m < 9; ++m)
        for (int n = 0; n <= m; ++n) {
            eri_matrix a = random_matrix(&d, m, n), q = copy_of(a);
            assert_int_equal(eri_linalg_orthonormalise(arena, q), ER_OK);
            expect_orthonormal("orthonormalise, Q'Q", q);
            for (int j = 0; j < n; ++j) {
                real rest = dot(a, j, a, j);
                for (int k = 0; k < n; ++k)
                    rest -= dot(a, j, q, k) * dot(a, j, q, k);
                near_to("orthonormalise, span", rest, 0.0);
            }
        }
}

// A'(A x - b) = 0, and x in the rows' space: no shorter one does as well.
static void least_squares(void **state)
{
    dice d = {7};
    for (int m = 0; m < 7; ++m)
        for (int n = 0; n < 7; ++n)
            for (int deficient = 0; deficient < 2; ++deficient) {
                eri_matrix a = random_matrix(&d, m, n), b = random_matrix(&d, m, 1), v = {0};
                double x[8] = {9, 9, 9, 9, 9, 9, 9, 9}, *values;
                for (int i = 0; i < m && deficient && n > 1; ++i)
                    *at(a, i, n - 1) = 2.0 * *at(a, i, 0);
                assert_int_equal(eri_linalg_least_squares(arena, copy_of(a), 1e-10, copy_of(b), x), ER_OK);
                eri_matrix rest = copy_of(b), solution = {n, 1, x};
                for (int i = 0; i < m; ++i)
                    for (int j = 0; j < n; ++j)
                        rest.a[i] -= *at(a, i, j) * x[j];
                for (int j = 0; j < n; ++j)
                    near_to("least squares, A'(A x - b)", dot(a, j, rest, 0), 0.0);
                assert_int_equal(eri_linalg_svd(arena, copy_of(a), &values, &v), ER_OK);
                for (int j = 0; j < n; ++j)
                    if (j >= m || values[j] < 1e-10) near_to("least squares, least", dot(v, j, solution, 0), 0.0);
                assert_true(x[n] == 9.0);
            }
}

static void small_matrices(void **state)
{
    dice d = {8};
    for (int n = 1; n <= 6; ++n) {
        eri_matrix a = random_definite(&d, n), v = copy_of(a), inverse = copy_of(a);
        double values[6], indefinite[4] = {1, 2, 2, 1};
        assert_int_equal(eri_linalg_small_eigen(context, n, v.a, values), ER_OK);
        expect_orthonormal("small eigen, V'V", v);
        for (int j = 0; j < n; ++j) {
            assert_true(j == 0 || values[j] >= values[j - 1]);
            for (int i = 0; i < n; ++i)
                near_to("small eigen, A v - lambda v", dot(a, i, v, j), values[j] * *at(v, i, j));
        }
        assert_int_equal(eri_linalg_small_inverse(context, n, inverse.a), ER_OK);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                near_to("small inverse, A A^-1", dot(a, i, inverse, j), i == j);
        assert_int_equal(eri_linalg_small_inverse(context, 2, indefinite), ER_ERROR_NOT_POSDEF);
    }
}

// The solver of small matrices agrees with LAPACK, for equal and zero eigenvalues and at any scale.
static void small_matrices_are_as_lapack_has_them(void **state)
{
    dice d = {31};
    eri_eigen e;
    assert_int_equal(eri_eigen_create(arena, 6, &e), ER_OK);
    for (int trial = 0; trial < 400; ++trial) {
        int n = 1 + trial % 6, rank = dice_below(&d, n + 1);
        double scale = pow(10.0, dice_uniform(&d, -30, 30)), values[6], wanted[6];
        eri_matrix a = random_definite(&d, n), f = random_matrix(&d, n, rank), mine, theirs;
        if (trial % 3 == 0) // of low rank, with ones upon it: equal eigenvalues
            for (int i = 0; i < n * n; ++i) {
                a.a[i] = trial % 2 == 0 && i % (n + 1) == 0 ? 1.0 : 0.0;
                for (int k = 0; k < rank; ++k)
                    a.a[i] += *at(f, i % n, k) * *at(f, i / n, k);
            }
        for (int i = 0; i < n * n; ++i)
            a.a[i] *= scale;
        mine = copy_of(a), theirs = copy_of(a);
        for (int j = 0; j < n; ++j)
            for (int i = j + 1; i < n; ++i)
                *at(mine, i, j) = 1e9; // is not read
        assert_int_equal(eri_linalg_small_eigen(context, n, mine.a, values), ER_OK);
        assert_int_equal(eri_eigen_solve(&e, n, theirs.a, wanted), ER_OK);
        expect_orthonormal("small eigen, V'V", mine);
        for (int j = 0; j < n; ++j)
            near_to("small eigen, of LAPACK's", (values[j] - wanted[j]) / (scale * n), 0.0);
        if (trial % 3 == 0) continue;
        eri_matrix inverse = copy_of(a), L = copy_of(a), one;
        assert_int_equal(eri_linalg_small_inverse(context, n, inverse.a), ER_OK);
        assert_int_equal(eri_linalg_cholesky(context, L), ER_OK);
        assert_int_equal(eri_matrix_create(arena, n, n, &one), ER_OK);
        for (int i = 0; i < n; ++i)
            *at(one, i, i) = 1.0;
        eri_linalg_triangular_solve(false, L, one);
        eri_linalg_triangular_solve(true, L, one);
        for (int i = 0; i < n * n; ++i)
            near_to("small inverse, of LAPACK's", (inverse.a[i] - one.a[i]) * scale, 0.0);
    }
    double bad[4] = {1.0, NAN, NAN, 1.0}, values[2], flat[4] = {1, 1, 1, 1};
    assert_int_equal(eri_linalg_small_eigen(context, 2, bad, values), ER_ERROR_NO_CONVERGENCE);
    assert_int_equal(eri_linalg_small_inverse(context, 2, bad), ER_ERROR_NOT_POSDEF);
    assert_int_equal(eri_linalg_small_inverse(context, 2, flat), ER_ERROR_NOT_POSDEF);
}

// --- the space BLAS works in

static void *take_space(void *result)
{
    *(er_result *)result = eri_linalg_ready(NULL);
    return NULL;
}

static er_result take_space_in_a_thread(void)
{
    pthread_t thread;
    er_result r = ER_ERROR_SYSTEM;
    assert_int_equal(pthread_create(&thread, NULL, take_space, &r), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return r;
}

static rlim_t mapped(void)
{
    double pages = 0.0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_int_equal(fscanf(file, "%lf", &pages), 1);
    fclose(file);
    return (rlim_t)(pages * (double)sysconf(_SC_PAGESIZE));
}

// In a process of its own, and under an alarm: OpenBLAS itself asks without end.
static void addresses_that_end_are_an_error(void **state)
{
    if (ERI_SANITIZED || ERI_OWN_LAPACK) skip(); // sanitizers map more than any limit, our own routines nothing
    pid_t child = fork();
    if (child == 0) {
        struct rlimit low = {0, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
        alarm(60);
        assert_int_equal(eri_linalg_ready(context), ER_OK);
        low.rlim_cur = mapped() + (100 << 20);
        assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
        assert_int_equal(eri_linalg_ready(context), ER_OK); // this thread has its own
        assert_int_equal(take_space_in_a_thread(), ER_ERROR_MEMORY);
        int threads = eri_linalg_threads();
        eri_linalg_set_threads(threads + 1);
        assert_int_equal(eri_linalg_threads(), threads);
        assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
        for (int i = 0; i < 200; ++i) // one after the other, in the same space
            assert_int_equal(take_space_in_a_thread(), ER_OK);
        assert_true(mapped() < low.rlim_cur + (128 << 20));
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void strided_products(void **state)
{
    dice d = {9};
    for (int trial = 0; trial < 60; ++trial) {
        int m = dice_below(&d, 5), n = dice_below(&d, 5), k = dice_below(&d, 5), gap = dice_below(&d, 3);
        eri_matrix a = random_matrix(&d, m + gap, k), b = random_matrix(&d, k + gap, n),
                   c = random_matrix(&d, m + gap, n), before = copy_of(c), t = random_matrix(&d, k + gap, m),
                   S = random_matrix(&d, n + gap, n), old = copy_of(S);
        eri_linalg_multiply(m, n, k, a.a, a.rows, b.a, b.rows, c.a, c.rows);
        for (int i = 0; i < m + gap; ++i)
            for (int j = 0; j < n; ++j) {
                real sum = 0.0L;
                for (int l = 0; l < k; ++l)
                    sum += (real)*at(a, i, l) * *at(b, l, j);
                near_to("multiply", *at(c, i, j), i < m ? sum : *at(before, i, j));
            }
        eri_linalg_multiply_transposed(m, n, k, t.a, t.rows, b.a, b.rows, c.a, c.rows);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                real sum = 0.0L;
                for (int l = 0; l < k; ++l)
                    sum += (real)*at(t, l, i) * *at(b, l, j);
                near_to("multiply transposed", *at(c, i, j), sum);
            }
        bool add = trial % 2;
        eri_linalg_gram(k, n, b.a, b.rows, add, S.a, S.rows);
        for (int i = 0; i < n + gap; ++i)
            for (int j = 0; j < n; ++j) {
                real sum = add ? *at(old, i, j) : 0.0;
                for (int l = 0; l < k; ++l)
                    sum += i <= j ? (real)*at(b, l, i) * *at(b, l, j) : 0.0L;
                near_to("gram", *at(S, i, j), i <= j ? sum : *at(old, i, j));
            }
    }
    double x[5] = {1, 2, 3, 4, 5}, y[5] = {2, -1, 0, 1, 3};
    assert_true(eri_linalg_dot(4, x, y) == 4.0 && eri_linalg_dot(0, x, y) == 0.0);
    eri_linalg_axpy(4, -2.0, x, y);
    assert_true(y[0] == 0.0 && y[1] == -5.0 && y[2] == -6.0 && y[3] == -7.0 && y[4] == 3.0);
}

static void triangular_factors(void **state)
{
    dice d = {10};
    for (int n = 0; n < 9; ++n) {
        eri_matrix a = random_definite(&d, n), L = copy_of(a);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < j; ++i)
                *at(L, i, j) = NAN; // not read
        assert_int_equal(eri_linalg_cholesky(context, L), ER_OK);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < j; ++i)
                *at(L, i, j) = 0.0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                real sum = 0.0L;
                for (int k = 0; k < n; ++k)
                    sum += (real)*at(L, i, k) * *at(L, j, k);
                near_to("cholesky, L L'", sum, *at(a, i, j));
            }
        for (int transpose = 0; transpose < 2; ++transpose) {
            eri_matrix b = random_matrix(&d, n, 3), x = copy_of(b);
            eri_linalg_triangular_solve(transpose, L, x);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < 3; ++j) {
                    real sum = 0.0L;
                    for (int k = 0; k < n; ++k)
                        sum += (real) * (transpose ? at(L, k, i) : at(L, i, k)) * *at(x, k, j);
                    near_to("triangular solve", sum, *at(b, i, j));
                }
        }
        if (n == 0) continue;
        *at(a, n - 1, n - 1) = -1.0;
        assert_int_equal(eri_linalg_cholesky(context, a), ER_ERROR_NOT_POSDEF);
    }
}

// The same elimination by plain loops on the matrix in the order of the pivots, with the sums that each pivot is left
// over from, and the number of negative eigenvalues by the signs of the blocks.
static double eliminate(int n, const eri_matrix a, const int *pivot, int *negative)
{
    real b[16][16], sum[16] = {0}, growth = 1.0L;
    int order[16];
    for (int i = 0; i < n; ++i)
        order[i] = i;
    for (int k = 0; k<n; k += pivot[k]> 0 ? 1 : 2) {
        int from = pivot[k] > 0 ? k : k + 1, to = abs(pivot[k]) - 1, kept = order[from];
        order[from] = order[to];
        order[to] = kept;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            b[i][j] = order[i] >= order[j] ? *at(a, order[i], order[j]) : *at(a, order[j], order[i]);
    *negative = 0;
    for (int k = 0; k < n;) {
        int size = pivot[k] > 0 ? 1 : 2, end = k + size;
        real p = b[k][k], q = size == 2 ? b[k + 1][k] : 0.0L, s = size == 2 ? b[k + 1][k + 1] : 1.0L,
             det = p * s - q * q;
        real P = fabsl(p), Q = fabsl(q), S = size == 2 ? fabsl(s) : 1.0L;
        *negative += size == 1 ? p < 0.0L : det < 0.0L ? 1 : p < 0.0L ? 2 : 0;
        if (size == 1)
            growth = fmaxl(growth, (sum[k] + P) / P);
        else
            growth = fmaxl(growth, ((sum[k] + P) * S + (sum[k + 1] + S) * P + 2.0L * sqrtl(sum[k] * sum[k + 1]) * Q) /
                                       fabsl(det));
        real l[16][2];
        for (int i = end; i < n; ++i) {
            real x = b[i][k], y = size == 2 ? b[i][k + 1] : 0.0L;
            l[i][0] = (x * s - y * q) / det;
            l[i][1] = size == 2 ? (y * p - x * q) / det : 0.0L;
            sum[i] += l[i][0] * l[i][0] * P + 2.0L * fabsl(l[i][0] * l[i][1]) * Q +
                      l[i][1] * l[i][1] * (size == 2 ? S : 0.0L);
        }
        for (int i = end; i < n; ++i)
            for (int j = end; j < n; ++j)
                b[i][j] -= l[i][0] * b[j][k] + (size == 2 ? l[i][1] * b[j][k + 1] : 0.0L);
        k = end;
    }
    return (double)growth;
}

static void indefinite_factors(void **state)
{
    dice d = {11};
    int swaps = 0, blocks = 0;
    double work[64 * 12], most = 0.0;
    for (int trial = 0; trial < 300; ++trial) {
        int n = 1 + trial % 12, pivot[12], negative = -1, expected;
        eri_matrix a = random_matrix(&d, n, n), full = copy_of(a), values_of = copy_of(a);
        for (int i = 0; i < n; ++i) { // small diagonals ask for blocks, large ones for pivots alone
            *at(a, i, i) *= trial % 3 == 0 ? 0.1 : trial % 3 == 1 ? 3.0 : 1.0;
            for (int j = 0; j <= i; ++j) {
                *at(full, i, j) = *at(full, j, i) = *at(a, i, j);
                *at(values_of, i, j) = *at(values_of, j, i) = *at(a, i, j);
            }
        }
        eri_matrix factor = copy_of(a);
        double growth = eri_linalg_indefinite_factor(n, factor.a, pivot, work, &negative);
        double plain = eliminate(n, full, pivot, &expected), values[12];
        assert_int_equal(negative, expected);
        measure_at_most("indefinite, growth", relative_error(growth, plain), 1e-9);
        most = fmax(most, growth);
        eri_eigen e;
        assert_int_equal(eri_eigen_create(arena, n, &e), ER_OK);
        assert_int_equal(eri_eigen_solve(&e, n, values_of.a, values), ER_OK);
        for (int i = 0; i < n; ++i) {
            expected -= values[i] < 0.0;
            swaps += pivot[i] > 0 && pivot[i] != i + 1;
            blocks += pivot[i] < 0;
        }
        assert_int_equal(expected, 0);
        double x[12], b[12];
        for (int i = 0; i < n; ++i)
            x[i] = b[i] = dice_uniform(&d, -1, 1);
        eri_linalg_indefinite_solve(n, factor.a, pivot, x);
        for (int i = 0; i < n; ++i) {
            real sum = -b[i];
            for (int k = 0; k < n; ++k)
                sum += (real)*at(full, i, k) * x[k];
            measure_at_most("indefinite, A x - b", (double)fabsl(sum), 1e-9);
        }
    }
    assert_true(swaps > 20 && blocks > 100 && most > 100.0);
    double singular = 0.0;
    int pivot, negative;
    assert_true(eri_linalg_indefinite_factor(1, &singular, &pivot, work, &negative) == HUGE_VAL);
    assert_true(eri_linalg_indefinite_factor(0, NULL, NULL, NULL, &negative) == 1.0 && negative == 0);
}

static void symmetric_eigenvalues(void **state)
{
    dice d = {12};
    eri_eigen e;
    assert_int_equal(eri_eigen_create(arena, 9, &e), ER_OK);
    for (int trial = 0; trial < 20; ++trial) {
        int n = trial % 10;
        eri_matrix a = random_definite(&d, n), lower = copy_of(a), graded = copy_of(a);
        double values[2][9], scale[9];
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < j; ++i)
                *at(lower, i, j) = NAN; // not read
        assert_int_equal(eri_eigen_solve(&e, n, lower.a, values[0]), ER_OK);
        expect_orthonormal("eigen, V'V", lower);
        for (int i = 0; i < n; ++i)
            scale[i] = pow(10.0, dice_uniform(&d, -4, 4));
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                near_to("eigen, A v - lambda v", dot(a, i, lower, j), values[0][j] * *at(lower, i, j));
                *at(graded, i, j) *= scale[i] * scale[j];
            }
        eri_matrix scaled = copy_of(graded);
        assert_int_equal(eri_eigen_solve_graded(&e, n, graded.a, values[1]), ER_OK);
        expect_orthonormal("graded, V'V", graded);
        for (int j = 0; j < n; ++j) {
            assert_true(j == 0 || (values[0][j] >= values[0][j - 1] && values[1][j] >= values[1][j - 1]));
            real energy = 0.0L; // v'A v, a sum in which nothing but small terms is left of a small value
            for (int i = 0; i < n; ++i)
                energy += dot(scaled, i, graded, j) * *at(graded, i, j);
            measure_at_most("graded, v'A v", (double)fabsl(energy - values[1][j]) / values[1][n - 1], 1e-14);
            for (int i = 0; i < n; ++i)
                near_to("graded, A v - lambda v", dot(scaled, i, graded, j) / values[1][n - 1],
                        values[1][j] * *at(graded, i, j) / values[1][n - 1]);
        }
        real trace = 0.0L, product[2] = {1.0L, 1.0L};
        eri_matrix L = copy_of(scaled);
        assert_int_equal(eri_linalg_cholesky(context, L), ER_OK);
        for (int j = 0; j < n; ++j) {
            trace += *at(scaled, j, j) - values[1][j];
            product[0] *= (real)*at(L, j, j) * *at(L, j, j);
            product[1] *= values[1][j];
        }
        // the determinant tells whether the small ones are right, digit for digit
        measure_at_most("graded, trace", n > 0 ? (double)fabsl(trace) / values[1][n - 1] : 0.0, 1e-12);
        measure_at_most("graded, determinant", (double)fabsl(product[1] / product[0] - 1.0L), 1e-11);
    }
    double indefinite[4] = {1, 2, 2, 1}, values[2];
    assert_int_equal(eri_eigen_solve_graded(&e, 2, indefinite, values), ER_ERROR_NOT_POSDEF);
}

// ---- lanes

static eri_lanes random_lanes(dice *d)
{
    eri_lanes x;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        x[k] = dice_below(d, 4) == 0 ? 0.0 : dice_uniform(d, -2, 2);
    return x;
}

static void each_lane_by_itself(void **state)
{
    dice d = {13};
    for (int trial = 0; trial < 200; ++trial) {
        eri_lanes a = random_lanes(&d), b = random_lanes(&d), larger = eri_lanes_larger(a, b),
                  size = eri_lanes_magnitude(a);
        eri_mask below = eri_lanes_below(a, b);
        eri_lanes chosen = eri_lanes_choose(below, a, b);
        double sum = 0.0;
        for (int k = 0; k < ERI_LANE_COUNT; ++k) {
            assert_true(below[k] == (a[k] < b[k] ? -1 : 0));
            assert_true(chosen[k] == (a[k] < b[k] ? a[k] : b[k]));
            assert_true(larger[k] == (a[k] < b[k] ? b[k] : a[k]));
            assert_true(size[k] == fabs(a[k]) && !signbit(size[k]));
            sum += a[k];
        }
        measure_at_most("lanes, sum", fabs(eri_lanes_sum(a) - sum), 1e-14);
    }
    double x[40];
    for (int count = 0; count <= 40; ++count)
        for (int most = 0; most < count; ++most) {
            for (int i = 0; i < count; ++i)
                x[i] = dice_uniform(&d, -1, 1);
            x[most] = most % 2 ? -1.5 : 1.5;
            assert_true(eri_lanes_largest(x, count) == 1.5);
            if (most > 0) assert_true(eri_lanes_largest(x + 1, count - 1) == 1.5);
        }
    assert_true(eri_lanes_largest(x, 0) == 0.0);
}

static void panels_hold_columns_side_by_side(void **state)
{
    enum { ROWS = 27, STRIDE = 30 };
    double columns[STRIDE * ERI_LANE_COUNT], back[STRIDE * ERI_LANE_COUNT];
    eri_lanes panel[ROWS + 1];
    for (int i = 0; i < STRIDE * ERI_LANE_COUNT; ++i)
        columns[i] = i + 1;
    for (int rows = 0; rows <= ROWS; ++rows)
        for (int count = 0; count <= ERI_LANE_COUNT; ++count)
            for (int stride = rows; stride <= STRIDE; stride += STRIDE - rows) {
                memset(panel, 0x55, sizeof panel);
                eri_lanes untouched = panel[ROWS];
                eri_lanes_gather(rows, count, columns, stride, panel);
                for (int i = 0; i < rows; ++i)
                    for (int k = 0; k < ERI_LANE_COUNT; ++k)
                        assert_true(panel[i][k] == (k < count ? columns[i + k * stride] : 0.0));
                assert_memory_equal(&panel[ROWS], &untouched, sizeof untouched);
                for (int i = 0; i < rows; ++i)
                    for (int k = count; k < ERI_LANE_COUNT; ++k)
                        panel[i][k] = NAN; // goes nowhere
                memset(back, 0, sizeof back);
                eri_lanes_scatter(rows, count, panel, back, stride);
                for (int i = 0; i < STRIDE * ERI_LANE_COUNT; ++i) {
                    bool inside = stride > 0 && i % stride < rows && i / stride < count;
                    assert_true(back[i] == (inside ? columns[i] : 0.0));
                }
            }
}

#if ERI_OWN_LAPACK
static void threads_are_set_and_given_back(void **state)
{
    (void)state;
    print_message("# our own routines have one thread\n");
    skip();
}
#else
static void threads_are_set_and_given_back(void **state)
{
    int before = eri_linalg_threads();
    eri_linalg_set_threads(2);
    int two = eri_linalg_threads();
    assert_int_equal(two, openblas_get_parallel() == 0 ? 1 : 2); // 0 where it was built without threads
    int given = eri_linalg_one_thread();
    assert_int_equal(eri_linalg_threads(), 1);
    assert_int_equal(given, two > 1 ? two : 0);
    assert_int_equal(eri_linalg_one_thread(), 0);
    eri_linalg_set_threads(0);
    assert_int_equal(eri_linalg_threads(), 1);
    eri_linalg_set_threads(given);
    assert_int_equal(eri_linalg_threads(), two);
    eri_linalg_set_threads(before);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_made_transposed_and_multiplied),
        cmocka_unit_test(singular_values_and_vectors),
        cmocka_unit_test(pivoted_qr),
        cmocka_unit_test(eigenvalues_of_any_matrix),
        cmocka_unit_test(complex_equations),
        cmocka_unit_test(orthonormal_columns_span_those_given),
        cmocka_unit_test(least_squares),
        cmocka_unit_test(small_matrices),
        cmocka_unit_test(small_matrices_are_as_lapack_has_them),
        cmocka_unit_test(addresses_that_end_are_an_error),
        cmocka_unit_test(strided_products),
        cmocka_unit_test(triangular_factors),
        cmocka_unit_test(indefinite_factors),
        cmocka_unit_test(symmetric_eigenvalues),
        cmocka_unit_test(each_lane_by_itself),
        cmocka_unit_test(panels_hold_columns_side_by_side),
        cmocka_unit_test(threads_are_set_and_given_back),
    };
    return cmocka_run_group_tests_name("linalg", tests, set_up, tear_down);
}
