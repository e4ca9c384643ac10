// Modes that follow edits are those of the edited rig solved anew, and following takes no memory.
#include "support/context.h"
#include "support/forest.h"

#include <math.h>
#include <string.h>

// The settings of a solver, in the order of er_model.coordinate.
typedef struct settings {
    double stiffness[6 * RIG_MAX], damping[6 * RIG_MAX];
} settings;

static void read_settings(const er_model *m, settings *s)
{
    for (int k = 0; k < m->joint_count; ++k)
        for (int c = m->coordinate[k]; c < m->coordinate[k + 1]; ++c) {
            s->stiffness[c] = m->joint[k].stiffness[c - m->coordinate[k]];
            s->damping[c] = m->joint[k].damping[c - m->coordinate[k]];
        }
}

// Another rig with the same joints: some springs gone, some come, dampers and masses changed.
static void edit(rig *r, dice *d)
{
    for (int k = 0; k < r->joint_count; ++k)
        for (int c = 0; c < er_joint_type_freedom(r->joint[k].type, NULL); ++c) {
            double *spring = &r->joint[k].stiffness[c];
            int fate = dice_below(d, 6);
            *spring = fate == 0 ? 0.0 : fate == 1 ? dice_uniform(d, 1, 100) : *spring * dice_uniform(d, 0.5, 2);
            r->joint[k].damping[c] = dice_below(d, 4) == 0 ? dice_uniform(d, 0, 0.1) : 0.0;
        }
    for (int b = 0; b < r->body_count; ++b) {
        double heavier = dice_uniform(d, 0.5, 2);
        r->body[b].mass *= heavier;
        for (int i = 0; i < 9; ++i)
            r->body[b].inertia.m[i / 3][i % 3] *= heavier;
    }
    r->damping_ratio = dice_uniform(d, 0, 0.1);
}

static double highest_hz(er_modal_solver *solver)
{
    const er_modes *modes = NULL;
    assert_int_equal(er_modal_solver_solve(solver, &modes), ER_OK);
    return modes->mode[modes->count - 1].frequency_hz;
}

static double lost_digits(const er_modes *modes)
{
    return fmax(modes->residuals.gram, modes->residuals.constraint);
}

static void agree(const er_modes *followed, const er_modes *anew, const char *what)
{
    assert_int_equal(followed->count, anew->count);
    assert_int_equal(followed->rigid_count, anew->rigid_count);
    assert_int_equal(followed->mechanism_count, anew->mechanism_count);
    for (int k = 0; k < anew->count; ++k) {
        const er_mode *a = &followed->mode[k], *b = &anew->mode[k];
        assert_int_equal(a->kind, b->kind);
        if (b->frequency_hz > 0.0) measure_at_most(what, relative_error(a->frequency_hz, b->frequency_hz), 1e-10);
    }
    assert_true(lost_digits(followed) < 1e-6); // a route that loses more refuses
}

static void modes_follow_every_edit(void **state)
{
    static const er_modal_method methods[] = {ER_MODAL_TREE, ER_MODAL_SPARSE, ER_MODAL_AUTO};
    static const char *const names[] = {"followed by tree, Hz", "followed by sparse, Hz", "followed by auto, Hz"};
    dice d = {901};
    static rig r;
    static settings now;
    for (int trial = 0; trial < trials(60); ++trial) {
        rig_forest(&r, &d, 2 + dice_below(&d, 20), false);
        er_model *first = rig_model(context, &r);
        er_modal_def def = er_default_modal_def();
        def.method = methods[trial % 3];
        er_modal_solver *solver = NULL;
        er_result made = er_modal_solver_create(context, first, &def, &solver);
        for (int turn = 0; turn < 4 && made == ER_OK; ++turn) {
            edit(&r, &d);
            er_model *edited = rig_model(context, &r);
            read_settings(edited, &now);
            assert_int_equal(er_modal_solver_set_stiffness(solver, now.stiffness), ER_OK);
            assert_int_equal(er_modal_solver_set_damping(solver, now.damping, r.damping_ratio, 0.0, 0.0), ER_OK);
            assert_int_equal(er_modal_solver_set_bodies(solver, edited->body), ER_OK);
            const er_modes *followed = NULL;
            er_modes *anew = NULL;
            assert_int_equal(er_modal_solver_solve(solver, &followed), ER_OK);
            assert_int_equal(er_modal_solve(context, edited, &def, &anew), ER_OK);
            agree(followed, anew, names[trial % 3]);
            er_modes_destroy(anew);
            er_model_destroy(edited);
        }
        er_modal_solver_destroy(solver);
        er_model_destroy(first);
    }
}

// All bodies and joints of a rig elsewhere.
static void move_all(rig *r, dice *d)
{
    for (int b = 0; b < r->body_count; ++b)
        r->body[b].pose = er_pose_mul(dice_motion(d, 1.0, 0.3), r->body[b].pose);
    for (int k = 0; k < r->joint_count; ++k)
        r->joint[k].frame = er_pose_mul(dice_motion(d, 1.0, 0.3), r->joint[k].frame);
}

static void modes_follow_a_model_elsewhere(void **state)
{
    dice d = {907};
    static rig r;
    for (int trial = 0; trial < trials(24); ++trial) {
        bool loops = trial % 2 == 1;
        rig_forest(&r, &d, 3 + dice_below(&d, 12), loops);
        er_model *first = rig_model(context, &r);
        er_modal_def def = er_default_modal_def();
        def.method = loops ? ER_MODAL_SPARSE : trial % 4 == 0 ? ER_MODAL_TREE : ER_MODAL_AUTO;
        er_modal_solver *solver = NULL;
        er_result made = er_modal_solver_create(context, first, &def, &solver);
        for (int turn = 0; turn < 3 && made == ER_OK; ++turn) {
            if (turn < 2) move_all(&r, &d); // and numbers alone at last
            edit(&r, &d);
            er_model *moved = rig_model(context, &r);
            const er_modes *followed = NULL;
            er_modes *anew = NULL;
            made = er_modal_solve(context, moved, &def, &anew);
            assert_int_equal(er_modal_solver_set_model(solver, moved), made);
            if (made == ER_OK) {
                assert_int_equal(er_modal_solver_solve(solver, &followed), ER_OK);
                agree(followed, anew, loops ? "loops elsewhere, Hz" : "trees elsewhere, Hz");
            }
            er_modes_destroy(anew);
            er_model_destroy(moved);
        }
        er_modal_solver_destroy(solver);
        er_model_destroy(first);
    }
}

static void a_solver_takes_no_model_of_other_ties(void **state)
{
    dice d = {907};
    static rig r;
    rig_forest(&r, &d, 6, false);
    er_model *model = rig_model(context, &r);
    er_modal_solver *solver = NULL;
    assert_int_equal(er_modal_solver_create(context, model, NULL, &solver), ER_OK);
    double before = highest_hz(solver);
    r.joint[0].type = r.joint[0].type == ER_JOINT_FREE ? ER_JOINT_SPHERICAL : ER_JOINT_FREE;
    er_model *other = rig_model(context, &r);
    assert_int_equal(er_modal_solver_set_model(solver, other), ER_ERROR_ARGUMENT);
    assert_true(highest_hz(solver) == before);
    er_modal_solver_destroy(solver);
    er_model_destroy(other);
    er_model_destroy(model);
}

static void following_takes_no_memory(void **state)
{
    dice d = {902};
    static rig r;
    static settings now;
    ledger l = {.left = LEDGER_ALL};
    er_context *own = ledger_context(&l);
    for (int method = ER_MODAL_TREE; method <= ER_MODAL_SPARSE; ++method) {
        rig_forest(&r, &d, 20, false);
        for (int k = 0; k < r.joint_count; ++k) // dampers that couple modes may take some
            memset(r.joint[k].damping, 0, sizeof r.joint[k].damping);
        er_model *model = rig_model(own, &r);
        er_modal_def def = er_default_modal_def();
        def.method = (er_modal_method)method;
        er_modal_solver *solver = NULL;
        const er_modes *modes = NULL;
        assert_int_equal(er_modal_solver_create(own, model, &def, &solver), ER_OK);
        assert_int_equal(er_modal_solver_solve(solver, &modes), ER_OK);
        read_settings(model, &now);
        l.left = 0;
        for (int turn = 0; turn < 5; ++turn) {
            for (int c = 0; c < model->coordinate_count; ++c)
                now.stiffness[c] = turn == 2 ? 1.0 : turn == 3 && c % 3 == 0 ? 0.0 : now.stiffness[c] * 1.5;
            assert_int_equal(er_modal_solver_set_stiffness(solver, now.stiffness), ER_OK);
            assert_int_equal(er_modal_solver_solve(solver, &modes), ER_OK);
        }
        l.left = LEDGER_ALL;
        er_modal_solver_destroy(solver);
        er_model_destroy(model);
    }
    ledger_end(&l, own);
}

static void wrong_edits_change_nothing(void **state)
{
    static rig r;
    static settings now;
    dice d = {903};
    rig_forest(&r, &d, 6, false);
    er_model *model = rig_model(context, &r);
    er_modal_solver *solver = NULL;
    assert_int_equal(er_modal_solver_create(context, model, NULL, &solver), ER_OK);
    double before = highest_hz(solver);
    read_settings(model, &now);
    const double bad[] = {-1.0, NAN, HUGE_VAL, 1e-60};
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); ++i) {
        settings wrong = now;
        wrong.stiffness[model->coordinate_count - 1] = bad[i];
        assert_int_equal(er_modal_solver_set_stiffness(solver, wrong.stiffness), ER_ERROR_RIG);
        assert_string_not_equal(er_context_error(context), "");
        if (i < 3) assert_int_equal(er_modal_solver_set_damping(solver, now.damping, bad[i], 0.0, 0.0), ER_ERROR_RIG);
    }
    er_body body[RIG_MAX];
    memcpy(body, model->body, (size_t)model->body_count * sizeof *body);
    body[0].mass = -1.0;
    assert_int_equal(er_modal_solver_set_bodies(solver, body), ER_ERROR_RIG);
    assert_int_equal(er_modal_solver_set_stiffness(solver, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_set_damping(solver, NULL, 0.0, 0.0, 0.0), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_set_bodies(solver, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_set_model(solver, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_solve(solver, NULL), ER_ERROR_ARGUMENT);
    for (int c = 0; c < model->coordinate_count; ++c) { // the first and the last as any
        settings wrong = now;
        wrong.damping[c] = -1.0;
        assert_int_equal(er_modal_solver_set_damping(solver, wrong.damping, 0.0, 0.0, 0.0), ER_ERROR_RIG);
        wrong.stiffness[c] = -1.0;
        assert_int_equal(er_modal_solver_set_stiffness(solver, wrong.stiffness), ER_ERROR_RIG);
    }
    for (int k = 1; k < 3; ++k) // factors of Rayleigh's
        assert_int_equal(er_modal_solver_set_damping(solver, now.damping, 0.0, k == 1 ? -1.0 : 0.0, k == 2 ? NAN : 0.0),
                         ER_ERROR_RIG);
    assert_int_equal(er_modal_solver_set_stiffness(NULL, now.stiffness), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_set_damping(NULL, now.damping, 0.0, 0.0, 0.0), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_set_bodies(NULL, model->body), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_set_model(NULL, model), ER_ERROR_ARGUMENT);
    const er_modes *none = (const er_modes *)model; // not NULL
    assert_int_equal(er_modal_solver_solve(NULL, &none), ER_ERROR_ARGUMENT);
    assert_null(none);
    assert_true(highest_hz(solver) == before);
    er_modal_solver_destroy(solver);
    er_modal_def def = er_default_modal_def();
    for (int k = 0; k < 2; ++k) {
        def.method = k == 0 ? ER_MODAL_QR : ER_MODAL_SVD;
        assert_int_equal(er_modal_solver_create(context, model, &def, &solver), ER_ERROR_ARGUMENT);
        assert_null(solver);
    }
    assert_int_equal(er_modal_solver_create(context, NULL, NULL, &solver), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_create(NULL, model, NULL, &solver), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_create(context, model, NULL, NULL), ER_ERROR_ARGUMENT);
    er_model_destroy(model);
    er_modal_solver_destroy(NULL);
}

// Centres of mass so far out that doubles lose the inertia: one error that says so, and no modes.
static void a_solve_that_failed_leaves_a_solver_that_solves(void **state)
{
    static rig r;
    dice d = {905};
    rig_forest(&r, &d, 6, false);
    er_model *model = rig_model(context, &r);
    er_modal_solver *solver = NULL;
    const er_modes *modes = NULL;
    er_body body[RIG_MAX];
    memcpy(body, model->body, (size_t)model->body_count * sizeof *body);
    for (int i = 0; i < model->body_count; ++i)
        body[i].com = er_v3(1e12, 3e11, 1e11 * i);
    assert_int_equal(er_modal_solver_create(context, model, NULL, &solver), ER_OK);
    double before = highest_hz(solver);
    assert_int_equal(er_modal_solver_set_bodies(solver, body), ER_OK);
    assert_int_equal(er_modal_solver_solve(solver, &modes), ER_ERROR_NOT_POSDEF);
    assert_null(modes);
    assert_int_equal(er_modal_solver_set_bodies(solver, model->body), ER_OK);
    assert_true(highest_hz(solver) == before);
    er_modal_solver_destroy(solver);
    er_model_destroy(model);
}

static void any_allocation_may_fail(void **state)
{
    static rig r;
    dice d = {904};
    rig_forest(&r, &d, 8, false);
    for (int method = ER_MODAL_TREE; method <= ER_MODAL_SPARSE; ++method) {
        er_result result = ER_ERROR_MEMORY;
        for (long k = 0; result != ER_OK; ++k) {
            ledger l = {.left = LEDGER_ALL};
            er_context *own = ledger_context(&l);
            er_model *model = rig_model(own, &r);
            er_modal_def def = er_default_modal_def();
            def.method = (er_modal_method)method;
            er_modal_solver *solver = NULL;
            const er_modes *modes = NULL;
            l.left = k;
            result = er_modal_solver_create(own, model, &def, &solver);
            if (result == ER_OK) result = er_modal_solver_solve(solver, &modes);
            assert_true(result == ER_OK || result == ER_ERROR_MEMORY);
            er_modal_solver_destroy(solver);
            er_model_destroy(model);
            ledger_end(&l, own);
        }
    }
}

// Masses over twelve decades cost the routes on trees their right angles.
static void auto_asks_other_routes_as_a_solve_does(void **state)
{
    dice d = {907};
    static rig r;
    er_modal_def def = er_default_modal_def();
    int fell_back = 0, kept = 0;
    for (int trial = 0; trial < 30; ++trial) {
        rig_forest(&r, &d, 8 + trial, false);
        er_model *model = rig_model(context, &r);
        er_modal_solver *solver = NULL;
        assert_int_equal(er_modal_solver_create(context, model, &def, &solver), ER_OK);
        er_model_destroy(model);
        for (int b = 0; b < r.body_count; ++b) { // the solver is told of the masses when it stands already
            double factor = r.body[b].mass;
            r.body[b].mass *= factor;
            for (int i = 0; i < 9; ++i)
                r.body[b].inertia.m[i / 3][i % 3] *= factor;
        }
        model = rig_model(context, &r);
        for (int turn = 0; turn < 2; ++turn) {
            const er_modes *followed = NULL;
            assert_int_equal(er_modal_solver_set_bodies(solver, model->body), ER_OK);
            assert_int_equal(er_modal_solver_solve(solver, &followed), ER_OK);
            er_modes *anew = rig_modes(context, model, ER_MODAL_AUTO);
            assert_int_equal(followed->method, anew->method);
            agree(followed, anew, "followed by another route, Hz");
            // up to 1e-9 the solver's own route will do; beyond, the best of all, which may be no better
            assert_true(lost_digits(followed) <= 1e-9 || lost_digits(followed) == lost_digits(anew));
            *(anew->method == ER_MODAL_QR ? &fell_back : &kept) += 1;
            er_modes_destroy(anew);
        }
        er_modal_solver_destroy(solver);
        er_model_destroy(model);
    }
    assert_true(fell_back > 3 && kept > 3);
}

// One hinge said a thousand times over: loops that the solver's own route takes no more.
static void auto_takes_loops_that_no_slice_takes(void **state)
{
    enum { COPIES = 830 };
    static er_joint joint[1 + COPIES];
    static rig r;
    dice d = {907};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 2; ++i)
        rig_throw_body(&r, &d, 1.0, er_v3(0.1, 0.12, 0.15));
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, dice_pose(&d))->stiffness[0] = 3.0;
    for (int k = 0; k <= COPIES; ++k) {
        joint[k] = r.joint[0];
        joint[k].closes_loop = k > 0;
    }
    er_model_def rig_def = er_default_model_def();
    rig_def.body_count = 2;
    rig_def.body = r.body;
    rig_def.joint_count = 1 + COPIES;
    rig_def.joint = joint;
    er_model *model = NULL;
    er_modal_solver *solver = NULL;
    static double stiffness[1 + COPIES];
    er_modal_def def = er_default_modal_def();
    assert_int_equal(er_model_create(context, &rig_def, &model), ER_OK);
    def.method = ER_MODAL_SPARSE;
    assert_int_equal(er_modal_solver_create(context, model, &def, &solver), ER_ERROR_RIG);
    assert_null(solver);
    def.method = ER_MODAL_AUTO;
    assert_int_equal(er_modal_solver_create(context, model, &def, &solver), ER_OK);
    double hz[2];
    for (int turn = 0; turn < 2; ++turn) {
        const er_modes *modes = NULL;
        for (int k = 0; k <= COPIES; ++k)
            stiffness[k] = turn == 0 ? 3.0 : 12.0;
        assert_int_equal(er_modal_solver_set_stiffness(solver, stiffness), ER_OK);
        assert_int_equal(er_modal_solver_set_bodies(solver, model->body), ER_OK);
        assert_int_equal(er_modal_solver_solve(solver, &modes), ER_OK);
        assert_int_equal(modes->count, 7);
        assert_int_equal(modes->rigid_count, 6);
        hz[turn] = modes->mode[6].frequency_hz;
    }
    assert_true(relative_error(hz[1], 2.0 * hz[0]) < 1e-10);
    er_modal_solver_destroy(solver);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_follow_every_edit),
        cmocka_unit_test(modes_follow_a_model_elsewhere),
        cmocka_unit_test(a_solver_takes_no_model_of_other_ties),
        cmocka_unit_test(following_takes_no_memory),
        cmocka_unit_test(wrong_edits_change_nothing),
        cmocka_unit_test(a_solve_that_failed_leaves_a_solver_that_solves),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(auto_asks_other_routes_as_a_solve_does),
        cmocka_unit_test(auto_takes_loops_that_no_slice_takes),
    };
    return cmocka_run_group_tests_name("solver", tests, set_up, tear_down);
}
