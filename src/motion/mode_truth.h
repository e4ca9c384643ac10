/// @file
/// Private: how full dynamics depart from a mode, to second order in its amplitude.
#ifndef ERI_MOTION_MODE_TRUTH_H
#define ERI_MOTION_MODE_TRUTH_H

#include <eigenrig/motion.h>

#include "base/arena.h"

/// Work space for the modes of one rig: the lowest 128, whatever the caller solved for, so that bounds do not depend on
/// their number.
typedef struct eri_truth eri_truth;

/// @param model  without loops; this and the modes are borrowed
/// Errors   as er_modal_solve(), er_kinematics_create() and er_world_create(); ER_ERROR_MEMORY.   Memory: allocates the
/// result.
er_result eri_truth_create(er_context *context, const er_model *model, const er_modes *modes, eri_truth **out);

/// NULL is fine.
void eri_truth_destroy(eri_truth *truth);

/// The amplitude at which a mode's frequency shifts by `shift`, or `leak` of its energy is in others of the modes.
/// @param index  of an elastic mode
/// @param out    written: degrees; HUGE_VAL: neither happens
/// Errors   ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY
er_result eri_truth_find(eri_truth *truth, int index, double shift, double leak, double *out);

#endif
