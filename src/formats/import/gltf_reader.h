/// @file
/// Private to the glTF reader: a document's JSON and the numbers of its accessors, every access checked.
#ifndef ERI_FORMATS_IMPORT_GLTF_READER_H
#define ERI_FORMATS_IMPORT_GLTF_READER_H

#include <jansson.h>

#include "formats/import/scene_reader.h"

/// A glTF 2.0 document being read.
typedef struct imp_gltf {
    imp_reader *reader;
    json_t *root;                   ///< an object
    imp_bytes binary;               ///< the BIN chunk of a .glb
    struct eri_source_chunk *chunk; ///< [chunk_count] of a .glb, in the reader's arena: all but the JSON
    int chunk_count, chunk_room;
    imp_bytes *buffer; ///< [buffer_count], loaded when first needed: at == NULL before
    imp_bytes *image;  ///< [image_count], likewise, of images outside buffers
    imp_bytes *view;   ///< [view_count], likewise, decompressed; a view that is not compressed points into its buffer
    int buffer_count;
    int node_count, mesh_count, skin_count, accessor_count, view_count, image_count, texture_count, material_count;
} imp_gltf;

/// Takes the file apart (GLB or JSON) and counts its arrays.
/// Errors   ER_ERROR_FORMAT, ER_ERROR_MEMORY. `gltf->root` may be set even then.
er_result imp_gltf_open(imp_gltf *gltf, imp_reader *reader, imp_bytes file);

/// Little-endian, unaligned (3.6.2.2).   @param at  [2], [4]
static inline uint16_t imp_half_word(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t imp_word(const uint8_t *at)
{
    return imp_half_word(at) | (uint32_t)imp_half_word(at + 2) << 16;
}

/// Element `index` of a top-level array; an empty object if it is something else. Borrowed.
json_t *imp_gltf_item(const imp_gltf *gltf, const char *array, int index);

/// The length of a top-level array, 0 without one.
int imp_gltf_count(const imp_gltf *gltf, const char *array);

/// Fails with ER_ERROR_FORMAT and a sentence, to which the advice is added.
er_result imp_gltf_broken(const imp_gltf *gltf, const char *format, ...) ER_PRINTF(2, 3);

/// A value as an index: -1 for NULL.   Errors: ER_ERROR_FORMAT unless it is an integer in [0, count).
er_result imp_gltf_index_value(const imp_gltf *gltf, const json_t *value, int count, const char *owner, int number,
                               const char *key, int *out);

/// An index member: -1 when absent.   Errors: ER_ERROR_FORMAT unless it is an integer in [0, count).
/// @param owner, number  for the sentence: "meshes", 3
er_result imp_gltf_index(const imp_gltf *gltf, const json_t *object, const char *key, int count, const char *owner,
                         int number, int *out);

/// An integer member in [0, 2^53], `fallback` when absent.   Errors: ER_ERROR_FORMAT.
er_result imp_gltf_size(const imp_gltf *gltf, const json_t *object, const char *key, uint64_t fallback,
                        const char *owner, int number, uint64_t *out);

/// A number member, or `fallback`.
double imp_gltf_number(const json_t *object, const char *key, double fallback);

/// A string member, or "". Borrowed.
const char *imp_gltf_string(const json_t *object, const char *key);

/// An array member of exactly n numbers.   @return  whether there is one; *out is untouched when not.
bool imp_gltf_numbers(const json_t *object, const char *key, size_t n, double *out);

/// The bytes of a buffer that an object names by `buffer`, `byteOffset` and `byteLength`.
/// @param owner,number  the object in messages, as in "bufferViews[3]"
/// @param out           written: the document's own
/// Errors   ER_ERROR_FORMAT, ER_ERROR_FILE, ER_ERROR_MEMORY
er_result imp_gltf_buffer_bytes(imp_gltf *gltf, const json_t *object, const char *owner, int number, imp_bytes *out);

/// The bytes of a buffer view.   Errors: ER_ERROR_FORMAT, ER_ERROR_FILE, ER_ERROR_MEMORY.
er_result imp_gltf_view_bytes(imp_gltf *gltf, int view, imp_bytes *out);

/// Whether a buffer view is compressed with EXT_meshopt_compression.
bool imp_gltf_is_compressed(const imp_gltf *gltf, int view);

/// Decompresses a compressed view into gltf->view.   Errors: as imp_gltf_view_bytes().
er_result imp_gltf_decompress_view(imp_gltf *gltf, int view, imp_bytes *out);

/// Whether a URI names a file, not NULL and not data.
bool imp_gltf_names_file(const char *uri);

/// Loads the bytes of a buffer into gltf->buffer.   Errors: ER_ERROR_FORMAT, ER_ERROR_FILE, ER_ERROR_MEMORY: at stays
/// NULL
er_result imp_gltf_load_buffer(imp_gltf *gltf, int index);

/// Loads the bytes of a picture's URI into gltf->image.   Errors: likewise
er_result imp_gltf_load_image(imp_gltf *gltf, int index);

/// Keeps the document in the scene, for the writer that adds to it.   Errors: ER_ERROR_MEMORY.
er_result imp_gltf_keep_source(imp_gltf *gltf);

/// Roles of nodes by the document's humanoid map, and the direction its characters face: VRM 0 along -Z, VRM 1 along
/// +Z.
/// @param node_at  [gltf->node_count], index in `node` of a node of the file
/// Errors   ER_ERROR_MEMORY: parts of a map that make no sense are left out.
er_result imp_gltf_read_vrm(const imp_gltf *gltf, const int *node_at, er_node *node, er_vec3 *forward);

/// The format of an accessor's numbers.
typedef struct imp_gltf_form {
    int type;        ///< its componentType
    int components;  ///< numbers per element
    bool normalized; ///< integers stand for [0, 1] or [-1, 1]
} imp_gltf_form;

/// The form of an accessor.
/// @param types  accepted types, separated by spaces: "VEC3 VEC4"
/// @param what   for the sentence: "the positions"
/// Errors   ER_ERROR_FORMAT
er_result imp_gltf_form_of(const imp_gltf *gltf, int accessor, const char *types, const char *what, imp_gltf_form *out);

/// The value of a stored number.
double imp_gltf_value(const imp_gltf_form *form, double stored);

/// Reads all numbers of an accessor, normalised and with sparse ones replaced.
/// @param types, what  as imp_gltf_form_of()
/// @param scratch  the arena for the numbers
/// @param components  numbers per element, may be NULL
/// @param out    [*count x *components]; not necessarily finite
/// Errors   ER_ERROR_FORMAT, ER_ERROR_FILE, ER_ERROR_MEMORY
er_result imp_gltf_accessor_numbers(imp_gltf *gltf, int accessor, const char *types, const char *what,
                                    er_arena *scratch, int *count, int *components, double **out);

/// The source of a primitive's numbers: accessors, or a mesh compressed with Draco. If both are there, the accessors
/// are used, because they lost no digits.
typedef struct imp_gltf_geometry {
    const json_t *primitive;
    const json_t *id;             ///< unique ids of the attributes in `mesh`, by name; NULL without one
    imp_draco *mesh;              ///< NULL where nothing is compressed
    const imp_decoders *decoders; ///< of `mesh`
} imp_gltf_geometry;

/// Looks at a primitive and decodes its compressed mesh if needed. To be ended with imp_gltf_close_geometry().
/// @param mesh  the mesh's name, for the sentence
/// Errors   ER_ERROR_FORMAT, ER_ERROR_FILE, ER_ERROR_MEMORY
er_result imp_gltf_open_geometry(imp_gltf *gltf, const json_t *primitive, const char *mesh, imp_gltf_geometry *out);
void imp_gltf_close_geometry(imp_gltf_geometry *geometry);

/// All numbers of an attribute, as imp_gltf_accessor_numbers(); NULL and 0 if the primitive has no such attribute.
er_result imp_gltf_attribute(imp_gltf *gltf, const imp_gltf_geometry *from, const char *name, const char *types,
                             er_arena *scratch, int *count, int *components, double **out);

/// The vertices at the corners of a primitive, not checked; NULL and 0 if it has no indices.
/// @param out  [*count]
/// Errors   ER_ERROR_FORMAT, ER_ERROR_FILE, ER_ERROR_MEMORY
er_result imp_gltf_corners(imp_gltf *gltf, const imp_gltf_geometry *from, er_arena *scratch, int *count, double **out);

#endif
