// Bodies of a few boxes read as travellers: their sides, their feet, their front; judged by where the boxes were put.
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "gait/body/body.h"
#include "walkers.h"

static bool near(er_vec3 a, er_vec3 b, double apart)
{
    return er_v3_distance(a, b) <= apart;
}

static bool is_noted(const er_gait_body *body, const char *text)
{
    for (int i = 0; i < body->note_count; ++i)
        if (strstr(body->note[i].text, text) != NULL) return true;
    return false;
}

// A box about a point, hung on a joint at `at`.
static int knob(walker_maker *m, const char *name, int parent, er_vec3 at, er_vec3 middle, double half)
{
    er_vec3 h = {half, half, half};
    return walker_box(m, name, parent, at, er_v3_sub(middle, h), er_v3_add(middle, h), 1.0);
}

// A leg of one box below a joint half a metre high, its sole from `back` to `front` of that.
static int leg(walker_maker *m, const char *name, double x, double z, double back, double front)
{
    return walker_box(m, name, 0, er_v3(x, 0.5, z), er_v3(x - 0.02, 0, z + back), er_v3(x + 0.02, 0.5, z + front), 1.0);
}

static const double far_out = 0.25; // of the stool's legs, along z

// A seat on four legs, alike to all sides: nothing in it tells the front from the back. Legs 1 and 2 are at +x.
static void stool(walker_maker *m, double back, double front)
{
    *m = (walker_maker){.def = usual};
    walker_box(m, "seat", -1, er_v3(0, 0.6, 0), er_v3(-0.12, 0.5, -0.3), er_v3(0.12, 0.7, 0.3), 1.0);
    leg(m, "a", 0.1, far_out, back, front);
    leg(m, "b", 0.1, -far_out, back, front);
    leg(m, "c", -0.1, far_out, back, front);
    leg(m, "d", -0.1, -far_out, back, front);
}

// ---- sides

static void names_say_which_side_they_mean(void **state)
{
    static const struct {
        const char *name;
        int side;
    } known[] = {{"left_foot", 1}, {"RightArm", -1}, {"mixamorig:LeftLeg", 1},
                 {"upLEFTleg", 1}, {"leg_L_2", 1},   {"Foot.R", -1},
                 {"FootR", -1},    {"handL", 1},     {"l", 1},
                 {"R", -1},        {"r_arm", -1},    {"L2", 0},
                 {"HEEL", 0},      {"tail", 0},      {"ball", 0},
                 {"femur", 0},     {"", 0},          {"arm l", 1},
                 {"lower_jaw", 0}, {"LR", 0}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        if (eri_read_bone_name(known[i].name).side != known[i].side)
            fail_msg("\"%s\" is taken for %d", known[i].name, eri_read_bone_name(known[i].name).side);
}

// Where a big i has no dot, RIGHT is a word all the same.
static void names_mean_the_same_in_turkish(void **state)
{
    if (setlocale(LC_CTYPE, "tr_TR.UTF-8") == NULL) {
        print_message("# no Turkish locale is installed\n");
        skip();
    }
    eri_named loud = eri_read_bone_name("RIGHT_HIND_SHIN"), quiet = eri_read_bone_name("right_hind_shin");
    setlocale(LC_CTYPE, "C");
    assert_int_equal(loud.side, -1);
    assert_int_equal(loud.parts, quiet.parts);
}

// The same rig moved as a whole.
static er_model *moved(const er_model *model, er_pose turn)
{
    static er_body body[MOST_PARTS];
    static er_joint joint[MOST_PARTS];
    for (int i = 0; i < model->body_count; ++i) {
        body[i] = model->body[i];
        body[i].pose = er_pose_mul(turn, body[i].pose);
    }
    for (int k = 0; k < model->joint_count; ++k) {
        joint[k] = model->joint[k];
        joint[k].frame = er_pose_mul(turn, joint[k].frame);
    }
    return make_model(model->body_count, body, model->joint_count, joint);
}

// Turned about the upright axis through the origin.
static er_model *turned(const er_model *model, double angle)
{
    return moved(model, (er_pose){er_q_exp(er_v3(0, angle, 0)), {0, 0, 0}});
}

// Principal axes of a body whose left limbs are heavier are a little askew; rigs are made along the model's.
static void an_uneven_bodys_sides_are_along_the_axes(void **state)
{
    walker_def uneven = usual;
    uneven.heavy = 1.3;
    er_model *model = make_biped(uneven);
    er_gait_body *body = read_body(model, NULL);
    assert_true(near(body->left, er_v3(1, 0, 0), 1e-15) && near(body->forward, er_v3(0, 0, 1), 1e-15));
    // places agree, masses of the ten limbs do not, and count as distance: 0.02 |log| of their ratio
    assert_true(fabs(body->symmetry - 10.0 / model->body_count * 0.02 * log(1.3)) < 1e-12);
}

// A rig that stands a little askew is still one made along the axes: its own plane would fit better, by little.
static void a_body_a_little_askew_counts_as_straight(void **state)
{
    er_model *model = make_biped(usual), *askew = turned(model, 0.03);
    er_gait_body *body = read_body(askew, NULL);
    assert_true(near(body->left, er_v3(1, 0, 0), 1e-15));
    assert_true(body->symmetry > 1e-3 && body->symmetry < 0.03);
}

static void a_body_askew_has_its_sides_askew(void **state)
{
    for (int i = 1; i < 12; ++i) {
        double angle = i * ER_PI / 6.0;
        er_model *model = make_biped(usual), *askew = turned(model, angle);
        er_gait_body *body = read_body(askew, NULL);
        assert_true(near(body->forward, er_v3(sin(angle), 0, cos(angle)), 1e-9));
        assert_true(near(body->left, er_v3(cos(angle), 0, -sin(angle)), 1e-9));
        assert_true(body->symmetry < 1e-9);
        assert_string_equal(askew->body[body->foot[0].body].name, "left_foot");
    }
}

// The mirror's plane goes through the root where the mass lies aside, and through the mass where the root does.
static void neither_a_load_nor_the_root_moves_the_middle(void **state)
{
    for (int aside = 0; aside < 2; ++aside) {
        walker_maker m = {.def = usual};
        double root = aside == 1 ? 0.11 : 0.0;
        walker_box(&m, "seat", -1, er_v3(root, 0.6, 0), er_v3(-0.12, 0.5, -0.3), er_v3(0.12, 0.7, 0.3), 1.0);
        leg(&m, "a", 0.1, far_out, -0.02, 0.02);
        leg(&m, "b", 0.1, -far_out, -0.02, 0.02);
        leg(&m, "c", -0.1, far_out, -0.02, 0.02);
        leg(&m, "d", -0.1, -far_out, -0.02, 0.02);
        knob(&m, "head", 0, er_v3(0, 0.6, 0.3), er_v3(0, 0.6, 0.4), 0.1); // else front and back were as like
        if (aside == 0) knob(&m, "load", 0, er_v3(0.12, 0.6, 0), er_v3(0.5, 0.6, 0), 0.1);
        er_model *model = walker_finish(&m);
        er_gait_body *body = read_body(model, NULL);
        assert_int_equal(body->mirror[1], 3);
        assert_int_equal(body->mirror[4], 2);
        assert_int_equal(body->mirror[0], 0);
        if (aside == 0) assert_int_equal(body->mirror[6], -1);
        assert_int_equal(body->foot_count, 4);
        for (int i = 0; i < 4; ++i) {
            double x = er_v3_dot(model->body[body->foot[i].body].pose.p, body->left);
            assert_int_equal(body->foot[i].side, x > 0.0 ? 1 : -1);
            assert_int_equal(body->foot[i].mirror, i ^ 1);
        }
    }
}

// If two bodies are near one image, the nearer is its twin, and the other has none.
static void images_go_both_ways(void **state)
{
    walker_maker m;
    stool(&m, -0.02, 0.02);
    int spare = walker_box(&m, "spare", 0, er_v3(0.13, 0.5, far_out), er_v3(0.12, 0.1, far_out - 0.02),
                           er_v3(0.16, 0.5, far_out + 0.02), 1.0);
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    static const int image[] = {0, 3, 4, 1, 2};
    for (int i = 0; i < spare; ++i)
        assert_int_equal(body->mirror[i], image[i]);
    assert_int_equal(body->mirror[spare], -1);
}

// ---- feet

// Each of `count` points is a corner of the sole, once.
static void expect_sole(const er_gait_foot *foot, int count, const er_vec3 *corner)
{
    assert_int_equal(foot->point_count, count);
    for (int i = 0; i < count; ++i) {
        int found = 0;
        for (int k = 0; k < count; ++k)
            found += near(foot->point[k], corner[i], 1e-9);
        assert_int_equal(found, 1);
    }
}

static void a_bipeds_leg_is_measured_joint_by_joint(void **state)
{
    er_model *model = make_biped(usual);
    er_gait_body *body = read_body(model, NULL);
    const er_gait_foot *foot = &body->foot[0];
    const er_vec3 ankle = {0.1, 0.08, 0};
    const er_vec3 sole[] = {{0.055, 0, -0.06}, {0.145, 0, -0.06}, {0.055, 0, 0.17}, {0.145, 0, 0.17}};
    expect_sole(foot, 4, sole);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(foot->point_body[i], foot->body);
    assert_true(near(er_pose_point(model->body[foot->body].pose, foot->heel), ankle, 1e-12));
    assert_true(fabs(foot->rest - 0.08) < 1e-12);
    assert_true(fabs(foot->reach - 2.0 * hypot(0.41, 0.01)) < 1e-12); // hip to knee, knee to ankle
    static const char *const leg_of[] = {"left_thigh", "left_shin", "left_foot"};
    for (int i = 0; i < 3; ++i)
        assert_string_equal(model->joint[foot->joint[i]].name, leg_of[i]);
    assert_int_equal(foot->sole, foot->body);
    assert_true(foot->flat);
}

// Legs of one box have no ankle: the sole turns with the leg, and what stands is its middle.
static void a_leg_without_ankle_ends_in_the_middle_of_its_sole(void **state)
{
    walker_maker m;
    stool(&m, -0.02, 0.06);
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    assert_int_equal(body->foot_count, 4);
    const er_gait_foot *foot = &body->foot[0];
    const er_vec3 middle = {0.1, 0, far_out + 0.02}, hip = {0.1, 0.5, far_out};
    const er_vec3 sole[] = {
        {0.08, 0, far_out - 0.02}, {0.12, 0, far_out - 0.02}, {0.08, 0, far_out + 0.06}, {0.12, 0, far_out + 0.06}};
    assert_string_equal(model->body[foot->body].name, "a");
    assert_false(foot->flat);
    expect_sole(foot, 4, sole);
    assert_true(near(er_pose_point(model->body[foot->body].pose, foot->heel), middle, 1e-12));
    assert_true(fabs(foot->rest) < 1e-12 && fabs(foot->reach - er_v3_distance(hip, middle)) < 1e-12);
    assert_true(fabs(body->leg - 0.5) < 1e-12 && fabs(body->height - 0.7) < 1e-12);
}

// The length of a sprawling leg is its reach, not the height of its hip.
static void a_sprawling_leg_is_longer_than_its_hip_is_high(void **state)
{
    static walker_maker m;
    er_gait_body *body;
    m = (walker_maker){.def = usual};
    walker_box(&m, "trunk", -1, er_v3(0, 0.2, 0), er_v3(-0.1, 0.15, -0.3), er_v3(0.1, 0.35, 0.3), 1.0);
    for (int k = 0; k < 4; ++k) {
        double x = k % 2 == 0 ? 0.95 : -0.95, z = k < 2 ? 0.25 : -0.25;
        walker_box(&m, "leg", 0, er_v3(0.1 * x / 0.95, 0.2, z), er_v3(x - 0.05, 0, z - 0.02),
                   er_v3(x + 0.05, 0.3, z + 0.02), 0.2);
    }
    er_model *model = walker_finish(&m);
    body = read_body(model, NULL);
    assert_int_equal(body->foot_count, 4);
    assert_true(fabs(body->leg - 0.6 * hypot(0.85, 0.2)) < 1e-9);
}

// Feet that hang on the root as targets of inverse kinematics belong to the legs that end in them.
static void feet_that_hang_elsewhere_are_the_soles_of_legs(void **state)
{
    walker_maker m = {.def = usual};
    walker_box(&m, "hips", -1, er_v3(0, 0.9, 0), er_v3(-0.2, 0.85, -0.1), er_v3(0.2, 1.1, 0.1), 1.0);
    int up[2] = {0, 0};
    walker_pair(&m, "thigh_%c", up, er_v3(0.1, 0.85, 0), er_v3(0.05, 0.45, -0.05), er_v3(0.15, 0.85, 0.05));
    walker_pair(&m, "shin_%c", up, er_v3(0.1, 0.45, 0), er_v3(0.06, 0.04, -0.04), er_v3(0.14, 0.45, 0.04));
    walker_pair(&m, "foot_%c", (int[2]){0, 0}, er_v3(0.1, 0.06, 0), er_v3(0.06, 0, -0.05), er_v3(0.14, 0.05, 0.15));
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    assert_int_equal(body->foot_count, 2);
    for (int i = 0; i < 2; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        double x = 0.1 * foot->side;
        const er_vec3 ankle = {x, 0.06, 0};
        const er_vec3 sole[] = {{x - 0.04, 0, -0.05}, {x + 0.04, 0, -0.05}, {x - 0.04, 0, 0.15}, {x + 0.04, 0, 0.15}};
        assert_int_equal(foot->body, body_named(model, foot->side > 0 ? "shin_L" : "shin_R"));
        assert_int_equal(foot->sole, body_named(model, foot->side > 0 ? "foot_L" : "foot_R"));
        assert_int_equal(foot->joint_count, 2);
        assert_int_equal(foot->mirror, 1 - i);
        assert_true(foot->flat && fabs(foot->rest - 0.06) < 1e-12);
        assert_true(near(er_pose_point(model->body[foot->body].pose, foot->heel), ankle, 1e-12));
        assert_true(fabs(foot->reach - 0.4 - 0.39) < 1e-12);
        expect_sole(foot, 4, sole);
    }
}

static void what_touches_the_ground_alone_is_no_foot(void **state)
{
    walker_maker m;
    stool(&m, -0.02, 0.02);
    int tail = walker_box(&m, "end", 0, er_v3(0, 0.55, -0.3), er_v3(-0.02, 0.3, -0.5), er_v3(0.02, 0.55, -0.3), 1.0);
    tail = walker_box(&m, "end2", tail, er_v3(0, 0.3, -0.5), er_v3(-0.02, 0.0, -0.6), er_v3(0.02, 0.3, -0.5), 1.0);
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    assert_int_equal(body->foot_count, 4);
    for (int i = 0; i < 4; ++i) {
        assert_int_not_equal(body->foot[i].body, tail);
        assert_int_equal(body->foot[i].mirror, i ^ 1);
    }
}

// A crutch beside a leg: the image of both is the same foot, whose image is the nearer.
static void a_foot_that_is_no_feets_image_is_none(void **state)
{
    walker_maker m;
    stool(&m, -0.02, 0.02);
    int crutch = leg(&m, "crutch", 0.13, far_out, -0.02, 0.02);
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    assert_true(near(body->left, er_v3(1, 0, 0), 1e-15));
    assert_int_equal(body->foot_count, 4);
    for (int i = 0; i < 4; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        assert_int_not_equal(foot->body, crutch);
        assert_int_equal(body->foot[foot->mirror].mirror, i);
    }
}

// Feet in the middle are nobody's left or right, however near to one another.
static void wheels_in_the_middle_are_no_pair(void **state)
{
    walker_maker m;
    stool(&m, -0.02, 0.02);
    for (int i = 0; i < 2; ++i)
        leg(&m, i == 0 ? "wheel one" : "wheel two", 0.0, 0.05 * i - 0.02, -0.01, 0.01);
    er_model *model = walker_finish(&m);
    er_gait_def def = er_default_gait_def();
    def.feet = "?,wheel*";
    def.forward = er_v3(0, 0, 1);
    er_gait_body *body = read_body(model, &def);
    static const char *const order[] = {"a", "c", "wheel two", "wheel one", "b", "d"}; // from the front, left first
    static const int mirror[] = {1, 0, -1, -1, 5, 4}, side[] = {1, -1, 0, 0, 1, -1};
    static const char *const name[] = {"L1", "R2", "M3", "M4", "L5", "R6"};
    assert_int_equal(body->foot_count, 6);
    for (int i = 0; i < 6; ++i) {
        assert_string_equal(model->body[body->foot[i].body].name, order[i]);
        assert_int_equal(body->foot[i].mirror, mirror[i]);
        assert_int_equal(body->foot[i].side, side[i]);
        assert_string_equal(body->foot[i].name, name[i]);
    }
}

static void six_legs_are_three_pairs_in_rows(void **state)
{
    walker_maker m;
    stool(&m, -0.02, 0.02);
    leg(&m, "e", 0.1, 0.0, -0.02, 0.02);
    leg(&m, "f", -0.1, 0.0, -0.02, 0.02);
    knob(&m, "head", 0, er_v3(0, 0.6, 0.3), er_v3(0, 0.6, 0.35), 0.05);
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    static const char *const order[] = {"a", "c", "e", "f", "b", "d"}, *const name[] = {"L1", "R1", "L2",
                                                                                        "R2", "L3", "R3"};
    assert_int_equal(body->foot_count, 6);
    for (int i = 0; i < 6; ++i) {
        assert_string_equal(model->body[body->foot[i].body].name, order[i]);
        assert_string_equal(body->foot[i].name, name[i]);
        assert_int_equal(body->foot[i].mirror, i ^ 1);
        assert_int_equal(body->foot[i].trunk, 0);
    }
}

// Toes go with the foot, whether feet are named or found; a leg that is low up to a high joint ends in its lowest part.
static void toes_are_part_of_the_foot(void **state)
{
    for (int named = 0; named < 2; ++named) {
        walker_maker m = {.def = usual};
        er_gait_def def = er_default_gait_def();
        walker_box(&m, "hips", -1, er_v3(0, 0.6, 0), er_v3(-0.2, 0.5, -0.1), er_v3(0.2, 0.8, 0.1), 1.0);
        int up[2] = {0, 0}; // the shin's box reaches down to the ground, as coarse weights have it
        walker_pair(&m, "shin_%c", up, er_v3(0.1, 0.5, 0), er_v3(0.06, 0.02, -0.04), er_v3(0.14, 0.5, 0.04));
        walker_pair(&m, "foot_%c", up, er_v3(0.1, 0.08, 0), er_v3(0.07, 0, -0.05), er_v3(0.13, 0.06, 0.1));
        walker_pair(&m, "foot_toe_%c", up, er_v3(0.1, 0.03, 0.1), er_v3(0.07, 0, 0.1), er_v3(0.13, 0.04, 0.2));
        er_model *model = walker_finish(&m);
        if (named == 1) def.feet = "foot_*";
        er_gait_body *body = read_body(model, &def);
        assert_int_equal(body->foot_count, 2);
        for (int i = 0; i < 2; ++i) {
            const er_gait_foot *foot = &body->foot[i];
            double front = -HUGE_VAL, back = HUGE_VAL;
            assert_string_equal(model->body[foot->body].name, foot->side > 0 ? "foot_L" : "foot_R");
            assert_int_equal(foot->joint_count, 2);
            for (int k = 0; k < foot->point_count; ++k) {
                const char *owner = model->body[foot->point_body[k]].name;
                bool toe = strncmp(owner, "foot_toe", 8) == 0;
                assert_true(toe || foot->point_body[k] == foot->body);
                if (foot->point[k].z > 0.15) assert_true(toe);
                front = fmax(front, foot->point[k].z);
                back = fmin(back, foot->point[k].z);
            }
            assert_true(fabs(front - 0.2) < 1e-9 && fabs(back + 0.05) < 1e-9);
        }
    }
}

// A row of boxes, all on the ground, or but for its ends in the air.
static er_model *row_of_boxes(bool arched)
{
    walker_maker m = {.def = usual};
    for (int i = 0; i < 7; ++i) {
        double z = -0.1 * i, low = arched && i > 0 && i < 6 ? 0.1 : 0.0;
        char name[] = {'p', (char)('0' + i), '\0'};
        walker_box(&m, name, i - 1, er_v3(0, low + 0.025, z), er_v3(-0.03, low, z - 0.1), er_v3(0.03, low + 0.05, z),
                   1.0);
    }
    return walker_finish(&m);
}

static void what_lies_slithers_and_what_does_not_swims(void **state)
{
    for (int arched = 0; arched < 2; ++arched) {
        er_model *model = row_of_boxes(arched == 1);
        er_gait_body *body = read_body(model, NULL);
        assert_int_equal(body->foot_count, 0);
        assert_int_equal(body->lies, arched == 0);
        assert_true(is_noted(body, arched == 0 ? "slither" : "swim"));
        assert_true(fabs(body->leg - 0.25 * model->size) < 1e-12);
    }
}

// ---- measures

static void giants_and_mites_keep_the_time_of_what_is_of_our_size(void **state)
{
    static const struct {
        double scale, gravity;
    } known[] = {{1.0, 9.81}, {5.0, 9.81}, {100.0, 981.0}, {8.0, 98.1}, {0.01, 0.0981}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        walker_def size = usual;
        size.scale = known[i].scale;
        er_model *model = make_biped(size);
        er_gait_body *body = read_body(model, NULL);
        assert_true(fabs(body->gravity / known[i].gravity - 1.0) < 1e-12);
        assert_int_equal(is_noted(body, "tempo"), known[i].gravity != 9.81);
        er_gait_def def = er_default_gait_def();
        def.gravity = 1.62;
        body = read_body(model, &def);
        assert_true(body->gravity == 1.62);
    }
}

// Words that bones are called by, part by part, apart by spaces: those that count within longer words too, as "toe" in
// "toes", and those that must stand by themselves, as "ring" must not in "string".
static void every_word_tells_its_part(void **state)
{
    static const struct {
        unsigned part;
        const char *within, *whole;
    } parts[] = {
        {ERI_PART_FOOT, "foot feet hoof hooves paw", "pes fuss fu\xc3\x9f"},
        {ERI_PART_ANKLE, "ankle \xe8\xb6\xb3\xe9\xa6\x96", ""},
        {ERI_PART_TOE, "toe \xe3\x81\xa4\xe3\x81\xbe\xe5\x85\x88", "ball"},
        {ERI_PART_LEG,
         "leg thigh shin calf knee femur tibia tarsus coxa gaskin cannon pastern \xe3\x81\xb2\xe3\x81\x96",
         "hock hip \xe8\xb6\xb3"},
        {ERI_PART_ARM, "forearm upperarm lowerarm shoulder shldr clavic collar elbow humerus", "arm"},
        {ERI_PART_HAND, "hand wrist palm fist", ""},
        {ERI_PART_FINGER, "finger thumb pinky index metacarp", "ring"},
        {ERI_PART_FIN, "flipper fluke", "fin fins"},
        {ERI_PART_WING, "wing feather", ""},
        {ERI_PART_FEELER, "tentac antenna feeler whisker", ""},
        {ERI_PART_TAIL, "tail", ""},
        {ERI_PART_HEAD, "head skull neck", ""},
        {ERI_PART_FACE, "eye nose beak snout muzzle jaw mouth tongue teeth tooth mandible brow beard", "chin face lip"},
        {ERI_PART_EAR, "", "ear ears"},
        {ERI_PART_LOOSE, "hair skirt cloak coat cloth dress scarf ribbon slot weapon sword shield", "cape gun"},
        {ERI_PART_LOOSE | ERI_PART_TAIL, "ponytail pigtail", ""},
        {ERI_PART_FRONT, "front forelimb", ""},
        {ERI_PART_FRONT | ERI_PART_LEG, "foreleg", ""},
        {ERI_PART_FRONT | ERI_PART_FOOT, "forefoot forepaw", ""},
        {ERI_PART_HIND, "hind", "back rear"},
        {0, "spine pelvis root bone joint", "body"},
    };
    for (size_t i = 0; i < ERI_COUNT(parts); ++i)
        for (int whole = 0; whole < 2; ++whole) {
            const char *at = whole == 1 ? parts[i].whole : parts[i].within;
            for (size_t length; (length = strcspn(at, " ")) > 0; at += length + (at[length] == ' ')) {
                static const char *const names[] = {"%.*s", "%.*s_3", "x%.*sx"};
                for (int k = 0; k < 3; ++k) {
                    char name[64];
                    snprintf(name, sizeof name, names[k], (int)length, at);
                    unsigned want = whole == 1 && k == 2 ? 0 : parts[i].part, got = eri_read_bone_name(name).parts;
                    if (got != want) fail_msg("\"%s\" is read as %x, not %x", name, got, want);
                }
            }
        }
    assert_int_equal(eri_read_bone_name("Fore_Limb").parts, ERI_PART_FRONT);             // of two words
    assert_int_equal(eri_read_bone_name("rearleg").parts, ERI_PART_HIND | ERI_PART_LEG); // which a forearm is not
    assert_int_equal(eri_read_bone_name("ball joint").parts, 0);                         // one that has to be alone
}

// Wherever a body stands, and whichever way it is said to face, it is the same body.
static void a_place_is_no_side(void **state)
{
    for (int kind = 0; kind < 4; ++kind) {
        er_model *model = kind % 2 == 0 ? make_quadruped(usual) : make_bird(true),
                 *other = moved(model, (er_pose){er_q_identity(), {0.7, 0.3, -0.4}});
        er_gait_def def = er_default_gait_def();
        if (kind >= 2) def.forward = er_v3(0, 0, -1);
        er_gait_body *here = read_body(model, &def), *there = read_body(other, &def);
        assert_true(near(here->left, there->left, 1e-12) && near(here->forward, there->forward, 1e-12));
        assert_true(here->foot_count == there->foot_count && here->wing_count == there->wing_count);
        assert_true(here->foot_count > 0 && here->wing_count == (kind % 2 == 0 ? 0 : 2));
        assert_true(fabs(here->stance - there->stance) < 1e-9 && fabs(here->symmetry - there->symmetry) < 1e-9);
        assert_true(here->stance > 0.5 && fabs(there->ground - here->ground - 0.3) < 1e-9);
        for (int i = 0; i < model->body_count; ++i)
            assert_int_equal(here->mirror[i], there->mirror[i]);
        for (int i = 0; i < here->foot_count; ++i) {
            const er_gait_foot *a = &here->foot[i], *b = &there->foot[i];
            assert_string_equal(a->name, b->name);
            assert_true(a->body == b->body && a->side == b->side && a->mirror == b->mirror && a->flat == b->flat);
            assert_int_equal(a->side, a->point[0].x * here->left.x > 0.0 ? 1 : -1);
        }
        for (int i = 0; i < here->wing_count; ++i) {
            const er_gait_wing *a = &here->wing[i], *b = &there->wing[i];
            assert_true(a->body == b->body && a->side == b->side && a->mirror == b->mirror && a->tip == b->tip);
        }
    }
}

// A weight to one side is no body's image, and what lies near the middle beside the trunk is not the trunk's.
static void what_has_no_image_has_none(void **state)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    walker_box(&m, "seat", -1, er_v3(0, 0.6, 0), er_v3(-0.1, 0.5, -0.1), er_v3(0.1, 0.7, 0.1), 1.0);
    int far = knob(&m, "weight", 0, er_v3(0.1, 0.6, 0), er_v3(0.6, 0.9, 0), 0.05),
        close = knob(&m, "pack", 0, er_v3(0, 0.6, 0), er_v3(0.02, 0.6, 0), 0.1);
    for (int k = 0; k < 4; ++k) {
        static const char *const names[] = {"leg_a_L", "leg_a_R", "leg_b_L", "leg_b_R"};
        leg(&m, names[k], k % 2 == 0 ? 0.1 : -0.1, k < 2 ? 0.1 : -0.1, -0.02, 0.02);
    }
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    assert_true(fabs(fabs(body->left.x) - 1.0) < 1e-9);
    assert_int_equal(far, 1);
    assert_int_equal(body->mirror[far], -1);
    assert_int_equal(body->mirror[close], -1);
    assert_int_equal(body->mirror[0], 0);
    assert_int_equal(body->mirror[3], 4);
}

// All feet that the caller names stay; a foot without an image has none.
static void named_feet_without_an_image_have_none(void **state)
{
    walker_maker m;
    stool(&m, -0.02, 0.02);
    int crutch = leg(&m, "e", 0.13, far_out, -0.02, 0.02);
    er_model *model = walker_finish(&m);
    er_gait_def def = er_default_gait_def();
    def.feet = "a,b,c,d,e";
    er_gait_body *body = read_body(model, &def);
    assert_int_equal(body->foot_count, 5);
    for (int i = 0; i < 5; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        assert_int_equal(foot->mirror < 0, foot->body == crutch);
        if (foot->mirror >= 0) assert_int_equal(body->foot[foot->mirror].mirror, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_which_side_they_mean),
        cmocka_unit_test(names_mean_the_same_in_turkish),
        cmocka_unit_test(an_uneven_bodys_sides_are_along_the_axes),
        cmocka_unit_test(a_body_a_little_askew_counts_as_straight),
        cmocka_unit_test(a_body_askew_has_its_sides_askew),
        cmocka_unit_test(neither_a_load_nor_the_root_moves_the_middle),
        cmocka_unit_test(images_go_both_ways),
        cmocka_unit_test(a_place_is_no_side),
        cmocka_unit_test(what_has_no_image_has_none),
        cmocka_unit_test(named_feet_without_an_image_have_none),
        cmocka_unit_test(a_bipeds_leg_is_measured_joint_by_joint),
        cmocka_unit_test(a_leg_without_ankle_ends_in_the_middle_of_its_sole),
        cmocka_unit_test(a_sprawling_leg_is_longer_than_its_hip_is_high),
        cmocka_unit_test(feet_that_hang_elsewhere_are_the_soles_of_legs),
        cmocka_unit_test(what_touches_the_ground_alone_is_no_foot),
        cmocka_unit_test(a_foot_that_is_no_feets_image_is_none),
        cmocka_unit_test(wheels_in_the_middle_are_no_pair),
        cmocka_unit_test(six_legs_are_three_pairs_in_rows),
        cmocka_unit_test(toes_are_part_of_the_foot),
        cmocka_unit_test(every_word_tells_its_part),
        cmocka_unit_test(what_lies_slithers_and_what_does_not_swims),
        cmocka_unit_test(giants_and_mites_keep_the_time_of_what_is_of_our_size),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
