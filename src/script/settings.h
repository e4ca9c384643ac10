/// @file
/// Private to the script room: how a model becomes a rig, said as a table; the fields are the command line's options.
#ifndef ER_SCRIPT_SETTINGS_H
#define ER_SCRIPT_SETTINGS_H

#include <eigenrig/rig.h>

#include "script/reader.h"
#include "script/script.h"

/// Reads the fields of a table into `out`, which begins as script_default_settings() or as fields read before.
/// Texts are borrowed from the table; what else is needed is left on the stack, which keeps it as long as the caller
/// does. Unknown fields are errors.
void script_read_settings(script_reader *r, int table, script_settings *out);

/// Nothing given, all as the library has it.
script_settings script_default_settings(void);

/// Reads the fields of a table about a joint into a change of it.
void script_read_joint(script_reader *r, int table, er_joint_change *out);

/// Reads the fields joints (where it is a table), bodies, welds, mirror and loops; arrays and texts as above.
void script_read_change(script_reader *r, int table, script_settings *out);

#endif
