// A turn about x, then one about the turned y: R = Rx Ry exactly where -(R e_y)_x = 0.
#include "model/joint/joint_kind.h"

static er_quat rotation(er_vec3 angle)
{
    return er_q_mul(er_q_exp(er_v3(angle.x, 0, 0)), er_q_exp(er_v3(0, angle.y, 0)));
}

// R e_y = (0, cos tx, sin tx); x of R e_x and of R e_z: cos ty, sin ty
static er_vec3 angles(er_quat R, er_vec3 near)
{
    er_vec3 ex = er_q_rotate(R, er_v3(1, 0, 0)), ey = er_q_rotate(R, er_v3(0, 1, 0)),
            ez = er_q_rotate(R, er_v3(0, 0, 1));
    return er_v3(eri_angle_near(atan2(ey.z, ey.y), near.x), eri_angle_near(atan2(ez.x, ex.x), near.y), 0);
}

static er_vec3 axis(er_vec3 angle, int k)
{
    er_vec3 unit = er_v3(k == 0, k == 1, k == 2);
    return k == 0 ? unit : er_q_rotate(er_q_exp(er_v3(angle.x, 0, 0)), unit);
}

// tx of R e_y in the plane of y and z; ty about R e_y, from there
static void rows(er_quat q, er_vec3 row[3])
{
    er_vec3 y = er_q_rotate(q, er_v3(0, 1, 0));
    double s = y.y * y.y + y.z * y.z;
    row[0] = er_v3(1, -y.x * y.y / s, -y.x * y.z / s), row[1] = er_v3(0, y.y / s, y.z / s);
    row[2] = er_v3(0, -y.z, y.y);
}

static er_vec3 rows_rate(er_quat q, er_vec3 w)
{
    er_vec3 y = er_q_rotate(q, er_v3(0, 1, 0)), d = er_v3_cross(w, y);
    double s = y.y * y.y + y.z * y.z, ds = 2.0 * (y.y * d.y + y.z * d.z);
    double across = y.y * w.y + y.z * w.z, d_across = d.y * w.y + d.z * w.z;
    double ty = across / s, d_ty = d_across / s - across * ds / (s * s);
    return er_v3(-d.x * ty - y.x * d_ty, d_ty, d.y * w.z - d.z * w.y);
}

static er_mat3 axes(er_quat R)
{
    er_vec3 y = er_q_rotate(R, er_v3(0, 1, 0));
    return (er_mat3){{{1, y.x, 0}, {0, y.y, 0}, {0, y.z, 1}}};
}

static er_vec3 violation(er_quat q)
{
    return er_v3(0, 0, -er_q_rotate(q, er_v3(0, 1, 0)).x);
}

static er_vec3 gap(er_quat R)
{
    return er_v3(0, 0, asin(fmax(-1.0, fmin(1.0, er_q_rotate(R, er_v3(0, 1, 0)).x))));
}

static er_vec3 gap_rate(er_quat R, er_vec3 w)
{
    er_vec3 y = er_q_rotate(R, er_v3(0, 1, 0));
    return er_v3(0, 0, er_v3_cross(w, y).x / sqrt(fmax(1e-12, 1.0 - y.x * y.x)));
}

const eri_turns eri_turns_cardan = {
    .way = ERI_TURNS_CARDAN,
    .rotation = rotation,
    .angles = angles,
    .axis = axis,
    .rows = rows,
    .rows_rate = rows_rate,
    .axes = axes,
    .violation = violation,
    .gap = gap,
    .gap_rate = gap_rate,
};
