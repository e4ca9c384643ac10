/// @file
/// Files written whole or not at all.
#ifndef ER_FILE_ATOMIC_H
#define ER_FILE_ATOMIC_H

#include "base/arena.h"

/// Writes `size` bytes under a temporary name in the same folder, flushes them to the disk, and renames.
/// An existing file keeps its permissions; a link is followed; what is no regular file (a pipe, /dev/stdout) is written
/// to directly. "-" writes to standard output.
/// Errors   ER_ERROR_FILE (names the path and the reason; nothing is left behind).
er_result er_file_write(er_context *context, const char *path, const void *bytes, size_t size);

/// Reads a whole file into an arena, NUL-terminated one past its size. "-" reads standard input.
/// @param limit  bytes; a larger file is refused
/// Errors   ER_ERROR_FILE (missing, a directory, unreadable, larger than the limit), ER_ERROR_MEMORY
er_result er_file_read(er_arena *arena, const char *path, size_t limit, uint8_t **bytes, size_t *size);

#endif
