/// @file
/// The still parts of a Collada file: pictures, materials, meshes, skins, nodes.
#ifndef ER_FORMATS_COLLADA_SCENE_H
#define ER_FORMATS_COLLADA_SCENE_H

#include "formats/collada/plan.h"

/// @param image  [image_count], names of the picture files beside the .dae
/// Errors   ER_ERROR_MEMORY; the rest is kept by `xml`
er_result er_dae_put_scene(er_xml *xml, const er_dae_plan *plan, const char *const *image);

#endif
