// Where bones begin and lead, on rigs made by hand whose places are read off the numbers below.
#include <eigenrig/rig.h>

#include "support/context.h"
#include "support/judge.h"

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

static void body(rig *r, double x, double y, double z, er_vec3 com)
{
    rig_add_body(r, 1.0, er_v3(0.01, 0.01, 0.01), er_q_identity(), er_v3_add(er_v3(x, y, z), com), at(x, y, z));
}

static void joint(rig *r, int parent, int child, er_vec3 place, bool closes_loop)
{
    er_joint *j = rig_add_joint(r, ER_JOINT_REVOLUTE, parent, child, at(place.x, place.y, place.z));
    j->closes_loop = closes_loop;
    j->stiffness[0] = 1.0;
}

static void expect_point(er_vec3 found, double x, double y, double z)
{
    measure_at_most("place", er_v3_distance(found, er_v3(x, y, z)), 1e-15);
}

static er_bones *bones_of(const er_model *model)
{
    er_bones *bones;
    assert_int_equal(er_bones_create(context, model, &bones), ER_OK);
    return bones;
}

// An arm that floats, the trunk that hangs on it, the other arm, and a hand whose frame is not at its joint.
static void bones_lead_from_joint_to_joints(void **state)
{
    (void)state;
    rig r = {0};
    body(&r, 0, 0, 0, er_v3(0, 0.5, 0));
    body(&r, 1, 2, 0, er_v3(0.5, 0, 0));
    body(&r, -1, 2, 0, er_v3(-0.5, 0.1, 0));
    body(&r, 2.5, 2, 0, er_v3(0, 0, 0.25));
    joint(&r, 0, 1, er_v3(1, 2, 0), false);
    joint(&r, 2, 0, er_v3(-1, 2, 0), false); // holds the trunk, whose parent floats
    joint(&r, 1, 3, er_v3(2, 2, 0), false);
    er_model *model = rig_model(context, &r);
    er_bones *bones = bones_of(model);
    assert_int_equal(bones->start[4], 4);
    expect_point(bones->head[0], -1, 2, 0);
    expect_point(bones->end[0], 1, 2, 0);
    expect_point(bones->head[1], 1, 2, 0);
    expect_point(bones->end[1], 2, 2, 0);
    expect_point(bones->end[2], -2, 2.2, 0); // the root of the tree: twice as far as its mass
    expect_point(bones->head[3], 2, 2, 0);
    er_bones_destroy(bones);
    er_model_destroy(model);
}

static void a_joint_that_closes_a_loop_leads_where_no_other_does(void **state)
{
    (void)state;
    rig r = {0};
    body(&r, 0, 0, 0, er_v3(0, 0.5, 0));
    body(&r, 0, 1, 0, er_v3(0.5, 0, 0));
    body(&r, 1, 1, 0, er_v3(0, -0.2, 0));
    joint(&r, -1, 0, er_v3(0, 0, 0), false);
    joint(&r, 0, 1, er_v3(0, 1, 0), false);
    joint(&r, 1, 2, er_v3(1, 1, 0), false);
    joint(&r, 2, 0, er_v3(1, 0, 0), true); // the last bar leads to it; the first leads on already
    er_model *model = rig_model(context, &r);
    er_bones *bones = bones_of(model);
    assert_int_equal(bones->start[3], 3);
    expect_point(bones->end[0], 0, 1, 0);
    expect_point(bones->end[1], 1, 1, 0);
    expect_point(bones->end[2], 1, 0, 0);
    er_bones_destroy(bones);
    er_model_destroy(model);
}

// The bar that leads nowhere else is the first body, and what closes the loop hangs on it.
static void a_joint_that_closes_a_loop_leads_its_parent_too(void **state)
{
    (void)state;
    rig r = {0};
    body(&r, 1, 1, 0, er_v3(0, -0.2, 0));
    body(&r, 0, 0, 0, er_v3(0, 0.5, 0));
    body(&r, 0, 1, 0, er_v3(0.5, 0, 0));
    joint(&r, -1, 1, er_v3(0, 0, 0), false);
    joint(&r, 1, 2, er_v3(0, 1, 0), false);
    joint(&r, 2, 0, er_v3(1, 1, 0), false);
    joint(&r, 0, 1, er_v3(1, 0, 0), true);
    er_model *model = rig_model(context, &r);
    er_bones *bones = bones_of(model);
    assert_int_equal(bones->start[3], 3);
    expect_point(bones->end[0], 1, 0, 0);
    expect_point(bones->tip[0], 1, 0, 0);
    expect_point(bones->end[1], 0, 1, 0);
    expect_point(bones->end[2], 1, 1, 0);
    er_bones_destroy(bones);
    er_model_destroy(model);
}

// Ends on both sides of the head, as hips: their middle gives no direction, the mass does.
static void a_middle_at_the_head_is_none(void **state)
{
    (void)state;
    rig r = {0};
    body(&r, 0, 0, 0, er_v3(0, 0.5, 0));
    body(&r, 1, 0, 0, er_v3(0, -0.5, 0));
    body(&r, -1, 0, 0, er_v3(0, 0, 0));
    joint(&r, -1, 0, er_v3(0, 0, 0), false);
    joint(&r, 0, 1, er_v3(1, 0, 0), false);
    joint(&r, 0, 2, er_v3(-1, 0, 0), false);
    er_model *model = rig_model(context, &r);
    er_bones *bones = bones_of(model);
    expect_point(bones->tip[0], 0, 1, 0);
    expect_point(bones->tip[1], 1, -1, 0);
    er_vec3 on = er_v3_sub(bones->tip[2], bones->head[2]); // its mass is at its head: a little on from its parent
    measure_at_most("direction", er_v3_norm(er_v3_cross(on, er_v3(-1, 0, 0))), 1e-15);
    assert_true(on.x < -0.009 * model->size && on.x > -0.11 * model->size);
    er_bones_destroy(bones);
    er_model_destroy(model);
}

static void nothing_is_refused(void **state)
{
    (void)state;
    er_bones *bones = (er_bones *)state;
    assert_int_equal(er_bones_create(context, NULL, &bones), ER_ERROR_ARGUMENT);
    assert_null(bones);
    er_bones_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_lead_from_joint_to_joints),
        cmocka_unit_test(a_joint_that_closes_a_loop_leads_where_no_other_does),
        cmocka_unit_test(a_joint_that_closes_a_loop_leads_its_parent_too),
        cmocka_unit_test(a_middle_at_the_head_is_none),
        cmocka_unit_test(nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
