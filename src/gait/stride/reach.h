/// @file
/// Private: where feet are to be, and legs that reach there.
#ifndef ERI_GAIT_STRIDE_REACH_H
#define ERI_GAIT_STRIDE_REACH_H

#include "gait/stride.h"

/// Longest leg in stance, over its full length. A straighter knee would snap.
#define ERI_GAIT_STRETCH 0.96

/// From a to b, with the rates va and vb at the ends, at u in [0, 1].
static inline er_vec3 eri_hermite(er_vec3 a, er_vec3 va, er_vec3 b, er_vec3 vb, double u)
{
    double u2 = u * u, u3 = u2 * u;
    er_vec3 sum = er_v3_scale(2 * u3 - 3 * u2 + 1, a);
    sum = er_v3_madd(sum, u3 - 2 * u2 + u, va);
    sum = er_v3_madd(sum, 3 * u2 - 2 * u3, b);
    return er_v3_madd(sum, u3 - u2, vb);
}

/// Target of a foot at a frame, for a body in place.
typedef struct eri_target {
    er_vec3 heel; ///< m, world
    er_quat sole; ///< orientation of the sole's body, world; of a flat foot alone
    double holds; ///< 1 while it stands, 0 in mid-swing, between in time
} eri_target;

/// A direction that a leg's joint moves in: a coordinate of x, or of a knee a direction among its three turns.
typedef struct eri_leg_direction {
    int owner;        ///< link
    int first, count; ///< coordinates in x that take part, 1 or 3
    int axis;         ///< of the first, 0 to 5
    double unit[3];   ///< [count]
    double stiffness; ///< over the mean of the leg's
} eri_leg_direction;

/// A leg's joints as they carry its bodies.
typedef struct eri_leg {
    const er_gait_foot *foot;
    const er_kinematics *kinematics;
    int count;                    ///< joints
    int *link;                    ///< [count], from the trunk down, of the tree of `kinematics`
    int toe_count;                ///< bodies that hang on the foot
    int *toe;                     ///< [toe_count], links, parents first
    int knee;                     ///< link that halves the leg; 0 for none
    er_vec3 hinge;                ///< axis that it bends about, frame of the body above
    int width;                    ///< directions
    eri_leg_direction *direction; ///< [width]
    double keep;                  ///< weight of their energy beside what is left to go
    double *from, *before;        ///< [coordinates of the model], work space
    double *change;               ///< [width], likewise
    double *jacobian;             ///< [6 x width], likewise
} eri_leg;

er_result eri_leg_create(er_arena *arena, const er_model *model, const er_kinematics *k, const er_gait_body *body,
                         const er_gait_foot *foot, eri_leg *out);

/// A link of the leg, and how it places its body.
static inline const eri_link *eri_leg_link(const eri_leg *leg, int i)
{
    return &leg->kinematics->tree.link[leg->link[i]];
}

static inline const eri_placement *eri_leg_placement(const eri_leg *leg, int i)
{
    return &leg->kinematics->placement[leg->link[i]];
}

/// The world twist of what a direction moves, at unit rate; and a step along it.
er_twist eri_leg_twist(const eri_leg *leg, int k, const double *x, const er_pose *pose);
void eri_leg_step(const eri_leg *leg, int k, double by, double *x);

/// knee, hinge, and the directions of the knee: along it, and across it where they are stiffer.   Errors:
/// ER_ERROR_MEMORY.
er_result eri_leg_find_knee(er_arena *arena, eri_leg *leg, const er_model *model, const er_gait_body *body);

/// Bends a knee that is straight, or bent the wrong way, to its side; smoothly in x. x and poses of the leg change.
void eri_leg_keep_side(eri_leg *leg, double *x, er_pose *pose);

/// Bends the knee to its side until the heel is as far from the hip as `heel` is. x and poses of the leg change.
void eri_leg_two_bone(eri_leg *leg, er_vec3 heel, double *x, er_pose *pose);

/// How far the knee is bent in a pose, rad; 0 without one.
double eri_leg_bend(const eri_leg *leg, const er_pose *pose);

/// Brings the heel, and the sole of a flat foot, to their target with the least energy in the leg's springs, or as near
/// as the leg reaches. x and poses of the leg's bodies change.
void eri_leg_reach(eri_leg *leg, const er_model *model, const er_gait_body *body, const eri_target *target, double *x,
                   er_pose *pose);

/// Vector from a heel to its target, m. Without an ankle, its vertical part is that of the sole's lowest corner.
er_vec3 eri_leg_position_error(const eri_leg *leg, const er_model *model, const er_gait_body *body,
                               const eri_target *target, const er_pose *pose);

/// Poses of a leg's bodies from their coordinates.
void eri_leg_pose(const eri_leg *leg, const double *x, er_pose *pose);

/// A circular moving average over 2 half + 1 numbers, applied three times (close to a Gaussian).
/// @param work  [n]
void eri_smooth(int n, int half, double *x, double *work);

/// The motion of a body in place: it follows its standing feet, less its mean path, smoothed; so is its height.
/// @param scratch  for work space
/// @param pose     [count of paths x body_count], that the paths are of
/// @param ground   its ride is softened in place
/// @param root     [count of paths], written, m   Errors: ER_ERROR_MEMORY.
/// @param yaw      [count of paths], written, rad to the left, about the centre of mass
er_result eri_root_path(er_arena *scratch, const er_model *model, const er_gait_body *body, const eri_paths *paths,
                        const eri_stride *stride, const er_pose *pose, eri_stride_ground *ground, er_vec3 *root,
                        double *yaw);

/// The centre of mass at equilibrium, where poses of modes keep it.
er_vec3 eri_root_centre(const er_model *model);

/// Targets of a foot over a stride: fixed in stance; in swing a smooth path to the next step, above the ground.
/// @param root  [count], m, how the body moves on the spot besides what its joints do
/// @param raw   [count x body_count], poses before the root moves
/// @param work  [2 x count]
/// @param out   [count], written
void eri_plant(const er_model *model, const er_gait_body *body, int foot, const eri_paths *p, const eri_stride *s,
               const bool *stands, const er_vec3 *root, const er_pose *raw, double *work, eri_target *out);

/// Whether a body is `above`, or hangs on it in the tree.
bool eri_hangs_on(const er_model *model, int above, int body);

/// The displacements that place bodies as in a pose: joint coordinates, then turn and shift of each root.
/// @param root  [body_count], work space
/// @param x     [er_kinematics_width()], written
void eri_pose_coordinates(const er_model *model, const er_pose *pose, er_pose *root, double *x);

/// Shifts all roots, m, world.   @param x  [er_kinematics_width()], changed
void eri_shift_roots(const er_model *model, er_vec3 by, double *x);

/// A corner of a sole in a pose.
er_vec3 eri_sole_corner(const er_model *model, const er_gait_foot *foot, int corner, const er_pose *pose);

/// Height of the lowest corner of a sole above the ground, m.
double eri_sole_height(const er_model *model, const er_gait_body *body, const er_gait_foot *foot, const er_pose *pose);

#endif
