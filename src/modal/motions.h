/// @file
/// A basis of the motions that joints allow: null(G), dense, by factoring G or from the coordinates of a tree.
#ifndef ERI_MODAL_MOTIONS_H
#define ERI_MODAL_MOTIONS_H

#include <eigenrig/modal.h>
#include <eigenrig/model.h>

#include "math/dense/dense.h"
#include "model/forest/forest.h"

/// The twist of a body's frame, in its axes, that a link's column gives it at unit rate.
/// @param pose   of the body, which the link carries
/// @param twist  [6], written: (omega; v)
void eri_link_body_twist(const eri_forest_link *link, int column, const er_pose *pose, double *twist);

/// Finds the basis by def->method: ER_MODAL_SVD, ER_MODAL_TREE, else by QR; fills in what modes say of G.
/// @param modes  dof, rank and its gap, constraint_count, redundant rows (in its arena) and method are written
/// @param N      6 body_count x dof, in scratch: full column rank, rad/s and m/s
/// Errors  ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY
er_result eri_modal_motions(er_arena *scratch, const er_model *model, const er_constraints *constraints,
                            const er_modal_def *def, er_modes *modes, eri_matrix *N);

#endif
