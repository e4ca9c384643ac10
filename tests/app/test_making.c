// Objects made from texts: mixes, presets of a user's file, plants by name, and descriptions under a request.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/project/apply_description.h"
#include "app/project/project_motion.h"
#include "app/project/project_plant.h"
#include "app/project/project_preset.h"
#include "app/project/target.h"
#include "base/arena.h"
#include "stand.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"
#include "support/sample.h"

static hand h;

// ---- mixes

static void durations_of_loops_are_whole_frames(void **state)
{
    static const double rows[][3] = {{1, 60, 1},       {0.51, 10, 0.5}, {0.56, 10, 0.6},
                                     {0.001, 10, 0.1}, {0.1, 30, 0.1},  {2.0 / 3.0, 24, 2.0 / 3.0}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i)
        assert_true(fabs(project_whole_frames(rows[i][0], rows[i][1]) - rows[i][2]) < 1e-12);
    assert_true(project_whole_frames(0.1, 30) == 0.1); // stays to the bit where it is whole
}

static void a_file_of_a_mix_is_told_from_words(void **state)
{
    static const char path[] = "making_file";
    assert_true(project_names_file("a.json") && project_names_file("A.JSON") && project_names_file("-"));
    assert_false(project_names_file("0:10") || project_names_file("") || project_names_file(path));
    assert_int_equal(er_file_write(context, path, "x", 1), ER_OK);
    assert_true(project_names_file(path) && project_is_folder(".") && !project_is_folder(path));
    assert_int_equal(unlink(path), 0);
    assert_false(project_is_folder(path));
    er_mix *mix = NULL;
    stand_ok(context, project_read_mix(context, "3:15", &mix));
    assert_true(mix->component[0].mode == 3 && mix->component[0].degrees == 15.0);
    er_mix_destroy(mix);
    assert_int_equal(project_read_mix(context, "no such.json", &mix), ER_ERROR_FILE);
    assert_null(mix);
}

static void a_share_of_a_mix_is_of_all_its_amplitudes(void **state)
{
    er_mix_component component[] = {er_default_mix_component(), er_default_mix_component()};
    const er_mix mix = {.name = "a", .component_count = 2, .component = component};
    er_mix *less = NULL;
    component[0].degrees = 8.0;
    component[0].hz = 3.0;
    component[1].mode = 2;
    component[1].metres = 0.5;
    stand_ok(context, project_scale_mix(context, &mix, 0.25, &less));
    assert_true(less->component[0].degrees == 2.0 && less->component[0].hz == 3.0 &&
                less->component[1].metres == 0.125);
    assert_int_equal(less->component[1].mode, 2);
    assert_string_equal(less->name, "a");
    er_mix_destroy(less);
}

static void motions_tell_what_will_not_be_seen(void **state)
{
    er_model *model = stand_pendulum(context, 2.0);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    er_mix_component component = er_default_mix_component();
    const er_mix mix = {.name = "", .component_count = 1, .component = &component};
    er_motion_def def = er_default_motion_def();
    er_motion *motion = NULL;
    char told[300];
    def.loop = true;
    def.fps = 60.0;
    component.degrees = 5.0;
    for (int two = 0; two < 2; ++two) { // frames of a loop at least
        def.duration = two == 1 ? 2.0 / 60.0 : 1.9 / 60.0;
        er_result r = project_make_motion(context, model, modes, &mix, &def, NULL, &motion);
        if (two == 1) {
            stand_ok(context, r);
        } else {
            assert_refusal(context, r, ER_ERROR_ARGUMENT, "2 frames");
            assert_null(motion);
        }
    }
    er_motion_destroy(motion);
    stand_heard heard = {.count = 0};
    const project_listener listener = {stand_hear, &heard};
    def.duration = 1.0;
    component.degrees = 0.0;
    component.metres = 2.0 * model->size;
    stand_ok(context, project_make_motion(context, model, modes, &mix, &def, &listener, &motion));
    snprintf(told, sizeof told, "mode 0: %g cm", 200.0 * model->size);
    stand_expect_heard(&heard, ER_NOTE_WARNING, told);
    er_motion_destroy(motion);
    // harmonics change with their cycle
    heard.count = 0;
    component = er_default_mix_component();
    component.degrees = 5.0;
    component.harmonic = 1;
    er_mix cycled = mix;
    cycled.cycle = 0.6;
    stand_ok(context, project_make_motion(context, model, modes, &cycled, &def, &listener, &motion));
    double cycle = 1.0 / motion->component[0].hz;
    assert_int_equal(heard.count, 1);
    snprintf(told, sizeof told, "%.3g s, %+.0f %%", cycle, 100.0 * (cycle / 0.6 - 1.0));
    stand_expect_heard(&heard, ER_NOTE_WARNING, told);
    er_motion_destroy(motion);
    heard.count = 0;
    cycled.cycle = 0.48; // a twentieth off
    stand_ok(context, project_make_motion(context, model, modes, &cycled, &def, &listener, &motion));
    assert_int_equal(heard.count, 0);
    er_motion_destroy(motion);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

// Eight keys a period at least, of a hundred thousand a second at most; a hundred thousand seconds at most.
static void modes_too_fast_or_slow_have_no_clip(void **state)
{
    static const double hz[] = {2.0, 12000.0, 13000.0, 1.1e-5, 0.9e-5};
    for (int i = 0; i < 5; ++i) {
        er_model *model = stand_pendulum(context, hz[i]);
        er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
        stand_heard heard = {.count = 0};
        const project_listener listener = {stand_hear, &heard};
        project_target stage;
        project_palette palette;
        char told[200];
        stand_ok(context, project_target_set(context, model, NULL, NULL, &stage));
        stand_ok(context, project_record_palette(context, model, NULL, modes, NULL, false, 10.0, &stage.target,
                                                 &listener, NULL, &palette));
        bool none = i == 2 || i == 4;
        assert_int_equal(palette.count, !none);
        assert_int_equal(heard.count, none);
        snprintf(told, sizeof told, "%.3g Hz", modes->mode[0].frequency_hz);
        if (none) stand_expect_heard(&heard, ER_NOTE_WARNING, told);
        if (i == 0) assert_true(fabs(palette.recording[0]->fps - 96.0) < 1e-6); // 48 a period
        project_palette_clear(&palette);
        project_target_clear(&stage);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

static void a_palette_without_clips_says_why(void **state)
{
    er_model *model = stand_pendulum(context, 0.0);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    stand_heard heard = {.count = 0};
    const project_listener listener = {stand_hear, &heard};
    project_target stage;
    project_palette palette;
    stand_ok(context, project_target_set(context, model, NULL, NULL, &stage));
    stand_ok(context, project_record_palette(context, model, NULL, modes, NULL, false, 10.0, &stage.target, &listener,
                                             NULL, &palette));
    assert_int_equal(palette.count, 0);
    stand_expect_heard(&heard, ER_NOTE_WARNING, "1 mechanisms");
    project_palette_clear(&palette);
    er_modes some = *modes; // as of a window that holds but some
    some.dof = 3;
    heard.count = 0;
    stand_ok(context, project_record_palette(context, model, NULL, &some, NULL, false, 10.0, &stage.target, &listener,
                                             NULL, &palette));
    stand_expect_heard(&heard, ER_NOTE_WARNING, "1 modes");
    project_palette_clear(&palette);
    project_target_clear(&stage);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

// ---- presets

static void list_name(void *user, const char *name)
{
    strcat(strcat(user, name), ";");
}

static void a_user_s_presets_are_lines_of_a_file(void **state)
{
    char told[1200], names[300] = "";
    er_model *model = stand_pendulum(context, 2.0);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    er_mix *mix = NULL;
    stand_heard heard = {.count = 0};
    const project_listener listener = {stand_hear, &heard};
    const char *path = stand_write_presets(NULL);
    project_list_presets(&listener, list_name, names);
    assert_true(heard.count == 0 && *names == '\0'); // no file is no error
    static char text[20000];
    char *to = text + sprintf(text, "# peer 4 feet a\n\n  \t\nnod 2 none a \n nothing\nslow x none a\nlate -1 "
                                    "none a\nmore 1 none a b\n");
    memset(to, 'y', 5000);
    strcpy(to + 5000, "\n\tnod 3 feet a\nlast 0.5 feet b");
    stand_write_presets(text);
    project_list_presets(&listener, list_name, names);
    assert_string_equal(names, "nod;nod;last;");
    static const int off[] = {5, 6, 7, 8};
    assert_int_equal(heard.count, 5);
    for (int i = 0; i < 4; ++i) {
        snprintf(told, sizeof told, "%s:%d: ", path, off[i]);
        stand_expect_heard(&heard, ER_NOTE_WARNING, told);
    }
    snprintf(told, sizeof told, "%s:9: ", path);
    stand_expect_heard(&heard, ER_NOTE_WARNING, told);
    // by name, whatever the case of its letters
    heard.count = 0;
    snprintf(told, sizeof told, "%s:6: ", path);
    assert_refusal(context, project_make_preset(context, model, NULL, modes, NULL, "SLOW", NULL, NULL, NULL, &mix),
                   ER_ERROR_FORMAT, told);
    assert_refusal(context, project_make_preset(context, model, NULL, modes, NULL, "lastt", NULL, NULL, NULL, &mix),
                   ER_ERROR_ARGUMENT, "\"last\"");
    assert_refusal(context, project_make_preset(context, model, NULL, modes, NULL, "idel", NULL, NULL, NULL, &mix),
                   ER_ERROR_ARGUMENT, "\"idle\"");
    assert_refusal(context, project_make_preset(context, model, NULL, modes, NULL, "zzzzzz", NULL, NULL, NULL, &mix),
                   ER_ERROR_ARGUMENT, path);
    // what is wrong with its words is told of its line; that it is there twice, too
    assert_int_equal(project_make_preset(context, model, NULL, modes, NULL, "nod", &listener, NULL, NULL, &mix),
                     ER_ERROR_FORMAT);
    snprintf(told, sizeof told, "%s:4: ", path);
    assert_memory_equal(er_context_error(context), told, strlen(told));
    snprintf(told, sizeof told, "%s:10: ", path);
    stand_expect_heard(&heard, ER_NOTE_WARNING, told);
    assert_null(mix);
    // a relative folder is ignored: then they are in ~/.config
    assert_int_equal(setenv("XDG_CONFIG_HOME", "relative", 1), 0);
    assert_int_equal(setenv("HOME", sample_folder(), 1), 0);
    snprintf(told, sizeof told, "%s/.config", sample_folder());
    assert_int_equal(mkdir(told, 0700), 0);
    strcat(told, "/eigenrig");
    assert_int_equal(mkdir(told, 0700), 0);
    sample_write(".config/eigenrig/presets", "mine 2 none a\n", 14);
    *names = '\0';
    project_list_presets(NULL, list_name, names);
    assert_string_equal(names, "mine;");
    unsetenv("XDG_CONFIG_HOME");
    er_modes_destroy(modes);
    er_model_destroy(model);
}

// ---- what is planted

static void bodies_are_planted_as_far_as_their_freedoms_go(void **state)
{
    er_rig *built = stand_chain(context, &h);
    static const struct {
        const char *names;
        int count, body[4], turns; // bits
    } rows[] = {{"neck", 1, {3}, 0},
                {"chest", 1, {2}, 1},
                {"belly", 1, {1}, 1},
                {"hips", 1, {0}, 0},
                {"head,chest", 2, {4, 2}, 2},
                {",h*,,", 3, {0, 4, 5}, 0},
                {"neck,neck,n?ck", 1, {3}, 0},
                {"lamp", 1, {3}, 0},
                {"", 0, {0}, 0},
                {"none", 0, {0}, 0}};
    er_bones *bones = NULL;
    stand_ok(context, er_bones_create(context, built->model, &bones));
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        project_plants plants;
        stand_ok(context, project_find_plants(context, built->model, built, rows[i].names, NULL, &plants));
        assert_int_equal(plants.count, rows[i].count);
        if (rows[i].count == 0)
            assert_null(plants.names);
        else
            assert_string_equal(plants.names, rows[i].names);
        for (int k = 0; k < plants.count; ++k) {
            int b = rows[i].body[k];
            bool turns = (rows[i].turns >> k & 1) != 0;
            assert_int_equal(plants.hold[k].body, b);
            assert_int_equal(plants.hold[k].turns, turns);
            er_vec3 tip = er_pose_point_inverse(built->model->body[b].pose, bones->tip[b]);
            assert_true(er_v3_distance(plants.hold[k].point, turns ? tip : er_v3(0, 0, 0)) < 1e-12);
        }
        project_plants_clear(&plants);
        assert_true(plants.hold == NULL && plants.names == NULL);
    }
    er_bones_destroy(bones);
    static const struct {
        const char *names, *says;
    } wrong[] = {{"nek", "\"neck\""},  {"neck,lmap", "\"lamp\""}, {"foot", "\"feet\""}, {"wing*", "wing*"},
                 {"rock", "\"rock\""}, {"feet", "plant feet"},    {"*", "plant *"}};
    for (size_t i = 0; i < ERI_COUNT(wrong); ++i) {
        project_plants plants;
        assert_refusal(context, project_find_plants(context, built->model, built, wrong[i].names, NULL, &plants),
                       ER_ERROR_ARGUMENT, wrong[i].says);
        assert_true(plants.count == 0 && plants.hold == NULL && plants.names == NULL);
    }
    assert_int_equal(project_find_node(built, "l?mp"), 3);
    assert_int_equal(project_find_node(built, "rock"), -1);
    assert_int_equal(project_find_node(NULL, "lamp"), -1);
    er_rig_destroy(built);
}

// ---- descriptions

static project_description *describe(const char *text, project_request *request)
{
    static const char path[] = "making.rig.lua";
    project_description *d = NULL;
    assert_int_equal(er_file_write(context, path, text, strlen(text)), ER_OK);
    request->description = path;
    stand_ok(context, project_apply_description(context, "no.glb", request, &d));
    assert_int_equal(unlink(path), 0);
    return d;
}

static void a_description_gives_what_was_not_asked_field_by_field(void **state)
{
    for (int bit = -1; bit < 19; ++bit) {
        project_request request = project_default_request();
        if (bit >= 0) request.given = 1u << bit;
        project_description *d =
            describe("return {root = 'fixed', joints = 'revolute', stiffness = 'uniform:7', damping = 0.25,"
                     "rayleigh = {3, 0.5}, density = 900, mass = 80, height = 1.8, pose = 'run@1.5', skeleton = 'hips',"
                     "infer_parents = true, props = 'hat', hang = {a = 'b'}, feet = 'f', forward = 'x', plant = 'p',"
                     "symmetrize = true, character = 'c', tune = {b = '2+', a = 0.1}}",
                     &request);
        const er_rig_def *r = &request.rig, none = er_default_rig_def();
        assert_int_equal(d->gives, bit < 0 ? 0x7ffffu : 0x7ffffu & ~(1u << bit));
        assert_int_equal(request.given, 0x7ffffu);
        assert_int_equal(r->root == ER_ROOT_FIXED, bit != 0);
        assert_int_equal(r->joints == ER_JOINTS_REVOLUTE, bit != 1);
        assert_int_equal(r->stiffness.uniform, bit != 2);
        assert_true(r->damping_ratio == (bit != 3 ? 0.25 : 0.0));
        assert_true(r->rayleigh_mass == (bit != 4 ? 3.0 : 0.0) && r->rayleigh_stiffness == (bit != 4 ? 0.5 : 0.0));
        assert_true(r->density == (bit != 5 ? 900.0 : none.density));
        assert_true(r->mass == (bit != 6 ? 80.0 : 0.0) && r->height == (bit != 7 ? 1.8 : 0.0));
        assert_int_equal(r->pose, bit != 8 ? ER_POSE_CLIP : ER_POSE_REST);
        assert_true(r->pose_time == (bit != 8 ? 1.5 : 0.0) && (r->pose_clip != NULL) == (bit != 8));
        assert_int_equal(r->skeleton != NULL, bit != 9);
        assert_int_equal(r->infer_parents, bit != 10);
        assert_int_equal(r->props != NULL, bit != 11);
        assert_true((r->hang != NULL) == (bit != 12) && r->hang_count == (bit != 12));
        assert_int_equal(request.feet != NULL, bit != 13);
        assert_true(request.forward.x == (bit != 14 ? 1.0 : 0.0));
        assert_int_equal(request.plant != NULL, bit != 15);
        assert_int_equal(r->symmetrize, bit != 16);
        assert_int_equal(r->character != NULL, bit != 17);
        if (bit == 18)
            assert_null(request.tune);
        else
            assert_string_equal(request.tune, "a:0.10000000000000001,b:2+");
        assert_ptr_equal(request.rig.change, &d->open_description.settings.change);
        project_description_close(d);
    }
}

// ---- what there is of it

static char matched[1000];

static void note_match(void *user, const char *kind, const char *word, int count, const char *const *name)
{
    assert_ptr_equal(user, matched);
    sprintf(matched + strlen(matched), "%s %s:", kind, word);
    for (int i = 0; i < count; ++i)
        sprintf(matched + strlen(matched), " %s", name[i]);
    strcat(matched, ";");
}

static void what_a_description_names_is_looked_for(void **state)
{
    er_rig *built = stand_chain(context, &h);
    project_request request = project_default_request();
    project_description *d =
        describe("return {optional = true, joints = {['h*'] = {hz = 3}, tail = {hz = 1}}, welds = {'neck'},"
                 "bodies = {['?e*'] = {mass = 1}}, mirror = {{'L', 'eck'}}, feet = 'he*,hoof*,feet',"
                 "plant = 'hoof,none,lamp', loops = {{child = 'head', at = 'hips', name = 'pin'}, {child = 'tail', at "
                 "= 'hips'}}}",
                 &request);
    er_model *model = NULL;
    stand_ok(context, er_rig_change_model(context, built->model, request.rig.change, &model));
    *matched = '\0';
    stand_ok(context, project_list_matches(context, d, model, note_match, matched));
    assert_string_equal(
        matched,
        "joints h*: head hat;joints tail:;joints neck: neck;bodies ?e*: belly neck head;loops head: pin;loops tail:;");
    stand_heard heard = {.count = 0};
    const project_listener listener = {stand_hear, &heard};
    stand_ok(context, project_check_matches(context, d, model, &listener));
    assert_int_equal(heard.count, 3);
    stand_expect_heard(&heard, ER_NOTE_FACT, "joints \"tail\"");
    stand_expect_heard(&heard, ER_NOTE_FACT, "loops \"tail\"");
    stand_expect_heard(&heard, ER_NOTE_FACT, "mirror \"L\"");
    stand_ok(context, project_check_matches(context, NULL, model, &listener));
    assert_int_equal(heard.count, 3);
    project_drop_unknown(&request, d, model, built);
    assert_string_equal(request.feet, "he*,feet");
    assert_string_equal(request.plant, "none,lamp");
    project_drop_unknown(&request, NULL, model, built);
    project_description_close(d);

    request = project_default_request(); // what fits nothing at all
    d = describe("return {joints = {tail = {hz = 3, optional = true}}, mirror = {{'L', 'R'}}, feet = 'hoof'}",
                 &request);
    heard.count = 0;
    stand_ok(context, project_check_matches(context, d, model, &listener));
    assert_int_equal(heard.count, 4);
    stand_expect_heard(&heard, ER_NOTE_WARNING, "making.rig.lua");
    stand_expect_heard(&heard, ER_NOTE_WARNING, "mirror \"R\"");
    project_drop_unknown(&request, d, model, built); // it is not optional
    assert_string_equal(request.feet, "hoof");
    project_description_close(d);

    request = project_default_request();
    request.given = GIVEN_FEET; // which stay as they were asked
    request.feet = "hoof";
    d = describe("return {optional = true, feet = 'head', plant = 'hoof'}", &request);
    project_drop_unknown(&request, d, model, built);
    assert_string_equal(request.feet, "hoof");
    assert_null(request.plant);
    er_fail(context, ER_ERROR_RIG, "it is broken");
    assert_refusal(context, project_cite_description(context, ER_ERROR_RIG, d), ER_ERROR_RIG,
                   "making.rig.lua: it is broken");
    assert_int_equal(project_cite_description(context, ER_OK, d), ER_OK);
    er_fail(context, ER_ERROR_RIG, "it is broken");
    assert_int_equal(project_cite_description(context, ER_ERROR_RIG, NULL), ER_ERROR_RIG);
    assert_string_equal(er_context_error(context), "it is broken");
    project_description_close(d);

    char names[PROJECT_NAMES_SIZE], many[1500] = "";
    for (int i = 0; i < 255; ++i)
        strcat(many, "head,");
    const char *kept = project_known_names(model, built, many, names);
    assert_int_equal(strlen(kept), 5 * 204 - 1); // whole names, as many as there is room for
    er_model_destroy(model);
    er_rig_destroy(built);
}

static void a_description_is_found_where_it_is_said(void **state)
{
    static const char path[] = "making_beside.rig.lua";
    project_request request = project_default_request();
    char found[100];
    assert_int_equal(er_file_write(context, path, "return {}", 9), ER_OK);
    assert_true(project_find_description("making_beside.glb", &request, found, sizeof found));
    assert_string_equal(found, path);
    assert_false(project_find_description("making_other.glb", &request, found, sizeof found));
    assert_false(project_find_description("-", &request, found, sizeof found));
    request.description = "none";
    assert_false(project_find_description("making_beside.glb", &request, found, sizeof found));
    request.description = "elsewhere.lua";
    assert_true(project_find_description("making_beside.glb", &request, found, sizeof found));
    assert_string_equal(found, "elsewhere.lua");
    project_description *d = NULL;
    assert_int_equal(project_read_description(context, "making_beside.glb", &request, &d), ER_ERROR_FILE);
    assert_null(d);
    request.description = NULL;
    stand_ok(context, project_read_description(context, "making_beside.glb", &request, &d));
    assert_string_equal(d->path, path);
    assert_int_equal(d->gives, 0);
    project_description_close(d);
    project_description_close(NULL);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_of_loops_are_whole_frames),
        cmocka_unit_test(a_file_of_a_mix_is_told_from_words),
        cmocka_unit_test(a_share_of_a_mix_is_of_all_its_amplitudes),
        cmocka_unit_test(motions_tell_what_will_not_be_seen),
        cmocka_unit_test(modes_too_fast_or_slow_have_no_clip),
        cmocka_unit_test(a_palette_without_clips_says_why),
        cmocka_unit_test(a_user_s_presets_are_lines_of_a_file),
        cmocka_unit_test(bodies_are_planted_as_far_as_their_freedoms_go),
        cmocka_unit_test(a_description_gives_what_was_not_asked_field_by_field),
        cmocka_unit_test(what_a_description_names_is_looked_for),
        cmocka_unit_test(a_description_is_found_where_it_is_said),
    };
    return cmocka_run_group_tests_name("making", tests, set_up, tear_down);
}
