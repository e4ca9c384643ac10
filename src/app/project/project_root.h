/// @file
/// The node that carries root motion: one of the model's, or an added root bone.
#ifndef ERI_APP_PROJECT_PROJECT_ROOT_H
#define ERI_APP_PROJECT_PROJECT_ROOT_H

#include "app/project/target.h"

/// Finds the node of a target that is to carry root motion, or adds it.
/// @param name    of a node above all bodies; "root" is added if the model has none: at the place of the node above the
///                bodies, or at the origin, between that node and the bodies; and as a joint without weight to the
///                skins of bones below it. "flat" is a node called root in any case, or an added "root"
/// @param target  ER_OK: has the node; its scene, its arrays and its `source` are replaced if the node had to be added
/// @param node    ER_OK: its index in the target's scene
/// Errors   ER_ERROR_ARGUMENT (no such node; it is not above all bodies; it moves with a body that has weight on it),
///          ER_ERROR_MEMORY
er_result project_root_set(er_context *context, const char *name, project_target *target, int *node);

void project_root_clear(project_rooted *rooted); ///< NULL is fine

#endif
