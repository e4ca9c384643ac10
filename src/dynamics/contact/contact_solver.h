/// @file
/// Lasting contact: the data that the phases of a step share (docs/math/contact.md).
///
/// A step runs these phases: broad phase, narrow phase, forces, restitution, sub-steps (warm start, solve, integrate,
/// relax), store impulses, integrate positions. Each phase has a struct of its own below.
///
/// Only contacts connect the *solver bodies* and *articulations* of a world. A solver body is a body without joints; an
/// articulation is one or more trees, joined by loops. The velocities of all of them stand in one vector V, with a
/// *slot* of eight numbers for each body, so that a vector register takes them whole. The slots hold the world and the
/// held bodies, then the solver bodies, then the limbs of articulations. A slot holds (angular; linear) velocity in
/// world axes: of the centre of mass of a solver body, of the reference point of a limb. The last two numbers of a
/// solver body's slot are its inverse mass and, if its inertia is the same about all axes, its inverse moment of
/// inertia: one cache line has all that a contact needs.
///
/// A contact has three directions: its normal and two tangents. Contacts of solver bodies and static bodies
/// (body_constraints.c) and contacts of articulations (tree_constraints.c) are solved eight at a time.
#ifndef ERI_DYNAMICS_CONTACT_CONTACT_SOLVER_H
#define ERI_DYNAMICS_CONTACT_CONTACT_SOLVER_H

#include <stddef.h>

#include "base/lanes.h"
#include "base/threads.h"
#include "dynamics/pair_filter.h"
#include "dynamics/world.h"

// ---- Bodies

/// Trees that loops join: consecutive limbs.
typedef struct eri_articulation {
    int first_limb, last_limb;          ///< [first_limb, last_limb)
    int offset;                         ///< of the first limb's slot in V
    int first_velocity, velocity_count; ///< its slice of the tree's rates
    bool is_floating;                   ///< one tree with a free root, not attached to anything
    bool has_springs;                   ///< at its joints that lose energy
    bool has_impulse;                   ///< contacts acted on it in this step
    bool is_looped;                     ///< loops close it
    bool is_searched;                   ///< work space of eri_tree_motion_conserve()
    bool is_conserving;                 ///< the step conserves its momenta along the path
    bool is_slow;                       ///< no limb turns far in that step
    bool flies;                         ///< tree_flight.c moves it in this step,
    bool is_driven;                     ///< and held bodies that move carry it there
} eri_articulation;

/// Whether only joints and gravity act on an attached articulation; then a step conserves its swing.
static inline bool eri_articulation_swings(const eri_articulation *g)
{
    return !g->is_floating && !g->has_springs && !g->has_impulse;
}

/// The world, a held body, or a body without joints.
typedef struct eri_solver_body {
    er_vec3 com;               ///< m, world
    double inverse_mass;       ///< 1/kg; 0 if static
    double inverse_inertia[6]; ///< world axes: xx yy zz xy xz yz
    double size;               ///< m: the least edge of the box with its mass and inertia
    bool is_round;             ///< the inertia is the same about all axes
} eri_solver_body;

/// Where the solver keeps a body of the model.
typedef struct eri_solver_index {
    int body; ///< -1: in an articulation
    int articulation;
} eri_solver_index;

/// The bodies that contacts move; fixed when the world is created.
typedef struct eri_solver_bodies {
    int static_count, count, articulation_count;
    eri_solver_body *body;          // [count]: the world, held bodies, then bodies without joints; slot i is the i-th's
    int *model_body;                // [count]; -1: the world
    eri_articulation *articulation; // [articulation_count]
    eri_solver_index *index_of;     // [body_count of the model]
    int *slot;                      // [shape_count]: of its solver body, or the first of its articulation
    int *limb;                      // [shape_count]; -1: not in an articulation
    bool *is_ball; // [shape_count]: a sphere about the centre of mass of a round solver body, or a shape of the world
    int limbs_offset; // of the first limb's slot in V
    int width;        // of V
} eri_solver_bodies;

/// Whether a body is the world or a held one.
static inline bool eri_is_static(const eri_solver_bodies *s, int body)
{
    return body < 0 || (s->index_of[body].articulation < 0 && s->index_of[body].body < s->static_count);
}

/// The slot of a shape's solver body or articulation; -1 if it is static.
static inline int eri_moving_slot(const eri_solver_bodies *s, int shape)
{
    return s->slot[shape] >= s->static_count ? s->slot[shape] : -1;
}

// ---- Broad phase

/// The shapes as they stand in a step, and their boxes.
typedef struct eri_broad_phase {
    const er_world_shape *shape;
    int shape_count;
    double *radius;           // [shape_count], m: of the farthest point from the shape's origin; 0 if unbounded
    er_pose *pose;            // [shape_count], world
    double *reach;            // [shape_count], m: how far it can move in the step
    double *thickness;        // [shape_count], m; HUGE_VAL for planes and meshes
    int *bounded, *unbounded; // indices of shapes
    int bounded_count, unbounded_count;
    er_vec3 *low, *high;       // [bounded_count]: boxes, grown by the reach
    er_sweep *sweep;           // of the boxes
    const er_sweep_pair *pair; // [pair_count]: indices into `bounded`, of the boxes that overlap
    int pair_count;
    bool runs;      // some shape's surface moves over it
    bool has_grain; // some shape has a grain
    eri_pair_filter filter;
} eri_broad_phase;

// ---- Narrow phase

/// A point at which two shapes are close. Two cache lines, each of eight numbers that lanes load at once.
typedef struct eri_contact_point {
    er_vec3 point, normal; ///< half way between the surfaces; from the first shape to the second
    double distance;       ///< m
    double friction;
    double impulse[3]; ///< N s, of a sub-step, along the normal and both tangents
    double total[3];   ///< N s, of the step: sub-steps, then restitution too
    int shape[2];
    uint64_t feature;
} eri_contact_point;

_Static_assert(sizeof(eri_contact_point) == 2 * sizeof(eri_lanes) &&
                   offsetof(eri_contact_point, impulse) == sizeof(eri_lanes),
               "two cache lines");

/// The first tangent. The second one is the cross product of the normal and the first.
/// Source   Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin, Building an orthonormal basis, revisited, 2017
static inline er_vec3 eri_contact_tangent(er_vec3 n)
{
    double sign = copysign(1.0, n.z), a = -1.0 / (sign + n.z);
    return er_v3(n.x * n.y * a, sign + n.y * n.y * a, -n.y);
}

/// The normal and both tangents.
typedef struct eri_contact_frame {
    er_vec3 axis[3];
} eri_contact_frame;

static inline eri_contact_frame eri_contact_frame_of(const eri_contact_point *c)
{
    er_vec3 t = eri_contact_tangent(c->normal);
    return (eri_contact_frame){{c->normal, t, er_v3_cross(c->normal, t)}};
}

/// From coordinates along the frame's axes to world axes.
static inline er_vec3 eri_contact_frame_sum(const eri_contact_frame *d, const double x[3])
{
    return er_v3_madd(er_v3_madd(er_v3_scale(x[0], d->axis[0]), x[1], d->axis[1]), x[2], d->axis[2]);
}

/// The contact points of two shapes.
typedef struct eri_manifold {
    int a, b;         ///< shapes as the broad phase orders them
    int first, count; ///< points
    double time;      ///< s, of impact, since the step's begin; 0: they touch, or it was not sought
    er_closest_cache cache;
    er_vec3 turn; ///< N m s, world: rolling and spinning friction of a sub-step on the second shape of its points
} eri_manifold;

/// All of a step.
typedef struct eri_manifolds {
    er_arena *arena;
    eri_contact_point *point;
    int point_count;
    eri_manifold *manifold;
    int bounded_count, manifold_count; ///< manifolds of two bounded shapes come first
} eri_manifolds;

/// How the second side's surface moves against the first's at a contact, in addition to V: `velocity` plus the time
/// since the step's begin times `acceleration`.
typedef struct eri_contact_drive {
    er_vec3 velocity, acceleration; ///< m/s, m/s^2
} eri_contact_drive;

/// Friction within an ellipse: that of a contact of a shape with a grain.
typedef struct eri_contact_grain {
    double along[2];    ///< the first axis of the ellipse, along both tangents; a unit vector
    double friction[2]; ///< the coefficients along that axis and across it; the same two: the contact has no grain
} eri_contact_grain;

typedef struct eri_narrow_phase {
    eri_manifolds now, before; // of this step and of the previous one
    bool is_continuous;        // some pair uses its time of impact
    bool rolls_on_rim;         // some point has the feature ERI_FEATURE_RIM
    int *static_shape;         // [static_count]: shapes of the world and of held bodies
    int static_count;
    int *first_manifold;      // [shape_count]: work space of internal_edges.c; NULL: no shapes can lie flush
    bool edges_move;          // some shape with edges is not static
    eri_contact_drive *drive; // [now.point_count]; NULL: none
    eri_contact_grain *grain; // [now.point_count]; NULL: none
} eri_narrow_phase;

// ---- Solver

/// The momenta, energy and place of a floating tree in one state of its flight, without the rounding of its rates.
typedef struct eri_course {
    er_vec3 momentum, velocity; ///< about its centre of mass, and of that
    er_vec3 centre, rest;       ///< its centre of mass is at the sum
    double energy;              ///< J, without that of `velocity`
    uint64_t state;             ///< the hash of its positions and rates
} eri_course;

/// Velocities and displacements.
typedef struct eri_solver_state {
    double *V, *dV;            // [width]: velocities, and accelerations by forces
    double *displacement;      // [width]: of the step
    double *unconstrained;     // [width]: velocities of the sub-step before contacts
    double *initial;           // [width]: velocities before the first sub-step
    double *q, *u, *du;        // work space of the world's route
    double *rate_change;       // [velocity_count]: what a step adds to the rates of trees
    double *coordinate_change; // [velocity_count]: how far a step moves trees
    eri_course *course;        // [articulation_count], saved with the state
    double swing_speed;        // rad/s: the fastest swing of a limb under its load, in the last step
    double step;               // s, of this step
    double impact_speed;       // m/s: faster approaches are impacts
    int substeps;              // of the last step
} eri_solver_state;

/// The restitution impulse of a contact.
typedef struct eri_restitution_impulse {
    double impulse[3];      ///< N s
    double impulse_time[3]; ///< N s^2: times the time left in the step
} eri_restitution_impulse;

typedef struct eri_restitution {
    bool is_any;                      // some shape has restitution
    double *displacement;             // [width]: corrects the displacement for impacts within the step
    double heat;                      // J
    eri_restitution_impulse *impulse; // [now.point_count]; NULL: none
} eri_restitution;

/// One contact, for the phases that solve contacts one at a time.
typedef struct eri_contact_constraint {
    eri_contact_point *point;
    eri_contact_frame frame;
    int offset[2];    ///< in V, of both sides
    int link[2];      ///< of a limb (tree_links.h); -1: not on a tree
    er_vec3 arm[2];   ///< m, from the point that the velocity is of to the contact point
    double K[3][3];   ///< 1/kg: K[d][e] is the change of speed along d by a unit impulse along e
    double tangent_k; ///< 1/kg: the largest eigenvalue of K along the tangents
    bool can_part;    ///< false if the joints keep the two sides from parting
} eri_contact_constraint;

typedef struct eri_body_constraint eri_body_constraint;   ///< eight contacts of solver bodies
typedef struct eri_constraint_arms eri_constraint_arms;   ///< their arms and inertias, if not all are balls
typedef struct eri_constraint_drive eri_constraint_drive; ///< their eri_contact_drive
typedef struct eri_constraint_grain eri_constraint_grain; ///< their eri_contact_grain
typedef struct eri_tree_constraint eri_tree_constraint;   ///< eight contacts of articulations
typedef struct eri_tree_solver eri_tree_solver;           ///< how impulses move articulations (tree_links.h)
typedef struct eri_reference_solver eri_reference_solver; ///< route multipliers

enum { ERI_CONTACT_COLOURS = 63 };

/// The constraints of solver bodies, coloured so that no two of a colour move the same body.
typedef struct eri_constraint_graph {
    eri_body_constraint *constraint; // [count], by colour
    eri_constraint_arms **arms;      // [count]; NULL: balls only
    eri_constraint_drive *drive;     // [count]; NULL: none
    eri_constraint_grain *grain;     // [count]; NULL: none
    eri_contact_point **point;       // [8 count]; NULL: an empty lane
    bool *has_impact;                // [count]: some contact of it takes an impact
    int count, colour[ERI_CONTACT_COLOURS + 2];
} eri_constraint_graph;

typedef struct eri_tree_flights eri_tree_flights; ///< how trees move that nothing touches

/// The constraints of articulations.
typedef struct eri_tree_constraints {
    eri_tree_solver *solver;         // NULL without articulations
    eri_tree_constraint *constraint; // [count]
    int count;
} eri_tree_constraints;

typedef struct eri_bounded_row eri_bounded_row; ///< a row of a tie or of rolling friction

/// The solver bodies and articulations that a tie connects.
typedef struct eri_tie_nodes {
    int slot[4]; ///< -1: static, or none
} eri_tie_nodes;

/// Rows that are solved one after the other, before the contacts of a sweep.
typedef struct eri_bounded_rows {
    eri_bounded_row *row; // [count], of the step
    int count;
    double *scratch;     // [width]: 0 between uses
    bool rolls;          // some shape has rolling or spinning friction
    eri_tie_nodes *node; // [tie_count]
    int tie_count;
} eri_bounded_rows;

typedef struct eri_island_contact eri_island_contact; ///< a contact of an island that is solved to convergence
typedef struct eri_contact_island eri_contact_island; ///< such an island

/// Small islands, which are solved to convergence.
typedef struct eri_island_solver {
    eri_contact_island *island; // [count]
    int count;
    bool *owns;  // [width / 8]: bodies of these islands; NULL without islands
    double work; // multiplications of factorizations in this step
} eri_island_solver;

/// How a body rolls on one point of flat ground in a step.
typedef struct eri_rolling_motion {
    const eri_manifold *manifold; ///< its last one
    int touched;                  ///< manifolds that it has
    bool rolls;                   ///< the rest is set
    er_pose pose;                 ///< of the body, at the step's end
    er_vec3 spin, velocity;       ///< world, at the step's end, of the centre of mass
    er_vec3 impulse;              ///< N s, world, on the second shape of the manifold's points
    double gap, heat;             ///< m; J: what the step's begin lost to friction
} eri_rolling_motion;

typedef struct eri_rolling_motions {
    bool *can_roll;             // [shape_count]
    eri_rolling_motion *motion; // [bodies.count]; NULL: no shape can
} eri_rolling_motions;

/// The motion of a solver body; NULL if it does not roll in this step.
static inline const eri_rolling_motion *eri_rolling_motion_of(const eri_rolling_motions *s, int slot)
{
    return s->motion != NULL && s->motion[slot].rolls ? &s->motion[slot] : NULL;
}

typedef struct eri_contact_workers {
    eri_team *team;     // NULL with one thread
    eri_contexts *crew; // the workers' contexts
    er_arena *arena[ERI_THREADS_MOST];
    eri_lanes spill[ERI_THREADS_MOST]; // takes writes that nobody reads
} eri_contact_workers;

// ---- Islands

/// Sleep, by slot. Only `island` exists if nothing can sleep.
typedef struct eri_island_sleep {
    int *island;       // [width / 8]: a slot that stands for the island
    bool is_on;        // sleep_time is not 0
    bool *is_fast;     // [width / 8]: work space
    double *extent;    // [body_count], m: of the farthest point of its shapes from its origin
    double *slow_time; // [width / 8], s: how long it has been slow
    double *asleep;    // [width / 8]: 0 awake, 1 in its first step asleep, 2 later
    double *force;     // [width]: accelerations when it fell asleep
} eri_island_sleep;

typedef struct eri_joint_loads eri_joint_loads; ///< what joints give in a step

typedef struct eri_contacts {
    eri_solver_bodies bodies;
    eri_broad_phase broad;
    eri_narrow_phase narrow;
    eri_solver_state state;
    eri_restitution restitution;
    eri_constraint_graph graph;
    eri_tree_constraints tree;
    eri_tree_flights *flights; // NULL if no tree can fly
    eri_bounded_rows rows;
    eri_rolling_motions rolling;
    eri_island_solver direct;
    eri_contact_workers workers;
    eri_island_sleep sleep;
    eri_reference_solver *reference; // NULL with route reduced
    eri_joint_loads *loads;          // NULL if no joint can break and none hangs on a held body that may move
    double *persistent;              // [persistent_count]: of sleep, saved with the state
    size_t persistent_count;
    uint8_t *motor_state; // [motor_count]: eri_motor_state, saved with the state
    int motor_count;
    long steps;
    er_contact_times times;
} eri_contacts;

/// How a contact corrects an overlap: a spring and a damper.
typedef struct eri_softness {
    double bias_rate;  ///< 1/s: speed over overlap
    double compliance; ///< of K
    double push_out;   ///< m/s: the fastest correction
} eri_softness;

/// A worker's share of a sub-step.
typedef struct eri_worker_context {
    int worker, worker_count;
    double h;             ///< s
    double begin, middle; ///< s: of the sub-step, from the step's begin
    double impact_speed;  ///< m/s: faster approaches are impacts
    double gravity_speed; ///< m/s: what gravity gives in a sub-step
    int static_end;       ///< V up to here belongs to static bodies
    double *spill;        ///< [8]
} eri_worker_context;

/// This share of a warm start's impulse is taken off the spring's load, so that a loaded contact overlaps less. With
/// all of it, tall stacks swing.
#define ERI_LOAD_SHARE 0.5

static inline bool eri_slot_is_asleep(const eri_island_sleep *s, int slot)
{
    return s->is_on && slot >= 0 && s->asleep[slot] > 0.0;
}

/// Whether no side of a contact is awake.
static inline bool eri_contact_is_asleep(const eri_contacts *s, const eri_contact_point *c)
{
    if (!s->sleep.is_on) return false;
    int a = eri_moving_slot(&s->bodies, c->shape[0]);
    return eri_slot_is_asleep(&s->sleep, a >= 0 ? a : eri_moving_slot(&s->bodies, c->shape[1]));
}

/// Whether a shape has moved since the previous step.
static inline bool eri_shape_has_moved(const er_world *w, int shape)
{
    const eri_contacts *s = w->contacts;
    int body = s->broad.shape[shape].body, slot = eri_moving_slot(&s->bodies, shape);
    if (slot >= 0) return !eri_slot_is_asleep(&s->sleep, slot);
    if (body < 0 || w->def.guide == NULL) return false;
    const er_twist *v = &w->twist[body];
    return er_v3_dot(v->linear, v->linear) + er_v3_dot(v->angular, v->angular) > 0.0;
}

// ---- broad_phase.c

/// Copies the def's shapes.   Errors: ER_ERROR_MEMORY
er_result eri_broad_phase_create(er_world *w, eri_broad_phase *broad);

/// Places the shapes and their boxes, and lists the pairs of boxes that overlap.
/// @param pair  set: indices among the bounded shapes; borrowed until the next call
/// Errors   ER_ERROR_MEMORY
er_result eri_broad_phase_update(er_world *w, double h, const er_sweep_pair **pair, int *pair_count);

/// Whether two shapes may collide at all.
bool eri_shapes_can_collide(const eri_contacts *s, int a, int b);

/// Whether two shapes can move so far in the step that they need their time of impact.
bool eri_pair_is_continuous(const eri_broad_phase *broad, int a, int b);

// ---- narrow_phase.c

/// Begins a step of h: finds the contact points at the present poses and those that it can reach. Matching points of
/// the previous step give their impulses.
/// Errors   ER_ERROR_MEMORY
er_result eri_contacts_collide(er_world *w, double h);

// ---- internal_edges.c

/// Allocates what the search needs.   Errors: ER_ERROR_MEMORY
er_result eri_internal_edges_create(er_world *w, eri_contacts *s);

/// Drops the contact points on edges that a flush shape covers.   Errors: ER_ERROR_MEMORY
er_result eri_internal_edges_drop(er_world *w, double h);

/// The same for two shapes at a time of impact.
/// @param mover  the shape that moves, at `pose`; `side` of the touch
/// @param touch  [count], read and written
/// @return the number of points left
int eri_internal_edges_drop_at(const er_world *w, int mover, er_pose pose, int side, int other, int count,
                               er_manifold_point *touch);

// ---- time_of_impact.c

/// The contact points at the time of impact, moved back to the step's begin as er_shape_manifold() gives them. The
/// distances are such that they close at that time.
/// @param cache  of the two shapes
/// @param time   written, s
/// @param touch  [ER_MANIFOLD_MAX], written
/// @return the number of points; 0 if the shapes miss each other within h
int eri_time_of_impact_manifold(const er_world *w, int a, int b, double h, er_closest_cache *cache, double *time,
                                er_manifold_point *touch);

// ---- swept_bodies.c

/// Whether some shape moved so far in the step, by the displacements of the solver, that it may have passed another
/// one.
bool eri_swept_bodies_any(const er_world *w);

/// Stops bodies where they would pass others. Call after eri_contacts_show() at the step's end.
/// @param pose, twist  [body_count], at the step's begin
/// @param q, u         [position_count], [velocity_count], of the step's end: read and written
/// @param changed      written: whether q and u changed
/// Errors   ER_ERROR_MEMORY
er_result eri_swept_bodies_stop(er_world *w, double h, const er_pose *pose, const er_twist *twist, double *q, double *u,
                                bool *changed);

// ---- half_step.c

/// Whether a shape can roll: a sphere, a capsule or a cylinder.
bool eri_shape_is_round(const er_world_shape *shape);

/// The velocity of a shape's body at a point, m/s, world; 0 for a shape of the world.
er_vec3 eri_shape_velocity_at(const er_world *w, int shape, er_vec3 point);

/// Replaces the contact points of a round shape that moves along another by those half a step ahead, moved back to the
/// step's begin: the normal there is that of the way, so a curved ground gives no energy.
/// @param cache  of the two shapes
/// @param count  of the points at the step's begin, at least 1
/// @param touch  [ER_MANIFOLD_MAX], read and written
/// @return the number of points
int eri_half_step_manifold(const er_world *w, int a, int b, double h, er_closest_cache *cache, int count,
                           er_manifold_point *touch);

/// The feature of the point on which a cylinder rolls on its rim.
#define ERI_FEATURE_RIM UINT64_MAX

/// How the velocity of the body at the point on which it rolls on its rim changes because that point goes round.
/// @return m/s^2, world
er_vec3 eri_rim_acceleration(const er_world *w, const eri_contact_point *c);

// ---- rolling_motion.c

/// Lists the shapes that can roll. Call after eri_bounded_rows_create().   Errors: ER_ERROR_MEMORY
er_result eri_rolling_motions_create(er_world *w);

/// Finds the bodies that roll on one point of flat still ground, and where the step takes them. Call after
/// eri_solver_load_velocities().
void eri_rolling_motions_find(er_world *w, double h);

/// Writes the impulses of bodies that roll to their contact points.
void eri_rolling_motions_finish(eri_contacts *s);

// ---- islands.c

/// Allocates what sleep needs.   Errors: ER_ERROR_MEMORY
er_result eri_islands_create(er_world *w, eri_contacts *s);

/// Finds the islands that contacts connect.
/// @param island  [slots], written: the lowest slot of each slot's island
void eri_islands_find(const eri_contacts *s, int *island);

/// Before a step: puts islands to sleep that have been slow for sleep_time.
/// @return whether all sleep and only a call can wake them
bool eri_islands_sleep(er_world *w, double h);

/// After collision and forces: wakes islands on which forces or guided bodies act.
/// @param du  accelerations of the rates by forces
void eri_islands_wake(er_world *w, const double *du);

// ---- solver_bodies.c

/// Divides the model into solver bodies and articulations.   Errors: ER_ERROR_MEMORY
er_result eri_solver_bodies_create(er_world *w, const eri_broad_phase *broad, eri_solver_bodies *s);

// ---- solver_state.c

/// Allocates s->state.   Errors: ER_ERROR_MEMORY
er_result eri_solver_state_create(er_world *w, eri_contacts *s);

/// Updates w->motion of bodies without joints, for the forces on them.
void eri_solver_update_motion(er_world *w);

/// Loads V from the state, and dV from forces and the trees' du.
void eri_solver_load_velocities(er_world *w, const double *du);

/// Whether two bodies strike each other within a step. They have moved by then: arms that end in one point there keep
/// their angular momentum. Those of what slides along stay, for the points of its corners go with it.
/// @param least     m/s: what approaches more slowly rests
/// @param h         s, the step
/// @param spin      world, of both sides
/// @param velocity  m/s, world, of the points from which their arms are
/// @param arm       m, world, to the contact point: read, and written if they strike
bool eri_contact_strikes(const eri_contact_point *c, double least, double h, const er_vec3 spin[2],
                         const er_vec3 velocity[2], er_vec3 arm[2]);

/// The same in this step of V, of sides with these offsets; never with a static one. Call after
/// eri_solver_load_velocities().
bool eri_solver_strikes(const eri_contacts *s, const eri_contact_point *c, const int offset[2], er_vec3 arm[2]);

/// Moves the positions by the displacement, and finds the rates there that conserve the momenta of V. Closes loops.
/// @param time  s, at the step's end
/// @param q     [position_count], read and written
/// @param u     [velocity_count], of the step's begin; written
/// Errors   ER_ERROR_MEMORY, ER_ERROR_NO_CONVERGENCE
er_result eri_solver_integrate_positions(er_world *w, double time, double *q, double *u);

/// Moves a solver body to another pose than that of w->pose, where it keeps its momenta.
/// @param q, u  [position_count], [velocity_count], read and written
void eri_solver_place_body(const er_world *w, int i, er_pose pose, double *q, double *u);

/// Restores the positions of sleeping articulations to the bit.
void eri_solver_restore_sleeping(const er_world *w, double *q, double *u);

/// The kinetic energy that contacts took from solver bodies, J.
double eri_solver_body_heat(const er_world *w, double h);

// ---- surface_motion.c

/// Whether a shape's surface moves over it.
static inline bool eri_surface_runs(const er_world_shape *shape)
{
    const er_twist *v = &shape->surface;
    return er_v3_dot(v->angular, v->angular) + er_v3_dot(v->linear, v->linear) > 0.0;
}

/// Sets V of held bodies to their mean velocities in the step, and narrow.drive to the rest of how they move and to how
/// surfaces run. Call after eri_solver_load_velocities().
/// Errors   ER_ERROR_MEMORY
er_result eri_surface_motion_find(er_world *w, double time, double h);

/// The mean velocity in the step of a contact's second surface against the first by held bodies and running surfaces.
/// @param point  of now.point
er_vec3 eri_surface_mean_velocity(const er_world *w, int point, double h);

/// Adds the work of held bodies and running surfaces on what touches them. Call after the points have their totals.
/// @param heat  J, added to
void eri_surface_motion_account(const er_world *w, double h, eri_account *account, double *heat);

// ---- grain.c

/// Whether the friction of a shape depends on the direction.
static inline bool eri_shape_has_grain(const er_world_shape *shape)
{
    return er_v3_dot(shape->grain, shape->grain) > 0.0 && shape->grain_friction != shape->friction;
}

/// Finds narrow.grain.   Errors: ER_ERROR_MEMORY
er_result eri_grains_find(er_world *w);

/// The grain of a contact; NULL: its friction is the same in all directions.
static inline const eri_contact_grain *eri_grain_at(const eri_contacts *s, const eri_contact_point *c)
{
    if (s->narrow.grain == NULL) return NULL;
    const eri_contact_grain *g = &s->narrow.grain[c - s->narrow.now.point];
    return g->friction[0] != g->friction[1] ? g : NULL;
}

/// Replaces friction beyond its ellipse by the nearest point of the ellipse.
/// @param load  N s: the normal impulse
/// @param p     N s, along both tangents: read and written
void eri_grain_clamp(const eri_contact_grain *g, double load, double p[2]);

/// The same of a vector in the contact's plane, world axes.
er_vec3 eri_grain_clamp_vector(const eri_contact_grain *g, er_vec3 normal, double load, er_vec3 slip);

/// Whether friction is within its ellipse.
bool eri_grain_holds(const eri_contact_grain *g, double load, const double p[2]);

/// The derivative of eri_grain_clamp_vector() by `slip`.
/// @param slides  written: whether the point is beyond the ellipse
er_mat3 eri_grain_derivative(const eri_contact_grain *g, er_vec3 normal, double load, er_vec3 slip, bool *slides);

// ---- tree_links.c

/// A constraint for one contact, after eri_tree_constraints_prepare(); then its K.
eri_contact_constraint eri_contact_constraint_of(const er_world *w, eri_contact_point *point);
void eri_contact_constraint_prepare(const er_world *w, eri_contact_constraint *c);

/// The relative speed along a direction.
/// @param X  laid out as V
double eri_contact_constraint_speed(const eri_contact_constraint *c, int direction, const double *X);

/// Applies an impulse to X.
void eri_contact_constraint_apply(const er_world *w, const eri_contact_constraint *c, const double impulse[3],
                                  double *X);

// ---- tree_motion.c

/// Changes the steps of articulations whose `is_searched` is set, so that the momenta of the move are those wanted but
/// for what the joints hold at its beginning. Sets `is_conserving` of those that have such a step.
/// @param q         positions at the beginning of the step
/// @param change    [velocity_count], coordinates: read and written
/// @param momentum  [jointed_count]: what the joints hold is added
/// Errors   ER_ERROR_MEMORY
er_result eri_tree_motion_conserve(er_world *w, double h, const double *q, double *change, er_wrench *momentum);

// ---- tree_flight.c

/// Finds the articulations that can fly: only weight, forces on bodies and loops act on them, no springs, motors,
/// limits and ties. eri_tree_flights_destroy() is needed after a failure too.   Errors: ER_ERROR_MEMORY
er_result eri_tree_flights_create(er_world *w);
void eri_tree_flights_destroy(eri_contacts *s);

/// Sets `flies` of the trees that can fly and have no contact point. Call after eri_contacts_collide().
void eri_tree_flights_begin(er_world *w);

/// Finds where flying trees go. Clears `flies` of trees whose equations need too many parts.
/// @param q, u  at the step's begin
/// Errors   ER_ERROR_MEMORY
er_result eri_tree_flights_advance(er_world *w, double h, const double *q, const double *u);

/// Writes the states that flying trees have come to.
/// @param q, u  [position_count], [velocity_count]; NULL: not wanted
void eri_tree_flights_land(const eri_contacts *s, double *q, double *u);

// ---- tree_motors.c

/// Lets the motors of trees act implicitly.
void eri_tree_motors_create(er_world *w);

/// Finds the accelerations by forces, with motors within their bounds.
/// @param account  added to, but for the work of motors
/// @param du       [velocity_count], written
/// Errors   as eri_minimal_impel()
er_result eri_tree_motors_impel(er_world *w, double time, double h, eri_account *account, double *du);

/// Adds the mean power of the motors in a step, and finds which of them are at their bounds with its contacts. Call
/// after eri_tree_constraints_finish().
void eri_tree_motors_finish(er_world *w, double h, eri_account *account);

// ---- tree_constraints.c

/// Makes the constraints of contacts that touch articulations.   Errors: ER_ERROR_MEMORY
er_result eri_tree_constraints_prepare(er_world *w);

/// Applies the previous step's impulses to V (warm start).
void eri_tree_constraints_warm_start(eri_contacts *s);

/// Removes from the impulses and from V the part of an impact: an impact does not last into the next sub-step.
void eri_tree_constraints_drop_impacts(eri_contacts *s);

/// One sweep over all constraints. A gap may close within h but no more.
/// @param use_bias  solve with the softness; otherwise relax, and add impulses to the totals
void eri_tree_constraints_solve(eri_contacts *s, const eri_worker_context *p, eri_softness soft, bool use_bias);

/// Writes the changes of the trees' rates and coordinates, and stores distances and impulses in the contact points.
/// @param heat  J, added to: the energy that contacts took from articulations in sub-steps
/// Errors   ER_ERROR_MEMORY
er_result eri_tree_constraints_finish(er_world *w, double h, double *heat);

/// Solves one contact: the normal speed becomes `target`, or larger with no impulse; friction stays within its cone.
/// @param K          what impulses add to the speeds
/// @param tangent_k  the largest eigenvalue of K along the tangents
/// @param grain      NULL: friction is the same in all directions
/// @param speed      [3], with the impulse applied; work space
/// @param impulse    [3], read and written
void eri_contact_constraint_solve(double K[3][3], double tangent_k, double target, double friction,
                                  const eri_contact_grain *grain, double *speed, double *impulse);

// ---- restitution.c

/// Applies restitution to pairs that approach fast and touch within the step: changes V and fills s->restitution. Call
/// after eri_tree_constraints_prepare().   Errors: ER_ERROR_MEMORY
er_result eri_contacts_apply_restitution(er_world *w, double h);

/// Adds the restitution impulses to the step's totals.
void eri_contacts_add_restitution(eri_contacts *s);

/// The restitution of a pair.
double eri_pair_restitution(const er_world *w, int a, int b);

// ---- bounded_rows.c

/// Allocates what rows need for the world's lifetime.   Errors: ER_ERROR_MEMORY
er_result eri_bounded_rows_create(er_world *w, eri_contacts *s);

/// Lists the rows of the step, with their bodies. Call before eri_tree_constraints_prepare().
/// Errors   ER_ERROR_MEMORY
er_result eri_bounded_rows_list(er_world *w);

/// Finds the rows' places in V and their arms. Call after eri_tree_constraints_prepare().
void eri_bounded_rows_prepare(er_world *w);

/// Begins a sub-step: places the rows and warm starts.
void eri_bounded_rows_begin(eri_contacts *s, double impact_speed);

/// Sweeps over all rows. With use_bias, lengths and angles are right at the end of the sub-step; otherwise, the
/// velocities there are.
void eri_bounded_rows_solve(eri_contacts *s, double h, bool use_bias, double push_out);

/// Adds what rows change the rates and coordinates of trees by, stores impulses, and breaks ties.
/// @param heat  J, added to
/// Errors   ER_ERROR_MEMORY
er_result eri_bounded_rows_finish(er_world *w, double h, double *heat);

/// Adds the work of held bodies on what ties and rolling friction connect with them.   @param heat  J, added to
void eri_bounded_rows_account(const er_world *w, double h, eri_account *account, double *heat);

// ---- joint_loads.c

/// Allocates what the loads of joints need, if joints can break or hang on held bodies that may move.
/// Errors   ER_ERROR_MEMORY
er_result eri_joint_loads_create(er_world *w);

/// Before a step: the momenta of bodies with joints.
void eri_joint_loads_begin(er_world *w, double time);

/// Adds the present forces of loop joints (eri_minimal_loop_wrench()) times a factor, but for those of flying trees
/// after their flight.
void eri_joint_loads_add_loops(er_world *w, double factor, bool with_springs);

/// Adds what a tie or rolling friction gave a body in the step, about its centre of mass at the step's begin; -1 for
/// none. The same of a loop joint, on its child, about its origin there.
void eri_joint_loads_add(er_world *w, int body, er_wrench impulse);
void eri_joint_loads_add_loop(er_world *w, int joint, er_wrench impulse);

/// Replaces what was added so far by what a loop joint gave its child in a flight.
void eri_joint_loads_set_loop(er_world *w, int loop, er_wrench impulse);

/// After a step, poses shown: the mean load of each joint in it, and which are broken.
/// @return J: the work of held bodies through joints
double eri_joint_loads_end(er_world *w, double h);

// ---- body_constraints.c: the same for contacts of solver bodies. All workers call each function together.

er_result eri_body_constraints_prepare(er_world *w);
void eri_body_constraints_warm_start(eri_contacts *s, const eri_worker_context *p);
void eri_body_constraints_drop_impacts(eri_contacts *s, const eri_worker_context *p);

/// @param firm      for balls
/// @param use_bias  also finds the distances again, from the displacement
void eri_body_constraints_solve(eri_contacts *s, const eri_worker_context *p, eri_softness soft, eri_softness firm,
                                bool use_bias);

/// Stores distances and impulses in the contact points.
void eri_body_constraints_store(eri_contacts *s, const eri_worker_context *p);

// ---- island_solver.c

/// Lists the islands that are small enough to be solved to convergence. Their contacts take part in no other solver.
/// Errors   ER_ERROR_MEMORY
er_result eri_island_solver_prepare(er_world *w);

void eri_island_solver_warm_start(eri_contacts *s);

/// @param use_bias  as of eri_body_constraints_solve()
void eri_island_solver_solve(eri_contacts *s, const eri_worker_context *p, eri_softness soft, bool use_bias);

/// Stores distances and impulses in the contact points.
void eri_island_solver_store(eri_contacts *s);

// ---- contact_solver.c

/// Chooses the sub-steps of a step of h: more than the def's if sweeps settle small bodies, which fall over fast. The
/// points' impulses become those of a sub-step of now. Call after eri_island_solver_prepare().
void eri_contacts_choose_substeps(er_world *w, double h);

/// Solves the step's contacts in sub-steps; writes V and the displacement.
void eri_contacts_solve(er_world *w, double h);

#endif
