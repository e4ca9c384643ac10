/// @file
/// Motions as clips: what `animate`, `palette` and the studio record alike.
#ifndef ER_STUDIO_RECORD_H
#define ER_STUDIO_RECORD_H

#include <eigenrig/take.h>

/// A motion at its full amplitudes, or, where loops of joints cannot follow, as far as they do: er_motion_reach().
/// @param fps    frames a second that it is looked at
/// @param share  written: of the amplitudes; 1 without loops
/// @param out    ER_OK: a new object for er_motion_destroy(); otherwise NULL
/// Errors   as er_motion_create()
er_result studio_reach_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                              const er_motion_def *def, double fps, double *share, er_motion **out);

/// Records a motion, as er_take_record(); with tangents where every frame is a key and the rig has loops, which lines
/// would part between frames.
er_result studio_record_motion(er_context *context, er_motion *motion, const er_take_target *target,
                               const er_take_def *def, er_take **out);

/// One period of an elastic mode, looping, called "mode 03  1.42 Hz".
/// @param index    as the palette prints it; one of the modes held
/// @param degrees  amplitude, > 0
/// @param share    written: of the amplitude, what loops of joints follow; 1 without loops
/// @param out      ER_OK: a new object for er_take_destroy(), or NULL where the mode is too fast or too slow for a
///                 clip; otherwise NULL
/// Errors   as er_motion_create() and er_take_record()
er_result studio_record_mode(er_context *context, const er_model *model, const er_modes *modes, int index,
                             double degrees, const er_take_target *target, double *share, er_take **out);

#endif
