// Joint coordinates as displacements of joints, and the poses that they give down the tree; and back.
#include "model/joint/joint.h"

void eri_joint_coordinates(er_joint_type type, double pitch, er_pose X, const double *near, double *x)
{
    const eri_joint_kind *kind = &eri_joint_kinds[type];
    double last[6] = {0};
    for (int c = 0; near != NULL && c < kind->freedom; ++c)
        last[kind->axis[c]] = near[c];
    if (pitch != 0.0) last[2] = eri_lead_angle(pitch, X);
    er_vec3 turn = kind->turns->angles(X.q, er_v3(last[0], last[1], last[2]));
    const double all[6] = {turn.x, turn.y, turn.z, X.p.x, X.p.y, X.p.z};
    for (int c = 0; c < kind->freedom; ++c)
        x[c] = all[kind->axis[c]];
}

er_pose eri_joint_displacement(er_joint_type type, double pitch, const double *x)
{
    const eri_joint_kind *kind = &eri_joint_kinds[type];
    double full[6] = {0};
    for (int c = 0; c < kind->freedom; ++c)
        full[kind->axis[c]] = x[c];
    if (pitch != 0.0) full[5] = pitch * full[2];
    return (er_pose){kind->turns->rotation(er_v3(full[0], full[1], full[2])), er_v3(full[3], full[4], full[5])};
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
        er_pose x = eri_joint_displacement(j->type, j->pitch, q + model->coordinate[t]);
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
        eri_joint_coordinates(model->joint[k].type, model->joint[k].pitch, er_pose_mul(er_pose_inverse(near), far),
                              NULL, q + model->coordinate[k]);
    }
    for (int b = 0; b < model->body_count && root != NULL; ++b)
        if (model->tree_joint[b] < 0) root[b] = er_pose_displacement(model->body[b].pose, pose[b]);
}
