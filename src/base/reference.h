/// @file
/// Private half of references, the files that another file names: <eigenrig/base.h> has what opens them.
#ifndef ERI_BASE_REFERENCE_H
#define ERI_BASE_REFERENCE_H

#include "base/arena.h"

/// The path that a reference means, from the folder of the file that holds it on: decoded once, with slashes, without
/// "." and with ".." at its beginning alone.
/// @param flags  ER_REFERENCE_*
/// @param path   written; "" where it means no file that may be read: absolute, of a drive, of a network; too long
/// @return       whether it means one
bool eri_reference_path(const char *reference, unsigned flags, char path[ER_FILE_NAME_MAX]);

/// Whether a path of eri_reference_path() leads out of the folder it starts in.
bool eri_reference_climbs(const char *path);

/// Reads a file that another one names, as er_file_open_reference() opens it, NUL-terminated one past its size.
/// @param most  bytes; no more are read
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result eri_reference_read(er_arena *arena, const char *file, const char *reference, unsigned flags, size_t most,
                             uint8_t **bytes, size_t *size);

#endif
