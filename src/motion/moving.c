// Frames that move: twists and accelerations of compositions, and of joints' displacements.
#include "motion/moving.h"

#include "model/joint/joint.h"

// ---- Compositions

// A twist of the frame A as one of the frame B that A carries.
static er_twist carried(er_pose b, er_twist t)
{
    er_quat back = er_q_conj(b.q);
    return (er_twist){er_q_rotate(back, t.angular),
                      er_q_rotate(back, er_v3_add(t.linear, er_v3_cross(t.angular, b.p)))};
}

// ad(a) b, the rate at which b's numbers change because a turns their axes, with its sign turned.
static er_twist commutator(er_twist a, er_twist b)
{
    return (er_twist){er_v3_cross(a.angular, b.angular),
                      er_v3_add(er_v3_cross(a.angular, b.linear), er_v3_cross(a.linear, b.angular))};
}

static er_twist sum(er_twist a, double factor, er_twist b)
{
    return (er_twist){er_v3_madd(a.angular, factor, b.angular), er_v3_madd(a.linear, factor, b.linear)};
}

eri_moving eri_moving_after(const eri_moving *a, const eri_moving *b)
{
    er_twist by_a = carried(b->pose, a->twist);
    er_twist rate = sum(carried(b->pose, a->rate), -1.0, commutator(b->twist, by_a));
    return (eri_moving){er_pose_mul(a->pose, b->pose), sum(by_a, 1.0, b->twist), sum(rate, 1.0, b->rate)};
}

eri_moving eri_moving_between(const eri_moving *a, const eri_moving *b)
{
    er_pose pose = er_pose_mul(er_pose_inverse(a->pose), b->pose);
    er_twist by_a = carried(pose, a->twist), twist = sum(b->twist, -1.0, by_a);
    er_twist rate = sum(b->rate, -1.0, carried(pose, a->rate));
    return (eri_moving){pose, twist, sum(rate, 1.0, commutator(twist, by_a))};
}

// ---- Joints

// An angular velocity and its rate, in the axes of a joint's parent side.
typedef struct turning {
    er_vec3 w, rate;
} turning;

// w = J r', J = 1 + a [r] + b [r]^2 the left Jacobian of the exponential map (Chirikjian 2012, 10.86); a and b depend
// on |r|, and `da`, `db` are their derivatives over |r|.
static turning turn_freely(er_vec3 r, er_vec3 v, er_vec3 acc)
{
    double t = er_v3_norm(r), t2 = t * t, a, b, da, db;
    if (t < 0.05) { // series; the next term is below 1e-16
        a = 1.0 / 2.0 - t2 * (1.0 / 24.0 - t2 * (1.0 / 720.0 - t2 / 40320.0));
        b = 1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 * (1.0 / 5040.0 - t2 / 362880.0));
        da = -1.0 / 12.0 + t2 * (1.0 / 180.0 - t2 / 6720.0);
        db = -1.0 / 60.0 + t2 * (1.0 / 1260.0 - t2 / 60480.0);
    } else {
        a = (1.0 - cos(t)) / t2;
        b = (t - sin(t)) / (t2 * t);
        da = (sin(t) / t - 2.0 * a) / t2;
        db = (a - 3.0 * b) / t2;
    }
    double along = er_v3_dot(r, v);
    er_vec3 rv = er_v3_cross(r, v), rrv = er_v3_cross(r, rv), ra = er_v3_cross(r, acc);
    turning out = {er_v3_madd(er_v3_madd(v, a, rv), b, rrv), er_v3_madd(er_v3_madd(acc, a, ra), b, er_v3_cross(r, ra))};
    out.rate = er_v3_madd(er_v3_madd(out.rate, da * along, rv), db * along, rrv);
    out.rate = er_v3_madd(out.rate, b, er_v3_cross(v, rv));
    return out;
}

// About x, then about the turned y.
static turning turn_cardan(er_vec3 r, er_vec3 v, er_vec3 acc)
{
    er_vec3 x = er_v3(1, 0, 0), y = er_q_rotate(er_q_exp(er_v3(r.x, 0, 0)), er_v3(0, 1, 0));
    turning out = {er_v3_madd(er_v3_scale(v.x, x), v.y, y), er_v3_madd(er_v3_scale(acc.x, x), acc.y, y)};
    out.rate = er_v3_madd(out.rate, v.x * v.y, er_v3_cross(x, y));
    return out;
}

static turning turn(eri_turning way, er_vec3 r, er_vec3 v, er_vec3 acc)
{
    switch (way) {
    case ERI_TURNS_FREELY:
        return turn_freely(r, v, acc);
    case ERI_TURNS_CARDAN:
        return turn_cardan(r, v, acc);
    case ERI_TURNS_ABOUT_Z:
        return (turning){er_v3(0, 0, v.z), er_v3(0, 0, acc.z)};
    case ERI_TURNS_NOT:
        break;
    }
    return (turning){er_v3(0, 0, 0), er_v3(0, 0, 0)};
}

// Free coordinates as all six.
static void spread(er_joint_type type, double pitch, const double *x, er_vec3 *angle, er_vec3 *shift)
{
    const eri_joint_kind *kind = &eri_joint_kinds[type];
    double full[6] = {0};
    for (int c = 0; c < kind->freedom; ++c)
        full[kind->axis[c]] = x[c];
    if (pitch != 0.0) full[5] = pitch * full[2];
    *angle = er_v3(full[0], full[1], full[2]);
    *shift = er_v3(full[3], full[4], full[5]);
}

eri_moving eri_moving_joint(er_joint_type type, double pitch, const double *x, const double *rate, const double *accel)
{
    er_vec3 angle[3], shift[3];
    spread(type, pitch, x, &angle[0], &shift[0]);
    spread(type, pitch, rate, &angle[1], &shift[1]);
    spread(type, pitch, accel, &angle[2], &shift[2]);
    turning t = turn(eri_joint_turns(type)->way, angle[0], angle[1], angle[2]);
    er_pose pose = {eri_joint_turns(type)->rotation(angle[0]), shift[0]};
    er_quat back = er_q_conj(pose.q);
    er_vec3 bent = er_v3_sub(shift[2], er_v3_cross(t.w, shift[1])); // the child's axes turn below its velocity
    return (eri_moving){pose,
                        {er_q_rotate(back, t.w), er_q_rotate(back, shift[1])},
                        {er_q_rotate(back, t.rate), er_q_rotate(back, bent)}};
}

void eri_moving_joint_axes(er_joint_type type, double pitch, const double *x, er_twist *out)
{
    const eri_joint_kind *kind = &eri_joint_kinds[type];
    er_vec3 angle, shift;
    spread(type, pitch, x, &angle, &shift);
    for (int c = 0; c < kind->freedom; ++c) {
        int k = kind->axis[c];
        out[c] = k < 3 ? (er_twist){kind->turns->axis(angle, k), er_v3(0, 0, k == 2 ? pitch : 0.0)}
                       : (er_twist){er_v3(0, 0, 0), er_v3(k == 3, k == 4, k == 5)};
    }
}
