// One period of a mode as a clip.
#include "period.h"

#include <stdio.h>

er_take_target period_target(const er_rig *rig)
{
    return (er_take_target){rig->scene, rig->node_body, rig->bone, rig->world, rig->metres_per_unit};
}

er_result period_motion(er_context *context, const er_model *model, const er_modes *modes, int mode, double degrees,
                        er_motion **out)
{
    er_voice voice = er_default_voice();
    voice.mode = mode;
    voice.degrees = degrees;
    er_mix mix = {.name = "", .voice_count = 1, .voice = &voice};
    er_motion_def def = er_default_motion_def();
    def.duration = 1.0 / modes->mode[mode - modes->first].frequency_hz;
    def.loop = true;
    return er_motion_create(context, model, modes, &mix, &def, out);
}

er_result period_take(er_context *context, const er_model *model, const er_modes *modes, int mode, double degrees,
                      int steps, const er_take_target *target, er_take **out)
{
    er_motion *motion = NULL;
    er_take_def def = er_default_take_def();
    char name[32];
    snprintf(name, sizeof name, "mode %02d", mode);
    def.name = name;
    def.fps = steps * modes->mode[mode - modes->first].frequency_hz;
    er_result r = period_motion(context, model, modes, mode, degrees, &motion);
    if (r == ER_OK) r = er_take_record(context, motion, target, &def, out);
    er_motion_destroy(motion);
    return r;
}
