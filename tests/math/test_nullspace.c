// Bases of null spaces against their definition, and the source's table of closed loops.
#include "support/context.h"
#include "support/judge.h"

#include <string.h>

#include <eigenrig/math.h>
#include <eigenrig/model.h>

static const er_nullspace_method methods[] = {ER_NULLSPACE_QR, ER_NULLSPACE_SVD};

static er_nullspace *solve(er_nullspace_method method, int m, int n, const double *A)
{
    er_nullspace *nullspace = NULL;
    assert_int_equal(er_nullspace_create(context, method, m, n, A, 1e-10, &nullspace), ER_OK);
    assert_int_equal(nullspace->column_count, n);
    assert_int_equal(nullspace->rank + nullspace->nullity, n);
    assert_int_equal(nullspace->zero_diagonals, (m < n ? m : n) - nullspace->rank);
    return nullspace;
}

// |Z'Z - I| and |a Z| over rows a of unit norm, column by column.
static void basis_is_sound(const er_nullspace *z, int m, const double *A)
{
    int n = z->column_count;
    for (int i = 0; i < z->nullity; ++i) {
        const double *u = z->basis + (size_t)i * (size_t)n;
        for (int k = 0; k <= i; ++k) {
            real sum = 0.0L;
            for (int l = 0; l < n; ++l)
                sum += (real)u[l] * (real)z->basis[l + k * n];
            measure_at_most("Z'Z - I", (double)fabsl(sum - (i == k)), 1e-13); // 2.8e-15
        }
        for (int row = 0; row < m; ++row) {
            real sum = 0.0L, norm = 0.0L;
            for (int l = 0; l < n; ++l) {
                sum += (real)A[row + l * m] * (real)u[l];
                norm += (real)A[row + l * m] * (real)A[row + l * m];
            }
            if (norm > 0.0L) measure_at_most("A Z", (double)(fabsl(sum) / sqrtl(norm)), 1e-13); // 8.3e-16
        }
    }
}

// Both methods on one matrix: the rank, the promises, and one space.
static void both_methods(int m, int n, const double *A, int rank)
{
    er_nullspace *z[2];
    for (int i = 0; i < 2; ++i) {
        z[i] = solve(methods[i], m, n, A);
        assert_int_equal(z[i]->rank, rank);
        basis_is_sound(z[i], m, A);
        assert_true(z[i]->largest_zero >= 0.0 && z[i]->largest_zero <= 1e-10);
        assert_true(z[i]->smallest_kept > 1e-10 && z[i]->smallest_kept <= 1.0);
    }
    measure_at_most("angle between qr and svd", subspace_angle(n, n - rank, z[0]->basis, z[1]->basis),
                    1e-10); // 7.3e-14
    er_nullspace_destroy(z[0]);
    er_nullspace_destroy(z[1]);
}

// Products of random factors have the rank of the factors; rows of any size count alike.
static void random_matrices_have_the_rank_they_were_made_with(void **state)
{
    dice d = {1};
    static double A[40 * 40], left[40 * 40], right[40 * 40];
    for (int i = 0; i < 200; ++i) {
        int m = dice_below(&d, 30), n = 1 + dice_below(&d, 30), most = m < n ? m : n, rank = dice_below(&d, most + 1);
        for (int k = 0; k < m * rank; ++k)
            left[k] = dice_uniform(&d, -1, 1);
        for (int k = 0; k < rank * n; ++k)
            right[k] = dice_uniform(&d, -1, 1);
        for (int row = 0; row < m; ++row) {
            double scale = dice_below(&d, 6) == 0 && rank < m ? 1.0 : pow(10, dice_uniform(&d, -6, 6));
            for (int col = 0; col < n; ++col) {
                A[row + col * m] = 0.0;
                for (int k = 0; k < rank; ++k)
                    A[row + col * m] += scale * left[row + k * m] * right[k + col * rank];
            }
        }
        both_methods(m, n, A, rank);
    }
}

static void rows_of_zeros_and_empty_matrices_hold_nothing(void **state)
{
    const double zeros[12] = {0};
    both_methods(3, 4, zeros, 0);
    both_methods(0, 5, zeros, 0);
    both_methods(4, 0, zeros, 0);
    const double one_row[12] = {0, 3, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0}; // 3 x 4, only row 1 is not zero
    both_methods(3, 4, one_row, 1);
}

static void wrong_calls_are_refused(void **state)
{
    double A[4] = {1, 0, 0, 1};
    const double tolerances[] = {0, 1, -1, NAN, HUGE_VAL};
    for (int i = 0; i < 2; ++i) {
        er_nullspace *z = (er_nullspace *)A;
        for (int k = 0; k < 5; ++k) {
            assert_int_equal(er_nullspace_create(context, methods[i], 2, 2, A, tolerances[k], &z), ER_ERROR_ARGUMENT);
            assert_null(z);
        }
        assert_int_equal(er_nullspace_create(context, methods[i], -1, 2, A, 1e-10, &z), ER_ERROR_ARGUMENT);
        assert_int_equal(er_nullspace_create(context, methods[i], 2, -1, A, 1e-10, &z), ER_ERROR_ARGUMENT);
        assert_int_equal(er_nullspace_create(context, methods[i], 2, 2, NULL, 1e-10, &z), ER_ERROR_ARGUMENT);
        assert_int_equal(er_nullspace_create(NULL, methods[i], 2, 2, A, 1e-10, &z), ER_ERROR_ARGUMENT);
        assert_int_equal(er_nullspace_create(context, methods[i], 2, 2, A, 1e-10, NULL), ER_ERROR_ARGUMENT);
        assert_int_equal(er_nullspace_create(context, (er_nullspace_method)7, 2, 2, A, 1e-10, &z), ER_ERROR_ARGUMENT);
        const double bad[] = {NAN, HUGE_VAL, 1e200};
        for (int k = 0; k < 3; ++k) { // what has no norm has no rank
            double B[4] = {1, bad[k], 0, 1};
            assert_int_equal(er_nullspace_create(context, methods[i], 2, 2, B, 1e-10, &z), ER_ERROR_ARGUMENT);
            assert_null(z);
        }
    }
    er_nullspace_destroy(NULL);
}

// ---- closed planar loops of n bodies and n parallel hinges

// A regular polygon, or one of uneven corners, of about `size` across, anywhere in space.
static void loop_rig(rig *r, int n, bool symmetric, double size, dice *d)
{
    double corner[RIG_MAX][2];
    memset(r, 0, sizeof *r);
    for (int i = 0; i < n; ++i) {
        double angle = 2 * ER_PI * (i + (symmetric ? 0.0 : dice_uniform(d, -0.3, 0.3))) / n;
        double radius = size * (symmetric ? 0.5 : dice_uniform(d, 0.3, 0.6));
        corner[i][0] = radius * cos(angle);
        corner[i][1] = radius * sin(angle);
    }
    er_pose plane = dice_pose(d);
    plane.p = er_v3_scale(size, plane.p);
    rig_loop(r, n, corner, plane, 1.0);
}

static const struct {
    int bodies;
    bool symmetric;
    int rows, columns, zeros, nullity;
} loop_table[] = {
    {4, true, 20, 24, 3, 7},  {16, true, 80, 96, 3, 19}, {8, false, 40, 48, 3, 11}, // the source's table 4.1
    {9, true, 45, 54, 3, 12}, {9, false, 45, 54, 3, 12},
};

// The counts of a loop in the plane: 6n twists, 5n rows of which 3 (out-of-plane motions of the last link, held
// twice) depend on the others. They hold for rigs of metres, millimetres and kilometres.
static void closed_loops_are_those_of_the_table(void **state)
{
    dice d = {41};
    const double sizes[] = {1.0, 1e-3, 1e3};
    for (size_t i = 0; i < sizeof loop_table / sizeof *loop_table; ++i)
        for (int s = 0; s < 3; ++s) {
            rig r;
            loop_rig(&r, loop_table[i].bodies, loop_table[i].symmetric, sizes[s], &d);
            er_model *m = rig_model(context, &r);
            er_constraints *c = NULL;
            assert_int_equal(er_constraints_create(context, m, &c), ER_OK);
            assert_int_equal(c->constraint_count, loop_table[i].rows);
            assert_int_equal(c->column_count, loop_table[i].columns);
            er_nullspace *z[2];
            for (int k = 0; k < 2; ++k) {
                z[k] = solve(methods[k], c->constraint_count, c->column_count, c->G);
                assert_int_equal(z[k]->zero_diagonals, loop_table[i].zeros);
                assert_int_equal(z[k]->nullity, loop_table[i].nullity);
                measure_at_most("largest pivot taken as zero", z[k]->largest_zero, 1e-13);  // 5.7e-16
                measure_at_most("1 / smallest pivot kept", 1.0 / z[k]->smallest_kept, 1e8); // 1.4e4
                basis_is_sound(z[k], c->constraint_count, c->G);
            }
            const char *const angle[] = {"qr against svd, metres", "qr against svd, millimetres",
                                         "qr against svd, kilometres"};
            measure_at_most(angle[s], subspace_angle(c->column_count, z[0]->nullity, z[0]->basis, z[1]->basis),
                            1e-10); // 4.1e-12
            er_nullspace_destroy(z[0]);
            er_nullspace_destroy(z[1]);
            er_constraints_destroy(c);
            er_model_destroy(m);
        }
}

// Rigs in general position, loops and copied joints among them: the rank that elimination finds, and one space.
static void constraints_of_random_rigs_have_one_null_space(void **state)
{
    dice d = {43};
    for (int trial = 0; trial < 200; ++trial) {
        rig r;
        rig_random(&r, &d, trial % 4 > 0);
        er_model *m = rig_model(context, &r);
        er_constraints *c = NULL;
        assert_int_equal(er_constraints_create(context, m, &c), ER_OK);
        judge *j = judge_create(m);
        both_methods(c->constraint_count, c->column_count, c->G, j->rank);
        judge_destroy(j);
        er_constraints_destroy(c);
        er_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices_have_the_rank_they_were_made_with),
        cmocka_unit_test(rows_of_zeros_and_empty_matrices_hold_nothing),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(closed_loops_are_those_of_the_table),
        cmocka_unit_test(constraints_of_random_rigs_have_one_null_space),
    };
    return cmocka_run_group_tests_name("nullspace", tests, set_up, tear_down);
}
