/// @file
/// Encoded pictures as pixels.
#ifndef ERI_VIEWER_DRAW_IMAGES_H
#define ERI_VIEWER_DRAW_IMAGES_H

#include <eigenrig/scene.h>

enum { IMAGE_MOST_SIDE = 8192 }; ///< pixels; pictures that are larger themselves are refused

/// The size of a picture as its head tells it.   @return false where image_decode() gives none either way
bool image_size(const er_image *image, int *width, int *height);

/// Halves a size until neither side is longer.
void image_fit(int side, int *width, int *height);

/// @param side   the largest width and height that the caller can use, pixels: a larger picture is halved until it fits
/// @param width,height  written where a picture is returned
/// @return [4 width height] RGBA, 8 bits, rows from the top, sRGB, straight alpha, for free(); NULL for bytes that are
/// no whole PNG or JPEG, a picture too large, and no memory
uint8_t *image_decode(const er_image *image, int side, int *width, int *height);

#endif
