// A text being written in the plain locale, kept in memory until it goes out whole.
#include "curves/out.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "file/atomic.h"

enum { LINE_ROOM = 256 }; // bytes that a formatted piece seldom needs more than

er_result er_out_begin(er_out *out, er_arena *arena)
{
    *out = (er_out){.arena = arena, .plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
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

// Room for `size` bytes more, or NULL.
static char *room(er_out *out, size_t size)
{
    if (out->capacity - out->size < size && !out->failed) {
        size_t capacity = out->capacity > 0 ? 2 * out->capacity : 4096;
        if (capacity - out->size < size) capacity = out->size + size;
        char *grown = er_arena_reserve(out->arena, capacity, 1);
        out->failed = grown == NULL;
        if (grown != NULL) {
            if (out->size > 0) memcpy(grown, out->bytes, out->size);
            out->bytes = grown;
            out->capacity = capacity;
        }
    }
    return out->failed ? NULL : out->bytes + out->size;
}

void er_out_bytes(er_out *out, const void *bytes, size_t size)
{
    char *place = room(out, size);
    if (place == NULL || size == 0) return;
    memcpy(place, bytes, size);
    out->size += size;
}

void er_out_text(er_out *out, const char *text)
{
    er_out_bytes(out, text, strlen(text));
}

void er_out_printf(er_out *out, const char *format, ...)
{
    size_t wanted = LINE_ROOM;
    for (int attempt = 0; attempt < 2; ++attempt) {
        char *place = room(out, wanted);
        if (place == NULL) return;
        va_list arguments;
        va_start(arguments, format);
        int length = vsnprintf(place, wanted, format, arguments);
        va_end(arguments);
        if (length >= 0 && (size_t)length < wanted) {
            out->size += (size_t)length;
            return;
        }
        wanted = (size_t)length + 1;
    }
}

void er_out_exact(er_out *out, double x)
{
    char text[ER_NUMBER_ROOM];
    er_out_bytes(out, text, (size_t)er_number_text(x, text));
}

er_result er_out_write(const er_out *out, const char *path)
{
    return out->failed ? ER_ERROR_MEMORY : er_file_write(er_arena_context(out->arena), path, out->bytes, out->size);
}
