/// @file
/// Private: shared by the readers of model files, which fill a scene: in the importer's process, and in the library for
/// bytes. Their names begin with imp_.
#ifndef ERI_FORMATS_IMPORT_SCENE_READER_H
#define ERI_FORMATS_IMPORT_SCENE_READER_H

#include <eigenrig/formats.h>

#include "base/arena.h"
#include "formats/import/decoders.h"
#include "scene/trs.h"

/// A scene under construction. Messages of failures do not begin with the path.
typedef struct imp_reader {
    er_context *context;
    er_arena *arena; ///< the scene's
    const char *path;
    bool allow_outside;                    ///< whether references may lead outside the scene's folder
    bool in_memory;                        ///< whether references are looked up in `beside`, and no file is opened
    int beside_count;                      ///< of `beside`
    const er_named_bytes *beside;          ///< [beside_count], files given with the model's bytes
    const imp_decoders *decoders;          ///< of compressed glTF; NULL: there are none
    er_result (*fit)(struct imp_reader *); ///< imp_fit_skins(), run when the scene is valid
    er_scene *scene;
    eri_notes notes;
    int notes_left_out; ///< notes beyond the first hundred or so
    er_image *image;    ///< [scene->image_count], room for image_room
    int image_room;
} imp_reader;

/// Bytes of a file.
typedef struct imp_bytes {
    const uint8_t *at; ///< [size]
    size_t size;
} imp_bytes;

// ---- readers: each fills all of reader->scene but path, notes and arena ----

/// glTF 2.0, .gltf and .glb.   @param file  the whole file
er_result imp_read_gltf(imp_reader *reader, imp_bytes file);

/// Biovision BVH.   @param file  the whole file
er_result imp_read_bvh(imp_reader *reader, imp_bytes file);

// ---- common ground ----

/// Adds a note, made one clean line; past the first hundred they are only counted.   Errors: ER_ERROR_MEMORY.
er_result imp_reader_note(imp_reader *reader, er_note_kind kind, const char *format, ...) ER_PRINTF(3, 4);

/// Foreign text as UTF-8 in the arena: text that is not UTF-8 is read as Latin-1. NULL without memory.
char *imp_reader_text(imp_reader *reader, const char *text);

/// Reads a file that the scene file refers to, by the rule of er_file_open_reference(), or takes it from `beside`.
/// @param uri   whether the reference is a URI
/// @param most  bytes; no more are read
/// Errors   ER_ERROR_FILE with a sentence that begins with the reference, ER_ERROR_MEMORY
er_result imp_reader_reference(imp_reader *reader, er_arena *arena, const char *reference, bool uri, size_t most,
                               imp_bytes *out);

/// Adds a picture unless its bytes are neither PNG nor JPEG, which is noted; its index or -1 goes to *out.
/// @param bytes  in the arena   Errors: ER_ERROR_MEMORY
er_result imp_reader_image(imp_reader *reader, const char *name, imp_bytes bytes, int *out);

/// Sorts influences by vertex, drops weights of nothing and makes the weights of a vertex sum to 1.
/// @param count   influences; vertex, joint, weight: [count]
/// @param uneven  incremented for each vertex whose weights did not sum to 1 within 1 %
/// Errors   ER_ERROR_MEMORY
er_result imp_reader_influences(imp_reader *reader, er_mesh *mesh, size_t count, const int *vertex, const int *joint,
                                const double *weight, int *uneven);

/// Removes keys that are not finite, not later than the one before, or have a zero quaternion; normalises rotations.
/// @param dropped  increased by the keys removed
void imp_reader_clean_channel(er_channel *channel, double *time, double *value, int *dropped);

/// Sorts channels by node, drops a second channel of a path, moves negative times to start at 0, sets the duration.
/// @param channel  [count] in the arena; taken over
/// @param rest     [node_count]: rest transforms whose signs and zero scales a matrix loses; a clip gets single keys
/// for the paths that it lacks of such a node. NULL: there are none
/// Errors   ER_ERROR_MEMORY
er_result imp_reader_finish_clip(imp_reader *reader, er_clip *clip, er_channel *channel, int count,
                                 const eri_trs *rest);

/// Reads a scene from a file: calls `read`, then validates the scene, adds flags and notes.
/// @param reader  with context, path and allow_outside
/// @param read    the reader of its format; the bytes are the arena's
/// @param arena   the scene's, for eri_arena_destroy() in any case
/// @param out     written on ER_OK
/// Errors   ER_ERROR_FILE with a sentence that names the path, ER_ERROR_MEMORY, those of `read`; ER_ERROR_FORMAT: the
/// scene is not valid
er_result imp_reader_read(imp_reader *reader, er_result (*read)(imp_reader *, imp_bytes), er_arena **arena,
                          er_scene **out);

/// The same for a file whose bytes are in `arena` already, by imp_keep_bytes().
er_result imp_reader_read_bytes(imp_reader *reader, er_result (*read)(imp_reader *, imp_bytes), imp_bytes file,
                                er_arena *arena, er_scene **out);

/// Copies bytes into an arena, with a zero byte after their end.   Errors: ER_ERROR_MEMORY.
er_result imp_keep_bytes(er_arena *arena, const void *bytes, size_t size, imp_bytes *out);

/// A failure's sentence as one line of UTF-8, although it may contain names from the file.
/// @param line  [size], written
void imp_one_line(const char *sentence, char *line, size_t size);

/// Whether `text` ends in `ending`, ignoring letter case.
bool imp_ends_in(const char *text, const char *ending);

#endif
