// A screw turns about z and shifts along it by its pitch p per radian: z = p t, t the angle of the turn about z.
// With q = (w, x, y, z) and n = R e_z, t = 2 atan2(q_z, q_w) has the exact rate
//   t' = (n_x w_x + n_y w_y) / (1 + n_z) + w_z,
// where the axes are apart, too.
#include "model/joint/joint.h"

double eri_lead_angle(double pitch, er_pose X)
{
    double turned = 2.0 * atan2(X.q.z, X.q.w), wound = X.p.z / pitch;
    return fabs(wound) <= 1e9 ? eri_angle_near(turned, wound) : turned;
}

double eri_lead_gap(double pitch, er_pose X)
{
    return pitch != 0.0 ? X.p.z - pitch * eri_lead_angle(pitch, X) : X.p.z;
}

er_vec3 eri_lead_row(double pitch, er_quat R)
{
    if (pitch == 0.0) return er_v3(0, 0, 0);
    er_vec3 n = er_q_rotate(R, er_v3(0, 0, 1));
    return er_v3(pitch * n.x / (1.0 + n.z), pitch * n.y / (1.0 + n.z), pitch);
}

double eri_lead_row_rate(double pitch, er_quat R, er_vec3 w)
{
    if (pitch == 0.0) return 0.0;
    er_vec3 n = er_q_rotate(R, er_v3(0, 0, 1)), d = er_v3_cross(w, n);
    double s = 1.0 + n.z;
    return pitch * ((d.x * w.x + d.y * w.y) / s - (n.x * w.x + n.y * w.y) * d.z / (s * s));
}
