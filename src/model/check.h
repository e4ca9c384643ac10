/// @file
/// What a rig's numbers must be, one part at a time.
#ifndef ERI_MODEL_CHECK_H
#define ERI_MODEL_CHECK_H

#include <eigenrig/model.h>

/// Errors  ER_ERROR_RIG, naming the part and what is wrong with it.
er_result eri_model_check_body(er_context *context, int i, const er_body *body);
er_result eri_model_check_joint(er_context *context, int i, const er_joint *joint, int body_count);

/// Looks only at the damping of a def.
er_result eri_model_check_damping(er_context *context, const er_model_def *def);

#endif
