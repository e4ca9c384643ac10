/// @file
/// A scene of any format written whole as a glTF document.
#ifndef ER_GLTF_SCENE_H
#define ER_GLTF_SCENE_H

#include <eigenrig/scene.h>

#include "gltf/document.h"

/// Fills a started document with a scene, its clips left out. Scene node n becomes document node n.
/// Errors   ER_ERROR_ARGUMENT (numbers that are not finite, more joints than glTF can count), ER_ERROR_FILE (over
///          4 GiB), ER_ERROR_MEMORY
er_result er_gltf_put_scene(er_gltf_document *document, const er_scene *scene);

#endif
