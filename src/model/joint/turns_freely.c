// All turns are free: the coordinates are a rotation vector, the rates the angular velocity itself.
#include "model/joint/joint_kind.h"

static er_vec3 angles(er_quat R, er_vec3 near)
{
    (void)near;
    return er_q_log(R);
}

static void rows(er_quat q, er_vec3 row[3])
{
    (void)q;
    row[0] = er_v3(1, 0, 0), row[1] = er_v3(0, 1, 0), row[2] = er_v3(0, 0, 1);
}

static er_vec3 rows_rate(er_quat q, er_vec3 w)
{
    (void)q, (void)w;
    return er_v3(0, 0, 0);
}

const eri_turns eri_turns_freely = {
    .way = ERI_TURNS_FREELY,
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
