/// @file
/// Nodes that a scene has and its glTF source has not.
#ifndef ERI_FORMATS_GLTF_GLTF_NODES_H
#define ERI_FORMATS_GLTF_GLTF_NODES_H

#include <eigenrig/scene.h>

#include "formats/gltf/gltf_document.h"

/// Adds the nodes without source_index to the document of the source: above the children that the scene gives them, and
/// as joints to the skins in which the scene has them.
/// @param scene     of ER_FORMAT_GLTF
/// @param extended  ER_OK: the scene with the new nodes' indices; in the document's arena
/// Errors   ER_ERROR_FORMAT (the source lost a node or a skin), ER_ERROR_MEMORY
er_result eri_gltf_add_nodes(eri_gltf_document *document, const er_scene *scene, er_scene *extended);

#endif
