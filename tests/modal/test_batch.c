// Batches against solves one by one, and against the judge; what a rig that fails leaves to the others; threads,
// memory.
#include "support/context.h"
#include "support/judge.h"

#include <string.h>

#include "tools/bench/rigs.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { MOST = 64 };

// ---- rigs

// A character of the bench with every mass within a factor 2, and every spring within `spread` decades, of what it was;
// a share of the springs left out.
static er_model *character(er_context *own, dice *d, int bodies, double spread, double left_out)
{
    er_model *model = NULL, *varied = NULL;
    assert_int_equal(bench_rig_create(own, BENCH_CHARACTER, bodies, &model), ER_OK);
    er_body *body = calloc((size_t)model->body_count, sizeof *body);
    er_joint *joint = calloc((size_t)model->joint_count, sizeof *joint);
    assert_true(body != NULL && joint != NULL);
    memcpy(body, model->body, (size_t)model->body_count * sizeof *body);
    memcpy(joint, model->joint, (size_t)model->joint_count * sizeof *joint);
    for (int i = 0; i < model->body_count; ++i) {
        double factor = pow(2.0, dice_uniform(d, -1, 1));
        body[i].mass *= factor;
        body[i].inertia = er_m3_madd((er_mat3){0}, factor, body[i].inertia);
    }
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = 0; c < er_joint_type_freedom(joint[k].type, NULL); ++c)
            joint[k].stiffness[c] *=
                dice_uniform(d, 0, 1) < left_out ? 0.0 : pow(10.0, dice_uniform(d, -spread, spread));
    er_model_def def = er_default_model_def();
    def.body_count = model->body_count;
    def.body = body;
    def.joint_count = model->joint_count;
    def.joint = joint;
    assert_int_equal(er_model_create(own, &def, &varied), ER_OK);
    free(joint);
    free(body);
    er_model_destroy(model);
    return varied;
}

static er_model *random_model(dice *d, bool loops)
{
    rig r;
    rig_random(&r, d, loops);
    return rig_model(context, &r);
}

// Sizes and kinds mixed: characters of 10 to 60 bodies, some with unsprung joints, some with springs over twelve
// decades; random rigs without and with loops; rigs of no motion.
static er_model *mixed(dice *d, int i)
{
    switch (i % 8) {
    case 0:
        return character(context, d, 20, 0.5, 0.0);
    case 1:
        return character(context, d, 10 + dice_below(d, 51), 0.5, 0.0);
    case 2:
        return character(context, d, 10 + dice_below(d, 21), 0.5, 0.2);
    case 3:
        return character(context, d, 10 + dice_below(d, 11), 6.0, 0.1);
    case 4:
        return random_model(d, true);
    default:
        return random_model(d, false);
    }
}

static void destroy(int count, er_model **model, er_modes **modes)
{
    for (int i = 0; i < count; ++i) {
        er_modes_destroy(modes[i]);
        er_model_destroy(model[i]);
    }
}

// ---- the promises

static void same_modes(const er_modes *a, const er_modes *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->dof, b->dof);
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->constraint_count, b->constraint_count);
    assert_int_equal(a->rigid_count, b->rigid_count);
    assert_int_equal(a->mechanism_count, b->mechanism_count);
    assert_int_equal(a->damped_count, b->damped_count);
    for (int k = 0; k < a->count; ++k) {
        assert_int_equal(a->mode[k].kind, b->mode[k].kind);
        if (a->mode[k].kind == ER_MODE_ELASTIC)
            measure_at_most("against one by one, Hz", relative_error(a->mode[k].frequency_hz, b->mode[k].frequency_hz),
                            1e-9); // 4.1e-12
        else
            assert_true(a->mode[k].eigenvalue == 0.0);
    }
    for (int k = 0; k < a->damped_count; ++k)
        for (int i = 0; i < 2; ++i)
            measure_at_most("against one by one, decay",
                            fabs(a->damped[k].decay[i] - b->damped[k].decay[i]) / (1.0 + b->damped[k].decay[i]),
                            1e-6);                                          // 2.3e-9
    measure_at_most("constraint residual", a->residuals.constraint, 1e-10); // 1.2e-13
    measure_at_most("gram residual", a->residuals.gram, 1e-7);              // of sharp enough ones: see solver.h
}

static void promises_hold(const er_model *model, const er_modes *modes)
{
    judge *j = judge_create(model);
    assert_int_equal(modes->rigid_count, j->rigid);
    assert_int_equal(modes->mechanism_count, j->mechanism);
    measure_at_most("judged: constraint", judge_constraint(j, modes), 1e-10);
    measure_at_most("judged: pencil over the largest lambda", judge_pencil(j, modes), 1e-8);
    measure_at_most("judged: joint entries", judge_joint(j, modes), 1e-10);
    measure_at_most("judged: Hz", judge_frequency(j, modes), 1e-8);
    judge_destroy(j);
}

static void agree(int count, dice *d, const er_modal_def *def)
{
    er_model *model[MOST] = {NULL};
    er_modes *modes[MOST];
    er_result result[MOST];
    for (int i = 0; i < count; ++i) {
        model[i] = mixed(d, i);
        modes[i] = (er_modes *)&result;
    }
    assert_int_equal(er_modal_solve_batch(context, count, (const er_model *const *)model, def, modes, result), ER_OK);
    for (int i = 0; i < count; ++i) {
        er_modes *alone = NULL;
        assert_int_equal(result[i], er_modal_solve(context, model[i], def, &alone));
        assert_true((modes[i] != NULL) == (result[i] == ER_OK));
        if (result[i] == ER_OK) {
            same_modes(modes[i], alone);
            if (model[i]->body_count < 10 && def == NULL) promises_hold(model[i], modes[i]);
        }
        er_modes_destroy(alone);
    }
    destroy(count, model, modes);
}

static void batches_agree_with_rigs_solved_one_by_one(void **state)
{
    dice d = {1};
    const int counts[] = {0, 1, 2, 7, 8, 9, 64, 64};
    for (int i = 0; i < COUNT(counts); ++i)
        agree(counts[i], &d, NULL);
}

static void windows_and_counts_hold_for_every_rig(void **state)
{
    dice d = {2};
    const er_modal_def plain = er_default_modal_def();
    for (int i = 0; i < 6; ++i) {
        er_modal_def def = plain;
        if (i % 3 == 0) def.mode_count = 3 + i;
        if (i == 1 || i == 3) def.max_hz = 20.0;
        if (i == 2) def.method = ER_MODAL_TREE;
        if (i >= 4) def.min_hz = 3.0;
        if (i == 5) def.mode_count = 4;
        er_model *model[16];
        er_modes *modes[16];
        er_result result[16];
        for (int k = 0; k < 16; ++k)
            model[k] = character(context, &d, 10 + dice_below(&d, 15), 0.5, k % 3 == 0 ? 0.2 : 0.0);
        assert_int_equal(er_modal_solve_batch(context, 16, (const er_model *const *)model, &def, modes, result), ER_OK);
        for (int k = 0; k < 16; ++k) {
            er_modes *alone = NULL;
            assert_int_equal(er_modal_solve(context, model[k], &def, &alone), ER_OK);
            assert_int_equal(result[k], ER_OK);
            assert_int_equal(modes[k]->method, ER_MODAL_TREE);
            same_modes(modes[k], alone);
            er_modes_destroy(alone);
        }
        destroy(16, model, modes);
    }
}

// Shapes of one batch span what those of the single solve span: eta'M eta = 1 holds to 1e-9, and each shape is the
// other's up to what its neighbours in frequency leave open.
static void shapes_are_those_of_single_solves(void **state)
{
    dice d = {3};
    er_model *model[8];
    er_modes *modes[8];
    er_result result[8];
    for (int i = 0; i < 8; ++i)
        model[i] = character(context, &d, 12 + i, 0.5, 0.0);
    assert_int_equal(er_modal_solve_batch(context, 8, (const er_model *const *)model, NULL, modes, result), ER_OK);
    for (int i = 0; i < 8; ++i) {
        er_modes *alone = rig_modes(context, model[i], ER_MODAL_QR);
        for (int k = alone->rigid_count; k < alone->count; ++k) {
            double own = alone->mode[k].eigenvalue, apart = HUGE_VAL, off = 0.0, size = 0.0;
            for (int n = alone->rigid_count; n < alone->count; ++n)
                if (n != k) apart = fmin(apart, fabs(alone->mode[n].eigenvalue - own) / own);
            for (int c = 0; c < model[i]->coordinate_count; ++c) {
                off = hypot(off, modes[i]->mode[k].joint[c] - alone->mode[k].joint[c]);
                size = hypot(size, alone->mode[k].joint[c]);
            }
            measure_at_most("shapes times the gap", off / size * fmin(apart, 1.0), 1e-8);
        }
        measure_at_most("characters, gram", modes[i]->residuals.gram, 1e-9);
        measure_at_most("characters, pencil", modes[i]->residuals.pencil, 1e-8);
        er_modes_destroy(alone);
    }
    destroy(8, model, modes);
}

// ---- rigs that fail

static er_model *held_rig(void)
{
    dice d = {8};
    rig r = {0};
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), dice_pose(&d));
    rig_add_joint(&r, ER_JOINT_FIXED, -1, 0, er_pose_identity());
    return rig_model(context, &r);
}

static void a_rig_that_fails_does_not_stop_the_others(void **state)
{
    dice d = {4};
    er_model *model[12];
    er_modes *modes[12];
    er_result result[12];
    for (int i = 0; i < 12; ++i)
        model[i] = i == 3 || i == 9 ? held_rig() : i == 6 ? NULL : character(context, &d, 10, 0.5, 0.0);
    assert_int_equal(er_modal_solve_batch(context, 12, (const er_model *const *)model, NULL, modes, result), ER_OK);
    assert_refusal(context, result[3], ER_ERROR_RIG, "rig 3");
    for (int i = 0; i < 12; ++i) {
        assert_int_equal(result[i], i == 3 || i == 9 ? ER_ERROR_RIG : i == 6 ? ER_ERROR_ARGUMENT : ER_OK);
        assert_true((modes[i] != NULL) == (result[i] == ER_OK));
    }
    destroy(12, model, modes);
}

static void bad_arguments_are_refused(void **state)
{
    dice d = {5};
    er_model *model = character(context, &d, 10, 0.5, 0.0);
    const er_model *const list[1] = {model};
    er_modes *modes[1];
    er_result result[1];
    assert_int_equal(er_modal_solve_batch(NULL, 1, list, NULL, modes, result), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solve_batch(context, -1, list, NULL, modes, result), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solve_batch(context, 1, NULL, NULL, modes, result), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solve_batch(context, 1, list, NULL, NULL, result), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solve_batch(context, 1, list, NULL, modes, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solve_batch(context, 0, NULL, NULL, NULL, NULL), ER_OK);
    er_modal_def def = er_default_modal_def();
    def.mode_count = -1;
    modes[0] = (er_modes *)&def;
    assert_int_equal(er_modal_solve_batch(context, 1, list, &def, modes, result), ER_ERROR_ARGUMENT);
    assert_null(modes[0]);
    def = er_default_modal_def();
    def.tag = 0;
    assert_int_equal(er_modal_solve_batch(context, 1, list, &def, modes, result), ER_ERROR_ARGUMENT);
    er_model_destroy(model);
}

// ---- threads and memory

static void modes_do_not_depend_on_the_number_of_threads(void **state)
{
    dice d = {6};
    er_model *model[MOST];
    er_modes *first[MOST], *modes[MOST];
    er_result result[MOST];
    for (int i = 0; i < MOST; ++i)
        model[i] = character(context, &d, 15 + dice_below(&d, 20), 0.5, i % 5 == 0 ? 0.2 : 0.0);
    for (int threads = 1; threads <= 4; ++threads) {
        er_modal_set_threads(threads);
        er_modes **out = threads == 1 ? first : modes;
        assert_int_equal(er_modal_solve_batch(context, MOST, (const er_model *const *)model, NULL, out, result), ER_OK);
        for (int i = 0; i < MOST && threads > 1; ++i) {
            assert_int_equal(modes[i]->count, first[i]->count);
            for (int k = 0; k < first[i]->count; ++k) {
                const er_mode *a = &modes[i]->mode[k], *b = &first[i]->mode[k];
                assert_memory_equal(&a->eigenvalue, &b->eigenvalue, sizeof a->eigenvalue);
                assert_memory_equal(a->body, b->body, 6 * (size_t)model[i]->body_count * sizeof(double));
                assert_memory_equal(a->joint, b->joint, (size_t)model[i]->coordinate_count * sizeof(double));
            }
            er_modes_destroy(modes[i]);
        }
    }
    er_modal_set_threads(1);
    destroy(MOST, model, first);
}

static void any_allocation_may_fail(void **state)
{
    er_result result = ER_ERROR_MEMORY;
    long k = 1;
    er_modal_set_threads(2);
    for (; result != ER_OK; ++k) {
        dice d = {7};
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_model *model[12];
        er_modes *modes[12];
        er_result each[12];
        for (int i = 0; i < 12; ++i)
            model[i] = character(own, &d, 8 + i, i == 5 ? 8.0 : 0.5, 0.0);
        l.left = k;
        result = er_modal_solve_batch(own, 12, (const er_model *const *)model, NULL, modes, each);
        assert_true(result == ER_OK || (result == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
        for (int i = 0; i < 12; ++i)
            assert_true((modes[i] != NULL) == (result == ER_OK));
        destroy(12, model, modes);
        ledger_end(&l, own);
    }
    er_modal_set_threads(1);
    assert_true(k > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_agree_with_rigs_solved_one_by_one),
        cmocka_unit_test(windows_and_counts_hold_for_every_rig),
        cmocka_unit_test(shapes_are_those_of_single_solves),
        cmocka_unit_test(a_rig_that_fails_does_not_stop_the_others),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(modes_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
