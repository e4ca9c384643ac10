// Pictures are packed as PNG by libpng and written whole.
#include "viewer/render/png.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

er_result png_encode(er_context *context, int width, int height, const uint8_t *rgba, bool alpha, uint8_t **out,
                     size_t *size)
{
    size_t pixels = (size_t)width * (size_t)height;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *rgb = alpha ? NULL : malloc(3 * pixels);
    *out = malloc(room);
    bool done = *out != NULL && (alpha || rgb != NULL);
    for (size_t i = 0; done && !alpha && i < pixels; ++i)
        memcpy(rgb + 3 * i, rgba + 4 * i, 3);
    done = done && png_image_write_to_memory(&image, *out, &room, 0, alpha ? rgba : rgb, 0, NULL);
    free(rgb);
    *size = room;
    if (done) return ER_OK;
    free(*out);
    *out = NULL;
    return er_fail(context, ER_ERROR_MEMORY, "no memory for a picture of %d x %d; ask for a smaller one", width,
                   height);
}

er_result png_write(er_context *context, int width, int height, const uint8_t *rgba, const char *path)
{
    bool alpha = false;
    uint8_t *bytes = NULL;
    size_t size = 0, pixels = (size_t)width * (size_t)height;
    for (size_t i = 0; i < pixels && !alpha; ++i)
        alpha = rgba[4 * i + 3] != 255;
    er_result r = png_encode(context, width, height, rgba, alpha, &bytes, &size);
    if (r == ER_OK) r = er_file_write(context, path, bytes, size);
    free(bytes);
    return r;
}
