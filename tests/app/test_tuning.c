// Opening, tuning and undoing: what is open is judged by rigs and modes made without the session.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "base/arena.h"
#include "stand.h"
#include "support/context.h"
#include "support/judge.h"

static void set(session *s, const session_setup *setup)
{
    stand_ok(context, session_set(s, setup, true));
}

static session_rule rule(const char *pattern)
{
    session_rule r = {.density = 1.0, .type = -1};
    snprintf(r.pattern, sizeof r.pattern, "%s", pattern);
    return r;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// ---- opening

static void nothing_is_open_at_first(void **state)
{
    session *s = NULL;
    stand_ok(context, session_create(context, &s));
    assert_false(session_is_open(s));
    assert_string_equal(session_path(s), "");
    assert_null(session_model(s));
    assert_null(session_rig(s));
    assert_null(session_target(s));
    assert_null(session_scene(s));
    assert_null(session_modes(s));
    assert_null(session_mode(s, 0));
    assert_false(session_can_undo(s) || session_can_redo(s));
    assert_int_equal(session_note_count(s), 0);
    assert_true(session_cycle(s) == 1.0 && session_reach(s) == 1.0);
    assert_int_equal(session_set(s, session_get(s), true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_play(s, 6), ER_ERROR_ARGUMENT);
    assert_int_equal(session_rotate(s, 0, er_v3(0, 0, 1), true), ER_ERROR_ARGUMENT);
    er_pose pose;
    assert_int_equal(session_pose(s, 0.0, &pose), ER_ERROR_ARGUMENT);
    assert_int_equal(session_mode_pose(s, 0, 1.0, 1.0, &pose), ER_ERROR_ARGUMENT);
    assert_int_equal(session_save_mix(s, "never.json"), ER_ERROR_ARGUMENT);
    session_export def = session_default_export();
    assert_int_equal(session_write(s, &def, "never.glb"), ER_ERROR_ARGUMENT);
    session_destroy(s);
    session_destroy(NULL);
}

static void a_model_shows_itself_and_a_rig_file_bones(void **state)
{
    session *s = stand_open(context, "hand.glb");
    assert_true(session_is_open(s));
    assert_string_equal(session_path(s), stand_path("hand.glb"));
    assert_ptr_equal(session_target(s)->scene, session_scene(s));
    assert_non_null(session_rig(s));
    const er_scene *scene = session_scene(s);
    const er_rig *built = session_rig(s);
    int notes = scene->note_count + built->note_count;
    assert_int_equal(session_note_count(s), notes);
    assert_true(built->note_count > 0);
    for (int i = 0; i < scene->note_count; ++i)
        assert_string_equal(session_note(s, i), scene->note[i].text);
    for (int i = 0; i < built->note_count; ++i)
        assert_string_equal(session_note(s, scene->note_count + i), built->note[i].text);
    assert_string_equal(session_note(s, -1), "");
    assert_string_equal(session_note(s, notes), "");
    unsigned shape = session_shape_version(s), modes = session_modes_version(s);
    stand_ok(context, session_open(s, stand_path("loop_4.json"), NULL));
    assert_true(session_shape_version(s) > shape && session_modes_version(s) > modes);
    assert_null(session_rig(s));
    assert_null(session_scene(s));
    assert_int_equal(session_target(s)->scene->node_count, session_model(s)->body_count);
    assert_true(session_target(s)->scene->instance_count > 0);
    assert_int_equal(session_note_count(s), 0);
    session_destroy(s);
}

static void the_rig_in_a_palette_file_is_opened(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    stand_modes kept = stand_keep(s);
    stand_ok(context, er_palette_file_write(context, session_model(s), session_modes(s), NULL, NULL, NULL,
                                            "chain palette.json"));
    stand_ok(context, session_open(s, "chain palette.json", NULL));
    stand_expect(s, &kept);
    stand_free(&kept);
    unlink("chain palette.json");
    session_destroy(s);
}

static void what_cannot_be_opened_leaves_what_is(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    session_setup setup = *session_get(s);
    setup.damping_ratio = 0.1;
    set(s, &setup);
    stand_ok(context, session_play(s, 7));
    stand_modes kept = stand_keep(s);
    const er_model *model = session_model(s);
    unsigned version = session_modes_version(s);
    static const char glb[] = "glTF\2\0\0\0\377\377\377\377nonsense";
    write_file("broken.glb", glb, sizeof glb);
    write_file("broken.json", "{\"format\": \"eigenrig-rig\", \"version\": 1}", 40);
    write_file("empty.fbx", "", 0);
    static const char *const paths[] = {"broken.glb", "broken.json", "empty.fbx", "not there.glb", "", "."};
    for (size_t i = 0; i < ERI_COUNT(paths); ++i) {
        assert_int_not_equal(session_open(s, paths[i], NULL), ER_OK);
        assert_true(er_context_error(context)[0] != '\0');
        assert_ptr_equal(session_model(s), model);
        assert_int_equal(session_modes_version(s), version);
        assert_string_equal(session_path(s), stand_path("chain_20.json"));
        stand_expect(s, &kept);
        assert_true(session_can_undo(s));
    }
    project_request odd = project_default_request();
    odd.rig.pose = ER_POSE_CLIP;
    odd.rig.pose_clip = "no such clip";
    assert_int_not_equal(session_open(s, stand_path("hand.glb"), &odd), ER_OK);
    stand_expect(s, &kept);
    unlink("broken.glb");
    unlink("broken.json");
    unlink("empty.fbx");
    stand_free(&kept);
    session_destroy(s);
}

static void a_path_is_any_bytes(void **state)
{
    static const char odd[] = "od\xff\n d\x01 \xe4.json";
    er_model *model = NULL;
    stand_ok(context, er_rig_file_read(context, stand_path("four_bar.json"), NULL, NULL, &model));
    stand_ok(context, er_rig_file_write(context, model, odd));
    session *s = NULL;
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, odd, NULL));
    assert_string_equal(session_path(s), odd);
    er_model_destroy(model);
    unlink(odd);
    session_destroy(s);
}

static void opening_begins_undo_anew(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    stand_ok(context, session_play(s, 7));
    assert_true(session_can_undo(s));
    stand_ok(context, session_open(s, stand_path("chain_20.json"), NULL));
    assert_false(session_can_undo(s));
    assert_int_equal(session_get(s)->component_count, 0);
    session_destroy(s);
}

// ---- tuning

static void expect_same_model(const er_model *a, const er_model *b)
{
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->joint_count, b->joint_count);
    for (int i = 0; i < a->body_count; ++i) {
        measure_at_most("mass as tuned", relative_error(a->body[i].mass, b->body[i].mass), 1e-14);
        assert_memory_equal(&a->body[i].pose, &b->body[i].pose, sizeof a->body[i].pose);
    }
    for (int k = 0; k < a->joint_count; ++k) {
        assert_int_equal(a->joint[k].type, b->joint[k].type);
        for (int c = 0; c < a->coordinate[k + 1] - a->coordinate[k]; ++c)
            measure_at_most("stiffness as tuned", relative_error(a->joint[k].stiffness[c], b->joint[k].stiffness[c]),
                            1e-12);
    }
    assert_true(a->damping_ratio == b->damping_ratio);
}

static void a_tuned_model_is_the_rig_of_the_same_def(void **state)
{
    session *s = stand_open(context, "hand.glb");
    for (int round = 0; round < 3; ++round) { // each build takes half a second under sanitizers
        er_rig_def def = er_default_rig_def();
        session_setup setup = *session_get(s);
        if (round >= 1) setup.stiffness = def.stiffness = (er_stiffness){.hz = 3.0, .alpha = 0.2};
        if (round >= 1) setup.root = def.root = ER_ROOT_FIXED;
        if (round >= 2) setup.joints = def.joints = ER_JOINTS_REVOLUTE;
        if (round >= 2) setup.density = def.density = 700.0;
        if (round >= 2) setup.pose = def.pose = ER_POSE_BIND;
        setup.damping_ratio = def.damping_ratio = 0.01 * round;
        unsigned shape = session_shape_version(s), modes = session_modes_version(s);
        set(s, &setup);
        assert_true(session_shape_version(s) == shape + (round == 2));
        assert_true(session_modes_version(s) == modes + (round > 0));
        er_rig *built = NULL;
        stand_ok(context, er_rig_build(context, session_scene(s), &def, &built));
        expect_same_model(session_model(s), built->model);
        er_rig_destroy(built);
    }
    session_destroy(s);
}

static void expect_modes_of_the_model(const session *s)
{
    er_modes *slow = NULL;
    const er_modes *live = session_modes(s);
    er_modal_def def = er_default_modal_def();
    def.whole = true; // as the live solver: equal modes with strong dampers share their roots by rounding
    stand_ok(context, er_modal_solve(context, session_model(s), &def, &slow));
    assert_int_equal(live->count, slow->count);
    assert_int_equal(live->rigid_count, slow->rigid_count);
    assert_int_equal(live->mechanism_count, slow->mechanism_count);
    for (int k = slow->rigid_count + slow->mechanism_count; k < slow->count; ++k) {
        measure_at_most("Hz of live modes", relative_error(live->mode[k].frequency_hz, slow->mode[k].frequency_hz),
                        1e-9);
        measure_at_most("damping of live modes", fabs(live->mode[k].damping_ratio - slow->mode[k].damping_ratio), 1e-9);
    }
    measure_at_most("right angles of live modes", live->residuals.gram, 1e-9);
    er_modes_destroy(slow);
}

static void modes_that_follow_a_slider_are_those_of_the_model(void **state)
{
    static const char *const files[] = {"hand.glb", "chain_20.json", "loop_8_asymmetric.json", "four_bar.json"};
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        session *s = stand_open(context, files[i]);
        expect_modes_of_the_model(s);
        session_setup setup = *session_get(s);
        for (int step = 0; step < 4; ++step) {
            setup.stiffness.hz = 1.0 + step;
            setup.stiffness.alpha = 0.3 * step;
            stand_ok(context, session_set(s, &setup, false));
            expect_modes_of_the_model(s);
        }
        setup.damping_ratio = 0.05;
        setup.rule_count = 1;
        setup.rule[0] = rule("*");
        setup.rule[0].damping_ratio = 0.3;
        set(s, &setup);
        expect_modes_of_the_model(s);
        setup.rule[0].density = 3.0;
        setup.density = 250.0;
        set(s, &setup);
        expect_modes_of_the_model(s);
        setup.stiffness = (er_stiffness){.uniform = true, .k = 0.0};
        set(s, &setup); // no springs: mechanisms
        expect_modes_of_the_model(s);
        session_destroy(s);
    }
}

static void a_rule_tunes_the_joints_that_it_names(void **state)
{
    session *s = stand_open(context, "hand.glb");
    session_setup setup = *session_get(s);
    const char *name = session_model(s)->joint[3].name;
    double before = session_joint_hz(s, 2);
    setup.rule_count = 1;
    setup.rule[0] = rule(name);
    setup.rule[0].hz = 6.5;
    set(s, &setup);
    measure_at_most("Hz of a joint by a rule", relative_error(session_joint_hz(s, 3), 6.5), 1e-12);
    assert_true(session_joint_hz(s, 2) == before);
    setup.rule[0].type = ER_JOINT_REVOLUTE;
    set(s, &setup);
    assert_int_equal(session_model(s)->joint[3].type, ER_JOINT_REVOLUTE);
    measure_at_most("Hz of a hinge by a rule", relative_error(session_joint_hz(s, 3), 6.5), 1e-12);
    expect_modes_of_the_model(s);
    setup.rule[0].type = ER_JOINT_FIXED;
    set(s, &setup);
    assert_true(session_joint_hz(s, 3) == 0.0);
    expect_modes_of_the_model(s);
    session_destroy(s);
}

static void every_word_of_a_rule_counts(void **state)
{
    session *s = stand_open(context, "hand.glb");
    session_setup setup = *session_get(s);
    setup.rule_count = 1;
    setup.rule[0] = rule("thumb*");
    set(s, &setup);
    for (int i = 0; i < 5; ++i) {
        unsigned was = session_modes_version(s);
        if (i == 0) setup.rule[0].density = 2.0;
        if (i == 1) setup.rule[0].hz = 3.0;
        if (i == 2) setup.rule[0].damping_ratio = 0.1;
        if (i == 3) setup.rule[0].type = ER_JOINT_UNIVERSAL;
        if (i == 4) strcpy(setup.rule[0].pattern, "index*");
        set(s, &setup);
        assert_int_equal(session_modes_version(s), was + 1);
        set(s, &setup);
        assert_int_equal(session_modes_version(s), was + 1);
    }
    session_destroy(s);
}

static void what_was_asked_counts_when_it_is_opened(void **state)
{
    session *s = NULL;
    er_scene *scene = NULL;
    project_request request = project_default_request();
    request.rig.density = 500.0;
    stand_ok(context, er_import_file(context, stand_path("hand.glb"), NULL, &scene));
    er_rig *light = NULL;
    stand_ok(context, er_rig_build(context, scene, &request.rig, &light));
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, stand_path("hand.glb"), &request));
    for (int b = 0; b < light->model->body_count; ++b)
        measure_at_most("mass under another density",
                        relative_error(session_model(s)->body[b].mass, light->model->body[b].mass), 1e-12);
    request = project_default_request();
    request.rig.rayleigh_mass = 0.5;
    request.rig.rayleigh_stiffness = 0.25;
    request.rig.damping_ratio = 0.125;
    request.rig.mass = 40.0;
    stand_ok(context, session_open(s, stand_path("chain_20.json"), &request));
    const er_model *m = session_model(s);
    double mass = 0.0;
    for (int b = 0; b < m->body_count; ++b)
        mass += m->body[b].mass;
    assert_true(m->rayleigh_mass == 0.5 && m->rayleigh_stiffness == 0.25 && m->damping_ratio == 0.125);
    measure_at_most("mass of a rig file", relative_error(mass, 40.0), 1e-12);
    // and what was not asked stays as the file has it
    static const char path[] = "test_tuning_damped.json";
    stand_ok(context, er_rig_file_write(context, m, path));
    request = project_default_request();
    request.rig.rayleigh_mass = 0.75;
    for (int i = 0; i < 2; ++i) {
        stand_ok(context, session_open(s, path, i == 0 ? NULL : &request));
        m = session_model(s);
        assert_true(m->rayleigh_mass == (i == 0 ? 0.5 : 0.75) && m->rayleigh_stiffness == 0.25 &&
                    m->damping_ratio == 0.125);
    }
    assert_int_equal(remove(path), 0);
    session_destroy(s);
    er_rig_destroy(light);
    er_scene_destroy(scene);
}

static void a_rig_file_keeps_its_springs_until_the_law_is_set(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    er_model *file = NULL;
    stand_ok(context, er_rig_file_read(context, stand_path("chain_20.json"), NULL, NULL, &file));
    session_setup setup = *session_get(s);
    assert_true(setup.own_springs);
    setup.root = ER_ROOT_FIXED;
    set(s, &setup);
    assert_true(session_model(s)->joint[4].stiffness[0] == file->joint[4].stiffness[0]);
    setup = *session_get(s);
    setup.stiffness = (er_stiffness){.uniform = true, .k = 123.0};
    set(s, &setup);
    assert_false(session_get(s)->own_springs);
    assert_true(session_model(s)->joint[4].stiffness[0] == 123.0);
    setup = *session_get(s);
    setup.own_springs = true;
    set(s, &setup);
    assert_true(session_model(s)->joint[4].stiffness[0] == file->joint[4].stiffness[0]);
    stand_ok(context, session_open(s, stand_path("loop_4.json"), NULL));
    er_model_destroy(file);
    session_destroy(s);
}

// The rig that commands make from the same model and description.
static er_rig *described_rig(const char *path, er_scene **scene, project_description **d)
{
    project_request request = project_default_request();
    er_rig *made = NULL;
    stand_ok(context, project_apply_description(context, path, &request, d));
    stand_ok(context, er_import_file(context, path, NULL, scene));
    stand_ok(context, er_rig_build(context, *scene, &request.rig, &made));
    return made;
}

static void expect_like(const er_model *a, const er_model *b)
{
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->joint_count, b->joint_count);
    for (int i = 0; i < a->body_count; ++i)
        measure_at_most("mass of a described body", relative_error(a->body[i].mass, b->body[i].mass), 1e-12);
    for (int k = 0; k < a->joint_count; ++k) {
        assert_int_equal(a->joint[k].type, b->joint[k].type);
        for (int c = 0; c < a->coordinate[k + 1] - a->coordinate[k]; ++c)
            if (a->joint[k].stiffness[c] != b->joint[k].stiffness[c])
                measure_at_most("spring of a described joint",
                                relative_error(a->joint[k].stiffness[c], b->joint[k].stiffness[c]), 1e-9);
    }
}

static void a_description_stays_under_what_is_tuned(void **state)
{
    static const char text[] = "return {mass = 3, stiffness = 'graded:3', joints = {['*'] = {damping_ratio = 0.1}, "
                               "[1] = {pattern = 'thumb_distal', hz = 7}}, bodies = {hand = {mass = 1}}, "
                               "loops = {{child = 'thumb_distal', parent = 'hand', at = 'thumb_distal'}}}";
    er_scene *scene = NULL;
    project_description *d = NULL;
    session *s = NULL;
    unlink("hand.glb");
    assert_int_equal(symlink(stand_path("hand.glb"), "hand.glb"), 0);
    write_file("hand.rig.lua", text, sizeof text - 1);
    er_rig *made = described_rig("hand.glb", &scene, &d);
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, "hand.glb", NULL));
    assert_string_equal(session_description_path(s), "hand.rig.lua");
    expect_like(session_model(s), made->model);
    int joint = 0;
    while (strcmp(session_model(s)->joint[joint].name, "thumb_distal") != 0)
        ++joint;
    measure_at_most("Hz of a described joint", relative_error(session_joint_hz(s, joint), 7.0), 1e-9);
    session_setup setup = *session_get(s);
    setup.stiffness.hz = 5.0;
    set(s, &setup);
    measure_at_most("Hz of a described joint under another law", relative_error(session_joint_hz(s, joint), 7.0), 1e-9);
    setup.density *= 2.0;
    set(s, &setup);
    setup.rule_count = 1;
    setup.rule[0] = rule("thumb_distal");
    setup.rule[0].hz = 2.0;
    set(s, &setup);
    measure_at_most("Hz of a joint by a rule", relative_error(session_joint_hz(s, joint), 2.0), 1e-9);
    stand_ok(context, session_play(s, 8));
    project_request plain = project_default_request();
    plain.description = "none";
    stand_ok(context, session_open(s, "hand.glb", &plain));
    assert_string_equal(session_description_path(s), "");
    write_file("hand.rig.lua", "return 5", 8);
    assert_int_not_equal(session_open(s, "hand.glb", NULL), ER_OK);
    assert_non_null(strstr(er_context_error(context), "hand.rig.lua"));
    session_destroy(s);
    er_rig_destroy(made);
    er_scene_destroy(scene);
    project_description_close(d);
    unlink("hand.rig.lua");
    unlink("hand.glb");
}

static void what_is_refused_changes_nothing(void **state)
{
    session *s = stand_open(context, "hand.glb");
    stand_ok(context, session_play(s, 8));
    stand_modes kept = stand_keep(s);
    const er_model *model = session_model(s);
    for (int bad = 0; bad < 17; ++bad) {
        session_setup x = *session_get(s);
        x.rule[0] = rule("*");
        x.rule_count = bad >= 10 ? 1 : 0;
        if (bad == 0) x.stiffness.hz = -1.0;
        if (bad == 1) x.density = 0.0;
        if (bad == 2) x.damping_ratio = NAN;
        if (bad == 3) x.root = (er_root)7;
        if (bad == 4) x.joints = (er_joint_rule)7;
        if (bad == 5) x.pose = ER_POSE_GIVEN;
        if (bad == 6) x.pose = ER_POSE_CLIP;
        if (bad == 7) x.component[0].mode = 1000;
        if (bad == 8) x.component[0].degrees = -1.0;
        if (bad == 9) x.component_count = SESSION_MAX_COMPONENTS + 1;
        if (bad == 10) snprintf(x.rule[0].pattern, sizeof x.rule[0].pattern, "no such bone");
        if (bad == 11) x.rule[0].hz = NAN;
        if (bad == 12) x.rule[0].density = 0.0;
        if (bad == 13) x.rule[0].type = 99;
        if (bad == 14) x.rule[0].damping_ratio = -0.1;
        if (bad == 15) memset(x.rule[0].pattern, '*', sizeof x.rule[0].pattern);
        if (bad == 16) x.component[0].hz = NAN;
        er_result r = session_set(s, &x, true);
        if (r == ER_OK) fail_msg("setup %d was taken", bad);
        assert_int_equal(r, ER_ERROR_ARGUMENT);
        assert_true(er_context_error(context)[0] != '\0');
        assert_ptr_equal(session_model(s), model);
        stand_expect(s, &kept);
    }
    stand_free(&kept);
    session_destroy(s);
}

static void a_rig_file_refuses_what_only_a_model_can(void **state)
{
    session *s = stand_open(context, "four_bar.json");
    assert_int_equal(session_get(s)->root, ER_ROOT_FIXED);
    session_setup setup = *session_get(s);
    setup.root = ER_ROOT_FREE;
    assert_int_equal(session_set(s, &setup, true), ER_ERROR_ARGUMENT);
    setup = *session_get(s);
    setup.joints = ER_JOINTS_REVOLUTE;
    assert_int_equal(session_set(s, &setup, true), ER_ERROR_ARGUMENT);
    setup = *session_get(s);
    setup.pose = ER_POSE_BIND;
    assert_int_equal(session_set(s, &setup, true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_rotate(s, 0, er_v3(0, 0, 1), true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_save_pose(s, "never.json"), ER_ERROR_ARGUMENT);
    session_destroy(s);
}

// ---- undo

enum { STEPS = 9 };

static void change(session *s, int step)
{
    session_setup setup = *session_get(s);
    if (step == 0) setup.stiffness.alpha = 0.9;
    if (step == 1) setup.root = ER_ROOT_FIXED;
    if (step == 2) setup.component[0].degrees = 5.0;
    if (step == 3) setup.joints = ER_JOINTS_REVOLUTE;
    if (step == 4) {
        setup.rule_count = 1;
        setup.rule[0] = rule("*");
        setup.rule[0].damping_ratio = 0.2;
    }
    if (step == 5) setup.rule[0].type = ER_JOINT_SPHERICAL;
    if (step == 6) setup.stiffness = (er_stiffness){.uniform = true, .k = 0.0};
    if (step == 7) setup.density = 10.0;
    if (step == 8) setup.pose = ER_POSE_BIND;
    set(s, &setup);
}

static void undo_and_redo_bring_back_what_was_to_the_bit(void **state)
{
    session *s = stand_open(context, "hand.glb");
    stand_ok(context, session_play(s, 9));
    stand_ok(context, session_toggle(s, 12));
    stand_modes kept[STEPS + 1];
    for (int i = 0; i < STEPS; ++i) {
        kept[i] = stand_keep(s);
        change(s, i);
    }
    kept[STEPS] = stand_keep(s);
    assert_false(session_can_redo(s));
    for (int round = 0; round < 2; ++round) {
        for (int i = STEPS - 1; i >= 0; --i) {
            stand_ok(context, session_undo(s));
            stand_expect(s, &kept[i]);
        }
        for (int i = 1; i <= STEPS; ++i) {
            assert_true(session_can_redo(s));
            stand_ok(context, session_redo(s));
            stand_expect(s, &kept[i]);
        }
    }
    for (int i = 0; i < STEPS + 2; ++i)
        stand_ok(context, session_undo(s));
    assert_false(session_can_undo(s));
    assert_int_equal(session_get(s)->component_count, 0);
    stand_ok(context, session_undo(s)); // nothing is left, nothing happens
    for (int i = 0; i <= STEPS; ++i)
        stand_free(&kept[i]);
    session_destroy(s);
}

static void a_drag_is_one_step_and_none_when_it_comes_back(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    stand_modes kept = stand_keep(s);
    session_setup setup = *session_get(s);
    for (int i = 0; i < 10; ++i) {
        setup.damping_ratio = 0.01 * (i + 1);
        stand_ok(context, session_set(s, &setup, i == 9));
    }
    stand_ok(context, session_undo(s));
    stand_expect(s, &kept);
    assert_false(session_can_undo(s));
    setup.damping_ratio = 0.5;
    stand_ok(context, session_set(s, &setup, false));
    setup.damping_ratio = kept.setup.damping_ratio;
    stand_ok(context, session_set(s, &setup, false));
    session_commit(s);
    assert_false(session_can_undo(s));
    setup.damping_ratio = 0.25;
    stand_ok(context, session_set(s, &setup, false));
    stand_ok(context, session_undo(s)); // ends the drag first
    stand_expect(s, &kept);
    assert_true(session_can_redo(s));
    setup.damping_ratio = 0.75;
    stand_ok(context, session_set(s, &setup, false));
    assert_false(session_can_redo(s));
    setup.damping_ratio = kept.setup.damping_ratio;
    stand_ok(context, session_set(s, &setup, true));
    assert_true(session_can_redo(s)); // nothing has happened
    setup.damping_ratio = 0.75;
    stand_ok(context, session_set(s, &setup, true));
    assert_false(session_can_redo(s));
    stand_ok(context, session_play(s, 7)); // a step of its own, whatever is open
    stand_ok(context, session_undo(s));
    assert_true(session_get(s)->damping_ratio == 0.75);
    stand_free(&kept);
    session_destroy(s);
}

static void two_hundred_steps_are_kept(void **state)
{
    session *s = stand_open(context, "four_bar.json");
    session_setup setup = *session_get(s);
    for (int i = 0; i < 250; ++i) {
        setup.damping_ratio = 0.001 * (i + 1);
        set(s, &setup);
    }
    int steps = 0;
    for (; session_can_undo(s); ++steps)
        stand_ok(context, session_undo(s));
    assert_int_equal(steps, 200);
    assert_true(session_get(s)->damping_ratio == 0.05);
    session_destroy(s);
}

// ---- memory

static void when_memory_ends_all_stays(void **state)
{
    ledger l = {.left = LEDGER_ALL};
    er_context *own = ledger_context(&l);
    session *s = stand_open(own, "loop_8_asymmetric.json");
    stand_ok(own, session_play(s, 8));
    stand_modes kept = stand_keep(s);
    session_setup setup = *session_get(s);
    setup.stiffness.hz = 3.0;
    setup.rule_count = 1;
    setup.rule[0] = rule("*");
    setup.rule[0].damping_ratio = 0.2;
    er_result r = ER_ERROR_MEMORY;
    for (long k = 0; r != ER_OK; ++k) {
        l.left = k;
        r = session_set(s, &setup, true);
        l.left = LEDGER_ALL;
        if (r != ER_OK) stand_expect(s, &kept);
        assert_true(r == ER_OK || r == ER_ERROR_MEMORY);
    }
    r = ER_ERROR_MEMORY;
    for (long k = 0; r != ER_OK && k < 2000; ++k) {
        l.left = k;
        r = session_undo(s);
        l.left = LEDGER_ALL;
    }
    assert_int_equal(r, ER_OK);
    stand_expect(s, &kept);
    stand_free(&kept);
    session_destroy(s);
    ledger_end(&l, own);
}

static double nearest_hz(const session *s, double hz)
{
    const er_modes *modes = session_modes(s);
    double nearest = 0.0;
    for (int k = 0; k < modes->count; ++k)
        if (fabs(modes->mode[k].frequency_hz - hz) < fabs(nearest - hz)) nearest = modes->mode[k].frequency_hz;
    return nearest;
}

// Sliders act on the tuned springs: twice the frequency of the law is twice that of the mode.
static void modes_have_the_frequencies_asked_for(void **state)
{
    session *s = NULL;
    project_request request = project_default_request();
    request.given = GIVEN_TUNE;
    request.tune = "tail sways:1.2";
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, stand_path("horse.glb"), &request));
    assert_true(fabs(nearest_hz(s, 1.2) - 1.2) < 1.2e-9);
    session_setup setup = *session_get(s);
    setup.stiffness.hz *= 2.0;
    set(s, &setup);
    assert_true(fabs(nearest_hz(s, 2.4) - 2.4) < 2.4e-9);
    request.tune = "no such mode:1";
    assert_int_equal(session_open(s, stand_path("horse.glb"), &request), ER_ERROR_ARGUMENT);
    assert_true(fabs(nearest_hz(s, 2.4) - 2.4) < 2.4e-9);
    session_destroy(s);
}

static double off(const session *s, int aim)
{
    const session_aim *a = &session_get(s)->aim[aim];
    return fabs(session_mode(s, a->mode)->frequency_hz / a->hz - 1.0);
}

// The way of a drag does not count, only where it ends; a further mode leaves the first where it was put.
static void modes_are_dragged_to_frequencies(void **state)
{
    unlink("hand.glb");
    assert_int_equal(symlink(stand_path("hand.glb"), "hand.glb"), 0);
    session *s = stand_open(context, "hand.glb"), *direct = stand_open(context, "hand.glb");
    int mode = stand_first_elastic(s) + 2;
    double hz = session_mode(s, mode)->frequency_hz;
    stand_modes before = stand_keep(s);
    stand_ok(context, session_tune_mode(s, mode, 1.4 * hz, false));
    stand_ok(context, session_tune_mode(s, mode, 0.5 * hz, false));
    stand_ok(context, session_tune_mode(s, mode, 1.2 * hz, true));
    stand_ok(context, session_tune_mode(direct, mode, 1.2 * hz, true));
    stand_modes kept = stand_keep(direct);
    stand_expect(s, &kept);
    assert_int_equal(session_get(s)->aim_count, 1);
    measure_at_most("a dragged frequency", off(s, 0), 1e-9);
    int other = session_get(s)->aim[0].mode + 1;
    stand_ok(context, session_tune_mode(s, other, 1.1 * session_mode(s, other)->frequency_hz, true));
    assert_int_equal(session_get(s)->aim_count, 2);
    measure_at_most("a second dragged frequency", off(s, 1), 1e-9);
    measure_at_most("the first one beside it", off(s, 0), 1e-9);
    assert_string_equal(session_message(s), "");
    assert_int_equal(session_find_aim(s, session_get(s)->aim[1].mode), 1);
    double first = session_get(s)->aim[0].hz, second = session_get(s)->aim[1].hz;
    stand_ok(context, session_save_description(s, "hand.rig.lua"));
    stand_ok(context, session_open(direct, "hand.glb", NULL)); // with that description
    measure_at_most("the first one described", nearest_hz(direct, first) / first - 1.0, 1e-9);
    measure_at_most("the second one described", nearest_hz(direct, second) / second - 1.0, 1e-9);
    stand_ok(context, session_undo(s));
    stand_expect(s, &kept);
    stand_ok(context, session_untune(s));
    assert_int_equal(session_get(s)->aim_count, 0);
    assert_true(nearest_hz(s, hz) == hz);
    stand_ok(context, session_undo(s));
    stand_expect(s, &kept);
    stand_ok(context, session_undo(s));
    stand_expect(s, &before);
    stand_free(&before);
    stand_free(&kept);
    session_destroy(direct);
    session_destroy(s);
    unlink("hand.rig.lua");
    unlink("hand.glb");
}

static void a_frequency_that_springs_cannot_give_is_told_with_the_nearest(void **state)
{
    session *s = stand_open(context, "hand.glb");
    int mode = stand_first_elastic(s);
    assert_true(mode > 0);
    assert_int_equal(session_tune_mode(s, 0, 1.0, true), ER_ERROR_ARGUMENT); // it is rigid
    assert_int_equal(session_tune_mode(s, 999, 1.0, true), ER_ERROR_ARGUMENT);
    assert_int_equal(session_tune_mode(s, mode, NAN, true), ER_ERROR_ARGUMENT);
    assert_false(session_can_undo(s));
    for (int k = 0; k < SESSION_MAX_AIMS - 1; ++k)
        stand_ok(context, session_tune_mode(s, mode + k, session_mode(s, mode + k)->frequency_hz, true));
    stand_ok(context, session_tune_mode(s, mode + SESSION_MAX_AIMS - 1, 0.01, true));
    int missed = 0;
    for (int i = 0; i < SESSION_MAX_AIMS; ++i) {
        char asked[32], nearest[32];
        const session_aim *aim = &session_get(s)->aim[i];
        snprintf(asked, sizeof asked, " %.4g Hz", aim->hz);
        snprintf(nearest, sizeof nearest, " %.4g Hz", session_mode(s, aim->mode)->frequency_hz);
        missed += off(s, i) > 1e-6 && strstr(session_message(s), asked) != NULL &&
                  strstr(session_message(s), nearest) != NULL;
    }
    assert_int_equal(missed, 1);
    session_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_open_at_first),
        cmocka_unit_test(a_model_shows_itself_and_a_rig_file_bones),
        cmocka_unit_test(the_rig_in_a_palette_file_is_opened),
        cmocka_unit_test(what_cannot_be_opened_leaves_what_is),
        cmocka_unit_test(a_path_is_any_bytes),
        cmocka_unit_test(opening_begins_undo_anew),
        cmocka_unit_test(a_tuned_model_is_the_rig_of_the_same_def),
        cmocka_unit_test(modes_that_follow_a_slider_are_those_of_the_model),
        cmocka_unit_test(a_rule_tunes_the_joints_that_it_names),
        cmocka_unit_test(a_description_stays_under_what_is_tuned),
        cmocka_unit_test(every_word_of_a_rule_counts),
        cmocka_unit_test(what_was_asked_counts_when_it_is_opened),
        cmocka_unit_test(a_rig_file_keeps_its_springs_until_the_law_is_set),
        cmocka_unit_test(what_is_refused_changes_nothing),
        cmocka_unit_test(a_rig_file_refuses_what_only_a_model_can),
        cmocka_unit_test(undo_and_redo_bring_back_what_was_to_the_bit),
        cmocka_unit_test(a_drag_is_one_step_and_none_when_it_comes_back),
        cmocka_unit_test(two_hundred_steps_are_kept),
        cmocka_unit_test(modes_have_the_frequencies_asked_for),
        cmocka_unit_test(modes_are_dragged_to_frequencies),
        cmocka_unit_test(a_frequency_that_springs_cannot_give_is_told_with_the_nearest),
        cmocka_unit_test(when_memory_ends_all_stays),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
