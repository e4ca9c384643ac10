/// @file
/// Shapes by themselves: boxes around them, mass against closed forms and sums of slices, rays against marching, and
/// what is refused.
#include <string.h>

#include "collide/solids.h"
#include "support/context.h"

static const er_shape_kind kinds[] = {ER_SHAPE_SPHERE, ER_SHAPE_CAPSULE, ER_SHAPE_BOX, ER_SHAPE_CYLINDER,
                                      ER_SHAPE_HULL};
enum { KINDS_HERE = sizeof kinds / sizeof *kinds };

static void boxes_hold_shapes_tightly(void **state)
{
    dice d = {1};
    for (int trial = 0; trial < trials(500); ++trial) {
        solid s = roll_solid(&d, kinds[trial % KINDS_HERE], 1);
        s.pose.p = roll_in_box(&d, 10);
        er_vec3 low, high;
        er_shape_box(&s.shape, s.pose, &low, &high);
        const double side[3][2] = {{low.x, high.x}, {low.y, high.y}, {low.z, high.z}};
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < 2; ++k) {
                double away = k == 0 ? -1 : 1;
                er_vec3 n = er_v3(axis == 0 ? away : 0, axis == 1 ? away : 0, axis == 2 ? away : 0);
                assert_true(fabs(away * side[axis][k] - solid_reach(&s, n) - er_v3_dot(n, s.pose.p)) < 1e-14);
            }
        solid_free(&s);
    }
    er_vec3 low, high;
    er_shape_box(&(er_shape){.kind = ER_SHAPE_PLANE}, er_pose_identity(), &low, &high);
    assert_true(low.x == -HUGE_VAL && high.z == HUGE_VAL);
}

/// Mass and inertia about the centre, by cells of a grid.
static void weigh_cells(const solid *s, double density, double *mass, er_vec3 *centre, er_mat3 *inertia)
{
    enum { CELLS = 60 };
    er_vec3 low, high;
    er_shape_box(&s->shape, s->pose, &low, &high);
    er_vec3 cell = er_v3_scale(1.0 / CELLS, er_v3_sub(high, low)), first = {0};
    double dm = density * cell.x * cell.y * cell.z;
    er_mat3 second = {{{0}}};
    *mass = 0;
    for (int i = 0; i < CELLS; ++i)
        for (int j = 0; j < CELLS; ++j)
            for (int k = 0; k < CELLS; ++k) {
                er_vec3 x = er_v3_add(low, er_v3((i + 0.5) * cell.x, (j + 0.5) * cell.y, (k + 0.5) * cell.z));
                if (solid_height(s, x) > 0) continue;
                *mass += dm;
                first = er_v3_madd(first, dm, x);
                second = er_m3_madd(second, dm, er_m3_outer(x, x));
            }
    *centre = er_v3_scale(1 / *mass, first);
    second = er_m3_madd(second, -*mass, er_m3_outer(*centre, *centre));
    double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    *inertia = er_m3_madd(er_m3_madd((er_mat3){{{0}}}, trace, er_m3_identity()), -1, second);
}

static void mass_is_that_of_the_cells_within(void **state)
{
    dice d = {2};
    for (int trial = 0; trial < 15; ++trial) {
        solid s = roll_solid(&d, kinds[trial % KINDS_HERE], 1);
        s.pose = er_pose_identity();
        double mass, other;
        er_vec3 centre, middle;
        er_mat3 inertia, sum;
        assert_int_equal(er_shape_mass(context, &s.shape, 700, &mass, &centre, &inertia), ER_OK);
        weigh_cells(&s, 700, &other, &middle, &sum);
        assert_true(fabs(mass - other) < 0.02 * mass); // cells of a 60th
        assert_true(er_v3_distance(centre, middle) < 0.01);
        double largest = fmax(inertia.m[0][0], fmax(inertia.m[1][1], inertia.m[2][2]));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                assert_true(fabs(inertia.m[i][j] - sum.m[i][j]) < 0.03 * largest);
        solid_free(&s);
    }
}

static void assert_diagonal(er_mat3 m, double x, double y, double z)
{
    const double wanted[3] = {x, y, z};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            assert_true(fabs(m.m[i][j] - (i == j ? wanted[i] : 0)) < 1e-13 * fmax(x, fmax(y, z)));
}

static void mass_has_its_closed_forms(void **state)
{
    double mass;
    er_vec3 c;
    er_mat3 i;
    const er_shape ball = {.kind = ER_SHAPE_SPHERE, .radius = 0.5}, pill = {.kind = ER_SHAPE_CAPSULE, .radius = 0.5};
    assert_int_equal(er_shape_mass(context, &ball, 3, &mass, &c, &i), ER_OK);
    assert_true(fabs(mass - ER_PI / 2) < 1e-15);
    assert_diagonal(i, 0.1 * mass, 0.1 * mass, 0.1 * mass);                   // 2/5 m r^2
    assert_int_equal(er_shape_mass(context, &pill, 3, &mass, &c, &i), ER_OK); // a capsule without length
    assert_true(fabs(mass - ER_PI / 2) < 1e-15);
    assert_diagonal(i, 0.1 * mass, 0.1 * mass, 0.1 * mass);
    const er_shape can = {.kind = ER_SHAPE_CYLINDER, .radius = 2, .length = 3};
    assert_int_equal(er_shape_mass(context, &can, 1, &mass, &c, &i), ER_OK);
    assert_true(fabs(mass - 12 * ER_PI) < 1e-13);
    assert_diagonal(i, mass * 1.75, mass * 1.75, mass * 2); // m (3 r^2 + l^2) / 12, m r^2 / 2
    const er_shape box = {.kind = ER_SHAPE_BOX, .half = {1, 2, 3}};
    er_hull *hull = box_hull(2, 4, 6);
    const er_shape same = {.kind = ER_SHAPE_HULL, .hull = hull};
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(er_shape_mass(context, k == 0 ? &box : &same, 2, &mass, &c, &i), ER_OK);
        assert_true(fabs(mass - 96) < 1e-12 && er_v3_norm(c) < 1e-15);
        assert_diagonal(i, 32 * 13, 32 * 10, 32 * 5); // m (y^2 + z^2) / 3
    }
    er_hull_destroy(hull);
}

/// Where a ray enters a solid, by steps of its height: no point within that of the surface is inside.
static double march(const solid *s, er_vec3 from, er_vec3 way, double most)
{
    double at = 0;
    for (int k = 0; k < 3000 && at <= most; ++k) {
        double height = solid_height(s, er_v3_madd(from, at, way));
        if (height < 1e-10) return at;
        at += height;
    }
    return HUGE_VAL;
}

static void rays_enter_where_marching_does(void **state)
{
    dice d = {3};
    int hits = 0;
    for (int trial = 0; trial < trials(4000); ++trial) {
        solid s = roll_solid(&d, kinds[trial % KINDS_HERE], 1);
        s.pose.p = roll_in_box(&d, 5);
        er_vec3 from = er_v3_madd(s.pose.p, roll(&d, 1.5, 4), roll_direction(&d)), n;
        er_vec3 to = er_v3_add(s.pose.p, roll_in_box(&d, 0.8)), way = er_v3_unit(er_v3_sub(to, from), from);
        double at, most = trial % 7 == 0 ? 2 : HUGE_VAL, other = march(&s, from, way, 8);
        bool hit = er_shape_ray(&s.shape, s.pose, from, way, most, &at, &n);
        hits += hit;
        if (hit) {
            er_vec3 x = er_v3_madd(from, at, way);
            assert_true(at <= most && fabs(solid_height(&s, x)) < 1e-12);
            assert_true(other > most - 1e-6 || fabs(at - other) < 1e-4); // grazing, marching ends before
            assert_true(other < at + 1e-9);
            assert_true(fabs(er_v3_norm(n) - 1) < 1e-12 && er_v3_dot(n, way) < 1e-12);
            double rise = solid_height(&s, er_v3_madd(x, 1e-6, n)); // outward, and the steepest
            assert_true(fabs(rise - 1e-6) < 1e-9);
        } else if (other < most - 1e-6)
            fail_msg("kind %d: a ray that enters at %g is said to miss", s.shape.kind, other);
        solid_free(&s);
    }
    assert_true(hits > trials(1000));
}

static void rays_that_begin_inside_end_there(void **state)
{
    dice d = {4};
    for (int k = 0; k < KINDS_HERE; ++k) {
        solid s = roll_solid(&d, kinds[k], 1);
        er_vec3 n, way = roll_direction(&d), from = {0, 0, 0};
        if (kinds[k] == ER_SHAPE_HULL) from = er_pose_point(s.pose, s.shape.hull->centre);
        double at;
        assert_true(er_shape_ray(&s.shape, s.pose, from, way, 0, &at, &n));
        assert_true(at == 0 && er_v3_distance(n, er_v3_scale(-1, way)) < 1e-15);
        assert_false(er_shape_ray(&s.shape, s.pose, er_v3_madd(from, 9, way), way, HUGE_VAL, &at, &n)); // behind
        solid_free(&s);
    }
    double at;
    er_vec3 n;
    const er_shape plane = {.kind = ER_SHAPE_PLANE};
    assert_true(er_shape_ray(&plane, er_pose_identity(), er_v3(1, 2, 3), er_v3(0.6, 0, -0.8), 9, &at, &n));
    assert_true(fabs(at - 3.75) < 1e-15 && n.z == 1);
    assert_false(er_shape_ray(&plane, er_pose_identity(), er_v3(1, 2, 3), er_v3(0.6, 0, -0.8), 3, &at, &n));
    assert_false(er_shape_ray(&plane, er_pose_identity(), er_v3(1, 2, 3), er_v3(0, 1, 0), 9, &at, &n));
}

static void what_is_no_shape_is_refused(void **state)
{
    const struct {
        er_shape shape;
        const char *named;
    } cases[] = {
        {{.kind = ER_SHAPE_SPHERE, .radius = 0}, "radius"},
        {{.kind = ER_SHAPE_SPHERE, .radius = NAN}, "radius"},
        {{.kind = ER_SHAPE_CAPSULE, .radius = 1, .length = -1}, "length"},
        {{.kind = ER_SHAPE_CAPSULE, .radius = -1, .length = 1}, "radius"},
        {{.kind = ER_SHAPE_CYLINDER, .radius = INFINITY, .length = 1}, "radius"},
        {{.kind = ER_SHAPE_CYLINDER, .radius = 1, .length = 0}, "1e-50"}, // the least
        {{.kind = ER_SHAPE_BOX, .half = {0, 1, 1}}, "along x"},
        {{.kind = ER_SHAPE_BOX, .half = {1, 1e60, 1}}, "along y"},
        {{.kind = ER_SHAPE_BOX, .half = {1, 1, -2}}, "along z"},
        {{.kind = ER_SHAPE_HULL}, "hull"},
        {{.kind = ER_SHAPE_MESH}, "surface"},
        {{.kind = (er_shape_kind)9}, "kind 9"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        assert_refusal(context, er_shape_check(context, &cases[k].shape), ER_ERROR_ARGUMENT, cases[k].named);
    const er_shape plane = {.kind = ER_SHAPE_PLANE}, ball = {.kind = ER_SHAPE_SPHERE, .radius = 1};
    double mass;
    er_vec3 c;
    er_mat3 i;
    assert_int_equal(er_shape_check(context, &plane), ER_OK);
    assert_refusal(context, er_shape_mass(context, &plane, 1, &mass, &c, &i), ER_ERROR_ARGUMENT, "plane");
    assert_int_equal(er_shape_mass(context, &ball, 0, &mass, &c, &i), ER_ERROR_ARGUMENT);
    assert_int_equal(er_shape_mass(context, &ball, 1, NULL, &c, &i), ER_ERROR_ARGUMENT);
    assert_int_equal(er_shape_check(context, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_shape_check(NULL, &ball), ER_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_shapes_tightly),        cmocka_unit_test(mass_is_that_of_the_cells_within),
        cmocka_unit_test(mass_has_its_closed_forms),        cmocka_unit_test(rays_enter_where_marching_does),
        cmocka_unit_test(rays_that_begin_inside_end_there), cmocka_unit_test(what_is_no_shape_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
