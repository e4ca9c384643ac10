/// @file
/// What closing loops does to a rig's constraints: how many hold, and which say nothing new.
#ifndef EIGENRIG_TREE_H
#define EIGENRIG_TREE_H

#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One direction that a joint holds: a row of G.
typedef struct er_redundant_row {
    int joint; ///< a joint that closes a loop
    int axis;  ///< 0 to 5: tx ty tz x y z of the joint's frame
} er_redundant_row;

/// The constraints of a rig at its equilibrium pose.
typedef struct er_redundancy {
    int constraint_count;        ///< rows of G: 6 less the freedoms, summed over joints
    int rank;                    ///< of G; motions the joints allow: 6 body_count - rank
    int count;                   ///< constraint_count - rank
    const er_redundant_row *row; ///< [count], joints and axes ascending: without these rows G has the same rank
    double smallest_kept;        ///< the least that a row kept adds to those kept before it, at most 1; 1 without loops
    double largest_zero;         ///< the most that a redundant one adds; 0 if there is none
    struct er_arena *arena;      ///< private
} er_redundancy;

/// Finds the constraints of loops that follow from the others; those of a tree never do. It is a question of geometry:
/// neither masses nor springs have a say. What a row adds is how far unit motions of the tree's joints (the unit angle;
/// shifts by the rig's size) move the loop apart in a way that no row before it forbids, in rad or in sizes of the rig;
/// it counts above `tol`. Where rows could stand for each other the model's later ones are called redundant.
/// @param tol  in (0, 1); 1e-10 suits rigs whose numbers are doubles to the last digits
/// @param out  ER_OK: a new object for er_redundancy_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (loops by the thousand that share joints: it would take minutes),
///          ER_ERROR_MEMORY
/// Memory   allocates the result; scratch of the constraints of loops that share joints times those joints.
/// Threads: one call per context at a time.   Source: docs/theory.md 4; docs/math/tree.md.
ER_API er_result er_redundancy_create(er_context *context, const er_model *model, double tol, er_redundancy **out);

/// Frees the list. NULL is fine.   Threads: the context's.
ER_API void er_redundancy_destroy(er_redundancy *redundancy);

#ifdef __cplusplus
}
#endif
#endif
