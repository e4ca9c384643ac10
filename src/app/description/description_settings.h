/// @file
/// The settings of a rig as fields of a table of Lua.
#ifndef ERI_APP_DESCRIPTION_DESCRIPTION_SETTINGS_H
#define ERI_APP_DESCRIPTION_DESCRIPTION_SETTINGS_H

#include "app/description/reader.h"
#include "app/settings/rig_settings.h"

/// Reads the fields of a table into `out`, which starts as rig_settings_default() or holds fields read before.
/// Texts are borrowed from the table. Arrays are left on the stack, which keeps them as long as the caller keeps the
/// stack. Unknown fields are errors.
void description_read_settings(reader *r, int table, rig_settings *out);

/// Reads the fields of a table about a joint into a change of it.
void description_read_joint(reader *r, int table, er_joint_change *out);

/// Reads places of bodies, by name or as a list, from the table on top of the stack; texts and arrays as above.
void description_read_places(reader *r, rig_settings *out);

/// Reads the fields joints (where it is a table), bodies, welds, mirror and loops; arrays and texts as above.
void description_read_change(reader *r, int table, rig_settings *out);

#endif
