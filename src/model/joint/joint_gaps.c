// How far joints stand apart, as angles and shifts: what loops are closed by.
#include <string.h>

#include "model/joint/joint.h"

static void put_held(const er_model *model, const eri_joint_kind *kind, er_vec3 turn, er_vec3 shift, double held[6])
{
    const double all[6] = {model->size * turn.x, model->size * turn.y, model->size * turn.z, shift.x, shift.y, shift.z};
    memcpy(held, all, sizeof all);
    for (int i = 0; i < kind->freedom; ++i)
        held[kind->axis[i]] = 0.0;
}

void eri_joint_gap(const er_model *model, int joint, const er_pose *pose, double gap[6])
{
    const eri_joint_kind *kind = &eri_joint_kinds[model->joint[joint].type];
    er_pose between = er_pose_mul(er_pose_inverse(eri_joint_parent_side(model, joint, pose)),
                                  eri_joint_child_side(model, joint, pose));
    er_vec3 shift = er_v3(between.p.x, between.p.y, eri_lead_gap(model->joint[joint].pitch, between));
    put_held(model, kind, kind->turns->gap(between.q), shift, gap);
}

void eri_joint_gap_rate(const er_model *model, int joint, er_pose parent, er_pose child, er_twist v, double rate[6])
{
    const eri_joint_kind *kind = &eri_joint_kinds[model->joint[joint].type];
    er_quat back = er_q_conj(parent.q), between = er_q_mul(back, child.q);
    er_vec3 w = er_q_rotate(back, v.angular),
            shift = er_q_rotate(back, er_v3_add(v.linear, er_v3_cross(v.angular, child.p)));
    double pitch = model->joint[joint].pitch;
    if (pitch != 0.0) shift.z -= er_v3_dot(eri_lead_row(pitch, between), w);
    put_held(model, kind, kind->turns->gap_rate(between, w), shift, rate);
}

double er_pose_joint_gap(const er_model *model, const er_pose *pose)
{
    double widest = 0.0;
    for (int k = 0; k < model->joint_count; ++k) {
        double gap[6];
        eri_joint_gap(model, k, pose, gap);
        for (int i = 0; i < 6; ++i)
            widest = fmax(widest, fabs(gap[i]));
    }
    return widest;
}
