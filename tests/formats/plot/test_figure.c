// Figures of modes for print, of a skeleton and of modes made by hand.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bytes.h"
#include "../curves/motions.h"
#include "base/arena.h"
#include "drawing.h"
#include "formats/plot/svg.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

enum { BODIES = 7, LINES = 40, SHAPES = 130, MODES = 140 };

// A figure of a skeleton that branches and closes a loop, and what is to be seen of it.
typedef struct sample {
    er_model *model;
    er_mode mode[MODES];
    er_modes modes;
    er_pose end[2][SHAPES][BODIES];
    er_mode_shape shape[SHAPES];
    er_modes_figure of;
} sample;

static sample s;

// As it is, or flattened: a twentieth as high and deep.
static void make_model(double flat)
{
    static const struct {
        int parent, child;
        er_vec3 at;
    } joints[] = {{0, 1, {0.3, 0.1, 0.0}}, {0, 2, {-0.4, 0.2, 0.1}}, {1, 3, {0.7, 0.2, 0.1}}, {1, 4, {0.3, 0.1, 0.0}},
                  {3, 5, {0.9, 0.6, 0.0}}, {5, 4, {0.5, 0.7, -0.3}}, {-1, 6, {0.0, 1.0, 0.5}}};
    static const er_vec3 com[BODIES] = {{0, 0.1, 0},        {0.5, 0.15, 0}, {-0.6, 0.3, 0.3}, {0.8, 0.4, 0.1},
                                        {0.4, 0.45, -0.15}, {0.7, 0.7, 0},  {0.1, 1.3, 0.6}};
    rig r = {0};
    dice d = {3};
    for (int b = 0; b < BODIES; ++b)
        rig_add_body(&r, 1.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(com[b].x, flat * com[b].y, flat * com[b].z),
                     (er_pose){dice_quat(&d), er_v3_scale(0.3 * flat, dice_vec3(&d))});
    for (size_t k = 0; k < ERI_COUNT(joints); ++k)
        rig_add_joint(&r, ER_JOINT_SPHERICAL, joints[k].parent, joints[k].child,
                      (er_pose){er_q_identity(), er_v3(joints[k].at.x, flat * joints[k].at.y, flat * joints[k].at.z)})
            ->closes_loop = k == 5;
    s.model = rig_model(context, &r);
}

// Elastic modes of these frequencies, after one rigid mode and one mechanism; a shape of all from the mechanism on.
static void make(int elastic, const double *hz, const char *const *label, int labels, double turn)
{
    dice d = {11};
    if (s.model == NULL) make_model(1.0);
    int constraints = 6 * s.model->joint_count - s.model->coordinate_count;
    s.modes = (er_modes){.count = elastic + 2,
                         .mode = s.mode,
                         .dof = 6 * BODIES - 9,
                         .rank = 9,
                         .constraint_count = constraints,
                         .first = 40};
    s.mode[0] = (er_mode){.kind = ER_MODE_RIGID};
    s.mode[1] = (er_mode){.kind = ER_MODE_MECHANISM};
    for (int i = 0; i < elastic; ++i)
        s.mode[i + 2] = (er_mode){.kind = ER_MODE_ELASTIC, .frequency_hz = hz[i]};
    for (int i = 0; i <= elastic; ++i) {
        for (int side = 0; side < 2; ++side)
            for (int b = 0; b < BODIES; ++b) {
                er_pose by = {er_q_exp(er_v3_scale(side == 0 ? turn : -turn, dice_vec3(&d))),
                              er_v3_scale(0.1 * turn, dice_vec3(&d))};
                s.end[side][i][b] = er_pose_mul(by, s.model->body[b].pose);
            }
        s.shape[i] = (er_mode_shape){41 + i, label[i % labels], {s.end[0][i], s.end[1][i]}};
    }
    s.of = (er_modes_figure){"title", "below it", s.model, &s.modes, {0, 1, 0}, elastic + 1, s.shape};
}

static const char *const labels[] = {"hip",
                                     "left knee, right knee, a tail that is long, and more, and more, and still more",
                                     "aVeryLongNameOfAJointThatNoOneEverWroteByHand_017", "spine, neck",
                                     "x, aVeryLongNameOfAJointThatNoOneEverWroteByHand_018, y"};

static uint64_t drawn(uint64_t hash)
{
    char path[300];
    snprintf(path, sizeof path, "%s/figure.svg", sample_folder());
    if (er_modes_plot(context, &s.of, path) != ER_OK) fail_msg("%s", er_context_error(context));
    return hash_file(hash, path);
}

static void figures_have_these_bytes(void **state)
{
    static const known_bytes known[] = {{"figure 0", 0x1dffececfdf83bce},
                                        {"figure 1", 0xac790e0fe883a8eb},
                                        {"figure 2", 0x4b359f29f1f1780d},
                                        {"figure 3", 0x79af8174391f910f},
                                        {"figure 4", 0x4a8ba2ed2ce717a8},
                                        {"figure 5", 0x9eb1b331674dac6f},
                                        {"figure 6", 0x07f4c4bbaf436afb},
                                        {"figure 7", 0x38ae24b290b99d61},
                                        {"figure 8", 0xcdba6755da9117ee},
                                        {"figure 9", 0xce6c48a17fccd1eb},
                                        {"figure 10", 0xfcac6b17ef3d8f88},
                                        {"figure 11", 0x8f0a2ea71bc79cfb},
                                        {"figure 12", 0x3cebe786161dd2ae},
                                        {"figure 13", 0x7aa0f7dbcc6e441b},
                                        {"figure 14", 0x7480cb277ddcc485},
                                        {"figure 15", 0xde0b8dc5e909e56f},
                                        {"figure 16", 0xec77488ec67a46fb},
                                        {"figure 17", 0x1679c4999c05f146},
                                        {"figure 18", 0xec31991240911a43},
                                        {"figure 19", 0x5e408825fabb82bd},
                                        {"figure 20", 0x375ef75b54f4fb2e},
                                        {"figure 21", 0x3f103e5400066554},
                                        {"figure 22", 0x399ba0fc22e46e02},
                                        {"figure 23", 0x0edf99770f5ee66f},
                                        {NULL, 0}};
    static const er_vec3 ups[] = {{0, 1, 0}, {0, 0.1, -1}, {-1, 0.2, 1}, {1, 0, 0}, {0.5, -0.5, 0.1}, {0, 0, 1}};
    static const char *const words[] = {"below it", "", NULL};
    double hz[MODES];
    char name[20];
    dice d = {7};
    for (int trial = 0; trial < 24; ++trial) {
        int elastic = trial % 8;
        double spread = trial % 3 == 0 ? 3.0 : 0.3;
        for (int i = 0; i < elastic; ++i)
            hz[i] = pow(10.0, spread * (i + dice_uniform(&d, 0.0, 1.0)) / 8.0 - 0.5);
        make(elastic, hz, &labels[trial % 5], trial % 5 == 0 ? 5 : 1, trial % 7 == 0 ? 0.9 : 0.2);
        s.of.up = ups[trial % 6];
        s.of.title = trial % 4 == 0 ? NULL : "title";
        s.of.subtitle = words[trial % 3];
        if (trial % 8 == 5) s.of.shape_count = 0;
        snprintf(name, sizeof name, "figure %d", trial);
        expect_hash(drawn(0), name, known);
    }
}

// What is flat has some room all the same.
static void flat_skeletons_have_rows_of_some_height(void **state)
{
    static const known_bytes known[] = {{"flat", 0x85ca01a5cec73ba4}, {NULL, 0}};
    const double hz[] = {1.0, 2.0, 3.0, 4.0, 5.0};
    er_model_destroy(s.model);
    make_model(0.05);
    make(5, hz, labels, 1, 0.0);
    for (int i = 0; i < s.of.shape_count; ++i)
        for (int b = 0; b < BODIES; ++b)
            s.end[0][i][b].p.x += 0.2;
    expect_hash(drawn(0), "flat", known);
    er_model_destroy(s.model);
    s.model = NULL;
}

// Of more names than have room every second, third ... stands there; a few in one corner make room for each other.
static void names_of_many_modes_have_room(void **state)
{
    static const known_bytes known[] = {{"names 0", 0x50ddba33f5303906},  {"names 1", 0xfcc1956751e0d7a2},
                                        {"names 2", 0x7c8016609b11decb},  {"names 3", 0xc5ef807001350e2c},
                                        {"names 4", 0xe9256cb02ebfccf3},  {"names 5", 0xbe17c4e6021934d7},
                                        {"names 6", 0x506d62ced1de9fc6},  {"names 7", 0x84e5798ff68c82fe},
                                        {"names 8", 0x6c54f0c1c3cda2fd},  {"names 9", 0x38f716322c11bcbb},
                                        {"names 10", 0x80ef46430797a013}, {"names 11", 0xfd6150d06b195034},
                                        {"names 12", 0x38904f898ddb0185}, {"names 13", 0x36f217f1cc6e175d},
                                        {"names 14", 0xd203b8cc9335523e}, {"names 15", 0x1841f814222bd469},
                                        {"names 16", 0xa9603e7c8969c9b0}, {"names 17", 0x30baf43b4cdadfa4},
                                        {"names 18", 0x63515f2d8e75bf88}, {"names 19", 0x38b1b02688531bd4},
                                        {"names 20", 0x8dce4870a9471fc8}, {NULL, 0}};
    static const int counts[] = {5, 20, 40, 44, 46, 90, 120};
    double hz[MODES];
    char name[20];
    dice d = {19};
    for (int trial = 0; trial < 21; ++trial) {
        int count = counts[trial % 7];
        for (int i = 0; i < count; ++i) {
            double at = (i + dice_uniform(&d, 0.0, 0.9)) / count;
            hz[i] = trial < 7 ? 0.1 + at : trial < 14 ? 1.0 + 0.1 * at : pow(10.0, 2.0 * at * at); // left, right, both
        }
        if (trial >= 14) hz[count - 1] = 200.0;
        make(count, hz, labels, 4, 0.2);
        snprintf(name, sizeof name, "names %d", trial);
        expect_hash(drawn(0), name, known);
    }
}

// The page's title is written whole elsewhere; what is seen of it fits the page, as what is below it does.
static void long_titles_are_cut(void **state)
{
    static const known_bytes known[] = {{"titles", 0xa9084c07bb9a819d}, {NULL, 0}};
    char words[200];
    uint64_t hash = 0;
    const double hz[] = {1.0, 2.0};
    for (int line = 0; line < 2; ++line)
        for (int letters = 50; letters < 130; ++letters) {
            memset(words, 'o', (size_t)letters);
            words[letters] = '\0';
            make(2, hz, labels, 1, 0.2);
            s.of.title = line == 0 ? words : "<title>";
            if (line == 1) s.of.subtitle = words;
            hash = drawn(hash);
        }
    expect_hash(hash, "titles", known);
}

// ---- what is wrong

static void refused(const er_modes_figure *of, const char *says)
{
    char path[300];
    snprintf(path, sizeof path, "%s/refused.svg", sample_folder());
    assert_int_equal(er_modes_plot(context, of, path), ER_ERROR_ARGUMENT);
    if (strstr(er_context_error(context), says) == NULL) fail_msg("%s", er_context_error(context));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    const double hz[] = {1.0, 2.0, 3.0};
    make(3, hz, labels, 1, 0.2);
    const er_modes_figure good = s.of;
    er_modes_figure bad = good;
    bad.model = NULL;
    refused(&bad, "needs a model");
    bad = good, bad.modes = NULL;
    refused(&bad, "needs a model");
    bad = good, bad.shape_count = -1;
    refused(&bad, "as many shapes");
    bad = good, bad.shape = NULL;
    refused(&bad, "as many shapes");
    bad.shape_count = 0;
    s.of = bad;
    drawn(0); // none are none
    s.of = good;
    for (int i = 0; i < 2; ++i) {
        er_modes other = s.modes;
        *(i == 0 ? &other.dof : &other.constraint_count) += 1;
        bad = good, bad.modes = &other;
        refused(&bad, "the modes are of another rig than");
    }
    bad = good, bad.up.z = NAN;
    refused(&bad, "up is (");
    bad.up = er_v3(0, HUGE_VAL, 0);
    refused(&bad, "up is (0, inf, 0)");
    s.shape[2].mode = 42;
    refused(&good, "shape 2 is of mode 42, after one of mode 42; modes must ascend");
    s.shape[2].mode = 43;
    s.shape[3].mode = 45;
    refused(&good, "shape 3 is of mode 45, which is not held, or has no label");
    s.shape[3].mode = 44;
    s.shape[3].label = NULL;
    refused(&good, "shape 3 is of mode 44, which is not held, or has no label");
    s.shape[3].label = "a";
    s.shape[0].mode = 39;
    refused(&good, "shape 0 is of mode 39, which is not held");
    s.shape[0].mode = 41;
    for (int side = 0; side < 2; ++side) {
        er_pose *pose = &s.end[side][1][4], was = *pose;
        s.shape[1].end[side] = NULL;
        refused(&good, "the pose of body 0 in shape 1 is not finite");
        s.shape[1].end[side] = s.end[side][1];
        pose->p.z = -HUGE_VAL;
        refused(&good, "the pose of body 4 in shape 1 is not finite");
        *pose = was;
        for (int k = -1; k < 3; ++k) {
            double factor = k < 0 ? NAN : k == 0 ? 1.0 + 2e-6 : k == 1 ? 1.0 - 2e-6 : 1.0;
            pose->q = er_q(factor * was.q.w, factor * was.q.x, factor * was.q.y, factor * was.q.z);
            if (k < 2)
                refused(&good, "the pose of body 4 in shape 1 is not finite");
            else
                drawn(0);
        }
    }
    assert_int_equal(er_modes_plot(NULL, &good, "-"), ER_ERROR_ARGUMENT);
}

static er_result starve(er_context *own, const void *of, const char *path)
{
    return er_modes_plot(own, of, path);
}

// Words that are too long take memory of their own.
static void any_allocation_may_fail(void **state)
{
    const double hz[] = {1.0, 2.0};
    char words[300], path[300];
    memset(words, 'o', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    snprintf(path, sizeof path, "%s/starved.svg", sample_folder());
    make(2, hz, labels, 4, 0.2);
    for (int i = 0; i < 2; ++i) {
        s.of.title = i == 0 ? words : "title";
        s.of.subtitle = i == 0 ? "below it" : words;
        drawing_expect_starved(starve, &s.of, path);
    }
    s.shape[0].label = words;
    drawing_expect_starved(starve, &s.of, path);
}

static int end_all(void **state)
{
    er_model_destroy(s.model);
    return tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_have_these_bytes),        cmocka_unit_test(flat_skeletons_have_rows_of_some_height),
        cmocka_unit_test(names_of_many_modes_have_room),   cmocka_unit_test(long_titles_are_cut),
        cmocka_unit_test(what_cannot_be_drawn_is_refused), cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("figure", tests, set_up, end_all);
}
