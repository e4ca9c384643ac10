/// @file
/// The routes that factor G, dense: qr and svd.
#ifndef ER_MODAL_DENSE_H
#define ER_MODAL_DENSE_H

#include <eigenrig/modal.h>

/// er_modal_solve() by def->method ER_MODAL_SVD, else by QR. The arguments are sound.
er_result er_modal_dense(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out);

#endif
