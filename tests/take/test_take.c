// Motions as keys on nodes, judged by what a player makes of them.
#include <eigenrig/take.h>

#include <stdio.h>
#include <string.h>

#include "../modal/judge.h"
#include "../rig/hand.h"
#include "base/arena.h"

static er_context *context;

static int set_up(void **state)
{
    (void)state;
    context = hand_context();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    measured_report();
    er_context_destroy(context);
    return 0;
}

// ---- takes

static er_take_target target_of(const er_rig *made)
{
    er_take_target target = {made->scene, made->node_body, NULL, made->world, made->metres_per_unit};
    return target;
}

// One period of a mode, `steps` frames of it.
static er_motion *motion_of(const er_model *m, const er_modes *modes, int k, double degrees)
{
    er_voice voice = er_default_voice();
    voice.mode = k;
    voice.degrees = degrees;
    er_mix mix = {.name = "", .voice_count = 1, .voice = &voice};
    er_motion_def def = er_default_motion_def();
    def.duration = 1.0 / modes->mode[k].frequency_hz;
    def.loop = true;
    er_motion *motion = NULL;
    if (er_motion_create(context, m, modes, &mix, &def, &motion) != ER_OK) fail_msg("%s", er_context_error(context));
    return motion;
}

static er_take *take_of(const er_model *m, const er_modes *modes, int k, const er_take_target *target, double degrees,
                        int steps)
{
    er_motion *motion = motion_of(m, modes, k, degrees);
    er_take_def def = er_default_take_def();
    def.fps = steps * modes->mode[k].frequency_hz;
    er_take *take = NULL;
    if (er_take_record(context, motion, target, &def, &take) != ER_OK) fail_msg("%s", er_context_error(context));
    assert_int_equal(take->frame_count, steps + 1);
    er_motion_destroy(motion);
    return take;
}

static double rotation_of(er_mat3 m, int j, double length)
{
    return length > 0.0 ? er_v3_norm(er_m3_column(m, j)) / length : 1.0;
}

static void expect_sound_keys(const er_scene *scene, const er_clip *clip)
{
    for (int c = 0; c < clip->channel_count; ++c) {
        const er_channel *ch = &clip->channel[c];
        int width = ch->path == ER_PATH_ROTATION ? 4 : 3, last = width * (ch->key_count - 1);
        assert_true(ch->node >= 0 && ch->node < scene->node_count);
        assert_int_equal(ch->interpolation, ER_LINEAR);
        assert_true(ch->time[0] == 0.0 && ch->time[ch->key_count - 1] == clip->duration);
        for (int i = 0; i < width; ++i)
            if (ch->value[i] != ch->value[last + i])
                fail_msg("node %d: first key %.17g, last %.17g", ch->node, ch->value[i], ch->value[last + i]);
        for (int k = 0; k < ch->key_count; ++k) {
            const double *v = ch->value + width * k;
            for (int i = 0; i < width; ++i)
                assert_true(isfinite(v[i]));
            if (ch->path != ER_PATH_ROTATION) continue;
            measure_at_most("norm of a quaternion",
                            fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) - 1.0), 1e-14);
            if (k > 0) assert_true(v[0] * v[-4] + v[1] * v[-3] + v[2] * v[-2] + v[3] * v[-1] > 0.0);
        }
    }
}

// The scene with this clip alone, as a player has it.
static er_scene played(const er_scene *scene, const er_clip *clip)
{
    er_scene s = *scene;
    s.clip = clip;
    s.clip_count = 1;
    return s;
}

// At every key, each node that a body moves must lie where the body's pose puts it.
static double key_error(const er_rig *made, const er_modes *modes, int mode, double degrees, const er_take *clip,
                        int steps, bool points_only)
{
    const er_model *m = made->model;
    er_scene s = played(made->scene, &clip->clip);
    int n = s.node_count;
    er_affine *local = calloc((size_t)n, sizeof *local), *world = calloc((size_t)n, sizeof *world);
    er_pose *pose = calloc((size_t)m->body_count, sizeof *pose);
    double worst = 0.0;
    er_motion *motion = motion_of(m, modes, mode, degrees);
    for (int k = 0; k <= steps; ++k) {
        double time = clip->clip.duration * k / steps;
        assert_int_equal(er_motion_poses(motion, 1, &time, NULL, pose), ER_OK);
        er_scene_sample(&s, &s.clip[0], time, local);
        er_scene_world(&s, local, world);
        for (int i = 0; i < n; ++i) {
            int b = made->node_body[i];
            if (b < 0) continue;
            er_affine moved = er_affine_from_pose(er_pose_mul(pose[b], er_pose_inverse(m->body[b].pose)));
            er_affine expected = made->world[i];
            expected.translation = er_v3_scale(made->metres_per_unit, expected.translation);
            expected = er_affine_mul(moved, expected);
            er_vec3 at = er_v3_scale(made->metres_per_unit, world[i].translation);
            worst = fmax(worst, er_v3_distance(at, expected.translation) / made->extent);
            for (int c = 0; c < 3 && !points_only; ++c) {
                er_vec3 x = er_m3_column(world[i].linear, c), y = er_m3_column(expected.linear, c);
                if (er_v3_norm(y) > 0.0) worst = fmax(worst, er_v3_distance(x, y) / er_v3_norm(y));
            }
        }
    }
    free(local);
    free(world);
    free(pose);
    er_motion_destroy(motion);
    return worst;
}

static void clips_hold_the_poses_of_the_mode(void **state)
{
    (void)state;
    static hand h;
    hand_chain(&h);
    // a parent with a scale, a toy in a mirrored hand, a pin below a speck
    for (int i = 0; i < HAND_LINKS; ++i)
        h.node[i].name = "link";
    int tip = hand_node(&h, "tip", 3, hand_turned(er_v3(1, 0, 0), er_v3(0.1, 0, 0), er_v3(-2, 2, 2)));
    hand_node(&h, "toy", tip, hand_turned(er_v3(0.1, 0.2, 0), er_v3(0, 0.4, 0), er_v3(1, 0.5, 1)));
    h.node[0].local = hand_turned(er_v3(0.3, 0.2, 0.1), er_v3(0.5, 0.1, 0), er_v3(3, 3, 3));
    er_rig_def def = er_default_rig_def();
    for (int root = 0; root < 2; ++root) {
        def.root = root == 0 ? ER_ROOT_FREE : ER_ROOT_FIXED;
        er_rig *chain = hand_rig(context, &h.scene, &def);
        er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
        er_take_target target = target_of(chain);
        for (int k = modes->rigid_count; k < modes->count; ++k) {
            static const int steps[] = {4, 7, 48};
            for (size_t i = 0; i < ER_COUNT(steps); ++i) {
                er_take *clip = take_of(chain->model, modes, k, &target, 60.0, steps[i]);
                measure_at_most("period", relative_error(clip->clip.duration, 1.0 / modes->mode[k].frequency_hz),
                                1e-15);
                expect_sound_keys(&h.scene, &clip->clip);
                measure_at_most("pose by keys", key_error(chain, modes, k, 60.0, clip, steps[i], false), 1e-6);
                er_scene s = played(&h.scene, &clip->clip);
                if (er_scene_validate(context, &s) != ER_OK) fail_msg("%s", er_context_error(context));
                er_take_destroy(clip);
            }
        }
        er_modes_destroy(modes);
        er_rig_destroy(chain);
    }
}

static void bones_keep_their_length_between_keys(void **state)
{
    (void)state;
    static hand h;
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_take_target target = target_of(chain);
    for (int k = modes->rigid_count; k < modes->count; ++k) {
        er_take *clip = take_of(chain->model, modes, k, &target, 60.0, 12);
        er_scene s = played(&h.scene, &clip->clip);
        for (int t = 0; t <= 100; ++t) {
            er_affine local[HAND_NODES], world[HAND_NODES];
            er_scene_sample(&s, &s.clip[0], clip->clip.duration * t / 100.0, local);
            er_scene_world(&s, local, world);
            for (int i = 1; i < HAND_LINKS; ++i) {
                measure_at_most("length of a bone",
                                fabs(er_v3_distance(world[i].translation, world[i - 1].translation) - 1.0), 1e-9);
                for (int c = 0; c < 3; ++c)
                    measure_at_most("scale of a bone", fabs(rotation_of(world[i].linear, c, 1.0) - 1.0), 1e-9);
            }
        }
        er_take_destroy(clip);
    }
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

static bool has_channel(const er_clip *clip, int node, er_path path)
{
    for (int c = 0; c < clip->channel_count; ++c)
        if (clip->channel[c].node == node && clip->channel[c].path == path) return true;
    return false;
}

static void clips_key_what_other_clips_key_and_no_more(void **state)
{
    (void)state;
    static hand h;
    hand_chain(&h);
    const double here[] = {1, 0, 0}, there[] = {1, 0.5, 0}, one[] = {1, 1, 1};
    hand_clip(&h, "stretch");
    hand_channel(&h, 2, ER_PATH_TRANSLATION, here, there);
    hand_channel(&h, 2, ER_PATH_SCALE, one, there);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_take_target target = target_of(chain);
    er_take *clip = take_of(chain->model, modes, modes->rigid_count, &target, 20.0, 48);
    for (int i = 0; i < HAND_LINKS; ++i) {
        assert_true(has_channel(&clip->clip, i, ER_PATH_ROTATION));
        assert_int_equal(has_channel(&clip->clip, i, ER_PATH_TRANSLATION), i == 0 || i == 2); // the root travels
        assert_int_equal(has_channel(&clip->clip, i, ER_PATH_SCALE), i == 2);
    }
    assert_false(has_channel(&clip->clip, 4, ER_PATH_ROTATION)); // what carries the skin stays
    er_take_destroy(clip);
    const bool keyed[] = {true, false, true, true, true};
    target.keyed = keyed;
    clip = take_of(chain->model, modes, modes->rigid_count, &target, 20.0, 48);
    assert_false(has_channel(&clip->clip, 1, ER_PATH_ROTATION));
    er_take_destroy(clip);
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

static void nodes_scaled_to_nothing_get_finite_keys(void **state)
{
    (void)state;
    static hand h;
    hand_chain(&h);
    int speck = hand_node(&h, "speck", 1, hand_turned(er_v3(0, 1, 0), er_v3(0, 0, 0), er_v3(0, 0, 0)));
    int pin = hand_node(&h, "pin", speck, hand_at(1, 0, 0));
    h.node[3].local = hand_turned(er_v3(1, 0, 0), er_v3(0, 0, 0), er_v3(0, 0, 0));
    int sleeve = hand_node(&h, "sleeve", 3, hand_at(1, 0, 0));
    const double there[] = {1, 0.5, 0}, here[] = {1, 0, 0};
    hand_clip(&h, "wriggle");
    hand_channel(&h, pin, ER_PATH_TRANSLATION, here, here);
    hand_channel(&h, sleeve, ER_PATH_TRANSLATION, here, there);
    hand_channel(&h, sleeve, ER_PATH_SCALE, there, there);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_take_target target = target_of(chain);
    for (int k = modes->rigid_count; k < modes->count; ++k) {
        er_take *clip = take_of(chain->model, modes, k, &target, 30.0, 16);
        expect_sound_keys(&h.scene, &clip->clip);
        er_take_destroy(clip);
    }
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

static void real_models_play_their_modes(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool points_only; // uneven scales shear what hangs below them: places hold, axes cannot
    } rows[] = {{"CesiumMan.glb", false},   {"Fox.glb", false},
                {"Snake.glb", false},       {"greenman.glb", false},
                {"walk.dae", false},        {"quaternius_horse.fbx", false},
                {"SimpleSkin.gltf", false}, {"kenney_character.glb", false},
                {"maya_sausage.fbx", true}};
    for (size_t i = 0; i < ER_COUNT(rows); ++i) {
        er_scene *scene = hand_import(context, rows[i].file);
        if (scene == NULL) skip();
        er_rig *made = hand_rig(context, scene, NULL);
        er_modes *modes = rig_modes(context, made->model, ER_MODAL_AUTO);
        er_take_target target = target_of(made);
        for (int k = modes->rigid_count; k < modes->count && k < modes->rigid_count + 3; ++k) {
            er_take *clip = take_of(made->model, modes, k, &target, 20.0, 24);
            expect_sound_keys(scene, &clip->clip);
            double error = key_error(made, modes, k, 20.0, clip, 24, rows[i].points_only);
            if (!(error <= 1e-6)) print_message("# %s, mode %d\n", rows[i].file, k);
            measure_at_most("pose of a real model by keys", error, 1e-6);
            er_take_destroy(clip);
        }
        er_modes_destroy(modes);
        er_rig_destroy(made);
        er_scene_destroy(scene);
    }
}

static void a_loop_that_cannot_follow_says_how_far_it_can(void **state)
{
    (void)state;
    static rig r;
    static double odd[][2] = {{0, 0}, {2, 0.1}, {1.7, 1.4}, {0.2, 1}};
    memset(&r, 0, sizeof r);
    rig_loop(&r, 4, odd, er_pose_identity(), 3.0);
    er_model *m = rig_model(context, &r);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    const int *node_body = NULL;
    er_scene *scene = NULL;
    assert_int_equal(er_rig_bone_scene(context, m, NULL, &scene, &node_body), ER_OK);
    er_affine world[HAND_NODES];
    hand_world(scene, world);
    er_take_target target = {scene, node_body, NULL, world, 1.0};
    bool less = false;
    for (int k = modes->rigid_count; k < modes->count; ++k) {
        er_motion *motion = motion_of(m, modes, k, 175.0);
        er_take *take = NULL;
        er_result result = er_take_record(context, motion, &target, NULL, &take);
        if (result != ER_OK) assert_non_null(strstr(er_context_error(context), "amplitudes only"));
        double share;
        assert_int_equal(er_motion_reach(motion, 60.0, &share), ER_OK);
        assert_int_equal(share < 1.0, result == ER_ERROR_NO_CONVERGENCE);
        assert_true(share > 0.0);
        less |= share < 1.0;
        er_take_destroy(take);
        er_motion_destroy(motion);
        take = take_of(m, modes, k, &target, 175.0 * share, 16);
        expect_sound_keys(scene, &take->clip);
        er_take_destroy(take);
        // without a leap from one moment to the next
        er_pose pose[2][4];
        motion = motion_of(m, modes, k, 175.0 * share);
        assert_int_equal(er_motion_poses(motion, 1, &(double){0.0}, NULL, pose[0]), ER_OK);
        for (int i = 1; i <= 720; ++i) {
            double time = motion->duration * i / 720;
            assert_int_equal(er_motion_poses(motion, 1, &time, NULL, pose[i % 2]), ER_OK);
            for (int b = 0; b < 4; ++b) {
                er_quat step = er_q_mul(er_q_conj(pose[0][b].q), pose[1][b].q);
                measure_at_most("leap of a loop, of what is even",
                                er_v3_norm(er_q_log(step)) * 180.0 / ER_PI / (175.0 * share * 2.0 * ER_PI / 720), 4.0);
            }
        }
        er_motion_destroy(motion);
    }
    assert_true(less);
    er_scene_destroy(scene);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_hold_the_poses_of_the_mode),
        cmocka_unit_test(bones_keep_their_length_between_keys),
        cmocka_unit_test(clips_key_what_other_clips_key_and_no_more),
        cmocka_unit_test(nodes_scaled_to_nothing_get_finite_keys),
        cmocka_unit_test(real_models_play_their_modes),
        cmocka_unit_test(a_loop_that_cannot_follow_says_how_far_it_can),
    };
    return cmocka_run_group_tests_name("take", tests, set_up, tear_down);
}
