/// @file
/// Private: a file or a text under construction, in memory until it is whole.
#ifndef ER_BASE_BUFFER_H
#define ER_BASE_BUFFER_H

#include "base/arena.h"

/// Bytes that grow in an arena: (er_buffer){.arena = arena} is empty. A file takes thousands of calls that can fail in
/// one way, so a buffer keeps its failure: after it nothing is appended, and whoever writes the file looks once.
typedef struct er_buffer {
    er_arena *arena; ///< borrowed
    uint8_t *bytes;  ///< [size]; they move as the buffer grows
    size_t size, capacity;
    er_result failure; ///< ER_ERROR_MEMORY once memory ran out, or what its owner says; else ER_OK
} er_buffer;

/// Appends `count` bytes to be filled in, which are not zeroed.   @return  where they begin, NULL after a failure
void *er_buffer_grow(er_buffer *buffer, size_t count);

/// Appends bytes; of what follows a failure, nothing.
void er_buffer_add(er_buffer *buffer, const void *bytes, size_t count);

/// Appends a string without its zero.
void er_buffer_text(er_buffer *buffer, const char *text);

/// Appends a formatted string, however long; numbers have the point of the thread's locale.
void er_buffer_printf(er_buffer *buffer, const char *format, ...) ER_PRINTF(2, 3);
void er_buffer_vprintf(er_buffer *buffer, const char *format, va_list arguments);

/// Appends a number as er_number_text() writes it.
void er_buffer_number(er_buffer *buffer, double x);

#endif
