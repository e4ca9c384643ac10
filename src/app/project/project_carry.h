/// @file
/// Mixes and gaits carried from one model to another.
#ifndef ERI_APP_PROJECT_PROJECT_CARRY_H
#define ERI_APP_PROJECT_PROJECT_CARRY_H

#include <eigenrig/identity.h>

#include "app/project/project_motion.h"

/// A model that a mix is carried from, or to.
typedef struct project_carry_rig {
    const er_model *model;
    const er_rig *rig;       ///< NULL for a rig file
    const er_gait_def *body; ///< how its body is read; NULL: the defaults
    const er_modes *modes;   ///< its modes
} project_carry_rig;

/// Carries a mix as er_mix_carry(). Warns of components without counterpart, by the names of their modes, and notes how
/// much of the others was carried.
/// @param def  NULL for the defaults
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   as er_regions_create() and er_mix_carry()
er_result project_carry_mix(er_context *context, const project_carry_rig *from, const er_mix *mix,
                            const project_carry_rig *to, const er_carry_def *def, const project_listener *listener,
                            er_mix **out);

/// Carries a gait as er_gait_carry(). Warns if it has another family on the other model, and notes how much was
/// carried.
/// @param paces  how gaits are found (er_gait_of_mix())
/// @param out    ER_OK: a new object of one gait for er_gaits_destroy(); otherwise NULL
/// Errors   as er_regions_create() and er_gait_carry()
er_result project_carry_gait(er_context *context, const project_carry_rig *from, const er_gait *gait,
                             const project_carry_rig *to, const er_gait_def *paces, const er_carry_def *def,
                             const project_listener *listener, er_gaits **out);

#endif
