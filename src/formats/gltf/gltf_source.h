/// @file
/// Taking a glTF source to add to it, with what lies beside it brought along.
#ifndef ERI_FORMATS_GLTF_GLTF_SOURCE_H
#define ERI_FORMATS_GLTF_GLTF_SOURCE_H

#include "base/side_files.h"
#include "formats/gltf/gltf_document.h"

/// A file to lay beside the written .gltf.
typedef struct eri_gltf_copy {
    const char *from;
    const char *to;
    const uint8_t *bytes; ///< [size]
    size_t size;
} eri_gltf_copy;

/// The files beside a source.
typedef struct eri_gltf_copies {
    eri_gltf_copy *item; ///< [count]
    int count;
} eri_gltf_copies;

/// Takes what a scene was read from into a started document and fits it to the kind of file to be written.
/// .glb: buffer 0 becomes the BIN chunk, other buffers and pictures beside the source are embedded.
/// .gltf: a BIN chunk becomes a data URI; for another folder, files beside the source are put on the list, or embedded
/// where their path leaves the source's folder or is hidden in it. A picture that is missing or of no known kind keeps
/// its URI, and so does what nothing uses.
/// @param scene  of ER_FORMAT_GLTF; the document borrows from it
/// Errors   ER_ERROR_ARGUMENT (made by hand), ER_ERROR_FILE (a buffer that is used could not be read), ER_ERROR_FORMAT,
///          ER_ERROR_MEMORY
er_result eri_gltf_open_source(eri_gltf_document *document, const er_scene *scene, eri_gltf_copies *copies);

/// Writes the list.   Errors: as eri_beside_put().
er_result eri_gltf_copy_files(eri_beside *beside, const eri_gltf_copies *copies);

#endif
