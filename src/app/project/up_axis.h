/// @file
/// The up axis of a model: as requested, as its format says, or from its legs.
#ifndef ERI_APP_PROJECT_UP_AXIS_H
#define ERI_APP_PROJECT_UP_AXIS_H

#include <eigenrig/scene.h>

#include "app/project/apply_description.h"
#include "app/project/project_motion.h"

/// Sets a scene's up axis, and the direction that it faces if requested.
///
/// A BVH does not say which axis is up. It is the axis along which feet, known by name, lie below the beginnings of
/// their legs, both at rest and in the mean of the first clip. A warning says so, and also if rest and clip differ.
/// @param request  its up and forward; NULL: none
void project_set_up_axis(er_scene *scene, const project_request *request, const project_listener *listener);

#endif
