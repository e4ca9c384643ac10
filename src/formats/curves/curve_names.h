/// @file
/// Private: what every writer of motions needs.
#ifndef ERI_FORMATS_CURVES_CURVE_NAMES_H
#define ERI_FORMATS_CURVES_CURVE_NAMES_H

#include <eigenrig/plots.h>

#include "base/arena.h"

/// Refuses a motion with something missing, with times that do not ascend and with numbers that may not be.
/// @param what  the function that was called, for the message
/// Errors   ER_ERROR_ARGUMENT
er_result eri_curves_check(er_context *context, const er_curves *curves, const char *path, const char *what);

/// "tx", "ty", "tz", "x", "y" or "z".
const char *eri_coordinate_name(int coordinate);

/// The names of formats.h, all different: [joint_count], [body_count]; NULL when there is no memory.
const char **eri_joint_names(er_arena *arena, const er_model *model);
const char **eri_body_names(er_arena *arena, const er_model *model);

/// The path as a message names it.
const char *eri_path_name(const char *path);

#endif
