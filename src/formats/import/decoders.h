/// @file
/// Private to the readers: decoders of compressed glTF, which the importer's process has and the library has not.
#ifndef ERI_FORMATS_IMPORT_DECODERS_H
#define ERI_FORMATS_IMPORT_DECODERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A mesh decoded by Draco.
typedef struct imp_draco imp_draco;

/// How EXT_meshopt_compression stores a view.
typedef enum imp_meshopt_mode {
    IMP_MESHOPT_ATTRIBUTES,
    IMP_MESHOPT_TRIANGLES,
    IMP_MESHOPT_INDICES,
    IMP_MESHOPT_MODES
} imp_meshopt_mode;

/// The filter over its numbers.
typedef enum imp_meshopt_filter {
    IMP_MESHOPT_NONE,
    IMP_MESHOPT_OCTAHEDRAL,
    IMP_MESHOPT_QUATERNION,
    IMP_MESHOPT_EXPONENTIAL,
    IMP_MESHOPT_FILTERS
} imp_meshopt_filter;

/// A view compressed with meshoptimizer, checked.
typedef struct imp_meshopt {
    const uint8_t *bytes; ///< [size]
    size_t size;
    uint64_t stride, count; ///< bytes of an element, elements; both of memory that can be had
    imp_meshopt_mode mode;
    imp_meshopt_filter filter;
} imp_meshopt;

typedef struct imp_decoders {
    /// Decodes a mesh.   @return  to be freed with draco_destroy(); NULL if the bytes are not a whole mesh
    imp_draco *(*draco_decode)(const uint8_t *bytes, size_t size);
    /// NULL is fine.
    void (*draco_destroy)(imp_draco *mesh);
    int (*draco_vertex_count)(const imp_draco *mesh);
    int (*draco_triangle_count)(const imp_draco *mesh);
    /// @param corner  [3 x triangle_count], written: vertices, not checked
    void (*draco_corners)(const imp_draco *mesh, double *corner);
    /// The numbers of an attribute as they are stored: integers stay integers.
    /// @param id     the attribute's unique id
    /// @param value  [vertex_count x components], written
    /// @return  false if there is no such attribute, or it has another number of components
    bool (*draco_values)(const imp_draco *mesh, uint32_t id, int components, double *value);
    /// @param out  [count x stride], written   @return  false if the bytes are no such view
    bool (*meshopt_decode)(const imp_meshopt *view, uint8_t *out);
} imp_decoders;

#endif
