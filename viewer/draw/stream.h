/// @file
/// Bytes that a picture gathers and the graphics card reads: they grow, and are used again for the next picture.
#ifndef ERI_VIEWER_DRAW_STREAM_H
#define ERI_VIEWER_DRAW_STREAM_H

#include <stddef.h>

typedef struct stream {
    unsigned char *data;
    size_t size, room; // bytes
    unsigned buffer;   // OpenGL's, 0 until it is sent
} stream;

/// Room for so many bytes more, at the end.   @return NULL: no memory, nothing changed
void *stream_take(stream *s, size_t bytes);

/// Sends it, and leaves its buffer bound to an OpenGL target such as GL_ARRAY_BUFFER.
void stream_send(stream *s, unsigned target);

void stream_free(stream *s);

#endif
