/// @file
/// How a model becomes a rig, said as a table; the fields are the command line's options.
#ifndef ERI_RIG_DESCRIPTION_SETTINGS_H
#define ERI_RIG_DESCRIPTION_SETTINGS_H

#include <eigenrig/rig.h>

#include "rig/description/description.h"
#include "rig/description/reader.h"

/// Reads the fields of a table into `out`, which begins as description_default_settings() or as fields read before.
/// Texts are borrowed from the table; what else is needed is left on the stack, which keeps it as long as the caller
/// does. Unknown fields are errors.
void description_read_settings(reader *r, int table, description_settings *out);

/// Nothing given, all as the library has it.
description_settings description_default_settings(void);

/// Reads the fields of a table about a joint into a change of it.
void description_read_joint(reader *r, int table, er_joint_change *out);

/// Reads the table on the top of the stack, places of bodies by name or a list of them; texts and arrays as above.
void description_read_places(reader *r, description_settings *out);

/// Reads the fields joints (where it is a table), bodies, welds, mirror and loops; arrays and texts as above.
void description_read_change(reader *r, int table, description_settings *out);

#endif
