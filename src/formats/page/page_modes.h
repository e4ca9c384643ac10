/// @file
/// The modes of a page, and the tree that its script poses.
#ifndef ERI_FORMATS_PAGE_PAGE_MODES_H
#define ERI_FORMATS_PAGE_PAGE_MODES_H

#include <eigenrig/formats.h>

#include "formats/gltf/gltf_document.h"

/// Adds "tree" and "modes" to the extras of a page's document; docs/formats.md has their fields.
/// Errors   as er_page_write_modes()
er_result eri_page_put_modes(eri_gltf_document *document, json_t *extras, const er_page_modes *modes);

#endif
