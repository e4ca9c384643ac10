// Shares of modes: in bodies, in the mass of the rig, and of modes in a motion.
#include "support/context.h"
#include "support/forest.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 40, WIDE = 6 * RIG_MAX };

// A random rig without loops that floats as a whole.
static void make_floating(rig *r, dice *d)
{
    do {
        rig_forest(r, d, 3 + dice_below(d, 10), false);
        for (int k = r->joint_count - 1; k >= 0; --k) // roots float
            if (r->joint[k].parent < 0 || r->joint[k].child < 0) r->joint[k] = r->joint[--r->joint_count];
    } while (r->joint_count != r->body_count - 1);
    for (int k = 0; k < r->joint_count; ++k)
        for (int c = 0; c < 6; ++c)
            r->joint[k].stiffness[c] = dice_uniform(d, 1, 100);
}

static void effective_masses_of_a_floating_rig_add_up_to_its_own(void **state)
{
    dice d = {41};
    for (int trial = 0; trial < trials(20); ++trial) {
        static rig r;
        make_floating(&r, &d);
        er_model *model = rig_model(context, &r);
        er_modes *modes = rig_modes(context, model, ER_MODAL_TREE);
        double sum[6] = {0}, mass = 0.0, inertia[3] = {0};
        er_vec3 centre = er_v3(0, 0, 0);
        for (int k = 0; k < modes->count; ++k) {
            double own[6], share[RIG_MAX], whole = 0.0;
            er_mode_effective_mass(model, &modes->mode[k], own);
            er_mode_body_shares(model, &modes->mode[k], share);
            for (int i = 0; i < 6; ++i)
                sum[i] += own[i];
            for (int b = 0; b < model->body_count; ++b)
                whole += share[b];
            measure_at_most("shares of bodies", fabs(whole - 1.0), 1e-12);
        }
        for (int b = 0; b < model->body_count; ++b) {
            mass += model->body[b].mass;
            centre = er_v3_add(
                centre, er_v3_scale(model->body[b].mass, er_pose_point(model->body[b].pose, model->body[b].com)));
        }
        centre = er_v3_scale(1.0 / mass, centre);
        for (int b = 0; b < model->body_count; ++b) {
            const er_body *body = &model->body[b];
            er_vec3 arm = er_v3_sub(er_pose_point(body->pose, body->com), centre);
            const double at[3] = {arm.x, arm.y, arm.z};
            for (int i = 0; i < 3; ++i) {
                er_vec3 axis = er_v3(i == 0, i == 1, i == 2), own = er_q_rotate(er_q_conj(body->pose.q), axis);
                inertia[i] += er_v3_dot(own, er_m3_mul_v(body->inertia, own)) +
                              body->mass * (er_v3_dot(arm, arm) - at[i] * at[i]);
            }
        }
        for (int i = 0; i < 3; ++i) {
            measure_at_most("effective moments", fabs(sum[i] / inertia[i] - 1.0), 1e-11);
            measure_at_most("effective masses", fabs(sum[3 + i] / mass - 1.0), 1e-11);
        }
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

// A hammer's head of mass m on a stiff arm: all of it follows a push of the pivot across the arm, nothing one along it.
static void a_pendulum_has_the_mass_of_its_bob_across_its_arm(void **state)
{
    static rig r;
    r = (rig){0};
    rig_add_body(&r, 2.0, er_v3(1e-9, 1e-9, 1e-9), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    r.joint[0].stiffness[0] = 10.0;
    er_model *model = rig_model(context, &r);
    er_modes *modes = rig_modes(context, model, ER_MODAL_TREE);
    double mass[6];
    er_mode_effective_mass(model, &modes->mode[0], mass);
    double across = 0.0; // the axis is x, y or z of the joint
    for (int i = 3; i < 6; ++i)
        across += mass[i];
    assert_true(mass[3] < 1e-12 && fabs(across - 2.0) < 1e-8);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void a_motion_of_modes_has_their_shares(void **state)
{
    dice d = {42};
    for (int trial = 0; trial < trials(20); ++trial) {
        static rig r;
        static double x[FRAMES * WIDE], coefficient[FRAMES * WIDE], share[WIDE];
        make_floating(&r, &d);
        er_model *model = rig_model(context, &r);
        er_modes *modes = rig_modes(context, model, ER_MODAL_TREE);
        int width = model->coordinate_count + 6, first = modes->rigid_count;
        int a = first + dice_below(&d, modes->count - first), b = first + dice_below(&d, modes->count - first);
        for (int f = 0; f < FRAMES; ++f) // one and two cycles: their sum over frames is zero, and that of products too
            for (int i = 0; i < width; ++i) {
                double t = 2.0 * ER_PI * f / FRAMES;
                x[f * width + i] = i < model->coordinate_count ? 0.3 + 2.0 * sin(t) * modes->mode[a].joint[i] +
                                                                     (a != b) * cos(2.0 * t) * modes->mode[b].joint[i]
                                                               : 100.0; // not read
            }
        assert_int_equal(er_modes_project(context, model, modes, FRAMES, x, coefficient, share), ER_OK);
        double sum = 0.0;
        for (int k = 0; k < modes->count; ++k) {
            double want = a == b ? k == a : k == a ? 0.8 : k == b ? 0.2 : 0.0;
            measure_at_most("shares of modes", fabs(share[k] - want), 1e-8);
            sum += share[k];
        }
        measure_at_most("sum of shares", fabs(sum - 1.0), 1e-8);
        measure_at_most("coefficients", fabs(coefficient[(FRAMES / 4) * modes->count + a] - (a == b ? 2.0 : 2.0)),
                        1e-7);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

static void wrong_projections_are_refused(void **state)
{
    static rig r;
    dice d = {43};
    make_floating(&r, &d);
    er_model *model = rig_model(context, &r);
    er_modes *modes = rig_modes(context, model, ER_MODAL_TREE), *above = NULL;
    static double x[WIDE], coefficient[WIDE], share[WIDE];
    er_modal_def def = er_default_modal_def();
    def.min_hz = 1e-6;
    assert_int_equal(er_modal_solve(context, model, &def, &above), ER_OK);
    assert_int_equal(er_modes_project(NULL, model, modes, 1, x, coefficient, share), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, NULL, modes, 1, x, coefficient, share), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, model, NULL, 1, x, coefficient, share), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, model, modes, 0, x, coefficient, share), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, model, modes, 1, NULL, coefficient, share), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, model, modes, 1, x, NULL, share), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, model, modes, 1, x, coefficient, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, model, above, 1, x, coefficient, share), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_project(context, model, modes, 1, x, coefficient, share), ER_OK);
    for (int k = 0; k < modes->count; ++k)
        assert_true(share[k] == 0.0); // nothing moves
    er_modes_destroy(above);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effective_masses_of_a_floating_rig_add_up_to_its_own),
        cmocka_unit_test(a_pendulum_has_the_mass_of_its_bob_across_its_arm),
        cmocka_unit_test(a_motion_of_modes_has_their_shares),
        cmocka_unit_test(wrong_projections_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
