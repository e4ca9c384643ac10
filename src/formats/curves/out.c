// Text of a file, its numbers with a point in every locale.
#include "formats/curves/out.h"

#include "base/file.h"

er_result eri_out_begin(eri_out *out, er_arena *arena)
{
    *out = (eri_out){.text = {.arena = arena}, .plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (out->plain == (locale_t)0) return er_fail(eri_arena_context(arena), ER_ERROR_MEMORY, "out of memory");
    out->before = uselocale(out->plain);
    return ER_OK;
}

void eri_out_end(eri_out *out)
{
    if (out->plain == (locale_t)0) return;
    uselocale(out->before);
    freelocale(out->plain);
    out->plain = (locale_t)0;
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
