/// @file
/// Files read whole, and written piece by piece; <eigenrig/base.h> has what writes them at once.
#ifndef ERI_BASE_FILE_H
#define ERI_BASE_FILE_H

#include <eigenrig/base.h>

#include "base/arena.h"

/// A file being written, with the promises of er_file_write().
typedef struct eri_stream {
    er_context *context;
    const char *path;              ///< for messages; borrowed
    int file, error;               ///< the first error there was
    char target[ER_FILE_NAME_MAX]; ///< what `path` leads to
    char name[ER_FILE_NAME_MAX];   ///< where it grows until it is whole; "" where it is written to directly
} eri_stream;

/// Begins a file, to be ended by eri_stream_close().   @param path  "-" is standard output
/// Errors   ER_ERROR_FILE: there is nothing to close
er_result eri_stream_open(eri_stream *stream, er_context *context, const char *path);

/// Appends bytes; eri_stream_close() tells whether it worked.
void eri_stream_put(eri_stream *stream, const void *bytes, size_t size);

/// Puts the file in its place.   Errors: ER_ERROR_FILE: nothing is left behind
er_result eri_stream_close(eri_stream *stream);

/// Reads a whole file into an arena, NUL-terminated one past its size. "-" reads standard input.
/// @param limit  bytes; a larger file is refused
/// Errors   ER_ERROR_FILE (missing, a directory, unreadable, larger than the limit), ER_ERROR_MEMORY
er_result eri_file_read(er_arena *arena, const char *path, size_t limit, uint8_t **bytes, size_t *size);

#endif
