// Text of a file, its numbers with a point in every locale.
#include "formats/curves/out.h"

#include "base/failure.h"
#include "base/file.h"
#include "base/platform.h"

er_result eri_out_begin(eri_out *out, er_context *context)
{
    *out = (eri_out){0};
    er_result r = eri_arena_create(context, &out->text.arena);
    if (r == ER_OK && !eri_point_begin(&out->locale)) r = eri_no_memory(context);
    return r;
}

void eri_out_end(eri_out *out)
{
    eri_point_end(&out->locale);
    eri_arena_destroy(out->text.arena);
}

void eri_out_bytes(eri_out *out, const void *bytes, size_t size)
{
    eri_buffer_add(&out->text, bytes, size);
}

void eri_out_text(eri_out *out, const char *text)
{
    eri_buffer_text(&out->text, text);
}

void eri_out_printf(eri_out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    eri_buffer_vprintf(&out->text, format, arguments);
    va_end(arguments);
}

void eri_out_exact(eri_out *out, double x)
{
    eri_buffer_number(&out->text, x);
}

er_result eri_out_write(const eri_out *out, const char *path)
{
    const eri_buffer *text = &out->text;
    return text->failure != ER_OK ? text->failure
                                  : er_file_write(eri_arena_context(text->arena), path, text->bytes, text->size);
}
