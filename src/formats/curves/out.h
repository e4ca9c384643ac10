/// @file
/// Private: a text file under construction, in memory until it is whole.
#ifndef ERI_FORMATS_CURVES_OUT_H
#define ERI_FORMATS_CURVES_OUT_H

#include <locale.h>

#include "base/buffer.h"
#include "base/platform.h"

/// Text that grows, in an arena of its own. Appending keeps a failure; eri_out_write() returns it.
typedef struct eri_out {
    eri_buffer text; ///< its arena serves as scratch too
    eri_point_locale locale;
} eri_out;

/// Starts an empty text. Until eri_out_end() this thread prints and reads numbers with a point, whatever its locale.
/// Errors   ER_ERROR_MEMORY; call eri_out_end() then too
er_result eri_out_begin(eri_out *out, er_context *context);

/// Restores the thread's locale and frees the text. An eri_out of zeroes is fine.
void eri_out_end(eri_out *out);

void eri_out_bytes(eri_out *out, const void *bytes, size_t size);
void eri_out_text(eri_out *out, const char *text);
void eri_out_printf(eri_out *out, const char *format, ...) ER_PRINTF(2, 3);

/// The fewest characters that read back as the same double.
void eri_out_exact(eri_out *out, double x);

/// Writes the text whole or not at all: er_file_write().   Errors: ER_ERROR_MEMORY, ER_ERROR_FILE.
er_result eri_out_write(const eri_out *out, const char *path);

#endif
