/// @file
/// Private: what every writer of motions needs.
#ifndef ER_FORMATS_CURVES_MOTION_H
#define ER_FORMATS_CURVES_MOTION_H

#include <eigenrig/formats.h>

#include "base/arena.h"

/// Refuses a motion with something missing, with times that do not ascend and with numbers that may not be.
/// @param what  the function that was called, for the message
/// Errors   ER_ERROR_ARGUMENT
er_result er_curves_check(er_context *context, const er_curves *curves, const char *path, const char *what);

/// "tx", "ty", "tz", "x", "y" or "z".
const char *er_coordinate_name(int coordinate);

/// The names of formats.h, all different: [joint_count], [body_count]; NULL when there is no memory.
const char **er_joint_names(er_arena *arena, const er_model *model);
const char **er_body_names(er_arena *arena, const er_model *model);

/// The path as a message names it.
const char *er_path_name(const char *path);

#endif
