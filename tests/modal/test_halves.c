// Symmetric rigs solved in halves have the modes of the whole, each symmetric or antisymmetric; other rigs are solved
// as a whole.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/modal.h>
#include <eigenrig/rig.h>

#include "support/context.h"
#include "support/judge.h"
#include "tools/bench/rigs.h"

enum { MOST = 300 };

static const er_pose unturned = {{1, 0, 0, 0}, {0, 0, 0}};

static er_model *animal(int bodies)
{
    er_model *model = NULL;
    assert_int_equal(bench_rig_create(context, BENCH_ANIMAL, bodies, &model), ER_OK);
    return model;
}

typedef void edit(er_body *body, er_joint *joint, const er_model *model);

// A changed copy; the model is given away.
static er_model *edited(er_model *model, edit *change, er_pose moved)
{
    static er_body body[MOST];
    static er_joint joint[MOST];
    er_model *out = NULL;
    er_model_def def = er_default_model_def();
    memcpy(body, model->body, (size_t)model->body_count * sizeof *body);
    memcpy(joint, model->joint, (size_t)model->joint_count * sizeof *joint);
    if (change != NULL) change(body, joint, model);
    for (int i = 0; i < model->body_count; ++i)
        body[i].pose = er_pose_mul(moved, body[i].pose);
    for (int i = 0; i < model->joint_count; ++i)
        joint[i].frame = er_pose_mul(moved, joint[i].frame);
    def.body = body;
    def.body_count = model->body_count;
    def.joint = joint;
    def.joint_count = model->joint_count;
    if (er_model_create(context, &def, &out) != ER_OK) fail_msg("%s", er_context_error(context));
    er_model_destroy(model);
    return out;
}

static er_modes *solve(const er_model *model, er_modal_def def)
{
    er_modes *modes = NULL;
    if (er_modal_solve(context, model, &def, &modes) != ER_OK) fail_msg("%s", er_context_error(context));
    return modes;
}

static er_modes *solve_by(const er_model *model, er_modal_method method, bool whole)
{
    er_modal_def def = er_default_modal_def();
    def.method = method;
    def.whole = whole;
    return solve(model, def);
}

static void assert_parity(const char *what, const er_model *model, const er_modes *modes, double most)
{
    er_mirror *mirror;
    static double image[6 * MOST];
    double worst = 0.0;
    assert_int_equal(er_mirror_find(context, model, NULL, er_v3(0, 1, 0), &mirror), ER_OK);
    for (int k = 0; k < modes->count; ++k)
        worst = fmax(worst, 1.0 - fabs(er_mode_parity(model, mirror, &modes->mode[k], image)));
    measure_at_most(what, worst, most);
    er_mirror_destroy(mirror);
}

static void assert_same(const char *what, const er_model *model, const er_modes *a, const er_modes *b)
{
    double worst = 0.0, shape = 0.0;
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->dof, b->dof);
    assert_int_equal(a->rigid_count, b->rigid_count);
    assert_int_equal(a->mechanism_count, b->mechanism_count);
    for (int k = 0; k < a->count; ++k) {
        const er_mode *x = &a->mode[k], *y = &b->mode[k];
        assert_int_equal(x->kind, y->kind);
        if (x->kind != ER_MODE_ELASTIC) continue;
        worst = fmax(worst, fabs(x->frequency_hz / y->frequency_hz - 1.0));
        double most = 0.0, off[2] = {0.0, 0.0}; // of sides that move alike, either may decide the sign
        for (int i = 0; i < 6 * model->body_count; ++i) {
            most = fmax(most, fabs(x->body[i]));
            off[0] = fmax(off[0], fabs(x->body[i] - y->body[i]));
            off[1] = fmax(off[1], fabs(x->body[i] + y->body[i]));
        }
        shape = fmax(shape, fmin(off[0], off[1]) / most);
    }
    measure_at_most(what, worst, 1e-11);
    measure_at_most(what, shape, 1e-5);
}

static void halves_have_the_modes_of_the_whole(void **state)
{
    static const int bodies[] = {5, 20, 61, 150};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i)
        for (int method = ER_MODAL_TREE; method <= ER_MODAL_SPARSE; ++method) {
            er_model *model = animal(bodies[i]);
            er_modes *halves = solve_by(model, (er_modal_method)method, false),
                     *whole = solve_by(model, (er_modal_method)method, true);
            assert_false(whole->halves);
            assert_true(halves->halves || (method == ER_MODAL_SPARSE && halves->count < 48));
            assert_same("halves against the whole", model, halves, whole);
            assert_parity("parity of modes in halves", model, halves, 1e-10);
            er_modes_destroy(whole);
            er_modes_destroy(halves);
            er_model_destroy(model);
        }
}

static void some_modes_are_those_of_all(void **state)
{
    (void)state;
    er_model *model = animal(100);
    er_modal_def def = er_default_modal_def();
    er_modes *all = solve(model, def);
    double middle = all->mode[90].frequency_hz;
    for (int method = ER_MODAL_TREE; method <= ER_MODAL_SPARSE; ++method)
        for (int part = 0; part < 4; ++part) {
            def = er_default_modal_def();
            def.method = (er_modal_method)method;
            if (part != 1) def.mode_count = part == 0 ? 49 : 80;
            if (part >= 1) def.max_hz = middle * 1.01;
            if (part == 3) def.min_hz = all->mode[40].frequency_hz * 0.999;
            def.whole = true;
            er_modes *whole = solve(model, def);
            def.whole = false;
            er_modes *halves = solve(model, def);
            assert_true(halves->halves || part == 3);
            assert_same("a part in halves against the whole", model, halves, whole);
            er_modes_destroy(whole);
            er_modes_destroy(halves);
        }
    er_modes_destroy(all);
    er_model_destroy(model);
}

// Frames that the plane does not know: axes of joints in the middle lie askew to it, and the whole rig is turned.
static void turn_frames(er_body *body, er_joint *joint, const er_model *model)
{
    er_quat q = er_q_exp(er_v3(0.4, -0.7, 1.1));
    (void)body;
    for (int j = 0; j < model->joint_count; ++j) {
        if (joint[j].type != ER_JOINT_SPHERICAL) continue;
        joint[j].frame.q = er_q_unit(er_q_mul(joint[j].frame.q, q));
        for (int c = 1; c < 3; ++c)
            joint[j].stiffness[c] = joint[j].stiffness[0];
    }
}

static void planes_and_frames_may_be_turned(void **state)
{
    (void)state;
    const er_pose turned = {er_q_exp(er_v3(0.0, 0.5, 0.0)), {1.0, -2.0, 0.5}};
    for (int askew = 0; askew < 2; ++askew) {
        er_model *model = edited(animal(40), askew != 0 ? turn_frames : NULL, turned);
        er_modes *halves = solve_by(model, ER_MODAL_TREE, false), *whole = solve_by(model, ER_MODAL_TREE, true);
        assert_true(halves->halves);
        assert_same("turned: halves against the whole", model, halves, whole);
        assert_parity("turned: parity", model, halves, 1e-10);
        er_modes_destroy(whole);
        er_modes_destroy(halves);
        er_model_destroy(model);
    }
}

static void loosen(er_body *body, er_joint *joint, const er_model *model)
{
    (void)body;
    for (int j = model->joint_count - 4; j < model->joint_count; ++j)
        for (int c = 0; c < 3; ++c)
            joint[j].stiffness[c] = 0.0;
    joint[0].stiffness[0] = joint[0].stiffness[1] = joint[0].stiffness[2] = 0.0;
}

static void mechanisms_have_a_parity_too(void **state)
{
    (void)state;
    for (int method = ER_MODAL_TREE; method <= ER_MODAL_SPARSE; ++method) {
        er_model *model = edited(animal(60), loosen, unturned);
        er_modes *halves = solve_by(model, (er_modal_method)method, false),
                 *whole = solve_by(model, (er_modal_method)method, true);
        assert_true(halves->halves && halves->mechanism_count >= 7);
        assert_same("mechanisms: halves against the whole", model, halves, whole);
        assert_parity("mechanisms: parity", model, halves, 1e-10);
        er_modes_destroy(whole);
        er_modes_destroy(halves);
        er_model_destroy(model);
    }
}

// Limbs on a trunk as heavy as a house: the frequencies of both sides together and against each other agree to
// rounding.
static void weigh_down(er_body *body, er_joint *joint, const er_model *model)
{
    (void)joint;
    for (int b = 0; b < model->body_count / 5; ++b) {
        body[b].mass *= 1e8;
        for (int i = 0; i < 9; ++i)
            body[b].inertia.m[i / 3][i % 3] *= 1e8;
    }
}

static void pairs_of_nearly_equal_frequency_do_not_mix(void **state)
{
    (void)state;
    for (int method = ER_MODAL_TREE; method <= ER_MODAL_SPARSE; ++method) {
        er_model *model = edited(animal(60), weigh_down, unturned);
        er_modes *halves = solve_by(model, (er_modal_method)method, false);
        int near = 0;
        for (int k = halves->rigid_count + 1; k < halves->count; ++k)
            near += halves->mode[k].frequency_hz - halves->mode[k - 1].frequency_hz < 1e-7;
        assert_true(halves->halves && near > 10);
        assert_parity("pairs: parity", model, halves, 1e-8);
        er_modes_destroy(halves);
        er_model_destroy(model);
    }
}

static void lighten(er_body *body, er_joint *joint, const er_model *model)
{
    (void)joint;
    body[model->body_count - 1].mass *= 1.0 - 1e-8;
}

static void stiffen(er_body *body, er_joint *joint, const er_model *model)
{
    (void)body;
    joint[model->joint_count - 1].stiffness[0] *= 1.0 + 1e-8;
}

static void tilt(er_body *body, er_joint *joint, const er_model *model)
{
    (void)body;
    er_quat *q = &joint[model->joint_count - 1].frame.q;
    *q = er_q_unit(er_q_mul(*q, er_q_exp(er_v3(1e-8, 1e-8, 0))));
    joint[model->joint_count - 1].stiffness[0] *= 1.0 + 1e-9;
}

static void rigs_that_are_not_symmetric_are_solved_as_a_whole(void **state)
{
    static edit *const edits[] = {lighten, stiffen, tilt};
    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; ++i) {
        er_model *model = edited(animal(40), edits[i], unturned);
        er_modes *modes = solve_by(model, ER_MODAL_TREE, false);
        assert_false(modes->halves);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
    er_model *net = NULL;
    assert_int_equal(bench_rig_create(context, BENCH_NET, 24, &net), ER_OK);
    er_modes *modes = solve_by(net, ER_MODAL_SPARSE, false);
    assert_false(modes->halves);
    er_modes_destroy(modes);
    er_model_destroy(net);
}

static int told, least_told, most_told;

static void note_progress(void *user, int found, int wanted)
{
    assert_ptr_equal(user, &told);
    assert_true(found >= 0 && found <= wanted);
    most_told = found > most_told ? found : most_told;
    least_told = wanted;
    ++told;
}

static void progress_counts_both_halves(void **state)
{
    (void)state;
    er_model *model = animal(100);
    er_modal_def def = er_default_modal_def();
    def.method = ER_MODAL_SPARSE;
    def.mode_count = 60;
    def.progress = note_progress;
    def.user = &told;
    er_modes *modes = solve(model, def);
    assert_true(modes->halves && told >= 2 && least_told == 60 && most_told == 60);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_have_the_modes_of_the_whole),
        cmocka_unit_test(some_modes_are_those_of_all),
        cmocka_unit_test(planes_and_frames_may_be_turned),
        cmocka_unit_test(mechanisms_have_a_parity_too),
        cmocka_unit_test(pairs_of_nearly_equal_frequency_do_not_mix),
        cmocka_unit_test(rigs_that_are_not_symmetric_are_solved_as_a_whole),
        cmocka_unit_test(progress_counts_both_halves),
    };
    return cmocka_run_group_tests_name("halves", tests, set_up, tear_down);
}
