/// @file
/// The joints that close loops on a tree, as rows on its coordinates, and which of their constraints are redundant.
///
/// About the pose of the tree (eri_forest_set_pose()), moving the tree's coordinates at the rates u = (springs q, then
/// unsprung z) moves the ends of a loop joint against each other, child against parent, by C u in its own frame: six
/// rows a joint, turns in rad and shifts in units of the rig's size, so that no unit of length matters. A direction
/// that the joint holds is a constraint, C u = 0; in a free one C u is its coordinate over `unit`, and its spring is a
/// constraint with a compliance: C u = force / stiffness. A joint's columns are those of the links between its ends and
/// the nearest link (or the world) above both: what lies beyond moves both ends alike and has none. Source:
/// docs/theory.md 3 and 4; docs/math/tree.md.
#ifndef ERI_MODEL_FOREST_LOOPS_H
#define ERI_MODEL_FOREST_LOOPS_H

#include <eigenrig/model.h>

#include "math/dense/dense.h"
#include "model/forest/forest.h"

/// One column of a loop joint's six rows.
typedef struct eri_loop_entry {
    int column;      ///< a spring, or spring_count + an unsprung coordinate of the tree
    double per;      ///< a unit of y or z in turns by the unit angle, or shifts by the rig's size
    double value[6]; ///< by direction (tx ty tz x y z), of one such turn or shift: nothing but geometry
} eri_loop_entry;

typedef struct eri_loop {
    int joint;           ///< of the model
    int first, end;      ///< its entries: C = value times per
    int coordinate[6];   ///< of the model, by direction; -1 where the joint holds
    double unit[6];      ///< 1 for turns, the rig's size for shifts: coordinate rate = unit times row
    double stiffness[6]; ///< of free directions, per square of the row: k unit^2; 0 where held
} eri_loop;

/// Row 6 l + i is direction i of loop l.
typedef struct eri_loops {
    int loop_count; ///< the tree's
    eri_loop *loop;
    eri_loop_entry *entry;
    int kept_count;       ///< rank: constraints that hold the tree's coordinates
    int *kept;            ///< [kept_count], rows, ascending
    int redundant_count;  ///< constraints that follow from those kept
    int *redundant;       ///< [redundant_count], rows, ascending
    double smallest_kept; ///< the least residual of a kept row, against those kept before it; 1 without rows
    double largest_zero;  ///< the largest residual of a redundant row; 0 without such rows
} eri_loops;

/// Builds the rows and decides which constraints are redundant. That is a question of geometry: neither stiffness nor
/// mass enters. A row is independent where its residual exceeds `tol`, 1 being a turn by the unit angle or a shift by
/// the rig's size; among rows that could stand for each other the model's first is kept.
/// @param tol  in (0, 1)
/// Errors  ER_ERROR_RIG (too many rows in one cluster), ER_ERROR_MEMORY. Memory: in the arena; rows take as much as the
/// links between the ends of loop joints.
er_result eri_loops_create(er_arena *arena, const eri_forest *tree, double tol, eri_loops **out);

/// The redundant rows by joint and axis.
/// @param out  [redundant_count], in the arena
/// Errors  ER_ERROR_MEMORY
er_result eri_loops_redundant(er_arena *arena, const eri_loops *loops, er_redundant_row **out);

/// Takes the tree's springs and unsprung coordinates as they are now, and the stiffness of loop joints [model's
/// coordinate_count], after eri_forest_set_stiffness().   No allocation.
void eri_loops_set_stiffness(eri_loops *loops, const eri_forest *tree, const double *stiffness);

/// Takes the rows at the pose of the tree, after eri_forest_set_pose(). The rows kept stay those that were chosen at
/// the pose that the loops were made at: where a linkage's rank is another, others may be independent.   No allocation.
void eri_loops_set_pose(eri_loops *loops, const eri_forest *tree);

/// C u: the rates of all rows.
/// @param y         [springs], rates K^1/2 q
/// @param unsprung  [unsprung_count]
/// @param rate      [6 loop_count], written
void eri_loops_rates(const eri_loops *loops, const eri_forest *tree, const eri_lanes *y, const eri_lanes *unsprung,
                     eri_lanes *rate);

/// Adds C' f, the forces on the tree's coordinates that forces on the rows make.
/// @param force     [6 loop_count], 0 in rows that are not asked for
/// @param y         [springs], added to: forces K^-1/2 C'f
/// @param unsprung  [unsprung_count], added to
void eri_loops_add_forces(const eri_loops *loops, const eri_forest *tree, const eri_lanes *force, eri_lanes *y,
                          eri_lanes *unsprung);

/// The motions that loops allow, whatever their springs: an orthonormal basis of null(C), lengths in units of the rig's
/// size, by pivoted QR of the rows kept, cluster by cluster.
/// @param arena  for the result and scratch of the square of its rows
/// @param out    [springs + unsprung x that less kept_count]: rates of the model's coordinates (of a floating root: of
///               its six), springs not scaled, rad/s and m/s
/// Errors  ER_ERROR_MEMORY
er_result eri_loops_basis(er_arena *arena, const eri_loops *loops, const eri_forest *tree, eri_matrix *out);

#endif
