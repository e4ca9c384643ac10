/// @file
/// Private: a file or a text under construction, in memory until it is whole.
#ifndef ERI_BASE_BUFFER_H
#define ERI_BASE_BUFFER_H

#include "base/arena.h"

/// Bytes that grow in an arena: (eri_buffer){.arena = arena} is empty. A file takes thousands of calls that can fail in
/// one way, so a buffer keeps its failure: after it nothing is appended, and whoever writes the file looks once.
typedef struct eri_buffer {
    er_arena *arena; ///< borrowed
    uint8_t *bytes;  ///< [size]; they move as the buffer grows
    size_t size, capacity;
    er_result failure; ///< ER_ERROR_MEMORY once memory ran out, or what its owner says; else ER_OK
} eri_buffer;

/// Appends `count` bytes to be filled in, which are not zeroed.   @return  where they begin, NULL after a failure
void *eri_buffer_grow(eri_buffer *buffer, size_t count);

/// Appends bytes; of what follows a failure, nothing.
void eri_buffer_add(eri_buffer *buffer, const void *bytes, size_t count);

/// Appends a string without its zero.
void eri_buffer_text(eri_buffer *buffer, const char *text);

/// Appends a formatted string, however long; numbers have the point of the thread's locale.
void eri_buffer_printf(eri_buffer *buffer, const char *format, ...) ER_PRINTF(2, 3);
void eri_buffer_vprintf(eri_buffer *buffer, const char *format, va_list arguments);

/// Appends a number as eri_number_text() writes it.
void eri_buffer_number(eri_buffer *buffer, double x);

#endif
