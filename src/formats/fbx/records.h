/// @file
/// A binary FBX file being written: nested records, objects, and the connections between them.
///
/// Writing takes thousands of calls that can fail in the same few ways, so the document keeps its first failure: after
/// it every call here does nothing, and er_fbx_save() tells.
#ifndef ER_FORMATS_FBX_RECORDS_H
#define ER_FORMATS_FBX_RECORDS_H

#include <zlib.h>

#include <eigenrig/math.h>

#include "base/buffer.h"

#define ER_FBX_DEPTH 8 // records within records; the deepest has 5

/// Kinds of objects, as "Definitions" counts them.
typedef enum er_fbx_kind {
    ER_FBX_MODEL,
    ER_FBX_NODE_ATTRIBUTE,
    ER_FBX_GEOMETRY,
    ER_FBX_MATERIAL,
    ER_FBX_TEXTURE,
    ER_FBX_VIDEO,
    ER_FBX_DEFORMER,
    ER_FBX_POSE,
    ER_FBX_STACK,
    ER_FBX_LAYER,
    ER_FBX_CURVE_NODE,
    ER_FBX_CURVE,
    ER_FBX_KINDS
} er_fbx_kind;

/// A child's place under a parent, or at one of its properties.
typedef struct er_fbx_link {
    int64_t child, parent;
    const char *property; ///< NULL: the parent itself
} er_fbx_link;

/// A clip, as "Takes" lists it.
typedef struct er_fbx_take {
    const char *name;
    int64_t stop; ///< ticks
} er_fbx_take;

/// A record that is not closed yet.
typedef struct er_fbx_record {
    size_t start;  ///< its offset in the file
    size_t values; ///< offset of its first value
    uint32_t value_count;
    bool nests; ///< holds records
} er_fbx_record;

/// Made with er_fbx_begin(), ended with er_fbx_finish().
typedef struct er_fbx_document {
    er_arena *arena;     ///< borrowed; holds everything
    er_arena *squeezing; ///< owned; the compressor's memory
    const char *path;    ///< of the file to write, for messages
    er_buffer file;      ///< all of it
    er_fbx_record record[ER_FBX_DEPTH];
    int depth;
    er_fbx_link *link; ///< [link_count]
    int link_count, link_capacity;
    const er_fbx_take *take; ///< [take_count], borrowed
    int take_count;
    size_t count_at[ER_FBX_KINDS + 1]; ///< offsets of the counts of each kind and, last, of all
    int count[ER_FBX_KINDS];
    int64_t last_id;
    z_stream squeeze;
    er_result failure; ///< the first, or ER_OK
} er_fbx_document;

/// An empty document.
void er_fbx_begin(er_fbx_document *document, er_arena *arena, const char *path);

/// Writes the head of the file: everything up to the objects, which may follow.
/// @param up       0, 1, 2 for X, Y, Z
/// @param up_sign  1 or -1
/// @param stop     ticks that the longest clip lasts
/// @param fps      frames a second that clips are made for, 0 for any
void er_fbx_put_head(er_fbx_document *document, int up, int up_sign, int64_t stop, double fps);

/// Writes connections and the end, then the file.   Errors: the kept failure, ER_ERROR_FILE.
er_result er_fbx_save(er_fbx_document *document);

/// Frees the compressor.
void er_fbx_finish(er_fbx_document *document);

/// Keeps a failure, unless there is one already.
void er_fbx_fail(er_fbx_document *document, er_result failure, const char *format, ...) ER_PRINTF(3, 4);

/// An id that no object has, above 0.
int64_t er_fbx_new_id(er_fbx_document *document);

/// Opens an object's record.
/// @param class  as it stands behind the name, e.g. "Model"
/// @param type   e.g. "LimbNode"
void er_fbx_open_object(er_fbx_document *document, er_fbx_kind kind, int64_t id, const char *name, const char *class,
                        const char *type);

/// Opens a record inside the one that is open; its values come before the records inside it.
void er_fbx_open(er_fbx_document *document, const char *name);

/// Closes the record that was opened last.
void er_fbx_close(er_fbx_document *document);

/// Adds a value to the open record. Arrays are squeezed where that pays.
void er_fbx_add_int(er_fbx_document *document, int32_t value);
void er_fbx_add_long(er_fbx_document *document, int64_t value);
void er_fbx_add_double(er_fbx_document *document, double value);
void er_fbx_add_bool(er_fbx_document *document, bool value);
void er_fbx_add_text(er_fbx_document *document, const char *text);
void er_fbx_add_bytes(er_fbx_document *document, const void *bytes, size_t size);
void er_fbx_add_ints(er_fbx_document *document, const int32_t *value, size_t count);
void er_fbx_add_longs(er_fbx_document *document, const int64_t *value, size_t count);
void er_fbx_add_floats(er_fbx_document *document, const float *value, size_t count);
void er_fbx_add_doubles(er_fbx_document *document, const double *value, size_t count);

/// A whole record of one value.
void er_fbx_put_int(er_fbx_document *document, const char *name, int32_t value);
void er_fbx_put_text(er_fbx_document *document, const char *name, const char *text);
void er_fbx_put_doubles(er_fbx_document *document, const char *name, const double *value, size_t count);
void er_fbx_put_affine(er_fbx_document *document, const char *name, er_affine a);

/// Entries of an open "Properties70".
/// @param type   e.g. "Lcl Translation"; the reader's second name for it follows from it
void er_fbx_property_int(er_fbx_document *document, const char *name, const char *type, int32_t value);
void er_fbx_property_ticks(er_fbx_document *document, const char *name, int64_t value);
void er_fbx_property_number(er_fbx_document *document, const char *name, double value);
void er_fbx_property_vector(er_fbx_document *document, const char *name, const char *type, er_vec3 value);

/// Puts an object under another (0: under the scene), or at a property of it.
/// @param property  NULL, or a string that outlives the document
void er_fbx_connect(er_fbx_document *document, int64_t child, int64_t parent, const char *property);

#endif
