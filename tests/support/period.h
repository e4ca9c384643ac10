// One period of a mode as a take, for tests that need a clip.
#ifndef TESTS_SUPPORT_PERIOD_H
#define TESTS_SUPPORT_PERIOD_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// One period of a mode at an amplitude, that loops.   Errors: those of er_motion_create().
er_result period_motion(er_context *context, const er_model *model, const er_modes *modes, int mode, double degrees,
                        er_motion **out);

/// The same as a clip of `steps` frames and one more, "mode 07".   Errors: those of er_motion_record() too.
er_result period_take(er_context *context, const er_model *model, const er_modes *modes, int mode, double degrees,
                      int steps, const er_recording_target *target, er_recording **out);

#endif
