/// @file
/// Closed loops in the sparse route: the pencil K - sigma M and the product A of a rig, from those of its tree and the
/// few rows that close its loops.
///
/// With y the tree's springs (scaled by K^1/2 as everywhere), z its unsprung coordinates and C the rows of loops,
/// a shape is v = (y; k^1/2 C u of the springs in loop joints), N + sprung numbers, so that |v|^2 is twice its
/// potential energy. Not every v closes the loops: those that do, for some z, are the *closed* ones, a space of
/// `elastic` dimensions. Source: docs/math/tree.md.
#ifndef ER_MODAL_LOOP_PENCIL_H
#define ER_MODAL_LOOP_PENCIL_H

#include "base/arena.h"
#include "math/dense/dense.h"
#include "model/forest/forest.h"
#include "model/forest/loops.h"

typedef struct er_closed {
    er_loops *loops;
    er_redundant_row *redundant; ///< [loops->redundant_count]
    bool *still;                 ///< [coordinate_count], coordinates of the model that loops lock
    int constrained, sprung;     ///< rows in use: constraints kept, then springs of loop joints
    int elastic, zeros, rigid;   ///< modes there are; of the zeros the first are rigid
    const int *row;              ///< [constrained + sprung], of the loops
    const double *root;          ///< [constrained + sprung], k^1/2 of springs
    struct closing *parts;       ///< private, as is what follows
    er_arena *arena;
} er_closed;

/// Builds the rows of a tree's loops.
/// @param arena   for what the geometry decides
/// @param result  for the list of redundant rows
/// Errors  ER_ERROR_RIG (too many rows), ER_ERROR_MEMORY
er_result er_closed_create(er_arena *arena, er_arena *result, const er_forest *tree, double tol, er_closed **out);

/// Frees what lies outside the arenas. NULL is fine.
void er_closed_destroy(er_closed *c);

/// Takes the tree's stiffness and masses as they are now, after er_condensed_factor() and er_loops_set_stiffness().
/// Memory: its own; none is taken where the same springs are 0 as before.
/// Errors  ER_ERROR_RIG (too many rows), ER_ERROR_NOT_POSDEF, ER_ERROR_MEMORY
er_result er_closed_prepare(er_closed *c, const er_forest *tree, const er_condensed *condensed);

/// Closes the loops of a factorisation K - sigma M: corrects er_shifted_factor()'s counts and growths.   No allocation.
void er_closed_factor(er_closed *c, const er_forest *tree, const er_shifted *shifted, int below[8], double growth[8]);

/// out = F (K - sigma M)^-1 F'v of the closed rig, u = F v: lambda / (lambda - sigma) on closed v, 0 on
/// their orthogonal complement.   No allocation.
/// @param v, out  [N + sprung]; they do not overlap
void er_closed_solve(er_closed *c, const er_forest *tree, const er_shifted *shifted, const er_lanes *v, er_lanes *out);

/// The nearest closed shape, in potential energy.   No allocation.
void er_closed_project(const er_closed *c, const er_forest *tree, er_lanes *v);

/// er_condensed_apply() of the closed rig: the unsprung coordinates take no force but those given and the loops'. On
/// closed v, v'A v is twice the kinetic energy.   No allocation.
/// @param v         [N + sprung], closed
/// @param force     [unsprung_count], or NULL
/// @param Av        [N + sprung], written: closed but for a part that er_closed_project() removes
/// @param unsprung  [unsprung_count], written
/// @param twist     [6 link_count], written, or NULL
void er_closed_apply(er_closed *c, const er_forest *tree, const er_condensed *condensed, const er_lanes *v,
                     const er_lanes *force, er_lanes *Av, er_lanes *unsprung, er_lanes *twist);

/// The zero mode k, raw: the unsprung rates of a rigid one; the forces that start a mechanism, with no momentum against
/// the rigid ones.   No allocation.
/// @param unsprung  lane `lane` of [unsprung_count], written
void er_closed_zero(const er_closed *c, int k, int lane, er_lanes *unsprung);

#endif
