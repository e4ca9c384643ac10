/// @file
/// Private: a text file under construction, in memory until it is whole.
#ifndef ER_FORMATS_CURVES_OUT_H
#define ER_FORMATS_CURVES_OUT_H

#include <locale.h>

#include "base/buffer.h"

/// Text that grows. Appending never fails by itself: er_out_write() does, when memory ran out on the way.
typedef struct er_out {
    er_buffer text;
    locale_t plain, before;
} er_out;

/// Starts an empty text. Until er_out_end() this thread prints and reads numbers with a point, whatever its locale.
/// Errors   ER_ERROR_MEMORY; er_out_end() is then still to be called, or not: both are fine.
er_result er_out_begin(er_out *out, er_arena *arena);

/// Gives the thread its locale back. An er_out of zeroes is fine.
void er_out_end(er_out *out);

void er_out_bytes(er_out *out, const void *bytes, size_t size);
void er_out_text(er_out *out, const char *text);
void er_out_printf(er_out *out, const char *format, ...) ER_PRINTF(2, 3);

/// The fewest characters that read back as the same double.
void er_out_exact(er_out *out, double x);

/// Writes the text whole or not at all: er_file_write().   Errors: ER_ERROR_MEMORY, ER_ERROR_FILE.
er_result er_out_write(const er_out *out, const char *path);

#endif
