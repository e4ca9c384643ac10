// Films as animated PNG (third edition of PNG): other viewers show the first picture.
// Later frames hold only the rectangle that changed. If that is opaque, pixels that did not change are clear.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "viewer/draw/stream.h"
#include "viewer/render/film.h"
#include "viewer/render/png.h"

enum { SIGNATURE = 8, CHUNK = 12, HEADER = SIGNATURE + CHUNK + 13 }; // bytes: a chunk without data; up to IHDR's end
enum { BLEND_SOURCE, BLEND_OVER };

typedef struct apng {
    er_context *context;
    film_def def;
    stream bytes;
    uint8_t *last, *patch; // [4 width height]: the frame before; what is stored of this one
    uint32_t frames, sequence;
    uint16_t delay[2]; // s, as a fraction
} apng;

typedef struct rectangle {
    int x, y, width, height;
} rectangle;

static void put32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; ++i)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t get32(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static bool append(apng *a, const void *bytes, size_t size)
{
    void *to = stream_take(&a->bytes, size);
    if (to != NULL) memcpy(to, bytes, size);
    return to != NULL;
}

// A chunk whose data have two parts.
static bool append_chunk(apng *a, const char *type, const uint8_t *head, size_t head_size, const uint8_t *tail,
                         size_t tail_size)
{
    uint8_t number[4];
    size_t start = a->bytes.size + 4;
    put32(number, (uint32_t)(head_size + tail_size));
    bool done = append(a, number, 4) && append(a, type, 4) && append(a, head, head_size) && append(a, tail, tail_size);
    if (!done) return false;
    put32(number, (uint32_t)crc32(0, a->bytes.data + start, (uInt)(a->bytes.size - start)));
    return append(a, number, 4);
}

// acTL: the number of frames, in an endless loop.
static bool append_animation(apng *a)
{
    uint8_t data[8] = {0};
    put32(data, a->frames);
    return append_chunk(a, "acTL", data, sizeof data, data, 0);
}

// fcTL: place and duration of a frame, and how it is laid over the one before.
static bool append_control(apng *a, rectangle at, int blend)
{
    uint8_t data[26] = {0};
    put32(data, a->sequence++);
    put32(data + 4, (uint32_t)at.width);
    put32(data + 8, (uint32_t)at.height);
    put32(data + 12, (uint32_t)at.x);
    put32(data + 16, (uint32_t)at.y);
    for (int i = 0; i < 2; ++i) {
        data[20 + 2 * i] = (uint8_t)(a->delay[i] >> 8);
        data[21 + 2 * i] = (uint8_t)a->delay[i];
    }
    data[25] = (uint8_t)blend;
    return append_chunk(a, "fcTL", data, sizeof data, data, 0);
}

// Takes the data of a whole PNG: as IDAT in the first frame, as fdAT after a number in the others.
static bool append_data(apng *a, const uint8_t *png, size_t size)
{
    for (size_t at = SIGNATURE; at + CHUNK <= size;) {
        uint32_t length = get32(png + at);
        uint8_t number[4];
        if (memcmp(png + at + 4, "IDAT", 4) == 0) {
            bool first = a->frames == 0;
            if (!first) put32(number, a->sequence++);
            if (!append_chunk(a, first ? "IDAT" : "fdAT", number, first ? 0 : 4, png + at + 8, length)) return false;
        }
        at += CHUNK + length;
    }
    return true;
}

// The rectangle in which two frames differ; one pixel if they are equal.
static rectangle find_change(const apng *a, const uint8_t *rgba)
{
    int left = a->def.width, right = -1, top = -1, bottom = -1;
    for (int y = 0; y < a->def.height; ++y) {
        size_t row = 4 * (size_t)y * (size_t)a->def.width;
        if (memcmp(rgba + row, a->last + row, 4 * (size_t)a->def.width) == 0) continue;
        if (top < 0) top = y;
        bottom = y;
        for (int x = 0; x < a->def.width; ++x)
            if (memcmp(rgba + row + 4 * x, a->last + row + 4 * x, 4) != 0) {
                if (x < left) left = x;
                if (x > right) right = x;
            }
    }
    if (top < 0) return (rectangle){0, 0, 1, 1};
    return (rectangle){left, top, right - left + 1, bottom - top + 1};
}

static size_t pixel_at(const apng *a, rectangle at, int x, int y)
{
    return 4 * ((size_t)(at.y + y) * (size_t)a->def.width + (size_t)(at.x + x));
}

// Whether all changed pixels are opaque, so that the frame can be laid over the one before.
static bool is_opaque(const apng *a, const uint8_t *rgba, rectangle at)
{
    for (int y = 0; y < at.height; ++y)
        for (int x = 0; x < at.width; ++x) {
            size_t i = pixel_at(a, at, x, y);
            if (rgba[i + 3] != 255 && memcmp(rgba + i, a->last + i, 4) != 0) return false;
        }
    return true;
}

// Cuts out the part of a frame that is stored. Laid over, unchanged pixels are clear and take no room.
static void cut_patch(apng *a, const uint8_t *rgba, rectangle at, bool over)
{
    uint8_t *to = a->patch;
    for (int y = 0; y < at.height; ++y)
        for (int x = 0; x < at.width; ++x, to += 4) {
            size_t i = pixel_at(a, at, x, y);
            if (over && memcmp(rgba + i, a->last + i, 4) == 0)
                memset(to, 0, 4);
            else
                memcpy(to, rgba + i, 4);
        }
}

// The fraction of two 16-bit numbers nearest to 1 / fps.
static void find_delay(double fps, uint16_t delay[2])
{
    double best = HUGE_VAL;
    for (int seconds = 1; seconds <= UINT16_MAX && seconds * fps < UINT16_MAX && best > 1e-12; ++seconds) {
        double frames = round(seconds * fps), error = fabs(seconds * fps / frames - 1.0);
        if (frames < 1.0 || error >= best) continue;
        best = error;
        delay[0] = (uint16_t)seconds;
        delay[1] = (uint16_t)frames;
    }
}

static void free_apng(apng *a)
{
    stream_free(&a->bytes);
    free(a->last);
    free(a->patch);
    free(a);
}

static er_result fail_memory(const apng *a)
{
    return er_fail(a->context, ER_ERROR_MEMORY, "%s: no memory for this many frames; ask for fewer or smaller ones",
                   a->def.path);
}

static er_result apng_open(er_context *context, const film_def *def, void **state)
{
    apng *a = calloc(1, sizeof *a);
    if (a == NULL) return er_fail(context, ER_ERROR_MEMORY, "no memory for a film");
    size_t size = 4 * (size_t)def->width * (size_t)def->height;
    a->context = context;
    a->def = *def;
    a->last = malloc(size);
    a->patch = malloc(size);
    find_delay(def->fps, a->delay);
    if (a->last == NULL || a->patch == NULL) {
        er_result r = fail_memory(a);
        free_apng(a);
        return r;
    }
    *state = a;
    return ER_OK;
}

static er_result apng_frame(void *state, const uint8_t *rgba)
{
    apng *a = state;
    bool first = a->frames == 0, over = false;
    rectangle at = {0, 0, a->def.width, a->def.height};
    uint8_t *png = NULL;
    size_t size = 0;
    if (!first) {
        at = find_change(a, rgba);
        over = is_opaque(a, rgba, at);
        cut_patch(a, rgba, at, over);
    }
    er_result r = png_encode(a->context, at.width, at.height, first ? rgba : a->patch, true, &png, &size);
    if (r != ER_OK) return r;
    bool done = !first || (append(a, png, HEADER) && append_animation(a));
    done = done && append_control(a, at, over ? BLEND_OVER : BLEND_SOURCE) && append_data(a, png, size);
    free(png);
    if (!done) return fail_memory(a);
    memcpy(a->last, rgba, 4 * (size_t)a->def.width * (size_t)a->def.height);
    ++a->frames;
    return ER_OK;
}

static er_result apng_close(void *state, bool keep)
{
    apng *a = state;
    er_result r = ER_OK;
    size_t size = a->bytes.size;
    bool done = keep && a->frames > 0;
    if (done) { // the number of frames is known now
        a->bytes.size = HEADER;
        done = append_animation(a);
        a->bytes.size = size;
        if (!done || !append_chunk(a, "IEND", a->bytes.data, 0, a->bytes.data, 0)) r = fail_memory(a);
        if (r == ER_OK) r = er_file_write(a->context, a->def.path, a->bytes.data, a->bytes.size);
    }
    free_apng(a);
    return r;
}

const film_format film_apng = {apng_open, apng_frame, apng_close};
