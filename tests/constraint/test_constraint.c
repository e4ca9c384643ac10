// G and R against velocities found in the world, and against finite differences of poses.
#include "../modal/judge.h"

#include <eigenrig/constraint.h>

static er_context *context;

static int set_up(void **state)
{
    (void)state;
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    er_context_destroy(context);
    measured_report();
    return 0;
}

static er_constraints *constraints_of(const er_model *model)
{
    er_constraints *c = NULL;
    assert_int_equal(er_constraints_create(context, model, &c), ER_OK);
    return c;
}

static void matrices_hold_the_velocities_at_the_joints(void **state)
{
    (void)state;
    dice d = {2};
    for (int i = 0; i < 200; ++i) {
        rig r;
        rig_random(&r, &d, true);
        er_model *m = rig_model(context, &r);
        er_constraints *c = constraints_of(m);
        judge *j = judge_create(m);
        assert_int_equal(c->constraint_count, j->rows);
        assert_int_equal(c->coordinate_count, j->coordinates);
        assert_int_equal(c->column_count, j->n);
        for (int col = 0; col < j->n; ++col) {
            for (int row = 0; row < j->rows; ++row)
                measure_at_most("entries of G", fabs(c->G[row + col * j->rows] - (double)j->G[row * j->n + col]),
                                1e-14); // 3.1e-15
            for (int row = 0; row < j->coordinates; ++row)
                measure_at_most("entries of R", fabs(c->R[row + col * j->coordinates] - (double)j->R[row * j->n + col]),
                                1e-14); // 3.6e-15
        }
        for (int row = 0; row < j->rows; ++row) { // joints in order, held axes ascending, none of them free
            int axis[6], count = er_joint_type_freedom(m->joint[c->constraint_joint[row]].type, axis);
            for (int k = 0; k < count; ++k)
                assert_int_not_equal(axis[k], c->constraint_axis[row]);
            if (row > 0)
                assert_true(6 * c->constraint_joint[row] + c->constraint_axis[row] >
                            6 * c->constraint_joint[row - 1] + c->constraint_axis[row - 1]);
        }
        judge_destroy(j);
        er_constraints_destroy(c);
        er_model_destroy(m);
    }
    er_constraints_destroy(NULL);
}

static void the_adjoint_carries_a_particle_s_velocity(void **state)
{
    (void)state;
    dice d = {3};
    for (int i = 0; i < 200; ++i) {
        er_pose body = dice_pose(&d), joint = dice_pose(&d);
        double ad[6][6], in[6], out[6] = {0};
        er_constraint_adjoint(body, joint, ad);
        for (int k = 0; k < 6; ++k)
            in[k] = dice_uniform(&d, -1, 1);
        for (int k = 0; k < 36; ++k)
            out[k / 6] += ad[k / 6][k % 6] * in[k % 6];
        // a particle of the body: its world velocity, from the body's twist and from the joint frame's
        er_vec3 x = dice_vec3(&d), from_body = er_v3_sub(x, body.p), from_joint = er_v3_sub(x, joint.p);
        er_vec3 wb = er_q_rotate(body.q, er_v3(in[0], in[1], in[2])),
                vb = er_q_rotate(body.q, er_v3(in[3], in[4], in[5]));
        er_vec3 wj = er_q_rotate(joint.q, er_v3(out[0], out[1], out[2])),
                vj = er_q_rotate(joint.q, er_v3(out[3], out[4], out[5]));
        er_vec3 by_body = er_v3_add(vb, er_v3_cross(wb, from_body)),
                by_joint = er_v3_add(vj, er_v3_cross(wj, from_joint));
        measure_at_most("adjoint", er_v3_distance(by_body, by_joint), 1e-14); // 2.7e-15
    }
}

// The body twist that takes a to b, over dt.
static void twist_between(er_pose a, er_pose b, double dt, double *twist)
{
    er_vec3 w = er_q_log(er_q_mul(er_q_conj(a.q), b.q)), v = er_q_rotate(er_q_conj(a.q), er_v3_sub(b.p, a.p));
    const double out[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
    for (int i = 0; i < 6; ++i)
        twist[i] = out[i] / dt;
}

// Motions of er_model_pose() are motions that the tree's rows of G allow, and R reads their coordinates' rates.
static void differentiated_poses_obey_G_and_give_R(void **state)
{
    (void)state;
    dice d = {4};
    const double h = 1e-5; // error h^2 of the difference, eps / h of rounding: both near 1e-10
    for (int i = 0; i < 200; ++i) {
        rig r;
        rig_random(&r, &d, true);
        er_model *m = rig_model(context, &r);
        er_constraints *c = constraints_of(m);
        double rate[6 * RIG_MAX], q[6 * RIG_MAX], v[6 * RIG_MAX];
        er_twist root_rate[RIG_MAX];
        er_pose pose[2][RIG_MAX], root[RIG_MAX];
        for (int k = 0; k < c->coordinate_count; ++k)
            rate[k] = dice_uniform(&d, -1, 1);
        for (int b = 0; b < m->body_count; ++b)
            root_rate[b] = (er_twist){dice_vec3(&d), dice_vec3(&d)};
        for (int s = 0; s < 2; ++s) {
            double t = s == 0 ? -h : h;
            for (int k = 0; k < c->coordinate_count; ++k)
                q[k] = t * rate[k];
            for (int b = 0; b < m->body_count; ++b)
                root[b] =
                    (er_pose){er_q_exp(er_v3_scale(t, root_rate[b].angular)), er_v3_scale(t, root_rate[b].linear)};
            er_model_pose(m, q, root, pose[s]);
        }
        for (int b = 0; b < m->body_count; ++b) {
            double ends[2][6]; // both from the equilibrium, whose axes G and R use
            twist_between(m->body[b].pose, pose[1][b], 2 * h, ends[1]);
            twist_between(m->body[b].pose, pose[0][b], 2 * h, ends[0]);
            for (int k = 0; k < 6; ++k)
                v[6 * b + k] = ends[1][k] - ends[0][k];
        }
        for (int row = 0; row < c->constraint_count; ++row) {
            if (m->joint[c->constraint_joint[row]].closes_loop) continue;
            double sum = 0.0;
            for (int k = 0; k < c->column_count; ++k)
                sum += c->G[row + k * c->constraint_count] * v[k];
            measure_at_most("G of differentiated poses", fabs(sum), 1e-7); // 6.6e-10
        }
        for (int k = 0; k < m->joint_count; ++k)
            for (int row = m->coordinate[k]; row < m->coordinate[k + 1] && !m->joint[k].closes_loop; ++row) {
                double sum = 0.0;
                for (int l = 0; l < c->column_count; ++l)
                    sum += c->R[row + l * c->coordinate_count] * v[l];
                measure_at_most("R of differentiated poses", fabs(sum - rate[row]), 1e-7); // 6.5e-10
            }
        er_constraints_destroy(c);
        er_model_destroy(m);
    }
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    rig r = {0};
    rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    er_model *m = rig_model(context, &r);
    er_constraints *c = (er_constraints *)&r;
    assert_int_equal(er_constraints_create(context, NULL, &c), ER_ERROR_ARGUMENT);
    assert_null(c);
    assert_int_equal(er_constraints_create(NULL, m, &c), ER_ERROR_ARGUMENT);
    assert_int_equal(er_constraints_create(context, m, NULL), ER_ERROR_ARGUMENT);
    c = constraints_of(m); // a rig without joints has matrices without rows
    assert_int_equal(c->constraint_count, 0);
    assert_int_equal(c->coordinate_count, 0);
    assert_int_equal(c->column_count, 6);
    er_constraints_destroy(c);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_hold_the_velocities_at_the_joints),
        cmocka_unit_test(the_adjoint_carries_a_particle_s_velocity),
        cmocka_unit_test(differentiated_poses_obey_G_and_give_R),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests_name("constraint", tests, set_up, tear_down);
}
