/// @file
/// Descriptions of rigs in Lua (docs/lua.md), read in a sandbox.
#ifndef ERI_APP_DESCRIPTION_DESCRIPTION_H
#define ERI_APP_DESCRIPTION_DESCRIPTION_H

#include "app/settings/rig_settings.h"

/// How a description is opened: bits.
enum {
    DESCRIPTION_BESIDE = 1, ///< found beside a model, not named by the user: opened as er_file_open_reference() does
    DESCRIPTION_OUTSIDE = 2 ///< with BESIDE: links may lead out of its folder
};

/// A description of a rig, read.
typedef struct open_description {
    rig_settings settings;   ///< borrows from the state
    struct lua_State *state; ///< private
} open_description;

/// Reads a description of a rig: Lua that returns a table (docs/lua.md). It runs in its own state, without files and
/// other code, for at most 10 million steps and 5 s, in at most 16 MiB.
/// @param path  kept by settings that name a pose file, which is found from its folder
/// @param how   DESCRIPTION_BESIDE, DESCRIPTION_OUTSIDE or 0
/// @param out   ER_OK: to be closed; otherwise all zeros
/// Errors   ER_ERROR_FILE (cannot be read; over 1 MiB), ER_ERROR_FORMAT (FILE:LINE: what is wrong), ER_ERROR_MEMORY
/// Memory   of its own until it is closed.   Threads: one call per context at a time.
er_result description_open(er_context *context, const char *path, unsigned how, open_description *out);

/// Closes it; all zeros are fine.
void description_close(open_description *s);

/// The path of the description beside a model: the model's with the ending `.rig.lua`.   @return whether it exists
/// @param out  [size], written
bool description_find(const char *model, char *out, size_t size);

#endif
