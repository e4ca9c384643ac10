// G and R against velocities found in the world, and against finite differences of poses and of constraints.
#include "support/context.h"
#include "support/forest.h"

#include <string.h>

#include <eigenrig/model.h>
#include <eigenrig/motion.h>

static er_constraints *constraints_of(const er_model *model)
{
    er_constraints *c = NULL;
    assert_int_equal(er_constraints_create(context, model, &c), ER_OK);
    return c;
}

static void matrices_hold_the_velocities_at_the_joints(void **state)
{
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
            root_rate[b] = dice_twist(&d);
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

// ---- at other poses

// f'(0) of values at -2h, -h, h and 2h: error h^4 / 30 of the fifth derivative.
static double slope(const double f[4], double h)
{
    return (8.0 * (f[2] - f[1]) - (f[3] - f[0])) / (12.0 * h);
}

static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};

// The joint's axes and origin as a body carries them: points of the body, found at equilibrium.
typedef struct carried {
    er_vec3 axis[3], origin;
} carried;

static carried carry(const er_model *m, const er_joint *j, int body, const er_pose *pose)
{
    er_pose rest = body < 0 ? er_pose_identity() : m->body[body].pose, now = body < 0 ? rest : pose[body];
    er_mat3 frame = er_m3_from_q(j->frame.q);
    carried c = {.origin = er_pose_point(now, er_pose_point_inverse(rest, j->frame.p))};
    for (int i = 0; i < 3; ++i) {
        er_vec3 tip = er_v3_add(j->frame.p, er_m3_column(frame, i));
        c.axis[i] = er_v3_sub(er_pose_point(now, er_pose_point_inverse(rest, tip)), c.origin);
    }
    return c;
}

// The violation of joint k by dot products of axes: all six directions, free ones too.
static void held_values(const er_model *m, int k, const er_pose *pose, double C[6])
{
    const er_joint *j = &m->joint[k];
    carried p = carry(m, j, j->parent, pose), c = carry(m, j, j->child, pose);
    double R[3][3];
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            R[a][b] = er_v3_dot(p.axis[a], c.axis[b]);
    double root = sqrt(1.0 + R[0][0] + R[1][1] + R[2][2]);
    bool hinge = j->type == ER_JOINT_REVOLUTE || j->type == ER_JOINT_SCREW || j->type == ER_JOINT_CYLINDRICAL ||
                 j->type == ER_JOINT_PLANAR;
    C[0] = hinge ? -R[1][2] : (R[2][1] - R[1][2]) / root;
    C[1] = hinge ? R[0][2] : (R[0][2] - R[2][0]) / root;
    C[2] = j->type == ER_JOINT_UNIVERSAL ? -R[0][1] : (R[1][0] - R[0][1]) / root;
    for (int i = 0; i < 3; ++i)
        C[3 + i] = er_v3_dot(p.axis[i], er_v3_sub(c.origin, p.origin));
    if (j->type == ER_JOINT_SCREW) // less what it has turned, but for whole turns
        C[5] = remainder(C[5] - j->pitch * atan2(R[1][0] - R[0][1], R[0][0] + R[1][1]), 2.0 * ER_PI * j->pitch);
}

static void random_coordinates(const er_model *m, dice *d, double most, double *q)
{
    for (int k = 0; k < m->coordinate_count; ++k)
        q[k] = dice_uniform(d, -most, most);
}

// All bodies shifted and turned by up to so much, and as either quaternion of their turn.
static void shake(const er_model *m, dice *d, double most, er_pose *pose)
{
    for (int b = 0; b < m->body_count; ++b) {
        er_pose by = dice_motion(d, most, most);
        if (dice_below(d, 2) == 0) by.q = er_q(-by.q.w, -by.q.x, -by.q.y, -by.q.z);
        pose[b] = er_pose_mul(pose[b], by);
    }
}

static void G_is_the_differential_of_what_joints_hold(void **state)
{
    dice d = {5};
    bool met[ER_JOINT_TYPE_COUNT] = {false};
    const double h = 1e-3;
    for (int trial = 0; trial < trials(300); ++trial) {
        rig r;
        rig_forest(&r, &d, 2 + dice_below(&d, 8), false);
        er_model *m = rig_model(context, &r);
        er_constraints *c = NULL;
        double q[6 * RIG_MAX], v[6 * RIG_MAX], error[6 * RIG_MAX];
        er_pose pose[RIG_MAX], moved[RIG_MAX];
        random_coordinates(m, &d, 2.0, q);
        er_model_pose(m, q, NULL, pose);
        shake(m, &d, 0.3, pose); // joints stand apart: the differential is exact there too
        for (int k = 0; k < 6 * m->body_count; ++k)
            v[k] = dice_uniform(&d, -1, 1);
        assert_int_equal(er_constraints_at(context, m, pose, &c), ER_OK);
        er_constraint_errors(m, pose, error);
        double(*C)[6][4] = malloc((size_t)m->joint_count * sizeof *C + 1);
        for (int s = 0; s < 4; ++s) {
            for (int b = 0; b < m->body_count; ++b) {
                er_twist t = {er_v3(v[6 * b], v[6 * b + 1], v[6 * b + 2]),
                              er_v3(v[6 * b + 3], v[6 * b + 4], v[6 * b + 5])};
                t = (er_twist){er_v3_scale(steps[s] * h, t.angular), er_v3_scale(steps[s] * h, t.linear)};
                moved[b] = er_pose_mul(pose[b], er_pose_exp(t));
            }
            for (int k = 0; k < m->joint_count; ++k) {
                double values[6];
                held_values(m, k, moved, values);
                for (int i = 0; i < 6; ++i)
                    C[k][i][s] = values[i];
            }
        }
        for (int row = 0; row < c->constraint_count; ++row) {
            int k = c->constraint_joint[row], axis = c->constraint_axis[row];
            double values[6], sum = 0.0;
            held_values(m, k, pose, values);
            measure_at_most("constraint errors", fabs(error[row] - values[axis]), 1e-13); // 8.2e-15
            for (int i = 0; i < c->column_count; ++i)
                sum += c->G[row + i * c->constraint_count] * v[i];
            measure_at_most("G against differences of constraints", fabs(sum - slope(C[k][axis], h)), 1e-9); // 4.1e-12
            met[m->joint[k].type] = true;
        }
        free(C);
        er_constraints_destroy(c);
        er_model_destroy(m);
    }
    for (int type = 0; type < ER_JOINT_FREE; ++type)
        assert_true(met[type]);
}

// The rate of joint coordinates that R tells: theirs, but where all turns are free the angular velocity on the left.
static void told_rates(const er_model *m, int k, const double *q, const double *rate, double h, double *out)
{
    int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
    memcpy(out, rate, (size_t)count * sizeof *out);
    if (count < 3 || axis[2] != 2) return; // tx ty tz come first
    er_vec3 r0 = er_v3(q[0], q[1], q[2]), turn = er_v3(rate[0], rate[1], rate[2]);
    double f[3][4];
    for (int s = 0; s < 4; ++s) {
        er_quat by = er_q_mul(er_q_exp(er_v3_madd(r0, steps[s] * h, turn)), er_q_conj(er_q_exp(r0)));
        er_vec3 log = er_q_log(by);
        f[0][s] = log.x, f[1][s] = log.y, f[2][s] = log.z;
    }
    for (int i = 0; i < 3; ++i)
        out[i] = slope(f[i], h);
}

// Along exact poses, far from equilibrium: joints stay together, G v = 0, and R v are the rates.
static void exact_poses_obey_G_and_give_R_far_from_equilibrium(void **state)
{
    dice d = {6};
    bool met[ER_JOINT_TYPE_COUNT] = {false};
    const double h = 1e-3;
    for (int trial = 0; trial < trials(300); ++trial) {
        rig r;
        rig_forest(&r, &d, 1 + dice_below(&d, 8), false);
        er_model *m = rig_model(context, &r);
        er_constraints *c = NULL;
        double q[6 * RIG_MAX], rate[6 * RIG_MAX], at[6 * RIG_MAX], v[6 * RIG_MAX], error[6 * RIG_MAX];
        double f[6 * RIG_MAX][4];
        er_pose pose[RIG_MAX], moved[RIG_MAX], root[RIG_MAX];
        er_twist root_rate[RIG_MAX];
        random_coordinates(m, &d, 2.0, q);
        random_coordinates(m, &d, 1.0, rate);
        for (int b = 0; b < m->body_count; ++b) {
            root[b] = dice_pose(&d);
            root_rate[b] = dice_twist(&d);
        }
        er_model_pose(m, q, root, pose);
        for (int s = 0; s < 4; ++s) {
            er_pose roots[RIG_MAX];
            for (int k = 0; k < m->coordinate_count; ++k)
                at[k] = q[k] + steps[s] * h * rate[k];
            for (int b = 0; b < m->body_count; ++b) {
                er_twist t = root_rate[b];
                t = (er_twist){er_v3_scale(steps[s] * h, t.angular), er_v3_scale(steps[s] * h, t.linear)};
                roots[b] = er_pose_mul(root[b], er_pose_exp(t));
            }
            er_model_pose(m, at, roots, moved);
            for (int b = 0; b < m->body_count; ++b) {
                double twist[6];
                twist_between(pose[b], moved[b], 1.0, twist);
                for (int i = 0; i < 6; ++i)
                    f[6 * b + i][s] = twist[i];
            }
        }
        for (int i = 0; i < 6 * m->body_count; ++i)
            v[i] = slope(f[i], h);
        assert_int_equal(er_constraints_at(context, m, pose, &c), ER_OK);
        er_constraint_errors(m, pose, error);
        for (int row = 0; row < c->constraint_count; ++row) {
            double sum = 0.0;
            for (int i = 0; i < c->column_count; ++i)
                sum += c->G[row + i * c->constraint_count] * v[i];
            measure_at_most("exact poses, constraint errors", fabs(error[row]), 1e-12); // 6.7e-15
            measure_at_most("G of exact poses' velocities", fabs(sum), 1e-8);           // 1.9e-11
        }
        for (int k = 0; k < m->joint_count; ++k) {
            double told[6];
            told_rates(m, k, q + m->coordinate[k], rate + m->coordinate[k], h, told);
            for (int row = m->coordinate[k]; row < m->coordinate[k + 1]; ++row) {
                double sum = 0.0;
                for (int i = 0; i < c->column_count; ++i)
                    sum += c->R[row + i * c->coordinate_count] * v[i];
                measure_at_most("R of exact poses' velocities", fabs(sum - told[row - m->coordinate[k]]),
                                1e-8); // 1.8e-11
                met[m->joint[k].type] = true;
            }
        }
        er_constraints_destroy(c);
        er_model_destroy(m);
    }
    for (int type = 0; type < ER_JOINT_TYPE_COUNT; ++type)
        assert_true(met[type] || type == ER_JOINT_FIXED);
}

// A ring of hinges that swings by er_kinematics_pose(): the joint that closes it is a row of G like the others.
static void closed_loops_obey_G_far_from_equilibrium(void **state)
{
    dice d = {7};
    const double h = 1e-2; // poses are closed to 1e-10 of the rig's size
    double corner[5][2] = {{0, 0}, {2, 0.3}, {2.6, 1.7}, {1.1, 2.5}, {-0.5, 1.4}};
    for (int trial = 0; trial < 10; ++trial) {
        rig r = {0};
        rig_loop(&r, 5, corner, dice_pose(&d), 1.0);
        er_model *m = rig_model(context, &r);
        er_kinematics *kinematics = NULL;
        er_constraints *c = NULL;
        double x[64], rate[64], asked[64], f[30][4], v[30], error[30];
        er_pose pose[5], moved[5];
        assert_int_equal(er_kinematics_create(context, m, &kinematics), ER_OK);
        int width = er_kinematics_width(kinematics);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        memset(asked, 0, sizeof asked);
        memset(rate, 0, sizeof rate);
        for (int k = 0; k < modes->count; ++k) { // two of the ring, six of all
            double share = dice_uniform(&d, -1, 1) * er_mode_amplitude(m, &modes->mode[k], 15.0);
            double speed = dice_uniform(&d, -1, 1) * er_mode_amplitude(m, &modes->mode[k], 60.0);
            er_kinematics_mode(kinematics, &modes->mode[k], x);
            for (int i = 0; i < width; ++i) {
                asked[i] += share * x[i];
                rate[i] += speed * x[i];
            }
        }
        er_modes_destroy(modes);
        memcpy(x, asked, sizeof x);
        assert_int_equal(er_kinematics_pose(kinematics, x, pose), ER_OK);
        for (int s = 0; s < 4; ++s) {
            for (int i = 0; i < width; ++i)
                x[i] = asked[i] + steps[s] * h * rate[i];
            assert_int_equal(er_kinematics_pose(kinematics, x, moved), ER_OK);
            for (int b = 0; b < 5; ++b) {
                double twist[6];
                twist_between(pose[b], moved[b], 1.0, twist);
                for (int i = 0; i < 6; ++i)
                    f[6 * b + i][s] = twist[i];
            }
        }
        double speed = 0.0;
        for (int i = 0; i < 30; ++i) {
            v[i] = slope(f[i], h);
            speed = fmax(speed, fabs(v[i]));
        }
        assert_true(speed > 0.1);
        assert_int_equal(er_constraints_at(context, m, pose, &c), ER_OK);
        assert_int_equal(c->constraint_count, 25);
        er_constraint_errors(m, pose, error);
        for (int row = 0; row < c->constraint_count; ++row) {
            double sum = 0.0;
            for (int i = 0; i < c->column_count; ++i)
                sum += c->G[row + i * c->constraint_count] * v[i];
            measure_at_most("closed loops, constraint errors", fabs(error[row]), 1e-9); // 7.1e-15
            measure_at_most("G of closed loops' velocities", fabs(sum) / speed, 1e-6);  // 1.5e-08
        }
        er_constraints_destroy(c);
        er_kinematics_destroy(kinematics);
        er_model_destroy(m);
    }
}

static void the_equilibrium_is_a_pose_like_others(void **state)
{
    dice d = {8};
    for (int trial = 0; trial < trials(100); ++trial) {
        rig r;
        rig_random(&r, &d, true);
        er_model *m = rig_model(context, &r);
        er_constraints *c = constraints_of(m), *same = NULL, *at = NULL;
        er_pose pose[RIG_MAX];
        for (int b = 0; b < m->body_count; ++b)
            pose[b] = m->body[b].pose;
        assert_int_equal(er_constraints_at(context, m, NULL, &same), ER_OK);
        assert_int_equal(er_constraints_at(context, m, pose, &at), ER_OK);
        int rows = c->constraint_count, coordinates = c->coordinate_count, columns = c->column_count;
        assert_memory_equal(same->G, c->G, (size_t)(rows * columns) * sizeof(double));
        assert_memory_equal(same->R, c->R, (size_t)(coordinates * columns) * sizeof(double));
        assert_memory_equal(at->constraint_joint, c->constraint_joint, (size_t)rows * sizeof(int));
        assert_memory_equal(at->constraint_axis, c->constraint_axis, (size_t)rows * sizeof(int));
        for (int i = 0; i < rows * columns; ++i)
            measure_at_most("G at the equilibrium's poses", fabs(at->G[i] - c->G[i]), 1e-14); // 6.2e-15
        for (int i = 0; i < coordinates * columns; ++i)
            measure_at_most("R at the equilibrium's poses", fabs(at->R[i] - c->R[i]), 1e-14); // 4.2e-15
        er_constraints_destroy(same);
        er_constraints_destroy(at);
        er_constraints_destroy(c);
        er_model_destroy(m);
    }
}

static void wrong_calls_are_refused(void **state)
{
    rig r = {0};
    rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    er_model *m = rig_model(context, &r);
    er_constraints *c = (er_constraints *)&r;
    assert_int_equal(er_constraints_create(context, NULL, &c), ER_ERROR_ARGUMENT);
    assert_null(c);
    assert_string_equal(er_context_error(context), "er_constraints_create and er_constraints_at need a model");
    assert_int_equal(er_constraints_create(NULL, m, &c), ER_ERROR_ARGUMENT);
    assert_int_equal(er_constraints_create(context, m, NULL), ER_ERROR_ARGUMENT);
    c = (er_constraints *)&r;
    assert_int_equal(er_constraints_at(context, NULL, NULL, &c), ER_ERROR_ARGUMENT);
    assert_null(c);
    assert_int_equal(er_constraints_at(NULL, m, NULL, &c), ER_ERROR_ARGUMENT);
    assert_int_equal(er_constraints_at(context, m, NULL, NULL), ER_ERROR_ARGUMENT);
    c = constraints_of(m); // a rig without joints has matrices without rows
    assert_int_equal(c->constraint_count, 0);
    assert_int_equal(c->coordinate_count, 0);
    assert_int_equal(c->column_count, 6);
    er_constraints_destroy(c);
    er_model_destroy(m);
}

// The matrices take blocks of their own.
static void any_allocation_may_fail(void **state)
{
    dice d = {9};
    static rig r;
    rig_forest(&r, &d, 40, true);
    er_result result = ER_ERROR_MEMORY;
    for (long k = 0; result != ER_OK; ++k) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_model *m = rig_model(own, &r);
        er_constraints *c = (er_constraints *)&r;
        long asked = l.asked;
        l.left = k;
        result = er_constraints_create(own, m, &c);
        assert_true(result == ER_OK ? c != NULL : c == NULL);
        assert_true(result == ER_OK || result == ER_ERROR_MEMORY);
        assert_int_equal(result == ER_OK, l.asked - asked <= k);
        er_constraints_destroy(c);
        er_model_destroy(m);
        ledger_end(&l, own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_hold_the_velocities_at_the_joints),
        cmocka_unit_test(the_adjoint_carries_a_particle_s_velocity),
        cmocka_unit_test(differentiated_poses_obey_G_and_give_R),
        cmocka_unit_test(G_is_the_differential_of_what_joints_hold),
        cmocka_unit_test(exact_poses_obey_G_and_give_R_far_from_equilibrium),
        cmocka_unit_test(closed_loops_obey_G_far_from_equilibrium),
        cmocka_unit_test(the_equilibrium_is_a_pose_like_others),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("constraint", tests, set_up, tear_down);
}
