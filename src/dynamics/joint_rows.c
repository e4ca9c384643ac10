/// @file
/// A joint's directions: with w and v the rates of its displacement X = (R, p), along the parent's axes, its rates are
/// diag(A, 1) (w; v), and their rates diag(A, 1) (w'; v') + (A' w; 0).
#include "dynamics/joint_rows.h"

#include "model/joint/joint.h"

eri_rows eri_rows_at(er_joint_type type, double pitch, er_pose P, er_pose Q)
{
    eri_rows rows = {.type = type, .pitch = pitch, .P = P, .X = er_pose_mul(er_pose_inverse(P), Q), .origin = Q.p};
    int axis[6], count = er_joint_type_freedom(type, axis);
    for (int c = 0; c < count; ++c)
        rows.is_free[axis[c]] = true;
    er_mat3 R = er_m3_from_q(P.q);
    eri_joint_turns(type)->rows(eri_joint_near_identity(rows.X.q), rows.axis);
    for (int i = 0; i < 3; ++i) {
        rows.axis[i] = er_m3_mul_v(R, rows.axis[i]);
        rows.axis[3 + i] = er_m3_column(R, i);
    }
    if (pitch != 0.0) rows.lead = er_m3_mul_v(R, eri_lead_row(pitch, rows.X.q));
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
    if (rows->pitch != 0.0) out[5] -= er_v3_dot(rows->lead, turn);
}

void eri_rows_rates(const eri_rows *rows, const eri_motion_at *parent, const eri_motion_at *child, double rate[6])
{
    along(rows, er_v3_sub(child->angular, parent->angular),
          er_v3_sub(point_velocity(child, rows->origin), point_velocity(parent, rows->origin)), rate);
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
    er_vec3 own = er_q_rotate(er_q_conj(rows->P.q), turn);
    er_vec3 bias = eri_joint_turns(rows->type)->rows_rate(eri_joint_near_identity(rows->X.q), own);
    rate[5] -= eri_lead_row_rate(rows->pitch, rows->X.q, own);
    rate[0] += bias.x, rate[1] += bias.y, rate[2] += bias.z;
}

er_wrench eri_rows_wrench(const eri_rows *rows, const double force[6])
{
    er_wrench w = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; ++i) {
        w.torque = er_v3_madd(w.torque, force[i], rows->axis[i]);
        w.force = er_v3_madd(w.force, force[3 + i], rows->axis[3 + i]);
    }
    if (rows->pitch != 0.0) w.torque = er_v3_madd(w.torque, -force[5], rows->lead);
    return w;
}
