// PNG and JPEG are decoded to RGBA, and halved until they are no larger than is wanted.
#include "viewer/draw/images.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <turbojpeg.h>

static uint8_t *decode_png(const er_image *image, int *width, int *height)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    uint8_t *rgba = NULL;
    if (!png_image_begin_read_from_memory(&png, image->bytes, image->size)) return NULL;
    png.format = PNG_FORMAT_RGBA;
    *width = (int)png.width;
    *height = (int)png.height;
    if (png.width <= IMAGE_MOST_SIDE && png.height <= IMAGE_MOST_SIDE) rgba = malloc(PNG_IMAGE_SIZE(png));
    if (rgba == NULL || !png_image_finish_read(&png, NULL, rgba, 0, NULL)) {
        png_image_free(&png);
        free(rgba);
        return NULL;
    }
    return rgba;
}

static uint8_t *decode_jpeg(const er_image *image, int *width, int *height)
{
    tjhandle jpeg = tjInitDecompress();
    uint8_t *rgba = NULL;
    int sampling = 0, space = 0;
    if (jpeg == NULL) return NULL;
    if (tjDecompressHeader3(jpeg, image->bytes, (unsigned long)image->size, width, height, &sampling, &space) == 0 &&
        *width > 0 && *height > 0 && *width <= IMAGE_MOST_SIDE && *height <= IMAGE_MOST_SIDE)
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
static bool is_png(const er_image *image)
{
    static const uint8_t head[4] = {0x89, 'P', 'N', 'G'};
    return image->size >= sizeof head && memcmp(image->bytes, head, sizeof head) == 0;
}

static bool is_jpeg(const er_image *image)
{
    static const uint8_t head[2] = {0xff, 0xd8};
    return image->size >= sizeof head && memcmp(image->bytes, head, sizeof head) == 0;
}

static bool png_size(const er_image *image, int *width, int *height)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, image->bytes, image->size)) return false;
    *width = (int)png.width;
    *height = (int)png.height;
    png_image_free(&png);
    return true;
}

static bool jpeg_size(const er_image *image, int *width, int *height)
{
    int sampling, space;
    tjhandle jpeg = tjInitDecompress();
    bool read = jpeg != NULL && tjDecompressHeader3(jpeg, image->bytes, (unsigned long)image->size, width, height,
                                                    &sampling, &space) == 0;
    if (jpeg != NULL) tjDestroy(jpeg);
    return read;
}

bool image_size(const er_image *image, int *width, int *height)
{
    bool read = is_png(image)    ? png_size(image, width, height)
                : is_jpeg(image) ? jpeg_size(image, width, height)
                                 : false;
    return read && *width > 0 && *height > 0 && *width <= IMAGE_MOST_SIDE && *height <= IMAGE_MOST_SIDE;
}

static int half(int size)
{
    return size > 1 ? size / 2 : 1;
}

void image_fit(int side, int *width, int *height)
{
    while (*width > side || *height > side) {
        *width = half(*width);
        *height = half(*height);
    }
}

// Each pixel the mean of four, in place: what is written is read by then.
static void halve(uint8_t *rgba, int *width, int *height)
{
    int w = half(*width), h = half(*height), right = *width > 1 ? 4 : 0;
    size_t row = 4 * (size_t)*width, down = *height > 1 ? row : 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const uint8_t *from = rgba + 2 * (size_t)y * row + 8 * (size_t)x;
            uint8_t *to = rgba + 4 * ((size_t)y * (size_t)w + (size_t)x);
            for (int k = 0; k < 4; ++k)
                to[k] = (uint8_t)((from[k] + from[k + right] + from[down + (size_t)k] +
                                   from[down + (size_t)(k + right)] + 2) /
                                  4);
        }
    *width = w;
    *height = h;
}

uint8_t *image_decode(const er_image *image, int side, int *width, int *height)
{
    uint8_t *rgba = is_png(image)    ? decode_png(image, width, height)
                    : is_jpeg(image) ? decode_jpeg(image, width, height)
                                     : NULL;
    if (rgba == NULL) return NULL;
    bool whole = *width <= side && *height <= side;
    while (*width > side || *height > side)
        halve(rgba, width, height);
    uint8_t *less = whole ? NULL : realloc(rgba, 4 * (size_t)*width * (size_t)*height);
    return less != NULL ? less : rgba;
}
