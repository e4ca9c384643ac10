// Pictures of heights.
#include "viewer/render/heights.h"

#include <stdlib.h>

#include "viewer/draw/images.h"

float *heights_decode(const er_image *image, int *columns, int *rows)
{
    uint8_t *pixel = image_decode(image, HEIGHTS_MOST_SIDE, columns, rows);
    if (pixel == NULL) return NULL;
    size_t count = (size_t)*columns * (size_t)*rows;
    float *out = *columns >= 2 && *rows >= 2 ? malloc(count * sizeof *out) : NULL;
    for (size_t i = 0; i < count && out != NULL; ++i)
        out[i] = (float)(pixel[4 * i] + pixel[4 * i + 1] + pixel[4 * i + 2]) / (3.0F * 255.0F);
    free(pixel);
    return out;
}
