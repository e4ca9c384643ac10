/// @file
/// Writes a rig as a description in Lua (docs/lua.md) that a person can correct. Unchanged, it makes the same rig.
#ifndef ERI_APP_PROJECT_WRITE_DESCRIPTION_H
#define ERI_APP_PROJECT_WRITE_DESCRIPTION_H

#include "app/project/apply_description.h"
#include "app/project/project_learn.h"

enum { PROJECT_NODE_NAME = 24 }; ///< bytes of a name that the library gives a node

/// The library's name for a node.
/// @param own  memory for it, if the node has no name in the file
const char *project_node_name(const er_scene *scene, int node, char own[PROJECT_NODE_NAME]);

/// Lists props by name, for er_rig_def.props; "none" if there are none.
/// @param prop  [node_count], as er_rig.prop
/// @param out   [size], written   @return false if a name is empty or has a comma, or the list is too long
bool project_list_props(const er_scene *scene, const bool *prop, char *out, size_t size);

/// Whether the requested pose file, if any, is where a description may name it: below its folder.
/// @param path  of the description
bool project_can_name_pose(const project_request *request, const char *path);

/// Writes a rig as a description.
/// @param request  how the rig was made: the given settings and rig.change are written
/// @param masses   a model of the same bodies, whose masses go into comments
/// @param path     as for er_file_write()
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result project_write_description(er_context *context, const project_request *request, const er_rig *rig,
                                    const er_model *masses, const char *path);

/// Writes a rig with the joints that were learnt, each with its remark. It was made without changes of joints.
/// Errors   as project_write_description()
er_result project_write_learnt(er_context *context, const project_request *request, const er_rig *rig,
                               const project_learnt *learnt, const char *path);

#endif
