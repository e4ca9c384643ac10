// Kinds of animals and of names, read as travellers: small bodies of boxes, judged by what they were made to be.
#include <stdio.h>
#include <string.h>

#include "gait/body/body.h"
#include "support/hand.h"
#include "walkers.h"

static bool near(er_vec3 a, er_vec3 b, double apart)
{
    return er_v3_distance(a, b) <= apart;
}

// A bone of each side that legs hang on, as spiders have.
static int anchor(walker_maker *m, int parent, int side)
{
    return walker_rod(m, side > 0 ? "legs_anchor_l" : "legs_anchor_r", parent, er_v3(0.05 * side, 0.3, 0),
                      er_v3(0.1 * side, 0.3, 0));
}

// A pair of legs of two rods, out and up to a knee and down to `low`, called PATTERN with a number and a side in it.
static void arched_legs(walker_maker *m, const int parent[2], const char *pattern, int number, double z, double low)
{
    for (int s = 1; s >= -1; s -= 2)
        for (int part = 1, up = parent[s < 0]; part <= 2; ++part) {
            char name[32];
            snprintf(name, sizeof name, pattern, number, part, s > 0 ? 'l' : 'r');
            er_vec3 hip = {0.1 * s, 0.3, z}, knee = {0.3 * s, 0.45, z}, tip = {0.5 * s, low, z};
            up = part == 1 ? walker_rod(m, name, up, hip, knee) : walker_rod(m, name, up, knee, tip);
        }
}

static void expect_pairs(const er_gait_body *body, int count)
{
    assert_int_equal(body->foot_count, count);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(body->foot[i].mirror, i ^ 1);
        assert_int_equal(body->foot[i].side, (i & 1) == 0 ? 1 : -1);
    }
}

static void expect_foot(const er_gait_body *body, const er_model *model, int foot, const char *name)
{
    assert_string_equal(model->body[body->foot[foot].body].name, name);
}

// ---- names

static void names_say_which_part_they_are(void **state)
{
    static const struct {
        const char *name;
        unsigned parts;
    } known[] = {{"mixamorig:LeftUpLeg", ERI_PART_LEG},
                 {"Bip01 L Foot", ERI_PART_FOOT},
                 {"DEF-shin.R.001_018", ERI_PART_LEG},
                 {"footFBXASC046L", ERI_PART_FOOT},
                 {"lhand", ERI_PART_HAND},
                 {"b_RightForeArm_07", ERI_PART_ARM},
                 {"ForeLeg.L", ERI_PART_LEG | ERI_PART_FRONT},
                 {"BackFoot.R", ERI_PART_FOOT | ERI_PART_HIND},
                 {"front_fin_0_l", ERI_PART_FIN | ERI_PART_FRONT},
                 {"f_index.01.L", ERI_PART_FINGER},
                 {"ball_l", ERI_PART_TOE},
                 {"HairBall_L", ERI_PART_LOOSE},
                 {"Beak", ERI_PART_FACE},
                 {"Ear1.L", ERI_PART_EAR},
                 {"rear_paw", ERI_PART_FOOT | ERI_PART_HIND},
                 {"leftToes", ERI_PART_TOE},
                 {"左足首", ERI_PART_ANKLE},
                 {"Armature", 0},
                 {"Spine1", 0},
                 {"", 0}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        if (eri_read_bone_name(known[i].name).parts != known[i].parts)
            fail_msg("\"%s\" is read as %x", known[i].name, eri_read_bone_name(known[i].name).parts);
}

static void names_of_twins_differ_by_the_side_alone(void **state)
{
    static const char *const twins[][2] = {
        {"LeftArm", "RightArm"}, {"LHipJoint", "RHipJoint"}, {"lShldr", "rShldr"},
        {"lhand", "rhand"},      {"leg_a_1_l", "leg_a_1_r"}, {"Bein.links", "Bein.rechts"},
        {"FootL", "FootR"},      {"r-foot", "l-foot"},       {"J_Bip_L_Foot", "J_Bip_R_Foot"}};
    for (size_t i = 0; i < ERI_COUNT(twins); ++i) {
        eri_named a = eri_read_bone_name(twins[i][0]), b = eri_read_bone_name(twins[i][1]);
        assert_int_equal(a.side * b.side, -1);
        assert_string_equal(a.twin, b.twin);
    }
    eri_named a = eri_read_bone_name("DEF-shin.R_017"), b = eri_read_bone_name("DEF-shin.L_025");
    assert_string_not_equal(a.twin, b.twin);
    assert_string_equal(a.loose, b.loose);
}

// ---- kinds

static void insects_spiders_and_centipedes_stand_on_all_legs(void **state)
{
    static const int legs[] = {6, 8, 14};
    for (size_t k = 0; k < ERI_COUNT(legs); ++k) {
        walker_maker m;
        int pairs = legs[k] / 2, hull = walker_trunk(&m, "body", er_v3(0, 0.3, 0), 0.15 * pairs, 0.1);
        walker_rod(&m, "head", hull, er_v3(0, 0.3, 0.15 * pairs), er_v3(0, 0.3, 0.15 * pairs + 0.1));
        int hold[2] = {hull, hull};
        for (int i = 0; i < 2 && pairs == 4; ++i)
            hold[i] = anchor(&m, hull, i == 0 ? 1 : -1);
        for (int i = 0; i < pairs; ++i) // tips on uneven ground
            arched_legs(&m, hold, "leg_%d_%d_%c", i + 1, 0.3 * (0.5 * (pairs - 1) - i), 0.04 * (i % 2));
        er_model *model = walker_finish(&m);
        er_gait_body *body = read_body(model, NULL);
        expect_pairs(body, legs[k]);
        expect_foot(body, model, 0, "leg_1_2_l");
        assert_string_equal(body->foot[legs[k] - 1].name, legs[k] == 6 ? "R3" : legs[k] == 8 ? "R4" : "R7");
        for (int i = 0; i < legs[k]; ++i)
            assert_int_equal(body->foot[i].joint_count, 2); // up to the anchor, where that holds several
    }
}

// A bird whose wings reach down to the ground as its feet do.
static void wings_are_no_feet(void **state)
{
    walker_maker m;
    int hull = walker_trunk(&m, "body", er_v3(0, 0.5, 0), 0.2, 0.1);
    walker_rod(&m, "beak", walker_rod(&m, "head", hull, er_v3(0, 0.55, 0.2), er_v3(0, 0.7, 0.25)), er_v3(0, 0.65, 0.25),
               er_v3(0, 0.65, 0.35));
    for (int s = 1; s >= -1; s -= 2) {
        int leg = walker_rod(&m, s > 0 ? "leg.L" : "leg.R", hull, er_v3(0.05 * s, 0.45, 0), er_v3(0.05 * s, 0.05, 0));
        walker_rod(&m, s > 0 ? "claw.L" : "claw.R", leg, er_v3(0.05 * s, 0.05, 0), er_v3(0.05 * s, 0.0, 0.08));
        walker_rod(&m, s > 0 ? "wing.L" : "wing.R", hull, er_v3(0.1 * s, 0.5, 0), er_v3(0.4 * s, 0.0, 0));
    }
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    expect_pairs(body, 2);
    expect_foot(body, model, 0, "claw.L");
}

static void a_fish_that_rests_on_its_fins_swims(void **state)
{
    walker_maker m;
    int at = walker_trunk(&m, "body", er_v3(0, 0.3, 0), 0.3, 0.1);
    for (int s = 1; s >= -1; s -= 2)
        walker_rod(&m, s > 0 ? "fin_L" : "fin_R", at, er_v3(0.1 * s, 0.3, 0.1), er_v3(0.2 * s, 0.0, 0.1));
    for (int i = 0; i < 3; ++i)
        at = walker_rod(&m, "tail", at, er_v3(0, 0.3, -0.3 - 0.2 * i), er_v3(0, 0.3, -0.5 - 0.2 * i));
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    assert_int_equal(body->foot_count, 0);
    assert_false(body->lies);
    assert_true(near(body->forward, er_v3(0, 0, 1), 1e-12));
}

// A fish of seven boxes, its last two as tall and as wide as that.
static er_model *make_swimmer(double tall, double wide)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    for (int i = 0; i < 7; ++i) {
        double z = -0.15 * i, y = i == 0 ? 0.2 : i < 5 ? 0.06 : 0.5 * tall, x = i < 5 ? 0.06 : 0.5 * wide;
        walker_box(&m, "part", i - 1, er_v3(0, 0, z), er_v3(-x, -y, z - 0.15), er_v3(x, y, z), 1.0);
    }
    return walker_finish(&m);
}

static void fish_bend_across_the_plane_of_their_tails(void **state)
{
    static const struct {
        double tall, wide;
        bool aside, upright;
    } known[] = {{0.2, 0.02, true, false}, {0.02, 0.2, false, true}, {0.1, 0.1, true, true}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        er_model *model = make_swimmer(known[i].tall, known[i].wide);
        er_gait_def def = er_default_gait_def();
        def.forward = er_v3(0, 0, 1);
        er_gait_body *body = read_body(model, &def);
        assert_int_equal(body->foot_count, 0);
        assert_false(body->lies);
        assert_int_equal(body->waves[0], known[i].aside);
        assert_int_equal(body->waves[1], known[i].upright);
    }
}

// A slip of who named them: the foot's twin is told by the shin that it hangs on, though one is raised.
static void a_foot_named_amiss_has_its_twin(void **state)
{
    walker_maker m;
    int hull = walker_trunk(&m, "hips", er_v3(0, 0.9, 0), 0.1, 0.1);
    for (int s = 1; s >= -1; s -= 2) {
        double x = 0.1 * s, low = s > 0 ? 0.0 : 0.15;
        int leg = walker_rod(&m, s > 0 ? "shin_L" : "shin_R", hull, er_v3(x, 0.9, 0), er_v3(x, low + 0.08, 0));
        walker_rod(&m, s > 0 ? "foot_L" : "foot2_R", leg, er_v3(x, low + 0.08, 0), er_v3(x, low, 0.15));
    }
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    expect_pairs(body, 2);
    expect_foot(body, model, 1, "foot2_R");
}

// The ground is where feet are, though a gun hangs lower.
static void what_hangs_lower_than_feet_is_not_on_the_ground(void **state)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    int hips = walker_box(&m, "hips", -1, er_v3(0, 0.9, 0), er_v3(-0.2, 0.85, -0.1), er_v3(0.2, 1.2, 0.1), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        int leg = walker_rod(&m, s > 0 ? "thigh_L" : "thigh_R", hips, er_v3(0.1 * s, 0.9, 0), er_v3(0.1 * s, 0.1, 0));
        walker_rod(&m, s > 0 ? "foot_L" : "foot_R", leg, er_v3(0.1 * s, 0.1, 0), er_v3(0.1 * s, 0.0, 0.15));
    }
    walker_rod(&m, "gun", hips, er_v3(0.4, 1.0, 0), er_v3(0.4, -0.2, 0));
    er_model *model = walker_finish(&m);
    er_gait_body *body = read_body(model, NULL);
    expect_pairs(body, 2);
    assert_true(fabs(body->ground) < 1e-12 && fabs(body->leg - 0.9) < 1e-12);
}

// ---- the front

// Hips, legs, and feet with toes, in a stride.
static er_model *make_toed(double stride)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    int hips = walker_box(&m, "hips", -1, er_v3(0, 0.9, 0), er_v3(-0.2, 0.85, -0.1), er_v3(0.2, 1.5, 0.1), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        char side = s > 0 ? 'L' : 'R', name[4][16];
        snprintf(name[0], 16, "leg_%c", side), snprintf(name[1], 16, "foot_%c", side);
        snprintf(name[2], 16, "toe_%c", side), snprintf(name[3], 16, "arm_%c", side);
        double x = 0.1 * s, z = stride * s;
        int leg = walker_rod(&m, name[0], hips, er_v3(x, 0.9, 0), er_v3(x, 0.1, z));
        int foot = walker_rod(&m, name[1], leg, er_v3(x, 0.1, z), er_v3(x, 0.0, z + 0.1));
        walker_rod(&m, name[2], foot, er_v3(x, 0.02, z + 0.1), er_v3(x, 0.0, z + 0.2));
        walker_rod(&m, name[3], hips, er_v3(0.2 * s, 1.4, 0), er_v3(0.2 * s, 0.8, -z));
    }
    return walker_finish(&m);
}

// One foot far ahead does not turn the body; but it is less of a pose to stand in.
static void a_stride_turns_no_axes(void **state)
{
    double stance[2];
    for (int strides = 0; strides < 2; ++strides) {
        er_model *model = make_toed(0.4 * strides);
        er_gait_body *body = read_body(model, NULL);
        assert_true(near(body->left, er_v3(1, 0, 0), 1e-12));
        expect_pairs(body, 2);
        stance[strides] = body->stance;
    }
    assert_true(stance[0] > 0.99 && stance[1] < 0.5);
}

// Feet that hang on the root, or hands, stride alone: the shoulders say where the sides are.
static void feet_alone_do_not_say_where_the_sides_are(void **state)
{
    static const char *const ends[] = {"foot", "ankle", "toe", "hand", "knee"}; // the last of which does
    for (size_t i = 0; i < ERI_COUNT(ends); ++i) {
        static walker_maker m;
        m = (walker_maker){.def = usual};
        int hips = walker_box(&m, "hips", -1, er_v3(0, 0.9, 0), er_v3(-0.2, 0.85, -0.1), er_v3(0.2, 1.5, 0.1), 1.0);
        for (int s = 1; s >= -1; s -= 2) {
            char name[16];
            snprintf(name, sizeof name, "%s.%c", ends[i], s > 0 ? 'L' : 'R');
            walker_rod(&m, s > 0 ? "arm.L" : "arm.R", hips, er_v3(0.2 * s, 1.4, 0), er_v3(0.2 * s, 0.8, 0));
            walker_rod(&m, name, hips, er_v3(0.1 * s, 0.06, 0.3 * s), er_v3(0.1 * s, 0, 0.3 * s + 0.1));
        }
        er_model *model = walker_finish(&m);
        er_gait_body *body = read_body(model, NULL);
        assert_int_equal(near(body->left, er_v3(1, 0, 0), 1e-12), i < 4);
    }
}

// ---- scenes

// Hips on two legs of three bones, all with boxes, named by nobody; one foot `ahead` at rest, though bound beside.
static void make_person(hand *h, double ahead)
{
    hand_init(h);
    int node[7], count = 0, hips = hand_node(h, "a", -1, hand_at(0, 1, 0));
    node[count++] = hips;
    for (int s = 1; s >= -1; s -= 2) {
        int thigh = hand_node(h, s > 0 ? "b" : "e", hips, hand_at(0.1 * s, -0.1, 0));
        int shin = hand_node(h, s > 0 ? "c" : "f", thigh, hand_at(0, -0.4, 0));
        int foot = hand_node(h, s > 0 ? "d" : "g", shin, hand_at(0, -0.4, 0));
        node[count++] = thigh, node[count++] = shin, node[count++] = foot;
    }
    int skin = hand_skin(h, "skin", count, node), mesh = hand_mesh(h);
    hand_box(h, er_v3(-0.2, 0.9, -0.1), er_v3(0.2, 1.6, 0.1), 0);
    for (int s = 1, k = 1; s >= -1; s -= 2, k += 3) {
        double x = 0.1 * s;
        hand_box(h, er_v3(x - 0.05, 0.5, -0.05), er_v3(x + 0.05, 0.9, 0.05), k);
        hand_box(h, er_v3(x - 0.05, 0.1, -0.05), er_v3(x + 0.05, 0.5, 0.05), k + 1);
        hand_box(h, er_v3(x - 0.05, 0.0, -0.05), er_v3(x + 0.05, 0.1, 0.2), k + 2);
    }
    hand_draw(h, hand_node(h, "mesh", -1, er_affine_identity()), mesh, skin);
    const er_vec3 one = {1, 1, 1};
    h->node[1].local = hand_turned(er_v3(0.1, -0.1, 0), er_v3(-ahead, 0, 0), one);
    h->node[4].local = hand_turned(er_v3(-0.1, -0.1, 0), er_v3(ahead, 0, 0), one);
}

static void a_map_says_which_bones_are_feet(void **state)
{
    static hand h;
    make_person(&h, 0.0);
    h.node[2].role = "rightFoot", h.node[5].role = "leftFoot"; // whatever lies below; and it looks along -Z
    h.node[1].name = "right_foot", h.node[4].name = "left_foot";
    h.scene.forward = er_v3(0, 0, -1);
    er_rig *rig = hand_rig(context, &h.scene, NULL);
    er_gait_body *body;
    ok(er_gait_body_read(context, rig->model, rig, NULL, &body));
    expect_pairs(body, 2);
    expect_foot(body, rig->model, 0, "f");
    expect_foot(body, rig->model, 1, "c");
    assert_true(near(body->forward, er_v3(0, 0, -1), 1e-12) && body->facing > 0.9); // though soles say +Z
    er_gait_body_destroy(body);
    er_rig_destroy(rig);
}

static void the_bind_pose_stands_where_rest_strides(void **state)
{
    static hand h;
    static const char *const names[] = {"hips", "thigh.L", "shin.L", "foot.L", "thigh.R", "shin.R", "foot.R"};
    for (int strides = 0; strides < 2; ++strides) {
        make_person(&h, 0.6 * strides);
        for (int i = 0; i < 7; ++i)
            h.node[i].name = names[i];
        er_rig *rig = hand_rig(context, &h.scene, NULL);
        er_gait_stand stand;
        ok(er_gait_find_stand(context, rig, NULL, NULL, &stand));
        assert_int_equal(stand.rig != NULL, strides == 1);
        assert_int_equal(stand.pose, strides == 1 ? ER_POSE_BIND : ER_POSE_REST);
        assert_true(stand.stance > 0.99 && (strides == 1 ? stand.at_rest < 0.5 : stand.at_rest == stand.stance));
        for (int i = 0; strides == 1 && i < stand.rig->model->body_count; ++i)
            assert_true(fabs(stand.rig->model->body[i].pose.p.z) < 1e-9);
        er_rig_destroy(stand.rig);
        er_rig_destroy(rig);
    }
}

// Binds the legs of a person turned about their hips; its rest pose stays.
static void bind_legs_turned(hand *h, double angle)
{
    er_affine turn[7];
    for (int k = 0; k < 7; ++k) {
        er_vec3 hip = er_v3(k < 4 ? 0.1 : -0.1, 0.9, 0);
        er_affine about = hand_turned(hip, er_v3(k > 0 ? angle : 0.0, 0, 0), er_v3(1, 1, 1));
        turn[k] = er_affine_mul(about, hand_at(-hip.x, -hip.y, -hip.z));
        h->inverse_bind[0][k] = er_affine_mul(h->inverse_bind[0][k], er_affine_inverse(turn[k]));
    }
    for (int v = 0; v < h->vertices; ++v) {
        float *p = h->position + 3 * v;
        er_vec3 x = er_affine_point(turn[h->joint[0][v]], er_v3(p[0], p[1], p[2]));
        p[0] = (float)x.x, p[1] = (float)x.y, p[2] = (float)x.z;
    }
}

// Legs that point up in the bind pose have no feet there, so nothing can stand badly.
static void a_pose_with_feet_is_better_than_one_without(void **state)
{
    static hand h;
    make_person(&h, 0.3);
    bind_legs_turned(&h, -2.5);
    er_rig_def bound = er_default_rig_def();
    bound.pose = ER_POSE_BIND;
    er_rig *rig = hand_rig(context, &h.scene, NULL), *bind = hand_rig(context, &h.scene, &bound);
    er_gait_body *body[2];
    ok(er_gait_body_read(context, rig->model, rig, NULL, &body[0]));
    ok(er_gait_body_read(context, bind->model, bind, NULL, &body[1]));
    assert_int_equal(body[0]->foot_count, 2);
    assert_int_equal(body[1]->foot_count, 0);
    assert_true(body[1]->stance > body[0]->stance + 0.1);
    er_gait_stand stand;
    ok(er_gait_find_stand(context, rig, NULL, NULL, &stand));
    assert_null(stand.rig);
    assert_true(stand.stance == body[0]->stance);
    // Bound with legs up at rest too, the bind pose of a person who stands is taken.
    make_person(&h, 0.0);
    h.node[1].local = hand_turned(er_v3(0.1, -0.1, 0), er_v3(-2.5, 0, 0), er_v3(1, 1, 1));
    h.node[4].local = hand_turned(er_v3(-0.1, -0.1, 0), er_v3(-2.5, 0, 0), er_v3(1, 1, 1));
    er_rig *raised = hand_rig(context, &h.scene, NULL);
    ok(er_gait_find_stand(context, raised, NULL, NULL, &stand));
    assert_int_equal(stand.pose, ER_POSE_BIND);
    assert_true(stand.rig != NULL && stand.at_rest > 0.99);
    er_rig_destroy(stand.rig);
    er_rig_destroy(raised);
    for (int i = 0; i < 2; ++i)
        er_gait_body_destroy(body[i]);
    er_rig_destroy(bind);
    er_rig_destroy(rig);
}

// Bones without a mesh, which have no bind pose; clips put the legs straight.
static void a_clip_named_for_standing_stands(void **state)
{
    static hand h;
    const double straight[4] = {0, 0, 0, 1};
    hand_init(&h);
    int hips = hand_node(&h, "hips", -1, hand_at(0, 0.9, 0)), thigh[2];
    hand_node(&h, "head", hips, hand_at(0, 0.6, 0));
    for (int k = 0; k < 2; ++k) {
        double s = k == 0 ? 1.0 : -1.0;
        er_affine turned = hand_turned(er_v3(0.1 * s, 0, 0), er_v3(-0.6 * s, 0, 0), er_v3(1, 1, 1));
        thigh[k] = hand_node(&h, k == 0 ? "thigh.L" : "thigh.R", hips, turned);
        int shin = hand_node(&h, k == 0 ? "shin.L" : "shin.R", thigh[k], hand_at(0, -0.4, 0));
        int foot = hand_node(&h, k == 0 ? "foot.L" : "foot.R", shin, hand_at(0, -0.4, 0));
        hand_node(&h, k == 0 ? "toe.L" : "toe.R", foot, hand_at(0, -0.1, 0.15));
    }
    for (int i = 0; i < h.scene.node_count; ++i)
        h.node[i].flags = ER_NODE_JOINT;
    for (int c = 0; c < 2; ++c) {
        hand_clip(&h, c == 0 ? "Run" : "Armature|Idle");
        for (int k = 0; k < 2; ++k)
            hand_channel(&h, thigh[k], ER_PATH_ROTATION, straight, straight);
    }
    static const char *const called[] = {"Armature|Idle", "STAND",  "T-Pose", "tpose", "a T_pose", "A-pose",
                                         "Apose",         "A_POSE", "bind",   "walk",  "T pose"};
    for (size_t i = 0; i < ERI_COUNT(called); ++i) {
        bool stands = i < 9;
        h.clip[1].name = called[i];
        er_rig *rig = hand_rig(context, &h.scene, NULL);
        er_gait_stand stand;
        ok(er_gait_find_stand(context, rig, NULL, NULL, &stand));
        assert_int_equal(stand.pose, stands ? ER_POSE_CLIP : ER_POSE_REST);
        assert_true(stand.at_rest < 0.5 && (stands ? stand.stance > 0.99 : stand.stance == stand.at_rest));
        assert_int_equal(stand.rig != NULL, stands);
        assert_int_equal(stand.clip != NULL, stands);
        if (stands) {
            assert_string_equal(stand.clip, called[i]);
            assert_string_equal(stand.rig->pose_clip, called[i]);
        }
        er_rig_destroy(stand.rig);
        er_rig_destroy(rig);
    }
}

// ---- wings

static void wings_are_read_from_the_middle_out(void **state)
{
    for (int legs = 0; legs < 2; ++legs) {
        er_model *model = make_bird(legs != 0);
        er_gait_body *body = read_body(model, NULL);
        assert_int_equal(body->foot_count, 2 * legs);
        assert_int_equal(body->wing_count, 2);
        for (int i = 0; i < 2; ++i) {
            const er_gait_wing *wing = &body->wing[i];
            assert_string_equal(model->body[wing->body].name, i == 0 ? "wing_1_L" : "wing_1_R");
            assert_string_equal(model->body[wing->tip].name, i == 0 ? "wing_2_L" : "wing_2_R");
            assert_string_equal(model->body[wing->trunk].name, "body");
            assert_int_equal(wing->side, i == 0 ? 1 : -1);
            assert_int_equal(wing->mirror, 1 - i);
            assert_true(
                near(er_pose_point(model->body[wing->tip].pose, wing->end), er_v3(0.8 * wing->side, 0.54, 0.0), 0.08));
            assert_true(fabs(wing->span - 0.72) < 0.05); // rods are boxes, 4 cm thick
        }
    }
}

static double height_of_tip(const er_gaits *gaits, const er_gait_motion *m, int frame, int wing)
{
    const er_gait_wing *of = &gaits->body->wing[wing];
    return er_pose_point(m->pose[frame * m->model->body_count + of->tip], of->end).y -
           m->pose[frame * m->model->body_count + of->trunk].p.y;
}

// Wings beat up and down together, the trunk stays level, and nothing is below the ground.
static void birds_flap(void **state)
{
    for (int legs = 0; legs < 2; ++legs) {
        gait_search f = find(make_bird(legs != 0), 14);
        const er_gait *flap = er_gaits_named(f.gaits, "flap");
        assert_non_null(flap);
        assert_int_equal(flap->family, ER_GAIT_FLAP);
        assert_true((flap == f.gaits->gait) == (legs == 0)); // what has feet stands on them first
        er_gait_motion *motion;
        ok(er_gait_move(context, f.model, f.modes, f.gaits, flap, 60.0, &motion));
        int last = motion->frame_count - 1;
        double low = HUGE_VAL, high = -HUGE_VAL, apart = 0.0, ground = HUGE_VAL, tilt = 0.0;
        for (int i = 0; i <= last; ++i) {
            double h[2] = {height_of_tip(f.gaits, motion, i, 0), height_of_tip(f.gaits, motion, i, 1)};
            low = fmin(low, h[0]);
            high = fmax(high, h[0]);
            apart = fmax(apart, fabs(h[0] - h[1]));
            const er_pose *trunk = &motion->pose[i * f.model->body_count + f.gaits->body->wing[0].trunk];
            tilt = fmax(tilt, 2.0 * acos(fmin(1.0, fabs(trunk->q.w))));
            for (int k = 0; k < 2; ++k)
                ground = fmin(ground, h[k] + trunk->p.y - f.gaits->body->ground);
            for (int k = 0; k < motion->foot_count; ++k)
                assert_false(motion->stands[i * motion->foot_count + k]);
        }
        double span = f.gaits->body->wing[0].span, way = high - low;
        print_message("# %d feet: flap %.2f, %.2f Hz, a beat of %.2f spans, wings %.2g apart, trunk turned by %.2f\n",
                      2 * legs, flap->score, flap->hz, way / span, apart / way, tilt);
        assert_true(way > 0.8 * span && way < 1.8 * span);
        assert_true(apart < 0.02 * way && tilt < 0.3);
        assert_true(ground > -1e-9);
        assert_true(fabs(flap->hz * way / flap->speed - 0.3) < 0.05);                 // Strouhal's number
        assert_true(fabs(flap->hz / (1.5 * sqrt(9.81 / (2.0 * span))) - 1.0) < 1e-6); // Pennycuick
        assert_true(fabs(motion->travel[last].z - flap->stride) < 1e-9 * flap->stride);
        assert_true(flap->flight == 1.0 && flap->duty == 0.0);
        er_gaits *again; // as it stands
        ok(er_gait_of_mix(context, f.model, NULL, f.modes, flap->mix, NULL, &again));
        assert_int_equal(again->gait[0].family, ER_GAIT_FLAP);
        assert_true(fabs(again->gait[0].score - flap->score) < 1e-6);
        er_gaits_destroy(again);
        er_gait_motion_destroy(motion);
        lose(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_which_part_they_are),
        cmocka_unit_test(names_of_twins_differ_by_the_side_alone),
        cmocka_unit_test(insects_spiders_and_centipedes_stand_on_all_legs),
        cmocka_unit_test(wings_are_no_feet),
        cmocka_unit_test(wings_are_read_from_the_middle_out),
        cmocka_unit_test(birds_flap),
        cmocka_unit_test(a_fish_that_rests_on_its_fins_swims),
        cmocka_unit_test(fish_bend_across_the_plane_of_their_tails),
        cmocka_unit_test(a_foot_named_amiss_has_its_twin),
        cmocka_unit_test(what_hangs_lower_than_feet_is_not_on_the_ground),
        cmocka_unit_test(a_stride_turns_no_axes),
        cmocka_unit_test(feet_alone_do_not_say_where_the_sides_are),
        cmocka_unit_test(a_map_says_which_bones_are_feet),
        cmocka_unit_test(the_bind_pose_stands_where_rest_strides),
        cmocka_unit_test(a_pose_with_feet_is_better_than_one_without),
        cmocka_unit_test(a_clip_named_for_standing_stands),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
