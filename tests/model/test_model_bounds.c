// The last that er_model_create() lets in, the sentence that each refusal says, and what of a rig it copies and finds.
#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"

#include <string.h>

// Body 0 "base" hinged to the world, 1 "arm" on it by a ball joint "elbow".
static rig arm_rig(void)
{
    rig r = {0};
    for (int i = 0; i < 2; ++i) {
        er_pose pose = {er_q_identity(), er_v3(i, 0, 0)};
        rig_add_body(&r, 1.0, er_v3(0.1, 0.2, 0.2), er_q_identity(), er_v3(i + 0.5, 0, 0), pose);
        rig_add_joint(&r, i == 1 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, i - 1, i, pose);
        r.body[i].name = i == 0 ? "base" : "arm";
        r.joint[i].name = i == 0 ? "shoulder" : "elbow";
    }
    return r;
}

// An arm rig with one thing changed is refused by a message with these words; NULL: it is let in.
#define REFUSED(named, ...)                                                                                            \
    do {                                                                                                               \
        rig r = arm_rig();                                                                                             \
        er_body *body = &r.body[1];                                                                                    \
        er_joint *joint = &r.joint[1];                                                                                 \
        (void)body, (void)joint;                                                                                       \
        __VA_ARGS__;                                                                                                   \
        try_rig(&r, named);                                                                                            \
    } while (0)

static void try_rig(const rig *r, const char *named)
{
    er_model_def def = rig_def(r);
    er_model *model = NULL;
    er_result result = er_model_create(context, &def, &model);
    er_model_destroy(model);
    if (named == NULL && result != ER_OK) fail_msg("%s", er_context_error(context));
    if (named == NULL) return;
    assert_refusal(context, result, ER_ERROR_RIG, named);
}

static void each_refusal_names_the_part_and_the_field(void **state)
{
    REFUSED(NULL, );
    REFUSED("body 1 \"arm\": mass 0", body->mass = 0);
    REFUSED("body 1 \"\": mass -2", body->mass = -2, body->name = NULL);
    REFUSED("body 1 \"arm\": the centre of mass (com)", body->com.y = NAN);
    REFUSED("body 1 \"arm\": the inertia is not finite", body->inertia.m[2][0] = NAN);
    REFUSED("body 1 \"arm\": the inertia is not symmetric", body->inertia.m[2][0] = 0.01);
    REFUSED("body 1 \"arm\": the inertia is not that of any solid", body->inertia.m[1][1] = 0.31);
    REFUSED("body 1 \"arm\": pose has the orientation (2, 0, 0, 0)", body->pose.q.w = 2);
    REFUSED("joint 1 \"elbow\": parent 2", joint->parent = 2);
    REFUSED("joint 1 \"\": child -1", joint->child = -1, joint->name = NULL);
    REFUSED("joint 1 \"elbow\": joins body 0 to itself", joint->child = 0);
    REFUSED("joint 1 \"elbow\": unknown type", joint->type = (er_joint_type)ER_JOINT_TYPE_COUNT);
    REFUSED("joint 1 \"elbow\": frame has the orientation (0, 0, 0, 0)", joint->frame.q.w = 0);
    REFUSED("joint 1 \"elbow\": the pitch 0", joint->type = ER_JOINT_SCREW);
    REFUSED("joint 1 \"elbow\": the pitch nan", joint->type = ER_JOINT_SCREW, joint->pitch = NAN);
    REFUSED(NULL, joint->type = ER_JOINT_SCREW, joint->pitch = -0.1);
    REFUSED("joint 1 \"elbow\": stiffness -3", joint->stiffness[1] = -3);
    REFUSED("joint 1 \"elbow\": damping -4", joint->damping[2] = -4);
    REFUSED("joint 1 \"elbow\": limits [2, 1]", joint->limit[0][0] = 2, joint->limit[0][1] = 1);
    REFUSED("damping ratio -1", r.damping_ratio = -1);
    REFUSED("Rayleigh factor of the mass -2", r.rayleigh_mass = -2);
    REFUSED("Rayleigh factor of the stiffness -3", r.rayleigh_stiffness = -3);
    REFUSED("joint 1 \"elbow\" closes a cycle of joints", joint->parent = -1, joint->child = 0);
    REFUSED("body 0 \"base\" lies on a cycle of joints",
            r.joint[0].parent = 1); // each hangs on the other
}

// Turns whose quaternion's square is off by just less and just more than a thousandth; and places up to the last one.
static void turns_and_places_have_their_bounds(void **state)
{
    static const char body_words[] = "body 1 \"arm\": pose";
    static const char joint_words[] = "joint 1 \"elbow\": frame";
    static const char com_words[] = "body 1 \"arm\": the centre of mass (com)";
    for (int side = -1; side <= 1; side += 2) {
        double near = sqrt(1 + 0.00099 * side), far = sqrt(1 + 0.00101 * side);
        REFUSED(NULL, body->pose.q.w = near);
        REFUSED(body_words, body->pose.q.w = far);
        REFUSED(NULL, joint->frame.q.w = near);
        REFUSED(joint_words, joint->frame.q.w = far);
        for (int axis = 0; axis < 3; ++axis) {
            double last[3] = {0}, beyond[3] = {0};
            last[axis] = side * 1e50;
            beyond[axis] = side * 1.01e50;
            er_vec3 within = er_v3(last[0], last[1], last[2]), without = er_v3(beyond[0], beyond[1], beyond[2]);
            REFUSED(NULL, body->pose.p = within);
            REFUSED(body_words, body->pose.p = without);
            REFUSED(NULL, joint->frame.p = within);
            REFUSED(joint_words, joint->frame.p = without);
            REFUSED(NULL, body->com = within);
            REFUSED(com_words, body->com = without);
        }
    }
}

static void inertias_and_limits_have_their_bounds(void **state)
{
    static const char no_solid[] = "body 1 \"arm\": the inertia is not that of any solid";
    const er_mat3 one = er_m3_identity(), none = {0};
    REFUSED(NULL, body->inertia = er_m3_madd(none, 0.4e-50, one)); // of trace 1.2e-50
    REFUSED(no_solid, body->inertia = er_m3_madd(none, 0.3e-50, one));
    REFUSED(NULL, body->inertia = er_m3_madd(none, 1e50, one));
    REFUSED("body 1 \"arm\": the inertia is not finite", body->inertia = er_m3_madd(none, 1.01e50, one));
    REFUSED("body 1 \"arm\": the inertia is not finite", body->inertia.m[0][1] = -1.01e50);
    // asymmetry over the largest entry, 0.2, wherever it is
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            if (i == k) continue;
            REFUSED(NULL, body->inertia.m[i][k] = 0.99e-6 * 0.2);
            REFUSED("body 1 \"arm\": the inertia is not symmetric", body->inertia.m[i][k] = -1.01e-6 * 0.2);
        }
    REFUSED(NULL, joint->limit[2][0] = -HUGE_VAL, joint->limit[2][1] = HUGE_VAL);
    REFUSED(NULL, joint->limit[2][0] = joint->limit[2][1] = -0.5);
    REFUSED("joint 1 \"elbow\": limits [inf, inf]", joint->limit[2][0] = joint->limit[2][1] = HUGE_VAL);
    REFUSED("joint 1 \"elbow\": limits [-inf, -inf]", joint->limit[2][0] = joint->limit[2][1] = -HUGE_VAL);
    REFUSED("joint 1 \"elbow\": limits [0, nan]", joint->limit[2][0] = 0, joint->limit[2][1] = NAN);
    REFUSED("joint 1 \"elbow\": swing", joint->swing = -0.1);
    REFUSED("joint 1 \"elbow\": swing", joint->swing = NAN);
    REFUSED("joint 1 \"elbow\": twist", joint->twist[0] = 0.2, joint->twist[1] = 0.1);
    REFUSED("joint 1 \"elbow\": twist", joint->twist[0] = joint->twist[1] = HUGE_VAL);
}

// Counts are judged before the arrays, which are told of where there is none.
static void counts_have_their_bounds(void **state)
{
    static const struct {
        int bodies, joints;
        bool has_bodies, has_joints;
        const char *named;
    } cases[] = {
        {0, 0, true, true, "bodies, not 0"},
        {10000001, 0, false, false, "bodies, not 10000001"},
        {2, -1, true, true, "joints, not -1"},
        {2, 10000001, true, false, "joints, not 10000001"},
        {10000000, 0, false, false, "10000000 bodies and 0 joints"},
        {2, 10000000, true, false, "2 bodies and 10000000 joints"},
        {2, 1, false, true, "2 bodies and 1 joints"},
    };
    const rig r = arm_rig();
    er_model *model = NULL;
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_model_def def = rig_def(&r);
        def.body_count = cases[i].bodies;
        def.joint_count = cases[i].joints;
        if (!cases[i].has_bodies) def.body = NULL;
        if (!cases[i].has_joints) def.joint = NULL;
        assert_refusal(context, er_model_create(context, &def, &model), ER_ERROR_RIG, cases[i].named);
    }
    er_model_def def = rig_def(&r);
    def.joint_count = 0; // bodies alone
    def.joint = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    assert_true(model->joint_count == 0 && model->coordinate_count == 0 && model->loop_count == 0);
    er_model_destroy(model);
    assert_refusal(context, er_model_create(context, NULL, &model), ER_ERROR_ARGUMENT, "er_default_model_def()");
}

static void a_model_has_what_its_def_says(void **state)
{
    rig r = arm_rig();
    char name[] = "crane", source[] = "crane.json";
    r.damping_ratio = 0.125;
    r.rayleigh_mass = 0.25;
    r.rayleigh_stiffness = 0.5;
    r.joint[1].limit[2][0] = -1.5;
    r.joint[1].limit[2][1] = 2.5;
    r.joint[1].damping[2] = 3.5;
    r.joint[1].stiffness[2] = 4.5;
    r.body[0].inertia.m[0][1] = 2e-8; // halves of what is not symmetric, by rounding
    r.body[0].inertia.m[2][1] = -4e-8;
    er_model_def def = rig_def(&r);
    def.name = name;
    def.source = source;
    er_model *model = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    memset(name, 'x', sizeof name - 1);
    memset(source, 'x', sizeof source - 1);
    assert_string_equal(model->name, "crane");
    assert_string_equal(model->source, "crane.json");
    assert_true(model->damping_ratio == 0.125 && model->rayleigh_mass == 0.25 && model->rayleigh_stiffness == 0.5);
    assert_true(model->body_count == 2 && model->joint_count == 2 && model->coordinate_count == 4);
    assert_int_equal(model->loop_count, 0);
    const er_joint *elbow = &model->joint[1];
    assert_true(elbow->limit[2][0] == -1.5 && elbow->limit[2][1] == 2.5);
    assert_true(elbow->damping[2] == 3.5 && elbow->stiffness[2] == 4.5);
    const er_mat3 *J = &model->body[0].inertia;
    assert_true(J->m[0][1] == 1e-8 && J->m[1][0] == 1e-8 && J->m[2][1] == -2e-8 && J->m[1][2] == -2e-8);
    assert_true(J->m[0][0] == 0.1 && J->m[1][1] == 0.2 && J->m[2][2] == 0.2 && J->m[0][2] == 0.0);
    er_model_destroy(model);
}

// Breadth first, joints in their order: from the world, then from each body, in its order, that is no joint's child.
static void the_tree_is_found_breadth_first_in_the_order_of_joints(void **state)
{
    enum { BODIES = 9 };
    static const int ends[][2] = {// parent, child
                                  {2, 4}, {-1, 2}, {2, 0}, {-1, 7}, {0, 8}, {7, 4}, {3, 1}, {5, 1}, {2, 6}};
    static const int order[BODIES] = {2, 7, 4, 0, 6, 8, 3, 1, 5};
    static const int joint[BODIES] = {2, 6, 1, -1, 0, 7, 8, 3, 4}, parent[BODIES] = {2, 3, -1, -1, 2, 1, 2, -1, 0};
    rig r = {0};
    for (int i = 0; i < BODIES; ++i)
        rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    for (size_t k = 0; k < ERI_COUNT(ends); ++k) // body 1 has two parents: its tree is crossed from child to parent
        rig_add_joint(&r, ER_JOINT_REVOLUTE, ends[k][0], ends[k][1], er_pose_identity())->closes_loop = k == 5;
    er_model *model = rig_model(context, &r);
    assert_int_equal(model->loop_count, 1);
    assert_memory_equal(model->order, order, sizeof order);
    assert_memory_equal(model->tree_joint, joint, sizeof joint);
    assert_memory_equal(model->tree_parent, parent, sizeof parent);
    er_model_destroy(model);
}

// The diagonal of the box about all frames and centres of mass, or the largest radius of gyration where that is more.
static void the_size_is_of_the_box_or_of_the_largest_body(void **state)
{
    dice d = {41};
    int boxes = 0, bodies = 0;
    for (int trial = 0; trial < 200; ++trial) {
        rig r = {0};
        int count = 1 + dice_below(&d, 3);
        double spread = pow(10.0, dice_uniform(&d, -2, 1)), least[3], most[3], gyration = 0.0;
        for (int i = 0; i < 3; ++i)
            least[i] = HUGE_VAL, most[i] = -HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            double mass = pow(10.0, dice_uniform(&d, -1, 1)), s = dice_uniform(&d, 0.1, 1.0);
            er_pose pose = dice_pose(&d);
            er_vec3 com = er_v3_scale(spread, dice_vec3(&d));
            pose.p = er_v3_scale(spread, pose.p);
            rig_add_body(&r, mass, er_v3(s, s, 1.5 * s), dice_quat(&d), com, pose);
            gyration = fmax(gyration, sqrt(3.5 * s / mass));
            er_pose frame = dice_pose(&d);
            frame.p = er_v3_scale(spread, frame.p);
            rig_add_joint(&r, ER_JOINT_REVOLUTE, i - 1, i, frame);
            const er_vec3 points[] = {pose.p, com, frame.p};
            for (size_t k = 0; k < ERI_COUNT(points); ++k) {
                const double p[3] = {points[k].x, points[k].y, points[k].z};
                for (int axis = 0; axis < 3; ++axis) {
                    least[axis] = fmin(least[axis], p[axis]);
                    most[axis] = fmax(most[axis], p[axis]);
                }
            }
        }
        double diagonal = hypot(hypot(most[0] - least[0], most[1] - least[1]), most[2] - least[2]);
        er_model *model = rig_model(context, &r);
        measure_at_most("size of a rig", relative_error(model->size, fmax(diagonal, gyration)), 1e-13);
        *(diagonal > gyration ? &boxes : &bodies) += 1;
        er_model_destroy(model);
    }
    assert_true(boxes > 20 && bodies > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_refusal_names_the_part_and_the_field),
        cmocka_unit_test(turns_and_places_have_their_bounds),
        cmocka_unit_test(inertias_and_limits_have_their_bounds),
        cmocka_unit_test(counts_have_their_bounds),
        cmocka_unit_test(a_model_has_what_its_def_says),
        cmocka_unit_test(the_tree_is_found_breadth_first_in_the_order_of_joints),
        cmocka_unit_test(the_size_is_of_the_box_or_of_the_largest_body),
    };
    return cmocka_run_group_tests_name("model_bounds", tests, set_up, tear_down);
}
