// PNG and JPEG are decoded to RGBA, no larger than a texture may be.
#include "viewer/draw/images.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <turbojpeg.h>

static uint8_t *decode_png(const er_image *image, int side, int *width, int *height)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    uint8_t *rgba = NULL;
    if (!png_image_begin_read_from_memory(&png, image->bytes, image->size)) return NULL;
    png.format = PNG_FORMAT_RGBA;
    *width = (int)png.width;
    *height = (int)png.height;
    if (png.width <= (unsigned)side && png.height <= (unsigned)side) rgba = malloc(PNG_IMAGE_SIZE(png));
    if (rgba == NULL || !png_image_finish_read(&png, NULL, rgba, 0, NULL)) {
        png_image_free(&png);
        free(rgba);
        return NULL;
    }
    return rgba;
}

static uint8_t *decode_jpeg(const er_image *image, int side, int *width, int *height)
{
    tjhandle jpeg = tjInitDecompress();
    uint8_t *rgba = NULL;
    int sampling = 0, space = 0;
    if (jpeg == NULL) return NULL;
    if (tjDecompressHeader3(jpeg, image->bytes, (unsigned long)image->size, width, height, &sampling, &space) == 0 &&
        *width > 0 && *height > 0 && *width <= side && *height <= side)
        rgba = malloc(4 * (size_t)*width * (size_t)*height);
    if (rgba != NULL && tjDecompress2(jpeg, image->bytes, (unsigned long)image->size, rgba, *width, 0, *height,
                                      TJPF_RGBA, TJFLAG_STOPONWARNING) != 0) {
        free(rgba);
        rgba = NULL;
    }
    tjDestroy(jpeg);
    return rgba;
}

// By the bytes: files name their pictures wrongly.
uint8_t *image_decode(const er_image *image, int side, int *width, int *height)
{
    static const uint8_t png[4] = {0x89, 'P', 'N', 'G'}, jpeg[2] = {0xff, 0xd8};
    if (side > IMAGE_MOST_SIDE) side = IMAGE_MOST_SIDE;
    if (image->size >= sizeof png && memcmp(image->bytes, png, sizeof png) == 0)
        return decode_png(image, side, width, height);
    if (image->size >= sizeof jpeg && memcmp(image->bytes, jpeg, sizeof jpeg) == 0)
        return decode_jpeg(image, side, width, height);
    return NULL;
}
