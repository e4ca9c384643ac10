/// @file
/// Descriptions of rigs in Lua (docs/lua.md), read in a sandbox: the one door to Lua of what lies below scripts.
#ifndef ERI_APP_DESCRIPTION_DESCRIPTION_H
#define ERI_APP_DESCRIPTION_DESCRIPTION_H

#include "app/settings/rig_settings.h"

/// How a description is opened: bits.
enum {
    DESCRIPTION_BESIDE = 1, ///< it was found beside a model, not named: it goes by the rule of er_file_open_reference()
    DESCRIPTION_OUTSIDE = 2 ///< then it may lie elsewhere
};

/// A description of a rig, read.
typedef struct open_description {
    rig_settings settings;   ///< borrows from the state
    struct lua_State *state; ///< private
} open_description;

/// Reads a description of a rig: Lua that returns a table (docs/lua.md). It runs in a state of its own, without files,
/// other code or whatever could run on for ever, for at most 10 million steps in 16 MiB.
/// @param path  kept by settings that name a pose file, which is found from its folder
/// @param how   DESCRIPTION_BESIDE, DESCRIPTION_OUTSIDE or 0
/// @param out   ER_OK: to be closed; otherwise all zeros
/// Errors   ER_ERROR_FILE (cannot be read; over 1 MiB), ER_ERROR_FORMAT (FILE:LINE: what is wrong), ER_ERROR_MEMORY
/// Memory   of its own until it is closed.   Threads: one call per context at a time.
er_result description_open(er_context *context, const char *path, unsigned how, open_description *out);

/// Closes it; all zeros are fine.
void description_close(open_description *s);

/// The path of the description that lies beside a model: its own with `.rig.lua` in place of its ending. Whether there
/// is such a file.
/// @param out  [size], written
bool description_find(const char *model, char *out, size_t size);

#endif
