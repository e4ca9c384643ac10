// No turn is free: 2 u = 0, R's unit quaternion (w, u) with w >= 0.
#include "model/joint/joint_kind.h"

static er_vec3 angles(er_quat R, er_vec3 near)
{
    (void)R, (void)near;
    return er_v3(0, 0, 0);
}

// 2 u' = q_w w + w x u
static void rows(er_quat q, er_vec3 row[3])
{
    row[0] = er_v3(q.w, q.z, -q.y), row[1] = er_v3(-q.z, q.w, q.x), row[2] = er_v3(q.y, -q.x, q.w);
}

// (q_w w + w x u)', q_w' = -w.u / 2, u' = (q_w w + w x u) / 2
static er_vec3 rows_rate(er_quat q, er_vec3 w)
{
    er_vec3 u = er_v3(q.x, q.y, q.z), wu = er_v3_cross(w, u);
    return er_v3_madd(er_v3_scale(0.5, er_v3_cross(w, wu)), -0.5 * er_v3_dot(w, u), w);
}

const eri_turns eri_turns_not = {
    .way = ERI_TURNS_NOT,
    .rotation = eri_turns_exp,
    .angles = angles,
    .axis = eri_turns_exp_axis,
    .rows = rows,
    .rows_rate = rows_rate,
    .axes = eri_turns_unit_axes,
    .violation = eri_turns_twice,
    .gap = eri_turns_log,
    .gap_rate = eri_turns_log_rate,
};
