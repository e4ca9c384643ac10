/// @file
/// Gaits over several strides, with a mix on top, or with all but the legs from a clip: what `animate` and scripts lay
/// alike.
#ifndef ERI_APP_PROJECT_PROJECT_LAYER_H
#define ERI_APP_PROJECT_PROJECT_LAYER_H

#include <eigenrig/gait.h>

#include "app/project/project_motion.h"
#include "app/project/project_plant.h"

/// What is laid. All is borrowed.
typedef struct project_layer {
    const er_rig *rig; ///< of the clip; NULL where there is none
    const er_modes *modes;
    const er_gait_body *body; ///< of the gaits
    const er_gait *gait;
    double duration;     ///< s, to the nearest whole strides; 0: as long as the clip, or as the mix has a cycle in
    const er_mix *mix;   ///< fitted, its harmonics counted in strides; NULL: none
    const er_clip *over; ///< stretched to whole strides; NULL: none
    const project_plants *plants; ///< what goes where the gait has it, besides feet
    double fps;                   ///< of the mix: of what is told of it
} project_layer;

/// Lays it on a stride.
/// @param motion   the stride; ER_OK: the strides in its place
/// @param top      ER_OK: the mix's motion, for er_motion_destroy(); NULL without a mix
/// @param strides  ER_OK: how many, 1 to 1000
/// Errors   as project_make_motion(), er_poses_of_nodes() and er_gait_layer(); `motion` is as it was then
er_result project_layer_gait(er_context *context, const project_layer *layer, const project_listener *listener,
                             er_gait_motion **motion, er_motion **top, int *strides);

#endif
