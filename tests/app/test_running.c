// Simulations of models and worlds: where they begin, what pushes them, what they meet, judged by closed forms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/formats.h>

#include "app/project/initial_state.h"
#include "app/project/project_simulate.h"
#include "base/arena.h"
#include "stand.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"

static hand h;

// ---- pushes

static er_model *arm(double damping_ratio)
{
    static rig r;
    memset(&r, 0, sizeof r);
    static const char *const names[] = {"trunk", "arm", "hand"};
    for (int b = 0; b < 3; ++b) {
        er_pose at = {er_q_identity(), {0, b, 0}};
        r.body[rig_add_body(&r, 1.0 + b, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(0.25, b + 0.5, 0), at)].name =
            names[b];
        if (b == 0) continue;
        er_joint *j = rig_add_joint(&r, ER_JOINT_SPHERICAL, b - 1, b, at);
        j->name = b == 1 ? "shoulder" : "wrist";
        for (int c = 0; c < 3; ++c)
            j->stiffness[c] = 50.0;
    }
    r.damping_ratio = damping_ratio;
    return rig_model(context, &r);
}

static void pushes_are_read_from_words(void **state)
{
    er_model *model = arm(0.0);
    static const struct {
        const char *text;
        int body;
        er_vec3 impulse;
        double time;
    } rows[] = {{"wrist:3@0.5", 2, {0, 0, 6}, 0.5},
                {"shoulder:1,2,-3@0", 1, {1, 2, -3}, 0},
                {"trunk:0@7", 0, {0, 0, 0}, 7},
                {"hand:-1@1e1", 2, {0, 0, -2}, 10}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        project_impulse push;
        stand_ok(context, project_impulse_read(context, model, er_v3(0, 0, 2), rows[i].text, &push));
        assert_int_equal(push.body, rows[i].body);
        assert_true(er_v3_distance(push.impulse, rows[i].impulse) == 0.0 && push.time == rows[i].time);
        assert_true(er_v3_distance(push.point, model->body[push.body].com) == 0.0);
    }
    static const char *const bad[] = {
        "",          "wrist",      "wrist:3",     "wrist@3",         "wrist:@3",  "wrist:3@",    "wrist:3@x",
        "wrist:x@3", "wrist:3@-1", "wrist:1,2@3", "wrist:1,2,3,4@3", "wrist@1:3", "wrist:inf@1", "wrist:1,2,@3"};
    project_impulse push;
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        assert_refusal(context, project_impulse_read(context, model, er_v3(0, 0, 1), bad[i], &push), ER_ERROR_ARGUMENT,
                       "push");
    }
    assert_refusal(context, project_impulse_read(context, model, er_v3(0, 0, 1), "writs:1@0", &push), ER_ERROR_ARGUMENT,
                   "\"wrist\"");
    assert_refusal(context, project_impulse_read(context, model, er_v3(0, 0, 1), "tail:1@0", &push), ER_ERROR_ARGUMENT,
                   "push tail:1@0");
    char longest[600] = "a name that is longer than any ";
    while (strlen(longest) < 505)
        strcat(longest, "x");
    strcat(longest, ":1@0");
    assert_refusal(context, project_impulse_read(context, model, er_v3(0, 0, 1), longest, &push), ER_ERROR_ARGUMENT,
                   "a name that is longer"); // 509 bytes are read
    strcat(longest, "000");
    assert_refusal(context, project_impulse_read(context, model, er_v3(0, 0, 1), longest, &push), ER_ERROR_ARGUMENT,
                   "push");
    er_model_destroy(model);
}

// ---- where it begins

// Straight links that float; in the clip the first goes along z and the second turns about its own y, evenly for 2 s.
static er_rig *moving_chain(void)
{
    static double time[2] = {0, 2};
    const double from[] = {0, 0, 0}, to[] = {0, 0, 3}, rest[] = {0, 0, 0, 1}, turned[] = {0, 0.6, 0, 0.8};
    hand_chain(&h);
    for (int i = 1; i < HAND_LINKS; ++i)
        h.node[i].local = hand_at(1, 0, 0);
    hand_clip(&h, "go");
    hand_channel(&h, 0, ER_PATH_TRANSLATION, from, to);
    hand_channel(&h, 1, ER_PATH_ROTATION, rest, turned);
    h.channel[0][0].time = h.channel[0][1].time = time;
    h.clip[0].duration = 2.0;
    hand_clip(&h, "stand");
    hand_channel(&h, 1, ER_PATH_ROTATION, turned, turned);
    h.clip[1].duration = 0.0;
    h.channel[1][0].key_count = 1;
    return hand_rig(context, &h.scene, NULL);
}

static void a_simulation_begins_in_a_clip_with_its_speed(void **state)
{
    er_rig *built = moving_chain();
    const er_model *m = built->model;
    const double angle = 2.0 * acos(0.8); // of two seconds
    static const char *const from[] = {"go@0.5", "go@1.5", "stand@0"};
    project_simulation_def def = project_default_simulation_def();
    int root = m->coordinate_count, bend = m->coordinate[m->tree_joint[1]];
    assert_int_equal(m->tree_joint[0], -1);
    for (int i = 0; i < 3; ++i) {
        project_initial_state start;
        double at = i == 0 ? 0.5 : i == 1 ? 1.5 : 0.0;
        def.from = from[i];
        stand_ok(context, project_initial_state_read(context, m, built, &def, 1.0, NULL, &start));
        assert_true(start.held == NULL && start.track == NULL);
        for (int c = 0; c < m->coordinate_count + 6; ++c) {
            double x = c == bend + 1 ? angle * (i < 2 ? 0.5 * at : 1.0) : c == root + 5 && i < 2 ? 1.5 * at : 0.0;
            double rate = i == 2 ? 0.0 : c == bend + 1 ? 0.5 * angle : c == root + 5 ? 1.5 : 0.0;
            measure_at_most("displacement at the start", fabs(start.x[c] - x), 1e-6);
            measure_at_most("rate at the start", fabs(start.rate[c] - rate), 1e-5);
        }
        project_initial_state_clear(&start);
        assert_true(start.x == NULL && start.rate == NULL);
    }
    // without a word it begins at equilibrium
    project_initial_state start;
    def.from = NULL;
    stand_ok(context, project_initial_state_read(context, m, built, &def, 1.0, NULL, &start));
    assert_true(start.x == NULL && start.rate == NULL && start.held == NULL && start.track == NULL);
    // led bodies follow the clip, which begins again after its end
    def.from = "go@0.5";
    def.hold = "link 1,,link 0";
    stand_ok(context, project_initial_state_read(context, m, built, &def, 3.0, NULL, &start));
    assert_true(start.held[0] && start.held[1] && !start.held[2] && !start.held[3]);
    for (int k = 0; k <= 12; ++k) {
        double t = 0.25 * k, in = fmod(0.5 + t, 2.0);
        er_pose pose;
        er_twist twist, rate;
        if (in < 0.1 || in > 1.9) continue; // where it jumps
        er_trajectory_at(start.track, t, 0, &pose, &twist, &rate);
        measure_at_most("place on the track", fabs(pose.p.z - m->body[0].pose.p.z - 1.5 * in), 1e-6);
        measure_at_most("speed on the track", fabs(twist.linear.z - 1.5), 1e-3);
        er_trajectory_at(start.track, t, 1, &pose, &twist, &rate);
        measure_at_most("turn on the track", fabs(2.0 * acos(fabs(pose.q.w)) - 0.5 * angle * in), 1e-6);
    }
    project_initial_state_clear(&start);
    er_rig_destroy(built);
}

static void what_a_simulation_cannot_begin_with_is_refused(void **state)
{
    er_rig *built = moving_chain();
    static const struct {
        const char *from, *hold, *says;
    } rows[] = {{"go@2.5", NULL, "from go@2.5"},
                {"go@-1", NULL, "from go@-1"},
                {"go@x", NULL, "from go@x"},
                {NULL, "link 9", "\"link 0\""},
                {NULL, "link 1,tail", "hold tail"},
                {NULL, ",", "hold"},
                {NULL, "", "hold"},
                {NULL, "link*", "hold link*"}};
    project_simulation_def def = project_default_simulation_def();
    project_initial_state start;
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        def.from = rows[i].from;
        def.hold = rows[i].hold;
        assert_refusal(context, project_initial_state_read(context, built->model, built, &def, 1.0, NULL, &start),
                       ER_ERROR_ARGUMENT, rows[i].says);
        project_initial_state_clear(&start);
    }
    def.hold = NULL;
    def.from = "go@1";
    assert_refusal(context, project_initial_state_read(context, built->model, NULL, &def, 1.0, NULL, &start),
                   ER_ERROR_ARGUMENT, "from");
    project_initial_state_clear(&start);
    def.from = "run@1";
    assert_int_equal(project_initial_state_read(context, built->model, built, &def, 1.0, NULL, &start),
                     ER_ERROR_ARGUMENT);
    project_initial_state_clear(&start);
    def.from = "go@1";
    def.hold = "link 1";
    assert_refusal(context, project_initial_state_read(context, built->model, built, &def, 1e5, NULL, &start),
                   ER_ERROR_ARGUMENT, "100000 s");
    project_initial_state_clear(&start);
    er_rig_destroy(built);
}

// ---- in time

// One body on a hinge to the world, hanging from it; without springs it is a pendulum.
static er_model *pendulum(double stiffness, double damping_ratio)
{
    static rig r;
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
    r.body[0].name = "bob";
    er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    j->name = "pivot";
    j->stiffness[0] = stiffness;
    r.damping_ratio = damping_ratio;
    return rig_model(context, &r);
}

static bool stop_at(void *user, int done, int all)
{
    int *last = user;
    assert_true(done > 0 && done <= all);
    return done < *last;
}

static void frames_are_whole_and_end_with_the_time(void **state)
{
    static const struct {
        double duration, fps;
        int count;
    } rows[] = {{1, 10, 11}, {0.25, 10, 4}, {0.01, 10, 2}, {0.3, 30, 10}, {0, 2, 11}, {0.5, 0, 31}};
    er_model *model = pendulum(0.0, 0.0);
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        project_simulation_def def = project_default_simulation_def();
        project_simulation done;
        def.duration = rows[i].duration;
        def.fps = rows[i].fps;
        double duration = rows[i].duration > 0.0 ? rows[i].duration : 5.0;
        stand_ok(context, project_simulate(context, model, NULL, &def, NULL, NULL, &done));
        const er_world_frames *f = &done.frames;
        assert_int_equal(f->frame_count, rows[i].count);
        assert_true(fabs(done.fps - (rows[i].count - 1) / duration) < 1e-9);
        assert_true(done.damped == NULL && !done.stopped && done.report.steps > 0);
        for (int k = 0; k < f->frame_count; ++k) {
            double whole = f->energy[k].kinetic + f->energy[k].potential - f->energy[0].potential;
            assert_true(fabs(f->time[k] - duration * k / (f->frame_count - 1)) < 1e-9);
            // it falls about z: w^2 I / 2 = m g l sin q, I = 2.1
            measure_at_most("energy of a pendulum", fabs(whole), 1e-5);
            measure_at_most("speed of a pendulum", fabs(1.05 * f->rate[k] * f->rate[k] + 2.0 * 9.81 * sin(f->q[k])),
                            1e-5);
        }
        project_simulation_clear(&done);
        assert_true(done.frames.frame_count == 0 && done.frames.time == NULL);
    }
    project_simulation_def def = project_default_simulation_def();
    project_simulation done;
    int last = 3;
    const project_progress progress = {stop_at, &last};
    def.duration = 1.0;
    def.fps = 10.0;
    stand_ok(context, project_simulate(context, model, NULL, &def, NULL, &progress, &done));
    assert_true(done.stopped && done.frames.frame_count == 3);
    project_simulation_clear(&done);
    last = 100;
    stand_ok(context, project_simulate(context, model, NULL, &def, NULL, &progress, &done));
    assert_true(!done.stopped && done.frames.frame_count == 11);
    project_simulation_clear(&done);
    def.duration = 1e5;
    def.fps = 1e5;
    assert_refusal(context, project_simulate(context, model, NULL, &def, NULL, NULL, &done), ER_ERROR_ARGUMENT,
                   "100000 s at 100000 frames");
    er_model_destroy(model);
}

// Without gravity: a blow makes it turn at J l / I from its moment on, in whatever order blows are said.
static void blows_count_from_their_time_on(void **state)
{
    er_model *model = pendulum(0.0, 0.0);
    for (int order = 0; order < 2; ++order) {
        project_simulation_def def = project_default_simulation_def();
        project_simulation done;
        def.duration = 1.0;
        def.fps = 10.0;
        def.gravity = 0.0;
        def.push_count = 2;
        def.push[order] = "pivot:0,2.1,0@0.35";
        def.push[1 - order] = "pivot:0,0,0@0.75";
        stand_ok(context, project_simulate(context, model, NULL, &def, NULL, NULL, &done));
        for (int k = 0; k <= 10; ++k) {
            measure_at_most("rate after a blow", fabs(done.frames.rate[k] - (k > 3 ? 1.0 : 0.0)), 1e-9);
            measure_at_most("angle after a blow", fabs(done.frames.q[k] - fmax(0.1 * k - 0.35, 0.0)), 1e-9);
        }
        project_simulation_clear(&done);
        def.push[0] = "pivot:x@0";
        assert_int_equal(project_simulate(context, model, NULL, &def, NULL, NULL, &done), ER_ERROR_ARGUMENT);
        assert_true(done.frames.frame_count == 0 && done.damped == NULL);
    }
    er_model_destroy(model);
}

// A ratio becomes a damper of each joint: c = 2 ratio sqrt(k I); what meets something and has none gets a ratio of one.
static void a_damping_ratio_becomes_dampers(void **state)
{
    const double k = 30.0, I = 2.1;
    for (int i = 0; i < 2; ++i) {
        stand_heard all = {.count = 0};
        const project_listener listener = {stand_hear, &all};
        er_model *model = pendulum(k, i == 0 ? 0.25 : 0.0);
        project_simulation_def def = project_default_simulation_def();
        project_simulation done;
        def.duration = 0.1;
        stand_ok(context, project_simulate(context, model, NULL, &def, &listener, NULL, &done));
        assert_int_equal(done.damped != NULL, i == 0);
        assert_int_equal(all.count, i == 0);
        if (i == 0) {
            stand_expect_heard(&all, ER_NOTE_FACT, "damping ratio 0.25");
            assert_true(done.damped->damping_ratio == 0.0 && done.damped->joint[0].stiffness[0] == k);
            measure_at_most("damper of a ratio", relative_error(done.damped->joint[0].damping[0], 0.5 * sqrt(k * I)),
                            1e-9);
        }
        project_simulation_clear(&done);
        project_ground_def ground = project_default_ground_def();
        assert_true(project_damping(model, &ground) == (i == 0 ? 0.25 : 0.0));
        ground.floor = true;
        assert_true(project_damping(model, &ground) == (i == 0 ? 0.25 : 1.0));
        er_model_destroy(model);
    }
    project_ground_def ground = project_default_ground_def();
    ground.self_collision = true;
    er_model *bare = pendulum(0.0, 0.0); // no springs
    assert_true(project_damping(bare, &ground) == 0.0);
    er_model_destroy(bare);
    static rig r;
    for (int i = 0; i < 3; ++i) { // damped somehow
        memset(&r, 0, sizeof r);
        rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
        er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
        j->stiffness[0] = 5.0;
        if (i == 0) j->damping[0] = 0.1;
        if (i == 1) r.rayleigh_mass = 0.1;
        if (i == 2) r.rayleigh_stiffness = 0.1;
        er_model *model = rig_model(context, &r);
        assert_true(project_damping(model, &ground) == 0.0);
        er_model_destroy(model);
    }
}

static void what_cannot_fall_or_touch_is_refused(void **state)
{
    er_model *model = pendulum(5.0, 0.0);
    project_simulation_def def = project_default_simulation_def();
    project_simulation done;
    def.ground.drop = 1.0;
    assert_refusal(context, project_simulate(context, model, NULL, &def, NULL, NULL, &done), ER_ERROR_ARGUMENT,
                   "joint 0 \"pivot\"");
    def.hold = "bob";
    assert_refusal(context, project_simulate(context, model, NULL, &def, NULL, NULL, &done), ER_ERROR_ARGUMENT, "held");
    def = project_default_simulation_def();
    def.ground.floor = true;
    def.integrator = ER_INTEGRATE_RK4;
    assert_refusal(context, project_simulate(context, model, NULL, &def, NULL, NULL, &done), ER_ERROR_ARGUMENT,
                   "integrator");
    er_model_destroy(model);
    project_ground_def ground = project_default_ground_def();
    assert_true(!project_has_contacts(&ground) && !project_has_floor(&ground) && ground.friction == 0.8 &&
                ground.sleep == 0.5);
    ground.drop = 0.1;
    assert_true(project_has_contacts(&ground) && project_has_floor(&ground));
    ground.statics = "a";
    assert_true(project_has_contacts(&ground) && !project_has_floor(&ground));
    ground.floor = true;
    assert_true(project_has_floor(&ground));
    assert_true(fabs(project_fall_scale(7.2) - 2.0) < 1e-12 && project_fall_scale(1.8) == 1.0);
}

// A box let fall from so high meets the floor below it after sqrt(2 h / g), and rests there; all that was seen is
// written.
static void what_falls_is_recorded_and_written(void **state)
{
    hand_init(&h);
    const int joints[] = {hand_node(&h, "box", -1, hand_at(0, 2, 0)), hand_node(&h, "lid", 0, hand_at(0, 0.5, 0))};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(-0.25, 2, -0.25), er_v3(0.25, 2.4, 0.25), 0);
    hand_box(&h, er_v3(-0.2, 2.5, -0.2), er_v3(0.2, 2.6, 0.2), 1);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 2, joints));
    er_rig *built = hand_rig(context, &h.scene, NULL);
    stand_heard all = {.count = 0};
    const project_listener listener = {stand_hear, &all};
    project_simulation_def def = project_default_simulation_def();
    project_simulation done;
    def.duration = 1.0;
    def.ground.drop = 0.5;
    stand_ok(context, project_simulate(context, built->model, built, &def, &listener, NULL, &done));
    stand_expect_heard(&all, ER_NOTE_FACT, "0 capsules and balls and 2 hulls");
    stand_expect_heard(&all, ER_NOTE_FACT, "--damping");
    const er_world_frames *f = &done.frames;
    double hit = sqrt(2.0 * 0.5 / 9.81);
    for (int k = 0; k < f->frame_count; ++k) {
        double t = f->time[k], low = f->pose[(size_t)k * 2].p.y;
        if (t < hit - 0.01) measure_at_most("free fall", fabs(low - (2.5 - 0.5 * 9.81 * t * t)), 0.02);
        if (t > hit + 0.2) measure_at_most("rest on the floor", fabs(low - 2.0), 0.02);
        int touches = f->contact_end[k] - (k > 0 ? f->contact_end[k - 1] : 0);
        assert_true(t < hit - 0.02 ? touches == 0 : t < hit + 0.3 || touches > 0);
    }
    const er_recording_target target = er_rig_target(built);
    er_recording *recording = NULL;
    stand_ok(context, project_record_simulation(context, &done, &target, "fall", &recording));
    assert_string_equal(recording->clip.name, "fall");
    assert_true(fabs(recording->clip.duration - 1.0) < 1e-9);
    er_recording_destroy(recording);
    static const char *const files[] = {"energy.csv",    "momentum.csv", "bodies.csv", "joints.csv",
                                        "reactions.csv", "contacts.csv", "frames.npz", "energy.svg"};
    char folder[] = "simulation-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    for (int again = 0; again < 2; ++again) // a folder that is there is fine
        stand_ok(context, project_write_simulation(context, &done, folder));
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        assert_int_equal(unlink(path), 0);
    }
    static const char *const endings[] = {".glb", ".csv", ".npz", ".svg"};
    for (size_t i = 0; i < ERI_COUNT(endings); ++i) {
        snprintf(path, sizeof path, "%s/a%s", folder, endings[i]);
        stand_ok(context, project_write_simulated(context, &done, built->scene, &target, path));
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(project_write_simulation(context, &done, "no such folder/in it"), ER_ERROR_FILE);
    assert_refusal(context, project_write_simulated(context, &done, built->scene, &target, "a.obj"), ER_ERROR_ARGUMENT,
                   "a.obj");
    done.frames.frame_count = 1;
    assert_refusal(context, project_write_simulated(context, &done, built->scene, &target, "a.csv"), ER_ERROR_ARGUMENT,
                   "a.csv");
    project_simulation_clear(&done);
    er_rig_destroy(built);
}

// The world gets the bodies' shapes, a plane through the lowest point with +Z up, and the contact settings.
static void a_world_is_given_what_is_met(void **state)
{
    er_rig *built = stand_chain(context, &h);
    static const er_vec3 ups[] = {{0, 1, 0}, {0, 0, 1}, {-1, 0, 0}};
    static const double lowest[] = {-0.1, -0.1, -5.9};
    for (int i = 0; i < 3; ++i)
        for (int own = 0; own < 2; ++own) {
            er_pose pose[6];
            for (int b = 0; b < 6; ++b)
                pose[b] = built->model->body[b].pose;
            stand_heard all = {.count = 0};
            const project_listener listener = {stand_hear, &all};
            project_ground_def def = project_default_ground_def();
            project_ground ground;
            def.floor = i < 2;
            def.self_collision = own == 1;
            def.friction = 0.3;
            def.restitution = 0.25;
            def.sleep = 0.75;
            stand_ok(context,
                     project_ground_create(context, built->model, built, &def, pose, ups[i], &listener, &ground));
            assert_int_equal(all.count, 1);
            stand_expect_heard(&all, ER_NOTE_FACT, "0 capsules and balls and 6 hulls");
            measure_at_most("height of a floor", fabs(ground.floor - lowest[i]), 1e-6);
            er_world_def world = er_default_world_def(), usual = world;
            world.model = built->model;
            for (int again = 0; again < 2; ++again) // the second time as the first
                project_ground_apply(&ground, &def, &world);
            assert_int_equal(world.shape_count, i < 2 ? 7 : 6);
            assert_ptr_equal(world.shape, ground.shape);
            for (int k = 0; k < world.shape_count; ++k) {
                const er_world_shape *s = &world.shape[k];
                assert_true(s->friction == 0.3 && s->restitution == 0.25);
                if (k < 6) {
                    assert_true(s->body == k && s->shape.kind == ER_SHAPE_HULL && s->groups != 0);
                    assert_int_equal(s->ignores, own == 1 ? 0 : s->groups);
                    assert_string_equal(s->name, built->model->body[k].name);
                    continue;
                }
                assert_true(s->body == -1 && s->shape.kind == ER_SHAPE_PLANE && s->ignores == 0);
                assert_true(er_v3_distance(er_q_rotate(s->pose.q, er_v3(0, 0, 1)), ups[i]) < 1e-12);
                assert_true(er_v3_distance(s->pose.p, er_v3_scale(ground.floor, ups[i])) < 1e-12);
            }
            double scale = sqrt(built->model->size / 1.8);
            assert_true(world.integrator == ER_INTEGRATE_CONTACT && world.enforce_limits &&
                        world.contact.frequency == 60.0);
            assert_true(fabs(world.max_step - 1.0 / 240.0) < 1e-15 &&
                        fabs(world.contact.sleep_time - 0.75 * scale) < 1e-12);
            measure_at_most("speed of what sleeps",
                            relative_error(world.contact.sleep_speed, usual.contact.sleep_speed * scale * scale),
                            1e-12);
            assert_int_equal(world.apart_count, own == 1 ? ground.bodies->pair_count : 0);
            project_ground_clear(&ground);
            assert_true(ground.shape == NULL && ground.bodies == NULL);
        }
    er_rig_destroy(built);
}

// The static scene has all meshes of its file, turned to the up axis of the rig.
static void a_file_is_met_as_it_stands(void **state)
{
    static const char path[] = "test_running_steps.obj", // two steps, 0.5 m and 1 m high
        text[] = "o low\nv 0 0.5 0\nv 1 0.5 0\nv 0 0.5 1\nv 1 0.5 1\nf 1 3 2\nf 2 3 4\n"
                 "o high\nv 2 1 0\nv 3 1 0\nv 2 1 1\nv 3 1 1\nf 5 7 6\nf 6 7 8\n";
    static const er_vec3 ups[] = {{0, 1, 0}, {0, 0, 1}};
    er_rig *built = stand_chain(context, &h);
    er_pose pose[6];
    for (int b = 0; b < 6; ++b)
        pose[b] = built->model->body[b].pose;
    assert_int_equal(er_file_write(context, path, text, strlen(text)), ER_OK);
    for (int i = 0; i < 2; ++i) {
        project_ground_def def = project_default_ground_def();
        project_ground ground;
        def.statics = path;
        stand_ok(context, project_ground_create(context, built->model, built, &def, pose, ups[i], NULL, &ground));
        er_world_def world = er_default_world_def();
        world.model = built->model;
        project_ground_apply(&ground, &def, &world);
        assert_int_equal(world.shape_count, 7);
        const er_world_shape *last = &world.shape[6];
        assert_true(last->body == -1 && last->shape.kind == ER_SHAPE_MESH && last->friction == def.friction);
        for (int step = 0; step < 3; ++step) {
            double x = step == 0 ? 0.25 : step == 1 ? 2.25 : 1.5, distance;
            er_vec3 normal, from = i == 0 ? er_v3(x, 9, 0.5) : er_v3(x, -0.5, 9);
            bool meets =
                er_shape_ray(&last->shape, last->pose, from, er_v3_scale(-1.0, ups[i]), 99, &distance, &normal);
            assert_int_equal(meets, step < 2);
            if (!meets) continue;
            measure_at_most("height of a step", fabs(distance - (step == 0 ? 8.5 : 8.0)), 1e-6);
            measure_at_most("how a step faces", er_v3_distance(normal, ups[i]), 1e-6);
        }
        project_ground_clear(&ground);
    }
    assert_int_equal(unlink(path), 0);
    er_rig_destroy(built);
}

// Both routes go the same way, and are not one.
static void a_simulation_goes_by_the_route_that_was_asked_for(void **state)
{
    er_model *model = arm(0.0);
    double end[2];
    for (int route = 0; route < 2; ++route) {
        project_simulation_def def = project_default_simulation_def();
        project_simulation done;
        def.duration = 0.3;
        def.route = route == 0 ? ER_ROUTE_REDUCED : ER_ROUTE_MULTIPLIERS;
        def.push_count = 1;
        def.push[0] = "wrist:3,1,2@0.1";
        stand_ok(context, project_simulate(context, model, NULL, &def, NULL, NULL, &done));
        end[route] = done.frames.pose[3 * (size_t)done.frames.frame_count - 1].p.y;
        project_simulation_clear(&done);
    }
    assert_true(fabs(end[0] - end[1]) < 1e-4 && end[0] != end[1]);
    er_model_destroy(model);
}

// ---- worlds of files

static er_world_file world_file(const er_model *model, const er_pose *pose, const er_twist *twist, er_vec3 gravity)
{
    er_world_file file = {.model = model,
                          .def = er_default_world_def(),
                          .time = 2.0,
                          .pose = pose,
                          .twist = twist,
                          .duration = 0.5,
                          .frame_count = 20};
    file.def.model = model;
    file.def.gravity = gravity;
    return file;
}

// A stone: it begins at the file's time with its speed, and falls as file or definition say.
static void a_world_file_says_what_is_not_said(void **state)
{
    static rig r;
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(3, 0, 0), er_pose_identity());
    r.body[0].name = "stone";
    er_model *model = rig_model(context, &r);
    const er_pose pose[2] = {{er_q_identity(), {0, 5, 0}}, {er_q_identity(), {3, 0, 0}}};
    const er_twist twist[2] = {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    static const er_vec3 gravities[] = {{0, -4, 0}, {-4, 0, 0}, {0, 0, 0}};
    static const er_vec3 forwards[] = {{1, 0, 0}, {0, 1, 0}, {1, 0, 0}}; // of pushes: across what falls
    for (int i = 0; i < 3; ++i)
        for (int said = 0; said < 2; ++said) {
            er_world_file file = world_file(model, pose, twist, gravities[i]);
            project_simulation_def def = project_default_simulation_def();
            project_simulation done;
            if (said == 1) {
                def.gravity = 8.0;
                def.duration = 0.25;
                def.fps = 20.0;
            }
            def.push_count = 1;
            def.push[0] = "stone:1@0";
            stand_ok(context, project_simulate_world(context, &file, &def, NULL, NULL, &done));
            const er_world_frames *f = &done.frames;
            assert_int_equal(f->frame_count, said == 1 ? 6 : 21);
            assert_true(fabs(f->time[0] - 2.0) < 1e-12 &&
                        fabs(f->time[f->frame_count - 1] - (said == 1 ? 2.25 : 2.5)) < 1e-9);
            er_vec3 g = said == 0 ? gravities[i] : i == 2 ? er_v3(0, 0, -8) : er_v3_scale(2.0, gravities[i]);
            for (int k = 1; k < f->frame_count; ++k) {
                double t = f->time[k] - 2.0;
                er_vec3 speed = er_v3_madd(er_v3_madd(er_v3(1, 0, 0), 0.5, forwards[i]), 0.5 * t, g);
                er_vec3 at = er_v3_madd(pose[0].p, t, speed);
                measure_at_most("place of a stone", er_v3_distance(f->pose[2 * (size_t)k].p, at), 1e-6);
            }
            project_simulation_clear(&done);
        }
    er_world_file file = world_file(model, pose, twist, gravities[0]);
    for (int i = 0; i < 6; ++i) {
        static const char *const says[] = {"from", "hold", "--drop", "--ground", "--static", "--self-collision"};
        project_simulation_def def = project_default_simulation_def();
        project_simulation done;
        if (i == 0) def.from = "a@0";
        if (i == 1) def.hold = "stone";
        if (i == 2) def.ground.drop = 1.0;
        if (i == 3) def.ground.floor = true;
        if (i == 4) def.ground.statics = "a.glb";
        if (i == 5) def.ground.self_collision = true;
        assert_refusal(context, project_simulate_world(context, &file, &def, NULL, NULL, &done), ER_ERROR_ARGUMENT,
                       says[i]);
        assert_true(done.frames.frame_count == 0);
    }
    er_model_destroy(model);
}

// A pose file says where it begins, at rest; what is held stays at equilibrium all the same, which is told.
static void a_simulation_begins_in_a_pose_file_at_rest(void **state)
{
    static const char path[] = "test_running_pose.json";
    er_rig *built = moving_chain();
    const er_model *m = built->model;
    er_affine local[HAND_NODES];
    stand_heard all = {.count = 0};
    const project_listener listener = {stand_hear, &all};
    project_simulation_def def = project_default_simulation_def();
    project_initial_state start;
    er_scene_sample(&h.scene, NULL, 0.0, local);
    local[0].translation.x += 2.0;
    local[3] = hand_turned(er_v3(1, 0, 0), er_v3(0.25, 0, 0), er_v3(1, 1, 1));
    stand_ok(context, er_pose_file_write(context, &h.scene, local, path));
    def.from = path;
    for (int held = 0; held < 2; ++held) {
        def.hold = held == 1 ? "link 2" : NULL;
        stand_ok(context, project_initial_state_read(context, m, built, &def, 1.0, &listener, &start));
        int bend = m->coordinate[m->tree_joint[3]], root = m->coordinate_count;
        for (int c = 0; c < root + 6; ++c) {
            double x = c == bend ? 0.25 : c == root + 3 ? 2.0 : 0.0;
            measure_at_most("displacement of a pose", fabs(start.x[c] - x), 1e-6);
            assert_true(start.rate[c] == 0.0);
        }
        assert_true(start.track == NULL && (start.held != NULL) == (held == 1));
        assert_int_equal(all.count, held);
        project_initial_state_clear(&start);
    }
    stand_expect_heard(&all, ER_NOTE_WARNING, "held bodies");
    assert_int_equal(unlink(path), 0);
    er_rig_destroy(built);
}

// Newton seconds without a way go forwards: where the scene faces, or along the horizontal axis that is most often so.
static void blows_without_a_way_go_forwards(void **state)
{
    static const struct {
        er_vec3 up, forward, way;
    } rows[] = {
        {{0, 1, 0}, {0, 0, 0}, {0, 0, 1}}, {{0, 0, 1}, {0, 0, 0}, {0, -1, 0}}, {{0, 1, 0}, {1, 0, 0}, {1, 0, 0}}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_rig *built = stand_chain(context, &h);
        h.scene.up = rows[i].up;
        h.scene.forward = rows[i].forward;
        project_simulation_def def = project_default_simulation_def();
        project_simulation done;
        def.duration = 0.1;
        def.gravity = 0.0;
        def.push_count = 1;
        def.push[0] = "neck:7@0.01";
        stand_ok(context, project_simulate(context, built->model, built, &def, NULL, NULL, &done));
        int last = done.frames.frame_count - 1;
        assert_true(er_v3_norm(done.frames.momentum[0]) < 1e-12);
        measure_at_most("momentum of a blow",
                        er_v3_distance(done.frames.momentum[2 * last], er_v3_scale(7.0, rows[i].way)), 1e-6);
        project_simulation_clear(&done);
        def.push_count = 0; // what pulls is against the scene's up
        def.gravity = 3.0;
        stand_ok(context, project_simulate(context, built->model, built, &def, NULL, NULL, &done));
        double mass = built->total_mass;
        measure_at_most("momentum of a fall",
                        er_v3_distance(done.frames.momentum[2 * last], er_v3_scale(-0.3 * mass, rows[i].up)) / mass,
                        1e-6);
        project_simulation_clear(&done);
        er_rig_destroy(built);
    }
}

// Something ten metres high and more falls slowly beside its size, which is told.
static void giants_are_told(void **state)
{
    for (int i = 0; i < 2; ++i) {
        stand_heard all = {.count = 0};
        const project_listener listener = {stand_hear, &all};
        char told[200];
        er_rig_destroy(stand_chain(context, &h));
        er_rig_def rig_def = er_default_rig_def();
        rig_def.height = i == 0 ? 9.9 : 10.1;
        er_rig *built = hand_rig(context, &h.scene, &rig_def);
        project_simulation_def def = project_default_simulation_def();
        project_simulation done;
        def.duration = 0.02;
        def.ground.floor = true;
        stand_ok(context, project_simulate(context, built->model, built, &def, &listener, NULL, &done));
        snprintf(told, sizeof told, "%.3g m", built->height);
        if (i == 1) stand_expect_heard(&all, ER_NOTE_WARNING, told);
        for (int k = 0; k < all.count && i == 0; ++k)
            assert_int_equal(all.kind[k], ER_NOTE_FACT);
        project_simulation_clear(&done);
        er_rig_destroy(built);
    }
}

static void frames_that_no_memory_holds_are_refused(void **state)
{
    er_rig *built = stand_chain(context, &h);
    project_simulation_def def = project_default_simulation_def();
    project_simulation done;
    char told[200];
    def.duration = 1e5;
    def.fps = 99.0;
    double coordinates = 15.0, frame = sizeof(double) + 6 * (sizeof(er_pose) + sizeof(er_twist)) +
                                       2 * coordinates * sizeof(double) + sizeof(er_world_energy) +
                                       2 * sizeof(er_vec3) + 5 * sizeof(er_wrench) + sizeof(int);
    snprintf(told, sizeof told, "9900001 frames of 6 bodies take %.3g GB", 9900001.0 * (frame + 16.0) / 1e9);
    assert_refusal(context, project_simulate(context, built->model, built, &def, NULL, NULL, &done), ER_ERROR_ARGUMENT,
                   told);
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_are_read_from_words),
        cmocka_unit_test(a_simulation_begins_in_a_clip_with_its_speed),
        cmocka_unit_test(a_simulation_begins_in_a_pose_file_at_rest),
        cmocka_unit_test(blows_without_a_way_go_forwards),
        cmocka_unit_test(giants_are_told),
        cmocka_unit_test(frames_that_no_memory_holds_are_refused),
        cmocka_unit_test(what_a_simulation_cannot_begin_with_is_refused),
        cmocka_unit_test(frames_are_whole_and_end_with_the_time),
        cmocka_unit_test(blows_count_from_their_time_on),
        cmocka_unit_test(a_damping_ratio_becomes_dampers),
        cmocka_unit_test(what_cannot_fall_or_touch_is_refused),
        cmocka_unit_test(what_falls_is_recorded_and_written),
        cmocka_unit_test(a_world_is_given_what_is_met),
        cmocka_unit_test(a_file_is_met_as_it_stands),
        cmocka_unit_test(a_simulation_goes_by_the_route_that_was_asked_for),
        cmocka_unit_test(a_world_file_says_what_is_not_said),
    };
    return cmocka_run_group_tests_name("running", tests, set_up, tear_down);
}
