// What the studio does for whoever asks, without a model open: words that may be meant, what is told of motions, poses
// of bodies that are placed, clips to lie upon, formats.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../modal/judge.h"
#include "../rig/hand.h"
#include "stand.h"
#include "studio/like.h"
#include "studio/open.h"
#include "studio/outputs.h"
#include "studio/record.h"
#include "studio/stage.h"

static er_context *context;

static int set_up(void **state)
{
    (void)state;
    return er_context_create(NULL, &context);
}

static int tear_down(void **state)
{
    (void)state;
    measured_report();
    er_context_destroy(context);
    return 0;
}

// ---- words

static const char longest[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk";

static void mistyped_words_are_known_by_letters(void **state)
{
    (void)state;
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
        studio_likeness l = {.word = cases[i].word};
        for (int k = 0; k < 3 && cases[i].known[k] != NULL; ++k)
            studio_liken(&l, cases[i].known[k]);
        if (cases[i].best == NULL)
            assert_null(l.best);
        else
            assert_string_equal(l.best, cases[i].best);
        assert_int_equal(l.off, cases[i].off);
    }
    char longer[sizeof longest + 1];
    snprintf(longer, sizeof longer, "%sx", longest);
    studio_likeness l = {.word = longest};
    studio_liken(&l, longer);
    assert_null(l.best);
}

// ---- what is told

typedef struct heard {
    char text[8][200];
    er_note_kind kind[8];
    int count;
} heard;

static void hear(void *user, er_note_kind kind, const char *text)
{
    heard *h = user;
    assert_true(h->count < 8);
    snprintf(h->text[h->count], sizeof h->text[0], "%s", text);
    h->kind[h->count++] = kind;
}

// One hinge to the world, swinging at 2 Hz.
static er_model *pendulum(void)
{
    static rig r;
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity())->stiffness[0] = 2.1 * 16.0 * ER_PI * ER_PI;
    return rig_model(context, &r);
}

static void expect_told(const char *words, double duration, double fps, const char *const *told)
{
    heard h = {.count = 0};
    const studio_listener listener = {hear, &h};
    er_model *model = pendulum();
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_motion_def def = er_default_motion_def();
    def.duration = duration;
    def.loop = true;
    def.fps = fps;
    assert_true(fabs(modes->mode[0].frequency_hz - 2.0) < 1e-9);
    stand_ok(context, studio_read_mix(context, words, &mix));
    stand_ok(context, studio_make_motion(context, model, modes, mix, &def, &listener, &motion));
    int count = 0;
    for (; told[count] != NULL; ++count) {
        assert_true(count < h.count);
        assert_string_equal(h.text[count], told[count]);
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
    (void)state;
    expect_told("0:10", 1.0, 60.0, (const char *[]){NULL});
    expect_told("0:10@2.15", 1.0, 60.0, (const char *[]){NULL}); // 7 %
    expect_told("0:10@2.4", 1.0, 60.0,
                (const char *[]){"mode 0 sounds at 2 Hz in place of 2.4, -17 %, to fit whole cycles in 1 s", NULL});
    expect_told("0:10@1.6", 1.0, 60.0,
                (const char *[]){"mode 0 sounds at 2 Hz in place of 1.6, +25 %, to fit whole cycles in 1 s", NULL});
    expect_told("0:10", 1.0, 12.0, (const char *[]){NULL}); // six frames a cycle
    expect_told("0:10", 1.0, 11.0,
                (const char *[]){"mode 0 at 2 Hz gets 5.5 frames a cycle; 24 a second would do", NULL});
}

static void a_clip_to_lie_upon_lasts_for_a_while(void **state)
{
    (void)state;
    heard h = {.count = 0};
    const studio_listener listener = {hear, &h};
    er_clip clips[] = {{.name = "run", .duration = 1.0}, {.name = "stand", .duration = 0.0}};
    er_scene scene = {.clip_count = 2, .clip = clips};
    const er_clip *over = clips;
    stand_ok(context, studio_find_over(context, &scene, NULL, &listener, &over));
    assert_null(over);
    stand_ok(context, studio_find_over(context, &scene, "run", &listener, &over));
    assert_ptr_equal(over, &clips[0]);
    assert_int_equal(h.count, 0);
    stand_ok(context, studio_find_over(context, &scene, "stand", &listener, &over));
    assert_null(over);
    assert_int_equal(h.count, 1);
    assert_non_null(strstr(h.text[0], "\"stand\" is a pose"));
    assert_int_equal(studio_find_over(context, &scene, "stand", NULL, &over), ER_ERROR_ARGUMENT);
    assert_null(over);
    assert_int_equal(studio_find_over(context, &scene, "walk", &listener, &over), ER_ERROR_ARGUMENT);
    assert_int_equal(studio_find_over(context, NULL, "run", &listener, &over), ER_ERROR_ARGUMENT);
    assert_null(over);
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
    (void)state;
    static hand h;
    hand_chain(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, built->model, ER_MODAL_AUTO);
    studio_stage stage;
    studio_palette palette;
    int left = 3;
    stand_ok(context, studio_stage_set(context, built->model, built, &stage));
    studio_progress progress = {stop_after, &left};
    assert_int_equal(
        studio_record_palette(context, built->model, modes, 20.0, &stage.target, NULL, &progress, &palette),
        ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), "ended"));
    assert_true(left == 0 && palette.count == 0 && palette.take == NULL);
    left = 1000;
    stand_ok(context,
             studio_record_palette(context, built->model, modes, 20.0, &stage.target, NULL, &progress, &palette));
    assert_int_equal(palette.count, modes->count - modes->rigid_count);
    assert_int_equal(left, 1000 - palette.count);
    char name[64];
    for (int i = 0; i < palette.count; ++i) {
        double hz = modes->mode[6 + i].frequency_hz;
        snprintf(name, sizeof name, "mode %02d  %.2f Hz", 6 + i, hz);
        assert_string_equal(palette.take[i]->clip.name, name);
        measure_at_most("period of a clip", fabs(palette.take[i]->clip.duration * hz - 1.0), 1e-9);
    }
    studio_palette_clear(&palette);
    studio_stage_clear(&stage);
    er_modes_destroy(modes);
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

static double apart(er_pose a, er_pose b)
{
    return fmax(er_v3_distance(a.p, b.p), 1.0 - fabs(er_q_dot(a.q, b.q)));
}

static void expect_places(const er_scene *scene, int count, const sidecar_place *place, const er_pose *expected)
{
    studio_asked asked = studio_default_asked();
    er_rig *placed = NULL;
    asked.rig.pose = ER_POSE_GIVEN;
    asked.place = place;
    asked.place_count = count;
    stand_ok(context, studio_build_rig(context, scene, &asked, NULL, NULL, &placed));
    for (int b = 0; b < placed->model->body_count; ++b)
        measure_at_most("placed bodies", apart(placed->model->body[b].pose, expected[b]), 1e-9);
    er_rig_destroy(placed);
}

static void bodies_below_a_node_that_is_carried_are_placed(void **state)
{
    (void)state;
    static hand h;
    chain_over_a_carried_node(&h);
    er_rig *rest = hand_rig(context, &h.scene, NULL);
    assert_int_equal(rest->model->body_count, 3);
    int middle = hand_body(rest->model, "middle", false), tip = hand_body(rest->model, "tip", false);
    er_vec3 turn = er_v3(0.2, -0.4, 0.3);
    er_pose was[3], now[3];
    for (int b = 0; b < 3; ++b)
        was[b] = now[b] = rest->model->body[b].pose;
    const sidecar_place places[] = {{.name = "middle", .body = -1, .turn = turn},
                                    {.body = tip, .at = true, .position = er_v3(4, 5, 6)}};
    // turned where it is, and what hangs on it goes along
    now[middle].q = er_q_mul(er_q_exp(turn), was[middle].q);
    er_pose by = er_pose_mul(now[middle], er_pose_inverse(was[middle]));
    now[tip] = er_pose_mul(by, was[tip]);
    expect_places(&h.scene, 1, places, now);
    // one that is placed as well keeps the way it came to face
    now[tip].p = er_v3(4, 5, 6);
    expect_places(&h.scene, 2, places, now);
    const sidecar_place lost[] = {{.name = "nobody", .body = -1}, {.name = "base", .body = tip}, {.body = 3}};
    for (int i = 0; i < 3; ++i) {
        studio_asked asked = studio_default_asked();
        er_rig *none = rest;
        asked.rig.pose = ER_POSE_GIVEN;
        asked.place = &lost[i];
        asked.place_count = 1;
        assert_int_equal(studio_build_rig(context, &h.scene, &asked, NULL, NULL, &none), ER_ERROR_ARGUMENT);
        assert_null(none);
    }
    er_rig_destroy(rest);
}

// ---- formats

static void endings_are_known_in_any_case(void **state)
{
    (void)state;
    static const char *const many[] = {"a.glb", "b/a.GLTF", "a.Fbx"}, *const one[] = {"a.dae", "a.BVH", "a.csv",
                                                                                      "a.npz", "x.SVG"};
    for (int i = 0; i < 3; ++i)
        assert_true(studio_holds_clips(studio_find_format(many[i])));
    for (int i = 0; i < 5; ++i)
        assert_true(studio_find_format(one[i])->single && !studio_holds_clips(studio_find_format(one[i])));
    for (int i = 0; i < 5; ++i)
        assert_true(studio_find_format(one[i])->curves == (i >= 2));
    assert_ptr_equal(studio_find_format("-"), studio_find_format("x.glb"));
    assert_null(studio_find_format("a.obj"));
    assert_null(studio_find_format("glb"));
    assert_false(studio_holds_clips(NULL));
    assert_string_equal(studio_format_endings(true), ".glb, .gltf or .fbx");
    assert_string_equal(studio_format_endings(false), ".glb, .gltf, .fbx, .dae, .bvh, .csv, .npz or .svg");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistyped_words_are_known_by_letters),
        cmocka_unit_test(a_loop_tells_of_frequencies_that_moved_and_frames_that_lack),
        cmocka_unit_test(a_clip_to_lie_upon_lasts_for_a_while),
        cmocka_unit_test(a_palette_is_recorded_until_somebody_ends_it),
        cmocka_unit_test(bodies_below_a_node_that_is_carried_are_placed),
        cmocka_unit_test(endings_are_known_in_any_case),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
