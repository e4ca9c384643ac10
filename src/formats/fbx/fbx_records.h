/// @file
/// A binary FBX file being written: nested records, objects, and the connections between them.
///
/// Writing takes thousands of calls that can fail in the same few ways, so the document keeps its first failure: after
/// it every call here does nothing, and eri_fbx_save() tells.
#ifndef ERI_FORMATS_FBX_FBX_RECORDS_H
#define ERI_FORMATS_FBX_FBX_RECORDS_H

#include <zlib.h>

#include <eigenrig/math.h>

#include "base/buffer.h"

#define ERI_FBX_DEPTH 8 // records within records; the deepest has 5

/// Kinds of objects, as "Definitions" counts them.
typedef enum eri_fbx_kind {
    ERI_FBX_MODEL,
    ERI_FBX_NODE_ATTRIBUTE,
    ERI_FBX_GEOMETRY,
    ERI_FBX_MATERIAL,
    ERI_FBX_TEXTURE,
    ERI_FBX_VIDEO,
    ERI_FBX_DEFORMER,
    ERI_FBX_POSE,
    ERI_FBX_STACK,
    ERI_FBX_LAYER,
    ERI_FBX_CURVE_NODE,
    ERI_FBX_CURVE,
    ERI_FBX_KINDS
} eri_fbx_kind;

/// A child's place under a parent, or at one of its properties.
typedef struct eri_fbx_link {
    int64_t child, parent;
    const char *property; ///< NULL: the parent itself
} eri_fbx_link;

/// A clip, as "Takes" lists it.
typedef struct eri_fbx_take {
    const char *name;
    int64_t stop; ///< ticks
} eri_fbx_take;

/// A record that is not closed yet.
typedef struct eri_fbx_record {
    size_t start;  ///< its offset in the file
    size_t values; ///< offset of its first value
    uint32_t value_count;
    bool nests; ///< holds records
} eri_fbx_record;

/// Made with eri_fbx_begin(), ended with eri_fbx_finish().
typedef struct eri_fbx_document {
    er_arena *arena;       ///< borrowed; holds everything
    er_arena *zlib_memory; ///< owned; the compressor's memory
    const char *path;      ///< of the file to write, for messages
    eri_buffer file;       ///< all of it
    eri_fbx_record record[ERI_FBX_DEPTH];
    int depth;
    eri_buffer links;         ///< of eri_fbx_link
    const eri_fbx_take *take; ///< [take_count], borrowed
    int take_count;
    size_t count_at[ERI_FBX_KINDS + 1]; ///< offsets of the counts of each kind and, last, of all
    int count[ERI_FBX_KINDS];
    int64_t last_id;
    z_stream deflate_stream;
    er_result failure; ///< the first, or ER_OK
} eri_fbx_document;

/// An empty document.
void eri_fbx_begin(eri_fbx_document *document, er_arena *arena, const char *path);

/// Writes the head of the file: everything up to the objects, which may follow.
/// @param up       0, 1, 2 for X, Y, Z
/// @param up_sign  1 or -1
/// @param stop     ticks that the longest clip lasts
/// @param fps      frames a second that clips are made for, 0 for any
void eri_fbx_put_head(eri_fbx_document *document, int up, int up_sign, int64_t stop, double fps);

/// Writes connections and the end, then the file.   Errors: the kept failure, ER_ERROR_FILE.
er_result eri_fbx_save(eri_fbx_document *document);

/// Frees the compressor.
void eri_fbx_finish(eri_fbx_document *document);

/// Records a failure; the first one counts.
void eri_fbx_fail(eri_fbx_document *document, er_result failure, const char *format, ...) ER_PRINTF(3, 4);

/// An id that no object has, above 0.
int64_t eri_fbx_new_id(eri_fbx_document *document);

/// Opens an object's record.
/// @param class  as it stands behind the name, e.g. "Model"
/// @param type   e.g. "LimbNode"
void eri_fbx_open_object(eri_fbx_document *document, eri_fbx_kind kind, int64_t id, const char *name, const char *class,
                         const char *type);

/// Opens a record inside the one that is open; its values come before the records inside it.
void eri_fbx_open(eri_fbx_document *document, const char *name);

/// Closes the record that was opened last.
void eri_fbx_close(eri_fbx_document *document);

/// Adds a value to the open record. Arrays are deflated if that makes them smaller.
void eri_fbx_add_int(eri_fbx_document *document, int32_t value);
void eri_fbx_add_long(eri_fbx_document *document, int64_t value);
void eri_fbx_add_double(eri_fbx_document *document, double value);
void eri_fbx_add_bool(eri_fbx_document *document, bool value);
void eri_fbx_add_text(eri_fbx_document *document, const char *text);
void eri_fbx_add_bytes(eri_fbx_document *document, const void *bytes, size_t size);
void eri_fbx_add_ints(eri_fbx_document *document, const int32_t *value, size_t count);
void eri_fbx_add_longs(eri_fbx_document *document, const int64_t *value, size_t count);
void eri_fbx_add_floats(eri_fbx_document *document, const float *value, size_t count);
void eri_fbx_add_doubles(eri_fbx_document *document, const double *value, size_t count);

/// A whole record of one value.
void eri_fbx_put_int(eri_fbx_document *document, const char *name, int32_t value);
void eri_fbx_put_text(eri_fbx_document *document, const char *name, const char *text);
void eri_fbx_put_doubles(eri_fbx_document *document, const char *name, const double *value, size_t count);
void eri_fbx_put_affine(eri_fbx_document *document, const char *name, er_affine a);

/// Entries of an open "Properties70".
/// @param type   e.g. "Lcl Translation"; the reader's second name for it follows from it
void eri_fbx_property_int(eri_fbx_document *document, const char *name, const char *type, int32_t value);
void eri_fbx_property_ticks(eri_fbx_document *document, const char *name, int64_t value);
void eri_fbx_property_number(eri_fbx_document *document, const char *name, double value);
void eri_fbx_property_vector(eri_fbx_document *document, const char *name, const char *type, er_vec3 value);

/// Puts an object under another (0: under the scene), or at a property of it.
/// @param property  NULL, or a string that outlives the document
void eri_fbx_connect(eri_fbx_document *document, int64_t child, int64_t parent, const char *property);

#endif
