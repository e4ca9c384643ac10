/// @file
/// A rig as it was understood, as a description in Lua (docs/lua.md) that a person corrects. Read back as it is, it
/// makes the same rig.
#ifndef ERI_APP_PROJECT_WRITE_DESCRIPTION_H
#define ERI_APP_PROJECT_WRITE_DESCRIPTION_H

#include "app/project/apply_description.h"

/// Props by name, as er_rig_def.props has them; "none" where there are none.
/// @param prop  [node_count], as er_rig.prop
/// @param out   [size], written   @return whether they can be told so: names without commas, and not too many
bool project_list_props(const er_scene *scene, const bool *prop, char *out, size_t size);

/// Whether the pose file that was asked for, if any, lies where a description may name it: below its folder.
/// @param path  of the description
bool project_can_name_pose(const project_request *request, const char *path);

/// Writes a rig as a description.
/// @param request   how it became one: the settings given are written, and rig.change
/// @param masses  a model of the same bodies, whose masses are told in comments
/// @param path    as er_file_write() takes it
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result project_write_description(er_context *context, const project_request *request, const er_rig *rig,
                                    const er_model *masses, const char *path);

#endif
