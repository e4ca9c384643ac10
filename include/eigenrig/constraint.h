/// @file
/// The matrices that joints make of a rig: velocity constraints G and free-coordinate rates R, dense.
#ifndef EIGENRIG_CONSTRAINT_H
#define EIGENRIG_CONSTRAINT_H

#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// G and R at the equilibrium pose. With n the model's body_count and v the stacked body twists [6 n] (omega; v of the
/// body frame's origin, body axes), motions the joints allow obey G v = 0, and the free coordinates change at the rates
/// R v. Joint k gives the rows Gamma (Ad_child v_child - Ad_parent v_parent) in its own frame, the world having no
/// column.
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

/// Assembles G and R.
/// @param out    ER_OK: a new object for er_constraints_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result, dense.   Threads: one call per context at a time.
/// Source   docs/theory.md 3, (4-11), (4-13), (4-21) to (4-24).
ER_API er_result er_constraints_create(er_context *context, const er_model *model, er_constraints **out);

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
