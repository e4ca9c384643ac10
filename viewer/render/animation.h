/// @file
/// What is shown in time: a mode, a mix, a gait, or nothing.
#ifndef ERI_VIEWER_RENDER_ANIMATION_H
#define ERI_VIEWER_RENDER_ANIMATION_H

#include "app/project/project_play.h"
#include "viewer/render/render.h"

/// A motion to look at. Made by one of the functions below, ended by animation_finish().
typedef struct animation {
    const er_model *model;
    er_context *context;
    er_motion *motion;          ///< owned; NULL: a gait, a clip, or the model at rest
    project_play clip;          ///< what plays in place of the motion; all zeros: nothing
    const er_gait_motion *gait; ///< borrowed; NULL: none
    double duration;            ///< s, after which it begins anew; 0 at rest
    double hz;                  ///< of a mode or a gait: as it is shown
    double slowed;              ///< Hz, of a mode or gait that is too fast for the frames: its own frequency; else 0
    double phase;               ///< of a mode: at time 0
    double share;               ///< of the amplitude, as far as loops of joints follow
} animation;

/// At rest.
animation animation_at_rest(const er_model *model);

/// How long a film of a mode or a gait of this frequency lasts when nobody says: a period, as often as makes 2 s; 2 s
/// where the period is longer than 20 s.
double animation_period(double hz);

/// A mode, by the palette's index: whole cycles in `frames` frames, no fewer than eight frames each.
/// @param duration  s, > 0   @param frames  in it; 0: of a picture, where only phases count
/// Errors   as er_motion_create()
er_result animation_of_mode(er_context *context, const render_subject *subject, const render_def *def, int mode,
                            double duration, int frames, animation *out);

/// def->mix, a loop unless its envelopes keep it from being one.
/// Errors   as er_mix_fit() and er_motion_create()
er_result animation_of_mix(er_context *context, const render_subject *subject, const render_def *def, animation *out);

/// def->clip, and def->mix over it where there is one.
/// Errors   as er_mix_fit(), er_motion_create() and er_motion_record()
er_result animation_of_clip(er_context *context, const render_subject *subject, const render_def *def, animation *out);

/// A gait: whole strides in `frames` frames, no fewer than eight frames each; `duration` of them is one.
/// @param duration  s, > 0, of the film   @param frames  in it; 0: of a picture, at its own pace
animation animation_of_gait(const er_gait_motion *gait, double duration, int frames);

/// Whether it moves.
bool animation_moves(const animation *s);

void animation_finish(animation *s);

/// @param pose  [body_count], written
er_result animation_pose(animation *s, double time, er_pose *pose);

/// How far a gait has led at a time, m; 0 for anything else.
er_vec3 animation_travel(const animation *s, double time);

/// The time at which a mode is at an end of its swing: `sign` 1 or -1.
double animation_peak_time(const animation *s, int sign);

#endif
