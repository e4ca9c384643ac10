// Modes followed through edits: through a crossing, against a sweep in small steps, by the names of bodies.
#include "support/context.h"
#include "support/forest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODES_MAX = 100, BODIES = 8 };

static void match_modes(const er_model *a, const er_modes *was, const er_model *b, const er_modes *now,
                        er_mode_match *out)
{
    assert_true(was->count <= MODES_MAX);
    assert_int_equal(er_modes_match(context, a, was, b, now, out), ER_OK);
}

// A row of arms on hinges, each on the one before; all springs alike, and no two masses.
static void make_row(rig *r, int bodies)
{
    static char name[BODIES][16];
    *r = (rig){0};
    for (int b = 0; b < bodies; ++b) {
        er_vec3 at = er_v3(b, 0, 0);
        snprintf(name[b], sizeof name[b], "arm %d", b);
        rig_add_body(r, 1.0 + 0.3 * b, er_v3(0.02, 0.1, 0.11), er_q_identity(), er_v3_add(at, er_v3(0.5, 0, 0)),
                     (er_pose){er_q_identity(), at});
        r->body[b].name = name[b];
        rig_add_joint(r, b % 3 == 2 ? ER_JOINT_UNIVERSAL : ER_JOINT_REVOLUTE, b - 1, b, (er_pose){er_q_identity(), at});
        for (int c = 0; c < 2; ++c)
            r->joint[b].stiffness[c] = 100.0;
    }
}

static void a_rig_matches_itself(void **state)
{
    static rig r;
    make_row(&r, BODIES);
    er_model *model = rig_model(context, &r);
    er_modes *modes = rig_modes(context, model, ER_MODAL_TREE), *other = rig_modes(context, model, ER_MODAL_SVD);
    er_mode_match match[MODES_MAX];
    match_modes(model, modes, model, other, match);
    for (int i = 0; i < modes->count; ++i) {
        assert_int_equal(match[i].now, i);
        assert_true(fabs(match[i].likeness - 1.0) < 1e-9 && match[i].other == -1);
    }
    er_modes_destroy(modes);
    er_modes_destroy(other);
    er_model_destroy(model);
}

// Two pendulums apart: one is tuned past the other.
static void modes_cross_and_keep_their_names(void **state)
{
    for (int turn = 0; turn < 2; ++turn) {
        static rig r;
        r = (rig){0};
        for (int b = 0; b < 2; ++b) {
            rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(3 * b, 0, 0),
                         (er_pose){er_q_identity(), er_v3(3 * b, 0, 0)});
            rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, b, (er_pose){er_q_identity(), er_v3(3 * b, 0, 0)});
            r.joint[b].stiffness[0] = 10.0 + b;
        }
        er_model *model = rig_model(context, &r);
        r.joint[turn].stiffness[0] = turn == 0 ? 12.0 : 9.0;
        er_model *edited = rig_model(context, &r);
        er_modes *was = rig_modes(context, model, ER_MODAL_TREE), *now = rig_modes(context, edited, ER_MODAL_TREE);
        er_mode_match match[2];
        match_modes(model, was, edited, now, match);
        assert_true(match[0].now == 1 && match[1].now == 0);
        assert_true(fabs(match[0].likeness) > 1.0 - 1e-12 && match[0].other == -1);
        er_modes_destroy(was);
        er_modes_destroy(now);
        er_model_destroy(model);
        er_model_destroy(edited);
    }
}

// Three arms of one frequency, of which one is tuned away: the others are known as a pair.
static void modes_of_one_frequency_are_kept_as_a_group(void **state)
{
    static rig r;
    r = (rig){0};
    for (int b = 0; b < 3; ++b) {
        er_pose at = {er_q_identity(), er_v3(3 * b, 0, 0)};
        rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), at.p, at);
        rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, b, at);
        r.joint[b].stiffness[0] = 10.0;
    }
    er_model *model = rig_model(context, &r);
    er_modes *was = rig_modes(context, model, ER_MODAL_TREE), *now = rig_modes(context, model, ER_MODAL_SVD);
    er_mode_match match[3];
    match_modes(model, was, model, now, match);
    int seen = 0;
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(match[i].group_likeness - 1.0) < 1e-9);
        assert_int_equal(match[i].other, -1);
        seen |= 1 << match[i].now;
    }
    assert_int_equal(seen, 7);
    er_modes_destroy(was);
    er_modes_destroy(now);
    er_model_destroy(model);
}

// ---- Against a sweep in small steps

static void blend(rig *r, const rig *a, const rig *b, double t)
{
    *r = *a;
    for (int k = 0; k < r->joint_count; ++k)
        for (int c = 0; c < 6; ++c)
            if (a->joint[k].stiffness[c] > 0.0)
                r->joint[k].stiffness[c] =
                    a->joint[k].stiffness[c] * pow(b->joint[k].stiffness[c] / a->joint[k].stiffness[c], t);
}

// Follows the modes of `a` to `b` in equal steps.
// @param at   [count], written: the places of the modes
// @param gap  [count], written: the least gap to another mode on the way, relative, of eigenvalues; NULL: not asked
static int sweep(const rig *a, const rig *b, int steps, int *at, double *gap)
{
    static rig now;
    er_model *model = rig_model(context, a);
    er_modes *modes = rig_modes(context, model, ER_MODAL_TREE);
    int count = modes->count;
    for (int i = 0; i < count; ++i) {
        at[i] = i;
        if (gap != NULL) gap[i] = HUGE_VAL;
    }
    for (int step = 1; step <= steps; ++step) {
        er_mode_match match[MODES_MAX];
        blend(&now, a, b, (double)step / steps);
        er_model *next = rig_model(context, &now);
        er_modes *after = rig_modes(context, next, ER_MODAL_TREE);
        match_modes(model, modes, next, after, match);
        for (int i = 0; i < count; ++i) {
            at[i] = match[at[i]].now;
            for (int j = 0; j < count && gap != NULL; ++j)
                if (j != at[i])
                    gap[i] = fmin(gap[i], fabs(after->mode[j].eigenvalue - after->mode[at[i]].eigenvalue) /
                                              fmax(after->mode[j].eigenvalue, after->mode[at[i]].eigenvalue));
        }
        er_modes_destroy(modes);
        er_model_destroy(model);
        modes = after;
        model = next;
    }
    er_modes_destroy(modes);
    er_model_destroy(model);
    return count;
}

// Springs that change by factors up to e^s in a step turn modes whose eigenvalues are further apart than 2 s by less
// than 30 degrees (first order: |dK_ij| <= s sqrt(lambda_i lambda_j)). Those must arrive where a fine sweep puts them.
static void coarse_steps_agree_with_fine_ones_where_modes_stay_apart(void **state)
{
    dice d = {711};
    int judged = 0;
    for (int trial = 0; trial < trials(200); ++trial) {
        static rig a, b;
        int coarse[MODES_MAX], fine[MODES_MAX];
        double gap[MODES_MAX], most = 0.6, steps = 6;
        make_row(&a, 3 + dice_below(&d, BODIES - 2));
        for (int k = 0; k < a.joint_count; ++k)
            for (int c = 0; c < 2; ++c)
                a.joint[k].stiffness[c] *= dice_uniform(&d, 0.3, 3.0);
        b = a;
        for (int k = 0; k < b.joint_count; ++k)
            for (int c = 0; c < 2; ++c)
                b.joint[k].stiffness[c] *= exp(dice_uniform(&d, -most, most));
        int count = sweep(&a, &b, 96, fine, gap);
        sweep(&a, &b, (int)steps, coarse, NULL);
        for (int i = 0; i < count; ++i) {
            if (gap[i] < 2.0 * most / steps) continue;
            assert_int_equal(coarse[i], fine[i]);
            ++judged;
        }
    }
    assert_true(judged > trials(200));
}

static void bodies_are_matched_by_name(void **state)
{
    static rig r, shuffled;
    make_row(&r, BODIES);
    shuffled = r;
    int place[BODIES] = {3, 0, 5, 1, 7, 2, 6, 4};
    for (int b = 0; b < BODIES; ++b) {
        shuffled.body[place[b]] = r.body[b];
        shuffled.joint[b].parent = b > 0 ? place[b - 1] : -1;
        shuffled.joint[b].child = place[b];
    }
    er_model *model = rig_model(context, &r), *other = rig_model(context, &shuffled);
    er_modes *was = rig_modes(context, model, ER_MODAL_TREE), *now = rig_modes(context, other, ER_MODAL_TREE);
    er_mode_match match[MODES_MAX];
    match_modes(model, was, other, now, match);
    for (int i = 0; i < was->count; ++i) {
        assert_int_equal(match[i].now, i);
        assert_true(fabs(match[i].likeness) > 1.0 - 1e-9);
    }
    er_modes_destroy(was);
    er_modes_destroy(now);
    er_model_destroy(model);
    er_model_destroy(other);
}

// A last arm of a thousandth of the mass comes: the old modes stay, and none is taken for its own.
static void a_body_that_comes_or_goes_leaves_the_other_modes(void **state)
{
    static rig small, large;
    make_row(&small, BODIES - 1);
    make_row(&large, BODIES);
    er_body *last = &large.body[BODIES - 1];
    last->mass *= 1e-3;
    for (int i = 0; i < 9; ++i)
        last->inertia.m[i / 3][i % 3] *= 1e-3;
    er_model *model = rig_model(context, &small), *other = rig_model(context, &large);
    er_modes *was = rig_modes(context, model, ER_MODAL_TREE), *now = rig_modes(context, other, ER_MODAL_TREE);
    er_mode_match match[MODES_MAX];
    match_modes(model, was, other, now, match);
    for (int i = 0; i < was->count; ++i)
        assert_true(match[i].now >= 0 && fabs(match[i].likeness) > 0.9);
    match_modes(other, now, model, was, match);
    int gone = 0;
    for (int i = 0; i < now->count; ++i)
        gone += match[i].now < 0;
    assert_int_equal(gone, now->count - was->count);
    er_modes_destroy(was);
    er_modes_destroy(now);
    er_model_destroy(model);
    er_model_destroy(other);
}

// Springs of one of two pendulums change: its frequency goes with their root, through that of the other.
static void tracks_go_through_crossings(void **state)
{
    static rig r;
    r = (rig){0};
    for (int b = 0; b < 2; ++b) {
        er_pose at = {er_q_identity(), er_v3(3 * b, 0, 0)};
        rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), at.p, at);
        rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, b, at);
        r.joint[b].stiffness[0] = 10.0 + b;
    }
    er_model *model = rig_model(context, &r);
    er_mode_tracks *tracks = NULL;
    const bool joint[2] = {true, false};
    const er_mode_tracks_def def = {.from = 0.25, .to = 4.0, .point_count = 9, .mode_count = 5};
    assert_int_equal(er_mode_tracks_create(context, model, joint, &def, &tracks), ER_OK);
    assert_int_equal(tracks->count, 2);
    for (int p = 0; p < 9; ++p) {
        assert_true(fabs(tracks->factor[p] / pow(2.0, 0.5 * p - 2.0) - 1.0) < 1e-14);
        assert_true(fabs(tracks->hz[2 * p] * 2.0 * ER_PI / sqrt(10.0 * tracks->factor[p]) - 1.0) < 1e-12);
        assert_true(fabs(tracks->hz[2 * p + 1] * 2.0 * ER_PI / sqrt(11.0) - 1.0) < 1e-12);
        assert_true(tracks->certainty[2 * p] > 1.0 - 1e-12);
    }
    er_mode_tracks_destroy(tracks);
    const er_mode_tracks_def wrong[] = {{0.0, 1.0, 3, 1},      {2.0, 1.0, 3, 1},
                                        {1.0, HUGE_VAL, 3, 1}, {1.0, NAN, 3, 1},
                                        {1.0, 2.0, 1, 1},      {1.0, 2.0, ER_MODE_TRACKS_MAX_POINTS + 1, 1},
                                        {1.0, 2.0, 3, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        tracks = (er_mode_tracks *)model; // not NULL
        assert_int_equal(er_mode_tracks_create(context, model, joint, &wrong[i], &tracks), ER_ERROR_ARGUMENT);
        assert_null(tracks);
    }
    const bool none[2] = {false, false};
    assert_int_equal(er_mode_tracks_create(context, model, none, &def, &tracks), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mode_tracks_create(context, model, NULL, &def, &tracks), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mode_tracks_create(context, NULL, joint, &def, &tracks), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mode_tracks_create(context, model, joint, NULL, &tracks), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mode_tracks_create(NULL, model, joint, &def, &tracks), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mode_tracks_create(context, model, joint, &def, NULL), ER_ERROR_ARGUMENT);
    er_model_destroy(model);
}

// Few points are the same as many: steps are divided where shapes change fast.
static void tracks_of_few_points_are_those_of_many(void **state)
{
    static rig r;
    dice d = {712};
    for (int trial = 0; trial < trials(20); ++trial) {
        make_row(&r, BODIES);
        bool joint[BODIES];
        for (int k = 0; k < BODIES; ++k)
            joint[k] = dice_below(&d, 2) == 0 || k == 0;
        er_model *model = rig_model(context, &r);
        er_mode_tracks *few = NULL, *many = NULL;
        er_mode_tracks_def def = {.from = 0.2, .to = 5.0, .point_count = 3, .mode_count = 6};
        assert_int_equal(er_mode_tracks_create(context, model, joint, &def, &few), ER_OK);
        def.point_count = 101;
        assert_int_equal(er_mode_tracks_create(context, model, joint, &def, &many), ER_OK);
        for (int p = 0; p < 3; ++p)
            for (int k = 0; k < few->count; ++k)
                assert_true(fabs(few->hz[p * few->count + k] / many->hz[50 * p * few->count + k] - 1.0) < 1e-9);
        er_mode_tracks_destroy(few);
        er_mode_tracks_destroy(many);
        er_model_destroy(model);
    }
}

// A slider is dragged through a crossing: what the solver tells of each step, followed, is what one match tells.
static void a_solver_tells_where_modes_went(void **state)
{
    static rig r;
    make_row(&r, BODIES);
    er_model *model = rig_model(context, &r);
    er_modal_solver *solver = NULL;
    const er_modes *modes = NULL;
    const er_mode_match *match = NULL;
    int count = -1, at[MODES_MAX];
    double stiffness[MODES_MAX];
    assert_int_equal(er_modal_solver_create(context, model, NULL, &solver), ER_OK);
    assert_int_equal(er_modal_solver_follow(solver, &modes, &match, &count), ER_OK);
    assert_int_equal(count, 0);
    for (int k = 0; k < modes->count; ++k)
        at[k] = k;
    for (int c = 0; c < model->coordinate_count; ++c)
        stiffness[c] = 100.0;
    for (int step = 1; step <= 20; ++step) {
        stiffness[0] = 100.0 * pow(1.3, step);
        assert_int_equal(er_modal_solver_set_stiffness(solver, stiffness), ER_OK);
        assert_int_equal(er_modal_solver_follow(solver, &modes, &match, &count), ER_OK);
        assert_int_equal(count, modes->count);
        for (int k = 0; k < count; ++k)
            at[k] = match[at[k]].now;
    }
    static rig last;
    last = r;
    last.joint[0].stiffness[0] = stiffness[0];
    int fine[MODES_MAX];
    sweep(&r, &last, 200, fine, NULL);
    for (int k = 0; k < modes->count; ++k)
        assert_int_equal(at[k], fine[k]);
    assert_int_equal(er_modal_solver_follow(NULL, &modes, &match, &count), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_follow(solver, NULL, &match, &count), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_follow(solver, &modes, NULL, &count), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_solver_follow(solver, &modes, &match, NULL), ER_ERROR_ARGUMENT);
    er_modal_solver_destroy(solver);
    er_model_destroy(model);
}

static void wrong_arguments_are_refused(void **state)
{
    static rig r;
    make_row(&r, 2);
    er_model *model = rig_model(context, &r);
    er_modes *modes = rig_modes(context, model, ER_MODAL_TREE);
    er_mode_match match[MODES_MAX];
    assert_int_equal(er_modes_match(NULL, model, modes, model, modes, match), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_match(context, NULL, modes, model, modes, match), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_match(context, model, NULL, model, modes, match), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_match(context, model, modes, NULL, modes, match), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_match(context, model, modes, model, NULL, match), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_match(context, model, modes, model, modes, NULL), ER_ERROR_ARGUMENT);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rig_matches_itself),
        cmocka_unit_test(modes_cross_and_keep_their_names),
        cmocka_unit_test(modes_of_one_frequency_are_kept_as_a_group),
        cmocka_unit_test(coarse_steps_agree_with_fine_ones_where_modes_stay_apart),
        cmocka_unit_test(bodies_are_matched_by_name),
        cmocka_unit_test(a_body_that_comes_or_goes_leaves_the_other_modes),
        cmocka_unit_test(a_solver_tells_where_modes_went),
        cmocka_unit_test(tracks_go_through_crossings),
        cmocka_unit_test(tracks_of_few_points_are_those_of_many),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
