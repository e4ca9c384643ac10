/// @file
/// The still parts of a Collada file: pictures, materials, meshes, skins, nodes.
#ifndef ERI_FORMATS_COLLADA_COLLADA_SCENE_H
#define ERI_FORMATS_COLLADA_COLLADA_SCENE_H

#include "formats/collada/collada_plan.h"

/// @param image  [image_count], names of the picture files beside the .dae
/// Errors   ER_ERROR_MEMORY; the rest is kept by `xml`
er_result eri_dae_put_scene(eri_xml *xml, const eri_dae_plan *plan, const char *const *image);

#endif
