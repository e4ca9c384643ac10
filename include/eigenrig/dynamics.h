/// @file
/// Dynamics of rigid bodies: Newton-Euler equations, joints, forces, contacts, and integration in time.
///
/// A *world* is a model (model.h) in motion. Its state is a time and, for each body, a world pose and a twist (body
/// axes, of the body frame's origin). Forces come from the model (springs and dampers of joints) and from er_world_def:
/// gravity, motors, joint limits, forces on bodies, and a callback.
///
/// Steps and evaluations allocate no memory, except when more shapes come near each other than ever before. On one
/// machine the same calls give the same bits.
///
/// Source: docs/theory.md 7; docs/math/dynamics.md; Featherstone, Rigid Body Dynamics Algorithms, 2008; Baraff,
/// Linear-time dynamics using Lagrange multipliers, 1996; Bacin, Animacao Dinamica de Corpos Rigidos Articulados,
/// Unicamp 1999.
#ifndef EIGENRIG_DYNAMICS_H
#define EIGENRIG_DYNAMICS_H

#include <eigenrig/base.h>
#include <eigenrig/collide.h>
#include <eigenrig/math.h>
#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Forces and motors

/// Kinds of forces.
typedef enum er_force_kind {
    ER_FORCE_CONSTANT, ///< constant force and torque
    ER_FORCE_SCHEDULE, ///< a Bezier curve in time whose control points are the samples; zero before the first sample
                       ///< and after the last
    ER_FORCE_SPRING,   ///< a spring and damper between two points
    ER_FORCE_DRAG      ///< drag on the velocity of a point and on the angular velocity of its body
} er_force_kind;

/// A control point of a schedule.
typedef struct er_force_sample {
    double time;    ///< s, ascending
    er_vec3 force;  ///< N
    er_vec3 torque; ///< N m
} er_force_sample;

/// A force on one body, or a spring between two. Take er_default_force(), then fill.
typedef struct er_force {
    const char *name;   ///< UTF-8, copied; NULL is ""                                          [NULL]
    er_force_kind kind; ///<                                                                    [ER_FORCE_CONSTANT]
    int body;           ///< the body that the force acts on                                    [0]
    er_vec3 point;      ///< point of application, m, body frame                                [0]
    bool body_axes;     ///< force and torque are in body axes and turn with the body; false: world axes  [false]
    er_vec3 force;      ///< CONSTANT: N                                                        [0]
    er_vec3 torque;     ///< CONSTANT: N m                                                      [0]
    int sample_count;   ///< SCHEDULE: 2 to 200                                                 [0]
    const er_force_sample *sample; ///< SCHEDULE: [sample_count], copied                        [NULL]
    int other;                     ///< SPRING: the second body, -1 for the world               [-1]
    er_vec3 other_point;           ///< SPRING: m, frame of the second body, or the world       [0]
    double stiffness;              ///< SPRING: N/m, >= 0                                       [0]
    double damping;                ///< SPRING: N s/m, >= 0, along the line between the points  [0]
    double rest;                   ///< SPRING: rest length, m, >= 0                            [0]
    double linear_drag;            ///< DRAG: N s/m, >= 0                                       [0]
    double quadratic_drag;         ///< DRAG: N s^2/m^2, >= 0, times the speed squared          [0]
    double angular_drag;           ///< DRAG: N m s/rad, >= 0                                   [0]
    uint32_t tag;                  ///< set by er_default_force(); leave alone
} er_force;

/// The defaults in brackets above.
ER_API er_force er_default_force(void);

/// A motor on one joint coordinate q. Its force is stiffness (position - q) + damping (velocity - q'), at most `most`
/// in magnitude. With stiffness 0 it controls the velocity. For a joint with three rotations q is an entry of the
/// rotation vector, and q' is the rate that the matrix R gives (er_constraints). With ER_INTEGRATE_CONTACT a motor of
/// the tree acts by q and q' at the end of the step, so any damping is stable, and its bound is exact.
typedef struct er_motor {
    int coordinate;   ///< index below the model's coordinate_count                                   [0]
    double stiffness; ///< N m/rad or N/m, >= 0                                                       [0]
    double position;  ///< target, rad or m                                                           [0]
    double damping;   ///< N m s/rad or N s/m, >= 0                                                   [0]
    double velocity;  ///< target, rad/s or m/s                                                       [0]
    double most;      ///< N m or N, > 0; HUGE_VAL for no limit                                       [HUGE_VAL]
    uint32_t tag;     ///< set by er_default_motor(); leave alone
} er_motor;

/// The defaults in brackets above.
ER_API er_motor er_default_motor(void);

// ---- Ties

/// Kinds of ties.
typedef enum er_tie_kind {
    ER_TIE_DISTANCE, ///< the distance of two points stays between `least` and `most`: a rope, a rod or a strut
    ER_TIE_PULLEY,   ///< l0 + ratio l1 <= most, with l the distance of a point from its wheel: a rope over two wheels
    ER_TIE_GEAR      ///< q0 - ratio q1 stays as it is, with q two joint coordinates: gears, or a rack and its pinion
} er_tie_kind;

/// A constraint that is not a joint of the model. It needs ER_INTEGRATE_CONTACT and acts on both routes. Ropes only
/// pull. A rope that becomes taut takes the speed along it. Take er_default_tie(), then fill.
typedef struct er_tie {
    const char *name; ///< UTF-8, copied; NULL is ""                                                   [NULL]
    er_tie_kind kind; ///<                                                                             [ER_TIE_DISTANCE]
    int body[2];      ///< DISTANCE, PULLEY: the bodies of the two points; -1 for the world            [-1 -1]
    er_vec3 point[2]; ///< DISTANCE, PULLEY: m, body frames or the world                               [0]
    er_vec3 wheel[2]; ///< PULLEY: where the rope leaves the wheels, m, world                          [0]
    double least;     ///< DISTANCE: m, >= 0                                                           [0]
    double most;      ///< DISTANCE: m, >= least; the same as least: a rod. PULLEY: m, >= 0. HUGE_VAL: no bound
                      ///<                                                                             [HUGE_VAL]
    double stiffness; ///< DISTANCE: of the stretch beyond `most`, N/m; 0: it does not stretch. Needs least < most [0]
    double damping;   ///< DISTANCE with a stiffness: N s/m, >= 0, while it is stretched. It never pushes [0]
    int coordinate[2];  ///< GEAR: of two joints, below the model's coordinate_count                    [0 0]
    double ratio;       ///< PULLEY: > 0. GEAR: not 0; rad and m as the coordinates are                 [1]
    double break_force; ///< N, > 0; GEAR: N m or N on coordinate[0]: the tie breaks when the mean force over a step is
                        ///< greater. PULLEY: in the rope of the first point                           [HUGE_VAL]
    uint32_t tag;       ///< set by er_default_tie(); leave alone
} er_tie;

/// The defaults in brackets above.
ER_API er_tie er_default_tie(void);

/// The load at which a joint breaks.
typedef struct er_joint_break {
    double force;  ///< N, > 0; HUGE_VAL: never
    double torque; ///< N m, > 0, about the joint's origin; HUGE_VAL: never
} er_joint_break;

// ---- Worlds

/// How the friction or restitution of two shapes is computed from their values a and b.
typedef enum er_combination {
    ER_COMBINE_AVERAGE,        ///< (a + b) / 2
    ER_COMBINE_GEOMETRIC_MEAN, ///< the square root of a b
    ER_COMBINE_MINIMUM,        ///< the lesser
    ER_COMBINE_MAXIMUM,        ///< the greater
    ER_COMBINE_MULTIPLY        ///< a b
} er_combination;

/// A collision shape of a body or of the world. Take er_default_world_shape(), then fill.
typedef struct er_world_shape {
    const char *name;   ///< UTF-8, copied; NULL is ""                                                [NULL]
    er_shape shape;     ///< hull and surface are borrowed while the world lives. A PLANE or a MESH must belong to the
                        ///< world or to a held body                                                 [to be filled]
    int body;           ///< -1 for the world                                                         [-1]
    er_pose pose;       ///< of the shape's frame in the body's frame, or in the world                [identity]
    double restitution; ///< in [0, 1]: separation speed over approach speed. The lesser value of two shapes counts,
                        ///< unless restitution_rule says otherwise: set both                         [0]
    double friction;    ///< coefficient, >= 0; see friction_rule                                     [0.5]
    er_vec3 grain; ///< a direction along which friction differs, such as that of a ski or of ploughed ground: of any
                   ///< length, in the body's frame; in the world's for the world. `friction` acts across it, and
                   ///< between the two the force that dissipates most. If both shapes have a grain, the ellipse
                   ///< has the axes of the one whose coefficients differ more. ER_INTEGRATE_CONTACT with
                   ///< ER_ROUTE_REDUCED only. 0: none                                           [0]
    double grain_friction; ///< the coefficient along `grain`, >= 0; not read without a grain            [0]
    double rolling; ///< rolling resistance, m, >= 0: the torque against rolling is at most this times the normal force.
                    ///< The greater value of two shapes counts. Needs ER_INTEGRATE_CONTACT               [0]
    double spinning;  ///< the same of the torque against spinning about the normal, m, >= 0        [0]
    er_twist surface; ///< rad/s and m/s: how the surface runs over the shape: a conveyor belt, a turning disc. In
                      ///< the body's frame and about its origin; in the world's for the world. Only the part along
                      ///< the surface acts, by friction. Needs ER_INTEGRATE_CONTACT                       [0]
    uint32_t groups;  ///< bit mask: the groups of the shape                                        [0]
    uint32_t ignores; ///< bit mask: the groups with which it does not collide                      [0]
    uint32_t tag;     ///< set by er_default_world_shape(); leave alone
} er_world_shape;

/// The defaults in brackets above.
ER_API er_world_shape er_default_world_shape(void);

/// Two formulations of the dynamics. Both give the same accelerations, to rounding.
typedef enum er_dynamics_route {
    ER_ROUTE_REDUCED,    ///< joint coordinates: O(n) articulated bodies on a spanning tree, Lagrange multipliers for
                         ///< loops. Joints of the tree cannot drift apart
    ER_ROUTE_MULTIPLIERS ///< poses and twists of all bodies, Lagrange multipliers for all joints, a sparse
                         ///< factorisation that is O(n) for trees. Joints drift and are corrected
} er_dynamics_route;

/// How route multipliers integrates rotations.
typedef enum er_rotation_state {
    ER_ROTATION_QUATERNION, ///< normalised after each step
    ER_ROTATION_MATRIX      ///< R' = [omega]x R, not corrected, so it drifts from a rotation; for study
} er_rotation_state;

/// Integrators and their orders (docs/math/integrators.md).
typedef enum er_integrator {
    ER_INTEGRATE_AUTO = -1,     ///< CONTACT if the world has shapes, ties or joint_break, otherwise FEHLBERG
    ER_INTEGRATE_EULER,         ///< order 1, fixed steps
    ER_INTEGRATE_SEMI_IMPLICIT, ///< order 1, fixed steps, symplectic
    ER_INTEGRATE_HEUN,          ///< order 2, fixed steps
    ER_INTEGRATE_RK4,           ///< order 4, fixed steps
    ER_INTEGRATE_FEHLBERG,      ///< Runge-Kutta-Fehlberg 4(5), adaptive steps
    ER_INTEGRATE_IMPLICIT, ///< order 4(3), adaptive steps, for stiff joints: linearly implicit in springs, dampers and
                           ///< motors of joints (route reduced: of the tree's joints)
    ER_INTEGRATE_CONTACT   ///< order 1, fixed steps: lasting contact with friction (er_contact_def). With the other
                           ///< integrators shapes only rebound (see Impacts below)
} er_integrator;

/// Options of ER_INTEGRATE_CONTACT. Contacts are solved in sub-steps with soft constraints; springs, dampers and motors
/// of joints act implicitly, once per step. A spring without damper or motor keeps its energy if its angular frequency
/// at equilibrium is at most 1 / max_step. Other springs lose energy besides: a step of h multiplies the amplitude of
/// an angular frequency w by 1 / sqrt(1 + (w h)^2).
///
/// - Islands of up to 200 free bodies with two contact points per body or more are solved to convergence, so towers
///   stand. Larger islands, balls, and bodies with joints take one sweep per sub-step.
/// - Joints of the tree stay exact, and impulses propagate through them.
/// - A step is divided if a light link swings fast under a heavy load. A ball joint turns at most 1 rad per step.
/// - An articulation without springs, motors, limits and ties moves by its exact equations while no contact point is
///   near it; with loops, if it has at most 24 bodies. Fehlberg's method takes as many parts of a step as its error
///   asks for. It keeps its energy to 1e-6, and its momenta in space to rounding. Neither of the two limits of the line
///   before applies to it. On held bodies that move, the error of a step is of the third order in its length.
/// - Continuous collision: fast pairs, which approach in a step by more than twice the thickness of the thinner shape,
///   are stopped at the time of impact. They rebound in that step, as do fast pairs with restitution. A body that would
///   still pass another one in the step, by its turn or after the impact, stops where they touch and keeps its
///   velocity.
/// - Static shapes whose faces lie flush, to 1e-5 of their thickness, have no edges between them.
/// - Other articulations that are attached to the world and have no springs neither gain nor lose energy from swing to
///   swing. Within a swing their energy oscillates by up to half a step times the power of their weight.
///
/// Source: docs/math/contact.md; Catto, Soft constraints, 2011, and Solver2D, 2024; Macklin et al., Small steps in
/// physics simulation, 2019.
typedef struct er_contact_def {
    int substeps;       ///< per step, at least, [1, 1000]. Small free bodies in touch, other than balls, take more, up
                        ///< to 64: a sub-step is at most 0.03 sqrt(a / g), or 0.08 sqrt(a / g) if their island is
                        ///< solved to convergence. a is the least edge of the box with a body's mass and inertia    [4]
    double frequency;   ///< Hz, > 0: how fast an overlap is corrected. Balls and bodies with joints use twice the
                        ///< frequency. It grows with the sub-steps that small bodies take. Clamped to a quarter of the
                        ///< sub-steps' rate                                                             [30]
    double damping;     ///< damping ratio of the correction, > 0                                        [10]
    double push_out;    ///< m/s, > 0: the fastest correction                                            [3]
    int threads;        ///< [1, 8]; the result is the same for any number. More than one pays only with 1000 contacts
                        ///< or more and as many idle cores. The threads live as long as the world      [1]
    double sleep_time;  ///< s, >= 0: an island (er_world_islands()) sleeps once all its bodies have been slower than
                        ///< sleep_speed for this time; its kinetic energy becomes heat. 0: nothing sleeps. Games use
                        ///< 0.5                                                                         [0]
    double sleep_speed; ///< m/s, >= 0. The speed of a body is the speed of its frame's origin plus angular velocity
                        ///< times r. r is the distance from that origin to the farthest point of its shapes or to its
                        ///< centre of mass, whichever is farther. For spheres the point is their centre [0.02]
} er_contact_def;

/// Solvers of the reference route. They find impulses x within their bounds, with the speeds w = A x + f. An entry of w
/// is 0 unless its x is at a bound.
typedef enum er_reference_solver {
    ER_REFERENCE_PROJECTED, ///< joints by a sparse factorisation, to rounding; contacts and ties by projected
                            ///< Gauss-Seidel with over-relaxation (SOR), warm started, and by Newton's method where
                            ///< few sweeps do not converge
    ER_REFERENCE_DIRECT     ///< Lemke's pivoting, to rounding; at most 600 rows (three per contact, up to six if it
                            ///< resists rolling and spinning; up to six per joint; up to two per tie)
} er_reference_solver;

/// Options of the reference route: ER_INTEGRATE_CONTACT with ER_ROUTE_MULTIPLIERS. It solves joints, ties and contacts
/// of a step as one problem on the bodies' velocities. Joints hold at the end of a step too, as far as they did at its
/// beginning; erp corrects joints that are apart. The only field of er_contact_def that it reads is push_out.
typedef struct er_reference_def {
    er_reference_solver solver; ///<                                                          [ER_REFERENCE_PROJECTED]
    int iterations;             ///< PROJECTED: sweeps per step at most, [1, 1000000]                      [10000]
    double accuracy;   ///< PROJECTED, >= 0: sweeps end at this residual over the largest speed that contacts and ties
                       ///< have to change. A step that does not reach it in `iterations` sweeps is an error,
                       ///< ER_ERROR_NO_CONVERGENCE. 0: a step takes all sweeps, and any residual is accepted [1e-3]
    double relaxation; ///< PROJECTED: omega, in (0, 2)                                              [1]
    double erp; ///< error reduction, [0, 1]: the share of an overlap, or of a joint's or tie's error, that a step
                ///< corrects                                                                              [0.2]
    double cfm; ///< constraint force mixing: added to A's diagonal, relative to its entries, >= 0            [0]
    const double *joint_erp, *joint_cfm; ///< [joint_count of the model], copied: replace erp and cfm of each joint;
                                         ///< NULL: the same for all                                         [NULL]
    bool cone; ///< PROJECTED: friction and rolling within a cone; false: a pyramid of two tangents           [false]
} er_reference_def;

/// Options for er_world_create(). Take er_default_world_def(), then fill.
typedef struct er_world_def {
    const er_model *model; ///< borrowed, must outlive the world. Its damping_ratio must be 0 (it is a property of
                           ///< modes); its dampers and rayleigh factors act                                      [NULL]
    er_vec3 gravity;       ///< m/s^2, in any direction: a world has no up of its own             [0: none]
    int force_count;       ///<                                                                           [0]
    const er_force *force; ///< [force_count], copied                                                     [NULL]
    int motor_count;       ///<                                                                           [0]
    const er_motor *motor; ///< [motor_count], copied; several may act on one coordinate                  [NULL]
    int tie_count;         ///<                                                                           [0]
    const er_tie *tie;     ///< [tie_count], copied                                                       [NULL]
    /// [joint_count of the model], copied: loads at which joints break (er_world_joint_is_broken()). Needs
    /// ER_INTEGRATE_CONTACT. NULL: none                                                                  [NULL]
    const er_joint_break *joint_break;
    const double *rest;  ///< [coordinate_count of the model], copied: rest positions of joint springs, rad and m;
                         ///< NULL: the equilibrium's, 0                                                [NULL]
    bool enforce_limits; ///< enforces er_joint.limit, swing and twist by a spring of 10 Hz for the mass that the joint
                         ///< carries and a damper that grows with the depth (docs/math/dynamics.md). Limits whose lower
                         ///< bound is above the upper are ignored                                               [false]
    /// Adds to the wrenches on bodies, or NULL. Called in every evaluation. It must be smooth in all its arguments and
    /// must not use the world or its context.                                                            [NULL]
    /// @param pose    [body_count], world poses of the body frames
    /// @param twist   [body_count], body axes, of the body frame's origin
    /// @param wrench  [body_count], world axes, about each body's centre of mass; add to it
    void (*apply)(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench);
    const bool *held; ///< [body_count], copied: bodies with a prescribed motion; NULL for none           [NULL]
    /// Gives the motion of held bodies. It must be smooth, and the twist must be the pose's rate. Bodies attached to a
    /// held body feel its acceleration. NULL: held bodies stay at their equilibrium.                     [NULL]
    /// @param pose   written: world pose of the body frame
    /// @param twist  written: body axes, of the body frame's origin
    /// @param rate   written: rates of the twist's six numbers
    void (*guide)(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate);
    int shape_count; ///<                                                                                 [0]
    /// [shape_count], copied. Two shapes do not collide if one of these holds:                           [NULL]
    ///   - they belong to one body;
    ///   - a joint connects their bodies, or a body to the world, and collide_connected is false;
    ///   - both belong to held bodies or the world;
    ///   - `apart` lists their bodies;
    ///   - one ignores a group of the other.
    const er_world_shape *shape;
    bool collide_connected;           ///< shapes of bodies that a joint connects collide too              [false]
    er_combination friction_rule;     ///< combines the friction of two shapes            [ER_COMBINE_GEOMETRIC_MEAN]
    er_combination restitution_rule;  ///< combines their restitution                     [ER_COMBINE_MINIMUM]
    int apart_count;                  ///<                                                                 [0]
    const er_body_pair *apart;        ///< [apart_count], copied: more pairs of bodies that do not collide [NULL]
    er_contact_def contact;           ///< ER_INTEGRATE_CONTACT                                      [as there]
    er_reference_def reference;       ///< ER_INTEGRATE_CONTACT with ER_ROUTE_MULTIPLIERS            [as there]
    int most_impacts;                 ///< impacts per second after which a body counts as resting, >= 1   [10000]
    double impact_tolerance;          ///< distance at which shapes touch, over the model's size, [1e-13, 1e-3] [1e-9]
    void *user;                       ///< passed to apply and guide, not read                             [NULL]
    er_dynamics_route route;          ///<                                                    [ER_ROUTE_REDUCED]
    er_rotation_state rotation_state; ///< ER_ROUTE_MULTIPLIERS                              [ER_ROTATION_QUATERNION]
    er_integrator integrator;         ///<                                                   [ER_INTEGRATE_AUTO]
    double tolerance; ///< error of an adaptive step, in [1e-14, 1]: of angles in rad and of lengths over the model's
                      ///< size; the same per second for velocities                                       [1e-6]
    double min_step;  ///< s, >= 0: the shortest adaptive step. The last step before a requested time may be shorter
                      ///<                                                                                [1e-9]
    double max_step;  ///< s, > 0 and >= min_step: the longest adaptive step. Fixed steps divide each call of
                      ///< er_world_advance() into equal parts, none longer than this                        [1/30]
    double drift_tolerance; ///< > 0: larger joint errors are corrected; rad, and lengths over the model's size;
                            ///< HUGE_VAL: never                                                          [1e-10]
    uint32_t tag;           ///< set by er_default_world_def(); leave alone
} er_world_def;

/// The defaults in brackets above.
ER_API er_world_def er_default_world_def(void);

/// A model in motion.
typedef struct er_world er_world;

/// Creates a world at time 0, at the model's equilibrium and at rest, except for the motion of held bodies.
/// @param def  copied; its model is borrowed
/// @param out  ER_OK: a new object for er_world_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (names the field), ER_ERROR_RIG (loops with more than 2000 constraints),
///          ER_ERROR_NO_CONVERGENCE (joints cannot close at the poses of held bodies), ER_ERROR_MEMORY
/// Memory   allocates the result and all that steps need.
/// Threads  one call per context at a time; then one call per world, and its context, at a time.
ER_API er_result er_world_create(er_context *context, const er_world_def *def, er_world **out);

/// Frees a world. NULL is fine.   Threads: the context's.
ER_API void er_world_destroy(er_world *world);

// ---- State

/// The time, s.
ER_API double er_world_time(const er_world *world);

/// World poses of the body frames, and twists (body axes, of the frame's origin): [body_count].
/// Memory   borrowed until the state changes.
ER_API const er_pose *er_world_pose(const er_world *world);
ER_API const er_twist *er_world_twist(const er_world *world);

/// The joint coordinates, rad and m. Angles count full turns since the state was set; rotation vectors are at most pi
/// long.
/// @param q     [coordinate_count], written, or NULL
/// @param rate  [coordinate_count], written, or NULL: rates as of R (er_constraints)
ER_API void er_world_coordinates(const er_world *world, double *q, double *rate);

/// Sets the state. Joint errors of up to 1e-2 (rad, and lengths over the model's size) are corrected. Entries of held
/// bodies are not read. Work and heat start at 0. Twists are projected onto the joints: joint by joint from the root,
/// then with the smallest change in the mass norm that closes loops. So a body keeps the spin that is set if its joint
/// allows it.
/// @param pose   [body_count], unit quaternions; NULL: the equilibrium
/// @param twist  [body_count]; NULL: joints do not move, and bodies attached to a held body move with it
/// Errors   ER_ERROR_ARGUMENT (names the entry: not finite, a quaternion that is not unit to 1e-3, or a joint error
///          above 1e-2), ER_ERROR_NO_CONVERGENCE (loops do not close). The state stays as it was.
ER_API er_result er_world_set_state(er_world *world, double time, const er_pose *pose, const er_twist *twist);

/// The length of the arrays of er_world_set_displacement(): the joint coordinates, then six for each root without a
/// joint. The same as er_kinematics_width().
ER_API int er_world_displacement_width(const er_world *world);

/// Sets the state from displacements (er_kinematics) and their rates. Entries of loop joints and held roots are not
/// read. Loops are closed by the smallest change, as er_kinematics_pose() closes them: joints then have its closed x.
/// Centres of mass are not put back. If that cannot follow, or bodies are held, loops close step by step instead, each
/// step the smallest in the mass norm where it begins. Rates change least in the mass norm at the closed pose.
/// @param x     [er_world_displacement_width()]; NULL: the equilibrium
/// @param rate  [er_world_displacement_width()], per second; NULL: at rest
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (a loop cannot follow); as er_kinematics_create(). The state
///          stays as it was.
/// Memory   none; with loops and x, the first call allocates as er_kinematics_create() does.
ER_API er_result er_world_set_displacement(er_world *world, double time, const double *x, const double *rate);

/// Saves the whole state as bytes. After er_world_restore() the motion continues equal to the last bit. The size
/// depends on the present state, because contacts are part of it.
/// @param bytes  [er_world_state_size()], written
ER_API size_t er_world_state_size(const er_world *world);
ER_API void er_world_save(const er_world *world, void *bytes);

/// Restores a state.
/// @param bytes  from er_world_save(), of this world or of one with the same def
/// Errors   ER_ERROR_ARGUMENT: the bytes are not a state of such a world; the state stays as it was.
///          ER_ERROR_MEMORY: the state is restored without its contacts.
ER_API er_result er_world_restore(er_world *world, const void *bytes);

/// A hash of time, poses and twists, to the bit (FNV-1a).
ER_API uint64_t er_world_hash(const er_world *world);

/// Applies an impulse to a body. The velocities of all bodies change as the joints require.
/// @param point    m, body frame
/// @param impulse  N s, world axes
/// Errors   ER_ERROR_ARGUMENT (not finite, no such body, or a held one)
ER_API er_result er_world_push(er_world *world, int body, er_vec3 point, er_vec3 impulse);

/// A new pose and velocity of a body.
typedef struct er_body_move {
    int body;
    const er_pose *pose;   ///< world pose of the body frame, only of a body without a parent joint; NULL: unchanged
    const er_twist *twist; ///< body axes, of the frame's origin; NULL: unchanged in body axes
} er_body_move;

/// Moves bodies, or changes their velocities, in the present state. Attached bodies move along; ancestors stay.
/// Velocities are projected onto the joints of the tree; then loops are closed as er_world_set_state() does. Contacts
/// are kept, and the bodies wake. The change of mechanical energy counts as work.
/// @param move  [count]; if two entries are for one body, the later counts. If both bodies of a joint are moved, its
///              velocity is their relative velocity.
/// Errors   ER_ERROR_ARGUMENT (no such body, or a held one; a pose of a body with a parent joint; not finite; a
///          quaternion that is not unit to 1e-3), ER_ERROR_NO_CONVERGENCE (loops do not close). The state stays as it
///          was.
/// Time     one pass over all bodies, for any count
ER_API er_result er_world_move(er_world *world, int count, const er_body_move *move);

/// Sets the targets of all motors of a joint coordinate (er_motor.position and velocity). Targets are part of the
/// definition, not of the state: er_world_restore() and er_world_set_state() keep them. New targets wake the bodies
/// that the joint connects.
/// @param coordinate  in [0, coordinate_count)
/// @param position    rad or m, of magnitude <= 1e50; without effect on a motor without stiffness
/// @param velocity    rad/s or m/s, of magnitude <= 1e50; without effect on a motor without damping
/// Errors   ER_ERROR_ARGUMENT (no such coordinate, no motor there, a number out of range). The targets stay.
ER_API er_result er_world_drive(er_world *world, int coordinate, double position, double velocity);

// ---- Ties and breaking

/// How a tie stands.
typedef struct er_tie_state {
    double length; ///< m: DISTANCE: of the points; PULLEY: l0 + ratio l1. GEAR: q0 - ratio q1
    double force;  ///< N, mean of the last step: > 0 pulls the points together; PULLEY: in the rope of the first point.
                   ///< GEAR: N m or N on coordinate[0]. 0 after the state was set
    bool broken;   ///< its mean force passed break_force in a step; it does not act any more
} er_tie_state;

/// The state of a tie. er_world_set_state() mends broken ties; er_world_restore() brings back what was saved.
/// @param tie  in [0, tie_count)
ER_API er_tie_state er_world_tie(const er_world *world, int tie);

/// Whether the mean load of a joint passed its er_joint_break in a step since the state was set. The load is the whole
/// wrench of er_world_accelerations() with what contacts and ties add. The joint goes on holding: make a world without
/// it to let it go.
/// @param joint  in [0, joint_count)
ER_API bool er_world_joint_is_broken(const er_world *world, int joint);

/// The mean wrench of a joint on its child over the last step, world axes, about the joint's origin on the child. 0
/// without er_world_def.joint_break and after the state was set.
/// @param joint  in [0, joint_count)
ER_API er_wrench er_world_joint_load(const er_world *world, int joint);

// ---- Accelerations and reactions

/// The accelerations of the present state, by either route. Contact forces are not among the forces.
/// @param acceleration  [body_count], written, or NULL: rates of the twists' numbers
/// @param reaction      [joint_count], written, or NULL: the whole wrench of the joint on its child, including springs,
///                      motors and limits; world axes, about the joint's origin on the child. With redundant
///                      constraints, the forces with the least sum of squares (torques divided by the model's size).
///                      0 for joints between held bodies
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (forces that are not finite)
ER_API er_result er_world_accelerations(er_world *world, er_dynamics_route route, er_twist *acceleration,
                                        er_wrench *reaction);

// ---- Time

/// Statistics of er_world_advance().
typedef struct er_world_report {
    int64_t steps;       ///< accepted steps
    int64_t rejected;    ///< steps that were too long for the tolerance
    int64_t evaluations; ///< evaluations of the accelerations
    int64_t corrections; ///< corrections of joint drift
    double gap;          ///< the largest joint error before a correction: rad, and lengths over the model's size
} er_world_report;

/// Advances the world to a time, exactly.
/// @param until   s, finite, not before now
/// @param report  written, also after a failure; or NULL
/// Errors   ER_ERROR_ARGUMENT; ER_ERROR_NO_CONVERGENCE (the tolerance needs steps shorter than min_step, loops do not
///          close, numbers overflow), ER_ERROR_MEMORY (more shapes near each other than ever before). The state is that
///          of the last good step.
ER_API er_result er_world_advance(er_world *world, double until, er_world_report *report);

// ---- Impacts
//
// With all integrators but ER_INTEGRATE_CONTACT, shapes rebound without friction and joints hold. The normal speed is
// multiplied by -e, where e is the restitution, and the lost energy becomes heat. Shapes must be hulls. Simultaneous
// impacts happen one after the other, pair by pair. Held bodies push others and are not pushed. Every approach within a
// step is found, so shapes do not pass through each other (docs/math/dynamics.md). A body that comes to rest on another
// one reaches most_impacts (ER_ERROR_NO_CONVERGENCE): use ER_INTEGRATE_CONTACT for lasting contact.

/// An impact of two shapes.
typedef struct er_impact {
    double time;    ///< s
    int shape[2];   ///< indices, the lesser first
    er_vec3 point;  ///< m, world
    er_vec3 normal; ///< unit, world, from the first to the second
    double impulse; ///< N s, on the second along the normal, on the first against it
    double before;  ///< m/s, normal velocity of the second relative to the first, < 0: they approached
    double after;   ///< m/s: -e before
} er_impact;

/// The number of impacts in the last er_world_advance(); 0 after the state was set.
ER_API int64_t er_world_impact_count(const er_world *world);

/// An impact by index, in order of time. The last 256 are kept.
/// @param out  written if the impact is kept
/// @return whether it is kept
ER_API bool er_world_impact(const er_world *world, int64_t index, er_impact *out);

// ---- Contacts

/// A contact point of the last step. Points that came near without touching are among them, with impulse 0.
typedef struct er_contact {
    int shape[2];    ///< indices, the lesser first
    er_vec3 point;   ///< m, world
    er_vec3 normal;  ///< unit, world, from the first to the second
    double distance; ///< m, at the step's end; < 0: overlap
    er_vec3 impulse; ///< N s, world, of the whole last step, on shape[1]; shape[0] gets the opposite. Over the length
                     ///< of that step it is the mean force
} er_contact;

/// The number of contact points in the last step of ER_INTEGRATE_CONTACT; 0 after the state was set.
ER_API int er_world_contact_count(const er_world *world);

/// A contact point, sorted by shapes.
/// @param index  in [0, er_world_contact_count())
ER_API er_contact er_world_contact(const er_world *world, int index);

/// The body of a shape (er_world_shape.body): -1 for the world, and for all shapes by other integrators than
/// ER_INTEGRATE_CONTACT.
/// @param shape  in [0, shape_count)
ER_API int er_world_shape_body(const er_world *world, int shape);

/// Wall-clock time of all steps of ER_INTEGRATE_CONTACT since the world was created, s.
typedef struct er_contact_times {
    double collision; ///< broad and narrow phase
    double solver; ///< preparing and solving contacts; by route multipliers: all time that is not collision or motion
    double motion; ///< forces, accelerations of joints, integration, updating poses
} er_contact_times;

/// The times so far; zeros by other integrators. They are not part of the state.
ER_API er_contact_times er_world_contact_times(const er_world *world);

/// Convergence of the reference route in the last step.
typedef struct er_reference_report {
    int rows;           ///< rows of joints, ties and contacts
    int64_t iterations; ///< PROJECTED: sweeps; DIRECT: pivots
    double first;       ///< PROJECTED: the residual of the first sweep; DIRECT: as residual
    double residual;    ///< m/s and rad/s. PROJECTED: the largest change of a row's speed in the last sweep, or after
                        ///< Newton's method as DIRECT: the largest violation of a row's conditions at the solution
} er_reference_report;

/// The report of the last step; zeros by other routes, and after the state was set.
ER_API er_reference_report er_world_reference_report(const er_world *world);

// ---- Islands and sleep

/// The islands of the last step of ER_INTEGRATE_CONTACT, route reduced: bodies that joints, ties and contacts connect.
/// The world and held bodies connect nothing.
/// @param island  [body_count], written: indices from 0 on, in the order of bodies; -1 for held bodies, and for all
///                bodies by other integrators and routes
/// Threads  one call per world at a time: it uses the world's work space.
ER_API void er_world_islands(er_world *world, int *island);

/// Whether a body sleeps (er_contact_def.sleep_time). A sleeping body does not move and costs at most a quarter of an
/// awake one. If all bodies sleep and the world has no er_force, apply, rayleigh_mass or guide, a step costs almost
/// nothing. False for held bodies, and by other integrators and routes.
/// @param body  in [0, body_count)
ER_API bool er_world_is_asleep(const er_world *world, int body);

/// Wakes a body and its articulation, and in the next step the bodies that touch them. sleep_time starts anew. These
/// wake bodies too: pushes, new motor targets, contact with moving bodies, changed forces, er_world_set_state().
/// er_world_restore() restores sleep as it was saved.
/// @param body  in [0, body_count), no effect on a held one; -1 for all
/// Errors   ER_ERROR_ARGUMENT (no such body)
ER_API er_result er_world_wake(er_world *world, int body);

// ---- Inverse dynamics
//
// From a motion to the forces that make it, by Newton and Euler from the leaves of the trees to their roots: O(n) per
// frame. Source: docs/math/inverse.md; Featherstone, Rigid Body Dynamics Algorithms, 2008, 5.3; Winter, Biomechanics
// and Motor Control of Human Movement, 2009, 5.

/// A point of a body that the ground can push.
typedef struct er_inverse_contact {
    int body;      ///< index
    er_vec3 point; ///< m, body frame
} er_inverse_contact;

/// Options for er_inverse_create(). Take er_default_inverse_def(), then fill.
typedef struct er_inverse_def {
    const er_model *model;             ///< borrowed, must outlive the result                                     [NULL]
    er_vec3 gravity;                   ///< m/s^2                                                                 [0]
    int contact_count;                 ///< >= 0                                                                  [0]
    const er_inverse_contact *contact; ///< [contact_count], copied                                   [NULL]
    er_vec3 normal;  ///< unit to 1e-6, world: the ground pushes along it                       [0 1 0]
    double friction; ///< coefficient of the ground, >= 0                                       [0.8]
    uint32_t tag;    ///< set by er_default_inverse_def(); leave alone
} er_inverse_def;

/// The defaults in brackets above.
ER_API er_inverse_def er_default_inverse_def(void);

/// One instant of a motion, and the forces that make it. The caller owns all arrays.
typedef struct er_inverse_frame {
    const er_pose *pose;      ///< [body_count], world poses of the body frames, unit quaternions
    const er_twist *twist;    ///< [body_count], body axes, of the body frame's origin
    const er_twist *rate;     ///< [body_count], rates of the twists' numbers
    const er_wrench *applied; ///< [body_count], known wrenches on bodies, such as those of force plates: world axes,
                              ///< about the centre of mass; NULL: none
    const bool *stands;       ///< [contact_count], whether the ground can push there now; NULL: everywhere
    er_wrench *joint;         ///< [joint_count], written: the whole wrench of the joint on its child, world axes, about
                              ///< the joint's origin on the child
    double *force;            ///< [coordinate_count], written: the part along each free coordinate, N m or N,
                              ///< conjugate to its rate as of R (er_constraints)
    double *passive;          ///< [coordinate_count], written: the share of `force` from the joint's springs and
                              ///< dampers; the rest is what muscles or motors add
    double *power;            ///< [coordinate_count], written: force times rate, W
    er_vec3 *ground;          ///< [contact_count], written: the ground's force at each contact, N, world
    er_wrench *residual;      ///< [body_count], written: the wrench on a floating root that no contact can give, world
                              ///< axes, about its centre of mass; 0 for other bodies
} er_inverse_frame;

/// Inverse dynamics of a model, and its work space.
typedef struct er_inverse er_inverse;

/// @param def  copied; its model is borrowed
/// @param out  ER_OK: a new object for er_inverse_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (names the field), ER_ERROR_MEMORY
/// Memory   allocates the result and its work space.
/// Threads  one call per context at a time; then one call per object, and its context, at a time.
ER_API er_result er_inverse_create(er_context *context, const er_inverse_def *def, er_inverse **out);

/// Frees it. NULL is fine.   Threads: the context's.
ER_API void er_inverse_destroy(er_inverse *inverse);

/// Finds the forces of one instant.
/// - Ground: forces stay within the friction cones of the standing contacts. They minimise the residual of floating
///   roots (torques divided by the model's size). Among equals they have the least sum of squares.
/// - Loops: loop joints have springs and dampers but no drive. Their constraint forces minimise first the residual,
///   then the sum of squares of the tree joints' drives. A drive is `force` - `passive`; for shifts it is multiplied by
///   the model's size.
/// @param frame  arrays read and written as er_inverse_frame says
/// Errors   ER_ERROR_ARGUMENT (a value is not finite), ER_ERROR_MEMORY
/// Memory   none after the first call, except with loops.
ER_API er_result er_inverse_solve(er_inverse *inverse, er_inverse_frame *frame);

// ---- Measures

/// Energies, and work and heat since the state was set. To the integrator's tolerance,
/// mechanical = initial mechanical + work - heat. ER_INTEGRATE_CONTACT is the exception: friction, restitution, the
/// correction of overlaps and its damped steps change the energy without being counted, by some percent of what moves.
/// The work of held bodies is counted there too: through contacts, joints and ties.
typedef struct er_world_energy {
    double kinetic;    ///< J, without held bodies
    double potential;  ///< J, of gravity, without held bodies; 0 if all centres of mass are at the world's origin
    double elastic;    ///< J, of joint springs, limits, spring forces and stretched ties
    double mechanical; ///< J, the sum of these
    double work;       ///< J, done by motors, constant and scheduled forces, apply, held bodies and pushes
    double heat;       ///< J, lost in dampers, limits, drag and collisions
} er_world_energy;

/// The energies of the present state.   Threads: one call per world at a time.
ER_API er_world_energy er_world_measure_energy(er_world *world);

/// The momenta of all bodies that are not held.
/// @param linear   written, or NULL: kg m/s
/// @param angular  written, or NULL: kg m^2/s, about the world's origin
ER_API void er_world_measure_momentum(const er_world *world, er_vec3 *linear, er_vec3 *angular);

/// The largest joint error, the largest entry of er_constraint_errors(): rad, and lengths over the model's size.
ER_API double er_world_measure_gap(const er_world *world);

// ---- Ensembles
//
// Eight worlds of one model, side by side in vector registers. Use them for searches, finite differences or many
// initial states.

/// Eight worlds that differ only in their states.
typedef struct er_ensemble er_ensemble;

enum { ER_ENSEMBLE_SIZE = 8 };

/// Creates an ensemble with eight copies of a world's state.
/// @param world  route reduced, without loops, shapes, ties and joint_break; its forces act in all lanes. It must
/// outlive the ensemble.
///               Calls use its work space but not its state. No other thread may use it during a call
/// @param out    ER_OK: a new object for er_ensemble_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result and all that steps need.   Threads: as the world.
ER_API er_result er_ensemble_create(er_context *context, er_world *world, er_ensemble **out);

/// Frees an ensemble. NULL is fine.   Threads: the context's.
ER_API void er_ensemble_destroy(er_ensemble *ensemble);

/// Sets the state of a lane from a world, and the time of all lanes.
/// @param lane  0 to 7
/// @param from  of the same model, route reduced
/// Errors   ER_ERROR_ARGUMENT
ER_API er_result er_ensemble_set(er_ensemble *ensemble, int lane, const er_world *from);

/// The state of a lane.
/// @param pose   [body_count], written
/// @param twist  [body_count], written
/// Errors   ER_ERROR_ARGUMENT
ER_API er_result er_ensemble_get(const er_ensemble *ensemble, int lane, er_pose *pose, er_twist *twist);

/// The accelerations of all lanes, as er_world_accelerations() gives them.
/// @param acceleration  [8 x body_count], written, lane by lane
/// Errors   ER_ERROR_ARGUMENT
ER_API er_result er_ensemble_accelerations(er_ensemble *ensemble, er_twist *acceleration);

/// Advances all lanes to a time in equal steps of RK4.
/// @param until  s, finite, not before now
/// @param steps  >= 1
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (the numbers of a lane overflowed)
ER_API er_result er_ensemble_advance(er_ensemble *ensemble, double until, int steps);

#ifdef __cplusplus
}
#endif
#endif
