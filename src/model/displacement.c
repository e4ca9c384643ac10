// Joint coordinates as displacements of joints, and the poses that they give down the tree; and back.
#include "model/joint.h"

// To within half a turn of `near`.
static double unwrapped(double angle, double near)
{
    return angle + 2.0 * ER_PI * round((near - angle) / (2.0 * ER_PI));
}

void eri_joint_coordinates(er_joint_type type, er_pose X, const double *near, double *x)
{
    const double shift[3] = {X.p.x, X.p.y, X.p.z};
    double turn[3] = {0};
    int axis[6], count = er_joint_type_freedom(type, axis);
    if (eri_joint_turns_freely(type)) {
        er_vec3 r = er_q_log(X.q);
        turn[0] = r.x, turn[1] = r.y, turn[2] = r.z;
    } else if (type ==
               ER_JOINT_UNIVERSAL) { // R = Rx Ry: R e_y = (0, cos tx, sin tx), x of R e_x and R e_z: cos, sin ty
        er_vec3 ex = er_q_rotate(X.q, er_v3(1, 0, 0)), ey = er_q_rotate(X.q, er_v3(0, 1, 0)),
                ez = er_q_rotate(X.q, er_v3(0, 0, 1));
        turn[0] = unwrapped(atan2(ey.z, ey.y), near != NULL ? near[0] : 0.0);
        turn[1] = unwrapped(atan2(ez.x, ex.x), near != NULL ? near[1] : 0.0);
    } else if (count > 0 && axis[0] == 2) {
        turn[2] = unwrapped(2.0 * atan2(X.q.z, X.q.w), near != NULL ? near[0] : 0.0);
    }
    for (int c = 0; c < count; ++c)
        x[c] = axis[c] < 3 ? turn[axis[c]] : shift[axis[c] - 3];
}

er_pose eri_joint_displacement(er_joint_type type, const double *x)
{
    double full[6] = {0};
    int axis[6], count = er_joint_type_freedom(type, axis);
    for (int c = 0; c < count; ++c)
        full[axis[c]] = x[c];
    er_pose X = {er_q_exp(er_v3(full[0], full[1], full[2])), er_v3(full[3], full[4], full[5])};
    if (type == ER_JOINT_UNIVERSAL) X.q = er_q_mul(er_q_exp(er_v3(full[0], 0, 0)), er_q_exp(er_v3(0, full[1], 0)));
    return X;
}

void er_model_pose(const er_model *model, const double *q, const er_pose *root, er_pose *pose)
{
    for (int i = 0; i < model->body_count; ++i) {
        int b = model->order[i], t = model->tree_joint[b], p = model->tree_parent[b];
        er_pose rest = model->body[b].pose;
        if (t < 0) {
            pose[b] = root != NULL ? er_pose_mul(root[b], rest) : rest;
            continue;
        }
        // displacement of b = displacement of p, then X(q) (or its inverse, when the tree runs from child to parent)
        // about the joint's frame at equilibrium
        const er_joint *j = &model->joint[t];
        er_pose x = eri_joint_displacement(j->type, q + model->coordinate[t]);
        if (j->child != b) x = er_pose_inverse(x);
        er_pose moved = er_pose_mul(er_pose_mul(j->frame, x), er_pose_mul(er_pose_inverse(j->frame), rest));
        pose[b] = p < 0 ? moved : er_pose_mul(pose[p], er_pose_mul(er_pose_inverse(model->body[p].pose), moved));
        pose[b].q = er_q_unit(pose[b].q);
    }
}

void er_model_coordinates(const er_model *model, const er_pose *pose, double *q, er_pose *root)
{
    for (int k = 0; k < model->joint_count; ++k) {
        er_pose near = eri_joint_parent_side(model, k, pose), far = eri_joint_child_side(model, k, pose);
        eri_joint_coordinates(model->joint[k].type, er_pose_mul(er_pose_inverse(near), far), NULL,
                              q + model->coordinate[k]);
    }
    for (int b = 0; b < model->body_count && root != NULL; ++b)
        if (model->tree_joint[b] < 0) root[b] = er_pose_displacement(model->body[b].pose, pose[b]);
}
