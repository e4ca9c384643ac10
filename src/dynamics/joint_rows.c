/// @file
/// A joint's directions: with w and v the rates of its displacement X = (R, p), along the parent's axes, its rates are
/// diag(A, 1) (w; v), and their rates diag(A, 1) (w'; v') + (A' w; 0).
#include "dynamics/joint_rows.h"

#include "model/joint.h"

eri_rows eri_rows_at(er_joint_type type, er_pose P, er_pose Q)
{
    eri_rows rows = {.type = type, .P = P, .X = er_pose_mul(er_pose_inverse(P), Q), .origin = Q.p};
    int axis[6], count = er_joint_type_freedom(type, axis);
    for (int c = 0; c < count; ++c)
        rows.is_free[axis[c]] = true;
    er_mat3 R = er_m3_from_q(P.q);
    eri_joint_turn_rows(type, rows.X.q, rows.axis);
    for (int i = 0; i < 3; ++i) {
        rows.axis[i] = er_m3_mul_v(R, rows.axis[i]);
        rows.axis[3 + i] = er_m3_column(R, i);
    }
    return rows;
}

static er_vec3 point_velocity(const eri_motion_at *m, er_vec3 point)
{
    return er_v3_add(m->linear, er_v3_cross(m->angular, er_v3_sub(point, m->point)));
}

static er_vec3 point_acceleration(const eri_motion_at *m, er_vec3 point)
{
    er_vec3 r = er_v3_sub(point, m->point);
    return er_v3_add(er_v3_add(m->linear_rate, er_v3_cross(m->angular_rate, r)),
                     er_v3_cross(m->angular, er_v3_cross(m->angular, r)));
}

static void along(const eri_rows *rows, er_vec3 turn, er_vec3 shift, double out[6])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = er_v3_dot(rows->axis[i], turn);
        out[3 + i] = er_v3_dot(rows->axis[3 + i], shift);
    }
}

void eri_rows_rates(const eri_rows *rows, const eri_motion_at *parent, const eri_motion_at *child, double rate[6])
{
    along(rows, er_v3_sub(child->angular, parent->angular),
          er_v3_sub(point_velocity(child, rows->origin), point_velocity(parent, rows->origin)), rate);
}

// A' w.
static er_vec3 turn_bias(er_joint_type type, er_quat turned, er_vec3 w)
{
    er_quat q = eri_joint_near_identity(turned);
    if (type == ER_JOINT_REVOLUTE || type == ER_JOINT_CYLINDRICAL || type == ER_JOINT_PLANAR) {
        er_vec3 z = er_q_rotate(q, er_v3(0, 0, 1)), d = er_v3_cross(w, z);
        return er_v3(d.z * w.x - d.x * w.z, d.z * w.y - d.y * w.z, er_v3_dot(d, w));
    }
    if (type == ER_JOINT_UNIVERSAL) {
        er_vec3 y = er_q_rotate(q, er_v3(0, 1, 0)), d = er_v3_cross(w, y);
        double s = y.y * y.y + y.z * y.z, ds = 2.0 * (y.y * d.y + y.z * d.z);
        double across = y.y * w.y + y.z * w.z, d_across = d.y * w.y + d.z * w.z;
        double ty = across / s, d_ty = d_across / s - across * ds / (s * s);
        return er_v3(-d.x * ty - y.x * d_ty, d_ty, d.y * w.z - d.z * w.y);
    }
    if (type == ER_JOINT_PRISMATIC || type == ER_JOINT_FIXED) { // (q_w w + w x u)', q_w' = -w.u / 2, u' = (..) / 2
        er_vec3 u = er_v3(q.x, q.y, q.z), wu = er_v3_cross(w, u);
        return er_v3_madd(er_v3_scale(0.5, er_v3_cross(w, wu)), -0.5 * er_v3_dot(w, u), w);
    }
    return er_v3(0, 0, 0);
}

void eri_rows_second_rates(const eri_rows *rows, const eri_motion_at *parent, const eri_motion_at *child,
                           double rate[6])
{
    er_vec3 turn = er_v3_sub(child->angular, parent->angular); // w, world axes; its rate along axes that turn:
    er_vec3 turn_rate =
        er_v3_sub(er_v3_sub(child->angular_rate, parent->angular_rate), er_v3_cross(parent->angular, turn));
    er_vec3 slide = er_v3_sub(point_velocity(child, rows->origin), point_velocity(parent, rows->origin));
    er_vec3 slide_rate = er_v3_sub(point_acceleration(child, rows->origin), point_acceleration(parent, rows->origin));
    along(rows, turn_rate, er_v3_madd(slide_rate, -2.0, er_v3_cross(parent->angular, slide)), rate);
    er_vec3 bias = turn_bias(rows->type, rows->X.q, er_q_rotate(er_q_conj(rows->P.q), turn));
    rate[0] += bias.x, rate[1] += bias.y, rate[2] += bias.z;
}

er_wrench eri_rows_wrench(const eri_rows *rows, const double force[6])
{
    er_wrench w = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; ++i) {
        w.torque = er_v3_madd(w.torque, force[i], rows->axis[i]);
        w.force = er_v3_madd(w.force, force[3 + i], rows->axis[3 + i]);
    }
    return w;
}
