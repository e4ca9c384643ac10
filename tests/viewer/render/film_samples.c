// Writes a film, for the Python tests:
//   film_samples OUT WIDTH HEIGHT FPS COUNT opaque|clear [give_up]
// A square of 8 pixels moves 4 to the right a frame over a plain ground, the whole of frame 2 as frame 1.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/render/film.h"

static void paint(uint8_t *rgba, int width, int height, int frame, bool clear)
{
    static const uint8_t ground[4] = {40, 90, 160, 255}, square[4] = {230, 120, 40, 255};
    int left = 4 * (frame == 2 ? 1 : frame), top = height / 2 - 4;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            bool inside = x >= left && x < left + 8 && y >= top && y < top + 8;
            uint8_t *pixel = rgba + 4 * (y * width + x);
            memcpy(pixel, inside ? square : ground, 4);
            if (clear) pixel[3] = inside ? 200 : 0;
        }
}

int main(int argc, char **argv)
{
    if (argc < 7) return 2;
    int width = atoi(argv[2]), height = atoi(argv[3]), count = atoi(argv[5]);
    bool clear = strcmp(argv[6], "clear") == 0, keep = argc == 7;
    film_def def = {argv[1], width, height, atof(argv[4]), clear};
    er_context *context = NULL;
    film *f = NULL;
    uint8_t *rgba = malloc(4 * (size_t)width * (size_t)height);
    if (rgba == NULL || er_context_create(NULL, &context) != ER_OK) return 2;
    er_result r = film_open(context, &def, &f);
    for (int k = 0; k < count && r == ER_OK; ++k) {
        paint(rgba, width, height, k, clear);
        r = film_frame(f, rgba);
    }
    if (f != NULL) {
        er_result closed = film_close(f, keep && r == ER_OK);
        if (r == ER_OK) r = closed;
    }
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    free(rgba);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}
