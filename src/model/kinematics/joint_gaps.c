// How far joints stand apart.
#include <string.h>

#include "model/joint.h"
#include "model/kinematics/kinematics.h"

void eri_pose_joint_error(const er_model *model, int k, const er_pose *pose, double error[6])
{
    const er_joint *j = &model->joint[k];
    er_pose between =
        er_pose_mul(er_pose_inverse(eri_joint_parent_side(model, k, pose)), eri_joint_child_side(model, k, pose));
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    er_vec3 turn = er_q_log(between.q);
    // universal: R = Rx Ry exactly when the child's y has no x component on the parent's side
    if (j->type == ER_JOINT_UNIVERSAL)
        turn = er_v3(0, 0, asin(fmax(-1.0, fmin(1.0, er_q_rotate(between.q, er_v3(0, 1, 0)).x))));
    const double all[6] = {model->size * turn.x, model->size * turn.y, model->size * turn.z,
                           between.p.x,          between.p.y,          between.p.z};
    memcpy(error, all, sizeof all);
    for (int i = 0; i < count; ++i)
        error[axis[i]] = 0.0;
}

double er_pose_joint_gap(const er_model *model, const er_pose *pose)
{
    double gap = 0.0;
    for (int k = 0; k < model->joint_count; ++k) {
        double error[6];
        eri_pose_joint_error(model, k, pose, error);
        for (int i = 0; i < 6; ++i)
            gap = fmax(gap, fabs(error[i]));
    }
    return gap;
}
