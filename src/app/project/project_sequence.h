/// @file
/// Sequences in words: "idle 4s, walk 6s, run 3s".
#ifndef ERI_APP_PROJECT_PROJECT_SEQUENCE_H
#define ERI_APP_PROJECT_PROJECT_SEQUENCE_H

#include <eigenrig/gait.h>

#include "app/project/project_motion.h"

/// A sequence to make. All is borrowed.
typedef struct project_sequence_def {
    const er_model *model;
    const er_rig *rig; ///< NULL for a rig file, which has no clips
    const er_modes *modes;
    const er_gait_def *gait; ///< how gaits are found, and the body is read
    const char *text; ///< items, separated by commas, each `WHAT SECONDS`, with an s after the number or without. WHAT
                      ///< is a preset, a gait or a clip, in this order; "preset:NAME", "gait:NAME" or "clip:NAME" say
                      ///< which. A:SHARE+B is a blend of two gaits; MODE:DEGREES,... is a mix, or a mix file
    double blend;     ///< s, of transitions; negative: 1.5 strides of the slower gait, 0.5 s where there is none
    double fps;
    er_gaits **gaits; ///< those of the model found before, or NULL there; written if a name made them be searched. The
                      ///< caller's own. NULL: searched and forgotten
} project_sequence_def;

/// Makes a sequence. Mixes plant the feet if the rig has any; presets plant as they say.
/// @param out  ER_OK: for er_gait_motion_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (the text, naming the item; a name that is neither), and as er_gaits_find(),
///          project_make_preset(), project_fit_mix(), er_gait_move() and er_gait_sequence()
er_result project_make_sequence(er_context *context, const project_sequence_def *def, const project_listener *listener,
                                er_gait_motion **out);

#endif
