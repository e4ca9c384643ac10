/// @file
/// Private: what every writer of a simulation's frames needs.
#ifndef ERI_FORMATS_CURVES_FRAMES_CSV_H
#define ERI_FORMATS_CURVES_FRAMES_CSV_H

#include <eigenrig/plots.h>

/// Refuses frames with something missing, with times that do not ascend and with poses that may not be.
/// @param what  the function that was called, for the message
/// Errors   ER_ERROR_ARGUMENT
er_result eri_frames_check(er_context *context, const er_world_frames *frames, const char *path, const char *what);

#endif
