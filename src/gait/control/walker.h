/// @file
/// Private: a walker's parts, and what it remembers from step to step.
///
/// All vectors are in world axes unless a comment says otherwise. Formulas are those of docs/math/walking.md.
#ifndef ERI_GAIT_CONTROL_WALKER_H
#define ERI_GAIT_CONTROL_WALKER_H

#include <eigenrig/control.h>

#include "base/arena.h"
#include "gait/stride.h"

/// Places of a stride at which the pendulum's plan is known; points of a sole that bear; edges of a friction pyramid.
enum { ERI_WALK_PHASES = 256, ERI_WALK_POINTS = 4, ERI_WALK_EDGES = 4 };
enum { ERI_WALK_PUSHES = ERI_WALK_POINTS * ERI_WALK_EDGES }; // of a foot

#define ERI_WALK_REACH 0.97 // of a leg's length: straighter legs need torques without bound

/// A body of the tree, its joint to the parent, and its motion.
typedef struct eri_walk_body {
    int parent; ///< -1: the root
    int leg;    ///< that it is in: between trunk and foot; -1
    int foot;   ///< that it is part of, and whose load it bears; -1
    double mass;
    er_vec3 com;    ///< own frame
    er_mat3 moment; ///< inertia about com, own frame

    int joint;         ///< to the parent; -1
    int turns;         ///< rotations of the joint, 0 to 3
    int coordinate[3]; ///< [turns], of the joint: 0 to 5
    int axis_of[3];    ///< [turns], 0 to 2: about which axis of the joint's frame
    bool universal;    ///< the second axis is of the far side
    er_vec3 anchor;    ///< the joint's place, own frame
    er_quat near, far; ///< the joint's axes in the parent's frame and in its own
    double damping;    ///< of its motors, N m s/rad
    double heavy;      ///< kg, the subtree's mass

    er_pose pose;
    er_vec3 origin_velocity, spin; ///< m/s, rad/s
    er_vec3 centre, hinge;         ///< of mass; of the joint
    er_vec3 axis[3];               ///< [turns]
    er_mat3 inertia;               ///< about the centre of mass

    er_vec3 posture;                ///< rad/s^2 of its joint that the gait asks for, in the span of the axes
    er_vec3 turning;                ///< rad/s^2 of its joint, with what the legs add
    er_vec3 origin_rate, spin_rate; ///< accelerations

    double all; ///< kg, of the subtree; its first moment and inertia about the walker's centre of mass
    er_vec3 all_moment;
    er_mat3 all_inertia;

    er_vec3 force, torque; ///< of the joint on it, about the hinge
} eri_walk_body;

/// A leg: what does not change.
typedef struct eri_walk_leg {
    int body, mirror;
    int count;
    int *chain; ///< [count], bodies from the hip down
    bool flat;
    er_vec3 heel; ///< frame of `body`
    double rest, reach;
    int point_count, point_body[ERI_WALK_POINTS];
    er_vec3 point[ERI_WALK_POINTS]; ///< frames of their bodies
    er_vec3 ankle;                  ///< from the middle of the sole to the heel at equilibrium, model's axes

    double touchdown, duty; ///< strides
    double share;           ///< of the load, relative
    double ahead, aside;    ///< its neutral place from the centre of mass, m

    // in the present step
    er_vec3 heel_at, heel_velocity, sole_at, normal;
    double ground;              ///< height below it, m
    double since;               ///< strides from touchdown: negative ahead of it
    bool due;                   ///< it is to stand by the plan
    er_vec3 acceleration, turn; ///< wanted of the heel and of the sole
    int rows;                   ///< 6 with an ankle, otherwise 3
    double task[6][6];          ///< Cholesky factor of J J' + 0.01 reach^2
    double response[6][6];      ///< momentum by wanted accelerations: G in docs/math/walking.md
    double missing[6];          ///< acceleration that it lacks while the root stays
} eri_walk_leg;

/// A force along an edge of the friction pyramid at a point of a sole.
typedef struct eri_walk_edge {
    int body;
    double *push;      ///< what is remembered of it
    er_vec3 at, force; ///< m; N for a push of 1
    double wrench[6];  ///< about the centre of mass
    double effect[6];  ///< on the weighted tasks
} eri_walk_edge;

/// The memory of a leg.
typedef struct eri_walk_step {
    bool stands, touched, early;
    double load;                  ///< N
    double aloft;                 ///< s, without load
    er_vec3 left;                 ///< where the heel left the ground, m
    double push[ERI_WALK_PUSHES]; ///< forces along the edges, over m g
} eri_walk_step;

/// The memory of a walker; its steps follow in memory.
typedef struct eri_walk_memory {
    double phase, heading;
    er_vec3 path; ///< the moving origin of the plan, m
    er_vec3 line; ///< where it would be had it never waited, seen from the side
    er_walker_wish wish, now;
    bool walks;   ///< steps; otherwise it stands
    double calm;  ///< s, since it has come to a stand
    double style; ///< 0: posture of equilibrium, 1: of the gait
    double above; ///< m: how much higher than the plan it is still led
    double borne; ///< N, by bodies other than feet, in the mean
    double slid, slid_load;
    double slope[2]; ///< of the ground, ahead and aside
    er_walker_state state;
} eri_walk_memory;

/// The gait at a frame, of one body.
typedef struct eri_walk_pose {
    er_quat turn; ///< against its parent; of the trunk and of feet against the world in `whole`
    er_vec3 rate; ///< rad per stride, the parent's axes
} eri_walk_pose;

/// The pendulum's plan at a phase, in the moving frame: centre of pressure, divergent component, centre of mass.
typedef struct eri_walk_plan {
    double pressure[2], divergent[2], centre[2]; ///< m, ahead and aside
    double pull;                                 ///< 1/s^2: of the centre of mass from the pressure; 0 in flight
    double lead;                                 ///< s: the divergent component is centre + lead velocity
    double rise, climb, lift;                    ///< m, m/s, m/s^2: of the centre of mass over its mean height
} eri_walk_plan;

struct er_walker {
    er_context *context;
    er_arena *arena;
    er_walker_def def;
    const er_model *model;
    er_model *limp;
    er_motor *motor;
    int motor_count;
    bool *drags;               ///< [er_walker_def.shapes]
    int *coordinate;           ///< [joints of the model], the first of each in the world's model
    er_vec3 up, forward, left; ///< at heading 0
    double g, leg_length, tau, mass, step, longest, stride, omega;
    double height;       ///< of the centre of mass that is planned, m
    double gait_height;  ///< mean of the gait, m
    double speed;        ///< of the gait
    double span;         ///< m, from the hindmost neutral place to the foremost
    bool around;         ///< feet are before and behind the centre of mass
    double turn_length;  ///< m: a sole's turn counts as a shift of so much a radian
    int body_count;      ///< of the tree
    int *order;          ///< [body_count], parents first
    eri_walk_body *body; ///< [bodies of the model]
    int root, trunk;
    int leg_count;
    eri_walk_leg *leg;
    int frame_count;      ///< of a stride
    eri_walk_pose *joint; ///< [frame_count x bodies of the model]
    eri_walk_pose *whole; ///< [frame_count x bodies of the model], of trunk and feet alone
    er_pose *gait_pose;   ///< [frame_count x bodies of the model]
    er_pose *rest;        ///< [bodies of the model], the equilibrium
    er_pose *stand;       ///< [bodies of the model]
    eri_walk_plan *plan;  ///< [ERI_WALK_PHASES]
    double planned[2];    ///< m/s, that the plan was made for

    eri_walk_memory *memory;
    eri_walk_step *memory_step; ///< [leg_count]
    size_t memory_size;

    // in the present step
    const er_pose *pose;  ///< [bodies of the model], borrowed
    er_quat turned;       ///< by the heading
    er_vec3 ahead, aside; ///< forward and left, turned
    er_vec3 centre, velocity;
    double error[2], shift[2];     ///< of the divergent component; of standing feet from their neutral places
    double wanted[6];              ///< accelerations of the centre of mass and of the trunk, along ahead, aside, up
    double inertia[6][6], bias[6]; ///< wrench = inertia root + bias
    er_vec3 trunk_rate;            ///< of the trunk while the root does not turn, rad/s^2
    er_wrench *ground;             ///< [bodies of the model], of the ground, about centres of mass
    eri_walk_edge *edge;           ///< [ERI_WALK_PUSHES x leg_count]
};

static inline double eri_clamp(double v, double least, double most)
{
    return v < least ? least : v > most ? most : v;
}

/// A vector, shortened to a length.
static inline er_vec3 eri_at_most(er_vec3 v, double most)
{
    double n = er_v3_norm(v);
    return n > most ? er_v3_scale(most / n, v) : v;
}

/// The centre of mass of poses; the middle of a sole in them.
er_vec3 eri_walk_mass_centre(const er_walker *w, const er_pose *pose);
er_vec3 eri_walk_sole(const eri_walk_leg *leg, const er_pose *pose);

/// Where a foot in mid-swing is taken to have left: the swing from there to its next foothold leads through its place.
/// Near the end of the swing that would be far off, and it is the present place.
er_vec3 eri_walk_left_at(const er_walker *w, const eri_walk_leg *leg, double since, er_vec3 heel);

/// Turns ahead and aside by the heading.
void eri_walk_turn_axes(er_walker *w);

#define ERI_WALK_HURRY 1.05 ///< the swing ends a little before the touchdown

/// The share of the way to its foothold that a foot has gone after the part `s` of its swing.
static inline double eri_walk_swung(double s)
{
    return eri_ease(s * ERI_WALK_HURRY);
}

/// The part of a vector that a joint can turn about.
er_vec3 eri_walk_free_part(const eri_walk_body *b, er_vec3 v);

// ---- The ground (walker_ground.c)

/// The height of the ground below a point, and its normal. The point counts as as high as the centre of mass.
double eri_walk_ground(const er_walker *w, er_vec3 at, er_vec3 *normal);

/// Measures the slopes about a point: by and by, or at once.
void eri_walk_feel_slope(er_walker *w, er_vec3 at, bool at_once);

/// How much the ground climbs over a way along it.
double eri_walk_climb(const er_walker *w, er_vec3 way);

/// The turn of a body whose feet are before and behind it along the slope; of others none.
er_quat eri_walk_pitch(const er_walker *w);

/// The turn from up to a normal.
er_quat eri_walk_onto(const er_walker *w, er_vec3 normal);

/// The height of the ground below the centre of mass, by what the feet stand on.
double eri_walk_below(const er_walker *w);

/// The height of the bump of a swing, m: the ground between must be cleared.
double eri_walk_bump(const er_walker *w, const eri_walk_leg *leg, er_vec3 from, er_vec3 to);

// ---- Soles (walker_soles.c)

/// Chooses the points of soles: of the shapes of feet, or of er_gait_foot without shapes.   Errors: ER_ERROR_MEMORY.
er_result eri_walk_read_soles(er_walker *w);

// ---- The gait in time (walker_gait.c)

/// Fills joint, whole and gait_pose.   Errors: ER_ERROR_MEMORY.
er_result eri_walk_read_gait(er_walker *w, const er_gait_motion *motion);

/// A body against its parent, or the trunk or a foot in the world at heading 0, at a phase.
eri_walk_pose eri_walk_joint_at(const er_walker *w, double phase, int body);
eri_walk_pose eri_walk_whole_at(const er_walker *w, double phase, int body);

/// The pose of a body in the gait.
er_pose eri_walk_pose_at(const er_walker *w, double phase, int body);

// ---- The plan (walker_plan.c)

/// Reads when feet stand and where, and shares the load among them.
void eri_walk_read_footfalls(er_walker *w, const er_gait_motion *motion);

/// Fills what the plan has for all speeds: pull, lead, and how the body bounces.
void eri_walk_make_bounce(er_walker *w);

/// Makes the plan for a speed, m/s ahead and aside.
void eri_walk_make_plan(er_walker *w, double ahead, double aside);

/// The plan at a phase; of a walker that stands it is 0.
eri_walk_plan eri_walk_plan_at(const er_walker *w);

/// How much a foot bears: its share, less near the ends of its stance.
double eri_walk_weight(const eri_walk_leg *leg, double since);

/// The neutral place of a foot from the path, ahead and aside, `since` strides after touchdown.
void eri_walk_neutral(const er_walker *w, const eri_walk_leg *leg, double since, double out[2]);

// ---- The stand (walker_stand.c)

/// Fills stand: the equilibrium with the hips so low as the plan has them, and the feet where they are.
/// Errors: ER_ERROR_MEMORY.
er_result eri_walk_make_stand(er_walker *w);

// ---- The place in the world (walker_place.c)

/// Turns all that was read in the model's axes and size into the world's.
void eri_walk_settle(er_walker *w);

/// Makes the model of the world, limp, and the motors that drive its joints.
/// Errors   as er_model_create(); ER_ERROR_MEMORY
er_result eri_walk_make_limp(er_walker *w);
er_result eri_walk_make_motors(er_walker *w);

// ---- Feet (walker_feet.c)

/// Takes loads from the world's contacts.   @return N, what other bodies bear; the one that bears most in `most`
double eri_walk_take_loads(er_walker *w, const er_world *world, int *most);

/// Decides which feet stand.
void eri_walk_schedule(er_walker *w);

/// Sets what is wanted of each foot.
void eri_walk_aim(er_walker *w);

// ---- Bodies (walker_body.c)

/// Takes poses of the model's bodies; or the world's state.
void eri_walk_take_pose(er_walker *w, const er_pose *pose);
void eri_walk_take_state(er_walker *w, const er_world *world);

/// Sets leg->task: the factor of J J' + soft reach^2, with J the motion of heel and sole by the leg's joints. Turns of
/// the sole count as shifts of turn_length.
void eri_walk_factor_task(const er_walker *w, eri_walk_leg *leg, double soft);

/// The turning of a leg's joint by its task's multipliers: J' y.
er_vec3 eri_walk_task_turning(const er_walker *w, const eri_walk_leg *leg, const eri_walk_body *b, const double y[6]);

/// Sets inertia, bias and the legs' responses.
void eri_walk_weigh(er_walker *w);

/// Accelerates all bodies, with the root's acceleration given at the centre of mass: linear, angular.
void eri_walk_accelerate(er_walker *w, const double root[6]);

/// Newton and Euler backwards: the joints' forces and torques.
void eri_walk_find_torques(er_walker *w);

// ---- Forces (walker_forces.c)

/// Finds the ground's forces and the root's acceleration.
void eri_walk_push(er_walker *w, double root[6]);

#endif
