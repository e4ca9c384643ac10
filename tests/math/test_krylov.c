// Eigenvalues of tridiagonal matrices against LAPACK's, and Lanczos runs on diagonal operators, whose eigenvalues are
// known.
#include "support/judge.h"

#include <float.h>
#include <lapacke.h>
#include <string.h>

#include "math/krylov/lanczos.h"
#include "math/krylov/symmetric.h"
#include "math/krylov/tridiagonal.h"
#include "support/context.h"

enum { SIZE = 60, LANES = ERI_LANE_COUNT };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// ---- tridiagonal matrices

// One matrix a lane.
typedef struct panel {
    int n;
    double d[LANES][SIZE], e[LANES][SIZE];
} panel;

enum { FAMILIES = 14 };

// Kinds of matrices that are known to be hard, or easy to get wrong.
static void draw(dice *d, int family, int n, double *diagonal, double *beside)
{
    for (int i = 0; i < n; ++i) {
        double x = dice_uniform(d, -1, 1), y = dice_uniform(d, -1, 1), down = pow(10.0, -0.3 * i);
        bool cut = dice_below(d, 4) == 0;
        const double values[FAMILIES][2] = {
            {x, y},                                   // general
            {x, 0},                                   // diagonal
            {x, cut ? 0 : y},                         // split
            {x * down, y * down},                     // graded, large end first
            {x / down, y / down},                     // graded, large end last
            {x * pow(10, 4 * y), y * pow(10, 4 * x)}, // up and down
            {1, 1e-8 * y},                            // one cluster
            {i % 2 == 0 ? 2 : 1, cut ? 1e-12 : 1e-7}, // two
            {abs(n / 2 - i), 1},                      // Wilkinson: pairs equal to the last digit
            {0, 0},                                   // nothing
            {2, -1},                                  // a chain
            {0, 1},                                   // and about zero
            {1e100 * x, 1e100 * y},                   // large
            {1e-100 * x, 1e-100 * y},                 // small
        };
        diagonal[i] = values[family][0];
        beside[i] = values[family][1];
    }
}

static double norm_of(const panel *p, int lane)
{
    double most = 0.0;
    for (int i = 0; i < p->n; ++i)
        most = fmax(most, fabs(p->d[lane][i]) + (i + 1 < p->n ? 2 * fabs(p->e[lane][i]) : 0.0));
    return most;
}

static void load(const panel *p, eri_lanes *d, eri_lanes *e)
{
    for (int i = 0; i < p->n; ++i)
        for (int k = 0; k < LANES; ++k) {
            d[i][k] = p->d[k][i];
            e[i][k] = i + 1 < p->n ? p->e[k][i] : NAN; // not part of the matrix
        }
}

static void values_are_those_of_lapack(const panel *p, int lane, const eri_lanes *value)
{
    double d[SIZE], e[SIZE], mine[SIZE], scale = norm_of(p, lane);
    memcpy(d, p->d[lane], sizeof d);
    memcpy(e, p->e[lane], sizeof e);
    assert_int_equal(LAPACKE_dsterf(p->n, d, e), 0);
    for (int i = 0; i < p->n; ++i)
        mine[i] = value[i][lane];
    qsort(mine, (size_t)p->n, sizeof *mine, ascending);
    for (int i = 0; i < p->n; ++i)
        measure_at_most("tridiagonal, values over the norm", scale > 0.0 ? fabs(mine[i] - d[i]) / scale : fabs(mine[i]),
                        1e-13);
}

// T Z = Z diag(value) and Z'Z = 1.
static void vectors_are_eigenvectors(const panel *p, int lane, const eri_lanes *value, const eri_lanes *Z)
{
    const double *d = p->d[lane], *e = p->e[lane];
    double scale = norm_of(p, lane);
    for (int j = 0; j < p->n; ++j) {
        const eri_lanes *z = Z + j * p->n;
        for (int i = 0; i < p->n; ++i) {
            double sum = (d[i] - value[j][lane]) * z[i][lane];
            if (i > 0) sum += e[i - 1] * z[i - 1][lane];
            if (i + 1 < p->n) sum += e[i] * z[i + 1][lane];
            measure_at_most("tridiagonal, residual over the norm", scale > 0.0 ? fabs(sum) / scale : fabs(sum), 1e-13);
        }
        for (int k = 0; k <= j; ++k) {
            double sum = 0.0;
            for (int i = 0; i < p->n; ++i)
                sum += z[i][lane] * Z[k * p->n + i][lane];
            measure_at_most("tridiagonal, Z'Z - 1", fabs(sum - (j == k)), 1e-13);
        }
    }
}

static void judge_panel(const panel *p)
{
    static eri_lanes d[SIZE], e[SIZE], Z[SIZE * SIZE], alone[SIZE], row[SIZE];
    int n = p->n;
    memset(Z, 0, sizeof Z);
    memset(row, 0, sizeof row);
    for (int i = 0; i < n; ++i)
        Z[i * n + i] += 1.0;
    row[n - 1] += 1.0;
    load(p, d, e);
    static eri_lanes work[ERI_TRIDIAGONAL_WORK * SIZE];
    assert_int_equal(eri_tridiagonal_eigen(n, d, e, n, Z, n, work), 0);
    load(p, alone, e);
    assert_int_equal(eri_tridiagonal_eigen(n, alone, e, 1, row, 1, work), 0);
    for (int k = 0; k < LANES; ++k) {
        values_are_those_of_lapack(p, k, d);
        vectors_are_eigenvectors(p, k, d, Z);
        for (int i = 0; i < n; ++i) {
            assert_true(alone[i][k] == d[i][k]);
            measure_at_most("tridiagonal, last row alone", fabs(row[i][k] - Z[i * n + n - 1][k]), 1e-15);
        }
    }
}

// Every lane a matrix of another kind.
static void tridiagonal_eigenvalues_are_those_of_lapack(void **state)
{
    dice d = {501};
    for (int n = 1; n <= SIZE; ++n)
        for (int trial = 0; trial < trials(n < 20 ? 14 : 4); ++trial) {
            panel p = {.n = n};
            for (int k = 0; k < LANES; ++k)
                draw(&d, (k + trial * 5 + n) % FAMILIES, n, p.d[k], p.e[k]);
            judge_panel(&p);
        }
}

// 2 - 2 cos(i pi / (n + 1)): relative, since all of the matrix's entries are of one size and it is well conditioned.
static void a_chain_of_springs_has_its_closed_form(void **state)
{
    panel p = {.n = 24};
    eri_lanes d[SIZE], e[SIZE], none[1];
    static eri_lanes work[ERI_TRIDIAGONAL_WORK * SIZE];
    for (int k = 0; k < LANES; ++k)
        for (int i = 0; i < p.n; ++i) {
            p.d[k][i] = 2.0 * (k + 1);
            p.e[k][i] = -1.0 * (k + 1);
        }
    load(&p, d, e);
    assert_int_equal(eri_tridiagonal_eigen(p.n, d, e, 0, none, 0, work), 0);
    for (int k = 0; k < LANES; ++k) {
        double value[SIZE];
        for (int i = 0; i < p.n; ++i)
            value[i] = d[i][k];
        qsort(value, (size_t)p.n, sizeof *value, ascending);
        for (int i = 0; i < p.n; ++i)
            measure_at_most("chain of springs",
                            relative_error(value[i], 2.0 * (k + 1) * (1.0 - cos((i + 1) * ER_PI / (p.n + 1)))), 1e-12);
    }
}

// A x = lambda x, and the x are unit and square to each other, of eight matrices at a time and of any size.
static void symmetric_matrices_have_their_eigenvectors(void **state)
{
    enum { MOST = 9 };
    dice d_ = {504};
    for (int n = 1; n <= MOST; ++n) {
        int stride = eri_symmetric_stride(n);
        static eri_lanes A[MOST * MOST], X[(MOST | 1) * MOST], value[MOST], work[ERI_SYMMETRIC_WORK * MOST];
        for (int j = 0; j < n; ++j)
            for (int i = j; i < n; ++i) {
                for (int lane = 0; lane < LANES; ++lane)
                    A[i * n + j][lane] = dice_uniform(&d_, -1, 1);
                A[j * n + i] = X[j * stride + i] = A[i * n + j];
            }
        assert_int_equal(eri_symmetric_eigen(n, X, stride, value, work), 0);
        for (int a = 0; a < n; ++a)
            for (int lane = 0; lane < LANES; ++lane) {
                double far = 0.0;
                for (int i = 0; i < n; ++i) {
                    double sum = -value[a][lane] * X[a * stride + i][lane];
                    for (int j = 0; j < n; ++j)
                        sum += A[i * n + j][lane] * X[a * stride + j][lane];
                    far = fmax(far, fabs(sum));
                }
                measure_at_most("A x - lambda x", far, 1e-14); // 2.4e-15 seen
                for (int b = 0; b <= a; ++b) {
                    double dot = a == b ? -1.0 : 0.0;
                    for (int i = 0; i < n; ++i)
                        dot += X[a * stride + i][lane] * X[b * stride + i][lane];
                    measure_at_most("x' x", fabs(dot), 1e-14);
                }
            }
    }
}

// Other lanes make no difference to a lane, to the last bit.
static void lanes_do_not_hear_of_each_other(void **state)
{
    dice dice_ = {502};
    for (int trial = 0; trial < trials(40); ++trial) {
        panel p = {.n = 2 + dice_below(&dice_, 30)}, q = p;
        eri_lanes d[2][SIZE], e[2][SIZE], Z[2][SIZE];
        static eri_lanes work[ERI_TRIDIAGONAL_WORK * SIZE];
        for (int k = 0; k < LANES; ++k) {
            draw(&dice_, dice_below(&dice_, FAMILIES), p.n, p.d[k], p.e[k]);
            draw(&dice_, dice_below(&dice_, FAMILIES), p.n, q.d[k], q.e[k]);
        }
        memcpy(q.d[3], p.d[3], sizeof q.d[3]);
        memcpy(q.e[3], p.e[3], sizeof q.e[3]);
        for (int i = 0; i < 2; ++i) {
            memset(Z[i], 0, sizeof Z[i]);
            Z[i][p.n - 1] += 1.0;
            load(i == 0 ? &p : &q, d[i], e[i]);
            assert_int_equal(eri_tridiagonal_eigen(p.n, d[i], e[i], 1, Z[i], 1, work), 0);
        }
        for (int i = 0; i < p.n; ++i) {
            assert_true(d[0][i][3] == d[1][i][3]);
            assert_true(Z[0][i][3] == Z[1][i][3]);
        }
    }
}

// ---- Lanczos

enum { ROWS = 300, STEPS = 48 };

// A diagonal operator a lane.
typedef struct operator_panel {
    int rows;
    eri_lanes value[ROWS];
} operator_panel;

static void multiply(void *self, const eri_lanes *x, eri_lanes *out)
{
    const operator_panel *o = self;
    for (int i = 0; i < o->rows; ++i)
        out[i] = o->value[i] * x[i] + x[i]; // the runs are on one less than this
}

// A run of that many steps.
static eri_lanczos *run(er_arena *arena, operator_panel *o, int steps, unsigned seed, const double *locked, int count)
{
    eri_lanczos *l = NULL;
    assert_int_equal(eri_lanczos_create(arena, o->rows, STEPS, &l), ER_OK);
    l->product = multiply;
    l->self = o;
    l->locked = locked;
    l->locked_count = count;
    eri_lanczos_start(l, seed);
    for (int i = 0; i < steps; ++i)
        eri_lanczos_step(l);
    assert_int_equal(l->steps, steps);
    return l;
}

static er_arena *arena_of_test(void)
{
    er_arena *arena = NULL;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    return arena;
}

static double product_of(const eri_lanczos *l, int a, int b, int lane)
{
    double sum = 0.0;
    for (int i = 0; i < l->rows; ++i)
        sum +=
            l->V[(size_t)a * (size_t)l->rows + (size_t)i][lane] * l->V[(size_t)b * (size_t)l->rows + (size_t)i][lane];
    return sum;
}

// V'V = 1 but for panels of zeros, with which an exhausted lane goes on.
static void basis_is_orthonormal(const eri_lanczos *l)
{
    for (int k = 0; k < LANES; ++k) {
        bool ended = false;
        for (int a = 0; a <= l->steps; ++a) {
            double square = product_of(l, a, a, k);
            ended = ended || square == 0.0;
            measure_at_most("Lanczos, |v| - 1", fabs(square - (ended ? 0.0 : 1.0)), 1e-13);
            for (int b = 0; b < a; ++b)
                measure_at_most("Lanczos, v[i] . v[j]", fabs(product_of(l, a, b, k)), 1e-9);
        }
    }
}

// Values, residuals and vectors of the run's projection.
typedef struct ritz {
    eri_lanes value[STEPS], residual[STEPS], vectors[STEPS * STEPS];
} ritz;

// |(B - 1) y - value y| of each Ritz vector is what it is said to be.
static void residuals_are_true(const eri_lanczos *l, const ritz *z)
{
    const operator_panel *o = l->self;
    static eri_lanes found[4][ROWS];
    for (int first = 0; first < l->steps; first += 4) {
        int count = l->steps - first < 4 ? l->steps - first : 4;
        const eri_lanes *weight[4];
        eri_lanes *y[4];
        for (int c = 0; c < count; ++c) {
            weight[c] = z->vectors + (size_t)(first + c) * (size_t)l->steps;
            y[c] = found[c];
            eri_lanczos_combine(l, 0, l->rows / 2, 1, &weight[c], y[c]);
            eri_lanczos_combine(l, l->rows / 2, l->rows - l->rows / 2, 1, &weight[c], y[c] + l->rows / 2);
        }
        for (int c = 0; c < count; ++c)
            for (int k = 0; k < LANES; ++k) {
                double sum = 0.0, nu = z->value[first + c][k];
                for (int i = 0; i < o->rows; ++i) {
                    double off = (o->value[i][k] - nu) * y[c][i][k];
                    sum += off * off;
                }
                double size = l->size[k] + DBL_MIN;
                measure_at_most("Lanczos, residuals over |B|", fabs(sqrt(sum) - z->residual[first + c][k]) / size,
                                1e-9);
            }
    }
}

// Every Ritz value with a small residual is an eigenvalue, and none is there more often than it has vectors: rounding
// may let a run see more than one of them. Returns how many different ones there are.
static int converged_are_eigenvalues(const eri_lanczos *l, const ritz *z, int lane, double tolerance)
{
    const operator_panel *o = l->self;
    int count = 0, different = 0;
    double size = l->size[lane], met[STEPS];
    for (int i = 0; i < l->steps; ++i) {
        double nu = z->value[i][lane];
        bool is_pad = z->residual[i][lane] == 0.0 && nu == 0.0; // of an exhausted lane
        if (is_pad || z->residual[i][lane] > tolerance * size) continue;
        int there = 0, before = 0;
        for (int r = 0; r < o->rows; ++r)
            there += fabs(o->value[r][lane] - nu) <= 2 * tolerance * size;
        for (int k = 0; k < count; ++k)
            before += fabs(met[k] - nu) <= 2 * tolerance * size;
        assert_true(before < there);
        different += before == 0;
        met[count++] = nu;
    }
    return different;
}

// Spectra as a shifted operator has them: most near 1, some far out; and spread evenly; and graded.
static void far_eigenvalues_converge_and_the_basis_stays_orthogonal(void **state)
{
    dice d = {503};
    static operator_panel o;
    static ritz z;
    for (int trial = 0; trial < 12; ++trial) {
        er_arena *arena = arena_of_test();
        o.rows = 50 + dice_below(&d, ROWS - 50);
        for (int i = 0; i < o.rows; ++i)
            for (int k = 0; k < LANES; ++k) {
                double far =
                    i < 12 ? (i % 2 == 0 ? 1 : -1) * pow(3.0, 1 + i / 2) + k : 1.0 + 0.3 * dice_uniform(&d, -1, 1);
                o.value[i][k] = k < 4 ? far : k < 6 ? dice_uniform(&d, 0, 1) : pow(10.0, dice_uniform(&d, -8, 0));
            }
        eri_lanczos *l = run(arena, &o, STEPS, (unsigned)trial, NULL, 0);
        eri_lanczos_ritz(l, z.value, z.residual, z.vectors);
        basis_is_orthonormal(l);
        residuals_are_true(l, &z);
        for (int k = 0; k < LANES; ++k) {
            int found = converged_are_eigenvalues(l, &z, k, 1e-10);
            assert_true(k >= 4 || found >= 12);
        }
        eri_arena_destroy(arena);
    }
}

// A space of so many distinct eigenvalues is exhausted after as many steps, whatever their multiplicities, but for
// rounding: all are found by then, and lanes that end go on with zeros while others go on working.
static void exhausted_lanes_have_found_everything(void **state)
{
    dice d = {504};
    static operator_panel o;
    static ritz z;
    for (int trial = 0; trial < trials(40); ++trial) {
        er_arena *arena = arena_of_test();
        o.rows = 30 + dice_below(&d, 60);
        int distinct[LANES];
        for (int k = 0; k < LANES; ++k) {
            distinct[k] = 1 + dice_below(&d, 12);
            for (int i = 0; i < o.rows; ++i)
                o.value[i][k] = (i % distinct[k] + 1) * (k % 2 == 0 ? 1.0 : -0.1);
        }
        eri_lanczos *l = run(arena, &o, 24, (unsigned)trial, NULL, 0);
        eri_lanczos_ritz(l, z.value, z.residual, z.vectors);
        basis_is_orthonormal(l);
        residuals_are_true(l, &z);
        for (int k = 0; k < LANES; ++k) {
            assert_int_equal(converged_are_eigenvalues(l, &z, k, 1e-10), distinct[k]);
            measure_at_most("Lanczos, what is left at the end, over |B|", l->beta[distinct[k] - 1][k] / l->size[k],
                            1e-12);
        }
        eri_arena_destroy(arena);
    }
}

// Fewer rows than steps: all eigenvalues, to rounding.
static void small_spaces_are_found_whole(void **state)
{
    dice d = {505};
    static operator_panel o;
    static ritz z;
    for (int rows = 1; rows <= 40; ++rows) {
        er_arena *arena = arena_of_test();
        o.rows = rows;
        for (int i = 0; i < rows; ++i)
            for (int k = 0; k < LANES; ++k)
                o.value[i][k] = (i + 1 + 0.2 * dice_uniform(&d, -1, 1)) * pow(10.0, 2 * k);
        eri_lanczos *l = run(arena, &o, rows, 1, NULL, 0);
        eri_lanczos_ritz(l, z.value, z.residual, z.vectors);
        basis_is_orthonormal(l);
        residuals_are_true(l, &z);
        for (int k = 0; k < LANES; ++k) {
            double value[STEPS], known[STEPS];
            for (int i = 0; i < rows; ++i) {
                value[i] = z.value[i][k];
                known[i] = o.value[i][k];
            }
            qsort(value, (size_t)rows, sizeof *value, ascending);
            qsort(known, (size_t)rows, sizeof *known, ascending);
            for (int i = 0; i < rows; ++i)
                measure_at_most("Lanczos, whole small spaces, over |B|", fabs(value[i] - known[i]) / known[rows - 1],
                                1e-12);
        }
        eri_arena_destroy(arena);
    }
}

// The vectors of the far eigenvalues, turned among each other as any basis of an eigenspace may be.
static void locked_vectors_are_not_found_again(void **state)
{
    dice d = {506};
    static operator_panel o;
    static ritz z;
    static double locked[20 * ROWS];
    for (int trial = 0; trial < 10; ++trial) {
        er_arena *arena = arena_of_test();
        int count = 2 * (1 + dice_below(&d, 10));
        o.rows = 60 + dice_below(&d, ROWS - 60);
        for (int i = 0; i < o.rows; ++i)
            for (int k = 0; k < LANES; ++k)
                o.value[i][k] = i < count ? 100.0 + i / 2 : i < count + 4 ? 50.0 + i + k : dice_uniform(&d, 0, 1);
        memset(locked, 0, sizeof locked);
        for (int c = 0; c < count; c += 2) { // pairs of equal eigenvalues
            double angle = dice_uniform(&d, 0, 6), turn[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
            for (int a = 0; a < 2; ++a)
                for (int b = 0; b < 2; ++b)
                    locked[(c + a) * o.rows + c + b] = turn[a][b];
        }
        eri_lanczos *l = run(arena, &o, 40, (unsigned)trial, locked, count);
        eri_lanczos_ritz(l, z.value, z.residual, z.vectors);
        basis_is_orthonormal(l);
        residuals_are_true(l, &z);
        for (int j = 0; j <= l->steps; ++j)
            for (int c = 0; c < count; ++c)
                for (int k = 0; k < LANES; ++k)
                    measure_at_most("Lanczos, v . locked",
                                    fabs(l->V[(size_t)j * (size_t)o.rows + (size_t)(c / 2 * 2)][k]) +
                                        fabs(l->V[(size_t)j * (size_t)o.rows + (size_t)(c / 2 * 2 + 1)][k]),
                                    1e-12);
        for (int k = 0; k < LANES; ++k) {
            assert_true(converged_are_eigenvalues(l, &z, k, 1e-10) >= 4);
            for (int i = 0; i < l->steps; ++i)
                assert_true(z.value[i][k] < 99.0);
        }
        eri_arena_destroy(arena);
    }
}

// An operator of zeros, and one whose every vector is an eigenvector.
static void operators_without_directions_end_at_once(void **state)
{
    static operator_panel o = {.rows = 20};
    static ritz z;
    for (int i = 0; i < o.rows; ++i)
        for (int k = 0; k < LANES; ++k)
            o.value[i][k] = k % 2 == 0 ? 0.0 : 3.0;
    er_arena *arena = arena_of_test();
    eri_lanczos *l = run(arena, &o, 10, 1, NULL, 0);
    eri_lanczos_ritz(l, z.value, z.residual, z.vectors);
    basis_is_orthonormal(l);
    for (int k = 0; k < LANES; ++k) {
        int threes = 0;
        for (int i = 0; i < 10; ++i) {
            threes += fabs(z.value[i][k] - 3.0) < 1e-12;
            assert_true(z.residual[i][k] < 1e-12);
        }
        assert_int_equal(threes, k % 2);
    }
    eri_arena_destroy(arena);
}

static void the_same_seed_gives_the_same_bits(void **state)
{
    dice d = {507};
    static operator_panel o = {.rows = 100};
    for (int i = 0; i < o.rows; ++i)
        for (int k = 0; k < LANES; ++k)
            o.value[i][k] = dice_uniform(&d, 0, 1);
    er_arena *arena = arena_of_test();
    eri_lanczos *a = run(arena, &o, 30, 5, NULL, 0), *b = run(arena, &o, 30, 5, NULL, 0),
                *c = run(arena, &o, 30, 6, NULL, 0);
    assert_memory_equal(a->V, b->V, 31 * 100 * sizeof(eri_lanes));
    assert_memory_equal(a->alpha, b->alpha, 30 * sizeof(eri_lanes));
    assert_true(a->V[0][0] != c->V[0][0]);
    eri_lanczos_start(a, 6); // begun anew
    for (int i = 0; i < 30; ++i)
        eri_lanczos_step(a);
    assert_memory_equal(a->V, c->V, 31 * 100 * sizeof(eri_lanes));
    eri_arena_destroy(arena);
}

static void any_allocation_may_fail(void **state)
{
    er_result result = ER_ERROR_MEMORY;
    long k = 0;
    for (; result != ER_OK; ++k) {
        ledger book = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&book);
        er_arena *arena = NULL;
        eri_lanczos *l = NULL;
        assert_int_equal(eri_arena_create(own, &arena), ER_OK);
        book.left = k;
        result = eri_lanczos_create(arena, 1000, STEPS, &l);
        assert_true(result == (l != NULL ? ER_OK : ER_ERROR_MEMORY));
        eri_arena_destroy(arena);
        ledger_end(&book, own);
    }
    assert_true(k > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tridiagonal_eigenvalues_are_those_of_lapack),
        cmocka_unit_test(a_chain_of_springs_has_its_closed_form),
        cmocka_unit_test(symmetric_matrices_have_their_eigenvectors),
        cmocka_unit_test(lanes_do_not_hear_of_each_other),
        cmocka_unit_test(far_eigenvalues_converge_and_the_basis_stays_orthogonal),
        cmocka_unit_test(exhausted_lanes_have_found_everything),
        cmocka_unit_test(small_spaces_are_found_whole),
        cmocka_unit_test(locked_vectors_are_not_found_again),
        cmocka_unit_test(operators_without_directions_end_at_once),
        cmocka_unit_test(the_same_seed_gives_the_same_bits),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("krylov", tests, set_up, tear_down);
}
