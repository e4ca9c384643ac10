/// @file
/// Reading a scene file. The file is read by a process of its own (`eigenrig-import`, which alone links Assimp), under
/// limits of time and memory, so whatever the bytes do to a parser ends as one error here.
#ifndef EIGENRIG_IMPORT_H
#define EIGENRIG_IMPORT_H

#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the importer's process ended.
typedef enum er_import_end {
    ER_IMPORT_ANSWERED, ///< with a scene or a refusal; or there was none
    ER_IMPORT_CRASHED,  ///< of a signal
    ER_IMPORT_LATE,     ///< it passed the limit of time
    ER_IMPORT_STARVED   ///< it passed the limit of memory, or was killed from outside, most likely for lack of it
} er_import_end;

/// Options for er_import_file(). Take er_default_import_def(), then change fields.
typedef struct er_import_def {
    double time_limit;    ///< seconds of wall clock and of processor time it may take, in (0, 1e6]        [60]
    double memory_limit;  ///< bytes of address space it may map, 64 MiB to 1e15                            [4 GiB]
    const char *importer; ///< path of eigenrig-import; NULL: $EIGENRIG_IMPORTER, then beside the running
                          ///< program, then beside this library, then where it was installed             [NULL]
    er_import_end *end;   ///< where to write how the importer ended, or NULL                              [NULL]
    uint32_t tag;         ///< set by er_default_import_def(); leave alone
} er_import_def;

/// The defaults in brackets above.   Errors none.   Threads: any.
ER_API er_import_def er_default_import_def(void);

/// Reads a scene file of any supported format: glTF and GLB by our own reader, all others through Assimp.
/// Helper nodes of the format (FBX pivots) are collapsed, influences normalised, clips put into seconds.
/// @param path  the file. Files it refers to (buffers, pictures) are looked for beside it
/// @param def   made by er_default_import_def(), or NULL for the defaults
/// @param out   ER_OK: a validated scene for er_scene_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (cannot be read), ER_ERROR_FORMAT (empty, not a model, or a broken one),
///          ER_ERROR_IMPORT (the importer crashed, ran out of time or memory, or is not found), ER_ERROR_MEMORY
/// Memory   the scene owns all it holds.
/// Threads  one call per context at a time; safe in a threaded program (posix_spawn, no signal handler, no fork).
ER_API er_result er_import_file(er_context *context, const char *path, const er_import_def *def, er_scene **out);

#ifdef __cplusplus
}
#endif
#endif
