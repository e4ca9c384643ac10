// Gaits let go on the ground, of a walker that no mesh makes slow.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/project/project_layer.h"
#include "app/project/project_motion.h"
#include "app/project/walk.h"
#include "app/session/session.h"
#include "base/arena.h"
#include "stand.h"
#include "support/context.h"

static session *s;
static const er_gait *gait;

static int set_up_walker(void **state)
{
    int r = set_up(state);
    s = stand_open_walker(context, 1);
    stand_ok(context, session_search_gaits(s));
    stand_ok(context, session_wait_for_gaits(s, HUGE_VAL));
    const er_gaits *gaits = session_gaits(s);
    for (int i = 0; i < gaits->count && gait == NULL; ++i)
        if (gaits->gait[i].family != ER_GAIT_SWIM && gaits->gait[i].family != ER_GAIT_FLAP) gait = &gaits->gait[i];
    return r;
}

static int tear_down_walker(void **state)
{
    session_destroy(s);
    return tear_down(state);
}

static session *horse; // which ambles
static er_gaits *amble;

static int set_up_horse(void **state)
{
    er_mix *mix = NULL;
    horse = stand_open(context, "horse.glb");
    stand_ok(context, project_read_mix(context, "9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23", &mix));
    stand_ok(context, er_gait_of_mix(context, session_model(horse), session_rig(horse), session_modes(horse), mix, NULL,
                                     &amble));
    er_mix_destroy(mix);
    return 0;
}

static int tear_down_horse(void **state)
{
    er_gaits_destroy(amble);
    session_destroy(horse);
    return 0;
}

static er_result try(const er_gait *of, const project_walk_def *def, project_walk *out)
{
    return project_walk_simulate(context, session_model(horse), session_rig(horse), session_modes(horse), amble, of,
                                 def, out);
}

static double forward_of_mass(const er_model *model, const er_pose *pose)
{
    double sum = 0.0, mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        mass += model->body[b].mass;
        sum += model->body[b].mass * er_v3_dot(er_pose_point(pose[b], model->body[b].com), amble->body->forward);
    }
    return sum / mass;
}

// Every step a frame: how far it went is read off the frames.
static void a_gait_goes_its_way(void **state)
{
    const er_model *model = session_model(horse);
    project_walk_def def = project_default_walk_def();
    project_walk walk;
    char said[100];
    assert_true(def.seconds == 0.0 && def.lengths == 10.0 && def.push == 0.1 && def.fps == 60.0 && def.gain == 1.0 &&
                def.friction == 0.8);
    def.lengths = 0.5;
    def.fps = 1e4;
    stand_ok(context, try(&amble->gait[0], &def, &walk));
    const er_world_frames *f = &walk.simulation.frames;
    assert_true(walk.fell == ER_WALKER_UPRIGHT && walk.touches == -1);
    assert_true(walk.distance >= 0.5 * walk.length && walk.length >= amble->body->height);
    assert_true(fabs(walk.time * walk.simulation.fps - (f->frame_count - 1)) < 1e-6);
    double way = forward_of_mass(model, f->pose + (size_t)(f->frame_count - 1) * (size_t)model->body_count) -
                 forward_of_mass(model, f->pose);
    assert_true(fabs(walk.distance - way) < 1e-9 && walk.slip < 0.3 && walk.cost > 0.0 && walk.torque > 0.0);
    assert_true(walk.pushes == PROJECT_WALK_PUSHES && walk.survived >= 0 && walk.survived <= walk.pushes);
    project_walk_explain_end(&walk, said, sizeof said);
    assert_string_equal(said, "the end");
    project_walk_clear(&walk);
    assert_true(walk.simulation.frames.frame_count == 0 && walk.time == 0.0);
    def.fps = 60.0; // at least, in whole steps
    def.seconds = 0.01;
    def.push = 0.0;
    stand_ok(context, try(&amble->gait[0], &def, &walk));
    assert_true(walk.simulation.fps >= 60.0 - 1e-9 && walk.pushes == 0);
    project_walk_clear(&walk);
}

// On ice its feet slip away; a second of the fall is shown.
static void a_gait_on_ice_falls(void **state)
{
    project_walk_def def = project_default_walk_def();
    project_walk walk;
    char said[100], expected[100];
    def.friction = 0.0;
    stand_ok(context, try(&amble->gait[0], &def, &walk));
    const er_world_frames *f = &walk.simulation.frames;
    assert_true(walk.fell != ER_WALKER_UPRIGHT && walk.time > 0.01 && walk.pushes == 0);
    assert_true(fabs(f->time[f->frame_count - 1] - walk.time - 1.0) < 2.0 / walk.simulation.fps);
    project_walk_explain_end(&walk, said, sizeof said);
    if (walk.touches >= 0)
        snprintf(expected, sizeof expected, "%s bears weight", session_model(horse)->body[walk.touches].name);
    else
        snprintf(expected, sizeof expected, "%s", walk.fell == ER_WALKER_LEANS ? "the trunk leans" : "it sinks down");
    assert_string_equal(said, expected);
    project_walk_clear(&walk);
}

static void what_cannot_be_tried_is_refused(void **state)
{
    project_walk_def def = project_default_walk_def();
    project_walk walk;
    double *const field[] = {&def.seconds, &def.seconds, &def.lengths, &def.lengths, &def.push, &def.push,
                             &def.fps,     &def.fps,     &def.gain,    &def.gain,    &def.gain, &def.friction};
    const double wrong[] = {-1.0, 1.1e5, 0.0, HUGE_VAL, -0.1, NAN, 0.0, 1.1e4, 0.0, HUGE_VAL, 2.0, -0.1};
    for (size_t i = 0; i < ERI_COUNT(field); ++i) {
        def = project_default_walk_def();
        *field[i] = wrong[i];
        assert_int_equal(try(&amble->gait[0], &def, &walk), ER_ERROR_ARGUMENT);
        assert_true(walk.simulation.frames.frame_count == 0);
    }
    def = project_default_walk_def();
    static const er_gait_family elsewhere[] = {ER_GAIT_SWIM, ER_GAIT_FLAP};
    for (int i = 0; i < 2; ++i) {
        er_gait other = amble->gait[0];
        other.family = elsewhere[i];
        assert_refusal(context, try(&other, &def, &walk), ER_ERROR_ARGUMENT, other.name);
    }
}

// As many strides as come nearest to what is said, to the clip, or to a cycle of the slowest mode; the mix is as long.
static void a_layer_is_of_whole_strides(void **state)
{
    const double hz = gait->hz;
    static const project_plants none;
    static const struct {
        double duration;   // in strides
        double own, shape; // hz of a component, and of its shape, in the gait's; below zero: a harmonic
        int strides;
    } rows[] = {{0, 0, 0, 1},   {2.4, 0, 0, 2},  {2.6, 0, 0, 3}, {0.2, 0, 0, 1},   {0, 0.31, 0, 3},
                {0, 1.7, 0, 1}, {0, -1, 0.2, 1}, {0, 0, 0.5, 2}, {1.4, 0.31, 0, 1}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_mix_component component = er_default_mix_component();
        const er_mix mix = {.name = "", .component_count = 1, .component = &component};
        er_gait_motion *motion = NULL;
        er_motion *top = (er_motion *)&mix;
        int strides = 0;
        bool mixed = rows[i].own != 0.0 || rows[i].shape != 0.0;
        component.mode = stand_first_elastic(s);
        component.degrees = 0.1;
        component.hz = fmax(rows[i].own, 0.0) * hz;
        component.harmonic = rows[i].own < 0.0;
        component.shape_hz = rows[i].shape * hz;
        stand_ok(context,
                 er_gait_move(context, session_model(s), session_modes(s), session_gaits(s), gait, 60.0, &motion));
        int frames = motion->frame_count - 1;
        double stride = motion->time[frames];
        const project_layer layer = {.modes = session_modes(s),
                                     .body = session_gaits(s)->body,
                                     .gait = gait,
                                     .duration = rows[i].duration / hz,
                                     .mix = mixed ? &mix : NULL,
                                     .plants = &none,
                                     .fps = 60.0};
        stand_ok(context, project_layer_gait(context, &layer, NULL, &motion, &top, &strides));
        assert_int_equal(strides, rows[i].strides);
        assert_int_equal(motion->frame_count, strides * frames + 1);
        assert_true(fabs(motion->time[motion->frame_count - 1] - strides * stride) < 1e-9);
        assert_int_equal(top != NULL, mixed);
        if (mixed) assert_true(fabs(top->duration - strides * stride) < 1e-9);
        if (rows[i].own < 0.0) assert_true(fabs(top->component[0].hz * stride - 1.0) < 1e-9);
        er_motion_destroy(top);
        er_gait_motion_destroy(motion);
    }
}

// A stride as a clip, under its own name or another, on the spot or on its way.
static void a_gait_is_written_as_a_clip(void **state)
{
    int which = (int)(gait - session_gaits(s)->gait);
    session_export def = session_default_export();
    er_vec3 went[2];
    def.fps = 100.0;
    for (int travels = 0; travels < 2; ++travels) {
        er_scene *scene = NULL;
        def.name = travels == 1 ? "on its way" : NULL;
        stand_ok(context, session_write_gait(s, which, travels == 1, &def, "test_walk.glb"));
        stand_ok(context, er_import_file(context, "test_walk.glb", NULL, &scene));
        const er_clip *clip = &scene->clip[0];
        assert_string_equal(clip->name, travels == 1 ? "on its way" : gait->name);
        assert_true(fabs(clip->duration * gait->hz - 1.0) < 0.02);
        er_affine *local = calloc(2 * (size_t)scene->node_count, sizeof *local), *world = local + scene->node_count;
        er_vec3 at[2] = {{0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k < 2; ++k) {
            er_scene_sample(scene, clip, k * clip->duration, local);
            er_scene_world(scene, local, world);
            for (int i = 0; i < scene->node_count; ++i)
                if (strcmp(scene->node[i].name, "Hips") == 0) at[k] = world[i].translation;
        }
        went[travels] = er_v3_scale(scene->metres_per_unit, er_v3_sub(at[1], at[0]));
        free(local);
        er_scene_destroy(scene);
        assert_int_equal(remove("test_walk.glb"), 0);
    }
    double way = gait->stride;
    assert_true(er_v3_norm(went[0]) < 0.01 * way && fabs(er_v3_norm(went[1]) / way - 1.0) < 0.02);
    static const int none[] = {-1, 1000};
    for (int i = 0; i < 2; ++i)
        assert_refusal(context, session_write_gait(s, none[i], false, &def, "test_walk.glb"), ER_ERROR_ARGUMENT,
                       "gait");
    static const char *const paths[] = {"test_walk.csv", "test_walk.obj"};
    for (int i = 0; i < 2; ++i) {
        assert_refusal(context, session_write_gait(s, which, false, &def, paths[i]), ER_ERROR_ARGUMENT, ".glb");
    }
    assert_true(session_gait_cycle(s, which) == 1.0 / gait->hz && session_gait_cycle(s, 1000) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_gait_goes_its_way, set_up_horse, tear_down_horse),
        cmocka_unit_test_setup_teardown(a_gait_on_ice_falls, set_up_horse, tear_down_horse),
        cmocka_unit_test_setup_teardown(what_cannot_be_tried_is_refused, set_up_horse, tear_down_horse),
        cmocka_unit_test(a_layer_is_of_whole_strides),
        cmocka_unit_test(a_gait_is_written_as_a_clip),
    };
    return cmocka_run_group_tests_name("walk", tests, set_up_walker, tear_down_walker);
}
