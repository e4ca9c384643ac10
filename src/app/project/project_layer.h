/// @file
/// Gaits over several strides with a mix on top, or with a clip for all bodies but the legs.
#ifndef ERI_APP_PROJECT_PROJECT_LAYER_H
#define ERI_APP_PROJECT_PROJECT_LAYER_H

#include <eigenrig/gait.h>

#include "app/project/project_motion.h"
#include "app/project/project_plant.h"

/// The layers. All is borrowed.
typedef struct project_layer {
    const er_rig *rig; ///< of the clip; NULL where there is none
    const er_modes *modes;
    const er_gait_body *body; ///< of the gaits
    const er_gait *gait;
    double duration;              ///< s, rounded to whole strides; 0: that of the clip, or of the mix's cycle
    const er_mix *mix;            ///< fitted, its harmonics counted in strides; NULL: none
    const er_clip *over;          ///< stretched to whole strides; NULL: none
    const project_plants *plants; ///< bodies besides the feet that keep the gait's poses
    double fps;                   ///< for warnings about the mix
    const bool *part;             ///< [body_count], bodies that the mix and the clip move; NULL: all
} project_layer;

/// Repeats a stride and adds the layers.
/// @param motion   the stride; ER_OK: replaced by all strides
/// @param top      ER_OK: the mix's motion, for er_motion_destroy(); NULL without a mix
/// @param strides  ER_OK: how many, 1 to 1000
/// Errors   as project_make_motion(), er_poses_of_nodes() and er_gait_layer(); `motion` stays then
er_result project_layer_gait(er_context *context, const project_layer *layer, const project_listener *listener,
                             er_gait_motion **motion, er_motion **top, int *strides);

#endif
