/// @file
/// The inside of a world: what both routes stand on.
///
/// A route's state is (q, u): of `reduced` the tree's positions and velocities, of `multipliers` each limb's rotation
/// and centre of mass, and its angular velocity and that of the centre of mass (world axes). Two more velocities,
/// without positions, are the work done and the heat lost so far.
#ifndef ERI_DYNAMICS_WORLD_H
#define ERI_DYNAMICS_WORLD_H

#include <eigenrig/dynamics.h>

#include "dynamics/articulated.h"
#include "dynamics/forces.h"
#include "dynamics/joint_rows.h"
#include "dynamics/ode.h"
#include "dynamics/semidefinite.h"

typedef struct eri_minimal eri_minimal;
typedef struct eri_maximal eri_maximal;
typedef struct eri_impacts eri_impacts;
typedef struct eri_contacts eri_contacts;
typedef struct eri_ties eri_ties;

struct er_world {
    er_context *context;
    er_arena *arena;
    er_world_def def;
    const er_model *model;
    bool *held; // [body_count], or NULL
    eri_multibody *multibody;
    const eri_tree *tree; // of the multibody
    eri_laws *laws;
    eri_forces *forces;
    eri_minimal *minimal;
    eri_maximal *maximal;
    eri_ode_solver *solver;
    eri_impacts *impacts;               // NULL where there are no shapes, or they stay in contact
    eri_contacts *contacts;             // NULL by any integrator but ER_INTEGRATE_CONTACT
    eri_ties *ties;                     // NULL if there are no ties and no joint can break
    int position_count, velocity_count; // of the def's route
    double *q, *u, *du;                 // work space, of either route
    int *mover;                         // [body_count], work space: which move takes a body along
    double *near;                       // [coordinate_count], angles of the state, for those of the next to follow
    eri_body_motion *motion;            // [body_count], of the evaluation
    er_wrench *wrench;                  // [body_count]
    bool *flies;                        // [limb_count]: trees that tree_flight.c moves in this step
    eri_ground_state *ground;           // [body_count + 1], of the evaluation: held bodies and, last, the world
    er_pose *pose, *held_pose;          // [body_count]: the state's, work space
    er_twist *twist;
    int64_t corrections;
    long rank_changes; // of the loops' rows, from evaluation to evaluation; and evaluations nearer than ERI_FLAT
    double gap;
    er_kinematics *kinematics; // closes loops of displacements; NULL before the first
    double *closed;            // [er_world_displacement_width()], work space of that
    er_pose *closed_pose;      // [body_count], likewise
};

/// Bounds of the least pivot of the loops' rows, each loop's largest being 1. It is small near a pose where a loop
/// loses a row, and errors of joints act on accelerations by one over it. Below the first bound joints are closed after
/// every step. Below the second one, a step that may not be shorter is taken whatever its error.
#define ERI_NEARLY_FLAT 1e-4
#define ERI_FLAT 1e-6

enum { ERI_WORLD_ACCOUNTS = 2 }; ///< velocities without positions: the work done and the heat lost

static inline bool eri_world_is_reduced(const er_world *w)
{
    return w->def.route == ER_ROUTE_REDUCED;
}

/// How a held body moves.
void eri_world_guide(const er_world *w, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate);

/// Moves the ground to a time: world->ground, and the held bodies' entries of world->motion.
void eri_world_move_ground(er_world *w, double time);

/// The same for one held body.
void eri_world_move_held(er_world *w, double time, int body);

/// A joint's end on the ground.
er_pose eri_ground_frame(const er_world *w, const eri_end *end);
eri_motion_at eri_ground_motion(const er_world *w, int ground);

/// Accelerations by a route, with what else is wanted of them.
typedef struct eri_evaluation {
    double step;          ///< s: 0, or the implicit step's h
    eri_account *account; ///< written; NULL where not wanted
    er_twist *rate;       ///< [body_count], written: rates of the twists' numbers; NULL where not wanted
    er_wrench *reaction;  ///< [joint_count], written; NULL where not wanted
} eri_evaluation;

// ---- Reduced

er_result eri_minimal_create(er_arena *arena, er_world *w, eri_minimal **out);

/// @param u   [velocity_count]
/// @param du  [velocity_count], written: u', or with a step (H + h C + h^2 K)^-1 (H u' - h K u)
/// Errors  ER_ERROR_NO_CONVERGENCE: not finite
er_result eri_minimal_evaluate(er_world *w, double time, const double *q, const double *u, const eri_evaluation *e,
                               double *du);

/// Loops together: the smallest change of q in the mass norm, then of u.
/// @param always  corrects whatever the gap
/// Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_minimal_restore(er_world *w, double time, bool always, double *q, double *u);

/// The bodies' poses and twists, held ones too; of those looked at (eri_minimal_focus()).
void eri_minimal_bodies(er_world *w, double time, const double *q, const double *u, er_pose *pose, er_twist *twist);

/// The nearest tree state of poses and twists.
/// @param q  read too: angles are near those
void eri_minimal_set_bodies(const eri_multibody *m, const er_pose *pose, const er_twist *twist, double *q, double *u);

/// Velocities after an impulse on a body.   @param impulse  world axes, about the centre of mass, N s
void eri_minimal_push(er_world *w, double time, const double *q, int body, er_wrench impulse, double *u);

/// Whether eri_minimal_bodies() and the functions below look at trees of joints alone, and leave out bodies without any
/// (eri_multibody.jointed_count); between steps all are looked at.
void eri_minimal_focus(er_world *w, bool jointed);

/// The changes of rates by forces in a second at fixed positions, with springs and dampers of joints implicit over a
/// step. eri_minimal_keep() does the gyroscopic part. If the guide gives held bodies another velocity than at the first
/// query for this time, attached bodies feel the change over the step.
/// @param du  [velocity_count], written
/// Errors  ER_ERROR_NO_CONVERGENCE: not finite
er_result eri_minimal_impel(er_world *w, double time, const double *q, const double *u, double step,
                            eri_account *account, double *du);

/// The rates of a group's rates by its exact equations: weight, what its motion takes, its loops, and the forces on
/// bodies that eri_minimal_impel() found. Its joints have no springs. The limbs stay placed at this state.
/// @param q, u  [position_count], [velocity_count]: those of the group are read
/// @param du    [velocity_count]: those of the group are written
/// @param loop  [loops of the group], written: the wrenches of loop joints as eri_minimal_loop_wrench(); NULL: not
/// wanted
void eri_minimal_accelerate(er_world *w, const eri_group *group, const double *q, const double *u, double *du,
                            er_wrench *loop);

/// Makes a state near by one of the group: quaternions to norm 1, loops closed as eri_minimal_restore() does.
/// @param q, u  [position_count], [velocity_count]: those of the group are read and written
/// Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_minimal_mend(er_world *w, const eri_group *group, double time, double *q, double *u);

/// Whether some loop had all but lost a row where loops were factored last.
bool eri_minimal_is_nearly_flat(const er_world *w);

/// If the guide gives the held bodies that carry a group another velocity than at the first query for this time, the
/// group's rates change by the blow of it. w->ground is that of the time.
/// @param q, u  [position_count], [velocity_count]: those of the group are read, its rates written
/// @return      J: the energy of the motion that the blow adds, by itself; 0: there is none
double eri_minimal_jolt(er_world *w, const eri_group *group, double time, const double *q, double *u);

/// A state begins: how held bodies moved before it is of no account.
void eri_minimal_forget_ground(er_world *w);

/// The limbs' momenta, world axes, about their centres of mass, and energies of motion, where rates have changed since
/// eri_minimal_impel() or eri_minimal_keep() (by all that these were, after that).
/// @param change    [velocity_count], by so much
/// @param momentum  [limb_count], written
/// @param energy    [limb_count], written, J
void eri_minimal_momenta(er_world *w, const double *change, er_wrench *momentum, double *energy);

/// Closes loops, after eri_minimal_impel() near by, and finds the rates there that lose least of the momenta there
/// were, in the mass norm: energy never grows by it. The implicit dampers of eri_minimal_impel() resist the change.
/// @param q     [position_count], read and written
/// @param rate  [velocity_count], those of the momenta
/// @param u  [velocity_count], written
/// Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_minimal_keep(er_world *w, double time, double *q, const er_wrench *momentum, const double *rate,
                           double *u);

/// Limbs as one body: where its centre of mass is, its inertia and its momentum about that, world axes.
typedef struct eri_spin {
    er_vec3 centre, momentum;
    er_vec3 velocity; // of the centre
    er_mat3 inertia;  // where it is asked for
    double mass;
    double energy; // J, of all the limbs, without that of the velocity
} eri_spin;

/// @param momentum, energy  [limb_count], as of eri_minimal_momenta()
eri_spin eri_minimal_spin(const er_world *w, int first, int last, bool with_inertia, const er_wrench *momentum,
                          const double *energy);

/// The limbs' twists that rates give, ground at rest, where limbs were last placed: [6 limb_count], borrowed until the
/// next call.
const double *eri_minimal_twists(er_world *w, const double *rate);

/// How fast a limb swings by what it bears, after eri_minimal_impel(): eri_limbs_swing().
/// @param twist  as of eri_minimal_twists(), of the rates' change
double eri_minimal_swing(er_world *w, const double *twist);

/// The velocity of the limbs' common centre of mass by their twists.
er_vec3 eri_minimal_drift(const er_world *w, int first, int last, const double *twist);

/// A limb's reference point, as it was last placed.
eri_limb_motion eri_minimal_motion(const er_world *w, int limb);
er_vec3 eri_minimal_origin(const er_world *w, int limb);

/// How blows pass a limb's joint after eri_minimal_impel(), as eri_limbs_link() tells it; springs and dampers give way
/// only so far in a step.
void eri_minimal_link(const er_world *w, int limb, eri_lanes *across, eri_lanes *own);

/// The loops' rows: how many, and a limb that one ties.
int eri_minimal_row_count(const er_world *w);
int eri_minimal_row_limb(const er_world *w, int row);

/// The limbs' twists that a unit force along a row gives, after eri_minimal_impel(): [6 limb_count], borrowed until the
/// next call.
const double *eri_minimal_row_twists(er_world *w, int row);

/// The wrench on a loop joint's child by the rows' forces found last, world axes, about its side's origin; with the
/// joint's springs and motors of the last eri_minimal_impel(), on request.
er_wrench eri_minimal_loop_wrench(const er_world *w, int loop, bool with_springs);

/// Forces along all rows that make their rates.   @param rate  [row_count], overwritten
void eri_minimal_row_forces(const er_world *w, double *rate);

/// The changes of rates by wrenches on limbs after eri_minimal_impel(), with joints and loops holding.
/// @param needed  [6 limb_count], what is taken off the limbs, about their reference points, N s; overwritten
/// @param change  [velocity_count], written
void eri_minimal_yield(er_world *w, double *needed, double *change);

/// The same of the limbs [first, end) alone: whole trees, no loops.
void eri_minimal_yield_of(er_world *w, int first, int end, double *needed, double *change);

/// The limbs' own twists where they were last placed: [6 limb_count], borrowed until the next call.
const double *eri_minimal_own_twists(er_world *w);

// ---- Multipliers: the same of bodies, by route `multipliers`. u has 6 entries a limb, q 7 or 12.

er_result eri_maximal_create(er_arena *arena, er_world *w, eri_maximal **out);
int eri_maximal_position_count(const er_world *w);
er_result eri_maximal_evaluate(er_world *w, double time, const double *q, const double *u, const eri_evaluation *e,
                               double *du);
er_result eri_maximal_restore(er_world *w, double time, bool always, double *q, double *u);
void eri_maximal_drift(const er_world *w, const double *q, const double *u, double *dq);
void eri_maximal_normalise(const er_world *w, double *q);
void eri_maximal_bodies(er_world *w, double time, const double *q, const double *u, er_pose *pose, er_twist *twist);
void eri_maximal_set_bodies(er_world *w, const er_pose *pose, const er_twist *twist, double *q, double *u);
void eri_maximal_push(er_world *w, double time, const double *q, int body, er_wrench impulse, double *u);

/// A joint's row: what it holds, or of a step the spring or damper of a free direction.
typedef struct eri_joint_row {
    bool turns;        ///< else it shifts
    int limb[2];       ///< of the child and the parent; -1: the ground
    double J[2][6];    ///< on their velocities
    double rate;       ///< of the state, what moves the ground too
    double error;      ///< by how much it is violated, rad and m; 0 of a free direction
    double compliance; ///< 0 where it holds
} eri_joint_row;

/// The impulses on each body in a step, with springs and dampers of joints implicit over it, before joints hold.
/// w->motion is that of the state.
/// @return [6 limb_count], torque about the centre of mass and force, world axes; borrowed until the next call
const double *eri_maximal_impel(er_world *w, double time, const double *q, const double *u, double step,
                                eri_account *account);

/// Places bodies and joints at a state. w->motion is that of the state.
void eri_maximal_place(er_world *w, double time, const double *q, const double *u);

/// The rows of a joint after eri_maximal_impel(), or after eri_maximal_place() without springs and dampers.
/// @return how many there are
int eri_maximal_rows(const er_world *w, int joint, eri_joint_row row[6]);

/// The explicit forces of a joint's springs, dampers and motors on its child, about its origin there. Call after
/// eri_maximal_impel().
er_wrench eri_maximal_own_wrench(const er_world *w, int joint);

/// Factors the tree's joints as they were last placed.   @param compliance  [6 joint_count], by row
void eri_maximal_factor(er_world *w, const double *compliance);

/// The twists of whole trees by impulses on them, with the rows of their joints making rates.
/// @param impulse  [6 (last - first)]
/// @param b        [6 joint_count], by row; NULL: zeros
/// @param twist    [6 (last - first)], written
void eri_maximal_respond(er_world *w, int first, int last, const double *impulse, const double *b, double *twist);

/// Moves positions by `way`.   @param way  [6 limb_count]
void eri_maximal_move(const er_world *w, const double *way, double *q);

// ---- The system that the integrators see

/// Accelerations by the world's route, as eri_minimal_evaluate() and eri_maximal_evaluate().
er_result eri_world_find(er_world *w, double t, const double *q, const double *u, const eri_evaluation *e, double *du);

/// Puts joints together that came apart, or all of them, by the world's route.
/// Errors   ER_ERROR_NO_CONVERGENCE
er_result eri_world_close(er_world *w, double t, bool always, double *q, double *u);

/// Where bodies are in a state and how they move, by the world's route.
/// @param pose, twist  [body_count], written
void eri_world_bodies(er_world *w, double t, const double *q, const double *u, er_pose *pose, er_twist *twist);

/// Adds to u what a blow on a body changes, joints holding, by the world's route.
/// @param impulse  world axes, about the body's centre of mass
void eri_world_apply_impulse(er_world *w, double t, const double *q, int body, er_wrench impulse, double *u);

/// w->pose and w->twist of a state, to the bit as steps with lasting contact leave them.
/// @param all  of what sleeps too
void eri_contacts_show(er_world *w, double time, const double *q, const double *u, bool all);

/// Takes the angles of the state shown: those of the state to come are near them, those of the tree's joints are its
/// positions.
void eri_world_follow(er_world *w, const double *q);

/// Makes a state the one that is seen: poses, twists, angles.
void eri_world_show(er_world *w, double time, const double *q, const double *u);

/// Makes w->solver.   Errors: ER_ERROR_MEMORY
er_result eri_world_create_solver(er_world *w, er_arena *scratch);

/// Goes on from (w->q, w->u), joints put together where they came apart, as if there had been no break.
/// Errors   ER_ERROR_NO_CONVERGENCE
er_result eri_world_go_on(er_world *w, double time);

// ---- Messages and measures of both routes

/// A joint's two sides, and how they move.
typedef struct eri_joint_ends {
    er_pose P, Q;
    eri_motion_at parent, child;
} eri_joint_ends;

/// @param pose, twist  [body_count]
eri_joint_ends eri_joint_ends_at(const er_model *m, int joint, const er_pose *pose, const er_twist *twist);

/// The rates of a body's twist's numbers, of a frame on it that moves as told.
er_twist eri_body_rate(const eri_motion_at *m, const er_mat3 *axes, er_vec3 origin);

/// ER_ERROR_NO_CONVERGENCE, with what is wrong.
er_result eri_world_not_finite(er_world *w, double time);
er_result eri_world_not_closed(er_world *w, double time, double gap);

/// Takes from reactions what constraint forces in balance among themselves can take, so that the sum of squares is
/// least, torques over the rig's size.
/// @param null      [count x joint_count], independent forces in balance; overwritten
/// @param reaction  [joint_count]
void eri_world_least_reactions(const er_world *w, int count, er_wrench *null, er_wrench *reaction);

/// The product that goes with it.
double eri_world_reaction_dot(const er_world *w, const er_wrench *a, const er_wrench *b);

#endif
