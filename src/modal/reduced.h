/// @file
/// Private half of the modal room: what a solve in tree coordinates keeps, and the routes that share it.
///
/// The coordinates of a shape are y = K^1/2 q of the springs (model/forest/forest.h), with loops those of loop joints
/// too (modal/loop_pencil.h); everything else of it follows from them.
#ifndef ERI_MODAL_REDUCED_H
#define ERI_MODAL_REDUCED_H

#include <eigenrig/modal.h>

#include "base/arena.h"
#include "math/dense/dense.h"
#include "math/krylov/lanczos.h"
#include "modal/loop_pencil.h"
#include "modal/mode_shape.h"
#include "model/forest/forest.h"

/// The world orientation of a body and the step from its link's reference point to its frame.
typedef struct eri_station {
    er_mat3 R;
    er_vec3 step;
} eri_station;

/// Everything a solve uses; all memory is taken when it is made.
typedef struct eri_reduced {
    er_context *context;
    er_arena *arena;
    const er_model *model;
    er_modal_def def;
    eri_forest *tree;
    eri_condensed *condensed;
    eri_loop_pencil *pencil;   ///< NULL: there are no loops
    int rows;                  ///< of a shape: N, the tree's springs, and with loops those of loop joints that move
    int elastic_count;         ///< modes there are: elastic,
    int zero_count;            ///< of eigenvalue 0,
    int rigid_count;           ///< and the rigid ones of those
    int most;                  ///< modes there is memory for
    int wanted;                ///< modes asked for, rigid ones counted, at most `most`
    double *unit;              ///< [coordinate_count], 1 for angles, the rig's size for lengths
    int zeros;                 ///< modes of eigenvalue 0 that are wanted
    int elastic;               ///< columns of Y in use: elastic modes, lambda ascending
    eri_matrix Y;              ///< [rows x most], their shapes in scaled spring coordinates, orthonormal
    double *eigenvalue;        ///< [most], theirs
    int skipped;               ///< elastic modes below min_hz
    eri_matrix body;           ///< [6 body_count x most], the modes as they are handed out
    eri_matrix joint;          ///< [coordinate_count x most]
    er_mode *mode;             ///< [most]
    eri_lanes *panel[2];       ///< each [rows]
    eri_lanes *loop_rates;     ///< [6 loop_count]
    eri_lanes *unsprung;       ///< [columns at most]
    eri_lanes *force;          ///< likewise
    int *unsprung_order;       ///< likewise
    eri_lanes *twist;          ///< [6 body_count]
    eri_lanes *shape;          ///< likewise
    double *momentum;          ///< [6 body_count]
    eri_mass_factor *factor;   ///< [body_count]
    eri_station *station;      ///< [body_count], by link
    eri_matrix chunk, gram;    ///< for measuring
    eri_eigen eigen;           ///< route tree
    double *A, *theta;         ///< [N x N], [N], likewise
    struct eri_slices *slices; ///< route sparse
    er_arena *slicing;         ///< its memory: as large as everything else, and done with before shapes are written
    struct eri_halves *halves; ///< NULL: the rig is solved as a whole
    bool again;                ///< another solve follows, so memory is kept
} eri_reduced;

/// The most that a solve can be asked for.
typedef struct eri_extent {
    eri_forest_extent tree;
    int columns; ///< springs and unsprung coordinates
    int rows;    ///< of a shape: springs and what loops add
    int modes;
} eri_extent;

enum {
    SPARE_SHAPES = 16,  ///< columns of Y beyond those wanted: slices end at bounds
    MEASURED_ROWS = 192 ///< of a chunk
};

/// Memory for solves of a model; def->method is ER_MODAL_TREE or ER_MODAL_SPARSE.
/// @param result  the arena that the modes handed out live in
/// Solves a rig without loops that is symmetric to rounding in halves (modal/halves.h), unless def->whole.
/// Errors  ER_ERROR_RIG (the joints leave no motion), ER_ERROR_MEMORY
er_result eri_reduced_create(er_arena *arena, er_arena *result, const er_model *model, const er_modal_def *def,
                             eri_reduced **out);

/// How many springs and unsprung coordinates a model without loops has.
int eri_modal_columns(const er_model *model);

/// For one model after the other: reserves the memory of a solve except the tree and what depends on the route;
/// reserves the memory of the modes; then fits to a model whose tree is built. Only the first two allocate.
er_result eri_reduced_reserve(eri_reduced *s, er_arena *arena, const eri_extent *most);
er_result eri_reduced_reserve_modes(eri_reduced *s, er_arena *result, int bodies, int coordinates, int rows, int most);
void eri_reduced_fit(eri_reduced *s);

/// Memory of route tree, for shapes of so many columns.
er_result eri_reduced_reserve_tree(eri_reduced *s, int columns);

/// Frees what lies outside the arenas it was made with. NULL is fine.
void eri_reduced_destroy(eri_reduced *s);

/// Modes of the present stiffness and masses, damping left out.   No allocation without loops; with them as
/// eri_loop_pencil_prepare().
/// Errors  ER_ERROR_NO_CONVERGENCE, ER_ERROR_NOT_POSDEF; with loops ER_ERROR_RIG and ER_ERROR_MEMORY too
er_result eri_reduced_solve(eri_reduced *s, er_modes *modes);

/// A y, the product of docs/theory.md 5, of the rig with its loops closed.   No allocation.
/// @param y      [rows], of a shape that closes the loops
/// @param force  [unsprung_count], or NULL; Ay [rows], unsprung and twist as in eri_condensed_apply()
void eri_reduced_apply(eri_reduced *s, const eri_lanes *y, const eri_lanes *force, eri_lanes *Ay, eri_lanes *unsprung,
                       eri_lanes *twist);

/// The steps of a solve: begin sets inertias and the modes wanted; a route fills Y; finish sets modes and residuals.
/// @return false: masses or stiffnesses lie too far apart, and shapes are not orthogonal or leave residuals
er_result eri_reduced_begin(eri_reduced *s);
bool eri_reduced_finish(eri_reduced *s, er_modes *modes);

/// Residuals of the modes handed out: of their constraints and of M-orthonormality.
void eri_reduced_measure(eri_reduced *s, er_modes *modes);

/// Whether residuals are within the bounds that every result keeps (docs/math/modal.md, 5).
bool eri_residuals_are_small(const er_modal_residuals *residuals);

/// Reports residuals that are not, each with its bound.   @return ER_ERROR_NO_CONVERGENCE
er_result eri_refuse_residuals(er_context *context, er_modal_method method, const er_modal_residuals *residuals);

/// Columns of Y for all elastic modes wanted, dense.
/// Errors  ER_ERROR_NO_CONVERGENCE, ER_ERROR_NOT_POSDEF
er_result eri_modal_tree(eri_reduced *s);

/// Makes Y'Y = 1 and Y'AY diagonal, of shapes that nearly are so.   No allocation.
void eri_reduced_refine(eri_reduced *s);

/// A, entry (i, j) at a[i row + j column], its lower triangle.
void eri_modal_form(eri_reduced *s, double *a, size_t row, size_t column);

/// Which of the elastic modes are wanted.
/// @param theta  [N], eigenvalues of A, ascending, so that frequencies descend
/// @return whether ordinary eigenvalues, which lose eps times the largest, are accurate enough for the smallest one
/// wanted
bool eri_modal_window(const eri_reduced *s, const double *theta, int *first, int *count);

/// Memory for eri_modal_sparse().
/// @param other  of as many rows or more, whose vectors are used too, one solve after the other; or NULL
er_result eri_slices_create(eri_reduced *s, const eri_reduced *other);

/// Shares the number of modes wanted among the two halves of a rig, by counting eigenvalues: sets `wanted` of both to
/// what the `want` lowest of them together need, or more.   No allocation.
void eri_slices_share(eri_reduced *const half[2], int want);

/// The same by spectrum slicing, in O(n) a mode, still to be refined; the pivots of K - sigma M prove that none is
/// missed. Errors  ER_ERROR_NO_CONVERGENCE
er_result eri_modal_sparse(eri_reduced *s);

/// (2 pi hz)^2, HUGE_VAL for what has no square.
static inline double eri_modal_eigenvalue(double hz)
{
    return 4.0 * ER_PI * ER_PI * hz * hz;
}

/// Checks what is asked for.
/// Errors  ER_ERROR_ARGUMENT
er_result eri_modal_check_def(er_context *context, const er_modal_def *def);

/// Checks the arguments of a solve and chooses the method where that is auto.
/// Errors  ER_ERROR_ARGUMENT
er_result eri_modal_check(er_context *context, const er_model *model, er_modal_def *def);

/// Whether modes are so nearly orthonormal and keep constraints so well that method auto asks no other route.
bool eri_modal_is_accurate(const er_modes *modes);

/// One BLAS thread for a small rig.   @return for eri_linalg_set_threads() afterwards
int eri_modal_limit_threads(const er_model *model, er_modal_method method);

#endif
