// Rigs with closed loops by the routes tree and sparse, against a judge who knows no tree, and against svd.
#include <string.h>

#include "loop_routes.h"
#include "support/context.h"
#include "support/forest.h"

static void promises_hold(const judge *j, const er_modes *modes)
{
    expect_judged(j, modes);
    measure_at_most("eta'M eta - I", judge_gram(j, modes), 1e-11);                                         // 4e-15
    measure_at_most("pencil", judge_pencil(j, modes), 1e-10);                                              // 9.8e-12
    measure_at_most("its own residuals", fmax(modes->residuals.constraint, modes->residuals.gram), 1e-10); // 2.6e-12
}

static void routes_agree(const er_modes *a, const er_modes *b)
{
    expect_same_rows(a, b);
    for (int k = a->rigid_count + a->mechanism_count; k < a->count; ++k)
        measure_at_most("Hz, tree against svd", relative_error(a->mode[k].frequency_hz, b->mode[k].frequency_hz),
                        1e-9); // 9.5e-13
}

// Solved by tree and by svd, both judged.
static void check_tree(const er_model *model, const judge *j)
{
    er_modes *tree = rig_modes(context, model, ER_MODAL_TREE), *svd = rig_modes(context, model, ER_MODAL_SVD);
    assert_int_equal(tree->method, ER_MODAL_TREE);
    promises_hold(j, tree);
    promises_hold(j, svd);
    routes_agree(tree, svd);
    er_modes_destroy(svd);
    er_modes_destroy(tree);
}

// Springs and masses spread over six decades each, eigenvalues over nine: that times rounding is what orthogonality and
// residuals are left with.
static void check_sparse(const er_model *model, const judge *j)
{
    er_modes *modes = rig_modes(context, model, ER_MODAL_SPARSE);
    assert_int_equal(modes->method, ER_MODAL_SPARSE);
    expect_judged(j, modes);
    measure_at_most("sparse, eta'M eta - I", judge_gram(j, modes), 1e-8);      // 1.0e-09
    measure_at_most("sparse, pencil", judge_pencil(j, modes), 1e-8);           // 1.2e-09
    measure_at_most("its own constraint", modes->residuals.constraint, 1e-10); // 9.3e-14
    measure_at_most("its own gram", modes->residuals.gram, 1e-8);              // 1.0e-09
    const er_mode *last = &modes->mode[modes->count - 1];
    double spread =
        last->kind == ER_MODE_ELASTIC ? last->eigenvalue / modes->mode[j->rigid + j->mechanism].eigenvalue : 1.0;
    measure_at_most("its own pencil, over the spread of lambda", modes->residuals.pencil / spread, 1e-13); // 6.1e-15
    er_modes_destroy(modes);
}

static void check_routes(const er_model *model, const judge *j)
{
    check_tree(model, j);
    check_sparse(model, j);
}

static void random_graphs_keep_every_promise(void **state)
{
    try_random_graphs(check_routes, (dice){21});
}

static void linkages_keep_every_promise(void **state)
{
    try_linkages(check_routes, (dice){22});
}

static void linkages_move_as_the_textbooks_say(void **state)
{
    dice d = {23};
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (int trial = 0; trial < 8; ++trial) {
            rig r = {0};
            linkages[i].build(&r, &d);
            for (int sprung = 1; sprung >= 0; --sprung) {
                for (int k = 0; k < r.joint_count && !sprung; ++k)
                    memset(r.joint[k].stiffness, 0, sizeof r.joint[k].stiffness);
                er_model *model = rig_model(context, &r);
                er_modes *modes = rig_modes(context, model, ER_MODAL_TREE);
                bool floats = !sprung && r.joint[0].type == ER_JOINT_FREE; // its coordinates tell of no mechanism
                assert_int_equal(modes->dof, linkages[i].rigid + linkages[i].mobility);
                if (!floats) assert_int_equal(modes->rigid_count, linkages[i].rigid);
                assert_int_equal(modes->count - modes->rigid_count - modes->mechanism_count,
                                 sprung ? linkages[i].mobility : 0);
                assert_int_equal(modes->redundant_count, linkages[i].redundant);
                measure_at_most("linkages, G eta", modes->residuals.constraint, 1e-11); // 9.7e-15
                er_modes_destroy(modes);
                er_model_destroy(model);
            }
        }
}

static void locked_coordinates_are_exactly_zero(void **state)
{
    dice d = {24};
    for (int trial = 0; trial < trials(60); ++trial) {
        er_model *model = locked_model(&d, trial % 2, trial % 4 > 1);
        expect_locked(rig_modes(context, model, ER_MODAL_TREE));
        expect_locked(rig_modes(context, model, ER_MODAL_SPARSE));
        er_model_destroy(model);
    }
}

// A spring in the joint that closes a ring of n equal hinges is as good as one in any other: turn the numbers round.
static void it_does_not_matter_which_joint_closes_the_loop(void **state)
{
    dice d = {25};
    for (int trial = 0; trial < trials(30); ++trial) {
        rig r = {0};
        er_modes *modes[2];
        linkages[1 + trial % 3].build(&r, &d);
        for (int k = 0; k < r.joint_count; ++k)
            r.joint[k].stiffness[0] = dice_below(&d, 4) > 0 ? pow(10.0, dice_uniform(&d, -3, 3)) : 0.0;
        for (int pass = 0; pass < 2; ++pass) {
            er_model *model = rig_model(context, &r);
            modes[pass] = rig_modes(context, model, ER_MODAL_TREE);
            er_model_destroy(model);
            r.joint[r.joint_count - 1].closes_loop = false;
            r.joint[trial % (r.joint_count - 1)].closes_loop = true;
        }
        assert_int_equal(modes[0]->mechanism_count, modes[1]->mechanism_count);
        for (int k = 0; k < modes[0]->count; ++k)
            if (modes[0]->mode[k].kind == ER_MODE_ELASTIC)
                measure_at_most("another joint closes the loop, Hz",
                                relative_error(modes[0]->mode[k].frequency_hz, modes[1]->mode[k].frequency_hz),
                                1e-9); // 9.5e-15
        er_modes_destroy(modes[0]);
        er_modes_destroy(modes[1]);
    }
}

static void any_allocation_may_fail(void **state)
{
    dice d = {27};
    rig r = {0};
    linkages[4].build(&r, &d);
    er_modal_def def = er_default_modal_def();
    def.method = ER_MODAL_TREE;
    assert_true(solve_starved(&r, &def) > 3);
}

static void weigh_anew(er_body *b, double factor)
{
    b->mass *= factor;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            b->inertia.m[i][k] *= factor;
}

// Which motions cost nothing, and which of them are rigid, is a question of geometry: masses over twelve decades.
static void masses_have_no_say_in_kinds(void **state)
{
    dice d = {27};
    for (int trial = 0; trial < trials(200); ++trial) {
        rig r;
        rig_forest(&r, &d, 6 + dice_below(&d, 7), true);
        for (int i = 0; i < r.body_count; ++i)
            weigh_anew(&r.body[i], r.body[i].mass);
        er_model *model = rig_model(context, &r);
        judge *j = judge_create(model);
        measure_at_most("gap of the judge's ranks", j->gap, 1e-6);
        for (int m = 0; m < 2 && j->dof > 0; ++m) {
            er_modes *modes = rig_modes(context, model, m == 0 ? ER_MODAL_QR : ER_MODAL_SVD);
            assert_int_equal(modes->dof, j->dof);
            assert_int_equal(modes->rigid_count, j->rigid);
            assert_int_equal(modes->mechanism_count, j->mechanism);
            er_modes_destroy(modes);
        }
        judge_destroy(j);
        er_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_keep_every_promise),
        cmocka_unit_test(linkages_keep_every_promise),
        cmocka_unit_test(masses_have_no_say_in_kinds),
        cmocka_unit_test(linkages_move_as_the_textbooks_say),
        cmocka_unit_test(locked_coordinates_are_exactly_zero),
        cmocka_unit_test(it_does_not_matter_which_joint_closes_the_loop),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("linkages", tests, set_up, tear_down);
}
