/// @file
/// Full rigid-body dynamics of a model: Newton-Euler with exact joints under any forces, in time with error control.
///
/// A *world* is a model (model.h: bodies, joints, their springs and dampers, loops) that moves. Its state is a time,
/// and of each body a world pose and a twist (body axes, of the body frame's origin). Everything that acts comes from
/// the model or from er_world_def: gravity, springs and dampers of joints, motors, limits, forces on bodies, and a
/// function of the caller's. Steps and evaluations allocate nothing, but where more shapes come near each other than
/// before. Equal calls give equal bits on one machine.
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

/// What a force is.
typedef enum er_force_kind {
    ER_FORCE_CONSTANT, ///< the same at all times
    ER_FORCE_SCHEDULE, ///< the Bezier curve whose control points are samples in time (Bacin's interpolated forces): it
                       ///< begins and ends in the first and the last one, and keeps within what they span; none outside
    ER_FORCE_SPRING,   ///< between two points, along the line that joins them
    ER_FORCE_DRAG      ///< against the velocity of a point, and against the body's turning
} er_force_kind;

/// A force and a torque at a time, of a schedule.
typedef struct er_force_sample {
    double time;    ///< s, ascending
    er_vec3 force;  ///< N
    er_vec3 torque; ///< N m
} er_force_sample;

/// A force on one body, or a spring between two. Take er_default_force(), then fill.
typedef struct er_force {
    const char *name; ///< UTF-8, copied; NULL is ""                                                [NULL]
    er_force_kind
        kind;         ///<                                                                          [ER_FORCE_CONSTANT]
    int body;         ///< that it acts on                                                          [0]
    er_vec3 point;    ///< where, m, body frame                                                     [0]
    bool body_axes;   ///< force and torque are along the body's axes and turn with it; else the world's  [false]
    er_vec3 force;    ///< CONSTANT: N                                                              [0]
    er_vec3 torque;   ///< CONSTANT: N m                                                            [0]
    int sample_count; ///< SCHEDULE: 2 to 200                                                       [0]
    const er_force_sample *sample; ///< SCHEDULE: [sample_count], copied                              [NULL]
    int other;                     ///< SPRING: the other body, -1 for the world                              [-1]
    er_vec3 other_point;           ///< SPRING: m, frame of the other body, or the world                      [0]
    double stiffness;              ///< SPRING: N/m, >= 0                                                     [0]
    double damping;                ///< SPRING: N s/m, >= 0, along the line                                   [0]
    double rest;                   ///< SPRING: length without force, m, >= 0                                 [0]
    double linear_drag;            ///< DRAG: N s/m, >= 0                                                     [0]
    double quadratic_drag;         ///< DRAG: N s^2/m^2, >= 0                                                 [0]
    double angular_drag;           ///< DRAG: N m s/rad, >= 0                                                 [0]
    uint32_t tag;                  ///< set by er_default_force(); leave alone
} er_force;

/// The defaults in brackets above.
ER_API er_force er_default_force(void);

/// A drive of one joint coordinate q: the force stiffness (position - q) + damping (velocity - q'), at most `most` in
/// size. Without stiffness it drives a velocity. Of a joint with three turns q is an entry of the rotation vector, and
/// its rate is taken as R tells it (er_constraints).
typedef struct er_motor {
    int coordinate;   ///< of the model's coordinate_count                                            [0]
    double stiffness; ///< N m/rad or N/m, >= 0                                                       [0]
    double position;  ///< rad or m                                                                   [0]
    double damping;   ///< N m s/rad or N s/m, >= 0                                                   [0]
    double velocity;  ///< rad/s or m/s                                                               [0]
    double most;      ///< N m or N, > 0; HUGE_VAL for no bound                                       [HUGE_VAL]
    uint32_t tag;     ///< set by er_default_motor(); leave alone
} er_motor;

/// The defaults in brackets above.
ER_API er_motor er_default_motor(void);

// ---- Worlds

/// How a number of two shapes that meet follows from a and b, which they have.
typedef enum er_combination {
    ER_COMBINE_AVERAGE,        ///< (a + b) / 2
    ER_COMBINE_GEOMETRIC_MEAN, ///< the square root of a b
    ER_COMBINE_MINIMUM,        ///< the lesser
    ER_COMBINE_MAXIMUM,        ///< the greater
    ER_COMBINE_MULTIPLY        ///< a b
} er_combination;

/// A solid that goes with a body, or stands in the world, and meets others.
typedef struct er_world_shape {
    const char *name;   ///< UTF-8, copied; NULL is ""
    er_shape shape;     ///< what it points to is borrowed while the world lives; PLANE and MESH stand in the world, or
                        ///< go with a held body
    int body;           ///< that it goes with, -1 for the world
    er_pose pose;       ///< of the shape's frame in the body's, or the world
    double restitution; ///< e, [0, 1]: parting over approaching speed; of a pair as er_world_def.restitution_rule says
    double friction;    ///< mu, >= 0, in contact; of a pair as er_world_def.friction_rule says
    uint32_t groups;    ///< that it is in: a bit each
    uint32_t ignores;   ///< groups whose shapes it passes through, and they through it
} er_world_shape;

/// How accelerations are found, and what is integrated. Both give the same accelerations, to rounding.
typedef enum er_dynamics_route {
    ER_ROUTE_REDUCED,    ///< articulated bodies over a spanning tree, O(n), loops by multipliers on top. The state
                         ///< integrated is joint coordinates, so joints of the tree cannot drift apart
    ER_ROUTE_MULTIPLIERS ///< body by body, all joints by Lagrange multipliers, a sparse factorisation in O(n) for
                         ///< trees. The state integrated is poses and twists, which drift and are put together again
} er_dynamics_route;

/// How the multipliers' state carries rotations.
typedef enum er_rotation_state {
    ER_ROTATION_QUATERNION, ///< brought back to norm 1 after each step
    ER_ROTATION_MATRIX      ///< R' = [omega]x R, left as it comes out: it drifts from the rotations, to be looked at
} er_rotation_state;

/// Methods in time (docs/math/integrators.md), and their orders.
typedef enum er_integrator {
    ER_INTEGRATE_EULER,         ///< 1, fixed steps
    ER_INTEGRATE_SEMI_IMPLICIT, ///< 1, fixed steps, symplectic
    ER_INTEGRATE_HEUN,          ///< 2, fixed steps
    ER_INTEGRATE_RK4,           ///< 4, fixed steps
    ER_INTEGRATE_FEHLBERG,      ///< Runge-Kutta-Fehlberg 4(5), steps as the tolerance asks
    ER_INTEGRATE_IMPLICIT, ///< 4(3), linearly implicit in springs, dampers and motors of joints (by route reduced, of
                           ///< the tree's): for stiff ones
    ER_INTEGRATE_CONTACT   ///< 1, steps of max_step or less, in parts where light links bear heavy loads
                           ///< (docs/math/contact.md): shapes that touch stay in contact, with friction, and what
                           ///< piles up comes to rest. By route reduced joints stay exact, and what hangs on the
                           ///< ground without springs and is not struck keeps its swing, its energy going to and fro by
                           ///< step / 2 times the power of its weight; by route multipliers the reference solver has
                           ///< joints and contacts in one problem (er_contact_def)
} er_integrator;

/// What solves the reference solver's problem: w = A x + f, impulses x within their bounds and complementary to the
/// speeds w, of joints and contacts together.
typedef enum er_contact_solver {
    ER_CONTACT_PROJECTED, ///< Gauss and Seidel's sweeps over the rows, each impulse brought within its bounds,
                          ///< over-relaxed (SOR), begun at the impulses of the step before
    ER_CONTACT_DIRECT     ///< by Lemke's pivoting, to rounding: for small scenes, of at most 600 rows (three a contact,
                          ///< and what the joints hold)
} er_contact_solver;

/// How ER_INTEGRATE_CONTACT solves what touches. Springs, dampers and motors of joints act implicitly, once a step. By
/// route reduced contacts are solved in sub-steps within it, soft where shapes overlap, and their impulses go through
/// the joints. By route multipliers the *reference solver* finds the impulses of joints and contacts in one problem at
/// the step's velocities, each body by itself; joints drift by what steps and sweeps leave, and erp draws them
/// together. Two shapes that come farther in a step than twice the thickness of the thinner one have their contact
/// where they first touch on their way; by route reduced such, and those with restitution that come fast, part at once,
/// and ball joints that turn by more than a radian in a step are braked to that: contacts could not tell where they
/// are. Source: docs/math/contact.md; Catto, Soft constraints, 2011, and Solver2D, 2024; Macklin et al., Small steps in
/// physics simulation, 2019.
typedef struct er_contact_def {
    int substeps;     ///< in a step, [1, 1000]                                                              [4]
    double frequency; ///< Hz, > 0: how fast an overlap is undone, twice that of balls and of what has joints, at most
                      ///< a quarter of the sub-steps' rate                                                  [30]
    double damping;   ///< ratio, > 0, of that                                                               [10]
    double push_out;  ///< m/s, > 0: the fastest that an overlap is undone                                   [3]
    int threads; ///< that a step is shared by, [1, 8], route reduced: as many cores should be idle, and 1000 contacts
                 ///< or more be there, for it to pay. Equal bits by any number. They wait while no step is taken, and
                 ///< end with the world [1]
    double sleep_time;  ///< s, >= 0, route reduced: an island (er_world_islands()) sleeps when all of it has been no
                        ///< faster than sleep_speed for so long, and moves no more until it is woken (er_world_wake());
                        ///< what it still had of velocity is heat. 0: nothing sleeps. It is off unless asked for: what
                        ///< creeps or swings slowly is not at rest, and worlds are held to closed forms; 0.5 is what
                        ///< games take                                                                   [0]
    double sleep_speed; ///< m/s, >= 0: a bound of the speed of a body's points: its frame's origin's, and its turning
                        ///< times the distance of its centre of mass or of the farthest point of its shapes, of
                        ///< spheres the centre                                                          [0.02]
    er_contact_solver solver; ///< MULTIPLIERS, and all that follow                          [ER_CONTACT_PROJECTED]
    int iterations;           ///< of PROJECTED: sweeps of a step at most, [1, 1000000]                      [50]
    double accuracy;          ///< of PROJECTED: sweeps end where the residual is no more, >= 0              [0]
    double relaxation;        ///< of PROJECTED: omega, (0, 2)                                               [1]
    double erp; ///< share of an overlap and of a joint's gap that a step undoes, [0, 1]                     [0.2]
    double cfm; ///< added to the diagonal of A, over its entries, >= 0: what joints and contacts give way by [0]
    const double *joint_erp, *joint_cfm; ///< [model's joint_count], copied: of each joint in place of erp and of cfm;
                                         ///< NULL: those                                                    [NULL]
    bool cone; ///< of PROJECTED: friction within the cone; else within the pyramid, mu times the normal impulse along
               ///< each of two tangents                                                                 [false]
} er_contact_def;

/// Options for er_world_create(). Take er_default_world_def(), then fill.
typedef struct er_world_def {
    const er_model *model; ///< borrowed, must outlive the world. Its damping_ratio, which is of modes and has no law of
                           ///< forces, must be 0; its other dampers and rayleigh factors act             [NULL]
    er_vec3 gravity;       ///< m/s^2                                                                 [0]
    int force_count;       ///<                                                                       [0]
    const er_force *force; ///< [force_count], copied                                                 [NULL]
    int motor_count;       ///<                                                                       [0]
    const er_motor *motor; ///< [motor_count], copied; several may drive one coordinate                [NULL]
    const double *rest;    ///< [model's coordinate_count], coordinates at which joint springs are slack, rad and m,
                           ///< copied; NULL for the equilibrium's, 0                                  [NULL]
    bool enforce_limits; ///< er_joint.limit acts, where the lower is not above the upper: past it the force of a spring
                         ///< of 10 Hz with what hangs on the joint, and of a damper that grows with the depth
                         ///< (docs/math/dynamics.md)                                                [false]
    /// Adds to the wrenches on bodies, or NULL. Called in every evaluation: smooth in all its arguments, and without
    /// calls that use the world or its context.                                                      [NULL]
    /// @param pose    [body_count], world poses of the body frames
    /// @param twist   [body_count], body axes, of the body frame's origin
    /// @param wrench  [body_count], world axes, about each body's centre of mass; added to
    void (*apply)(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench);
    const bool *held; ///< [body_count], copied: bodies that follow `guide` and no force; NULL for none    [NULL]
    /// Says how a held body moves: smooth, the twist being the pose's rate. NULL: held bodies stay where they are at
    /// equilibrium. What hangs on a body feels its acceleration.                                      [NULL]
    /// @param pose   written: world pose of the body frame
    /// @param twist  written: body axes, of the body frame's origin
    /// @param rate   written: rates of the twist's six numbers
    void (*guide)(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate);
    int shape_count; ///<                                                            [0]
    /// [shape_count], copied. Shapes meet but for those of one body, of bodies that a joint ties, of the world and what
    /// is fixed to it (but see collide_connected), of held bodies and the world, and of groups that ignore each other.
    /// [NULL]
    const er_world_shape *shape;
    bool
        collide_connected; ///< shapes of bodies that a joint ties meet too, and the world's what is fixed to it [false]
    er_combination friction_rule;    ///< mu of a pair of shapes, of theirs            [ER_COMBINE_GEOMETRIC_MEAN]
    er_combination restitution_rule; ///< e of a pair, likewise: by default a body of putty lands dead on the best of
                                     ///< floors                                               [ER_COMBINE_MINIMUM]
    int apart_count;                 ///<                                                            [0]
    const er_body_pair *apart; ///< [apart_count], copied: bodies besides whose shapes do not meet either    [NULL]
    er_contact_def contact;    ///< of ER_INTEGRATE_CONTACT                                     [as there]
    int most_impacts;          ///< in a second, >= 1: more are taken for a body that comes to rest    [10000]
    double impact_tolerance;   ///< shapes touch at this distance, of the model's size, [1e-13, 1e-3]  [1e-9]
    void *user;                ///< passed to both, untouched                                  [NULL]
    er_dynamics_route route;   ///<                                                            [ER_ROUTE_REDUCED]
    er_rotation_state rotation_state; ///< of the multipliers' state; the other has quaternions [ER_ROTATION_QUATERNION]
    er_integrator integrator; ///<                                                            [ER_INTEGRATE_FEHLBERG]
    double tolerance;         ///< of a step: relative, 1 being 1 rad, the rig's size, and these over a second; in
                              ///< [1e-14, 1]                                                 [1e-6]
    double min_step;          ///< s, >= 0: an adaptive step is not shorter, but to land       [1e-9]
    double max_step;          ///< s, > 0 and >= min_step: nor longer; the step of fixed ones  [1/30]
    double drift_tolerance;   ///< joints are put together where they stand apart by more, of the rig's size and in
                              ///< rad, > 0; HUGE_VAL leaves them                             [1e-10]
    uint32_t tag;             ///< set by er_default_world_def(); leave alone
} er_world_def;

/// The defaults in brackets above.
ER_API er_world_def er_default_world_def(void);

/// A model in motion.
typedef struct er_world er_world;

/// A world at time 0, at the model's equilibrium, at rest but for what held bodies take with them.
/// @param def  copied; its model is borrowed
/// @param out  ER_OK: a new object for er_world_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (any field, by name), ER_ERROR_RIG (loops with more than 2000 constraints),
///          ER_ERROR_NO_CONVERGENCE (joints that do not come together with held bodies where they are), ER_ERROR_MEMORY
/// Memory   allocates the result, all that steps will need.   Threads: one call per context at a time; then one call
/// per
///          world at a time, and context.
ER_API er_result er_world_create(er_context *context, const er_world_def *def, er_world **out);

/// Ends a world. NULL is fine.   Threads: the context's.
ER_API void er_world_destroy(er_world *world);

// ---- State

/// The time, s.
ER_API double er_world_time(const er_world *world);

/// World poses of the body frames, and twists (body axes, of the frame's origin): [body_count].
/// Memory   borrowed until the state changes.
ER_API const er_pose *er_world_pose(const er_world *world);
ER_API const er_twist *er_world_twist(const er_world *world);

/// The joint coordinates of the state, rad and m; angles count full turns since the state was set, rotation vectors are
/// at most pi long.
/// @param q     [coordinate_count], written; NULL where not wanted
/// @param rate  [coordinate_count], written: rates as R tells them (er_constraints); NULL where not wanted
ER_API void er_world_coordinates(const er_world *world, double *q, double *rate);

/// Sets the state. Joints that stand apart, by up to 1e-2 of the rig's size and rad, are put together, and twists are
/// brought to such as do not tear them: by route multipliers all with the smallest change in the mass norm; by route
/// reduced loops alone, after each joint of the tree has taken of its two sides what it lets free. Entries of held
/// bodies are not read. Counts of work and heat begin anew.
/// @param pose   [body_count]; NULL: the equilibrium
/// @param twist  [body_count]; NULL: no joint moves, so bodies go with a held one that they hang on
/// Errors   ER_ERROR_ARGUMENT (not finite, not unit to 1e-3, joints further apart), ER_ERROR_NO_CONVERGENCE (loops that
///          do not close). The state is the one before then.
ER_API er_result er_world_set_state(er_world *world, double time, const er_pose *pose, const er_twist *twist);

/// The same by displacements as er_kinematics takes them, and their rates: coordinates of the joints, then six for each
/// root without joint. Those of loop joints and of held roots are not read; loops are closed by the smallest change.
/// @param x     [er_kinematics_width()]; NULL: the equilibrium
/// @param rate  [er_kinematics_width()], per second; NULL: at rest
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE. The state is the one before then.
ER_API er_result er_world_set_displacement(er_world *world, double time, const double *x, const double *rate);

/// All that the motion to come depends on, as bytes: restored it goes on to the last bit. The size is of the present
/// state: what touches is among it.
/// @param bytes  [er_world_state_size()]; restore: as saved from this world, or from one of the same def
ER_API size_t er_world_state_size(const er_world *world);
ER_API void er_world_save(const er_world *world, void *bytes);

/// Errors   ER_ERROR_ARGUMENT: bytes that are no state of such a world. The state is the one before then.
/// ER_ERROR_MEMORY:
///          the state is that of the bytes, what touched in it forgotten.
ER_API er_result er_world_restore(er_world *world, const void *bytes);

/// A hash of time, poses and twists, to the bit (FNV-1a).
ER_API uint64_t er_world_hash(const er_world *world);

/// Changes the velocities as a blow does, joints holding.
/// @param point    where, m, body frame
/// @param impulse  N s, world axes
/// Errors   ER_ERROR_ARGUMENT (not finite, no such body, or a held one)
ER_API er_result er_world_push(er_world *world, int body, er_vec3 point, er_vec3 impulse);

/// What er_world_move() gives a body.
typedef struct er_body_move {
    int body;
    const er_pose *pose;   ///< world pose of the body frame, of a body that hangs on no joint; NULL: it stays
    const er_twist *twist; ///< body axes, of the frame's origin; NULL: as it is, in body axes
} er_body_move;

/// Puts bodies elsewhere, or gives them other velocities, in the present state; what their joints hang on stays as it
/// is, what hangs on them goes along. Of a velocity a joint of the tree takes what it lets free; loops are closed after
/// that as er_world_set_state() does. What touches is kept, and the bodies wake. The change of kinetic and potential
/// energy counts as work.
/// @param move  [count]; of two of one body the later counts. A joint between two takes what it lets free of both.
/// Errors   ER_ERROR_ARGUMENT (no such body, or a held one; a pose of a body that hangs on a joint; not finite, not
///          unit to 1e-3), ER_ERROR_NO_CONVERGENCE (loops that do not close). The state is the one before then.
/// Time     that of a pass over all bodies, however many are moved
ER_API er_result er_world_move(er_world *world, int count, const er_body_move *move);

/// Sets what all motors of a joint coordinate drive towards from now on (er_motor.position and velocity). It is no part
/// of the state, as the rest of the definition is none: er_world_restore() and a state that is set leave it. Targets
/// that are other than before wake the bodies that the joint ties (er_world_wake()).
/// @param coordinate  in [0, coordinate_count)
/// @param position    rad or m, of magnitude <= 1e50; not looked at by a motor without stiffness
/// @param velocity    rad/s or m/s, of magnitude <= 1e50; not looked at by one without damping
/// Errors   ER_ERROR_ARGUMENT (no such coordinate, or one without a motor; not such a number). Targets stay then.
ER_API er_result er_world_drive(er_world *world, int coordinate, double position, double velocity);

// ---- Accelerations and reactions

/// The accelerations in the present state, by either route.
/// @param acceleration  [body_count], written: rates of the twists' numbers; NULL where not wanted
/// @param reaction      [joint_count], written: all that the joint does to its child, springs, motors and limits
///                      too: world axes, about the joint's origin as its child carries it; NULL where not wanted. What
///                      redundant constraints leave open is taken so that the sum of squares of all constraint forces
///                      is least, torques divided by the rig's size; 0 in joints between held bodies
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (forces that are not finite)
ER_API er_result er_world_accelerations(er_world *world, er_dynamics_route route, er_twist *acceleration,
                                        er_wrench *reaction);

// ---- Time

/// What er_world_advance() did.
typedef struct er_world_report {
    long steps;       ///< taken
    long rejected;    ///< tried, and given up as too long
    long evaluations; ///< of the accelerations
    long corrections; ///< times that joints were put together again
    double gap;       ///< by how much joints stood apart before that, at most; of the rig's size and rad
} er_world_report;

/// Moves the world to a time, exactly.
/// @param until   s, finite, not before now
/// @param report  written, also after a failure; NULL where not wanted
/// Errors   ER_ERROR_ARGUMENT; ER_ERROR_NO_CONVERGENCE (min_step is too long for the tolerance, loops do not close, a
///          motion that left the range of numbers), ER_ERROR_MEMORY (more shapes near each other than ever before). The
///          state is that of the last good step then.
ER_API er_result er_world_advance(er_world *world, double until, er_world_report *report);

// ---- Impacts
//
// Shapes that meet rebound without friction, joints holding: the normal speed at the touch becomes -e of what it was,
// and what is lost is heat. Impacts at one time happen one after the other, by pairs. Held bodies push and feel
// nothing. Found are all that end an approach within a step, so that nothing passes through another
// (docs/math/dynamics.md). Memory is taken only where more shapes come near than ever before. Shapes are hulls. What
// comes to rest on another ends in ER_ERROR_NO_CONVERGENCE by most_impacts: lasting contact is ER_INTEGRATE_CONTACT's.

/// What happened when two shapes met.
typedef struct er_impact {
    double time;    ///< s
    int shape[2];   ///< indices, the lesser first
    er_vec3 point;  ///< m, world
    er_vec3 normal; ///< unit, world, from the first to the second
    double impulse; ///< N s, on the second along the normal, and on the first against it
    double before;  ///< m/s, of the second from the first along the normal: < 0, they approached
    double after;   ///< m/s: -e before
} er_impact;

/// How many impacts the last er_world_advance() had; 0 after the state was set.
ER_API long er_world_impact_count(const er_world *world);

/// One of them, by time; the last 256 are kept.
/// @param out  written, where it is kept
/// @return whether it is
ER_API bool er_world_impact(const er_world *world, long index, er_impact *out);

// ---- Contacts

/// A point at which two shapes touched in the last step.
typedef struct er_contact {
    int shape[2];    ///< indices, the lesser first
    er_vec3 point;   ///< m, world
    er_vec3 normal;  ///< unit, world, from the first to the second
    double distance; ///< m, at the step's end; < 0: overlap
    er_vec3 impulse; ///< N s, of the whole step, world, on the second; on the first against it
} er_contact;

/// What the reference solver came to in the last step.
typedef struct er_contact_report {
    int rows;        ///< of joints and contacts
    long iterations; ///< PROJECTED: sweeps; DIRECT: pivots
    double first;    ///< PROJECTED: the residual of the first sweep; DIRECT: as residual
    double residual; ///< m/s and rad/s: the most that the last sweep changed the speed of a row by, which it had to by
                     ///< the row's conditions; DIRECT: of all rows at the solution
} er_contact_report;

/// Zeros by other routes, and after the state was set.
ER_API er_contact_report er_world_contact_report(const er_world *world);

/// Where the time of ER_INTEGRATE_CONTACT's steps went, s of the wall clock, of all since the world was created.
typedef struct er_contact_times {
    double collision; ///< finding what is near what, and where it touches
    double solver;    ///< making the rows of contacts, and solving them; of MULTIPLIERS the whole step but
                      ///< collision and showing it
    double motion;    ///< forces, joints' accelerations, moving all, and showing it
} er_contact_times;

/// Zeros by other integrators. It is no part of the state.
ER_API er_contact_times er_world_contact_times(const er_world *world);

/// The points of the last step of ER_INTEGRATE_CONTACT; 0 after the state was set.
ER_API int er_world_contact_count(const er_world *world);

/// One of them, by shapes.
/// @param index  in [0, er_world_contact_count())
ER_API er_contact er_world_contact(const er_world *world, int index);

// ---- Islands and sleep

/// Which bodies hang together now, by joints and by what touched, or came near, in the last step of
/// ER_INTEGRATE_CONTACT, route reduced; the world and held bodies tie nothing.
/// @param island  [body_count], written: an index from 0 on, by the bodies' order; -1 of held bodies, and of all by
///                other integrators and routes
/// Threads  as er_world_create() says: it uses the world's work space.
ER_API void er_world_islands(er_world *world, int *island);

/// Whether a body sleeps (er_contact_def.sleep_time); false of held bodies, and by other integrators and routes. It
/// stands where it stood, and costs a quarter or less; a step in which all sleep, in a world without er_force, `apply`,
/// rayleigh_mass and `guide`, next to nothing.
/// @param body  in [0, body_count)
ER_API bool er_world_is_asleep(const er_world *world, int body);

/// Wakes a body with all that joints tie to it, and what touches these in the next step; where nothing sleeps it does
/// nothing but begin sleep_time anew. So do pushes, motors that are driven elsewhere, what moves and comes to touch it,
/// held bodies that move, forces that change, and a state that is set; one that is restored sleeps as it did when it
/// was saved.
/// @param body  in [0, body_count), a held one being left alone; -1 for all
/// Errors   ER_ERROR_ARGUMENT (no such body)
ER_API er_result er_world_wake(er_world *world, int body);

// ---- Measures

/// Where energy is, and where it came from since the state was set. To the integrator's tolerance
/// mechanical = mechanical then + work - heat.
typedef struct er_world_energy {
    double kinetic;    ///< J, held bodies left out
    double potential;  ///< J, of gravity; 0 with all centres of mass at the world's origin; held bodies left out
    double elastic;    ///< J, of joint springs, limits and spring forces
    double mechanical; ///< J, their sum
    double work;       ///< J, done by motors, constant and scheduled forces, `apply`, held bodies and pushes
    double heat;       ///< J, lost in dampers of joints, springs and limits, in drag, and where shapes meet
} er_world_energy;

ER_API er_world_energy er_world_measure_energy(er_world *world);

/// The momenta of all bodies that are not held.
/// @param linear   written: kg m/s; NULL where not wanted
/// @param angular  written: kg m^2/s, about the world's origin; NULL where not wanted
ER_API void er_world_measure_momentum(const er_world *world, er_vec3 *linear, er_vec3 *angular);

/// The largest entry of er_constraint_errors(), shifts over the rig's size.
ER_API double er_world_measure_gap(const er_world *world);

// ---- Ensembles
//
// Eight worlds of one tree side by side, a lane each of vector registers: for searches, finite differences, many
// starts.

/// Worlds that have all in common but their states.
typedef struct er_ensemble er_ensemble;

enum { ER_ENSEMBLE_SIZE = 8 };

/// Eight times the state of a world.
/// @param world  of route reduced, without loops and shapes; what acts in it acts in all. It must outlive the ensemble
/// and is its
///               work space: it keeps its state, but is not to be used by another thread meanwhile
/// @param out    ER_OK: a new object for er_ensemble_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, all that steps need.   Threads: as of the world.
ER_API er_result er_ensemble_create(er_context *context, er_world *world, er_ensemble **out);

/// Frees it. NULL is fine.   Threads: the context's.
ER_API void er_ensemble_destroy(er_ensemble *ensemble);

/// Gives a lane the state of a world, and all lanes its time.
/// @param lane  0 to 7
/// @param from  of the same model, route reduced
/// Errors   ER_ERROR_ARGUMENT
ER_API er_result er_ensemble_set(er_ensemble *ensemble, int lane, const er_world *from);

/// The state of a lane.
/// @param pose   [body_count], written
/// @param twist  [body_count], written
/// Errors   ER_ERROR_ARGUMENT
ER_API er_result er_ensemble_get(const er_ensemble *ensemble, int lane, er_pose *pose, er_twist *twist);

/// Accelerations of all, as of er_world_accelerations().
/// @param acceleration  [8 body_count], written, lane by lane
/// Errors   ER_ERROR_ARGUMENT
ER_API er_result er_ensemble_accelerations(er_ensemble *ensemble, er_twist *acceleration);

/// Moves all to a time by so many equal steps of RK4.
/// @param until  s, finite, not before now
/// @param steps  >= 1
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NO_CONVERGENCE (one left the range of numbers; so do its lane's numbers then)
ER_API er_result er_ensemble_advance(er_ensemble *ensemble, double until, int steps);

#ifdef __cplusplus
}
#endif
#endif
