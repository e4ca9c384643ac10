/// @file
/// The bodies of a world that move, along a spanning tree rooted in the ground, and their positions.
///
/// A *limb* is a link of that tree with its mass, frames and coordinates. The *limb's frame* is the joint's frame as
/// the limb carries it; the *near frame* is the joint's frame as the body above carries it. They are Q and P
/// (docs/math/kinematics.md), or P and Q if the link is inverse.
#ifndef ERI_DYNAMICS_MULTIBODY_H
#define ERI_DYNAMICS_MULTIBODY_H

#include <eigenrig/model.h>

#include "base/arena.h"
#include "model/joint/joint.h"
#include "model/tree.h"

typedef struct eri_limb {
    int freedom, axis[6]; ///< free coordinates, 0 to 5 for tx ty tz x y z
    bool turns_freely;    ///< a quaternion is the first four positions, for three velocities
    int q, u;             ///< the first of its positions and velocities among all
    er_mat3 near_axes;    ///< the near frame in the frame of the limb above (in its body's, of ground; in the world)
    er_quat near_turn;    ///< the same rotation
    er_vec3 near_origin;
    er_pose body_frame; ///< of the body, in the limb's frame
    er_mat3 body_axes;  ///< its rotation
    double mass;
    er_vec3 com;       ///< in the limb's frame
    double inertia[6]; ///< about the centre of mass, in the limb's axes: xx yy zz xy xz yz
} eri_limb;

/// One end of a joint: where it is on a limb or on the ground.
typedef struct eri_end {
    int limb, ground; ///< as eri_link.parent and .above
    er_pose frame;    ///< the joint's, in the limb's frame, in the ground body's, in the world
} eri_end;

typedef struct eri_closure {
    int joint;
    eri_end parent, child;
} eri_closure;

/// Trees that loops join, and those between them.
typedef struct eri_group {
    int first_limb, last_limb; ///< [first_limb, last_limb)
    int first_loop, last_loop; ///< [first_loop, last_loop)
} eri_group;

typedef struct eri_multibody {
    const er_model *model;
    eri_tree tree;     ///< depth first
    eri_limb *limb;    ///< [tree.link_count]
    int jointed_count; ///< limbs from there on are bodies without any joint
    int position_count, velocity_count;
    int group_count;
    eri_group *group; ///< [group_count]: all limbs with joints
    int loop_count;
    eri_closure *loop; ///< joints that are not of the tree, but for those within the ground; by group
} eri_multibody;

/// @param held  [body_count] or NULL
/// Errors   ER_ERROR_MEMORY
er_result eri_multibody_create(er_arena *arena, const er_model *model, const bool *held, eri_multibody **out);

/// The equilibrium: 0 and quaternions 1.   @param q  [position_count], written
void eri_multibody_rest(const eri_multibody *m, double *q);

/// A limb's joint displacement X = P^-1 Q at its positions.
/// @param q  its first
er_pose eri_limb_displacement(const eri_multibody *m, int limb, const double *q);

/// The limb's positions of a displacement, as near as they come; angles within half a turn of those there were.
/// @param q  its first; read and written
void eri_limb_set_displacement(const eri_multibody *m, int limb, er_pose X, double *q);

/// Q(q) u of the limbs [first, end).
void eri_multibody_drift(const eri_multibody *m, int first, int end, const double *q, const double *u, double *dq);

/// Quaternions of the limbs [first, end) to norm 1.
void eri_multibody_normalise(const eri_multibody *m, int first, int end, double *q);

/// q of the limbs [first, end) moved along u for unit time, joint by joint: quaternions by the exponential.
void eri_multibody_move(const eri_multibody *m, int first, int end, const double *u, double *q);

#endif
