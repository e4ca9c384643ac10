/// @file
/// Pictures as PNG.
#ifndef ERI_VIEWER_RENDER_PNG_H
#define ERI_VIEWER_RENDER_PNG_H

#include <eigenrig/base.h>

/// A picture as a PNG file in memory, 8 bits a channel.
/// @param rgba   [4 width height], rows from the top, sRGB, straight alpha
/// @param alpha  false: as RGB, for pictures that are opaque
/// @param out    ER_OK: [size], for free(); otherwise NULL
/// Errors   ER_ERROR_MEMORY
er_result png_encode(er_context *context, int width, int height, const uint8_t *rgba, bool alpha, uint8_t **out,
                     size_t *size);

/// Writes a picture as a PNG file, whole or not at all; without an alpha channel where it is opaque.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result png_write(er_context *context, int width, int height, const uint8_t *rgba, const char *path);

#endif
