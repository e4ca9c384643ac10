#include "studio/record.h"

#include <stdio.h>

enum { LONGEST = 100000, MOST_FPS = 100000, LEAST_KEYS = 8 }; // s, 1/s: what takes hold
enum { KEYS_A_PERIOD = 48, KEYS_OF_LOOPS = 192 }; // a slerp between two of 48 strays by 1/470 of the amplitude

er_result studio_record_motion(er_context *context, er_motion *motion, const er_take_target *target,
                               const er_take_def *def, er_take **out)
{
    er_take_def d = *def;
    d.cubic |= d.tolerance == 0.0 && motion->model->loop_count > 0;
    return er_take_record(context, motion, target, &d, out);
}

// At the amplitude, or, where its loops do not follow so far, as far as they do.
static er_result mode_motion(er_context *context, const er_model *model, const er_modes *modes, er_voice voice,
                             double fps, double *share, er_motion **out)
{
    er_mix mix = {.name = "", .voice_count = 1, .voice = &voice};
    er_motion_def def = er_default_motion_def();
    def.duration = 1.0 / modes->mode[voice.mode - modes->first].frequency_hz;
    def.loop = true;
    er_result r = er_motion_create(context, model, modes, &mix, &def, out);
    if (r == ER_OK && model->loop_count > 0) r = er_motion_reach(*out, fps, share);
    if (r != ER_OK || *share == 1.0) return r;
    er_motion_destroy(*out);
    voice.degrees *= *share;
    return er_motion_create(context, model, modes, &mix, &def, out);
}

er_result studio_record_mode(er_context *context, const er_model *model, const er_modes *modes, int index,
                             double degrees, const er_take_target *target, double *share, er_take **out)
{
    double hz = modes->mode[index - modes->first].frequency_hz;
    char name[64];
    er_motion *motion = NULL;
    er_voice voice = er_default_voice();
    er_take_def def = er_default_take_def();
    *share = 1.0;
    *out = NULL;
    voice.mode = index;
    voice.degrees = degrees;
    def.cubic = model->loop_count > 0; // not all viewers take tangents
    def.fps = fmin((def.cubic ? KEYS_OF_LOOPS : KEYS_A_PERIOD) * hz, MOST_FPS);
    def.name = name;
    if (def.fps < LEAST_KEYS * hz || hz * LONGEST < 1.0) return ER_OK;
    snprintf(name, sizeof name, "mode %02d  %.2f Hz", index, hz);
    er_result r = mode_motion(context, model, modes, voice, def.fps, share, &motion);
    if (r == ER_OK) r = er_take_record(context, motion, target, &def, out);
    er_motion_destroy(motion);
    return r;
}
