#include <eigenrig/pose.h>

#include <string.h>

#include "linalg/linalg.h"

double er_pose_amplitude(const er_model *model, const er_mode *mode, double degrees)
{
    double turn = 0.0, shift = 0.0;
    for (int k = 0; k < model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        double joint_turn = 0.0, joint_shift = 0.0;
        for (int i = 0; i < count; ++i) {
            double *sum = axis[i] < 3 ? &joint_turn : &joint_shift;
            *sum = hypot(*sum, mode->joint[model->coordinate[k] + i]);
        }
        turn = fmax(turn, joint_turn);
        shift = fmax(shift, joint_shift);
    }
    double by_turn = turn > 0.0 ? degrees * ER_PI / 180.0 / turn : HUGE_VAL;
    double by_shift = shift > 0.0 ? degrees / 20.0 * 0.1 * model->size / shift : HUGE_VAL;
    double factor = fmin(by_turn, by_shift);
    return factor < HUGE_VAL ? factor : 0.0;
}

// What a joint holds that the pose violates: 6 entries in its frame, zero where it is free; m (turns times the size).
static void joint_error(const er_model *model, int k, const er_pose *pose, double error[6])
{
    const er_joint *j = &model->joint[k];
    er_pose child = er_pose_mul(pose[j->child], er_pose_mul(er_pose_inverse(model->body[j->child].pose), j->frame));
    er_pose parent = j->frame;
    if (j->parent >= 0)
        parent = er_pose_mul(pose[j->parent], er_pose_mul(er_pose_inverse(model->body[j->parent].pose), j->frame));
    er_pose between = er_pose_mul(er_pose_inverse(parent), child);
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    er_vec3 turn;
    if (j->type == ER_JOINT_UNIVERSAL) {
        // universal: R = Rx Ry exactly when the child's y has no x component on the parent's side
        turn =
            er_v3(0, 0, asin(fmax(-1.0, fmin(1.0, er_v3_dot(er_q_rotate(between.q, er_v3(0, 1, 0)), er_v3(1, 0, 0))))));
    } else {
        turn = er_q_log(between.q);
    }
    double all[6] = {model->size * turn.x, model->size * turn.y, model->size * turn.z,
                     between.p.x,          between.p.y,          between.p.z};
    for (int i = 0; i < count; ++i)
        all[axis[i]] = 0.0;
    memcpy(error, all, sizeof all);
}

double er_pose_joint_gap(const er_model *model, const er_pose *pose)
{
    double gap = 0.0;
    for (int k = 0; k < model->joint_count; ++k) {
        double error[6];
        joint_error(model, k, pose, error);
        for (int i = 0; i < 6; ++i)
            gap = fmax(gap, fabs(error[i]));
    }
    return gap;
}

static void loop_errors(const er_model *model, const er_pose *pose, double *error)
{
    for (int k = 0; k < model->joint_count; ++k)
        if (model->joint[k].closes_loop) {
            joint_error(model, k, pose, error);
            error += 6;
        }
}

// |a - b| of joint coordinates, lengths in units of the rig's size.
static double coordinate_distance(const er_model *model, const double *a, const double *b)
{
    double distance = 0.0;
    for (int k = 0; k < model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            int c = model->coordinate[k] + i;
            distance = hypot(distance, (a[c] - b[c]) / (axis[i] < 3 ? 1.0 : model->size));
        }
    }
    return distance;
}

// Gauss-Newton on the closure error over the tree's joint coordinates; the Jacobian by central differences, whose error
// only slows the last step.
static er_result close_loops(er_context *context, er_arena *scratch, const er_model *model, const er_pose *root,
                             double *q, er_pose *pose)
{
    er_result r = ER_OK;
    int rows = 6 * model->loop_count, n = model->coordinate_count;
    double *step, *other, *asked, *rest, tolerance = 1e-10 * model->size;
    er_matrix J = {0}, error = {0}, forth = {0}, back = {0};
    ER_TRY_NEW(step, scratch, double, n);
    ER_TRY_NEW(other, scratch, double, n);
    ER_TRY_NEW(asked, scratch, double, n);
    ER_TRY_NEW(rest, scratch, double, n);
    memcpy(asked, q, (size_t)n * sizeof(double));
    ER_TRY(er_matrix_create(scratch, rows, 1, &error));
    ER_TRY(er_matrix_create(scratch, rows, 1, &forth));
    ER_TRY(er_matrix_create(scratch, rows, 1, &back));
    for (int iteration = 0; iteration < 30; ++iteration) {
        er_model_pose(model, q, root, pose);
        loop_errors(model, pose, error.a);
        double worst = 0.0;
        for (int i = 0; i < rows; ++i)
            worst = fmax(worst, fabs(error.a[i]));
        if (worst <= tolerance) {
            // a correction that rivals the motion has closed the loop in another of the ways it can be closed
            if (coordinate_distance(model, q, asked) <= coordinate_distance(model, asked, rest) / 3.0) return ER_OK;
            break;
        }
        ER_TRY(er_matrix_create(scratch, rows, n, &J));
        for (int c = 0; c < n; ++c) {
            const double h = 1e-6;
            memcpy(other, q, (size_t)n * sizeof(double));
            other[c] = q[c] + h;
            er_model_pose(model, other, root, pose);
            loop_errors(model, pose, forth.a);
            other[c] = q[c] - h;
            er_model_pose(model, other, root, pose);
            loop_errors(model, pose, back.a);
            for (int i = 0; i < rows; ++i)
                er_matrix_column(J, c)[i] = (forth.a[i] - back.a[i]) / (2.0 * h);
        }
        ER_TRY(er_linalg_least_squares(scratch, J, 1e-7, error, step));
        for (int c = 0; c < n; ++c)
            q[c] -= step[c];
    }
    r = er_fail(context, ER_ERROR_NO_CONVERGENCE,
                "a loop of joints cannot follow the mode that far; take a smaller amplitude");
done:
    return r;
}

// Floating trees keep their centre of mass: internal forces cannot move it.
static er_result restore_centres(er_arena *scratch, const er_model *model, er_pose *pose)
{
    er_result r = ER_OK;
    int *root;
    er_vec3 *drift;
    double *mass;
    ER_TRY_NEW(root, scratch, int, model->body_count);
    ER_TRY_NEW(drift, scratch, er_vec3, model->body_count);
    ER_TRY_NEW(mass, scratch, double, model->body_count);
    for (int i = 0; i < model->body_count; ++i) {
        int b = model->order[i], t = model->tree_joint[b];
        bool floats = t < 0 || (model->tree_parent[b] < 0 && model->joint[t].type == ER_JOINT_FREE);
        root[b] = model->tree_parent[b] >= 0 ? root[model->tree_parent[b]] : floats ? b : -1;
        if (root[b] < 0) continue;
        const er_body *body = &model->body[b];
        er_vec3 moved = er_v3_sub(er_pose_point(pose[b], body->com), er_pose_point(body->pose, body->com));
        drift[root[b]] = er_v3_madd(drift[root[b]], body->mass, moved);
        mass[root[b]] += body->mass;
    }
    // a tree that a loop ties to something else is not free to be put back
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        int a = root[j->child], b = j->parent >= 0 ? root[j->parent] : -1;
        if (!j->closes_loop || a == b) continue;
        if (a >= 0) drift[a] = er_v3(0, 0, 0);
        if (b >= 0) drift[b] = er_v3(0, 0, 0);
    }
    for (int b = 0; b < model->body_count; ++b)
        if (root[b] >= 0) pose[b].p = er_v3_madd(pose[b].p, -1.0 / mass[root[b]], drift[root[b]]);
done:
    return r;
}

er_result er_pose_mode(er_context *context, const er_model *model, const er_mode *mode, double factor, er_pose *pose)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || mode == NULL || pose == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_pose_mode needs a model, a mode and a place for the poses");
    if (!isfinite(factor)) return er_fail(context, ER_ERROR_ARGUMENT, "factor %g of a mode is not finite", factor);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    double *q;
    er_pose *root;
    ER_TRY(er_arena_create(context, &scratch));
    ER_TRY_NEW(q, scratch, double, model->coordinate_count);
    ER_TRY_NEW(root, scratch, er_pose, model->body_count);
    for (int c = 0; c < model->coordinate_count; ++c)
        q[c] = factor * mode->joint[c];
    for (int b = 0; b < model->body_count; ++b) {
        // body twist to world displacement: P exp(s eta_b) P^-1
        const double *eta = mode->body + 6 * b;
        er_twist twist = {er_v3_scale(factor, er_v3(eta[0], eta[1], eta[2])),
                          er_v3_scale(factor, er_v3(eta[3], eta[4], eta[5]))};
        er_pose rest = model->body[b].pose;
        root[b] = er_pose_mul(er_pose_mul(rest, er_pose_exp(twist)), er_pose_inverse(rest));
    }
    er_model_pose(model, q, root, pose);
    if (model->loop_count > 0) ER_TRY(close_loops(context, scratch, model, root, q, pose));
    ER_TRY(restore_centres(scratch, model, pose));
done:
    er_arena_destroy(scratch);
    return r;
}
