// Changes of joints by name: what they come to is judged by the modes of the changed model, and by its numbers.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "changes.h"

enum { ARMS = 2, LINKS = 3 };

// A trunk with two arms of three links, "arm_0_0" to "arm_1_2", of balls and hinges in turn; it floats.
static er_model *two_arms(void)
{
    static rig r;
    static char names[ARMS * LINKS][32];
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 5.0, er_v3(0.3, 0.2, 0.25), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    for (int a = 0; a < ARMS; ++a)
        for (int i = 0; i < LINKS; ++i) {
            er_pose at = {er_q_exp(er_v3(0.1, 0.2 * i, 0.3 * a)), er_v3((a == 0 ? 1.0 : -1.0) * (i + 0.5), 0.2 * i, 0)};
            int body = rig_add_body(&r, 1.0 + 0.5 * i, er_v3(0.02, 0.04, 0.05 + 0.005 * a), at.q,
                                    er_v3_add(at.p, er_v3(a == 0 ? 0.5 : -0.5, 0.1, 0.02)), at);
            er_joint *j =
                rig_add_joint(&r, i == 1 ? ER_JOINT_REVOLUTE : ER_JOINT_SPHERICAL, i == 0 ? 0 : body - 1, body, at);
            snprintf(names[a * LINKS + i], sizeof names[0], "arm_%d_%d", a, i);
            j->name = names[a * LINKS + i];
            for (int c = 0; c < (i == 1 ? 1 : 3); ++c) {
                j->stiffness[c] = 10.0 + c;
                j->damping[c] = 0.1 * (c + 1);
                j->limit[c][0] = -1.0 - c;
                j->limit[c][1] = 1.0 + c;
            }
        }
    return rig_model(context, &r);
}

static er_model *with_joints(const er_model *model, int count, const er_joint_change *joint, const er_stiffness *law)
{
    er_rig_change change = of_joints(count, joint);
    change.stiffness = law;
    return changed(model, &change);
}

static er_result attempt(const er_model *model, int count, const er_joint_change *joint)
{
    er_rig_change change = of_joints(count, joint);
    er_model *out = NULL;
    return er_rig_change_model(context, model, &change, &out);
}

// ---- springs and dampers

static void a_joint_alone_swings_at_its_hz_and_dies_away_at_its_ratio(void **state)
{
    er_model *model = two_arms();
    const er_stiffness law = {.hz = 2.0, .alpha = 0.5};
    for (int k = 0; k < model->joint_count; ++k)
        for (int lawful = 0; lawful < 2; ++lawful) {
            er_joint_change change[3] = {joints("*"), joints(model->joint[k].name), joints(model->joint[k].name)};
            change[0].type = ER_JOINT_FIXED;
            change[1].type = (int)model->joint[k].type;
            change[1].hz = 3.5;
            change[2].damping_ratio = 0.2;
            er_model *alone = with_joints(model, 3, change, lawful ? &law : NULL);
            er_modes *modes = rig_modes(context, alone, ER_MODAL_AUTO);
            assert_int_equal(modes->rigid_count, 6);
            const er_mode *slowest = &modes->mode[6];
            measure_at_most("Hz of a joint alone", relative_error(slowest->frequency_hz, 3.5), 1e-9);
            measure_at_most("its damping ratio", relative_error(slowest->damping_ratio, 0.2), 1e-9);
            er_modes_destroy(modes);
            er_model_destroy(alone);
        }
    er_model_destroy(model);
}

static void a_stiffness_is_taken_as_it_is(void **state)
{
    const er_stiffness law = {.hz = 2.0, .alpha = 0.5};
    er_model *model = two_arms();
    er_joint_change change = joints("arm_?_2");
    change.stiffness = 7.25;
    er_model *with = with_joints(model, 1, &change, &law), *without = with_joints(model, 0, NULL, &law);
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = 0; c < 6; ++c) {
            bool matches = k % LINKS == 2 && c < 3;
            assert_true(with->joint[k].stiffness[c] == (matches ? 7.25 : without->joint[k].stiffness[c]));
            assert_true(with->joint[k].damping[c] == model->joint[k].damping[c]);
        }
    er_model_destroy(with);
    er_model_destroy(without);
    er_model_destroy(model);
}

static void factors_act_on_the_springs_after_all_else(void **state)
{
    const er_stiffness law = {.hz = 2.0, .alpha = 0.5};
    er_model *model = two_arms(), *none = NULL;
    er_model *plain = with_joints(model, 0, NULL, &law);
    double factor[ARMS * LINKS];
    er_rig_change change = of_joints(0, NULL);
    for (int k = 0; k < ARMS * LINKS; ++k)
        factor[k] = 0.5 + k;
    change.stiffness = &law;
    change.factor_count = model->joint_count;
    change.factor = factor;
    er_model *with = changed(model, &change);
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = 0; c < 6; ++c)
            assert_true(with->joint[k].stiffness[c] == factor[k] * plain->joint[k].stiffness[c]);
    --change.factor_count;
    assert_refusal(context, er_rig_change_model(context, model, &change, &none), ER_ERROR_ARGUMENT, "factors");
    ++change.factor_count;
    factor[1] = 0.0;
    assert_refusal(context, er_rig_change_model(context, model, &change, &none), ER_ERROR_ARGUMENT, "arm_0_1");
    er_model_destroy(with);
    er_model_destroy(plain);
    er_model_destroy(model);
}

// ---- masses

static void density_scales_mass_and_inertia_and_a_mass_of_the_rig_comes_after(void **state)
{
    er_model *model = two_arms();
    er_joint_change change = joints("arm_0_1");
    er_rig_change all = er_default_rig_change();
    change.density = 2.5;
    all.joint_count = 1;
    all.joint = &change;
    all.density = 2.0;
    er_model *out = NULL, *weighed = NULL;
    assert_int_equal(er_rig_change_model(context, model, &all, &out), ER_OK);
    all.mass = 10.0;
    assert_int_equal(er_rig_change_model(context, model, &all, &weighed), ER_OK);
    double total = 0.0, before = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        double factor = b == model->joint[1].child ? 5.0 : 2.0;
        measure_at_most("mass by density", relative_error(out->body[b].mass, factor * model->body[b].mass), 1e-15);
        measure_at_most("inertia by density",
                        relative_error(out->body[b].inertia.m[1][1], factor * model->body[b].inertia.m[1][1]), 1e-15);
        total += weighed->body[b].mass;
        before += out->body[b].mass;
    }
    measure_at_most("mass of the rig", relative_error(total, 10.0), 1e-14);
    measure_at_most("shares of it", relative_error(weighed->body[2].mass / total, out->body[2].mass / before), 1e-14);
    er_model_destroy(out);
    er_model_destroy(weighed);
    er_model_destroy(model);
}

// ---- types

static void another_type_keeps_the_frame_and_what_both_let_free(void **state)
{
    er_model *model = two_arms();
    er_joint_change change = joints("arm_0_0");
    change.type = ER_JOINT_REVOLUTE; // tz alone: the third of three
    er_model *hinge = with_joints(model, 1, &change, NULL);
    const er_joint *was = &model->joint[0], *now = &hinge->joint[0];
    assert_int_equal(now->type, ER_JOINT_REVOLUTE);
    assert_memory_equal(&now->frame, &was->frame, sizeof now->frame);
    assert_true(now->stiffness[0] == 12.0 && now->stiffness[1] == 0.0);
    assert_true(now->damping[0] == was->damping[2] && now->limit[0][1] == 3.0);
    change.type = ER_JOINT_SCREW;
    assert_refusal(context, attempt(hinge, 1, &change), ER_ERROR_RIG, "pitch");
    change.pitch = -0.02;
    er_model *screw = with_joints(hinge, 1, &change, NULL);
    assert_true(screw->joint[0].pitch == -0.02 && screw->joint[0].stiffness[0] == 12.0);
    er_model_destroy(screw);
    change.pitch = NAN;
    // back: the new coordinates get the spring of their kind, no damper and no limits
    change.type = ER_JOINT_SPHERICAL;
    er_model *ball = with_joints(hinge, 1, &change, NULL);
    now = &ball->joint[0];
    for (int c = 0; c < 3; ++c)
        assert_true(now->stiffness[c] == 12.0);
    assert_true(now->damping[0] == 0.0 && now->damping[2] == was->damping[2]);
    assert_true(now->limit[0][0] == -HUGE_VAL && now->limit[2][1] == 3.0);
    er_model_destroy(ball);
    er_model_destroy(hinge);
    er_model_destroy(model);
}

static void coordinates_that_have_no_like_get_the_law(void **state)
{
    const er_stiffness usual = {.hz = 2.0, .alpha = 0.5}, uniform = {.uniform = true, .k = 33.0};
    er_model *model = two_arms();
    er_joint_change change = joints("arm_0_1");
    change.type = ER_JOINT_CYLINDRICAL;
    er_model *slides = with_joints(model, 1, &change, NULL), *even = with_joints(model, 1, &change, &uniform);
    double law[64];
    assert_int_equal(er_stiffness_apply(context, slides, &usual, law), ER_OK);
    assert_true(slides->joint[1].stiffness[0] == model->joint[1].stiffness[0]);
    assert_true(slides->joint[1].stiffness[1] == law[slides->coordinate[1] + 1]);
    assert_true(law[slides->coordinate[1] + 1] > 0.0);
    for (int c = 0; c < 2; ++c)
        assert_true(even->joint[1].stiffness[c] == 33.0);
    er_model_destroy(slides);
    er_model_destroy(even);
    er_model_destroy(model);
}

static void a_free_joint_to_the_world_matches_nothing(void **state)
{
    static rig r;
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_FREE, -1, 0, er_pose_identity())->name = "root";
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, er_pose_identity())->name = "neck";
    er_model *model = rig_model(context, &r), *out = NULL;
    er_joint_change change = joints("*");
    change.stiffness = 5.0;
    change.type = ER_JOINT_FREE;
    out = with_joints(model, 1, &change, NULL);
    assert_true(out->joint[0].stiffness[0] == 0.0 && out->joint[1].stiffness[5] == 5.0);
    er_model_destroy(out);
    change.pattern = "root";
    assert_int_equal(attempt(model, 1, &change), ER_ERROR_ARGUMENT);
    er_model_destroy(model);
}

static void joints_that_close_loops_are_changed_too(void **state)
{
    static rig r;
    double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    memset(&r, 0, sizeof r);
    rig_loop(&r, 4, corner, er_pose_identity(), 2.0);
    for (int k = 0; k < r.joint_count; ++k)
        r.joint[k].name = k == r.joint_count - 1 ? "closing" : "hinge";
    er_model *model = rig_model(context, &r);
    er_joint_change change = joints("closing");
    change.stiffness = 9.0;
    change.density = 100.0; // carries nothing
    er_model *out = with_joints(model, 1, &change, NULL);
    assert_true(out->joint[out->joint_count - 1].stiffness[0] == 9.0);
    for (int b = 0; b < out->body_count; ++b)
        assert_true(out->body[b].mass == model->body[b].mass);
    er_model_destroy(out);
    er_model_destroy(model);
}

// ---- what is refused

// Numbers at the ends of their ranges are taken, and mean what they say.
static void the_last_of_a_range_is_in_it(void **state)
{
    er_model *model = two_arms();
    int last = model->joint_count - 1;
    er_joint_change change = er_default_joint_change();
    change.joint = 0;
    change.stiffness = change.damping_ratio = 0.0;
    er_model *out = with_joints(model, 1, &change, NULL);
    for (int c = 0; c < 3; ++c)
        assert_true(out->joint[0].stiffness[c] == 0.0 && out->joint[0].damping[c] == 0.0);
    er_model_destroy(out);
    change = er_default_joint_change();
    change.joint = last;
    for (int c = 0; c < 3; ++c)
        change.spring[c] = change.damper[c] = change.limit[c][0] = change.limit[c][1] = 0.0;
    out = with_joints(model, 1, &change, NULL);
    for (int c = 0; c < 3; ++c) {
        assert_true(out->joint[last].stiffness[c] == 0.0 && out->joint[last].damping[c] == 0.0);
        assert_true(out->joint[last].limit[c][0] == 0.0 && out->joint[last].limit[c][1] == 0.0);
        assert_true(out->joint[last - 1].stiffness[c] == model->joint[last - 1].stiffness[c]);
    }
    er_model_destroy(out);
    change = joints("*");
    change.hz = 1e6;
    er_model_destroy(with_joints(model, 1, &change, NULL));
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_alone_swings_at_its_hz_and_dies_away_at_its_ratio),
        cmocka_unit_test(a_stiffness_is_taken_as_it_is),
        cmocka_unit_test(density_scales_mass_and_inertia_and_a_mass_of_the_rig_comes_after),
        cmocka_unit_test(another_type_keeps_the_frame_and_what_both_let_free),
        cmocka_unit_test(coordinates_that_have_no_like_get_the_law),
        cmocka_unit_test(a_free_joint_to_the_world_matches_nothing),
        cmocka_unit_test(joints_that_close_loops_are_changed_too),
        cmocka_unit_test(the_last_of_a_range_is_in_it),
        cmocka_unit_test(factors_act_on_the_springs_after_all_else),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
