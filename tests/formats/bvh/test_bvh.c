// Files of the BVH writer, read back by our importer and judged against poses found without the writer; their text
// where the text is what counts.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/formats.h>
#include <eigenrig/modal.h>
#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

#include "../bytes.h"
#include "base/sanitizer.h"
#include "formats/bvh/bvh_angles.h"
#include "scenes.h"
#include "support/context.h"
#include "support/ledger.h"
#include "support/period.h"
#include "support/sample.h"

// The promise, and what rounding to 1e-9 of the size and 1e-9 degrees makes of it down a hundred joints.
#define HEAD_TOLERANCE (1e-6 + 1e-7)
#define TURN_TOLERANCE 1e-6 // rad; those of sources that are not BVH come within 1e-9

static ledger books;
static er_arena *arena;

static int open_place(void **state)
{
    books = (ledger){.left = LEDGER_ALL};
    context = ledger_context(&books);
    return eri_arena_create(context, &arena) == ER_OK ? 0 : -1;
}

static int close_place(void **state)
{
    eri_arena_destroy(arena);
    er_context_destroy(context);
    sample_remove_folder();
    return books.held == 0 ? 0 : -1;
}

static const char *out_path(void)
{
    return sample_path("out.bvh");
}

static void write_file(const er_scene *scene, const bool *bone, const er_clip *clip, double fps)
{
    if (er_bvh_write(context, scene, bone, clip, fps, out_path()) != ER_OK)
        fail_msg("%s: %s", scene->path, er_context_error(context));
}

static er_scene *import(const char *path)
{
    er_scene *scene = NULL;
    if (er_import_file(context, path, NULL, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
    return scene;
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = ERI_NEW(arena, char, 64 << 20);
    assert_true(fread(text, 1, (64 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static int count_of(const char *text, const char *word)
{
    size_t length = strlen(word);
    int count = 0;
    for (const char *at = text; (at = strchr(at, word[0])) != NULL; ++at)
        count += strncmp(at, word, length) == 0; // the sanitizer's strstr takes each time as long as the text is
    return count;
}

static char *written(const er_scene *scene, const bool *bone, const er_clip *clip, double fps)
{
    write_file(scene, bone, clip, fps);
    return text_of(out_path());
}

// ---- read back ----

static double turn_between(er_quat a, er_quat b)
{
    return er_v3_norm(er_q_log(er_q_mul(er_q_conj(a), b)));
}

typedef struct misses {
    double head; // relative to the size
    double turn;
} misses;

static void compare_poses(const er_pose *got, const er_pose *want, const joint_list *list, misses *worst)
{
    for (int k = 0; k < list->count; ++k) {
        if (list->node[k] < 0) continue;
        worst->head = fmax(worst->head, er_v3_distance(got[k].p, want[k].p) / list->size);
        worst->turn = fmax(worst->turn, turn_between(got[k].q, want[k].q));
    }
}

// A root's rest is at the origin, where readers that add it to positions and those that put these in its place agree.
static void stand_at_origin(const joint_list *list, er_pose *pose)
{
    for (int k = list->count - 1; k >= 0; --k) {
        int root = k;
        while (list->parent[root] >= 0)
            root = list->parent[root];
        if (list->node[root] >= 0) pose[k].p = er_v3_sub(pose[k].p, pose[root].p);
    }
}

// Writes a clip, reads it back and compares parents, frames and every pose.
static misses round_trip(const er_scene *scene, const bool *bone, const er_clip *clip, double fps)
{
    er_arena *common = arena;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    write_file(scene, bone, clip, fps);
    er_scene *back = import(out_path());
    joint_list want = list_joints(arena, scene, bone), got = list_joints(arena, back, NULL);
    assert_int_equal(got.count, want.count);
    for (int k = 0; k < got.count; ++k)
        assert_int_equal(got.parent[k], want.parent[k]);
    assert_int_equal(back->clip_count, 1);
    er_pose *a = ERI_NEW(arena, er_pose, got.count), *b = ERI_NEW(arena, er_pose, got.count);
    misses rest = {0, 0}, worst = {0, 0};
    pose_joints(arena, back, &got, NULL, 0.0, a);
    pose_joints(arena, scene, &want, NULL, 0.0, b);
    if (scene->format != ER_FORMAT_BVH) stand_at_origin(&want, b);
    compare_poses(a, b, &want, &rest);
    assert_true(rest.head < 1e-7);
    double duration = clip != NULL ? clip->duration : 0.0;
    const er_channel *channel = &back->clip[0].channel[0];
    assert_true(channel->time[channel->key_count - 1] >= duration - 1.1e-6 / fps);
    assert_true(channel->time[channel->key_count - 1] < duration + 1.0 / fps);
    for (int f = 0; f < channel->key_count; ++f) {
        assert_true(channel->time[f] == f * (1.0 / fps));
        pose_joints(arena, back, &got, &back->clip[0], channel->time[f], a);
        pose_joints(arena, scene, &want, clip, f / fps, b);
        compare_poses(a, b, &want, &worst);
    }
    er_scene_destroy(back);
    eri_arena_destroy(arena);
    arena = common;
    return worst;
}

static void judge(const er_scene *scene, const bool *bone, const er_clip *clip, double fps)
{
    misses m = round_trip(scene, bone, clip, fps);
    if (m.head > HEAD_TOLERANCE || m.turn > TURN_TOLERANCE)
        fail_msg("%s, clip \"%s\": heads off by %.3g of the size, turns by %.3g rad", scene->path,
                 clip != NULL ? clip->name : "", m.head, m.turn);
}

static void scenes_made_by_hand_read_back_as_they_were_meant(void **state)
{
    for (int i = 0; scene_names[i] != NULL; ++i) {
        er_scene *scene = make_scene(arena, scene_names[i]);
        judge(scene, NULL, &scene->clip[0], 30.0);
        judge(scene, NULL, &scene->clip[0], 7.3);
        judge(scene, NULL, NULL, 24.0);
    }
}

static void a_mask_chooses_the_joints(void **state)
{
    er_scene *scene = make_scene(arena, "crooked");
    const bool bone[12] = {[3] = true, [4] = true, [8] = true, [5] = true, [7] = true}; // 7 is an end
    judge(scene, bone, &scene->clip[0], 30.0);
    er_scene *odd = import(sample_write("odd.bvh", odd_bvh, strlen(odd_bvh)));
    bool some[16] = {false};
    for (int i = 0; i < odd->node_count; ++i)
        some[i] = i % 3 != 1;
    judge(odd, some, &odd->clip[0], 30.0); // channels that the source's do not hold are added
    er_scene_destroy(odd);
}

static const char *const rig_names[] = {"CesiumMan.glb",
                                        "Fox.glb",
                                        "RobotExpressive.glb",
                                        "Snake.glb",
                                        "Shark.glb",
                                        "hand_glove_low_L.gltf",
                                        "greenman.glb",
                                        "kenney_character.glb",
                                        "SimpleSkin.gltf",
                                        "double_skeleton.dae",
                                        "walk.dae",
                                        "maya_sausage.fbx",
                                        "quaternius_horse.fbx",
                                        "cmu_jumping_jacks.bvh",
                                        "makehuman_tpose.bvh"};

static void judge_mode(const er_scene *scene, const er_rig *rig)
{
    er_modal_def def = er_default_modal_def();
    er_modes *modes = NULL;
    if (er_modal_solve(context, rig->model, &def, &modes) != ER_OK) fail_msg("%s", er_context_error(context));
    er_recording_target target = er_rig_target(rig);
    int elastic = modes->rigid_count + modes->mechanism_count;
    er_recording *recording = NULL;
    assert_true(elastic < modes->count);
    assert_int_equal(period_take(context, rig->model, modes, elastic, 20.0, 48, &target, &recording), ER_OK);
    judge(scene, rig->bone, &recording->clip, 12.0);
    er_recording_destroy(recording);
    er_modes_destroy(modes);
}

static void real_rigs_read_back_as_they_were_meant(void **state)
{
    for (size_t i = 0; i < ERI_COUNT(rig_names); i += ERI_SANITIZED ? 4 : 1) { // which take half a minute for all
        const char *path = sample_rig(rig_names[i]);
        if (path == NULL) skip();
        er_scene *scene = import(path);
        er_rig *rig = NULL;
        if (er_rig_build(context, scene, NULL, &rig) != ER_OK) fail_msg("%s", er_context_error(context));
        for (int c = 0; c < scene->clip_count; ++c)
            judge(scene, c % 2 == 0 ? NULL : rig->bone, &scene->clip[c], 10.0);
        judge_mode(scene, rig);
        er_rig_destroy(rig);
        er_scene_destroy(scene);
    }
}

// ---- BVH sources ----

static bool is_number(const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    return *end == '\0';
}

// Word for word, numbers to `tolerance`; names are words too.
static double compare_words(const char *got, const char *want)
{
    double worst = 0.0;
    char a[256], b[256];
    int n = 0, m = 0;
    while (sscanf(want, "%255s%n", b, &m) == 1) {
        assert_int_equal(sscanf(got, "%255s%n", a, &n), 1);
        double x, y;
        if (is_number(a, &x) && is_number(b, &y))
            worst = fmax(worst, fabs(x - y));
        else
            assert_string_equal(a, b);
        got += n;
        want += m;
    }
    assert_int_equal(sscanf(got, "%255s", a), EOF);
    return worst;
}

static double own_words(const char *path)
{
    er_scene *scene = import(path);
    double step;
    char *motion = strstr(text_of(path), "Frame Time:");
    assert_int_equal(sscanf(motion, "Frame Time: %lf", &step), 1);
    double worst = compare_words(written(scene, NULL, &scene->clip[0], 1.0 / step), text_of(path));
    er_scene_destroy(scene);
    return worst;
}

static void a_bvh_source_comes_back_with_its_own_words_and_numbers(void **state)
{
    double worst = own_words(sample_write("odd.bvh", odd_bvh, strlen(odd_bvh)));
    if (!(worst <= 1e-9)) fail_msg("a number is off by %g", worst);
    worst = own_words(sample_write("stick.bvh", sample_bvh, strlen(sample_bvh)));
    if (!(worst <= 1e-9)) fail_msg("a number is off by %g", worst);
}

static void real_bvh_sources_come_back_with_their_own_words_and_numbers(void **state)
{
    static const char *const names[] = {"cmu_jumping_jacks.bvh", "makehuman_tpose.bvh"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        const char *path = sample_rig(names[i]);
        if (path == NULL) skip();
        double worst = own_words(path);
        if (!(worst <= 1e-9)) fail_msg("%s: a number is off by %g", names[i], worst);
    }
}

static void channels_of_a_bvh_source_are_added_to_only_where_a_clip_needs_it(void **state)
{
    er_scene *scene = import(sample_write("odd.bvh", odd_bvh, strlen(odd_bvh)));
    double time[] = {0.0, 1.0}, turn[2][4] = {{0, 0, 0, 1}, {0, 0.6, 0, 0.8}},
           shift[2][3] = {{0.5, 2, 0}, {0.5, 3, 0.25}};
    int knee = -1, slide = -1;
    for (int i = 0; i < scene->node_count; ++i) {
        if (strcmp(scene->node[i].name, "knee") == 0) knee = i;
        if (strcmp(scene->node[i].name, "slide") == 0) slide = i;
    }
    const er_channel channels[] = {{knee, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn[0]},
                                   {slide, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift[0]}};
    er_clip clip = {"other", 1.0, 2, channels};
    judge(scene, NULL, &clip, 10.0);
    char *text = text_of(out_path());
    assert_non_null(strstr(text, "CHANNELS 6 Yrotation Xposition Zrotation Zposition Xrotation Yposition"));
    assert_non_null(strstr(text, "CHANNELS 3 Zrotation Xrotation Yrotation\n\t\tJOINT slide"));
    assert_non_null(strstr(text, "CHANNELS 4 Xposition Yposition Zposition Zrotation\n"));
    assert_non_null(strstr(text, "CHANNELS 0\n"));
    assert_non_null(strstr(text, "CHANNELS 2 Zrotation Yrotation\n"));
    er_scene_destroy(scene);
}

// ---- what the text says ----

static void ten_thousand_joints_of_one_name_take_no_time(void **state)
{
    enum { N = 10000 };
    er_scene *scene = make_scene(arena, "lone");
    er_node *node = ERI_NEW(arena, er_node, N);
    for (int i = 0; i < N; ++i) {
        node[i] = scene->node[0];
        node[i].parent = i - 1;
    }
    scene->node = node;
    scene->node_count = N;
    char *text = written(scene, NULL, NULL, 1.0);
    assert_int_equal(count_of(text, "JOINT "), N - 1);
    assert_non_null(strstr(text, "JOINT alone_10000\n"));
}

// The columns of the motion, [frames][columns].
static double *numbers_of(char *text, int *frames, int *columns)
{
    double step;
    char *at = strstr(text, "Frames:");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "Frames: %d Frame Time: %lf", frames, &step), 2);
    at = strchr(strstr(at, "Time:"), '\n') + 1;
    double *number = ERI_NEW(arena, double, strlen(at));
    int count = 0;
    for (char *end; *at != '\0'; at = end) {
        number[count] = strtod(at, &end);
        if (end == at) break;
        ++count;
    }
    *columns = count / *frames;
    assert_int_equal(count, *columns * *frames);
    return number;
}

static void angles_go_on_beyond_half_turns_and_through_the_poles(void **state)
{
    er_scene *scene = make_scene(arena, "spin");
    int frames, columns;
    double *number = numbers_of(written(scene, NULL, &scene->clip[0], 24.0), &frames, &columns);
    assert_int_equal(frames, 49);
    assert_int_equal(columns, 6 + 3 + 3 + 3);
    for (int f = 1; f < frames; ++f)
        for (int k = 0; k < columns; ++k) // the wheel turns by 22.5 degrees a frame, the crank by 7.5
            assert_true(fabs(number[f * columns + k] - number[(f - 1) * columns + k]) < 22.6);
    assert_true(fabs(number[(frames - 1) * columns + 8] - 1080.0) < 1e-6); // Yrotation of the wheel
    assert_true(fabs(number[(frames - 1) * columns + 10] - 360.0) < 1e-6); // Xrotation of the crank, the middle axis
}

static void frames_reach_the_end_of_the_clip_and_no_further(void **state)
{
    static const struct {
        double duration, fps;
        int frames;
        const char *step;
    } cases[] = {{1.0, 30.0, 31, "Frame Time: 0.03333333333333333\n"},
                 {0.7, 10.0, 8, "Frame Time: 0.1\n"},
                 {0.1 + 0.2, 10.0, 4, "Frame Time: 0.1\n"},
                 {0.7, 3.0, 4, NULL},
                 {0.0, 25.0, 1, "Frame Time: 0.04\n"},
                 {-1.0, 120.0, 1, NULL},
                 {0.7, 0.001, 2, "Frame Time: 1000\n"},
                 {0.7, 10000.0, 7001, "Frame Time: 0.0001\n"}};
    er_scene *scene = make_scene(arena, "lone");
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_clip clip = scene->clip[0];
        if (cases[i].duration < 0.7) clip.channel_count = 0;
        clip.duration = cases[i].duration;
        char *text = written(scene, NULL, &clip, cases[i].fps), *at = strstr(text, "Frame Time: ");
        int frames, columns;
        numbers_of(text, &frames, &columns);
        assert_int_equal(frames, cases[i].frames);
        assert_true(strtod(at + strlen("Frame Time: "), NULL) == 1.0 / cases[i].fps);
        if (cases[i].step != NULL) assert_memory_equal(at, cases[i].step, strlen(cases[i].step));
    }
}

static void numbers_are_plain_in_every_locale(void **state)
{
    er_scene *scene = make_scene(arena, "crooked");
    char *want = written(scene, NULL, &scene->clip[0], 30.0);
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR", "pl_PL.UTF-8", "ps_AF.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < ERI_COUNT(commas) && !found; ++i)
        found = setlocale(LC_NUMERIC, commas[i]) != NULL;
    if (!found) {
        print_message("# there is no locale with a comma\n");
        skip();
    }
    write_file(scene, NULL, &scene->clip[0], 30.0);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text_of(out_path()), want);
}

static void places_have_nine_digits_of_any_size(void **state)
{
    for (double scale = 1e-12; scale < 2e12; scale *= 1e6) {
        er_scene *scene = make_scene(arena, "crooked");
        er_node *node = (er_node *)(uintptr_t)scene->node;
        node[0].local =
            er_affine_mul((er_affine){{{{scale, 0, 0}, {0, scale, 0}, {0, 0, scale}}}, {0, 0, 0}}, node[0].local);
        judge(scene, NULL, &scene->clip[0], 30.0);
    }
}

// ---- angles ----

static void angles_of_every_order_give_the_turn_back(void **state)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    srand(7);
    for (int trial = 0; trial < 12000; ++trial) {
        eri_bvh_axes axes = {1 + trial % 3, {0}};
        memcpy(axes.axis, orders[trial / 3 % 6], sizeof axes.axis);
        double angle[3] = {0}, got[3] = {0}, again[3];
        for (int n = 0; n < axes.count; ++n) {
            angle[n] = (rand() / (double)RAND_MAX - 0.5) * 40.0;
            got[n] = angle[n] + (rand() / (double)RAND_MAX - 0.5) * 1.5;
        }
        if (trial % 4 == 0 && axes.count > 1) angle[1] = ER_PI * (0.5 + rand() % 7 - 3); // a pole
        if (trial % 4 == 1 && axes.count > 1) angle[1] = ER_PI * 0.5 + pow(10.0, -rand() % 12);
        memcpy(again, angle, sizeof again);
        er_quat q = eri_bvh_turn(&axes, angle);
        eri_bvh_angles(&axes, q, got);
        eri_bvh_angles(&axes, q, again);
        assert_true(turn_between(eri_bvh_turn(&axes, got), q) < 2e-9); // the poles' margin; 1e-14 elsewhere
        for (int n = 0; n < 3; ++n) // from the angles themselves there is no way to go, but a pole's
            assert_true(fabs(again[n] - angle[n]) < 1e-4 && (n < axes.count || got[n] == 0.0));
    }
}

// Angles that turn alike: (a + pi, pi - b, c + pi), and at a pole all that share what a and c turn together.
static void no_other_angles_of_a_turn_are_nearer_to_those_before(void **state)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int alike = 0;
    srand(11);
    for (int trial = 0; trial < 600; ++trial) {
        eri_bvh_axes axes = {3, {0}};
        memcpy(axes.axis, orders[trial % 6], sizeof axes.axis);
        double angle[3], before[3], got[3], cost = 0.0;
        for (int n = 0; n < 3; ++n) {
            angle[n] = (rand() / (double)RAND_MAX - 0.5) * 40.0;
            before[n] = angle[n] + (rand() / (double)RAND_MAX - 0.5) * 8.0;
        }
        if (trial % 2 == 0) angle[1] = ER_PI * (0.5 + rand() % 7 - 3);
        er_quat q = eri_bvh_turn(&axes, angle);
        memcpy(got, before, sizeof got);
        eri_bvh_angles(&axes, q, got);
        for (int n = 0; n < 3; ++n)
            cost += (got[n] - before[n]) * (got[n] - before[n]);
        for (int way = 0; way < 2 * 2 * 65; ++way) {
            double share = way / 4 * ER_PI / 32,
                   other[3] = {got[0] + share, got[1], got[2] + (way & 1 ? share : -share)};
            double away = 0.0;
            if (way & 2) other[1] = ER_PI - other[1];
            for (int n = 0; n < 3; ++n) {
                other[n] += 2 * ER_PI * round((before[n] - other[n]) / (2 * ER_PI));
                away += (other[n] - before[n]) * (other[n] - before[n]);
            }
            if (turn_between(eri_bvh_turn(&axes, other), q) > 1e-8) continue;
            ++alike;
            assert_true(cost <= away + 1e-6); // what 1e-8 of a turn, and rounding at a pole, make of eight turns
        }
    }
    assert_true(alike > 600 * 4);
}

// ---- errors ----

static void expect_refused(const er_scene *scene, const bool *bone, const er_clip *clip, double fps, const char *path,
                           er_result want, const char *named)
{
    assert_refusal(context, er_bvh_write(context, scene, bone, clip, fps, path), want, named);
    assert_int_not_equal(access(out_path(), F_OK), 0);
}

// Nodes that are neither joints nor ends may lie anywhere. Positions that are written must be numbers that readers
// take.
static void only_what_is_written_has_to_lie_in_reach(void **state)
{
    for (int kind = 0; kind < 3; ++kind) {
        er_scene *scene = make_scene(arena, "crooked");
        er_node *node = (er_node *)(uintptr_t)scene->node;
        static const int chosen[] = {1, 7, 9}; // a camera, an end, a joint
        node[chosen[kind]].local.translation.x = 1e120;
        if (kind == 0) {
            judge(scene, NULL, NULL, 24.0);
            continue;
        }
        char words[64];
        snprintf(words, sizeof words, "node %d \"%s\"", chosen[kind], node[chosen[kind]].name);
        unlink(out_path());
        expect_refused(scene, NULL, NULL, 24.0, out_path(), ER_ERROR_ARGUMENT, words);
    }
}

static void bad_arguments_are_one_clear_error(void **state)
{
    er_scene *scene = make_scene(arena, "crooked");
    er_node *node = (er_node *)(uintptr_t)scene->node;
    er_clip clip = scene->clip[0];
    const char *path = out_path();
    const bool none[12] = {false};
    static const double rates[] = {NAN, 0.0, -30.0, HUGE_VAL, 0.99e-3, 1.01e4}, ends[] = {1e-3, 1e4};
    assert_int_equal(er_bvh_write(NULL, scene, NULL, NULL, 30.0, path), ER_ERROR_ARGUMENT);
    expect_refused(NULL, NULL, NULL, 30.0, path, ER_ERROR_ARGUMENT, "");
    expect_refused(scene, NULL, NULL, 30.0, NULL, ER_ERROR_ARGUMENT, "");
    for (size_t i = 0; i < ERI_COUNT(rates); ++i)
        expect_refused(scene, NULL, &clip, rates[i], path, ER_ERROR_ARGUMENT, path);
    for (size_t i = 0; i < ERI_COUNT(ends); ++i) {
        assert_int_equal(er_bvh_write(context, scene, NULL, &clip, ends[i], path), ER_OK);
        assert_int_equal(unlink(path), 0);
    }
    expect_refused(scene, none, &clip, 30.0, path, ER_ERROR_RIG, " 12 ");
    expect_refused(scene, NULL, &clip, 30.0, "out.bvhx", ER_ERROR_ARGUMENT, ".bvh");
    expect_refused(scene, NULL, &clip, 30.0, ".bvh", ER_ERROR_ARGUMENT, ".bvh");
    expect_refused(scene, NULL, &clip, 30.0, "/nowhere/at/all.bvh", ER_ERROR_FILE, "/nowhere/at/all.bvh");
    clip.duration = 101.0;
    expect_refused(scene, NULL, &clip, 1e4, path, ER_ERROR_ARGUMENT, "1000000");
    clip.duration = NAN;
    expect_refused(scene, NULL, &clip, 30.0, path, ER_ERROR_ARGUMENT, "clip");
    clip = scene->clip[0];
    er_channel broken = clip.channel[0];
    clip.channel = &broken;
    clip.channel_count = 1;
    broken.node = 12;
    expect_refused(scene, NULL, &clip, 30.0, path, ER_ERROR_ARGUMENT, "node 12");
    broken = scene->clip[0].channel[0];
    broken.value = (const double[16]){NAN};
    expect_refused(scene, NULL, &clip, 30.0, path, ER_ERROR_ARGUMENT, "clip");
    const double times[2] = {0.0, 1.0}, far[6] = {0, 0, 0, 1e300, 0, 0};
    broken = (er_channel){3, ER_PATH_TRANSLATION, ER_LINEAR, 2, times, far};
    expect_refused(scene, NULL, &clip, 30.0, path, ER_ERROR_ARGUMENT, "\"spine\"");
    node[7].local.translation.x = 1e306; // 1e308 in the world
    expect_refused(scene, NULL, NULL, 30.0, path, ER_ERROR_ARGUMENT, "node 7 \"leg_end\"");
    node[7].local.translation.x = 0.0;
    node[2].local.translation.x = 1e200;
    expect_refused(scene, NULL, NULL, 30.0, path, ER_ERROR_ARGUMENT, "node 2 \"hips\"");
    node[2].local.translation.x = NAN;
    expect_refused(scene, NULL, NULL, 30.0, path, ER_ERROR_ARGUMENT, "node 2");
    scene->node_count = 0;
    expect_refused(scene, NULL, NULL, 30.0, path, ER_ERROR_RIG, " 0 ");
}

static er_result write_scene(er_context *own, const void *of)
{
    const er_scene *scene = of;
    return er_bvh_write(own, scene, NULL, &scene->clip[0], 60.0, out_path());
}

static void any_allocation_may_fail(void **state)
{
    ledger_refuse_each(write_scene, make_scene(arena, "crooked"), out_path());
}

static void scenes_have_these_bytes(void **state)
{
    static const known_bytes known[] = {{"crooked", 0x0d94561b01d50e46}, {"forest", 0x03dd66ef6d94d1ff},
                                        {"spin", 0x8c3943777e53132e},    {"lone", 0x09454fd2f40a5016},
                                        {"slack", 0x7069bdb7f7493495},   {NULL, 0}};
    for (int i = 0; scene_names[i] != NULL; ++i) {
        const er_scene *scene = make_scene(arena, scene_names[i]);
        assert_int_equal(er_bvh_write(context, scene, NULL, scene->clip, 10.0, out_path()), ER_OK);
        expect_bytes(out_path(), scene_names[i], known);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, close_place)
    const struct CMUnitTest tests[] = {
        TEST(scenes_have_these_bytes),
        TEST(scenes_made_by_hand_read_back_as_they_were_meant),
        TEST(a_mask_chooses_the_joints),
        TEST(real_rigs_read_back_as_they_were_meant),
        TEST(a_bvh_source_comes_back_with_its_own_words_and_numbers),
        TEST(real_bvh_sources_come_back_with_their_own_words_and_numbers),
        TEST(channels_of_a_bvh_source_are_added_to_only_where_a_clip_needs_it),
        TEST(ten_thousand_joints_of_one_name_take_no_time),
        TEST(angles_go_on_beyond_half_turns_and_through_the_poles),
        TEST(frames_reach_the_end_of_the_clip_and_no_further),
        TEST(numbers_are_plain_in_every_locale),
        TEST(places_have_nine_digits_of_any_size),
        TEST(angles_of_every_order_give_the_turn_back),
        TEST(no_other_angles_of_a_turn_are_nearer_to_those_before),
        TEST(only_what_is_written_has_to_lie_in_reach),
        TEST(bad_arguments_are_one_clear_error),
        TEST(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
