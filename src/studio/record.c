#include "studio/record.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 100000, MOST_FPS = 100000, LEAST_KEYS = 8 }; // s, 1/s: what takes hold
enum { KEYS_A_PERIOD = 48, KEYS_OF_LOOPS = 192 }; // a slerp between two of 48 strays by 1/470 of the amplitude

static er_result quieter(er_context *context, const er_mix *mix, double share, er_mix **out)
{
    er_mix less = *mix;
    er_voice *voice = malloc((size_t)mix->voice_count * sizeof *voice);
    if (voice == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < mix->voice_count; ++i) {
        voice[i] = mix->voice[i];
        voice[i].degrees *= share;
    }
    less.voice = voice;
    er_result r = er_mix_create(context, &less, out);
    free(voice);
    return r;
}

er_result studio_reach_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                              const er_motion_def *def, double fps, double *share, er_motion **out)
{
    er_mix *less = NULL;
    *share = 1.0;
    er_result r = er_motion_create(context, model, modes, mix, def, out);
    if (r != ER_OK || model->loop_count == 0) return r;
    r = er_motion_reach(*out, fps, share);
    if (r == ER_OK && *share == 1.0) return r;
    er_motion_destroy(*out);
    *out = NULL;
    if (r == ER_OK) r = quieter(context, mix, *share, &less);
    if (r == ER_OK) r = er_motion_create(context, model, modes, less, def, out);
    er_mix_destroy(less);
    return r;
}

er_result studio_record_motion(er_context *context, er_motion *motion, const er_take_target *target,
                               const er_take_def *def, er_take **out)
{
    er_take_def d = *def;
    d.cubic |= d.tolerance == 0.0 && motion->model->loop_count > 0;
    return er_take_record(context, motion, target, &d, out);
}

er_result studio_record_mode(er_context *context, const er_model *model, const er_modes *modes, int index,
                             double degrees, const er_take_target *target, double *share, er_take **out)
{
    double hz = modes->mode[index - modes->first].frequency_hz;
    char name[64];
    er_motion *motion = NULL;
    er_voice voice = er_default_voice();
    er_mix mix = {.name = "", .voice_count = 1, .voice = &voice};
    er_motion_def period = er_default_motion_def();
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
    period.duration = 1.0 / hz;
    period.loop = true;
    er_result r = studio_reach_motion(context, model, modes, &mix, &period, def.fps, share, &motion);
    if (r == ER_OK) r = er_take_record(context, motion, target, &def, out);
    er_motion_destroy(motion);
    return r;
}
