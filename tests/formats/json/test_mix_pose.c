// Mix and pose files: what is written reads back the same, and every wrong entry is named.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/formats.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static char path[512];

static int open_folder(void **state)
{
    snprintf(path, sizeof path, "%s", sample_path("a.json"));
    return set_up(state);
}

static void ok(er_result r)
{
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
}

static void put_text(const char *text)
{
    sample_write("a.json", text, strlen(text));
}

// The refusal names the file first.
static void expect_format_error(er_result r, const char *named)
{
    assert_refusal(context, r, ER_ERROR_FORMAT, named);
    assert_memory_equal(er_context_error(context), path, strlen(path));
}

// ---- mixes

static void mixes_read_back_to_the_bit(void **state)
{
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
    ok(er_mix_file_write(context, &mix, path));
    ok(er_mix_file_read(context, path, &back));
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
    er_mix *mix = NULL;
    put_text("{\"format\": \"eigenrig-mix\", \"version\": 1, \"cycle\": 4, \"modes\": [{\"mode\": 7, \"degrees\": 12, "
             "\"hz\": 3,"
             " \"phase\": 90, \"attack\": 0.5, \"decay\": 1.5, \"damping_ratio\": 0.25},"
             " {\"mode\": 8, \"degrees\": 20, \"harmonic\": 6}]}");
    ok(er_mix_file_read(context, path, &mix));
    assert_true(mix->cycle == 4.0 && mix->component_count == 2);
    const er_mix_component *v = mix->component;
    assert_true(v->mode == 7 && v->degrees == 12.0 && v->hz == 3.0 && v->harmonic == 0);
    assert_true(fabs(v->phase - 0.5 * ER_PI) < 1e-15 && v->attack == 0.5 && v->decay == 1.5 && v->damping == 0.25);
    assert_true(v[1].mode == 8 && v[1].degrees == 20.0 && v[1].harmonic == 6 && v[1].hz == 0.0);
    er_mix_destroy(mix);
}

static void an_unsound_mix_leaves_what_was_there(void **state)
{
    er_mix_component component = er_default_mix_component();
    er_mix mix = {.name = "", .component_count = 1, .component = &component}, *back = NULL;
    ok(er_mix_file_write(context, &mix, path));
    component.degrees = -1.0;
    assert_int_equal(er_mix_file_write(context, &mix, path), ER_ERROR_ARGUMENT);
    component = er_default_mix_component();
    mix.component_count = 0;
    assert_int_equal(er_mix_file_write(context, &mix, path), ER_ERROR_ARGUMENT);
    ok(er_mix_file_read(context, path, &back));
    assert_int_equal(back->component_count, 1);
    er_mix_destroy(back);
}

// A phase is written in degrees that read back to it, where a double is that; there is none for some.
static void phases_read_back_where_degrees_can_say_them(void **state)
{
    enum { PHASES = 1000 };
    static er_mix_component component[PHASES];
    const double degree = ER_PI / 180.0;
    dice d = {41};
    int same = 0;
    for (int i = 0; i < PHASES; ++i) {
        component[i] = er_default_mix_component();
        component[i].phase = dice_uniform(&d, -10.0, 10.0);
    }
    const er_mix mix = {.name = "", .component_count = PHASES, .component = component};
    er_mix *back;
    ok(er_mix_file_write(context, &mix, path));
    ok(er_mix_file_read(context, path, &back));
    for (int i = 0; i < PHASES; ++i) {
        double phase = component[i].phase, x = phase / degree * (1.0 - 1e-15);
        bool can = false;
        for (int k = 0; k < 16; ++k, x = nextafter(x, phase > 0.0 ? HUGE_VAL : -HUGE_VAL))
            can |= x * degree == phase;
        assert_true(can ? back->component[i].phase == phase : relative_error(back->component[i].phase, phase) < 1e-15);
        same += can;
    }
    assert_true(same > PHASES / 2);
    er_mix_destroy(back);
}

static int keys_of(const char *text)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, "\":")) != NULL; ++at)
        ++count;
    return count;
}

// Defaults are left out, but for the amplitude: in metres if it has metres, else in degrees.
static void what_is_as_usual_is_not_written(void **state)
{
    er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
    er_mix mix = {.name = "usual", .component_count = 1, .component = component}, *back;
    ok(er_mix_file_write(context, &mix, path));
    size_t size;
    char *text = read_bytes(path, &size);
    assert_non_null(strstr(text, "\"mode\": 0,"));
    assert_non_null(strstr(text, "\"degrees\": 20.0\n"));
    assert_int_equal(keys_of(text), 6); // these, and format, version, name and modes
    free(text);
    mix.component_count = 2;
    component[0].degrees = 7.0;
    component[0].metres = 0.25;
    component[0].at = "tail";
    component[1].metres = 0.5;
    ok(er_mix_file_write(context, &mix, path));
    text = read_bytes(path, &size);
    assert_non_null(strstr(text, "\"metres\": 0.25"));
    assert_non_null(strstr(text, "\"at\": \"tail\""));
    assert_null(strstr(strstr(text, "\"metres\": 0.5"), "degrees"));
    free(text);
    ok(er_mix_file_read(context, path, &back));
    assert_true(back->component[0].metres == 0.25 && back->component[1].metres == 0.5);
    assert_string_equal(back->component[0].at, "tail");
    assert_null(back->component[1].at);
    er_mix_destroy(back);
    assert_int_equal(er_mix_file_write(NULL, &mix, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mix_file_write(context, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mix_file_write(context, &mix, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mix_file_write(context, &mix, "/nowhere/at/all.json"), ER_ERROR_FILE);
}

// Texts longer than what is written at once.
static void long_texts_read_back(void **state)
{
    enum { LETTERS = 300000 };
    er_mix_component component = er_default_mix_component();
    char *name = malloc(LETTERS + 1);
    assert_non_null(name);
    for (int i = 0; i < LETTERS; ++i)
        name[i] = (char)('a' + (i % 26 + i / 26) % 26);
    name[LETTERS] = '\0';
    const er_mix mix = {.name = name, .component_count = 1, .component = &component};
    er_mix *back;
    ok(er_mix_file_write(context, &mix, path));
    ok(er_mix_file_read(context, path, &back));
    assert_int_equal(strlen(back->name), LETTERS);
    assert_memory_equal(back->name, name, LETTERS);
    er_mix_destroy(back);
    name[40000] = '\0'; // two that only together are too long
    component.metres = 1.0;
    component.at = name;
    ok(er_mix_file_write(context, &mix, path));
    ok(er_mix_file_read(context, path, &back));
    assert_string_equal(back->name, name);
    assert_string_equal(back->component[0].at, name);
    er_mix_destroy(back);
    free(name);
}

#define MIX "{\"format\": \"eigenrig-mix\", \"version\": 1, "

static void every_wrong_entry_of_a_mix_is_named(void **state)
{
    static const struct {
        const char *text, *named;
    } wrong[] = {{"{\"version\": 1, \"modes\": [{\"mode\": 7}]}", "eigenrig-mix"},
                 {"{\"format\": \"eigenrig-mix\", \"version\": 2, \"modes\": [{\"mode\": 7}]}", "version"},
                 {MIX "\"modes\": []}", "modes"},
                 {MIX "\"modes\": [7]}", "modes[0]"},
                 {MIX "\"modes\": [{\"mode\": 7}, {\"mode\": -1}]}", "modes[1].mode"},
                 {MIX "\"modes\": [{\"mode\": 1000000001}]}", "modes[0].mode"},
                 {MIX "\"modes\": [{\"mode\": 7.5}]}", "modes[0].mode"},
                 {MIX "\"modes\": [{\"mode\": 7, \"harmonic\": 0}]}", "modes[0].harmonic"},
                 {MIX "\"modes\": [{\"mode\": 7, \"harmonic\": 10001}]}", "modes[0].harmonic"},
                 {MIX "\"modes\": [{\"mode\": 7, \"degrees\": \"1\"}]}", "modes[0].degrees"},
                 {MIX "\"modes\": [{\"mode\": 7, \"degrees\": 3601}]}", "3601"},
                 {MIX "\"modes\": [{\"mode\": 7, \"degres\": 1}]}", "degrees"},
                 {MIX "\"cicle\": 2, \"modes\": [{\"mode\": 7}]}", "cycle"},
                 {MIX "\"modes\": [{\"mode\": 7, \"tempo\": 1}]}", "tempo"},
                 {MIX "\"modes\": [{\"mode\": 7, \"shape\": [[1,2,3,4,5,6]]}]}", "bodies"},
                 {MIX "\"bodies\": 2, \"modes\": [{\"mode\": 7, \"shape\": [[1,2,3,4,5,6]]}]}", "modes[0].shape"},
                 {MIX "\"bodies\": 1, \"modes\": [{\"mode\": 7, \"shape\": [[1,2,3,4,5]]}]}", "modes[0].shape"},
                 {MIX "\"bodies\": 2, \"modes\": [{\"mode\": 7, \"shape\": [[1,2,3,4,5,6],[1]]}]}", "modes[0].shape"},
                 {MIX "\"modes\": [{\"mode\": 7, \"at\": 1}]}", "modes[0].at"},
                 {MIX "\"modes\": [{\"mode\": 7, \"harmonic\": 1.5}]}", "modes[0].harmonic"},
                 {MIX "\"bodies\": 10000001, \"modes\": [{\"mode\": 7}]}", "\"bodies\""},
                 {MIX "\"bodies\": 1.5, \"modes\": [{\"mode\": 7}]}", "\"bodies\""},
                 {MIX "\"bodies\": -1, \"modes\": [{\"mode\": 7}]}", "\"bodies\""},
                 {MIX "\"name\": 1, \"modes\": [{\"mode\": 7}]}", "\"name\""},
                 {MIX "\"cycle\": \"1\", \"modes\": [{\"mode\": 7}]}", "\"cycle\""},
                 {MIX "\"size\": [], \"modes\": [{\"mode\": 7}]}", "\"size\""}};
    er_mix *back = (er_mix *)&wrong; // not NULL
    assert_int_equal(er_mix_file_read(NULL, path, &back), ER_ERROR_ARGUMENT);
    assert_null(back);
    assert_int_equal(er_mix_file_read(context, NULL, &back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mix_file_read(context, "/nowhere/at/all.json", &back), ER_ERROR_FILE);
    assert_int_equal(er_mix_file_read(context, path, NULL), ER_ERROR_ARGUMENT);
    for (size_t i = 0; i < ERI_COUNT(wrong); ++i) {
        put_text(wrong[i].text);
        back = (er_mix *)&wrong; // not NULL
        expect_format_error(er_mix_file_read(context, path, &back), wrong[i].named);
        assert_null(back);
    }
    put_text(MIX "\"modes\": [{\"mode\": 1000000000, \"harmonic\": 10000, \"phase\": 90}]}");
    ok(er_mix_file_read(context, path, &back));
    assert_true(back->component[0].harmonic == 10000 && fabs(back->component[0].phase - 0.5 * ER_PI) < 1e-15);
    assert_true(back->component[0].degrees == er_default_mix_component().degrees);
    er_mix_destroy(back);
    put_text(MIX "\"bodies\": 10000000, \"name\": null, \"cycle\": null, \"size\": null, \"modes\": [{\"mode\": 0, "
                 "\"harmonic\": 1, \"degrees\": null, \"shape\": null, \"at\": null}, {\"mode\": 1, "
                 "\"harmonic\": null}]}");
    ok(er_mix_file_read(context, path, &back));
    assert_true(back->body_count == 10000000 && back->cycle == 0.0 && back->size == 0.0);
    assert_true(back->component[0].mode == 0 && back->component[0].harmonic == 1 && back->component[1].harmonic == 0);
    assert_true(back->component[0].degrees == er_default_mix_component().degrees && back->component[0].shape == NULL);
    er_mix_destroy(back);
    put_text(MIX "\"bodies\": null, \"modes\": [{\"mode\": 3}]}");
    ok(er_mix_file_read(context, path, &back));
    assert_int_equal(back->body_count, 0);
    er_mix_destroy(back);
}

// A word with a letter too many is told apart from those that mean nothing, whichever it is.
static void every_word_of_a_mix_is_known(void **state)
{
    static const char *const words[] = {
        "mode",          "degrees",  "metres", "at",      "hz",   "harmonic", "phase",  "attack", "decay", "shape",
        "damping_ratio", "shape_hz", "format", "version", "name", "cycle",    "bodies", "size",   "modes"};
    char text[300], twice[40];
    er_mix *back = NULL;
    for (size_t i = 0; i < ERI_COUNT(words); ++i) {
        bool in_mode = i < 12;
        snprintf(twice, sizeof twice, "%s%c", words[i], words[i][strlen(words[i]) - 1]);
        snprintf(text, sizeof text,
                 in_mode ? MIX "\"modes\": [{\"mode\": 7, \"%s\": 1}]}" : MIX "\"%s\": 1, \"modes\": [{\"mode\": 7}]}",
                 twice);
        put_text(text);
        expect_format_error(er_mix_file_read(context, path, &back), in_mode ? "modes[0]" : twice);
        const char *told = strstr(er_context_error(context), twice);
        assert_true(told != NULL && strstr(told + strlen(twice), words[i]) != NULL); // what is meant
    }
    put_text(MIX "\"author\": \"me\", \"modes\": [{\"mode\": 7}]}"); // of another program
    ok(er_mix_file_read(context, path, &back));
    er_mix_destroy(back);
}

static void modes_of_a_mix_are_counted(void **state)
{
    static char text[32000];
    er_mix *back = NULL;
    for (int count = ER_MIX_MAX_COMPONENTS; count <= ER_MIX_MAX_COMPONENTS + 1; ++count) {
        size_t used = (size_t)snprintf(text, sizeof text, MIX "\"modes\": [{\"mode\": 0}");
        for (int i = 1; i < count; ++i)
            used += (size_t)snprintf(text + used, sizeof text - used, ",{\"mode\": %d}", i);
        snprintf(text + used, sizeof text - used, "]}");
        put_text(text);
        if (count > ER_MIX_MAX_COMPONENTS) {
            expect_format_error(er_mix_file_read(context, path, &back), "1001");
        } else {
            ok(er_mix_file_read(context, path, &back));
            assert_true(back->component_count == count && back->component[count - 1].mode == count - 1);
            er_mix_destroy(back);
        }
    }
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
    er_affine local[NODES], back[NODES];
    for (int i = 0; i < NODES; ++i) {
        node[i].local = er_affine_identity();
        local[i] = transform(i);
    }
    ok(er_pose_file_write(context, &scene, local, path));
    ok(er_pose_file_read(context, path, &scene, back));
    for (int i = 0; i < NODES; ++i)
        assert_true(apart(local[i], back[i]) < 1e-14);
    local[2].translation.y = NAN;
    assert_int_equal(er_pose_file_write(context, &scene, local, path), ER_ERROR_ARGUMENT);
    ok(er_pose_file_read(context, path, &scene, back)); // what was there
    local[2] = transform(2);
    local[3].linear.m[0][0] = HUGE_VAL;
    assert_refusal(context, er_pose_file_write(context, &scene, local, path), ER_ERROR_ARGUMENT, "node 3");
    local[3] = transform(3);
    assert_int_equal(er_pose_file_write(NULL, &scene, local, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_write(context, NULL, local, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_write(context, &scene, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_write(context, &scene, local, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_write(context, &scene, local, "/nowhere/at/all.json"), ER_ERROR_FILE);
}

#define POSE "{\"format\": \"eigenrig-pose\", \"version\": 1, \"nodes\": "

// Nodes, and properties of nodes, that the file leaves out are as at rest; the second of a name is the second.
static void what_a_pose_leaves_out_is_at_rest(void **state)
{
    er_affine back[NODES], want[NODES];
    for (int i = 0; i < NODES; ++i)
        want[i] = node[i].local = transform(i);
    put_text(POSE "[{\"name\": \"arm\", \"rotation\": null, \"scale\": null, \"translation\": null}]}");
    ok(er_pose_file_read(context, path, &scene, back));
    for (int i = 0; i < NODES; ++i)
        assert_true(apart(want[i], back[i]) < 1e-12);
    put_text(POSE "[{\"name\": \"hip\", \"rotation\": [0.9996, 0, 0, 0]}, {\"name\": \"arm\", \"rotation\": "
                  "[1, 0.031, 0, 0]}]}"); // nearly of unit length, and as long as that
    ok(er_pose_file_read(context, path, &scene, back));
    assert_true(apart(back[0], er_affine_from_trs(want[0].translation, er_q_identity(), er_v3(1.0, 0.5, 2.0))) < 1e-12);
    assert_true(apart(back[2], er_affine_from_trs(want[2].translation, er_q_unit(er_q(1, 0.031, 0, 0)),
                                                  er_v3(3, 0.5, 2))) < 1e-12);
    put_text(POSE
             "[{\"name\": \"leg\"}, {\"name\": \"leg\", \"translation\": [7, 8, 9]},"
             "{\"name\": \"hip\", \"rotation\": [0.5, 0.5, -0.5, 0.5]}, {\"name\": \"arm\", \"scale\": [3, 2, 1]}]}");
    ok(er_pose_file_read(context, path, &scene, back));
    want[3].translation = er_v3(7, 8, 9);
    want[0] = er_affine_from_trs(want[0].translation, er_q(0.5, 0.5, -0.5, 0.5), er_v3(1.0, 0.5, 2.0));
    want[2] = er_affine_from_trs(want[2].translation, er_q_exp(er_v3(0.6, -0.2, 1.0)), er_v3(3, 2, 1));
    for (int i = 0; i < NODES; ++i)
        assert_true(apart(want[i], back[i]) < 1e-12);
}

static void every_wrong_entry_of_a_pose_is_named(void **state)
{
    static const struct {
        const char *text, *named;
    } wrong[] = {{"{\"version\": 1, \"nodes\": []}", "pose"},
                 {"{\"format\": \"eigenrig-pose\", \"version\": 3, \"nodes\": []}", "version"},
                 {POSE "{}}", "nodes"},
                 {POSE "[{\"translation\": [1, 2, 3]}]}", "nodes[0].name"},
                 {POSE "[7]}", "nodes[0].name"},
                 {POSE "[{\"name\": \"wing\"}]}", "wing"},
                 {POSE "[{\"name\": \"a\"}]}", "\"a\""},
                 {POSE "[{\"name\": \"zebra\"}]}", "zebra"},
                 {POSE "[{\"name\": \"armm\"}]}", "\"arm\""},
                 {POSE "[{\"name\": \"arm\", \"rotation\": [1, 0.033, 0, 0]}]}", "nodes[0].rotation"},
                 {POSE "[{\"name\": \"arm\", \"rotation\": [0, 0, 0, 0.9994]}]}", "nodes[0].rotation"},
                 {POSE "[{\"name\": \"arm\"}, {\"name\": \"arm\"}]}", "arm"},
                 {POSE "[{\"name\": \"leg\"}, {\"name\": \"leg\"}, {\"name\": \"leg\"}]}", "leg"},
                 {POSE "[{\"name\": \"arm\", \"turn\": 1}]}", "turn"},
                 {POSE "[{\"name\": \"arm\", \"scale\": [1, 2]}]}", "nodes[0].scale"},
                 {POSE "[{\"name\": \"arm\", \"translation\": 1}]}", "nodes[0].translation"},
                 {POSE "[{\"name\": \"arm\", \"rotation\": [1, 0, 0]}]}", "nodes[0].rotation"},
                 {POSE "[{\"name\": \"arm\", \"rotation\": [1, 0.1, 0, 0]}]}", "nodes[0].rotation"}};
    er_affine back[NODES];
    for (size_t i = 0; i < ERI_COUNT(wrong); ++i) {
        put_text(wrong[i].text);
        expect_format_error(er_pose_file_read(context, path, &scene, back), wrong[i].named);
        er_result r = er_pose_file_parse(context, path, wrong[i].text, strlen(wrong[i].text), &scene, back);
        expect_format_error(r, wrong[i].named);
    }
    assert_int_equal(er_pose_file_read(NULL, path, &scene, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_read(context, "/nowhere/at/all.json", &scene, back), ER_ERROR_FILE);
    assert_int_equal(er_pose_file_read(context, NULL, &scene, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_read(context, path, NULL, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_read(context, path, &scene, NULL), ER_ERROR_ARGUMENT);
}

// The error about a text that somebody else named tells nothing of it.
static void what_is_no_pose_is_not_told(void **state)
{
    static const char *const texts[] = {
        "root:x:0:0:root:/root:/bin/bash\n", "\"secret\"", "{\"secret\": 1}", "[secret", "{\"format\": \"secret\"}", "",
        "{\"secret\": 1, \"secret\": 2}"};
    static const char good[] = POSE "[{\"name\": \"hip\", \"translation\": [4, 5, 6]}]}|more";
    er_affine back[NODES];
    for (size_t i = 0; i < ERI_COUNT(texts); ++i) {
        expect_format_error(er_pose_file_parse(context, path, texts[i], strlen(texts[i]), &scene, back), "");
        assert_null(strstr(er_context_error(context), "secret"));
        assert_null(strstr(er_context_error(context), "root"));
    }
    ok(er_pose_file_parse(context, path, good, strcspn(good, "|"), &scene, back));
    assert_true(back[0].translation.x == 4 && back[0].translation.z == 6);
    assert_int_equal(er_pose_file_parse(context, NULL, good, 1, &scene, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_parse(context, path, NULL, 1, &scene, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_parse(context, path, good, 1, NULL, back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_parse(context, path, good, 1, &scene, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_pose_file_parse(NULL, path, good, 1, &scene, back), ER_ERROR_ARGUMENT);
    expect_format_error(er_pose_file_parse(context, path, NULL, 0, &scene, back), ""); // an empty text
}

// ---- memory

static er_result write_mix(er_context *own, const void *of)
{
    return er_mix_file_write(own, of, path);
}

static er_result read_mix(er_context *own, const void *of)
{
    er_mix *back = (er_mix *)&own;
    er_result r = er_mix_file_read(own, of, &back);
    assert_int_equal(back != NULL, r == ER_OK);
    er_mix_destroy(back);
    return r;
}

static er_result write_pose(er_context *own, const void *of)
{
    return er_pose_file_write(own, &scene, of, path);
}

static er_result read_pose(er_context *own, const void *of)
{
    er_affine back[NODES];
    return er_pose_file_read(own, of, &scene, back);
}

static void any_allocation_may_fail(void **state)
{
    double shape[6] = {1, 2, 3, 4, 5, 6};
    er_mix_component component = er_default_mix_component();
    const er_mix mix = {.name = "a mix", .body_count = 1, .component_count = 1, .component = &component};
    er_affine local[NODES];
    for (int i = 0; i < NODES; ++i)
        local[i] = transform(i);
    component.shape = shape;
    ledger_refuse_each(write_mix, &mix, path);
    ok(er_mix_file_write(context, &mix, path));
    ledger_refuse_each(read_mix, path, NULL);
    ledger_refuse_each(write_pose, local, path);
    ok(er_pose_file_write(context, &scene, local, path));
    ledger_refuse_each(read_pose, path, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_read_back_to_the_bit),
        cmocka_unit_test(numbers_of_a_mix_are_in_the_units_of_the_manual),
        cmocka_unit_test(an_unsound_mix_leaves_what_was_there),
        cmocka_unit_test(phases_read_back_where_degrees_can_say_them),
        cmocka_unit_test(what_is_as_usual_is_not_written),
        cmocka_unit_test(long_texts_read_back),
        cmocka_unit_test(every_wrong_entry_of_a_mix_is_named),
        cmocka_unit_test(every_word_of_a_mix_is_known),
        cmocka_unit_test(modes_of_a_mix_are_counted),
        cmocka_unit_test(poses_read_back_by_name),
        cmocka_unit_test(what_a_pose_leaves_out_is_at_rest),
        cmocka_unit_test(every_wrong_entry_of_a_pose_is_named),
        cmocka_unit_test(what_is_no_pose_is_not_told),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_folder, tear_down);
}
