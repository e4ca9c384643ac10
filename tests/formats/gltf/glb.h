// The bytes of a .glb.
#ifndef TESTS_FORMATS_GLTF_GLB_H
#define TESTS_FORMATS_GLTF_GLB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>

typedef struct glb {
    uint8_t *bytes;
    json_t *root;
    const uint8_t *bin;   // NULL where there is none
    size_t bin_size;      // of the chunk
    const uint8_t *after; // what stands behind that chunk
    size_t after_size;
} glb;

/// A file at a path; fails the test where its chunks are not as glTF 2.0, 4.4 has them.
glb glb_open(const char *path);
void glb_close(glb *g);

/// Members of an object.
int64_t glb_number(const json_t *object, const char *key);
const char *glb_text(const json_t *object, const char *key);

/// An element of a list at the top.
const json_t *glb_element(const glb *g, const char *list, int64_t index);

/// Element `i` of an accessor of four numbers each, as they are stored; their type in `type`.
const uint8_t *glb_accessed(const glb *g, int64_t accessor, size_t i, int64_t *type);

/// The floats of an accessor.
const float *glb_floats(const glb *g, int64_t accessor);

#endif
