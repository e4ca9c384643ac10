// Bodies where nodes stand, by closed forms: nodes that turn, grow and shear, of bodies whose frames lie off them.
#include <eigenrig/motion.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"

enum { NODES = 4, BODIES = 3 };

static er_mat3 diagonal(double x, double y, double z)
{
    return (er_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

// A stretch along axes of its own.
static er_mat3 stretch(dice *d)
{
    er_mat3 q = er_m3_from_q(dice_quat(d));
    return er_m3_mul(q, er_m3_mul(diagonal(0.7, 1.1, 1.6), er_m3_transpose(q)));
}

// A node that stretches, and is turned then, has its body turned as much; where the body's frame is goes with the node.
static void bodies_turn_as_their_nodes_do_and_keep_their_place_on_them(void **state)
{
    static const int body_node[BODIES] = {2, 0, 3};
    static const er_node node[NODES] = {{.parent = -1}, {.parent = -1}, {.parent = 1}, {.parent = 2}};
    const er_scene scene = {.node_count = NODES, .node = node};
    dice d = {4101};
    for (int round = 0; round < 20; ++round) {
        rig r = {0};
        er_affine world[NODES], now[NODES], local[NODES];
        er_quat turn[NODES];
        er_mat3 moved[NODES];
        er_pose pose[BODIES];
        double unit = round % 2 == 0 ? 1.0 : 0.025;
        for (int b = 0; b < BODIES; ++b)
            rig_throw_body(&r, &d, 1.0 + b, er_v3(0.2, 0.3, 0.4));
        er_model *m = rig_model(context, &r);
        for (int i = 0; i < NODES; ++i) {
            world[i] = (er_affine){er_m3_mul(er_m3_from_q(dice_quat(&d)), diagonal(2.0, 0.5, 1.5)), dice_vec3(&d)};
            turn[i] = dice_quat(&d);
            moved[i] = er_m3_from_q(turn[i]);
            if (round > 3) moved[i] = er_m3_mul(moved[i], stretch(&d));
            now[i] = (er_affine){er_m3_mul(moved[i], world[i].linear), dice_vec3(&d)};
            local[i] = node[i].parent < 0 ? now[i] : er_affine_mul(er_affine_inverse(now[node[i].parent]), now[i]);
        }
        const er_recording_target target = {.scene = &scene, .world = world, .metres_per_unit = unit};
        assert_int_equal(er_poses_of_nodes(context, m, &target, body_node, local, pose), ER_OK);
        for (int b = 0; b < BODIES; ++b) {
            int i = body_node[b];
            er_vec3 off = er_v3_sub(er_v3_scale(1.0 / unit, m->body[b].pose.p), world[i].translation);
            er_vec3 at = er_v3_scale(unit, er_v3_add(now[i].translation, er_m3_mul_v(moved[i], off)));
            er_quat q = er_q_mul(turn[i], m->body[b].pose.q);
            measure_at_most("place of a body off its node", er_v3_distance(at, pose[b].p), 1e-11);
            measure_at_most("turn of a body off its node", er_v3_norm(er_q_log(er_q_mul(er_q_conj(q), pose[b].q))),
                            1e-11);
            measure_at_most("norm of a body's turn", fabs(er_q_dot(pose[b].q, pose[b].q) - 1.0), 1e-14);
        }
        er_model_destroy(m);
    }
}

static void memory_that_ends_is_told(void **state)
{
    static const int body_node[1] = {0};
    static const er_node node[1] = {{.parent = -1}};
    const er_scene scene = {.node_count = 1, .node = node};
    const er_affine at = er_affine_identity();
    const er_recording_target target = {.scene = &scene, .world = &at, .metres_per_unit = 1.0};
    rig r = {0};
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    er_model *m = rig_model(context, &r);
    er_result result = ER_ERROR_MEMORY;
    long n = 0;
    for (; result != ER_OK; ++n) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_pose pose;
        l.left = n;
        result = er_poses_of_nodes(own, m, &target, body_node, &at, &pose);
        assert_true(result == ER_OK || result == ER_ERROR_MEMORY);
        ledger_end(&l, own);
    }
    assert_true(n > 1);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_turn_as_their_nodes_do_and_keep_their_place_on_them),
        cmocka_unit_test(memory_that_ends_is_told),
    };
    return cmocka_run_group_tests_name("nodes", tests, set_up, tear_down);
}
