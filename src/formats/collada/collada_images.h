/// @file
/// Pictures as files beside a .dae: readers take no others.
#ifndef ERI_FORMATS_COLLADA_COLLADA_IMAGES_H
#define ERI_FORMATS_COLLADA_COLLADA_IMAGES_H

#include <eigenrig/scene.h>

#include "base/side_files.h"

/// The names of the picture files, each different: the pictures' own, made safe for any file system and URI.
/// @param out  [image_count], in the arena
/// Errors   ER_ERROR_MEMORY
er_result eri_dae_name_images(er_arena *arena, const er_scene *scene, const char *const **out);

/// Writes them beside the document.   Errors: as eri_beside_put().
er_result eri_dae_write_images(eri_beside *beside, const er_scene *scene, const char *const *name);

#endif
