// Rig and palette files: what is written reads back to the bit, and what is not a rig file is told so, once and
// clearly.
#include <eigenrig/formats.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"
#include "support/sample.h"

static char path[512], other_path[512];

static int open_folder(void **state)
{
    snprintf(path, sizeof path, "%s", sample_path("a.json"));
    snprintf(other_path, sizeof other_path, "%s", sample_path("b.json"));
    return set_up(state);
}

static void write_text(const char *text, size_t size)
{
    sample_write("a.json", text, size);
}

static bool same_pose(er_pose a, er_pose b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void expect_equal(const er_model *a, const er_model *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->source, b->source);
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->joint_count, b->joint_count);
    assert_true(a->damping_ratio == b->damping_ratio);
    assert_true(a->rayleigh_mass == b->rayleigh_mass && a->rayleigh_stiffness == b->rayleigh_stiffness);
    assert_true(a->size == b->size);
    for (int i = 0; i < a->body_count; ++i) {
        const er_body *x = &a->body[i], *y = &b->body[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->mass == y->mass);
        assert_memory_equal(&x->com, &y->com, sizeof x->com);
        assert_memory_equal(&x->inertia, &y->inertia, sizeof x->inertia);
        assert_true(same_pose(x->pose, y->pose));
    }
    for (int i = 0; i < a->joint_count; ++i) {
        const er_joint *x = &a->joint[i], *y = &b->joint[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->parent, y->parent);
        assert_int_equal(x->child, y->child);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->closes_loop, y->closes_loop);
        assert_true(x->pitch == y->pitch);
        assert_true(same_pose(x->frame, y->frame));
        size_t count = (size_t)er_joint_type_freedom(x->type, NULL);
        assert_memory_equal(x->stiffness, y->stiffness, sizeof x->stiffness);
        assert_memory_equal(x->damping, y->damping, sizeof x->damping);
        assert_memory_equal(x->limit, y->limit, count * sizeof x->limit[0]);
        assert_true(x->swing == y->swing && x->twist[0] == y->twist[0] && x->twist[1] == y->twist[1]);
    }
}

static void write_rig(const er_model *m, const char *to)
{
    if (er_rig_file_write(context, m, to) != ER_OK) fail_msg("%s", er_context_error(context));
}

static er_model *read_rig(const char *from)
{
    er_model *m = NULL;
    if (er_rig_file_read(context, from, NULL, NULL, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    return m;
}

static void what_is_written_reads_back_to_the_bit(void **state)
{
    static rig r;
    dice d = {3};
    for (int round = 0; round < 10; ++round) {
        rig_random(&r, &d, round % 2 == 0);
        r.damping_ratio = dice_uniform(&d, 0, 0.1);
        r.rayleigh_mass = round % 3 == 1 ? dice_uniform(&d, 0, 1) : 0.0;
        r.rayleigh_stiffness = round % 4 == 1 ? dice_uniform(&d, 0, 1) : 0.0;
        r.body[0].name = "\"quoted\" \\ \xe9\xaa\xa8\n\t\x01 end";
        r.body[1].name = "";
        for (int k = 0; k < r.joint_count; ++k) {
            er_joint *j = &r.joint[k];
            j->swing = dice_below(&d, 2) == 0 ? dice_uniform(&d, 0, 3) : HUGE_VAL;
            j->twist[0] = dice_below(&d, 2) == 0 ? dice_uniform(&d, -3, 0) : -HUGE_VAL;
            j->twist[1] = dice_below(&d, 2) == 0 ? dice_uniform(&d, 0, 3) : HUGE_VAL;
        }
        for (int k = 0; k < r.joint_count; ++k)
            for (int c = 0; c < er_joint_type_freedom(r.joint[k].type, NULL); ++c) {
                if (dice_below(&d, 2) == 0) r.joint[k].limit[c][0] = dice_uniform(&d, -3, 0);
                if (dice_below(&d, 2) == 0) r.joint[k].limit[c][1] = dice_uniform(&d, 0, 3);
            }
        er_model *m = rig_model(context, &r);
        write_rig(m, path);
        assert_true(er_file_is_rig(context, path));
        er_model *back = read_rig(path);
        expect_equal(m, back);
        write_rig(back, other_path);
        size_t a_size, b_size;
        char *a = read_bytes(path, &a_size), *b = read_bytes(other_path, &b_size);
        assert_int_equal(a_size, b_size);
        assert_memory_equal(a, b, a_size);
        free(a);
        free(b);
        er_model_destroy(back);
        er_model_destroy(m);
    }
}

static er_model *chain_model(void)
{
    static hand h;
    hand_chain(&h);
    er_rig_def def = er_default_rig_def();
    def.root = ER_ROOT_FIXED;
    er_rig *chain = hand_rig(context, &h.scene, &def);
    er_rig_change change = er_default_rig_change();
    er_model *copy = NULL;
    assert_int_equal(er_rig_change_model(context, chain->model, &change, &copy), ER_OK);
    er_rig_destroy(chain);
    return copy;
}

// A damped mode's numbers, and those of an undamped one that are not there.
static void expect_damping(const json_t *mode, const er_modes *modes, int k)
{
    const json_t *decay = json_object_get(mode, "decay"), *shape = json_object_get(mode, "damped_shape");
    assert_true((decay != NULL) == (modes->damped_count > 0));
    assert_true((shape != NULL) == (modes->damped_count > 0 && modes->damped[k].shape[0] != NULL));
    for (size_t side = 0; side < 2 && decay != NULL; ++side) {
        assert_true(json_real_value(json_array_get(decay, side)) == modes->damped[k].decay[side]);
        for (int i = 0; i < modes->count && shape != NULL; ++i)
            assert_true(json_real_value(json_array_get(json_array_get(shape, side), (size_t)i)) ==
                        modes->damped[k].shape[side][i]);
    }
}

static void expect_palette(const er_model *m)
{
    er_modes *modes = rig_modes(context, m, ER_MODAL_QR);
    assert_int_equal(er_palette_file_write(context, m, modes, NULL, NULL, NULL, path), ER_OK);
    assert_true(er_file_is_rig(context, path));
    er_model *back = read_rig(path);
    expect_equal(m, back);
    er_model_destroy(back);
    json_t *json = json_load_file(path, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "format")), "eigenrig-palette");
    assert_string_equal(json_string_value(json_object_get(json, "method")), er_modal_method_name(modes->method));
    assert_int_equal(json_integer_value(json_object_get(json, "version")), 1);
    assert_int_equal(json_integer_value(json_object_get(json, "dof")), modes->dof);
    assert_int_equal(json_integer_value(json_object_get(json, "constraints")), modes->constraint_count);
    assert_int_equal(json_integer_value(json_object_get(json, "rank")), modes->rank);
    assert_int_equal(json_integer_value(json_object_get(json, "rigid_modes")), modes->rigid_count);
    const json_t *list = json_object_get(json, "modes");
    assert_int_equal(json_array_size(list), modes->count);
    for (int k = 0; k < modes->count; ++k) {
        const json_t *mode = json_array_get(list, (size_t)k);
        const er_mode *x = &modes->mode[k];
        assert_int_equal(json_integer_value(json_object_get(mode, "index")), k);
        assert_string_equal(json_string_value(json_object_get(mode, "kind")), er_mode_kind_name(x->kind));
        assert_true(json_real_value(json_object_get(mode, "frequency_hz")) == x->frequency_hz);
        assert_true(json_real_value(json_object_get(mode, "eigenvalue")) == x->eigenvalue);
        assert_true(json_real_value(json_object_get(mode, "damping_ratio")) == x->damping_ratio);
        assert_true(json_real_value(json_object_get(mode, "damped_hz")) == x->damped_hz);
        expect_damping(mode, modes, k);
        const json_t *body = json_object_get(mode, "body"), *joint = json_object_get(mode, "joint");
        assert_int_equal(json_array_size(body), m->body_count);
        assert_int_equal(json_array_size(joint), m->joint_count);
        for (int b = 0; b < m->body_count; ++b)
            for (int i = 0; i < 6; ++i)
                assert_true(json_real_value(json_array_get(json_array_get(body, (size_t)b), (size_t)i)) ==
                            x->body[6 * b + i]);
        for (int j = 0; j < m->joint_count; ++j) {
            const json_t *row = json_array_get(joint, (size_t)j);
            assert_int_equal(json_array_size(row), m->coordinate[j + 1] - m->coordinate[j]);
            for (size_t i = 0; i < json_array_size(row); ++i)
                assert_true(json_real_value(json_array_get(row, i)) == x->joint[m->coordinate[j] + (int)i]);
        }
    }
    json_decref(json);
    er_modes_destroy(modes);
}

static void a_palette_holds_the_modes_and_reads_as_its_rig(void **state)
{
    er_model *m = chain_model();
    expect_palette(m);
    er_model_destroy(m);
    static rig r;
    dice d = {8};
    rig_random(&r, &d, true); // with dampers
    m = rig_model(context, &r);
    expect_palette(m);
    er_model_destroy(m);
}

// ---- what is no rig file

// Two bodies, a hinge, a loop; every kind of entry once.
static const char good[] =
    "{\"format\": \"eigenrig-rig\", \"version\": 1, \"name\": \"arm\", \"source\": \"arm.glb\", \"damping_ratio\": "
    "0.5, \"rayleigh\": [0.75, 0.125],\n"
    "\"bodies\": [{\"name\": \"a\", \"mass\": 2.5, \"com\": [0.1, 0, 0], \"inertia\": [[1, 0, 0], [0, 1.25, 0], [0, 0, "
    "1.5]], \"position\": [0, 0, 0], \"orientation\": [1, 0, 0, 0]},\n"
    "{\"name\": \"b\", \"mass\": 3, \"com\": [0, 0.2, 0], \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "
    "\"position\": "
    "[1, 0, 0], \"orientation\": [0, 1, 0, 0]}],\n"
    "\"joints\": [{\"name\": \"j\", \"parent\": 0, \"child\": 1, \"type\": \"revolute\", \"position\": [1, 0, 0], "
    "\"orientation\": [1, 0, 0, 0], \"stiffness\": [7], \"damping\": [0.25], \"limits\": [[-1, 2]], \"closes_loop\": "
    "false},\n"
    "{\"name\": \"k\", \"parent\": -1, \"child\": 1, \"type\": \"universal\", \"position\": [2, 0, 0], "
    "\"orientation\": [1, 0, 0, 0], \"stiffness\": [8, 9], \"damping\": null, \"limits\": null, \"closes_loop\": "
    "true}]}\n";

static const struct {
    const char *from, *to;
    er_result result;
    const char *place; // what the sentence must name
} bad[] = {
    {"\"version\": 1", "\"version\": 2", ER_ERROR_FORMAT, "version 1"},
    {"\"version\": 1", "\"version\": \"1\"", ER_ERROR_FORMAT, "version 1"},
    {"\"version\": 1, ", "", ER_ERROR_FORMAT, "version 1"},
    {"\"version\": 1", "\"version\": 99999999999999999999999", ER_ERROR_FORMAT, "line 1"},
    {"eigenrig-rig", "eigenrig-song", ER_ERROR_FORMAT, "eigenrig-rig"},
    {"\"eigenrig-rig\"", "7", ER_ERROR_FORMAT, "eigenrig-rig"},
    {"\"damping_ratio\": 0.5", "\"damping_ratio\": \"much\"", ER_ERROR_FORMAT, "damping_ratio"},
    {"\"damping_ratio\": 0.5", "\"damping_ratio\": -0.5", ER_ERROR_FORMAT, "damping"},
    {"[0.75, 0.125]", "0.75", ER_ERROR_FORMAT, "rayleigh"},
    {"[0.75, 0.125]", "[0.75]", ER_ERROR_FORMAT, "rayleigh"},
    {"[0.75, 0.125]", "[0.75, -0.125]", ER_ERROR_FORMAT, "rayleigh"},
    {"[0.75, 0.125]", "[-0.75, 0.125]", ER_ERROR_FORMAT, "rayleigh"},
    {"[0.75, 0.125]", "[0.75, \"0.125\"]", ER_ERROR_FORMAT, "rayleigh"},
    {"[0.75, 0.125]", "[1e60, 0.125]", ER_ERROR_RIG, "Rayleigh"},
    {"[0.75, 0.125]", "null", ER_OK, ""},
    {"\"name\": \"arm\"", "\"name\": 5", ER_ERROR_FORMAT, "name"},
    {"\"source\": \"arm.glb\"", "\"source\": [1]", ER_ERROR_FORMAT, "source"},
    {"\"name\": \"b\"", "\"name\": {}", ER_ERROR_FORMAT, "bodies[1].name"},
    {"\"name\": \"k\"", "\"name\": 1.5", ER_ERROR_FORMAT, "joints[1].name"},
    {"\"bodies\": [", "\"bodies\": [1, ", ER_ERROR_FORMAT, "bodies[0]"},
    {"\"bodies\"", "\"corpses\"", ER_ERROR_FORMAT, "bodies"},
    {"\"joints\": [", "\"joints\": [[], ", ER_ERROR_FORMAT, "joints[0]"},
    {"\"joints\"", "\"joins\"", ER_ERROR_FORMAT, "joins"},
    {"\"bodies\"", "\"bodis\"", ER_ERROR_FORMAT, "bodis"},
    {"\"joints\": [", "\"joints\": 1, \"rest\": [", ER_ERROR_FORMAT, "\"joints\""},
    {"\"bodies\": [", "\"bodies\": 1, \"rest\": [", ER_ERROR_FORMAT, "\"joints\""},
    {"\"stiffness\": [7]", "\"stifness\": [7]", ER_ERROR_FORMAT, "joints[0].stifness"},
    {"\"name\": \"arm\"", "\"name\": null", ER_OK, ""},
    {"\"source\": \"arm.glb\"", "\"source\": null", ER_OK, ""},
    {"\"damping_ratio\": 0.5", "\"damping_ratio\": null", ER_OK, ""},
    {"\"damping_ratio\": 0.5", "\"damping_ratio\": 0", ER_OK, ""},
    {"[0.75, 0.125]", "[0, 0]", ER_OK, ""},
    {"\"name\": \"b\"", "\"name\": null", ER_OK, ""},
    {"\"closes_loop\": true", "\"closes_loop\": null", ER_OK, ""},
    {"[[-1, 2]]", "[null]", ER_OK, ""},
    {"[[-1, 2]]", "[[null, null]]", ER_OK, ""},
    {"[[-1, 2]]", "[[-1, 2, 3]]", ER_ERROR_FORMAT, "joints[0].limits"},
    {"\"mass\": 2.5", "\"mass\": 2.5, \"mass\": 2.5", ER_ERROR_FORMAT, "line 2"},
    {"\"mass\": 2.5, ", "", ER_ERROR_FORMAT, "bodies[0].mass"},
    {"\"mass\": 2.5", "\"mass\": NaN", ER_ERROR_FORMAT, "line 2"},
    {"\"mass\": 2.5", "\"mass\": null", ER_ERROR_FORMAT, "bodies[0].mass"},
    {"\"mass\": 2.5", "\"mass\": \"heavy\"", ER_ERROR_FORMAT, "bodies[0].mass"},
    {"\"mass\": 2.5", "\"mass\": 1e999", ER_ERROR_FORMAT, "line 2"},
    {"\"mass\": 2.5", "\"mass\": -2.5", ER_ERROR_RIG, "body 0 \"a\""},
    {"\"mass\": 2.5", "\"mass\": 0", ER_ERROR_RIG, "body 0 \"a\""},
    {"\"mass\": 2.5", "\"mass\": 1e300", ER_ERROR_RIG, "body 0 \"a\""},
    {"[0.1, 0, 0]", "[0.1, 0]", ER_ERROR_FORMAT, "bodies[0].com"},
    {"[0.1, 0, 0]", "[0.1, 0, \"0\"]", ER_ERROR_FORMAT, "bodies[0].com"},
    {"[0, 0.2, 0]", "7", ER_ERROR_FORMAT, "bodies[1].com"},
    {"[0, 1.25, 0], ", "", ER_ERROR_FORMAT, "bodies[0].inertia"},
    {"[0, 1.25, 0]", "[0, 1.25, 0, 0]", ER_ERROR_FORMAT, "bodies[0].inertia"},
    {"[0, 1.25, 0]", "[0, -1.25, 0]", ER_ERROR_RIG, "body 0 \"a\""},
    {"[0, 1.25, 0]", "[0.5, 1.25, 0]", ER_ERROR_RIG, "body 0 \"a\""},
    {"[0, 1.25, 0]", "[0, 125, 0]", ER_ERROR_RIG, "body 0 \"a\""},
    {"\"orientation\": [0, 1, 0, 0]", "\"orientation\": [0, 1, 0]", ER_ERROR_FORMAT, "bodies[1].orientation"},
    {"\"orientation\": [0, 1, 0, 0]", "\"orientation\": [0, 0, 0, 0]", ER_ERROR_RIG, "body 1 \"b\""},
    {"\"orientation\": [0, 1, 0, 0]", "\"orientation\": [0, 2, 0, 0]", ER_ERROR_RIG, "body 1 \"b\""},
    {"\"position\": [2, 0, 0]", "\"place\": [2, 0, 0]", ER_ERROR_FORMAT, "joints[1].position"},
    {"\"parent\": 0", "\"parent\": 2", ER_ERROR_RIG, "joint 0 \"j\""},
    {"\"parent\": 0", "\"parent\": -2", ER_ERROR_RIG, "joint 0 \"j\""},
    {"\"parent\": 0", "\"parent\": 4294967296", ER_ERROR_RIG, "joint 0 \"j\""},
    {"\"parent\": 0", "\"parent\": -4294967297", ER_ERROR_RIG, "joint 0 \"j\""},
    {"\"parent\": 0", "\"parent\": 0.5", ER_ERROR_FORMAT, "joints[0].parent"},
    {"\"parent\": 0", "\"parent\": \"a\"", ER_ERROR_FORMAT, "joints[0].parent"},
    {"\"parent\": 0", "\"parent\": 1", ER_ERROR_RIG, "joint 0 \"j\""},
    {"\"child\": 1, \"type\": \"revolute\"", "\"child\": -1, \"type\": \"revolute\"", ER_ERROR_RIG, "joint 0 \"j\""},
    {"\"child\": 1, \"type\": \"revolute\"", "\"child\": 4294967297, \"type\": \"revolute\"", ER_ERROR_RIG,
     "joint 0 \"j\""},
    {"\"child\": 1, \"type\": \"universal\"", "\"type\": \"universal\"", ER_ERROR_FORMAT, "joints[1].child"},
    {"\"revolute\"", "\"hinge\"", ER_ERROR_FORMAT, "joints[0].type"},
    {"\"revolute\"", "3", ER_ERROR_FORMAT, "joints[0].type"},
    {"\"revolute\"", "\"spherical\"", ER_ERROR_FORMAT, "joints[0].stiffness"},
    {"[7]", "[]", ER_ERROR_FORMAT, "joints[0].stiffness"},
    {"[7]", "7", ER_ERROR_FORMAT, "joints[0].stiffness"},
    {"[7]", "[-7]", ER_ERROR_RIG, "joint 0 \"j\""},
    {"[8, 9]", "[8, null]", ER_ERROR_FORMAT, "joints[1].stiffness"},
    {"[0.25]", "[0.25, 0]", ER_ERROR_FORMAT, "joints[0].damping"},
    {"[0.25]", "[-0.25]", ER_ERROR_RIG, "joint 0 \"j\""},
    {"[[-1, 2]]", "[[-1, 2], null]", ER_ERROR_FORMAT, "joints[0].limits"},
    {"[[-1, 2]]", "[[-1]]", ER_ERROR_FORMAT, "joints[0].limits"},
    {"[[-1, 2]]", "[[-1, \"2\"]]", ER_ERROR_FORMAT, "joints[0].limits"},
    {"[[-1, 2]]", "[[2, -1]]", ER_ERROR_RIG, "joint 0 \"j\""},
    {"[[-1, 2]]", "false", ER_ERROR_FORMAT, "joints[0].limits"},
    {"[[-1, 2]]", "[{}]", ER_ERROR_FORMAT, "joints[0].limits"},
    {"[[-1, 2]]", "null, \"swing\": \"wide\"", ER_ERROR_FORMAT, "joints[0].swing"},
    {"[[-1, 2]]", "null, \"twist\": 3", ER_ERROR_FORMAT, "joints[0].twist"},
    {"[[-1, 2]]", "null, \"twist\": [0, true]", ER_ERROR_FORMAT, "joints[0].twist"},
    {"[[-1, 2]]", "null, \"twist\": [null, 1], \"swing\": null", ER_OK, ""},
    {"\"closes_loop\": true", "\"closes_loop\": 1", ER_ERROR_FORMAT, "joints[1].closes_loop"},
    {"\"parent\": -1, \"child\": 1", "\"parent\": 1, \"child\": 0", ER_OK, ""},
    {"\"closes_loop\": true", "\"closes_loop\": false", ER_OK, ""}, // a tree all the same
    {"\"mass\": 2.5", "\"mass\": 2.5 \"com\"", ER_ERROR_FORMAT, "line 2"},
    {"\"arm\"", "\"a\xff\"", ER_ERROR_FORMAT, "line 1"},
    {"}]}", "}]} ?", ER_ERROR_FORMAT, "line 5"},
};

static void replace(const char *from, const char *to)
{
    char text[4096];
    const char *at = strstr(good, from);
    if (at == NULL) fail_msg("the example lacks %s", from);
    int size = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    write_text(text, (size_t)size);
}

static void expect_refused(er_result expected, const char *place, const char *what)
{
    er_model *m = (er_model *)&context;
    er_result r = er_rig_file_read(context, path, NULL, NULL, &m);
    const char *why = er_context_error(context);
    if (r != expected) print_message("# %s\n", what);
    assert_refusal(context, r, expected, place);
    assert_null(m);
    assert_memory_equal(why, path, strlen(path));
    assert_null(strchr(why, '\n'));
}

static void every_wrong_entry_is_named(void **state)
{
    write_text(good, strlen(good));
    er_model_destroy(read_rig(path));
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        replace(bad[i].from, bad[i].to);
        if (bad[i].result != ER_OK)
            expect_refused(bad[i].result, bad[i].place, bad[i].to);
        else
            er_model_destroy(read_rig(path));
    }
    // joints of the tree that go in a circle
    replace("\"closes_loop\": true", "\"closes_loop\": false");
    char *at, text[4096];
    size_t size;
    char *circle = read_bytes(path, &size);
    at = strstr(circle, "\"parent\": -1");
    assert_non_null(at);
    size = (size_t)snprintf(text, sizeof text, "%.*s\"parent\": 0%s", (int)(at - circle), circle, at + 12);
    write_text(text, size);
    free(circle);
    expect_refused(ER_ERROR_RIG, "joint 1 \"k\"", "a circle");
}

// ---- words that are nearly known, and files opened whatever they are

typedef struct slips {
    int count;
    char text[256]; // the first
} slips;

static void hear_slip(void *user, const char *text)
{
    slips *s = user;
    if (s->count++ == 0) snprintf(s->text, sizeof s->text, "%s", text);
}

static void slips_are_told_with_what_is_meant(void **state)
{
    static const struct {
        const char *from, *to, *told; // NULL: nothing
    } cases[] = {{"\"damping_ratio\"", "\"damping_ration\"", "damping_ration"},
                 {"\"damping\": [0.25]", "\"dampng\": [0.25]", "joints[0].dampng"},
                 {"\"mass\": 3", "\"mass\": 3, \"massa\": 2", "bodies[1].massa"},
                 {"\"version\"", "\"colour of the coat\": 7, \"version\"", NULL}, // of another program
                 {"\"version\"", "\"version\"", NULL}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        slips heard = {0};
        er_model *m = NULL;
        er_opened *opened = NULL;
        replace(cases[i].from, cases[i].to);
        assert_int_equal(er_rig_file_read(context, path, hear_slip, &heard, &m), ER_OK);
        assert_int_equal(heard.count, cases[i].told != NULL);
        if (cases[i].told != NULL) assert_non_null(strstr(heard.text, cases[i].told));
        assert_int_equal(er_file_open(context, path, NULL, NULL, &opened), ER_OK);
        assert_int_equal(opened->note_count, heard.count);
        if (heard.count > 0) assert_true(opened->note[0].kind == ER_NOTE_WARNING);
        if (heard.count > 0) assert_string_equal(opened->note[0].text, heard.text);
        expect_equal(opened->model, m);
        er_opened_destroy(opened);
        er_model_destroy(m);
    }
    // a letter too many in any word
    static const struct {
        const char *before, *place, *word[14];
    } objects[] = {{"\"version\": 1",
                    "",
                    {"format", "version", "name", "source", "damping_ratio", "rayleigh", "bodies", "joints"}},
                   {"\"mass\": 3", "bodies[1].", {"name", "mass", "com", "inertia", "position", "orientation"}},
                   {"\"closes_loop\": true",
                    "joints[1].",
                    {"name", "parent", "child", "type", "position", "orientation", "stiffness", "damping", "limits",
                     "closes_loop", "swing", "twist"}}};
    for (size_t i = 0; i < ERI_COUNT(objects); ++i)
        for (size_t k = 0; objects[i].word[k] != NULL; ++k) {
            const char *word = objects[i].word[k];
            char with[100], want[200];
            slips heard = {0};
            er_model *m = NULL;
            snprintf(with, sizeof with, "%s, \"%s%c\": 0", objects[i].before, word, word[strlen(word) - 1]);
            snprintf(want, sizeof want, "%s%s%c", objects[i].place, word, word[strlen(word) - 1]);
            replace(objects[i].before, with);
            assert_int_equal(er_rig_file_read(context, path, hear_slip, &heard, &m), ER_OK);
            assert_int_equal(heard.count, 1);
            assert_memory_equal(heard.text, want, strlen(want));
            assert_non_null(strstr(heard.text + strlen(want), word)); // what is meant
            er_model_destroy(m);
        }
    char text[8192] = "{\"format\": \"eigenrig-rig\", \"version\": 1, \"joints\": [], \"bodies\": [";
    for (int i = 0; i < 20; ++i) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%s{\"nmae\": \"b\", \"mass\": 1, \"com\": [0, 0, 0], \"inertia\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "
                 "\"position\": [0, 0, 0], \"orientation\": [1, 0, 0, 0]}%s",
                 i > 0 ? ", " : "", i == 19 ? "]}" : "");
    }
    slips heard = {0};
    er_model *m = NULL;
    write_text(text, strlen(text));
    assert_int_equal(er_rig_file_read(context, path, hear_slip, &heard, &m), ER_OK);
    assert_int_equal(heard.count, 8);
    er_model_destroy(m);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    size_t whole = strlen(good) - 2; // without its last brace and line end
    for (size_t size = 0; size <= whole; ++size) {
        write_text(good, size);
        expect_refused(ER_ERROR_FORMAT, "", "a file cut short");
    }
}

static void bytes_at_random_never_do_harm(void **state)
{
    dice d = {17};
    int taken = 0;
    for (int round = 0; round < 3000; ++round) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (int n = 1 + dice_below(&d, 3); n > 0; --n) {
            int at = dice_below(&d, (int)sizeof good - 1);
            text[at] =
                dice_below(&d, 2) == 0 ? (char)dice_below(&d, 256) : "0123456789-.eE[]{},:\" "[dice_below(&d, 22)];
        }
        write_text(text, sizeof good - 1);
        er_model *m = NULL;
        er_result r = er_rig_file_read(context, path, NULL, NULL, &m);
        assert_true((r == ER_OK) == (m != NULL));
        assert_true(r == ER_OK || r == ER_ERROR_FORMAT || r == ER_ERROR_RIG);
        if (r != ER_OK) assert_int_equal(strncmp(er_context_error(context), path, strlen(path)), 0);
        er_file_is_rig(context, path);
        taken += r == ER_OK;
        er_model_destroy(m);
    }
    print_message("# %d of 3000 files with bytes changed still read as rigs\n", taken);
}

static void other_files_are_told_apart(void **state)
{
    static const char *const texts[] = {"",
                                        "[]",
                                        "7",
                                        "null",
                                        "{}",
                                        "{\"asset\": {\"version\": \"2.0\"}}",
                                        "glTF\x02",
                                        "[\"eigenrig-rig\"]",
                                        "{\"format\": \"eigenrig-palette\"}",
                                        "{\"format\": \"eigenrig-palette\", \"rig\": []}"};
    for (size_t i = 0; i < ERI_COUNT(texts); ++i) {
        write_text(texts[i], strlen(texts[i]));
        expect_refused(ER_ERROR_FORMAT, "", texts[i]);
        // named .json it is meant as ours; by another name its bytes decide
        assert_true(er_file_is_rig(context, path));
        char other[sizeof path + 8];
        snprintf(other, sizeof other, "%s.gltf", path);
        assert_int_equal(rename(path, other), 0);
        assert_int_equal(er_file_is_rig(context, other), i >= 8);
        unlink(other);
    }
    // by another name it begins with a brace, whatever stands before that, and says what it is
    static const struct {
        const char *text;
        bool ours;
    } unnamed[] = {{" \t\r\n{\"format\": \"eigenrig-rig\"}", true},
                   {"\v{\"format\": \"eigenrig-rig\"}", false},
                   {"x{\"eigenrig-rig\"}", false},
                   {"{\"eigenrig-rig", false},
                   {"{eigenrig-palette\"", false},
                   {"  ", false},
                   {"{\"eigenrig-palette\"", true}};
    char other[sizeof path + 8];
    snprintf(other, sizeof other, "%s.gltf", path);
    for (size_t i = 0; i < ERI_COUNT(unnamed); ++i) {
        write_text(unnamed[i].text, strlen(unnamed[i].text));
        assert_int_equal(rename(path, other), 0);
        assert_int_equal(er_file_is_rig(context, other), unnamed[i].ours);
    }
    write_text("\0{\"eigenrig-rig\"}", 17);
    assert_int_equal(rename(path, other), 0);
    assert_false(er_file_is_rig(context, other));
    unlink(other);
    assert_false(er_file_is_rig(context, other));
    assert_int_equal(mkfifo(other, 0600), 0); // nobody waits for a pipe
    assert_false(er_file_is_rig(context, other));
    unlink(other);
    assert_false(er_file_is_rig(NULL, "a.json") || er_file_is_rig(context, NULL));
    expect_refused(ER_ERROR_FILE, "", "no file");
    assert_false(er_file_is_rig(context, sample_folder()));
    assert_true(er_file_is_rig(context, "-"));
    // nesting beyond any rig must not exhaust the stack
    size_t deep = 2000000;
    char *text = malloc(deep);
    assert_non_null(text);
    memset(text, '[', deep);
    write_text(text, deep);
    free(text);
    expect_refused(ER_ERROR_FORMAT, "", "a deep file");
}

static void models_of_the_project_read(void **state)
{
    static const char *const names[] = {"chain_20", "four_bar", "loop_4", "loop_9", "loop_16", "loop_8_asymmetric"};
    const char *source = getenv("EIGENRIG_SOURCE");
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        char from[1000];
        snprintf(from, sizeof from, "%s/models/%s.json", source != NULL ? source : ".", names[i]);
        er_model *m = read_rig(from);
        write_rig(m, path);
        er_model *back = read_rig(path);
        expect_equal(m, back);
        er_model_destroy(back);
        er_model_destroy(m);
    }
}

static void names_that_are_no_text_are_refused(void **state)
{
    static rig r;
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
    r.body[0].name = "H\xfc"
                     "fte";
    er_model *m = NULL;
    er_model_def def = er_default_model_def();
    def.body_count = 1;
    def.body = r.body;
    r.body[1] = r.body[0];
    r.body[1].pose.p.x = 1.0;
    def.body_count = 2;
    def.joint_count = 1;
    def.joint = r.joint;
    const char *const bad_name = r.body[0].name;
    r.body[0].name = r.body[1].name = NULL;
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, er_pose_identity());
    const char **const place[] = {&r.body[0].name, &r.body[1].name, &r.joint[0].name, &def.name, &def.source};
    for (size_t i = 0; i < ERI_COUNT(place); ++i) {
        const char *was = *place[i];
        *place[i] = bad_name;
        assert_int_equal(er_model_create(context, &def, &m), ER_OK);
        unlink(path);
        er_modes *modes = rig_modes(context, m, ER_MODAL_QR);
        for (int palette = 0; palette < 2; ++palette) {
            er_result result = palette == 0 ? er_rig_file_write(context, m, path)
                                            : er_palette_file_write(context, m, modes, NULL, NULL, NULL, path);
            assert_int_equal(result, ER_ERROR_ARGUMENT);
            assert_int_not_equal(access(path, F_OK), 0);
        }
        er_modes_destroy(modes);
        er_model_destroy(m);
        *place[i] = was;
    }
}

static void calls_without_sense_are_refused(void **state)
{
    er_model *m = chain_model(), *back = m;
    er_modes *modes = rig_modes(context, m, ER_MODAL_QR);
    unlink(path);
    assert_int_equal(er_rig_file_read(context, path, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_rig_file_read(NULL, path, NULL, NULL, &back), ER_ERROR_ARGUMENT);
    assert_null(back);
    assert_int_equal(er_rig_file_read(context, NULL, NULL, NULL, &back), ER_ERROR_ARGUMENT);
    assert_int_equal(er_rig_file_write(NULL, m, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_rig_file_write(context, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_rig_file_write(context, m, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_palette_file_write(NULL, m, modes, NULL, NULL, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_palette_file_write(context, NULL, modes, NULL, NULL, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_palette_file_write(context, m, NULL, NULL, NULL, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_palette_file_write(context, m, modes, NULL, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(er_rig_file_write(context, m, "nowhere/at/all.json"), ER_ERROR_FILE);
    assert_int_equal(er_palette_file_write(context, m, modes, NULL, NULL, NULL, "nowhere/at/all.json"), ER_ERROR_FILE);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// Whole numbers beyond what an integer holds, signs of zero, the smallest and the largest.
static void numbers_of_any_size_read_back(void **state)
{
    static const double numbers[] = {-0.0, 1e22, 12345678901234567890.0, -9007199254740993.0, 1e-5, 5e-324, 1e49, 0.1,
                                     -3.0, 1e15};
    static er_body body[ERI_COUNT(numbers)];
    for (size_t i = 0; i < ERI_COUNT(numbers); ++i)
        body[i] = (er_body){.mass = 1.0,
                            .inertia = er_m3_identity(),
                            .com = er_v3(numbers[i], 0.0, 0.0),
                            .pose = {er_q_identity(), er_v3(0.0, (double)i, 0.0)}};
    er_model *m = NULL;
    er_model_def def = er_default_model_def();
    def.body_count = (int)ERI_COUNT(numbers);
    def.body = body;
    assert_int_equal(er_model_create(context, &def, &m), ER_OK);
    write_rig(m, path);
    er_model *back = read_rig(path);
    for (size_t i = 0; i < ERI_COUNT(numbers); ++i)
        assert_memory_equal(&back->body[i].com.x, &numbers[i], sizeof(double));
    er_model_destroy(back);
    er_model_destroy(m);
}

static void what_is_not_finite_leaves_no_file(void **state)
{
    er_model *m = chain_model();
    er_modes *modes = rig_modes(context, m, ER_MODAL_QR);
    ((double *)(uintptr_t)modes->mode[0].body)[3] = NAN;
    write_text("before", 6);
    assert_int_equal(er_palette_file_write(context, m, modes, NULL, NULL, NULL, path), ER_ERROR_ARGUMENT);
    size_t size;
    char *text = read_bytes(path, &size);
    assert_string_equal(text, "before");
    free(text);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// ---- memory

static er_model *kept;
static er_modes *kept_modes;

static er_result write_rig_file(er_context *own, const void *of)
{
    return er_rig_file_write(own, kept, of);
}

static er_result write_palette(er_context *own, const void *of)
{
    return er_palette_file_write(own, kept, kept_modes, NULL, NULL, NULL, of);
}

static er_result read_rig_file(er_context *own, const void *of)
{
    er_model *m = (er_model *)&own;
    er_result r = er_rig_file_read(own, of, NULL, NULL, &m);
    assert_true((r == ER_OK) == (m != NULL));
    if (m != NULL) expect_equal(m, kept);
    er_model_destroy(m);
    return r;
}

static er_result open_file(er_context *own, const void *of)
{
    er_opened *opened = (er_opened *)&own;
    er_result r = er_file_open(own, of, NULL, NULL, &opened);
    assert_true((r == ER_OK) == (opened != NULL));
    if (opened != NULL) expect_equal(opened->model, kept);
    er_opened_destroy(opened);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    kept = chain_model();
    kept_modes = rig_modes(context, kept, ER_MODAL_QR);
    write_rig(kept, path);
    ledger_refuse_each(write_rig_file, other_path, other_path);
    ledger_refuse_each(write_palette, other_path, other_path);
    ledger_refuse_each(read_rig_file, path, NULL);
    ledger_refuse_each(open_file, path, NULL);
    er_modes_destroy(kept_modes);
    er_model_destroy(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_to_the_bit),
        cmocka_unit_test(a_palette_holds_the_modes_and_reads_as_its_rig),
        cmocka_unit_test(every_wrong_entry_is_named),
        cmocka_unit_test(slips_are_told_with_what_is_meant),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(bytes_at_random_never_do_harm),
        cmocka_unit_test(other_files_are_told_apart),
        cmocka_unit_test(models_of_the_project_read),
        cmocka_unit_test(names_that_are_no_text_are_refused),
        cmocka_unit_test(calls_without_sense_are_refused),
        cmocka_unit_test(numbers_of_any_size_read_back),
        cmocka_unit_test(what_is_not_finite_leaves_no_file),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("rig_file", tests, open_folder, tear_down);
}
