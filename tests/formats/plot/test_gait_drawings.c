// Drawings of gaits made by hand: bars by which feet stand, sampled against their duties and phases, and stick figures,
// measured against the poses they show.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/plots.h>

#include "../bytes.h"
#include "drawing.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

enum { BODIES = 4, FRAMES = 17, FIGURES = 8, GAITS = 2 };
enum { TRUNK, RIGHT, LEFT, TAIL };

static char path[512];

// A trunk on two legs with a tail, facing +Z, up +Y, left +X.
typedef struct drawn {
    er_model *model;
    er_gait_foot foot[2];
    er_gait_body body;
    er_gait_step step[GAITS][2];
    er_gait gait[GAITS];
    er_gaits gaits;
    er_pose pose[FRAMES * BODIES];
    er_gait_motion moves;
    const er_gait_motion *motion[GAITS];
} drawn;

static const er_vec3 sole[2] = {{-0.2, 0, 0.1}, {0.2, 0, 0.1}};
static const int point_body[2] = {RIGHT, LEFT}, mirrors[BODIES] = {TRUNK, LEFT, RIGHT, TAIL};
static const double quarter = 0.25;

static void make(drawn *m)
{
    rig r = {0};
    const er_vec3 at[BODIES] = {{0, 1, 0}, {-0.2, 0.8, 0}, {0.2, 0.8, 0}, {0, 0.9, -0.4}},
                  com[BODIES] = {{0, 0, 0}, {0, -0.3, 0}, {0, -0.3, 0}, {0, 0, -0.15}};
    *m = (drawn){.gaits = {.body = &m->body, .count = GAITS, .gait = m->gait}};
    for (int i = 0; i < BODIES; ++i) {
        er_pose frame = {er_q_identity(), at[i]};
        rig_add_body(&r, 1.0 + i, er_v3(1, 1, 1), er_q_identity(), er_v3_add(at[i], com[i]), frame);
        if (i > 0) rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, i, frame);
    }
    m->model = rig_model(context, &r);
    for (int f = 0; f < 2; ++f)
        m->foot[f] = (er_gait_foot){.name = f == 0 ? "R" : "L",
                                    .side = f == 0 ? -1 : 1,
                                    .mirror = 1 - f,
                                    .point_count = 1,
                                    .point = &sole[f],
                                    .point_body = &point_body[f]};
    m->body = (er_gait_body){.up = {0, 1, 0},
                             .forward = {0, 0, 1},
                             .left = {1, 0, 0},
                             .height = 1.0,
                             .mirror = mirrors,
                             .foot_count = 2,
                             .foot = m->foot};
    const er_gait_step step[GAITS][2] = {{{.duty = 0.6, .phase = 0.0}, {.duty = 0.3, .phase = 0.85}},
                                         {{.duty = 0.0, .phase = 0.5}, {.duty = 1.0, .phase = quarter}}};
    memcpy(m->step, step, sizeof step);
    for (int i = 0; i < GAITS; ++i)
        m->gait[i] = (er_gait){.name = i == 0 ? "walk" : "hop", .hz = 2, .speed = 1, .stride = 0.5, .step = m->step[i]};
    for (int k = 0; k < FRAMES; ++k)
        for (int i = 0; i < BODIES; ++i) { // it rises and goes ahead, and its legs and tail turn
            er_quat turn = er_q_exp(er_v3(i == TRUNK ? 0.0 : 0.02 * k * (i == LEFT ? 1 : -1), 0, 0));
            m->pose[k * BODIES + i] = (er_pose){turn, er_v3_add(at[i], er_v3(0, 0.01 * k, 0.003 * k))};
        }
    m->moves = (er_gait_motion){.model = m->model, .frame_count = FRAMES, .pose = m->pose};
    for (int i = 0; i < GAITS; ++i)
        m->motion[i] = &m->moves;
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; ++at)
        ++found;
    return found;
}

static char *written(void)
{
    size_t size;
    char *text = read_bytes(path, &size);
    assert_non_null(strstr(text, "</svg>"));
    return text;
}

// ---- footfalls

// The bar's left end, top and width, and its colour; NULL after the last.
static const char *next_bar(const char *at, double bar[3], char fill[16])
{
    at = strstr(at, "<rect x=");
    if (at == NULL) return NULL;
    assert_int_equal(sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"12\" fill=\"%15[^\"]\"", &bar[0],
                            &bar[1], &bar[2], fill),
                     4);
    return at + 1;
}

// Rows come gait by gait, foot by foot; each begins with its ground, as wide as two strides.
static void feet_stand_where_bars_are(void **state)
{
    drawn m;
    make(&m);
    assert_int_equal(er_gaits_plot_footfalls(context, &m.gaits, "a <title>", path), ER_OK);
    char *text = written(), fill[16], colour[2][16] = {"", ""};
    assert_int_equal(count(text, "a &lt;title&gt;</text>"), 1);
    assert_true(count(text, ">walk<") == 1 && count(text, ">hop<") == 1);
    assert_true(count(text, ">L</text>") == GAITS && count(text, ">R</text>") == GAITS);
    assert_int_equal(count(text, ">2.00 strides a second, 1 m/s, 0.5 body heights a stride, Froude 0.00<"), GAITS);
    double ground[3], bar[3], last = 0.0, tall = 0.0;
    assert_int_equal(sscanf(strstr(text, "height="), "height=\"%lf\"", &tall), 1);
    const char *at = next_bar(text, ground, fill);
    for (int row = 0; row < 2 * GAITS; ++row) {
        const er_gait_step *step = &m.step[row / 2][row % 2];
        bool stands[200] = {false};
        assert_non_null(at);
        assert_string_equal(fill, "#f1f1f1");
        assert_true(ground[1] >= last + 12.0 && ground[0] > 0.0 && ground[0] + ground[2] <= 960.0);
        last = ground[1];
        for (at = next_bar(at, bar, fill); at != NULL && strcmp(fill, "#f1f1f1") != 0; at = next_bar(at, bar, fill)) {
            double from = (bar[0] - ground[0]) / ground[2], to = from + bar[2] / ground[2];
            assert_true(bar[1] == ground[1] && bar[2] > 0.0 && from >= 0.0 && to <= 1.0 + 1e-9);
            for (int i = 0; i < 200; ++i) {
                double x = (i + 0.5) / 200.0;
                if (x < from || x > to) continue;
                assert_false(stands[i]);
                stands[i] = true;
            }
            snprintf(colour[row % 2], sizeof colour[0], "%s", fill);
        }
        for (int i = 0; i < 200; ++i) {
            double since = fmod(2.0 * (i + 0.5) / 200.0 - step->phase + 1.0, 1.0);
            assert_int_equal(stands[i], since < step->duty);
        }
        memcpy(ground, bar, sizeof bar);
    }
    assert_null(at);
    assert_true(last + 12.0 <= tall && strcmp(colour[0], colour[1]) != 0);
    free(text);
    er_model_destroy(m.model);
}

// ---- stick figures

typedef struct bone {
    double x[2], y[2];
    char colour[16];
} bone;

static const char *next_bone(const char *at, bone *out)
{
    do {
        at = strstr(at + 1, "<path d=\"M");
        if (at == NULL) return NULL;
    } while (sscanf(at, "<path d=\"M%lf %lf L%lf %lf \" stroke=\"%15[^\"]\"", &out->x[0], &out->y[0], &out->x[1],
                    &out->y[1], out->colour) != 5);
    return at;
}

// Where bones of a figure begin and end in the model, in any order.
static int bones_of(const er_pose *pose, er_vec3 out[][2], int body[])
{
    int n = 0;
    for (int i = 1; i < BODIES; ++i) { // from the trunk, to its tip, and to its sole
        er_vec3 tip = er_v3(0, i == TAIL ? 0.0 : -0.6, i == TAIL ? -0.3 : 0.0);
        body[n] = i, out[n][0] = pose[TRUNK].p, out[n++][1] = pose[i].p;
        body[n] = i, out[n][0] = pose[i].p, out[n++][1] = er_pose_point(pose[i], tip);
        if (i == TAIL) continue;
        er_vec3 corner = er_v3_sub(sole[i - 1], er_v3(i == RIGHT ? -0.2 : 0.2, 0.8, 0));
        body[n] = i, out[n][0] = pose[i].p, out[n++][1] = er_pose_point(pose[i], corner);
    }
    return n;
}

// Every figure is a frame of the stride, all of one scale, on their line where they are on the ground.
static void figures_are_the_frames_of_a_stride(void **state)
{
    drawn m;
    make(&m);
    assert_int_equal(er_gaits_plot_strides(context, &m.gaits, m.motion, NULL, path), ER_OK);
    char *text = written();
    const char *at = text, *line = text;
    double scale = 0.0, cell = 0.0;
    for (int g = 0; g < GAITS; ++g) {
        double left = 0, ground = 0, right = 0, first = 0.0;
        line = strstr(line, "<path d=\"M24 ");
        assert_non_null(line);
        assert_int_equal(sscanf(line++, "<path d=\"M%lf %lfH%lf\"", &left, &ground, &right), 3);
        for (int k = 0; k < FIGURES; ++k) {
            er_vec3 want[16][2];
            int body[16], n = bones_of(&m.pose[(FRAMES - 1) * k / FIGURES * BODIES], want, body);
            bone seen[16];
            for (int i = 0; i < n; ++i) {
                at = next_bone(at, &seen[i]);
                assert_non_null(at);
            }
            const er_vec3 trunk = m.pose[(FRAMES - 1) * k / FIGURES * BODIES + TRUNK].p;
            if (scale == 0.0) scale = (ground - seen[0].y[0]) / trunk.y; // the first bone begins at the trunk
            double middle = seen[0].x[0] - scale * trunk.z;
            for (int i = 0; i < n; ++i) // what is far lies under what is near
                assert_int_equal(strcmp(seen[i].colour, "#b4b4b4") == 0, i < 2 || i == n - 1);
            if (k == 0) first = middle;
            if (k == 1) cell = middle - first;
            assert_true(fabs(middle - first - k * cell) < 0.25 && middle > left && middle < right);
            for (int i = 0; i < n; ++i) {
                int found = 0;
                for (int j = 0; j < n; ++j) {
                    bool same = true;
                    for (int e = 0; e < 2; ++e)
                        same &= fabs(seen[j].x[e] - middle - scale * want[i][e].z) < 0.25 &&
                                fabs(seen[j].y[e] - ground + scale * want[i][e].y) < 0.25;
                    static const char *const colour[] = {"", "#1f5fa8", "#b4b4b4", "#222"};
                    found += same && strcmp(seen[j].colour, colour[body[i]]) == 0;
                }
                assert_true(found >= 1);
            }
        }
    }
    assert_null(next_bone(at, &(bone){{0}, {0}, ""}));
    assert_true(scale > 30.0 && cell > 50.0);
    free(text);
    er_model_destroy(m.model);
}

// A body without feet is seen from above, its left side up.
static void without_feet_figures_are_seen_from_above(void **state)
{
    drawn m;
    make(&m);
    m.body.foot_count = 0;
    assert_int_equal(er_gaits_plot_strides(context, &m.gaits, m.motion, NULL, path), ER_OK);
    char *text = written();
    bone first, second;
    const char *at = next_bone(text, &first);
    double across = first.y[0] - first.y[1], along = first.x[0] - first.x[1];
    assert_string_equal(first.colour, "#b4b4b4"); // the left one, that lies up on paper
    assert_true(across > 5.0 && fabs(along) < 0.25);
    at = next_bone(at, &second); // from there down to its tip
    assert_true(at != NULL && fabs(second.y[0] - second.y[1]) < 0.25);
    free(text);
    m.body.wing_count = 2; // wings are seen from the side
    assert_int_equal(er_gaits_plot_strides(context, &m.gaits, m.motion, NULL, path), ER_OK);
    text = written();
    at = next_bone(text, &first);
    assert_true(at != NULL && first.y[0] - first.y[1] < -5.0);
    free(text);
    er_model_destroy(m.model);
}

// ---- where all of it stands

// Gaits that differ in all that is said of them, of a body half as high again; the second of a motion of its own.
static void make_apart(drawn *m, er_gait_motion *slow, er_pose pose[9 * BODIES])
{
    make(m);
    m->body.height = 1.5;
    m->gait[0] =
        (er_gait){.name = "walk", .hz = 1.25, .speed = 0.75, .stride = 0.6, .froude = 0.04, .step = m->step[0]};
    m->gait[1] = (er_gait){.name = "hop", .hz = 2.5, .speed = 3.5, .stride = 1.2, .froude = 0.83, .step = m->step[1]};
    for (int k = 0; k < 9; ++k)
        for (int i = 0; i < BODIES; ++i) {
            pose[k * BODIES + i] = m->pose[k * BODIES + i];
            pose[k * BODIES + i].p.y += 0.03 * k;
        }
    *slow = (er_gait_motion){.model = m->model, .frame_count = 9, .pose = pose};
    m->motion[1] = slow;
}

static void gaits_have_these_bytes(void **state)
{
    static const known_bytes known[] = {
        {"strides", 0x3d5f3313e2934f3c}, {"footfalls", 0xaf3dc9c76243fee5}, {"soles", 0xe3cf2588d7ae6f17}, {NULL, 0}};
    static const int alone[BODIES] = {-1, TRUNK, RIGHT, -1}, own[2] = {RIGHT, LEFT};
    static const er_vec3 two[2] = {{-0.2, 0, 0.1}, {0.2, 0, -0.3}};
    static const double heights[] = {0.3, 1.5, 4.0};
    drawn m;
    er_gait_motion slow;
    static er_pose pose[9 * BODIES];
    uint64_t hash = 0;
    make_apart(&m, &slow, pose);
    for (int i = 0; i < 3; ++i) { // a cell holds the body, whichever of length and height fills it
        m.body.height = heights[i];
        m.body.ground = 0.1 * i;
        assert_int_equal(er_gaits_plot_strides(context, &m.gaits, m.motion, "strip", path), ER_OK);
        hash = hash_file(hash, path);
    }
    m.body.foot_count = 0; // from above
    assert_int_equal(er_gaits_plot_strides(context, &m.gaits, m.motion, "strip", path), ER_OK);
    expect_hash(hash_file(hash, path), "strides", known);
    er_gait_foot foot[3] = {m.foot[0], m.foot[1], {.name = "M", .side = 0}};
    const er_gait_step step[3] = {
        {.duty = 0.5, .phase = 0.25}, {.duty = 0.5, .phase = 0.125}, {.duty = 0.25, .phase = 0.875}};
    m.body.foot = foot;
    m.body.foot_count = 3;
    m.gait[0].step = m.gait[1].step = step;
    assert_int_equal(er_gaits_plot_footfalls(context, &m.gaits, "gaits", path), ER_OK);
    expect_bytes(path, "footfalls", known);
    er_model_destroy(m.model);
    make(&m); // what has no mirror image, or is its own, is black; soles have all their points
    m.body.mirror = alone;
    m.body.foot_count = 1;
    m.foot[0].point_count = 2;
    m.foot[0].point = two;
    m.foot[0].point_body = own;
    m.gaits.count = 1;
    m.moves.frame_count = 1;
    assert_int_equal(er_gaits_plot_strides(context, &m.gaits, m.motion, NULL, path), ER_OK);
    expect_bytes(path, "soles", known);
    er_model_destroy(m.model);
}

static er_result write_footfalls(er_context *own, const void *of)
{
    return er_gaits_plot_footfalls(own, of, "title", path);
}

static const er_gait_motion *const *moves;

static er_result write_strides(er_context *own, const void *of)
{
    return er_gaits_plot_strides(own, of, moves, "title", path);
}

static void any_allocation_may_fail(void **state)
{
    drawn m;
    make(&m);
    moves = m.motion;
    ledger_refuse_each(write_footfalls, &m.gaits, path);
    ledger_refuse_each(write_strides, &m.gaits, path);
    er_model_destroy(m.model);
}

// ---- what there is nothing to draw of

static void without_feet_or_gaits_a_line_says_so(void **state)
{
    drawn m;
    make(&m);
    m.body.foot_count = 0;
    assert_int_equal(er_gaits_plot_footfalls(context, &m.gaits, NULL, path), ER_OK);
    char *text = written();
    assert_int_equal(count(text, "no feet: a wave along the body"), GAITS);
    drawn_text said = drawing_find(text, text + strlen(text), "no feet: a wave along the body");
    assert_true(said.x == 24.0 && said.y == 56.0 + 18.0); // below the first one's name
    assert_int_equal(count(text, "no gait"), 0);
    free(text);
    m.gaits.count = 0;
    for (int which = 0; which < 2; ++which) {
        er_result r = which == 0 ? er_gaits_plot_footfalls(context, &m.gaits, NULL, path)
                                 : er_gaits_plot_strides(context, &m.gaits, NULL, NULL, path);
        assert_int_equal(r, ER_OK);
        text = written();
        assert_int_equal(count(text, "no gait"), 1);
        said = drawing_find(text, text + strlen(text), "no gait");
        assert_true(said.x == 24.0 && said.y == 48.0);
        assert_int_equal(count(text, "no feet"), 0);
        free(text);
    }
    er_model_destroy(m.model);
}

static void calls_without_sense_are_refused(void **state)
{
    drawn m;
    make(&m);
    unlink(path);
    assert_int_equal(er_gaits_plot_footfalls(NULL, &m.gaits, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_plot_footfalls(context, NULL, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_plot_footfalls(context, &m.gaits, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_plot_strides(NULL, &m.gaits, m.motion, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_plot_strides(context, NULL, m.motion, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_plot_strides(context, &m.gaits, NULL, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_plot_strides(context, &m.gaits, m.motion, NULL, "nowhere/at/all.svg"), ER_ERROR_FILE);
    assert_int_equal(count_files(sample_folder()), 0);
    er_model_destroy(m.model);
}

static int open_folder(void **state)
{
    snprintf(path, sizeof path, "%s", sample_path("a.svg"));
    return set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_stand_where_bars_are),
        cmocka_unit_test(figures_are_the_frames_of_a_stride),
        cmocka_unit_test(without_feet_figures_are_seen_from_above),
        cmocka_unit_test(gaits_have_these_bytes),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(without_feet_or_gaits_a_line_says_so),
        cmocka_unit_test(calls_without_sense_are_refused),
    };
    return cmocka_run_group_tests_name("gait_drawings", tests, open_folder, tear_down);
}
