// Mix and pose files: what is written reads back the same, and every wrong entry is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include <eigenrig/formats.h>

static er_context *context;
static char path[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(path, "/tmp/eigenrig-mix-XXXXXX");
    int file = mkstemp(path);
    return file >= 0 && close(file) == 0 && er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    er_context_destroy(context);
    return remove(path);
}

static void ok(er_result r)
{
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
}

static void put_text(const char *text)
{
    unlink(path); // a file written over waits for the disk, a new one does not
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_words(const char *text, er_result r, er_result expected, const char *words)
{
    if (r != expected || strstr(er_context_error(context), words) == NULL ||
        strncmp(er_context_error(context), path, strlen(path)) != 0)
        fail_msg("%s: %s, \"%s\" in place of \"%s\"", text, er_result_name(r), er_context_error(context), words);
}

// ---- mixes

static void mixes_read_back_to_the_bit(void **state)
{
    (void)state;
    double shape[12];
    er_mix_component component[3] = {er_default_mix_component(), er_default_mix_component(),
                                     er_default_mix_component()};
    for (int i = 0; i < 12; ++i)
        shape[i] = sin(i) / 3.0;
    component[0].mode = 7;
    component[0].degrees = 0.1;
    component[0].hz = 1.0 / 3.0;
    component[0].phase = -2.1;
    component[0].attack = 0.25;
    component[0].decay = 1.5;
    component[0].damping = 0.07;
    component[1].mode = 9;
    component[1].harmonic = 3;
    component[1].shape = shape;
    component[1].shape_hz = 2.5;
    er_mix mix = {.name = "na\xc3\xafve \"mix\"",
                  .cycle = 0.7,
                  .body_count = 2,
                  .size = 1.9,
                  .component_count = 3,
                  .component = component};
    er_mix *back;
    ok(er_file_write_mix(context, &mix, path));
    ok(er_file_read_mix(context, path, &back));
    assert_string_equal(back->name, mix.name);
    assert_true(back->cycle == mix.cycle && back->body_count == 2 && back->size == mix.size);
    assert_int_equal(back->component_count, 3);
    for (int i = 0; i < 3; ++i) {
        const er_mix_component *a = &component[i], *b = &back->component[i];
        assert_int_equal(a->mode, b->mode);
        assert_int_equal(a->harmonic, b->harmonic);
        assert_true(a->degrees == b->degrees && a->hz == b->hz && a->phase == b->phase && a->attack == b->attack);
        assert_true(a->decay == b->decay && a->damping == b->damping && a->shape_hz == b->shape_hz);
        assert_int_equal(a->shape != NULL, b->shape != NULL);
    }
    assert_memory_equal(back->component[1].shape, shape, sizeof shape);
    er_mix_destroy(back);
}

static void numbers_of_a_mix_are_in_the_units_of_the_manual(void **state)
{
    (void)state;
    er_mix *mix = NULL;
    put_text("{\"format\": \"eigenrig-mix\", \"version\": 1, \"cycle\": 4, \"modes\": [{\"mode\": 7, \"degrees\": 12, "
             "\"hz\": 3,"
             " \"phase\": 90, \"attack\": 0.5, \"decay\": 1.5, \"damping_ratio\": 0.25},"
             " {\"mode\": 8, \"degrees\": 20, \"harmonic\": 6}]}");
    ok(er_file_read_mix(context, path, &mix));
    assert_true(mix->cycle == 4.0 && mix->component_count == 2);
    const er_mix_component *v = mix->component;
    assert_true(v->mode == 7 && v->degrees == 12.0 && v->hz == 3.0 && v->harmonic == 0);
    assert_true(fabs(v->phase - 0.5 * ER_PI) < 1e-15 && v->attack == 0.5 && v->decay == 1.5 && v->damping == 0.25);
    assert_true(v[1].mode == 8 && v[1].degrees == 20.0 && v[1].harmonic == 6 && v[1].hz == 0.0);
    er_mix_destroy(mix);
}

static void an_unsound_mix_leaves_what_was_there(void **state)
{
    (void)state;
    er_mix_component component = er_default_mix_component();
    er_mix mix = {.name = "", .component_count = 1, .component = &component}, *back = NULL;
    ok(er_file_write_mix(context, &mix, path));
    component.degrees = -1.0;
    assert_int_equal(er_file_write_mix(context, &mix, path), ER_ERROR_ARGUMENT);
    component = er_default_mix_component();
    mix.component_count = 0;
    assert_int_equal(er_file_write_mix(context, &mix, path), ER_ERROR_ARGUMENT);
    ok(er_file_read_mix(context, path, &back));
    assert_int_equal(back->component_count, 1);
    er_mix_destroy(back);
}

#define MIX "{\"format\": \"eigenrig-mix\", \"version\": 1, "

static void every_wrong_entry_of_a_mix_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {{"{\"version\": 1, \"modes\": [{\"mode\": 7}]}", "not a mix file"},
                 {"{\"format\": \"eigenrig-mix\", \"version\": 2, \"modes\": [{\"mode\": 7}]}", "version 1"},
                 {MIX "\"modes\": []}", "1 to 1000 modes, not 0"},
                 {MIX "\"modes\": [7]}", "modes[0] is not an object"},
                 {MIX "\"modes\": [{\"mode\": 7}, {\"mode\": -1}]}", "modes[1].mode"},
                 {MIX "\"modes\": [{\"mode\": 1000000001}]}", "modes[0].mode"},
                 {MIX "\"modes\": [{\"mode\": 7.5}]}", "modes[0].mode"},
                 {MIX "\"modes\": [{\"mode\": 7, \"harmonic\": 0}]}", "modes[0].harmonic"},
                 {MIX "\"modes\": [{\"mode\": 7, \"harmonic\": 10001}]}", "modes[0].harmonic"},
                 {MIX "\"modes\": [{\"mode\": 7, \"degrees\": \"1\"}]}", "modes[0].degrees"},
                 {MIX "\"modes\": [{\"mode\": 7, \"degrees\": 3601}]}", "3601"},
                 {MIX "\"modes\": [{\"mode\": 7, \"degres\": 1}]}", "did you mean degrees"},
                 {MIX "\"cicle\": 2, \"modes\": [{\"mode\": 7}]}", "\"cicle\" is not known; did you mean cycle"},
                 {MIX "\"modes\": [{\"mode\": 7, \"tempo\": 1}]}", "\"tempo\" is not known"},
                 {MIX "\"modes\": [{\"mode\": 7, \"shape\": [[1,2,3,4,5,6]]}]}", "\"bodies\" does not say"},
                 {MIX "\"bodies\": 2, \"modes\": [{\"mode\": 7, \"shape\": [[1,2,3,4,5,6]]}]}", "modes[0].shape"},
                 {MIX "\"bodies\": 1, \"modes\": [{\"mode\": 7, \"shape\": [[1,2,3,4,5]]}]}", "modes[0].shape"},
                 {MIX "\"bodies\": -1, \"modes\": [{\"mode\": 7}]}", "\"bodies\""},
                 {MIX "\"name\": 1, \"modes\": [{\"mode\": 7}]}", "\"name\""},
                 {MIX "\"cycle\": \"1\", \"modes\": [{\"mode\": 7}]}", "\"cycle\""},
                 {MIX "\"size\": [], \"modes\": [{\"mode\": 7}]}", "\"size\""}};
    er_mix *back = NULL;
    assert_int_equal(er_file_read_mix(NULL, path, &back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_read_mix(context, NULL, &back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_read_mix(context, path, NULL), ER_ERROR_ARGUMENT);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        put_text(wrong[i].text);
        back = (er_mix *)&wrong; // not NULL
        expect_words(wrong[i].text, er_file_read_mix(context, path, &back), ER_ERROR_FORMAT, wrong[i].words);
        assert_null(back);
    }
    put_text(MIX "\"modes\": [{\"mode\": 1000000000, \"harmonic\": 10000, \"phase\": 90}]}");
    ok(er_file_read_mix(context, path, &back));
    assert_true(back->component[0].harmonic == 10000 && fabs(back->component[0].phase - 0.5 * ER_PI) < 1e-15);
    assert_true(back->component[0].degrees == er_default_mix_component().degrees);
    er_mix_destroy(back);
}

// ---- poses

enum { NODES = 4 };
static er_node node[NODES] = {{.name = "hip", .parent = -1},
                              {.name = "leg", .parent = 0},
                              {.name = "arm", .parent = 0},
                              {.name = "leg", .parent = 2}};
static er_scene scene = {.path = "made by hand", .node_count = NODES, .node = node};

static er_affine transform(int i)
{
    return er_affine_from_trs(er_v3(0.1 * i, 1.0 / 3.0, -i), er_q_exp(er_v3(0.3 * i, -0.2, 1.0)),
                              er_v3(1.0 + i, 0.5, 2.0));
}

static double apart(er_affine a, er_affine b)
{
    double worst = er_v3_distance(a.translation, b.translation);
    for (int k = 0; k < 3; ++k)
        worst = fmax(worst, er_v3_distance(er_m3_column(a.linear, k), er_m3_column(b.linear, k)));
    return worst;
}

static void poses_read_back_by_name(void **state)
{
    (void)state;
    er_affine local[NODES], back[NODES];
    for (int i = 0; i < NODES; ++i) {
        node[i].local = er_affine_identity();
        local[i] = transform(i);
    }
    ok(er_file_write_pose(context, &scene, local, path));
    ok(er_file_read_pose(context, path, &scene, back));
    for (int i = 0; i < NODES; ++i)
        assert_true(apart(local[i], back[i]) < 1e-14);
    local[2].translation.y = NAN;
    assert_int_equal(er_file_write_pose(context, &scene, local, path), ER_ERROR_ARGUMENT);
    ok(er_file_read_pose(context, path, &scene, back)); // what was there
}

#define POSE "{\"format\": \"eigenrig-pose\", \"version\": 1, \"nodes\": "

// Nodes, and properties of nodes, that the file leaves out are as at rest; the second of a name is the second.
static void what_a_pose_leaves_out_is_at_rest(void **state)
{
    (void)state;
    er_affine back[NODES], want[NODES];
    for (int i = 0; i < NODES; ++i)
        want[i] = node[i].local = transform(i);
    put_text(POSE
             "[{\"name\": \"leg\"}, {\"name\": \"leg\", \"translation\": [7, 8, 9]},"
             "{\"name\": \"hip\", \"rotation\": [0.5, 0.5, -0.5, 0.5]}, {\"name\": \"arm\", \"scale\": [3, 2, 1]}]}");
    ok(er_file_read_pose(context, path, &scene, back));
    want[3].translation = er_v3(7, 8, 9);
    want[0] = er_affine_from_trs(want[0].translation, er_q(0.5, 0.5, -0.5, 0.5), er_v3(1.0, 0.5, 2.0));
    want[2] = er_affine_from_trs(want[2].translation, er_q_exp(er_v3(0.6, -0.2, 1.0)), er_v3(3, 2, 1));
    for (int i = 0; i < NODES; ++i)
        assert_true(apart(want[i], back[i]) < 1e-12);
}

static void every_wrong_entry_of_a_pose_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {{"{\"version\": 1, \"nodes\": []}", "not a pose file"},
                 {"{\"format\": \"eigenrig-pose\", \"version\": 3, \"nodes\": []}", "version 1"},
                 {POSE "{}}", "\"nodes\" must be a list"},
                 {POSE "[{\"translation\": [1, 2, 3]}]}", "nodes[0].name"},
                 {POSE "[{\"name\": \"wing\"}]}", "no node \"wing\""},
                 {POSE "[{\"name\": \"arm\"}, {\"name\": \"arm\"}]}", "no further node \"arm\""},
                 {POSE "[{\"name\": \"leg\"}, {\"name\": \"leg\"}, {\"name\": \"leg\"}]}", "no further node \"leg\""},
                 {POSE "[{\"name\": \"arm\", \"turn\": 1}]}", "\"turn\" is not known"},
                 {POSE "[{\"name\": \"arm\", \"scale\": [1, 2]}]}", "nodes[0].scale"},
                 {POSE "[{\"name\": \"arm\", \"translation\": 1}]}", "nodes[0].translation"},
                 {POSE "[{\"name\": \"arm\", \"rotation\": [1, 0, 0]}]}", "nodes[0].rotation"},
                 {POSE "[{\"name\": \"arm\", \"rotation\": [1, 0.1, 0, 0]}]}", "nodes[0].rotation"}};
    er_affine back[NODES];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        put_text(wrong[i].text);
        expect_words(wrong[i].text, er_file_read_pose(context, path, &scene, back), ER_ERROR_FORMAT, wrong[i].words);
        er_result r = er_pose_parse(context, path, wrong[i].text, strlen(wrong[i].text), &scene, back);
        expect_words(wrong[i].text, r, ER_ERROR_FORMAT, wrong[i].words);
    }
    assert_int_equal(er_file_read_pose(context, NULL, &scene, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_read_pose(context, path, NULL, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_read_pose(context, path, &scene, NULL), ER_ERROR_ARGUMENT);
}

// A text that somebody else named is told apart from a pose, and nothing of it is told.
static void what_is_no_pose_is_not_told(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "root:x:0:0:root:/root:/bin/bash\n", "\"secret\"", "{\"secret\": 1}", "[secret", "{\"format\": \"secret\"}", "",
        "{\"secret\": 1, \"secret\": 2}"};
    static const char good[] = POSE "[{\"name\": \"hip\", \"translation\": [4, 5, 6]}]}|more";
    er_affine back[NODES];
    char said[256];
    snprintf(said, sizeof said, "%s: not a pose file; eigenrig info --save-pose writes one", path);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        assert_int_equal(er_pose_parse(context, path, texts[i], strlen(texts[i]), &scene, back), ER_ERROR_FORMAT);
        assert_string_equal(er_context_error(context), said);
    }
    ok(er_pose_parse(context, path, good, strcspn(good, "|"), &scene, back));
    assert_true(back[0].translation.x == 4 && back[0].translation.z == 6);
    assert_int_equal(er_pose_parse(context, NULL, good, 1, &scene, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_parse(context, path, NULL, 1, &scene, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_parse(context, path, good, 1, NULL, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_parse(context, path, good, 1, &scene, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_parse(NULL, path, good, 1, &scene, back), ER_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_read_back_to_the_bit),
        cmocka_unit_test(numbers_of_a_mix_are_in_the_units_of_the_manual),
        cmocka_unit_test(an_unsound_mix_leaves_what_was_there),
        cmocka_unit_test(every_wrong_entry_of_a_mix_is_named),
        cmocka_unit_test(poses_read_back_by_name),
        cmocka_unit_test(what_a_pose_leaves_out_is_at_rest),
        cmocka_unit_test(every_wrong_entry_of_a_pose_is_named),
        cmocka_unit_test(what_is_no_pose_is_not_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
