// Carrying a mix to its own rig, and wrong arguments.
#include <math.h>

#include <eigenrig/identity.h>

#include "support/context.h"

static er_model *model;
static er_regions *regions;
static er_modes *modes;

static void make_rig(void)
{
    er_body body[3];
    er_joint joint[2];
    static const char *const name[] = {"trunk", "tail_1", "tail_2"};
    for (int i = 0; i < 3; ++i) {
        body[i] = er_default_body();
        body[i].name = name[i];
        body[i].mass = 3.0 - i;
        body[i].inertia = er_m3_madd((er_mat3){0}, 0.1, er_m3_identity());
        body[i].pose.p = er_v3(0, 1, -0.5 * i);
        body[i].com = er_v3(0, 0, -0.2);
    }
    for (int i = 0; i < 2; ++i) {
        joint[i] = er_default_joint();
        joint[i].parent = i;
        joint[i].child = i + 1;
        joint[i].type = ER_JOINT_SPHERICAL;
        joint[i].frame.p = body[i + 1].pose.p;
        for (int c = 0; c < 3; ++c)
            joint[i].stiffness[c] = 10.0 + c;
    }
    er_model_def def = er_default_model_def();
    def.body = body;
    def.body_count = 3;
    def.joint = joint;
    def.joint_count = 2;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    assert_int_equal(er_regions_create(context, model, NULL, NULL, &regions), ER_OK);
    assert_int_equal(er_modal_solve(context, model, NULL, &modes), ER_OK);
}

static void drop_rig(void)
{
    er_modes_destroy(modes);
    er_regions_destroy(regions);
    er_model_destroy(model);
}

static void carries_to_itself_and_refuses_what_is_wrong(void **state)
{
    (void)state;
    make_rig();
    const er_carry_side side = {model, regions, modes}, none = {model, NULL, modes};
    er_carry_def def = er_default_carry_def(), wrong = def;
    er_mix *mix = NULL, *out = NULL;
    er_carry_match match;
    er_gaits *gaits = NULL;
    assert_int_equal(er_mix_parse(context, "7:12@2+30", &mix), ER_OK);
    assert_int_equal(er_mix_carry(context, &side, mix, &side, &def, &match, &out), ER_OK);
    assert_true(match.carried && match.share > 1.0 - 1e-9);
    assert_int_equal(out->component_count, 1);
    assert_int_equal(out->component[0].mode, 7);
    assert_true(fabs(out->component[0].degrees - 12.0) < 1e-9 && fabs(out->component[0].hz - 2.0) < 1e-12);
    assert_true(fabs(out->component[0].phase - ER_PI / 6.0) < 1e-9);
    er_mix_destroy(out);
    assert_int_equal(er_mix_carry(context, &none, mix, &side, &def, NULL, &out), ER_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(er_mix_carry(context, &side, NULL, &side, &def, NULL, &out), ER_ERROR_ARGUMENT);
    wrong.pace = -1.0;
    assert_int_equal(er_mix_carry(context, &side, mix, &side, &wrong, NULL, &out), ER_ERROR_ARGUMENT);
    wrong = def;
    wrong.least = NAN;
    assert_int_equal(er_mix_carry(context, &side, mix, &side, &wrong, NULL, &out), ER_ERROR_ARGUMENT);
    wrong = def;
    wrong.tag = 0;
    assert_int_equal(er_mix_carry(context, &side, mix, &side, &wrong, NULL, &out), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gait_carry(context, &side, NULL, &side, NULL, NULL, NULL, NULL, &gaits), ER_ERROR_ARGUMENT);
    assert_null(gaits);
    er_mix_destroy(mix);
    drop_rig();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(carries_to_itself_and_refuses_what_is_wrong)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
