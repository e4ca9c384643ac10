/// @file
/// Which way is up in a model: what was asked, what its format says, or how its legs stand.
#ifndef ERI_APP_PROJECT_UP_AXIS_H
#define ERI_APP_PROJECT_UP_AXIS_H

#include <eigenrig/scene.h>

#include "app/project/apply_description.h"
#include "app/project/project_motion.h"

/// Sets a scene's up, and the way that it faces where that was asked.
///
/// A format that says nothing of up (BVH) has z up where feet, known by their names, lie below the beginnings of their
/// legs along z, both in the file's rest and in the mean of its first clip; which is told, as where they differ.
/// @param request  its up and forward; NULL: nothing was asked
void project_set_up_axis(er_scene *scene, const project_request *request, const project_listener *listener);

#endif
