// Types of joints: their free coordinates, their holonomic constraints, and exact differentials of these. With X = (R,
// p) the displacement of the child's side in the parent's, R' = [w] R and p' = v, a joint is together where
// (docs/math/kinematics.md)
//   shifts held                  p_i = 0
//   turns held, but for tz       -(R e_z)_y = 0, (R e_z)_x = 0
//   universal, R = Rx Ry         -(R e_y)_x = 0
//   all turns held               2 u = 0, R's unit quaternion (w, u) with w >= 0
#include "model/joint.h"

#include <string.h>

static const struct {
    const char *name;
    int count;
    int coordinate[6];
} joint_types[ER_JOINT_TYPE_COUNT] = {
    [ER_JOINT_REVOLUTE] = {"revolute", 1, {2}},
    [ER_JOINT_UNIVERSAL] = {"universal", 2, {0, 1}},
    [ER_JOINT_SPHERICAL] = {"spherical", 3, {0, 1, 2}},
    [ER_JOINT_PRISMATIC] = {"prismatic", 1, {5}},
    [ER_JOINT_CYLINDRICAL] = {"cylindrical", 2, {2, 5}},
    [ER_JOINT_PLANAR] = {"planar", 3, {2, 3, 4}},
    [ER_JOINT_POINT_ON_PLANE] = {"point_on_plane", 5, {0, 1, 2, 3, 4}},
    [ER_JOINT_FIXED] = {"fixed", 0, {0}},
    [ER_JOINT_FREE] = {"free", 6, {0, 1, 2, 3, 4, 5}},
};

int er_joint_type_freedom(er_joint_type type, int *free_coordinate)
{
    if ((unsigned)type >= ER_JOINT_TYPE_COUNT) return 0;
    int count = joint_types[type].count;
    if (free_coordinate != NULL) memcpy(free_coordinate, joint_types[type].coordinate, (size_t)count * sizeof(int));
    return count;
}

const char *er_joint_type_name(er_joint_type type)
{
    return (unsigned)type < ER_JOINT_TYPE_COUNT ? joint_types[type].name : "unknown";
}

static er_pose carried_frame(const er_model *model, int joint, int body, const er_pose *pose)
{
    er_pose frame = model->joint[joint].frame;
    return body < 0 ? frame : er_pose_mul(er_pose_displacement(model->body[body].pose, pose[body]), frame);
}

er_pose eri_joint_parent_side(const er_model *model, int joint, const er_pose *pose)
{
    return carried_frame(model, joint, model->joint[joint].parent, pose);
}

er_pose eri_joint_child_side(const er_model *model, int joint, const er_pose *pose)
{
    return carried_frame(model, joint, model->joint[joint].child, pose);
}

static er_mat3 from_rows(er_vec3 x, er_vec3 y, er_vec3 z)
{
    er_mat3 m = {{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
    return m;
}

static er_mat3 from_columns(er_vec3 x, er_vec3 y, er_vec3 z)
{
    return er_m3_transpose(from_rows(x, y, z));
}

void eri_joint_turn_rows(er_joint_type type, er_quat turned, er_vec3 row[3])
{
    er_quat q = eri_joint_near_identity(turned);
    row[0] = er_v3(1, 0, 0), row[1] = er_v3(0, 1, 0), row[2] = er_v3(0, 0, 1);
    switch (type) {
    case ER_JOINT_REVOLUTE:
    case ER_JOINT_CYLINDRICAL:
    case ER_JOINT_PLANAR: { // (R e_z)' = w x R e_z; about R e_z neither entry changes
        er_vec3 z = er_q_rotate(q, row[2]);
        row[0] = er_v3(z.z, 0, -z.x), row[1] = er_v3(0, z.z, -z.y), row[2] = z;
        break;
    }
    case ER_JOINT_UNIVERSAL: { // tx of R e_y in the plane of y and z; ty about R e_y, from there
        er_vec3 y = er_q_rotate(q, row[1]);
        double s = y.y * y.y + y.z * y.z;
        row[0] = er_v3(1, -y.x * y.y / s, -y.x * y.z / s), row[1] = er_v3(0, y.y / s, y.z / s);
        row[2] = er_v3(0, -y.z, y.y);
        break;
    }
    case ER_JOINT_PRISMATIC:
    case ER_JOINT_FIXED: // 2 u' = q_w w + w x u
        row[0] = er_v3(q.w, q.z, -q.y), row[1] = er_v3(-q.z, q.w, q.x), row[2] = er_v3(q.y, -q.x, q.w);
        break;
    case ER_JOINT_SPHERICAL:
    case ER_JOINT_POINT_ON_PLANE:
    case ER_JOINT_FREE: // w itself
        break;
    }
}

static void set_turns(eri_joint_frame *f, er_joint_type type, er_quat turned)
{
    er_vec3 row[3], ex = er_v3(1, 0, 0), ey = er_v3(0, 1, 0), ez = er_v3(0, 0, 1);
    eri_joint_turn_rows(type, turned, row);
    f->rate = from_rows(row[0], row[1], row[2]);
    if (type == ER_JOINT_REVOLUTE || type == ER_JOINT_CYLINDRICAL || type == ER_JOINT_PLANAR)
        f->axis = from_columns(ex, ey, row[2]);
    else if (type == ER_JOINT_UNIVERSAL)
        f->axis = from_columns(ex, er_q_rotate(turned, ey), ez);
}

eri_joint_frame eri_joint_frame_at(const er_model *model, int joint, const er_pose *pose)
{
    const er_joint *j = &model->joint[joint];
    eri_joint_frame f = {j->frame, er_m3_identity(), er_m3_identity()};
    if (pose == NULL) return f;
    er_pose P = eri_joint_parent_side(model, joint, pose), Q = eri_joint_child_side(model, joint, pose);
    f.at = (er_pose){P.q, Q.p};
    set_turns(&f, j->type, er_q_mul(er_q_conj(P.q), Q.q));
    return f;
}

void eri_joint_violation(er_joint_type type, er_pose X, double error[6])
{
    er_quat q = eri_joint_near_identity(X.q);
    er_vec3 turn = er_v3(2.0 * q.x, 2.0 * q.y, 2.0 * q.z);
    if (type == ER_JOINT_UNIVERSAL) {
        turn = er_v3(0, 0, -er_q_rotate(q, er_v3(0, 1, 0)).x);
    } else if (type == ER_JOINT_REVOLUTE || type == ER_JOINT_CYLINDRICAL || type == ER_JOINT_PLANAR) {
        er_vec3 z = er_q_rotate(q, er_v3(0, 0, 1));
        turn = er_v3(-z.y, z.x, 0);
    }
    const double all[6] = {turn.x, turn.y, turn.z, X.p.x, X.p.y, X.p.z};
    int axis[6], count = er_joint_type_freedom(type, axis);
    memcpy(error, all, sizeof all);
    for (int i = 0; i < count; ++i)
        error[axis[i]] = 0.0;
}

void eri_joint_error(const er_model *model, int joint, const er_pose *pose, double error[6])
{
    er_pose P = eri_joint_parent_side(model, joint, pose), Q = eri_joint_child_side(model, joint, pose);
    eri_joint_violation(model->joint[joint].type, er_pose_mul(er_pose_inverse(P), Q), error);
}
