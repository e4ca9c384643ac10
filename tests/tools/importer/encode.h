/// @file
/// Meshes compressed by libdraco's own encoder.
#ifndef TESTS_SCENE_ENCODE_H
#define TESTS_SCENE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of attributes that Draco knows; all else is generic.
typedef enum encode_kind { ENCODE_POSITION, ENCODE_NORMAL, ENCODE_COLOR, ENCODE_UV, ENCODE_GENERIC } encode_kind;

/// An attribute of every vertex.
typedef struct encode_attribute {
    encode_kind kind;
    int type; ///< glTF's componentType: 5121 bytes, 5123 shorts, 5126 floats
    int components;
    uint32_t id;        ///< its unique id
    const void *values; ///< [vertex_count x components]
} encode_attribute;

typedef enum encode_method { ENCODE_SEQUENTIAL, ENCODE_EDGEBREAKER, ENCODE_POINTS } encode_method;

/// Compresses a mesh, without loss; ENCODE_POINTS leaves the triangles out.
/// @param corner  [3 x triangle_count]
/// @return  [*size], to be freed
uint8_t *encode(encode_method method, int vertex_count, int triangle_count, const int *corner, int attribute_count,
                const encode_attribute *attribute, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
