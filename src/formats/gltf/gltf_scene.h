/// @file
/// A scene of any format written whole as a glTF document.
#ifndef ERI_FORMATS_GLTF_GLTF_SCENE_H
#define ERI_FORMATS_GLTF_GLTF_SCENE_H

#include <eigenrig/scene.h>

#include "formats/gltf/gltf_document.h"

/// Fills a started document with a scene, its clips left out. Scene node n becomes document node n.
/// Errors   ER_ERROR_ARGUMENT (numbers that are not finite, more joints than glTF can count), ER_ERROR_FILE (over
///          4 GiB), ER_ERROR_MEMORY
er_result eri_gltf_put_scene(eri_gltf_document *document, const er_scene *scene);

/// Adds a scene's added instances to the document of its glTF source.
/// Errors   as eri_gltf_put_scene(); ER_ERROR_FORMAT (the source lost a node)
er_result eri_gltf_add_instances(eri_gltf_document *document, const er_scene *scene);

/// Writes the inverse bind matrices of a skin; the identity for joints beyond its own.
/// @param object  the skin in the document
void eri_gltf_put_inverse_binds(eri_gltf_document *document, json_t *object, const er_skin *skin, int joint_count);

/// Index in the document of a scene's node.
int eri_gltf_node(const er_scene *scene, int node);

/// Whether a document has a scene's node.   Errors: the kept failure; ER_ERROR_FORMAT (the source lost it).
er_result eri_gltf_check_node(const eri_gltf_document *document, const er_scene *scene, int node);

#endif
