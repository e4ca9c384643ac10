// Foundations of closing loops and holding bodies: the metric in which corrections are least, errors of held bodies and
// their rates, and the centres of mass that stay.
#include <eigenrig/motion.h>

#include <string.h>

#include "displacements.h"
#include "model/kinematics/kinematics.h"
#include "support/context.h"
#include "support/forest.h"
#include "support/linkages.h"

enum { WIDTH = 6 * RIG_MAX };

// b <- L^-1 b or L'^-1 b of a copy.
static void unweighed(const er_kinematics *k, bool transpose, const double *from, double *to)
{
    memcpy(to, from, (size_t)k->width * sizeof *to);
    eri_kinematics_unweigh(k, transpose, (eri_matrix){k->width, 1, to});
}

static double inner(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

static void throw_numbers(dice *d, int count, double *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = dice_uniform(d, -1, 1);
}

// |L' x|^2 = x' W x: for x = L'^-1 z that is z' z; and L^-1 is the transpose of L'^-1.
static void expect_metric(const char *what, dice *d, er_kinematics *k,
                          double (*square)(er_kinematics *, const double *), double tolerance)
{
    double z[WIDTH], x[WIDTH], b[WIDTH], y[WIDTH];
    for (int trial = 0; trial < 3; ++trial) {
        throw_numbers(d, k->width, z);
        throw_numbers(d, k->width, b);
        unweighed(k, true, z, x);
        unweighed(k, false, b, y);
        measure_at_most(what, relative_error(square(k, x), inner(k->width, z, z)), tolerance);
        double here = inner(k->width, b, x), there = inner(k->width, y, z);
        double scale = sqrt(inner(k->width, y, y) * inner(k->width, z, z));
        measure_at_most("transposes of each other", fabs(here - there) / scale, tolerance);
    }
    enum { BOTH = 2 }; // columns side by side, each by itself
    double pair[BOTH * WIDTH];
    memcpy(pair, z, (size_t)k->width * sizeof *z);
    memcpy(pair + k->width, b, (size_t)k->width * sizeof *b);
    eri_kinematics_unweigh(k, true, (eri_matrix){k->width, BOTH, pair});
    unweighed(k, true, b, y);
    measure_at_most("first of two columns", sqrt(inner(k->width, pair, x) / inner(k->width, x, x)) - 1.0, 1e-12);
    for (int c = 0; c < k->width; ++c) {
        measure_at_most("columns side by side", fabs(pair[c] - x[c]), 1e-12 * (1.0 + fabs(x[c])));
        measure_at_most("columns side by side", fabs(pair[k->width + c] - y[c]), 1e-12 * (1.0 + fabs(y[c])));
    }
}

// Coordinates of joints that close loops carry nothing, and count by themselves.
static double loop_square(er_kinematics *k, const double *x)
{
    double free[WIDTH], energy, sum = 0.0;
    for (int c = 0; c < k->width; ++c) {
        free[c] = k->closing[c] ? 0.0 : x[c];
        if (k->closing[c]) sum += x[c] * x[c];
    }
    energy = energy_norm(k, k->model, free);
    return sum + energy * energy;
}

static void loops_close_by_the_kinetic_energy(void **state)
{
    static rig r;
    dice d = {71};
    for (int round = 0; round < trials(40); ++round) {
        if (round < LINKAGE_COUNT) {
            memset(&r, 0, sizeof r);
            linkages[round].build(&r, &d);
        } else {
            rig_random(&r, &d, true);
        }
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        if (m->loop_count > 0) expect_metric("x' M x", &d, k, loop_square, 1e-9); // masses over six decades
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
}

static double held_square(er_kinematics *k, const double *x)
{
    double norm = held_norm(k, k->model, x);
    return norm * norm;
}

// Rigs with all their springs, with some, with those of shifts alone and with none.
static void bodies_are_held_by_the_energy_of_springs(void **state)
{
    static rig r;
    dice d = {72};
    for (int round = 0; round < trials(80); ++round) {
        rig_forest(&r, &d, 1 + dice_below(&d, 12), false);
        for (int j = 0; j < r.joint_count; ++j) {
            er_joint *joint = &r.joint[j];
            int axis[6], count = er_joint_type_freedom(joint->type, axis);
            for (int i = 0; i < count && round % 4 > 0; ++i)
                if (round % 4 == 1 || (round % 4 == 2 && axis[i] < 3)) joint->stiffness[i] = 0.0;
        }
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        const er_hold hold = {.body = dice_below(&d, m->body_count)};
        assert_int_equal(eri_kinematics_hold(k, context, 1, &hold, HELD_PACE), ER_OK);
        expect_metric("x' W x", &d, k, held_square, 1e-9);
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
}

// Some bodies of a rig, wholly or by a point.
static int throw_holds(dice *d, const er_model *m, er_hold *hold)
{
    int count = m->body_count < 3 ? 1 : 1 + dice_below(d, 3), first = dice_below(d, m->body_count);
    for (int h = 0; h < count; ++h) {
        bool turns = dice_below(d, 2) == 0;
        hold[h] = (er_hold){(first + h) % m->body_count, turns, dice_vec3(d)};
    }
    return count;
}

// How far each that is held is off, as it is written: shifts of its point, and its turn times the rig's size where that
// is held too; and by what they change with each coordinate.
static void errors_of_what_is_held_and_their_rates(void **state)
{
    static rig r;
    static double rows[WIDTH * 18];
    const double h = 1e-4;
    dice d = {73};
    for (int round = 0; round < trials(60); ++round) {
        rig_forest(&r, &d, 1 + dice_below(&d, 10), false);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        er_hold hold[3];
        er_pose base[RIG_MAX], pose[RIG_MAX], moved[RIG_MAX];
        double x[WIDTH], at[WIDTH], error[18], worst = 0.0;
        int count = throw_holds(&d, m, hold), row = 0;
        assert_int_equal(eri_kinematics_hold(k, context, count, hold, HELD_PACE), ER_OK);
        if (round % 2 == 1) { // held where they are in another pose
            random_displacement(m, k, &d, 0.5, x);
            eri_kinematics_open(k, x, base);
            eri_kinematics_start_from(k, base);
        } else {
            rest_poses(m, base);
        }
        random_displacement(m, k, &d, 0.4, x);
        eri_kinematics_open(k, x, pose);
        double most = eri_hold_errors(k, &k->holds, pose, error);
        for (int i = 0; i < count; ++i) {
            er_pose is = pose[hold[i].body], was = base[hold[i].body];
            er_vec3 shift = er_v3_sub(er_pose_point(is, hold[i].point), er_pose_point(was, hold[i].point));
            er_vec3 turn = er_v3_scale(m->size, er_q_log(er_q_mul(is.q, er_q_conj(was.q))));
            const double want[6] = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
            for (int c = 0; c < (hold[i].turns ? 3 : 6); ++c, ++row) {
                measure_at_most("what is held, off by", fabs(error[row] - want[c]), 1e-13 * (1.0 + m->size));
                worst = fmax(worst, fabs(error[row]));
            }
        }
        assert_int_equal(k->holds.rows, row);
        assert_true(most == worst);
        memset(rows, 0, sizeof rows);
        const eri_matrix Jt = {k->width, row, rows};
        eri_hold_jacobian(k, &k->holds, x, pose, Jt, 0);
        for (int c = 0; c < k->width; ++c) {
            double off[4][18], step = h * k->unit[c];
            static const double sides[4] = {-2, -1, 1, 2};
            for (int s = 0; s < 4; ++s) {
                memcpy(at, x, sizeof at);
                at[c] += sides[s] * step;
                eri_kinematics_open(k, at, moved);
                eri_hold_errors(k, &k->holds, moved, off[s]);
            }
            for (int i = 0; i < row; ++i) {
                double slope = (8.0 * (off[2][i] - off[1][i]) - (off[3][i] - off[0][i])) / (12.0 * step);
                measure_at_most("rates of what is held", fabs(slope - rows[i * k->width + c]) * k->unit[c] / m->size,
                                1e-8);
            }
        }
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
    er_pose lost[RIG_MAX]; // no number is no small error
    rig_forest(&r, &d, 2, false);
    er_model *m = rig_model(context, &r);
    er_kinematics *k = kinematics_of(m);
    const er_hold hold = {.body = 1};
    double error[6];
    assert_int_equal(eri_kinematics_hold(k, context, 1, &hold, HELD_PACE), ER_OK);
    rest_poses(m, lost);
    assert_true(eri_hold_errors(k, &k->holds, lost, error) <= 1e-15 * m->size);
    lost[1].p.y = NAN;
    assert_true(isnan(eri_hold_errors(k, &k->holds, lost, error)));
    er_kinematics_destroy(k);
    er_model_destroy(m);
}

// w = J v, J of Rodrigues' formula, turns exp(r) as the rate v of r does (Chirikjian 2012, 10.86): and back.
static void the_rate_of_a_turn_is_that_of_its_vector(void **state)
{
    static const double turns[] = {0.0, 1e-9, 1e-4, 0.0099, 0.0101, 0.1, 1.0, 2.5, 3.1};
    dice d = {74};
    for (size_t i = 0; i < ERI_COUNT(turns); ++i)
        for (int trial = 0; trial < 20; ++trial) {
            double t = turns[i];
            er_vec3 u = er_v3_unit(dice_vec3(&d), er_v3(1, 0, 0)), v = dice_vec3(&d), uxv = er_v3_cross(u, v);
            double sine = t > 0.0 ? 1.0 - sin(t) / t : 0.0, half = sin(0.5 * t),
                   cosine = t > 0.0 ? 2.0 * half * half / t : 0.0;
            if (t < 0.02) sine = t * t / 6.0 * (1.0 - t * t / 20.0);
            // v + (1 - cos t) / t u x v + (1 - sin t / t) u x (u x v)
            er_vec3 w = er_v3_madd(er_v3_madd(v, cosine, uxv), sine, er_v3_cross(u, uxv));
            er_vec3 got = eri_turn_rate(er_v3_scale(t, u), w);
            measure_at_most("rate of a turn", er_v3_distance(got, v), t < 0.02 ? 1e-15 : 1e-13);
        }
}

// Trees that nothing ties to the world keep their centres of mass, but for those with a body that is held.
static void what_floats_keeps_its_centre_unless_it_is_held(void **state)
{
    static rig r;
    dice d = {75};
    int kept = 0, left = 0;
    for (int round = 0; round < trials(120); ++round) {
        rig_forest(&r, &d, 4 + dice_below(&d, 12), false);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        er_pose rest[RIG_MAX], pose[RIG_MAX];
        double x[WIDTH];
        int group[RIG_MAX];
        const er_hold hold = {.body = dice_below(&d, m->body_count)};
        find_groups(m, group);
        rest_poses(m, rest);
        assert_int_equal(eri_kinematics_hold(k, context, 1, &hold, HELD_PACE), ER_OK);
        for (int i = 0; i < m->body_count; ++i) {
            int of = group[k->tree.link[i].body];
            bool floats = of >= 0 && of != group[hold.body];
            assert_int_equal(k->placement[i].group >= 0, floats);
            left += of >= 0 && !floats;
        }
        random_displacement(m, k, &d, 0.2, x);
        if (er_kinematics_pose(k, x, pose) == ER_OK)
            for (int g = 0; g < m->body_count; ++g) {
                if (group[g] != g || group[hold.body] == g) continue;
                er_vec3 now = group_centre(m, group, g, pose, NULL), was = group_centre(m, group, g, rest, NULL);
                measure_at_most("centres beside what is held", er_v3_distance(now, was) / m->size, 1e-12);
                ++kept;
            }
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
    assert_true(kept > trials(10) && left > trials(10));
}

static void what_is_refused_is_told(void **state)
{
    static rig r;
    dice d = {76};
    rig_forest(&r, &d, 3, false);
    er_model *m = rig_model(context, &r);
    er_kinematics *k = NULL;
    assert_int_equal(er_kinematics_create(context, NULL, &k), ER_ERROR_ARGUMENT);
    assert_string_equal(er_context_error(context), "er_kinematics_create needs a model");
    assert_int_equal(er_kinematics_create(NULL, m, &k), ER_ERROR_ARGUMENT);
    assert_int_equal(er_kinematics_create(context, m, NULL), ER_ERROR_ARGUMENT);
    k = kinematics_of(m);
    double x[WIDTH] = {0};
    er_pose pose[RIG_MAX];
    assert_int_equal(er_kinematics_pose(NULL, x, pose), ER_ERROR_ARGUMENT);
    for (int i = 0; i < 2; ++i) {
        er_fail(context, ER_OK, "before");
        assert_int_equal(er_kinematics_pose(k, i == 0 ? NULL : x, i == 0 ? pose : NULL), ER_ERROR_ARGUMENT);
        assert_string_equal(er_context_error(context), "er_kinematics_pose needs a displacement and a place for the "
                                                       "poses");
    }
    x[1] = -1e9; // the last that may be
    assert_int_equal(er_kinematics_pose(k, x, pose), ER_OK);
    x[1] = 2e9;
    assert_int_equal(er_kinematics_pose(k, x, pose), ER_ERROR_ARGUMENT);
    assert_string_equal(er_context_error(context), "displacement 2e+09 of coordinate 1 is not within 1e9");
    assert_int_equal(eri_holds_check(context, m, 10000, NULL), ER_ERROR_ARGUMENT);
    assert_string_equal(er_context_error(context), "10000 bodies cannot be planted");
    er_kinematics_destroy(k);
    er_model_destroy(m);
}

// A crank asked to turn where its linkage cannot, and a body held where its joint cannot bring it.
static void what_cannot_follow_is_told(void **state)
{
    static rig r;
    dice d = {77};
    double x[WIDTH];
    er_pose pose[RIG_MAX], far[RIG_MAX];
    int refused = 0;
    for (int l = 0; l < LINKAGE_COUNT; ++l) {
        memset(&r, 0, sizeof r);
        linkages[l].build(&r, &d);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        random_displacement(m, k, &d, 30.0, x);
        er_result result = er_kinematics_pose(k, x, pose);
        assert_true(result == ER_OK || result == ER_ERROR_NO_CONVERGENCE);
        if (result == ER_ERROR_NO_CONVERGENCE)
            assert_string_equal(er_context_error(context), "a loop of joints cannot follow that far; take a smaller "
                                                           "amplitude");
        refused += result != ER_OK;
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
    assert_true(refused > 0);
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), er_v3(0.5, 0, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity())->stiffness[0] = 1.0;
    er_model *m = rig_model(context, &r);
    er_kinematics *k = kinematics_of(m);
    const er_hold hold = {.body = 0, .turns = true, .point = {1, 0, 0}};
    assert_int_equal(eri_kinematics_hold(k, context, 1, &hold, HELD_PACE), ER_OK);
    rest_poses(m, far);
    far[0].p = er_v3(1, 1, 0); // its point at (2, 1), and the hinge brings it no farther than 1
    k->goal = far;
    x[0] = 0.0;
    assert_int_equal(er_kinematics_pose(k, x, pose), ER_ERROR_NO_CONVERGENCE);
    assert_string_equal(er_context_error(context),
                        "a loop of joints, or what is planted, cannot follow that far; take a "
                        "smaller amplitude");
    far[0] = (er_pose){er_q_exp(er_v3(0, 0, 0.5)), {0, 0, 0}}; // and here it does
    assert_int_equal(er_kinematics_pose(k, x, pose), ER_OK);
    measure_at_most("a hinge led by what is held", fabs(x[0] - 0.5), 1e-9);
    er_kinematics_destroy(k);
    er_model_destroy(m);
}

// A body, and all that hangs on it.
static int hold_all_on(const er_kinematics *k, int top, er_hold *hold)
{
    bool on[RIG_MAX] = {false};
    int count = 0;
    for (int i = 0; i < k->model->body_count; ++i) { // those above come first
        const eri_link *l = &k->tree.link[i];
        on[l->body] = l->body == top || (l->above >= 0 && on[l->above]);
        if (on[l->body]) hold[count++] = (er_hold){.body = l->body};
    }
    return count;
}

// The goals are the same poses in another array: then every body has its rows.
static void joints_between_held_bodies_rest_as_if_each_had_its_rows(void **state)
{
    static rig r;
    dice d = {80};
    int locked = 0;
    for (int round = 0; round < trials(80); ++round) {
        rig_forest(&r, &d, 4 + dice_below(&d, 10), false);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        er_hold hold[RIG_MAX];
        er_pose goal[RIG_MAX], pose[RIG_MAX], same[RIG_MAX];
        double x[WIDTH], y[WIDTH];
        int count = hold_all_on(k, dice_below(&d, m->body_count), hold);
        if (round % 3 == 0) hold[count / 2].turns = true;
        assert_int_equal(eri_kinematics_hold(k, context, count, hold, HELD_PACE), ER_OK);
        random_displacement(m, k, &d, 0.2, x);
        memcpy(y, x, sizeof y);
        rest_poses(m, goal);
        er_result result = er_kinematics_pose(k, x, pose);
        k->goal = goal;
        bool both = er_kinematics_pose(k, y, same) == ER_OK && result == ER_OK;
        locked += both ? k->holds.count - k->apart.count : 0;
        for (int c = 0; both && c < k->width; ++c)
            measure_at_most("coordinates, locked or not", fabs(x[c] - y[c]) / k->unit[c], 1e-9);
        for (int b = 0; both && b < m->body_count; ++b)
            measure_at_most("poses, locked or not", er_v3_distance(pose[b].p, same[b].p) / m->size, 1e-9);
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
    assert_true(locked > trials(80));
}

// A rig a thousand times as large, or as small, closes as it did: turns are the same, and shifts as much more.
static void loops_close_alike_at_any_size(void **state)
{
    static rig r;
    static const double sizes[] = {1e-3, 1e3};
    dice d = {79};
    int closed = 0;
    for (int l = 0; l < LINKAGE_COUNT; ++l) {
        memset(&r, 0, sizeof r);
        linkages[l].build(&r, &d);
        er_model *m = rig_model(context, &r);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_kinematics *k = kinematics_of(m);
        const er_mode *mode = &modes->mode[modes->count - 1];
        double asked[WIDTH], x[WIDTH], factor = er_mode_amplitude(m, mode, 30.0);
        er_pose pose[RIG_MAX];
        er_kinematics_mode(k, mode, asked);
        for (int c = 0; c < k->width; ++c)
            x[c] = asked[c] *= factor;
        er_result result = er_kinematics_pose(k, x, pose);
        for (size_t s = 0; s < ERI_COUNT(sizes); ++s) {
            rig other = r;
            rig_scale(&other, sizes[s]);
            er_model *scaled = rig_model(context, &other);
            er_kinematics *of = kinematics_of(scaled);
            double y[WIDTH];
            for (int c = 0; c < k->width; ++c)
                y[c] = asked[c] * of->unit[c] / k->unit[c];
            assert_int_equal(er_kinematics_pose(of, y, pose), result);
            for (int c = 0; c < k->width && result == ER_OK; ++c)
                measure_at_most("loops of another size", fabs(y[c] / of->unit[c] - x[c] / k->unit[c]), 1e-8);
            closed += result == ER_OK;
            er_kinematics_destroy(of);
            er_model_destroy(scaled);
        }
        er_kinematics_destroy(k);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
    assert_true(closed > LINKAGE_COUNT);
}

// Wherever memory ends, in a rig whose arrays take blocks of their own.
static void any_allocation_may_fail(void **state)
{
    static rig r;
    dice d = {78};
    rig_forest(&r, &d, 200, false);
    er_result result = ER_ERROR_MEMORY;
    long refused = 0;
    for (; result != ER_OK; ++refused) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_model *m = rig_model(own, &r);
        er_kinematics *k = NULL;
        const er_hold hold = {.body = 0};
        assert_int_equal(er_kinematics_create(own, m, &k), ER_OK);
        long asked = l.asked;
        l.left = refused;
        result = eri_kinematics_hold(k, own, 1, &hold, HELD_PACE);
        assert_true(result == ER_OK || result == ER_ERROR_MEMORY);
        assert_int_equal(result == ER_OK, l.asked - asked <= refused);
        er_kinematics_destroy(k);
        er_model_destroy(m);
        ledger_end(&l, own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_close_by_the_kinetic_energy),
        cmocka_unit_test(bodies_are_held_by_the_energy_of_springs),
        cmocka_unit_test(errors_of_what_is_held_and_their_rates),
        cmocka_unit_test(the_rate_of_a_turn_is_that_of_its_vector),
        cmocka_unit_test(what_floats_keeps_its_centre_unless_it_is_held),
        cmocka_unit_test(what_is_refused_is_told),
        cmocka_unit_test(what_cannot_follow_is_told),
        cmocka_unit_test(joints_between_held_bodies_rest_as_if_each_had_its_rows),
        cmocka_unit_test(loops_close_alike_at_any_size),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("pose_metric", tests, set_up, tear_down);
}
