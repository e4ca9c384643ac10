/// @file
/// Spring bones put into a glTF document: VRMC_springBone, or secondaryAnimation of VRM 0.
#ifndef ERI_FORMATS_GLTF_GLTF_SPRINGS_H
#define ERI_FORMATS_GLTF_GLTF_SPRINGS_H

#include <eigenrig/motion.h>

#include "formats/gltf/gltf_document.h"

/// Adds chains, in place of those that the document has on the same nodes; what these say of colliders, centre and hit
/// radius stays.
/// @param scene  the document's
/// Errors   kept by the document: ER_ERROR_ARGUMENT (a VRM 0 chain whose nodes swing in a larger one of the document)
void eri_gltf_put_springs(eri_gltf_document *document, const er_scene *scene, const er_spring_bones *bones);

#endif
