/// @file
/// The tree that a world hangs together by, rooted in what moves by itself: the world and held bodies, which are the
/// *ground*.
///
/// A *limb* is a body with the joint that the tree reaches it by. The *limb's frame* is the joint's frame as the limb
/// carries it; the *near frame* is the joint's as what it hangs on carries it. Where the tree runs from the joint's
/// parent to its child that is Q on P (docs/math/kinematics.md), else P on Q: the limb is inverse. A root without joint
/// hangs on the world by a free one at its own frame.
#ifndef ERI_DYNAMICS_TREE_H
#define ERI_DYNAMICS_TREE_H

#include <eigenrig/model.h>

#include "base/arena.h"
#include "model/joint/joint.h"

typedef struct eri_limb {
    int body;
    int joint;  ///< -1: a root without joint
    int up;     ///< limb that it hangs on; -1: the ground
    int ground; ///< held body, where up is -1; -1: the world
    er_joint_type type;
    double pitch; ///< er_joint.pitch
    bool inverse;
    int freedom, axis[6]; ///< free coordinates, 0 to 5 for tx ty tz x y z
    int coordinate;       ///< of the model, the first; -1: a root without joint
    int q, u;             ///< the first of its positions and velocities among the tree's
    er_mat3 near_axes;    ///< the near frame in the frame of the limb above (in its body's, of ground; in the world)
    er_vec3 near_origin;
    er_pose body_frame; ///< of the body, in the limb's frame
    er_mat3 body_axes;  ///< its rotation
    double mass;
    er_vec3 com;       ///< in the limb's frame
    double inertia[6]; ///< about the centre of mass, in the limb's axes: xx yy zz xy xz yz
} eri_limb;

/// One end of a joint: where it is on a limb or on the ground.
typedef struct eri_end {
    int limb, ground; ///< as eri_limb.up and .ground
    er_pose frame;    ///< the joint's, in the limb's frame, in the ground body's, in the world
} eri_end;

typedef struct eri_closure {
    int joint;
    eri_end parent, child;
} eri_closure;

typedef struct eri_tree {
    const er_model *model;
    int limb_count;
    eri_limb *limb;    ///< parents first, a subtree in a row
    int jointed_count; ///< limbs from there on are bodies without any joint
    int *limb_of_body; ///< [body_count]; -1: held
    bool *goes_by;     ///< [joint_count]: whether a limb is reached by it
    int position_count, velocity_count;
    int loop_count;
    eri_closure *loop; ///< joints that the tree does not go by, but for those within the ground
} eri_tree;

/// @param held  [body_count] or NULL
/// Errors   ER_ERROR_MEMORY
er_result eri_tree_create(er_arena *arena, const er_model *model, const bool *held, eri_tree **out);

/// The equilibrium: 0 and quaternions 1.   @param q  [position_count], written
void eri_tree_rest(const eri_tree *tree, double *q);

/// A limb's joint displacement X = P^-1 Q at its positions.
/// @param q  its first
er_pose eri_limb_displacement(const eri_limb *limb, const double *q);

/// The limb's positions of a displacement, as near as they come; angles within half a turn of those there were.
/// @param q  its first; read and written
void eri_limb_set_displacement(const eri_limb *limb, er_pose X, double *q);

/// Q(q) u.
void eri_tree_drift(const eri_tree *tree, const double *q, const double *u, double *dq);

/// Quaternions to norm 1.
void eri_tree_normalise(const eri_tree *tree, double *q);

/// q of the first limbs moved along u for unit time, joint by joint: quaternions by the exponential.
void eri_tree_move(const eri_tree *tree, int limbs, const double *u, double *q);

#endif
