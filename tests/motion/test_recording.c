// Motions as keys on nodes, judged by what a player makes of them.
#include <eigenrig/motion.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "motion/signal.h"
#include "scene/trs.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"

// ---- takes

static er_recording_target target_of(const er_rig *made)
{
    er_recording_target target = {made->scene, made->node_body, NULL, made->world, made->metres_per_unit};
    return target;
}

// The same of a rig's own bones.
static er_recording_target target_of_bones(const er_model *m, er_scene **scene, er_affine *world)
{
    er_recording_target target = {.world = world, .metres_per_unit = 1.0};
    assert_int_equal(er_rig_bone_scene(context, m, NULL, scene, &target.node_body), ER_OK);
    hand_world(*scene, world);
    target.scene = *scene;
    return target;
}

static er_model *odd_loop(void)
{
    static rig r;
    static double odd[][2] = {{0, 0}, {2, 0.1}, {1.7, 1.4}, {0.2, 1}};
    memset(&r, 0, sizeof r);
    rig_loop(&r, 4, odd, er_pose_identity(), 3.0);
    return rig_model(context, &r);
}

// One period of a mode, `steps` frames of it.
static er_motion *motion_of(const er_model *m, const er_modes *modes, int k, double degrees)
{
    er_mix_component component = er_default_mix_component();
    component.mode = k;
    component.degrees = degrees;
    er_mix mix = {.name = "", .component_count = 1, .component = &component};
    er_motion_def def = er_default_motion_def();
    def.duration = 1.0 / modes->mode[k].frequency_hz;
    def.loop = true;
    er_motion *motion = NULL;
    if (er_motion_create(context, m, modes, &mix, &def, &motion) != ER_OK) fail_msg("%s", er_context_error(context));
    return motion;
}

static er_recording *take_of(const er_model *m, const er_modes *modes, int k, const er_recording_target *target,
                             double degrees, int steps)
{
    er_motion *motion = motion_of(m, modes, k, degrees);
    er_recording_def def = er_default_recording_def();
    def.fps = steps * modes->mode[k].frequency_hz;
    er_recording *recording = NULL;
    if (er_motion_record(context, motion, target, &def, &recording) != ER_OK) fail_msg("%s", er_context_error(context));
    assert_int_equal(recording->frame_count, steps + 1);
    er_motion_destroy(motion);
    return recording;
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

// The scene with this clip alone, as a player has it; fails the test when it is not valid.
static er_scene playable(const er_scene *scene, const er_clip *clip)
{
    er_scene s = *scene;
    s.clip = clip;
    s.clip_count = 1;
    if (er_scene_validate(context, &s) != ER_OK) fail_msg("%s", er_context_error(context));
    return s;
}

// At every key, each node that a body moves must lie where the body's pose puts it.
static double key_error(const er_rig *made, const er_modes *modes, int mode, double degrees, const er_recording *clip,
                        int steps, bool points_only)
{
    const er_model *m = made->model;
    er_scene s = playable(made->scene, &clip->clip);
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
        er_recording_target target = target_of(chain);
        for (int k = modes->rigid_count; k < modes->count; ++k) {
            static const int steps[] = {4, 7, 48};
            for (size_t i = 0; i < ERI_COUNT(steps); ++i) {
                er_recording *clip = take_of(chain->model, modes, k, &target, 60.0, steps[i]);
                measure_at_most("period", relative_error(clip->clip.duration, 1.0 / modes->mode[k].frequency_hz),
                                1e-15);
                expect_sound_keys(&h.scene, &clip->clip);
                measure_at_most("pose by keys", key_error(chain, modes, k, 60.0, clip, steps[i], false), 1e-6);
                playable(&h.scene, &clip->clip);
                er_recording_destroy(clip);
            }
        }
        er_modes_destroy(modes);
        er_rig_destroy(chain);
    }
}

static const er_channel *channel_of(const er_clip *clip, int node, er_path path)
{
    for (int c = 0; c < clip->channel_count; ++c)
        if (clip->channel[c].node == node && clip->channel[c].path == path) return &clip->channel[c];
    return NULL;
}

static bool has_channel(const er_clip *clip, int node, er_path path)
{
    return channel_of(clip, node, path) != NULL;
}

static void clips_key_what_other_clips_key_and_no_more(void **state)
{
    static hand h;
    hand_chain(&h);
    const double here[] = {1, 0, 0}, there[] = {1, 0.5, 0}, one[] = {1, 1, 1};
    hand_clip(&h, "stretch");
    hand_channel(&h, 2, ER_PATH_TRANSLATION, here, there);
    hand_channel(&h, 2, ER_PATH_SCALE, one, there);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_recording_target target = target_of(chain);
    er_recording *clip = take_of(chain->model, modes, modes->rigid_count, &target, 20.0, 48);
    for (int i = 0; i < HAND_LINKS; ++i) {
        assert_true(has_channel(&clip->clip, i, ER_PATH_ROTATION));
        assert_int_equal(has_channel(&clip->clip, i, ER_PATH_TRANSLATION), i == 0 || i == 2); // the root travels
        assert_int_equal(has_channel(&clip->clip, i, ER_PATH_SCALE), i == 2);
    }
    assert_false(has_channel(&clip->clip, 4, ER_PATH_ROTATION)); // what carries the skin stays
    er_recording_destroy(clip);
    const bool keyed[] = {true, false, true, true, true};
    target.keyed = keyed;
    clip = take_of(chain->model, modes, modes->rigid_count, &target, 20.0, 48);
    assert_false(has_channel(&clip->clip, 1, ER_PATH_ROTATION));
    er_recording_destroy(clip);
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

static void nodes_scaled_to_nothing_get_finite_keys(void **state)
{
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
    er_recording_target target = target_of(chain);
    for (int k = modes->rigid_count; k < modes->count; ++k) {
        er_recording *clip = take_of(chain->model, modes, k, &target, 30.0, 16);
        expect_sound_keys(&h.scene, &clip->clip);
        er_recording_destroy(clip);
    }
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

static void a_loop_that_cannot_follow_says_how_far_it_can(void **state)
{
    er_model *m = odd_loop();
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_scene *scene = NULL;
    er_affine world[HAND_NODES];
    er_recording_target target = target_of_bones(m, &scene, world);
    bool less = false;
    for (int k = modes->rigid_count; k < modes->count; ++k) {
        er_motion *motion = motion_of(m, modes, k, 175.0);
        er_recording *recording = NULL;
        er_result result = er_motion_record(context, motion, &target, NULL, &recording);
        char known[40];
        double share;
        assert_int_equal(er_motion_reach(motion, 60.0, &share), ER_OK);
        snprintf(known, sizeof known, "%.3g degrees of mode %d", 175.0 * share, k);
        if (result != ER_OK) assert_refusal(context, result, ER_ERROR_NO_CONVERGENCE, known);
        assert_int_equal(share < 1.0, result == ER_ERROR_NO_CONVERGENCE);
        assert_true(share > 0.0);
        less |= share < 1.0;
        er_recording_destroy(recording);
        er_motion_destroy(motion);
        recording = take_of(m, modes, k, &target, 175.0 * share, 16);
        expect_sound_keys(scene, &recording->clip);
        er_recording_destroy(recording);
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

// ---- few keys

// Two modes of a chain, looping.
static er_motion *wave_of(const er_model *m, const er_modes *modes, double degrees, bool loop)
{
    er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
    for (int i = 0; i < 2; ++i) {
        component[i].mode = modes->rigid_count + i;
        component[i].degrees = degrees;
        component[i].hz = 1.0 + i;
        component[i].phase = 0.3;
    }
    const er_mix mix = {.component_count = 2, .component = component};
    er_motion_def def = er_default_motion_def();
    def.duration = loop ? 2.0 : 1.9;
    def.loop = loop;
    er_motion *motion = NULL;
    if (er_motion_create(context, m, modes, &mix, &def, &motion) != ER_OK) fail_msg("%s", er_context_error(context));
    return motion;
}

static er_recording *record(er_motion *motion, const er_recording_target *target, const er_recording_def *def)
{
    er_recording *recording = NULL;
    if (er_motion_record(context, motion, target, def, &recording) != ER_OK) fail_msg("%s", er_context_error(context));
    return recording;
}

// The local transforms that a motion gives the nodes, from poses and the worlds at rest.
static void moved_nodes(er_motion *motion, const er_recording_target *target, double time, er_affine *local)
{
    static er_pose pose[RIG_MAX];
    er_affine world[HAND_NODES];
    const er_model *m = motion->model;
    const er_scene *scene = target->scene;
    assert_int_equal(er_motion_poses(motion, 1, &time, NULL, pose), ER_OK);
    for (int i = 0; i < scene->node_count; ++i) {
        int b = target->node_body[i], parent = scene->node[i].parent;
        world[i] = target->world[i];
        if (b >= 0) {
            er_pose moved = er_pose_mul(pose[b], er_pose_inverse(m->body[b].pose));
            moved.p = er_v3_scale(1.0 / target->metres_per_unit, moved.p);
            world[i] = er_affine_mul(er_affine_from_pose(moved), world[i]);
        }
        local[i] = parent < 0 ? world[i] : er_affine_mul(er_affine_inverse(world[parent]), world[i]);
    }
}

static double turn_between(er_affine a, er_affine b)
{
    er_mat3 d = er_m3_mul(er_m3_transpose(a.linear), b.linear);
    return er_v3_norm(er_q_log(er_q_from_m3(d)));
}

static void few_keys_stay_as_near_as_is_asked(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_recording_target target = target_of(chain);
    static const double tolerances[] = {1e-1, 1e-2, 1e-3};
    for (int which = 0; which < 12; ++which) {
        bool cubic = which % 2 == 1, loop = which / 2 % 2 == 1;
        er_motion *motion = wave_of(chain->model, modes, 40.0, loop);
        er_recording_def def = er_default_recording_def();
        def.tolerance = tolerances[which / 4];
        def.cubic = cubic;
        er_recording *recording = record(motion, &target, &def);
        er_scene s = playable(&h.scene, &recording->clip);
        assert_true(recording->error <= def.tolerance);
        int frames = (int)ceil(motion->duration * 60.0), keys = 0, most = 0;
        for (int c = 0; c < recording->clip.channel_count; ++c) {
            const er_channel *ch = &recording->clip.channel[c];
            assert_true(ch->time[0] == 0.0 && ch->time[ch->key_count - 1] == motion->duration);
            keys += ch->key_count;
            most = ch->key_count > most ? ch->key_count : most;
            if (ch->path == ER_PATH_ROTATION && ch->key_count > 2)
                assert_int_equal(ch->interpolation, cubic ? ER_CUBIC : ER_LINEAR);
        }
        assert_int_equal(keys, recording->key_count);
        if (def.tolerance >= 1e-2) // nearer, chords need more than 60 a second, which they are chosen from
            measure_at_most(cubic ? "cubic keys of frames" : "linear keys of frames", (double)most / frames,
                            cubic ? 0.25 : 0.8);
        for (int k = 0; k <= 10 * frames; ++k) {
            er_affine shown[HAND_NODES], asked[HAND_NODES];
            double time = motion->duration * k / (10.0 * frames);
            er_scene_sample(&s, &s.clip[0], time, shown);
            moved_nodes(motion, &target, time, asked);
            for (int i = 0; i < HAND_LINKS; ++i) {
                measure_at_most("turn by few keys, of the tolerance", turn_between(shown[i], asked[i]) / def.tolerance,
                                1.01);
                measure_at_most("shift by few keys, of the tolerance",
                                er_v3_distance(shown[i].translation, asked[i].translation) /
                                    (0.5 * chain->model->size * def.tolerance),
                                1.01);
            }
        }
        er_recording_destroy(recording);
        er_motion_destroy(motion);
    }
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

static void loops_close_in_value_and_tangent(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_recording_target target = target_of(chain);
    er_motion *motion = wave_of(chain->model, modes, 40.0, true);
    for (int cubic = 0; cubic < 2; ++cubic) {
        er_recording_def def = er_default_recording_def();
        def.tolerance = 1e-3;
        def.cubic = cubic == 1;
        er_recording *recording = record(motion, &target, &def);
        for (int c = 0; c < recording->clip.channel_count; ++c) {
            const er_channel *ch = &recording->clip.channel[c];
            int width = ch->path == ER_PATH_ROTATION ? 4 : 3, step = ch->interpolation == ER_CUBIC ? 3 * width : width;
            const double *first = ch->value, *last = ch->value + step * (ch->key_count - 1);
            // in-tangent, value, out-tangent; a quaternion and its opposite are one rotation
            for (int i = 0; i < step; ++i)
                if (first[i] != last[i]) fail_msg("node %d: %.17g and %.17g", ch->node, first[i], last[i]);
        }
        er_recording_destroy(recording);
    }
    er_motion_destroy(motion);
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

// ---- on top of a clip

// Columns' lengths: scales, where nothing is sheared.
static er_vec3 scale_of(er_affine a)
{
    return er_v3(er_v3_norm(er_m3_column(a.linear, 0)), er_v3_norm(er_m3_column(a.linear, 1)),
                 er_v3_norm(er_m3_column(a.linear, 2)));
}

static er_quat rotation_in(er_affine a)
{
    er_vec3 s = scale_of(a);
    for (int i = 0; i < 3; ++i) {
        a.linear.m[i][0] /= s.x;
        a.linear.m[i][1] /= s.y;
        a.linear.m[i][2] /= s.z;
    }
    return er_q_from_m3(a.linear);
}

// A chain with a clip: turns of two links by lines and by cubic curves, a shift by steps, a scale, and a morph.
static const er_clip *add_clip(hand *h)
{
    static const double times[] = {0.0, 0.31, 0.77, 1.4}, morph_times[] = {0.0, 2.0};
    static const double turns[16] = {0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0.28, 0, 0.96, 0, 0, 0, 1};
    static const double steps[12] = {1, 0, 0, 1.2, 0, 0, 1, 0.3, 0, 1, 0, 0.1};
    static const double scales[12] = {1, 1, 1, 1.5, 1.5, 1.5, 0.8, 0.8, 0.8, 1, 1, 1};
    static double cubic[48];
    for (int k = 0; k < 4; ++k)
        memcpy(cubic + 12 * k + 4, turns + 4 * (3 - k), 4 * sizeof *cubic);
    static er_channel channels[5];
    const er_channel made[5] = {{0, ER_PATH_ROTATION, ER_LINEAR, 4, times, turns},
                                {2, ER_PATH_TRANSLATION, ER_STEP, 4, times, steps},
                                {2, ER_PATH_ROTATION, ER_CUBIC, 4, times, cubic},
                                {3, ER_PATH_SCALE, ER_LINEAR, 4, times, scales},
                                {4, ER_PATH_MORPH, ER_LINEAR, 2, morph_times, NULL}};
    memcpy(channels, made, sizeof made);
    h->clip[0] = (er_clip){"dance", 2.0, 5, channels};
    h->scene.clip_count = 1;
    return &h->clip[0];
}

// At a time: every node by the clip's value, the motion's and those at rest, as motion.h says.
static double layer_error(er_motion *motion, const er_recording_target *target, const er_clip *over, const er_scene *s,
                          double time)
{
    er_affine shown[HAND_NODES], base[HAND_NODES], moved[HAND_NODES], rest[HAND_NODES];
    er_scene_sample(s, &s->clip[0], time, shown);
    er_scene_sample(target->scene, over, time, base);
    moved_nodes(motion, target, time, moved);
    double worst = 0.0;
    for (int i = 0; i < HAND_LINKS; ++i) {
        int parent = target->scene->node[i].parent;
        rest[i] =
            parent < 0 ? target->world[i] : er_affine_mul(er_affine_inverse(target->world[parent]), target->world[i]);
        er_quat turn = er_q_mul(er_q_conj(rotation_in(rest[i])), rotation_in(moved[i]));
        er_quat expected = er_q_mul(rotation_in(base[i]), turn);
        worst = fmax(worst, er_v3_norm(er_q_log(er_q_mul(er_q_conj(expected), rotation_in(shown[i])))));
        er_vec3 at = er_v3_add(base[i].translation, er_v3_sub(moved[i].translation, rest[i].translation));
        worst = fmax(worst, er_v3_distance(at, shown[i].translation));
        er_vec3 b = scale_of(base[i]), m = scale_of(moved[i]), r = scale_of(rest[i]);
        worst =
            fmax(worst, er_v3_distance(er_v3(b.x * m.x / r.x, b.y * m.y / r.y, b.z * m.z / r.z), scale_of(shown[i])));
    }
    return worst;
}

static void a_motion_is_laid_upon_a_clip(void **state)
{
    static hand h;
    hand_chain(&h);
    const er_clip *dance = add_clip(&h);
    for (int which = 0; which < 4; ++which) { // at rest or amid the clip; every frame or few keys
        er_rig_def rig_def = er_default_rig_def();
        rig_def.pose = which % 2 == 0 ? ER_POSE_REST : ER_POSE_CLIP;
        rig_def.pose_clip = "dance";
        rig_def.pose_time = 0.5;
        er_rig *chain = hand_rig(context, &h.scene, &rig_def);
        er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
        er_recording_target target = target_of(chain);
        er_motion *motion = wave_of(chain->model, modes, 30.0, true);
        er_recording_def def = er_default_recording_def();
        def.over = dance;
        def.name = "dance, waving";
        def.fps = 30.0;
        def.tolerance = which < 2 ? 0.0 : 1e-3;
        def.cubic = which == 3;
        er_recording *recording = record(motion, &target, &def);
        assert_string_equal(recording->clip.name, "dance, waving");
        er_scene s = playable(&h.scene, &recording->clip);
        // few keys: 1e-3 rad, and of half the size, some 2 m
        for (int k = 0; k <= 60; ++k)
            measure_at_most(which < 2 ? "layers at frames" : "layers at frames, few keys",
                            layer_error(motion, &target, dance, &s, k / 30.0), which < 2 ? 1e-9 : 2e-3);
        for (int c = 0; c < dance->channel_count; ++c) {
            const er_channel *under = &dance->channel[c],
                             *made = channel_of(&recording->clip, under->node, under->path);
            assert_non_null(made);
            bool moved = under->path == ER_PATH_ROTATION;
            if (!moved) { // chains keep lengths and scales: the clip's own, to the bit
                assert_ptr_equal(made->time, under->time);
                assert_ptr_equal(made->value, under->value);
                assert_true(made->interpolation == under->interpolation && made->key_count == under->key_count);
                continue;
            }
            assert_true(made->time != under->time);
            for (int k = 0; k < under->key_count && which < 2; ++k) {
                int hits = 0;
                for (int n = 0; n < made->key_count; ++n)
                    hits += made->time[n] == under->time[k];
                assert_int_equal(hits, 1);
                measure_at_most("layers at the clip's keys", layer_error(motion, &target, dance, &s, under->time[k]),
                                1e-9);
            }
        }
        // no others: link 1 turns, though the clip leaves it alone; the carrier of the mesh does not
        assert_non_null(channel_of(&recording->clip, 1, ER_PATH_ROTATION));
        assert_null(channel_of(&recording->clip, 1, ER_PATH_TRANSLATION));
        assert_null(channel_of(&recording->clip, 4, ER_PATH_ROTATION));
        er_recording_destroy(recording);
        er_motion_destroy(motion);
        er_modes_destroy(modes);
        er_rig_destroy(chain);
    }
}

// Two pendulums; a mode moves one of them.
static void bones_that_the_motion_leaves_alone_keep_their_channels(void **state)
{
    static rig r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 2; ++i) {
        er_pose at = {er_q_identity(), er_v3(2.0 * i, 0, 0)};
        rig_add_body(&r, 1.0, er_v3(1, 1, 1), at.q, er_v3(2.0 * i, -1, 0), at);
        rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, i, at)->stiffness[0] = 10.0 + 5.0 * i;
    }
    er_model *m = rig_model(context, &r);
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_scene *scene = NULL;
    er_affine world[HAND_NODES];
    er_recording_target target = target_of_bones(m, &scene, world);
    // keys beyond the motion's end too
    static const double times[] = {0.0, 0.5, 50.0}, turns[] = {0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 0, 1};
    er_channel channels[2];
    int node[2];
    for (int i = 0; i < scene->node_count; ++i)
        if (target.node_body[i] >= 0) node[target.node_body[i]] = i;
    bool swapped = node[0] > node[1];
    for (int i = 0; i < 2; ++i)
        channels[i] = (er_channel){node[swapped ? 1 - i : i], ER_PATH_ROTATION, ER_LINEAR, 3, times, turns};
    const er_clip swing = {"swing", 50.0, 2, channels};
    for (int k = 0; k < 2; ++k) {
        er_motion *motion = motion_of(m, modes, k, 20.0);
        er_recording_def def = er_default_recording_def();
        def.over = &swing;
        er_recording *recording = record(motion, &target, &def);
        int moving = fabs(modes->mode[k].joint[0]) > fabs(modes->mode[k].joint[1]) ? 0 : 1;
        assert_ptr_equal(channel_of(&recording->clip, node[1 - moving], ER_PATH_ROTATION)->value, turns);
        assert_true(channel_of(&recording->clip, node[moving], ER_PATH_ROTATION)->value != turns);
        playable(scene, &recording->clip);
        er_recording_destroy(recording);
        er_motion_destroy(motion);
    }
    // a motion shorter than what keys are told apart by
    er_mix_component component = er_default_mix_component();
    component.hz = 1e6;
    const er_mix mix = {.component_count = 1, .component = &component};
    er_motion_def brief = er_default_motion_def();
    brief.duration = 1e-7;
    er_motion *motion = NULL;
    assert_int_equal(er_motion_create(context, m, modes, &mix, &brief, &motion), ER_OK);
    er_recording_def def = er_default_recording_def();
    def.over = &swing;
    for (int few = 0; few < 2; ++few) {
        def.tolerance = few == 0 ? 0.0 : 1e-3;
        def.cubic = few == 1;
        er_recording *recording = record(motion, &target, &def);
        playable(scene, &recording->clip);
        int moving = fabs(modes->mode[0].joint[0]) > fabs(modes->mode[0].joint[1]) ? 0 : 1;
        const er_channel *made = channel_of(&recording->clip, node[moving], ER_PATH_ROTATION);
        assert_true(made->key_count == 2 && made->time[0] == 0.0 && made->time[1] == 1e-7);
        er_recording_destroy(recording);
    }
    er_motion_destroy(motion);
    er_scene_destroy(scene);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

static void flat_nodes_upon_a_clip_get_finite_keys(void **state)
{
    static hand h;
    hand_chain(&h);
    // a plate that has no height, in a joint that stretches
    h.node[2].local = hand_turned(er_v3(1, 0, 0), er_v3(0.3, 0.2, 0), er_v3(1, 3, 0.4));
    hand_node(&h, "plate", 2, hand_turned(er_v3(0.5, 0, 0), er_v3(0.4, 0.4, 0.4), er_v3(1, 0, 1)));
    h.node[3].local = hand_turned(er_v3(1, 0, 0), er_v3(0, 0.3, 0.4), er_v3(1, 0, 1));
    const double here[] = {1, 0, 1}, there[] = {2, 0, 2};
    const int scaled = 3;
    hand_clip(&h, "grow");
    hand_channel(&h, scaled, ER_PATH_SCALE, here, there);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_recording_target target = target_of(chain);
    for (int k = modes->rigid_count; k < modes->count; ++k) {
        er_motion *motion = motion_of(chain->model, modes, k, 30.0);
        er_recording_def def = er_default_recording_def();
        def.over = &h.clip[0];
        er_recording *recording = record(motion, &target, &def);
        playable(&h.scene, &recording->clip);
        er_recording_destroy(recording);
        er_motion_destroy(motion);
    }
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

// ---- loops

static void joints_of_loops_stay_closed_over_a_clip(void **state)
{
    er_model *m = odd_loop();
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    er_scene *scene = NULL;
    er_affine rest[HAND_NODES];
    er_recording_target target = target_of_bones(m, &scene, rest);
    for (int k = modes->rigid_count; k < modes->count; ++k)
        for (int few = 0; few < 2; ++few) {
            er_motion *motion = motion_of(m, modes, k, 60.0);
            er_recording_def def = er_default_recording_def();
            def.tolerance = few == 0 ? 0.0 : 1e-6;
            def.cubic = true;
            def.fps = few == 0 ? 60.0 * modes->mode[k].frequency_hz : 480.0;
            er_recording *recording = record(motion, &target, &def);
            er_scene s = playable(scene, &recording->clip);
            for (int i = 0; i < 2000; ++i) {
                double time = recording->clip.duration * i / 1999.0;
                er_affine local[HAND_NODES], world[HAND_NODES];
                er_scene_sample(&s, &s.clip[0], time, local);
                er_scene_world(&s, local, world);
                er_pose pose[4];
                for (int n = 0; n < scene->node_count; ++n)
                    if (target.node_body[n] >= 0) {
                        int b = target.node_body[n];
                        er_affine moved = er_affine_mul(world[n], er_affine_inverse(rest[n]));
                        er_pose by = {er_q_from_m3(moved.linear), moved.translation};
                        pose[b] = er_pose_mul(by, m->body[b].pose);
                    }
                measure_at_most(few == 0 ? "gap of joints between frames" : "gap of joints between few keys",
                                er_pose_joint_gap(m, pose) / m->size, 1e-5);
            }
            er_recording_destroy(recording);
            er_motion_destroy(motion);
        }
    er_scene_destroy(scene);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// ---- planted upon a clip

// A chain that dances, its first or last link planted: at each frame the bodies stand where eri_motion_pose_over() has
// them from where the clip has its nodes, so what is planted stands where the clip does, and joints hold.
static void what_is_planted_goes_with_the_clip_below(void **state)
{
    static hand h;
    hand_chain(&h);
    hand_node(&h, "ring", 3, hand_at(0.5, 0.1, 0)); // goes with the last link
    static const double times[] = {0.0, 0.43, 1.1}, turns[] = {0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0.28, 0, 0.96};
    static const double shifts[] = {0, 0, 0, 0.5, 1, -2, 3, 0, 0}, sizes[] = {1, 1, 1, 2, 3, 1, 1, 1, 1};
    const er_channel channels[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, 3, times, shifts},
                                   {0, ER_PATH_ROTATION, ER_LINEAR, 3, times, turns},
                                   {2, ER_PATH_ROTATION, ER_LINEAR, 3, times, turns},
                                   {5, ER_PATH_SCALE, ER_LINEAR, 3, times, sizes}};
    const er_clip dance = {"dance", 1.1, 4, channels};
    for (int which = 0; which < 4; ++which) {
        er_rig_def rig_def = er_default_rig_def();
        rig_def.height = which < 2 ? 0.0 : 7.0; // a unit is not a metre
        er_rig *chain = hand_rig(context, &h.scene, &rig_def);
        const er_model *m = chain->model;
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_recording_target target = target_of(chain);
        const er_hold held = {.body = chain->node_body[which % 2 == 0 ? 0 : 3]};
        er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
        for (int i = 0; i < 2; ++i) {
            component[i].mode = modes->rigid_count + i;
            component[i].degrees = 20.0;
            component[i].hz = 1.0 + i;
        }
        const er_mix mix = {.component_count = 2, .component = component};
        er_motion_def motion_def = er_default_motion_def();
        motion_def.duration = 2.0;
        motion_def.plant_count = 1;
        motion_def.plant = &held;
        er_motion *motion = NULL;
        assert_int_equal(er_motion_create(context, m, modes, &mix, &motion_def, &motion), ER_OK);
        er_recording_def def = er_default_recording_def();
        def.over = &dance;
        def.fps = 20.0;
        er_recording *recording = record(motion, &target, &def);
        assert_int_equal(recording->frame_count, 42); // 41 of 2 s, and the key between two of them
        er_scene s = playable(&h.scene, &recording->clip);
        double moved = 0.0;
        for (int f = 0; f <= 40; ++f) {
            er_affine local[HAND_NODES], under[HAND_NODES], shown[HAND_NODES];
            er_pose base[HAND_LINKS], pose[HAND_LINKS];
            er_scene_sample(&h.scene, &dance, f / 20.0, local);
            er_scene_world(&h.scene, local, under);
            assert_int_equal(er_poses_of_nodes(context, m, &target, chain->body_node, local, base), ER_OK);
            assert_int_equal(eri_motion_pose_over(motion, f / 20.0, base, pose), ER_OK);
            er_scene_sample(&s, &s.clip[0], f / 20.0, local);
            er_scene_world(&s, local, shown);
            for (int i = 0; i < h.scene.node_count; ++i) {
                int b = chain->node_body[i];
                er_affine want = under[i];
                if (b >= 0) {
                    er_pose by = er_pose_mul(pose[b], er_pose_inverse(base[b]));
                    by.p = er_v3_scale(1.0 / chain->metres_per_unit, by.p);
                    want = er_affine_mul(er_affine_from_pose(by), want);
                    if (b == held.body)
                        measure_at_most("what is planted, off the clip",
                                        er_v3_distance(shown[i].translation, under[i].translation), 1e-8);
                }
                moved = fmax(moved, er_v3_distance(shown[i].translation, under[i].translation));
                if (!eri_affine_near(shown[i], want, 1e-7))
                    fail_msg("%s at %g s: (%g, %g, %g), not (%g, %g, %g)", h.node[i].name, f / 20.0,
                             shown[i].translation.x, shown[i].translation.y, shown[i].translation.z, want.translation.x,
                             want.translation.y, want.translation.z);
            }
        }
        assert_true(moved > 0.1);
        // what the motion does not move keeps the clip's own keys: a link below another of its body, to the bit
        assert_ptr_equal(channel_of(&recording->clip, 5, ER_PATH_SCALE)->value, sizes);
        er_recording_destroy(recording);
        er_motion_destroy(motion);
        er_modes_destroy(modes);
        er_rig_destroy(chain);
    }
}

// An instance moves with bodies if its node does, or, skinned, if some joint of its skin does.
static void what_is_drawn_moves_with_what_carries_it(void **state)
{
    static const int all[] = {0, 1}, none[] = {2, 3}, some[] = {3, 0}, first[] = {0, 3}, start[] = {0, 0},
                     body[] = {0, 1, -1, -1};
    static const er_skin skin[] = {
        {"all", 2, all, NULL}, {"none", 2, none, NULL}, {"some", 2, some, NULL}, {"first", 2, first, NULL}};
    static const er_mesh mesh[] = {{.vertex_count = 1, .influence_start = start}, {.vertex_count = 1}};
    static const struct {
        er_instance drawn;
        bool moves;
    } cases[] = {{{0, 1, -1}, true}, {{3, 1, -1}, false}, {{3, 0, 0}, true},   {{0, 0, 1}, false}, {{2, 0, 2}, true},
                 {{0, 1, 1}, true},  {{2, 1, 0}, false},  {{2, 0, -1}, false}, {{1, 0, -1}, true}, {{3, 0, 3}, true}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        const er_instance instance[2] = {{0}, cases[i].drawn};
        const er_scene scene = {
            .node_count = 4, .mesh = mesh, .skin = skin, .skin_count = 4, .instance = instance, .instance_count = 2};
        const er_recording_target target = {.scene = &scene, .node_body = body};
        if (er_recording_moves(&target, 1) != cases[i].moves) fail_msg("case %zu", i);
    }
}

// ---- failures

static void expect_refusal(er_result result, er_recording *const *recording, const char *named)
{
    assert_null(*recording);
    assert_refusal(context, result, ER_ERROR_ARGUMENT, named);
}

// A chain whose links are turned about their joints, its root moved, its last link grown: each body goes with its node.
static void bodies_stand_where_their_nodes_do(void **state)
{
    static hand h;
    dice d = {41};
    hand_chain(&h);
    for (int k = 0; k < 6; ++k) {
        const double grown = k % 2 == 0 ? 1.0 : 1.5;
        er_rig_def def = er_default_rig_def();
        def.height = k < 3 ? 0.0 : 7.0;
        er_rig *chain = hand_rig(context, &h.scene, &def);
        const er_model *m = chain->model;
        er_recording_target target = target_of(chain);
        er_affine local[HAND_NODES];
        er_pose was = er_pose_identity(), is = er_pose_identity(), node[2][HAND_LINKS], pose[HAND_LINKS];
        er_scene_sample(chain->scene, NULL, 0.0, local);
        for (int i = 0; i < HAND_LINKS; ++i) {
            er_pose by = {dice_quat(&d), er_v3_add(local[i].translation, i == 0 ? dice_vec3(&d) : er_v3(0, 0, 0))};
            was = node[0][i] = er_pose_mul(was, (er_pose){er_q_from_m3(local[i].linear), local[i].translation});
            is = node[1][i] = er_pose_mul(is, by);
            local[i] =
                er_affine_from_trs(by.p, by.q, i == HAND_LINKS - 1 ? er_v3(grown, grown, grown) : er_v3(1, 1, 1));
        }
        assert_int_equal(er_poses_of_nodes(context, m, &target, chain->body_node, local, pose), ER_OK);
        for (int i = 0; i < HAND_LINKS; ++i) {
            double unit = chain->metres_per_unit, scale = i == HAND_LINKS - 1 ? grown : 1.0;
            er_pose was_at = node[0][i], now = node[1][i];
            int b = hand_body(m, h.node[i].name, false);
            er_vec3 at = er_pose_point(er_pose_inverse(was_at), er_v3_scale(1.0 / unit, m->body[b].pose.p));
            er_vec3 p = er_v3_scale(unit, er_pose_point(now, er_v3_scale(scale, at)));
            er_quat q = er_q_mul(er_q_mul(now.q, er_q_conj(was_at.q)), m->body[b].pose.q);
            measure_at_most("place of a body by its node", er_v3_distance(p, pose[b].p), 1e-12 * m->size);
            measure_at_most("turn of a body by its node", er_v3_norm(er_q_log(er_q_mul(er_q_conj(q), pose[b].q))),
                            1e-12);
        }
        er_rig_destroy(chain);
    }
}

// Poses that no mode makes: a chain that turns, wanders and does not come back.
static void given_poses_are_recorded_as_they_are(void **state)
{
    enum { FRAMES = 5 };
    static hand h;
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    const er_model *m = chain->model;
    er_recording_target target = target_of(chain);
    er_pose pose[FRAMES * HAND_LINKS];
    static const double time[FRAMES] = {0.0, 0.1, 0.35, 0.5, 1.25};
    for (int k = 0; k < FRAMES; ++k)
        for (int b = 0; b < m->body_count; ++b) {
            er_pose by = {er_q_exp(er_v3(0.1 * k, 0.05 * k * b, -0.2 * k)), {0.1 * k, 0.02 * k * k, -0.1 * b * k}};
            pose[k * m->body_count + b] = er_pose_mul(by, m->body[b].pose);
        }
    for (int loops = 0; loops < 2; ++loops) {
        er_recorded_poses given = {m, FRAMES, time, pose, loops == 1, 0, NULL};
        er_recording *recording = NULL;
        assert_int_equal(er_poses_record(context, &given, &target, NULL, &recording), ER_OK);
        assert_true(recording->clip.duration == time[FRAMES - 1]);
        er_scene s = playable(chain->scene, &recording->clip);
        er_affine local[HAND_NODES], world[HAND_NODES];
        for (int k = 0; k < FRAMES; ++k) {
            er_scene_sample(&s, &s.clip[0], time[k], local);
            er_scene_world(&s, local, world);
            const er_pose *row = pose + (loops == 1 && k == FRAMES - 1 ? 0 : k) * m->body_count;
            for (int i = 0; i < s.node_count; ++i) {
                int b = chain->node_body[i];
                if (b < 0) continue;
                er_affine moved = er_affine_from_pose(er_pose_mul(row[b], er_pose_inverse(m->body[b].pose)));
                er_vec3 want = er_affine_point(moved, chain->world[i].translation);
                measure_at_most("node of a given pose", er_v3_distance(world[i].translation, want), 1e-12);
            }
        }
        er_recording_destroy(recording);
    }
    er_rig_destroy(chain);
}

// A chain that turns about and about: from key to key the shorter way, so that a line between two quaternions is the
// turn between them.
static void turns_without_end_go_the_shorter_way(void **state)
{
    enum { FRAMES = 61 };
    static hand h;
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    const er_model *m = chain->model;
    er_recording_target target = target_of(chain);
    static er_pose pose[FRAMES * HAND_LINKS];
    double time[FRAMES];
    for (int k = 0; k < FRAMES; ++k) {
        time[k] = 0.1 * k;
        er_pose by = {er_q_exp(er_v3_scale(0.5 * k, er_v3(0.6, 0, 0.8))), {0, 0, 0}};
        for (int b = 0; b < m->body_count; ++b)
            pose[k * m->body_count + b] = er_pose_mul(by, m->body[b].pose);
    }
    er_recorded_poses given = {m, FRAMES, time, pose, false, 0, NULL};
    er_recording *recording = NULL;
    assert_int_equal(er_poses_record(context, &given, &target, NULL, &recording), ER_OK);
    assert_true(relative_error(recording->fps, 10.0) < 1e-12 && recording->frame_count == FRAMES);
    const er_channel *turn = channel_of(&recording->clip, 0, ER_PATH_ROTATION);
    assert_int_equal(turn->key_count, FRAMES);
    bool back = false;
    for (int k = 0; k < FRAMES; ++k) {
        const double *v = turn->value + 4 * k;
        back |= v[3] < -0.9;
        if (k > 0)
            measure_at_most("turn from key to key",
                            fabs(v[0] * v[-4] + v[1] * v[-3] + v[2] * v[-2] + v[3] * v[-1] - cos(0.25)), 1e-12);
    }
    assert_true(back); // it went through the other half of all quaternions
    er_recording_destroy(recording);
    er_rig_destroy(chain);
}

static void poses_out_of_order_are_refused(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_recording_target target = target_of(chain);
    er_pose pose[3 * HAND_LINKS];
    for (int i = 0; i < 3 * HAND_LINKS; ++i)
        pose[i] = chain->model->body[i % HAND_LINKS].pose;
    static const double bad[][3] = {{0, 1, 1}, {0, 1, 0.5}, {0.1, 1, 2}, {0, NAN, 1}, {0, 1, 1.1e5}, {0, 1, HUGE_VAL}};
    er_recording *recording = NULL;
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        er_recorded_poses given = {chain->model, 3, bad[i], pose, false, 0, NULL};
        expect_refusal(er_poses_record(context, &given, &target, NULL, &recording), &recording,
                       bad[i][0] == 0.0 ? "time" : "from 0 s on");
    }
    static const double good[] = {0, 1, 1e5};
    er_recorded_poses given = {chain->model, 1, good, pose, false, 0, NULL};
    expect_refusal(er_poses_record(context, &given, &target, NULL, &recording), &recording, "two poses");
    given.count = 3;
    assert_int_equal(er_poses_record(context, &given, &target, NULL, &recording), ER_OK);
    er_recording_destroy(recording);
    er_rig_destroy(chain);
}

// An allocator without room for ten million times.
static void *take_little(void *user, size_t size)
{
    return size < ((size_t)1 << 24) ? ledger_take(user, size) : NULL;
}

static void wrong_arguments_are_refused(void **state)
{
    static hand h;
    hand_chain(&h);
    add_clip(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_recording_target good = target_of(chain);
    er_motion *motion = wave_of(chain->model, modes, 30.0, true);
    er_recording *recording = NULL;
    static const double rates[] = {0.0, -1.0, NAN, 1.1e5}, tolerances[] = {-1e-9, 1.1, NAN, HUGE_VAL},
                        units[] = {0.0, -1.0, NAN, HUGE_VAL};
    for (int i = 0; i < 4; ++i) {
        er_recording_def def = er_default_recording_def();
        def.fps = rates[i];
        expect_refusal(er_motion_record(context, motion, &good, &def, &recording), &recording, "frames a second");
        def = er_default_recording_def();
        def.tolerance = tolerances[i];
        expect_refusal(er_motion_record(context, motion, &good, &def, &recording), &recording, "tolerance");
        er_recording_target bad = good;
        bad.metres_per_unit = units[i];
        expect_refusal(er_motion_record(context, motion, &bad, NULL, &recording), &recording, "metres per unit");
    }
    er_recording_target bad = good;
    bad.scene = NULL;
    expect_refusal(er_motion_record(context, motion, &bad, NULL, &recording), &recording, "scene");
    bad = good;
    bad.world = NULL;
    expect_refusal(er_motion_record(context, motion, &bad, NULL, &recording), &recording, "scene");
    bad = good;
    int node_body[HAND_NODES];
    memcpy(node_body, good.node_body, (size_t)h.scene.node_count * sizeof *node_body);
    bad.node_body = node_body;
    static const int bodies[] = {-2, HAND_LINKS, 1000000};
    for (int i = 0; i < 3; ++i) {
        node_body[1] = bodies[i];
        expect_refusal(er_motion_record(context, motion, &bad, NULL, &recording), &recording, "node 1");
    }
    static const double times[] = {0.0, 1.0}, turns[] = {0, 0, 0, 1, 0, 0, 0, 1};
    er_channel stray = {HAND_NODES + 1, ER_PATH_ROTATION, ER_LINEAR, 2, times, turns};
    const er_clip foreign = {"foreign", 1.0, 1, &stray};
    er_recording_def def = er_default_recording_def();
    def.over = &foreign;
    expect_refusal(er_motion_record(context, motion, &good, &def, &recording), &recording, "\"foreign\"");
    stray.node = -1;
    expect_refusal(er_motion_record(context, motion, &good, &def, &recording), &recording, "\"foreign\"");
    er_motion_destroy(motion);
    // too long to be recorded
    er_mix_component component = er_default_mix_component();
    component.mode = modes->rigid_count;
    const er_mix mix = {.component_count = 1, .component = &component};
    er_motion_def age = er_default_motion_def();
    age.duration = 1e5;
    assert_int_equal(er_motion_create(context, chain->model, modes, &mix, &age, &motion), ER_OK);
    def = er_default_recording_def();
    def.fps = 1e5;
    expect_refusal(er_motion_record(context, motion, &good, &def, &recording), &recording, "10 million");
    def.fps = 100.00001; // one frame more
    expect_refusal(er_motion_record(context, motion, &good, &def, &recording), &recording, "10 million");
    ledger l = {.left = LEDGER_ALL};
    er_context_def books = ledger_def(&l);
    er_context *own = NULL;
    books.allocate = take_little;
    assert_int_equal(er_context_create(&books, &own), ER_OK);
    def.fps = 100.0; // as many are recorded, where there is the memory
    assert_int_equal(er_motion_record(own, motion, &good, &def, &recording), ER_ERROR_MEMORY);
    ledger_end(&l, own);
    er_motion_destroy(motion);
    er_recording_destroy(NULL);
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

static void every_allocation_may_fail(void **state)
{
    static hand h;
    hand_chain(&h);
    const er_clip *dance = add_clip(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_recording_target target = target_of(chain);
    static char name[300001]; // which takes memory of its own
    memset(name, 'x', sizeof name - 1);
    for (int which = 0; which < 4; ++which) {
        er_result result = ER_ERROR_MEMORY;
        er_recording_def def = er_default_recording_def();
        def.name = name;
        def.tolerance = which % 2 == 0 ? 0.0 : 1e-3;
        def.over = which < 2 ? NULL : dance;
        er_motion *motion = wave_of(chain->model, modes, 30.0, true);
        for (long n = 0; result != ER_OK; ++n) {
            ledger l = {.left = LEDGER_ALL};
            er_context *own = ledger_context(&l);
            er_recording *recording = (er_recording *)&l; // not NULL
            l.left = n;
            result = er_motion_record(own, motion, &target, &def, &recording);
            assert_true((result == ER_OK) == (recording != NULL));
            assert_true(result == ER_OK || (result == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
            if (result == ER_OK) assert_string_equal(recording->clip.name, name);
            er_recording_destroy(recording);
            ledger_end(&l, own);
        }
        er_motion_destroy(motion);
    }
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_hold_the_poses_of_the_mode),
        cmocka_unit_test(clips_key_what_other_clips_key_and_no_more),
        cmocka_unit_test(nodes_scaled_to_nothing_get_finite_keys),
        cmocka_unit_test(a_loop_that_cannot_follow_says_how_far_it_can),
        cmocka_unit_test(few_keys_stay_as_near_as_is_asked),
        cmocka_unit_test(loops_close_in_value_and_tangent),
        cmocka_unit_test(a_motion_is_laid_upon_a_clip),
        cmocka_unit_test(bones_that_the_motion_leaves_alone_keep_their_channels),
        cmocka_unit_test(flat_nodes_upon_a_clip_get_finite_keys),
        cmocka_unit_test(joints_of_loops_stay_closed_over_a_clip),
        cmocka_unit_test(what_is_planted_goes_with_the_clip_below),
        cmocka_unit_test(what_is_drawn_moves_with_what_carries_it),
        cmocka_unit_test(bodies_stand_where_their_nodes_do),
        cmocka_unit_test(given_poses_are_recorded_as_they_are),
        cmocka_unit_test(turns_without_end_go_the_shorter_way),
        cmocka_unit_test(poses_out_of_order_are_refused),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("take", tests, set_up, tear_down);
}
