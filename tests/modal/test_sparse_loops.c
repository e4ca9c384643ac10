// Rigs with closed loops by the sparse route, against the judge and the dense routes.
#include "bench/rigs.h"
#include "forest.h"
#include "linkages.h"

#include <string.h>

static er_context *context;

static int set_up(void **state)
{
    (void)state;
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    er_context_destroy(context);
    measured_report();
    return 0;
}

// What the judge, who knows no tree, says of modes.
static void promises_hold(const judge *j, const er_modes *modes)
{
    assert_int_equal(modes->dof, j->dof);
    assert_int_equal(modes->rank, j->rank);
    assert_int_equal(modes->constraint_count, j->rows);
    assert_int_equal(modes->redundant_count, j->rows - j->rank);
    assert_int_equal(modes->rigid_count, j->rigid);
    assert_int_equal(modes->mechanism_count, j->mechanism);
    assert_int_equal(modes->count, j->dof);
    measure_at_most("G eta", judge_constraint(j, modes), 1e-10);
    measure_at_most("eta'M eta - I", judge_gram(j, modes), 1e-8);
    measure_at_most("pencil", judge_pencil(j, modes), 1e-9);
    measure_at_most("joint - R eta", judge_joint(j, modes), 1e-10);
    measure_at_most("eta'K eta - lambda", judge_rayleigh(j, modes), 1e-10);
    measure_at_most("Hz against the judge's", judge_frequency(j, modes), 1e-10);
    measure_at_most("its own residuals", fmax(modes->residuals.constraint, modes->residuals.gram), 1e-8);
    measure_at_most("its own pencil", modes->residuals.pencil, 1e-4);
    for (int k = 0; k < modes->count; ++k)
        assert_true((modes->mode[k].kind == ER_MODE_ELASTIC) == (modes->mode[k].eigenvalue > 0.0));
}

static void judge_rig(const rig *r)
{
    er_model *model = rig_model(context, r);
    judge *j = judge_create(model);
    measure_at_most("gap of the judge's ranks", j->gap, 1e-6);
    er_modal_def def = er_default_modal_def();
    er_modes *modes = NULL;
    def.method = ER_MODAL_SPARSE;
    er_result result = er_modal_solve(context, model, &def, &modes);
    if (j->dof > 0) {
        if (result != ER_OK) print_message("%s\n", er_context_error(context));
        assert_int_equal(result, ER_OK);
        assert_int_equal(modes->method, ER_MODAL_SPARSE);
        if (getenv("DUMP"))
            for (int k = 0; k < modes->count; ++k)
                print_message("%d %.12g %.12Lg\n", modes->mode[k].kind, modes->mode[k].eigenvalue, j->lambda[k]);
        promises_hold(j, modes);
    } else {
        assert_int_equal(result, ER_ERROR_RIG);
        assert_non_null(strstr(er_context_error(context), "every body is held"));
    }
    er_modes_destroy(modes);
    judge_destroy(j);
    er_model_destroy(model);
}

static void random_graphs_keep_every_promise(void **state)
{
    (void)state;
    dice d = {31};
    for (int trial = 0; trial < 400; ++trial) {
        rig r;
        rig_random(&r, &d, !getenv("OPEN"));
        if (getenv("T") && trial == atoi(getenv("T"))) print_message("here\n");
        print_message("trial %d\n", trial);
        judge_rig(&r);
    }
}

// Some springs left out: those joints make mechanisms, or loops make them follow others.
static void linkages_keep_every_promise(void **state)
{
    (void)state;
    dice d = {32};
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (int trial = 0; trial < 12; ++trial) {
            rig r = {0};
            linkages[i].build(&r, &d);
            for (int k = 0; k < r.joint_count && trial > 0; ++k)
                for (int c = 0; c < 6; ++c)
                    if (dice_below(&d, 12) < trial) r.joint[k].stiffness[c] = 0.0;
            print_message("%s trial %d\n", linkages[i].name, trial);
            judge_rig(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linkages_keep_every_promise),
        cmocka_unit_test(random_graphs_keep_every_promise),
    };
    return cmocka_run_group_tests_name("sparse_loops", tests, set_up, tear_down);
}
