/// @file
/// What acts in a world: on joint coordinates (springs, dampers, limits, motors) and on bodies.
#ifndef ER_DYNAMICS_FORCES_H
#define ER_DYNAMICS_FORCES_H

#include <eigenrig/dynamics.h>

#include "base/arena.h"

/// What forces come to, beside themselves.
typedef struct er_account {
    double elastic; ///< J
    double work;    ///< W, of motors and forces from outside
    double heat;    ///< W, lost
} er_account;

/// One coordinate of a joint.
typedef struct er_law {
    double stiffness, rest, damping;
    bool limited;
    double limit[2], limit_stiffness, limit_damping; ///< of the damper: over the spring's force, s/rad or s/m
    int motor, motor_count;                          ///< of er_laws.motor
    double stiff, damped;                            ///< all that an implicit step takes: springs, dampers and motors
} er_law;

typedef struct er_laws {
    const er_model *model;
    er_law *law;     ///< [coordinate_count]
    er_motor *motor; ///< [motor_count], by coordinate
    bool *acts;      ///< [joint_count], whether any law of the joint does
    bool *same;      ///< [joint_count], whether it has three free turns with springs alike, slack at 0
    bool *linear;    ///< [joint_count], whether all its laws are springs and dampers, of free turns alike: each acts on
                     ///< its own entry of x and rate then, as er_laws_linear() has it
} er_laws;

/// @param inertia  [coordinate_count], what hangs on each, for limits
/// Errors   ER_ERROR_MEMORY
er_result er_laws_create(er_arena *arena, const er_world_def *def, const double *inertia, er_laws **out);

/// Forces on a joint's coordinates, conjugate to rates as R tells them.
/// @param x      coordinates, [freedom]: a rotation vector where all turns are free
/// @param rate   [freedom], as R tells them
/// @param force  [freedom], written
/// @param account  added to; NULL where not wanted
void er_laws_force(const er_laws *laws, int joint, const double *x, const double *rate, double *force,
                   er_account *account);

/// In an implicit step of length h that would lead past a limit: takes back what the limit does by er_laws_force(), and
/// has a spring of its stiffness, critically damped, bring the coordinate to the limit within some steps, at rest. A
/// spring met at the end of a long step throws it back instead.
/// @param force, armature  of the coordinate, added to
void er_law_stop(const er_law *law, double x, double v, double h, double *force, double *armature);

/// The same of a joint whose laws are linear.
/// @param law  its first
static inline void er_laws_linear(const er_law *law, int count, const double *x, const double *rate, double *force,
                                  er_account *account)
{
    double elastic = 0.0, heat = 0.0;
    for (int c = 0; c < count; ++c) {
        double stretch = x[c] - law[c].rest, spring = law[c].stiffness * stretch, damper = law[c].damping * rate[c];
        force[c] = -spring - damper;
        elastic += 0.5 * spring * stretch;
        heat += damper * rate[c];
    }
    account->elastic += elastic;
    account->heat += heat;
}

/// A body, in world axes.
typedef struct er_body_motion {
    er_mat3 axes;
    er_vec3 origin, com;     ///< of its frame; its centre of mass
    er_vec3 angular, linear; ///< linear: of the centre of mass
} er_body_motion;

er_body_motion er_body_motion_of(const er_body *body, const er_pose *pose, const er_twist *twist);
er_pose er_body_motion_pose(const er_body_motion *m);
er_twist er_body_motion_twist(const er_body_motion *m);

/// Forces on bodies.
typedef struct er_forces {
    const er_model *model;
    int count;
    er_force *force;
    double drag;   ///< alpha of the model, 1/s
    double within; ///< s: schedules act that have begun and not ended then, whatever the time; so that a step up to
                   ///< where one begins or ends knows nothing of it
    const bool *held;
    void (*apply)(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench);
    void *user;
    er_pose *pose; ///< [body_count], for `apply`
    er_twist *twist;
    er_wrench *applied;
    bool any;
} er_forces;

/// Errors   ER_ERROR_MEMORY
er_result er_forces_create(er_arena *arena, const er_world_def *def, const bool *held, er_forces **out);

/// The first time after one at which a schedule begins or ends; HUGE_VAL: none does.
double er_forces_break(const er_forces *f, double time);

/// @param motion  [body_count]
/// @param wrench  [body_count], written: world axes, about the centre of mass
/// @param account  added to; NULL where not wanted
void er_forces_wrenches(er_forces *f, double time, const er_body_motion *motion, er_wrench *wrench,
                        er_account *account);

#endif
