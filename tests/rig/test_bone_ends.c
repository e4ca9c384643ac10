// Where bones begin and lead, on rigs made by hand whose places are read off the numbers below.
#include <math.h>

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

// A bone whose mass is at its head leads a little on from its parent: three tenths of the way, from a hundredth of the
// rig's size to a tenth; without a parent along its own y.
static void a_bone_without_direction_leads_a_little_on(void **state)
{
    static const double way[] = {0.01, 0.6, 5.0}; // from the head of its parent
    for (int i = 0; i < 3; ++i) {
        rig r = {0};
        body(&r, 5, 5, 0, er_v3(1, 0, 0));
        body(&r, 0, 0, way[i], er_v3(0, 0, 0));
        joint(&r, -1, 0, er_v3(0, 0, 0), false);
        joint(&r, 0, 1, er_v3(0, 0, way[i]), false);
        body(&r, 0, 0, -3, er_v3(0, 0, 0)); // by itself
        r.body[2].pose.q = er_q_exp(er_v3(0.5 * ER_PI, 0, 0));
        er_model *model = rig_model(context, &r);
        er_bones *bones = bones_of(model);
        double size = model->size, length = fmin(fmax(0.3 * way[i], 0.01 * size), 0.1 * size);
        assert_true(length == (i == 0 ? 0.01 * size : i == 1 ? 0.3 * way[i] : 0.1 * size));
        expect_point(bones->end[bones->start[1]], 0, 0, way[i] + length);
        measure_at_most("way along y", er_v3_distance(bones->tip[2], er_v3(0, 0, -3 + 0.01 * size)), 1e-15);
        er_bones_destroy(bones);
        er_model_destroy(model);
    }
}

// A joint within 1/1000 of the rig's size of a head gives no direction, nor does a centre of mass within 1/100.
static void what_is_near_the_head_gives_no_direction(void **state)
{
    for (int far = 0; far < 2; ++far)
        for (int kind = 0; kind < 3; ++kind) { // a joint, the mass, the middle of two joints
            double size = 1.0, off = 0.0;
            for (int round = 0; round < 4; ++round) { // the size, with what is off
                rig r = {0};
                off = size * (kind == 1 ? 1e-2 : 1e-3) * (far == 1 ? 1.02 : 0.98);
                body(&r, 0, 0, 0, er_v3(0, 0, kind == 1 ? off : 1.0));
                joint(&r, -1, 0, er_v3(0, 0, 0), false);
                for (int k = 0; k < 2 && kind != 1; ++k) {
                    double x = kind == 0 ? off : k == 0 ? 1.0 + off : off - 1.0;
                    if (kind == 0 && k == 1) break;
                    body(&r, x, 0, 0, er_v3(0, 0, 0.5));
                    joint(&r, 0, k + 1, er_v3(x, 0, 0), false);
                }
                body(&r, 0, -7, 0, er_v3(0, 0, 0));
                er_model *model = rig_model(context, &r);
                er_bones *bones = bones_of(model);
                size = model->size;
                er_vec3 tip = bones->tip[0], led = er_v3(kind == 1 ? 0.0 : off, 0, kind == 1 ? 2.0 * off : 0.0);
                er_vec3 not_led = kind == 1 ? er_v3(0, 0.01 * size, 0) : er_v3(0, 0, 2);
                if (round == 3) measure_at_most("tip", er_v3_distance(tip, far == 1 ? led : not_led), 1e-9);
                er_bones_destroy(bones);
                er_model_destroy(model);
            }
        }
}

// ---- drawn

// Without a rig a scene has a node for each body, below the one that it hangs on, in metres.
static void a_model_is_drawn_as_a_scene_of_its_own(void **state)
{
    rig r = {0};
    const int *node_body;
    er_scene *scene;
    body(&r, 1, 2, 3, er_v3(0, 0.5, 0)); // hangs on the second
    body(&r, 0, 0, 0, er_v3(0, 1, 0));
    body(&r, 4, 4, 4, er_v3(0, 0, 1));
    r.body[1].pose.q = er_q_exp(er_v3(0.3, 0.2, 0.1));
    r.body[0].pose.q = er_q_exp(er_v3(-0.3, 0.4, 0.1));
    static const char *const names[] = {"leaf", "stem", "stone"};
    for (int b = 0; b < 3; ++b)
        r.body[b].name = names[b];
    joint(&r, 1, 0, er_v3(1, 2, 3), false);
    er_model *model = rig_model(context, &r);
    er_bones *bones = bones_of(model);
    assert_int_equal(er_rig_bone_scene(context, model, NULL, &scene, &node_body), ER_OK);
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->instance_count, 3);
    assert_true(scene->mesh_count == 3 && scene->added_count == 3 && scene->material_count == 1);
    assert_true(scene->skin_count == 0 && scene->image_count == 0 && scene->note_count == 0 && scene->clip_count == 0);
    assert_int_equal(scene->format, ER_FORMAT_OTHER);
    assert_string_equal(scene->format_name, "eigenrig rig");
    assert_true(scene->metres_per_unit == 1.0 && scene->up.y == 1.0 && er_v3_norm(scene->up) == 1.0);
    assert_ptr_equal(scene->path, model->source);
    assert_string_equal(scene->material[0].name, "bone");
    assert_true(scene->material[0].base_color[3] == 1.0f && scene->material[0].base_color_image == -1 &&
                scene->material[0].normal_image == -1 && scene->material[0].emissive_image == -1);
    bool drawn[3] = {false};
    for (int i = 0; i < 3; ++i) {
        int b = node_body[i], up = model->tree_parent[b];
        const er_node *node = &scene->node[i];
        assert_string_equal(node->name, names[b]);
        assert_true(node->flags == ER_NODE_JOINT && node->source_index == -1);
        assert_true(up < 0 ? node->parent == -1 : node->parent >= 0 && node->parent < i);
        if (up >= 0) assert_int_equal(node_body[node->parent], up);
        er_affine world = node->local;
        if (up >= 0) world = er_affine_mul(er_affine_from_pose(model->body[up].pose), world);
        measure_at_most("node of a body", er_v3_distance(world.translation, model->body[b].pose.p), 1e-15);
        er_affine pose = er_affine_from_pose(model->body[b].pose);
        for (int k = 0; k < 9; ++k)
            measure_at_most("axes of a node", fabs(world.linear.m[k / 3][k % 3] - pose.linear.m[k / 3][k % 3]), 1e-15);
        const er_instance *instance = &scene->instance[i];
        const er_mesh *mesh = &scene->mesh[instance->mesh];
        int of = node_body[instance->node], count = bones->start[of + 1] - bones->start[of];
        assert_true(instance->skin == -1 && !drawn[of]);
        drawn[of] = true;
        assert_string_equal(mesh->name, names[of]);
        assert_int_equal(mesh->vertex_count, 24 * count);
        assert_int_equal(mesh->triangle_count, 8 * count);
        double tip = HUGE_VAL, head = HUGE_VAL;
        for (int v = 0; v < mesh->vertex_count; ++v) {
            const float *p = mesh->position + 3 * v;
            er_vec3 at = er_pose_point(model->body[of].pose, er_v3((double)p[0], (double)p[1], (double)p[2]));
            tip = fmin(tip, er_v3_distance(at, bones->end[bones->start[of]]));
            head = fmin(head, er_v3_distance(at, bones->head[of]));
        }
        measure_at_most("ends of a drawn bone", fmax(tip, head), 1e-6);
    }
    if (er_scene_validate(context, scene) != ER_OK) fail_msg("%s", er_context_error(context));
    er_scene_destroy(scene);
    er_bones_destroy(bones);
    er_model_destroy(model);
}

static er_result create(er_context *own, const void *of)
{
    er_bones *bones = (er_bones *)&own;
    er_result r = er_bones_create(own, of, &bones);
    assert_true(r == ER_OK || bones == NULL);
    er_bones_destroy(bones);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    rig r = {0};
    body(&r, 0, 0, 0, er_v3(0, 0.5, 0));
    body(&r, 0, 1, 0, er_v3(0.5, 0, 0));
    joint(&r, 0, 1, er_v3(0, 1, 0), false);
    er_model *model = rig_model(context, &r);
    ledger_refuse_each(create, model, NULL);
    er_model_destroy(model);
}

static void nothing_is_refused(void **state)
{
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
        cmocka_unit_test(a_bone_without_direction_leads_a_little_on),
        cmocka_unit_test(what_is_near_the_head_gives_no_direction),
        cmocka_unit_test(a_model_is_drawn_as_a_scene_of_its_own),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
