/// @file
/// Files that a document refers to: written together with it or not at all, and never over another file.
#ifndef ERI_BASE_SIDE_FILES_H
#define ERI_BASE_SIDE_FILES_H

#include "base/arena.h"

/// A path that eri_beside_put() made.
typedef struct eri_beside_made {
    struct eri_beside_made *next; ///< the one made before
    const char *path;
} eri_beside_made;

/// Files made for a document so far. Begin with arena and path, end with eri_beside_keep() or eri_beside_remove().
typedef struct eri_beside {
    er_arena *arena;       ///< borrowed
    const char *path;      ///< of the document
    eri_beside_made *made; ///< newest first
} eri_beside;

/// The path of `name` in the folder of `file`; NULL when there is no memory.
char *eri_beside_path(er_arena *arena, const char *file, const char *name);

/// Writes a file at `to`, in the document's folder or below, with the folders it takes; an equal file is left alone.
/// @param from  where it comes from, for the message
/// Errors   ER_ERROR_FILE (a different file is there; cannot be written), ER_ERROR_MEMORY
er_result eri_beside_put(eri_beside *beside, const char *to, const uint8_t *bytes, size_t size, const char *from);

/// The document is written: keeps the files.
void eri_beside_keep(eri_beside *beside);

/// Removes the files, unless they were kept.
void eri_beside_remove(eri_beside *beside);

#endif
