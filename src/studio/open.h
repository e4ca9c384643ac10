/// @file
/// A model, or a rig file, as its path says: the one way that commands and the studio take to it.
#ifndef ER_STUDIO_OPEN_H
#define ER_STUDIO_OPEN_H

#include <eigenrig/import.h>
#include <eigenrig/rig.h>

/// What a path holds. All zeros when nothing is open.
typedef struct studio_file {
    er_scene *scene; ///< NULL for a rig file
    er_model *model; ///< of a rig file; NULL for a scene
} studio_file;

/// Opens a model, a rig file or the rig in a palette file.
/// @param path  "-" is a rig file on standard input
/// @param def   how a model is imported; NULL for the defaults
/// @param out   ER_OK: to be closed; otherwise all zeros
/// Errors   as er_import_file() and er_file_read_rig()
er_result studio_file_open(er_context *context, const char *path, const er_import_def *def, studio_file *out);

/// Closes it; all zeros are fine.
void studio_file_close(studio_file *file);

#endif
