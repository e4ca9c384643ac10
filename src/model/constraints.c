// The rows G and R of joints at a pose. Joint k gives the rows diag(A, 1) (Ad_child v_child - Ad_parent v_parent) in
// its frame S, A the rates of its turns (model/joint/joint.h).
#include <eigenrig/model.h>

#include "base/arena.h"
#include "model/rows.h"

void er_constraint_adjoint(er_pose body, er_pose joint, double ad[6][6])
{
    er_pose chi = er_pose_mul(er_pose_inverse(joint), body);
    for (int k = 0; k < 6; ++k) {
        double unit[6] = {0};
        unit[k] = 1.0;
        er_twist v = {er_v3(unit[0], unit[1], unit[2]), er_v3(unit[3], unit[4], unit[5])};
        er_twist w = er_twist_transform(chi, v);
        double column[6] = {w.angular.x, w.angular.y, w.angular.z, w.linear.x, w.linear.y, w.linear.z};
        for (int i = 0; i < 6; ++i)
            ad[i][k] = column[i];
    }
}

void eri_joint_end_rows(const eri_joint_frame *frame, er_pose body, double row[6][6])
{
    double ad[6][6];
    er_constraint_adjoint(body, frame->at, ad);
    for (int k = 0; k < 6; ++k) {
        er_vec3 turn = er_m3_mul_v(frame->rate, er_v3(ad[0][k], ad[1][k], ad[2][k]));
        double column[6] = {turn.x, turn.y, turn.z, ad[3][k], ad[4][k], ad[5][k]};
        if (frame->lead.z != 0.0) column[5] -= er_v3_dot(frame->lead, er_v3(ad[0][k], ad[1][k], ad[2][k]));
        for (int i = 0; i < 6; ++i)
            row[i][k] = column[i];
    }
}

// Writes the rows of one end of a joint: row `at[axis]` of G where the axis is held, of R where it is free.
static void add_end(const eri_joint_frame *frame, er_pose body, int index, double sign, const bool is_free[6],
                    const int at[6], double *G, int m, double *R, int coordinates)
{
    double ends[6][6];
    eri_joint_end_rows(frame, body, ends);
    for (int axis = 0; axis < 6; ++axis)
        for (int k = 0; k < 6; ++k) {
            size_t column = 6 * (size_t)index + (size_t)k;
            double *matrix = is_free[axis] ? R : G;
            size_t rows = (size_t)(is_free[axis] ? coordinates : m);
            matrix[(size_t)at[axis] + column * rows] = sign * ends[axis][k];
        }
}

static er_pose body_pose(const er_model *model, int body, const er_pose *pose)
{
    return pose != NULL ? pose[body] : model->body[body].pose;
}

er_result er_constraints_at(er_context *context, const er_model *model, const er_pose *pose, er_constraints **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_constraints_create and er_constraints_at need a model");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_constraints *c = NULL;
    double *G, *R;
    int *row_joint, *row_axis;
    int coordinates = model->coordinate_count, m = 6 * model->joint_count - coordinates,
        columns = 6 * model->body_count;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(c, arena, er_constraints, 1);
    ERI_TRY_NEW(G, arena, double, (size_t)columns *(size_t)m);
    ERI_TRY_NEW(R, arena, double, (size_t)columns *(size_t)coordinates);
    ERI_TRY_NEW(row_joint, arena, int, m);
    ERI_TRY_NEW(row_axis, arena, int, m);

    int row = 0;
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        int freedom[6], at[6], count = er_joint_type_freedom(j->type, freedom);
        bool is_free[6] = {false};
        for (int i = 0; i < count; ++i) {
            is_free[freedom[i]] = true;
            at[freedom[i]] = model->coordinate[k] + i;
        }
        for (int axis = 0; axis < 6; ++axis) {
            if (is_free[axis]) continue;
            row_joint[row] = k;
            row_axis[row] = axis;
            at[axis] = row++;
        }
        eri_joint_frame frame = eri_joint_frame_at(model, k, pose);
        add_end(&frame, body_pose(model, j->child, pose), j->child, 1.0, is_free, at, G, m, R, coordinates);
        if (j->parent >= 0)
            add_end(&frame, body_pose(model, j->parent, pose), j->parent, -1.0, is_free, at, G, m, R, coordinates);
    }
    *c = (er_constraints){m, coordinates, columns, G, R, row_joint, row_axis, arena};
    *out = c;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

er_result er_constraints_create(er_context *context, const er_model *model, er_constraints **out)
{
    return er_constraints_at(context, model, NULL, out);
}

void er_constraint_errors(const er_model *model, const er_pose *pose, double *error)
{
    for (int k = 0; k < model->joint_count; ++k) {
        bool is_free[6] = {false};
        double all[6];
        int freedom[6], count = er_joint_type_freedom(model->joint[k].type, freedom);
        for (int i = 0; i < count; ++i)
            is_free[freedom[i]] = true;
        eri_joint_error(model, k, pose, all);
        for (int axis = 0; axis < 6; ++axis)
            if (!is_free[axis]) *error++ = all[axis];
    }
}

void er_constraints_destroy(er_constraints *constraints)
{
    if (constraints != NULL) eri_arena_destroy(constraints->arena);
}
