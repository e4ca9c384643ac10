// Mixes that nobody searched as motions: feet held, bodies carried, frames and coordinates of one kind; of legs with
// knees and without, feet with toes, soles that hang elsewhere.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "judge.h"
#include "model/kinematics/kinematics.h"
#include "support/judge.h"
#include "walkers.h"

// A model with a mix of two modes that carries it.
typedef struct going {
    er_model *model;
    er_modes *modes;
    er_gaits *gaits;
    const er_gait *gait;
} going;

// The first mix, of pairs of the lowest modes, that is some way long and flies little.
static going go(er_model *model, double degrees)
{
    enum { MODES = 12 };
    going g = {.model = model, .modes = modes_of(model)};
    int first = g.modes->rigid_count + g.modes->mechanism_count;
    for (int k = 0; k < MODES * MODES * 2; ++k) {
        er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
        er_mix mix = {.name = "", .component_count = 2, .component = component};
        component[0].mode = g.modes->first + first + k % MODES;
        component[1].mode = g.modes->first + first + k / MODES % MODES;
        component[1].phase = k < MODES * MODES ? 1.0 : -1.0;
        component[0].degrees = component[1].degrees = degrees;
        component[0].harmonic = component[1].harmonic = 1;
        if (component[0].mode == component[1].mode || component[1].mode >= g.modes->first + g.modes->count) continue;
        if (er_gait_of_mix(context, model, NULL, g.modes, &mix, NULL, &g.gaits) != ER_OK) continue;
        g.gait = &g.gaits->gait[0];
        bool steps = g.gait->stride > 0.2 * g.gaits->body->leg && g.gait->flight < 0.1;
        for (int f = 0; f < g.gaits->body->foot_count; ++f)
            steps &= g.gait->step[f].duty < 0.9;
        if (steps) return g;
        er_gaits_destroy(g.gaits);
    }
    fail_msg("no pair of modes carries it");
    return g;
}

static void stop(going *g)
{
    er_gaits_destroy(g->gaits);
    er_modes_destroy(g->modes);
    er_model_destroy(g->model);
}

// Coordinates say how bodies are to one another, frame by frame, and what was said of soles and joints is so.
static void expect_one_motion(const going *g, const er_gait_motion *m)
{
    const er_model *model = g->model;
    er_kinematics *k;
    er_pose open[MOST_PARTS];
    double x[6 * MOST_PARTS], sink = 0.0;
    size_t n = (size_t)model->body_count;
    ok(er_kinematics_create(context, model, &k));
    assert_true(er_kinematics_width(k) <= (int)ER_COUNT(x));
    for (int i = 0; i < m->frame_count; ++i) {
        const er_pose *pose = m->pose + (size_t)i * n;
        memset(x, 0, sizeof x);
        memcpy(x, m->q + (size_t)i * (size_t)model->coordinate_count, (size_t)model->coordinate_count * sizeof *x);
        er_kinematics_open(k, x, open);
        for (int b = 0; b < model->body_count; ++b) {
            int up = model->tree_parent[b];
            bool hangs = true; // soles that hang elsewhere go with their legs instead
            for (int f = 0; f < g->gaits->body->foot_count; ++f)
                hangs &= g->gaits->body->foot[f].sole != b || g->gaits->body->foot[f].body == b;
            if (up < 0 || !hangs) continue;
            er_pose own = er_pose_mul(er_pose_inverse(pose[up]), pose[b]),
                    known = er_pose_mul(er_pose_inverse(open[up]), open[b]);
            assert_true(er_v3_distance(own.p, known.p) < 1e-9);
            assert_true(er_v3_norm(er_q_log(er_q_mul(er_q_conj(own.q), known.q))) < 1e-9);
        }
        for (int f = 0; f < m->foot_count; ++f) {
            const er_gait_foot *foot = &g->gaits->body->foot[f];
            er_vec3 hip = er_pose_point_inverse(model->body[foot->trunk].pose, model->joint[foot->joint[0]].frame.p);
            double far =
                er_v3_distance(er_pose_point(pose[foot->trunk], hip), er_pose_point(pose[foot->body], foot->heel));
            if (foot->joint_count > 1) // the body comes down for legs that would be stretched
                measure_at_most(m->stands[i * m->foot_count + f] ? "standing leg over its length"
                                                                 : "swinging leg over its length",
                                far / foot->reach, m->stands[i * m->foot_count + f] ? 0.961 : 0.98);
            for (int c = 0; c < foot->point_count; ++c) {
                int b = foot->point_body[c];
                er_vec3 at = er_pose_point(pose[b], er_pose_point_inverse(model->body[b].pose, foot->point[c]));
                sink = fmax(sink, g->gaits->body->ground - er_v3_dot(at, g->gaits->body->up));
            }
        }
    }
    assert_true(fabs(m->sink - sink) < 1e-8);
    if (!(m->slide < 0.01 * g->gait->stride && m->correction < 2.5))
        fail_msg("heels are off by %g m, joints by %g rad", m->slide, m->correction);
    er_kinematics_destroy(k);
}

static bool is_toe(const going *g, int body)
{
    for (int f = 0; f < g->gaits->body->foot_count; ++f)
        for (int up = g->model->tree_parent[body]; up >= 0; up = g->model->tree_parent[up])
            if (up == g->gaits->body->foot[f].sole) return true;
    return false;
}

// What is said of joints is the most that any of them, toes aside, is off what the mix has it do at that time.
static void expect_correction(const going *g, const er_gait_motion *m)
{
    const er_model *model = g->model;
    er_motion_def def = er_default_motion_def();
    er_motion *mix;
    double most = 0.0, x[6 * MOST_PARTS];
    def.duration = 1.0 / g->gait->hz;
    def.loop = true;
    ok(er_motion_create(context, model, g->modes, g->gait->mix, &def, &mix));
    for (int i = 0; i < m->frame_count; ++i) {
        ok(er_motion_poses(mix, 1, &m->time[i], x, NULL));
        for (int b = 0; b < model->body_count; ++b) {
            int joint = model->tree_joint[b];
            if (joint < 0 || is_toe(g, b)) continue;
            for (int c = model->coordinate[joint]; c < model->coordinate[joint + 1]; ++c)
                most = fmax(most, fabs(m->q[i * model->coordinate_count + c] - x[c]));
        }
    }
    measure_at_most("what is said of joints", fabs(m->correction - most), 1e-9);
    er_motion_destroy(mix);
}

static void expect_sound(const going *g, double fps)
{
    er_gait_motion *m;
    ok(er_gait_move(context, g->model, g->modes, g->gaits, g->gait, fps, &m));
    int frames = (int)ceil(fps / g->gait->hz - 1e-6);
    assert_int_equal(m->frame_count, (frames < 16 ? 16 : frames) + 1);
    assert_int_equal(m->foot_count, g->gaits->body->foot_count);
    for (int i = 0; i < m->frame_count; ++i) {
        double part = (double)i / (m->frame_count - 1);
        assert_true(fabs(m->time[i] * g->gait->hz - part) < 1e-9);
        assert_true(er_v3_distance(m->travel[i], er_v3_scale(part, m->travel[m->frame_count - 1])) < 1e-9);
    }
    expect_held_feet(g->model, g->gaits->body, g->gait, m);
    expect_a_closed_loop(g->model, m);
    expect_travel(g->model, g->gaits->body, g->gait, m);
    expect_one_motion(g, m);
    expect_correction(g, m);
    er_gait_motion_destroy(m);
}

static void a_biped_goes(void **state)
{
    (void)state;
    going g = go(make_biped(usual), 22.0);
    assert_int_equal(g.gaits->body->foot_count, 2);
    static const double rates[] = {30.0, 60.0, 157.0};
    for (size_t i = 0; i < ER_COUNT(rates); ++i)
        expect_sound(&g, rates[i]);
    stop(&g);
}

// So long a stride that the body has to come down for the legs to reach.
static void long_strides_are_reached(void **state)
{
    (void)state;
    going g = go(make_biped(usual), 32.0);
    print_message("# stride %g, flight %g\n", g.gait->stride, g.gait->flight);
    expect_sound(&g, 90.0);
    stop(&g);
}

static void a_quadruped_goes(void **state)
{
    (void)state;
    going g = go(make_quadruped(usual), 17.0);
    assert_int_equal(g.gaits->body->foot_count, 4);
    expect_sound(&g, 60.0);
    stop(&g);
}

// Legs of one box cannot lift their soles but by the body's leave.
static void a_stool_goes(void **state)
{
    (void)state;
    going g = go(make_stool(), 12.0);
    assert_int_equal(g.gaits->body->foot[0].joint_count, 1);
    er_gait_motion *motion;
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 120.0, &motion));
    expect_a_closed_loop(g.model, motion);
    expect_travel(g.model, g.gaits->body, g.gait, motion);
    expect_one_motion(&g, motion);
    assert_true(motion->sink < 1e-6);
    er_gait_motion_destroy(motion);
    stop(&g);
}

// A biped whose feet have toes, or hang on the hips as targets of inverse kinematics.
static er_model *other_biped(bool toes)
{
    walker_maker m = {.def = usual};
    walker_box(&m, "hips", -1, er_v3(0, 0.95, 0), er_v3(-0.16, 0.88, -0.09), er_v3(0.16, 1.3, 0.09), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        double x = 0.1 * s;
        const char *names[2][4] = {{"thigh_L", "shin_L", "foot_L", "toe_L"}, {"thigh_R", "shin_R", "foot_R", "toe_R"}};
        const char **name = names[s > 0 ? 0 : 1];
        int thigh =
            walker_box(&m, name[0], 0, er_v3(x, 0.9, 0), er_v3(x - 0.06, 0.49, -0.06), er_v3(x + 0.06, 0.9, 0.06), 1.0);
        int shin = walker_box(&m, name[1], thigh, er_v3(x, 0.49, 0.01), er_v3(x - 0.05, toes ? 0.1 : 0.04, -0.04),
                              er_v3(x + 0.05, 0.49, 0.05), 1.0);
        int foot = walker_box(&m, name[2], toes ? shin : 0, er_v3(x, 0.08, 0), er_v3(x - 0.045, 0.0, -0.06),
                              er_v3(x + 0.045, 0.06, 0.12), 1.0);
        if (toes)
            walker_box(&m, name[3], foot, er_v3(x, 0.03, 0.12), er_v3(x - 0.045, 0.0, 0.12),
                       er_v3(x + 0.045, 0.04, 0.19), 1.0);
    }
    return walker_finish(&m);
}

// Toes lie as at rest on a foot that stands.
static void feet_with_toes_go(void **state)
{
    (void)state;
    going g = go(other_biped(true), 17.0);
    const er_gait_body *body = g.gaits->body;
    er_gait_motion *m;
    expect_sound(&g, 60.0);
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 60.0, &m));
    for (int i = 0; i < m->frame_count; ++i)
        for (int f = 0; f < 2; ++f) {
            int foot = body->foot[f].body, toe = foot + 1;
            const er_pose *pose = m->pose + (size_t)i * (size_t)g.model->body_count;
            er_quat bend = er_q_mul(er_q_conj(pose[foot].q), pose[toe].q);
            assert_int_equal(g.model->tree_parent[toe], foot);
            if (m->stands[2 * i + f]) assert_true(er_v3_norm(er_q_log(bend)) < 1e-9);
        }
    er_gait_motion_destroy(m);
    stop(&g);
}

// A sole that hangs on the hips goes with the leg that ends in it: its ankle stays at the leg's end.
static void soles_that_hang_elsewhere_go_with_their_legs(void **state)
{
    (void)state;
    going g = go(other_biped(false), 17.0);
    er_gait_motion *m;
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 60.0, &m));
    for (int f = 0; f < 2; ++f) {
        const er_gait_foot *foot = &g.gaits->body->foot[f];
        assert_int_not_equal(foot->sole, foot->body);
        for (int i = 0; i < m->frame_count; ++i) {
            const er_pose *pose = m->pose + (size_t)i * (size_t)g.model->body_count;
            assert_true(er_v3_distance(pose[foot->sole].p, er_pose_point(pose[foot->body], foot->heel)) < 1e-6);
        }
    }
    expect_held_feet(g.model, g.gaits->body, g.gait, m);
    expect_a_closed_loop(g.model, m);
    // on top of it too, whatever hips they hang on are told to do
    int n = m->frame_count - 1, bodies = g.model->body_count, width = g.model->coordinate_count;
    double *over = calloc((size_t)n * (size_t)width, sizeof *over);
    er_gait_motion *all;
    assert_non_null(over);
    for (int i = 0; i < n * width; ++i)
        over[i] = 0.02 * sin(0.1 * i);
    ok(er_gait_layer(context, m, g.gaits->body, 1, NULL, over, 0, NULL, &all));
    for (int i = 0; i < n; ++i)
        for (int f = 0; f < 2; ++f) {
            const er_gait_foot *foot = &g.gaits->body->foot[f];
            const er_pose *now = all->pose + i * bodies, *base = m->pose + i * bodies;
            assert_memory_equal(&now[foot->sole], &base[foot->sole], sizeof *now);
            assert_true(er_v3_distance(er_pose_point(now[foot->body], foot->heel),
                                       er_pose_point(base[foot->body], foot->heel)) < 1e-8);
        }
    free(over);
    er_gait_motion_destroy(all);
    er_gait_motion_destroy(m);
    stop(&g);
}

// A fish goes on by what its wave does, less the mean of that, which is its travel.
static void a_fish_goes(void **state)
{
    (void)state;
    going g = go(make_fish(8), 15.0);
    expect_sound(&g, 60.0);
    stop(&g);
}

static void refused(er_result r, const void *out, const char *said)
{
    assert_int_equal(r, ER_ERROR_ARGUMENT);
    assert_null(out);
    if (strstr(er_context_error(context), said) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", er_context_error(context), said);
}

static void what_cannot_be_moved_or_recorded_is_refused(void **state)
{
    (void)state;
    going g = go(make_biped(usual), 22.0);
    er_gait_motion *m = (er_gait_motion *)&g; // not NULL
    for (int lacks = 0; lacks < 4; ++lacks) {
        er_result r = er_gait_move(context, lacks == 0 ? NULL : g.model, lacks == 1 ? NULL : g.modes,
                                   lacks == 2 ? NULL : g.gaits, lacks == 3 ? NULL : g.gait, 60.0, &m);
        refused(r, m, "er_gait_move needs a model, its modes, and a gait");
    }
    static const double rates[] = {0.0, -1.0, NAN, 1.1e5};
    for (size_t i = 0; i < ER_COUNT(rates); ++i) {
        er_result r = er_gait_move(context, g.model, g.modes, g.gaits, g.gait, rates[i], &m);
        refused(r, m, "frames a second is not between 0 and 100000");
    }
    er_gait slow = *g.gait;
    slow.hz = 0.0999;
    er_result r = er_gait_move(context, g.model, g.modes, g.gaits, &slow, 1e5, &m);
    refused(r, m, "a stride of 10.01 s at 100000 frames a second is too long");
    assert_int_equal(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 60.0, NULL), ER_ERROR_ARGUMENT);
    m = (er_gait_motion *)&g;
    assert_int_equal(er_gait_move(NULL, g.model, g.modes, g.gaits, g.gait, 60.0, &m), ER_ERROR_ARGUMENT);
    assert_null(m);
    er_recording *recording = (er_recording *)&g;
    r = er_gait_record(context, NULL, true, NULL, NULL, &recording);
    refused(r, recording, "er_gait_record needs a motion");
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 20.0, &m));
    r = er_gait_record(context, m, true, NULL, NULL, &recording);
    refused(r, recording, "er_poses_record needs poses, a target");
    assert_int_equal(er_gait_record(context, m, true, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    recording = (er_recording *)&g;
    assert_int_equal(er_gait_record(NULL, m, true, NULL, NULL, &recording), ER_ERROR_ARGUMENT);
    assert_null(recording);
    er_gait_motion_destroy(m);
    er_gait_motion_destroy(NULL);
    stop(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_biped_goes),      cmocka_unit_test(long_strides_are_reached),
        cmocka_unit_test(a_quadruped_goes),  cmocka_unit_test(a_stool_goes),
        cmocka_unit_test(feet_with_toes_go), cmocka_unit_test(soles_that_hang_elsewhere_go_with_their_legs),
        cmocka_unit_test(a_fish_goes),       cmocka_unit_test(what_cannot_be_moved_or_recorded_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
