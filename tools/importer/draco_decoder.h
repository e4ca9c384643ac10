/// @file
/// Private to the glTF reader: the only file that includes libdraco's C++.
#ifndef ERI_TOOLS_IMPORTER_DRACO_DECODER_H
#define ERI_TOOLS_IMPORTER_DRACO_DECODER_H

#include "formats/import/decoders.h"

#ifdef __cplusplus
extern "C" {
#endif

// See imp_decoders.
imp_draco *imp_draco_decode(const uint8_t *bytes, size_t size);
void imp_draco_destroy(imp_draco *mesh);
int imp_draco_vertex_count(const imp_draco *mesh);
int imp_draco_triangle_count(const imp_draco *mesh);
void imp_draco_corners(const imp_draco *mesh, double *corner);
bool imp_draco_values(const imp_draco *mesh, uint32_t id, int components, double *value);

#ifdef __cplusplus
}
#endif
#endif
