// Files that the session writes, read back without it; and its list of recent files.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "base/arena.h"
#include "stand.h"
#include "support/judge.h"

static er_context *context;
static char folder[] = "/tmp/eigenrig-studio-XXXXXX";

static int set_up(void **state)
{
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return -1;
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    measured_report();
    er_context_destroy(context);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

// A mix of two modes is playing.
static session *playing(const char *file)
{
    session *s = stand_open(context, file);
    int mode = stand_first_elastic(s);
    stand_ok(context, session_play(s, mode));
    stand_ok(context, session_toggle(s, mode + 1));
    return s;
}

// ---- exports

static void expect_clip(const session *s, const char *path, int clips, double duration)
{
    er_scene *scene = NULL;
    stand_ok(context, er_import_file(context, path, NULL, &scene));
    if (session_scene(s) != NULL) clips += session_scene(s)->clip_count;
    assert_int_equal(scene->clip_count, clips);
    if (duration > 0.0) measure_at_most("duration read back", fabs(scene->clip[clips - 1].duration - duration), 1e-4);
    er_scene_destroy(scene);
    assert_int_equal(unlink(path), 0);
}

static void a_mix_is_written_in_every_format(void **state)
{
    static const char *const files[] = {"hand.glb", "loop_8_asymmetric.json"};
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        session *s = playing(files[i]);
        session_export def = session_default_export();
        static const char *const scenes[] = {"mix.glb", "mix.GLB", "mix.fbx", "mix.dae"};
        for (size_t k = 0; k < ERI_COUNT(scenes); ++k) {
            stand_ok(context, session_write(s, &def, scenes[k]));
            expect_clip(s, scenes[k], 1, session_cycle(s));
        }
        static const char *const others[] = {"mix.csv", "mix.npz", "mix.svg", "mix.bvh"};
        for (size_t k = 0; k < ERI_COUNT(others); ++k) {
            stand_ok(context, session_write(s, &def, others[k]));
            assert_true(is_there(others[k]));
            unlink(others[k]);
        }
        session_destroy(s);
    }
}

// A row a frame and one for the end, at their times; all coordinates of the joints in each.
static void curves_have_every_frame(void **state)
{
    session *s = playing("hand.glb");
    session_export def = session_default_export();
    static const double lasts[] = {1.5, 0.51};
    for (int i = 0; i < 2; ++i) {
        def.duration = lasts[i];
        def.fps = 20.0;
        stand_ok(context, session_write(s, &def, "curves.csv"));
        FILE *file = fopen("curves.csv", "r");
        char line[20000];
        int rows = 0, columns = 1, frames = (int)ceil(lasts[i] * def.fps - 1e-6);
        assert_non_null(fgets(line, sizeof line, file));
        for (const char *c = line; *c != '\0'; ++c)
            columns += *c == ',';
        assert_int_equal(columns, 1 + session_model(s)->coordinate_count);
        for (double time; fgets(line, sizeof line, file) != NULL; ++rows) {
            assert_int_equal(sscanf(line, "%lf", &time), 1);
            assert_true(fabs(time - (rows < frames ? rows / def.fps : lasts[i])) < 1e-9);
        }
        assert_int_equal(rows, frames + 1);
        fclose(file);
    }
    unlink("curves.csv");
    session_destroy(s);
}

// A mode alone decays by exp(-z w t): the largest turn of the second half against that of the first.
static void modes_ring_out(void **state)
{
    session *s = playing("hand.glb");
    session_setup setup = *session_get(s);
    setup.damping_ratio = 0.05;
    setup.component_count = 1;
    stand_ok(context, session_set(s, &setup, true));
    session_export def = session_default_export();
    double hz = session_modes(s)->mode[setup.component[0].mode - session_modes(s)->first].frequency_hz, most[2] = {0};
    def.duration = 4.0 / hz;
    def.fps = 100.0 * hz;
    def.ring = true;
    stand_ok(context, session_write(s, &def, "ring.csv"));
    FILE *file = fopen("ring.csv", "r");
    char line[20000];
    assert_non_null(fgets(line, sizeof line, file));
    for (double time; fgets(line, sizeof line, file) != NULL;) {
        char *at = line;
        time = strtod(at, &at);
        while (*at == ',') {
            double *half = &most[time > 0.5 * def.duration];
            *half = fmax(*half, fabs(strtod(at + 1, &at)));
        }
    }
    fclose(file);
    unlink("ring.csv");
    measure_at_most("decay", fabs(most[1] / most[0] - exp(-0.05 * 2.0 * ER_PI * 2.0)), 0.02);
    session_destroy(s);
}

static void an_export_says_how_long_and_under_what_name(void **state)
{
    session *s = playing("hand.glb");
    session_export def = session_default_export();
    def.duration = 3.5;
    def.attack = def.decay = 0.5;
    def.tolerance = 0.5;
    def.splines = true;
    def.name = "w\xc3\xa4ve";
    stand_ok(context, session_write(s, &def, "named.glb"));
    er_scene *scene = NULL;
    stand_ok(context, er_import_file(context, "named.glb", NULL, &scene));
    assert_string_equal(scene->clip[scene->clip_count - 1].name, def.name);
    measure_at_most("duration asked for", fabs(scene->clip[scene->clip_count - 1].duration - 3.5), 1e-5);
    er_scene_destroy(scene);
    unlink("named.glb");
    def.attack = 5.0; // longer than it lasts
    assert_int_equal(session_write(s, &def, "named.glb"), ER_ERROR_ARGUMENT);
    def = session_default_export();
    def.over = "no such clip";
    assert_int_equal(session_write(s, &def, "named.glb"), ER_ERROR_ARGUMENT);
    assert_false(is_there("named.glb"));
    session_destroy(s);
}

static void the_rig_file_is_that_of_the_tuned_model(void **state)
{
    session *s = stand_open(context, "hand.glb");
    session_setup setup = *session_get(s);
    setup.root = ER_ROOT_FIXED;
    setup.rule_count = 1;
    setup.rule[0] = (session_rule){.pattern = "*", .hz = 4.0, .damping_ratio = 0.1, .density = 2.0, .type = -1};
    stand_ok(context, session_set(s, &setup, true));
    session_export def = session_default_export();
    stand_ok(context, session_write(s, &def, "tuned.json"));
    stand_modes kept = stand_keep(s);
    stand_ok(context, session_open(s, "tuned.json", NULL));
    assert_int_equal(session_get(s)->root, ER_ROOT_FIXED);
    const er_modes *modes = session_modes(s);
    assert_int_equal(modes->count, kept.count);
    size_t width = 2 + 6 * (size_t)kept.bodies + (size_t)kept.coordinates;
    for (int k = 0; k < kept.count; ++k)
        measure_at_most("eigenvalues read back",
                        relative_error(modes->mode[k].eigenvalue, kept.number[(size_t)k * width]), 1e-9);
    stand_free(&kept);
    unlink("tuned.json");
    session_destroy(s);
}

static void what_cannot_be_written_leaves_no_file(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    session_export def = session_default_export();
    assert_int_equal(session_write(s, &def, "silent.glb"), ER_ERROR_ARGUMENT);
    assert_int_equal(session_save_mix(s, "silent.json"), ER_ERROR_ARGUMENT);
    stand_ok(context, session_play(s, 3));
    static const char *const names[] = {"odd.obj", "odd", "", ".glb", "no such folder/out.glb"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        assert_int_not_equal(session_write(s, &def, names[i]), ER_OK);
        assert_true(er_context_error(context)[0] != '\0');
        assert_false(is_there(names[i]) && *names[i] != '\0');
    }
    assert_int_equal(session_write(s, &def, "odd.obj"), ER_ERROR_ARGUMENT);
    static const char *const said[] = {".glb", ".npz", ".svg", ".json"};
    for (size_t i = 0; i < ERI_COUNT(said); ++i)
        assert_non_null(strstr(er_context_error(context), said[i]));
    assert_false(is_there("silent.glb") || is_there("silent.json"));
    session_destroy(s);
}

// ---- mixes and poses

static void a_mix_comes_back_from_its_file(void **state)
{
    session *s = playing("hand.glb");
    session_setup setup = *session_get(s);
    setup.component[1].phase = 0.75;
    setup.component[1].hz = 1.25;
    snprintf(setup.mix_name, sizeof setup.mix_name, "wave");
    stand_ok(context, session_set(s, &setup, true));
    stand_modes kept = stand_keep(s);
    stand_ok(context, session_save_mix(s, "wave.json"));
    er_mix *saved = NULL;
    stand_ok(context, er_mix_file_read(context, "wave.json", &saved));
    assert_int_equal(saved->component_count, 2);
    for (int i = 0; i < 2; ++i) // whatever it is swung at
        assert_true(saved->component[i].shape_hz == session_mode(s, setup.component[i].mode)->frequency_hz);
    er_mix_destroy(saved);
    stand_ok(context, session_play(s, -1));
    stand_ok(context, session_load_mix(s, "wave.json"));
    stand_expect(s, &kept);
    assert_string_equal(session_get(s)->mix_name, "wave");
    stand_ok(context, session_undo(s));
    assert_int_equal(session_get(s)->component_count, 0);
    // a stiffer rig: the modes are found by their shapes
    setup = *session_get(s);
    setup.stiffness.hz = 5.0;
    stand_ok(context, session_set(s, &setup, true));
    stand_ok(context, session_load_mix(s, "wave.json"));
    assert_int_equal(session_get(s)->component[0].mode, kept.setup.component[0].mode);
    unlink("wave.json");
    assert_int_equal(session_load_mix(s, "wave.json"), ER_ERROR_FILE);
    assert_int_equal(session_load_mix(s, stand_path("four_bar.json")), ER_ERROR_FORMAT);
    assert_int_equal(session_get(s)->component_count, 2);
    stand_free(&kept);
    session_destroy(s);
}

static void envelopes_of_a_mix_are_said_to_be_left_out(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
    er_mix mix = {.name = "swell", .cycle = 2.0, .component_count = 2, .component = component};
    component[0].mode = 3;
    component[0].attack = 1.0;
    component[1].mode = 4;
    component[1].harmonic = 3;
    stand_ok(context, er_mix_file_write(context, &mix, "swell.json"));
    stand_ok(context, session_load_mix(s, "swell.json"));
    assert_string_not_equal(session_message(s), "");
    assert_true(session_get(s)->component[1].hz == 1.5);
    mix.cycle = 0.0;
    stand_ok(context, er_mix_file_write(context, &mix, "swell.json"));
    assert_int_equal(session_load_mix(s, "swell.json"), ER_ERROR_ARGUMENT);
    unlink("swell.json");
    session_destroy(s);
}

static void a_pose_that_was_saved_is_the_equilibrium_of_another_time(void **state)
{
    session *s = stand_open(context, "hand.glb");
    for (int round = 0; round < 3; ++round) { // at rest, bound, turned
        session_setup setup = *session_get(s);
        setup.pose = round == 1 ? ER_POSE_BIND : ER_POSE_REST;
        stand_ok(context, session_set(s, &setup, true));
        if (round == 2) stand_ok(context, session_rotate(s, 3, er_v3(0.3, -0.4, 0.2), true));
        stand_ok(context, session_save_pose(s, "pose.json"));
        project_request request = project_default_request();
        request.rig.pose = ER_POSE_GIVEN;
        request.pose_file = "pose.json";
        session *other = NULL;
        stand_ok(context, session_create(context, &other));
        stand_ok(context, session_open(other, stand_path("hand.glb"), round == 0 ? NULL : &request));
        if (round == 0) stand_ok(context, session_load_pose(other, "pose.json"));
        assert_int_equal(session_get(other)->pose, ER_POSE_GIVEN);
        if (round == 0) stand_ok(context, session_undo(other));
        for (int b = 0; b < session_model(s)->body_count; ++b)
            measure_at_most("bodies of a saved pose",
                            er_v3_distance(session_model(s)->body[b].pose.p, session_model(other)->body[b].pose.p) /
                                session_model(s)->size,
                            1e-6);
        session_destroy(other);
    }
    unlink("pose.json");
    session_destroy(s);
}

// ---- recent files

static void make_file(const char *path)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fclose(file);
}

static void files_opened_last_come_first(void **state)
{
    session *s = NULL, *later = NULL;
    char path[1000], name[32];
    snprintf(path, sizeof path, "%s/state/deep", folder);
    setenv("XDG_STATE_HOME", path, 1);
    stand_ok(context, session_create(context, &s));
    assert_int_equal(session_recent_count(s), 0);
    assert_string_equal(session_recent(s, 0), "");
    session_remember(s, "not there");
    assert_int_equal(session_recent_count(s), 0);
    for (int i = 0; i < 15; ++i) {
        snprintf(name, sizeof name, "file\n%d\xff", i);
        make_file(name);
        session_remember(s, name);
    }
    session_remember(s, "file\n9\xff");
    stand_ok(context, session_create(context, &later));
    static const int order[] = {9, 14, 13, 12, 11, 10, 8, 7, 6, 5, 4, 3};
    assert_int_equal(session_recent_count(later), ERI_COUNT(order));
    for (int i = 0; i < (int)ERI_COUNT(order); ++i) {
        snprintf(path, sizeof path, "%s/file\n%d\xff", folder, order[i]);
        assert_string_equal(session_recent(later, i), path);
        assert_string_equal(session_recent(s, i), path);
    }
    stand_ok(context, session_open(later, stand_path("four_bar.json"), NULL)); // which leaves the list alone
    assert_int_equal(session_recent_count(later), ERI_COUNT(order));
    session_destroy(s);
    session_destroy(later);
    for (int i = 0; i < 15; ++i) {
        snprintf(name, sizeof name, "file\n%d\xff", i);
        unlink(name);
    }
    assert_int_equal(unlink("state/deep/eigenrig/recent"), 0);
    assert_int_equal(rmdir("state/deep/eigenrig") | rmdir("state/deep") | rmdir("state"), 0); // nothing lies beside
}

static void a_list_that_is_none_is_no_error(void **state)
{
    session *s = NULL;
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    stand_ok(context, session_create(context, &s));
    session_remember(s, stand_path("four_bar.json"));
    session_destroy(s);
    setenv("XDG_STATE_HOME", folder, 1);
    assert_int_equal(mkdir("eigenrig", 0700), 0);
    FILE *file = fopen("eigenrig/recent", "wb");
    assert_non_null(file);
    fputs("no zero byte at the end", file);
    fclose(file);
    stand_ok(context, session_create(context, &s));
    assert_int_equal(session_recent_count(s), 0);
    session_destroy(s);
    unlink("eigenrig/recent");
    rmdir("eigenrig");
    // without a place for it, or below the home
    char home[1000];
    const char *was = getenv("HOME");
    snprintf(home, sizeof home, "%s", was != NULL ? was : "");
    unsetenv("XDG_STATE_HOME");
    for (int i = 0; i < 3; ++i) {
        if (i == 0) unsetenv("HOME");
        if (i > 0) setenv("HOME", i == 1 ? "relative" : folder, 1);
        stand_ok(context, session_create(context, &s));
        session_remember(s, stand_path("four_bar.json"));
        session_destroy(s);
        stand_ok(context, session_create(context, &s));
        assert_int_equal(session_recent_count(s), i == 2);
        session_destroy(s);
    }
    assert_int_equal(unlink(".local/state/eigenrig/recent"), 0);
    assert_int_equal(rmdir(".local/state/eigenrig") | rmdir(".local/state") | rmdir(".local"), 0);
    setenv("HOME", home, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_is_written_in_every_format),
        cmocka_unit_test(curves_have_every_frame),
        cmocka_unit_test(modes_ring_out),
        cmocka_unit_test(an_export_says_how_long_and_under_what_name),
        cmocka_unit_test(the_rig_file_is_that_of_the_tuned_model),
        cmocka_unit_test(what_cannot_be_written_leaves_no_file),
        cmocka_unit_test(a_mix_comes_back_from_its_file),
        cmocka_unit_test(envelopes_of_a_mix_are_said_to_be_left_out),
        cmocka_unit_test(a_pose_that_was_saved_is_the_equilibrium_of_another_time),
        cmocka_unit_test(files_opened_last_come_first),
        cmocka_unit_test(a_list_that_is_none_is_no_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
