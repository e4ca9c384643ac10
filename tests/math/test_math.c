// The public mathematics against its definitions, and the rigid part of affine transforms.
#include "support/judge.h"

#include "math/nth_element.h"
#include "math/polar.h"

static const double tol = 1e-13;

static int tear_down(void **state)
{
    measured_report();
    return 0;
}

static void near_to(const char *what, double value, double expected)
{
    measure_at_most(what, fabs(value - expected), tol);
}

static void same_vectors(const char *what, er_vec3 a, er_vec3 b)
{
    near_to(what, a.x, b.x);
    near_to(what, a.y, b.y);
    near_to(what, a.z, b.z);
}

static void same_matrices(const char *what, er_mat3 a, er_mat3 b)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            near_to(what, a.m[i][j], b.m[i][j]);
}

static er_mat3 random_matrix(dice *d)
{
    er_mat3 m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m.m[i][j] = dice_uniform(d, -1, 1);
    return m;
}

// 1 + sin t [a]x + (1 - cos t) [a]x^2 (Rodrigues), with a of norm 1.
static er_mat3 turn(er_vec3 a, double t)
{
    double s = sin(t), c = 1.0 - cos(t), v[3] = {a.x, a.y, a.z};
    er_mat3 r = {{{0, -s * a.z, s * a.y}, {s * a.z, 0, -s * a.x}, {-s * a.y, s * a.x, 0}}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[i][j] += (i == j) + c * (v[i] * v[j] - (i == j));
    return r;
}

// exp of a matrix [n x n] by its series, the argument halved eight times.
static void series_exp(int n, const double *a, double *e)
{
    double term[16], next[16];
    for (int i = 0; i < n * n; ++i)
        e[i] = term[i] = i % (n + 1) == 0;
    for (int k = 1; k < 20; ++k) {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                next[i * n + j] = 0.0;
                for (int l = 0; l < n; ++l)
                    next[i * n + j] += term[i * n + l] * a[l * n + j] / 256.0 / k;
            }
        for (int i = 0; i < n * n; ++i)
            e[i] += term[i] = next[i];
    }
    for (int s = 0; s < 8; ++s) {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                next[i * n + j] = 0.0;
                for (int l = 0; l < n; ++l)
                    next[i * n + j] += e[i * n + l] * e[l * n + j];
            }
        for (int i = 0; i < n * n; ++i)
            e[i] = next[i];
    }
}

static void vectors(void **state)
{
    er_vec3 a = er_v3(1, 2, 3), b = er_v3(-2, 5, 7), up = er_v3(0, 1, 0);
    same_vectors("vectors", er_v3_add(a, b), er_v3(-1, 7, 10));
    same_vectors("vectors", er_v3_sub(a, b), er_v3(3, -3, -4));
    same_vectors("vectors", er_v3_scale(-2, a), er_v3(-2, -4, -6));
    same_vectors("vectors", er_v3_madd(a, 3, b), er_v3(-5, 17, 24));
    same_vectors("vectors", er_v3_cross(a, b), er_v3(-1, -13, 9));
    near_to("vectors", er_v3_dot(a, b), 29);
    near_to("vectors", er_v3_norm(er_v3(2, -3, 6)), 7);
    near_to("vectors", er_v3_distance(a, er_v3(3, -1, 9)), 7);
    same_vectors("vectors", er_v3_unit(er_v3(0, -3, 4), up), er_v3(0, -0.6, 0.8));
    same_vectors("vectors", er_v3_unit(er_v3(0, 0, 0), up), up);
    same_vectors("vectors", er_v3_unit(er_v3(HUGE_VAL, 0, 0), up), up);
    same_vectors("vectors", er_v3_unit(er_v3(NAN, 0, 0), up), up);
    assert_true(er_v3_finite(a) && !er_v3_finite(er_v3(0, NAN, 0)) && !er_v3_finite(er_v3(0, 0, HUGE_VAL)) &&
                !er_v3_finite(er_v3(-HUGE_VAL, 0, 0)));
    dice d = {1};
    for (int i = 0; i < 60; ++i) {
        er_vec3 v = i < 3 ? er_v3(i == 0, i == 1, i == 2) : er_v3_unit(dice_vec3(&d), up), p = er_v3_perpendicular(v);
        near_to("perpendicular", er_v3_dot(v, p), 0);
        near_to("perpendicular", er_v3_norm(p), 1);
    }
}

static void matrices(void **state)
{
    dice d = {2};
    for (int trial = 0; trial < 50; ++trial) {
        er_mat3 a = random_matrix(&d), b = random_matrix(&d), ab = er_m3_mul(a, b), t = er_m3_transpose(a);
        er_vec3 v = dice_vec3(&d), w = dice_vec3(&d), av = er_m3_mul_v(a, v);
        const double x[3] = {v.x, v.y, v.z}, y[3] = {av.x, av.y, av.z};
        for (int i = 0; i < 3; ++i) {
            double row = 0.0;
            for (int j = 0; j < 3; ++j) {
                double sum = 0.0;
                for (int k = 0; k < 3; ++k)
                    sum += a.m[i][k] * b.m[k][j];
                near_to("matrices, product", ab.m[i][j], sum);
                near_to("matrices, transpose", t.m[j][i], a.m[i][j]);
                near_to("matrices, sum", er_m3_madd(a, -2, b).m[i][j], a.m[i][j] - 2 * b.m[i][j]);
                near_to("matrices, identity", er_m3_identity().m[i][j], i == j);
                row += a.m[i][j] * x[j];
            }
            near_to("matrices, times a vector", y[i], row);
        }
        same_vectors("matrices, column", er_m3_column(a, 1), er_v3(a.m[0][1], a.m[1][1], a.m[2][1]));
        same_vectors("matrices, skew", er_m3_mul_v(er_m3_skew(v), w), er_v3_cross(v, w));
        same_vectors("matrices, outer", er_m3_mul_v(er_m3_outer(v, w), w), er_v3_scale(er_v3_dot(w, w), v));
        near_to("matrices, det", er_m3_det(ab), er_m3_det(a) * er_m3_det(b));
        er_mat3 definite = er_m3_madd(er_m3_mul(a, t), 0.5, er_m3_identity());
        same_matrices("matrices, inverse", er_m3_mul(definite, er_m3_inverse(definite)), er_m3_identity());
    }
    near_to("matrices, det", er_m3_det((er_mat3){{{0, 2, 0}, {3, 0, 0}, {0, 0, 5}}}), -30);
    assert_true(!isfinite(er_m3_inverse((er_mat3){{{1, 2, 3}, {2, 4, 6}, {0, 1, 0}}}).m[0][0]));
}

static void rotations(void **state)
{
    dice d = {3};
    for (int trial = 0; trial < 200; ++trial) {
        er_vec3 axis = er_v3_unit(dice_vec3(&d), er_v3(1, 0, 0)), v = dice_vec3(&d);
        double angle = trial < 40 ? pow(10.0, dice_uniform(&d, -12, -2)) : dice_uniform(&d, 0, ER_PI);
        er_vec3 r = er_v3_scale(angle, axis);
        er_quat q = er_q_exp(r), p = dice_quat(&d);
        same_matrices("rotations, exp", er_m3_from_q(q), turn(axis, angle));
        same_vectors("rotations, rotate", er_q_rotate(q, v), er_m3_mul_v(turn(axis, angle), v));
        near_to("rotations, |exp|", er_q_dot(q, q), 1);
        measure_at_most("rotations, log, relative", er_v3_distance(er_q_log(q), r) / angle, tol);
        same_vectors("rotations, log of -q", er_q_log(er_q(-q.w, -q.x, -q.y, -q.z)), r);
        same_matrices("rotations, product", er_m3_from_q(er_q_mul(q, p)), er_m3_mul(er_m3_from_q(q), er_m3_from_q(p)));
        same_matrices("rotations, conjugate", er_m3_from_q(er_q_conj(q)), er_m3_transpose(er_m3_from_q(q)));
        er_quat back = er_q_from_m3(er_m3_from_q(p));
        near_to("rotations, from a matrix", fabs(er_q_dot(back, p)), 1);
        same_matrices("rotations, from a matrix", er_m3_from_q(back), er_m3_from_q(p));
        assert_true(back.w >= 0.0);
        er_vec3 up = er_q_rotate(er_q_upright(axis), axis);
        same_vectors("rotations, upright", up, er_v3(0, 1, 0));
        near_to("rotations, upright by the shortest way", er_v3_norm(er_q_log(er_q_upright(axis))), acos(axis.y));
        double t = dice_uniform(&d, 0, 1);
        er_quat far = er_q_mul(p, q), minus = er_q(-far.w, -far.x, -far.y, -far.z);
        er_mat3 between = er_m3_mul(er_m3_from_q(p), turn(axis, t * angle));
        same_matrices("rotations, slerp", er_m3_from_q(er_q_slerp(p, far, t)), between);
        same_matrices("rotations, slerp the shorter way", er_m3_from_q(er_q_slerp(p, minus, t)), between);
    }
    for (int i = 0; i < 3; ++i) { // half turns, where each of Shepperd's candidates has its turn
        er_vec3 axis = er_v3(i == 0, i == 1, i == 2);
        same_matrices("rotations, half turns", er_m3_from_q(er_q_from_m3(turn(axis, ER_PI))), turn(axis, ER_PI));
        same_vectors("rotations, half turns", er_q_log(er_q_exp(er_v3_scale(ER_PI, axis))), er_v3_scale(ER_PI, axis));
    }
    same_vectors("rotations, upright", er_q_rotate(er_q_upright(er_v3(0, -1, 0)), er_v3(0, -1, 0)), er_v3(0, 1, 0));
    same_vectors("rotations, none", er_q_log(er_q_identity()), er_v3(0, 0, 0));
    er_quat unit = er_q_unit(er_q(2, -4, 5, 6)), none = er_q_unit(er_q(0, 0, 0, 0)),
            lost = er_q_unit(er_q(NAN, 0, 0, 0));
    near_to("rotations, unit", unit.w * 9 - 2 + unit.x * 9 + 4 + unit.y * 9 - 5 + unit.z * 9 - 6, 0);
    near_to("rotations, unit", er_q_dot(unit, unit), 1);
    assert_true(none.w == 1.0 && none.x == 0.0 && lost.w == 1.0 && lost.x == 0.0);
}

static void poses_and_twists(void **state)
{
    dice d = {4};
    for (int trial = 0; trial < 120; ++trial) {
        er_pose a = dice_pose(&d), b = dice_pose(&d), ab = er_pose_mul(a, b);
        er_vec3 x = dice_vec3(&d), to = er_v3_add(er_m3_mul_v(er_m3_from_q(a.q), x), a.p);
        same_vectors("poses, point", er_pose_point(a, x), to);
        same_vectors("poses, point back", er_pose_point_inverse(a, to), x);
        same_vectors("poses, product", er_pose_point(ab, x), er_pose_point(a, er_pose_point(b, x)));
        same_vectors("poses, inverse", er_pose_point(er_pose_inverse(a), to), x);
        same_vectors("poses, identity", er_pose_point(er_pose_identity(), x), x);
        // a twist is the velocity of every point of the frame: w x r + v, seen from elsewhere the same one
        er_twist v = dice_twist(&d), seen = er_twist_transform(a, v);
        er_vec3 own = er_q_rotate(a.q, er_v3_add(er_v3_cross(v.angular, x), v.linear));
        same_vectors("twists", er_v3_add(er_v3_cross(seen.angular, to), seen.linear), own);
        double size = trial < 60 ? pow(10.0, dice_uniform(&d, -8, -1)) : 2.0, e[16];
        v.angular = er_v3_scale(size, v.angular);
        const double w[16] = {0,
                              -v.angular.z,
                              v.angular.y,
                              v.linear.x,
                              v.angular.z,
                              0,
                              -v.angular.x,
                              v.linear.y,
                              -v.angular.y,
                              v.angular.x,
                              0,
                              v.linear.z,
                              0,
                              0,
                              0,
                              0};
        series_exp(4, w, e);
        er_pose moved = er_pose_exp(v);
        er_mat3 R = {{{e[0], e[1], e[2]}, {e[4], e[5], e[6]}, {e[8], e[9], e[10]}}};
        same_matrices("exp of twists, turn", er_m3_from_q(moved.q), R);
        same_vectors("exp of twists, shift", moved.p, er_v3(e[3], e[7], e[11]));
        er_mat3 off = random_matrix(&d);
        er_affine A = er_affine_from_pose(a), B = {er_m3_madd(off, 3, er_m3_identity()), dice_vec3(&d)};
        same_vectors("affine, of a pose", er_affine_point(A, x), to);
        same_vectors("affine, product", er_affine_point(er_affine_mul(A, B), x),
                     er_affine_point(A, er_affine_point(B, x)));
        same_vectors("affine, inverse", er_affine_point(er_affine_inverse(B), er_affine_point(B, x)), x);
        same_vectors("affine, identity", er_affine_point(er_affine_identity(), x), x);
    }
}

// M = Q S by construction: S symmetric and positive definite, so Q is the polar factor.
static void the_rotation_nearest_to_a_map(void **state)
{
    dice d = {5};
    for (int trial = 0; trial < 300; ++trial) {
        er_quat q = dice_quat(&d), axes = dice_quat(&d);
        double unit = trial % 5 == 0 ? pow(10.0, dice_uniform(&d, -30, 30)) : 1.0, side = trial % 2 ? -1.0 : 1.0, s[3];
        er_mat3 stretch = {{{0}}};
        for (int k = 0; k < 3; ++k) {
            er_vec3 axis = er_m3_column(er_m3_from_q(axes), k);
            s[k] = trial % 3 == 0 ? 2.0 : pow(10.0, dice_uniform(&d, -1, 1));
            stretch = er_m3_madd(stretch, s[k], er_m3_outer(axis, axis));
        }
        er_mat3 m = er_m3_madd((er_mat3){0}, side * unit, er_m3_mul(er_m3_from_q(q), stretch));
        eri_stretch told;
        er_quat found = eri_polar_rotation(m, er_q_identity(), &told),
                again = eri_polar_rotation(m, er_q_identity(), NULL);
        same_matrices("polar, rotation", er_m3_from_q(found), er_m3_from_q(q));
        assert_true(found.w == again.w && found.x == again.x);
        assert_true(told.mirrored == (side < 0.0) && !told.singular);
        double low = fmin(stretch.m[0][0], fmin(stretch.m[1][1], stretch.m[2][2])), shear = 0.0;
        double high = fmax(stretch.m[0][0], fmax(stretch.m[1][1], stretch.m[2][2]));
        for (int k = 0; k < 3; ++k)
            shear = fmax(shear, fabs(stretch.m[k][(k + 1) % 3]) / high);
        near_to("polar, scale", told.scale / (unit * cbrt(s[0] * s[1] * s[2])), 1);
        measure_at_most("polar, anisotropy", fabs(told.anisotropy - (high / low - 1.0)), 1e-10);
        near_to("polar, shear", told.shear, shear);
    }
    // what is flat, empty or no number has no rotation; a map that is all but flat still has
    static const er_mat3 lost[] = {{{{0}}},
                                   {{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}},
                                   {{{1, 2, 3}, {2, 4, 6}, {0, 1, 0}}},
                                   {{{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                   {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1e-13}}}};
    for (int i = 0; i < 5; ++i) {
        eri_stretch told;
        er_quat fallback = er_q(0.6, 0, 0.8, 0), q = eri_polar_rotation(lost[i], fallback, &told);
        assert_true(told.singular && q.w == fallback.w && q.y == fallback.y);
    }
    er_mat3 thin = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1e-11}}}, long_one = {{{0, -1, 0}, {1e-11, 0, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3; ++i) { // whichever entry is the largest
        eri_stretch told;
        for (int flat = 0; flat < 2; ++flat) { // det 4e-12 and 0.25e-12 of the largest entry's cube
            double thin_by = flat ? 0.5e-6 : 2e-6;
            er_mat3 needle = {{{thin_by, 0, 0}, {0, thin_by, 0}, {0, 0, thin_by}}};
            needle.m[i][i] = i == 1 ? 1.0 : -1.0;
            eri_polar_rotation(needle, er_q_identity(), &told);
            assert_int_equal(told.singular, flat);
        }
    }
    eri_stretch told;
    eri_polar_rotation(thin, er_q_identity(), &told);
    assert_true(!told.singular && told.anisotropy > 0.9e11 && !told.mirrored);
    er_quat q = eri_polar_rotation(long_one, er_q_identity(), &told);
    same_vectors("polar, thin", er_q_rotate(q, er_v3(1, 0, 0)), er_v3(0, 1, 0));
}

static bool is_before(const eri_centroid *a, const eri_centroid *b, int axis)
{
    return a->at[axis] != b->at[axis] ? a->at[axis] < b->at[axis] : a->index < b->index;
}

// Against a count, one by one, of what is less: what stands in the front half has less than `half` before it.
static void the_least_half_stands_in_front(void **state)
{
    enum { MOST = 60 };
    dice d = {17};
    for (int trial = 0; trial < 600; ++trial) {
        eri_centroid middle[MOST], before[MOST];
        bool met[MOST] = {false};
        int count = 1 + dice_below(&d, MOST), axis = trial % 3, values = trial % 2 == 0 ? 4 : 1000;
        int half = trial % 5 == 0 ? count / 2 : dice_below(&d, count + 1);
        for (int i = 0; i < count; ++i)
            before[i] = middle[i] = (eri_centroid){
                {dice_below(&d, values), dice_below(&d, values), dice_below(&d, values)}, (7 * i + trial) % count};
        for (int i = 0; i < count && count % 7 == 0; ++i) // 7 i meets each index once where 7 is no divisor
            before[i].index = middle[i].index = count - 1 - i;
        eri_nth_element(middle, count, half, axis);
        for (int i = 0; i < count; ++i) {
            int less = 0, from = 0;
            for (int k = 0; k < count; ++k)
                less += is_before(&before[k], &middle[i], axis);
            assert_int_equal(less < half, i < half);
            while (before[from].index != middle[i].index)
                ++from;
            assert_memory_equal(before[from].at, middle[i].at, sizeof middle[i].at);
            assert_false(met[from]);
            met[from] = true;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(matrices),
        cmocka_unit_test(rotations),
        cmocka_unit_test(poses_and_twists),
        cmocka_unit_test(the_rotation_nearest_to_a_map),
        cmocka_unit_test(the_least_half_stands_in_front),
    };
    return cmocka_run_group_tests_name("math", tests, NULL, tear_down);
}
