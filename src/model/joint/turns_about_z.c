// The turn about z is free: -(R e_z)_y = 0, (R e_z)_x = 0.
#include "model/joint/joint_kind.h"

static er_vec3 angles(er_quat R, er_vec3 near)
{
    return er_v3(0, 0, eri_angle_near(2.0 * atan2(R.z, R.w), near.z));
}

// (R e_z)' = w x R e_z; about R e_z neither entry changes
static void rows(er_quat q, er_vec3 row[3])
{
    er_vec3 z = er_q_rotate(q, er_v3(0, 0, 1));
    row[0] = er_v3(z.z, 0, -z.x), row[1] = er_v3(0, z.z, -z.y), row[2] = z;
}

static er_vec3 rows_rate(er_quat q, er_vec3 w)
{
    er_vec3 z = er_q_rotate(q, er_v3(0, 0, 1)), d = er_v3_cross(w, z);
    return er_v3(d.z * w.x - d.x * w.z, d.z * w.y - d.y * w.z, er_v3_dot(d, w));
}

static er_mat3 axes(er_quat R)
{
    er_vec3 z = er_q_rotate(R.w < 0.0 ? er_q(-R.w, -R.x, -R.y, -R.z) : R, er_v3(0, 0, 1));
    return (er_mat3){{{1, 0, z.x}, {0, 1, z.y}, {0, 0, z.z}}};
}

static er_vec3 violation(er_quat q)
{
    er_vec3 z = er_q_rotate(q, er_v3(0, 0, 1));
    return er_v3(-z.y, z.x, 0);
}

const eri_turns eri_turns_about_z = {
    .way = ERI_TURNS_ABOUT_Z,
    .rotation = eri_turns_exp,
    .angles = angles,
    .axis = eri_turns_exp_axis,
    .rows = rows,
    .rows_rate = rows_rate,
    .axes = axes,
    .violation = violation,
    .gap = eri_turns_log,
    .gap_rate = eri_turns_log_rate,
};
