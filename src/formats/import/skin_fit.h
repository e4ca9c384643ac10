/// @file
/// Private to the importer: whether skeletons and skins belong together.
#ifndef ERI_FORMATS_IMPORT_SKIN_FIT_H
#define ERI_FORMATS_IMPORT_SKIN_FIT_H

#include "formats/import/scene_reader.h"

/// Compares the boxes of joints and of the skinned meshes at rest, and the lengths of bones with those at the bind
/// pose. If they cannot belong together, tries other readings: the scale of the armature, the place of the mesh's node,
/// another unit, the bind pose. The first that fits goes into the skins' inverse bind matrices or into the nodes, with
/// a warning. Without one nothing changes.
/// @param reader  its scene is valid   Errors: ER_ERROR_MEMORY
er_result imp_fit_skins(imp_reader *reader);

#endif
