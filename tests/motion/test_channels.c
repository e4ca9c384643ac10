// Which channels a recording has, at which times and how near they are to what moves, by closed forms of one body.
#include <eigenrig/motion.h>

#include <string.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"

static const er_channel *channel_of(const er_recording *recording, int node, er_path path)
{
    for (int c = 0; c < recording->clip.channel_count; ++c)
        if (recording->clip.channel[c].node == node && recording->clip.channel[c].path == path)
            return &recording->clip.channel[c];
    return NULL;
}

// ---- given poses

enum { FRAMES = 61, NODES = 3, BODIES = 2 };
static const double step = 1.0 / 64.0, unit = 0.25; // s, exact; m

// Two bodies, the node of one below that of the other, which is scaled; a node below both that no body moves.
typedef struct pair {
    er_model *model;
    er_node node[NODES];
    er_affine world[NODES];
    int node_body[NODES];
    er_scene scene;
    er_recording_target target;
    double time[FRAMES];
    er_pose pose[FRAMES * BODIES];
} pair;

static void make_pair(pair *p)
{
    rig r = {0};
    *p = (pair){.node_body = {0, 1, -1}};
    for (int b = 0; b < BODIES; ++b)
        rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(2.0 * b, 0.5, 0),
                     (er_pose){er_q_exp(er_v3(0.1 * b, 0.2, 0)), er_v3(b, 0, 0)});
    p->model = rig_model(context, &r);
    p->world[0] = er_affine_from_trs(er_v3(1, 2, 3), er_q_identity(), er_v3(3, 1, 2));
    for (int i = 0; i < NODES; ++i) {
        er_affine local = er_affine_from_trs(er_v3(0.5, 0.2, -0.3), er_q_identity(), er_v3(1, 1, 1));
        p->node[i] = (er_node){.name = "", .parent = i - 1, .local = i > 0 ? local : p->world[0], .source_index = -1};
        if (i > 0) p->world[i] = er_affine_mul(p->world[i - 1], local);
    }
    p->scene = (er_scene){.node_count = NODES, .node = p->node, .metres_per_unit = unit};
    p->target = (er_recording_target){&p->scene, p->node_body, NULL, p->world, unit};
    for (int k = 0; k < FRAMES; ++k) {
        p->time[k] = step * k;
        for (int b = 0; b < BODIES; ++b)
            p->pose[BODIES * k + b] = p->model->body[b].pose;
    }
}

static er_recording *record_poses(const pair *p, const er_recording_def *def)
{
    const er_recorded_poses poses = {p->model, FRAMES, p->time, p->pose, false, 0, NULL};
    er_recording *recording = NULL;
    if (er_poses_record(context, &poses, &p->target, def, &recording) != ER_OK)
        fail_msg("%s", er_context_error(context));
    return recording;
}

// A body goes by c t^2 along the axis that its parent stretches most: a chord of n frames strays by c (n h / 2)^2, of
// half the size, wherever units and scales put it.
static void tolerances_of_places_are_lengths(void **state)
{
    static pair p;
    const double c = 0.02;
    make_pair(&p);
    for (int k = 0; k < FRAMES; ++k)
        p.pose[BODIES * k + 1].p.x += c * p.time[k] * p.time[k];
    for (int n = 2; n < 8; ++n)
        for (int enough = 0; enough < 2; ++enough) {
            er_recording_def def = er_default_recording_def();
            def.tolerance =
                0.25 * c * n * n * step * step / (0.5 * p.model->size) * (enough == 1 ? 1.0 + 1e-6 : 1.0 - 1e-6);
            er_recording *recording = record_poses(&p, &def);
            const er_channel *way = channel_of(recording, 1, ER_PATH_TRANSLATION);
            assert_true(way != NULL && channel_of(recording, 0, ER_PATH_TRANSLATION) == NULL);
            assert_true(fabs(way->time[1] - step * (enough == 1 ? n : n - 1)) < 1e-12);
            int keys = 0;
            for (int i = 0; i < recording->clip.channel_count; ++i)
                keys += recording->clip.channel[i].key_count;
            assert_true(recording->key_count == keys && recording->frame_count == FRAMES);
            assert_true(fabs(recording->fps - 64.0) < 1e-9 && recording->error == 0.0); // nothing turns
            er_recording_destroy(recording);
        }
    er_model_destroy(p.model);
}

// A node has keys of its place where it moves by more than rounding: of how far it is, and of the rig's size.
static void places_that_change_by_rounding_have_no_keys(void **state)
{
    static pair p;
    make_pair(&p);
    double local = er_v3_norm(p.node[1].local.translation), size = p.model->size / (unit * 3.0);
    for (int more = 0; more < 2; ++more) {
        er_pose *body = &p.pose[BODIES * 20 + 1];
        body->p = er_v3_add(p.model->body[1].pose.p,
                            er_v3(unit * 3.0 * (more == 1 ? 1.02e-7 : 0.98e-7) * (local + size), 0, 0));
        er_recording *recording = record_poses(&p, NULL);
        assert_int_equal(channel_of(recording, 1, ER_PATH_TRANSLATION) != NULL, more == 1);
        for (int i = 0; i < NODES; ++i) {
            assert_int_equal(channel_of(recording, i, ER_PATH_ROTATION) != NULL, i < 2);
            assert_null(channel_of(recording, i, ER_PATH_SCALE));
        }
        er_recording_destroy(recording);
    }
    er_model_destroy(p.model);
}

// Nodes that the caller names get keys, moved or not. Otherwise nodes with a body that some clip keys get keys, on the
// paths that clips key.
static void nodes_that_are_said_or_that_clips_key_get_keys(void **state)
{
    static pair p;
    static const double times[] = {0.0, 1.0}, same[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    static const er_channel keyed[] = {{1, ER_PATH_TRANSLATION, ER_LINEAR, 2, times, same},
                                       {2, ER_PATH_SCALE, ER_LINEAR, 2, times, same},
                                       {0, ER_PATH_MORPH, ER_LINEAR, 2, times, NULL}};
    const er_clip clip = {"clip", 1.0, 3, keyed};
    make_pair(&p);
    p.scene.clip = &clip;
    for (int clips = 0; clips < 2; ++clips)
        for (int said = 0; said < 8; ++said) {
            const bool all[NODES] = {(said & 1) != 0, (said & 2) != 0, (said & 4) != 0};
            p.scene.clip_count = clips;
            p.target.keyed = all;
            er_recording *recording = record_poses(&p, NULL);
            for (int i = 0; i < NODES; ++i) {
                bool has = all[i] || (clips == 1 && i == 1);
                assert_int_equal(channel_of(recording, i, ER_PATH_ROTATION) != NULL, has);
                assert_int_equal(channel_of(recording, i, ER_PATH_TRANSLATION) != NULL, has && clips == 1 && i == 1);
                assert_int_equal(channel_of(recording, i, ER_PATH_SCALE) != NULL, has && clips == 1 && i == 2);
            }
            er_recording_destroy(recording);
        }
    er_model_destroy(p.model);
}

// ---- upon a clip

// A body on a hinge at the origin, its node so far from there; it turns to and fro once a second by an angle.
typedef struct swing {
    er_model *model;
    er_modes *modes;
    er_node node;
    er_affine world;
    int node_body;
    er_scene scene;
    er_recording_target target;
    er_motion *motion;
} swing;

static void make_swing(swing *s, double angle, double far)
{
    rig r = {0};
    *s = (swing){.node_body = 0};
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(0, -1, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity())->stiffness[0] = 10.0;
    s->model = rig_model(context, &r);
    s->modes = rig_modes(context, s->model, ER_MODAL_AUTO);
    s->world = er_affine_from_trs(er_v3(far * s->model->size, 0, 0), er_q_identity(), er_v3(1, 1, 1));
    s->node = (er_node){.name = "", .parent = -1, .local = s->world, .source_index = -1};
    s->scene = (er_scene){.node_count = 1, .node = &s->node, .metres_per_unit = 1.0};
    s->target = (er_recording_target){&s->scene, &s->node_body, NULL, &s->world, 1.0};
    er_mix_component component = er_default_mix_component();
    component.degrees = angle * 180.0 / ER_PI;
    component.hz = 1.0;
    const er_mix mix = {.component_count = 1, .component = &component};
    er_motion_def def = er_default_motion_def();
    def.duration = 1.0;
    def.loop = true;
    assert_int_equal(er_motion_create(context, s->model, s->modes, &mix, &def, &s->motion), ER_OK);
}

static void stop(swing *s)
{
    er_motion_destroy(s->motion);
    er_modes_destroy(s->modes);
    er_model_destroy(s->model);
}

// Nodes that a motion moves by rounding alone keep the clip's own channel: turns of 1e-7 rad, shifts of 1e-7 of the
// node's distance and the rig's size together.
static void what_moves_by_rounding_keeps_the_clips_channels(void **state)
{
    static const struct {
        double angle, far; // rad; sizes
        bool turns, goes;
    } rows[] = {
        {0.97e-7, 100, false, false}, {1.03e-7, 1, true, false}, {1.04e-7, 10, true, false}, {1.04e-7, 50, true, true}};
    static const double times[] = {0.0, 0.6}, turn[8] = {0, 0, 0, 1, 0, 0, 0, 1}, way[6] = {1, 2, 3, 1, 2, 3};
    static const er_channel under[] = {{0, ER_PATH_ROTATION, ER_LINEAR, 2, times, turn},
                                       {0, ER_PATH_TRANSLATION, ER_LINEAR, 2, times, way}};
    const er_clip clip = {"below", 1.0, 2, under};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        static swing s;
        make_swing(&s, rows[i].angle, rows[i].far);
        er_recording_def def = er_default_recording_def();
        def.over = &clip;
        er_recording *recording = NULL;
        assert_int_equal(er_motion_record(context, s.motion, &s.target, &def, &recording), ER_OK);
        assert_int_equal(channel_of(recording, 0, ER_PATH_ROTATION)->value != turn, rows[i].turns);
        assert_int_equal(channel_of(recording, 0, ER_PATH_TRANSLATION)->value != way, rows[i].goes);
        assert_null(channel_of(recording, 0, ER_PATH_SCALE));
        assert_true(recording->fps == 60.0);
        er_recording_destroy(recording);
        stop(&s);
    }
}

// Frames, and keys of the clip between them, a millionth of a second apart or more; the end is the end.
static void times_upon_a_clip_are_frames_and_its_keys(void **state)
{
    static swing s;
    static const double turn[20] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double times[] = {0.0, 0.25 + 5e-7, 0.3, 1.0 - 5e-7, 1.5},
                        more[] = {-1.0, 0.3 + 5e-7, 0.4, 0.4 + 2e-6, 1.0};
    static const er_channel under[] = {{0, ER_PATH_ROTATION, ER_LINEAR, 5, times, turn},
                                       {0, ER_PATH_TRANSLATION, ER_LINEAR, 5, more, turn}};
    static const double known[] = {0.0, 0.25, 0.3, 0.4, 0.4 + 2e-6, 0.5, 0.75, 1.0};
    const er_clip clip = {"below", 1.5, 2, under};
    make_swing(&s, 0.2, 1.0);
    er_recording_def def = er_default_recording_def();
    def.over = &clip;
    def.fps = 4.0;
    er_recording *recording = NULL;
    assert_int_equal(er_motion_record(context, s.motion, &s.target, &def, &recording), ER_OK);
    const er_channel *made = channel_of(recording, 0, ER_PATH_ROTATION);
    assert_true(recording->frame_count == (int)ERI_COUNT(known) && made->key_count == (int)ERI_COUNT(known));
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        assert_true(fabs(made->time[i] - known[i]) < 1e-12);
    assert_true(recording->clip.duration == 1.0 && recording->error == 0.0);
    er_recording_destroy(recording);
    // alone: every frame, and the end, wherever that falls
    def.over = NULL;
    static const struct {
        double fps;
        int frames;
    } rates[] = {{4.0, 5}, {4.5, 6}, {3.9999999, 5}, {0.1, 2}};
    for (size_t i = 0; i < ERI_COUNT(rates); ++i) {
        def.fps = rates[i].fps;
        assert_int_equal(er_motion_record(context, s.motion, &s.target, &def, &recording), ER_OK);
        made = channel_of(recording, 0, ER_PATH_ROTATION);
        assert_true(recording->frame_count == rates[i].frames && made->key_count == rates[i].frames);
        assert_true(made->time[made->key_count - 1] == 1.0 && recording->fps == rates[i].fps);
        if (rates[i].frames > 2) assert_true(fabs(made->time[1] - 1.0 / rates[i].fps) < 1e-12);
        er_recording_destroy(recording);
    }
    stop(&s);
}

// ---- what is refused

static void what_lacks_something_is_refused(void **state)
{
    static pair p;
    make_pair(&p);
    const er_recorded_poses whole = {p.model, FRAMES, p.time, p.pose, false, 0, NULL};
    er_recording *recording = NULL;
    for (int lacks = 0; lacks < 7; ++lacks) {
        er_recorded_poses poses = whole;
        er_recording_target target = p.target;
        if (lacks == 0) poses.model = NULL;
        if (lacks == 1) poses.time = NULL;
        if (lacks == 2) poses.pose = NULL;
        if (lacks == 3) poses.count = 1;
        if (lacks == 4) target.scene = NULL;
        if (lacks == 5) target.node_body = NULL;
        if (lacks == 6) target.world = NULL;
        assert_refusal(context, er_poses_record(context, &poses, &target, NULL, &recording), ER_ERROR_ARGUMENT,
                       lacks < 4 ? "poses" : "target");
        assert_null(recording);
    }
    static const double tolerances[] = {0.0, 1.0}, rates[] = {1e-3, 1e5}; // the bounds are inside
    for (int i = 0; i < 2; ++i) {
        er_recording_def def = er_default_recording_def();
        def.tolerance = tolerances[i];
        def.fps = rates[i];
        assert_int_equal(er_poses_record(context, &whole, &p.target, &def, &recording), ER_OK);
        er_recording_destroy(recording);
    }
    er_model_destroy(p.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerances_of_places_are_lengths),
        cmocka_unit_test(places_that_change_by_rounding_have_no_keys),
        cmocka_unit_test(nodes_that_are_said_or_that_clips_key_get_keys),
        cmocka_unit_test(what_moves_by_rounding_keeps_the_clips_channels),
        cmocka_unit_test(times_upon_a_clip_are_frames_and_its_keys),
        cmocka_unit_test(what_lacks_something_is_refused),
    };
    return cmocka_run_group_tests_name("channels", tests, set_up, tear_down);
}
