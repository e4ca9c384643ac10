/// @file
/// Which way is up in a model: what was asked, what its format says, or how its legs stand.
#ifndef ERI_APP_PROJECT_UPRIGHT_H
#define ERI_APP_PROJECT_UPRIGHT_H

#include <eigenrig/scene.h>

#include "app/project/describe.h"
#include "app/project/record.h"

/// Sets a scene's up, and the way that it faces where that was asked.
///
/// A format that says nothing of up (BVH) has z up where feet, known by their names, lie below the beginnings of their
/// legs along z, both in the file's rest and in the mean of its first clip; which is told, as where they differ.
/// @param asked  its up and forward; NULL: nothing was asked
void project_set_upright(er_scene *scene, const project_asked *asked, const project_listener *listener);

#endif
