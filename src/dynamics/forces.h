/// @file
/// What acts in a world: on joint coordinates (springs, dampers, limits, motors) and on bodies.
#ifndef ERI_DYNAMICS_FORCES_H
#define ERI_DYNAMICS_FORCES_H

#include <eigenrig/dynamics.h>

#include "base/arena.h"

/// Energy, work and heat of forces.
typedef struct eri_account {
    double elastic; ///< J
    double work;    ///< W, of motors and forces from outside
    double heat;    ///< W, lost
} eri_account;

/// One coordinate of a joint.
typedef struct eri_law {
    double stiffness, rest, damping;
    bool limited;
    double limit[2], limit_stiffness, limit_damping; ///< of the damper: over the spring's force, s/rad or s/m
    int motor, motor_count;                          ///< of eri_laws.motor
    double stiff, damped;                            ///< all that an implicit step takes: springs, dampers and motors
    bool conserves; ///< a spring acts alone and is slow, so steps with lasting contact conserve its energy
} eri_law;

/// How a motor acts. A bounded one that acts implicitly would resist with its bound and its damper together, so a step
/// finds which motors are at their bound (contact/tree_motors.c): these give a constant force.
typedef enum eri_motor_state {
    ERI_MOTOR_EXPLICIT, ///< by the rates at the beginning of the step, within its bound
    ERI_MOTOR_IMPLICIT, ///< within its bound, by the rates at the end
    ERI_MOTOR_AT_MOST,
    ERI_MOTOR_AT_LEAST
} eri_motor_state;

/// The implicit part of a law in a step: a force against the rate, and a mass that resists changes of the rate.
typedef struct eri_implicit_law {
    double drag, armature;
} eri_implicit_law;

/// @param lasting  in a step with lasting contact, whose positions move by the rates at its end. A spring that
/// conserves
///                 is explicit there, with a mass of h^2 k / 4: its phase is that of the trapezoidal rule
static inline eri_implicit_law eri_law_in_step(const eri_law *law, double h, bool lasting)
{
    if (lasting && law->conserves) return (eri_implicit_law){0.0, 0.25 * h * h * law->stiff};
    return (eri_implicit_law){h * law->stiff, h * (law->damped + h * law->stiff)};
}

/// The limits of a ball joint's swing and twist (er_joint.swing, twist).
typedef struct eri_ball_law {
    eri_law swing, twist;
} eri_ball_law;

typedef struct eri_laws {
    const er_model *model;
    eri_law *law;       ///< [coordinate_count]
    eri_ball_law *ball; ///< [joint_count]; NULL: no joint has such limits
    er_motor *motor;    ///< [motor_count], by coordinate
    uint8_t *state;     ///< [motor_count]: eri_motor_state
    int motor_count;
    bool *acts;   ///< [joint_count], whether any law of the joint does
    bool *same;   ///< [joint_count], whether it has three free turns with springs alike, slack at 0
    bool *linear; ///< [joint_count], whether all its laws are springs and dampers, of free turns alike: each acts on
                  ///< its own entry of x and rate then, as eri_laws_linear() has it
} eri_laws;

/// @param inertia  [coordinate_count], what hangs on each, for limits
/// Errors   ER_ERROR_MEMORY
er_result eri_laws_create(er_arena *arena, const er_world_def *def, const double *inertia, eri_laws **out);

/// Forces on a joint's coordinates, conjugate to rates as R tells them.
/// @param x      coordinates, [freedom]: a rotation vector where all turns are free
/// @param rate   [freedom], as R tells them
/// @param force  [freedom], written
/// @param account  added to; NULL where not wanted
void eri_laws_force(const eri_laws *laws, int joint, const double *x, const double *rate, double *force,
                    eri_account *account);

/// The stiffness and damping that act implicitly: those of the spring, the damper, and motors within their bounds.
void eri_law_implicit(const eri_laws *laws, const eri_law *law, double *stiff, double *damped);

/// In an implicit step of length h that would lead past a limit: takes back what the limit does by eri_laws_force(),
/// and has a spring of its stiffness, critically damped, bring the coordinate to the limit within some steps, at rest.
/// A spring met at the end of a long step throws it back instead.
/// @param force, armature  of the coordinate, added to
void eri_law_stop(const eri_law *law, double x, double v, double h, double *force, double *armature);

/// The swing and the twist of a ball joint by its rotation vector: angles, and directions of the parent's side along
/// which the angular velocity is their rate.
/// @param direction  [2], written; 0 for a swing of 0
void eri_ball_angles(const double *x, double angle[2], er_vec3 direction[2]);

/// eri_law_stop() for the swing and the twist of a joint.
/// @param force, armature  [3], added to
/// @param products         [3], added to: xy, xz and yz of the armature
void eri_ball_stop(const eri_ball_law *law, const double *x, const double *rate, double h, double *force,
                   double *armature, double *products);

/// The same of a joint whose laws are linear.
/// @param law  its first
static inline void eri_laws_linear(const eri_law *law, int count, const double *x, const double *rate, double *force,
                                   eri_account *account)
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
typedef struct eri_body_motion {
    er_mat3 axes;
    er_vec3 origin, com;     ///< of its frame; its centre of mass
    er_vec3 angular, linear; ///< linear: of the centre of mass
} eri_body_motion;

eri_body_motion eri_body_motion_of(const er_body *body, const er_pose *pose, const er_twist *twist);
er_pose eri_body_motion_pose(const eri_body_motion *m);
er_twist eri_body_motion_twist(const er_body *body, const eri_body_motion *m);

/// Forces on bodies.
typedef struct eri_forces {
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
} eri_forces;

/// Errors   ER_ERROR_MEMORY
er_result eri_forces_create(er_arena *arena, const er_world_def *def, const bool *held, eri_forces **out);

/// The first time after one at which a schedule begins or ends; HUGE_VAL: none does.
double eri_forces_break(const eri_forces *f, double time);

/// @param motion  [body_count]
/// @param wrench  [body_count], written: world axes, about the centre of mass
/// @param account  added to; NULL where not wanted
void eri_forces_wrenches(eri_forces *f, double time, const eri_body_motion *motion, er_wrench *wrench,
                         eri_account *account);

#endif
