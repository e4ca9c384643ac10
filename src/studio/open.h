/// @file
/// A model, or a rig file, as its path says, and the rig of a model: the one way that commands, scripts and the studio
/// take to them.
#ifndef ER_STUDIO_OPEN_H
#define ER_STUDIO_OPEN_H

#include <eigenrig/import.h>
#include <eigenrig/rig.h>

#include "studio/describe.h"
#include "studio/record.h"

/// What a path holds. All zeros when nothing is open.
typedef struct studio_file {
    er_scene *scene; ///< NULL for a rig file
    er_model *model; ///< of a rig file; NULL for a scene
} studio_file;

/// Opens a model, a rig file or the rig in a palette file.
/// @param path      "-" is a rig file on standard input
/// @param def       how a model is imported; NULL for the defaults
/// @param listener  told the scene's notes; NULL: nobody
/// @param out       ER_OK: to be closed; otherwise all zeros
/// Errors   as er_import_file() and er_file_read_rig()
er_result studio_file_open(er_context *context, const char *path, const er_import_def *def,
                           const studio_listener *listener, studio_file *out);

/// Closes it; all zeros are fine.
void studio_file_close(studio_file *file);

/// Makes a rig of a scene, in the pose that was asked for.
/// @param described  whose say is added to errors; NULL for none
/// @param listener   told the rig's notes; NULL: nobody
/// @param out        ER_OK: a new object for er_rig_destroy(); otherwise NULL
/// Errors   as studio_read_pose() and er_rig_build()
er_result studio_build_rig(er_context *context, const er_scene *scene, const studio_asked *asked,
                           const studio_description *described, const studio_listener *listener, er_rig **out);

#endif
