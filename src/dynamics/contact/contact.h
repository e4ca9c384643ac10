/// @file
/// Lasting contact: what the parts of its stepping share (docs/math/contact.md).
///
/// What moves is cut into *movers* that only contacts tie together: a body without joints, whose velocities are
/// (angular; linear of the centre of mass) in world axes, or trees that loops join, whose velocities are a slice of the
/// tree's rates. All movers' velocities stand in one row V. A contact has three *directions*, its normal and two
/// tangents; of each it keeps, for each mover it touches, the row J that tells its speed from V, and the change
/// Y = H^-1 J' of V that a unit impulse makes.
#ifndef ER_DYNAMICS_CONTACT_CONTACT_H
#define ER_DYNAMICS_CONTACT_CONTACT_H

#include "dynamics/tied.h"
#include "dynamics/world.h"

typedef struct er_mover {
    int limb;                  ///< of a lone body; -1: trees
    int first_limb, last_limb; ///< of trees, the last one not in it
    int first, count;          ///< its slice of V
    int velocity;              ///< where its slice of the tree's rates begins
    bool floats;               ///< a tree whose root has no joint, nor has any other limb of it with the ground
} er_mover;

/// How a contact acts on a mover.
typedef struct er_contact_side {
    int first, count; ///< the mover's slice of V; count 0: none
    double *J, *Y;    ///< [3 x count], by direction
} er_contact_side;

/// A point at which two shapes are close.
typedef struct er_touching {
    int shape[2];
    uint64_t feature;
    er_vec3 point, axis[3]; ///< half way between both; normal from the first to the second, tangents
    double distance;        ///< m
    double friction, restitution;
    er_contact_side side[2]; ///< of what the second and the first shape go with; one where both are of one mover
    double given[3];         ///< m/s: of the speeds, what ground in motion makes
    double K[3][3];          ///< 1/kg: what a unit impulse along e changes the speed along d by
    double impulse[3];       ///< N s, of a sub-step
    double total[3];         ///< of the step
    double met[3];           ///< m/s: speeds at the step's begin
    double approach;         ///< m/s: the fastest that it met, <= 0
} er_touching;

/// Two shapes that are close.
typedef struct er_meeting {
    int a, b;         ///< shapes, a < b
    int first, count; ///< their contacts
    er_closest_cache cache;
} er_meeting;

/// Those of one step.
typedef struct er_touchings {
    er_arena *arena;
    er_touching *item;
    int count;
    er_meeting *meeting;
    int meeting_count;
} er_touchings;

typedef struct er_contacts {
    const er_world_shape *shape;
    int shape_count;
    double *radius;           // [shape_count], m: of its farthest point from its frame's origin; 0 of the unbounded
    er_pose *pose;            // [shape_count], in the world
    double *reach;            // [shape_count], m: how far it can come in a step
    int *bounded, *boundless; // shapes that have a box, and that have none
    int bounded_count, boundless_count;
    er_vec3 *low, *high; // [bounded_count]
    er_sweep *sweep;     // of the bounded
    er_tied tied;
    int mover_count;
    er_mover *mover;    // [mover_count]
    int *mover_of_body; // [body_count]; -1: ground
    int width;          // of V
    double *V, *dV,
        *way; // [width]: velocities, what other forces change them by in a second, the sum of velocities by time
    double *q, *u, *du; // of the world's route
    er_touchings now, before;
} er_contacts;

/// Finds what touches at the poses shown, or can within a step: s->now, whose impulses are those of s->before.
/// Errors   ER_ERROR_MEMORY
er_result er_contacts_meet(er_world *w, double h);

/// Forms the movers of a world.   Errors: ER_ERROR_MEMORY
er_result er_movers_create(er_world *w, er_contacts *s);

/// V of the world's u and the bodies shown, and dV of du.
void er_movers_take(er_world *w, const double *du);

/// Moves the positions by `way`, and finds the rates there that keep the momenta of V; loops are yet to be closed.
/// @param time  s, to which
/// @param q     [position_count], read and written
/// @param u     [velocity_count], as they were; written
/// Errors   ER_ERROR_MEMORY
er_result er_movers_give(er_world *w, double time, double *q, double *u);

/// Writes how each of s->now acts on its movers.   Errors: ER_ERROR_MEMORY
er_result er_movers_feel(er_world *w);

/// The speed of a contact along a direction.
double er_touching_speed(const er_touching *c, int direction, const double *V);

/// Solves the step's contacts by sub-steps; writes V and `way`.
void er_contacts_solve(er_world *w, double h);

#endif
