// VRM animation: which bones it names, and at which times they have keys.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "glb.h"
#include "support/hand.h"
#include "support/place.h"

static const er_export_def only_new = {.drop_clips = true, .tag = ER_DEF_TAG};

static int open_place(void **state)
{
    return place_open(state, "out.vrma", "again.vrma", "");
}

// A hand on an arm: each node below the one before, a metre above it; those with a role are bones.
static void make_limb(hand *h, int count, const char *const *roles)
{
    hand_init(h);
    for (int i = 0; i < count; ++i) {
        hand_node(h, "node", i - 1, hand_at(0, 1, 0));
        h->node[i].role = roles[i];
    }
}

static glb written(place *p, const er_scene *scene, int clip_count, const er_clip *clip)
{
    if (er_vrma_write(p->own, scene, clip_count, clip, NULL, p->out) != ER_OK) fail_msg("%s", er_context_error(p->own));
    return glb_open(p->out);
}

static const json_t *bones_of(const glb *g)
{
    const json_t *animation = json_object_get(json_object_get(g->root, "extensions"), "VRMC_vrm_animation");
    assert_string_equal(glb_text(animation, "specVersion"), "1.0");
    const json_t *used = json_object_get(g->root, "extensionsUsed");
    assert_int_equal(json_array_size(used), 1);
    assert_string_equal(json_string_value(json_array_get(used, 0)), "VRMC_vrm_animation");
    return json_object_get(json_object_get(animation, "humanoid"), "humanBones");
}

// VRM 0 calls the joints of thumbs otherwise. Eyes are no bones; each bone hangs on the nearest one above, as far away
// as in the scene, and faces the other way where the model does.
static void bones_have_the_names_of_vrm_1(void **state)
{
    place *p = *state;
    static const char *const roles[] = {"chest",
                                        NULL,
                                        "leftThumbProximal",
                                        "leftThumbIntermediate",
                                        "leftEye",
                                        "leftThumbDistal",
                                        "",
                                        "rightThumbProximal",
                                        "rightThumbIntermediate",
                                        "rightEye",
                                        "hips",
                                        "rightThumbDistal"};
    static const char *const old[] = {"chest",
                                      NULL,
                                      "leftThumbMetacarpal",
                                      "leftThumbProximal",
                                      NULL,
                                      "leftThumbDistal",
                                      NULL,
                                      "rightThumbMetacarpal",
                                      "rightThumbProximal",
                                      NULL,
                                      "hips",
                                      "rightThumbDistal"};
    for (int turned = 0; turned < 2; ++turned) {
        hand h;
        make_limb(&h, (int)ERI_COUNT(roles), roles);
        for (int i = 0; i < (int)ERI_COUNT(roles); ++i)
            h.node[i].local.translation = er_v3(0.1, 1.0, 0.01 * i);
        h.scene.forward = er_v3(0, 0, turned ? -1 : 1);
        glb g = written(p, &h.scene, 0, NULL);
        const json_t *bones = bones_of(&g);
        int count = 0, above = -1;
        er_vec3 since = er_v3(0, 0, 0); // the bone above
        for (int i = 0; i < (int)ERI_COUNT(roles); ++i) {
            since = er_v3_add(since, h.node[i].local.translation);
            if (old[i] == NULL) continue;
            const json_t *bone = json_object_get(bones, turned ? old[i] : roles[i]);
            if (bone == NULL) fail_msg("there is no %s", turned ? old[i] : roles[i]);
            assert_int_equal(glb_number(bone, "node"), count);
            const json_t *node = glb_element(&g, "nodes", count), *t = json_object_get(node, "translation");
            er_vec3 at = er_v3(json_number_value(json_array_get(t, 0)), json_number_value(json_array_get(t, 1)),
                               json_number_value(json_array_get(t, 2)));
            er_vec3 want = turned ? er_v3(-since.x, since.y, -since.z) : since;
            assert_true(er_v3_distance(at, want) < 1e-12);
            assert_null(json_object_get(node, "rotation"));
            assert_null(json_object_get(node, "scale"));
            if (above >= 0) {
                const json_t *children = json_object_get(glb_element(&g, "nodes", above), "children");
                assert_int_equal(json_integer_value(json_array_get(children, 0)), count);
            }
            above = count++;
            since = er_v3(0, 0, 0);
        }
        assert_int_equal(json_object_size(bones), count);
        assert_int_equal(json_array_size(json_object_get(g.root, "nodes")), count);
        assert_null(json_object_get(g.root, "animations"));
        glb_close(&g);
    }
}

static const char *const two[] = {"hips", "spine"};

// Times of the channels of a clip: of turns, which all bones share, and of the hips' way.
typedef struct keyed {
    int turns, places;
    const float *turn_time, *place_time, *turn[4], *place;
} keyed;

static keyed keys_of(const glb *g, int64_t animation, int bones)
{
    keyed k = {0};
    const json_t *a = glb_element(g, "animations", animation), *channels = json_object_get(a, "channels");
    assert_int_equal(json_array_size(channels), bones + 1);
    for (int i = 0; i <= bones; ++i) {
        const json_t *channel = json_array_get(channels, (size_t)i), *target = json_object_get(channel, "target");
        const json_t *sampler = json_array_get(json_object_get(a, "samplers"), (size_t)glb_number(channel, "sampler"));
        int64_t input = glb_number(sampler, "input"), output = glb_number(sampler, "output");
        int count = (int)glb_number(glb_element(g, "accessors", input), "count");
        assert_string_equal(glb_text(sampler, "interpolation"), "LINEAR");
        assert_string_equal(glb_text(target, "path"), i < bones ? "rotation" : "translation");
        assert_int_equal(glb_number(target, "node"), i < bones ? i : 0);
        if (i > 0 && i < bones) assert_int_equal(count, k.turns);
        if (i < bones) k.turns = count, k.turn_time = glb_floats(g, input), k.turn[i] = glb_floats(g, output);
        if (i == bones) k.places = count, k.place_time = glb_floats(g, input), k.place = glb_floats(g, output);
    }
    return k;
}

static void expect_times(int count, const float *got, int want_count, const double *want)
{
    assert_int_equal(count, want_count);
    for (int i = 0; i < count; ++i)
        if (!(fabs((double)got[i] - want[i]) < 1e-6)) fail_msg("key %d is at %g s, not %g", i, (double)got[i], want[i]);
}

static const double ends[] = {0.0, 1.0};

// Lines need the clip's times and its ends; a step takes 20 microseconds, or half the way to it.
static void lines_and_steps_have_the_keys_of_the_clip(void **state)
{
    place *p = *state;
    hand h;
    make_limb(&h, 2, two);
    static const double time[] = {0.25, 0.5, 0.50002, 1.0}, at[] = {0, 1, 0, 0, 2, 0, 0, 2, 1, 0, 3, 0};
    static const double turn[] = {0, 0, 0, 1, 0.6, 0, 0, 0.8, 0.6, 0, 0, 0.8, 0, 0, 0, 1};
    const er_channel lines[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, 4, time, at},
                                {1, ER_PATH_MORPH, ER_LINEAR, 2, ends, NULL}},
                     steps[] = {{0, ER_PATH_TRANSLATION, ER_STEP, 4, time, at},
                                {1, ER_PATH_ROTATION, ER_STEP, 4, time, turn}};
    const er_clip clips[] = {{"lines", 1.5, 2, lines}, {"steps", 1.0, 2, steps}};
    glb g = written(p, &h.scene, 2, clips);
    keyed k = keys_of(&g, 0, 2);
    expect_times(k.places, k.place_time, 6, (const double[]){0, 0.25, 0.5, 0.50002, 1.0, 1.5});
    expect_times(k.turns, k.turn_time, 6, (const double[]){0, 0.25, 0.5, 0.50002, 1.0, 1.5});
    static const double y[] = {1, 1, 2, 2, 3, 3};
    for (int i = 0; i < 6; ++i)
        assert_true(fabs((double)k.place[3 * i + 1] - y[i]) < 1e-6);
    k = keys_of(&g, 1, 2);
    expect_times(k.places, k.place_time, 8, (const double[]){0, 0.25, 0.49998, 0.5, 0.50001, 0.50002, 0.99998, 1.0});
    expect_times(k.turns, k.turn_time, 8, (const double[]){0, 0.25, 0.49998, 0.5, 0.50001, 0.50002, 0.99998, 1.0});
    static const double x[] = {0, 0, 0, 0.6, 0.6, 0.6, 0.6, 0};
    for (int i = 0; i < 8; ++i)
        assert_true(fabs((double)k.turn[1][4 * i] - x[i]) < 1e-6 && fabs((double)k.turn[0][4 * i + 3] - 1.0) < 1e-6);
    glb_close(&g);
}

// x = r t^2 is r h^2/4 off in the middle of h: an eighth of a spline is halved until that is 3e-6 of the hips' height,
// six times at most, and not below a millisecond.
static void splines_are_halved_until_they_are_lines(void **state)
{
    place *p = *state;
    static const struct {
        double reach, height, duration;
        int pieces;
    } cases[] = {{0.01, 1, 1, 32}, {0.01, 4, 1, 16}, {0.05, 1, 1, 128}, {1, 1, 1, 512},
                 {100, 1, 1, 512}, {1, 1, 0.02, 32}, {0, 1, 1, 8},      {-0.01, 1, 1, 32}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand h;
        make_limb(&h, 2, two);
        double r = cases[i].reach, y = cases[i].height, d = cases[i].duration, time[] = {0, d};
        h.node[0].local = hand_at(0, y, 0);
        double value[18] = {0, 0, 0, 0, y, 0, 0, 0, 0, 2 * r / d, 0, 0, r, y, 0, 2 * r / d, 0, 0};
        const er_channel channel = {0, ER_PATH_TRANSLATION, ER_CUBIC, 2, time, value};
        const er_clip clip = {"clip", d, 1, &channel};
        glb g = written(p, &h.scene, 1, &clip);
        keyed k = keys_of(&g, 0, 2);
        if (k.places != cases[i].pieces + 1) fail_msg("case %zu has %d keys", i, k.places);
        assert_int_equal(k.turns, 9); // which are lines all the way
        for (int n = 0; n < k.places; ++n) {
            double t = d * n / cases[i].pieces, x = r * (t / d) * (t / d);
            assert_true(fabs((double)k.place_time[n] - t) < 1e-6 &&
                        fabs((double)k.place[3 * n] - x) < 1e-5 * (fabs(r) + 1));
        }
        glb_close(&g);
    }
}

static er_quat quat_at(const float *v)
{
    return er_q((double)v[3], (double)v[0], (double)v[1], (double)v[2]);
}

// A bone on one that turns about another axis, with a node that turns between them: its own turn is no line of the
// clip's keys, and gets more of them; so few microradians are left that 32-bit floats tell.
static void turns_one_on_another_are_followed(void **state)
{
    place *p = *state;
    static const char *const roles[] = {"hips", "", "spine"};
    const double s = sin(0.05), c = cos(0.05);
    const double first[] = {0, 0, 0, 1, s, 0, 0, c}, second[] = {0, 0, 0, 1, 0, s, 0, c},
                 third[] = {0, 0, s, c, 0, 0, 0, 1};
    hand h;
    make_limb(&h, 3, roles);
    for (int i = 0; i < 3; ++i)
        h.node[i].local = hand_turned(er_v3(0.1, 1, 0), er_v3(0.3 * i, 0.2, 0.1), er_v3(1, 1, 1));
    const er_channel channels[] = {{0, ER_PATH_ROTATION, ER_LINEAR, 2, ends, first},
                                   {1, ER_PATH_ROTATION, ER_LINEAR, 2, ends, second},
                                   {2, ER_PATH_ROTATION, ER_LINEAR, 2, ends, third}};
    const er_clip clip = {"clip", 1.0, 3, channels};
    er_affine local[3], rest[3], world[3];
    er_scene_sample(&h.scene, NULL, 0.0, local);
    er_scene_world(&h.scene, local, rest);
    glb g = written(p, &h.scene, 1, &clip);
    keyed k = keys_of(&g, 0, 2);
    assert_true(k.turns > 8 && k.turns < 64); // the most would be 65
    double worst = 0.0;
    for (int i = 0; i + 1 < k.turns; ++i)
        for (int n = 0; n < 3; ++n) {
            double f = 0.25 + 0.25 * n, from = (double)k.turn_time[i], to = (double)k.turn_time[i + 1];
            er_scene_sample(&h.scene, &clip, from + f * (to - from), local);
            er_scene_world(&h.scene, local, world);
            er_quat turned[2], got[2];
            for (int b = 0; b < 2; ++b) {
                turned[b] = er_q_mul(er_q_from_m3(world[2 * b].linear), er_q_conj(er_q_from_m3(rest[2 * b].linear)));
                got[b] =
                    er_q_slerp(er_q_unit(quat_at(k.turn[b] + 4 * i)), er_q_unit(quat_at(k.turn[b] + 4 * i + 4)), f);
            }
            er_quat want = er_q_mul(er_q_conj(turned[0]), turned[1]);
            worst = fmax(worst, er_v3_norm(er_q_log(er_q_mul(er_q_conj(turned[0]), got[0]))));
            worst = fmax(worst, er_v3_norm(er_q_log(er_q_mul(er_q_conj(want), got[1]))));
        }
    if (!(worst < 3.5e-6)) fail_msg("off by %g", worst);
    glb_close(&g);
}

// Added clips come first; those of the scene are left out where only new ones are asked for.
static void clips_of_the_scene_come_after_the_new_ones(void **state)
{
    place *p = *state;
    hand h;
    make_limb(&h, 2, two);
    static const double at[] = {0, 1, 0, 0, 2, 0};
    const er_channel channel = {0, ER_PATH_TRANSLATION, ER_LINEAR, 2, ends, at};
    const er_clip own = {"nod", 1, 1, &channel}, added[] = {{"bow", 1, 1, &channel}, {"nod", 1, 1, &channel}};
    h.scene.clip = &own;
    h.scene.clip_count = 1;
    glb g = written(p, &h.scene, 2, added);
    static const char *const all[] = {"bow", "nod (2)", "nod"}, *const alone[] = {"bow", "nod"};
    assert_int_equal(json_array_size(json_object_get(g.root, "animations")), 3);
    for (int i = 0; i < 3; ++i)
        assert_string_equal(glb_text(glb_element(&g, "animations", i), "name"), all[i]);
    glb_close(&g);
    assert_int_equal(er_vrma_write(p->own, &h.scene, 2, added, &only_new, p->out), ER_OK);
    g = glb_open(p->out);
    assert_int_equal(json_array_size(json_object_get(g.root, "animations")), 2);
    for (int i = 0; i < 2; ++i)
        assert_string_equal(glb_text(glb_element(&g, "animations", i), "name"), alone[i]);
    glb_close(&g);
    h.scene.metres_per_unit = 0.01; // a node above turns all into metres
    g = written(p, &h.scene, 0, NULL);
    const json_t *top = glb_element(&g, "nodes", 2), *scale = json_object_get(top, "scale");
    assert_true(json_number_value(json_array_get(scale, 1)) == 0.01);
    assert_string_equal(glb_text(top, "name"), "eigenrig units");
    assert_int_equal(json_array_size(json_object_get(g.root, "animations")), 1);
    glb_close(&g);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(bones_have_the_names_of_vrm_1),
        TEST(lines_and_steps_have_the_keys_of_the_clip),
        TEST(splines_are_halved_until_they_are_lines),
        TEST(turns_one_on_another_are_followed),
        TEST(clips_of_the_scene_come_after_the_new_ones),
    };
    return cmocka_run_group_tests_name("vrma", tests, NULL, NULL);
}
