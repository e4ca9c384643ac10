/// @file
/// The matrices that joints make of a rig: velocity constraints G and free-coordinate rates R, dense.
#ifndef EIGENRIG_CONSTRAINT_H
#define EIGENRIG_CONSTRAINT_H

#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// G and R at a pose. With n the model's body_count and v the stacked body twists [6 n] (omega; v of the body frame's
/// origin, body axes), motions the joints allow obey G v = 0, and the free coordinates change at the rates R v. Joint k
/// gives the rows Gamma diag(A, 1) (Ad_child v_child - Ad_parent v_parent) in its own frame, the world having no
/// column.
///
/// The joint's frame (er_joint.frame) is fixed in the parent and in the child, where both are at equilibrium. At
/// another pose it has the axes that the parent carries and the origin that the child carries. A is 1 at equilibrium
/// and where all turns are free; elsewhere it makes the rows what they are the rates of:
/// - G v is the exact rate of er_constraint_errors(), at every pose, of joints that stand apart too.
/// - R v are, in shifts, the rates of the child's origin along the parent's axes; in tz alone, that of the angle about
///   the joint's z; in a universal joint those of the angles about the parent's x, then about the y turned by it; where
///   all turns are free, no rates of coordinates but the child's angular velocity against the parent, along the joint
///   frame's axes as the parent carries them. So er_kinematics_pose() with rates of its x gives these R v (of a
///   rotation vector: times the left Jacobian of the exponential map).
typedef struct er_constraints {
    int constraint_count; ///< m, rows of G: 6 less the freedoms, summed over joints
    int coordinate_count; ///< rows of R: the model's coordinate_count
    int column_count;     ///< 6 n
    const double *G;      ///< [m x 6n], column-major; rows of a joint in the order (tx ty tz x y z), joints in order
    const double *R;      ///< [coordinate_count x 6n], column-major, rows as er_model::coordinate
    const int *constraint_joint; ///< [m], the index of the joint of a row of G
    const int *constraint_axis;  ///< [m], which of (tx ty tz x y z) it holds, 0 to 5
    struct er_arena *arena;      ///< private
} er_constraints;

/// Assembles G and R at equilibrium.
/// @param out    ER_OK: a new object for er_constraints_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, dense.   Threads: one call per context at a time.
/// Source   docs/theory.md 3, (4-11), (4-13), (4-21) to (4-24).
ER_API er_result er_constraints_create(er_context *context, const er_model *model, er_constraints **out);

/// The same at any pose. Loops need not be closed, nor joints together, so long as none is a quarter turn off.
/// @param pose  [body_count], world poses of the body frames; NULL: the equilibrium
/// @param out   ER_OK: a new object for er_constraints_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, dense.   Threads: one call per context at a time.   Source: docs/math/kinematics.md.
ER_API er_result er_constraints_at(er_context *context, const er_model *model, const er_pose *pose,
                                   er_constraints **out);

/// By how much a pose violates the constraints whose differential G is: 0 where the joints are together. In shifts it
/// is the child's origin along the parent's axes, m; in turns the sine of the angle by which an axis that joints share
/// (z; of a universal joint the parent's x and the child's y) is off, and where all are held 2 sin(angle / 2) about the
/// axis turned about: rad, to first order. So it is 0 too where a shared axis points the other way.
/// @param pose   [body_count]
/// @param error  [constraint_count], written, rows as in G
/// Errors none.   Memory none.   Threads: any.   Source: docs/math/kinematics.md.
ER_API void er_constraint_errors(const er_model *model, const er_pose *pose, double *error);

/// Frees G and R. NULL is fine.   Threads: the context's.
ER_API void er_constraints_destroy(er_constraints *constraints);

/// The 6x6 matrix Ad of the transform from a body's frame to a joint's frame, both given as world poses: it takes the
/// body's twist, in body axes, to the twist of the joint frame moving with it, in joint axes.
/// @param ad  [6][6], written, row-major, angular part first
/// Errors none.   Threads: any.   Source: docs/theory.md 1, (4-11).
ER_API void er_constraint_adjoint(er_pose body, er_pose joint, double ad[6][6]);

#ifdef __cplusplus
}
#endif
#endif
