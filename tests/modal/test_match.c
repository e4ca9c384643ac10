// Modes followed through edits: through a crossing, against a sweep in small steps, by the names of bodies.
#include "modal/mode_shape.h"
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

typedef enum edit_kind { EDIT_STIFFNESS, EDIT_MASS, EDIT_POSE, EDIT_WELD, EDIT_KINDS } edit_kind;

// A rig and what becomes of it over t = 0 to 1: springs and masses times e^(t exponent), hinges turned, or one joint
// ever stiffer and, past the end, welded.
typedef struct path {
    rig from;
    double stiffness[BODIES], mass[BODIES], turn[BODIES];
    int weld; // -1: none
} path;

static path draw_path(dice *d, edit_kind kind)
{
    path p = {.weld = -1};
    make_row(&p.from, 3 + dice_below(d, BODIES - 2));
    for (int b = 0; b < p.from.body_count; ++b) {
        for (int c = 0; c < 2; ++c)
            p.from.joint[b].stiffness[c] *= dice_uniform(d, 0.3, 3.0);
        double exponent = dice_uniform(d, -0.6, 0.6);
        if (kind == EDIT_STIFFNESS) p.stiffness[b] = exponent;
        if (kind == EDIT_MASS) p.mass[b] = exponent;
        if (kind == EDIT_POSE) p.turn[b] = exponent;
    }
    if (kind != EDIT_WELD) return p;
    p.weld = dice_below(d, p.from.body_count);
    p.stiffness[p.weld] = log(1e7);
    return p;
}

static er_model *model_at(const path *p, double t, bool welded)
{
    static rig r;
    er_pose at = {er_q_identity(), {0, 0, 0}};
    r = p->from;
    for (int b = 0; b < r.body_count; ++b) {
        double factor = exp(t * p->mass[b]);
        if (b > 0) at.p = er_pose_point(at, er_v3(1, 0, 0));
        at.q = er_q_mul(at.q, er_q_exp(er_v3(0, 0, t * p->turn[b])));
        r.body[b].pose = r.joint[b].frame = at;
        r.body[b].mass *= factor;
        for (int i = 0; i < 9; ++i)
            r.body[b].inertia.m[i / 3][i % 3] *= factor;
        for (int c = 0; c < 2; ++c)
            r.joint[b].stiffness[c] *= exp(t * p->stiffness[b]);
    }
    if (welded) r.joint[p->weld].type = ER_JOINT_FIXED;
    return rig_model(context, &r);
}

// The cosine in the mass norm of the rig as it is now.
static double likeness(const er_model *now, const er_mode *was, const er_mode *is)
{
    double momentum[6 * BODIES], own = 0.0, product = 0.0;
    eri_mass_times(now, was->body, momentum);
    for (int i = 0; i < 6 * now->body_count; ++i) {
        own += was->body[i] * momentum[i];
        product += is->body[i] * momentum[i];
    }
    return fabs(product) / sqrt(own);
}

// A rig on the way and its modes, and where those of the beginning are among them.
typedef struct station {
    er_model *model;
    er_modes *modes;
    int at[MODES_MAX]; // -1: gone
} station;

static station begin(const path *p)
{
    station s = {.model = model_at(p, 0.0, false)};
    s.modes = rig_modes(context, s.model, ER_MODAL_TREE);
    for (int i = 0; i < s.modes->count; ++i)
        s.at[i] = i;
    return s;
}

static void end(station *s)
{
    er_modes_destroy(s->modes);
    er_model_destroy(s->model);
}

static station follow(const station *from, const path *p, double t, bool welded)
{
    er_mode_match match[MODES_MAX];
    station s = {.model = model_at(p, t, welded)};
    s.modes = rig_modes(context, s.model, ER_MODAL_TREE);
    match_modes(from->model, from->modes, s.model, s.modes, match);
    for (int i = 0; i < MODES_MAX; ++i)
        s.at[i] = i < from->modes->count && from->at[i] >= 0 ? match[from->at[i]].now : -1;
    return s;
}

// Steps of the edit against many small ones. A mode that keeps a cosine of 0.87 (30 degrees) of its shape over each
// step, by the small ones, is too far from the others for a step to mix it with them: it must arrive at the same place.
//   @return how many modes were judged
static int compare_steps(const path *p, int steps, int fine)
{
    station coarse = begin(p), small = begin(p);
    int count = small.modes->count, judged = 0;
    bool clear[MODES_MAX];
    for (int i = 0; i < count; ++i)
        clear[i] = true;
    for (int step = 1; step <= steps; ++step) {
        bool welded = p->weld >= 0;
        station last = small;
        for (int k = 1; k <= fine; ++k) {
            station next = follow(&small, p, (step - 1 + (double)k / fine) / steps, false);
            if (small.modes != last.modes) end(&small);
            small = next;
        }
        if (welded) {
            station next = follow(&small, p, 1.0, true);
            end(&small);
            small = next;
        }
        for (int i = 0; i < count; ++i)
            clear[i] = clear[i] && small.at[i] >= 0 &&
                       likeness(small.model, &last.modes->mode[last.at[i]], &small.modes->mode[small.at[i]]) > 0.87;
        station next = follow(&coarse, p, (double)step / steps, welded);
        end(&coarse);
        end(&last);
        coarse = next;
    }
    for (int i = 0; i < count; ++i) {
        if (!clear[i]) continue;
        assert_int_equal(coarse.at[i], small.at[i]);
        ++judged;
    }
    end(&coarse);
    end(&small);
    return judged;
}

static void no_identity_is_lost_where_a_step_cannot_mix_modes(void **state)
{
    dice d = {711};
    int judged[EDIT_KINDS] = {0};
    for (int trial = 0; trial < trials(200); ++trial) {
        edit_kind kind = (edit_kind)(trial % EDIT_KINDS);
        path p = draw_path(&d, kind);
        judged[kind] += kind == EDIT_WELD ? compare_steps(&p, 1, 96) : compare_steps(&p, 6, 8);
    }
    for (int kind = 0; kind < EDIT_KINDS; ++kind)
        assert_true(judged[kind] > trials(200) / EDIT_KINDS);
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
    path way = {.from = r, .stiffness = {20.0 * log(1.3)}, .weld = -1};
    station fine = begin(&way);
    for (int step = 1; step <= 200; ++step) {
        station next = follow(&fine, &way, step / 200.0, false);
        end(&fine);
        fine = next;
    }
    for (int k = 0; k < modes->count; ++k)
        assert_int_equal(at[k], fine.at[k]);
    end(&fine);
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
        cmocka_unit_test(no_identity_is_lost_where_a_step_cannot_mix_modes),
        cmocka_unit_test(bodies_are_matched_by_name),
        cmocka_unit_test(a_body_that_comes_or_goes_leaves_the_other_modes),
        cmocka_unit_test(a_solver_tells_where_modes_went),
        cmocka_unit_test(tracks_go_through_crossings),
        cmocka_unit_test(tracks_of_few_points_are_those_of_many),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
