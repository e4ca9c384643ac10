// Services that need no open model: suggestions, warnings about motions, poses from places of bodies, clips below a
// mix, formats.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/project/moving_joints.h"
#include "app/project/outputs.h"
#include "app/project/project_modes.h"
#include "app/project/project_motion.h"
#include "app/project/project_open.h"
#include "app/project/project_play.h"
#include "app/project/target.h"
#include "app/project/write_description.h"
#include "base/suggest.h"
#include "stand.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"

// ---- words

static const char longest[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk";

static void mistyped_words_are_known_by_letters(void **state)
{
    static const struct {
        const char *word, *known[3];
        const char *best;
        int off;
    } cases[] = {
        {"count", {"amount", "count"}, "count", 0},
        {"coun", {"count"}, "count", 1},
        {"countt", {"count"}, "count", 1},
        {"cownt", {"count"}, "count", 1},
        {"cuont", {"count"}, "count", 1},    // swapped
        {"ocutn", {"count"}, NULL, 0},       // twice, of five letters
        {"ocutnr", {"countr"}, "countr", 2}, // swapped twice, of six
        {"ca", {"abc"}, NULL, 0},
        {"ab", {"ba"}, "ba", 1},
        {"a", {"b"}, NULL, 0}, // nothing of it is left
        {"a", {"ab"}, "ab", 1},
        {"", {"a"}, NULL, 0},
        {"modes", {"model", "modes"}, "modes", 0},
        {"modem", {"model", "modes"}, "model", 1}, // the first of two as like
        {"abcdefghi", {"abcdefxyz"}, "abcdefxyz", 3},
        {"abcdefghi", {"abcdewxyz"}, NULL, 0},
        {"abcdefghi", {"abcdefxyz", "abcdefgxy", "abcdefghy"}, "abcdefghy", 1},
        {longest, {longest}, longest, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        suggestion l = {.word = cases[i].word};
        for (int k = 0; k < 3 && cases[i].known[k] != NULL; ++k)
            suggestion_try(&l, cases[i].known[k]);
        if (cases[i].best == NULL)
            assert_null(l.best);
        else
            assert_string_equal(l.best, cases[i].best);
        assert_int_equal(l.off, cases[i].off);
    }
    char longer[sizeof longest + 1];
    snprintf(longer, sizeof longer, "%sx", longest);
    suggestion l = {.word = longest};
    suggestion_try(&l, longer);
    assert_null(l.best);
}

// ---- what is told

static void expect_told(const char *words, double duration, double fps, const char *const *told)
{
    stand_heard h = {.count = 0};
    const project_listener listener = {stand_hear, &h};
    er_model *model = stand_pendulum(context, 2.0);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_motion_def def = er_default_motion_def();
    def.duration = duration;
    def.loop = true;
    def.fps = fps;
    assert_true(fabs(modes->mode[0].frequency_hz - 2.0) < 1e-9);
    stand_ok(context, project_read_mix(context, words, &mix));
    stand_ok(context, project_make_motion(context, model, modes, mix, &def, &listener, &motion));
    int count = 0;
    for (; told[count] != NULL; ++count) {
        assert_true(count < h.count);
        assert_non_null(strstr(h.text[count], told[count]));
        assert_int_equal(h.kind[count], ER_NOTE_WARNING);
    }
    assert_int_equal(h.count, count);
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void a_loop_tells_of_frequencies_that_moved_and_frames_that_lack(void **state)
{
    expect_told("0:10", 1.0, 60.0, (const char *[]){NULL});
    expect_told("0:10@2.15", 1.0, 60.0, (const char *[]){NULL}); // 7 %
    expect_told("0:10@2.4", 1.0, 60.0, (const char *[]){"-17 %", NULL});
    expect_told("0:10@1.6", 1.0, 60.0, (const char *[]){"+25 %", NULL});
    expect_told("0:10", 1.0, 12.0, (const char *[]){NULL}); // six frames a cycle
    expect_told("0:10", 1.0, 11.0, (const char *[]){"24", NULL});
}

static void a_clip_to_lie_upon_lasts_for_a_while(void **state)
{
    stand_heard h = {.count = 0};
    const project_listener listener = {stand_hear, &h};
    er_clip clips[] = {{.name = "run", .duration = 1.0}, {.name = "stand", .duration = 0.0}};
    er_scene scene = {.clip_count = 2, .clip = clips};
    const er_clip *over = clips;
    stand_ok(context, project_find_over(context, &scene, NULL, &listener, &over));
    assert_null(over);
    stand_ok(context, project_find_over(context, &scene, "run", &listener, &over));
    assert_ptr_equal(over, &clips[0]);
    assert_int_equal(h.count, 0);
    stand_ok(context, project_find_over(context, &scene, "stand", &listener, &over));
    assert_null(over);
    assert_int_equal(h.count, 1);
    stand_expect_heard(&h, ER_NOTE_WARNING, "\"stand\"");
    assert_int_equal(project_find_over(context, &scene, "stand", NULL, &over), ER_ERROR_ARGUMENT);
    assert_null(over);
    assert_int_equal(project_find_over(context, &scene, "walk", &listener, &over), ER_ERROR_ARGUMENT);
    assert_int_equal(project_find_over(context, NULL, "run", &listener, &over), ER_ERROR_ARGUMENT);
    assert_null(over);
}

// Hinges to the world, each with a pendulum of its own that swings at 1, 2, 3 ... Hz: mode k is the k-th of them.
static er_model *pendulums(int count)
{
    static rig r;
    static char name[16][20];
    memset(&r, 0, sizeof r);
    for (int i = 0; i < count; ++i) {
        double omega = 2.0 * ER_PI * (i + 1);
        rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
        er_joint *joint = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, i, er_pose_identity());
        snprintf(name[i], sizeof name[i], "hinge%d", i);
        joint->name = name[i];
        joint->stiffness[0] = 2.1 * omega * omega;
    }
    return rig_model(context, &r);
}

static void a_mix_tells_of_modes_that_are_less_like(void **state)
{
    const double likeness[] = {0.96, 0.9, 0.8};
    er_model *model = pendulums(3);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    for (int i = 0; i < 3; ++i) {
        stand_heard h = {.count = 0};
        const project_listener listener = {stand_hear, &h};
        double shape[18], c = likeness[i], s = sqrt(1.0 - c * c);
        er_mix_component component = er_default_mix_component();
        er_mix said = {.name = "", .body_count = 3, .size = model->size, .component_count = 1, .component = &component},
               *mix, *fitted;
        for (int k = 0; k < 18; ++k)
            shape[k] = c * modes->mode[1].body[k] + s * modes->mode[2].body[k];
        component.mode = 0;
        component.shape = shape;
        component.shape_hz = 2.0;
        stand_ok(context, er_mix_create(context, &said, &mix));
        stand_ok(context, project_fit_mix(context, model, NULL, modes, mix, &listener, &fitted));
        assert_int_equal(fitted->component[0].mode, 1);
        char told[80];
        snprintf(told, sizeof told, i == 0 ? "mode 1" : "%.0f %%", 100.0 * c);
        assert_int_equal(h.count, 1);
        stand_expect_heard(&h, i == 0 ? ER_NOTE_FACT : ER_NOTE_WARNING, told);
        er_mix_destroy(fitted);
        er_mix_destroy(mix);
    }
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void mixes_ask_for_as_many_modes_as_they_name(void **state)
{
    er_model *model = pendulums(5);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    er_mix_component component[] = {er_default_mix_component(), er_default_mix_component()};
    er_mix mix = {.component_count = 2, .component = component}, other = {.component_count = 1, .component = component};
    er_mix *const both[] = {&other, &mix};
    component[0].mode = 3;
    component[1].mode = 9;
    assert_int_equal(project_modes_of_mixes(model, both, 2, 0), 0);
    assert_int_equal(project_modes_of_mixes(model, both, 2, 4), 10);
    assert_int_equal(project_modes_of_mixes(model, both, 2, 64), 64);
    assert_int_equal(project_modes_of_mixes(model, both, 1, 4), 4);
    component[0].shape = modes->mode[0].body;
    assert_int_equal(project_modes_of_mixes(model, both, 1, 4), 8);
    component[1].mode = 1000000000;
    assert_true(project_modes_of_mixes(model, both, 2, 4) <= 2 * (6 * 5 + 5 + 1));
    er_modes_destroy(modes);
    er_model_destroy(model);
}

static void a_mix_that_swells_or_dies_away_is_shaped(void **state)
{
    er_mix_component component[] = {er_default_mix_component(), er_default_mix_component()};
    const er_mix mix = {.component_count = 2, .component = component};
    double *const field[] = {&component[1].attack, &component[1].decay, &component[1].damping};
    assert_false(project_has_envelope(&mix));
    for (int i = 0; i < 3; ++i) {
        double was = *field[i];
        *field[i] = i < 2 ? 0.5 : -1.0;
        assert_true(project_has_envelope(&mix));
        *field[i] = was;
    }
}

static void the_joints_that_move_most_come_first(void **state)
{
    static const struct {
        double joint[5];
        int most, count, found[5];
    } cases[] = {{{0.3, -1.0, 0.24, 0.26, 0.0}, 5, 3, {1, 0, 3}},
                 {{0.3, -1.0, 0.24, 0.26, 0.0}, 2, 2, {1, 0}},
                 {{0.5, 0.5, 0.5, 0.0, 0.5}, 5, 4, {0, 1, 2, 4}}, // equals in their order
                 {{0.5, 0.5 * (1.0 + 1e-12), 0.0, 0.0, 0.0}, 1, 1, {0}},
                 {{0.0, 0.0, 0.0, 0.0, 0.0}, 5, 0, {0}}};
    er_model *model = pendulums(5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const er_mode mode = {.kind = ER_MODE_ELASTIC, .joint = cases[i].joint};
        double travel[5];
        int found[5] = {0};
        assert_int_equal(project_moving_joints(model, &mode, travel, cases[i].most, found), cases[i].count);
        assert_memory_equal(found, cases[i].found, (size_t)cases[i].count * sizeof(int));
    }
    er_model_destroy(model);
}

// Every mode changes its place, and every component goes where its own has gone.
static void components_follow_modes_that_change_places(void **state)
{
    enum { COUNT = 7 };
    static const char path[] = "studio_services_pendulums.json";
    static const double now[COUNT] = {6.5, 1.5, 5.5, 7.5, 0.5, 3.5, 2.5}; // Hz
    static const int place[COUNT] = {5, 1, 4, 6, 0, 3, 2};
    er_model *model = pendulums(COUNT);
    session *s = NULL;
    stand_ok(context, er_rig_file_write(context, model, path));
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, path, NULL));
    session_setup setup = *session_get(s);
    setup.component_count = setup.rule_count = COUNT;
    for (int i = 0; i < COUNT; ++i) {
        setup.component[i] = (session_component){.mode = i, .degrees = 1.0 + i, .phase = 0.1 * i};
        setup.rule[i] = (session_rule){.density = 1.0, .type = -1};
        snprintf(setup.rule[i].pattern, sizeof setup.rule[i].pattern, "hinge%d", i);
    }
    stand_ok(context, session_set(s, &setup, true));
    for (int i = 0; i < COUNT; ++i)
        setup.rule[i].hz = now[i];
    stand_ok(context, session_set(s, &setup, true));
    assert_string_equal(session_message(s), "");
    assert_int_equal(session_get(s)->component_count, COUNT);
    for (int i = 0; i < COUNT; ++i) {
        const session_component *v = &session_get(s)->component[i];
        assert_int_equal(v->mode, place[i]);
        assert_true(v->degrees == 1.0 + i && v->phase == 0.1 * i);
    }
    session_destroy(s);
    er_model_destroy(model);
    remove(path);
}

// ---- loops

static void a_loop_moves_as_far_as_it_can(void **state)
{
    er_model *model = NULL;
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_recording *recording = NULL;
    double share = 0.0, again = 0.0;
    er_motion_def def = er_default_motion_def();
    er_recording_def take_def = er_default_recording_def();
    project_target stage;
    def.loop = true;
    stand_ok(context, er_rig_file_read(context, stand_path("four_bar.json"), NULL, NULL, &model));
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    stand_ok(context, project_read_mix(context, "0:1000", &mix));
    stand_ok(context, project_reach_motion(context, model, modes, mix, &def, 60.0, &share, &motion));
    assert_true(share > 0.0 && share < 1.0);
    assert_true(fabs(motion->component[0].degrees - 1000.0 * share) < 1e-9);
    stand_ok(context, er_motion_reach(motion, 60.0, &again));
    assert_true(again == 1.0);
    stand_ok(context, project_target_set(context, model, NULL, NULL, &stage));
    stand_ok(context, project_record_motion(context, motion, &stage.target, &take_def, NULL, &recording));
    assert_int_equal(recording->clip.channel[0].interpolation, ER_CUBIC); // whose keys keep loops closed between them
    er_recording_destroy(recording);
    project_target_clear(&stage);
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

// ---- descriptions

static void what_was_asked_wins_over_a_description(void **state)
{
    static const char path[] = "studio_services.rig.lua";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("return {root = 'fixed', damping = 0.25, rayleigh = {3, 0.5}, mass = 80, height = 2, skeleton = 'a'}", file);
    fclose(file);
    project_request request = project_default_request();
    project_description *described = NULL;
    request.given = GIVEN_MASS | GIVEN_ROOT;
    request.rig.mass = 7.0;
    request.description = path;
    stand_ok(context, project_apply_description(context, "no.glb", &request, &described));
    assert_true(request.rig.mass == 7.0 && request.rig.root == ER_ROOT_FREE);
    assert_true(request.rig.damping_ratio == 0.25 && request.rig.rayleigh_mass == 3.0 &&
                request.rig.rayleigh_stiffness == 0.5);
    assert_true(request.rig.height == 2.0);
    assert_string_equal(request.rig.skeleton, "a");
    assert_int_equal(described->gives, GIVEN_DAMPING | GIVEN_RAYLEIGH | GIVEN_HEIGHT | GIVEN_SKELETON);
    project_description_close(described);
    request = project_default_request();
    request.description = "none";
    stand_ok(context, project_apply_description(context, "studio_services.glb", &request, &described));
    assert_null(described);
    remove(path);
}

// ---- palettes

static bool stop_after(void *user, int done, int all)
{
    int *left = user;
    assert_true(done > 0 && done <= all);
    return --*left > 0;
}

static void a_palette_is_recorded_until_somebody_ends_it(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, built->model, ER_MODAL_AUTO);
    project_target stage;
    project_palette palette;
    int left = 3;
    stand_ok(context, project_target_set(context, built->model, built, NULL, &stage));
    project_progress progress = {stop_after, &left};
    assert_refusal(context,
                   project_record_palette(context, built->model, NULL, modes, NULL, false, 20.0, &stage.target, NULL,
                                          &progress, &palette),
                   ER_ERROR_ARGUMENT, "9 of 15");
    assert_true(left == 0 && palette.count == 0 && palette.recording == NULL);
    left = 1000;
    stand_ok(context, project_record_palette(context, built->model, NULL, modes, NULL, false, 20.0, &stage.target, NULL,
                                             &progress, &palette));
    assert_int_equal(palette.count, modes->count - modes->rigid_count);
    assert_int_equal(left, 1000 - palette.count);
    char name[64];
    for (int i = 0; i < palette.count; ++i) {
        double hz = modes->mode[6 + i].frequency_hz;
        snprintf(name, sizeof name, "mode %02d  %.2f Hz", 6 + i, hz);
        assert_string_equal(palette.recording[i]->clip.name, name);
        measure_at_most("period of a clip", fabs(palette.recording[i]->clip.duration * hz - 1.0), 1e-9);
    }
    project_palette_clear(&palette);
    project_target_clear(&stage);
    er_modes_destroy(modes);
    er_rig_destroy(built);
}

// ---- playing

static double apart(er_pose a, er_pose b)
{
    return fmax(er_v3_distance(a.p, b.p), 1.0 - fabs(er_q_dot(a.q, b.q)));
}

// Two bodies, of which one turns and both go ahead, in five frames of a stride.
static void a_gait_is_played_between_its_frames(void **state)
{
    enum { FRAMES = 5, LAST = FRAMES - 1 };
    const er_model model = {.body_count = 2};
    er_pose frame[2 * FRAMES], pose[2];
    er_vec3 travel[FRAMES];
    for (int k = 0; k < FRAMES; ++k) {
        travel[k] = er_v3(0.5, 0, 0.1 * k * k);
        for (int b = 0; b < 2; ++b)
            frame[2 * k + b] = (er_pose){er_q_exp(er_v3(0.4 * k * b, 0, 0)), er_v3(b, k % 2, 3.0 * b * k)};
    }
    const er_gait_motion gait = {.model = &model, .frame_count = FRAMES, .pose = frame, .travel = travel};
    const er_vec3 stride = er_v3_sub(travel[LAST], travel[0]);
    static const double strides[] = {0.0, 0.25, 0.3125, 0.9, 1.0, 2.6875, -0.125, -1.75};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; ++i) {
        double whole = floor(strides[i]), at = LAST * (strides[i] - whole);
        int k = (int)at;
        double share = at - k;
        er_vec3 went = er_v3_add(er_v3_scale(1.0 - share, travel[k]), er_v3_scale(share, travel[k + 1]));
        went = er_v3_madd(went, whole, stride);
        assert_true(er_v3_distance(project_gait_pose(&gait, strides[i], pose), went) < 1e-12);
        assert_true(er_v3_distance(project_gait_pose(&gait, strides[i], NULL), went) < 1e-12);
        for (int b = 0; b < 2; ++b) {
            er_vec3 place =
                er_v3_add(er_v3_scale(1.0 - share, frame[2 * k + b].p), er_v3_scale(share, frame[2 * k + 2 + b].p));
            er_pose want = {er_q_exp(er_v3(0.4 * b * at, 0, 0)), place};
            assert_true(apart(pose[b], want) < 1e-12);
        }
    }
}

// A chain whose joint turns in a clip of a second, and stays bent in the next one.
static void a_clip_is_played_over_and_over(void **state)
{
    static hand h;
    hand_chain(&h);
    const double from[] = {0, 0, 0, 1}, to[] = {0, 0.6, 0, 0.8};
    hand_clip(&h, "bend");
    hand_channel(&h, 1, ER_PATH_ROTATION, from, to);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    const er_recording_target target = er_rig_target(built);
    project_play play = {0};
    er_pose first[4], at[4], again[4];
    assert_int_equal(built->model->body_count, 4);
    stand_ok(context, project_play_make(context, built->model, built->body_node, &target, built->scene->clip, NULL,
                                        30.0, &play));
    assert_true(play.duration == 1.0 && play.recording == NULL);
    stand_ok(context, project_play_pose(context, &play, 0.0, first));
    static const double times[] = {0.25, 0.5, 1.0};
    for (int i = 0; i < 3; ++i) {
        double turned = 0.0;
        stand_ok(context, project_play_pose(context, &play, times[i], at));
        stand_ok(context, project_play_pose(context, &play, times[i] + 2.0, again));
        for (int b = 0; b < 4; ++b) {
            assert_true(apart(at[b], again[b]) < 1e-12);
            turned = fmax(turned, er_v3_norm(er_q_log(er_q_mul(at[b].q, er_q_conj(first[b].q)))));
        }
        assert_true(fabs(turned - times[i] * 2.0 * acos(0.8)) < 1e-9); // at its end as far as it goes
    }
    stand_ok(context, project_play_pose(context, &play, -0.75, again));
    stand_ok(context, project_play_pose(context, &play, 0.25, at));
    for (int b = 0; b < 4; ++b)
        assert_true(apart(at[b], again[b]) < 1e-12);
    project_play_clear(&play);
    assert_true(play.model == NULL && play.local == NULL);
    er_rig_destroy(built);
}

// ---- placed bodies

// A chain whose last link hangs on a node that is no joint, turned, and goes with the link before.
static void chain_over_a_carried_node(hand *h)
{
    hand_init(h);
    int base = hand_node(h, "base", -1, hand_at(0, 0, 0)), middle = hand_node(h, "middle", base, hand_at(1, 0, 0));
    int carried =
        hand_node(h, "carried", middle, hand_turned(er_v3(0.5, 0.2, 0.1), er_v3(0.3, 0.2, 0.4), er_v3(1, 1, 1)));
    int tip = hand_node(h, "tip", carried, hand_turned(er_v3(0.6, 0, 0), er_v3(0, 0.5, 0), er_v3(1, 1, 1)));
    const int joints[] = {base, middle, tip};
    int mesh = hand_mesh(h);
    for (int i = 0; i < 3; ++i)
        hand_box(h, er_v3(i + 0.1, -0.1, -0.05 * (i + 1)), er_v3(i + 0.9, 0.1, 0.05), i);
    hand_draw(h, hand_node(h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(h, "chain", 3, joints));
}

static void expect_places(const er_scene *scene, int count, const rig_place *place, const er_pose *expected)
{
    project_request request = project_default_request();
    er_rig *placed = NULL;
    request.rig.pose = ER_POSE_GIVEN;
    request.place = place;
    request.place_count = count;
    stand_ok(context, project_build_rig(context, scene, &request, NULL, NULL, &placed));
    for (int b = 0; b < placed->model->body_count; ++b)
        measure_at_most("placed bodies", apart(placed->model->body[b].pose, expected[b]), 1e-9);
    er_rig_destroy(placed);
}

static void bodies_below_a_node_that_is_carried_are_placed(void **state)
{
    static hand h;
    chain_over_a_carried_node(&h);
    er_rig *rest = hand_rig(context, &h.scene, NULL);
    assert_int_equal(rest->model->body_count, 3);
    int middle = hand_body(rest->model, "middle", false), tip = hand_body(rest->model, "tip", false);
    er_vec3 turn = er_v3(0.2, -0.4, 0.3);
    er_pose was[3], now[3];
    for (int b = 0; b < 3; ++b)
        was[b] = now[b] = rest->model->body[b].pose;
    const rig_place places[] = {{.name = "middle", .body = -1, .turn = turn},
                                {.body = tip, .at = true, .position = er_v3(4, 5, 6)}};
    // turned where it is, and what hangs on it goes along
    now[middle].q = er_q_mul(er_q_exp(turn), was[middle].q);
    er_pose by = er_pose_mul(now[middle], er_pose_inverse(was[middle]));
    now[tip] = er_pose_mul(by, was[tip]);
    expect_places(&h.scene, 1, places, now);
    // one that is placed as well keeps the way it came to face
    now[tip].p = er_v3(4, 5, 6);
    expect_places(&h.scene, 2, places, now);
    const rig_place lost[] = {{.name = "nobody", .body = -1}, {.name = "base", .body = tip}, {.body = 3}};
    for (int i = 0; i < 3; ++i) {
        project_request request = project_default_request();
        er_rig *none = rest;
        request.rig.pose = ER_POSE_GIVEN;
        request.place = &lost[i];
        request.place_count = 1;
        assert_int_equal(project_build_rig(context, &h.scene, &request, NULL, NULL, &none), ER_ERROR_ARGUMENT);
        assert_null(none);
    }
    er_rig_destroy(rest);
    h.node[0].name = "tip"; // the base too
    const rig_place twice = {.name = "tip", .body = -1, .turn = turn};
    project_request request = project_default_request();
    er_rig *none = NULL;
    request.rig.pose = ER_POSE_GIVEN;
    request.place = &twice;
    request.place_count = 1;
    assert_refusal(context, project_build_rig(context, &h.scene, &request, NULL, NULL, &none), ER_ERROR_ARGUMENT,
                   "\"tip\"");
}

// ---- descriptions

// The line of a description that says what a body hangs on; whether it is said, not only told.
static bool says(const char *text, const char *line)
{
    char said[200], told[200];
    snprintf(said, sizeof said, "\n        %s, --", line);
    snprintf(told, sizeof told, "\n        -- %s, --", line);
    bool is_said = strstr(text, said) != NULL;
    if (is_said == (strstr(text, told) != NULL)) fail_msg("not there, or twice: %s", line);
    return is_said;
}

static char *description_of(const er_rig *built)
{
    static char text[20000];
    project_request request = project_default_request();
    char path[] = "description-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    stand_ok(context, project_write_description(context, &request, built, built->model, path));
    close(file);
    FILE *f = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    unlink(path);
    return text;
}

// Else it could not be read back.
static void only_names_that_one_bone_has_are_said(void **state)
{
    static hand h;
    chain_over_a_carried_node(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    const char *text = description_of(built);
    assert_false(says(text, "[\"base\"] = false")); // a root unless something else is said
    assert_true(says(text, "[\"middle\"] = \"base\""));
    assert_true(says(text, "[\"tip\"] = \"middle\""));
    er_rig_destroy(built);
    h.node[0].name = "tip"; // the base too
    built = hand_rig(context, &h.scene, NULL);
    text = description_of(built);
    assert_false(says(text, "[\"tip\"] = false"));
    assert_false(says(text, "[\"middle\"] = \"tip\""));
    assert_false(says(text, "[\"tip\"] = \"middle\""));
    er_rig_destroy(built);
}

// ---- figures

// Two springy hinges that hold a rod each: two elastic modes; the figure counts what it shows.
static void a_figure_tells_how_much_it_shows(void **state)
{
    static hand h;
    chain_over_a_carried_node(&h);
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    def.root = ER_ROOT_FIXED;
    er_rig *built = hand_rig(context, &h.scene, &def);
    er_modes *modes = rig_modes(context, built->model, ER_MODAL_AUTO);
    assert_int_equal(modes->count, 2);
    char path[] = "figure-XXXXXX.svg", text[100000], line[200];
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    close(file);
    for (int shapes = 0; shapes < 4; ++shapes) {
        stand_ok(context, project_plot_modes(context, built->model, modes, NULL, shapes, path));
        FILE *f = fopen(path, "r");
        size_t size = fread(text, 1, sizeof text - 1, f);
        fclose(f);
        text[size] = '\0';
        assert_true(size > 0 && size < sizeof text - 1);
        snprintf(line, sizeof line, ", %d drawn", shapes < 2 ? shapes : 2);
        assert_non_null(strstr(text, line));
    }
    unlink(path);
    assert_refusal(context, project_plot_modes(context, built->model, modes, NULL, 2, "figure.png"), ER_ERROR_ARGUMENT,
                   "figure.png");
    assert_int_not_equal(access("figure.png", F_OK), 0);
    er_modes_destroy(modes);
    er_rig_destroy(built);
}

// ---- formats

static void endings_are_known_in_any_case(void **state)
{
    static const char *const many[] = {"a.glb", "b/a.GLTF", "a.Fbx", "a.html"}, *const one[] = {"a.dae", "a.BVH",
                                                                                                "a.csv", "a.npz",
                                                                                                "x.SVG"};
    for (int i = 0; i < 4; ++i)
        assert_true(project_holds_clips(project_find_format(many[i])));
    for (int i = 0; i < 5; ++i)
        assert_true(project_find_format(one[i])->single && !project_holds_clips(project_find_format(one[i])));
    for (int i = 0; i < 5; ++i)
        assert_true(project_find_format(one[i])->curves == (i >= 2));
    assert_ptr_equal(project_find_format("-"), project_find_format("x.glb"));
    assert_null(project_find_format("a.obj"));
    assert_null(project_find_format("glb"));
    assert_false(project_holds_clips(NULL));
    assert_string_equal(project_format_endings(true), ".glb, .gltf, .vrm, .vrma, .fbx or .html");
    assert_string_equal(project_format_endings(false),
                        ".glb, .gltf, .vrm, .vrma, .fbx, .html, .dae, .bvh, .csv, .npz or .svg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistyped_words_are_known_by_letters),
        cmocka_unit_test(a_loop_tells_of_frequencies_that_moved_and_frames_that_lack),
        cmocka_unit_test(a_clip_to_lie_upon_lasts_for_a_while),
        cmocka_unit_test(a_mix_tells_of_modes_that_are_less_like),
        cmocka_unit_test(mixes_ask_for_as_many_modes_as_they_name),
        cmocka_unit_test(a_mix_that_swells_or_dies_away_is_shaped),
        cmocka_unit_test(the_joints_that_move_most_come_first),
        cmocka_unit_test(components_follow_modes_that_change_places),
        cmocka_unit_test(a_loop_moves_as_far_as_it_can),
        cmocka_unit_test(what_was_asked_wins_over_a_description),
        cmocka_unit_test(a_palette_is_recorded_until_somebody_ends_it),
        cmocka_unit_test(bodies_below_a_node_that_is_carried_are_placed),
        cmocka_unit_test(a_gait_is_played_between_its_frames),
        cmocka_unit_test(a_clip_is_played_over_and_over),
        cmocka_unit_test(only_names_that_one_bone_has_are_said),
        cmocka_unit_test(a_figure_tells_how_much_it_shows),
        cmocka_unit_test(endings_are_known_in_any_case),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
