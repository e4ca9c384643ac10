// Functions that several ways to turn share.
#include "model/joint/joint_kind.h"

er_vec3 eri_turn_rate(er_vec3 log, er_vec3 w)
{
    double t = er_v3_norm(log), t2 = t * t;
    double c = t < 1e-2 ? 1.0 / 12.0 + t2 / 720.0 + t2 * t2 / 30240.0 : (1.0 - 0.5 * t / tan(0.5 * t)) / t2;
    er_vec3 cross = er_v3_cross(log, w);
    return er_v3_madd(er_v3_madd(w, -0.5, cross), c, er_v3_cross(log, cross));
}

er_quat eri_turns_exp(er_vec3 angle)
{
    return er_q_exp(angle);
}

er_vec3 eri_turns_exp_axis(er_vec3 angle, int k)
{
    // d exp(r) / dr along a unit vector, as a rotation on the left, is what the shift of a screw motion is made of
    return er_pose_exp((er_twist){angle, er_v3(k == 0, k == 1, k == 2)}).p;
}

er_vec3 eri_turns_log(er_quat R)
{
    return er_q_log(R);
}

er_vec3 eri_turns_log_rate(er_quat R, er_vec3 w)
{
    return eri_turn_rate(er_q_log(R), w);
}

er_mat3 eri_turns_unit_axes(er_quat R)
{
    (void)R;
    return er_m3_identity();
}

er_vec3 eri_turns_twice(er_quat q)
{
    return er_v3(2.0 * q.x, 2.0 * q.y, 2.0 * q.z);
}
