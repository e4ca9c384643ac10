/// @file
/// Private: what all writers of scenes ask.
#ifndef ERI_SCENE_WRITING_H
#define ERI_SCENE_WRITING_H

#include <eigenrig/scene.h>

/// er_scene_validate(), for a file about to be written.
/// Errors   ER_ERROR_ARGUMENT with the path and the first broken promise, ER_ERROR_MEMORY
er_result eri_scene_check(er_context *context, const er_scene *scene, const char *path);

/// Whether a mesh has anything to draw.
bool eri_mesh_is_drawn(const er_mesh *mesh);

/// The instances that have something to draw, by node, then by skin, then as they are in the scene; how many.
/// @param order  [instance_count], written
int eri_scene_draws(const er_scene *scene, int *order);

/// Whether some vertex has no influence.
bool eri_mesh_has_unweighted(const er_mesh *mesh);

/// The time to subtract from a clip's times so that none is negative: its first key's where that is, else 0.
double eri_clip_start(const er_clip *clip);

#endif
