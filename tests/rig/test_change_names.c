// Changes of axes, limits, masses, twins and loops, judged by the numbers of the changed model.
#include <string.h>

#include "base/arena.h"
#include "changes.h"

enum { TRUNK, LEFT, RIGHT, LEFT_HAND, RIGHT_HAND, BODIES };

// A trunk, two arms with a hand each, mirror images in x = 0; it floats. Joints are named as the bodies below them.
static er_model *two_hands(void)
{
    static rig r;
    static const char *const names[] = {"trunk", "arm_L", "arm_R", "hand_L", "hand_R"};
    memset(&r, 0, sizeof r);
    for (int b = 0; b < BODIES; ++b) {
        double side = b == TRUNK ? 0.0 : b == LEFT || b == LEFT_HAND ? 1.0 : -1.0;
        er_pose at = {er_q_identity(), er_v3(side * (b >= LEFT_HAND ? 2.0 : 1.0), 0.3 * (b >= LEFT_HAND), 0.1)};
        int body = rig_add_body(&r, 2.0, er_v3(0.02, 0.04, 0.05), er_q_identity(),
                                er_v3_add(at.p, er_v3(0.4 * side, 0.1, 0.0)), at);
        r.body[body].name = names[b];
        if (b == TRUNK) continue;
        er_joint *j = rig_add_joint(&r, ER_JOINT_SPHERICAL, b >= LEFT_HAND ? b - 2 : TRUNK, body, at);
        j->name = names[b];
        for (int c = 0; c < 3; ++c)
            j->stiffness[c] = 10.0;
    }
    return rig_model(context, &r);
}

static double total_mass(const er_model *model)
{
    double total = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        total += model->body[b].mass;
    return total;
}

static void an_axis_is_where_z_of_the_frame_comes(void **state)
{
    er_model *model = two_hands();
    const er_vec3 axes[] = {{1, 0, 0}, {0, 0, -3}, {0.2, -0.4, 0.7}, {0, 0, 1}};
    for (int i = 0; i < 4; ++i) {
        er_joint_change hinge = joints("hand_L");
        hinge.type = ER_JOINT_REVOLUTE;
        hinge.axis = axes[i];
        er_rig_change change = of_joints(1, &hinge);
        er_model *out = changed(model, &change);
        er_vec3 z = er_q_rotate(out->joint[2].frame.q, er_v3(0, 0, 1)), to = er_v3_unit(axes[i], er_v3(0, 0, 0));
        measure_at_most("distance from the axis", er_v3_distance(z, to), 1e-14);
        assert_true(er_v3_distance(out->joint[2].frame.p, model->joint[2].frame.p) == 0.0);
        assert_true(er_v3_distance(er_q_rotate(out->joint[3].frame.q, er_v3(0, 0, 1)), er_v3(0, 0, 1)) < 1e-15);
        er_model_destroy(out);
    }
    er_model_destroy(model);
}

static void coordinates_get_their_own_springs_dampers_and_limits(void **state)
{
    er_model *model = two_hands();
    er_joint_change change[2] = {joints("arm_?"), joints("arm_L")};
    change[0].stiffness = 7.0;
    change[0].spring[2] = 3.0;
    change[0].damper[1] = 0.5;
    change[0].limit[0][0] = -1.0;
    change[0].limit[0][1] = 0.25;
    change[0].spring[4] = 99.0; // not free
    change[1].joint = -1;
    change[1].hz = 2.0; // over what was said of single coordinates before
    er_rig_change whole = of_joints(2, change);
    er_model *out = changed(model, &whole);
    const er_joint *left = &out->joint[0], *right = &out->joint[1];
    assert_true(right->stiffness[0] == 7.0 && right->stiffness[1] == 7.0 && right->stiffness[2] == 3.0);
    assert_true(left->stiffness[2] == left->stiffness[0] && left->stiffness[2] != 3.0);
    assert_true(left->damping[1] == 0.5 && left->damping[0] == 0.0);
    assert_true(left->limit[0][0] == -1.0 && left->limit[0][1] == 0.25 && left->limit[1][0] == -HUGE_VAL);
    assert_true(left->swing == HUGE_VAL && left->twist[0] == -HUGE_VAL && left->twist[1] == HUGE_VAL);
    er_model_destroy(out);
    change[0].swing = 0.5;
    change[0].twist[1] = 0.75;
    change[1].twist[0] = -0.25;
    out = changed(model, &whole);
    left = &out->joint[0], right = &out->joint[1];
    assert_true(left->type == ER_JOINT_SPHERICAL && left->swing == 0.5 && right->swing == 0.5);
    assert_true(left->twist[0] == -0.25 && left->twist[1] == 0.75 && right->twist[0] == -HUGE_VAL);
    er_model_destroy(out);
    er_model_destroy(model);
}

static void twins_get_what_one_of_them_is_said(void **state)
{
    er_model *model = two_hands();
    const er_name_pair pair = {"_L", "_R"};
    er_joint_change hand = joints("hand_L");
    er_body_change trunk = er_default_body_change(), arm = er_default_body_change();
    hand.stiffness = 5.0;
    hand.axis = er_v3(0.3, 0.4, 0.5);
    trunk.pattern = "trunk";
    trunk.mass = 9.0;
    arm.body = RIGHT;
    arm.density = 3.0;
    er_body_change body[] = {trunk, arm};
    er_rig_change change = of_joints(1, &hand);
    change.body_count = 2;
    change.body = body;
    change.pair_count = 1;
    change.pair = &pair;
    er_model *out = changed(model, &change);
    assert_true(out->joint[2].stiffness[0] == 5.0 && out->joint[3].stiffness[0] == 5.0);
    assert_true(out->joint[0].stiffness[0] == 10.0);
    er_vec3 left = er_q_rotate(out->joint[2].frame.q, er_v3(0, 0, 1));
    er_vec3 right = er_q_rotate(out->joint[3].frame.q, er_v3(0, 0, 1));
    measure_at_most("twin axes", er_v3_distance(right, er_v3(left.x, -left.y, -left.z)), 1e-14); // an axial vector
    assert_true(out->body[TRUNK].mass == 9.0 && out->body[LEFT].mass == 6.0 && out->body[RIGHT].mass == 6.0);
    er_model_destroy(out);
    er_model_destroy(model);
}

static void named_masses_hold_and_the_others_share_the_rest(void **state)
{
    er_model *model = two_hands();
    er_joint_change hand = joints("hand_*");
    er_body_change trunk = er_default_body_change();
    hand.mass = 1.5;
    trunk.pattern = "tr*";
    trunk.mass = 4.0;
    er_rig_change change = of_joints(1, &hand);
    change.body_count = 1;
    change.body = &trunk;
    change.mass = 10.0;
    er_model *out = changed(model, &change);
    measure_at_most("mass of the whole", relative_error(total_mass(out), 10.0), 1e-14);
    measure_at_most("masses said", fabs(out->body[LEFT_HAND].mass - 1.5) + fabs(out->body[TRUNK].mass - 4.0), 1e-14);
    measure_at_most("the rest", fabs(out->body[LEFT].mass - 1.5), 1e-14);
    double ratio = out->body[TRUNK].inertia.m[1][1] / model->body[TRUNK].inertia.m[1][1];
    measure_at_most("inertia goes with mass", relative_error(ratio, 2.0), 1e-14);
    change.mass = 6.5;
    refused(model, &change, "mass 6.5 kg");
    er_model_destroy(out);
    er_model_destroy(model);
}

static void a_loop_closes_where_it_is_said(void **state)
{
    er_model *model = two_hands();
    const er_stiffness law = {.hz = 2.0, .alpha = 0.5};
    er_loop_joint loop[2] = {er_default_loop_joint(), er_default_loop_joint()};
    loop[0].child = "hand_L";
    loop[0].parent = "hand_R";
    loop[0].type = ER_JOINT_SPHERICAL;
    loop[0].at = er_v3(0, 1, 0);
    loop[0].stiffness = 2.5;
    loop[1].name = "pin";
    loop[1].child = "arm_L";
    loop[1].at_body = "hand_L";
    loop[1].axis = er_v3(1, 0, 0);
    er_rig_change change = er_default_rig_change();
    change.loop_count = 2;
    change.loop = loop;
    change.stiffness = &law;
    er_model *out = changed(model, &change);
    assert_int_equal(out->loop_count, 2);
    assert_string_equal(out->joint[4].name, "hand_L to hand_R");
    assert_true(out->joint[4].frame.p.y == 1.0 && out->joint[4].stiffness[1] == 2.5 &&
                out->joint[4].parent == RIGHT_HAND);
    assert_string_equal(out->joint[5].name, "pin");
    assert_int_equal(out->joint[5].parent, -1);
    assert_true(er_v3_distance(out->joint[5].frame.p, model->body[LEFT_HAND].pose.p) == 0.0);
    er_modes *modes = rig_modes(context, out, ER_MODAL_AUTO);
    assert_int_equal(modes->rigid_count, 0);
    er_modes_destroy(modes);
    er_model_destroy(out);
    er_model_destroy(model);
}

static void values_of_a_change_have_their_bounds(void **state)
{
    er_model *model = two_hands();
    er_joint_change joint;
    er_body_change body;
    er_loop_joint loop;
    er_name_pair pair = {"_L", "_R"};
    er_rig_change change = of_joints(1, &joint), bodies = er_default_rig_change(), loops = bodies;
    bodies.body_count = loops.loop_count = 1;
    bodies.body = &body;
    loops.loop = &loop;

    const struct {
        double *at;
        double wrong;
        const char *word;
    } of_joint[] = {
        {&joint.spring[1], -1.0, "ty"},
        {&joint.limit[2][0], 2.0, "tz"}, // above 1
        {&joint.swing, -1.0, "swing -1"},
        {&joint.twist[0], 2.0, "twist"}, // above 1
        {&joint.damper[2], -0.5, "damping -0.5 of tz"},
        {&joint.damper[3], HUGE_VAL, "damping inf of x"},
        {&joint.spring[4], HUGE_VAL, "stiffness inf of y"},
        {&joint.hz, -1.0, "-1 Hz"},
        {&joint.hz, 2e6, "2e+06 Hz"},
        {&joint.stiffness, NAN, "stiffness nan"},
        {&joint.stiffness, HUGE_VAL, "stiffness inf"},
        {&joint.damping_ratio, NAN, "damping ratio nan"},
        {&joint.damping_ratio, HUGE_VAL, "damping ratio inf"},
        {&joint.density, 0.0, "density factor 0"},
        {&joint.density, HUGE_VAL, "density factor inf"},
        {&joint.mass, -1.0, "mass -1"},
        {&joint.mass, HUGE_VAL, "mass inf"},
        {&joint.axis.z, -HUGE_VAL, "axis"},
    };
    for (size_t i = 0; i < ERI_COUNT(of_joint); ++i) {
        joint = joints("hand_L");
        joint.limit[2][1] = joint.twist[1] = 1.0;
        *of_joint[i].at = of_joint[i].wrong;
        refused(model, &change, of_joint[i].word);
    }
    joint = joints("hand_L");
    joint.type = -2;
    refused(model, &change, "type -2");
    joint.type = ER_JOINT_TYPE_COUNT;
    refused(model, &change, "type");
    joint = joints("hand_L");
    joint.tag = 0;
    refused(model, &change, "er_default_joint_change");
    joint = joints("hand_L"); // one or the other
    joint.hz = joint.stiffness = 1.0;
    refused(model, &change, "hand_L");
    joint = er_default_joint_change();
    for (joint.joint = -1; joint.joint <= 4; joint.joint += 5)
        refused(model, &change, "");

    const double masses[] = {-1.0, HUGE_VAL}, densities[] = {0.0, HUGE_VAL};
    for (int i = 0; i < 2; ++i) {
        body = er_default_body_change();
        body.body = RIGHT_HAND;
        body.mass = masses[i];
        refused(model, &bodies, "\"hand_R\": mass");
        body.mass = 0.0;
        body.density = densities[i];
        refused(model, &bodies, "\"hand_R\": density factor");
    }
    body = er_default_body_change();
    refused(model, &bodies, "");
    body.body = BODIES;
    refused(model, &bodies, "");
    body.pattern = "foot";
    refused(model, &bodies, "foot");
    body.pattern = "*";
    body.tag = 0;
    refused(model, &bodies, "er_default_body_change");

    double *const of_loop[] = {&loop.at.y, &loop.axis.x, &loop.stiffness, &loop.stiffness};
    const double wrong[] = {NAN, HUGE_VAL, -1.0, HUGE_VAL};
    for (int i = 0; i < 4; ++i) {
        loop = er_default_loop_joint();
        loop.child = "hand_L";
        *of_loop[i] = wrong[i];
        refused(model, &loops, "hand_L");
    }
    loop = er_default_loop_joint();
    refused(model, &loops, "child");
    loop.child = "foot";
    refused(model, &loops, "foot");
    loop.child = "hand_L";
    loop.type = ER_JOINT_FREE;
    refused(model, &loops, "hand_L");
    loop.type = ER_JOINT_REVOLUTE;
    loop.at_body = "nowhere";
    refused(model, &loops, "nowhere");
    loop.at_body = NULL;
    loop.parent = "foot";
    refused(model, &loops, "foot");
    loop.tag = 0;
    refused(model, &loops, "er_default_loop_joint");

    const er_name_pair wrong_pairs[] = {{"_L", ""}, {"", "_R"}, {NULL, "_R"}, {"_L", NULL}, {"_L", "_L"}};
    joint = joints("hand_L");
    change.pair_count = 1;
    for (size_t i = 0; i < ERI_COUNT(wrong_pairs); ++i) {
        pair = wrong_pairs[i];
        change.pair = &pair;
        refused(model, &change, "pair");
    }
    er_model_destroy(model);
}

static void a_list_that_is_not_given_is_refused(void **state)
{
    er_model *model = two_hands();
    er_joint_change joint = joints("hand_L");
    er_body_change body = er_default_body_change();
    er_loop_joint loop = er_default_loop_joint();
    const er_name_pair pair = {"_L", "_R"};
    const int counts[] = {-1, 1};
    for (int i = 0; i < 2; ++i) {
        bool given = counts[i] < 0; // fewer than none
        er_rig_change change = of_joints(counts[i], given ? &joint : NULL);
        refused(model, &change, "joints");
        change = er_default_rig_change();
        change.body_count = counts[i];
        change.body = given ? &body : NULL;
        refused(model, &change, "bodies");
        change = er_default_rig_change();
        change.loop_count = counts[i];
        change.loop = given ? &loop : NULL;
        refused(model, &change, "loops");
        change = of_joints(1, &joint);
        change.pair_count = counts[i];
        change.pair = given ? &pair : NULL;
        refused(model, &change, "pairs");
    }
    er_model_destroy(model);
}

// Five bodies in a row on the world, each named as its joint.
static er_model *row_of(const char *const names[5])
{
    static rig r;
    memset(&r, 0, sizeof r);
    for (int b = 0; b < 5; ++b) {
        er_pose at = {er_q_identity(), er_v3(b + 0.5, 0.25, 0)};
        r.body[rig_add_body(&r, 1.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), at.p, at)].name = names[b];
        er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, b - 1, b, at);
        j->name = names[b];
        j->stiffness[0] = 1.0;
    }
    return rig_model(context, &r);
}

static void a_name_s_twin_has_the_other_text_in_the_first_place(void **state)
{
    static const char *const names[][5] = {
        {"tail", "a_L_R", "a_R_R", "b_R_L", "b_L_L"}, // both texts: the first counts
        {"x", "Left_L", "Left_R", "_L", "_R"},        // what the first pair makes of it is nobody's
        {"y", "armLeft", "armRight", "leg_L", "leg.R"},
    };
    static const int twin[][5] = {{-1, 2, 1, 4, 3}, {-1, 2, 1, 4, 3}, {-1, 2, 1, -1, -1}};
    const er_name_pair pair[] = {{"Left", "Right"}, {"_L", "_R"}};
    for (int t = 0; t < 3; ++t) {
        er_model *model = row_of(names[t]);
        for (int k = 0; k < 5; ++k) {
            bool here[5];
            er_joint_change joint = joints(names[t][k]);
            er_body_change body = er_default_body_change();
            body.body = k;
            er_rig_change change = of_joints(1, &joint);
            change.body_count = 1;
            change.body = &body;
            change.pair_count = 2;
            change.pair = pair;
            assert_int_equal(er_joint_change_find(context, model, &change, 0, here), ER_OK);
            for (int i = 0; i < 5; ++i)
                assert_int_equal(here[i], i == k || i == twin[t][k]);
            assert_int_equal(er_body_change_find(context, model, &change, 0, here), ER_OK);
            for (int i = 0; i < 5; ++i)
                assert_int_equal(here[i], i == k || i == twin[t][k]);
        }
        er_model_destroy(model);
    }
}

static void a_loop_s_joint_is_free_in_its_coordinates_alone(void **state)
{
    static const char *const names[] = {"a", "b", "twice", "twice", "e"};
    er_model *model = row_of(names);
    for (int type = 0; type < ER_JOINT_FREE; ++type) {
        er_loop_joint loop = er_default_loop_joint();
        loop.child = "e";
        loop.at_body = "a";
        loop.at = er_v3(9, 9, 9); // the body's place instead
        loop.type = (er_joint_type)type;
        loop.stiffness = 3.0;
        er_rig_change change = er_default_rig_change();
        change.loop_count = 1;
        change.loop = &loop;
        er_model *out = changed(model, &change);
        const er_joint *j = &out->joint[5];
        int free = er_joint_type_freedom(loop.type, NULL);
        assert_int_equal(j->type, type);
        assert_int_equal(j->child, 4);
        assert_true(er_v3_distance(j->frame.p, model->body[0].pose.p) == 0.0);
        assert_true(j->frame.q.w == 1.0);
        for (int c = 0; c < 6; ++c) {
            assert_true(j->stiffness[c] == (c < free ? 3.0 : 0.0) && j->damping[c] == 0.0);
            assert_true(c >= free || (j->limit[c][0] == -HUGE_VAL && j->limit[c][1] == HUGE_VAL));
        }
        er_model_destroy(out);
        loop.parent = "twice";
        refused(model, &change, "\"twice\"");
    }
    er_model_destroy(model);
}

static void the_rig_s_hold_in_the_world_is_not_made_free(void **state)
{
    static const char *const names[] = {"root", "b", "c", "d", "e"};
    er_model *model = row_of(names);
    er_joint_change joint = joints("?oot");
    joint.type = ER_JOINT_FREE;
    er_rig_change change = of_joints(1, &joint);
    refused(model, &change, "root");
    joint.pattern = NULL;
    joint.joint = 0;
    refused(model, &change, "root");
    joint.joint = 1;
    er_model *out = changed(model, &change);
    assert_int_equal(out->joint[1].type, ER_JOINT_FREE);
    assert_int_equal(out->joint[0].type, ER_JOINT_REVOLUTE);
    er_model_destroy(out);
    er_model_destroy(model);
}

// A change with entries for what is there and, optional, for what is not gives the model that the former alone give.
static void what_is_optional_and_not_there_is_left_out(void **state)
{
    er_model *model = two_hands();
    const er_name_pair pair = {"_L", "_R"};
    er_joint_change joint[2] = {joints("arm_L"), joints("tail_*")};
    er_body_change body[2] = {er_default_body_change(), er_default_body_change()};
    er_loop_joint loop[2] = {er_default_loop_joint(), er_default_loop_joint()};
    bool here[BODIES];
    joint[0].stiffness = joint[1].stiffness = 7.0;
    body[0].pattern = "hand_R";
    body[1].pattern = "saddle";
    body[0].mass = body[1].mass = 3.0;
    loop[0].child = "saddle";
    loop[1].child = "hand_L";
    loop[1].at_body = "hand_L";
    er_rig_change change = of_joints(2, joint);
    change.body_count = change.loop_count = 2;
    change.pair_count = 1;
    change.body = body;
    change.loop = loop;
    change.pair = &pair;
    refused(model, &change, "\"tail_*\"");
    joint[1].optional = true;
    refused(model, &change, "\"saddle\"");
    body[1].optional = true;
    refused(model, &change, "\"saddle\"");
    loop[0].optional = true;
    er_model *out = changed(model, &change);
    assert_int_equal(out->joint_count, model->joint_count + 1);
    assert_string_equal(out->joint[model->joint_count].name, "hand_L to the world");
    assert_true(out->body[LEFT_HAND].mass == 3.0 && out->body[RIGHT_HAND].mass == 3.0 && out->body[TRUNK].mass == 2.0);
    assert_true(out->joint[0].stiffness[0] == 7.0 && out->joint[1].stiffness[0] == 7.0);
    // The names, and by pairs their twins; joints are named as the bodies behind the trunk.
    assert_int_equal(er_joint_change_find(context, model, &change, 0, here), ER_OK);
    assert_true(here[LEFT - 1] && here[RIGHT - 1] && !here[LEFT_HAND - 1] && !here[RIGHT_HAND - 1]);
    assert_int_equal(er_joint_change_find(context, model, &change, 1, here), ER_OK);
    assert_false(here[0] || here[1] || here[2] || here[3]);
    assert_int_equal(er_body_change_find(context, model, &change, 0, here), ER_OK);
    assert_true(here[LEFT_HAND] && here[RIGHT_HAND] && !here[TRUNK] && !here[LEFT] && !here[RIGHT]);
    change.joint = NULL;
    assert_int_equal(er_joint_change_find(context, model, &change, 0, here), ER_ERROR_ARGUMENT);
    change.body = NULL;
    assert_int_equal(er_body_change_find(context, model, &change, 0, here), ER_ERROR_ARGUMENT);
    er_model_destroy(out);
    er_model_destroy(model);
}

// If two changes set the same property, the later one counts: springs by hz or stiffness, masses by density or mass,
// dampers by a ratio or one by one.
static void later_words_end_earlier_ones_on_the_same_thing(void **state)
{
    er_model *model = two_hands();
    const er_stiffness alone = {.hz = 2.0, .alpha = 1.0};
    double at_2_hz[64], mass = model->body[LEFT].mass;
    for (int order = 0; order < 2; ++order) {
        er_joint_change change[2] = {joints("arm_L"), joints("arm_L")}, *first = &change[order],
                        *second = &change[1 - order];
        first->hz = 2.0;
        first->density = 3.0;
        first->damping_ratio = 0.25;
        first->spring[2] = 4.0;
        second->stiffness = 7.0;
        second->mass = 1.25;
        second->damper[1] = 0.5;
        second->spring[0] = 6.0;
        er_rig_change whole = of_joints(2, change);
        er_model *out = changed(model, &whole);
        const er_joint *j = &out->joint[0];
        assert_int_equal(er_stiffness_apply(context, out, &alone, at_2_hz), ER_OK);
        const double expected[2][3] = {{6.0, 7.0, 7.0}, {at_2_hz[0], at_2_hz[1], 4.0}};
        for (int c = 0; c < 3; ++c) {
            measure_at_most("spring of the later", relative_error(j->stiffness[c], expected[order][c]), 1e-12);
            // I_j is k / (2 pi hz)^2, whatever the spring is
            double damper = 2.0 * 0.25 * sqrt(j->stiffness[c] * at_2_hz[c]) / (4.0 * ER_PI);
            if (order == 0 && c == 1) damper = 0.5;
            measure_at_most("damper of the later", relative_error(j->damping[c], damper), 1e-12);
        }
        measure_at_most("mass of the later", fabs(out->body[LEFT].mass - (order == 0 ? 1.25 : 3.0 * mass)), 1e-14);
        er_model_destroy(out);
    }
    // what bodies say comes after what joints say of them, where it says anything
    for (int says = 0; says < 3; ++says) {
        er_joint_change joint = joints("arm_L");
        er_body_change body = er_default_body_change();
        joint.mass = 5.0;
        body.pattern = "arm_L";
        if (says == 1) body.density = 4.0;
        if (says == 2) body.mass = 6.0;
        er_rig_change whole = of_joints(1, &joint);
        whole.body_count = 1;
        whole.body = &body;
        er_model *out = changed(model, &whole);
        double expected = says == 0 ? 5.0 : says == 1 ? 4.0 * mass : 6.0;
        measure_at_most("mass that a body says", fabs(out->body[LEFT].mass - expected), 1e-14);
        er_model_destroy(out);
    }
    er_joint_change limit[2] = {joints("arm_L"), joints("arm_L")};
    limit[0].limit[1][0] = -2.0;
    limit[1].limit[1][1] = 3.0;
    er_rig_change whole = of_joints(2, limit);
    er_model *out = changed(model, &whole);
    assert_true(out->joint[0].limit[1][0] == -2.0 && out->joint[0].limit[1][1] == 3.0);
    assert_true(out->joint[0].stiffness[1] == 10.0 && out->joint[0].damping[1] == 0.0);
    er_model_destroy(out);
    er_model_destroy(model);
}

// A root that floats by a free joint, or by none, is held where it stands; a free joint between two bodies is no
// root's.
static void roots_are_held_where_they_stand(void **state)
{
    static rig r;
    for (int joined = 0; joined < 2; ++joined) {
        memset(&r, 0, sizeof r);
        er_pose at[3] = {
            {er_q_exp(er_v3(0.1, 0.2, 0.3)), {1, 2, 3}}, {er_q_identity(), {4, 5, 6}}, {er_q_identity(), {7, 8, 9}}};
        static const char *const names[] = {"a", "b", "c"};
        for (int b = 0; b < 3; ++b)
            r.body[rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), at[b].p, at[b])].name = names[b];
        if (joined == 1) rig_add_joint(&r, ER_JOINT_FREE, -1, 0, at[0])->name = "floats";
        er_joint *between = rig_add_joint(&r, ER_JOINT_FREE, 0, 1, at[1]);
        between->name = "between";
        between->stiffness[0] = 3.0;
        er_model *model = rig_model(context, &r);
        er_rig_change change = er_default_rig_change();
        change.fix_root = true;
        er_model *out = changed(model, &change);
        assert_int_equal(out->joint_count, 3);
        for (int k = 0; k < 3; ++k) {
            const er_joint *j = &out->joint[k];
            if (strcmp(j->name, "between") == 0) {
                assert_true(j->type == ER_JOINT_FREE && j->parent == 0 && j->stiffness[0] == 3.0);
                continue;
            }
            assert_int_equal(j->type, ER_JOINT_FIXED);
            assert_int_equal(j->parent, -1);
            assert_string_equal(j->name, j->child == 0 ? "a to the world" : "c to the world");
            assert_memory_equal(&j->frame, &model->body[j->child].pose, sizeof j->frame);
        }
        er_model_destroy(out);
        er_model_destroy(model);
    }
}

static void what_is_called_nearly_so_is_named(void **state)
{
    er_model *model = two_hands();
    er_joint_change joint = joints("hand_M");
    er_rig_change change = of_joints(1, &joint);
    refused(model, &change, "\"hand_L\"");
    joint.pattern = "wing";
    refused(model, &change, "\"wing\"");
    assert_null(strstr(er_context_error(context), "hand"));
    er_loop_joint loop = er_default_loop_joint();
    loop.child = "trunc";
    change = er_default_rig_change();
    change.loop_count = 1;
    change.loop = &loop;
    refused(model, &change, "\"trunk\"");
    er_model_destroy(model);
}

// Damping of the whole: zero is said, less than that stays; and all masses said leave nothing to share.
static void the_whole_rig_s_numbers_stay_where_they_are_not_said(void **state)
{
    static rig r;
    memset(&r, 0, sizeof r);
    for (int b = 0; b < 2; ++b)
        rig_add_body(&r, 2.0, er_v3(1, 1, 1), er_q_identity(), er_v3(b, 0, 0), er_pose_identity());
    er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, er_pose_identity());
    j->stiffness[0] = 5.0;
    r.damping_ratio = 0.1;
    r.rayleigh_mass = 0.2;
    r.rayleigh_stiffness = 0.3;
    er_model *model = rig_model(context, &r);
    for (int said = -1; said < 3; ++said) {
        er_rig_change change = er_default_rig_change();
        double *const field[] = {&change.damping_ratio, &change.rayleigh_mass, &change.rayleigh_stiffness};
        if (said >= 0) *field[said] = 0.0;
        er_model *out = changed(model, &change);
        assert_true(out->damping_ratio == (said == 0 ? 0.0 : 0.1) && out->rayleigh_mass == (said == 1 ? 0.0 : 0.2));
        assert_true(out->rayleigh_stiffness == (said == 2 ? 0.0 : 0.3));
        assert_string_equal(out->name, model->name);
        assert_string_equal(out->source, model->source);
        assert_true(out->joint[0].stiffness[0] == 5.0);
        er_model_destroy(out);
    }
    er_body_change body = er_default_body_change();
    er_rig_change change = er_default_rig_change();
    change.body_count = 1;
    change.body = &body;
    body.pattern = "*";
    body.mass = 3.0;
    change.mass = 100.0;
    refused(model, &change, "mass 100 kg");
    body.pattern = NULL;
    body.body = 0;
    change.mass = 3.0;
    refused(model, &change, "mass 3 kg");
    change.mass = 3.5;
    er_model *out = changed(model, &change);
    assert_true(fabs(out->body[0].mass - 3.0) < 1e-15 && fabs(out->body[1].mass - 0.5) < 1e-15);
    er_model_destroy(out);
    er_model_destroy(model);
}

// Twins in one place have no mirror between them: they get the axis as it is said.
static void twins_in_one_place_get_the_same_axis(void **state)
{
    static rig r;
    memset(&r, 0, sizeof r);
    static const char *const names[] = {"trunk", "eye_L", "eye_R"};
    for (int b = 0; b < 3; ++b) {
        er_pose at = {er_q_identity(), {b > 0, 0, 0}};
        r.body[rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), at.p, at)].name = names[b];
        if (b > 0) rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, b, at)->name = names[b];
    }
    er_model *model = rig_model(context, &r);
    const er_name_pair pair = {"_L", "_R"};
    er_joint_change eye = joints("eye_R");
    eye.axis = er_v3(0, 3, 4);
    er_rig_change change = of_joints(1, &eye);
    change.pair_count = 1;
    change.pair = &pair;
    er_model *out = changed(model, &change);
    for (int k = 0; k < 2; ++k)
        assert_true(er_v3_distance(er_q_rotate(out->joint[k].frame.q, er_v3(0, 0, 1)), er_v3(0, 0.6, 0.8)) < 1e-14);
    er_model_destroy(out);
    er_model_destroy(model);
}

static const er_rig_change *all;

static er_result apply_all(er_context *own, const void *of)
{
    er_model *out = (er_model *)&own;
    er_result r = er_rig_change_model(own, of, all, &out);
    assert_true(r == ER_OK || out == NULL);
    er_model_destroy(out);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    er_model *model = two_hands();
    const er_name_pair pair = {"_L", "_R"};
    const er_stiffness law = {.hz = 2.0, .alpha = 0.5};
    er_joint_change joint = joints("arm_L");
    er_body_change body = er_default_body_change();
    er_loop_joint loop = er_default_loop_joint();
    joint.damping_ratio = 0.1;
    joint.type = ER_JOINT_CYLINDRICAL;
    joint.hz = 2.0;
    body.pattern = "hand_L";
    body.density = 2.0;
    loop.child = "hand_L";
    er_rig_change change = of_joints(1, &joint);
    change.body_count = change.loop_count = change.pair_count = 1;
    change.body = &body;
    change.loop = &loop;
    change.pair = &pair;
    change.stiffness = &law;
    change.fix_root = true;
    all = &change;
    ledger_refuse_each(apply_all, model, NULL);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axis_is_where_z_of_the_frame_comes),
        cmocka_unit_test(coordinates_get_their_own_springs_dampers_and_limits),
        cmocka_unit_test(twins_get_what_one_of_them_is_said),
        cmocka_unit_test(named_masses_hold_and_the_others_share_the_rest),
        cmocka_unit_test(a_loop_closes_where_it_is_said),
        cmocka_unit_test(values_of_a_change_have_their_bounds),
        cmocka_unit_test(a_list_that_is_not_given_is_refused),
        cmocka_unit_test(a_name_s_twin_has_the_other_text_in_the_first_place),
        cmocka_unit_test(a_loop_s_joint_is_free_in_its_coordinates_alone),
        cmocka_unit_test(the_rig_s_hold_in_the_world_is_not_made_free),
        cmocka_unit_test(what_is_optional_and_not_there_is_left_out),
        cmocka_unit_test(later_words_end_earlier_ones_on_the_same_thing),
        cmocka_unit_test(roots_are_held_where_they_stand),
        cmocka_unit_test(what_is_called_nearly_so_is_named),
        cmocka_unit_test(the_whole_rig_s_numbers_stay_where_they_are_not_said),
        cmocka_unit_test(twins_in_one_place_get_the_same_axis),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
