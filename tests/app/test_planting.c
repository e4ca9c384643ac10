// Bodies that stay in place while a mix plays: feet by name, presets with their plants, and the warning when planting
// leaves little of a motion.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/project/project_motion.h"
#include "app/project/project_plant.h"
#include "app/project/project_preset.h"
#include "base/file.h"
#include "stand.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

// ---- what is left

// Two pendulums of 2 and 8 kg, hinged to the world apart from each other, that swing at 1 and 2 Hz.
static er_model *two_pendulums(void)
{
    static rig r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 2; ++i) {
        double omega = 2.0 * ER_PI * (i + 1), mass = i == 0 ? 2.0 : 8.0;
        rig_add_body(&r, mass, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(1, 0, i), er_pose_identity());
        er_joint *joint = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, i, er_pose_identity());
        joint->stiffness[0] = (mass + 0.1) * omega * omega;
    }
    r.body[0].name = "light";
    r.body[1].name = "heavy";
    return rig_model(context, &r);
}

// The sum over the first second of squares of ways that a mass goes on a circle of a metre.
static double way_of(double mass, double degrees, double hz)
{
    double sum = 0.0;
    for (int i = 0; i < 16; ++i) {
        double half = 0.5 * degrees * ER_PI / 180.0 * sin(2.0 * ER_PI * hz * i / 16.0);
        sum += mass * 4.0 * sin(half) * sin(half);
    }
    return sum;
}

// A warning says when less than a quarter of the motion is left: root mean square, weighted by mass.
static void what_planting_takes_is_told_where_little_is_left(void **state)
{
    er_model *model = two_pendulums();
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    static const double light[] = {3.0, 7.8, 6.6, 12.0};
    for (int i = 0; i < 4; ++i) {
        stand_heard heard = {.count = 0};
        const project_listener listener = {stand_hear, &heard};
        const er_hold hold = {.body = 1};
        er_mix_component component[] = {er_default_mix_component(), er_default_mix_component()};
        const er_mix mix = {.name = i == 0 ? "" : "nod", .component_count = 2, .component = component};
        er_motion_def def = er_default_motion_def();
        er_motion *motion = NULL;
        component[0].mode = 0;
        component[0].degrees = light[i];
        component[1].mode = 1;
        component[1].degrees = 10.0;
        component[0].hz = 0.25;
        component[1].hz = 0.5;
        def.duration = 1.0;
        def.plant = &hold;
        def.plant_count = 1;
        stand_ok(context, er_motion_create(context, model, modes, &mix, &def, &motion));
        stand_ok(context, project_warn_planted(context, modes, &mix, &def, motion, &listener));
        double kept = way_of(2.0, light[i], 0.25), left = sqrt(kept / (kept + way_of(8.0, 10.0, 0.5)));
        assert_true(left < 0.235 || left > 0.265);
        assert_int_equal(heard.count, left < 0.25);
        char told[200];
        snprintf(told, sizeof told, "%s: with what is planted only %.2g %%", i == 0 ? "the mix" : "nod", 100.0 * left);
        if (heard.count > 0) stand_expect_heard(&heard, ER_NOTE_WARNING, told);
        def.plant_count = 0; // then nothing is taken
        heard.count = 0;
        stand_ok(context, project_warn_planted(context, modes, &mix, &def, motion, &listener));
        assert_int_equal(heard.count, 0);
        er_motion_destroy(motion);
    }
    er_modes_destroy(modes);
    er_model_destroy(model);
}

// ---- feet

// A walker of hips, a spine and two legs, in BVH: at the end of the shins, feet with toes, or nothing.
static const char *write_walker(bool feet)
{
    static char text[4000];
    char *to = text + sprintf(text, "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition "
                                    "Zrotation Xrotation Yrotation\n");
    static const char *const name[] = {"UpLeg", "Leg", "Foot", "Toe"};
    static const int down[] = {-4, -42, -38, -6}, ahead[] = {0, 6, -6, 14};
    for (int side = 0; side < 2; ++side) {
        int count = feet ? 4 : 2;
        for (int i = 0; i < count; ++i)
            to += sprintf(to, "JOINT %s%s\n{\nOFFSET %d %d %d\nCHANNELS 3 Zrotation Xrotation Yrotation\n",
                          side == 0 ? "Left" : "Right", name[i],
                          i > 0       ? 0
                          : side == 0 ? 10
                                      : -10,
                          down[i], ahead[i]);
        to += sprintf(to, "End Site\n{\nOFFSET 0 %d %d\n}\n", feet ? 0 : -44, feet ? 6 : -6);
        for (int i = 0; i < count; ++i)
            to += sprintf(to, "}\n");
    }
    to += sprintf(to, "JOINT Spine\n{\nOFFSET 0 30 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
                      "OFFSET 0 40 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 90 0");
    for (int i = 0; i < 6 + 3 * (feet ? 8 : 4); ++i)
        to += sprintf(to, " 0");
    to += sprintf(to, "\n");
    return sample_write("planting.bvh", text, (size_t)(to - text));
}

static session *open_walker(bool feet)
{
    session *s = NULL;
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, write_walker(feet), NULL));
    return s;
}

// A foot on an ankle stays altogether, its toes with it; the end of a shin without one turns about what it stands on.
static void feet_stay_with_their_toes_or_turn(void **state)
{
    static const char *const names[] = {"feet", "LeftFoot,feet,LeftFoot", "RightFoot", "LeftLeg", "Hips"};
    static const char *const held[2][5][5] = {{{"LeftLeg", "RightLeg"}, {NULL}, {NULL}, {"LeftLeg"}, {"Hips"}},
                                              {{"LeftFoot", "LeftToe", "RightFoot", "RightToe"},
                                               {"LeftFoot", "LeftToe", "RightFoot", "RightToe"},
                                               {"RightFoot", "RightToe"},
                                               {"LeftLeg"},
                                               {"Hips"}}};
    for (int feet = 0; feet < 2; ++feet) {
        session *s = open_walker(feet);
        const er_model *model = session_model(s);
        for (int i = 0; i < 5; ++i) {
            project_plants plants;
            er_result r = project_find_plants(context, model, session_rig(s), names[i], NULL, &plants);
            if (held[feet][i][0] == NULL) { // there is no such foot
                assert_int_equal(r, ER_ERROR_ARGUMENT);
                continue;
            }
            stand_ok(context, r);
            int count = 0;
            for (; held[feet][i][count] != NULL; ++count) {
                const er_hold *hold = &plants.hold[count];
                assert_true(count < plants.count);
                assert_string_equal(model->body[hold->body].name, held[feet][i][count]);
                bool turns = strstr(held[feet][i][count], "Leg") != NULL; // six freedoms, or an end that stands
                assert_int_equal(hold->turns, turns);
                er_vec3 at = er_pose_point(model->body[hold->body].pose, hold->point);
                double low = feet ? 6.0 / 90.0 : 0.0; // of the hips' height, where shins end
                if (turns) measure_at_most("a point that stands", fabs(at.y / model->body[0].pose.p.y - low), 0.03);
            }
            assert_int_equal(plants.count, count);
            project_plants_clear(&plants);
        }
        session_destroy(s);
    }
}

// A preset of a user is the library's mix of the same words with what it plants, and none where no feet are found;
// what was taken less than was asked is told.
static void presets_are_made_with_what_they_plant(void **state)
{
    static const er_preset made[] = {{"stretch", 2.0, "feet", "trunk:up:40"},
                                     {"loose", 3.0, "none", "head:side:3"},
                                     {"stuck", 2.0, "Hips,Spine", "legs:ahead:1"},
                                     {"Breathe", 0.0, NULL, NULL}};
    static const int planted[] = {4, 0, 2, 4};
    char text[300] = "", told[1200];
    for (int i = 0; i < 3; ++i)
        sprintf(text + strlen(text), "%s %g %s %s\n", made[i].name, made[i].seconds, made[i].plant, made[i].moves);
    strcat(text, "lost 2 tail trunk:up:4\n");
    const char *path = stand_write_presets(text);
    session *s = open_walker(true);
    const er_model *model = session_model(s);
    const er_rig *built = session_rig(s);
    const er_modes *modes = session_modes(s);
    for (int i = 0; i < 4; ++i) {
        stand_heard heard = {.count = 0};
        const project_listener listener = {stand_hear, &heard};
        const er_preset *own = i < 3 ? &made[i] : er_preset_named("breathe");
        project_plants plants;
        er_mix *mix = NULL, *expected = NULL;
        stand_ok(context,
                 project_make_preset(context, model, built, modes, NULL, made[i].name, &listener, &plants, NULL, &mix));
        stand_ok(context, er_preset_mix(context, model, built, modes, NULL, own, &expected));
        assert_int_equal(plants.count, planted[i]);
        assert_string_equal(mix->name, own->name);
        assert_int_equal(mix->component_count, expected->component_count);
        int most = 0;
        for (int v = 0; v < mix->component_count; ++v) {
            const er_mix_component *a = &mix->component[v], *b = &expected->component[v];
            assert_true(a->mode == b->mode && a->degrees == b->degrees && a->phase == b->phase);
            if (a->degrees < 20.0) continue;
            snprintf(told, sizeof told, "mode %d ", a->mode);
            stand_expect_heard(&heard, ER_NOTE_WARNING, told);
            ++most;
        }
        bool short_of_all = i == 0 || i == 3;
        if (short_of_all) stand_expect_heard(&heard, ER_NOTE_WARNING, "trunk ");
        assert_int_equal(heard.count, most + short_of_all);
        if (i == 0) assert_int_equal(most, 1);
        project_plants_clear(&plants);
        er_mix_destroy(mix);
        // the plants may be left
        stand_ok(context,
                 project_make_preset(context, model, built, modes, NULL, made[i].name, NULL, NULL, NULL, &mix));
        er_mix_destroy(mix);
        er_mix_destroy(expected);
    }
    project_plants plants;
    er_mix *mix = NULL;
    snprintf(told, sizeof told, "%s:4: plant tail: ", path);
    assert_refusal(context, project_make_preset(context, model, built, modes, NULL, "lost", NULL, &plants, NULL, &mix),
                   ER_ERROR_FORMAT, told);
    assert_true(mix == NULL && plants.count == 0 && plants.hold == NULL);
    er_gait_def gait = er_default_gait_def(); // what is wrong elsewhere is of no line
    gait.feet = "hoof";
    assert_int_equal(project_make_preset(context, model, built, modes, &gait, "idle", NULL, NULL, NULL, &mix),
                     ER_ERROR_ARGUMENT);
    assert_null(strstr(er_context_error(context), "presets:"));
    session_destroy(s);
    unsetenv("XDG_CONFIG_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_planting_takes_is_told_where_little_is_left),
        cmocka_unit_test(feet_stay_with_their_toes_or_turn),
        cmocka_unit_test(presets_are_made_with_what_they_plant),
    };
    return cmocka_run_group_tests_name("planting", tests, set_up, tear_down);
}
