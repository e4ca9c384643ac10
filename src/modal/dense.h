/// @file
/// The dense routes: qr and svd, and tree for rigs with loops.
#ifndef ER_MODAL_DENSE_H
#define ER_MODAL_DENSE_H

#include <eigenrig/modal.h>

/// er_modal_solve() by def->method: ER_MODAL_QR, ER_MODAL_SVD or ER_MODAL_TREE. The arguments are checked.
er_result er_modal_dense(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out);

#endif
