/// @file
/// Affine transforms as glTF nodes animate them: translation, rotation and scale along the rotated axes.
#ifndef ERI_FORMATS_GLTF_GLTF_TRS_H
#define ERI_FORMATS_GLTF_GLTF_TRS_H

#include "formats/gltf/gltf_document.h"
#include "scene/trs.h"

/// Splits a transform as eri_trs_from_affine() does, and says how far the parts are from the whole.
/// @param shear  the largest entry of |linear - R(rotation) diag(scale)| over the largest of |linear|; written
eri_trs eri_gltf_split(er_affine a, double *shear);

/// Puts "translation", "rotation" and "scale" on a node, each only where it is not the identity.
void eri_gltf_put_trs(eri_gltf_document *document, json_t *node, eri_trs trs);

/// The TRS members of a node, the identity's where it has none.
eri_trs eri_gltf_get_trs(const json_t *node);

/// Puts "matrix" on a node.
void eri_gltf_put_matrix(eri_gltf_document *document, json_t *node, er_affine a);

/// Turns a node's "matrix", if it has one, into TRS: an animated node may have no matrix (glTF 2.0, 3.11).
void eri_gltf_matrix_to_trs(eri_gltf_document *document, json_t *node);

#endif
