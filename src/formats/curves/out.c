// Text of a file, its numbers with a point in every locale.
#include "formats/curves/out.h"

#include "base/file.h"

er_result er_out_begin(er_out *out, er_arena *arena)
{
    *out = (er_out){.text = {.arena = arena}, .plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (out->plain == (locale_t)0) return er_fail(er_arena_context(arena), ER_ERROR_MEMORY, "out of memory");
    out->before = uselocale(out->plain);
    return ER_OK;
}

void er_out_end(er_out *out)
{
    if (out->plain == (locale_t)0) return;
    uselocale(out->before);
    freelocale(out->plain);
    out->plain = (locale_t)0;
}

void er_out_bytes(er_out *out, const void *bytes, size_t size)
{
    er_buffer_add(&out->text, bytes, size);
}

void er_out_text(er_out *out, const char *text)
{
    er_buffer_text(&out->text, text);
}

void er_out_printf(er_out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    er_buffer_vprintf(&out->text, format, arguments);
    va_end(arguments);
}

void er_out_exact(er_out *out, double x)
{
    er_buffer_number(&out->text, x);
}

er_result er_out_write(const er_out *out, const char *path)
{
    const er_buffer *text = &out->text;
    return text->failure != ER_OK ? text->failure
                                  : er_file_write(er_arena_context(text->arena), path, text->bytes, text->size);
}
