// One period of a mode as a clip.
#include "period.h"

#include <stdio.h>

er_result period_motion(er_context *context, const er_model *model, const er_modes *modes, int mode, double degrees,
                        er_motion **out)
{
    er_mix_component component = er_default_mix_component();
    component.mode = mode;
    component.degrees = degrees;
    er_mix mix = {.name = "", .component_count = 1, .component = &component};
    er_motion_def def = er_default_motion_def();
    def.duration = 1.0 / modes->mode[mode - modes->first].frequency_hz;
    def.loop = true;
    return er_motion_create(context, model, modes, &mix, &def, out);
}

er_result period_take(er_context *context, const er_model *model, const er_modes *modes, int mode, double degrees,
                      int steps, const er_recording_target *target, er_recording **out)
{
    er_motion *motion = NULL;
    er_recording_def def = er_default_recording_def();
    char name[32];
    snprintf(name, sizeof name, "mode %02d", mode);
    def.name = name;
    def.fps = steps * modes->mode[mode - modes->first].frequency_hz;
    er_result r = period_motion(context, model, modes, mode, degrees, &motion);
    if (r == ER_OK) r = er_motion_record(context, motion, target, &def, out);
    er_motion_destroy(motion);
    return r;
}
