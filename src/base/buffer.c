// Bytes that grow by doubling in an arena, with one failure kept.
#include "base/buffer.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { FIRST_SIZE = 4096, LINE_SIZE = 256 }; // bytes; a formatted piece seldom needs more than a line

// Makes room for `count` bytes behind the last.
static bool make_room(eri_buffer *buffer, size_t count)
{
    assert(buffer->arena != NULL && buffer->size <= buffer->capacity);
    if (buffer->failure != ER_OK) return false;
    if (buffer->bytes != NULL && count <= buffer->capacity - buffer->size) return true;
    size_t capacity = buffer->capacity > 0 ? 2 * buffer->capacity : FIRST_SIZE;
    if (capacity - buffer->size < count) capacity = count <= SIZE_MAX - buffer->size ? buffer->size + count : SIZE_MAX;
    uint8_t *grown = eri_arena_reserve(buffer->arena, capacity, 1);
    if (grown == NULL) {
        buffer->failure = ER_ERROR_MEMORY;
        return false;
    }
    if (buffer->size > 0) memcpy(grown, buffer->bytes, buffer->size);
    buffer->bytes = grown;
    buffer->capacity = capacity;
    return true;
}

void *eri_buffer_grow(eri_buffer *buffer, size_t count)
{
    if (!make_room(buffer, count)) return NULL;
    uint8_t *start = buffer->bytes + buffer->size;
    buffer->size += count;
    return start;
}

void eri_buffer_add(eri_buffer *buffer, const void *bytes, size_t count)
{
    if (count == 0) return;
    void *start = eri_buffer_grow(buffer, count);
    if (start != NULL) memcpy(start, bytes, count);
}

void eri_buffer_text(eri_buffer *buffer, const char *text)
{
    eri_buffer_add(buffer, text, strlen(text));
}

void eri_buffer_vprintf(eri_buffer *buffer, const char *format, va_list arguments)
{
    size_t wanted = LINE_SIZE;
    for (int attempt = 0; attempt < 2 && make_room(buffer, wanted); ++attempt) {
        va_list again;
        va_copy(again, arguments);
        int length = vsnprintf((char *)buffer->bytes + buffer->size, wanted, format, again);
        va_end(again);
        if (length < 0) buffer->failure = ER_ERROR_MEMORY;
        if (length < 0) return;
        if ((size_t)length < wanted) {
            buffer->size += (size_t)length;
            return;
        }
        wanted = (size_t)length + 1;
    }
}

void eri_buffer_printf(eri_buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    eri_buffer_vprintf(buffer, format, arguments);
    va_end(arguments);
}

void eri_buffer_number(eri_buffer *buffer, double x)
{
    char text[ERI_NUMBER_ROOM];
    eri_buffer_add(buffer, text, (size_t)eri_number_text(x, text));
}
