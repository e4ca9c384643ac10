// Components, poses and turned joints, judged by motions made without the session, and by where nodes stand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/target.h"
#include "base/arena.h"
#include "stand.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

enum { MOST_BODIES = 64 };

// ---- the mix in time

static void expect_motion(session *s, const char *text)
{
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_motion_def def = er_default_motion_def();
    def.loop = true;
    stand_ok(context, er_mix_parse(context, text, &mix));
    stand_ok(context, er_motion_create(context, session_model(s), session_modes(s), mix, &def, &motion));
    assert_true(session_cycle(s) == motion->duration);
    for (int i = 0; i < 20; ++i) {
        er_pose a[MOST_BODIES], b[MOST_BODIES], c[MOST_BODIES];
        double time = 0.037 * i;
        stand_ok(context, er_motion_poses(motion, 1, &time, NULL, a));
        stand_ok(context, session_pose(s, time, b));
        stand_ok(context, session_pose(s, time - 3.0 * session_cycle(s), c));
        measure_at_most("poses of a mix", stand_apart(session_model(s), a, b), 1e-12);
        measure_at_most("poses three loops before", stand_apart(session_model(s), a, c), 1e-9);
    }
    er_motion_destroy(motion);
    er_mix_destroy(mix);
}

static void a_mix_plays_as_its_motion_and_for_ever(void **state)
{
    static const char *const files[] = {"chain_20.json", "loop_8_asymmetric.json"};
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        session *s = stand_open(context, files[i]);
        int mode = stand_first_elastic(s);
        char text[64];
        stand_ok(context, session_play(s, mode));
        snprintf(text, sizeof text, "%d:20", mode);
        expect_motion(s, text);
        stand_ok(context, session_toggle(s, mode + 1));
        session_setup setup = *session_get(s);
        setup.component[1].degrees = 5.0;
        setup.component[1].hz = 2.5;
        setup.component[1].phase = ER_PI / 2.0;
        stand_ok(context, session_set(s, &setup, true));
        snprintf(text, sizeof text, "%d:20,%d:5@2.5+90", mode, mode + 1);
        expect_motion(s, text);
        stand_ok(context, session_toggle(s, mode)); // out again
        assert_int_equal(session_get(s)->component_count, 1);
        snprintf(text, sizeof text, "%d:5@2.5+90", mode + 1);
        expect_motion(s, text);
        session_destroy(s);
    }
}

static void what_is_mute_or_not_solo_does_not_play(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    int mode = stand_first_elastic(s);
    char text[64];
    for (int i = 0; i < 3; ++i)
        stand_ok(context, session_toggle(s, mode + i));
    session_setup setup = *session_get(s);
    setup.component[1].mute = true;
    stand_ok(context, session_set(s, &setup, true));
    snprintf(text, sizeof text, "%d:20,%d:20", mode, mode + 2);
    expect_motion(s, text);
    setup.component[2].solo = true;
    stand_ok(context, session_set(s, &setup, true));
    snprintf(text, sizeof text, "%d:20", mode + 2);
    expect_motion(s, text);
    setup.component[2].mute = true;
    stand_ok(context, session_set(s, &setup, true)); // the only solo is mute
    er_pose pose[MOST_BODIES];
    stand_ok(context, session_pose(s, 0.4, pose));
    for (int i = 0; i < session_model(s)->body_count; ++i)
        assert_memory_equal(&pose[i], &session_model(s)->body[i].pose, sizeof pose[i]);
    assert_true(session_cycle(s) == 1.0);
    assert_int_equal(session_pose(s, NAN, pose), ER_ERROR_ARGUMENT);
    session_destroy(s);
}

static void a_rigid_mode_is_swung_once_a_second(void **state)
{
    session *s = stand_open(context, "loop_8_asymmetric.json");
    stand_ok(context, session_play(s, 0));
    expect_motion(s, "0:20@1");
    stand_ok(context, session_play(s, -1));
    assert_int_equal(session_get(s)->component_count, 0);
    assert_int_equal(session_play(s, 10000), ER_ERROR_ARGUMENT);
    assert_int_equal(session_toggle(s, 10000), ER_ERROR_ARGUMENT);
    session_destroy(s);
}

static void a_loop_that_cannot_follow_goes_as_far_as_it_can(void **state)
{
    session *s = stand_open(context, "four_bar.json");
    stand_ok(context, session_play(s, 0));
    assert_true(session_reach(s) == 1.0);
    session_setup setup = *session_get(s);
    setup.component[0].degrees = 1000.0;
    stand_ok(context, session_set(s, &setup, true));
    assert_true(session_reach(s) > 0.0 && session_reach(s) < 1.0);
    er_pose pose[MOST_BODIES];
    for (int i = 0; i < 200; ++i) {
        stand_ok(context, session_pose(s, 0.0037 * i, pose));
        measure_at_most("gap of a loop", er_pose_joint_gap(session_model(s), pose) / session_model(s)->size, 1e-9);
    }
    stand_ok(context, session_mode_pose(s, 0, 3000.0, ER_PI / 2.0, pose));
    measure_at_most("gap of a loop", er_pose_joint_gap(session_model(s), pose) / session_model(s)->size, 1e-9);
    er_pose rest[MOST_BODIES], before[MOST_BODIES], first[MOST_BODIES];
    size_t size = (size_t)session_model(s)->body_count * sizeof *pose;
    for (int b = 0; b < session_model(s)->body_count; ++b)
        rest[b] = session_model(s)->body[b].pose;
    assert_true(stand_apart(session_model(s), rest, pose) > 0.2);
    // what is dragged is not measured: where it cannot follow it waits where it was
    setup.component[0].degrees = 20.0;
    stand_ok(context, session_set(s, &setup, true));
    setup.component[0].degrees = 1000.0;
    stand_ok(context, session_set(s, &setup, false));
    assert_true(session_reach(s) == 1.0);
    stand_ok(context, session_pose(s, 0.0, first));
    memcpy(before, first, size);
    int waits = 0;
    for (int i = 1; i < 100; ++i) {
        stand_ok(context, session_pose(s, 0.0037 * i, pose));
        bool stays = memcmp(pose, before, size) == 0;
        waits += stays;
        assert_true(stays || memcmp(pose, first, size) != 0);
        memcpy(before, pose, size);
    }
    assert_in_range(waits, 10, 90);
    session_commit(s); // and then it is
    assert_true(session_reach(s) > 0.0 && session_reach(s) < 1.0);
    session_destroy(s);
}

static void what_is_planted_stays_until_it_is_undone(void **state)
{
    session *s = stand_open_walker(context, 1);
    const er_model *model = session_model(s);
    int foot = 3;
    assert_string_equal(model->body[foot].name, "LeftFoot0");
    er_pose pose[MOST_BODIES];
    stand_ok(context, session_play(s, stand_first_elastic(s)));
    session_setup setup = *session_get(s);
    snprintf(setup.plant, sizeof setup.plant, "feet");
    stand_ok(context, session_set(s, &setup, true));
    stand_ok(context, session_pose(s, 0.31 * session_cycle(s), pose));
    assert_true(er_v3_distance(pose[foot].p, model->body[foot].pose.p) < 1e-9 * model->size);
    double moved = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        moved = fmax(moved, er_v3_distance(pose[b].p, model->body[b].pose.p));
    assert_true(moved > 1e-3 * model->size);
    snprintf(setup.plant, sizeof setup.plant, "nobody");
    assert_int_equal(session_set(s, &setup, true), ER_ERROR_ARGUMENT);
    stand_ok(context, session_pose(s, 0.13 * session_cycle(s), pose)); // all stays as it was
    assert_true(er_v3_distance(pose[foot].p, model->body[foot].pose.p) < 1e-9 * model->size);
    stand_ok(context, session_undo(s));
    stand_ok(context, session_pose(s, 0.31 * session_cycle(s), pose));
    assert_true(er_v3_distance(pose[foot].p, model->body[foot].pose.p) > 1e-3 * model->size);
    session_destroy(s);
}

// Other feet are planted when others are said to be feet; a name alone is a step.
static void what_is_planted_follows_what_is_said(void **state)
{
    session *s = stand_open_walker(context, 2);
    const int front = 3, hind = 9;
    assert_string_equal(session_model(s)->body[hind].name, "LeftFoot1");
    stand_ok(context, session_play(s, stand_first_elastic(s)));
    session_setup setup = *session_get(s);
    snprintf(setup.plant, sizeof setup.plant, "feet");
    stand_ok(context, session_set(s, &setup, true));
    for (int said = 0; said < 2; ++said) {
        setup = *session_get(s);
        if (said == 1) snprintf(setup.feet, sizeof setup.feet, "LeftFoot0,RightFoot0");
        stand_ok(context, session_set(s, &setup, true));
        double moved[2] = {0, 0};
        for (int k = 0; k < 8; ++k) {
            er_pose pose[MOST_BODIES];
            stand_ok(context, session_pose(s, k / 8.0 * session_cycle(s), pose));
            for (int i = 0; i < 2; ++i) {
                int b = i == 0 ? front : hind;
                moved[i] = fmax(moved[i], er_v3_distance(pose[b].p, session_model(s)->body[b].pose.p));
            }
        }
        assert_true(moved[0] < 1e-6 && (said == 1) == (moved[1] > 1e-4));
    }
    setup = *session_get(s);
    snprintf(setup.mix_name, sizeof setup.mix_name, "nod");
    stand_ok(context, session_set(s, &setup, true));
    assert_string_equal(session_get(s)->mix_name, "nod");
    stand_ok(context, session_undo(s));
    assert_string_equal(session_get(s)->mix_name, "");
    assert_true(session_get(s)->feet[0] != '\0');
    session_destroy(s);
}

static void a_mode_poses_by_itself(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    int mode = stand_first_elastic(s) + 1;
    er_pose own[MOST_BODIES], mixed[MOST_BODIES];
    stand_ok(context, session_play(s, mode));
    stand_ok(context, session_mode_pose(s, mode, 20.0, 0.7, own));
    double period = 0.0; // of the component in the loop
    for (int cycles = 1; cycles < 100 && period == 0.0; ++cycles)
        if (fabs(session_cycle(s) / cycles * session_mode(s, mode)->frequency_hz - 1.0) < 0.03)
            period = session_cycle(s) / cycles;
    stand_ok(context, session_pose(s, period * 0.7 / (2.0 * ER_PI), mixed));
    measure_at_most("a mode by itself", stand_apart(session_model(s), own, mixed), 1e-9);
    assert_int_equal(session_mode_pose(s, -1, 20.0, 0.0, own), ER_ERROR_ARGUMENT);
    assert_int_equal(session_mode_pose(s, mode, NAN, 0.0, own), ER_ERROR_ARGUMENT);
    assert_int_equal(session_mode_pose(s, mode, 20.0, HUGE_VAL, own), ER_ERROR_ARGUMENT);
    session_destroy(s);
}

static void playing_takes_no_memory(void **state)
{
    static const char *const files[] = {"chain_20.json", "loop_8_asymmetric.json"};
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        session *s = stand_open(own, files[i]);
        er_pose pose[MOST_BODIES];
        stand_ok(own, session_play(s, 7));
        l.left = 0;
        for (int k = 0; k < 50; ++k)
            stand_ok(own, session_pose(s, 0.01 * k, pose));
        l.left = LEDGER_ALL;
        session_destroy(s);
        ledger_end(&l, own);
    }
}

static void movers_are_named_most_first(void **state)
{
    session *s = stand_open_walker(context, 2);
    const er_model *model = session_model(s);
    char text[256], small[6];
    double travel[MOST_BODIES];
    int best = 0;
    er_mode_joint_travel(model, session_mode(s, 9), travel);
    for (int k = 1; k < model->joint_count; ++k)
        if (travel[k] > travel[best] * (1.0 + 1e-6)) best = k;
    int length = session_moving_joints(s, 9, 3, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_memory_equal(text, model->joint[best].name, strlen(model->joint[best].name));
    assert_int_equal(session_moving_joints(s, 9, 3, small, sizeof small), length);
    assert_int_equal(strlen(small), sizeof small - 1);
    assert_int_equal(session_moving_joints(s, 9, 3, NULL, 0), length);
    assert_int_equal(session_moving_joints(s, 0, 3, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(session_moving_joints(s, 9999, 3, text, sizeof text), 0);
    session_destroy(s);
}

// ---- components follow

static void components_follow_their_modes_by_shape(void **state)
{
    session *s = stand_open_walker(context, 2);
    double shape[4][6 * MOST_BODIES];
    session_setup setup = *session_get(s);
    setup.component_count = 4;
    for (int i = 0; i < 4; ++i) {
        setup.component[i] = (session_component){.mode = 6 + 5 * i, .degrees = 10.0};
        memcpy(shape[i], session_mode(s, 6 + 5 * i)->body, 6 * (size_t)session_model(s)->body_count * sizeof(double));
    }
    stand_ok(context, session_set(s, &setup, true));
    setup.rule_count = 1;
    setup.rule[0] = (session_rule){.density = 1.0, .type = -1, .hz = 40.0};
    snprintf(setup.rule[0].pattern, sizeof setup.rule[0].pattern, "%s", session_model(s)->joint[5].name);
    stand_ok(context, session_set(s, &setup, true));
    int moved = 0;
    for (int i = 0; i < 4; ++i) {
        int mode = session_get(s)->component[i].mode;
        double own = stand_likeness(session_model(s), shape[i], session_mode(s, mode)->body);
        for (int k = 0; k < session_modes(s)->count; ++k)
            assert_true(own > 0.7 ||
                        own >= stand_likeness(session_model(s), shape[i], session_mode(s, k)->body) - 1e-12);
        moved += mode != 6 + 5 * i;
    }
    assert_true(moved > 0);
    assert_string_equal(session_message(s), "");
    session_destroy(s);
}

static void a_component_goes_on_where_its_mode_turned_about(void **state)
{
    session *s = stand_open_walker(context, 2);
    er_pose before[MOST_BODIES], after[MOST_BODIES];
    for (int mode = 6; mode < 20; ++mode) { // a hair of a change: poses stay, whatever signs do
        stand_ok(context, session_play(s, mode));
        session_setup setup = *session_get(s);
        stand_ok(context, session_pose(s, 0.25 * session_cycle(s), before));
        setup.stiffness.alpha += 1e-7;
        stand_ok(context, session_set(s, &setup, true));
        stand_ok(context, session_pose(s, 0.25 * session_cycle(s), after));
        assert_true(fabs(session_get(s)->component[0].phase) <= ER_PI);
        measure_at_most("poses across a small change", stand_apart(session_model(s), before, after), 1e-3);
    }
    session_destroy(s);
}

static void a_component_without_its_mode_says_so(void **state)
{
    session *s = stand_open_walker(context, 2);
    for (int mode = 0; mode < 6; ++mode) // rigid ones, which are gone when the root is held
        stand_ok(context, session_toggle(s, mode));
    session_setup setup = *session_get(s);
    setup.root = ER_ROOT_FIXED;
    stand_ok(context, session_set(s, &setup, true));
    assert_non_null(strstr(session_message(s), "mode "));
    assert_true(session_get(s)->component_count < 6);
    for (int i = 0; i < session_get(s)->component_count; ++i) // each has found a mode of its own
        for (int k = 0; k < i; ++k)
            assert_int_not_equal(session_get(s)->component[i].mode, session_get(s)->component[k].mode);
    stand_ok(context, session_undo(s));
    assert_string_equal(session_message(s), "");
    for (int mode = 0; mode < 6; ++mode)
        assert_int_equal(session_get(s)->component[mode].mode, mode);
    session_destroy(s);
}

// ---- clips and gaits

// Opened again, what was written plays as what was seen before.
static void expect_written(session *s, const session_export *def)
{
    enum { TIMES = 13 };
    static const char path[] = "playing.glb";
    session *again = NULL;
    stand_ok(context, session_write(s, def, path));
    stand_ok(context, session_create(context, &again));
    project_request request = project_default_request();
    stand_ok(context, session_open(again, path, &request));
    stand_ok(context, session_play_clip(again, "seen"));
    measure_at_most("cycles", fabs(session_cycle(again) / session_cycle(s) - 1.0), 1e-6);
    for (int i = 0; i < TIMES; ++i) { // at frames, where nothing lies between keys
        er_pose a[MOST_BODIES], b[MOST_BODIES];
        double time = 5 * i / 60.0;
        if (time > session_cycle(s)) break;
        stand_ok(context, session_pose(s, time, a));
        stand_ok(context, session_pose(again, time, b));
        measure_at_most("poses written and played", stand_apart(session_model(s), a, b), 1e-5); // floats
    }
    assert_int_equal(session_play_clip(again, "sean"), ER_ERROR_ARGUMENT);
    assert_string_equal(session_get(again)->over, "seen");
    session_destroy(again);
    remove(path);
}

static void clips_and_mixes_over_them_play_as_they_are_written(void **state)
{
    session *s = stand_open(context, "hand.glb"), *over = NULL;
    int mode = stand_first_elastic(s);
    session_export def = session_default_export();
    def.name = "seen";
    stand_ok(context, session_play(s, mode));
    expect_written(s, &def);
    session_setup setup = *session_get(s); // with what is planted, too
    snprintf(setup.plant, sizeof setup.plant, "%s", session_model(s)->body[0].name);
    stand_ok(context, session_set(s, &setup, true));
    expect_written(s, &def);
    stand_ok(context, session_undo(s));
    def.name = "below";
    stand_ok(context, session_write(s, &def, "below.glb"));
    stand_ok(context, session_create(context, &over));
    project_request request = project_default_request();
    stand_ok(context, session_open(over, "below.glb", &request));
    stand_ok(context, session_play_clip(over, "below"));
    er_pose alone[MOST_BODIES], both[MOST_BODIES];
    stand_ok(context, session_pose(over, 0.1, alone));
    stand_ok(context, session_toggle(over, mode + 3));
    stand_ok(context, session_pose(over, 0.1, both));
    assert_true(stand_apart(session_model(over), alone, both) > 0.01);
    def.name = "seen";
    def.over = "below";
    expect_written(over, &def);
    stand_ok(context, session_undo(over));
    stand_ok(context, session_pose(over, 0.1, both));
    assert_memory_equal(alone, both, (size_t)session_model(over)->body_count * sizeof *both);
    stand_ok(context, session_play(over, mode));
    assert_string_equal(session_get(over)->over, "");
    // a clip's times are other equilibria
    int bodies = session_model(over)->body_count;
    for (int i = 0; i < 2; ++i) {
        setup = *session_get(over);
        setup.pose = ER_POSE_CLIP;
        snprintf(setup.clip, sizeof setup.clip, "below");
        setup.clip_time = 0.05 + 0.1 * i;
        stand_ok(context, session_set(over, &setup, true));
        for (int b = 0; b < bodies; ++b)
            (i == 0 ? alone : both)[b] = session_model(over)->body[b].pose;
    }
    assert_true(stand_apart(session_model(over), alone, both) > 1e-3);
    session_destroy(over);
    session_destroy(s);
    remove("below.glb");
}

// A mix over a clip that sits leaves the hips where the clip has them, though only the feet are named.
static void hips_that_sit_stay_in_the_viewer(void **state)
{
    session *s = stand_open(context, "gnome.glb"), *sits = NULL;
    const er_preset *preset = er_preset_named("sit");
    const er_rig *built = session_rig(s);
    er_gait_motion *motion = NULL;
    er_recording *clip = NULL;
    project_target target = {0};
    er_recording_def def = er_default_recording_def();
    def.name = "sit";
    stand_ok(context, er_preset_move(context, session_model(s), built, session_modes(s), NULL, preset, 30.0, &motion));
    stand_ok(context, project_target_set(context, session_model(s), built, NULL, &target));
    stand_ok(context, er_gait_record(context, motion, false, &target.target, &def, &clip));
    stand_ok(context, er_gltf_write(context, target.target.scene, 1, &clip->clip, NULL, "sits.glb"));
    stand_ok(context, session_create(context, &sits));
    project_request request = project_default_request();
    stand_ok(context, session_open(sits, "sits.glb", &request));
    session_setup setup = *session_get(sits);
    snprintf(setup.plant, sizeof setup.plant, "feet");
    stand_ok(context, session_set(sits, &setup, true));
    stand_ok(context, session_play_clip(sits, "sit"));
    int hips = 0, head = 0, bodies = session_model(sits)->body_count;
    for (int b = 0; b < bodies; ++b) {
        if (strcmp(session_model(sits)->body[b].name, "hips") == 0) hips = b;
        if (strcmp(session_model(sits)->body[b].name, "head") == 0) head = b;
    }
    double moved[2] = {0.0, 0.0};
    er_pose alone[MOST_BODIES], both[MOST_BODIES];
    for (int i = 0; i < 4; ++i) {
        stand_ok(context, session_pose(sits, 0.3 * i, alone));
        stand_ok(context, session_toggle(sits, stand_first_elastic(sits)));
        stand_ok(context, session_pose(sits, 0.3 * i, both));
        stand_ok(context, session_undo(sits));
        moved[0] = fmax(moved[0], er_v3_distance(alone[hips].p, both[hips].p));
        moved[1] = fmax(moved[1], er_v3_distance(alone[head].p, both[head].p));
    }
    measure_at_most("hips that sit, moved by a mix, m", moved[0], 1e-6);
    assert_true(moved[1] > 1e-2);
    project_target_clear(&target);
    er_recording_destroy(clip);
    er_gait_motion_destroy(motion);
    session_destroy(sits);
    session_destroy(s);
    remove("sits.glb");
}

static void gaits_are_found_beside_other_work_and_forgotten_with_their_modes(void **state)
{
    session *s = stand_open_walker(context, 1);
    session_setup setup = *session_get(s);
    setup.joints = ER_JOINTS_REVOLUTE; // fewer modes to search
    stand_ok(context, session_set(s, &setup, true));
    const er_model *model = session_model(s);
    er_pose first[MOST_BODIES], last[MOST_BODIES];
    double share;
    assert_null(session_gaits(s));
    stand_ok(context, session_search_gaits(s));
    assert_true(session_is_searching_gaits(s, &share));
    stand_ok(context, session_pose(s, 0.1, first)); // which goes on meanwhile
    stand_ok(context, session_wait_for_gaits(s, HUGE_VAL));
    const er_gaits *gaits = session_gaits(s);
    assert_non_null(gaits);
    assert_true(gaits->count > 0 && !session_is_searching_gaits(s, &share));
    assert_true(gaits->count > 1);
    assert_int_equal(session_gait_pose(s, gaits->count, false, 0.0, first), ER_ERROR_ARGUMENT);
    const er_mix *mix = gaits->gait[0].mix; // of the session's modes, to the bit
    for (int v = 0; v < mix->component_count; ++v)
        assert_memory_equal(mix->component[v].shape, session_mode(s, mix->component[v].mode)->body,
                            6 * (size_t)model->body_count * sizeof(double));
    for (int which = 1; which >= 0; --which) { // the second first
        double stride = session_gait_cycle(s, which);
        stand_ok(context, session_gait_pose(s, which, false, 0.0, first));
        stand_ok(context, session_gait_pose(s, which, false, stride, last));
        measure_at_most("a stride on the spot", stand_apart(model, first, last), 1e-9);
        stand_ok(context, session_gait_pose(s, which, true, 2.0 * stride, last));
        for (int b = 0; b < model->body_count; ++b) { // two strides on, as far as the gait says
            er_vec3 way = er_v3_sub(last[b].p, first[b].p);
            double ahead = er_v3_dot(way, gaits->body->forward);
            measure_at_most("a gait's way", fabs(ahead / (2.0 * gaits->gait[which].stride) - 1.0), 1e-5);
        }
    }
    setup.stiffness.hz *= 1.5;
    stand_ok(context, session_set(s, &setup, true));
    assert_null(session_gaits(s));
    stand_ok(context, session_search_gaits(s)); // and is left at once
    setup.joints = ER_JOINTS_SPHERICAL;
    stand_ok(context, session_set(s, &setup, true));
    stand_ok(context, session_wait_for_gaits(s, 0.0));
    assert_null(session_gaits(s));
    session_destroy(s);
}

static void the_users_presets_are_listed_and_plant_what_they_say(void **state)
{
    session *s = stand_open_walker(context, 1);
    stand_write_presets(NULL);
    assert_int_equal(session_read_presets(s), 0); // there is no file
    assert_string_equal(session_warnings(s), "");
    stand_write_presets(
        "# ours\npeer 4 feet trunk:side:6\n\nidle 3 LeftFoot0 trunk:side:4\njunk\nPeer 2 none trunk:up:1\n");
    assert_int_equal(session_read_presets(s), 2);
    assert_string_equal(session_preset(s, 0), "peer");
    assert_string_equal(session_preset(s, 1), "idle");
    assert_string_equal(session_preset(s, 2), "");
    assert_non_null(strstr(session_warnings(s), "presets:5:"));
    stand_ok(context, session_take_preset(s, "idle")); // not that of the library, which plants both
    assert_string_equal(session_get(s)->plant, "LeftFoot0");
    stand_ok(context, session_take_preset(s, "peer"));
    assert_string_equal(session_get(s)->plant, "feet");
    stand_write_presets(NULL);
    assert_int_equal(session_read_presets(s), 0);
    unsetenv("XDG_CONFIG_HOME");
    session_destroy(s);
}

static void a_preset_is_one_step(void **state)
{
    session *s = stand_open_walker(context, 1);
    stand_ok(context, session_play(s, stand_first_elastic(s)));
    stand_ok(context, session_take_preset(s, "idle"));
    assert_true(session_get(s)->component_count > 1);
    assert_string_equal(session_get(s)->mix_name, "idle");
    assert_string_equal(session_get(s)->plant, "feet");
    assert_int_equal(session_take_preset(s, "idel"), ER_ERROR_ARGUMENT);
    stand_ok(context, session_undo(s));
    assert_int_equal(session_get(s)->component_count, 1);
    assert_string_equal(session_get(s)->plant, "");
    session_destroy(s);
}

// ---- turned joints

static bool hangs_on(const er_model *model, int body, int on)
{
    while (body >= 0 && body != on)
        body = model->tree_parent[body];
    return body >= 0;
}

static double far_apart(er_affine a, er_affine b, double size)
{
    double most = er_v3_distance(a.translation, b.translation) / size;
    for (int i = 0; i < 9; ++i)
        most = fmax(most, fabs(a.linear.m[i / 3][i % 3] - b.linear.m[i / 3][i % 3]));
    return most;
}

static void expect_turn(session *s, int body, er_vec3 rotation)
{
    enum { MOST_NODES = 256 };
    static er_affine before[MOST_NODES];
    const er_rig *built = session_rig(s);
    int count = session_scene(s)->node_count;
    assert_true(count <= MOST_NODES);
    memcpy(before, built->world, (size_t)count * sizeof *before);
    double size = built->extent / built->metres_per_unit;
    er_affine turn = er_affine_from_pose((er_pose){er_q_exp(rotation), {0, 0, 0}});
    er_vec3 about = before[built->body_node[body]].translation;
    turn.translation = er_v3_sub(about, er_m3_mul_v(turn.linear, about));
    unsigned shape = session_shape_version(s);
    stand_ok(context, session_rotate(s, body, rotation, true));
    assert_int_equal(session_shape_version(s), shape + 1);
    built = session_rig(s);
    const er_recording_target *target = session_target(s);
    const er_model *model = session_model(s);
    for (int i = 0; i < count; ++i) {
        bool turns = built->node_body[i] >= 0 && hangs_on(model, built->node_body[i], body);
        double scale = fmax(1.0, er_v3_norm(er_m3_column(before[i].linear, 0)));
        measure_at_most("nodes after a turn",
                        far_apart(built->world[i], turns ? er_affine_mul(turn, before[i]) : before[i], size) / scale,
                        1e-5);
        assert_memory_equal(&target->world[i], &built->world[i], sizeof built->world[i]);
    }
    for (int b = 0; b < model->body_count; ++b) {
        er_vec3 at = er_v3_scale(built->metres_per_unit, built->world[built->body_node[b]].translation);
        measure_at_most("bodies after a turn", er_v3_distance(at, model->body[b].pose.p) / model->size, 1e-9);
    }
}

// Limbs and the root turn, and turn back; in a model of ours, what was turned is there again after another pose, too.
static void expect_turns(const char *path, bool ours)
{
    session *s = NULL;
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, path, NULL));
    stand_modes kept = stand_keep(s);
    static const er_vec3 turns[] = {{0.4, 0.0, 0.0}, {0.0, -0.5, 0.3}, {0.1, 0.2, -0.7}};
    for (int i = 0; i < 3; ++i) // limbs, and the root
        expect_turn(s, i * (session_model(s)->body_count / 3), turns[i]);
    assert_int_equal(session_get(s)->pose, ER_POSE_GIVEN);
    session_setup setup = *session_get(s);
    setup.pose = ER_POSE_REST;
    stand_modes turned = stand_keep(s);
    if (ours) stand_ok(context, session_set(s, &setup, true));
    if (ours) stand_expect(s, &kept);
    setup.pose = ER_POSE_GIVEN;
    if (ours) stand_ok(context, session_set(s, &setup, true));
    stand_expect(s, &turned);
    for (int i = 0; i < (ours ? 5 : 3); ++i)
        stand_ok(context, session_undo(s));
    stand_expect(s, &kept);
    assert_false(session_can_undo(s));
    stand_free(&kept);
    stand_free(&turned);
    session_destroy(s);
}

static void a_body_turns_with_all_that_hangs_on_it(void **state)
{
    expect_turns(stand_path("hand.glb"), true);
}

static void real_models_turn_too(void **state)
{
    static const char *const files[] = {"CesiumMan.glb", "Fox.glb", "quaternius_horse.fbx", "makehuman_tpose.bvh",
                                        "RobotExpressive.glb"};
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        const char *path = sample_rig(files[i]);
        if (path != NULL) expect_turns(path, false);
    }
}

// A body with another parent stays in place when its old parent in the file is turned; so do its own children.
static void what_hangs_elsewhere_is_not_turned_along(void **state)
{
    session *s = stand_open_walker(context, 1);
    const int leg = 2, foot = 3, spine = 7; // the foot hangs on the leg's node
    assert_string_equal(session_model(s)->body[leg].name, "LeftLeg0");
    assert_string_equal(session_model(s)->body[spine].name, "Spine");
    stand_ok(context, session_set_parent(s, foot, spine));
    er_pose was[MOST_BODIES];
    int count = session_model(s)->body_count;
    for (int turns = 0; turns < 2; ++turns) {
        for (int b = 0; b < count; ++b)
            was[b] = session_model(s)->body[b].pose;
        er_vec3 by = er_v3(0.4, 0.1, -0.2);
        int body = turns == 0 ? leg : spine, other = turns == 0 ? leg : foot;
        stand_ok(context, session_rotate(s, body, by, true));
        for (int b = 0; b < count; ++b) {
            er_pose now = session_model(s)->body[b].pose, want = was[b];
            if (b == body || b == other) {
                want.q = er_q_mul(er_q_exp(by), was[b].q);
                want.p = er_v3_add(was[body].p, er_q_rotate(er_q_exp(by), er_v3_sub(was[b].p, was[body].p)));
            }
            measure_at_most("bodies beside a turn", er_v3_distance(now.p, want.p), 1e-9);
            measure_at_most("turns beside a turn", 1.0 - fabs(er_q_dot(now.q, want.q)), 1e-9);
        }
    }
    session_destroy(s);
}

static void a_turn_that_is_dragged_is_one_step(void **state)
{
    session *s = stand_open_walker(context, 2);
    stand_ok(context, session_play(s, 9));
    stand_modes kept = stand_keep(s);
    for (int i = 0; i < 5; ++i)
        stand_ok(context, session_rotate(s, 4, er_v3(0.05, 0, 0), i == 4));
    stand_ok(context, session_undo(s));
    stand_expect(s, &kept);
    assert_int_equal(session_rotate(s, -1, er_v3(0, 0, 1), true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_rotate(s, 1000, er_v3(0, 0, 1), true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_rotate(s, 1, er_v3(0, NAN, 1), true), ER_ERROR_ARGUMENT);
    stand_expect(s, &kept);
    stand_free(&kept);
    session_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_plays_as_its_motion_and_for_ever),
        cmocka_unit_test(what_is_mute_or_not_solo_does_not_play),
        cmocka_unit_test(a_rigid_mode_is_swung_once_a_second),
        cmocka_unit_test(a_loop_that_cannot_follow_goes_as_far_as_it_can),
        cmocka_unit_test(what_is_planted_stays_until_it_is_undone),
        cmocka_unit_test(what_is_planted_follows_what_is_said),
        cmocka_unit_test(a_mode_poses_by_itself),
        cmocka_unit_test(playing_takes_no_memory),
        cmocka_unit_test(movers_are_named_most_first),
        cmocka_unit_test(components_follow_their_modes_by_shape),
        cmocka_unit_test(a_component_goes_on_where_its_mode_turned_about),
        cmocka_unit_test(clips_and_mixes_over_them_play_as_they_are_written),
        cmocka_unit_test(hips_that_sit_stay_in_the_viewer),
        cmocka_unit_test(gaits_are_found_beside_other_work_and_forgotten_with_their_modes),
        cmocka_unit_test(the_users_presets_are_listed_and_plant_what_they_say),
        cmocka_unit_test(a_preset_is_one_step),
        cmocka_unit_test(a_component_without_its_mode_says_so),
        cmocka_unit_test(a_body_turns_with_all_that_hangs_on_it),
        cmocka_unit_test(real_models_turn_too),
        cmocka_unit_test(what_hangs_elsewhere_is_not_turned_along),
        cmocka_unit_test(a_turn_that_is_dragged_is_one_step),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
