/// @file
/// Pictures of heights.
#ifndef ERI_VIEWER_RENDER_HEIGHTS_H
#define ERI_VIEWER_RENDER_HEIGHTS_H

#include <eigenrig/scene.h>

enum { HEIGHTS_MOST_SIDE = 1024 }; ///< pixels; larger pictures are halved

/// Decodes a PNG or JPEG as heights, the means of red, green and blue.
/// @param columns,rows  written where heights are returned
/// @return [rows x columns], 0 for black to 1 for white, rows from the top, for free(); NULL for bytes that are no
/// picture of at least 2 x 2 pixels, and no memory
float *heights_decode(const er_image *image, int *columns, int *rows);

#endif
