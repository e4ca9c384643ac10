// PNG and JPEG are decoded to RGBA, and halved until they are no larger than is wanted.
#include "viewer/draw/images.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>
#include <turbojpeg.h>

static bool is_possible(int width, int height)
{
    return width > 0 && height > 0 && width <= IMAGE_MOST_SIDE && height <= IMAGE_MOST_SIDE;
}

static bool read_png(const er_image *image, int *width, int *height, uint8_t **rgba)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, image->bytes, image->size)) return false;
    png.format = PNG_FORMAT_RGBA;
    *width = (int)png.width;
    *height = (int)png.height;
    bool read = is_possible(*width, *height);
    if (read && rgba != NULL) {
        *rgba = malloc(PNG_IMAGE_SIZE(png));
        read = *rgba != NULL && png_image_finish_read(&png, NULL, *rgba, 0, NULL);
    }
    png_image_free(&png);
    return read;
}

static bool read_jpeg(const er_image *image, int *width, int *height, uint8_t **rgba)
{
    tjhandle jpeg = tjInitDecompress();
    unsigned long size = (unsigned long)image->size;
    int sampling, space;
    if (jpeg == NULL) return false;
    bool read = tjDecompressHeader3(jpeg, image->bytes, size, width, height, &sampling, &space) == 0 &&
                is_possible(*width, *height);
    if (read && rgba != NULL) {
        *rgba = malloc(4 * (size_t)*width * (size_t)*height);
        read = *rgba != NULL &&
               tjDecompress2(jpeg, image->bytes, size, *rgba, *width, 0, *height, TJPF_RGBA, TJFLAG_STOPONWARNING) == 0;
    }
    tjDestroy(jpeg);
    return read;
}

// Reads the size, and the pixels too unless `rgba` is NULL. The bytes decide on the format: files name it wrongly.
static bool read_image(const er_image *image, int *width, int *height, uint8_t **rgba)
{
    static const uint8_t png[4] = {0x89, 'P', 'N', 'G'}, jpeg[2] = {0xff, 0xd8};
    if (image->size >= sizeof png && memcmp(image->bytes, png, sizeof png) == 0)
        return read_png(image, width, height, rgba);
    return image->size >= sizeof jpeg && memcmp(image->bytes, jpeg, sizeof jpeg) == 0 &&
           read_jpeg(image, width, height, rgba);
}

bool image_size(const er_image *image, int *width, int *height)
{
    return read_image(image, width, height, NULL);
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
    uint8_t *rgba = NULL;
    if (!read_image(image, width, height, &rgba)) {
        free(rgba);
        return NULL;
    }
    bool whole = *width <= side && *height <= side;
    while (*width > side || *height > side)
        halve(rgba, width, height);
    uint8_t *less = whole ? NULL : realloc(rgba, 4 * (size_t)*width * (size_t)*height);
    return less != NULL ? less : rgba;
}
