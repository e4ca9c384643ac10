// Descriptions that are written are judged by what they say when they are read again.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/project/write_description.h"
#include "base/arena.h"
#include "stand.h"
#include "support/context.h"
#include "support/hand.h"

static hand h;

static open_description written(const project_request *request, const er_rig *built)
{
    static const char path[] = "making_written.rig.lua";
    open_description read;
    stand_ok(context, project_write_description(context, request, built, built->model, path));
    stand_ok(context, description_open(context, path, 0, &read));
    assert_int_equal(unlink(path), 0);
    return read;
}

static void expect_same_limit(double was, double now)
{
    assert_true(isnan(was) ? isnan(now) : isinf(was) ? was == now : fabs(was - now) < 1e-14);
}

static void expect_same_joint(const er_joint_change *was, const er_joint_change *now, double density)
{
    assert_string_equal(was->pattern, now->pattern);
    assert_true(was->type == now->type && was->hz == now->hz &&
                (isnan(was->pitch) ? isnan(now->pitch) : was->pitch == now->pitch) &&
                was->damping_ratio == now->damping_ratio);
    assert_true(er_v3_distance(was->axis, now->axis) == 0.0 && was->mass == now->mass &&
                was->optional == now->optional);
    assert_true(fabs(now->density - (was->density == 1.0 ? 1.0 : density * was->density)) < 1e-9);
    for (int i = 0; i < 6; ++i) {
        assert_true(isnan(was->spring[i]) ? isnan(now->spring[i]) : was->spring[i] == now->spring[i]);
        assert_true(isnan(was->damper[i]) ? isnan(now->damper[i]) : was->damper[i] == now->damper[i]);
        for (int k = 0; k < 2; ++k)
            expect_same_limit(was->limit[i][k], now->limit[i][k]);
    }
    expect_same_limit(was->swing, now->swing);
    for (int k = 0; k < 2; ++k)
        expect_same_limit(was->twist[k], now->twist[k]);
}

// All that can be said of joints, bodies and loops comes back from the file as it was.
static void a_description_that_is_written_reads_as_it_was(void **state)
{
    er_rig *built = stand_chain(context, &h);
    er_joint_change joint[9];
    for (int i = 0; i < 9; ++i) {
        joint[i] = er_default_joint_change();
        joint[i].pattern = "chest";
    }
    joint[0].type = ER_JOINT_UNIVERSAL;
    joint[0].axis = er_v3(0.1, -2, 1.0 / 3.0);
    joint[0].hz = 2.75;
    joint[0].pitch = -1.0 / 3.0;
    joint[1].spring[0] = joint[1].damper[5] = 0.0;
    joint[1].spring[4] = 1.0 / 7.0;
    joint[1].damper[1] = 3e-5;
    joint[1].damping_ratio = 0.0;
    joint[2].limit[0][0] = -0.5;
    joint[2].limit[0][1] = HUGE_VAL;
    joint[2].limit[2][0] = -HUGE_VAL;
    joint[2].limit[2][1] = 0.25;
    joint[2].limit[3][0] = -0.75;
    joint[2].limit[3][1] = 0.5;
    joint[2].limit[4][0] = -0.125;
    joint[2].limit[4][1] = 3.0;
    joint[2].swing = 0.625;
    joint[2].twist[0] = -HUGE_VAL;
    joint[2].twist[1] = 0.875;
    joint[3].swing = HUGE_VAL;
    joint[3].mass = 1.5;
    joint[3].optional = true;
    joint[4].density = 0.75;
    joint[4].pattern = "[\"a\\b\"]?\n\177*";
    joint[5].type = joint[6].type = joint[7].type = joint[8].type = ER_JOINT_FIXED;
    joint[5].swing = 0.5;
    joint[6].hz = 1.0; // no weld alone, so what comes before it is none either
    joint[7].pattern = "neck";
    joint[8].pattern = "\x01head";
    er_body_change body[3] = {er_default_body_change(), er_default_body_change(), er_default_body_change()};
    body[0].pattern = "head";
    body[0].mass = 2.5;
    body[1].pattern = "h*";
    body[1].density = 1.25;
    body[2].pattern = "tail";
    body[2].optional = true;
    const er_name_pair pair[] = {{"_L", "_R"}, {"l\"", "r\\"}};
    er_loop_joint loop[2] = {er_default_loop_joint(), er_default_loop_joint()};
    loop[0].child = "head";
    loop[0].parent = "hips";
    loop[0].name = "a \"tie\"";
    loop[0].type = ER_JOINT_SPHERICAL;
    loop[0].at_body = "hat";
    loop[0].stiffness = 0.3;
    loop[0].pitch = 0.7;
    loop[1].child = "neck";
    loop[1].at = er_v3(0.1, 0.2, -0.3);
    loop[1].axis = er_v3(0, 2, 1);
    loop[1].optional = true;
    er_rig_change change = er_default_rig_change();
    change.joint_count = 9;
    change.joint = joint;
    change.body_count = 3;
    change.body = body;
    change.pair_count = change.loop_count = 2;
    change.pair = pair;
    change.loop = loop;
    for (int tuned = 0; tuned < 3; ++tuned) { // all of it; welds alone; nothing
        project_request request = project_default_request();
        er_rig_change some = change;
        if (tuned > 0) {
            some.joint = joint + 7;
            some.joint_count = tuned == 1 ? 2 : 0;
            some.body_count = some.pair_count = some.loop_count = 0;
        }
        request.rig.change = tuned < 2 ? &some : NULL;
        request.rig.density = 800.0;
        request.given = tuned == 1 ? GIVEN_JOINTS : 0;
        request.rig.joints = ER_JOINTS_REVOLUTE;
        open_description read = written(&request, built);
        const rig_settings *s = &read.settings;
        assert_int_equal(s->given & GIVEN_JOINTS, request.given);
        if (tuned == 1) assert_int_equal(s->rig.joints, ER_JOINTS_REVOLUTE);
        assert_int_equal(s->change.joint_count, some.joint_count);
        for (int i = 0; i < some.joint_count; ++i)
            expect_same_joint(&some.joint[i], &s->change.joint[i], 800.0);
        assert_int_equal(s->change.body_count, some.body_count);
        for (int i = 0; i < some.body_count; ++i) {
            const er_body_change *was = &body[i], *now = &s->change.body[i];
            assert_string_equal(was->pattern, now->pattern);
            assert_true(was->mass == now->mass && was->optional == now->optional);
            assert_true(now->density == (i == 1 ? 1000.0 : 1.0));
        }
        assert_int_equal(s->change.pair_count, some.pair_count);
        for (int i = 0; i < some.pair_count; ++i) {
            assert_string_equal(s->change.pair[i].left, pair[i].left);
            assert_string_equal(s->change.pair[i].right, pair[i].right);
        }
        assert_int_equal(s->change.loop_count, some.loop_count);
        for (int i = 0; i < some.loop_count; ++i) {
            const er_loop_joint *was = &loop[i], *now = &s->change.loop[i];
            assert_string_equal(was->child, now->child);
            assert_true((was->parent == NULL) == (now->parent == NULL) && (was->name == NULL) == (now->name == NULL));
            if (i == 0) assert_string_equal(now->name, "a \"tie\"");
            assert_true((was->at_body == NULL) == (now->at_body == NULL) && er_v3_distance(was->at, now->at) == 0.0);
            assert_true(er_v3_distance(was->axis, now->axis) == 0.0 && was->stiffness == now->stiffness &&
                        was->pitch == now->pitch);
            assert_true(was->type == now->type && was->optional == now->optional);
        }
        assert_int_equal(s->rig.hang_count, 5); // all bodies but the root
        for (int i = 0; i < 5; ++i) {
            int bone = hand_body(built->model, s->rig.hang[i].bone, false);
            assert_string_equal(s->rig.hang[i].on, built->model->body[bone - 1].name);
        }
        assert_string_equal(s->rig.props, "none");
        description_close(&read);
    }
    er_rig_destroy(built);
}

// Each setting alone, by its bit.
static void settings_that_were_given_are_written(void **state)
{
    er_rig *built = stand_chain(context, &h);
    for (int bit = -1; bit < 19; ++bit) {
        project_request request = project_default_request();
        er_rig_def *d = &request.rig;
        request.given = bit >= 0 ? 1u << bit : 0;
        d->root = ER_ROOT_FIXED;
        d->joints = ER_JOINTS_SPHERICAL;
        d->stiffness = (er_stiffness){.hz = 2.5, .alpha = 0.3};
        d->damping_ratio = 0.125;
        d->rayleigh_mass = 0.3;
        d->rayleigh_stiffness = 0.7;
        d->density = 900.0;
        d->mass = 70.0;
        d->height = 1.75;
        d->pose = ER_POSE_CLIP;
        d->pose_clip = "a@b";
        d->pose_time = 1.0 / 3.0;
        d->skeleton = "hips \\ \"all\"";
        d->infer_parents = d->symmetrize = true;
        d->character = "knight";
        request.feet = "f*";
        request.plant = "p,q";
        request.tune = "tail sways, with trunk:1.2,b:2+";
        request.forward = er_v3(0.25, -1, 1.0 / 3.0);
        open_description read = written(&request, built);
        const rig_settings *s = &read.settings;
        unsigned always = GIVEN_PROPS | GIVEN_HANG;
        assert_int_equal(s->given, (request.given & ~always) | always);
        if (bit == 0) assert_int_equal(s->rig.root, ER_ROOT_FIXED);
        if (bit == 1) assert_int_equal(s->rig.joints, ER_JOINTS_SPHERICAL);
        if (bit == 2)
            assert_true(!s->rig.stiffness.uniform && s->rig.stiffness.hz == 2.5 && s->rig.stiffness.alpha == 0.3);
        if (bit == 3) assert_true(s->rig.damping_ratio == 0.125);
        if (bit == 4) assert_true(s->rig.rayleigh_mass == 0.3 && s->rig.rayleigh_stiffness == 0.7);
        if (bit == 5) assert_true(s->rig.density == 900.0);
        if (bit == 6) assert_true(s->rig.mass == 70.0);
        if (bit == 7) assert_true(s->rig.height == 1.75);
        if (bit == 8)
            assert_true(s->rig.pose == ER_POSE_CLIP && strcmp(s->rig.pose_clip, "a@b") == 0 &&
                        s->rig.pose_time == 1.0 / 3.0);
        if (bit == 9) assert_string_equal(s->rig.skeleton, "hips \\ \"all\"");
        if (bit == 10) assert_true(s->rig.infer_parents);
        if (bit == 13) assert_string_equal(s->feet, "f*");
        if (bit == 14) assert_true(er_v3_distance(s->forward, request.forward) == 0.0);
        if (bit == 15) assert_string_equal(s->plant, "p,q");
        if (bit == 16) assert_true(s->rig.symmetrize);
        if (bit == 17) assert_string_equal(s->rig.character, "knight");
        if (bit == 18) assert_string_equal(s->tune, "tail sways, with trunk:1.2,b:2+");
        description_close(&read);
    }
    static const er_pose_source poses[] = {ER_POSE_REST, ER_POSE_BIND};
    for (int i = 0; i < 2; ++i) {
        project_request request = project_default_request();
        request.given = GIVEN_ROOT | GIVEN_STIFFNESS | GIVEN_POSE | GIVEN_INFER;
        request.rig.pose = poses[i];
        request.rig.stiffness = (er_stiffness){.uniform = true, .k = 1.0 / 3.0};
        open_description read = written(&request, built);
        assert_int_equal(read.settings.rig.pose, poses[i]);
        assert_int_equal(read.settings.rig.root, ER_ROOT_FREE);
        assert_true(read.settings.rig.stiffness.uniform && read.settings.rig.stiffness.k == 1.0 / 3.0);
        assert_true((read.settings.given & GIVEN_INFER) != 0 || !read.settings.rig.infer_parents);
        description_close(&read);
    }
    er_rig_destroy(built);
}

// A pose file is named from the description's folder, below which it has to lie.
static void a_pose_file_is_named_from_its_description(void **state)
{
    er_rig *built = stand_chain(context, &h);
    char folder[] = "making_XXXXXX", file[100], below[100], path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(below, sizeof below, "%s/in", folder);
    assert_int_equal(mkdir(below, 0700), 0);
    snprintf(file, sizeof file, "%s/in/sit.json", folder);
    assert_int_equal(er_file_write(context, file, "{}", 2), ER_OK);
    project_request request = project_default_request();
    request.given = GIVEN_POSE;
    request.rig.pose = ER_POSE_GIVEN;
    request.pose_file = file;
    static const struct {
        const char *in, *named;
    } rows[] = {{"", "in/sit.json"}, {"/in", "sit.json"}, {"/other", NULL}, {NULL, NULL}};
    for (int i = 0; i < 4; ++i) {
        open_description read;
        if (i == 2) {
            snprintf(path, sizeof path, "%s/other", folder);
            assert_int_equal(mkdir(path, 0700), 0);
        }
        snprintf(path, sizeof path, "%s%s/a.rig.lua", folder, rows[i].in != NULL ? rows[i].in : "");
        if (i == 3) snprintf(path, sizeof path, "making_beside.rig.lua"); // where the program runs
        assert_int_equal(project_can_name_pose(&request, path), rows[i].named != NULL || i == 3);
        stand_ok(context, project_write_description(context, &request, built, built->model, path));
        stand_ok(context, description_open(context, path, 0, &read));
        if (i == 2)
            assert_int_equal(read.settings.rig.pose, ER_POSE_REST);
        else
            assert_string_equal(read.settings.pose_named, i == 3 ? file : rows[i].named);
        description_close(&read);
        assert_int_equal(unlink(path), 0);
    }
    request.pose_file = "no such file";
    assert_false(project_can_name_pose(&request, "a.rig.lua"));
    request.pose_file = NULL;
    assert_true(project_can_name_pose(&request, "a.rig.lua"));
    snprintf(path, sizeof path, "%s/other", folder);
    assert_int_equal(unlink(file) | rmdir(below) | rmdir(path) | rmdir(folder), 0);
    er_rig_destroy(built);
}

static void props_are_listed_as_patterns_of_themselves(void **state)
{
    static const char *const names[] = {"hat", "a*b?[c]\\", "bow", "", "x,y"};
    bool prop[5] = {true, true, true, false, false};
    char out[64];
    hand_init(&h);
    for (int i = 0; i < 5; ++i)
        hand_node(&h, names[i], -1, hand_at(0, 0, 0));
    assert_true(project_list_props(&h.scene, prop, out, sizeof out));
    assert_string_equal(out, "hat,a\\*b\\?\\[c]\\\\,bow");
    for (int i = 3; i < 5; ++i) { // no name; a comma in it
        prop[i] = true;
        assert_false(project_list_props(&h.scene, prop, out, sizeof out));
        prop[i] = false;
    }
    prop[1] = prop[2] = false;
    assert_false(project_list_props(&h.scene, prop, out, 8));
    assert_true(project_list_props(&h.scene, prop, out, 9)); // each letter may need two
    assert_string_equal(out, "hat");
    prop[0] = false;
    assert_true(project_list_props(&h.scene, prop, out, sizeof out));
    assert_string_equal(out, "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_description_that_is_written_reads_as_it_was),
        cmocka_unit_test(settings_that_were_given_are_written),
        cmocka_unit_test(a_pose_file_is_named_from_its_description),
        cmocka_unit_test(props_are_listed_as_patterns_of_themselves),
    };
    return cmocka_run_group_tests_name("written", tests, set_up, tear_down);
}
