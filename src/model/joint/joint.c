// A joint at a pose of its bodies: its frame, and what it holds that the pose violates.
#include "model/joint/joint.h"

#include <string.h>

static er_pose carried_frame(const er_model *model, int joint, int body, const er_pose *pose)
{
    er_pose frame = model->joint[joint].frame;
    return body < 0 ? frame : er_pose_mul(er_pose_displacement(model->body[body].pose, pose[body]), frame);
}

er_pose eri_joint_parent_side(const er_model *model, int joint, const er_pose *pose)
{
    return carried_frame(model, joint, model->joint[joint].parent, pose);
}

er_pose eri_joint_child_side(const er_model *model, int joint, const er_pose *pose)
{
    return carried_frame(model, joint, model->joint[joint].child, pose);
}

eri_joint_frame eri_joint_frame_at(const er_model *model, int joint, const er_pose *pose)
{
    const er_joint *j = &model->joint[joint];
    eri_joint_frame f = {j->frame, er_m3_identity(), er_m3_identity(), er_v3(0, 0, j->pitch)};
    if (pose == NULL) return f;
    er_pose P = eri_joint_parent_side(model, joint, pose), Q = eri_joint_child_side(model, joint, pose);
    f.at = (er_pose){P.q, Q.p};
    const eri_turns *turns = eri_joint_turns(j->type);
    er_quat turned = er_q_mul(er_q_conj(P.q), Q.q);
    er_vec3 row[3];
    turns->rows(eri_joint_near_identity(turned), row);
    f.rate =
        (er_mat3){{{row[0].x, row[0].y, row[0].z}, {row[1].x, row[1].y, row[1].z}, {row[2].x, row[2].y, row[2].z}}};
    f.axis = turns->axes(turned);
    f.lead = eri_lead_row(j->pitch, turned);
    return f;
}

void eri_joint_violation(er_joint_type type, double pitch, er_pose X, double error[6])
{
    const eri_joint_kind *kind = &eri_joint_kinds[type];
    er_vec3 turn = kind->turns->violation(eri_joint_near_identity(X.q));
    const double all[6] = {turn.x, turn.y, turn.z, X.p.x, X.p.y, eri_lead_gap(pitch, X)};
    memcpy(error, all, sizeof all);
    for (int i = 0; i < kind->freedom; ++i)
        error[kind->axis[i]] = 0.0;
}

void eri_joint_error(const er_model *model, int joint, const er_pose *pose, double error[6])
{
    er_pose P = eri_joint_parent_side(model, joint, pose), Q = eri_joint_child_side(model, joint, pose);
    eri_joint_violation(model->joint[joint].type, model->joint[joint].pitch, er_pose_mul(er_pose_inverse(P), Q), error);
}
