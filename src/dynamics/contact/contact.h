/// @file
/// Lasting contact: what the parts of its stepping share (docs/math/contact.md).
///
/// What moves is cut into *movers* that only contacts tie together: a body without joints, whose velocities are
/// (angular; linear of the centre of mass) in world axes, or trees that loops join, whose velocities are a slice of the
/// tree's rates. The velocities of all bodies stand in one row V, 6 of 8 numbers each, so that vector registers take
/// them whole: the world and held bodies, which move as they are led, those without joints, then limbs with their
/// twists. The last two of a body without joints are its inverse mass and, where that is the same about all axes, its
/// inverse moment of inertia, which come with its velocities in one line of memory.
///
/// A contact has three *directions*, its normal and two tangents. Contacts of bodies without joints and of the ground
/// are solved eight at a time (free_contacts.c); so are those that touch trees (tree_contacts.c), whose blows go along
/// the joints (links.h).
#ifndef ERI_DYNAMICS_CONTACT_CONTACT_H
#define ERI_DYNAMICS_CONTACT_CONTACT_H

#include <stddef.h>

#include "base/lanes.h"
#include "base/threads.h"
#include "dynamics/tied.h"
#include "dynamics/world.h"

/// Trees, their limbs in a row.
typedef struct eri_grove {
    int first_limb, last_limb; ///< the last one not in it
    int at;                    ///< where its limbs' twists begin in V
    int count, velocity;       ///< its slice of the tree's rates, and where it begins
    bool floats;               ///< one tree, and nothing but its root, which is free, hangs on the ground
    bool sprung;               ///< springs act at its joints
    bool struck;               ///< contacts gave it impulses in the step
} eri_grove;

/// Whether nothing but joints and weight leads what hangs on the ground: it keeps its swing.
static inline bool eri_grove_swings(const eri_grove *g)
{
    return !g->floats && !g->sprung && !g->struck;
}

/// A body without joints, or a held one, or the world: what 8 numbers of V from its place are the velocities of.
typedef struct eri_single {
    er_vec3 com;         ///< m, world
    double inverse_mass; ///< 1/kg; 0 of the ground
    double inverse[6];   ///< of the inertia, world axes: xx yy zz xy xz yz
    bool round;          ///< the inertia is the same about all axes
} eri_single;

/// Where a body's velocities are.
typedef struct eri_mover {
    int single; ///< -1: its velocities are a grove's
    int grove;
} eri_mover;

/// A point at which two shapes are close: two lines of memory, for steps over many wait for it, each of eight numbers,
/// which lanes take at once.
typedef struct eri_touching {
    er_vec3 point, normal; ///< half way between both; from the first to the second
    double distance;       ///< m
    double friction;
    double impulse[3]; ///< N s, of a sub-step, along the normal and both tangents
    double total[3];   ///< of the step: of its sub-steps, and then of its rebounds too
    int shape[2];
    uint64_t feature;
} eri_touching;

_Static_assert(sizeof(eri_touching) == 2 * sizeof(eri_lanes) && offsetof(eri_touching, impulse) == sizeof(eri_lanes),
               "two lines");

/// The first tangent, the other one being the normal's cross product with it.
/// Source   Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin, Building an orthonormal basis, revisited, 2017
static inline er_vec3 eri_touching_tangent(er_vec3 n)
{
    double sign = copysign(1.0, n.z), a = -1.0 / (sign + n.z);
    return er_v3(n.x * n.y * a, sign + n.y * n.y * a, -n.y);
}

/// All of its directions.
typedef struct eri_directions {
    er_vec3 axis[3];
} eri_directions;

static inline eri_directions eri_touching_directions(const eri_touching *c)
{
    er_vec3 t = eri_touching_tangent(c->normal);
    return (eri_directions){{c->normal, t, er_v3_cross(c->normal, t)}};
}

/// What is x along them, in the world's axes.
static inline er_vec3 eri_directions_sum(const eri_directions *d, const double x[3])
{
    return er_v3_madd(er_v3_madd(er_v3_scale(x[0], d->axis[0]), x[1], d->axis[1]), x[2], d->axis[2]);
}

/// What rebounds of a step give a contact.
typedef struct eri_blow {
    double impulse[3]; ///< N s
    double way[3];     ///< N s^2: each by the time since
} eri_blow;

/// Two shapes that are close.
typedef struct eri_meeting {
    int a, b;         ///< shapes, a < b
    int first, count; ///< their contacts
    er_closest_cache cache;
} eri_meeting;

/// Those of one step.
typedef struct eri_touchings {
    er_arena *arena;
    eri_touching *item;
    int count;
    eri_meeting *meeting;
    int bounded_count, meeting_count; ///< meetings of shapes that have boxes, then the others
} eri_touchings;

/// How one contact acts.
typedef struct eri_response {
    eri_touching *contact;
    eri_directions directions;
    int at[2];      ///< places in V of what its shapes are on
    int link[2];    ///< how blows go from a limb along its tree (links.h); -1: of others
    er_vec3 arm[2]; ///< m, from what the velocities are of to the point
    double K[3][3]; ///< 1/kg: what a unit impulse along e changes the speed along d by
    double lead;    ///< 1/kg: the most that a tangent impulse meets
    bool gives;     ///< whether anything gives way
} eri_response;

typedef struct eri_bundle eri_bundle;       ///< eight contacts that touch trees
typedef struct eri_responses eri_responses; ///< how these act along trees
typedef struct eri_block eri_block;         ///< eight contacts without trees
typedef struct eri_lever eri_lever;         ///< how these act, where not all are of balls
typedef struct eri_reference eri_reference; ///< of route multipliers

enum { ERI_CONTACT_COLOURS = 63 };

typedef struct eri_contacts {
    const er_world_shape *shape;
    int shape_count;
    double *radius;           // [shape_count], m: of its farthest point from its frame's origin; 0 of the unbounded
    er_pose *pose;            // [shape_count], in the world
    double *reach;            // [shape_count], m: how far it can come in a step
    double *thickness;        // [shape_count], m; HUGE_VAL of the unbounded, and of meshes
    int *bounded, *boundless; // shapes that have a box, and that have none
    int bounded_count, boundless_count;
    er_vec3 *low, *high; // [bounded_count]
    er_sweep *sweep;     // of the bounded
    eri_tied tied;
    int still_count, single_count, grove_count;
    eri_single *single; // [single_count]: the world, held bodies, then those without joints; V[8 i] is the i-th's
    int *single_body;   // [single_count]; -1: the world
    eri_grove *grove;   // [grove_count]
    eri_mover *mover;   // [body_count]
    int *place;         // [shape_count]: in V, over 8: of its single, or where its grove begins
    int *limb;          // [shape_count]: its body's, -1: of a single
    bool *ball;     // [shape_count]: a sphere about the centre of mass of a round body without joints, or the world's
    int limbs_at;   // where the twists of limbs begin in V
    int width;      // of V
    double *V, *dV; // [width]: velocities, what other forces change them by in a second
    double *way;    // [width]: the sum of velocities by time
    double *loose;  // [width]: velocities of a sub-step before contacts
    double *begin;  // [width]: velocities before the first
    double *late;   // [width]: what `way` lacks, for what rebounded was not as fast from the step's begin
    double heat;    // J, of rebounds
    eri_blow *blow; // [now.count]; NULL: nothing rebounds
    double *q, *u, *du; // of the world's route
    double *change;     // [velocity_count]: what a step changes the rates of trees by
    double *shift;      // [velocity_count]: what it moves trees by
    eri_touchings now, before;
    eri_responses *responses;
    eri_bundle *bundle; // [bundle_count]
    int bundle_count;
    eri_block *block;        // [block_count], by colour
    eri_lever **lever;       // [block_count]; NULL: of balls
    eri_touching **in_block; // [8 block_count]; NULL: none
    bool *struck;            // [block_count]: something in it got a blow
    int block_count, colour[ERI_CONTACT_COLOURS + 2];
    eri_team *team;                    // NULL of one thread
    eri_crew *crew;                    // of its workers
    er_arena *own[ERI_THREADS_MOST];   // of each
    eri_lanes spill[ERI_THREADS_MOST]; // of each
    bool swift;                        // whether any pair of the step is
    bool rebounds;                     // whether any shape does
    eri_reference *reference;          // NULL by route reduced
    double *kept; // [kept_count]: numbers of the reference solver or of islands.c that last from step to step
    size_t kept_count;
    int *root;      // [width / 8]: work space of islands.c
    bool sleeps;    // whether anything may; then there are:
    bool *fast;     // [width / 8]: work space
    double *extent; // [body_count], m: of the farthest point of its shapes from its origin
    double *quiet;  // [width / 8], s: how long a mover has been slow
    double *asleep; // [width / 8]: 0 awake, 1 in its first step asleep, 2 later
    double *slept;  // [width]: what forces were when it fell asleep
    long steps;
    double swing; // rad/s: how fast a limb swings by what it bears, in the last step
    er_contact_times times;
} eri_contacts;

/// How a soft contact takes an overlap: the speed that undoes it, and what it gives way, of K.
typedef struct eri_softness {
    double bias, give, push_out; // 1/s, 1, m/s
} eri_softness;

/// A worker's part in solving a step, and its sub-step.
typedef struct eri_worker_part {
    int worker, count;
    double h, slow; ///< s, m/s: what comes faster gives a blow
    int still;      ///< V up to here stands still
    double *spill;  ///< [8]: takes what nobody reads
} eri_worker_part;

/// Of an impulse that stood before, the spring of an overlap need carry no more: the overlap that a load stands on is
/// smaller by that. All of it, and tall stacks swing.
#define ERI_CONTACT_STANDING 0.5

// ---- meet.c

/// Finds what touches at the poses shown, or can within a step: s->now, whose impulses are those of s->before.
/// Errors   ER_ERROR_MEMORY
er_result eri_contacts_meet(er_world *w, double h);

static inline bool eri_contacts_is_ground(const eri_contacts *s, int body)
{
    return body < 0 || (s->mover[body].grove < 0 && s->mover[body].single < s->still_count);
}

/// A shape's mover, its place in V over 8; -1 of what stands on the ground.
static inline int eri_contacts_slot(const eri_contacts *s, int shape)
{
    return s->place[shape] >= s->still_count ? s->place[shape] : -1;
}

static inline bool eri_contacts_sleeps(const eri_contacts *s, int slot)
{
    return s->sleeps && slot >= 0 && s->asleep[slot] > 0.0;
}

/// Whether neither side of a contact is awake.
static inline bool eri_contacts_rests(const eri_contacts *s, const eri_touching *c)
{
    if (!s->sleeps) return false;
    int a = eri_contacts_slot(s, c->shape[0]);
    return eri_contacts_sleeps(s, a >= 0 ? a : eri_contacts_slot(s, c->shape[1]));
}

/// Whether a shape is another place than a step ago.
static inline bool eri_contacts_moves(const er_world *w, int shape)
{
    const eri_contacts *s = w->contacts;
    int body = s->shape[shape].body, slot = eri_contacts_slot(s, shape);
    if (slot >= 0) return !eri_contacts_sleeps(s, slot);
    if (body < 0 || w->def.guide == NULL) return false;
    const er_twist *v = &w->twist[body];
    return er_v3_dot(v->linear, v->linear) + er_v3_dot(v->angular, v->angular) > 0.0;
}

// ---- time_of_impact.c

/// Writes s->thickness.
void eri_swift_measure(eri_contacts *s);

/// Whether two shapes can come so far in the step that they are met on their way.
bool eri_swift_is(const eri_contacts *s, int a, int b);

/// The points at which two shapes first touch as they go, as er_shape_touches() of the step's begin tells them:
/// distances are such that they close when that is.
/// @param cache  of the two shapes
/// @param touch  [ER_TOUCH_MOST], written
/// @return how many; 0 where they pass, or do not come so far within h
int eri_swift_touches(const er_world *w, int a, int b, double h, er_closest_cache *cache, er_touch *touch);

// ---- islands.c

/// Makes what sleep needs.   Errors: ER_ERROR_MEMORY
er_result eri_islands_create(er_world *w, eri_contacts *s);

/// Before a step: puts islands to sleep that have been slow for long.
/// @return whether all sleep, and nothing but a call can stir them
bool eri_islands_rest(er_world *w, double h);

/// In a step, when contacts and forces are known: wakes islands that something stirs.
/// @param du  what forces change the rates by in a second
void eri_islands_wake(er_world *w, const double *du);

// ---- movers.c

/// Forms the movers of a world.   Errors: ER_ERROR_MEMORY
er_result eri_movers_create(er_world *w, eri_contacts *s);

/// w->motion of bodies without joints as they are shown, for the forces on them.
void eri_movers_place(er_world *w);

/// V of the world's u and the bodies shown, and dV of forces on bodies and of the trees' du.
void eri_movers_take(er_world *w, const double *du);

/// Moves the positions by `way`, and finds the rates there that keep the momenta of V, loops closed.
/// @param time  s, to which
/// @param q     [position_count], read and written
/// @param u     [velocity_count], as they were; written
/// Errors   ER_ERROR_MEMORY, ER_ERROR_NO_CONVERGENCE
er_result eri_movers_give(er_world *w, double time, double *q, double *u);

/// Trees that sleep stay where they were, to the bit.
void eri_movers_keep(const er_world *w, double *q, double *u);

/// What contacts took of the kinetic energy of bodies without joints, J.
double eri_movers_heat(const er_world *w, double h);

// ---- links.c

/// Where one acts, after eri_responses_create(); then how.
eri_response eri_response_of(const er_world *w, eri_touching *contact);
void eri_response_weigh(const er_world *w, eri_response *c);

/// Of X, which is as V is, the contact's speed along a direction.
double eri_response_rate(const eri_response *c, int direction, const double *X);

/// Gives X what impulses change.
void eri_response_strike(const er_world *w, const eri_response *c, const double impulse[3], double *X);

// ---- tree_contacts.c

/// Finds how those of s->now that touch trees act.   Errors: ER_ERROR_MEMORY
er_result eri_responses_create(er_world *w);

/// Gives the impulses that were to V.
void eri_responses_warm(eri_contacts *s);

/// Takes of impulses, and from V, what they grew by in a sub-step more than what comes at `slow` would make them: a
/// blow does not last.
void eri_responses_let_go(eri_contacts *s);

/// One pass over them. What is apart may close its gap within h and no more.
/// @param is_first  of the sub-step's two passes; in the other one impulses add up
/// @param slow      m/s: what comes faster gives a blow
void eri_responses_pass(eri_contacts *s, double h, eri_softness soft, bool is_first, double slow);

/// Writes s->change and s->shift, and distances and impulses back to s->now.
/// @param heat  J, added to: what contacts took of the trees' energy in sub-steps
/// Errors   ER_ERROR_MEMORY
er_result eri_responses_end(er_world *w, double h, double *heat);

/// The impulse of one contact that leaves the speed `aim` along its normal, or a larger one and no impulse, with
/// friction within its cone.
/// @param K        what impulses change the speeds by
/// @param lead     the most that one along a tangent does
/// @param speed    [3], with the impulse as it is; work space
/// @param impulse  [3], read and written
void eri_response_solve(double K[3][3], double lead, double aim, double friction, double *speed, double *impulse);

// ---- rebound.c

/// Has what comes fast and touches within a step part again: changes V, and writes `late`, `heat` and `blow`. After
/// eri_responses_create().   Errors: ER_ERROR_MEMORY
er_result eri_contacts_rebound(er_world *w, double h);

/// Adds what rebounds gave to the step's totals.
void eri_contacts_add_blows(eri_contacts *s);

/// Of two shapes.
double eri_contacts_restitution(const er_world *w, int a, int b);

// ---- free_contacts.c: the same of contacts without trees; eri_worker_part tells which of them, and all workers come
// together in each

er_result eri_blocks_create(er_world *w);
void eri_blocks_warm(eri_contacts *s, const eri_worker_part *p);
void eri_blocks_let_go(eri_contacts *s, const eri_worker_part *p);

/// @param firm      of balls
/// @param is_first  distances are found anew, of `way`, too; in the other pass impulses add up
void eri_blocks_pass(eri_contacts *s, const eri_worker_part *p, eri_softness soft, eri_softness firm, bool is_first);

/// Writes distances and impulses back to s->now.
void eri_blocks_tell(eri_contacts *s, const eri_worker_part *p);

// ---- soft.c

/// Solves the step's contacts by sub-steps; writes V and `way`.
void eri_contacts_solve(er_world *w, double h);

#endif
