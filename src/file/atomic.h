/// @file
/// Files read whole; <eigenrig/file.h> has what writes them.
#ifndef ER_FILE_ATOMIC_H
#define ER_FILE_ATOMIC_H

#include <eigenrig/file.h>

#include "base/arena.h"

/// Reads a whole file into an arena, NUL-terminated one past its size. "-" reads standard input.
/// @param limit  bytes; a larger file is refused
/// Errors   ER_ERROR_FILE (missing, a directory, unreadable, larger than the limit), ER_ERROR_MEMORY
er_result er_file_read(er_arena *arena, const char *path, size_t limit, uint8_t **bytes, size_t *size);

#endif
