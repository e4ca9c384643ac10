/// @file
/// Closed loops in the sparse route: the pencil K - sigma M and the product A of a rig, from those of its tree and the
/// few rows that close its loops.
///
/// With y the tree's springs (scaled by K^1/2 as everywhere), z its unsprung coordinates and C the rows of loops,
/// a shape is v = (y; k^1/2 C u of the springs in loop joints), N + sprung numbers, so that |v|^2 is twice its
/// potential energy. Not every v closes the loops: those that do, for some z, are the *closed* ones, a space of
/// `elastic` dimensions. Source: docs/math/tree.md.
#ifndef ERI_MODAL_LOOP_PENCIL_H
#define ERI_MODAL_LOOP_PENCIL_H

#include "base/arena.h"
#include "math/dense/dense.h"
#include "model/forest/forest.h"
#include "model/forest/loops.h"

typedef struct eri_loop_pencil {
    eri_loops *loops;
    er_redundant_row *redundant; ///< [loops->redundant_count]
    bool *still;                 ///< [coordinate_count], coordinates of the model that loops lock
    int constrained, sprung;     ///< rows in use: constraints kept, then springs of loop joints
    int elastic, zeros, rigid;   ///< modes there are; of the zeros the first are rigid
    const int *row;              ///< [constrained + sprung], of the loops
    const double *root;          ///< [constrained + sprung], k^1/2 of springs
    struct loop_parts *parts;    ///< private, as is what follows
    er_arena *arena;
} eri_loop_pencil;

/// Builds the rows of a tree's loops.
/// @param arena   for what the geometry decides
/// @param result  for the list of redundant rows
/// Errors  ER_ERROR_RIG (too many rows), ER_ERROR_MEMORY
er_result eri_loop_pencil_create(er_arena *arena, er_arena *result, const eri_forest *tree, double tol,
                                 eri_loop_pencil **out);

/// Frees what lies outside the arenas. NULL is fine.
void eri_loop_pencil_destroy(eri_loop_pencil *c);

/// Takes the tree's stiffness and masses as they are now, after eri_condensed_factor() and eri_loops_set_stiffness().
/// Memory: its own; none is taken where the same springs are 0 as before.
/// Errors  ER_ERROR_RIG (too many rows), ER_ERROR_NOT_POSDEF, ER_ERROR_MEMORY
er_result eri_loop_pencil_prepare(eri_loop_pencil *c, const eri_forest *tree, const eri_condensed *condensed);

/// Closes the loops of a factorisation K - sigma M: corrects eri_shifted_factor()'s counts and growths.   No
/// allocation.
void eri_loop_pencil_factor(eri_loop_pencil *c, const eri_forest *tree, const eri_shifted *shifted, int below[8],
                            double growth[8]);

/// out = F (K - sigma M)^-1 F'v of the closed rig, u = F v: lambda / (lambda - sigma) on closed v, 0 on
/// their orthogonal complement.   No allocation.
/// @param v, out  [N + sprung]; they do not overlap
void eri_loop_pencil_solve(eri_loop_pencil *c, const eri_forest *tree, const eri_shifted *shifted, const eri_lanes *v,
                           eri_lanes *out);

/// The nearest closed shape, in potential energy.   No allocation.
void eri_loop_pencil_project(const eri_loop_pencil *c, const eri_forest *tree, eri_lanes *v);

/// eri_condensed_apply() of the closed rig: the unsprung coordinates take no force but those given and the loops'. On
/// closed v, v'A v is twice the kinetic energy.   No allocation.
/// @param v         [N + sprung], closed
/// @param force     [unsprung_count], or NULL
/// @param Av        [N + sprung], written: closed but for a part that eri_loop_pencil_project() removes
/// @param unsprung  [unsprung_count], written
/// @param twist     [6 link_count], written, or NULL
void eri_loop_pencil_apply(eri_loop_pencil *c, const eri_forest *tree, const eri_condensed *condensed,
                           const eri_lanes *v, const eri_lanes *force, eri_lanes *Av, eri_lanes *unsprung,
                           eri_lanes *twist);

/// The zero mode k, raw: the unsprung rates of a rigid one; the forces that start a mechanism, with no momentum against
/// the rigid ones.   No allocation.
/// @param unsprung  lane `lane` of [unsprung_count], written
void eri_loop_pencil_zero(const eri_loop_pencil *c, int k, int lane, eri_lanes *unsprung);

#endif
