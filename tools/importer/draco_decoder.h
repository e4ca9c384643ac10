/// @file
/// Private to the glTF reader: the only file that includes libdraco's C++.
#ifndef ERI_TOOLS_IMPORTER_DRACO_DECODER_H
#define ERI_TOOLS_IMPORTER_DRACO_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A decoded mesh.
typedef struct imp_draco imp_draco;

/// Decodes a mesh.   @return  to be freed with imp_draco_destroy(); NULL if the bytes are not a whole mesh
imp_draco *imp_draco_decode(const uint8_t *bytes, size_t size);

/// NULL is fine.
void imp_draco_destroy(imp_draco *mesh);

int imp_draco_vertex_count(const imp_draco *mesh);
int imp_draco_triangle_count(const imp_draco *mesh);

/// @param corner  [3 x triangle_count], written: vertices, not checked
void imp_draco_corners(const imp_draco *mesh, double *corner);

/// The numbers of an attribute as they are stored: integers stay integers.
/// @param id     the attribute's unique id
/// @param value  [vertex_count x components], written
/// @return  false if there is no such attribute, or it has another number of components
bool imp_draco_values(const imp_draco *mesh, uint32_t id, int components, double *value);

#ifdef __cplusplus
}
#endif
#endif
