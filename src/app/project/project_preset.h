/// @file
/// Presets by name: those of the library, and a user's own from a file.
#ifndef ERI_APP_PROJECT_PROJECT_PRESET_H
#define ERI_APP_PROJECT_PROJECT_PRESET_H

#include <eigenrig/gait.h>

#include "app/project/project_motion.h"
#include "app/project/project_plant.h"

/// Makes a preset's mix. Names are looked for, the case of letters aside, in $XDG_CONFIG_HOME/eigenrig/presets
/// (~/.config/eigenrig/presets without it), a line each, "NAME SECONDS PLANT MOVES" as er_preset has them, `#` before
/// what is no preset; then among the library's. Tells of lines that are off, of a name that is there twice, of modes
/// that are taken with less than was asked, and of a mix made smaller until loops and what is planted follow.
/// @param gait    how the body is read; NULL: the defaults
/// @param plants  NULL, or written: what stays, nothing of "feet" where there are none; to be cleared
/// @param out     ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (there is none of that name: says which there are like it), ER_ERROR_FORMAT (its line of
///          the file is off; names both), as er_preset_mix()
er_result project_make_preset(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              const er_gait_def *gait, const char *name, const project_listener *listener,
                              project_plants *plants, er_mix **out);

/// Hands on the names in the user's file, line by line, one that is there twice twice; tells of lines that are off, and
/// of a file that cannot be read.
/// @param each  called with every name, which is gone after the call
void project_list_presets(const project_listener *listener, void (*each)(void *user, const char *name), void *user);

#endif
