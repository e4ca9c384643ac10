/// @file
/// The dense routes: qr and svd, and tree for rigs with loops.
#ifndef ERI_MODAL_DENSE_MODES_H
#define ERI_MODAL_DENSE_MODES_H

#include <eigenrig/modal.h>

/// er_modal_solve() by def->method: ER_MODAL_QR, ER_MODAL_SVD or ER_MODAL_TREE. The arguments are checked.
er_result eri_modal_dense(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out);

#endif
