// Rigs with closed loops by the sparse route, against the judge, who knows no tree, and the dense routes.
#include <string.h>

#include "loop_routes.h"
#include "support/context.h"
#include "support/forest.h"
#include "tools/bench/rigs.h"

static er_modes *solve(const er_model *model, er_modal_method method, int count)
{
    er_modal_def def = er_default_modal_def();
    er_modes *modes = NULL;
    def.method = method;
    def.mode_count = count;
    er_result result = er_modal_solve(context, model, &def, &modes);
    if (result != ER_OK) print_error("%s\n", er_context_error(context));
    assert_int_equal(result, ER_OK);
    assert_int_equal(modes->method, method);
    return modes;
}

static void linkages_without_springs_move_as_the_textbooks_say(void **state)
{
    dice d = {33};
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (int trial = 0; trial < 8; ++trial) {
            rig r = {0};
            linkages[i].build(&r, &d);
            for (int k = 0; k < r.joint_count; ++k)
                memset(r.joint[k].stiffness, 0, sizeof r.joint[k].stiffness);
            er_model *model = rig_model(context, &r);
            er_modes *modes = solve(model, ER_MODAL_SPARSE, 0);
            assert_int_equal(modes->dof, linkages[i].rigid + linkages[i].mobility);
            assert_int_equal(modes->rigid_count + modes->mechanism_count, modes->dof);
            assert_int_equal(modes->count, modes->dof);
            assert_int_equal(modes->redundant_count, linkages[i].redundant);
            measure_at_most("linkages without springs, G eta", modes->residuals.constraint, 1e-11); // 5.6e-15
            measure_at_most("linkages without springs, gram", modes->residuals.gram, 1e-11);        // 1.0e-15
            er_modes_destroy(modes);
            er_model_destroy(model);
        }
}

// The same counts and frequencies by the dense route.
static void tree_agrees(const char *what, const er_model *model, int count)
{
    er_modes *a = solve(model, ER_MODAL_SPARSE, count), *b = solve(model, ER_MODAL_TREE, count);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->dof, b->dof);
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->rigid_count, b->rigid_count);
    assert_int_equal(a->mechanism_count, b->mechanism_count);
    expect_same_rows(a, b);
    for (int k = 0; k < a->count; ++k) {
        assert_int_equal(a->mode[k].kind, b->mode[k].kind);
        if (a->mode[k].kind == ER_MODE_ELASTIC)
            measure_at_most(what, relative_error(a->mode[k].frequency_hz, b->mode[k].frequency_hz), 1e-9);
    }
    measure_at_most("larger rigs, constraint", a->residuals.constraint, 1e-9); // 2.8e-14
    er_modes_destroy(a);
    er_modes_destroy(b);
}

static void larger_forests_have_the_modes_of_the_tree_route(void **state)
{
    dice d = {34};
    for (int trial = 0; trial < trials(60); ++trial) {
        rig r;
        rig_forest(&r, &d, 10 + dice_below(&d, 30), true);
        er_model *model = rig_model(context, &r);
        tree_agrees("forests, Hz", model, 0); // 1.2e-12
        er_model_destroy(model);
    }
}

// Clusters of equal frequencies, as many as there are columns.
static void nets_and_curtains_have_the_modes_of_the_tree_route(void **state)
{
    static const int sizes[] = {4, 12, 24, 40, 70, 100};
    size_t count = sizeof sizes / sizeof *sizes - (ERI_SANITIZED ? 2 : 0); // the tree route takes its time there
    for (size_t i = 0; i < count; ++i)
        for (int family = BENCH_NET; family <= BENCH_CURTAIN; ++family) {
            er_model *model = NULL;
            assert_int_equal(bench_rig_create(context, (bench_rig)family, sizes[i], &model), ER_OK);
            if (model->loop_count > 0) {
                tree_agrees("nets and curtains, Hz", model, 0); // 1.1e-14
                tree_agrees("nets and curtains, Hz", model, 15);
            }
            er_model_destroy(model);
        }
}

// A character of the bench, joints added between bodies anywhere on it, ball joints with a spring about two axes.
static er_model *looped_character(dice *d, int bodies, int loops)
{
    er_model *open = NULL, *closed = NULL;
    assert_int_equal(bench_rig_create(context, BENCH_CHARACTER, bodies, &open), ER_OK);
    er_joint *joint = calloc((size_t)(open->joint_count + loops), sizeof *joint);
    memcpy(joint, open->joint, (size_t)open->joint_count * sizeof *joint);
    for (int i = 0; i < loops; ++i) {
        int a = dice_below(d, bodies), b = (a + 1 + dice_below(d, bodies - 1)) % bodies;
        er_joint *j = &joint[open->joint_count + i];
        *j = (er_joint){.parent = a, .child = b, .type = ER_JOINT_SPHERICAL, .closes_loop = true};
        j->frame = (er_pose){dice_quat(d), open->body[b].pose.p};
        for (int c = 0; c < 6; ++c) {
            j->stiffness[c] = c < 2 ? dice_uniform(d, 0.1, 10.0) : 0.0;
            j->limit[c][0] = -HUGE_VAL;
            j->limit[c][1] = HUGE_VAL;
        }
    }
    er_model_def def = er_default_model_def();
    def.body_count = open->body_count;
    def.body = open->body;
    def.joint_count = open->joint_count + loops;
    def.joint = joint;
    assert_int_equal(er_model_create(context, &def, &closed), ER_OK);
    free(joint);
    er_model_destroy(open);
    return closed;
}

static void a_character_that_holds_its_own_hand_has_the_modes_of_the_tree_route(void **state)
{
    dice d = {35};
    for (int loops = 1; loops <= 10; loops += 3) {
        er_model *model = looped_character(&d, 150, loops);
        tree_agrees("characters, Hz", model, loops == 4 ? 0 : 30); // 1.5e-14
        er_model_destroy(model);
    }
}

// Twice the energies of a mode, from the model alone.
static void energies(const er_model *model, const er_mode *mode, double *kinetic, double *potential)
{
    *kinetic = *potential = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        const double *x = mode->body + 6 * b;
        er_vec3 w = er_v3(x[0], x[1], x[2]), c = model->body[b].com;
        er_vec3 v = er_v3_add(er_v3(x[3], x[4], x[5]), er_v3_cross(w, c));
        *kinetic += model->body[b].mass * er_v3_dot(v, v) + er_v3_dot(w, er_m3_mul_v(model->body[b].inertia, w));
    }
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c)
            *potential += model->joint[k].stiffness[c - model->coordinate[k]] * mode->joint[c] * mode->joint[c];
}

static void six_hundred_bodies_keep_their_promises(void **state)
{
    dice d = {36};
    for (int loops = 1; loops <= 10; loops += 3) {
        er_model *model = looped_character(&d, 600, loops);
        er_modes *modes = solve(model, ER_MODAL_SPARSE, 26);
        assert_int_equal(modes->count, 26);
        assert_int_equal(modes->rigid_count, 6);
        for (int k = 6; k < modes->count; ++k) {
            double kinetic, potential;
            energies(model, &modes->mode[k], &kinetic, &potential);
            measure_at_most("600 bodies, eta'M eta - 1", fabs(kinetic - 1.0), 1e-10); // 2.7e-15
            measure_at_most("600 bodies, eta'K eta - lambda", relative_error(potential, modes->mode[k].eigenvalue),
                            1e-9); // 3.6e-15
        }
        measure_at_most("600 bodies, constraint", modes->residuals.constraint, 1e-10); // 5.8e-15
        measure_at_most("600 bodies, gram", modes->residuals.gram, 1e-10);             // 4.2e-15
        measure_at_most("600 bodies, pencil", modes->residuals.pencil, 1e-8);          // 2.3e-11
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

static void a_window_holds_the_modes_between_its_ends(void **state)
{
    dice d = {37};
    for (int trial = 0; trial < 6; ++trial) {
        er_model *model = looped_character(&d, 40, 1 + trial);
        er_modes *all = solve(model, ER_MODAL_SPARSE, 0), *some = NULL;
        int zeros = all->rigid_count + all->mechanism_count, first = zeros + 4 * trial, end = first + 13;
        er_modal_def def = er_default_modal_def();
        def.method = ER_MODAL_SPARSE;
        def.min_hz = 0.5 * (all->mode[first - 1].frequency_hz + all->mode[first].frequency_hz);
        def.max_hz = 0.5 * (all->mode[end - 1].frequency_hz + all->mode[end].frequency_hz);
        assert_int_equal(er_modal_solve(context, model, &def, &some), ER_OK);
        assert_int_equal(some->first, first);
        assert_int_equal(some->count, end - first);
        for (int k = 0; k < some->count; ++k)
            measure_at_most("windows, Hz",
                            relative_error(some->mode[k].frequency_hz, all->mode[first + k].frequency_hz), 1e-10);
        er_modes_destroy(some);
        er_modes_destroy(all);
        er_model_destroy(model);
    }
}

static void modes_are_identical(const er_model *model, const er_modes *a, const er_modes *b)
{
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; ++k) {
        assert_memory_equal(&a->mode[k].eigenvalue, &b->mode[k].eigenvalue, sizeof(double));
        assert_memory_equal(a->mode[k].body, b->mode[k].body, 6 * (size_t)model->body_count * sizeof(double));
        assert_memory_equal(a->mode[k].joint, b->mode[k].joint, (size_t)model->coordinate_count * sizeof(double));
    }
}

// Springs dragged about, some to 0 and back: each time what a solve from nothing gives.
static void a_solver_follows_its_springs(void **state)
{
    dice d = {41};
    for (int trial = 0; trial < trials(24); ++trial) {
        rig r = {0};
        double stiffness[RIG_MAX];
        er_modal_solver *solver = NULL;
        linkages[trial % LINKAGE_COUNT].build(&r, &d);
        er_model *first = rig_model(context, &r);
        assert_int_equal(er_modal_solver_create(context, first, NULL, &solver), ER_OK);
        for (int step = 0; step < 5; ++step) {
            for (int k = 0, c = 0; k < r.joint_count; ++k)
                for (int i = 0; i < er_joint_type_freedom(r.joint[k].type, NULL); ++i)
                    stiffness[c++] = r.joint[k].stiffness[i] =
                        dice_below(&d, 4) > 0 ? pow(10.0, dice_uniform(&d, -1, 1)) : 0.0;
            er_model *now = rig_model(context, &r);
            const er_modes *dragged = NULL;
            assert_int_equal(er_modal_solver_set_stiffness(solver, stiffness), ER_OK);
            assert_int_equal(er_modal_solver_solve(solver, &dragged), ER_OK);
            er_modes *fresh = solve(now, ER_MODAL_SPARSE, 0);
            assert_int_equal(dragged->method, ER_MODAL_SPARSE);
            assert_int_equal(dragged->redundant_count, fresh->redundant_count);
            assert_int_equal(dragged->mechanism_count, fresh->mechanism_count);
            modes_are_identical(now, dragged, fresh);
            er_modes_destroy(fresh);
            er_model_destroy(now);
        }
        er_modal_solver_destroy(solver);
        er_model_destroy(first);
    }
}

static void a_solver_takes_no_memory_after_its_first_solve(void **state)
{
    dice d = {42};
    ledger l = {.left = LEDGER_ALL};
    er_context *own = ledger_context(&l);
    rig r = {0};
    linkages[3].build(&r, &d);
    er_model *model = rig_model(own, &r);
    er_modal_solver *solver = NULL;
    const er_modes *modes = NULL;
    double stiffness[RIG_MAX];
    assert_int_equal(er_modal_solver_create(own, model, NULL, &solver), ER_OK);
    assert_int_equal(er_modal_solver_solve(solver, &modes), ER_OK);
    l.left = 0;
    for (int step = 0; step < 5; ++step) {
        for (int c = 0; c < model->coordinate_count; ++c)
            stiffness[c] = dice_uniform(&d, 1.0, 10.0);
        assert_int_equal(er_modal_solver_set_stiffness(solver, stiffness), ER_OK);
        assert_int_equal(er_modal_solver_solve(solver, &modes), ER_OK);
    }
    er_modal_solver_destroy(solver);
    er_model_destroy(model);
    ledger_end(&l, own);
}

static void a_solver_refuses_the_tree_route_for_loops(void **state)
{
    dice d = {43};
    rig r = {0};
    linkages[0].build(&r, &d);
    er_model *model = rig_model(context, &r);
    er_modal_solver *solver = NULL;
    er_modal_def def = er_default_modal_def();
    def.method = ER_MODAL_TREE;
    assert_refusal(context, er_modal_solver_create(context, model, &def, &solver), ER_ERROR_ARGUMENT, "tree");
    assert_null(solver);
    er_model_destroy(model);
}

static void too_many_loops_are_refused_at_once(void **state)
{
    er_model *model = NULL;
    er_modes *modes = NULL;
    er_modal_def def = er_default_modal_def();
    def.method = ER_MODAL_SPARSE;
    def.mode_count = 10;
    assert_int_equal(bench_rig_create(context, BENCH_NET, 4000, &model), ER_OK);
    assert_refusal(context, er_modal_solve(context, model, &def, &modes), ER_ERROR_RIG, "loops");
    assert_null(modes);
    er_model_destroy(model);
}

// Springs of 1e-12 and 1e12: no eigenvalues of doubles hold both.
static void frequencies_too_far_apart_are_solved_or_refused(void **state)
{
    dice d = {45};
    for (int trial = 0; trial < trials(60); ++trial) {
        rig r = {0};
        linkages[1 + trial % 3].build(&r, &d);
        for (int k = 0; k < r.joint_count; ++k)
            r.joint[k].stiffness[0] = pow(10.0, dice_uniform(&d, -12, 12));
        er_model *model = rig_model(context, &r);
        er_modes *modes = NULL;
        er_modal_def def = er_default_modal_def();
        def.method = ER_MODAL_SPARSE;
        if (er_modal_solve(context, model, &def, &modes) == ER_OK)
            measure_at_most("springs far apart, gram", modes->residuals.gram, 1e-6);
        else
            assert_string_not_equal(er_context_error(context), "");
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

// A loop of hinges, one without a spring, so that every part of the work is done.
static void any_allocation_may_fail(void **state)
{
    dice d = {44};
    rig r = {0};
    linkages[4].build(&r, &d);
    r.joint[1].stiffness[0] = 0.0;
    er_modal_def def = er_default_modal_def();
    def.method = ER_MODAL_SPARSE;
    assert_true(solve_starved(&r, &def) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linkages_without_springs_move_as_the_textbooks_say),
        cmocka_unit_test(larger_forests_have_the_modes_of_the_tree_route),
        cmocka_unit_test(nets_and_curtains_have_the_modes_of_the_tree_route),
        cmocka_unit_test(a_character_that_holds_its_own_hand_has_the_modes_of_the_tree_route),
        cmocka_unit_test(six_hundred_bodies_keep_their_promises),
        cmocka_unit_test(a_window_holds_the_modes_between_its_ends),
        cmocka_unit_test(a_solver_follows_its_springs),
        cmocka_unit_test(a_solver_takes_no_memory_after_its_first_solve),
        cmocka_unit_test(a_solver_refuses_the_tree_route_for_loops),
        cmocka_unit_test(too_many_loops_are_refused_at_once),
        cmocka_unit_test(frequencies_too_far_apart_are_solved_or_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("sparse_loops", tests, set_up, tear_down);
}
