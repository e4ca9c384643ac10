/// @file
/// The motion a picture or film shows: a mode, a mix, a clip, a gait, or the rest pose.
#ifndef ERI_VIEWER_RENDER_ANIMATION_H
#define ERI_VIEWER_RENDER_ANIMATION_H

#include "app/project/project_play.h"
#include "viewer/render/render.h"

/// Made by one of the functions below; end it by animation_finish().
typedef struct animation {
    const er_model *model;
    er_context *context;
    er_motion *motion;          ///< owned; NULL: a gait, a clip, or the model at rest
    project_play clip;          ///< a clip that plays instead of the motion; zeros: none
    int way_count;              ///< of a clip that travels
    er_vec3 *way;               ///< [way_count], m, owned: how far it has gone, at equal steps of time; NULL: no way
    const er_gait_motion *gait; ///< borrowed; NULL: none
    double duration;            ///< s, then it repeats; 0 at rest
    double hz;                  ///< of a mode or a gait, as shown
    double slowed; ///< Hz, own frequency of a mode or gait that is shown slower because it is too fast for the frames;
                   ///< else 0
    double phase;  ///< of a mode: at time 0
    double share;  ///< share of the amplitude that loops of joints can follow
} animation;

/// At rest.
animation animation_at_rest(const er_model *model);

/// Default length of a film of a mode or gait: whole periods that last at least 2 s; 2 s if the period exceeds 20 s.
double animation_period(double hz);

/// A mode, by the palette's index: whole cycles in `frames` frames, no fewer than eight frames each.
/// @param duration  s, > 0   @param frames  in it; 0: of a picture, where only phases count
/// Errors   as er_motion_create()
er_result animation_of_mode(er_context *context, const render_subject *subject, const render_def *def, int mode,
                            double duration, int frames, animation *out);

/// def->mix, as a loop unless its envelopes prevent that.
/// Errors   as er_mix_fit() and er_motion_create()
er_result animation_of_mix(er_context *context, const render_subject *subject, const render_def *def, animation *out);

/// def->clip, with def->mix added if there is one.
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

/// Distance a gait has travelled at a time, m, or a clip with a way; 0 for other motions.
er_vec3 animation_travel(const animation *s, double time);

/// Finds the way along the ground of a clip that goes farther than half the model's size. Its poses are in place then.
/// Errors   ER_ERROR_MEMORY, and as er_poses_of_nodes()
er_result animation_find_way(animation *s, er_vec3 up);

/// The time at which a mode reaches its positive (sign 1) or negative (-1) extreme.
double animation_peak_time(const animation *s, int sign);

#endif
