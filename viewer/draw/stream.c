// A growing buffer of bytes that is sent to the graphics card whole.
#include "viewer/draw/stream.h"

#include <stdlib.h>

#include <epoxy/gl.h>

void *stream_take(stream *s, size_t bytes)
{
    if (bytes > s->room - s->size) {
        size_t room = 2 * s->room > s->size + bytes ? 2 * s->room : s->size + bytes;
        unsigned char *data = realloc(s->data, room);
        if (data == NULL) return NULL;
        s->data = data;
        s->room = room;
    }
    void *taken = s->data + s->size;
    s->size += bytes;
    return taken;
}

void stream_send(stream *s, unsigned target)
{
    if (s->buffer == 0) glGenBuffers(1, &s->buffer);
    glBindBuffer(target, s->buffer);
    glBufferData(target, (GLsizeiptr)s->size, s->data, GL_STREAM_DRAW);
}

void stream_free(stream *s)
{
    if (s->buffer != 0) glDeleteBuffers(1, &s->buffer);
    free(s->data);
    *s = (stream){0};
}
