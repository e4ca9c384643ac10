// A rig with noise on its sides made symmetric: modes have a parity, the mass stays, and twice is once.
#include <math.h>
#include <string.h>

#include <eigenrig/modal.h>
#include <eigenrig/rig.h>

#include "support/context.h"
#include "support/judge.h"
#include "support/near.h"
#include "tools/bench/rigs.h"

enum { BODIES = 40 };

static double noisy(dice *d)
{
    return dice_uniform(d, 0.95, 1.05);
}

static er_model *made(const er_model *like, const er_body *body, const er_joint *joint)
{
    er_model *out = NULL;
    er_model_def def = er_default_model_def();
    def.body = body;
    def.body_count = like->body_count;
    def.joint = joint;
    def.joint_count = like->joint_count;
    if (er_model_create(context, &def, &out) != ER_OK) fail_msg("%s", er_context_error(context));
    return out;
}

// An animal with 5 % of noise on masses, inertias, springs, and on places as parts of a bone's length.
static er_model *noisy_animal(unsigned seed)
{
    er_model *plain = NULL;
    er_body body[BODIES];
    er_joint joint[BODIES];
    dice d = {seed};
    assert_int_equal(bench_rig_create(context, BENCH_ANIMAL, BODIES, &plain), ER_OK);
    memcpy(body, plain->body, sizeof body);
    memcpy(joint, plain->joint, (size_t)plain->joint_count * sizeof *joint);
    for (int b = 0; b < BODIES; ++b) {
        double length = 2.0 * er_v3_norm(body[b].com), turn = noisy(&d);
        body[b].mass *= noisy(&d);
        for (int i = 0; i < 9; ++i)
            body[b].inertia.m[i / 3][i % 3] *= turn;
        body[b].com = er_v3_madd(body[b].com, length * (noisy(&d) - 1.0), er_v3(0.3, 0.8, 0.5));
    }
    for (int j = 0; j < plain->joint_count; ++j) {
        double length = 2.0 * er_v3_norm(plain->body[joint[j].child].com);
        for (int c = 0; c < 3; ++c)
            joint[j].stiffness[c] *= noisy(&d);
        joint[j].frame.p = er_v3_madd(joint[j].frame.p, length * (noisy(&d) - 1.0), er_v3(0.8, 0.1, 0.6));
        joint[j].frame.q = er_q_unit(er_q_mul(joint[j].frame.q, er_q_exp(er_v3(noisy(&d) - 1.0, noisy(&d) - 1.0, 0))));
    }
    er_model *model = made(plain, body, joint);
    er_model_destroy(plain);
    return model;
}

static er_model *symmetric(const er_model *model, er_symmetry *told)
{
    er_rig_change change = er_default_rig_change();
    er_model *out = NULL;
    change.symmetrize = true;
    change.symmetry = told;
    if (er_rig_change_model(context, model, &change, &out) != ER_OK) fail_msg("%s", er_context_error(context));
    return out;
}

static double total_mass(const er_model *model)
{
    double sum = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        sum += model->body[b].mass;
    return sum;
}

static double worst_parity(const er_model *model, const er_modes *modes)
{
    er_mirror *mirror;
    double image[6 * BODIES], worst = 0.0;
    assert_int_equal(er_mirror_find(context, model, NULL, er_v3(0, 1, 0), &mirror), ER_OK);
    for (int k = 0; k < modes->count; ++k)
        worst = fmax(worst, 1.0 - fabs(er_mode_parity(model, mirror, &modes->mode[k], image)));
    er_mirror_destroy(mirror);
    return worst;
}

static void modes_have_a_parity_and_the_mass_stays(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 5; ++seed) {
        er_symmetry told;
        er_model *model = noisy_animal(seed), *even = symmetric(model, &told);
        er_modes *before = NULL, *modes = NULL;
        assert_int_equal(er_modal_solve(context, model, NULL, &before), ER_OK);
        assert_int_equal(er_modal_solve(context, even, NULL, &modes), ER_OK);
        assert_false(before->halves);
        assert_true(worst_parity(model, before) > 1e-3);
        assert_true(modes->halves);
        measure_at_most("parity after --symmetrize", worst_parity(even, modes), 1e-11);
        measure_at_most("mass after --symmetrize", fabs(total_mass(even) / total_mass(model) - 1.0), 1e-14);
        assert_int_equal(told.pairs, BODIES * 2 / 5);
        assert_int_equal(told.middle, BODIES / 5);
        assert_int_equal(told.unpaired, 0);
        assert_true(told.count == ER_SYMMETRY_MOVES && told.moved > told.count);
        er_modes_destroy(before);
        er_modes_destroy(modes);
        er_model_destroy(even);
        er_model_destroy(model);
    }
}

// The largest difference of two models, relative to the size and to values.
static double difference(const er_model *a, const er_model *b)
{
    double worst = 0.0;
    for (int i = 0; i < a->body_count; ++i) {
        const er_body *x = &a->body[i], *y = &b->body[i];
        worst = fmax(worst, fabs(x->mass / y->mass - 1.0));
        worst = fmax(worst, er_v3_distance(x->com, y->com) / a->size);
        for (int k = 0; k < 9; ++k)
            worst = fmax(worst, fabs(x->inertia.m[k / 3][k % 3] - y->inertia.m[k / 3][k % 3]) /
                                    (x->inertia.m[0][0] + x->inertia.m[1][1] + x->inertia.m[2][2]));
    }
    for (int j = 0; j < a->joint_count; ++j) {
        const er_joint *x = &a->joint[j], *y = &b->joint[j];
        worst = fmax(worst, er_v3_distance(x->frame.p, y->frame.p) / a->size);
        for (int c = 0; c < er_joint_type_freedom(x->type, NULL); ++c)
            worst = fmax(worst, fabs(x->stiffness[c] / y->stiffness[c] - 1.0));
        for (int k = 0; k < 3; ++k) {
            er_vec3 e = er_v3(k == 0, k == 1, k == 2);
            worst = fmax(worst, er_v3_distance(er_q_rotate(x->frame.q, e), er_q_rotate(y->frame.q, e)));
        }
    }
    return worst;
}

static void twice_is_once(void **state)
{
    (void)state;
    er_symmetry told;
    er_model *model = noisy_animal(7), *once = symmetric(model, &told), *twice = symmetric(once, &told);
    measure_at_most("symmetrized twice against once", difference(once, twice), 1e-13);
    assert_int_equal(told.moved, 0);
    er_model_destroy(twice);
    er_model_destroy(once);
    er_model_destroy(model);
}

static er_pose mirrored_pose(er_pose pose)
{
    return (er_pose){{pose.q.w, -pose.q.x, -pose.q.y, pose.q.z}, {pose.p.x, pose.p.y, -pose.p.z}};
}

// Across z = 0; frames keep their x and y.
static er_model *mirrored(const er_model *model)
{
    er_body body[BODIES];
    er_joint joint[BODIES];
    memcpy(body, model->body, sizeof body);
    memcpy(joint, model->joint, (size_t)model->joint_count * sizeof *joint);
    for (int b = 0; b < BODIES; ++b) {
        body[b].pose = mirrored_pose(body[b].pose);
        body[b].com.z = -body[b].com.z;
        for (int i = 0; i < 2; ++i) {
            body[b].inertia.m[i][2] = -body[b].inertia.m[i][2];
            body[b].inertia.m[2][i] = -body[b].inertia.m[2][i];
        }
    }
    for (int j = 0; j < model->joint_count; ++j)
        joint[j].frame = mirrored_pose(joint[j].frame);
    return made(model, body, joint);
}

static void a_mirrored_rig_becomes_the_mirrored_result(void **state)
{
    (void)state;
    er_model *model = noisy_animal(11), *image = mirrored(model), *even = symmetric(model, NULL),
             *even_image = symmetric(image, NULL), *image_even = mirrored(even);
    measure_at_most("mirrored and made symmetric, either way round", difference(even_image, image_even), 1e-12);
    er_model_destroy(image_even);
    er_model_destroy(even_image);
    er_model_destroy(even);
    er_model_destroy(image);
    er_model_destroy(model);
}

static void the_largest_changes_are_told_in_words(void **state)
{
    (void)state;
    er_body body[3];
    er_joint joint[2];
    static const char *const name[] = {"trunk", "arm_L", "arm_R"};
    er_symmetry told;
    char words[1024], few[20];
    for (int b = 0; b < 3; ++b) {
        double side = b == 0 ? 0.0 : b == 1 ? 1.0 : -1.0;
        body[b] = er_default_body();
        body[b].name = name[b];
        body[b].mass = b == 1 ? 1.2 : 1.0;
        body[b].inertia = er_m3_identity();
        body[b].pose.p = er_v3(side, 0.5 * (b > 0), 0);
        if (b == 0) continue;
        joint[b - 1] = er_default_joint();
        joint[b - 1].name = name[b];
        joint[b - 1].parent = 0;
        joint[b - 1].child = b;
        joint[b - 1].frame.p = er_v3(0.5 * side, 0, 0);
        joint[b - 1].stiffness[0] = 10.0;
    }
    er_model like = {.body_count = 3, .joint_count = 2}, *model = made(&like, body, joint),
             *even = symmetric(model, &told);
    assert_true(even->body[1].mass == 1.1 && even->body[2].mass == 1.1);
    assert_true(told.pairs == 1 && told.middle == 1 && told.moved == 2 && told.count == 2);
    assert_int_equal(told.move[0].kind, ER_SYMMETRY_MASS);
    assert_int_equal(told.move[0].index, 2);
    near(told.move[0].by, 0.1 / 1.1, 1e-12);
    er_symmetry_tell(even, &told, words, sizeof words);
    assert_non_null(strstr(words, "\"arm_R\" by 9.09 %"));
    assert_non_null(strstr(words, "\"arm_L\" by 8.33 %"));
    er_symmetry_tell(even, &told, few, sizeof few);
    assert_int_equal(strlen(few), sizeof few - 1);
    er_model_destroy(even);
    er_model_destroy(model);
}

static void a_rig_without_mirror_is_refused(void **state)
{
    (void)state;
    er_model *model = NULL, *out = NULL;
    er_rig_change change = er_default_rig_change();
    change.symmetrize = true;
    assert_int_equal(bench_rig_create(context, BENCH_CHARACTER, 30, &model), ER_OK);
    assert_int_equal(er_rig_change_model(context, model, &change, &out), ER_ERROR_RIG);
    assert_null(out);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_have_a_parity_and_the_mass_stays),
        cmocka_unit_test(twice_is_once),
        cmocka_unit_test(a_mirrored_rig_becomes_the_mirrored_result),
        cmocka_unit_test(the_largest_changes_are_told_in_words),
        cmocka_unit_test(a_rig_without_mirror_is_refused),
    };
    return cmocka_run_group_tests_name("symmetrize", tests, set_up, tear_down);
}
