/// @file
/// Presets by name: those of the library, and a user's own from a file.
#ifndef ERI_APP_PROJECT_PROJECT_PRESET_H
#define ERI_APP_PROJECT_PROJECT_PRESET_H

#include <eigenrig/gait.h>

#include "app/project/project_motion.h"
#include "app/project/project_plant.h"

/// How far the parts of a preset go.
typedef struct project_preset_parts {
    int count;
    er_preset_part part[ER_PRESET_MOST_MOVES];
} project_preset_parts;

/// Makes a preset's mix. Names are looked up without regard to case: first in $XDG_CONFIG_HOME/eigenrig/presets (by
/// default ~/.config/eigenrig/presets), then in the library. A line of the file is "NAME SECONDS PLANT MOVES" as in
/// er_preset, or a comment that begins with `#`. Warns of malformed lines, of duplicate names, of modes whose amplitude
/// is limited, and of a mix that is reduced until loops and planted bodies can follow.
/// @param gait    how the body is read; NULL: the defaults
/// @param parts   NULL, or written: how far its parts go, which is warned of where it falls short
/// @param plants  NULL, or written: the planted bodies, none for "feet" of a rig without feet; to be cleared
/// @param out     ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (no preset of that name: suggests the nearest), ER_ERROR_FORMAT (a malformed line: names
///          the file and the line), as er_preset_mix()
er_result project_make_preset(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              const er_gait_def *gait, const char *name, const project_listener *listener,
                              project_plants *plants, project_preset_parts *parts, er_mix **out);

/// A line on how far a part goes: "tail side: 8 % of the height, of 14 % asked; WHY".
void project_write_preset_part(const er_preset_part *part, char *text, size_t size);

/// Whether a preset of that name is one in time (er_preset_is_timed()). False for a name that there is not.
bool project_preset_is_timed(const char *name);

/// Makes the motion of a preset in time, found as project_make_preset() finds it. Warns of parts that do not move as
/// far as was asked.
/// @param fps    frames a second at least
/// @param parts  NULL, or written, as for project_make_preset()
/// @param out    ER_OK: a new object for er_gait_motion_destroy(); otherwise NULL
/// Errors   as project_make_preset() and er_preset_move()
er_result project_move_preset(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              const er_gait_def *gait, const char *name, double fps, const project_listener *listener,
                              project_preset_parts *parts, er_gait_motion **out);

/// Lists the names in the user's file, line by line, duplicates included. Warns of malformed lines, and of a file that
/// cannot be read.
/// @param each  called with every name, which is valid during the call
void project_list_presets(const project_listener *listener, void (*each)(void *user, const char *name), void *user);

#endif
