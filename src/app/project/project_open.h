/// @file
/// Opens models and rig files, and builds the rig of a model, for commands, scripts and the session.
#ifndef ERI_APP_PROJECT_PROJECT_OPEN_H
#define ERI_APP_PROJECT_PROJECT_OPEN_H

#include <eigenrig/rig.h>
#include <eigenrig/scene.h>
#include <eigenrig/worlds.h>

#include "app/project/apply_description.h"
#include "app/project/project_motion.h"

/// An open file: a model, a rig file or a world. All zeros: nothing is open.
typedef struct project_file {
    er_scene *scene;      ///< NULL for a rig file and a world
    er_model *model;      ///< of a rig file or a world; NULL for a scene
    er_world_file *world; ///< NULL for others
} project_file;

/// Opens a model, a rig file, the rig in a palette file or a world.
/// @param path      "-" is a rig file on standard input
/// @param def       how a model is imported; NULL for the defaults
/// @param listener  told the scene's notes; NULL: nobody
/// @param out       ER_OK: to be closed; otherwise all zeros
/// Errors   as er_import_file(), er_rig_file_read() and er_world_file_read()
er_result project_file_open(er_context *context, const char *path, const er_import_def *def,
                            const project_listener *listener, project_file *out);

/// Closes it; all zeros are fine.
void project_file_close(project_file *file);

/// Makes a rig of a scene in the requested pose. Without one it takes the rest pose, or another pose, with a note, if
/// the model cannot stand in its rest pose (er_gait_find_stand()).
/// @param described  named in errors; NULL for none
/// @param listener   told the rig's notes; NULL: nobody
/// @param out        ER_OK: a new object for er_rig_destroy(); otherwise NULL
/// Errors   as project_read_pose() and er_rig_build()
er_result project_build_rig(er_context *context, const er_scene *scene, const project_request *request,
                            const project_description *described, const project_listener *listener, er_rig **out);

#endif
