/// @file
/// The types of joints: one table that says what each lets free and how it turns. Everything that differs from type to
/// type is asked here. A new type is one line of the table in joint_kind.c, and one file if it turns in a way of its
/// own.
///
/// X = (R, p) is a joint's displacement (joint.h), w the angular velocity of its child's side along the parent's axes:
/// R' = [w] R. Derivation: docs/math/kinematics.md.
#ifndef ERI_MODEL_JOINT_JOINT_KIND_H
#define ERI_MODEL_JOINT_JOINT_KIND_H

#include <eigenrig/model.h>

/// The ways to turn. Sweeps in lanes branch on these.
typedef enum eri_turning { ERI_TURNS_NOT, ERI_TURNS_ABOUT_Z, ERI_TURNS_CARDAN, ERI_TURNS_FREELY } eri_turning;

/// A way to turn: R in the coordinates tx ty tz, and what of it is held. `q` is R as a quaternion with w >= 0.
typedef struct eri_turns {
    eri_turning way;
    /// R of the coordinates.
    er_quat (*rotation)(er_vec3 angle);
    /// The coordinates of R, rad: each within half a turn of what `near` has, a rotation vector at most pi long. Those
    /// that are held are not meant.
    er_vec3 (*angles)(er_quat R, er_vec3 near);
    /// The axis about which coordinate k turns, at unit rate: w.
    er_vec3 (*axis)(er_vec3 angle, int k);
    /// The rows A: rates of the coordinates that are free and of what is violated where they are held are A w.
    void (*rows)(er_quat q, er_vec3 row[3]);
    /// A' w.
    er_vec3 (*rows_rate)(er_quat q, er_vec3 w);
    /// The unit axes along which A w is the rate of one free turn alone; as columns, e_x e_y e_z those that are held.
    er_mat3 (*axes)(er_quat R);
    /// The violation, smooth for any free turns: rad to first order. Free directions are not meant.
    er_vec3 (*violation)(er_quat q);
    /// The violation as angles, by which loops are closed, and its rate.
    er_vec3 (*gap)(er_quat R);
    er_vec3 (*gap_rate)(er_quat R, er_vec3 w);
} eri_turns;

extern const eri_turns eri_turns_not, eri_turns_about_z, eri_turns_cardan, eri_turns_freely;

/// A type of joint.
typedef struct eri_joint_kind {
    const char *name; ///< in files, Lua, descriptions and messages
    const eri_turns *turns;
    int freedom, axis[6]; ///< free coordinates, ascending: 0 to 5 for tx ty tz x y z
} eri_joint_kind;

extern const eri_joint_kind eri_joint_kinds[ER_JOINT_TYPE_COUNT];

static inline const eri_turns *eri_joint_turns(er_joint_type type)
{
    return eri_joint_kinds[type].turns;
}

/// Whether a joint's three turns are all free: its positions begin with a quaternion, its velocities with the angular
/// velocity of its child's side along the axes of its parent's.
static inline bool eri_joint_turns_freely(er_joint_type type)
{
    return eri_joint_kinds[type].turns->way == ERI_TURNS_FREELY;
}

/// d log(R) / dt: the inverse of the left Jacobian (Chirikjian 2012, 10.86).
er_vec3 eri_turn_rate(er_vec3 log, er_vec3 w);

/// Functions that several ways to turn share: R by its rotation vector, in all its coordinates.
er_quat eri_turns_exp(er_vec3 angle);
er_vec3 eri_turns_exp_axis(er_vec3 angle, int k);
er_vec3 eri_turns_log(er_quat R);
er_vec3 eri_turns_log_rate(er_quat R, er_vec3 w);
er_mat3 eri_turns_unit_axes(er_quat R);

/// 2 u of q = (w, u).
er_vec3 eri_turns_twice(er_quat q);

/// Within half a turn of `near`.
static inline double eri_angle_near(double angle, double near)
{
    return angle + 2.0 * ER_PI * round((near - angle) / (2.0 * ER_PI));
}

#endif
