// Transforms taken apart into shift, turn and scale, those that are none of these among them.
#include "scene/trs.h"
#include "support/context.h"
#include "support/judge.h"

static er_affine with_columns(er_vec3 x, er_vec3 y, er_vec3 z)
{
    er_affine a = {{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, {5, 6, 7}};
    return a;
}

static double column_length(er_affine a, int column)
{
    return er_v3_norm(er_m3_column(a.linear, column));
}

// Lengths of the columns, x negative in a mirroring and never else, whichever axis was mirrored.
static void scales_are_lengths_and_only_x_mirrors(void **state)
{
    dice d = {17};
    for (int signs = 0; signs < 8; ++signs)
        for (int flat = 0; flat < 8; ++flat) {
            double s[3];
            bool mirrored = false;
            for (int i = 0; i < 3; ++i) {
                s[i] = (signs >> i & 1 ? -1 : 1) * (flat >> i & 1 ? 0.0 : 1.5 + i);
                mirrored ^= s[i] < 0.0;
            }
            er_affine a = er_affine_from_trs(er_v3(5, 6, 7), dice_quat(&d), er_v3(s[0], s[1], s[2]));
            eri_trs trs = eri_trs_from_affine(a);
            assert_true(trs.translation.x == 5 && trs.translation.y == 6 && trs.translation.z == 7);
            measure_at_most("length of x", fabs(fabs(trs.scale.x) - fabs(s[0])), 1e-14);
            measure_at_most("length of y", fabs(trs.scale.y - fabs(s[1])), 1e-14);
            measure_at_most("length of z", fabs(trs.scale.z - fabs(s[2])), 1e-14);
            if (flat == 0) assert_int_equal(trs.scale.x < 0.0, mirrored);
            if (flat > 0) assert_true(trs.scale.x >= 0.0);
            er_affine back = er_affine_from_trs(trs.translation, trs.rotation, trs.scale);
            assert_true(eri_affine_near(back, a, 1e-14));
        }
}

// A shear keeps the first axis and the plane of the first two, down to where these two are one to rounding.
static void shears_keep_the_first_axis_and_the_first_plane(void **state)
{
    dice d = {18};
    for (int e = 0; e <= 14; ++e)
        for (int mirrored = 0; mirrored < 2; ++mirrored) {
            er_quat q = dice_quat(&d);
            er_vec3 u = er_q_rotate(q, er_v3(1, 0, 0)), v = er_q_rotate(q, er_v3(0, 1, 0)),
                    w = er_q_rotate(q, er_v3(0, 0, 1));
            double lean = pow(10.0, -e), side = mirrored ? -1.0 : 1.0;
            er_vec3 x = er_v3_scale(2.0, u), y = er_v3_scale(3.0, er_v3_madd(u, lean, v)),
                    z = er_v3_madd(er_v3_add(er_v3_scale(0.3, u), er_v3_scale(0.2, v)), side, w);
            er_affine a = with_columns(x, y, z);
            eri_trs trs = eri_trs_from_affine(a);
            er_mat3 r = er_m3_from_q(trs.rotation);
            er_vec3 first = er_m3_column(r, 0), second = er_m3_column(r, 1);
            measure_at_most("unit turn of a shear", fabs(er_q_dot(trs.rotation, trs.rotation) - 1.0), 1e-14);
            measure_at_most("first axis of a shear", er_v3_distance(first, er_v3_scale(side, u)), 1e-14);
            // the plane is known to the rounding of y over its lean; which side of x y lies on mirrors with x
            measure_at_most("first plane of a shear", fabs(er_v3_dot(second, w)) * lean, 1e-14);
            if (e < 14) assert_true(er_v3_dot(second, v) > 0.0);
            const double scale[3] = {fabs(trs.scale.x), trs.scale.y, trs.scale.z};
            for (int i = 0; i < 3; ++i)
                measure_at_most("scale of a shear", relative_error(scale[i], column_length(a, i)), 1e-14);
            assert_int_equal(trs.scale.x < 0.0, mirrored);
        }
}

// Two axes that are one, or opposite: whatever completes them is a turn, and keeps the first.
static void axes_that_are_one_are_completed_to_a_turn(void **state)
{
    dice d = {19};
    for (int trial = 0; trial < 60; ++trial) {
        er_vec3 u = er_v3_unit(dice_vec3(&d), er_v3(1, 0, 0)), v = er_v3_unit(dice_vec3(&d), er_v3(0, 1, 0));
        double along = trial % 2 == 0 ? 1.0 : -2.0;
        er_vec3 none = er_v3(0, 0, 0), same = er_v3_scale(along, u);
        er_vec3 z = trial % 3 == 0 ? v : trial % 3 == 1 ? none : same;
        eri_trs trs = eri_trs_from_affine(with_columns(u, same, z));
        er_mat3 r = er_m3_from_q(trs.rotation);
        measure_at_most("unit turn of one axis", fabs(er_q_dot(trs.rotation, trs.rotation) - 1.0), 1e-14);
        measure_at_most("first of one axis", er_v3_norm(er_v3_cross(er_m3_column(r, 0), u)), 1e-12);
        measure_at_most("length of one axis", fabs(trs.scale.y - fabs(along)), 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_are_lengths_and_only_x_mirrors),
        cmocka_unit_test(shears_keep_the_first_axis_and_the_first_plane),
        cmocka_unit_test(axes_that_are_one_are_completed_to_a_turn),
    };
    return cmocka_run_group_tests_name("trs", tests, set_up, tear_down);
}
