/// @file
/// Clips appended to a document.
#ifndef ERI_FORMATS_GLTF_GLTF_CLIPS_H
#define ERI_FORMATS_GLTF_GLTF_CLIPS_H

#include <eigenrig/scene.h>

#include "formats/gltf/gltf_document.h"

/// Whether clips can be written.   Errors: ER_ERROR_ARGUMENT (times or nodes that cannot be), ER_ERROR_MEMORY
er_result eri_gltf_check_clips(eri_gltf_document *document, const er_scene *scene, int clip_count, const er_clip *clip);

/// Appends clips, whose channels mean what er_scene_sample() makes of them, as "animations", all their numbers in one
/// bufferView. Channels on morph weights go to the meshes that have targets, and are left out elsewhere; so is a clip
/// without a channel. A clip that begins before 0 s is shifted to begin there.
/// @param scene  scene node n is document node source_index (glTF), or n itself
/// Errors   ER_ERROR_ARGUMENT (times, values or nodes that cannot be), ER_ERROR_FORMAT (the document lacks a node)
/// @param beside  names of clips that are there are taken
er_result eri_gltf_add_clips(eri_gltf_document *document, const er_scene *scene, int clip_count, const er_clip *clip,
                             bool beside);

/// Moves the animations from `before` on to the front; the others follow, or are removed if `keep` is false.
void eri_gltf_bring_forward(eri_gltf_document *document, size_t before, bool keep);
size_t eri_gltf_count_clips(const eri_gltf_document *document);

#endif
