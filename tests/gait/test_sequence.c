// Gaits and a mix one after the other: no jump, footprints that stay, and blends that loop.
#include <eigenrig/gait.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gait/walkers.h"
#include "support/judge.h"
#include "support/sample.h"
#include "support/trials.h"

#define FPS 120.0

typedef struct walks {
    gait_search f;
    er_gait_motion *gait[2];
    er_motion *mix;
    er_gait_motion *all;
} walks;

// Made once, and only looked at: stands, one gait, another gait, stands.
static const walks *shared(void)
{
    static walks w;
    if (w.all != NULL) return &w;
    w.f = find(make_quadruped(usual), 12);
    assert_true(w.f.gaits->count >= 2);
    for (int i = 0; i < 2; ++i)
        ok(er_gait_move(context, w.f.model, w.f.modes, w.f.gaits, &w.f.gaits->gait[i], 192.0, &w.gait[i]));
    er_mix_component component = er_default_mix_component();
    component.mode = 8;
    component.degrees = 1.0;
    er_hold hold[4];
    for (int f = 0; f < 4; ++f)
        hold[f] = (er_hold){w.f.gaits->body->foot[f].body, true, w.f.gaits->body->foot[f].heel};
    er_motion_def def = er_default_motion_def();
    def.loop = true;
    def.plant = hold;
    def.plant_count = 4;
    const er_mix mix = {.name = "", .component_count = 1, .component = &component};
    ok(er_motion_create(context, w.f.model, w.f.modes, &mix, &def, &w.mix));
    const er_sequence_item item[4] = {{.seconds = 2.0, .mix = w.mix, .stands = true},
                                      {.seconds = 3.0, .blend = 1.0, .gait = w.gait[0]},
                                      {.seconds = 3.0, .blend = 1.5, .gait = w.gait[1]},
                                      {.seconds = 2.0, .blend = 1.0, .mix = w.mix, .stands = true}};
    ok(er_gait_sequence(context, w.f.model, w.f.gaits->body, 4, item, FPS, &w.all));
    return &w;
}

static int tear_down_shared(void **state)
{
    const walks *w = shared();
    gait_search f = w->f;
    er_gait_motion_destroy(w->all);
    er_motion_destroy(w->mix);
    er_gait_motion_destroy(w->gait[0]);
    er_gait_motion_destroy(w->gait[1]);
    lose(&f);
    return tear_down(state);
}

static void expect_within(double found, double known, double apart)
{
    assert_true(fabs(found - known) <= apart);
}

static bool changes(double t)
{
    return fabs(t - 2.0) < 0.55 || fabs(t - 5.0) < 0.8 || fabs(t - 8.0) < 0.55;
}

static er_vec3 place(const er_gait_motion *m, int frame, int body, er_vec3 point)
{
    er_pose pose = m->pose[(size_t)frame * (size_t)m->model->body_count + (size_t)body];
    return er_v3_add(er_pose_point(pose, point), m->travel[frame]);
}

// The second and third differences over frames of every body in transitions are at most twice those outside.
static void nothing_jumps(void **state)
{
    const er_gait_motion *m = shared()->all;
    double worst[2][2] = {{0}};
    for (int b = 0; b < m->model->body_count; ++b)
        for (int k = 3; k < m->frame_count; ++k) {
            er_vec3 p[4], zero = {0, 0, 0};
            for (int i = 0; i < 4; ++i)
                p[i] = place(m, k - i, b, zero);
            er_vec3 bend = er_v3_add(er_v3_sub(p[0], p[1]), er_v3_sub(p[2], p[1])),
                    before = er_v3_add(er_v3_sub(p[1], p[2]), er_v3_sub(p[3], p[2]));
            int in = changes(m->time[k]) ? 1 : 0;
            worst[0][in] = fmax(worst[0][in], er_v3_norm(bend));
            worst[1][in] = fmax(worst[1][in], er_v3_norm(er_v3_sub(bend, before)));
        }
    print_message("# accelerations %.3g outside, %.3g within; jerks %.3g outside, %.3g within\n", worst[0][0],
                  worst[0][1], worst[1][0], worst[1][1]);
    assert_true(worst[0][1] <= 2.0 * worst[0][0]);
    assert_true(worst[1][1] <= 2.0 * worst[1][0]);
    (void)state;
}

// In transitions a sole's lowest corner moves on the ground by less than 1 % of the stride more than in the gaits.
static void standing_feet_keep_their_footprints(void **state)
{
    const walks *w = shared();
    const er_gait_motion *m = w->all;
    assert_true(m->slide < 0.01 * fmin(w->f.gaits->gait[0].stride, w->f.gaits->gait[1].stride));
    for (int f = 0; f < m->foot_count; ++f) {
        const er_gait_foot *foot = &w->f.gaits->body->foot[f];
        double worst[2] = {0.0, 0.0};
        for (int k = 1; k < m->frame_count; ++k) {
            if (!m->stands[k * m->foot_count + f] || !m->stands[(k - 1) * m->foot_count + f]) continue;
            er_vec3 by = er_v3_sub(place(m, k, foot->body, foot->heel), place(m, k - 1, foot->body, foot->heel));
            double *most = &worst[changes(m->time[k]) ? 1 : 0];
            *most = fmax(*most, fabs(er_v3_dot(by, w->f.gaits->body->forward)));
        }
        print_message("# foot %d: heel moves %.3g m a frame outside, %.3g within\n", f, worst[0], worst[1]);
        assert_true(worst[1] <= worst[0] + 0.01 * w->f.gaits->gait[0].stride);
    }
    (void)state;
}

static void it_goes_as_far_as_its_parts_and_then_stands(void **state)
{
    const walks *w = shared();
    const er_gait_motion *m = w->all;
    const er_gait *g = w->f.gaits->gait;
    int last = m->frame_count - 1;
    expect_within(m->time[last], 10.0, 1e-12);
    expect_within(er_v3_norm(er_v3_sub(m->travel[last], m->travel[last - 100])), 0.0, 1e-12);
    for (int i = 0; i < 2; ++i) { // 3 to 4 s, and 6 to 7 s: the gaits alone
        int k = (int)(3.0 * FPS) * (i + 1);
        er_vec3 by = er_v3_sub(m->travel[k + (int)FPS], m->travel[k]);
        expect_within(er_v3_dot(by, w->f.gaits->body->forward), g[i].speed, 1e-6 * g[i].speed);
    }
    (void)state;
}

static void blends_of_two_gaits_loop(void **state)
{
    const walks *w = shared();
    for (int i = 0; i <= 4; ++i) {
        er_gait_motion *m = NULL;
        double share = i / 4.0, hz[2] = {w->f.gaits->gait[0].hz, w->f.gaits->gait[1].hz};
        ok(er_gait_blend(context, w->f.model, w->f.gaits->body, w->gait[0], w->gait[1], share, 60.0, &m));
        int last = m->frame_count - 1;
        expect_within(m->time[last], 1.0 / ((1.0 - share) * hz[0] + share * hz[1]), 1e-9);
        double length = er_v3_norm(m->travel[last]),
               wanted = (1.0 - share) * w->f.gaits->gait[0].stride + share * w->f.gaits->gait[1].stride;
        expect_within(length, wanted, 1e-6 * wanted);
        assert_true(m->slide < 0.01 * wanted);
        er_gait_motion_destroy(m);
    }
    (void)state;
}

// From standing and to it feet make whole swings.
static void gaits_begin_and_end_with_whole_steps(void **state)
{
    const walks *w = shared();
    const er_gait_motion *m = w->all;
    for (int f = 0; f < m->foot_count; ++f) {
        double first = 0.0, last = 0.0, since = -1.0;
        for (int k = 0; k < m->frame_count; ++k) {
            bool stands = m->stands[k * m->foot_count + f];
            if (!stands && since < 0.0) since = m->time[k];
            if (!stands || since < 0.0) continue;
            last = m->time[k] - since;
            if (first == 0.0) first = last;
            since = -1.0;
        }
        assert_true(since < 0.0);
        for (int i = 0; i < 2; ++i) {
            double own = (1.0 - w->f.gaits->gait[i].step[f].duty) / w->f.gaits->gait[i].hz;
            expect_within(i == 0 ? first : last, own, 0.1 * own);
        }
    }
    (void)state;
}

// ---- pairs of gaits

static double stride_seconds(const er_gait_motion *m)
{
    return m->time[m->frame_count - 1];
}

// Standing feet of a transition off their footprints, in strides; and its jerk over that of the two gaits.
static void change_gaits(const gait_search *f, const er_gait_motion *a, const er_gait_motion *b, double *slip,
                         double *jerk)
{
    enum { FINE = 4 }; // frames between two that are compared: at each touchdown these fall in as many ways
    double blend = 1.5 * fmax(stride_seconds(a), stride_seconds(b)), worst[2] = {0.0, 0.0};
    const double alone = 1.5; // strides
    const er_sequence_item item[2] = {{.seconds = 0.5 * blend + alone * stride_seconds(a), .gait = a},
                                      {.seconds = 0.5 * blend + alone * stride_seconds(b), .blend = blend, .gait = b}};
    er_gait_motion *m = NULL;
    ok(er_gait_sequence(context, f->model, f->gaits->body, 2, item, FINE * FPS, &m));
    for (int body = 0; body < m->model->body_count; ++body)
        for (int k = 3 * FINE; k < m->frame_count; ++k) {
            er_vec3 zero = {0, 0, 0}, sum = {0, 0, 0};
            const double third[4] = {1.0, -3.0, 3.0, -1.0};
            for (int i = 0; i < 4; ++i)
                sum = er_v3_madd(sum, third[i], place(m, k - i * FINE, body, zero));
            int in =
                m->time[k] > item[0].seconds - 0.5 * blend && m->time[k - 3 * FINE] < item[0].seconds + 0.5 * blend;
            worst[in] = fmax(worst[in], er_v3_norm(sum));
        }
    double stride = fmin(er_v3_norm(a->travel[a->frame_count - 1]), er_v3_norm(b->travel[b->frame_count - 1]));
    *slip = m->slide / stride;
    *jerk = worst[1] / worst[0];
    er_gait_motion_destroy(m);
}

static void change_between_all(const char *name, const gait_search *f, int most)
{
    er_gait_motion *gait[16];
    int count = f->gaits->count < most ? f->gaits->count : most;
    for (int i = 0; i < count; ++i)
        ok(er_gait_move(context, f->model, f->modes, f->gaits, &f->gaits->gait[i], 192.0 * f->gaits->gait[i].hz,
                        &gait[i]));
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k) {
            double slip, jerk;
            if (i == k) continue;
            change_gaits(f, gait[i], gait[k], &slip, &jerk);
            print_message("# %s, %s to %s: slip %.3f %% of the stride, jerk %.2f\n", name, f->gaits->gait[i].name,
                          f->gaits->gait[k].name, 100.0 * slip, jerk);
            measure_at_most("slip over the stride", slip, 0.01);
            measure_at_most("jerk over the gaits'", jerk, every() ? 2.0 : 1.25); // docs/math/gait.md has all
        }
    for (int i = 0; i < count; ++i)
        er_gait_motion_destroy(gait[i]);
}

static void change_between_all_of_file(const char *path)
{
    er_scene *scene;
    er_rig *built;
    gait_search f;
    er_rig_def rig_def = er_default_rig_def();
    ok(er_import_file(context, path, NULL, &scene));
    ok(er_rig_build(context, scene, &rig_def, &built));
    f.model = built->model;
    ok(er_modal_solve(context, f.model, NULL, &f.modes));
    ok(er_gaits_find(context, f.model, built, f.modes, NULL, &f.gaits));
    change_between_all(strrchr(path, '/') + 1, &f, 16);
    er_gaits_destroy(f.gaits);
    er_modes_destroy(f.modes);
    er_rig_destroy(built);
    er_scene_destroy(scene);
}

static void all_pairs_of_gaits_change_without_slip_or_jerk(void **state)
{
    static const char *const made[] = {"horse.glb", "fox.glb", "gnome.glb"};
    static const char *const found[] = {"quaternius_horse.fbx", "Fox.glb", "field/m2m_spider.glb"};
    change_between_all("quadruped", &shared()->f, 3);
    for (int i = 0; i < (every() ? 3 : 0); ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/models/%s", getenv("EIGENRIG_SOURCE"), made[i]);
        change_between_all_of_file(path);
        if (sample_rig(found[i]) != NULL) change_between_all_of_file(sample_rig(found[i]));
    }
    measured_report();
    (void)state;
}

static void wrong_items_are_refused(void **state)
{
    const walks *w = shared();
    er_gait_motion *m = NULL;
    const er_sequence_item none = {.seconds = 1.0}, still = {.gait = w->gait[0]},
                           again = {.seconds = 1.0, .gait = w->all};
    const er_sequence_item *wrong[3] = {&none, &still, &again};
    for (int i = 0; i < 3; ++i)
        refused(er_gait_sequence(context, w->f.model, w->f.gaits->body, 1, wrong[i], FPS, &m), ER_ERROR_ARGUMENT, &m,
                "item 0");
    refused(er_gait_blend(context, w->f.model, w->f.gaits->body, w->gait[0], w->gait[1], 1.5, FPS, &m),
            ER_ERROR_ARGUMENT, &m, "share");
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_jumps),
        cmocka_unit_test(standing_feet_keep_their_footprints),
        cmocka_unit_test(it_goes_as_far_as_its_parts_and_then_stands),
        cmocka_unit_test(blends_of_two_gaits_loop),
        cmocka_unit_test(gaits_begin_and_end_with_whole_steps),
        cmocka_unit_test(all_pairs_of_gaits_change_without_slip_or_jerk),
        cmocka_unit_test(wrong_items_are_refused),
    };
    return cmocka_run_group_tests_name("gait_sequence", tests, set_up, tear_down_shared);
}
